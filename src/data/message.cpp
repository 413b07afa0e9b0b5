#include "data/message.h"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::data {

namespace {

/// A key of a scenario given by flags, as a command-line option.
std::string flag_path(std::string_view path) {
  if (path.empty() || path.starts_with("-") || path.starts_with("ships")) return std::string(path);
  std::string option = fmt::format("--{}", path);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace

std::string place(const std::string& source, const std::string& path, int line) {
  const bool flags = source == kOptions;
  const std::string name = source == "-" ? "standard input" : flags ? "" : printable(source, 300);
  const std::string key = printable(flags ? flag_path(path) : path);
  std::string out = name;
  if (line > 0) out += fmt::format(":{}", line);
  if (!out.empty()) out += ": ";
  if (!key.empty()) out += key + ": ";
  return out;
}

LoadError error_at(const std::string& place, const std::string& why) {
  return LoadError(place + ": " + why, place, why);
}

void fail(const std::string& source, const std::string& path, int line, const std::string& why) {
  throw LoadError(place(source, path, line) + why, path, why);
}

}  // namespace salvo::data
