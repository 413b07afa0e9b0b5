#include "battle/batch.h"

#include <algorithm>
#include <utility>

namespace salvo::battle {

Batch::Batch(const Game& game, std::uint64_t seed)
    : game_(game), random_(game, seed), evaluations_(game.evaluations()), start_(game.start()) {}

bool Batch::begin(Lane& lane) {
  if (next_ == last_) return false;
  lane.played = PlayedBattle();
  lane.played.now = start_;
  lane.battle = next_++;
  lane.destroyed = false;
  lane.stale = true;
  return true;
}

template <typename Listed>
void Batch::list_of_all(const Listed& listed) {
  listed_ = 0;
  for (std::size_t l = 0; l < lanes_; ++l) {
    list_[listed_] = static_cast<std::uint8_t>(l);
    listed_ += listed(lane_[l]) ? 1u : 0u;
  }
}

template <typename Listed>
void Batch::list_of_listed(const Listed& listed) {
  const std::size_t before = std::exchange(listed_, 0);
  for (std::size_t i = 0; i < before; ++i) {
    const std::uint8_t l = list_[i];
    list_[listed_] = l;
    listed_ += listed(lane_[l]) ? 1u : 0u;
  }
}

void Batch::play_round() {
  for (std::size_t l = 0; l < lanes_; ++l) {
    Lane& lane = lane_[l];
    BattleState& now = lane.played.now;
    if (lane.stale) lane.here = game_.present_ships(now);
    lane.bits.begin_round(random_, lane.battle, now.round, random_.blocks(now.round, lane.here));
    game_.place(now, lane.here, lane.bits);
    if (!game_.certain() || lane.stale) lane.firing = game_.firing_lines(now, lane.here);
    lane.stale = false;
    if (game_.weighs()) game_.weigh(now, lane.weights);
  }
  const std::size_t options = game_.most_options();
  for (int place = 0; place < game_.places(); ++place) {
    options <= Game::kFewOptions    ? activate<Game::kFewOptions>(place)
    : options <= ScoreTable::kUsual ? activate<ScoreTable::kUsual>(place)
                                    : activate<kMaxOptions>(place);
  }
  for (int place = 0; place < game_.places(); ++place) engage(place);
  for (std::size_t l = 0; l < lanes_; ++l) {
    Lane& lane = lane_[l];
    if (lane.stale) lane.here = game_.present_ships(lane.played.now);
    game_.end(lane.played.now, lane.here);
    lane.here.each([&](int s) { ++lane.played.lived[at(s)]; });
  }
}

/// Activates the ship at a place of the order. The table entries of all battles are prefetched before the first is
/// read, and one loop reads them all, so that no branch depends on how many enemies each ship can shoot at.
template <std::size_t kWidth>
void Batch::activate(int place) {
  list_of_all([&](Lane& lane) {
    lane.ship = game_.active_at(lane.played.now, place);
    return !lane.played.now.ship[at(lane.ship)].gone;
  });
  list_of_listed([&](Lane& lane) {
    const Game::ManeuverResult flown = game_.maneuver(lane.played.now, lane.ship, lane.bits);
    lane.focus_only = flown.focus_only;
    return flown.acts;
  });
  std::array<Probe<double>, kLanes * kMaxBattleShips> dealt, lost;
  Probe<double>*dealt_end = dealt.data(), *lost_end = lost.data();
  each([&](std::size_t l, Lane& lane) {
    std::fill_n(lane.scores.dealt.begin(), kWidth, kNoScore);
    std::fill_n(lane.scores.lost.begin(), kWidth, 0.0);
    dealt_end = game_.prefetch_dealt(lane.played.now, lane.ship, lane.firing, &evaluations_, l, dealt_end);
    lost_end = game_.prefetch_lost(lane.played.now, lane.ship, lane.firing, &evaluations_, l, lost_end);
  });
  const auto turn = [&](std::size_t l) {
    Lane& lane = lane_[l];
    return Game::Turn{lane.played.now, lane.ship, lane.firing, lane.scores, game_.weights_of(lane.ship, lane.weights)};
  };
  game_.score_dealt<kWidth>(dealt.data(), dealt_end, evaluations_.dealt, turn);
  game_.score_lost<kWidth>(lost.data(), lost_end, evaluations_.lost, turn);
  each([&](std::size_t l, Lane& lane) {
    game_.take_action(lane.played.now, lane.ship, game_.decide<kWidth>(turn(l), lane.focus_only));
  });
}

/// The engagement of the ship at a place of the order.
void Batch::engage(int place) {
  list_of_all([&](Lane& lane) {
    lane.ship = game_.ship_at(lane.played.now, place);
    return !lane.played.now.ship[at(lane.ship)].gone;
  });
  std::array<Probe<EvaluationTables::Entry>, kLanes * kMaxBattleShips + 1> asks;
  Probe<EvaluationTables::Entry>* end = asks.data();
  each([&](std::size_t l, Lane& lane) {
    lane.search = Game::TargetSearch();
    lane.search.weights = &game_.weights_of(lane.ship, lane.weights);
    if (lane.search.weights == &lane.weights)
      game_.weigh_side(lane.played.now, !game_.ship(lane.ship).mine, lane.weights);
    end = game_.prefetch_targets(lane.played.now, lane.ship, lane.firing, &evaluations_, l, end);
  });
  for (const Probe<EvaluationTables::Entry>* ask = asks.data(); ask != end; ++ask) {
    Lane& lane = lane_[ask->lane];
    game_.consider(lane.played.now, lane.ship, *ask, lane.search);
  }
  list_of_listed([](const Lane& lane) { return lane.search.best.ship >= 0; });
  each([&](std::size_t /*l*/, Lane& lane) {
    lane.random = lane.bits.of(game_.attack_slot(lane.ship));
    lane.search.best.draw.fetch(lane.random);
  });
  each([&](std::size_t /*l*/, Lane& lane) {
    lane.outcome = &lane.search.best.draw.pick(lane.random);
    __builtin_prefetch(lane.outcome);
  });
  each([&](std::size_t /*l*/, Lane& lane) {
    BattleState& now = lane.played.now;
    const int target = lane.search.best.ship;
    lane.played.count(game_.resolve(now, lane.ship, target, *lane.outcome));
    lane.destroyed |= std::min(now.ship[at(target)].health, now.ship[at(lane.ship)].health) == 0;
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
