// The page of a battle: well-formed, by itself, and harmless whatever the names are.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "salvo/battle.h"

using namespace salvo;

namespace {

BattleShipEstimates ship_of_page(const std::string& title, bool mine, double survives) {
  BattleShipEstimates out;
  out.name = out.title = title;
  out.mine = mine;
  out.alive = {{1, 0}, {0.75, 0.01}, {survives, 0.01}};
  out.survives = {survives, 0.01};
  out.shots = {1.75, 0.01};
  out.damage_done = {2.5, 0.01};
  out.damage_taken = {3.25, 0.01};
  out.points_earned = {4.125, 0.01};
  return out;
}

BattleReport report_of_page() {
  BattleReport out;
  out.engine = Engine::Sample;
  out.trials = 10'000;
  out.seed = 1;
  out.flight = "joust";
  out.flight_name = "Joust";
  out.max_rounds = 2;
  out.first = "random";
  out.my_policy = out.their_policy = "sound";
  out.rules = "second-edition";
  out.my_name = "<script>alert(1)</script>";
  out.their_name = "Black & \"Co\"";
  out.win = {0.4213, 0.00494};
  out.draw = {0.02, 0.0014};
  out.loss = {0.5587, 0.005};
  out.difference = {{-3, {0.5587, 0.005}}, {0, {0.02, 0.0014}}, {4, {0.4213, 0.00494}}};
  out.rounds = {{0, 0}, {0.25, 0.004}, {0.75, 0.004}};
  out.mean_rounds = {1.75, 0.004};
  out.ships = {ship_of_page("<img src=x onerror=alert(2)>", true, 0.5), ship_of_page("Vader", false, 0.375)};
  out.assumptions = {"ships <joust>"};
  out.unmodelled = {"seismiccharges"};
  out.sensitivity = BattleSensitivity{2000,
                                      {{"sound", {0.4313, 0.005}}, {"greedy", {0.3, 0.01}}},
                                      {{"joust", {0.4313, 0.005}}, {"chase", {0.625, 0.01}}},
                                      "the flight moves my chance to win from 43 % (joust) to 63 % (chase)"};
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The first tag that is not closed where it should be, or nothing.
std::string unbalanced(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos;) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return page.substr(at);
    const std::string tag = page.substr(at + 1, end - at - 1);
    at = end;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (tag.starts_with('!') || tag.ends_with('/') || name == "meta") continue;
    if (!tag.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != tag) {
      return tag;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

}  // namespace

TEST_CASE("the page of a battle is well-formed and a file by itself", "[report]") {
  REQUIRE(unbalanced("<p><b></p>") == "/p");  // the check finds faults
  const std::string page = to_html(report_of_page());
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(unbalanced(page) == "");
  for (const char* outside : {"http", "<script", "<link", "url(", "@import", "<img"}) CHECK_FALSE(has(page, outside));
  for (const char* odd : {"nan", "inf\"", "=\"-"}) CHECK_FALSE(has(page, odd));
  CHECK(page == to_html(report_of_page()));
}

TEST_CASE("names in the page of a battle are escaped", "[report]") {
  const std::string page = to_html(report_of_page());
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt; against Black &amp; &quot;Co&quot;"));
  CHECK(has(page, "&lt;img src=x onerror=alert(2)&gt;"));
  CHECK(has(page, "ships &lt;joust&gt;"));
}

TEST_CASE("the page of a battle has its figures", "[report]") {
  const std::string page = to_html(report_of_page());
  // 1.96 * 0.494 % = 0.968 %, rounded up to one decimal.
  CHECK(has(page, "<strong>42.1%</strong><span>±1.0% chance"));
  // The second ship of two: a quarter is destroyed in round 1, 0.75 - 0.375 in round 2.
  CHECK(has(page, ">25</td>"));
  CHECK(has(page, ">38</td>"));
  CHECK(has(page, "<td>1.75</td><td>2.50</td><td>3.25</td>"));
  for (const char* part : {"seismiccharges", "chase", "In short: the flight moves", "joust (this battle)"})
    CHECK(has(page, part));
  BattleReport exact = report_of_page();
  exact.engine = Engine::Exact;
  exact.trials = 0;
  exact.sensitivity.reset();
  const std::string of_exact = to_html(exact);
  CHECK(unbalanced(of_exact) == "");
  CHECK(has(of_exact, "<strong>42.13%</strong><span> chance"));
  CHECK_FALSE(has(of_exact, "How my chance changes"));
}

TEST_CASE("the page of a battle has the worth of upgrades if asked", "[report]") {
  BattleWorth worth;
  worth.baseline = report_of_page();
  worth.entries = {{"Luke", "upgrade <predator>", 2, {0.0512, 0.001}}};
  worth.skipped = {{"Luke", "pilot", "no cheaper one"}};
  const std::string page = to_html(worth);
  CHECK(unbalanced(page) == "");
  for (const char* part : {"Luke: upgrade &lt;predator&gt;", "+5.12 ±0.2", "<td>2</td>", "no cheaper one"})
    CHECK(has(page, part));
  CHECK_FALSE(has(to_html(worth.baseline), "predator"));
}
