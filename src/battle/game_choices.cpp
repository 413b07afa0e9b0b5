// Game, what the policies choose: actions, targets and weapons, and the measures that they compare.
#include <algorithm>
#include <bit>
#include <tuple>

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
  if (!solved(ship(s).mine)) return {choose_action(now, s, after.ionized, sights_of(now), &memory)};
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
inline Game::Names Game::names_of(const ShipNow& ship, int s) const {
  static_assert(kMostShips <= 1 << 4 && kMostStates <= 1 << 10 && kMostHealth < 1 << 6 && kShots <= 1 << 4);
  static_assert(Book::kUnnamed < 1 << 8);
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  return {put(ship.state, 29) | put(ship.health & naming_[at(s)].health, 13) | put(ship.attacks, 48),
          put(ship.state, 19) | put(ship.health, 7) | put(ship.defends, 56)};
}

/// Whether the names of hands tell them apart.
inline bool Game::all_named(const Now& now) const {
  if (book_->cards() == nullptr) return true;
  return std::none_of(now.ship.begin(), now.ship.end(), [](const ShipNow& one) {
    return one.attacks == Book::kUnnamed || one.defends == Book::kUnnamed;
  });
}

std::uint64_t Game::who_of(int by, int on, BattlePolicy policy) const {
  const auto put = [](int value, int place) { return static_cast<std::uint64_t>(value) << place; };
  const bool points = policy == BattlePolicy::Points;
  return put(1, kNamed) | put(points ? by : ship(by).alike, 43) | put(points ? on : ship(on).alike, 39) |
         put(static_cast<int>(policy), 1);
}

Aimed Game::aim(const Now& now, int by, int on, int shot, BattlePolicy policy) const {
  const Type& type = type_of(by);
  Aimed out;
  for (std::size_t w = 0; w < type.weapons.size(); ++w) {
    if (!type.weapons[w].fits(Shot::of(shot))) continue;
    const Outcomes& outcomes = book_->attack(key_of(now, by, on, static_cast<int>(w), shot));
    if (!outcomes.possible) continue;
    const double value = measure(outcomes, on, now.ship[at(on)].health, policy);
    if (value > out.value + kSame) out = {value, static_cast<int>(w), &outcomes};
  }
  return out;
}

void Game::find_targets(const Now& now, int s, Memory* memory, Targets& out) const {
  const Leg& leg = leg_of(now);
  const ShipNow me = now.ship[at(s)];
  const Names mine = names_of(me, s);
  const Naming& naming = naming_[at(s)];
  const Range enemies = enemies_of(s);
  for (int e = enemies.first, i = 0; e < enemies.end; ++e, ++i) {
    const ShipNow target = now.ship[at(e)];
    const int shot = target.health > 0 ? shot_of(leg, now, s, e) : -1;
    out.name[at(i)] = name_of(naming.target[at(i)], mine, names_of(target, e), shot, me.lock == e);
  }
  if (memory == nullptr) return;
  for (int i = 0; i < enemies.end - enemies.first; ++i) out.place[at(i)] = memory->aimed_place(out.name[at(i)]);
}

Game::Target Game::best_target(const Now& now, int s, const Targets& targets, Memory* memory) const {
  return policy_of(s) == BattlePolicy::FocusFire ? best_target<true>(now, s, targets, memory)
                                                 : best_target<false>(now, s, targets, memory);
}

template <bool kWeakestFirst>
Game::Target Game::best_target(const Now& now, int s, const Targets& targets, Memory* memory) const {
  const Range enemies = enemies_of(s);
  Target best;
  double most = Aimed().value;
  int least_health = kMostHealth + 1;
  for (int e = enemies.first; e < enemies.end; ++e) {
    const std::size_t i = at(e - enemies.first);
    Memory::Entry fresh;
    Memory::Entry& known = memory != nullptr ? *targets.place[i] : fresh;
    if (known.name != targets.name[i])
      known = {targets.name[i], aim(now, s, e, shot_of(leg_of(now), now, s, e), policy_of(s))};
    const Aimed here = known.aimed;
    bool better = here.value > most + kSame;
    if constexpr (kWeakestFirst) {
      const int health = now.ship[at(e)].health;
      better = (here.outcomes != nullptr) & ((health < least_health) | ((health == least_health) & better));
      least_health = better ? health : least_health;
    }
    most = better ? here.value : most;
    best.ship = better ? e : best.ship;
    best.weapon = better ? here.weapon : best.weapon;
    best.outcomes = better ? here.outcomes : best.outcomes;
  }
  return best;
}

Game::Choice Game::choose(const Now& now, int s, Memory* memory) const {
  if (memory != nullptr && !all_named(now)) memory = nullptr;
  Targets targets;
  find_targets(now, s, memory, targets);
  const Target best = best_target(now, s, targets, memory);
  if (best.ship < 0) return {};
  return {best.ship, key_of(now, s, best.ship, best.weapon, shot_of(now, s, best.ship)), best.outcomes};
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

/// By option of the ship: what its attack deals, with a lock on the enemy if that is the option.
void Game::find_dealt(const Now& now, int s, int e, int shot, BattlePolicy policy, double* row) const {
  const Type& type = type_of(s);
  const ShipNow& me = now.ship[at(s)];
  for (std::size_t o = 0; o < type.options.size(); ++o, ++row) {
    *row = 0;
    if (!book_->can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    const int state = book_->after_action(ship(s).type, me.state, static_cast<int>(o));
    *row = best_weapon(now, s, e, state, type.options[o].lock || me.lock == e, shot, policy);
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

Sights Game::sights_of(const Now& now) const {
  const Leg& leg = leg_of(now);
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
  return Memory(most);
}

void Game::look(const Now& now, int s, const Sights& sights, Memory* memory, Outlook& out) const {
  const ShipNow me = now.ship[at(s)];
  const Names mine = names_of(me, s);
  const Naming& naming = naming_[at(s)];
  const Range enemies = enemies_of(s);
  const std::size_t own = at(s < mine_ ? s : s - mine_);
  for (int e = enemies.first, i = 0; e < enemies.end; ++e, ++i) {
    const ShipNow other = now.ship[at(e)];
    const Names his = names_of(other, e);
    out.dealt[at(i)] = name_of(naming.dealt[at(i)], mine, his, sights.shot[at(s)][at(i)], me.lock == e);
    out.lost[at(i)] = name_of(naming.lost[at(i)], his, mine, sights.shot[at(e)][own], other.lock == s);
  }
  if (memory == nullptr) return;
  for (int i = 0; i < enemies.end - enemies.first; ++i) {
    out.dealt_place[at(i)] = memory->dealt.place(out.dealt[at(i)]);
    out.lost_place[at(i)] = memory->lost.place(out.lost[at(i)]);
  }
}

namespace {

/// Measures where there is no memory: each is made when it is asked for.
struct Unremembered {
  struct Fresh {
    std::array<double, kMostOptions> figures{};
    template <typename Fill>
    const double* row(double* /*place*/, std::uint64_t name, const Fill& fill) {
      figures.fill(0);
      if (name != kNothing) fill(figures.data());
      return figures.data();
    }
  } dealt, lost;
};

}  // namespace

/// The action after which the ship deals most in its own attack, by the measure of its policy, less what the attacks
/// that enemies could make on it do to it, by theirs. An enemy with several targets counts in part. All ships have the
/// tokens of this moment.
Game::Action Game::choose_action(const Now& now, int s, bool ionized, const Sights& sights, Memory* memory) const {
  if (memory != nullptr && !all_named(now)) memory = nullptr;
  Outlook outlook;
  look(now, s, sights, memory, outlook);
  return choose_action(now, s, ionized, sights, outlook, memory);
}

Game::Action Game::choose_action(const Now& now, int s, bool ionized, const Sights& sights, const Outlook& outlook,
                                 Memory* memory) const {
  if (memory == nullptr) {
    Unremembered measured;
    return weigh<kMostOptions>(now, s, ionized, sights, outlook, measured);
  }
  constexpr std::size_t kFewOptions = 4;
  const std::size_t options = at(bar_[at(s)].options);
  return options <= kFewOptions    ? weigh<kFewOptions>(now, s, ionized, sights, outlook, *memory)
         : options <= Rows::kUsual ? weigh<Rows::kUsual>(now, s, ionized, sights, outlook, *memory)
                                   : weigh<kMostOptions>(now, s, ionized, sights, outlook, *memory);
}

/// The enemy that is locked, and what is dealt then. Without a shot it is the weakest, for the rounds to come.
inline std::pair<int, double> Game::best_lock(const Now& now, const Range& enemies,
                                              const std::array<double, kMostBattleShips>& dealt) {
  int target = -1, weakest = kMostHealth + 1;
  double most = -1;
  for (int e = enemies.first; e < enemies.end; ++e) {
    const ShipNow enemy = now.ship[at(e)];
    const double here = enemy.gone ? -2 : dealt[at(e - enemies.first)];
    const bool better = (here > most + kSame) | ((here > most - kSame) & (enemy.health < weakest));
    most = better ? here : most;
    target = better ? e : target;
    weakest = better ? enemy.health : weakest;
  }
  return {target, most};
}

/// `kWidth`: so many options or more than the ship has.
template <std::size_t kWidth, typename Measured>
Game::Action Game::weigh(const Now& now, int s, bool ionized, const Sights& sights, const Outlook& outlook,
                         Measured& measured) const {
  const Bar bar = bar_[at(s)];
  const Range enemies = enemies_of(s);
  std::array<double, kWidth> dealt{}, lost{};
  std::array<std::array<double, kMostBattleShips>, kWidth> with_lock;  // by option and enemy
  for (int e = enemies.first; e < enemies.end; ++e) {
    const std::size_t i = at(e - enemies.first);
    const double* row = measured.dealt.row(outlook.dealt_place[i], outlook.dealt[i], [&](double* to) {
      find_dealt(now, s, e, sights.shot[at(s)][i], action_policy_of(s), to);
    });
    for (std::size_t o = 0; o < kWidth; ++o) dealt[o] = std::max(dealt[o], row[o]);
    for (unsigned left = bar.lock; left != 0; left &= left - 1) {
      const auto o = static_cast<std::size_t>(std::countr_zero(left));
      with_lock[o][i] = row[o];
    }
    row = measured.lost.row(outlook.lost_place[i], outlook.lost[i], [&](double* to) {
      find_lost(now, s, e, sights.shot[at(e)][at(s < mine_ ? s : s - mine_)], action_policy_of(s), to);
    });
    const double threat = sights.share[at(e)];  // how likely it is this ship that it shoots at
    for (std::size_t o = 0; o < kWidth; ++o) lost[o] += threat * row[o];
  }
  std::array<int, kWidth> lock_on;
  for (unsigned left = bar.lock; left != 0; left &= left - 1) {
    const auto o = static_cast<std::size_t>(std::countr_zero(left));
    std::tie(lock_on[o], dealt[o]) = best_lock(now, enemies, with_lock[o]);
  }
  int best = -1;
  double most = 0;
  for (int o = 0; o < bar.options; ++o) {
    if (ionized && (bar.focus_only >> o & 1) == 0) continue;
    if ((bar.force >> o & 1) != 0 && !book_->can_pay(ship(s).type, now.ship[at(s)].state, o)) continue;
    const double value = dealt[at(o)] - lost[at(o)];
    const bool better = (best < 0) | (value > most + kSame);
    most = better ? value : most;
    best = better ? o : best;
  }
  return {best, best >= 0 && (bar.lock >> best & 1) != 0 ? lock_on[at(best)] : -1};
}

}  // namespace salvo::battle
