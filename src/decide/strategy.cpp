// Strategies are found by a greedy search over decision lists, each measured on the exact games.
#include "decide/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "answers/answer.h"
#include "base/index.h"
#include "base/parallel.h"
#include "base/stable_sort.h"
#include "decide/strategy_game.h"
#include "decide/strategy_words.h"

namespace salvo::decide {
namespace {

constexpr std::size_t kMaxSituations = 10;
constexpr std::size_t kRefined =
    5;  ///< the number of best rules with one condition, for each limit, that get a second condition
constexpr double kWorthwhile = 0.01;  ///< a rule must recover this share of what greedy play loses
constexpr double kSmallestGain = 1e-9;

using Games = std::vector<StrategyGame>;

double mean_loss(const Games& games, const DecisionList& list, const std::vector<bool>& used) {
  double sum = 0;
  int n = 0;
  for (std::size_t g = 0; g < games.size(); ++g) {
    if (!used[g]) continue;
    sum += games[g].loss(games[g].value(list));
    ++n;
  }
  return n == 0 ? 0.0 : sum / n;
}

/// A list and its loss.
struct Candidate {
  DecisionList list;
  double loss = 0;
};

class ListSearch {
 public:
  ListSearch(const Games& games, std::size_t conditions, std::size_t terms, const StrategyOptions& options,
             std::vector<bool> used)
      : games_(games), terms_(terms), options_(options), used_(std::move(used)) {
    find_conditions(conditions);
  }

  DecisionList find() {
    Candidate best{{}, mean_loss(games_, {}, used_)};
    greedy_loss_ = best.loss;
    while (static_cast<int>(best.list.size()) < options_.max_rules && best.loss > kSmallestGain) {
      const Candidate longer = best_extension(best.list);
      if (!(longer.loss < best.loss - std::max(kSmallestGain, kWorthwhile * greedy_loss_))) break;
      best = longer;
    }
    improve(best);
    drop_useless(best);
    return best.list;
  }

 private:
  /// Conditions that differ between decisions, one of each pattern.
  void find_conditions(std::size_t conditions) {
    conditions_at_ = conditions;
    std::vector<std::vector<bool>> known;
    for (std::size_t c = 0; c < conditions; ++c) {
      std::vector<bool> pattern;
      for (const StrategyGame& game : games_) {
        const std::vector<bool> part = game.pattern(c);
        pattern.insert(pattern.end(), part.begin(), part.end());
      }
      const auto holds = std::count(pattern.begin(), pattern.end(), true);
      if (holds == 0 || holds == static_cast<std::ptrdiff_t>(pattern.size())) continue;
      if (std::find(known.begin(), known.end(), pattern) != known.end()) continue;
      known.push_back(std::move(pattern));
      useful_.push_back(c);
    }
  }

  void measure(std::vector<Candidate>& candidates) {
    base::for_each(candidates.size(), [&](std::size_t i) {
      if (stopped_) {
        candidates[i].loss = HUGE_VAL;
        return;
      }
      candidates[i].loss = mean_loss(games_, candidates[i].list, used_);
      const std::size_t tried = ++tried_;
      if (options_.progress && tried % 64 == 0 && !options_.progress(tried, smallest_)) stopped_ = true;
    });
    for (const Candidate& candidate : candidates) smallest_ = std::min(smallest_, candidate.loss);
  }

  /// `list` with the entry added before its first rule and after its last.
  static void add_at_ends(const DecisionList& list, const ListEntry& entry, std::vector<Candidate>& out) {
    for (const bool front : {true, false}) {
      Candidate candidate{list, 0};
      candidate.list.insert(front ? candidate.list.begin() : candidate.list.end(), entry);
      out.push_back(std::move(candidate));
      if (list.empty()) break;
    }
  }

  /// The best few candidates for each limit, without those that change nothing.
  std::vector<std::size_t> promising(const std::vector<Candidate>& sorted, const DecisionList& before) const {
    const double unchanged = mean_loss(games_, before, used_);
    std::vector<std::size_t> out, taken(terms_);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const DecisionList& list = sorted[i].list;
      const ListEntry& added =
          before.empty() || !std::equal(before.begin(), before.end(), list.begin()) ? list.front() : list.back();
      if (added.conditions.empty() || exact::equal(sorted[i].loss, unchanged)) continue;
      if (taken[added.limit]++ < kRefined) out.push_back(i);
    }
    return out;
  }

  Candidate best_extension(const DecisionList& list) {
    std::vector<Candidate> singles;
    for (std::size_t limit = conditions_at_; limit < terms_; ++limit) {
      add_at_ends(list, {{}, limit}, singles);
      for (const std::size_t c : useful_) add_at_ends(list, {{c}, limit}, singles);
    }
    measure(singles);
    base::stable_sort(singles, [](const auto& a, const auto& b) { return a.loss < b.loss; });
    std::vector<Candidate> pairs;
    for (const std::size_t i : promising(singles, list)) {
      const DecisionList& base = singles[i].list;
      // The new rule is at one of the ends.
      const std::size_t at = list.empty() || !std::equal(list.begin(), list.end(), base.begin()) ? 0 : base.size() - 1;
      for (const std::size_t c : useful_) {
        if (base[at].conditions.empty() || c == base[at].conditions.front()) continue;
        Candidate pair{base, 0};
        pair.list[at].conditions.push_back(c);
        std::sort(pair.list[at].conditions.begin(), pair.list[at].conditions.end());
        const bool known = std::any_of(pairs.begin(), pairs.end(), [&](const auto& x) { return x.list == pair.list; });
        if (!known) pairs.push_back(std::move(pair));
      }
    }
    measure(pairs);
    Candidate best = singles.front();
    for (const Candidate& pair : pairs) {
      if (pair.loss < best.loss - kSmallestGain) best = pair;
    }
    return best;
  }

  /// Tries to replace each rule.
  void improve(Candidate& best) {
    for (std::size_t at = 0; at < best.list.size() && best.list.size() > 1; ++at) {
      std::vector<Candidate> changed;
      for (std::size_t limit = conditions_at_; limit < terms_; ++limit) {
        for (const std::size_t c : useful_) {
          Candidate candidate = best;
          candidate.list[at] = {{c}, limit};
          changed.push_back(candidate);
          candidate.list[at] = best.list[at];
          candidate.list[at].limit = limit;
          if (candidate.list[at].conditions.size() == 2) {
            for (const std::size_t place : {0u, 1u}) {
              Candidate other = candidate;
              if (other.list[at].conditions[1 - place] == c) continue;
              other.list[at].conditions[place] = c;
              changed.push_back(std::move(other));
            }
          }
        }
      }
      measure(changed);
      for (Candidate& candidate : changed) {
        if (candidate.loss < best.loss - kSmallestGain) best = std::move(candidate);
      }
    }
  }

  /// Drops rules and conditions that change nothing.
  void drop_useless(Candidate& best) {
    for (std::size_t at = best.list.size(); at-- > 0;) {
      std::vector<Candidate> shorter{best};
      shorter[0].list.erase(shorter[0].list.begin() + static_cast<std::ptrdiff_t>(at));
      for (std::size_t c = 0; c < best.list[at].conditions.size(); ++c) {
        shorter.push_back(best);
        auto& conditions = shorter.back().list[at].conditions;
        conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(c));
      }
      measure(shorter);
      for (Candidate& candidate : shorter) {
        if (candidate.loss > best.loss + kSmallestGain) continue;
        best = std::move(candidate);
        at = std::min(at, best.list.size());
        break;
      }
    }
  }

  const Games& games_;
  std::size_t conditions_at_ = 0, terms_;
  const StrategyOptions& options_;
  std::vector<bool> used_;
  std::vector<std::size_t> useful_;
  double greedy_loss_ = 0;
  double smallest_ = HUGE_VAL;
  std::atomic<std::size_t> tried_ = 0;
  std::atomic<bool> stopped_ = false;
};

/// The facts of the scenarios that a list for the role could ask about.
class FactFinder {
 public:
  FactFinder(bool attacker, bool mine) { facts_.attacker = attacker, mine_ = mine; }

  void add(const compile::CompiledScenario& compiled) {
    const game::Plan& plan = compiled.plan;
    bool own_known = plan.objective != game::Objective::Damage, opponent_known = own_known;
    for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
      const game::AttackPlan& attack = plan.attacks[k];
      if (attack.engagement) continue;
      const int self = facts_.attacker ? attack.attacker : attack.defender;
      const int opponent = facts_.attacker ? attack.defender : attack.attacker;
      if (base::nth(plan.ships, self).mine != mine_) continue;
      const auto knows = [&](int index) {
        const game::ShipPlan& ship = base::nth(plan.ships, index);
        return ship.health >= 0 && ship.counted_hull == ship.hull;
      };
      own_known = own_known && knows(self);
      opponent_known = opponent_known && knows(opponent);
      int shots = 0, attacks = 0;
      for (std::size_t later = k + 1; later < plan.attacks.size(); ++later) {
        if (plan.attacks[later].engagement) continue;
        shots += plan.attacks[later].defender == self;
        attacks += plan.attacks[later].attacker == self;
      }
      facts_.most_shots = std::max(facts_.most_shots, shots);
      facts_.most_attacks = std::max(facts_.most_attacks, attacks);
      add_tokens(compiled, self, opponent, facts_.own_tokens);
      add_tokens(compiled, opponent, self, facts_.opponent_tokens);
      for (const game::Effect& effect : attack.effects) {
        for (const game::Operation& operation : effect.operations)
          facts_.rerolls = facts_.rerolls || operation.kind == game::Operation::Kind::Reroll;
      }
    }
    facts_.own_health = (first_ || facts_.own_health) && own_known;
    facts_.opponent_health = (first_ || facts_.opponent_health) && opponent_known;
    first_ = false;
  }

  const StrategyFacts& facts() const { return facts_; }

 private:
  static void add_tokens(const compile::CompiledScenario& compiled, int ship, int other, std::set<std::string>& out) {
    for (std::size_t r = 0; r < compiled.plan.resources.size(); ++r) {
      const game::Resource& resource = compiled.plan.resources[r];
      if (resource.ship != ship || !resource.dynamic || resource.rank == game::SpendRank::None) continue;
      if (resource.kind == game::Resource::Kind::Charge) continue;
      if (resource.kind == game::Resource::Kind::Lock && resource.token != other) continue;
      out.insert(compiled.labels.resources[r].name);
    }
  }

  StrategyFacts facts_;
  bool mine_ = false, first_ = true;
};

/// The side that first has the role.
bool first_side(const game::Plan& plan, bool attacker) {
  const game::AttackPlan& attack = plan.attacks[plan.place_of_attack(1)];
  return base::nth(plan.ships, attacker ? attack.attacker : attack.defender).mine;
}

/// A scenario with its overrides, compiled with both roles playing optimally.
struct Member {
  Scenario scenario;
  compile::CompiledScenario plain;
};
using Family = std::vector<Member>;

/// Throws unless all scenarios have the same objective.
void check_unit(const Family& family) {
  const Scenario& first = family.front().scenario;
  for (const auto& [scenario, plain] : family) {
    if (scenario.objective != first.objective) {
      throw ScenarioError("objective", fmt::format("{} asks for {}, but {} for {}; a card is measured in one unit",
                                                   scenario.source, scenario.objective, first.source, first.objective));
    }
  }
}

Family family_of(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const AnswerOptions& options) {
  Family out;
  for (const Scenario& given : scenarios) {
    auto [scenario, compiled] = answers::prepare(catalogue, given, options);
    if (scenario.attacker_policy || scenario.defender_policy) {
      Scenario plain = scenario;
      plain.attacker_rules = plain.defender_rules = nullptr;
      plain.attacker_policy = plain.defender_policy = std::nullopt;
      compiled = compile::compile_scenario(catalogue, plain);
    }
    out.push_back({std::move(scenario), std::move(compiled)});
  }
  check_unit(out);
  return out;
}

double greedy_loss(const Catalogue& catalogue, const Family& family, bool attacker, bool mine,
                   const exact::Budget& budget) {
  double out = 0;
  for (const auto& [scenario, plain] : family) {
    // Greedy play has no vocabulary of rules.
    const StrategyGame game(catalogue, scenario, PolicySpec{}, attacker, mine, budget);
    out += game.loss(game.value({}));
  }
  return out / static_cast<double>(family.size());
}

/// The requested role and side, or those for which greedy play loses most.
void choose_role(const Catalogue& catalogue, const Family& family, const StrategyOptions& options, Strategy& strategy) {
  const auto& [plan, labels] = family.front().plain;
  static_cast<Provenance&>(strategy) = labels;
  const auto side = [&, &first = plan](bool attacker) { return options.mine.value_or(first_side(first, attacker)); };
  strategy.attacker = options.attacker.value_or(false);
  if (!options.attacker) {
    const exact::Budget budget = answers::budget_of(options.answer);
    const double defender = greedy_loss(catalogue, family, false, side(false), budget);
    strategy.attacker = greedy_loss(catalogue, family, true, side(true), budget) > defender;
  }
  strategy.mine = side(strategy.attacker);
  (strategy.attacker ? strategy.attacker_policy : strategy.defender_policy) = "card";
}

void fill_measures(const Games& games, const Family& family, const DecisionList& list, Strategy& strategy) {
  for (std::size_t g = 0; g < games.size(); ++g) {
    const StrategyGame& game = games[g];
    StrategyMeasure measure{.source = family[g].scenario.source, .optimal = game.optimal(), .value = game.value(list)};
    measure.loss = game.loss(measure.value);
    measure.greedy_loss = game.loss(game.value({}));
    strategy.loss += measure.loss / static_cast<double>(games.size());
    strategy.greedy_loss += measure.greedy_loss / static_cast<double>(games.size());
    strategy.measures.push_back(std::move(measure));
    for (StrategySituation& situation : game.situations(list)) strategy.situations.push_back(std::move(situation));
  }
  base::stable_sort(strategy.situations, [](const StrategySituation& a, const StrategySituation& b) {
    return a.probability * a.loss > b.probability * b.loss;
  });
  if (strategy.situations.size() > kMaxSituations) strategy.situations.resize(kMaxSituations);
}

Games make_games(const Catalogue& catalogue, const Family& family, const PolicySpec& vocabulary,
                 const Strategy& strategy, const AnswerOptions& options) {
  Games out;
  for (const auto& [scenario, plain] : family)
    out.emplace_back(catalogue, scenario, vocabulary, strategy.attacker, strategy.mine, answers::budget_of(options));
  return out;
}

}  // namespace

Strategy find_strategy(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                       const StrategyOptions& options) {
  const Family family = family_of(catalogue, scenarios, options.answer);
  Strategy strategy;
  choose_role(catalogue, family, options, strategy);
  FactFinder finder(strategy.attacker, strategy.mine);
  for (const auto& [scenario, plain] : family) finder.add(plain);
  const std::vector<Term> terms = vocabulary(finder.facts());
  const auto conditions = static_cast<std::size_t>(
      std::count_if(terms.begin(), terms.end(), [](const Term& term) { return term.is_condition(); }));
  PolicySpec vocabulary;
  vocabulary.source = "card";
  for (const Term& term : terms) vocabulary.rules.push_back(term.rule);
  const Games games = make_games(catalogue, family, vocabulary, strategy, options.answer);
  if (std::all_of(games.begin(), games.end(), [](const StrategyGame& game) { return game.decisions() == 0; })) {
    throw ScenarioError("attacks", fmt::format("the {} never has anything to decide here; choose the other --role",
                                               strategy.attacker ? "attacker" : "defender"));
  }
  const std::vector<bool> all(games.size(), true);
  DecisionList list = ListSearch(games, conditions, terms.size(), options, all).find();
  if (list.empty()) list.push_back({{}, conditions});  // the first limit is no limit
  strategy.policy = policy_of(terms, list);
  strategy.words = words_of(terms, list);
  fill_measures(games, family, list, strategy);
  for (std::size_t g = 0; g < games.size() && games.size() > 1; ++g) {
    std::vector<bool> others = all;
    others[g] = false;
    const DecisionList without = ListSearch(games, conditions, terms.size(), options, others).find();
    strategy.measures[g].held_out_loss = games[g].loss(games[g].value(without));
  }
  return strategy;
}

Strategy measure_strategy(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const PolicySpec& policy,
                          const StrategyOptions& options) {
  const Family family = family_of(catalogue, scenarios, options.answer);
  Strategy strategy;
  choose_role(catalogue, family, options, strategy);
  strategy.found = false;
  strategy.policy = policy;
  for (const RuleSpec& rule : policy.rules) strategy.words.push_back(words_of(rule));
  strategy.words.push_back(otherwise_words());
  const Games games = make_games(catalogue, family, policy, strategy, options.answer);
  DecisionList list;
  for (std::size_t i = 0; i < policy.rules.size(); ++i) list.push_back({{i}, i});
  fill_measures(games, family, list, strategy);
  return strategy;
}

}  // namespace salvo::decide
