#include "sample/bitsliced/native_code.h"
#include "base/index.h"

#include <algorithm>
#include <array>
#include <utility>

#if defined(__x86_64__) && defined(__unix__)
#define SALVO_NATIVE_CODE 1
#include <xbyak/xbyak.h>
#endif

namespace salvo::sample {

#if SALVO_NATIVE_CODE
namespace {

constexpr std::uint32_t kNever = ~std::uint32_t{0};    // not read again
constexpr std::uint32_t kNowhere = ~std::uint32_t{0};  // not in a register, not in memory; of a register: free

/// The steps that read each value.
class Uses {
 public:
  Uses(const LogicSteps& steps, std::size_t values) : first_(values + 1, 0), next_(values, 0) {
    for (const LogicStep& step : steps.steps) each(step, [&](std::uint32_t v) { ++first_[v + 1]; });
    for (std::size_t v = 0; v < values; ++v) first_[v + 1] += first_[v];
    at_.resize(first_[values]);
    for (std::size_t v = 0; v < values; ++v) next_[v] = first_[v];
    for (std::size_t i = 0; i < steps.steps.size(); ++i) {
      each(steps.steps[i], [&](std::uint32_t v) { at_[next_[v]++] = static_cast<std::uint32_t>(i); });
    }
    for (std::size_t v = 0; v < values; ++v) next_[v] = first_[v];
  }

  /// The next step that reads the value, or kNever.
  std::uint32_t next(std::uint32_t v) const { return next_[v] < first_[v + 1] ? at_[next_[v]] : kNever; }
  void pass(const LogicStep& step) {
    each(step, [&](std::uint32_t v) { ++next_[v]; });
  }

  /// Visits each distinct input once.
  template <typename Act>
  static void each(const LogicStep& step, Act&& act) {
    for (int i = 0; i < step.inputs; ++i) {
      bool seen = false;
      for (int j = 0; j < i; ++j) seen = seen || base::nth(step.in, j) == base::nth(step.in, i);
      if (!seen) act(base::nth(step.in, i));
    }
  }

 private:
  std::vector<std::uint32_t> first_, next_, at_;
};

bool reads(const LogicStep& step, std::uint32_t v) {
  return std::find(step.in.begin(), step.in.begin() + step.inputs, v) != step.in.begin() + step.inputs;
}

/// Where each value is: in a register, in memory, or both.
class ValuePlaces {
 public:
  ValuePlaces(const LogicSteps& steps, const std::vector<std::uint32_t>& row, std::size_t registers)
      : row_(row),
        uses_(steps, row.size()),
        register_(row.size(), kNowhere),
        slot_(row.size(), kNowhere),
        held_(registers, kNowhere) {}

  void pass(const LogicStep& step) { uses_.pass(step); }
  bool read_again(std::uint32_t v) const { return uses_.next(v) != kNever; }

  bool in_register(std::uint32_t v) const { return register_[v] != kNowhere; }
  bool in_memory(std::uint32_t v) const { return slot_[v] != kNowhere || row_[v] != kNoRow; }
  std::uint32_t register_of(std::uint32_t v) const { return register_[v]; }
  std::uint32_t slot_of(std::uint32_t v) const { return slot_[v]; }
  std::uint32_t value_in(std::uint32_t r) const { return held_[r]; }
  std::uint32_t registers() const { return static_cast<std::uint32_t>(held_.size()); }
  std::uint32_t slots() const { return slots_; }

  /// A free register, or the one to evict: its value is read last of all. Never one of the step's inputs.
  std::uint32_t best_register(const LogicStep& step) const {
    std::uint32_t best = kNowhere;
    std::uint32_t best_next = 0;
    for (std::uint32_t r = 0; r < held_.size(); ++r) {
      if (held_[r] == kNowhere) return r;
      if (reads(step, held_[r])) continue;
      const std::uint32_t next = uses_.next(held_[r]);
      if (best == kNowhere || next > best_next) {
        best = r;
        best_next = next;
      }
    }
    return best;
  }
  /// Whether a value is worth a register: it is read again, and sooner than some value that has one.
  bool worth_a_register(std::uint32_t v, const LogicStep& step) const {
    const std::uint32_t next = uses_.next(v);
    if (next == kNever) return false;
    for (const std::uint32_t other : held_) {
      if (other == kNowhere) return true;
      if (!reads(step, other) && uses_.next(other) > next) return true;
    }
    return false;
  }

  void hold(std::uint32_t v, std::uint32_t r) {
    held_[r] = v;
    register_[v] = r;
  }
  void add_slot(std::uint32_t v) {
    if (free_slots_.empty()) free_slots_.push_back(slots_++);
    slot_[v] = free_slots_.back();
    free_slots_.pop_back();
  }
  void free_register(std::uint32_t v) {
    const std::uint32_t r = std::exchange(register_[v], kNowhere);
    if (r != kNowhere) held_[r] = kNowhere;
  }
  void free_slot(std::uint32_t v) {
    const std::uint32_t slot = std::exchange(slot_[v], kNowhere);
    if (slot != kNowhere) free_slots_.push_back(slot);
  }

 private:
  const std::vector<std::uint32_t>& row_;
  Uses uses_;
  std::vector<std::uint32_t> register_, slot_;  ///< by value
  std::vector<std::uint32_t> held_;             ///< value by register
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t slots_ = 0;
};

/// Writes the code in one pass over the steps, with each value in a register, in memory, or both. When registers run
/// out, the value whose next read is furthest away is evicted (Belady, IBM Systems Journal 5, 1966).
class Writer : public Xbyak::CodeGenerator {
 public:
  Writer(const LogicSteps& steps, const RowLayout& layout, NativeWidth width)
      : Xbyak::CodeGenerator(kBytesOfStep * (steps.steps.size() + 16), Xbyak::DontSetProtectRWE),
        steps_(steps),
        row_(layout.row),
        row_bytes_(layout.row_bytes),
        total_(layout.total),
        wide_(width != NativeWidth::Avx2),
        places_(steps, row_, (wide_ ? 32u : 16u) - (total_.empty() ? 0u : 1u)) {  // counts take the last register
    write();
    setProtectModeRE();
  }

  std::size_t scratch_bytes() const { return places_.slots() * vector_bytes(); }

 private:
  static constexpr std::size_t kBytesOfStep = 128;  // upper bound: twelve instructions of up to eleven bytes

  std::size_t vector_bytes() const { return wide_ ? 64 : 32; }
  Xbyak::Xmm reg(std::uint32_t r) const {
    const int n = static_cast<int>(r);
    if (wide_) return Xbyak::Zmm(n);
    return Xbyak::Ymm(n);
  }

  void write() {
    lea(rax, ptr[rdi + row_bytes_]);
    Xbyak::Label loop;
    align(32);
    L(loop);
    for (const LogicStep& step : steps_.steps) {
      places_.pass(step);
      if (wide_) {
        ternary(step);
      } else {
        binary(step);
      }
      release_slots(step);
      settle(step);
    }
    add(rdi, static_cast<std::uint32_t>(vector_bytes()));
    cmp(rdi, rax);
    jb(loop, T_NEAR);
    vzeroupper();
    ret();
  }

  void move(const Xbyak::Xmm& to, const Xbyak::Address& from) {
    if (wide_) {
      vmovdqa64(to, from);
    } else {
      vmovdqa(to, from);
    }
  }
  void move(const Xbyak::Address& to, const Xbyak::Xmm& from) {
    if (wide_) {
      vmovdqa64(to, from);
    } else {
      vmovdqa(to, from);
    }
  }

  Xbyak::Address memory(std::uint32_t v) const {
    if (row_[v] != kNoRow) return ptr[rdi + row_[v] * row_bytes_];
    return ptr[rsi + places_.slot_of(v) * vector_bytes()];
  }

  /// Allocates a register for a value without evicting inputs of the step.
  std::uint32_t take_register(std::uint32_t v, const LogicStep& step) {
    const std::uint32_t r = places_.best_register(step);
    const std::uint32_t evicted = places_.value_in(r);
    if (evicted != kNowhere) {
      if (!places_.in_memory(evicted)) spill(evicted);
      places_.free_register(evicted);
    }
    places_.hold(v, r);
    return r;
  }

  void spill(std::uint32_t v) {
    places_.add_slot(v);
    store(v);
  }
  void store(std::uint32_t v) { move(memory(v), reg(places_.register_of(v))); }
  void load(std::uint32_t v, std::uint32_t r) { move(reg(r), memory(v)); }

  /// Calls act(input) for inputs that are not read again.
  template <typename Act>
  void each_done(const LogicStep& step, Act&& act) const {
    Uses::each(step, [&](std::uint32_t v) {
      if (!places_.read_again(v)) act(v);
    });
  }
  /// Frees registers only: the input's copy in memory may still be an operand.
  void release_registers(const LogicStep& step) {
    each_done(step, [&](std::uint32_t v) { places_.free_register(v); });
  }
  void release_slots(const LogicStep& step) {
    each_done(step, [&](std::uint32_t v) { places_.free_slot(v); });
  }

  /// Stores the value of a step in its row and counts it.
  void settle(const LogicStep& step) {
    if (row_[step.out] != kNoRow) store(step.out);
    if (!total_.empty() && total_[step.out] != kNoRow) count(step.out);
    if (!places_.read_again(step.out)) places_.free_register(step.out);
  }
  void count(std::uint32_t v) {
    const Xbyak::Xmm bits = reg(places_.registers());
    const Xbyak::Address total = ptr[rdx + total_[v] * vector_bytes()];
    vpopcntq(bits, reg(places_.register_of(v)));
    vpaddq(bits, bits, total);
    vmovdqa64(total, bits);
  }

  void binary(const LogicStep& step) {
    std::uint32_t a = step.in[0];
    std::uint32_t b = step.in[1];
    // Only the second operand can be in memory.
    if (!places_.in_register(a) && places_.in_register(b) && step.table != kTableAndNot) std::swap(a, b);
    if (!places_.in_register(a)) load(a, take_register(a, step));
    if (!places_.in_register(b) && b != a && places_.worth_a_register(b, step)) load(b, take_register(b, step));
    const Xbyak::Xmm first = reg(places_.register_of(a));
    const bool b_in_register = places_.in_register(b);
    const Xbyak::Xmm second = b_in_register ? reg(places_.register_of(b)) : Xbyak::Xmm();
    const Xbyak::Address place = b_in_register ? ptr[rdi] : memory(b);
    const Xbyak::Operand& operand =
        b_in_register ? static_cast<const Xbyak::Operand&>(second) : static_cast<const Xbyak::Operand&>(place);
    release_registers(step);
    const Xbyak::Xmm out = reg(take_register(step.out, kNoStep));
    switch (step.table) {
      case kTableAnd:
        return wide_ ? vpandq(out, first, operand) : vpand(out, first, operand);
      case kTableAndNot:
        return wide_ ? vpandnq(out, first, operand) : vpandn(out, first, operand);
      case kTableOr:
        return wide_ ? vporq(out, first, operand) : vpor(out, first, operand);
      default:
        return wide_ ? vpxorq(out, first, operand) : vpxor(out, first, operand);
    }
  }

  /// Steps that need no ternary logic overwrite no operand.
  bool tried_binary(const LogicStep& step) {
    if (step.inputs != 2) return false;
    LogicStep other = step;
    if (step.table == kTableNotAnd) {
      other.table = kTableAndNot;
      std::swap(other.in[0], other.in[1]);
    }
    const std::uint8_t t = other.table;
    if (t != kTableAnd && t != kTableAndNot && t != kTableOr && t != kTableXor) return false;
    binary(other);
    return true;
  }

  void ternary(const LogicStep& step) {
    if (tried_binary(step)) return;
    // The first operand is overwritten; only the third can be in memory.
    std::array<int, 3> order = {0, 1, 2};
    const auto value = [&](int i) { return base::nth(step.in, i < step.inputs ? i : 0); };
    const auto last_read = [&](int i) { return places_.in_register(value(i)) && !places_.read_again(value(i)); };
    const auto to_front = [&](int place) { std::swap(order[0], base::nth(order, place)); };
    const int inputs = step.inputs;
    for (int i = 0; i < inputs; ++i) {
      if (last_read(base::nth(order, i))) {
        to_front(i);
        break;
      }
    }
    if (!last_read(order[0])) {
      for (int i = 0; i < inputs; ++i) {
        if (!places_.in_register(value(base::nth(order, i)))) {
          to_front(i);
          break;
        }
      }
    }
    // An operand in memory has to come last.
    if (inputs == 3 && !places_.in_register(value(order[1]))) std::swap(order[1], order[2]);
    const std::uint32_t a = value(order[0]);
    const std::uint32_t b = value(order[1]);
    const std::uint32_t c = value(order[2]);
    for (const std::uint32_t v : {b, c}) {
      const bool must = v == b;
      if (!places_.in_register(v) && v != a && (must || places_.worth_a_register(v, step)))
        load(v, take_register(v, step));
    }
    std::uint32_t out = kNowhere;
    if (places_.in_register(a) && !places_.read_again(a)) {
      out = places_.register_of(a);
      places_.free_register(a);
      places_.hold(step.out, out);
    } else {
      out = take_register(step.out, step);
      if (places_.in_register(a)) {
        vmovdqa64(reg(out), reg(places_.register_of(a)));
      } else {
        load(a, out);
      }
    }
    const auto place_of = [&](std::uint32_t v) { return v == a ? out : places_.register_of(v); };
    const std::uint8_t table = permuted(step.table, order);
    if (place_of(c) != kNowhere) {
      vpternlogq(reg(out), reg(place_of(b)), reg(place_of(c)), table);
    } else {
      vpternlogq(reg(out), reg(place_of(b)), memory(c), table);
    }
    release_registers(step);
  }

  /// The table of the same function with its inputs reordered.
  static std::uint8_t permuted(std::uint8_t table, const std::array<int, 3>& order) {
    unsigned out = 0;
    for (unsigned row = 0; row < 8; ++row) {
      unsigned original = 0;
      for (unsigned place = 0; place < 3; ++place) {
        const unsigned bit = row >> (2 - place) & 1u;
        original |= bit << (2 - static_cast<unsigned>(order[place]));
      }
      out |= (static_cast<unsigned>(table) >> original & 1u) << row;
    }
    return static_cast<std::uint8_t>(out);
  }

  static constexpr LogicStep kNoStep{};
  static constexpr std::uint8_t kTableNotAnd = 0x30;  ///< the first, and the complement of the second

  const LogicSteps& steps_;
  const std::vector<std::uint32_t>& row_;
  std::size_t row_bytes_;
  const std::vector<std::uint32_t>& total_;
  bool wide_;
  ValuePlaces places_;
};

class WrittenCode : public NativeCode {
 public:
  WrittenCode(const LogicSteps& steps, const RowLayout& layout, NativeWidth width)
      : writer_(steps, layout, width), function_(writer_.getCode<Function>()) {}
  void run(std::uint64_t* rows, std::uint64_t* scratch, std::uint64_t* totals) const override {
    function_(rows, scratch, totals);
  }
  std::size_t scratch_bytes() const override { return writer_.scratch_bytes(); }
  std::size_t size() const override { return writer_.getSize(); }

 private:
  using Function = void (*)(std::uint64_t* rows, std::uint64_t* scratch, std::uint64_t* totals);
  Writer writer_;
  Function function_;
};

}  // namespace

std::shared_ptr<const NativeCode> NativeCode::make(const LogicSteps& steps, const RowLayout& layout,
                                                   NativeWidth width) {
  if (width == NativeWidth::None) return nullptr;
  try {
    return std::make_shared<WrittenCode>(steps, layout, width);
  } catch (const Xbyak::Error&) {
    return nullptr;  // no executable memory
  }
}

#else

std::shared_ptr<const NativeCode> NativeCode::make(const LogicSteps&, const RowLayout&, NativeWidth) { return nullptr; }

#endif

}  // namespace salvo::sample
