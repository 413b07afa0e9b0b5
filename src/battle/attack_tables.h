// Book: what each attack of a battle does, solved once for each position of tokens that matters.
// In: the kinds of ships that fight. Out: by kinds, weapon, shot and token states the outcomes with their chances.
//
// Safe to use from several threads at once: what is there is read without a lock, what is missing is solved under one,
// for each pair of kinds its own. What a table holds does not depend on who asked first, nor on which other kinds of
// ships the book has; only the numbers of states do, and nothing is computed from those.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/lru_cache.h"
#include "battle/alias.h"
#include "battle/cards.h"
#include "battle/huge_pages.h"
#include "battle/solved_attacks.h"
#include "compile/compile.h"
#include "load/actions.h"
#include "load/catalogue.h"
#include "salvo/battle.h"
#include "salvo/provenance.h"
#include "salvo/scenario.h"

namespace salvo::battle {

inline constexpr int kMaxHealth = 63;
inline constexpr int kMaxStates = 512;  ///< token states of a kind of ship
inline constexpr int kMaxOptions = 15;  ///< actions of a kind of ship, none included
inline constexpr int kShots = 16;       ///< range 0 to 3, obstructed or not, in the bullseye arc or not

/// How a ship is shot at.
struct Shot {
  int range = 2;
  bool obstructed = false, bullseye = false;
  int number() const { return range * 4 + (obstructed ? 2 : 0) + (bullseye ? 1 : 0); }
  static Shot of(int number) { return {number / 4, (number & 2) != 0, (number & 1) != 0}; }
};

/// A weapon of a kind of ship.
struct Weapon {
  std::string id;
  int min_range = 0, max_range = 3;
  bool bullseye = false;  ///< only in the bullseye arc
  bool fits(const Shot& shot) const {
    return shot.range >= min_range && shot.range <= max_range && (shot.bullseye || !bullseye);
  }
};

/// An action, with what is linked to it, as what it gives.
struct ActionOption {
  std::string name;                         ///< "focus", "barrel-roll>red:focus"; "none"
  std::vector<std::pair<int, int>> tokens;  ///< slot and number
  bool lock = false;                        ///< a lock on an enemy ship
  int stress = 0, force = 0;                ///< gained; paid
  bool focus_only = false;                  ///< it is the plain focus action, the only one of an ionized ship
};

/// How many of something countable a ship has: tokens of a kind, charges of a card, its uses in the round.
struct Slot {
  std::string label;  ///< id of the token; "charge:<card>#n", "use:<card>#n"
  int token = -1;     ///< index among the tokens of the edition
  int initial = 0, max = 0;
  game::EndPhase end = {};
  bool gained = false;  ///< an attack can give it
};

/// A kind of ship: what attacks can tell, so that ships alike share tables.
struct ShipType {
  ScenarioShip ship;
  std::string title, size;
  int hull = 0, shields = 0;
  std::vector<Weapon> weapons;
  std::vector<ActionOption> options;
  std::vector<Slot> slots;
  int stress = -1, strain = -1, deplete = -1, ion = -1, force = -1;  ///< slots; -1: none
  int ionized = 99;                                                  ///< from so many ion tokens on
  bool ion_is_blue = false, ion_focus_only = false;                  ///< TokenSpec
  int engaged = -1;      ///< slot: 1 until its effects at the start of an engagement have happened
  int health_slot = -1;  ///< slot: its health, where an attack reads it
  int health() const { return hull + shields; }
};

using Counts = std::vector<std::uint8_t>;  ///< by slot

/// One outcome of an attack.
struct Outcome {
  std::uint8_t damage = 0, own_damage = 0;   ///< of the defender, of the attacker
  std::uint16_t attacker = 0, defender = 0;  ///< token states afterwards
  bool lock : 1 = false;                     ///< the attacker has a lock on the defender
  bool lock_back : 1 = false;                ///< the defender got one on the attacker
  std::uint8_t crits : 6 = 0;                ///< of the damage, where damage cards are dealt afterwards
};
static_assert(sizeof(Outcome) == 8);

/// Draws one of the outcomes of an attack. Each lies in its cell of the alias table, so that one line of memory tells
/// most of them. It is a view of the cells of an OutcomeTable.
class OutcomeDraw {
 public:
  struct Cell {
    AliasTable::Cell alias;
    Outcome outcome;
  };
  OutcomeDraw() = default;
  /// `cells` stay where they are.
  OutcomeDraw(const Cell* cells, std::size_t size) : cells_(cells), size_(static_cast<std::uint32_t>(size)) {}
  const Outcome& pick(std::uint64_t bits) const {
    const std::size_t at = AliasTable::cell_of(bits, size_);
    return cells_[cells_[at].alias.picks(bits, at)].outcome;
  }
  /// Asks early for the cell that the bits fall into.
  void fetch(std::uint64_t bits) const { __builtin_prefetch(&cells_[AliasTable::cell_of(bits, size_)]); }

 private:
  const Cell* cells_ = nullptr;
  std::uint32_t size_ = 0;
};

class OutcomeTable {
 public:
  OutcomeTable() = default;
  /// `list` and its chances; in memory of the resource, which has to last as long as all copies.
  OutcomeTable(const std::vector<Outcome>& list, const std::vector<double>& chance, std::pmr::memory_resource* where)
      : size_(list.size()) {
    const AliasTable alias(chance);
    using Allocator = std::pmr::polymorphic_allocator<OutcomeDraw::Cell>;
    const auto cells = std::allocate_shared<OutcomeDraw::Cell[]>(Allocator(where), size_);
    for (std::size_t i = 0; i < size_; ++i) cells[static_cast<std::ptrdiff_t>(i)] = {alias[i], list[i]};
    cells_ = cells;
  }
  OutcomeDraw draw() const { return {cells_.get(), size_}; }
  const Outcome& pick(std::uint64_t bits) const { return draw().pick(bits); }

 private:
  std::shared_ptr<const OutcomeDraw::Cell[]> cells_;
  std::size_t size_ = 0;
};

/// An outcome, with what it does to damage cards.
struct CardOutcome {
  Outcome outcome;
  CardChange cards;
};

/// Outcomes that draw the same damage cards: how likely they are depends on the decks.
struct CardGroup {
  CardChange change;    ///< decks only
  double chance = 0;    ///< with whole decks
  std::size_t end = 0;  ///< of its outcomes; they begin where those of the group before end
};

/// What an attack does.
struct Outcomes {
  bool possible = false;
  OutcomeTable draw;
  std::vector<Outcome> list;
  std::vector<double> chance;                      ///< by outcome
  std::array<double, kMaxHealth + 1> at_least{};  ///< damage of the defender
  std::array<double, kMaxHealth + 1> counted{};   ///< mean damage as far as a health of so much takes it
  std::vector<CardChange> cards;                   ///< by outcome, where outcomes tell what happens to damage cards
  std::vector<CardGroup> groups;                   ///< then all of them
};

/// How an attack can hurt somebody, the attacker included.
struct DamagePotential {
  bool possible = false;
  int slot = -1, n = 0;  ///< of its price what never comes back: n of the attacker's slot; -1: there is no such part
  bool operator==(const DamagePotential&) const = default;
};

/// An attack and its position.
struct AttackKey {
  int attacker = 0, defender = 0;  ///< types
  int weapon = 0;
  int shot = 0;
  int attacker_state = 0, defender_state = 0;
  bool lock = false;
  /// With a damage deck: the faceup cards that matter (CardFields), and the health where something reads it.
  std::uint64_t attacker_hand = 0, defender_hand = 0;
  int attacker_health = 0, defender_health = 0;
  bool parted = false;  ///< the dice alone: damage cards are dealt afterwards
  bool operator==(const AttackKey&) const = default;

  /// No attack, but what damage cards do when the attacker engages.
  static constexpr int kEngages = -1;
  bool engages() const { return weapon == kEngages; }
  struct Hash {
    std::size_t operator()(const AttackKey& key) const;
  };
};

/// A key compiled: the plan of one attack, in its position.
struct CompiledAttack {
  game::Plan plan;
  compile::Labels labels;
  int attacker = 0, defender = 0;  ///< ships of the plan
};

/// The dice of a plan alone: critical damage is damage like any other.
game::Plan without_deals(game::Plan plan);

struct AttackTablesOptions {
  std::string rules, cards;
  double budget = 5e6;  ///< transitions of one attack
  int threads = 1;      ///< that learn at the start what ships have; 0: all cores
  bool shared = false;  ///< among battles of some of its ships each: with too many states it throws BookFull
  std::string damage_deck = "none";  ///< as in a scenario
};

/// A book that several battles share has no room for a state. A book of one of them may have it.
struct TablesFull : std::runtime_error {
  TablesFull() : std::runtime_error("too many states for a shared book") {}
};

class AttackTables {
 public:
  /// Checks that every ship can attack and defend. Throws LoadError, ScenarioError.
  AttackTables(const Catalogue& catalogue, const AttackTablesOptions& options, const std::vector<ScenarioShip>& ships);
  ~AttackTables();

  const ShipType& type(int t) const { return types_[static_cast<std::size_t>(t)]; }
  int type_of(const ScenarioShip& ship) const;  ///< of the ships that were given
  int types() const { return static_cast<int>(types_.size()); }
  /// Whether it makes a difference that the defender is in the bullseye arc.
  bool reads_bullseye(int attacker, int defender) const { return reads_bullseye_[pair_of(attacker, defender)]; }
  const Provenance& provenance() const { return provenance_; }

  /// Token states, by number within their type.
  int start_state(int type) const { return start_[static_cast<std::size_t>(type)]; }
  int after_action(int type, int state, int option) {
    NextState& next = steps(type, state).option[static_cast<std::size_t>(option)];
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_action(type, state, option));
  }
  int after_blue(int type, int state) {  ///< a blue maneuver
    NextState& next = steps(type, state).blue;
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_blue(type, state));
  }
  int after_ion(int type, int state) {  ///< the maneuver of an ionized ship
    NextState& next = steps(type, state).ion;
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_ion(type, state));
  }
  int after_end(int type, int state) {  ///< the End Phase
    NextState& next = steps(type, state).end;
    const int known = next.get();
    return known >= 0 ? known : next.set(find_after_end(type, state));
  }
  /// The state of a ship of type t in an attack against one of type `other`: with its health, where something reads it.
  int with_health(int t, int other, int state, int health) {
    return reads_health(t, other) && !cards_ ? with_known_health(t, state, health) : state;
  }
  bool reads_health(int t, int other) const { return reads_health_[pair_of(t, other)]; }
  bool stressed(int type, int state) const { return steps(type, state).stressed; }
  bool ionized(int type, int state) const { return steps(type, state).ionized; }
  bool wants_blue(int type, int state) const { return steps(type, state).wants_blue; }
  bool can_pay(int t, int state, int option) const {
    return type(t).options[static_cast<std::size_t>(option)].force <= steps(t, state).force;
  }
  const Counts& counts(int type, int state) const { return info(type, state).counts; }
  int state_of(int type, const Counts& counts);

  /// The outcomes of an attack, solved now if they were not. Throws PlanTooLarge.
  const Outcomes& attack(const AttackKey& key) {
    if (cards_) return attack_with_cards(key);
    std::atomic<Row*>* rows = cell_of(key).rows.load(std::memory_order_acquire);
    if (rows != nullptr) {
      Row* row = rows[row_of(key)].load(std::memory_order_acquire);
      if (row != nullptr) {
        const Outcomes* found =
            row->column[static_cast<std::size_t>(key.defender_state)].load(std::memory_order_acquire);
        if (found != nullptr) return *found;
      }
    }
    return solve(key);
  }
  /// Whether the attack can hurt anybody, whatever tokens the two ships have: what of the key is no position.
  DamagePotential can_damage(const AttackKey& key) const;
  /// The plan behind a key, for those who roll dice; nothing where the attack cannot be made.
  std::optional<CompiledAttack> question(const AttackKey& key) const;
  /// What the damage cards of a battle are, or nullptr without a damage deck.
  struct Cards {
    const load::DeckSpec* deck = nullptr;
    CardFields hand;    ///< of a ship
    DeckCounts counts;  ///< of a side
    // Masks.
    std::uint64_t all_attacks = 0, all_defends = 0;          ///< what attacks read, their deals included
    std::uint64_t attacks = 0, defends = 0, engages = 0;     ///< what attacks and engaging ships read
    std::uint64_t dice_of_attacks = 0, dice_of_defends = 0;  ///< what attacks read before damage is dealt
    std::uint64_t deals = 0, criticals = 0;                  ///< what is read then; where hits may be critical
    std::uint64_t acts = 0;                                  ///< cards that do something when a ship engages
    bool forgets = false;  ///< a card asks how many cards a ship has, or exposes them: it knows those of its attack
    std::vector<const CardFields::Field*> until_opportunity;  ///< cards that a chance to attack turns facedown
  };
  const Cards* cards() const { return cards_.get(); }
  /// Whether damage cards of attacks of one type on another are dealt after their dice, whatever the dice were: then
  /// tables tell what the dice do, and others what is dealt. Else tables tell all in one.
  bool parted(int attacker, int defender) const { return parted_[pair_of(attacker, defender)]; }
  /// Adds to a key what it has to tell with a damage deck.
  void note_cards(AttackKey& key, const DeckState& cards) const;
  /// The key of the same attack with its damage cards, for those who roll dice.
  AttackKey whole(const AttackKey& key, const DeckState& cards) const;
  /// What the damage cards of a ship do when it engages.
  AttackKey engagement(int type, int state, bool lock, std::uint64_t hand, int health) const;
  /// A short name for what attacks read of a hand; kUnnamed when there are too many.
  static constexpr std::uint8_t kNoHandId = 255;
  std::uint8_t hand_id(bool attacks, std::uint64_t hand);
  /// Sets what was seen of the decks before the attack.
  void set_seen(const CompiledAttack& asked, const DeckState& cards, game::Resources& start) const;
  /// What happened to damage cards, from the resources at the start and the end of the attack.
  CardChange card_change(const CompiledAttack& asked, const game::Resources& start, const std::vector<int>& left) const;
  /// The number of the outcome that happens: `uniform` is from 0 to below 1.
  std::size_t pick(const Outcomes& outcomes, const DeckState& cards, double uniform) const;
  /// What is dealt after the dice came to `outcome`: outcomes of the defender's damage with the number of the tokens
  /// that it gains for its state. Null: no card is drawn that anything reads.
  const Outcomes* dealt(const AttackKey& key, const Outcome& outcome, const DeckState& cards);
  /// The dice, and what was dealt after them.
  CardOutcome with_dealt(const AttackKey& key, Outcome dice, const Outcomes& dealt, std::size_t number);
  /// What the table of the attack says of its outcomes: visit(CardOutcome, probability).
  template <typename Visit>
  void each_outcome(const AttackKey& key, const Outcomes& outcomes, const DeckState& cards, const Visit& visit) {
    for (std::size_t o = 0; o < outcomes.list.size(); ++o) {
      if (!outcomes.groups.empty()) {
        const double p = outcomes.chance[o] * cards_->counts.ratio(outcomes.cards[o], cards);
        if (p > 0) visit(CardOutcome{outcomes.list[o], outcomes.cards[o]}, p);
      } else if (const Outcomes* after = dealt(key, outcomes.list[o], cards)) {
        for (std::size_t i = 0; i < after->list.size(); ++i) {
          const double p = outcomes.chance[o] * after->chance[i] * cards_->counts.ratio(after->cards[i], cards);
          if (p > 0) visit(with_dealt(key, outcomes.list[o], *after, i), p);
        }
      } else {
        visit(CardOutcome{outcomes.list[o], {}}, outcomes.chance[o]);
      }
    }
  }

  /// What is left after the attack, from the resources at its end.
  Outcome outcome_of(const AttackKey& key, const CompiledAttack& asked, const std::vector<int>& left, int damage,
                     int own_damage);
  std::size_t solved() const { return solved_.load(); }  ///< tables
  /// Forgets what attacks of one type on another do. Not while somebody plays with it.
  void forget(int attacker, int defender);

 private:
  /// The number of a state that follows another one, found when it is first asked for.
  class NextState {
   public:
    /// The number, or less than 0. What it says of the state is there for whoever reads it.
    int get() const { return number_.load(std::memory_order_acquire); }
    int set(int number) {
      number_.store(static_cast<std::int16_t>(number), std::memory_order_release);
      return number;
    }

   private:
    static_assert(kMaxStates <= std::numeric_limits<std::int16_t>::max());
    std::atomic<std::int16_t> number_{-1};
  };
  struct StateInfo {
    Counts counts;
    std::array<NextState, kMaxHealth + 1> health;
  };
  /// What each ship asks of its state in each round, all states of a type side by side, in few cache lines.
  struct Steps {
    bool stressed = false, ionized = false, wants_blue = false;
    std::uint8_t force = 0;
    NextState end, blue, ion;
    std::array<NextState, kMaxOptions> option;
  };
  struct States {
    std::mutex mutex;
    std::map<Counts, int> numbers;
    std::vector<std::unique_ptr<StateInfo>> list;  ///< kMaxStates places
  };
  struct Row {
    std::array<std::atomic<const Outcomes*>, kMaxStates> column{};
  };
  struct Cell {
    std::atomic<std::atomic<Row*>*> rows{nullptr};
  };
  /// The tables of one type against another.
  struct Against {
    std::mutex mutex;
    std::vector<Cell> cells;  ///< by weapon and shot
    std::vector<std::shared_ptr<std::atomic<Row*>[]>> rows;
    std::vector<std::shared_ptr<Row>> row;
    std::vector<std::shared_ptr<const Outcomes>> outcomes;
    std::unordered_map<AttackKey, std::unique_ptr<const Outcomes>, AttackKey::Hash> with_cards;
  };
  /// What compiling the attacks of one type on another tells.
  struct PairFacts {
    std::vector<compile::CompiledScenario> questions;
    std::vector<bool> rolls;  ///< by weapon: free_dice
    bool reads_bullseye = false;
  };

  void look_up(const std::vector<ScenarioShip>& ships);
  void find_weapons(ShipType& type) const;
  void find_options(ShipType& type) const;
  void inspect_pairs();
  void inspect_pairs_with_cards();
  void find_card_fields(const std::vector<compile::CompiledScenario>& asked);
  /// An attack as it was compiled, and what its scenario tells.
  struct Compiled {
    std::vector<int> name;
    compile::CompiledScenario question;
  };
  /// Where to note what of hands is read.
  struct Reads {
    std::uint64_t *all_attacks = nullptr, *all_defends = nullptr;
    bool dice = false;  ///< before damage is dealt
  };
  void note_reads(const compile::CompiledScenario& asked, const Reads& reads);
  void note_pair(int attacker, int defender);
  void settle_masks();
  compile::CompiledScenario engagement(const AttackKey& key, const Counts& counts) const;
  int known_health(int t, int other, int health) const;
  void note_deals(int type);
  compile::CompiledScenario dealing_question(int type) const;
  Outcomes solved_deals(int type, std::uint64_t hand, int shields, int hits, int crits);
  const Outcomes& attack_with_cards(const AttackKey& key);
  void group_outcomes(Outcomes& outcomes) const;
  compile::CompiledScenario compiled(Scenario& asked) const;
  std::shared_ptr<const Compiled> compiled(const AttackKey& key, const Counts& attacker, const Counts& defender) const;
  std::optional<CompiledAttack> question_with_cards(const AttackKey& key) const;
  CompiledAttack placed(compile::CompiledScenario question, const AttackKey& key, const Counts& attacker,
                        const Counts& defender) const;
  PairFacts inspect_pair(int attacker, int defender) const;
  void learn(int attacker, int defender, const PairFacts& facts);
  static void sort_slots(ShipType& type);
  void start_slots(ShipType& type) const;
  void note_resources(const compile::CompiledScenario& asked, int ship, ShipType& type) const;
  static void note_gains(const compile::CompiledScenario& asked, int ship, ShipType& type);
  /// Whether there is an attack that costs nothing and has dice.
  static bool rolls_freely(const game::Plan& plan);
  Scenario scenario(const AttackKey& key, const Counts& attacker, const Counts& defender) const;
  CompiledAttack asked(const AttackKey& key, const Counts& attacker, const Counts& defender) const;
  const StateInfo& info(int type, int state) const {
    return *states_[static_cast<std::size_t>(type)]->list[static_cast<std::size_t>(state)];
  }
  StateInfo& info(int type, int state) {
    return *states_[static_cast<std::size_t>(type)]->list[static_cast<std::size_t>(state)];
  }
  Cell& cell_of(const AttackKey& key) {
    return against_[pair_of(key.attacker, key.defender)]
        .cells[static_cast<std::size_t>(key.weapon * kShots + key.shot)];
  }
  static std::size_t row_of(const AttackKey& key) {
    return static_cast<std::size_t>(key.attacker_state * 2 + (key.lock ? 1 : 0));
  }
  std::size_t pair_of(int attacker, int defender) const {
    return static_cast<std::size_t>(attacker * types() + defender);
  }
  Steps& steps(int type, int state) const { return steps_[static_cast<std::size_t>(type * kMaxStates + state)]; }
  int with_known_health(int type, int state, int health);
  /// The state that `change(Counts&)` makes of a state.
  template <typename Change>
  int changed_state(int t, int state, const Change& change);
  int find_after_action(int t, int state, int option);
  int find_after_blue(int t, int state);
  static void fly_blue(const ShipType& type, Counts& counts);
  int find_after_ion(int t, int state);
  int find_after_end(int t, int state);
  const Outcomes& solve(const AttackKey& key);
  Outcomes solved_outcomes(const AttackKey& key);

  const Catalogue& catalogue_;
  AttackTablesOptions options_;
  const load::Edition& edition_;
  std::vector<ShipType> types_;
  std::vector<int> start_;
  std::vector<std::unique_ptr<States>> states_;
  std::unique_ptr<Steps[]> steps_;        ///< by type, kMaxStates each
  TablePool pool_;                        ///< of what is in these
  std::vector<Against> against_;          ///< by pair of types
  std::vector<bool> reads_bullseye_;      ///< by pair of types: a card asks whether the defender is in the bullseye arc
  std::vector<bool> reads_health_;        ///< by pair of types: attacks between them read the health of the first
  std::vector<bool> reads_hull_;          ///< not its shields alone
  std::vector<std::vector<bool>> rolls_;  ///< by pair of types and weapon: free_dice of an attack
  std::unique_ptr<Cards> cards_;          ///< null: no damage deck
  compile::Lifetime lasts_ = compile::Lifetime::Round;
  std::vector<bool> parted_;  ///< by pair of types
  /// What is dealt to a type, as an attack on it from its damage on, and tables by hand, shields, hits and crits.
  struct Dealing {
    CompiledAttack asked;
    std::mutex mutex;
    std::map<std::array<std::uint64_t, 4>, std::unique_ptr<const Outcomes>> known;
    std::vector<Counts> gained;                           ///< by number: tokens
    std::map<std::pair<int, int>, std::uint16_t> states;  ///< by state and number of tokens
  };
  std::vector<std::unique_ptr<Dealing>> dealing_;  ///< by type
  std::mutex hands_mutex_;
  std::array<std::map<std::uint64_t, std::uint8_t>, 2> hand_ids_;
  std::atomic<std::size_t> solved_{0};
  SolvedAttacks attacks_;                            ///< of all tables
  static constexpr std::size_t kMaxCompiled = 4096;  // of some 8 KB
  mutable base::LruCache<Compiled> compiled_{kMaxCompiled};
  Provenance provenance_;
};

}  // namespace salvo::battle
