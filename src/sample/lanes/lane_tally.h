// LaneTally: what trials of the lane kernel have been through, and how often. What an attack counts for itself is
// counted by its ends; what adds up over attacks is kept for each lane until the last one is over, or, where there is
// one attack only, counted by its ends too. In: ends of LaneGraphs. Out: a Tally.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sample/bitsliced/circuit.h"
#include "sample/lanes/lane_graph.h"

namespace salvo::sample {

/// Numbers of some lanes.
struct Lanes {
  std::array<std::uint16_t, LaneWords::kLanes> lane;
  std::size_t n = 0;
  const std::uint16_t* begin() const { return lane.data(); }
  const std::uint16_t* end() const { return lane.data() + n; }
};

class LaneTally {
 public:
  /// Throws UnsupportedByKernel for more attacks than its figures hold.
  LaneTally(const game::Plan& plan, const Wanted& wanted);

  void begin_chunk();
  /// Adds the ends of an attack at which lanes rest, and moves them to the step at which `next`, if any, begins with
  /// what they have left. Graphs are the same from call to call until forget().
  void end_attack(std::size_t attack, const LaneGraph& graph, LaneGraph* next, LaneStep* at, const Lanes& lanes);
  void end_chunk(const Lanes& lanes, Tally& tally);
  /// It is time to add what was counted, and to forget.
  bool full() const;
  /// Add what was counted by ends and by what was left; before graphs are forgotten and at the end of play.
  void add_ends(std::size_t attack, const LaneGraph& graph, Tally& tally);
  void add_left(Tally& tally);
  /// The graphs are made anew.
  void forget();

 private:
  static constexpr std::size_t kLanes = LaneWords::kLanes;
  static constexpr std::size_t kCopies = 2;  ///< of counts, so that lanes beside each other do not wait for each other

  /// What an end changes, in the form in which lanes keep it, and how often it came.
  struct Change {
    std::uint64_t gained = 0, suffered = 0;
    std::uint32_t ship = 0;         ///< that suffered: where its lanes begin in suffered_
    std::uint32_t left : 31 = 0;    ///< number of what the attack leaves
    std::uint32_t several : 1 = 0;  ///< more than one ship suffered: see the end
    std::array<std::uint32_t, kCopies> times{};
  };
  /// After one attack: what is left, by what was left before it and by Change::left; and where the next one begins.
  struct Transition {
    std::uint64_t key = ~std::uint64_t{0};
    std::uint32_t left = 0;
    LaneStep next;
  };
  /// Of one attack.
  struct Stage {
    std::vector<Change> changes;        ///< by end
    std::vector<game::Resources> left;  ///< by Change::left
    std::unordered_map<game::Resources, std::uint32_t, ResourcesHash> known;
    std::vector<Transition> transitions;  ///< by hash: those met last
  };

  void find_changes(Stage& stage, const LaneGraph& graph);
  void count(Stage& stage, const LaneGraph& graph, const LaneStep* at, const Lanes& lanes);
  void change(Stage& stage, const LaneGraph& graph, LaneGraph* next, LaneStep* at, const Lanes& lanes);
  void suffer(const LaneEnd& end, std::size_t lane);
  Transition find(const Stage& stage, std::uint64_t key, const game::Resources& mask, LaneGraph* next);
  std::uint32_t number_of(const game::Resources& resources);
  void add_gained(Tally& tally) const;
  void add_ended(const LaneEnd& end, std::uint64_t n, AttackTally& attack, Tally& tally);
  void add_resources(const game::Resources& resources, std::uint64_t n, Tally& tally) const;

  const game::Plan& plan_;
  Wanted wanted_;
  bool alone_;  ///< the plan has one attack only

  // By lane:
  std::vector<std::uint32_t> left_of_;   ///< number of its resources
  std::vector<std::uint64_t> suffered_;  ///< by ship, then by lane: hits, crits, damage and cards, 16 bits each
  std::vector<std::uint64_t> gained_;    ///< mine, and theirs from bit 32 on; 0 where a lane is not played

  std::vector<Stage> stages_;
  std::vector<bool> hurt_;              ///< ships that suffered in any trial
  std::uint64_t counted_trials_ = 0;    ///< in Change::times
  std::vector<game::Resources> left_;   ///< by number: what trials have left after any attack
  std::vector<std::uint64_t> leaving_;  ///< how many have it left after the last one
  std::unordered_map<game::Resources, std::uint32_t, ResourcesHash> numbers_;
};

}  // namespace salvo::sample
