// Breaks JSON into readable lines: a value that fits into a line stays on it.
#include <string>
#include <string_view>

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

/// Copies a line of JSON to `out` value by value. A value that does not fit into a line is never measured beyond it, so
/// that nested values are not read once for each level.
class Layout {
 public:
  Layout(std::string_view line, std::string& out) : line_(line), out_(out) {}

  /// Writes the next value. `column`: where it starts.
  void write(std::size_t indent, std::size_t column) { write(length_of_value(), indent, column); }

 private:
  /// The length of the next value; of an object or an array that is longer than a line, some length that is, too.
  std::size_t length_of_value() const {
    std::size_t at = at_, depth = 0;
    do {
      switch (line_[at]) {
        case '"':
          at = end_of_string(line_, at);
          continue;
        case '{':
        case '[':
          ++depth;
          break;
        case '}':
        case ']':
          --depth;
          break;
        default:
          break;
      }
      ++at;
    } while (depth > 0 ? at - at_ <= kColumns : at < line_.size() && !ends_value(line_[at]));
    return at - at_;
  }

  static bool ends_value(char c) { return c == ',' || c == ']' || c == '}'; }

  void copy(std::size_t length) {
    out_ += line_.substr(at_, length);
    at_ += length;
  }

  void break_line(std::size_t indent) {
    out_ += '\n';
    out_.append(indent, ' ');
  }

  void write(std::size_t length, std::size_t indent, std::size_t column) {
    const char first = line_[at_];
    if ((first != '{' && first != '[') || length == 2 || column + length + 1 <= kColumns) return copy(length);
    copy(1);
    first == '{' ? write_members(indent + kIndent) : write_elements(indent + kIndent);
    break_line(indent);
    copy(1);
  }

  /// Whether another member or element follows; goes to its beginning.
  bool next() {
    if (line_[at_] != ',') return false;
    copy(1);
    ++at_;  // the space
    return true;
  }

  void write_members(std::size_t indent) {
    do {
      break_line(indent);
      const std::size_t name = end_of_string(line_, at_) + 2 - at_;  // with the colon
      copy(name);
      write(indent, indent + name);
    } while (next());
  }

  /// Objects get a line each; numbers and short arrays fill lines.
  void write_elements(std::size_t indent) {
    std::size_t column = kColumns;
    do {
      const std::size_t length = length_of_value();
      if (line_[at_] == '{' || column + length + 2 > kColumns) {
        break_line(indent);
        column = indent;
      } else {
        out_ += ' ';
        ++column;
      }
      write(length, indent, column);
      column += length + 1;
    } while (next());
  }

  std::string_view line_;
  std::string& out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string wrap_json(std::string_view line) {
  std::string out;
  out.reserve(line.size() + line.size() / 2);
  Layout(line, out).write(0, 0);
  out += '\n';
  return out;
}

}  // namespace salvo::report
