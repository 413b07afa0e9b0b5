#include "sample/bitsliced/symbolic_dice.h"

#include <algorithm>

#include "base/index.h"
#include "sample/kernel.h"

namespace salvo::sample {

namespace {

/// A function of the value of some bits, highest first, from bit `at` on. `first`: the value if the remaining bits are
/// 0.
template <typename Truth>
Bit truth(Logic& logic, const std::vector<Bit>& value, std::size_t at, std::size_t first, const Truth& is) {
  if (at == value.size()) return is(first);
  const std::size_t half = std::size_t{1} << (value.size() - at - 1);
  return logic.choose(value[at], truth(logic, value, at + 1, first + half, is), truth(logic, value, at + 1, first, is));
}

}  // namespace

Bit face_of_value(Logic& logic, const DieCode& code, int face, const std::vector<Bit>& value) {
  if (code.bits < 1 || code.sides != 1 << code.bits)
    throw UnsupportedByKernel("the sides of a die are no power of two");
  return truth(logic, value, 0, 0, [&](std::size_t v) { return Bit(code.face[v] == face); });
}

Bit SymbolicDice::low_bit_read(const std::vector<Bit>& value) const {
  return truth(*logic_, value, 0, 0, [&](std::size_t v) { return Bit(code_->low_bit_read[v]); });
}

Number SymbolicDice::within(Number n, int most) const {
  const int upper = std::min({n.max, most, most_});
  return {std::move(n.bits), std::max(0, n.min), upper};
}

void SymbolicDice::roll(const DieCode& code, const PoolAddress& address, int faces, const Number& n, bool one_by_one) {
  code_ = &code;
  address_ = &address;
  faces_ = faces;
  clear();
  counted_ = false;
  fixed_ = n.constant();
  most_ = std::max(0, std::min(n.max, address.slots));
  for (int slot = 0; slot < most_; ++slot) {
    SymbolicDie die;
    die.slot = slot;
    for (int i = 0; i < code.bits; ++i) die.value.push_back(logic_->plane(address.first + slot * address.stride + i));
    const Bit rolled = less(*logic_, slot, n);
    for (int face = 0; face < faces; ++face) {
      base::nth(die.face, face) = logic_->both(rolled, face_of_value(*logic_, *code_, face, die.value));
    }
    dice_.push_back(std::move(die));
  }
  if (!one_by_one) count_up();
}

void SymbolicDice::clear() {
  dice_.clear();
  counts_ = {};
  counted_ = true;
  changed_ = false;
  fixed_ = true;
  most_ = 0;
}

void SymbolicDice::count_up() {
  if (counted_) return;
  for (int face = 0; face < faces_; ++face) base::nth(counts_, face) = count(face);
  counted_ = true;
  dice_.clear();
}

Number SymbolicDice::count(int face) const {
  if (face < 0) return 0;
  const auto f = static_cast<std::size_t>(face);
  if (counted_) return counts_[f];
  std::vector<Bit> bits;
  for (const SymbolicDie& die : dice_) bits.push_back(die.face[f]);
  return sample::count(*logic_, bits);
}

Number SymbolicDice::count(int face, bool marked) const {
  if (counted_) return marked ? Number(0) : count(face);
  std::vector<Bit> bits;
  for (const SymbolicDie& die : dice_) {
    bits.push_back(logic_->both(base::nth(die.face, face), marked ? die.marked : !die.marked));
  }
  return sample::count(*logic_, bits);
}

Number SymbolicDice::size() const {
  Number out = 0;
  if (counted_) {
    for (int face = 0; face < faces_; ++face) out = sample::add(*logic_, out, base::nth(counts_, face));
    return within(out, most_);
  }
  std::vector<Bit> bits;
  for (const SymbolicDie& die : dice_) {
    Bit there = false;
    for (const Bit face : die.face) there = logic_->either(there, face);
    bits.push_back(fixed_ ? Bit(true) : there);
  }
  return sample::count(*logic_, bits);
}

Bit SymbolicDice::any(int face) const {
  if (face < 0) return false;
  if (counted_) return nonzero(*logic_, base::nth(counts_, face));
  Bit out = false;
  for (const SymbolicDie& die : dice_) out = logic_->either(out, base::nth(die.face, face));
  return out;
}

Bit SymbolicDice::any(int face, bool marked) const {
  if (counted_) return marked ? Bit(false) : any(face);
  Bit out = false;
  for (const SymbolicDie& die : dice_) {
    const Bit shows = logic_->both(base::nth(die.face, face), marked ? die.marked : !die.marked);
    out = logic_->either(out, shows);
  }
  return out;
}

SymbolicDice::Unary SymbolicDice::unary(const Number& n) const {
  Unary out;
  for (int j = 0; j < std::min(n.max, most_); ++j) out.push_back(less(*logic_, j, n));
  return out;
}

Bit SymbolicDice::take(Bit candidate, Unary& remaining) const {
  if (remaining.empty()) return false;
  const Bit taken = logic_->both(candidate, remaining[0]);
  for (std::size_t j = 0; j < remaining.size(); ++j) {
    remaining[j] = logic_->choose(candidate, j + 1 < remaining.size() ? remaining[j + 1] : Bit(false), remaining[j]);
  }
  return taken;
}

/// Calls act(die, taken) for each die, with the bit by face that the die is selected.
template <typename Act>
void SymbolicDice::each_chosen(Bit condition, const std::vector<ChosenDice>& chosen, Act&& act) {
  std::vector<Unary> remaining;
  for (const ChosenDice& c : chosen) remaining.push_back(c.all ? Unary() : unary(c.n));
  for (SymbolicDie& die : dice_) {
    std::array<Bit, base::kMaxFaces> taken{};
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      const auto face = static_cast<std::size_t>(chosen[c].face);
      const Bit candidate = logic_->both(die.face[face], chosen[c].marked ? die.marked : !die.marked);
      const Bit is = chosen[c].all ? candidate : take(candidate, remaining[c]);
      taken[face] = logic_->either(taken[face], logic_->both(condition, is));
    }
    act(die, taken);
  }
}

void SymbolicDice::reroll_die(SymbolicDie& die, const std::array<Bit, base::kMaxFaces>& taken, bool low_unread) {
  const int first = address_->first + die.slot * address_->stride + code_->bits;
  std::vector<Bit> value;
  for (int i = 0; i + 1 < code_->bits; ++i) value.push_back(logic_->plane(first + i));
  if (low_unread && !die.value.empty()) {
    value.push_back(die.value.back());
  } else {
    const Bit fresh = logic_->plane(address_->low + die.slot);
    value.push_back(die.value.empty() ? fresh : logic_->choose(low_bit_read(die.value), fresh, die.value.back()));
  }
  Bit any = false;
  for (const Bit bit : taken) any = logic_->either(any, bit);
  for (int face = 0; face < faces_; ++face) {
    const auto f = static_cast<std::size_t>(face);
    const Bit untouched = logic_->both(die.face[f], !taken[f]);
    die.face[f] = logic_->either(untouched, logic_->both(any, face_of_value(*logic_, *code_, face, value)));
  }
  die.marked = logic_->either(die.marked, any);
}

void SymbolicDice::reroll(Bit condition, const std::vector<ChosenDice>& chosen) {
  if (chosen.empty()) return;
  if (counted_) throw UnsupportedByKernel("dice are rerolled after they were counted up");
  // If no value of the chosen faces depends on the lowest bit, that bit is unread and reused.
  bool low_unread = !changed_;
  for (std::size_t value = 0; value < code_->face.size(); ++value) {
    for (const ChosenDice& c : chosen)
      low_unread = low_unread && (code_->face[value] != c.face || !code_->low_bit_read[value]);
  }
  each_chosen(condition, chosen, [&](SymbolicDie& die, const auto& taken) { reroll_die(die, taken, low_unread); });
  changed_ = true;
}

void SymbolicDice::change(Bit condition, const std::vector<ChosenDice>& chosen, int to) {
  const auto t = static_cast<std::size_t>(to);
  if (counted_) {
    for (const ChosenDice& c : chosen) {
      const auto f = static_cast<std::size_t>(c.face);
      const Number moved = only_if(*logic_, condition, c.all ? counts_[f] : c.n);
      counts_[f] = within(subtract(*logic_, counts_[f], moved), counts_[f].max);
      counts_[t] = within(sample::add(*logic_, counts_[t], moved), most_);
    }
    return;
  }
  each_chosen(condition, chosen, [&](SymbolicDie& die, const auto& taken) {
    Bit any = false;
    for (std::size_t f = 0; f < taken.size(); ++f) {
      die.face[f] = logic_->both(die.face[f], !taken[f]);
      any = logic_->either(any, taken[f]);
    }
    die.face[t] = logic_->either(die.face[t], any);
  });
  changed_ = true;
}

void SymbolicDice::change_in_order(Bit condition, const game::FaceList& from, int to, const Number& n, bool all) {
  const auto t = static_cast<std::size_t>(to);
  Number left = n;
  Unary remaining = all || counted_ ? Unary() : unary(n);
  for (const int face : from) {
    if (face == to) continue;
    const auto f = static_cast<std::size_t>(face);
    if (counted_) {
      const Number moved = only_if(*logic_, condition, all ? counts_[f] : minimum(*logic_, counts_[f], left));
      counts_[f] = within(subtract(*logic_, counts_[f], moved), counts_[f].max);
      counts_[t] = within(sample::add(*logic_, counts_[t], moved), most_);
      if (!all) left = Number(subtract(*logic_, left, moved).bits, 0, left.max);
      continue;
    }
    for (const bool mark : {false, true}) {
      for (SymbolicDie& die : dice_) {
        const Bit shows = logic_->both(die.face[f], mark ? die.marked : !die.marked);
        const Bit taken = logic_->both(condition, all ? shows : take(shows, remaining));
        die.face[f] = logic_->both(die.face[f], !taken);
        die.face[t] = logic_->either(die.face[t], taken);
      }
    }
  }
  changed_ = true;
}

void SymbolicDice::cancel(Bit condition, const std::vector<ChosenDice>& chosen) {
  if (counted_) {
    for (const ChosenDice& c : chosen) {
      const auto f = static_cast<std::size_t>(c.face);
      const Number gone = only_if(*logic_, condition, c.all ? counts_[f] : c.n);
      counts_[f] = within(subtract(*logic_, counts_[f], gone), counts_[f].max);
    }
  } else {
    each_chosen(condition, chosen, [&](SymbolicDie& die, const auto& taken) {
      for (std::size_t f = 0; f < taken.size(); ++f) die.face[f] = logic_->both(die.face[f], !taken[f]);
    });
  }
  fixed_ = false;
}

void SymbolicDice::cancel_in_order(Bit condition, const game::FaceList& faces, const Number& n, bool all) {
  Number left = n;
  Unary remaining = all || counted_ ? Unary() : unary(n);
  for (const int face : faces) {
    const auto f = static_cast<std::size_t>(face);
    if (counted_) {
      const Number gone = only_if(*logic_, condition, all ? counts_[f] : minimum(*logic_, counts_[f], left));
      counts_[f] = within(subtract(*logic_, counts_[f], gone), counts_[f].max);
      if (!all) left = Number(subtract(*logic_, left, gone).bits, 0, left.max);
      continue;
    }
    for (SymbolicDie& die : dice_) {
      const Bit taken = logic_->both(condition, all ? die.face[f] : take(die.face[f], remaining));
      die.face[f] = logic_->both(die.face[f], !taken);
    }
  }
  fixed_ = false;
}

void SymbolicDice::add(Bit condition, int face, const Number& n) {
  if (most_ + n.max > base::kMaxPool) throw UnsupportedByKernel("more dice may be added than a pool can hold");
  const auto f = static_cast<std::size_t>(face);
  most_ += n.max;
  if (counted_) {
    counts_[f] = within(sample::add(*logic_, counts_[f], only_if(*logic_, condition, n)), most_);
    return;
  }
  if (!fixed_ && n.max > 0) throw UnsupportedByKernel("dice are added to a pool of dice that are not always there");
  if (most_ > address_->slots) throw UnsupportedByKernel("more dice may be added than have places");
  for (int i = 0; i < n.max; ++i) {
    SymbolicDie die;
    die.slot = static_cast<int>(dice_.size());
    die.face[f] = logic_->both(condition, less(*logic_, i, n));
    dice_.push_back(std::move(die));
  }
  fixed_ = condition.is(true) && n.constant();
}

void SymbolicDice::forget_marks(Bit condition) {
  for (SymbolicDie& die : dice_) die.marked = logic_->both(die.marked, !condition);
}

void SymbolicDice::set_counts(const std::array<Number, base::kMaxFaces>& left) {
  count_up();
  counts_ = left;
}

}  // namespace salvo::sample
