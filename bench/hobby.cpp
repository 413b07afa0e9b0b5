// Compiled with -O2, like hobby programs.
#include "hobby.h"

#include <algorithm>
#include <random>
#include <vector>

namespace hobby {
namespace {

class Table {
 public:
  explicit Table(std::uint32_t seed) : random_(seed) {}

  struct Defender {
    bool focus = true, evade = true, elusive = true, lonewolf = true;
  };

  int attack(Defender& defender) {
    int hits = 0;
    int crits = 0;
    for (int die : roll(3)) {
      if (die >= 6) die = faces_(random_);  // the lock rerolls blanks; the focus token makes hits of the rest
      if (die >= 6) continue;
      (die == 0 ? crits : hits) += 1;
    }
    return damage(hits, crits, roll(3), defender);
  }

  int attack_with_cards(Defender& defender) {
    int hits = 0;
    int crits = 0;
    int blanks = 0;
    for (int die : roll(3)) {
      if (die >= 6) die = faces_(random_);
      if (die >= 6) {
        ++blanks;
      } else {
        (die == 0 ? crits : hits) += 1;
      }
    }
    if (blanks > 0) {  // one more reroll
      const int die = faces_(random_);
      if (die < 6) (die == 0 ? crits : hits) += 1;
    }
    if (hits > 0) {
      --hits;
      ++crits;
    }
    std::vector<int> dice = roll(2);  // one die fewer
    for (int& die : dice) {
      if (die < 5) continue;
      for (bool* card : {&defender.elusive, &defender.lonewolf}) {
        if (!*card || die < 5) continue;
        *card = false;
        die = faces_(random_);
        break;
      }
    }
    return damage(hits, crits, dice, defender);
  }

 private:
  static int damage(int hits, int crits, const std::vector<int>& dice, Defender& defender) {
    int evades = 0;
    int focuses = 0;
    for (const int die : dice) {
      if (die < 3) ++evades;
      if (die == 3 || die == 4) ++focuses;
    }
    if (defender.focus && focuses > 0 && evades < hits + crits) {
      evades += focuses;
      defender.focus = false;
    }
    if (defender.evade && evades < static_cast<int>(dice.size()) && evades < hits + crits) {
      ++evades;
      defender.evade = false;
    }
    const int cancelled = std::min(hits, evades);
    return hits - cancelled + std::max(0, crits - (evades - cancelled));
  }

  std::vector<int> roll(std::size_t n) {
    std::vector<int> out(n);
    for (int& die : out) die = faces_(random_);
    return out;
  }

  std::mt19937 random_;
  std::uniform_int_distribution<int> faces_{0, 7};
};

template <typename Attack>
double mean(std::uint64_t trials, std::uint32_t seed, int attacks, Attack&& attack) {
  Table table(seed);
  std::uint64_t damage = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    Table::Defender defender;
    for (int k = 0; k < attacks; ++k) damage += static_cast<std::uint64_t>((table.*attack)(defender));
  }
  return static_cast<double>(damage) / static_cast<double>(trials);
}

}  // namespace

double one_attack(std::uint64_t trials, std::uint32_t seed) { return mean(trials, seed, 1, &Table::attack); }
double three_attacks(std::uint64_t trials, std::uint32_t seed) { return mean(trials, seed, 3, &Table::attack); }
double three_attacks_with_cards(std::uint64_t trials, std::uint32_t seed) {
  return mean(trials, seed, 3, &Table::attack_with_cards);
}

}  // namespace hobby
