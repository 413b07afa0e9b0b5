// `salvo cards`: see cards_command.h.
#include "cli/cards_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cards/check.h"
#include "cards/coverage.h"
#include "cards/words.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "load/catalogue.h"
#include "load/load.h"
#include "report/cards.h"

namespace salvo::cli {
namespace {

using cards::CardWords;

/// Which form the output has, and for a table how wide and whether in colour.
report::CardsFormat format_of(const CardsOptions& options) {
  const Format chosen = chosen_format(options.format);
  report::CardsFormat out;
  out.kind = chosen == Format::Table  ? report::CardsFormat::Kind::Table
             : chosen == Format::Json ? report::CardsFormat::Kind::Json
                                      : report::CardsFormat::Kind::Csv;
  out.width = terminal_width(Stream::Output);
  out.colour = colour_wanted(Stream::Output);
  return out;
}

std::string set_of(const Catalogue& catalogue, const CardsOptions& options) {
  return catalogue.card_set(options.set.value_or(""), options.rules);
}

/// The card of the library in words; its file is told from the profiles folder on.
CardWords words_of(const Catalogue& catalogue, const load::CardPlace& place) {
  CardWords words =
      cards::describe_card(load::read_card_file(place.path.string(), catalogue.facts()), catalogue.facts());
  words.file = place.path.lexically_relative(catalogue.root()).generic_string();
  return words;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether all words occur in what the list or the page of the card says, whatever their case.
bool matches(const CardWords& card, const std::vector<std::string>& words) {
  std::string text = card.id + " " + card.kind + " " + card.summary();
  for (const auto& effect : card.effects) text += " " + effect.text;
  for (const auto& fact : card.facts) text += " " + fact.name + " " + fact.meaning;
  for (const auto* list : {&card.omits, &card.partly}) text += fmt::format(" {}", fmt::join(*list, " "));
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return std::all_of(words.begin(), words.end(), [&](std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), lower);
    return text.find(word) != std::string::npos;
  });
}

int list(const Catalogue& catalogue, const CardsOptions& options) {
  std::vector<CardWords> cards;
  for (const load::CardPlace& place : load::library_cards(catalogue.root(), set_of(catalogue, options))) {
    if (options.kind && place.kind != *options.kind) continue;
    CardWords words = words_of(catalogue, place);
    if (options.partly && words.partly.empty()) continue;
    if (matches(words, options.search)) cards.push_back(std::move(words));
  }
  write_output(report::card_list(cards, set_of(catalogue, options), format_of(options)));
  return kAnswered;
}

/// Why there is no card to show: it has no file, or it is not known at all.
[[noreturn]] void fail_unknown_card(const Catalogue& catalogue, const CardsOptions& options,
                                    const std::vector<load::CardPlace>& places) {
  const std::string set = set_of(catalogue, options);
  const auto wanted = [&](const char* kind) { return !options.kind || *options.kind == kind; };
  for (const auto& [kind, exists] : {std::pair("upgrade", catalogue.upgrade_exists(options.id, set)),
                                     std::pair("pilot", !catalogue.ships_of_pilot(options.id, set).empty())}) {
    if (exists && wanted(kind)) {
      throw UsageError(fmt::format("the {} {} is known but not modelled; \"Add a card\" in CONTRIBUTING.md tells how",
                                   kind, options.id));
    }
  }
  std::vector<std::string> names;
  for (const load::CardPlace& place : places) {
    if (wanted(place.kind.c_str())) names.push_back(place.id);
  }
  std::string near = did_you_mean(options.id, names);
  if (near.empty()) {
    if (wanted("upgrade")) names = catalogue.upgrade_ids(set);
    if (wanted("pilot")) {
      for (std::string& id : catalogue.pilot_ids(set)) names.push_back(std::move(id));
    }
    near = did_you_mean(options.id, names);
  }
  const std::string what = options.kind ? *options.kind : "card";
  throw UsageError(fmt::format("no {} {} in the card set {}{}", what, in_quotes(options.id), set,
                               near.empty() ? "; salvo cards list tells what there is" : near));
}

int show(const Catalogue& catalogue, const CardsOptions& options) {
  const std::vector<load::CardPlace> places = load::library_cards(catalogue.root(), set_of(catalogue, options));
  std::vector<CardWords> cards;
  for (const load::CardPlace& place : places) {
    if (place.id != options.id || (options.kind && place.kind != *options.kind)) continue;
    cards.push_back(words_of(catalogue, place));
  }
  if (cards.empty()) fail_unknown_card(catalogue, options, places);
  write_output(report::card_pages(cards, set_of(catalogue, options), format_of(options)));
  return kAnswered;
}

int check(const Catalogue& catalogue, const CardsOptions& options) {
  const std::vector<std::string> editions = catalogue.edition_ids();
  parse_name("--rules", options.rules, editions);
  Progress progress(options.progress && is_terminal(Stream::Error), {"checking", "cards"});
  progress.start();
  std::vector<cards::CheckedCard> checked;
  for (const std::string& file : options.files) {
    checked.push_back(cards::check_card(catalogue, file, options.rules, set_of(catalogue, options)));
    progress.tell(checked.size(), options.files.size());
  }
  progress.erase();
  write_output(report::checked_cards(checked, format_of(options)));
  for (const cards::CheckedCard& card : checked) {
    if (!card.error.empty()) fmt::print(stderr, "salvo: {}\n", card.error);
  }
  const bool good = std::all_of(checked.begin(), checked.end(), [](const auto& card) { return card.good(); });
  return good ? kAnswered : kWrongQuestion;
}

int coverage(const Catalogue& catalogue, const CardsOptions& options) {
  const load::CardData data = load::read_card_data(options.folder);
  const std::string set = options.set.value_or(cards::set_of_data(catalogue, data));
  if (data.first_edition != (set == "first-edition")) {
    throw UsageError(fmt::format("--set: {} is not the set of {}, which has the layout of {}-edition data", set,
                                 in_quotes(options.folder), data.first_edition ? "first" : "second"));
  }
  cards::Coverage covered = cards::cover(catalogue, data, set);
  if (options.kind) {
    std::erase_if(covered.cards, [&](const cards::CoveredCard& card) { return card.kind != *options.kind; });
  }
  write_output(report::coverage(covered, options.state, format_of(options)));
  return kAnswered;
}

}  // namespace

int cards_command(const CardsOptions& options) {
  end_on_interrupt();
  const Catalogue catalogue(Catalogue::find_profiles());
  switch (options.action) {
    case CardsOptions::Action::List:
      return list(catalogue, options);
    case CardsOptions::Action::Show:
      return show(catalogue, options);
    case CardsOptions::Action::Check:
      return check(catalogue, options);
    case CardsOptions::Action::Coverage:
      return coverage(catalogue, options);
  }
  return kOurFault;
}

}  // namespace salvo::cli
