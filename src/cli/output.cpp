// Output: see output.h.
#include "cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/text.h"

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
                                   text::clip(text::clean(path), 200), error.message()));
    }
  }
}

void need_no_device(const std::string& option, const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return;
  throw UsageError(
      fmt::format("{}: {} is there and is no file; choose another", option, text::clip(text::clean(path), 200)));
}

void write_file(const std::string& option, const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    throw UsageError(fmt::format("{}: {} cannot be written ({}); choose another file", option,
                                 text::clip(text::clean(path), 200), std::strerror(errno)));
  }
}

}  // namespace salvo::cli
