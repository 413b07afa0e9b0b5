// Checks a home-made card: whether its file is valid, and whether the card does something. In: a file. Out: the error,
// or the card in words with a dry run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cards/dry_run.h"
#include "cards/words.h"

namespace salvo::cards {

struct CheckedCard {
  std::string file;
  std::string error;  ///< one sentence with file and line; empty for a valid file
  CardWords words;
  std::optional<DryRun> dry_run;
  std::vector<std::string> notes;  ///< what is allowed but probably a mistake
  /// The file is valid, and the card changes something in a scenario.
  bool good() const { return error.empty() && dry_run && !dry_run->changes.empty(); }
};

/// `rules`, `card_set`: of the tokens, faces and ships. Throws LoadError only for broken profiles.
CheckedCard check_card(const Catalogue& catalogue, const std::string& file, const std::string& rules,
                       const std::string& card_set);
/// The same for a card as TOML text; `source` names it in messages.
CheckedCard check_card_text(const Catalogue& catalogue, std::string_view text, const std::string& source,
                            const std::string& rules, const std::string& card_set);

}  // namespace salvo::cards
