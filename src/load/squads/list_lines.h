// Splits a squad written as text into lines, and each line into names with their points. It knows no card.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::load {

inline constexpr std::string_view kAroundNames = " \t\r\"";

/// A name on a line, and the numbers and hints around it.
struct ListItem {
  std::string text;
  std::optional<int> points;
  int times = 1;
  char before = 0;  ///< the separator; 0: begins the line
  char behind = 0;
  bool bracketed = false;  ///< in square brackets
};

/// A line with names.
struct ListLine {
  int number = 0;
  std::size_t indent = 0;
  bool after_blank = true;
  bool beside_link = false;
  bool counts = false;   ///< it began with a bare number from a series 1, 2, 3 ..., which is cut off
  bool stamped = false;  ///< it began with a chat's time, which is cut off; who said it may come next
  std::vector<ListItem> items;
};

/// The number of "46", "46 points", "+3", "(4/5)"; empty for other words.
std::optional<int> points_in(std::string_view text);

/// Resolves HTML: marks such as "&quot;" become characters, tags that begin or end lines become line ends, with items
/// of lists indented, cells and spans wide blanks, and other tags nothing.
std::string without_html(std::string_view text);

/// The lines with names. `links` receives the links: that of the list ends the text of some builders.
std::vector<ListLine> lines_of(std::string_view text, std::vector<std::string>& links);

}  // namespace salvo::load
