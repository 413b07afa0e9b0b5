// The catalogue: the profiles of the repository, home-made and broken ones, and the search for profiles.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "load/catalogue.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

using namespace salvo;

namespace {

namespace fs = std::filesystem;
using tests::error_of;

const fs::path kProfiles = fs::path(SALVO_SOURCE_DIR) / "profiles";

/// A folder of profiles made by the test.
struct Profiles {
  Profiles() { fs::create_directories(root / "rules"); }

  void write(const std::string& file, const std::string& text) const { folder.write(file, text); }

  tests::TemporaryFolder folder;
  fs::path root = folder.path();
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kHead = "format = 1\nid = \"mine\"\nname = \"Mine\"\nsizes = [\"small\", \"large\"]\n";
const std::string kDice = "[dice]\nattack = { zap = 2, hit = 1, blank = 3 }\ndefense = { evade = 1, blank = 1 }\n";
const std::string kTokens = "[tokens]\nfocus = {}\n";

/// The error of reading an edition `mine` with this text.
std::string error_of_edition(const std::string& text) {
  const Profiles profiles;
  profiles.write("rules/mine.toml", text);
  return error_of([&] { return Catalogue(profiles.root).edition("mine"); });
}

/// The same for an edition that has one effect with these lines.
std::string error_of_effect(const std::string& lines) {
  return error_of_edition(kHead + kDice + kTokens + "[[effect]]\n" + lines);
}

/// The same for an effect with one operation.
std::string error_of_operation(const std::string& operation) {
  return error_of_effect("id = \"e\"\nat = \"attack-mod\"\ndo = [{ " + operation + " }]\n");
}

const salvo::load::EffectSpec& effect_of(const salvo::load::Edition& edition, const std::string& id) {
  for (const salvo::load::EffectSpec& effect : edition.effects) {
    if (effect.id == id) return effect;
  }
  FAIL("no effect " << id);
  return edition.effects.front();
}

}  // namespace

TEST_CASE("the second edition is read as written", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  const salvo::load::Edition* edition = catalogue.edition("second-edition");
  REQUIRE(edition != nullptr);
  CHECK(edition == catalogue.edition("second-edition"));  // cached
  CHECK(edition->id == "second-edition");
  CHECK(edition->min_dice == 0);
  CHECK(edition->max_dice == 6);
  CHECK(edition->min_range == 0);
  CHECK(edition->max_range == 5);
  CHECK(edition->destroyed_stays == salvo::load::DestroyedStays::Initiative);
  CHECK(edition->sizes == std::vector<std::string>{"small", "medium", "large", "huge", "remote"});
  // 000: Dice. The faces are in the order of the file.
  std::vector<std::pair<std::string, int>> attack, defense;
  for (const salvo::load::FaceSpec& face : edition->attack_die.faces) attack.emplace_back(face.name, face.sides);
  for (const salvo::load::FaceSpec& face : edition->defense_die.faces) defense.emplace_back(face.name, face.sides);
  CHECK(attack == std::vector<std::pair<std::string, int>>{{"hit", 3}, {"crit", 1}, {"focus", 2}, {"blank", 2}});
  CHECK(defense == std::vector<std::pair<std::string, int>>{{"evade", 3}, {"focus", 2}, {"blank", 3}});
}

TEST_CASE("tokens of the second edition", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  const salvo::load::Edition& edition = *catalogue.edition("second-edition");
  REQUIRE(edition.tokens.size() == 32);
  CHECK(edition.tokens.front().id == "focus");  // in the order of the file
  CHECK(edition.tokens.front().green);
  CHECK_FALSE(edition.tokens.front().charge);
  for (const salvo::load::TokenSpec& token : edition.tokens) {
    CAPTURE(token.id);
    CHECK(token.charge == (token.id == "force" || token.id == "energy"));
    CHECK(token.prevents_attack == (token.id == "cloak" || token.id == "disarm"));
    const std::set<std::string> marks{"suppressed", "darkside",       "aided",  "hindered",
                                      "perfected",  "withheld-force", "keeping"};
    const bool mark = marks.contains(token.id);
    const bool kept = token.id.starts_with("kept-") || token.id.starts_with("stored-") || token.id == "counted";
    CHECK(token.max == (token.id == "cloak" || mark ? 1 : kept ? 7 : 99));
    CHECK(token.state == (token.id == "tractor" ? "tractored" : token.id == "ion" ? "ionized" : ""));
    if (!token.state.empty()) {
      CHECK(token.threshold == std::map<std::string, int>{{"small", 1}, {"medium", 2}, {"large", 3}, {"huge", 6}});
    }
  }
}

TEST_CASE("effects of the second edition", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  const salvo::load::Edition& edition = *catalogue.edition("second-edition");
  const salvo::load::EffectSpec& lock = effect_of(edition, "lock");
  CHECK(lock.side == "attacker");
  CHECK(lock.at == salvo::load::Window::AttackMod);
  CHECK(lock.may);
  REQUIRE(lock.cost.size() == 1);
  CHECK(lock.cost[0].token == "lock");
  CHECK(lock.cost[0].n == 1);
  CHECK(lock.cost[0].who == "self");
  REQUIRE(lock.operations.size() == 1);
  CHECK(lock.operations[0].verb == load::Verb::Reroll);
  CHECK(lock.operations[0].dice == "attack");
  CHECK(lock.operations[0].all);
  CHECK_FALSE(lock.operations[0].exact);  // one or more
  CHECK(holds(lock.place, "second-edition.toml:"));

  const salvo::load::EffectSpec& focus = effect_of(edition, "focus");
  CHECK(focus.side == "any");
  CHECK(focus.at == salvo::load::Window::OwnMod);
  CHECK(focus.operations[0].dice == "own");
  CHECK(focus.operations[0].from == std::vector<std::string>{"focus"});
  CHECK(focus.operations[0].to == "success");
  CHECK(focus.operations[0].all);

  const salvo::load::EffectSpec& deplete = effect_of(edition, "deplete");
  CHECK_FALSE(deplete.may);
  CHECK(deplete.when == "self.deplete >= 1");
  REQUIRE(deplete.operations.size() == 2);
  CHECK(deplete.operations[0].verb == load::Verb::Pool);
  CHECK(deplete.operations[0].n == -1);
  CHECK(deplete.operations[1].verb == load::Verb::Lose);
  CHECK(deplete.operations[1].token == "deplete");

  const salvo::load::EffectSpec& range_0 = effect_of(edition, "range-0-defense");
  CHECK(range_0.at == salvo::load::Window::Always);
  REQUIRE(range_0.operations.size() == 3);
  CHECK(range_0.operations[2].verb == load::Verb::Forbid);
  CHECK(range_0.operations[2].what == "cancel");
  CHECK(range_0.operations[2].who == "foes");
  CHECK(effect_of(edition, "reinforce").times == "self.reinforce");
}

TEST_CASE("a home-made edition has its own dice, in the order of the file", "[load][catalogue]") {
  const Profiles profiles;
  profiles.write(
      "rules/mine.toml",
      kHead + "destroyed_stays = \"own-attack\"\n" + kDice + kTokens + "\"own-shield\" = { max = 3, green = true }\n" +
          "[[effect]]\nid = \"e\"\nat = \"attack-set\"\nonce_per_attack = true\n"
          "do = [{ verb = \"change\", dice = \"attack\", from = [\"any\"], to = \"zap\", n = 2, exact = true },\n"
          "      { verb = \"limit\", dice = \"attack\", max = 4 },\n"
          "      { verb = \"reroll\", dice = \"attack\", n = \"all\" }]\n");
  const Catalogue catalogue(profiles.root);
  const salvo::load::Edition& edition = *catalogue.edition("mine");
  CHECK(edition.max_dice == 31);
  CHECK(edition.destroyed_stays == salvo::load::DestroyedStays::OwnAttack);
  REQUIRE(edition.attack_die.faces.size() == 3);
  CHECK(edition.attack_die.faces[0].name == "zap");
  CHECK(edition.attack_die.faces[1].name == "hit");
  CHECK(edition.tokens.at(1).id == "own-shield");
  CHECK(edition.tokens.at(1).max == 3);
  const salvo::load::EffectSpec& effect = edition.effects.at(0);
  CHECK(effect.once_per_attack);
  CHECK(effect.place == (profiles.root / "rules" / "mine.toml").string() + ":12");
  CHECK(effect.operations[0].exact);
  CHECK(effect.operations[1].max == 4);
  CHECK_FALSE(effect.operations[1].min);
  CHECK(effect.operations[2].all);
  CHECK(effect.operations[2].exact);  // all, not one or more
  CHECK(catalogue.edition_ids() == std::vector<std::string>{"mine"});
  CHECK(catalogue.facts().empty());
}

TEST_CASE("broken editions are refused with file, line and remedy", "[load][catalogue]") {
  const auto part = [](const std::string& message, const std::string& text) {
    CAPTURE(message, text);
    CHECK(holds(message, "mine.toml"));
    CHECK(holds(message, text));
  };
  part(error_of_edition("x"), "mine.toml:1: not valid TOML");
  part(error_of_edition(""), "the key \"format\" is missing");
  part(error_of_edition("format = 2\n"), ":1: format: 2 is out of range");
  part(error_of_edition("format = 1\nid = \"other\"\n"),
       ":2: id: \"other\" is not the name of the file; write \"mine\"");
  part(error_of_edition(kHead + "tokns = 1\n"), ":5: tokns: unknown key; did you mean \"tokens\"?");
  part(error_of_edition(kHead + kTokens), "the key \"dice\" is missing");
  part(error_of_edition(kHead + "destroyed_stays = \"never\"\n"),
       "destroyed_stays: \"never\" is not known here; write one of");
  const auto dice = [](const std::string& attack) {
    return error_of_edition(kHead + "[dice]\nattack = " + attack + "\ndefense = { evade = 1 }\n" + kTokens);
  };
  part(dice("{}"), ":6: dice.attack: 0 faces; a die has 1 to 6 different faces");
  part(dice("{ a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1 }"), "dice.attack: 7 faces");
  part(dice("{ a = 0 }"), "dice.attack.a: 0 is out of range; write a whole number from 1 to 64");
  part(dice("{ a = 60, b = 5 }"), "dice.attack: 65 sides; a die has at most 64");
  part(dice("{ any = 1 }"), "dice.attack.any: not the name of a face");
  part(dice("[1]"), "dice.attack: found a list");
  part(error_of_edition(kHead + "[dice]\nminimum = 5\nmaximum = 2\nattack = {a=1}\ndefense = {a=1}\n" + kTokens),
       "dice: minimum is above maximum");
  part(error_of_edition(kHead + kDice + "[tokens]\nlock = {}\n"), "tokens.lock: not the name of a token");
  part(error_of_edition(kHead + kDice + "[tokens]\nion = { threshold = { small = 1 } }\n"),
       "the key \"state\" is missing");
  part(error_of_edition(kHead + kDice + "[tokens]\nion = { threshold = { smal = 1 }, state = \"x\" }\n"),
       "did you mean \"small\"?");
  part(error_of_edition(kHead + kDice + "[tokens]\nion = { state = \"x\" }\n"), "a state without a threshold");
}

TEST_CASE("broken effects are refused with line and the nearest right name", "[load][catalogue]") {
  const auto part = [](const std::string& message, const std::string& text) {
    CAPTURE(message, text);
    CHECK(holds(message, "mine.toml:"));
    CHECK(holds(message, text));
  };
  const std::string act = "do = [{ verb = \"gain\", token = \"focus\" }]\n";
  part(error_of_effect("at = \"attack-mod\"\n" + act), "effect[0]: the key \"id\" is missing");
  part(error_of_effect("id = \"e\"\n" + act), "effect[0]: the key \"at\" is missing");
  part(error_of_effect("id = \"e\"\nat = \"atack-mod\"\n" + act),
       ":12: effect[0].at: \"atack-mod\" is not a window of the attack; did you mean \"attack-mod\"?");
  part(error_of_effect("id = \"e\"\nat = \"always\"\n"), "the key \"do\" is missing");
  part(error_of_effect("id = \"e\"\nat = \"always\"\ndo = []\n"), "effect[0].do: the list is empty");
  part(error_of_effect("id = \"e\"\nat = \"always\"\nwhne = \"x\"\n" + act), "did you mean \"when\"?");
  part(error_of_effect("id = \"e\"\nat = \"always\"\nside = \"atacker\"\n" + act), "did you mean \"attacker\"?");
  part(error_of_effect("id = \"e\"\nat = \"always\"\ncost = [{ token = \"fcous\" }]\n" + act),
       "effect[0].cost[0].token: \"fcous\" is not a token of this edition; did you mean \"focus\"?");
  part(error_of_effect("id = \"e\"\nat = \"always\"\ncost = [{ token = \"focus\", n = 0 }]\n" + act),
       "cost[0].n: 0 is out of range");
  part(error_of_effect(
           "id = \"e\"\nat = \"attack-mod\"\ndo = [{ verb = \"treat\", fact = \"range\", amount = \"1\" }]\n"),
       "effect[0]: the verb treat holds throughout an attack");
  part(error_of_effect("id = \"e\"\nat = \"engage\"\n" + act + "[[effect]]\nid = \"e\"\nat = \"engage\"\n" + act),
       "effect[1]: the id \"e\" is given twice");
  part(error_of_edition(kHead + kDice + kTokens + "[effect]\nid = \"e\"\n"), "[[effect]] tables, with two brackets");
}

TEST_CASE("broken operations are refused", "[load][catalogue]") {
  const auto part = [](const std::string& operation, const std::string& text) {
    const std::string message = error_of_operation(operation);
    CAPTURE(operation, message, text);
    CHECK(holds(message, "mine.toml:13: effect[0].do[0]"));
    CHECK(holds(message, text));
  };
  CHECK(error_of_operation(R"(verb = "change", dice = "attack", from = ["zap", "any"], to = "success")") == "no error");
  CHECK(error_of_operation(R"(verb = "cancel", dice = "own", from = ["evade"])") == "no error");
  part(R"(dice = "attack")", "the key \"verb\" is missing");
  part(R"(verb = "chnage")", "\"chnage\" is not a verb; did you mean \"change\"?");
  part(R"(verb = "change", dice = "attack", from = ["hit"])", "the key \"to\" is missing; the verb change needs it");
  part(R"(verb = "pool", dice = "attack", n = 1, to = "hit")", "to: unknown key");
  part(R"(verb = "pool", dice = "both", n = 1)", "dice: \"both\" is not known here");
  part(R"(verb = "pool", dice = "attack", n = 0)", "n: 0 dice change nothing");
  part(R"(verb = "pool", dice = "attack", n = "all")", "n: found \"all\" (text); write a whole number");
  part(R"(verb = "reroll", dice = "attack", n = "some")",
       "n: found \"some\" (text); write a number, as n = 2, or all or any");
  part(R"(verb = "change", dice = "attack", from = ["hit"], to = "zap", n = "any")",
       "n: found \"any\" (text); write a number, as n = 2, or all");
  part(R"(verb = "change", dice = "attack", from = ["hit"], to = "zap", n = -1)", "n: -1 is out of range");
  part(R"(verb = "change", dice = "attack", from = ["evade"], to = "hit")",
       "from[0]: \"evade\" is not a face of the attack die; write one of zap, hit, blank, any");
  part(R"(verb = "change", dice = "attack", from = ["hti"], to = "zap")", "did you mean \"hit\"?");
  part(R"(verb = "change", dice = "defense", from = ["any"], to = "zap")",
       "to: \"zap\" is not a face of the defense die");
  part(R"(verb = "change", dice = "own", from = ["any"], to = "crit")",
       "to: \"crit\" is not a face of the ship's own dice");
  part(R"(verb = "change", dice = "attack", from = [], to = "hit")", "from: the list is empty");
  part(R"(verb = "gain", token = "fcous")", "did you mean \"focus\"?");
  part(R"(verb = "lose", token = "focus", who = "me")", "who: \"me\" is not known here");
  part(R"(verb = "limit", dice = "attack")", "sets no limit; give min or max");
  part(R"(verb = "gain", token = "focus", who = "foes")", "who: \"foes\" is not known here");
  part(R"(verb = "treat", fact = "range")", "amount");
  part(R"(verb = "forbid", what = "modfy")", "what: \"modfy\" is not known here; did you mean \"modify\"?");
}

TEST_CASE("an effect that says own must fit its side", "[load][catalogue]") {
  const auto message = error_of_effect(
      "id = \"e\"\nat = \"own-mod\"\nside = \"defender\"\ndo = [{ verb = \"cancel\", dice = \"own\", from = [\"hit\"] "
      "}]\n");
  CHECK(holds(message, "\"hit\" is not a face of the ship's own dice"));
}

TEST_CASE("every ship of the card sets of the second edition is read", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  for (const std::string set : {"2025", "xwa", "legacy"}) {
    const auto ids = catalogue.ship_ids(set);
    CHECK(ids.size() > 80);
    for (const std::string& id : ids) {
      CAPTURE(set, id);
      const salvo::load::ShipSpec* ship = catalogue.ship(id, set);
      REQUIRE(ship != nullptr);
      CHECK(ship->id == id);
      CHECK(ship->hull >= 1);
      CHECK_FALSE(ship->pilots.empty());
      for (const salvo::load::PilotSpec& pilot : ship->pilots) {
        const auto ships = catalogue.ships_of_pilot(pilot.id, set);
        CHECK(std::find(ships.begin(), ships.end(), id) != ships.end());
      }
    }
  }
}

TEST_CASE("the X-wing and its pilot", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  const salvo::load::ShipSpec& ship = *catalogue.ship("t65xwing", "2025");
  CHECK(ship.size == "small");
  CHECK(ship.agility == 2);
  CHECK(ship.hull == 4);
  CHECK(ship.shields == 2);
  REQUIRE(ship.weapons.size() == 1);
  CHECK(ship.weapons[0].arc == "front");
  CHECK(ship.weapons[0].attack == 3);
  CHECK_FALSE(ship.weapons[0].ordnance);
  CHECK(catalogue.ships_of_pilot("wedgeantilles", "2025") == std::vector<std::string>{"t65xwing"});
  CHECK(catalogue.ships_of_pilot("nobody", "2025").empty());
  CHECK(catalogue.ship("t65xwing", "legacy") != &ship);
}

TEST_CASE("an id never leaves the profiles folder", "[load][catalogue]") {
  const Profiles profiles;
  profiles.write("secret.toml", "id = 1");
  profiles.write("ships/good.toml", "id = \"good\"\nname = \"Good\"\nsize = \"small\"\nagility = 1\nhull = 1\n");
  profiles.write("cards/known-upgrades.tsv", "");
  const Catalogue catalogue(profiles.root);
  REQUIRE(catalogue.ship("good", "2025") != nullptr);
  const std::string long_id(5000, 'a');
  for (const std::string id : {"../secret", "..", ".", "", "/etc/passwd", "good/../good", "Good", "good.toml",
                               "goo\xC3\xA9", long_id.c_str(), "a b", "a\nb"}) {
    CAPTURE(id);
    CHECK(catalogue.ship(id, "2025") == nullptr);
    CHECK(catalogue.edition(id) == nullptr);
    CHECK(catalogue.card("upgrade", id, "2025") == nullptr);
    CHECK_FALSE(catalogue.upgrade_exists(id, "2025"));
  }
  CHECK(catalogue.ship(std::string("good\0", 5), "2025") == nullptr);
  CHECK(catalogue.ship("good", "../ships") == nullptr);
  CHECK(catalogue.card("../ships", "good", "2025") == nullptr);
  CHECK(catalogue.edition("facts") == nullptr);
}

TEST_CASE("home-made ships are read, broken ones refused", "[load][catalogue]") {
  const Profiles profiles;
  const std::string head = "name = \"A\"\nsize = \"small\"\nagility = 1\nhull = 5\n";
  profiles.write("ships/a.toml",
                 "id = \"a\"\n" + head +
                     "[[weapon]]\narc = \"front\"\nattack = 2\nmax_range = 3\n"
                     "[[pilot]]\nid = \"p\"\nhull = 6\nsize = \"large\"\n[[pilot.weapon]]\narc = \"rear\"\nattack = 4\n"
                     "[[pilot]]\nid = \"q\"\nweapon = []\n[[pilot]]\nid = \"r\"\n");
  profiles.write("ships/b.toml", "id = \"c\"\n" + head);
  profiles.write("ships/d.toml", "id = \"d\"\n" + head + "hul = 3\n");
  profiles.write("ships/e.toml", "id = \"e\"\n" + head + "[weapon]\narc = \"front\"\n");
  profiles.write("ships/f.toml",
                 "id = \"f\"\n" + head + "[[weapon]]\narc = \"front\"\nattack = 3\nmin_range = 3\nmax_range = 1\n");
  const Catalogue catalogue(profiles.root);
  const salvo::load::ShipSpec& a = *catalogue.ship("a", "2025");
  CHECK(a.shields == 0);
  CHECK(a.weapons.at(0).max_range == 3);
  REQUIRE(a.pilots.size() == 3);
  CHECK(a.pilots[0].hull == 6);
  CHECK(a.pilots[0].size == "large");
  CHECK_FALSE(a.pilots[0].agility);
  CHECK(a.pilots[0].own_weapons);
  CHECK(a.pilots[0].weapons.at(0).arc == "rear");
  CHECK(a.pilots[1].own_weapons);
  CHECK(a.pilots[1].weapons.empty());
  CHECK_FALSE(a.pilots[2].own_weapons);
  CHECK(catalogue.ship("missing", "2025") == nullptr);
  CHECK(catalogue.ship("a", "legacy") == nullptr);
  const auto error = [&](const std::string& id) { return error_of([&] { return catalogue.ship(id, "2025"); }); };
  CHECK(holds(error("b"), "b.toml:1: id: \"c\" is not the name of the file"));
  CHECK(holds(error("d"), "d.toml:6: hul: unknown key; did you mean \"hull\"?"));
  CHECK(holds(error("e"), "[[weapon]] tables, with two brackets"));
  CHECK(holds(error("f"), "weapon[0]: min_range is above max_range"));
  CHECK(holds(error("b"), "b.toml:1"));  // again, not cached as missing
  CHECK(holds(error_of([&] { return catalogue.ship_ids("2025"); }), "ships.tsv: this index is missing"));
}

TEST_CASE("cards are read from files of their kind", "[load][catalogue]") {
  const Profiles profiles;
  profiles.write("rules/facts.toml", "[facts]\nbullseye = \"in it\"\n");
  profiles.write("cards/known-upgrades.tsv", "alpha\nbeta\n");
  profiles.write("cards/legacy-known-upgrades.tsv", "alpha\n");
  profiles.write(
      "cards/upgrade/alpha.toml",
      "id = \"alpha\"\nkind = \"upgrade\"\nname = \"Alpha\"\ncharges = 2\nfacts = { bullseye = true }\n"
      "omits = [\"movement\"]\npartly = [\"the second half\"]\n"
      "[weapon]\narc = \"front\"\nattack = 4\nmin_range = 2\nmax_range = 3\nordnance = true\nrequires = [\"lock\"]\n"
      "cost = [{ token = \"charge\", n = 1 }]\n"
      "[[effect]]\nside = \"attacker\"\nat = \"attack-mod\"\nwhen = \"bullseye\"\n"
      "do = [{ verb = \"change\", dice = \"attack\", from = [\"hit\"], to = \"crit\", n = 1 }]\n");
  profiles.write("cards/legacy/upgrade/alpha.toml", "id = \"alpha\"\nkind = \"upgrade\"\nname = \"Old Alpha\"\n");
  profiles.write("cards/upgrade/home.toml", "id = \"home\"\nkind = \"upgrade\"\n");
  profiles.write("cards/pilot/bad.toml", "id = \"bad\"\nkind = \"upgrade\"\n");
  profiles.write("cards/ship/fact.toml", "id = \"fact\"\nkind = \"ship\"\nfacts = { bulseye = true }\n");
  const Catalogue catalogue(profiles.root);
  const salvo::load::CardSpec& alpha = *catalogue.card("upgrade", "alpha", "2025");
  CHECK(alpha.name == "Alpha");
  CHECK(alpha.charges == 2);
  CHECK(alpha.facts == std::map<std::string, bool>{{"bullseye", true}});
  CHECK(alpha.omits.size() == 1);
  CHECK(alpha.partly.size() == 1);
  REQUIRE(alpha.weapon);
  CHECK(alpha.weapon->attack == 4);
  CHECK(alpha.weapon->ordnance);
  CHECK(alpha.weapon->requires_tokens == std::vector<std::string>{"lock"});
  CHECK(alpha.weapon->cost.at(0).token == "charge");
  REQUIRE(alpha.effects.size() == 1);
  CHECK(alpha.effects[0].id == "alpha");  // has the name of the card
  CHECK(catalogue.card("upgrade", "alpha", "2025") == &alpha);
  CHECK(catalogue.card("upgrade", "alpha", "legacy")->name == "Old Alpha");
  CHECK(catalogue.card("upgrade", "home", "legacy") == catalogue.card("upgrade", "home", "2025"));
  CHECK(catalogue.card("upgrade", "beta", "2025") == nullptr);  // known, not modelled
  CHECK(catalogue.card("pilot", "alpha", "2025") == nullptr);
  CHECK(catalogue.upgrade_exists("alpha", "2025"));
  CHECK(catalogue.upgrade_exists("beta", "2025"));
  CHECK_FALSE(catalogue.upgrade_exists("beta", "legacy"));
  CHECK(catalogue.upgrade_exists("home", "2025"));  // home-made
  CHECK_FALSE(catalogue.upgrade_exists("gamma", "2025"));
  CHECK_FALSE(catalogue.upgrade_exists("alpha", "1999"));
  CHECK(holds(error_of([&] { return catalogue.card("pilot", "bad", "2025"); }),
              "bad.toml:2: kind: \"upgrade\" is not known here; write pilot"));
  CHECK(holds(error_of([&] { return catalogue.card("ship", "fact", "2025"); }),
              "facts.bulseye: not a board fact; did you mean \"bullseye\"?"));
}

TEST_CASE("a derived card set states only differences from its base", "[load][catalogue]") {
  const Profiles profiles;
  profiles.write(
      "ships/a.toml",
      "id = \"a\"\nname = \"A\"\nsize = \"small\"\nagility = 1\nhull = 5\n[[weapon]]\narc = \"front\"\nattack = 2\n"
      "[[pilot]]\nid = \"gone\"\n[[pilot]]\nid = \"moved\"\ncost = 3\nloadout = 4\ninitiative = 2\n"
      "[[pilot]]\nid = \"stays\"\ncost = 5\nloadout = 6\n");
  profiles.write("ships/b.toml",
                 "id = \"b\"\nname = \"B\"\nsize = \"small\"\nagility = 2\nhull = 2\n[[pilot]]\nid = \"z\"\n");
  profiles.write("ships/ships.tsv", "a\tA\nb\tB\n");
  profiles.write("ships/pilots.tsv", "gone\ta\nmoved\ta\nstays\ta\nz\tb\n");
  profiles.write(
      "ships/xwa/a.toml",
      "id = \"a\"\nhull = 6\n[[pilot]]\nid = \"moved\"\ninitiative = 3\n[[pilot]]\nid = \"fresh\"\ncost = 9\n");
  profiles.write("ships/xwa/ships.tsv", "");
  profiles.write("ships/xwa/pilots.tsv", "fresh\ta\ngone\t-\n");
  profiles.write("ships/xwa/points.tsv", "# pilot, cost, loadout, slots\nmoved\t13\t-\t=\nz\t7\t8\tcrew\n");
  profiles.write("cards/known-upgrades.tsv", "dear\tcrew\t9\nlost\tcrew\t1\nsame\tcrew\t2\n");
  profiles.write("cards/xwa-known-upgrades.tsv", "dear\tcrew\t3\nlost\t-\nnew\tgunner\t4\n");
  profiles.write("cards/data-sets.tsv", "2025\tdata 1\t2025-01-01\nxwa\tdata 2\t2026-02-03\n");
  profiles.write("cards/upgrade/lost.toml", "id = \"lost\"\nkind = \"upgrade\"\n");
  profiles.write("cards/pilot/stays.toml", "id = \"stays\"\nkind = \"pilot\"\n");
  profiles.write("cards/xwa/same.tsv", "pilot/fresh\tpilot/stays\n");
  const Catalogue catalogue(profiles.root);
  const salvo::load::ShipSpec& a = *catalogue.ship("a", "xwa");
  CHECK(a.name == "A");
  CHECK(a.hull == 6);
  CHECK(a.weapons.at(0).attack == 2);
  REQUIRE(a.pilots.size() == 3);
  CHECK(a.pilots[0].id == "fresh");
  CHECK(a.pilots[0].cost == 9);
  CHECK(a.pilots[1].id == "moved");
  CHECK(a.pilots[1].cost == 13);
  CHECK_FALSE(a.pilots[1].loadout);
  CHECK(a.pilots[1].initiative == 3);
  CHECK(a.pilots[2].cost == 5);
  CHECK(a.pilots[2].loadout == 6);
  CHECK(catalogue.ship("b", "xwa")->pilots.at(0).loadout == 8);
  CHECK(catalogue.ship("a", "2025")->hull == 5);
  CHECK(catalogue.ship("a", "2025")->pilots.size() == 3);
  using Ids = std::vector<std::string>;
  CHECK(catalogue.ship_ids("xwa") == Ids{"a", "b"});
  CHECK(catalogue.pilot_ids("xwa") == Ids{"fresh", "moved", "stays", "z"});
  CHECK(catalogue.ships_of_pilot("fresh", "xwa") == Ids{"a"});
  CHECK(catalogue.ships_of_pilot("gone", "xwa").empty());
  CHECK(catalogue.upgrade_ids("xwa") == Ids{"dear", "new", "same"});
  CHECK(catalogue.upgrade_cost("dear", "xwa")->fixed == 3);
  CHECK(catalogue.upgrade_cost("same", "xwa")->fixed == 2);
  CHECK_FALSE(catalogue.upgrade_exists("lost", "xwa"));
  CHECK(catalogue.upgrade_exists("lost", "2025"));
  CHECK(catalogue.card("pilot", "fresh", "xwa") == catalogue.card("pilot", "stays", "2025"));
  CHECK(catalogue.card("pilot", "fresh", "2025") == nullptr);
  CHECK(catalogue.data_set("xwa").name == "data 2");
  CHECK(catalogue.data_set("xwa").date == "2026-02-03");
  CHECK(catalogue.data_set("legacy").date == "2025-01-01");
  fs::remove(profiles.root / "ships/xwa/ships.tsv");
  CHECK(holds(error_of([&] { return Catalogue(profiles.root).ship_ids("xwa"); }), "this index is missing"));
  profiles.write("ships/xwa/points.tsv", "z\tseven\t8\t=\n");
  CHECK(holds(error_of([&] { return Catalogue(profiles.root).ship("b", "xwa"); }), "has no points that can be read"));
}

TEST_CASE("a derived card set without profiles equals its base", "[load][catalogue]") {
  const Profiles profiles;
  profiles.write("ships/b.toml",
                 "id = \"b\"\nname = \"B\"\nsize = \"small\"\nagility = 2\nhull = 2\n[[pilot]]\nid = \"z\"\n");
  profiles.write("ships/ships.tsv", "b\tB\n");
  profiles.write("ships/pilots.tsv", "z\tb\n");
  profiles.write("cards/known-upgrades.tsv", "dear\tcrew\t9\n");
  const Catalogue catalogue(profiles.root);
  CHECK(catalogue.ship("b", "xwa")->hull == 2);
  CHECK(catalogue.ship_ids("xwa") == std::vector<std::string>{"b"});
  CHECK(catalogue.ships_of_pilot("z", "xwa") == std::vector<std::string>{"b"});
  CHECK(catalogue.upgrade_exists("dear", "xwa"));
  CHECK(catalogue.data_set("xwa").date.empty());
}

TEST_CASE("points and pilots of the XWA set", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  CHECK(catalogue.card_set("", "second-edition") == "xwa");
  const auto pilot = [&](const char* ship, const std::string& id, const char* set) {
    for (const salvo::load::PilotSpec& one : catalogue.ship(ship, set)->pilots)
      if (one.id == id) return one;
    return salvo::load::PilotSpec();
  };
  // By the data of 2026-02-18: a squad has 50 points.
  CHECK(pilot("arc170starfighter", "104thbattalionpilot", "xwa").cost == 10);
  CHECK(pilot("arc170starfighter", "104thbattalionpilot", "xwa").loadout == 3);
  CHECK(pilot("gauntletfighter", "deathwatchwarrior", "xwa").initiative == 2);
  CHECK(pilot("gauntletfighter", "deathwatchwarrior", "2025").initiative == 1);

  CHECK(pilot("btanr2ywing", "tezanasz-wartime", "xwa").shields == 5);
  CHECK(pilot("btanr2ywing", "tezanasz-wartime", "2025").id.empty());
  CHECK(catalogue.ship("btanr2ywing", "xwa")->shields == 3);
  CHECK(catalogue.upgrade_exists("hansolo-rebel", "xwa"));
  CHECK_FALSE(catalogue.upgrade_exists("delta7b", "xwa"));
  CHECK(catalogue.upgrade_cost("admiralsloane", "xwa")->fixed == 50);
  CHECK(catalogue.data_set("xwa").date == "2026-02-18");
}

TEST_CASE("indexes and facts of the repository", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  CHECK(catalogue.upgrade_exists("predator", "2025"));
  CHECK(catalogue.upgrade_exists("predator", "legacy"));
  CHECK_FALSE(catalogue.upgrade_exists("predatr", "2025"));
  CHECK(catalogue.upgrade_ids("2025").size() > 500);
  CHECK(catalogue.upgrade_ids("legacy").size() > 500);
  CHECK(catalogue.pilot_ids("2025").size() > 600);
  CHECK(catalogue.upgrade_ids("1999").empty());
  CHECK(catalogue.facts().contains("bullseye"));
  const auto editions = catalogue.edition_ids();
  CHECK(std::find(editions.begin(), editions.end(), "second-edition") != editions.end());
  CHECK(std::find(editions.begin(), editions.end(), "facts") == editions.end());
  for (const std::string& id : editions) {
    CAPTURE(id);
    CHECK(catalogue.edition(id) != nullptr);
  }
}

TEST_CASE("several threads may read at once", "[load][catalogue]") {
  const Catalogue catalogue(kProfiles);
  const salvo::load::ShipSpec* seen[4] = {};
  std::vector<std::thread> threads;
  for (const salvo::load::ShipSpec*& ship : seen) {
    threads.emplace_back([&] {
      ship = catalogue.ship("t65xwing", "2025");
      static_cast<void>(catalogue.edition("second-edition"));
      static_cast<void>(catalogue.upgrade_exists("predator", "2025"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const salvo::load::ShipSpec* ship : seen) CHECK(ship == seen[0]);
  CHECK(seen[0] != nullptr);
}

TEST_CASE("profiles are found by SALVO_PROFILES first", "[load][catalogue]") {
  const char* before = std::getenv("SALVO_PROFILES");
  const std::string saved = before == nullptr ? "" : before;
  const Profiles profiles;
  setenv("SALVO_PROFILES", profiles.root.c_str(), 1);
  CHECK(Catalogue::find_profiles() == profiles.root);
  setenv("SALVO_PROFILES", "/nowhere", 1);
  CHECK(
      holds(error_of([] { return Catalogue::find_profiles(); }), "SALVO_PROFILES: \"/nowhere\" holds no folder rules"));
  if (before == nullptr) {
    unsetenv("SALVO_PROFILES");
  } else {
    setenv("SALVO_PROFILES", saved.c_str(), 1);
  }
  CHECK(holds(error_of([] { return Catalogue("/nowhere"); }), "/nowhere: holds no folder rules"));
}
