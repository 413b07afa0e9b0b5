// Scenarios from text: good input in both formats, every kind of bad input with place and remedy, messages, near names.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/text.h"
#include "load/batch.h"
#include "load/flight_file.h"
#include "load/grid.h"
#include "load/load.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

/// The message of the LoadError that reading `text` throws; empty when it throws none.
std::string error_of(const std::string& text, const std::string& source = "x.toml") {
  try {
    static_cast<void>(parse_scenario(text, source));
  } catch (const LoadError& error) {
    return error.what();
  }
  return {};
}

/// A valid scenario with `ship` among the keys of ship a and `attack` among those of its attack. Ship a begins in
/// line 2, the attack in line 6.
std::string toml_with(const std::string& ship, const std::string& attack = "") {
  std::string out = "[ships.a]\nside = \"mine\"\n";
  out.append(ship).append("\n[ships.b]\n\n[[attacks]]\nby = \"a\"\non = \"b\"\n").append(attack).append("\n");
  return out;
}

std::string json_with(const std::string& ship, const std::string& attack = "") {
  std::string out = "{\"ships\": {\"a\": {";
  out.append(ship).append("}, \"b\": {}},\n \"attacks\": [{\"by\": \"a\", \"on\": \"b\"");
  out.append(attack.empty() ? "" : ", ").append(attack).append("}]}");
  return out;
}

struct BadCase {
  std::string text;
  std::vector<std::string> parts;  ///< parts that the message must contain
};

void check_cases(const std::vector<BadCase>& cases, const std::string& source) {
  for (const BadCase& bad : cases) {
    const std::string message = error_of(bad.text, source);
    CAPTURE(bad.text, message);
    CHECK(message.starts_with(source));
    for (const std::string& part : bad.parts) {
      CAPTURE(part);
      CHECK(message.find(part) != std::string::npos);
    }
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 600);
  }
}

const char* const kExampleToml = R"(
rules = "second-edition"
cards = "legacy"
objective = "kill"
attacker_policy = "greedy"
defender_policy = "hold"

[ships.red]
side = "mine"
ship = "t65xwing"
pilot = "wedgeantilles"
upgrades = ["predator"]
attack = 3
agility = 2
hull = 4
shields = 2
size = "small"
tokens = { focus = 1, calculate = 0, lock = ["black"], cloak = 1 }

[ships.black]
agility = 3
tokens = { focus = 1, evade = 1 }

[[attacks]]
by = "red"
on = "black"
weapon = "primary:rear"
range = 1
obstructed = true
reinforced = false
facts = ["bullseye"]
initiative = 4

[[attacks]]
by = "black"
on = "red"
)";

const char* const kExampleJson = R"({
  "attacks": [
    {"initiative": 4, "facts": ["bullseye"], "reinforced": false, "obstructed": true, "range": 1,
     "weapon": "primary:rear", "on": "black", "by": "red"},
    {"by": "black", "on": "red"}],
  "ships": {
    "black": {"agility": 3, "tokens": {"evade": 1, "focus": 1}},
    "red": {"side": "mine", "ship": "t65xwing", "pilot": "wedgeantilles", "upgrades": ["predator"],
            "attack": 3, "agility": 2, "hull": 4, "shields": 2, "size": "small",
            "tokens": {"focus": 1, "calculate": 0, "lock": ["black"], "cloak": 1}}},
  "rules": "second-edition", "cards": "legacy", "objective": "kill",
  "attacker_policy": "greedy", "defender_policy": "hold"
})";

}  // namespace

TEST_CASE("TOML and JSON of the same scenario are read as equal", "[load]") {
  const Scenario toml = parse_scenario(kExampleToml, "x.toml"), json = parse_scenario(kExampleJson, "x.json");
  CHECK(toml.rules == json.rules);
  CHECK(toml.cards == json.cards);
  CHECK(toml.objective == json.objective);
  CHECK(toml.attacker_policy == json.attacker_policy);
  CHECK(toml.defender_policy == json.defender_policy);
  CHECK(toml.ships == json.ships);
  CHECK(toml.attacks == json.attacks);
}

TEST_CASE("every key of a scenario is read", "[load]") {
  const Scenario s = parse_scenario(kExampleToml, "x.toml");
  CHECK(s.source == "x.toml");
  CHECK(s.cards == "legacy");
  CHECK(s.objective == "kill");
  CHECK(s.attacker_policy == "greedy");
  CHECK(s.defender_policy == "hold");
  const ScenarioShip& red = s.ships.at("red");
  CHECK(red.side == "mine");
  CHECK(red.ship == "t65xwing");
  CHECK(red.pilot == "wedgeantilles");
  CHECK(red.upgrades == std::vector<std::string>{"predator"});
  CHECK(red.attack == 3);
  CHECK(red.agility == 2);
  CHECK(red.hull == 4);
  CHECK(red.shields == 2);
  CHECK(red.size == "small");
  CHECK(red.tokens == std::map<std::string, int>{{"focus", 1}, {"calculate", 0}, {"cloak", 1}});
  CHECK(red.locks == std::vector<std::string>{"black"});
  CHECK_FALSE(s.ships.at("black").hull);
  REQUIRE(s.attacks.size() == 2);
  const ScenarioAttack& first = s.attacks[0];
  CHECK(first.by == "red");
  CHECK(first.on == "black");
  CHECK(first.weapon == "primary:rear");
  CHECK(first.range == 1);
  CHECK(first.obstructed);
  CHECK_FALSE(first.reinforced);
  CHECK(first.facts == std::vector<std::string>{"bullseye"});
  CHECK(first.initiative == 4);
}

TEST_CASE("case never matters in words of tokens", "[load]") {
  const Scenario lower = parse_scenario(toml_with("tokens = { evade = 1, stress = 0.5, lock = [\"b\"] }"), "x.toml");
  const Scenario upper = parse_scenario(toml_with("tokens = { EVADE = 1, Stress = 0.5, LOCK = [\"b\"] }"), "x.toml");
  CHECK(lower.ships == upper.ships);
  CHECK(lower.ships.at("a").tokens.at("evade") == 1);
}

TEST_CASE("keys that are not given have their defaults", "[load]") {
  const Scenario s = parse_scenario(toml_with(""), "x.toml");
  CHECK(s.rules == "second-edition");
  CHECK(s.cards.empty());  // the usual set of the rules
  CHECK(s.objective == "damage");
  CHECK_FALSE(s.attacker_policy);
  CHECK(s.ships.at("b") == ScenarioShip{});
  ScenarioAttack attack;
  attack.by = "a";
  attack.on = "b";
  CHECK(s.attacks.at(0) == attack);
  CHECK(attack.range == 2);
}

TEST_CASE("limits of a scenario are allowed", "[load]") {
  const Scenario s =
      parse_scenario(toml_with("attack = 20\nagility = 0\nhull = 99\nshields = 99\ntokens = { ion = 99, cloak = 0 }",
                               "range = 0\ninitiative = 0"),
                     "x.toml");
  CHECK(s.ships.at("a").attack == 20);
  CHECK(s.ships.at("a").agility == 0);
  CHECK(s.ships.at("a").tokens.at("ion") == 99);
  CHECK(parse_scenario(toml_with("hull = 1", "range = 5\ninitiative = 99"), "x.toml").attacks[0].range == 5);
}

TEST_CASE("a byte order mark and other line ends are accepted", "[load]") {
  const std::string mark("\xEF\xBB\xBF"), toml = toml_with(""), json = json_with("");
  CHECK(parse_scenario(mark + toml, "x.toml").ships.size() == 2);
  CHECK(parse_scenario(mark + json, "-").ships.size() == 2);
  CHECK(parse_scenario("[ships.a]\r\n[ships.b]\r\n[[attacks]]\r\nby='a'\r\non='b'\r\n", "x.toml").attacks.size() == 1);
}

TEST_CASE("the file name decides the format, else the first brace", "[load]") {
  CHECK(parse_scenario(json_with(""), "x.json").attacks.size() == 1);
  CHECK(parse_scenario(json_with(""), "-").attacks.size() == 1);
  CHECK(parse_scenario(std::string("\n ").append(json_with("")), "line 7").attacks.size() == 1);
  CHECK(parse_scenario(toml_with(""), "-").attacks.size() == 1);
  CHECK(error_of(toml_with(""), "x.JSON").find("not valid JSON") != std::string::npos);
}

TEST_CASE("unknown keys are named with line, path and the nearest known key", "[load]") {
  check_cases({{toml_with("hul = 3"), {"x.toml:3: ships.a.hul: unknown key", "did you mean \"hull\"?"}},
               {toml_with("", "rnage = 3"), {"x.toml:9: attacks[0].rnage: unknown key", "\"range\""}},
               {"atacks = 1\n" + toml_with(""), {"x.toml:1: atacks: unknown key", "\"attacks\""}},
               {toml_with("zzzzzz = 3"), {"unknown key; the keys here are side, ship, pilot"}},
               {toml_with("range = 3"), {"ships.a.range: unknown key; it belongs to an attack"}},
               {toml_with("", "hull = 3"), {"attacks[0].hull: unknown key; it belongs to a ship"}},
               {toml_with("objective = \"kill\""), {"ships.a.objective: unknown key; it belongs to the scenario"}},
               {"engine = \"exact\"\n" + toml_with(""), {"x.toml:1: engine: unknown key", "option --engine"}},
               {"trials = 5\n" + toml_with(""), {"trials: unknown key", "option --trials"}},
               {"seed = 5\n" + toml_with(""), {"seed: unknown key", "option --seed"}}},
              "x.toml");
  check_cases({{json_with("\"hul\": 3"), {"x.json:1: ships.a.hul: unknown key", "\"hull\""}},
               {json_with("", "\"rnage\": 3"), {"x.json:2: attacks[0].rnage: unknown key", "\"range\""}}},
              "x.json");
}

TEST_CASE("a player's word in place of a key gets the right key", "[load]") {
  check_cases({{toml_with("lock = [\"b\"]"), {"ships.a.lock: unknown key;", "tokens = { lock = [\"b\"] }"}},
               {toml_with("locks = [\"b\"]"), {"tokens = { lock = [\"b\"] }"}},
               {toml_with("target-lock = 1"), {"tokens = { lock = [\"b\"] }"}},
               {toml_with("stress = 1"), {"tokens = { stress = 1 }"}},
               {toml_with("stressed = true"), {"tokens = { stress = 1 }"}},
               {toml_with("damaged = 1"), {"hull = 2"}},
               {toml_with("shield = 1"), {"did you mean \"shields\"?"}},
               {toml_with("health = 5"), {"hull and shields"}},
               {toml_with("die = 3"), {"attack is the number of attack dice"}},
               {toml_with("dice = 3"), {"attack is the number of attack dice"}},
               {toml_with("defense = 3"), {"agility is the number"}},
               {toml_with("tokens = { Evade = 1, EVADE = 2 }"), {"states evade again", "each kind of token once"}},
               {toml_with("tokens = { locks = [\"b\"] }"), {"tokens.locks: unknown token;", "lock = [\"b\"]"}},
               {toml_with("", "target = \"b\""), {"attacks[0].target: unknown key;", "the key is on"}},
               {toml_with("", "focus = 1"), {"ships.NAME.tokens"}},
               {toml_with("", "bullseye = true"), {"facts = [\"bullseye\"]"}},
               {"deck = \"core\"\n" + toml_with(""), {"deck: unknown key; the key is damage_deck"}}},
              "x.toml");
}

TEST_CASE("numbers out of range are named with the allowed range", "[load]") {
  check_cases({{toml_with("attack = 21"), {"x.toml:3: ships.a.attack: 21 is out of range", "from 0 to 20"}},
               {toml_with("agility = -1"), {"ships.a.agility: -1 is out of range", "from 0 to 20"}},
               {toml_with("hull = 0"), {"ships.a.hull: 0 is out of range", "from 1 to 99"}},
               {toml_with("hull = 100"), {"100 is out of range", "from 1 to 99"}},
               {toml_with("shields = 100"), {"from 0 to 99"}},
               {toml_with("tokens = { focus = 100 }"), {"ships.a.tokens.focus: 100 is out of range", "from 0 to 99"}},
               {toml_with("tokens = { cloak = 2 }"), {"ships.a.tokens.cloak: 2 is out of range", "from 0 to 1"}},
               {toml_with("", "range = 6"), {"x.toml:9: attacks[0].range: 6 is out of range", "from 0 to 5"}},
               {toml_with("", "range = -1"), {"-1 is out of range", "from 0 to 5"}},
               {toml_with("", "initiative = 100"), {"attacks[0].initiative", "from 0 to 99"}},
               {toml_with("hull = 9223372036854775807"), {"9223372036854775807 is out of range", "from 1 to 99"}},
               {toml_with("hull = 9223372036854775808"), {"x.toml:3", "64 bits", "numbers here are small"}},
               {toml_with("hull = 1e99"), {"ships.a.hull: found 1e+99", "from 1 to 99"}}},
              "x.toml");
  check_cases({{json_with("\"hull\": 9223372036854775808"),
                {"x.json:1: ships.a.hull: 9223372036854775808 is out of range", "from 1 to 99"}},
               {json_with("\"hull\": -99999999999999999999"), {"ships.a.hull: -99999999999999999999 is out of range"}},
               {json_with("\"hull\": 1e99"), {"found 1e99", "from 1 to 99"}},
               {json_with("\"hull\": 1e999"), {"x.json:1", "numbers here are small"}}},
              "x.json");
}

TEST_CASE("wrong types are named with the required one", "[load]") {
  check_cases({{toml_with("hull = 3.0"), {"ships.a.hull: found 3.0", "write a whole number from 1 to 99, here 3"}},
               {toml_with("hull = 3.5"), {"found 3.5", "whole number from 1 to 99"}},
               {toml_with("hull = inf"), {"found inf", "whole number"}},
               {toml_with("hull = nan"), {"found nan", "whole number"}},
               {toml_with("hull = \"3\""), {"found \"3\" (text)", "here 3 without quotes"}},
               {toml_with("hull = \"three\""), {"found \"three\" (text)", "whole number from 1 to 99"}},
               {toml_with("hull = true"), {"found true", "whole number from 1 to 99"}},
               {toml_with("hull = [3]"), {"found a list", "whole number from 1 to 99"}},
               {toml_with("hull = {}"), {"found a table", "whole number from 1 to 99"}},
               {toml_with("hull = 2020-01-01"), {"found 2020-01-01 (a date or time)", "whole number"}},
               {toml_with("", "obstructed = 1"), {"attacks[0].obstructed: found 1", "write true or false, here true"}},
               {toml_with("", "reinforced = 0"), {"found 0", "here false"}},
               {toml_with("", "obstructed = \"true\""), {"true or false without quotes"}},
               {toml_with("ship = 3"), {"ships.a.ship: found 3", "a text in quotes"}},
               {toml_with("ship = \"\""), {"ships.a.ship: the text is empty"}},
               {toml_with("upgrades = \"predator\""), {"ships.a.upgrades", "a list of texts, here [\"predator\"]"}},
               {toml_with("upgrades = [1]"), {"ships.a.upgrades[0]: found 1", "a text in quotes"}},
               {toml_with("", "facts = \"bullseye\""), {"attacks[0].facts", "here [\"bullseye\"]"}},
               {toml_with("", "facts = [\"x\", \"x\"]"), {"attacks[0].facts[1]: \"x\" is given twice"}},
               {toml_with("tokens = [\"focus\"]"), {"ships.a.tokens: found a list", "{ focus = 1 }"}},
               {toml_with("tokens = 1"), {"ships.a.tokens: found 1"}},
               {"rules = 2\n" + toml_with(""), {"x.toml:1: rules: found 2", "a text in quotes"}}},
              "x.toml");
  check_cases({{json_with("\"hull\": null"), {"ships.a.hull: found null; leave the key out or write"}},
               {json_with("\"hull\": 3.0"), {"found 3.0", "here 3"}},
               {json_with("\"tokens\": {\"focus\": true}"), {"ships.a.tokens.focus: found true"}},
               {"[]", {"found a list", "an object with ships and attacks"}},
               {"null", {"found null"}},
               {"3", {"found 3"}}},
              "x.json");
}

TEST_CASE("side is mine or theirs", "[load]") {
  const std::string message = error_of("[ships.a]\nside = \"mien\"\n[ships.b]\n[[attacks]]\nby='a'\non='b'");
  CHECK(message ==
        "x.toml:2: ships.a.side: \"mien\" is not known here; did you mean \"mine\"? write one of mine, theirs");
}

TEST_CASE("locks are a list of ships, each once, and other tokens are numbers", "[load]") {
  check_cases(
      {{toml_with("tokens = { lock = 1 }"),
        {"ships.a.tokens.lock: found 1", "a list of the ships it has locked, here [\"b\"]"}},
       {toml_with("tokens = { lock = \"b\" }"), {"found \"b\" (text)", "here [\"b\"]"}},
       {toml_with("tokens = { lock = [\"b\", \"b\"] }"),
        {"ships.a.tokens.lock[1]: \"b\" is given twice", "each ship once"}},
       {toml_with("tokens = { lock = [1] }"), {"ships.a.tokens.lock[0]: found 1"}},
       {toml_with("tokens = { focus = [\"b\"] }"), {"ships.a.tokens.focus: found a list", "only lock has a list"}}},
      "x.toml");
  CHECK(parse_scenario(toml_with("tokens = { lock = [] }"), "x.toml").ships.at("a").locks.empty());
}

TEST_CASE("ships and attacks are required", "[load]") {
  check_cases({{"", {"is empty"}},
               {" \n\t\n", {"is empty"}},
               {"# nothing\n", {"the key \"ships\" is missing"}},
               {"[ships.a]\n[ships.b]\n", {"the key \"attacks\" is missing", "[[attacks]]"}},
               {"[ships]\n[[attacks]]\nby='a'\non='b'", {"x.toml:1: ships: no ship here", "at least two"}},
               {"[ships.a]\n[[attacks]]\nby='a'\non='a'", {"ships: one ship here", "at least two"}},
               {"ships = []\n[[attacks]]\nby='a'\non='b'", {"x.toml:1: ships: found a list", "[ships.red]"}},
               {"ships = {a = 1, b = 2}\n[[attacks]]\nby='a'\non='b'", {"ships.a: found 1"}},
               {"[ships.a]\n[ships.b]\n[attacks]\nby='a'\non='b'", {"x.toml:3: attacks: found a table", "[[attacks]]"}},
               {"attacks = []\n[ships.a]\n[ships.b]", {"x.toml:1: attacks: the list is empty"}},
               {"attacks = [1]\n[ships.a]\n[ships.b]", {"attacks[0]: found 1"}},
               {"[ships.a]\n[ships.b]\n[[attacks]]\nby='a'", {"x.toml:3: attacks[0]: the key \"on\" is missing"}},
               {"[ships.a]\n[ships.b]\n[[attacks]]\non='a'", {"attacks[0]: the key \"by\" is missing"}},
               {"[ships.\"\"]\n[ships.b]\n[[attacks]]\nby='a'\non='b'", {"empty name"}},
               {"[ships.\"a\\u001b[31m\"]\n[ships.b]\n[[attacks]]\nby='a'\non='b'", {"control characters", "\\x1b"}}},
              "x.toml");
}

TEST_CASE("invalid TOML and JSON are refused with their line", "[load]") {
  check_cases({{"a = \n", {"x.toml:1: not valid TOML"}},
               {"[ships.a]\nhull = 3\nhull = 4\n", {"x.toml:3: not valid TOML", "hull"}},
               {"[ships.a]\n[ships.a]\n", {"x.toml:2: not valid TOML"}},
               {"x = \"abc\n", {"x.toml:1: not valid TOML"}},
               {"[ships.a]\n\n[{a]\n", {"x.toml:3: not valid TOML"}},  // fails an assertion of toml++
               {"\n[.\n", {"x.toml:2: not valid TOML"}},               // the same
               {"\xC3\xA9 = 1\n", {"x.toml:1: not valid TOML"}}},      // unreachable code of toml++ without our patch
              "x.toml");
  check_cases({{"{", {"x.json:1: not valid JSON"}},
               {"{\n\"ships\": }", {"x.json:2: not valid JSON"}},
               {json_with("") + " x", {"x.json:2: not valid JSON"}},
               {json_with("\"hull\": 3, \"hull\": 3"), {"x.json:1: ships.a.hull: given twice"}},
               {json_with("\"hull\": NaN"), {"x.json:1: not valid JSON"}},
               {"{\"ships\": {\"a\": {}, \"b\": {}},\n\"attacks\": [{\"by\": \"a\", \"on\": \"b\"},\n{\"by\": "
                "\"a\",\n\"by\": \"b\"}]}",
                {"x.json:4: attacks[1].by: given twice"}}},
              "x.json");
}

TEST_CASE("a message is safe for a terminal and short", "[load]") {
  const std::string message = error_of(toml_with("\"\\u001b[31m\\u009b\" = 1"));
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.find("\xC2\x9B") == std::string::npos);
  CHECK(message.find("\\x1b[31m\\u009b") != std::string::npos);
  CHECK(error_of(toml_with("\"" + std::string(100000, 'k') + "\" = 1")).size() < 500);
  CHECK(error_of(toml_with("hull = \"" + std::string(100000, 'v') + "\"")).size() < 500);
}

TEST_CASE("an unknown key is reported even with an error elsewhere, and the first error is reported", "[load]") {
  CHECK(error_of(toml_with("hull = 0\nagility = 99")).find("ships.a.agility") != std::string::npos);
  CHECK(error_of(toml_with("x = 0\nhull = 0")).find("ships.a.x") != std::string::npos);
}

TEST_CASE("describe gives the line of the key, or of the table that lacks it", "[load]") {
  const Scenario s = parse_scenario(toml_with("tokens = { focus = 1, lock = [\"b\"] }", "range = 3"), "x.toml");
  const auto at = [&s](const std::string& path) { return describe(s, ScenarioError(path, "why; remedy")); };
  CHECK(at("ships.a.tokens.focus") == "x.toml:3: ships.a.tokens.focus: why; remedy");
  CHECK(at("ships.a.tokens.lock[0]") == "x.toml:3: ships.a.tokens.lock[0]: why; remedy");
  CHECK(at("ships.a.hull") == "x.toml:1: ships.a.hull: why; remedy");
  CHECK(at("attacks[0].range") == "x.toml:9: attacks[0].range: why; remedy");
  CHECK(at("attacks[0].by") == "x.toml:7: attacks[0].by: why; remedy");
  CHECK(at("attacks[0].facts[2]") == "x.toml:6: attacks[0].facts[2]: why; remedy");
  CHECK(at("objective") == "x.toml: objective: why; remedy");
  CHECK(at("") == "x.toml: why; remedy");
  const Scenario j = parse_scenario(json_with("\n\"hull\": 3"), "-");
  CHECK(describe(j, ScenarioError("ships.a.hull", "why")) == "standard input:2: ships.a.hull: why");
  // A name that looks like a path is not read as one.
  const Scenario dotted = parse_scenario(
      "{\"ships\": {\"a.b\": {\"attack\": 2},\n\"a\": {\"agility\": 2}},\n\"attacks\": [{\"by\": \"a.b\", \"on\": "
      "\"a\"}]}",
      "-");
  CHECK(describe(dotted, ScenarioError("ships.a.b.attack", "why")) == "standard input:1: ships.a.b.attack: why");
  CHECK(describe(dotted, ScenarioError("ships.a.agility", "why")) == "standard input:2: ships.a.agility: why");
  CHECK(describe(dotted, ScenarioError("attacks[0].range", "why")) == "standard input:3: attacks[0].range: why");
}

TEST_CASE("describe names flags as on the command line", "[load]") {
  const std::vector<std::string> attacks{"3 x11", "2", "2"};
  const Scenario s = scenario_from_specs(tests::catalogue(), attacks, "2");
  const auto at = [&s](const std::string& path) { return describe(s, ScenarioError(path, "why")); };
  CHECK(at("attacks[11].range") == "--attack 2: range: why");  // of the second SPEC: the first is eleven attacks
  CHECK(at("attacks[11]") == "--attack 2: why");
  CHECK(at("attacks[1]") == "--attack 1: why");
  CHECK(at("ships.a13.tokens.focus") == "--attack 3: tokens.focus: why");
  CHECK(at("ships.d.hull") == "--defend: hull: why");
  CHECK(at("ships.d") == "--defend: why");
  CHECK(at("ships.d2") == "ships.d2: why");
  CHECK(at("attacker_policy") == "--attacker-policy: why");
  CHECK(at("") == "why");
}

TEST_CASE("all JSON may begin with a byte order mark", "[load]") {
  const std::string mark("\xEF\xBB\xBF");
  const std::string attack =
      R"("ships": {"a": {"attack": 3}, "d": {"agility": 1}}, "attacks": [{"by": "a", "on": "d"}])";
  CHECK(load::parse_batch_line(mark + "{" + attack + "}", "-").scenario.ships.size() == 2);
  CHECK(load::batch_id(mark + R"({"id": 7})"));
  CHECK(load::parse_grid(mark + "{" + attack + R"(, "grid": {"ships.d.agility": [0, 1, 2]}})", "grid").size() == 3);
  CHECK(load::parse_flight(
            mark + R"({"format": 1, "id": "near", "name": "Near", "round": [{"pair": [{"of": ["any", "any"],
                                "range": {"1": 100}}]}]})",
            "flight")
            .id == "near");
}

TEST_CASE("nearest finds misspellings and nothing else", "[load]") {
  using base::nearest;
  const std::vector<std::string> names{"focus", "calculate", "evade", "hull", "shields", "outmaneuver", "on", "by"};
  CHECK(nearest("fcous", names) == "focus");   // swapped
  CHECK(nearest("focu", names) == "focus");    // missing
  CHECK(nearest("focuss", names) == "focus");  // doubled
  CHECK(nearest("Focus", names) == "focus");
  CHECK(nearest("HULL", names) == "hull");
  CHECK(nearest("calcluate", names) == "calculate");
  CHECK(nearest("outmanoeuvre", names) == "outmaneuver");
  CHECK(nearest("bullseye", names).empty());
  CHECK(nearest("shoes", names).empty());
  CHECK(nearest("x", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest("focus", {}).empty());
  CHECK(nearest(std::string(100000, 'f'), names).empty());
  CHECK(nearest("evadd", {"evada", "evade"}) == "evada");  // the first of two equally near
}

TEST_CASE("policy: a kind of token is stated once, in any case", "[load]") {
  CHECK(parse_policy("[[rule]]\ntokens = { Focus = 1 }\n", "x.toml").rules[0].tokens.at("focus") == 1);
  CHECK_THROWS_WITH(parse_policy("[[rule]]\ntokens = { focus = 1, Focus = 0 }\n", "x.toml"),
                    Catch::Contains("states focus again"));
}
