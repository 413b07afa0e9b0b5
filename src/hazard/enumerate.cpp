// The exact engine of hazards: multinomial counts of faces, folded into a table of the states of each ship.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "game/plan.h"
#include "hazard/ship_state.h"

namespace salvo::hazard {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

/// Probabilities by state.
using States = std::map<ShipState, double>;

double share_of(const load::DieSpec& die, std::size_t face) {
  int sides = 0;
  for (const load::FaceSpec& one : die.faces) sides += one.sides;
  return static_cast<double>(die.faces[face].sides) / sides;
}

/// Calls `each(counts, probability)` for every multiset of faces that `dice` dice can show.
void for_each_roll(const load::DieSpec& die, int dice,
                   const std::function<void(const std::vector<int>&, double)>& each) {
  std::vector<int> counts(die.faces.size(), 0);
  const std::function<void(std::size_t, int, double)> fill = [&](std::size_t face, int left, double weight) {
    if (face + 1 == die.faces.size()) {
      counts[face] = left;
      each(counts, weight * std::pow(share_of(die, face), left));
      return;
    }
    double ways = 1;  // binomial coefficient of left over k
    for (int k = 0; k <= left; ++k) {
      counts[face] = k;
      fill(face + 1, left - k, weight * ways * std::pow(share_of(die, face), k));
      ways = ways * (left - k) / (k + 1);
    }
  };
  fill(0, dice, 1);
}

/// The distinct changes of one roll, with their probabilities.
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

/// The distribution of states after 0, 1, ..., `times` repetitions.
std::vector<States> play_repeatedly(const Occurrence& question, const Ship& ship,
                                    const load::HazardSituation* situation, int times) {
  std::vector<States> out{{{ship.start, 1.0}}};
  if (situation == nullptr) {
    out.resize(static_cast<std::size_t>(times) + 1, out.front());
    return out;
  }
  const Roll roll = roll_of(question, *situation);
  const Change fixed = fixed_change(ship, roll);
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
      ShipState after_fixed = state;
      apply(ship, fixed, after_fixed);
      for (const auto& [change, share] : changes) {
        ShipState after = after_fixed;
        apply(ship, change, after);
        next[std::move(after)] += p * share;
      }
    }
    out.push_back(std::move(next));
  }
  return out;
}

/// The probability that the first roll triggers the hazard.
double trigger_probability(const Occurrence& question) {
  for (const load::HazardSituation* situation : question.situations) {
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

/// Binomial distribution: by g, the probability that it is triggered in g of `times` repetitions.
std::vector<double> times_triggered(double share, int times) {
  std::vector<double> out{1};
  for (int time = 0; time < times; ++time) {
    out.push_back(0);
    for (std::size_t g = out.size() - 1; g > 0; --g) out[g] = out[g] * (1 - share) + out[g - 1] * share;
    out[0] *= 1 - share;
  }
  return out;
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
    ships.push_back(make_ship(question, s));
    played.push_back(play_repeatedly(question, ships[s], question.situations[s], question.times));
    out.ships.push_back(empty_answer(ships[s]));
  }
  // All ships share the first roll: given how often it triggers the hazard, they are independent.
  const std::vector<double> share = times_triggered(trigger_probability(question), question.times);
  for (std::size_t g = 0; g < share.size(); ++g) {
    if (!(share[g] > 0)) continue;
    ArrayXd damage = ArrayXd::Ones(1), gone = ArrayXd::Ones(1);
    for (std::size_t s = 0; s < ships.size(); ++s) {
      ArrayXd own_damage, own_gone = ArrayXd::Zero(2);
      for (const auto& [state, p] : played[s][g]) {
        add_state(ships[s], state, share[g] * p, out.ships[s]);
        add_at(own_damage, state.damage(), p);
        own_gone(ships[s].destroyed(state) ? 1 : 0) += p;
      }
      damage = convolved(damage, own_damage);
      gone = convolved(gone, own_gone);
    }
    add_scaled(out.damage, damage, share[g]);
    add_scaled(out.destroyed, gone, share[g]);
  }
  return out;
}

ContestAnswer enumerate(const load::Edition& edition, const load::HazardContest& contest) {
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
  double left = 1;  // probability that nothing is decided yet
  for (int n = 0; left > kRollsTail; ++n) {
    add_at(out.rolls, n, left * (1 - out.tie));
    left *= out.tie;
  }
  return out;
}

}  // namespace salvo::hazard
