// What of the damage cards a position has to remember: which cards each draw has to tell apart, and which counts.
// Draws from what is left of a deck are exchangeable: facedown cards, which nobody has seen, change nothing about the
// next card, so only cards that were dealt faceup are counted.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/index.h"
#include "rules/compile_parts.h"
#include "rules/damage.h"

namespace salvo::rules {
namespace {

constexpr int kAllMerged = -1;  // Resource::token of the count of all cards that nothing tells apart

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

}  // namespace

bool attack_reads(const AttackPlan& attack, int resource) {
  return reads(attack.prevented, resource) ||
         std::any_of(attack.effects.begin(), attack.effects.end(),
                     [&](const Effect& effect) { return reads(effect, resource); }) ||
         std::any_of(attack.deals.begin(), attack.deals.end(),
                     [&](const DealPlan& deal) { return reads(deal.hits_are_crits, resource); });
}

bool reads_after_damage(const AttackPlan& attack, const DealPlan& deal, int resource) {
  const auto in = [&](const std::vector<int>& effects) {
    return std::any_of(effects.begin(), effects.end(),
                       [&](int effect) { return reads(nth(attack.effects, effect), resource); });
  };
  if (reads(deal.hits_are_crits, resource) || in(deal.after_crit)) return true;
  if (std::any_of(deal.kinds.begin(), deal.kinds.end(), [&](const DrawKind& kind) { return in(kind.effects); }))
    return true;
  const auto damage = std::find_if(attack.steps.begin(), attack.steps.end(),
                                   [](const Step& step) { return step.kind == Step::Kind::Damage; });
  return std::any_of(damage, attack.steps.end(), [&](const Step& step) { return in(step.effects); });
}

namespace {

/// Whether effects of steps before the attack's damage damage the victim or expose its cards.
bool cards_before_damage(const AttackPlan& attack, std::size_t victim) {
  for (const Step& step : attack.steps) {
    if (step.kind == Step::Kind::Damage) break;
    for (const int e : step.effects) {
      for (const Operation& operation : nth(attack.effects, e).operations) {
        const bool deals = operation.kind == Operation::Kind::Damage || operation.kind == Operation::Kind::Expose;
        if (deals && operation.victim == victim) return true;
      }
    }
  }
  return false;
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

/// The cards of one side's deck, from the last attack to the first: which of them a draw has to tell apart.
class Side {
 public:
  Side(Draft& draft, bool mine) : draft_(draft), plan_(draft.out.plan), mine_(mine) {
    if (draft.lasts != Lasts::Battle) return;
    // What comes after the scenario may tell apart all cards that do something, and the traits of the others.
    by_trait_ = true;
    for (std::size_t c = 0; c < draft.deck->cards.size(); ++c) {
      if (!draft.deck->cards[c].card.effects.empty()) apart_.insert(static_cast<int>(c));
    }
  }

  void settle() {
    for (std::size_t k = plan_.attacks.size(); k-- > 0;) settle_attack(k);
  }

 private:
  bool concerned(const AttackPlan& attack, std::size_t victim) const {
    const int ship = attack.victim(victim);
    return ship >= 0 && !attack.deals.empty() && !attack.deals[victim].kinds.empty() &&
           nth(plan_.ships, ship).mine == mine_;
  }

  /// Whether something in attack k, once the victim has the card, or in a later one reads its faceup cards.
  bool needed(std::size_t k, std::size_t victim, int card) const {
    if (card < 0 || draft_.lasts == Lasts::Battle) return card >= 0;
    const AttackPlan& attack = plan_.attacks[k];
    const bool afterwards = victim == kDefender && !attack.engagement && !cards_before_damage(attack, victim);
    const bool now = afterwards ? reads_after_damage(attack, attack.deals[victim], card) : attack_reads(attack, card);
    return now || std::any_of(plan_.attacks.begin() + static_cast<std::ptrdiff_t>(k) + 1, plan_.attacks.end(),
                              [&](const AttackPlan& later) { return attack_reads(later, card); });
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
    const auto at = std::find(traits.begin(), traits.end(), nth(draft_.deck->cards, card).trait);
    return by_trait && at != traits.end() ? kAllMerged - 1 - static_cast<int>(at - traits.begin()) : kAllMerged;
  }

  void make_dynamic(int resource) {
    if (resource >= 0) nth(plan_.resources, resource).dynamic = true;
  }

  /// Whether attack k or a later one exposes a card of the ship, or reads one of its counts of `kind`.
  bool counts_needed(std::size_t k, int ship, Resource::Kind kind) const {
    std::vector<int> counts;
    for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
      if (plan_.resources[r].kind == kind && plan_.resources[r].ship == ship) counts.push_back(static_cast<int>(r));
    }
    if (counts.empty() || draft_.lasts == Lasts::Battle) return !counts.empty();
    return std::any_of(
        plan_.attacks.begin() + static_cast<std::ptrdiff_t>(k), plan_.attacks.end(), [&](const AttackPlan& attack) {
          return (kind == Resource::Kind::Facedown && exposes(attack, ship)) ||
                 std::any_of(counts.begin(), counts.end(), [&](int count) { return attack_reads(attack, count); });
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
    if (any < 0 || nth(plan_.ships, resource(any).ship).mine != mine_) return;
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

  const Resource& resource(int index) const { return nth(plan_.resources, index); }

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
    const int most = kind < 0 ? deck.size() : nth(deck.cards, kind).copies;
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

}  // namespace

void settle_deck(Draft& draft) {
  if (draft.deck == nullptr) return;
  Plan& plan = draft.out.plan;
  for (Resource& resource : plan.resources) {
    if (resource.kind == Resource::Kind::Card) resource.dynamic = false;
  }
  for (const bool mine : {true, false}) {
    Side(draft, mine).settle();
  }
}

}  // namespace salvo::rules
