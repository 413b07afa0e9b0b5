// Jumps between the steps of an attack. The recorder visits each step once for all trials; trials that jump forward
// skip the steps between, and a section that some trials jump back to is recorded again.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sample/bitsliced/decisions.h"
#include "sample/bitsliced/symbolic_position.h"

namespace salvo::sample {

class StepFlow {
 public:
  StepFlow(Logic& logic, SymbolicPosition& at) : logic_(logic), at_(at) {}

  void begin_attack();
  /// Trials that jumped to the current step resume here. Once no jump is pending, every trial is active again.
  void resume();
  /// Trials where the condition holds jump to another step.
  void jump(Bit condition, int step);
  /// After the last step that can jump backward, moves to just before the section to record again; trials that did not
  /// jump wait at its end.
  void loop_back();
  /// Whether a decision can occur now: each loop back to a step used another of the step's effects.
  bool reachable(const Decision& decision) const;

 private:
  std::ptrdiff_t last_jump_to(std::size_t step) const;
  std::uint32_t jumping_effects(std::size_t step) const;

  Logic& logic_;
  SymbolicPosition& at_;
  std::vector<Bit> pending_;          ///< by step: the trials that jumped to it
  std::map<std::size_t, int> loops_;  ///< by step: how often its section was recorded again
};

}  // namespace salvo::sample
