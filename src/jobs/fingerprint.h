// A 64-bit hash that distinguishes one piece of work from another.
#pragma once

#include <cstdint>
#include <string_view>

namespace salvo::jobs {

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
inline std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace salvo::jobs
