#include "battle/random_bits.h"

#include <algorithm>
#include <bit>

#include "battle/sample.h"

namespace salvo::battle {

RandomPlan::RandomPlan(const Game& game, std::uint64_t seed)
    : game_(game), slots_(static_cast<std::uint32_t>(game.slots())), key_(base::philox_key(seed)) {
  for (int r = 0; r < game.question().rounds; ++r) {
    OfRound round;
    round.slot = static_cast<std::uint32_t>(r) * slots_;
    round.block = round.slot / 2;
    const auto add = [&](std::uint64_t& to, int slot) {
      to |= std::uint64_t{1} << ((round.slot + static_cast<std::uint32_t>(slot)) / 2 - round.block);
    };
    const FlightRound& flight_round = game.flight_rounds()[std::min(at(r), game.flight_rounds().size() - 1)];
    for (int s = 0; s < game.ships(); ++s) {
      add(round.ship[at(s)], game.attack_slot(s));
      if (flight_round.no_action[at(s)] > 0 && flight_round.no_action[at(s)] < 100)
        add(round.ship[at(s)], game.no_action_slot(s));
      const int near = flight_round.near_friends[at(s)];
      if (game.type_of(s).helped >= 0 && near > 0 && near < 100) add(round.ship[at(s)], game.help_slot(s));
      round.all |= round.ship[at(s)];
    }
    for (int p = 0; p < game.pairs(); ++p) {
      if (flight_round.pairs[at(p)].list.size() > 1) add(round.pair[at(p)], game.pair_slot(p));
      round.all |= round.pair[at(p)];
    }
    rounds_.push_back(round);
  }
}

void RandomBits::begin_round(const RandomPlan& plan, std::uint64_t battle, int round, std::uint64_t blocks) {
  const RandomPlan::OfRound& of = plan.rounds_[at(round)];
  slot_ = of.slot;
  block_ = of.block;
  key_ = plan.key_;
  battle_ = battle;
  known_ = blocks;
  const auto low = static_cast<std::uint32_t>(battle), high = static_cast<std::uint32_t>(battle >> 32);
  while (blocks != 0) {
    std::array<std::uint32_t, base::kPhiloxBlocks> places;
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<std::uint32_t>(std::countr_zero(blocks));
      const std::uint64_t rest = blocks & (blocks - 1);
      // The last group of four is filled up with its last block.
      blocks = rest == 0 && i + 1 < places.size() ? blocks : rest;
    }
    const auto made = base::philox4x32_blocks({low, high, block_, kBattleStream}, places, key_);
    for (std::size_t i = 0; i < places.size(); ++i) words_[places[i]] = made[i];
  }
}

void RandomBits::make(std::uint32_t place) {
  known_ |= std::uint64_t{1} << place;
  words_[place] = base::philox4x32(
      {static_cast<std::uint32_t>(battle_), static_cast<std::uint32_t>(battle_ >> 32), block_ + place, kBattleStream},
      key_);
}

}  // namespace salvo::battle
