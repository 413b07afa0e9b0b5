// One of N parts of a sweep or a sampling run, for another machine, and the identity by which `salvo merge` recognizes
// the parts that belong together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace salvo::jobs {

struct Shard {
  std::uint64_t number = 1, of = 1;

  /// The cells or trials from `first` up to, but not including, `second`. The shards cover all of them, in parts as
  /// equal as possible.
  std::pair<std::uint64_t, std::uint64_t> range(std::uint64_t all) const;
};

/// Parses "2/8". Throws UsageError.
Shard parse_shard(const std::string& option, const std::string& text);

/// Passes the bytes of a file to `read`, block by block. Throws UsageError if the file cannot be read.
void for_each_block(const std::string& path, const std::function<void(std::string_view)>& read);

/// Whether a file begins like one of `salvo run --out`.
bool is_counts_file(const std::string& path);

/// Lines of a key and its value. A shard of a sweep has them in FILE.grid, a shard of a sampling run in its own file.
class ShardIdentity {
 public:
  /// `whole`: the identity that all shards share; `seed`: of their sampling.
  ShardIdentity(const Shard& shard, const std::string& whole, std::uint64_t seed);
  /// The identity of the shard in this file. Throws UsageError if the file is not a shard.
  static ShardIdentity of_file(const std::string& path);
  static ShardIdentity of_text(std::string text);

  const std::string& text() const { return text_; }
  /// The value of a key; empty if it is missing.
  std::string value(const std::string& key) const;
  Shard shard() const;
  bool of_sampling() const;
  /// The first key in which it differs from a shard of the same job, such as "seed" or "grid"; empty if there is none.
  std::string difference(const ShardIdentity& other) const;

 private:
  ShardIdentity() = default;
  std::string text_;
};

}  // namespace salvo::jobs
