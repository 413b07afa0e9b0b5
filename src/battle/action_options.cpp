#include "battle/action_options.h"

#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <tuple>

#include "base/index.h"
#include "base/text.h"
#include "load/actions.h"

namespace salvo::battle {
namespace {

using load::Action;
using When = ActionAbility::When;

constexpr int kAnyStress = 99;

std::string words_of(const Action& action) {
  using Difficulty = Action::Difficulty;
  return (action.difficulty == Difficulty::Red      ? "red "
          : action.difficulty == Difficulty::Purple ? "purple "
                                                    : "") +
         action.name;
}

/// Whether each number is at most that of the same slot in the other list.
bool at_most(const ActionOption::Amounts& a, const ActionOption::Amounts& b) {
  std::map<int, int> more;
  for (const auto& [slot, n] : a) more[slot] += n;
  for (const auto& [slot, n] : b) more[slot] -= n;
  return std::all_of(more.begin(), more.end(), [](const auto& one) { return one.second <= 0; });
}

/// The same for at most the same price.
bool dominates(const ActionOption& a, const ActionOption& b) {
  return a.lock == b.lock && a.tokens == b.tokens && at_most(a.spent, b.spent) && at_most(a.suffered, b.suffered) &&
         a.most_stress >= b.most_stress && a.focus_only >= b.focus_only &&
         std::includes(b.without.begin(), b.without.end(), a.without.begin(), a.without.end());
}

void add_amount(ActionOption::Amounts& to, int slot, int n) {
  auto place = std::lower_bound(to.begin(), to.end(), std::pair(slot, INT_MIN));
  if (place == to.end() || place->first != slot) place = to.insert(place, {slot, 0});
  place->second += n;
  if (place->second == 0) to.erase(place);
}

int amount_of(const ActionOption::Amounts& from, int slot) {
  const auto place = std::find_if(from.begin(), from.end(), [slot](const auto& one) { return one.first == slot; });
  return place == from.end() ? 0 : place->second;
}

/// Follows all sequences of actions of a ship type.
class Sequences {
 public:
  Sequences(const CardSource& source, const ShipType& type) : type_(type), abilities_(type.action_cards.abilities) {
    if (type.ship.pilot || type.ship.ship) {
      bar_ = load::actions_of(source.catalogue, source.cards, ship_id_of(source, type.ship),
                              type.ship.pilot.value_or(""), type.ship.upgrades);
    } else {
      bar_ = load::parse_actions("focus lock", "a ship without a ship type");
    }
    Sequence first;
    first.pending.push_back({});
    for (std::size_t i = 0; i < abilities_.size(); ++i) {
      if (abilities_[i].when == When::Maneuver) first.pending.push_back({&abilities_[i], nullptr});
    }
    first.result.most_stress = kAnyStress;
    follow(first);
  }
  const std::vector<ActionOption>& found() const { return found_; }

 private:
  /// What may happen next: an ability, a linked action, or the Perform Action step.
  struct Trigger {
    const ActionAbility* ability = nullptr;
    const Action* linked = nullptr;
    bool operator<(const Trigger& other) const {
      return std::tie(ability, linked) < std::tie(other.ability, other.linked);
    }
  };
  struct Sequence {
    ActionOption result;
    std::set<std::string> performed;  ///< a ship performs an action once a round (000: Actions)
    std::vector<Trigger> pending;
    std::set<const ActionAbility*> used;  ///< those that happen once a round
  };

  /// Notes the result, and resolves each trigger.
  void follow(const Sequence& now) {
    const auto& r = now.result;
    std::vector<Trigger> pending = now.pending;
    std::sort(pending.begin(), pending.end());
    const Name name{r.tokens, r.spent, r.suffered, r.lock, r.most_stress, r.without, now.performed, pending, now.used};
    if (!seen_.insert(name).second) return;
    note(now.result);
    for (std::size_t i = 0; i < now.pending.size(); ++i) {
      Sequence next = now;
      next.pending.erase(next.pending.begin() + static_cast<std::ptrdiff_t>(i));
      const Trigger& trigger = now.pending[i];
      if (trigger.ability != nullptr) {
        resolve(next, *trigger.ability);
      } else if (trigger.linked != nullptr) {
        perform(next, *trigger.linked);
      } else {
        for (const Action& action : bar_) perform(next, action);
      }
    }
  }

  void note(const ActionOption& result) {
    if (result.gives() &&
        std::none_of(found_.begin(), found_.end(), [&](const auto& one) { return dominates(one, result); }))
      found_.push_back(result);
  }

  /// `by`: the ability that lets the ship perform it, whose price in tokens follows the action; may be null.
  void perform(Sequence next, const Action& action, const ActionAbility* by = nullptr) {
    ActionOption& out = next.result;
    const int limit = by != nullptr && by->though_stressed ? kAnyStress : stress_limit(action);
    out.most_stress = std::min(out.most_stress, limit - amount_of(out.suffered, type_.stress));
    if (out.most_stress < 0 || !next.performed.insert(action.name).second) return;
    using Difficulty = Action::Difficulty;
    const bool red = action.difficulty == Difficulty::Red;
    out.focus_only = out.name.empty() && action.name == "focus" && action.difficulty == Difficulty::White;
    out.name += (out.name.empty() ? "" : ", ") + words_of(action);
    if (red) add_stress(next, 1);
    if (action.difficulty == Difficulty::Purple && !spend(out, type_.force, 1)) return;
    if (action.name == "lock") out.lock = true;
    for (const char* const name : kTokenActions) {
      const int slot = slot_of(type_, name);
      if (action.name == name && slot >= 0) add_amount(out.tokens, slot, 1);
    }
    if (by != nullptr) suffer(next, *by);
    for (const Action& linked : action.linked) next.pending.push_back({nullptr, &linked});
    trigger(next,
            [&](const std::string& word) { return word == "any" || word == action.name || (word == "red" && red); });
    follow(next);
  }

  void resolve(Sequence next, const ActionAbility& ability) {
    ActionOption& out = next.result;
    if (ability.once && !next.used.insert(&ability).second) return;
    for (const std::string& token : ability.without) {
      const int slot = slot_of(type_, token);
      if (amount_of(out.suffered, slot) + amount_of(out.tokens, slot) > 0) return;
      const auto place = std::lower_bound(out.without.begin(), out.without.end(), slot);
      if (slot >= 0 && (place == out.without.end() || *place != slot)) out.without.insert(place, slot);
    }
    for (const auto& [token, n] : ability.gains) {
      if (n < 0 && amount_of(out.suffered, slot_of(type_, token)) + n < 0) return;  // it has none to lose
    }
    for (const auto& [token, n] : ability.spends) {
      if (!spend(out, token == "charge" ? charge_slot(ability) : slot_of(type_, token), n)) return;
    }
    out.focus_only = false;
    gain(out, ability);
    if (ability.actions.empty()) {
      suffer(next, ability);
      out.name += (out.name.empty() ? "" : ", ") + ability.card.id;
      return follow(next);
    }
    for (const Action& action : ability.actions) {
      if (action.name != "any" && action.name != "white") {
        perform(next, action, &ability);
        continue;
      }
      for (Action one : bar_) {
        if (action.name == "white" && one.difficulty != Action::Difficulty::White) continue;
        if (action.difficulty == Action::Difficulty::Red) one.difficulty = action.difficulty;
        perform(next, kept_.emplace(words_of(one) + link_words(one), one).first->second, &ability);
      }
    }
  }

  /// Resolves automatic abilities that follow an event, and adds the others as triggers. `happened(word)`: whether the
  /// word of an ability means the event.
  template <typename Happened>
  void trigger(Sequence& now, const Happened& happened) const {
    for (const ActionAbility& ability : abilities_) {
      if (ability.when != When::After || std::none_of(ability.after.begin(), ability.after.end(), happened)) continue;
      if (ability.automatic()) {
        if (!ability.once || now.used.insert(&ability).second) gain(now.result, ability);
      } else if (!ability.once || now.used.count(&ability) == 0) {
        now.pending.push_back({&ability, nullptr});
      }
    }
  }

  void add_stress(Sequence& now, int n) const {
    if (type_.stress < 0) return;
    add_amount(now.result.suffered, type_.stress, n);
    for (int i = 0; i < n; ++i) trigger(now, [](const std::string& word) { return word == "stress"; });
  }

  void suffer(Sequence& now, const ActionAbility& ability) const {
    for (const auto& [token, n] : ability.suffers) {
      const int slot = slot_of(type_, token);
      if (slot == type_.stress) {
        add_stress(now, n);
      } else if (slot >= 0) {
        add_amount(now.result.suffered, slot, n);
      }
    }
  }

  void gain(ActionOption& out, const ActionAbility& ability) const {
    for (const auto& [token, n] : ability.gains) {
      if (token == "lock") {
        out.lock = true;
        continue;
      }
      const int slot = token == "charge" ? charge_slot(ability) : slot_of(type_, token);
      if (slot < 0) continue;
      const bool bad = slot == type_.stress || slot == type_.strain || slot == type_.deplete;
      add_amount(bad ? out.suffered : out.tokens, slot, n);
    }
  }

  /// Whether the ship can ever have that many.
  bool spend(ActionOption& out, int slot, int n) const {
    if (slot < 0) return false;
    add_amount(out.spent, slot, n);
    return amount_of(out.spent, slot) <= base::nth(type_.slots, slot).max;
  }

  int charge_slot(const ActionAbility& ability) const {
    const std::string label = "charge:" + ability.card.id + "#";
    const auto& slots = type_.slots;
    const auto place =
        std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.label.starts_with(label); });
    return place == slots.end() ? -1 : static_cast<int>(place - slots.begin());
  }

  /// The stress with which the ship can perform the action.
  int stress_limit(const Action& action) const {
    int out = 0;
    for (const ActionAbility& ability : abilities_) {
      if (ability.when != When::Stressed) continue;
      for (const Action& one : ability.actions) {
        const bool white = one.name == "white" && action.difficulty == Action::Difficulty::White;
        if (one.name == "any" || white || one.name == action.name) out = std::max(out, ability.most_stress);
      }
    }
    return out;
  }

  static std::string link_words(const Action& action) {
    return action.linked.empty() ? "" : ">" + words_of(action.linked[0]);
  }

  const ShipType& type_;
  const std::vector<ActionAbility>& abilities_;
  std::vector<Action> bar_;
  std::map<std::string, Action> kept_;  ///< actions with another difficulty, which triggers point into
  using Name =
      std::tuple<ActionOption::Amounts, ActionOption::Amounts, ActionOption::Amounts, bool, int, std::vector<int>,
                 std::set<std::string>, std::vector<Trigger>, std::set<const ActionAbility*>>;
  std::set<Name> seen_;
  std::vector<ActionOption> found_;
};

int stress_of(const ShipType& type, const ActionOption& option) { return amount_of(option.suffered, type.stress); }

}  // namespace

void find_options(const CardSource& source, ShipType& type) {
  std::vector<ActionOption> all = Sequences(source, type).found();
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return stress_of(type, a) < stress_of(type, b); });
  std::vector<ActionOption> best;
  for (ActionOption& option : all) {
    if (std::none_of(best.begin(), best.end(), [&](const auto& one) { return dominates(one, option); }))
      best.push_back(std::move(option));
  }
  constexpr std::size_t kMaxActions = kMaxOptions - 1;
  if (best.size() > kMaxActions) best.resize(kMaxActions);
  for (const ActionOption& option : best) type.most_stress = std::max(type.most_stress, option.most_stress);
  best.push_back({.name = "none", .most_stress = kAnyStress});
  type.options = std::move(best);
}

}  // namespace salvo::battle
