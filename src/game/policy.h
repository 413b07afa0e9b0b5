// A policy: the option taken at each decision of a plan. Engines produce it by solving, or it follows a rule.
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
  /// The lookup of decisions: one virtual call per decision. Safe to use from several threads at once.
  class Table {
   public:
    virtual ~Table() = default;
    virtual void decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
                        std::vector<Option>& options) const = 0;
  };

  Policy() = default;
  explicit Policy(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  /// The options taken in one decision, in order: any number of effects, then either a reroll, after which the player
  /// decides again, or a pass (effect < 0). `position` is at a Window step of attack `attack` with open options, before
  /// anything was done in this decision. `start`: the resources at the beginning of the attack.
  void decide(const Plan& plan, std::size_t attack, const Resources& start, const Position& position,
              std::vector<Option>& options) const {
    table_->decide(plan, attack, start, position, options);
  }

  const Table* table() const { return table_.get(); }

 private:
  std::shared_ptr<const Table> table_;
};

}  // namespace salvo::game
