#include "serve/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <utility>

#include "base/index.h"
#include "salvo/version.h"

namespace salvo::serve {
namespace {

/// Not fmt::format_to, which would instantiate much of fmt in this file.
template <typename... Values>
void add(std::string& out, fmt::format_string<Values...> text, Values&&... values) {
  out += fmt::format(text, std::forward<Values>(values)...);
}

void head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  add(out, "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

template <typename Number>
void one(std::string& out, std::string_view name, std::string_view type, std::string_view help, Number number) {
  head(out, name, type, help);
  add(out, "{} {}\n", name, number);
}

/// Resident memory in bytes; 0 if the system does not report it.
std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void write_connections(std::string& out, const Metrics& metrics) {
  one(out, "salvo_connections", "gauge", "Connections that are open.", metrics.connections_open);
  one(out, "salvo_connections_accepted_total", "counter", "Connections accepted.", metrics.connections_accepted);
  one(out, "salvo_connections_refused_total", "counter", "Connections refused because all others were at work.",
      metrics.connections_refused);
  one(out, "salvo_connections_evicted_total", "counter", "Idle or slow connections closed to make room.",
      metrics.connections_evicted);
  one(out, "salvo_connections_timed_out_total", "counter", "Connections closed for inactivity.",
      metrics.connections_timed_out);
}

void write_work(std::string& out, const PoolState& work) {
  one(out, "salvo_questions_waiting", "gauge", "Questions that wait for their turn.", work.queued);
  one(out, "salvo_questions_running", "gauge", "Questions that are worked on.", work.running);
  one(out, "salvo_questions_long_running", "gauge", "Those of them that take long.", work.long_running);
}

void write_cache(std::string& out, const CacheState& cache) {
  one(out, "salvo_cache_hits_total", "counter", "Answers found in the cache.", cache.hits);
  one(out, "salvo_cache_misses_total", "counter", "Answers that were not.", cache.misses);
  one(out, "salvo_cache_evictions_total", "counter", "Answers evicted from the cache.", cache.evictions);
  one(out, "salvo_cache_entries", "gauge", "Questions with a cached answer.", cache.entries);
  one(out, "salvo_cache_bytes", "gauge", "Bytes of these questions and answers.", cache.bytes);
}

}  // namespace

void Metrics::answered(std::string_view route, int status, double seconds) {
  ++requests_[{std::string(route), status}];
  auto found = seconds_.find(route);
  if (found == seconds_.end()) found = seconds_.emplace(route, Histogram()).first;
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  ++base::nth(found->second.counts, bucket);
  found->second.sum += seconds;
}

std::string Metrics::text(const PoolState& work, const CacheState& cache) const {
  std::string out;
  const BuildInfo info = build_info();
  head(out, "salvo_build_info", "gauge", "The program; always 1.");
  add(out, "salvo_build_info{{version=\"{}\",commit=\"{}\"}} 1\n", info.version, info.commit);
  head(out, "salvo_requests_total", "counter", "Requests answered, by route and status.");
  for (const auto& [key, count] : requests_) {
    add(out, "salvo_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  }
  head(out, "salvo_request_seconds", "histogram", "From the whole request to the whole answer.");
  for (const auto& [route, histogram] : seconds_) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      sum += histogram.counts[i];
      add(out, "salvo_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, kBounds[i], sum);
    }
    sum += histogram.counts.back();
    add(out, "salvo_request_seconds_bucket{{route=\"{}\",le=\"+Inf\"}} {}\n", route, sum);
    add(out, "salvo_request_seconds_sum{{route=\"{}\"}} {}\n", route, histogram.sum);
    add(out, "salvo_request_seconds_count{{route=\"{}\"}} {}\n", route, sum);
  }
  write_connections(out, *this);
  write_work(out, work);
  one(out, "salvo_batch_lines_total", "counter", "Lines of batches answered.", batch_lines);
  write_cache(out, cache);
  one(out, "salvo_log_lines_dropped_total", "counter", "Log lines dropped because the reader was too slow.",
      log_lines_dropped);
  one(out, "process_resident_memory_bytes", "gauge", "Memory in use.", resident_bytes());
  one(out, "process_cpu_seconds_total", "counter", "Processor time used.", processor_seconds());
  return out;
}

}  // namespace salvo::serve
