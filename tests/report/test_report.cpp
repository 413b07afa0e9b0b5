// Reports: JSON with every key of docs/format.md, CSV, tables that fit, significant digits.
// Expected values are computed by hand for three dice of 3 hits, 1 crit, 2 focus, 2 blank.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "answers/estimates.h"
#include "base/significance.h"
#include "base/text.h"
#include "report/digits.h"
#include "salvo/errors.h"
#include "support/report_examples.h"

using namespace salvo;
using namespace report_examples;
using nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// A report with names and notes as long and odd as a user can make them.
Report odd_report() {
  compile::Labels names = labels();
  names.ships = {std::string(70, 'x') + "\x1b[31m\n", "d\xC3\xA9j\xC3\xA0 \xE2\x80\xAE vu \xFF"};
  names.ship_titles = names.ships;
  names.partly = {"predator: " + std::string(200, 'y') + " and then some more words that have to be wrapped"};
  names.unmodelled = std::vector<std::string>(40, "r2astromech");
  names.attacks[0].weapon = "the upgrade with the longest name of all (single-turret)";
  salvo::game::Distribution distribution = sampled(10'000, 7);
  distribution.attacks[0].happens = 0.823;
  return answers::make_report(names, distribution);
}

}  // namespace

TEST_CASE("means are summed in the order of the counts on every processor", "[report]") {
  // Numbers whose floating-point sum depends on the order.
  constexpr Eigen::Index kRows = 7, kColumns = 9;
  salvo::game::Distribution distribution;
  distribution.ships.resize(1);
  Eigen::ArrayXXd& joint = distribution.ships[0].joint;
  joint.resize(kRows, kColumns);
  for (Eigen::Index i = 0; i < joint.size(); ++i) joint(i) = 1.0 / static_cast<double>(3 + i * i);
  double hits = 0, crits = 0;
  for (Eigen::Index h = 0; h < kRows; ++h) {
    double row = 0;
    for (Eigen::Index c = 0; c < kColumns; ++c) row += joint(h, c);
    hits += static_cast<double>(h) * row;
  }
  for (Eigen::Index c = 0; c < kColumns; ++c) {
    double column = 0;
    for (Eigen::Index h = 0; h < kRows; ++h) column += joint(h, c);
    crits += static_cast<double>(c) * column;
  }
  const ShipEstimates found = answers::make_estimates({}, distribution).ships.at(0);
  CHECK(found.mean_hits.value == hits);
  CHECK(found.mean_crits.value == crits);
}

TEST_CASE("JSON of an exact answer has the keys of the format and no standard errors", "[report]") {
  Report report = exact_report();
  report.engine_reason = "it fits";
  const std::string text = to_json(report);
  const json j = json::parse(text);
  CHECK(text.back() == '\n');
  CHECK(keys_of(j) == std::set<std::string>{"format", "rules", "engine", "engine_reason", "objective", "policy",
                                            "value", "ships", "attacks", "assumed_facts", "unmodelled", "partly"});
  CHECK(j["format"] == 1);
  CHECK(j["policy"] == json{{"attacker", "optimal"}, {"defender", "hold"}});
  CHECK(j["value"] == 1.5);
  CHECK(keys_of(j["ships"]) == std::set<std::string>{"red", "black"});
  const json& black = j["ships"]["black"];
  CHECK(keys_of(black) == std::set<std::string>{"damage", "joint", "destroyed", "tokens_left", "hull", "shields"});
  CHECK(black["damage"]["mean"] == 1.5);
  CHECK(black["damage"]["pmf"] == json::array({0.125, 0.375, 0.375, 0.125}));  // zeros at the end trimmed
  CHECK(black["damage"]["at_least"] == json::array({1.0, 0.875, 0.5, 0.125}));
  CHECK(black["joint"].size() == 10);
  CHECK(black["joint"][1] == json::array({0, 1, 3 * 0.125 * 0.25}));
  CHECK(black["destroyed"] == 0.5);
  CHECK(black["hull"] == json::array({0.5, 0.5}));
  CHECK(black["tokens_left"] == json{{"evade", 0.0}});
  CHECK(keys_of(j["attacks"][0]) == std::set<std::string>{"by", "on", "happens", "attack_dice", "defense_dice",
                                                          "hit_probability", "mean_hits", "mean_crits"});
}

TEST_CASE("JSON lists ships that are never attacked, and sums locks", "[report]") {
  const json red = json::parse(to_json(exact_report()))["ships"]["red"];
  CHECK(red["damage"] == json{{"mean", 0.0}, {"pmf", {1.0}}, {"at_least", {1.0}}});
  CHECK(red["joint"] == json::array({json::array({0, 0, 1.0})}));
  CHECK(red["tokens_left"]["lock"] == 1.5);
  CHECK(red["tokens_left"]["focus"] == 27.0 / 64.0);
  CHECK(red["hull"] == json::array());
}

TEST_CASE("JSON of an empty distribution is that of an untouched ship", "[report]") {
  salvo::game::Distribution distribution = exact_answer();
  distribution.ships[0] = {};
  const json red = json::parse(to_json(answers::make_report(labels(), distribution)))["ships"]["red"];
  CHECK(red["damage"]["pmf"] == json::array({1.0}));
  CHECK(red["joint"] == json::array({json::array({0, 0, 1.0})}));
}

TEST_CASE("JSON of a sample has a standard error for every figure", "[report]") {
  Report report = sampled_report(10'000);
  report.sample->interrupted = true;
  const json j = json::parse(to_json(report));
  CHECK(j["sample"] == json{{"trials", 10'000}, {"seed", 7}, {"generator", "mt19937_64"}});
  CHECK(j["interrupted"] == true);
  CHECK(j.contains("value_se"));
  const json& black = j["ships"]["black"];
  CHECK(keys_of(black) == std::set<std::string>{"damage", "joint", "joint_se", "destroyed", "destroyed_se",
                                                "tokens_left", "tokens_left_se", "hull", "hull_se", "shields",
                                                "shields_se"});
  const double p = black["destroyed"];
  CHECK(black["destroyed_se"] == Approx(std::sqrt(p * (1 - p) / 10'000)).epsilon(1e-12));
  CHECK(black["damage"]["pmf_se"].size() == black["damage"]["pmf"].size());
  CHECK(black["damage"]["at_least_se"][0] == 0.0);
  // Variance of the damage of one die: 1/2 * 1/2.
  CHECK(black["damage"]["mean_se"] == Approx(std::sqrt(0.75 / 10'000)).epsilon(0.03));
  CHECK(black["joint_se"].size() == black["joint"].size());
  CHECK(black["joint_se"][3][0] == black["joint"][3][0]);
  for (const std::string key :
       {"happens", "attack_dice", "defense_dice", "hit_probability", "mean_hits", "mean_crits"}) {
    CHECK(j["attacks"][0].contains(key + "_se"));
  }
}

TEST_CASE("JSON of both engines has the cross-check with six digits", "[report]") {
  const Report report = both_report({.g = 10.123456789,
                                     .df = 9,
                                     .p = 1.23456789e-310,
                                     .agree = false,
                                     .largest_difference = std::numeric_limits<double>::infinity(),
                                     .largest_name = "x"});
  const std::string text = to_json(report);
  const json j = json::parse(text);
  CHECK(j["cross_check"]["df"] == 9);
  CHECK(j["cross_check"]["agree"] == false);
  CHECK(j["cross_check"]["largest_difference"].is_null());  // JSON has no infinity
  CHECK(contains(text, "\"g\": 10.1235,"));
  CHECK(contains(text, "\"p\": 1.23457e-310"));
  CHECK_FALSE(j.contains("value_se"));  // the figures are the exact ones
}

TEST_CASE("JSON numbers are read back as the same double", "[report]") {
  std::mt19937_64 random(5);
  std::vector<double> numbers = {0.1, 1.0 / 3, 5e-324, 1e22, 1.7976931348623157e308, 0.30000000000000004, 1e-7, 2, 0};
  for (int i = 0; i < 2000; ++i)
    numbers.push_back(std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 600)));
  Report report = exact_report();
  for (const double x : numbers) {
    report.estimates.value.value = x;
    REQUIRE(json::parse(to_json(report))["value"].get<double>() == x);
  }
  report.estimates.value.value = 0.1;
  CHECK(contains(to_json(report), "\"value\": 0.1,"));
  report.estimates.value.value = -0.0;
  CHECK(contains(to_json(report), "\"value\": 0.0,"));
}

TEST_CASE("JSON survives odd names", "[report]") {
  const Report report = odd_report();
  const json j = json::parse(to_json(report));
  CHECK(j["ships"].contains(std::string(70, 'x') + "\x1b[31m\n"));
}

TEST_CASE("a report's ships are found by name", "[report]") {
  const Report report = exact_report();
  CHECK(report.ship("black").destroyed.value == 0.5);
  CHECK(&report.ship("red") == &report.estimates.ships[0]);
  CHECK_THROWS_WITH(report.ship("blak"), "no ship is called 'blak'; the ships are red, black");
  CHECK_THROWS_AS(report.ship(""), Error);
}

TEST_CASE("CSV quotes where necessary", "[report]") {
  compile::Labels names = labels();
  names.ships[1] = "black, \"the\" one";
  const auto lines = lines_of(to_csv(answers::make_report(names, sampled(10'000, 7))));
  CHECK(lines[0] == "ship,figure,key,value,se");
  const std::string name = "\"black, \"\"the\"\" one\"";
  CHECK(std::any_of(lines.begin(), lines.end(),
                    [&](const std::string& line) { return line.starts_with(name + ",destroyed,,0."); }));
  for (const std::string& line : lines) {
    if (!line.starts_with(name)) CHECK(std::count(line.begin(), line.end(), ',') == 4);
  }
}

TEST_CASE("CSV of an exact answer leaves the errors empty", "[report]") {
  const std::string csv = to_csv(exact_report());
  CHECK(contains(csv, "black,damage_pmf,1,0.375,\n"));
  CHECK(contains(csv, "black,joint,0h1c,0.09375,\n"));
  CHECK(contains(csv, "red,hit_probability,0,0.875,\n"));
}

TEST_CASE("tables fit their width", "[report]") {
  const Report both =
      both_report({.g = 10.1, .df = 9, .p = 0.3, .largest_difference = 2.5, .largest_name = std::string(90, 'z')});
  for (const int width : {60, 61, 79, 80, 100, 120}) {
    for (const Report& report : {exact_report(), sampled_report(), sampled_report(40), odd_report(), both}) {
      for (const std::string& line : lines_of(to_table(report, width, false))) {
        CAPTURE(width, line);
        CHECK(base::display_width(line) <= static_cast<std::size_t>(width));
        CHECK_FALSE(line.ends_with(' '));
      }
    }
  }
}

TEST_CASE("tables contain no control characters, and colors only on request", "[report]") {
  const std::string plain = to_table(odd_report(), 80, false), coloured = to_table(odd_report(), 80, true);
  CHECK_FALSE(contains(plain, "\x1b"));
  CHECK_FALSE(contains(plain, "\xE2\x80\xAE"));  // right-to-left override
  CHECK(contains(coloured, "\x1b[1m"));
  CHECK_FALSE(contains(coloured, "\x1b[31m"));  // from the name
}

TEST_CASE("tables show every probability of 1 in 10,000 or more", "[report]") {
  salvo::game::Distribution distribution = exact_answer();
  distribution.ships[1].damage.resize(5);
  distribution.ships[1].damage << 0.5, 0.4998, 0.0001, 0.00006, 0.00004;
  const std::string table = to_table(answers::make_report(labels(), distribution), 80, false);
  CHECK(contains(table, "2 or more      0.02%"));
  CHECK(contains(table, "3 or more      0.01%"));
  CHECK_FALSE(contains(table, "4 or more"));
}

TEST_CASE("tables name what the answer leaves out", "[report]") {
  Report report = exact_report();
  report.unmodelled = {"r2astromech"};
  report.partly = {"predator: only the front arc"};
  report.assumed_facts = {"bullseye"};
  report.engine_reason = "it fits";
  const std::string table = to_table(report, 80, false);
  for (const char* part :
       {"red → black", "not modelled  r2astromech", "predator: only the front arc", "bullseye", "exact: it fits",
        "attacker optimal, defender hold", "second-edition", "50.00%", "lock 1.50"}) {
    CAPTURE(part);
    CHECK(contains(table, part));
  }
  Report sample = sampled_report();
  sample.sample->interrupted = true;
  CHECK(contains(to_table(sample, 80, false), "interrupted"));
}

TEST_CASE("Wilson intervals", "[report]") {
  CHECK(base::two_sided_z(0.05) == Approx(base::kTwoSided95).epsilon(1e-14));
  // (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n) by hand.
  CHECK(report::wilson(0.5, 100).low == Approx(0.403831530365).epsilon(1e-9));
  CHECK(report::wilson(0.5, 100).high == Approx(0.596168469635).epsilon(1e-9));
  CHECK(report::wilson(0, 10).low == 0);
  CHECK(report::wilson(0, 10).high == Approx(0.277532799862).epsilon(1e-9));
  CHECK(report::wilson(1, 10).high == 1);
}

TEST_CASE("figures show only significant digits", "[report]") {
  CHECK(report::percent({0.42134, 0}, 0) == "42.13%");
  CHECK(report::percent({0, 0}, 0) == "0%");
  CHECK(report::percent({1, 0}, 0) == "100%");
  CHECK(report::percent({1e-6, 0}, 0) == "<0.01%");
  CHECK(report::percent({0.999999, 0}, 0) == ">99.99%");
  CHECK(report::percent({0.4, 0}, 10) == "40%");  // Wilson: 17 to 69
  CHECK(report::percent_interval({0.4, 0}, 10) == "16–69");
  CHECK(report::percent({0.42134, 0}, 1'000'000) == "42.13%");
  CHECK(report::percent_interval({0, 0}, 1000) == "0–0.39");
  CHECK(report::mean({1.23456, 0}, 3) == "1.235");
  CHECK(report::mean({2, 0}, 3) == "2");
  CHECK(report::mean({1e-5, 0}, 3) == "<0.001");
  CHECK(report::mean({-0.00002, 0.1}, 3) == "0.00");  // no negative zero
  CHECK(report::mean_with_half_width({1.23456, 0.01}, 3) == "1.235 ±0.020");
  CHECK(report::mean_with_half_width({1.23456, 0.1}, 3) == "1.23 ±0.20");
  CHECK(report::mean_with_half_width({123.4, 12}, 3) == "123 ±24");
  CHECK(base::with_separators(1'234'567) == "1,234,567");
  CHECK(base::with_separators(123) == "123");
}

TEST_CASE("text is cleaned, clipped and wrapped by columns", "[report]") {
  CHECK(base::strip_control("a\x1b[1mb\x7F\xC2\x85\t") == "a[1mb");
  CHECK(base::strip_control("\xC3\xA9\xC3") == "\xC3\xA9\xEF\xBF\xBD");
  CHECK(base::strip_control("\xC0\xAF\xED\xA0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(base::display_width("→é") == 2);
  CHECK(base::clip_to_width("éééé", 3) == "éé…");
  CHECK(base::clip_to_width("ééé", 3) == "ééé");
  CHECK(base::display_width("日本 e\u0301 🚀") == 9);
  CHECK(base::clip_to_width("日本語", 5) == "日本…");
  CHECK(base::clip_to_width("日本語", 4) == "日…");
  CHECK(base::pad_left("日本", 6) == "  日本");
  CHECK(base::wrap("日本語", 4) == std::vector<std::string>{"日本", "語"});
  CHECK(base::wrap("日本", 1)[1] == "本");  // narrower than a character: still terminates
  CHECK(base::wrap("", 5) == std::vector<std::string>{""});
  CHECK(base::wrap("aa bb cc", 5) == std::vector<std::string>{"aa bb", "cc"});
  CHECK(base::wrap("ééééééé b", 3) == std::vector<std::string>{"ééé", "ééé", "é b"});
  CHECK(base::block_bar(0.5, 4) == "██");
  CHECK(base::block_bar(1e-9, 4) == "▏");
  CHECK(base::block_bar(1, 3) == "███");
  CHECK(base::block_bar(0, 3).empty());
}
