// Compiled with -O2, as hobby programs are.
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
    bool focus = true, evade = true;
  };

  int attack(Defender& defender) {
    int hits = 0;
    int crits = 0;
    for (int die : roll(3)) {
      if (die >= 6) die = faces_(random_);  // the lock rerolls blanks; the focus token makes hits of the rest
      if (die >= 6) continue;
      (die == 0 ? crits : hits) += 1;
    }
    int evades = 0;
    int focuses = 0;
    for (const int die : roll(3)) {
      if (die < 3) ++evades;
      if (die == 3 || die == 4) ++focuses;
    }
    if (defender.focus && focuses > 0 && evades < hits + crits) {
      evades += focuses;
      defender.focus = false;
    }
    if (defender.evade && evades < 3 && evades < hits + crits) {
      ++evades;
      defender.evade = false;
    }
    const int cancelled = std::min(hits, evades);
    return hits - cancelled + std::max(0, crits - (evades - cancelled));
  }

 private:
  std::vector<int> roll(std::size_t n) {
    std::vector<int> out(n);
    for (int& die : out) die = faces_(random_);
    return out;
  }

  std::mt19937 random_;
  std::uniform_int_distribution<int> faces_{0, 7};
};

double mean(std::uint64_t trials, std::uint32_t seed, int attacks) {
  Table table(seed);
  std::uint64_t damage = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    Table::Defender defender;
    for (int k = 0; k < attacks; ++k) damage += static_cast<std::uint64_t>(table.attack(defender));
  }
  return static_cast<double>(damage) / static_cast<double>(trials);
}

}  // namespace

double one_attack(std::uint64_t trials, std::uint32_t seed) { return mean(trials, seed, 1); }
double three_attacks(std::uint64_t trials, std::uint32_t seed) { return mean(trials, seed, 3); }

}  // namespace hobby
