// JSON as text: see json_writer.h. Texts with anything but plain ASCII, and what has to be read again, are left to a
// library.
#include "report/json_writer.h"

#include <fmt/compile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace salvo::report {

using nlohmann::ordered_json;

void append_json(std::string& out, double x) {
  if (!std::isfinite(x)) {
    out += "null";
  } else if (x == 0) {
    out += "0.0";  // no negative zero
  } else {
    const std::size_t start = out.size();
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), x);
    if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
  }
}

void append_json(std::string& out, std::string_view text) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), plain)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
}

std::string json_unquoted(std::string_view json) { return ordered_json::parse(json).get<std::string>(); }

std::string indented(std::string_view line) { return ordered_json::parse(line).dump(2) + "\n"; }

void JsonWriter::separate() {
  if (!separated_) out_ += ", ";
  separated_ = false;
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  separated_ = true;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  separated_ = false;
}

void JsonWriter::key(std::string_view name) {
  write(name);
  out_ += ": ";
  separated_ = true;
}

void JsonWriter::write(std::string_view x) {
  separate();
  append_json(out_, x);
}

void JsonWriter::write(double x) {
  separate();
  append_json(out_, x);
}

void JsonWriter::write(std::int64_t x) {
  separate();
  fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{}"), x);
}

void JsonWriter::write(std::uint64_t x) {
  separate();
  fmt::format_to(std::back_inserter(out_), FMT_COMPILE("{}"), x);
}

void JsonWriter::write(bool x) {
  separate();
  out_ += x ? "true" : "false";
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  separated_ = false;
}

void JsonWriter::write_null() {
  separate();
  out_ += "null";
}

}  // namespace salvo::report
