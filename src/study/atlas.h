// Atlas: the squad reports of everything that a card set has.
// In: a card set, and squads. Out: pages, each of which squad_report() answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/squad.h"

namespace salvo::study {

/// One page: a ship without pilot, a pilot on all ships that he flies, or a squad.
struct AtlasPage {
  std::string kind;  ///< "ship", "pilot" or "squad"
  std::string id;    ///< XWS id; of a squad what it is called
  Squad squad;
};

/// A squad for an atlas, and what its page is called.
struct AtlasSquad {
  std::string id;
  Squad squad;
};

/// The pages of a card set, the ships first, then the pilots, both by id, then the squads as given. `cards`, `rules`:
/// empty: the usual ones. Throws LoadError: there is no such card set, or two squads are called the same.
std::vector<AtlasPage> atlas_pages(const Catalogue& catalogue, const std::optional<std::string>& cards,
                                   const std::optional<std::string>& rules, const std::vector<AtlasSquad>& squads);

}  // namespace salvo::study
