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
