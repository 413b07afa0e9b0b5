// The lane kernel: plays a chunk of trials side by side, one per lane. Every lane walks the tables of the attacks
// (lane_graph.h), directed by the dice in its words (lane_words.h). It plays plans that cannot be bit-sliced.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sample/lanes/lane_graph.h"
#include "sample/lanes/lane_tally.h"
#include "sample/lanes/lane_words.h"
#include "sample/vector/vector_kernel.h"

namespace salvo::sample {

/// Limits of the lane kernel. They do not affect answers.
struct LaneLimits {
  /// Size of the graphs of one thread; beyond it they are discarded and rebuilt.
  std::size_t bytes = std::size_t{1} << (sizeof(void*) > 4 ? 29 : 27);
  int word_bits = LaneWords::kWordBits;  ///< bits used of each word
};

/// The lane kernel of one thread.
class LaneKernel {
 public:
  /// Throws UnsupportedByKernel for a plan that the lane kernel does not play.
  LaneKernel(const Setup& setup, const Target& vectors, const Wanted& wanted, const LaneLimits& limits = LaneLimits());

  /// Plays the trials first <= s < last and adds them to `tally`.
  void play(std::uint64_t first, std::uint64_t last, Tally& tally);

 private:
  static constexpr std::size_t kLanes = LaneWords::kLanes;

  /// One attack.
  struct Stage {
    std::unique_ptr<LaneGraph> graph;
    int steps = 1;  ///< steps that most trials take between two rests
  };
  /// Halves of the current words, by lane; `upper` may be null.
  struct Words {
    const std::uint64_t *lower = nullptr, *upper = nullptr;
  };

  void choose_lanes(std::uint64_t first, std::uint64_t last);
  void play_attack(std::size_t attack);
  Words words(const Stage& stage, std::size_t word);
  void walk(Stage& stage, std::size_t word, Lanes& lanes);
  template <typename Word, typename Move>
  void move_lanes(Stage& stage, Lanes& lanes, const Word& word, const Move& move);
  std::size_t enqueue(Stage& stage, std::size_t word, const Lanes& lanes);
  void draw_for_waiting(Stage& stage);
  std::size_t side_value(const Stage& stage, const LaneNode& node, std::uint64_t s, int number) const;
  void flush(Tally& tally);
  void forget();

  const Setup& setup_;
  const game::Plan& plan_;
  Target vectors_;
  LaneLimits limits_;
  LaneWords layout_;
  Workspace workspace_;
  LaneTally tally_;
  std::vector<Stage> stages_;
  std::uint64_t start_ = 0;  ///< first trial of the chunk
  Lanes played_;             ///< lanes whose trials are wanted

  std::vector<LaneStep> at_, to_;            ///< by lane: current step, next step
  std::vector<std::uint16_t> drawn_, side_;  ///< by lane: draws so far of damage cards; of dice without planes
  std::vector<Lanes> waiting_;               ///< by the word to read next
  Lanes drawing_;                            ///< lanes that need a card or a die without planes
  Lanes walking_;                            ///< lanes taken from the waiting lists
};

}  // namespace salvo::sample
