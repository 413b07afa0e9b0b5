// `salvo ships`, `pilots`, `upgrades` and `weapons` in print.
// In: rows of what was found. Out: a table for people, JSON or CSV for programs.
#pragma once

#include <string>

#include "cards/finder.h"

namespace salvo::report {

std::string to_json(const cards::FoundList& list);
std::string to_csv(const cards::FoundList& list);
std::string to_table(const cards::FoundList& list, int width, bool colour);

}  // namespace salvo::report
