#include "decide/strategy_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "decide/words.h"

namespace salvo::decide {
namespace {

constexpr int kNoLimit = 99;

class Vocabulary {
 public:
  explicit Vocabulary(const StrategyFacts& facts) : facts_(facts) {}

  std::vector<Term> build() {
    time();
    facts_.attacker ? attack_dice() : defense_dice();
    health();
    tokens();
    limits();
    return std::move(terms_);
  }

 private:
  void condition(std::string when, std::string words) {
    RuleSpec rule;
    rule.when = std::move(when);
    terms_.push_back({std::move(rule), std::move(words)});
  }

  void limit(RuleSpec rule, std::string words) { terms_.push_back({std::move(rule), std::move(words)}); }

  void time() {
    for (int n = 1; n <= std::min(3, facts_.most_shots); ++n) {
      condition(fmt::format("shots_to_come >= {}", n),
                n == 1 ? "a shot at this ship still to come" : fmt::format("{} or more shots still to come", n));
    }
    if (facts_.most_shots > 0) condition("shots_to_come == 0", "no more shots at this ship to come");
    if (facts_.most_attacks > 0) {
      condition("own_attacks_to_come >= 1", "an attack of its own still to come");
      condition("own_attacks_to_come == 0", "no attack of its own to come");
    }
    if (facts_.attacker) {
      condition("attacks_to_come >= 1", "another attack to come");
      condition("attacks_to_come >= 2", "2 or more attacks to come");
    }
  }

  void at_least(const char* fact, int n, const std::string& what) {
    condition(fmt::format("{} >= {}", fact, n), fmt::format("{} or more {}", n, what));
  }
  void at_most(const char* fact, int n, const std::string& what) {
    condition(fmt::format("{} <= {}", fact, n),
              n == 0 ? "no " + what : fmt::format("at most {} {}", n, n == 1 ? what.substr(0, what.size() - 1) : what));
  }

  void defense_dice() {
    for (int n = 1; n <= 3; ++n) at_most("net_hits", n, "net hits");
    for (int n = 2; n <= 4; ++n) at_least("net_hits", n, "net hits");
    at_most("focuses", 1, "focus results");
    at_least("focuses", 2, "focus results");
    at_most("focuses", 0, "focus results");
    at_least("blanks", 1, "blanks");
    at_least("blanks", 2, "blanks");
    condition("focuses + blanks < net_hits", "more net hits than dice that could be changed");
  }

  void attack_dice() {
    for (int n = 0; n <= 2; ++n) at_most("hits", n, "hits and crits");
    for (int n = 2; n <= 4; ++n) at_least("hits", n, "hits and crits");
    at_most("focuses", 0, "focus results");
    at_most("focuses", 1, "focus results");
    at_least("focuses", 2, "focus results");
    at_most("blanks", 0, "blanks");
    at_most("blanks", 1, "blanks");
    at_least("blanks", 1, "blanks");
    at_least("blanks", 2, "blanks");
  }

  void health() {
    for (int n = 1; n <= 3 && facts_.own_health; ++n)
      condition(fmt::format("self.health <= {}", n), fmt::format("{} hull or less left", n));
    if (facts_.own_health && !facts_.attacker) {
      condition("net_hits >= self.health", "enough net hits to be destroyed");
      condition("net_hits < self.health", "not enough net hits to be destroyed");
    }
    for (int n = 1; n <= 3 && facts_.opponent_health && facts_.attacker; ++n)
      condition(fmt::format("foe.health <= {}", n), fmt::format("a target with {} hull or less left", n));
    if (facts_.opponent_health && facts_.attacker) {
      condition("hits >= foe.health", "enough hits to destroy the target");
      condition("hits < foe.health", "too few hits to destroy the target");
    }
  }

  void tokens() {
    for (const std::string& token : facts_.own_tokens) {
      condition(fmt::format("self.{} >= 1", token), fmt::format("{} at hand", token));
      condition(fmt::format("self.{} == 0", token), fmt::format("no {} at hand", token));
      if (token != "lock") condition(fmt::format("self.{} >= 2", token), fmt::format("2 or more {} at hand", token));
    }
    condition("self.tokens >= 2", "2 or more tokens at hand");
    condition("self.tokens == 1", "only one token at hand");
    for (const std::string& token : facts_.opponent_tokens)
      condition(fmt::format("foe.{} >= 1", token), fmt::format("a foe with {}", token));
    if (!facts_.opponent_tokens.empty()) condition("foe.tokens == 0", "a foe without tokens");
  }

  void limits() {
    RuleSpec rule;
    rule.spend = kNoLimit;
    limit(rule, "do what is best for this attack alone");
    if (facts_.attacker) {
      RuleSpec press;
      press.unanswered = true;
      limit(press, "make the most hits, as if the foe spent nothing");
      for (const std::string& token : facts_.own_tokens) {
        press.tokens = {{token, 0}};
        limit(press, fmt::format("keep {}{} and make the most hits", token == "lock" ? "the " : "", token));
      }
    }
    rule.spend = 0;
    limit(rule, "spend nothing");
    rule.spend = 1;
    limit(rule, "spend at most one token");
    rule.spend = 2;
    limit(rule, "spend at most two tokens");
    for (const std::string& token : facts_.own_tokens) {
      RuleSpec unspent;
      unspent.tokens[token] = 0;
      limit(unspent, fmt::format("keep {}{}", token == "lock" ? "the " : "", token));
    }
    if (!facts_.attacker || !facts_.rerolls) return;
    RuleSpec blanks;
    blanks.reroll = {"blank"};
    limit(blanks, "reroll blanks only");
    RuleSpec misses;
    misses.reroll = {"blank", "focus"};
    limit(misses, "reroll blanks and focus results only");
  }

  const StrategyFacts& facts_;
  std::vector<Term> terms_;
};

}  // namespace

std::vector<Term> vocabulary(const StrategyFacts& facts) { return Vocabulary(facts).build(); }

PolicySpec policy_of(const std::vector<Term>& terms, const DecisionList& list) {
  PolicySpec out;
  for (const ListEntry& entry : list) {
    RuleSpec rule = terms[entry.limit].rule;
    for (const std::size_t c : entry.conditions) rule.when += (rule.when.empty() ? "" : " and ") + terms[c].rule.when;
    out.rules.push_back(std::move(rule));
  }
  return out;
}

std::vector<std::string> words_of(const std::vector<Term>& terms, const DecisionList& list) {
  std::vector<std::string> out;
  for (const ListEntry& entry : list) {
    std::vector<std::string> conditions;
    for (const std::size_t c : entry.conditions) conditions.push_back(terms[c].words);
    out.push_back(conditions.empty()
                      ? terms[entry.limit].words
                      : fmt::format("with {}: {}", base::enumerated(conditions), terms[entry.limit].words));
  }
  out.push_back(otherwise_words());
  return out;
}

std::string words_of(const RuleSpec& rule) {
  std::vector<std::string> limits;
  if (rule.spend) {
    limits.push_back(*rule.spend == 0          ? "spend nothing"
                     : *rule.spend >= kNoLimit ? "do what is best for this attack alone"
                                               : fmt::format("spend at most {}", *rule.spend));
  }
  for (const auto& [token, most] : rule.tokens)
    limits.push_back(most == 0 ? "keep " + token : fmt::format("spend at most {} {}", most, token));
  if (rule.reroll) {
    limits.push_back(rule.reroll->empty() ? "reroll nothing"
                                          : fmt::format("reroll {} only", base::joined(*rule.reroll, ", ")));
  }
  if (rule.unanswered) limits.emplace_back("play as if the foe spent nothing");
  if (rule.rerolls) limits.push_back(fmt::format("reroll at most {}", *rule.rerolls));
  const std::string what = base::enumerated(limits);
  return rule.when.empty() ? what : fmt::format("if {}: {}", rule.when, what);
}

std::string otherwise_words() { return "otherwise: do what is best for this attack alone"; }

}  // namespace salvo::decide
