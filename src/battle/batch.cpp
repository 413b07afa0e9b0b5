// Batch: see batch.h.
#include "battle/batch.h"

namespace salvo::battle {

Batch::Batch(const Game& game, std::uint64_t seed)
    : game_(game), random_(game, seed), memory_(game.memory()), start_(game.start()) {}

bool Batch::begin(Lane& lane) {
  if (next_ == last_) return false;
  lane.played = Played();
  lane.played.now = start_;
  lane.battle = next_++;
  lane.destroyed = false;
  lane.stale = true;
  return true;
}

template <typename Turn>
void Batch::list_lanes(const Turn& turn) {
  listed_ = 0;
  for (std::size_t l = 0; l < lanes_; ++l) {
    Lane& lane = lane_[l];
    lane.ship = turn(lane.played.now);
    list_[listed_] = static_cast<std::uint8_t>(l);
    listed_ += lane.played.now.ship[at(lane.ship)].gone ? 0u : 1u;
  }
}

void Batch::play_round() {
  for (std::size_t l = 0; l < lanes_; ++l) {
    Lane& lane = lane_[l];
    lane.bits.begin_round(random_, lane.battle, lane.played.now.round);
    game_.place(lane.played.now, lane.bits);
    if (!game_.certain() || lane.stale) lane.sights = game_.sights_of(lane.played.now);
    lane.stale = false;
  }
  for (int place = 0; place < game_.places(); ++place) activate(place);
  for (int place = 0; place < game_.places(); ++place) engage(place);
  for (std::size_t l = 0; l < lanes_; ++l) {
    Played& played = lane_[l].played;
    game_.end(played.now);
    for (int s = 0; s < game_.ships(); ++s) {
      if (!played.now.ship[at(s)].gone) ++played.lived[at(s)];
    }
  }
}

/// The ship at a place of the order of activation.
void Batch::activate(int place) {
  list_lanes([&](const Now& now) { return game_.active_at(now, place); });
  each([&](Lane& lane) {
    Now& now = lane.played.now;
    lane.flown = game_.maneuver(now, lane.ship, lane.bits);
    if (!lane.flown.acts) return;
    game_.look(now, lane.ship, lane.sights, &memory_, lane.outlook);
  });
  each([&](Lane& lane) {
    Now& now = lane.played.now;
    if (!lane.flown.acts) return;
    game_.act(now, lane.ship,
              game_.choose_action(now, lane.ship, lane.flown.ionized, lane.sights, lane.outlook, &memory_));
  });
}

/// The ship at a place of the order of the engagement.
void Batch::engage(int place) {
  list_lanes([&](const Now& now) { return game_.ship_at(now, place); });
  each([&](Lane& lane) { game_.find_targets(lane.played.now, lane.ship, &memory_, lane.targets); });
  each([&](Lane& lane) {
    lane.target = game_.best_target(lane.played.now, lane.ship, lane.targets, &memory_);
    if (lane.target.outcomes != nullptr) lane.target.outcomes->draw.fetch();
  });
  each([&](Lane& lane) {
    if (lane.target.outcomes != nullptr) lane.target.outcomes->draw.fetch(lane.bits.of(game_.attack_slot(lane.ship)));
  });
  each([&](Lane& lane) {
    if (lane.target.outcomes == nullptr) return;
    Now& now = lane.played.now;
    const Outcome& outcome = lane.target.outcomes->draw.pick(lane.bits.of(game_.attack_slot(lane.ship)));
    const Shooting shot = game_.resolve(now, lane.ship, lane.target.ship, outcome);
    lane.played.count(shot);
    lane.destroyed |= now.ship[at(lane.target.ship)].health == 0 || now.ship[at(lane.ship)].health == 0;
  });
  for (std::size_t l = 0; l < lanes_; ++l) {
    Lane& lane = lane_[l];
    if (!lane.destroyed || !game_.last_of_initiative(lane.played.now, place)) continue;
    game_.leave(lane.played.now, place);
    lane.destroyed = false;
    lane.stale = true;
  }
}

}  // namespace salvo::battle
