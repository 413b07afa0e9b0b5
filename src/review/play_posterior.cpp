#include "review/play_posterior.h"

#include <bit>

#include "base/index.h"
#include "base/stable_sort.h"

namespace salvo::review {

int damage_of(const game::Position& end) { return end.hits + end.crits + end.extra[game::kDefender]; }

PlayPosterior::PlayPosterior(const exact::Subgame& game, const compile::CompiledScenario& compiled,
                             const decide::ObservedByRole& observed, std::optional<int> damage,
                             UnreportedPlay unreported)
    : game_(game),
      plan_(compiled.plan),
      attack_(compiled.plan.attacks[game.attack()]),
      names_(compiled.labels.effects[game.attack()]),
      observed_(observed),
      damage_(damage),
      unreported_(unreported) {
  visit(game.start(), decide::all_of(observed_));
}

int PlayPosterior::visit(int node, const Remaining& remaining) {
  const auto known = known_.find({node, remaining});
  if (known != known_.end()) return known->second;
  State state{.node = node, .remaining = remaining};
  switch (game_.node(node).kind) {
    case exact::Node::Kind::End:
      end(state);
      break;
    case exact::Node::Kind::Chance:
      chance(state);
      break;
    case exact::Node::Kind::Decision:
      decide(state);
      break;
  }
  states_.push_back(std::move(state));
  const int number = static_cast<int>(states_.size()) - 1;
  known_[{node, remaining}] = number;
  return number;
}

void PlayPosterior::end(State& state) const {
  const bool agrees = !damage_ || *damage_ == damage_of(game_.position(state.node));
  state.likelihood = agrees && state.remaining.empty() ? 1 : 0;
}

// ---------------------------------------------------------------- dice

void PlayPosterior::add(State& state, int edge, double probability, const Remaining& remaining) {
  const exact::Graph& graph = game_.graph();
  const int target = base::nth(graph.chance_edges, game_.node(state.node).first + edge).target;
  const int next = visit(target, remaining);
  const double likelihood = base::nth(states_, next).likelihood;
  if (!(likelihood > 0)) return;
  state.moves.push_back({next, probability});
  state.likelihood += probability * likelihood;
}

void PlayPosterior::any_outcome(State& state) {
  state.observed = false;
  const exact::Node& node = game_.node(state.node);
  for (int e = 0; e < node.count; ++e) {
    const auto& edge = base::nth(game_.graph().chance_edges, node.first + e);
    add(state, e, edge.probability, state.remaining);
  }
}

void PlayPosterior::chance(State& state) {
  const exact::Node& node = game_.node(state.node);
  const game::Position& position = game_.position(state.node);
  if (node.roll == 1 || node.roll == 2) return roll(state, node.roll == 1 ? 1 : 0);
  if (node.roll == exact::kDraw || position.pending_side) return any_outcome(state);
  reroll(state);
}

void PlayPosterior::roll(State& state, int role) {
  const auto& rolled = of_role(role).rolled;
  if (!rolled || !state.remaining.rolled[role]) return any_outcome(state);
  const exact::Node& node = game_.node(state.node);
  const game::Die& die = role == 1 ? plan_.attack_die : plan_.defense_die;
  const auto outcomes = exact::roll_outcomes(die, node.dice);
  Remaining remaining = state.remaining;
  remaining.rolled[role] = false;
  for (std::size_t e = 0; e < outcomes.size(); ++e) {
    if (outcomes[e].pool == *rolled) add(state, static_cast<int>(e), outcomes[e].probability, remaining);
  }
}

void PlayPosterior::reroll(State& state) {
  if (state.remaining.rolling == 0) return any_outcome(state);
  // Dice picked up together are interchangeable: they land in the order of the report.
  const int role = game_.position(state.node).pending_attack ? 1 : 0;
  const int first = std::countr_zero(state.remaining.rolling);
  Remaining remaining = state.remaining;
  remaining.rolling = static_cast<std::uint16_t>(remaining.rolling & ~(1u << first));
  const decide::Reroll& die = base::nth(*of_role(role).rerolled, first);
  const auto& edge = base::nth(game_.graph().chance_edges, game_.node(state.node).first + die.after);
  add(state, die.after, edge.probability, remaining);
}

// ---------------------------------------------------------------- decisions

/// Whether the player who decides at a node prefers `a` to `b`.
bool PlayPosterior::is_better(int node, int a, int b) const {
  const double sign = game_.maximises(node) ? 1.0 : -1.0;
  const exact::Value &x = game_.value(a), &y = game_.value(b);
  return x.first != y.first ? sign * x.first > sign * y.first : sign * x.second > sign * y.second;
}

void PlayPosterior::decide(State& state) {
  const int role = game_.node(state.node).attacker_decides ? 1 : 0;
  state.observed = of_role(role).spent.has_value();
  Plays plays = state.observed ? reported_plays(state.node, state.remaining, role)
                               : unreported_plays(state.node, state.remaining, role);
  base::stable_sort(plays, [&](const Play& a, const Play& b) { return is_better(state.node, a.node, b.node); });
  for (Play& play : plays) {
    const int next = visit(play.node, play.remaining);
    state.likelihood = base::nth(states_, next).likelihood;
    if (!(state.likelihood > 0)) continue;
    state.moves.assign(1, {next, 1.0});
    state.play = std::move(play.options);
    return;
  }
}

/// The plays of a role that did not report what it spent, the best first.
PlayPosterior::Plays PlayPosterior::unreported_plays(int node, const Remaining& remaining, int role) const {
  Plays out;
  const auto add_edge = [&](int e) {
    const exact::DecisionEdge& edge = game_.edge(node, e);
    Options options;
    game_.graph().options_of(edge, options);
    const game::Position& after = game_.position(edge.target);
    const bool picked = !options.empty() && after.pending > 0 && !after.pending_side && options.back().effect >= 0;
    if (!picked || !of_role(role).rerolled) {
      out.push_back({edge.target, remaining, options});
      return;
    }
    Plays picks;
    pick_up(after, options.back().dice, remaining, options, picks);
    for (Play& pick : picks) out.push_back({edge.target, pick.remaining, options});
  };
  const int first = game_.choice(node);
  add_edge(first);
  for (int e = 0; unreported_ == UnreportedPlay::Consistent && e < game_.node(node).count; ++e) {
    if (e != first) add_edge(e);
  }
  return out;
}

/// The plays of a role that reported what it spent.
PlayPosterior::Plays PlayPosterior::reported_plays(int node, const Remaining& remaining, int role) const {
  Plays out;
  Options options;
  const game::Position& position = game_.position(node);
  extend(position, position.step, remaining, role, options, out);
  return out;
}

/// Extends a play that has reached `position` by every option that the remaining words allow, to its end.
void PlayPosterior::extend(const game::Position& position, int step, const Remaining& remaining, int role,
                           Options& options, Plays& out) const {
  Options legal;
  game::legal_options(plan_, attack_, position, legal);
  for (const game::Option& option : legal) {
    const game::Position taken = game::take(plan_, attack_, position, option);
    Remaining after = remaining;
    if (option.effect >= 0) {
      const auto effect = static_cast<std::size_t>(option.effect);
      const bool forced = attack_.effects[effect].forced;
      const auto used = decide::after_use(remaining, of_role(role), role, names_[effect], forced);
      if (!used) continue;
      after = *used;
    }
    options.push_back(option);
    const bool ends = option.effect < 0 || game::interrupted(taken) || taken.step != step;
    if (!ends && game::has_options(plan_, attack_, taken)) {
      extend(taken, step, after, role, options, out);
    } else if (option.effect >= 0 && taken.pending > 0 && !taken.pending_side) {
      pick_up(taken, option.dice, after, options, out);
    } else {
      finish(taken, after, options, out);
    }
    options.pop_back();
  }
}

/// Ends a play that picks up dice, once for each choice of reported rerolls that fits them.
void PlayPosterior::pick_up(const game::Position& taken, game::Pool dice, const Remaining& remaining,
                            const Options& options, Plays& out) const {
  const int role = taken.pending_attack ? 1 : 0;
  const auto& list = of_role(role).rerolled;
  if (!list) return finish(taken, remaining, options, out);
  const auto choices = decide::rerolls_of(*list, remaining.rerolls[role], taken.pending, dice);
  for (auto chosen = choices.rbegin(); chosen != choices.rend(); ++chosen) {
    Remaining after = remaining;
    after.rerolls[role] = static_cast<std::uint16_t>(remaining.rerolls[role] & ~*chosen);
    after.rolling = *chosen;
    finish(taken, after, options, out);
  }
}

void PlayPosterior::finish(const game::Position& after, const Remaining& remaining, const Options& options,
                           Plays& out) const {
  if (const auto node = node_of(after)) out.push_back({*node, remaining, options});
}

/// The node of a position after a play, looked up as the graph was built.
std::optional<int> PlayPosterior::node_of(game::Position position) const {
  const auto& positions = game_.graph().positions;
  game::canonicalize(plan_, attack_, position);
  int node = positions.find(position);
  if (node == exact::PositionTable::kNone) {
    game::advance(plan_, attack_, position);
    game::canonicalize(plan_, attack_, position);
    node = positions.find(position);
  }
  return node == exact::PositionTable::kNone ? std::nullopt : std::optional(node);
}

// ---------------------------------------------------------------- the posterior

std::vector<PlayPosterior::Reached> PlayPosterior::reached() const {
  std::vector<double> mass(states_.size());
  if (likelihood() > 0) mass.back() = 1;
  std::vector<Reached> out;
  for (std::size_t s = states_.size(); s-- > 0;) {
    if (!(mass[s] > 0)) continue;
    const State& state = states_[s];
    out.push_back({&state, mass[s]});
    for (const Move& move : state.moves) {
      const auto next = static_cast<std::size_t>(move.state);
      mass[next] += mass[s] * move.probability * states_[next].likelihood / state.likelihood;
    }
  }
  return out;
}

}  // namespace salvo::review
