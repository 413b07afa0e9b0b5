// Pack: the profiles in one file, parsed when the program was built (docs/build.md: The pack of profiles).
// In: a folder of profiles, or the bytes of a pack. Out: those bytes, or the tree of a file.
//
// A pack holds what the files say, not more: it never stands for a file that has changed, since each entry knows the
// text that it was made from. Where there are no files at all (in a browser), it stands for them.
//
// The bytes: kPackMark; the number of files, that of hashes, which is the same or 0, and that of keys (32 bits each,
// the least byte first); the size of each tree, in order of the paths; hashes of the texts (64 bits each); the keys
// that tables have, which trees name by number; the paths; the trees. So a file is found in a few steps, and read
// without touching the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/value.h"

namespace salvo::data {

inline constexpr std::string_view kPackMark = "salvo profiles 4\n";

class Pack {
 public:
  /// One without files.
  Pack() = default;
  /// The bytes have to outlive the pack. What is no pack, or one of another version, has no files.
  explicit Pack(std::string_view bytes);

  /// The tree of the file, by its path below the folder ("rules/facts.toml"), and nothing where the pack does not have
  /// it, or from another text than `text`. A file that is not TOML is a single text.
  std::optional<Value> tree(std::string_view path, std::string_view text) const;
  /// The same, whatever text it was made from.
  std::optional<Value> tree(std::string_view path) const;

  bool empty() const { return files_.empty(); }
  bool has(std::string_view path) const { return find(path) != files_.end(); }
  /// The names of the files in the folder, not in folders below it.
  std::vector<std::string_view> files_in(std::string_view folder) const;

 private:
  struct File {
    std::string_view path, tree;
  };
  using Files = std::vector<File>;
  /// The first file whose path is not less.
  Files::const_iterator lower_bound(std::string_view path) const;
  /// The file, else files_.end().
  Files::const_iterator find(std::string_view path) const;

  Files files_;  ///< by path
  std::string_view hashes_;
  std::vector<std::string_view> keys_;
};

enum class PackUse : std::uint8_t {
  BesideFiles,
  Alone,   ///< where there are no files: without hashes, which nothing compresses
  First,   ///< the same without what few ask for, whose paths it knows (kFurtherList)
  Further  ///< what First leaves out
};

/// The file of a first pack, a text, that has the beginnings of the paths of what a further pack holds, one a line.
inline constexpr std::string_view kFurtherList = "further";

/// The bytes of a pack of all files below the folder; but for PackUse::BesideFiles, of those that answers need. Files
/// with errors are left out: they are for the reader to tell.
std::string make_pack(const std::filesystem::path& folder, PackUse use = PackUse::BesideFiles);

}  // namespace salvo::data
