// The answers of `salvo battle --worth` and of `salvo gauntlet` in every format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/significance.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "report/battle_parts.h"
#include "report/csv.h"
#include "report/decision_parts.h"
#include "report/digits.h"
#include "report/json_figures.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/table.h"
#include "salvo/gauntlet.h"

namespace salvo {
namespace {

using namespace report;

std::string gain_words(double share) { return change(100 * share, 2); }
std::string gain_error(const Estimate& figure) {
  return figure.se > 0 ? fmt::format("{:.2f}", 100 * base::kTwoSided95 * figure.se) : "";
}

/// Writes the gains as a table without empty columns, and explains its columns.
void write_gains(Page& page, const BattleWorth& worth) {
  const auto any = [&](const auto& asked) { return std::any_of(worth.entries.begin(), worth.entries.end(), asked); };
  const bool sampled = worth.baseline.trials > 0;
  const bool has_points = any([](const BattleWorthEntry& one) { return one.points.has_value(); });
  const bool costs = any([](const BattleWorthEntry& one) { return one.points.value_or(0) != 0; });
  const bool per_point = any([](const BattleWorthEntry& one) { return one.points.value_or(0) > 0; });
  std::vector<std::string> heads{"% of wins"};
  if (sampled) heads.emplace_back("±");
  if (costs) heads.emplace_back("points");
  if (per_point) heads.emplace_back("% a point");
  Columns table("ship: what", heads);
  for (const BattleWorthEntry& entry : worth.entries) {
    std::vector<std::string> cells{gain_words(entry.gain.value)};
    if (sampled) cells.push_back(gain_error(entry.gain));
    if (costs) cells.push_back(entry.points ? std::to_string(*entry.points) : "");
    if (per_point) cells.push_back(entry.points.value_or(0) > 0 ? gain_words(entry.gain.value / *entry.points) : "");
    table.row(entry.ship.empty() ? entry.what : fmt::format("{}: {}", entry.ship, entry.what), cells);
  }
  table.write(page);
  page.blank();
  page.entry("% of wins", "how much higher my win chance is with it than without it");
  if (sampled) {
    const bool same = any([](const BattleWorthEntry& one) { return one.gain.se == 0; });
    page.entry("±", fmt::format("95 % half-width of that{}", same ? "; empty where each battle ended alike" : ""));
  }
  if (costs) page.entry("points", "its cost in the card set, less that of what replaces it");
  if (has_points && !costs)
    page.entry("points", "none of it costs points in this card set, so there is no gain per point");
}

}  // namespace

std::string to_json(const BattleWorth& worth) {
  const BattleReport& now = worth.baseline;
  const bool sampled = now.engine == Engine::Sample;
  return wrapped_json([&](JsonWriter& json) {
    write_battle_head(json, now, sampled);
    if (worth.interrupted) json.member("interrupted", true);
    write_fight(json, now);
    write_figure(json, "value", worth.value, sampled);
    json.objects("worth", worth.entries, [&](const BattleWorthEntry& entry) {
      json.member("ship", entry.ship);
      json.member("what", entry.what);
      if (entry.points) json.member("points", *entry.points);
      write_figure(json, "gain", entry.gain, sampled);
    });
    json.objects("skipped", worth.skipped, [&](const BattleWorthSkipped& entry) {
      json.member("ship", entry.ship);
      json.member("what", entry.what);
      json.member("why", entry.why);
    });
    json.member("assumptions", now.assumptions);
    write_caveats(json, now);
  });
}

std::string to_csv(const BattleWorth& worth) {
  CsvFigures csv(worth.baseline.engine == Engine::Sample);
  csv.figure("", "value", "", worth.value);
  for (const BattleWorthEntry& entry : worth.entries) csv.figure(entry.ship, "gain", entry.what, entry.gain);
  for (const auto& [name, words] : caveats(worth.baseline)) csv.text(name, words);
  return csv.take();
}

std::string to_table(const BattleWorth& worth, int width, bool colour) {
  const BattleReport& now = worth.baseline;
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("what the ships of {} are worth against {}", now.my_name, now.their_name), Style::Strong);
  const std::string error = worth.value.se > 0 ? fmt::format(" (±{} %)", gain_error(worth.value)) : "";
  page.entry("win chance", fmt::format("{:.2f} %{}, a draw counted half", 100 * worth.value.value, error),
             Style::Strong);
  page.entry("flight", fmt::format("{} ({}), at most {} rounds", now.flight_name, now.flight, now.max_rounds));
  page.entry("play", policies(now));
  if (!now.damage_deck.empty()) page.entry("damage deck", now.damage_deck);
  page.entry("engine", now.trials > 0 ? fmt::format("sampled, {} battles of each, the same random numbers for all",
                                                    base::with_separators(now.trials))
                                      : std::string("exact"));
  page.blank();
  write_gains(page, worth);
  for (const BattleWorthSkipped& entry : worth.skipped)
    page.entry("skipped", fmt::format("{}{}{} ({})", entry.ship, entry.ship.empty() ? "" : ": ", entry.what, entry.why),
               Style::Faint);
  if (worth.interrupted) page.entry("interrupted", "missing figures were not played", Style::Bad);
  write_battle_caveats(page, now.assumptions, now);
  return page.take();
}

namespace {

std::string_view gauntlet_engine(const GauntletReport& report) {
  return report.engine ? to_string(*report.engine) : "none";
}

}  // namespace

std::string to_json(const GauntletReport& report) {
  const bool sampled = report.engine != Engine::Exact;
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", report.rules);
    write_card_set(json, report);
    json.member("engine", gauntlet_engine(report));
    if (report.trials > 0) {
      json.member("trials", report.trials);
      json.member("seed", report.seed);
    }
    if (report.interrupted) json.member("interrupted", true);
    write_flight(json, report.flight, report.flight_name, report.max_rounds);
    json.member("policy", report.policy);
    if (!report.damage_deck.empty()) json.member("damage_deck", report.damage_deck);
    json.array("squads", [&] {
      for (std::size_t i = 0; i < report.names.size(); ++i) {
        json.object([&] {
          json.member("name", report.names[i]);
          json.member("weight", report.weights[i]);
          write_figure(json, "field", report.field[i], sampled);
          if (report.equilibrium) json.member("mix", report.equilibrium->share[i]);
          write_figures(json, "win", report.win[i], sampled);
        });
      }
    });
    json.member("assumptions", report.assumptions);
    write_caveats(json, report);
  });
}

std::string to_csv(const GauntletReport& report) {
  CsvFigures csv(report.engine != Engine::Exact);
  for (std::size_t i = 0; i < report.names.size(); ++i) {
    csv.figure(report.names[i], "field", "", report.field[i]);
    if (report.equilibrium) csv.figure(report.names[i], "mix", "", {report.equilibrium->share[i], 0});
    for (std::size_t j = 0; j < report.names.size(); ++j)
      csv.figure(report.names[i], "win", report.names[j], report.win[i][j]);
  }
  for (const auto& [name, words] : caveats(report)) csv.text(name, words);
  return csv.take();
}

std::string to_table(const GauntletReport& report, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph("every squad against every other: win chance in percent, a draw counted half", Style::Strong);
  page.entry("flight", fmt::format("{} ({}), at most {} rounds, all play {}", report.flight_name, report.flight,
                                   report.max_rounds, report.policy));
  if (!report.damage_deck.empty()) page.entry("damage deck", report.damage_deck);
  double error = 0;
  for (std::size_t i = 0; i < report.win.size(); ++i) {
    for (std::size_t j = 0; j < report.win[i].size(); ++j) {
      if (i != j) error = std::max(error, chance_half_width(report.win[i][j], report.trials));
    }
  }
  const auto percent = [](const Estimate& figure) {
    return std::isnan(figure.value) ? std::string("?") : fmt::format("{:.1f}", 100 * figure.value);
  };
  page.entry("engine", report.trials > 0
                           ? fmt::format("{}, {} battles a pair, ±{:.2f} % at most", gauntlet_engine(report),
                                         base::with_separators(report.trials), 100 * error)
                           : std::string(gauntlet_engine(report)));
  page.blank();
  std::vector<std::size_t> order(report.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  base::stable_sort(order, [&](std::size_t a, std::size_t b) { return report.field[a].value > report.field[b].value; });
  const bool weighted = std::any_of(report.weights.begin(), report.weights.end(),
                                    [&](double weight) { return weight != report.weights[0]; });
  Table table;
  table.widths(2, 0, {8, report.equilibrium ? std::size_t{8} : std::size_t{6}, 6});
  std::vector<Table::Cell> head{"squad", "field"};
  if (report.equilibrium) head.emplace_back("mix");
  if (weighted) head.emplace_back("met");
  for (std::size_t i = 0; i < order.size(); ++i) head.emplace_back(fmt::format("#{}", i + 1));
  table.row(std::move(head));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t row = order[i];
    std::vector<Table::Cell> cells{fmt::format("{:>2} {}", i + 1, report.names[row]), percent(report.field[row])};
    if (report.equilibrium) cells.emplace_back(fmt::format("{:.1f}", 100 * report.equilibrium->share[row]));
    if (weighted) cells.emplace_back(fmt::format("{:.1f}", 100 * report.weights[row]));
    for (std::size_t j = 0; j < order.size(); ++j)
      cells.emplace_back(i == j ? "-" : percent(report.win[row][order[j]]));
    table.row(std::move(cells));
  }
  table.write(page);
  page.blank();
  page.entry("field", "mean against the whole field, 50 against itself");
  if (report.equilibrium)
    page.entry("mix", "how often to bring it, in percent, so that no opponent gains by knowing it: the equilibrium");
  if (weighted) page.entry("met", "how often it is met in the field, in percent");
  if (report.interrupted)
    page.entry("interrupted", "pairs with a question mark were not played to their end", Style::Bad);
  write_battle_caveats(page, report.assumptions, report);
  return page.take();
}

}  // namespace salvo
