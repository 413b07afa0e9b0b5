// Game: see game.h. Where a battle stands, and what happens in it.
#include "battle/game.h"

#include <algorithm>

namespace salvo::battle {

BattleState Game::start() const {
  BattleState out;
  for (int s = 0; s < ships(); ++s) {
    out.ship[at(s)].health = static_cast<std::uint8_t>(type_of(s).health());
    out.ship[at(s)].state = static_cast<std::uint16_t>(tables_->start_state(ship(s).type));
  }
  for (int s = ships(); s < kMaxShips; ++s) out.ship[at(s)].gone = true;
  return out;
}

bool Game::any(const BattleState& now, bool mine) const {
  for (int s = mine ? 0 : mine_; s < (mine ? mine_ : ships()); ++s) {
    if (!now.ship[at(s)].gone) return true;
  }
  return false;
}

bool Game::over(const BattleState& now) const { return now.round >= question_.rounds || one_side_gone(now) || stalemate(now); }

bool Game::stalemate(const BattleState& now) const {
  const int flight_round = std::min(static_cast<int>(now.round), static_cast<int>(flight_rounds_.size()) - 1);
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      if (!now.ship[at(a)].gone && !now.ship[at(d)].gone && damage_until_[at(pair_of(a, d))] >= flight_round) return false;
    }
  }
  const auto can_be_made = [&](const PaidShot& shot) {
    const ShipState& me = now.ship[at(shot.ship)];
    return shot.flight_round >= flight_round && !me.gone && !now.ship[at(shot.target)].gone &&
           tables_->counts(ship(shot.ship).type, me.state)[at(shot.price.slot)] >= shot.price.n;
  };
  if (std::any_of(paid_shots_.begin(), paid_shots_.end(), can_be_made)) return false;
  for (int s = 0; s < ships() && tables_->cards() != nullptr; ++s) {
    if (!now.ship[at(s)].gone && acts(now, s)) return false;  // its own damage cards hurt it
  }
  return true;
}

int Game::points(const BattleState& now, bool mine) const {
  int out = 0;
  for (int s = mine ? mine_ : 0; s < (mine ? ships() : mine_); ++s) out += points_lost(s, now.ship[at(s)].health);
  return out;
}

int Game::result(const BattleState& now) const {
  const bool me = any(now, true), him = any(now, false);
  if (me != him) return me ? 1 : -1;
  const int mine = points(now, true), theirs = points(now, false);
  return mine > theirs ? 1 : mine < theirs ? -1 : 0;
}
void Game::forget(BattleState& now, int place) const {
  const FlightRound& flight_round = flight_round_of(now);
  std::array<bool, kMaxShips> done{};
  for (int p = 0; p <= place; ++p) done[at(ship_at(now, p))] = true;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      const auto p = at(pair_of(a, d));
      const bool apart = now.ship[at(a)].gone || now.ship[at(d)].gone;
      if (apart || (done[at(a)] && done[at(d)])) {
        now.geometry[p] = 0;
      } else if (done[at(a)] || done[at(d)]) {
        now.geometry[p] = flight_round.pairs[p].without[done[at(a)]][now.geometry[p]];
      }
    }
  }
}

// ---------------------------------------------------------------- what happens

int Game::damage(BattleState& now, int s, int n, int& points) const {
  ShipState& hurt = now.ship[at(s)];
  const int before = hurt.health, after = std::max(0, before - n);
  points += points_lost(s, after) - points_lost(s, before);
  hurt.health = static_cast<std::uint8_t>(after);
  hurt.destroyed_at = after == 0;
  return before - after;
}

AttackResult Game::resolve(BattleState& now, int s, int target, const Outcome& outcome) const {
  AttackResult out{.shooter = s, .target = target};
  ShipState &me = now.ship[at(s)], &him = now.ship[at(target)];
  me.state = outcome.attacker;
  him.state = outcome.defender;
  const int kept = me.lock == target ? -1 : me.lock;
  me.lock = static_cast<std::int8_t>(outcome.lock ? target : kept);
  if (outcome.lock_back) him.lock = static_cast<std::int8_t>(s);
  out.damage = damage(now, target, outcome.damage, out.points);
  int given_away = 0;
  out.own_damage = damage(now, s, outcome.own_damage, given_away);
  return out;
}

void Game::remove_destroyed(BattleState& now) const {
  unsigned destroyed = 0;  // a bit for each ship
  for (int s = 0; s < ships(); ++s) {
    const ShipState& one = now.ship[at(s)];
    destroyed |= static_cast<unsigned>(!one.gone && one.health == 0) << s;
  }
  if (destroyed == 0) return;
  for (int s = 0; s < ships(); ++s) {
    ShipState& one = now.ship[at(s)];
    if ((destroyed >> s & 1) != 0) {
      one = {.health = 0, .lock = -1, .gone = true};
      now.hand[at(s)] = 0;
    } else if (one.lock >= 0 && (destroyed >> one.lock & 1) != 0) {
      one.lock = -1;
    }
  }
}

void Game::end(BattleState& now, const PresentShips& here) const {
  here.each([&](int s) {
    ShipState& one = now.ship[at(s)];
    one.state = static_cast<std::uint16_t>(tables_->after_end(ship(s).type, one.state));
  });
  now.geometry.fill(0);
  now.mine_first = 1;
  ++now.round;
}

}  // namespace salvo::battle
