#include "sample/bitsliced/logic_steps.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/index.h"
#include "sample/bitsliced/gate_op.h"

namespace salvo::sample {
namespace {

constexpr std::size_t kMaxCuts = 8;  ///< considered per gate

/// Up to three gates that determine another one.
struct Cut {
  int size = 0;
  std::array<std::uint32_t, 3> leaves{};  ///< ascending
  double flow = 0;
  bool operator==(const Cut& other) const { return size == other.size && leaves == other.leaves; }
};

std::optional<Cut> united(const Cut& a, const Cut& b) {
  Cut out;
  int i = 0;
  int j = 0;
  while (i < a.size || j < b.size) {
    const auto at = [](const Cut& cut, int k) { return base::nth(cut.leaves, k); };
    const std::uint32_t next = j == b.size || (i < a.size && at(a, i) < at(b, j)) ? at(a, i) : at(b, j);
    if (i < a.size && at(a, i) == next) ++i;
    if (j < b.size && at(b, j) == next) ++j;
    if (out.size == 3) return std::nullopt;
    base::nth(out.leaves, out.size++) = next;
  }
  return out;
}

class Mapper {
 public:
  Mapper(const Circuit& circuit, const std::vector<std::uint32_t>& uses)
      : circuit_(circuit), gates_(circuit.logic.gates()), uses_(uses), cuts_(gates_.size()) {}

  LogicSteps map() {
    LogicSteps out;
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
      if (uses_[g] == 0) continue;
      if (gates_[g].kind == Gate::Kind::Plane) out.planes.push_back(g);
      find_cuts(g);
    }
    std::vector<bool> needed(gates_.size(), false);
    for (const std::uint32_t counted : circuit_.counters.gates()) needed[counted] = true;
    for (auto g = static_cast<std::uint32_t>(gates_.size()); g-- > 0;) {
      if (!needed[g] || !gates_[g].logical()) continue;
      const Cut& cut = cuts_[g].front();
      LogicStep step{g, cut.size, {}, 0};
      for (int i = 0; i < cut.size; ++i) {
        const auto at = static_cast<std::size_t>(i);
        step.in[at] = cut.leaves[at];
        needed[cut.leaves[at]] = true;
      }
      step.table = table_of(g, cut);
      out.steps.push_back(step);
    }
    std::reverse(out.steps.begin(), out.steps.end());
    out.inverted.assign(gates_.size(), false);
    return out;
  }

 private:
  /// Finds the best cuts of a gate, cheapest first, followed by the gate itself for its readers.
  void find_cuts(std::uint32_t g) {
    std::vector<Cut>& out = cuts_[g];
    const Gate& gate = gates_[g];
    double flow = 0;
    if (gate.logical()) {
      for (const Cut& a : cuts_[gate.a.gate()]) {
        for (const Cut& b : cuts_[gate.b.gate()]) {
          std::optional<Cut> cut = united(a, b);
          if (!cut || std::find(out.begin(), out.end(), *cut) != out.end()) continue;
          cut->flow = 1;
          for (int i = 0; i < cut->size; ++i) cut->flow += flow_of(base::nth(cut->leaves, i));
          out.push_back(*cut);
        }
      }
      std::stable_sort(out.begin(), out.end(), [](const Cut& a, const Cut& b) { return a.flow < b.flow; });
      if (out.size() > kMaxCuts) out.resize(kMaxCuts);
      flow = out.front().flow / uses_[g];
    }
    out.push_back({1, {g, 0, 0}, flow});
  }
  double flow_of(std::uint32_t g) const { return cuts_[g].back().flow; }

  std::uint8_t table_of(std::uint32_t g, const Cut& cut) const {
    constexpr std::array<std::uint8_t, 3> kOfInput = {0xF0, 0xCC, 0xAA};
    for (int i = 0; i < cut.size; ++i) {
      if (base::nth(cut.leaves, i) == g) return base::nth(kOfInput, i);
    }
    const auto of = [&](Bit bit) {
      const std::uint8_t table = table_of(bit.gate(), cut);
      return static_cast<std::uint8_t>(bit.complemented() ? ~table : table);
    };
    const std::uint8_t a = of(gates_[g].a);
    const std::uint8_t b = of(gates_[g].b);
    return static_cast<std::uint8_t>(gates_[g].kind == Gate::Kind::And ? a & b : a ^ b);
  }

  const Circuit& circuit_;
  const std::vector<Gate>& gates_;
  const std::vector<std::uint32_t>& uses_;
  std::vector<std::vector<Cut>> cuts_;  ///< the last of each gate is the gate itself
};

}  // namespace

LogicSteps binary_steps(const Circuit& circuit, const std::vector<std::uint32_t>& uses) {
  constexpr std::array<std::uint8_t, 4> kTableOfOp = {kTableAnd, kTableAndNot, kTableOr, kTableXor};
  const std::vector<Gate>& gates = circuit.logic.gates();
  LogicSteps out;
  out.inverted.assign(gates.size(), false);
  const auto inverted = [&](Bit bit) { return bit.complemented() != out.inverted[bit.gate()]; };
  for (std::uint32_t g = 0; g < gates.size(); ++g) {
    if (uses[g] == 0) continue;
    const Gate& gate = gates[g];
    if (gate.kind == Gate::Kind::Plane) out.planes.push_back(g);
    if (!gate.logical()) continue;
    const GateOp how = gate_op(gate.kind, inverted(gate.a), inverted(gate.b));
    LogicStep step{g, 2, {gate.a.gate(), gate.b.gate(), 0}, base::nth(kTableOfOp, how.op)};
    if (how.swapped) std::swap(step.in[0], step.in[1]);
    out.inverted[g] = how.inverted;
    out.steps.push_back(step);
  }
  return out;
}

LogicSteps ternary_steps(const Circuit& circuit, const std::vector<std::uint32_t>& uses) {
  return Mapper(circuit, uses).map();
}

}  // namespace salvo::sample
