// The card library: words, conditions, dry runs, checks, coverage, and the command line of `salvo cards`.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/text.h"
#include "base/work_limit.h"
#include "cards/check.h"
#include "cards/coverage.h"
#include "cards/words.h"
#include "cli/arguments.h"
#include "cli/status_line.h"
#include "compile/expression.h"
#include "report/cards.h"
#include "support/temporary_folder.h"

using namespace salvo;
using namespace salvo::cards;
using Catch::Matchers::Contains;

namespace {

const std::string kProfiles = SALVO_SOURCE_DIR "/profiles";
const std::string kData = SALVO_SOURCE_DIR "/tests/data/card-data";

using Folder = tests::TemporaryFolder;

constexpr const char* kHead = "id = \"mine\"\nkind = \"upgrade\"\n";

std::string card(const std::string& effect) { return kHead + ("[[effect]]\n" + effect); }

CheckedCard check(const std::string& text, const std::string& name = "mine.toml") {
  const Folder folder;
  const Catalogue catalogue(kProfiles);
  return check_card(catalogue, folder.write(name, text), "second-edition", "2025");
}

/// The words of a card with this text.
CardWords words(const std::string& text) {
  const Folder folder;
  const Catalogue catalogue(kProfiles);
  return describe_card(load::read_card_file(folder.write("mine.toml", text), catalogue.facts()),
                       vocabulary_of(catalogue, "2025"));
}

std::string summary(const std::string& operation, const std::string& rest = "", const std::string& at = "attack-mod") {
  return words(card("at = \"" + at + "\"\ndo = [" + operation + "]\n" + rest)).summary();
}

cli::Arguments parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"salvo", "cards"});
  return cli::parse_arguments(static_cast<int>(arguments.size()), arguments.data());
}

State state_of(const Coverage& coverage, const std::string& kind, const std::string& id) {
  for (const CoveredCard& one : coverage.cards) {
    if (one.kind == kind && one.id == id) return one.state;
  }
  FAIL("no " + kind + " " + id);
  return State::Unclassified;
}

}  // namespace

namespace {

/// Ids of cards, pilots and ships that are no words of English or of the game.
std::set<std::string> ids_of_data(const Catalogue& catalogue) {
  // Names of one word look like their ids in lower case, so a text may contain these words.
  constexpr std::size_t kLongWord = 10;
  std::set<std::string> out;
  for (const std::string& card_set : Catalogue::card_sets()) {
    for (const auto& list : {catalogue.upgrade_ids(card_set), catalogue.pilot_ids(card_set),
                             catalogue.ship_ids(card_set), catalogue.condition_ids(card_set)}) {
      for (const std::string& id : list) {
        const bool number = id.find_first_of("0123456789") != std::string::npos && id.size() > 3;
        if (number || id.size() > kLongWord) out.insert(id);
      }
    }
  }
  return out;
}

/// Words of a text that are ids, have hyphens or belong to the language of the data.
std::vector<std::string> data_words(const std::string& text, const std::set<std::string>& ids) {
  std::vector<std::string> out;
  for (const std::string& word : base::words_between(text, " ,:;()")) {
    const std::string plain(base::trimmed(word, "."));
    const bool range = plain.size() == 3 && plain[1] == '-' && plain.find_first_not_of("0123456789-") == plain.npos;
    const bool lower = base::lower_case(plain) == plain;  // a name has capitals
    if ((lower && plain.find('-', 1) != plain.npos && !range) || ids.contains(plain) ||
        plain.find_first_of("_=<>[]{}.") != plain.npos)
      out.push_back(plain);
  }
  return out;
}

}  // namespace

TEST_CASE("conditions in a player's words", "[cards]") {
  const Facts facts{{"bullseye", "the defender is in the bullseye arc"}};
  Vocabulary vocabulary{facts, [](const std::string& id) { return id == "ioncannon" ? "Ion Cannon" : id; }};
  vocabulary.lacks = [](const std::string& id) { return id == "foreign"; };
  vocabulary.effects = {{"used.first", {"(1)"}}, {"used.second", {"(2)", "(4)"}}};
  const auto say = [&](const char* text) { return condition_words(text, vocabulary); };
  const auto count = [&](const std::string& text) { return count_words(text, vocabulary); };
  CHECK(say("bullseye") == "the defender is in the bullseye arc");
  CHECK(say("not bullseye") == "it is not so that the defender is in the bullseye arc");
  CHECK(say("self.stress >= 1") == "you have a stress token");
  CHECK(say("self.stress >= 2") == "you have at least 2 stress tokens");
  CHECK(say("self.kept-focus >= 1 and foe.lock >= 1") == "you have a kept focus token and the other ship has a lock");
  CHECK(say("foe.limited == 0 or foe.docked >= 1") == "the other ship is not limited or the other ship is docked");
  CHECK(say("foe.lock-on-ally == 0") == "the other ship has no lock on the ally");
  CHECK(say("foe.gained.ion >= 1 and gained.stress") ==
        "the other ship gained an ion token in this attack and a stress token was gained in this attack");
  CHECK(say("foe.suffered > 1") == "the damage that the other ship suffered in this attack is more than 1");
  CHECK(say("self.suffered.crit >= 1") == "you suffered critical damage in this attack");
  CHECK(say("foe.suffered.crit == 0") == "the other ship suffered no critical damage in this attack");
  CHECK(say("foe.suffered.crit == 1") == "whether the other ship suffered critical damage in this attack is 1");
  CHECK(say("not used.first and not used.second and hit") ==
        "none of the effects (1), (2) and (4) was used in this attack and the attack hits");
  CHECK(say("used.second or not used.first") ==
        "effect (2) or (4) was used in this attack or effect (1) was not used in this attack");
  CHECK(say("(range + 1) >= 2") == "(the attack range plus 1) is at least 2");
  CHECK(say("foe.focus == 0") == "the other ship has no focus token");
  CHECK(say("not self.evade") == "you have no evade token");
  CHECK(say("foe.evade") == "the other ship has an evade token");
  CHECK(say("foe.tractored") == "the other ship is tractored");
  CHECK(say("range in [1, 2] and not primary") == "the attack range is 1 or 2 and the attack is not a primary attack");
  CHECK(say("foe.has.thechild and not self.has.trackingfob") ==
        "the other ship has the card thechild and you do not have the card trackingfob");
  CHECK(say("ally.pilot == 0 or arc != 'single-turret'") ==
        "the ally has no stated pilot or the weapon's arc is not single turret");
  CHECK(say("ally.ship == 0") == "the ally has no stated ship");
  CHECK(say("weapon == 'ioncannon' and hit") == "the attack is made with Ion Cannon and the attack hits");
  CHECK(say("weapon in ['ioncannon', 'foreign', 'mygun']") == "the weapon is Ion Cannon or mygun");
  CHECK(say("foe.ship in ['foreign']") == "the other ship's ship is none of this card set");
  CHECK(say("count(own.blank) == count(own.all)") ==
        "the number of blank results of your dice is the number of your dice");
  CHECK(say("self.focus + self.calculate > foe.focus") ==
        "the number of your focus and calculate tokens is more than the number of the other ship's focus tokens");
  CHECK(say("(hit or bullseye) and range == 1") ==
        "(the attack hits or the defender is in the bullseye arc) and the attack range is 1");
  CHECK(say("foe.size == 'small'") == "the other ship's size is small");
  CHECK(say("ally.faction != 'rebelalliance'") == "the ally's faction is not rebelalliance");
  CHECK(count("remaining - 1") == "the number of uncancelled results minus 1");
  CHECK(count("self.stress + self.strain + self.lock") == "the number of your stress, strain and lock tokens");
  CHECK(count("min(remaining, self.shields) + 1") ==
        "the smaller of the number of uncancelled results and your shields plus 1");
  CHECK(count("count(roll.hit) - (self.focus + foe.focus)") ==
        "the number of hit results of the dice rolled outside the attack minus (the number of your focus tokens plus "
        "the number of the other "
        "ship's focus tokens)");
  CHECK(count("max(bullseye, (range == 1))") ==
        "the larger of the number of cases in which the defender is in the bullseye arc and (1 if the attack range is "
        "1)");
  CHECK(count("not used.other") == "1 if other was not used in this attack");
  CHECK_THAT(count(std::string(5000, '(')), !Contains("x"));
  // Unreadable text must not hang or crash: a card file may contain anything.
  for (const char* text : {"", "(", "and", "not", "'", "==", "count(", "range in [", "a - ", "]", "$"}) say(text);
}

TEST_CASE("names that a condition reads", "[cards]") {
  CHECK(compile::names_read("bullseye and self.focus >= 1 or bullseye") ==
        std::vector<std::string>{"bullseye", "self.focus"});
  CHECK(compile::names_read("count(own.blank) >= 1") == std::vector<std::string>{"count(own.blank)"});
  CHECK(compile::names_read("false and range == 1") == std::vector<std::string>{"range"});
  CHECK_THROWS_AS(compile::names_read("bullseye and"), compile::ExpressionError);
}

namespace {

/// An operation as written in a file, and its words.
struct OperationCase {
  const char *operation, *summary;
  const char* rest = "";  ///< other keys of the effect
  const char* at = "attack-mod";
};

const OperationCase kOperations[] = {
    {R"({ verb = "reroll", dice = "attack", n = 1 })", "attack-mod: reroll 1 attack die, may", "may = true"},
    {R"({ verb = "reroll", dice = "own", n = "any", from = ["blank"] })",
     "attack-mod: reroll any number of blank own dice, may", "may = true"},
    {R"({ verb = "reroll", dice = "attack", n = 2, exact = true })", "attack-mod: reroll exactly 2 attack dice, may",
     "may = true"},
    {R"({ verb = "reroll", dice = "attack", n = 2 })", "attack-mod: reroll up to 2 attack dice, may", "may = true"},
    {R"({ verb = "change", dice = "attack", from = ["focus", "blank"], to = "hit", n = "all" })",
     "attack-mod: change all focus or blank attack dice to hit"},
    {R"({ verb = "pool", dice = "defense", n = -1 })", "defense-pool: roll 1 fewer defense die", "", "defense-pool"},
    {R"({ verb = "pool", dice = "attack", n = 2 })", "attack-pool: roll 2 more attack dice", "", "attack-pool"},
    {R"({ verb = "add", dice = "defense", to = "evade" })", "defense-mod: add 1 evade result to the defense dice", "",
     "defense-mod"},
    {R"({ verb = "cancel", dice = "attack", from = ["hit", "crit"], n = "all" })",
     "attack-mod: cancel all hit or crit results of the attack dice"},
    {R"({ verb = "prevent", n = "all" })", "damage-due: suffer no damage", "", "damage-due"},
    {R"({ verb = "prevent", n = 1, who = "ally" })", "damage-due: ally suffers 1 damage less", "", "damage-due"},
    {R"({ verb = "gain", token = "ion", who = "foe", amount = "remaining - 1" })",
     "attack-mod: foe gains (remaining - 1) ion"},
    {R"({ verb = "lose", token = "stress" })", "attack-mod: lose 1 stress"},
    {R"({ verb = "damage", who = "foe", n = 2 })", "attack-mod: foe suffers 2 damage"},
    {R"({ verb = "neutralize", order = "crit-first", uncancellable = ["crit"] })",
     "attack-mod: critical hits are cancelled before hits and crit results cannot be cancelled by dice"},
    {R"({ verb = "stat", stat = "hull", n = 1 })", "attack-mod: hull +1"},
    {R"({ verb = "limit", dice = "attack", min = 2, max = 4 })",
     "attack-mod: roll at least 2 and at most 4 attack dice"},
    {R"({ verb = "forbid", what = "modify", who = "foe", dice = "attack" })", "always: foe cannot modify attack dice",
     "", "always"},
    {R"({ verb = "forbid", what = "reroll", who = "foes", dice = "attack" })", "always: foes cannot reroll attack dice",
     "", "always"},
    {R"({ verb = "forbid", what = "lock", who = "foes", on = "self" })", "always: foes cannot acquire locks on self",
     "", "always"},
    {R"({ verb = "treat", fact = "range", amount = "1" })", "always: treat range as (1)", "", "always"},
    {R"({ verb = "bonus", weapon = "primary", last = true })", "aftermath: make a bonus attack with primary, last", "",
     "aftermath"},
    {R"({ verb = "reroll", dice = "attack", amount = "self.stress" })",
     "attack-mod: reroll up to (self.stress) attack dice, may", "may = true"},
    {R"({ verb = "reroll", dice = "attack", n = 1 })", "attack-mod: reroll 1 attack die, must",
     "may = true\nmust = true"},
    {R"({ verb = "bonus", weapon = "turret", target = "other" })",
     "aftermath: make a bonus attack with turret on another ship, may", "may = true", "aftermath"},
    {R"({ verb = "bonus", weapon = ["missile", "cannon"], another = true, target = "foe" })",
     "aftermath: make a bonus attack with missile or cannon, not the weapon of this attack, on foe, may", "may = true",
     "aftermath"},
    {R"({ verb = "lose", token = "focus" })", "attack-mod: lose 1 focus, may, unless foe chooses otherwise",
     R"(may = true
unless = [{ cost = [{ token = "evade", who = "foe" }] }, { do = [{ verb = "gain", token = "stress", who = "foe" }] }])"},
    {R"({ verb = "lose", token = "focus" })", "attack-mod: lose 1 focus, for 1 focus of ally and 1 lock of foe",
     R"(cost = [{ token = "focus", who = "ally" }, { token = "lock", who = "foe" }])"},
};

}  // namespace

TEST_CASE("a fact whose number the card reads is described as a number", "[cards]") {
  const Folder folder;
  const Catalogue catalogue(kProfiles);
  const std::string file = folder.write("mine.toml", R"(id = "mine"
kind = "upgrade"
facts = { bullseye = true, attacker-friend-within-1 = true, enemy-near-attacker = true, enemy-near-defender = true }

[[effect]]
side = "attacker"
at = "attack-mod"
when = "bullseye and attacker-friend-within-1"
may = true
do = [{ verb = "reroll", dice = "attack", amount = "enemy-near-attacker + bullseye" }]
)");
  const CardWords described = describe_card(load::read_card_file(file, catalogue.facts()),
                                            vocabulary_of(catalogue, "2025"), catalogue.counted_facts());
  std::vector<std::string> counted;
  for (const FactWords& fact : described.facts) {
    if (fact.counted) counted.push_back(fact.name);
  }
  // bullseye holds or not; the number of friends changes nothing here.
  CHECK(counted == std::vector<std::string>{"enemy-near-attacker"});
}

TEST_CASE("each verb has a description, other keys are shown as key and value", "[cards]") {
  for (const auto& [operation, expected, rest, at] : kOperations) CHECK(summary(operation, rest, at) == expected);
  CHECK(words("charges = 2\n" + card(R"(
at = "attack-mod"
do = [{ verb = "lose", token = "focus" }]
cost = [{ token = "charge", n = 2 }, { token = "evade" }]
)"))
            .summary() == "attack-mod: lose 1 focus, for 2 charges and 1 evade");
  CHECK(words(std::string(kHead) + "locks = 2\ncharges = 1\nmarkers = true\nrecoverable = false\n").rules ==
        std::vector<std::string>{"the ship can have up to 2 locks",
                                 "no other card spends, gives or takes its charges unless it names the card",
                                 "its charges cannot be recovered"});
  CHECK(words(std::string(kHead) + "weapon = { arc = \"front\", attack = 2, max_range = 3, bonus = true }\n").weapon ==
        "attack 2, front arc, range 0 to 3, its attacks are bonus attacks");
  CHECK(words(card("at = [\"engage\", \"declare\"]\ndo = [{ verb = \"gain\", token = \"focus\" }]\n"))
            .effects.at(0)
            .window == "engage, declare");
  SECTION("whole sentences") {
    const auto text = [](const std::string& effect) { return words(card(effect)).effects.at(0).text; };
    CHECK(text(R"(
at = "attack-mod"
side = "attacker"
may = true
do = [{ verb = "reroll", dice = "attack", amount = "friends.lock" }]
)") == "While you attack, as the attack dice are modified: you may reroll up to as many attack dice as "
       "the number of locks of your side on the other ship.");
    CHECK(text(R"(
at = "always"
do = [{ verb = "forbid", what = "modify", who = "all", dice = "attack" }]
)") == "While you attack or defend: nobody can modify attack dice.");
    CHECK(text(R"(
for = "ally"
acts = "self"
at = "aftermath"
when = "foe.destroyed and friend.spent.focus and not friend.carrier"
do = [{ verb = "gain", token = "focus" }]
)") == "While another friendly ship attacks or defends, after the attack, if the other ship is "
       "destroyed and the friend that attacks or defends spent a focus token in this attack and the friend "
       "that attacks or defends does not have you docked: gain 1 focus. You act, not the friend.");
    CHECK_THAT(text(R"(
at = "attack-end"
side = "attacker"
may = true
cost = [{ token = "focus", who = "ally" }]
do = [{ verb = "lose", token = "stress" }]
)"),
               Contains("at the very end of the attack") && Contains("Costs 1 focus of another friendly ship."));
    CHECK_THAT(text(R"(
at = "neutralize"
side = "defender"
do = [{ verb = "cancel", dice = "attack", from = ["hit"], n = 1, as_evade = true }]
)"),
               Contains("cancel 1 hit result of the attack dice as an evade result would."));
    CHECK_THAT(
        text(R"(
at = "outcome"
side = "attacker"
do = [{ verb = "gain", token = "strain", who = "foe" }]
unless = [{ cost = [{ token = "evade", who = "foe" }] }, { do = [{ verb = "damage", n = 1, who = "foe" }] }]
)"),
        Contains("The other player may choose instead: pay 1 evade of the other ship; or: the other ship suffers "
                 "1 damage."));
  }
  SECTION("keys without a description") {
    load::CardFile file;
    file.path = "x";
    file.spec.id = "mine";
    file.tree = data::parse_toml(card(R"(
at = "later"
novelty = 3
do = [{ verb = "juggle", balls = ["a", "b"] }]
)"),
                                 "x");
    const CardWords described = describe_card(file, {Facts()});
    CHECK(described.summary() == "later: juggle (balls = a, b) (novelty = 3)");
    CHECK_THAT(described.effects.at(0).text,
               Contains("at the window later") && Contains("juggle (balls = a, b)") && Contains("novelty = 3"));
  }
}

TEST_CASE("every card of the library is described completely and in a player's words", "[cards]") {
  const Catalogue catalogue(kProfiles);
  const std::set<std::string> ids = ids_of_data(catalogue);
  for (const std::string& card_set : Catalogue::card_sets()) {
    const auto places = load::library_cards(catalogue.root(), card_set);
    const Vocabulary vocabulary = vocabulary_of(catalogue, card_set);
    CHECK(places.size() >= 180);
    for (const load::CardPlace& place : places) {
      const load::CardFile file = load::read_card_file(place.path.string(), catalogue.facts());
      const CardWords described = describe_card(file, vocabulary);
      INFO(place.path.string() << ": " << described.summary());
      CHECK(file.spec.id == place.id);
      CHECK(described.other.empty());
      for (const EffectWords& effect : described.effects) {
        CHECK(effect.line > 0);
        CHECK_FALSE(effect.summary.ends_with(": "));
        CHECK(effect.text.find(" = ") == std::string::npos);
        INFO(effect.text);
        CHECK(data_words(effect.text, ids).empty());
      }
    }
  }
}

TEST_CASE("effects between attacks are told without an attack", "[cards]") {
  for (const char* window : {"engagement-start", "engage", "round-end"}) {
    const CardWords card = words(fmt::format(R"(id = "mine"
kind = "pilot"
[[effect]]
side = "attacker"
at = "{}"
when = "gained.lock >= 1 and not self.in-attack"
may = true
do = [{{ verb = "gain", token = "focus", who = "self", n = 1 }}]
)",
                                             window));
    CHECK_THAT(card.effects.at(0).text, Contains("if a lock was gained and you are not in this attack: you may"));
  }
}

TEST_CASE("a list of ids leaves out those of other card sets only", "[cards]") {
  const Catalogue catalogue(kProfiles);
  const Vocabulary vocabulary = vocabulary_of(catalogue, "first-edition");
  CHECK_THAT(condition_words("weapon in ['mygun', 'ioncannon', 'iontorpedoes-swz105']", vocabulary),
             Contains("mygun or Ion Cannon"));
  CHECK_THAT(condition_words("foe.pilot in ['general-grievous', 'generalgrievous']", vocabulary),
             Contains("general grievous") && !Contains("generalgrievous"));
}

TEST_CASE("a dry run finds the value with and without the card", "[cards]") {
  // Figures of tests/data/cards.jsonl, derived there without salvo: 3 dice with focus on 2 dice with focus.
  const Catalogue catalogue(kProfiles);
  const auto trial = [&](const std::string& id) {
    const CheckedCard out =
        check_card(catalogue, kProfiles + "/cards/upgrade/" + id + ".toml", "second-edition", "2025");
    REQUIRE(out.good());
    return *out.dry_run;
  };
  const DryRun predator = trial("predator");
  CHECK(predator.with == Approx(1.456787109375).margin(1e-9));
  CHECK(predator.without == Approx(1.074462890625).margin(1e-9));
  CHECK(predator.tried == 1);
  CHECK(predator.assumed_facts == std::vector<std::string>{"bullseye (predator)"});
  CHECK(predator.command.at(0) == "run");
  CHECK(trial("elusive").with == Approx(0.740753173828125).margin(1e-9));
  CHECK(trial("elusive").without == Approx(1.074462890625).margin(1e-9));
  SECTION("a card that changes the stat line is tried with real ships") {
    const DryRun hull = trial("hullupgrade");
    CHECK(hull.scenario.objective == "kill");
    CHECK(hull.with < hull.without);
  }
  SECTION("a weapon is compared with the primary weapon") {
    const DryRun ion = trial("ioncannon");
    CHECK(ion.scenario.attacks.at(0).weapon == "ioncannon");
    CHECK(ion.scenario.ships.at("a1").upgrades == std::vector<std::string>{"ioncannon"});
  }
}

TEST_CASE("cards of the library change something in a dry run", "[cards]") {
  // Without these a scenario in which they matter has no attack (disarmed ships, ranges), or a token that nothing
  // reads; or the budget of a dry run ends before three things come together.
  const std::set<std::string> not_found{"condition/mercilesspursuit",  // no trial ship carries The Child
                                        "pilot/magnaguardprotector",   // no trial ship is a named pilot
                                        "pilot/naboohandmaiden",       // likewise
                                        "pilot/derekklivian",          // no trial ship locks and has red tokens
                                        "pilot/foremanproach",
                                        "pilot/muse",
                                        "pilot/recoil",
                                        "pilot/dacebonearm",
                                        "pilot/tychocelchu-battleoverendor",
                                        "pilot/tychocelchu-battleoverendor-lsl",
                                        "pilot/majorrhymer",
                                        "pilot/venisadoza",
                                        "upgrade/automatedloaders-swz98",
                                        "upgrade/migsmayfeld",
                                        "upgrade/os1arsenalloadout",
                                        "upgrade/hansolo",
                                        "upgrade/stealthgambit-tiephphantom",
                                        "upgrade/zeborrelios",
                                        "pilot/pettyofficerthanisson-evacuationofdqar",
                                        "pilot/princexizor-armedanddangerous",
                                        "ship/experimentalscanners",
                                        "upgrade/experimentalscanners-evacuationofdqar",
                                        "ship/restoredspeedster",
                                        "upgrade/bb8-evacuationofdqar",
                                        "upgrade/paigetico-evacuationofdqar",
                                        "upgrade/xg1assaultconfiguration",
                                        "condition/optimizedprototype",
                                        "upgrade/directorkrennic",
                                        "upgrade/babufrik",
                                        "upgrade/r3astromech",    // no trial ship acquires a second lock
                                        "pilot/redline",          // likewise
                                        "upgrade/sensorexperts",  // likewise
                                        "upgrade/deuteriumpowercells",
                                        "upgrade/feedbackemitter-battleoverendor",
                                        "condition/markedforelimination",
                                        "pilot/theta4-evacuationofdqar",
                                        "pilot/aurrasing",
                                        "pilot/captainkagi",
                                        "pilot/arvelcrynyd",    // nothing but an attack at range 0, in one set
                                        "pilot/captainoicunn",  // likewise
                                        "pilot/overseeryushyn",
                                        "pilot/r1j5",
                                        "upgrade/chewbacca",
                                        "pilot/blacksunbodyguard-wat1",
                                        "pilot/neradantels-wat1",
                                        "ship/copilot",
                                        "upgrade/bounty",
                                        "pilot/captainjostero",
                                        "pilot/doctoraphra",
                                        "pilot/captainyorr-wat1",
                                        "upgrade/pettyofficerthanisson",
                                        "upgrade/tristanwren",
                                        "upgrade/staticdischargevanes",
                                        "pilot/jekporkins-battleofyavin-lsl",
                                        "upgrade/initforthemoney",
                                        "pilot/hound",
                                        "pilot/jekporkins-battleofyavin",
                                        "pilot/jekporkins-swz106",
                                        "pilot/jekporkins",
                                        "pilot/kelrodoaiholdout",
                                        "pilot/lieutenantgalek",
                                        "pilot/lieutenantkarsabi",
                                        "pilot/niennunb",
                                        "pilot/pettyofficerthanisson",
                                        "pilot/quinnjast",
                                        "ship/explosionwithwings",
                                        "ship/prioritizedweaponssystems",
                                        "upgrade/bokatankryze-rebel-scum",
                                        "upgrade/cutthroat",
                                        "upgrade/disciplined",
                                        "upgrade/hopeful",
                                        "upgrade/initforthemoneyrebellion",
                                        "ship/heavyweaponturret",
                                        "ship/rotatingcannons",
                                        "upgrade/ta175",
                                        "upgrade/targetingrelay-evacuationofdqar",
                                        "upgrade/ursawren-gunner",
                                        "pilot/arvelcrynyd",  // the legacy card
                                        "pilot/captainoicunn",
                                        "upgrade/independentcalculations",
                                        "upgrade/feedbackemitter-battleoverendor",
                                        "upgrade/vengeful-battleofyavin",
                                        "upgrade/withoutatrace-tiephphantom",
                                        "upgrade/zamwesell"};
  const Catalogue catalogue(kProfiles);
  std::vector<std::string> without_effect;
  std::set<std::string> seen;
  for (const std::string card_set : {"2025", "xwa", "legacy"}) {
    for (const load::CardPlace& place : load::library_cards(catalogue.root(), card_set)) {
      if (!seen.insert(place.path.string()).second || seen.size() % SALVO_CASES_STEP != 0) continue;
      INFO(place.path.string());
      const CheckedCard out = check_card(catalogue, place.path.string(), "second-edition", card_set);
      CHECK(out.error.empty());
      CHECK(out.notes.empty());
      const bool empty = out.words.effects.empty() && out.words.weapon.empty() && out.words.tokens.empty();
      if (empty && !out.words.partly.empty()) continue;  // it only lists what is not modelled
      const bool at_round_end = std::any_of(out.words.effects.begin(), out.words.effects.end(),
                                            [](const auto& effect) { return effect.window == "round-end"; });
      if (at_round_end) continue;  // the scenarios have one round
      if (!out.good() && !not_found.contains(place.kind + "/" + place.id))
        without_effect.push_back(place.kind + "/" + place.id);
    }
  }
  CAPTURE(without_effect);
  CHECK(without_effect.empty());
}

TEST_CASE("the dry run of each card takes little work", "[cards][.long]") {
  const Catalogue catalogue(kProfiles);
  std::vector<std::pair<double, std::string>> work;
  std::set<std::string> seen;
  for (const std::string card_set : {"2025", "xwa", "legacy", "first-edition"}) {
    const std::string rules = card_set == "first-edition" ? card_set : "second-edition";
    for (const load::CardPlace& place : load::library_cards(catalogue.root(), card_set)) {
      if (!seen.insert(place.path.string()).second || seen.size() % SALVO_CASES_STEP != 0) continue;
      const double before = base::work_counted();
      CHECK(check_card(catalogue, place.path.string(), rules, card_set).error.empty());
      work.emplace_back(base::work_counted() - before, place.path.string());
    }
  }
  std::sort(work.rbegin(), work.rend());
  REQUIRE(work.size() > 1000 / SALVO_CASES_STEP);
  std::string most;
  for (std::size_t i = 0; i < 10; ++i) most += fmt::format("\n{:.3g} {}", work[i].first, work[i].second);
  CAPTURE(most);
  constexpr double kMost = 1e6;  // transitions: about 3 ms
  CHECK(work.front().first < kMost);
}

TEST_CASE("a correct home-made card", "[cards]") {
  const CheckedCard out =
      check("charges = 2\nfacts = { bullseye = false }\n" + std::string(kHead) +
            "[[effect]]\nside = \"attacker\"\nat = \"attack-mod\"\nwhen = \"bullseye\"\nmay = true\n"
            "cost = [{ token = \"charge\" }]\n"
            "do = [{ verb = \"change\", dice = \"attack\", from = [\"blank\"], to = \"hit\" }]\n");
  CHECK(out.error.empty());
  REQUIRE(out.good());
  CHECK(out.notes.empty());
  CHECK(out.dry_run->with > out.dry_run->without);
  CHECK(out.dry_run->scenario.attacks.at(0).facts == std::vector<std::string>{"bullseye"});  // against the usual case
  CHECK(out.words.charges == 2);
}

TEST_CASE("a mandatory reroll is accepted: its owner must reroll, and chooses the dice", "[cards]") {
  const CheckedCard out =
      check(card("side = \"attacker\"\nat = \"attack-mod\"\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]\n"));
  CHECK(out.error.empty());
  CHECK(out.good());
  CHECK_THAT(out.words.effects.at(0).text, Contains(": reroll 1 attack die."));
}

TEST_CASE("dry runs contain what the card refers to", "[cards]") {
  const Catalogue catalogue(kProfiles);
  const auto trial = [&](const std::string& place) {
    const CheckedCard out = check_card(catalogue, kProfiles + "/cards/" + place + ".toml", "second-edition", "2025");
    REQUIRE(out.good());
    return *out.dry_run;
  };
  SECTION("the card on another ship of its side") {
    const DryRun gideon = trial("pilot/moffgideon");
    CHECK(gideon.scenario.ships.at("b").upgrades == std::vector<std::string>{"moffgideon"});
    CHECK(gideon.scenario.ships.at("a1").upgrades.empty());
    CHECK(gideon.with > gideon.without);
    CHECK(gideon.command.empty());  // flags support two ships only
  }
  SECTION("another ship with tokens") {
    const DryRun lehuse = trial("pilot/lieutenantlehuse");
    CHECK(lehuse.scenario.ships.at("b").locks == std::vector<std::string>{"d"});
    CHECK_THAT(lehuse.words, Contains("another ship of the attacker's side, lock"));
  }
  SECTION("another ship that attacks afterwards") {
    const DryRun kyle = trial("pilot/kylekatarn");
    REQUIRE(kyle.scenario.attacks.size() == 2);
    CHECK(kyle.scenario.attacks.at(1).by == "b");
    CHECK(kyle.with > kyle.without);
  }
  SECTION("a bonus attack that is listed") {
    const DryRun bistan = trial("upgrade/bistan");
    REQUIRE(bistan.scenario.attacks.size() == 2);
    CHECK(bistan.scenario.attacks.at(1).bonus == "bistan");
    CHECK(bistan.scenario.attacks.at(1).weapon == "primary:single-turret");
  }
  SECTION("shields, and ships that can be destroyed") {
    const DryRun miranda = trial("pilot/mirandadoni");
    CHECK(miranda.with > miranda.without);
    CHECK(miranda.scenario.ships.at("a1").shields == 1);
  }
  SECTION("tokens that another card reads, and the choice of the other player") {
    const DryRun droid = trial("upgrade/000");
    CHECK(droid.scenario.ships.at("a1").upgrades.size() == 2);
    CHECK(droid.with > droid.without);
  }
  SECTION("a weapon without what it requires") {
    const DryRun aim = trial("upgrade/instinctiveaim");
    CHECK(aim.without > 0);  // with the primary weapon
    CHECK(aim.with > aim.without);
  }
}

TEST_CASE("the check of a home-made card without effect says so", "[cards]") {
  const std::string idle =
      "side = \"attacker\"\nat = \"aftermath\"\ndo = [{ verb = \"limit\", dice = \"attack\", min = 0 }]\n";
  const CheckedCard out = check(card(idle));
  CHECK(out.error.empty());
  CHECK_FALSE(out.good());
  REQUIRE(out.dry_run);
  CHECK(out.dry_run->changes.empty());
  CHECK(out.dry_run->tried > 100);
  SECTION("without any effect") {
    const CheckedCard none = check(kHead);
    CHECK_FALSE(none.good());
    CHECK_THAT(none.notes.at(0), Contains("neither"));
  }
}

TEST_CASE("hostile card files are refused with file, line and remedy", "[cards]") {
  const std::string side = "side = \"attacker\"\n";
  const std::string reroll = "may = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]\n";
  const auto refused = [](const std::string& text, const std::vector<std::string>& parts) {
    const CheckedCard out = check(text);
    CHECK_FALSE(out.good());
    INFO(out.error);
    CHECK(out.error.find('\n') == std::string::npos);
    CHECK(out.error.size() < 700);
    for (const std::string& part : parts) CHECK_THAT(out.error, Contains(part));
  };
  refused("", {"mine.toml: is empty"});
  refused(" \n\n", {"is empty"});
  refused(std::string("\x7f\x45LF\x02\x01\x00\x00\xff", 9), {"mine.toml:1"});
  refused("id = \"mine\nkind = 3", {"mine.toml:1"});
  refused("kind = \"upgrade\"\n", {"id"});
  refused("id = \"mine\"\n", {"kind = \"upgrade\""});
  refused("id = \"mine\"\nkind = \"wizard\"\n", {"mine.toml:2: kind", "upgrade, pilot, ship"});
  refused("id = \"../mine\"\nkind = \"upgrade\"\n", {"mine.toml:1: id", "lower-case"});
  refused(card("at = \"attack-mood\"\n" + reroll), {"mine.toml:4: effect[0].at", "did you mean \"attack-mod\"?"});
  refused(card("at = \"attack-mod\"\ndo = [{ verb = \"rerol\", dice = \"attack\" }]\n"),
          {"mine.toml:5: ", "did you mean \"reroll\"?"});
  refused(
      card("at = \"attack-mod\"\ndo = [{ verb = \"change\", dice = \"attack\", from = [\"evade\"], to = \"hit\" }]\n"),
      {"mine.toml:5: effect[0].do[0].from[0]", "\"evade\" is not a face of the attack die"});
  refused(card("at = \"attack-mod\"\ndo = [{ verb = \"gain\", token = \"fokus\" }]\n"), {"did you mean \"focus\"?"});
  refused(card("at = \"attack-mod\"\nwhen = \"range == \"\n" + reroll), {"mine.toml:5: effect[0].when", "column"});
  refused(card("at = \"attack-mod\"\nwhen = \"range = 1\"\n" + reroll),
          {"mine.toml:5: effect[0].when", "joined by and"});
  refused(card("at = \"attack-mod\"\nwhen = \"" + std::string(500, '(') + "1\"\n" + reroll), {"nested too deeply"});
  refused(card("at = \"attack-mod\"\nwhen = \"bulseye\"\n" + reroll),
          {"mine.toml:5: effect[0].when", "\"bulseye\"", "did you mean \"bullseye\"?"});
  refused(card("at = \"attack-mod\"\nwhen = \"self.fokus >= 1\"\n" + reroll), {"did you mean \"self.focus\"?"});
  refused(card("at = \"attack-mod\"\nwhen = \"count(attack.evade) >= 1\"\n" + reroll), {"mine.toml:5", "evade"});
  refused(card("at = \"attack-mod\"\ntimes = \"no_such_name\"\n" + reroll),
          {"mine.toml:5: effect[0].times", "facts.toml"});
  refused(
      card(side + "at = \"attack-mod\"\nmay = true\nrepeats = true\ndo = [{ verb = \"gain\", token = \"focus\" }]\n"),
      {"mine.toml:3: ", "would never end", "repeats"});
  refused(card(side + "at = \"attack-mod\"\nmay = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }, " +
               "{ verb = \"reroll\", dice = \"attack\", n = 1 }]\n"),
          {"mine.toml:3: ", "two rerolls"});
  refused(card(side + "at = \"attack-mod\"\ndo = []\n"), {"mine.toml:6", "empty"});
  refused(card(side + "at = \"attack-mod\"\nwehn = \"hit\"\n" + reroll), {"mine.toml:6", "did you mean \"when\"?"});
  const auto operation = [&](const std::string& at, const std::string& text, const std::string& keys = "") {
    return card(side + "at = \"" + at + "\"\n" + keys + "do = [{ " + text + " }]\n");
  };
  refused(operation("attack-pool", "verb = \"reroll\", dice = \"attack\", n = 1"),
          {"mine.toml:6: ", "reroll with dice = \"attack\" can do nothing at attack-pool", "attack-mod"});
  refused(operation("attack-mod", "verb = \"pool\", dice = \"attack\", n = 1"),
          {"mine.toml:6: ", "belongs to attack-value, attack-pool"});
  refused(operation("attack-mod", "verb = \"pool\", dice = \"defense\", n = 1"),
          {"belongs to defense-value, defense-pool"});
  refused(operation("neutralize", "verb = \"change\", dice = \"defense\", from = [\"blank\"], to = \"evade\""),
          {"can do nothing at neutralize", "defense-rolled, defense-mod, before-neutralize"});
  refused(operation("neutralize", "verb = \"spend\", dice = \"attack\", from = [\"focus\"]"),
          {"can do nothing at neutralize", "defense-mod, before-neutralize"});
  refused(operation("own-mod", "verb = \"add\", dice = \"defense\", to = \"evade\""), {"can do nothing at own-mod"});
  refused(operation("attack-mod", "verb = \"forbid\", what = \"modify\", dice = \"attack\""), {"belongs to always"});
  refused(operation("attack-mod", "verb = \"bonus\", weapon = \"primary\""),
          {"belongs to engagement-start, aftermath, attack-end"});
  refused(operation("always", "verb = \"gain\", token = \"focus\""), {"gain can do nothing at always"});
  refused(operation("attack-pool", "verb = \"pool\", dice = \"attack\", n = 1, amount = \"self.stress\""),
          {"mine.toml:6: effect[0].do[0].n", "n and amount"});
  refused(operation("aftermath", "verb = \"bonus\", weapon = \"ioncanon\""),
          {"mine.toml:6: effect[0].do[0].weapon", "did you mean \"ioncannon\"?"});
  refused(operation("aftermath", "verb = \"bonus\", weapon = \"primary:frnt\""), {"did you mean \"primary:front\"?"});
  refused(operation("aftermath", "verb = \"bonus\", weapon = [\"cannon\", \"ioncanon\"]", "may = true\n"),
          {"mine.toml:7: effect[0].do[0].weapon[1]", "did you mean \"ioncannon\"?"});
  refused(operation("aftermath", "verb = \"bonus\", weapon = []", "may = true\n"), {"the list is empty"});
  refused(operation("aftermath", "verb = \"bonus\", weapon = [\"cannon\", \"turret\"]"), {"add may = true"});
  refused(
      operation("attack-mod", "verb = \"gain\", token = \"focus\"", "may = true\ncost = [{ token = \"charge\" }]\n"),
      {"mine.toml:7: effect[0].cost[0]", "charges = n"});
  refused("weapon = { arc = \"frnt\", attack = 3 }\n" + std::string(kHead),
          {"mine.toml:1: ", "did you mean \"front\"?"});
  refused(card("id = \"mark\"\n" + side +
               "at = \"aftermath\"\nwhen = \"used.foo\"\ndo = [{ verb = \"gain\", token = "
               "\"focus\" }]\n"),
          {"no effect of this card has the id 'foo'", "its effects are mark"});
  refused("facts = { bullsey = true }\n" + std::string(kHead), {"mine.toml:1", "bullseye"});
  SECTION("files that cannot be read") {
    const Catalogue catalogue(kProfiles);
    CHECK_THAT(check_card(catalogue, "no-such-file.toml", "second-edition", "2025").error,
               Contains("no-such-file.toml"));
    CHECK_THAT(check_card(catalogue, kProfiles, "second-edition", "2025").error, Contains("folder"));
  }
}

TEST_CASE("probable mistakes are noted", "[cards]") {
  const std::string reroll = "may = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]\n";
  const auto notes = [](const std::string& text) {
    const CheckedCard out = check(text);
    std::string all;
    for (const std::string& note : out.notes) all += note + "\n";
    return all;
  };
  CHECK_THAT(notes(card("at = \"attack-mod\"\nside = \"attacker\"\nwhen = \"not bullseye\"\n" + reroll)),
             Contains("facts = { bullseye = false }"));
  CHECK_THAT(notes("facts = { bullseye = true }\n" + card("at = \"attack-mod\"\nside = \"attacker\"\n" + reroll)),
             Contains("no condition reads the fact bullseye"));
  CHECK_THAT(
      notes("id = \"nobody\"\nkind = \"pilot\"\n[[effect]]\nat = \"attack-mod\"\nside = \"attacker\"\n" + reroll),
      Contains("no ship has a pilot nobody"));
  CHECK_THAT(
      notes("id = \"predator\"\nkind = \"upgrade\"\n[[effect]]\nat = \"attack-mod\"\nside = \"attacker\"\n" + reroll),
      Contains("takes the place of the upgrade predator"));
  const auto when = [&](const std::string& condition) {
    return notes(card("side = \"attacker\"\nat = \"attack-mod\"\nwhen = \"" + condition + "\"\n" + reroll));
  };
  CHECK_THAT(when("weapon == 3"), Contains("weapon is a text and never the number 3"));
  CHECK_THAT(when("weapon == 'ioncanon'"), Contains("did you mean \"ioncannon\"?"));
  CHECK_THAT(when("arc in ['front', 'frnt']"), Contains("arc is never 'frnt'") && !Contains("never 'front'"));
  CHECK_THAT(when("foe.size == 'smal'"), Contains("did you mean \"small\"?"));
  CHECK_THAT(when("hit"), Contains("mine.toml:3: ") && Contains("only from the window outcome on"));
  CHECK(when("weapon == 'ioncannon' or arc == 'front' and foe.size != 'small'").empty());
  CHECK_THAT(notes("charges = 2\n" + card("side = \"attacker\"\nat = \"attack-mod\"\n" + reroll)),
             Contains("nothing spends its charges"));
  const std::string twice = "[[effect]]\nid = \"e\"\nside = \"attacker\"\nat = \"attack-mod\"\n" + reroll;
  CHECK_THAT(notes(kHead + twice + twice), Contains("2 effects have the id e (lines 4, 10)"));
}

TEST_CASE("a dry run of a bonus attack gives its dice, which do not exist without the card", "[cards]") {
  const CheckedCard out =
      check(card("side = \"attacker\"\nat = \"aftermath\"\n"
                 "do = [{ verb = \"bonus\", weapon = \"primary\", target = \"foe\" }]\n"));
  REQUIRE(out.good());
  const auto& changes = out.dry_run->changes;
  CHECK(std::find(changes.begin(), changes.end(), "attack 2: attack dice 0 → 3") != changes.end());
  CHECK(std::find(changes.begin(), changes.end(), "attack 2: defense dice 0 → 2") != changes.end());
}

TEST_CASE("the scenario and the command of a dry run give its figures", "[cards]") {
  const Catalogue catalogue(kProfiles);
  const CheckedCard out = check_card(catalogue, kProfiles + "/cards/pilot/torphun.toml", "second-edition", "2025");
  REQUIRE(out.good());
  REQUIRE(out.dry_run->command.size() >= 7);
  CHECK_THAT(out.dry_run->command.at(4), Contains("pilot=torphun") && Contains("hull=1"));
  const std::string json = report::checked_cards({out}, {report::CardsFormat::Kind::Json, 80, false});
  CHECK_THAT(json, Contains("\"hull\": 1") && Contains("\"shields\": 0"));
}

TEST_CASE("the card set of a data set is recognised", "[cards]") {
  const Catalogue catalogue(kProfiles);
  CHECK(set_of_data(catalogue, {false, {{"condition", "liberated-wat1", true}}}) == "legacy");
  CHECK(set_of_data(catalogue, {false, {{"condition", "decoyed", true}}}) == "2025");
  CHECK(set_of_data(catalogue, {false, {{"upgrade", "jinatasecurityforces-epicsl", true}}}) == "xwa");
  CHECK(set_of_data(catalogue, {true, {}}) == "first-edition");
}

TEST_CASE("a home-made card overrides the library in its catalogue", "[cards][load]") {
  const Folder folder;
  const std::string text =
      "id = \"predator\"\nkind = \"upgrade\"\ncharges = 7\n[[effect]]\nat = \"attack-mod\"\n"
      "may = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]\n";
  const std::string path = folder.write("anywhere/any-name.toml", text);
  Catalogue catalogue(kProfiles);
  CHECK(catalogue.card("upgrade", "predator", "2025")->charges == 0);
  catalogue.add_card(path);
  for (const char* card_set : {"2025", "legacy"}) CHECK(catalogue.card("upgrade", "predator", card_set)->charges == 7);
  CHECK(catalogue.card("pilot", "predator", "2025") == nullptr);
  CHECK_THROWS_WITH(catalogue.add_card(path), Contains("given by an earlier file"));
  catalogue.add_card(
      folder.write("new.toml", card("at = \"attack-mod\"\ndo = [{ verb = \"lose\", token = \"lock\" }]\n")));
  CHECK(catalogue.upgrade_exists("mine", "2025"));
}

TEST_CASE("coverage counts each card of a data set once", "[cards]") {
  const Catalogue catalogue(kProfiles);
  const Coverage coverage = cover(catalogue, load::read_card_data(kData + "/second"), "2025");
  // Counted by hand in the files: see tests/data/card-data/README.md.
  CHECK(coverage.cards.size() == 11);
  CHECK(state_of(coverage, "upgrade", "predator") == State::Modelled);
  CHECK(state_of(coverage, "upgrade", "babufrik") == State::Partly);
  CHECK(state_of(coverage, "upgrade", "thermaldetonators") == State::Irrelevant);
  CHECK(state_of(coverage, "upgrade", "madeupgadget") == State::Unclassified);
  CHECK(state_of(coverage, "upgrade", "dreadnoughthunter") == State::Missing);  // nothing of it is played
  CHECK(state_of(coverage, "pilot", "darthvader-battleofyavin") == State::Modelled);
  CHECK(state_of(coverage, "pilot", "madeuprookie") == State::Irrelevant);  // it has no ability
  CHECK(state_of(coverage, "pilot", "madeupace") == State::Unclassified);
  CHECK(state_of(coverage, "ship", "advancedtargetingcomputer") == State::Modelled);
  CHECK(state_of(coverage, "condition", "decoyed") == State::Modelled);
  CHECK(state_of(coverage, "condition", "hunted") == State::Irrelevant);
  CHECK(coverage.relevant("") == 6);
  CHECK(coverage.count("", State::Modelled) == 4);
  CHECK(coverage.count("upgrade", State::Missing) == 1);
  SECTION("first edition") {
    const load::CardData data = load::read_card_data(kData + "/first");
    CHECK(data.first_edition);
    const Coverage first = cover(catalogue, data, "first-edition");
    CHECK(first.cards.size() == 3);
    CHECK(state_of(first, "pilot", "wedgeantilles") == State::Modelled);
    CHECK(state_of(first, "pilot", "madeuprookie") == State::Irrelevant);
    CHECK(state_of(first, "upgrade", "greedo") == State::Partly);  // the second edition's is modelled
  }
  SECTION("invalid folders") {
    CHECK_THROWS_WITH(load::read_card_data(kData), Contains("neither"));
    CHECK_THROWS_WITH(load::read_card_data("no-such-folder"), Contains("not a folder"));
    const Folder folder;
    folder.write("upgrades/talent.json", "[{\"name\": \"x\"}]");
    CHECK_THROWS_WITH(load::read_card_data(folder.path().string()), Contains("talent.json:1") && Contains("xws"));
    folder.write("upgrades/talent.json", "[{\"xws\": \"../x\"}]");
    CHECK_THROWS_WITH(load::read_card_data(folder.path().string()), Contains("not an xws id"));
    folder.write("upgrades/talent.json", "{");
    CHECK_THROWS_AS(load::read_card_data(folder.path().string()), LoadError);
    folder.write("upgrades/talent.json", "[]");
    CHECK_THROWS_WITH(load::read_card_data(folder.path().string()), Contains("no cards"));
  }
}

TEST_CASE("the classification knows every card of the library", "[cards]") {
  const Catalogue catalogue(kProfiles);
  load::CardData data;
  for (const load::CardPlace& place : load::library_cards(catalogue.root(), "2025")) {
    data.cards.push_back({place.kind, place.id, true});
  }
  Coverage coverage = cover(catalogue, data, "2025");
  CHECK(coverage.count("", State::Modelled) + coverage.count("", State::Partly) + coverage.count("", State::Missing) ==
        data.cards.size());
  // Without a card file the list alone decides: it must know every card and mark it as relevant.
  const Folder bare;
  std::filesystem::create_directories(bare.path() / "rules");
  std::filesystem::create_directories(bare.path() / "cards");
  std::filesystem::copy_file(kProfiles + "/cards/relevant.tsv", bare.path() / "cards" / "relevant.tsv");
  const Catalogue without(bare.path());
  for (const CoveredCard& one : cover(without, data, "2025").cards) {
    INFO(one.kind << " " << one.id);
    CHECK(one.state == State::Missing);
  }
}

TEST_CASE("tables of cards fit the requested width", "[cards][report]") {
  const Catalogue catalogue(kProfiles);
  std::vector<CardWords> cards;
  for (const load::CardPlace& place : load::library_cards(catalogue.root(), "2025")) {
    cards.push_back(
        describe_card(load::read_card_file(place.path.string(), catalogue.facts()), vocabulary_of(catalogue, "2025")));
  }
  const Coverage coverage = cover(catalogue, load::read_card_data(kData + "/second"), "2025");
  for (const int width : {60, 80, 120}) {
    const report::CardsFormat format{report::CardsFormat::Kind::Table, width, false};
    const std::string text = report::card_list(cards, "2025", format) + report::card_pages(cards, "2025", format) +
                             report::coverage(coverage, "all", format);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      INFO(line);
      CHECK(line.size() <= static_cast<std::size_t>(width) +
                               2 * static_cast<std::size_t>(std::count(line.begin(), line.end(), '\xe2')));
      at = end + 1;
    }
  }
}

TEST_CASE("the command line of salvo cards", "[cards][cli]") {
  using Action = cli::CardsOptions::Action;
  const cli::CardsOptions list =
      parse({"list", "--kind", "pilot", "--set", "legacy", "--search", "reroll  1", "--search", "x", "--partly"}).cards;
  CHECK(list.action == Action::List);
  CHECK(list.kind == "pilot");
  CHECK(list.set == "legacy");
  CHECK(list.search == std::vector<std::string>{"reroll", "1", "x"});
  CHECK(list.partly);
  CHECK(parse({"show", "predator"}).cards.id == "predator");
  CHECK(parse({"check", "a", "b"}).cards.files == std::vector<std::string>{"a", "b"});
  CHECK(parse({"coverage", "d", "--set", "first-edition", "--list", "not"}).cards.state == "not");
  CHECK(parse({}).command == cli::Command::Usage);
  CHECK(parse({"--help"}).command == cli::Command::Help);
  CHECK_THAT(parse({"check", "--help"}).text, Contains("salvo cards check"));
  const auto refused = [](const std::vector<const char*>& words, const char* part) {
    CHECK_THROWS_WITH(parse(words), Contains(part));
  };
  refused({"lst"}, "did you mean list");
  refused({"show"}, "no card");
  refused({"check"}, "no file");
  refused({"coverage"}, "no folder");
  refused({"show", "a", "b"}, "one word too many");
  refused({"list", "--kind", "piolt"}, "did you mean pilot");
  refused({"list", "--set", "firstedition"}, "did you mean first-edition");
  refused({"list", "--serch", "x"}, "did you mean --search");
  refused({"list", "--format", "xml"}, "table, json, csv");
  refused({"coverage", "d", "--list", "nothing"}, "--list");
  refused({"list", "--kind"}, "missing");
  CHECK(cli::progress_line(3, 10, 1.0, 80, {"checking", "cards"}).find("checking") == 0);
}
