#include "cards/text_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "base/text.h"
#include "compile/expression.h"

namespace salvo::cards {

namespace {

bool any_effect(const load::CardSpec& card, const std::function<bool(const load::EffectSpec&)>& is) {
  return std::any_of(card.effects.begin(), card.effects.end(), is);
}

bool any_operation(const load::CardSpec& card, const std::function<bool(const load::OperationSpec&)>& is) {
  return any_effect(card, [&](const load::EffectSpec& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), is) ||
           std::any_of(effect.offers.begin(), effect.offers.end(), [&](const load::OfferSpec& offer) {
             return std::any_of(offer.operations.begin(), offer.operations.end(), is);
           });
  });
}

/// Critical damage, or a critical result that the attack adds instead of its own.
bool deals_critical(const load::CardSpec& card) {
  return any_operation(card, [](const load::OperationSpec& operation) {
    return (operation.verb == load::Verb::Damage && operation.crit) ||
           (operation.verb == load::Verb::Add && operation.to == "crit" && !operation.modifies);
  });
}

bool reads_hit(const load::EffectSpec& effect) {
  const std::vector<std::string> names = compile::names_read(effect.when);
  return std::find(names.begin(), names.end(), "hit") != names.end();
}

bool acts_on_hit(const load::CardSpec& card) {
  return any_effect(
             card,
             [](const load::EffectSpec& effect) { return effect.at == load::Window::Outcome && reads_hit(effect); }) &&
         !any_effect(card, [](const load::EffectSpec& effect) {
           const bool harms = std::any_of(effect.operations.begin(), effect.operations.end(),
                                          [](const load::OperationSpec& operation) {
                                            return operation.verb == load::Verb::Damage ||
                                                   operation.verb == load::Verb::Expose || operation.token == "shield";
                                          });
           return effect.at == load::Window::Aftermath && reads_hit(effect) && harms;
         });
}

/// A card for attacks or defenses of friends also has effects for those of its own ship.
bool means_itself(const load::CardSpec& card) {
  const auto is_friendly = [](const load::EffectSpec& effect) { return effect.whose == "ally"; };
  return !any_effect(card, is_friendly) || any_effect(card, [&](const load::EffectSpec& friendly) {
    return is_friendly(friendly) && any_effect(card, [&](const load::EffectSpec& own) {
             return own.whose != "ally" && own.side == friendly.side;
           });
  });
}

bool has_other_target(const load::CardSpec& card) {
  return any_operation(card, [](const load::OperationSpec& operation) {
    return operation.verb == load::Verb::Bonus && operation.target != "foe";
  });
}

struct TextTag {
  std::string_view name;
  bool (*is_done)(const load::CardSpec&);
  std::string_view remedy;
};

constexpr std::array<TextTag, 4> kTextTags{{
    {"critical", deals_critical, "deals critical damage, and no operation does; add crit = true"},
    {"on-hit", acts_on_hit, "acts when its attack hits, before damage is dealt; use the window outcome"},
    {"itself", means_itself, "is about friendly ships, its own with them; add an effect without for = \"ally\""},
    {"other-target", has_other_target, "allows a bonus attack on another ship; add one with target = \"other\""},
}};

/// Facts for which conditions have a name of their own.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kBetterWords{{
    {"attacker-limited", "friend.limited or foe.limited"},
    {"defender-limited", "friend.limited or foe.limited"},
    {"attacker-skill-low", "foe.initiative"},
    {"defender-skill-low", "foe.initiative"},
    {"defender-locked-by-friend", "friends.lock"},
    {"attacker-locked-by-friend", "foes.lock"},
}};

bool speaks_of(const std::string& text, std::string_view word) {
  const std::size_t at = text.find(word);
  return at != std::string::npos && (at == 0 || text[at - 1] == ' ');
}

/// Whether an omission concerns dice, tokens or damage during attacks: it names one of these, and no other moment.
bool matters(const std::string& omitted) {
  constexpr std::array<std::string_view, 11> kThings{"die",  "dice",   "token",  "damage", "hit",   "crit",
                                                     "lock", "shield", "charge", "stress", "reroll"};
  constexpr std::array<std::string_view, 10> kElsewhere{
      "action",  "round",  "maneuver",          "setup", "phase", "outside", "not of an attack",
      "friends", "system", "before the attacks"};
  const auto says = [&](std::string_view word) { return omitted.find(word) != std::string::npos; };
  return std::any_of(kThings.begin(), kThings.end(), [&](auto word) { return speaks_of(omitted, word); }) &&
         std::none_of(kElsewhere.begin(), kElsewhere.end(), says);
}

}  // namespace

std::vector<std::string> notes_on_tags(const load::CardSpec& card, const std::set<std::string>& marks) {
  std::vector<std::string> out;
  for (const std::string& mark : marks) {
    if (std::none_of(kTextTags.begin(), kTextTags.end(), [&](const TextTag& known) { return known.name == mark; }))
      out.push_back(fmt::format("cards/marks.tsv: {} is no mark", base::in_quotes(mark)));
  }
  for (const TextTag& mark : kTextTags) {
    if (marks.contains(std::string(mark.name)) && !mark.is_done(card))
      out.push_back(fmt::format("its text says that it {}", mark.remedy));
  }
  return out;
}

std::vector<std::string> notes_on_gaps(const load::CardSpec& card, const std::set<std::string>& names) {
  std::vector<std::string> out;
  if (!card.partly.empty()) return out;
  for (const auto& [fact, word] : kBetterWords) {
    const bool reads_word =
        std::any_of(names.begin(), names.end(), [&, w = word](const std::string& n) { return w.find(n) != w.npos; });
    if (card.facts.contains(std::string(fact)) && !reads_word)
      out.push_back(fmt::format("the scenario can tell the fact {}; read {} as well", fact, word));
  }
  for (const std::string& omitted : card.omits) {
    if (matters(omitted))
      out.push_back(
          fmt::format("it leaves out {}, which attacks may depend on; write it under partly, or say when it "
                      "happens (in an action, another phase, another round)",
                      base::in_quotes(omitted)));
  }
  return out;
}

}  // namespace salvo::cards
