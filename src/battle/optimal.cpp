#include "battle/optimal.h"

#include <algorithm>
#include <vector>

#include "battle/play_values.h"
#include "battle/tactics.h"

namespace salvo::battle {
namespace {

constexpr double kClose = 1e-4;                ///< bounds this close are close enough
constexpr double kSmallestProbability = 0.01;  ///< of positions that are reported
constexpr std::size_t kPositionsPerRound = 4, kReportedRounds = 6;

class OptimalPlay {
 public:
  OptimalPlay(const Game& game, const Game* asked, const PlayBudget& budget, int threads)
      : graph_(game, budget, asked), values_(graph_, threads) {}

  OptimalBattle answer() {
    OptimalBattle out;
    out.battle = battle(&out.positions);
    out.bounds = bounds();
    return out;
  }
  /// Adds to `positions` unless null.
  ExactBattle battle(std::vector<BattlePosition>* positions) {
    ExactBattle out;
    const int rounds = graph_.game().question().rounds;
    // The values of all states, by number of completed rounds.
    std::vector<std::vector<double>> values(at(rounds) + 1);
    values[at(rounds)] = values_.ends([&](std::size_t i) { return values_.value_at_end(i, rounds); });
    for (int round = rounds; round-- > 0;) {
      values[at(round)] = values[at(round) + 1];
      values_.evaluate(values[at(round) + 1], std::min(round, graph_.last_flight_round()), values[at(round)]);
    }
    play(values, out, positions);
    out.followed = graph_.followed();
    out.work = graph_.work();
    return out;
  }

 private:
  // -------------------------------------------------------------- without a limit of rounds

  BattleBounds bounds() {
    BattleBounds out;
    PlayValues::Endless lower = values_.endless(values_.ends([&](std::size_t i) { return unfinished(i, 0); }));
    PlayValues::Endless upper = values_.endless(values_.ends([&](std::size_t i) { return unfinished(i, 1); }));
    const auto classes = static_cast<double>(values_.most_health());
    for (std::size_t health = 0; health < values_.most_health(); ++health) {
      // Positions with less health have used up their share of the tolerance; these may add theirs.
      const double close = kClose * static_cast<double>(health + 1) / classes;
      const auto apart = [&] {
        double most = 0;
        for (const std::uint32_t i : values_.states_with_health(health))
          most = std::max(most, upper.back().win[i] - lower.back().win[i]);
        return most;
      };
      int rounds = 0;
      do {
        values_.evaluate_with_health(health, lower);
        values_.evaluate_with_health(health, upper);
        ++rounds;
      } while (rounds < kMaxBattleRounds && apart() > close);
      out.rounds = std::max(out.rounds, rounds);
    }
    for (int flight_round = graph_.last_flight_round(); flight_round-- > 0; ++out.rounds) {
      for (std::vector<double>* values : {&lower.back().win, &upper.back().win}) {
        const std::vector<double> next = *values;
        values_.evaluate(next, flight_round, *values);
      }
    }
    out.lower = lower.back().win[0];
    out.upper = upper.back().win[0];
    return out;
  }

  double unfinished(std::size_t i, double value) const {
    return graph_.settled(i) ? values_.value_at_end(i, graph_.states()[i].round) : value;
  }

  // -------------------------------------------------------------- play

  void play(const std::vector<std::vector<double>>& values, ExactBattle& out, std::vector<BattlePosition>* positions) {
    std::vector<double> now(graph_.states().size(), 0.0);
    now[0] = 1;
    add_alive(now, out);
    std::vector<double> ignored;
    for (int round = 0; std::any_of(now.begin(), now.end(), [](double p) { return p > 0; }); ++round) {
      ignored = values[at(round) + 1];
      values_.evaluate(values[at(round) + 1], std::min(round, graph_.last_flight_round()), ignored);
      if (positions != nullptr && at(round) < kReportedRounds)
        report_positions(now, round, values[at(round)], *positions);
      now = flow(now, &out, nullptr);
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == 0) continue;
        BattleState end = graph_.states()[i];
        end.round = static_cast<std::uint8_t>(round + 1);
        if (!graph_.game().over(end)) continue;
        finish(graph_.game(), end, round + 1, now[i], out);
        now[i] = 0;
      }
      add_alive(now, out);
    }
  }

  void add_alive(const std::vector<double>& now, ExactBattle& out) const {
    out.alive.emplace_back(out.survives);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == 0) continue;
      const BattleState state = graph_.states()[i];
      for (int s = 0; s < graph_.game().ships(); ++s) out.alive.back()[at(s)] += state.ship[at(s)].gone ? 0 : now[i];
    }
  }

  /// Carries the probabilities of states through the round evaluated last. Adds to `out` and `watch` unless null.
  std::vector<double> flow(const std::vector<double>& from, ExactBattle* out, TacticTally* watch) {
    std::vector<double> now(graph_.layers()[0].points.size(), 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 0) continue;
      for (const PlayGraph::Transition& way : graph_.begins()[i]) now[way.next] += from[i] * way.chance;
    }
    for (std::size_t l = 0; l < graph_.layers().size(); ++l) {
      const bool last = l + 1 == graph_.layers().size();
      std::vector<double> next(last ? graph_.states().size() : graph_.layers()[l + 1].points.size(), 0.0);
      const Values& after = values_.layer_values(l + 1);
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] > 0) flow(l, i, now[i], after, next, out, watch);
      }
      now = std::move(next);
    }
    return now;
  }

  void flow(std::size_t l, std::size_t i, double p, const Values& after, std::vector<double>& next, ExactBattle* out,
            TacticTally* watch) {
    const PlayGraph::DecisionPoint& point = graph_.layers()[l].points[i];
    const int s = point.ship;
    if (point.options.count == 0) {
      next[point.next] += p;
      return;
    }
    for (const PlayGraph::ManeuverBranch& branch : graph_.maneuvers(point)) {
      const std::size_t taken = values_.taken(branch, graph_.game().ship(s).mine, after);
      next[graph_.next(branch)[taken]] += p * branch.chance;
      if (watch != nullptr)
        watch->ships[at(s)].actions[action_words(graph_.game(), s, graph_.actions(branch)[taken])] += p * branch.chance;
    }
    if (point.activates) return;
    const PlayGraph::AttackOption& option = graph_.attacks(point)[values_.taken(point, after, edges_)];
    if (watch != nullptr)
      watch->ships[at(s)].weapons[weapon_words(graph_.game(), s, option.target, option.weapon)] += p;
    const AttackTree& tree = *option.tree;
    mass_.assign(tree.nodes.size(), 0.0);
    mass_.back() = p;
    const BattleState now = graph_.layers()[l].table[i];
    using Kind = AttackTree::Node::Kind;
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
      const AttackTree::Node& node = tree.nodes[n];
      if (mass_[n] == 0) continue;
      if (node.kind == Kind::End) {
        next[graph_.next(option)[node.first]] += mass_[n];
        const Outcome& outcome = tree.outcomes[at(node.first)];
        if (out != nullptr) add_shot(now, s, option.target, outcome, mass_[n], *out);
        if (watch != nullptr) watch->add_spent(graph_.game(), now, s, option.target, outcome, mass_[n]);
      } else if (node.kind == Kind::Chance) {
        for (std::size_t e = at(node.first); e < at(node.first + node.count); ++e)
          mass_[at(tree.edges[e].target)] += mass_[n] * tree.edges[e].chance;
      } else {
        mass_[at(tree.edges[at(edges_[n])].target)] += mass_[n];
      }
    }
  }

  void add_shot(BattleState now, int s, int target, const Outcome& outcome, double p, ExactBattle& out) const {
    const AttackResult shot = graph_.game().resolve(now, s, target, outcome);
    out.shots[at(s)] += p;
    out.done[at(s)] += p * shot.damage;
    out.earned[at(s)] += p * shot.points;
    out.taken[at(shot.target)] += p * shot.damage;
    out.taken[at(s)] += p * shot.own_damage;
  }

  // -------------------------------------------------------------- reported positions

  void report_positions(const std::vector<double>& now, int round, const std::vector<double>& values,
                        std::vector<BattlePosition>& out) {
    std::vector<std::size_t> likely;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] >= kSmallestProbability) likely.push_back(i);
    }
    std::stable_sort(likely.begin(), likely.end(), [&](std::size_t a, std::size_t b) { return now[a] > now[b]; });
    likely.resize(std::min(likely.size(), kPositionsPerRound));
    for (const std::size_t i : likely) {
      std::vector<double> here(now.size(), 0.0);
      here[i] = 1;
      TacticTally watch;
      flow(here, nullptr, &watch);
      BattlePosition position{round + 1, now[i], values[i], {}};
      const BattleState state = graph_.states()[i];
      for (int s = 0; s < graph_.game().ships(); ++s) position.ships.push_back(watch.tactic(graph_.game(), state, s));
      out.push_back(std::move(position));
    }
  }

  PlayGraph graph_;
  PlayValues values_;
  std::vector<int> edges_;    ///< taken in the attack that a ship makes
  std::vector<double> mass_;  ///< by node of its tree
};

}  // namespace

OptimalBattle play_optimally(const Game& game, const PlayBudget& budget, int threads) {
  return OptimalPlay(game, nullptr, budget, threads).answer();
}

ExactBattle play_equilibrium(const Game& game, const Game* asked, const PlayBudget& budget, int threads) {
  return OptimalPlay(game, asked, budget, threads).battle(nullptr);
}

}  // namespace salvo::battle
