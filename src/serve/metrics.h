// Metrics: what the server has counted, in the text form of Prometheus. Used by one thread only.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "serve/response_cache.h"
#include "serve/work.h"

namespace salvo::serve {

class Metrics {
 public:
  static constexpr std::array kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                         0.1,    0.25,  0.5,    1.0,   2.5,  5.0,   10.0};

  /// `route`: a name of a route, not what a client typed, so that their number is bounded.
  void answered(std::string_view route, int status, double seconds);

  std::uint64_t connections_accepted = 0, connections_refused = 0, connections_evicted = 0, connections_timed_out = 0;
  std::uint64_t batch_lines = 0, log_lines_dropped = 0;
  std::size_t connections_open = 0;

  std::string text(const WorkState& work, const CacheState& cache) const;

 private:
  struct Histogram {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};  ///< of each bucket; the last: all that took longer
    double sum = 0;
  };
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram, std::less<>> seconds_;
};

}  // namespace salvo::serve
