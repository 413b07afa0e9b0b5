#include "sample/lanes/lane_graph.h"

#include <bit>
#include <cstring>

#include "base/index.h"
#include "game/follow.h"
#include "game/position_parts.h"
#include "game/position_table.h"
#include "sample/lanes/lane_order.h"

namespace salvo::sample {
std::size_t LaneGraph::Hash::operator()(const State& state) const {
  base::Hasher h;
  h.add(std::uint64_t{game::hash(state.position)});
  h.add(state.attack_order);
  h.add(state.defense_order);
  h.add(state.start | std::uint64_t{state.pending_slots} << 32 | std::uint64_t{state.rolled} << 48 |
        std::uint64_t{state.side_rolled} << 56);
  std::uint32_t drawn = 0;
  static_assert(sizeof drawn == sizeof state.drawn);
  std::memcpy(&drawn, state.drawn.data(), sizeof drawn);
  h.add(drawn | std::uint64_t{state.attack_dice} << 32 | std::uint64_t{state.defense_dice} << 40 |
        std::uint64_t{state.unseen_exposed} << 48);
  return static_cast<std::size_t>(h.value());
}

std::size_t LaneGraph::Hash::operator()(const LaneEnd& end) const {
  base::Hasher h;
  h.add(std::uint64_t{ResourcesHash()(end.resources)});
  for (const int value : {end.attack_dice, end.defense_dice, end.hits, end.crits, end.mine, end.theirs,
                          2 * int{end.happens} + int{end.hits_at_all}})
    h.add(value);
  for (const LaneEnd::Suffered& suffered : end.suffered) {
    h.add(suffered.ship | std::uint64_t{suffered.damage} << 32 | std::uint64_t{suffered.faceup} << 48);
    h.add(suffered.hits | std::uint64_t{suffered.crits} << 32);
  }
  return static_cast<std::size_t>(h.value());
}

LaneGraph::LaneGraph(const Setup& setup, std::size_t attack, const LaneFields& fields)
    : setup_(setup),
      plan_(setup.plan),
      index_(attack),
      attack_(setup.plan.attacks[attack]),
      fields_(fields),
      tables_(LaneStep::kNothing) {
  check();
  for (std::size_t w = 0; w < mask_.words.size(); ++w)
    mask_.words[w] = attack_.readable.words[w] | attack_.reads.words[w];
  const auto add_to_mask = [&](int index) {
    if (index >= 0) mask_.select(base::nth(plan_.resources, index));
  };
  for (const int ship : attack_.removed_after) {
    const int health = base::nth(plan_.ships, ship).health;
    if (health >= 0) add_to_mask(health);
  }
  for (const game::CardCounts& lost : attack_.flipped_after) {
    for (const int counted : {lost.kind, lost.faceup, lost.facedown}) add_to_mask(counted);
  }
  for (const auto& [from, into] : attack_.merged_after) {
    add_to_mask(from);
    add_to_mask(into);
  }
}

LaneStep LaneGraph::entry(const game::Resources& resources) {
  const game::Resources begin = resources.masked(mask_);
  const auto [at, fresh] = entries_.try_emplace(begin);
  if (!fresh) return at->second;
  LaneStep first;
  if (game::attack_happens(plan_, attack_, begin)) {
    State state;
    state.start = static_cast<std::uint32_t>(starts_.size());
    starts_.push_back(begin);
    state.position = game::begin_attack(plan_, attack_, begin);
    first = linked(play_to_chance(state), 0);
  } else {
    LaneEnd end;
    end.resources = game::end_attack(plan_, attack_, begin).masked(mask_);
    first = add_end(end);
  }
  return entries_[begin] = first;
}

const LaneField& LaneGraph::field_of(const LaneNode& node) const {
  if (node.kind == LaneNode::Kind::Side) return fields_.side(node.first);
  const LaneFields::Pool& pool = fields_.pool(node.attack_dice);
  return node.kind == LaneNode::Kind::Reroll ? pool.reroll : pool.first;
}

LaneStep LaneGraph::walk(LaneStep step, std::uint64_t word) {
  while (!step.rests()) {
    const LaneStep known = step.next(tables(), word);
    step = known.known() ? known : find_next(node_at_[step.place() / LaneStep::kUnit], step.chosen(word));
  }
  return step;
}

LaneStep LaneGraph::find_next(std::uint32_t number, std::size_t outcome) {
  const LaneNode node = nodes_[number];
  const std::size_t like = representative(node, outcome);
  LaneStep found = tables_[node.outcomes + like];
  if (!found.known()) {
    const bool in_word = node.kind != LaneNode::Kind::Draw && node.placed;
    found = linked(play_on(node, states_[number], like), in_word ? field_of(node).word : 0);
    tables_[node.outcomes + like] = found;
  }
  return tables_[node.outcomes + outcome] = found;
}

/// The step for a trial that reads `word` and reaches `step`: a rest if the dice of `step` are in another word.
LaneStep LaneGraph::linked(LaneStep step, std::size_t word) {
  if (step.rests()) return step;
  const std::uint32_t number = node_at_[step.place() / LaneStep::kUnit];
  if (field_of(nodes_[number]).word == word) return step;
  if (!nodes_[number].gate.known()) nodes_[number].gate = add_rest(LaneStep::Rest::Word, number);
  return nodes_[number].gate;
}

LaneStep LaneGraph::play_on(const LaneNode& node, State state, std::size_t outcome) {
  std::uint64_t& dice = order(state, node.attack_dice);
  const int bits = field_of(node).bits;
  const auto face = [&](int i) { return static_cast<int>(outcome >> i * bits & ((std::size_t{1} << bits) - 1)); };
  switch (node.kind) {
    case LaneNode::Kind::Roll: {
      game::Pool& pool = node.attack_dice ? state.position.attack_pool : state.position.defense_pool;
      for (int i = 0; i < node.n; ++i) {
        pool.add(face(i), false, 1);
        if (dice != 0) set_nibble(dice, state.rolled, static_cast<std::uint64_t>(face(i)));
        ++state.rolled;
      }
      const int all = game::roll_size(state.position);
      if (state.rolled < all) return number(state);
      (node.attack_dice ? state.attack_dice : state.defense_dice) = static_cast<std::uint8_t>(all);
      state.rolled = 0;
      state.position = game::after_roll(attack_, state.position, game::Pool(pool));
      return play_to_chance(state);
    }
    case LaneNode::Kind::Reroll:
      for (int i = 0; node.slots >> i != 0; ++i) {
        if ((node.slots >> i & 1) == 0) continue;
        const int slot = node.first + i;
        state.position = game::after_reroll(state.position, face(i));
        if (dice != 0) set_nibble(dice, slot, static_cast<std::uint64_t>(face(i)) | kMarked);
        state.pending_slots = static_cast<std::uint16_t>(state.pending_slots & ~(1u << slot));
      }
      break;
    case LaneNode::Kind::Side:
      state.position = game::after_reroll(state.position, side_face(code(node.attack_dice), field_of(node), outcome));
      ++state.side_rolled;
      break;
    case LaneNode::Kind::Draw: {
      std::vector<int> cards;
      count_cards(state, cards);
      std::size_t kind = 0;
      auto place = static_cast<int>(outcome);
      while (place >= cards[kind]) place -= cards[kind++];
      return draw(state, kind);
    }
  }
  return state.position.pending > 0 ? number(state) : play_to_chance(state);
}

/// Applies `act` to the position, and counts a card that it deals faceup after its owner was asked about it.
template <typename Act>
auto LaneGraph::count_dealt(State& state, Act&& act) {
  const bool undecided = state.position.drawn != 0;
  const std::size_t victim = undecided ? game::drawing_victim(state.position) : 0;
  const auto out = act(state.position);
  if (undecided && state.position.drawn == 0) ++state.drawn[victim];
  return out;
}

/// Plays until dice or cards are needed or the attack is over.
LaneStep LaneGraph::play_to_chance(State state) {
  for (;;) {
    const game::NextEvent event =
        count_dealt(state, [&](game::Position& position) { return game::advance(plan_, attack_, position); });
    switch (event) {
      case game::NextEvent::AttackRoll:
      case game::NextEvent::DefenseRoll: {
        const bool attack_dice = attack_.steps[state.position.step].kind == game::Step::Kind::RollAttack;
        if (game::roll_size(state.position) <= 0) {
          state.position = game::after_roll(attack_, state.position, game::Pool());
          break;
        }
        order(state, attack_dice) = game::reroll_follows(attack_, state.position.step, attack_dice) ? kNoDice : 0;
        return number(state);
      }
      case game::NextEvent::Reroll:
      case game::NextEvent::Draw:
        return number(state);
      case game::NextEvent::Finished:
        return add_end(end_of(state));
      case game::NextEvent::Decision:
        decide(state);
        break;
    }
  }
}

/// Follows the player until dice or cards are needed or the player stops, as the reference kernel does.
void LaneGraph::decide(State& state) {
  const auto take = [&](const game::Option& option) {
    if (option.effect >= 0) reorder_dice(state, base::nth(attack_.effects, option.effect), option.dice);
    const auto act = [&](game::Position& position) { return position = game::take(plan_, attack_, position, option); };
    if (option.effect < 0) return void(count_dealt(state, act));
    const bool picks = game::picks_card(attack_, option);
    const std::size_t victim = picks ? game::drawing_victim(state.position) : 0;
    act(state.position);
    if (picks && state.position.drawn == 0) ++state.drawn[victim];
  };
  game::follow(
      plan_, index_, setup_.policy, starts_[state.start], state.position, options_, [&] { drop_unread(state); }, take);
}

LaneNode LaneGraph::describe(const State& state) const {
  LaneNode out;
  const game::Position& position = state.position;
  if (draws(position)) {
    out.kind = LaneNode::Kind::Draw;
    std::vector<int> cards;
    count_cards(state, cards);
    for (const int n : cards) out.n = static_cast<std::uint8_t>(out.n + n);
    return out;
  }
  if (position.pending_side) {
    out.kind = LaneNode::Kind::Side;
    out.attack_dice = position.pending_attack;
    out.placed = state.side_rolled < fields_.side_dice;
    out.first = state.side_rolled;
    out.bits = static_cast<std::uint8_t>(field_of(out).bits);
    return out;
  }
  const bool rerolls = position.pending > 0;
  out.kind = rerolls ? LaneNode::Kind::Reroll : LaneNode::Kind::Roll;
  out.attack_dice =
      rerolls ? position.pending_attack : attack_.steps[position.step].kind == game::Step::Kind::RollAttack;
  out.ordered = (out.attack_dice ? state.attack_order : state.defense_order) != 0;
  const int bits = field_of(out).bits;
  const int at_once = LaneStep::kMaxBits / bits;
  if (rerolls) {
    out.first = static_cast<std::uint8_t>(std::countr_zero(state.pending_slots));
    out.slots = static_cast<std::uint16_t>(state.pending_slots >> out.first & ((1u << at_once) - 1));
  } else {
    const int left = game::roll_size(position) - state.rolled;
    const int times = (left + at_once - 1) / at_once;
    out.first = state.rolled;
    out.slots = static_cast<std::uint16_t>((1u << (left + times - 1) / times) - 1);
  }
  out.n = static_cast<std::uint8_t>(std::popcount(out.slots));
  out.bits = static_cast<std::uint8_t>(std::bit_width(out.slots) * bits);
  return out;
}

/// The step that waits for the next dice or card that the position needs.
LaneStep LaneGraph::number(State state) {
  const bool rolling = state.rolled > 0 || (state.position.pending == 0 && !draws(state.position));
  if (!rolling) forget_order(state);
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [at, fresh] = known_.try_emplace(state, number);
  if (!fresh) return nodes_[at->second].step;
  LaneNode node = describe(state);
  const bool draw = node.kind == LaneNode::Kind::Draw;
  const std::size_t place = add_table(draw ? node.n : std::size_t{1} << node.bits);
  node.outcomes = static_cast<std::uint32_t>(place);
  nodes_.push_back(node);
  states_.push_back(state);
  if (draw || !node.placed) {
    node.step = add_rest(draw ? LaneStep::Rest::Draw : LaneStep::Rest::Side, number);
  } else {
    const LaneField& field = field_of(node);
    node.step = LaneStep::dice(place, field.shift + node.first % LaneFields::kAtMost * field.bits, node.bits);
    node_at_.resize(place / LaneStep::kUnit + 1);
    node_at_.back() = number;
  }
  nodes_.back().step = node.step;
  return node.step;
}

std::size_t LaneGraph::add_table(std::size_t entries) {
  const std::size_t place = tables_.size();
  tables_.resize(place + (entries + LaneStep::kUnit - 1) / LaneStep::kUnit * LaneStep::kUnit);
  return place;
}

LaneStep LaneGraph::add_rest(LaneStep::Rest kind, std::uint32_t number) {
  const std::size_t place = add_table(LaneStep::kUnit);
  const LaneStep out = LaneStep::rest(place, kind);
  tables_[place] = tables_[place + 1] = out;
  tables_[place + LaneStep::kNumberAt] = LaneStep::number(number);
  return out;
}

LaneStep LaneGraph::add_end(const LaneEnd& end) {
  const auto [at, fresh] = known_ends_.try_emplace(end);
  if (!fresh) return at->second;
  ends_.push_back(end);
  return at->second = add_rest(LaneStep::Rest::End, static_cast<std::uint32_t>(ends_.size() - 1));
}

LaneEnd LaneGraph::end_of(const State& state) const {
  const game::Position& position = state.position;
  LaneEnd out;
  out.happens = true;
  out.hits = position.hits;
  out.crits = position.crits;
  out.hits_at_all = position.hit || out.hits + out.crits > 0;
  out.attack_dice = state.attack_dice;
  out.defense_dice = state.defense_dice;
  out.resources = game::end_attack(plan_, attack_, position.resources).masked(mask_);
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    const int index = attack_.victim(v);
    if (index < 0) continue;
    const game::ShipPlan& ship = base::nth(plan_.ships, index);
    const int results = v == game::kDefender ? out.hits + out.crits : 0;
    const int damage = position.extra[v] + results;
    if (results == 0 && damage == 0 && state.drawn[v] == 0 && position.removed[v] == 0) continue;
    LaneEnd::Suffered& suffered = out.suffered[v];
    suffered.ship = static_cast<std::uint32_t>(index);
    suffered.damage = static_cast<std::uint16_t>(damage);
    suffered.faceup = state.drawn[v];
    if (v == game::kDefender) {
      suffered.hits = static_cast<std::uint16_t>(out.hits);
      suffered.crits = static_cast<std::uint16_t>(out.crits);
    }
    int gained = plan_.objective == game::Objective::Damage ? damage : game::removed_from(position, v);
    if (plan_.objective == game::Objective::Kill) {
      const auto health = [&](const game::Resources& resources) {
        return ship.health < 0 ? 0 : resources.get(base::nth(plan_.resources, ship.health));
      };
      gained = health(starts_[state.start]) > game::kHealthZero && health(position.resources) == game::kHealthZero;
    }
    (ship.mine ? out.theirs : out.mine) += gained;
  }
  return out;
}

std::size_t LaneGraph::bytes() const {
  constexpr std::size_t kOfNode = sizeof(LaneNode) + 2 * sizeof(State) + 64;
  return nodes_.size() * kOfNode + tables_.size() * sizeof(LaneStep) + node_at_.size() * sizeof(std::uint32_t) +
         ends_.size() * (2 * sizeof(LaneEnd) + 128);
}

}  // namespace salvo::sample
