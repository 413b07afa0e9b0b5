#include "questions/point_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "decide/observation.h"
#include "decide/words.h"
#include "load/token_kind.h"

namespace salvo::questions {
namespace {

using data::Node;
using data::Value;

constexpr int kMostTokens = 99;
constexpr int kMaxAttacks = 1'000'000;

constexpr const char* kPointSchema =
    R"("type": "object", "properties": {"attack": {"type": "integer", "minimum": 1, "maximum": 1000000, "description": )"
    R"("number of the attack at hand; default 1"}, "rolled": {"type": "string", "description": "attack dice as rolled: )"
    R"(hit focus blank"}, "rerolled": {"type": "string", "description": "attack dice rolled again: blank=hit"}, )"
    R"("spent": {"type": "string", "description": "spent by the attacker in this attack: lock focus"}, "defense_rolled": {"type": )"
    R"("string", "description": "defense dice as rolled"}, "defense_rerolled": {"type": "string", "description": "defense )"
    R"(dice rolled again"}, "defense_spent": {"type": "string", "description": "spent by the defender in this attack"}, )"
    R"("to_move": {"type": "string", "enum": ["attacker", "defender"], "description": "who decides, unless the attack is over"}, )"
    R"("tokens": {"type": "object", "additionalProperties": {"$ref": "#/$defs/tokens"}, "description": "by ship: tokens, and )"
    R"(locks as a list of ships, before this attack, in place of the scenario's"}, "damage": {"type": "object", "additionalProperties": {"type": )"
    R"("integer", "minimum": 0, "maximum": 99}, "description": "by ship: damage before this attack"}}, )"
    R"("additionalProperties": false)";

// ---------------------------------------------------------------- the point of a request

void check_ship(const Node& named, Scenario& scenario) {
  if (decide::find_ship(scenario, named.key()) == nullptr) named.fail(decide::no_such_ship(scenario, named.key()));
}

/// Tokens of a ship before the attack at hand; they replace those of the scenario.
ReportedTokens read_tokens(const Node& tokens, Scenario& scenario) {
  tokens.need_table("an object of tokens and numbers");
  ReportedTokens out;
  std::vector<std::string> stated;
  for (const Node& token : tokens.children()) {
    const std::string id = load::token_kind(token, stated);
    if (id != "lock") {
      out.tokens[id] = token.integer(0, kMostTokens);
      continue;
    }
    out.locks = token.texts();
    out.locks_complete = true;
    for (const std::string& on : out.locks) {
      if (decide::find_ship(scenario, on) == nullptr) token.fail(decide::no_such_ship(scenario, on));
    }
  }
  return out;
}

DecisionSpec read_stated(const Node& node, Scenario& scenario, bool over) {
  node.need_table("an object that says what happened so far");
  node.allow_only({"attack", "rolled", "rerolled", "spent", "defense_rolled", "defense_rerolled", "defense_spent",
                   "to_move", "tokens", "damage"});
  DecisionSpec out;
  node.read("attack", 1, kMaxAttacks, out.attack);
  decide::read_reported(node, out);
  const auto mover = node.get("to_move");
  if (mover) out.to_move = mover->one_of({"attacker", "defender"}) == "attacker" ? Role::Attacker : Role::Defender;
  if (const auto tokens = node.get("tokens")) {
    tokens->need_table("an object with tokens for each ship");
    for (const Node& ship : tokens->children()) {
      check_ship(ship, scenario);
      out.tokens[ship.key()] = read_tokens(ship, scenario);
    }
  }
  if (const auto damage = node.get("damage")) {
    damage->need_table("an object with a number for each ship");
    for (const Node& ship : damage->children()) {
      check_ship(ship, scenario);
      out.damage[ship.key()] = ship.integer(0, kMostTokens);
    }
  }
  if (mover && over) mover->fail("the attack is over; leave it out");
  return out;
}

// ---------------------------------------------------------------- the options

int number_of(const std::string& place, const std::string& text, int least, int most) {
  const std::optional<double> number = base::parse_real(text);
  if (!number || *number != std::floor(*number) || *number < least || *number > most)
    throw data::error_at(place,
                         fmt::format("{} is not a whole number from {} to {}", data::in_quotes(text), least, most));
  return static_cast<int>(*number);
}

/// Parses "focus=2", or "focus" for one.
std::pair<std::string, int> count_of(const std::string& option, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return {word, 1};
  const std::string name = word.substr(0, equals);
  return {name,
          number_of(fmt::format("{} {}", option, data::printable(name)), word.substr(equals + 1), 0, kMostTokens)};
}

ScenarioShip& ship_of(const std::string& option, Scenario& scenario, const std::string& name) {
  if (ScenarioShip* ship = decide::find_ship(scenario, name)) return *ship;
  throw data::error_at(option, decide::no_such_ship(scenario, name));
}

/// Adds reported tokens: "NAME TOKEN=N ...".
void report_tokens(DecisionSpec& point, Scenario& scenario, const std::string& text) {
  const std::string option = "--tokens";
  const std::vector<std::string> words = decide::words_in(text);
  if (words.size() < 2 || words.front().find('=') != std::string::npos)
    throw data::error_at(option, fmt::format("{} does not name a ship and its tokens; write 'red focus=0 lock=0'",
                                             data::in_quotes(text)));
  const ScenarioShip& ship = ship_of(option, scenario, words.front());
  ReportedTokens& reported = point.tokens[words.front()];
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (word->starts_with("lock=") && word->find_first_not_of("0123456789", 5) != std::string::npos) {
      const std::string target = word->substr(5);
      ship_of(option, scenario, target);
      reported.locks.push_back(target);
      continue;
    }
    const auto [token, n] = count_of(option, *word);
    if (token != "lock") {
      reported.tokens[token] = n;
    } else if (n == 0) {
      reported.locks.clear();
      reported.locks_complete = true;
    } else if (reported.locks.empty() && (reported.locks_complete || ship.locks.empty())) {
      throw data::error_at(option, "name the locked ship, as in lock=black");
    }
  }
}

/// With a FILE, which contains the attacks, --attack is the number of the one at hand.
void take_number(PointQuestion& question) {
  std::vector<load::GivenSpec>& attacks = question.source.attacks.list;
  if (question.source.file.empty() || attacks.empty()) return;
  if (question.number || attacks.size() > 1)
    throw data::error_at("--attack", "more than one number of the attack at hand");
  question.number_option = "--attack";
  question.number = number_of("--attack", attacks.front().text, 1, kMaxAttacks);
  attacks.clear();
}

void describe_reports(PointQuestion& question, FieldList& list, const Name& damage) {
  DecisionSpec& point = question.point;
  list.integer({nullptr, "--number", "N", "current attack, counted over all rounds (default 1)"}, 1, kMaxAttacks,
               question.number);
  const auto words = [&](const char* option, const char* value, const char* help, std::optional<std::string>& to) {
    list.add({nullptr, option, value, help}, Kind::Text, [&to](const Node& node) { to = node.value().text; });
  };
  words("--rolled", "DICE", "attack dice as rolled: 'hit focus blank'", point.rolled);
  words("--rerolled", "DICE", "rerolled attack dice: 'blank=hit focus=blank'", point.rerolled);
  words("--spent", "WORDS", "what the attacker has spent: 'lock focus'", point.spent);
  words("--defense-rolled", "DICE", "defense dice as rolled", point.defense_rolled);
  words("--defense-rerolled", "DICE", "rerolled defense dice", point.defense_rerolled);
  words("--defense-spent", "WORDS", "what the defender has spent", point.defense_spent);
  list.add({nullptr, "--tokens", "TEXT", "a ship's tokens before this attack: 'red focus=0'"}, Kind::Texts,
           [&question](const Node& node) {
             for (const Node& text : node.children()) question.tokens.push_back(text.value().text);
           });
  list.add(damage, Kind::Text, [&question](const Node& node) { question.damage = node.value().text; });
}

/// Adds the reported tokens and damage.
void add_reports(const PointQuestion& question, AskedPoint& to) {
  to.point.attack = question.number.value_or(to.point.attack);
  for (const std::string& text : question.tokens) report_tokens(to.point, to.scenario, text);
  const std::string option = question.over ? "--damaged" : "--damage";
  for (const std::string& word : decide::words_in(question.damage)) {
    const auto [name, n] = count_of(option, word);
    ship_of(option, to.scenario, name);
    to.point.damage[name] = n;
  }
}

}  // namespace

void describe_point(PointQuestion& question, FieldList& list, const Name& damage) {
  describe_scenario(question, list, "an attacker; with FILE the number of the attack");
  list.at("attack").or_number = true;
  list.group("What happened so far");
  list.add({"point", nullptr, nullptr, "what happened so far"}, Kind::Object, [&question](const Node& node) {
    question.stated.add("point", node.value());
    question.stated_source = node.source();
  });
  list.last().schema = for_people(kPointSchema);
  if (!kOnlyJson) describe_reports(question, list, damage);
}

AskedPoint take_point(const Catalogue& catalogue, PointQuestion& question) {
  if (!kOnlyJson) take_number(question);
  AskedPoint out{take_scenario(catalogue, question), std::move(question.point)};
  if (const auto stated = Node(question.stated, question.stated_source).get("point"))
    out.point = read_stated(*stated, out.scenario, question.over);
  if (!kOnlyJson) add_reports(question, out);
  return out;
}

void fail_at_point(const PointQuestion& question, const DecisionError& error) {
  std::string key = error.path;
  if (!kOnlyJson && question.answer.overrides.as_options) {
    std::replace(key.begin(), key.end(), '_', '-');
    throw data::error_at(key == "attack" ? question.number_option : "--" + key, error.what());
  }
  if (question.over && key == "damage") throw ScenarioError(key, error.what());
  throw ScenarioError("point." + (key == "damaged" ? "damage" : key), error.what());
}

}  // namespace salvo::questions
