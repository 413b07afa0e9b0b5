// Profiles: where the data of the game is read from, a folder or a pack (docs/build.md: The pack of profiles). All
// readers of profiles go through it, so that what a folder can do a pack can do. In: a folder, or the bytes of a pack.
// Out: trees and texts of files, by their paths.
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/file.h"
#include "data/value.h"

namespace salvo::data {

/// The question needs what a first pack leaves out: add the further one and ask again. No salvo::Error, for nothing is
/// wrong with the question.
struct FurtherPack : std::exception {
  const char* what() const noexcept override {
    return "the cards are in the further pack; add profiles-further.pack and ask again";
  }
};

class Pack;

/// Cheap to copy; safe to use from several threads at once. Paths are those of files below root().
class Profiles {
 public:
  /// The files of a folder as they stand. Opens nothing.
  Profiles(std::filesystem::path folder);  // NOLINT(google-explicit-constructor): a folder is profiles
  /// The same; trees come from the pack of the folder (open_pack) where that was made from the same text.
  static Profiles with_pack(std::filesystem::path folder);
  /// What the pack holds, and nothing else: no file is opened. root() is a name only. Throws LoadError for bytes that
  /// are no pack of this version.
  static Profiles of_pack(std::string bytes);
  /// What a first pack leaves out (PackUse::Further), for all copies of these profiles. Throws LoadError as of_pack().
  /// Until then whoever looks there gets FurtherPack.
  void add_pack(std::string bytes) const;

  const std::filesystem::path& root() const { return root_; }

  /// Whether root() can be read; always so for a pack alone.
  bool is_there() const;
  /// This and what follows throw std::system_error where root() itself is not there (any more): a card whose file was
  /// taken away while a server or a sweep runs is not a card without a file.
  bool has(const std::filesystem::path& file) const;
  bool has_folder(const std::filesystem::path& folder) const;
  /// Whether a path, from wherever it is told, lies in the folder; never for a pack alone.
  bool holds(const std::filesystem::path& path, const std::filesystem::path& folder) const;
  /// The TOML files of the folder whose names can be ids, without their ending, in order. Empty where it is missing.
  std::vector<std::string> ids(const std::filesystem::path& folder) const;
  /// The tree of a TOML file. Throws LoadError when it is missing or broken.
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
  bool files_ = true;                     ///< false: the pack alone
};

/// True for lower-case letters, digits and hyphens: only such an id may become the name of a file.
bool is_id(std::string_view id);

/// The pack that belongs to the profiles in `root` (data/pack.h): beside it, under its name with the ending .pack, else
/// beside the profiles that a program without SALVO_PROFILES finds. Empty where there is none.
MappedFile open_pack(const std::filesystem::path& root);

/// The profiles folder: the environment's SALVO_PROFILES, beside the program, share/salvo/profiles of the prefix in
/// which program or library are installed, or the source tree. Throws LoadError that lists the places searched.
std::filesystem::path find_profiles();

}  // namespace salvo::data
