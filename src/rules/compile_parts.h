// The parts of compile that share a draft: ships and sides, resources, attacks and their effects.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
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
  /// The number of a choice of target or weapon, from 1; 0: none. What comes first is no attack: its attacker chooses
  /// there; the others are the attacks among which he does.
  int choice = 0;
  bool chooses = false;  ///< the choice itself
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
  int find_resource(Resource::Kind kind, int ship, int token = -1) const;
  int token_index(std::string_view id) const;
};

/// Where a key of a ship stands in the scenario: "ships.a.tokens".
std::string ship_path(const ShipDraft& ship, const std::string& key);
using text::unknown;

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
/// Whether an attack is, or may be, on the ship.
bool may_be_on(const ScenarioAttack& attack, const std::string& ship);
/// Fills Draft::attacks: the scenario's attacks, bonus attacks that cards grant, effects before engagements.
void list_attacks(Draft& draft);
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
/// Whether an effect has an operation of that verb.
inline bool has_verb(const EffectSpec& effect, Verb verb) {
  return std::any_of(effect.operations.begin(), effect.operations.end(),
                     [verb](const OperationSpec& operation) { return operation.verb == verb; });
}
/// True when an effect of a damage card is resolved when damage is suffered, whatever the ship does in the attack.
bool at_damage(const EffectSpec& effect);
/// True when the ship can have faceup damage cards in attack `number` of Draft::attacks.
bool may_have_cards(const Draft& draft, int ship, std::size_t number);
/// Creates ShipPlans and Resources.
void create_resources(Draft& draft);
/// Creates AttackPlans with steps and effects; marks the resources that they change as dynamic.
void compile_attacks(Draft& draft);
/// Throws ScenarioError when more damage cards could be dealt than the deck has: cards of destroyed ships and facedown
/// cards make a new deck when it is empty (000: Damage_Cards), and that is not played.
void refuse_empty_deck(const Draft& draft);
/// Finds which damage cards each draw has to tell apart, and creates their counts.
void settle_deck(Draft& draft);
/// Gives every dynamic resource its field in a position.
void pack_resources(Draft& draft);
/// Compiles the decision lists of roles that play by rules into every attack.
void add_policy_rules(Draft& draft);
/// Finds which resources each attack, and each attack with all later ones, can read (Plan: merging what nobody reads).
void find_readable(Plan& plan);

}  // namespace salvo::rules
