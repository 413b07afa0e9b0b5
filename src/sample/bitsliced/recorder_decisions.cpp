// Recorder: what players do in a window, from the tables of their decisions.
#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include "base/stable_sort.h"
#include "game/position_parts.h"
#include "sample/bitsliced/recorder.h"

namespace salvo::sample {

void Recorder::record_window(const game::Step& step) {
  const auto& window = decisions_[index_].windows[step_];
  Bit asked = active_;
  for (const std::vector<Decision>& all : window) {
    if (asked.is(false)) return;
    forget_marks(asked);
    std::vector<Decision> table;
    std::copy_if(all.begin(), all.end(), std::back_inserter(table), [&](const Decision& d) { return can_come_up(d); });
    asked = table.empty() ? Bit(false) : act_on(table, logic_.both(asked, has_options(step)));
  }
}

/// Whether changes of dice by players who do no more in this window can wait for its end, when dice are only counted.
bool Recorder::can_wait(const game::Step& step) const {
  return std::all_of(step.effects.begin(), step.effects.end(), [&](int e) {
    const game::Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
    return effect.jump < 0 &&
           std::all_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
             using Kind = game::Operation::Kind;
             return operation.amount.empty() && operation.kind != Kind::Roll && operation.kind != Kind::Add &&
                    operation.kind != Kind::Hit &&
                    !(game::changes_dice(operation) &&
                      game::reroll_follows(*attack_, step_ + 1, operation.attack_dice));
           });
  });
}

/// A change of dice waits. Players who stop after having been asked a different number of times never change the same
/// dice, so their changes at the same place of a decision are one.
void Recorder::wait(const game::Operation& operation, Bit condition, const std::vector<ChosenDice>& chosen) {
  const auto same = [&](const Waiting& waiting) {
    return waiting.operation == &operation && waiting.slot == slot_ &&
           std::equal(chosen.begin(), chosen.end(), waiting.chosen.begin(), waiting.chosen.end(),
                      [](const ChosenDice& a, const ChosenDice& b) { return a.face == b.face && a.all == b.all; });
  };
  const auto at = std::find_if(waiting_.begin(), waiting_.end(), same);
  if (at == waiting_.end()) {
    waiting_.push_back({&operation, slot_, condition, chosen});
    return;
  }
  for (std::size_t c = 0; c < chosen.size(); ++c)
    at->chosen[c].n = choose(logic_, condition, chosen[c].n, at->chosen[c].n);
  at->condition = logic_.either(at->condition, condition);
}

/// Does what waited.
void Recorder::make_up() {
  std::vector<Waiting> all = std::exchange(waiting_, {});
  base::stable_sort(all, [](const Waiting& a, const Waiting& b) { return a.slot < b.slot; });
  for (const Waiting& waiting : all) {
    operate(*waiting.operation, waiting.operation->n, waiting.condition, &waiting.chosen);
  }
}

/// Plays one table of decisions; returns where the player is asked again.
Bit Recorder::act_on(const std::vector<Decision>& table, Bit active) {
  DecisionLogic learner(logic_, table.size());
  add_features(learner, table);
  const auto learn = [&](auto&& answer) {
    std::vector<Answer> answers;
    for (const Decision& decision : table) answers.push_back(answer(decision) ? Answer::Yes : Answer::No);
    return logic_.both(active, learner.learn(answers));
  };
  std::size_t slots = 0;
  for (const Decision& decision : table) slots = std::max(slots, decision.acts.size());
  const Bit again = learn([](const Decision& decision) { return decision.again; });
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::map<int, Bit> used;
    bool asked_again = false;
    bool asked_once = false;
    for (const Decision& decision : table) {
      if (decision.acts.size() <= slot) continue;
      used[decision.acts[slot].option.effect] = false;
      (decision.acts[slot].asked_again ? asked_again : asked_once) = true;
    }
    if (asked_again && asked_once) throw NotBitSliced("players are asked again at different times");
    if (asked_again) forget_marks(active);
    const bool waits = can_wait(attack_->steps[step_]);
    struct Use {
      const game::Effect* effect = nullptr;
      Bit condition;
      bool last = false;  ///< the player does no more in this window
      std::vector<ChosenDice> chosen;
    };
    std::vector<Use> uses;
    for (const auto& entry : used) {
      const int number = entry.first;
      const auto uses_it = [slot, number](const Decision& decision) {
        return decision.acts.size() > slot && decision.acts[slot].option.effect == number;
      };
      for (const bool last : {false, true}) {
        if (last && !waits) continue;
        const Bit condition =
            learn([&](const Decision& decision) { return uses_it(decision) && (!waits || decision.again != last); });
        if (condition.is(false)) continue;
        const game::Effect& effect = attack_->effects[static_cast<std::size_t>(number)];
        uses.push_back({&effect, condition, last, {}});
        // All operations that a player chooses dice for get the same ones.
        for (const game::Operation& operation : effect.operations) {
          if (uses.back().chosen.empty())
            uses.back().chosen = chosen_dice(learner, table, {slot, number, &operation, last});
        }
      }
    }
    slot_ = slot;
    for (const Use& use : uses) {
      waits_ = use.last;
      act(*use.effect, use.condition, &use.chosen);
      waits_ = false;
    }
  }
  return again;
}

/// Which dice an effect is applied to, wherever the table uses it.
std::vector<ChosenDice> Recorder::chosen_dice(const DecisionLogic& learner, const std::vector<Decision>& table,
                                              const Chosen& use) {
  std::vector<ChosenDice> out;
  const game::Operation& operation = *use.operation;
  if (!game::chooses_dice(operation)) return out;
  for (int face = 0; face < base::kMaxFaces; ++face) {
    for (const bool mark : {false, true}) {
      if (mark && use.unmarked) continue;
      const auto count = [&](const game::Pool& pool) {
        return use.unmarked ? pool.count(face) : pool.count(face, mark);
      };
      std::vector<int> n(table.size(), -1);  // -1: not used there
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

/// A number as features: its bits, and whether it reaches 1, 2 and 3.
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
    if (number.most < 2 && number.least == 0) {
      return add_bit(number.bit(0), values, [](int v) { return v != 0; });
    }
    for (int least = std::max(number.least + 1, -2); least <= std::min(number.most, 3); ++least) {
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

void Recorder::add_features(DecisionLogic& learner, const std::vector<Decision>& table) {
  Features features(logic_, learner, table);
  const AttackDecisions& attack = decisions_[index_];
  const int hit = plan_.attack_die.hit;
  const int crit = plan_.attack_die.crit;
  const int evade = plan_.defense_die.evade;
  const int focus = plan_.defense_die.focus;
  const auto face = [](const game::Pool& pool, int f) { return f < 0 ? 0 : pool.count(f); };
  // How many results the evades leave is what most decisions turn on.
  const Number results = results_left();
  const Number evades = defense_dice_.count(evade);
  const Number uncancelled = subtract(logic_, results, evades);
  const auto value_uncancelled = [&](const Decision& d) {
    const game::Pool& pool = d.position.attack_pool;
    return face(pool, hit) + face(pool, crit) - face(d.position.defense_pool, evade);
  };
  if (!evades.constant()) {
    features.add(uncancelled, value_uncancelled);
    features.add(subtract(logic_, uncancelled, defense_dice_.count(focus)),
                 [&](const Decision& d) { return value_uncancelled(d) - face(d.position.defense_pool, focus); });
    features.add(subtract(logic_, attack_dice_.count(hit), evades), [&](const Decision& d) {
      return face(d.position.attack_pool, hit) - face(d.position.defense_pool, evade);
    });
  }
  features.add(results, [&](const Decision& d) {
    return face(d.position.attack_pool, hit) + face(d.position.attack_pool, crit);
  });
  for (const bool attack_dice : {true, false}) {
    const SymbolicDice& dice = dice_of(attack_dice);
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
    features.add(state_.resources[r], [&](const Decision& d) { return d.position.resources.get(resource); });
    features.add(start_[r],
                 [&](const Decision& d) { return attack.starts[static_cast<std::size_t>(d.start)].get(resource); });
  }
  for (std::size_t bit = 0; bit < kUsedBits; ++bit) {
    features.add(Number::of_bit(used_[bit]),
                 [&](const Decision& d) { return static_cast<int>(d.position.used >> bit & 1u); });
  }
  features.add(Number::of_bit(hit_), [](const Decision& d) { return d.position.hit ? 1 : 0; });
  features.add(hits_, [](const Decision& d) { return d.position.hits; });
  features.add(crits_, [](const Decision& d) { return d.position.crits; });
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    features.add(extra_[v], [v](const Decision& d) { return d.position.extra[v]; });
  }
  features.add(dice_, [](const Decision& d) { return d.position.dice; });
  features.add(min_dice_, [](const Decision& d) { return d.position.min_dice; });
  features.add(max_dice_, [](const Decision& d) { return d.position.max_dice; });
}

}  // namespace salvo::sample
