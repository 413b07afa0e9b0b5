// Functions of the random bits as a graph of AND and XOR gates over planes. Structurally equal functions share a gate,
// and constants fold, so features that a plan does not use leave no gates.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace salvo::sample {

/// A gate or its complement. The code is twice the number of the gate, plus 1 if complemented.
class Bit {
 public:
  constexpr Bit() = default;
  constexpr Bit(bool value) : code_(value ? 1 : 0) {}  // NOLINT(google-explicit-constructor): constants are bits
  static constexpr Bit of_gate(std::uint32_t gate, bool complement = false) {
    Bit out;
    out.code_ = 2 * gate + (complement ? 1 : 0);
    return out;
  }
  constexpr std::uint32_t gate() const { return code_ / 2; }
  constexpr bool complemented() const { return (code_ & 1u) != 0; }
  constexpr bool constant() const { return code_ < 2; }
  constexpr bool is(bool value) const { return code_ == (value ? 1u : 0u); }
  constexpr Bit operator!() const { return of_gate(gate(), !complemented()); }
  constexpr bool operator==(const Bit&) const = default;
  constexpr std::uint32_t code() const { return code_; }

 private:
  std::uint32_t code_ = 0;  ///< gate 0 is the constant false
};

struct Gate {
  enum class Kind : std::uint8_t { False, Plane, And, Xor };
  Kind kind = Kind::False;
  int plane = -1;
  Bit a, b;
  bool logical() const { return kind == Kind::And || kind == Kind::Xor; }
};

class Logic {
 public:
  Logic() : gates_(1) {}

  /// The random bit of a plane.
  Bit plane(int index);
  Bit both(Bit a, Bit b);                             ///< a and b
  Bit either(Bit a, Bit b) { return !both(!a, !b); }  ///< a or b
  Bit differ(Bit a, Bit b);                           ///< a exclusive-or b
  Bit choose(Bit condition, Bit yes, Bit no);
  Bit majority(Bit a, Bit b, Bit c);

  const std::vector<Gate>& gates() const { return gates_; }

 private:
  Bit make(Gate gate);

  std::vector<Gate> gates_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

/// An integer that varies between trials: bits from the lowest up, in two's complement if it can be negative (the last
/// bit is the sign), and bounds.
struct Number {
  std::vector<Bit> bits;
  int min = 0, max = 0;

  Number() = default;
  Number(int value);  // NOLINT(google-explicit-constructor): constants are numbers
  Number(std::vector<Bit> bits_, int min_, int max_);
  static Number of_bit(Bit bit) { return Number({bit}, bit.is(true) ? 1 : 0, bit.is(false) ? 0 : 1); }

  Bit bit(std::size_t i) const { return i < bits.size() ? bits[i] : min < 0 ? bits.back() : Bit(false); }
  bool constant() const { return min == max; }
};

/// How many bits hold all values from `min` to `max`.
std::size_t width_of(int min, int max);

Number add(Logic& logic, const Number& a, const Number& b);
Number subtract(Logic& logic, const Number& a, const Number& b);
Bit less(Logic& logic, const Number& a, const Number& b);
Bit equal(Logic& logic, const Number& a, const Number& b);
Number choose(Logic& logic, Bit condition, const Number& yes, const Number& no);
Number minimum(Logic& logic, const Number& a, const Number& b);
Number maximum(Logic& logic, const Number& a, const Number& b);
/// `a` where the condition holds, else 0.
Number only_if(Logic& logic, Bit condition, const Number& a);
/// How many of the bits are set.
Number count(Logic& logic, const std::vector<Bit>& bits);
inline Bit nonzero(Logic& logic, const Number& a) { return !equal(logic, a, 0); }

}  // namespace salvo::sample
