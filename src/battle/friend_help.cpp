#include "battle/friend_help.h"

#include <algorithm>
#include <array>

#include "compile/ships.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

bool is_for_friends(const load::EffectSpec& effect) { return effect.whose != "self"; }

/// Whether the effect changes dice of a friend alone and costs nothing, so that the helper's own state does not matter.
bool is_free_help(const load::EffectSpec& effect) {
  using Verb = load::Verb;
  constexpr std::array kOfDice{Verb::Reroll, Verb::Change, Verb::Add, Verb::Pool, Verb::Cancel, Verb::Limit};
  constexpr std::array kOwn{"self.", "card.", "ally."};
  const bool own_state =
      std::any_of(kOwn.begin(), kOwn.end(), [&](const char* of) { return effect.when.find(of) != std::string::npos; });
  return effect.cost.empty() && !effect.once_per_round && !own_state &&
         std::all_of(effect.operations.begin(), effect.operations.end(), [&](const load::OperationSpec& one) {
           return std::find(kOfDice.begin(), kOfDice.end(), one.verb) != kOfDice.end();
         });
}

/// Whether help asks for no more of the board than that the ships are near each other.
bool asks_for_nearness(const load::CardSpec& card) {
  bool near = false;
  for (const auto& [name, usual] : card.facts) {
    const bool within = name.find("-friend-within-") != std::string::npos;
    if (usual && !within && name != "attacker-damaged") return false;
    near = near || within;
  }
  return near;
}

}  // namespace

std::optional<ScenarioShip> as_helper(const CardSource& from, const ScenarioShip& ship) {
  ScenarioShip out = ship;
  out.upgrades.clear();
  out.tokens.clear();
  out.locks.clear();
  bool helps = false, pilot_helps_at_a_price = false;
  for (const OwnedCard& owned : cards_of_ship(from, ship)) {
    const load::CardSpec* card = from.catalogue.card(owned.kind, owned.id, from.cards);
    if (card == nullptr) continue;
    const auto& effects = card->effects;
    if (std::none_of(effects.begin(), effects.end(), is_for_friends)) continue;
    const bool free = asks_for_nearness(*card) && std::all_of(effects.begin(), effects.end(), [](const auto& effect) {
                        return !is_for_friends(effect) || is_free_help(effect);
                      });
    if (owned.kind != "upgrade") {
      pilot_helps_at_a_price = pilot_helps_at_a_price || !free;
    } else if (free) {
      out.upgrades.push_back(owned.id);
    }
    helps = helps || free;
  }
  if (!helps || pilot_helps_at_a_price) return std::nullopt;
  const auto start = compile::look_up_ships(from.catalogue, from.edition, from.cards, {{study::kAttacker, out}});
  for (const auto& [token, n] : start[0].tokens) {
    if (n > 0) out.tokens[token] = 0;
  }
  return out;
}

int add_helper(const CardSource& from, std::vector<NamedShip>& side) {
  for (std::size_t s = 0; s < side.size() && side.size() > 1; ++s) {
    const std::optional<ScenarioShip> helper = as_helper(from, side[s].ship);
    if (!helper) continue;
    for (std::size_t o = 0; o < side.size(); ++o) {
      if (o != s) side[o].helper = helper;
    }
    return static_cast<int>(s);
  }
  return -1;
}

}  // namespace salvo::battle
