// Where an attack can be cut: see segments.h.
#include "exact/segments.h"

#include <algorithm>

namespace salvo::exact {
namespace {

using Kind = Operation::Kind;

bool moves_dice(const Operation& operation) {
  return operation.kind == Kind::Change || operation.kind == Kind::Reroll || operation.kind == Kind::Add ||
         operation.kind == Kind::Cancel;
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
      const bool rerolls = std::any_of(effect.operations.begin(), effect.operations.end(),
                                       [](const Operation& operation) { return operation.kind == Kind::Reroll; });
      for (const Cost& cost : effect.cost) add(out, rerolls ? cost.resource : -1);
    });
    for (std::size_t v = 0; damage && v < kVictims; ++v) {
      if (attack_.victim(v) >= 0) add(out, plan_.ships[static_cast<std::size_t>(attack_.victim(v))].health);
    }
    return out;
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

}  // namespace

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
    segment->active = reader.resources(*segment);
    segment->reads_attack_dice = reader.attack_dice(*segment);
    results_only = segment->neutralizes || (results_only && !segment->reads_attack_dice);
    segment->results_only = results_only;
    later = segment->readable = either(later, segment->active);
  }
  out.front().readable = attack_plan.readable;
  return out;
}

Position SegmentTable::active(const Position& position) const {
  Position out = position;
  out.resources = position.resources.masked(segment.active);
  if (!segment.reads_attack_dice) out.attack_pool = Pool();
  return out;
}

Position SegmentTable::passive(const Position& position) const {
  Position out;
  out.resources = without(position.resources.masked(segment.readable), segment.active);
  if (!segment.reads_attack_dice) out.attack_pool = position.attack_pool;
  return out;
}

Position SegmentTable::joined(const Position& active, int lane) const {
  Position out = active;
  out.resources = either(active.resources, lanes[lane].resources);
  if (!segment.reads_attack_dice) out.attack_pool = lanes[lane].attack_pool;
  return out;
}

const SegmentTable& SegmentAttack::at_step(int step) const {
  return *std::find_if(segments.begin(), segments.end(),
                       [&](const SegmentTable& table) { return step < table.segment.end; });
}

}  // namespace salvo::exact
