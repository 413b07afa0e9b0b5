#include "battle/board_facts.h"

#include <array>

namespace salvo::battle {
namespace {

/// Facts that need a friend of the attacker, or another enemy of the defender.
constexpr std::array kOfAttackersFriends{"attacker-beside-friend",
                                         "attacker-friend-in-its-arc",
                                         "attacker-friend-near-defender",
                                         "attacker-friend-within-1",
                                         "attacker-friend-within-2",
                                         "attacker-friend-within-2-of-defender",
                                         "attacker-friend-within-3",
                                         "attacker-friend-within-3-of-defender",
                                         "attacker-has-friend-beside",
                                         "attacker-holds-lock-of-friend",
                                         "attacker-in-arc-of-friend",
                                         "attacker-locked-by-friend",
                                         "attacker-matches-friend-speed",
                                         "attacker-touches-friends",
                                         "arc-of-friend",
                                         "bullseye-of-friend",
                                         "defender-enemy-ahead",
                                         "defender-in-reinforce-arc-of-friend",
                                         "defender-in-two-front-arcs",
                                         "defender-locked-by-friend",
                                         "defender-locked-by-named-friend",
                                         "defender-touches-other-enemies",
                                         "friend-in-attack-arc",
                                         "friend-in-defender-arc",
                                         "friend-in-defender-bullseye",
                                         "friend-in-defender-side-arc",
                                         "friend-touches-defender",
                                         "friends-on-both-sides-of-defender",
                                         "front-arc-of-friend",
                                         "named-friend-beside-attacker",
                                         "obstructed-by-friend-of-attacker",
                                         "rear-arc-of-friend",
                                         "turret-of-friend"};
/// Facts that need a friend of the defender, or another enemy of the attacker.
constexpr std::array kOfDefendersFriends{"arc-of-defender-friend",
                                         "attacker-enemy-ahead",
                                         "attacker-in-front-arc-of-other-enemies",
                                         "attacker-in-two-front-arcs",
                                         "attacker-touches-other-enemies",
                                         "bullseye-of-defender-friend",
                                         "damaged-friend-near-defender",
                                         "defender-beside-friend",
                                         "defender-friend-in-attack-arc",
                                         "defender-friend-near-attacker",
                                         "defender-friend-within-1",
                                         "defender-friend-within-2",
                                         "defender-friend-within-2-of-attacker",
                                         "defender-friend-within-3",
                                         "defender-friend-within-3-of-attacker",
                                         "defender-has-friend-behind",
                                         "defender-has-friend-beside",
                                         "defender-in-arc-of-friend",
                                         "defender-in-turret-of-friend",
                                         "defender-touches-friends",
                                         "in-front-arc-of-defender-friend",
                                         "obstructed-by-friend-of-defender",
                                         "other-enemy-at-2-3",
                                         "other-enemy-in-bullseye",
                                         "other-enemy-in-front-arc-at-1",
                                         "turret-of-defender-friend"};

}  // namespace

std::vector<std::string> known_facts(const KnownOfAttack& known) {
  std::vector<std::string> out;
  const auto add = [&](const char* name, bool holds) { out.push_back(holds ? name : std::string("not ") + name); };
  add("bullseye", known.shot.bullseye);
  if (known.shot.bullseye) add("in-front-arc", true);
  const bool near = known.shot.range <= 1;
  add("enemy-near-attacker", near);
  add("enemy-near-defender", near);
  if (known.shot.range > 0) add("enemy-touches-attacker", false);
  if (known.attacker_alone) {
    for (const char* const name : kOfAttackersFriends) add(name, false);
  }
  if (known.defender_alone) {
    for (const char* const name : kOfDefendersFriends) add(name, false);
  }
  return out;
}

std::string name_of_fact(const std::string& stated) { return stated.starts_with("not ") ? stated.substr(4) : stated; }

}  // namespace salvo::battle
