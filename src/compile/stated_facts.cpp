// Facts as scenarios state them: "bullseye", "not bullseye", "enemy-near-attacker = 2".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "compile/facts.h"

namespace salvo::compile {
namespace {

constexpr int kMaxCounted = 20;  // most ships or obstacles that a fact counts

/// A stated fact.
struct StatedFact {
  std::string name;
  int value = 0;          ///< 0 if negated; -1: malformed number
  bool numbered = false;  ///< stated with a number
};

StatedFact stated_fact(std::string_view text) {
  if (text.starts_with("not ")) return {std::string(text.substr(4)), 0, false};
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text), 1, false};
  const std::string_view name = text.substr(0, equals);
  const std::string_view number = text.substr(std::min(text.find_first_not_of(' ', equals + 1), text.size()));
  int value = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  return {std::string(name.substr(0, name.find_last_not_of(' ') + 1)), whole ? value : -1, true};
}

std::optional<int> stated_in(const std::vector<std::string>& facts, std::string_view name) {
  for (const std::string& text : facts) {
    const StatedFact fact = stated_fact(text);
    if (fact.name == name) return fact.value;
  }
  return std::nullopt;
}

/// The name under which an attack states a fact of an effect on ship `about`; empty if it cannot. These facts are
/// symmetric in the two ships (whether one is in reach of the other, their range, whether they touch), or are about
/// ship `about` or the card alone.
std::string name_in(Draft& draft, const ScenarioAttack& attack, std::string_view name, const std::string& about) {
  const bool by = attack.by == about;
  if (!by && !may_be_on(attack, about)) return {};
  const bool alike = name.starts_with("attacker-friend-within-") || name.starts_with("attacker-touches-") ||
                     name == "attacker-friend-is-named";
  const bool always = name.ends_with("-in-reach") || name.starts_with("friends-can-") || name == "card-is-flipped";
  if (always || (alike && by)) return std::string(name);
  return alike ? mirrored(draft, name) : std::string();
}

/// Whether an attack of the round at range 0 between the ship and an enemy shows that they touch (000: Range). `enemy`
/// -1: any enemy but `target`.
bool touches_in_attack(const AttackDraft& attack, int round, int ship, int enemy, int target) {
  const auto is = [&](const std::string& name) {
    const int other = attack.draft.find_ship(name);
    return enemy < 0 ? other != target && attack.ship(other).mine != attack.ship(ship).mine : other == enemy;
  };
  const auto& attacks = attack.draft.scenario.attacks;
  return std::any_of(attacks.begin(), attacks.end(), [&](const ScenarioAttack& given) {
    if (given.round != round || given.range != 0 || !given.targets.empty()) return false;
    const std::string& name = attack.ship(ship).name;
    return (given.by == name && is(given.on)) || (given.on == name && is(given.by));
  });
}

/// Whether a fact about the range or arcs of another ship is about the reach between the ship with the card and ship
/// `about` (-1: any): one of them is the attacker or the defender, whichever the fact is about (`to_attacker`), and the
/// other one, of the side that the fact speaks of (`of_attackers`), takes no part in the attack.
bool is_about(const AttackDraft& attack, const ScenarioAttack& given, bool of_attackers, bool to_attacker, int owner,
              int about) {
  const std::optional<bool> attackers = attack.ship(attack.draft.find_ship(given.by)).mine;
  const auto attacks = [&](int ship) { return attack.ship(ship).name == given.by; };
  const auto defends = [&](int ship) { return may_be_on(given, attack.ship(ship).name); };
  const auto in_role = [&](int ship) { return ship < 0 || (to_attacker ? attacks(ship) : defends(ship)); };
  const auto beside = [&](int ship) {
    return ship < 0 || (!attacks(ship) && !defends(ship) && (attack.ship(ship).mine == attackers) == of_attackers);
  };
  return (in_role(owner) && beside(about)) || (beside(owner) && in_role(about));
}

bool is_read_by_card(Draft& draft, std::string_view fact) {
  if (!draft.facts_of_cards) {
    auto& facts = draft.facts_of_cards.emplace();
    for (const ShipDraft& ship : draft.ships) {
      for (const load::CardSpec* card : ship.cards) {
        for (const auto& [name, usual] : card->facts) facts.insert(name);
      }
    }
  }
  return draft.facts_of_cards->contains(fact);
}

/// The stated facts that tell in the place of `reach` whether ships are in it.
std::vector<StatedFact> narrower_facts(const AttackDraft& attack, const ScenarioAttack& given, std::string_view reach,
                                       int owner, int about) {
  std::vector<StatedFact> out;
  if (given.facts.empty()) return out;
  const Catalogue& catalogue = attack.draft.catalogue;
  const auto &of_reach = catalogue.facts_of_reach(), &of_attackers = catalogue.facts_of_attackers_friends(),
             &to_defender = catalogue.facts_of_defenders_reach();  // looking them up locks the catalogue
  const bool friends = reach.starts_with("friends");
  for (const std::string& text : given.facts) {
    StatedFact fact = stated_fact(text);
    if (!of_reach.contains(fact.name) || fact.name.ends_with("-in-reach")) continue;
    if (is_read_by_card(attack.draft, fact.name)) continue;
    const bool attackers = of_attackers.contains(fact.name), to_attacker = !to_defender.contains(fact.name);
    if (friends != (attackers == to_attacker)) continue;
    if (is_about(attack, given, attackers, to_attacker, owner, about)) out.push_back(std::move(fact));
  }
  return out;
}

}  // namespace

bool states_facts(const Draft& draft) {
  const auto& attacks = draft.scenario.attacks;
  return std::any_of(attacks.begin(), attacks.end(),
                     [](const ScenarioAttack& attack) { return !attack.facts.empty(); });
}

std::optional<int> stated(const AttackDraft& attack, std::string_view name) {
  return stated_in(attack.given.facts, name);
}

std::optional<int> stated_where_it_acts(const AttackDraft& attack, std::string_view name, int about) {
  const Scenario& scenario = attack.draft.scenario;
  const int owner = attack.plan.attacker, round = own_round(attack);
  const bool enemies = name.find("enem") != std::string_view::npos;
  std::optional<int> out;
  for (std::size_t i = 0; i < scenario.attacks.size(); ++i) {
    if (scenario.attacks[i].round != round) continue;
    for (int ship = 0; ship < static_cast<int>(attack.draft.ships.size()); ++ship) {
      const bool enemy = attack.ship(ship).mine != attack.ship(owner).mine;
      if (about < 0 ? ship == owner || enemy != enemies : ship != about) continue;
      const std::string here = name_in(attack.draft, scenario.attacks[i], name, attack.ship(ship).name);
      const auto value = here.empty() ? std::nullopt : stated_in(scenario.attacks[i].facts, here);
      if (!value) continue;
      attack.draft.facts_read[attack_path(scenario, i)].try_emplace(here);
      out = std::max(out.value_or(0), *value);
    }
  }
  const bool touches = name == "attacker-touches-other-enemies";
  if (!out && touches && touches_in_attack(attack, round, owner, about, attack.plan.defender)) return 1;
  return out;
}

bool stated_limited(const AttackDraft& attack, const std::string& ship) {
  const auto value = [&](const ScenarioAttack& given, const std::string& path) -> std::optional<int> {
    if (given.by != ship && !may_be_on(given, ship)) return std::nullopt;
    const char* fact = given.by == ship ? "attacker-limited" : "defender-limited";
    const auto out = stated_in(given.facts, fact);
    if (out) attack.draft.facts_read[path].try_emplace(fact);
    return out;
  };
  if (!states_facts(attack.draft)) return false;
  if (const auto here = value(attack.given, attack.entry.path)) return *here != 0;
  const Scenario& scenario = attack.draft.scenario;
  bool limited = false;
  for (std::size_t i = 0; i < scenario.attacks.size(); ++i)
    limited = value(scenario.attacks[i], attack_path(scenario, i)).value_or(0) != 0 || limited;
  return limited;
}

std::string narrower_fact(const AttackDraft& attack, std::string_view reach, const Owner& owner, int about) {
  if (!reach.ends_with("-in-reach") || stated(attack, reach)) return {};
  const auto facts = narrower_facts(attack, attack.given, reach, owner.ship, about);
  // A fact without a number holds for any number of ships.
  const auto most = [](const StatedFact& fact) { return fact.numbered ? fact.value : fact.value * kMaxCounted; };
  const auto least =
      std::min_element(facts.begin(), facts.end(), [&](const auto& a, const auto& b) { return most(a) < most(b); });
  return least == facts.end() ? std::string() : least->name;
}

std::optional<int> stated_narrower(const AttackDraft& attack, std::string_view reach, const Owner& owner, int about,
                                   bool all) {
  if (!reach.ends_with("-in-reach") || !states_facts(attack.draft)) return std::nullopt;
  const Scenario& scenario = attack.draft.scenario;
  std::optional<int> out;
  const auto read = [&](const ScenarioAttack& given, const std::string& path) {
    std::optional<int> here;
    for (const StatedFact& fact : narrower_facts(attack, given, reach, owner.ship, about)) {
      attack.draft.facts_read[path].try_emplace(fact.name);
      here = std::min(here.value_or(fact.value), fact.value);
    }
    if (here) out = std::max(out.value_or(0), *here);
  };
  if (!all) read(attack.given, attack.entry.path);
  for (std::size_t i = 0; all && i < scenario.attacks.size(); ++i) {
    if (scenario.attacks[i].round == own_round(attack)) read(scenario.attacks[i], attack_path(scenario, i));
  }
  return out;
}

std::optional<int> stated_number(const AttackDraft& attack, std::string_view name) {
  for (const std::string& text : attack.given.facts) {
    const StatedFact fact = stated_fact(text);
    if (fact.name == name) return fact.numbered ? std::optional(fact.value) : std::nullopt;
  }
  return std::nullopt;
}

void check_facts(const AttackDraft& attack) {
  if (attack.given.facts.empty()) return;
  const auto& known = attack.draft.catalogue.facts();
  const auto& counted = attack.draft.catalogue.counted_facts();
  for (std::size_t i = 0; i < attack.given.facts.size(); ++i) {
    const StatedFact fact = stated_fact(attack.given.facts[i]);
    const std::string path = fmt::format("{}.facts[{}]", attack.path, i);
    if (!known.contains(fact.name)) {
      std::vector<std::string> names;
      for (const auto& [name, meaning] : known) names.push_back(name);
      throw ScenarioError(path, unknown("fact", fact.name, names));
    }
    if (!fact.numbered) continue;
    if (!counted.contains(fact.name))
      throw ScenarioError(path, fmt::format("the fact '{}' holds or not; write it without a number", fact.name));
    if (fact.value < 0 || fact.value > kMaxCounted)
      throw ScenarioError(path, fmt::format("'{}' needs a number from 0 to {}; write \"{} = 2\"", attack.given.facts[i],
                                            kMaxCounted, fact.name));
  }
}

namespace {

/// `; the cards in this attack read "friends-in-reach"`: what an attack could state in place of a fact that nothing
/// reads.
std::string facts_to_state(const Draft& draft, const ScenarioAttack& attack, const std::string& path) {
  std::vector<std::string> out;
  for (const auto& [fact, reader] : draft.facts_read.at(path)) {
    if (reader == FactReader::Card && !stated_in(attack.facts, fact)) out.push_back(fact);
  }
  return out.empty() ? "" : fmt::format("; the cards in this attack read \"{}\"", base::joined(out, "\", \""));
}

}  // namespace

void note_facts(Draft& draft) {
  for (std::size_t i = 0; i < draft.scenario.attacks.size(); ++i) {
    if (draft.scenario.repeats && draft.scenario.attacks[i].round > 0) break;  // noted for the first round
    if (draft.scenario.attacks[i].facts.empty()) continue;
    const std::string path = attack_path(draft.scenario, i);
    for (const std::string& given : draft.scenario.attacks[i].facts) {
      const std::string fact = stated_fact(given).name;
      if (draft.facts_read[path].contains(fact)) continue;
      const std::string note =
          fmt::format("{}: it makes no difference whether {}{}", path, draft.catalogue.facts().at(fact),
                      facts_to_state(draft, draft.scenario.attacks[i], path));
      draft.out.labels.unread_facts.push_back({path, fact, note});
      draft.out.labels.notes.push_back(note);
    }
  }
}

}  // namespace salvo::compile
