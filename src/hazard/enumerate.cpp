// The exact engine of hazards: counts of faces as a multinomial distribution, states of a ship as a table.
// In: an Occurrence. Out: an Answer whose probabilities are exact but for rounding.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "game/plan.h"
#include "hazard/hazard.h"

namespace salvo::hazard {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

/// What has happened to a ship: the fixed part below, then the number of each kind of token.
using State = std::vector<int>;
enum Part : std::size_t { kHits, kCrits, kDealt, kShields, kFacedown, kFaceup, kParts };

using States = std::map<State, double>;

/// Everything that does not change from state to state.
struct Ship {
  const Target* target;
  std::vector<std::string> tokens;  ///< kinds, in order of name
  std::vector<int> most;            ///< by kind
};

Ship ship_of(const Occurrence& question, std::size_t index) {
  Ship out{&question.targets[index], {}, {}};
  std::map<std::string, int> kinds;
  for (const auto& [token, n] : out.target->tokens) kinds[token] = n;
  const load::Situation* situation = question.situations[index];
  if (situation != nullptr && !out.target->remote) {
    const Roll roll = roll_of(question, *situation);
    for (const auto* outcomes : {&roll.fixed, &roll.on}) {
      for (const load::Consequence& outcome : *outcomes) {
        for (const auto& [token, n] : outcome.tokens) kinds.emplace(token, 0);
      }
    }
  }
  for (const auto& [token, n] : kinds) {
    out.tokens.push_back(token);
    for (const load::TokenSpec& spec : question.edition->tokens) {
      if (spec.id == token) out.most.push_back(spec.max);
    }
  }
  return out;
}

State first_state(const Ship& ship) {
  State out(kParts + ship.tokens.size(), 0);
  out[kShields] = ship.target->shields;
  for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
    const auto found = ship.target->tokens.find(ship.tokens[t]);
    if (found != ship.target->tokens.end()) out[kParts + t] = found->second;
  }
  return out;
}

/// One or more outcomes together, the kinds of tokens by their place in the state.
struct Change {
  int shields = 0, hits = 0, crits = 0, facedown = 0, faceup = 0, exposed = 0;
  std::vector<int> tokens;
  bool operator==(const Change&) const = default;
};

/// Nothing at all.
Change no_change(const Ship& ship) {
  Change out;
  out.tokens.assign(ship.tokens.size(), 0);
  return out;
}

void add(const Ship& ship, const load::Consequence& outcome, int times, Change& sum) {
  sum.shields += times * outcome.shields;
  sum.hits += times * outcome.hits;
  sum.crits += times * outcome.crits;
  sum.facedown += times * outcome.facedown_cards;
  sum.faceup += times * outcome.faceup_cards;
  sum.exposed += times * outcome.exposed;
  for (std::size_t t = 0; t < ship.tokens.size() && !ship.target->remote; ++t) {
    const auto found = outcome.tokens.find(ship.tokens[t]);
    if (found != outcome.tokens.end()) sum.tokens[t] += times * found->second;
  }
}

/// Hits before crits, shields before cards (000: Damage).
State changed(const Ship& ship, State state, const Change& change) {
  int shields = std::max(0, state[kShields] - change.shields);
  const int hits_on_hull = std::max(0, change.hits - shields);
  shields = std::max(0, shields - change.hits);
  const int crits_on_hull = std::max(0, change.crits - shields);
  shields = std::max(0, shields - change.crits);
  int facedown = state[kFacedown] + hits_on_hull + change.facedown, faceup = crits_on_hull + change.faceup;
  if (ship.target->remote) {
    facedown += faceup;
    faceup = 0;
  }
  const int exposed = ship.target->remote ? 0 : std::min(facedown, change.exposed);
  state[kShields] = shields;
  state[kFacedown] = facedown - exposed;
  state[kFaceup] += faceup + exposed;
  state[kHits] += change.hits;
  state[kCrits] += change.crits;
  state[kDealt] += change.facedown + change.faceup;
  for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
    state[kParts + t] = std::min(ship.most[t], state[kParts + t] + change.tokens[t]);
  }
  return state;
}

double share_of(const load::DieSpec& die, std::size_t face) {
  int sides = 0;
  for (const load::FaceSpec& one : die.faces) sides += one.sides;
  return static_cast<double>(die.faces[face].sides) / sides;
}

/// Calls `each(counts, probability)` for every way in which `dice` dice can show the faces, the order left aside.
void for_each_roll(const load::DieSpec& die, int dice,
                   const std::function<void(const std::vector<int>&, double)>& each) {
  std::vector<int> counts(die.faces.size(), 0);
  const std::function<void(std::size_t, int, double)> fill = [&](std::size_t face, int left, double weight) {
    if (face + 1 == die.faces.size()) {
      counts[face] = left;
      each(counts, weight * std::pow(share_of(die, face), left));
      return;
    }
    double ways = 1;  // left over k
    for (int k = 0; k <= left; ++k) {
      counts[face] = k;
      fill(face + 1, left - k, weight * ways * std::pow(share_of(die, face), k));
      ways = ways * (left - k) / (k + 1);
    }
  };
  fill(0, dice, 1);
}

/// The changes of one roll with their probabilities; equal ones added up.
std::vector<std::pair<Change, double>> changes_of(const Occurrence& question, const Ship& ship, const Roll& roll) {
  std::vector<std::pair<Change, double>> out;
  for_each_roll(question.edition->attack_die, roll.dice, [&](const std::vector<int>& counts, double p) {
    Change sum = no_change(ship);
    for (std::size_t face = 0; face < counts.size(); ++face) add(ship, roll.on[face], counts[face], sum);
    for (auto& [change, so_far] : out) {
      if (change == sum) {
        so_far += p;
        return;
      }
    }
    out.emplace_back(std::move(sum), p);
  });
  return out;
}

/// The states after 0, 1, ... `times` times.
std::vector<States> play(const Occurrence& question, const Ship& ship, const load::Situation* situation, int times) {
  std::vector<States> out{{{first_state(ship), 1.0}}};
  if (situation == nullptr) {
    out.resize(static_cast<std::size_t>(times) + 1, out.front());
    return out;
  }
  const Roll roll = roll_of(question, *situation);
  Change fixed = no_change(ship);
  for (const load::Consequence& outcome : roll.fixed) add(ship, outcome, 1, fixed);
  const auto changes = changes_of(question, ship, roll);
  double transitions = 0;
  for (int time = 0; time < times; ++time) {
    transitions += static_cast<double>(out.back().size()) * static_cast<double>(changes.size());
    if (transitions > kMaxTransitions) {
      throw PlanTooLarge(fmt::format("{} has too many different outcomes after {} times; ask for fewer times, or give "
                                     "--engine sample",
                                     question.hazard->id, time),
                         transitions, kMaxTransitions);
    }
    States next;
    for (const auto& [state, p] : out.back()) {
      const State after_fixed = changed(ship, state, fixed);
      for (const auto& [change, share] : changes) next[changed(ship, after_fixed, change)] += p * share;
    }
    out.push_back(std::move(next));
  }
  return out;
}

/// The probability that the first roll lets it happen.
double first_share(const Occurrence& question) {
  for (const load::Situation* situation : question.situations) {
    if (situation == nullptr || situation->first_dice == 0) continue;
    double none = 0;
    const load::DieSpec& die = question.edition->attack_die;
    for (std::size_t face = 0; face < die.faces.size(); ++face) {
      const auto& good = situation->first_faces;
      if (std::find(good.begin(), good.end(), die.faces[face].name) == good.end()) none += share_of(die, face);
    }
    return 1 - std::pow(none, situation->first_dice);
  }
  return 1;
}

/// The probability that it happens g of `times` times, by g.
std::vector<double> happens(double share, int times) {
  std::vector<double> out{1};
  for (int time = 0; time < times; ++time) {
    out.push_back(0);
    for (std::size_t g = out.size() - 1; g > 0; --g) out[g] = out[g] * (1 - share) + out[g - 1] * share;
    out[0] *= 1 - share;
  }
  return out;
}

/// Adds `p` at `index`, making room.
void add_at(ArrayXd& to, int index, double p) {
  if (to.size() <= index) {
    const Index before = to.size();
    to.conservativeResize(index + 1);
    to.tail(to.size() - before).setZero();
  }
  to(index) += p;
}

void add_at(Eigen::ArrayXXd& to, int row, int column, double p) {
  if (to.rows() <= row || to.cols() <= column) {
    const Eigen::ArrayXXd before = to;
    to = Eigen::ArrayXXd::Zero(std::max<Index>(before.rows(), row + 1), std::max<Index>(before.cols(), column + 1));
    to.topLeftCorner(before.rows(), before.cols()) = before;
  }
  to(row, column) += p;
}

int damage_of_state(const State& state) { return state[kHits] + state[kCrits] + state[kDealt]; }

bool destroyed(const Ship& ship, const State& state) {
  return ship.target->hull > 0 && state[kFacedown] + state[kFaceup] >= ship.target->hull;
}

int threshold_of(const load::TokenSpec& spec, const Target& target) {
  const auto found = spec.threshold.find(target.size);
  return found == spec.threshold.end() ? 0 : found->second;
}

/// The figures of one ship, empty as yet.
ShipAnswer empty_answer(const Occurrence& question, const Ship& ship) {
  ShipAnswer out;
  if (ship.target->hull > 0) {
    out.ship.hull = ArrayXd::Zero(ship.target->hull + 1);
    out.ship.shields = ArrayXd::Zero(ship.target->shields + 1);
  }
  for (const std::string& token : ship.tokens) {
    TokenAnswer one;
    one.token = token;
    for (const load::TokenSpec& spec : question.edition->tokens) {
      if (spec.id == token && threshold_of(spec, *ship.target) > 0) one.state = spec.state;
    }
    out.tokens.push_back(one);
  }
  return out;
}

void count(const Occurrence& question, const Ship& ship, const State& state, double p, ShipAnswer& out) {
  add_at(out.ship.joint, state[kHits], state[kCrits], p);
  add_at(out.ship.damage, damage_of_state(state), p);
  add_at(out.faceup, state[kFaceup], p);
  if (destroyed(ship, state)) out.ship.destroyed += p;
  if (ship.target->hull > 0) {
    out.ship.hull(std::max(0, ship.target->hull - state[kFacedown] - state[kFaceup])) += p;
    out.ship.shields(state[kShields]) += p;
  }
  for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
    const int number = state[kParts + t];
    add_at(out.tokens[t].number, number, p);
    for (const load::TokenSpec& spec : question.edition->tokens) {
      const int threshold = spec.id == ship.tokens[t] ? threshold_of(spec, *ship.target) : 0;
      if (threshold > 0 && number >= threshold) out.tokens[t].reached += p;
    }
  }
}

ArrayXd convolved(const ArrayXd& a, const ArrayXd& b) {
  ArrayXd out = ArrayXd::Zero(a.size() + b.size() - 1);
  for (Index i = 0; i < a.size(); ++i) {
    for (Index j = 0; j < b.size(); ++j) out(i + j) += a(i) * b(j);
  }
  return out;
}

void add_scaled(ArrayXd& to, const ArrayXd& more, double p) {
  for (Index k = 0; k < more.size(); ++k) add_at(to, static_cast<int>(k), p * more(k));
}

}  // namespace

Answer enumerate(const Occurrence& question) {
  Answer out;
  std::vector<Ship> ships;
  std::vector<std::vector<States>> played;  // by ship and number of times
  for (std::size_t s = 0; s < question.targets.size(); ++s) {
    ships.push_back(ship_of(question, s));
    played.push_back(play(question, ships[s], question.situations[s], question.times));
    out.ships.push_back(empty_answer(question, ships[s]));
  }
  // The first roll is the same for all ships: given how often it let the hazard happen, they are independent.
  const std::vector<double> share = happens(first_share(question), question.times);
  for (std::size_t g = 0; g < share.size(); ++g) {
    if (!(share[g] > 0)) continue;
    ArrayXd damage = ArrayXd::Ones(1), gone = ArrayXd::Ones(1);
    for (std::size_t s = 0; s < ships.size(); ++s) {
      ArrayXd own_damage, own_gone = ArrayXd::Zero(2);
      for (const auto& [state, p] : played[s][g]) {
        count(question, ships[s], state, share[g] * p, out.ships[s]);
        add_at(own_damage, damage_of_state(state), p);
        own_gone(destroyed(ships[s], state) ? 1 : 0) += p;
      }
      damage = convolved(damage, own_damage);
      gone = convolved(gone, own_gone);
    }
    add_scaled(out.damage, damage, share[g]);
    add_scaled(out.destroyed, gone, share[g]);
  }
  return out;
}

ContestAnswer enumerate(const load::Edition& edition, const load::Contest& contest) {
  const load::DieSpec& die = edition.attack_die;
  ContestAnswer out;
  const auto place = [&](const std::string& name) {
    std::size_t face = 0;
    while (die.faces[face].name != name) ++face;
    return face;
  };
  if (!contest.wins.empty()) {
    for_each_roll(die, contest.dice, [&](const std::vector<int>& counts, double p) {
      const bool wins = std::any_of(contest.wins.begin(), contest.wins.end(),
                                    [&](const std::string& face) { return counts[place(face)] > 0; });
      if (wins) out.win += p;
    });
    out.rolls = ArrayXd::Ones(1);
    return out;
  }
  out.decided_by.assign(contest.most.size(), 0.0);
  double first_wins = 0;
  for_each_roll(die, contest.dice, [&](const std::vector<int>& mine, double p) {
    for_each_roll(die, contest.dice, [&](const std::vector<int>& theirs, double q) {
      for (std::size_t i = 0; i < contest.most.size(); ++i) {
        const std::size_t face = place(contest.most[i]);
        if (mine[face] == theirs[face]) continue;
        out.decided_by[i] += p * q;
        if (mine[face] > theirs[face]) first_wins += p * q;
        return;
      }
      out.tie += p * q;
    });
  });
  if (out.tie > 1 - 1e-9) {
    throw LoadError("the dice of this edition always tie, so the roll would never end; compare other faces");
  }
  for (double& p : out.decided_by) p /= 1 - out.tie;
  out.win = first_wins / (1 - out.tie);
  out.mean_rolls = 1 / (1 - out.tie);
  double left = 1;  // not decided yet
  for (int n = 0; left > kRollsTail; ++n) {
    add_at(out.rolls, n, left * (1 - out.tie));
    left *= out.tie;
  }
  return out;
}

}  // namespace salvo::hazard
