#include "battle/action_cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "data/message.h"
#include "load/index_file.h"

namespace salvo::battle {
namespace {

constexpr std::string_view kLeftOut = "-", kLeftOutForFriends = "- friends";

[[noreturn]] void fail_at_ability(std::string_view text, const std::string& place) {
  data::fail(place, "", 0,
             base::in_quotes(std::string(text)) +
                 " is not what a card does with actions; write it as after focus spend charge: red:lock");
}

/// Reads "force" or "charge*2".
std::pair<std::string, int> token_amount(std::string_view word, std::string_view text, const std::string& place) {
  const auto [token, number] = base::cut(word, '*');
  int n = 1;
  if (!number.empty()) {
    const auto read = std::from_chars(number.data(), number.data() + number.size(), n);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size() || n < 1) fail_at_ability(text, place);
  }
  if (!data::is_id(token)) fail_at_ability(text, place);
  return {std::string(token), n};
}

std::vector<std::string> names_in(std::string_view word) {
  std::vector<std::string> out;
  for (const std::string_view name : base::split(word, ',')) out.emplace_back(name);
  return out;
}

/// Reads the words before the colon.
void read_moment(std::string_view words, std::string_view text, const std::string& place, ActionAbility& out) {
  std::vector<std::string_view> list;
  for (const std::string_view word : base::split(words, ' ')) {
    if (!word.empty()) list.push_back(word);
  }
  bool found = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view word = list[i];
    if (word == "once" || word == "though-stressed") {
      (word == "once" ? out.once : out.though_stressed) = true;
      continue;
    }
    if (word == "maneuver" || word == "fast-maneuver") {
      found = true;
      out.when = ActionAbility::When::Maneuver;
      out.fast = word == "fast-maneuver";
      continue;
    }
    if (++i == list.size()) fail_at_ability(text, place);
    const std::string_view value = list[i];
    if (word == "after") {
      found = true;
      out.after = names_in(value);
    } else if (word == "stressed") {
      found = true;
      out.when = ActionAbility::When::Stressed;
      out.most_stress = token_amount(std::string("stress*").append(value), text, place).second;
    } else if (word == "without") {
      out.without = names_in(value);
    } else if (word == "spend") {
      out.spends.push_back(token_amount(value, text, place));
    } else if (word == "suffer") {
      out.suffers.push_back(token_amount(value, text, place));
    } else {
      fail_at_ability(text, place);
    }
  }
  if (!found) fail_at_ability(text, place);
}

/// The rows of a card in the card set, else in the first of those it is derived from that has some.
std::vector<std::string_view> rows_of(const Catalogue& catalogue, std::string_view card_set, std::string key) {
  for (const load::CardSet* set = load::card_set(card_set); set != nullptr; set = load::card_set(set->base)) {
    const std::string file = set->cards.empty() ? "actions.tsv" : fmt::format("{}-actions.tsv", set->cards);
    if (auto rows = catalogue.optional_index("cards/" + file).of(key); !rows.empty()) return rows;
    if (const auto like = catalogue.same_cards(*set).of(key); !like.empty()) key = like.front();
  }
  return {};
}

}  // namespace

bool ActionAbility::automatic() const {
  return spends.empty() && suffers.empty() && actions.empty() && when == When::After &&
         std::all_of(gains.begin(), gains.end(),
                     [](const auto& gain) { return gain.first != "lock" && gain.second > 0; });
}

ActionAbility parse_action_ability(const OwnedCard& card, std::string_view text, const std::string& place) {
  ActionAbility out{.card = card, .after = {}, .without = {}, .spends = {}, .suffers = {}, .gains = {}, .actions = {}};
  const auto [moment, what] = base::cut(text, ':');
  read_moment(moment, text, place, out);
  for (const std::string_view word : base::split(what, ' ')) {
    if (word.empty()) continue;
    if (word.front() != '+' && word.front() != '-') {
      const std::vector<load::Action> action = load::parse_actions(word, place);
      out.actions.insert(out.actions.end(), action.begin(), action.end());
      continue;
    }
    out.gains.push_back(token_amount(word.substr(1), text, place));
    if (word.front() == '-') out.gains.back().second *= -1;
  }
  if (out.actions.empty() && out.gains.empty()) fail_at_ability(text, place);
  return out;
}

ActionCards action_cards(const Catalogue& catalogue, const std::string& card_set, const std::vector<OwnedCard>& cards) {
  ActionCards out;
  for (const OwnedCard& card : cards) {
    const std::string key = card.kind + "/" + card.id;
    const std::vector<std::string_view> rows = rows_of(catalogue, card_set, key);
    if (rows.empty()) continue;
    out.known.push_back(card);
    for (const std::string_view row : rows) {
      if (row == kLeftOut) {
        out.left_out.push_back(card);
      } else if (row == kLeftOutForFriends) {
        out.friends.push_back(card);
      } else {
        out.abilities.push_back(parse_action_ability(card, row, "actions.tsv: " + key));
      }
    }
  }
  return out;
}

}  // namespace salvo::battle
