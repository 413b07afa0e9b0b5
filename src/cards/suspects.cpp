#include "cards/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "cards/coverage.h"
#include "data/node.h"
#include "load/card_file.h"
#include "load/profile.h"

namespace salvo::cards {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNoEffect = "no effect";

/// A topic of a text. Alternatives are separated by |; one that ends with * is the beginning of a word.
struct Topic {
  std::string_view name;
  std::string_view text;
  std::string_view file;  ///< words of a file that models the topic
};

/// Topics that the text of a card without effect on dice, tokens and damage should not mention.
constexpr std::array<Topic, 12> kEffects{{
    {"dice", "die|dice|reroll*", ""},
    {"results", "result*|hit|crit|critical", ""},
    {"attacks", "attack*|defend*|defense|weapon*|engage*", ""},
    {"damage", "damage*|destroy*|repair*", ""},
    {"shields", "shield*", ""},
    {"tokens",
     "token*|focus*|evade*|calculate*|reinforce*|stress*|strain*|deplete*|ion|ionize*|tractor*|jam|jammed|"
     "cloak*|decloak*|disarm*",
     ""},
    {"charges", "charge|charges", ""},
    {"Force", "force", ""},
    {"locks", "lock|locks|locked|locking", ""},
    {"energy", "energy", ""},
    {"phases", "phase|phases|end of each round|at the end of the round", ""},
    {"initiative", "initiative|pilot skill", ""},
}};

/// Topics for which the file of a card needs a window, verb, token or fact if its text mentions them.
constexpr std::array<Topic, 34> kWords{{
    {"End Phase", "end phase|end of each round|at the end of the round", "round-end|kept-*|end phase|attacker-stays"},
    {"start or end of the Engagement Phase",
     "start of the engagement phase|start of the combat phase|end of the engagement phase|end of the combat phase|"
     "before you engage|when you engage",
     "engagement-start|engage|round-end|attacker-stays"},
    {"bonus attack",
     "bonus attack*|bonus primary|bonus turret|bonus cannon|an additional attack|attack again|second attack|"
     "attack twice",
     "bonus|bonus-attack|granted-by|twice|weapon"},
    {"another target", "different target|another target|not attacked|has not been attacked", "other|enemy|attacked"},
    {"friendly ships", "friendly|allied|wingmate*", "ally|allies|friend|friends|friend*|friendly|lend"},
    {"charges", "charge|charges", "charge|charges"},
    {"Force", "force", "force"},
    {"locks", "lock|locks|locked", "lock|locks|locked|red tokens"},
    {"arc", "arc|arcs", "arc|bullseye|front|rear|turret|single-turret|double-turret|mobile|flank"},
    {"range", "range", "range|near|reach|min_range|max_range|within"},
    {"destroyed", "destroyed|hull"},
    {"damage", "damage|damaged",
     "damage|damaged|suffered|hull|shield|expose|repair|pick|deal|faceup|facedown|hit|crit|cancel"},
    {"shields", "shield|shields|shielded", "shield|shields|unshielded"},
    {"exposed cards", "expose|exposes", "expose*|pick"},
    {"initiative", "initiative|pilot skill", "initiative|skill"},
    {"obstructed", "obstructed", "obstructed"},
    {"cancel", "cancel|cancels|canceled|cancelled", "cancel|neutralize|uncancellable"},
    {"reroll", "reroll|rerolls|rerolled", "reroll*"},
    {"recover", "recover|recovers", "gain|charges_recover|force_recover"},
    {"once per round", "once per round", "once_per_round"},
    {"size", "small|medium|large|huge", "size|small|medium|large|huge"},
    {"limited", "limited|nonlimited", "limited"},
    {"focus", "focus|focused", "focus|green|success"},
    {"evade", "evade|evading", "evade|green|success|uncancellable"},
    {"calculate", "calculate", "calculate|green"},
    {"reinforce", "reinforce|reinforced", "reinforce|reinforced|green"},
    {"stress", "stress|stressed", "stress|stressed|red"},
    {"strain", "strain|strained", "strain|strained|red|orange"},
    {"deplete", "deplete|depleted", "deplete|depleted|red|orange"},
    {"ion", "ion|ionized", "ion|ionized|red"},
    {"jam", "jam|jammed", "jam|jammed|orange"},
    {"tractor", "tractor|tractored", "tractor|tractored|orange"},
    {"disarm", "disarm|disarmed|weapons disabled", "disarm|disarmed|orange"},
    {"cloak", "cloak|cloaked", "cloak|cloaked"},
}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Whether the text, in lower case, has the phrase as whole words.
bool has_phrase(std::string_view text, std::string_view phrase) {
  const bool begins = phrase.ends_with('*');
  if (begins) phrase.remove_suffix(1);
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (begins || end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

bool speaks_of(std::string_view text, std::string_view alternatives) {
  const auto phrases = base::split(alternatives, '|');
  return std::any_of(phrases.begin(), phrases.end(), [&](auto phrase) { return has_phrase(text, phrase); });
}

/// All texts of a card in lower case, without markup. "Non-lock" becomes one word, which does not speak of locks.
std::string plain_text(const load::DataCard& card) {
  std::string out;
  for (const std::string& text : card.texts) {
    bool markup = false;
    for (const char c : text) {
      if (c == '<') markup = true;
      if (!markup) out += c;
      if (c == '>') {
        markup = false;
        out += ' ';
      }
    }
    out += ' ';
  }
  out = base::lower_case(out);
  for (std::size_t at = out.find("non-"); at != std::string::npos; at = out.find("non-", at)) out.erase(at + 3, 1);
  return out;
}

/// Keys and texts of a card file, except what names the card and what it leaves out as having no effect.
void add_words(const data::Value& value, std::string& out) {
  constexpr std::array<std::string_view, 4> kNoWords{"id", "kind", "name", "omits"};
  if (std::find(kNoWords.begin(), kNoWords.end(), value.key) != kNoWords.end()) return;
  out += value.key + " " + value.text + " ";
  for (const data::Value& item : value.items) add_words(item, out);
}

std::string words_of_file(const Catalogue& catalogue, const load::CardFile& file) {
  std::string out;
  for (const data::Value& item : file.tree.items) add_words(item, out);
  for (const auto& [fact, usual] : file.spec.facts) {
    const auto known = catalogue.facts().find(fact);
    if (known != catalogue.facts().end()) out += known->second + " ";
  }
  return base::lower_case(out);
}

// ---------------------------------------------------------------- the list of checked cards

struct Check {
  std::string why;
  bool matched = false;
};

class Checks {
 public:
  Checks(const Catalogue& catalogue, const std::string& card_set) : catalogue_(catalogue), set_(card_set) {
    const fs::path path = catalogue.profiles().root() / "cards" / "checked.toml";
    if (!catalogue.profiles().has(path)) return;  // the profiles of a user's own game may lack it
    data::read_tree(catalogue.profiles(), path, [&](const data::Node& root) {
      root.allow_only({"reason"});
      const data::Node reasons = root.need("reason", "the list consists of [[reason]] tables");
      for (const data::Node& reason : reasons.children()) add(reason);
    });
  }

  /// The listed reason why the suspect is treated right; empty without one.
  std::string reason(const std::string& kind, const std::string& id, std::string_view of) {
    const auto entry = entries_.find({kind, id, std::string(of)});
    if (entry == entries_.end()) return {};
    entry->second.matched = true;
    return entry->second.why;
  }

  /// Entries that no suspect asked for: their card is in the data and no suspect, or in no set that they are for.
  std::vector<StaleCheck> stale(const std::vector<load::DataCard>& cards) const {
    std::vector<StaleCheck> out;
    for (const auto& [key, check] : entries_) {
      const auto& [kind, id, of] = key;
      const bool here = std::any_of(cards.begin(), cards.end(), [&, kind = kind, id = id](const auto& card) {
        return card.kind == kind && card.id == id;
      });
      if (!check.matched && (here || !known_.contains({kind, id}))) out.push_back({kind, id, of, check.why});
    }
    return out;
  }

 private:
  void add(const data::Node& reason) {
    reason.allow_only({"of", "why", "sets", "upgrade", "pilot", "ship", "condition"});
    std::vector<std::string> names{std::string(kNoEffect)};
    for (const Topic& word : kWords) names.emplace_back(word.name);
    const std::string of = reason.need("of", "it says which suspicion is unfounded").one_of(names);
    const std::string why = reason.need("why", "it says why the cards are right as they are").text();
    const data::Node sets = reason.need("sets", "it names the card sets of the cards");
    const std::vector<std::string> for_sets = sets.texts_once("name each set once");
    const bool ours = std::find(for_sets.begin(), for_sets.end(), set_) != for_sets.end();
    for (const std::string& kind : load::card_kinds()) {
      const auto ids = reason.get(kind);
      if (!ids) continue;
      for (const std::string& id : ids->texts_once("name each card once")) {
        if (known_in(for_sets, kind, id)) known_.insert({kind, id});
        if (ours && !entries_.emplace(std::tuple(kind, id, of), Check{why}).second)
          ids->fail(fmt::format("{} has a reason already; leave one out", base::in_quotes(id)));
      }
    }
  }

  bool known_in(const std::vector<std::string>& sets, const std::string& kind, const std::string& id) const {
    return std::any_of(sets.begin(), sets.end(), [&](const std::string& set) {
      return catalogue_.relevant(kind, id, set).has_value() || catalogue_.card(kind, id, set) != nullptr;
    });
  }

  const Catalogue& catalogue_;
  std::string set_;
  std::map<std::tuple<std::string, std::string, std::string>, Check> entries_;  ///< by kind, id and suspicion
  std::set<std::pair<std::string, std::string>> known_;                         ///< cards that a set of theirs has
};

/// Looks for suspects among the cards of one set.
class Search {
 public:
  Search(const Catalogue& catalogue, const std::string& card_set)
      : catalogue_(catalogue),
        set_(card_set),
        relevance_(load::read_relevance(catalogue, card_set)),
        checks_(catalogue, card_set) {
    for (const load::CardPlace& place : load::library_cards(catalogue.profiles(), card_set))
      files_[{place.kind, place.id}] = place.path;
  }

  Suspects find(const load::CardData& data) {
    const std::vector<load::DataCard> cards = library_cards(catalogue_, data, set_, relevance_);
    Suspects out{set_, 0, {}, {}};
    for (const load::DataCard& card : cards) {
      const std::string text = plain_text(card);
      if (text.empty()) continue;
      ++out.texts;
      const load::CardSpec* spec = catalogue_.card(card.kind, card.id, set_);
      const auto file = spec == nullptr ? files_.end() : files_.find({spec->kind, spec->id});
      if (file != files_.end()) {
        add_gaps(card, text, file->second, out.found);
      } else {
        add_silent(card, text, out.found);
      }
    }
    out.stale = checks_.stale(cards);
    return out;
  }

 private:
  /// The topics that the text mentions and the file does not model.
  void add_gaps(const load::DataCard& card, const std::string& text, const fs::path& path, std::vector<Suspect>& out) {
    const load::CardFile file = load::read_card_file(catalogue_.profiles(), path, catalogue_.facts());
    if (!plays(file.spec) && !file.spec.partly.empty()) return;  // coverage says that nothing of it is played
    const std::string words = words_of_file(catalogue_, file);
    for (const Topic& word : kWords) {
      if (!speaks_of(text, word.text) || speaks_of(words, word.file)) continue;
      out.push_back({card.kind,
                     card.id,
                     path.lexically_relative(catalogue_.root()).generic_string(),
                     {std::string(word.name)},
                     checks_.reason(card.kind, card.id, word.name)});
    }
  }

  /// A card without a file that is classified as irrelevant. Coverage lists the others without a file.
  void add_silent(const load::DataCard& card, const std::string& text, std::vector<Suspect>& out) {
    const auto known = relevance_.find({card.kind, card.id});
    if (known == relevance_.end() || known->second) return;
    Suspect one{card.kind, card.id, {}, {}, {}};
    for (const Topic& topic : kEffects) {
      if (speaks_of(text, topic.text)) one.words.emplace_back(topic.name);
    }
    if (one.words.empty()) return;
    one.why = checks_.reason(card.kind, card.id, kNoEffect);
    out.push_back(std::move(one));
  }

  const Catalogue& catalogue_;
  std::string set_;
  load::Relevance relevance_;
  Checks checks_;
  std::map<std::pair<std::string, std::string>, fs::path> files_;
};

}  // namespace

std::size_t Suspects::open() const {
  return static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(), [](const Suspect& one) { return one.why.empty(); }));
}

Suspects suspects(const Catalogue& catalogue, const load::CardData& data, const std::string& card_set) {
  return Search(catalogue, card_set).find(data);
}

}  // namespace salvo::cards
