#include "sample/lane_graph.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "exact/position_table.h"
#include "rules/position_parts.h"
#include "sample/decisions.h"

namespace salvo::sample {
namespace {

constexpr std::uint64_t kNoDice = 0x7777777777777777u;  // a nibble of 7 is no die
constexpr std::uint64_t kMarked = 8;
constexpr int kMostSlots = 15;
constexpr int kMostBits = 4;
constexpr std::size_t kFirstNode = 1;

bool changes_dice(const Operation& operation) {
  using Kind = Operation::Kind;
  return operation.kind == Kind::Change || operation.kind == Kind::Cancel || operation.kind == Kind::Add;
}

std::uint64_t nibble(std::uint64_t order, int slot) { return order >> 4 * slot & 15u; }
void set_nibble(std::uint64_t& order, int slot, std::uint64_t value) {
  order = (order & ~(std::uint64_t{15} << 4 * slot)) | value << 4 * slot;
}

/// Calls act(slot) for up to n dice that show the face and mark, the lowest slots first; returns how many.
template <typename Act>
int each_of(std::uint64_t order, int face, bool mark, int n, Act&& act) {
  int done = 0;
  for (int slot = 0; slot <= kMostSlots && done < n; ++slot) {
    if (nibble(order, slot) != (static_cast<std::uint64_t>(face) | (mark ? kMarked : 0))) continue;
    act(slot);
    ++done;
  }
  return done;
}

}  // namespace

std::size_t LaneGraph::Hash::operator()(const State& state) const {
  std::uint64_t h = exact::hash(state.position);
  const auto mix = [&](std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  };
  mix(state.attack_order);
  mix(state.defense_order);
  mix(state.start | std::uint64_t{state.pending_slots} << 32 | std::uint64_t{state.rolled} << 48 |
      std::uint64_t{state.side_rolled} << 56);
  mix(std::bit_cast<std::uint32_t>(state.drawn) | std::uint64_t{state.attack_dice} << 32 |
      std::uint64_t{state.defense_dice} << 40);
  return h;
}

LaneGraph::LaneGraph(const Setup& setup, std::size_t attack)
    : setup_(setup),
      plan_(setup.plan),
      index_(attack),
      attack_(setup.plan.attacks[attack]),
      nodes_(kFirstNode),
      states_(kFirstNode) {
  check();
  for (std::size_t w = 0; w < mask_.words.size(); ++w)
    mask_.words[w] = attack_.readable.words[w] | attack_.reads.words[w];
  const auto keep = [&](int index) {
    if (index < 0) return;
    const Resource& r = plan_.resources[static_cast<std::size_t>(index)];
    if (r.dynamic) mask_.words[static_cast<std::size_t>(r.word)] |= r.mask << r.shift;
  };
  for (const int ship : attack_.removed_after) {
    const int health = plan_.ships[static_cast<std::size_t>(ship)].health;
    if (health >= 0) keep(health);
  }
  for (const CardCounts& lost : attack_.lost_after) {
    for (const int counted : {lost.kind, lost.faceup, lost.facedown}) keep(counted);
  }
  for (const auto& [from, into] : attack_.merged_after) {
    keep(from);
    keep(into);
  }
}

/// Which die is which is followed through what players do, not through mandatory effects between a roll and a reroll.
void LaneGraph::check() const {
  const AttackAddress& address = setup_.addresses.attacks[index_];
  for (const DieCode* code : {&setup_.attack_code, &setup_.defense_code}) {
    if (code->bits < 1 || code->bits > kMostBits || code->sides != 1 << code->bits)
      throw NotBitSliced("the sides of a die are not 2, 4, 8 or 16");
  }
  if (std::max(address.attack.slots, address.defense.slots) > kMostSlots) throw NotBitSliced("a pool is too large");
  for (const Effect& effect : attack_.effects) {
    for (const Operation& operation : effect.operations) {
      using Kind = Operation::Kind;
      if (operation.kind == Kind::Expose || operation.kind == Kind::Deal)
        throw NotBitSliced("damage cards are exposed, or dealt otherwise");
    }
  }
  std::array<bool, 2> rolled{};
  for (std::size_t s = 0; s < attack_.steps.size(); ++s) {
    const Step& step = attack_.steps[s];
    if (step.kind == Step::Kind::RollDefense) rolled[0] = true;
    if (step.kind == Step::Kind::RollAttack) rolled[1] = true;
    for (const int e : step.effects) {
      const Effect& effect = attack_.effects[static_cast<std::size_t>(e)];
      const bool waits = std::any_of(effect.operations.begin(), effect.operations.end(),
                                     [](const Operation& o) { return o.kind == Operation::Kind::Roll; });
      for (const Operation& operation : effect.operations) {
        const bool mandatory = step.kind == Step::Kind::Apply || waits || operation.kind == Operation::Kind::Add;
        if (mandatory && changes_dice(operation) && rolled[operation.attack_dice] &&
            rules::reroll_follows(attack_, s, operation.attack_dice))
          throw NotBitSliced("an effect changes dice that can be rerolled later");
      }
    }
  }
}

LaneStep LaneGraph::entry(const Resources& resources) {
  const Resources begin = resources.masked(mask_);
  const auto [at, fresh] = entries_.try_emplace(begin);
  if (!fresh) return at->second;
  LaneStep node;
  if (rules::attack_happens(plan_, attack_, begin)) {
    State state;
    state.start = static_cast<std::uint32_t>(starts_.size());
    starts_.push_back(begin);
    state.position = rules::begin_attack(plan_, attack_, begin);
    node = settle(state);
  } else {
    LaneEnd end;
    end.resources = rules::end_attack(plan_, attack_, begin).masked(mask_);
    node = add_end(end);
  }
  return entries_[begin] = node;
}

LaneStep LaneGraph::find_next(std::uint32_t number, std::size_t outcome) {
  const LaneNode node = nodes_[number];
  State state = states_[number];
  const std::size_t base = faces(die(node.attack_dice));
  std::uint64_t& dice = order(state, node.attack_dice);
  LaneStep found;
  std::size_t digits = outcome;
  switch (node.kind) {
    case LaneNode::Kind::Roll: {
      Pool& pool = node.attack_dice ? state.position.attack_pool : state.position.defense_pool;
      for (int i = 0; i < node.n; ++i, digits /= base) {
        pool.add(static_cast<int>(digits % base), false, 1);
        if (dice != 0) set_nibble(dice, state.rolled, digits % base);
        ++state.rolled;
      }
      const int all = rules::roll_size(state.position);
      if (state.rolled < all) {
        found = this->number(state);
        break;
      }
      (node.attack_dice ? state.attack_dice : state.defense_dice) = static_cast<std::uint8_t>(all);
      state.rolled = 0;
      state.position = rules::after_roll(attack_, state.position, Pool(pool));
      found = settle(state);
      break;
    }
    case LaneNode::Kind::Reroll:
      for (int i = 0; i < node.n; ++i, digits /= base) {
        const int slot = node.slots[static_cast<std::size_t>(i)];
        state.position = rules::after_reroll(state.position, static_cast<int>(digits % base));
        if (dice != 0) set_nibble(dice, slot, digits % base | kMarked);
        state.pending_slots = static_cast<std::uint16_t>(state.pending_slots & ~(1u << slot));
      }
      found = state.position.pending > 0 ? this->number(state) : settle(state);
      break;
    case LaneNode::Kind::Side:
      state.position = rules::after_reroll(state.position, static_cast<int>(outcome));
      ++state.side_rolled;
      found = state.position.pending > 0 ? this->number(state) : settle(state);
      break;
    case LaneNode::Kind::Draw: {
      const std::size_t victim = rules::drawing_victim(state.position);
      rules::cards_left(plan_, attack_, state.position, left_);
      std::size_t kind = 0;
      auto place = static_cast<int>(outcome);
      while (place >= left_[kind]) place -= left_[kind++];
      state.position = rules::after_draw(plan_, attack_, state.position, kind);
      ++state.drawn[victim];
      found = settle(state);
      break;
    }
    case LaneNode::Kind::End:
      break;
  }
  return successors_[nodes_[number].next + outcome] = found;
}

/// Plays on until dice or cards are needed, or the attack is over.
LaneStep LaneGraph::settle(State state) {
  for (;;) {
    switch (rules::advance(plan_, attack_, state.position)) {
      case rules::Need::AttackRoll:
      case rules::Need::DefenseRoll: {
        const bool attack_dice = attack_.steps[state.position.step].kind == Step::Kind::RollAttack;
        if (rules::roll_size(state.position) <= 0) {
          state.position = rules::after_roll(attack_, state.position, Pool());
          break;
        }
        order(state, attack_dice) = rules::reroll_follows(attack_, state.position.step, attack_dice) ? kNoDice : 0;
        return number(state);
      }
      case rules::Need::Reroll:
      case rules::Need::Draw:
        return number(state);
      case rules::Need::Finished:
        return add_end(end_of(state));
      case rules::Need::Decision:
        decide(state);
        break;
    }
  }
}

/// Follows the player until dice or cards are needed or nothing more is wanted, as the plain kernel does.
void LaneGraph::decide(State& state) {
  const std::uint8_t step = state.position.step;
  for (bool done = false; !done;) {
    merge(state);
    if (!rules::has_options(plan_, attack_, state.position)) return;
    setup_.policy.decide(plan_, index_, starts_[state.start], state.position, options_);
    for (const Option& option : options_) {
      if (option.effect >= 0) arrange(state, attack_.effects[static_cast<std::size_t>(option.effect)], option.dice);
      state.position = rules::take(plan_, attack_, state.position, option);
      done = option.effect < 0 || rules::interrupted(state.position) || state.position.step != step;
      if (done) break;
    }
  }
}

/// Merges what nothing can read any more.
void LaneGraph::merge(State& state) const {
  rules::merge_unread(plan_, attack_, state.position);
  forget_order(state);
}

/// Dice that no reroll can tell apart any more are only counted.
void LaneGraph::forget_order(State& state) const {
  for (const bool attack_dice : {true, false}) {
    if (!rules::marks_matter(plan_, attack_, state.position, attack_dice)) order(state, attack_dice) = 0;
  }
}

/// What an effect that a player uses does to dice of which it matters which is which.
void LaneGraph::arrange(State& state, const Effect& effect, const Pool& chosen) const {
  for (const Operation& operation : effect.operations) {
    std::uint64_t& dice = order(state, operation.attack_dice);
    const bool rerolls = operation.kind == Operation::Kind::Reroll;
    if (dice == 0 || (!rerolls && !changes_dice(operation))) continue;
    int left = operation.all ? kMaxPool : rules::evaluate(plan_, operation.amount, state.position, operation.n);
    const std::uint64_t before = dice;
    const auto use = [&](int face, bool mark, int n) {
      return each_of(before, face, mark, n, [&](int slot) {
        if (rerolls) state.pending_slots = static_cast<std::uint16_t>(state.pending_slots | 1u << slot);
        const bool changed = operation.kind == Operation::Kind::Change;
        set_nibble(dice, slot,
                   changed ? static_cast<std::uint64_t>(operation.to) | (mark ? kMarked : 0) : nibble(kNoDice, 0));
      });
    };
    if (rules::chooses_dice(operation)) {
      for (int face = 0; face < kMaxFaces; ++face) {
        for (const bool mark : {false, true}) use(face, mark, chosen.count(face, mark));
      }
      continue;
    }
    for (const int face : operation.from) {
      if (face == operation.to && operation.kind == Operation::Kind::Change) continue;
      for (const bool mark : {false, true}) left -= use(face, mark, left);
    }
  }
}

LaneNode LaneGraph::describe(const State& state) const {
  LaneNode out;
  const Position& position = state.position;
  const auto at_once = [](int n) { return static_cast<std::uint8_t>(std::min(n, kDiceAtOnce)); };
  if (position.pending_side) {
    out.kind = LaneNode::Kind::Side;
    out.attack_dice = position.pending_attack;
    out.ordered = true;
    out.n = 1;
    out.slots[0] = state.side_rolled;
  } else if (position.pending > 0) {
    out.kind = LaneNode::Kind::Reroll;
    out.attack_dice = position.pending_attack;
    out.ordered = (out.attack_dice ? state.attack_order : state.defense_order) != 0;
    out.n = at_once(position.pending);
    unsigned slots = state.pending_slots;
    for (int i = 0; i < out.n; ++i, slots &= slots - 1)
      out.slots[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::countr_zero(slots));
  } else if (position.due != 0) {
    out.kind = LaneNode::Kind::Draw;
    std::vector<int> left;
    rules::cards_left(plan_, attack_, position, left);
    for (const int cards : left) out.n = static_cast<std::uint8_t>(out.n + cards);
  } else {
    out.kind = LaneNode::Kind::Roll;
    out.attack_dice = attack_.steps[position.step].kind == Step::Kind::RollAttack;
    out.ordered = (out.attack_dice ? state.attack_order : state.defense_order) != 0;
    out.n = at_once(rules::roll_size(position) - state.rolled);
    out.slots[0] = state.rolled;
  }
  return out;
}

std::size_t LaneGraph::outcomes(const LaneNode& node) const {
  if (node.kind == LaneNode::Kind::Draw) return node.n;
  std::size_t out = 1;
  for (int i = 0; i < node.n; ++i) out *= faces(die(node.attack_dice));
  return out;
}

LaneStep LaneGraph::number(State state) {
  const bool rolling = state.rolled > 0 || (state.position.pending == 0 && state.position.due == 0);
  if (!rolling) forget_order(state);
  const auto [at, fresh] = known_.try_emplace(state, static_cast<std::uint32_t>(nodes_.size()));
  if (!fresh) return step_to(at->second);
  LaneNode node = describe(state);
  node.next = static_cast<std::uint32_t>(successors_.size());
  successors_.resize(successors_.size() + outcomes(node));
  nodes_.push_back(node);
  states_.push_back(state);
  return step_to(at->second);
}

LaneStep LaneGraph::step_to(std::uint32_t number) const {
  if (number >= LaneStep::kMostNodes) throw std::length_error("the lane kernel has too many positions");
  const LaneNode& node = nodes_[number];
  if (node.kind == LaneNode::Kind::End) return {number, 0};
  const std::uint32_t kind = 2 * static_cast<std::uint32_t>(node.kind) + (node.attack_dice ? 1 : 0);
  const bool dice = node.kind == LaneNode::Kind::Roll || node.kind == LaneNode::Kind::Reroll;
  return {number, 1 + kind * kDiceAtOnce + (dice ? node.n - 1u : 0u)};
}

LaneStep LaneGraph::add_end(const LaneEnd& end) {
  LaneNode node;
  node.next = static_cast<std::uint32_t>(ends_.size());
  ends_.push_back(end);
  nodes_.push_back(node);
  states_.emplace_back();
  return step_to(static_cast<std::uint32_t>(nodes_.size() - 1));
}

LaneEnd LaneGraph::end_of(const State& state) const {
  const Position& position = state.position;
  LaneEnd out;
  out.happens = true;
  out.hits = position.hits;
  out.crits = position.crits;
  out.hits_at_all = position.hit || out.hits + out.crits > 0;
  out.attack_dice = state.attack_dice;
  out.defense_dice = state.defense_dice;
  out.resources = rules::end_attack(plan_, attack_, position.resources).masked(mask_);
  for (std::size_t v = 0; v < kVictims; ++v) {
    const int index = attack_.victim(v);
    if (index < 0) continue;
    const ShipPlan& ship = plan_.ships[static_cast<std::size_t>(index)];
    LaneEnd::Suffered suffered{static_cast<std::size_t>(index), 0, 0, position.extra[v], state.drawn[v]};
    if (v == kDefender) {
      suffered.hits = out.hits;
      suffered.crits = out.crits;
      suffered.damage += out.hits + out.crits;
    }
    if (suffered.damage == 0 && suffered.faceup == 0) continue;
    int gained = plan_.objective == Objective::Damage ? suffered.damage : position.removed[v];
    if (plan_.objective == Objective::Kill) {
      const auto health = [&](const Resources& resources) {
        return ship.health < 0 ? 0 : resources.get(plan_.resources[static_cast<std::size_t>(ship.health)]);
      };
      gained = health(starts_[state.start]) > kHealthZero && health(position.resources) == kHealthZero;
    }
    (ship.mine ? out.theirs : out.mine) += gained;
    out.suffered.push_back(suffered);
  }
  return out;
}

std::size_t LaneGraph::bytes() const {
  constexpr std::size_t kOfEntry = 2 * sizeof(State) + 64;
  return nodes_.size() * (sizeof(LaneNode) + kOfEntry) + successors_.size() * sizeof(std::uint32_t) +
         ends_.size() * (sizeof(LaneEnd) + 128);
}

}  // namespace salvo::sample
