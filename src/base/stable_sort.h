// Sorts lists, equal elements in the order that they had. Which element goes where is found by one function for all
// types, so that a program (that in a browser above all) has its code once.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace salvo::base {

/// Whether the element of the first index belongs before that of the second; `list` is whatever the function knows it
/// by.
using IsBefore = bool(const void* list, std::size_t first, std::size_t second);

/// The indices of `size` elements in order.
std::vector<std::size_t> stable_order(std::size_t size, const void* list, IsBefore* is_before);

template <typename Element, typename Less>
void stable_sort(std::vector<Element>& list, const Less& less) {
  const auto both = std::pair<const std::vector<Element>&, const Less&>(list, less);
  const auto order = stable_order(list.size(), &both, [](const void* context, std::size_t first, std::size_t second) {
    const auto& [elements, before] = *static_cast<const std::pair<const std::vector<Element>&, const Less&>*>(context);
    return before(elements[first], elements[second]);
  });
  std::vector<Element> sorted;
  sorted.reserve(list.size());
  for (const std::size_t i : order) sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

}  // namespace salvo::base
