// The parts of compile that share a draft: ships and sides, resources, attacks and their effects.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/compile.h"

namespace salvo::rules {

/// A ship of the scenario with its stat line looked up.
struct ShipDraft {
  std::string name;
  const ScenarioShip* given = nullptr;
  const ShipSpec* ship = nullptr;
  const PilotSpec* pilot = nullptr;
  std::string size = "small";
  int agility = 0, hull = 0, shields = 0;
  std::optional<int> attack;        ///< overrides the primary weapon's value
  std::vector<WeaponSpec> weapons;  ///< primaries
  std::map<std::string, int> tokens;
  std::map<std::string, int> own_tokens;  ///< that stat line and cards bring: also the capacity of charges
  std::optional<bool> mine;
  int docked = -1, carrier = -1;       ///< the ship that is docked with it, and the one it is docked with
  std::vector<const CardSpec*> cards;  ///< modelled cards: ship ability, pilot, upgrades in order
  bool dealt_cards = false;            ///< its damage is dealt as cards of the damage deck
  int lost_hull = 0;                   ///< damage cards from before the scenario: hull that the stat line has more
};

/// An attack in the order of play: one of the scenario's, a bonus attack that a card grants without being listed, or
/// the effects before an engagement.
struct ListedAttack {
  ScenarioAttack given;
  std::string path;                  ///< in the scenario; of a bonus attack the attack it follows
  bool inserted = false;             ///< not listed in the scenario
  std::optional<Window> engagement;  ///< no attack, but effects of this window
  /// Of an attack that is performed twice (003: Timing Chart): the first and the second of the two. What follows an
  /// attack follows the second.
  enum class Twice { No, First, Second } twice = Twice::No;
  bool again = false;     ///< effects before an engagement once more, against another ship: those used once a round
  bool mirrored = false;  ///< attacker and defender have changed places, and the facts with them
};

/// What compile collects before the plan is complete.
struct Draft {
  const Catalogue& catalogue;
  const Scenario& scenario;
  const Edition& edition;
  std::string cards;             ///< the card set
  std::vector<ShipDraft> ships;  ///< in the order of their names
  std::vector<ListedAttack> attacks;
  const DeckSpec* deck = nullptr;                           ///< damage deck; nullptr: none
  std::vector<std::size_t> compiled;                        ///< by attack of the plan: its number among `attacks`
  std::vector<std::set<int>> deck_effects;                  ///< by attack of the plan: effects of damage cards
  std::map<std::string, std::set<std::string>> facts_read;  ///< board facts that effects asked about, by attack
  Question out;

  int ship_index(const std::string& name, const std::string& path) const;
  /// Index of a resource, or -1 when the ship has none of the kind.
  int find_resource(Resource::Kind kind, int ship, int token) const;
  int token_index(std::string_view id) const;
};

/// Where a key of a ship stands in the scenario: "ships.a.tokens".
std::string ship_path(const ShipDraft& ship, const std::string& key);
/// A message with the nearest known name: "unknown ship 'x'; did you mean 'y'?"
std::string unknown(std::string_view what, const std::string& name, const std::vector<std::string>& known);

/// Looks up ships, pilots and cards, checks tokens and locks. Fills Draft::ships and the labels' notes.
void draft_ships(Draft& draft);
/// Finds the ships that are docked, and the weapons that their carriers have from them (000: Dock).
void dock_ships(Draft& draft);
/// Finds the side of every ship from `side` keys and who attacks whom (docs/format.md: Sides).
void assign_sides(Draft& draft);
/// Finds the damage deck and the ships that use it.
void use_deck(Draft& draft);
/// A fact as it is told when attacker and defender change places.
std::string mirrored(std::string_view fact);
/// Fills Draft::attacks: the scenario's attacks, bonus attacks that cards grant, effects before engagements.
void list_attacks(Draft& draft);
/// Token numbers of flags (Resource::Kind::Flag): uses per round have the number of the card.
inline constexpr int kBonusUse = 1000;  ///< the ship's one bonus attack of the round is still to be had
inline constexpr int kMore = 1500;      ///< no bonus attack of the round was its last (OperationSpec::last)
inline constexpr int kGrant = 2000;     ///< + number of the attack: it was granted
inline constexpr int kSecond = 3000;    ///< + number of the second of two attacks: 1 the first happened, 2 and hit
/// Adds a resource with its name for labels; returns its index.
int add_resource(Draft& draft, Resource resource, std::string label);
/// How many facedown damage cards of ship `index` the cards of the scenario can expose.
int most_exposures(const Draft& draft, std::size_t index);
/// True when a condition or count of a card of the scenario has the word.
bool mentions(const Draft& draft, std::string_view word);
/// Counts of the damage cards of ship `index` that something reads.
void add_card_counts(Draft& draft, int index);
/// Faceup damage cards that ship `index` can have while something reads them.
void add_damage_cards(Draft& draft, int index);
/// True when an effect of a damage card is resolved when damage is suffered, whatever the ship does in the attack.
bool at_damage(const EffectSpec& effect);
/// True when the ship can have faceup damage cards in attack `number` of Draft::attacks.
bool may_have_cards(const Draft& draft, int ship, std::size_t number);
/// Creates ShipPlans and Resources.
void create_resources(Draft& draft);
/// Creates AttackPlans with steps and effects; marks the resources that they change as dynamic.
void compile_attacks(Draft& draft);
/// Finds which damage cards each draw has to tell apart, and creates their counts. Throws ScenarioError when more cards
/// could be dealt than a deck has.
void settle_deck(Draft& draft);
/// Gives every dynamic resource its field in a position.
void pack_resources(Draft& draft);
/// Compiles the decision lists of roles that play by rules into every attack.
void add_policy_rules(Draft& draft);
/// Finds which resources each attack, and each attack with all later ones, can read (Plan: merging what nobody reads).
void find_readable(Plan& plan);

}  // namespace salvo::rules
