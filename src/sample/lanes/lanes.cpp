#include "sample/lanes/lanes.h"

#include <algorithm>
#include <utility>

#include "sample/vector/random_words.h"

namespace salvo::sample {
namespace {

constexpr std::size_t kFewLanes = LaneWords::kLanes / 8;  // may still be walking when the others rest
constexpr int kMaxSteps = 6;                              // per walk

}  // namespace

LaneKernel::LaneKernel(const Setup& setup, const Target& vectors, const Wanted& wanted, const LaneLimits& limits)
    : setup_(setup),
      plan_(setup.plan),
      vectors_(vectors),
      limits_(limits),
      layout_(setup, limits.word_bits),
      workspace_(layout_.program()),
      tally_(plan_, wanted),
      stages_(plan_.attacks.size()),
      at_(kLanes),
      to_(kLanes),
      drawn_(kLanes),
      side_(kLanes) {
  layout_.prepare(workspace_);
  forget();
  std::size_t words = 1;
  for (std::size_t k = 0; k < stages_.size(); ++k) words = std::max(words, layout_.fields(k).words);
  waiting_.resize(words);
}

void LaneKernel::forget() {
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    stages_[k].graph = std::make_unique<LaneGraph>(setup_, k, layout_.fields(k));
  }
  tally_.forget();
}

void LaneKernel::play(std::uint64_t first, std::uint64_t last, Tally& tally) {
  for (start_ = first / kLanes * kLanes; start_ < last; start_ += kLanes) {
    vectors_.play(layout_.program(), setup_.generator, setup_.seed, start_, start_ + kLanes, workspace_, nullptr);
    if (played_.n < kLanes || first > start_ || last < start_ + kLanes) choose_lanes(first, last);
    std::fill(drawn_.begin(), drawn_.end(), 0);
    std::fill(side_.begin(), side_.end(), 0);
    tally_.begin_chunk();
    if (!stages_.empty()) std::fill(at_.begin(), at_.end(), stages_.front().graph->entry(plan_.start));
    std::size_t bytes = 0;
    bool full = tally_.full();
    for (std::size_t k = 0; k < stages_.size(); ++k) {
      play_attack(k);
      bytes += stages_[k].graph->bytes();
      full = full || stages_[k].graph->full();
    }
    tally_.end_chunk(played_, tally);
    if (bytes <= limits_.bytes && !full) continue;
    flush(tally);
    forget();
  }
  flush(tally);
}

void LaneKernel::choose_lanes(std::uint64_t first, std::uint64_t last) {
  played_.n = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t s = start_ + LaneWords::trial(lane);
    if (first <= s && s < last) played_.lane[played_.n++] = static_cast<std::uint16_t>(lane);
  }
}

void LaneKernel::flush(Tally& tally) {
  for (std::size_t k = 0; k < stages_.size(); ++k) tally_.add_ends(k, *stages_[k].graph, tally);
  tally_.add_left(tally);
}

LaneKernel::Words LaneKernel::words(const Stage& stage, std::size_t word) {
  const auto attack = static_cast<std::size_t>(&stage - stages_.data());
  const std::uint64_t* lower = layout_.half(workspace_, attack, word, false);
  return {lower == nullptr ? workspace_.row(0) : lower, layout_.half(workspace_, attack, word, true)};
}

void LaneKernel::play_attack(std::size_t attack) {
  Stage& stage = stages_[attack];
  for (auto& lanes : waiting_) lanes.n = 0;
  drawing_.n = 0;
  waiting_[0] = played_;
  for (bool waits = true; waits;) {
    waits = drawing_.n > 0;
    draw_for_waiting(stage);
    for (std::size_t word = 0; word < waiting_.size(); ++word) {
      if (waiting_[word].n == 0) continue;
      waits = true;
      Lanes& lanes = walking_;
      lanes.n = std::exchange(waiting_[word].n, 0);
      std::copy_n(waiting_[word].begin(), lanes.n, lanes.lane.begin());
      walk(stage, word, lanes);
      const std::size_t unrested = enqueue(stage, word, lanes);
      if (unrested > kFewLanes && stage.steps < kMaxSteps) ++stage.steps;
    }
  }
  const bool last = attack + 1 == stages_.size();
  tally_.end_attack(attack, *stage.graph, last ? nullptr : stages_[attack + 1].graph.get(), at_.data(), played_);
}

/// Moves the lanes by as many steps as most of them need, and drops those whose attack is over from `lanes`.
void LaneKernel::walk(Stage& stage, std::size_t word, Lanes& lanes) {
  const Words at_hand = words(stage, word);
  const auto lower = [&](std::size_t lane) { return std::uint64_t{LaneWords::load(at_hand.lower, lane)}; };
  const auto move = [&](std::size_t lane, std::uint64_t bits) {
    LaneStep step = at_[lane];
    for (int i = 0; i < stage.steps; ++i) step = step.next(stage.graph->tables(), bits);
    return step;
  };
  if (at_hand.upper != nullptr) {
    const auto both = [&](std::size_t lane) {
      return lower(lane) | std::uint64_t{LaneWords::load(at_hand.upper, lane)} << 32;
    };
    return move_lanes(stage, lanes, both, move);
  }
  if (lanes.n < kLanes) return move_lanes(stage, lanes, lower, move);
  if (vectors_.walk(stage.graph->tables(), at_hand.lower, at_.data(), to_.data(), kLanes, stage.steps)) {
    std::swap(at_, to_);
    lanes.n = 0;
    return;
  }
  move_lanes(stage, lanes, lower, [&](std::size_t lane, std::uint64_t) { return to_[lane]; });
}

/// `word`: gives the word of a lane; `move`: gives the step that a lane with its word reaches, which may be unknown.
template <typename Word, typename Move>
void LaneKernel::move_lanes(Stage& stage, Lanes& lanes, const Word& word, const Move& move) {
  std::size_t n = 0;
  for (const std::size_t lane : lanes) {
    const std::uint64_t bits = word(lane);
    LaneStep step = move(lane, bits);
    if (!step.known()) step = stage.graph->walk(at_[lane], bits);
    at_[lane] = step;
    lanes.lane[n] = static_cast<std::uint16_t>(lane);
    n += step.ended() ? 0u : 1u;
  }
  lanes.n = n;
}

/// Queues lanes that have read `word` by what they wait for; returns how many must read the same word again.
std::size_t LaneKernel::enqueue(Stage& stage, std::size_t word, const Lanes& lanes) {
  std::size_t unrested = 0;
  const auto push = [](Lanes& to, std::size_t lane) { to.lane[to.n++] = static_cast<std::uint16_t>(lane); };
  for (const std::size_t lane : lanes) {
    const LaneStep step = at_[lane];
    if (!step.rests()) {
      ++unrested;
      push(waiting_[word], lane);
    } else if (step.why() == LaneStep::Rest::Word) {
      const LaneNode& node = stage.graph->waits_for(step);
      at_[lane] = node.step;
      push(waiting_[stage.graph->field_of(node).word], lane);
    } else if (!step.ended()) {
      push(drawing_, lane);
    }
  }
  return unrested;
}

/// Draws cards and dice without planes until no lane needs one.
void LaneKernel::draw_for_waiting(Stage& stage) {
  LaneGraph& graph = *stage.graph;
  while (drawing_.n > 0) {
    for (const std::size_t lane : drawing_) {
      const LaneNode& node = graph.waits_for(at_[lane]);
      const std::uint64_t s = start_ + LaneWords::trial(lane);
      const std::size_t outcome = node.kind == LaneNode::Kind::Draw ? card_value(setup_.seed, s, drawn_[lane]++, node.n)
                                                                    : side_value(stage, node, s, side_[lane]++);
      at_[lane] = graph.after(at_[lane], outcome);
    }
    walking_ = drawing_;
    drawing_.n = 0;
    enqueue(stage, 0, walking_);
  }
}

/// The value of a die without planes, in the encoding of its field.
std::size_t LaneKernel::side_value(const Stage& stage, const LaneNode& node, std::uint64_t s, int number) const {
  const DieCode& code = node.attack_dice ? setup_.attack_code : setup_.defense_code;
  return std::size_t{unplaced_value(setup_.seed, s, number, code.sides)}
         << (stage.graph->field_of(node).bits - code.bits);
}

}  // namespace salvo::sample
