// What is varied in the dry runs of a card: see dimensions.h.
#include "cards/variations.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cards/weapon_variations.h"

namespace salvo::cards {

namespace {

constexpr std::size_t kMaxHelpers = 3;
constexpr int kManyDice = 6;    ///< attack dice that make a lock worth more than a damage
constexpr int kSturdyHull = 8;  ///< of ships that have hull but are seldom destroyed

/// The token whose state a fact such as "tractored" is, as far as the name tells.
std::string token_of_state(const std::string& name) {
  if (name == "tractored") return "tractor";
  if (name == "ionized") return "ion";
  return name;
}

/// What a condition may ask of a ship beside tokens.
bool is_token_name(const std::string& name) {
  static constexpr std::array<std::string_view, 16> kOther{
      "lock-on-ally", "size",     "agility", "initiative", "ship",    "limited", "pilot",  "hull",
      "shields",      "suffered", "shield",  "destroyed",  "carrier", "docked",  "damage", "in-attack"};
  return std::find(kOther.begin(), kOther.end(), name) == kOther.end();
}

using Tokens = std::map<std::string, int> Setting::*;

/// Tokens given to one of the ships.
Change give(Tokens ship, std::map<std::string, int> tokens) {
  return [ship, tokens](Setting& setting) {
    for (const auto& [token, n] : tokens) (setting.*ship)[token] = n;
  };
}

/// Tokens that the card speaks of: all of them, each, none.
Dimension token_dimension(Tokens ship, const std::set<std::string>& mentioned, const std::set<int>& numbers) {
  Dimension out;
  std::map<std::string, int> all;
  for (const std::string& name : mentioned) {
    if (!is_token_name(name) || name == "charge") continue;
    const std::string token = token_of_state(name);
    all[token] = token == "tractor" || token == "ion" || token == "lock" || token == "cloak" ? 1 : 2;
  }
  std::map<std::string, int> many;  // as many as the card asks for
  for (const auto& [token, n] : all) {
    if (!numbers.empty() && n > 1 && *numbers.rbegin() > n) many[token] = *numbers.rbegin();
  }
  // The attack of a disarmed or cloaked ship is not allowed; compile refuses those settings.
  if (!all.empty()) out.push_back(give(ship, all));
  if (all.size() > 1) {
    for (const auto& [token, n] : all) out.push_back(give(ship, {{token, n}}));
  }
  if (!all.empty()) out.push_back([ship](Setting& setting) { (setting.*ship).clear(); });
  for (const auto& [token, n] : all) out.push_back(give(ship, {{token, 1}}));
  if (!many.empty()) out.push_back(give(ship, many));
  for (const auto& [token, n] : all) {
    if (all.contains("lock") && token != "lock") out.push_back(give(ship, {{"lock", 1}, {token, 1}}));
  }
  return out;
}

/// Tokens that any card may need.
Dimension usual_tokens(Tokens ship) {
  Dimension out;
  out.push_back([ship](Setting& setting) { (setting.*ship).clear(); });
  out.push_back(give(ship, {{"focus", 2}, {"evade", 1}}));
  out.push_back(give(ship, {{"lock", 1}}));
  out.push_back(give(ship, {{"calculate", 1}, {"force", 1}}));
  out.push_back(give(ship, {{"stress", 1}}));
  for (const char* token : {"reinforce", "strain", "deplete", "tractor", "ion"})
    out.push_back(give(ship, {{token, 1}}));
  return out;
}

Dimension fact_dimension(const load::CardSpec& card) {
  Dimension out;
  for (const auto& [name, usual] : card.facts) {
    out.push_back([name = name, usual = usual](Setting& setting) { setting.facts[name] = !usual; });
  }
  if (card.facts.size() > 1) {
    out.push_back([facts = card.facts](Setting& setting) {
      for (const auto& [name, usual] : facts) {
        if (!usual) setting.facts[name] = true;
      }
    });
    out.push_back([facts = card.facts](Setting& setting) {
      for (const auto& [name, usual] : facts) {
        if (usual) setting.facts[name] = false;
      }
    });
  }
  return out;
}

using Text = std::string Setting::*;

/// Sizes of a ship, if the card reads the size under this name.
Dimension size_dimension(Text ship, const Mentions& mentions, const std::string& name) {
  Dimension out;
  if (!mentions.names.contains(name)) return out;
  for (const char* size : {"medium", "large", "huge"}) {
    out.push_back([ship, size](Setting& setting) { setting.*ship = size; });
  }
  return out;
}

/// Types of ships that the card asks for.
Dimension ship_dimension(Text ship, const Mentions& mentions, const std::string& name) {
  Dimension out;
  if (!mentions.names.contains(name)) return out;
  for (const std::string& type : mentions.texts) {
    out.push_back([ship, type](Setting& setting) { setting.*ship = type; });
  }
  return out;
}

/// Ships that can be destroyed.
Dimension health_dimension(const Mentions& mentions) {
  Dimension out;
  if (!mentions.health || mentions.stat) return out;
  const auto add = [&](int hull, int shields, const char* objective) {
    out.push_back([=](Setting& setting) {
      setting.hull = hull;
      setting.shields = shields;
      setting.objective = objective;
    });
  };
  for (const char* objective : {"damage", "kill"}) {
    for (const auto& [hull, shields] : {std::pair{1, 0}, {1, 1}, {2, 0}, {3, 2}}) add(hull, shields, objective);
  }
  return out;
}

/// The other ship has a lock and shoots afterwards, a defender with many dice: what the card hands out can be worth
/// more than damage.
Change locked_foe() {
  return [](Setting& setting) {
    setting.course = {Move::Main, setting.attacks ? Move::Back : Move::Main};
    setting.foe["lock"] = 1;
    setting.back_dice = kManyDice;
  };
}

/// Another ship of the card's side, with tokens that the card speaks of, is attacked afterwards.
Change attacked_friend(const std::set<std::string>& tokens) {
  return [tokens](Setting& setting) {
    setting.beside = true;
    setting.course = {Move::Main, setting.attacks ? Move::BackBeside : Move::Beside};
    setting.hull = kSturdyHull;
    setting.shields = 0;
    for (const std::string& token : tokens) {
      if (is_token_name(token)) setting.ally[token_of_state(token)] = 1;
    }
  };
}

/// Attacks before or after the one of the setting.
Dimension course_dimension(const load::CardSpec& card, const Mentions& mentions) {
  Dimension out;
  const auto add = [&](std::vector<Move> course) {
    out.push_back([course](Setting& setting) { setting.course = course; });
  };
  if (mentions.bonus) add_bonus(card, out);
  if (mentions.order) {  // the friend with the card and the defender shoot before the attacker
    out.push_back([](Setting& setting) {
      setting.own_initiative = 3;
      setting.back_initiative = 5;
      setting.course = {Move::Beside, Move::Back, Move::Main};
      setting.hull = 2;
      setting.shields = 0;
      setting.objective = "kill";
    });
  }
  add({Move::Main, Move::Main});
  add({Move::Main, Move::Back});
  add({Move::Back, Move::Main});
  if (!mentions.foe_gains.empty()) out.push_back(locked_foe());
  if (mentions.beside) out.push_back(attacked_friend(mentions.ally_tokens));
  if (!mentions.beside && !mentions.ally) return out;
  for (const int dice : {4, 1}) {
    for (const bool first : {false, true}) {
      out.push_back([=](Setting& setting) {
        setting.beside = true;
        setting.ally_dice = dice;
        setting.course = first ? std::vector{Move::Beside, Move::Main} : std::vector{Move::Main, Move::Beside};
      });
    }
  }
  return out;
}

/// Another upgrade that makes use of what this card gives: it reads the tokens that the card hands out, grants the
/// bonus attack that the card is for, or gives its own ship a token that the card waits for.
Dimension helper_dimension(const load::CardSpec& card, const Mentions& mentions, const Props& props) {
  Dimension out;
  const bool for_bonus = mentions.names.contains("bonus-attack") && !mentions.bonus;
  std::size_t readers = 0, granters = 0, givers = 0, ally_givers = 0, foe_givers = 0;
  for (const load::CardSpec* other : props.upgrades) {
    if (other->id == card.id || other->weapon) continue;
    const Mentions its = mentions_of(*other);
    const auto reads = [&](const std::set<std::string>& gains) {
      return std::any_of(its.names.begin(), its.names.end(), [&](const std::string& name) {
        return name.starts_with("foe.") && gains.contains(token_of_state(name.substr(4)));
      });
    };
    if (for_bonus && its.bonus && granters < kMaxHelpers) {
      Dimension ways;
      add_bonus(*other, ways);
      if (!ways.empty()) ++granters;
      for (const Change& way : ways) {
        out.push_back([way, other](Setting& setting) {
          way(setting);
          setting.helper = other->id;
        });
      }
    }
    const auto gives = [&](std::initializer_list<const char*> whose) {
      return its.self && std::any_of(its.own_gains.begin(), its.own_gains.end(), [&](const std::string& token) {
               return std::any_of(whose.begin(), whose.end(), [&](const char* who) {
                 return mentions.names.contains(std::string(who) + "gained." + token);
               });
             });
    };
    // Charges can remember how many tokens there were.
    const bool remembered = mentions.names.contains("card.charge") && its.self &&
                            std::any_of(its.own_gains.begin(), its.own_gains.end(), [&](const std::string& token) {
                              return mentions.names.contains("self." + token);
                            });
    if (givers < kMaxHelpers && (remembered || gives({"", "self."}))) {
      ++givers;
      out.push_back([other](Setting& setting) { setting.helper = other->id; });
    }
    if (ally_givers < kMaxHelpers && gives({"ally.", "friend."})) {
      ++ally_givers;
      out.push_back([other](Setting& setting) {
        setting.beside = true;
        setting.ally_helper = other->id;
      });
    }
    if (foe_givers < kMaxHelpers && gives({"foe."})) {
      ++foe_givers;
      out.push_back([other](Setting& setting) { setting.foe_helper = other->id; });
    }
    if (readers >= kMaxHelpers || !its.self || its.beside || its.bonus || !its.sides.contains("attacker")) continue;
    if (!reads(mentions.foe_gains)) continue;
    ++readers;
    out.push_back([other](Setting& setting) { setting.helper = other->id; });
  }
  return out;
}

/// Pilots of the ship with the card.
Dimension pilot_dimension(const Mentions& mentions, const Props& props) {
  Dimension out;
  if (mentions.own_gains.contains("force") && !props.force_pilot.empty()) {
    out.push_back([&props](Setting& setting) {
      setting.pilot = props.force_pilot;
      setting.own = {{"force", 0}};
    });
  }
  if (reads_initiative(mentions)) {
    for (const std::string& pilot : props.plain_pilots) {
      out.push_back([pilot](Setting& setting) { setting.pilot = pilot; });
    }
  }
  return out;
}

/// A damage deck, in which a critical hit can do more than a hit.
void deal_cards(Setting& setting) {
  setting.damage_deck = "core";
  setting.hull = 2;
  setting.shields = 0;
  setting.objective = "kill";
}

}  // namespace

std::vector<Dimension> own_dimensions(const load::CardSpec& card, const Mentions& mentions, const Props& props,
                                      const std::vector<const load::CardSpec*>& weapons) {
  std::vector<Dimension> out;
  if (mentions.bonus) out.push_back(course_dimension(card, mentions));  // nothing shows without the bonus attack
  out.push_back(fact_dimension(card));
  out.push_back(token_dimension(&Setting::own, mentions.own_tokens, mentions.numbers));
  out.push_back(token_dimension(&Setting::foe, mentions.foe_tokens, mentions.numbers));
  out.push_back(token_dimension(&Setting::ally, mentions.ally_tokens, mentions.numbers));
  if (mentions.names.contains("range")) {
    Dimension ranges;
    for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Setting& setting) { setting.range = range; });
    out.push_back(ranges);
  }
  if (mentions.names.contains("obstructed")) out.push_back({[](Setting& setting) { setting.obstructed = true; }});
  out.push_back(health_dimension(mentions));
  if (mentions.crits) out.push_back({deal_cards});
  out.push_back(helper_dimension(card, mentions, props));
  if (!mentions.bonus) out.push_back(course_dimension(card, mentions));
  out.push_back(pilot_dimension(mentions, props));
  out.push_back(weapon_dimension(card, mentions, weapons));
  out.push_back(ship_dimension(&Setting::own_ship, mentions, mentions.ally ? "friend.ship" : "self.ship"));
  out.push_back(ship_dimension(&Setting::foe_ship, mentions, "foe.ship"));
  out.push_back(size_dimension(&Setting::own_size, mentions, mentions.ally ? "friend.size" : "self.size"));
  if (mentions.ally) out.push_back(size_dimension(&Setting::ally_size, mentions, "self.size"));
  out.push_back(size_dimension(&Setting::foe_size, mentions, "foe.size"));
  if (mentions.names.contains("self.agility") || mentions.names.contains("foe.agility")) {
    Dimension agility;
    for (const int n : {0, 1, 3, 4}) agility.push_back([n](Setting& setting) { setting.agility = n; });
    out.push_back(agility);
  }
  if (mentions.names.contains("self.initiative") || mentions.names.contains("foe.initiative")) {
    Dimension initiative;
    for (const int n : {6, 1, 3}) initiative.push_back([n](Setting& setting) { setting.own_initiative = n; });
    out.push_back(initiative);
  }
  return out;
}

std::vector<Dimension> usual_dimensions(const load::CardSpec& card, const std::vector<const load::CardSpec*>& weapons) {
  std::vector<Dimension> out;
  out.push_back(usual_tokens(&Setting::own));
  out.push_back(usual_tokens(&Setting::foe));
  Dimension ranges;
  for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Setting& setting) { setting.range = range; });
  out.push_back(ranges);
  out.push_back({[](Setting& setting) { setting.obstructed = true; }});
  Dimension any_weapon;  // for cards that only some weapons make use of
  for (const load::CardSpec* weapon : weapons) {
    if (weapon->id != card.id) any_weapon.push_back(shoot_with(*weapon));
  }
  out.push_back(any_weapon);
  out.push_back({[](Setting& setting) {
                   setting.attack_dice = 5;
                   setting.agility = 3;
                 },
                 [](Setting& setting) {
                   setting.attack_dice = 2;
                   setting.agility = 3;
                 },
                 [](Setting& setting) {
                   setting.attack_dice = 4;
                   setting.agility = 0;
                 }});
  out.push_back({deal_cards});
  return out;
}

}  // namespace salvo::cards
