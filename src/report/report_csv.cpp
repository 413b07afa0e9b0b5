// A report in long form for spreadsheets and data frames: one figure a line, `ship,figure,key,value,se`.
#include <fmt/format.h>

#include "report/csv.h"
#include "report/provenance.h"
#include "salvo/report.h"

namespace salvo {
namespace {

using Rows = report::CsvFigures;

void ship_rows(Rows& rows, const ShipEstimates& ship) {
  rows.figure(ship.name, "damage_mean", "", ship.mean_damage);
  rows.estimates(ship.name, "damage_pmf", ship.pmf);
  rows.estimates(ship.name, "damage_at_least", ship.at_least);
  for (const auto& [hits, crits, probability] : ship.joint) {
    rows.figure(ship.name, "joint", fmt::format("{}h{}c", hits, crits), probability);
  }
  rows.figure(ship.name, "destroyed", "", ship.destroyed);
  for (const auto& [kind, figure] : ship.tokens_left) rows.figure(ship.name, "tokens_left", kind, figure);
  for (const auto& [state, figure] : ship.states) rows.figure(ship.name, "state", state, figure);
  rows.estimates(ship.name, "hull", ship.hull);
  rows.estimates(ship.name, "shields", ship.shields);
}

/// Attacks are listed under their attacker; the key is the number of the attack, from 0 as in JSON.
void attack_rows(Rows& rows, const AttackEstimates& attack, std::size_t index) {
  const std::string key = std::to_string(index);
  rows.figure(attack.by, "attack_happens", key, attack.happens);
  rows.figure(attack.by, "attack_dice", key, attack.attack_dice);
  rows.figure(attack.by, "defense_dice", key, attack.defense_dice);
  rows.figure(attack.by, "hit_probability", key, attack.hit_probability);
  rows.figure(attack.by, "mean_hits", key, attack.mean_hits);
  rows.figure(attack.by, "mean_crits", key, attack.mean_crits);
}

/// Figures after a round; the key begins with the number of the round.
void round_rows(Rows& rows, const Estimates& estimates, std::size_t round) {
  const std::string key = std::to_string(round);
  for (const ShipEstimates& ship : estimates.ships) {
    rows.figure(ship.name, "round_damage_mean", key, ship.mean_damage);
    rows.figure(ship.name, "round_destroyed", key, ship.destroyed);
    for (const auto& [kind, figure] : ship.tokens_left)
      rows.figure(ship.name, "round_tokens_left", fmt::format("{}:{}", key, kind), figure);
  }
}

void roll_rows(Rows& rows, const RollEstimates& roll) {
  const std::string of = roll.attack ? "results" : "evades";
  rows.figure(roll.by, roll.attack ? "attack_dice" : "defense_dice", "", roll.dice);
  rows.figure(roll.by, of + "_mean", "", roll.results.mean);
  rows.estimates(roll.by, of + "_pmf", roll.results.pmf);
  rows.estimates(roll.by, of + "_at_least", roll.results.at_least);
  if (roll.attack) {
    rows.figure(roll.by, "mean_hits", "", roll.mean_hits);
    rows.figure(roll.by, "mean_crits", "", roll.mean_crits);
  }
  for (const auto& [hits, crits, probability] : roll.joint)
    rows.figure(roll.by, "joint", fmt::format("{}h{}c", hits, crits), probability);
  for (const auto& [kind, figure] : roll.tokens_left) rows.figure(roll.by, "tokens_left", kind, figure);
}

void provenance_rows(Rows& rows, const Report& report) {
  rows.text("rules", report.rules);
  if (!report.cards.empty()) rows.text("cards", fmt::format("{} of {}", report.cards, report.cards_date));
  rows.text("engine", std::string(to_string(report.engine)));
  if (!report.engine_reason.empty()) rows.text("engine_reason", report.engine_reason);
  rows.text("objective", report.objective);
  rows.text("attacker_policy", report.attacker_policy);
  rows.text("defender_policy", report.defender_policy);
  for (const auto& [name, words] : report::caveats(report)) rows.text(name, words);
}

void sample_rows(Rows& rows, const Report& report) {
  if (report.sample) {
    rows.number("sample_trials", std::to_string(report.sample->trials));
    rows.number("sample_seed", std::to_string(report.sample->seed));
    if (!report.sample->ended_by.empty()) rows.text("sample_ended_by", report.sample->ended_by);
    rows.text("sample_generator", report.sample->generator);
    if (report.sample->target_forced) rows.text("sample_target", report.sample->target);
    if (report.sample->interrupted) rows.number("interrupted", "1");
  }
  if (report.certificate) {
    rows.text("certificate_fraction", report.certificate->fraction());
    rows.number("certificate_error", fmt::format("{}", report.certificate->error));
  }
  if (report.cross_check) {
    rows.number("cross_check_g", fmt::format("{:.6g}", report.cross_check->g));
    rows.number("cross_check_df", std::to_string(report.cross_check->df));
    rows.number("cross_check_p", fmt::format("{:.6g}", report.cross_check->p));
    rows.number("cross_check_agree", report.cross_check->agree ? "1" : "0");
    if (report.cross_check->rounds_left_out > 0)
      rows.number("cross_check_rounds_left_out", std::to_string(report.cross_check->rounds_left_out));
  }
}

}  // namespace

std::string to_csv(const Report& report) {
  const Estimates& estimates = report.estimates;
  Rows rows(estimates.trials > 0);
  provenance_rows(rows, report);
  rows.figure("", "value", "", estimates.value);
  if (report.roll) roll_rows(rows, *report.roll);
  for (const ShipEstimates& ship : estimates.ships) ship_rows(rows, ship);
  for (std::size_t a = 0; a < estimates.attacks.size(); ++a) attack_rows(rows, estimates.attacks[a], a);
  for (std::size_t round = 0; round < report.rounds.size(); ++round) round_rows(rows, report.rounds[round], round + 1);
  sample_rows(rows, report);
  return rows.take();
}

}  // namespace salvo
