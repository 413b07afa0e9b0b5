#include "data/message.h"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::data {

namespace {

/// A key of a scenario given by flags, as a command-line option. An operand, such as FILE, is written as it is.
std::string flag_path(std::string_view path) {
  const bool operand = !path.empty() && path[0] >= 'A' && path[0] <= 'Z';
  if (path.empty() || operand || path.starts_with("-") || path.starts_with("ships")) return std::string(path);
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

std::string not_among(const std::string& text, const std::vector<std::string>& allowed, const std::string& what) {
  const std::string one = allowed.size() == 1 ? "" : "one of ";
  return fmt::format("{} is not {};{} write {}{}", in_quotes(text), what, did_you_mean(text, allowed), one,
                     listed(allowed));
}

void fail(const std::string& source, const std::string& path, int line, const std::string& why) {
  throw LoadError(place(source, path, line) + why, path, why);
}

}  // namespace salvo::data
