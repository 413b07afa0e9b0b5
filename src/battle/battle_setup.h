// Everything about a battle that is fixed before it begins: ships, order, points, the flight.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/index.h"
#include "battle/attack_tables.h"
#include "battle/geometry.h"
#include "load/flight_file.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// A ship of the battle.
struct Ship {
  std::string name;
  int type = 0;   ///< in the tables
  int alike = 0;  ///< the first ship of the battle of the same type
  bool mine = true;
  int initiative = 0, points = 0;
  std::vector<std::string> kinds;  ///< its kinds in flights: "jouster", "ace", "turret", "large"
};

/// Edition and card set of a battle. Throws ScenarioError where the sides have different editions.
struct GameCards {
  std::string rules, cards;
  bool operator==(const GameCards&) const = default;
};
GameCards cards_of(const Catalogue& catalogue, const BattleSide& mine, const BattleSide& theirs);

/// How errors refer to a side: the key of a request, and how their sentence begins.
struct SidePlace {
  std::string path, source;
};

/// The ships of a side, with ids in place of names of ships, pilots and upgrades, as in a scenario. Adds notes on how
/// names were interpreted. `damage_deck`: that of the battle (deck_for).
std::vector<NamedShip> named_ships(const Catalogue& catalogue, const GameCards& cards, const BattleSide& side,
                                   const SidePlace& place, const std::string& damage_deck,
                                   std::vector<std::string>& notes);

/// The damage deck of a battle: the one asked for, or core where none is and ships begin with faceup damage cards.
std::string deck_for(const std::string& asked, const std::vector<const BattleSide*>& sides);

/// What tables depend on. Their content does not depend on the battles that have used them.
struct TablesKey {
  const Catalogue* catalogue = nullptr;  ///< to which tables refer: one that moved has other tables
  GameCards cards;
  std::string damage_deck;
  std::vector<NamedShip> ships;
  bool operator==(const TablesKey&) const = default;
};

/// Tables that have the ships of a key, or null: the battle then makes its own. An empty function: always its own.
using TablesSource = std::function<std::shared_ptr<AttackTables>(const TablesKey&)>;
/// These tables, whatever the key.
inline TablesSource sharing(std::shared_ptr<AttackTables> tables) {
  return [tables = std::move(tables)](const TablesKey&) { return tables; };
}

/// Most of its more than 40 methods return a member.
class BattleSetup {
 public:
  BattleSetup(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget,
              const TablesSource& source);

  int ships() const { return count_; }
  int mine() const { return mine_; }  ///< my ships come first
  const Ship& ship(int s) const { return base::nth(ships_, s); }
  const ShipType& type_of(int s) const { return tables_->type(ship(s).type); }
  AttackTables& tables() const { return *tables_; }
  const std::shared_ptr<AttackTables>& shared_tables() const { return tables_; }
  const load::Flight& flight() const { return flight_; }
  const std::vector<FlightRound>& flight_rounds() const { return flight_rounds_; }  ///< the last one repeats
  const BattleQuestion& question() const { return question_; }
  const std::vector<std::string>& notes() const { return notes_; }
  int pair_of(int a, int d) const { return a < mine_ ? a * (ships() - mine_) + (d - mine_) : pair_of(d, a); }
  int pairs() const { return mine_ * (ships() - mine_); }
  /// Ships from the first up to the end.
  struct Range {
    int first = 0, end = 0;
  };
  Range enemies_of(int s) const { return s < mine_ ? Range{mine_, ships()} : Range{0, mine_}; }
  /// Ships of both sides share an initiative, so that player order matters.
  bool ties() const { return ties_; }
  /// Whether the same ships can shoot at each other in all rounds, as long as they are present.
  bool certain() const { return flight_rounds_.size() == 1 && flight_rounds_[0].certain; }
  /// Whether the play of the side is solved for, not given by a policy.
  bool solved(bool mine) const { return policy(mine) == BattlePolicy::Best || policy(mine) == BattlePolicy::Optimal; }
  BattlePolicy policy(bool mine) const { return mine ? question_.my_policy : question_.their_policy; }
  /// Points that the opponent earns for a ship with this much health left (docs/battles.md: Points).
  int points_lost(int s, int health) const { return lost_[at(s)][at(health)]; }

  /// Place of the ship in the order of targets of its enemies; kNoRank: not named.
  static constexpr int kNoRank = kMaxShips;
  int target_rank(int s) const { return target_ranks_[at(s)]; }
  /// Whether the player of the side names targets.
  bool names_targets(bool mine) const {
    return !(mine ? question_.my_target_order : question_.their_target_order).empty();
  }
  /// Of a set of enemies, those that ship s attacks first.
  unsigned first_targets(int s, unsigned enemies) const {
    return has_target_order_ ? named_first(s, enemies) : enemies;
  }

  /// Points of a side before the first round: what the other squad is short of the most that squads may have.
  int deficit_of_other(bool mine) const { return deficits_[mine ? 0 : 1]; }
  /// The most points of objectives that a side can earn; 0: the flight has none.
  int most_scored() const { return most_scored_; }
  bool has_objectives(int flight_round) const { return flight_round <= last_objective_; }

  /// Slots of the random bits of a round; each is used at most once.
  int first_slot() const { return 0; }
  int no_action_slot(int s) const { return 1 + s; }
  int blue_slot(int s) const { return 1 + ships() + s; }
  int pair_slot(int p) const { return 1 + 2 * ships() + p; }
  int attack_slot(int s) const { return 1 + 2 * ships() + pairs() + s; }
  /// Of a ship that has a helper.
  int help_slot(int s) const {
    int out = 1 + 3 * ships() + pairs() + s;
    for (const int helper : helpers_) out -= helper >= 0 && helper < s ? 1 : 0;
    return out;
  }
  int slots() const {
    int out = 1 + 3 * ships() + pairs();
    if (has_help_) {
      out += ships();
      for (const int helper : helpers_) out -= helper >= 0 ? 1 : 0;
    }
    return out;
  }
  /// The ship of a side that helps its friends, or -1.
  int helper_of(bool mine) const { return helpers_[mine ? 0 : 1]; }

 protected:
  BattleQuestion question_;
  load::Flight flight_;
  int mine_ = 0, count_ = 0;  ///< ships
  bool ties_ = false;
  std::vector<Ship> ships_;
  std::shared_ptr<AttackTables> tables_;
  std::vector<FlightRound> flight_rounds_;
  std::array<std::vector<int>, 2> activation_, engagement_;      ///< by "mine is first": ships in order
  std::array<std::vector<std::uint8_t>, 2> last_of_initiative_;  ///< by place of the engagement
  std::array<std::array<int, kMaxHealth + 1>, kMaxShips> lost_;  ///< points, by the health that is left
  std::array<int, 2> helpers_{-1, -1};                           ///< of my ships and the opponent's
  bool has_help_ = false, has_target_order_ = false;
  std::array<int, kMaxShips> target_ranks_{};
  std::array<int, 2> deficits_{};  ///< mine and theirs to earn
  int most_scored_ = 0;
  int last_objective_ = -1;        ///< the last round of the flight with objectives
  std::vector<int> damage_until_;  ///< by pair: the last round of the flight with possible damage; -1: none
  /// A shot that can do damage as long as its ship can pay for it.
  struct PaidShot {
    int ship, target, flight_round;
    DamagePotential price;
  };
  std::vector<PaidShot> paid_shots_;  ///< of pairs and rounds beyond damage_until_

 private:
  void add_side(const Catalogue& catalogue, const BattleSide& side, bool mine, const GameCards& set,
                std::vector<NamedShip>& ships);
  void check_damage_cards() const;
  void find_kinds(const Catalogue& catalogue, const std::string& cards, int s);
  void find_order();
  void find_points();
  void find_deficits(bool by_points);
  void find_helpers();
  void find_target_order(bool mine);
  unsigned named_first(int s, unsigned enemies) const;
  void find_objectives();
  void read_flight();
  bool fits(const load::ShipWords& words, int s) const;
  GeometryDistribution geometry_of(const load::FlightRound& round, int a, int d) const;
  template <typename Visit>
  void each_attack(int flight_round, int by, int on, const Visit& visit) const;
  void find_possible_damage();

  std::vector<std::string> notes_;
};

}  // namespace salvo::battle
