// The JSON parser accepts what a library accepts and gives the same tree.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "data/value.h"
#include "salvo/errors.h"

using namespace salvo;
using data::Value;
using nlohmann::json;

namespace {

/// Whether the library's value is the same, apart from the digits of real numbers.
bool agrees(const Value& value, const json& model) {
  switch (value.kind) {
    case Value::Kind::Null:
      return model.is_null();
    case Value::Kind::Boolean:
      return model.is_boolean() && model.get<bool>() == value.boolean;
    case Value::Kind::Integer:
      if (value.huge) return model.is_number() && model.get<double>() == std::strtod(value.text.c_str(), nullptr);
      return model.is_number_integer() && model.get<std::int64_t>() == value.integer;
    case Value::Kind::Real:
      return model.is_number_float() && model.get<double>() == std::strtod(value.text.c_str(), nullptr);
    case Value::Kind::Text:
      return model.is_string() && model.get<std::string>() == value.text;
    case Value::Kind::Array:
      if (!model.is_array() || model.size() != value.items.size()) return false;
      for (std::size_t i = 0; i < model.size(); ++i) {
        if (!agrees(value.items[i], model[i])) return false;
      }
      return true;
    case Value::Kind::Table:
      if (!model.is_object() || model.size() != value.items.size()) return false;
      for (const Value& member : value.items) {
        if (!model.contains(member.key) || !agrees(member, model[member.key])) return false;
      }
      return true;
    case Value::Kind::Date:
      return false;
  }
  return false;
}

const std::string kQuestion = R"({"ships": {"a1": {"attack": 2, "upgrades": ["x", "y"], "tokens": {"focus": 1}},
 "d": {"agility": 3, "side": null}}, "attacks": [{"by": "a1", "on": "d", "obstructed": true, "reinforced": false}],
 "precision": 0.001, "trials": 123456789012345678, "n": [-1, 0, -0, -0.5, 10.25, [], {}]})";
const std::string kUnusual = R"({"n": [-9223372036854775808, 18446744073709551615, 1e3, -1.5E+2, 2e-999],
 "t": ["\u00e9\ud83d\ude00\uFFFF\/\b\f\n\r\t\"\\", "é😀"]})";

/// The tree; empty if the text is not valid.
std::optional<Value> parsed(const std::string& text) {
  try {
    return data::parse_json(text, "-");
  } catch (const LoadError&) {
    return std::nullopt;
  }
}

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(data::parse_json(text, "x.json", 3));
  } catch (const LoadError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("JSON is parsed as a library parses it, however it is damaged", "[load][json]") {
  std::mt19937 random(7);
  const std::string letters = "{}[]\",:.-+eE0123456789 \n\ttruefalsn\\u\x01\x7f\xc3\xa9/dD";
  int valid = 0, unusual = 0;
  for (int i = 0; i < 200'000; ++i) {
    const bool plain = i % 2 == 0;
    std::string text = plain ? kQuestion : kUnusual;
    for (std::size_t n = random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1 + random() % 3);
      }
    }
    const auto value = parsed(text);
    const json model = json::parse(text, nullptr, false);
    INFO(text);
    // The library lets a later member replace an earlier one of the same name.
    if (!value && error_of(text).find("given twice") != std::string::npos) continue;
    REQUIRE(value.has_value() == !model.is_discarded());
    if (!value) continue;
    ++(plain ? valid : unusual);
    REQUIRE(agrees(*value, model));
  }
  CHECK(valid > 20'000);
  CHECK(unusual > 20'000);
}

TEST_CASE("errors in JSON name the line and what should stand there", "[load][json]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "x.json:3: not valid JSON: expected a value, found the end;"},
      {"[\n\n", "x.json:4: not valid JSON: expected a value, found the end;"},
      {"[\n01]", "x.json:4: not valid JSON: expected a comma or ], found \"1]\";"},
      {"-", "expected a digit, found the end;"},
      {"1.", "expected a digit, found the end;"},
      {"1e+", "expected a digit, found the end;"},
      {"[1,]", "expected a value, found \"]\"; leave out the comma before it"},
      {"{\"a\": 1,\n}", "expected a text in quotes, found \"}\"; leave out the comma before it"},
      {"{} {}", "another object begins: \"{}\"; give one at a time"},
      {"[] {}", "expected the end of the text, found \"{}\";"},
      {"1 {}", "expected the end of the text, found \"{}\";"},
      {"{\"a\" 1}", "expected a colon, found \"1}\";"},
      {"{a: 1}", "expected a text in quotes, found \"a: 1}\";"},
      {"{\"a\": 1", "expected a comma or }, found the end;"},
      {"tru", "expected true, found \"tru\";"},
      {"[1] 2", "expected the end of the text, found \"2\";"},
      {"\"a", "expected a closing quotation mark on the same line, found the end;"},
      {"\"a\nb\"", "expected a closing quotation mark on the same line, found \"\\nb"},
      {"\"\\x\"", "expected an escape such as \\n, found \"x"},
      {"\"\\u12g4\"", "expected four hex digits, found \"12g4"},
      {"\"\\ud83d\"", "half of a surrogate pair;"},
      {"\"\\ude00\\ud83d\"", "half of a surrogate pair;"},
      {"\"\xC3\"", "a text is not UTF-8;"},
      {"[1e999]", "1e999 is too large; numbers here are small"},
      {std::string(400, '9'), " is too large; numbers here are small"},
      {"{\"b\": [0, {\"a\": 1,\n\"a\": 2}]}", "x.json:4: b[1].a: given twice"}};
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK_THAT(error_of(text), Catch::Contains(message));
  }
  CHECK(parsed("\xEF\xBB\xBF[]").has_value());
}

TEST_CASE("JSON is bounded in depth, and large objects have no duplicates either", "[load][json]") {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
  };
  CHECK(parsed(nested(data::kMaxDepth)).has_value());
  CHECK_THAT(error_of(nested(data::kMaxDepth + 1)), Catch::Contains("levels inside each other"));
  std::string members;
  for (int i = 0; i < 200; ++i) {
    members += "\"k" + std::to_string(i) + "\": 1,\n";
    for (const int other : {0, i}) {
      CHECK(error_of("{" + members + "\"k" + std::to_string(other) + "\": 2}") ==
            "x.json:" + std::to_string(i + 4) + ": k" + std::to_string(other) +
                ": given twice in the same object; remove one of the two");
    }
  }
  CHECK(parsed("{" + members + "\"last\": 1}").value().items.size() == 201);
}

TEST_CASE("JSON values know their lines", "[load][json]") {
  const Value value = data::parse_json("{\"a\": 1,\n \"b\":\n  [2,\n 3\n, {\"c\":\n\n4}]\n}", "-");
  CHECK(value.items[0].line == 1);
  CHECK(value.items[1].line == 2);
  CHECK(value.items[1].items[0].line == 3);
  CHECK(value.items[1].items[1].line == 4);
  CHECK(value.items[1].items[2].line == 5);
  CHECK(value.items[1].items[2].items[0].line == 5);
}
