#include "sample/bitsliced/window_recorder.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/index.h"
#include "game/position_parts.h"

namespace salvo::sample {

void WindowRecorder::record(const game::Step& step) {
  const auto& window = decisions_[at_.index].windows[at_.step];
  Bit asked = at_.active;
  for (const std::vector<Decision>& all : window) {
    if (asked.is(false)) return;
    forget_marks(asked);
    std::vector<Decision> table;
    std::copy_if(all.begin(), all.end(), std::back_inserter(table),
                 [&](const Decision& d) { return flow_.reachable(d); });
    asked = table.empty() ? Bit(false) : act_on(table, logic_.both(asked, conditions_.has_options(step)));
  }
}

void WindowRecorder::forget_marks(Bit condition) {
  for (const bool attack_dice : {true, false}) {
    SymbolicDice& dice = at_.dice_of(attack_dice);
    if (dice.one_by_one()) dice.forget_marks(logic_.both(condition, !conditions_.marks_matter(attack_dice)));
  }
}

/// Whether dice that a player changes last in this window can be changed at its end, when they are only counted.
bool WindowRecorder::can_defer(const game::Step& step) const {
  return std::all_of(step.effects.begin(), step.effects.end(), [&](int e) {
    const game::Effect& effect = base::nth(at_.attack->effects, e);
    return effect.jump < 0 &&
           std::all_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
             using Kind = game::Operation::Kind;
             return operation.amount.empty() && operation.kind != Kind::Roll && operation.kind != Kind::Add &&
                    operation.kind != Kind::Hit &&
                    !(game::changes_dice(operation) &&
                      game::reroll_follows(*at_.attack, at_.step + 1, operation.attack_dice));
           });
  });
}

namespace {

/// Where players are active and the answer of their decision is yes.
template <typename Is>
Bit learn(Logic& logic, const DecisionLogic& learner, const std::vector<Decision>& table, Bit active, Is&& is) {
  std::vector<Answer> answers;
  for (const Decision& decision : table) answers.push_back(is(decision) ? Answer::Yes : Answer::No);
  return logic.both(active, learner.learn(answers));
}

}  // namespace

/// Plays one table of decisions; returns where the player decides again.
Bit WindowRecorder::act_on(const Table& table, Bit active) {
  DecisionLogic learner(logic_, table.size());
  add_features(learner, table);
  const Bit again = learn(logic_, learner, table, active, [](const Decision& decision) { return decision.again; });
  std::size_t slots = 0;
  for (const Decision& decision : table) slots = std::max(slots, decision.acts.size());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto has = [&](bool asked_again) {
      return std::any_of(table.begin(), table.end(), [&](const Decision& decision) {
        return decision.acts.size() > slot && decision.acts[slot].asked_again == asked_again;
      });
    };
    if (has(true) && has(false)) throw UnsupportedByKernel("players are asked again at different times");
    if (has(true)) forget_marks(active);
    for (const Use& use : uses_at(slot, table, learner, active)) {
      if (use.last) {
        effects_.act_last(*use.effect, use.condition, use.chosen, slot);
      } else {
        effects_.act(*use.effect, use.condition, &use.chosen);
      }
    }
  }
  return again;
}

std::vector<WindowRecorder::Use> WindowRecorder::uses_at(std::size_t slot, const Table& table,
                                                         const DecisionLogic& learner, Bit active) {
  std::set<int> used;
  for (const Decision& decision : table) {
    if (decision.acts.size() > slot) used.insert(decision.acts[slot].option.effect);
  }
  const bool defers = can_defer(at_.attack->steps[at_.step]);
  std::vector<Use> uses;
  for (const int number : used) {
    for (const bool last : {false, true}) {
      if (last && !defers) continue;
      const Bit condition = learn(logic_, learner, table, active, [&](const Decision& decision) {
        return decision.acts.size() > slot && decision.acts[slot].option.effect == number &&
               (!defers || decision.again != last);
      });
      if (condition.is(false)) continue;
      const game::Effect& effect = base::nth(at_.attack->effects, number);
      uses.push_back({&effect, condition, last, {}});
      // All operations for which a player chooses dice get the same dice.
      for (const game::Operation& operation : effect.operations) {
        if (uses.back().chosen.empty())
          uses.back().chosen = chosen_dice(learner, table, {slot, number, &operation, last});
      }
    }
  }
  return uses;
}

/// The dice to which an effect is applied, wherever the table uses it.
std::vector<ChosenDice> WindowRecorder::chosen_dice(const DecisionLogic& learner, const std::vector<Decision>& table,
                                                    const UsedOperation& use) {
  std::vector<ChosenDice> out;
  const game::Operation& operation = *use.operation;
  if (!game::chooses_dice(operation)) return out;
  for (int face = 0; face < base::kMaxFaces; ++face) {
    for (const bool mark : {false, true}) {
      if (mark && use.unmarked) continue;
      const auto count = [&](const game::Pool& pool) {
        return use.unmarked ? pool.count(face) : pool.count(face, mark);
      };
      std::vector<int> n(table.size(), -1);  // -1: the effect is not used
      bool all = true;
      int most = 0;
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].acts.size() <= use.slot || table[i].acts[use.slot].option.effect != use.effect) continue;
        const Act& act = table[i].acts[use.slot];
        n[i] = count(act.option.dice);
        most = std::max(most, n[i]);
        all = all && n[i] == count(operation.attack_dice ? act.attack_pool : act.defense_pool);
      }
      if (most == 0) continue;
      ChosenDice dice{face, mark, all, 0};
      if (!all) {
        std::vector<Bit> bits;
        for (std::size_t b = 0; most >> b != 0; ++b) {
          std::vector<Answer> answers;
          for (const int k : n) answers.push_back(k < 0 ? Answer::Any : (k >> b & 1) != 0 ? Answer::Yes : Answer::No);
          bits.push_back(learner.learn(answers));
        }
        dice.n = Number(std::move(bits), 0, most);
      }
      out.push_back(std::move(dice));
    }
  }
  return out;
}

namespace {

/// Adds a number as features: its bits, and whether it reaches certain small values.
class Features {
 public:
  Features(Logic& logic, DecisionLogic& learner, const std::vector<Decision>& table)
      : logic_(logic), learner_(learner), table_(table) {}

  template <typename Value>
  void add(const Number& number, Value&& value) {
    if (number.constant()) return;
    std::vector<int> values;
    for (const Decision& decision : table_) values.push_back(value(decision));
    if (std::all_of(values.begin(), values.end(), [&](int v) { return v == values[0]; })) return;
    if (number.max < 2 && number.min == 0) {
      return add_bit(number.bit(0), values, [](int v) { return v != 0; });
    }
    for (int least = std::max(number.min + 1, -2); least <= std::min(number.max, 3); ++least) {
      add_bit(!less(logic_, number, least), values, [least](int v) { return v >= least; });
    }
    for (std::size_t b = 0; b < number.bits.size(); ++b) {
      add_bit(number.bits[b], values, [b](int v) { return (v >> b & 1) != 0; });
    }
  }

 private:
  template <typename Is>
  void add_bit(Bit bit, const std::vector<int>& values, Is&& is) {
    std::vector<bool> out;
    for (const int v : values) out.push_back(is(v));
    learner_.add_feature(bit, out);
  }

  Logic& logic_;
  DecisionLogic& learner_;
  const std::vector<Decision>& table_;
};

}  // namespace

void WindowRecorder::add_features(DecisionLogic& learner, const Table& table) const {
  Features features(logic_, learner, table);
  const AttackDecisions& attack = decisions_[at_.index];
  const int hit = plan_.attack_die.hit;
  const int crit = plan_.attack_die.crit;
  const int evade = plan_.defense_die.evade;
  const int focus = plan_.defense_die.focus;
  const auto face = [](const game::Pool& pool, int f) { return f < 0 ? 0 : pool.count(f); };
  // Most decisions depend on how many results remain after the evades.
  const Number results = conditions_.results_left();
  const Number evades = at_.defense_dice.count(evade);
  const Number uncancelled = subtract(logic_, results, evades);
  const auto value_uncancelled = [&](const Decision& d) {
    const game::Pool& pool = d.position.attack_pool;
    return face(pool, hit) + face(pool, crit) - face(d.position.defense_pool, evade);
  };
  if (!evades.constant()) {
    features.add(uncancelled, value_uncancelled);
    features.add(subtract(logic_, uncancelled, at_.defense_dice.count(focus)),
                 [&](const Decision& d) { return value_uncancelled(d) - face(d.position.defense_pool, focus); });
    features.add(subtract(logic_, at_.attack_dice.count(hit), evades), [&](const Decision& d) {
      return face(d.position.attack_pool, hit) - face(d.position.defense_pool, evade);
    });
  }
  features.add(results, [&](const Decision& d) {
    return face(d.position.attack_pool, hit) + face(d.position.attack_pool, crit);
  });
  for (const bool attack_dice : {true, false}) {
    const SymbolicDice& dice = at_.dice_of(attack_dice);
    const int faces = (attack_dice ? plan_.attack_die : plan_.defense_die).faces;
    for (int f = 0; f < faces; ++f) {
      for (const bool mark : {false, true}) {
        features.add(dice.count(f, mark), [&](const Decision& d) {
          return (attack_dice ? d.position.attack_pool : d.position.defense_pool).count(f, mark);
        });
      }
    }
  }
  for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
    const game::Resource& resource = plan_.resources[r];
    if (!resource.dynamic) continue;
    features.add(at_.totals.resources[r], [&](const Decision& d) { return d.position.resources.get(resource); });
    features.add(at_.start[r], [&](const Decision& d) { return base::nth(attack.starts, d.start).get(resource); });
  }
  for (std::size_t bit = 0; bit < kUsedBits; ++bit) {
    features.add(Number::of_bit(at_.used[bit]),
                 [&](const Decision& d) { return static_cast<int>(d.position.used >> bit & 1u); });
  }
  features.add(Number::of_bit(at_.hit), [](const Decision& d) { return d.position.hit ? 1 : 0; });
  features.add(at_.hits, [](const Decision& d) { return d.position.hits; });
  features.add(at_.crits, [](const Decision& d) { return d.position.crits; });
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    features.add(at_.extra[v], [v](const Decision& d) { return d.position.extra[v]; });
  }
  features.add(at_.dice, [](const Decision& d) { return d.position.dice; });
  features.add(at_.min_dice, [](const Decision& d) { return d.position.min_dice; });
  features.add(at_.max_dice, [](const Decision& d) { return d.position.max_dice; });
}

}  // namespace salvo::sample
