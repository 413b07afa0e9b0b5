#include "base/stable_sort.h"

#include <algorithm>
#include <numeric>

namespace salvo::base {

std::vector<std::size_t> stable_order(std::size_t size, const void* list, IsBefore* is_before) {
  std::vector<std::size_t> out(size);
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t first, std::size_t second) { return is_before(list, first, second); });
  return out;
}

}  // namespace salvo::base
