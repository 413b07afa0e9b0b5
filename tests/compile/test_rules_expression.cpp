// The language of conditions: syntax, evaluation, constant folding and errors.
#include <catch2/catch.hpp>
#include <optional>

#include "compile/expression.h"
#include "game/play.h"
#include "support/errors.h"

using namespace salvo;
using compile::ExpressionError;
using Code = salvo::game::ExpressionOp::Code;

namespace {

/// Facts: x and y are resources 0 and 1, two is 2, counted attack.hit is a face.
salvo::game::Expression resolve(std::string_view name, bool counted) {
  if (counted && name == "attack.hit") return {{Code::AttackFace, 0}};
  if (!counted && name == "x") return {{Code::Resource, 0}};
  if (!counted && name == "y") return {{Code::Resource, 1}};
  if (!counted && name == "self.two-2") return compile::constant(2);
  throw ExpressionError("unknown fact '" + std::string(name) + "'");
}

salvo::game::Expression parse(const std::string& text) { return compile::parse_expression(text, resolve); }

/// The value of a text for these x and y and an attack pool with one hit.
int value(const std::string& text, int x = 0, int y = 0) {
  game::Plan plan;
  plan.resources = {{.initial = x}, {.initial = y}};
  salvo::game::Position position;
  position.attack_pool.add(0, false, 1);
  return game::evaluate(plan, parse(text), position);
}

/// The constant that a text is folded to.
std::optional<int> folded(const std::string& text) {
  int out = 0;
  if (!compile::is_constant(parse(text), out)) return std::nullopt;
  return out;
}

std::string error_of(const std::string& text) {
  return tests::error_of<ExpressionError>([&] { return parse(text); });
}

std::string repeated(const std::string& text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("expressions: or binds loosest, then and, not, comparisons, sums", "[rules][expression]") {
  struct Row {
    std::string text;
    int value;
  };
  const std::vector<Row> rows = {{"1 or 0 and 0", 1},
                                 {"(1 or 0) and 0", 0},
                                 {"0 and 0 or 1", 1},
                                 {"not 0 and 0", 0},
                                 {"not (0 and 0)", 1},
                                 {"not 1 == 2", 1},
                                 {"not not 3", 1},
                                 {"1 + 2 == 3", 1},
                                 {"3 == 1 + 2 and 1", 1},
                                 {"5 - 2 - 1", 2},
                                 {"5 - (2 - 1)", 4},
                                 {"1 - 2 < 0", 1},
                                 {"2 < 3", 1},
                                 {"3 < 3", 0},
                                 {"3 <= 3", 1},
                                 {"4 <= 3", 0},
                                 {"3 > 2", 1},
                                 {"3 > 3", 0},
                                 {"3 >= 3", 1},
                                 {"2 >= 3", 0},
                                 {"2 != 3", 1},
                                 {"2 in [1, 2]", 1},
                                 {"3 in [1, 2]", 0},
                                 {"1 + 1 in [2]", 1},
                                 {"not 3 in [1, 2]", 1},
                                 {"true and not false", 1},
                                 {"'rear' == 'rear'", 1},
                                 {"'rear' == 'front'", 0},
                                 {"'a' in ['b', 'a']", 1},
                                 {"self.two-2 + 1", 3},
                                 {"  1  ", 1},
                                 {"1==1", 1},
                                 {"1000", 1000}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(folded(row.text) == row.value);
  }
}

TEST_CASE("expressions: facts of the position are read when they are evaluated", "[rules][expression]") {
  const std::vector<std::string> texts = {"x",       "x + y",  "x - y",       "x < y",
                                          "x >= y",  "x == y", "x != y",      "not x",
                                          "x and y", "x or y", "x in [y, 2]", "x + 1 > y and not y == 2"};
  for (int x = 0; x <= 3; ++x) {
    for (int y = 0; y <= 3; ++y) {
      const bool in = x == y || x == 2;
      const std::vector<int> want = {x,
                                     x + y,
                                     x - y,
                                     x < y,
                                     x >= y,
                                     x == y,
                                     x != y,
                                     x == 0,
                                     x != 0 && y != 0,
                                     x != 0 || y != 0,
                                     in,
                                     x + 1 > y && y != 2};
      for (std::size_t i = 0; i < texts.size(); ++i) {
        CAPTURE(texts[i], x, y);
        CHECK(value(texts[i], x, y) == want[i]);
      }
    }
  }
  CHECK(value("count(attack.hit)") == 1);
  CHECK(value("count( attack.hit ) == 1") == 1);
}

TEST_CASE("expressions: parts that do not depend on the position are folded", "[rules][expression]") {
  CHECK(folded("x and 0") == 0);
  CHECK(folded("0 and x") == 0);
  CHECK(folded("x or 1") == 1);
  CHECK(folded("1 or x") == 1);
  CHECK(folded("x and (y and not true)") == 0);
  CHECK_FALSE(folded("x and 1"));
  CHECK(parse("1 and x == 2").size() == 3);
  CHECK(parse("x == 1 + 1").size() == 3);
}

TEST_CASE("expressions: and, or and not give 0 or 1", "[rules][expression]") {
  for (const char* text : {"x and y", "x or y", "1 and x", "x and 1", "0 or x", "x or 0", "not not x"}) {
    CAPTURE(text);
    CHECK(value(text, 3, 3) == 1);
    CHECK(value(text, 0, 0) == 0);
  }
}

TEST_CASE("expressions: an empty one has the value given by the caller", "[rules][expression]") {
  CHECK(game::evaluate(game::Plan(), salvo::game::Expression(), salvo::game::Position()) == 1);
  CHECK(game::evaluate(game::Plan(), salvo::game::Expression(), salvo::game::Position(), 7) == 7);
}

TEST_CASE("expressions: the number for a text cannot occur in a condition", "[rules][expression]") {
  for (const std::string text : {"", "front", "rear", "primary:rear", "small"}) {
    CHECK(compile::text_value(text) > 1000);
    CHECK(compile::text_value(text) == compile::text_value(std::string(text)));
  }
  CHECK(compile::text_value("front") != compile::text_value("rear"));
}

TEST_CASE("expressions: errors name their column", "[rules][expression]") {
  struct Row {
    std::string text, part;
  };
  const std::vector<Row> rows = {{"", "is needed at column 1"},
                                 {"x and", "is needed at column 6"},
                                 {"(x", "')' is missing"},
                                 {"x )", "unexpected ')'"},
                                 {"x y", "unexpected 'y'"},
                                 {"x = 1", "unexpected '='"},
                                 {"x in 1", "'[' is missing"},
                                 {"x in [1", "']' is missing"},
                                 {"x in []", "is needed"},
                                 {"'abc", "closing ' is missing"},
                                 {"1001", "from 0 to 1000"},
                                 {"99999999999999", "from 0 to 1000"},
                                 {"z", "unknown fact 'z'"},
                                 {"count(z)", "unknown fact 'z'"},
                                 {"count x", "'(' is missing"},
                                 {"1 < 2 < 3", "unexpected '<'"},
                                 {"x & y", "unexpected '&'"},
                                 {"-1", "unknown fact '-1'"},
                                 {"android", "unknown fact 'android'"},
                                 {"x\ty", "unexpected"}};
  for (const Row& row : rows) {
    const std::string message = error_of(row.text);
    CAPTURE(row.text, message);
    CHECK(message.find(row.part) != std::string::npos);
  }
}

TEST_CASE("expressions: deep nesting and great length are refused", "[rules][expression]") {
  CHECK(error_of(repeated("(", 31) + "x" + repeated(")", 31)) == "no error");
  CHECK(error_of(repeated("(", 32) + "x" + repeated(")", 32)).find("nested too deeply") != std::string::npos);
  CHECK(error_of(repeated("(", 200'000)).find("nested too deeply") != std::string::npos);
  CHECK(error_of(repeated("not ", 200'000) + "x").find("nested too deeply") != std::string::npos);
  // 100 facts and 99 additions are 199 operations; 101 facts are 201.
  CHECK(error_of("x" + repeated(" + x", 99)) == "no error");
  CHECK(error_of("x" + repeated(" + x", 100)).find("too long") != std::string::npos);
  CHECK(error_of("x" + repeated(" or x", 2'000)).find("too long") != std::string::npos);
  // x + (x + (x + ...: each level needs one more value on the stack; 16 are allowed.
  CHECK(error_of(repeated("x + (", 15) + "x" + repeated(")", 15)) == "no error");
  CHECK(error_of(repeated("x + (", 16) + "x" + repeated(")", 16)).find("too long") != std::string::npos);
  CHECK(value(repeated("x + (", 15) + "y" + repeated(")", 15), 2, 3) == 33);
}

TEST_CASE("expressions: an unknown name is reported before a later error", "[rules][expression]") {
  CHECK(error_of("nonsense and (x") == "unknown fact 'nonsense'");
  CHECK(error_of("nonsense in x") == "unknown fact 'nonsense'");
  CHECK(error_of("x and (nonsense == 1") == "unknown fact 'nonsense'");
  CHECK(error_of("(x and nonsense") == "unknown fact 'nonsense'");
  CHECK(error_of("x and (y and nonsense").find("unknown fact") == 0);
  CHECK(error_of("(x and y") == "')' is missing at column 9 of '(x and y'");
}

TEST_CASE("expressions: a list may be compared with an expression", "[rules][expression]") {
  for (int x = 0; x < 5; ++x) {
    CHECK(value("x + 1 in [2, 4]", x) == (x == 1 || x == 3));
    CHECK(value("3 > x", x) == (x < 3));
    CHECK(value("x + y >= x - y + 2", x, 1) == 1);
    CHECK(value("x + 2 > y + 3", x, 1) == (x > 2));
  }
}
