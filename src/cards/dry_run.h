// A dry run of a card: a small scenario in which it changes something, solved with and without it.
// In: a card. Out: the scenario, both answers, and what differs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/card_file.h"
#include "salvo/errors.h"
#include "salvo/scenario.h"

namespace salvo::cards {

/// What the dry run found.
struct DryRun {
  Scenario scenario;                 ///< the one in which the card changes something, else the first one tried
  std::string words;                 ///< the same in words
  std::vector<std::string> command;  ///< arguments of `salvo` for the same question; empty where flags cannot say it
  double with = 0, without = 0;      ///< values of the objective, the attacker's side maximising
  std::vector<std::string> changes;  ///< what differs, in words; empty: nothing in any scenario tried
  std::vector<std::string> assumed_facts;
  int tried = 0;  ///< scenarios
};

/// A condition or count reads a name that nobody knows.
struct UnknownName : LoadError {
  UnknownName(const std::string& message, std::string name_, std::string remedy_)
      : LoadError(message), name(std::move(name_)), remedy(std::move(remedy_)) {}
  std::string name, remedy;
};

/// Throws UnknownName, and LoadError for what else compile finds wrong.
/// The card is carried by a plain ship as if it were an upgrade, whatever its kind. `library`: the other cards,
/// and ships.
DryRun try_card(const Catalogue& library, const load::CardFile& card, const std::string& rules,
                const std::string& card_set);

}  // namespace salvo::cards
