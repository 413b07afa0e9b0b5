// Report: numbers with provenance and names, ready to print as a table, JSON or CSV.
// In: a Distribution and the names of the scenario. Out: text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "salvo/distribution.h"

namespace salvo {

/// Names and notes of a scenario, which a Plan does not hold. Indices are those of the Plan, or of a Distribution.
struct Labels {
  std::string rules, objective;
  std::string damage_deck = "none";  ///< its id
  std::string attacker_policy, defender_policy;
  std::vector<std::string> ships;            ///< by ship
  std::vector<std::string> ship_titles;      ///< for people: "Wedge Antilles (T-65 X-wing)" or the bare name
  std::vector<std::string> resources;        ///< by resource: token id, "lock", "charge:<card>"
  std::vector<int> resource_ship;            ///< by resource
  std::vector<std::string> resource_state;   ///< by resource: the state that its ship is in from a number on, or empty
  std::vector<int> resource_threshold;       ///< by resource: that number
  std::vector<bool> resource_is_token;       ///< false for health: not part of tokens_left
  std::vector<std::pair<int, int>> attacks;  ///< by attack: attacker, defender
  std::vector<std::string> weapons;          ///< by attack, for people: "primary (front)"
  std::vector<int> ranges;
  std::vector<std::string> bonus;  ///< by attack: the card that granted it as a bonus attack, or empty
  std::vector<bool> second;        ///< by attack: the second of an attack that is performed twice
  std::vector<std::string> attack_faces, defense_faces;  ///< by face of the die
  /// By attack of the plan (also those that are not reported, AttackPlan::engagement) and effect: the id of the
  /// edition's rule or of the card, with ":" and what tells it from the card's other effects where there are several.
  std::vector<std::vector<std::string>> effects;
  std::vector<std::string> assumed_facts, unmodelled, partly, notes;
};

/// Cross-check of the sampled against the exact distribution.
struct CrossCheck {
  double g = 0;                   ///< G of the ship whose joint distribution differs most, cells pooled
  int df = 0;                     ///< of the same ship; 0 when there was nothing to test
  double p = 1;                   ///< smallest p of a ship times the number of ships tested (Bonferroni), at most 1
  bool agree = true;              ///< p >= 1e-6 and largest_difference <= 7
  double largest_difference = 0;  ///< of a mean or probability, in standard errors; infinite for an impossible outcome
  std::string largest_name;       ///< what it belongs to
};

/// The exact value as it is, without rounding (exact::certify).
struct Certificate {
  std::string numerator, denominator;  ///< in lowest terms; the numerator has the sign
  double error = 0;                    ///< the solution's double minus the fraction, rounded once
  std::size_t positions = 0;           ///< visited
  std::string fraction() const { return numerator + "/" + denominator; }
};

/// What a damage deck would add to a scenario that is played without one.
struct DeckWouldAdd {
  std::string deck;                                  ///< its id
  std::vector<std::pair<std::string, double>> mean;  ///< by ship: mean damage with the deck minus without
};

/// Everything one answer needs.
struct Report {
  Labels labels;
  std::string engine;             ///< "exact", "sample" or "both"
  std::string engine_reason;      ///< why that engine, when the user left the choice to salvo; may be empty
  bool both_sides_shoot = false;  ///< then the value is mine minus theirs; only the table says so
  std::optional<Distribution> exact, sample;
  std::optional<CrossCheck> cross_check;
  std::optional<Certificate> certificate;  ///< of the exact value, when it was asked for
  std::optional<DeckWouldAdd> would_add;   ///< `salvo run` without damage deck
  /// The answer to print: exact where there is one.
  const Distribution& main() const { return exact ? *exact : *sample; }
};

/// `format` of the contract: one JSON object, doubles with enough digits to read back the same value, ending in a
/// newline.
std::string to_json(const Report& report);
/// The same object on one line, without a newline.
std::string to_json_line(const Report& report);
/// Long-format CSV: ship,figure,key,value,se.
std::string to_csv(const Report& report);
/// A table for a terminal. `width` in columns; `colour`: ANSI colours allowed.
std::string to_table(const Report& report, int width, bool colour);

}  // namespace salvo
