// The profiles in one file, parsed at build time (docs/build.md: The pack of profiles).
//
// A pack is a cache of the files: each entry has a hash of the text that it was made from, so it is never used for a
// file that has changed. Without any files (in a browser) it replaces them.
//
// Format: kPackMark; the numbers of files, of hashes (the same, or 0) and of keys, 32 bits each, little-endian; the
// size of each tree, in order of the paths; the hashes of the texts, 64 bits each; the keys of tables, which trees
// refer to by number; the paths; the trees. So a file is found by binary search and read without touching the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/value.h"

namespace salvo::data {

inline constexpr std::string_view kPackMark = "salvo profiles 5\n";

class Pack {
 public:
  /// An empty pack.
  Pack() = default;
  /// The bytes must outlive the pack. If they are not a pack of this version, it is empty.
  explicit Pack(std::string_view bytes);

  /// The tree of a file, by its path below the folder ("rules/facts.toml"). Empty if the pack lacks the file, or was
  /// made from another text than `text`. A file that is not TOML is a single Text.
  std::optional<Value> tree(std::string_view path, std::string_view text) const;
  /// As above, without checking the text that it was made from.
  std::optional<Value> tree(std::string_view path) const;

  bool empty() const { return files_.empty(); }
  bool has(std::string_view path) const { return find(path) != files_.end(); }
  /// Names of the files directly in the folder.
  std::vector<std::string_view> files_in(std::string_view folder) const;

 private:
  struct File {
    std::string_view path, tree;
  };
  using Files = std::vector<File>;
  /// The first file whose path is not less than `path`.
  Files::const_iterator lower_bound(std::string_view path) const;
  /// The file, or files_.end().
  Files::const_iterator find(std::string_view path) const;

  Files files_;  ///< sorted by path
  std::string_view hashes_;
  std::vector<std::string_view> keys_;
};

enum class PackUse : std::uint8_t {
  BesideFiles,
  Alone,   ///< without files: no hashes, which do not compress
  First,   ///< of three parts of Alone, what every question needs
  Cards,   ///< what questions about cards and ships need
  Further  ///< what few questions need
};

/// The file of a first and a second part that lists prefixes of the paths in the later parts, one per line.
inline constexpr std::string_view kFurtherList = "further";

/// Packs all files below the folder, or for uses other than PackUse::BesideFiles those that answers need. Leaves out
/// malformed files; reading the file itself reports the error.
std::string make_pack(const std::filesystem::path& folder, PackUse use = PackUse::BesideFiles);

}  // namespace salvo::data
