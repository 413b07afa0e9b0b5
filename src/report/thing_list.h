// The answers of `salvo ships`, `pilots`, `upgrades` and `weapons`: a table, JSON or CSV.
#pragma once

#include <string>

#include "cards/finder.h"

namespace salvo::report {

std::string to_json(const cards::FoundList& list);
std::string to_csv(const cards::FoundList& list);
std::string to_table(const cards::FoundList& list, int width, bool colour);

}  // namespace salvo::report
