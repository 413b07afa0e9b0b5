// Damage cards that are drawn or exposed.
#include "base/index.h"
#include "game/play.h"
#include "sample/lanes/lane_graph.h"

namespace salvo::sample {

/// How many cards of each kind can be turned faceup. For an exposed card: those that no player has seen, then those of
/// each kind, then others; once an unseen card is to be exposed, cards of the deck by kind.
void LaneGraph::count_cards(const State& state, std::vector<int>& cards) const {
  const game::Position& position = state.position;
  if (position.due != 0 || !game::turns_faceup(plan_, attack_, position))
    return game::cards_left(plan_, attack_, position, cards);
  const game::DealPlan& deal = attack_.deals[game::drawing_victim(position)];
  const auto number = [&](int index) {
    return index < 0 ? 0 : position.resources.get(base::nth(plan_.resources, index));
  };
  cards.clear();
  if (state.unseen_exposed) {
    for (const game::DrawKind& kind : deal.kinds) cards.push_back(kind.cards - number(kind.seen));
    return;
  }
  cards.push_back(number(deal.facedown));
  for (const game::DrawKind& kind : deal.kinds) cards.push_back(number(kind.facedown));
  cards.push_back(number(deal.others));
}

/// `kind`: index into the result of count_cards().
LaneStep LaneGraph::draw(State state, std::size_t kind) {
  const std::size_t victim = game::drawing_victim(state.position);
  const bool faceup = game::turns_faceup(plan_, attack_, state.position);
  if (faceup && state.position.due == 0 && !state.unseen_exposed) {
    if (kind == 0) {
      state.unseen_exposed = true;
      return number(state);
    }
    kind += attack_.deals[victim].kinds.size() - 1;
  }
  state.unseen_exposed = false;
  state.position = game::after_draw(plan_, attack_, state.position, kind);
  const bool undecided = state.position.drawn != 0;
  if (faceup && !undecided) ++state.drawn[victim];
  return play_to_chance(state);
}

}  // namespace salvo::sample
