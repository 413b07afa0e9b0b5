// Output: see output.h.
#include "cli/output.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/options.h"
#include "cli/whole_file.h"

namespace salvo::cli {

void warn_of_unknown(const Squad& squad) {
  for (const UnknownId& id : squad.unknown) {
    write_error(fmt::format("salvo: warning: {}: {}: unknown {} \"{}\"; {}\n", squad.source, id.path, id.kind, id.id,
                            id.reason));
  }
}

void remove_database(const std::string& path) {
  for (const char* end : {"", "-journal"}) {
    std::error_code error;
    std::filesystem::remove(path + end, error);
    if (error) {
      throw UsageError(fmt::format("--out: {} cannot be begun anew ({}); choose another file",
                                   shown(path, kLongestPath), error.message()));
    }
  }
}

void need_no_device(const std::string& option, const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return;
  throw UsageError(fmt::format("{}: {} is there and is no file; choose another", option, shown(path, kLongestPath)));
}

void need_no_input(const std::string& option, const std::string& path, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  for (const char* end : {"", ".grid", ".part", ".grid.part"}) {
    const std::string written = path + end;
    std::error_code ignored;
    if (!fs::is_regular_file(written, ignored)) continue;
    for (const std::string& input : inputs) {
      // Beside the rows of a shard is what they are.
      if (fs::equivalent(written, input, ignored) || fs::equivalent(written, input + ".grid", ignored)) {
        throw UsageError(fmt::format("{}: {} would be overwritten, and the file is an input; choose another", option,
                                     in_quotes(written)));
      }
    }
  }
}

void write_file(const std::string& option, const std::string& path, std::string_view text) {
  WholeFile file(option, path);
  file.write(text);
  file.finish();
}

}  // namespace salvo::cli
