#include "sample/recorder.h"

#include <algorithm>
#include <map>

namespace salvo::sample {

using Code = ExpressionOp::Code;

namespace {

constexpr std::size_t kUsedBits = 32;

void check_known(const Expression& expression) {
  for (const ExpressionOp& op : expression) {
    if (op.code == Code::Suffered || op.code == Code::SideFace || op.code == Code::Trait) {
      throw NotBitSliced("a condition asks for damage from effects or for dice rolled for an effect");
    }
  }
}

void check_known(const Operation& operation) {
  using Kind = Operation::Kind;
  if (operation.kind == Kind::Roll || operation.kind == Kind::Hit) {
    throw NotBitSliced("an effect rolls dice of its own or makes an attack hit");
  }
  if (operation.kind == Kind::Cancel && (operation.choose || operation.exact)) {
    throw NotBitSliced("a player chooses which results are cancelled");
  }
  if (!operation.displaces.empty()) throw NotBitSliced("a lock displaces another");
  const bool counts = operation.kind == Kind::Gain || operation.kind == Kind::Lose || operation.kind == Kind::Damage;
  if (!counts && !operation.amount.empty()) throw NotBitSliced("an effect counts how many dice it applies to");
  check_known(operation.amount);
}

}  // namespace

void check_known(const Plan& plan) {
  for (const AttackPlan& attack : plan.attacks) {
    if (attack.engagement) throw NotBitSliced("effects take place outside attacks");
    if (!attack.deals.empty()) throw NotBitSliced("damage cards are dealt");
    if (!attack.prevented.empty() || !attack.lost_after.empty()) throw NotBitSliced("a card prevents an attack");
    if (!attack.waivers.empty()) throw NotBitSliced("a requirement of an attack can be waived");
    for (const Effect& effect : attack.effects) {
      if (effect.jump >= 0) throw NotBitSliced("an effect makes play go on at another step");
      check_known(effect.when);
      check_known(effect.times);
      for (const Operation& operation : effect.operations) check_known(operation);
    }
  }
}

Recorder::Recorder(const Setup& setup, const std::vector<AttackDecisions>& decisions, Logic& logic)
    : setup_(setup),
      plan_(setup.plan),
      decisions_(decisions),
      logic_(logic),
      attacks_(setup.plan.attacks.size()),
      attack_dice_(logic),
      defense_dice_(logic) {
  for (const Resource& r : plan_.resources) state_.resources.emplace_back(plan_.start.get(r));
  const std::size_t ships = plan_.ships.size();
  state_.hits.resize(ships);
  state_.crits.resize(ships);
  state_.damage.resize(ships);
  state_.gained.resize(ships);
  state_.results.resize(ships);
}

void Recorder::record() {
  for (std::size_t k = 0; k < plan_.attacks.size(); ++k) record_attack(k);
}

void Recorder::record(const Straight& straight, const Number& hits, const Number& crits) {
  index_ = 0;
  attack_ = &plan_.attacks[0];
  hit_ = false;
  RecordedAttack& out = attacks_[0];
  out.happens = true;
  out.attack_dice = straight.attack_dice;
  out.defense_dice = straight.defense_dice;
  std::array<Number, kMaxFaces> left{};
  left[static_cast<std::size_t>(plan_.attack_die.hit)] = hits;
  left[static_cast<std::size_t>(plan_.attack_die.crit)] = crits;
  attack_dice_.show(left, plan_.attack_die.faces, straight.attack_dice);
  deal_damage();
}

void Recorder::record_attack(std::size_t k) {
  index_ = k;
  attack_ = &plan_.attacks[k];
  const Bit takes_place = happens();
  if (!takes_place.is(false)) {
    const State before = state_;
    start_ = state_.resources;
    for (const Cost& cost : attack_->cost) change_resource(cost.resource, -cost.n, true);
    used_.assign(kUsedBits, false);
    attack_dice_.clear();
    defense_dice_.clear();
    dice_ = min_dice_ = max_dice_ = hits_ = crits_ = 0;
    hit_ = false;
    for (step_ = 0; attack_->steps[step_].kind != Step::Kind::End; ++step_) play_step(attack_->steps[step_]);
    if (!takes_place.is(true)) {
      const auto keep_if_not = [&](std::vector<Number>& now, const std::vector<Number>& then) {
        for (std::size_t i = 0; i < now.size(); ++i) now[i] = choose(logic_, takes_place, now[i], then[i]);
      };
      keep_if_not(state_.resources, before.resources);
      keep_if_not(state_.hits, before.hits);
      keep_if_not(state_.crits, before.crits);
      keep_if_not(state_.damage, before.damage);
      keep_if_not(state_.gained, before.gained);
    }
    RecordedAttack& out = attacks_[k];
    for (Number* number : {&out.attack_dice, &out.defense_dice, &out.hits, &out.crits}) {
      *number = only_if(logic_, takes_place, *number);
    }
    out.hits_at_all = logic_.both(takes_place, out.hits_at_all);
    out.happens = takes_place;
  }
  end_attack();
}

void Recorder::play_step(const Step& step) {
  switch (step.kind) {
    case Step::Kind::Apply:
      for (const int e : step.effects) apply_mandatory(attack_->effects[static_cast<std::size_t>(e)]);
      return;
    case Step::Kind::Window:
      record_window(step);
      for (const bool attack_dice : {true, false}) {
        if (!reroll_follows(step_ + 1, attack_dice)) dice_of(attack_dice).count_up();
      }
      return;
    case Step::Kind::StartAttackDice:
    case Step::Kind::StartDefenseDice:
      dice_ = step.base;
      min_dice_ = step.min;
      max_dice_ = step.max;
      return;
    case Step::Kind::Floor:
      dice_ = larger(logic_, dice_, 0);
      return;
    case Step::Kind::RollAttack:
      return roll(true);
    case Step::Kind::RollDefense:
      return roll(false);
    case Step::Kind::Neutralize:
      return neutralize();
    case Step::Kind::Outcome:
      hit_ = logic_.either(hit_, nonzero(logic_, results_left()));
      return;
    case Step::Kind::Damage:
      return deal_damage();
    case Step::Kind::Deal:
      break;
    case Step::Kind::End:
      return;
  }
  throw NotBitSliced("a step of a kind that the bit-sliced kernels do not know");
}

void Recorder::roll(bool attack_dice) {
  const Number n = roll_size();
  if (n.least < 0) throw NotBitSliced("a number of dice can be negative");
  RecordedAttack& out = attacks_[index_];
  (attack_dice ? out.attack_dice : out.defense_dice) = n;
  const AttackAddress& address = setup_.addresses.attacks[index_];
  dice_of(attack_dice)
      .roll(attack_dice ? setup_.attack_code : setup_.defense_code, attack_dice ? address.attack : address.defense,
            (attack_dice ? plan_.attack_die : plan_.defense_die).faces, n, reroll_follows(step_ + 1, attack_dice));
  dice_ = min_dice_ = max_dice_ = 0;
}

Number Recorder::roll_size() { return smaller(logic_, larger(logic_, dice_, min_dice_), max_dice_); }

bool Recorder::reroll_follows(std::size_t step, bool attack_dice) const {
  for (; step < attack_->steps.size(); ++step) {
    for (const int e : attack_->steps[step].effects) {
      for (const Operation& operation : attack_->effects[static_cast<std::size_t>(e)].operations) {
        if (operation.kind == Operation::Kind::Reroll && operation.attack_dice == attack_dice) return true;
      }
    }
  }
  return false;
}

Number Recorder::results_left() {
  return add(logic_, attack_dice_.count(plan_.attack_die.hit), attack_dice_.count(plan_.attack_die.crit));
}

void Recorder::neutralize() {
  Number evades = defense_dice_.count(plan_.defense_die.evade);
  std::array<Number, kMaxFaces> left{};
  for (int turn = 0; turn < 2; ++turn) {  // 000: Attack, Neutralize Results
    const bool crits = (turn == 0) == attack_->crits_first;
    const int face = crits ? plan_.attack_die.crit : plan_.attack_die.hit;
    if (face < 0) continue;
    const Number results = attack_dice_.count(face);
    if (crits ? attack_->uncancellable_crits : attack_->uncancellable_hits) {
      left[static_cast<std::size_t>(face)] = results;
      continue;
    }
    const Number difference = subtract(logic_, results, evades);
    const Bit too_many = difference.least < 0 ? difference.bits.back() : Bit(false);
    const Number rest = only_if(logic_, !too_many, difference);
    const Number unspent = only_if(logic_, too_many, subtract(logic_, evades, results));
    left[static_cast<std::size_t>(face)] = Number(rest.bits, 0, results.most);
    evades = Number(unspent.bits, 0, evades.most);
  }
  attack_dice_.keep(left);
  defense_dice_.clear();
}

void Recorder::deal_damage() {
  const auto defender = static_cast<std::size_t>(attack_->defender);
  hits_ = attack_dice_.count(plan_.attack_die.hit);
  crits_ = attack_dice_.count(plan_.attack_die.crit);
  const Number results = attack_dice_.size();
  attack_dice_.clear();
  state_.hits[defender] = add(logic_, state_.hits[defender], hits_);
  state_.crits[defender] = add(logic_, state_.crits[defender], crits_);
  state_.results[defender] += results.most;
  RecordedAttack& out = attacks_[index_];
  const Number damage = add(logic_, hits_, crits_);
  out.hits_at_all = logic_.either(hit_, nonzero(logic_, damage));
  out.hits = hits_;
  out.crits = crits_;
  suffer(attack_->defender, Number(damage.bits, 0, std::min(damage.most, results.most)), true);
}

void Recorder::end_attack() {
  for (const int ship : attack_->removed_after) {
    const int health = plan_.ships[static_cast<std::size_t>(ship)].health;
    if (health >= 0) set_resource(health, kGone, equal(logic_, value(health), kHealthZero));
  }
}

// ---------------------------------------------------------------- what effects do

void Recorder::apply_mandatory(const Effect& effect) {
  const Number times = evaluate(effect.times, 1);
  Bit going_on = true;
  for (int i = 0; i < times.most; ++i) {
    going_on = logic_.both(going_on, less(logic_, i, times));
    going_on =
        logic_.both(going_on, logic_.both(unused(effect), logic_.both(holds(effect.when), payable(effect.cost))));
    if (going_on.is(false)) return;
    act(effect, going_on, nullptr);
  }
}

void Recorder::act(const Effect& effect, Bit condition, const std::vector<ChosenDice>* chosen) {
  std::vector<Number> amounts;
  for (const Operation& operation : effect.operations) {
    const Number amount = operation.amount.empty() ? Number(operation.n) : evaluate(operation.amount, 0);
    amounts.push_back(larger(logic_, amount, 0));
  }
  const std::uint32_t sets = effect.sets | (effect.used_bit >= 0 ? 1u << effect.used_bit : 0);
  for (std::size_t bit = 0; bit < kUsedBits; ++bit) {
    if ((effect.clears >> bit & 1u) != 0) {
      used_[bit] = logic_.both(used_[bit], !condition);
    } else if ((sets >> bit & 1u) != 0) {
      used_[bit] = logic_.either(used_[bit], condition);
    }
  }
  for (const Cost& cost : effect.cost) {
    // Whoever uses an effect can pay for it, so no bound is needed.
    const Number before = value(cost.resource);
    if (!resource(cost.resource).dynamic) continue;
    const Number after = subtract(logic_, before, only_if(logic_, condition, cost.n));
    value(cost.resource) = Number(after.bits, std::max(0, after.least), before.most);
  }
  for (std::size_t i = 0; i < effect.operations.size(); ++i) {
    operate(effect.operations[i], amounts[i], condition, chosen);
  }
}

void Recorder::operate(const Operation& operation, const Number& amount, Bit condition,
                       const std::vector<ChosenDice>* chosen) {
  SymbolicDice& dice = dice_of(operation.attack_dice);
  switch (operation.kind) {
    case Operation::Kind::Pool:
      dice_ = add(logic_, dice_, only_if(logic_, condition, operation.n));
      return;
    case Operation::Kind::Limit:
      min_dice_ = choose(logic_, condition, larger(logic_, min_dice_, operation.min), min_dice_);
      max_dice_ = choose(logic_, condition, smaller(logic_, max_dice_, operation.max), max_dice_);
      return;
    case Operation::Kind::Gain:
      return change_resource(operation.resource, amount, condition);
    case Operation::Kind::Lose:
      return change_resource(operation.resource,
                             operation.all ? Number(-resource(operation.resource).max) : subtract(logic_, 0, amount),
                             condition);
    case Operation::Kind::Damage:
      return suffer(attack_->victim(operation.victim), amount, condition);
    case Operation::Kind::Add:
      return dice.add(condition, operation.to, operation.n);
    case Operation::Kind::Cancel:
      return dice.cancel(condition, operation.from, operation.n, operation.all);
    case Operation::Kind::Roll:
    case Operation::Kind::Hit:
    case Operation::Kind::Expose:
    case Operation::Kind::Flip:
    case Operation::Kind::Deal:
      break;
    case Operation::Kind::Reroll:
      if (chosen == nullptr) throw NotBitSliced("a reroll that nobody chooses");
      return dice.reroll(condition, *chosen);
    case Operation::Kind::Change:
      if (operation.all || chosen == nullptr) {
        return dice.change_in_order(condition, operation.from, operation.to, operation.n, operation.all);
      }
      return dice.change(condition, *chosen, operation.to);
  }
  throw NotBitSliced("an operation of a kind that the bit-sliced kernels do not know");
}

void Recorder::suffer(int index, const Number& damage, Bit condition) {
  const auto s = static_cast<std::size_t>(index);
  const ShipPlan& ship = plan_.ships[s];
  const Number suffered = only_if(logic_, condition, damage);
  state_.damage[s] = add(logic_, state_.damage[s], suffered);
  Number gained = plan_.objective == Objective::Damage ? suffered : Number(0);
  if (ship.health >= 0) {
    const Number before = subtract(logic_, value(ship.health), kHealthZero);
    const Number after = larger(logic_, subtract(logic_, before, suffered), 0);
    const Number removed = subtract(logic_, before, after);
    const Bit destroyed = logic_.both(less(logic_, 0, before), equal(logic_, after, 0));
    if (plan_.objective == Objective::Kill) gained = Number::of_bit(logic_.both(condition, destroyed));
    if (plan_.objective == Objective::Health || plan_.objective == Objective::Exchange) {
      gained = Number(removed.bits, 0, std::max(0, removed.most));
    }
    const Number left = add(logic_, after, kHealthZero);
    set_resource(ship.health, Number(left.bits, left.least, std::min(left.most, resource(ship.health).max)), condition);
  }
  state_.gained[s] = add(logic_, state_.gained[s], only_if(logic_, condition, gained));
}

void Recorder::change_resource(int index, const Number& delta, Bit condition) {
  const Number changed = add(logic_, value(index), delta);
  set_resource(index, smaller(logic_, larger(logic_, changed, 0), resource(index).max), condition);
}

void Recorder::set_resource(int index, Number after, Bit condition) {
  if (resource(index).dynamic) value(index) = choose(logic_, condition, after, value(index));
}

// ---------------------------------------------------------------- conditions

Number Recorder::evaluate(const Expression& expression, int if_empty) {
  if (expression.empty()) return if_empty;
  std::vector<Number> stack;
  const auto binary = [&](auto&& f) {
    const Number b = stack.back();
    stack.pop_back();
    stack.back() = f(stack.back(), b);
  };
  const auto truth = [](Bit bit) { return Number::of_bit(bit); };
  for (const ExpressionOp& op : expression) {
    switch (op.code) {
      case Code::Constant:
        stack.emplace_back(op.value);
        continue;
      case Code::Resource:
        stack.push_back(value(op.value));
        continue;
      case Code::AttackFace:
        stack.push_back(attack_dice_.count(op.value));
        continue;
      case Code::DefenseFace:
        stack.push_back(defense_dice_.count(op.value));
        continue;
      case Code::AttackDice:
        stack.push_back(attack_dice_.size());
        continue;
      case Code::DefenseDice:
        stack.push_back(defense_dice_.size());
        continue;
      case Code::Remaining:
        stack.push_back(add(logic_, results_left(), add(logic_, hits_, crits_)));
        continue;
      case Code::Hit:
        stack.push_back(truth(hit_));
        continue;
      case Code::Rolling:
        stack.push_back(roll_size());
        continue;
      case Code::Used:
        stack.push_back(truth(used_.at(static_cast<std::size_t>(op.value))));
        continue;
      case Code::Suffered:
      case Code::Trait:
      case Code::SideFace:
        break;
      case Code::Minimum:
        binary([&](const Number& a, const Number& b) { return smaller(logic_, a, b); });
        continue;
      case Code::Maximum:
        binary([&](const Number& a, const Number& b) { return larger(logic_, a, b); });
        continue;
      case Code::Add:
        binary([&](const Number& a, const Number& b) { return add(logic_, a, b); });
        continue;
      case Code::Subtract:
        binary([&](const Number& a, const Number& b) { return subtract(logic_, a, b); });
        continue;
      case Code::Less:
        binary([&](const Number& a, const Number& b) { return truth(less(logic_, a, b)); });
        continue;
      case Code::LessEqual:
        binary([&](const Number& a, const Number& b) { return truth(!less(logic_, b, a)); });
        continue;
      case Code::Equal:
        binary([&](const Number& a, const Number& b) { return truth(equal(logic_, a, b)); });
        continue;
      case Code::NotEqual:
        binary([&](const Number& a, const Number& b) { return truth(!equal(logic_, a, b)); });
        continue;
      case Code::And:
        binary([&](const Number& a, const Number& b) {
          return truth(logic_.both(nonzero(logic_, a), nonzero(logic_, b)));
        });
        continue;
      case Code::Or:
        binary([&](const Number& a, const Number& b) {
          return truth(logic_.either(nonzero(logic_, a), nonzero(logic_, b)));
        });
        continue;
      case Code::Not:
        stack.back() = truth(!nonzero(logic_, stack.back()));
        continue;
    }
    throw NotBitSliced("a condition of a kind that the bit-sliced kernels do not know");
  }
  return stack.at(0);
}

Bit Recorder::gone(int ship) {
  const int health = plan_.ships[static_cast<std::size_t>(ship)].health;
  return health < 0 ? Bit(false) : equal(logic_, value(health), kGone);
}

Bit Recorder::payable(const std::vector<Cost>& costs) {
  Bit out = true;
  for (const Cost& cost : costs) out = logic_.both(out, !less(logic_, value(cost.resource), cost.n));
  return out;
}

Bit Recorder::happens() {
  const Bit in_play = logic_.both(!gone(attack_->attacker), !gone(attack_->defender));
  Bit required = attack_->required.empty();
  for (const Cost& cost : attack_->required) required = logic_.either(required, payable({cost}));
  return logic_.both(in_play, logic_.both(payable(attack_->cost), required));
}

Bit Recorder::has_options(const Step& step) {
  Bit any = false;
  for (const int e : step.effects) {
    const Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
    const Bit usable = logic_.both(logic_.both(unused(effect), payable(effect.cost)), holds(effect.when));
    any = logic_.either(any, logic_.both(usable, does_something(effect)));
  }
  return any;
}

Bit Recorder::does_something(const Effect& effect) {
  Bit any = effect.operations.empty();
  for (const Operation& operation : effect.operations) {
    const bool rerolls = operation.kind == Operation::Kind::Reroll;
    const bool needs_dice =
        rerolls || operation.kind == Operation::Kind::Change || operation.kind == Operation::Kind::Cancel;
    if (!needs_dice || operation.if_none) return true;
    SymbolicDice& dice = dice_of(operation.attack_dice);
    for (const int face : operation.from) {
      if (face == operation.to) continue;
      any = logic_.either(any, nonzero(logic_, rerolls ? dice.count(face, false) : dice.count(face)));
    }
  }
  return any;
}

Bit Recorder::marks_matter(bool attack_dice) {
  Bit any = false;
  for (std::size_t s = step_; s < attack_->steps.size(); ++s) {
    if (attack_->steps[s].kind != Step::Kind::Window) continue;
    for (const int e : attack_->steps[s].effects) {
      const Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
      for (const Operation& operation : effect.operations) {
        if (operation.kind != Operation::Kind::Reroll || operation.attack_dice != attack_dice) continue;
        any = logic_.either(any, logic_.both(unused(effect), may_be_payable(effect)));
      }
    }
  }
  return any;
}

/// The price is there, or an effect of the attack can still gain it.
Bit Recorder::may_be_payable(const Effect& effect) {
  Bit out = true;
  for (const Cost& cost : effect.cost) {
    const bool gained = std::any_of(attack_->effects.begin(), attack_->effects.end(), [&](const Effect& other) {
      return std::any_of(other.operations.begin(), other.operations.end(), [&](const Operation& operation) {
        return operation.kind == Operation::Kind::Gain && operation.resource == cost.resource;
      });
    });
    if (!gained) out = logic_.both(out, payable({cost}));
  }
  return out;
}

void Recorder::forget_marks(Bit condition) {
  for (const bool attack_dice : {true, false}) {
    SymbolicDice& dice = dice_of(attack_dice);
    if (dice.one_by_one()) dice.forget_marks(logic_.both(condition, !marks_matter(attack_dice)));
  }
}

// ---------------------------------------------------------------- decisions

void Recorder::record_window(const Step& step) {
  const auto& window = decisions_[index_].windows[step_];
  Bit asked = true;
  for (const std::vector<Decision>& table : window) {
    if (asked.is(false)) return;
    forget_marks(asked);
    asked = table.empty() ? Bit(false) : act_on(table, logic_.both(asked, has_options(step)));
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
    for (auto& [effect, uses] : used) {
      uses = learn([slot, e = effect](const Decision& decision) {
        return decision.acts.size() > slot && decision.acts[slot].option.effect == e;
      });
    }
    std::map<int, std::vector<std::vector<ChosenDice>>> chosen;
    for (const auto& [effect, uses] : used) {
      const Effect& e = attack_->effects[static_cast<std::size_t>(effect)];
      for (const Operation& operation : e.operations)
        chosen[effect].push_back(chosen_dice(learner, table, slot, effect, operation));
    }
    for (const auto& [effect, uses] : used) {
      const Effect& e = attack_->effects[static_cast<std::size_t>(effect)];
      // All operations that a player chooses dice for get the same ones.
      const auto with_dice =
          std::find_if(chosen[effect].begin(), chosen[effect].end(), [](const auto& dice) { return !dice.empty(); });
      const std::vector<ChosenDice> none;
      act(e, uses, with_dice == chosen[effect].end() ? &none : &*with_dice);
    }
  }
  return again;
}

/// Which dice the effect at place `slot` is applied to, wherever the table uses it.
std::vector<ChosenDice> Recorder::chosen_dice(const DecisionLogic& learner, const std::vector<Decision>& table,
                                              std::size_t slot, int effect, const Operation& operation) {
  std::vector<ChosenDice> out;
  const bool chooses =
      operation.kind == Operation::Kind::Reroll || (operation.kind == Operation::Kind::Change && !operation.all);
  if (!chooses) return out;
  for (int face = 0; face < kMaxFaces; ++face) {
    for (const bool mark : {false, true}) {
      std::vector<int> n(table.size(), -1);  // -1: not used there
      bool all = true;
      int most = 0;
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].acts.size() <= slot || table[i].acts[slot].option.effect != effect) continue;
        const Act& act = table[i].acts[slot];
        n[i] = act.option.dice.count(face, mark);
        most = std::max(most, n[i]);
        all = all && n[i] == (operation.attack_dice ? act.attack_pool : act.defense_pool).count(face, mark);
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
  const auto face = [](const Pool& pool, int f) { return f < 0 ? 0 : pool.count(f); };
  // How many results the evades leave is what most decisions turn on.
  const Number results = results_left();
  const Number evades = defense_dice_.count(evade);
  const Number uncancelled = subtract(logic_, results, evades);
  const auto value_uncancelled = [&](const Decision& d) {
    const Pool& pool = d.position.attack_pool;
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
    const Resource& resource = plan_.resources[r];
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
  features.add(dice_, [](const Decision& d) { return d.position.dice; });
  features.add(min_dice_, [](const Decision& d) { return d.position.min_dice; });
  features.add(max_dice_, [](const Decision& d) { return d.position.max_dice; });
}

}  // namespace salvo::sample
