// Damage decks: the ships that use one, and the effects of its cards in an attack. Sources: 000: Damage, Damage_Cards;
// 002: Damage.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/index.h"
#include "base/name_key.h"
#include "compile/attack_draft.h"

namespace salvo::compile {
namespace {

/// Whether the card has an effect while it lies faceup, not only when it is dealt.
bool acts_while_faceup(const load::CardSpec& card) {
  return std::any_of(card.effects.begin(), card.effects.end(),
                     [](const load::EffectSpec& effect) { return effect.at != load::Window::Dealt; });
}

bool flips(const load::CardSpec& card) {
  return std::any_of(card.effects.begin(), card.effects.end(),
                     [](const load::EffectSpec& effect) { return has_verb(effect, load::Verb::Flip); });
}

/// Whether a card of the ship can deal a card facedown after it was seen.
bool prevents_seen_cards(const ShipDraft& ship) {
  return std::any_of(ship.cards.begin(), ship.cards.end(), [](const load::CardSpec* card) {
    return std::any_of(card->effects.begin(), card->effects.end(), [](const load::EffectSpec& effect) {
      return effect.at == load::Window::CardSeen &&
             std::any_of(effect.operations.begin(), effect.operations.end(),
                         [](const load::OperationSpec& o) { return o.verb == load::Verb::Deal && !o.discard; });
    });
  });
}

bool repairs(const load::OperationSpec& operation) { return operation.verb == load::Verb::Repair; }

/// Whether an operation of a card of the scenario satisfies the predicate.
template <typename Is>
bool some_operation(const Draft& draft, const Is& is) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [&](const ShipDraft& ship) {
    return std::any_of(ship.cards.begin(), ship.cards.end(),
                       [&](const load::CardSpec* card) { return has_operation(*card, is); });
  });
}

bool damages(const game::AttackPlan& attack, std::size_t victim) {
  if (victim == game::kDefender && !attack.engagement) return true;
  return any_operation(
      attack, [&](const game::Operation& operation) { return deals_cards(operation) && operation.victim == victim; });
}

/// Hull that a faceup card takes besides its own when it is dealt. Cards that turn facedown then took it as damage.
int more_hull(const load::CardSpec& card) {
  int out = 0;
  for (const load::EffectSpec& effect : card.effects) {
    for (const load::OperationSpec& operation : effect.operations) {
      if (effect.at == load::Window::Dealt && operation.verb == load::Verb::Damage && operation.amount.empty())
        out += operation.n;
    }
  }
  return out;
}

/// Whether the card turns facedown as soon as it is dealt.
bool turns_at_once(const load::CardSpec& card) {
  return std::any_of(card.effects.begin(), card.effects.end(), [](const load::EffectSpec& effect) {
    return effect.at == load::Window::Dealt && has_verb(effect, load::Verb::Flip);
  });
}

/// The index of a damage card by its id or name. Throws ScenarioError.
std::size_t card_index(const load::DeckSpec& deck, const std::string& text, const std::string& path) {
  std::vector<std::string> ids;
  for (const load::DamageCardSpec& card : deck.cards) {
    if (base::name_key(card.card.id) == base::name_key(text)) return ids.size();
    ids.push_back(card.card.id);
  }
  throw ScenarioError(path, unknown("damage card", text, ids) + fmt::format(" (deck {})", deck.id));
}

/// Places the damage cards that lie faceup on a ship before the scenario.
void place_faceup(Draft& draft, ShipDraft& ship) {
  const load::DeckSpec& deck = *draft.deck;
  Labels& labels = draft.out.labels;
  const std::string path = ship_path(ship, "faceup");
  if (!deck.sizes.empty() && !base::contains(deck.sizes, ship.size))
    throw ScenarioError(path, fmt::format("a {} ship has another damage deck than {}", ship.size, deck.id));
  ship.faceup.resize(deck.cards.size());
  ship.known.resize(deck.cards.size());
  for (const std::string& text : ship.given->faceup) {
    const std::size_t c = card_index(deck, text, path);
    const load::CardSpec& card = deck.cards[c].card;
    ++ship.known[c];
    if (!card.partly.empty() && !draft.out.plan.damage_deck)
      base::add_once(labels.partly, fmt::format("{}: {}", card.id, base::joined(card.partly, "; ")));
    ++ship.hull_of_cards;
    if (!turns_at_once(card)) {
      ++ship.faceup[c];
      ship.hull_of_cards += more_hull(card);
      lose_hull(ship, more_hull(card));
      continue;
    }
    labels.turned_facedown.push_back(
        fmt::format("{}: {} turns facedown once it is resolved, so it is a facedown card here", ship.name, card.id));
    labels.notes.push_back(labels.turned_facedown.back());
  }
  if (draft.scenario.damage_deck != kNoDeck) return;
  labels.notes.push_back(
      fmt::format("{}: its faceup damage cards act, but damage deals no cards, and none is exposed; "
                  "damage_deck = \"{}\" does both",
                  ship.name, deck.id));
}

/// Throws ScenarioError if the ships of a side have more copies of a card than its deck.
void check_copies(const Draft& draft, bool mine) {
  for (std::size_t c = 0; c < draft.deck->cards.size(); ++c) {
    int all = 0;
    for (const ShipDraft& ship : draft.ships) {
      if (ship.known.empty() || ship.mine != mine) continue;
      all += ship.known[c];
      const load::DamageCardSpec& card = draft.deck->cards[c];
      if (all > card.copies) {
        throw ScenarioError(ship_path(ship, "faceup"), fmt::format("{} copies of {} on one side; the deck {} has {}",
                                                                   all, card.card.id, draft.deck->id, card.copies));
      }
    }
  }
}

std::vector<int> damage_effects(const AttackDraft& attack, load::Window window, int ship, int card) {
  const auto at = attack.of_damage.find({window, ship, card});
  return at == attack.of_damage.end() ? std::vector<int>() : at->second;
}

game::DealPlan deal_to(const AttackDraft& attack, int ship) {
  const auto& cards = attack.draft.deck->cards;
  game::DealPlan out;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const auto card = static_cast<int>(c);
    const game::CardCounts counts = card_counts(attack.draft, ship, card);
    out.kinds.push_back({.cards = cards[c].copies,
                         .faceup = counts.kind,
                         .effects = damage_effects(attack, load::Window::Dealt, ship, card),
                         .kind = card,
                         .facedown = counts.facedown,
                         .trait = trait_number(*attack.draft.deck, cards[c].trait)});
    const std::vector<int> after = damage_effects(attack, load::Window::CritSuffered, ship, card);
    out.after_crit.insert(out.after_crit.end(), after.begin(), after.end());
  }
  if (out.after_crit.size() > game::kMaxAfterCrit)
    throw LoadError(fmt::format("damage deck '{}': more than {} effects after a critical damage", attack.draft.deck->id,
                                game::kMaxAfterCrit));
  out.faceup = attack.draft.find_resource(game::Resource::Kind::Faceup, ship, -1);
  out.facedown = attack.draft.find_resource(game::Resource::Kind::Facedown, ship, game::Resource::kUnseen);
  out.others = attack.draft.find_resource(game::Resource::Kind::Facedown, ship, game::Resource::kOthers);
  const auto found = attack.hits_are_crits.find(ship);
  if (found != attack.hits_are_crits.end()) out.hits_are_crits = found->second;
  return out;
}

}  // namespace

bool resolves_with_damage(const load::EffectSpec& effect) {
  return effect.at == load::Window::Dealt || effect.at == load::Window::CritSuffered;
}

bool can_have_faceup_cards(const Draft& draft, int ship, std::size_t number) {
  const ShipDraft& target = base::nth(draft.ships, ship);
  if (!target.faceup.empty()) return true;
  if (!target.dealt_cards) return false;
  if (draft.lifetime == Lifetime::Battle) return true;
  for (std::size_t k = 0; k <= number; ++k) {
    if (!draft.attacks[k].engagement && draft.attacks[k].given.on == target.name) return true;
  }
  // Otherwise only critical damage by other cards deals faceup cards. Hit damage becomes critical only for a ship that
  // already has one.
  return some_operation(draft, [](const auto& o) { return o.crit || o.verb == load::Verb::Expose; });
}

game::CardCounts card_counts(const Draft& draft, int ship, int card) {
  return {.kind = draft.find_resource(game::Resource::Kind::Card, ship, card),
          .faceup = draft.find_resource(game::Resource::Kind::Faceup, ship, -1),
          .facedown = draft.find_resource(game::Resource::Kind::Facedown, ship, card)};
}

void set_dealt_bits(AttackDraft& attack) {
  for (std::size_t v = 0; v < attack.plan.deals.size(); ++v) {
    const auto bit = [&](std::string_view what) {
      return attack.bits_of({.kind = UsedName::Kind::Dealt, .ship = attack.plan.victim(v), .id = what});
    };
    for (game::DrawKind& kind : attack.plan.deals[v].kinds)
      kind.sets = bit("faceup") | bit(base::nth(attack.draft.deck->cards, kind.kind).trait);
  }
}

void place_faceup_cards(Draft& draft) {
  for (ShipDraft& ship : draft.ships) {
    if (!ship.given->faceup.empty()) place_faceup(draft, ship);
    if (ship.facedown > ship.given->facedown)
      draft.out.labels.notes.push_back(
          fmt::format("{}: begins with {} from its setup; state its hull or damage cards if it has others", ship.name,
                      fmt::format("{} facedown damage card{}", ship.facedown, ship.facedown == 1 ? "" : "s")));
    const bool cards = !ship.given->faceup.empty() || ship.given->facedown > 0;
    if (cards && ship.shields > 0 && !ship.given->shields) {
      draft.out.labels.notes.push_back(fmt::format(
          "{}: has damage cards and all its {} shields; state shields = 0 if they are lost", ship.name, ship.shields));
    }
  }
  if (draft.deck == nullptr) return;
  for (const bool mine : {true, false}) check_copies(draft, mine);
}

namespace {

/// Notes the cards about damage cards that use the results of attacks instead.
void note_cards_without_deck(Draft& draft) {
  for (const ShipDraft& ship : draft.ships) {
    for (const load::CardSpec* card : ship.cards) {
      if (!prepared(*card).counts_without_deck) continue;
      base::add_once(
          draft.out.labels.notes,
          fmt::format("{}: without a damage deck only an attack's critical hits that get past the shields of "
                      "a ship with hull count as faceup damage cards; damage_deck = \"core\" deals them",
                      draft.printed_name(*card)));
    }
  }
}

/// The deck that stated faceup cards are of in a scenario that deals none.
void find_deck_of_faceup(Draft& draft) {
  for (const ShipDraft& ship : draft.ships) {
    if (ship.given->faceup.empty()) continue;
    draft.deck = draft.catalogue.deck("core", draft.edition.id);
    if (draft.deck == nullptr)
      throw ScenarioError(ship_path(ship, "faceup"), fmt::format("the rules {} have no damage deck", draft.edition.id));
  }
}

}  // namespace

void find_deck(Draft& draft) {
  const Scenario& scenario = draft.scenario;
  if (scenario.damage_deck == kNoDeck) {
    note_cards_without_deck(draft);
    find_deck_of_faceup(draft);
    return place_faceup_cards(draft);
  }
  draft.deck = draft.catalogue.deck(scenario.damage_deck, draft.edition.id);
  if (draft.deck == nullptr) {
    std::vector<std::string> known = draft.catalogue.deck_ids(draft.edition.id);
    known.emplace_back(kNoDeck);
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
    ship.dealt_cards = sizes.empty() || base::contains(sizes, ship.size);
    if (!ship.dealt_cards)
      labels.partly.push_back(
          fmt::format("damage deck {}: a {} ship such as '{}' has another deck; what its damage cards do is left out",
                      draft.deck->id, ship.size, ship.name));
    ship.dealt_cards = ship.dealt_cards && ship.hull > 0;
  }
  place_faceup_cards(draft);
}

void add_damage_cards(Draft& draft, int index) {
  const game::ShipPlan& ship = base::nth(draft.out.plan.ships, index);
  const ShipDraft& owner = base::nth(draft.ships, index);
  if (!has_damage_cards(owner)) return;
  const bool dealt = owner.dealt_cards && (ship.attacked || ship.effect_damage || draft.lifetime == Lifetime::Battle);
  const auto& cards = draft.deck->cards;
  // A card that does nothing while it is faceup can be repaired, too, which matters to what counts faceup cards.
  const bool repaired = any_card(draft, &PreparedCard::reads_faceup) && some_operation(draft, repairs);
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const int initial = owner.faceup.empty() ? 0 : owner.faceup[c];
    const bool counts = acts_while_faceup(cards[c].card) || (repaired && !turns_at_once(cards[c].card));
    if (!counts || (!dealt && initial == 0)) continue;
    add_resource(draft,
                 {.kind = game::Resource::Kind::Card,
                  .ship = index,
                  .token = static_cast<int>(c),
                  .initial = initial,
                  .max = cards[c].copies},
                 "card:" + cards[c].card.id);
  }
}

void add_card_counts(Draft& draft, int index) {
  const ShipDraft& ship = base::nth(draft.ships, index);
  if (!has_damage_cards(ship)) return;
  const auto add = [&](game::Resource::Kind kind, int token, int initial, int max, const char* label) {
    add_resource(draft, {.kind = kind, .ship = index, .token = token, .initial = initial, .max = max}, label);
  };
  if (any_card(draft, &PreparedCard::reads_faceup))
    add(game::Resource::Kind::Faceup, -1, std::accumulate(ship.faceup.begin(), ship.faceup.end(), 0),
        draft.deck->size(), "faceup");
  if (!ship.dealt_cards) return;
  if (ship.exposures == 0 && !any_card(draft, &PreparedCard::reads_facedown)) return;
  const int seen = std::accumulate(ship.known.begin(), ship.known.end(), 0);
  const int lost = std::clamp(ship.lost_hull - seen, 0, draft.deck->size());
  add(game::Resource::Kind::Facedown, game::Resource::kUnseen, lost, draft.deck->size(), "facedown");
  const auto picks = [](const load::OperationSpec& o) { return repairs(o) || o.verb == load::Verb::Pick || o.pick; };
  const bool any_kind =
      prevents_seen_cards(ship) || (draft.lifetime != Lifetime::Battle && some_operation(draft, picks));
  bool known = any_kind;
  const auto& cards = draft.deck->cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    if (!any_kind && !flips(cards[c].card)) continue;
    const int turned = ship.known.empty() ? 0 : ship.known[c] - ship.faceup[c];
    add(game::Resource::Kind::Facedown, static_cast<int>(c), turned, cards[c].copies, "facedown");
    known = true;
  }
  if (known) add(game::Resource::Kind::Facedown, game::Resource::kOthers, 0, draft.deck->size(), "facedown");
}

std::vector<Owner> damage_cards(const AttackDraft& attack) {
  std::vector<Owner> out;
  for (std::size_t s = 0; s < attack.draft.ships.size(); ++s) {
    const ShipDraft& ship = attack.draft.ships[s];
    if (!has_damage_cards(ship)) continue;
    const auto& cards = attack.draft.deck->cards;
    for (std::size_t c = 0; c < cards.size(); ++c) {
      if (!ship.dealt_cards && ship.faceup[c] == 0) continue;
      out.push_back({.attacks = ship.mine == attack.ship(attack.plan.attacker).mine,
                     .ship = static_cast<int>(s),
                     .card = &cards[c].card,
                     .deck_card = static_cast<int>(c)});
    }
  }
  return out;
}

namespace {

/// Adds the options of the player who picks a card of the ship: one for each card of the deck. finalize_deck() adapts
/// them to the kinds that a draw distinguishes. Of several picks that would replace the same card only one does (000:
/// Abilities), that of the ship itself if it has one.
void add_pick(AttackDraft& attack, game::DealPlan& deal, int ship, bool facedown) {
  CardPick* pick = nullptr;
  for (CardPick& other : attack.card_picks) {
    const bool own = other.attackers == (attack.ship(ship).mine == attack.ship(attack.plan.attacker).mine);
    if (other.ship == ship && other.facedown == facedown && (pick == nullptr || own)) pick = &other;
  }
  if (pick == nullptr || attack.draft.lifetime == Lifetime::Battle) return;  // battles leave it out and say so
  if (facedown) {
    deal.looks = pick->when;
  } else {
    deal.draws = pick->n;
  }
  const auto& cards = attack.draft.deck->cards;
  for (std::size_t c = 0; c < cards.size(); ++c) {
    game::Effect effect{.may = true, .clears = pick->clears, .forced = true};
    effect.operations.push_back({.kind = game::Operation::Kind::Pick, .to = static_cast<int>(c)});
    pick->effects.push_back(
        store_effect(attack, std::move(effect), {},
                     {.id = pick->card, .detail = cards[c].card.id, .attackers = pick->attackers, .chosen = true}));
  }
}

}  // namespace

void add_deals(AttackDraft& attack) {
  if (!attack.draft.out.plan.damage_deck) return;
  game::AttackPlan& plan = attack.plan;
  plan.deals.resize(game::kVictims);
  for (bool changed = true; changed;) {  // effects of a card dealt to one ship may damage another
    changed = false;
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      const int ship = plan.victim(v);
      if (ship < 0 || !plan.deals[v].kinds.empty() || !attack.ship(ship).dealt_cards || !damages(plan, v)) continue;
      for (const Owner& owner : damage_cards(attack)) {
        if (owner.ship != ship) continue;
        for (const PreparedEffect& effect : prepared(*owner.card).effects.all) {
          const load::EffectSpec& spec = *effect.spec;
          if (resolves_with_damage(spec)) add_effect(attack, effect, owner);
          const bool lasting = spec.at == load::Window::Always || has_verb(spec, load::Verb::Neutralize);
          if (lasting && ship != plan.attacker && ship != plan.defender && has_verb(spec, load::Verb::Convert))
            collect_passive(attack, effect, owner);
        }
      }
      plan.deals[v] = deal_to(attack, ship);
      changed = true;
    }
  }
  for (game::DealPlan& deal : plan.deals) {
    if (deal.kinds.empty()) continue;
    const int ship = plan.victim(static_cast<std::size_t>(&deal - plan.deals.data()));
    for (const bool facedown : {false, true}) add_pick(attack, deal, ship, facedown);
  }
}

}  // namespace salvo::compile
