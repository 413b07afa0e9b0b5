// Figures from distributions: every number a report prints, with its standard error, computed in one place.
// In: a Distribution and the names of the scenario. Out: Figures and reports, which know neither.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/distribution.h"
#include "rules/labels.h"
#include "salvo/figures.h"
#include "salvo/report.h"

namespace salvo {

/// The figures of one engine's answer. Names that `labels` lacks become "ship 0", "resource 0" and so on.
Figures make_figures(const Labels& labels, const Distribution& distribution);

/// The report of one engine's answer. The engine is "sample" where the distribution has trials, else "exact".
Report make_report(const Labels& labels, const Distribution& distribution);

/// Says in `report` how a sampled distribution was drawn; a kernel that was not used stands among the notes.
void add_sample(Report& report, const Distribution& sampled);

/// The figures of a count with these probabilities; `trials`: 0 when they are exact.
CountFigures count_figures(const Eigen::ArrayXd& pmf, std::uint64_t trials);
/// A probability; sampled, its standard error is that of a binomial share.
Figure probability_figure(double p, std::uint64_t trials);

/// Ship `ship` as messages name it.
std::string ship_name(const Labels& labels, std::size_t ship);

}  // namespace salvo
