// Where an attack can be cut: see segments.h.
#include "exact/segments.h"

#include <algorithm>
#include <tuple>

namespace salvo::exact {
namespace {

using Kind = Operation::Kind;

bool moves_dice(const Operation& operation) {
  return operation.kind == Kind::Change || operation.kind == Kind::Reroll || operation.kind == Kind::Add ||
         operation.kind == Kind::Cancel;
}

/// True when the effect rerolls dice that may be there in the segment: there are no defense dice before they are
/// rolled.
bool rerolls(const Effect& effect, const Segment& segment) {
  return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const Operation& operation) {
    return operation.kind == Kind::Reroll && (operation.attack_dice || segment.has_defense_dice);
  });
}

template <typename Visit>
void each_expression(const Effect& effect, Visit visit) {
  visit(effect.when);
  visit(effect.times);
  for (const Operation& operation : effect.operations) visit(operation.amount);
}

/// What one attack's steps read.
class Reader {
 public:
  Reader(const Plan& plan, const AttackPlan& attack) : plan_(plan), attack_(attack) {}

  /// True when no step jumps over the beginning of step `at`.
  bool can_cut(int at) const {
    for (int s = 0; s < static_cast<int>(attack_.steps.size()); ++s) {
      for (const int e : attack_.steps[static_cast<std::size_t>(s)].effects) {
        const Effect& effect = this->effect(e);
        if (effect.jump >= 0 && (s < at) != (effect.jump < at)) return false;
        for (const Operation& operation : effect.operations) {
          if (operation.kind == Kind::Hit && operation.all && (s < at) != (attack_.after_dice < at)) return false;
        }
      }
    }
    return true;
  }

  Resources resources(const Segment& segment) const {
    Resources out;
    bool damage = segment.last;
    each_effect(segment.begin, segment.end, [&](const Effect& effect) {
      for (const Cost& cost : effect.cost) add(out, cost.resource);
      each_expression(effect, [&](const Expression& expression) {
        for (const ExpressionOp& op : expression) {
          if (op.code == ExpressionOp::Code::Resource) add(out, op.value);
        }
      });
      for (const Operation& operation : effect.operations) {
        add(out, operation.resource);
        for (const int lock : operation.displaces) add(out, lock);
        damage = damage || operation.kind == Kind::Damage;
      }
    });
    // Whether marks of a reroll still matter depends on whether later rerolls can be paid.
    each_effect(segment.end, static_cast<int>(attack_.steps.size()), [&](const Effect& effect) {
      for (const Cost& cost : effect.cost) add(out, rerolls(effect, segment) ? cost.resource : -1);
    });
    for (std::size_t v = 0; damage && v < kVictims; ++v) {
      if (attack_.victim(v) >= 0) add(out, plan_.ships[static_cast<std::size_t>(attack_.victim(v))].health);
    }
    return out;
  }

  bool has_defense_dice(const Segment& segment) const {
    return std::any_of(attack_.steps.begin(), attack_.steps.begin() + segment.end,
                       [](const Step& step) { return step.kind == Step::Kind::RollDefense; });
  }

  bool attack_dice(const Segment& segment) const {
    using Code = ExpressionOp::Code;
    bool out = segment.begin == 0;
    for (int s = segment.begin; s < segment.end; ++s) {
      const Step::Kind kind = attack_.steps[static_cast<std::size_t>(s)].kind;
      out = out || kind == Step::Kind::RollAttack || kind == Step::Kind::Neutralize || kind == Step::Kind::Outcome ||
            kind == Step::Kind::Damage;
    }
    each_effect(segment.begin, segment.end, [&](const Effect& effect) {
      each_expression(effect, [&](const Expression& expression) {
        out = out || std::any_of(expression.begin(), expression.end(), [](const ExpressionOp& op) {
                return op.code == Code::AttackFace || op.code == Code::AttackDice || op.code == Code::Remaining;
              });
      });
      for (const Operation& operation : effect.operations) {
        out = out || (operation.attack_dice && moves_dice(operation));
      }
    });
    return out;
  }

 private:
  const Effect& effect(int index) const { return attack_.effects[static_cast<std::size_t>(index)]; }

  template <typename Visit>
  void each_effect(int begin, int end, Visit visit) const {
    for (int s = begin; s < end; ++s) {
      for (const int e : attack_.steps[static_cast<std::size_t>(s)].effects) visit(effect(e));
    }
  }

  void add(Resources& mask, int index) const {
    if (index < 0) return;
    const Resource& r = plan_.resources[static_cast<std::size_t>(index)];
    if (r.dynamic) mask.words[static_cast<std::size_t>(r.word)] |= r.mask << r.shift;
  }

  const Plan& plan_;
  const AttackPlan& attack_;
};

Resources either(const Resources& a, const Resources& b) {
  return {{a.words[0] | b.words[0], a.words[1] | b.words[1]}};
}

Resources without(const Resources& a, const Resources& b) {
  return {{a.words[0] & ~b.words[0], a.words[1] & ~b.words[1]}};
}

bool same(const Expression& a, const Expression& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ExpressionOp& x, const ExpressionOp& y) {
    return x.code == y.code && x.value == y.value;
  });
}

bool same(const Operation& a, const Operation& b) {
  const auto key = [](const Operation& o) {
    return std::tie(o.kind, o.attack_dice, o.from, o.to, o.n, o.all, o.exact, o.choose, o.if_none, o.resource,
                    o.displaces, o.victim, o.min, o.max);
  };
  return key(a) == key(b) && same(a.amount, b.amount);
}

bool same(const Effect& a, const Effect& b) { return a.used_bit == b.used_bit && same_but_limit(a, b); }

bool same_step(const AttackPlan& attack, const AttackPlan& other, std::size_t s) {
  const Step &a = attack.steps[s], &b = other.steps[s];
  const auto key = [](const Step& step) {
    return std::tie(step.kind, step.attacker_decides, step.effects, step.base, step.min, step.max, step.read_later);
  };
  return key(a) == key(b) && std::all_of(a.effects.begin(), a.effects.end(), [&](int e) {
           return same(attack.effects[static_cast<std::size_t>(e)], other.effects[static_cast<std::size_t>(e)]);
         });
}

/// Whether effects after the segment can reroll dice that it may mark.
bool may_reroll(const AttackPlan& attack, const Segment& segment) {
  for (auto s = static_cast<std::size_t>(segment.end); s < attack.steps.size(); ++s) {
    for (const int e : attack.steps[s].effects) {
      if (rerolls(attack.effects[static_cast<std::size_t>(e)], segment)) return true;
    }
  }
  return false;
}

/// Resources that effects of the attack can gain: with them more rerolls can be paid.
Resources gained(const Plan& plan, const AttackPlan& attack) {
  Resources out;
  for (const Effect& effect : attack.effects) {
    for (const Operation& operation : effect.operations) {
      if (operation.kind != Kind::Gain) continue;
      const Resource& r = plan.resources[static_cast<std::size_t>(operation.resource)];
      if (r.dynamic) out.words[static_cast<std::size_t>(r.word)] |= r.mask << r.shift;
    }
  }
  return out;
}

Pool only(Pool pool, std::initializer_list<int> faces) {
  Pool out;
  for (const int face : faces) {
    if (face >= 0) out.add(face, false, pool.count(face));
  }
  return out;
}

}  // namespace

bool same_but_limit(const Effect& a, const Effect& b) {
  const auto key = [](const Effect& e) { return std::tie(e.may, e.sets, e.clears, e.forced, e.jump); };
  return key(a) == key(b) && same(a.when, b.when) && same(a.times, b.times) &&
         std::equal(a.cost.begin(), a.cost.end(), b.cost.begin(), b.cost.end(),
                    [](const Cost& x, const Cost& y) { return x.resource == y.resource && x.n == y.n; }) &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(), b.operations.end(),
                    [](const Operation& x, const Operation& y) { return same(x, y); });
}

bool same_play(const Plan& plan, const AttackPlan& attack, const Segment& segment, const Segment* next,
               const AttackPlan& other, const Segment& other_segment, const Segment* other_next) {
  const auto key = [](const Segment& s) {
    return std::tie(s.begin, s.end, s.last, s.reads_attack_dice, s.results_only, s.neutralizes, s.active.words);
  };
  const auto rules = [](const AttackPlan& a) {
    return std::tie(a.attacker, a.defender, a.crits_first, a.uncancellable_hits, a.uncancellable_crits, a.others,
                    a.after_dice);
  };
  if (key(segment) != key(other_segment) || rules(attack) != rules(other)) return false;
  if ((next == nullptr) != (other_next == nullptr)) return false;
  if (next != nullptr &&
      (next->results_only != other_next->results_only || next->neutralizes != other_next->neutralizes ||
       attack.steps[static_cast<std::size_t>(segment.end)].read_later !=
           other.steps[static_cast<std::size_t>(segment.end)].read_later)) {
    return false;
  }
  for (int s = segment.begin; s < segment.end; ++s) {
    if (!same_step(attack, other, static_cast<std::size_t>(s))) return false;
  }
  return !may_reroll(attack, segment) && !may_reroll(other, other_segment) &&
         gained(plan, attack).masked(segment.active) == gained(plan, other).masked(segment.active);
}

std::vector<Segment> cut(const Plan& plan, std::size_t attack) {
  const AttackPlan& attack_plan = plan.attacks[attack];
  const Reader reader(plan, attack_plan);
  std::vector<Segment> out(1);
  for (int s = 1; s < static_cast<int>(attack_plan.steps.size()); ++s) {
    const Step::Kind kind = attack_plan.steps[static_cast<std::size_t>(s)].kind;
    if ((kind != Step::Kind::StartDefenseDice && kind != Step::Kind::Neutralize) || !reader.can_cut(s)) continue;
    out.back().end = s;
    out.push_back({.begin = s, .neutralizes = kind == Step::Kind::Neutralize});
  }
  out.back().end = static_cast<int>(attack_plan.steps.size());
  out.back().last = true;
  Resources later;
  if (attack + 1 < plan.attacks.size()) later = plan.attacks[attack + 1].readable;
  bool results_only = false;
  for (auto segment = out.rbegin(); segment != out.rend(); ++segment) {
    segment->has_defense_dice = reader.has_defense_dice(*segment);
    segment->active = reader.resources(*segment);
    segment->reads_attack_dice = reader.attack_dice(*segment);
    results_only = segment->neutralizes || (results_only && !segment->reads_attack_dice);
    segment->results_only = results_only;
    later = segment->readable = either(later, segment->active);
  }
  out.front().readable = attack_plan.readable;
  return out;
}

Position Segment::active_part(const Position& position) const {
  Position out = position;
  out.resources = position.resources.masked(active);
  if (!reads_attack_dice) out.attack_pool = Pool();
  return out;
}

Position Segment::passive_part(const Position& position) const {
  Position out;
  out.resources = without(position.resources.masked(readable), active);
  if (!reads_attack_dice) out.attack_pool = position.attack_pool;
  return out;
}

Position joined(const Position& active, const Position& passive) {
  Position out = active;
  out.resources = either(active.resources, passive.resources);
  out.attack_pool = active.attack_pool.plus(passive.attack_pool);  // one of them has none
  return out;
}

void forget_dice(const Plan& plan, const Segment& segment, Position& position) {
  if (segment.results_only)
    position.attack_pool = only(position.attack_pool, {plan.attack_die.hit, plan.attack_die.crit});
  if (segment.neutralizes) position.defense_pool = only(position.defense_pool, {plan.defense_die.evade});
}

}  // namespace salvo::exact
