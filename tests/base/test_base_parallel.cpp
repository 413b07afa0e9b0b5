// Work that fails in several threads.
#include <catch2/catch.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "base/parallel.h"

namespace salvo::base {
namespace {

TEST_CASE("of several failures the first in order is reported", "[base]") {
  for (int repetition = 0; repetition < 50; ++repetition) {
    const auto fail = [](std::size_t i) {
      volatile double slow = 0;
      for (std::size_t k = 0; i < 40 && k < 10'000; ++k) slow = slow + 1;  // later ones fail sooner
      if (i >= 20) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH(Threads(0).for_each(1000, fail), "20");
  }
}

}  // namespace
}  // namespace salvo::base
