#include "cards/variations.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cards/condition.h"

namespace salvo::cards {

namespace {

constexpr std::size_t kMaxHelpers = 3;
constexpr int kManyDice = 6;    ///< attack dice for which a lock is worth more than one damage
constexpr int kSturdyHull = 8;  ///< hull of ships that are seldom destroyed

/// The token behind a state such as "tractored", guessed from the name.
std::string token_of_state(const std::string& name) {
  if (name == "tractored") return "tractor";
  if (name == "ionized") return "ion";
  return name;
}

using Tokens = std::map<std::string, int> Trial::*;

/// Gives tokens to one of the ships.
Change give(Tokens ship, std::map<std::string, int> tokens) {
  return [ship, tokens](Trial& trial) {
    for (const auto& [token, n] : tokens) (trial.*ship)[token] = n;
  };
}

/// Tokens that the card mentions: all of them, each alone, none.
Variation token_variation(Tokens ship, const std::set<std::string>& mentioned, const std::set<int>& numbers) {
  Variation out;
  std::map<std::string, int> all;
  for (const std::string& name : mentioned) {
    const std::string token = token_of_state(name);
    if (!denotes_token(token) || token == "charge") continue;
    all[token] = token == "tractor" || token == "ion" || token == "lock" || token == "cloak" ? 1 : 2;
  }
  std::map<std::string, int> many;  // as many as the card mentions
  for (const auto& [token, n] : all) {
    if (!numbers.empty() && n > 1 && *numbers.rbegin() > n) many[token] = *numbers.rbegin();
  }
  // A disarmed or cloaked ship may not attack; compile refuses those trials.
  if (!all.empty()) out.push_back(give(ship, all));
  if (all.size() > 1) {
    for (const auto& [token, n] : all) out.push_back(give(ship, {{token, n}}));
  }
  if (!all.empty()) out.push_back([ship](Trial& trial) { (trial.*ship).clear(); });
  for (const auto& [token, n] : all) out.push_back(give(ship, {{token, 1}}));
  if (!many.empty()) out.push_back(give(ship, many));
  for (const auto& [token, n] : all) {
    if (all.contains("lock") && token != "lock") out.push_back(give(ship, {{"lock", 1}, {token, 1}}));
  }
  return out;
}

/// Tokens that any card may need.
Variation usual_tokens(Tokens ship) {
  Variation out;
  out.push_back([ship](Trial& trial) { (trial.*ship).clear(); });
  out.push_back(give(ship, {{"focus", 2}, {"evade", 1}}));
  out.push_back(give(ship, {{"lock", 1}}));
  out.push_back(give(ship, {{"calculate", 1}, {"force", 1}}));
  out.push_back(give(ship, {{"stress", 1}}));
  for (const char* token : {"reinforce", "strain", "deplete", "tractor", "ion"})
    out.push_back(give(ship, {{token, 1}}));
  return out;
}

Variation fact_variation(const load::CardSpec& card) {
  Variation out;
  for (const auto& [name, usual] : card.facts) {
    out.push_back([name = name, usual = usual](Trial& trial) { trial.facts[name] = !usual; });
  }
  if (card.facts.size() > 1) {
    out.push_back([facts = card.facts](Trial& trial) {
      for (const auto& [name, usual] : facts) {
        if (!usual) trial.facts[name] = true;
      }
    });
    out.push_back([facts = card.facts](Trial& trial) {
      for (const auto& [name, usual] : facts) {
        if (usual) trial.facts[name] = false;
      }
    });
  }
  return out;
}

using Text = std::string Trial::*;

/// Other sizes of a ship, if the card reads its size.
Variation size_variation(Text ship, const Dependencies& dependencies, const std::string& name) {
  Variation out;
  if (!dependencies.names.contains(name)) return out;
  for (const char* size : {"medium", "large", "huge"}) {
    out.push_back([ship, size](Trial& trial) { trial.*ship = size; });
  }
  return out;
}

/// Ship types that the card asks for.
Variation ship_variation(Text ship, const Dependencies& dependencies, const std::string& name) {
  Variation out;
  if (!dependencies.names.contains(name)) return out;
  for (const std::string& type : dependencies.texts) {
    out.push_back([ship, type](Trial& trial) { trial.*ship = type; });
  }
  return out;
}

/// Ships that can be destroyed.
Variation health_variation(const Dependencies& dependencies) {
  Variation out;
  if (!dependencies.health || dependencies.stat) return out;
  const auto add = [&](int hull, int shields, const char* objective) {
    out.push_back([=](Trial& trial) {
      trial.hull = hull;
      trial.shields = shields;
      trial.objective = objective;
    });
  };
  for (const char* objective : {"damage", "kill"}) {
    for (const auto& [hull, shields] : {std::pair{1, 0}, {1, 1}, {2, 0}, {3, 2}}) add(hull, shields, objective);
  }
  return out;
}

/// The foe has a lock and attacks afterwards, a defender with many dice: tokens from the card can be worth more than
/// damage.
Change locked_foe() {
  return [](Trial& trial) {
    trial.course = {TrialAttack::Main, trial.attacks ? TrialAttack::Back : TrialAttack::Main};
    trial.foe["lock"] = 1;
    trial.back_dice = kManyDice;
  };
}

/// An ally with tokens that the card mentions is attacked afterwards.
Change attacked_friend(const std::set<std::string>& tokens) {
  return [tokens](Trial& trial) {
    trial.beside = true;
    trial.course = {TrialAttack::Main, trial.attacks ? TrialAttack::BackBeside : TrialAttack::Beside};
    trial.hull = kSturdyHull;
    trial.shields = 0;
    for (const std::string& token : tokens) {
      if (denotes_token(token_of_state(token))) trial.ally[token_of_state(token)] = 1;
    }
  };
}

/// Attacks before or after the main attack.
Variation course_variation(const load::CardSpec& card, const Dependencies& dependencies,
                           const SupportingCards& supporting) {
  Variation out;
  const auto add = [&](std::vector<TrialAttack> course) {
    out.push_back([course](Trial& trial) { trial.course = course; });
  };
  if (dependencies.bonus) add_bonus(card, supporting.weapons, out);
  if (dependencies.order) {  // the ally with the card and the defender attack first
    out.push_back([](Trial& trial) {
      trial.own_initiative = 3;
      trial.back_initiative = 5;
      trial.course = {TrialAttack::Beside, TrialAttack::Back, TrialAttack::Main};
      trial.hull = 2;
      trial.shields = 0;
      trial.objective = "kill";
    });
  }
  add({TrialAttack::Main, TrialAttack::Main});
  add({TrialAttack::Main, TrialAttack::Back});
  add({TrialAttack::Back, TrialAttack::Main});
  if (!dependencies.foe_gains.empty()) out.push_back(locked_foe());
  if (dependencies.beside) out.push_back(attacked_friend(dependencies.ally_tokens));
  if (!dependencies.beside && !dependencies.ally) return out;
  for (const int dice : {4, 1}) {
    for (const bool first : {false, true}) {
      out.push_back([=](Trial& trial) {
        trial.beside = true;
        trial.ally_dice = dice;
        trial.course = first ? std::vector{TrialAttack::Beside, TrialAttack::Main}
                             : std::vector{TrialAttack::Main, TrialAttack::Beside};
      });
    }
  }
  return out;
}

/// Another upgrade that works with this card: it reads the tokens that the card gives, grants the bonus attack that the
/// card is for, or gives its own ship a token that the card waits for.
Variation helper_variation(const load::CardSpec& card, const Dependencies& dependencies,
                           const SupportingCards& supporting) {
  Variation out;
  const bool for_bonus = dependencies.names.contains("bonus-attack") && !dependencies.bonus;
  std::size_t readers = 0, granters = 0, givers = 0, ally_givers = 0, foe_givers = 0;
  for (const load::CardSpec* other : supporting.upgrades) {
    if (other->id == card.id || other->weapon) continue;
    const Dependencies its = dependencies_of(*other);
    const auto reads = [&](const std::set<std::string>& gains) {
      return std::any_of(its.names.begin(), its.names.end(), [&](const std::string& name) {
        return name.starts_with("foe.") && gains.contains(token_of_state(name.substr(4)));
      });
    };
    if (for_bonus && its.bonus && granters < kMaxHelpers) {
      Variation ways;
      add_bonus(*other, {}, ways);
      if (!ways.empty()) ++granters;
      for (const Change& way : ways) {
        out.push_back([way, other](Trial& trial) {
          way(trial);
          trial.helper = other->id;
        });
      }
    }
    const auto gives = [&](std::initializer_list<const char*> whose) {
      return its.self && std::any_of(its.own_gains.begin(), its.own_gains.end(), [&](const std::string& token) {
               return std::any_of(whose.begin(), whose.end(), [&](const char* who) {
                 return dependencies.names.contains(std::string(who) + "gained." + token);
               });
             });
    };
    // Charges can record how many tokens there were.
    const bool remembered = dependencies.names.contains("card.charge") && its.self &&
                            std::any_of(its.own_gains.begin(), its.own_gains.end(), [&](const std::string& token) {
                              return dependencies.names.contains("self." + token);
                            });
    if (givers < kMaxHelpers && (remembered || gives({"", "self."}))) {
      ++givers;
      out.push_back([other](Trial& trial) { trial.helper = other->id; });
    }
    if (ally_givers < kMaxHelpers && gives({"ally.", "friend."})) {
      ++ally_givers;
      out.push_back([other](Trial& trial) {
        trial.beside = true;
        trial.ally_helper = other->id;
      });
    }
    if (foe_givers < kMaxHelpers && gives({"foe."})) {
      ++foe_givers;
      out.push_back([other](Trial& trial) { trial.foe_helper = other->id; });
    }
    if (readers >= kMaxHelpers || !its.self || its.beside || its.bonus || !its.sides.contains("attacker")) continue;
    if (!reads(dependencies.foe_gains)) continue;
    ++readers;
    out.push_back([other](Trial& trial) { trial.helper = other->id; });
  }
  return out;
}

/// Gives ships the upgrades that conditions require: ID to the ship X for X.has.ID.
Variation upgrade_variation(const Dependencies& dependencies) {
  Variation out;
  for (const std::string& name : dependencies.names) {
    const std::size_t at = name.find(".has.");
    if (at == std::string::npos) continue;
    std::string Trial::*const helper = name.starts_with("foe.")    ? &Trial::foe_helper
                                       : name.starts_with("ally.") ? &Trial::ally_helper
                                                                   : &Trial::helper;
    out.push_back([helper, id = name.substr(at + 5)](Trial& trial) { trial.*helper = id; });
  }
  return out;
}

/// Pilots of the ship with the card.
Variation pilot_variation(const Dependencies& dependencies, const SupportingCards& supporting) {
  Variation out;
  if (dependencies.own_gains.contains("force") && !supporting.force_pilot.empty()) {
    out.push_back([&supporting](Trial& trial) {
      trial.pilot = supporting.force_pilot;
      trial.own = {{"force", 0}};
    });
  }
  if (reads_initiative(dependencies)) {
    for (const std::string& pilot : supporting.plain_pilots) {
      out.push_back([pilot](Trial& trial) { trial.pilot = pilot; });
    }
  }
  return out;
}

/// A damage deck, so that a critical hit can do more than a hit.
void deal_cards(Trial& trial) {
  trial.damage_deck = "core";
  trial.hull = 2;
  trial.shields = 0;
  trial.objective = "kill";
}

}  // namespace

std::vector<Variation> own_variations(const load::CardSpec& card, const Dependencies& dependencies,
                                      const SupportingCards& supporting,
                                      const std::vector<const load::CardSpec*>& weapons) {
  std::vector<Variation> out;
  if (dependencies.bonus)
    out.push_back(course_variation(card, dependencies, supporting));  // without the bonus attack nothing changes
  out.push_back(fact_variation(card));
  out.push_back(token_variation(&Trial::own, dependencies.own_tokens, dependencies.numbers));
  out.push_back(token_variation(&Trial::foe, dependencies.foe_tokens, dependencies.numbers));
  out.push_back(token_variation(&Trial::ally, dependencies.ally_tokens, dependencies.numbers));
  if (dependencies.names.contains("range")) {
    Variation ranges;
    for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Trial& trial) { trial.range = range; });
    out.push_back(ranges);
  }
  if (dependencies.names.contains("obstructed")) out.push_back({[](Trial& trial) { trial.obstructed = true; }});
  out.push_back(health_variation(dependencies));
  if (dependencies.crits) out.push_back({deal_cards});
  out.push_back(helper_variation(card, dependencies, supporting));
  out.push_back(upgrade_variation(dependencies));
  if (!dependencies.bonus) out.push_back(course_variation(card, dependencies, supporting));
  out.push_back(pilot_variation(dependencies, supporting));
  out.push_back(weapon_variation(card, dependencies, weapons));
  out.push_back(ship_variation(&Trial::own_ship, dependencies, dependencies.ally ? "friend.ship" : "self.ship"));
  out.push_back(ship_variation(&Trial::foe_ship, dependencies, "foe.ship"));
  out.push_back(size_variation(&Trial::own_size, dependencies, dependencies.ally ? "friend.size" : "self.size"));
  if (dependencies.ally) out.push_back(size_variation(&Trial::ally_size, dependencies, "self.size"));
  out.push_back(size_variation(&Trial::foe_size, dependencies, "foe.size"));
  if (dependencies.names.contains("self.agility") || dependencies.names.contains("foe.agility")) {
    Variation agility;
    for (const int n : {0, 1, 3, 4}) agility.push_back([n](Trial& trial) { trial.agility = n; });
    out.push_back(agility);
  }
  if (dependencies.names.contains("self.initiative") || dependencies.names.contains("foe.initiative")) {
    Variation initiative;
    for (const int n : {6, 1, 3}) initiative.push_back([n](Trial& trial) { trial.own_initiative = n; });
    out.push_back(initiative);
  }
  return out;
}

std::vector<Variation> usual_variations(const load::CardSpec& card, const std::vector<const load::CardSpec*>& weapons) {
  std::vector<Variation> out;
  out.push_back(usual_tokens(&Trial::own));
  out.push_back(usual_tokens(&Trial::foe));
  Variation ranges;
  for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Trial& trial) { trial.range = range; });
  out.push_back(ranges);
  out.push_back({[](Trial& trial) { trial.obstructed = true; }});
  Variation any_weapon;  // for cards that work only with some weapons
  for (const load::CardSpec* weapon : weapons) {
    if (weapon->id != card.id) any_weapon.push_back(shoot_with(*weapon));
  }
  out.push_back(any_weapon);
  out.push_back({[](Trial& trial) {
                   trial.attack_dice = 5;
                   trial.agility = 3;
                 },
                 [](Trial& trial) {
                   trial.attack_dice = 2;
                   trial.agility = 3;
                 },
                 [](Trial& trial) {
                   trial.attack_dice = 4;
                   trial.agility = 0;
                 }});
  out.push_back({deal_cards});
  return out;
}

}  // namespace salvo::cards
