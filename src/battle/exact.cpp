// The exact engine of battles: see exact.h.
#include "battle/exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "battle/now_table.h"
#include "battle/replay.h"

namespace salvo::battle {
namespace {

/// What one round does to a battle that stands so at its start.
struct Round {
  struct Step {
    std::size_t next = 0;  ///< number of the state in which the next round begins
    double chance = 0;
  };
  std::vector<Step> steps;
  std::array<double, kMostShips> shots{}, done{}, taken{}, earned{};  ///< means
};

/// Chances by number, and what is still to be followed of them.
class Spread {
 public:
  void add(const Now& now, double chance) {
    const std::size_t i = table_.number(now);
    if (i == chances_.size()) chances_.push_back(0);
    chances_[i] += chance;
  }
  std::size_t size() const { return table_.size(); }
  const Now& now(std::size_t i) const { return table_[i]; }
  double chance(std::size_t i) const { return chances_[i]; }

 private:
  NowTable table_;
  std::vector<double> chances_;
};

class Chain {
 public:
  Chain(const Game& game, double budget) : game_(game), budget_(budget) {
    last_leg_ = static_cast<int>(game.flight().rounds.size()) - 1;
  }

  /// States are battles at the start of a round; `round` says only which round of the flight comes.
  std::size_t number(Now now) {
    now.round = static_cast<std::uint8_t>(std::min<int>(now.round, last_leg_));
    return states_.number(now);
  }
  const Now& state(std::size_t i) const { return states_[i]; }
  const Round& round_from(std::size_t state) {
    if (state >= rounds_.size()) rounds_.resize(state + 1);
    if (!rounds_[state]) {
      auto found = std::make_unique<Round>(follow(states_[state]));
      if (state >= rounds_.size()) rounds_.resize(state + 1);
      rounds_[state] = std::move(found);
    }
    return *rounds_[state];
  }
  double followed() const { return followed_; }

 private:
  void count() {
    followed_ += 1;
    if (followed_ <= budget_) return;
    throw PlanTooLarge(
        fmt::format("the exact engine has to follow more than its budget of {} outcomes; sample, or take a "
                    "flight with fewer cases, as range-2",
                    text::with_separators(static_cast<std::uint64_t>(budget_))),
        followed_, budget_);
  }

  Round follow(const Now& from) {
    Round out;
    Spread now;
    Replay actions;
    while (actions.more()) {
      Now one = from;
      game_.begin(one, actions);
      now.add(one, actions.chance());
      count();
    }
    for (int place = 0; place < game_.places(); ++place) {
      Spread next;
      for (std::size_t i = 0; i < now.size(); ++i) engage(now.now(i), now.chance(i), place, out, next);
      now = std::move(next);
    }
    Spread ends;
    for (std::size_t i = 0; i < now.size(); ++i) {
      Now one = now.now(i);
      game_.end(one);
      ends.add(one, now.chance(i));
    }
    for (std::size_t i = 0; i < ends.size(); ++i) out.steps.push_back({number(ends.now(i)), ends.chance(i)});
    return out;
  }

  void engage(const Now& from, double weight, int place, Round& out, Spread& next) {
    const int s = game_.ship_at(from, place);
    const Game::Choice choice = from.ship[at(s)].gone ? Game::Choice{} : game_.choose(from, s);
    const auto go_on = [&](Now& one, double p) {
      game_.leave(one, place);
      game_.forget(one, place);
      next.add(one, p);
      count();
    };
    if (choice.outcomes == nullptr) {
      Now one = from;
      go_on(one, weight);
      return;
    }
    for (std::size_t i = 0; i < choice.outcomes->list.size(); ++i) {
      Now one = from;
      const Shooting shot = game_.resolve(one, s, choice, choice.outcomes->list[i]);
      const double p = weight * choice.outcomes->chance[i];
      out.shots[at(shot.shooter)] += p;
      out.done[at(shot.shooter)] += p * shot.damage;
      out.earned[at(shot.shooter)] += p * shot.points;
      out.taken[at(shot.target)] += p * shot.damage;
      out.taken[at(shot.shooter)] += p * shot.own_damage;
      go_on(one, p);
    }
  }

  const Game& game_;
  double budget_, followed_ = 0;
  int last_leg_ = 0;
  NowTable states_;
  std::vector<std::unique_ptr<Round>> rounds_;
};

/// Adds a battle that is over after `rounds` rounds.
void finish(const Game& game, const Now& now, int rounds, double p, ExactBattle& out) {
  const int result = game.result(now), mine = game.points(now, true), theirs = game.points(now, false);
  (result > 0 ? out.win : result < 0 ? out.loss : out.draw) += p;
  out.points[{mine, theirs}] += p;
  out.ends[{result, rounds, mine, theirs}] += p;
  out.rounds.resize(std::max(out.rounds.size(), at(rounds) + 1), 0.0);
  out.rounds[at(rounds)] += p;
  int left = 0;
  for (int s = 0; s < game.ships(); ++s) left += now.ship[at(s)].gone ? 0 : 1;
  for (int s = 0; s < game.ships(); ++s) {
    if (now.ship[at(s)].gone) continue;
    out.survives[at(s)] += p;
    if (left == 1) out.last[at(s)] += p;
  }
}

}  // namespace

ExactBattle play_exactly(const Game& game, double budget) {
  Chain chain(game, budget);
  ExactBattle out;
  std::map<std::size_t, double> now{{chain.number(game.start()), 1.0}};
  const auto add_alive = [&] {
    out.alive.emplace_back();
    for (int s = 0; s < game.ships(); ++s) {
      double sum = out.survives[at(s)];
      for (const auto& [state, p] : now) sum += chain.state(state).ship[at(s)].gone ? 0 : p;
      out.alive.back()[at(s)] = sum;
    }
  };
  add_alive();
  for (int round = 0; !now.empty(); ++round) {
    std::map<std::size_t, double> next;
    for (const auto& [state, p] : now) {
      const Round& happens = chain.round_from(state);
      for (int s = 0; s < game.ships(); ++s) {
        out.shots[at(s)] += p * happens.shots[at(s)];
        out.done[at(s)] += p * happens.done[at(s)];
        out.taken[at(s)] += p * happens.taken[at(s)];
        out.earned[at(s)] += p * happens.earned[at(s)];
      }
      for (const Round::Step& step : happens.steps) next[step.next] += p * step.chance;
    }
    now.clear();
    for (const auto& [state, p] : next) {
      Now at_end = chain.state(state);
      at_end.round = static_cast<std::uint8_t>(round + 1);
      if (game.over(at_end)) {
        finish(game, at_end, round + 1, p, out);
      } else {
        now.emplace(state, p);
      }
    }
    add_alive();
  }
  out.followed = chain.followed();
  return out;
}

}  // namespace salvo::battle
