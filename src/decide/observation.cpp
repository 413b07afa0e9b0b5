#include "decide/observation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/index.h"
#include "base/text.h"

namespace salvo::decide {

std::vector<std::string> words_in(const std::string& text) { return base::words_between(text, " ,\t\r\n"); }

namespace {

using Words = std::vector<std::string>;

[[noreturn]] void refuse_words(const char* member, const std::string& why) { throw DecisionError(member, why); }

class TextReader {
 public:
  TextReader(const compile::CompiledScenario& compiled, std::size_t attack, bool attacker)
      : labels_(compiled.labels),
        attack_(attack),
        attacker_(attacker),
        faces_(attacker ? labels_.faces->attack : labels_.faces->defense) {}

  Observed read(const std::optional<std::string>& rolled, const std::optional<std::string>& rerolled,
                const std::optional<std::string>& spent) const {
    Observed out;
    if (rolled) out.rolled = roll(*rolled);
    if (rerolled) out.rerolled = rerolls(*rerolled);
    if (spent) out.spent = spends(*spent);
    return out;
  }

 private:
  int face(const char* member, const std::string& word) const {
    const auto at = std::find(faces_.begin(), faces_.end(), base::lower_case(word));
    if (at != faces_.end()) return static_cast<int>(at - faces_.begin());
    refuse_words(member, fmt::format("the {} die has no face '{}'; its faces are {}", attacker_ ? "attack" : "defense",
                                     word, base::joined(faces_, ", ")));
  }

  game::Pool roll(const std::string& text) const {
    game::Pool out;
    const Words words = words_in(text);
    if (words.size() > base::kMaxPool)
      refuse_words(kRolledMembers[attacker_],
                   fmt::format("an attack rolls at most {} dice; write each die once", base::kMaxPool));
    for (const std::string& word : words) out.add(face(kRolledMembers[attacker_], word), false, 1);
    return out;
  }

  std::vector<Reroll> rerolls(const std::string& text) const {
    std::vector<Reroll> out;
    const char* member = kRerolledMembers[attacker_];
    for (const std::string& word : words_in(text)) {
      const std::size_t at = word.find('=');
      if (at == std::string::npos) {
        refuse_words(member,
                     fmt::format("'{}' does not say what the die showed before and after; write BEFORE=AFTER, as in "
                                 "blank=hit",
                                 word));
      }
      out.push_back({face(member, word.substr(0, at)), face(member, word.substr(at + 1))});
    }
    if (out.size() > 12) refuse_words(member, "an attack rerolls at most 12 dice; write each as BEFORE=AFTER");
    return out;
  }

  Words spends(const std::string& text) const {
    Words out = words_in(text);
    if (out.size() == 1 && out[0] == "nothing") out.clear();
    const Words& known = labels_.effects[attack_];
    for (const std::string& word : out) {
      if (std::find(known.begin(), known.end(), word) == known.end()) {
        Words names = known;
        base::sort_once(names);
        if (names.empty()) {
          refuse_words(kSpentMembers[attacker_],
                       fmt::format("'{}': nothing can be spent or used here; leave it out", base::strip_control(word)));
        }
        refuse_words(kSpentMembers[attacker_], base::unknown("token or card", word, names) + " (for this attack)");
      }
    }
    return out;
  }

  const compile::Labels& labels_;
  std::size_t attack_;
  bool attacker_;
  const Words& faces_;
};

}  // namespace

void read_reported(const data::Node& table, DecisionSpec& to) {
  const auto read = [&](const char* name, std::optional<std::string>& text) {
    const auto member = table.get(name);
    if (!member) return;
    if (!member->is(data::Value::Kind::Text)) member->fail_kind("words in quotes");
    text = member->value().text;
  };
  read("rolled", to.rolled);
  read("rerolled", to.rerolled);
  read("spent", to.spent);
  read("defense_rolled", to.defense_rolled);
  read("defense_rerolled", to.defense_rerolled);
  read("defense_spent", to.defense_spent);
}

ObservedByRole read_observed(const compile::CompiledScenario& compiled, std::size_t attack, const DecisionSpec& spec) {
  return {TextReader(compiled, attack, false).read(spec.defense_rolled, spec.defense_rerolled, spec.defense_spent),
          TextReader(compiled, attack, true).read(spec.rolled, spec.rerolled, spec.spent)};
}

// ---------------------------------------------------------------- retracing play

namespace {

template <typename Bits, typename List>
Bits bits_of(const std::optional<List>& list) {
  if (!list || list->empty()) return 0;
  const std::size_t unused = std::size_t{64} - std::min<std::size_t>(list->size(), 64);
  return static_cast<Bits>(~std::uint64_t{0} >> unused);
}

}  // namespace

Remaining all_of(const ObservedByRole& observed) {
  Remaining out;
  for (const std::size_t role : {0u, 1u}) {
    out.rolled[role] = observed[role].rolled.has_value();
    out.rerolls[role] = bits_of<std::uint16_t>(observed[role].rerolled);
    out.spent[role] = bits_of<std::uint64_t>(observed[role].spent);
  }
  return out;
}

std::optional<Remaining> after_use(const Remaining& remaining, const Observed& observed, int role,
                                   const std::string& name, bool forced) {
  for (std::uint64_t left = remaining.spent[role]; left != 0; left &= left - 1) {
    if (base::nth(*observed.spent, std::countr_zero(left)) != name) continue;
    Remaining out = remaining;
    out.spent[role] &= ~(left & ~(left - 1));
    return out;
  }
  return forced ? std::optional(remaining) : std::nullopt;
}

std::vector<std::uint16_t> rerolls_of(const std::vector<Reroll>& rerolled, std::uint16_t remaining, int n,
                                      game::Pool dice) {
  std::vector<std::uint16_t> out;
  for (unsigned chosen = 1; chosen <= remaining; ++chosen) {
    if ((chosen & ~unsigned{remaining}) != 0 || std::popcount(chosen) != n) continue;
    game::Pool before;
    for (std::size_t i = 0; i < rerolled.size(); ++i) {
      if (chosen >> i & 1u) before.add(rerolled[i].before, false, 1);
    }
    if (before == dice.unmarked()) out.push_back(static_cast<std::uint16_t>(chosen));
  }
  return out;
}

}  // namespace salvo::decide
