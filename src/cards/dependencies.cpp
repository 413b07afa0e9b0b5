#include "cards/dependencies.h"

#include <algorithm>

#include "compile/expression.h"

namespace salvo::cards {

namespace {

void add_expression(const std::string& text, Dependencies& out) {
  if (text.empty()) return;
  for (const std::string& name : compile::names_read(text)) {
    out.names.insert(name);
    out.beside = out.beside || name.starts_with("ally.");
    if (name.find(".has.") != std::string::npos) continue;  // no token
    const std::string last = name.substr(name.rfind('.') + 1);
    if (name.starts_with("self.")) out.own_tokens.insert(last);
    if (name.starts_with("spent.")) out.own_tokens.insert(last);
    if (name.starts_with("foe.")) out.foe_tokens.insert(last);
    if (name.starts_with("ally.") || (name.starts_with("allies.") && last != "ships")) out.ally_tokens.insert(last);
    if (name.starts_with("friend.")) out.own_tokens.insert(last);
    if (name.starts_with("enemy.")) out.enemy_tokens.insert(last);
    if (name == "friends.lock") out.ally_tokens.insert("lock");
    out.beside = out.beside || name.starts_with("allies.") || name == "friends.lock";
    out.enemy = out.enemy || name.starts_with("enemy.");
    out.docked = out.docked || name.ends_with(".carrier");
    out.health = out.health || name.ends_with(".shields") || name.ends_with(".hull") || name.ends_with(".suffered") ||
                 name.ends_with(".suffered.crit") || name.ends_with(".damage") || name.ends_with(".lost.shields") ||
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

/// The set of tokens for a ship that the card names.
std::set<std::string>& tokens_of(const std::string& who, Dependencies& out) {
  if (who == "enemy") return out.enemy_tokens;
  return who == "foe" ? out.foe_tokens : who == "ally" ? out.ally_tokens : out.own_tokens;
}

void add_costs(const std::vector<load::CostSpec>& costs, Dependencies& out) {
  for (const load::CostSpec& cost : costs) {
    tokens_of(cost.who, out).insert(cost.token);
    out.beside = out.beside || cost.who == "ally";
    out.enemy = out.enemy || cost.who == "enemy";
    out.health = out.health || cost.token == "shield";
  }
}

void add_operations(const std::vector<load::OperationSpec>& operations, Dependencies& out) {
  for (const load::OperationSpec& operation : operations) {
    add_expression(operation.amount, out);
    out.beside = out.beside || operation.who == "ally";
    out.enemy = out.enemy || operation.who == "enemy";
    if (operation.verb == load::Verb::Lend) out.own_tokens.insert(operation.token);
    if (operation.verb == load::Verb::Lend) out.own_tokens.insert(operation.source.begin(), operation.source.end());
    if (operation.verb == load::Verb::Lose) tokens_of(operation.who, out).insert(operation.token);
    if (operation.verb == load::Verb::Gain)
      (operation.who == "foe" ? out.foe_gains : out.own_gains).insert(operation.token);
    out.bonus = out.bonus || operation.verb == load::Verb::Bonus;
    out.crits = out.crits || operation.to == "crit";
    out.cards = out.cards || operation.verb == load::Verb::Expose || operation.verb == load::Verb::Deal ||
                operation.verb == load::Verb::Repair || operation.verb == load::Verb::Pick;
    out.waive = out.waive || operation.verb == load::Verb::Waive;
    out.health = out.health || operation.verb == load::Verb::Damage || operation.verb == load::Verb::Prevent ||
                 operation.token == "shield";
    out.stat = out.stat || operation.verb == load::Verb::Stat;
    out.order = out.order || (operation.verb == load::Verb::Treat && operation.fact == "initiative");
    out.defense_stat = out.defense_stat || (operation.verb == load::Verb::Stat && operation.stat != "attack");
  }
}

/// Whether conditions read damage cards.
bool asks_for_cards(const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.starts_with("drawn.") || name.find(".dealt.") != std::string::npos || name.ends_with(".faceup") ||
           name.ends_with(".facedown");
  });
}

}  // namespace

Dependencies dependencies_of(const load::CardSpec& card) {
  Dependencies out;
  for (const load::EffectSpec& effect : card.effects) {
    out.sides.insert(effect.side);
    add_expression(effect.when, out);
    add_expression(effect.times, out);
    if (effect.each) add_expression(effect.each->fact(), out);
    add_costs(effect.cost, out);
    add_operations(effect.operations, out);
    out.self = out.self || effect.whose != "ally";
    out.ally = out.ally || effect.whose != "self";
    for (const load::OfferSpec& offer : effect.offers) {
      add_expression(offer.when, out);
      add_costs(offer.cost, out);
      add_operations(offer.operations, out);
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
    add_costs(card.weapon->cost, out);
  }
  return out;
}

bool reads_initiative(const Dependencies& dependencies) {
  return std::any_of(dependencies.names.begin(), dependencies.names.end(),
                     [](const std::string& name) { return name.ends_with(".initiative"); });
}

bool wants_pilots(const Dependencies& dependencies) {
  return dependencies.own_gains.contains("force") || reads_initiative(dependencies);
}

}  // namespace salvo::cards
