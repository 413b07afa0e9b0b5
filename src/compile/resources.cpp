// Creates the resources of a plan (tokens, locks, charges, health, flags) with an upper bound of each.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "base/index.h"
#include "compile/compile_parts.h"
#include "compile/effects.h"
#include "compile/ships.h"

namespace salvo::compile {

using game::Resource;
using game::SpendRank;
using load::Verb;

int add_resource(Draft& draft, Resource resource, std::string label) {
  draft.out.plan.resources.push_back(resource);
  draft.out.labels.resources.push_back({.name = std::move(label),
                                        .ship = resource.ship,
                                        .is_token = resource.kind == Resource::Kind::Token ||
                                                    resource.kind == Resource::Kind::Lock ||
                                                    resource.kind == Resource::Kind::Charge});
  return static_cast<int>(draft.out.plan.resources.size()) - 1;
}

namespace {

SpendRank rank_of(std::string_view token) {
  if (token == "calculate") return SpendRank::Calculate;
  if (token == "focus") return SpendRank::Focus;
  if (token == "evade") return SpendRank::Evade;
  if (token == "force") return SpendRank::Force;
  return SpendRank::None;
}

/// Visits every operation of every card in the scenario, including offers, with its effect and the index of its ship.
template <typename Visit>
void each_card_operation(const Draft& draft, const Visit& visit) {
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    for (const load::CardSpec* card : draft.ships[s].cards) {
      for (const load::EffectSpec& effect : card->effects)
        each_operation(effect, [&](const load::OperationSpec& operation) { visit(s, effect, operation); });
    }
  }
}

/// Whether an operation of a card of ship `owner` can affect ship `index`.
bool concerns(const Draft& draft, std::size_t owner, const load::OperationSpec& operation, std::size_t index) {
  const bool opposed = draft.ships[owner].mine != draft.ships[index].mine;
  if (operation.who == "foe" || operation.who == "enemy") return opposed;
  return operation.who == "self" ? owner == index : !opposed;
}

constexpr int kMaxAtOnce = 6;  // bound for amounts given by expressions

/// How often effects of dealt cards can apply once more because the card is exposed.
int resolved_again(const Draft& draft) {
  int out = 0;
  for (const ShipDraft& ship : draft.ships) out += ship.exposures;
  return out;
}

/// Upper bound of a token that damage cards give ship `index`.
int max_gain_from_deck(const Draft& draft, std::size_t index, const std::string& token) {
  int most = 0;
  if (draft.deck == nullptr) return most;
  for (const load::DamageCardSpec& card : draft.deck->cards) {
    for (const load::EffectSpec& effect : card.card.effects) {
      const bool once = effect.at == load::Window::Dealt || effect.at == load::Window::Engage;
      const int times =
          once ? card.copies + resolved_again(draft) : card.copies * static_cast<int>(draft.attacks.size());
      for (const load::OperationSpec& operation : effect.operations) {
        if (operation.verb != Verb::Gain || operation.token != token) continue;
        for (std::size_t s = 0; s < draft.ships.size(); ++s) {
          if (has_damage_cards(draft.ships[s]) && concerns(draft, s, operation, index))
            most += times * (operation.amount.empty() ? operation.n : kMaxAtOnce);
        }
      }
    }
  }
  return most;
}

/// Upper bound of a token that effects give a ship in the whole scenario, beyond its start.
int max_gain(const Draft& draft, std::size_t index, const std::string& token) {
  if (!draft.gains) return 0;
  const auto attacks = static_cast<int>(draft.attacks.size());
  int most = max_gain_from_deck(draft, index, token);
  for (const auto& [s, operation] : draft.gain_operations) {
    if (operation->token == token && concerns(draft, s, *operation, index))
      most += attacks * (operation->amount.empty() ? operation->n : kMaxAtOnce);
  }
  return most;
}

bool loses_shield(const load::OperationSpec& operation) {
  return operation.verb == Verb::Lose && operation.token == "shield";
}

/// Whether effects of cards in the scenario can damage the ship or cost its shields.
bool effect_damage(const Draft& draft, std::size_t index) {
  bool out = false;
  each_card_operation(draft, [&](std::size_t s, const auto&, const load::OperationSpec& operation) {
    const bool damages = operation.verb == Verb::Damage || operation.verb == Verb::Expose || loses_shield(operation);
    out = out || (damages && concerns(draft, s, operation, index));
  });
  for (std::size_t c = 0; c < draft.ships[index].faceup.size(); ++c)
    out = out || (draft.ships[index].faceup[c] > 0 &&
                  has_operation(draft.deck->cards[c].card, [](const auto& o) { return o.verb == Verb::Damage; }));
  const auto& cards = draft.ships[index].cards;
  return out || std::any_of(cards.begin(), cards.end(),
                            [](const load::CardSpec* card) { return prepared(*card).costs_shield; });
}

/// Whether an effect reads a ship's remaining shields or hull.
bool reads_health(const Draft& draft) {
  return any_card(draft, &PreparedCard::reads_health) || any_card(draft, &PreparedCard::costs_shield) ||
         any_card(draft, &PreparedCard::loses_shield);
}

/// Adds the locks that rounds of the scenario or effects can give a ship; those of effects on any opposing ship.
void add_gained_locks(Draft& draft, int index) {
  ShipDraft& ship = base::nth(draft.ships, index);
  const auto add = [&](const auto& gains) {
    for (std::size_t s = 0; s < draft.ships.size(); ++s) {
      const int on = static_cast<int>(s);
      if (!gains(draft.ships[s]) || draft.find_resource(Resource::Kind::Lock, index, on) >= 0) continue;
      add_resource(draft, {.kind = Resource::Kind::Lock, .ship = index, .token = on, .max = 1, .rank = SpendRank::Lock},
                   "lock");
    }
  };
  add([&](const ShipDraft& other) { return gains_lock(draft, ship, other.name); });
  ship.gains_locks = max_gain(draft, static_cast<std::size_t>(index), "lock") > 0;
  if (!ship.gains_locks) return;
  add([&](const ShipDraft& other) { return other.mine != ship.mine; });
}

/// Charges that the card starts with; some lose charges during setup.
int initial_charges(const load::CardSpec& card) {
  const auto lost = card.tokens.find("charge");
  return std::max(0, card.charges + (lost == card.tokens.end() ? 0 : lost->second));
}

/// Force that the ship recovers in the End Phase: recurring symbols do not stack, the highest number counts (000:
/// Charges), and a card with 0 takes them all. A ship known only by its tokens has one symbol.
int force_recovered(const ShipDraft& ship) {
  std::optional<int> most;
  const auto symbols = [&](int n) { most = std::max(most.value_or(n), n); };
  if (ship.pilot != nullptr && ship.pilot->force > 0) symbols(ship.pilot->force_recover);
  for (const load::CardSpec* card : ship.cards) {
    if (!card->tokens.contains("force")) continue;
    if (card->force_recover == 0) return 0;
    symbols(card->force_recover);
  }
  return most.value_or(1);
}

/// Whether the ship has fewer charges of a token than its capacity, and End Phases in which it recovers them.
bool recovers_between_rounds(const Draft& draft, const ShipDraft& ship, std::size_t token) {
  const bool end_phases = draft.lifetime == Lifetime::Rounds || draft.scenario.rounds.size() > 1;
  return end_phases && recovers_charges(draft.edition, ship, token);
}

/// Adds the charges of the ship's cards and their uses per round.
void add_card_resources(Draft& draft, int index) {
  const ShipDraft& ship = base::nth(draft.ships, index);
  for (std::size_t c = 0; c < ship.cards.size(); ++c) {
    const load::CardSpec& card = *ship.cards[c];
    const auto number = static_cast<int>(c);
    if (card.charges > 0) {
      add_resource(draft,
                   {.kind = Resource::Kind::Charge,
                    .ship = index,
                    .token = number,
                    .initial = initial_charges(card),
                    .max = card.charges,
                    .end = {.recover = charges_recovered(ship, card)},
                    .charge = true,
                    .rank = SpendRank::Charge},
                   "charge:" + card.id);
    }
    if (!prepared(card).per_round) continue;
    for (const load::EffectSpec& effect : card.effects) {
      const int use = use_number(card, effect.use, number);
      if (!effect.once_per_round || draft.find_resource(Resource::Kind::Use, index, use) >= 0) continue;
      add_resource(
          draft,
          {.kind = Resource::Kind::Use, .ship = index, .token = use, .initial = 1, .max = 1, .end = {.renews = true}},
          "use:" + card.id + (effect.use.empty() ? "" : ":" + effect.use));
    }
  }
}

void add_ship_resources(Draft& draft, int index) {
  ShipDraft& ship = base::nth(draft.ships, index);
  const bool none_given = !draft.gains && draft.scenario.rounds.empty();
  for (std::size_t t = 0; t < draft.edition.tokens.size(); ++t) {
    ShipDraft::Tokens& has = ship.tokens[t];
    if (has.n <= 0 && has.own == 0 && none_given) continue;
    const load::TokenSpec& token = draft.edition.tokens[t];
    const int stated = max_stated(draft, ship, static_cast<int>(t));
    const bool recovers = recovers_between_rounds(draft, ship, t);
    if (stated == 0 && !draft.gains && !recovers) continue;
    int max = std::min(token.max, stated + max_gain(draft, static_cast<std::size_t>(index), token.id));
    // 000: Charges: a ship cannot have more Force charges than its capacity.
    if (token.charge) max = std::min(max, std::max(stated, has.own));
    if (recovers) max = std::max(max, std::min(has.own, token.max));
    if (max == 0) continue;
    ship.tokens_present |= need::token(t);
    has.resource = add_resource(draft,
                                {.kind = Resource::Kind::Token,
                                 .ship = index,
                                 .token = static_cast<int>(t),
                                 .initial = std::max(0, has.n),
                                 .max = max,
                                 .end = {.leaves = token.leaves, .recover = token_recovered(ship, token.id)},
                                 .charge = token.charge,
                                 .rank = rank_of(token.id)},
                                token.id);
    const auto threshold = token.threshold.find(ship.size);
    if (threshold == token.threshold.end()) continue;
    draft.out.labels.resources.back().state = token.state;
    draft.out.labels.resources.back().threshold = threshold->second;
  }
  for (const std::string& target : ship.given->locks) {
    const int on = draft.ship_index(target, "");
    add_resource(
        draft,
        {.kind = Resource::Kind::Lock, .ship = index, .token = on, .initial = 1, .max = 1, .rank = SpendRank::Lock},
        "lock");
  }
  add_gained_locks(draft, index);
  add_card_resources(draft, index);
}

/// Adds the health resources of a ship if the objective, the removal of destroyed ships or a card reads them. With a
/// damage deck, health also determines how many shields absorb damage before cards are dealt.
void add_health(Draft& draft, int index) {
  game::Plan& plan = draft.out.plan;
  game::ShipPlan& ship = base::nth(plan.ships, index);
  if (!ship.destructible || !(ship.attacked || ship.effect_damage)) return;
  ship.counted_hull = ship.hull;
  // Shields lost before the scenario recover as well, unless the objective counts recovered health: then at most what
  // was removed.
  const bool counts = plan.objective == game::Objective::Health || plan.objective == game::Objective::Exchange;
  const int lost_shields = counts ? 0 : base::nth(draft.ships, index).lost_shields;
  const bool shielded = ship.shields + lost_shields > 0;
  // Shields that are paid are no damage, so what is left does not follow from the damage.
  const bool pays = draft.lifetime == Lifetime::Round && any_card(draft, &PreparedCard::costs_shield);
  const bool parted_by_cards = shielded && (pays || any_card(draft, &PreparedCard::parts_health));
  if (plan.objective == game::Objective::Damage && !parted_by_cards && !reads_health(draft)) {
    if (!base::nth(draft.ships, index).dealt_cards || ship.shields == 0) return;
    ship.counted_hull = 0;
  }
  const bool parted = parted_by_cards || (shielded && draft.lifetime == Lifetime::Rounds && ship.shields_recover > 0);
  ship.health = static_cast<int>(plan.resources.size());
  const int full = ship.counted_hull + ship.shields + game::kHealthZero;
  const int most = full + (parted ? lost_shields : 0);
  add_resource(draft, {.kind = Resource::Kind::Health, .ship = index, .initial = full, .max = most, .dynamic = true},
               "health");
  if (!parted) return;
  const auto add_part = [&](Resource::Kind kind, int n, int max, const char* name) {
    return add_resource(draft, {.kind = kind, .ship = index, .initial = n, .max = max, .dynamic = true}, name);
  };
  const int hull_left = add_part(Resource::Kind::Hull, ship.hull, ship.hull, "hull");
  const int shields_left = add_part(Resource::Kind::Shields, ship.shields, ship.shields + lost_shields, "shields");
  ship.hull_left = hull_left;
  ship.shields_left = shields_left;
}

/// Adds the flags of attacks that follow others: granted bonus attacks, those left in the round, second attacks of two.
void add_attack_flags(Draft& draft) {
  bool last_bonus = false;
  each_card_operation(draft, [&](std::size_t, const auto&, const auto& operation) { last_bonus |= operation.last; });
  const auto add = [&](Resource::Kind kind, int ship, int token, int initial, int max, const std::string& label) {
    const bool per_round = kind == Resource::Kind::BonusUse || kind == Resource::Kind::MoreBonus;
    if (per_round && draft.find_resource(kind, ship) >= 0) return;
    add_resource(
        draft,
        {.kind = kind, .ship = ship, .token = token, .initial = initial, .max = max, .end = {.renews = per_round}},
        label);
  };
  for (std::size_t k = 0; k < draft.attacks.size(); ++k) {
    const SequenceEntry& entry = draft.attacks[k];
    const int ship = entry.by;
    const auto number = static_cast<int>(k);
    if (entry.twice == SequenceEntry::Twice::Second) {
      add(Resource::Kind::FirstOfTwo, ship, number, 0, 2, "second:" + entry.given.weapon);
      continue;
    }
    if (entry.choice > 0 && !entry.chooses)
      add(Resource::Kind::Granted, ship, number, 0, 1, "choice:" + entry.given.on);
    if (entry.given.bonus.empty()) continue;
    const auto most = draft.edition.bonus_attacks.find(base::nth(draft.ships, ship).size);
    if (most != draft.edition.bonus_attacks.end())
      add(Resource::Kind::BonusUse, ship, -1, most->second, most->second, "bonus");
    if (last_bonus) add(Resource::Kind::MoreBonus, ship, -1, 1, 1, "more");
    add(Resource::Kind::Granted, ship, number, 0, 1, "bonus:" + entry.given.bonus);
  }
}

/// Whether an effect gives a token only if a ship already had or gained one: after a gain, or as one of several
/// transfers to choose from.
bool feeds_on(const load::EffectSpec& effect, const std::string& token) {
  const bool transfers =
      !effect.choice.empty() && std::any_of(effect.cost.begin(), effect.cost.end(),
                                            [&token](const load::CostSpec& cost) { return cost.token == token; });
  const std::string gained = "gained." + token;
  return transfers || effect.when.find(gained) != std::string::npos ||
         (effect.each && effect.each->gained && effect.each->token == token);
}

/// Collects the operations that can give tokens. Ignores those that need a token nothing else gives, and counts options
/// that exclude each other once.
void find_gains(Draft& draft) {
  std::set<std::string> given{"lock"};
  for (const ShipDraft& ship : draft.ships) {
    for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
      if (max_stated(draft, ship, static_cast<int>(t)) > 0) given.insert(draft.edition.tokens[t].id);
    }
  }
  const auto each_gain = [&](const auto& visit) {
    each_card_operation(draft,
                        [&](std::size_t s, const load::EffectSpec& effect, const load::OperationSpec& operation) {
                          if (operation.verb == Verb::Gain)
                            visit(s, effect, operation, feeds_on(effect, operation.token));
                        });
  };
  each_gain([&](std::size_t, const auto&, const load::OperationSpec& operation, bool feeding) {
    if (!feeding) given.insert(operation.token);
  });
  std::set<std::tuple<std::size_t, std::string, std::string, std::string>> counted;
  each_gain([&](std::size_t s, const auto& effect, const load::OperationSpec& operation, bool feeding) {
    if (feeding && draft.deck == nullptr && !given.contains(operation.token)) return;
    const bool once = feeding && !effect.choice.empty() && operation.amount.empty();
    if (once && !counted.emplace(s, effect.choice, operation.token, operation.who).second) return;
    draft.gain_operations.emplace_back(s, &operation);
  });
}

/// How many entries of the sequence can have an effect of this window.
int entries_of(const Draft& draft, load::Window window) {
  if (!is_between_attacks(window)) return static_cast<int>(draft.attacks.size());
  return static_cast<int>(std::count_if(draft.attacks.begin(), draft.attacks.end(),
                                        [window](const SequenceEntry& entry) { return entry.engagement == window; }));
}

/// Fills ShipDraft::exposures.
void find_exposures(Draft& draft) {
  each_card_operation(draft, [&](std::size_t s, const load::EffectSpec& effect, const load::OperationSpec& operation) {
    if (operation.verb != Verb::Expose) return;
    for (std::size_t index = 0; index < draft.ships.size(); ++index) {
      if (concerns(draft, s, operation, index))
        draft.ships[index].exposures +=
            (operation.amount.empty() ? operation.n : base::kMaxExposures) * entries_of(draft, effect.at);
    }
  });
}

}  // namespace

std::vector<int> other_locks(const Draft& draft, int lock) {
  const auto& resources = draft.out.plan.resources;
  std::vector<int> out;
  for (std::size_t r = 0; r < resources.size(); ++r) {
    if (resources[r].kind == Resource::Kind::Lock && resources[r].ship == base::nth(resources, lock).ship &&
        static_cast<int>(r) != lock)
      out.push_back(static_cast<int>(r));
  }
  return out;
}

void displace_locks(const Draft& draft, std::size_t from, game::Operation& gain) {
  const auto& resources = draft.out.plan.resources;
  const int ship = base::nth(resources, gain.resource).ship;
  std::size_t most = 1;
  for (const load::CardSpec* card : base::nth(draft.ships, ship).cards)
    most = std::max(most, static_cast<std::size_t>(card->locks));
  std::vector<int> others = other_locks(draft, gain.resource);
  if (others.size() < most) return;
  const auto next_attack = [&](int lock) {
    const int on = base::nth(resources, lock).token;
    std::size_t k = from;
    while (k < draft.attacks.size() &&
           (draft.attacks[k].engagement || draft.attacks[k].by != ship || draft.attacks[k].on != on))
      ++k;
    return k;
  };
  if (most > 1)
    std::stable_sort(others.begin(), others.end(), [&](int a, int b) { return next_attack(a) > next_attack(b); });
  gain.displaces = std::move(others);
  gain.spares = static_cast<int>(most) - 1;
}

int charges_recovered(const ShipDraft& ship, const load::CardSpec& card) {
  const bool of_pilot = card.kind == "pilot" && ship.pilot != nullptr && ship.pilot->charges > 0;
  return of_pilot ? ship.pilot->charges_recover : card.charges_recover;
}

int token_recovered(const ShipDraft& ship, std::string_view token) {
  if (token == "force") return force_recovered(ship);
  // 000: Huge_Ships, Energy: symbols of upgrade cards do not count.
  return token == "energy" && ship.ship != nullptr ? ship.ship->energy_recover : 0;
}

bool recovers_charges(const load::Edition& edition, const ShipDraft& ship, std::size_t token) {
  const load::TokenSpec& spec = edition.tokens[token];
  const ShipDraft::Tokens& has = ship.tokens[token];
  return spec.charge && has.n != ShipDraft::Tokens::kUnset && has.n < std::min(has.own, spec.max) &&
         token_recovered(ship, spec.id) > 0;
}

int use_number(const load::CardSpec& card, std::string_view use, int card_number) {
  constexpr int kMaxCards = 1000;  // more than a ship has
  if (use.empty()) return card_number;
  const auto at = std::find_if(card.effects.begin(), card.effects.end(), [use](const auto& e) { return e.use == use; });
  return card_number + kMaxCards * (1 + static_cast<int>(at - card.effects.begin()));
}

void create_resources(Draft& draft) {
  game::Plan& plan = draft.out.plan;
  draft.gains = draft.deck != nullptr || any_card(draft, &PreparedCard::gains);
  if (draft.gains) find_gains(draft);
  find_exposures(draft);
  constexpr std::size_t kUsual = 4;  // expected resources per ship
  plan.ships.reserve(draft.ships.size());
  plan.resources.reserve(kUsual * draft.ships.size());
  draft.out.labels.resources.reserve(kUsual * draft.ships.size());
  for (const ShipDraft& ship : draft.ships) {
    plan.ships.push_back({.mine = *ship.mine,
                          .destructible = ship.hull > 0,
                          .hull = ship.hull,
                          .shields = ship.shields,
                          .shields_recover = ship.ship == nullptr ? 0 : ship.ship->shields_recover,
                          .most_shields = ship.shields + ship.lost_shields});
    if (ship.hull > 0) (*ship.mine ? plan.mine_total : plan.theirs_total) += ship.hull + ship.shields;
  }
  for (const SequenceEntry& entry : draft.attacks) {
    if (entry.engagement) continue;
    const ScenarioAttack& attack = entry.given;
    game::ShipPlan& defender = base::nth(plan.ships, entry.on);
    defender.attacked = true;
    if (plan.damage_deck && !defender.destructible) {
      throw ScenarioError(
          fmt::format("ships.{}.hull", attack.on),
          fmt::format("the damage deck needs the hull of '{}'; add hull = n or ship = \"...\"", attack.on));
    }
    if (plan.objective != game::Objective::Damage && !defender.destructible) {
      throw ScenarioError(fmt::format("ships.{}.hull", attack.on),
                          fmt::format("objective '{}' needs the hull of '{}'; add hull = n or ship = \"...\"",
                                      draft.scenario.objective, attack.on));
    }
  }
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    plan.ships[s].effect_damage = effect_damage(draft, s) || (plan.ships[s].attacked && draft.ships[s].dealt_cards);
  }
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    add_ship_resources(draft, static_cast<int>(s));
    add_health(draft, static_cast<int>(s));
    add_damage_cards(draft, static_cast<int>(s));
    add_card_counts(draft, static_cast<int>(s));
  }
  add_attack_flags(draft);
}

void label_unread_tokens(Draft& draft) {
  for (const ShipDraft& ship : draft.ships) {
    for (const auto& [token, n] : ship.given->tokens) {
      const int index = draft.token_index(token);
      if (n == 0 || index < 0 || base::nth(ship.tokens, index).read) continue;
      draft.out.labels.unread_tokens.push_back({ship.name, token, unread_token_note(ship.name, token)});
    }
  }
}

std::string unread_token_note(std::string_view ship, std::string_view token) {
  return fmt::format("{}: nothing in these attacks reads its {} token", ship, token);
}

}  // namespace salvo::compile
