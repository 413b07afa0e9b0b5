// Policy: for each decision of a plan, the option taken.
// In: a solved game (exact::solve) or a rule. Out: what enumerate and the sampling engine play.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace salvo::game {

struct Option;
struct Plan;
struct Position;
struct Resources;

/// A policy for both roles. Cheap to copy; safe to use from several threads at once.
class Policy {
 public:
  /// What the options are looked up in: one virtual call a decision. Safe to use from several threads at once.
  class Table {
   public:
    virtual ~Table() = default;
    /// See Policy::decide.
    virtual void decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
                        std::vector<Option>& options) const = 0;
  };

  Policy() = default;
  explicit Policy(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  /// The options taken in one decision, in order: zero or more effects, then either a reroll, after which the player
  /// decides again, or "no more" (effect < 0). `position` is at a Window step of attack `attack` where options are open
  /// and nothing was done in this decision so far; `start` are the resources with which the attack began.
  void decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
              std::vector<Option>& options) const {
    table_->decide(plan, attack, start, position, options);
  }

  const Table* table() const { return table_.get(); }

 private:
  std::shared_ptr<const Table> table_;
};

}  // namespace salvo::game
