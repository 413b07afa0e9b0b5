// `salvo rules`: which rules are modelled, and which are not.
#include <fmt/format.h>

#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/rulebook.h"

namespace salvo::cli {
namespace {

struct RulesRequest {
  RunOptions run;       ///< the format
  std::string edition;  ///< empty: a summary of all
  bool left_out = false;
  std::vector<std::string> search;  ///< only rules with all of these words
};

int rules_command(const RulesRequest& request) {
  end_on_interrupt();
  const Catalogue catalogue;
  const std::vector<std::string> editions = catalogue.edition_ids();
  if (request.edition.empty()) {
    report::RuleSummary summary;
    for (const std::string& id : editions) {
      summary.books.push_back(load::load_rulebook(catalogue, *catalogue.edition(id)));
    }
    write_output(render(summary, request.run));
    return kAnswered;
  }
  const std::string& id = editions[parse_name("EDITION", request.edition, editions)];
  report::RuleList list{load::load_rulebook(catalogue, *catalogue.edition(id)), {}};
  list.rules = list.book.select(request.search, request.left_out);
  write_output(render(list, request.run));
  return kAnswered;
}

// ---------------------------------------------------------------- command line

struct RulesTexts : RunTexts {
  std::string edition;
  std::vector<std::string> search;
  bool left_out = false;
};

}  // namespace

DeclaredCommand add_rules(CLI::App& top) {
  CLI::App& app = add_command(top, "rules", "Which rules are modelled, and which are left out.",
                              "\nWithout EDITION, lists the editions and their documents. Each names its place\n"
                              "in them and the test that shows it is modelled.\n\n"
                              "Examples:\n"
                              "  salvo rules second-edition --left-out\n"
                              "  salvo rules second-edition --search reinforce");
  const auto texts = std::make_shared<RulesTexts>();
  add_words(app, "EDITION", texts->edition, "list its rules");
  add_flag(app, "Scenario", "--left-out", texts->left_out, "only rules that are not or only partly modelled");
  add_list(app, "Scenario", "--search", "WORD", texts->search, "only rules with this word; repeatable");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  return {&app, [&app, texts] {
            const RulesRequest request{common_options(*texts, app), texts->edition, texts->left_out, texts->search};
            if (request.edition.empty() && (request.left_out || !request.search.empty())) {
              throw UsageError("--left-out and --search need an edition, as in salvo rules second-edition --left-out");
            }
            return Task{request.run, [request] { return rules_command(request); }};
          }};
}

}  // namespace salvo::cli
