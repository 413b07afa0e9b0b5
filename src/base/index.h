// Indexes lists by the signed integers that plans and drafts hold.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <utility>

namespace salvo::base {

/// Element `i` of a list, counted from 0. `i` must be within the list.
template <typename List, std::integral Number>
constexpr auto nth(List& list, Number i) -> decltype(list[std::size_t{}]) {
  assert(std::in_range<std::size_t>(i) && static_cast<std::size_t>(i) < std::size(list));
  return list[static_cast<std::size_t>(i)];
}

}  // namespace salvo::base
