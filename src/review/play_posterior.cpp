#include "review/play_posterior.h"

#include <bit>

#include "base/stable_sort.h"

namespace salvo::review {
namespace {

using decide::Reroll;

template <typename List>
std::uint16_t all_of(const std::optional<List>& list) {
  return list ? static_cast<std::uint16_t>((1u << list->size()) - 1) : std::uint16_t{0};
}

}  // namespace

int damage_of(const game::Position& end) { return end.hits + end.crits + end.extra[game::kDefender]; }

PlayPosterior::PlayPosterior(const exact::Subgame& game, const compile::CompiledScenario& question, const decide::ObservedByRole& told,
           std::optional<int> damage, UnreportedPlay silent)
    : game_(game),
      plan_(question.plan),
      attack_(question.plan.attacks[game.attack()]),
      names_(question.labels.effects[game.attack()]),
      told_(told),
      damage_(damage),
      unreported_(silent) {
  Left left;
  for (const int role : {0, 1}) {
    const decide::Observed& words = told_[static_cast<std::size_t>(role)];
    left.roll[role] = words.rolled.has_value();
    left.rerolls[role] = all_of(words.rerolled);
    left.spent[role] = all_of(words.spent);
  }
  visit(game.start(), left);
}

int PlayPosterior::visit(int node, const Left& left) {
  const auto known = known_.find({node, left});
  if (known != known_.end()) return known->second;
  State state{.node = node, .left = left};
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
  known_[{node, left}] = number;
  return number;
}

void PlayPosterior::end(State& state) const {
  const bool so = !damage_ || *damage_ == damage_of(game_.position(state.node));
  state.likelihood = so && state.left.nothing() ? 1 : 0;
}

// ---------------------------------------------------------------- dice

void PlayPosterior::add(State& state, int edge, double probability, const Left& left) {
  const exact::Graph& graph = game_.graph();
  const int target = graph.chance_edges[static_cast<std::size_t>(game_.node(state.node).first + edge)].target;
  const int next = visit(target, left);
  const double likelihood = states_[static_cast<std::size_t>(next)].likelihood;
  if (!(likelihood > 0)) return;
  state.moves.push_back({next, probability});
  state.likelihood += probability * likelihood;
}

void PlayPosterior::any(State& state) {
  state.told = false;
  const exact::Node& node = game_.node(state.node);
  for (int e = 0; e < node.count; ++e) {
    const auto& edge = game_.graph().chance_edges[static_cast<std::size_t>(node.first + e)];
    add(state, e, edge.probability, state.left);
  }
}

void PlayPosterior::chance(State& state) {
  const exact::Node& node = game_.node(state.node);
  const game::Position& position = game_.position(state.node);
  if (node.roll == 1 || node.roll == 2) return roll(state, node.roll == 1 ? 1 : 0);
  if (node.roll == exact::kDraw || position.pending_side) return any(state);
  reroll(state);
}

void PlayPosterior::roll(State& state, int role) {
  const auto& rolled = told_[static_cast<std::size_t>(role)].rolled;
  if (!rolled || !state.left.roll[role]) return any(state);
  const exact::Node& node = game_.node(state.node);
  const game::Die& die = role == 1 ? plan_.attack_die : plan_.defense_die;
  const auto outcomes = exact::roll_outcomes(die, node.dice);
  Left left = state.left;
  left.roll[role] = false;
  for (std::size_t e = 0; e < outcomes.size(); ++e) {
    if (outcomes[e].pool == *rolled) add(state, static_cast<int>(e), outcomes[e].probability, left);
  }
}

void PlayPosterior::reroll(State& state) {
  if (state.left.rolling == 0) return any(state);
  // Dice picked up together are alike: they come down in the order in which they were told.
  const int role = game_.position(state.node).pending_attack ? 1 : 0;
  const int first = std::countr_zero(state.left.rolling);
  Left left = state.left;
  left.rolling = static_cast<std::uint16_t>(left.rolling & ~(1u << first));
  const Reroll& die = (*told_[static_cast<std::size_t>(role)].rerolled)[static_cast<std::size_t>(first)];
  const auto& edge = game_.graph().chance_edges[static_cast<std::size_t>(game_.node(state.node).first + die.after)];
  add(state, die.after, edge.probability, left);
}

// ---------------------------------------------------------------- decisions

/// Whether who decides at a node rather goes to `a` than to `b`.
bool PlayPosterior::is_better(int node, int a, int b) const {
  const double sign = game_.maximises(node) ? 1.0 : -1.0;
  const exact::Value &x = game_.value(a), &y = game_.value(b);
  return x.first != y.first ? sign * x.first > sign * y.first : sign * x.second > sign * y.second;
}

void PlayPosterior::decide(State& state) {
  const int role = game_.node(state.node).attacker_decides ? 1 : 0;
  state.told = told_[static_cast<std::size_t>(role)].spent.has_value();
  std::vector<Play> plays =
      state.told ? observed_plays(state.node, state.left, role) : unreported_plays(state.node, state.left, role);
  base::stable_sort(plays, [&](const Play& a, const Play& b) { return is_better(state.node, a.node, b.node); });
  for (Play& play : plays) {
    const int next = visit(play.node, play.left);
    state.likelihood = states_[static_cast<std::size_t>(next)].likelihood;
    if (!(state.likelihood > 0)) continue;
    state.moves.assign(1, {next, 1.0});
    state.play = std::move(play.options);
    return;
  }
}

/// Every play of a role of which nobody said what it spent, the best first.
std::vector<PlayPosterior::Play> PlayPosterior::unreported_plays(int node, const Left& left, int role) const {
  std::vector<Play> out;
  const auto& rerolled = told_[static_cast<std::size_t>(role)].rerolled;
  const auto add_edge = [&](int e) {
    const exact::DecisionEdge& edge = game_.edge(node, e);
    std::vector<game::Option> options;
    game_.graph().options_of(edge, options);
    const game::Position& after = game_.position(edge.target);
    const bool picked = !options.empty() && after.pending > 0 && !after.pending_side && options.back().effect >= 0;
    if (!picked || !rerolled) {
      out.push_back({edge.target, left, options});
      return;
    }
    std::vector<Play> ways;
    pick_up(after, options.back().dice, left, options, ways);
    for (Play& way : ways) out.push_back({edge.target, way.left, options});
  };
  const int first = game_.choice(node);
  add_edge(first);
  for (int e = 0; unreported_ == UnreportedPlay::Consistent && e < game_.node(node).count; ++e) {
    if (e != first) add_edge(e);
  }
  return out;
}

std::vector<PlayPosterior::Play> PlayPosterior::observed_plays(int node, const Left& left, int role) const {
  std::vector<Play> out;
  std::vector<game::Option> options;
  const game::Position& position = game_.position(node);
  extend_play(position, position.step, left, role, options, out);
  return out;
}

/// All that the words which are left allow at `position`, to the end of the play.
void PlayPosterior::extend_play(const game::Position& position, int step, const Left& left, int role,
                   std::vector<game::Option>& options, std::vector<Play>& out) const {
  const auto& words = *told_[static_cast<std::size_t>(role)].spent;
  std::vector<game::Option> legal;
  game::legal_options(plan_, attack_, position, legal);
  for (const game::Option& option : legal) {
    const game::Position taken = game::take(plan_, attack_, position, option);
    Left after = left;
    if (option.effect >= 0) {
      const auto effect = static_cast<std::size_t>(option.effect);
      std::size_t word = 0;
      while (word < words.size() && ((left.spent[role] >> word & 1) == 0 || words[word] != names_[effect])) ++word;
      if (word == words.size() && !attack_.effects[effect].forced) continue;  // what has to be used need not be told
      if (word < words.size()) after.spent[role] = static_cast<std::uint16_t>(after.spent[role] & ~(1u << word));
    }
    options.push_back(option);
    const bool ends = option.effect < 0 || game::interrupted(taken) || taken.step != step;
    if (!ends && game::has_options(plan_, attack_, taken)) {
      extend_play(taken, step, after, role, options, out);
    } else if (option.effect >= 0 && taken.pending > 0 && !taken.pending_side) {
      pick_up(taken, option.dice, after, options, out);
    } else {
      finish(taken, after, options, out);
    }
    options.pop_back();
  }
}

/// Every choice of told rerolls that fits the dice picked up.
void PlayPosterior::pick_up(const game::Position& taken, game::Pool dice, const Left& left, std::vector<game::Option>& options,
                   std::vector<Play>& out) const {
  const int role = taken.pending_attack ? 1 : 0;
  const auto& list = told_[static_cast<std::size_t>(role)].rerolled;
  if (!list) return finish(taken, left, options, out);
  for (unsigned chosen = left.rerolls[role]; chosen != 0; chosen = (chosen - 1) & left.rerolls[role]) {
    if (std::popcount(chosen) != taken.pending) continue;
    game::Pool before;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (chosen >> i & 1) before.add((*list)[i].before, false, 1);
    }
    if (!(before == dice.unmarked())) continue;
    Left after = left;
    after.rerolls[role] = static_cast<std::uint16_t>(left.rerolls[role] & ~chosen);
    after.rolling = static_cast<std::uint16_t>(chosen);
    finish(taken, after, options, out);
  }
}

void PlayPosterior::finish(const game::Position& after, const Left& left, const std::vector<game::Option>& options,
                  std::vector<Play>& out) const {
  if (const auto node = node_of(after)) out.push_back({*node, left, options});
}

/// The node of a position after a play, found as the graph was built.
std::optional<int> PlayPosterior::node_of(game::Position position) const {
  const auto& positions = game_.graph().positions;
  game::merge_unread(plan_, attack_, position);
  int node = positions.find(position);
  if (node == exact::PositionTable::kNone) {
    game::advance(plan_, attack_, position);
    game::merge_unread(plan_, attack_, position);
    node = positions.find(position);
  }
  return node == exact::PositionTable::kNone ? std::nullopt : std::optional(node);
}

// ---------------------------------------------------------------- flows

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
