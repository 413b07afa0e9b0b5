// Profiles: see load/profiles.h.
#include <dirent.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "load/file.h"
#include "load/message.h"
#include "load/pack.h"
#include "load/profile.h"
#include "load/profiles.h"

namespace salvo::load {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToml = ".toml";

}  // namespace

struct Profiles::Packed {
  explicit Packed(MappedFile file) : mapped(std::move(file)), pack(mapped.bytes()) {}
  explicit Packed(std::string text) : bytes(std::move(text)), pack(bytes) {}
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  MappedFile mapped;
  std::string bytes;
  Pack pack;
};

Profiles::Profiles(fs::path folder) : root_(std::move(folder)) {}

Profiles Profiles::with_pack(fs::path folder) {
  Profiles out(std::move(folder));
  out.packed_ = std::make_shared<const Packed>(open_pack(out.root_));
  return out;
}

Profiles Profiles::of_pack(std::string bytes) {
  Profiles out(fs::path("profiles"));
  out.packed_ = std::make_shared<const Packed>(std::move(bytes));
  out.files_ = false;
  if (out.packed_->pack.empty()) fail("profiles.pack", "", 0, "is no pack of this version; build the profiles again");
  return out;
}

/// As packs name it.
std::string Profiles::below(const fs::path& path) const {
  const std::string& name = path.native();
  const std::size_t begin = std::min(name.find_first_not_of('/', root_.native().size()), name.size());
  return name.substr(begin);
}

bool Profiles::has(const fs::path& file) const {
  return files_ ? is_file(file.string()) : packed_->pack.has(below(file));
}

bool Profiles::has_folder(const fs::path& folder) const {
  std::error_code ignored;
  return files_ ? fs::is_directory(folder, ignored) : !packed_->pack.files_in(below(folder)).empty();
}

bool Profiles::holds(const fs::path& path, const fs::path& folder) const {
  if (!files_) return false;
  std::error_code ignored;
  const fs::path place = fs::relative(path, folder, ignored);
  return !place.empty() && *place.begin() != "..";
}

std::vector<std::string> Profiles::ids(const fs::path& folder) const {
  std::vector<std::string> out;
  const auto add = [&out](std::string_view name) {
    if (!name.ends_with(kToml)) return;
    name.remove_suffix(kToml.size());
    if (is_id(name)) out.emplace_back(name);
  };
  if (files_) {
    // libstdc++'s directory_iterator ends the program when there is no memory.
    const std::unique_ptr<DIR, int (*)(DIR*)> listed(::opendir(folder.c_str()), ::closedir);
    while (const dirent* const entry = listed ? ::readdir(listed.get()) : nullptr) add(entry->d_name);
  } else {
    for (const std::string_view name : packed_->pack.files_in(below(folder))) add(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Value Profiles::tree(const fs::path& file) const {
  const std::string name = file.string();
  if (!files_) {
    if (std::optional<Value> tree = packed_->pack.tree(below(file))) return std::move(*tree);
    fail(name, "", 0, "is not in the pack of profiles; check the name");
  }
  const std::string text = read_file(name);
  if (packed_ != nullptr) {
    if (std::optional<Value> tree = packed_->pack.tree(below(file), text)) return std::move(*tree);
  }
  check_text(text, name);
  return parse_toml(text, name);
}

std::string Profiles::text(const fs::path& file) const {
  const std::string name = file.string();
  if (!files_) return tree(file).text;
  std::string out = read_file(name);
  check_text(out, name);
  return out;
}

}  // namespace salvo::load
