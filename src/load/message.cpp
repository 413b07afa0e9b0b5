// Messages of the loading room, and the message for a ScenarioError.
#include "load/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "load/load.h"

namespace salvo {

std::string describe(const Scenario& scenario, const ScenarioError& error) {
  const auto option = scenario.given_by.find(error.path);
  if (option != scenario.given_by.end()) return option->second + ": " + error.what();
  std::string key = error.path;
  auto line = scenario.lines.find(key);
  while (line == scenario.lines.end() && !key.empty()) {  // the key may be missing: then the line of what it misses in
    const std::size_t cut = key.find_last_of(".[");
    key.resize(cut == std::string::npos ? 0 : cut);
    line = scenario.lines.find(key);
  }
  return load::place(scenario.source, error.path, line == scenario.lines.end() ? 0 : line->second) + error.what();
}

namespace load {

namespace {

/// A key path of a scenario from flags in the words of the command line.
std::string flag_path(std::string_view path) {
  const auto tail = [](std::string_view rest) {  // ".range" -> ": range"
    return rest.empty() ? std::string() : fmt::format(": {}", rest.substr(rest.front() == '.' ? 1 : 0));
  };
  const auto number = [&path](std::size_t start) {
    const std::size_t end = path.find_first_not_of("0123456789", start);
    return path.substr(start, end == std::string_view::npos ? end : end - start);
  };
  if (path.starts_with("ships.a") && !number(7).empty()) {
    return fmt::format("--attack {}{}", number(7), tail(path.substr(7 + number(7).size())));
  }
  if (path.starts_with("ships.s") && !number(7).empty()) {
    return fmt::format("--ship {}{}", number(7), tail(path.substr(7 + number(7).size())));
  }
  if (path.starts_with("attacks[") && !number(8).empty() && number(8).size() < 9) {
    const std::size_t index = std::stoul(std::string(number(8)));
    return fmt::format("--attack {}{}", index + 1, tail(path.substr(std::min(path.size(), 9 + number(8).size()))));
  }
  if (path.starts_with("ships.d") && !number(7).empty()) {
    return fmt::format("--defend {}{}", number(7), tail(path.substr(7 + number(7).size())));
  }
  if (path == "ships.d" || path.starts_with("ships.d.")) return "--defend" + tail(path.substr(7));
  if (path.empty() || path.starts_with("-") || path.starts_with("ships")) return std::string(path);
  std::string option = fmt::format("--{}", path);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace

std::string place(const std::string& source, const std::string& path, int line) {
  const bool flags = source == "flags";  // SPECs: the option is the place
  const std::string name = source == "-" ? "standard input" : flags ? "" : printable(source, 300);
  const std::string key = printable(flags ? flag_path(path) : path);
  std::string out = name;
  if (line > 0) out += fmt::format(":{}", line);
  if (!out.empty()) out += ": ";
  if (!key.empty()) out += key + ": ";
  return out;
}

void fail(const std::string& source, const std::string& path, int line, const std::string& why) {
  throw LoadError(place(source, path, line) + why, path, why);
}

}  // namespace load
}  // namespace salvo
