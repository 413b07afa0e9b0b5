// Everything about the attacks of a battle that is known before the first one is solved: ship types, the state that
// attacks read, and the plan of an attack in a position. Constant after construction.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/lru_cache.h"
#include "battle/attack_outcomes.h"
#include "salvo/provenance.h"

namespace salvo::battle {

struct AttackTablesOptions {
  std::string rules, cards;
  double budget = 5e6;  ///< transitions of one attack
  int threads = 1;      ///< that compile the attacks at the start; 0: all cores
  bool shared = false;  ///< by battles with some of the ships each: throws TablesFull when there are too many states
  std::string damage_deck = kNoDeck;  ///< as in a scenario
};

/// Over 40 methods, since there is one for each thing that attacks may read.
class AttackModel {
 public:
  /// Checks that every ship can attack and defend. Throws LoadError, ScenarioError.
  AttackModel(const Catalogue& catalogue, const AttackTablesOptions& options, const std::vector<NamedShip>& ships);

  const ShipType& type(int t) const { return base::nth(types_, t); }
  int type_of(const NamedShip& ship) const;  ///< of a ship given to the constructor
  int types() const { return static_cast<int>(types_.size()); }
  const std::vector<ShipType>& type_list() const { return types_; }
  std::size_t pair_of(int attacker, int defender) const {
    return static_cast<std::size_t>(attacker * types() + defender);
  }
  const AttackTablesOptions& options() const { return options_; }
  const Provenance& provenance() const { return provenance_; }

  /// Whether it matters that the defender is in the bullseye arc.
  bool reads_bullseye(int attacker, int defender) const { return reads_bullseye_[pair_of(attacker, defender)]; }
  /// Whether a card asks for a board fact that the battle knows.
  bool asks_known_facts() const {
    return std::any_of(facts_.begin(), facts_.end(), [](const auto& facts) { return !facts.empty(); });
  }
  /// Whether attacks between ships of type t and `other` read the health of t.
  bool reads_health(int t, int other) const { return reads_health_[pair_of(t, other)]; }
  /// Whether the attack can damage either ship, with any tokens. Ignores the position in the key.
  DamagePotential can_damage(const AttackKey& key) const;

  /// The plan of an attack by ships with these tokens; nothing where the attack cannot be made.
  std::optional<CompiledAttack> compile(const AttackKey& key, const Counts& attacker, const Counts& defender) const;

  /// The damage deck, or nullptr.
  const DeckModel* deck() const { return deck_.get(); }
  /// Whether attacks of one type on another always deal their damage cards after all dice. Their outcomes then come
  /// from two tables, one for the dice and one for the cards; otherwise a single table has both.
  bool deals_separately(int attacker, int defender) const { return deals_separately_[pair_of(attacker, defender)]; }
  /// Adds to the key the cards and health that tables distinguish.
  void add_deck(AttackKey& key, const DeckState& decks) const;
  /// The key with all cards that the whole attack reads, for simulators that roll its dice.
  AttackKey whole_key(const AttackKey& key, const DeckState& decks) const;
  /// The key of what damage cards of a ship do when it engages.
  AttackKey engagement_key(int type, int state, bool lock, std::uint64_t hand, int health) const;
  /// Sets the cards seen before the attack.
  void set_seen(const CompiledAttack& attack, const DeckState& decks, game::Resources& start) const;
  /// What happened to damage cards between the resources at the start and those at the end of an attack.
  CardChange card_change(const CompiledAttack& attack, const game::Resources& start,
                         const std::vector<int>& left) const;
  /// The Damage step of an attack on a ship of that type, by a ship without cards.
  CompiledAttack compile_dealing(int type) const;

 private:
  /// What compiling the attacks of one type on another reveals.
  struct PairFacts {
    std::vector<compile::CompiledScenario> questions;
    std::vector<bool> rolls;  ///< by weapon: rolls_freely
    bool reads_bullseye = false;
    std::set<std::string> facts;  ///< those read among the ones that a battle knows
  };
  /// A cached scenario: `name` is everything that it depends on.
  struct Compiled {
    std::vector<int> name;
    compile::CompiledScenario question;
  };
  /// Where to record which cards of hands are read.
  struct Reads {
    std::uint64_t *all_attacks = nullptr, *all_defends = nullptr;
    bool dice = false;  ///< only before damage is dealt
  };

  std::vector<std::string> facts_of(const AttackKey& key) const;
  void inspect_pairs();
  PairFacts inspect_pair(int attacker, int defender) const;
  void learn(int attacker, int defender, const PairFacts& facts);
  void note_unread_tokens();
  void note_resources(const compile::CompiledScenario& asked, int ship, ShipType& type) const;
  static void note_gains(const compile::CompiledScenario& asked, int ship, ShipType& type);
  static void sort_slots(ShipType& type);
  /// Whether an attack of the plan costs nothing and rolls dice.
  static bool rolls_freely(const game::Plan& plan);

  void inspect_pairs_with_cards();
  void note_pair(int attacker, int defender);
  void note_reads(const compile::CompiledScenario& asked, const Reads& reads);
  void find_card_fields(const std::vector<compile::CompiledScenario>& asked);
  void settle_masks();
  int known_health(int t, int other, int health) const;

  Scenario scenario(const AttackKey& key, const Counts& attacker, const Counts& defender) const;
  compile::CompiledScenario compiled(Scenario& asked) const;
  std::shared_ptr<const Compiled> compiled(const AttackKey& key, const Counts& attacker, const Counts& defender) const;
  compile::CompiledScenario compile_engagement(const AttackKey& key, const Counts& counts) const;
  CompiledAttack placed(compile::CompiledScenario question, const AttackKey& key, const Counts& attacker,
                        const Counts& defender) const;
  CompiledAttack asked(const AttackKey& key, const Counts& attacker, const Counts& defender) const;

  const Catalogue& catalogue_;
  AttackTablesOptions options_;
  const load::Edition& edition_;
  std::vector<ShipType> types_;
  std::vector<bool> reads_bullseye_;  ///< by pair of types: a card asks whether the defender is in the bullseye arc
  std::vector<std::set<std::string>> facts_;  ///< by pair of types: known board facts that cards ask for
  std::vector<bool> reads_health_;            ///< by pair of types: attacks between them read the health of the first
  std::vector<bool> reads_hull_;              ///< not its shields alone
  std::vector<std::set<std::string>> read_tokens_;  ///< by type: those of its tokens that an attack reads
  std::vector<std::vector<bool>> rolls_;            ///< by pair of types and weapon: rolls_freely of an attack
  std::unique_ptr<DeckModel> deck_;                 ///< null: no damage deck
  compile::Lifetime lifetime_ = compile::Lifetime::Round;
  std::vector<bool> deals_separately_;               ///< by pair of types
  static constexpr std::size_t kMaxCompiled = 4096;  // of some 8 KB
  mutable base::LruCache<Compiled> compiled_{kMaxCompiled};
  Provenance provenance_;
};

}  // namespace salvo::battle
