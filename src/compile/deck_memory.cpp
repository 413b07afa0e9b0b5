// Which damage cards each draw distinguishes, and which counts of them a position holds.
// Unseen cards are exchangeable: which of them lie facedown on ships does not affect the next draw. So only cards dealt
// faceup need counts.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/index.h"
#include "compile/compile_parts.h"
#include "compile/ships.h"
#include "game/plan_resources.h"

namespace salvo::compile {
namespace {

constexpr int kMergedKinds = -1;  // Resource::token of the count of all merged kinds

/// The merged kind of a card: of its trait if `by_trait`, else of all cards.
int merged_kind(const load::DeckSpec& deck, int card, bool by_trait) {
  return kMergedKinds - (by_trait ? trait_number(deck, base::nth(deck.cards, card).trait) : 0);
}

/// Whether later attacks of a battle may distinguish the card from others of its trait.
bool apart_in_battles(const load::DeckSpec& deck, int card) {
  return !base::nth(deck.cards, card).card.effects.empty();
}

/// Whether effects before the attack's Damage step damage the victim or expose its cards.
bool cards_before_damage(const game::AttackPlan& attack, std::size_t victim) {
  for (const game::Step& step : attack.steps) {
    if (step.kind == game::Step::Kind::Damage) break;
    for (const int e : step.effects) {
      for (const game::Operation& operation : base::nth(attack.effects, e).operations) {
        if (deals_cards(operation) && operation.victim == victim) return true;
      }
    }
  }
  return false;
}

bool exposes(const game::AttackPlan& attack, int ship) {
  return any_operation(attack, [&](const game::Operation& operation) {
    return operation.kind == game::Operation::Kind::Expose && attack.victim(operation.victim) == ship;
  });
}

bool asks_trait(const game::Effect& effect) {
  return std::any_of(effect.when.begin(), effect.when.end(),
                     [](const game::ExpressionOp& op) { return op.code == Code::Trait; });
}

/// Whether something in the attack reads the trait of a card dealt to the victim.
bool asks_trait(const game::AttackPlan& attack, const game::DealPlan& deal) {
  return std::any_of(deal.kinds.begin(), deal.kinds.end(),
                     [&](const game::DrawKind& kind) { return kind.sets != deal.kinds.front().sets; }) ||
         std::any_of(attack.effects.begin(), attack.effects.end(),
                     [](const game::Effect& effect) { return asks_trait(effect); });
}

/// The deck of one side. Works backward from the last attack, collecting the kinds that a draw must distinguish.
/// One class although it is long: all of it decides what to remember of the same deck.
class Side {
 public:
  Side(Draft& draft, bool mine) : draft_(draft), plan_(draft.out.plan), mine_(mine) {
    if (draft.lifetime != Lifetime::Battle) return;
    // Later attacks of the battle may distinguish all cards with effects, and the traits of the others.
    by_trait_ = true;
    for (std::size_t c = 0; c < draft.deck->cards.size(); ++c) {
      if (apart_in_battles(*draft.deck, static_cast<int>(c))) apart_.insert(static_cast<int>(c));
    }
  }

  void settle() {
    for (std::size_t k = plan_.attacks.size(); k-- > 0;) finalize_attack(k);
    for (const ShipDraft& ship : draft_.ships) {
      if (*ship.mine == mine_) see(ship.known);
    }
  }

 private:
  /// Counts the cards of a ship that are known from before the scenario.
  void see(const std::vector<int>& known) {
    for (std::size_t c = 0; c < known.size(); ++c) {
      const auto card = static_cast<int>(c);
      const auto count = seen_.find(apart_.contains(card) ? card : group(card, by_trait_));
      if (count != seen_.end()) base::nth(plan_.resources, count->second).initial += known[c];
    }
  }

  bool concerned(const game::AttackPlan& attack, std::size_t victim) const {
    const int ship = attack.victim(victim);
    return ship >= 0 && !attack.deals.empty() && !attack.deals[victim].kinds.empty() &&
           base::nth(plan_.ships, ship).mine == mine_;
  }

  /// Whether something reads the count `card` of faceup cards: in attack k once the victim can have one, or later.
  bool needed(std::size_t k, std::size_t victim, int card) const {
    if (card < 0 || draft_.lifetime == Lifetime::Battle) return card >= 0;
    const game::AttackPlan& attack = plan_.attacks[k];
    const bool afterwards = victim == game::kDefender && !attack.engagement && !cards_before_damage(attack, victim);
    const bool now = afterwards ? reads_after_damage(attack, attack.deals[victim], card) : attack_reads(attack, card);
    const auto later = std::span(plan_.attacks).subspan(k + 1);
    return now || std::any_of(later.begin(), later.end(),
                              [&](const game::AttackPlan& other) { return attack_reads(other, card); });
  }

  void finalize_attack(std::size_t k) {
    game::AttackPlan& attack = plan_.attacks[k];
    const std::set<int> after = apart_;
    const bool trait_after = by_trait_;
    bool deals = false;
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (!concerned(attack, v)) continue;
      deals = true;
      by_trait_ = by_trait_ || asks_trait(attack, attack.deals[v]);
      for (game::DrawKind& kind : attack.deals[v].kinds) {
        if (!needed(k, v, kind.faceup)) kind.faceup = -1;
        make_dynamic(kind.faceup);
        if (kind.faceup >= 0 || !kind.effects.empty()) apart_.insert(kind.kind);
      }
    }
    finalize_counts(k, after);
    if (!deals) return;
    if (!after.empty() || trait_after) merge_seen(attack, after, trait_after);
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (!concerned(attack, v)) continue;
      merge_kinds(attack.deals[v]);
      settle_pick(k, v);
      settle_reveal(k, v);
    }
  }

  /// Adapts the options of a step that picks a card, one for each card of the deck, to the kinds of the draw.
  /// `when(kind)`: the condition under which the kind can be picked; empty: never.
  template <typename When>
  void settle_options(std::size_t k, const game::DealPlan& deal, int step, const When& when) {
    game::AttackPlan& attack = plan_.attacks[k];
    std::vector<int>& options = base::nth(attack.steps, step).effects;
    std::vector<int> kept, kinds;
    for (std::size_t i = 0; i < deal.kinds.size(); ++i) {
      const game::DrawKind& kind = deal.kinds[i];
      game::Expression condition = when(kind);
      if (condition.empty()) continue;
      const auto option = std::find_if(options.begin(), options.end(), [&](int e) {
        const int card = base::nth(attack.effects, e).operations.front().to;
        return (apart_.contains(card) ? card : group(card, by_trait_)) == kind.kind;
      });
      base::nth(attack.effects, *option).when = std::move(condition);
      kept.push_back(*option);
      kinds.push_back(static_cast<int>(i));
      std::string& label = base::nth(draft_.out.labels.effects[k], *option);
      if (kind.kind < 0) label = label.substr(0, label.find(':')) + ":another card";
    }
    for (std::size_t i = 0; i < kept.size(); ++i) base::nth(attack.effects, kept[i]).operations.front().to = kinds[i];
    options = std::move(kept);
  }

  /// If nothing distinguishes the cards, no player needs to pick one.
  void settle_pick(std::size_t k, std::size_t victim) {
    game::DealPlan& deal = plan_.attacks[k].deals[victim];
    if (deal.pick < 0) return;
    if (deal.kinds.size() == 1) {
      deal.draws = 1;
      deal.pick = -1;
      return;
    }
    for (game::DrawKind& kind : deal.kinds) kind.drawn = drawn(plan_.attacks[k].victim(victim), kind.kind, deal.draws);
    settle_options(k, deal, deal.pick, [](const game::DrawKind& kind) {
      return game::Expression{{Code::Resource, kind.drawn}};
    });
  }

  void settle_reveal(std::size_t k, std::size_t victim) {
    const game::DealPlan& deal = plan_.attacks[k].deals[victim];
    if (deal.reveal < 0) return;
    bool merged = false;
    settle_options(k, deal, deal.reveal, [&](const game::DrawKind& kind) {
      if (kind.facedown >= 0) return game::Expression{{Code::Resource, kind.facedown}};
      if (deal.others < 0 || std::exchange(merged, true)) return game::Expression();  // nothing exposes a card
      return game::Expression{{Code::Resource, deal.others}};
    });
  }

  /// The resource that counts cards of a kind drawn for a pick.
  int drawn(int ship, int kind, int most) {
    const auto [at, fresh] = drawn_.try_emplace({ship, kind}, -1);
    if (fresh) {
      at->second = add_resource(
          draft_, {.kind = game::Resource::Kind::Drawn, .ship = ship, .token = kind, .max = most, .dynamic = true},
          "drawn");
    }
    return at->second;
  }

  /// Merges the counts of seen cards of kinds that are not distinguished after this attack.
  void merge_seen(game::AttackPlan& attack, const std::set<int>& after, bool trait_after) {
    for (const int kind : apart_) {
      if (!after.contains(kind)) attack.merged_after.emplace_back(seen(kind), seen(group(kind, trait_after)));
    }
    if (!by_trait_ || trait_after) return;
    for (int trait = 1; trait <= static_cast<int>(draft_.deck->traits.size()); ++trait)
      attack.merged_after.emplace_back(seen(kMergedKinds - trait), seen(kMergedKinds));
  }

  int group(int card, bool by_trait) const { return merged_kind(*draft_.deck, card, by_trait); }

  void make_dynamic(int resource) {
    if (resource >= 0) base::nth(plan_.resources, resource).dynamic = true;
  }

  /// Whether attack k or a later one exposes a card of the ship, or reads one of its counts of this kind.
  bool counts_needed(std::size_t k, int ship, game::Resource::Kind kind) const {
    std::vector<int> counts;
    for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
      if (plan_.resources[r].kind == kind && plan_.resources[r].ship == ship) counts.push_back(static_cast<int>(r));
    }
    if (counts.empty() || draft_.lifetime == Lifetime::Battle) return !counts.empty();
    const auto rest = std::span(plan_.attacks).subspan(k);
    return std::any_of(rest.begin(), rest.end(), [&](const game::AttackPlan& attack) {
      return (kind == game::Resource::Kind::Facedown && exposes(attack, ship)) ||
             std::any_of(counts.begin(), counts.end(), [&](int count) { return attack_reads(attack, count); });
    });
  }

  /// Drops counts of faceup and facedown cards that nothing reads, and counts of merged kinds.
  void finalize_counts(std::size_t k, const std::set<int>& after) {
    game::AttackPlan& attack = plan_.attacks[k];
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (!concerned(attack, v)) continue;
      const int ship = attack.victim(v);
      game::DealPlan& deal = attack.deals[v];
      if (!counts_needed(k, ship, game::Resource::Kind::Faceup)) deal.faceup = -1;
      const bool facedown = counts_needed(k, ship, game::Resource::Kind::Facedown);
      if (!facedown) deal.facedown = deal.others = -1;
      for (game::DrawKind& kind : deal.kinds) {
        if (!facedown || !apart_.contains(kind.kind)) kind.facedown = -1;
        make_dynamic(kind.facedown);
      }
      for (const int count : {deal.faceup, deal.facedown, deal.others}) make_dynamic(count);
    }
    for (game::Effect& effect : attack.effects) {
      for (game::Operation& operation : effect.operations) finalize_flip(k, operation.cards);
    }
    for (game::CardCounts& cards : attack.flipped_after) finalize_flip(k, cards);
    merge_facedown(k, after);
  }

  void finalize_flip(std::size_t k, game::CardCounts& cards) {
    const int any = std::max({cards.kind, cards.faceup, cards.facedown});
    if (any < 0 || base::nth(plan_.ships, resource(any).ship).mine != mine_) return;
    const int ship = resource(any).ship;
    if (!counts_needed(k, ship, game::Resource::Kind::Faceup)) cards.faceup = -1;
    if (!counts_needed(k, ship, game::Resource::Kind::Facedown)) cards.facedown = -1;
    if (cards.facedown >= 0 && !apart_.contains(resource(cards.facedown).token))
      cards.facedown = draft_.find_resource(game::Resource::Kind::Facedown, ship, game::Resource::kOthers);
    make_dynamic(cards.faceup);
    make_dynamic(cards.facedown);
  }

  /// Merges the counts of facedown cards of kinds that are not distinguished after attack k.
  void merge_facedown(std::size_t k, const std::set<int>& after) {
    for (std::size_t s = 0; s < plan_.ships.size(); ++s) {
      const int ship = static_cast<int>(s);
      if (plan_.ships[s].mine != mine_ || !counts_needed(k + 1, ship, game::Resource::Kind::Facedown)) continue;
      const int others = draft_.find_resource(game::Resource::Kind::Facedown, ship, game::Resource::kOthers);
      for (const int kind : apart_) {
        const int known = draft_.find_resource(game::Resource::Kind::Facedown, ship, kind);
        if (after.contains(kind) || known < 0) continue;
        make_dynamic(known);
        make_dynamic(others);
        plan_.attacks[k].merged_after.emplace_back(known, others);
      }
    }
  }

  const game::Resource& resource(int index) const { return base::nth(plan_.resources, index); }

  /// Merges the kinds that need no distinction, by trait if traits are read. Merged kinds come last.
  void merge_kinds(game::DealPlan& deal) {
    std::vector<game::DrawKind> kinds;
    std::map<int, game::DrawKind> others;  // by merged kind
    for (game::DrawKind& kind : deal.kinds) {
      if (apart_.contains(kind.kind)) {
        kind.seen = seen(kind.kind);
        kinds.push_back(std::move(kind));
      } else {
        const int seen_as = group(kind.kind, by_trait_);
        game::DrawKind& merged = others[-seen_as];
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

  /// The resource that counts the cards of a kind seen by this side.
  int seen(int kind) {
    const auto known = seen_.find(kind);
    if (known != seen_.end()) return known->second;
    const load::DeckSpec& deck = *draft_.deck;
    const int most = kind < 0 ? deck.size() : base::nth(deck.cards, kind).copies;
    const auto ship = std::find_if(plan_.ships.begin(), plan_.ships.end(),
                                   [&](const game::ShipPlan& candidate) { return candidate.mine == mine_; });
    const int index = add_resource(draft_,
                                   {.kind = game::Resource::Kind::Seen,
                                    .ship = static_cast<int>(ship - plan_.ships.begin()),
                                    .token = kind,
                                    .max = most,
                                    .dynamic = true},
                                   "seen");
    return seen_[kind] = index;
  }

  Draft& draft_;
  game::Plan& plan_;
  bool mine_;
  std::set<int> apart_;                       ///< kinds distinguished by this attack or a later one
  bool by_trait_ = false;                     ///< this attack or a later one distinguishes traits
  std::map<int, int> seen_;                   ///< resource by kind
  std::map<std::pair<int, int>, int> drawn_;  ///< resource by ship and kind
};

/// Without a damage deck only the faceup cards that the scenario states are counted.
void finalize_stated(game::Plan& plan) {
  const auto count_faceup = [&](game::CardCounts& cards) {
    cards.facedown = -1;
    if (cards.faceup >= 0) base::nth(plan.resources, cards.faceup).dynamic = true;
  };
  for (game::AttackPlan& attack : plan.attacks) {
    for (game::Effect& effect : attack.effects) {
      for (game::Operation& operation : effect.operations) count_faceup(operation.cards);
    }
    std::for_each(attack.flipped_after.begin(), attack.flipped_after.end(), count_faceup);
  }
}

/// Whether an effect turns faceup cards of this kind facedown.
bool turns(const game::Plan& plan, int card) {
  return std::any_of(plan.attacks.begin(), plan.attacks.end(), [&](const game::AttackPlan& attack) {
    return std::any_of(attack.flipped_after.begin(), attack.flipped_after.end(),
                       [&](const game::CardCounts& lost) { return lost.kind == card; }) ||
           any_operation(attack, [&](const game::Operation& operation) {
             return operation.kind == game::Operation::Kind::Flip && operation.cards.kind == card;
           });
  });
}

}  // namespace

void finalize_deck(Draft& draft) {
  if (draft.deck == nullptr) return;
  game::Plan& plan = draft.out.plan;
  for (std::size_t r = 0; r < plan.resources.size(); ++r) {
    game::Resource& resource = plan.resources[r];
    if (resource.kind == game::Resource::Kind::Card)
      resource.dynamic = resource.initial > 0 && turns(plan, static_cast<int>(r));
  }
  if (!plan.damage_deck) return finalize_stated(plan);
  for (const bool mine : {true, false}) {
    Side(draft, mine).settle();
  }
}

int seen_kind(const load::DeckSpec& deck, int card) {
  return apart_in_battles(deck, card) ? card : merged_kind(deck, card, true);
}

}  // namespace salvo::compile
