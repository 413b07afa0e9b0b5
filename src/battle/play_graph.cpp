#include "battle/play_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "battle/chance_enumerator.h"

namespace salvo::battle {
namespace {

template <typename Entry>
std::uint32_t size_of(const std::vector<Entry>& pool) {
  return static_cast<std::uint32_t>(pool.size());
}

}  // namespace

PlayGraph::PlayGraph(const Game& game, const PlayBudget& budget, const Game* asked)
    : game_(game),
      asked_(asked),
      budget_(budget),
      evaluations_(game.evaluations()),
      states_(game),
      last_flight_round_(static_cast<int>(game.flight_rounds().size()) - 1) {
  for (int i = 0; i < 2 * game.ships(); ++i) layers_.emplace_back(game);
  number(game.start());
  follow();
}

std::size_t PlayGraph::number(BattleState now) {
  now.round = static_cast<std::uint8_t>(std::min<int>(now.round, last_flight_round_));
  return states_.number(now);
}

bool PlayGraph::settled(std::size_t state) const {
  const BattleState now = states_[state];
  return game_.one_side_gone(now) || game_.stalemate(now);
}

void PlayGraph::count(std::size_t transitions, double more_work) {
  constexpr double kTransitionWork = 40;
  followed_ += static_cast<double>(transitions);
  work_ += kTransitionWork * static_cast<double>(transitions) + more_work;
  if (work_ > budget_.work) {
    throw PlanTooLarge(fmt::format("solving the play takes more than {} steps",
                                   base::with_separators(static_cast<std::uint64_t>(budget_.work))),
                       work_, budget_.work);
  }
  if (followed_ <= budget_.transitions) return;
  throw PlanTooLarge(
      fmt::format("solving the play takes more than the budget of {} transitions; raise it, or choose a flight with "
                  "fewer cases, such as range-2, ships with fewer tokens and charges, or a policy that is given",
                  base::with_separators(static_cast<std::uint64_t>(budget_.transitions))),
      followed_, budget_.transitions);
}

void PlayGraph::follow() {
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
        DecisionPoint point = expanded(l, layer.table[layer.points.size()]);
        layer.points.push_back(std::move(point));
      }
    }
  }
}

PlayGraph::DecisionPoint PlayGraph::expanded(std::size_t l, const BattleState& now) {
  DecisionPoint out;
  out.flight_round = now.round;
  const auto places = at(game_.ships());
  const int s =
      l < places ? game_.active_at(now, static_cast<int>(l)) : game_.ship_at(now, static_cast<int>(l - places));
  out.ship = static_cast<std::uint8_t>(s);
  if (!now.ship[at(s)].gone) l < places ? activate(l, now, out) : attack(l, now, out);
  if (out.options.count == 0) out.next = after(l, now);
  return out;
}

void PlayGraph::attack(std::size_t l, const BattleState& now, DecisionPoint& out) {
  out.options.first = size_of(attacks_);
  const bool mine = game_.ship(out.ship).mine;
  const ChosenAttack given = by_policy(mine) ? asked_->choose_attack(now, out.ship, &evaluations_) : ChosenAttack();
  for (const ChosenAttack& choice : game_.attacks(now, out.ship, evaluations_)) {
    const AttackTree& tree = tree_of(choice.key, mine);
    if (!tree.possible) continue;
    if (choice.target == given.target && choice.key.weapon == given.key.weapon)
      out.given = static_cast<int>(out.options.count);
    attacks_.push_back(
        {static_cast<std::int8_t>(choice.target), static_cast<std::int8_t>(choice.key.weapon), size_of(next_), &tree});
    for (const Outcome& outcome : tree.outcomes) {
      BattleState one = now;
      game_.resolve(one, out.ship, choice.target, outcome);
      next_.push_back(after(l, one));
    }
    count(tree.outcomes.size(), static_cast<double>(tree.edges.size()) * game_.question().rounds);
    ++out.options.count;
  }
}

void PlayGraph::activate(std::size_t l, const BattleState& now, DecisionPoint& out) {
  out.activates = true;
  out.options.first = size_of(maneuvers_);
  for (const Game::Maneuver& maneuver : game_.maneuvers(now, out.ship)) {
    std::vector<Action> actions = game_.actions(maneuver, out.ship, evaluations_);
    int given = -1;
    if (by_policy(game_.ship(out.ship).mine)) {
      const Action action = asked_->actions(maneuver, out.ship, evaluations_).front();
      base::add_once(actions, action);  // a policy may do nothing where that is never better
      given = static_cast<int>(std::find(actions.begin(), actions.end(), action) - actions.begin());
    }
    const auto n = static_cast<std::uint32_t>(actions.size());
    maneuvers_.push_back({maneuver.chance, {size_of(actions_), n}, {size_of(next_), n}, given});
    for (const Action& action : actions) {
      BattleState one = maneuver.now;
      game_.take_action(one, out.ship, action);
      actions_.push_back(action);
      next_.push_back(after(l, one));
    }
    count(actions.size());
    ++out.options.count;
  }
}

std::uint32_t PlayGraph::after(std::size_t l, BattleState now) {
  const auto places = at(game_.ships());
  if (l >= places) {
    const int place = static_cast<int>(l - places);
    game_.leave(now, place);
    game_.forget_geometry(now, place);
  }
  if (l + 1 < layers_.size()) return static_cast<std::uint32_t>(layers_[l + 1].table.number(now));
  game_.end(now);
  return static_cast<std::uint32_t>(number(now));
}

const AttackTree& PlayGraph::tree_of(const AttackKey& key, bool mine) {
  const auto name = std::tuple(key.attacker, key.defender, key.weapon, key.shot, key.attacker_state, key.defender_state,
                               key.lock, key.keeps_lock, mine);
  const auto known = trees_.find(name);
  if (known != trees_.end()) return known->second;
  const Deciders deciders{game_.solved(mine), game_.solved(!mine)};
  constexpr double kAttackWork = 50;  // of a transition
  const double most = std::min(budget_.attack, budget_.work / kAttackWork);
  const AttackTree& out = trees_.emplace(name, attack_tree(game_.tables(), key, deciders, most)).first->second;
  count(0, kAttackWork * static_cast<double>(out.transitions));
  return out;
}

}  // namespace salvo::battle
