// Reads a damage deck: its cards, the number of copies of each, and their effects.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "base/limits.h"
#include "data/message.h"
#include "load/profile.h"
#include "salvo/scenario.h"

namespace salvo::load {

namespace {

/// Adds the parts of a card that are left out, each prefixed with the card's id.
void read_partly(const data::Node& node, const std::string& id, DeckSpec& deck) {
  const auto partly = node.get("partly");
  if (!partly) return;
  for (const std::string& text : partly->texts()) deck.partly.push_back(fmt::format("{}: {}", id, text));
}

/// Effects of damage cards are mandatory. After a roll, play continues only within the same effect, so no other effect
/// may follow one that rolls.
void check_effect(const EffectSpec& effect, bool last) {
  const auto refuse = [&](const char* why) { throw LoadError(fmt::format("{}: {}", effect.place, why)); };
  if (effect.may || !effect.offers.empty() || !effect.cost.empty())
    refuse("an effect of a damage card is mandatory and has no price; leave out may, cost and unless");
  if (effect.whose != "self") refuse("an effect of a damage card applies to the ship with the card; leave out `for`");
  if (effect.at == Window::CardDue || effect.at == Window::CardSeen)
    refuse("this window is for cards that change how a damage card is dealt; use dealt");
  if (effect.once_per_round || effect.once_per_attack || effect.repeats || effect.each)
    refuse("an effect of a damage card has no limit of uses; leave it out");
  const bool flips_all = effect.operations.size() == 1 && effect.operations[0].verb == Verb::Flip &&
                         effect.operations[0].all && effect.when.empty() && effect.times.empty();
  if (effect.at == Window::Opportunity && !flips_all)
    refuse("the window opportunity is for do = [{ verb = \"flip\", n = \"all\" }] alone");
  const bool rolls = std::any_of(effect.operations.begin(), effect.operations.end(),
                                 [](const OperationSpec& operation) { return operation.verb == Verb::Roll; });
  if (!rolls) return;
  if (!effect.times.empty()) refuse("an effect that rolls happens once; count the dice with amount in place of times");
  if (effect.at == Window::CritSuffered) refuse("nothing is rolled at crit-suffered; use the window dealt");
  if (effect.at == Window::Dealt && !last) refuse("of the effects at dealt the one that rolls has to be the last");
}

/// The trait of a card. Adds it to the traits of the deck.
std::string read_trait(const data::Node& node, DeckSpec& deck) {
  const std::string trait = node.text();
  if (!data::is_id(trait) || trait == "faceup") node.fail("not a trait; use one word such as \"pilot\" or \"ship\"");
  auto& traits = deck.traits;
  if (base::contains(traits, trait)) return trait;
  if (traits.size() == base::kMaxTraits) node.fail(fmt::format("the deck has more than {} traits", base::kMaxTraits));
  traits.push_back(trait);
  return trait;
}

DamageCardSpec read_damage_card(const data::Node& node, const Edition& edition, DeckSpec& deck) {
  node.need_table("a [[card]] table with id, copies and what it does");
  node.allow_only({"id", "name", "copies", "trait", "omits", "partly", "effect"});
  DamageCardSpec out;
  const data::Node id = node.need("id", "name the card, for example id = \"direct-hit\"");
  out.card.id = id.text();
  if (!data::is_id(out.card.id)) id.fail("not an id; use lower-case letters, digits and hyphens");
  for (const DamageCardSpec& other : deck.cards) {
    if (other.card.id == out.card.id) id.fail("the card is listed twice; set copies instead");
  }
  out.card.kind = "damage";
  out.card.name = out.card.id;
  node.read("name", out.card.name);
  out.copies = node.need("copies", "say how many of it are in the deck").integer(1, base::kMaxCards);
  if (const auto trait = node.get("trait")) out.trait = read_trait(*trait, deck);
  node.read("omits", out.card.omits);
  read_partly(node, out.card.id, deck);
  out.card.effects = read_effects(node, &edition, out.card.id);
  const auto& effects = out.card.effects;
  for (std::size_t e = 0; e < effects.size(); ++e) {
    const bool last = std::none_of(effects.begin() + static_cast<std::ptrdiff_t>(e) + 1, effects.end(),
                                   [](const EffectSpec& effect) { return effect.at == Window::Dealt; });
    check_effect(effects[e], last);
  }
  return out;
}

}  // namespace

DeckSpec read_deck(const data::Node& root, const Edition& edition, const std::string& id) {
  root.need_table();
  root.allow_only({"format", "id", "rules", "name", "also", "sizes", "card"});
  root.need("format", "write format = 1").integer(1, 1);
  DeckSpec deck;
  deck.id = read_id(root, id);
  if (id == kNoDeck) root.fail("\"none\" means no deck; give the file another name");
  root.need("rules", fmt::format("write rules = \"{}\"", edition.id)).one_of({edition.id});
  deck.name = id;
  root.read("name", deck.name);
  root.read("also", deck.also);
  if (const auto sizes = root.get("sizes")) {
    deck.sizes = sizes->texts();
    for (const data::Node& size : sizes->children()) size.one_of(edition.sizes);
  }
  const data::Node cards = root.need("card", "list the cards in [[card]] tables");
  cards.need_array("[[card]] tables, with two brackets");
  for (const data::Node& card : cards.children()) deck.cards.push_back(read_damage_card(card, edition, deck));
  if (deck.cards.empty()) cards.fail("the list is empty; a deck has at least one card");
  if (deck.size() > base::kMaxCards)
    cards.fail(fmt::format("{} cards; a damage deck has at most {}", deck.size(), base::kMaxCards));
  return deck;
}

}  // namespace salvo::load
