// The result as one JSON object, as docs and contract describe it.
// In: a Report. Out: a JSON value, or text.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "report/figures.h"
#include "report/json_layout.h"
#include "report/report_json.h"
#include "salvo/report.h"

namespace salvo {
namespace {

using nlohmann::ordered_json;
using report::AttackFigures;
using report::Figure;
using report::Figures;
using report::ShipFigures;

// ---------------------------------------------------------------- content

/// Rounded to 6 significant digits.
double six_digits(double x) {
  const std::string text = fmt::format("{:.6g}", x);
  double rounded = 0;
  const auto end = text.data() + text.size();
  return std::from_chars(text.data(), end, rounded).ec == std::errc() ? rounded : x;
}

/// Puts a figure, and beside it its standard error when sampled.
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

void put_joint(ordered_json& object, const ShipFigures& ship, bool sampled) {
  ordered_json values = ordered_json::array(), errors = ordered_json::array();
  for (const auto& [hits, crits, probability] : ship.joint) {
    values.push_back(ordered_json::array({hits, crits, probability.value}));
    errors.push_back(ordered_json::array({hits, crits, probability.se}));
  }
  object["joint"] = std::move(values);
  if (sampled) object["joint_se"] = std::move(errors);
}

void put_tokens(ordered_json& object, const ShipFigures& ship, bool sampled) {
  ordered_json values = ordered_json::object(), errors = ordered_json::object();
  for (const auto& [kind, figure] : ship.tokens_left) {
    values[kind] = figure.value;
    errors[kind] = figure.se;
  }
  object["tokens_left"] = std::move(values);
  if (sampled) object["tokens_left_se"] = std::move(errors);
}

ordered_json ship_json(const ShipFigures& ship, bool sampled) {
  ordered_json damage = ordered_json::object(), out = ordered_json::object();
  put(damage, "mean", ship.mean_damage, sampled);
  put(damage, "pmf", ship.pmf, sampled);
  put(damage, "at_least", ship.at_least, sampled);
  out["damage"] = std::move(damage);
  put_joint(out, ship, sampled);
  put(out, "destroyed", ship.destroyed, sampled);
  put_tokens(out, ship, sampled);
  put(out, "hull", ship.hull, sampled);
  put(out, "shields", ship.shields, sampled);
  return out;
}

ordered_json attack_json(const AttackFigures& attack, bool sampled) {
  ordered_json out = {{"by", attack.by}, {"on", attack.on}};
  if (!attack.bonus.empty()) out["bonus"] = attack.bonus;
  put(out, "happens", attack.happens, sampled);
  put(out, "attack_dice", attack.attack_dice, sampled);
  put(out, "defense_dice", attack.defense_dice, sampled);
  put(out, "hit_probability", attack.hit_probability, sampled);
  put(out, "mean_hits", attack.mean_hits, sampled);
  put(out, "mean_crits", attack.mean_crits, sampled);
  return out;
}

void put_notes(ordered_json& out, const Labels& labels) {
  out["assumed_facts"] = labels.assumed_facts;
  out["unmodelled"] = labels.unmodelled;
  out["partly"] = labels.partly;
  if (!labels.notes.empty()) out["notes"] = labels.notes;
}

void put_sample(ordered_json& out, const Distribution& sample) {
  out["sample"] = {{"trials", sample.trials}, {"seed", sample.seed}, {"generator", sample.generator}};
  // Only where the user chose it: otherwise the same question gives the same bytes on every machine.
  if (sample.target_forced) out["sample"]["target"] = sample.target;
  if (sample.interrupted) out["interrupted"] = true;
}

/// What damage cards did, or would do.
void put_damage_deck(ordered_json& out, const Report& report, const Figures& figures) {
  const bool sampled = figures.trials > 0;
  if (report.labels.damage_deck != "none") {
    ordered_json deck = {{"deck", report.labels.damage_deck}};
    const auto put_ships = [&](const std::string& key, Figure ShipFigures::*figure) {
      ordered_json means = ordered_json::object(), errors = ordered_json::object();
      for (const ShipFigures& ship : figures.ships) {
        means[ship.name] = (ship.*figure).value;
        errors[ship.name] = (ship.*figure).se;
      }
      deck[key] = std::move(means);
      if (sampled) deck[key + "_se"] = std::move(errors);
    };
    put_ships("faceup", &ShipFigures::faceup);
    put_ships("added", &ShipFigures::added);
    out["damage_deck"] = std::move(deck);
  } else if (report.would_add) {
    ordered_json means = ordered_json::object();
    for (const auto& [ship, mean] : report.would_add->mean) means[ship] = mean;
    out["damage_deck"] = {{"deck", "none"}, {report.would_add->deck + "_would_add", std::move(means)}};
  }
}

void put_cross_check(ordered_json& out, const CrossCheck& check) {
  out["cross_check"] = {{"g", six_digits(check.g)},
                        {"df", check.df},
                        {"p", six_digits(check.p)},
                        {"agree", check.agree},
                        {"largest_difference", six_digits(check.largest_difference)},
                        {"largest_difference_of", check.largest_name}};
}

}  // namespace

nlohmann::ordered_json report::report_json(const Report& report) {
  const Figures figures = report::make_figures(report.labels, report.main());
  const bool sampled = figures.trials > 0;
  ordered_json out = {{"format", 1}, {"rules", report.labels.rules}, {"engine", report.engine}};
  if (!report.engine_reason.empty()) out["engine_reason"] = report.engine_reason;
  out["objective"] = report.labels.objective;
  out["policy"] = {{"attacker", report.labels.attacker_policy}, {"defender", report.labels.defender_policy}};
  put(out, "value", figures.value, sampled);
  out["ships"] = ordered_json::object();
  for (const ShipFigures& ship : figures.ships) out["ships"][ship.name] = ship_json(ship, sampled);
  out["attacks"] = ordered_json::array();
  for (const AttackFigures& attack : figures.attacks) out["attacks"].push_back(attack_json(attack, sampled));
  put_damage_deck(out, report, figures);
  put_notes(out, report.labels);
  if (report.sample) put_sample(out, *report.sample);
  if (report.cross_check) put_cross_check(out, *report.cross_check);
  if (report.certificate) {
    out["certificate"] = {{"fraction", report.certificate->fraction()},
                          {"error", report.certificate->error},
                          {"positions", report.certificate->positions}};
  }
  return out;
}

std::string to_json(const Report& report) { return report::json_page(report::report_json(report)); }

std::string to_json_line(const Report& report) { return report::json_line(report::report_json(report)); }

}  // namespace salvo
