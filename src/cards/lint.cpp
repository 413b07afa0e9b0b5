#include "cards/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "cards/condition.h"
#include "compile/expression.h"

namespace salvo::cards {

namespace {

using data::Node;
using Words = std::vector<std::string>;

/// All expressions of an effect.
Words expressions_of(const load::EffectSpec& effect) {
  Words out{effect.when, effect.times};
  for (const load::OperationSpec& operation : effect.operations) out.push_back(operation.amount);
  for (const load::OfferSpec& offer : effect.offers) {
    out.push_back(offer.when);
    for (const load::OperationSpec& operation : offer.operations) out.push_back(operation.amount);
  }
  std::erase(out, std::string());
  return out;
}

bool pays_charge(const std::vector<load::CostSpec>& costs) {
  return std::any_of(costs.begin(), costs.end(),
                     [](const load::CostSpec& cost) { return cost.token == "charge" && cost.of != "weapon"; });
}

bool changes_charges(const std::vector<load::OperationSpec>& operations) {
  return std::any_of(operations.begin(), operations.end(), [](const load::OperationSpec& operation) {
    return operation.token == "charge" && operation.of != "weapon";
  });
}

bool uses_charges(const load::CardSpec& card, const std::set<std::string>& names) {
  return names.contains("card.charge") || (card.weapon && pays_charge(card.weapon->cost)) ||
         std::any_of(card.effects.begin(), card.effects.end(), [](const load::EffectSpec& effect) {
           return pays_charge(effect.cost) || changes_charges(effect.operations) ||
                  std::any_of(effect.offers.begin(), effect.offers.end(), [](const load::OfferSpec& offer) {
                    return pays_charge(offer.cost) || changes_charges(offer.operations);
                  });
         });
}

/// Notes ids that several effects of the same attacks share, if no condition asks whether one of them was used.
void note_ids(const load::CardFile& card, const std::set<std::string>& names, Words& out) {
  const auto effects = card.root().get("effect");
  if (!effects) return;
  std::map<std::pair<std::string, std::string>, Words> lines;
  for (const Node& effect : effects->children()) {
    const auto id = effect.get("id"), whose = effect.get("for");
    if (id) lines[{id->text(), whose ? whose->text() : "self"}].push_back(std::to_string(id->line()));
  }
  for (const auto& [key, at] : lines) {
    const std::string& id = key.first;
    if (at.size() < 2 || names.contains("used." + id) || names.contains("declared." + id)) continue;
    out.push_back(fmt::format("{} effects have the id {} (lines {}); give each its own, or leave the ids out",
                              at.size(), id, base::listed(at)));
  }
}

/// The values that a name may be compared with, in any card set of the edition; nothing for unknown names.
std::optional<Words> values_of(const std::string& name, const Catalogue& catalogue, const load::Edition& edition) {
  if (name == "arc") return load::arc_names();
  if (name.ends_with(".size")) return edition.sizes;
  if (name != "weapon") return std::nullopt;
  Words out{"primary"};
  for (const std::string& set : edition.card_sets.empty() ? Catalogue::card_sets() : edition.card_sets) {
    for (std::string& id : catalogue.upgrade_ids(set)) out.push_back(std::move(id));
  }
  for (const std::string& arc : load::arc_names()) out.push_back("primary:" + arc);
  return out;
}

void note_comparison(const Comparison& comparison, const std::optional<Words>& values, const load::CardSpec& card,
                     Words& out) {
  const auto& [name, value, is_text] = comparison;
  if (!values) return;
  if (!is_text) {
    out.push_back(fmt::format("{} is a text and never the number {}; write {} == '{}'", name, value, name,
                              name == "weapon" ? "ioncannon" : values->front()));
  } else if (value != card.id && std::find(values->begin(), values->end(), value) == values->end()) {
    const std::string near = base::did_you_mean(value, *values);
    out.push_back(fmt::format("{} is never '{}';{}", name, base::printable(value, 40),
                              !near.empty()      ? near
                              : name == "weapon" ? std::string(" no upgrade has this id")
                                                 : fmt::format(" it is {}", base::listed(*values))));
  }
}

void note_comparisons(const Catalogue& catalogue, const load::CardSpec& card, const load::Edition& edition,
                      Words& out) {
  std::map<std::string, std::optional<Words>> values;
  for (const load::EffectSpec& effect : card.effects) {
    for (const std::string& text : expressions_of(effect)) {
      for (const Comparison& comparison : comparisons(text)) {
        const auto [at, is_new] = values.try_emplace(comparison.name);
        if (is_new) at->second = values_of(comparison.name, catalogue, edition);
        note_comparison(comparison, at->second, card, out);
      }
    }
  }
}

/// Notes conditions that read whether the attack hit before that is known.
void note_early_hit(const load::CardSpec& card, Words& out) {
  for (const load::EffectSpec& effect : card.effects) {
    if (effect.at >= load::Window::Outcome && effect.at != load::Window::OwnMod) continue;
    const Words texts = expressions_of(effect);
    const bool asks = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
      const Words read = compile::names_read(text);
      return std::find(read.begin(), read.end(), "hit") != read.end();
    });
    if (asks) {
      out.push_back(
          fmt::format("{}: whether the attack hit is known only from the window outcome on, and taken as "
                      "not so before; use outcome or a later window",
                      effect.place));
    }
  }
}

/// Fails if no weapon of a bonus attack has this name.
void check_bonus_weapon(const Node& weapon, const Catalogue& catalogue, const load::CardFile& card,
                        const std::string& card_set) {
  const std::string name = weapon.text();
  const Words& slots = load::weapon_slots();
  const bool primary = name == "primary" || name.starts_with("primary:");
  if (primary || base::contains(slots, name) || name == card.spec.id || catalogue.upgrade_exists(name, card_set) ||
      catalogue.card("upgrade", name, card_set) != nullptr)
    return;
  Words known = catalogue.upgrade_ids(card_set);
  known.insert(known.end(), slots.begin(), slots.end());
  known.emplace_back("primary");
  const std::string near = base::did_you_mean(name, known);
  weapon.fail(fmt::format("{} is not a weapon of a bonus attack;{}", base::in_quotes(name),
                          near.empty() ? " write primary, primary:<arc>, a slot or the id of an upgrade" : near));
}

}  // namespace

Words notes_on_effects(const Catalogue& catalogue, const load::CardFile& card, const std::set<std::string>& names,
                       const load::Edition& edition) {
  Words out;
  const bool spent_elsewhere = std::any_of(card.spec.omits.begin(), card.spec.omits.end(), [](const std::string& what) {
    return what.find("charge") != std::string::npos;
  });
  if (card.spec.charges > 0 && !uses_charges(card.spec, names) && card.spec.partly.empty() && !spent_elsewhere) {
    out.emplace_back("nothing spends its charges; add cost = [{ token = \"charge\" }] to an effect, or leave them out");
  }
  note_ids(card, names, out);
  note_comparisons(catalogue, card.spec, edition, out);
  note_early_hit(card.spec, out);
  const auto repeated = [seen = std::set<std::string>()](const std::string& note) mutable {
    return !seen.insert(note).second;
  };
  out.erase(std::remove_if(out.begin(), out.end(), repeated), out.end());
  return out;
}

void check_bonus_weapons(const Catalogue& catalogue, const load::CardFile& card, const std::string& card_set) {
  const auto effects = card.root().get("effect");
  if (!effects) return;
  for (const Node& effect : effects->children()) {
    for (const Node& operation : effect.need("do", "say what the effect does").children()) {
      if (operation.need("verb", "say what it does").text() != "bonus") continue;
      for (const Node& one : load::bonus_weapons(operation)) check_bonus_weapon(one, catalogue, card, card_set);
    }
  }
}

}  // namespace salvo::cards
