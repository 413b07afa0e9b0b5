// Book, the token states of each kind of ship: what a ship has, by number.
#include <fmt/format.h>

#include <algorithm>

#include "battle/slots.h"

namespace salvo::battle {

int slot_of(const ShipType& type, const std::string& label) {
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    if (type.slots[i].label == label) return static_cast<int>(i);
  }
  return -1;
}

std::string slot_label(const game::Plan& plan, const compile::Labels& labels, std::size_t r) {
  using Kind = game::Resource::Kind;
  const game::Resource& resource = plan.resources[r];
  const std::string& label = labels.resources[r];
  switch (resource.kind) {
    case Kind::Token:
      return label;
    case Kind::Charge:
    case Kind::Use:
      return fmt::format("{}#{}", label, resource.token);
    case Kind::BonusUse:
    case Kind::MoreBonus:
      return label;
    default:
      return {};
  }
}

int AttackTables::state_of(int type_number, const Counts& counts) {
  const ShipType& kind = type(type_number);
  States& states = *states_[static_cast<std::size_t>(type_number)];
  const std::lock_guard lock(states.mutex);
  const auto next = static_cast<int>(states.numbers.size());
  const auto [at, added] = states.numbers.try_emplace(counts, next);
  if (!added) return at->second;
  if (next >= kMaxStates) {
    states.numbers.erase(at);
    if (options_.shared) throw TablesFull();
    throw PlanTooLarge(
        fmt::format("{} can have more than {} combinations of tokens and charges; that is too many for a "
                    "battle, so leave out upgrades with many charges",
                    kind.title, kMaxStates),
        next, kMaxStates);
  }
  auto info = std::make_unique<StateInfo>();
  info->counts = counts;
  const auto number = [&](int slot) { return slot < 0 ? 0 : static_cast<int>(counts[static_cast<std::size_t>(slot)]); };
  Steps& step = steps(type_number, next);
  step.stressed = number(kind.stress) > 0;
  step.ionized = number(kind.ion) >= kind.ionized;
  step.wants_blue = number(kind.stress) + number(kind.strain) + number(kind.deplete) > 0;
  step.force = static_cast<std::uint8_t>(number(kind.force));
  states.list[static_cast<std::size_t>(next)] = std::move(info);
  return at->second;
}

template <typename Change>
int AttackTables::changed_state(int t, int state, const Change& change) {
  Counts counts = info(t, state).counts;
  change(counts);
  return state_of(t, counts);
}

int AttackTables::find_after_action(int t, int state, int option) {
  return changed_state(t, state, [&](Counts& counts) {
    const ShipType& kind = type(t);
    const ActionOption& what = kind.options[static_cast<std::size_t>(option)];
    const auto add = [&](int slot, int n) {
      if (slot < 0) return;
      std::uint8_t& count = counts[static_cast<std::size_t>(slot)];
      count = static_cast<std::uint8_t>(std::clamp(count + n, 0, kind.slots[static_cast<std::size_t>(slot)].max));
    };
    for (const auto& [slot, n] : what.tokens) add(slot, n);
    add(kind.stress, what.stress);
    add(kind.force, -what.force);
  });
}

void AttackTables::fly_blue(const ShipType& type, Counts& counts) {
  for (const int slot : {type.stress, type.strain, type.deplete}) {
    if (slot >= 0 && counts[static_cast<std::size_t>(slot)] > 0) --counts[static_cast<std::size_t>(slot)];
  }
}

int AttackTables::find_after_blue(int t, int state) {
  return changed_state(t, state, [&](Counts& counts) { fly_blue(type(t), counts); });
}

int AttackTables::find_after_ion(int t, int state) {
  return changed_state(t, state, [&](Counts& counts) {
    const ShipType& kind = type(t);
    if (kind.ion >= 0) counts[static_cast<std::size_t>(kind.ion)] = 0;
    if (kind.ion_is_blue) fly_blue(kind, counts);
  });
}

int AttackTables::find_after_end(int t, int state) {
  return changed_state(t, state, [&](Counts& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Slot& slot = type(t).slots[i];
      counts[i] = static_cast<std::uint8_t>(slot.end.after(counts[i], slot.initial, slot.max));
    }
  });
}

int AttackTables::with_known_health(int t, int state, int health) {
  NextState& next = info(t, state).health[static_cast<std::size_t>(health)];
  if (const int known = next.get(); known >= 0) return known;
  const auto slot = static_cast<std::size_t>(type(t).health_slot);
  return next.set(changed_state(t, state, [&](Counts& counts) { counts[slot] = static_cast<std::uint8_t>(health); }));
}

}  // namespace salvo::battle
