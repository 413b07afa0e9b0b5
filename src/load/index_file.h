// Index files: lists of ids with what belongs to each, one a line, which scripts/import_xwing_data writes.
// In: .tsv files below the profiles. Out: their rows, or LoadError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/profiles.h"
#include "load/catalogue.h"
#include "load/profile.h"

namespace salvo::load {

/// Ids of an index file with what stands behind the tab, in order of id. Kept as the text itself and where its lines
/// begin.
class Index {
 public:
  using Row = std::pair<std::string_view, std::string_view>;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Row;

    Iterator(const Index& index, std::size_t at) : index_(&index), at_(at) {}
    Row operator*() const { return (*index_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Index* index_;
    std::size_t at_;
  };

  /// One without rows.
  Index() = default;
  /// `text`: of the file; lines that begin with # are comments.
  explicit Index(std::string text);

  std::size_t size() const { return lines_.size(); }
  Row operator[](std::size_t i) const;
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  /// What stands behind an id, for each of its rows.
  std::vector<std::string_view> of(std::string_view id) const;

 private:
  std::string text_;
  std::vector<std::uint32_t> lines_;  ///< where each begins, in order of id
};

/// Reads the index. Throws LoadError, also where there is no such file.
Index read_index(const data::Profiles& profiles, const std::filesystem::path& path);

/// The index of a derived card set: the rows of `base`, but for each id of `changes` its rows there; one that says only
/// "-" has none.
Index changed_index(const Index& base, const Index& changes);

/// Cards of a derived set that have the text of a card of its base: "pilot/fennrau-armedanddangerous", "pilot/fennrau".
/// From same.tsv beside its cards; empty where there is none. `profiles`: the folder that holds cards/.
Index same_cards(const data::Profiles& profiles, const CardSet& set);

/// The ids, each once.
std::vector<std::string> first_column(const Index& index);

/// "slot,slot<tab>cost", where the cost is empty, "3", or "size:small=2,large=5".
/// `place`: the index, for the message.
UpgradeCost read_upgrade_cost(std::string_view row, const std::string& place);

}  // namespace salvo::load
