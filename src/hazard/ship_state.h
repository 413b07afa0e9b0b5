// What a hazard does to a ship, and how states of a ship become an answer: for both engines.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "hazard/hazard.h"

namespace salvo::hazard {

/// A ship during a hazard. The exact engine orders states by their members.
struct ShipState {
  int hits = 0, crits = 0;  ///< damage suffered
  int dealt = 0;            ///< damage cards dealt in spite of shields
  int shields = 0;
  int facedown = 0, faceup = 0;  ///< damage cards
  std::vector<int> tokens;       ///< by Ship::tokens
  // Not defaulted: emscripten's standard library has no operator<=> for vectors.
  auto fields() const { return std::tie(hits, crits, dealt, shields, facedown, faceup, tokens); }
  bool operator<(const ShipState& other) const { return fields() < other.fields(); }
  bool operator==(const ShipState& other) const { return fields() == other.fields(); }

  int damage() const { return hits + crits + dealt; }
};

/// What stays the same during a hazard.
struct Ship {
  struct Token {
    std::string kind;
    int max = 0;
    int threshold = 0;  ///< number that brings the state; 0: none does
    std::string state;
  };
  const Target* target;
  std::vector<Token> tokens;  ///< by name
  ShipState start;

  bool destroyed(const ShipState& state) const {
    return target->hull > 0 && state.facedown + state.faceup >= target->hull;
  }
};

Ship make_ship(const Occurrence& question, std::size_t index);

/// Several consequences together, with tokens by Ship::tokens.
struct Change {
  int shields = 0, hits = 0, crits = 0, facedown = 0, faceup = 0, exposed = 0;
  std::vector<int> tokens;
  bool operator==(const Change&) const = default;
};

Change no_change(const Ship& ship);
void add(const Ship& ship, const load::HazardEffect& consequence, int times, Change& sum);
/// All fixed consequences of a roll together.
Change fixed_change(const Ship& ship, const Roll& roll);

/// Hits before crits, shields before cards (000: Damage).
void apply(const Ship& ship, const Change& change, ShipState& state);

/// Adds `p` at `index`, and makes room for it.
void add_at(Eigen::ArrayXd& to, int index, double p);

/// The answer of a ship that no state has been added to.
ShipAnswer empty_answer(const Ship& ship);
/// Adds a final state with probability `p`, or one trial with `p` 1.
void add_state(const Ship& ship, const ShipState& state, double p, ShipAnswer& out);

}  // namespace salvo::hazard
