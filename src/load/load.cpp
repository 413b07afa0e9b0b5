// Scenarios from files and texts: which format it is, then the one way from tree to Scenario.
#include "load/load.h"

#include <algorithm>

#include "load/file.h"
#include "load/message.h"
#include "load/scenario_tree.h"
#include "load/value.h"

namespace salvo {

namespace load {

namespace {

bool has_extension(const std::string& source, std::string_view extension) {
  if (source.size() < extension.size()) return false;
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::equal(extension.begin(), extension.end(), source.end() - static_cast<std::ptrdiff_t>(extension.size()),
                    [&same](char e, char s) { return same(s, e); });
}

}  // namespace

// No TOML text begins with a brace, so it tells the formats apart where the name does not.
bool is_json(std::string_view text, const std::string& source) {
  if (has_extension(source, ".json")) return true;
  if (has_extension(source, ".toml")) return false;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace load

namespace {

load::Value parse_any(std::string_view text, const std::string& source) {
  text = load::check_text(text, source);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    load::fail(source, "", 0, "is empty; a scenario has ships and attacks");
  }
  return load::is_json(text, source) ? load::parse_json(text, source) : load::parse_toml(text, source);
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& source) {
  return load::read_scenario(parse_any(text, source), source);
}

Scenario parse_durability(std::string_view text, const std::string& source) {
  return load::read_durability(parse_any(text, source), source);
}

Scenario load_durability(const std::string& path) { return parse_durability(load::read_file(path), path); }

Scenario load_scenario(const std::string& path) { return parse_scenario(load::read_file(path), path); }

}  // namespace salvo
