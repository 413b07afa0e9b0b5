// Runs a Program on the vectors of the processor, for each instruction set that Highway supports.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sample/bitsliced/program.h"
#include "sample/lanes/lane_step.h"

namespace salvo::sample {

/// The memory of a kernel, reused from call to call.
class Workspace {
 public:
  explicit Workspace(const Program& program);

  std::uint64_t* rows() { return aligned(0); }
  std::uint64_t* row(std::uint32_t r) { return rows() + r * stride_; }
  std::size_t stride() const { return stride_; }  ///< words from row to row
  /// Carry-save state of all counts, kCarryVectors vectors each.
  std::uint64_t* carries() { return aligned(rows_words_); }
  static constexpr std::size_t kCarryVectors = 4;
  std::uint64_t* scratch() { return aligned(scratch_word_); }  ///< of native code
  /// Eight words per count, to which native code adds.
  std::uint64_t* totals() { return aligned(totals_word_); }

  // xoshiro256++: the states of both sets, word by word, and the trial at which they continue.
  alignas(64) std::uint64_t states[2][4][8] = {};
  std::uint64_t next_trial = ~std::uint64_t{0};

 private:
  std::uint64_t* aligned(std::size_t word) { return memory_.get() + word; }
  struct Free {
    void operator()(std::uint64_t* p) const;
  };
  std::size_t stride_, rows_words_, scratch_word_, totals_word_;
  std::unique_ptr<std::uint64_t[], Free> memory_;
};

/// Adds the counts of the trials first <= s < last to `counts`.
using VectorKernel = void (*)(const Program& program, Generator generator, std::uint64_t seed, std::uint64_t first,
                              std::uint64_t last, Workspace& workspace, std::uint64_t* counts);

/// Moves `lanes` trials of the lane kernel, a multiple of 64, by `times` steps from `from` on and stores where they
/// arrive in `to`. `words`: 32 bits per trial, as for LaneStep::next. Returns true if all have ended.
using LaneWalk = bool (*)(const LaneStep* tables, const std::uint64_t* words, const LaneStep* from, LaneStep* to,
                          std::size_t lanes, int times);

/// Draws `planes` planes of `trials` trials in registers and returns their exclusive or: the speed of the bare
/// generator, for the benchmark.
using DrawPlanes = std::uint64_t (*)(Generator generator, std::uint64_t seed, std::uint64_t planes,
                                     std::uint64_t trials);

struct Target {
  std::string name;  ///< lower case: "avx2", or "avx2-interpreted" for the same without native code
  VectorKernel play = nullptr;
  NativeWidth native = NativeWidth::None;
  LaneWalk walk = nullptr;
  DrawPlanes draw = nullptr;
};

/// The targets that this processor can run, best first.
const std::vector<Target>& vector_targets();

}  // namespace salvo::sample
