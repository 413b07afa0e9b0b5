#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "data/file.h"
#include "data/message.h"
#include "data/pack.h"
#include "data/profiles.h"

namespace salvo::data {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToml = ".toml";

/// A browser has no files.
#ifdef __EMSCRIPTEN__
constexpr bool kHasFiles = false;
#else
constexpr bool kHasFiles = true;
#endif

std::vector<std::string> lines_of(const Pack& pack, std::string_view path) {
  std::vector<std::string> out;
  const std::optional<Value> list = pack.tree(path);
  for (const std::string_view line : base::split(list ? std::string_view(list->text) : "", '\n')) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

}  // namespace

bool is_id(std::string_view id) {
  constexpr std::size_t kLongestId = 100;
  return !id.empty() && id.size() <= kLongestId && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

struct Profiles::Packed {
  explicit Packed(MappedFile file) : mapped(std::move(file)), pack(mapped.bytes()) {}
  explicit Packed(std::string text)
      : bytes(std::move(text)), pack(bytes), further_paths(lines_of(pack, kFurtherList)) {}
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  MappedFile mapped;
  std::string bytes;
  Pack pack;
  std::vector<std::string> further_paths;         ///< prefixes of paths that later parts hold
  mutable std::mutex mutex;                       ///< that of the first part guards `further` of all
  mutable std::unique_ptr<const Packed> further;  ///< the next part; never changes once set
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
  if (out.packed_->pack.empty())
    fail("profiles.pack", "", 0, "is not a pack of this version; build the profiles again");
  return out;
}

void Profiles::add_pack(std::string bytes) const {
  auto further = std::make_unique<const Packed>(std::move(bytes));
  if (further->pack.empty()) fail("a further pack", "", 0, "is not a pack of this version; build the profiles again");
  const std::lock_guard lock(packed_->mutex);
  const Packed* last = packed_.get();
  while (last->further != nullptr) last = last->further.get();
  if (!last->further_paths.empty()) last->further = std::move(further);
}

bool Profiles::of_files() const { return kHasFiles && files_; }

/// Without files: the pack that would contain the file or folder.
const Pack& Profiles::pack_of(std::string_view path) const {
  const Packed* part = packed_.get();
  while (std::any_of(part->further_paths.begin(), part->further_paths.end(),
                     [&](const auto& prefix) { return path.starts_with(prefix); })) {
    const std::lock_guard lock(packed_->mutex);
    if (part->further == nullptr) throw FurtherPackNeeded();
    part = part->further.get();
  }
  return part->pack;
}

/// The path as packs spell it.
std::string Profiles::below(const fs::path& path) const {
  const std::string& name = path.native();
  const std::size_t begin = std::min(name.find_first_not_of('/', root_.native().size()), name.size());
  return name.substr(begin);
}

bool Profiles::exists() const {
  std::error_code ignored;
  return !of_files() || fs::is_directory(root_, ignored);
}

void Profiles::need_root() const {
  if (!exists())
    throw std::system_error(ENOENT, std::generic_category(),
                            root_.string() + ": the profiles no longer exist; restore the folder or restart");
}

/// The text of a file. If it is missing because the whole folder is, throws need_root()'s error.
std::string Profiles::read(const std::string& name) const {
  try {
    return read_file(name);
  } catch (const LoadError&) {
    need_root();
    throw;
  }
}

bool Profiles::has(const fs::path& file) const {
  if (of_files()) {
    if (is_file(file.string())) return true;
    need_root();
    return false;
  }
  const std::string path = below(file);
  return pack_of(path).has(path);
}

bool Profiles::has_folder(const fs::path& folder) const {
  if (of_files()) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored)) return true;
    need_root();
    return false;
  }
  const std::string path = below(folder);
  return !pack_of(path + '/').files_in(path).empty();
}

bool Profiles::holds(const fs::path& path, const fs::path& folder) const {
  if (!of_files()) return false;
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
  if (of_files()) {
    // Not std::filesystem::directory_iterator: libstdc++'s terminates the program when out of memory.
    const std::unique_ptr<DIR, int (*)(DIR*)> listed(::opendir(folder.c_str()), ::closedir);
    // A folder that exists but cannot be read (no descriptors left) must not count as empty.
    if (listed == nullptr && errno != ENOENT && errno != ENOTDIR)
      throw std::system_error(errno, std::generic_category(), folder.string());
    if (listed == nullptr) need_root();
    while (const dirent* const entry = listed ? ::readdir(listed.get()) : nullptr) add(entry->d_name);
  } else {
    const std::string path = below(folder);
    for (const std::string_view name : pack_of(path + '/').files_in(path)) add(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Value Profiles::tree(const fs::path& file) const {
  const std::string name = file.string();
  if (!of_files()) {
    const std::string path = below(file);
    if (std::optional<Value> tree = pack_of(path).tree(path)) return std::move(*tree);
    fail(name, "", 0, "is not in the pack of profiles; check the name");
  }
  const std::string text = read(name);
  if (packed_ != nullptr) {
    if (std::optional<Value> tree = packed_->pack.tree(below(file), text)) return std::move(*tree);
  }
  check_text(text, name);
  return parse_toml(text, name);
}

std::string Profiles::text(const fs::path& file) const {
  const std::string name = file.string();
  if (!of_files()) return tree(file).text;
  std::string out = read(name);
  check_text(out, name);
  return out;
}

}  // namespace salvo::data
