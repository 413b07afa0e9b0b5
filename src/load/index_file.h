// Index files: lists of ids with what belongs to each, one a line, which scripts/import_xwing_data writes.
// In: .tsv files below the profiles. Out: their rows, or LoadError.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load/catalogue.h"

namespace salvo::load {

/// Ids of an index file with what stands behind the tab, in order of id.
class Index {
 public:
  using Row = std::pair<std::string_view, std::string_view>;

  /// `text`: of the file; lines that begin with # are comments.
  explicit Index(std::string text);

  std::vector<Row>::const_iterator begin() const { return rows_.begin(); }
  std::vector<Row>::const_iterator end() const { return rows_.end(); }
  /// The rows of an id.
  std::span<const Row> of(std::string_view id) const;

 private:
  std::unique_ptr<const std::string> text_;  ///< what the rows point into
  std::vector<Row> rows_;
};

/// Reads the index. Throws LoadError, also where there is no such file.
Index read_index(const std::filesystem::path& path);

/// The ids, each once.
std::vector<std::string> first_column(const Index& index);

/// "slot,slot<tab>cost", where the cost is empty, "3", or "size:small=2,large=5".
/// `place`: the index, for the message.
UpgradeCost read_upgrade_cost(std::string_view row, const std::string& place);

}  // namespace salvo::load
