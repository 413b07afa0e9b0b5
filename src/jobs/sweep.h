// Answers every cell of a grid on all cores or machines, in order, into a file, a database or the standard output.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/job_monitor.h"
#include "jobs/scenario_input.h"
#include "jobs/shard.h"

namespace salvo::jobs {

struct SweepJob {
  ScenarioRequest request;           ///< its file is the grid
  bool csv = false;                  ///< rows as CSV, not as JSON lines
  std::string out;                   ///< file from which the sweep resumes; empty: rows go to `put`
  bool restart = false;              ///< discard the rows in the file
  std::vector<std::string> columns;  ///< empty: all
  std::optional<Shard> shard = {};   ///< empty: all cells
  std::function<void(std::string_view)> put = {};
  JobMonitor monitor = {};
};

struct SweepTotals {
  std::uint64_t cells = 0;
  std::uint64_t failures = 0;  ///< cells, among those of this call, that cannot be answered
};

/// Throws UsageError and what reading the grid throws. On a process that is not the root, the totals are 0.
SweepTotals run_sweep(SweepJob job);

}  // namespace salvo::jobs
