// Plays a solved plan again in rational arithmetic. A roll is a multinomial with integer weights; each rerolled die is
// a chance node.
#include "exact/certificate.h"

#include <fmt/format.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <map>

#include "base/index.h"
#include "game/play.h"
#include "game/position_table.h"

namespace salvo::exact {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using game::NextEvent;
using game::PositionTable;

class Certifier {
 public:
  Certifier(const game::Plan& plan, const game::Policy& policy, std::size_t most)
      : plan_(plan), policy_(policy), most_(most), known_(plan.attacks.size()) {}

  cpp_rational value() { return from(0, plan_.start.masked(plan_.attacks[0].readable)); }
  std::size_t positions() const { return positions_; }

 private:
  /// Values of the positions of one attack from one start.
  struct Memo {
    PositionTable table;
    std::vector<cpp_rational> values;
  };

  /// The value of the attacks from k on.
  cpp_rational from(std::size_t k, const game::Resources& start) {
    if (k == plan_.attacks.size()) return 0;
    const auto found = known_[k].find(start.words);
    if (found != known_[k].end()) return found->second;
    const game::AttackPlan& attack = plan_.attacks[k];
    cpp_rational out;
    if (game::attack_happens(plan_, attack, start)) {
      Memo memo;
      out = play(k, start, game::begin_attack(plan_, attack, start), memo);
    } else {
      out = after(k, start);
    }
    known_[k][start.words] = out;
    return out;
  }

  cpp_rational after(std::size_t k, const game::Resources& resources) {
    const game::Resources left = game::end_attack(plan_, plan_.attacks[k], resources);
    return from(k + 1, k + 1 < plan_.attacks.size() ? left.masked(plan_.attacks[k + 1].readable) : left);
  }

  cpp_rational play(std::size_t k, const game::Resources& start, game::Position position, Memo& memo) {
    const game::AttackPlan& attack = plan_.attacks[k];
    const NextEvent event = game::advance(plan_, attack, position);
    game::canonicalize(plan_, attack, position);
    const int known = memo.table.find(position);
    if (known != PositionTable::kNone) return base::nth(memo.values, known);
    if (++positions_ > most_) {
      throw PlanTooLarge(fmt::format("the certificate visits at most {} positions and needs more; shorten the scenario "
                                     "or leave out --certify",
                                     most_),
                         static_cast<double>(positions_), static_cast<double>(most_));
    }
    cpp_rational out;
    switch (event) {
      case NextEvent::Decision:
        out = play(k, start, decided(k, start, position), memo);
        break;
      case NextEvent::AttackRoll:
        out = rolled(k, start, position, plan_.attack_die, memo);
        break;
      case NextEvent::DefenseRoll:
        out = rolled(k, start, position, plan_.defense_die, memo);
        break;
      case NextEvent::Reroll:
        out = rerolled(k, start, position, memo);
        break;
      case NextEvent::Draw:
        out = drawn(k, start, position, memo);
        break;
      case NextEvent::Finished:
        out = gain(attack, position) + after(k, position.resources);
        break;
    }
    memo.table.insert(position);
    memo.values.push_back(out);
    return out;
  }

  /// The position after the policy's choice.
  game::Position decided(std::size_t k, const game::Resources& start, game::Position position) const {
    std::vector<game::Option> options;
    policy_.decide(plan_, k, start, position, options);
    for (const game::Option& option : options) position = game::take(plan_, plan_.attacks[k], position, option);
    return position;
  }

  cpp_rational rolled(std::size_t k, const game::Resources& start, const game::Position& position, const game::Die& die,
                      Memo& memo) {
    const int dice = game::roll_size(position);
    cpp_rational sum = 0;
    add_rolls(k, start, position, die, 0, dice, game::Pool(), 1, memo, sum);
    return sum / boost::multiprecision::pow(cpp_int(die.sides), static_cast<unsigned>(dice));
  }

  /// Adds weight times value over all rolls whose dice with faces before `face` are `chosen`.
  void add_rolls(std::size_t k, const game::Resources& start, const game::Position& position, const game::Die& die,
                 int face, int left, game::Pool chosen, const cpp_int& weight, Memo& memo, cpp_rational& sum) {
    const int sides = base::nth(die.sides_of_face, face);
    const bool last = face + 1 == die.faces;
    cpp_int ways = weight;  // weight, times the ways in which n of `left` dice show the face
    for (int n = 0; n <= left; ++n) {
      if (n > 0) ways = ways * (left - n + 1) * sides / n;
      if (last && n < left) continue;
      game::Pool pool = chosen;
      pool.add(face, false, n);
      if (last) {
        sum += ways * play(k, start, game::after_roll(plan_.attacks[k], position, pool), memo);
      } else {
        add_rolls(k, start, position, die, face + 1, left - n, pool, ways, memo, sum);
      }
    }
  }

  cpp_rational rerolled(std::size_t k, const game::Resources& start, const game::Position& position, Memo& memo) {
    const game::Die& die = position.pending_attack ? plan_.attack_die : plan_.defense_die;
    cpp_rational sum = 0;
    for (int face = 0; face < die.faces; ++face) {
      sum += base::nth(die.sides_of_face, face) * play(k, start, game::after_reroll(position, face), memo);
    }
    return sum / die.sides;
  }

  cpp_rational drawn(std::size_t k, const game::Resources& start, const game::Position& position, Memo& memo) {
    const game::AttackPlan& attack = plan_.attacks[k];
    std::vector<int> left;
    game::cards_left(plan_, attack, position, left);
    cpp_rational sum = 0;
    int all = 0;
    for (std::size_t kind = 0; kind < left.size(); ++kind) {
      all += left[kind];
      if (left[kind] > 0) sum += left[kind] * play(k, start, game::after_draw(plan_, attack, position, kind), memo);
    }
    return sum / all;
  }

  /// The payoff of the attack, mine minus theirs (docs/format.md: Objectives).
  cpp_rational gain(const game::AttackPlan& attack, const game::Position& end) const {
    cpp_rational out = 0;
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (attack.victim(v) < 0) continue;
      const int damage = end.extra[v] + (v == game::kDefender ? end.hits + end.crits : 0);
      out += lost(attack.victim(v), damage, game::removed_from(end, v), end);
    }
    return out;
  }

  cpp_rational lost(int index, int damage, int removed, const game::Position& end) const {
    const game::ShipPlan& ship = base::nth(plan_.ships, index);
    const int sign = ship.mine ? -1 : 1;
    switch (plan_.objective) {
      case game::Objective::Damage:
        return sign * damage;
      case game::Objective::Kill:
        return removed > 0 && end.resources.get(base::nth(plan_.resources, ship.health)) == game::kHealthZero ? sign
                                                                                                              : 0;
      case game::Objective::Health:
        return sign * removed;
      case game::Objective::Exchange:
        break;
    }
    const double total = ship.mine ? plan_.mine_total : plan_.theirs_total;  // an integer
    if (!(total > 0)) return 0;
    return cpp_rational(sign * removed, static_cast<int>(total));
  }

  const game::Plan& plan_;
  const game::Policy& policy_;
  std::size_t most_, positions_ = 0;
  std::vector<std::map<std::array<std::uint64_t, 2>, cpp_rational>> known_;  ///< by attack and start
};

}  // namespace

Certificate certify(const game::Plan& plan, const Solution& solution, std::size_t most) {
  Certifier certifier(plan, solution.policy, most);
  const cpp_rational value = certifier.value();
  Certificate out;
  out.numerator = boost::multiprecision::numerator(value).str();
  out.denominator = boost::multiprecision::denominator(value).str();
  out.error = (cpp_rational(solution.value) - value).convert_to<double>();
  out.positions = certifier.positions();
  return out;
}

}  // namespace salvo::exact
