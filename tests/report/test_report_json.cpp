// JSON as text: the writer and its layout against a slow model that prints a tree of values.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "report/json_writer.h"

using namespace salvo;
using nlohmann::ordered_json;
using report::JsonWriter;

namespace {

// ---------------------------------------------------------------- the model

std::string text_of(const std::string& text) {
  return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string line_of(const ordered_json& value) {
  if (value.is_number_float()) {
    const double x = value.get<double>();
    if (!std::isfinite(x)) return "null";
    const std::string text = fmt::format("{}", x == 0 ? 0.0 : x);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  if (value.is_string()) return text_of(value.get<std::string>());
  if (!value.is_structured()) return value.dump();
  std::vector<std::string> members;
  for (const auto& [key, member] : value.items()) {
    members.push_back((value.is_object() ? text_of(key) + ": " : "") + line_of(member));
  }
  return fmt::format("{}{}{}", value.is_object() ? '{' : '[', fmt::join(members, ", "), value.is_object() ? '}' : ']');
}

/// `column`: where the value starts. A value that fits into 110 columns stays on the line; objects in arrays begin one.
std::string page_of(const ordered_json& value, std::size_t indent, std::size_t column) {
  const std::string line = line_of(value), margin = "\n" + std::string(indent + 2, ' ');
  if (!value.is_structured() || value.empty() || column + line.size() + 1 <= 110) return line;
  std::string out;
  std::size_t at = 110;
  for (const auto& [key, member] : value.items()) {
    out += out.empty() ? "" : ",";
    if (value.is_object()) {
      const std::string name = text_of(key) + ": ";
      out += margin + name + page_of(member, indent + 2, indent + 2 + name.size());
      continue;
    }
    const std::size_t size = line_of(member).size();
    const bool breaks = member.is_object() || at + size + 2 > 110;
    at = breaks ? indent + 2 : at + 1;
    out += (breaks ? margin : " ") + page_of(member, indent + 2, at);
    at += size + 1;
  }
  return (value.is_object() ? "{" : "[") + out + "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

// ---------------------------------------------------------------- random values

using Random = std::mt19937_64;

std::string random_text(Random& random) {
  std::string out(random() % 12, 'a');
  for (char& c : out) {
    const std::uint64_t kind = random() % 8;
    c = kind == 0 ? static_cast<char>(random()) : kind == 1 ? "\"\\{}[],: \n"[random() % 10] : "plain"[random() % 5];
  }
  return out;
}

ordered_json random_value(Random& random, int depth) {
  switch (random() % (depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<std::int64_t>(random() % 2001) - 1000;
    case 3:
    case 4:
      return std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 120));
    case 5:
      return random_text(random);
    case 6: {
      ordered_json out = ordered_json::array();
      for (std::size_t n = random() % 20; n > 0; --n) out.push_back(random_value(random, depth - 1));
      return out;
    }
    default: {
      ordered_json out = ordered_json::object();
      for (std::size_t n = random() % 8; n > 0; --n)
        out[random_text(random) + std::to_string(n)] = random_value(random, depth - 1);
      return out;
    }
  }
}

void write(JsonWriter& json, const ordered_json& value) {
  if (value.is_object()) {
    json.object([&] {
      for (const auto& [key, member] : value.items()) {
        json.key(key);
        write(json, member);
      }
    });
  } else if (value.is_array()) {
    json.array([&] {
      for (const auto& element : value) write(json, element);
    });
  } else if (value.is_null()) {
    json.value(std::nullopt);
  } else if (value.is_boolean()) {
    json.value(value.get<bool>());
  } else if (value.is_number_integer()) {
    json.value(value.get<std::int64_t>());
  } else if (value.is_number()) {
    json.value(value.get<double>());
  } else {
    json.value(value.get<std::string>());
  }
}

template <typename T>
std::string written(const T& value) {
  JsonWriter json;
  json.value(value);
  return json.take();
}

}  // namespace

TEST_CASE("JSON of random values equals that of the model, compact and indented", "[report][json]") {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const ordered_json value = random_value(random, 4);
    JsonWriter json;
    write(json, value);
    const std::string line = json.take();
    REQUIRE(line == line_of(value));
    REQUIRE(report::wrap_json(line) == page_of(value, 0, 0) + "\n");
    REQUIRE(report::indented(line) == value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  }
}

TEST_CASE("JSON numbers have the shortest digits, and a point or an exponent", "[report][json]") {
  CHECK(written(0.1) == "0.1");
  CHECK(written(2.0) == "2.0");
  CHECK(written(-0.0) == "0.0");
  CHECK(written(1e22) == "1e+22");
  CHECK(written(5e-324) == "5e-324");
  CHECK(written(std::numeric_limits<double>::infinity()) == "null");
  CHECK(written(std::nan("")) == "null");
  CHECK(written(-7) == "-7");
  CHECK(written(~std::uint64_t{0}) == "18446744073709551615");
}

TEST_CASE("JSON numbers of every size are formatted as by fmt", "[report][json]") {
  Random random(5);
  const auto check = [](double x) {
    std::string expected = fmt::format("{}", x);
    if (expected.find_first_of(".e") == std::string::npos) expected += ".0";
    REQUIRE(written(x) == expected);
    REQUIRE(std::stod(written(x)) == x);
  };
  for (const double x : {1e-4, 9.999999999999999e-05, 1e15, 1e16, 9999999999999998.0, 123456.0, 0.1, 1.5, 100.25, 1e-5})
    for (const double sign : {1.0, -1.0}) check(sign * x);
  for (int i = 0; i < 200'000; ++i) {
    const double share = static_cast<double>(random() >> 8) / 16777216.0;
    check((share + 1e-9) * std::pow(10.0, static_cast<int>(random() % 40) - 20));
    check(share / 3 + 1e-12);
  }
}

TEST_CASE("JSON starts a new value after a line and discards what truncate() cuts off", "[report][json]") {
  JsonWriter json;
  json.value(1);
  json.end_line();
  const std::size_t before = json.size();
  json.object([&] { json.member("a", std::string(10'000, 'x')); });
  json.truncate(before);
  json.object([&] { json.member("b", 2); });
  json.end_line();
  CHECK(json.take() == "1\n{\"b\": 2}\n");
}

TEST_CASE("JSON of lists, pairs and optional values", "[report][json]") {
  CHECK(written(std::vector<double>{1, 0.5}) == "[1.0, 0.5]");
  CHECK(written(std::vector<std::string>{}) == "[]");
  CHECK(written(std::map<std::string, int>{{"a", 1}, {"b", 2}}) == R"({"a": 1, "b": 2})");
  CHECK(written(std::vector<std::pair<std::string, double>>{{"x", 0}}) == R"({"x": 0.0})");
  CHECK(written(std::optional<int>()) == "null");
  CHECK(written(std::optional(true)) == "true");
  CHECK(written("text") == R"("text")");
  CHECK(report::json_line([](JsonWriter&) {}) == "{}");
  CHECK(report::json_unquoted(R"("a\"\u00e9")") == "a\"\xC3\xA9");
}

TEST_CASE("JSON texts that are not UTF-8 are repaired", "[report][json]") {
  CHECK(written("a\xFF") == "\"a\xEF\xBF\xBD\"");
  CHECK(written("tab\t\x01\x7F") == "\"tab\\t\\u0001\x7F\"");
}
