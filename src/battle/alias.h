// Alias tables (Walker 1974, Vose 1991): draw one of several cases in constant time from 64 random bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace salvo::battle {

/// Probabilities are exact up to 2^-32.
class AliasTable {
 public:
  AliasTable() = default;
  /// `weights`: not negative, at least one above 0.
  explicit AliasTable(const std::vector<double>& weights);

  std::size_t pick(std::uint64_t bits) const {
    const std::size_t at = cell_of(bits, cells_.size());
    return cells_[at].picks(bits, at);
  }
  std::size_t size() const { return cells_.size(); }

  struct Cell {
    std::uint32_t threshold = 0xffffffffu;
    std::uint32_t other = 0;
    /// Cell `at` itself or the other one. Branchless, because the choice is unpredictable.
    std::size_t picks(std::uint64_t bits, std::size_t at) const {
      const std::size_t moves = std::size_t{0} - (static_cast<std::uint32_t>(bits) < threshold ? 0u : 1u);
      return at ^ ((at ^ other) & moves);
    }
  };
  const Cell& operator[](std::size_t i) const { return cells_[i]; }
  /// The cell of n that the bits select.
  static std::size_t cell_of(std::uint64_t bits, std::size_t n) {
    return static_cast<std::size_t>((bits >> 32) * n >> 32);
  }

 private:
  std::vector<Cell> cells_;
};

}  // namespace salvo::battle
