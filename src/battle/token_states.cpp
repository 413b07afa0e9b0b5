#include "battle/token_states.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.h"
#include "salvo/errors.h"

namespace salvo::battle {

TokenStates::TokenStates(const std::vector<ShipType>& types, bool shared)
    : types_(types), shared_(shared), steps_(std::make_unique<Steps[]>(types.size() * kMaxStates)) {
  for (std::size_t t = 0; t < types.size(); ++t) {
    numbering_.push_back(std::make_unique<Numbering>());
    numbering_.back()->list.resize(kMaxStates);
    Counts counts;
    for (const Slot& slot : types[t].slots) counts.push_back(static_cast<std::uint8_t>(slot.initial));
    start_.push_back(state_of(static_cast<int>(t), counts));
  }
}

int TokenStates::state_of(int type_number, const Counts& counts) {
  const auto at_type = static_cast<std::size_t>(type_number);
  const ShipType& kind = types_[at_type];
  Numbering& numbering = *numbering_[at_type];
  const std::lock_guard lock(numbering.mutex);
  const auto next = static_cast<int>(numbering.numbers.size());
  const auto [at, added] = numbering.numbers.try_emplace(counts, next);
  if (!added) return at->second;
  if (next >= kMaxStates) {
    numbering.numbers.erase(at);
    if (shared_) throw TablesFull();
    throw PlanTooLarge(
        fmt::format("{} can have more than {} combinations of tokens and charges; that is too many for a "
                    "battle, so leave out upgrades with many charges",
                    kind.title, kMaxStates),
        next, kMaxStates);
  }
  auto info = std::make_unique<StateInfo>();
  info->counts = counts;
  const auto number = [&](int slot) { return slot < 0 ? 0 : static_cast<int>(base::nth(counts, slot)); };
  Steps& step = steps(type_number, next);
  step.stressed = number(kind.stress) > kind.most_stress;
  step.ionized = number(kind.ion) >= kind.ionized;
  step.wants_blue = number(kind.stress) + number(kind.strain) + number(kind.deplete) > 0;
  static_assert(kMaxOptions <= 16);
  for (std::size_t o = 0; o < kind.options.size(); ++o)
    step.payable = static_cast<std::uint16_t>(step.payable | (payable(kind, counts, kind.options[o]) ? 1u << o : 0u));
  base::nth(numbering.list, next) = std::move(info);
  return at->second;
}

bool TokenStates::payable(const ShipType& type, const Counts& counts, const ActionOption& option) {
  const auto number = [&](int slot) { return slot < 0 ? 0 : static_cast<int>(base::nth(counts, slot)); };
  return number(type.stress) <= option.most_stress &&
         std::all_of(option.spent.begin(), option.spent.end(),
                     [&](const auto& one) { return number(one.first) >= one.second; }) &&
         std::all_of(option.without.begin(), option.without.end(), [&](int slot) { return number(slot) == 0; });
}

/// The state that `change(Counts&)` makes of a state.
template <typename Change>
int TokenStates::changed_state(int t, int state, const Change& change) {
  Counts counts = this->counts(t, state);
  change(counts);
  return state_of(t, counts);
}

int TokenStates::find_after_action(int t, int state, int option) {
  return changed_state(t, state, [&](Counts& counts) {
    const ShipType& kind = base::nth(types_, t);
    const ActionOption& what = base::nth(kind.options, option);
    const auto add = [&](int slot, int n) {
      if (slot < 0) return;
      std::uint8_t& count = base::nth(counts, slot);
      count = static_cast<std::uint8_t>(std::clamp(count + n, 0, base::nth(kind.slots, slot).max));
    };
    for (const auto& [slot, n] : what.tokens) add(slot, n);
    for (const auto& [slot, n] : what.suffered) add(slot, n);
    for (const auto& [slot, n] : what.spent) add(slot, -n);
  });
}

void TokenStates::fly_blue(const ShipType& type, Counts& counts) {
  for (const int slot : {type.stress, type.strain, type.deplete}) {
    if (slot >= 0 && base::nth(counts, slot) > 0) --base::nth(counts, slot);
  }
}

int TokenStates::find_after_blue(int t, int state) {
  return changed_state(t, state, [&](Counts& counts) { fly_blue(base::nth(types_, t), counts); });
}

int TokenStates::find_after_ion(int t, int state) {
  return changed_state(t, state, [&](Counts& counts) {
    const ShipType& kind = base::nth(types_, t);
    if (kind.ion >= 0) base::nth(counts, kind.ion) = 0;
    if (kind.ion_is_blue) fly_blue(kind, counts);
  });
}

int TokenStates::find_after_end(int t, int state) {
  return changed_state(t, state, [&](Counts& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Slot& slot = base::nth(types_, t).slots[i];
      counts[i] = static_cast<std::uint8_t>(slot.end.after(counts[i], slot.initial, slot.max));
    }
  });
}

int TokenStates::with_help(int t, int state, bool helped) {
  Successor& next = base::nth(base::nth(numbering_[static_cast<std::size_t>(t)]->list, state)->help, helped ? 1 : 0);
  if (const int known = next.get(); known >= 0) return known;
  return next.set(changed_state(t, state, [&](Counts& counts) {
    base::nth(counts, base::nth(types_, t).helped) = static_cast<std::uint8_t>(helped);
  }));
}

int TokenStates::with_health(int t, int state, int health) {
  const auto at_type = static_cast<std::size_t>(t);
  Successor& next = base::nth(base::nth(numbering_[at_type]->list, state)->health, health);
  if (const int known = next.get(); known >= 0) return known;
  const auto slot = static_cast<std::size_t>(types_[at_type].health_slot);
  return next.set(changed_state(t, state, [&](Counts& counts) { counts[slot] = static_cast<std::uint8_t>(health); }));
}

}  // namespace salvo::battle
