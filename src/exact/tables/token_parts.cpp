// Prepares the tables of an attack: the parts of its states, and its dice.
#include <algorithm>
#include <array>

#include "base/index.h"
#include "base/limits.h"
#include "exact/tables/token_game.h"
#include "game/position_parts.h"

namespace salvo::exact {
namespace {

const Digit* find_digit(const Digits& digits, int resource) {
  const auto at =
      std::find_if(digits.begin(), digits.end(), [&](const Digit& digit) { return digit.resource == resource; });
  return at == digits.end() ? nullptr : &*at;
}

/// Lists the numbers of a box in which an attack can begin, and their shares of the state's number.
void list_starts(const game::Plan& plan, const TokenBox& box, const Digits& live, Numbers& numbers, Numbers& states) {
  numbers.assign(1, 0);
  states.assign(1, 0);
  for (const Digit& digit : box.digits) {
    const Digit* at = find_digit(live, digit.resource);
    const int first = at != nullptr ? 0 : game::resource(plan, digit.resource).initial;
    const int last = at != nullptr ? digit.size - 1 : first;
    const Numbers old_numbers = std::move(numbers);
    const Numbers old_states = std::move(states);
    numbers.clear();
    states.clear();
    for (int value = first; value <= last; ++value) {
      for (std::size_t i = 0; i < old_numbers.size(); ++i) {
        numbers.push_back(old_numbers[i] + value * digit.stride);
        states.push_back(old_states[i] + (at != nullptr ? value * at->stride : 0));
      }
    }
  }
}

Numbers next_shares(const TokenBox& box, const Digits& next_live) {
  Numbers out(static_cast<std::size_t>(box.size), 0);
  for (std::size_t i = 0; i < box.digits.size(); ++i) {
    const Digit* at = find_digit(next_live, box.digits[i].resource);
    if (at == nullptr) continue;
    for (int number = 0; number < box.size; ++number) base::nth(out, number) += box.value(number, i) * at->stride;
  }
  return out;
}

/// Groups numbers with the same share of the next state's number.
void find_classes(const Numbers& shares, Numbers& classes, Numbers& offsets) {
  for (const int share : shares) {
    const auto at = std::find(offsets.begin(), offsets.end(), share);
    classes.push_back(static_cast<int>(at - offsets.begin()));
    if (at == offsets.end()) offsets.push_back(share);
  }
}

StateParts state_parts(const game::Plan& plan, const TokenPlan& tokens, std::size_t k) {
  const TokenAttack& attack = tokens.attacks[k];
  const Digits& live = tokens.live[k];
  const Digits& next = tokens.live[k + 1];
  StateParts out;
  list_starts(plan, attack.attacker_box, live, out.attacker, out.attacker_state);
  list_starts(plan, attack.defender_box, live, out.defender, out.defender_state);
  out.health.assign(1, attack.health < 0 ? 0 : game::resource(plan, attack.health).initial);
  out.health_state.assign(1, 0);
  if (const Digit* at = find_digit(live, attack.health); at != nullptr) {
    out.health.clear();
    out.health_state.clear();
    for (int value = 0; value < at->size; ++value) {
      out.health.push_back(value);
      out.health_state.push_back(value * at->stride);
    }
  }
  for (const Digit& digit : live) {
    if (digit.resource == attack.health || find_digit(attack.attacker_box.digits, digit.resource) != nullptr ||
        find_digit(attack.defender_box.digits, digit.resource) != nullptr) {
      continue;
    }
    out.others.push_back(digit);
    out.other_count *= digit.size;
  }
  out.next_attacker = next_shares(attack.attacker_box, next);
  out.next_defender = next_shares(attack.defender_box, next);
  find_classes(out.next_attacker, out.attacker_class, out.class_offset);
  find_classes(out.next_defender, out.defender_class, out.defender_class_offset);
  if (const Digit* at = find_digit(next, attack.health); at != nullptr) out.next_health_stride = at->stride;
  const auto& removed = plan.attacks[k].removed_after;
  out.leaves_when_destroyed = std::find(removed.begin(), removed.end(), attack.defender) != removed.end();
  return out;
}

/// The share of the next state's number that comes from digits outside both boxes and the defender's health.
int other_share(const game::Plan& plan, const TokenAttack& attack, const Digits& next,
                const game::Resources& resources) {
  int share = 0;
  for (const Digit& digit : next) {
    if (digit.resource == attack.health || find_digit(attack.attacker_box.digits, digit.resource) != nullptr ||
        find_digit(attack.defender_box.digits, digit.resource) != nullptr) {
      continue;
    }
    share += resources.get(game::resource(plan, digit.resource)) * digit.stride;
  }
  return share;
}

/// Plays the attack with empty pools, so that only the effects on numbers of dice apply, and only their tokens are
/// spent.
OtherCase other_case(const game::Plan& plan, const TokenPlan& tokens, std::size_t k, const StateParts& parts,
                     int number) {
  const game::AttackPlan& attack = plan.attacks[k];
  OtherCase out;
  out.resources = plan.start;
  for (const Digit& digit : parts.others) {
    const int value = number % digit.size;
    number /= digit.size;
    out.resources.set(game::resource(plan, digit.resource), value);
    out.state += value * digit.stride;
  }
  const TokenAttack& dense = tokens.attacks[k];
  out.happens = !game::is_gone(plan, out.resources, attack.attacker);
  out.next_skipped = other_share(plan, dense, tokens.live[k + 1], game::end_attack(plan, attack, out.resources));
  game::Position position = game::begin_attack(plan, attack, out.resources);
  game::advance(plan, attack, position);
  out.attack_dice = game::roll_size(position);
  position = game::after_roll(attack, position, game::Pool());
  game::advance(plan, attack, position);
  out.defense_dice = game::roll_size(position);
  position = game::after_roll(attack, position, game::Pool());
  game::advance(plan, attack, position);
  out.after = position.resources;
  out.next = other_share(plan, dense, tokens.live[k + 1], game::end_attack(plan, attack, position.resources));
  out.reinforce =
      dense.reinforce >= 0 ? out.resources.get(game::resource(plan, dense.reinforce)) : dense.reinforce_constant;
  return out;
}

/// Binomial coefficients, which doubles hold exactly.
class Binomials {
 public:
  constexpr Binomials() {
    for (int n = 0; n <= base::kMaxPool; ++n) {
      for (int k = 0; k <= n; ++k) row(n)[k] = k == 0 || k == n ? 1 : row(n - 1)[k - 1] + row(n - 1)[k];
    }
  }
  /// By k.
  constexpr const double* of(int n) const { return ways_.data() + n * (n + 1) / 2; }

 private:
  constexpr double* row(int n) { return ways_.data() + n * (n + 1) / 2; }
  std::array<double, (base::kMaxPool + 1) * (base::kMaxPool + 2) / 2> ways_{};
};

}  // namespace

void list_three_face_rolls(const Faces& face, int n, Rolls& out) {
  static constexpr Binomials kChoose;
  double focus_power[base::kMaxPool + 1], blank_power[base::kMaxPool + 1];
  focus_power[0] = blank_power[0] = 1;
  for (int i = 0; i < n; ++i) {
    focus_power[i + 1] = focus_power[i] * face[1];
    blank_power[i + 1] = blank_power[i] * face[2];
  }
  out.resize(static_cast<std::size_t>((n + 1) * (n + 2) / 2), boost::container::default_init);
  ThreeFaceRoll* roll = out.data();
  double success_power = 1;
  for (int s = 0; s <= n; ++s) {
    const double choose_success = kChoose.of(n)[s];
    const double* choose_focus = kChoose.of(n - s);
    for (int f = 0, b = n - s; b >= 0; ++f, --b) {
      *roll++ = {s, f, b, choose_success * choose_focus[f] * success_power * focus_power[f] * blank_power[b]};
    }
    success_power *= face[0];
  }
}

TokenTable prepare_table(const game::Plan& plan, const TokenPlan& tokens, std::size_t k) {
  TokenTable out{.parts = state_parts(plan, tokens, k)};
  out.cases.reserve(static_cast<std::size_t>(out.parts.other_count));
  for (int number = 0; number < out.parts.other_count; ++number)
    out.cases.push_back(other_case(plan, tokens, k, out.parts, number));
  out.choices.resize(out.cases.size());
  out.gain_sign = tokens.attacks[k].attacker_mine ? 1 : -1;
  return out;
}

}  // namespace salvo::exact
