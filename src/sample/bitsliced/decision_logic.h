// Turns a table of decisions into logic. Given examples, each with features and an answer, it finds a bit that equals
// the answer in every example; elsewhere the bit may be anything.
#pragma once

#include <vector>

#include "sample/bitsliced/logic.h"

namespace salvo::sample {

enum class Answer : std::uint8_t { No, Yes, Any };

/// The features that a decision may depend on.
class DecisionLogic {
 public:
  DecisionLogic(Logic& logic, std::size_t examples) : logic_(logic), examples_(examples) {}

  /// `value`: of the feature in each example; `bit`: its logic.
  void add_feature(Bit bit, const std::vector<bool>& value);
  /// Throws UnsupportedByKernel when examples with equal features have different answers.
  Bit learn(const std::vector<Answer>& answers) const;

 private:
  using Words = std::vector<std::uint64_t>;
  struct Feature {
    std::size_t index = 0;  ///< into bits_
    Words value;            ///< by example
  };
  struct Subset {
    std::vector<Feature> features;
    Words yes;
    std::size_t size = 0;
  };
  Bit learn(const Subset& subset) const;

  Logic& logic_;
  std::size_t examples_;
  std::vector<Bit> bits_;
  std::vector<Words> features_;
};

}  // namespace salvo::sample
