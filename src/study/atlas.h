// The atlas: squad reports of everything in a card set. In: a card set, and squads. Out: pages, each answered by
// squad_report().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/catalogue.h"
#include "salvo/squad.h"

namespace salvo::study {

/// One page: a ship without a pilot, a pilot on all ships that it flies, or a squad.
struct AtlasPage {
  std::string kind;  ///< "ship", "pilot" or "squad"
  std::string id;    ///< XWS id; for a squad its name
  Squad squad;
};

/// A squad for an atlas, and the name of its page.
struct AtlasSquad {
  std::string id;
  Squad squad;
};

/// The pages of a card set: ships, then pilots, both by id, then the squads in the given order. Empty `cards` and
/// `rules` mean the defaults. Throws LoadError if there is no such card set, or if two squads share a name.
std::vector<AtlasPage> atlas_pages(const Catalogue& catalogue, const std::optional<std::string>& cards,
                                   const std::optional<std::string>& rules, const std::vector<AtlasSquad>& squads);

}  // namespace salvo::study
