#include "battle/optimal.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
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
        values_.evaluate_with_health(health, lower, upper);
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
    std::vector<double> now(graph_.layers()[0].points.size(), 0.0), attacks;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 0) continue;
      for (const PlayGraph::Transition& way : graph_.begins()[i]) now[way.next] += from[i] * way.chance;
    }
    for (std::size_t l = 0; l < graph_.layers().size(); ++l) {
      const bool last = l + 1 == graph_.layers().size();
      std::vector<double> next(last ? graph_.states().size() : graph_.layers()[l + 1].points.size(), 0.0);
      attacks.assign(graph_.layers()[l].attacks.size(), 0.0);
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] > 0) flow(l, graph_.point(l, i), now[i], next, attacks, watch);
      }
      values_.play_attacks(l, attacks, [&](const PlayGraph::Attack& attack, std::span<const double> chances) {
        for (std::size_t o = 0; o < chances.size(); ++o) {
          const Outcome& outcome = graph_.tree(attack).outcomes[o];
          if (chances[o] == 0) continue;
          next[attack.next[o]] += chances[o];
          if (out != nullptr) add_shot(attack, outcome, chances[o], *out);
          if (watch != nullptr)
            watch->add_spent(graph_.game(), graph_.before(attack), attack.ship, attack.target, outcome, chances[o]);
        }
      });
      now = std::move(next);
    }
    return now;
  }

  /// Carries the probability of a position to those that follow, or to its attack.
  void flow(std::size_t l, const PlayGraph::DecisionPoint& point, double p, std::vector<double>& next,
            std::vector<double>& attacks, TacticTally* watch) const {
    using Kind = PlayGraph::Head::Kind;
    const int s = point.ship;
    if (point.kind == Kind::Passes) {
      next[point.options[0]] += p;
    } else if (point.kind == Kind::Activates) {
      PlayGraph::each_maneuver(point, [&](const PlayGraph::ManeuverBranch& branch) {
        const std::size_t taken = values_.taken(l, point, branch);
        next[branch.next[taken]] += p * branch.chance;
        if (watch == nullptr) return;
        const Action action = PlayGraph::action_of(branch.actions[taken]);
        watch->ships[at(s)].actions[action_words(graph_.game(), s, action)] += p * branch.chance;
      });
    } else {
      const std::uint32_t taken = values_.taken(l, point);
      attacks[taken] += p;
      if (watch == nullptr) return;
      const PlayGraph::Attack attack = graph_.attack(l, taken);
      watch->ships[at(s)].weapons[weapon_words(graph_.game(), s, attack.target, attack.weapon)] += p;
    }
  }

  /// As Rules::resolve() has it, without a state: this is called for each outcome in each round.
  void add_shot(const PlayGraph::Attack& attack, const Outcome& outcome, double p, ExactBattle& out) const {
    const int left = std::max(0, attack.target_health - outcome.damage), damage = attack.target_health - left;
    const Game& game = graph_.game();
    const auto target = at(attack.target), ship = at(attack.ship);
    out.shots[ship] += p;
    out.done[ship] += p * damage;
    out.earned[ship] +=
        p * (game.points_lost(attack.target, left) - game.points_lost(attack.target, attack.target_health));
    out.taken[target] += p * damage;
    out.taken[ship] += p * std::min<int>(attack.health, outcome.own_damage);
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
};

}  // namespace

OptimalBattle play_optimally(const Game& game, const PlayBudget& budget, int threads) {
  return OptimalPlay(game, nullptr, budget, threads).answer();
}

ExactBattle play_equilibrium(const Game& game, const Game* asked, const PlayBudget& budget, int threads) {
  return OptimalPlay(game, asked, budget, threads).battle(nullptr);
}

}  // namespace salvo::battle
