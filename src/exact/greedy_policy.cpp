// A policy that solves each attack alone when a position in it first occurs.
#include <fmt/format.h>

#include <array>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>

#include "exact/exact.h"
#include "game/play.h"

namespace salvo::exact {
namespace {

/// Attack `attack` as the only one of a plan that begins with `start`. Roles that do not play by rules play it
/// optimally against an optimal opponent.
game::Plan single_attack(const game::Plan& plan, std::size_t attack, const game::Resources& start) {
  game::Plan out = plan;
  out.attacks = {plan.attacks[attack]};
  out.attacks[0].readable = out.attacks[0].reads;
  out.start = start;
  const bool rules = plan.attacker_policy == game::PolicyKind::Rules || plan.defender_policy == game::PolicyKind::Rules;
  for (game::PolicyKind* policy : {&out.attacker_policy, &out.defender_policy}) {
    if (*policy != game::PolicyKind::Rules) *policy = rules ? game::PolicyKind::Greedy : game::PolicyKind::Optimal;
  }
  for (game::Resource& r : out.resources) r.initial = start.get(r);
  return out;
}

/// Solutions of single attacks by the resources with which they begin. Greedy, Hold and Rules need no more than the
/// current attack.
class LazyPolicy final : public game::Policy::Table {
 public:
  LazyPolicy(const game::Plan& plan, const Budget& budget) : budget_(budget), attacks_(plan.attacks.size()) {
    for (std::size_t k = 0; k < plan.attacks.size(); ++k) singles_.push_back(single_attack(plan, k, plan.start));
  }
  void decide(const game::Plan& plan, std::size_t attack, const game::Resources& start, const game::Position& position,
              std::vector<game::Option>& options) const override;

 private:
  using Solved = std::shared_ptr<const game::Policy>;
  Solved solved(const game::Plan& plan, std::size_t attack, const game::Resources& start) const;
  Solution solve_single(const game::Plan& plan, std::size_t attack, const game::Resources& start) const;
  void clear() const;

  /// Bounds of the cache, in solutions and in transitions: long sequences begin attacks in ever new states. A full
  /// cache is cleared; solving an attack again gives the same choices.
  static constexpr std::size_t kMaxSolutions = 1 << 12;
  static constexpr std::size_t kMaxEdges = std::size_t{1} << (sizeof(void*) > 4 ? 25 : 22);

  Budget budget_;
  std::vector<game::Plan> singles_;  ///< each attack as a plan
  mutable std::shared_mutex mutex_;
  mutable std::size_t solutions_ = 0, edges_ = 0;
  mutable std::vector<std::map<std::array<std::uint64_t, 2>, Solved>> attacks_;  ///< by start
};

void LazyPolicy::clear() const {
  for (auto& starts : attacks_) starts.clear();
  solutions_ = edges_ = 0;
}

Solution LazyPolicy::solve_single(const game::Plan& plan, std::size_t attack, const game::Resources& start) const {
  const game::Plan single = single_attack(plan, attack, start);
  try {
    return solve(single, budget_);
  } catch (const NoMemory&) {
    const std::unique_lock lock(mutex_);
    clear();
  } catch (const PlanTooLarge&) {
    throw PlanTooLarge(fmt::format("attack {} alone needs more than {:.3g} transitions, and greedy play solves "
                                   "it; raise the budget, leave the damage deck or cards out, or let both hold",
                                   attack + 1, budget_.edges),
                       budget_.edges, budget_.edges, static_cast<int>(attack));
  }
  return solve(single, budget_);  // with the memory of the cache released
}

LazyPolicy::Solved LazyPolicy::solved(const game::Plan& plan, std::size_t attack, const game::Resources& start) const {
  {
    const std::shared_lock lock(mutex_);
    const auto known = attacks_[attack].find(start.words);
    if (known != attacks_[attack].end()) return known->second;
  }
  const Solution solution = solve_single(plan, attack, start);
  auto out = std::make_shared<const game::Policy>(solution.policy);
  const std::unique_lock lock(mutex_);
  if (solutions_ >= kMaxSolutions || edges_ >= kMaxEdges) clear();
  const auto [at, is_new] = attacks_[attack].try_emplace(start.words, std::move(out));
  if (is_new) {
    ++solutions_;
    edges_ += solution.edges;
  }
  return at->second;
}

void LazyPolicy::decide(const game::Plan& plan, std::size_t attack, const game::Resources& start,
                        const game::Position& position, std::vector<game::Option>& options) const {
  const game::AttackPlan& attack_plan = plan.attacks[attack];
  const bool attacker = attack_plan.steps[position.step].attacker_decides;
  if ((attacker ? plan.attacker_policy : plan.defender_policy) == game::PolicyKind::Hold) {
    game::legal_options(plan, attack_plan, position, options);
    options.resize(1);  // "no more", or a forced option
    return;
  }
  const game::Resources begin = start.masked(attack_plan.reads);
  const Solved policy = solved(plan, attack, begin);
  game::Position here = position;
  here.resources = position.resources.masked(attack_plan.reads);
  policy->decide(singles_[attack], 0, begin, here, options);
}

}  // namespace

game::Policy greedy_policy(const game::Plan& plan, const Budget& budget) {
  if (plan.attacker_policy == game::PolicyKind::Optimal || plan.defender_policy == game::PolicyKind::Optimal) {
    throw std::logic_error("greedy_policy needs both roles to play greedy, hold or rules");
  }
  return game::Policy(std::make_shared<const LazyPolicy>(plan, budget));
}

}  // namespace salvo::exact
