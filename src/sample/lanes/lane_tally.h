// Counts what happened to the trials of the lane kernel. Values of a single attack are counted by the end at which it
// arrived. Values that add up over attacks are accumulated per lane until the last attack is over; a plan with one
// attack counts these by ends, too.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sample/bitsliced/circuit.h"
#include "sample/lanes/lane_graph.h"

namespace salvo::sample {

/// A list of lane numbers.
struct Lanes {
  std::array<std::uint16_t, LaneWords::kLanes> lane;
  std::size_t n = 0;
  const std::uint16_t* begin() const { return lane.data(); }
  const std::uint16_t* end() const { return lane.data() + n; }
};

class LaneTally {
 public:
  /// Throws UnsupportedByKernel for more attacks than its packed values can hold.
  LaneTally(const game::Plan& plan, const Wanted& wanted);

  void begin_chunk();
  /// Counts the ends of an attack at which lanes rest, and moves the lanes to the step at which `next`, if any, begins
  /// with the resources they have left. The graphs must be the same in all calls until forget().
  void end_attack(std::size_t attack, const LaneGraph& graph, LaneGraph* next, LaneStep* at, const Lanes& lanes);
  void end_chunk(const Lanes& lanes, Tally& tally);
  /// The counts should be added to a tally, and forgotten.
  bool full() const;
  /// Add the counts by end, and by resources left. Call them before graphs are discarded and at the end of play.
  void add_ends(std::size_t attack, const LaneGraph& graph, Tally& tally);
  void add_left(Tally& tally);
  /// Call when the graphs are discarded.
  void forget();

 private:
  static constexpr std::size_t kLanes = LaneWords::kLanes;
  static constexpr std::size_t kCopies = 2;  ///< of each count, so that neighbouring lanes need not wait for each other

  /// What an end changes, packed as lanes store it, and how often it occurred.
  struct Change {
    std::uint64_t gained = 0, suffered = 0;
    std::uint32_t ship = 0;         ///< the ship that suffered, as the index of its first lane in suffered_
    std::uint32_t left : 31 = 0;    ///< number of the resources that the attack leaves
    std::uint32_t several : 1 = 0;  ///< more than one ship suffered: read the LaneEnd
    std::array<std::uint32_t, kCopies> times{};
  };
  /// The effect of one attack on resources: from those before it and Change::left to those after it, and where the next
  /// attack begins.
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
    std::vector<Transition> transitions;  ///< direct-mapped cache
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
  std::vector<bool> hurt_;              ///< by ship: it suffered in some trial
  std::uint64_t counted_trials_ = 0;    ///< in Change::times
  std::vector<game::Resources> left_;   ///< by number: resources after some attack
  std::vector<std::uint64_t> leaving_;  ///< by number: trials that have them after the last attack
  std::unordered_map<game::Resources, std::uint32_t, ResourcesHash> numbers_;
};

}  // namespace salvo::sample
