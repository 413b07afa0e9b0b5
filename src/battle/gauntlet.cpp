#include "salvo/gauntlet.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include "battle/fight.h"
#include "battle/game.h"
#include "battle/sides.h"
#include "load/flight_file.h"
#include "study/duel.h"

namespace salvo {
namespace {

/// Whether a flight distinguishes the sides.
bool distinguishes_sides(const load::Flight& flight) {
  const auto named = [](const load::ShipWords& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.rfind("mine", 0) == 0 || word.rfind("theirs", 0) == 0;
    });
  };
  return std::any_of(flight.rounds.begin(), flight.rounds.end(), [&](const load::FlightRound& round) {
    return std::any_of(round.ships.begin(), round.ships.end(), [&](const auto& rule) { return named(rule.is); }) ||
           std::any_of(round.pairs.begin(), round.pairs.end(),
                       [&](const auto& rule) { return named(rule.first) || named(rule.second); }) ||
           std::any_of(round.objectives.begin(), round.objectives.end(),
                       [&](const auto& rule) { return named(rule.by); }) ||
           std::any_of(round.shots.begin(), round.shots.end(),
                       [&](const auto& rule) { return named(rule.by) || named(rule.on); });
  });
}

void check(const GauntletQuestion& question) {
  const std::size_t n = question.sides.size();
  if (n < 2) throw ScenarioError("squads", "a gauntlet needs two squads or more");
  if (n > kMaxGauntletSides)
    throw ScenarioError("squads", fmt::format("{} squads; a gauntlet has {} at most", n, kMaxGauntletSides));
  for (std::size_t i = 0; i < n; ++i) {
    if (!question.sides[i].ships.empty()) continue;
    throw ScenarioError(fmt::format("squads[{}]", i), fmt::format("squad {} has no ship; name at least one", i + 1));
  }
  if (question.weights.empty()) return;
  if (question.weights.size() != n)
    throw ScenarioError("weights",
                        fmt::format("{} weights for {} squads; give one for each", question.weights.size(), n));
  double sum = 0;
  for (const double weight : question.weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) throw ScenarioError("weights", "a weight is below 0");
    sum += weight;
  }
  if (!(sum > 0)) throw ScenarioError("weights", "all weights are 0; give at least one squad a larger one");
}

std::vector<std::string> names_of(const std::vector<BattleSide>& sides) {
  std::vector<std::string> out;
  for (const BattleSide& side : sides) {
    const std::string own = battle::called(side, fmt::format("squad {}", out.size() + 1));
    std::string name = own;
    for (int n = 2; std::find(out.begin(), out.end(), name) != out.end(); ++n) name = fmt::format("{} {}", own, n);
    out.push_back(name);
  }
  return out;
}

/// The chance to win, a draw counted half.
Estimate cell_of(const BattleReport& report) {
  const double value = report.win.value + report.draw.value / 2;
  const double squares = report.win.value + report.draw.value / 4;
  const double n = static_cast<double>(report.trials);
  return {value, report.engine == Engine::Sample ? std::sqrt(std::max(0.0, squares - value * value) / n) : 0};
}

/// Tables for all pairs: squads with the same ships share their attacks. Frees tables that no remaining pair needs.
class GauntletTables {
 public:
  GauntletTables(const Catalogue& catalogue, const std::vector<BattleSide>& sides, const std::string& damage_deck,
                 int threads)
      : types_(sides.size()) {
    std::optional<battle::GameCards> cards;
    for (const BattleSide& one : sides) {
      for (const BattleSide& other : sides) {
        const battle::GameCards set = battle::cards_of(catalogue, one, other);
        if (cards && set != *cards) return;  // each pair then makes its own tables
        cards = set;
      }
    }
    std::vector<std::vector<battle::NamedShip>> ships;
    std::vector<battle::NamedShip> all;
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      ships.push_back(battle::named_ships(catalogue, *cards, sides[i], {fmt::format("squads[{}]", i), sides[i].name},
                                          damage_deck, notes));
      all.insert(all.end(), ships.back().begin(), ships.back().end());
    }
    tables_ = battle::shared_tables(catalogue, *cards, damage_deck, all, threads);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      for (const battle::NamedShip& ship : ships[i]) types_[i].insert(tables_->type_of(ship));
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
      for (std::size_t j = i + 1; j < sides.size(); ++j) each(i, j, [&](int a, int d) { ++needed_[{a, d}]; });
    }
  }

  /// Null where the sides have several card sets.
  const std::shared_ptr<battle::AttackTables>& tables() const { return tables_; }

  /// Call it when all battles of a pair of sides have been played.
  void played(std::size_t i, std::size_t j) {
    if (!tables_) return;
    const std::lock_guard lock(mutex_);
    each(i, j, [&](int a, int d) {
      if (--needed_[{a, d}] == 0) tables_->forget(a, d);
    });
  }

 private:
  template <typename Do>
  void each(std::size_t i, std::size_t j, const Do& work) const {
    for (const int a : types_[i]) {
      for (const int d : types_[j]) {
        work(a, d);
        work(d, a);
      }
    }
  }

  std::shared_ptr<battle::AttackTables> tables_;
  std::vector<std::set<int>> types_;           ///< by side
  std::map<std::pair<int, int>, int> needed_;  ///< by attacker and defender: pairs of sides to be played
  std::mutex mutex_;
};

/// The pairs of n sides, each once.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::size_t n) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) out.emplace_back(i, j);
  }
  return out;
}

/// Plays all pairs, in both directions where the flight tells the sides apart.
class PairPlay {
 public:
  PairPlay(const Catalogue& catalogue, const GauntletQuestion& question, const BattleOptions& options,
           const std::string& damage_deck, bool both_ways)
      : catalogue_(catalogue),
        question_(question),
        options_(options),
        how_(options),
        damage_deck_(damage_deck),
        both_ways_(both_ways),
        pairs_(pairs_of(question.sides.size())) {
    if (!options.precision) how_.trials = options.trials.value_or(kDefaultGauntletBattles);
    if (both_ways && how_.trials) how_.trials = std::max<std::uint64_t>(1, (*how_.trials + 1) / 2);
    how_.threads = 1;
    how_.progress = [this](std::uint64_t, std::uint64_t) { return report_progress(0); };
  }

  /// The reports of each pair: one, or both directions; fewer if the play was stopped.
  std::vector<std::vector<BattleReport>> play() {
    std::vector<std::vector<BattleReport>> reports(pairs_.size());
    GauntletTables shared(catalogue_, question_.sides, damage_deck_, options_.threads);
    study::for_each(options_.threads, pairs_.size(), [&](std::size_t p) {
      const std::size_t i = pairs_[p].first, j = pairs_[p].second;
      for (const bool turned : {false, true}) {
        if (stopped_ || (turned && !both_ways_)) continue;
        BattleReport found = battle::with_tables(battle::sharing(shared.tables()), [&](const auto& source) {
          return battle::fight_with(catalogue_, turned ? battle_of(j, i) : battle_of(i, j), how_, source);
        });
        if (!found.interrupted) reports[p].push_back(std::move(found));
      }
      shared.played(i, j);
      report_progress(1);
    });
    return reports;
  }

  const std::vector<std::pair<std::size_t, std::size_t>>& pairs() const { return pairs_; }
  bool stopped() const { return stopped_; }

 private:
  BattleQuestion battle_of(std::size_t mine, std::size_t theirs) const {
    BattleQuestion out;
    out.mine = question_.sides[mine];
    out.theirs = question_.sides[theirs];
    out.flight = question_.flight;
    out.flight_text = question_.flight_text;
    out.rounds = question_.rounds;
    out.damage_deck = damage_deck_;
    out.my_policy = out.their_policy = question_.policy;
    return out;
  }

  bool report_progress(std::uint64_t more) {
    const std::lock_guard lock(mutex_);
    done_ += more;
    if (options_.progress && !options_.progress(done_, pairs_.size())) stopped_ = true;
    return !stopped_;
  }

  const Catalogue& catalogue_;
  const GauntletQuestion& question_;
  const BattleOptions& options_;
  BattleOptions how_;
  const std::string damage_deck_;
  const bool both_ways_;
  const std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::atomic<bool> stopped_{false};
};

/// What the first side of a pair wins, from one direction or from both.
Estimate win_of(const std::vector<BattleReport>& reports) {
  const Estimate there = cell_of(reports[0]);
  if (reports.size() < 2) return there;
  const Estimate back = cell_of(reports[1]);
  return {(there.value + 1 - back.value) / 2, std::hypot(there.se, back.se) / 2};
}

/// Adds what the reports of all pairs say about engines, trials and assumptions.
void add_provenance(const std::vector<std::vector<BattleReport>>& reports, GauntletReport& out) {
  bool first = true, solved = false, all_solved = true;
  for (const std::vector<BattleReport>& pair : reports) {
    std::uint64_t trials = 0;
    for (const BattleReport& report : pair) {
      trials += report.engine == Engine::Exact ? 0 : report.trials;
      if (first) {
        out.engine = report.engine;
      } else if (out.engine != report.engine) {
        out.engine = Engine::Mixed;
      }
      if (first || (all_solved && !report.solved_by_sound)) out.assumptions = report.assumptions;
      solved = solved || report.solved_by_sound;
      all_solved = all_solved && report.solved_by_sound;
      study::merge(out, report);
      first = false;
    }
    out.trials = std::max(out.trials, trials);
  }
  if (solved && !all_solved) out.assumptions.push_back(fmt::format("in some pairs {}", battle::kSolvedBySound));
}

/// Each side against the weighted field. Not a number where one of its pairs was not played.
std::vector<Estimate> against_field(const GauntletReport& report) {
  std::vector<Estimate> out;
  for (const std::vector<Estimate>& row : report.win) {
    double mean = 0, variance = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      mean += report.weights[j] * row[j].value;
      variance += report.weights[j] * report.weights[j] * row[j].se * row[j].se;
    }
    out.push_back({mean, std::sqrt(variance)});
  }
  return out;
}

}  // namespace

GauntletReport gauntlet(const Catalogue& catalogue, const GauntletQuestion& question, const BattleOptions& options) {
  check(question);
  const std::size_t n = question.sides.size();
  const load::Flight flight = question.flight_text.empty() ? load::load_flight(catalogue.profiles(), question.flight)
                                                           : load::parse_flight(question.flight_text, "flight");
  const bool both_ways = distinguishes_sides(flight);
  std::vector<const BattleSide*> sides;
  for (const BattleSide& side : question.sides) sides.push_back(&side);
  const std::string damage_deck = battle::deck_for(question.damage_deck, sides);
  PairPlay play(catalogue, question, options, damage_deck, both_ways);
  std::vector<std::vector<BattleReport>> reports = play.play();
  for (std::vector<BattleReport>& pair : reports) {
    if (pair.size() < (both_ways ? 2u : 1u)) pair.clear();
  }
  GauntletReport out;
  out.names = names_of(question.sides);
  out.weights = question.weights.empty() ? std::vector<double>(n, 1.0) : question.weights;
  const double sum = std::accumulate(out.weights.begin(), out.weights.end(), 0.0);
  for (double& weight : out.weights) weight /= sum;
  out.seed = options.seed;
  out.max_rounds = question.rounds;
  out.flight = flight.id;
  out.flight_name = flight.name;
  out.policy = to_string(question.policy);
  if (damage_deck != kNoDeck) out.damage_deck = damage_deck;
  out.interrupted = play.stopped();
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  out.win.assign(n, std::vector<Estimate>(n, Estimate{kUnknown, kUnknown}));
  for (std::size_t i = 0; i < n; ++i) out.win[i][i] = {0.5, 0};
  for (std::size_t p = 0; p < reports.size(); ++p) {
    if (reports[p].empty()) continue;
    const auto [i, j] = play.pairs()[p];
    const Estimate win = win_of(reports[p]);
    out.win[i][j] = win;
    out.win[j][i] = {1 - win.value, win.se};
  }
  add_provenance(reports, out);
  if (out.rules.empty()) {  // nothing was played
    const battle::GameCards cards = battle::cards_of(catalogue, question.sides[0], question.sides[1]);
    out.rules = cards.rules;
    out.cards = cards.cards;
  }
  out.field = against_field(out);
  return out;
}

void add_equilibrium(GauntletReport& report, const EquilibriumSolver& solve) {
  if (report.interrupted) return;
  std::vector<std::vector<double>> win;
  for (const auto& row : report.win) {
    win.emplace_back();
    for (const Estimate& figure : row) win.back().push_back(figure.value);
  }
  if (auto share = solve ? solve(win) : std::nullopt) {
    report.equilibrium = GauntletEquilibrium{std::move(*share)};
  } else {
    report.notes.emplace_back(
        "the equilibrium of choosing a list is left out: it needs GLPK (libglpk40; to build, libglpk-dev)");
  }
}

}  // namespace salvo
