// The rules of a round: order, maneuvers, legal actions and attacks, damage, the End Phase. No policy decides here.
//
// The template parameter Chance supplies all random events: bool percent(slot, chance), whether an event with this
// probability in percent happens; std::size_t pick(slot, distribution), the geometry of a pair; Outcome attack(slot,
// key, outcomes), the outcome of an attack. With a damage deck also CardOutcome dealt(slot, key, outcomes, decks), the
// outcome of an attack, or of a ship that engages, with what is left of the decks. A slot identifies random bits of the
// round (BattleSetup).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "battle/battle_setup.h"
#include "battle/battle_state.h"

namespace salvo::battle {

/// A damage deck with fewer unseen cards is reshuffled. No attack draws this many.
inline constexpr int kFewCards = 12;

/// An attack that a ship can make.
struct ChosenAttack {
  int target = -1;  ///< -1: no attack
  AttackKey key;
  const Outcomes* outcomes = nullptr;
};

/// Over 40 methods, since a round has many small steps.
class Rules : public BattleSetup {
 public:
  using BattleSetup::BattleSetup;

  // ---------------------------------------------------------------- states

  BattleState start() const;
  bool one_side_gone(const BattleState& now) const { return !any(now, true) || !any(now, false); }
  /// Whether the battle is over: one side is gone, the rounds are over, or no further damage is possible.
  bool over(const BattleState& now) const;
  /// No shot of the rounds to come can do damage, as far as that is known without playing (AttackModel::can_damage).
  bool stalemate(const BattleState& now) const;
  bool any(const BattleState& now, bool mine) const;
  /// Points that a side has earned (docs/battles.md: Points).
  int points(const BattleState& now, bool mine) const;
  /// Of a battle that is over: 1 I win, 0 a draw, -1 the opponent wins.
  int result(const BattleState& now) const;
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
  FiringLines firing_lines(const BattleState& now) const { return firing_lines(now, present_ships(now)); }
  FiringLines firing_lines(const BattleState& now, const PresentShips& present) const;

  // ---------------------------------------------------------------- activation

  /// The start of a round: player order and geometry.
  template <typename Chance>
  void place(BattleState& now, const PresentShips& present, Chance& chance) const {
    const FlightRound& flight_round = flight_round_of(now);
    now.mine_first = 1;
    if (ties_) {
      now.mine_first = question_.first == FirstPlayer::Random ? chance.percent(first_slot(), 50)
                                                              : question_.first == FirstPlayer::Mine;
    }
    for (int m = 0; m < present.mine && !flight_round.certain; ++m) {
      for (int t = 0; t < present.theirs; ++t) {
        const int p = pair_of(present.my_ships[at(m)], present.his_ships[at(t)]);
        now.geometry[at(p)] = static_cast<std::uint8_t>(chance.pick(pair_slot(p), flight_round.pairs[at(p)]));
      }
    }
    if (has_help_) place_helpers(now, present, chance);
  }
  int active_at(const BattleState& now, int place) const { return activation_[now.mine_first][at(place)]; }
  /// What a ship may do after its maneuver.
  struct ManeuverResult {
    bool acts = false, focus_only = false;
  };
  template <typename Chance>
  ManeuverResult maneuver(BattleState& now, int s, Chance& chance) const {
    const FlightRound& flight_round = flight_round_of(now);
    ShipState& me = now.ship[at(s)];
    const int t = ship(s).type;
    const bool ionized = tables_->states().ionized(t, me.state);
    if (ionized) {
      me.state = static_cast<std::uint16_t>(tables_->states().after_ion(t, me.state));
    } else if (tables_->states().wants_blue(t, me.state) && chance.percent(blue_slot(s), flight_round.blue[at(s)])) {
      me.state = static_cast<std::uint16_t>(tables_->states().after_blue(t, me.state));
    }
    const bool acts =
        !chance.percent(no_action_slot(s), flight_round.no_action[at(s)]) && !tables_->states().stressed(t, me.state);
    return {acts, ionized && type_of(s).ion_focus_only};
  }
  struct Maneuver {
    double chance = 1;
    BattleState now;
    bool acts = true, focus_only = false;
  };
  /// All results of the maneuver of a ship.
  std::vector<Maneuver> maneuvers(const BattleState& now, int s) const;
  /// All actions of a ship after its maneuver that can be worth taking.
  std::vector<Action> legal_actions(const Maneuver& after, int s) const;
  void take_action(BattleState& now, int s, const Action& action) const;

  // ---------------------------------------------------------------- engagement

  /// Places in the order of the engagement; ships that are gone or cannot shoot pass.
  int places() const { return ships(); }
  int ship_at(const BattleState& now, int place) const { return engagement_[now.mine_first][at(place)]; }
  /// All attacks that a ship can make, without their outcomes.
  std::vector<ChosenAttack> legal_attacks(const BattleState& now, int s) const;
  AttackResult resolve(BattleState& now, int s, int target, const Outcome& outcome) const;
  /// After the last ship of an initiative, removes the destroyed ships (000: Simultaneous_Fire).
  void leave(BattleState& now, int place) const {
    if (last_of_initiative(now, place)) remove_destroyed(now);
  }
  bool last_of_initiative(const BattleState& now, int place) const {
    return last_of_initiative_[now.mine_first][at(place)] != 0;
  }
  /// Whether a ship is destroyed and not removed yet.
  bool any_dying(const BattleState& now) const {
    return std::any_of(now.ship.begin(), now.ship.begin() + ships(),
                       [](const ShipState& one) { return one.health == 0 && !one.gone; });
  }
  /// Replaces geometries that no later attack of this round reads, so that equivalent states are equal.
  void forget_geometry(BattleState& now, int place) const;
  /// The End Phase.
  void end(BattleState& now) const { end(now, present_ships(now)); }
  void end(BattleState& now, const PresentShips& present) const;

  // ---------------------------------------------------------------- damage decks (docs/battles.md: Damage decks)

  /// Whether damage cards of the ship act when it engages.
  bool acts(const BattleState& now, int s) const { return (now.hand[at(s)] & tables_->deck()->acts) != 0; }
  /// The decks, hands and health that an attack of the ship on the target depends on. Without a target: those that its
  /// own damage cards depend on as it engages.
  DeckState deck_state(const BattleState& now, int s, int target = -1) const {
    const auto own = at(ship(s).mine ? 0 : 1);
    DeckState out{now.seen[own], now.seen[1 - own], now.hand[at(s)], 0, now.ship[at(s)].health, 0};
    if (target >= 0) {
      out.defender_hand = now.hand[at(target)];
      out.defender_health = now.ship[at(target)].health;
    }
    return out;
  }
  /// Shuffles a deck that is nearly used up, without the faceup cards of its ships.
  void shuffle(BattleState& now) const;
  AttackKey engagement_of(const BattleState& now, int s) const;
  /// Returns the damage that the ship suffers.
  int resolve_engagement(BattleState& now, int s, const CardOutcome& dealt) const;
  void take_cards(BattleState& now, int s, int target, const CardChange& cards) const;
  /// Turns cards facedown that last until the ship had the chance to attack.
  void pass_opportunity(BattleState& now, int s) const;
  /// Looks up the ids of a hand after it changed.
  void update_hand_ids(BattleState& now, int s) const;

 protected:
  const FlightRound& flight_round_of(const BattleState& now) const {
    return flight_rounds_[std::min<std::size_t>(now.round, flight_rounds_.size() - 1)];
  }
  /// The number of the shot of `by` at `on`, or -1.
  int shot_of(const BattleState& now, int by, int on) const {
    const std::size_t p = at(pair_of(by, on));
    return flight_round_of(now).shots[p * kMaxGeometries + now.geometry[p]][by < mine_ ? 0 : 1];
  }
  /// Whether they are in range of each other, as locks require. Meaningless once one of them has engaged.
  bool near(const BattleState& now, int a, int b) const {
    const std::size_t p = at(pair_of(a, b));
    return flight_round_of(now).near[p * kMaxGeometries + now.geometry[p]] != 0;
  }
  AttackKey key_of(const BattleState& now, int by, int on, int weapon, int shot) const;

  /// Draws which ships have their helper near.
  template <typename Chance>
  void place_helpers(BattleState& now, const PresentShips& present, Chance& chance) const {
    present.each([&](int s) {
      const int helper = helper_of(ship(s).mine);
      if (helper < 0 || helper == s) return;
      const bool near =
          !now.ship[at(helper)].gone && chance.percent(help_slot(s), flight_round_of(now).near_friends[at(s)]);
      set_help(now, s, near);
    });
  }
  void set_help(BattleState& now, int s, bool helped) const {
    ShipState& one = now.ship[at(s)];
    one.state = static_cast<std::uint16_t>(tables_->states().with_help(ship(s).type, one.state, helped));
  }

 private:
  void place_damage_cards(BattleState& now) const;
  int damage(BattleState& now, int s, int n, int& points) const;
  void remove_destroyed(BattleState& now) const;
};

}  // namespace salvo::battle
