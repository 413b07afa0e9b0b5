// Shard: one of n parts of a sweep, for another machine; and what its file says about itself.
// In: "2/8", a number of cells. Out: the cells of the part, and its identity, by which `salvo merge` tells what fits
// together.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace salvo::cli {

struct Shard {
  std::uint64_t number = 1, of = 1;

  /// Cells from `first` on, up to `second`. The parts of all numbers are all cells, and as equal as can be.
  std::pair<std::uint64_t, std::uint64_t> cells(std::uint64_t all) const;
};

/// "2/8". Throws UsageError.
Shard parse_shard(const std::string& option, const std::string& text);

/// What is in FILE.grid beside the file of a shard, line by line: a key and its value.
class ShardIdentity {
 public:
  /// `sweep`: the identity of the whole sweep, `seed` of its sampling.
  ShardIdentity(const Shard& shard, const std::string& sweep, std::uint64_t seed);
  /// Of the shard in this file. Throws UsageError when it is not the file of a shard.
  static ShardIdentity of_file(const std::string& path);

  const std::string& text() const { return text_; }
  /// The value of a key; empty where there is none.
  std::string value(const std::string& key) const;
  Shard shard() const;
  /// In what it differs from a shard of the same sweep: "seed", "version", "grid"; empty: in nothing.
  std::string difference(const ShardIdentity& other) const;

 private:
  ShardIdentity() = default;
  std::string text_;
};

}  // namespace salvo::cli
