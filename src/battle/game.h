// A battle as policies play it: the rules, and which actions, targets and weapons a policy chooses.
//
// The choices of a policy are made in two steps, so that several battles can be played side by side (batch.h):
// prefetch_*() lists the table entries that a choice needs and prefetches them, then score_*(), consider() and decide()
// read them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "battle/evaluation_table.h"
#include "battle/rules.h"

namespace salvo::battle {

/// Scores that differ by less are equal: the first option wins.
inline constexpr double kSame = 1e-9;

/// What a destroyed ship misses: one shot, and another where it would still have fired in this round.
inline constexpr double kMissedShots = 1;

/// The lookup of a score of a ship against an enemy that it can shoot at, or that can shoot at it.
template <typename Place>
struct Probe {
  std::uint64_t name;   ///< the key of the entry
  Place* place;         ///< where the table would have it; null: no table
  std::uint32_t enemy;  ///< index among the enemies
  std::uint32_t lane;   ///< which of the battles played side by side
};

/// The scores that decide the action, by option of the ship. The code that fills them chooses the width of rows.
struct ActionScores {
  static constexpr std::size_t kMaxWidth = 16;
  static_assert(kMaxOptions <= kMaxWidth);
  std::array<double, kMaxBattleShips * kMaxWidth> row;  ///< dealt, by enemy that it can shoot at
  std::array<double, kMaxWidth> dealt;                  ///< the maximum of these
  std::array<double, kMaxWidth> lost;                   ///< the sum over enemies
};

/// By ship, what its enemies gain by a point of damage to it, and by destroying it. A policy that weighs every ship
/// alike has 1 and 0.
struct Weights {
  std::array<double, kMaxShips> damage{}, kill{};
};

/// One class although it is long: its parts are inlined into the loop that plays battles.
class Game : public Rules {
 public:
  Game(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget,
       const TablesSource& source = {});

  /// Tables for one thread that plays.
  EvaluationTables evaluations() const { return EvaluationTables(most_options_); }
  /// Most options of a ship.
  std::size_t most_options() const { return most_options_; }
  /// The width of ActionScores that suffices for nearly all ships.
  static constexpr std::size_t kFewOptions = 4;

  /// The start of a round, maneuvers and actions.
  template <typename Chance>
  void begin(BattleState& now, Chance& chance) const {
    place(now, present_ships(now), chance);
    const FiringLines firing = firing_lines(now);
    for (const int s : activation_[now.mine_first]) {
      if (now.ship[at(s)].gone) continue;
      const ManeuverResult flown = maneuver(now, s, chance);
      if (flown.acts) take_action(now, s, choose_action(now, s, flown.focus_only, firing, evaluations_of(chance)));
    }
  }
  /// The engagement of the ship at a place.
  template <typename Chance>
  AttackResult engage(BattleState& now, int place, Chance& chance) const {
    if constexpr (requires { &Chance::dealt; }) {
      if (tables_->deck() != nullptr) return engage_with_cards(now, place, chance);
    }
    const int s = ship_at(now, place);
    AttackResult out;
    if (!now.ship[at(s)].gone) {
      const ChosenAttack attack = choose_attack(now, s, evaluations_of(chance));
      if (attack.outcomes != nullptr)
        out = resolve(now, s, attack.target, chance.attack(attack_slot(s), attack.key, *attack.outcomes));
    }
    leave(now, place);
    return out;
  }

  // ---------------------------------------------------------------- choices

  /// The action that the ship's policy chooses. It maximizes the score of the ship's own attack, by the measure of its
  /// policy, minus the scores of attacks that enemies can make on it, by theirs. An enemy with several targets counts
  /// in part. Only the policy `sound` expects tokens of other ships to change: by the actions of enemies that act
  /// later, and by the attack that comes first of the two. `evaluations`: the tables of this thread, or null.
  Action choose_action(const BattleState& now, int s, bool focus_only, const FiringLines& firing,
                       EvaluationTables* evaluations) const;
  /// The attack of the ship's policy.
  ChosenAttack choose_attack(const BattleState& now, int s, EvaluationTables* evaluations = nullptr) const;
  /// For a solver of play: the legal actions, or only that of the ship's policy where its side has one.
  std::vector<Action> actions(const Maneuver& after, int s, EvaluationTables& evaluations) const;
  /// The same for attacks.
  std::vector<ChosenAttack> attacks(const BattleState& now, int s, EvaluationTables& evaluations) const;

  // ---------------------------------------------------------------- choices in two steps

  /// Writes the probes for the damage that the ship deals, or for the damage that it takes. Returns their end.
  Probe<double>* prefetch_dealt(const BattleState& now, int s, const FiringLines& firing, EvaluationTables* evaluations,
                                std::size_t lane, Probe<double>* to) const;
  Probe<double>* prefetch_lost(const BattleState& now, int s, const FiringLines& firing, EvaluationTables* evaluations,
                               std::size_t lane, Probe<double>* to) const;
  /// The same for the targets of its attack.
  Probe<EvaluationTables::Entry>* prefetch_targets(const BattleState& now, int s, const FiringLines& firing,
                                                   EvaluationTables* evaluations, std::size_t lane,
                                                   Probe<EvaluationTables::Entry>* to) const;

  /// A ship that chooses its action.
  struct Turn {
    const BattleState& now;
    int ship;
    const FiringLines& firing;
    ActionScores& scores;
    const Weights& weights;  ///< of its policy
  };
  /// Fills in the scores of the probes. `kWidth`: at least the most options of a ship. `turn(lane)`: whose turn it is.
  template <std::size_t kWidth, typename Table, typename TurnOf>
  void score_dealt(const Probe<double>* first, const Probe<double>* end, Table& dealt, const TurnOf& turn) const {
    for (; first != end; ++first) {
      const Turn of = turn(first->lane);
      const double* const from = dealt.row(first->place, first->name, [&](double* to) {
        find_dealt(of.now, of.ship, static_cast<int>(first->enemy), of.firing, to);
      });
      double* const row = of.scores.row.data() + first->enemy * kWidth;
      double* const most = of.scores.dealt.data();
      const double weight = of.weights.damage[at(enemies_of(of.ship).first) + first->enemy];
      for (std::size_t o = 0; o < kWidth; ++o) {
        row[o] = weight * from[o];
        most[o] = std::max(most[o], row[o]);
      }
    }
  }
  template <std::size_t kWidth, typename Table, typename TurnOf>
  void score_lost(const Probe<double>* first, const Probe<double>* end, Table& lost, const TurnOf& turn) const {
    for (; first != end; ++first) {
      const Turn of = turn(first->lane);
      const double* const from = lost.row(first->place, first->name, [&](double* to) {
        find_lost(of.now, of.ship, static_cast<int>(first->enemy), of.firing, to);
      });
      // The probability that the enemy shoots at this ship.
      const double threat =
          share_[of.firing.targets[at(enemies_of(of.ship).first) + first->enemy]] * of.weights.damage[at(of.ship)];
      double* const sum = of.scores.lost.data();
      for (std::size_t o = 0; o < kWidth; ++o) sum[o] += threat * from[o];
    }
  }
  /// The best action by these scores.
  template <std::size_t kWidth>
  Action decide(const Turn& turn, bool focus_only) const;

  /// The weights of the ship's policy.
  const Weights& weights_of(int s, const Weights& computed) const {
    return policy_of(s) == BattlePolicy::Sound ? computed : kEven;
  }
  /// Whether the policy of a side weighs ships.
  bool weighs() const { return weighs_; }
  /// Weighs the ships of both sides for the policy `sound`.
  void weigh(const BattleState& now, Weights& out) const {
    weigh_side(now, true, out);
    weigh_side(now, false, out);
  }
  void weigh_side(const BattleState& now, bool mine, Weights& out) const;
  static const Weights kEven;

  /// What an attack shoots at, and with which weapon.
  struct Target {
    int ship = -1, weapon = -1;
    bool keeps_lock = false;
    OutcomeDraw draw;
  };
  /// The best target found so far.
  struct TargetSearch {
    Target best;
    double most = BestShot().value;
    std::pair<int, int> place{kNoRank + 1, 0};  ///< in the order of targets, and its health
    const Weights* weights = &kEven;
  };
  void consider(const BattleState& now, int s, const Probe<EvaluationTables::Entry>& probe,
                TargetSearch& search) const {
    const int e = enemies_of(s).first + static_cast<int>(probe.enemy);
    BestShot here;
    if (probe.place != nullptr && probe.place->name == probe.name) {
      here = probe.place->shot;
    } else {
      here = best_shot(now, s, e, shot_of(now, s, e), policy_of(s));
      if (probe.place != nullptr) *probe.place = {probe.name, here};
    }
    const double value = search.weights->damage[at(e)] * here.value +
                         search.weights->kill[at(e)] * here.kill * strengths_[at(s)].kill[at(e)];
    bool better = here.weapon >= 0 && value > search.most + kSame;
    if (keys_[at(s)].ordered) better = here.weapon >= 0 && comes_first(now, e, better, search);
    search.most = better ? value : search.most;
    search.best.ship = better ? e : search.best.ship;
    search.best.weapon = better ? here.weapon : search.best.weapon;
    search.best.keeps_lock = better ? here.keeps_lock : search.best.keeps_lock;
    search.best.draw = better ? here.draw : search.best.draw;
  }

 private:
  /// Whether an enemy that can be attacked comes before those found so far, by the order of targets, then by health
  /// (focus-fire), then if it is `better`.
  bool comes_first(const BattleState& now, int e, bool better, TargetSearch& search) const {
    const bool weakest = policy_of(e < mine_ ? mine_ : 0) == BattlePolicy::FocusFire;
    const std::pair here{target_rank(e), weakest ? int{now.ship[at(e)].health} : 0};
    if (here > search.place || (here == search.place && !better)) return false;
    search.place = here;
    return true;
  }
  /// The evaluation table of the player, or nullptr.
  template <typename Chance>
  static EvaluationTables* evaluations_of(Chance& chance) {
    if constexpr (requires { chance.evaluations(); }) {
      return &chance.evaluations();
    } else {
      return nullptr;
    }
  }
  template <typename Chance>
  AttackResult engage_with_cards(BattleState& now, int place, Chance& chance) const {
    const int s = ship_at(now, place);
    AttackResult out;
    if (!now.ship[at(s)].gone) {
      const int slot = attack_slot(s);
      int engaged_damage = 0;
      shuffle(now);
      if (acts(now, s)) {
        const AttackKey key = engagement_of(now, s);
        engaged_damage = resolve_engagement(now, s, chance.dealt(slot, key, tables_->attack(key), deck_state(now, s)));
      }
      const ChosenAttack attack = choose_attack(now, s, evaluations_of(chance));
      if (attack.outcomes != nullptr) {
        const CardOutcome dealt = chance.dealt(slot, attack.key, *attack.outcomes, deck_state(now, s, attack.target));
        out = resolve(now, s, attack.target, dealt.outcome);
        take_cards(now, s, attack.target, dealt.cards);
      }
      out.engaged = s;
      out.engaged_damage = engaged_damage;
      pass_opportunity(now, s);
    }
    leave(now, place);
    return out;
  }

  /// The policy of a ship. For a side whose play is solved it is arbitrary: its scores are computed but not used.
  BattlePolicy policy_of(int s) const {
    if (solved(ship(s).mine)) return BattlePolicy::Greedy;
    return policy(ship(s).mine);
  }
  /// The policy that chooses its action.
  BattlePolicy action_policy_of(int s) const {
    return policy_of(s) == BattlePolicy::FocusFire ? BattlePolicy::Greedy : policy_of(s);
  }
  /// `kill_shots`: for the policy `sound`, what a kill is worth in shots at the target.
  double measure(const Outcomes& outcomes, int target, int health, BattlePolicy policy, double kill_shots) const;
  BestShot best_shot(const BattleState& now, int by, int on, int shot, BattlePolicy policy) const;
  double best_weapon(const BattleState& now, int by, int on, int state, bool lock, int shot, BattlePolicy policy,
                     const ShipState* before = nullptr) const;
  template <typename Visit>
  void each_way(const BattleState& now, int by, int on, int state, bool lock, int shot, bool keeps,
                const Visit& visit) const;
  void find_dealt(const BattleState& now, int s, int enemy, const FiringLines& firing, double* row) const;
  void find_lost(const BattleState& now, int s, int enemy, const FiringLines& firing, double* row) const;
  std::pair<int, double> best_lock(const Turn& turn, const double* dealt, std::size_t width) const;

  /// The key of an attack in the evaluation tables is the sum of a constant part of both ships, what changes of the
  /// attacker, what changes of the defender, the shot and the lock.
  struct KeyParts {
    std::uint64_t attacks = 0, defends = 0;
  };
  KeyParts key_parts(const ShipState& ship, int s) const;
  /// `chooser`: the ship whose policy measures the attack.
  std::uint64_t pair_key(int by, int on, int chooser) const;
  int first_of_strength(int s) const;
  static std::uint64_t key_of_attack(std::uint64_t pair, const KeyParts& by, const KeyParts& on, std::int64_t shot,
                                     bool lock) {
    return pair | by.attacks | on.defends | static_cast<std::uint64_t>(shot) << 3 | (lock ? 1 : 0);
  }
  bool hands_have_ids(const BattleState& now) const;
  struct ProbeGroup;
  template <typename Entry, typename Place, typename Counts>
  Probe<Entry>* fill_probes(const BattleState& now, const FiringLines& firing, const ProbeGroup& of, std::size_t lane,
                            const Place& place, const Counts& counts, Probe<Entry>* to) const;

  struct TableKeys {
    int health = 0;  ///< all bits set where an attack of the ship reads its own health, else none
    /// pair_key by enemy: of the attack on it, and of the enemy's attack when the ship chooses an action.
    std::array<std::uint64_t, kMaxBattleShips> attack{}, lost{};
    bool ordered = false;  ///< targets are taken by more than their value
  };
  std::array<TableKeys, kMaxShips> keys_;
  /// Of a ship, for the policy `sound`.
  struct Strength {
    double threat = 0;                                     ///< damage that it does in a round
    double hard = 0;                                       ///< shots that one damage to it takes
    std::array<double, kMaxShips> kill{};                  ///< by enemy: shots that destroying it saves at once
    std::array<std::pair<int, double>, kMaxShips> shot{};  ///< by enemy: usual_shot
    bool operator==(const Strength&) const = default;
  };
  std::array<Strength, kMaxShips> strengths_;
  bool weighs_ = false;
  void find_strengths();
  std::pair<int, double> usual_shot(int by, int on) const;
  double damage_in_round(const BattleState& then, int by, int on, bool lock, double taken) const;
  /// What one damage to a ship takes away in a duel at full health (weigh_side).
  double frailty(int s) const {
    const double hard = strengths_[at(s)].hard;
    return hard / (type_of(s).health() * hard + kMissedShots);
  }
  class NextRound;
  /// Whether ship s engages before ship e, for the policy `sound`, which knows that tokens spent then are gone.
  bool engages_first(const BattleState& now, int s, int e) const {
    return place_[now.mine_first][at(s)] < place_[now.mine_first][at(e)];
  }
  /// Whether ship e activates after ship s, so that its tokens are still to come.
  bool acts_later(const BattleState& now, int s, int e) const {
    return turn_[now.mine_first][at(e)] > turn_[now.mine_first][at(s)];
  }
  ShipState after_usual_action(const BattleState& now, int by, int on, int shot) const;
  ShipState expected(const BattleState& now, int s, int e, int shot) const;
  /// By "mine is first": the place in the order of activation, and in the engagement.
  std::array<std::array<int, kMaxShips>, 2> turn_{}, place_{};
  std::optional<AttackKey> usual_attack(const BattleState& now, int by, int on, int shot, bool lock) const;
  template <typename Score>
  double mean_over(const AttackKey& key, const Score& score) const;
  /// The options of a ship, as bits.
  struct OptionMasks {
    int options = 0;
    unsigned focus_only = 0, lock = 0, free_lock = 0;
    unsigned priced = 0;  ///< that not every state can pay
  };
  std::array<OptionMasks, kMaxShips> option_masks_;
  std::size_t most_options_ = 0;  ///< of a ship
  /// By set of targets the probability that a given one of them is shot at.
  static const std::array<double, 1 << kMaxBattleShips> share_;
};

}  // namespace salvo::battle
