// Book, the token states of each kind of ship: what a ship has, by number.
#include <fmt/format.h>

#include <algorithm>

#include "battle/slots.h"

namespace salvo::battle {

int slot_of(const Type& type, const std::string& label) {
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    if (type.slots[i].label == label) return static_cast<int>(i);
  }
  return -1;
}

std::string slot_label(const Plan& plan, const Labels& labels, std::size_t r) {
  using Kind = Resource::Kind;
  const Resource& resource = plan.resources[r];
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

int Book::state_of(int type_number, const Counts& counts) {
  const Type& kind = type(type_number);
  States& states = *states_[static_cast<std::size_t>(type_number)];
  const std::lock_guard lock(states.mutex);
  const auto next = static_cast<int>(states.numbers.size());
  const auto [at, added] = states.numbers.try_emplace(counts, next);
  if (!added) return at->second;
  if (next >= kMostStates) {
    states.numbers.erase(at);
    if (options_.shared) throw BookFull();
    throw PlanTooLarge(
        fmt::format("{} can have more than {} combinations of tokens and charges; that is too many for a "
                    "battle, so leave out upgrades with many charges",
                    kind.title, kMostStates),
        next, kMostStates);
  }
  auto info = std::make_unique<StateInfo>();
  info->counts = counts;
  const auto number = [&](int slot) { return slot < 0 ? 0 : static_cast<int>(counts[static_cast<std::size_t>(slot)]); };
  info->stressed = number(kind.stress) > 0;
  info->ionized = number(kind.ion) >= kind.ionized;
  info->wants_blue = number(kind.stress) + number(kind.strain) + number(kind.deplete) > 0;
  for (auto& one : info->option) one.store(-1);
  for (auto& one : info->health) one.store(-1);
  states.list[static_cast<std::size_t>(next)] = std::move(info);
  return at->second;
}

bool Book::can_spend(int t, int state, int force) const {
  const int slot = type(t).force;
  return slot >= 0 && info(t, state).counts[static_cast<std::size_t>(slot)] >= force;
}

template <typename Change>
int Book::changed_state(int t, int state, std::atomic<int>& known, const Change& change) {
  if (const int found = known.load(std::memory_order_acquire); found >= 0) return found;
  Counts counts = info(t, state).counts;
  change(counts);
  const int out = state_of(t, counts);
  known.store(out, std::memory_order_release);
  return out;
}

int Book::after_action(int t, int state, int option) {
  return changed_state(t, state, info(t, state).option[static_cast<std::size_t>(option)], [&](Counts& counts) {
    const Type& kind = type(t);
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

int Book::after_blue(int t, int state) {
  return changed_state(t, state, info(t, state).blue, [&](Counts& counts) {
    const Type& kind = type(t);
    for (const int slot : {kind.stress, kind.strain, kind.deplete}) {
      if (slot >= 0 && counts[static_cast<std::size_t>(slot)] > 0) --counts[static_cast<std::size_t>(slot)];
    }
  });
}

int Book::after_ion(int t, int state) {
  return changed_state(t, state, info(t, state).ion, [&](Counts& counts) {
    if (type(t).ion >= 0) counts[static_cast<std::size_t>(type(t).ion)] = 0;
  });
}

int Book::after_end(int t, int state) {
  return changed_state(t, state, info(t, state).end, [&](Counts& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Slot& slot = type(t).slots[i];
      counts[i] = static_cast<std::uint8_t>(slot.end.after(counts[i], slot.initial, slot.max));
    }
  });
}

int Book::with_known_health(int t, int state, int health) {
  const int slot = type(t).health_slot;
  return changed_state(t, state, info(t, state).health[static_cast<std::size_t>(health)], [&](Counts& counts) {
    counts[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(health);
  });
}

}  // namespace salvo::battle
