// Game, what the policies choose: actions, targets and weapons, and the measures that they compare.
#include <algorithm>

#include "battle/game.h"

namespace salvo::battle {
namespace {

constexpr double kSame = 1e-9;  ///< measures that differ by less are equal: the first wins

}  // namespace

std::vector<Game::Maneuver> Game::maneuvers(const Now& now, int s) const {
  const Leg& leg = leg_of(now);
  const int t = ship(s).type;
  const ShipNow& me = now.ship[at(s)];
  std::vector<Maneuver> flown{{.now = now}};
  const auto set = [&](Maneuver& one, int state) { one.now.ship[at(s)].state = static_cast<std::uint16_t>(state); };
  if (book_->ionized(t, me.state)) {
    flown[0].ionized = true;
    set(flown[0], book_->after_ion(t, me.state));
  } else if (book_->wants_blue(t, me.state) && leg.blue[at(s)] > 0) {
    flown.push_back(flown[0]);
    flown[0].chance = 1 - leg.blue[at(s)] / 100.0;
    flown[1].chance = leg.blue[at(s)] / 100.0;
    set(flown[1], book_->after_blue(t, me.state));
  }
  std::vector<Maneuver> out;
  for (const Maneuver& one : flown) {
    for (const bool acts : {true, false}) {
      const double kept = leg.no_action[at(s)] / 100.0, chance = one.chance * (acts ? 1 - kept : kept);
      if (chance <= 0) continue;
      out.push_back(one);
      out.back().chance = chance;
      out.back().acts = acts && !book_->stressed(t, one.now.ship[at(s)].state);
    }
  }
  return out;
}

std::vector<Game::Action> Game::actions(const Maneuver& after, int s, Memory& memory) const {
  if (!after.acts) return {{-1, -1}};
  const Now& now = after.now;
  if (!solved(ship(s).mine)) return {choose_action(now, s, after.ionized, sights_of(leg_of(now), now), &memory)};
  const Type& type = type_of(s);
  std::vector<Action> out;
  bool free = false;  // something that costs nothing: then it is no use to do nothing
  for (std::size_t o = 0; o < type.options.size(); ++o) {
    const ActionOption& option = type.options[o];
    if (after.ionized && !option.focus_only) continue;
    if (!book_->can_pay(ship(s).type, now.ship[at(s)].state, static_cast<int>(o))) continue;
    const bool nothing = option.tokens.empty() && !option.lock;
    if (nothing && free) continue;
    free = free || (!nothing && option.stress == 0 && option.force == 0);
    if (!option.lock) out.emplace_back(static_cast<int>(o), -1);
    for (int e = ship(s).mine ? mine_ : 0; option.lock && e < (ship(s).mine ? ships() : mine_); ++e) {
      if (!now.ship[at(e)].gone) out.emplace_back(static_cast<int>(o), e);
    }
  }
  if (out.empty()) out.emplace_back(-1, -1);
  return out;
}

void Game::act(Now& now, int s, const Action& action) const {
  ShipNow& me = now.ship[at(s)];
  if (action.first < 0) return;
  me.state = static_cast<std::uint16_t>(book_->after_action(ship(s).type, me.state, action.first));
  if (action.second >= 0) me.lock = static_cast<std::int8_t>(action.second);
}

std::vector<Game::Choice> Game::shots(const Now& now, int s, Memory& memory) const {
  if (now.ship[at(s)].gone) return {};
  if (!solved(ship(s).mine)) {
    const Choice one = choose(now, s, &memory);
    return one.target >= 0 ? std::vector{one} : std::vector<Choice>();
  }
  std::vector<Choice> out;
  for (int d = ship(s).mine ? mine_ : 0; d < (ship(s).mine ? ships() : mine_); ++d) {
    const ShipNow& target = now.ship[at(d)];
    if (target.gone || target.health == 0) continue;
    const int shot = shot_of(now, s, d);
    for (std::size_t w = 0; shot >= 0 && w < type_of(s).weapons.size(); ++w) {
      if (type_of(s).weapons[w].fits(Shot::of(shot)))
        out.push_back({d, key_of(now, s, d, static_cast<int>(w), shot), nullptr});
    }
  }
  return out;
}

AttackKey Game::key_of(const Now& now, int by, int on, int weapon, int shot) const {
  const ShipNow &a = now.ship[at(by)], &d = now.ship[at(on)];
  const int ta = ship(by).type, td = ship(on).type;
  AttackKey out{ta,
                td,
                weapon,
                shot,
                book_->with_health(ta, td, a.state, a.health),
                book_->with_health(td, ta, d.state, d.health),
                a.lock == on};
  if (book_->cards() != nullptr) book_->note_cards(out, cards_now(now, by, on));
  return out;
}

double Game::measure(const Outcomes& outcomes, int target, int health, BattlePolicy policy) const {
  const auto h = at(health);
  switch (policy) {
    case BattlePolicy::LikeliestKill:
      // A share of the damage, so that of two sure or two hopeless shots the harder one is made.
      return outcomes.at_least[h] + 1e-3 * outcomes.counted[h];
    case BattlePolicy::Points: {
      const int full = type_of(target).health(), half = std::max(1, health - full / 2);
      const int already = points_lost(target, health);
      const double value = (ship(target).points - ship(target).points / 2) * outcomes.at_least[h];
      const double first = already > 0 ? 0 : ship(target).points / 2 * outcomes.at_least[at(half)];
      return value + first + 1e-3 * outcomes.counted[h];
    }
    case BattlePolicy::Greedy:
    case BattlePolicy::FocusFire:
    case BattlePolicy::Best:
    case BattlePolicy::Optimal:
      break;
  }
  return outcomes.counted[h];
}

/// What an attack of one ship on another is measured by, as a number: a part of each ship, the shot, and the lock.
/// Never the health of the attacker, unless something reads it. Which ships these are matters by points only, where
/// ships alike differ in worth.
inline Game::Names Game::names_of(const ShipNow& ship, int s, BattlePolicy policy) const {
  static_assert(kMostShips <= 1 << 4 && kMostStates <= 1 << 10 && kMostHealth < 1 << 6 && kShots <= 1 << 4);
  static_assert(Book::kUnnamed < 1 << 8);
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  const Naming& naming = naming_[at(s)];
  const int who = policy == BattlePolicy::Points ? s : naming.alike;
  return {put(1, 47) | put(who, 43) | put(ship.state, 29) | put(ship.health & naming.health, 13) |
              put(static_cast<int>(policy), 1) | put(ship.attacks, 48),
          put(who, 39) | put(ship.state, 19) | put(ship.health, 7) | put(ship.defends, 56)};
}

/// Whether the names of hands tell them apart.
inline bool Game::all_named(const Now& now) const {
  if (book_->cards() == nullptr) return true;
  return std::none_of(now.ship.begin(), now.ship.end(), [](const ShipNow& one) {
    return one.attacks == Book::kUnnamed || one.defends == Book::kUnnamed;
  });
}

inline std::uint64_t Game::name_of(const Names& by, const Names& on, int shot, bool lock) {
  return by.attacks | on.defends | static_cast<std::uint64_t>(shot) << 3 | (lock ? 1 : 0);
}

Aimed Game::aim(const Now& now, int by, int on, int shot, BattlePolicy policy) const {
  const Type& type = type_of(by);
  Aimed out{.value = kSame};
  for (std::size_t w = 0; w < type.weapons.size(); ++w) {
    if (!type.weapons[w].fits(Shot::of(shot))) continue;
    const Outcomes& outcomes = book_->attack(key_of(now, by, on, static_cast<int>(w), shot));
    if (!outcomes.possible) continue;
    const double value = measure(outcomes, on, now.ship[at(on)].health, policy);
    if (value > out.value + kSame) out = {value, static_cast<int>(w), &outcomes};
  }
  return out;
}

Game::Choice Game::choose(const Now& now, int s, Memory* memory) const {
  if (memory != nullptr && !all_named(now)) memory = nullptr;
  const BattlePolicy policy = policy_of(s);
  const Leg& leg = leg_of(now);
  const ShipNow& me = now.ship[at(s)];
  const Names mine = names_of(me, s, policy);
  Choice best;
  double most = kSame;
  int least_health = kMostHealth + 1, weapon = -1, shot_taken = -1;
  for (int d = ship(s).mine ? mine_ : 0; d < (ship(s).mine ? ships() : mine_); ++d) {
    const ShipNow& target = now.ship[at(d)];
    if (target.gone || target.health == 0) continue;
    const int shot = shot_of(leg, now, s, d);
    if (shot < 0) continue;
    if (policy == BattlePolicy::FocusFire && target.health > least_health) continue;
    const auto find = [&] { return aim(now, s, d, shot, policy); };
    const Aimed here = memory != nullptr
                           ? memory->aimed(name_of(mine, names_of(target, d, policy), shot, me.lock == d), find)
                           : find();
    if (here.outcomes == nullptr) continue;
    const bool weaker = policy == BattlePolicy::FocusFire && target.health < least_health;
    if (!weaker && here.value <= most + kSame) continue;
    most = here.value;
    least_health = target.health;
    best = {d, {}, here.outcomes};
    weapon = here.weapon;
    shot_taken = shot;
  }
  if (best.target >= 0) best.key = key_of(now, s, best.target, weapon, shot_taken);
  return best;
}

double Game::best_weapon(const Now& now, int by, int on, int state, bool lock, int shot, BattlePolicy policy) const {
  const Type& type = type_of(by);
  double most = 0;
  for (std::size_t w = 0; w < type.weapons.size(); ++w) {
    if (!type.weapons[w].fits(Shot::of(shot))) continue;
    AttackKey key = key_of(now, by, on, static_cast<int>(w), shot);
    key.attacker_state = book_->with_health(ship(by).type, ship(on).type, state, now.ship[at(by)].health);
    key.lock = lock;
    const Outcomes& outcomes = book_->attack(key);
    if (outcomes.possible) most = std::max(most, measure(outcomes, on, now.ship[at(on)].health, policy));
  }
  return most;
}

/// By option of the ship: what its attack deals without a lock of the option and with it.
void Game::find_dealt(const Now& now, int s, int e, int shot, BattlePolicy policy, double* row) const {
  const Type& type = type_of(s);
  const ShipNow& me = now.ship[at(s)];
  for (std::size_t o = 0; o < type.options.size(); ++o, row += Memory::kDealt) {
    row[0] = row[1] = 0;
    if (!book_->can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    const int state = book_->after_action(ship(s).type, me.state, static_cast<int>(o));
    row[0] = best_weapon(now, s, e, state, me.lock == e, shot, policy);
    if (type.options[o].lock) row[1] = best_weapon(now, s, e, state, true, shot, policy);
  }
}

/// By option of the ship: what the enemy's attack on it does.
void Game::find_lost(const Now& now, int s, int e, int shot_back, BattlePolicy policy, double* row) const {
  const Type& type = type_of(s);
  const ShipNow &me = now.ship[at(s)], &enemy = now.ship[at(e)];
  Now then = now;
  for (std::size_t o = 0; o < type.options.size(); ++o, ++row) {
    *row = 0;
    if (!book_->can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    const int state = book_->after_action(ship(s).type, me.state, static_cast<int>(o));
    then.ship[at(s)].state = static_cast<std::uint16_t>(state);
    *row = best_weapon(then, e, s, enemy.state, enemy.lock == s, shot_back, policy);
  }
}

std::pair<int, int> Game::choose_action(const Now& now, int s) const {
  return choose_action(now, s, false, sights_of(leg_of(now), now), nullptr);
}

Sights Game::sights_of(const Leg& leg, const Now& now) const {
  Sights out;
  std::array<int, kMostShips> targets{};
  std::size_t p = 0;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d, ++p) {
      // All bits set where one of them is gone: no shot.
      const bool gone = static_cast<int>(now.ship[at(a)].gone) + static_cast<int>(now.ship[at(d)].gone) > 0;
      const int apart = gone ? -1 : 0;
      const auto& stand = leg.shots[p * kMostCases + now.stand[p]];
      const std::array shots{static_cast<std::int8_t>(stand[0] | apart), static_cast<std::int8_t>(stand[1] | apart)};
      out.shot[at(a)][at(d - mine_)] = shots[0];
      out.shot[at(d)][at(a)] = shots[1];
      targets[at(a)] += shots[0] >= 0 ? 1 : 0;
      targets[at(d)] += shots[1] >= 0 ? 1 : 0;
    }
  }
  for (int s = 0; s < ships(); ++s) out.share[at(s)] = targets[at(s)] > 0 ? 1.0 / targets[at(s)] : 0;
  return out;
}

Memory Game::memory() const {
  std::size_t most = 0;
  for (int t = 0; t < book_->types(); ++t) most = std::max(most, book_->type(t).options.size());
  return {most, at(std::max(mine_, ships() - mine_))};
}

/// The action after which the ship deals most in its own attack, by the measure of its policy, less what the attacks
/// that enemies could make on it do to it, by theirs. An enemy with several targets counts in part. All ships have the
/// tokens of this moment.
std::pair<int, int> Game::choose_action(const Now& now, int s, bool ionized, const Sights& sights,
                                        Memory* memory) const {
  if (memory != nullptr && !all_named(now)) memory = nullptr;
  const BattlePolicy policy = policy_of(s) == BattlePolicy::FocusFire ? BattlePolicy::Greedy : policy_of(s);
  const Type& type = type_of(s);
  const ShipNow& me = now.ship[at(s)];
  const Names mine = names_of(me, s, policy);
  const int from = ship(s).mine ? mine_ : 0, to = ship(s).mine ? ships() : mine_;
  static constexpr std::array<double, Memory::kDealt * kMostOptions> kNothing{};
  // Only where there is no memory.
  std::array<std::array<double, Memory::kDealt * kMostOptions>, kMostBattleShips> kept_dealt;
  std::array<std::array<double, kMostOptions>, kMostBattleShips> kept_lost;
  struct Enemy {
    int ship;
    double threat;  // how likely it is me that it shoots at
    const double *dealt, *lost;
  };
  std::array<Enemy, kMostBattleShips> enemies;
  std::size_t n = 0;
  for (int e = from; e < to; ++e) {
    if (now.ship[at(e)].gone) continue;
    const int shot = sights.shot[at(s)][at(e - from)], shot_back = sights.shot[at(e)][at(s < mine_ ? s : s - mine_)];
    Enemy enemy{e, shot_back >= 0 ? sights.share[at(e)] : 0, kNothing.data(), kNothing.data()};
    const ShipNow& other = now.ship[at(e)];
    const Names his = names_of(other, e, policy);
    const auto rows = [&](Rows* of, std::uint64_t name, double* kept, const auto& fill) {
      if (of != nullptr) return of->row(at(e - from), name, fill);
      fill(kept);
      return static_cast<const double*>(kept);
    };
    if (shot >= 0) {
      enemy.dealt = rows(memory != nullptr ? &memory->dealt : nullptr, name_of(mine, his, shot, me.lock == e),
                         kept_dealt[n].data(), [&](double* row) { find_dealt(now, s, e, shot, policy, row); });
    }
    if (shot_back >= 0) {
      enemy.lost = rows(memory != nullptr ? &memory->lost : nullptr, name_of(his, mine, shot_back, other.lock == s),
                        kept_lost[n].data(), [&](double* row) { find_lost(now, s, e, shot_back, policy, row); });
    }
    enemies[n++] = enemy;
  }
  int best = -1, lock_on = -1;
  double most = 0;
  for (std::size_t o = 0; o < type.options.size(); ++o) {
    const ActionOption& option = type.options[o];
    if (ionized && !option.focus_only) continue;
    if (!book_->can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    double lost = 0, dealt = 0, with_lock = -1;
    int target = -1, weakest = kMostHealth + 1;
    for (std::size_t i = 0; i < n; ++i) {
      const Enemy& enemy = enemies[i];
      const double* row = enemy.dealt + o * Memory::kDealt;
      lost += enemy.threat * enemy.lost[o];
      dealt = std::max(dealt, row[0]);
      if (!option.lock) continue;
      const int health = now.ship[at(enemy.ship)].health;
      // Without a shot a lock on the weakest enemy is there for the rounds to come.
      const bool better = (row[1] > with_lock + kSame) | ((row[1] > with_lock - kSame) & (health < weakest));
      with_lock = better ? row[1] : with_lock;
      target = better ? enemy.ship : target;
      weakest = better ? health : weakest;
    }
    if (option.lock) dealt = with_lock;
    const double value = dealt - lost;
    const bool better = (best < 0) | (value > most + kSame);
    most = better ? value : most;
    best = better ? static_cast<int>(o) : best;
    lock_on = better ? (option.lock ? target : -1) : lock_on;
  }
  return {best, lock_on};
}

}  // namespace salvo::battle
