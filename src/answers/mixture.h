// Answers to scenarios with chances (docs/format.md: Chances). In: a scenario with unknowns. Out: the answers to its
// cases, one for each combination of values, weighted by their probabilities.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "answers/answer_cache.h"
#include "load/chances.h"
#include "salvo/scenario.h"

namespace salvo::answers {

inline constexpr std::size_t kMaxCases = 1000;

/// The cases of a scenario: its unknowns are independent of each other.
class Cases {
 public:
  /// Throws LoadError for probabilities that do not sum to 1, and for more than kMaxCases.
  explicit Cases(const Scenario& scenario);

  std::size_t size() const { return size_; }
  /// The scenario with the values of a case, without unknowns.
  Scenario scenario(std::size_t number) const;
  double weight(std::size_t number) const;
  /// The unknowns with their probabilities, and how they are weighted.
  std::string note() const;

 private:
  template <typename Visit>
  void each_value(std::size_t number, const Visit& visit) const;

  const Scenario& scenario_;
  std::vector<load::PlacedUnknown> unknowns_;
  std::size_t size_ = 1;
};

/// The weighted answer to a scenario with unknowns. Sampled cases share the trials in proportion to their weights and
/// have independent random numbers. Throws as answer() does.
SharedAnswer answer_cases(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options);

}  // namespace salvo::answers
