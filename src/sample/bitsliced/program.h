// Program: a Circuit as a list of instructions on rows, each row a bit of `chunk` trials.
// In: the gates that are counted. Out: what the vector kernels interpret, a chunk at a time, so that choosing the
// instruction costs next to nothing.
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
    Count,      ///< adds the number of set bits of row a to count d; `counted`: the counting native code did
    Native,     ///< all logic at once, by the program's native code
    Rejection,  ///< values of rejection `d` are drawn again for the trials whose bit of row a is set
    Transpose,  ///< rows a to a+31 turned over (vector_transpose-inl.h): a word of 32 bits for each trial
  };
  Kind kind = Kind::Single;
  Op first = Op::And, second = Op::And;
  bool swapped = false;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  bool counted = false;
};

/// Rows that one call of the generator fills: planes 4*index to 4*index+3 of Philox, plane `index` of ARS.
struct Fill {
  std::uint32_t index = 0;
  std::array<std::uint32_t, 4> rows{};
};

/// A die whose bits can give a value that no side has. It is drawn again from Philox, whatever the generator
/// (address.h), so that no side is more likely than another.
struct Rejection {
  std::uint32_t plane = 0;  ///< of the first of the bits
  int sides = 0;
  std::vector<std::uint8_t> result;  ///< by value, what is written
  std::vector<std::uint32_t> rows;   ///< of its bits, the lowest first; kMaxRejectionBits at most
};
inline constexpr std::size_t kMaxRejectionBits = 4;

struct Program {
  std::vector<Instruction> code;
  std::vector<Fill> fills;
  std::vector<Rejection> rejections;
  std::uint32_t rows = 0;
  std::uint32_t chunk = 4096;  ///< trials of a row
  std::vector<bool> inverted;  ///< by count: the complement was counted
  std::size_t counts = 0;
  std::shared_ptr<const NativeCode> native;  ///< null: the logic is interpreted
  /// For whole chunks, where the processor counts the bits of a register: counts what is not in a row of random bits.
  std::shared_ptr<const NativeCode> counting;
  // xoshiro256++ fills rows 0 to planes-1 at the start of each chunk.
  std::uint32_t main_planes = 0, low_planes = 0;  ///< low planes only when they are read
};

inline constexpr std::uint32_t kLargestChunk = 4096;
inline constexpr std::uint32_t kSmallestChunk = 2048;

/// `native`: how wide the processor's registers are, for machine code; None: rows are combined one after the other.
Program assemble(const Circuit& circuit, const Setup& setup, NativeWidth native);

}  // namespace salvo::sample
