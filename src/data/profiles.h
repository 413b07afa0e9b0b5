// The game data, read from a folder or from a pack (docs/build.md: The pack of profiles). All readers of profiles go
// through this class, so that a pack can replace a folder everywhere.
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/file.h"
#include "data/node.h"
#include "data/value.h"

namespace salvo::data {

/// Thrown when the packs lack a file that a later one has: add the next with add_pack() and retry. Not a salvo::Error,
/// since nothing is wrong with the request.
struct FurtherPackNeeded : std::exception {
  const char* what() const noexcept override {
    return "the cards are in the next pack (profiles-cards.pack, then profiles-further.pack); add it and ask again";
  }
};

class Pack;

/// Cheap to copy; any number of threads may use it at once. Paths are those of files below root().
class Profiles {
 public:
  /// The files of a folder. Opens nothing yet.
  Profiles(std::filesystem::path folder);  // NOLINT(google-explicit-constructor): a folder is profiles
  /// As above, but takes trees from the folder's pack (open_pack) if it was made from the same text.
  static Profiles with_pack(std::filesystem::path folder);
  /// Only the contents of a pack: opens no file, and root() is merely a name. Throws LoadError if the bytes are not a
  /// pack of this version.
  static Profiles of_pack(std::string bytes);
  /// Adds the next part of a pack in parts (PackUse::Cards, then PackUse::Further), for all copies of these profiles.
  /// Until then, access to it throws FurtherPackNeeded. Throws LoadError as of_pack() does.
  void add_pack(std::string bytes) const;

  const std::filesystem::path& root() const { return root_; }

  /// Whether root() is a folder; always true without files.
  bool exists() const;
  /// This and the following throw std::system_error if root() itself does not exist: a server must not mistake profiles
  /// that were removed while it runs for cards without files.
  bool has(const std::filesystem::path& file) const;
  bool has_folder(const std::filesystem::path& folder) const;
  /// Whether any path, absolute or relative, lies in the folder; always false without files.
  bool holds(const std::filesystem::path& path, const std::filesystem::path& folder) const;
  /// Names without extension, sorted, of the TOML files in the folder that are valid ids. Empty if it does not exist.
  std::vector<std::string> ids(const std::filesystem::path& folder) const;
  /// The tree of a TOML file. Throws LoadError if it is missing or malformed.
  Value tree(const std::filesystem::path& file) const;
  /// The text of any other file, checked to be UTF-8. Throws LoadError.
  std::string text(const std::filesystem::path& file) const;

 private:
  struct Packed;
  std::string below(const std::filesystem::path& path) const;
  bool of_files() const;
  void need_root() const;
  std::string read(const std::string& name) const;
  const Pack& pack_of(std::string_view path) const;

  std::filesystem::path root_;
  std::shared_ptr<const Packed> packed_;  ///< null: no pack
  bool files_ = true;                     ///< false: only a pack
};

/// Calls `read(root)` for the tree of a file. Throws LoadError as Profiles::tree() does.
template <typename Read>
auto read_tree(const Profiles& profiles, const std::filesystem::path& file, const Read& read) {
  const Value tree = profiles.tree(file);
  const std::string source = file.string();
  return read(Node(tree, source));
}

/// Whether `id` consists of lower-case letters, digits and hyphens. Only such an id may become a file name.
bool is_id(std::string_view id);

/// The pack of the profiles in `root` (data/pack.h): the file beside it with the extension .pack, else that of the
/// profiles that the program would find without SALVO_PROFILES. Empty if there is none.
MappedFile open_pack(const std::filesystem::path& root);

/// The profiles folder: $SALVO_PROFILES, else beside the program, in share/salvo/profiles of the install prefix, or in
/// the source tree. Throws a LoadError that lists the places searched.
std::filesystem::path find_profiles();

}  // namespace salvo::data
