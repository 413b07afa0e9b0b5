// The sampling engine of hazards: rolls each die. It shares the effect of a consequence with enumerate.cpp and nothing
// else, so that the two check each other's probabilities.
//
// Trial t reads the words of philox({t low, t high, block, 2}, seed) in order. A die takes one word, or more where a
// word would favour some sides.
#include <algorithm>
#include <cmath>

#include "base/philox.h"
#include "hazard/ship_state.h"

namespace salvo::hazard {
namespace {

using Eigen::ArrayXd;

/// The random words of one trial.
class RandomWords {
 public:
  RandomWords(std::uint64_t seed, std::uint64_t trial) : key_(base::philox_key(seed)), trial_(trial) {}

  /// A side below `n`.
  std::size_t side(std::size_t n) {
    const std::uint64_t fair = (std::uint64_t{1} << 32) / n * n;  // reject words from here on
    for (;;) {
      const std::uint32_t word = next();
      if (word < fair) return word % n;
    }
  }

 private:
  std::uint32_t next() {
    if (used_ == 4) {
      block_ = base::philox4x32(
          {static_cast<std::uint32_t>(trial_), static_cast<std::uint32_t>(trial_ >> 32), number_++, kStream}, key_);
      used_ = 0;
    }
    return block_[used_++];
  }

  static constexpr std::uint32_t kStream = 2;
  base::PhiloxKey key_;
  std::uint64_t trial_;
  std::uint32_t number_ = 0;
  std::size_t used_ = 4;
  base::PhiloxCounter block_{};
};

/// The face of each side.
std::vector<std::size_t> faces_of_sides(const load::DieSpec& die) {
  std::vector<std::size_t> out;
  for (std::size_t face = 0; face < die.faces.size(); ++face)
    out.insert(out.end(), static_cast<std::size_t>(die.faces[face].sides), face);
  return out;
}

/// Plays trials.
class Trials {
 public:
  explicit Trials(const Occurrence& question)
      : times_(question.times), faces_(faces_of_sides(question.edition->attack_die)) {
    for (std::size_t s = 0; s < question.targets.size(); ++s) {
      ships_.push_back(make_ship(question, s));
      const load::HazardSituation* situation = question.situations[s];
      rolls_.push_back(situation == nullptr ? Roll{} : roll_of(question, *situation));
      happens_.push_back(situation != nullptr);
      if (situation != nullptr && situation->first_dice > 0 && first_dice_ == 0) {
        first_dice_ = situation->first_dice;
        for (const load::FaceSpec& face : question.edition->attack_die.faces) {
          const auto& good = situation->first_faces;
          triggers_.push_back(std::find(good.begin(), good.end(), face.name) != good.end());
        }
      }
    }
  }

  const std::vector<Ship>& ships() const { return ships_; }

  /// The ships after a trial.
  std::vector<ShipState> play(RandomWords& words) const {
    std::vector<ShipState> states;
    for (const Ship& ship : ships_) states.push_back(ship.start);
    for (int time = 0; time < times_; ++time) {
      if (!triggered(words)) continue;
      for (std::size_t s = 0; s < states.size(); ++s) {
        if (happens_[s]) happen(ships_[s], rolls_[s], words, states[s]);
      }
    }
    return states;
  }

 private:
  std::size_t roll(RandomWords& words) const { return faces_[words.side(faces_.size())]; }

  bool triggered(RandomWords& words) const {
    bool out = first_dice_ == 0;
    for (int die = 0; die < first_dice_; ++die) {
      if (triggers_[roll(words)]) out = true;
    }
    return out;
  }

  void happen(const Ship& ship, const Roll& rolled, RandomWords& words, ShipState& state) const {
    apply(ship, fixed_change(ship, rolled), state);
    Change change = no_change(ship);
    for (int die = 0; die < rolled.dice; ++die) add(ship, rolled.on[roll(words)], 1, change);
    apply(ship, change, state);
  }

  int times_, first_dice_ = 0;
  std::vector<std::size_t> faces_;  ///< by side of the attack die
  std::vector<bool> triggers_;      ///< by face: whether the first roll triggers the hazard
  std::vector<Ship> ships_;
  std::vector<Roll> rolls_;    ///< by ship
  std::vector<bool> happens_;  ///< by ship
};

/// Turns counts of trials into shares.
void divide(ShipAnswer& answer, double trials) {
  answer.ship.joint /= trials;
  answer.ship.damage /= trials;
  answer.ship.destroyed /= trials;
  answer.ship.hull /= trials;
  answer.ship.shields /= trials;
  answer.faceup /= trials;
  for (TokenAnswer& token : answer.tokens) {
    token.number /= trials;
    token.reached /= trials;
  }
}

}  // namespace

Answer sample(const Occurrence& question, std::uint64_t trials, std::uint64_t seed) {
  const Trials played(question);
  const std::vector<Ship>& ships = played.ships();
  Answer out;
  for (const Ship& ship : ships) out.ships.push_back(empty_answer(ship));
  out.destroyed = ArrayXd::Zero(static_cast<Eigen::Index>(ships.size()) + 1);
  for (std::uint64_t t = 0; t < trials; ++t) {
    RandomWords words(seed, t);
    int damage = 0, destroyed = 0;
    const std::vector<ShipState> states = played.play(words);
    for (std::size_t s = 0; s < ships.size(); ++s) {
      add_state(ships[s], states[s], 1, out.ships[s]);
      damage += states[s].damage();
      destroyed += ships[s].destroyed(states[s]) ? 1 : 0;
    }
    add_at(out.damage, damage, 1);
    add_at(out.destroyed, destroyed, 1);
  }
  // Counts are whole numbers: added up first and divided once, they do not depend on the order of trials.
  const auto n = static_cast<double>(trials);
  for (ShipAnswer& ship : out.ships) divide(ship, n);
  out.damage /= n;
  out.destroyed /= n;
  out.trials = trials;
  out.seed = seed;
  return out;
}

ContestAnswer sample(const load::Edition& edition, const load::HazardContest& contest, std::uint64_t trials,
                     std::uint64_t seed) {
  const std::vector<load::FaceSpec>& faces = edition.attack_die.faces;
  const std::vector<std::size_t> sides = faces_of_sides(edition.attack_die);
  std::vector<std::uint64_t> decided(contest.most.size(), 0);
  std::uint64_t won = 0, rolls = 0;
  ArrayXd lengths;
  for (std::uint64_t t = 0; t < trials; ++t) {
    RandomWords words(seed, t);
    const auto roll = [&] {
      std::vector<std::string> out;
      for (int die = 0; die < contest.dice; ++die) {
        out.push_back(faces[sides[words.side(sides.size())]].name);
      }
      return out;
    };
    if (!contest.wins.empty()) {
      const auto shown = roll();
      ++rolls;
      add_at(lengths, 0, 1);
      won += std::find_first_of(shown.begin(), shown.end(), contest.wins.begin(), contest.wins.end()) != shown.end();
      continue;
    }
    for (int tries = 0, open = 1; open != 0; ++tries) {
      ++rolls;
      const auto mine = roll(), theirs = roll();
      for (std::size_t i = 0; i < contest.most.size() && open != 0; ++i) {
        const auto lead = std::count(mine.begin(), mine.end(), contest.most[i]) -
                          std::count(theirs.begin(), theirs.end(), contest.most[i]);
        if (lead == 0) continue;
        open = 0;
        ++decided[i];
        if (lead > 0) ++won;
        add_at(lengths, tries, 1);
      }
    }
  }
  ContestAnswer out;
  const auto share = [](std::uint64_t n, std::uint64_t of) { return static_cast<double>(n) / static_cast<double>(of); };
  std::uint64_t all_decided = 0;
  for (const std::uint64_t n : decided) {
    out.decided_by.push_back(share(n, trials));
    all_decided += n;
  }
  if (!decided.empty()) out.tie = share(rolls - all_decided, rolls);
  out.win = share(won, trials);
  out.mean_rolls = share(rolls, trials);
  out.rolls = lengths / static_cast<double>(trials);
  // Each roll is tied or not; a trial has one roll more than it has ties.
  const auto all_rolls = static_cast<double>(rolls);
  out.tie_se = std::sqrt(out.tie * (1 - out.tie) / all_rolls);
  double squares = 0;
  for (Eigen::Index n = 0; n < out.rolls.size(); ++n)
    squares += out.rolls(n) * std::pow(static_cast<double>(n) + 1 - out.mean_rolls, 2);
  out.mean_rolls_se = std::sqrt(squares / static_cast<double>(trials));
  out.trials = trials;
  out.seed = seed;
  return out;
}

}  // namespace salvo::hazard
