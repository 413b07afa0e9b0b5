// Estimates as JSON, for every command: a number, followed by its standard error when sampled.
#pragma once

#include <string_view>
#include <vector>

#include "report/json_writer.h"
#include "salvo/report.h"

namespace salvo::report {

/// Writes an estimate under `key` and, when sampled, its standard error under `key`_se.
void write_figure(JsonWriter& json, std::string_view key, const Estimate& figure, bool sampled);
void write_figures(JsonWriter& json, std::string_view key, const std::vector<Estimate>& estimates, bool sampled);
/// Writes the cells as [hits, crits, probability] under "joint".
void write_joint(JsonWriter& json, const std::vector<JointCell>& joint, bool sampled);
/// Writes the members of a count: mean, pmf, at_least.
void write_count(JsonWriter& json, const Estimate& mean, const std::vector<Estimate>& pmf,
                 const std::vector<Estimate>& at_least, bool sampled);
/// Writes a count as an object under `key`.
void write_count(JsonWriter& json, std::string_view key, const CountDistribution& count, bool sampled);
/// Writes the damage to a ship as an object under "damage".
void write_damage(JsonWriter& json, const ShipEstimates& ship, bool sampled);
/// Writes how the sample was drawn: trials, seed, generator. `target` only if the user chose it: otherwise the same
/// question yields the same bytes on every machine.
void write_sample(JsonWriter& json, const SampleInfo& sample);
void write_cross_check(JsonWriter& json, const CrossCheck& check);

}  // namespace salvo::report
