// Hash functions: one for keys made of several values, one whose result is the same everywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace salvo::base {

/// Folds values into a 64-bit hash; their order matters.
class Hasher {
 public:
  void add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  void add(int value) { add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(value))); }
  void add(std::string_view text) { add(static_cast<std::uint64_t>(std::hash<std::string_view>()(text))); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// A hash of a text, the same on every machine: FNV-1a, 64 bits (Fowler, Noll, Vo).
inline std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace salvo::base
