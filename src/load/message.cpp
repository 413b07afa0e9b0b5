// Messages of the loading room, near names, and the message for a ScenarioError.
#include "load/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "load/load.h"

namespace salvo {

namespace {

constexpr std::size_t kLongestWord = 64;  ///< longer words are no misspellings of an id

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Damerau-Levenshtein distance, restricted (no part is edited twice), without regard to upper and lower case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    const std::size_t gap = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (gap >= best) continue;
    const std::size_t distance = edit_distance(word, candidate);
    // A candidate with no letter in common is not near, however short both are.
    if (distance >= best || distance >= std::max(word.size(), candidate.size())) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

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
  if (path == "ships.d" || path.starts_with("ships.d.")) return "--defend" + tail(path.substr(7));
  if (path.empty() || path.starts_with("-") || path.starts_with("ships")) return std::string(path);
  std::string option = fmt::format("--{}", path);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto tail = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  if (text.empty()) return 0;
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    const unsigned second = byte(1);
    const bool overlong = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first < 0xF0 || first > 0xF4 || !tail(1) || !tail(2) || !tail(3)) return 0;
  const unsigned second = byte(1);
  return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90) ? 0 : 4;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= most) return out + "...";
    const std::size_t length = utf8_length(text);
    const unsigned first = static_cast<std::uint8_t>(text[0]);
    // C1 control characters are U+0080..U+009F: a terminal may obey them like escape sequences.
    const bool control = first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<std::uint8_t>(text[1]) < 0xA0);
    if (length == 0 || (control && length == 1)) {
      out += text[0] == '\n' ? "\\n" : text[0] == '\t' ? "\\t" : fmt::format("\\x{:02x}", first);
      text.remove_prefix(1);
    } else {
      out += control ? fmt::format("\\u00{:02x}", static_cast<std::uint8_t>(text[1]))
                     : std::string(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", printable(text, 40)); }

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == most) return out + ", ...";
    out += (i == 0 ? "" : ", ") + words[i];
  }
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? near : fmt::format(" did you mean {}?", in_quotes(near));
}

std::string place(const std::string& source, const std::string& path, int line) {
  const std::string name = source == "-" ? "standard input" : printable(source, 300);
  const std::string key = printable(source == "flags" ? flag_path(path) : path);
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
