// The answers of `salvo battle --worth` and of `salvo gauntlet` in every format: see salvo/battle.h, salvo/gauntlet.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/csv.h"
#include "report/decision_parts.h"
#include "report/digits.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "report/provenance.h"
#include "salvo/gauntlet.h"

namespace salvo {
namespace {

using namespace report;

constexpr double kGainHalfWidths = 1.959963984540054;

std::string gain_words(double share, int digits = 2) { return fmt::format("{:+.{}f}", 100 * share, digits); }
std::string gain_error(const Figure& figure) {
  return figure.se > 0 ? fmt::format("{:.2f}", 100 * kGainHalfWidths * figure.se) : "";
}

void write_battle_assumptions(Page& page, const std::vector<std::string>& assumptions) {
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    page.entry(i == 0 ? "assumed" : "", "- " + assumptions[i], Style::Faint);
}

void write_battle_caveats(Page& page, const Provenance& from) {
  const auto list = [&](const char* key, const std::vector<std::string>& items, Style style) {
    if (!items.empty()) page.entry(key, fmt::format("{}", fmt::join(items, ", ")), style);
  };
  list("facts", from.assumed_facts, Style::Plain);
  list("not modelled", from.unmodelled, Style::Bad);
  list("no effect on dice", from.no_effect, Style::Plain);
  for (const std::string& item : from.partly) page.entry("partly", item, Style::Bad);
  for (const std::string& item : from.notes) page.entry("note", item);
}

void write_chance(JsonWriter& json, std::string_view name, const Figure& figure, bool sampled) {
  json.member(name, figure.value);
  if (sampled) json.member(fmt::format("{}_se", name), figure.se);
}

}  // namespace

std::string to_json(const BattleWorth& worth) {
  const BattleReport& now = worth.now;
  const bool sampled = now.engine == "sample";
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", now.rules);
    write_card_set(json, now);
    json.member("engine", now.engine);
    if (!now.engine_reason.empty()) json.member("engine_reason", now.engine_reason);
    if (sampled) {
      json.member("trials", now.trials);
      json.member("seed", now.seed);
    }
    if (worth.interrupted) json.member("interrupted", true);
    json.member("mine", now.my_name);
    json.member("theirs", now.their_name);
    json.object("flight", [&] {
      json.member("id", now.flight);
      json.member("name", now.flight_name);
    });
    json.member("most_rounds", now.most_rounds);
    json.member("first", now.first);
    json.object("policy", [&] {
      json.member("mine", now.my_policy);
      json.member("theirs", now.their_policy);
    });
    write_chance(json, "value", worth.value, sampled);
    json.objects("worth", worth.entries, [&](const BattleWorthEntry& entry) {
      json.member("ship", entry.ship);
      json.member("what", entry.what);
      if (entry.points) json.member("points", *entry.points);
      write_chance(json, "gain", entry.gain, sampled);
    });
    json.objects("skipped", worth.skipped, [&](const BattleWorthSkipped& entry) {
      json.member("ship", entry.ship);
      json.member("what", entry.what);
      json.member("why", entry.why);
    });
    json.member("assumptions", now.assumptions);
    write_notes(json, now);
  });
}

std::string to_csv(const BattleWorth& worth) {
  CsvFigures csv(worth.now.engine == "sample");
  csv.figure("", "value", "", worth.value);
  for (const BattleWorthEntry& entry : worth.entries) csv.figure(entry.ship, "gain", entry.what, entry.gain);
  for (const auto& [name, words] : caveats(worth.now)) csv.text(name, words);
  return csv.take();
}

std::string to_table(const BattleWorth& worth, int width, bool colour) {
  const BattleReport& now = worth.now;
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("what the ships of {} are worth against {}", now.my_name, now.their_name), Style::Strong);
  const std::string error = worth.value.se > 0 ? fmt::format(" (+-{} %)", gain_error(worth.value)) : "";
  page.entry("win chance", fmt::format("{:.2f} %{}, a draw counted half", 100 * worth.value.value, error),
             Style::Strong);
  page.entry("flight", fmt::format("{} ({}), at most {} rounds", now.flight_name, now.flight, now.most_rounds));
  page.entry("engine", now.trials > 0 ? fmt::format("sampled, {} battles of each, the same random numbers for all",
                                                    text::with_separators(now.trials))
                                      : std::string("exact"));
  page.blank();
  Columns table("ship: what", {"% of wins", "+-", "points", "% a point"});
  for (const BattleWorthEntry& entry : worth.entries) {
    const bool priced = entry.points && *entry.points > 0;
    table.row(entry.ship.empty() ? entry.what : fmt::format("{}: {}", entry.ship, entry.what),
              {gain_words(entry.gain.value), gain_error(entry.gain), entry.points ? std::to_string(*entry.points) : "",
               priced ? gain_words(entry.gain.value / *entry.points) : ""});
  }
  table.write(page);
  page.blank();
  for (const BattleWorthSkipped& entry : worth.skipped)
    page.entry("skipped", fmt::format("{}{}{} ({})", entry.ship, entry.ship.empty() ? "" : ": ", entry.what, entry.why),
               Style::Faint);
  if (worth.interrupted) page.entry("interrupted", "what is missing was not played", Style::Bad);
  write_battle_assumptions(page, now.assumptions);
  write_battle_caveats(page, now);
  return page.take();
}

std::string to_json(const GauntletReport& report) {
  const bool sampled = report.engine != "exact";
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", report.rules);
    write_card_set(json, report);
    json.member("engine", report.engine);
    if (report.trials > 0) {
      json.member("trials", report.trials);
      json.member("seed", report.seed);
    }
    if (report.interrupted) json.member("interrupted", true);
    json.object("flight", [&] {
      json.member("id", report.flight);
      json.member("name", report.flight_name);
    });
    json.member("most_rounds", report.most_rounds);
    json.member("policy", report.policy);
    json.array("squads", [&] {
      for (std::size_t i = 0; i < report.names.size(); ++i) {
        json.object([&] {
          json.member("name", report.names[i]);
          json.member("weight", report.weights[i]);
          write_chance(json, "field", report.field[i], sampled);
          if (report.mix) json.member("mix", report.mix->share[i]);
          json.array("win", [&] {
            for (const Figure& figure : report.win[i]) json.value(figure.value);
          });
          if (!sampled) return;
          json.array("win_se", [&] {
            for (const Figure& figure : report.win[i]) json.value(figure.se);
          });
        });
      }
    });
    json.member("assumptions", report.assumptions);
    write_notes(json, report);
  });
}

std::string to_csv(const GauntletReport& report) {
  CsvFigures csv(report.engine != "exact");
  for (std::size_t i = 0; i < report.names.size(); ++i) {
    csv.figure(report.names[i], "field", "", report.field[i]);
    if (report.mix) csv.figure(report.names[i], "mix", "", {report.mix->share[i], 0});
    for (std::size_t j = 0; j < report.names.size(); ++j)
      csv.figure(report.names[i], "win", report.names[j], report.win[i][j]);
  }
  for (const auto& [name, words] : caveats(report)) csv.text(name, words);
  return csv.take();
}

std::string to_table(const GauntletReport& report, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph("each against each: win chance in percent, a draw counted half", Style::Strong);
  page.entry("flight", fmt::format("{} ({}), at most {} rounds, all play {}", report.flight_name, report.flight,
                                   report.most_rounds, report.policy));
  double error = 0;
  for (const auto& row : report.win) {
    for (const Figure& figure : row) error = std::max(error, figure.se);
  }
  page.entry("engine", report.trials > 0
                           ? fmt::format("{}, {} battles a pair, +-{:.2f} % at most", report.engine,
                                         text::with_separators(report.trials), 100 * kGainHalfWidths * error)
                           : std::string("exact"));
  page.blank();
  constexpr std::size_t kNumber = 4, kCell = 6, kFigures = 16;
  const std::size_t n = report.names.size(), left = page.width() - std::min(page.width(), Page::kMargin + kFigures);
  constexpr std::size_t kLeastName = 18, kMostName = 34;
  const std::size_t all = kNumber + n * kCell;
  const std::size_t name = std::clamp(left - std::min(left, all), kLeastName, kMostName);
  const std::size_t room = std::max<std::size_t>(1, (left - std::min(left, name + kNumber)) / kCell);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return report.field[a].value > report.field[b].value; });
  for (std::size_t from = 0; from < n; from += room) {
    const std::size_t to = std::min(n, from + room);
    std::string head =
        fmt::format("  {:>3} {}{:>8}{:>8}", "", text::pad_right("squad", name), "field", report.mix ? "mix" : "");
    for (std::size_t j = from; j < to; ++j) head += fmt::format("{:>6}", fmt::format("#{}", j + 1));
    page.line({{head, Style::Faint}});
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = order[i];
      std::string line =
          fmt::format("  {:>3} {}{:>8.1f}{:>8}", fmt::format("{}", i + 1),
                      text::pad_right(text::clip(report.names[row], name), name), 100 * report.field[row].value,
                      report.mix ? fmt::format("{:.1f}", 100 * report.mix->share[row]) : "");
      for (std::size_t j = from; j < to; ++j)
        line += i == j ? "     -" : fmt::format("{:>6.1f}", 100 * report.win[row][order[j]].value);
      page.line({{line}});
    }
    page.blank();
  }
  page.entry("field", "mean against all of the field, by its weights");
  if (report.mix) page.entry("mix", "how often to bring it so that nobody gains by knowing that: the equilibrium");
  if (report.interrupted) page.entry("interrupted", "pairs that are missing count as even", Style::Bad);
  write_battle_assumptions(page, report.assumptions);
  write_battle_caveats(page, report);
  return page.take();
}

}  // namespace salvo
