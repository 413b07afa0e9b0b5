// Tracks the order of dice, which matters as long as a reroll distinguishes them.
#include <algorithm>
#include <array>

#include "base/index.h"
#include "game/position_parts.h"
#include "sample/lanes/lane_graph.h"
#include "sample/lanes/lane_order.h"

namespace salvo::sample {
namespace {

bool changes_pool(const game::Operation& operation) {
  return game::changes_dice(operation) || operation.kind == game::Operation::Kind::Add;
}

}  // namespace

/// Rejects plans in which a mandatory effect changes dice between a roll and a reroll: the order of dice is tracked
/// only through actions of players.
void LaneGraph::check() const {
  const AttackAddress& address = setup_.addresses.attacks[index_];
  if (std::max(address.attack.slots, address.defense.slots) > kMaxSlots)
    throw UnsupportedByKernel("a pool is too large");
  const bool whole = std::all_of(plan_.ships.begin(), plan_.ships.end(),
                                 [](const game::ShipPlan& ship) { return ship.hull_left < 0; });
  if (!whole && (plan_.objective == game::Objective::Health || plan_.objective == game::Objective::Exchange))
    throw UnsupportedByKernel("health that comes back counts");
  std::array<bool, 2> rolled{};
  for (std::size_t s = 0; s < attack_.steps.size(); ++s) {
    const game::Step& step = attack_.steps[s];
    if (step.kind == game::Step::Kind::RollDefense) rolled[0] = true;
    if (step.kind == game::Step::Kind::RollAttack) rolled[1] = true;
    for (const int e : step.effects) {
      const game::Effect& effect = base::nth(attack_.effects, e);
      const bool waits = std::any_of(effect.operations.begin(), effect.operations.end(),
                                     [](const game::Operation& o) { return o.kind == game::Operation::Kind::Roll; });
      for (const game::Operation& operation : effect.operations) {
        const bool mandatory =
            step.kind == game::Step::Kind::Apply || waits || operation.kind == game::Operation::Kind::Add;
        if (mandatory && changes_pool(operation) && rolled[operation.attack_dice] &&
            game::reroll_follows(attack_, s, operation.attack_dice))
          throw UnsupportedByKernel("an effect changes dice that can be rerolled later");
      }
    }
  }
}

/// The representative of all outcomes with the same continuation: bits of other dice do not matter, nor does the order
/// of indistinguishable dice, nor which side shows a face.
std::size_t LaneGraph::representative(const LaneNode& node, std::size_t outcome) const {
  if (node.kind == LaneNode::Kind::Draw) return outcome;
  const LaneField& field = field_of(node);
  if (node.kind == LaneNode::Kind::Side) {
    const DieCode& die = code(node.attack_dice);
    std::size_t first = 0;
    while (side_face(die, field, first) != side_face(die, field, outcome)) ++first;
    return first;
  }
  std::array<std::size_t, LaneStep::kMaxBits> faces{};
  std::size_t n = 0;
  for (int i = 0; node.slots >> i != 0; ++i) {
    if ((node.slots >> i & 1) == 0) continue;
    const std::size_t face = outcome >> i * field.bits & ((std::size_t{1} << field.bits) - 1);
    std::size_t at = n++;
    for (; !node.ordered && at > 0 && faces[at - 1] > face; --at) faces[at] = faces[at - 1];
    faces[at] = face;
  }
  std::size_t out = 0;
  for (int i = 0, taken = 0; node.slots >> i != 0; ++i) {
    if ((node.slots >> i & 1) != 0) out |= base::nth(faces, taken++) << i * field.bits;
  }
  return out;
}

/// Drops what no later step can read.
void LaneGraph::drop_unread(State& state) const {
  game::canonicalize(plan_, attack_, state.position);
  forget_order(state);
}

/// Forgets the order of dice once no reroll distinguishes them.
void LaneGraph::forget_order(State& state) const {
  for (const bool attack_dice : {true, false}) {
    if (!game::marks_matter(plan_, attack_, state.position, attack_dice)) order(state, attack_dice) = 0;
  }
}

/// Applies a player's effect to the order of the dice.
void LaneGraph::reorder_dice(State& state, const game::Effect& effect, const game::Pool& chosen) const {
  for (const game::Operation& operation : effect.operations) {
    std::uint64_t& dice = order(state, operation.attack_dice);
    const bool rerolls = operation.kind == game::Operation::Kind::Reroll;
    if (dice == 0 || (!rerolls && !changes_pool(operation))) continue;
    int left = operation.all ? base::kMaxPool : game::evaluate(plan_, operation.amount, state.position, operation.n);
    const std::uint64_t before = dice;
    const auto use = [&](int face, bool mark, int n) {
      return each_of(before, face, mark, n, [&](int slot) {
        if (rerolls) state.pending_slots = static_cast<std::uint16_t>(state.pending_slots | 1u << slot);
        const bool changed = operation.kind == game::Operation::Kind::Change;
        set_nibble(dice, slot,
                   changed ? static_cast<std::uint64_t>(operation.to) | (mark ? kMarked : 0) : nibble(kNoDice, 0));
      });
    };
    if (game::chooses_dice(operation)) {
      for (int face = 0; face < base::kMaxFaces; ++face) {
        for (const bool mark : {false, true}) use(face, mark, chosen.count(face, mark));
      }
      continue;
    }
    for (const int face : operation.from) {
      if (face == operation.to && operation.kind == game::Operation::Kind::Change) continue;
      for (const bool mark : {false, true}) left -= use(face, mark, left);
    }
  }
}

}  // namespace salvo::sample
