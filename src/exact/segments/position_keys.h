// Numbers positions in two parts, dice and the rest (PositionKey), and stores facts about each part for fast access.
// First layer of SegmentGraphBuilder. The layers derive from one another instead of holding references, so that the
// recursion reaches all data from one pointer.
#pragma once

#include <bit>
#include <map>

#include "base/index.h"
#include "exact/segments/segment_graph.h"
#include "game/position_parts.h"

namespace salvo::exact {

inline constexpr int kUnknown = -1;

/// A growing array of numbers; kUnknown where none was stored.
class NumberMemo {
 public:
  int find(int at) const { return static_cast<std::size_t>(at) < numbers_.size() ? base::nth(numbers_, at) : kUnknown; }
  void insert(int at, int number) {
    if (static_cast<std::size_t>(at) >= numbers_.size())
      numbers_.resize(std::bit_ceil(static_cast<std::size_t>(at) + 1), kUnknown);
    base::nth(numbers_, at) = number;
  }

 private:
  List<int> numbers_;
};

class PositionKeys {
 protected:
  /// Facts about the dice of a position.
  struct DiceFacts {
    std::int16_t faces = 0;  ///< number of the set of faces among them
    std::uint8_t crits = 0;
  };

  /// Facts about a position without its dice.
  struct RestFacts {
    bool window = false;   ///< a player decides here if there are options
    bool over = false;     ///< the segment ends here
    bool resumes = false;  ///< an effect waits for a roll
    bool interrupted = false;
    std::uint8_t step = 0;
    int decision = kUnknown;                      ///< number of its OptionSuccessors::Decision
    int rerolled = kUnknown;                      ///< the dice-free part after the roll of a die that was picked up
    std::array<int, 2> ties{kUnknown, kUnknown};  ///< by role: index of the tie key without critical hits
  };

  PositionKeys(const game::Plan& plan, std::size_t index, const SegmentGraphSpec& spec, SegmentGraph known)
      : plan_(plan),
        attack_(plan.attacks[index]),
        spec_(spec),
        graph_(std::move(known)),
        tie_{{plan, attack_, false}, {plan, attack_, true}} {
    for (int n = 0; n < static_cast<int>(graph_.dice_free.size()); ++n) rests_.push_back(facts_of(graph_.dice_free[n]));
    for (int n = 0; n < static_cast<int>(graph_.dice.size()); ++n) add_dice(graph_.dice[n]);
  }

  int dice_free_of(game::Position position) {
    position.attack_pool = position.defense_pool = game::Pool();
    const int number = graph_.dice_free.number(position);
    if (static_cast<std::size_t>(number) == rests_.size()) rests_.push_back(facts_of(position));
    return number;
  }
  int dice_of(game::Pool attack, game::Pool defense) {
    const Dice dice{attack, defense};
    const int number = graph_.dice.number(dice);
    if (static_cast<std::size_t>(number) == dice_.size()) add_dice(dice);
    return number;
  }
  PositionKey key_of(const game::Position& position) {
    return {dice_free_of(position), dice_of(position.attack_pool, position.defense_pool)};
  }

  RestFacts& rest(int dice_free) { return base::nth(rests_, dice_free); }
  const RestFacts& rest(int dice_free) const { return base::nth(rests_, dice_free); }
  DiceFacts dice_facts(int dice) const { return base::nth(dice_, dice); }

  /// Index of the tie key that a role gives to the position, if `crits` of its attack dice show critical hits.
  int tie(int dice_free, int crits, bool attacks) {
    int& first = rest(dice_free).ties[attacks];
    if (first == kUnknown) first = add_ties(attacks, tie_[attacks](graph_.dice_free[dice_free]));
    return first + crits;
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const SegmentGraphSpec& spec_;
  SegmentGraph graph_;

 private:
  RestFacts facts_of(const game::Position& dice_free) const {
    RestFacts out;
    out.interrupted = game::interrupted(dice_free);
    out.resumes = dice_free.resume > 0;
    out.step = dice_free.step;
    const bool waits = out.interrupted || out.resumes;
    out.over = !waits && dice_free.step >= spec_.until;
    out.window = !waits && !out.over && base::nth(attack_.steps, dice_free.step).kind == game::Step::Kind::Window;
    return out;
  }

  void add_dice(const Dice& dice) {
    std::uint32_t faces = 0;  // a bit for each face of the attack dice, then of the defense dice
    for (int face = 0; face < base::kMaxFaces; ++face) {
      if (dice.attack.count(face) > 0) faces |= 1u << face;
      if (dice.defense.count(face) > 0) faces |= 1u << (face + base::kMaxFaces);
    }
    const auto number = face_sets_.try_emplace(faces, static_cast<int>(face_sets_.size())).first->second;
    dice_.push_back({static_cast<std::int16_t>(number),
                     static_cast<std::uint8_t>(game::count_face(dice.attack, plan_.attack_die.crit))});
  }

  /// Adds a role's keys for every number of critical hits, the only dice that a TieKey counts. Returns the first index.
  int add_ties(bool attacks, std::uint64_t without_crits) {
    const auto [at, is_new] = first_ties_.try_emplace({attacks, without_crits}, static_cast<int>(graph_.ties.size()));
    for (std::uint64_t crits = 0; is_new && crits <= base::kMaxPool; ++crits)
      graph_.ties.push_back(attacks ? without_crits + crits : without_crits - crits);
    return at->second;
  }

  TieKey tie_[2];
  List<RestFacts> rests_;  ///< by number in SegmentGraph::dice_free
  List<DiceFacts> dice_;   ///< by number in SegmentGraph::dice
  std::map<std::uint32_t, int> face_sets_;
  std::map<std::pair<bool, std::uint64_t>, int> first_ties_;
};

}  // namespace salvo::exact
