// Searches for the profiles: environment variable, beside the program, install prefix, source tree.
#include <dlfcn.h>

#include <cstdlib>

#include "base/index.h"
#include "data/message.h"
#include "data/profiles.h"

namespace salvo::data {

namespace {

namespace fs = std::filesystem;

bool holds_profiles(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "rules", ignored);
}

/// The program or shared library that contains this function. Empty: unknown.
fs::path own_file() {
  Dl_info info{};
  static const char here = 0;
  if (::dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : file;
}

/// Candidate places, most likely first.
std::vector<fs::path> find_usual_places() {
  std::vector<fs::path> places;
  const auto add = [&places](const fs::path& place) {
    if (!base::contains(places, place)) places.push_back(place);
  };
  const fs::path installed = fs::path("share") / "salvo" / "profiles";
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    add(program.parent_path() / "profiles");
    add(program.parent_path().parent_path() / installed);
  }
  if (const fs::path library = own_file(); !library.empty() && library != program) {
    add(library.parent_path().parent_path() / installed);                // PREFIX/lib
    add(library.parent_path().parent_path().parent_path() / installed);  // PREFIX/lib/x86_64-linux-gnu
  }
#ifdef SALVO_INSTALLED_PROFILES
  add(SALVO_INSTALLED_PROFILES);
#endif
#ifdef SALVO_SOURCE_PROFILES
  // The path is relative to the build folder, which contains programs and libraries directly or in subfolders.
  for (const fs::path& file : {error ? fs::path() : program, own_file()}) {
    fs::path folder = file.parent_path();
    for (int up = 0; up < 3 && folder.has_relative_path(); ++up, folder = folder.parent_path())
      add((folder / SALVO_SOURCE_PROFILES).lexically_normal());
  }
#endif
  return places;
}

const std::vector<fs::path>& usual_places() {
  static const std::vector<fs::path> places = find_usual_places();
  return places;
}

}  // namespace

MappedFile open_pack(const fs::path& root) {
  const auto beside = [](const fs::path& profiles) { return MappedFile(profiles.string() + ".pack"); };
  MappedFile pack = beside(root.has_filename() ? root : root.parent_path());  // ignore a trailing slash
  for (const fs::path& place : usual_places()) {
    if (!pack.bytes().empty()) break;
    if (place != root) pack = beside(place);
  }
  return pack;
}

fs::path find_profiles() {
  const char* named = std::getenv("SALVO_PROFILES");
  if (named != nullptr && *named != '\0') {
    if (holds_profiles(named)) return named;
    fail("SALVO_PROFILES", "", 0,
         in_quotes(named) + " holds no folder rules; name the folder with rules, ships and cards");
  }
  const std::vector<fs::path>& places = usual_places();
  std::vector<std::string> searched;
  for (const fs::path& place : places) {
    if (holds_profiles(place)) return place;
    searched.push_back(printable(place.string(), 300));
  }
  fail("profiles", "", 0,
       "not found in " + listed(searched) + "; set SALVO_PROFILES to the folder with rules, ships and cards");
}

}  // namespace salvo::data
