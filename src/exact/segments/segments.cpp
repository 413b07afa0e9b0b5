#include "exact/segments/segments.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/index.h"
#include "game/plan_resources.h"

namespace salvo::exact {
namespace {

using Kind = game::Operation::Kind;

bool moves_dice(const game::Operation& operation) {
  return operation.kind == Kind::Change || operation.kind == Kind::Reroll || operation.kind == Kind::Add ||
         operation.kind == Kind::Cancel;
}

/// Whether the effect rerolls dice that can be on the table in the segment.
bool rerolls(const game::Effect& effect, const Segment& segment) {
  return std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
    return operation.kind == Kind::Reroll && (operation.attack_dice || segment.has_defense_dice);
  });
}

/// What the steps of an attack read.
class AttackReads {
 public:
  AttackReads(const game::Plan& plan, const game::AttackPlan& attack) : plan_(plan), attack_(attack) {}

  /// Whether no step jumps over the beginning of step `at` and no damage card is dealt before it.
  bool can_cut(int at) const {
    if (may_deal() && deals_before(at)) return false;
    for (int s = 0; s < static_cast<int>(attack_.steps.size()); ++s) {
      for (const int e : base::nth(attack_.steps, s).effects) {
        const game::Effect& effect = this->effect(e);
        if (effect.jump >= 0 && (s < at) != (effect.jump < at)) return false;
        for (const game::Operation& operation : effect.operations) {
          if (operation.kind == Kind::Hit && operation.all && (s < at) != (attack_.after_dice < at)) return false;
        }
      }
    }
    return true;
  }

  /// Whether the attack can deal damage cards.
  bool may_deal() const {
    return std::any_of(attack_.deals.begin(), attack_.deals.end(),
                       [](const game::DealPlan& deal) { return !deal.kinds.empty(); });
  }

  game::Resources resources(const Segment& segment) const {
    game::Resources out;
    bool damage = segment.last;
    const auto touched = [&](const game::Effect& effect) {
      add_of(out, effect);
      damage = damage || std::any_of(effect.operations.begin(), effect.operations.end(),
                                     [](const game::Operation& operation) { return operation.kind == Kind::Damage; });
    };
    each_effect(segment.begin, segment.end, touched);
    if (segment.deals) {
      for (const int e : dealt_effects(attack_)) touched(effect(e));
      add_counts(out);
      add_counts_after(out);
      for (const game::DealPlan& deal : attack_.deals) add_of(out, deal.hits_are_crits);
    }
    // Whether reroll marks still matter depends on whether later rerolls can be paid.
    each_effect(segment.end, static_cast<int>(attack_.steps.size()), [&](const game::Effect& effect) {
      for (const game::Cost& cost : effect.cost) add(out, rerolls(effect, segment) ? cost.resource : -1);
    });
    for (std::size_t v = 0; damage && v < game::kVictims; ++v) {
      if (attack_.victim(v) < 0) continue;
      const game::ShipPlan& ship = base::nth(plan_.ships, attack_.victim(v));
      for (const int index : {ship.health, ship.hull_left, ship.shields_left}) add(out, index);
    }
    return out;
  }

  /// See Segment::counted. `after`: what is read after the attack.
  game::Resources counted(const Segment& segment, const game::Resources& after) const {
    game::Resources out, others = after;
    if (!segment.deals) return out;
    add_counts(out);
    add_counts_after(others);
    each_effect(segment.begin, segment.end, [&](const game::Effect& effect) { add_of(others, effect); });
    return difference(out, others);
  }

  bool has_defense_dice(const Segment& segment) const {
    return std::any_of(attack_.steps.begin(), attack_.steps.begin() + segment.end,
                       [](const game::Step& step) { return step.kind == game::Step::Kind::RollDefense; });
  }

  bool attack_dice(const Segment& segment) const {
    using Code = game::ExpressionOp::Code;
    bool out = segment.begin == 0;
    for (int s = segment.begin; s < segment.end; ++s) {
      const game::Step::Kind kind = base::nth(attack_.steps, s).kind;
      out = out || kind == game::Step::Kind::RollAttack || kind == game::Step::Kind::Neutralize ||
            kind == game::Step::Kind::Outcome || kind == game::Step::Kind::Damage;
    }
    each_effect(segment.begin, segment.end, [&](const game::Effect& effect) {
      game::each_expression(effect, [&](const game::Expression& expression) {
        out = out || std::any_of(expression.begin(), expression.end(), [](const game::ExpressionOp& op) {
                return op.code == Code::AttackFace || op.code == Code::AttackDice || op.code == Code::Remaining;
              });
      });
      for (const game::Operation& operation : effect.operations) {
        out = out || (operation.attack_dice && moves_dice(operation));
      }
    });
    return out;
  }

 private:
  const game::Effect& effect(int index) const { return base::nth(attack_.effects, index); }

  template <typename Visit>
  void each_effect(int begin, int end, Visit visit) const {
    for (int s = begin; s < end; ++s) {
      for (const int e : base::nth(attack_.steps, s).effects) visit(effect(e));
    }
  }

  /// Whether an effect of a step before `at` damages a ship or turns damage cards.
  bool deals_before(int at) const {
    bool out = false;
    each_effect(0, at, [&](const game::Effect& effect) { out = out || turns_cards(effect); });
    return out;
  }

  void add_of(game::Resources& mask, const game::Effect& effect) const {
    for (const game::Cost& cost : effect.cost) add(mask, cost.resource);
    game::each_expression(effect, [&](const game::Expression& expression) { add_of(mask, expression); });
    for (const game::Operation& operation : effect.operations) {
      add(mask, operation.resource);
      for (const int lock : operation.displaces) add(mask, lock);
      add_of(mask, operation.cards);
    }
  }
  void add_of(game::Resources& mask, const game::Expression& expression) const {
    game::each_resource_of(expression, [&](int index) { add(mask, index); });
  }
  void add_of(game::Resources& mask, const game::CardCounts& cards) const {
    for (const int index : {cards.kind, cards.faceup, cards.facedown}) add(mask, index);
  }

  /// Adds the counts of damage cards that change when cards are dealt.
  void add_counts(game::Resources& mask) const {
    for (const game::DealPlan& deal : attack_.deals) {
      for (const int index : {deal.faceup, deal.facedown, deal.others}) add(mask, index);
      for (const game::DrawKind& kind : deal.kinds) {
        for (const int index : {kind.seen, kind.faceup, kind.facedown}) add(mask, index);
      }
    }
  }

  /// Adds the counts of damage cards that are read or change at the end of the attack.
  void add_counts_after(game::Resources& mask) const {
    for (const game::CardCounts& lost : attack_.flipped_after) add_of(mask, lost);
    for (const auto& [from, into] : attack_.merged_after) {
      add(mask, from);
      add(mask, into);
    }
  }

  void add(game::Resources& mask, int index) const {
    if (index >= 0) mask.select(base::nth(plan_.resources, index));
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
};

/// Whether a resource of one attack may correspond to a resource of another. Called for each pair of resources at
/// corresponding places of the attacks.
using Match = std::function<bool(int, int)>;

bool same(const game::Expression& a, const game::Expression& b, const Match& match) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [&](const game::ExpressionOp& x, const game::ExpressionOp& y) {
        if (x.code != y.code) return false;
        return x.code == game::ExpressionOp::Code::Resource ? match(x.value, y.value) : x.value == y.value;
      });
}

bool same(const std::vector<int>& a, const std::vector<int>& b, const Match& match) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](int x, int y) { return match(x, y); });
}

bool same(const game::Operation& a, const game::Operation& b, const Match& match) {
  const auto key = [](const game::Operation& o) {
    return std::tie(o.kind, o.attack_dice, o.from, o.to, o.n, o.all, o.exact, o.choose, o.if_none, o.crit, o.shield,
                    o.recover, o.past_shields, o.paid, o.sets, o.aside, o.victim, o.min, o.max, o.spares);
  };
  return key(a) == key(b) && match(a.resource, b.resource) && same(a.displaces, b.displaces, match) &&
         same(a.amount, b.amount, match);
}

bool same_but_limit(const game::Effect& a, const game::Effect& b, const Match& match) {
  const auto key = [](const game::Effect& e) { return std::tie(e.may, e.sets, e.clears, e.forced, e.jump); };
  return key(a) == key(b) && same(a.when, b.when, match) && same(a.times, b.times, match) &&
         std::equal(
             a.cost.begin(), a.cost.end(), b.cost.begin(), b.cost.end(),
             [&](const game::Cost& x, const game::Cost& y) { return x.n == y.n && match(x.resource, y.resource); }) &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(), b.operations.end(),
                    [&](const game::Operation& x, const game::Operation& y) { return same(x, y, match); });
}

bool same_step(const game::AttackPlan& attack, const game::AttackPlan& other, std::size_t s, const Match& match) {
  const game::Step &a = attack.steps[s], &b = other.steps[s];
  const auto key = [](const game::Step& step) {
    return std::tie(step.kind, step.attacker_decides, step.effects, step.base, step.min, step.max, step.read_later,
                    step.earliest);
  };
  return key(a) == key(b) && std::all_of(a.effects.begin(), a.effects.end(), [&](int e) {
           const game::Effect &x = base::nth(attack.effects, e), &y = base::nth(other.effects, e);
           return x.used_bit == y.used_bit && same_but_limit(x, y, match);
         });
}

/// Whether effects after the segment can reroll dice that it may mark.
bool may_reroll(const game::AttackPlan& attack, const Segment& segment) {
  for (auto s = static_cast<std::size_t>(segment.end); s < attack.steps.size(); ++s) {
    for (const int e : attack.steps[s].effects) {
      if (rerolls(base::nth(attack.effects, e), segment)) return true;
    }
  }
  return false;
}

/// Resources that effects of the attack can gain, so that more rerolls can be paid.
game::Resources gained(const game::Plan& plan, const game::AttackPlan& attack) {
  game::Resources out;
  for (const game::Effect& effect : attack.effects) {
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind == Kind::Gain) out.select(base::nth(plan.resources, operation.resource));
    }
  }
  return out;
}

game::Pool only(game::Pool pool, std::initializer_list<int> faces) {
  game::Pool out;
  for (const int face : faces) {
    if (face >= 0) out.add(face, false, pool.count(face));
  }
  return out;
}

}  // namespace

game::Resources union_of(const game::Resources& a, const game::Resources& b) {
  return {{a.words[0] | b.words[0], a.words[1] | b.words[1]}};
}

game::Resources difference(const game::Resources& a, const game::Resources& b) {
  return {{a.words[0] & ~b.words[0], a.words[1] & ~b.words[1]}};
}

bool same_but_limit(const game::Effect& a, const game::Effect& b) { return same_but_limit(a, b, std::equal_to<>()); }

bool turns_cards(const game::Effect& effect) {
  return std::any_of(effect.operations.begin(), effect.operations.end(), [](const game::Operation& operation) {
    return operation.kind == Kind::Damage || operation.kind == Kind::Expose || operation.kind == Kind::Deal;
  });
}

std::vector<int> dealt_effects(const game::AttackPlan& attack) {
  std::vector<int> out;
  for (const game::DealPlan& deal : attack.deals) {
    out.insert(out.end(), deal.after_crit.begin(), deal.after_crit.end());
    for (const game::DrawKind& kind : deal.kinds) out.insert(out.end(), kind.effects.begin(), kind.effects.end());
  }
  return out;
}

namespace {

bool touches_dice(const game::Effect& effect) {
  bool out = effect.jump >= 0;
  game::each_expression(effect, [&](const game::Expression& expression) { out = out || game::reads_dice(expression); });
  return out || std::any_of(effect.operations.begin(), effect.operations.end(), moves_dice);
}

}  // namespace

bool has_segments(const game::Plan& plan) {
  if (plan.attacker_policy == game::PolicyKind::Rules || plan.defender_policy == game::PolicyKind::Rules) return false;
  return std::all_of(plan.attacks.begin(), plan.attacks.end(), [](const game::AttackPlan& attack) {
    const std::vector<int> dealt = dealt_effects(attack);
    return std::all_of(attack.deals.begin(), attack.deals.end(),
                       [](const game::DealPlan& deal) {
                         return deal.before < 0 && deal.seen < 0 && deal.pick < 0 && deal.reveal < 0 &&
                                deal.prevent < 0 && !game::reads_dice(deal.hits_are_crits);
                       }) &&
           std::none_of(dealt.begin(), dealt.end(), [&](int e) { return touches_dice(base::nth(attack.effects, e)); });
  });
}

namespace {

/// Like same_play, but for any attackers, and with `match` to compare resources.
bool same_steps(const SegmentRef& a, const SegmentRef& b, const Match& match) {
  const auto key = [](const Segment& s) {
    return std::tie(s.begin, s.end, s.last, s.reads_attack_dice, s.results_only, s.neutralizes);
  };
  const auto rules = [](const game::AttackPlan& x) {
    return std::tie(x.defender, x.crits_first, x.uncancellable_hits, x.uncancellable_crits, x.others, x.after_dice);
  };
  if (key(a.segment) != key(b.segment) || rules(a.attack) != rules(b.attack)) return false;
  if ((a.next == nullptr) != (b.next == nullptr)) return false;
  if (a.next != nullptr &&
      (a.next->results_only != b.next->results_only || a.next->neutralizes != b.next->neutralizes ||
       base::nth(a.attack.steps, a.segment.end).read_later != base::nth(b.attack.steps, b.segment.end).read_later)) {
    return false;
  }
  for (int s = a.segment.begin; s < a.segment.end; ++s) {
    if (!same_step(a.attack, b.attack, static_cast<std::size_t>(s), match)) return false;
  }
  return !may_reroll(a.attack, a.segment) && !may_reroll(b.attack, b.segment);
}

/// Whether the attacks deal the same damage cards, and these do the same.
bool same_cards(const game::AttackPlan& a, const game::AttackPlan& b) {
  const std::vector<int> dealt = dealt_effects(a);
  return a.deals == b.deals && a.flipped_after == b.flipped_after && a.merged_after == b.merged_after &&
         std::all_of(dealt.begin(), dealt.end(), [&](int e) {
           const game::Effect &x = base::nth(a.effects, e), &y = base::nth(b.effects, e);
           return x.used_bit == y.used_bit && same_but_limit(x, y, std::equal_to<>());
         });
}

/// Whether no effect of the segment can damage a ship other than the defender.
bool spares_others(const SegmentRef& segment_ref) {
  for (int s = segment_ref.segment.begin; s < segment_ref.segment.end; ++s) {
    for (const int e : base::nth(segment_ref.attack.steps, s).effects) {
      const auto& operations = base::nth(segment_ref.attack.effects, e).operations;
      if (std::any_of(operations.begin(), operations.end(),
                      [](const game::Operation& operation) { return operation.victim != game::kDefender; })) {
        return false;
      }
    }
  }
  return true;
}

/// Whether both have the same range, weigh the same in tie keys, and belong to the same side.
bool comparable(const game::Plan& plan, const game::Resource& a, const game::Resource& b) {
  const auto key = [](const game::Resource& r) { return std::tie(r.kind, r.max, r.rank, r.dynamic, r.mask); };
  return key(a) == key(b) && (a.dynamic || a.initial == b.initial) &&
         base::nth(plan.ships, a.ship).mine == base::nth(plan.ships, b.ship).mine;
}

bool within(const game::Resource& r, const game::Resources& mask) {
  return r.dynamic && (base::nth(mask.words, r.word) >> r.shift & r.mask) != 0;
}

bool same_field(const game::Resource& a, const game::Resource& b) { return a.word == b.word && a.shift == b.shift; }

/// Whether the attack happens with any resources, and its end changes only which ships are in play.
bool is_plain(const game::Plan& plan, const game::AttackPlan& attack) {
  return !attack.engagement && attack.cost.empty() && attack.required.empty() && attack.prevented.empty() &&
         attack.flipped_after.empty() && attack.merged_after.empty() &&
         base::nth(plan.ships, attack.attacker).health < 0;
}

}  // namespace

SegmentRef segment_ref(const game::AttackPlan& attack, const std::vector<Segment>& segments, std::size_t i) {
  return {attack, segments[i], i + 1 < segments.size() ? &segments[i + 1] : nullptr};
}

bool same_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b) {
  return a.attack.attacker == b.attack.attacker && a.segment.active == b.segment.active &&
         same_steps(a, b, std::equal_to<>()) && a.segment.deals == b.segment.deals &&
         a.segment.counted == b.segment.counted && (!a.segment.deals || same_cards(a.attack, b.attack)) &&
         gained(plan, a.attack).masked(a.segment.active) == gained(plan, b.attack).masked(b.segment.active);
}

game::Resources Relabeling::operator()(const game::Resources& resources) const {
  game::Resources out;
  for (const auto& [from, to] : pairs_) out.set(to, resources.get(from));
  return out;
}

game::Position Relabeling::operator()(const game::Position& position) const {
  game::Position out = position;
  out.resources = (*this)(position.resources);
  return out;
}

std::optional<Relabeling> isomorphic_play(const game::Plan& plan, const SegmentRef& a, const SegmentRef& b) {
  if (base::nth(plan.ships, a.attack.attacker).mine != base::nth(plan.ships, b.attack.attacker).mine ||
      a.segment.deals || b.segment.deals || !spares_others(a) || !spares_others(b)) {
    return std::nullopt;
  }
  std::vector<int> to(plan.resources.size(), -1), from = to;  // from b to a, and inverse
  const Match match = [&](int x, int y) {
    if (x < 0 || y < 0) return x == y;
    int &image = base::nth(to, y), &back = base::nth(from, x);
    if (image < 0 && back < 0) {
      image = x;
      back = y;
    }
    return image == x && back == y && comparable(plan, base::nth(plan.resources, x), base::nth(plan.resources, y));
  };
  if (!same_steps(a, b, match)) return std::nullopt;
  Relabeling out;
  for (std::size_t i = 0; i < plan.resources.size(); ++i) {
    const game::Resource& r = plan.resources[i];
    if (!within(r, b.segment.active)) continue;
    if (to[i] < 0 && !match(static_cast<int>(i), static_cast<int>(i))) return std::nullopt;
    const game::Resource& image = base::nth(plan.resources, to[i]);
    if (within(r, b.attack.reads) != within(image, a.attack.reads)) return std::nullopt;  // tie keys would differ
    out.pairs_.emplace_back(r, image);
  }
  const auto gain_of = [&](const SegmentRef& segment_ref) {
    return gained(plan, segment_ref.attack).masked(segment_ref.segment.active);
  };
  if (out(kAllResources) != a.segment.active || out(gain_of(b)) != gain_of(a)) return std::nullopt;
  return out;
}

game::Resources Relabeling::back(const game::Resources& resources, const game::Resources& mask) const {
  game::Resources out;
  for (const auto& [from, to] : pairs_) {
    if (within(from, mask)) out.set(from, resources.get(to));
  }
  return out;
}

const game::Resource& Relabeling::relabeled(const game::Resource& r) const {
  for (const auto& [from, to] : pairs_) {
    if (same_field(from, r)) return to;
  }
  return r;
}

bool Relabeling::relabels() const {
  for (const auto& [from, to] : pairs_) {
    if (!same_field(from, to)) return true;
  }
  return false;
}

bool Relabeling::add(const game::Resource& from, const game::Resource& to) {
  for (const auto& [x, y] : pairs_) {
    if (same_field(x, from) || same_field(y, to)) return same_field(x, from) && same_field(y, to);
  }
  pairs_.emplace_back(from, to);
  return true;
}

std::optional<Relabeling> isomorphic_attack(const game::Plan& plan, std::size_t a, const std::vector<Segment>& of_a,
                                            std::size_t b, const std::vector<Segment>& of_b,
                                            const game::Resources& read_after) {
  const game::AttackPlan &x = plan.attacks[a], &y = plan.attacks[b];
  if (of_a.size() != of_b.size() || !is_plain(plan, x) || !is_plain(plan, y) || x.removed_after != y.removed_after)
    return std::nullopt;
  Relabeling out;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const auto part = isomorphic_play(plan, segment_ref(x, of_a, i), segment_ref(y, of_b, i));
    if (!part) return std::nullopt;
    for (const auto& [from, to] : part->pairs_) {
      if (!out.add(from, to)) return std::nullopt;
    }
  }
  const auto after = [&](std::size_t k) {
    return k + 1 < plan.attacks.size() ? plan.attacks[k + 1].readable : read_after;
  };
  const game::Resources after_a = after(a), after_b = after(b);
  for (const game::Resource& r : plan.resources) {
    if (!within(r, y.readable)) continue;
    const game::Resource& image = out.relabeled(r);
    if (!out.add(r, image) || within(r, y.reads) != within(image, x.reads) ||
        (within(r, after_b) && !within(image, after_a)))
      return std::nullopt;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      if (within(r, of_b[i].readable) != within(image, of_a[i].readable)) return std::nullopt;
    }
  }
  return out;
}

std::vector<Segment> split_into_segments(const game::Plan& plan, std::size_t attack,
                                         const game::Resources& read_after) {
  const game::AttackPlan& attack_plan = plan.attacks[attack];
  const AttackReads reads(plan, attack_plan);
  std::vector<Segment> out(1);
  for (int s = 1; s < static_cast<int>(attack_plan.steps.size()); ++s) {
    const game::Step::Kind kind = base::nth(attack_plan.steps, s).kind;
    if ((kind != game::Step::Kind::StartDefenseDice && kind != game::Step::Kind::Neutralize) || !reads.can_cut(s))
      continue;
    out.back().end = s;
    out.push_back({.begin = s, .neutralizes = kind == game::Step::Kind::Neutralize});
  }
  out.back().end = static_cast<int>(attack_plan.steps.size());
  out.back().last = true;
  out.back().deals = reads.may_deal();
  game::Resources later = read_after;
  if (attack + 1 < plan.attacks.size()) later = plan.attacks[attack + 1].readable;
  bool results_only = false;
  for (auto segment = out.rbegin(); segment != out.rend(); ++segment) {
    segment->has_defense_dice = reads.has_defense_dice(*segment);
    segment->counted = reads.counted(*segment, later);
    segment->active = reads.resources(*segment);
    segment->reads_attack_dice = reads.attack_dice(*segment);
    results_only = segment->neutralizes || (results_only && !segment->reads_attack_dice);
    segment->results_only = results_only;
    later = segment->readable = union_of(later, segment->active);
  }
  out.front().readable = attack_plan.readable;
  return out;
}

game::Position Segment::active_part(const game::Position& position) const {
  game::Position out = position;
  out.resources = position.resources.masked(active);
  if (!reads_attack_dice) out.attack_pool = game::Pool();
  return out;
}

game::Position Segment::passive_part(const game::Position& position) const {
  game::Position out;
  out.resources = difference(position.resources.masked(readable), active);
  if (!reads_attack_dice) out.attack_pool = position.attack_pool;
  return out;
}

game::Position joined(const game::Position& active, const game::Position& passive) {
  game::Position out = active;
  out.resources = union_of(active.resources, passive.resources);
  out.attack_pool = active.attack_pool.plus(passive.attack_pool);  // only one of them has any
  return out;
}

void forget_dice(const game::Plan& plan, const Segment& segment, game::Position& position) {
  if (segment.results_only)
    position.attack_pool = only(position.attack_pool, {plan.attack_die.hit, plan.attack_die.crit});
  if (segment.neutralizes) position.defense_pool = only(position.defense_pool, {plan.defense_die.evade});
}

}  // namespace salvo::exact
