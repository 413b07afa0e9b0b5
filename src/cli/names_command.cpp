// `salvo ships`, `pilots`, `upgrades`, `weapons`: find ships and cards by name.
#include <memory>

#include "base/text.h"
#include "cards/finder.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "report/cards.h"

namespace salvo::cli {
namespace {

struct NamesRequest {
  RunOptions run;  ///< card set and format
  cards::Listed what = cards::Listed::Ships;
  std::string words;
};

int names_command(const NamesRequest& request) {
  end_on_interrupt();
  const Catalogue catalogue;
  const auto& asked = request.run.answer.overrides.cards;
  const std::vector<std::string> sets = asked ? std::vector{*asked} : cards::sets_with_ships(catalogue);
  const cards::FoundList list = cards::find(catalogue, request.what, request.words, sets);
  if (list.rows.empty()) throw UsageError(cards::nothing_found(list));
  write_output(render(list, request.run, report::to_json, report::to_csv, report::to_table));
  return kAnswered;
}

// ---------------------------------------------------------------- command line

DeclaredCommand add_names(CLI::App& top, cards::Listed what, const char* name, const char* does,
                          const std::string& footer) {
  struct Texts : RunTexts {
    std::vector<std::string> words;
  };
  CLI::App& app = add_command(top, name, does, footer);
  const auto texts = std::make_shared<Texts>();
  add_words(app, "WORDS", texts->words, "name, part of it, nickname or id (default: all)");
  add_value(app, "Scenario", "--cards", "SET", texts->cards, "only this card set (default: all of them)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  return {&app, [&app, texts, what] {
            NamesRequest request{common_options(*texts, app), what, base::joined(texts->words, " ")};
            return Task{request.run, [request] { return names_command(request); }};
          }};
}

}  // namespace

DeclaredCommand add_ships(CLI::App& top) {
  return add_names(top, cards::Listed::Ships, "ships", "Find ships by name.",
                   "\nExamples:\n  salvo ships x-wing\n  salvo ships falcon --cards legacy");
}

DeclaredCommand add_pilots(CLI::App& top) {
  return add_names(top, cards::Listed::Pilots, "pilots", "Find pilots by name.",
                   "\nExamples:\n  salvo pilots luke\n  salvo pilots 'Han Solo' --cards first-edition");
}

DeclaredCommand add_upgrades(CLI::App& top) {
  return add_names(top, cards::Listed::Upgrades, "upgrades", "Find upgrades by name.",
                   "\nExamples:\n  salvo upgrades fire-control\n  salvo upgrades FCS");
}

DeclaredCommand add_weapons(CLI::App& top) {
  return add_names(top, cards::Listed::Weapons, "weapons", "Find torpedoes, cannons and the like by name.",
                   "\nExamples:\n  salvo weapons torpedoes\n  salvo weapons --cards first-edition");
}

}  // namespace salvo::cli
