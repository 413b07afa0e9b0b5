#include "support/differential.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace differential {
namespace {

constexpr double kTolerance = 1e-12;

const std::vector<std::string>& orange_and_red() {
  static const std::vector<std::string> kinds = {"strain", "deplete", "tractor", "stress", "ion", "jam"};
  return kinds;
}

/// Most attack dice, agility and green tokens of a ship.
struct Limits {
  int dice = 3, agility = 3, tokens = 3;
};

/// For Size::Small: what the literal reference can play in a few milliseconds.
Limits limits_of(Size size, std::size_t attacks) {
  if (size == Size::Medium) return {4, 4, 4};
  if (size == Size::OneLargeAttack) return {6, 5, 4};
  if (attacks == 1) return {4, 3, 4};
  return attacks == 2 ? Limits{3, 3, 3} : Limits{2, 3, 2};
}

std::size_t number_of_attacks(Pick& pick, Size size) {
  if (size == Size::OneLargeAttack) return 1;
  if (size == Size::Medium) return pick.of<std::size_t>({1, 2, 3, 4});
  return pick.of<std::size_t>({1, 1, 2, 2, 3});
}

literal::Ship random_ship(Pick& pick, const std::string& name, const Limits& limits) {
  literal::Ship ship;
  ship.name = name;
  ship.attack = pick.one_in(12) ? 0 : 1 + pick.below(limits.dice);
  ship.agility = pick.below(limits.agility + 1);
  ship.hull = 1 + pick.below(4);
  ship.shields = pick.below(3);
  ship.size = pick.of<std::string>({"small", "small", "medium", "large", "huge"});
  const std::vector<std::string> green = {"focus", "calculate", "evade", "force"};
  for (int n = pick.below(limits.tokens + 1); n > 0; --n) ship.tokens[pick.of(green)] += 1;
  if (pick.one_in(4)) ship.tokens["reinforce"] = 1 + pick.below(3);
  for (const std::string& kind : orange_and_red())
    if (pick.one_in(6)) ship.tokens[kind] = 1 + pick.below(kind == "tractor" ? 6 : 2);
  return ship;
}

/// Attackers and defenders: a and b are mine, d and e theirs.
void add_attacks(Pick& pick, literal::Scenario& scenario, std::size_t attacks) {
  const int shape = pick.below(4);
  for (std::size_t i = 0; i < attacks; ++i) {
    literal::Attack attack;
    attack.by = "a";
    attack.on = "d";
    if (shape == 1 && i % 2 == 1) std::swap(attack.by, attack.on);  // a duel
    if (shape == 2 && pick.one_in(2)) attack.by = "b";
    if (shape == 3) {
      attack.by = pick.of<std::string>({"a", "b"});
      attack.on = pick.of<std::string>({"d", "e"});
      if (pick.one_in(2)) std::swap(attack.by, attack.on);
    }
    attack.range = pick.below(6);
    attack.obstructed = pick.one_in(4);
    attack.reinforced = !pick.one_in(4);
    scenario.attacks.push_back(attack);
  }
}

/// No initiative, one for all, or falling ones with equal neighbours.
void add_initiatives(Pick& pick, literal::Scenario& scenario) {
  if (pick.one_in(2)) return;
  int initiative = 6;
  for (literal::Attack& attack : scenario.attacks) {
    attack.initiative = initiative;
    initiative -= pick.below(2);
  }
}

bool takes_part(const literal::Scenario& scenario, const std::string& ship, bool attacking) {
  return std::any_of(scenario.attacks.begin(), scenario.attacks.end(), [&](const literal::Attack& attack) {
    return attacking ? attack.by == ship : attack.by == ship || attack.on == ship;
  });
}

void add_ships(Pick& pick, literal::Scenario& scenario, const Limits& limits) {
  const int stated = pick.below(3);  // sides: derived by the rule, stated for all, or stated and exchanged
  for (const std::string name : {"a", "b", "d", "e"}) {
    const bool bystander = !takes_part(scenario, name, false);
    if (bystander && !(name == "b" && pick.one_in(3))) continue;
    literal::Ship ship = random_ship(pick, name, limits);
    if (!takes_part(scenario, name, true)) {
      if (pick.one_in(4)) ship.tokens["cloak"] = 1;
      if (pick.one_in(6)) ship.tokens["disarm"] = 1;
    }
    const int side = name < "c" ? 1 : -1;
    if (stated > 0 || bystander || scenario.attacks.size() > 1) ship.side = stated == 2 ? -side : side;
    if (scenario.objective == "damage" && pick.one_in(3)) ship.hull = -1;
    scenario.ships.push_back(ship);
  }
  for (literal::Ship& ship : scenario.ships)
    for (const literal::Ship& other : scenario.ships)
      if (other.name != ship.name && pick.one_in(2)) ship.locks.push_back(other.name);
}

/// Collects differences beyond the tolerance.
class Differences {
 public:
  void compare(const std::string& what, double got, double want) {
    if (std::abs(got - want) <= kTolerance * std::max(1.0, std::abs(want))) return;
    list_.push_back(fmt::format("{}: got {:.17g}, expected {:.17g}", what, got, want));
  }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

void compare_joint(Differences& out, const std::string& name, const Eigen::ArrayXXd& got,
                   const std::map<std::pair<int, int>, double>& want) {
  std::map<std::pair<int, int>, double> left = want;
  for (Eigen::Index h = 0; h < got.rows(); ++h) {
    for (Eigen::Index c = 0; c < got.cols(); ++c) {
      const auto at = left.extract({static_cast<int>(h), static_cast<int>(c)});
      out.compare(fmt::format("{}.joint[{},{}]", name, h, c), got(h, c), at.empty() ? 0.0 : at.mapped());
    }
  }
  for (const auto& [taken, p] : left)
    out.compare(fmt::format("{}.joint[{},{}]", name, taken.first, taken.second), 0, p);
}

void compare_ship(Differences& out, const salvo::compile::CompiledScenario& question, std::size_t s,
                  const salvo::game::ShipDistribution& got, const literal::ShipResult& want) {
  const salvo::compile::Labels& labels = question.labels;
  const std::string& name = labels.ships[s];
  compare_joint(out, name, got.joint, want.joint);
  out.compare(name + ".destroyed", got.destroyed, want.destroyed);
  if (question.plan.damage_deck) {
    out.compare(name + ".faceup", got.faceup, want.faceup);
    std::map<int, double> left = want.damage;
    for (Eigen::Index k = 0; k < got.damage.size(); ++k) {
      const auto at = left.extract(static_cast<int>(k));
      out.compare(fmt::format("{}.damage[{}]", name, k), got.damage(k), at.empty() ? 0.0 : at.mapped());
    }
    for (const auto& [k, p] : left) out.compare(fmt::format("{}.damage[{}]", name, k), 0, p);
  }
  std::map<std::string, double> tokens;
  for (std::size_t r = 0; r < labels.resources.size(); ++r) {
    if (labels.resources[r].ship == static_cast<int>(s) && labels.resources[r].is_token)
      tokens[labels.resources[r].name] += got.tokens_left(static_cast<Eigen::Index>(r));
  }
  for (const auto& [token, number] : want.tokens_left)
    out.compare(fmt::format("{}.tokens_left.{}", name, token), tokens[token], number);
}

void compare_attack(Differences& out, std::size_t k, const salvo::game::AttackDistribution& got,
                    const literal::AttackResult& want) {
  const std::string name = fmt::format("attacks[{}].", k);
  out.compare(name + "happens", got.happens, want.happens);
  out.compare(name + "attack_dice", got.attack_dice, want.attack_dice);
  out.compare(name + "defense_dice", got.defense_dice, want.defense_dice);
  out.compare(name + "hit_probability", got.hit_probability, want.hit_probability);
  out.compare(name + "mean_hits", got.mean_hits, want.mean_hits);
  out.compare(name + "mean_crits", got.mean_crits, want.mean_crits);
}

}  // namespace

literal::Scenario random_scenario(Pick& pick, Size size) {
  literal::Scenario scenario;
  scenario.objective = pick.of<std::string>({"damage", "kill", "health", "exchange"});
  const std::vector<std::string> policies = {"optimal", "optimal", "greedy", "hold"};
  scenario.attacker_policy = pick.of(policies);
  scenario.defender_policy = pick.of(policies);
  const std::size_t attacks = number_of_attacks(pick, size);
  add_attacks(pick, scenario, attacks);
  add_initiatives(pick, scenario);
  add_ships(pick, scenario, limits_of(size, attacks));
  return scenario;
}

std::string text_of(const literal::Scenario& scenario) {
  std::string out = scenario.first_edition ? "rules = \"first-edition\"\n" : "";
  if (scenario.deck) out += "damage_deck = \"core\"\n";
  out += fmt::format("objective = \"{}\"\nattacker_policy = \"{}\"\ndefender_policy = \"{}\"\n", scenario.objective,
                     scenario.attacker_policy, scenario.defender_policy);
  for (const literal::Ship& ship : scenario.ships) {
    out += fmt::format("[ships.{}]\n", ship.name);
    if (ship.side != 0) out += fmt::format("side = \"{}\"\n", ship.side > 0 ? "mine" : "theirs");
    out += fmt::format("attack = {}\nagility = {}\nsize = \"{}\"\n", ship.attack, ship.agility, ship.size);
    if (ship.hull > 0) out += fmt::format("hull = {}\n", ship.hull);
    out += fmt::format("shields = {}\ntokens = {{", ship.shields);
    for (const auto& [token, n] : ship.tokens) out += fmt::format(" {} = {},", token, n);
    std::string locks;
    for (const std::string& on : ship.locks) locks += fmt::format("{}\"{}\"", locks.empty() ? "" : ", ", on);
    out += fmt::format(" lock = [{}] }}\n", locks);
  }
  for (const literal::Attack& attack : scenario.attacks) {
    out += fmt::format("[[attacks]]\nby = \"{}\"\non = \"{}\"\nrange = {}\nobstructed = {}\nreinforced = {}\n",
                       attack.by, attack.on, attack.range, attack.obstructed, attack.reinforced);
    if (attack.initiative) out += fmt::format("initiative = {}\n", *attack.initiative);
  }
  return out;
}

literal::Scenario in_first_edition(literal::Scenario scenario) {
  scenario.first_edition = true;
  for (literal::Ship& ship : scenario.ships) {
    for (const char* token : {"calculate", "force", "reinforce", "strain", "deplete"}) ship.tokens.erase(token);
    if (ship.size == "medium") ship.size = "large";
  }
  for (literal::Attack& attack : scenario.attacks) {
    constexpr int kRange[] = {1, 1, 2, 3, 2, 3};
    attack.range = kRange[attack.range];
  }
  return scenario;
}

std::vector<std::string> differences(const salvo::compile::CompiledScenario& question,
                                     const salvo::game::Distribution& got, const literal::Result& want,
                                     bool only_value) {
  Differences out;
  out.compare("value", got.value, want.value);
  if (only_value) return out.take();
  for (std::size_t s = 0; s < got.ships.size(); ++s)
    compare_ship(out, question, s, got.ships[s], want.ships.at(question.labels.ships[s]));
  for (std::size_t k = 0; k < got.attacks.size(); ++k) compare_attack(out, k, got.attacks[k], want.attacks[k]);
  return out.take();
}

}  // namespace differential
