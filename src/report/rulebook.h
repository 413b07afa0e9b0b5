// The answers of `salvo rules`: the editions with their documents, or the rules of one.
#pragma once

#include <string>
#include <vector>

#include "load/rulebook.h"

namespace salvo::report {

/// The editions, with their documents and numbers of rules.
struct RuleSummary {
  std::vector<load::Rulebook> books;
};

/// The selected rules of one edition.
struct RuleList {
  load::Rulebook book;
  std::vector<load::RulebookRule> rules;
};

std::string to_json(const RuleSummary& summary);
std::string to_csv(const RuleSummary& summary);
std::string to_table(const RuleSummary& summary, int width, bool colour);

std::string to_json(const RuleList& list);
std::string to_csv(const RuleList& list);
std::string to_table(const RuleList& list, int width, bool colour);

}  // namespace salvo::report
