// Counters of the server, in the text format of Prometheus. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "serve/response_cache.h"
#include "serve/worker_pool.h"

namespace salvo::serve {

class Metrics {
 public:
  static constexpr std::array kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                         0.1,    0.25,  0.5,    1.0,   2.5,  5.0,   10.0};

  /// `route`: the name of a route, not the path that a client sent, so that the number of series is bounded.
  void answered(std::string_view route, int status, double seconds);

  std::uint64_t connections_accepted = 0, connections_refused = 0, connections_evicted = 0, connections_timed_out = 0;
  std::uint64_t batch_lines = 0, log_lines_dropped = 0;
  std::size_t connections_open = 0;

  std::string text(const PoolState& work, const CacheState& cache) const;

 private:
  struct Histogram {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};  ///< by bucket; the last one is for all longer times
    double sum = 0;
  };
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram, std::less<>> seconds_;
};

}  // namespace salvo::serve
