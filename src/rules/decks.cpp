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

bool has_verb(const EffectSpec& effect, Verb verb) {
  return std::any_of(effect.operations.begin(), effect.operations.end(),
                     [verb](const OperationSpec& operation) { return operation.verb == verb; });
}

bool flips(const CardSpec& card) {
  return std::any_of(card.effects.begin(), card.effects.end(),
                     [](const EffectSpec& effect) { return has_verb(effect, Verb::Flip); });
}

/// Whether a card of the ship can turn a damage card facedown that everybody has seen.
bool prevents_seen_cards(const ShipDraft& ship) {
  return std::any_of(ship.cards.begin(), ship.cards.end(), [](const CardSpec* card) {
    return std::any_of(card->effects.begin(), card->effects.end(), [](const EffectSpec& effect) {
      return effect.at == Window::CardSeen &&
             std::any_of(effect.operations.begin(), effect.operations.end(),
                         [](const OperationSpec& o) { return o.verb == Verb::Deal && !o.discard; });
    });
  });
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

/// Whether effects of steps before the attack's damage damage the victim or expose its cards.
bool cards_before_damage(const AttackPlan& attack, std::size_t victim) {
  for (const Step& step : attack.steps) {
    if (step.kind == Step::Kind::Damage) break;
    for (const int e : step.effects) {
      for (const Operation& operation : attack.effects[static_cast<std::size_t>(e)].operations) {
        const bool deals = operation.kind == Operation::Kind::Damage || operation.kind == Operation::Kind::Expose;
        if (deals && operation.victim == victim) return true;
      }
    }
  }
  return false;
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
      const bool deals = operation.kind == Operation::Kind::Damage || operation.kind == Operation::Kind::Expose;
      return deals && operation.victim == victim;
    });
  });
}

bool exposes(const AttackPlan& attack, int ship) {
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& operation) {
      return operation.kind == Operation::Kind::Expose && attack.victim(operation.victim) == ship;
    });
  });
}

bool asks_trait(const Effect& effect) {
  return std::any_of(effect.when.begin(), effect.when.end(),
                     [](const ExpressionOp& op) { return op.code == ExpressionOp::Code::Trait; });
}

/// Whether something in the attack depends on the trait of a card that is dealt to the victim.
bool asks_trait(const AttackPlan& attack, const DealPlan& deal) {
  return std::any_of(deal.kinds.begin(), deal.kinds.end(),
                     [&](const DrawKind& kind) { return kind.sets != deal.kinds.front().sets; }) ||
         std::any_of(attack.effects.begin(), attack.effects.end(),
                     [](const Effect& effect) { return asks_trait(effect); });
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
  const auto& traits = attack.draft.deck->traits;
  DealPlan out;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const auto card = static_cast<int>(c);
    const CardCounts counts = card_counts(attack.draft, ship, card);
    const auto trait = std::find(traits.begin(), traits.end(), cards[c].trait);
    out.kinds.push_back({.cards = cards[c].copies,
                         .faceup = counts.kind,
                         .effects = effects_of(attack, Window::Dealt, ship, card),
                         .kind = card,
                         .facedown = counts.facedown,
                         .trait = trait == traits.end() ? 0 : static_cast<int>(trait - traits.begin()) + 1});
    const std::vector<int> after = effects_of(attack, Window::CritSuffered, ship, card);
    out.after_crit.insert(out.after_crit.end(), after.begin(), after.end());
  }
  if (out.after_crit.size() > kMostAfterCrit)
    throw LoadError(fmt::format("damage deck '{}': more than {} effects after a critical damage", attack.draft.deck->id,
                                kMostAfterCrit));
  out.faceup = attack.draft.find_resource(Resource::Kind::Faceup, ship, -1);
  out.facedown = attack.draft.find_resource(Resource::Kind::Facedown, ship, Resource::kUnseen);
  out.others = attack.draft.find_resource(Resource::Kind::Facedown, ship, Resource::kOthers);
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
    const bool afterwards = victim == kDefender && !attack.engagement && !cards_before_damage(attack, victim);
    const bool now = afterwards ? reads_after_damage(attack, attack.deals[victim], card) : reads(attack, card);
    return now || std::any_of(plan_.attacks.begin() + static_cast<std::ptrdiff_t>(k) + 1, plan_.attacks.end(),
                              [&](const AttackPlan& later) { return reads(later, card); });
  }

  void settle_attack(std::size_t k) {
    AttackPlan& attack = plan_.attacks[k];
    const std::set<int> after = apart_;
    const bool trait_after = by_trait_;
    bool deals = false;
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (!concerned(attack, v)) continue;
      deals = true;
      by_trait_ = by_trait_ || asks_trait(attack, attack.deals[v]);
      for (DrawKind& kind : attack.deals[v].kinds) {
        if (!needed(k, v, kind.faceup)) kind.faceup = -1;
        make_dynamic(kind.faceup);
        if (kind.faceup >= 0 || !kind.effects.empty()) apart_.insert(kind.kind);
      }
    }
    settle_counts(k, after);
    if (!deals) return;
    if (!after.empty() || trait_after) merge_seen(attack, after, trait_after);
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (concerned(attack, v)) tell_apart(attack.deals[v]);
    }
  }

  /// Counts of seen cards that nothing tells apart after the attack.
  void merge_seen(AttackPlan& attack, const std::set<int>& after, bool trait_after) {
    for (const int kind : apart_) {
      if (!after.contains(kind)) attack.merged_after.emplace_back(seen(kind), seen(group(kind, trait_after)));
    }
    if (!by_trait_ || trait_after) return;
    for (int trait = 1; trait <= static_cast<int>(draft_.deck->traits.size()); ++trait)
      attack.merged_after.emplace_back(seen(kAllMerged - trait), seen(kAllMerged));
  }

  /// The count of all cards that are not told apart, or of those of the card's trait.
  int group(int card, bool by_trait) const {
    const auto& traits = draft_.deck->traits;
    const auto at = std::find(traits.begin(), traits.end(), draft_.deck->cards[static_cast<std::size_t>(card)].trait);
    return by_trait && at != traits.end() ? kAllMerged - 1 - static_cast<int>(at - traits.begin()) : kAllMerged;
  }

  void make_dynamic(int resource) {
    if (resource >= 0) plan_.resources[static_cast<std::size_t>(resource)].dynamic = true;
  }

  /// Whether attack k or a later one exposes a card of the ship, or reads one of its counts of `kind`.
  bool counts_needed(std::size_t k, int ship, Resource::Kind kind) const {
    std::vector<int> counts;
    for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
      if (plan_.resources[r].kind == kind && plan_.resources[r].ship == ship) counts.push_back(static_cast<int>(r));
    }
    if (counts.empty()) return false;
    return std::any_of(
        plan_.attacks.begin() + static_cast<std::ptrdiff_t>(k), plan_.attacks.end(), [&](const AttackPlan& attack) {
          return (kind == Resource::Kind::Facedown && exposes(attack, ship)) ||
                 std::any_of(counts.begin(), counts.end(), [&](int count) { return reads(attack, count); });
        });
  }

  /// Drops the counts of faceup and facedown cards that nothing reads any more, and those of kinds that nothing tells
  /// apart.
  void settle_counts(std::size_t k, const std::set<int>& after) {
    AttackPlan& attack = plan_.attacks[k];
    for (std::size_t v = 0; v < kVictims; ++v) {
      if (!concerned(attack, v)) continue;
      const int ship = attack.victim(v);
      DealPlan& deal = attack.deals[v];
      if (!counts_needed(k, ship, Resource::Kind::Faceup)) deal.faceup = -1;
      const bool facedown = counts_needed(k, ship, Resource::Kind::Facedown);
      if (!facedown) deal.facedown = deal.others = -1;
      for (DrawKind& kind : deal.kinds) {
        if (!facedown || !apart_.contains(kind.kind)) kind.facedown = -1;
        make_dynamic(kind.facedown);
      }
      for (const int count : {deal.faceup, deal.facedown, deal.others}) make_dynamic(count);
    }
    for (Effect& effect : attack.effects) {
      for (Operation& operation : effect.operations) settle_flip(k, operation.cards);
    }
    for (CardCounts& cards : attack.lost_after) settle_flip(k, cards);
    merge_facedown(k, after);
  }

  void settle_flip(std::size_t k, CardCounts& cards) {
    const int any = std::max({cards.kind, cards.faceup, cards.facedown});
    if (any < 0 || plan_.ships[static_cast<std::size_t>(resource(any).ship)].mine != mine_) return;
    const int ship = resource(any).ship;
    if (!counts_needed(k, ship, Resource::Kind::Faceup)) cards.faceup = -1;
    if (!counts_needed(k, ship, Resource::Kind::Facedown)) cards.facedown = -1;
    if (cards.facedown >= 0 && !apart_.contains(resource(cards.facedown).token))
      cards.facedown = draft_.find_resource(Resource::Kind::Facedown, ship, Resource::kOthers);
    make_dynamic(cards.faceup);
    make_dynamic(cards.facedown);
  }

  /// Facedown cards of kinds that nothing tells apart after attack k.
  void merge_facedown(std::size_t k, const std::set<int>& after) {
    for (std::size_t s = 0; s < plan_.ships.size(); ++s) {
      const int ship = static_cast<int>(s);
      if (plan_.ships[s].mine != mine_ || !counts_needed(k + 1, ship, Resource::Kind::Facedown)) continue;
      const int others = draft_.find_resource(Resource::Kind::Facedown, ship, Resource::kOthers);
      for (const int kind : apart_) {
        const int known = draft_.find_resource(Resource::Kind::Facedown, ship, kind);
        if (after.contains(kind) || known < 0) continue;
        make_dynamic(known);
        make_dynamic(others);
        plan_.attacks[k].merged_after.emplace_back(known, others);
      }
    }
  }

  const Resource& resource(int index) const { return plan_.resources[static_cast<std::size_t>(index)]; }

  /// Merges the cards that nothing tells apart, by trait where something asks for it; they come last.
  void tell_apart(DealPlan& deal) {
    std::vector<DrawKind> kinds;
    std::map<int, DrawKind> others;  // by the count of seen ones
    for (DrawKind& kind : deal.kinds) {
      if (apart_.contains(kind.kind)) {
        kind.seen = seen(kind.kind);
        kinds.push_back(std::move(kind));
      } else {
        const int seen_as = group(kind.kind, by_trait_);
        DrawKind& merged = others[-seen_as];
        merged.cards += kind.cards;
        merged.kind = seen_as;
        merged.sets = kind.sets;
        merged.trait = by_trait_ ? kind.trait : 0;
      }
    }
    const bool several = !kinds.empty() || others.size() > 1;
    for (auto& [number, kind] : others) {
      if (several) kind.seen = seen(kind.kind);
      kinds.push_back(std::move(kind));
    }
    deal.kinds = std::move(kinds);
  }

  /// The resource that counts cards of a kind that this side has seen.
  int seen(int kind) {
    const auto known = seen_.find(kind);
    if (known != seen_.end()) return known->second;
    const DeckSpec& deck = *draft_.deck;
    const int most = kind < 0 ? deck.size() : deck.cards[static_cast<std::size_t>(kind)].copies;
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
  bool by_trait_ = false;    ///< this attack or a later one tells the traits apart
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

/// The most damage that the damage cards of one side do in all. A card that is dealt or turned facedown does it once,
/// and again when it is exposed.
int most_from_deck(const Draft& draft) {
  int out = 0;
  int most_again = 0;
  for (const DamageCardSpec& card : draft.deck->cards) {
    for (const EffectSpec& effect : card.card.effects) {
      const bool once = effect.at == Window::Dealt || has_verb(effect, Verb::Flip);
      const int uses = effect.at == Window::Engage ? static_cast<int>(draft.ships.size())
                                                   : card.copies * static_cast<int>(draft.attacks.size());
      out += most_of_card(effect, card.copies) * (once ? card.copies : uses);
      if (once) most_again = std::max(most_again, most_of_card(effect, card.copies));
    }
  }
  for (std::size_t s = 0; s < draft.ships.size(); ++s) out += most_again * most_exposures(draft, s);
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
                           [](const OperationSpec& o) { return o.crit || o.verb == Verb::Expose; });
      });
    });
  });
}

CardCounts card_counts(const Draft& draft, int ship, int card) {
  return {.kind = draft.find_resource(Resource::Kind::Card, ship, card),
          .faceup = draft.find_resource(Resource::Kind::Faceup, ship, -1),
          .facedown = draft.find_resource(Resource::Kind::Facedown, ship, card)};
}

void note_dealt(AttackDraft& attack) {
  for (std::size_t v = 0; v < attack.plan.deals.size(); ++v) {
    const auto bit = [&](const std::string& what) {
      const auto at = attack.bits.find({attack.plan.victim(v), -1, "dealt." + what});
      return at == attack.bits.end() ? 0u : 1u << at->second;
    };
    for (DrawKind& kind : attack.plan.deals[v].kinds)
      kind.sets = bit("faceup") | bit(attack.draft.deck->cards[static_cast<std::size_t>(kind.kind)].trait);
  }
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

void add_card_counts(Draft& draft, int index) {
  const ShipDraft& ship = draft.ships[static_cast<std::size_t>(index)];
  if (!ship.dealt_cards) return;
  const auto add = [&](Resource::Kind kind, int token, int initial, int max, const char* label) {
    add_resource(draft, {.kind = kind, .ship = index, .token = token, .initial = initial, .max = max}, label);
  };
  if (mentions(draft, ".faceup")) add(Resource::Kind::Faceup, -1, 0, draft.deck->size(), "faceup");
  if (most_exposures(draft, static_cast<std::size_t>(index)) == 0 && !mentions(draft, ".facedown")) return;
  const int lost = std::min(ship.lost_hull, draft.deck->size());
  add(Resource::Kind::Facedown, Resource::kUnseen, lost, draft.deck->size(), "facedown");
  const bool any_kind = prevents_seen_cards(ship);
  bool known = any_kind;
  const auto& cards = draft.deck->cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    if (!any_kind && !flips(cards[c].card)) continue;
    add(Resource::Kind::Facedown, static_cast<int>(c), 0, cards[c].copies, "facedown");
    known = true;
  }
  if (known) add(Resource::Kind::Facedown, Resource::kOthers, 0, draft.deck->size(), "facedown");
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
