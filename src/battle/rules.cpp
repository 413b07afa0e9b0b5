#include "battle/rules.h"

#include <algorithm>

#include "base/index.h"
#include "compile/ships.h"

namespace salvo::battle {

// ---------------------------------------------------------------- states

BattleState Rules::start() const {
  BattleState out;
  for (int s = 0; s < ships(); ++s) {
    out.ship[at(s)].health = static_cast<std::uint8_t>(type_of(s).health());
    out.ship[at(s)].state = static_cast<std::uint16_t>(tables_->states().start_state(ship(s).type));
  }
  for (int s = ships(); s < kMaxShips; ++s) out.ship[at(s)].gone = true;
  if (tables_->deck() != nullptr) place_damage_cards(out);
  return out;
}

/// The damage cards that lie on ships from the start.
void Rules::place_damage_cards(BattleState& now) const {
  const DeckModel& dealt = *tables_->deck();
  for (int s = 0; s < ships(); ++s) {
    const ShipType& type = type_of(s);
    for (int card = 0; card < static_cast<int>(type.known.size()); ++card) {
      const int lying = base::nth(type.faceup, card), known = base::nth(type.known, card);
      const auto* field = dealt.hand.find(game::Resource::Kind::Card, card);
      if (field != nullptr && lying > 0) now.hand[at(s)] += CardFields::change(*field, lying);
      std::uint64_t& seen = now.seen[ship(s).mine ? 0 : 1];
      const auto* count = dealt.counts.seen.find(game::Resource::Kind::Seen, compile::seen_kind(*dealt.deck, card));
      if (count != nullptr && known > 0)
        seen += CardFields::change(*count, std::min(known, count->max - CardFields::get(seen, *count)));
    }
    update_hand_ids(now, s);
  }
}

bool Rules::any(const BattleState& now, bool mine) const {
  for (int s = mine ? 0 : mine_; s < (mine ? mine_ : ships()); ++s) {
    if (!now.ship[at(s)].gone) return true;
  }
  return false;
}

bool Rules::over(const BattleState& now) const {
  const int enough = question_.score.end_points;
  return now.round >= question_.rounds || one_side_gone(now) || stalemate(now) ||
         (enough > 0 && std::max(points(now, true), points(now, false)) >= enough);
}

bool Rules::stalemate(const BattleState& now) const {
  const int flight_round = std::min(static_cast<int>(now.round), static_cast<int>(flight_rounds_.size()) - 1);
  if (has_objectives(flight_round)) return false;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      if (!now.ship[at(a)].gone && !now.ship[at(d)].gone && damage_until_[at(pair_of(a, d))] >= flight_round)
        return false;
    }
  }
  const auto can_be_made = [&](const PaidShot& shot) {
    const ShipState& me = now.ship[at(shot.ship)];
    return shot.flight_round >= flight_round && !me.gone && !now.ship[at(shot.target)].gone &&
           tables_->states().counts(ship(shot.ship).type, me.state)[at(shot.price.slot)] >= shot.price.n;
  };
  if (std::any_of(paid_shots_.begin(), paid_shots_.end(), can_be_made)) return false;
  for (int s = 0; s < ships() && tables_->deck() != nullptr; ++s) {
    if (!now.ship[at(s)].gone && acts(now, s)) return false;  // its own damage cards can damage it
  }
  return true;
}

int Rules::points(const BattleState& now, bool mine) const {
  int out = deficit_of_other(mine) + now.scored[mine ? 0 : 1];
  for (int s = mine ? mine_ : 0; s < (mine ? ships() : mine_); ++s) out += points_lost(s, now.ship[at(s)].health);
  return out;
}

int Rules::result(const BattleState& now) const {
  const bool me = any(now, true), him = any(now, false);
  if (me != him && question_.score.win == BattleWin::LastStanding) return me ? 1 : -1;
  const int mine = points(now, true), theirs = points(now, false);
  return mine > theirs ? 1 : mine < theirs ? -1 : 0;
}

FiringLines Rules::firing_lines(const BattleState& now, const PresentShips& present) const {
  const FlightRound& flight_round = flight_round_of(now);
  FiringLines out;
  out.targets.fill(0);
  out.threats.fill(0);
  out.near.fill(0);
  for (int s = 0; s < ships(); ++s) out.shot[at(s)].fill(-1);
  const auto note = [&](int by, int own, int on, int place, std::int8_t shot) {
    const unsigned can = static_cast<unsigned>(shot >= 0);
    out.shot[at(by)][at(place)] = shot;
    out.targets[at(by)] = static_cast<std::uint16_t>(out.targets[at(by)] | can << place);
    out.threats[at(on)] = static_cast<std::uint16_t>(out.threats[at(on)] | can << own);
  };
  for (int m = 0; m < present.mine; ++m) {
    const int a = present.my_ships[at(m)];
    for (int t = 0; t < present.theirs; ++t) {
      const int d = present.his_ships[at(t)], place = d - mine_;
      const std::size_t p = at(a * (ships() - mine_) + place);
      const auto geometry = flight_round.shots[p * kMaxGeometries + now.geometry[p]];
      note(a, a, d, place, geometry[0]);
      note(d, place, a, a, geometry[1]);
      const unsigned lockable = flight_round.near[p * kMaxGeometries + now.geometry[p]];
      out.near[at(a)] = static_cast<std::uint16_t>(out.near[at(a)] | lockable << place);
      out.near[at(d)] = static_cast<std::uint16_t>(out.near[at(d)] | lockable << a);
    }
  }
  return out;
}

// ---------------------------------------------------------------- activation

std::vector<Rules::Maneuver> Rules::maneuvers(const BattleState& now, int s) const {
  const FlightRound& flight_round = flight_round_of(now);
  const int t = ship(s).type;
  const ShipState& me = now.ship[at(s)];
  std::vector<Maneuver> flown{{.now = now}};
  const auto set = [&](Maneuver& one, int state) { one.now.ship[at(s)].state = static_cast<std::uint16_t>(state); };
  if (tables_->states().ionized(t, me.state)) {
    flown[0].focus_only = type_of(s).ion_focus_only;
    set(flown[0], tables_->states().after_ion(t, me.state));
  } else if (tables_->states().wants_blue(t, me.state) && flight_round.blue[at(s)] > 0) {
    flown.push_back(flown[0]);
    flown[0].chance = 1 - flight_round.blue[at(s)] / 100.0;
    flown[1].chance = flight_round.blue[at(s)] / 100.0;
    set(flown[1], tables_->states().after_blue(t, me.state));
  }
  std::vector<Maneuver> out;
  for (const Maneuver& one : flown) {
    for (const bool acts : {true, false}) {
      const double none = flight_round.no_action[at(s)] / 100.0, chance = one.chance * (acts ? 1 - none : none);
      if (chance <= 0) continue;
      out.push_back(one);
      out.back().chance = chance;
      out.back().acts = acts && !tables_->states().stressed(t, one.now.ship[at(s)].state);
    }
  }
  return out;
}

std::vector<Action> Rules::legal_actions(const Maneuver& after, int s) const {
  if (!after.acts) return {Action()};
  const BattleState& now = after.now;
  const ShipType& type = type_of(s);
  std::vector<Action> out;
  bool free = false;  // an action that costs nothing makes doing nothing pointless
  for (std::size_t o = 0; o < type.options.size(); ++o) {
    const ActionOption& option = type.options[o];
    if (after.focus_only && !option.focus_only) continue;
    if (!tables_->states().can_pay(ship(s).type, now.ship[at(s)].state, static_cast<int>(o))) continue;
    const bool nothing = !option.gives();
    if (nothing && free) continue;
    free = free || (!nothing && option.free());
    if (!option.lock) out.push_back({static_cast<int>(o), -1});
    for (int e = ship(s).mine ? mine_ : 0; option.lock && e < (ship(s).mine ? ships() : mine_); ++e) {
      if (!now.ship[at(e)].gone && near(now, s, e)) out.push_back({static_cast<int>(o), e});
    }
  }
  if (out.empty()) out.emplace_back();
  return out;
}

void Rules::take_action(BattleState& now, int s, const Action& action) const {
  ShipState& me = now.ship[at(s)];
  if (action.option < 0) return;
  me.state = static_cast<std::uint16_t>(tables_->states().after_action(ship(s).type, me.state, action.option));
  if (action.target >= 0) me.lock = static_cast<std::int8_t>(action.target);
}

// ---------------------------------------------------------------- engagement

std::vector<ChosenAttack> Rules::legal_attacks(const BattleState& now, int s) const {
  if (now.ship[at(s)].gone) return {};
  std::vector<ChosenAttack> out;
  for (int d = ship(s).mine ? mine_ : 0; d < (ship(s).mine ? ships() : mine_); ++d) {
    const ShipState& target = now.ship[at(d)];
    if (target.gone || target.health == 0) continue;
    const int shot = shot_of(now, s, d);
    for (std::size_t w = 0; shot >= 0 && w < type_of(s).weapons.size(); ++w) {
      if (type_of(s).weapons[w].fits(Shot::of(shot)))
        out.push_back({d, key_of(now, s, d, static_cast<int>(w), shot), nullptr});
    }
  }
  int first = kNoRank;
  for (const ChosenAttack& attack : out) first = std::min(first, target_rank(attack.target));
  std::erase_if(out, [&](const ChosenAttack& attack) { return target_rank(attack.target) > first; });
  return out;
}

AttackKey Rules::key_of(const BattleState& now, int by, int on, int weapon, int shot) const {
  const ShipState &a = now.ship[at(by)], &d = now.ship[at(on)];
  const int ta = ship(by).type, td = ship(on).type;
  AttackKey out{ta,
                td,
                weapon,
                shot,
                tables_->with_health(ta, td, a.state, a.health),
                tables_->with_health(td, ta, d.state, d.health),
                a.lock == on};
  if (tables_->deck() != nullptr) tables_->add_deck(out, deck_state(now, by, on));
  return out;
}

int Rules::damage(BattleState& now, int s, int n, int& points) const {
  ShipState& hurt = now.ship[at(s)];
  const int before = hurt.health, after = std::max(0, before - n);
  points += points_lost(s, after) - points_lost(s, before);
  hurt.health = static_cast<std::uint8_t>(after);
  hurt.dying = after == 0;
  return before - after;
}

AttackResult Rules::resolve(BattleState& now, int s, int target, const Outcome& outcome) const {
  AttackResult out{.shooter = s, .target = target};
  ShipState &me = now.ship[at(s)], &him = now.ship[at(target)];
  me.state = outcome.attacker;
  him.state = outcome.defender;
  const int old_lock = me.lock == target ? -1 : me.lock;
  me.lock = static_cast<std::int8_t>(outcome.lock ? target : old_lock);
  if (outcome.lock_back) him.lock = static_cast<std::int8_t>(s);
  out.damage = damage(now, target, outcome.damage, out.points);
  int given_away = 0;
  out.own_damage = damage(now, s, outcome.own_damage, given_away);
  return out;
}

void Rules::remove_destroyed(BattleState& now) const {
  unsigned destroyed = 0;  // a bit for each ship
  for (int s = 0; s < ships(); ++s) {
    const ShipState& one = now.ship[at(s)];
    destroyed |= static_cast<unsigned>(!one.gone && one.health == 0) << s;
  }
  if (destroyed == 0) return;
  for (int s = 0; s < ships(); ++s) {
    ShipState& one = now.ship[at(s)];
    if ((destroyed >> s & 1) != 0) {
      one = {.health = 0, .lock = -1, .gone = true};
      now.hand[at(s)] = 0;
    } else if (one.lock >= 0 && (destroyed >> one.lock & 1) != 0) {
      one.lock = -1;
    }
  }
  for (int s = 0; s < ships() && has_help_; ++s) {
    const int helper = helper_of(ship(s).mine);
    if (helper >= 0 && (destroyed >> helper & 1) != 0 && !now.ship[at(s)].gone) set_help(now, s, false);
  }
}

void Rules::forget_geometry(BattleState& now, int place) const {
  const FlightRound& flight_round = flight_round_of(now);
  std::array<bool, kMaxShips> done{};
  for (int p = 0; p <= place; ++p) done[at(ship_at(now, p))] = true;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      const auto p = at(pair_of(a, d));
      const bool apart = now.ship[at(a)].gone || now.ship[at(d)].gone;
      if (apart || (done[at(a)] && done[at(d)])) {
        now.geometry[p] = 0;
      } else if (done[at(a)] || done[at(d)]) {
        now.geometry[p] = flight_round.pairs[p].after_engaging[done[at(a)]][now.geometry[p]];
      }
    }
  }
}

void Rules::end(BattleState& now, const PresentShips& present) const {
  present.each([&](int s) {
    ShipState& one = now.ship[at(s)];
    one.state = static_cast<std::uint16_t>(tables_->states().after_end(ship(s).type, one.state));
  });
  for (const Objective& objective : flight_round_of(now).objectives) {
    bool there = false;
    for (int s = 0; s < ships(); ++s) there = there || ((objective.ships >> s & 1) != 0 && !now.ship[at(s)].gone);
    std::uint16_t& scored = now.scored[objective.mine ? 0 : 1];
    if (there) scored = static_cast<std::uint16_t>(scored + objective.points);
  }
  now.geometry.fill(0);
  now.mine_first = 1;
  ++now.round;
}

// ---------------------------------------------------------------- damage decks

void Rules::shuffle(BattleState& now) const {
  const DeckModel& dealt = *tables_->deck();
  for (const bool mine : {true, false}) {
    std::uint64_t& seen = now.seen[mine ? 0 : 1];
    if (seen == 0 || dealt.counts.left(seen) >= kFewCards) continue;
    seen = 0;
    for (const CardFields::Field& field : dealt.hand.fields()) {
      const auto* card = dealt.counts.seen.find(game::Resource::Kind::Seen, field.token);
      if (card == nullptr) continue;
      int lying = 0;
      for (int s = mine ? 0 : mine_; s < (mine ? mine_ : ships()); ++s)
        lying += CardFields::get(now.hand[at(s)], field);
      seen += CardFields::change(*card, std::min(lying, card->max));
    }
  }
}

AttackKey Rules::engagement_of(const BattleState& now, int s) const {
  const ShipState& me = now.ship[at(s)];
  return tables_->engagement_key(ship(s).type, me.state, me.lock >= 0, now.hand[at(s)], me.health);
}

int Rules::resolve_engagement(BattleState& now, int s, const CardOutcome& dealt) const {
  ShipState& me = now.ship[at(s)];
  me.state = dealt.outcome.attacker;
  if (!dealt.outcome.lock) me.lock = -1;
  int given_away = 0;
  const int lost = damage(now, s, dealt.outcome.own_damage, given_away);
  take_cards(now, s, -1, dealt.cards);
  return lost;
}

void Rules::take_cards(BattleState& now, int s, int target, const CardChange& cards) const {
  const auto own = at(ship(s).mine ? 0 : 1);
  now.seen[own] += cards.own_deck;
  now.seen[1 - own] += cards.foe_deck;
  if (cards.attacker != 0) {
    now.hand[at(s)] += cards.attacker;
    update_hand_ids(now, s);
  }
  if (cards.defender != 0 && target >= 0) {
    now.hand[at(target)] += cards.defender;
    update_hand_ids(now, target);
  }
}

void Rules::pass_opportunity(BattleState& now, int s) const {
  for (const CardFields::Field* field : tables_->deck()->until_opportunity) {
    const std::uint64_t lying = now.hand[at(s)] & CardFields::all_of(*field);
    if (lying == 0) continue;
    now.hand[at(s)] -= lying;
    update_hand_ids(now, s);
  }
}

void Rules::update_hand_ids(BattleState& now, int s) const {
  now.ship[at(s)].attacks = tables_->hand_id(true, now.hand[at(s)]);
  now.ship[at(s)].defends = tables_->hand_id(false, now.hand[at(s)]);
}

}  // namespace salvo::battle
