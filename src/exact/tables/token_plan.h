// The dense form of a plan in which players only spend tokens: per attack the dice, the resources as digits of a
// mixed-radix number, and what spending them does.
//
// Why it is allowed: with these effects and objectives only the number of uncancelled results matters to either player,
// so hits and critical hits are one face, "success". It also follows that successes are never rerolled, that a reroll
// comes before all changes, and that a token that would change nothing is not spent. Tests compare with the graph and
// the literal reference.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "exact/attack_game.h"
#include "exact/tables/token_dice.h"
#include "game/plan.h"

namespace salvo::exact {

/// What one unit of a resource does to the owner's dice.
struct Conversion {
  int resource = -1;
  int effect = -1;         ///< index into AttackPlan::effects
  bool all = false;        ///< changes every focus result; false: one result
  bool blank_too = false;  ///< changes one focus or blank result; false: focus only
};

/// A resource as a digit of a state number.
struct Digit {
  int resource = -1;
  int size = 1;    ///< values 0 to size - 1
  int stride = 1;  ///< in the box it belongs to
};

inline constexpr std::size_t kMaxDigits = 8;  ///< kinds of tokens that one ship spends in one attack
using Digits = boost::container::small_vector<Digit, kMaxDigits>;

/// A spend: the number of tokens of each digit of the box, and their effect.
struct Spend {
  std::array<std::uint8_t, kMaxDigits> n{};  ///< by digit
  int delta = 0;                             ///< subtracted from the box number
  int all = 0, ones = 0, any = 0;  ///< tokens that change every focus result, one focus result, one of any kind
  int total = 0;                   ///< number of tokens
  std::uint64_t key = 0;           ///< tie key; the largest wins (docs/format.md: Ties)
};

/// The tokens that one ship can spend in one attack. Every combination is a number of the box.
struct TokenBox {
  Digits digits;
  boost::container::static_vector<Conversion, kMaxDigits> conversions;  ///< by digit; that of the lock is the reroll
  int size = 1;
  boost::container::small_vector<Spend, 4> spends;  ///< all that can be useful, most preferred first

  bool by_total = true;  ///< whether spends are also sorted by Spend::total

  int value(int number, std::size_t digit) const { return number / digits[digit].stride % digits[digit].size; }
};

/// One attack in dense form.
struct TokenAttack {
  int attacker = 0, defender = 0;
  bool attacker_mine = true;
  TokenBox attacker_box;  ///< the lock, if any, is the last digit
  TokenBox defender_box;
  int lock = -1;               ///< digit of the lock in attacker_box, or -1
  std::uint64_t lock_key = 0;  ///< tie key of spending the lock; the number of rerolled dice is subtracted
  int health = -1;             ///< resource of the defender's health, or -1
  int reinforce = -1;          ///< resource that counts the cancelled results, or -1
  int reinforce_constant = 0;  ///< the number itself if reinforce is -1
  int reinforce_least = 2;     ///< results that must remain for reinforce to cancel one
};

struct TokenPlan {
  std::vector<TokenAttack> attacks;
  /// By attack, and after the last: the resources that distinguish the states in which it can begin.
  std::vector<Digits> live;
  boost::container::small_vector<int, 4> live_size;  ///< the number of these states
  Faces attack_face{}, defense_face{};
  double crit_share = 0;  ///< probability that a rolled success is a critical hit
};

/// The dense form of a plan. Nothing if an effect, face or policy does not fit it, or if there are too many states.
/// `starts`: resources in which the first attack can begin; empty: those of the plan.
std::optional<TokenPlan> token_plan(const game::Plan& plan, Starts starts = {});

}  // namespace salvo::exact
