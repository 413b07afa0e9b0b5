// The atlas as static JSON: a file a page, and an index of them (docs/atlas.md).
// In: pages with their reports. Out: text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/failure.h"
#include "salvo/squad_report.h"
#include "study/atlas.h"

namespace salvo::report {

/// What an atlas rests on.
struct AtlasHead {
  std::string version, commit;  ///< of the program
  std::string work;             ///< a fingerprint: where it is the same, the figures are
  std::string rules, cards, cards_from, cards_date;
  ReferenceShips references;
};

/// A page and its figures, or why it has none.
struct AtlasAnswer {
  study::AtlasPage page;
  SquadReport report;
  std::optional<Failure> error;
};

/// Where a page lies below the folder of the atlas: "pilots/lukeskywalker.json".
std::string atlas_file(const study::AtlasPage& page);
/// The file of a page: one JSON object on one line, ending in a newline.
std::string atlas_page(const AtlasHead& head, const AtlasAnswer& answer);
/// What the index says of a page: one JSON object on one line, without a newline.
std::string atlas_entry(const AtlasAnswer& answer);
/// The index, of `entries` as atlas_entry() writes them.
std::string atlas_index(const AtlasHead& head, const std::vector<std::string>& entries);

}  // namespace salvo::report
