#include "answers/mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "answers/cross_check.h"
#include "answers/options.h"
#include "base/index.h"
#include "base/text.h"
#include "load/specs.h"

namespace salvo::answers {
namespace {

constexpr std::uint64_t kLeastTrials = 2;           ///< of a case
constexpr std::uint64_t kInterruptedTrials = 1000;  ///< of the cases that an interruption left over

std::string value_words(const Unknown& unknown, int value) {
  for (const char* yes_or_no : {"lock", "obstructed", "reinforced", "fact"}) {
    if (unknown.key == yes_or_no) return value != 0 ? "yes" : "no";
  }
  return std::to_string(value);
}

void set(const Unknown& unknown, int value, ScenarioShip& ship) {
  if (value == 0) return;
  if (unknown.key == "lock") {
    ship.locks.push_back(unknown.name);
  } else {
    ship.tokens[unknown.key] += value;
  }
}

void set(const Unknown& unknown, int value, ScenarioAttack& attack) {
  if (unknown.key == "range") attack.range = value;
  if (unknown.key == "obstructed") attack.obstructed = value != 0;
  if (unknown.key == "reinforced") attack.reinforced = value != 0;
  if (unknown.key == "fact") attack.facts.push_back(value != 0 ? unknown.name : "not " + unknown.name);
  if (unknown.key == "count") attack.facts.push_back(fmt::format("{} = {}", unknown.name, value));
}

// ---------------------------------------------------------------- weighted figures

void add(const Estimate& from, double weight, Estimate& to) {
  to.value += weight * from.value;
  to.se = std::sqrt(to.se * to.se + weight * from.se * weight * from.se);
}

void add(const std::vector<Estimate>& from, double weight, std::vector<Estimate>& to) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t k = 0; k < from.size(); ++k) add(from[k], weight, to[k]);
}

/// Figures by name, sorted.
template <typename Figure>
void add(const std::vector<std::pair<std::string, Figure>>& from, double weight,
         std::vector<std::pair<std::string, Figure>>& to) {
  for (const auto& [name, figure] : from) {
    auto at = std::find_if(to.begin(), to.end(), [&name = name](const auto& known) { return known.first >= name; });
    if (at == to.end() || at->first != name) at = to.insert(at, {name, Figure()});
    add(figure, weight, at->second);
  }
}

void add(const std::vector<JointCell>& from, double weight, std::vector<JointCell>& to) {
  for (const JointCell& cell : from) {
    const auto place = [](const JointCell& of) { return std::pair(of.hits, of.crits); };
    auto at = std::find_if(to.begin(), to.end(), [&](const JointCell& known) { return place(known) >= place(cell); });
    if (at == to.end() || place(*at) != place(cell)) at = to.insert(at, {cell.hits, cell.crits, {}});
    add(cell.probability, weight, at->probability);
  }
}

void add(const ShipEstimates& from, double weight, ShipEstimates& to) {
  for (const auto figure :
       {&ShipEstimates::mean_damage, &ShipEstimates::mean_hits, &ShipEstimates::mean_crits, &ShipEstimates::destroyed,
        &ShipEstimates::mean_hull, &ShipEstimates::mean_shields, &ShipEstimates::faceup, &ShipEstimates::added})
    add(from.*figure, weight, to.*figure);
  for (const auto figures :
       {&ShipEstimates::pmf, &ShipEstimates::at_least, &ShipEstimates::hull, &ShipEstimates::shields})
    add(from.*figures, weight, to.*figures);
  add(from.joint, weight, to.joint);
  add(from.tokens_left, weight, to.tokens_left);
  add(from.tokens_pmf, weight, to.tokens_pmf);
  add(from.states, weight, to.states);
}

/// The dice of an attack are means over the cases and trials in which it happens.
void add(const AttackEstimates& from, double weight, AttackEstimates& to) {
  for (const auto figure : {&AttackEstimates::happens, &AttackEstimates::hit_probability, &AttackEstimates::mean_hits,
                            &AttackEstimates::mean_crits})
    add(from.*figure, weight, to.*figure);
  for (const auto dice : {&AttackEstimates::attack_dice, &AttackEstimates::defense_dice})
    add(from.*dice, weight * from.happens.value, to.*dice);
  if (from.range != to.range) to.range = -1;
}

/// Keeps names and clears figures.
Estimates without_figures(const Estimates& estimates) {
  Estimates out;
  for (const ShipEstimates& ship : estimates.ships) {
    ShipEstimates& named = out.ships.emplace_back();
    named.name = ship.name;
    named.title = ship.title;
    named.attacked = ship.attacked;
  }
  for (const AttackEstimates& attack : estimates.attacks) {
    AttackEstimates& named = out.attacks.emplace_back(attack);
    for (const auto figure :
         {&AttackEstimates::happens, &AttackEstimates::attack_dice, &AttackEstimates::defense_dice,
          &AttackEstimates::hit_probability, &AttackEstimates::mean_hits, &AttackEstimates::mean_crits})
      named.*figure = {};
  }
  return out;
}

void add(const Estimates& from, double weight, Estimates& to) {
  if (from.attacks.size() != to.attacks.size())
    throw ScenarioError("", "the chances change how many attacks there are; ask for each value on its own");
  add(from.value, weight, to.value);
  to.trials += from.trials;
  for (std::size_t s = 0; s < to.ships.size(); ++s) add(from.ships[s], weight, to.ships[s]);
  for (std::size_t a = 0; a < to.attacks.size(); ++a) add(from.attacks[a], weight, to.attacks[a]);
}

/// Completes the distribution of a token: in cases without it none is left. False if that contradicts its mean, since a
/// case has tokens that no effect can add to, and no distribution.
bool complete(const Estimate& mean, std::vector<Estimate>& pmf) {
  constexpr double kRounding = 1e-12, kSameMean = 1e-9;
  double sum = 0, own_mean = 0;
  for (std::size_t k = 0; k < pmf.size(); ++k) {
    sum += pmf[k].value;
    own_mean += static_cast<double>(k) * pmf[k].value;
  }
  if (1 - sum > kRounding) pmf[0].value += 1 - sum;
  return std::abs(own_mean - mean.value) < kSameMean;
}

void finish(Estimates& estimates) {
  constexpr double kRounding = 1e-12;
  for (ShipEstimates& ship : estimates.ships) {
    bool all = true;
    for (auto& [kind, pmf] : ship.tokens_pmf) {
      for (const auto& [name, left] : ship.tokens_left) all = all && (name != kind || complete(left, pmf));
    }
    if (!all) {
      ship.tokens_pmf.clear();
      ship.states.clear();
    }
    if (std::abs(ship.at_least[0].value - 1) < kRounding) ship.at_least[0].value = 1;
  }
  for (AttackEstimates& attack : estimates.attacks) {
    const double happens = attack.happens.value;
    if (!(happens > 0)) continue;
    for (Estimate* dice : {&attack.attack_dice, &attack.defense_dice})
      *dice = {dice->value / happens, dice->se / happens};
  }
}

// ---------------------------------------------------------------- reports

void add_sample(const SampleInfo& from, std::optional<SampleInfo>& to) {
  if (!to) {
    to = from;
    return;
  }
  to->trials += from.trials;
  to->interrupted = to->interrupted || from.interrupted;
  if (to->kernel_fallback.empty()) to->kernel_fallback = from.kernel_fallback;
  if (from.ended_by == "trials") to->ended_by = from.ended_by;
}

/// The smallest p of all cases, times their number.
void add_check(const CrossCheck& from, std::optional<CrossCheck>& to) {
  if (!to) {
    to = from;
    return;
  }
  if (from.p < to->p) {
    to->p = from.p;
    to->g = from.g;
    to->df = from.df;
  }
  if (from.largest_difference > to->largest_difference) {
    to->largest_difference = from.largest_difference;
    to->largest_name = from.largest_name;
  }
  to->rounds_left_out = std::max(to->rounds_left_out, from.rounds_left_out);
}

void add_would_add(const DeckWouldAdd& from, double weight, DeckWouldAdd& to) {
  for (std::size_t s = 0; s < to.mean.size(); ++s) to.mean[s].second += weight * from.mean[s].second;
}

/// Adds up the answers to the cases of a scenario.
class Mixture {
 public:
  explicit Mixture(const Cases& cases) : cases_(cases) {}

  void add(const Report& from, double weight) {
    if (count_++ == 0) begin(from);
    answers::add(from.estimates, weight, out_.estimates);
    out_.rounds.resize(std::min(out_.rounds.size(), from.rounds.size()));
    for (std::size_t r = 0; r < out_.rounds.size(); ++r) answers::add(from.rounds[r], weight, out_.rounds[r]);
    for (const auto list : kCaveatLists) {
      for (const std::string& item : from.*list) base::add_once(out_.*list, item);
    }
    for (const auto policy : {&Provenance::attacker_policy, &Provenance::defender_policy}) {
      if (from.*policy != out_.*policy) out_.*policy = "optimal or greedy";
    }
    if (from.engine == Engine::Sample) {
      out_.engine = Engine::Sample;
      ++sampled_;
      if (!from.engine_reason.empty()) out_.engine_reason = from.engine_reason;
    }
    if (from.sample) add_sample(*from.sample, out_.sample);
    if (from.cross_check) add_check(*from.cross_check, out_.cross_check);
    if (!from.would_add || (out_.would_add && from.would_add->mean.size() != out_.would_add->mean.size()))
      out_.would_add.reset();
    if (out_.would_add) add_would_add(*from.would_add, weight, *out_.would_add);
  }

  Report take(std::uint64_t seed) {
    finish(out_.estimates);
    for (Estimates& round : out_.rounds) finish(round);
    out_.notes.insert(out_.notes.begin(), cases_.note());
    out_.cases = count_;
    if (out_.sample) out_.sample->seed = seed;
    if (CrossCheck* const check = out_.cross_check ? &*out_.cross_check : nullptr) {
      check->p = std::min(1.0, check->p * static_cast<double>(count_));
      check->agree = check->p >= kMinP && check->largest_difference <= kMaxDifference;
    }
    if (!out_.engine_reason.empty()) {
      out_.engine_reason = sampled_ == 0 ? fmt::format("each of {} cases fits its budget", count_)
                                         : fmt::format("in {} of {} cases: {}", sampled_, count_, out_.engine_reason);
    }
    return std::move(out_);
  }

 private:
  void begin(const Report& first) {
    out_ = first;
    out_.estimates = without_figures(first.estimates);
    for (Estimates& round : out_.rounds) round = without_figures(round);
    out_.sample.reset();
    out_.cross_check.reset();
    if (!out_.would_add) return;
    for (auto& [ship, mean] : out_.would_add->mean) mean = 0;
  }

  const Cases& cases_;
  Report out_;
  std::size_t count_ = 0, sampled_ = 0;
};

// ---------------------------------------------------------------- options of the cases

/// Shares the trials between the cases.
class CaseOptions {
 public:
  explicit CaseOptions(const AnswerOptions& all) : all_(all), one_(all) {
    one_.overrides = {};  // applied to the scenario before its cases
    const bool until_precise = all.precision && !all.trials;
    if (!until_precise) trials_ = all.trials.value_or(kDefaultTrials);
  }

  /// The options of the next case. Its share is rounded so that all shares sum to the trials of the whole.
  const AnswerOptions& next(double weight) {
    const double before = weight_;
    weight_ += weight;
    if (trials_ > 0) one_.trials = std::max(kLeastTrials, up_to(weight_) - up_to(before));
    one_.seed = all_.seed + number_ * kStride;
    if (number_++ > 0) one_.sampling_begins = {};
    if (all_.progress && !interrupted_) {
      one_.progress = [this](std::uint64_t done, std::uint64_t) { return all_.progress(done_ + done, trials_); };
    }
    return one_;
  }

  /// The options of a case that has no trials because it was interrupted.
  const AnswerOptions& again() {
    one_.trials = kInterruptedTrials;
    return one_;
  }

  void done(const Report& report) {
    if (!report.sample) return;
    done_ += report.sample->trials;
    if (!report.sample->interrupted || interrupted_) return;
    interrupted_ = true;  // a mixture needs all of its cases
    one_.progress = {};
    one_.precision = {};
    trials_ = trials_ == 0 ? kInterruptedTrials : std::min(trials_, kInterruptedTrials);
  }

 private:
  /// Far enough apart that seeds near to each other give cases different random numbers.
  static constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15;

  std::uint64_t up_to(double weight) const {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(trials_) * std::min(weight, 1.0)));
  }

  const AnswerOptions& all_;
  AnswerOptions one_;
  std::uint64_t trials_ = 0, done_ = 0, number_ = 0;
  double weight_ = 0;
  bool interrupted_ = false;
};

}  // namespace

Cases::Cases(const Scenario& scenario) : scenario_(scenario), unknowns_(load::unknowns_of(scenario)) {
  const auto fail = [&](const load::PlacedUnknown& at, const std::string& why) {
    throw load::with_location(scenario, {at.path, why});
  };
  double cases = 1;
  for (const load::PlacedUnknown& at : unknowns_) {
    if (const std::string fault = load::fault_of(*at.unknown); !fault.empty()) fail(at, fault);
    cases *= static_cast<double>(at.unknown->values.size());
  }
  if (cases > static_cast<double>(kMaxCases)) {
    fail(unknowns_.back(),
         fmt::format(
             "the chances make {:.6g} cases of {} unknowns; at most {} are weighted: give some of them one value",
             cases, unknowns_.size(), kMaxCases));
  }
  size_ = static_cast<std::size_t>(cases);
}

/// Visits each unknown with its number and the pair of its value and probability in a case.
template <typename Visit>
void Cases::each_value(std::size_t number, const Visit& visit) const {
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    const Unknown& unknown = *unknowns_[u].unknown;
    visit(unknown, unknown.values[number % unknown.values.size()]);
    number /= unknown.values.size();
  }
}

Scenario Cases::scenario(std::size_t number) const {
  Scenario out = scenario_;
  std::vector<int> values;
  each_value(number, [&](const Unknown&, const std::pair<int, double>& value) { values.push_back(value.first); });
  std::size_t u = 0;
  const auto decide = [&](auto& owner) {
    const std::vector<Unknown> unknowns = std::exchange(owner.unknowns, {});
    for (const Unknown& unknown : unknowns) set(unknown, values[u++], owner);
  };
  for (auto& [name, ship] : out.ships) decide(ship);
  for (ScenarioAttack& attack : out.attacks) decide(attack);
  return out;
}

double Cases::weight(std::size_t number) const {
  double out = 1;
  each_value(number, [&](const Unknown& unknown, const std::pair<int, double>& value) {
    out *= value.second / load::total_of(unknown);
  });
  return out;
}

std::string Cases::note() const {
  std::vector<std::string> all;
  for (const load::PlacedUnknown& at : unknowns_) {
    std::vector<std::string> values;
    for (const auto& [value, share] : at.unknown->values)
      values.push_back(fmt::format("{} ({:.4g}%)", value_words(*at.unknown, value), 100 * share));
    all.push_back(fmt::format("{} {}", at.words, base::joined(values, ", ")));
  }
  return fmt::format(
      "the figures are weighted over {} cases: {}; the values are independent of each other, and both players know "
      "them before they decide anything",
      size_, base::joined(all, "; "));
}

SharedAnswer answer_cases(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  check(options);
  if (options.certify)
    throw ScenarioError("certify", "the figures are weighted over chances; certify the value of one case at a time");
  Scenario given = scenario;
  apply(options.overrides, given);
  const Cases cases(given);
  CaseOptions how(options);
  Mixture mixture(cases);
  double work = 0, deck_work = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Scenario one = cases.scenario(i);
    const double weight = cases.weight(i);
    SharedAnswer answer = answer_shared(catalogue, one, how.next(weight));
    how.done(answer->report);
    const auto& sample = answer->report.sample;
    if (sample && sample->trials == 0) answer = answer_shared(catalogue, one, how.again());
    mixture.add(answer->report, weight);
    work += answer->work;
    deck_work += answer->deck_work;
  }
  return std::make_shared<const CachedReport>(CachedReport{mixture.take(options.seed), work, deck_work});
}

}  // namespace salvo::answers
