// Endless effects: optional effects that one player could use for ever in one window of an attack.
// In: the effects of one owner. Out: a loop among them, or nothing.
#pragma once

#include <string>
#include <vector>

#include "load/catalogue.h"

namespace salvo::load {

/// An effect and the card it stands on; nullptr for an effect of the edition.
struct OwnedEffect {
  const EffectSpec* effect = nullptr;
  const CardSpec* card = nullptr;
};

/// Effects that together could be used without end, or none. What ends every use is something it uses up: tokens and
/// charges that no effect of the loop gives back, dice that are rerolled (once each) or cancelled. Conditions do not
/// count, since a wrong one would hang the engines; so a loop that only a condition ends is reported as well.
/// Finds x >= 0, not 0, with (change of everything countable by one use of each effect) x >= 0: the criterion of
/// repetitive vector addition systems (Memmi and Roucairol 1980, "Linear algebra in net theory", section 4).
std::vector<OwnedEffect> find_endless(const std::vector<OwnedEffect>& effects);

/// Throws LoadError, at the first effect of the loop, when there is one.
void refuse_endless(const std::vector<OwnedEffect>& effects);

/// The effects of a card, for the two functions above.
std::vector<OwnedEffect> effects_of(const CardSpec& card);

}  // namespace salvo::load
