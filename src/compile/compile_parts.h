// The state of a compilation (Draft), and the phases that fill it.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
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

/// A ship of the scenario with its stat line and cards.
struct ShipDraft {
  std::string name;
  const ScenarioShip* given = nullptr;
  const load::ShipSpec* ship = nullptr;
  const load::PilotSpec* pilot = nullptr;
  std::string size = "small";
  int agility = 0, hull = 0, shields = 0;
  std::optional<int> attack;              ///< overrides the primary weapon's value
  std::vector<load::WeaponSpec> weapons;  ///< primary weapons
  /// Tokens of a kind.
  struct Tokens {
    static constexpr int kUnset = -1;
    int n = kUnset;             ///< as stated by scenario, stat line or cards; kUnset: by none
    int own = 0;                ///< from stat line and cards alone, which is also the capacity of charges
    int resource = -1;          ///< in the plan; -1: none
    mutable bool read = false;  ///< whether an effect refers to it
  };
  std::vector<Tokens> tokens;  ///< by token of the edition
  std::optional<bool> mine;
  int docked = -1, carrier = -1;  ///< ship docked with this one, and the ship this one is docked with; -1: none
  std::vector<const load::CardSpec*>
      cards;                 ///< modelled cards: ship ability, pilot, upgrades in order, conditions, aids
  bool dealt_cards = false;  ///< it has hull and uses the damage deck
  /// By card of the damage deck, if the scenario names faceup cards: those that lie faceup, and all that are known.
  std::vector<int> faceup, known;
  int hull_of_cards = 0;             ///< that the known cards took
  int facedown = 0;                  ///< facedown damage cards from the start
  int lost_hull = 0;                 ///< hull lost before the scenario: stat line minus stated hull
  int lost_shields = 0;              ///< the same for shields
  bool gains_locks = false;          ///< effects can give it locks, so that it can gain one again that it had and spent
  int exposures = 0;                 ///< most of its facedown damage cards that effects can expose
  std::uint64_t tokens_present = 0;  ///< the tokens with a resource, as need::token()
};

/// An entry of the attack sequence: an attack of the scenario, a bonus attack that a card grants without being listed,
/// or effects outside any attack.
struct SequenceEntry {
  ScenarioAttack given;
  std::string path;       ///< its place in the scenario; for a bonus attack that of the attack it follows
  bool inserted = false;  ///< not an attack of the scenario
  std::optional<load::Window> engagement;  ///< set: effects of this window instead of an attack
  /// Which of two, for a weapon that attacks twice (003: Timing Chart). Effects after an attack follow the second one.
  enum class Twice { No, First, Second } twice = Twice::No;
  bool again = false;     ///< an engagement repeated with another ship, for effects used once per round
  bool idle = false;      ///< an engagement of a ship that takes part in no attack of the round
  bool mirrored = false;  ///< attacker, defender and facts are swapped
  /// Number of the choice of target and weapon, from 1; 0: no choice. The first entry of a choice holds its options
  /// (`chooses`); the others are the attacks to choose from.
  int choice = 0;
  bool chooses = false;
  /// An entry of compile_round_start(): the End Phase of the previous round, and what `by` gains in the new one.
  bool begins_round = false;
  int by = -1, on = -1;         ///< the ships of `given` by index
  bool attacker_stays = false;  ///< the attacker stays in play until then, though it was destroyed in this round
};

/// What reads a board fact: a rule or the scenario only, or a card, too.
enum class FactReader { Rule, Card };

/// The state of a compilation before the plan is complete.
struct Draft {
  const Catalogue& catalogue;
  const Scenario& scenario;
  const load::Edition& edition;
  std::string cards;             ///< id of the card set
  std::vector<ShipDraft> ships;  ///< sorted by name
  std::vector<SequenceEntry> attacks;
  const load::DeckSpec* deck = nullptr;     ///< damage deck, or nullptr
  std::vector<std::size_t> compiled;        ///< by attack of the plan: its index in `attacks`
  std::vector<std::set<int>> deck_effects;  ///< by attack of the plan: effects of damage cards
  /// By attack path: board facts that something reads, and what.
  std::map<std::string, std::map<std::string, FactReader>> facts_read;
  CompiledScenario& out;
  ExpressionBuilder builder = {};                             ///< scratch for the current expression
  const std::map<std::string, std::string>* facts = nullptr;  ///< facts of the catalogue, once needed
  /// Board facts that the cards of ships read, once needed.
  std::optional<std::set<std::string_view>> facts_of_cards = {};
  bool gains = false;  ///< effects of cards can give tokens
  /// Operations of cards that give tokens, with the ship that has the card.
  std::vector<std::pair<std::size_t, const load::OperationSpec*>> gain_operations = {};
  /// Pairs of card and board fact that already appear in Labels::assumed_facts.
  std::vector<std::pair<const load::CardSpec*, std::string_view>> assumed = {};
  /// The value assumed for a board fact of an attack (its path): two cards may call different cases usual.
  std::map<std::pair<std::string, std::string>, bool> usual = {};
  bool reading = true;  ///< what is compiled can happen
  Lifetime lifetime = Lifetime::Round;

  /// Index of the ship with this name, or -1.
  int find_ship(std::string_view name) const;
  /// The same, but throws ScenarioError at `path` if there is none.
  int ship_index(const std::string& name, const std::string& path) const;
  /// The name printed on a card, for notes; the id of a card without one.
  std::string printed_name(const load::CardSpec& card) const;
  /// Index of a resource, or -1 if the ship has none of the kind.
  int find_resource(game::Resource::Kind kind, int ship, int token = -1) const;
  /// The resource of a token of a ship, or -1. Valid after create_resources().
  int resource_at(int ship, int token) const {
    return ship < 0 || token < 0 ? -1 : base::nth(base::nth(ships, ship).tokens, token).resource;
  }
  /// The same for an effect that refers to the token.
  int token_resource(int ship, int token) const {
    if (reading && ship >= 0 && token >= 0) base::nth(base::nth(ships, ship).tokens, token).read = true;
    return resource_at(ship, token);
  }
  int token_index(std::string_view id) const { return compile::token_index(edition, id); }
  /// Whether the catalogue has a board fact with this name.
  bool is_board_fact(const std::string& name);
};

/// The card of the weapon of an attack; nullptr for primary weapons and upgrades without a file.
inline const load::CardSpec* weapon_card(const Draft& draft, const ScenarioAttack& attack) {
  if (attack.weapon.starts_with("primary")) return nullptr;
  return draft.catalogue.card("upgrade", attack.weapon, draft.cards);
}
/// Whether the attack is a bonus attack: a card grants it, or the card of its weapon lists it as one.
inline bool is_bonus_attack(const Draft& draft, const ScenarioAttack& attack) {
  if (!attack.bonus.empty()) return true;
  const load::CardSpec* card = weapon_card(draft, attack);
  return card != nullptr && card->weapon && card->weapon->bonus;
}
/// Whether the card set has the upgrade in this slot.
bool in_slot(const Draft& draft, const std::string& upgrade, std::string_view slot);
/// The arc of an upgrade's weapon on this ship: cards turn the front arc of upgrades of a slot (verb stat).
std::string arc_on_ship(const Draft& draft, const ShipDraft& ship, const std::string& upgrade, std::string arc);
/// Whether the weapon of an attack is one that the verb bonus calls `name`; any, if that is empty.
bool is_bonus_weapon(const Draft& draft, const ShipDraft& ship, const std::string& weapon, const std::string& name);
/// The primary weapon with the highest value, among equals the first; nullptr without any.
const load::WeaponSpec* strongest(const std::vector<load::WeaponSpec>& weapons);
/// Path of a key of a ship in the scenario: "ships.a.tokens".
std::string ship_path(const ShipDraft& ship, const std::string& key);
using base::unknown;
/// The message for a word that is neither a token of the edition nor "lock".
std::string unknown_token(const load::Edition& edition, std::string_view word);

/// Takes damage cards from before the scenario off the hull. Throws ScenarioError if they destroy the ship.
void lose_hull(ShipDraft& ship, int cards);
/// Whether the ship has or can be dealt damage cards that act.
inline bool has_damage_cards(const ShipDraft& ship) { return ship.dealt_cards || !ship.faceup.empty(); }
/// Gives ships the conditions that cards assign during setup, and notes which ship has which. Battles compile attacks
/// one by one and assign no conditions.
void assign_conditions(Draft& draft);
/// Checks a stated number of tokens; errors name `path()`. Returns the token's index.
int check_token(const Draft& draft, const ShipDraft& ship, const std::function<std::string()>& path,
                const std::string& id, int n);
/// Looks up ships, pilots and cards, and checks tokens and locks. Fills Draft::ships and the notes about cards.
void draft_ships(Draft& draft);
/// Fills Labels::other_ships.
void note_other_ships(Draft& draft);
/// Resolves which ships are docked, and adds the weapons and shields that carriers get from them (000: Dock).
void dock_ships(Draft& draft);
/// Assigns every ship its side, from `side` keys and from who attacks whom (docs/format.md: Sides).
void assign_sides(Draft& draft);
/// Number of a trait in a damage deck, from 1; 0 if it has no such trait.
inline int trait_number(const load::DeckSpec& deck, std::string_view trait) {
  const auto at = std::find(deck.traits.begin(), deck.traits.end(), trait);
  return at == deck.traits.end() ? 0 : static_cast<int>(at - deck.traits.begin()) + 1;
}
/// Visits the operations with the verb stat of all cards, with their card.
template <typename Visit>
void each_stat(const std::vector<const load::CardSpec*>& cards, const Visit& visit) {
  for (const load::CardSpec* card : cards) {
    for (const load::EffectSpec& effect : card->effects) {
      for (const load::OperationSpec& operation : effect.operations) {
        if (operation.verb == load::Verb::Stat) visit(*card, operation);
      }
    }
  }
}
/// Visits the operations with which cards assign conditions during setup, with their card and effect.
template <typename Visit>
void each_condition(const std::vector<const load::CardSpec*>& cards, const Visit& visit) {
  for (const load::CardSpec* card : cards) {
    for (const load::EffectSpec& effect : card->effects) {
      for (const load::OperationSpec& operation : effect.operations) {
        if (operation.token == "condition") visit(*card, effect, operation);
      }
    }
  }
}
/// Selects the damage deck and the ships that use it. `damage_deck = "none"` has a deck only for stated faceup cards.
void find_deck(Draft& draft);
/// Places the damage cards that ships have before the scenario.
void place_faceup_cards(Draft& draft);
/// Resource::token of the uses per round that effects of a card share. Effects without `use` share one.
int use_number(const load::CardSpec& card, std::string_view use, int card_number);
/// A stated fact with attacker and defender swapped; the same fact if there is none that says this.
std::string mirrored(Draft& draft, std::string_view fact);
/// Whether the ship is a possible target of the attack.
bool may_be_on(const ScenarioAttack& attack, const std::string& ship);
/// Fills Draft::attacks: attacks of the scenario, unlisted bonus attacks, effects before engagements.
void build_attack_sequence(Draft& draft);
/// Adds a resource with its label; returns its index.
int add_resource(Draft& draft, game::Resource resource, std::string label);
/// Whether a card of the scenario has `flag` set.
inline bool any_card(const Draft& draft, bool PreparedCard::*flag) {
  return std::any_of(draft.ships.begin(), draft.ships.end(), [flag](const ShipDraft& ship) {
    return std::any_of(ship.cards.begin(), ship.cards.end(),
                       [flag](const load::CardSpec* card) { return prepared(*card).*flag; });
  });
}
/// Whether the operation damages its victim, which can deal damage cards, or exposes its cards.
inline bool deals_cards(const game::Operation& operation) {
  return operation.kind == game::Operation::Kind::Damage || operation.kind == game::Operation::Kind::Expose;
}
/// Whether an operation of an effect of the attack satisfies the predicate.
template <typename Is>
bool any_operation(const game::AttackPlan& attack, const Is& is) {
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const game::Effect& effect) {
    return std::any_of(effect.operations.begin(), effect.operations.end(), is);
  });
}
/// Adds the resources that count damage cards on ship `index`, as far as something reads them.
void add_card_counts(Draft& draft, int index);
/// Adds the resources for faceup damage cards of ship `index`.
void add_damage_cards(Draft& draft, int index);
/// Whether an effect of a damage card applies while damage is suffered, in any role.
bool resolves_with_damage(const load::EffectSpec& effect);
/// Whether the ship can have faceup damage cards in entry `number` of the attack sequence.
bool can_have_faceup_cards(const Draft& draft, int ship, std::size_t number);
/// Creates ShipPlans and Resources.
void create_resources(Draft& draft);
/// Most tokens of a kind that a ship has at once from scenario and rounds, without gains from effects.
int max_stated(const Draft& draft, const ShipDraft& ship, int token);
/// Whether the ship starts with fewer charges of a token than its capacity and recovers them in End Phases.
bool recovers_charges(const load::Edition& edition, const ShipDraft& ship, std::size_t token);
/// Charges of a token that the ship recovers in an End Phase.
int token_recovered(const ShipDraft& ship, std::string_view token);
/// Tokens of a kind of a ship in a round, if none are spent, gained or lost by effects.
int tokens_in_round(const Draft& draft, const ShipDraft& ship, int token, int round);
/// Whether a round of the scenario gives the ship a lock on `on`.
bool gains_lock(const Draft& draft, const ShipDraft& ship, const std::string& on);
/// Checks the gains of ships in rounds, and notes those that are not modelled.
void check_gains(Draft& draft);
/// The effects on one ship between two rounds (SequenceEntry::begins_round).
game::AttackPlan compile_round_start(Draft& draft, const SequenceEntry& entry);
/// Charges that the card recovers in the End Phase. For a pilot, the ship's data has the number.
int charges_recovered(const ShipDraft& ship, const load::CardSpec& card);
/// The ship's other locks than this one.
std::vector<int> other_locks(const Draft& draft, int lock);
/// Lets a gain of a lock displace the locks that the ship cannot have as well (000: Lock). If it can have several, it
/// keeps those on the ships that it attacks next, from that entry of the sequence on.
void displace_locks(const Draft& draft, std::size_t from, game::Operation& gain);
/// Fills Labels::unread_tokens.
void label_unread_tokens(Draft& draft);
/// Throws LoadError if an effect of the edition reads a board fact that the catalogue does not have.
void check_board_facts(Draft& draft);
/// Creates AttackPlans with effects and steps; marks the resources they change as dynamic.
void compile_attacks(Draft& draft);
/// Throws ScenarioError if more damage cards could be dealt than the deck has. Reshuffling cards of destroyed ships and
/// facedown cards (000: Damage_Cards) is not modelled.
void check_deck_capacity(const Draft& draft);
/// If the scenario is a roll alone, states the dice of the other role. Throws ScenarioError if it cannot be.
void play_roll_alone(const Scenario& scenario, ScenarioAttack& attack);
/// Throws ScenarioError if the scenario states the faces of a roll of another number of dice.
void check_given_rolls(const Draft& draft);
/// The number of faces that the scenario states in place of a roll, by role (0 defender, 1 attacker); -1: none.
std::array<int, 2> given_dice(const ScenarioAttack& attack);
/// Decides which damage cards each draw distinguishes, and creates their counts.
void finalize_deck(Draft& draft);
/// Compiles the decision lists of roles with PolicyKind::Rules into every attack.
void add_policy_rules(Draft& draft);
/// Liveness analysis: fills AttackPlan::reads and AttackPlan::readable.
void mark_live_resources(game::Plan& plan);

}  // namespace salvo::compile
