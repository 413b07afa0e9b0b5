// The answers of `salvo cards` (lists, pages, checks, coverage, suspects) and of `salvo ships`, `pilots`, `upgrades`
// and `weapons`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cards/check.h"
#include "cards/coverage.h"
#include "cards/finder.h"
#include "cards/suspects.h"
#include "cards/words.h"

namespace salvo::report {

struct CardsFormat {
  enum class Kind { Table, Json, Csv };
  Kind kind = Kind::Json;
  int width = 80;       ///< of a table, in columns
  bool colour = false;  ///< ANSI colours allowed
};

/// One line for each card.
std::string card_list(const std::vector<cards::CardWords>& cards, const std::string& card_set,
                      const CardsFormat& format);
/// Everything about each card.
std::string card_pages(const std::vector<cards::CardWords>& cards, const std::string& card_set,
                       const CardsFormat& format);
/// The checked files with their dry runs.
std::string checked_cards(const std::vector<cards::CheckedCard>& cards, const CardsFormat& format);
/// Numbers by kind; if `state` is given, also the cards in that state ("all": in any).
std::string coverage(const cards::Coverage& coverage, const std::optional<std::string>& state,
                     const CardsFormat& format);

/// Unchecked suspects and stale entries of the list; `which`: "checked" or "all" suspects instead.
std::string suspects(const cards::Suspects& suspects, const std::optional<std::string>& which,
                     const CardsFormat& format);

std::string to_json(const cards::FoundList& list);
std::string to_csv(const cards::FoundList& list);
std::string to_table(const cards::FoundList& list, int width, bool colour);

}  // namespace salvo::report
