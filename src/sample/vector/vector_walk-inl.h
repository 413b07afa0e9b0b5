// The steps of the lane kernel (lane_step.h) in vectors, one trial per 32-bit lane. Included once per instruction set
// by vector_kernel.cpp, after vector_random-inl.h.
#if defined(SALVO_SAMPLE_VECTOR_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SALVO_SAMPLE_VECTOR_WALK_INL_H_
#undef SALVO_SAMPLE_VECTOR_WALK_INL_H_
#else
#define SALVO_SAMPLE_VECTOR_WALK_INL_H_
#endif

#include "hwy/highway.h"
#include "sample/lanes/lane_step.h"
#include "sample/vector/vector_random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace salvo::sample::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using V32 = hn::Vec<D32>;

/// LaneStep::next for words that use only their lower half.
HWY_INLINE V32 next_steps(const std::uint32_t* tables, V32 steps, V32 words) {
  const D32 d;
  const hn::RebindToSigned<D32> d_signed;
  const V32 left = hn::And(steps, hn::Set(d, 31));
  // The code stores the shift for 64-bit words minus 48 (8 to 15); 32-bit words need 24 to 31.
  const V32 right = hn::Add(hn::ShiftRight<LaneStep::kRightAt>(steps), hn::Set(d, 16));
  const V32 place = hn::ShiftRight<2>(hn::And(steps, hn::Set(d, LaneStep::kPlace)));
  static_assert(LaneStep::kPlaceUnit == 4 * LaneStep::kUnit);
  const V32 at = hn::Add(place, hn::Shr(hn::Shl(words, left), right));
  return hn::GatherIndex(d, tables, hn::BitCast(d_signed, at));
}
#endif

/// Moves `lanes` trials by `times` steps from `from` on and stores where they arrive in `to`; true if all have ended.
/// `words`: 32 bits per trial. `lanes` is a multiple of 64.
inline bool walk(const LaneStep* tables, const std::uint64_t* words, const LaneStep* from, LaneStep* to,
                 std::size_t lanes, int times) {
#if HWY_TARGET == HWY_SCALAR
  bool ended = true;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    LaneStep step = from[lane];
    const std::uint64_t word = words[lane / 2] >> lane % 2 * 32 & 0xffffffffu;
    for (int i = 0; i < times; ++i) step = step.next(tables, word);
    to[lane] = step;
    ended = ended && step.ended();
  }
  return ended;
#else
  static_assert(sizeof(LaneStep) == sizeof(std::uint32_t));
  const auto* entries = reinterpret_cast<const std::uint32_t*>(tables);
  const auto* starts = reinterpret_cast<const std::uint32_t*>(from);
  auto* out = reinterpret_cast<std::uint32_t*>(to);
  const D32 d;
  constexpr std::size_t kPerVector = hn::MaxLanes(D32());
  constexpr std::size_t kAtOnce = 4;  // so that one waits for its table while the others continue
  V32 differ = hn::Zero(d);
  for (std::size_t lane = 0; lane < lanes; lane += kAtOnce * kPerVector) {
    V32 word[kAtOnce];
    V32 step[kAtOnce];
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      word[i] = hn::BitCast(d, hn::Load(D64(), words + (lane + i * kPerVector) / 2));
      step[i] = hn::LoadU(d, starts + lane + i * kPerVector);
    }
    for (int n = 0; n < times; ++n) {
      for (std::size_t i = 0; i < kAtOnce; ++i) step[i] = next_steps(entries, step[i], word[i]);
    }
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      hn::StoreU(step[i], d, out + lane + i * kPerVector);
      differ = hn::Or(differ, hn::Xor(hn::Or(step[i], hn::Set(d, LaneStep::kPlace)),
                                      hn::Set(d, LaneStep::kEnded | LaneStep::kPlace)));
    }
  }
  return hn::AllTrue(d, hn::Eq(differ, hn::Zero(d)));
#endif
}

}  // namespace salvo::sample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
