// battle_worth: what parts of a side are worth in battles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/stable_sort.h"
#include "battle/fight.h"
#include "battle/game.h"
#include "battle/sample.h"
#include "exact/exact.h"
#include "salvo/battle.h"

namespace salvo {
namespace {

using battle::at;
using battle::Game;

/// A change of my side: two battles to compare.
struct Change {
  std::string ship, what;
  std::optional<int> points;
  std::optional<BattleQuestion> with, without;  ///< empty: the question itself
};

class Changes {
 public:
  Changes(const Catalogue& catalogue, const BattleQuestion& question, const Game& game)
      : catalogue_(catalogue), question_(question), game_(game) {
    cards_ = game.tables().provenance().cards;
    for (int s = 0; s < game.mine(); ++s) add_ship(s);
    add_first();
  }

  std::vector<Change> list;
  std::vector<BattleWorthSkipped> skipped;

 private:
  /// The question with another ship in the place of ship s.
  BattleQuestion with(int s, const ScenarioShip& ship, std::optional<int> initiative = {}) const {
    BattleQuestion out = question_;
    BattleShip& changed = out.mine.ships[at(s)];
    changed.ship = ship;
    changed.initiative = initiative.value_or(game_.ship(s).initiative);
    return out;
  }

  /// The cost of `more` minus that of `less`.
  std::optional<int> cost(const ScenarioShip& more, const ScenarioShip& less) const {
    const auto a = cost_in(catalogue_, more, cards_), b = cost_in(catalogue_, less, cards_);
    if (!a || !b) return std::nullopt;
    return *a - *b;
  }

  void add_ship(int s) {
    const ScenarioShip& ship = game_.type_of(s).ship;
    const std::string& name = game_.ship(s).name;
    for (std::size_t u = 0; u < ship.upgrades.size(); ++u) {
      ScenarioShip less = ship;
      less.upgrades.erase(less.upgrades.begin() + static_cast<std::ptrdiff_t>(u));
      list.push_back({name, "upgrade " + ship.upgrades[u], cost(ship, less), std::nullopt, with(s, less)});
    }
    add_pilot(s, ship);
    ScenarioShip tougher = ship;
    tougher.hull = game_.type_of(s).hull + tougher.facedown + 1;
    list.push_back({name, "one more hull", std::nullopt, with(s, tougher), std::nullopt});
    const int initiative = game_.ship(s).initiative;
    list.push_back({name, fmt::format("initiative {} instead of {}", initiative + 1, initiative), std::nullopt,
                    with(s, ship, initiative + 1), std::nullopt});
  }

  /// Compares with the cheapest pilot of the same ship, a generic one if possible. The initiative is part of the pilot.
  void add_pilot(int s, const ScenarioShip& ship) {
    if (!ship.pilot) return;
    const load::PilotSpec* least = nullptr;
    for (const std::string& id : catalogue_.ships_of_pilot(*ship.pilot, cards_)) {
      const load::ShipSpec* spec = catalogue_.ship(id, cards_);
      if (spec == nullptr) continue;
      for (const load::PilotSpec& pilot : spec->pilots) {
        if (pilot.own_weapons || !pilot.standard_loadout.empty()) continue;
        const auto rank = [](const load::PilotSpec& one) {
          return std::tuple(one.limited > 0, one.cost, one.initiative);
        };
        if (least == nullptr || rank(pilot) < rank(*least)) least = &pilot;
      }
      break;
    }
    if (least == nullptr || least->id == *ship.pilot) return;
    ScenarioShip generic = ship;
    generic.pilot = least->id;
    generic.tokens.erase("force");
    list.push_back({game_.ship(s).name, fmt::format("pilot, not {}", least->name), cost(ship, generic), std::nullopt,
                    with(s, generic, least->initiative)});
  }

  void add_first() {
    if (!game_.ties()) {
      skipped.push_back({"", "first player", "no ships of both sides share an initiative"});
      return;
    }
    BattleQuestion first = question_, second = question_;
    first.first = FirstPlayer::Mine;
    second.first = FirstPlayer::Theirs;
    list.push_back({"", "first player, not second", std::nullopt, first, second});
  }

  const Catalogue& catalogue_;
  const BattleQuestion& question_;
  const Game& game_;
  std::string cards_;
};

/// Tables for all battles to compare: they differ in one ship, so most attacks are the same.
class ChangeTables {
 public:
  ChangeTables(const Catalogue& catalogue, const BattleQuestion& question, const Changes& changes, int threads)
      : catalogue_(catalogue),
        set_(battle::cards_of(catalogue, question.mine, question.theirs)),
        damage_deck_(battle::deck_for(question.damage_deck, {&question.mine, &question.theirs})) {
    const std::vector<battle::NamedShip> mine = ships_of(question.mine), theirs = ships_of(question.theirs);
    std::vector<battle::NamedShip> all = mine;
    all.insert(all.end(), theirs.begin(), theirs.end());
    try {
      for (const Change& change : changes.list) {
        for (const auto& asked : {change.with, change.without}) {
          if (!asked) continue;
          const std::vector<battle::NamedShip> changed = ships_of(asked->mine);
          all.insert(all.end(), changed.begin(), changed.end());
        }
      }
      tables_ = battle::shared_tables(catalogue, set_, damage_deck_, all, threads);
    } catch (const LoadError&) {
      return;  // reported with the change that causes it
    }
    for (const battle::NamedShip& ship : mine) mine_.insert(tables_->type_of(ship));
    for (const battle::NamedShip& ship : theirs) theirs_.insert(tables_->type_of(ship));
  }

  template <typename Play>
  void play(const BattleQuestion& asked, const Play& work) {
    battle::with_tables(battle::sharing(tables_),
                        [&](const auto& tables) { work(Game(catalogue_, asked, exact::Budget().edges, tables)); });
    if (tables_) forget(asked);
  }

 private:
  std::vector<battle::NamedShip> ships_of(const BattleSide& side) const {
    std::vector<std::string> notes;
    return battle::named_ships(catalogue_, set_, side, {"mine", "mine"}, damage_deck_, notes);
  }
  /// Frees the tables of the changed ship, which no other battle has.
  void forget(const BattleQuestion& asked) {
    for (const battle::NamedShip& ship : ships_of(asked.mine)) {
      const int changed = tables_->type_of(ship);
      if (mine_.count(changed) != 0 || theirs_.count(changed) != 0) continue;
      for (const int other : theirs_) {
        tables_->forget(changed, other);
        tables_->forget(other, changed);
      }
    }
  }

  const Catalogue& catalogue_;
  battle::GameCards set_;
  std::string damage_deck_;
  std::shared_ptr<battle::AttackTables> tables_;
  std::set<int> mine_, theirs_;  ///< types of the question
};

double win_of(const BattleReport& report) { return report.win.value + report.draw.value / 2; }

/// The mean and standard error of differences of results (0, 1, 2 for loss, draw, win), battle by battle.
Estimate difference(const std::vector<std::uint8_t>& with, const std::vector<std::uint8_t>& without) {
  std::int64_t sum = 0, squares = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    const int d = static_cast<int>(with[i]) - static_cast<int>(without[i]);
    sum += d;
    squares += d * d;
  }
  const double n = static_cast<double>(with.size()), mean = static_cast<double>(sum) / n;
  return {mean / 2, std::sqrt(std::max(0.0, static_cast<double>(squares) / n - mean * mean) / n) / 2};
}

}  // namespace

BattleWorth battle_worth(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options) {
  if (options.precision)
    throw ScenarioError("precision", "the worth of battles samples a number of battles; give trials");
  if (options.reference)
    throw ScenarioError("plain", "the worth of battles is not played with plain dice; leave it out");
  BattleWorth out;
  BattleOptions how = options;
  how.trials = options.trials.value_or(kDefaultWorthBattles);
  how.progress = {};
  const double attack_budget = exact::Budget().edges;
  const Game game(catalogue, question, attack_budget);
  const Changes changes(catalogue, question, game);
  std::uint64_t done = 0;
  const auto both = [](const Change& change) { return change.with && change.without; };
  const auto twice = std::count_if(changes.list.begin(), changes.list.end(), both);
  const std::uint64_t planned = *how.trials * (2 + changes.list.size() + static_cast<std::uint64_t>(twice));
  const auto report_progress = [&](std::uint64_t more) {
    done += more;
    if (!out.interrupted && options.progress && !options.progress(done, planned)) out.interrupted = true;
  };
  out.baseline = play_battle(catalogue, question, how);
  report_progress(*how.trials);
  out.value = {win_of(out.baseline), 0};
  const bool exact = out.baseline.engine != Engine::Sample;
  how.engine = exact ? EngineChoice::Exact : EngineChoice::Sample;
  const auto sound = out.baseline.solved_by_sound ? battle::SoundPlay::Solved : battle::SoundPlay::Rule;
  std::vector<std::uint8_t> base;
  std::optional<ChangeTables> shared;
  if (!exact) shared.emplace(catalogue, question, changes, options.threads);
  const auto results = [&](const BattleQuestion& asked) {
    std::vector<std::uint8_t> played;
    const battle::SampleOptions sampling{
        .seed = options.seed, .threads = options.threads, .dice = nullptr, .progress = {}};
    shared->play(asked, [&](const Game& one) { battle::play_many(one, 0, *how.trials, sampling, &played); });
    report_progress(*how.trials);
    return played;
  };
  if (!exact) {
    base = results(question);
    out.value = difference(base, std::vector<std::uint8_t>(base.size(), 0));
  }
  out.skipped = changes.skipped;
  const auto value = [&](const std::optional<BattleQuestion>& asked) {
    return asked ? win_of(battle::fight(catalogue, *asked, how, sound)) : out.value.value;
  };
  for (const Change& change : changes.list) {
    if (out.interrupted) break;
    try {
      Estimate gain;
      if (exact) {
        gain.value = value(change.with) - value(change.without);
        report_progress(*how.trials);
      } else {
        const std::vector<std::uint8_t> with = change.with ? results(*change.with) : base;
        gain = difference(with, change.without ? results(*change.without) : base);
      }
      out.entries.push_back({change.ship, change.what, change.points, gain});
    } catch (const LoadError& error) {
      out.skipped.push_back({change.ship, change.what, error.what()});
    } catch (const PlanTooLarge& error) {
      out.skipped.push_back({change.ship, change.what, error.what()});
    }
  }
  base::stable_sort(out.entries, [](const auto& a, const auto& b) { return a.gain.value > b.gain.value; });
  return out;
}

}  // namespace salvo
