// Settings: see settings.h.
#include "library/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "library/condition.h"

namespace salvo::library {

namespace {

constexpr std::size_t kMostDeviations = 3;
constexpr std::size_t kMostSettings = 3000;

using Change = std::function<void(Setting&)>;
/// Ways to differ from the plainest setting that exclude each other.
using Dimension = std::vector<Change>;

void mention_expression(const std::string& text, Mentions& out) {
  if (text.empty()) return;
  for (const std::string& name : names_read(text)) {
    out.names.insert(name);
    if (name.starts_with("self.")) out.own_tokens.insert(name.substr(5));
    if (name.starts_with("foe.")) out.foe_tokens.insert(name.substr(4));
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

bool is_token_name(const std::string& name) { return name != "size" && name != "agility" && name != "initiative"; }

/// Tokens given to one of the two ships.
Change give(bool own, std::map<std::string, int> tokens) {
  return [own, tokens](Setting& setting) {
    for (const auto& [token, n] : tokens) (own ? setting.own : setting.foe)[token] = n;
  };
}

Dimension token_dimension(bool own, const std::set<std::string>& mentioned) {
  Dimension out;
  std::map<std::string, int> all;
  for (const std::string& name : mentioned) {
    if (!is_token_name(name) || name == "charge") continue;
    const std::string token = token_of_state(name);
    all[token] = token == "tractor" || token == "ion" || token == "lock" || token == "cloak" ? 1 : 2;
  }
  // The attack of a disarmed or cloaked ship is not allowed; compile refuses those settings.
  if (!all.empty()) out.push_back(give(own, all));
  if (all.size() > 1) {
    for (const auto& [token, n] : all) out.push_back(give(own, {{token, n}}));
  }
  out.push_back([own](Setting& setting) { (own ? setting.own : setting.foe).clear(); });
  for (const auto& [token, n] : all) out.push_back(give(own, {{token, 1}}));
  out.push_back(give(own, {{"focus", 2}, {"evade", 1}}));
  out.push_back(give(own, {{"lock", 1}}));
  out.push_back(give(own, {{"calculate", 1}, {"force", 1}}));
  out.push_back(give(own, {{"stress", 1}}));
  for (const char* token : {"reinforce", "strain", "deplete", "tractor", "ion"}) out.push_back(give(own, {{token, 1}}));
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

Dimension size_dimension(bool own, const Mentions& mentions) {
  Dimension out;
  if (!has(mentions.names, own ? "self.size" : "foe.size")) return out;
  for (const char* size : {"medium", "large", "huge"}) {
    out.push_back([own, size](Setting& setting) { (own ? setting.own_size : setting.foe_size) = size; });
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

std::vector<Dimension> dimensions(const CardSpec& card, const Mentions& mentions,
                                  const std::vector<const CardSpec*>& weapons) {
  std::vector<Dimension> out;
  out.push_back(fact_dimension(card));
  out.push_back(token_dimension(true, mentions.own_tokens));
  out.push_back(token_dimension(false, mentions.foe_tokens));
  out.push_back(weapon_dimension(card, mentions, weapons));
  Dimension ranges;
  for (const int range : {1, 3, 0, 4}) ranges.push_back([range](Setting& setting) { setting.range = range; });
  out.push_back(ranges);
  out.push_back({[](Setting& setting) { setting.obstructed = true; }});
  out.push_back(size_dimension(true, mentions));
  out.push_back(size_dimension(false, mentions));
  out.push_back({[](Setting& setting) { setting.times = 2; }});
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
  return out;
}

void add_settings(const Setting& base, const std::vector<Dimension>& all, std::size_t from, std::size_t left,
                  std::vector<Setting>& out) {
  if (left == 0) {
    if (out.size() < kMostSettings) out.push_back(base);
    return;
  }
  for (std::size_t d = from; d < all.size() && out.size() < kMostSettings; ++d) {
    for (const Change& change : all[d]) {
      Setting setting = base;
      change(setting);
      ++setting.deviations;
      add_settings(setting, all, d + 1, left - 1, out);
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

Mentions mentions_of(const CardSpec& card) {
  Mentions out;
  const auto tokens = [&out](const std::string& who) -> std::set<std::string>& {
    return who == "foe" ? out.foe_tokens : out.own_tokens;
  };
  for (const EffectSpec& effect : card.effects) {
    out.sides.insert(effect.side);
    mention_expression(effect.when, out);
    mention_expression(effect.times, out);
    for (const CostSpec& cost : effect.cost) tokens(cost.who).insert(cost.token);
    out.ally = out.ally || effect.whose == "ally";
    out.bonus = out.bonus || std::any_of(effect.operations.begin(), effect.operations.end(),
                                         [](const OperationSpec& operation) { return operation.verb == Verb::Bonus; });
    for (const OfferSpec& offer : effect.offers) {
      mention_expression(offer.when, out);
      for (const CostSpec& cost : offer.cost) tokens(cost.who).insert(cost.token);
    }
    for (const OperationSpec& operation : effect.operations) {
      mention_expression(operation.amount, out);
      if (operation.verb == Verb::Lose) tokens(operation.who).insert(operation.token);
      out.stat = out.stat || operation.verb == Verb::Stat;
      out.defense_stat = out.defense_stat || (operation.verb == Verb::Stat && operation.stat != "attack");
    }
  }
  if (card.weapon) {
    out.sides.insert("attacker");
    for (const std::string& token : card.weapon->requires_tokens) out.own_tokens.insert(token);
    for (const CostSpec& cost : card.weapon->cost) tokens(cost.who).insert(cost.token);
  }
  return out;
}

std::vector<Setting> settings_for(const CardSpec& card, const Mentions& mentions,
                                  const std::vector<const CardSpec*>& weapons) {
  const std::vector<Dimension> all = dimensions(card, mentions, weapons);
  std::vector<Setting> out;
  for (std::size_t deviations = 0; deviations <= kMostDeviations; ++deviations) {
    for (const bool attacks : {!mentions.defense_stat, mentions.defense_stat}) {
      const bool wanted = mentions.sides.contains("any") || mentions.sides.contains(attacks ? "attacker" : "defender");
      if (!wanted) continue;
      Setting base;
      base.attacks = attacks;
      base.real_ships = mentions.stat;
      base.by_ally = mentions.ally && !card.weapon;
      if (mentions.stat) base.objective = "kill";
      if (attacks && card.weapon) {
        base.own_weapon = true;
        base.range = std::clamp(base.range, card.weapon->min_range, card.weapon->max_range);
        for (const std::string& token : card.weapon->requires_tokens) base.own[token] = 1;
        for (const CostSpec& cost : card.weapon->cost) {
          if (cost.token != "charge") base.own[cost.token] = std::max(base.own[cost.token], cost.n);
        }
      }
      add_settings(base, all, 0, deviations, out);
      if (base.own_weapon && deviations > 0) {  // other effects of the card may need the primary weapon
        base.own_weapon = false;
        add_settings(base, all, 0, deviations - 1, out);
      }
    }
  }
  return out;
}

Scenario scenario_of(const Setting& setting, const CardSpec& card, bool with, const std::string& rules,
                     const std::string& card_set, const std::string& ship_of_arc) {
  Scenario out;
  out.rules = rules;
  out.cards = card_set;
  out.objective = setting.objective;
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
  ScenarioShip& own = setting.attacks ? attacker : defender;
  ScenarioShip& foe = setting.attacks ? defender : attacker;
  if (setting.own_size != "small") own.size = setting.own_size;
  if (setting.foe_size != "small") foe.size = setting.foe_size;
  const auto fill = [](ScenarioShip& ship, const std::map<std::string, int>& tokens, const char* other) {
    for (const auto& [token, n] : tokens) {
      if (token == "lock" && n > 0) ship.locks.emplace_back(other);
      if (token != "lock" && n > 0) ship.tokens[token] = n;
    }
  };
  fill(own, setting.own, setting.attacks ? "d" : "a1");
  fill(foe, setting.foe, setting.attacks ? "a1" : "d");
  if (setting.by_ally) {
    ScenarioShip ally;
    ally.side = setting.attacks ? "mine" : "theirs";
    ally.attack = 2;
    ally.agility = 2;
    for (const auto& [token, n] : setting.own) {
      if (token != "lock" && n > 0) ally.tokens[token] = n;
      if (token == "lock" && n > 0) ally.locks.emplace_back(setting.attacks ? "d" : "a1");
    }
    if (with) ally.upgrades.push_back(card.id);
    out.ships["b"] = std::move(ally);
  } else if (with) {
    own.upgrades.push_back(card.id);
  }
  ScenarioAttack attack;
  attack.by = "a1";
  attack.on = "d";
  attack.range = setting.range;
  attack.obstructed = setting.obstructed;
  if (!setting.arc.empty() && !setting.first_weapon) attack.weapon = "primary:" + setting.arc;
  if (!setting.weapon.empty()) {
    attack.weapon = setting.weapon;
    attacker.upgrades.push_back(setting.weapon);
  } else if (with && setting.own_weapon) {
    attack.weapon = card.id;
  }
  for (const auto& [fact, holds] : setting.facts) attack.facts.push_back(holds ? fact : "not " + fact);
  attack.initiative = setting.own_initiative;
  out.ships["a1"] = std::move(attacker);
  out.ships["d"] = std::move(defender);
  out.attacks.assign(static_cast<std::size_t>(setting.times), attack);
  return out;
}

std::string words_of(const Setting& setting, const CardSpec& card) {
  const auto ship = [&](bool own) {
    const bool attacks = own == setting.attacks;
    std::string out;
    if (attacks) {
      out = !setting.arc.empty()
                ? fmt::format("a ship with a {}{} weapon", setting.first_weapon ? "front and a " : "", setting.arc)
            : setting.real_ships ? "a T-65 X-wing"
                                 : fmt::format("{} attack dice", setting.attack_dice);
    } else {
      out = setting.real_ships ? "a TIE/ln fighter" : fmt::format("agility {}", setting.agility);
    }
    const std::string tokens = tokens_words(own ? setting.own : setting.foe);
    if (!tokens.empty()) out += ", " + tokens;
    const std::string& size = own ? setting.own_size : setting.foe_size;
    if (size != "small") out += ", " + size;
    if (attacks && !setting.weapon.empty()) out += ", shooting with " + setting.weapon;
    if (own && setting.by_ally) return out;
    if (own) out += fmt::format(", {}", setting.own_weapon ? "shooting with " + card.id : "with " + card.id);
    return out;
  };
  std::string out =
      fmt::format("attacker: {}; defender: {}; range {}", ship(setting.attacks), ship(!setting.attacks), setting.range);
  if (setting.by_ally)
    out += fmt::format("; another ship of the {}'s side with {}", setting.attacks ? "attacker" : "defender", card.id);
  if (setting.obstructed) out += ", obstructed";
  for (const auto& [fact, holds] : setting.facts) out += fmt::format(", {}{}", holds ? "" : "not ", fact);
  if (setting.own_initiative) out += fmt::format(", initiative {}", *setting.own_initiative);
  if (setting.times > 1) out += fmt::format("; {} attacks", setting.times);
  if (setting.objective != "damage") out += "; objective " + setting.objective;
  return out;
}

}  // namespace salvo::library
