// Dice operations of the reference kernel.
#include <algorithm>

#include "base/index.h"
#include "game/play.h"
#include "sample/reference/reference_player.h"

namespace salvo::sample {

void ReferencePlayer::roll(Dice& dice, const DieCode& code, const PoolAddress& address, Moments& counted) {
  const int n = std::min<int>(std::max(position_.dice, position_.min_dice), position_.max_dice);
  counted.add(static_cast<std::uint64_t>(n));
  dice.n = n;
  for (int slot = 0; slot < n; ++slot) {
    const int plane = address.first + slot * address.stride;
    unsigned value = bits_.bits(plane, code.bits);
    PlayedDie& die = base::nth(dice.die, slot);
    die.value = static_cast<std::uint8_t>(value);
    die.slot = static_cast<std::uint8_t>(slot);
    if (value >= static_cast<unsigned>(code.sides)) value = bits_.overflow(plane, code.sides);
    die.face = code.face[value];
    die.rerolled = false;
  }
  position_.dice = position_.min_dice = position_.max_dice = 0;
}

void ReferencePlayer::reroll(PlayedDie& die, bool attack_dice) {
  const DieCode& code = attack_dice ? setup_.attack_code : setup_.defense_code;
  const PoolAddress& address = attack_dice ? address_->attack : address_->defense;
  const int plane = address.first + die.slot * address.stride + code.bits;
  const unsigned low =
      die.value == kAdded || code.low_bit_read[die.value] ? bits_.bit(address.low + die.slot) : die.value & 1u;
  unsigned value = bits_.bits(plane, code.bits - 1) << 1 | low;
  if (value >= static_cast<unsigned>(code.sides)) value = bits_.overflow(plane, code.sides);
  die.face = code.face[value];
  die.rerolled = true;
}

game::Position ReferencePlayer::counted_position() const {
  game::Position out = position_;
  out.attack_pool = attack_dice_.counted();
  out.defense_pool = defense_dice_.counted();
  return out;
}

void ReferencePlayer::roll_side(const game::Operation& operation, int n) {
  const DieCode& code = operation.attack_dice ? setup_.attack_code : setup_.defense_code;
  for (int i = 0; i < n; ++i) position_.side_pool.add(code.face[side_value(code)], 1);
}

unsigned ReferencePlayer::side_value(const DieCode& code) {
  const PoolAddress& address = address_->side;
  if (side_dice_ >= address.slots) return bits_.side(unplaced_dice_++, code.sides);
  const int plane = address.first + side_dice_++ * address.stride;
  const unsigned value = bits_.bits(plane, code.bits);
  return value < static_cast<unsigned>(code.sides) ? value : bits_.overflow(plane, code.sides);
}

int ReferencePlayer::results_left() const {
  return attack_dice_.count(plan_.attack_die.hit) + attack_dice_.count(plan_.attack_die.crit);
}

/// Forgets which dice were rerolled once no later reroll distinguishes them: policies decide on such positions.
void ReferencePlayer::forget_marks(Dice& dice, bool attack_dice) {
  const auto end = dice.die.begin() + dice.n;
  if (std::none_of(dice.die.begin(), end, [](const PlayedDie& die) { return die.rerolled; })) return;
  if (game::marks_matter(plan_, *attack_, position_, attack_dice)) return;
  for (auto die = dice.die.begin(); die != end; ++die) die->rerolled = false;
}

/// Uses the lowest slots that show the face and mark.
void ReferencePlayer::each_chosen(const game::Operation& operation, game::Pool chosen, bool rerolls) {
  Dice& dice = dice_of(operation.attack_dice);
  for (int slot = 0; slot < dice.n; ++slot) {
    PlayedDie& die = base::nth(dice.die, slot);
    if (chosen.count(die.face, die.rerolled) == 0) continue;
    chosen.add(die.face, die.rerolled, -1);
    if (rerolls) {
      reroll(die, operation.attack_dice);
      position_.side_pool.add(die.face, 1);
    } else {
      die.face = static_cast<std::uint8_t>(operation.to);
    }
  }
}

void ReferencePlayer::change_in_order(const game::Operation& operation, int amount) {
  Dice& dice = dice_of(operation.attack_dice);
  int left = operation.all ? dice.n : amount;
  for (const int face : operation.from) {
    for (const bool mark : {false, true}) {
      for (int slot = 0; slot < dice.n && left > 0; ++slot) {
        PlayedDie& die = base::nth(dice.die, slot);
        if (die.face != face || die.rerolled != mark || face == operation.to) continue;
        die.face = static_cast<std::uint8_t>(operation.to);
        --left;
      }
    }
  }
}

void ReferencePlayer::add(const game::Operation& operation, int amount) {
  Dice& dice = dice_of(operation.attack_dice);
  for (int i = 0; i < amount && dice.n < base::kMaxPool; ++i) {
    const int slot = dice.n == 0 ? 0 : base::nth(dice.die, dice.n - 1).slot + 1;
    base::nth(dice.die, dice.n++) = {static_cast<std::uint8_t>(operation.to), kAdded, static_cast<std::uint8_t>(slot),
                                     false};
  }
}

void ReferencePlayer::cancel(const game::Operation& operation, int amount) {
  Dice& dice = dice_of(operation.attack_dice);
  int left = operation.all ? dice.n : amount;
  for (const int face : operation.from) {
    const int k = std::min(left, dice.count(face));
    dice.remove(face, k);
    left -= k;
  }
}

void ReferencePlayer::neutralize() {
  const int hit = plan_.attack_die.hit;
  const int crit = plan_.attack_die.crit;
  int evades = defense_dice_.count(plan_.defense_die.evade);
  for (int turn = 0; turn < 2; ++turn) {  // 000: Attack, Neutralize Results
    const bool crits_now = (turn == 0) == attack_->crits_first;
    if (crits_now ? attack_->uncancellable_crits : attack_->uncancellable_hits) continue;
    const int face = crits_now ? crit : hit;
    const int k = std::min(evades, attack_dice_.count(face));
    attack_dice_.remove(face, k);
    evades -= k;
  }
  for (int face = 0; face < plan_.attack_die.faces; ++face) {
    if (face != hit && face != crit) attack_dice_.remove(face, attack_dice_.n);
  }
  defense_dice_.n = 0;
}

}  // namespace salvo::sample
