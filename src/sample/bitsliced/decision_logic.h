// DecisionLogic: a table of decisions as logic. In: examples, each with what is known where it applies and the answer
// there. Out: a bit that is the answer for every example; for what is no example it may be anything.
#pragma once

#include <string>
#include <vector>

#include "sample/bitsliced/logic.h"

namespace salvo::sample {

enum class Answer : std::uint8_t { No, Yes, Any };

/// Features of the examples that a decision may be read from.
class DecisionLogic {
 public:
  DecisionLogic(Logic& logic, std::size_t examples) : logic_(logic), examples_(examples) {}

  /// `value` of the feature in each example; `bit` is its logic.
  void add_feature(Bit bit, const std::vector<bool>& value);
  /// Throws UnsupportedByKernel when examples with the same features have different answers.
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
