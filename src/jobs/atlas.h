// The squad reports of a whole card set, as a folder of JSON files or a database.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "jobs/job_monitor.h"
#include "jobs/scenario_input.h"
#include "salvo/squad.h"

namespace salvo::jobs {

struct AtlasJob {
  ScenarioRequest request;          ///< cards, rules and options; it has no scenario
  std::vector<std::string> squads;  ///< further pages: XWS files and links
  std::string reference;            ///< file of reference ships; empty: the typical ones of the rules
  std::string out;                  ///< a folder, or a file that ends in .sqlite; the job resumes from it
  bool restart = false;             ///< discard its pages
  std::function<void(const Squad&)> squad_read = {};  ///< called after reading a squad
  JobMonitor monitor = {};
};

struct AtlasTotals {
  std::size_t pages = 0;
  std::size_t failures = 0;   ///< pages of this call that cannot be answered
  bool was_complete = false;  ///< an earlier call wrote all pages
};

AtlasTotals run_atlas(AtlasJob job);

}  // namespace salvo::jobs
