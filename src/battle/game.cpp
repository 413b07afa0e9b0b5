// Game: see game.h. Where a battle stands, and what happens in it.
#include "battle/game.h"

#include <algorithm>

namespace salvo::battle {

Now Game::start() const {
  Now out;
  for (int s = 0; s < ships(); ++s) {
    out.ship[at(s)].health = static_cast<std::uint8_t>(type_of(s).health());
    out.ship[at(s)].state = static_cast<std::uint16_t>(book_->start_state(ship(s).type));
  }
  for (int s = ships(); s < kMaxShips; ++s) out.ship[at(s)].gone = true;
  return out;
}

bool Game::any(const Now& now, bool mine) const {
  for (int s = mine ? 0 : mine_; s < (mine ? mine_ : ships()); ++s) {
    if (!now.ship[at(s)].gone) return true;
  }
  return false;
}

bool Game::over(const Now& now) const { return now.round >= question_.rounds || one_side_gone(now) || harmless(now); }

bool Game::harmless(const Now& now) const {
  const int leg = std::min(static_cast<int>(now.round), static_cast<int>(legs_.size()) - 1);
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      if (!now.ship[at(a)].gone && !now.ship[at(d)].gone && hurt_until_[at(pair_of(a, d))] >= leg) return false;
    }
  }
  const auto can_be_made = [&](const PaidShot& shot) {
    const ShipNow& me = now.ship[at(shot.ship)];
    return shot.leg >= leg && !me.gone && !now.ship[at(shot.target)].gone &&
           book_->counts(ship(shot.ship).type, me.state)[at(shot.price.slot)] >= shot.price.n;
  };
  if (std::any_of(paid_shots_.begin(), paid_shots_.end(), can_be_made)) return false;
  for (int s = 0; s < ships() && book_->cards() != nullptr; ++s) {
    if (!now.ship[at(s)].gone && acts(now, s)) return false;  // its own damage cards hurt it
  }
  return true;
}

int Game::points(const Now& now, bool mine) const {
  int out = 0;
  for (int s = mine ? mine_ : 0; s < (mine ? ships() : mine_); ++s) out += points_lost(s, now.ship[at(s)].health);
  return out;
}

int Game::result(const Now& now) const {
  const bool me = any(now, true), him = any(now, false);
  if (me != him) return me ? 1 : -1;
  const int mine = points(now, true), theirs = points(now, false);
  return mine > theirs ? 1 : mine < theirs ? -1 : 0;
}
void Game::forget(Now& now, int place) const {
  const Leg& leg = leg_of(now);
  std::array<bool, kMaxShips> done{};
  for (int p = 0; p <= place; ++p) done[at(ship_at(now, p))] = true;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      const auto p = at(pair_of(a, d));
      const bool apart = now.ship[at(a)].gone || now.ship[at(d)].gone;
      if (apart || (done[at(a)] && done[at(d)])) {
        now.stand[p] = 0;
      } else if (done[at(a)] || done[at(d)]) {
        now.stand[p] = leg.pairs[p].without[done[at(a)]][now.stand[p]];
      }
    }
  }
}

// ---------------------------------------------------------------- what happens

int Game::damage(Now& now, int s, int n, int& points) const {
  ShipNow& hurt = now.ship[at(s)];
  const int before = hurt.health, after = std::max(0, before - n);
  points += points_lost(s, after) - points_lost(s, before);
  hurt.health = static_cast<std::uint8_t>(after);
  hurt.destroyed_at = after == 0;
  return before - after;
}

Shooting Game::resolve(Now& now, int s, int target, const Outcome& outcome) const {
  Shooting out{.shooter = s, .target = target};
  ShipNow &me = now.ship[at(s)], &him = now.ship[at(target)];
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

void Game::remove_destroyed(Now& now) const {
  unsigned destroyed = 0;  // a bit for each ship
  for (int s = 0; s < ships(); ++s) {
    const ShipNow& one = now.ship[at(s)];
    destroyed |= static_cast<unsigned>(!one.gone && one.health == 0) << s;
  }
  if (destroyed == 0) return;
  for (int s = 0; s < ships(); ++s) {
    ShipNow& one = now.ship[at(s)];
    if ((destroyed >> s & 1) != 0) {
      one = {.health = 0, .lock = -1, .gone = true};
      now.hand[at(s)] = 0;
    } else if (one.lock >= 0 && (destroyed >> one.lock & 1) != 0) {
      one.lock = -1;
    }
  }
}

void Game::end(Now& now, const Here& here) const {
  here.each([&](int s) {
    ShipNow& one = now.ship[at(s)];
    one.state = static_cast<std::uint16_t>(book_->after_end(ship(s).type, one.state));
  });
  now.stand.fill(0);
  now.mine_first = 1;
  ++now.round;
}

}  // namespace salvo::battle
