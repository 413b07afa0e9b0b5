// std::bit_cast, which the standard library of Emscripten 3.1 lacks.
#pragma once

#include <cstring>
#include <type_traits>

namespace salvo::base {

/// The value of another type of the same size that has the same bytes.
template <typename To, typename From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  To out;
  std::memcpy(&out, &from, sizeof out);
  return out;
}

}  // namespace salvo::base
