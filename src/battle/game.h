// Game: the rules of a round of a battle: order, actions, who shoots whom and with what, the End Phase.
// In: a question. Out: what both engines play. Whoever plays says how chance falls (the template parameter Chance).
//
// Chance has: bool percent(slot, chance), which of a share of 100 percent; std::size_t pick(slot, cases), one of the
// cases of a flight; Outcome attack(slot, key, outcomes), what an attack does. A slot is a place among the random bits
// of the round: each is asked at most once. With a damage deck also CardOutcome dealt(slot, key, outcomes, cards), what
// an attack, or a ship that engages, does with what is left of the decks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "battle/attack_tables.h"
#include "battle/evaluation_table.h"
#include "load/flight_file.h"
#include "salvo/battle.h"

namespace salvo::battle {

inline constexpr int kMaxShips = 2 * kMaxBattleShips;
inline constexpr int kMaxPairs = kMaxBattleShips * kMaxBattleShips;

/// How two ships can stand to each other: out of range, or a range, obstructed or not, and the aims of both.
inline constexpr int kMaxCases = 1 + 4 * 2 * 3 * 3;

/// Of a damage deck: so few unseen cards, more than an attack draws, that it is shuffled anew.
inline constexpr int kFewCards = 12;

/// A number of a ship, pair or round as a place in a list.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A ship in play.
struct ShipState {
  std::uint8_t health = 0;
  std::int8_t lock = -1;  ///< the ship that it has locked
  bool gone = false;      ///< destroyed and removed
  bool destroyed_at =
      false;                ///< destroyed in this engagement; it still fires at its initiative (000: Simultaneous_Fire)
  std::uint16_t state = 0;  ///< of tokens
  std::uint8_t attacks = 0, defends = 0;  ///< names of what attacks by it and on it read of its hand; 0: nothing
  bool operator==(const ShipState&) const = default;
};

/// A battle at some point of a round.
struct BattleState {
  std::array<ShipState, kMaxShips> ship{};
  std::array<std::uint8_t, kMaxPairs> geometry{};  ///< by pair: the case of the flight
  std::uint8_t round = 0;                       ///< rounds that are over
  std::uint8_t mine_first = 1;
  std::array<std::uint64_t, kMaxShips> hand{};  ///< damage cards of ships, where there is a damage deck
  std::array<std::uint64_t, 2> seen{};          ///< cards of my deck, and of his, that were seen
  bool operator==(const BattleState&) const = default;
};

/// What an attack added to the figures of a ship.
struct AttackResult {
  int shooter = -1, target = -1;
  int damage = 0, own_damage = 0;  ///< health removed
  int points = 0;
  int engaged = -1, engaged_damage = 0;  ///< the ship whose damage cards damaged it as it engaged
};

/// How two ships stand to each other.
struct Geometry {
  int range = -1;  ///< -1: out of range
  bool obstructed = false;
  int mine = 0, theirs = 0;  ///< of the shot of my ship, and of his: 0 none, 1 in arc, 2 in the bullseye arc
  /// Number of the shot of my ship, and of his; -1: none.
  std::array<std::int8_t, 2> shots() const {
    const auto number = [this](int aim) {
      const bool can = range >= 0 && aim > 0;
      return static_cast<std::int8_t>(can ? Shot{range, obstructed, aim == 2}.number() : -1);
    };
    return {number(mine), number(theirs)};
  }
};

struct GeometryDistribution {
  std::vector<Geometry> list;
  std::vector<double> chance;
  AliasTable alias;
  /// By case the first one that is the same once my ship, or his, or both have engaged.
  std::array<std::vector<std::uint8_t>, 2> without;
};

/// A ship of the game.
struct Ship {
  std::string name;
  int type = 0;   ///< in the book
  int alike = 0;  ///< the first ship of the game that is of that type
  bool mine = true;
  int initiative = 0, points = 0;
  std::vector<std::string> kinds;
};

/// One round of the flight, by ship and pair.
struct FlightRound {
  std::array<int, kMaxShips> no_action{}, blue{};
  std::vector<GeometryDistribution> pairs;
  /// By pair and case the shots of both (Stand::shots), kMaxCases places a pair.
  std::vector<std::array<std::int8_t, 2>> shots;
  std::vector<std::uint8_t> near;  ///< by pair and case, too: they are in range of each other
  bool certain = true;             ///< each pair has one case
};

/// Who can shoot whom when ships activate. Sets of enemies have a bit for each.
struct FiringLines {
  std::array<std::array<std::int8_t, kMaxBattleShips>, kMaxShips> shot;  ///< by ship and enemy: its number, or -1
  std::array<std::uint16_t, kMaxShips> targets;                          ///< by ship: whom it can shoot at
  std::array<std::uint16_t, kMaxShips> threats;                          ///< by ship: who can shoot at it
  std::array<std::uint16_t, kMaxShips> near;                             ///< by ship: whom it can lock
};

/// Measures that differ by less are equal: the first wins.
inline constexpr double kSame = 1e-9;

/// A measure that a ship compares, of an enemy that it has a shot at, or that has one at it: what it is called, and
/// where the memory has it.
template <typename Place>
struct Probe {
  std::uint64_t name;
  Place* place;
  std::uint32_t enemy;  ///< place among the enemies
  std::uint32_t lane;   ///< which battle, of some that are played side by side
};

/// What an action is chosen by: measures by option of the ship. Rows are as wide as whoever fills them says.
struct ActionScores {
  static constexpr std::size_t kMaxWidth = 16;
  static_assert(kMaxOptions <= kMaxWidth);
  std::array<double, kMaxBattleShips * kMaxWidth> row;  ///< what is dealt, by enemy, where there is a shot at it
  std::array<double, kMaxWidth> dealt;                  ///< the most of these
  std::array<double, kMaxWidth> lost;                   ///< of all enemies
};

/// Edition and card set of a battle. Throws ScenarioError where the sides are of two editions.
struct GameCards {
  std::string rules, cards;
  bool operator==(const GameCards&) const = default;
};
GameCards cards_of(const Catalogue& catalogue, const BattleSide& mine, const BattleSide& theirs);

/// How errors call a side: the key of a request, and what begins their sentence.
struct SidePlace {
  std::string path, source;
};

/// The ships of a side, with ids for names of ships, pilots and upgrades, as in a scenario. Adds to `notes` how names
/// were read.
std::vector<ScenarioShip> named_ships(const Catalogue& catalogue, const GameCards& cards, const BattleSide& side,
                                      const SidePlace& place, std::vector<std::string>& notes);

class Game {
 public:
  /// `shared`: a book that has the ships of both sides (named_ships); without, the game makes its own.
  Game(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget,
       std::shared_ptr<AttackTables> shared = nullptr);

  int ships() const { return count_; }
  int mine() const { return mine_; }  ///< my ships come first
  const Ship& ship(int s) const { return ships_[static_cast<std::size_t>(s)]; }
  const ShipType& type_of(int s) const { return tables_->type(ship(s).type); }
  AttackTables& tables() const { return *tables_; }
  const load::Flight& flight() const { return flight_; }
  const std::vector<FlightRound>& flight_rounds() const { return flight_rounds_; }  ///< by round; the last one is repeated
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

  BattleState start() const;
  bool one_side_gone(const BattleState& now) const { return !any(now, true) || !any(now, false); }
  /// Over: one side is gone, the rounds are over, or the rest is harmless.
  bool over(const BattleState& now) const;
  /// Nobody can hurt anybody any more: no two ships get a shot in the rounds to come that could do damage, as far as
  /// that can be told without playing (Book::harm).
  bool stalemate(const BattleState& now) const;
  /// Whether the side's play is solved for, not given by a policy.
  bool solved(bool mine) const {
    const BattlePolicy policy = mine ? question_.my_policy : question_.their_policy;
    return policy == BattlePolicy::Best || policy == BattlePolicy::Optimal;
  }
  bool any(const BattleState& now, bool mine) const;

  /// Points that a side has earned: those of destroyed ships, half of those that lost half (docs/battles.md: Points).
  int points(const BattleState& now, bool mine) const;
  int points_lost(int s, int health) const { return lost_[at(s)][at(health)]; }
  /// 1: I win, 0: a draw, -1: he wins; of a battle that is over.
  int result(const BattleState& now) const;

  /// Slots of random bits of a round.
  int first_slot() const { return 0; }
  int no_action_slot(int s) const { return 1 + s; }
  int blue_slot(int s) const { return 1 + ships() + s; }
  int pair_slot(int p) const { return 1 + 2 * ships() + p; }
  int attack_slot(int s) const { return 1 + 2 * ships() + pairs() + s; }
  int slots() const { return 1 + 3 * ships() + pairs(); }

  /// Ships that are not gone. There is one place more, which is written before it is known whether it counts.
  struct PresentShips {
    std::array<std::uint16_t, kMaxBattleShips + 1> my_ships, his_ships;
    int mine = 0, theirs = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
      for (int m = 0; m < mine; ++m) visit(int{my_ships[at(m)]});
      for (int t = 0; t < theirs; ++t) visit(int{his_ships[at(t)]});
    }
  };
  PresentShips present_ships(const BattleState& now) const {
    PresentShips out;
    for (int s = 0; s < mine_; ++s) {
      out.my_ships[at(out.mine)] = static_cast<std::uint16_t>(s);
      out.mine += static_cast<int>(!now.ship[at(s)].gone);
    }
    for (int s = mine_; s < ships(); ++s) {
      out.his_ships[at(out.theirs)] = static_cast<std::uint16_t>(s);
      out.theirs += static_cast<int>(!now.ship[at(s)].gone);
    }
    return out;
  }
  /// The start of a round: player order, and where ships stand.
  template <typename Chance>
  void place(BattleState& now, Chance& chance) const {
    place(now, present_ships(now), chance);
  }
  template <typename Chance>
  void place(BattleState& now, const PresentShips& here, Chance& chance) const {
    const FlightRound& flight_round = flight_round_of(now);
    now.mine_first = 1;
    if (ties_) {
      now.mine_first = question_.first == FirstPlayer::Random ? chance.percent(first_slot(), 50)
                                                              : question_.first == FirstPlayer::Mine;
    }
    for (int m = 0; m < here.mine && !flight_round.certain; ++m) {
      for (int t = 0; t < here.theirs; ++t) {
        const int p = pair_of(here.my_ships[at(m)], here.his_ships[at(t)]);
        now.geometry[at(p)] = static_cast<std::uint8_t>(chance.pick(pair_slot(p), flight_round.pairs[at(p)]));
      }
    }
  }
  /// That, and then maneuvers and actions.
  template <typename Chance>
  void begin(BattleState& now, Chance& chance) const {
    place(now, chance);
    const FiringLines firing = firing_lines(now);
    for (const int s : activation_[now.mine_first]) {
      if (now.ship[at(s)].gone) continue;
      const ManeuverResult flown = maneuver(now, s, chance);
      if (flown.acts) take_action(now, s, choose_action(now, s, flown.focus_only, firing, evaluations_of(chance)));
    }
  }
  /// Tables for one thread that plays.
  EvaluationTables evaluations() const;
  /// Most options of a ship.
  std::size_t most_options() const { return most_options_; }
  /// The width of a Weighing for nearly all ships.
  static constexpr std::size_t kFewOptions = 4;

  /// Who can shoot whom is the same in all rounds, as far as ships are there.
  bool certain() const { return flight_rounds_.size() == 1 && flight_rounds_[0].certain; }

  /// An action: its option, -1 for none, and for a lock its target.
  using Action = std::pair<int, int>;

  /// The parts of a round, for who plays several battles side by side (batch.h).
  FiringLines firing_lines(const BattleState& now) const { return firing_lines(now, present_ships(now)); }
  FiringLines firing_lines(const BattleState& now, const PresentShips& here) const;
  struct ManeuverResult {
    bool acts = false, focus_only = false;
  };
  /// The maneuver of a ship; what it may do then.
  template <typename Chance>
  ManeuverResult maneuver(BattleState& now, int s, Chance& chance) const {
    const FlightRound& flight_round = flight_round_of(now);
    ShipState& me = now.ship[at(s)];
    const int t = ship(s).type;
    const bool ionized = tables_->ionized(t, me.state);
    if (ionized) {
      me.state = static_cast<std::uint16_t>(tables_->after_ion(t, me.state));
    } else if (tables_->wants_blue(t, me.state) && chance.percent(blue_slot(s), flight_round.blue[at(s)])) {
      me.state = static_cast<std::uint16_t>(tables_->after_blue(t, me.state));
    }
    const bool acts = !chance.percent(no_action_slot(s), flight_round.no_action[at(s)]) && !tables_->stressed(t, me.state);
    return {acts, ionized && type_of(s).ion_focus_only};
  }
  /// Writes what choosing an action will ask the memory for, and fetches it: what the ship deals, and what it loses.
  /// Returns the end. `memory`: null, or that of this thread.
  Probe<double>* prefetch_dealt(const BattleState& now, int s, const FiringLines& firing, EvaluationTables* evaluations, std::size_t lane,
                             Probe<double>* to) const;
  Probe<double>* prefetch_lost(const BattleState& now, int s, const FiringLines& firing, EvaluationTables* evaluations, std::size_t lane,
                            Probe<double>* to) const;
  /// The same for an attack.
  Probe<EvaluationTables::Entry>* prefetch_targets(const BattleState& now, int s, const FiringLines& firing, EvaluationTables* evaluations, std::size_t lane,
                                   Probe<EvaluationTables::Entry>* to) const;

  /// A ship that chooses its action.
  struct Turn {
    const BattleState& now;
    int ship;
    const FiringLines& firing;
    ActionScores& scores;
  };
  /// Fills in what was asked. `kWidth`: so many options or more than ships have. `turn(lane)` says whose turn it is.
  template <std::size_t kWidth, typename Measured, typename TurnOf>
  void score_dealt(const Probe<double>* first, const Probe<double>* end, Measured& dealt, const TurnOf& turn) const {
    for (; first != end; ++first) {
      const Turn of = turn(first->lane);
      const double* const from = dealt.row(first->place, first->name, [&](double* to) {
        find_dealt(of.now, of.ship, static_cast<int>(first->enemy), of.firing, to);
      });
      double* const row = of.scores.row.data() + first->enemy * kWidth;
      double* const most = of.scores.dealt.data();
      for (std::size_t o = 0; o < kWidth; ++o) {
        row[o] = from[o];
        most[o] = std::max(most[o], from[o]);
      }
    }
  }
  template <std::size_t kWidth, typename Measured, typename TurnOf>
  void score_lost(const Probe<double>* first, const Probe<double>* end, Measured& lost, const TurnOf& turn) const {
    for (; first != end; ++first) {
      const Turn of = turn(first->lane);
      const double* const from = lost.row(first->place, first->name, [&](double* to) {
        find_lost(of.now, of.ship, static_cast<int>(first->enemy), of.firing, to);
      });
      // How likely it is this ship that the enemy shoots at.
      const double threat = share_[of.firing.targets[at(enemies_of(of.ship).first) + first->enemy]];
      double* const sum = of.scores.lost.data();
      for (std::size_t o = 0; o < kWidth; ++o) sum[o] += threat * from[o];
    }
  }
  /// The action that is best by all that.
  template <std::size_t kWidth>
  Action decide(const Turn& turn, bool focus_only) const;

  /// What a solver of play needs, one ship after the other in the order of activation.
  int active_at(const BattleState& now, int place) const { return activation_[now.mine_first][at(place)]; }
  struct Maneuver {
    double chance = 1;
    BattleState now;
    bool acts = true, focus_only = false;
  };
  std::vector<Maneuver> maneuvers(const BattleState& now, int s) const;
  /// The one of the ship's policy. `memory`: null, or that of this thread.
  Action choose_action(const BattleState& now, int s, bool focus_only, const FiringLines& firing, EvaluationTables* evaluations) const;
  /// All that are worth a thought, or the one that the ship's policy takes.
  std::vector<Action> actions(const Maneuver& after, int s, EvaluationTables& evaluations) const;
  void take_action(BattleState& now, int s, const Action& action) const;

  /// Places in the order of the engagement; ships that are gone or cannot shoot pass.
  int places() const { return ships(); }
  int ship_at(const BattleState& now, int place) const { return engagement_[now.mine_first][at(place)]; }
  template <typename Chance>
  AttackResult engage(BattleState& now, int place, Chance& chance) const {
    if constexpr (requires { &Chance::dealt; }) {
      if (tables_->cards() != nullptr) return engage_with_cards(now, place, chance);
    }
    const int s = ship_at(now, place);
    AttackResult out;
    if (!now.ship[at(s)].gone) {
      const ChosenAttack choice = choose_attack(now, s, evaluations_of(chance));
      if (choice.outcomes != nullptr)
        out = resolve(now, s, choice, chance.attack(attack_slot(s), choice.key, *choice.outcomes));
    }
    leave(now, place);
    return out;
  }
  template <typename Chance>
  AttackResult engage_with_cards(BattleState& now, int place, Chance& chance) const {
    const int s = ship_at(now, place);
    AttackResult out;
    if (!now.ship[at(s)].gone) {
      const int slot = attack_slot(s);
      int burned = 0;
      shuffle(now);
      if (acts(now, s)) {
        const AttackKey key = engagement_of(now, s);
        burned = resolve_engagement(now, s, chance.dealt(slot, key, tables_->attack(key), deck_state(now, s)));
      }
      const ChosenAttack choice = choose_attack(now, s, evaluations_of(chance));
      if (choice.outcomes != nullptr) {
        const CardOutcome dealt = chance.dealt(slot, choice.key, *choice.outcomes, deck_state(now, s, choice.target));
        out = resolve(now, s, choice, dealt.outcome);
        take_cards(now, s, choice.target, dealt.cards);
      }
      out.engaged = s;
      out.engaged_damage = burned;
      pass_opportunity(now, s);
    }
    leave(now, place);
    return out;
  }
  /// What there is to damage cards of a ship, where there is a damage deck (docs/battles.md: Damage decks).
  /// A deck of which few cards are left is shuffled anew, without the faceup cards of its ships.
  void shuffle(BattleState& now) const;
  bool acts(const BattleState& now, int s) const { return (now.hand[at(s)] & tables_->cards()->acts) != 0; }
  AttackKey engagement_of(const BattleState& now, int s) const;
  /// The damage it does.
  int resolve_engagement(BattleState& now, int s, const CardOutcome& dealt) const;
  void take_cards(BattleState& now, int s, int target, const CardChange& cards) const;
  /// Cards turn facedown that last until the ship had the chance to attack.
  void pass_opportunity(BattleState& now, int s) const;
  /// What an attack of the ship on the target meets; without a target what the ship does as it engages.
  DeckState deck_state(const BattleState& now, int s, int target = -1) const {
    const auto own = at(ship(s).mine ? 0 : 1);
    DeckState out{now.seen[own], now.seen[1 - own], now.hand[at(s)], 0, now.ship[at(s)].health, 0};
    if (target >= 0) {
      out.defender_hand = now.hand[at(target)];
      out.defender_health = now.ship[at(target)].health;
    }
    return out;
  }
  /// Finds the names of a ship's hand after it changed.
  void update_hand_ids(BattleState& now, int s) const;
  /// After the last ship of an initiative what it destroyed is removed (000: Simultaneous_Fire).
  void leave(BattleState& now, int place) const {
    if (last_of_initiative(now, place)) remove_destroyed(now);
  }
  bool last_of_initiative(const BattleState& now, int place) const {
    return last_of_initiative_[now.mine_first][at(place)] != 0;
  }
  /// Forgets how the ships stand that have nothing to do with each other any more in this round, so that battles that
  /// go on alike are one.
  void forget(BattleState& now, int place) const;

  /// The End Phase.
  void end(BattleState& now) const { end(now, present_ships(now)); }
  void end(BattleState& now, const PresentShips& here) const;

  /// The attack that a ship makes.
  struct ChosenAttack {
    int target = -1;
    AttackKey key;
    const Outcomes* outcomes = nullptr;
  };
  ChosenAttack choose_attack(const BattleState& now, int s, EvaluationTables* evaluations = nullptr) const;
  /// That without its key.
  struct Target {
    int ship = -1, weapon = -1;
    OutcomeDraw draw;
  };
  /// The best one so far of a ship that looks for a target.
  struct TargetSearch {
    Target best;
    double most = BestShot().value;
    int least_health = kMaxHealth + 1;
  };
  void consider(const BattleState& now, int s, const Probe<EvaluationTables::Entry>& fill_probes, TargetSearch& search) const {
    const int e = enemies_of(s).first + static_cast<int>(fill_probes.enemy);
    BestShot here;
    if (fill_probes.place != nullptr && fill_probes.place->name == fill_probes.name) {
      here = fill_probes.place->shot;
    } else {
      here = best_shot(now, s, e, shot_of(now, s, e), policy_of(s));
      if (fill_probes.place != nullptr) *fill_probes.place = {fill_probes.name, here};
    }
    bool better = here.value > search.most + kSame;
    if (keys_[at(s)].weakest_first) {
      const int health = now.ship[at(e)].health;
      better = here.weapon >= 0 && (health < search.least_health || (health == search.least_health && better));
      search.least_health = better ? health : search.least_health;
    }
    search.most = better ? here.value : search.most;
    search.best.ship = better ? e : search.best.ship;
    search.best.weapon = better ? here.weapon : search.best.weapon;
    search.best.draw = better ? here.draw : search.best.draw;
  }
  /// All attacks that it could make, or the one that its policy makes.
  std::vector<ChosenAttack> shots(const BattleState& now, int s, EvaluationTables& evaluations) const;
  AttackResult resolve(BattleState& now, int s, const ChosenAttack& choice, const Outcome& outcome) const {
    return resolve(now, s, choice.target, outcome);
  }
  AttackResult resolve(BattleState& now, int s, int target, const Outcome& outcome) const;

 private:
  const FlightRound& flight_round_of(const BattleState& now) const { return flight_rounds_[std::min<std::size_t>(now.round, flight_rounds_.size() - 1)]; }

  /// That of whoever plays, where there is one.
  template <typename Chance>
  static EvaluationTables* evaluations_of(Chance& chance) {
    if constexpr (requires { chance.evaluations(); }) {
      return &chance.evaluations();
    } else {
      return nullptr;
    }
  }
  /// Shot number of `by` at `on`, or -1.
  int shot_of(const BattleState& now, int by, int on) const { return shot_of(flight_round_of(now), now, by, on); }
  int shot_of(const FlightRound& flight_round, const BattleState& now, int by, int on) const {
    const std::size_t p = at(pair_of(by, on));
    return flight_round.shots[p * kMaxCases + now.geometry[p]][by < mine_ ? 0 : 1];
  }
  /// Whether they are in range of each other, as locks ask for; of no meaning once one of them has engaged.
  bool near(const BattleState& now, int a, int b) const {
    const std::size_t p = at(pair_of(a, b));
    return flight_round_of(now).near[p * kMaxCases + now.geometry[p]] != 0;
  }
  AttackKey key_of(const BattleState& now, int by, int on, int weapon, int shot) const;
  double measure(const Outcomes& outcomes, int target, int health, BattlePolicy policy) const;
  BestShot best_shot(const BattleState& now, int by, int on, int shot, BattlePolicy policy) const;
  /// What of a ship tells attacks apart as it changes, as parts of a number: of those it makes, and of those on it.
  struct KeyParts {
    std::uint64_t attacks = 0, defends = 0;
  };
  KeyParts key_parts(const ShipState& ship, int s) const;
  /// `who`: what does not change. Nothing, but no name either, where the shot is -1.
  static std::uint64_t key_of_attack(std::uint64_t who, const KeyParts& by, const KeyParts& on, std::int64_t shot, bool lock) {
    return who | by.attacks | on.defends | static_cast<std::uint64_t>(shot) << 3 | (lock ? 1 : 0);
  }
  std::uint64_t pair_key(int by, int on, BattlePolicy policy) const;
  struct ProbeGroup;
  template <typename Entry, typename Place, typename Counts>
  Probe<Entry>* fill_probes(const BattleState& now, const FiringLines& firing, const ProbeGroup& of, std::size_t lane, const Place& place,
                  const Counts& counts, Probe<Entry>* to) const;
  std::pair<int, double> best_lock(const Turn& turn, const double* dealt, std::size_t width) const;
  void find_dealt(const BattleState& now, int s, int enemy, const FiringLines& firing, double* row) const;
  void find_lost(const BattleState& now, int s, int enemy, const FiringLines& firing, double* row) const;
  double best_weapon(const BattleState& now, int by, int on, int state, bool lock, int shot, BattlePolicy policy) const;
  void remove_destroyed(BattleState& now) const;
  bool hands_have_ids(const BattleState& now) const;
  int damage(BattleState& now, int s, int n, int& points) const;
  BattlePolicy policy_of(int s) const {
    if (solved(ship(s).mine)) return BattlePolicy::Greedy;  // what needs a policy then is not asked
    return ship(s).mine ? question_.my_policy : question_.their_policy;
  }

  /// By which an action is chosen.
  BattlePolicy action_policy_of(int s) const {
    return policy_of(s) == BattlePolicy::FocusFire ? BattlePolicy::Greedy : policy_of(s);
  }

  void add_side(const Catalogue& catalogue, const BattleSide& side, bool mine, const GameCards& set,
                std::vector<ScenarioShip>& ships);
  void find_kinds(const Catalogue& catalogue, const std::string& cards, int s);
  void find_order();
  void find_table_keys();
  void fly();
  template <typename Visit>
  void each_attack(int flight_round, int by, int on, const Visit& visit) const;
  void find_possible_damage();
  bool fits(const load::ShipWords& words, int s) const;
  GeometryDistribution geometry_of(const load::FlightRound& round, int a, int d) const;

  BattleQuestion question_;
  load::Flight flight_;
  int mine_ = 0, count_ = 0;  ///< ships
  bool ties_ = false;
  std::vector<Ship> ships_;
  std::shared_ptr<AttackTables> tables_;
  std::vector<FlightRound> flight_rounds_;
  std::array<std::vector<std::uint8_t>, 2> last_of_initiative_;  ///< by place of the engagement
  struct TableKeys {
    int health = 0;  ///< all bits set where an attack of the ship reads its own health, else none
    /// By enemy who_of: of the attack that the ship chooses, of its attack when it chooses an action, and of the
    /// enemy's then.
    std::array<std::uint64_t, kMaxBattleShips> target{}, dealt{}, lost{};
    bool weakest_first = false;  ///< of targets
  };
  std::array<TableKeys, kMaxShips> keys_;
  /// The options of a ship, as bits.
  struct OptionMasks {
    int options = 0;
    unsigned focus_only = 0, lock = 0, free_lock = 0, force = 0;
  };
  std::array<OptionMasks, kMaxShips> option_masks_;
  std::size_t most_options_ = 0;                                  ///< of a ship
  std::array<std::array<int, kMaxHealth + 1>, kMaxShips> lost_;  ///< points, by the health that is left
  /// By set of targets how likely it is one of them that is shot at.
  static const std::array<double, 1 << kMaxBattleShips> share_;
  std::vector<int> damage_until_;  ///< by pair: the last round of the flight in which one can hurt the other; -1: none
  /// A shot that could do damage as long as the ship can pay for it.
  struct PaidShot {
    int ship, target, flight_round;
    DamagePotential price;
  };
  std::vector<PaidShot> paid_shots_;                         ///< of pairs and rounds beyond hurt_until_
  std::array<std::vector<int>, 2> activation_, engagement_;  ///< by "mine is first": ships in order
  std::vector<std::string> notes_;
};

}  // namespace salvo::battle
