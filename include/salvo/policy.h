// Policy: for each decision of a plan, the option taken.
// In: a solved game (exact::solve) or a rule. Out: what enumerate and the sampling engine play.
#pragma once

#include <memory>

#include "salvo/plan.h"

namespace salvo {

/// A policy for both roles. Cheap to copy; safe to use from several threads at once.
class Policy {
 public:
  class Table;
  Policy() = default;
  explicit Policy(std::shared_ptr<const Table> table) : table_(std::move(table)) {}
  /// The option taken at a decision. `position` is at a Window step of attack `attack` where options are open.
  Option choose(const Plan& plan, int attack, const Position& position) const;
  const Table* table() const { return table_.get(); }

 private:
  std::shared_ptr<const Table> table_;
};

}  // namespace salvo
