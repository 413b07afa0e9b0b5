// Figures as JSON, for every command that prints them: a number, and its standard error beside it when sampled.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "salvo/report.h"

namespace salvo::report {

/// Puts a figure under `key`, and, when sampled, its standard error under `key`_se.
void put(nlohmann::ordered_json& object, const std::string& key, const Figure& figure, bool sampled);
void put(nlohmann::ordered_json& object, const std::string& key, const std::vector<Figure>& figures, bool sampled);
/// Puts the cells as [hits, crits, probability] under "joint".
void put_joint(nlohmann::ordered_json& object, const std::vector<JointCell>& joint, bool sampled);
/// The object of a count: mean, pmf, at_least.
nlohmann::ordered_json count_json(const CountFigures& figures, bool sampled);
/// Where the cells come from: trials, seed, generator. `target` only where the user chose it: otherwise the same
/// question gives the same bytes on every machine.
void put_sample(nlohmann::ordered_json& out, const SampleInfo& sample);
void put_cross_check(nlohmann::ordered_json& out, const CrossCheck& check);

}  // namespace salvo::report
