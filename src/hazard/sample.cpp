// The sampling engine of hazards: every die is rolled and every damage suffered on its own. It shares nothing with
// enumerate.cpp but the question, so that the two can check each other.
// In: an Occurrence, trials, seed. Out: an Answer of shares.
//
// Trial t reads the words of philox({t low, t high, block, 2}, seed) in order; a die takes one word, and another one
// where the first would favour some sides.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/philox.h"
#include "hazard/hazard.h"

namespace salvo::hazard {
namespace {

using Eigen::ArrayXd;
using Eigen::ArrayXXd;
using Eigen::Index;

/// The random words of one trial.
class Words {
 public:
  Words(std::uint64_t seed, std::uint64_t trial) : key_(base::philox_key(seed)), trial_(trial) {}

  /// A side from 0 to `sides` - 1.
  int side(int sides) {
    const auto n = static_cast<std::uint64_t>(sides);
    const std::uint64_t fair = (std::uint64_t{1} << 32) / n * n;  // words from here on are drawn again
    for (;;) {
      const std::uint32_t word = next();
      if (word < fair) return static_cast<int>(word % n);
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

/// The die with one entry for each side.
std::vector<std::string> sides_of(const load::DieSpec& die) {
  std::vector<std::string> out;
  for (const load::FaceSpec& face : die.faces) out.insert(out.end(), static_cast<std::size_t>(face.sides), face.name);
  return out;
}

/// A ship in the middle of a trial.
struct Token {
  std::string kind;
  int number = 0, most = 0, threshold = 0;
};

struct Victim {
  const Target* target;
  int shields, facedown = 0, faceup = 0, hits = 0, crits = 0, cards = 0;
  std::vector<Token> tokens;

  void lose_shield() {
    if (shields > 0) --shields;
  }
  void deal(bool up) { ++(up && !target->remote ? faceup : facedown); }
  void suffer(bool critical) {
    ++(critical ? crits : hits);
    if (shields > 0) {
      --shields;
    } else {
      deal(critical);
    }
  }
  void expose() {
    if (facedown == 0 || target->remote) return;
    --facedown;
    ++faceup;
  }
  void gain(const std::string& kind) {
    for (Token& token : tokens) {
      if (token.kind == kind && token.number < token.most) ++token.number;
    }
  }
  bool gone() const { return target->hull > 0 && facedown + faceup >= target->hull; }
};

void repeat(int n, const std::function<void()>& act) {
  for (int i = 0; i < n; ++i) act();
}

/// What several dice do together: first all shields, then all hits, then all crits, ...
void suffer_together(Victim& ship, const std::vector<const load::Consequence*>& outcomes) {
  for (const load::Consequence* out : outcomes) repeat(out->shields, [&] { ship.lose_shield(); });
  for (const load::Consequence* out : outcomes) repeat(out->hits, [&] { ship.suffer(false); });
  for (const load::Consequence* out : outcomes) repeat(out->crits, [&] { ship.suffer(true); });
  for (const load::Consequence* out : outcomes) {
    repeat(out->facedown_cards, [&] { ship.deal(false), ++ship.cards; });
    repeat(out->faceup_cards, [&] { ship.deal(true), ++ship.cards; });
  }
  for (const load::Consequence* out : outcomes) repeat(out->exposed, [&] { ship.expose(); });
  if (ship.target->remote) return;
  for (const load::Consequence* out : outcomes) {
    for (const auto& [kind, n] : out->tokens) repeat(n, [&, &name = kind] { ship.gain(name); });
  }
}

/// The game of one trial after the other.
class Player {
 public:
  explicit Player(const Occurrence& question) : question_(question), sides_(sides_of(question.edition->attack_die)) {
    for (std::size_t s = 0; s < question.targets.size(); ++s) ships_.push_back(fresh(s));
  }

  std::vector<Victim> play(Words& words) const {
    std::vector<Victim> ships = ships_;
    for (int time = 0; time < question_.times; ++time) {
      if (!begins(words)) continue;
      for (std::size_t s = 0; s < ships.size(); ++s) {
        if (question_.situations[s] != nullptr) happen(*question_.situations[s], words, ships[s]);
      }
    }
    return ships;
  }

  const std::vector<Victim>& fresh_ships() const { return ships_; }

 private:
  Victim fresh(std::size_t s) const {
    const Target& target = question_.targets[s];
    Victim out{&target, target.shields, 0, 0, 0, 0, 0, {}};
    for (const load::TokenSpec& spec : question_.edition->tokens) {
      const auto had = target.tokens.find(spec.id);
      if (had == target.tokens.end() && !gives(s, spec.id)) continue;
      const auto limit = spec.threshold.find(target.size);
      out.tokens.push_back({spec.id, had == target.tokens.end() ? 0 : had->second, spec.max,
                            limit == spec.threshold.end() ? 0 : limit->second});
    }
    std::sort(out.tokens.begin(), out.tokens.end(), [](const Token& a, const Token& b) { return a.kind < b.kind; });
    return out;
  }

  bool gives(std::size_t s, const std::string& token) const {
    const load::Situation* situation = question_.situations[s];
    if (situation == nullptr || question_.targets[s].remote) return false;
    if (situation->fixed.tokens.contains(token)) return true;
    for (const auto& [name, outcome] : situation->fixed_per) {
      if (question_.numbers.at(name) > 0 && outcome.tokens.contains(token)) return true;
    }
    return std::any_of(situation->on.begin(), situation->on.end(),
                       [&](const auto& on) { return on.second.tokens.contains(token); });
  }

  const std::string& roll(Words& words) const {
    return sides_[static_cast<std::size_t>(words.side(static_cast<int>(sides_.size())))];
  }

  bool begins(Words& words) const {
    for (const load::Situation* situation : question_.situations) {
      if (situation == nullptr || situation->first_dice == 0) continue;
      bool begun = false;
      for (int die = 0; die < situation->first_dice; ++die) {
        const auto& good = situation->first_faces;
        if (std::find(good.begin(), good.end(), roll(words)) != good.end()) begun = true;
      }
      return begun;
    }
    return true;
  }

  void happen(const load::Situation& situation, Words& words, Victim& ship) const {
    std::vector<const load::Consequence*> before{&situation.fixed}, rolled;
    int dice = situation.dice;
    for (const auto& [name, value] : question_.numbers) {
      const auto fixed = situation.fixed_per.find(name);
      if (fixed != situation.fixed_per.end()) repeat(value, [&, &out = fixed->second] { before.push_back(&out); });
      const auto more = situation.dice_per.find(name);
      if (more != situation.dice_per.end()) dice += value * more->second;
    }
    suffer_together(ship, before);
    for (int die = 0; die < dice; ++die) {
      const auto on = situation.on.find(roll(words));
      if (on != situation.on.end()) rolled.push_back(&on->second);
    }
    suffer_together(ship, rolled);
  }

  const Occurrence& question_;
  std::vector<std::string> sides_;
  std::vector<Victim> ships_;
};

// ---------------------------------------------------------------- counting

/// Number of trials by value.
using Histogram = std::map<int, std::uint64_t>;

ArrayXd shares(const Histogram& histogram, std::uint64_t trials, int least_size = 0) {
  const int last = histogram.empty() ? 0 : histogram.rbegin()->first;
  ArrayXd out = ArrayXd::Zero(std::max(last + 1, least_size));
  for (const auto& [value, n] : histogram) out(value) = static_cast<double>(n) / static_cast<double>(trials);
  return out;
}

struct Counts {
  std::map<std::pair<int, int>, std::uint64_t> joint;
  Histogram damage, hull, shields, faceup;
  std::vector<Histogram> tokens;
  std::vector<std::uint64_t> reached;
  std::uint64_t gone = 0;

  void add(const Victim& ship) {
    tokens.resize(ship.tokens.size());
    reached.resize(ship.tokens.size());
    ++joint[{ship.hits, ship.crits}];
    ++damage[ship.hits + ship.crits + ship.cards];
    ++hull[std::max(0, ship.target->hull - ship.facedown - ship.faceup)];
    ++shields[ship.shields];
    ++faceup[ship.faceup];
    if (ship.gone()) ++gone;
    for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
      const Token& token = ship.tokens[t];
      ++tokens[t][token.number];
      if (token.threshold > 0 && token.number >= token.threshold) ++reached[t];
    }
  }
};

ShipAnswer answer_of(const Occurrence& question, const Victim& ship, const Counts& counts, std::uint64_t trials) {
  const auto share = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(trials); };
  ShipAnswer out;
  int most_hits = 0, most_crits = 0;
  for (const auto& [cell, n] : counts.joint) {
    most_hits = std::max(most_hits, cell.first);
    most_crits = std::max(most_crits, cell.second);
  }
  out.ship.joint = ArrayXXd::Zero(most_hits + 1, most_crits + 1);
  for (const auto& [cell, n] : counts.joint) out.ship.joint(cell.first, cell.second) = share(n);
  out.ship.damage = shares(counts.damage, trials);
  out.ship.destroyed = share(counts.gone);
  if (ship.target->hull > 0) {
    out.ship.hull = shares(counts.hull, trials, ship.target->hull + 1);
    out.ship.shields = shares(counts.shields, trials, ship.target->shields + 1);
  }
  out.faceup = shares(counts.faceup, trials);
  for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
    TokenAnswer token;
    token.token = ship.tokens[t].kind;
    for (const load::TokenSpec& spec : question.edition->tokens) {
      if (spec.id == token.token && ship.tokens[t].threshold > 0) token.state = spec.state;
    }
    token.number = shares(counts.tokens[t], trials);
    token.reached = share(counts.reached[t]);
    out.tokens.push_back(std::move(token));
  }
  return out;
}

}  // namespace

Answer sample(const Occurrence& question, std::uint64_t trials, std::uint64_t seed) {
  const Player player(question);
  std::vector<Counts> counts(question.targets.size());
  Histogram damage, gone;
  for (std::uint64_t t = 0; t < trials; ++t) {
    Words words(seed, t);
    int all = 0, destroyed = 0;
    const std::vector<Victim> ships = player.play(words);
    for (std::size_t s = 0; s < ships.size(); ++s) {
      counts[s].add(ships[s]);
      all += ships[s].hits + ships[s].crits + ships[s].cards;
      destroyed += ships[s].gone() ? 1 : 0;
    }
    ++damage[all];
    ++gone[destroyed];
  }
  Answer out;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    out.ships.push_back(answer_of(question, player.fresh_ships()[s], counts[s], trials));
  }
  out.damage = shares(damage, trials);
  out.destroyed = shares(gone, trials, static_cast<int>(counts.size()) + 1);
  out.trials = trials;
  out.seed = seed;
  return out;
}

ContestAnswer sample(const load::Edition& edition, const load::Contest& contest, std::uint64_t trials,
                     std::uint64_t seed) {
  const std::vector<std::string> sides = sides_of(edition.attack_die);
  std::vector<std::uint64_t> decided(contest.most.size(), 0);
  std::uint64_t won = 0, rolls = 0;
  Histogram length;
  for (std::uint64_t t = 0; t < trials; ++t) {
    Words words(seed, t);
    const auto roll = [&] {
      std::vector<std::string> out;
      for (int die = 0; die < contest.dice; ++die) {
        out.push_back(sides[static_cast<std::size_t>(words.side(static_cast<int>(sides.size())))]);
      }
      return out;
    };
    if (!contest.wins.empty()) {
      const auto shown = roll();
      ++rolls;
      ++length[0];
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
        ++length[tries];
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
  out.rolls = shares(length, trials);
  // Each of so many rolls is tied or not; a trial has one roll more than it has ties.
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
