// Every number of a report with its standard error, computed here and nowhere else. In: a Distribution and Labels. Out:
// Estimates and reports, which depend on neither.
#pragma once

#include <cstdint>
#include <string>

#include "compile/labels.h"
#include "game/distribution.h"
#include "salvo/estimates.h"
#include "salvo/report.h"

namespace salvo::answers {

/// The estimates of one engine. Names that `labels` lacks become "ship 0", "resource 0" and so on.
Estimates make_estimates(const compile::Labels& labels, const game::Distribution& distribution);

/// The report of one engine: Sample if the distribution has trials, else Exact.
Report make_report(const compile::Labels& labels, const game::Distribution& distribution);

/// Adds to `report` how a distribution was sampled. A kernel that was rejected becomes a note.
void add_sample(Report& report, const game::Distribution& sampled);

/// The estimates of a count with these probabilities; `trials`: 0 if they are exact.
CountDistribution count_estimates(const Eigen::ArrayXd& pmf, std::uint64_t trials);
/// A probability. If sampled, its standard error is that of a binomial proportion.
Estimate probability_estimate(double p, std::uint64_t trials);

/// The name of a ship in messages.
std::string ship_name(const compile::Labels& labels, std::size_t ship);

}  // namespace salvo::answers
