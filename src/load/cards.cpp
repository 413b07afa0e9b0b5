// Reads a card file: charges, weapon, effects, and what is left out.
#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "data/message.h"
#include "load/infinite_loops.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

constexpr int kMaxCharges = 99;

/// The board facts that the card refers to, each with its default value.
std::map<std::string, bool> read_facts(const data::Node& node, const std::map<std::string, std::string>& known) {
  node.need_table("a table of board facts and their usual case, such as { bullseye = false }");
  std::map<std::string, bool> facts;
  for (const data::Node& fact : node.children()) {
    if (!known.contains(fact.key())) {
      std::vector<std::string> names;
      names.reserve(known.size());
      for (const auto& [name, meaning] : known) names.push_back(name);
      fact.fail("not a board fact;" + base::did_you_mean(fact.key(), names) +
                " the facts are listed in rules/facts.toml");
    }
    facts[fact.key()] = fact.boolean();
  }
  return facts;
}

/// An effect may reroll only once, since the player chooses the dice once.
void check_rerolls(const CardSpec& card) {
  for (const EffectSpec& effect : card.effects) {
    const auto rerolls = std::count_if(effect.operations.begin(), effect.operations.end(),
                                       [](const OperationSpec& operation) { return operation.verb == Verb::Reroll; });
    if (rerolls > 1) {
      throw LoadError(effect.place + ": two rerolls in one effect; make an [[effect]] of each");
    }
  }
}

/// A card without charges cannot be paid with its own charges.
void check_prices(const std::optional<data::Node>& costs, const CardSpec& card) {
  if (!costs || card.charges > 0) return;
  for (const data::Node& cost : costs->children()) {
    const auto of = cost.get("of");
    if (cost.need("token", "name the token that is paid").text() != "charge" || (of && of->text() != "card")) continue;
    cost.fail("is paid with a charge of the card, which has none; add charges = n to the card, or of = \"weapon\"");
  }
}

void check_charges(const data::Node& root, const CardSpec& card) {
  if (const auto weapon = root.get("weapon")) check_prices(weapon->get("cost"), card);
  const auto effects = root.get("effect");
  if (!effects) return;
  for (const data::Node& effect : effects->children()) {
    check_prices(effect.get("cost"), card);
    const auto unless = effect.get("unless");
    if (!unless) continue;
    const bool one = !unless->is(data::Value::Kind::Array);
    for (const data::Node& offer : one ? std::vector<data::Node>{*unless} : unless->children())
      check_prices(offer.get("cost"), card);
  }
}

}  // namespace

std::map<std::string, int> read_tokens(const data::Node& node, const Edition* edition) {
  node.need_table("a table of tokens and numbers, such as { force = 1 }");
  std::map<std::string, int> tokens;
  for (const data::Node& token : node.children()) {
    std::vector<std::string> names{"charge"};  // charges of the card itself that it loses in the setup
    for (const TokenSpec& spec : edition == nullptr ? std::vector<TokenSpec>() : edition->tokens)
      names.push_back(spec.id);
    if (edition != nullptr && !base::contains(names, token.key()))
      token.fail("not a token of this edition;" + base::did_you_mean(token.key(), names) + " those are " +
                 base::listed(names));
    const int n = token.integer(-kMaxCharges, kMaxCharges);  // a title can take energy
    if (n == 0) token.fail("0 adds nothing; leave it out");
    if (n > 0 && token.key() == "charge") token.fail("a card loses charges in the setup: write a negative number");
    tokens[token.key()] = n;
  }
  return tokens;
}

CardSpec read_card(const data::Node& root, const std::string& kind, const std::string& id,
                   const std::map<std::string, std::string>& facts) {
  root.need_table();
  root.allow_only({"format", "id", "kind", "name", "charges", "charges_recover", "force_recover", "facedown", "locks",
                   "markers", "recoverable", "tokens", "weapon", "facts", "omits", "partly", "effect"});
  if (const auto format = root.get("format")) format->integer(1, 1);
  CardSpec card;
  card.id = read_id(root, id);
  card.kind = root.need("kind", fmt::format("write kind = \"{}\"", kind)).one_of({kind});
  card.name = id;
  root.read("name", card.name);
  root.read("charges", 0, kMaxCharges, card.charges);
  root.read("charges_recover", -kMaxCharges, kMaxCharges, card.charges_recover);
  root.read("force_recover", 0, kMaxCharges, card.force_recover);
  root.read("facedown", 0, kMaxCharges, card.facedown);
  root.read("locks", 2, kMaxCharges, card.locks);
  root.read("markers", card.markers);
  root.read("recoverable", card.recoverable);
  if (const auto tokens = root.get("tokens")) card.tokens = read_tokens(*tokens, nullptr);
  if (const auto weapon = root.get("weapon")) card.weapon = read_weapon(*weapon, nullptr);
  if (const auto named = root.get("facts")) card.facts = read_facts(*named, facts);
  root.read("omits", card.omits);
  root.read("partly", card.partly);
  card.effects = read_effects(root, nullptr, id);
  check_rerolls(card);
  check_charges(root, card);
  reject_infinite_loop(effects_of(card));
  return card;
}

}  // namespace salvo::load
