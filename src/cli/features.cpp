#include "cli/features.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <vector>

#include "battle/equilibrium.h"
#include "cli/arguments.h"
#include "generated/features.h"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRebuilt = "SALVO_REBUILT";  // set before the restart, so that the program restarts only once

/// scripts/run of the source folder, if this program is its build/release/salvo.
std::optional<fs::path> run_script() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error || program.parent_path().filename() != "release") return std::nullopt;
  const fs::path root = program.parent_path().parent_path().parent_path();
  const fs::path script = root / "scripts" / "run";
  if (program != root / "build" / "release" / "salvo" || access(script.c_str(), X_OK) != 0) return std::nullopt;
  return script;
}

/// The arguments of this process, without the name of the program.
std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) out.emplace_back(text.c_str() + at);
  if (!out.empty()) out.erase(out.begin());
  return out;
}

/// Replaces this process with scripts/run, which builds the feature and repeats the command. Returns if that is not
/// possible.
void rebuild_and_restart(const std::string& what) {
  const std::optional<fs::path> script = run_script();
  if (!script || std::getenv(kRebuilt) != nullptr) return;
  std::vector<std::string> words = own_arguments();
  words.insert(words.begin(), script->string());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fprintf(stderr, "salvo: built without %s; scripts/run now adds them\n", what.c_str());
  setenv(kRebuilt, "1", 1);
  execv(pointers.front(), pointers.data());
}

}  // namespace

void fail_missing_feature(const std::string& what, const std::string& command, const std::string& option) {
  rebuild_and_restart(what);
  throw UsageError(
      fmt::format("this program was built without {}; scripts/run {} builds it with {}, and so does -D{}=ON", what,
                  command, what, option));
}

void require_features_of(const std::string& verb) {
#if SALVO_HAS_BATTLES
  static_cast<void>(verb);
#else
  if (verb == "battle" || verb == "gauntlet") fail_missing_feature("battles", verb, "SALVO_BATTLES");
#endif
}

EquilibriumSolver equilibrium_solver() {
#if SALVO_HAS_BATTLES
  return battle::equilibrium;
#else
  return {};
#endif
}

}  // namespace salvo::cli
