// Loadouts: what `compare` compares, from squads and SPECs, and whom they shoot at.
// In: a squad, or the words of one ship. Out: loadouts and opponents for compare().
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
  std::optional<std::string> rules = {}, cards = {};  ///< of SPECs; empty: the usual ones
  std::string tokens = "focus";                       ///< of the ships of squads: a name of token_sets()
  int range = 2;                                      ///< of the ships of squads, and of SPECs that name none
  std::string weapon = kBestWeapon;                   ///< the same
};

/// Adds the ships of a squad, each with the weapon asked for. Throws LoadError when none of its pilots is known.
void add_squad(const Squad& squad, const LoadoutOptions& how, std::vector<Loadout>& out);

/// A SPEC, called ITEM as the command line does.
load::GivenSpec item_of(const std::string& text);

/// Adds a ship in the words of `salvo run --attack`. Throws LoadError.
void add_spec(const Catalogue& catalogue, const load::GivenSpec& spec, const LoadoutOptions& how,
              std::vector<Loadout>& out);

/// The defenders of these SPECs, or without any the reference ships of the file (empty: the typical ones), of the
/// edition and the card set of `first`. Throws LoadError.
std::vector<Opponent> opponents(const Catalogue& catalogue, const load::GivenSpecs& specs, const std::string& reference,
                                const Scenario& first);

}  // namespace salvo::study
