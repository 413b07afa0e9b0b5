#include "battle/next_round.h"

#include <algorithm>
#include <array>
#include <utility>

namespace salvo::battle {

/// The likeliest shot in the last round of the flight, and the chance of any.
std::pair<int, double> Game::usual_shot(int by, int on) const {
  const GeometryDistribution& cases = flight_rounds_.back().pairs[at(pair_of(by, on))];
  std::array<double, kShots> chance{};
  double any = 0;
  for (std::size_t i = 0; i < cases.list.size(); ++i) {
    const int shot = cases.list[i].shots()[by < mine_ ? 0 : 1];
    if (shot < 0) continue;
    chance[at(shot)] += cases.chance[i];
    any += cases.chance[i];
  }
  return {static_cast<int>(std::max_element(chance.begin(), chance.end()) - chance.begin()), any};
}

/// A round between two ships, as the last one of the flight: the damage done by the likeliest shot, times the chance of
/// a shot, less the damage taken times `taken`, after the action that is best by this. `then`: its start.
double Game::damage_in_round(const BattleState& then, int by, int on, bool lock, double taken) const {
  const auto& [shot, any] = strengths_[at(by)].shot[at(on)];
  const auto& [shot_back, any_back] = strengths_[at(on)].shot[at(by)];
  const int t = ship(by).type;
  const ShipState& foe = then.ship[at(on)];
  double most = kNoScore;
  BattleState after = then;
  for (int o = 0; o < static_cast<int>(type_of(by).options.size()); ++o) {
    if (!tables_->states().can_pay(t, then.ship[at(by)].state, o)) continue;
    const int state = tables_->states().after_action(t, then.ship[at(by)].state, o);
    const bool locked = lock || type_of(by).options[at(o)].lock;
    after.ship[at(by)].state = static_cast<std::uint16_t>(state);
    double value = any > 0 ? any * best_weapon(then, by, on, state, locked, shot, BattlePolicy::Greedy) : 0;
    if (taken > 0 && any_back > 0)
      value -=
          taken * any_back * best_weapon(after, on, by, foe.state, foe.lock == by, shot_back, BattlePolicy::Greedy);
    most = std::max(most, value);
  }
  return most;
}

Game::NextRound::NextRound(const Game& game, const BattleState& now, const ShipState& before, int by, int on)
    : game_(game),
      now_(now),
      by_(by),
      on_(on),
      ended_(game.tables_->states().after_end(game.ship(by).type, before.state)),
      had_lock_(before.lock == on) {}

double Game::NextRound::gain(const Outcomes& outcomes) {
  const int health = now_.ship[at(on_)].health;
  double out = 0;
  for (std::size_t i = 0; i < outcomes.list.size(); ++i) {
    const Outcome& one = outcomes.list[i];
    const int left = health - one.damage;
    const int state = game_.tables_->states().after_end(game_.ship(by_).type, one.attacker);
    if (left <= 0 || (state == ended_ && one.lock == had_lock_)) continue;
    out += outcomes.chance[i] * (worth(state, one.lock, left) - worth(ended_, had_lock_, left));
  }
  return out;
}

double Game::NextRound::worth(int state, bool lock, int left) {
  for (const Known& one : known_) {
    if (one.state == state && one.lock == lock && one.left == left) return one.worth;
  }
  if (!then_) then_ = begin();
  then_->ship[at(by_)].state = static_cast<std::uint16_t>(state);
  then_->ship[at(on_)].health = static_cast<std::uint8_t>(left);
  const double taken = game_.frailty(by_) / game_.frailty(on_);
  return known_.emplace_back(Known{state, lock, left, game_.damage_in_round(*then_, by_, on_, lock, taken)}).worth;
}

/// Has nothing that the evaluation tables do not distinguish.
BattleState Game::NextRound::begin() const {
  TokenStates& states = game_.tables_->states();
  const auto& [shot_back, any_back] = game_.strengths_[at(on_)].shot[at(by_)];
  BattleState out = game_.start();
  out.ship[at(by_)].state = static_cast<std::uint16_t>(ended_);
  ShipState& foe = out.ship[at(on_)];
  foe.state = static_cast<std::uint16_t>(states.after_end(game_.ship(on_).type, now_.ship[at(on_)].state));
  if (any_back > 0) foe = game_.after_usual_action(out, on_, by_, shot_back);
  return out;
}

}  // namespace salvo::battle
