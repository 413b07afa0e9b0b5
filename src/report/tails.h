// The probability of k or more as rows of a table, with bars.
#pragma once

#include <cstdint>
#include <vector>

#include "report/page.h"
#include "salvo/estimates.h"

namespace salvo::report {

/// A row for each k from 1 that is not too rare: "2 or more   42.13%  42.0-42.3  ######". `trials`: 0 when exact.
void write_tails(Page& page, const std::vector<Estimate>& at_least, std::uint64_t trials);

/// The same with the probability of exactly k beside it, and a row for none: "no damage    31.40%". `exactly` is as
/// long as `at_least`.
void write_distribution(Page& page, const std::vector<Estimate>& exactly, const std::vector<Estimate>& at_least,
                        std::uint64_t trials, const char* none = "no damage");

}  // namespace salvo::report
