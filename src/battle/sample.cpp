// The sampled battle: see sample.h.
#include "battle/sample.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/packed_table.h"
#include "base/parallel.h"
#include "base/philox.h"
#include "battle/plain.h"

namespace salvo::battle {
namespace {

/// The Chance of sampling: addressed bits, tables.
class TableChance {
 public:
  TableChance(const Game& game, Memory& memory, std::uint64_t seed, std::uint64_t battle)
      : memory_(memory),
        book_(game.book()),
        slots_(static_cast<std::uint32_t>(game.slots())),
        key_(philox_key(seed)),
        battle_(battle) {}

  Memory& memory() { return memory_; }
  void begin_round(int round) {
    base_ = static_cast<std::uint32_t>(round) * slots_;
    known_ = 0;
  }
  bool percent(int slot, int of_hundred) {
    if (of_hundred <= 0 || of_hundred >= 100) return of_hundred > 0;
    return static_cast<int>((bits(slot) >> 32) * 100 >> 32) < of_hundred;
  }
  std::size_t pick(int slot, const Cases& cases) { return cases.list.size() == 1 ? 0 : cases.alias.pick(bits(slot)); }
  const Outcome& attack(int slot, const AttackKey& /*key*/, const Outcomes& outcomes) {
    return outcomes.draw.pick(bits(slot));
  }
  CardOutcome dealt(int slot, const AttackKey& key, const Outcomes& outcomes, const CardsNow& cards) {
    if (outcomes.groups.empty()) {
      const Outcome& dice = outcomes.draw.pick(bits(slot));
      const Outcomes* after = book_.dealt(key, dice, cards);
      if (after == nullptr) return {dice, {}};
      return book_.with_dealt(key, dice, *after, book_.pick(*after, cards, card_uniform(slot, 1)));
    }
    constexpr double kOne = 9007199254740992.0;  // 2^53
    const double uniform = key.engages() ? card_uniform(slot, 0) : static_cast<double>(bits(slot) >> 11) / kOne;
    const std::size_t i = book_.pick(outcomes, cards, uniform);
    return {outcomes.list[i], outcomes.cards[i]};
  }

 private:
  /// For the cards of a slot: those that act as a ship engages (half 0), those that are dealt after dice (half 1).
  double card_uniform(int slot, std::size_t half) const {
    const std::uint32_t n = base_ + static_cast<std::uint32_t>(slot);
    const PhiloxCounter words = philox4x32(
        {static_cast<std::uint32_t>(battle_), static_cast<std::uint32_t>(battle_ >> 32), n, kCardStream}, key_);
    constexpr double kOne = 9007199254740992.0;  // 2^53
    const std::uint64_t random = static_cast<std::uint64_t>(words[2 * half]) << 32 | words[2 * half + 1];
    return static_cast<double>(random >> 11) / kOne;
  }
  std::uint64_t bits(int slot) {
    const std::uint32_t n = base_ + static_cast<std::uint32_t>(slot), block = n / 2;
    const std::uint32_t place = block - base_ / 2;  // among those of the round
    PhiloxCounter& words = words_[place];
    if ((known_ >> place & 1) == 0) {
      known_ |= std::uint64_t{1} << place;
      words = philox4x32(
          {static_cast<std::uint32_t>(battle_), static_cast<std::uint32_t>(battle_ >> 32), block, kBattleStream}, key_);
    }
    return n % 2 == 0 ? static_cast<std::uint64_t>(words[0]) << 32 | words[1]
                      : static_cast<std::uint64_t>(words[2]) << 32 | words[3];
  }

  /// Blocks of a round: two slots each.
  static constexpr std::size_t kBlocks = (1 + 3 * kMostShips + kMostPairs) / 2 + 1;
  static_assert(kBlocks <= 64);
  Memory& memory_;
  Book& book_;
  std::uint32_t slots_, base_ = 0;
  PhiloxKey key_;
  std::uint64_t battle_, known_ = 0;  ///< a bit for each block that is there
  std::array<PhiloxCounter, kBlocks> words_;
};

void count(const Shooting& shot, Played& out) {
  if (shot.engaged_damage > 0) out.taken[at(shot.engaged)] += shot.engaged_damage;
  if (shot.shooter < 0) return;
  ++out.shots[at(shot.shooter)];
  out.done[at(shot.shooter)] += shot.damage;
  out.earned[at(shot.shooter)] += shot.points;
  out.taken[at(shot.target)] += shot.damage;
  out.taken[at(shot.shooter)] += shot.own_damage;
}

template <typename Chance>
Played play_with(const Game& game, const Now& start, Chance&& chance) {
  Played out;
  out.now = start;
  do {
    chance.begin_round(out.now.round);
    game.begin(out.now, chance);
    for (int place = 0; place < game.places(); ++place) count(game.engage(out.now, place, chance), out);
    game.end(out.now);
    for (int s = 0; s < game.ships(); ++s)
      if (!out.now.ship[at(s)].gone) ++out.lived[at(s)];
  } while (!game.over(out.now));
  return out;
}

/// Ends of battles, counted.
class EndCounts {
 public:
  void add(const std::array<int, 4>& end) {
    const int number = table_.number(end);
    if (at(number) == counts_.size()) counts_.push_back(0);
    ++counts_[at(number)];
  }
  void give(std::map<std::array<int, 4>, std::uint64_t>& to) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) to[table_[static_cast<int>(i)]] += counts_[i];
  }

 private:
  static std::array<std::uint64_t, 4> words(const std::array<int, 4>& end) {
    std::array<std::uint64_t, 4> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint64_t>(end[i]);
    return out;
  }
  base::PackedTable<std::array<int, 4>, &EndCounts::words> table_;
  std::vector<std::uint64_t> counts_;
};

void add(const Game& game, const Played& played, int rounds_listed, BattleTally& tally, EndCounts& ends) {
  const Now& now = played.now;
  ++tally.battles;
  const int mine = game.points(now, true), theirs = game.points(now, false);
  ends.add({game.result(now), now.round, mine, theirs});
  tally.mine.add(static_cast<std::uint64_t>(mine));
  tally.theirs.add(static_cast<std::uint64_t>(theirs));
  tally.rounds.add(now.round);
  int left = 0;
  for (int s = 0; s < game.ships(); ++s) left += now.ship[at(s)].gone ? 0 : 1;
  for (int s = 0; s < game.ships(); ++s) {
    BattleTally::OfShip& ship = tally.ships[at(s)];
    const bool here = !now.ship[at(s)].gone;
    ship.survives += here ? 1 : 0;
    ship.last += here && left == 1 ? 1 : 0;
    ship.shots.add(static_cast<std::uint64_t>(played.shots[at(s)]));
    ship.done.add(static_cast<std::uint64_t>(played.done[at(s)]));
    ship.taken.add(static_cast<std::uint64_t>(played.taken[at(s)]));
    ship.earned.add(static_cast<std::uint64_t>(played.earned[at(s)]));
    // Alive after round k: counted where it is lost, and summed when all are played.
    ++ship.alive[at(here ? rounds_listed : played.lived[at(s)])];
  }
}

}  // namespace

std::uint64_t BattleTally::with_result(int result) const {
  std::uint64_t out = 0;
  for (const auto& [end, n] : ends) out += end[0] == result ? n : 0;
  return out;
}

void BattleTally::merge(const BattleTally& other) {
  battles += other.battles;
  for (std::size_t s = 0; s < ships.size(); ++s) {
    OfShip& to = ships[s];
    const OfShip& from = other.ships[s];
    to.survives += from.survives;
    to.last += from.last;
    to.shots.merge(from.shots);
    to.done.merge(from.done);
    to.taken.merge(from.taken);
    to.earned.merge(from.earned);
    for (std::size_t k = 0; k < to.alive.size(); ++k) to.alive[k] += from.alive[k];
  }
  mine.merge(other.mine);
  theirs.merge(other.theirs);
  rounds.merge(other.rounds);
  for (const auto& [end, n] : other.ends) ends[end] += n;
}

Played play_one(const Game& game, std::uint64_t seed, std::uint64_t number) {
  Memory memory = game.memory();
  return play_with(game, game.start(), TableChance(game, memory, seed, number));
}

BattleTally play_many(const Game& game, std::uint64_t first, std::uint64_t last, const SampleOptions& options,
                      std::vector<std::uint8_t>* results) {
  constexpr std::uint64_t kBlock = 1024;
  const std::uint64_t blocks = (last - first + kBlock - 1) / kBlock;
  if (results != nullptr) results->resize(last - first);
  const Now start = game.start();
  const int rounds = game.question().rounds;
  struct Part {
    BattleTally tally;
    EndCounts ends;
    std::optional<Memory> memory;
  };
  parallel::PerThread<Part> parts;
  std::atomic<bool> stopped{false};
  std::atomic<std::uint64_t> done{0};
  const auto play_block = [&](std::uint64_t block) {
    Part& part = parts.local();
    if (!part.memory) part.memory.emplace(game.memory());
    const std::uint64_t from = first + block * kBlock, to = std::min(last, from + kBlock);
    for (std::uint64_t b = from; b < to; ++b) {
      const Played played = options.dice != nullptr
                                ? play_with(game, start, PlainChance(game, *options.dice, options.seed, b))
                                : play_with(game, start, TableChance(game, *part.memory, options.seed, b));
      add(game, played, rounds, part.tally, part.ends);
      if (results != nullptr) (*results)[b - first] = static_cast<std::uint8_t>(game.result(played.now) + 1);
    }
    done += to - from;
  };
  // The first block alone: it solves what nearly all battles need.
  play_block(0);
  parallel::Threads threads(options.threads);
  constexpr std::uint64_t kGroup = 256;  // blocks between two questions whether to go on
  for (std::uint64_t group = 1; group < blocks && !stopped; group += kGroup) {
    threads.for_each(std::min(blocks, group + kGroup) - group, [&](std::size_t i) { play_block(group + i); });
    if (options.progress && !options.progress(done)) stopped = true;
  }
  BattleTally out;
  parts.each([&](const Part& part) {
    out.merge(part.tally);
    part.ends.give(out.ends);
  });
  for (BattleTally::OfShip& ship : out.ships) {
    // From "lost in round k + 1" to "alive after round k".
    for (std::size_t k = ship.alive.size() - 1; k-- > 0;) ship.alive[k] += ship.alive[k + 1];
  }
  return out;
}

}  // namespace salvo::battle
