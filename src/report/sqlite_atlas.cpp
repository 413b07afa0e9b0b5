#include "report/sqlite_atlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "load/pilot_stats.h"
#include "report/provenance.h"
#include "report/squad.h"

namespace salvo::report {
namespace {

constexpr std::size_t kPagesAtOnce = 32;  ///< in a transaction; a killed program loses no more

constexpr const char* kTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE defenders(defender TEXT PRIMARY KEY, name TEXT, agility INTEGER, hull INTEGER, shields INTEGER, size TEXT,
  tokens TEXT) WITHOUT ROWID;
CREATE TABLE attackers(attacker TEXT PRIMARY KEY, name TEXT, attack INTEGER, range INTEGER, tokens TEXT) WITHOUT ROWID;
CREATE TABLE pages(page INTEGER PRIMARY KEY, kind TEXT, id TEXT, error TEXT);
CREATE TABLE loadouts(loadout INTEGER PRIMARY KEY, page INTEGER REFERENCES pages, kind TEXT, pilot TEXT, ship TEXT,
  name TEXT, ship_name TEXT, faction TEXT, initiative INTEGER, size TEXT, agility INTEGER, hull INTEGER,
  shields INTEGER, cost INTEGER, loadout_value INTEGER, standard_loadout INTEGER, damage REAL, damage_se REAL,
  shots REAL, damage_per_point REAL, shots_per_point REAL);
CREATE TABLE upgrades(loadout INTEGER REFERENCES loadouts, position INTEGER, upgrade TEXT, cost INTEGER, state TEXT,
  damage REAL, damage_se REAL, shots REAL, PRIMARY KEY(loadout, position)) WITHOUT ROWID;
CREATE TABLE weapons(loadout INTEGER REFERENCES loadouts, weapon TEXT, name TEXT, min_range INTEGER,
  max_range INTEGER, PRIMARY KEY(loadout, weapon)) WITHOUT ROWID;
CREATE TABLE attacks(attack INTEGER PRIMARY KEY, loadout INTEGER REFERENCES loadouts, weapon TEXT, range INTEGER,
  tokens TEXT, defender TEXT REFERENCES defenders, possible INTEGER, why_not TEXT, engine TEXT, mean REAL,
  mean_se REAL, hit REAL, hit_se REAL, destroyed REAL, destroyed_se REAL);
CREATE TABLE tails(attack INTEGER REFERENCES attacks, damage INTEGER, probability REAL, se REAL,
  PRIMARY KEY(attack, damage)) WITHOUT ROWID;
CREATE TABLE endurance(loadout INTEGER REFERENCES loadouts, tokens TEXT, attacker TEXT REFERENCES attackers,
  mean_shots REAL, mean_bound REAL, note TEXT, PRIMARY KEY(loadout, tokens, attacker)) WITHOUT ROWID;
CREATE TABLE survival(loadout INTEGER REFERENCES loadouts, tokens TEXT, attacker TEXT REFERENCES attackers,
  shots INTEGER, probability REAL, PRIMARY KEY(loadout, tokens, attacker, shots)) WITHOUT ROWID;
CREATE TABLE worth_of_attacks(loadout INTEGER REFERENCES loadouts, upgrade TEXT, weapon TEXT, range INTEGER,
  tokens TEXT, damage REAL, damage_se REAL);
CREATE TABLE worth_of_defenses(loadout INTEGER REFERENCES loadouts, upgrade TEXT, tokens TEXT, shots REAL);
CREATE TABLE caveats(loadout INTEGER REFERENCES loadouts, kind TEXT, words TEXT);
CREATE TABLE unknown(page INTEGER REFERENCES pages, path TEXT, kind TEXT, id TEXT, reason TEXT);
)";

constexpr const char* kIndices = R"(
CREATE INDEX IF NOT EXISTS pages_by_id ON pages(id);
CREATE INDEX IF NOT EXISTS loadouts_by_pilot ON loadouts(pilot);
CREATE INDEX IF NOT EXISTS loadouts_by_ship ON loadouts(ship);
CREATE INDEX IF NOT EXISTS loadouts_by_cost ON loadouts(cost);
CREATE INDEX IF NOT EXISTS attacks_by_loadout ON attacks(loadout);
CREATE INDEX IF NOT EXISTS attacks_by_defender ON attacks(defender, tokens, range, mean);
CREATE INDEX IF NOT EXISTS upgrades_by_id ON upgrades(upgrade);
CREATE INDEX IF NOT EXISTS worth_of_attacks_by_loadout ON worth_of_attacks(loadout);
CREATE INDEX IF NOT EXISTS worth_of_defenses_by_loadout ON worth_of_defenses(loadout);
CREATE INDEX IF NOT EXISTS caveats_by_loadout ON caveats(loadout);
)";

/// "focus 1, lock 1".
std::string tokens_of(const ReferenceShip& reference) {
  std::string out;
  for (const auto& [kind, n] : reference.ship.tokens) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", kind, n);
  if (reference.lock) out += out.empty() ? "lock 1" : ", lock 1";
  return out;
}

std::optional<double> error_of(const DuelResult& result, const Estimate& x) {
  return result.engine == Engine::Exact ? std::nullopt : std::optional(x.se);
}

std::optional<double> per_point(double figure, int cost) {
  return cost > 0 ? std::optional(figure / cost) : std::nullopt;
}

template <typename T>
std::optional<T> if_true(bool known, T value) {
  return known ? std::optional(value) : std::nullopt;
}

std::optional<double> error_if_sampled(const Estimate& x) { return if_true(x.se > 0, x.se); }

}  // namespace

AtlasDatabase::Inserts::Inserts(Database& file)
    : page(file.prepare("INSERT INTO pages VALUES(?,?,?,?)")),
      loadout(file.prepare("INSERT INTO loadouts VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      upgrade(file.prepare("INSERT INTO upgrades VALUES(?,?,?,?,?,?,?,?)")),
      weapon(file.prepare("INSERT OR IGNORE INTO weapons VALUES(?,?,?,?,?)")),
      attack(file.prepare("INSERT INTO attacks VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      tail(file.prepare("INSERT INTO tails VALUES(?,?,?,?)")),
      endurance(file.prepare("INSERT INTO endurance VALUES(?,?,?,?,?,?)")),
      survival(file.prepare("INSERT INTO survival VALUES(?,?,?,?,?)")),
      worth_of_attack(file.prepare("INSERT INTO worth_of_attacks VALUES(?,?,?,?,?,?,?)")),
      worth_of_defense(file.prepare("INSERT INTO worth_of_defenses VALUES(?,?,?,?)")),
      caveat(file.prepare("INSERT INTO caveats VALUES(?,?,?)")),
      unknown(file.prepare("INSERT INTO unknown VALUES(?,?,?,?,?)")) {}

AtlasDatabase::AtlasDatabase(const std::string& path, const Catalogue& catalogue, const AtlasHead& head)
    : catalogue_(catalogue), head_(head), file_(path) {
  begin(path);
}

void AtlasDatabase::begin(const std::string& path) {
  const bool fresh = file_.number("SELECT count(*) FROM sqlite_master") == 0;
  if (fresh) {
    file_.run("BEGIN");
    file_.run(kTables);
    Statement meta = file_.prepare("INSERT INTO meta VALUES(?,?)");
    meta("format", "1");
    meta("version", head_.version);
    meta("commit", head_.commit);
    meta("work", head_.work);
    meta("rules", head_.rules);
    meta("cards", head_.cards);
    meta("cards_from", head_.cards_from);
    meta("cards_date", head_.cards_date);
    meta("complete", "0");
    Statement defender = file_.prepare("INSERT INTO defenders VALUES(?,?,?,?,?,?,?)");
    for (const ReferenceShip& one : head_.references.defenders) {
      defender(one.id, one.name, one.ship.agility, one.ship.hull, one.ship.shields, one.ship.size, tokens_of(one));
    }
    Statement attacker = file_.prepare("INSERT INTO attackers VALUES(?,?,?,?,?)");
    for (const ReferenceShip& one : head_.references.attackers)
      attacker(one.id, one.name, one.ship.attack, one.range, tokens_of(one));
    file_.run("COMMIT");
  } else {
    const bool ours = file_.number("SELECT count(*) FROM sqlite_master WHERE name = 'loadouts'") == 1 &&
                      file_.number("SELECT count(*) FROM sqlite_master WHERE name = 'meta'") == 1;
    if (!ours || file_.text("SELECT value FROM meta WHERE key = 'work'") != head_.work) {
      throw LoadError(
          fmt::format("{} was begun with other data, options or another version; choose another file, or "
                      "--restart",
                      path));
    }
    done_ = static_cast<std::size_t>(file_.number("SELECT count(*) FROM pages").value_or(0));
    complete_ = file_.text("SELECT value FROM meta WHERE key = 'complete'") == "1";
  }
  inserts_.emplace(file_);
}

void AtlasDatabase::add_attacks(std::int64_t loadout, const PilotReport& report) {
  for (const WeaponChoice& weapon : report.weapons)
    inserts_->weapon(loadout, weapon.id, weapon.name, weapon.min_range, weapon.max_range);
  for (const Offense& entry : report.offense) {
    const DuelResult& result = entry.result;
    inserts_->attack(loadout, entry.weapon, entry.range, entry.tokens, entry.against, result.possible,
                     if_true(!result.possible, result.why_not), engine_name(result), result.mean.value,
                     error_of(result, result.mean), result.hit.value, error_of(result, result.hit),
                     if_true(result.destructible, result.destroyed.value),
                     result.destructible ? error_of(result, result.destroyed) : std::nullopt);
    const std::int64_t attack = file_.last_row();
    for (std::size_t k = 1; k < result.at_least.size(); ++k)
      inserts_->tail(attack, k, result.at_least[k].value, error_of(result, result.at_least[k]));
  }
}

void AtlasDatabase::add_endurance(std::int64_t loadout, const PilotReport& report) {
  for (const Endurance& entry : report.durability) {
    inserts_->endurance(loadout, entry.tokens, entry.from, if_true(entry.fits, entry.shots.mean),
                        if_true(entry.fits, entry.shots.mean_bound),
                        if_true(!entry.fits, "too large for the exact engine"));
    if (!entry.fits) continue;
    for (std::size_t n = 0; n < std::min(kListedShots, entry.shots.cdf.size()); ++n)
      inserts_->survival(loadout, entry.tokens, entry.from, n, 1 - entry.shots.cdf[n]);
  }
}

void AtlasDatabase::add_worth(std::int64_t loadout, const PilotReport& report) {
  int position = 0;
  for (const UpgradeWorth& worth : report.worth) {
    const bool known = worth.state != "unmodelled";
    inserts_->upgrade(loadout, ++position, worth.id, worth.cost, worth.state, if_true(known, worth.damage.value),
                      error_if_sampled(worth.damage), if_true(known, worth.shots));
    for (const WorthOfAttack& attack : worth.attacks) {
      if (!attack.possible) continue;
      inserts_->worth_of_attack(loadout, worth.id, attack.weapon, attack.range, attack.tokens, attack.damage.value,
                                error_if_sampled(attack.damage));
    }
    for (const WorthOfDefense& defense : worth.defenses)
      inserts_->worth_of_defense(loadout, worth.id, defense.tokens, defense.shots);
  }
}

void AtlasDatabase::add_loadout(std::int64_t page, const study::AtlasPage& of, const PilotReport& report) {
  const load::ShipSpec* ship = catalogue_.ship(report.pilot.ship, head_.cards);
  const load::PilotSpec* pilot = ship != nullptr ? load::find_pilot(*ship, report.pilot.id) : nullptr;
  const auto stat = [&](int load::ShipSpec::*of_ship, std::optional<int> load::PilotSpec::*of_pilot) {
    if (pilot != nullptr && pilot->*of_pilot) return pilot->*of_pilot;
    return ship != nullptr ? std::optional(ship->*of_ship) : std::nullopt;
  };
  const std::optional<std::string> size = pilot != nullptr && pilot->size ? pilot->size
                                          : ship != nullptr               ? std::optional(ship->size)
                                                                          : std::nullopt;
  const bool destructible = !report.durability.empty();
  const SquadSummary& summary = report.summary;
  inserts_->loadout(
      page, of.kind, if_true(!report.pilot.id.empty(), report.pilot.id), report.pilot.ship, report.pilot.name,
      report.pilot.ship_name, pilot != nullptr ? std::optional(pilot->faction) : std::nullopt,
      pilot != nullptr ? std::optional(pilot->initiative) : std::nullopt, size,
      stat(&load::ShipSpec::agility, &load::PilotSpec::agility), stat(&load::ShipSpec::hull, &load::PilotSpec::hull),
      stat(&load::ShipSpec::shields, &load::PilotSpec::shields), if_true(report.cost > 0, report.cost),
      report.pilot.loadout, report.pilot.standard_loadout, summary.damage.value, error_if_sampled(summary.damage),
      if_true(destructible, summary.shots), per_point(summary.damage.value, report.cost),
      destructible ? per_point(summary.shots, report.cost) : std::nullopt);
  const std::int64_t loadout = file_.last_row();
  add_attacks(loadout, report);
  add_endurance(loadout, report);
  add_worth(loadout, report);
  for (const auto& [kind, words] : caveats(report)) inserts_->caveat(loadout, kind, words);
  for (const std::string& note : of.squad.notes) inserts_->caveat(loadout, "squad_note", note);
}

void AtlasDatabase::add(const AtlasAnswer& answer) {
  if (pending_ == 0) file_.run("BEGIN");
  const auto page = static_cast<std::int64_t>(done_) + 1;
  inserts_->page(page, answer.page.kind, answer.page.id,
                 answer.error ? std::optional(answer.error->text) : std::nullopt);
  if (!answer.error) {
    for (const PilotReport& report : answer.report.pilots) add_loadout(page, answer.page, report);
    for (const UnknownId& id : answer.page.squad.unknown) inserts_->unknown(page, id.path, id.kind, id.id, id.reason);
  }
  ++done_;
  if (++pending_ == kPagesAtOnce) end_transaction();
}

void AtlasDatabase::end_transaction() {
  if (pending_ > 0) file_.run("COMMIT");
  pending_ = 0;
}

void AtlasDatabase::finish() {
  end_transaction();
  file_.run("BEGIN");
  file_.run(kIndices);
  file_.run("UPDATE meta SET value = '1' WHERE key = 'complete'");
  file_.run("COMMIT");
  file_.run("ANALYZE");
}

}  // namespace salvo::report
