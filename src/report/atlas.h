// The atlas as static JSON: one file a page, and an index (docs/atlas.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "salvo/failure.h"
#include "salvo/squad_report.h"
#include "study/atlas.h"

namespace salvo::report {

/// Identifies the inputs of an atlas.
struct AtlasHead {
  std::string version, commit;  ///< of the program
  std::string work;             ///< a fingerprint: equal fingerprints, equal figures
  std::string rules, cards, cards_from, cards_date;
  ReferenceShips references;
};

/// A page with its figures, or the reason why it has none.
struct AtlasAnswer {
  study::AtlasPage page;
  SquadReport report;
  std::optional<Failure> error;
};

/// Receives the pages of an atlas in order; can be interrupted at any moment and resumed.
class AtlasSink {
 public:
  AtlasSink() = default;
  virtual ~AtlasSink() = default;
  AtlasSink(const AtlasSink&) = delete;
  AtlasSink& operator=(const AtlasSink&) = delete;

  /// Whether an earlier run wrote all pages.
  virtual bool complete() const = 0;
  virtual std::size_t done() const = 0;  ///< pages already written
  virtual void add(const AtlasAnswer& answer) = 0;
  virtual void finish() = 0;
};

/// The path of a page below the folder of the atlas: "pilots/lukeskywalker.json".
std::string atlas_file(const study::AtlasPage& page);
/// The file of a page: one JSON object on one line, ending in a newline.
std::string atlas_page(const AtlasHead& head, const AtlasAnswer& answer);
/// The entry of a page in the index: one JSON object on one line, without a newline.
std::string atlas_entry(const AtlasAnswer& answer);
/// The index; `entries` come from atlas_entry().
std::string atlas_index(const AtlasHead& head, const std::vector<std::string>& entries);

}  // namespace salvo::report
