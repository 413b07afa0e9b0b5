// Upper bounds on what data files may define. The engines size their states and tables by them.
#pragma once

namespace salvo::base {

inline constexpr int kMaxFaces = 6;         ///< distinct faces of a die
inline constexpr int kMaxPool = 31;         ///< dice in one pool
inline constexpr int kMaxShipHealth = 220;  ///< hull plus shields of one ship, including what cards add
inline constexpr int kMaxCards = 63;        ///< in one damage deck
inline constexpr int kMaxTraits = 3;        ///< distinct traits among the cards of a damage deck
inline constexpr int kMaxExposures = 3;  ///< facedown damage cards of one ship that effects can expose during an attack

}  // namespace salvo::base
