// The answer of `salvo squad`: see squad_report.h.
#include "report/squad_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/durability.h"
#include "report/json_layout.h"
#include "report/page.h"

namespace salvo::study {
namespace {

using nlohmann::ordered_json;
using namespace report;

// ---------------------------------------------------------------- JSON

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json squad_json(const Squad& squad) {
  ordered_json out = {{"name", squad.name},
                      {"faction", squad.faction},
                      {"ruleset", squad.ruleset},
                      {"rules", squad.rules},
                      {"cards", squad.cards},
                      {"points", or_null(squad.points)},
                      {"pilots", squad.pilots.size()},
                      {"notes", squad.notes}};
  return out;
}

ordered_json result_json(const DuelResult& result) {
  ordered_json out = {{"possible", result.possible}, {"engine", result.engine}, {"mean", result.mean}};
  if (!result.possible) out["why_not"] = result.why_not;
  if (result.engine != "exact") out["mean_se"] = result.mean_se;
  out["hit"] = result.hit;
  out["at_least"] = result.at_least;
  out["destroyed"] = result.destructible ? ordered_json(result.destroyed) : ordered_json(nullptr);
  return out;
}

ordered_json offense_json(const Offense& entry) {
  ordered_json out = {
      {"weapon", entry.weapon}, {"range", entry.range}, {"tokens", entry.tokens}, {"against", entry.against}};
  out.update(result_json(entry.result));
  return out;
}

ordered_json endurance_json(const Endurance& entry) {
  ordered_json out = {{"from", entry.from}, {"tokens", entry.tokens}};
  if (!entry.fits) {
    out["mean_shots"] = nullptr;
    out["note"] = "too large for the exact engine";
    return out;
  }
  out["mean_shots"] = entry.shots.mean;  // null: never destroyed
  out["mean_bound"] = entry.shots.mean_bound;
  constexpr std::size_t kListed = 21;
  ordered_json survive = ordered_json::array();
  for (std::size_t n = 0; n < std::min(kListed, entry.shots.cdf.size()); ++n) survive.push_back(1 - entry.shots.cdf[n]);
  out["survive"] = std::move(survive);
  return out;
}

ordered_json worth_json(const UpgradeWorth& worth) {
  ordered_json out = {{"id", worth.id}, {"cost", or_null(worth.cost)}, {"state", worth.state}};
  const bool known = worth.state != "unmodelled";
  out["damage"] = known ? ordered_json(worth.damage) : ordered_json(nullptr);
  out["shots"] = known ? ordered_json(worth.shots) : ordered_json(nullptr);
  const bool priced = known && worth.cost && *worth.cost > 0;
  out["damage_per_point"] = priced ? ordered_json(worth.damage / *worth.cost) : ordered_json(nullptr);
  out["shots_per_point"] = priced ? ordered_json(worth.shots / *worth.cost) : ordered_json(nullptr);
  return out;
}

ordered_json pilot_json(const PilotStudy& study) {
  const SquadPilot& pilot = study.pilot;
  ordered_json upgrades = ordered_json::array();
  for (const SquadUpgrade& upgrade : pilot.upgrades) upgrades.push_back(upgrade.id);
  ordered_json out = {{"id", pilot.id},       {"ship", pilot.ship},
                      {"name", pilot.name},   {"ship_name", pilot.ship_name},
                      {"path", pilot.path},   {"given", {{"id", pilot.given}, {"ship", pilot.given_ship}}},
                      {"upgrades", upgrades}, {"standard_loadout", pilot.standard_loadout},
                      {"cost", study.cost},   {"loadout", or_null(pilot.loadout)}};
  out["summary"] = {{"damage", study.summary.damage}, {"shots", study.summary.shots}};
  out["summary"]["damage_per_point"] = study.cost > 0 ? ordered_json(study.summary.damage / study.cost) : nullptr;
  out["summary"]["shots_per_point"] = study.cost > 0 ? ordered_json(study.summary.shots / study.cost) : nullptr;
  out["offense"] = ordered_json::array();
  for (const Offense& entry : study.offense) out["offense"].push_back(offense_json(entry));
  out["durability"] = ordered_json::array();
  for (const Endurance& entry : study.durability) out["durability"].push_back(endurance_json(entry));
  out["worth"] = ordered_json::array();
  for (const UpgradeWorth& worth : study.worth) out["worth"].push_back(worth_json(worth));
  out["unmodelled"] = study.unmodelled;
  out["partly"] = study.partly;
  out["assumed_facts"] = study.assumed_facts;
  return out;
}

ordered_json unknown_json(const Squad& squad) {
  ordered_json out = ordered_json::array();
  for (const UnknownId& id : squad.unknown) {
    out.push_back({{"path", id.path}, {"kind", id.kind}, {"id", id.id}, {"reason", id.reason}});
  }
  return out;
}

ordered_json matrix_json(const Matrix& matrix) {
  ordered_json out = {{"range", matrix.range}, {"tokens", "focus"}, {"rows", matrix.rows}, {"columns", matrix.columns}};
  out["cells"] = ordered_json::array();
  for (const auto& row : matrix.cells) {
    ordered_json cells = ordered_json::array();
    for (const MatrixCell& cell : row) {
      ordered_json value = result_json(cell.result);
      value["mean_shots"] = cell.fits ? ordered_json(cell.shots) : ordered_json(nullptr);
      cells.push_back(std::move(value));
    }
    out["cells"].push_back(std::move(cells));
  }
  return out;
}

ordered_json references_json(const References& references) {
  ordered_json out = {{"defenders", ordered_json::array()}, {"attackers", ordered_json::array()}};
  for (const auto& [key, ships] :
       {std::pair("defenders", &references.defenders), std::pair("attackers", &references.attackers)}) {
    for (const ReferenceShip& ship : *ships) out[key].push_back({{"id", ship.id}, {"name", ship.name}});
  }
  return out;
}

// ---------------------------------------------------------------- table

std::string number(double x, int decimals = 2) {
  if (std::isnan(x)) return "too large";
  return std::isinf(x) ? "never" : fmt::format("{:.{}f}", x, decimals);
}

std::string signed_number(double x) { return std::isnan(x) ? "too large" : fmt::format("{:+.2f}", x); }

/// Columns of text under a heading, the first one to the left.
void write_columns(Page& page, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], text::length(row[c]));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = "  ";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      line += c == 0 ? text::pad_right(rows[r][c], widths[c]) : "  " + text::pad_left(rows[r][c], widths[c]);
    }
    page.line({{line, r == 0 ? Style::Faint : Style::Plain}});
  }
}

/// Columns of a heading beside `others` more of them.
std::size_t room_for(const Page& page, std::size_t others) {
  constexpr std::size_t kFirstColumn = 26, kLeast = 6;
  const std::size_t room = page.width() - std::min(page.width(), kFirstColumn);
  return std::max(kLeast, room / std::max<std::size_t>(others, 1) - std::min<std::size_t>(2, room / others));
}

/// Mean damage by weapon and tokens at its usual range, against each reference defender.
void write_offense(Page& page, const PilotStudy& study, const References& references) {
  std::vector<std::vector<std::string>> rows{{"damage at range 2"}};
  for (const ReferenceShip& defender : references.defenders)
    rows[0].push_back(text::clip(defender.id, room_for(page, references.defenders.size())));
  for (const WeaponChoice& weapon : study.weapons) {
    const int range = std::clamp(2, weapon.min_range, weapon.max_range);
    for (const TokenSet& tokens : token_sets()) {
      std::vector<std::string> row{fmt::format("{}, {}", weapon.name, tokens.name)};
      for (const Offense& entry : study.offense) {
        if (entry.weapon != weapon.id || entry.range != range || entry.tokens != tokens.name) continue;
        row.push_back(entry.result.possible ? number(entry.result.mean) : "-");
      }
      rows.push_back(std::move(row));
    }
  }
  write_columns(page, rows);
}

void write_durability(Page& page, const PilotStudy& study, const References& references) {
  std::vector<std::vector<std::string>> rows{{"mean shots survived"}};
  for (const ReferenceShip& attacker : references.attackers)
    rows[0].push_back(text::clip(attacker.id, room_for(page, references.attackers.size())));
  for (const char* tokens : {"none", "focus"}) {
    std::vector<std::string> row{std::string("with ") + tokens};
    for (const Endurance& entry : study.durability) {
      if (entry.tokens == tokens) row.push_back(entry.fits ? number(entry.shots.mean) : "too large");
    }
    rows.push_back(std::move(row));
  }
  write_columns(page, rows);
}

void write_worth(Page& page, const PilotStudy& study) {
  if (study.worth.empty()) return;
  std::vector<std::vector<std::string>> rows{{"upgrade", "cost", "damage", "shots"}};
  for (const UpgradeWorth& worth : study.worth) {
    const bool known = worth.state != "unmodelled";
    const std::string mark = worth.state == "modelled" ? "" : worth.state == "partly" ? " (partly)" : " (not modelled)";
    rows.push_back({worth.id + mark, worth.cost ? std::to_string(*worth.cost) : "-",
                    known ? signed_number(worth.damage) : "-", known ? signed_number(worth.shots) : "-"});
  }
  write_columns(page, rows);
}

void write_matrix(Page& page, const Matrix& matrix, const char* title) {
  page.blank();
  page.paragraph(title, Style::Strong);
  std::vector<std::vector<std::string>> rows{{"mean damage (shots)"}};
  for (const std::string& name : matrix.columns) rows[0].push_back(text::clip(name, 14));
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    rows.push_back({text::clip(matrix.rows[r], 20)});
    for (const MatrixCell& cell : matrix.cells[r]) {
      rows.back().push_back(cell.result.possible ? fmt::format("{} ({})", number(cell.result.mean),
                                                               cell.fits ? number(cell.shots, 1) : "?")
                                                 : "-");
    }
  }
  write_columns(page, rows);
}

void write_pilot(Page& page, const PilotStudy& study, const References& references) {
  page.blank();
  page.paragraph(fmt::format("{} ({})", study.pilot.name, study.pilot.ship_name), Style::Strong);
  std::string cost = fmt::format("{} points", study.cost);
  if (study.pilot.loadout) cost += fmt::format(", loadout {}", *study.pilot.loadout);
  if (study.pilot.standard_loadout) cost += ", standard loadout";
  page.entry("cost", cost);
  std::string figures =
      fmt::format("damage {}, shots survived {}", number(study.summary.damage), number(study.summary.shots));
  if (study.cost > 0) figures += fmt::format(", damage per point {}", number(study.summary.damage / study.cost, 3));
  page.entry("in short", figures);
  for (const auto& [key, list] : {std::pair("assumed", &study.assumed_facts),
                                  std::pair("not modelled", &study.unmodelled), std::pair("partly", &study.partly)}) {
    if (!list->empty()) page.entry(key, fmt::format("{}", fmt::join(*list, ", ")), Style::Faint);
  }
  write_offense(page, study, references);
  write_durability(page, study, references);
  write_worth(page, study);
}

}  // namespace

std::string to_json(const SquadStudy& study) {
  ordered_json out = {
      {"format", 1}, {"squad", squad_json(study.squad)}, {"references", references_json(study.references)}};
  out["pilots"] = ordered_json::array();
  for (const PilotStudy& pilot : study.pilots) out["pilots"].push_back(pilot_json(pilot));
  if (study.other) {
    out["against"] = squad_json(*study.other);
    out["against"]["unknown"] = unknown_json(*study.other);
    out["matrix"] = {{"forth", matrix_json(study.forth)}, {"back", matrix_json(study.back)}};
  }
  out["unknown"] = unknown_json(study.squad);
  return json_page(out);
}

std::string to_csv(const SquadStudy& study) {
  std::string out = "pilot,ship,figure,weapon,range,tokens,with,key,value\n";
  for (const PilotStudy& pilot : study.pilots) {
    const std::string head = text::csv_field(pilot.pilot.id) + "," + text::csv_field(pilot.pilot.ship);
    const auto line = [&](const char* figure, const std::string& where, const std::string& key, double value) {
      out += fmt::format("{},{},{},{},{}\n", head, figure, where, key, value);
    };
    line("cost", ",,,", "", pilot.cost);
    line("damage", ",,,", "", pilot.summary.damage);
    line("shots", ",,,", "", pilot.summary.shots);
    for (const Offense& entry : pilot.offense) {
      const std::string where = fmt::format("{},{},{},{}", text::csv_field(entry.weapon), entry.range, entry.tokens,
                                            text::csv_field(entry.against));
      line("mean", where, "", entry.result.mean);
      for (std::size_t k = 1; k < entry.result.at_least.size(); ++k)
        line("at_least", where, std::to_string(k), entry.result.at_least[k]);
      if (entry.result.destructible) line("destroyed", where, "", entry.result.destroyed);
    }
    for (const Endurance& entry : pilot.durability) {
      if (entry.fits)
        line("mean_shots", fmt::format(",,{},{}", entry.tokens, text::csv_field(entry.from)), "", entry.shots.mean);
    }
    for (const UpgradeWorth& worth : pilot.worth) {
      if (worth.state == "unmodelled") continue;
      line("worth_damage", ",,,", text::csv_field(worth.id), worth.damage);
      line("worth_shots", ",,,", text::csv_field(worth.id), worth.shots);
    }
  }
  return out;
}

std::string to_table(const SquadStudy& study, int width, bool colour) {
  Page page(static_cast<std::size_t>(std::clamp(width, 60, 140)), colour);
  const Squad& squad = study.squad;
  page.paragraph(squad.name.empty() ? "squad" : squad.name, Style::Strong);
  page.entry("faction", squad.faction);
  page.entry("points", fmt::format("{}{}, cards {}", squad.ruleset,
                                   squad.points ? fmt::format(", {} points", *squad.points) : "", squad.cards));
  for (const std::string& note : squad.notes) page.entry("note", note, Style::Faint);
  for (const UnknownId& id : squad.unknown)
    page.entry("unknown", fmt::format("{} \"{}\" at {}: {}", id.kind, id.id, id.path, id.reason), Style::Bad);
  std::vector<std::string> legend;
  for (const auto* ships : {&study.references.defenders, &study.references.attackers}) {
    for (const ReferenceShip& ship : *ships) legend.push_back(fmt::format("{}: {}", ship.id, ship.name));
  }
  page.entry("references", fmt::format("{}", fmt::join(legend, "; ")), Style::Faint);
  for (const PilotStudy& pilot : study.pilots) write_pilot(page, pilot, study.references);
  if (study.other) {
    write_matrix(page, study.forth,
                 "Each of these shoots, one attack with focus at range 2; in brackets the shots until it is destroyed");
    write_matrix(page, study.back, "The others shoot back");
  }
  return page.take();
}

}  // namespace salvo::study
