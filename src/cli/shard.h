// Shard: one of n parts of a sweep or a sampling, for another machine; and what its file says about itself.
// In: "2/8", a number of cells or trials. Out: those of the part, and its identity, by which `salvo merge` tells what
// fits together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::cli {

struct Shard {
  std::uint64_t number = 1, of = 1;

  /// Cells or trials from `first` on, up to `second`. The parts of all numbers are all of them, and as equal as can be.
  std::pair<std::uint64_t, std::uint64_t> range(std::uint64_t all) const;
};

/// "2/8". Throws UsageError.
Shard parse_shard(const std::string& option, const std::string& text);

/// Calls `take` with the bytes of a file, piece by piece. Throws UsageError where it cannot be read.
void read_through(const std::string& path, const std::function<void(std::string_view)>& take);

/// Whether a file begins as one of `salvo run --out`.
bool is_counts_file(const std::string& path);

/// What is in FILE.grid beside the file of a shard of a sweep, or in the file itself of one of a sampling, line by
/// line: a key and its value.
class ShardIdentity {
 public:
  /// `whole`: the identity of all shards together, `seed` of their sampling.
  ShardIdentity(const Shard& shard, const std::string& whole, std::uint64_t seed);
  /// Of the shard in this file. Throws UsageError when it is not the file of a shard.
  static ShardIdentity of_file(const std::string& path);
  static ShardIdentity of_text(std::string text);

  const std::string& text() const { return text_; }
  /// The value of a key; empty where there is none.
  std::string value(const std::string& key) const;
  Shard shard() const;
  bool of_sampling() const;
  /// In what it differs from a shard of the same work: "seed", "version", "grid"; empty: in nothing.
  std::string difference(const ShardIdentity& other) const;

 private:
  ShardIdentity() = default;
  std::string text_;
};

}  // namespace salvo::cli
