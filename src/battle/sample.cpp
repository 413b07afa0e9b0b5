#include "battle/sample.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "base/packed_table.h"
#include "base/parallel.h"
#include "battle/batch.h"
#include "battle/reference.h"

namespace salvo::battle {
namespace {

/// The Chance of sampling with damage decks. Draws depend on the cards dealt before, so these battles are played one by
/// one.
class DeckChance {
 public:
  DeckChance(const Game& game, const RandomPlan& plan, EvaluationTables& evaluations, std::uint64_t seed,
             std::uint64_t battle)
      : plan_(plan),
        evaluations_(evaluations),
        tables_(game.tables()),
        slots_(static_cast<std::uint32_t>(game.slots())),
        key_(base::philox_key(seed)),
        battle_(battle) {}

  EvaluationTables& evaluations() { return evaluations_; }
  void begin_round(int round) {
    bits_.begin_round(plan_, battle_, round, plan_.blocks(round));
    base_ = static_cast<std::uint32_t>(round) * slots_;
  }
  bool percent(int slot, int of_hundred) { return bits_.percent(slot, of_hundred); }
  std::size_t pick(int slot, const GeometryDistribution& cases) { return bits_.pick(slot, cases); }
  const Outcome& attack(int slot, const AttackKey& key, const Outcomes& outcomes) {
    return bits_.attack(slot, key, outcomes);
  }
  CardOutcome dealt(int slot, const AttackKey& key, const Outcomes& outcomes, const DeckState& cards) {
    if (outcomes.groups.empty()) {
      const Outcome& dice = attack(slot, key, outcomes);
      const Outcomes* after = tables_.dealt().dealt(key, dice, cards);
      if (after == nullptr) return {dice, {}};
      return tables_.dealt().with_dealt(key, dice, *after,
                                        pick_outcome(*tables_.deck(), *after, cards, card_uniform(slot, 1)));
    }
    const double uniform = key.engages() ? card_uniform(slot, 0) : uniform_of(bits_.of(slot));
    const std::size_t i = pick_outcome(*tables_.deck(), outcomes, cards, uniform);
    return {outcomes.list[i], outcomes.cards[i]};
  }

 private:
  /// At least 0 and below 1.
  static double uniform_of(std::uint64_t random) {
    constexpr double kOne = 9007199254740992.0;  // 2^53
    return static_cast<double>(random >> 11) / kOne;
  }
  /// For the cards of a slot: those that act as a ship engages (half 0), or those dealt after the dice (half 1).
  double card_uniform(int slot, std::size_t half) const {
    const std::uint32_t n = base_ + static_cast<std::uint32_t>(slot);
    const base::PhiloxCounter words = base::philox4x32(
        {static_cast<std::uint32_t>(battle_), static_cast<std::uint32_t>(battle_ >> 32), n, kCardStream}, key_);
    return uniform_of(static_cast<std::uint64_t>(words[2 * half]) << 32 | words[2 * half + 1]);
  }

  const RandomPlan& plan_;
  EvaluationTables& evaluations_;
  AttackTables& tables_;
  RandomBits bits_;
  std::uint32_t slots_, base_ = 0;
  base::PhiloxKey key_;
  std::uint64_t battle_;
};

template <typename Chance>
PlayedBattle play_with(const Game& game, const BattleState& start, Chance&& chance) {
  PlayedBattle out;
  out.now = start;
  do {
    chance.begin_round(out.now.round);
    game.begin(out.now, chance);
    for (int place = 0; place < game.places(); ++place) out.count(game.engage(out.now, place, chance));
    game.end(out.now);
    for (int s = 0; s < game.ships(); ++s)
      if (!out.now.ship[at(s)].gone) ++out.lived[at(s)];
  } while (!game.over(out.now));
  return out;
}

/// The battles of one thread: several side by side, or with damage decks one by one.
class SampledBattles {
 public:
  SampledBattles(const Game& game, std::uint64_t seed) : game_(game), seed_(seed) {
    if (game.tables().deck() == nullptr) {
      batch_ = std::make_unique<Batch>(game, seed);
    } else {
      alone_.reset(new Alone{RandomPlan(game, seed), game.evaluations()});
    }
  }
  /// Calls ended(b, played) for the battles first <= b < last, in any order.
  template <typename Ended>
  void play(std::uint64_t first, std::uint64_t last, const Ended& ended) {
    if (batch_) return batch_->play(first, last, ended);
    const BattleState start = game_.start();
    for (std::uint64_t b = first; b < last; ++b)
      ended(b, play_with(game_, start, DeckChance(game_, alone_->plan, alone_->evaluations, seed_, b)));
  }

 private:
  struct Alone {
    RandomPlan plan;
    EvaluationTables evaluations;
  };
  const Game& game_;
  std::uint64_t seed_;
  std::unique_ptr<Batch> batch_;
  std::unique_ptr<Alone> alone_;
};

/// Counts how battles ended.
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

void add(const Game& game, const PlayedBattle& played, int rounds_listed, BattleTally& tally, EndCounts& ends) {
  const BattleState& now = played.now;
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
    // Counted in the round of the loss; play_many sums these to "alive after round k".
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

void PlayedBattle::count(const AttackResult& shot) {
  if (shot.engaged_damage > 0) taken[at(shot.engaged)] += shot.engaged_damage;
  if (shot.shooter < 0) return;
  ++shots[at(shot.shooter)];
  done[at(shot.shooter)] += shot.damage;
  earned[at(shot.shooter)] += shot.points;
  taken[at(shot.target)] += shot.damage;
  taken[at(shot.shooter)] += shot.own_damage;
}

BattleTally play_many(const Game& game, std::uint64_t first, std::uint64_t last, const SampleOptions& options,
                      std::vector<std::uint8_t>* results) {
  constexpr std::uint64_t kBlock = 1024;
  const std::uint64_t blocks = (last - first + kBlock - 1) / kBlock;
  if (results != nullptr) results->resize(last - first);
  const BattleState start = game.start();
  const int rounds = game.question().rounds;
  struct Part {
    BattleTally tally;
    EndCounts ends;
    std::unique_ptr<SampledBattles> battles;
  };
  base::PerThread<Part> parts;
  std::atomic<bool> stopped{false};
  std::atomic<std::uint64_t> done{0};
  const auto play_block = [&](std::uint64_t block) {
    Part& part = parts.local();
    const std::uint64_t from = first + block * kBlock, to = std::min(last, from + kBlock);
    const auto ended = [&](std::uint64_t b, const PlayedBattle& played) {
      add(game, played, rounds, part.tally, part.ends);
      if (results != nullptr) (*results)[b - first] = static_cast<std::uint8_t>(game.result(played.now) + 1);
    };
    if (options.dice != nullptr) {
      for (std::uint64_t b = from; b < to; ++b)
        ended(b, play_with(game, start, ReferenceChance(game, *options.dice, options.seed, b)));
    } else {
      if (!part.battles) part.battles = std::make_unique<SampledBattles>(game, options.seed);
      part.battles->play(from, to, ended);
    }
    done += to - from;
  };
  // The first block runs alone: it solves the tables that nearly all battles need.
  play_block(0);
  base::Threads threads(options.threads);
  constexpr std::uint64_t kGroup = 256;  // blocks between two calls of `progress`
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
