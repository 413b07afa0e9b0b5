// TokenPlan: a plan in which players only spend tokens, brought into the dense form that the fast solver works on.
// In: a Plan. Out: per attack the dice, the resources as mixed-radix digits, and what spending them does.
//
// Why it is allowed: with these effects and objectives only the number of uncancelled results matters to either player,
// so hits and critical hits are one face, "success". Further, for such games (tests compare with the graph and the
// literal reference): successes are never rerolled; a reroll comes before the changes; a token whose use changes
// nothing is kept.
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
  bool all = false;        ///< every focus result, else one result
  bool blank_too = false;  ///< one focus or blank result
};

/// A resource as a digit of a state number.
struct Digit {
  int resource = -1;
  int size = 1;    ///< values 0 to size - 1
  int stride = 1;  ///< in the box it belongs to
};

inline constexpr std::size_t kMaxDigits = 8;  ///< kinds of tokens that one ship spends in one attack
using Digits = boost::container::small_vector<Digit, kMaxDigits>;

/// A way to spend tokens: how many of each digit of the box, and what that does.
struct Spend {
  std::array<std::uint8_t, kMaxDigits> n{};  ///< by digit
  int delta = 0;                             ///< by how much it lowers the box number
  int all = 0, ones = 0, any = 0;
  int total = 0;          ///< tokens in all
  std::uint64_t key = 0;  ///< preference among equal values; larger is preferred (docs/format.md: Ties)
};

/// Tokens of one ship that are spent in one attack: every combination is a number of the box.
struct Box {
  Digits digits;
  boost::container::static_vector<Conversion, kMaxDigits> conversions;  ///< by digit; the lock's is the reroll
  int size = 1;
  boost::container::small_vector<Spend, 4> spends;  ///< all that are never pointless, most preferred first

  bool by_total = true;  ///< spends are sorted by the number of tokens

  int value(int number, std::size_t digit) const { return number / digits[digit].stride % digits[digit].size; }
};

/// One attack in dense form.
struct TokenAttack {
  int attacker = 0, defender = 0;
  bool attacker_mine = true;
  Box attacker_box;  ///< conversions of the attacker, and the lock as last digit where there is one
  Box defender_box;
  int lock = -1;               ///< digit of the lock in attacker_box, or -1
  std::uint64_t lock_key = 0;  ///< preference of spending the lock, before the number of rerolled dice is taken off
  int health = -1;             ///< resource of the defender's health, or -1
  int reinforce = -1;          ///< resource whose count reinforces, or -1
  int reinforce_constant = 0;  ///< used where reinforce is -1
  int reinforce_least = 2;     ///< results that must be left for one more to be cancelled
};

struct TokenPlan {
  std::vector<TokenAttack> attacks;
  /// By attack, and one more: the resources that differ between the states in which it can begin.
  std::vector<Digits> live;
  boost::container::small_vector<int, 4> live_size;  ///< number of states of each
  Faces attack_face{}, defense_face{};
  double crit_share = 0;  ///< probability that a success that was rolled is a critical hit
};

/// The dense form, or nothing when some effect, face or policy is of another kind, or the states are too many for
/// tables. `starts`: resources in which the first attack can begin, if not only those of the plan.
std::optional<TokenPlan> token_plan(const game::Plan& plan, Starts starts = {});

}  // namespace salvo::exact
