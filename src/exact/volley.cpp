// Volley: see volley.h. The rules of choice are those of token_solve.cpp, with what follows in the place of the
// next states.
#include "exact/volley.h"

#include <algorithm>
#include <cmath>

namespace salvo::exact {

TokenTable prepare_table(const Plan& plan, const TokenPlan& tokens, std::size_t k);  // token_parts.cpp

namespace {

constexpr double kTie = 1e-11;  // docs/format.md: Ties
constexpr std::size_t kWidth = kMostVolleyDice + 1;
using Results = std::array<double, kWidth>;  ///< probability by number of results

int beyond(double a, double b) {
  const double d = a - b;
  if (std::abs(d) <= kTie || std::abs(d) <= kTie * std::max(std::abs(a), std::abs(b))) return 0;
  return d > 0 ? 1 : -1;
}

AttackSide attack_side(const Plan& plan, const TokenPlan& tokens, const TokenAttack& attack, const TokenTable& table) {
  AttackSide out;
  out.dice = table.cases[0].attack_dice;
  out.mine = attack.attacker_mine;
  out.holds = plan.attacker_policy == PolicyKind::Hold;
  const int number = table.parts.attacker[0];
  out.lock = attack.lock >= 0 && attack.attacker_box.value(number, static_cast<std::size_t>(attack.lock)) > 0;
  out.lock_key = attack.lock_key;
  out.rolls = three_face_rolls(tokens.attack_face, out.dice);
  std::copy(std::begin(tokens.attack_face), std::end(tokens.attack_face), out.face.begin());
  out.first.push_back(0);
  for (int f = 0; f <= out.dice; ++f) {
    for (int b = 0; b <= out.dice; ++b) {
      for (const Spend& spend : attack.attacker_box.spends) {
        if (f + b > out.dice || (out.holds && spend.total > 0) || !affordable(attack.attacker_box, number, spend))
          continue;
        if (const int x = changed(spend, f, b); x >= 0) out.ways.push_back({static_cast<std::uint8_t>(x), spend.key});
      }
      out.first.push_back(static_cast<int>(out.ways.size()));
    }
  }
  return out;
}

/// Adds `p` times the damage that follows from one number of the box, moved by `left`.
void add_rest(const Rest* rest, int number, int left, double p, double* out) {
  if (rest == nullptr) {
    out[left] += p;
    return;
  }
  const double* from = rest->damage.data() + static_cast<std::size_t>(number) * rest->width;
  for (std::size_t k = 0; k < rest->width; ++k) out[static_cast<std::size_t>(left) + k] += p * from[k];
}

/// How the defender answers one roll: results that are left, and its number afterwards.
struct Answer {
  int left = 0, number = 0;
  double value = 0;
};

/// One attack side against the values of one defense side.
class Match {
 public:
  Match(const AttackSide& attack, const AnswerValues& worths) : side_(attack), value_(worths.value), n_(attack.dice) {}

  /// Probability of so many results.
  Results play() {
    Results out{};
    choose_changes();
    const bool rerolls = side_.lock && !side_.holds && n_ > 0;
    if (rerolls) fill_kept();
    bool any = false;
    for (const ThreeFaceRoll& roll : side_.rolls) {
      const std::size_t cell = at(roll.success, roll.focus);
      const int taken = rerolls ? best_reroll(roll) : -1;
      if (taken < 0) {
        out[results_[cell]] += roll.probability;
        continue;
      }
      if (!any) std::fill_n(mass_.begin(), cubes(), 0.0);
      any = true;
      mass_[static_cast<std::size_t>(taken)] += roll.probability;
    }
    if (any) roll_kept(out);
    return out;
  }

 private:
  std::size_t at(int s, int f) const { return static_cast<std::size_t>(s * (n_ + 1) + f); }
  std::size_t at(int s, int f, int b) const {
    return at(s, f) * static_cast<std::size_t>(n_ + 1) + static_cast<std::size_t>(b);
  }
  std::size_t cubes() const { return static_cast<std::size_t>((n_ + 1) * (n_ + 1) * (n_ + 1)); }

  /// The best way to spend for each roll: number of results, its value and its preference.
  void choose_changes() {
    for (int s = 0; s <= n_; ++s) {
      for (int f = 0; f <= n_ - s; ++f) {
        const auto list = static_cast<std::size_t>(f * (n_ + 1) + n_ - s - f);
        const AttackSide::Way* way = side_.ways.data() + side_.first[list];
        const AttackSide::Way* end = side_.ways.data() + side_.first[list + 1];
        const AttackSide::Way* best = way;
        double best_value = value_[static_cast<std::size_t>(s) + best->changed];
        for (++way; way < end; ++way) {
          const double value = value_[static_cast<std::size_t>(s) + way->changed];
          if (value > best_value && beyond(value, best_value) > 0) {
            best = way;
            best_value = value;
          }
        }
        const std::size_t cell = at(s, f);
        results_[cell] = static_cast<std::size_t>(s) + best->changed;
        changed_[cell] = best_value;
        key_[cell] = best->key;
      }
    }
  }

  /// Value when these dice are kept and all others rerolled.
  void fill_kept() {
    for (int s = 0; s <= n_; ++s) {
      for (int f = 0; f <= n_ - s; ++f) kept_[at(s, f, n_ - s - f)] = changed_[at(s, f)];
    }
    for (int kept = n_ - 1; kept >= 0; --kept) {
      for (int s = 0; s <= kept; ++s) {
        for (int f = 0; f <= kept - s; ++f) {
          const int b = kept - s - f;
          double mean = side_.face[0] * kept_[at(s + 1, f, b)];
          mean += side_.face[1] * kept_[at(s, f + 1, b)];
          mean += side_.face[2] * kept_[at(s, f, b + 1)];
          kept_[at(s, f, b)] = mean;
        }
      }
    }
  }

  /// The dice that are kept, or -1 when the lock is not spent. Fewest rerolled dice first.
  int best_reroll(const ThreeFaceRoll& roll) const {
    int best = -1, best_dice = 0;
    double best_value = 0;
    for (int dice = 1; dice <= roll.focus + roll.blank; ++dice) {
      for (int blanks = std::min(dice, roll.blank); blanks >= 0 && dice - blanks <= roll.focus; --blanks) {
        const std::size_t cell = at(roll.success, roll.focus - (dice - blanks), roll.blank - blanks);
        const double value = kept_[cell];
        if (best >= 0 && (value <= best_value || beyond(value, best_value) <= 0)) continue;
        best = static_cast<int>(cell);
        best_dice = dice;
        best_value = value;
      }
    }
    if (best < 0) return -1;
    const std::size_t cell = at(roll.success, roll.focus);
    const int order = beyond(best_value, changed_[cell]);
    const std::uint64_t key = side_.lock_key - static_cast<std::uint64_t>(best_dice);
    return order < 0 || (order == 0 && key < key_[cell]) ? -1 : best;
  }

  /// Rolls the missing dice one at a time.
  void roll_kept(Results& out) {
    for (int kept = 0; kept < n_; ++kept) {
      for (int s = 0; s <= kept; ++s) {
        for (int f = 0; f <= kept - s; ++f) {
          const int b = kept - s - f;
          const double p = mass_[at(s, f, b)];
          if (p == 0) continue;
          mass_[at(s + 1, f, b)] += p * side_.face[0];
          mass_[at(s, f + 1, b)] += p * side_.face[1];
          mass_[at(s, f, b + 1)] += p * side_.face[2];
        }
      }
    }
    for (int s = 0; s <= n_; ++s) {
      for (int f = 0; f <= n_ - s; ++f) out[results_[at(s, f)]] += mass_[at(s, f, n_ - s - f)];
    }
  }

  const AttackSide& side_;
  const std::array<double, kWidth>& value_;
  const int n_;
  std::array<std::size_t, kWidth * kWidth> results_;
  std::array<double, kWidth * kWidth> changed_;
  std::array<std::uint64_t, kWidth * kWidth> key_;
  std::array<double, kWidth * kWidth * kWidth> kept_, mass_;
};

bool same_digits(const Box& a, const Box& b) {
  return std::equal(a.digits.begin(), a.digits.end(), b.digits.begin(), b.digits.end(),
                    [](const Digit& x, const Digit& y) {
                      return x.resource == y.resource && x.size == y.size && x.stride == y.stride;
                    });
}

/// One defender, and attackers that do nothing else.
bool is_volley(const Plan& plan) {
  std::vector<int> seen{plan.attacks[0].defender};
  for (const AttackPlan& attack : plan.attacks) {
    if (attack.defender != plan.attacks[0].defender) return false;
    if (std::find(seen.begin(), seen.end(), attack.attacker) != seen.end()) return false;
    seen.push_back(attack.attacker);
  }
  return true;
}

}  // namespace

std::optional<Volley> volley_of(const Plan& plan) {
  if (plan.objective != Objective::Damage || !is_volley(plan)) return std::nullopt;
  // A greedy player would not look at what follows; in a single attack nothing does.
  const bool greedy = plan.attacker_policy == PolicyKind::Greedy || plan.defender_policy == PolicyKind::Greedy;
  if (greedy && plan.attacks.size() > 1) return std::nullopt;
  const auto tokens = token_plan(plan);
  if (!tokens) return std::nullopt;
  Volley out;
  const ShipPlan& ship = plan.ships[static_cast<std::size_t>(plan.attacks[0].defender)];
  out.defender.holds = plan.defender_policy == PolicyKind::Hold;
  out.defender.destructible = ship.destructible;
  out.defender.hull = ship.hull;
  out.defender.shields = ship.shields;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const TokenAttack& attack = tokens->attacks[k];
    const TokenTable table = prepare_table(plan, *tokens, k);
    const bool plain = table.cases.size() == 1 && table.parts.attacker.size() == 1 && attack.health < 0 &&
                       table.cases[0].happens && table.cases[0].attack_dice <= kMostVolleyDice &&
                       same_digits(attack.defender_box, tokens->attacks[0].defender_box);
    if (!plain) return std::nullopt;
    if (k == 0) out.defender.start = table.parts.defender[0];
    out.attackers.push_back(attack_side(plan, *tokens, attack, table));
    out.defender.attacks.push_back(
        {attack, three_face_rolls(tokens->defense_face, table.cases[0].defense_dice), table.cases[0].reinforce});
  }
  return out;
}

AnswerValues defend(const DefenseSide& defender, std::size_t k, int number, int most, const Rest* rest) {
  const DefenseSide::Attack& attack = defender.attacks[k];
  const TokenAttack& tokens = attack.tokens;
  const Box& box = tokens.defender_box;
  boost::container::small_vector<const Spend*, 32> spends;
  for (const Spend& spend : box.spends) {
    if (affordable(box, number, spend) && !(defender.holds && spend.total > 0)) spends.push_back(&spend);
  }
  const auto answer = [&](int left, int after) {
    const int kept = after_reinforce(tokens, attack.reinforce, left);
    return Answer{kept, after, kept + (rest == nullptr ? 0.0 : rest->value[static_cast<std::size_t>(after)])};
  };
  AnswerValues out;
  out.width = static_cast<std::size_t>(most) + (rest == nullptr ? 1 : rest->width);
  out.damage.assign(static_cast<std::size_t>(most + 1) * out.width, 0.0);
  for (int results = 0; results <= most; ++results) {
    double* damage = out.damage.data() + static_cast<std::size_t>(results) * out.width;
    double& value = out.value[static_cast<std::size_t>(results)];
    for (const ThreeFaceRoll& roll : attack.rolls) {
      const int open = std::max(0, results - roll.success);
      Answer best = answer(open, number);
      for (std::size_t i = 1; i < spends.size() && open > 0; ++i) {
        // More tokens than results to cancel: some of them suffice, and those come earlier.
        if (spends[i]->total > open) continue;
        const int x = changed(*spends[i], roll.focus, roll.blank);
        if (x < 0) continue;
        const Answer other = answer(std::max(0, open - x), number - spends[i]->delta);
        if (other.value < best.value && beyond(best.value, other.value) > 0) best = other;
      }
      value += roll.probability * best.value;
      add_rest(rest, best.number, best.left, roll.probability, damage);
    }
  }
  return out;
}

std::vector<double> attack(const AttackSide& attacker, const AnswerValues& worths, double* value) {
  const Results results = Match(attacker, worths).play();
  std::vector<double> out(worths.width, 0.0);
  double mean = 0;
  for (int r = 0; r <= attacker.dice; ++r) {
    const double p = results[static_cast<std::size_t>(r)];
    if (p == 0) continue;
    mean += p * worths.value[static_cast<std::size_t>(r)];
    const double* damage = worths.damage.data() + static_cast<std::size_t>(r) * worths.width;
    for (std::size_t k = 0; k < worths.width; ++k) out[k] += p * damage[k];
  }
  if (value != nullptr) *value = mean;
  return out;
}

Rest rest_of_volley(const AttackSide& attacker, const DefenseSide& defender, std::size_t k, const Rest* rest) {
  Rest out;
  const Box& box = defender.attacks[k].tokens.defender_box;
  out.value.resize(static_cast<std::size_t>(box.size));
  for (int number = 0; number < box.size; ++number) {
    const AnswerValues worths = defend(defender, k, number, attacker.dice, rest);
    const std::vector<double> damage = attack(attacker, worths, &out.value[static_cast<std::size_t>(number)]);
    out.width = damage.size();
    out.damage.insert(out.damage.end(), damage.begin(), damage.end());
  }
  return out;
}

}  // namespace salvo::exact
