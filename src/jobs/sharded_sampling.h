// A sampling run whose trials are counted in parts: a shard, a group of processes, or a run that is resumed later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/job_monitor.h"
#include "jobs/scenario_input.h"
#include "jobs/shard.h"
#include "salvo/report.h"

namespace salvo::jobs {

struct SamplingJob {
  ScenarioRequest request;
  std::string out;                  ///< counts file, from which the run resumes; empty: none
  bool restart = false;             ///< discard the counts in the file
  std::optional<Shard> shard = {};  ///< empty: all trials
  JobMonitor monitor = {};
};

/// Counts the trials. Returns the report if this process is the root and counted all of them; a shard has none.
std::optional<Report> run_sampling(SamplingJob job);

/// The report of a run from all of its shards, in order. Throws UsageError if a shard is incomplete.
Report report_of_shards(const std::vector<std::string>& paths, const std::vector<ShardIdentity>& shards);

}  // namespace salvo::jobs
