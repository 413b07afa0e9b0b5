// One attack under a policy as a graph of nodes that wait for dice or cards, built as play reaches them. The lane
// kernel walks it for many trials at once, so rules and policy are evaluated once per position instead of once per
// trial. It yields tables of steps (lane_step.h) and the ways in which attacks end.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "sample/kernel.h"
#include "sample/lanes/lane_step.h"
#include "sample/lanes/lane_words.h"

namespace salvo::sample {

struct ResourcesHash {
  std::size_t operator()(const game::Resources& resources) const {
    base::Hasher h;
    for (const std::uint64_t word : resources.words) h.add(word);
    return static_cast<std::size_t>(h.value());
  }
};

/// What a trial waits for.
struct LaneNode {
  enum class Kind : std::uint8_t {
    Roll,    ///< dice of the first roll of a pool
    Reroll,  ///< dice of a reroll
    Side,    ///< one die outside both pools
    Draw     ///< a damage card
  };
  Kind kind = Kind::Roll;
  bool attack_dice = false;
  bool ordered = false;        ///< it still matters which die shows which face
  bool placed = true;          ///< its bits are in a word
  std::uint8_t n = 0;          ///< dice of a roll; remaining cards
  std::uint8_t first = 0;      ///< slot of its first die
  std::uint16_t slots = 0;     ///< bit set of the dice of a reroll, relative to `first`; others may lie between them
  std::uint8_t bits = 0;       ///< that select the outcome, from `first` on; field_of().bits for each die
  std::uint32_t outcomes = 0;  ///< index of the table of its successors
  LaneStep step;               ///< waits for this node
  LaneStep gate;               ///< the same for trials that read another word; may be unknown
};

/// How an attack ended, and what it changed.
struct LaneEnd {
  struct Suffered {
    std::uint32_t ship = 0;
    std::uint16_t hits = 0, crits = 0, damage = 0, faceup = 0;
    bool operator==(const Suffered&) const = default;
    bool any() const { return hits + crits + damage + faceup != 0; }
  };
  game::Resources resources;
  bool happens = false, hits_at_all = false;
  int attack_dice = 0, defense_dice = 0, hits = 0, crits = 0;
  std::array<Suffered, game::kVictims> suffered{};  ///< by Victim
  int mine = 0, theirs = 0;                         ///< payoff of each side
  bool operator==(const LaneEnd&) const = default;
};

class LaneGraph {
 public:
  /// `fields` must outlive the graph. Throws UnsupportedByKernel for an attack that the lane kernel does not play.
  LaneGraph(const Setup& setup, std::size_t attack, const LaneFields& fields);

  /// The step at which the attack begins with these resources.
  LaneStep entry(const game::Resources& resources);
  /// All tables of steps, for LaneStep::next(). Valid until the next call that adds a step.
  const LaneStep* tables() const { return tables_.data(); }
  /// Follows a word until the trial rests.
  LaneStep walk(LaneStep step, std::uint64_t word);
  /// The node at which a trial rests for a card, a die without planes, or another word.
  const LaneNode& waits_for(LaneStep step) const { return nodes_[number_of(step)]; }
  /// The step after such a node. `outcome`: the value of the die, or the position of the card among the remaining ones.
  LaneStep after(LaneStep step, std::size_t outcome) {
    const LaneNode& node = waits_for(step);
    const LaneStep known = tables_[node.outcomes + outcome];
    return known.known() ? known : find_next(number_of(step), outcome);
  }
  /// Where the words hold the dice of a node.
  const LaneField& field_of(const LaneNode& node) const;
  /// The number of the end, or of the node, at which a trial rests.
  std::uint32_t number_of(LaneStep rest) const { return tables_[rest.place() + LaneStep::kNumberAt].number(); }
  const LaneEnd& end(std::uint32_t number) const { return ends_[number]; }
  std::size_t ends() const { return ends_.size(); }
  /// The resources that the attack reads or changes.
  const game::Resources& mask() const { return mask_; }
  std::size_t bytes() const;
  /// The graph should be discarded and rebuilt.
  bool full() const { return tables_.size() > LaneStep::kMaxEntries / 2; }

 private:
  /// A position, and the additional state of the lane kernel.
  struct State {
    game::Position position;
    std::uint64_t attack_order = 0,
                  defense_order =
                      0;      ///< nibbles by slot: face, plus 8 for a rerolled die; 0: the order does not matter
    std::uint32_t start = 0;  ///< index into starts_
    std::uint16_t pending_slots = 0;  ///< to be rerolled
    std::uint8_t rolled = 0;          ///< dice of the current roll that are on the table already
    std::uint8_t side_rolled = 0;
    bool unseen_exposed = false;  ///< the card to expose is one that no player has seen
    std::uint8_t attack_dice = 0, defense_dice = 0;
    std::array<std::uint8_t, game::kVictims> drawn{};  ///< cards dealt faceup
    bool operator==(const State&) const = default;
  };
  struct Hash {
    std::size_t operator()(const State& state) const;
    std::size_t operator()(const LaneEnd& end) const;
  };

  void check() const;
  LaneStep find_next(std::uint32_t node, std::size_t outcome);
  LaneStep play_on(const LaneNode& node, State state, std::size_t outcome);
  std::size_t representative(const LaneNode& node, std::size_t outcome) const;
  LaneStep linked(LaneStep step, std::size_t word);
  void count_cards(const State& state, std::vector<int>& cards) const;
  LaneStep draw(State state, std::size_t kind);
  template <typename Act>
  auto count_dealt(State& state, Act&& act);
  LaneStep play_to_chance(State state);
  void decide(State& state);
  void drop_unread(State& state) const;
  void reorder_dice(State& state, const game::Effect& effect, const game::Pool& chosen) const;
  void forget_order(State& state) const;
  LaneStep number(State state);
  LaneStep add_end(const LaneEnd& end);
  LaneStep add_rest(LaneStep::Rest kind, std::uint32_t number);
  std::size_t add_table(std::size_t entries);
  LaneEnd end_of(const State& state) const;
  LaneNode describe(const State& state) const;
  const DieCode& code(bool attack_dice) const { return attack_dice ? setup_.attack_code : setup_.defense_code; }
  /// Whether a damage card is to be turned faceup.
  static bool draws(const game::Position& position) {
    return position.pending == 0 && (position.due != 0 || position.exposures != 0);
  }
  static std::uint64_t& order(State& state, bool attack_dice) {
    return attack_dice ? state.attack_order : state.defense_order;
  }

  const Setup& setup_;
  const game::Plan& plan_;
  std::size_t index_;
  const game::AttackPlan& attack_;
  game::Resources mask_;
  const LaneFields& fields_;
  std::vector<LaneStep> tables_;
  std::vector<std::uint32_t> node_at_;  ///< by index of its table, in units of LaneStep::kUnit
  std::vector<LaneNode> nodes_;
  std::vector<State> states_;  ///< by node
  std::vector<LaneEnd> ends_;
  std::vector<game::Resources> starts_;
  std::unordered_map<State, std::uint32_t, Hash> known_;
  std::unordered_map<LaneEnd, LaneStep, Hash> known_ends_;
  std::unordered_map<game::Resources, LaneStep, ResourcesHash> entries_;
  std::vector<game::Option> options_;
};

}  // namespace salvo::sample
