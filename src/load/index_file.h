// Index files: .tsv tables below the profiles that list ids, mostly written by scripts/import_xwing_data.
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

/// Rows of an index file in order of id: the id, and the rest of the line after the tab. Stores only the text and where
/// its lines are.
class IndexFile {
 public:
  using Row = std::pair<std::string_view, std::string_view>;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Row;

    Iterator(const IndexFile& index, std::size_t at) : index_(&index), at_(at) {}
    Row operator*() const { return (*index_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const IndexFile* index_;
    std::size_t at_;
  };

  /// An index without rows.
  IndexFile() = default;
  /// Parses the text of a file. Lines that begin with # are comments.
  explicit IndexFile(std::string text);

  std::size_t size() const { return lines_.size(); }
  Row operator[](std::size_t i) const;
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  /// The rest of each row with that id.
  std::vector<std::string_view> of(std::string_view id) const;

 private:
  friend IndexFile apply_changes(const IndexFile& base, const IndexFile& changes);

  struct Line {
    std::uint32_t begin, size;
  };

  std::string_view text_of(Line line) const { return std::string_view(text_).substr(line.begin, line.size); }

  std::string text_;
  std::vector<Line> lines_;  ///< of each row, in order of id
};

/// Reads an index file. Throws LoadError, also if it does not exist.
IndexFile read_index(const data::Profiles& profiles, const std::filesystem::path& path);

/// The index of a derived card set: the rows of `base`, except that the rows of an id in `changes` replace its rows. A
/// single "-" removes the id.
IndexFile apply_changes(const IndexFile& base, const IndexFile& changes);

/// The ids without duplicates.
std::vector<std::string> unique_ids(const IndexFile& index);

/// Parses "slot,slot<tab>cost", where the cost is empty, "3" or "size:small=2,large=5". `place`: the index, for
/// messages. Throws LoadError.
UpgradeCost read_upgrade_cost(std::string_view row, const std::string& place);

}  // namespace salvo::load
