// Labels of effects: which names a report gives to the options of players.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.h"
#include "compile/effects.h"

namespace salvo::compile {

std::string_view label_id(const load::EffectSpec& spec, const Owner& owner) {
  return owner.card != nullptr ? owner.card->id : spec.id;
}

std::string_view label_detail(const AttackDraft& attack, const load::EffectSpec& spec, const Owner& owner) {
  if (owner.card == nullptr) return "";
  if (owner.repaired >= 0) return base::nth(attack.draft.deck->cards, owner.repaired).card.id;
  if (owner.ally >= 0) return attack.ship(owner.ally).name;
  return spec.id.empty() ? attack.ship(owner.ship).name : spec.id;
}

std::string_view answer_detail(const load::OfferSpec& offer) {
  if (!offer.cost.empty()) return offer.cost.front().token;
  for (const load::OperationSpec& operation : offer.operations) {
    if (!operation.token.empty()) return operation.token;
    if (operation.verb == load::Verb::Damage) return "damage";
  }
  return "answer";
}

std::vector<std::string> effect_labels(const AttackDraft& attack) {
  const auto& labels = attack.labels;
  const auto rival = [](const EffectLabel& a, const EffectLabel& b) {
    return a.chosen && b.chosen && a.attackers == b.attackers && a.id == b.id;
  };
  std::vector<std::string> out;
  out.reserve(labels.size());
  for (const EffectLabel& label : labels) {
    const auto has_rival = [&] {
      return std::any_of(labels.begin(), labels.end(), [&](const auto& l) { return &l != &label && rival(l, label); });
    };
    const bool distinguished = !label.detail.empty() && (label.answer || has_rival());
    std::string name(label.id);
    if (distinguished) name.append(":").append(label.detail);
    int same = 1;  // a number to append if the detail does not distinguish them either
    for (std::size_t i = 0; i < out.size() && distinguished; ++i)
      same += rival(labels[i], label) && out[i].starts_with(name);
    out.push_back(same > 1 ? fmt::format("{}:{}", name, same) : std::move(name));
  }
  return out;
}

}  // namespace salvo::compile
