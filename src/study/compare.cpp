// Compare: see compare.h.
#include "study/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace salvo::study {
namespace {

constexpr int kBlocks = 50;  ///< of a sampled comparison: enough that the error of the standard error is some 10 %

double figure_of(const FigureChoice& by, const DuelResult& result, const Loadout& loadout) {
  if (by.name == "mean") return result.mean;
  if (by.name == "hit") return result.hit;
  if (by.name == "destroyed") return result.destroyed;
  if (by.name == "per_point") return loadout.cost && *loadout.cost > 0 ? result.mean / *loadout.cost : 0.0;
  const auto k = static_cast<std::size_t>(by.k);
  return k < result.at_least.size() ? result.at_least[k] : 0.0;
}

/// Words that all loadouts have go to `common`; each label is the rest.
void tell_apart(std::vector<Loadout>& loadouts, std::vector<std::string>& common) {
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

/// Means over blocks of a sampled result; tails may differ in length.
DuelResult merged(const std::vector<DuelResult>& blocks) {
  DuelResult out = blocks[0];
  out.mean = out.hit = out.destroyed = 0;
  out.at_least.clear();
  std::vector<double> means;
  const auto n = static_cast<double>(blocks.size());
  for (const DuelResult& block : blocks) {
    means.push_back(block.mean);
    out.mean += block.mean / n;
    out.hit += block.hit / n;
    out.destroyed += block.destroyed / n;
    out.at_least.resize(std::max(out.at_least.size(), block.at_least.size()), 0.0);
    for (std::size_t k = 0; k < block.at_least.size(); ++k) out.at_least[k] += block.at_least[k] / n;
  }
  out.mean_se = se_of(means);
  return out;
}

}  // namespace

Comparison compare(const Catalogue& catalogue, std::vector<Loadout> loadouts, std::vector<Opponent> opponents,
                   const CompareOptions& options) {
  const bool sampled = options.answer.engine == EngineChoice::Sample;
  const auto blocks = static_cast<std::size_t>(sampled ? kBlocks : 1);
  const std::uint64_t block_trials = std::max<std::uint64_t>(1, options.answer.trials.value_or(kUsualTrials) / blocks);
  Comparison out;
  out.rules = loadouts[0].scenario.rules;
  out.cards = loadouts[0].scenario.cards;
  out.cards_date = catalogue.data_set(out.cards).date;
  out.by = options.by;
  tell_apart(loadouts, out.common);
  const std::size_t columns = opponents.size();
  // results[(row * columns + column) * blocks + block]
  std::vector<DuelResult> results(loadouts.size() * columns * blocks);
  for_each(options.answer.threads, results.size(), [&](std::size_t i) {
    const std::size_t block = i % blocks, column = i / blocks % columns, row = i / blocks / columns;
    AnswerOptions one = options.answer;
    one.threads = 1;  // the duels share the cores
    one.seed += block;
    if (sampled) one.trials = block_trials;
    results[i] = play_duel(catalogue, against(loadouts[row], opponents[column]), one);
  });
  // averages[row][block]: of the figure over all opponents.
  std::vector<std::vector<double>> averages(loadouts.size(), std::vector<double>(blocks, 0.0));
  for (std::size_t row = 0; row < loadouts.size(); ++row) {
    CompareRow& line = out.rows.emplace_back();
    for (std::size_t column = 0; column < columns; ++column) {
      const auto first = results.begin() + static_cast<std::ptrdiff_t>((row * columns + column) * blocks);
      const std::vector<DuelResult> cell(first, first + static_cast<std::ptrdiff_t>(blocks));
      line.cells.push_back(sampled ? merged(cell) : cell[0]);
      line.figures.push_back(figure_of(options.by, line.cells.back(), loadouts[row]));
      for (std::size_t b = 0; b < blocks; ++b)
        averages[row][b] += figure_of(options.by, cell[b], loadouts[row]) / static_cast<double>(columns);
    }
    line.average = mean_of(line.figures);
    line.loadout = loadouts[row];
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
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const CompareRow& a, const CompareRow& b) { return a.average > b.average; });
  out.opponents = std::move(opponents);
  if (sampled) {
    out.blocks = kBlocks;
    out.trials = block_trials * blocks;
    out.seed = options.answer.seed;
  }
  return out;
}

}  // namespace salvo::study
