// `salvo rules`: see rules_command.h.
#include "cli/rules_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/rulebook.h"

namespace salvo::cli {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool matches(const rulebook::Rule& rule, const RulesRequest& request) {
  if (request.left_out && rule.state == rulebook::State::Modelled) return false;
  const std::string text = lower(fmt::format("{} {} {} {} {} {}", rule.id, rule.says, rule.source, rule.why,
                                             rulebook::name_of(rule.state), fmt::join(rule.proof, " ")));
  return std::all_of(request.search.begin(), request.search.end(),
                     [&](const std::string& word) { return text.find(lower(word)) != std::string::npos; });
}

}  // namespace

int rules_command(const RulesRequest& request) {
  end_on_interrupt();
  const Catalogue catalogue(Catalogue::find_profiles());
  const std::vector<std::string> editions = catalogue.edition_ids();
  if (request.edition.empty()) {
    report::RuleSummary summary;
    for (const std::string& id : editions) {
      summary.books.push_back(rulebook::load_book(catalogue, *catalogue.edition(id)));
    }
    write_output(render(summary, request.run));
    return kAnswered;
  }
  const std::string& id = editions[parse_name("EDITION", request.edition, editions)];
  report::RuleList list{rulebook::load_book(catalogue, *catalogue.edition(id)), {}};
  for (const rulebook::Rule& rule : list.book.rules) {
    if (matches(rule, request)) list.rules.push_back(rule);
  }
  write_output(render(list, request.run));
  return kAnswered;
}

}  // namespace salvo::cli
