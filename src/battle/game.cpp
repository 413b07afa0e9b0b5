#include "battle/game.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "battle/next_round.h"

namespace salvo::battle {

Game::Game(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget, const TablesSource& source)
    : Rules(catalogue, question, attack_budget, source) {
  find_strengths();
  for (int s = 0; s < ships(); ++s) {
    TableKeys& keys = keys_[at(s)];
    keys.ordered = policy_of(s) == BattlePolicy::FocusFire || names_targets(ship(s).mine);
    for (int e = 0; e < ships(); ++e) keys.health |= tables_->reads_health(ship(s).type, ship(e).type) ? -1 : 0;
    const Range enemies = enemies_of(s);
    for (int e = enemies.first; e < enemies.end; ++e) {
      const std::size_t i = at(e - enemies.first);
      keys.attack[i] = pair_key(s, e, s);
      keys.lost[i] = pair_key(e, s, s);
    }
    most_options_ = std::max(most_options_, type_of(s).options.size());
    OptionMasks& masks = option_masks_[at(s)];
    for (const ActionOption& option : type_of(s).options) {
      const unsigned bit = 1u << masks.options++;
      if (option.focus_only) masks.focus_only |= bit;
      if (option.lock && option.free()) masks.free_lock |= bit;
      if (option.lock) masks.lock |= bit;
      if (!option.spent.empty() || !option.without.empty() || option.most_stress < type_of(s).most_stress)
        masks.priced |= bit;
    }
  }
}

const Weights Game::kEven = [] {
  Weights out;
  out.damage.fill(1);
  return out;
}();

// ---------------------------------------------------------------- the policy sound

/// What a kill is worth against damage, in shots, where the weights of ships are not known yet.
constexpr double kKillShots = 1;

void Game::find_strengths() {
  for (const int first : {0, 1}) {
    for (int i = 0; i < ships(); ++i) {
      place_[at(first)][at(engagement_[at(first)][at(i)])] = i;
      turn_[at(first)][at(activation_[at(first)][at(i)])] = i;
    }
  }
  for (int s = 0; s < ships(); ++s) weighs_ = weighs_ || policy_of(s) == BattlePolicy::Sound;
  if (!weighs_) return;
  for (int s = 0; s < ships(); ++s) {
    const Range enemies = enemies_of(s);
    for (int e = enemies.first; e < enemies.end; ++e) strengths_[at(s)].shot[at(e)] = usual_shot(s, e);
  }
  const BattleState fresh = start();
  for (int s = 0; s < ships(); ++s) {
    Strength& mine = strengths_[at(s)];
    const Range enemies = enemies_of(s);
    double dealt = 0, taken = 0;
    for (int e = enemies.first; e < enemies.end; ++e) {
      dealt += damage_in_round(fresh, s, e, false, 0);
      taken += damage_in_round(fresh, e, s, false, 0);
      mine.kill[at(e)] = kMissedShots + (ship(e).initiative < ship(s).initiative ? 1 : 0);
    }
    const double n = enemies.end - enemies.first;
    mine.threat = dealt / n;
    mine.hard = n / std::max(taken, 1e-3 * n);
  }
}

/// The damage that a side does until it is destroyed: every ship fires until the enemies' shots have destroyed it, and
/// they destroy ships in the order of damage done over shots needed (Smith's rule). The weights are the share of it
/// that one damage and a kill take away.
void Game::weigh_side(const BattleState& now, bool mine, Weights& out) const {
  const Range own = mine ? Range{0, mine_} : Range{mine_, ships()}, enemies = enemies_of(own.first);
  double shooters = 0;
  for (int e = enemies.first; e < enemies.end; ++e) shooters += now.ship[at(e)].gone ? 0 : 1;
  std::array<double, kMaxShips> work, index;
  for (int s = own.first; s < own.end; ++s) {
    work[at(s)] = now.ship[at(s)].health * strengths_[at(s)].hard;
    index[at(s)] = work[at(s)] > 0 ? strengths_[at(s)].threat / work[at(s)] : -1;
  }
  shooters = std::max(shooters, 1.0);
  double total = 0;
  for (int s = own.first; s < own.end; ++s) {
    if (index[at(s)] < 0) continue;
    double after = 0;
    for (int o = own.first; o < own.end; ++o)
      after += index[at(o)] >= 0 && index[at(o)] <= index[at(s)] ? strengths_[at(o)].threat : 0;
    out.damage[at(s)] = after / shooters;
    double before = 0;
    for (int o = own.first; o < own.end; ++o) before += index[at(o)] > index[at(s)] || o == s ? work[at(o)] : 0;
    total += strengths_[at(s)].threat * (before / shooters + kMissedShots);
  }
  const double scale = total > 0 ? 1 / total : 0;
  for (int s = own.first; s < own.end; ++s) {
    out.damage[at(s)] *= strengths_[at(s)].hard * scale;
    out.kill[at(s)] = strengths_[at(s)].threat * scale;
  }
}

std::vector<Action> Game::actions(const Maneuver& after, int s, EvaluationTables& evaluations) const {
  if (!after.acts || solved(ship(s).mine)) return legal_actions(after, s);
  return {choose_action(after.now, s, after.focus_only, firing_lines(after.now), &evaluations)};
}

std::vector<ChosenAttack> Game::attacks(const BattleState& now, int s, EvaluationTables& evaluations) const {
  if (now.ship[at(s)].gone || solved(ship(s).mine)) return legal_attacks(now, s);
  const ChosenAttack one = choose_attack(now, s, &evaluations);
  return one.target >= 0 ? std::vector{one} : std::vector<ChosenAttack>();
}

// ---------------------------------------------------------------- scores

double Game::measure(const Outcomes& outcomes, int target, int health, BattlePolicy policy, double kill_shots) const {
  const auto h = at(health);
  switch (policy) {
    case BattlePolicy::LikeliestKill:
      // A small share of the damage, so that of two certain or two hopeless kills the stronger shot is made.
      return outcomes.at_least[h] + 1e-3 * outcomes.counted[h];
    case BattlePolicy::Points: {
      const int full = type_of(target).health(), half = std::max(1, health - full / 2);
      const int already = points_lost(target, health);
      const double value = (ship(target).points - ship(target).points / 2) * outcomes.at_least[h];
      const double first = already > 0 ? 0 : ship(target).points / 2 * outcomes.at_least[at(half)];
      return value + first + 1e-3 * outcomes.counted[h];
    }
    case BattlePolicy::Value: {
      const ShipType& type = type_of(target);
      return type.attack * (outcomes.at_least[h] + outcomes.counted[h] / type.health()) / 2;
    }
    case BattlePolicy::Sound:
      return outcomes.counted[h] + kill_shots / strengths_[at(target)].hard * outcomes.at_least[h];
    case BattlePolicy::Greedy:
    case BattlePolicy::FocusFire:
    case BattlePolicy::Best:
    case BattlePolicy::Optimal:
      break;
  }
  return outcomes.counted[h];
}

/// Calls visit(key, outcomes) for each attack on an enemy that can be made with these tokens. `keeps`: also for those
/// that keep the lock.
template <typename Visit>
void Game::each_way(const BattleState& now, int by, int on, int state, bool lock, int shot, bool keeps,
                    const Visit& visit) const {
  for (std::size_t w = 0; w < type_of(by).weapons.size(); ++w) {
    if (!type_of(by).weapons[w].fits(Shot::of(shot))) continue;
    AttackKey key = key_of(now, by, on, static_cast<int>(w), shot);
    key.attacker_state = tables_->with_health(ship(by).type, ship(on).type, state, now.ship[at(by)].health);
    key.lock = lock;
    for (const bool kept : {false, true}) {
      if (kept && !(keeps && lock)) continue;
      key.keeps_lock = kept;
      const Outcomes& outcomes = tables_->attack(key);
      if (outcomes.possible) visit(key, outcomes);
    }
  }
}

BestShot Game::best_shot(const BattleState& now, int by, int on, int shot, BattlePolicy policy) const {
  const ShipState& me = now.ship[at(by)];
  const int health = now.ship[at(on)].health;
  const bool sound = policy == BattlePolicy::Sound;
  std::optional<NextRound> next;
  if (sound) next.emplace(*this, now, me, by, on);
  BestShot out;
  double most = out.value;
  each_way(now, by, on, me.state, me.lock == on, shot, sound, [&](const AttackKey& key, const Outcomes& outcomes) {
    const double later = next ? next->gain(outcomes) : 0;
    const double value = measure(outcomes, on, health, policy, kKillShots) + later;
    if (value <= most + kSame) return;
    most = value;
    out = {value, outcomes.draw.draw(), static_cast<std::int16_t>(key.weapon), key.keeps_lock};
    if (!sound) return;
    out.value = outcomes.counted[at(health)] + later;
    out.kill = outcomes.at_least[at(health)];
  });
  return out;
}

/// The score of the best attack. `before`: what the ship had before its action, which counts with what the attack
/// leaves for the next round; null: this round alone counts.
double Game::best_weapon(const BattleState& now, int by, int on, int state, bool lock, int shot, BattlePolicy policy,
                         const ShipState* before) const {
  std::optional<NextRound> next;
  if (before != nullptr) next.emplace(*this, now, *before, by, on);
  std::optional<double> most;
  const int health = now.ship[at(on)].health;
  const double kill_shots = strengths_[at(by)].kill[at(on)];
  each_way(now, by, on, state, lock, shot, before != nullptr, [&](const AttackKey& /*key*/, const Outcomes& outcomes) {
    const double later = next ? next->gain(outcomes) : 0;
    const double value = measure(outcomes, on, health, policy, kill_shots) + later;
    most = most ? std::max(*most, value) : value;
  });
  return most.value_or(0);
}

/// The mean of a score of the states in which an attack leaves the attacker and the defender.
template <typename Score>
double Game::mean_over(const AttackKey& key, const Score& score) const {
  const Outcomes& outcomes = tables_->attack(key);
  std::vector<std::pair<std::pair<int, int>, double>> left;  // in the order of the outcomes, as numbers of states vary
  for (std::size_t i = 0; i < outcomes.list.size(); ++i) {
    const std::pair<int, int> states{outcomes.list[i].attacker, outcomes.list[i].defender};
    auto place = std::find_if(left.begin(), left.end(), [&](const auto& one) { return one.first == states; });
    if (place == left.end()) place = left.insert(left.end(), {states, 0});
    place->second += outcomes.chance[i];
  }
  double out = 0;
  for (const auto& [states, p] : left) out += p * score(states.first, states.second);
  return out;
}

/// The attack with the most expected damage, whatever health is left; nothing without a weapon.
std::optional<AttackKey> Game::usual_attack(const BattleState& now, int by, int on, int shot, bool lock) const {
  std::optional<AttackKey> out;
  double most = -1;
  each_way(now, by, on, now.ship[at(by)].state, lock, shot, false, [&](const AttackKey& key, const Outcomes& outcomes) {
    if (outcomes.counted.back() <= most + kSame) return;
    most = outcomes.counted.back();
    out = key;
  });
  return out;
}

/// A ship that still acts in this round, after the action with which its attack does the most damage to a fresh enemy.
ShipState Game::after_usual_action(const BattleState& now, int by, int on, int shot) const {
  const ShipState& me = now.ship[at(by)];
  const TokenStates& known = tables_->states();
  const int t = ship(by).type;
  BattleState fresh = now;
  fresh.ship[at(on)].health = static_cast<std::uint8_t>(type_of(on).health());
  ShipState out = me;
  double most = -1;
  for (std::size_t o = 0; o < type_of(by).options.size(); ++o) {
    const ActionOption& option = type_of(by).options[o];
    if (!known.can_pay(t, me.state, static_cast<int>(o)) || (known.ionized(t, me.state) && !option.focus_only))
      continue;
    const int state = tables_->states().after_action(t, me.state, static_cast<int>(o));
    const bool lock = option.lock || me.lock == on;
    const double damage = best_weapon(fresh, by, on, state, lock, shot, BattlePolicy::Greedy);
    if (damage <= most + kSame) continue;
    most = damage;
    out.state = static_cast<std::uint16_t>(state);
    out.lock = static_cast<std::int8_t>(lock ? on : me.lock);
  }
  return out;
}

/// An enemy as ship s expects it in this round.
ShipState Game::expected(const BattleState& now, int s, int e, int shot) const {
  const bool acts = action_policy_of(s) == BattlePolicy::Sound && acts_later(now, s, e);
  return acts ? after_usual_action(now, e, s, shot) : now.ship[at(e)];
}

/// By option of the ship: the score of its attack on the enemy, with a lock if the option is a lock. For the policy
/// sound, an enemy that engages first defends with what its own attack, here on this ship and by the same line of fire,
/// leaves it.
void Game::find_dealt(const BattleState& now, int s, int enemy, const FiringLines& firing, double* row) const {
  const int e = enemies_of(s).first + enemy, shot = firing.shot[at(s)][at(enemy)];
  const BattlePolicy policy = action_policy_of(s);
  const bool second = policy == BattlePolicy::Sound && engages_first(now, e, s);
  const ShipType& type = type_of(s);
  const ShipState &me = now.ship[at(s)], foe = expected(now, s, e, shot);
  BattleState then = now;
  for (std::size_t o = 0; o < type.options.size(); ++o, ++row) {
    *row = 0;
    if (!tables_->states().can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    const int state = tables_->states().after_action(ship(s).type, me.state, static_cast<int>(o));
    const auto score = [&](int left, int /*kept*/) {
      then.ship[at(e)].state = static_cast<std::uint16_t>(left);
      return best_weapon(then, s, e, state, type.options[o].lock || me.lock == e, shot, policy,
                         policy == BattlePolicy::Sound ? &me : nullptr);
    };
    then.ship[at(s)].state = static_cast<std::uint16_t>(state);
    then.ship[at(e)].state = foe.state;
    const auto first = second ? usual_attack(then, e, s, shot, foe.lock == s) : std::nullopt;
    *row = first ? mean_over(*first, score) : score(foe.state, state);
  }
}

/// By option of the ship: the score of the enemy's attack on it. For the policy `sound`, where the ship engages first,
/// its own attack, here on this enemy, takes tokens of both first.
void Game::find_lost(const BattleState& now, int s, int enemy, const FiringLines& firing, double* row) const {
  const int e = enemies_of(s).first + enemy, shot_back = firing.shot[at(e)][at(s - enemies_of(e).first)];
  const BattlePolicy policy = action_policy_of(s);
  const bool second = policy == BattlePolicy::Sound && engages_first(now, s, e);
  const ShipType& type = type_of(s);
  const ShipState &me = now.ship[at(s)], foe = expected(now, s, e, shot_back);
  BattleState then = now;
  then.ship[at(e)].state = foe.state;
  for (std::size_t o = 0; o < type.options.size(); ++o, ++row) {
    *row = 0;
    if (!tables_->states().can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    const int state = tables_->states().after_action(ship(s).type, me.state, static_cast<int>(o));
    const auto score = [&](int left, int kept) {
      then.ship[at(s)].state = static_cast<std::uint16_t>(left);
      return best_weapon(then, e, s, kept, foe.lock == s, shot_back, policy);
    };
    then.ship[at(s)].state = static_cast<std::uint16_t>(state);
    const auto first = second ? usual_attack(then, s, e, shot_back, type.options[o].lock) : std::nullopt;
    *row = first ? mean_over(*first, score) : score(state, foe.state);
  }
}

// ---------------------------------------------------------------- keys and probes

/// The variable part of a ship in the keys of attacks by it and on it. The health of the attacker is part of the key
/// only where something reads it.
inline Game::KeyParts Game::key_parts(const ShipState& ship, int s) const {
  static_assert(kMaxShips <= 1 << 4 && kMaxStates <= 1 << 9 && kMaxHealth < 1 << 6 && kShots <= 1 << 4);
  static_assert(AttackTables::kNoHandId < 1 << 8);
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  return {put(ship.state, 29) | put(ship.health & keys_[at(s)].health, 13) | put(ship.attacks, 48),
          put(ship.state, 19) | put(ship.health, 7) | put(ship.defends, 56)};
}

/// Whether equal ids mean equal hands.
inline bool Game::hands_have_ids(const BattleState& now) const {
  if (tables_->deck() == nullptr) return true;
  return std::none_of(now.ship.begin(), now.ship.end(), [](const ShipState& one) {
    return one.attacks == AttackTables::kNoHandId || one.defends == AttackTables::kNoHandId;
  });
}

/// The constant part of a key. Most policies score ships of one type alike. Points does not, since their points may
/// differ, nor does sound, which weighs them by their initiative and their place in the flight.
std::uint64_t Game::pair_key(int by, int on, int chooser) const {
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  const BattlePolicy policy = policy_of(chooser);
  const auto of = [&](int s) {
    if (policy == BattlePolicy::Sound) return first_of_strength(s);
    return policy == BattlePolicy::Points ? s : ship(s).alike;
  };
  const bool differ = policy_of(0) != policy_of(mine_);
  return put(1, kKeyBit) | put(of(by), 43) | put(of(on), 39) | put(differ && ship(chooser).mine ? 1 : 0, 1);
}

/// The first ship of the side that is of the type and the strength of this one, and is shot at alike.
int Game::first_of_strength(int s) const {
  const auto same = [&](int other) {
    const Range enemies = enemies_of(s);
    bool out = ship(other).alike == ship(s).alike && strengths_[at(other)] == strengths_[at(s)];
    for (int e = enemies.first; e < enemies.end; ++e)
      out = out && strengths_[at(e)].shot[at(other)] == strengths_[at(e)].shot[at(s)];
    return out;
  };
  int first = ship(s).mine ? 0 : mine_;
  while (!same(first)) ++first;
  return first;
}

namespace {

/// Calls visit(e) for each index in a set of enemies.
template <typename Visit>
inline void each_of(unsigned set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

constexpr auto kAll = [](const ShipState& /*enemy*/) { return true; };

std::array<double, 1 << kMaxBattleShips> shares() {
  std::array<double, 1 << kMaxBattleShips> out{};
  for (unsigned set = 1; set < out.size(); ++set) out[set] = 1.0 / std::popcount(set);
  return out;
}

}  // namespace

const std::array<double, 1 << kMaxBattleShips> Game::share_ = shares();

/// The attacks of a ship on enemies, or theirs on it.
struct Game::ProbeGroup {
  int ship;
  bool by;  ///< the ship makes them
  unsigned enemies;
  const std::array<std::uint64_t, kMaxBattleShips>& who;
  bool ordered = false;  ///< the scores depend on who acts and engages first
};
/// The ship engages before the enemy; the enemy acts after the ship; the enemy has a lock on it.
constexpr std::uint64_t kOrderBit = 1u << 2, kLaterBit = 1u << 28, kLockedBit = std::uint64_t{1} << 38;

/// Writes a probe for each enemy for which counts(enemy) holds. `place(key)`: the place of the key in the table.
template <typename Entry, typename Place, typename Counts>
Probe<Entry>* Game::fill_probes(const BattleState& now, const FiringLines& firing, const ProbeGroup& of,
                                std::size_t lane, const Place& place, const Counts& counts, Probe<Entry>* to) const {
  const int s = of.ship, first = enemies_of(s).first;
  const ShipState me = now.ship[at(s)];
  const KeyParts mine = key_parts(me, s);
  const std::size_t own = at(s - enemies_of(first).first);
  each_of(of.enemies, [&](std::size_t i) {
    const int e = first + static_cast<int>(i);
    const ShipState enemy = now.ship[at(e)];
    const KeyParts his = key_parts(enemy, e);
    const bool later = of.ordered && acts_later(now, s, e);
    const std::uint64_t order = of.ordered && engages_first(now, s, e) ? kOrderBit : 0;
    const std::uint64_t locked = of.ordered && of.by && enemy.lock == s ? kLockedBit : 0;
    const auto name = order | locked | (later ? kLaterBit : 0) |
                      (of.by ? key_of_attack(of.who[i], mine, his, firing.shot[at(s)][i], me.lock == e)
                             : key_of_attack(of.who[i], his, mine, firing.shot[at(e)][own], enemy.lock == s));
    // The attack in the other direction, which then matters too, reads cards that the name has no room for.
    const bool reads = of.by ? of.ordered && (later || order == 0) : order != 0;
    const bool more = reads && (of.by ? enemy.attacks | me.defends : me.attacks | enemy.defends) != 0;
    *to = {name, more ? nullptr : place(name), static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(lane)};
    to += static_cast<std::ptrdiff_t>(counts(enemy));
  });
  return to;
}

Probe<EvaluationTables::Entry>* Game::prefetch_targets(const BattleState& now, int s, const FiringLines& firing,
                                                       EvaluationTables* evaluations, std::size_t lane,
                                                       Probe<EvaluationTables::Entry>* to) const {
  const auto place = [&](std::uint64_t name) {
    return evaluations != nullptr ? evaluations->best_shot_place(name) : nullptr;
  };
  const auto lives = [](const ShipState& enemy) { return enemy.health > 0; };
  return fill_probes(now, firing, {s, true, firing.targets[at(s)], keys_[at(s)].attack}, lane, place, lives, to);
}

Probe<double>* Game::prefetch_dealt(const BattleState& now, int s, const FiringLines& firing,
                                    EvaluationTables* evaluations, std::size_t lane, Probe<double>* to) const {
  const auto place = [&](std::uint64_t name) {
    return evaluations != nullptr ? evaluations->dealt.place(name) : nullptr;
  };
  const unsigned targets = first_targets(s, firing.targets[at(s)]);
  return fill_probes(now, firing, {s, true, targets, keys_[at(s)].attack, policy_of(s) == BattlePolicy::Sound}, lane,
                     place, kAll, to);
}

Probe<double>* Game::prefetch_lost(const BattleState& now, int s, const FiringLines& firing,
                                   EvaluationTables* evaluations, std::size_t lane, Probe<double>* to) const {
  const auto place = [&](std::uint64_t name) {
    return evaluations != nullptr ? evaluations->lost.place(name) : nullptr;
  };
  return fill_probes(now, firing,
                     {s, false, firing.threats[at(s)], keys_[at(s)].lost, policy_of(s) == BattlePolicy::Sound}, lane,
                     place, kAll, to);
}

// ---------------------------------------------------------------- choices

ChosenAttack Game::choose_attack(const BattleState& now, int s, EvaluationTables* evaluations) const {
  if (evaluations != nullptr && !hands_have_ids(now)) evaluations = nullptr;
  FiringLines firing;
  firing.targets[at(s)] = 0;
  const Range enemies = enemies_of(s);
  for (int e = enemies.first, i = 0; e < enemies.end; ++e, ++i) {
    const int shot = now.ship[at(e)].gone ? -1 : shot_of(now, s, e);
    firing.shot[at(s)][at(i)] = static_cast<std::int8_t>(shot);
    if (shot >= 0) firing.targets[at(s)] = static_cast<std::uint16_t>(firing.targets[at(s)] | 1u << i);
  }
  std::array<Probe<EvaluationTables::Entry>, kMaxBattleShips + 1> asks;
  Probe<EvaluationTables::Entry>* const end = prefetch_targets(now, s, firing, evaluations, 0, asks.data());
  TargetSearch search;
  Weights weights;
  if (weighs_) weigh(now, weights);
  search.weights = &weights_of(s, weights);
  for (const Probe<EvaluationTables::Entry>* fill_probes = asks.data(); fill_probes != end; ++fill_probes)
    consider(now, s, *fill_probes, search);
  const Target& best = search.best;
  if (best.ship < 0) return {};
  AttackKey key = key_of(now, s, best.ship, best.weapon, shot_of(now, s, best.ship));
  key.keeps_lock = best.keeps_lock;
  return {best.ship, key, &tables_->attack(key)};
}

namespace {

/// Stands in for the evaluation tables: computes each row when it is requested.
struct Uncached {
  struct Fresh {
    std::array<double, ActionScores::kMaxWidth> estimates{};
    template <typename Fill>
    const double* row(double* /*place*/, std::uint64_t /*name*/, const Fill& fill) {
      fill(estimates.data());
      return estimates.data();
    }
  } dealt, lost;
};

}  // namespace

Action Game::choose_action(const BattleState& now, int s, bool focus_only, const FiringLines& firing,
                           EvaluationTables* evaluations) const {
  if (evaluations != nullptr && !hands_have_ids(now)) evaluations = nullptr;
  std::array<Probe<double>, kMaxBattleShips> dealt, lost;
  Probe<double>* const dealt_end = prefetch_dealt(now, s, firing, evaluations, 0, dealt.data());
  Probe<double>* const lost_end = prefetch_lost(now, s, firing, evaluations, 0, lost.data());
  ActionScores scores;
  scores.dealt.fill(kNoScore);
  scores.lost.fill(0);
  Weights weights;
  if (weighs_) weigh(now, weights);
  const Turn turn{now, s, firing, scores, weights_of(s, weights)};
  const auto decided = [&]<std::size_t kWidth>(auto& measured) {
    const auto self = [&](std::size_t /*lane*/) { return turn; };
    score_dealt<kWidth>(dealt.data(), dealt_end, measured.dealt, self);
    score_lost<kWidth>(lost.data(), lost_end, measured.lost, self);
    return decide<kWidth>(turn, focus_only);
  };
  if (evaluations != nullptr && most_options_ <= ScoreTable::kUsual)
    return decided.template operator()<ScoreTable::kUsual>(*evaluations);
  if (evaluations != nullptr) return decided.template operator()<kMaxOptions>(*evaluations);
  Uncached measured;
  return decided.template operator()<kMaxOptions>(measured);
}

/// The enemy to lock, and the score of the attack with that lock; -1: no enemy is in range. A ship without a shot locks
/// the weakest enemy, for later rounds. `dealt`: the entry of the first enemy; the others follow at a distance of
/// `width`.
std::pair<int, double> Game::best_lock(const Turn& turn, const double* dealt, std::size_t width) const {
  const Range enemies = enemies_of(turn.ship);
  const unsigned targets = first_targets(turn.ship, turn.firing.targets[at(turn.ship)]);
  const unsigned near = turn.firing.near[at(turn.ship)];
  int target = -1, weakest = kMaxHealth + 1;
  double most = kNoScore;
  for (int e = enemies.first, i = 0; e < enemies.end; ++e, ++i, dealt += width) {
    const ShipState enemy = turn.now.ship[at(e)];
    const bool can = !enemy.gone && (near >> i & 1) != 0;
    const double here = !can ? kNoScore : (targets >> i & 1) != 0 ? *dealt : 0;
    const bool better = (here > most + kSame) | ((here > most - kSame) & (enemy.health < weakest));
    most = better ? here : most;
    target = better ? e : target;
    weakest = better ? enemy.health : weakest;
  }
  return {target, most};
}

template <std::size_t kWidth>
Action Game::decide(const Turn& turn, bool focus_only) const {
  const int s = turn.ship;
  const OptionMasks masks = option_masks_[at(s)];
  const unsigned allowed = focus_only ? masks.focus_only : ~0u;
  std::array<double, kWidth> values;
  const bool shoots = turn.firing.targets[at(s)] != 0;
  for (std::size_t o = 0; o < kWidth; ++o) values[o] = (shoots ? turn.scores.dealt[o] : 0) - turn.scores.lost[o];
  Action best;
  double most = 0;
  // A ship without a shot deals no damage in this round, but a lock lasts, so it beats other actions of the same score.
  const unsigned lasting = turn.firing.targets[at(s)] == 0 ? masks.free_lock & allowed : 0;
  for (int o = 0; o < masks.options; ++o) {
    double value = values[at(o)];
    const bool lasts = (lasting >> o & 1) != 0 && best.target < 0;
    const bool better = (best.option < 0) | (value > most + kSame) | (lasts & (value > most - kSame));
    if (!better || (allowed >> o & 1) == 0) continue;
    if ((masks.priced >> o & 1) != 0 && !tables_->states().can_pay(ship(s).type, turn.now.ship[at(s)].state, o))
      continue;
    int target = -1;
    if ((masks.lock >> o & 1) != 0) {
      // Breaking ties may have picked a lock with slightly less than the maximum.
      const auto lock = best_lock(turn, turn.scores.row.data() + o, kWidth);
      target = lock.first;
      if (target < 0) continue;
      value = lock.second - turn.scores.lost[at(o)];
      const bool anew = lasts && turn.now.ship[at(s)].lock != target;
      if (best.option >= 0 && !(value > (anew ? most - kSame : most + kSame))) continue;
    }
    best = {o, target};
    most = value;
  }
  return best;
}

template Action Game::decide<Game::kFewOptions>(const Turn&, bool) const;
template Action Game::decide<ScoreTable::kUsual>(const Turn&, bool) const;
template Action Game::decide<kMaxOptions>(const Turn&, bool) const;

}  // namespace salvo::battle
