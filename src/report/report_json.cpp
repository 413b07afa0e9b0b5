// A report as one JSON object (docs/format.md: Results).
#include "report/report_json.h"

#include "report/json_figures.h"
#include "report/provenance.h"

namespace salvo {
namespace report {
namespace {

void write_tokens(JsonWriter& json, const std::vector<std::pair<std::string, Estimate>>& left, bool sampled) {
  const auto write = [&](std::string_view key, double Estimate::*number) {
    json.object(key, [&] {
      for (const auto& [kind, figure] : left) json.member(kind, figure.*number);
    });
  };
  write("tokens_left", &Estimate::value);
  if (sampled) write("tokens_left_se", &Estimate::se);
}

/// Only if effects give tokens.
void write_token_distributions(JsonWriter& json, const ShipEstimates& ship, bool sampled) {
  if (ship.tokens_pmf.empty()) return;
  json.object("tokens_pmf", [&] {
    for (const auto& [kind, pmf] : ship.tokens_pmf) write_figures(json, kind, pmf, sampled);
  });
  if (ship.states.empty()) return;
  json.object("states", [&] {
    for (const auto& [state, figure] : ship.states) write_figure(json, state, figure, sampled);
  });
}

void write_ship(JsonWriter& json, const ShipEstimates& ship, bool sampled) {
  write_damage(json, ship, sampled);
  write_joint(json, ship.joint, sampled);
  write_figure(json, "destroyed", ship.destroyed, sampled);
  write_tokens(json, ship.tokens_left, sampled);
  write_token_distributions(json, ship, sampled);
  write_figures(json, "hull", ship.hull, sampled);
  write_figures(json, "shields", ship.shields, sampled);
}

void write_attack(JsonWriter& json, const AttackEstimates& attack, bool sampled) {
  json.member("by", attack.by);
  json.member("on", attack.on);
  if (!attack.bonus.empty()) json.member("bonus", attack.bonus);
  if (attack.second) json.member("second", true);
  if (attack.round > 0) json.member("round", attack.round);
  write_figure(json, "happens", attack.happens, sampled);
  write_figure(json, "attack_dice", attack.attack_dice, sampled);
  write_figure(json, "defense_dice", attack.defense_dice, sampled);
  write_figure(json, "hit_probability", attack.hit_probability, sampled);
  write_figure(json, "mean_hits", attack.mean_hits, sampled);
  write_figure(json, "mean_crits", attack.mean_crits, sampled);
}

void write_roll(JsonWriter& json, const RollEstimates& roll, bool sampled) {
  json.object("roll", [&] {
    json.member("of", roll.attack ? "attack" : "defense");
    write_figure(json, "dice", roll.dice, sampled);
    write_count(json, roll.attack ? "results" : "evades", roll.results, sampled);
    if (roll.attack) {
      write_figure(json, "mean_hits", roll.mean_hits, sampled);
      write_figure(json, "mean_crits", roll.mean_crits, sampled);
      write_joint(json, roll.joint, sampled);
    }
    write_tokens(json, roll.tokens_left, sampled);
  });
}

/// What the damage cards did.
void write_damage_deck(JsonWriter& json, const Report& report) {
  const auto write_ships = [&](std::string_view key, Estimate ShipEstimates::*figure, double Estimate::*number) {
    json.object(key, [&] {
      for (const ShipEstimates& ship : report.estimates.ships) json.member(ship.name, ship.*figure.*number);
    });
  };
  const bool sampled = report.estimates.trials > 0;
  json.object("damage_deck", [&] {
    json.member("deck", report.damage_deck);
    write_ships("faceup", &ShipEstimates::faceup, &Estimate::value);
    if (sampled) write_ships("faceup_se", &ShipEstimates::faceup, &Estimate::se);
    write_ships("added", &ShipEstimates::added, &Estimate::value);
    if (sampled) write_ships("added_se", &ShipEstimates::added, &Estimate::se);
  });
}

/// What damage cards would change.
void write_would_add(JsonWriter& json, const DeckWouldAdd& would_add) {
  json.object("damage_deck", [&] {
    json.member("deck", kNoDeck);
    json.member(would_add.deck + "_would_add", would_add.mean);
  });
}

}  // namespace

void write_report(JsonWriter& json, const Report& report) {
  const Estimates& estimates = report.estimates;
  const auto write_ships = [&json](const Estimates& of) {
    json.object("ships", [&] {
      for (const ShipEstimates& ship : of.ships) json.object(ship.name, [&] { write_ship(json, ship, of.trials > 0); });
    });
  };
  const bool sampled = estimates.trials > 0;
  json.member("format", 1);
  json.member("rules", report.rules);
  write_card_set(json, report);
  json.member("engine", to_string(report.engine));
  if (!report.engine_reason.empty()) json.member("engine_reason", report.engine_reason);
  json.member("objective", report.objective);
  write_policy(json, report);
  write_figure(json, "value", estimates.value, sampled);
  if (report.roll) write_roll(json, *report.roll, sampled);
  write_ships(estimates);
  json.objects("attacks", estimates.attacks,
               [&](const AttackEstimates& attack) { write_attack(json, attack, sampled); });
  if (!report.rounds.empty()) json.objects("rounds", report.rounds, write_ships);
  if (report.damage_deck != kNoDeck) {
    write_damage_deck(json, report);
  } else if (report.would_add) {
    write_would_add(json, *report.would_add);
  }
  write_caveats(json, report);
  if (report.sample) write_sample(json, *report.sample);
  if (report.cross_check) write_cross_check(json, *report.cross_check);
  if (!report.certificate) return;
  json.object("certificate", [&] {
    json.member("fraction", report.certificate->fraction());
    json.member("error", report.certificate->error);
    json.member("positions", report.certificate->positions);
  });
}

void write_id(JsonWriter& json, const std::optional<data::Value>& id) {
  using Kind = data::Value::Kind;
  if (!id) return;
  if (id->kind == Kind::Text) return json.member("id", id->text);
  if (id->kind == Kind::Boolean) return json.member("id", id->boolean);
  if (id->kind == Kind::Null) return json.member("id", std::nullopt);
  json.key("id");  // a number is copied verbatim
  json.raw(id->kind == Kind::Integer && !id->huge ? std::to_string(id->integer) : id->text);
}

}  // namespace report

std::string to_json(const Report& report) {
  return report::wrapped_json([&](report::JsonWriter& json) { report::write_report(json, report); });
}

std::string to_json_line(const Report& report) {
  return report::json_line([&](report::JsonWriter& json) { report::write_report(json, report); });
}

}  // namespace salvo
