// Damage decks: which ships use one, what its cards do in an attack, and what of the cards a position has to remember.
// Source: 000: Damage, Damage_Cards; 002: Damage. Draws from what is left of a deck are exchangeable: facedown cards,
// which nobody has seen, change nothing about the next card, so only cards that were dealt faceup are counted.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "rules/attack_draft.h"
#include "rules/play.h"

namespace salvo::rules {
namespace {

constexpr int kAllMerged = -1;  // Resource::token of the count of all cards that nothing tells apart

/// Whether the card does something while it lies faceup, not only when it is dealt.
bool lasts(const CardSpec& card) {
  return std::any_of(card.effects.begin(), card.effects.end(),
                     [](const EffectSpec& effect) { return effect.at != Window::Dealt; });
}

bool reads(const Expression& expression, int resource) {
  return std::any_of(expression.begin(), expression.end(), [&](const ExpressionOp& op) {
    return op.code == ExpressionOp::Code::Resource && op.value == resource;
  });
}

bool reads(const Effect& effect, int resource) {
  return reads(effect.when, resource) || reads(effect.times, resource) ||
         std::any_of(effect.operations.begin(), effect.operations.end(),
                     [&](const Operation& operation) { return reads(operation.amount, resource); });
}

bool reads(const AttackPlan& attack, int resource) {
  return reads(attack.prevented, resource) ||
         std::any_of(attack.effects.begin(), attack.effects.end(),
                     [&](const Effect& effect) { return reads(effect, resource); }) ||
         std::any_of(attack.deals.begin(), attack.deals.end(),
                     [&](const DealPlan& deal) { return reads(deal.hits_are_crits, resource); });
}

/// Whether something reads the resource once the defender has suffered the attack's damage, or while it does.
bool reads_after_damage(const AttackPlan& attack, const DealPlan& deal, int resource) {
  const auto in = [&](const std::vector<int>& effects) {
    return std::any_of(effects.begin(), effects.end(),
                       [&](int effect) { return reads(attack.effects[static_cast<std::size_t>(effect)], resource); });
  };
  if (reads(deal.hits_are_crits, resource) || in(deal.after_crit)) return true;
  if (std::any_of(deal.kinds.begin(), deal.kinds.end(), [&](const DrawKind& kind) { return in(kind.effects); }))
    return true;
  const auto damage = std::find_if(attack.steps.begin(), attack.steps.end(),
                                   [](const Step& step) { return step.kind == Step::Kind::Damage; });
  return std::any_of(damage, attack.steps.end(), [&](const Step& step) { return in(step.effects); });
}

bool damages(const AttackPlan& attack, std::size_t victim) {
  if (victim == kDefender && !attack.engagement) return true;
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& operation) {
      return operation.kind == Operation::Kind::Damage && operation.victim == victim;
    });
  });
}

bool converts(const EffectSpec& effect) {
  return std::any_of(effect.operations.begin(), effect.operations.end(),
                     [](const OperationSpec& operation) { return operation.verb == Verb::Convert; });
}

std::vector<int> effects_of(const AttackDraft& attack, Window window, int ship, int card) {
  const auto at = attack.of_damage.find({window, ship, card});
  return at == attack.of_damage.end() ? std::vector<int>() : at->second;
}

DealPlan deal_to(const AttackDraft& attack, int ship) {
  const auto& cards = attack.draft.deck->cards;
  DealPlan out;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const auto card = static_cast<int>(c);
    out.kinds.push_back({.cards = cards[c].copies,
                         .faceup = attack.draft.find_resource(Resource::Kind::Card, ship, card),
                         .effects = effects_of(attack, Window::Dealt, ship, card),
                         .kind = card});
    const std::vector<int> after = effects_of(attack, Window::CritSuffered, ship, card);
    out.after_crit.insert(out.after_crit.end(), after.begin(), after.end());
  }
  if (out.after_crit.size() > kMostAfterCrit)
    throw LoadError(fmt::format("damage deck '{}': more than {} effects after a critical damage", attack.draft.deck->id,
                                kMostAfterCrit));
  const auto found = attack.hits_are_crits.find(ship);
  if (found != attack.hits_are_crits.end()) out.hits_are_crits = found->second;
  return out;
}

// ---------------------------------------------------------------- what a position has to remember

/// The cards of one side's deck, from the last attack to the first: which of them a draw has to tell apart.
class Side {
 public:
  Side(Draft& draft, bool mine) : draft_(draft), plan_(draft.out.plan), mine_(mine) {}

  void settle() {
    for (std::size_t k = plan_.attacks.size(); k-- > 0;) settle_attack(k);
  }

 private:
  bool concerned(const AttackPlan& attack, std::size_t victim) const {
    const int ship = attack.victim(victim);
    return ship >= 0 && !attack.deals.empty() && !attack.deals[victim].kinds.empty() &&
           plan_.ships[static_cast<std::size_t>(ship)].mine == mine_;
  }

  /// Whether something in attack k, once the victim has the card, or in a later one reads its faceup cards.
  bool needed(std::size_t k, std::size_t victim, int card) const {
    if (card < 0) return false;
    const AttackPlan& attack = plan_.attacks[k];
    const bool now = victim == kDefender && !attack.engagement ? reads_after_damage(attack, attack.deals[victim], card)
                                                               : reads(attack, card);
    return now || std::any_of(plan_.attacks.begin() + static_cast<std::ptrdiff_t>(k) + 1, plan_.attacks.end(),
                              [&](const AttackPlan& later) { return reads(later, card); });
  }

  void settle_attack(std::size_t k) {
    AttackPlan& attack = plan_.attacks[k];
    const std::set<int> after = apart_;
    bool deals = false;
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (!concerned(attack, v)) continue;
      deals = true;
      for (DrawKind& kind : attack.deals[v].kinds) {
        if (!needed(k, v, kind.faceup)) kind.faceup = -1;
        if (kind.faceup >= 0) plan_.resources[static_cast<std::size_t>(kind.faceup)].dynamic = true;
        if (kind.faceup >= 0 || !kind.effects.empty()) apart_.insert(kind.kind);
      }
    }
    if (!deals) return;
    for (const int kind : apart_) {
      if (!after.empty() && !after.contains(kind)) attack.merged_after.emplace_back(seen(kind), seen(kAllMerged));
    }
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (concerned(attack, v)) tell_apart(attack.deals[v]);
    }
  }

  /// Merges the cards that nothing tells apart; they come last.
  void tell_apart(DealPlan& deal) {
    std::vector<DrawKind> kinds;
    DrawKind others;
    for (DrawKind& kind : deal.kinds) {
      if (apart_.contains(kind.kind)) {
        kind.seen = seen(kind.kind);
        kinds.push_back(std::move(kind));
      } else {
        others.cards += kind.cards;
      }
    }
    if (!kinds.empty() && others.cards > 0) others.seen = seen(kAllMerged);
    if (others.cards > 0) kinds.push_back(std::move(others));
    deal.kinds = std::move(kinds);
  }

  /// The resource that counts faceup cards of a kind dealt to this side.
  int seen(int kind) {
    const auto known = seen_.find(kind);
    if (known != seen_.end()) return known->second;
    const DeckSpec& deck = *draft_.deck;
    const int most = kind == kAllMerged ? deck.size() : deck.cards[static_cast<std::size_t>(kind)].copies;
    const auto ship = std::find_if(plan_.ships.begin(), plan_.ships.end(),
                                   [&](const ShipPlan& candidate) { return candidate.mine == mine_; });
    const int index = add_resource(draft_,
                                   {.kind = Resource::Kind::Seen,
                                    .ship = static_cast<int>(ship - plan_.ships.begin()),
                                    .token = kind,
                                    .max = most,
                                    .dynamic = true},
                                   "seen");
    return seen_[kind] = index;
  }

  Draft& draft_;
  Plan& plan_;
  bool mine_;
  std::set<int> apart_;      ///< kinds that this attack or a later one tells apart
  std::map<int, int> seen_;  ///< resources by kind
};

// ---------------------------------------------------------------- an empty deck

/// The most damage that an attack does to a victim, without what damage cards do.
int most_damage(const AttackPlan& attack, std::size_t victim, const std::set<int>& of_deck) {
  int out = victim == kDefender && !attack.engagement ? most_dice(attack, true) : 0;
  for (std::size_t e = 0; e < attack.effects.size(); ++e) {
    if (of_deck.contains(static_cast<int>(e))) continue;
    for (const Operation& operation : attack.effects[e].operations) {
      if (operation.kind != Operation::Kind::Damage || operation.victim != victim) continue;
      out += (operation.amount.empty() ? operation.n : kMaxPool) * (attack.effects[e].times.empty() ? 1 : kMaxPool);
    }
  }
  return out;
}

/// The most damage cards that a ship can be dealt, without what damage cards do. A destroyed ship is gone after the
/// attacks of its group.
int most_cards(const Draft& draft, int ship) {
  const Plan& plan = draft.out.plan;
  const ShipPlan& target = plan.ships[static_cast<std::size_t>(ship)];
  int all = 0, group = 0, largest = 0;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    const AttackPlan& attack = plan.attacks[k];
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (attack.victim(v) == ship) group += most_damage(attack, v, draft.deck_effects[k]);
    }
    const auto& removed = attack.removed_after;
    if (k + 1 < plan.attacks.size() && std::find(removed.begin(), removed.end(), ship) == removed.end()) continue;
    all += group;
    largest = std::max(largest, std::exchange(group, 0));
  }
  const int dealt = std::max(0, all - target.shields);
  return plan.objective == Objective::Damage ? dealt : std::min(dealt, target.hull - 1 + largest);
}

/// The most damage that one use of an effect of a damage card does, with `copies` of it.
int most_of_card(const EffectSpec& effect, int copies) {
  int rolled = copies;
  int out = 0;
  for (const OperationSpec& operation : effect.operations) {
    if (operation.verb == Verb::Roll) rolled = operation.amount.empty() ? operation.n : copies;
    if (operation.verb == Verb::Damage) out += operation.amount.empty() ? operation.n : rolled;
  }
  return out;
}

/// The most damage that the damage cards of one side do in all. A card that is dealt or turned facedown does it once.
int most_from_deck(const Draft& draft) {
  int out = 0;
  for (const DamageCardSpec& card : draft.deck->cards) {
    for (const EffectSpec& effect : card.card.effects) {
      const bool flips = std::any_of(effect.operations.begin(), effect.operations.end(),
                                     [](const OperationSpec& operation) { return operation.verb == Verb::Flip; });
      const bool once = effect.at == Window::Dealt || flips;
      const int uses = effect.at == Window::Engage ? static_cast<int>(draft.ships.size())
                                                   : card.copies * static_cast<int>(draft.attacks.size());
      out += most_of_card(effect, card.copies) * (once ? card.copies : uses);
    }
  }
  return out;
}

/// 000: Damage_Cards: cards of destroyed ships and facedown cards make a new deck when it is empty. That is not played.
void refuse_empty_deck(const Draft& draft) {
  for (const bool mine : {true, false}) {
    int most = 0;
    for (std::size_t s = 0; s < draft.ships.size(); ++s) {
      if (draft.ships[s].dealt_cards && draft.out.plan.ships[s].mine == mine)
        most += most_cards(draft, static_cast<int>(s));
    }
    if (most > 0) most += most_from_deck(draft);
    if (most <= draft.deck->size()) continue;
    throw ScenarioError("damage_deck",
                        fmt::format("up to {} damage cards could be dealt to {} side, and the deck '{}' has {}; make "
                                    "the scenario shorter, or write damage_deck = \"none\"",
                                    most, mine ? "my" : "their", draft.deck->id, draft.deck->size()));
  }
}

}  // namespace

bool at_damage(const EffectSpec& effect) { return effect.at == Window::Dealt || effect.at == Window::CritSuffered; }

bool may_have_cards(const Draft& draft, int ship, std::size_t number) {
  const ShipDraft& target = draft.ships[static_cast<std::size_t>(ship)];
  if (!target.dealt_cards) return false;
  for (std::size_t k = 0; k <= number && k < draft.attacks.size(); ++k) {
    if (!draft.attacks[k].engagement && draft.attacks[k].given.on == target.name) return true;
  }
  // Critical damage of other cards; hit damage becomes critical only for a ship that has a faceup card.
  return std::any_of(draft.ships.begin(), draft.ships.end(), [](const ShipDraft& owner) {
    return std::any_of(owner.cards.begin(), owner.cards.end(), [](const CardSpec* card) {
      return std::any_of(card->effects.begin(), card->effects.end(), [](const EffectSpec& effect) {
        return std::any_of(effect.operations.begin(), effect.operations.end(),
                           [](const OperationSpec& operation) { return operation.crit; });
      });
    });
  });
}

void use_deck(Draft& draft) {
  const Scenario& scenario = draft.scenario;
  if (scenario.damage_deck == "none") return;
  draft.deck = draft.catalogue.deck(scenario.damage_deck, draft.edition.id);
  if (draft.deck == nullptr) {
    std::vector<std::string> known = draft.catalogue.deck_ids(draft.edition.id);
    known.emplace_back("none");
    throw ScenarioError("damage_deck",
                        unknown(fmt::format("damage deck of {}", draft.edition.id), scenario.damage_deck, known));
  }
  Labels& labels = draft.out.labels;
  labels.damage_deck = draft.deck->id;
  draft.out.plan.damage_deck = true;
  for (const std::string& text : draft.deck->partly)
    labels.partly.push_back(fmt::format("damage deck {}: {}", draft.deck->id, text));
  const auto& sizes = draft.deck->sizes;
  for (ShipDraft& ship : draft.ships) {
    ship.dealt_cards = sizes.empty() || std::find(sizes.begin(), sizes.end(), ship.size) != sizes.end();
    if (!ship.dealt_cards)
      labels.partly.push_back(
          fmt::format("damage deck {}: a {} ship such as '{}' has another deck; what its damage cards do is left out",
                      draft.deck->id, ship.size, ship.name));
    ship.dealt_cards = ship.dealt_cards && ship.hull > 0;
  }
}

void add_damage_cards(Draft& draft, int index) {
  const ShipPlan& ship = draft.out.plan.ships[static_cast<std::size_t>(index)];
  if (!draft.ships[static_cast<std::size_t>(index)].dealt_cards || !(ship.attacked || ship.effect_damage)) return;
  const auto& cards = draft.deck->cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    if (!lasts(cards[c].card)) continue;
    add_resource(draft,
                 {.kind = Resource::Kind::Card, .ship = index, .token = static_cast<int>(c), .max = cards[c].copies},
                 "card:" + cards[c].card.id);
  }
}

std::vector<Owner> damage_cards(const AttackDraft& attack) {
  std::vector<Owner> out;
  for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
    const ShipDraft& ship = attack.draft.ships[s];
    if (!ship.dealt_cards) continue;
    const auto& cards = attack.draft.deck->cards;
    for (std::size_t c = 0; c < cards.size(); ++c) {
      out.push_back({.attacks = ship.mine == attack.ship(attack.plan.attacker).mine,
                     .ship = static_cast<int>(s),
                     .card = &cards[c].card,
                     .card_number = kDeckCard + static_cast<int>(c)});
    }
  }
  return out;
}

void add_deals(AttackDraft& attack) {
  if (attack.draft.deck == nullptr) return;
  AttackPlan& plan = attack.plan;
  plan.deals.resize(kVictims);
  for (bool changed = true; changed;) {  // a card dealt to one ship may damage another
    changed = false;
    for (std::size_t v = 0; v < kVictims; ++v) {
      const int ship = plan.victim(v);
      if (ship < 0 || !plan.deals[v].kinds.empty() || !attack.ship(ship).dealt_cards || !damages(plan, v)) continue;
      for (const Owner& owner : damage_cards(attack)) {
        if (owner.ship != ship) continue;
        for (const EffectSpec& effect : owner.card->effects) {
          if (at_damage(effect)) add_effect(attack, effect, owner);
          if (ship != plan.attacker && ship != plan.defender && converts(effect))
            collect_standing(attack, effect, owner);
        }
      }
      plan.deals[v] = deal_to(attack, ship);
      changed = true;
    }
  }
}

void settle_deck(Draft& draft) {
  if (draft.deck == nullptr) return;
  refuse_empty_deck(draft);
  Plan& plan = draft.out.plan;
  for (Resource& resource : plan.resources) {
    if (resource.kind == Resource::Kind::Card) resource.dynamic = false;
  }
  for (const bool mine : {true, false}) {
    Side(draft, mine).settle();
  }
}

}  // namespace salvo::rules
