// `salvo rules` in print: editions with their documents, or the rules of one.
// In: rulebooks. Out: a table for people, JSON or CSV for programs.
#pragma once

#include <string>
#include <vector>

#include "load/rulebook.h"

namespace salvo::report {

/// The editions, with their documents and the numbers of rules.
struct RuleSummary {
  std::vector<load::Book> books;
};

/// The rules of one edition, as far as they were asked for.
struct RuleList {
  load::Book book;
  std::vector<load::Rule> rules;
};

std::string to_json(const RuleSummary& summary);
std::string to_csv(const RuleSummary& summary);
std::string to_table(const RuleSummary& summary, int width, bool colour);

std::string to_json(const RuleList& list);
std::string to_csv(const RuleList& list);
std::string to_table(const RuleList& list, int width, bool colour);

}  // namespace salvo::report
