// What cards let a ship do in its activation beyond the action of its bar: rows of cards/actions.tsv of a card set
// (docs/cards.md: Cards about actions).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load/actions.h"

namespace salvo::battle {

/// A card of a ship.
struct OwnedCard {
  std::string kind, id;  ///< "upgrade", "pilot", "ship" (its ability)
  bool operator==(const OwnedCard&) const = default;
};

/// Tokens and their number, by id of the edition, or "charge" of the card.
using TokenAmounts = std::vector<std::pair<std::string, int>>;

/// One sentence of a card.
struct ActionAbility {
  enum class When {
    After,     ///< after one of the actions `after`
    Maneuver,  ///< after the maneuver
    Stressed,  ///< `actions` can be performed with up to `most_stress` stress tokens
  };
  OwnedCard card;
  When when = When::After;
  std::vector<std::string> after;       ///< names of actions; "any"; "red": any red one; "stress": a stress token
  bool once = false;                    ///< once a round
  bool fast = false;                    ///< only after maneuvers of certain speeds
  bool though_stressed = false;         ///< its actions can be performed by a stressed ship
  std::vector<std::string> without;     ///< tokens that the ship must not have
  TokenAmounts spends, suffers, gains;  ///< `gains` may have "lock"; negative: removed
  std::vector<load::Action> actions;    ///< one of them is performed; the names "any" and "white": of the action bar
  int most_stress = 0;
  /// Whether it always happens: it costs nothing and only gives tokens.
  bool automatic() const;
};

/// Parses "after focus spend charge: red:lock". `place` names the text in messages. Throws LoadError.
ActionAbility parse_action_ability(const OwnedCard& card, std::string_view text, const std::string& place);

/// What the card set says of cards.
struct ActionCards {
  std::vector<ActionAbility> abilities;
  std::vector<OwnedCard> known;     ///< those with a row
  std::vector<OwnedCard> left_out;  ///< those that battles do not play
  std::vector<OwnedCard> friends;   ///< those that battles do not play for other ships
};

/// Throws LoadError.
ActionCards action_cards(const Catalogue& catalogue, const std::string& card_set, const std::vector<OwnedCard>& cards);

}  // namespace salvo::battle
