// Match-up: see match_up.h. The rules of choice are those of token_solve.cpp, for one attack after which nothing comes.
#include "exact/match_up.h"

#include <algorithm>
#include <cmath>

namespace salvo::exact {

TokenTable prepare_table(const Plan& plan, const TokenPlan& tokens, std::size_t k);  // token_parts.cpp

namespace {

constexpr double kTie = 1e-11;  // contract: Ties
constexpr std::size_t kWidth = kMostMatchDice + 1;

int beyond(double a, double b) {
  const double d = a - b;
  if (std::abs(d) <= kTie || std::abs(d) <= kTie * std::max(std::abs(a), std::abs(b))) return 0;
  return d > 0 ? 1 : -1;
}

AttackSide attack_side(const Plan& plan, const TokenPlan& tokens, const TokenTable& table) {
  const TokenAttack& attack = tokens.attacks[0];
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

/// The defender's best spend for one roll against `results`: how many results are left.
int left_after(const TokenAttack& attack, int number, int reinforce, bool holds, const ThreeFaceRoll& roll,
               int results) {
  const int open = results - roll.success;
  if (open <= 0) return 0;
  int best = after_reinforce(attack, reinforce, open);
  if (holds) return best;
  for (const Spend& spend : attack.defender_box.spends) {
    const int x = changed(spend, roll.focus, roll.blank);
    if (x < 0 || !affordable(attack.defender_box, number, spend)) continue;
    best = std::min(best, after_reinforce(attack, reinforce, std::max(0, open - x)));
  }
  return best;
}

DefenseSide defense_side(const Plan& plan, const TokenPlan& tokens, const TokenTable& table) {
  const TokenAttack& attack = tokens.attacks[0];
  const OtherCase& now = table.cases[0];
  DefenseSide out;
  const ShipPlan& ship = plan.ships[static_cast<std::size_t>(attack.defender)];
  out.destructible = ship.destructible;
  out.hull = ship.hull;
  out.shields = ship.shields;
  const bool holds = plan.defender_policy == PolicyKind::Hold;
  const Rolls rolls = three_face_rolls(tokens.defense_face, now.defense_dice);
  for (int results = 0; results <= kMostMatchDice; ++results) {
    MatchPmf pmf{};
    for (const ThreeFaceRoll& roll : rolls) {
      const int left = left_after(attack, table.parts.defender[0], now.reinforce, holds, roll, results);
      pmf[static_cast<std::size_t>(left)] += roll.probability;
      out.value[static_cast<std::size_t>(results)] += roll.probability * left;
    }
    out.damage.push_back(pmf);
  }
  return out;
}

/// One attack side against the values of one defense side.
class Match {
 public:
  Match(const AttackSide& attack, const DefenseSide& defense) : side_(attack), value_(defense.value), n_(attack.dice) {}

  /// Probability of so many results.
  MatchPmf play() {
    MatchPmf out{};
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
  void roll_kept(MatchPmf& out) {
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

}  // namespace

std::optional<Sides> sides_of(const Plan& plan) {
  if (plan.attacks.size() != 1 || plan.objective != Objective::Damage) return std::nullopt;
  const auto tokens = token_plan(plan);
  if (!tokens) return std::nullopt;
  const TokenTable table = prepare_table(plan, *tokens, 0);
  const bool plain = table.cases.size() == 1 && table.parts.attacker.size() == 1 && table.parts.defender.size() == 1 &&
                     table.cases[0].happens && table.cases[0].attack_dice <= kMostMatchDice;
  if (!plain) return std::nullopt;
  return Sides{attack_side(plan, *tokens, table), defense_side(plan, *tokens, table)};
}

MatchPmf match(const AttackSide& attack, const DefenseSide& defense) {
  const MatchPmf results = Match(attack, defense).play();
  MatchPmf out{};
  for (int r = 0; r <= attack.dice; ++r) {
    const double p = results[static_cast<std::size_t>(r)];
    if (p == 0) continue;
    const MatchPmf& damage = defense.damage[static_cast<std::size_t>(r)];
    for (int k = 0; k <= r; ++k) out[static_cast<std::size_t>(k)] += p * damage[static_cast<std::size_t>(k)];
  }
  return out;
}

}  // namespace salvo::exact
