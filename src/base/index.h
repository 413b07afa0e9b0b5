// Small helpers for lists: elements by signed or enumerated index, and membership.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace salvo::base {

template <typename T>
concept Ordinal = std::integral<T> || std::is_enum_v<T>;

/// Element `i` of a list, or of the array that a pointer leads to, counted from 0. `i` must be within the list.
template <typename List, Ordinal Index>
constexpr auto nth(List&& list, Index i) -> decltype(list[std::size_t{}]) {
  const auto place = static_cast<std::size_t>(i);  // a negative number exceeds every size
  if constexpr (requires { std::size(list); }) assert(place < std::size(list));
  return list[place];
}

/// Whether an element of the list equals `value`.
template <typename List, typename Value>
constexpr bool contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

/// Appends `value` unless the list has it.
template <typename List>
void add_once(List& list, const typename List::value_type& value) {
  if (!contains(list, value)) list.push_back(value);
}

/// Sorts a list and removes repetitions.
template <typename List>
void sort_once(List& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace salvo::base
