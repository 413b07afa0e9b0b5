// Game, its damage cards: what ships are dealt, and what lasts of it (docs/battles.md: Damage decks).
#include <algorithm>

#include "battle/game.h"

namespace salvo::battle {

void Game::shuffle(BattleState& now) const {
  const AttackTables::DeckModel& dealt = *tables_->cards();
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

AttackKey Game::engagement_of(const BattleState& now, int s) const {
  const ShipState& me = now.ship[at(s)];
  return tables_->engagement(ship(s).type, me.state, me.lock >= 0, now.hand[at(s)], me.health);
}

int Game::resolve_engagement(BattleState& now, int s, const CardOutcome& dealt) const {
  ShipState& me = now.ship[at(s)];
  me.state = dealt.outcome.attacker;
  if (!dealt.outcome.lock) me.lock = -1;
  int given_away = 0;
  const int lost = damage(now, s, dealt.outcome.own_damage, given_away);
  take_cards(now, s, -1, dealt.cards);
  return lost;
}

void Game::take_cards(BattleState& now, int s, int target, const CardChange& cards) const {
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

void Game::pass_opportunity(BattleState& now, int s) const {
  for (const CardFields::Field* field : tables_->cards()->until_opportunity) {
    const std::uint64_t lying = now.hand[at(s)] & CardFields::all_of(*field);
    if (lying == 0) continue;
    now.hand[at(s)] -= lying;
    update_hand_ids(now, s);
  }
}

void Game::update_hand_ids(BattleState& now, int s) const {
  now.ship[at(s)].attacks = tables_->hand_id(true, now.hand[at(s)]);
  now.ship[at(s)].defends = tables_->hand_id(false, now.hand[at(s)]);
}

}  // namespace salvo::battle
