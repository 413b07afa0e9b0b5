// A Circuit compiled to instructions on rows, each of which holds one bit of `chunk` trials. Vector kernels interpret
// it a chunk at a time, so that decoding an instruction costs next to nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sample/bitsliced/circuit.h"
#include "sample/bitsliced/gate_op.h"
#include "sample/bitsliced/native_code.h"

namespace salvo::sample {

struct Instruction {
  enum class Kind : std::uint8_t {
    Fill,       ///< random bits of fill `a`
    Single,     ///< d = first(a, b)
    Double,     ///< d = second(first(a, b), c), or with a and c swapped in the second when `swapped`
    Select,     ///< d = b where a is set, else c; the complement of b when `swapped`
    Count,      ///< adds the set bits of row a to count d; `counted`: counting native code does it for whole chunks
    Native,     ///< all logic at once, in native code
    Rejection,  ///< redraws the values of rejection `d` for trials whose bit in row a is set
    Transpose,  ///< transposes rows a to a+31 to one 32-bit word per trial (vector_transpose-inl.h)
  };
  Kind kind = Kind::Single;
  Op first = Op::And, second = Op::And;
  bool swapped = false;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  bool counted = false;
};

/// Rows filled by one call of the generator: planes 4*index to 4*index+3 of Philox, plane `index` of ARS.
struct Fill {
  std::uint32_t index = 0;
  std::array<std::uint32_t, 4> rows{};
};

/// A die whose bits can give a value without a side. Such values are redrawn from Philox with any generator
/// (address.h), so that no side is more likely than another.
struct Rejection {
  std::uint32_t plane = 0;  ///< of the first of the bits
  int sides = 0;
  std::vector<std::uint8_t> result;  ///< by value: the result to write
  std::vector<std::uint32_t> rows;   ///< of its bits, lowest first; at most kMaxRejectionBits
};
inline constexpr std::size_t kMaxRejectionBits = 4;

struct Program {
  std::vector<Instruction> code;
  std::vector<Fill> fills;
  std::vector<Rejection> rejections;
  std::uint32_t rows = 0;
  std::uint32_t chunk = 4096;  ///< trials per row
  std::vector<bool> inverted;  ///< by count: it counts the complement
  std::size_t counts = 0;
  std::shared_ptr<const NativeCode> native;  ///< null: the logic is interpreted
  /// For whole chunks, if the processor can count the bits of a register: counts all bits but those of random planes.
  std::shared_ptr<const NativeCode> counting;
  // xoshiro256++ fills rows 0 to planes-1 at the start of each chunk.
  std::uint32_t main_planes = 0, low_planes = 0;  ///< 0 if no low plane is read
};

inline constexpr std::uint32_t kLargestChunk = 4096;
inline constexpr std::uint32_t kSmallestChunk = 2048;

/// `native`: the instruction set for machine code; None: the program is interpreted.
Program assemble(const Circuit& circuit, const Setup& setup, NativeWidth native);

}  // namespace salvo::sample
