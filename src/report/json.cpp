// The result as one JSON object, as docs and contract describe it.
// In: a Report. Out: a JSON value, or text.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/json_figures.h"
#include "report/json_layout.h"
#include "report/report_json.h"
#include "salvo/report.h"

namespace salvo {
namespace {

using nlohmann::ordered_json;
using report::put;

// ---------------------------------------------------------------- content

void put_tokens(ordered_json& object, const ShipFigures& ship, bool sampled) {
  ordered_json values = ordered_json::object(), errors = ordered_json::object();
  for (const auto& [kind, figure] : ship.tokens_left) {
    values[kind] = figure.value;
    errors[kind] = figure.se;
  }
  object["tokens_left"] = std::move(values);
  if (sampled) object["tokens_left_se"] = std::move(errors);
}

/// Only where effects give tokens.
void put_token_distributions(ordered_json& object, const ShipFigures& ship, bool sampled) {
  if (ship.tokens_pmf.empty()) return;
  ordered_json numbers = ordered_json::object(), states = ordered_json::object();
  for (const auto& [kind, pmf] : ship.tokens_pmf) put(numbers, kind.c_str(), pmf, sampled);
  for (const auto& [state, figure] : ship.states) put(states, state.c_str(), figure, sampled);
  object["tokens_pmf"] = std::move(numbers);
  if (!ship.states.empty()) object["states"] = std::move(states);
}

ordered_json ship_json(const ShipFigures& ship, bool sampled) {
  ordered_json out = ordered_json::object();
  out["damage"] = report::count_json({ship.mean_damage, ship.pmf, ship.at_least}, sampled);
  report::put_joint(out, ship.joint, sampled);
  put(out, "destroyed", ship.destroyed, sampled);
  put_tokens(out, ship, sampled);
  put_token_distributions(out, ship, sampled);
  put(out, "hull", ship.hull, sampled);
  put(out, "shields", ship.shields, sampled);
  return out;
}

ordered_json attack_json(const AttackFigures& attack, bool sampled) {
  ordered_json out = {{"by", attack.by}, {"on", attack.on}};
  if (!attack.bonus.empty()) out["bonus"] = attack.bonus;
  if (attack.second) out["second"] = true;
  put(out, "happens", attack.happens, sampled);
  put(out, "attack_dice", attack.attack_dice, sampled);
  put(out, "defense_dice", attack.defense_dice, sampled);
  put(out, "hit_probability", attack.hit_probability, sampled);
  put(out, "mean_hits", attack.mean_hits, sampled);
  put(out, "mean_crits", attack.mean_crits, sampled);
  return out;
}

void put_notes(ordered_json& out, const Provenance& labels) {
  out["assumed_facts"] = labels.assumed_facts;
  out["unmodelled"] = labels.unmodelled;
  out["partly"] = labels.partly;
  if (!labels.notes.empty()) out["notes"] = labels.notes;
}

/// What damage cards did, or would do.
void put_damage_deck(ordered_json& out, const Report& report, const Figures& figures) {
  const bool sampled = figures.trials > 0;
  if (report.damage_deck != "none") {
    ordered_json deck = {{"deck", report.damage_deck}};
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

}  // namespace

nlohmann::ordered_json report::report_json(const Report& report) {
  const Figures& figures = report.figures;
  const bool sampled = figures.trials > 0;
  ordered_json out = {{"format", 1}, {"rules", report.rules}, {"engine", report.engine}};
  if (!report.engine_reason.empty()) out["engine_reason"] = report.engine_reason;
  out["objective"] = report.objective;
  out["policy"] = {{"attacker", report.attacker_policy}, {"defender", report.defender_policy}};
  put(out, "value", figures.value, sampled);
  out["ships"] = ordered_json::object();
  for (const ShipFigures& ship : figures.ships) out["ships"][ship.name] = ship_json(ship, sampled);
  out["attacks"] = ordered_json::array();
  for (const AttackFigures& attack : figures.attacks) out["attacks"].push_back(attack_json(attack, sampled));
  put_damage_deck(out, report, figures);
  put_notes(out, report);
  if (report.sample) report::put_sample(out, *report.sample);
  if (report.cross_check) report::put_cross_check(out, *report.cross_check);
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
