#include "exact/segments/segment_graph.h"

#include <algorithm>
#include <utility>

namespace salvo::exact {

void NodeTable::put(Slot slot) {
  std::size_t i = hash(slot.key) & mask_;
  while (slots_[i].node != kNone) i = (i + 1) & mask_;
  slots_[i] = slot;
}

void NodeTable::grow() {
  constexpr std::size_t kFirstSlots = 64, kManySlots = 65536;
  const std::size_t slots = std::max(kFirstSlots, (slots_.size() < kManySlots ? 4 : 2) * slots_.size());
  const List<Slot> old = std::exchange(slots_, List<Slot>(slots, slots_.get_allocator()));
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.node != kNone) put(slot);
  }
}

int SegmentGraph::find(game::Position position) const {
  const int its_dice = dice.find({position.attack_pool, position.defense_pool});
  position.attack_pool = position.defense_pool = game::Pool();
  const int rest = dice_free.find(position);
  return rest < 0 || its_dice < 0 ? NodeTable::kNone : node_of.find({rest, its_dice});
}

}  // namespace salvo::exact
