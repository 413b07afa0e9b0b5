// Settings: see settings.h.
#include "library/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "library/condition.h"

namespace salvo::library {

namespace {

constexpr std::size_t kMostDeviations = 3;
constexpr std::size_t kMostSettings = 700;  ///< of one kind with the same number of deviations
constexpr std::size_t kMostHelpers = 3;
constexpr int kManyDice = 6;    ///< attack dice that make a lock worth more than a damage
constexpr int kSturdyHull = 8;  ///< of ships that have hull but are seldom destroyed

using Change = std::function<void(Setting&)>;
/// Ways to differ from the plainest setting that exclude each other.
using Dimension = std::vector<Change>;

void mention_expression(const std::string& text, Mentions& out) {
  if (text.empty()) return;
  for (const std::string& name : names_read(text)) {
    out.names.insert(name);
    const std::string last = name.substr(name.rfind('.') + 1);
    if (name.starts_with("self.")) out.own_tokens.insert(last);
    if (name.starts_with("spent.")) out.own_tokens.insert(last);
    if (name.starts_with("foe.")) out.foe_tokens.insert(last);
    if (name.starts_with("ally.")) out.ally_tokens.insert(last);
    if (name.starts_with("friend.")) out.own_tokens.insert(last);
    if (name == "friends.lock") out.ally_tokens.insert("lock");
    out.beside = out.beside || name.starts_with("ally.") || name == "friends.lock";
    out.docked = out.docked || name.ends_with(".carrier");
    out.health = out.health || name.ends_with(".shields") || name.ends_with(".hull") || name.ends_with(".suffered") ||
                 name.ends_with(".destroyed");
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\'') {
      const std::size_t end = std::min(text.find('\'', at + 1), text.size());
      out.texts.insert(text.substr(at + 1, end - at - 1));
      at = end;
    } else if (text[at] >= '0' && text[at] <= '9' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '[')) {
      out.numbers.insert(text[at] - '0');
    }
  }
}

/// The token whose state a fact such as "tractored" is, as far as the name tells.
std::string token_of_state(const std::string& name) {
  if (name == "tractored") return "tractor";
  if (name == "ionized") return "ion";
  return name;
}

/// What a condition may ask of a ship beside tokens.
bool is_token_name(const std::string& name) {
  static constexpr std::array<std::string_view, 12> kOther{"size",    "agility",   "initiative", "ship",
                                                           "limited", "hull",      "shields",    "suffered",
                                                           "shield",  "destroyed", "carrier",    "docked"};
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

Dimension fact_dimension(const CardSpec& card) {
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

bool has(const std::set<std::string>& names, const std::string& name) { return names.contains(name); }

using Text = std::string Setting::*;

/// Sizes of a ship, if the card reads the size under this name.
Dimension size_dimension(Text ship, const Mentions& mentions, const std::string& name) {
  Dimension out;
  if (!has(mentions.names, name)) return out;
  for (const char* size : {"medium", "large", "huge"}) {
    out.push_back([ship, size](Setting& setting) { setting.*ship = size; });
  }
  return out;
}

/// Types of ships that the card asks for.
Dimension ship_dimension(Text ship, const Mentions& mentions, const std::string& name) {
  Dimension out;
  if (!has(mentions.names, name)) return out;
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

/// A bonus attack that the card grants and the scenario has to list.
void add_bonus(const CardSpec& card, Dimension& out) {
  for (const EffectSpec& effect : card.effects) {
    for (const OperationSpec& operation : effect.operations) {
      if (operation.verb != Verb::Bonus) continue;
      for (const char* turret : {"single-turret", "double-turret"}) {
        const bool primary_arc = operation.weapon.starts_with("primary:");
        const std::string arc = primary_arc ? operation.weapon.substr(8) : operation.weapon == "turret" ? turret : "";
        for (const Move move : {Move::BonusOther, Move::BonusSame}) {
          out.push_back([&card, arc, move](Setting& setting) {
            setting.bonus_card = card.id;
            setting.course = {Move::Main, move};
            setting.bonus_weapon = arc.empty() ? "primary" : "primary:" + arc;
            if (!arc.empty()) setting.arc = arc;
            setting.first_weapon = !arc.empty();
          });
        }
        if (operation.weapon != "turret") break;
      }
    }
  }
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
Dimension course_dimension(const CardSpec& card, const Mentions& mentions) {
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
Dimension helper_dimension(const CardSpec& card, const Mentions& mentions, const Props& props) {
  Dimension out;
  const bool for_bonus = has(mentions.names, "bonus-attack") && !mentions.bonus;
  std::size_t readers = 0, granters = 0, givers = 0;
  for (const CardSpec* other : props.upgrades) {
    if (other->id == card.id || other->weapon) continue;
    const Mentions its = mentions_of(*other);
    const auto reads = [&](const std::set<std::string>& gains) {
      return std::any_of(its.names.begin(), its.names.end(), [&](const std::string& name) {
        return name.starts_with("foe.") && gains.contains(token_of_state(name.substr(4)));
      });
    };
    if (for_bonus && its.bonus && granters < kMostHelpers) {
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
    const bool gives = std::any_of(its.own_gains.begin(), its.own_gains.end(), [&](const std::string& token) {
      return mentions.names.contains("gained." + token);
    });
    if (gives && its.self && givers < kMostHelpers) {
      ++givers;
      out.push_back([other](Setting& setting) { setting.helper = other->id; });
    }
    if (readers >= kMostHelpers || !its.self || its.beside || its.bonus || !its.sides.contains("attacker")) continue;
    if (!reads(mentions.foe_gains)) continue;
    ++readers;
    out.push_back([other](Setting& setting) { setting.helper = other->id; });
  }
  return out;
}

bool reads_initiative(const Mentions& mentions) {
  return std::any_of(mentions.names.begin(), mentions.names.end(),
                     [](const std::string& name) { return name.ends_with(".initiative"); });
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

/// The attacker shoots with an upgrade of the library.
Change shoot_with(const CardSpec& weapon) {
  return [&weapon](Setting& setting) {
    setting.weapon = weapon.id;
    setting.range = std::clamp(setting.range, weapon.weapon->min_range, weapon.weapon->max_range);
    auto& tokens = setting.attacks ? setting.own : setting.foe;
    for (const std::string& token : weapon.weapon->requires_tokens) tokens[token] = 1;
    for (const CostSpec& cost : weapon.weapon->cost) {
      if (cost.token != "charge") tokens[cost.token] = std::max(tokens[cost.token], cost.n);
    }
  };
}

/// Weapons without the tokens that they require, the strongest first.
void add_weapons_without_tokens(std::vector<const CardSpec*> weapons, Dimension& out) {
  std::stable_sort(weapons.begin(), weapons.end(),
                   [](const CardSpec* a, const CardSpec* b) { return a->weapon->attack > b->weapon->attack; });
  for (const CardSpec* other : weapons) {
    if (other->weapon->requires_tokens.empty()) continue;
    const Change shoot = shoot_with(*other);
    out.push_back([other, shoot](Setting& setting) {
      const auto tokens = setting.own;
      shoot(setting);
      setting.own = tokens;
      setting.own["force"] = 1;
      if (setting.by_ally) setting.ally["lock"] = 1;
      setting.weapon_by_card = true;
      for (const std::string& token : other->weapon->requires_tokens) setting.own.erase(token);
    });
  }
}

/// Weapons that a condition may ask for: by arc, by name, one that is ordnance and one that is not.
Dimension weapon_dimension(const CardSpec& card, const Mentions& mentions,
                           const std::vector<const CardSpec*>& weapons) {
  Dimension out;
  if (mentions.bonus) {  // a ship with two weapons, shooting with the first
    for (const char* arc : {"single-turret", "rear"}) {
      out.push_back([arc](Setting& setting) {
        setting.arc = arc;
        setting.first_weapon = true;
      });
    }
  }
  if (has(mentions.names, "arc")) {
    for (const char* arc : {"rear", "single-turret", "double-turret", "bullseye", "full-front"}) {
      out.push_back([arc](Setting& setting) { setting.arc = arc; });
    }
  }
  const bool special = has(mentions.names, "special") || has(mentions.names, "primary") ||
                       has(mentions.names, "ordnance") || has(mentions.names, "weapon");
  if (mentions.waive) add_weapons_without_tokens(weapons, out);
  bool ordnance_added = false, plain_added = false;
  for (const CardSpec* other : weapons) {
    if (!special || other->id == card.id) continue;
    bool& added = other->weapon->ordnance ? ordnance_added : plain_added;
    if (added && !mentions.texts.contains(other->id)) continue;
    added = true;
    out.push_back(shoot_with(*other));
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

/// What the card speaks of.
std::vector<Dimension> own_dimensions(const CardSpec& card, const Mentions& mentions, const Props& props,
                                      const std::vector<const CardSpec*>& weapons) {
  std::vector<Dimension> out;
  out.push_back(fact_dimension(card));
  out.push_back(token_dimension(&Setting::own, mentions.own_tokens, mentions.numbers));
  out.push_back(token_dimension(&Setting::foe, mentions.foe_tokens, mentions.numbers));
  out.push_back(token_dimension(&Setting::ally, mentions.ally_tokens, mentions.numbers));
  out.push_back(health_dimension(mentions));
  if (mentions.crits) out.push_back({deal_cards});
  out.push_back(course_dimension(card, mentions));
  out.push_back(pilot_dimension(mentions, props));
  out.push_back(helper_dimension(card, mentions, props));
  out.push_back(weapon_dimension(card, mentions, weapons));
  out.push_back(ship_dimension(&Setting::own_ship, mentions, mentions.ally ? "friend.ship" : "self.ship"));
  out.push_back(ship_dimension(&Setting::foe_ship, mentions, "foe.ship"));
  out.push_back(size_dimension(&Setting::own_size, mentions, mentions.ally ? "friend.size" : "self.size"));
  if (mentions.ally) out.push_back(size_dimension(&Setting::ally_size, mentions, "self.size"));
  out.push_back(size_dimension(&Setting::foe_size, mentions, "foe.size"));
  if (has(mentions.names, "range")) {
    Dimension ranges;
    for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Setting& setting) { setting.range = range; });
    out.push_back(ranges);
  }
  if (has(mentions.names, "obstructed")) out.push_back({[](Setting& setting) { setting.obstructed = true; }});
  if (has(mentions.names, "self.agility") || has(mentions.names, "foe.agility")) {
    Dimension agility;
    for (const int n : {0, 1, 3, 4}) agility.push_back([n](Setting& setting) { setting.agility = n; });
    out.push_back(agility);
  }
  if (has(mentions.names, "self.initiative") || has(mentions.names, "foe.initiative")) {
    Dimension initiative;
    for (const int n : {6, 1, 3}) initiative.push_back([n](Setting& setting) { setting.own_initiative = n; });
    out.push_back(initiative);
  }
  return out;
}

/// What any card may need.
std::vector<Dimension> usual_dimensions(const CardSpec& card, const std::vector<const CardSpec*>& weapons) {
  std::vector<Dimension> out;
  out.push_back(usual_tokens(&Setting::own));
  out.push_back(usual_tokens(&Setting::foe));
  Dimension ranges;
  for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Setting& setting) { setting.range = range; });
  out.push_back(ranges);
  out.push_back({[](Setting& setting) { setting.obstructed = true; }});
  Dimension any_weapon;  // for cards that only some weapons make use of
  for (const CardSpec* weapon : weapons) {
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

/// All combinations of `left` more deviations from `base`, at most until `out` has `most` settings. The last `usual`
/// dimensions are not the card's; at least one of them has to take part unless `usual` is 0.
void add_settings(const Setting& base, const std::vector<Dimension>& all, std::size_t from, std::size_t left,
                  std::size_t usual, std::size_t most, std::vector<Setting>& out) {
  if (left == 0) {
    if (out.size() < most) out.push_back(base);
    return;
  }
  const std::size_t first = left == 1 && usual > 0 ? std::max(from, all.size() - usual) : from;
  for (std::size_t d = first; d < all.size() && out.size() < most; ++d) {
    const std::size_t still = d >= all.size() - usual ? 0 : usual;
    for (const Change& change : all[d]) {
      Setting setting = base;
      change(setting);
      ++setting.deviations;
      add_settings(setting, all, d + 1, left - 1, still, most, out);
    }
  }
}

std::string tokens_words(const std::map<std::string, int>& tokens) {
  std::string out;
  for (const auto& [token, n] : tokens) {
    if (n > 0) out += (out.empty() ? "" : ", ") + (n == 1 ? token : fmt::format("{} {}", n, token));
  }
  return out;
}

}  // namespace

namespace {

/// The tokens of a ship that the card names.
std::set<std::string>& tokens_of(const std::string& who, Mentions& out) {
  return who == "foe" ? out.foe_tokens : who == "ally" ? out.ally_tokens : out.own_tokens;
}

void mention_costs(const std::vector<CostSpec>& costs, Mentions& out) {
  for (const CostSpec& cost : costs) {
    tokens_of(cost.who, out).insert(cost.token);
    out.beside = out.beside || cost.who == "ally";
    out.health = out.health || cost.token == "shield";
  }
}

void mention_operations(const std::vector<OperationSpec>& operations, Mentions& out) {
  for (const OperationSpec& operation : operations) {
    mention_expression(operation.amount, out);
    out.beside = out.beside || operation.who == "ally";
    if (operation.verb == Verb::Lose) tokens_of(operation.who, out).insert(operation.token);
    if (operation.verb == Verb::Gain) (operation.who == "foe" ? out.foe_gains : out.own_gains).insert(operation.token);
    out.bonus = out.bonus || operation.verb == Verb::Bonus;
    out.crits = out.crits || operation.to == "crit";
    out.cards = out.cards || operation.verb == Verb::Expose || operation.verb == Verb::Deal;
    out.waive = out.waive || operation.verb == Verb::Waive;
    out.health = out.health || operation.verb == Verb::Damage;
    out.stat = out.stat || operation.verb == Verb::Stat;
    out.order = out.order || (operation.verb == Verb::Treat && operation.fact == "initiative");
    out.defense_stat = out.defense_stat || (operation.verb == Verb::Stat && operation.stat != "attack");
  }
}

/// Conditions that ask for damage cards.
bool asks_for_cards(const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.starts_with("drawn.") || name.find(".dealt.") != std::string::npos || name.ends_with(".faceup") ||
           name.ends_with(".facedown");
  });
}

/// An attack that deals damage cards. Small, since decks make large game graphs; a second attack is a deviation.
void with_damage_cards(Setting& setting) {
  setting.damage_deck = "core";
  setting.hull = 3;
  setting.shields = 0;
  setting.agility = 1;
  setting.course = {Move::Main};
}

/// The card's own weapon with what it needs.
void shoot_with_own(const CardSpec& card, Setting& setting) {
  setting.docked = card.weapon->of_docked;
  setting.own_weapon = true;
  setting.range = std::clamp(setting.range, card.weapon->min_range, card.weapon->max_range);
  for (const std::string& token : card.weapon->requires_tokens) setting.own[token] = 1;
  for (const CostSpec& cost : card.weapon->cost) {
    if (cost.token != "charge") setting.own[cost.token] = std::max(setting.own[cost.token], cost.n);
  }
}

}  // namespace

Mentions mentions_of(const CardSpec& card) {
  Mentions out;
  for (const EffectSpec& effect : card.effects) {
    out.sides.insert(effect.side);
    mention_expression(effect.when, out);
    mention_expression(effect.times, out);
    mention_costs(effect.cost, out);
    mention_operations(effect.operations, out);
    out.self = out.self || effect.whose != "ally";
    out.ally = out.ally || effect.whose != "self";
    for (const OfferSpec& offer : effect.offers) {
      mention_expression(offer.when, out);
      mention_costs(offer.cost, out);
      mention_operations(offer.operations, out);
    }
  }
  if (!card.tokens.empty()) {
    out.sides.insert("any");
    out.self = true;
  }
  out.docked = out.docked || (card.weapon && card.weapon->of_docked);
  out.cards = out.cards || asks_for_cards(out.names);
  if (card.weapon) {
    out.sides.insert("attacker");
    for (const std::string& token : card.weapon->requires_tokens) out.own_tokens.insert(token);
    mention_costs(card.weapon->cost, out);
  }
  return out;
}

bool wants_pilots(const Mentions& mentions) {
  return mentions.own_gains.contains("force") || reads_initiative(mentions);
}

std::vector<Setting> settings_for(const CardSpec& card, const Mentions& mentions, const Props& props) {
  std::vector<const CardSpec*> weapons;
  for (const CardSpec* upgrade : props.upgrades) {
    if (upgrade->weapon && upgrade->weapon->attack > 0) weapons.push_back(upgrade);
  }
  const std::vector<Dimension> own = own_dimensions(card, mentions, props, weapons);
  const std::vector<Dimension> usual = usual_dimensions(card, weapons);
  std::vector<Dimension> all = own;
  all.insert(all.end(), usual.begin(), usual.end());
  std::vector<Setting> out;
  const auto add = [&](const Setting& base, std::size_t deviations) {
    add_settings(base, own, 0, deviations, 0, out.size() + kMostSettings, out);
    if (deviations > 0) add_settings(base, all, 0, deviations, usual.size(), out.size() + kMostSettings, out);
  };
  for (std::size_t deviations = 0; deviations <= kMostDeviations; ++deviations) {
    for (const bool attacks : {!mentions.defense_stat, mentions.defense_stat}) {
      const bool wanted = mentions.sides.contains("any") || mentions.sides.contains(attacks ? "attacker" : "defender");
      if (!wanted) continue;
      Setting base;
      base.attacks = attacks;
      base.real_ships = mentions.stat;
      base.beside = mentions.beside;
      base.docked = mentions.docked;
      if (mentions.stat) base.objective = "kill";
      if (mentions.cards) with_damage_cards(base);
      if (mentions.ally && !card.weapon) {
        Setting carried = base;
        carried.by_ally = true;
        add(carried, deviations);
        if (!mentions.self) continue;
      }
      if (attacks && card.weapon) shoot_with_own(card, base);
      add(base, deviations);
      if (mentions.cards) {  // the second attack finds the damage cards of the first
        Setting again = base;
        again.course = {Move::Main, Move::Main};
        add(again, deviations);
      }
      if (base.own_weapon && deviations > 0) {  // other effects of the card may need the primary weapon
        base.own_weapon = false;
        add(base, deviations - 1);
      }
    }
  }
  return out;
}

namespace {

void fill(ScenarioShip& ship, const std::map<std::string, int>& tokens, const char* other) {
  for (const auto& [token, n] : tokens) {
    if (token == "lock" && n > 0) ship.locks.emplace_back(other);
    if (token != "lock" && token != "shield" && (n > 0 || token == "force")) ship.tokens[token] = n;
  }
}

/// The other ship of the side of the ship with the card.
ScenarioShip other_ship(const Setting& setting) {
  ScenarioShip ally;
  ally.side = setting.attacks ? "mine" : "theirs";
  ally.attack = setting.ally_dice;
  ally.agility = 2;
  if (setting.ally_size != "small") ally.size = setting.ally_size;
  const char* foe = setting.attacks ? "d" : "a1";
  if (setting.by_ally) fill(ally, setting.own, foe);
  for (const auto& [token, n] : setting.ally) ally.tokens.erase(token);
  if (setting.ally.contains("lock")) ally.locks.clear();
  fill(ally, setting.ally, foe);
  return ally;
}

/// One attack of the course; `main` is the attack of the setting.
ScenarioAttack attack_of(const Setting& setting, Move move, const ScenarioAttack& main) {
  ScenarioAttack out = main;
  if (move == Move::Main) return out;
  if (move == Move::Back || move == Move::Beside || move == Move::BackBeside) {
    out = ScenarioAttack{};
    out.range = setting.weapon.empty() && !setting.own_weapon ? main.range : 2;
    out.by = move != Move::Beside ? "d" : setting.attacks ? "b" : "a1";
    out.on = move == Move::Back ? "a1" : move == Move::BackBeside || !setting.attacks ? "b" : "d";
    out.initiative = setting.back_initiative ? setting.back_initiative : setting.own_initiative;
    return out;
  }
  out.bonus = setting.bonus_card;
  out.weapon = setting.bonus_weapon;
  if (move == Move::BonusOther) out.on = "e";
  return out;
}

}  // namespace

Scenario scenario_of(const Setting& setting, const CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc) {
  Scenario out;
  out.rules = rules;
  out.cards = card_set;
  out.objective = setting.objective;
  out.damage_deck = setting.damage_deck;
  out.source = "dry run";
  ScenarioShip attacker, defender;
  if (!ship_of_arc.empty()) {
    attacker.ship = ship_of_arc;
  } else if (setting.real_ships) {
    attacker.ship = "t65xwing";
  } else {
    attacker.attack = setting.attack_dice;
    attacker.agility = 2;
  }
  if (setting.real_ships) {
    defender.ship = "tielnfighter";
  } else {
    defender.agility = setting.agility;
  }
  const auto takes_part = [&](Move move) {
    return std::find(setting.course.begin(), setting.course.end(), move) != setting.course.end();
  };
  const bool shoots_back = takes_part(Move::Back) || takes_part(Move::BackBeside);
  if (shoots_back && !setting.real_ships) defender.attack = setting.back_dice;
  ScenarioShip& own = setting.attacks ? attacker : defender;
  ScenarioShip& foe = setting.attacks ? defender : attacker;
  if (setting.own_size != "small") own.size = setting.own_size;
  if (setting.foe_size != "small") foe.size = setting.foe_size;
  if (!setting.own_ship.empty()) own.ship = setting.own_ship;
  if (!setting.foe_ship.empty()) foe.ship = setting.foe_ship;
  fill(own, setting.own, setting.attacks ? "d" : "a1");
  fill(foe, setting.foe, setting.attacks ? "a1" : "d");
  if (!setting.weapon.empty()) attacker.upgrades.push_back(setting.weapon);
  const bool beside =
      setting.by_ally || setting.beside || setting.docked || takes_part(Move::Beside) || takes_part(Move::BackBeside);
  if (setting.docked) attacker.docked = "b";
  ScenarioShip ally = other_ship(setting);
  ScenarioShip& carrier = setting.by_ally ? ally : own;
  if (!setting.pilot.empty()) carrier.pilot = setting.pilot;
  if (!setting.helper.empty()) carrier.upgrades.push_back(setting.helper);
  if (with) carrier.upgrades.push_back(card.id);
  std::vector<std::pair<const char*, ScenarioShip*>> ships{{"a1", &attacker}, {"d", &defender}};
  if (beside) ships.emplace_back("b", &ally);
  ScenarioShip second;  // for a bonus attack
  second.side = "theirs";
  second.agility = 1;
  if (takes_part(Move::BonusOther)) ships.emplace_back("e", &second);
  for (const auto& [name, ship] : ships) {
    if (setting.hull) ship->hull = setting.hull;
    if (setting.shields) ship->shields = setting.shields;
    out.ships[name] = std::move(*ship);
  }
  ScenarioAttack main;
  main.by = "a1";
  main.on = "d";
  main.range = setting.range;
  main.obstructed = setting.obstructed;
  if (!setting.arc.empty() && !setting.first_weapon) main.weapon = "primary:" + setting.arc;
  if (!setting.weapon.empty() && (with || !setting.weapon_by_card)) {
    main.weapon = setting.weapon;
  } else if (with && setting.own_weapon) {
    main.weapon = card.weapon->of_docked ? "primary:" + card.weapon->arc : card.id;
  }
  for (const auto& [fact, holds] : setting.facts) main.facts.push_back(holds ? fact : "not " + fact);
  main.initiative = setting.own_initiative;
  for (const Move move : setting.course) {
    const bool without_grant = !with && setting.bonus_card == card.id;
    if (without_grant && (move == Move::BonusSame || move == Move::BonusOther)) continue;
    out.attacks.push_back(attack_of(setting, move, main));
  }
  return out;
}

namespace {

/// The attacks of the setting in words; empty for a single one.
std::string course_words(const Setting& setting) {
  if (setting.course.size() == 1) return {};
  std::vector<std::string> parts;
  for (const Move move : setting.course) {
    switch (move) {
      case Move::Main:
        parts.push_back(parts.empty() ? "this attack" : "then this attack");
        break;
      case Move::Back:
        parts.push_back(setting.back_dice == 3
                            ? std::string("the defender attacks the attacker")
                            : fmt::format("the defender attacks the attacker with {} dice", setting.back_dice));
        break;
      case Move::BackBeside:
        parts.emplace_back("the defender attacks the attacker's other ship");
        break;
      case Move::Beside:
        parts.push_back(setting.attacks
                            ? fmt::format("the attacker's other ship attacks with {} dice", setting.ally_dice)
                            : std::string("the attacker attacks the defender's other ship"));
        break;
      case Move::BonusSame:
        parts.push_back(fmt::format("the bonus attack of {}", setting.bonus_card));
        break;
      case Move::BonusOther:
        parts.push_back(fmt::format("the bonus attack of {} on another ship of agility 1", setting.bonus_card));
        break;
    }
  }
  if (setting.course == std::vector{Move::Main, Move::Main}) return "; 2 attacks";
  return fmt::format("; in order: {}", fmt::join(parts, ", "));
}

}  // namespace

std::string words_of(const Setting& setting, const CardSpec& card) {
  const auto ship = [&](bool own) {
    const bool attacks = own == setting.attacks;
    const std::string& type = own ? setting.own_ship : setting.foe_ship;
    std::string out;
    if (attacks) {
      out = !setting.arc.empty()
                ? fmt::format("a ship with a {}{} weapon", setting.first_weapon ? "front and a " : "", setting.arc)
            : setting.real_ships ? "a T-65 X-wing"
                                 : fmt::format("{} attack dice", setting.attack_dice);
    } else {
      out = setting.real_ships ? "a TIE/ln fighter" : fmt::format("agility {}", setting.agility);
    }
    if (!type.empty()) out += ", ship " + type;
    const std::string tokens = tokens_words(own ? setting.own : setting.foe);
    if (!tokens.empty()) out += ", " + tokens;
    const std::string& size = own ? setting.own_size : setting.foe_size;
    if (size != "small") out += ", " + size;
    if (attacks && !setting.weapon.empty()) out += ", shooting with " + setting.weapon;
    if (own && setting.by_ally) return out;
    if (own && !setting.pilot.empty()) out += ", pilot " + setting.pilot;
    if (own && !setting.helper.empty()) out += ", with " + setting.helper;
    if (own) out += fmt::format(", {}", setting.own_weapon ? "shooting with " + card.id : "with " + card.id);
    return out;
  };
  std::string out =
      fmt::format("attacker: {}; defender: {}; range {}", ship(setting.attacks), ship(!setting.attacks), setting.range);
  if (setting.obstructed) out += ", obstructed";
  for (const auto& [fact, holds] : setting.facts) out += fmt::format(", {}{}", holds ? "" : "not ", fact);
  if (setting.own_initiative) out += fmt::format(", initiative {}", *setting.own_initiative);
  if (setting.back_initiative) out += fmt::format(", other attacks {}", *setting.back_initiative);
  const bool joins = std::find(setting.course.begin(), setting.course.end(), Move::Beside) != setting.course.end();
  if (setting.by_ally || setting.beside || setting.docked || joins) {
    std::map<std::string, int> held = setting.by_ally ? setting.own : std::map<std::string, int>();
    for (const auto& [token, n] : setting.ally) held[token] = n;
    const std::string tokens = tokens_words(held);
    out += fmt::format("; another ship of the {}'s side", setting.attacks ? "attacker" : "defender");
    if (setting.ally_size != "small") out += ", " + setting.ally_size;
    if (!tokens.empty()) out += fmt::format(", {}", tokens);
    if (setting.by_ally && !setting.pilot.empty()) out += ", pilot " + setting.pilot;
    if (setting.by_ally && !setting.helper.empty()) out += ", with " + setting.helper;
    if (setting.by_ally) out += fmt::format(", with {}", card.id);
    if (setting.docked) out += ", docked with the attacker";
  }
  out += course_words(setting);
  if (setting.hull) out += fmt::format("; every ship has hull {}, shields {}", *setting.hull, *setting.shields);
  if (setting.objective != "damage") out += "; objective " + setting.objective;
  if (setting.damage_deck != "none")
    out += fmt::format("; damage deck {}, without which what it says about damage cards does nothing",
                       setting.damage_deck);
  return out;
}

}  // namespace salvo::library
