// Enumerates all chance outcomes of a piece of a battle by playing it again and again.
#pragma once

#include <vector>

#include "battle/game.h"

namespace salvo::battle {

/// The Chance of the exact engines (rules.h). While more(), play the piece; chance() is then the probability of this
/// outcome.
class ChanceEnumerator {
 public:
  explicit ChanceEnumerator(EvaluationTables& evaluations) : evaluations_(evaluations) {}
  EvaluationTables& evaluations() { return evaluations_; }
  /// Goes to the next outcome; false after the last one. Call it before each.
  bool more() {
    if (!begun_) return begun_ = true;
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    at_ = 0;
    chance_ = 1;
    return true;
  }
  double chance() const { return chance_; }

  bool percent(int /*slot*/, int of_hundred) {
    if (of_hundred <= 0 || of_hundred >= 100) return of_hundred > 0;
    const bool yes = next(2) == 1;
    chance_ *= (yes ? of_hundred : 100 - of_hundred) / 100.0;
    return yes;
  }
  std::size_t pick(int /*slot*/, const GeometryDistribution& cases) {
    const std::size_t i = next(cases.list.size());
    chance_ *= cases.chance[i];
    return i;
  }
  Outcome attack(int /*slot*/, const AttackKey& /*key*/, const Outcomes& outcomes) {
    const std::size_t i = next(outcomes.list.size());
    chance_ *= outcomes.chance[i];
    return outcomes.list[i];
  }

 private:
  struct Point {
    std::size_t chosen = 0, count = 0;
  };
  std::size_t next(std::size_t count) {
    if (at_ == path_.size()) path_.push_back({0, count});
    return path_[at_++].chosen;
  }
  EvaluationTables& evaluations_;
  std::vector<Point> path_;
  std::size_t at_ = 0;
  double chance_ = 1;
  bool begun_ = false;
};

}  // namespace salvo::battle
