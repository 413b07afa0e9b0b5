// Limits of the data: how many of a thing a file may ask for, because the engines have no room for more.
#pragma once

namespace salvo::base {

inline constexpr int kMaxFaces = 6;      ///< distinct faces of a die
inline constexpr int kMaxPool = 31;      ///< dice in one pool
inline constexpr int kMostHealth = 220;  ///< hull and shields of one ship, with what cards add
inline constexpr int kMaxCards = 63;     ///< in one damage deck
inline constexpr int kMaxTraits = 3;     ///< of the cards of a damage deck
inline constexpr int kMaxExposures = 3;  ///< facedown damage cards of one ship that effects can expose in an attack

}  // namespace salvo::base
