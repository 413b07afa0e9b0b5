// Logic steps as machine code, so that values stay in registers. Only for 64-bit x86 with AVX2 or AVX-512; elsewhere
// programs are interpreted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sample/bitsliced/logic_steps.h"

namespace salvo::sample {

/// The instruction set of native code. Avx512Counts: AVX-512 with VPOPCNTDQ, which counts the set bits of a register.
enum class NativeWidth : std::uint8_t { None, Avx2, Avx512, Avx512Counts };

inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// Where values are stored in memory.
struct RowLayout {
  std::vector<std::uint32_t> row;  ///< by gate: the row that its value is read from or written to, or kNoRow
  std::size_t row_bytes = 0;       ///< distance between rows, a multiple of 64
  /// By gate: the total to which its set bits are added, or kNoRow; empty: nothing is counted. Only for Avx512Counts.
  std::vector<std::uint32_t> total;
};

class NativeCode {
 public:
  /// Returns null where native code cannot run: on other processors, or where the system forbids executable memory.
  static std::shared_ptr<const NativeCode> make(const LogicSteps& steps, const RowLayout& layout, NativeWidth width);

  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;
  virtual ~NativeCode() = default;

  /// Computes all rows and adds to the totals, each of which is the sum of eight words. All pointers are aligned to 64
  /// bytes; `scratch` has scratch_bytes() bytes.
  virtual void run(std::uint64_t* rows, std::uint64_t* scratch, std::uint64_t* totals) const = 0;
  virtual std::size_t scratch_bytes() const = 0;
  /// Bytes of machine code.
  virtual std::size_t size() const = 0;

 protected:
  NativeCode() = default;
};

}  // namespace salvo::sample
