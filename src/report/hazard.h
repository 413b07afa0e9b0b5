// The answers of `salvo hazard` in every format: one hazard, the list of hazards, a roll of the players.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hazard/hazard.h"
#include "salvo/engine.h"
#include "salvo/report.h"

namespace salvo::report {

struct HazardReport {
  const hazard::Occurrence* question = nullptr;
  Engine engine = Engine::Exact;
  std::optional<hazard::Answer> exact, sample;
  std::optional<CrossCheck> cross_check;
  std::vector<std::string> notes;
};

struct ContestReport {
  const load::Hazard* hazard = nullptr;
  std::string rules;
  Engine engine = Engine::Exact;
  std::optional<hazard::ContestAnswer> exact, sample;
  std::optional<CrossCheck> cross_check;
};

struct HazardList {
  std::string rules;
  std::vector<load::Hazard> hazards;
};

std::string to_json(const HazardReport& report);
std::string to_csv(const HazardReport& report);
std::string to_table(const HazardReport& report, int width, bool colour);

std::string to_json(const ContestReport& report);
std::string to_csv(const ContestReport& report);
std::string to_table(const ContestReport& report, int width, bool colour);

std::string to_json(const HazardList& list);
std::string to_csv(const HazardList& list);
std::string to_table(const HazardList& list, int width, bool colour);

/// "2 attack dice; hit: 1 hit; crit: 1 crit": what a situation does, in words.
std::string effect_words(const load::HazardSituation& situation);

}  // namespace salvo::report
