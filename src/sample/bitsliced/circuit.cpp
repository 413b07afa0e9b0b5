#include "sample/bitsliced/circuit.h"

#include <algorithm>

#include "sample/bitsliced/recorder.h"

namespace salvo::sample {
namespace {

/// A weighted sum of bits with an upper bound.
struct Sum {
  std::vector<std::pair<Bit, std::uint64_t>> terms;
  std::uint64_t max = 0;
  void add(const Number& number) {
    max += static_cast<std::uint64_t>(std::max(number.max, 0));
    for (std::size_t i = 0; i < number.bits.size(); ++i) terms.emplace_back(number.bits[i], std::uint64_t{1} << i);
  }
};

/// Weighted counts that add up to a sum or a product of sums.
using Terms = std::vector<std::pair<Counters::Count, std::uint64_t>>;

std::uint64_t total(const Terms& terms, const Counted& counted) {
  std::uint64_t out = 0;
  for (const auto& [count, weight] : terms) out += weight * counted[count];
  return out;
}

constexpr std::size_t kMaxGates = 100'000;
constexpr std::size_t kMaxTerms = 8;  ///< more bits are added up before their products are counted

class ReadoutBuilder {
 public:
  ReadoutBuilder(const game::Plan& plan, const Wanted& wanted, const Recorder& recorder, Circuit& circuit)
      : plan_(plan), wanted_(wanted), recorder_(recorder), circuit_(circuit) {}

  void read_all() {
    for (std::size_t s = 0; s < plan_.ships.size(); ++s) read_ship(s);
    read_gains();
    if (wanted_.attacks) {
      for (std::size_t k = 0; k < plan_.attacks.size(); ++k) read_attack(k);
    }
    if (wanted_.tokens) {
      for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
        const Number& left = recorder_.totals().resources[r];
        moments(left, [r](Tally& tally) -> Moments& { return tally.resources[r]; });
        if (!game::has_distribution(plan_.resources[r])) continue;
        distribution(left, 0, left.max,
                     [r](Tally& tally, std::size_t n, std::size_t) -> std::uint64_t& { return tally.numbers[r][n]; });
      }
    }
  }

 private:
  Logic& logic() { return circuit_.logic; }
  Counters::Count count(Bit bit) { return circuit_.counters.of(bit); }
  void at_end(std::function<void(const Counted&, Tally&)> readout) { circuit_.readouts.push_back(std::move(readout)); }

  Terms product(const Sum& a, const Sum& b) {
    Terms out;
    for (const auto& [x, x_weight] : a.terms) {
      for (const auto& [y, y_weight] : b.terms) out.emplace_back(count(logic().both(x, y)), x_weight * y_weight);
    }
    return out;
  }
  /// Skips pairs of bits whose weights exceed the bound: they are never both set.
  Terms square(const Sum& sum) {
    Terms out;
    for (const auto& [x, x_weight] : sum.terms) {
      for (const auto& [y, y_weight] : sum.terms) {
        if (x == y || x_weight + y_weight <= sum.max) out.emplace_back(count(logic().both(x, y)), x_weight * y_weight);
      }
    }
    return out;
  }

  template <typename Where>
  void moments(const Sum& sum, Where&& where) {
    if (sum.terms.empty()) return;
    at_end([first = product(Sum{{{Bit(true), 1}}, 1}, sum), second = square(sum), where](const Counted& counted,
                                                                                         Tally& tally) {
      where(tally).sum += total(first, counted);
      where(tally).squares += total(second, counted);
    });
  }
  template <typename Where>
  void moments(const Number& number, Where&& where) {
    if (number.min < 0) throw UnsupportedByKernel("a tally can be negative");
    Sum sum;
    sum.add(number);
    moments(sum, where);
  }
  void counter(Bit bit, std::function<std::uint64_t&(Tally&)> where) {
    at_end([c = count(bit), where](const Counted& counted, Tally& tally) { where(tally) += counted[c]; });
  }

  void read_attack(std::size_t k) {
    const RecordedAttack& attack = recorder_.attacks()[k];
    counter(attack.happens, [k](Tally& tally) -> std::uint64_t& { return tally.attacks[k].happens; });
    counter(attack.hits_at_all, [k](Tally& tally) -> std::uint64_t& { return tally.attacks[k].hits_at_all; });
    moments(attack.attack_dice, [k](Tally& tally) -> Moments& { return tally.attacks[k].attack_dice; });
    moments(attack.defense_dice, [k](Tally& tally) -> Moments& { return tally.attacks[k].defense_dice; });
    moments(attack.hits, [k](Tally& tally) -> Moments& { return tally.attacks[k].hits; });
    moments(attack.crits, [k](Tally& tally) -> Moments& { return tally.attacks[k].crits; });
  }

  /// Counts the joint distribution of two numbers: how often all bits of each set of bits are set; inclusion and
  /// exclusion then gives how often each pair of values occurs. `most`: upper bound of the sum of both.
  void distribution(const Number& a, const Number& b, int most,
                    std::function<std::uint64_t&(Tally&, std::size_t, std::size_t)> where) {
    const std::vector<Bit> of_a = products(a);
    const std::vector<Bit> of_b = products(b);
    std::vector<std::pair<std::size_t, Counters::Count>> counts;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      for (std::size_t j = 0; j < of_b.size(); ++j) {
        if (static_cast<int>(i) > a.max || static_cast<int>(j) > b.max || static_cast<int>(i + j) > most) continue;
        counts.emplace_back(i * of_b.size() + j, count(logic().both(of_a[i], of_b[j])));
      }
    }
    const std::size_t size = of_a.size() * of_b.size();
    at_end([counts, size, width = of_b.size(), where](const Counted& counted, Tally& tally) {
      std::vector<std::uint64_t> n(size);
      for (const auto& [at, c] : counts) n[at] = counted[c];
      for (std::size_t bit = 1; bit < size; bit *= 2) {
        for (std::size_t i = 0; i < size; ++i) {
          if ((i & bit) == 0) n[i] -= n[i | bit];
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        if (n[i] > 0) where(tally, i / width, i % width) += n[i];
      }
    });
  }

  /// By set of bits, encoded as a number: whether all of them are set.
  std::vector<Bit> products(const Number& number) {
    std::vector<Bit> out(std::size_t{1} << number.bits.size(), true);
    for (std::size_t i = 1; i < out.size(); ++i) {
      std::size_t high = number.bits.size() - 1;
      while ((i >> high & 1u) == 0) --high;
      out[i] = logic().both(out[i & ~(std::size_t{1} << high)], number.bits[high]);
    }
    return out;
  }

  void read_ship(std::size_t s) {
    const SymbolicTotals& totals = recorder_.totals();
    distribution(totals.hits[s], totals.crits[s], totals.max_results[s],
                 [s](Tally& tally, std::size_t hits, std::size_t crits) -> std::uint64_t& {
                   return tally.ships[s].count(hits, crits);
                 });
    if (!plan_.ships[s].effect_damage) return;
    if (totals.damage[s].max >= 256) throw UnsupportedByKernel("the damage is too much to be counted one by one");
    distribution(totals.damage[s], 0, totals.damage[s].max,
                 [s](Tally& tally, std::size_t damage, std::size_t) -> std::uint64_t& {
                   return tally.ships[s].damage[std::min(damage, tally.ships[s].damage.size() - 1)];
                 });
  }

  /// The payoff of one side from all ships of the other.
  Sum gains(bool mine) {
    Sum out;
    std::uint64_t most = 0;
    std::vector<Number> numbers;
    const SymbolicTotals& totals = recorder_.totals();
    for (std::size_t s = 0; s < plan_.ships.size(); ++s) {
      const game::ShipPlan& ship = plan_.ships[s];
      if (ship.mine == mine) continue;
      if (plan_.objective == game::Objective::Damage && !ship.effect_damage) {
        // The joint distribution counts products of hits and crits anyway.
        numbers.push_back(totals.hits[s]);
        numbers.push_back(totals.crits[s]);
        most += static_cast<std::uint64_t>(totals.max_results[s]);
      } else {
        numbers.push_back(totals.gained[s]);
        most += static_cast<std::uint64_t>(std::max(totals.gained[s].max, 0));
      }
    }
    for (const Number& number : numbers) out.add(number);
    out.max = most;
    if (out.terms.size() <= kMaxTerms) return out;
    Number sum = 0;
    for (const Number& number : numbers) sum = add(logic(), sum, number);
    out.terms.clear();
    out.add(sum);
    return out;
  }

  void read_gains() {
    const Sum mine = gains(true);
    const Sum theirs = gains(false);
    moments(mine, [](Tally& tally) -> Moments& { return tally.mine; });
    moments(theirs, [](Tally& tally) -> Moments& { return tally.theirs; });
    at_end(
        [both = product(mine, theirs)](const Counted& counted, Tally& tally) { tally.mixed += total(both, counted); });
  }

  const game::Plan& plan_;
  const Wanted& wanted_;
  const Recorder& recorder_;
  Circuit& circuit_;
};

}  // namespace

Counters::Count Counters::of(Bit bit) {
  if (bit.constant()) return {-1, bit.is(true)};
  const auto [at, fresh] = index_.try_emplace(bit.gate(), static_cast<int>(gates_.size()));
  if (fresh) gates_.push_back(bit.gate());
  return {at->second, bit.complemented()};
}

std::vector<std::uint32_t> uses_of(const Circuit& circuit) {
  const std::vector<Gate>& gates = circuit.logic.gates();
  std::vector<std::uint32_t> uses(gates.size(), 0);
  for (const std::uint32_t counted : circuit.counters.gates()) ++uses[counted];
  std::size_t live = 0;
  for (std::size_t g = gates.size(); g-- > 0;) {
    if (uses[g] == 0) continue;
    if (++live > kMaxGates) throw UnsupportedByKernel("the logic has too many gates");
    if (!gates[g].logical()) continue;
    ++uses[gates[g].a.gate()];
    ++uses[gates[g].b.gate()];
  }
  return uses;
}

Circuit record(const Setup& setup, const Wanted& wanted, std::size_t budget) {
  check_known(setup.plan);
  Circuit out;
  const std::vector<AttackDecisions> decisions = find_decisions(setup.plan, setup.policy, budget);
  Recorder recorder(setup, decisions, out.logic);
  recorder.record();
  ReadoutBuilder(setup.plan, wanted, recorder, out).read_all();
  return out;
}

}  // namespace salvo::sample
