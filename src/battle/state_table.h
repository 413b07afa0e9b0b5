// Numbers the states of a battle in the order in which they are first reached.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/bit_cast.h"
#include "base/row_table.h"
#include "battle/game.h"

namespace salvo::battle {

class StateTable {
 public:
  /// Throws PlanTooLarge where a state needs more words.
  explicit StateTable(const Game& game) : game_(game) {
    std::size_t most = 1;
    for (const FlightRound& flight_round : game.flight_rounds()) {
      for (const GeometryDistribution& cases : flight_round.pairs) most = std::max(most, cases.list.size());
    }
    geometry_bits_ = static_cast<int>(std::bit_width(most - 1));
    if (const DeckModel* cards = game.tables().deck()) {
      hand_bits_ = cards->hand.bits();
      seen_bits_ = cards->counts.seen.bits();
    }
    scored_bits_ = static_cast<int>(std::bit_width(static_cast<unsigned>(game.most_scored())));
    const int bits = 2 * scored_bits_ + game.ships() * (kShipBits + hand_bits_) + game.pairs() * geometry_bits_ +
                     kRoundBits + 1 + 2 * seen_bits_;
    // The bits that can be lost at the ends of words: a field that does not fit begins a new word.
    const int lost = 8 * (std::max({kShipBits, hand_bits_, seen_bits_}) - 1);
    if (game.tables().deck() != nullptr && bits > 8 * 64 - lost)
      throw PlanTooLarge("the exact engine cannot follow so many ships with their damage cards; sample the battle",
                         bits, 8 * 64 - lost);
    constexpr int kRoom = 8 * 64 - 8 * (kShipBits - 1);
    if (bits > kRoom)
      throw PlanTooLarge("the exact engine cannot follow so many ships; sample the battle", bits, kRoom);
  }

  std::size_t number(const BattleState& now) {
    Words words{};
    const auto halves = 2 * pack(now, words);
    const auto row = base::bit_cast<std::array<std::uint32_t, 2 * kWords>>(words);
    std::uint32_t near = 0;  // positions of one round have the same health, or less
    for (int s = 0; s < game_.ships(); ++s) near = 7 * near + now.ship[at(s)].health;
    return table_.number(std::span(row).first(halves), near);
  }
  std::size_t size() const { return table_.size(); }
  BattleState operator[](std::size_t i) const {
    std::array<std::uint32_t, 2 * kWords> row{};
    const auto packed = table_[i];
    std::copy(packed.begin(), packed.end(), row.begin());
    return unpack(base::bit_cast<Words>(row));
  }

 private:
  static constexpr std::size_t kWords = 8;
  using Words = std::array<std::uint64_t, kWords>;
  static constexpr int kShipBits = 22, kRoundBits = 7;
  static_assert(kMaxHealth < 1 << 6 && kMaxStates <= 1 << 9 && kMaxShips < 1 << 5 &&
                kMaxBattleRounds < 1 << kRoundBits);

  struct Cursor {
    std::size_t word = 0;
    int at = 0;
    int step(int bits) {
      if (at + bits > 64) {
        ++word;
        at = 0;
      }
      const int out = at;
      at += bits;
      return out;
    }
  };

  /// Returns the number of words that it takes.
  std::size_t pack(const BattleState& now, Words& words) const {
    Cursor to;
    const auto put = [&](int bits, std::uint64_t value) {
      const int shift = to.step(bits);
      words[to.word] |= value << shift;
    };
    put(kRoundBits, now.round);
    put(1, now.mine_first);
    for (std::size_t side = 0; side < 2 && scored_bits_ > 0; ++side) put(scored_bits_, now.scored[side]);
    for (int s = 0; s < game_.ships(); ++s) {
      const ShipState& ship = now.ship[at(s)];
      put(kShipBits, static_cast<std::uint64_t>(ship.health) | static_cast<std::uint64_t>(ship.lock + 1) << 6 |
                         std::uint64_t{ship.gone} << 11 | std::uint64_t{ship.dying} << 12 |
                         static_cast<std::uint64_t>(ship.state) << 13);
    }
    for (int p = 0; p < game_.pairs() && geometry_bits_ > 0; ++p) put(geometry_bits_, now.geometry[at(p)]);
    for (int s = 0; s < game_.ships() && hand_bits_ > 0; ++s) put(hand_bits_, now.hand[at(s)]);
    for (std::size_t side = 0; side < 2 && seen_bits_ > 0; ++side) put(seen_bits_, now.seen[side]);
    return to.word + 1;
  }

  BattleState unpack(const Words& words) const {
    BattleState out;
    Cursor from;
    const auto take = [&](int bits) {
      const int shift = from.step(bits);
      return words[from.word] >> shift & ((std::uint64_t{1} << bits) - 1);
    };
    out.round = static_cast<std::uint8_t>(take(kRoundBits));
    out.mine_first = static_cast<std::uint8_t>(take(1));
    for (std::size_t side = 0; side < 2 && scored_bits_ > 0; ++side)
      out.scored[side] = static_cast<std::uint16_t>(take(scored_bits_));
    for (int s = 0; s < game_.ships(); ++s) {
      const std::uint64_t bits = take(kShipBits);
      out.ship[at(s)] = {.health = static_cast<std::uint8_t>(bits & 63),
                         .lock = static_cast<std::int8_t>(static_cast<int>(bits >> 6 & 31) - 1),
                         .gone = (bits >> 11 & 1) != 0,
                         .dying = (bits >> 12 & 1) != 0,
                         .state = static_cast<std::uint16_t>(bits >> 13)};
    }
    for (int s = game_.ships(); s < kMaxShips; ++s) out.ship[at(s)].gone = true;
    for (int p = 0; p < game_.pairs() && geometry_bits_ > 0; ++p)
      out.geometry[at(p)] = static_cast<std::uint8_t>(take(geometry_bits_));
    for (int s = 0; s < game_.ships() && hand_bits_ > 0; ++s) {
      out.hand[at(s)] = take(hand_bits_);
      game_.update_hand_ids(out, s);
    }
    for (std::size_t side = 0; side < 2 && seen_bits_ > 0; ++side) out.seen[side] = take(seen_bits_);
    return out;
  }

  const Game& game_;
  int scored_bits_ = 0, geometry_bits_ = 0, hand_bits_ = 0, seen_bits_ = 0;
  base::RowTable table_;
};

}  // namespace salvo::battle
