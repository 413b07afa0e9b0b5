// The dry run of a card: looks for a small scenario in which the card changes something. In: a card. Out: the scenario,
// its answers with and without the card, and the differences.
#pragma once

#include <string>
#include <vector>

#include "load/card_file.h"
#include "salvo/errors.h"
#include "salvo/scenario.h"

namespace salvo::cards {

/// The result of a dry run.
struct DryRun {
  Scenario scenario;  ///< the one in which the card changes something, else the first one tried
  std::string words;  ///< the same in words
  std::vector<std::string>
      command;                   ///< `salvo` arguments that ask the same question; empty if options cannot express it
  double with = 0, without = 0;  ///< values of the objective, which the attacker's side maximises
  std::vector<std::string> changes;  ///< the differences in words; empty: none in any scenario tried
  std::vector<std::string> assumed_facts;
  int tried = 0;  ///< scenarios
};

/// A condition or count reads an unknown name.
struct UnknownName : LoadError {
  UnknownName(const std::string& message, std::string name_, std::string remedy_)
      : LoadError(message), name(std::move(name_)), remedy(std::move(remedy_)) {}
  std::string name, remedy;
};

/// A plain ship carries the card as an upgrade, whatever its kind. `library`: the other cards, and ships. Throws
/// UnknownName, and LoadError for other errors of compiling.
DryRun try_card(const Catalogue& library, const load::CardFile& card, const std::string& rules,
                const std::string& card_set);

}  // namespace salvo::cards
