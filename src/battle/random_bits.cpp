// Random bits: see random_bits.h.
#include "battle/random_bits.h"

#include <algorithm>

#include "battle/sample.h"

namespace salvo::battle {

RandomPlan::RandomPlan(const Game& game, std::uint64_t seed)
    : slots_(static_cast<std::uint32_t>(game.slots())), key_(philox_key(seed)) {
  for (int r = 0; r < game.question().rounds; ++r) {
    OfRound round;
    round.slot = static_cast<std::uint32_t>(r) * slots_;
    round.block = round.slot / 2;
    const auto add = [&](int slot) {
      round.known |= std::uint64_t{1} << ((round.slot + static_cast<std::uint32_t>(slot)) / 2 - round.block);
    };
    const Leg& leg = game.legs()[std::min(at(r), game.legs().size() - 1)];
    for (int s = 0; s < game.ships(); ++s) {
      add(game.attack_slot(s));
      if (leg.no_action[at(s)] > 0 && leg.no_action[at(s)] < 100) add(game.no_action_slot(s));
    }
    for (int p = 0; p < game.pairs(); ++p) {
      if (leg.pairs[at(p)].list.size() > 1) add(game.pair_slot(p));
    }
    std::size_t n = 0;
    for (std::uint32_t place = 0; place < 64; ++place) {
      if ((round.known >> place & 1) == 0) continue;
      // What is left of the last four is this block again.
      if (n % kPhiloxBlocks == 0) round.usual.emplace_back().fill(place);
      round.usual.back()[n++ % kPhiloxBlocks] = place;
    }
    rounds_.push_back(std::move(round));
  }
}

void RandomBits::begin_round(const RandomPlan& plan, std::uint64_t battle, int round) {
  const RandomPlan::OfRound& of = plan.rounds_[at(round)];
  slot_ = of.slot;
  block_ = of.block;
  key_ = plan.key_;
  battle_ = battle;
  known_ = of.known;
  const auto low = static_cast<std::uint32_t>(battle), high = static_cast<std::uint32_t>(battle >> 32);
  for (const auto& places : of.usual) {
    const auto made = philox4x32_blocks({low, high, block_, kBattleStream}, places, key_);
    for (std::size_t i = 0; i < places.size(); ++i) words_[places[i]] = made[i];
  }
}

void RandomBits::make(std::uint32_t place) {
  known_ |= std::uint64_t{1} << place;
  words_[place] = philox4x32(
      {static_cast<std::uint32_t>(battle_), static_cast<std::uint32_t>(battle_ >> 32), block_ + place, kBattleStream},
      key_);
}

}  // namespace salvo::battle
