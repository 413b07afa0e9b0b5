// Replays the layout of the random bits from the text of src/sample/address.h without using any code of src: bits come
// from the Random123 library, faces and planes are counted here, and players reroll everything that is not a success.
// The engine must give the same histogram, trial by trial.
#include <Random123/philox.h>
#undef philox4x32  // a macro of Random123 with the name of our function

#include <catch2/catch.hpp>
#include <map>

#include "exact/exact.h"
#include "sample/kernel.h"
#include "support/differential.h"

using namespace salvo;

namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;

/// The faces of a die by value of its three bits; '-' where the die has no such side.
using Faces = std::string;
const Faces kAttack = "bbffchhh";
const Faces kDefense = "bbffbeee";

/// One attack: its dice and tokens. A player who can reroll rerolls all dice that are not successes.
struct PlainAttack {
  int attack_slots = 0;  ///< attack dice before a token reduces them
  int attack_dice = 0;   ///< rolled
  bool lock = false;     ///< rerolls blanks, and focus results without a focus token
  bool focus = false;    ///< then changes focus results to hits
  int defense_slots = 0;
  int defense_dice = 0;
  bool guard = false;  ///< rerolls all but evade results if there is something to evade
};

struct PlainDie {
  char face = ' ';
  unsigned value = 0;
};

/// Bits and dice of one trial.
class PlainPlayer {
 public:
  PlainPlayer(std::vector<PlainAttack> attacks, Faces attack_faces, Faces defense_faces)
      : attacks_(std::move(attacks)), attack_faces_(std::move(attack_faces)), defense_faces_(std::move(defense_faces)) {
    int plane = 0;
    for (const PlainAttack& attack : attacks_) {
      first_.push_back(plane);
      plane += attack.attack_slots * (attack.lock ? 5 : 3);
      first_.push_back(plane);
      plane += attack.defense_slots * (attack.guard ? 5 : 3);
    }
    for (const PlainAttack& attack : attacks_) {
      low_.push_back(plane);
      plane += attack.lock ? attack.attack_slots : 0;
      low_.push_back(plane);
      plane += attack.guard ? attack.defense_slots : 0;
    }
  }

  int rerolls = 0, low_reads = 0, overflows = 0;  ///< how often each occurred: the test requires all of them

  /// Hits and crits of all attacks of trial s.
  std::pair<int, int> play(std::uint64_t s) {
    std::pair<int, int> sum;
    for (std::size_t k = 0; k < attacks_.size(); ++k) {
      const auto [hits, crits] = play_attack(s, k);
      sum.first += hits;
      sum.second += crits;
    }
    return sum;
  }

 private:
  /// Bit s%32 of word p%4 of philox({s/32 low, s/32 high, p/4, 0}, seed).
  static unsigned bit(std::uint64_t s, int plane) {
    const auto p = static_cast<std::uint32_t>(plane);
    const auto words = philox(static_cast<std::uint32_t>(s / 32), static_cast<std::uint32_t>(s / 32 >> 32), p / 4, 0);
    return words[p % 4] >> s % 32 & 1u;
  }
  static r123::Philox4x32::ctr_type philox(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return r123::Philox4x32()({{a, b, c, d}},
                              {{static_cast<std::uint32_t>(kSeed), static_cast<std::uint32_t>(kSeed >> 32)}});
  }

  /// The face of a value. Too large a value is redrawn from philox({s low, s high, plane, 2^31 + try}, seed),
  /// words in order, below the largest multiple of the number of sides.
  char face_of(std::uint64_t s, const Faces& faces, unsigned value, int plane) {
    if (faces[value] != '-') return faces[value];
    ++overflows;
    const auto sides = static_cast<std::uint32_t>(faces.find('-'));
    const std::uint32_t limit = 0xffffffffu - 0xffffffffu % sides;
    for (std::uint32_t attempt = 0;; ++attempt) {
      for (const std::uint32_t word : philox(static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(s >> 32),
                                             static_cast<std::uint32_t>(plane), 0x80000000u + attempt)) {
        if (word < limit) return faces[word % sides];
      }
    }
  }

  std::vector<PlainDie> roll(std::uint64_t s, const Faces& faces, int n, int first, int stride) {
    std::vector<PlainDie> dice;
    for (int slot = 0; slot < n; ++slot) {
      const int plane = first + slot * stride;
      const unsigned value = bit(s, plane) << 2 | bit(s, plane + 1) << 1 | bit(s, plane + 2);
      dice.push_back({face_of(s, faces, value, plane), value});
    }
    return dice;
  }

  /// The lowest bit is that of the first roll if it did not affect the face, else a fresh one.
  void reroll(std::uint64_t s, const Faces& faces, PlainDie& die, int slot, int first, int low) {
    const int plane = first + slot * 5 + 3;
    const bool unread = faces[die.value] == faces[die.value ^ 1] && faces[die.value] != '-';
    const unsigned last = unread ? die.value & 1 : bit(s, low + slot);
    ++rerolls;
    low_reads += unread ? 0 : 1;
    die.face = face_of(s, faces, bit(s, plane) << 2 | bit(s, plane + 1) << 1 | last, plane);
  }

  static int count(const std::vector<PlainDie>& dice, char face) {
    return static_cast<int>(
        std::count_if(dice.begin(), dice.end(), [&](const PlainDie& die) { return die.face == face; }));
  }

  std::pair<int, int> play_attack(std::uint64_t s, std::size_t k) {
    const PlainAttack& attack = attacks_[k];
    auto dice = roll(s, attack_faces_, attack.attack_dice, first_[2 * k], attack.lock ? 5 : 3);
    for (int slot = 0; attack.lock && slot < attack.attack_dice; ++slot) {
      PlainDie& die = dice[static_cast<std::size_t>(slot)];
      if (die.face == 'b' || (die.face == 'f' && !attack.focus))
        reroll(s, attack_faces_, die, slot, first_[2 * k], low_[2 * k]);
    }
    int hits = count(dice, 'h') + (attack.focus ? count(dice, 'f') : 0);
    int crits = count(dice, 'c');
    auto defense = roll(s, defense_faces_, attack.defense_dice, first_[2 * k + 1], attack.guard ? 5 : 3);
    const bool guards = attack.guard && hits + crits > count(defense, 'e');
    for (int slot = 0; guards && slot < attack.defense_dice; ++slot) {
      PlainDie& die = defense[static_cast<std::size_t>(slot)];
      if (die.face != 'e') reroll(s, defense_faces_, die, slot, first_[2 * k + 1], low_[2 * k + 1]);
    }
    for (int evades = count(defense, 'e'); evades > 0; --evades) (hits > 0 ? hits : crits) -= hits + crits > 0 ? 1 : 0;
    return {hits, crits};
  }

  std::vector<PlainAttack> attacks_;
  Faces attack_faces_, defense_faces_;
  std::vector<int> first_, low_;
};

using Histogram = std::map<std::pair<int, int>, std::uint64_t>;

/// The engine's counts for the ship that comes last by name.
Histogram engine_counts(const game::Plan& plan, std::uint64_t first, std::uint64_t last) {
  const exact::Solution solution = exact::solve(plan);
  sample::Tally tally(plan);
  sample::play(sample::prepare(plan, solution.policy, kSeed), first, last, tally);
  const sample::ShipTally& ship = tally.ships.back();
  Histogram out;
  for (std::size_t i = 0; i < ship.joint.size(); ++i) {
    const int width = ship.width;
    if (ship.joint[i] > 0) out[{static_cast<int>(i) / width, static_cast<int>(i) % width}] = ship.joint[i];
  }
  return out;
}

void check(const Scenario& scenario, PlainPlayer player, bool low_reads, bool overflows, std::uint64_t first = 3) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(
      scenario.rules == "second-edition" ? differential::catalogue() : differential::test_catalogue(), scenario);
  const std::uint64_t last = first + 20'011;
  Histogram want;
  for (std::uint64_t s = first; s < last; ++s) ++want[player.play(s)];
  CHECK(engine_counts(question.plan, first, last) == want);
  CHECK(player.rerolls > 10'000);
  CHECK((player.low_reads > 1'000) == low_reads);
  CHECK((player.overflows > 1'000) == overflows);
}

Scenario one_attack(const std::string& rules, int attack, int agility, const std::map<std::string, int>& attacker,
                    const std::map<std::string, int>& defender) {
  Scenario out;
  out.rules = rules;
  out.ships["a"] = {.attack = attack, .tokens = attacker, .locks = {"d"}};
  out.ships["d"] = {.agility = agility, .tokens = defender};
  out.attacks = {{.by = "a", .on = "d"}};
  return out;
}

}  // namespace

TEST_CASE("random bits: one attack with lock and focus, bit by bit", "[sample][address]") {
  const PlainAttack attack{
      .attack_slots = 3, .attack_dice = 3, .lock = true, .focus = true, .defense_slots = 2, .defense_dice = 2};
  const Scenario scenario = one_attack("second-edition", 3, 2, {{"focus", 1}}, {});
  // Blanks of the attack die are values 0 and 1: their lowest bit is never read.
  check(scenario, PlainPlayer({attack}, kAttack, kDefense), false, false);
  check(scenario, PlainPlayer({attack}, kAttack, kDefense), false, false, (std::uint64_t{1} << 40) + 31);
}

TEST_CASE("random bits: two attacks, with places for dice that are not rolled", "[sample][address]") {
  Scenario scenario = one_attack("second-edition", 3, 2, {}, {{"strain", 1}});
  scenario.attacks[0].range = 1;
  scenario.ships["b"] = {.attack = 3, .tokens = {{"focus", 1}, {"deplete", 1}}, .locks = {"d"}};
  scenario.attacks.push_back({.by = "b", .on = "d", .range = 3});
  const PlainAttack first{.attack_slots = 4, .attack_dice = 4, .lock = true, .defense_slots = 2, .defense_dice = 1};
  const PlainAttack second{
      .attack_slots = 3, .attack_dice = 2, .lock = true, .focus = true, .defense_slots = 3, .defense_dice = 3};
  check(scenario, PlainPlayer({first, second}, kAttack, kDefense), false, false);
}

TEST_CASE("random bits: a reroll does not reuse a lowest bit that was read", "[sample][address]") {
  const PlainAttack attack{
      .attack_slots = 3, .attack_dice = 3, .lock = true, .defense_slots = 2, .defense_dice = 2, .guard = true};
  check(one_attack("odd-blanks", 3, 2, {}, {{"guard", 1}}), PlainPlayer({attack}, "bbbfchhh", kDefense), true, false);
}

TEST_CASE("random bits: values too large for the die are drawn again", "[sample][address]") {
  const PlainAttack attack{.attack_slots = 3, .attack_dice = 3, .lock = true, .defense_slots = 2, .defense_dice = 2};
  check(one_attack("six-sided", 3, 2, {}, {}), PlainPlayer({attack}, "bbbbhh--", "bbbbbe--"), true, true);
}
