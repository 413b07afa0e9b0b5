#include "load/infinite_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/index.h"
#include "load/linear_feasibility.h"

namespace salvo::load {

namespace {

constexpr int kMaxDiceMoved = 31;       ///< by one use: the size of a pool
constexpr int kMaxTokensGained = 1000;  ///< at once, if an expression gives the number

/// A variable of the system: one use of an effect, or one die that a use moves.
struct Column {
  std::map<std::string, int> change;  ///< of everything countable: "attacker.focus", "attack.hit", ...
  int use = -1;                       ///< the column of the use that moves the die; -1 for a use itself
  int operation = -1;
};

/// The system of one owner in one window.
class System {
 public:
  System(std::set<std::string> faces, bool attacks, const std::vector<OwnedEffect>& all)
      : faces_(std::move(faces)), attacks_(attacks) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(on_each_),
                 [](const OwnedEffect& owned) { return owned.effect->each.has_value(); });
  }

  void add(const OwnedEffect& owned) {
    const EffectSpec& effect = *owned.effect;
    const int use = static_cast<int>(columns_.size());
    uses_.emplace_back(use, owned);
    columns_.emplace_back();
    for (const CostSpec& cost : effect.cost) {
      columns_.back().change[countable(owned, cost.token, cost.who, cost.of)] -= cost.n;
    }
    add_due(owned, columns_.back().change);
    bool always = false;  // usable even if no die can be moved
    for (std::size_t i = 0; i < effect.operations.size(); ++i) {
      always |= !add_operation(owned, effect.operations[i], use, static_cast<int>(i));
    }
    if (!always) needs_die_.push_back(use);
  }

  std::vector<OwnedEffect> loop() const {
    std::vector<bool> normalized;
    for (const Column& column : columns_) normalized.push_back(column.use < 0);
    const std::vector<double> x = nonnegative_solution(rows(), normalized);
    std::vector<OwnedEffect> out;
    for (const auto& [column, owned] : uses_) {
      if (!x.empty() && base::nth(x, column) > 0) out.push_back(owned);
    }
    return out;
  }

 private:
  /// What an effect that acts on each token uses up, and what other effects add to that.
  void add_due(const OwnedEffect& owned, std::map<std::string, int>& change) const {
    if (owned.effect->each) --change[due(owned)];
    for (const OwnedEffect& reacting : on_each_) {
      const TokenEvent& event = *reacting.effect->each;
      const std::string counted = countable(reacting, event.token, event.who, "card");
      const auto is = [&](const auto& part) { return countable(owned, part.token, part.who, part.of) == counted; };
      const auto& own = owned.effect->each;
      if (own && own->gained == event.gained && own->token == event.token) continue;  // passes it on
      if (!event.gained) {
        for (const CostSpec& cost : owned.effect->cost) change[due(reacting)] += is(cost) ? cost.n : 0;
      } else {
        for (const OperationSpec& operation : owned.effect->operations) {
          if (operation.verb == Verb::Gain && is(operation)) change[due(reacting)] += gained_by(operation);
        }
      }
    }
  }

  static std::string due(const OwnedEffect& owned) {
    return fmt::format("{} of {}", owned.effect->each->fact(), owned.card == nullptr ? "" : owned.card->id);
  }

  static int gained_by(const OperationSpec& operation) {
    return operation.amount.empty() ? operation.n : kMaxTokensGained;
  }

  std::string countable(const OwnedEffect& owned, const std::string& token, const std::string& who,
                        const std::string& of) const {
    if (token == "charge" && of == "card") return fmt::format("charge:{}", owned.card == nullptr ? "" : owned.card->id);
    if (token == "charge" && of != "weapon") return fmt::format("charge:{} of {}", of, who);
    if (who != "self" && who != "foe") return who + "." + token;
    return fmt::format("{}.{}", (who == "foe") != attacks_ ? "attacker" : "defender", token);
  }

  std::string pool(const OperationSpec& operation) const {
    return operation.dice == "own" ? (attacks_ ? "attack" : "defense") : operation.dice;
  }

  std::set<std::string> sources(const OperationSpec& operation) const {
    const bool any = operation.from.empty() || operation.from.front() == "any";
    return any ? faces_ : std::set<std::string>(operation.from.begin(), operation.from.end());
  }

  std::string result(const OperationSpec& operation) const {
    return operation.to != "success" ? operation.to : pool(operation) == "attack" ? "hit" : "evade";
  }

  void add_die(std::map<std::string, int> change, int use, int operation) {
    columns_.push_back({std::move(change), use, operation});
  }

  /// Returns false if the operation allows using the effect without moving a die.
  bool add_operation(const OwnedEffect& owned, const OperationSpec& operation, int use, int number) {
    const std::string dice = pool(operation);
    const auto face = [&](const std::string& name) { return dice + "." + name; };
    if (operation.verb == Verb::Change) {
      const std::string to = result(operation);
      for (const std::string& from : sources(operation)) {
        if (from != to) add_die({{face(from), -1}, {face(to), 1}}, use, number);
      }
    } else if (operation.verb == Verb::Reroll) {
      for (const std::string& from : sources(operation)) {
        for (const std::string& to : faces_) {
          std::map<std::string, int> change{{dice + " not rerolled", -1}};
          --change[face(from)];
          ++change[face(to)];
          add_die(std::move(change), use, number);
        }
      }
    } else if (operation.verb == Verb::Cancel || operation.verb == Verb::Spend) {
      for (const std::string& from : sources(operation)) add_die({{face(from), -1}}, use, number);
    } else {
      auto& change = base::nth(columns_, use).change;
      if (operation.verb == Verb::Gain) {
        change[countable(owned, operation.token, operation.who, operation.of)] += gained_by(operation);
      } else if (operation.verb == Verb::Add) {
        change[face(result(operation))] += operation.n;
        change[dice + " not rerolled"] += operation.n;
      } else if (operation.verb == Verb::Deal && !operation.exact) {
        --change["damage cards due"];
      } else if (operation.verb == Verb::Repair) {
        --change["faceup damage cards"];
      } else if (operation.verb == Verb::Expose) {
        ++change["faceup damage cards"];
      }
      return false;
    }
    return !operation.if_none;
  }

  std::vector<std::vector<int>> rows() const {
    std::vector<std::vector<int>> out;
    std::set<std::string> names;
    for (const Column& column : columns_) {
      for (const auto& [name, n] : column.change) names.insert(name);
    }
    for (const std::string& name : names) {  // no net change is negative
      auto& row = out.emplace_back(columns_.size());
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        const auto at = columns_[j].change.find(name);
        if (at != columns_[j].change.end()) row[j] = at->second;
      }
    }
    for (const auto& [use, owned] : uses_) {  // one use moves at most the allowed number of dice
      for (std::size_t i = 0; i < owned.effect->operations.size(); ++i) {
        const OperationSpec& operation = owned.effect->operations[i];
        auto& row = out.emplace_back(dice_moved(use, static_cast<int>(i), -1));
        base::nth(row, use) = operation.all ? kMaxDiceMoved : std::clamp(operation.n, 0, kMaxDiceMoved);
      }
    }
    for (const int use : needs_die_) {  // and at least one die
      auto& row = out.emplace_back(dice_moved(use, -1, 1));
      base::nth(row, use) = -1;
    }
    return out;
  }

  /// A row with `n` for each die that the use moves by the operation (-1: by any).
  std::vector<int> dice_moved(int use, int operation, int n) const {
    std::vector<int> row(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const bool counts = columns_[j].use == use && (operation < 0 || columns_[j].operation == operation);
      if (counts) row[j] = n;
    }
    return row;
  }

  std::set<std::string> faces_;
  bool attacks_;
  std::vector<OwnedEffect> on_each_;  ///< effects that act on each token of a kind
  std::vector<Column> columns_;
  std::vector<std::pair<int, OwnedEffect>> uses_;
  std::vector<int> needs_die_;
};

/// Whether the effect is optional and not limited to one use per attack.
bool unlimited(const OwnedEffect& owned) {
  const EffectSpec& effect = *owned.effect;
  if (!effect.may || effect.once_per_attack || effect.once_per_round) return false;
  return owned.card == nullptr || effect.repeats || effect.each;
}

bool applies(const EffectSpec& effect, bool attacks) {
  return effect.side == "any" || (effect.side == "attacker") == attacks;
}

Window window_of(const EffectSpec& effect, bool attacks) {
  if (effect.at != Window::OwnMod) return effect.at;
  return attacks ? Window::AttackMod : Window::DefenseMod;
}

std::set<std::string> faces_of(const std::vector<OwnedEffect>& effects) {
  std::set<std::string> faces{"hit", "crit", "focus", "evade", "blank"};
  for (const OwnedEffect& owned : effects) {
    for (const OperationSpec& operation : owned.effect->operations) {
      for (const std::string& from : operation.from) faces.insert(from);
      if (!operation.to.empty()) faces.insert(operation.to);
    }
  }
  faces.erase("any");
  faces.erase("success");
  return faces;
}

std::string name_of(const OwnedEffect& owned) {
  return owned.card == nullptr ? owned.effect->id : owned.card->id + " (" + owned.effect->place + ")";
}

}  // namespace

std::vector<OwnedEffect> find_infinite_loop(const std::vector<OwnedEffect>& effects) {
  if (std::none_of(effects.begin(), effects.end(), unlimited)) return {};
  const std::set<std::string> faces = faces_of(effects);
  for (const bool attacks : {true, false}) {
    std::map<Window, System> systems;
    for (const OwnedEffect& owned : effects) {
      if (!unlimited(owned) || !applies(*owned.effect, attacks)) continue;
      systems.try_emplace(window_of(*owned.effect, attacks), faces, attacks, effects).first->second.add(owned);
    }
    for (const auto& [window, system] : systems) {
      if (auto loop = system.loop(); !loop.empty()) return loop;
    }
  }
  return {};
}

void reject_infinite_loop(const std::vector<OwnedEffect>& effects) {
  const std::vector<OwnedEffect> loop = find_infinite_loop(effects);
  if (loop.empty()) return;
  // Prefer to report a card's effect: those of the edition have been checked on their own before.
  const auto card =
      std::find_if(loop.begin(), loop.end(), [](const OwnedEffect& owned) { return owned.card != nullptr; });
  const OwnedEffect& first = card == loop.end() ? loop.front() : *card;
  if (loop.size() == 1) {
    throw LoadError(
        fmt::format("{}: this effect would never end: it may be used again and again and uses nothing up; "
                    "give it a cost that it does not give back, or leave out repeats",
                    first.effect->place));
  }
  std::string others;
  for (const OwnedEffect& owned : loop) {
    if (owned.effect != first.effect) others += (others.empty() ? "" : ", ") + name_of(owned);
  }
  throw LoadError(
      fmt::format("{}: this effect would never end: together with {} it uses nothing up, since each gives "
                  "back what the other takes; leave out repeats, or raise a cost",
                  first.effect->place, others));
}

std::vector<OwnedEffect> effects_of(const CardSpec& card) {
  std::vector<OwnedEffect> out;
  for (const EffectSpec& effect : card.effects) out.push_back({&effect, &card});
  return out;
}

}  // namespace salvo::load
