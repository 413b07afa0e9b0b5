// The duels of all ships are listed first and then computed on all cores. Each writes to its own place, so the report
// does not depend on the number of threads.
#include "salvo/squad_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "answers/weapons.h"
#include "base/index.h"
#include "study/duel.h"

namespace salvo::study {
namespace {

constexpr int kDefaultRange = 2;
const TokenSet kFocus{"focus", 1, false}, kLock{"lock", 0, true};

RulesAndCards rules_of(const Squad& squad) { return {squad.rules, squad.cards}; }

/// The range of a weapon nearest to 2.
int usual_range(const WeaponChoice& weapon) { return std::clamp(kDefaultRange, weapon.min_range, weapon.max_range); }

/// Whether the ship can be destroyed and so has a durability.
bool has_hull(const ScenarioShip& ship) { return ship.ship || ship.pilot || ship.hull; }

/// Mean shots survived against the reference attackers; NaN if that is too large to compute.
double mean_shots(const Catalogue& catalogue, const RulesAndCards& game, const ScenarioShip& ship,
                  const ReferenceShips& references, const Overrides& play) {
  double out = 0;
  for (const ReferenceShip& attacker : references.attackers) {
    try {
      out += shots_until_destroyed(catalogue, game, attacker, ship, play).mean /
             static_cast<double>(references.attackers.size());
    } catch (const PlanTooLarge&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }
  return out;
}

SquadSummary summarize(const Catalogue& catalogue, const RulesAndCards& game, const ScenarioShip& ship,
                       const ReferenceShips& references, const AnswerOptions& answer) {
  SquadSummary out;
  const std::vector<WeaponChoice> weapons = answers::weapons_of(catalogue, game.cards, ship);
  double squares = 0;
  for (const ReferenceShip& defender : references.defenders) {
    Estimate best;
    for (const WeaponChoice& weapon : weapons) {
      for (const TokenSet& tokens : {kFocus, kLock}) {
        const Scenario scenario =
            duel(game, with_tokens(ship, tokens), tokens.lock, defender.ship, weapon.id, usual_range(weapon));
        const DuelResult result = play_duel(catalogue, scenario, answer);
        if (result.mean.value > best.value) best = result.mean;
      }
    }
    out.damage.value += best.value / static_cast<double>(references.defenders.size());
    squares += best.se * best.se;
  }
  out.damage.se = std::sqrt(squares) / static_cast<double>(references.defenders.size());
  if (has_hull(ship)) out.shots = mean_shots(catalogue, game, with_tokens(ship, kFocus), references, answer.overrides);
  return out;
}

/// The mean of one attack over the reference defenders; the standard error assumes independent samples.
struct MeanDamage {
  bool possible = false;
  Estimate mean;
};

MeanDamage mean_damage(const std::vector<DuelResult>& results) {
  MeanDamage out;
  double squares = 0;
  for (const DuelResult& result : results) {
    out.possible = out.possible || result.possible;
    out.mean.value += result.mean.value / static_cast<double>(results.size());
    squares += result.mean.se * result.mean.se;
  }
  out.mean.se = std::sqrt(squares) / static_cast<double>(results.size());
  return out;
}

/// Of independent estimates.
Estimate difference(const Estimate& a, const Estimate& b) { return {a.value - b.value, std::hypot(a.se, b.se)}; }

std::string state_of(const Catalogue& catalogue, const RulesAndCards& game, const std::string& upgrade) {
  const load::CardSpec* card = catalogue.card("upgrade", upgrade, game.cards);
  if (card == nullptr)
    return catalogue.relevant("upgrade", upgrade, game.cards).value_or(true) ? "unmodelled" : "no_effect";
  return card->partly.empty() ? "modelled" : "partly";
}

/// Whether the upgrade has a worth to compute: it can matter, and it is modelled.
bool is_played(const UpgradeWorth& worth) { return worth.state == "modelled" || worth.state == "partly"; }

/// The duels of one pilot, without their results.
PilotReport plan_duels(const Catalogue& catalogue, const Squad& squad, const SquadPilot& pilot,
                       const ReferenceShips& references) {
  const RulesAndCards game = rules_of(squad);
  PilotReport out;
  out.pilot = pilot;
  out.cost = cost_of(pilot).value_or(0);
  out.weapons = answers::weapons_of(catalogue, game.cards, scenario_ship(pilot));
  for (const WeaponChoice& weapon : out.weapons) {
    for (int range = weapon.min_range; range <= weapon.max_range; ++range) {
      for (const TokenSet& tokens : token_sets()) {
        for (const ReferenceShip& defender : references.defenders)
          out.offense.push_back({weapon.id, range, tokens.name, defender.id, {}});
      }
    }
  }
  for (const TokenSet& tokens : {token_sets()[0], kFocus}) {
    if (!has_hull(scenario_ship(pilot))) break;
    for (const ReferenceShip& attacker : references.attackers)
      out.durability.push_back({tokens.name, attacker.id, true, {}});
  }
  for (const SquadUpgrade& upgrade : pilot.upgrades) {
    UpgradeWorth worth;
    worth.id = upgrade.id;
    worth.cost = upgrade.cost;
    worth.state = state_of(catalogue, game, upgrade.id);
    if (is_played(worth)) {
      for (const WeaponChoice& weapon : out.weapons) {
        for (const TokenSet& tokens : token_sets())
          worth.attacks.push_back({weapon.id, usual_range(weapon), tokens.name});
      }
      for (const TokenSet& tokens : {token_sets()[0], kFocus}) {
        if (has_hull(scenario_ship(pilot))) worth.defenses.push_back({tokens.name});
      }
    }
    out.worth.push_back(worth);
  }
  return out;
}

/// The order in which threads add notes is random.
void sort_lists(Caveats& from) {
  for (const auto list : kCaveatLists) base::sort_once(from.*list);
}

const ReferenceShip& by_id(const std::vector<ReferenceShip>& ships, const std::string& id) {
  return *std::find_if(ships.begin(), ships.end(), [&](const ReferenceShip& ship) { return ship.id == id; });
}

const TokenSet& tokens_by_name(const std::string& name) {
  const auto& sets = token_sets();
  return *std::find_if(sets.begin(), sets.end(), [&](const TokenSet& set) { return set.name == name; });
}

/// Computes a report as independent jobs, which can run in any order.
class DuelRunner {
 public:
  DuelRunner(const Catalogue& catalogue, SquadReport& out, const AnswerOptions& answer)
      : catalogue_(catalogue), out_(out), answer_(answer), game_(rules_of(out.squad)) {
    for (std::size_t p = 0; p < out.pilots.size(); ++p) {
      PilotReport& pilot = out.pilots[p];
      for (std::size_t i = 0; i < pilot.offense.size(); ++i)
        jobs_.push_back([this, p, i] { play_offense(out_.pilots[p], i); });
      for (std::size_t i = 0; i < pilot.durability.size(); ++i)
        jobs_.push_back([this, p, i] { play_durability(out_.pilots[p], i); });
      jobs_.push_back([this, p] { play_summary(out_.pilots[p]); });
      for (std::size_t i = 0; i < pilot.worth.size(); ++i) {
        jobs_.push_back([this, p, i] { play_without(out_.pilots[p], i); });
        for (std::size_t k = 0; k < pilot.worth[i].attacks.size(); ++k)
          jobs_.push_back([this, p, i, k] { play_attack_without(out_.pilots[p], i, k); });
        for (std::size_t k = 0; k < pilot.worth[i].defenses.size(); ++k)
          jobs_.push_back([this, p, i, k] { play_defense_without(out_.pilots[p], i, k); });
      }
    }
    if (out.other) {
      prepare(out.attacks, out.squad, *out.other);
      prepare(out.return_attacks, *out.other, out.squad);
    }
  }

  void run(int threads) {
    for_each(threads, jobs_.size(), [this](std::size_t i) { jobs_[i](); });
    for (PilotReport& pilot : out_.pilots) finish(pilot);
    for (SquadMatrix* matrix : {&out_.attacks, &out_.return_attacks}) sort_lists(matrix->from);
  }

 private:
  void play_offense(PilotReport& pilot, std::size_t i) {
    Offense& entry = pilot.offense[i];
    const TokenSet& tokens = tokens_by_name(entry.tokens);
    Provenance from;
    entry.result = play_duel(catalogue_,
                             duel(game_, with_tokens(scenario_ship(pilot.pilot), tokens), tokens.lock,
                                  by_id(out_.references.defenders, entry.against).ship, entry.weapon, entry.range),
                             answer_, &from);
    note(pilot, from);
  }

  void play_durability(PilotReport& pilot, std::size_t i) {
    Endurance& entry = pilot.durability[i];
    Provenance from;
    try {
      entry.shots = shots_until_destroyed(catalogue_, game_, by_id(out_.references.attackers, entry.from),
                                          with_tokens(scenario_ship(pilot.pilot), tokens_by_name(entry.tokens)),
                                          answer_.overrides, &from);
    } catch (const PlanTooLarge&) {
      entry.fits = false;
    }
    note(pilot, from);
  }

  /// Several threads add notes; finish() sorts them.
  void note(PilotReport& pilot, const Provenance& from) {
    const std::lock_guard lock(mutex_);
    for (const auto list : kCaveatLists)
      (pilot.*list).insert((pilot.*list).end(), (from.*list).begin(), (from.*list).end());
  }

  void play_summary(PilotReport& pilot) {
    pilot.summary = summarize(catalogue_, game_, scenario_ship(pilot.pilot), out_.references, answer_);
  }

  /// The summary without upgrade i; finish() takes the difference.
  void play_without(PilotReport& pilot, std::size_t i) {
    if (!is_played(pilot.worth[i])) return;
    const SquadSummary without = summarize(catalogue_, game_, without_upgrade(pilot, i), out_.references, answer_);
    pilot.worth[i].damage = without.damage;
    pilot.worth[i].shots = without.shots;
  }

  static ScenarioShip without_upgrade(const PilotReport& pilot, std::size_t i) {
    ScenarioShip ship = scenario_ship(pilot.pilot);
    ship.upgrades.erase(ship.upgrades.begin() + static_cast<std::ptrdiff_t>(i));
    return ship;
  }

  DuelResult play_with(const ScenarioShip& ship, const TokenSet& tokens, const ReferenceShip& defender,
                       const WeaponChoice& weapon) const {
    return play_duel(catalogue_,
                     duel(game_, with_tokens(ship, tokens), tokens.lock, defender.ship, weapon.id, usual_range(weapon)),
                     answer_);
  }

  /// The attack k of upgrade i without the upgrade: with the same weapon or, if that is the upgrade, the best of the
  /// others.
  void play_attack_without(PilotReport& pilot, std::size_t i, std::size_t k) const {
    WorthOfAttack& worth = pilot.worth[i].attacks[k];
    const TokenSet& tokens = tokens_by_name(worth.tokens);
    const ScenarioShip ship = without_upgrade(pilot, i);
    std::vector<WeaponChoice> weapons = answers::weapons_of(catalogue_, game_.cards, ship);
    const auto same = std::find_if(weapons.begin(), weapons.end(),
                                   [&](const WeaponChoice& weapon) { return weapon.id == worth.weapon; });
    if (same != weapons.end()) weapons = {*same};
    std::vector<DuelResult> results;
    for (const ReferenceShip& defender : out_.references.defenders) {
      DuelResult best;
      best.possible = false;
      for (const WeaponChoice& weapon : weapons) {
        const DuelResult result = play_with(ship, tokens, defender, weapon);
        if (result.possible && (!best.possible || result.mean.value > best.mean.value)) best = result;
      }
      results.push_back(best);
    }
    worth.damage = mean_damage(results).mean;
  }

  void play_defense_without(PilotReport& pilot, std::size_t i, std::size_t k) const {
    WorthOfDefense& worth = pilot.worth[i].defenses[k];
    worth.shots = mean_shots(catalogue_, game_, with_tokens(without_upgrade(pilot, i), tokens_by_name(worth.tokens)),
                             out_.references, answer_.overrides);
  }

  static MeanDamage damage_with(const PilotReport& pilot, const WorthOfAttack& worth) {
    std::vector<DuelResult> results;
    for (const Offense& entry : pilot.offense) {
      if (entry.weapon == worth.weapon && entry.range == worth.range && entry.tokens == worth.tokens)
        results.push_back(entry.result);
    }
    return mean_damage(results);
  }

  static double shots_with(const PilotReport& pilot, const std::string& tokens) {
    std::vector<double> means;
    for (const Endurance& entry : pilot.durability) {
      if (entry.tokens == tokens)
        means.push_back(entry.fits ? entry.shots.mean : std::numeric_limits<double>::quiet_NaN());
    }
    double out = 0;  // summed as in mean_shots(), so that an upgrade without effect is worth exactly 0
    for (const double mean : means) out += mean / static_cast<double>(means.size());
    return out;
  }

  static void finish(PilotReport& pilot) {
    sort_lists(pilot);
    for (UpgradeWorth& worth : pilot.worth) {
      if (!is_played(worth)) continue;
      worth.damage = difference(pilot.summary.damage, worth.damage);
      worth.shots = pilot.summary.shots - worth.shots;
      for (WorthOfAttack& attack : worth.attacks) {
        const MeanDamage with = damage_with(pilot, attack);
        attack.possible = with.possible;
        attack.damage = difference(with.mean, attack.damage);
        if (!with.possible) attack.damage.value = 0;
      }
      for (WorthOfDefense& defense : worth.defenses) defense.shots = shots_with(pilot, defense.tokens) - defense.shots;
    }
  }

  static std::vector<std::string> names(const Squad& squad) {
    std::vector<std::string> out;
    for (const SquadPilot& pilot : squad.pilots) out.push_back(pilot.name);
    return out;
  }

  void prepare(SquadMatrix& matrix, const Squad& mine, const Squad& theirs) {
    matrix.rows = names(mine);
    matrix.columns = names(theirs);
    matrix.cells.assign(mine.pilots.size(), std::vector<MatrixCell>(theirs.pilots.size()));
    for (std::size_t r = 0; r < mine.pilots.size(); ++r) {
      for (std::size_t c = 0; c < theirs.pilots.size(); ++c) {
        jobs_.push_back([this, &matrix, &mine, &theirs, r, c] {
          matrix.cells[r][c] = play_cell(matrix, mine.pilots[r], theirs.pilots[c]);
        });
      }
    }
  }

  MatrixCell play_cell(SquadMatrix& matrix, const SquadPilot& by, const SquadPilot& on) {
    const int range = matrix.range;
    MatrixCell best;
    best.result.possible = false;
    best.shots = std::numeric_limits<double>::infinity();
    const ScenarioShip attacker = with_tokens(scenario_ship(by), kFocus),
                       defender = with_tokens(scenario_ship(on), kFocus);
    for (const WeaponChoice& weapon : answers::weapons_of(catalogue_, game_.cards, attacker)) {
      if (range < weapon.min_range || range > weapon.max_range) continue;
      const Scenario scenario = duel(game_, attacker, false, defender, weapon.id, range);
      Provenance from;
      const DuelResult result = play_duel(catalogue_, scenario, answer_, &from);
      {
        const std::lock_guard lock(mutex_);
        merge(matrix.from, from);
      }
      if (!result.possible || (best.result.possible && result.mean.value <= best.result.mean.value)) continue;
      best.result = result;
      best.weapon = weapon.id;
      try {
        best.shots = shots_of(catalogue_, scenario, answer_.overrides).mean;
        best.fits = true;
      } catch (const PlanTooLarge&) {
        best.fits = false;
      }
    }
    return best;
  }

  const Catalogue& catalogue_;
  SquadReport& out_;
  const AnswerOptions& answer_;
  RulesAndCards game_;
  std::vector<std::function<void()>> jobs_;
  std::mutex mutex_;  ///< protects the lists of notes
};

}  // namespace
}  // namespace salvo::study

namespace salvo {
namespace {

/// Deviations from the usual way of playing attacks, in a sentence; empty: none.
std::string played_otherwise(const Overrides& play) {
  std::string out;
  const auto say = [&out](const char* what, const std::optional<std::string>& value) {
    if (value) out += (out.empty() ? "played with " : ", ") + (what + (" " + *value));
  };
  say("objective", play.objective);
  say("damage deck", play.damage_deck);
  say("attacker", play.attacker_policy);
  say("defender", play.defender_policy);
  if (!out.empty())
    out += "; shots survived count damage without damage cards, each shot played as if it were the last";
  return out;
}

}  // namespace

SquadReport squad_report(const Catalogue& catalogue, const Squad& squad, const SquadOptions& options) {
  SquadReport out;
  out.squad = squad;
  if (const std::string how = played_otherwise(options.answer.overrides); !how.empty()) out.squad.notes.push_back(how);
  out.references = options.references ? *options.references : load_references(catalogue, "", squad.rules);
  out.worth_basis =
      "mean damage of one attack over all reference defenders, at range 2 or the nearest that the weapon reaches, with "
      "the upgrade minus without it (without an upgrade that is the weapon: the best of the other weapons); shots: "
      "mean "
      "over all reference attackers; in short: the best weapon with a focus token or a lock";
  out.other = options.against;
  out.attacks.range = out.return_attacks.range = options.range;
  for (const SquadPilot& pilot : squad.pilots)
    out.pilots.push_back(study::plan_duels(catalogue, squad, pilot, out.references));
  AnswerOptions one = options.answer;
  one.threads = 1;  // the duels share the cores
  study::DuelRunner(catalogue, out, one).run(options.answer.threads);
  return out;
}

}  // namespace salvo
