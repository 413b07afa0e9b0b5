// Random plans: bytes choose a question, and every way to solve it must give the same answer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "exact/exact.h"
#include "fuzz/targets.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "salvo/scenario.h"
#include "sample/kernel_dispatcher.h"
#include "sample/lanes/lanes.h"
#include "sample/sample.h"
#include "support/sample_fit.h"

namespace fuzz {
namespace {

using namespace salvo;

constexpr double kTolerance = 1e-9;
constexpr double kEdges = 3e4;            // of a solution: some 20 ms
constexpr std::uint64_t kTrials = 1'500;  // of each kernel; more than one word of lanes
/// A right engine looks wrong once in so many plans.
constexpr double kFalseAlarm = 1e-12;

/// Choices read from bytes; the first option once no bytes are left.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  int below(int n) {
    if (bytes_.empty()) return 0;
    std::size_t value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    if (n > 256 && !bytes_.empty()) {
      value = value * 256 + static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
    }
    return static_cast<int>(value % static_cast<std::size_t>(n));
  }
  bool one_in(int n) { return below(n) == n - 1; }
  template <typename Thing>
  const Thing& of(const std::vector<Thing>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::string_view bytes_;
};

/// Names of one card set that a question may use.
struct Names {
  std::string rules, cards;
  std::vector<std::string> upgrades, pilots, facts;
  std::vector<const salvo::load::TokenSpec*> tokens;
  std::vector<std::string> decks;
};

Names names_of(const std::string& rules, const std::string& cards) {
  Names out{rules, cards, {}, {}, {}, {}, {"core"}};
  for (const load::CardPlace& place : load::library_cards(catalogue().profiles(), cards)) {
    if (place.kind == "upgrade") out.upgrades.push_back(place.id);
    if (place.kind == "pilot") out.pilots.push_back(place.id);
  }
  for (const auto& [fact, what] : catalogue().facts()) out.facts.push_back(fact);
  for (const salvo::load::TokenSpec& token : catalogue().edition(rules)->tokens) {
    if (token.id != "lock" && !token.prevents_attack) out.tokens.push_back(&token);
  }
  return out;
}

const Names& some_names(Choices& choices) {
  static const std::vector<Names> all = {names_of("second-edition", "2025"), names_of("second-edition", "xwa"),
                                         names_of("second-edition", "legacy"),
                                         names_of("first-edition", "first-edition")};
  return all[static_cast<std::size_t>(choices.below(static_cast<int>(all.size())))];
}

ScenarioShip some_ship(Choices& choices, const Names& names) {
  ScenarioShip out;
  if (choices.one_in(3)) {
    out.pilot = choices.of(names.pilots);
    const std::vector<std::string> ships = catalogue().ships_of_pilot(*out.pilot, names.cards);
    if (!ships.empty()) out.ship = ships.front();
  } else {
    out.attack = choices.below(4);
    out.agility = choices.below(4);
    out.hull = 1 + choices.below(4);
    out.shields = choices.below(3);
    out.size = choices.of<std::string>({"small", "medium", "large"});
    if (names.rules == "first-edition" && *out.size == "medium") out.size = "large";
  }
  for (int n = choices.below(4); n > 1; --n) out.upgrades.push_back(choices.of(names.upgrades));
  for (int n = choices.below(4); n > 0; --n) {
    const salvo::load::TokenSpec& token = *choices.of(names.tokens);
    out.tokens[token.id] = 1 + choices.below(std::min(2, token.max));
  }
  return out;
}

Scenario some_scenario(Choices& choices) {
  const Names& names = some_names(choices);
  Scenario out;
  out.rules = names.rules;
  out.cards = names.cards;
  out.objective = choices.of<std::string>({"damage", "kill", "health", "exchange"});
  const std::vector<std::string> policies = {"optimal", "optimal", "greedy", "hold"};
  out.attacker_policy = choices.of(policies);
  out.defender_policy = choices.of(policies);
  if (choices.one_in(5)) out.damage_deck = choices.of(names.decks);
  const int attacks = 1 + choices.below(3), least_range = names.rules == "first-edition" ? 1 : 0;
  const bool by_initiative = choices.one_in(3);  // all attacks or none
  for (int i = 0; i < attacks; ++i) {
    ScenarioAttack attack{.by = choices.one_in(3) ? "b" : "a", .on = choices.one_in(3) ? "e" : "d"};
    if (choices.one_in(4)) std::swap(attack.by, attack.on);
    attack.range = least_range + choices.below(4 - least_range);
    attack.obstructed = choices.one_in(4);
    attack.reinforced = !choices.one_in(4);
    if (choices.one_in(8)) attack.weapon = kBestWeapon;
    for (int n = choices.below(4); n > 1; --n) attack.facts.push_back(choices.of(names.facts));
    if (by_initiative) attack.initiative = 5 - i + choices.below(2);
    out.attacks.push_back(attack);
  }
  for (const char* name : {"a", "b", "d", "e"}) {
    const bool there = std::any_of(out.attacks.begin(), out.attacks.end(), [&](const ScenarioAttack& attack) {
      return attack.by == name || attack.on == name;
    });
    if (!there) continue;
    out.ships[name] = some_ship(choices, names);
    out.ships[name].side = name[0] < 'c' ? "mine" : "theirs";
  }
  for (auto& [name, ship] : out.ships) {
    for (const auto& [other, unused] : out.ships) {
      if ((other < "c") != (name < "c") && choices.one_in(3)) ship.locks.push_back(other);
    }
  }
  return out;
}

std::string quoted(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& one : list) out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", one);
  return out;
}

/// The question as TOML, to reproduce it.
std::string text_of(const Scenario& scenario) {
  std::string out = fmt::format(
      "rules = \"{}\"\ncards = \"{}\"\nobjective = \"{}\"\ndamage_deck = \"{}\"\nattacker_policy = \"{}\"\n"
      "defender_policy = \"{}\"\n",
      scenario.rules, scenario.cards, scenario.objective, scenario.damage_deck, *scenario.attacker_policy,
      *scenario.defender_policy);
  for (const auto& [name, ship] : scenario.ships) {
    out += fmt::format("[ships.{}]\nside = \"{}\"\n", name, *ship.side);
    if (ship.ship) out += fmt::format("ship = \"{}\"\n", *ship.ship);
    if (ship.pilot) out += fmt::format("pilot = \"{}\"\n", *ship.pilot);
    if (ship.attack) {
      out += fmt::format("attack = {}\nagility = {}\nhull = {}\nshields = {}\nsize = \"{}\"\n", *ship.attack,
                         *ship.agility, *ship.hull, *ship.shields, *ship.size);
    }
    out += fmt::format("upgrades = [{}]\ntokens = {{ lock = [{}]", quoted(ship.upgrades), quoted(ship.locks));
    for (const auto& [token, n] : ship.tokens) out += fmt::format(", {} = {}", token, n);
    out += " }\n";
  }
  for (const ScenarioAttack& attack : scenario.attacks) {
    out += fmt::format(
        "[[attacks]]\nby = \"{}\"\non = \"{}\"\nweapon = \"{}\"\nrange = {}\nobstructed = {}\nreinforced = {}\nfacts = "
        "[{}]\n",
        attack.by, attack.on, attack.weapon, attack.range, attack.obstructed, attack.reinforced, quoted(attack.facts));
    if (attack.initiative) out += fmt::format("initiative = {}\n", *attack.initiative);
  }
  return out;
}

/// All figures of an engine in one list.
std::vector<double> figures_of(const salvo::game::Distribution& from) {
  std::vector<double> out = {from.value};
  const auto add = [&](const auto& array) { out.insert(out.end(), array.data(), array.data() + array.size()); };
  for (const salvo::game::ShipDistribution& ship : from.ships) {
    add(ship.joint);
    add(ship.damage);
    add(ship.hull);
    add(ship.shields);
    add(ship.tokens_left);
    out.insert(out.end(), {ship.destroyed, ship.faceup});
    for (const auto& [resource, numbers] : ship.tokens_pmf) add(numbers);
  }
  for (const salvo::game::AttackDistribution& attack : from.attacks) {
    out.insert(out.end(), {attack.happens, attack.attack_dice, attack.defense_dice, attack.hit_probability,
                           attack.mean_hits, attack.mean_crits});
  }
  return out;
}

void check_same(const salvo::game::Distribution& got, const salvo::game::Distribution& want, const std::string& what) {
  const std::vector<double> a = figures_of(got), b = figures_of(want);
  if (a.size() != b.size()) throw Finding(fmt::format("{}: {} figures, not {}", what, a.size(), b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= kTolerance)) {
      throw Finding(fmt::format("{}: figure {} is {:.15g}, not {:.15g}", what, i, a[i], b[i]));
    }
  }
}

/// Probabilities are some, and all that can happen happens.
void check_sums(const salvo::game::Distribution& of, const std::string& what) {
  for (const double figure : figures_of(of)) {
    if (!std::isfinite(figure)) throw Finding(what + ": a figure is no number");
  }
  for (const salvo::game::ShipDistribution& ship : of.ships) {
    if (ship.joint.size() > 0 && std::abs(ship.joint.sum() - 1) > kTolerance) throw Finding(what + ": not in all 1");
    if (ship.joint.size() > 0 && ship.joint.minCoeff() < 0) throw Finding(what + ": less than 0");
  }
}

sample::Tally reference_of(const game::Plan& plan, const salvo::game::Policy& policy, std::uint64_t trials) {
  const sample::Setup setup = sample::prepare(plan, policy, 1);
  sample::Tally out(plan);
  sample::play(setup, 0, trials, out);
  return out;
}

/// Every kernel gives the counts of the reference kernel.
void check_kernels(const game::Plan& plan, const salvo::game::Policy& policy, const sample::Tally& want,
                   const std::string& what) {
  for (const sample::Target& target : sample::vector_targets()) {
    sample::KernelDispatcher player(plan, policy, 1, sample::Generator::Philox4x32_10, {}, target);
    if (!player.fallback().empty()) throw Finding(what + ": " + player.fallback());
    sample::Tally got(plan);
    player.play(0, kTrials / 3, got);
    player.play(kTrials / 3, kTrials, got);
    if (!(got == want)) throw Finding(fmt::format("{}: {} ({}) miscounts", what, target.name, player.kernel()));
  }
  try {
    const sample::Setup setup = sample::prepare(plan, policy, 1);
    sample::LaneKernel lanes(setup, sample::vector_targets().front(), {});
    sample::Tally got(plan);
    lanes.play(0, kTrials, got);
    if (!(got == want)) throw Finding(what + ": lanes miscount");
  } catch (const sample::UnsupportedByKernel&) {
  }
}

/// The sampled counts fit the exact distribution.
void check_fit(const game::Plan& plan, const salvo::game::Distribution& exact, const salvo::game::Distribution& sampled,
               const std::string& what) {
  const auto n = static_cast<double>(kTrials);
  for (std::size_t s = 0; s < exact.ships.size(); ++s) {
    const salvo::game::ShipDistribution &want = exact.ships[s], &got = sampled.ships[s];
    if (fit::test(got.joint, want.joint, kTrials).p < kFalseAlarm) {
      throw Finding(fmt::format("{}: hits on ship {} are not those of the exact engine", what, s));
    }
    if (want.damage.size() > 0 && fit::test(got.damage, want.damage, kTrials).p < kFalseAlarm) {
      throw Finding(fmt::format("{}: damage of ship {} is not that of the exact engine", what, s));
    }
    for (Eigen::Index r = 0; r < want.tokens_left.size(); ++r) {
      const salvo::game::Resource::Kind kind = plan.resources[static_cast<std::size_t>(r)].kind;
      if (kind != salvo::game::Resource::Kind::Token && kind != salvo::game::Resource::Kind::Charge)
        continue;  // the others are not reported
      const double error = got.tokens_left_se.size() > 0 ? got.tokens_left_se(r) : 0;
      if (std::abs(got.tokens_left(r) - want.tokens_left(r)) > 8 * error + 60 / n) {
        throw Finding(fmt::format("{}: of resource {} ship {} keeps {}, not {}", what, r, s, got.tokens_left(r),
                                  want.tokens_left(r)));
      }
    }
  }
}

}  // namespace

void compare_engines(const game::Plan& plan, const std::string& what) {
  exact::Solution best;
  try {
    best = exact::solve(plan, {.edges = kEdges});
  } catch (const PlanTooLarge&) {
    return;
  }
  const salvo::game::Distribution want = exact::enumerate(plan, best);
  check_sums(want, what);
  if (std::abs(want.value - best.value) > kTolerance) throw Finding(what + ": solved and enumerated values differ");
  for (const exact::Solver solver : {exact::Solver::Graph, exact::Solver::Segments, exact::Solver::Tables}) {
    const std::string way = fmt::format("solver {} of {}", static_cast<int>(solver), what);
    try {
      const exact::Solution other = exact::solve(plan, {.edges = 4 * kEdges, .solver = solver});
      if (!(std::abs(other.value - best.value) <= kTolerance)) throw Finding(way + ": another value");
      if (!(std::abs(other.second_value - best.second_value) <= kTolerance)) throw Finding(way + ": another damage");
      check_same(exact::enumerate(plan, other), want, way);
    } catch (const PlanTooLarge&) {
    } catch (const std::invalid_argument&) {  // it cannot solve the plan
    }
  }
  const sample::Tally counts = reference_of(plan, best.policy, kTrials);
  check_kernels(plan, best.policy, counts, what);
  check_fit(plan, want, counts.distribution(plan), what);
  const auto short_sighted = [](salvo::game::PolicyKind kind) {
    return kind == salvo::game::PolicyKind::Greedy || kind == salvo::game::PolicyKind::Hold;
  };
  if (short_sighted(plan.attacker_policy) && short_sighted(plan.defender_policy)) {
    if (!(reference_of(plan, exact::greedy_policy(plan), 300) == reference_of(plan, best.policy, 300)))
      throw Finding(what + ": greedy as it is met is not greedy in advance");
  }
}

void play_plan(std::string_view bytes) {
  Choices choices(bytes);
  const Scenario scenario = some_scenario(choices);
  compare_engines(compile::compile_scenario(catalogue(), scenario).plan, "this plan:\n" + text_of(scenario));
}

}  // namespace fuzz
