// Figures as JSON: see json_figures.h.
#include "report/json_figures.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace salvo::report {

using nlohmann::ordered_json;

namespace {

/// Rounded to 6 significant digits.
double six_digits(double x) {
  const std::string text = fmt::format("{:.6g}", x);
  double rounded = 0;
  const auto end = text.data() + text.size();
  return std::from_chars(text.data(), end, rounded).ec == std::errc() ? rounded : x;
}

}  // namespace

void put(ordered_json& object, const std::string& key, const Figure& figure, bool sampled) {
  object[key] = figure.value;
  if (sampled) object[key + "_se"] = figure.se;
}

void put(ordered_json& object, const std::string& key, const std::vector<Figure>& figures, bool sampled) {
  ordered_json values = ordered_json::array(), errors = ordered_json::array();
  for (const Figure& figure : figures) {
    values.push_back(figure.value);
    errors.push_back(figure.se);
  }
  object[key] = std::move(values);
  if (sampled) object[key + "_se"] = std::move(errors);
}

void put_joint(ordered_json& object, const std::vector<JointCell>& joint, bool sampled) {
  ordered_json values = ordered_json::array(), errors = ordered_json::array();
  for (const auto& [hits, crits, probability] : joint) {
    values.push_back(ordered_json::array({hits, crits, probability.value}));
    errors.push_back(ordered_json::array({hits, crits, probability.se}));
  }
  object["joint"] = std::move(values);
  if (sampled) object["joint_se"] = std::move(errors);
}

ordered_json count_json(const CountFigures& figures, bool sampled) {
  ordered_json out = ordered_json::object();
  put(out, "mean", figures.mean, sampled);
  put(out, "pmf", figures.pmf, sampled);
  put(out, "at_least", figures.at_least, sampled);
  return out;
}

void put_sample(ordered_json& out, const SampleInfo& sample) {
  out["sample"] = {{"trials", sample.trials}, {"seed", sample.seed}, {"generator", sample.generator}};
  // Only where the user chose it: otherwise the same question gives the same bytes on every machine.
  if (sample.target_forced) {
    out["sample"]["target"] = sample.target;
    out["sample"]["kernel"] = sample.kernel;
  }
  if (sample.interrupted) out["interrupted"] = true;
}

void put_cross_check(ordered_json& out, const CrossCheck& check) {
  out["cross_check"] = {{"g", six_digits(check.g)},
                        {"df", check.df},
                        {"p", six_digits(check.p)},
                        {"agree", check.agree},
                        {"largest_difference", six_digits(check.largest_difference)},
                        {"largest_difference_of", check.largest_name}};
}

}  // namespace salvo::report
