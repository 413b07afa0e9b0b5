// The answer of `salvo squad` in every format.
#include "salvo/squad_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/index.h"
#include "base/text.h"
#include "report/durability.h"
#include "report/json_figures.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/squad.h"
#include "report/table.h"
#include "study/duel.h"

namespace salvo {
namespace {

using namespace report;

using study::TokenSet;

// ---------------------------------------------------------------- JSON

std::optional<double> if_true(bool known, double x) { return known ? std::optional(x) : std::nullopt; }

}  // namespace

std::string_view report::engine_name(const DuelResult& result) {
  return result.engine ? to_string(*result.engine) : std::string_view();
}

void report::write_after_mean(JsonWriter& json, const DuelResult& result) {
  const bool sampled = result.engine != Engine::Exact;
  if (sampled) json.member("mean_se", result.mean.se);
  write_figure(json, "hit", result.hit, sampled);
  write_figures(json, "at_least", result.at_least, sampled);
  json.member("destroyed", if_true(result.destructible, result.destroyed.value));
  if (sampled && result.destructible) json.member("destroyed_se", result.destroyed.se);
}

namespace {

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
  json.member("engine", engine_name(result));
  json.member("mean", result.mean.value);
  if (!result.possible) json.member("why_not", result.why_not);
  write_after_mean(json, result);
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
  json.array("survive", [&] {
    for (std::size_t n = 0; n < std::min(kListedShots, entry.shots.cdf.size()); ++n) json.value(1 - entry.shots.cdf[n]);
  });
}

void write_worth(JsonWriter& json, const UpgradeWorth& worth) {
  const bool known = worth.state != "unmodelled", priced = known && worth.cost && *worth.cost > 0;
  const double cost = priced ? *worth.cost : 1;
  json.member("id", worth.id);
  json.member("cost", worth.cost);
  json.member("state", worth.state);
  json.member("damage", if_true(known, worth.damage.value));
  if (worth.damage.se > 0) json.member("damage_se", worth.damage.se);
  json.member("shots", if_true(known, worth.shots));
  json.member("damage_per_point", if_true(priced, worth.damage.value / cost));
  json.member("shots_per_point", if_true(priced, worth.shots / cost));
  json.objects("attacks", worth.attacks, [&](const WorthOfAttack& attack) {
    json.member("weapon", attack.weapon);
    json.member("range", attack.range);
    json.member("tokens", attack.tokens);
    json.member("damage", if_true(attack.possible, attack.damage.value));
    if (attack.damage.se > 0) json.member("damage_se", attack.damage.se);
    json.member("damage_per_point", if_true(attack.possible && priced, attack.damage.value / cost));
  });
  json.objects("defenses", worth.defenses, [&](const WorthOfDefense& defense) {
    json.member("tokens", defense.tokens);
    json.member("shots", defense.shots);
    json.member("shots_per_point", if_true(priced, defense.shots / cost));
  });
}

void write_summary(JsonWriter& json, const PilotReport& study) {
  const bool priced = study.cost > 0;
  const double cost = priced ? study.cost : 1;
  const bool destructible = !study.durability.empty();
  write_figure(json, "damage", study.summary.damage, study.summary.damage.se > 0);
  json.member("shots", if_true(destructible, study.summary.shots));
  json.member("damage_per_point", if_true(priced, study.summary.damage.value / cost));
  json.member("shots_per_point", if_true(priced && destructible, study.summary.shots / cost));
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
  json.member("cost", study.cost > 0 ? std::optional(study.cost) : std::nullopt);
  json.member("loadout", pilot.loadout);
  json.object("summary", [&] { write_summary(json, study); });
  json.objects("offense", study.offense, [&](const Offense& entry) { write_offense(json, entry); });
  json.objects("durability", study.durability, [&](const Endurance& entry) { write_endurance(json, entry); });
  json.objects("worth", study.worth, [&](const UpgradeWorth& worth) { write_worth(json, worth); });
  json.member("unmodelled", study.unmodelled);
  json.member("partly", study.partly);
  json.member("assumed_facts", study.assumed_facts);
  json.member("no_effect", study.no_effect);
  if (!study.notes.empty()) json.member("notes", study.notes);
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
            json.member("weapon", cell.weapon.empty() ? std::nullopt : std::optional(cell.weapon));
            write_result(json, cell.result);
            json.member("mean_shots", if_true(cell.fits, cell.shots));
          });
        }
      });
    }
  });
  write_caveats(json, matrix.from);
}

}  // namespace

void report::write_references(JsonWriter& json, const ReferenceShips& references) {
  const auto write = [&](const char* key, const std::vector<ReferenceShip>& ships) {
    json.objects(key, ships, [&](const ReferenceShip& ship) {
      json.member("id", ship.id);
      json.member("name", ship.name);
    });
  };
  write("defenders", references.defenders);
  write("attackers", references.attackers);
}

namespace {

// ---------------------------------------------------------------- table

std::string rounded(double x, int decimals = 2) {
  if (std::isnan(x)) return "too large";
  return std::isinf(x) ? "never" : fmt::format("{:.{}f}", x, decimals);
}

/// " ±0.012", the 95 % half-width; empty when exact.
std::string plus_minus(double se) { return se > 0 ? fmt::format(" ±{:.2g}", 1.96 * se) : ""; }

/// The mean, with its 95 % half-width when sampled.
std::string with_error(const Estimate& mean) { return rounded(mean.value) + plus_minus(mean.se); }

/// A number that rounds to zero has no minus sign.
std::string signed_number(double x, int decimals = 2) {
  if (std::isnan(x)) return "too large";
  std::string out = fmt::format("{:+.{}f}", x, decimals);
  if (out.find_first_of("123456789") == std::string::npos) out[0] = '+';
  return out;
}

void write_columns(Page& page, const std::vector<std::vector<std::string>>& rows) {
  Table table;
  for (const auto& row : rows) table.row({row.begin(), row.end()});
  table.write(page);
}

/// Mean damage against each reference defender, by weapon and tokens, at the weapon's usual range.
void write_offense(Page& page, const PilotReport& study, const ReferenceShips& references) {
  std::vector<std::vector<std::string>> rows{{"damage at range 2"}};
  for (const ReferenceShip& defender : references.defenders) rows[0].push_back(defender.id);
  for (const WeaponChoice& weapon : study.weapons) {
    const int range = std::clamp(2, weapon.min_range, weapon.max_range);
    for (const TokenSet& tokens : study::token_sets()) {
      std::vector<std::string> row{fmt::format("{}, {}", weapon.name, tokens.name)};
      for (const Offense& entry : study.offense) {
        if (entry.weapon != weapon.id || entry.range != range || entry.tokens != tokens.name) continue;
        row.push_back(entry.result.possible ? with_error(entry.result.mean) : "-");
      }
      rows.push_back(std::move(row));
    }
  }
  write_columns(page, rows);
}

void write_durability(Page& page, const PilotReport& study, const ReferenceShips& references) {
  std::vector<std::vector<std::string>> rows{{"mean shots survived"}};
  for (const ReferenceShip& attacker : references.attackers) rows[0].push_back(attacker.id);
  for (const char* tokens : {"none", "focus"}) {
    std::vector<std::string> row{std::string("with ") + tokens};
    for (const Endurance& entry : study.durability) {
      if (entry.tokens == tokens) row.push_back(entry.fits ? rounded(entry.shots.mean) : "too large");
    }
    rows.push_back(std::move(row));
  }
  write_columns(page, rows);
}

/// Writes the gain of each upgrade, by weapon and tokens; below that, its gain for each point of its cost.
void write_worth(Page& page, const PilotReport& study) {
  if (study.worth.empty()) return;
  std::vector<std::vector<std::string>> rows{{"what upgrades add"}};
  for (const TokenSet& tokens : study::token_sets()) rows[0].push_back(tokens.name);
  for (const char* head : {"shots, none", "shots, focus"}) rows[0].emplace_back(head);
  for (const UpgradeWorth& worth : study.worth) {
    const std::string cost = worth.cost ? fmt::format(" ({})", *worth.cost) : "";
    if (worth.state == "unmodelled" || worth.state == "no_effect") {
      rows.push_back(
          {fmt::format("{}{}: {}", worth.id, cost, worth.state == "no_effect" ? "no effect on dice" : "not modelled")});
      continue;
    }
    const std::string mark = worth.state == "partly" ? ", partly" : "";
    const std::size_t sets = study::token_sets().size();
    for (std::size_t first = 0; first < std::max<std::size_t>(worth.attacks.size(), 1); first += sets) {
      std::vector<std::string> row, per_point{"  per point"};
      const bool has_weapon = first < worth.attacks.size();
      row.push_back(fmt::format("{}{}{}{}", worth.id, cost, mark,
                                has_weapon ? ", " + worth.attacks[first].weapon : std::string()));
      const bool priced = worth.cost && *worth.cost > 0;
      for (std::size_t k = first; k < first + sets; ++k) {
        const bool possible = has_weapon && worth.attacks[k].possible;
        row.push_back(possible ? signed_number(worth.attacks[k].damage.value) + plus_minus(worth.attacks[k].damage.se)
                               : "-");
        per_point.push_back(possible && priced ? signed_number(worth.attacks[k].damage.value / *worth.cost, 3) : "-");
      }
      for (const WorthOfDefense& defense : worth.defenses) {
        const bool here = first == 0;  // the same for all weapons
        row.push_back(here ? signed_number(defense.shots) : "");
        per_point.push_back(here && priced && !std::isnan(defense.shots) ? signed_number(defense.shots / *worth.cost, 3)
                                                                         : "");
      }
      rows.push_back(std::move(row));
      if (priced) rows.push_back(std::move(per_point));
    }
  }
  write_columns(page, rows);
}

/// Weapons in a matrix that are not the first primary one; they get stars.
std::vector<std::string> other_weapons(const SquadMatrix& matrix) {
  std::vector<std::string> out;
  for (const auto& row : matrix.cells) {
    for (const MatrixCell& cell : row) {
      if (!cell.result.possible || cell.weapon == "primary:front" || cell.weapon == "primary") continue;
      base::add_once(out, cell.weapon);
    }
  }
  return out;
}

void write_lists(Page& page, const Caveats& from) {
  constexpr std::array kKeys = {"assumed", "not modelled", "no effect on dice", "partly", "note"};
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    const std::vector<std::string>& list = from.*kCaveatLists[i];
    if (!list.empty()) page.entry(kKeys[i], base::joined(list, ", "), Style::Faint);
  }
}

std::string mark_of(const SquadMatrix& matrix, const std::string& weapon) {
  const std::vector<std::string> others = other_weapons(matrix);
  const auto at = std::find(others.begin(), others.end(), weapon);
  return at == others.end() ? "" : std::string(static_cast<std::size_t>(at - others.begin()) + 1, '*');
}

void write_matrix(Page& page, const SquadMatrix& matrix, const std::string& title) {
  page.blank();
  page.paragraph(title, Style::Strong);
  std::vector<std::vector<std::string>> rows{{"mean damage (shots)"}};
  rows[0].insert(rows[0].end(), matrix.columns.begin(), matrix.columns.end());
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    rows.push_back({matrix.rows[r]});
    for (const MatrixCell& cell : matrix.cells[r]) {
      rows.back().push_back(cell.result.possible
                                ? fmt::format("{} ({}){}", with_error(cell.result.mean),
                                              cell.fits ? rounded(cell.shots, 1) : "?", mark_of(matrix, cell.weapon))
                                : "-");
    }
  }
  write_columns(page, rows);
  const std::vector<std::string> others = other_weapons(matrix);
  for (std::size_t i = 0; i < others.size(); ++i)
    page.entry(std::string(i + 1, '*'), "with " + others[i], Style::Faint);
  write_lists(page, matrix.from);
}

void write_pilot(Page& page, const PilotReport& study, const ReferenceShips& references) {
  page.blank();
  const bool named = !study.pilot.ship_name.empty() && study.pilot.ship_name != study.pilot.name;
  page.paragraph(named ? fmt::format("{} ({})", study.pilot.name, study.pilot.ship_name) : study.pilot.name,
                 Style::Strong);
  std::string cost = study.cost > 0 ? fmt::format("{} points", study.cost) : "points not known";
  if (study.pilot.loadout) cost += fmt::format(", loadout {}", *study.pilot.loadout);
  if (study.pilot.standard_loadout) cost += ", standard loadout";
  page.entry("cost", cost);
  std::string estimates = "damage " + with_error(study.summary.damage);
  if (!study.durability.empty())
    estimates +=
        std::isinf(study.summary.shots) ? ", never destroyed" : ", shots survived " + rounded(study.summary.shots);
  if (study.cost > 0)
    estimates += fmt::format(", damage per point {}", rounded(study.summary.damage.value / study.cost, 3));
  page.entry("in short", estimates);
  write_lists(page, study);
  write_offense(page, study, references);
  if (!study.durability.empty()) write_durability(page, study, references);
  write_worth(page, study);
}

}  // namespace

void report::write_report(JsonWriter& json, const SquadReport& study) {
  json.object("squad", [&] { write_squad(json, study.squad); });
  json.object("references", [&] { write_references(json, study.references); });
  json.objects("pilots", study.pilots, [&](const PilotReport& pilot) { write_pilot(json, pilot); });
  if (study.other) {
    json.object("against", [&] {
      write_squad(json, *study.other);
      write_unknown(json, *study.other);
    });
    json.object("matrix", [&] {
      json.object("forth", [&] { write_matrix(json, study.attacks); });
      json.object("back", [&] { write_matrix(json, study.return_attacks); });
    });
  }
  json.member("worth_basis", study.worth_basis);
  write_unknown(json, study.squad);
}

std::string to_json(const SquadReport& study) {
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    write_report(json, study);
  });
}

namespace {

/// Writes lines in long form.
class SquadLines {
 public:
  /// The ship of the lines that follow; empty ids: the squad.
  void of(const std::string& pilot, const std::string& ship) {
    head_ = base::csv_field(pilot) + "," + base::csv_field(ship);
  }
  void number(const char* figure, const std::string& where, const std::string& key, double value, double se = 0) {
    out_ += fmt::format("{},{},{},{},{},{}\n", head_, figure, where, base::csv_field(key), value,
                        se > 0 ? fmt::format("{}", se) : "");
  }
  void number(const char* figure, const std::string& where, const std::string& key, const Estimate& x) {
    number(figure, where, key, x.value, x.se);
  }
  void words(const char* figure, const std::string& said) {
    out_ += fmt::format("{},{},,,,,{},,\n", head_, figure, base::csv_field(said));
  }
  void caveats(const Caveats& from) {
    for (const auto& [figure, said] : report::caveats(from)) words(figure, said);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string head_ = ",", out_ = "pilot,ship,figure,weapon,range,tokens,with,key,value,se\n";
};

void add_worth(SquadLines& lines, const UpgradeWorth& worth) {
  lines.number("worth_damage", ",,,", worth.id, worth.damage);
  lines.number("worth_shots", ",,,", worth.id, worth.shots);
  for (const WorthOfAttack& attack : worth.attacks) {
    if (!attack.possible) continue;
    lines.number("worth_damage", fmt::format("{},{},{},", base::csv_field(attack.weapon), attack.range, attack.tokens),
                 worth.id, attack.damage);
  }
  for (const WorthOfDefense& defense : worth.defenses)
    lines.number("worth_shots", fmt::format(",,{},", defense.tokens), worth.id, defense.shots);
}

void add_pilot(SquadLines& lines, const PilotReport& pilot) {
  lines.of(pilot.pilot.id, pilot.pilot.ship);
  if (pilot.cost > 0) lines.number("cost", ",,,", "", pilot.cost);
  lines.number("damage", ",,,", "", pilot.summary.damage);
  if (!pilot.durability.empty()) lines.number("shots", ",,,", "", pilot.summary.shots);
  for (const Offense& entry : pilot.offense) {
    const std::string where = fmt::format("{},{},{},{}", base::csv_field(entry.weapon), entry.range, entry.tokens,
                                          base::csv_field(entry.against));
    const DuelResult& result = entry.result;
    lines.number("mean", where, "", result.mean);
    for (std::size_t k = 1; k < result.at_least.size(); ++k)
      lines.number("at_least", where, std::to_string(k), result.at_least[k]);
    if (result.destructible) lines.number("destroyed", where, "", result.destroyed);
  }
  for (const Endurance& entry : pilot.durability) {
    if (entry.fits)
      lines.number("mean_shots", fmt::format(",,{},{}", entry.tokens, base::csv_field(entry.from)), "",
                   entry.shots.mean);
  }
  for (const UpgradeWorth& worth : pilot.worth) {
    if (worth.state != "unmodelled") add_worth(lines, worth);
  }
  lines.caveats(pilot);
}

/// Attackers are listed under `pilot`, their targets under `with`.
void add_matrix(SquadLines& lines, const SquadMatrix& matrix, const Squad& by) {
  for (std::size_t r = 0; r < matrix.cells.size(); ++r) {
    lines.of(by.pilots[r].id, by.pilots[r].ship);
    for (std::size_t c = 0; c < matrix.cells[r].size(); ++c) {
      const MatrixCell& cell = matrix.cells[r][c];
      if (!cell.result.possible) continue;
      const std::string where =
          fmt::format("{},{},focus,{}", base::csv_field(cell.weapon), matrix.range, base::csv_field(matrix.columns[c]));
      lines.number("matrix_mean", where, "", cell.result.mean);
      if (cell.fits) lines.number("matrix_mean_shots", where, "", cell.shots);
    }
  }
  lines.of("", "");
  lines.caveats(matrix.from);
}

}  // namespace

std::string to_csv(const SquadReport& study) {
  SquadLines lines;
  for (const PilotReport& pilot : study.pilots) add_pilot(lines, pilot);
  lines.of("", "");
  if (!study.squad.cards_date.empty()) lines.words("cards", study.squad.cards + " of " + study.squad.cards_date);
  for (const std::string& caveat : caveats_of(study.squad)) lines.words("note", caveat);
  if (study.other) {
    for (const std::string& caveat : caveats_of(*study.other)) lines.words("note", caveat);
    add_matrix(lines, study.attacks, study.squad);
    add_matrix(lines, study.return_attacks, *study.other);
  }
  lines.words("worth_basis", study.worth_basis);
  return lines.take();
}

std::string to_table(const SquadReport& study, int width, bool colour) {
  Page page = make_page(width, colour, 140);
  const Squad& squad = study.squad;
  page.paragraph(squad.name.empty() ? "squad" : squad.name, Style::Strong);
  if (!squad.faction.empty()) page.entry("faction", squad.faction);
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
  page.entry("references", base::joined(legend, "; "), Style::Faint);
  for (const PilotReport& pilot : study.pilots) write_pilot(page, pilot, study.references);
  if (study.other) {
    for (const std::string& caveat : caveats_of(*study.other)) page.entry("note", caveat, Style::Faint);
    write_matrix(
        page, study.attacks,
        fmt::format("Each of these shoots, one attack with focus at range {}, with its best weapon; in brackets "
                    "the shots until it is destroyed",
                    study.attacks.range));
    write_matrix(page, study.return_attacks, "The others shoot back");
  }
  page.blank();
  page.paragraph(
      "What upgrades add: " + study.worth_basis + ". One shot a round; Force and charges recover by the rules.",
      Style::Faint);
  return page.take();
}

}  // namespace salvo
