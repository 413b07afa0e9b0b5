// NativeCode: steps as machine code of the processor at hand, so that values stay in its registers.
// In: LogicSteps and where rows are. Out: a function that plays a chunk. Only for 64-bit x86 with AVX2 or AVX-512;
// elsewhere programs are interpreted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sample/logic_steps.h"

namespace salvo::sample {

/// Bits of the registers that native code uses.
enum class NativeWidth : std::uint16_t { None = 0, Avx2 = 256, Avx512 = 512 };

inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// Where values are outside the registers.
struct RowLayout {
  std::vector<std::uint32_t> row;  ///< by gate, the row that a plane is read from or a value is written to, or kNoRow
  std::size_t row_bytes = 0;       ///< from row to row, a multiple of 64
};

class NativeCode {
 public:
  /// Returns nothing where code cannot be made: another processor, or a system that lets no program make code.
  static std::shared_ptr<const NativeCode> make(const LogicSteps& steps, const RowLayout& layout, NativeWidth width);

  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;
  virtual ~NativeCode() = default;

  /// Computes all rows. Both are aligned to 64 bytes; `scratch` has `scratch_bytes()`.
  virtual void run(std::uint64_t* rows, std::uint64_t* scratch) const = 0;
  virtual std::size_t scratch_bytes() const = 0;
  /// Bytes of machine code.
  virtual std::size_t size() const = 0;

 protected:
  NativeCode() = default;
};

}  // namespace salvo::sample
