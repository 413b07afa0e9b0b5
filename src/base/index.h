// Small helpers for lists: elements by signed index, and membership.
#pragma once

#include <algorithm>
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

/// Whether an element of the list equals `value`.
template <typename List, typename Value>
constexpr bool contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

}  // namespace salvo::base
