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

}  // namespace

GauntletReport gauntlet(const Catalogue& catalogue, const GauntletQuestion& question, const BattleOptions& options) {
  check(question);
  const std::size_t n = question.sides.size();
  const load::Flight flight = question.flight_text.empty() ? load::load_flight(catalogue.profiles(), question.flight)
                                                           : load::parse_flight(question.flight_text, "flight");
  const bool both_ways = distinguishes_sides(flight);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) pairs.emplace_back(i, j);
  }
  BattleOptions how = options;
  if (!options.precision) how.trials = options.trials.value_or(kDefaultGauntletBattles);
  if (both_ways && how.trials) how.trials = std::max<std::uint64_t>(1, (*how.trials + 1) / 2);
  how.threads = 1;
  std::mutex mutex;
  std::uint64_t done = 0;
  std::atomic<bool> stopped{false};
  const auto report_progress = [&](std::uint64_t more) {
    const std::lock_guard lock(mutex);
    done += more;
    if (options.progress && !options.progress(done, pairs.size())) stopped = true;
    return !stopped;
  };
  how.progress = [&](std::uint64_t, std::uint64_t) { return report_progress(0); };
  std::vector<std::vector<BattleReport>> reports(pairs.size());
  std::vector<const BattleSide*> sides;
  for (const BattleSide& side : question.sides) sides.push_back(&side);
  const std::string damage_deck = battle::deck_for(question.damage_deck, sides);
  GauntletTables shared(catalogue, question.sides, damage_deck, options.threads);
  study::for_each(options.threads, pairs.size(), [&](std::size_t p) {
    for (const bool turned : {false, true}) {
      if (stopped || (turned && !both_ways)) continue;
      BattleQuestion asked;
      asked.mine = question.sides[turned ? pairs[p].second : pairs[p].first];
      asked.theirs = question.sides[turned ? pairs[p].first : pairs[p].second];
      asked.flight = question.flight;
      asked.flight_text = question.flight_text;
      asked.rounds = question.rounds;
      asked.damage_deck = damage_deck;
      asked.my_policy = asked.their_policy = question.policy;
      BattleReport found = battle::with_tables(
          battle::sharing(shared.tables()),
          [&](const battle::TablesSource& source) { return battle::fight_with(catalogue, asked, how, source); });
      if (!found.interrupted) reports[p].push_back(std::move(found));
    }
    shared.played(pairs[p].first, pairs[p].second);
    report_progress(1);
  });
  GauntletReport out;
  out.names = names_of(question.sides);
  out.weights = question.weights.empty() ? std::vector<double>(n, 1.0) : question.weights;
  const double sum = std::accumulate(out.weights.begin(), out.weights.end(), 0.0);
  for (double& weight : out.weights) weight /= sum;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  out.win.assign(n, std::vector<Estimate>(n, Estimate{kUnknown, kUnknown}));
  for (std::size_t i = 0; i < n; ++i) out.win[i][i] = {0.5, 0};
  out.seed = options.seed;
  out.max_rounds = question.rounds;
  out.flight = flight.id;
  out.flight_name = flight.name;
  out.policy = to_string(question.policy);
  if (damage_deck != kNoDeck) out.damage_deck = damage_deck;
  out.interrupted = stopped;
  bool first = true, solved = false, all_solved = true;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    if (reports[p].size() < (both_ways ? 2u : 1u)) continue;
    Estimate cell = cell_of(reports[p][0]);
    if (both_ways) {
      const Estimate back = cell_of(reports[p][1]);
      cell = {(cell.value + 1 - back.value) / 2, std::hypot(cell.se, back.se) / 2};
    }
    out.win[i][j] = cell;
    out.win[j][i] = {1 - cell.value, cell.se};
    std::uint64_t trials = 0;
    for (const BattleReport& one : reports[p]) {
      trials += one.engine == Engine::Exact ? 0 : one.trials;
      if (first) {
        out.engine = one.engine;
      } else if (out.engine != one.engine) {
        out.engine = Engine::Mixed;
      }
      if (first || (all_solved && !one.solved_by_sound)) out.assumptions = one.assumptions;
      solved = solved || one.solved_by_sound;
      all_solved = all_solved && one.solved_by_sound;
      study::merge(out, one);
      first = false;
    }
    out.trials = std::max(out.trials, trials);
  }
  if (solved && !all_solved) out.assumptions.push_back(fmt::format("in some pairs {}", battle::kSolvedBySound));
  if (first) {
    const battle::GameCards cards = battle::cards_of(catalogue, question.sides[0], question.sides[1]);
    out.rules = cards.rules;
    out.cards = cards.cards;
  }
  for (std::size_t i = 0; i < n; ++i) {
    double mean = 0, variance = 0;  // not a number where one of the pairs is
    for (std::size_t j = 0; j < n; ++j) {
      mean += out.weights[j] * out.win[i][j].value;
      variance += out.weights[j] * out.weights[j] * out.win[i][j].se * out.win[i][j].se;
    }
    out.field.push_back({mean, std::sqrt(variance)});
  }
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
