// The scenarios of the signature. Never edit them, only add, so that signatures remain comparable.
// In: nothing. Out: scenario texts (TOML without objective and policies) and their variants.
#pragma once

#include <array>

namespace signature {

struct Variant {
  const char* objective;
  const char* attacker_policy;
  const char* defender_policy;
};

inline constexpr std::array<Variant, 4> kVariants = {{{"damage", "optimal", "optimal"},
                                                      {"kill", "greedy", "optimal"},
                                                      {"health", "optimal", "hold"},
                                                      {"exchange", "greedy", "greedy"}}};

inline constexpr std::array<const char*, 15> kScenarios = {
    // 1: plain dice
    R"(ships.a = { attack = 3, hull = 4 }
ships.d = { agility = 2, hull = 3 }
attacks = [{ by = "a", on = "d" }])",
    // 2: the usual tokens
    R"(ships.a = { attack = 3, hull = 4, tokens = { focus = 1, lock = ["d"] } }
ships.d = { agility = 3, hull = 3, tokens = { focus = 1, evade = 1 } }
attacks = [{ by = "a", on = "d" }])",
    // 3: six dice against six, reinforced
    R"(ships.a = { attack = 6, hull = 4, tokens = { focus = 1, lock = ["d"] } }
ships.d = { agility = 6, hull = 5, shields = 5, tokens = { focus = 1, evade = 1, reinforce = 1 } }
attacks = [{ by = "a", on = "d" }])",
    // 4: tokens for single dice
    R"(ships.a = { attack = 4, hull = 4, tokens = { calculate = 2, force = 1, lock = ["d"] } }
ships.d = { agility = 3, hull = 2, shields = 2, tokens = { calculate = 1, force = 2, evade = 1 } }
attacks = [{ by = "a", on = "d", range = 1 }])",
    // 5: more dice than the limits allow
    R"(ships.a = { attack = 8, hull = 4, tokens = { deplete = 1, focus = 1 } }
ships.d = { agility = 8, hull = 9, tokens = { strain = 2, tractor = 1, focus = 1 } }
attacks = [{ by = "a", on = "d", range = 3, obstructed = true }])",
    // 6: range 0, then range 5
    R"(ships.a = { attack = 3, hull = 4, tokens = { focus = 2, lock = ["d"] } }
ships.d = { agility = 1, hull = 4, tokens = { evade = 2, focus = 1 } }
attacks = [{ by = "a", on = "d", range = 0 }, { by = "a", on = "d", range = 5 }])",
    // 7: three attackers on one ship
    R"(ships.a = { attack = 3, hull = 4, tokens = { focus = 1, lock = ["d"] } }
ships.b = { attack = 2, hull = 4, tokens = { calculate = 1 } }
ships.c = { attack = 3, hull = 4, tokens = { lock = ["d"] } }
ships.d = { agility = 3, hull = 3, shields = 1, tokens = { focus = 1, evade = 2, calculate = 1 } }
attacks = [{ by = "a", on = "d" }, { by = "b", on = "d", range = 1 }, { by = "c", on = "d", range = 3 }])",
    // 8: a duel, one after the other
    R"(ships.a = { attack = 3, agility = 2, hull = 3, tokens = { focus = 1, lock = ["d"] } }
ships.d = { attack = 2, agility = 3, hull = 2, tokens = { focus = 1, evade = 1 } }
attacks = [{ by = "a", on = "d" }, { by = "d", on = "a" }])",
    // 9: the same duel, simultaneous
    R"(ships.a = { attack = 3, agility = 2, hull = 3, tokens = { focus = 1, lock = ["d"] } }
ships.d = { attack = 2, agility = 3, hull = 2, tokens = { focus = 1, evade = 1 } }
attacks = [{ by = "a", on = "d", initiative = 4 }, { by = "d", on = "a", initiative = 4 }])",
    // 10: two against two
    R"(ships.a = { attack = 3, agility = 2, hull = 3, tokens = { focus = 1 } }
ships.b = { attack = 2, agility = 3, hull = 2, tokens = { evade = 1, lock = ["d"] } }
ships.d = { attack = 3, agility = 1, hull = 3, shields = 1, tokens = { calculate = 1, reinforce = 1 } }
ships.e = { attack = 2, agility = 2, hull = 2, tokens = { focus = 1 } }
attacks = [{ by = "a", on = "d", initiative = 5 }, { by = "d", on = "b", initiative = 5 },
           { by = "b", on = "d", initiative = 3 }, { by = "e", on = "a", initiative = 2 }])",
    // 11: reinforce, in its arc and not
    R"(ships.a = { attack = 4, hull = 4, tokens = { focus = 1 } }
ships.b = { attack = 4, hull = 4, tokens = { focus = 1 } }
ships.d = { agility = 0, hull = 6, shields = 4, size = "large", tokens = { reinforce = 2, evade = 1 } }
attacks = [{ by = "a", on = "d", range = 3 }, { by = "b", on = "d", range = 3, reinforced = false }])",
    // 12: cloaked and tractored
    R"(ships.a = { attack = 3, hull = 4, tokens = { lock = ["d"], force = 1 } }
ships.d = { agility = 2, hull = 3, size = "medium", tokens = { cloak = 1, tractor = 2, strain = 1, focus = 1 } }
attacks = [{ by = "a", on = "d", range = 1 }, { by = "a", on = "d", range = 1 }])",
    // 13: ships of the profiles
    R"(ships.a = { ship = "t65xwing", tokens = { focus = 1, lock = ["d"] } }
ships.b = { ship = "btla4ywing", tokens = { calculate = 1 } }
ships.d = { ship = "tielnfighter", tokens = { focus = 1, evade = 1 } }
attacks = [{ by = "a", on = "d", range = 1 }, { by = "b", on = "d", range = 2 }])",
    // 14: my ship does not shoot first
    R"(ships.a = { side = "theirs", attack = 3, agility = 1, hull = 3, tokens = { focus = 1 } }
ships.d = { side = "mine", attack = 3, agility = 1, hull = 3, tokens = { focus = 1, lock = ["a"] } }
attacks = [{ by = "a", on = "d" }, { by = "d", on = "a" }])",
    // 15: two rounds of shots at a tough ship
    R"(ships.a = { attack = 3, hull = 4, tokens = { focus = 2, lock = ["d"] } }
ships.b = { attack = 3, hull = 4, tokens = { focus = 2, calculate = 1 } }
ships.d = { agility = 1, hull = 6, shields = 3, tokens = { evade = 2, focus = 2, force = 1 } }
attacks = [{ by = "a", on = "d" }, { by = "b", on = "d" }, { by = "a", on = "d" }, { by = "b", on = "d" }])"};

}  // namespace signature
