// A fast reader parses plain JSON, a library everything else: texts that both can read give the same trees, and neither
// accepts a text that the other refuses.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "data/plain_json.h"
#include "data/value.h"

using namespace salvo;
using data::Value;
using nlohmann::json;

namespace {

/// The value as the library reads the same text, except the digits of real numbers.
bool agrees(const Value& value, const json& model) {
  switch (value.kind) {
    case Value::Kind::Null:
      return model.is_null();
    case Value::Kind::Boolean:
      return model.is_boolean() && model.get<bool>() == value.boolean;
    case Value::Kind::Integer:
      return model.is_number_integer() && model.get<std::int64_t>() == value.integer && !value.huge;
    case Value::Kind::Real:
      return model.is_number_float() && model.get<double>() == std::stod(value.text);
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

}  // namespace

TEST_CASE("plain JSON is read as by the library, even if damaged", "[load][json]") {
  REQUIRE(data::parse_plain_json(kQuestion).has_value());
  std::mt19937 random(7);
  const std::string letters = "{}[]\",:.-+eE0123456789 \n\ttruefalsn\\u\x01\x7f\xc3\xa9/";
  int plain = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text = kQuestion;
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
    const auto value = data::parse_plain_json(text);
    if (!value) continue;
    ++plain;
    const json model = json::parse(text, nullptr, false);
    INFO(text);
    REQUIRE(!model.is_discarded());
    REQUIRE(agrees(*value, model));
  }
  CHECK(plain > 20'000);
}

TEST_CASE("the plain reader leaves difficult texts to the library", "[load][json]") {
  for (const char* text : {"",
                           " ",
                           "01",
                           "-",
                           "1.",
                           "1e3",
                           "1.5E2",
                           "12345678901234567890",
                           "\"a\\n\"",
                           "\"\xC3\xA9\"",
                           "{\"a\": 1, \"a\": 2}",
                           "[1,]",
                           "{\"a\" 1}",
                           "{a: 1}",
                           "tru",
                           "nul",
                           "[1] 2",
                           "\xEF\xBB\xBF[]",
                           "\"\x7F\"",
                           "[1",
                           "{\"a\": 1"}) {
    INFO(text);
    CHECK(!data::parse_plain_json(text).has_value());
  }
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
  };
  CHECK(data::parse_plain_json(nested(data::kMaxDepth)).has_value());
  CHECK(!data::parse_plain_json(nested(data::kMaxDepth + 1)).has_value());
}

TEST_CASE("values of plain JSON have their lines", "[load][json]") {
  const std::string text = "{\"a\": 1,\n \"b\":\n  [2,\n 3\n, {\"c\":\n\n4}]\n}";
  const Value plain = data::parse_plain_json(text).value();
  const Value escaped =
      data::parse_json("{\"a\": 1,\n \"b\":\n  [2,\n 3\n, {\"\\u0063\":\n\n4}]\n}", "-");  // by the library
  CHECK(plain.items[0].line == 1);
  CHECK(plain.items[1].line == 2);
  CHECK(plain.items[1].items[0].line == 3);
  CHECK(plain.items[1].items[1].line == 4);
  CHECK(plain.items[1].items[2].line == 5);
  CHECK(plain.items[1].items[2].items[0].line == 5);
  const auto same_lines = [](const auto& self, const Value& a, const Value& b) -> bool {
    if (a.line != b.line || a.items.size() != b.items.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      if (!self(self, a.items[i], b.items[i])) return false;
    }
    return true;
  };
  CHECK(same_lines(same_lines, plain, escaped));
}
