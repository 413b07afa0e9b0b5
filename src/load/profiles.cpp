// Where the profiles are: an environment variable, beside the program, the install prefix, the source tree.
#include <cstdlib>

#include "load/catalogue.h"
#include "load/message.h"

namespace salvo {

namespace {

namespace fs = std::filesystem;

bool holds_profiles(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "rules", ignored);
}

}  // namespace

fs::path Catalogue::find_profiles() {
  const char* named = std::getenv("SALVO_PROFILES");
  if (named != nullptr && *named != '\0') {
    if (holds_profiles(named)) return named;
    load::fail("SALVO_PROFILES", "", 0,
               load::in_quotes(named) + " holds no folder rules; name the folder with rules, ships and cards");
  }
  std::vector<fs::path> places;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back(program.parent_path() / "profiles");
    places.push_back(program.parent_path().parent_path() / "share" / "salvo" / "profiles");
  }
#ifdef SALVO_SOURCE_PROFILES
  places.emplace_back(SALVO_SOURCE_PROFILES);
#endif
  std::vector<std::string> searched;
  for (const fs::path& place : places) {
    if (holds_profiles(place)) return place;
    searched.push_back(load::printable(place.string(), 300));
  }
  load::fail(
      "profiles", "", 0,
      "not found in " + load::listed(searched) + "; set SALVO_PROFILES to the folder with rules, ships and cards");
}

}  // namespace salvo
