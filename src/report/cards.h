// The answers of `salvo cards`: lists, pages, checks, coverage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cards/check.h"
#include "cards/coverage.h"
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

}  // namespace salvo::report
