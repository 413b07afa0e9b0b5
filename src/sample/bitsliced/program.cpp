#include "sample/bitsliced/program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/index.h"

namespace salvo::sample {
namespace {

/// In WebAssembly nothing can be compiled at run time, so the code generator is left out.
#ifdef __EMSCRIPTEN__
constexpr bool kNativeCode = false;
#else
constexpr bool kNativeCode = true;
#endif

constexpr std::uint32_t kCacheBytes = 64'000;        // of rows: using the second-level cache costs less than short rows
constexpr std::uint32_t kNativeCacheBytes = 28'000;  // native code stores only random and counted bits in rows
constexpr std::uint32_t kSmallestNativeChunk = 512;
constexpr std::uint32_t kNoGate = ~std::uint32_t{0};

/// Which gates one instruction computes together.
class GateFusion {
 public:
  /// `counter`: by gate, the number of its count or -1. `uses`: uses_of().
  GateFusion(const std::vector<Gate>& gates, const std::vector<int>& counter, std::vector<std::uint32_t> uses)
      : gates_(gates), counter_(counter), uses_(std::move(uses)) {
    find_selects();
    find_merged();
  }

  /// no ^ (condition & (yes ^ no)) whose inner gates have no other reader: the shape that Logic::choose makes.
  struct Select {
    Bit condition, yes, no;
  };

  /// Whether the instruction of another gate computes it.
  bool merged(std::uint32_t g) const { return merged_[g]; }
  const std::optional<Select>& select(std::uint32_t g) const { return selects_[g]; }
  /// The input that is computed together with the gate, or kNoGate.
  std::uint32_t merged_input(std::uint32_t g) const { return input_[g]; }
  /// Calls act(gate) for each operand of the gate's instruction.
  template <typename Act>
  void each_input(std::uint32_t g, Act&& act) const {
    if (!gates_[g].logical()) return;
    if (selects_[g]) {
      for (const Bit in : {selects_[g]->condition, selects_[g]->yes, selects_[g]->no}) act(in.gate());
      return;
    }
    for (const Bit in : {gates_[g].a, gates_[g].b}) {
      if (in.gate() != input_[g]) {
        act(in.gate());
        continue;
      }
      act(gates_[in.gate()].a.gate());
      act(gates_[in.gate()].b.gate());
    }
  }

 private:
  bool only_inside(std::uint32_t g) const { return uses_[g] == 1 && counter_[g] < 0 && !merged_[g]; }

  std::optional<Select> choosing(std::uint32_t g) const {
    if (gates_[g].kind != Gate::Kind::Xor) return std::nullopt;
    for (const auto& [no, masked] : {std::pair(gates_[g].a, gates_[g].b), std::pair(gates_[g].b, gates_[g].a)}) {
      const std::uint32_t m = masked.gate();
      if (gates_[m].kind != Gate::Kind::And || !only_inside(m) || masked.complemented()) continue;
      for (const auto& [condition, changed] :
           {std::pair(gates_[m].a, gates_[m].b), std::pair(gates_[m].b, gates_[m].a)}) {
        const std::uint32_t x = changed.gate();
        if (gates_[x].kind != Gate::Kind::Xor || !only_inside(x)) continue;
        for (const auto& [same, yes] : {std::pair(gates_[x].a, gates_[x].b), std::pair(gates_[x].b, gates_[x].a)}) {
          // Xor gates never have complemented inputs (Logic::differ).
          if (same == no) return Select{condition, changed.complemented() ? !yes : yes, no};
        }
      }
    }
    return std::nullopt;
  }

  void find_selects() {
    merged_.assign(gates_.size(), false);
    selects_.assign(gates_.size(), std::nullopt);
    for (auto g = static_cast<std::uint32_t>(gates_.size()); g-- > 0;) {
      if (uses_[g] == 0 || merged_[g]) continue;
      selects_[g] = choosing(g);
      if (!selects_[g]) continue;
      const Gate& gate = gates_[g];
      const Bit masked = gate.a == selects_[g]->no ? gate.b : gate.a;
      const Gate& inner = gates_[masked.gate()];
      merged_[masked.gate()] = true;
      merged_[(inner.a == selects_[g]->condition ? inner.b : inner.a).gate()] = true;
      // The select no longer reads `no` a second time.
      --uses_[selects_[g]->no.gate()];
    }
  }

  /// Merges a gate into its only reader; of two such inputs, the later one.
  void find_merged() {
    input_.assign(gates_.size(), kNoGate);
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
      if (uses_[g] == 0 || !gates_[g].logical() || merged_[g] || selects_[g]) continue;
      std::uint32_t best = kNoGate;
      for (const Bit in : {gates_[g].a, gates_[g].b}) {
        const std::uint32_t i = in.gate();
        const bool can = gates_[i].logical() && only_inside(i) && input_[i] == kNoGate && !selects_[i];
        if (can && (best == kNoGate || i > best)) best = i;
      }
      if (best == kNoGate) continue;
      input_[g] = best;
      merged_[best] = true;
    }
  }

  const std::vector<Gate>& gates_;
  const std::vector<int>& counter_;
  std::vector<std::uint32_t> uses_, input_;
  std::vector<bool> merged_;
  std::vector<std::optional<Select>> selects_;
};

/// Assigns rows to gates and emits the instructions.
class Assembler {
 public:
  Assembler(const Circuit& circuit, const Setup& setup, NativeWidth native)
      : circuit_(circuit),
        gates_(circuit.logic.gates()),
        counters_(circuit.counters.gates()),
        setup_(setup),
        native_(native),
        row_(gates_.size(), kNoRow) {}

  Program assemble() {
    find_uses();
    out_.counts = counters_.size();
    out_.inverted.resize(counters_.size());
    out_.main_planes = static_cast<std::uint32_t>(setup_.addresses.main_planes);
    if (kNativeCode && native_ != NativeWidth::None && assemble_native()) return std::move(out_);
    if (setup_.generator == Generator::Xoshiro256pp) place_planes();
    fusion_.emplace(gates_, counter_, uses_);
    find_last_uses();
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
      if (uses_[g] > 0 && !fusion_->merged(g)) emit(g);
    }
    while (out_.chunk > kSmallestChunk && out_.rows * (out_.chunk / 8) > kCacheBytes) out_.chunk /= 2;
    return std::move(out_);
  }

 private:
  /// Emits all random bits first, then all logic at once, then the counts. Returns false if no native code can be made.
  bool assemble_native() {
    const Program empty = out_;
    const LogicSteps steps =
        native_ == NativeWidth::Avx2 ? binary_steps(circuit_, uses_) : ternary_steps(circuit_, uses_);
    if (setup_.generator == Generator::Xoshiro256pp) place_planes();
    for (const std::uint32_t plane : steps.planes) {
      if (row_[plane] == kNoRow) emit_plane(plane);
    }
    place_counted(steps);
    while (out_.chunk > kSmallestNativeChunk && out_.rows * (out_.chunk / 8) > kNativeCacheBytes) out_.chunk /= 2;
    out_.native = NativeCode::make(steps, {row_, out_.chunk / 8, {}}, native_);
    if (!out_.native) {
      out_ = empty;
      row_.assign(gates_.size(), kNoRow);
      return false;
    }
    if (native_ == NativeWidth::Avx512Counts) out_.counting = counting_code(steps);
    out_.code.push_back({Instruction::Kind::Native});
    for (std::uint32_t count = 0; count < counters_.size(); ++count) {
      const std::uint32_t gate = counters_[count];
      out_.inverted[count] = steps.inverted[gate];
      Instruction out{Instruction::Kind::Count};
      out.a = row_[gate];
      out.d = count;
      out.counted = out_.counting != nullptr && gates_[gate].kind != Gate::Kind::Plane;
      out_.code.push_back(out);
    }
    return true;
  }

  /// Computed values are counted in their registers and need no rows.
  std::shared_ptr<const NativeCode> counting_code(const LogicSteps& steps) const {
    RowLayout layout{row_, out_.chunk / 8, std::vector<std::uint32_t>(gates_.size(), kNoRow)};
    for (std::uint32_t count = 0; count < counters_.size(); ++count) {
      const std::uint32_t gate = counters_[count];
      if (gates_[gate].kind == Gate::Kind::Plane) continue;
      layout.row[gate] = kNoRow;
      layout.total[gate] = count;
    }
    return NativeCode::make(steps, layout, native_);
  }

  /// Counted values reuse the rows of planes that are not read again.
  void place_counted(const LogicSteps& steps) {
    std::vector<std::size_t> last(gates_.size(), 0);
    const auto each_plane = [&](const LogicStep& step, auto&& act) {
      for (int i = 0; i < step.inputs; ++i) {
        const std::uint32_t in = base::nth(step.in, i);
        if (gates_[in].kind == Gate::Kind::Plane && counter_[in] < 0) act(in);
      }
    };
    for (std::size_t i = 0; i < steps.steps.size(); ++i)
      each_plane(steps.steps[i], [&](std::uint32_t plane) { last[plane] = i; });
    for (std::size_t i = 0; i < steps.steps.size(); ++i) {
      each_plane(steps.steps[i], [&](std::uint32_t plane) {
        if (last[plane] != i) return;
        free_.push_back(row_[plane]);
        last[plane] = steps.steps.size();  // a step may read it twice
      });
      const std::uint32_t out = steps.steps[i].out;
      if (counter_[out] >= 0) row_[out] = new_row();
    }
  }

  void find_uses() {
    uses_ = uses_of(circuit_);
    counter_.assign(gates_.size(), -1);
    for (std::size_t i = 0; i < counters_.size(); ++i) counter_[counters_[i]] = static_cast<int>(i);
  }

  void find_last_uses() {
    last_use_.assign(gates_.size(), 0);
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
      if (uses_[g] > 0 && !fusion_->merged(g)) fusion_->each_input(g, [&](std::uint32_t in) { last_use_[in] = g; });
    }
    inverted_.assign(gates_.size(), false);
  }

  std::uint32_t new_row() {
    if (free_.empty()) return out_.rows++;
    const std::uint32_t row = free_.back();
    free_.pop_back();
    return row;
  }

  /// The eight states draw all planes in order, whether or not they are read.
  void place_planes() {
    bool low = false;
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
      if (uses_[g] == 0 || gates_[g].kind != Gate::Kind::Plane) continue;
      row_[g] = static_cast<std::uint32_t>(gates_[g].plane);
      low = low || gates_[g].plane >= setup_.addresses.main_planes;
    }
    out_.low_planes = low ? static_cast<std::uint32_t>(setup_.addresses.planes) - out_.main_planes : 0;
    out_.rows = out_.main_planes + out_.low_planes;
  }

  void push_fill(const Fill& fill) {
    const auto at = static_cast<std::uint32_t>(out_.fills.size());
    out_.code.push_back({Instruction::Kind::Fill, Op::And, Op::And, false, at, 0, 0, 0});
    out_.fills.push_back(fill);
  }

  void emit(std::uint32_t g) {
    switch (gates_[g].kind) {
      case Gate::Kind::False:
        return;
      case Gate::Kind::Plane:
        emit_plane(g);
        break;
      case Gate::Kind::And:
      case Gate::Kind::Xor:
        emit_logic(g);
        break;
    }
    if (counter_[g] >= 0) {
      const auto count = static_cast<std::uint32_t>(counter_[g]);
      out_.inverted[count] = inverted_[g];
      out_.code.push_back({Instruction::Kind::Count, Op::And, Op::And, false, row_[g], 0, 0, count});
    }
    if (last_use_[g] == 0) release(g);
  }

  void release(std::uint32_t g) {
    if (row_[g] != kNoRow) free_.push_back(row_[g]);
    row_[g] = kNoRow;
  }

  void emit_plane(std::uint32_t g) {
    if (row_[g] != kNoRow) return;
    const auto plane = static_cast<std::uint32_t>(gates_[g].plane);
    if (setup_.generator == Generator::Ars7) {
      row_[g] = new_row();
      push_fill({plane, {row_[g], 0, 0, 0}});
      return;
    }
    Fill fill{plane / 4, {}};
    std::vector<std::uint32_t> unread;
    for (std::uint32_t i = 0; i < 4; ++i) fill.rows[i] = new_row();
    for (std::uint32_t i = 0; i < 4; ++i) unread.push_back(fill.rows[i]);
    for (std::uint32_t other = 0; other < gates_.size(); ++other) {
      const Gate& gate = gates_[other];
      if (gate.kind != Gate::Kind::Plane || uses_[other] == 0 ||
          static_cast<std::uint32_t>(gate.plane) / 4 != plane / 4)
        continue;
      row_[other] = fill.rows[static_cast<std::uint32_t>(gate.plane) % 4];
      unread.erase(std::find(unread.begin(), unread.end(), row_[other]));
    }
    push_fill(fill);
    free_.insert(free_.end(), unread.begin(), unread.end());
  }

  bool stored_inverted(Bit bit) const { return bit.complemented() != inverted_[bit.gate()]; }

  void emit_logic(std::uint32_t g) {
    const Gate& gate = gates_[g];
    Instruction out;
    if (const auto& select = fusion_->select(g)) {
      auto [condition, yes, no] = *select;
      if (stored_inverted(condition)) std::swap(yes, no);
      out.kind = Instruction::Kind::Select;
      out.a = row_[condition.gate()];
      out.b = row_[yes.gate()];
      out.c = row_[no.gate()];
      inverted_[g] = stored_inverted(no);
      out.swapped = stored_inverted(yes) != inverted_[g];
    } else if (fusion_->merged_input(g) == kNoGate) {
      const GateOp first = gate_op(gate.kind, stored_inverted(gate.a), stored_inverted(gate.b));
      out.kind = Instruction::Kind::Single;
      out.first = first.op;
      out.a = row_[(first.swapped ? gate.b : gate.a).gate()];
      out.b = row_[(first.swapped ? gate.a : gate.b).gate()];
      inverted_[g] = first.inverted;
    } else {
      const bool a_merged = gate.a.gate() == fusion_->merged_input(g);
      const Bit merged = a_merged ? gate.a : gate.b;
      const Bit other = a_merged ? gate.b : gate.a;
      const Gate& inner = gates_[fusion_->merged_input(g)];
      const GateOp first = gate_op(inner.kind, stored_inverted(inner.a), stored_inverted(inner.b));
      const GateOp second = gate_op(gate.kind, merged.complemented() != first.inverted, stored_inverted(other));
      out.kind = Instruction::Kind::Double;
      out.first = first.op;
      out.second = second.op;
      out.swapped = second.swapped;
      out.a = row_[(first.swapped ? inner.b : inner.a).gate()];
      out.b = row_[(first.swapped ? inner.a : inner.b).gate()];
      out.c = row_[other.gate()];
      inverted_[g] = second.inverted;
    }
    std::vector<std::uint32_t> done;
    fusion_->each_input(g, [&](std::uint32_t in) {
      if (last_use_[in] == g && std::find(done.begin(), done.end(), in) == done.end()) done.push_back(in);
    });
    for (const std::uint32_t in : done) release(in);
    row_[g] = new_row();
    out.d = row_[g];
    out_.code.push_back(out);
  }

  const Circuit& circuit_;
  const std::vector<Gate>& gates_;
  const std::vector<std::uint32_t>& counters_;
  const Setup& setup_;
  NativeWidth native_;
  Program out_;
  std::vector<std::uint32_t> uses_, last_use_;
  std::vector<int> counter_;
  std::vector<bool> inverted_;
  std::optional<GateFusion> fusion_;
  std::vector<std::uint32_t> row_, free_;
};

}  // namespace

Program assemble(const Circuit& circuit, const Setup& setup, NativeWidth native) {
  return Assembler(circuit, setup, native).assemble();
}

}  // namespace salvo::sample
