// The layout of JSON: numbers that read back as the same double, lines that people can read.
#include "report/json_layout.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace salvo::report {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kColumns = 110;  ///< longer values are broken into lines
constexpr std::size_t kIndent = 2;

/// The shortest digits that read back as the same double, always with a point or exponent; null where JSON has no word.
std::string number_text(double x) {
  if (!std::isfinite(x)) return "null";
  std::string text = fmt::format("{}", x == 0 ? 0.0 : x);  // no negative zero
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string compact(const ordered_json& value);

std::string json_string(const std::string& text) {
  return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The members of an array or object as text, each with its key.
std::vector<std::string> compact_members(const ordered_json& value) {
  std::vector<std::string> out;
  for (const auto& [key, member] : value.items()) {
    out.push_back(value.is_object() ? json_string(key) + ": " + compact(member) : compact(member));
  }
  return out;
}

/// The value on one line.
std::string compact(const ordered_json& value) {
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_string()) return json_string(value.get<std::string>());
  if (!value.is_structured()) return value.dump();
  const auto members = compact_members(value);
  return fmt::format("{}{}{}", value.is_object() ? '{' : '[', fmt::join(members, ", "), value.is_object() ? '}' : ']');
}

void write(std::string& out, const ordered_json& value, std::size_t indent, std::size_t column);

void write_object(std::string& out, const ordered_json& object, std::size_t indent) {
  const std::string margin(indent + kIndent, ' ');
  std::string_view separator = "{\n";
  for (const auto& [key, member] : object.items()) {
    const std::string name = json_string(key) + ": ";
    out += separator;
    out += margin + name;
    write(out, member, indent + kIndent, indent + kIndent + name.size());
    separator = ",\n";
  }
  out += "\n" + std::string(indent, ' ') + "}";
}

/// Objects get a line each; numbers and short arrays fill lines.
void write_array(std::string& out, const ordered_json& array, std::size_t indent) {
  const std::string margin = "\n" + std::string(indent + kIndent, ' ');
  std::size_t column = kColumns;
  out += "[";
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string text = compact(array[i]);
    if (i > 0) out += ",";
    if (array[i].is_object() || column + text.size() + 2 > kColumns) {
      out += margin;
      column = indent + kIndent;
    } else {
      out += " ";
      ++column;
    }
    write(out, array[i], indent + kIndent, column);
    column += text.size() + 1;
  }
  out += "\n" + std::string(indent, ' ') + "]";
}

/// `column`: where the value starts; what fits into the line stays on it.
void write(std::string& out, const ordered_json& value, std::size_t indent, std::size_t column) {
  const std::string line = compact(value);
  if (!value.is_structured() || value.empty() || column + line.size() + 1 <= kColumns) {
    out += line;
  } else if (value.is_object()) {
    write_object(out, value, indent);
  } else {
    write_array(out, value, indent);
  }
}

}  // namespace

std::string json_line(const ordered_json& value) { return compact(value); }

std::string json_page(const ordered_json& value) {
  std::string out;
  write(out, value, 0, 0);
  return out + "\n";
}

}  // namespace salvo::report
