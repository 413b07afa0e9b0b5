#include "report/json_figures.h"

#include <fmt/format.h>

#include <string>

#include "base/text.h"

namespace salvo::report {
namespace {

/// Rounded to 6 significant digits.
double six_digits(double x) { return base::parse_real(fmt::format("{:.6g}", x)).value_or(x); }

std::string se_of(std::string_view key) { return std::string(key) + "_se"; }

}  // namespace

void write_figure(JsonWriter& json, std::string_view key, const Estimate& figure, bool sampled) {
  json.member(key, figure.value);
  if (sampled) json.member(se_of(key), figure.se);
}

void write_figures(JsonWriter& json, std::string_view key, const std::vector<Estimate>& estimates, bool sampled) {
  json.array(key, [&] {
    for (const Estimate& figure : estimates) json.value(figure.value);
  });
  if (!sampled) return;
  json.array(se_of(key), [&] {
    for (const Estimate& figure : estimates) json.value(figure.se);
  });
}

void write_joint(JsonWriter& json, const std::vector<JointCell>& joint, bool sampled) {
  const auto write = [&](std::string_view key, double Estimate::*number) {
    json.array(key, [&] {
      for (const JointCell& cell : joint) {
        json.array([&] {
          json.value(cell.hits);
          json.value(cell.crits);
          json.value(cell.probability.*number);
        });
      }
    });
  };
  write("joint", &Estimate::value);
  if (sampled) write("joint_se", &Estimate::se);
}

void write_count(JsonWriter& json, const Estimate& mean, const std::vector<Estimate>& pmf,
                 const std::vector<Estimate>& at_least, bool sampled) {
  write_figure(json, "mean", mean, sampled);
  write_figures(json, "pmf", pmf, sampled);
  write_figures(json, "at_least", at_least, sampled);
}

void write_count(JsonWriter& json, std::string_view key, const CountDistribution& count, bool sampled) {
  json.object(key, [&] { write_count(json, count.mean, count.pmf, count.at_least, sampled); });
}

void write_damage(JsonWriter& json, const ShipEstimates& ship, bool sampled) {
  json.object("damage", [&] { write_count(json, ship.mean_damage, ship.pmf, ship.at_least, sampled); });
}

void write_sample(JsonWriter& json, const SampleInfo& sample) {
  json.object("sample", [&] {
    json.member("trials", sample.trials);
    json.member("seed", sample.seed);
    json.member("generator", sample.generator);
    // Only if the user chose the target: otherwise the same question yields the same bytes on every machine.
    if (sample.target_forced) {
      json.member("target", sample.target);
      json.member("kernel", sample.kernel);
    }
    if (!sample.ended_by.empty()) json.member("ended_by", sample.ended_by);
    if (!sample.kernel_fallback.empty()) json.member("kernel_fallback", sample.kernel_fallback);
  });
  if (sample.interrupted) json.member("interrupted", true);
}

void write_cross_check(JsonWriter& json, const CrossCheck& check) {
  json.object("cross_check", [&] {
    json.member("g", six_digits(check.g));
    json.member("df", check.df);
    json.member("p", six_digits(check.p));
    json.member("agree", check.agree);
    json.member("largest_difference", six_digits(check.largest_difference));
    json.member("largest_difference_of", check.largest_name);
    if (check.rounds_left_out > 0) json.member("rounds_left_out", check.rounds_left_out);
  });
}

}  // namespace salvo::report
