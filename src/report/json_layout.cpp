// Breaks JSON into readable lines: a value that fits into a line stays on it.
#include <algorithm>

#include "report/json_writer.h"

namespace salvo::report {
namespace {

constexpr std::size_t kColumns = 110;  ///< longer values are broken up
constexpr std::size_t kIndent = 2;

/// The end of the string that begins at `at`: one past its closing quote.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

/// The length of the first value of `json`.
std::size_t length_of_value(std::string_view json) {
  std::size_t at = 0, depth = 0;
  do {
    switch (json[at]) {
      case '"':
        at = end_of_string(json, at);
        break;
      case '{':
      case '[':
        ++depth;
        ++at;
        break;
      case '}':
      case ']':
        --depth;
        ++at;
        break;
      default:
        at = std::min(json.find_first_of("\"{}[],", at + 1), json.size());
    }
  } while (at < json.size() && (depth > 0 || (json[at] != ',' && json[at] != ']' && json[at] != '}')));
  return at;
}

/// Splits an object into members, or an array into elements.
class Members {
 public:
  explicit Members(std::string_view all) : object_(all[0] == '{'), rest_(all.substr(1, all.size() - 2)) {}

  bool next() {
    if (rest_.empty()) return false;
    if (object_) name = take(end_of_string(rest_, 0) + 2);  // with the colon
    value = take(length_of_value(rest_));
    take(std::min<std::size_t>(2, rest_.size()));  // the comma and its space
    return true;
  }

  std::string_view name, value;

 private:
  std::string_view take(std::size_t length) {
    const std::string_view out = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return out;
  }

  bool object_;
  std::string_view rest_;
};

void write(std::string& out, std::string_view value, std::size_t indent, std::size_t column);

void write_object(std::string& out, std::string_view object, std::size_t indent) {
  std::string_view separator = "{\n";
  for (Members members(object); members.next(); separator = ",\n") {
    out += separator;
    out.append(indent + kIndent, ' ');
    out += members.name;
    write(out, members.value, indent + kIndent, indent + kIndent + members.name.size());
  }
  out += '\n';
  out.append(indent, ' ');
  out += '}';
}

/// Objects get a line each; numbers and short arrays fill lines.
void write_array(std::string& out, std::string_view array, std::size_t indent) {
  std::size_t column = kColumns;
  std::string_view separator = "[";
  for (Members elements(array); elements.next(); separator = ",") {
    out += separator;
    if (elements.value[0] == '{' || column + elements.value.size() + 2 > kColumns) {
      out += '\n';
      out.append(indent + kIndent, ' ');
      column = indent + kIndent;
    } else {
      out += ' ';
      ++column;
    }
    write(out, elements.value, indent + kIndent, column);
    column += elements.value.size() + 1;
  }
  out += '\n';
  out.append(indent, ' ');
  out += ']';
}

/// `column`: where the value starts.
void write(std::string& out, std::string_view value, std::size_t indent, std::size_t column) {
  const bool structured = value[0] == '{' || value[0] == '[';
  if (!structured || value.size() == 2 || column + value.size() + 1 <= kColumns) {
    out += value;
  } else if (value[0] == '{') {
    write_object(out, value, indent);
  } else {
    write_array(out, value, indent);
  }
}

}  // namespace

std::string page_of_line(std::string_view line) {
  std::string out;
  out.reserve(line.size() + line.size() / 2);
  write(out, line, 0, 0);
  out += '\n';
  return out;
}

}  // namespace salvo::report
