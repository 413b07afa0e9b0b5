// Battles whose play is solved: see optimal.h.
#include "battle/optimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "battle/attack_tree.h"
#include "battle/chance_enumerator.h"
#include "battle/state_table.h"
#include "battle/tactics.h"

namespace salvo::battle {
namespace {

constexpr double kTie = 1e-12;    ///< values that differ by less are equal: the first option is taken
constexpr double kClose = 1e-4;   ///< bounds that are so close are close enough
constexpr double kSmallestProbability = 0.01;  ///< positions that are met less often are not told
constexpr std::size_t kPositionsPerRound = 4, kReportedRounds = 6;

/// What a point is worth to me.
struct Value {
  double win = 0;    ///< chance to win, a draw counted half
  double draw = 0;   ///< chance of a draw
  double ahead = 0;  ///< points at the end of the engagement, mine minus theirs, if both sides play for them
};

/// Values of the nodes of an attack, and the edge taken at each decision.
struct TreeValues {
  std::vector<Value> values;
  std::vector<int> edges;
  const Value& root() const { return values.back(); }
};

class Optimum {
 public:
  Optimum(const Game& game, double budget, double attack_budget)
      : game_(game),
        budget_(budget),
        attack_budget_(attack_budget),
        evaluations_(game.evaluations()),
        states_(game),
        last_flight_round_(static_cast<int>(game.flight_rounds().size()) - 1) {
    for (int i = 0; i < 2 * game.ships(); ++i) layers_.emplace_back(game);
    for (const bool mine : {false, true}) {
      by_points_[mine] = (mine ? game.question().my_policy : game.question().their_policy) == BattlePolicy::Best;
    }
    number(game.start());
    follow();
  }

  OptimalBattle answer() {
    OptimalBattle out;
    const int rounds = game_.question().rounds;
    // By rounds that are over, the values of all states then.
    std::vector<std::vector<Value>> values(at(rounds) + 1);
    values[at(rounds)] = ends([&](std::size_t i) { return value_at_end(i, rounds); });
    for (int round = rounds; round-- > 0;) {
      values[at(round)] = values[at(round) + 1];
      evaluate(values[at(round) + 1], std::min(round, last_flight_round_), values[at(round)]);
    }
    play(values, out);
    out.bounds = bounds();
    out.battle.followed = followed_;
    return out;
  }

 private:
  struct Transition {
    std::size_t next = 0;
    double chance = 0;
  };
  struct ManeuverBranch {  ///< after a maneuver
    double chance = 1;
    std::vector<Action> actions;
    std::vector<std::size_t> next;  ///< by action
  };
  struct AttackOption {
    ChosenAttack choice;
    const AttackTree* tree = nullptr;
    std::vector<std::size_t> next;  ///< by outcome of the tree
  };
  /// A battle before a ship activates or engages.
  struct DecisionPoint {
    int flight_round = 0, ship = 0;
    std::vector<ManeuverBranch> maneuvers;  ///< of an activation
    std::vector<AttackOption> attacks;         ///< of an engagement
    std::size_t next = 0;            ///< where there is nothing to do
  };
  /// The battles before one place in the order of activation or of the engagement.
  struct Layer {
    explicit Layer(const Game& game) : table(game) {}
    StateTable table;
    std::vector<DecisionPoint> points;
    std::vector<Value> values;
  };

  // -------------------------------------------------------------- what can happen

  std::size_t number(BattleState now) {
    now.round = static_cast<std::uint8_t>(std::min<int>(now.round, last_flight_round_));
    return states_.number(now);
  }

  /// Nothing changes any more.
  bool settled(std::size_t state) const {
    const BattleState now = states_[state];
    return game_.one_side_gone(now) || game_.stalemate(now);
  }

  void count(std::size_t transitions) {
    followed_ += static_cast<double>(transitions);
    if (followed_ <= budget_) return;
    throw PlanTooLarge(
        fmt::format("solving the play has to follow more than the budget of {} ways; raise it, or take a flight with "
                    "fewer cases, as range-2, ships with fewer tokens and charges, or a policy that is given",
                    base::with_separators(static_cast<std::uint64_t>(budget_))),
        followed_, budget_);
  }

  /// All states, and all that lies between them.
  void follow() {
    for (std::size_t state = 0; state < states_.size(); ++state) {
      begins_.emplace_back();
      if (game_.one_side_gone(states_[state])) continue;
      std::map<std::size_t, double> transitions;
      const BattleState from = states_[state];
      ChanceEnumerator placements(evaluations_);
      while (placements.more()) {
        BattleState one = from;
        game_.place(one, game_.present_ships(one), placements);
        transitions[layers_[0].table.number(one)] += placements.chance();
      }
      for (const auto& [next, chance] : transitions) begins_.back().push_back({next, chance});
      count(transitions.size());
      for (std::size_t l = 0; l < layers_.size(); ++l) {
        Layer& layer = layers_[l];
        while (layer.points.size() < layer.table.size()) {
          DecisionPoint point = followed(l, layer.table[layer.points.size()]);
          layer.points.push_back(std::move(point));
        }
      }
    }
  }

  DecisionPoint followed(std::size_t l, const BattleState& now) {
    DecisionPoint out;
    out.flight_round = now.round;
    const auto places = at(game_.ships());
    if (l < places) {
      out.ship = game_.active_at(now, static_cast<int>(l));
      if (now.ship[at(out.ship)].gone) {
        out.next = after(l, now);
      } else {
        activate(l, now, out);
      }
      return out;
    }
    const int place = static_cast<int>(l - places);
    out.ship = game_.ship_at(now, place);
    for (const ChosenAttack& choice : game_.attacks(now, out.ship, evaluations_)) {
      const AttackTree& tree = tree_of(choice.key, game_.ship(out.ship).mine);
      if (!tree.possible) continue;
      AttackOption option{choice, &tree, {}};
      for (const Outcome& outcome : tree.outcomes) {
        BattleState one = now;
        game_.resolve(one, out.ship, choice.target, outcome);
        option.next.push_back(after(l, one));
      }
      count(option.next.size());
      out.attacks.push_back(std::move(option));
    }
    if (out.attacks.empty()) out.next = after(l, now);
    return out;
  }

  void activate(std::size_t l, const BattleState& now, DecisionPoint& out) {
    for (const Game::Maneuver& maneuver : game_.maneuvers(now, out.ship)) {
      ManeuverBranch branch{maneuver.chance, game_.actions(maneuver, out.ship, evaluations_), {}};
      for (const Action& action : branch.actions) {
        BattleState one = maneuver.now;
        game_.take_action(one, out.ship, action);
        branch.next.push_back(after(l, one));
      }
      count(branch.next.size());
      out.maneuvers.push_back(std::move(branch));
    }
  }

  /// The point after that of layer l.
  std::size_t after(std::size_t l, BattleState now) {
    const auto places = at(game_.ships());
    if (l >= places) {
      const int place = static_cast<int>(l - places);
      game_.leave(now, place);
      game_.forget_geometry(now, place);
    }
    if (l + 1 < layers_.size()) return layers_[l + 1].table.number(now);
    game_.end(now);
    return number(now);
  }

  /// `mine`: I attack.
  const AttackTree& tree_of(const AttackKey& key, bool mine) {
    const auto name = std::tuple(key.attacker, key.defender, key.weapon, key.shot, key.attacker_state,
                                 key.defender_state, key.lock, mine);
    const auto known = trees_.find(name);
    if (known != trees_.end()) return known->second;
    const Deciders deciders{game_.solved(mine), game_.solved(!mine)};
    return trees_.emplace(name, attack_tree(game_.tables(), key, deciders, attack_budget_)).first->second;
  }

  // -------------------------------------------------------------- values

  template <typename Make>
  std::vector<Value> ends(const Make& make) const {
    std::vector<Value> out;
    for (std::size_t i = 0; i < states_.size(); ++i) out.push_back(make(i));
    return out;
  }

  Value value_at_end(std::size_t i, int rounds) const {
    BattleState now = states_[i];
    now.round = static_cast<std::uint8_t>(rounds);
    const int result = game_.result(now);
    return {result > 0 ? 1.0 : result < 0 ? 0.0 : 0.5, result == 0 ? 1.0 : 0.0, ahead(now)};
  }

  /// Each ship's points by the share of its health that is lost, mine minus theirs.
  double ahead(const BattleState& now) const {
    double out = 0;
    for (int s = 0; s < game_.ships(); ++s) {
      const double full = game_.type_of(s).health(), lost = (full - now.ship[at(s)].health) / full;
      out += (game_.ship(s).mine ? -1 : 1) * game_.ship(s).points * lost;
    }
    return out;
  }

  /// The option that a side takes, and what the point is worth then. `of(i)`: of option i.
  template <typename Of>
  Value decided(bool mine, std::size_t count, const Of& of, std::size_t& taken) const {
    const double sign = mine ? 1 : -1;
    taken = 0;
    double best = 0, ahead = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Value& one = of(i);
      const double measure = sign * (by_points_[mine] ? one.ahead : one.win);
      if (i == 0 || measure > best + kTie) {
        best = measure;
        taken = i;
      }
      if (i == 0 || sign * one.ahead > sign * ahead) ahead = one.ahead;
    }
    const Value& one = of(taken);
    return {one.win, one.draw, ahead};
  }

  void evaluate(const AttackOption& option, bool mine, const std::vector<Value>& next, TreeValues& out) const {
    const AttackTree& tree = *option.tree;
    out.values.resize(tree.nodes.size());
    out.edges.resize(tree.nodes.size());
    using Kind = AttackTree::Node::Kind;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const AttackTree::Node& node = tree.nodes[n];
      Value& value = out.values[n];
      if (node.kind == Kind::End) {
        value = next[option.next[at(node.first)]];
      } else if (node.kind == Kind::Chance) {
        value = {};
        for (std::size_t e = at(node.first); e < at(node.first + node.count); ++e) {
          const AttackTree::Edge& edge = tree.edges[e];
          const Value& one = out.values[at(edge.target)];
          value.win += edge.chance * one.win;
          value.draw += edge.chance * one.draw;
          value.ahead += edge.chance * one.ahead;
        }
      } else {
        std::size_t taken = 0;
        value = decided(
            (node.kind == Kind::Attacker) == mine, at(node.count),
            [&](std::size_t e) -> const Value& { return out.values[at(tree.edges[at(node.first) + e].target)]; },
            taken);
        out.edges[n] = node.first + static_cast<int>(taken);
      }
    }
  }

  Value value_of(const DecisionPoint& point, const std::vector<Value>& next, std::size_t* taken = nullptr,
                 TreeValues* played = nullptr) {
    const bool mine = game_.ship(point.ship).mine;
    if (!point.maneuvers.empty()) {
      Value out;
      for (const ManeuverBranch& branch : point.maneuvers) {
        const Value one = value_of(branch, mine, next);
        out.win += branch.chance * one.win;
        out.draw += branch.chance * one.draw;
        out.ahead += branch.chance * one.ahead;
      }
      return out;
    }
    if (point.attacks.empty()) return next[point.next];
    std::vector<Value> roots;
    for (const AttackOption& option : point.attacks) {
      evaluate(option, mine, next, scratch_);
      roots.push_back(scratch_.root());
    }
    std::size_t best = 0;
    const Value out = decided(
        mine, roots.size(), [&](std::size_t i) -> const Value& { return roots[i]; }, best);
    if (taken != nullptr) *taken = best;
    if (played != nullptr) evaluate(point.attacks[best], mine, next, *played);
    return out;
  }

  Value value_of(const ManeuverBranch& branch, bool mine, const std::vector<Value>& next,
                 std::size_t* taken = nullptr) const {
    std::size_t best = 0;
    const Value out = decided(
        mine, branch.next.size(), [&](std::size_t i) -> const Value& { return next[branch.next[i]]; }, best);
    if (taken != nullptr) *taken = best;
    return out;
  }

  /// Values of the points of a round, and of the states of its leg at its start. `next`: of the states at its end.
  void evaluate(const std::vector<Value>& next, int flight_round, std::vector<Value>& begin) {
    // What the round is played for is where it leads, not what a state was worth to the round before it.
    std::vector<Value> ends = next;
    for (std::size_t i = 0; i < ends.size(); ++i) ends[i].ahead = aheads(i);
    const std::vector<Value>* after = &ends;
    for (std::size_t l = layers_.size(); l-- > 0;) {
      Layer& layer = layers_[l];
      layer.values.resize(layer.points.size());
      for (std::size_t i = 0; i < layer.points.size(); ++i) {
        if (layer.points[i].flight_round == flight_round) layer.values[i] = value_of(layer.points[i], *after);
      }
      after = &layer.values;
    }
    ends_ = std::move(ends);
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      if (begins_[i].empty() || states_[i].round != flight_round) continue;
      Value sum;
      for (const Transition& way : begins_[i]) {
        sum.win += way.chance * layers_[0].values[way.next].win;
        sum.draw += way.chance * layers_[0].values[way.next].draw;
      }
      begin[i] = sum;
    }
  }

  double aheads(std::size_t i) {
    for (std::size_t n = aheads_.size(); n < states_.size(); ++n) aheads_.push_back(ahead(states_[n]));
    return aheads_[i];
  }

  // -------------------------------------------------------------- without a limit of rounds

  BattleBounds bounds() {
    BattleBounds out;
    std::vector<Value> lower = ends([&](std::size_t i) { return unfinished(i, 0); });
    std::vector<Value> upper = ends([&](std::size_t i) { return unfinished(i, 1); });
    const auto step = [&](int flight_round) {
      for (std::vector<Value>* values : {&lower, &upper}) {
        const std::vector<Value> next = *values;
        evaluate(next, flight_round, *values);
      }
      ++out.rounds;
    };
    const auto apart = [&] {
      double most = 0;
      for (std::size_t i = 0; i < lower.size(); ++i) {
        if (states_[i].round == last_flight_round_) most = std::max(most, upper[i].win - lower[i].win);
      }
      return most;
    };
    while (out.rounds < kMaxBattleRounds && apart() > kClose) step(last_flight_round_);
    for (int flight_round = last_flight_round_; flight_round-- > 0;) step(flight_round);
    out.lower = lower[0].win;
    out.upper = upper[0].win;
    return out;
  }

  Value unfinished(std::size_t i, double value) const {
    return settled(i) ? value_at_end(i, states_[i].round) : Value{value, 0, 0};
  }

  // -------------------------------------------------------------- play

  void play(const std::vector<std::vector<Value>>& values, OptimalBattle& out) {
    std::vector<double> now(states_.size(), 0.0);
    now[0] = 1;
    add_alive(now, out.battle);
    std::vector<Value> ignored;
    for (int round = 0; std::any_of(now.begin(), now.end(), [](double p) { return p > 0; }); ++round) {
      ignored = values[at(round) + 1];
      evaluate(values[at(round) + 1], std::min(round, last_flight_round_), ignored);
      if (at(round) < kReportedRounds) report_positions(now, round, values[at(round)], out.positions);
      now = flow(now, &out.battle, nullptr);
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == 0) continue;
        BattleState end = states_[i];
        end.round = static_cast<std::uint8_t>(round + 1);
        if (!game_.over(end)) continue;
        finish(game_, end, round + 1, now[i], out.battle);
        now[i] = 0;
      }
      add_alive(now, out.battle);
    }
  }

  void add_alive(const std::vector<double>& now, ExactBattle& out) const {
    out.alive.emplace_back(out.survives);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == 0) continue;
      const BattleState state = states_[i];
      for (int s = 0; s < game_.ships(); ++s) out.alive.back()[at(s)] += state.ship[at(s)].gone ? 0 : now[i];
    }
  }

  /// Lets chances flow through a round whose values were found.
  std::vector<double> flow(const std::vector<double>& from, ExactBattle* out, TacticTally* watch) {
    std::vector<double> now(layers_[0].points.size(), 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == 0) continue;
      for (const Transition& way : begins_[i]) now[way.next] += from[i] * way.chance;
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const bool last = l + 1 == layers_.size();
      std::vector<double> next(last ? states_.size() : layers_[l + 1].points.size(), 0.0);
      const std::vector<Value>& after = last ? ends_ : layers_[l + 1].values;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] > 0) flow(l, i, now[i], after, next, out, watch);
      }
      now = std::move(next);
    }
    return now;
  }

  void flow(std::size_t l, std::size_t i, double p, const std::vector<Value>& after, std::vector<double>& next,
            ExactBattle* out, TacticTally* watch) {
    const DecisionPoint& point = layers_[l].points[i];
    const int s = point.ship;
    for (const ManeuverBranch& branch : point.maneuvers) {
      std::size_t taken = 0;
      value_of(branch, game_.ship(s).mine, after, &taken);
      next[branch.next[taken]] += p * branch.chance;
      if (watch != nullptr)
        watch->ships[at(s)].actions[action_words(game_, s, branch.actions[taken])] += p * branch.chance;
    }
    if (!point.maneuvers.empty()) return;
    if (point.attacks.empty()) {
      next[point.next] += p;
      return;
    }
    std::size_t taken = 0;
    value_of(point, after, &taken, &played_);
    const AttackOption& option = point.attacks[taken];
    if (watch != nullptr) watch->ships[at(s)].weapons[weapon_words(game_, s, option.choice)] += p;
    const AttackTree& tree = *option.tree;
    mass_.assign(tree.nodes.size(), 0.0);
    mass_.back() = p;
    const BattleState now = layers_[l].table[i];
    using Kind = AttackTree::Node::Kind;
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
      const AttackTree::Node& node = tree.nodes[n];
      if (mass_[n] == 0) continue;
      if (node.kind == Kind::End) {
        next[option.next[at(node.first)]] += mass_[n];
        const Outcome& outcome = tree.outcomes[at(node.first)];
        if (out != nullptr) add_shot(now, s, option.choice, outcome, mass_[n], *out);
        if (watch != nullptr) watch->add_spent(game_, now, s, option.choice, outcome, mass_[n]);
      } else if (node.kind == Kind::Chance) {
        for (std::size_t e = at(node.first); e < at(node.first + node.count); ++e)
          mass_[at(tree.edges[e].target)] += mass_[n] * tree.edges[e].chance;
      } else {
        mass_[at(tree.edges[at(played_.edges[n])].target)] += mass_[n];
      }
    }
  }

  void add_shot(BattleState now, int s, const ChosenAttack& choice, const Outcome& outcome, double p, ExactBattle& out) const {
    const AttackResult shot = game_.resolve(now, s, choice.target, outcome);
    out.shots[at(s)] += p;
    out.done[at(s)] += p * shot.damage;
    out.earned[at(s)] += p * shot.points;
    out.taken[at(shot.target)] += p * shot.damage;
    out.taken[at(s)] += p * shot.own_damage;
  }

  // -------------------------------------------------------------- what is told of it

  void report_positions(const std::vector<double>& now, int round, const std::vector<Value>& values,
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
      BattlePosition position{round + 1, now[i], values[i].win, {}};
      const BattleState state = states_[i];
      for (int s = 0; s < game_.ships(); ++s) position.ships.push_back(watch.tactic(game_, state, s));
      out.push_back(std::move(position));
    }
  }

  const Game& game_;
  double budget_, attack_budget_, followed_ = 0;
  EvaluationTables evaluations_;
  StateTable states_;
  int last_flight_round_;
  std::array<bool, 2> by_points_{};       ///< by "mine": the side plays for the engagement (BattlePolicy::Best)
  std::vector<Layer> layers_;             ///< activations, then the engagement
  std::vector<std::vector<Transition>> begins_;  ///< by state; empty: the battle is over
  std::map<std::tuple<int, int, int, int, int, int, bool, bool>, AttackTree> trees_;
  std::vector<Value> ends_;  ///< of the round that was evaluated last
  std::vector<double> aheads_;
  TreeValues scratch_, played_;
  std::vector<double> mass_;
};

}  // namespace

OptimalBattle play_optimally(const Game& game, double budget, double attack_budget) {
  return Optimum(game, budget, attack_budget).answer();
}

}  // namespace salvo::battle
