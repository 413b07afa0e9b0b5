#include "sample/bitsliced/logic.h"

#include <algorithm>

namespace salvo::sample {

Bit Logic::make(Gate gate) {
  const std::uint64_t key = gate.kind == Gate::Kind::Plane
                                ? std::uint64_t{1} << 63 | static_cast<std::uint64_t>(gate.plane)
                                : static_cast<std::uint64_t>(gate.kind == Gate::Kind::Xor) << 62 |
                                      static_cast<std::uint64_t>(gate.a.code()) << 31 | gate.b.code();
  const auto [at, fresh] = known_.try_emplace(key, static_cast<std::uint32_t>(gates_.size()));
  if (fresh) gates_.push_back(gate);
  return Bit::of_gate(at->second);
}

Bit Logic::plane(int index) { return make({Gate::Kind::Plane, index, {}, {}}); }

Bit Logic::both(Bit a, Bit b) {
  if (a.code() > b.code()) std::swap(a, b);
  if (a.constant()) return a.is(true) ? b : Bit(false);
  if (a == b) return a;
  if (a == !b) return false;
  // Simplify a & (a & x) and a & ~(a & x), in either order: conditions are often combined with others that imply them.
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    const Gate gate = gates_[other.gate()];
    if (gate.kind != Gate::Kind::And) continue;
    if (!other.complemented() && (gate.a == one || gate.b == one)) return other;
    if (!other.complemented() && (gate.a == !one || gate.b == !one)) return false;
    if (other.complemented() && (gate.a == !one || gate.b == !one)) return one;
    if (other.complemented() && gate.a == one) return both(one, !gate.b);
    if (other.complemented() && gate.b == one) return both(one, !gate.a);
  }
  return make({Gate::Kind::And, -1, a, b});
}

Bit Logic::differ(Bit a, Bit b) {
  if (a.code() > b.code()) std::swap(a, b);
  if (a.constant()) return a.is(true) ? !b : b;
  if (a.gate() == b.gate()) return !(a == b);
  const bool complement = a.complemented() != b.complemented();
  const Bit out = make({Gate::Kind::Xor, -1, Bit::of_gate(a.gate()), Bit::of_gate(b.gate())});
  return complement ? !out : out;
}

Bit Logic::choose(Bit condition, Bit yes, Bit no) {
  if (condition.constant()) return condition.is(true) ? yes : no;
  if (yes == no) return yes;
  if (yes.constant()) return yes.is(true) ? either(condition, no) : both(!condition, no);
  if (no.constant()) return no.is(true) ? either(!condition, yes) : both(condition, yes);
  if (yes == condition) return either(condition, no);
  if (no == condition) return both(condition, yes);
  return differ(no, both(condition, differ(yes, no)));
}

Bit Logic::majority(Bit a, Bit b, Bit c) { return choose(differ(a, b), c, a); }

std::size_t width_of(int min, int max) {
  std::size_t width = 0;
  if (min >= 0) {
    while (max >> width != 0) ++width;
    return width;
  }
  width = 1;
  while (min < -(1 << (width - 1)) || max >= 1 << (width - 1)) ++width;
  return width;
}

Number::Number(int value) : min(value), max(value) {
  const std::size_t width = width_of(value, value);
  for (std::size_t i = 0; i < width; ++i) bits.emplace_back((value >> i & 1) != 0);
}

Number::Number(std::vector<Bit> bits_, int min_, int max_) : bits(std::move(bits_)), min(min_), max(max_) {
  if (min == max) {
    *this = Number(min);
    return;
  }
  bits.resize(width_of(min, max), Bit(false));
}

namespace {

/// a + b, or a - b when b is complemented, in as many bits as the bounds need.
Number sum(Logic& logic, const Number& a, const Number& b, bool complement_b, int min, int max) {
  Bit carry = complement_b;
  std::vector<Bit> out;
  const std::size_t width = width_of(min, max);
  for (std::size_t i = 0; i < width; ++i) {
    const Bit x = a.bit(i);
    const Bit y = complement_b ? !b.bit(i) : b.bit(i);
    out.push_back(logic.differ(logic.differ(x, y), carry));
    carry = logic.majority(x, y, carry);
  }
  return {std::move(out), min, max};
}

}  // namespace

Number add(Logic& logic, const Number& a, const Number& b) {
  return sum(logic, a, b, false, a.min + b.min, a.max + b.max);
}

Number subtract(Logic& logic, const Number& a, const Number& b) {
  return sum(logic, a, b, true, a.min - b.max, a.max - b.min);
}

Bit less(Logic& logic, const Number& a, const Number& b) {
  if (a.max < b.min) return true;
  if (a.min >= b.max) return false;
  return subtract(logic, a, b).bits.back();
}

Bit equal(Logic& logic, const Number& a, const Number& b) {
  if (a.max < b.min || b.max < a.min) return false;
  Bit unequal = false;
  const std::size_t width = std::max(a.bits.size(), b.bits.size()) + 1;
  for (std::size_t i = 0; i < width; ++i) unequal = logic.either(unequal, logic.differ(a.bit(i), b.bit(i)));
  return !unequal;
}

Number choose(Logic& logic, Bit condition, const Number& yes, const Number& no) {
  if (condition.constant()) return condition.is(true) ? yes : no;
  const int min = std::min(yes.min, no.min);
  const int max = std::max(yes.max, no.max);
  std::vector<Bit> out;
  const std::size_t width = width_of(min, max);
  for (std::size_t i = 0; i < width; ++i) out.push_back(logic.choose(condition, yes.bit(i), no.bit(i)));
  return {std::move(out), min, max};
}

Number minimum(Logic& logic, const Number& a, const Number& b) {
  Number out = choose(logic, less(logic, a, b), a, b);
  const int max = std::min(a.max, b.max);
  return {std::move(out.bits), out.min, max};
}

Number maximum(Logic& logic, const Number& a, const Number& b) {
  Number out = choose(logic, less(logic, a, b), b, a);
  const int min = std::max(a.min, b.min);
  // The constructor drops the sign bit if this minimum rules negative numbers out.
  return {std::move(out.bits), min, out.max};
}

Number only_if(Logic& logic, Bit condition, const Number& a) { return choose(logic, condition, a, 0); }

Number count(Logic& logic, const std::vector<Bit>& bits) {
  int constant = 0;
  std::vector<std::vector<Bit>> columns(1);
  for (const Bit bit : bits) {
    if (bit.is(true)) ++constant;
    if (!bit.constant()) columns[0].push_back(bit);
  }
  const int varying = static_cast<int>(columns[0].size());
  std::vector<Bit> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns.resize(std::max(columns.size(), i + 2));
    std::vector<Bit>& column = columns[i];
    for (std::size_t used = 0; column.size() - used > 1;) {
      const bool three = column.size() - used > 2;
      const Bit a = column[used];
      const Bit b = column[used + 1];
      const Bit c = three ? column[used + 2] : Bit(false);
      used += three ? 3 : 2;
      column.push_back(logic.differ(logic.differ(a, b), c));
      columns[i + 1].push_back(three ? logic.majority(a, b, c) : logic.both(a, b));
      if (column.size() - used == 1) {
        column = {column.back()};
        break;
      }
    }
    if (column.empty()) break;
    out.push_back(column.back());
  }
  return add(logic, Number(std::move(out), 0, varying), constant);
}

}  // namespace salvo::sample
