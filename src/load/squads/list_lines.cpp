#include "load/squads/list_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "base/index.h"
#include "base/name_key.h"
#include "base/text.h"
#include "load/spec_words.h"
#include "load/squads/squad_link.h"

namespace salvo::load {
namespace {

constexpr std::string_view kTagLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

constexpr std::string_view kDigits = "0123456789";

constexpr int kManyShips = 1000;  ///< more than a squad may have: larger numbers are as this one, to be refused

/// The number of "2x" or "x2"; 0 for other words.
int times_in(std::string_view word) { return std::min(times_of(base::lower_case(word), word.size()), kManyShips); }

/// The character at the start of a text in UTF-8, and its length. A malformed one is itself.
std::pair<unsigned, std::size_t> character_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  const std::size_t width = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (width > text.size()) return {first, 1};
  unsigned out = width == 1 ? first : first & (0xFFu >> (width + 1));
  for (std::size_t i = 1; i < width; ++i) out = (out << 6u) | (byte(i) & 0x3Fu);
  return {out, width};
}

/// The plain form of a typographic mark; nullptr for any other character. Bullets, arrows and the like become as many
/// blanks as they have bytes in UTF-8, so that lines below them are still indented.
const char* plain_mark(unsigned sign) {
  struct Range {
    unsigned first, last;
    const char* plain;
  };
  static constexpr Range kRanges[] = {
      {0xA0, 0xA0, "  "},      {0xAB, 0xAB, "\""},      {0xB7, 0xB7, "  "},      {0xBB, 0xBB, "\""},
      {0xD7, 0xD7, "x"},       {0x2002, 0x200A, "  "},  {0x200B, 0x200F, ""},    {0x2010, 0x2011, "-"},
      {0x2012, 0x2015, " - "}, {0x2018, 0x201B, "'"},   {0x201C, 0x201F, "\""},  {0x2020, 0x2023, "   "},
      {0x202F, 0x202F, " "},   {0x2032, 0x2032, "'"},   {0x2033, 0x2033, "\""},  {0x2039, 0x203A, "\""},
      {0x2043, 0x2043, "   "}, {0x2190, 0x21FF, "   "}, {0x2212, 0x2212, " - "}, {0x2219, 0x2219, "   "},
      {0x2500, 0x27BF, "   "}, {0x2900, 0x2BFF, "   "}, {0x3000, 0x3000, "  "},  {0x3001, 0x3001, ","},
      {0x3008, 0x3009, "\""},  {0x300C, 0x300F, "\""},  {0x3010, 0x3010, "["},   {0x3011, 0x3011, "]"},
      {0xFF1A, 0xFF1A, ": "},  {0xFE00, 0xFE0F, ""},    {0xFEFF, 0xFEFF, ""},    {0x1F000, 0x1FAFF, "    "}};
  const auto at = std::find_if(std::begin(kRanges), std::end(kRanges),
                               [&](const Range& one) { return sign >= one.first && sign <= one.last; });
  return at == std::end(kRanges) ? nullptr : at->plain;
}

/// A tag of HTML at the start of a text.
struct Tag {
  std::string name;
  bool ends = false;
  std::size_t width = 0;  ///< 0: there is none

  bool of_list() const { return name == "ul" || name == "ol"; }
  bool of_cell() const { return name == "td" || name == "th"; }
  /// Whether it begins or ends a line.
  bool of_line() const {
    static constexpr std::array<std::string_view, 9> kLines{"br", "li", "p", "div", "tr", "h1", "h2", "h3", "h4"};
    return of_list() || base::contains(kLines, std::string_view(name));
  }
};

Tag tag_at(std::string_view text) {
  if (!text.starts_with('<')) return {};
  const bool ends = text.substr(1).starts_with('/');
  const std::string_view rest = text.substr(ends ? 2 : 1);
  const std::string_view name = rest.substr(0, rest.find_first_not_of(kTagLetters));
  const std::size_t end = text.find_first_of("<>\n", 1);
  if (end == std::string_view::npos && !name.empty() && text.find('=') != std::string_view::npos)
    return {base::lower_case(name), ends, text.size()};  // the text ends inside the tag
  const bool closed = end != std::string_view::npos && text[end] == '>';
  if (name.empty() || !closed || std::string_view(" />").find(rest[name.size()]) == std::string_view::npos) return {};
  return {base::lower_case(name), ends, end + 1};
}

/// The link of a squad to which a tag leads.
std::string_view link_in(std::string_view tag) {
  const std::size_t begin = tag.find("://") == tag.npos ? tag.npos : tag.find_last_of("\"'", tag.find("://"));
  if (begin == tag.npos || !has_squad(tag)) return {};
  return tag.substr(begin + 1, tag.find(tag[begin], begin + 1) - begin - 1);
}

/// The character of "&#8217;" or "&#x2019;" at the start of a text in UTF-8, and the width of the mark; 0: none.
std::pair<std::string, std::size_t> numbered_character(std::string_view text) {
  const std::size_t end = text.substr(0, 10).find(';');
  if (!text.starts_with("&#") || end == text.npos) return {};
  const bool hex = text.substr(2).starts_with('x') || text.substr(2).starts_with('X');
  std::uint32_t sign = 0;
  const char *const first = text.data() + (hex ? 3 : 2), *const last = text.data() + end;
  const auto [stop, error] = std::from_chars(first, last, sign, hex ? 16 : 10);
  if (stop != last || error != std::errc() || sign < 0x20 || sign > 0x10FFFF) return {};
  if (sign >= 0xD800 && sign <= 0xDFFF) return {};  // halves of characters in UTF-16
  std::string out;
  base::append_utf8(out, sign);
  return {out, end + 1};
}

/// The width of a tag of a forum at the start of a text, "[size=5]", "[/color]"; 0: there is none.
std::size_t forum_tag_at(std::string_view text) {
  static constexpr std::array<std::string_view, 13> kTags{"b",      "i",    "u",     "s",       "size", "color", "font",
                                                          "center", "list", "quote", "spoiler", "code", "url"};
  const std::size_t end = text.starts_with('[') ? text.find_first_of("]\n", 1) : text.npos;
  if (end == text.npos || text[end] != ']') return 0;
  const std::string inside = base::lower_case(text.substr(1, end - 1));
  if (inside.starts_with("url=")) return 0;  // with a link, which is read
  const std::string_view name = std::string_view(inside).substr(inside.starts_with('/') ? 1 : 0);
  return base::contains(kTags, name.substr(0, name.find('='))) ? end + 1 : 0;
}

/// The width of the time that a chat prints before a name and a line, "[12:03, 5.6.2023] Bob: ", "5.6.23, 12:03 - Bob:
/// "; 0: none.
std::size_t chat_stamp_at(std::string_view line) {
  const bool bracket = line.starts_with('[');
  const std::size_t end = line.find(bracket ? "]" : " - ");
  if (end == line.npos) return 0;
  const std::string_view time = line.substr(0, end);
  if (time.find(':') == time.npos || time.find_first_not_of("[0123456789:., /-APMapm") != time.npos) return 0;
  return std::min(line.find_first_not_of(" -", end + 1), line.size());
}

/// The width of an emoji in words at the start of a text, as chats write it: ":rebel:", "<:xwing:123>"; 0: none.
std::size_t emoji_at(std::string_view text) {
  const std::size_t open = text.starts_with("<a:") ? 2 : text.starts_with("<:") ? 1 : 0;
  if (open >= text.size() || text[open] != ':') return 0;
  const std::size_t colon =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_+-ABCDEFGHIJKLMNOPQRSTUVWXYZ", open + 1);
  if (colon == std::string_view::npos || text[colon] != ':' || colon < open + 3) return 0;
  if (open == 0) return text.substr(colon + 1, 1).find_first_not_of(" :*\r") == std::string_view::npos ? colon + 1 : 0;
  const std::size_t end = text.find_first_not_of(kDigits, colon + 1);
  return end != std::string_view::npos && text[end] == '>' ? end + 1 : 0;
}

/// Replaces typographic marks and markup by plain characters, mostly of the same width.
std::string without_marks(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
      {"[*]", "  "}, {"**", ""}, {"*", " "}, {"\\", ""}, {"\t", "    "}};
  std::string out;
  while (!text.empty()) {
    if (const std::size_t tag = forum_tag_at(text); tag > 0) {
      text.remove_prefix(tag);
      continue;
    }
    const std::size_t emoji = out.empty() || out.back() == ' ' ? emoji_at(text) : 0;
    if (emoji > 0) {
      out += "  ";
      text.remove_prefix(emoji);
      continue;
    }
    const auto at = std::find_if(std::begin(kPlain), std::end(kPlain), [&](const auto& one) {
      return base::lower_case(text.substr(0, one.first.size())) == one.first;
    });
    const bool marked = at != std::end(kPlain);
    const auto [sign, width] = marked ? std::pair(0u, at->first.size()) : character_of(text);
    const char* const plain = plain_mark(sign);
    const bool wide = plain == nullptr && sign >= 0xFF01 && sign <= 0xFF5E;  // the forms of ASCII in East Asian fonts
    if (marked)
      out += at->second;
    else if (wide)
      out += static_cast<char>(sign - 0xFF00 + 0x20);
    else
      out += plain != nullptr ? std::string_view(plain) : text.substr(0, width);
    text.remove_prefix(width);
  }
  return out;
}

/// The text with "\n" in place of other ends of lines: of old programs, of Unicode.
std::string with_plain_line_ends(std::string_view text) {
  constexpr std::string_view kEnds[] = {"\r\n", "\r", "\u2028", "\u2029"};
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto end = std::find_if(std::begin(kEnds), std::end(kEnds), [&](auto one) { return text.starts_with(one); });
    const std::size_t width = end == std::end(kEnds) ? 1 : end->size();
    out += end == std::end(kEnds) ? text.substr(0, 1) : "\n";
    text.remove_prefix(width);
  }
  return out;
}

/// The points in parentheses, which some refits have below zero: "(-2)".
std::optional<int> signed_points_in(std::string_view inside) {
  inside = base::trimmed(inside);
  const bool minus = inside.starts_with('-');
  const auto points = points_in(inside.substr(minus ? 1 : 0));
  return points && minus ? -*points : points;
}

/// Splits a line into its names.
class ItemSplitter {
 public:
  explicit ItemSplitter(std::string_view line) : line_(line) {
    for (std::size_t i = 0; i < line_.size();) i = next(i);
    close('\n');
  }

  std::vector<ListItem> items;

 private:
  std::size_t next(std::size_t i) {
    const char c = line_[i];
    if (c == '(') return brackets(i);
    const bool spaced = i > 0 && line_[i - 1] == ' ' && (i + 1 == line_.size() || line_[i + 1] == ' ');
    const bool wide = c == ' ' && i + 1 < line_.size() && line_[i + 1] == ' ';
    const bool colon = c == ':' && (i + 1 == line_.size() || line_[i + 1] == ' ');
    if (std::string_view("[]{};,|+").find(c) != std::string_view::npos || wide || colon ||
        (spaced && (c == '-' || c == '/' || c == '&' || c == '='))) {
      close(c);
    } else {
      text_ += c;
    }
    return i + 1;
  }

  /// Parentheses may hold points and numbers of ships; other words in them are a part of the name.
  std::size_t brackets(std::size_t i) {
    const std::size_t end = line_.find(')', i);
    if (end == std::string_view::npos) {
      text_ += ' ';
      return i + 1;
    }
    const std::string_view inside = line_.substr(i + 1, end - i - 1);
    if (const int times = times_in(base::trimmed(inside, kAroundNames)); times > 0) {
      times_ = times;
    } else if (const auto points = signed_points_in(inside)) {
      points_ = points;
      if (!base::name_key(text_).empty())
        close(')');
      else if (!items.empty() && before_ == ']')
        items.front().points = std::exchange(points_, std::nullopt);
    } else {
      text_ += line_.substr(i, end + 1 - i);
    }
    return end + 1;
  }

  void close(char separator) {
    std::string_view text = base::trimmed(text_, kAroundNames);
    text = base::trimmed(text, " \t\r\"-/.#>=_");
    const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
    if (digits > 0 && base::lower_case(text.substr(digits).substr(0, 3)) == " x ") {
      times_ = times_in(fmt::format("{}x", text.substr(0, digits)));
      text = base::trimmed(text.substr(digits + 3), kAroundNames);
    }
    const std::size_t unit = std::min(text.rfind(' '), text.size());
    if (base::lower_case(text.substr(unit)).starts_with(" p") && unit > 0) {
      const std::size_t number = text.rfind(' ', unit - 1);
      const auto points = number == std::string_view::npos ? std::nullopt : points_in(text.substr(number));
      if (points) {
        points_ = points;
        text = base::trimmed(text.substr(0, number), kAroundNames);
      }
    }
    const std::size_t cross = base::lower_case(text).rfind(" x ");
    if (const int copies = cross == std::string_view::npos ? 0 : times_in(fmt::format("x{}", text.substr(cross + 3)));
        copies > 1) {
      times_ = copies;
      text = base::trimmed(text.substr(0, cross), kAroundNames);
    }
    for (const bool front : {true, false}) {
      const std::size_t blank = front ? text.find(' ') : text.rfind(' ');
      if (blank == std::string_view::npos) break;
      const std::string_view word = front ? text.substr(0, blank) : text.substr(blank + 1);
      if (const int times = times_in(word); times > (front ? 0 : 1)) {  // "x1" ends names of ships
        times_ = times;
        text = base::trimmed(front ? text.substr(blank) : text.substr(0, blank), kAroundNames);
      }
    }
    const auto number = points_in(text);
    const bool apart = base::lower_case(text).starts_with("x ");  // "Academy Pilot (5) x 3"
    if (const int times = times_in(apart ? fmt::format("x{}", text.substr(2)) : text); times > 0) {
      times_ = times;
    } else if (number && !items.empty()) {
      ListItem& owner = before_ == ']' ? items.front() : items.back();
      if (!owner.points) owner.points = number;
    } else if (number) {
      points_ = number;
    } else if (!base::name_key(text).empty()) {
      items.push_back(
          {std::string(text), std::exchange(points_, std::nullopt), std::exchange(times_, 1), before_, 0, bracket_});
    }
    if (!items.empty()) {
      if (items.back().behind != ':') items.back().behind = separator;  // "Upgrades: [Predator]"
      if (times_ != 1) items.front().times = std::exchange(times_, 1);
    }
    text_.clear();
    if (separator == '[' || separator == ']') bracket_ = separator == '[';
    if (!items.empty() && (separator != ' ' || before_ == 0)) before_ = separator;
  }

  std::string_view line_;
  std::string text_;
  std::optional<int> points_;
  int times_ = 1;
  char before_ = 0;
  bool bracket_ = false;
};

/// A number at the start of a line that may be the line's own.
struct LineNumber {
  int number = 0;
  std::size_t begin = 0, width = 0;  ///< with the signs around it; 0: there is none
  bool marked = false;               ///< "#2", "2." and "2)" are numbers of lines even alone
};

LineNumber number_at_start(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(" -/.#>=_\""), line.size());
  const std::size_t end = std::min(line.find_first_not_of(kDigits, first), line.size());
  const auto number = base::whole_number(line.substr(first, end - first));
  if (!number || end - first > 3 || points_in(line)) return {};
  const bool hash = first > 0 && line[first - 1] == '#';
  const std::string_view rest = line.substr(end);
  const bool dot = rest.starts_with(". ") || rest.starts_with(") ") || rest.starts_with("/ ");
  const std::size_t sign = dot || rest.starts_with(": ") ? 1 : rest.starts_with(" - ") ? 2 : 0;
  if (!hash && !rest.substr(sign).starts_with(' ')) return {};
  const std::size_t begin = hash ? first - 1 : first;
  return {*number, begin, end + sign - begin, hash || dot};
}

/// Whether the numbers at the starts of lines rise from 1 to 3 or more. Those are numbers of lines, not of ships; "1
/// Howlrunner" and "2 Academy Pilot" are three ships.
bool is_series(const std::vector<LineNumber>& numbers) {
  int last = 0;
  for (const LineNumber& one : numbers) {
    if (one.width > 0 && one.number != ++last) return false;
  }
  return last > 2;
}

/// Whether a line continues the link of a squad, in which a mail or chat has broken the line before.
bool continues_link(std::string_view line, const std::string& link) {
  constexpr std::string_view kShips = "0123456789WXYZ";
  const bool squad = link.find("d=v") != link.npos || line.find("d=v") != line.npos;
  if (!squad || line.find_first_of(" \t") != line.npos || line.find("://") != line.npos) return false;
  return line.find_first_of("&=%") != line.npos ||
         (line.find_first_of("WXYZ") != line.npos && line.find_first_not_of(kShips) == line.npos);
}

/// Joins the lines over which a link is spread.
void join_links(std::vector<std::string>& lines) {
  std::size_t first = 0;  // the line of the link
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = base::trimmed(lines[i]);
    const std::string_view link =
        std::string_view(lines[first]).substr(std::min(lines[first].find("://"), lines[first].size()));
    if (i > first && !link.empty() && link.find_first_of(" )]>\"") == link.npos && continues_link(line, lines[first])) {
      lines[first] += line;
      lines[i].clear();
    } else {
      lines[i].erase(lines[i].find_last_not_of(" \t\r") + 1);
      first = i;
    }
  }
}

/// Moves the links out of the line.
void take_links(std::string& line, std::vector<std::string>& links) {
  for (std::size_t at = line.find("://"); at != std::string::npos; at = line.find("://")) {
    std::size_t begin = line.find_last_of(" ([<\"", at) + 1;
    std::size_t end = std::min(line.find_first_of(" )]>\"\r", at), line.size());
    const std::string link = line.substr(begin, end - begin);
    if (!base::contains(links, link)) links.push_back(link);
    if (begin > 0 && line[begin - 1] == '<') --begin;
    if (line.substr(end).starts_with('>')) ++end;
    line.erase(begin, end - begin);
  }
}

}  // namespace

std::string without_html(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {"&nbsp;", " "},  {"&quot;", "\""},   {"&amp;", "&"},     {"&apos;", "'"},  {"&lt;", "("},
      {"&gt;", ")"},    {"&ndash;", " - "}, {"&mdash;", " - "}, {"&bull;", "  "}, {"&times;", "x"},
      {"&rsquo;", "'"}, {"&lsquo;", "'"},   {"&ldquo;", "\""},  {"&rdquo;", "\""}};
  std::string out;
  std::size_t depth = 0;  // of lists
  bool begun = false;     // a tag has begun the line or cell, which is still empty
  bool ended = false;     // a tag has ended the line; what follows belongs to the next one
  const auto begin_line = [&] { out += "\n" + std::string(2 * depth, ' '); };
  while (!text.empty()) {
    if (const Tag tag = tag_at(text); tag.width > 0) {
      if (const std::string_view link = link_in(text.substr(0, tag.width)); !link.empty())
        out += without_html(link) + " ";
      text.remove_prefix(tag.width);
      if (tag.of_list())
        depth = tag.ends ? depth - std::min<std::size_t>(depth, 1) : std::min<std::size_t>(depth + 1, 8);
      if (tag.of_line() && !tag.ends && !tag.of_list()) {
        begin_line();
        begun = true, ended = false;
      } else if (tag.of_line()) {
        ended = true;
      } else if (tag.of_cell() || tag.name == "span") {
        const std::size_t last = out.find_last_not_of(' ');
        if (last != std::string::npos && out[last] != '\n') out += "  ";
        begun = begun || (tag.of_cell() && !tag.ends);
      }
      continue;
    }
    if (text[0] == '\n' || text[0] == '\r') {  // beside a tag of lines or cells, it is only layout
      std::string_view blanks = text.substr(0, text.find_first_not_of(" \t\r\n"));
      text.remove_prefix(blanks.size());
      if (const Tag next = tag_at(text); next.of_line() || next.of_cell()) continue;
      if (begun)
        blanks.remove_prefix(blanks.find('\n') + 1);
      else
        ended = false;
      out += blanks;
      continue;
    }
    std::size_t width = 1;
    std::string_view plain = text.substr(0, 1);
    for (const auto& [mark, meant] : kMarks) {
      if (text.starts_with(mark)) plain = meant, width = mark.size();
    }
    const auto [character, numbered] = numbered_character(text);
    if (numbered > 0) plain = character, width = numbered;
    if (plain.find_first_not_of(" \t") != std::string_view::npos) {
      if (ended) begin_line();
      begun = ended = false;
    }
    out += plain;
    text.remove_prefix(width);
  }
  return out;
}

std::optional<int> points_in(std::string_view text) {
  text = base::trimmed(text, " \t+=()");
  const std::size_t end = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string unit = base::lower_case(base::trimmed(text.substr(end), kAroundNames));
  constexpr std::array<std::string_view, 10> kUnits{"",       "p",      "pt",     "pts",   "point",
                                                    "points", "punkte", "puntos", "punti", "pkt"};
  const bool of_loadout = unit.starts_with('/') && base::trimmed(unit, "/ ").find_first_of(kDigits) == 0;
  if (end == 0 || end > 4 || (!of_loadout && !base::contains(kUnits, std::string_view(unit)))) return std::nullopt;
  return base::whole_number(text.substr(0, end));
}

std::vector<ListLine> lines_of(std::string_view text, std::vector<std::string>& links) {
  std::vector<ListLine> out;
  std::vector<std::string> all;
  const std::string plain = without_html(with_plain_line_ends(text));
  std::vector<bool> stamped;
  for (const std::string_view one : base::split(plain, '\n')) {
    const std::size_t stamp = chat_stamp_at(one);
    stamped.push_back(stamp > 0);
    all.push_back(without_marks(one.substr(stamp)));
  }
  join_links(all);
  std::vector<LineNumber> numbers;
  for (const std::string& line : all) numbers.push_back(number_at_start(line));
  const bool counted = is_series(numbers);
  bool blank = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string& line = all[i];
    const LineNumber& number = numbers[i];
    const bool counts = counted && !number.marked && number.width > 0;
    if (number.marked || counts) line.replace(number.begin, number.width, number.width, ' ');
    const std::size_t many = links.size();
    take_links(line, links);
    const std::size_t indent = counts || number.marked ? number.begin : line.find_first_not_of(" -#>.");
    ListLine one{static_cast<int>(i) + 1, indent, blank, links.size() > many, counts, stamped[i], {}};
    if (indent != std::string::npos) one.items = ItemSplitter(line).items;
    blank = one.items.empty();
    if (!blank) out.push_back(std::move(one));
  }
  std::size_t least = std::string::npos;
  for (const ListLine& one : out) least = std::min(least, one.indent);
  for (ListLine& one : out) one.indent -= least;
  return out;
}

}  // namespace salvo::load
