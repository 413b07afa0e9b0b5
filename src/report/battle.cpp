// The answer of `salvo battle` in every format.
#include "salvo/battle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/battle_parts.h"
#include "report/csv.h"
#include "report/digits.h"
#include "report/json_figures.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/table.h"

namespace salvo {
namespace {

using namespace report;

// ---------------------------------------------------------------- JSON

const char* side_words(bool mine) { return mine ? "mine" : "theirs"; }

void write_ship(JsonWriter& json, const BattleShipEstimates& ship, bool sampled) {
  json.member("name", ship.name);
  json.member("title", ship.title);
  json.member("side", side_words(ship.mine));
  json.member("kinds", ship.kinds);
  json.member("initiative", ship.initiative);
  json.member("points", ship.points);
  json.member("hull", ship.hull);
  json.member("shields", ship.shields);
  write_figure(json, "survives", ship.survives, sampled);
  write_figure(json, "last", ship.last, sampled);
  write_figure(json, "shots", ship.shots, sampled);
  write_figure(json, "damage_done", ship.damage_done, sampled);
  write_figure(json, "damage_taken", ship.damage_taken, sampled);
  write_figure(json, "points_earned", ship.points_earned, sampled);
  write_figures(json, "alive", ship.alive, sampled);
}

void write_often(JsonWriter& json, std::string_view name, std::string_view key,
                 const std::vector<BattleTactic::Frequency>& list) {
  json.objects(name, list, [&](const BattleTactic::Frequency& one) {
    json.member("what", one.what);
    json.member(key, one.share);
  });
}

void write_solved(JsonWriter& json, const BattleReport& report) {
  if (!report.bounds) return;
  json.object("played_to_the_end", [&] {
    json.member("lower", report.bounds->lower);
    json.member("upper", report.bounds->upper);
    json.member("rounds", report.bounds->rounds);
  });
  json.objects("positions", report.positions, [&](const BattlePosition& position) {
    json.member("round", position.round);
    json.member("probability", position.probability);
    json.member("value", position.value);
    json.array("ships", [&] {
      for (std::size_t s = 0; s < position.ships.size(); ++s) {
        const BattleTactic& ship = position.ships[s];
        if (ship.health == 0) continue;
        json.object([&] {
          json.member("name", report.ships[s].name);
          json.member("health", ship.health);
          json.member("has", ship.has);
          write_often(json, "actions", "share", ship.actions);
          write_often(json, "weapons", "share", ship.weapons);
          write_often(json, "attack_spends", "mean", ship.attack_spends);
          write_often(json, "defense_spends", "mean", ship.defense_spends);
        });
      }
    });
  });
}

void write_sensitivity(JsonWriter& json, const BattleReport& report) {
  if (!report.sensitivity) return;
  const BattleSensitivity& found = *report.sensitivity;
  json.object("sensitivity", [&] {
    json.member("battles", found.battles);
    const auto write = [&](const char* list, const char* key, const std::vector<BattleVariant>& variants) {
      json.objects(list, variants, [&](const BattleVariant& one) {
        json.member(key, one.choice);
        write_figure(json, "value", one.value, true);
      });
    };
    write("policies", "policy", found.policies);
    write("flights", "flight", found.flights);
    if (!found.summary.empty()) json.member("summary", found.summary);
  });
}

// ---------------------------------------------------------------- the table

std::string often_words(const std::vector<BattleTactic::Frequency>& list) {
  constexpr double kAlways = 0.995, kNever = 0.005;
  std::string out;
  for (const BattleTactic::Frequency& one : list) {
    if (one.share < kNever) continue;
    out += out.empty() ? "" : ", ";
    out += one.share >= kAlways ? one.what : fmt::format("{} {:.0f} %", one.what, 100 * one.share);
  }
  return out.empty() ? "nothing" : out;
}

std::string spent_words(const std::vector<BattleTactic::Frequency>& list) {
  std::string out;
  for (const BattleTactic::Frequency& one : list)
    out += fmt::format("{}{:.2f} {}", out.empty() ? "" : ", ", one.share, one.what);
  return out.empty() ? "nothing" : out;
}

/// Writes the solved play, round by round in the likeliest positions.
void write_positions(Page& page, const BattleReport& report, const std::vector<std::string>& titles) {
  page.line({{"  solved play in the likeliest positions; what is spent: means of the round", Style::Faint}});
  for (const BattlePosition& position : report.positions) {
    page.line({{fmt::format("  round {}, reached {:.1f} %: my win chance {:.1f} %", position.round,
                            100 * position.probability, 100 * position.value),
                Style::Strong}});
    for (std::size_t s = 0; s < position.ships.size(); ++s) {
      const BattleTactic& ship = position.ships[s];
      if (ship.health == 0) continue;
      std::string words = fmt::format("health {}{}{}: {}", ship.health, ship.has.empty() ? "" : ", ", ship.has,
                                      often_words(ship.actions));
      if (!ship.weapons.empty()) words += fmt::format("; fires {}", often_words(ship.weapons));
      words += fmt::format("; spends {} to attack, {} to defend", spent_words(ship.attack_spends),
                           spent_words(ship.defense_spends));
      page.entry(fmt::format("  {}: {}", side_words(report.ships[s].mine), titles[s]), words);
    }
  }
}

void write_result(Page& page, const BattleReport& report) {
  const auto line = [&](const char* key, const Estimate& figure, Style style) {
    std::string words = percent(figure, report.trials);
    if (report.trials > 0) words += fmt::format("  ({} %)", percent_interval(figure, report.trials));
    page.entry(key, words, style);
  };
  line("win", report.win, Style::Strong);
  line("draw", report.draw, Style::Plain);
  line("loss", report.loss, Style::Plain);
  if (report.bounds) {
    page.entry("to the end", fmt::format("{:.2f} % to {:.2f} %: proven bounds of the win chance without a limit of "
                                         "rounds, a draw counted half",
                                         100 * report.bounds->lower, 100 * report.bounds->upper));
  }
  page.entry("points", fmt::format("mine {}, theirs {}", mean_with_half_width(report.my_points, 3),
                                   mean_with_half_width(report.their_points, 3)));
  page.entry("rounds", mean_with_half_width(report.mean_rounds, 3));
}

void write_side(Page& page, const BattleReport& report, const std::vector<std::string>& titles, bool mine) {
  constexpr std::size_t kFigures = 46;
  const std::size_t room = page.width() - std::min(page.width(), kFigures + Page::kMargin);
  const std::size_t name = std::clamp<std::size_t>(room, 12, 34);
  Table table;
  table.widths(1, name, {6, 6, 9, 7, 6, 6, 6});
  table.row({side_words(mine), "init", "pts", "survives", "shots", "done", "taken", "earn"});
  for_each_ship(report, titles, mine, [&](const BattleShipEstimates& ship, const std::string& title) {
    const auto mean = [](const Estimate& figure) { return fmt::format("{:.2f}", figure.value); };
    table.row({title, fmt::format("{}", ship.initiative), fmt::format("{}", ship.points),
               percent(ship.survives, report.trials), mean(ship.shots), mean(ship.damage_done), mean(ship.damage_taken),
               mean(ship.points_earned)});
  });
  table.write(page);
}

/// The rounds that have columns in the table of ships alive.
std::vector<std::size_t> rounds_shown(const BattleReport& report, std::size_t most) {
  const std::size_t last = last_round(report);
  std::vector<std::size_t> out;
  const std::size_t step = (last + most - 1) / most;
  for (std::size_t k = step; k <= last; k += step) out.push_back(k);
  return out;
}

void write_curves(Page& page, const BattleReport& report, const std::vector<std::string>& titles) {
  constexpr std::size_t kColumn = 6;
  constexpr std::size_t kName = 26, kLeastShown = 6;
  std::size_t longest = 0;
  for (const std::string& title : titles) longest = std::max(longest, base::display_width(title));
  const std::size_t room = page.width() - Page::kMargin;
  const std::size_t name = std::clamp(longest, kName, std::max(kName, room - std::min(room, kLeastShown * kColumn)));
  const std::vector<std::size_t> shown =
      rounds_shown(report, std::max<std::size_t>((room - std::min(room, name)) / kColumn, 1));
  for (const bool mine : {true, false}) {
    Table table;
    table.widths(1, std::min(name, room - kColumn), {kColumn});
    std::vector<Table::Cell> head{std::string(side_words(mine)) + ", alive after round"};
    for (const std::size_t k : shown) head.emplace_back(fmt::format("{}", k));
    table.row(std::move(head));
    for_each_ship(report, titles, mine, [&](const BattleShipEstimates& ship, const std::string& title) {
      std::vector<Table::Cell> cells{title};
      for (const std::size_t k : shown)
        cells.emplace_back(fmt::format("{:.0f}%", 100 * ship.alive[std::min(k, ship.alive.size() - 1)].value));
      table.row(std::move(cells));
    });
    table.write(page);
  }
}

/// Writes how the chance to win changes with policy and flight.
void write_variants(Page& page, const BattleReport& report) {
  if (!report.sensitivity) return;
  const auto line = [&](const char* key, const std::vector<BattleVariant>& variants) {
    std::vector<std::string> all;
    for (const BattleVariant& one : variants)
      all.push_back(fmt::format("{} {:.0f} %", one.choice, 100 * one.value.value));
    page.entry(key, base::joined(all, ", "));
  };
  line("if both play", report.sensitivity->policies);
  line("in flight", report.sensitivity->flights);
  if (!report.sensitivity->summary.empty()) page.entry("sensitive", report.sensitivity->summary, Style::Strong);
}

void write_how(Page& page, const BattleReport& report) {
  for (const auto& [key, words] : how_entries(report)) page.entry(key, words);
  if (report.engine == Engine::Both)
    page.entry("cross-check", cross_check_words(report), engines_agree(report) ? Style::Good : Style::Bad);
}

}  // namespace

namespace report {

std::vector<std::string> ship_titles(const BattleReport& report) {
  std::vector<std::string> out;
  for (const BattleShipEstimates& ship : report.ships) {
    int before = 0, all = 0;
    for (const BattleShipEstimates& other : report.ships) {
      if (other.mine != ship.mine || other.title != ship.title) continue;
      ++all;
      before += &other <= &ship ? 1 : 0;
    }
    out.push_back(all > 1 ? fmt::format("{} #{}", ship.title, before) : ship.title);
  }
  return out;
}

std::string policies(const BattleReport& report) {
  return report.my_policy == report.their_policy
             ? fmt::format("both {}", report.my_policy)
             : fmt::format("mine {}, theirs {}", report.my_policy, report.their_policy);
}

std::vector<std::pair<const char*, std::string>> how_entries(const BattleReport& report) {
  std::vector<std::pair<const char*, std::string>> out;
  out.emplace_back("flight", fmt::format("{} ({}), at most {} rounds, first player {}", report.flight_name,
                                         report.flight, report.max_rounds, report.first));
  out.emplace_back("play", policies(report));
  if (!report.damage_deck.empty()) out.emplace_back("damage deck", report.damage_deck);
  if (report.score != BattleScore()) {
    std::string score = fmt::format("win by {}, half points of {} ships", to_string(report.score.win),
                                    to_string(report.score.half_points));
    if (report.score.squad_points > 0) score += fmt::format(", squads of {}", report.score.squad_points);
    if (report.score.end_points > 0) score += fmt::format(", end at {}", report.score.end_points);
    out.emplace_back("score", score);
  }
  std::string engine(to_string(report.engine));
  if (report.trials > 0)
    engine += fmt::format(", {} battles, seed {}", base::with_separators(report.trials), report.seed);
  if (!report.engine_reason.empty()) engine += fmt::format(": {}", report.engine_reason);
  out.emplace_back("engine", engine);
  return out;
}

std::string cross_check_words(const BattleReport& report) {
  constexpr double kOdd = 0.01;
  const bool agree = engines_agree(report);
  return fmt::format(
      "the engines {}: by chance alone {} of all samples differ as much as this one or more from what "
      "the exact engine says (G-test of result, rounds and points, p\u00A0=\u00A0{:.3g}){}",
      agree ? "agree" : "DISAGREE", percent({report.g_test, 0}, 0), report.g_test,
      !agree                 ? "; this is a bug, please report it"
      : report.g_test < kOdd ? "; if another --seed says so too, please report it"
                             : "");
}

std::string error_words(const BattleReport& report) {
  double chance = 0, mean = 0;
  for (const BattleShipEstimates& ship : report.ships) {
    chance = std::max(chance, chance_half_width(ship.survives, report.trials));
    for (const Estimate& alive : ship.alive) chance = std::max(chance, chance_half_width(alive, report.trials));
    for (const Estimate* figure : {&ship.shots, &ship.damage_done, &ship.damage_taken, &ship.points_earned})
      mean = std::max(mean, figure->se);
  }
  return fmt::format(
      "Sampled; the 95 % half-width of chances of single ships is at most {:.2g} %, of the other columns {:.2g}.",
      100 * chance, 1.96 * mean);
}

void write_flight(JsonWriter& json, std::string_view id, std::string_view name, int max_rounds) {
  json.object("flight", [&] {
    json.member("id", id);
    json.member("name", name);
  });
  json.member("most_rounds", max_rounds);
}

void write_battle_head(JsonWriter& json, const BattleReport& report, bool sampled) {
  json.member("format", 1);
  json.member("rules", report.rules);
  write_card_set(json, report);
  json.member("engine", to_string(report.engine));
  if (!report.engine_reason.empty()) json.member("engine_reason", report.engine_reason);
  if (!sampled) return;
  json.member("trials", report.trials);
  json.member("seed", report.seed);
}

std::size_t last_round(const BattleReport& report) {
  constexpr double kRare = 5e-4;
  std::size_t last = 1;
  for (std::size_t k = 1; k < report.rounds.size(); ++k) {
    if (report.rounds[k].value >= kRare) last = k;
  }
  return last;
}

void write_fight(JsonWriter& json, const BattleReport& report) {
  json.member("mine", report.my_name);
  json.member("theirs", report.their_name);
  write_flight(json, report.flight, report.flight_name, report.max_rounds);
  json.member("first", report.first);
  json.object("policy", [&] {
    json.member("mine", report.my_policy);
    json.member("theirs", report.their_policy);
  });
  if (!report.damage_deck.empty()) json.member("damage_deck", report.damage_deck);
  if (report.score == BattleScore()) return;
  json.object("score", [&] {
    json.member("win", to_string(report.score.win));
    json.member("half_points", to_string(report.score.half_points));
    if (report.score.squad_points > 0) json.member("squad_points", report.score.squad_points);
    if (report.score.end_points > 0) json.member("end_points", report.score.end_points);
  });
}

void write_battle_caveats(Page& page, const std::vector<std::string>& assumptions, const Provenance& from) {
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    page.entry(i == 0 ? "assumed" : "", "- " + assumptions[i], Style::Faint);
  write_caveats(page, from, "facts");
}

}  // namespace report

std::string to_json(const BattleReport& report) {
  const bool sampled = report.engine == Engine::Sample;
  return wrapped_json([&](JsonWriter& json) {
    write_battle_head(json, report, report.trials > 0);
    if (report.trials > 0 && report.interrupted) json.member("interrupted", true);
    if (report.engine == Engine::Both) json.member("g_test", report.g_test);
    write_fight(json, report);
    write_figure(json, "win", report.win, sampled);
    write_figure(json, "draw", report.draw, sampled);
    write_figure(json, "loss", report.loss, sampled);
    write_figure(json, "my_points", report.my_points, sampled);
    write_figure(json, "their_points", report.their_points, sampled);
    json.objects("difference", report.difference, [&](const auto& one) {
      json.member("points", one.first);
      write_figure(json, "probability", one.second, sampled);
    });
    write_figure(json, "mean_rounds", report.mean_rounds, sampled);
    write_figures(json, "rounds", report.rounds, sampled);
    json.objects("ships", report.ships, [&](const BattleShipEstimates& ship) { write_ship(json, ship, sampled); });
    write_solved(json, report);
    write_sensitivity(json, report);
    json.member("assumptions", report.assumptions);
    write_caveats(json, report);
  });
}

std::string to_csv(const BattleReport& report) {
  CsvFigures csv(report.engine == Engine::Sample);
  csv.figure("", "win", "", report.win);
  csv.figure("", "draw", "", report.draw);
  csv.figure("", "loss", "", report.loss);
  csv.figure("", "my_points", "", report.my_points);
  csv.figure("", "their_points", "", report.their_points);
  for (const auto& [points, figure] : report.difference) csv.figure("", "difference", std::to_string(points), figure);
  csv.figure("", "mean_rounds", "", report.mean_rounds);
  csv.estimates("", "rounds", report.rounds);
  for (const BattleShipEstimates& ship : report.ships) {
    csv.text("side", side_words(ship.mine), ship.name);
    csv.figure(ship.name, "survives", "", ship.survives);
    csv.figure(ship.name, "last", "", ship.last);
    csv.figure(ship.name, "shots", "", ship.shots);
    csv.figure(ship.name, "damage_done", "", ship.damage_done);
    csv.figure(ship.name, "damage_taken", "", ship.damage_taken);
    csv.figure(ship.name, "points_earned", "", ship.points_earned);
    csv.estimates(ship.name, "alive", ship.alive);
  }
  if (report.sensitivity) {
    for (const BattleVariant& one : report.sensitivity->policies) csv.figure("", "policy", one.choice, one.value);
    for (const BattleVariant& one : report.sensitivity->flights) csv.figure("", "flight", one.choice, one.value);
    if (!report.sensitivity->summary.empty()) csv.text("sensitivity", report.sensitivity->summary);
  }
  if (report.trials > 0) csv.number("trials", std::to_string(report.trials));
  csv.text("flight", report.flight);
  if (!report.damage_deck.empty()) csv.text("damage_deck", report.damage_deck);
  if (report.score != BattleScore()) csv.text("win_by", to_string(report.score.win));
  for (const std::string& words : report.assumptions) csv.text("assumption", words);
  for (const auto& [name, words] : caveats(report)) csv.text(name, words);
  return csv.take();
}

std::string to_table(const BattleReport& report, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("{} against {}", report.my_name, report.their_name), Style::Strong);
  page.blank();
  write_result(page, report);
  write_how(page, report);
  write_variants(page, report);
  page.blank();
  const std::vector<std::string> titles = ship_titles(report);
  write_side(page, report, titles, true);
  write_side(page, report, titles, false);
  page.blank();
  write_curves(page, report, titles);
  if (report.engine == Engine::Sample) {
    page.blank();
    page.paragraph(error_words(report), Style::Faint);
  }
  page.blank();
  if (!report.positions.empty()) {
    write_positions(page, report, titles);
    page.blank();
  }
  write_battle_caveats(page, report.assumptions, report);
  return page.take();
}

}  // namespace salvo
