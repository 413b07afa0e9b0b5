#include "study/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "answers/weapons.h"
#include "base/stable_sort.h"
#include "base/text.h"

namespace salvo::study {
namespace {

constexpr int kBlocks =
    50;  ///< of a sampled comparison: enough for a relative error of some 10 % in the standard error

Estimate figure_of(const FigureChoice& by, const DuelResult& result, const Loadout& loadout) {
  if (by.name == "mean") return result.mean;
  if (by.name == "hit") return result.hit;
  if (by.name == "destroyed") return result.destroyed;
  if (by.name == "per_point") {
    return loadout.cost && *loadout.cost > 0
               ? Estimate{result.mean.value / *loadout.cost, result.mean.se / *loadout.cost}
               : Estimate();
  }
  const auto k = static_cast<std::size_t>(by.k);
  return k < result.at_least.size() ? result.at_least[k] : Estimate();
}

/// Moves the words that all loadouts share to `common`; each label is the rest.
void label_loadouts(std::vector<Loadout>& loadouts, std::vector<std::string>& common) {
  for (const std::string& word : loadouts[0].words) {
    const bool everywhere = loadouts.size() > 1 && std::all_of(loadouts.begin(), loadouts.end(), [&](const Loadout& x) {
                              return std::find(x.words.begin(), x.words.end(), word) != x.words.end();
                            });
    if (everywhere) common.push_back(word);
  }
  for (Loadout& loadout : loadouts) {
    for (const std::string& word : loadout.words) {
      if (std::find(common.begin(), common.end(), word) != common.end()) continue;
      loadout.label += (loadout.label.empty() ? "" : " ") + word;
    }
    if (loadout.label.empty()) loadout.label = "(nothing else)";
  }
}

Scenario against(const Loadout& loadout, const Opponent& opponent) {
  Scenario out = loadout.scenario;
  out.ships[kDefender] = opponent.ship;
  out.notes.insert(out.notes.end(), opponent.notes.begin(), opponent.notes.end());
  return out;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double se_of(const std::vector<double>& blocks) {
  const double mean = mean_of(blocks);
  double squares = 0;
  for (const double x : blocks) squares += (x - mean) * (x - mean);
  const auto n = static_cast<double>(blocks.size());
  return std::sqrt(squares / (n - 1) / n);
}

/// Means over the blocks of a sampled result; tails may differ in length.
DuelResult merged(const std::vector<DuelResult>& blocks) {
  if (blocks.size() == 1) return blocks[0];
  DuelResult out = blocks[0];
  const auto estimate = [&](auto estimate_of) {
    std::vector<double> values;
    for (const DuelResult& block : blocks) values.push_back(estimate_of(block).value);
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    return Estimate{mean, se_of(values)};
  };
  out.mean = estimate([](const DuelResult& x) { return x.mean; });
  out.hit = estimate([](const DuelResult& x) { return x.hit; });
  out.destroyed = estimate([](const DuelResult& x) { return x.destroyed; });
  std::size_t most = 0;
  for (const DuelResult& block : blocks) most = std::max(most, block.at_least.size());
  out.at_least.resize(most);
  for (std::size_t k = 0; k < most; ++k)
    out.at_least[k] = estimate([k](const DuelResult& x) { return k < x.at_least.size() ? x.at_least[k] : Estimate(); });
  return out;
}

/// One loadout with one of its weapons against one opponent, in blocks.
struct Cell {
  std::string weapon;
  std::vector<DuelResult> blocks;
  DuelResult all;
  Provenance from;
};

/// Throws unless all loadouts are of one edition. Returns a note if their card sets differ: each uses its own cards.
std::vector<std::string> check_games(const Catalogue& catalogue, const std::vector<Loadout>& loadouts) {
  const auto cards_of = [&](const Loadout& x) { return catalogue.card_set(x.scenario.cards, x.scenario.rules); };
  const Loadout& first = loadouts[0];
  std::vector<std::string> notes;
  for (const Loadout& other : loadouts) {
    if (other.scenario.rules != first.scenario.rules) {
      throw LoadError(fmt::format(
          "{} is of the {}, {} of the {}; figures of two editions do not compare: leave one out, or say --rules",
          first.name, first.scenario.rules, other.name, other.scenario.rules));
    }
    const std::string note = fmt::format("{} is of the card set {}, {} of {}; each is played with its own cards",
                                         first.name, cards_of(first), other.name, cards_of(other));
    if (cards_of(other) != cards_of(first) && notes.empty()) notes.push_back(note);
  }
  return notes;
}

/// Plays the loadouts: cells[row][column][weapon].
class Duels {
 public:
  Duels(const Catalogue& catalogue, const std::vector<Loadout>& loadouts, const std::vector<Opponent>& opponents,
        const AnswerOptions& options, std::size_t blocks, std::uint64_t block_trials)
      : cells_(loadouts.size(), std::vector<std::vector<Cell>>(opponents.size())) {
    std::vector<std::function<void()>> jobs;
    for (std::size_t row = 0; row < loadouts.size(); ++row) {
      const std::vector<std::string> weapons = weapons_for(catalogue, loadouts[row].scenario);
      for (std::size_t column = 0; column < opponents.size(); ++column) {
        auto& cells = cells_[row][column];
        for (const std::string& weapon : weapons) cells.push_back({weapon, std::vector<DuelResult>(blocks), {}, {}});
        for (std::size_t w = 0; w < weapons.size(); ++w) {
          for (std::size_t block = 0; block < blocks; ++block) {
            jobs.push_back([&, row, column, w, block] {
              AnswerOptions one = options;
              one.threads = 1;  // the duels share the cores
              one.seed += block;
              if (blocks > 1) one.trials = block_trials;
              Scenario scenario = against(loadouts[row], opponents[column]);
              Cell& cell = cells_[row][column][w];
              for (ScenarioAttack& attack : scenario.attacks) attack.weapon = cell.weapon;
              cell.blocks[block] = play_duel(catalogue, scenario, one, block == 0 ? &cell.from : nullptr);
            });
          }
        }
      }
    }
    for_each(options.threads, jobs.size(), [&](std::size_t i) { jobs[i](); });
    for (auto& row : cells_) {
      for (auto& column : row) {
        for (Cell& cell : column) cell.all = merged(cell.blocks);
      }
    }
  }

  /// The cell of the weapon with the best figure; ties go to the first.
  const Cell& best(std::size_t row, std::size_t column, const FigureChoice& by, const Loadout& loadout) const {
    const std::vector<Cell>& cells = cells_[row][column];
    const Cell* out = &cells[0];
    for (const Cell& cell : cells) {
      const bool better = cell.all.possible && (!out->all.possible || figure_of(by, cell.all, loadout).value >
                                                                          figure_of(by, out->all, loadout).value);
      if (better) out = &cell;
    }
    return *out;
  }

  /// For loadouts with a choice: the weapons that cannot attack any opponent, and why.
  std::vector<std::string> unusable(std::size_t row) const {
    std::vector<std::string> out;
    for (std::size_t w = 0; chooses(row) && w < cells_[row][0].size(); ++w) {
      const bool never = std::none_of(cells_[row].begin(), cells_[row].end(),
                                      [w](const std::vector<Cell>& column) { return column[w].all.possible; });
      const Cell& cell = cells_[row][0][w];
      if (never) out.push_back(fmt::format("{} is not used: {}", cell.weapon, cell.all.why_not));
    }
    return out;
  }

  bool chooses(std::size_t row) const { return !cells_[row].empty() && cells_[row][0].size() > 1; }

 private:
  static std::vector<std::string> weapons_for(const Catalogue& catalogue, const Scenario& scenario) {
    const std::string& named = scenario.attacks[0].weapon;
    if (named != kBestWeapon) return {named};
    std::vector<std::string> out = answers::weapon_names(catalogue, catalogue.card_set(scenario.cards, scenario.rules),
                                                         scenario.ships.at(kAttacker));
    if (out.empty()) out.emplace_back("primary");  // compiling it reports the error
    return out;
  }

  std::vector<std::vector<std::vector<Cell>>> cells_;
};

/// Standard errors if only some cells were sampled.
void add_errors(Comparison& out) {
  const bool any = std::any_of(out.rows.begin(), out.rows.end(), [](const CompareRow& row) {
    return std::any_of(row.estimates.begin(), row.estimates.end(), [](const Estimate& x) { return x.se > 0; });
  });
  if (!any) return;
  for (CompareRow& row : out.rows) {
    double squares = 0;
    for (const Estimate& x : row.estimates) squares += x.se * x.se;
    row.average_se = std::sqrt(squares) / static_cast<double>(row.estimates.size());
  }
  for (CompareRow& row : out.rows)
    row.behind_se = &row == &out.rows[0] ? 0.0 : std::hypot(*out.rows[0].average_se, *row.average_se);
}

/// Notes the attacks that a loadout cannot make, once for each reason.
void note_impossible(const CompareRow& row, const std::vector<Opponent>& opponents, std::vector<std::string>& notes) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (std::size_t c = 0; c < row.cells.size(); ++c) {
    if (row.cells[c].possible) continue;
    const auto same = [&](const auto& reason) { return reason.first == row.cells[c].why_not; };
    auto at = std::find_if(reasons.begin(), reasons.end(), same);
    if (at == reasons.end()) at = reasons.insert(reasons.end(), {row.cells[c].why_not, {}});
    at->second.push_back(opponents[c].id);
  }
  for (const auto& [why, ids] : reasons) {
    notes.push_back(
        fmt::format("{} cannot attack {} and counts as 0 there: {}", row.loadout.name, base::joined(ids, ", "), why));
  }
}

}  // namespace

const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> names = {"mean", "hit", "destroyed", "at_least", "per_point"};
  return names;
}

Comparison compare(const Catalogue& catalogue, std::vector<Loadout> loadouts, std::vector<Opponent> opponents,
                   const CompareOptions& options) {
  const bool sampled = options.answer.engine == EngineChoice::Sample;
  const auto blocks = static_cast<std::size_t>(sampled ? kBlocks : 1);
  const std::uint64_t block_trials =
      std::max<std::uint64_t>(1, options.answer.trials.value_or(kDefaultTrials) / blocks);
  Comparison out;
  out.rules = loadouts[0].scenario.rules;
  out.cards = loadouts[0].scenario.cards;
  out.cards_date = catalogue.data_set(out.cards).date;
  out.by = options.by;
  const std::vector<std::string> notes = check_games(catalogue, loadouts);
  label_loadouts(loadouts, out.common);
  const std::size_t columns = opponents.size();
  const Duels duels(catalogue, loadouts, opponents, options.answer, blocks, block_trials);
  // averages[row][block] of the figure over all opponents
  std::vector<std::vector<double>> averages(loadouts.size(), std::vector<double>(blocks, 0.0));
  for (std::size_t row = 0; row < loadouts.size(); ++row) {
    CompareRow& line = out.rows.emplace_back();
    line.loadout = loadouts[row];
    for (std::size_t column = 0; column < columns; ++column) {
      const Cell& cell = duels.best(row, column, options.by, loadouts[row]);
      line.cells.push_back(cell.all);
      line.weapons.push_back(cell.weapon);
      line.estimates.push_back(figure_of(options.by, cell.all, loadouts[row]));
      merge(line.from, cell.from);
      for (std::size_t b = 0; b < blocks; ++b)
        averages[row][b] += figure_of(options.by, cell.blocks[b], loadouts[row]).value / static_cast<double>(columns);
    }
    for (const Estimate& x : line.estimates) line.average += x.value;
    line.average /= static_cast<double>(columns);
    out.best = out.best || duels.chooses(row);
    for (const std::string& note : loadouts[row].notes) line.from.notes.push_back(note);
    for (const std::string& why : duels.unusable(row))
      line.from.notes.push_back(fmt::format("{}: {}", loadouts[row].name, why));
    note_impossible(line, opponents, line.from.notes);
    merge(out.from, line.from);
  }
  out.from.notes.insert(out.from.notes.begin(), notes.begin(), notes.end());
  if (out.best) {
    out.from.notes.emplace_back(
        "each ship uses the weapon that does the most damage to its target, which is in that weapon's arc");
  }
  std::size_t best = 0;
  for (std::size_t row = 1; row < out.rows.size(); ++row) {
    if (out.rows[row].average > out.rows[best].average) best = row;
  }
  const double best_average = out.rows[best].average;
  for (std::size_t row = 0; row < out.rows.size(); ++row) {
    CompareRow& line = out.rows[row];
    line.behind = best_average - line.average;
    if (!sampled) continue;
    std::vector<double> differences;
    for (std::size_t b = 0; b < blocks; ++b) differences.push_back(averages[best][b] - averages[row][b]);
    line.average_se = se_of(averages[row]);
    line.behind_se = se_of(differences);
  }
  base::stable_sort(out.rows, [](const CompareRow& a, const CompareRow& b) { return a.average > b.average; });
  if (!sampled) add_errors(out);
  out.opponents = std::move(opponents);
  if (sampled) {
    out.blocks = kBlocks;
    out.trials = block_trials * blocks;
    out.seed = options.answer.seed;
  }
  return out;
}

}  // namespace salvo::study
