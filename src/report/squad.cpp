// The answer of `salvo squad` in every format: see salvo/squad_report.h.
#include "salvo/squad_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "report/durability.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "study/duel.h"

namespace salvo {
namespace {

using namespace report;

using study::TokenSet;

// ---------------------------------------------------------------- JSON

std::optional<double> if_true(bool known, double x) { return known ? std::optional(x) : std::nullopt; }

void write_squad(JsonWriter& json, const Squad& squad) {
  json.member("name", squad.name);
  json.member("faction", squad.faction);
  json.member("ruleset", squad.ruleset);
  json.member("rules", squad.rules);
  json.member("cards", squad.cards);
  if (!squad.cards_date.empty()) {
    json.member("cards_from", squad.cards_from);
    json.member("cards_date", squad.cards_date);
  }
  json.member("points", squad.points);
  json.member("pilots", squad.pilots.size());
  json.member("notes", squad.notes);
}

void write_result(JsonWriter& json, const DuelResult& result) {
  json.member("possible", result.possible);
  json.member("engine", result.engine);
  json.member("mean", result.mean);
  if (!result.possible) json.member("why_not", result.why_not);
  if (result.engine != "exact") json.member("mean_se", result.mean_se);
  json.member("hit", result.hit);
  json.member("at_least", result.at_least);
  json.member("destroyed", if_true(result.destructible, result.destroyed));
}

void write_offense(JsonWriter& json, const Offense& entry) {
  json.member("weapon", entry.weapon);
  json.member("range", entry.range);
  json.member("tokens", entry.tokens);
  json.member("against", entry.against);
  write_result(json, entry.result);
}

void write_endurance(JsonWriter& json, const Endurance& entry) {
  json.member("from", entry.from);
  json.member("tokens", entry.tokens);
  if (!entry.fits) {
    json.member("mean_shots", std::nullopt);
    json.member("note", "too large for the exact engine");
    return;
  }
  json.member("mean_shots", entry.shots.mean);  // null: never destroyed
  json.member("mean_bound", entry.shots.mean_bound);
  constexpr std::size_t kListed = 21;
  json.array("survive", [&] {
    for (std::size_t n = 0; n < std::min(kListed, entry.shots.cdf.size()); ++n) json.value(1 - entry.shots.cdf[n]);
  });
}

void write_worth(JsonWriter& json, const UpgradeWorth& worth) {
  const bool known = worth.state != "unmodelled", priced = known && worth.cost && *worth.cost > 0;
  const double cost = priced ? *worth.cost : 1;
  json.member("id", worth.id);
  json.member("cost", worth.cost);
  json.member("state", worth.state);
  json.member("damage", if_true(known, worth.damage));
  json.member("shots", if_true(known, worth.shots));
  json.member("damage_per_point", if_true(priced, worth.damage / cost));
  json.member("shots_per_point", if_true(priced, worth.shots / cost));
}

void write_summary(JsonWriter& json, const PilotReport& study) {
  const bool priced = study.cost > 0;
  const double cost = priced ? study.cost : 1;
  json.member("damage", study.summary.damage);
  json.member("shots", study.summary.shots);
  json.member("damage_per_point", if_true(priced, study.summary.damage / cost));
  json.member("shots_per_point", if_true(priced, study.summary.shots / cost));
}

void write_pilot(JsonWriter& json, const PilotReport& study) {
  const SquadPilot& pilot = study.pilot;
  json.member("id", pilot.id);
  json.member("ship", pilot.ship);
  json.member("name", pilot.name);
  json.member("ship_name", pilot.ship_name);
  json.member("path", pilot.path);
  json.object("given", [&] {
    json.member("id", pilot.given);
    json.member("ship", pilot.given_ship);
  });
  json.array("upgrades", [&] {
    for (const SquadUpgrade& upgrade : pilot.upgrades) json.value(upgrade.id);
  });
  json.member("standard_loadout", pilot.standard_loadout);
  json.member("cost", study.cost);
  json.member("loadout", pilot.loadout);
  json.object("summary", [&] { write_summary(json, study); });
  json.objects("offense", study.offense, [&](const Offense& entry) { write_offense(json, entry); });
  json.objects("durability", study.durability, [&](const Endurance& entry) { write_endurance(json, entry); });
  json.objects("worth", study.worth, [&](const UpgradeWorth& worth) { write_worth(json, worth); });
  json.member("unmodelled", study.unmodelled);
  json.member("partly", study.partly);
  json.member("assumed_facts", study.assumed_facts);
}

void write_unknown(JsonWriter& json, const Squad& squad) {
  json.objects("unknown", squad.unknown, [&](const UnknownId& id) {
    json.member("path", id.path);
    json.member("kind", id.kind);
    json.member("id", id.id);
    json.member("reason", id.reason);
  });
}

void write_matrix(JsonWriter& json, const SquadMatrix& matrix) {
  json.member("range", matrix.range);
  json.member("tokens", "focus");
  json.member("rows", matrix.rows);
  json.member("columns", matrix.columns);
  json.array("cells", [&] {
    for (const auto& row : matrix.cells) {
      json.array([&] {
        for (const MatrixCell& cell : row) {
          json.object([&] {
            write_result(json, cell.result);
            json.member("mean_shots", if_true(cell.fits, cell.shots));
          });
        }
      });
    }
  });
}

void write_references(JsonWriter& json, const References& references) {
  const auto write = [&](const char* key, const std::vector<ReferenceShip>& ships) {
    json.objects(key, ships, [&](const ReferenceShip& ship) {
      json.member("id", ship.id);
      json.member("name", ship.name);
    });
  };
  write("defenders", references.defenders);
  write("attackers", references.attackers);
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
void write_offense(Page& page, const PilotReport& study, const References& references) {
  std::vector<std::vector<std::string>> rows{{"damage at range 2"}};
  for (const ReferenceShip& defender : references.defenders)
    rows[0].push_back(text::clip(defender.id, room_for(page, references.defenders.size())));
  for (const WeaponChoice& weapon : study.weapons) {
    const int range = std::clamp(2, weapon.min_range, weapon.max_range);
    for (const TokenSet& tokens : study::token_sets()) {
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

void write_durability(Page& page, const PilotReport& study, const References& references) {
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

void write_worth(Page& page, const PilotReport& study) {
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

void write_matrix(Page& page, const SquadMatrix& matrix, const char* title) {
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

void write_pilot(Page& page, const PilotReport& study, const References& references) {
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

std::string to_json(const SquadReport& study) {
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.object("squad", [&] { write_squad(json, study.squad); });
    json.object("references", [&] { write_references(json, study.references); });
    json.objects("pilots", study.pilots, [&](const PilotReport& pilot) { write_pilot(json, pilot); });
    if (study.other) {
      json.object("against", [&] {
        write_squad(json, *study.other);
        write_unknown(json, *study.other);
      });
      json.object("matrix", [&] {
        json.object("forth", [&] { write_matrix(json, study.forth); });
        json.object("back", [&] { write_matrix(json, study.back); });
      });
    }
    write_unknown(json, study.squad);
  });
}

std::string to_csv(const SquadReport& study) {
  std::string out = "pilot,ship,figure,weapon,range,tokens,with,key,value\n";
  for (const PilotReport& pilot : study.pilots) {
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
  if (!study.squad.cards_date.empty())
    out += fmt::format(",,cards,,,,,{},{}\n", study.squad.cards, study.squad.cards_date);
  return out;
}

std::string to_table(const SquadReport& study, int width, bool colour) {
  Page page = make_page(width, colour, 140);
  const Squad& squad = study.squad;
  page.paragraph(squad.name.empty() ? "squad" : squad.name, Style::Strong);
  page.entry("faction", squad.faction);
  page.entry("points", fmt::format("{}{}, cards {}{}", squad.ruleset,
                                   squad.points ? fmt::format(", {} points", *squad.points) : "", squad.cards,
                                   squad.cards_date.empty() ? "" : " of " + squad.cards_date));
  for (const std::string& note : squad.notes) page.entry("note", note, Style::Faint);
  for (const UnknownId& id : squad.unknown)
    page.entry("unknown", fmt::format("{} \"{}\" at {}: {}", id.kind, id.id, id.path, id.reason), Style::Bad);
  std::vector<std::string> legend;
  for (const auto* ships : {&study.references.defenders, &study.references.attackers}) {
    for (const ReferenceShip& ship : *ships) legend.push_back(fmt::format("{}: {}", ship.id, ship.name));
  }
  page.entry("references", fmt::format("{}", fmt::join(legend, "; ")), Style::Faint);
  for (const PilotReport& pilot : study.pilots) write_pilot(page, pilot, study.references);
  if (study.other) {
    write_matrix(page, study.forth,
                 "Each of these shoots, one attack with focus at range 2; in brackets the shots until it is destroyed");
    write_matrix(page, study.back, "The others shoot back");
  }
  return page.take();
}

}  // namespace salvo
