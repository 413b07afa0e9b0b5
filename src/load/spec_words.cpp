#include "load/spec_words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "base/index.h"
#include "base/text.h"

namespace salvo::load {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Keys whose values are lists: a comma belongs to them.
bool has_list(std::string_view word) {
  constexpr std::string_view kLists[] = {"rolled=", "results=", "faceup="};
  const std::string start = base::lower_case(word.substr(0, word.find('=') + 1));
  return base::contains(kLists, std::string_view(start));
}

/// The word in lower case with the letter x in place of a multiplication sign.
std::string with_letter_x(const std::string& word) {
  constexpr std::string_view kSign = "\u00d7";
  std::string out = base::lower_case(word);
  if (const std::size_t at = out.find(kSign); at != std::string::npos) out.replace(at, kSign.size(), "x");
  return out;
}

}  // namespace

std::vector<std::string> split_spec(std::string_view spec) {
  std::vector<std::string> out;
  bool open = false, quoted = false;
  for (const char c : spec) {
    if (c == '"') quoted = !quoted;
    const bool separates =
        !quoted && (kBlanks.find(c) != std::string_view::npos || (c == ',' && !(open && has_list(out.back()))));
    if (!separates && !open) out.emplace_back();
    open = !separates;
    if (!separates && c != '"') out.back() += c;
  }
  return out;
}

std::vector<std::string> join_chances(std::vector<std::string> words) {
  std::vector<std::string> out;
  for (std::string& word : words) {
    const std::size_t colon = std::min(word.find_first_not_of("0123456789"), word.size());
    const bool more = colon > 0 && word.substr(colon).starts_with(':') && !out.empty() &&
                      out.back().find('=') < out.back().find(':') && out.back().find(':') != std::string::npos;
    if (more) {
      out.back() += "," + word;
    } else {
      out.push_back(std::move(word));
    }
  }
  return out;
}

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_article(std::string_view word) {
  constexpr std::string_view kArticles[] = {"the", "a", "an", "his", "her", "their"};
  return base::contains(kArticles, std::string_view(base::lower_case(word)));
}

bool is_joining(std::string_view word) {
  return base::contains(kWithWords, word) || base::contains(kAndWords, word) || word == "+" || word == "&" ||
         word == "plus" || word == "in";
}

std::vector<std::string> join_times(const std::vector<std::string>& words) {
  const auto word_at = [&](std::size_t i) { return i < words.size() ? with_letter_x(words[i]) : std::string(); };
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = word_at(i), next = word_at(i + 1);
    // "3 x 2" may be two attacks of three dice or three of two.
    const bool joins = times_of(word + next) > 0 && ((next == "x" && !is_number(word_at(i + 2))) ||
                                                     (word == "x" && (i == 0 || !is_number(words[i - 1]))));
    out.push_back(joins ? word + next : times_of(word) > 0 ? word : words[i]);
    i += joins ? 1 : 0;
  }
  return out;
}

int times_of(std::string_view word, std::size_t digits) {
  if (word.size() < 2 || word.size() > digits + 1) return 0;
  const std::string_view number = word.front() == 'x' ? word.substr(1) : word.substr(0, word.size() - 1);
  if ((word.front() == 'x') == (word.back() == 'x') || number.starts_with('-') || !is_number(number)) return 0;
  return base::whole_number(number).value_or(std::numeric_limits<int>::max());
}

int number_word(std::string_view word) {
  constexpr std::pair<std::string_view, int> kWords[] = {
      {"two", 2},  {"double", 2}, {"three", 3},  {"triple", 3}, {"four", 4}, {"five", 5},
      {"six", 6},  {"seven", 7},  {"eight", 8},  {"zwei", 2},   {"drei", 3}, {"vier", 4},
      {"deux", 2}, {"trois", 3},  {"quatre", 4}, {"dos", 2},    {"tres", 3}, {"cuatro", 4}};
  const auto at = std::find_if(std::begin(kWords), std::end(kWords),
                               [lower = base::lower_case(word)](const auto& one) { return one.first == lower; });
  return at == std::end(kWords) ? 0 : at->second;
}

std::pair<std::string, int> counted_words(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789", kBetween = "x*:()-\u00d7 ";
  const std::string lower = base::lower_case(text);
  const std::size_t first = lower.find_first_of(kDigits), last = lower.find_last_of(kDigits);
  if (first == std::string::npos) return {};
  const std::string before(base::trimmed(std::string_view(lower).substr(0, first), kBetween));
  const std::string behind(base::trimmed(std::string_view(lower).substr(last + 1), kBetween));
  if (before.empty() == behind.empty()) return {};
  return {before + behind, base::whole_number(lower.substr(first, last + 1 - first)).value_or(0)};
}

data::Value value_of(std::string_view word) {
  if (word == "true" || word == "false") return data::Value::of(word == "true");
  if (!is_number(word)) return data::Value::of(std::string(word));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  data::Value value = data::Value::of(number);
  value.huge = error != std::errc();
  if (value.huge) value.text = std::string(word);
  return value;
}

data::Value list_value(std::string_view text) {
  data::Value out = data::Value::array();
  for (std::string& item : base::words_between(text, ",")) out.items.push_back(data::Value::of(std::move(item)));
  return out;
}

}  // namespace salvo::load
