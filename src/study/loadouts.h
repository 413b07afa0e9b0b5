// Reads the loadouts that `compare` compares, and their opponents. In: a squad, or the words of one ship. Out: loadouts
// and opponents for compare().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "load/specs.h"
#include "salvo/squad.h"
#include "study/compare.h"

namespace salvo::study {

/// How loadouts are read.
struct LoadoutOptions {
  std::optional<std::string> rules = {}, cards = {};  ///< for SPECs; empty: the defaults
  std::string tokens = "focus";                       ///< of ships of squads: a name of token_sets()
  int range = 2;                                      ///< of ships of squads, and of SPECs without a range
  std::string weapon = kBestWeapon;                   ///< likewise
};

/// Adds the ships of a squad, each with the requested weapon. Throws LoadError if none of its pilots is known.
void add_squad(const Squad& squad, const LoadoutOptions& how, std::vector<Loadout>& out);

/// A SPEC, named ITEM as on the command line.
load::GivenSpec item_of(const std::string& text);

/// Adds a ship in the words of `salvo run --attack`. Throws LoadError.
void add_spec(const Catalogue& catalogue, const load::GivenSpec& spec, const LoadoutOptions& how,
              std::vector<Loadout>& out);

/// The defenders given by SPECs; without SPECs the reference ships of the file (empty: the typical ships) for the
/// edition and card set of `first`. Throws LoadError.
std::vector<Opponent> opponents(const Catalogue& catalogue, const load::GivenSpecs& specs, const std::string& reference,
                                const Scenario& first);

}  // namespace salvo::study
