// Detects optional effects that a player could use forever in one window of an attack.
#pragma once

#include <vector>

#include "load/catalogue.h"

namespace salvo::load {

/// An effect and its card; nullptr for an effect of the edition.
struct OwnedEffect {
  const EffectSpec* effect = nullptr;
  const CardSpec* card = nullptr;
};

/// Effects that together could be used forever; empty if there are none. Uses end when they consume something: tokens
/// and charges that no effect of the loop returns, dice that are rerolled (once each) or cancelled. Conditions are
/// ignored, since a wrong one would hang the engines, so a loop that only a condition ends is reported too. Solves for
/// x >= 0, x != 0, with (change of everything countable by one use of each effect) x >= 0: the criterion of repetitive
/// vector addition systems (Memmi and Roucairol 1980, "Linear algebra in net theory", section 4).
std::vector<OwnedEffect> find_infinite_loop(const std::vector<OwnedEffect>& effects);

/// Throws LoadError at the first effect of such a loop, if there is one.
void reject_infinite_loop(const std::vector<OwnedEffect>& effects);

/// The effects of a card, for the two functions above.
std::vector<OwnedEffect> effects_of(const CardSpec& card);

}  // namespace salvo::load
