// Figures from distributions: every number a report prints, with its standard error, computed in one place.
// In: a Distribution and the names of the scenario. Out: Figures and reports, which know neither.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compile/labels.h"
#include "game/distribution.h"
#include "salvo/estimates.h"
#include "salvo/report.h"

namespace salvo::answers {

/// The figures of one engine's answer. Names that `labels` lacks become "ship 0", "resource 0" and so on.
Estimates make_estimates(const compile::Labels& labels, const game::Distribution& distribution);

/// The report of one engine's answer. The engine is "sample" where the distribution has trials, else "exact".
Report make_report(const compile::Labels& labels, const game::Distribution& distribution);

/// Says in `report` how a sampled distribution was drawn; a kernel that was not used stands among the notes.
void add_sample(Report& report, const game::Distribution& sampled);

/// The figures of a count with these probabilities; `trials`: 0 when they are exact.
CountDistribution count_estimates(const Eigen::ArrayXd& pmf, std::uint64_t trials);
/// A probability; sampled, its standard error is that of a binomial share.
Estimate probability_estimate(double p, std::uint64_t trials);

/// Ship `ship` as messages name it.
std::string ship_name(const compile::Labels& labels, std::size_t ship);

}  // namespace salvo::answers
