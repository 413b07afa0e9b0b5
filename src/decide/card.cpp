// Finding and measuring strategy cards: a greedy search over decision lists, each measured on the exact games; see
// salvo/card.h.
#include "decide/card.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "decide/card_game.h"
#include "decide/card_words.h"

namespace salvo {
namespace {

using decide::CardFacts;
using decide::CardGame;
using decide::DecisionList;
using decide::ListEntry;
using decide::Term;

constexpr std::size_t kMostSituations = 10;
constexpr std::size_t kRefined = 5;   ///< best rules of one condition and each limit that get a second condition
constexpr double kWorthwhile = 0.01;  ///< a rule must win back this share of what greedy play loses
constexpr double kSmallestGain = 1e-9;

using Games = std::vector<CardGame>;

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

/// A list and what it loses.
struct Candidate {
  DecisionList list;
  double loss = 0;
};

class Search {
 public:
  Search(const Games& games, std::size_t conditions, std::size_t terms, const CardOptions& options,
         std::vector<bool> used)
      : games_(games), terms_(terms), options_(options), used_(std::move(used)) {
    find_conditions(conditions);
  }

  DecisionList find() {
    Candidate best{{}, mean_loss(games_, {}, used_)};
    greedy_loss_ = best.loss;
    while (static_cast<int>(best.list.size()) < options_.most_rules && best.loss > kSmallestGain) {
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
      for (const CardGame& game : games_) {
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
    oneapi::tbb::parallel_for(std::size_t{0}, candidates.size(), [&](std::size_t i) {
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

  /// `list` with the entry before its first rule and behind its last.
  static void add_at_ends(const DecisionList& list, const ListEntry& entry, std::vector<Candidate>& out) {
    for (const bool front : {true, false}) {
      Candidate candidate{list, 0};
      candidate.list.insert(front ? candidate.list.begin() : candidate.list.end(), entry);
      out.push_back(std::move(candidate));
      if (list.empty()) break;
    }
  }

  /// The best few of each limit, without those that change nothing.
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
    std::stable_sort(singles.begin(), singles.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
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

  /// Tries to replace one rule after the other.
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

  /// Leaves out rules and conditions that change nothing.
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
  const CardOptions& options_;
  std::vector<bool> used_;
  std::vector<std::size_t> useful_;
  double greedy_loss_ = 0;
  double smallest_ = HUGE_VAL;
  std::atomic<std::size_t> tried_ = 0;
  std::atomic<bool> stopped_ = false;
};

/// What the scenarios have that a list for the role could ask about.
class FactFinder {
 public:
  FactFinder(bool attacker, bool mine) { facts_.attacker = attacker, mine_ = mine; }

  void add(const Question& question) {
    const Plan& plan = question.plan;
    bool own_known = plan.objective != Objective::Damage, foe_known = own_known;
    for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
      const AttackPlan& attack = plan.attacks[k];
      if (attack.engagement) continue;
      const int self = facts_.attacker ? attack.attacker : attack.defender;
      const int foe = facts_.attacker ? attack.defender : attack.attacker;
      if (plan.ships[static_cast<std::size_t>(self)].mine != mine_) continue;
      const auto knows = [&](int index) {
        const ShipPlan& ship = plan.ships[static_cast<std::size_t>(index)];
        return ship.health >= 0 && ship.counted_hull == ship.hull;
      };
      own_known = own_known && knows(self);
      foe_known = foe_known && knows(foe);
      int shots = 0, attacks = 0;
      for (std::size_t later = k + 1; later < plan.attacks.size(); ++later) {
        if (plan.attacks[later].engagement) continue;
        shots += plan.attacks[later].defender == self;
        attacks += plan.attacks[later].attacker == self;
      }
      facts_.most_shots = std::max(facts_.most_shots, shots);
      facts_.most_attacks = std::max(facts_.most_attacks, attacks);
      add_tokens(question, self, foe, facts_.own_tokens);
      add_tokens(question, foe, self, facts_.foe_tokens);
      for (const Effect& effect : attack.effects) {
        for (const Operation& operation : effect.operations)
          facts_.rerolls = facts_.rerolls || operation.kind == Operation::Kind::Reroll;
      }
    }
    facts_.own_health = (first_ || facts_.own_health) && own_known;
    facts_.foe_health = (first_ || facts_.foe_health) && foe_known;
    first_ = false;
  }

  const CardFacts& facts() const { return facts_; }

 private:
  static void add_tokens(const Question& question, int ship, int other, std::set<std::string>& out) {
    for (std::size_t r = 0; r < question.plan.resources.size(); ++r) {
      const Resource& resource = question.plan.resources[r];
      if (resource.ship != ship || !resource.dynamic || resource.rank == SpendRank::None) continue;
      if (resource.kind == Resource::Kind::Charge) continue;
      if (resource.kind == Resource::Kind::Lock && resource.token != other) continue;
      out.insert(question.labels.resources[r]);
    }
  }

  CardFacts facts_;
  bool mine_ = false, first_ = true;
};

/// The side that first has the role.
bool first_side(const Plan& plan, bool attacker) {
  const AttackPlan& attack = plan.attacks[plan.place_of_attack(1)];
  return plan.ships[static_cast<std::size_t>(attacker ? attack.attacker : attack.defender)].mine;
}

Question compile_plain(const Catalogue& catalogue, const Scenario& scenario) {
  Scenario plain = scenario;
  plain.attacker_rules = plain.defender_rules = nullptr;
  plain.attacker_policy.reset();
  plain.defender_policy.reset();
  return compile(catalogue, plain);
}

/// Games in which only greedy play can be measured.
PolicySpec no_rules() { return {}; }

double greedy_loss(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, bool attacker, bool mine,
                   const exact::Budget& budget) {
  double out = 0;
  for (const Scenario& scenario : scenarios) {
    const CardGame game(catalogue, scenario, no_rules(), attacker, mine, budget);
    out += game.loss(game.value({}));
  }
  return out / static_cast<double>(scenarios.size());
}

/// Role and side as asked for, or where greedy play loses most.
void choose_role(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const CardOptions& options,
                 Card& card) {
  const Plan plan = compile_plain(catalogue, scenarios.front()).plan;
  card.labels = compile_plain(catalogue, scenarios.front()).labels;
  const auto side = [&](bool attacker) { return options.mine.value_or(first_side(plan, attacker)); };
  card.attacker = options.attacker.value_or(false);
  if (!options.attacker) {
    const double defender = greedy_loss(catalogue, scenarios, false, side(false), options.budget);
    card.attacker = greedy_loss(catalogue, scenarios, true, side(true), options.budget) > defender;
  }
  card.mine = side(card.attacker);
  (card.attacker ? card.labels.attacker_policy : card.labels.defender_policy) = "card";
}

void check_family(const std::vector<Scenario>& scenarios) {
  for (const Scenario& scenario : scenarios) {
    if (scenario.objective != scenarios.front().objective) {
      throw ScenarioError("objective",
                          fmt::format("{} asks for {}, but {} for {}; a card is measured in one unit", scenario.source,
                                      scenario.objective, scenarios.front().source, scenarios.front().objective));
    }
  }
}

void fill_measures(const Games& games, const std::vector<Scenario>& scenarios, const DecisionList& list, Card& card) {
  for (std::size_t g = 0; g < games.size(); ++g) {
    const CardGame& game = games[g];
    CardMeasure measure{.source = scenarios[g].source, .optimal = game.optimal(), .value = game.value(list)};
    measure.loss = game.loss(measure.value);
    measure.greedy_loss = game.loss(game.value({}));
    card.loss += measure.loss / static_cast<double>(games.size());
    card.greedy_loss += measure.greedy_loss / static_cast<double>(games.size());
    card.measures.push_back(std::move(measure));
    for (CardSituation& situation : game.situations(list)) card.situations.push_back(std::move(situation));
  }
  std::stable_sort(card.situations.begin(), card.situations.end(), [](const CardSituation& a, const CardSituation& b) {
    return a.probability * a.loss > b.probability * b.loss;
  });
  if (card.situations.size() > kMostSituations) card.situations.resize(kMostSituations);
}

Games make_games(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const PolicySpec& vocabulary,
                 const Card& card, const exact::Budget& budget) {
  Games out;
  for (const Scenario& scenario : scenarios)
    out.emplace_back(catalogue, scenario, vocabulary, card.attacker, card.mine, budget);
  return out;
}

}  // namespace

Card find_card(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const CardOptions& options) {
  check_family(scenarios);
  Card card;
  choose_role(catalogue, scenarios, options, card);
  FactFinder finder(card.attacker, card.mine);
  for (const Scenario& scenario : scenarios) finder.add(compile_plain(catalogue, scenario));
  const std::vector<Term> terms = decide::vocabulary(finder.facts());
  const auto conditions = static_cast<std::size_t>(
      std::count_if(terms.begin(), terms.end(), [](const Term& term) { return term.is_condition(); }));
  PolicySpec vocabulary;
  vocabulary.source = "card";
  for (const Term& term : terms) vocabulary.rules.push_back(term.rule);
  const Games games = make_games(catalogue, scenarios, vocabulary, card, options.budget);
  if (std::all_of(games.begin(), games.end(), [](const CardGame& game) { return game.decisions() == 0; })) {
    throw ScenarioError("attacks", fmt::format("the {} never has anything to decide here; choose the other --role",
                                               card.attacker ? "attacker" : "defender"));
  }
  const std::vector<bool> all(games.size(), true);
  DecisionList list = Search(games, conditions, terms.size(), options, all).find();
  if (list.empty()) list.push_back({{}, conditions});  // the first limit is none
  card.policy = decide::policy_of(terms, list);
  card.words = decide::words_of(terms, list);
  fill_measures(games, scenarios, list, card);
  for (std::size_t g = 0; g < games.size() && games.size() > 1; ++g) {
    std::vector<bool> others = all;
    others[g] = false;
    const DecisionList without = Search(games, conditions, terms.size(), options, others).find();
    card.measures[g].held_out_loss = games[g].loss(games[g].value(without));
  }
  return card;
}

Card measure_card(const Catalogue& catalogue, const std::vector<Scenario>& scenarios, const PolicySpec& policy,
                  const CardOptions& options) {
  check_family(scenarios);
  Card card;
  choose_role(catalogue, scenarios, options, card);
  card.found = false;
  card.policy = policy;
  for (const RuleSpec& rule : policy.rules) card.words.push_back(decide::words_of(rule));
  card.words.push_back(decide::otherwise_words());
  const Games games = make_games(catalogue, scenarios, policy, card, options.budget);
  DecisionList list;
  for (std::size_t i = 0; i < policy.rules.size(); ++i) list.push_back({{i}, i});
  fill_measures(games, scenarios, list, card);
  return card;
}

}  // namespace salvo
