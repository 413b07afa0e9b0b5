#include "battle/exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "battle/chance_enumerator.h"
#include "battle/state_table.h"

namespace salvo::battle {
namespace {

/// An edge from a point of a round to one that follows. Outcomes that lead to the same point are one edge.
struct Transition {
  std::size_t next = 0;
  double chance = 0;
};

/// A point of a round whose transitions are known.
struct Point {
  std::size_t first = 0, count = 0;  ///< of its transitions; count 0: not yet expanded
  int shooter = -1, target = -1;
  double shots = 0, done = 0, own = 0, earned = 0, taken = 0;  ///< means; `taken` by the target
  /// The ship that its own damage cards damaged as it engaged, which may change its target; -1: none. And that damage.
  int engaged = -1;
  double engaged_damage = 0;
  std::vector<std::pair<int, double>> others = {};  ///< further targets and their damage

  void add(const AttackResult& shot, double p) {
    shooter = shot.shooter;
    if (target < 0) target = shot.target;
    done += p * shot.damage;
    own += p * shot.own_damage;
    earned += p * shot.points;
    if (shot.target == target) {
      taken += p * shot.damage;
    } else {
      others.emplace_back(shot.target, p * shot.damage);
    }
  }
};

/// Rounds begin in states; within a round there are points before each place of the engagement. Each point is expanded
/// once, however often it is reached.
class Chain {
 public:
  Chain(const Game& game, const ExactBudget& budget)
      : game_(game),
        budget_(budget),
        evaluations_(game.evaluations()),
        states_(game),
        last_flight_round_(static_cast<int>(game.flight_rounds().size()) - 1) {
    for (int place = 0; place < game.places(); ++place) places_.emplace_back(game);
  }

  /// The number of a state at the start of a round. Only the round of the flight that comes next matters.
  std::size_t number(BattleState now) {
    now.round = static_cast<std::uint8_t>(std::min<int>(now.round, last_flight_round_));
    return states_.number(now);
  }
  BattleState state(std::size_t i) const { return states_[i]; }
  std::size_t states() const { return states_.size(); }
  double followed() const { return static_cast<double>(transitions_.size()); }

  double work() const { return work_; }

  /// The probabilities of states after a round. Adds to the means of ships.
  std::vector<double> round(const std::vector<double>& chances, ExactBattle& out) {
    std::vector<double> now;
    for (std::size_t i = 0; i < chances.size(); ++i) {
      if (chances[i] > 0) flow(begun(i), chances[i], now);
    }
    for (int place = 0; place < game_.places(); ++place) {
      std::vector<double> next;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == 0) continue;
        const Point& point = engaged(place, i);
        flow(point, now[i], next);
        if (point.engaged_damage > 0) out.taken[at(point.engaged)] += now[i] * point.engaged_damage;
        if (point.shooter < 0) continue;
        out.shots[at(point.shooter)] += now[i] * point.shots;
        out.done[at(point.shooter)] += now[i] * point.done;
        out.earned[at(point.shooter)] += now[i] * point.earned;
        out.taken[at(point.target)] += now[i] * point.taken;
        for (const auto& [target, damage] : point.others) out.taken[at(target)] += now[i] * damage;
        out.taken[at(point.shooter)] += now[i] * point.own;
      }
      now = std::move(next);
    }
    return now;
  }

 private:
  struct Place {
    explicit Place(const Game& game) : table(game) {}
    StateTable table;
    std::vector<Point> points;
  };

  void flow(const Point& point, double chance, std::vector<double>& to) const {
    for (std::size_t w = point.first; w < point.first + point.count; ++w) {
      const Transition& transition = transitions_[w];
      if (transition.next >= to.size()) to.resize(transition.next + 1);
      to[transition.next] += chance * transition.chance;
    }
  }

  void add(Point& point, std::size_t next, double chance) {
    if (++work_ > budget_.work) {
      throw PlanTooLarge(
          fmt::format("the exact engine has to work through more than {} outcomes, counting those that merge",
                      base::with_separators(static_cast<std::uint64_t>(budget_.work))),
          budget_.work, budget_.work);
    }
    if (found_.size() <= next) found_.resize(next + 1, 0);
    // The index of the transition plus one, if it belongs to this point.
    std::uint32_t& known = found_[next];
    if (known > point.first && known <= transitions_.size() && transitions_[known - 1].next == next) {
      transitions_[known - 1].chance += chance;
      return;
    }
    if (static_cast<double>(transitions_.size()) >= budget_.outcomes) {
      throw PlanTooLarge(
          fmt::format("the exact engine has to follow more than its budget of {} outcomes; sample, or take a "
                      "flight with fewer cases, such as range-2",
                      base::with_separators(static_cast<std::uint64_t>(budget_.outcomes))),
          budget_.outcomes, budget_.outcomes);
    }
    transitions_.push_back({next, chance});
    known = static_cast<std::uint32_t>(transitions_.size());
    ++point.count;
  }

  const Point& begun(std::size_t state) {
    if (state >= begun_.size()) begun_.resize(state + 1);
    Point& point = begun_[state];
    if (point.count > 0) return point;
    point.first = transitions_.size();
    const BattleState from = states_[state];
    ChanceEnumerator actions(evaluations_);
    while (actions.more()) {
      BattleState one = from;
      game_.begin(one, actions);
      add(point, places_[0].table.number(one), actions.chance());
    }
    return point;
  }

  const Point& engaged(int place, std::size_t i) {
    Place& here = places_[at(place)];
    if (i >= here.points.size()) here.points.resize(here.table.size());
    Point& point = here.points[i];
    if (point.count > 0) return point;
    point.first = transitions_.size();
    const BattleState from = here.table[i];
    const int s = game_.ship_at(from, place);
    const auto finish_place = [&](BattleState& one, double p) {
      game_.leave(one, place);
      if (game_.tables().deck() != nullptr && game_.one_side_gone(one)) {  // no longer read
        one.hand.fill(0);
        one.seen.fill(0);
      }
      game_.forget_geometry(one, place);
      if (place + 1 < game_.places()) {
        add(point, places_[at(place + 1)].table.number(one), p);
      } else {
        game_.end(one);
        add(point, number(one), p);
      }
    };
    if (game_.tables().deck() != nullptr && !from.ship[at(s)].gone) {
      engage_with_cards(from, s, point, finish_place);
      return point;
    }
    const ChosenAttack choice = from.ship[at(s)].gone ? ChosenAttack{} : game_.choose_attack(from, s, &evaluations_);
    if (choice.outcomes == nullptr) {
      BattleState one = from;
      finish_place(one, 1);
      return point;
    }
    point.shots = 1;
    for (std::size_t o = 0; o < choice.outcomes->list.size(); ++o) {
      BattleState one = from;
      const double p = choice.outcomes->chance[o];
      point.add(game_.resolve(one, s, choice.target, choice.outcomes->list[o]), p);
      finish_place(one, p);
    }
    return point;
  }

  /// What damage cards do when a ship engages, and its attack.
  template <typename Finish>
  void engage_with_cards(BattleState from, int s, Point& point, const Finish& finish_place) {
    game_.shuffle(from);
    if (!game_.acts(from, s)) return shoot_with_cards(from, s, 1, point, finish_place);
    const AttackKey key = game_.engagement_of(from, s);
    point.engaged = s;
    game_.tables().each_outcome(key, game_.tables().attack(key), game_.deck_state(from, s),
                                [&](const CardOutcome& outcome, double p) {
                                  BattleState one = from;
                                  point.engaged_damage += p * game_.resolve_engagement(one, s, outcome);
                                  shoot_with_cards(one, s, p, point, finish_place);
                                });
  }

  template <typename Finish>
  void shoot_with_cards(const BattleState& from, int s, double weight, Point& point, const Finish& finish_place) {
    const ChosenAttack choice = game_.choose_attack(from, s, &evaluations_);
    if (choice.outcomes == nullptr) {
      BattleState one = from;
      game_.pass_opportunity(one, s);
      finish_place(one, weight);
      return;
    }
    point.shots += weight;
    game_.tables().each_outcome(choice.key, *choice.outcomes, game_.deck_state(from, s, choice.target),
                                [&](const CardOutcome& outcome, double p) {
                                  BattleState one = from;
                                  point.add(game_.resolve(one, s, choice.target, outcome.outcome), weight * p);
                                  game_.take_cards(one, s, choice.target, outcome.cards);
                                  game_.pass_opportunity(one, s);
                                  finish_place(one, weight * p);
                                });
  }

  const Game& game_;
  ExactBudget budget_;
  double work_ = 0;
  EvaluationTables evaluations_;
  StateTable states_;
  int last_flight_round_ = 0;
  std::vector<Point> begun_;             ///< by state
  std::vector<Place> places_;            ///< of the engagement
  std::vector<Transition> transitions_;  ///< of all points
  std::vector<std::uint32_t> found_;
};

}  // namespace

void finish(const Game& game, const BattleState& now, int rounds, double p, ExactBattle& out) {
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

ExactBattle play_exactly(const Game& game, const ExactBudget& budget) {
  Chain chain(game, budget);
  ExactBattle out;
  std::vector<double> now(chain.number(game.start()) + 1, 1.0);
  const auto add_alive = [&] {
    out.alive.emplace_back(out.survives);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == 0) continue;
      const BattleState state = chain.state(i);
      for (int s = 0; s < game.ships(); ++s) out.alive.back()[at(s)] += state.ship[at(s)].gone ? 0 : now[i];
    }
  };
  add_alive();
  for (int round = 1; std::any_of(now.begin(), now.end(), [](double p) { return p > 0; }); ++round) {
    now = chain.round(now, out);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == 0) continue;
      BattleState at_end = chain.state(i);
      at_end.round = static_cast<std::uint8_t>(round);
      if (!game.over(at_end)) continue;
      finish(game, at_end, round, now[i], out);
      now[i] = 0;
    }
    add_alive();
  }
  out.followed = chain.followed();
  out.work = chain.work();
  return out;
}

}  // namespace salvo::battle
