#include "load/squads/squad_yaml.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace salvo::load {
namespace {

using data::Value;

/// Thrown when the text is not YAML that this reader understands.
struct NoYaml {};

void need(bool holds) {
  if (!holds) throw NoYaml();
}

Value scalar(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "None") return Value::of(Value::Kind::Null);
  return Value::of(std::string(text));
}

/// Adds a member to a table. A key stated twice is no more understood than in JSON.
void add(Value& table, std::string key, Value value) {
  constexpr std::size_t kMostMembers = 500;  // more take long to compare
  need(table.items.size() < kMostMembers && table.find(key) == nullptr);
  table.add(std::move(key), std::move(value));
}

/// Reads lists in brackets, tables in braces and quoted texts.
class FlowReader {
 public:
  explicit FlowReader(std::string_view text) : rest_(text) {}

  /// The value at the start of the text.
  Value value(int depth) {
    need(depth < data::kMaxDepth);
    skip_blanks();
    if (rest_.starts_with('{')) return table(depth);
    if (rest_.starts_with('[')) return list(depth);
    return quoted() ? Value::of(quoted_text()) : scalar(plain(",]}"));
  }

  bool quoted() const { return rest_.starts_with('"') || rest_.starts_with('\''); }

  /// A text between marks. A doubled or escaped mark is one of the text.
  std::string quoted_text() {
    const char mark = rest_[0];
    std::string out;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      const bool escapes = rest_[i] == '\\' || rest_.substr(i).starts_with("''");
      if (escapes && i + 1 < rest_.size() && (rest_[i + 1] == mark || rest_[i + 1] == '\\')) {
        out += rest_[++i];
      } else if (rest_[i] == mark) {
        rest_.remove_prefix(i + 1);
        return out;
      } else {
        out += rest_[i];
      }
    }
    throw NoYaml();
  }

  std::string_view rest() {
    skip_blanks();
    return rest_;
  }

 private:
  /// Skips comments, too.
  void skip_blanks() {
    while (true) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
      const std::string_view end = rest_.starts_with("//") ? "\n" : rest_.starts_with("/*") ? "*/" : "";
      if (end.empty()) return;
      rest_.remove_prefix(std::min(rest_.find(end, 2), rest_.size() - end.size()) + end.size());
    }
  }

  std::string_view plain(std::string_view ends) {
    const std::size_t end = std::min(rest_.find_first_of(ends), rest_.size());
    const std::string_view out = base::trimmed(rest_.substr(0, end));
    need(!out.empty() && out.find('"') == out.npos);
    rest_.remove_prefix(end);
    return out;
  }

  bool take(char sign) {
    skip_blanks();
    const bool found = rest_.starts_with(sign);
    rest_.remove_prefix(found ? 1 : 0);
    return found;
  }

  Value list(int depth) {
    Value out = Value::array();
    take('[');
    while (!take(']')) {
      out.items.push_back(value(depth + 1));
      if (!take(',')) need(rest_.starts_with(']'));
    }
    return out;
  }

  Value table(int depth) {
    Value out = Value::table();
    take('{');
    while (!take('}')) {
      std::string key = quoted() ? quoted_text() : std::string(plain(":,{}[]"));
      need(take(':'));
      add(out, std::move(key), value(depth + 1));
      if (!take(',')) need(rest_.starts_with('}'));
    }
    return out;
  }

  std::string_view rest_;
};

/// The text without a comment at its end.
std::string_view without_comment(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if ((text[i] == '"' || text[i] == '\'') && (i == 0 || text[i - 1] == ' ')) {
      quote = text[i];
    } else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ')) {
      return text.substr(0, i);
    }
  }
  return text;
}

struct Line {
  std::size_t indent;
  std::string_view text;
};

std::vector<Line> lines_of_yaml(std::string_view text) {
  std::vector<Line> out;
  for (const std::string_view one : base::split(text, '\n')) {
    const std::string_view line = base::trimmed(without_comment(one));
    if (!line.empty() && line != "---" && line != "...") out.push_back({one.find_first_not_of(" \t"), line});
  }
  return out;
}

/// Reads lists and tables by the indentation of their lines.
class BlockReader {
 public:
  explicit BlockReader(std::vector<Line> lines) : lines_(std::move(lines)) {}

  Value document() {
    need(!lines_.empty());
    Value out = block(0);
    need(at_ == lines_.size());
    return out;
  }

 private:
  bool is_item() const { return lines_[at_].text == "-" || lines_[at_].text.starts_with("- "); }
  bool continues(std::size_t indent) const { return at_ < lines_.size() && lines_[at_].indent == indent; }

  Value block(int depth) {
    need(depth < data::kMaxDepth);
    if (is_item()) return list(depth);
    return key_end(lines_[at_].text) == std::string_view::npos ? one_line(lines_[at_++].text, depth) : table(depth);
  }

  /// The position of the colon after a key; npos if the line has no key.
  static std::size_t key_end(std::string_view line) {
    if (line.starts_with('{') || line.starts_with('[')) return std::string_view::npos;
    const std::size_t colon = line.find(": ");
    return colon == std::string_view::npos && line.ends_with(':') ? line.size() - 1 : colon;
  }

  Value list(int depth) {
    Value out = Value::array();
    for (const std::size_t indent = lines_[at_].indent; continues(indent) && is_item();) {
      Line& line = lines_[at_];
      const std::string_view text = base::trimmed(line.text.substr(1));
      if (text.empty()) {
        ++at_;
        need(at_ < lines_.size() && lines_[at_].indent > indent);
      } else {  // the rest of the line after the dash is the first line of the item
        line = {indent + line.text.size() - text.size(), text};
      }
      out.items.push_back(block(depth + 1));
    }
    return out;
  }

  Value table(int depth) {
    Value out = Value::table();
    for (const std::size_t indent = lines_[at_].indent; continues(indent) && !is_item();) {
      const std::string_view line = lines_[at_].text;
      const std::size_t colon = key_end(line);
      need(colon != std::string_view::npos);
      const std::string_view value = base::trimmed(line.substr(colon + 1));
      ++at_;
      add(out, std::string(base::trimmed(line.substr(0, colon), " \"'")), member(indent, value, depth));
    }
    return out;
  }

  /// The value of a key whose indent is `indent`.
  Value member(std::size_t indent, std::string_view value, int depth) {
    const bool deeper = at_ < lines_.size() && lines_[at_].indent > indent;
    if (value.empty()) return deeper || (continues(indent) && is_item()) ? block(depth + 1) : scalar("");
    const bool words = value == "|" || value == ">" || value == "|-" || value == ">-";  // on the lines below
    std::vector<std::string> parts;
    if (!words) parts.emplace_back(value);
    for (; at_ < lines_.size() && lines_[at_].indent > indent; ++at_) parts.emplace_back(lines_[at_].text);
    const std::string whole = base::joined(parts, " ");
    return words ? scalar(whole) : one_line(whole, depth + 1);
  }

  static Value one_line(std::string_view text, int depth) {
    FlowReader reader(text);
    if (!text.starts_with('{') && !text.starts_with('[') && !reader.quoted()) return scalar(text);
    Value out = reader.value(depth);
    need(reader.rest().empty());
    return out;
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
};

/// The list of pilots, in any case; nullptr: there is none.
const Value* pilots_of(const Value& squad) {
  const auto at = std::find_if(squad.items.begin(), squad.items.end(),
                               [](const Value& one) { return base::lower_case(one.key) == "pilots"; });
  return squad.kind != Value::Kind::Table || at == squad.items.end() ? nullptr : &*at;
}

/// The squad that `read` finds.
template <typename Read>
std::optional<Value> squad_of(const Read& read) {
  try {
    Value out = read();
    const Value* const pilots = pilots_of(out);
    need(pilots != nullptr && pilots->kind == Value::Kind::Array);
    return out;
  } catch (const NoYaml&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Value> parse_squad_yaml(std::string_view text) {
  if (base::lower_case(text).find("pilots:") == std::string::npos) return std::nullopt;
  auto out = squad_of([&] { return BlockReader(lines_of_yaml(text)).document(); });
  if (!out) return out;
  const auto& pilots = pilots_of(*out)->items;
  // "pilots:" may also be the title of a list of names.
  const bool tables =
      std::all_of(pilots.begin(), pilots.end(), [](const Value& one) { return one.kind == Value::Kind::Table; });
  return tables ? std::move(out) : std::nullopt;
}

std::optional<Value> parse_flow_yaml(std::string_view text) {
  return squad_of([&] {
    FlowReader reader(text);
    Value out = reader.value(0);
    need(reader.rest().empty());
    return out;
  });
}

}  // namespace salvo::load
