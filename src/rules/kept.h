// Kept: questions that were compiled before, for those who ask the same again: a server, a batch, a notebook.
// In: a scenario, and the cards that its ships turned out to have. Out: the same question as if it were compiled anew.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "rules/compile.h"

namespace salvo::rules {

/// What a question depends on, within one edition of one folder of profiles.
struct QuestionKey {
  const Scenario& scenario;          ///< all but where it comes from, which only messages tell
  std::vector<std::uint64_t> cards;  ///< the cards of each ship and of each weapon, by PreparedCard::number; 0: none
  std::uint64_t hash = 0;
};
QuestionKey question_key(const Scenario& scenario, std::vector<std::uint64_t> cards);

/// A bounded number of questions, each from the second time on that it is asked, so that questions asked once cost
/// neither memory nor copies. Any number of threads may use it.
class KeptQuestions {
 public:
  /// The question, or nothing.
  std::shared_ptr<const Question> find(const QuestionKey& key) const;
  /// Keeps the question, if it has been asked before.
  void keep(const QuestionKey& key, const Question& question);

 private:
  struct Entry;
  static constexpr std::size_t kMost = 256;
  static constexpr std::size_t kSeen = 4096;
  mutable std::mutex mutex_;
  std::array<std::shared_ptr<const Entry>, kMost> entries_;  ///< by hash
  std::vector<std::uint32_t> seen_;                          ///< by hash: what else of it was seen last
};

}  // namespace salvo::rules
