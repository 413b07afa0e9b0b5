// Solves the defenders once for each number of results, then every attacker against their values. Choices are made as
// in the dense tables (token_dice.h).
#include "exact/tables/attack_matrix.h"

#include <algorithm>

#include "base/index.h"

namespace salvo::exact {

namespace {

constexpr std::size_t kWidth = kMaxMatrixDice + 1;
using Results = std::array<double, kWidth>;  ///< probability by number of results

AttackSide attack_side(const game::Plan& plan, const TokenPlan& tokens, const TokenAttack& attack,
                       const TokenTable& table) {
  AttackSide out;
  out.dice = table.cases[0].attack_dice;
  out.mine = attack.attacker_mine;
  out.policy = plan.attacker_policy;
  const bool holds = out.policy == game::PolicyKind::Hold;
  const int number = table.parts.attacker[0];
  out.lock = attack.lock >= 0 && attack.attacker_box.value(number, static_cast<std::size_t>(attack.lock)) > 0;
  out.lock_key = attack.lock_key;
  out.rolls = three_face_rolls(tokens.attack_face, out.dice);
  out.face = tokens.attack_face;
  out.first.push_back(0);
  for (int f = 0; f <= out.dice; ++f) {
    for (int b = 0; b <= out.dice; ++b) {
      for (const Spend& spend : attack.attacker_box.spends) {
        if (f + b > out.dice || (holds && spend.total > 0) || !affordable(attack.attacker_box, number, spend)) continue;
        if (const int x = changed(spend, f, b); x >= 0)
          out.options.push_back({static_cast<std::uint8_t>(x), spend.key});
      }
      out.first.push_back(static_cast<int>(out.options.size()));
    }
  }
  return out;
}

/// Adds p times the damage of the later attacks from one state, shifted by `left`.
void add_rest(const Rest* rest, int state, int left, double p, double* out) {
  if (rest == nullptr) {
    out[left] += p;
    return;
  }
  const double* from = rest->damage.data() + static_cast<std::size_t>(state) * rest->width;
  for (std::size_t k = 0; k < rest->width; ++k) out[static_cast<std::size_t>(left) + k] += p * from[k];
}

/// An answer of the defender to a roll: the remaining results, and its state afterwards.
struct Answer {
  int left = 0, state = 0;
  Value value;
};

/// The answer to attack k that leaves `left` results and the tokens `number`.
Answer answer_of(const DefenseSide& defender, std::size_t k, int health, int left, int number, const Rest* rest) {
  const DefenseSide::Attack& attack = defender.attacks[k];
  Answer out;
  out.left = after_reinforce(attack.tokens, attack.reinforce, left);
  out.value = {static_cast<double>(out.left), 0};
  if (defender.kill) {  // as game::payoff_from_damage
    const bool destroyed = health > game::kHealthZero && out.left >= health - game::kHealthZero;
    out.value = {destroyed ? 1.0 : 0.0, static_cast<double>(out.left)};
    health = std::max(game::kHealthZero, health - out.left);
    if (attack.leaves && health == game::kHealthZero) health = game::kGone;
  }
  out.state = defender.state(number, health);
  if (rest != nullptr && !defender.alone) {
    const Value& later = base::nth(rest->value, out.state);
    out.value.first += later.first;
    out.value.second += later.second;
  }
  return out;
}

/// One attacker against the values of the defender's answers.
template <typename V>
class AttackPlay {
 public:
  AttackPlay(const AttackSide& attack, const AnswerValues& answers)
      : side_(attack), value_(answers.value), dice_{attack.dice} {}

  /// The probability of each number of results.
  Results run() {
    Results out{};
    choose_changes();
    const bool rerolls = side_.lock && side_.policy != game::PolicyKind::Hold && dice_.n > 0;
    if (rerolls) {
      fill_kept(dice_, side_.face, changed_.data(), kept_.data());
      fill_most(dice_, kept_.data(), most_.data());
    }
    bool any = false;
    for (const ThreeFaceRoll& roll : side_.rolls) {
      const std::size_t cell = dice_.at(roll.success, roll.focus);
      Reroll reroll;
      if (rerolls)
        reroll = best_reroll(dice_, roll, kept_.data(), most_.data(), changed_[cell], key_[cell], side_.lock_key);
      if (!reroll.taken) {
        out[results_[cell]] += roll.probability;
        continue;
      }
      if (!any) std::fill_n(mass_.begin(), dice_.cubes(), 0.0);
      any = true;
      mass_[dice_.at(roll.success, reroll.focus, reroll.blank)] += roll.probability;
    }
    if (any) add_rerolled(out);
    return out;
  }

 private:
  /// Finds the best spend for each roll: number of results, value and tie key.
  void choose_changes() {
    const int n = dice_.n;
    for (int s = 0; s <= n; ++s) {
      for (int f = 0; f <= n - s; ++f) {
        const auto list = static_cast<std::size_t>(f * (n + 1) + n - s - f);
        const AttackSide::SpendOption* options = side_.options.data() + side_.first[list];
        const auto value = [&](int i) { return V::of(value_[static_cast<std::size_t>(s) + options[i].changed]); };
        const int best = first_best<V>(side_.first[list + 1] - side_.first[list], 1.0, value, [](int) { return true; });
        const std::size_t cell = dice_.at(s, f);
        results_[cell] = static_cast<std::size_t>(s) + options[best].changed;
        changed_[cell] = value(best);
        key_[cell] = options[best].key;
      }
    }
  }

  void add_rerolled(Results& out) {
    roll_missing(dice_, side_.face, mass_.data());
    for (int s = 0; s <= dice_.n; ++s) {
      for (int f = 0; f <= dice_.n - s; ++f) out[results_[dice_.at(s, f)]] += mass_[dice_.at(s, f, dice_.n - s - f)];
    }
  }

  const AttackSide& side_;
  const std::array<Value, kWidth>& value_;
  const DiceTable dice_;
  std::array<std::size_t, kWidth * kWidth> results_;
  std::array<V, kWidth * kWidth> changed_;
  std::array<std::uint64_t, kWidth * kWidth> key_;
  std::array<V, kWidth * kWidth * kWidth> kept_;
  std::array<double, kWidth * kWidth * kWidth> most_, mass_;
};

bool same_digits(const TokenBox& a, const TokenBox& b) {
  return std::equal(a.digits.begin(), a.digits.end(), b.digits.begin(), b.digits.end(),
                    [](const Digit& x, const Digit& y) {
                      return x.resource == y.resource && x.size == y.size && x.stride == y.stride;
                    });
}

/// Whether all attacks have the same defender and different attackers, none of which is the defender.
bool is_attack_matrix(const game::Plan& plan) {
  std::vector<int> seen{plan.attacks[0].defender};
  for (const game::AttackPlan& attack : plan.attacks) {
    if (attack.defender != plan.attacks[0].defender) return false;
    if (std::find(seen.begin(), seen.end(), attack.attacker) != seen.end()) return false;
    seen.push_back(attack.attacker);
  }
  return true;
}

}  // namespace

std::optional<AttackMatrix> attack_matrix_of(const game::Plan& plan) {
  const bool kill = plan.objective == game::Objective::Kill;
  if ((plan.objective != game::Objective::Damage && !kill) || !is_attack_matrix(plan)) return std::nullopt;
  const auto tokens = token_plan(plan);
  if (!tokens) return std::nullopt;
  AttackMatrix out;
  DefenseSide& defender = out.defender;
  const game::ShipPlan& ship = base::nth(plan.ships, plan.attacks[0].defender);
  defender.policy = plan.defender_policy;
  defender.alone = plan.attacker_policy == game::PolicyKind::Greedy || plan.defender_policy == game::PolicyKind::Greedy;
  defender.kill = kill;
  defender.destructible = ship.destructible;
  defender.hull = ship.hull;
  defender.shields = ship.shields;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const TokenAttack& attack = tokens->attacks[k];
    const TokenTable table = prepare_table(plan, *tokens, k);
    const bool plain = table.cases.size() == 1 && table.parts.attacker.size() == 1 && (attack.health >= 0) == kill &&
                       table.cases[0].happens && table.cases[0].attack_dice <= kMaxMatrixDice &&
                       same_digits(attack.defender_box, tokens->attacks[0].defender_box);
    if (!plain) return std::nullopt;
    out.attackers.push_back(attack_side(plan, *tokens, attack, table));
    defender.attacks.push_back({attack, three_face_rolls(tokens->defense_face, table.cases[0].defense_dice),
                                table.cases[0].reinforce, table.parts.leaves_when_destroyed});
    if (k > 0) continue;
    defender.start = defender.state(table.parts.defender[0], table.parts.health[0]);
    if (kill && table.parts.health[0] != game::kHealthZero + ship.hull + ship.shields) return std::nullopt;
  }
  return out;
}

namespace {

template <typename V>
AnswerValues defend_for(const DefenseSide& defender, std::size_t k, int state, int most, const Rest* rest) {
  const DefenseSide::Attack& attack = defender.attacks[k];
  const TokenBox& box = attack.tokens.defender_box;
  const int number = defender.number_of(state), health = defender.health_of(state);
  // A greedy attacker expects a defender who chooses, even if the defender holds.
  const bool holds = defender.policy == game::PolicyKind::Hold, chooses = !holds || defender.alone;
  boost::container::small_vector<const Spend*, 32> spends;
  for (const Spend& spend : box.spends) {
    if (affordable(box, number, spend) && (chooses || spend.total == 0)) spends.push_back(&spend);
  }
  AnswerValues out;
  out.kill = defender.kill;
  out.width = static_cast<std::size_t>(most) + (rest == nullptr ? 1 : rest->width);
  out.damage.assign(static_cast<std::size_t>(most + 1) * out.width, 0.0);
  boost::container::small_vector<Answer, 32> answers;
  for (int results = 0; results <= most; ++results) {
    double* damage = out.damage.data() + static_cast<std::size_t>(results) * out.width;
    V value{};
    for (const ThreeFaceRoll& roll : attack.rolls) {
      const int open = std::max(0, results - roll.success);
      answers.assign(1, answer_of(defender, k, health, open, number, rest));
      for (std::size_t i = 1; i < spends.size() && open > 0; ++i) {
        // More tokens than open results: a smaller spend, listed earlier, does the same.
        if (spends[i]->total > open) continue;
        const int x = changed(*spends[i], roll.focus, roll.blank);
        if (x < 0) continue;
        answers.push_back(answer_of(defender, k, health, std::max(0, open - x), number - spends[i]->delta, rest));
      }
      const Answer& best =
          base::nth(answers, first_best<V>(
                                 static_cast<int>(answers.size()), -1.0,
                                 [&](int i) { return V::of(base::nth(answers, i).value); }, [](int) { return true; }));
      value.add(roll.probability, V::of(best.value));
      const Answer& played = holds ? answers.front() : best;
      add_rest(rest, played.state, played.left, roll.probability, damage);
    }
    base::nth(out.value, results) = value.value();
  }
  return out;
}

}  // namespace

AnswerValues defend(const DefenseSide& defender, std::size_t k, int state, int most, const Rest* rest) {
  return defender.kill ? defend_for<Pair>(defender, k, state, most, rest)
                       : defend_for<Single>(defender, k, state, most, rest);
}

std::vector<double> attack(const AttackSide& attacker, const AnswerValues& answers, Value* value) {
  const Results results =
      answers.kill ? AttackPlay<Pair>(attacker, answers).run() : AttackPlay<Single>(attacker, answers).run();
  std::vector<double> out(answers.width, 0.0);
  Pair mean{};
  for (int r = 0; r <= attacker.dice; ++r) {
    const double p = base::nth(results, r);
    if (p == 0) continue;
    mean.add(p, Pair::of(base::nth(answers.value, r)));
    const double* damage = answers.damage.data() + static_cast<std::size_t>(r) * answers.width;
    for (std::size_t k = 0; k < answers.width; ++k) out[k] += p * damage[k];
  }
  if (value != nullptr) *value = mean.value();
  return out;
}

Rest rest_of_matrix(const AttackSide& attacker, const DefenseSide& defender, std::size_t k, const Rest* rest) {
  Rest out;
  const auto states = static_cast<std::size_t>(defender.states());
  out.value.resize(states);
  out.width = static_cast<std::size_t>(attacker.dice) + (rest == nullptr ? 1 : rest->width);
  out.damage.assign(states * out.width, 0.0);
  for (std::size_t s = 0; s < states; ++s) {
    double* damage = out.damage.data() + s * out.width;
    const int state = static_cast<int>(s);
    if (defender.kill && defender.health_of(state) == game::kGone) {  // the attack does not happen
      if (rest != nullptr) out.value[s] = rest->value[s];
      add_rest(rest, state, 0, 1.0, damage);
      continue;
    }
    const AnswerValues answers = defend(defender, k, state, attacker.dice, rest);
    const std::vector<double> dealt = attack(attacker, answers, &out.value[s]);
    std::copy(dealt.begin(), dealt.end(), damage);
  }
  return out;
}

}  // namespace salvo::exact
