// Squad report: see salvo/squad_report.h. The duels of all ships are listed first and then played on all cores, each
// into a place of its own, so that the figures do not depend on the threads.
#include "salvo/squad_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "study/duel.h"

namespace salvo::study {
namespace {

constexpr int kUsualRange = 2;
const TokenSet kFocus{"focus", 1, false}, kLock{"lock", 0, true};

Game game_of(const Squad& squad) { return {squad.rules, squad.cards}; }

/// The range nearest to 2 at which a weapon shoots.
int usual_range(const WeaponChoice& weapon) { return std::clamp(kUsualRange, weapon.min_range, weapon.max_range); }

SquadSummary summarize(const Catalogue& catalogue, const Game& game, const ScenarioShip& ship,
                       const References& references, const AnswerOptions& answer) {
  SquadSummary out;
  const std::vector<WeaponChoice> weapons = weapons_of(catalogue, game, ship);
  for (const ReferenceShip& defender : references.defenders) {
    double best = 0;
    for (const WeaponChoice& weapon : weapons) {
      for (const TokenSet& tokens : {kFocus, kLock}) {
        const Scenario scenario =
            duel(game, with_tokens(ship, tokens), tokens.lock, defender.ship, weapon.id, usual_range(weapon));
        best = std::max(best, play_duel(catalogue, scenario, answer).mean);
      }
    }
    out.damage += best / static_cast<double>(references.defenders.size());
  }
  for (const ReferenceShip& attacker : references.attackers) {
    try {
      out.shots += shots_until_destroyed(catalogue, game, attacker, with_tokens(ship, kFocus)).mean /
                   static_cast<double>(references.attackers.size());
    } catch (const PlanTooLarge&) {
      out.shots = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return out;
}

std::string state_of(const Catalogue& catalogue, const Game& game, const std::string& upgrade) {
  const CardSpec* card = catalogue.card("upgrade", upgrade, game.cards);
  return card == nullptr ? "unmodelled" : card->partly.empty() ? "modelled" : "partly";
}

/// The duels of one pilot, without their results.
PilotReport outline(const Catalogue& catalogue, const Squad& squad, const SquadPilot& pilot,
                    const References& references) {
  const Game game = game_of(squad);
  PilotReport out;
  out.pilot = pilot;
  out.cost = pilot.points.value_or(total_cost(pilot));
  out.weapons = weapons_of(catalogue, game, scenario_ship(pilot));
  for (const WeaponChoice& weapon : out.weapons) {
    for (int range = weapon.min_range; range <= weapon.max_range; ++range) {
      for (const TokenSet& tokens : token_sets()) {
        for (const ReferenceShip& defender : references.defenders)
          out.offense.push_back({weapon.id, range, tokens.name, defender.id, {}});
      }
    }
  }
  for (const TokenSet& tokens : {token_sets()[0], kFocus}) {
    for (const ReferenceShip& attacker : references.attackers)
      out.durability.push_back({tokens.name, attacker.id, true, {}});
  }
  for (const SquadUpgrade& upgrade : pilot.upgrades) {
    UpgradeWorth worth;
    worth.id = upgrade.id;
    worth.cost = upgrade.cost;
    worth.state = state_of(catalogue, game, upgrade.id);
    out.worth.push_back(worth);
  }
  return out;
}

const ReferenceShip& by_id(const std::vector<ReferenceShip>& ships, const std::string& id) {
  return *std::find_if(ships.begin(), ships.end(), [&](const ReferenceShip& ship) { return ship.id == id; });
}

const TokenSet& tokens_by_name(const std::string& name) {
  const auto& sets = token_sets();
  return *std::find_if(sets.begin(), sets.end(), [&](const TokenSet& set) { return set.name == name; });
}

/// Fills a study; its parts are numbered so that they can be played in any order.
class Player {
 public:
  Player(const Catalogue& catalogue, SquadReport& out, const AnswerOptions& answer)
      : catalogue_(catalogue), out_(out), answer_(answer), game_(game_of(out.squad)) {
    for (std::size_t p = 0; p < out.pilots.size(); ++p) {
      PilotReport& pilot = out.pilots[p];
      for (std::size_t i = 0; i < pilot.offense.size(); ++i)
        jobs_.push_back([this, p, i] { play_offense(out_.pilots[p], i); });
      for (std::size_t i = 0; i < pilot.durability.size(); ++i)
        jobs_.push_back([this, p, i] { play_durability(out_.pilots[p], i); });
      jobs_.push_back([this, p] { play_summary(out_.pilots[p]); });
      for (std::size_t i = 0; i < pilot.worth.size(); ++i)
        jobs_.push_back([this, p, i] { play_without(out_.pilots[p], i); });
    }
    if (out.other) {
      prepare(out.forth, out.squad, *out.other);
      prepare(out.back, *out.other, out.squad);
    }
  }

  void run(int threads) {
    for_each(threads, jobs_.size(), [this](std::size_t i) { jobs_[i](); });
    for (PilotReport& pilot : out_.pilots) finish(pilot);
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
    entry.assumed_facts = from.assumed_facts;
    if (i != 0) return;  // the cards are the same in all attacks
    pilot.unmodelled = from.unmodelled;
    pilot.partly = from.partly;
  }

  void play_durability(PilotReport& pilot, std::size_t i) {
    Endurance& entry = pilot.durability[i];
    try {
      entry.shots = shots_until_destroyed(catalogue_, game_, by_id(out_.references.attackers, entry.from),
                                          with_tokens(scenario_ship(pilot.pilot), tokens_by_name(entry.tokens)));
    } catch (const PlanTooLarge&) {
      entry.fits = false;
    }
  }

  void play_summary(PilotReport& pilot) {
    pilot.summary = summarize(catalogue_, game_, scenario_ship(pilot.pilot), out_.references, answer_);
  }

  /// The summary without upgrade i; the difference is taken when all are there.
  void play_without(PilotReport& pilot, std::size_t i) {
    if (pilot.worth[i].state == "unmodelled") return;
    ScenarioShip ship = scenario_ship(pilot.pilot);
    ship.upgrades.erase(ship.upgrades.begin() + static_cast<std::ptrdiff_t>(i));
    const SquadSummary without = summarize(catalogue_, game_, ship, out_.references, answer_);
    pilot.worth[i].damage = without.damage;
    pilot.worth[i].shots = without.shots;
  }

  static void finish(PilotReport& pilot) {
    std::set<std::string> facts;
    for (const Offense& entry : pilot.offense) facts.insert(entry.assumed_facts.begin(), entry.assumed_facts.end());
    pilot.assumed_facts.assign(facts.begin(), facts.end());
    for (UpgradeWorth& worth : pilot.worth) {
      if (worth.state == "unmodelled") continue;
      worth.damage = pilot.summary.damage - worth.damage;
      worth.shots = pilot.summary.shots - worth.shots;
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
          matrix.cells[r][c] = play_cell(matrix.range, mine.pilots[r], theirs.pilots[c]);
        });
      }
    }
  }

  MatrixCell play_cell(int range, const SquadPilot& by, const SquadPilot& on) {
    MatrixCell best;
    best.result.possible = false;
    best.shots = std::numeric_limits<double>::infinity();
    const ScenarioShip attacker = with_tokens(scenario_ship(by), kFocus),
                       defender = with_tokens(scenario_ship(on), kFocus);
    for (const WeaponChoice& weapon : weapons_of(catalogue_, game_, attacker)) {
      if (range < weapon.min_range || range > weapon.max_range) continue;
      const Scenario scenario = duel(game_, attacker, false, defender, weapon.id, range);
      const DuelResult result = play_duel(catalogue_, scenario, answer_);
      if (!result.possible || (best.result.possible && result.mean <= best.result.mean)) continue;
      best.result = result;
      try {
        best.shots = shots_of(catalogue_, scenario).mean;
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
  Game game_;
  std::vector<std::function<void()>> jobs_;
};

}  // namespace
}  // namespace salvo::study

namespace salvo {

SquadReport squad_report(const Catalogue& catalogue, const Squad& squad, const SquadOptions& options) {
  SquadReport out;
  out.squad = squad;
  out.references = options.references ? *options.references : load_references(catalogue, "", squad.rules);
  out.other = options.against;
  out.forth.range = out.back.range = options.range;
  for (const SquadPilot& pilot : squad.pilots)
    out.pilots.push_back(study::outline(catalogue, squad, pilot, out.references));
  AnswerOptions one = options.answer;
  one.threads = 1;  // the duels share the cores
  study::Player(catalogue, out, one).run(options.answer.threads);
  return out;
}

}  // namespace salvo
