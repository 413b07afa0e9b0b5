#include "sample/address.h"

#include <algorithm>

#include "base/index.h"
#include "game/position_parts.h"

namespace salvo::sample {
namespace {

/// Faces in the order in which they get values; hit or evade last.
std::vector<int> encoding_order(const game::Die& die) {
  std::vector<int> order;
  for (const int face : {die.blank, die.focus}) {
    if (face >= 0) order.push_back(face);
  }
  const int last = die.hit >= 0 ? die.hit : die.evade;
  for (int face = 0; face < die.faces; ++face) {
    if (face != die.blank && face != die.focus && face != last) order.push_back(face);
  }
  if (last >= 0) order.push_back(last);
  return order;
}

bool can_reroll(const game::AttackPlan& attack, bool attack_dice) {
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const game::Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
      return operation.kind == game::Operation::Kind::Reroll && operation.attack_dice == attack_dice;
    });
  });
}

constexpr int kMaxTimes = 4;  // planned uses per attack of an effect without a limit
constexpr int kMaxSideDice = 32;

/// How many dice rolled outside both pools get planes in an attack.
int side_dice(const game::AttackPlan& attack) {
  int out = 0;
  for (const game::Effect& effect : attack.effects) {
    const bool once = effect.used_bit >= 0 || (!effect.may && effect.times.empty());
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind != game::Operation::Kind::Roll) continue;
      out += game::most_dice_of(operation) * (once ? 1 : kMaxTimes);
    }
  }
  return std::min(out, kMaxSideDice);
}

}  // namespace

DieCode encode(const game::Die& die) {
  DieCode code;
  code.sides = die.sides;
  while ((1 << code.bits) < die.sides) ++code.bits;
  std::array<int, base::kMaxFaces> left = die.sides_of_face;
  const std::vector<int> order = encoding_order(die);
  const auto give = [&](int face, int n) {
    code.face.insert(code.face.end(), static_cast<std::size_t>(n), static_cast<std::uint8_t>(face));
    base::nth(left, face) -= n;
  };
  for (const int face : order) {
    if (face != order.back()) give(face, base::nth(left, face) / 2 * 2);
  }
  for (const int face : order) give(face, base::nth(left, face));
  for (std::size_t value = 0; value < std::size_t{1} << code.bits; ++value) {
    const std::size_t other = value ^ 1;
    // If one of the two is no face, the bit decided whether the value was rejected.
    code.low_bit_read.push_back(value >= code.face.size() || other >= code.face.size() ||
                                code.face[value] != code.face[other]);
  }
  return code;
}

Addresses assign_addresses(const game::Plan& plan, const DieCode& attack_code, const DieCode& defense_code) {
  Addresses out;
  for (const game::AttackPlan& attack : plan.attacks) {
    AttackAddress address;
    for (const bool attack_dice : {true, false}) {
      const int bits = (attack_dice ? attack_code : defense_code).bits;
      PoolAddress& pool = attack_dice ? address.attack : address.defense;
      pool.slots = game::most_dice(attack, attack_dice);
      pool.first = out.planes;
      const bool rerolls = can_reroll(attack, attack_dice) && bits > 0;
      pool.stride = rerolls ? 2 * bits - 1 : bits;
      if (rerolls) pool.low = 0;
      out.planes += pool.slots * pool.stride;
    }
    address.side.slots = side_dice(attack);
    address.side.first = out.planes;
    address.side.stride = std::max(attack_code.bits, defense_code.bits);
    out.planes += address.side.slots * address.side.stride;
    out.attacks.push_back(address);
  }
  out.main_planes = out.planes;
  for (AttackAddress& address : out.attacks) {
    for (PoolAddress* pool : {&address.attack, &address.defense}) {
      if (pool->low < 0) continue;
      pool->low = out.planes;
      out.planes += pool->slots;
    }
  }
  return out;
}

}  // namespace salvo::sample
