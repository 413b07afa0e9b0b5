// A straight attack in vectors: a bit of each die of hundreds of sequences at a time. Included once for each
// instruction set by vector_kernel.cpp. Bits b2 b1 b0 of a die: blank 00x, focus 01x, attack dice crit 100 and hit
// otherwise; defense dice blank 100 and evade otherwise (straight.cpp makes sure of it).
#if defined(SALVO_SAMPLE_VECTOR_ATTACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SALVO_SAMPLE_VECTOR_ATTACK_INL_H_
#undef SALVO_SAMPLE_VECTOR_ATTACK_INL_H_
#else
#define SALVO_SAMPLE_VECTOR_ATTACK_INL_H_
#endif

#include "hwy/highway.h"
#include "sample/vector_logic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace salvo::sample::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kRow = kLargestChunk / 64;  ///< words from row to row

/// Three bits of a count, lowest first.
struct Bits3 {
  V b0, b1, b2;
};

HWY_INLINE V xor3(V a, V b, V c) { return ternary<Xor3>(a, b, c); }
HWY_INLINE V majority(V a, V b, V c) { return ternary<Majority>(a, b, c); }

/// How many of kDice bits are set.
template <std::size_t kDice>
HWY_INLINE Bits3 count_up(const V* x) {
  const V zero = hn::Zero(D64());
  if constexpr (kDice == 0) return {zero, zero, zero};
  if constexpr (kDice == 1) return {x[0], zero, zero};
  if constexpr (kDice == 2) return {hn::Xor(x[0], x[1]), hn::And(x[0], x[1]), zero};
  if constexpr (kDice >= 3) {
    const V sum = xor3(x[0], x[1], x[2]);
    const V carry = majority(x[0], x[1], x[2]);
    if constexpr (kDice == 3) return {sum, carry, zero};
    if constexpr (kDice == 4) {
      const V carry_on = hn::And(sum, x[3]);
      return {hn::Xor(sum, x[3]), hn::Xor(carry, carry_on), hn::And(carry, carry_on)};
    }
    if constexpr (kDice == 5) {
      const V carry_on = majority(sum, x[3], x[4]);
      return {xor3(sum, x[3], x[4]), hn::Xor(carry, carry_on), hn::And(carry, carry_on)};
    }
    if constexpr (kDice == 6) {
      const Bits3 rest = count_up<3>(x + 3);
      const V carry_on = hn::And(sum, rest.b0);
      return {hn::Xor(sum, rest.b0), xor3(carry, rest.b1, carry_on), majority(carry, rest.b1, carry_on)};
    }
  }
}

template <Straight::Reroll kReroll, bool kFocus>
HWY_INLINE void attack_die(const std::uint64_t* HWY_RESTRICT planes, V& hit, V& crit) {
  const D64 d;
  V b2 = hn::Load(d, planes);
  V b1 = hn::Load(d, planes + kRow);
  const V b0 = hn::Load(d, planes + 2 * kRow);
  if constexpr (kReroll == Straight::Reroll::Blanks) {
    const V r2 = hn::Load(d, planes + 3 * kRow);
    const V r1 = hn::Load(d, planes + 4 * kRow);
    const V kept = b2;
    b2 = hn::Or(b2, hn::AndNot(b1, r2));
    b1 = hn::Or(b1, hn::AndNot(kept, r1));
  }
  if constexpr (kReroll == Straight::Reroll::BlanksAndFocuses) {
    const V r2 = hn::Load(d, planes + 3 * kRow);
    const V r1 = hn::Load(d, planes + 4 * kRow);
    b1 = ternary<Choose<>>(b2, b1, r1);
    b2 = hn::Or(b2, r2);
  }
  crit = ternary<Twice<Op::Or, Op::AndNot>>(b1, b0, b2);
  hit = kFocus ? ternary<Twice<Op::Or, Op::AndNot, true>>(b2, b1, crit) : hn::AndNot(crit, b2);
}

template <std::size_t kDice, Straight::Reroll kReroll, bool kFocus>
HWY_INLINE void attack_pool(const std::uint64_t* HWY_RESTRICT planes, std::size_t stride, Bits3& hits, Bits3& crits) {
  V hit[kDice];
  V crit[kDice];
  for (std::size_t i = 0; i < kDice; ++i) {
    attack_die<kReroll, kFocus>(planes + i * stride * kRow, hit[i], crit[i]);
  }
  hits = count_up<kDice>(hit);
  crits = count_up<kDice>(crit);
}

/// Evade results; `evade`: all ones where one other die becomes one more, else zero.
template <std::size_t kDice, bool kFocus>
HWY_INLINE Bits3 defense_pool(const std::uint64_t* HWY_RESTRICT planes, std::size_t stride, V evade) {
  const D64 d;
  V evades[kDice + 1];
  V all = hn::Not(hn::Zero(d));
  for (std::size_t i = 0; i < kDice; ++i) {
    const std::uint64_t* die = planes + i * stride * kRow;
    const V b2 = hn::Load(d, die);
    const V b1 = hn::Load(d, die + kRow);
    const V b0 = hn::Load(d, die + 2 * kRow);
    evades[i] = kFocus ? ternary<Twice<Op::And, Op::Or>>(b2, b0, b1) : ternary<Twice<Op::Or, Op::And>>(b1, b0, b2);
    all = hn::And(all, evades[i]);
  }
  Bits3 out = count_up<kDice>(evades);
  // One more, unless all are evades already: it never carries beyond the number of dice.
  const V more = hn::AndNot(all, evade);
  const V carry = hn::And(out.b0, more);
  out.b0 = hn::Xor(out.b0, more);
  out.b2 = ternary<Twice<Op::And, Op::Or>>(out.b1, carry, out.b2);
  out.b1 = hn::Xor(out.b1, carry);
  return out;
}

/// Both lose what they have in common: x becomes max(x - y, 0), y becomes max(y - x, 0).
template <bool kThree>
HWY_INLINE void cancel(Bits3& x, Bits3& y) {
  const V d0 = hn::Xor(x.b0, y.b0);
  const V borrow0 = hn::AndNot(x.b0, y.b0);
  const V d1 = xor3(x.b1, y.b1, borrow0);
  const V borrow1 = ternary<Borrow>(x.b1, y.b1, borrow0);
  if constexpr (!kThree) {
    // Negative: the complement of d, plus one.
    x.b0 = hn::AndNot(borrow1, d0);
    x.b1 = hn::AndNot(borrow1, d1);
    y.b0 = hn::And(borrow1, d0);
    y.b1 = ternary<Twice<Op::Xor, Op::And>>(d1, d0, borrow1);
  } else {
    const V d2 = xor3(x.b2, y.b2, borrow1);
    const V borrow2 = ternary<Borrow>(x.b2, y.b2, borrow1);
    x.b0 = hn::AndNot(borrow2, d0);
    x.b1 = hn::AndNot(borrow2, d1);
    x.b2 = hn::AndNot(borrow2, d2);
    y.b0 = hn::And(borrow2, d0);
    y.b1 = ternary<Twice<Op::Xor, Op::And>>(d1, d0, borrow2);
    y.b2 = hn::And(borrow2, ternary<Twice<Op::Or, Op::Xor>>(d1, d0, d2));
  }
}

HWY_INLINE void decrease(Bits3& x, V by) {
  const V borrow = hn::AndNot(x.b0, by);
  x.b0 = hn::Xor(x.b0, by);
  x.b2 = ternary<Twice<Op::AndNot, Op::Xor>>(x.b1, borrow, x.b2);
  x.b1 = hn::Xor(x.b1, borrow);
}

/// While more than one result is left, one goes, hits first; once.
HWY_INLINE void reinforce(Bits3& hits, Bits3& crits) {
  const V any_hit = ternary<Or3>(hits.b1, hits.b2, hits.b0);
  const V one_of_each = ternary<Twice<Op::And, Op::Or>>(hits.b0, crits.b0, crits.b1);
  const V more = hn::Or(ternary<Or3>(hits.b1, hits.b2, crits.b2), one_of_each);
  decrease(hits, hn::And(more, any_hit));
  decrease(crits, hn::AndNot(any_hit, more));
}

template <std::size_t kAttack, Straight::Reroll kReroll, bool kFocus>
HWY_INLINE void finish_attack(const Straight& straight, const std::uint64_t* defense, std::size_t stride,
                              const Bits3& hits_rolled, const Bits3& crits_rolled, std::uint64_t* results) {
  const D64 d;
  Bits3 hits = hits_rolled;
  Bits3 crits = crits_rolled;
  const V evade = straight.evade ? hn::Not(hn::Zero(d)) : hn::Zero(d);
  Bits3 evades;
  const bool focus = straight.defense_focus;
  switch (straight.defense_dice) {
#define SALVO_DEFENSE(DICE)                                                                                           \
  case DICE:                                                                                                          \
    evades =                                                                                                          \
        focus ? defense_pool<DICE, true>(defense, stride, evade) : defense_pool<DICE, false>(defense, stride, evade); \
    break;
    SALVO_DEFENSE(0)
    SALVO_DEFENSE(1)
    SALVO_DEFENSE(2)
    SALVO_DEFENSE(3)
    SALVO_DEFENSE(4)
    SALVO_DEFENSE(5)
    default:
      SALVO_DEFENSE(6)
#undef SALVO_DEFENSE
  }
  if (kAttack <= 3 && straight.defense_dice <= 3) {
    cancel<false>(hits, evades);
    cancel<false>(crits, evades);
  } else {
    cancel<true>(hits, evades);
    cancel<true>(crits, evades);
  }
  if (straight.reinforce) reinforce(hits, crits);
  hn::Store(hits.b0, d, results);
  hn::Store(hits.b1, d, results + kRow);
  hn::Store(hits.b2, d, results + 2 * kRow);
  hn::Store(crits.b0, d, results + 3 * kRow);
  hn::Store(crits.b1, d, results + 4 * kRow);
  hn::Store(crits.b2, d, results + 5 * kRow);
}

template <std::size_t kAttack, Straight::Reroll kReroll, bool kFocus>
void straight_chunk(const Program& program, std::uint32_t result_row, std::uint64_t* rows, std::size_t attack_stride,
                    std::size_t defense_stride) {
  const Straight straight = *program.straight;
  const std::uint64_t* defense = rows + program.defense_row * kRow;
  std::uint64_t* results = rows + result_row * kRow;
  for (std::size_t word = 0; word < kRow; word += kLanes) {
    Bits3 hits;
    Bits3 crits;
    attack_pool<kAttack, kReroll, kFocus>(rows + word, attack_stride, hits, crits);
    finish_attack<kAttack, kReroll, kFocus>(straight, defense + word, defense_stride, hits, crits, results + word);
  }
}

template <std::size_t kAttack>
void straight_of(const Program& program, std::uint32_t result_row, std::uint64_t* rows) {
  const Straight& straight = *program.straight;
  const std::size_t attack_stride = program.defense_row / kAttack;
  const std::size_t defense_stride = straight.defense_dice == 0 ? 0
                                                                : (program.main_planes - program.defense_row) /
                                                                      static_cast<std::uint32_t>(straight.defense_dice);
  const auto with = [&](auto reroll) {
    constexpr Straight::Reroll kReroll = decltype(reroll)::value;
    if (straight.attack_focus) {
      straight_chunk<kAttack, kReroll, true>(program, result_row, rows, attack_stride, defense_stride);
    } else {
      straight_chunk<kAttack, kReroll, false>(program, result_row, rows, attack_stride, defense_stride);
    }
  };
  switch (straight.reroll) {
    case Straight::Reroll::None:
      return with(std::integral_constant<Straight::Reroll, Straight::Reroll::None>());
    case Straight::Reroll::Blanks:
      return with(std::integral_constant<Straight::Reroll, Straight::Reroll::Blanks>());
    case Straight::Reroll::BlanksAndFocuses:
      return with(std::integral_constant<Straight::Reroll, Straight::Reroll::BlanksAndFocuses>());
  }
}

inline void play_straight(const Program& program, std::uint32_t result_row, Workspace& workspace) {
  std::uint64_t* rows = workspace.rows();
  switch (program.straight->attack_dice) {
    case 1:
      return straight_of<1>(program, result_row, rows);
    case 2:
      return straight_of<2>(program, result_row, rows);
    case 3:
      return straight_of<3>(program, result_row, rows);
    case 4:
      return straight_of<4>(program, result_row, rows);
    case 5:
      return straight_of<5>(program, result_row, rows);
    default:
      return straight_of<6>(program, result_row, rows);
  }
}

}  // namespace salvo::sample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
