// A stable sort whose algorithm is compiled once for all element types. std::stable_sort would be compiled for each
// type, and the WebAssembly module has to stay small.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace salvo::base {

/// Whether the element at index `first` must precede that at index `second`. `list` is an opaque context.
using IsBefore = bool(const void* list, std::size_t first, std::size_t second);

/// The indices of `size` elements in sorted order.
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
