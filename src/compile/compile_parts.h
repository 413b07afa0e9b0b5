// The parts of compile that share a draft: ships and sides, resources, attacks and their effects.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/prepared.h"

namespace salvo::compile {

/// A ship of the scenario with its stat line looked up.
struct ShipDraft {
  std::string name;
  const ScenarioShip* given = nullptr;
  const load::ShipSpec* ship = nullptr;
  const load::PilotSpec* pilot = nullptr;
  std::string size = "small";
  int agility = 0, hull = 0, shields = 0;
  std::optional<int> attack;              ///< overrides the primary weapon's value
  std::vector<load::WeaponSpec> weapons;  ///< primaries
  /// Of a kind of token: how many the ship has, if the scenario, the stat line or a card says so, and how many stat
  /// line and cards bring, which is also the capacity of charges.
  struct Tokens {
    static constexpr int kNotSaid = -1;
    int n = kNotSaid, own = 0;
  };
  std::vector<Tokens> tokens;  ///< by token of the edition
  std::optional<bool> mine;
  int docked = -1, carrier = -1;             ///< the ship that is docked with it, and the one it is docked with
  std::vector<const load::CardSpec*> cards;  ///< modelled cards: ship ability, pilot, upgrades in order
  bool dealt_cards = false;                  ///< its damage is dealt as cards of the damage deck
  int lost_hull = 0;     ///< damage cards from before the scenario: hull that the stat line has more
  int lost_shields = 0;  ///< the same of its shields
};

/// An attack in the order of play: one of the scenario's, a bonus attack that a card grants without being listed, or
/// the effects before an engagement.
struct ListedAttack {
  ScenarioAttack given;
  std::string path;                        ///< in the scenario; of a bonus attack the attack it follows
  bool inserted = false;                   ///< not listed in the scenario
  std::optional<load::Window> engagement;  ///< no attack, but effects of this window
  /// Of an attack that is performed twice (003: Timing Chart): the first and the second of the two. What follows an
  /// attack follows the second.
  enum class Twice { No, First, Second } twice = Twice::No;
  bool again = false;     ///< effects before an engagement once more, against another ship: those used once a round
  bool mirrored = false;  ///< attacker and defender have changed places, and the facts with them
  /// The number of a choice of target or weapon, from 1; 0: none. What comes first is no attack: its attacker chooses
  /// there; the others are the attacks among which he does.
  int choice = 0;
  bool chooses = false;  ///< the choice itself
  /// What comes before the engagement of a round of `by`: the End Phase of the round before, and what it gains.
  bool begins_round = false;
  int by = -1, on = -1;  ///< the ships of `given`
};

/// What compile collects before the plan is complete.
struct Draft {
  const Catalogue& catalogue;
  const Scenario& scenario;
  const load::Edition& edition;
  std::string cards;             ///< the card set
  std::vector<ShipDraft> ships;  ///< in the order of their names
  std::vector<ListedAttack> attacks;
  const load::DeckSpec* deck = nullptr;                     ///< damage deck; nullptr: none
  std::vector<std::size_t> compiled;                        ///< by attack of the plan: its number among `attacks`
  std::vector<std::set<int>> deck_effects;                  ///< by attack of the plan: effects of damage cards
  std::map<std::string, std::set<std::string>> facts_read;  ///< board facts that effects asked about, by attack
  CompiledScenario out;
  ExpressionBuilder builder = {};                             ///< of the text that is being compiled
  const std::map<std::string, std::string>* facts = nullptr;  ///< of the catalogue, once something asks
  bool gains = false;                                         ///< effects of cards can give tokens
  /// The operations of cards that give tokens, by the ship that has the card.
  std::vector<std::pair<std::size_t, const load::OperationSpec*>> gain_operations = {};
  std::vector<int> exposures =
      {};  ///< by ship: how many of its facedown damage cards the cards of the scenario can expose
  /// Board facts that cards were taken to have as usual, as far as they stand in Labels::assumed_facts.
  std::vector<std::pair<const load::CardSpec*, std::string_view>> assumed = {};
  std::vector<int> token_resources = {};  ///< by ship and token: its resource, or -1
  Lifetime lasts = Lifetime::Round;

  /// The ship of a name; -1 when there is none.
  int find_ship(std::string_view name) const;
  /// The same. Throws ScenarioError at `path` when there is none.
  int ship_index(const std::string& name, const std::string& path) const;
  /// Index of a resource, or -1 when the ship has none of the kind.
  int find_resource(game::Resource::Kind kind, int ship, int token = -1) const;
  /// The resource of a token of a ship; -1 when it has none. Once resources are created.
  int token_resource(int ship, int token) const {
    if (ship < 0 || token < 0) return -1;
    return token_resources[static_cast<std::size_t>(ship) * edition.tokens.size() + static_cast<std::size_t>(token)];
  }
  int token_index(std::string_view id) const { return compile::token_index(edition, id); }
  /// Whether the catalogue has a board fact of that name.
  bool is_board_fact(const std::string& name);
};

/// Where a key of a ship stands in the scenario: "ships.a.tokens".
std::string ship_path(const ShipDraft& ship, const std::string& key);
using base::unknown;

/// Checks a number of tokens that the scenario gives a ship, at its path. Returns the token's index.
int check_token(const Draft& draft, const ShipDraft& ship, const std::string& path, const std::string& id, int n);
/// Looks up ships, pilots and cards, checks tokens and locks. Fills Draft::ships and the labels' notes.
void draft_ships(Draft& draft);
/// Finds the ships that are docked, and the weapons that their carriers have from them (000: Dock).
void dock_ships(Draft& draft);
/// Finds the side of every ship from `side` keys and who attacks whom (docs/format.md: Sides).
void assign_sides(Draft& draft);
/// Finds the damage deck and the ships that use it.
void use_deck(Draft& draft);
/// The number in Resource::token of a use of the round that effects of a card of a ship share. Effects without a name
/// of it share the first.
int use_number(const load::CardSpec& card, std::string_view use, int card_number);
/// A fact as it is told when attacker and defender change places.
std::string mirrored(std::string_view fact);
/// Whether an attack is, or may be, on the ship.
bool may_be_on(const ScenarioAttack& attack, const std::string& ship);
/// Fills Draft::attacks: the scenario's attacks, bonus attacks that cards grant, effects before engagements.
void list_attacks(Draft& draft);
/// Adds a resource with its name for labels; returns its index.
int add_resource(Draft& draft, game::Resource resource, std::string label);
/// True when a card of the scenario is one for which `flag` is set.
inline bool any_card(const Draft& draft, bool PreparedCard::*flag) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [flag](const ShipDraft& ship) {
    return std::any_of(ship.cards.begin(), ship.cards.end(),
                       [flag](const load::CardSpec* card) { return prepared(*card).*flag; });
  });
}
/// Counts of the damage cards of ship `index` that something reads.
void add_card_counts(Draft& draft, int index);
/// Faceup damage cards that ship `index` can have while something reads them.
void add_damage_cards(Draft& draft, int index);
/// True when an effect of a damage card is resolved when damage is suffered, whatever the ship does in the attack.
bool at_damage(const load::EffectSpec& effect);
/// True when the ship can have faceup damage cards in attack `number` of Draft::attacks.
bool may_have_cards(const Draft& draft, int ship, std::size_t number);
/// Creates ShipPlans and Resources.
void create_resources(Draft& draft);
/// The most of a token that a ship has at once, if no effect gives any: what it begins with, and what rounds give.
int most_stated(const Draft& draft, const ShipDraft& ship, int token);
/// Whether the ship is said to have fewer charges of a token than its capacity, and recovers them in the End Phase.
bool recovers_charges(const load::Edition& edition, const ShipDraft& ship, std::size_t token);
/// Charges of a token that the ship recovers in the End Phase.
int token_recovered(const ShipDraft& ship, std::string_view token);
/// Tokens of a kind that a ship has in a round, if it spends none and no effect gives or takes any.
int tokens_in_round(const Draft& draft, const ShipDraft& ship, int token, int round);
/// Whether a round of the scenario gives the ship a lock on the ship of that name.
bool gains_lock(const Draft& draft, const ShipDraft& ship, const std::string& on);
/// Checks what the rounds of the scenario give, and tells what they leave out.
void check_gains(Draft& draft);
/// What comes before the engagement of a round, of one ship (ListedAttack::begins_round).
game::AttackPlan compile_round_start(Draft& draft, const ListedAttack& listed);
/// Creates AttackPlans with steps and effects; marks the resources that they change as dynamic.
void compile_attacks(Draft& draft);
/// Throws ScenarioError when more damage cards could be dealt than the deck has: cards of destroyed ships and facedown
/// cards make a new deck when it is empty (000: Damage_Cards), and that is not played.
void refuse_empty_deck(const Draft& draft);
/// Finds which damage cards each draw has to tell apart, and creates their counts.
void settle_deck(Draft& draft);
/// Compiles the decision lists of roles that play by rules into every attack.
void add_policy_rules(Draft& draft);
/// Finds which resources each attack, and each attack with all later ones, can read (Plan: merging what nobody reads).
void find_readable(game::Plan& plan);

}  // namespace salvo::compile
