// Where an attack can be cut: see segments.h.
#include "exact/segments.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/index.h"
#include "rules/plan_resources.h"

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

  /// True when no step jumps over the beginning of step `at`, and no damage card is dealt before it.
  bool can_cut(int at) const {
    if (may_deal() && deals_before(at)) return false;
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

  /// Whether the attack can deal damage cards.
  bool may_deal() const {
    return std::any_of(attack_.deals.begin(), attack_.deals.end(),
                       [](const DealPlan& deal) { return !deal.kinds.empty(); });
  }

  Resources resources(const Segment& segment) const {
    Resources out;
    bool damage = segment.last;
    const auto touched = [&](const Effect& effect) {
      add_of(out, effect);
      damage = damage || std::any_of(effect.operations.begin(), effect.operations.end(),
                                     [](const Operation& operation) { return operation.kind == Kind::Damage; });
    };
    each_effect(segment.begin, segment.end, touched);
    if (segment.deals) {
      for (const int e : dealt_effects(attack_)) touched(effect(e));
      add_counts(out);
      add_counts_after(out);
      for (const DealPlan& deal : attack_.deals) add_of(out, deal.hits_are_crits);
    }
    // Whether marks of a reroll still matter depends on whether later rerolls can be paid.
    each_effect(segment.end, static_cast<int>(attack_.steps.size()), [&](const Effect& effect) {
      for (const Cost& cost : effect.cost) add(out, rerolls(effect, segment) ? cost.resource : -1);
    });
    for (std::size_t v = 0; damage && v < kVictims; ++v) {
      if (attack_.victim(v) < 0) continue;
      const ShipPlan& ship = plan_.ships[static_cast<std::size_t>(attack_.victim(v))];
      for (const int index : {ship.health, ship.hull_left, ship.shields_left}) add(out, index);
    }
    return out;
  }

  /// Counts that only dealing cards in the segment asks for; `after`: what is read when the attack is over.
  Resources counted(const Segment& segment, const Resources& after) const {
    Resources out, others = after;
    if (!segment.deals) return out;
    add_counts(out);
    add_counts_after(others);
    each_effect(segment.begin, segment.end, [&](const Effect& effect) { add_of(others, effect); });
    return without(out, others);
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

  /// Whether an effect of a step before `at` damages a ship or turns damage cards.
  bool deals_before(int at) const {
    bool out = false;
    each_effect(0, at, [&](const Effect& effect) { out = out || turns_cards(effect); });
    return out;
  }

  void add_of(Resources& mask, const Effect& effect) const {
    for (const Cost& cost : effect.cost) add(mask, cost.resource);
    each_expression(effect, [&](const Expression& expression) { add_of(mask, expression); });
    for (const Operation& operation : effect.operations) {
      add(mask, operation.resource);
      for (const int lock : operation.displaces) add(mask, lock);
      add_of(mask, operation.cards);
    }
  }
  void add_of(Resources& mask, const Expression& expression) const {
    rules::each_resource_of(expression, [&](int index) { add(mask, index); });
  }
  void add_of(Resources& mask, const CardCounts& cards) const {
    for (const int index : {cards.kind, cards.faceup, cards.facedown}) add(mask, index);
  }

  /// Counts of damage cards that change when some are dealt.
  void add_counts(Resources& mask) const {
    for (const DealPlan& deal : attack_.deals) {
      for (const int index : {deal.faceup, deal.facedown, deal.others}) add(mask, index);
      for (const DrawKind& kind : deal.kinds) {
        for (const int index : {kind.seen, kind.faceup, kind.facedown}) add(mask, index);
      }
    }
  }

  /// Those that are read or change when the attack is over.
  void add_counts_after(Resources& mask) const {
    for (const CardCounts& lost : attack_.lost_after) add_of(mask, lost);
    for (const auto& [from, into] : attack_.merged_after) {
      add(mask, from);
      add(mask, into);
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

/// Whether a resource of one attack plays the part of a resource of another: `match` is asked for each pair that stands
/// in the same place.
using Match = std::function<bool(int, int)>;

bool same(const Expression& a, const Expression& b, const Match& match) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const ExpressionOp& x, const ExpressionOp& y) {
    if (x.code != y.code) return false;
    return x.code == ExpressionOp::Code::Resource ? match(x.value, y.value) : x.value == y.value;
  });
}

bool same(const std::vector<int>& a, const std::vector<int>& b, const Match& match) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](int x, int y) { return match(x, y); });
}

bool same(const Operation& a, const Operation& b, const Match& match) {
  const auto key = [](const Operation& o) {
    return std::tie(o.kind, o.attack_dice, o.from, o.to, o.n, o.all, o.exact, o.choose, o.if_none, o.crit, o.shield,
                    o.victim, o.min, o.max);
  };
  return key(a) == key(b) && match(a.resource, b.resource) && same(a.displaces, b.displaces, match) &&
         same(a.amount, b.amount, match);
}

bool same_but_limit(const Effect& a, const Effect& b, const Match& match) {
  const auto key = [](const Effect& e) { return std::tie(e.may, e.sets, e.clears, e.forced, e.jump); };
  return key(a) == key(b) && same(a.when, b.when, match) && same(a.times, b.times, match) &&
         std::equal(a.cost.begin(), a.cost.end(), b.cost.begin(), b.cost.end(),
                    [&](const Cost& x, const Cost& y) { return x.n == y.n && match(x.resource, y.resource); }) &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(), b.operations.end(),
                    [&](const Operation& x, const Operation& y) { return same(x, y, match); });
}

bool same_step(const AttackPlan& attack, const AttackPlan& other, std::size_t s, const Match& match) {
  const Step &a = attack.steps[s], &b = other.steps[s];
  const auto key = [](const Step& step) {
    return std::tie(step.kind, step.attacker_decides, step.effects, step.base, step.min, step.max, step.read_later,
                    step.earliest);
  };
  return key(a) == key(b) && std::all_of(a.effects.begin(), a.effects.end(), [&](int e) {
           const Effect &x = attack.effects[static_cast<std::size_t>(e)],
                        &y = other.effects[static_cast<std::size_t>(e)];
           return x.used_bit == y.used_bit && same_but_limit(x, y, match);
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

Resources without(const Resources& a, const Resources& b) {
  return {{a.words[0] & ~b.words[0], a.words[1] & ~b.words[1]}};
}

bool same_but_limit(const Effect& a, const Effect& b) { return same_but_limit(a, b, std::equal_to<>()); }

bool turns_cards(const Effect& effect) {
  return std::any_of(effect.operations.begin(), effect.operations.end(), [](const Operation& operation) {
    return operation.kind == Kind::Damage || operation.kind == Kind::Expose || operation.kind == Kind::Deal;
  });
}

std::vector<int> dealt_effects(const AttackPlan& attack) {
  std::vector<int> out;
  for (const DealPlan& deal : attack.deals) {
    out.insert(out.end(), deal.after_crit.begin(), deal.after_crit.end());
    for (const DrawKind& kind : deal.kinds) out.insert(out.end(), kind.effects.begin(), kind.effects.end());
  }
  return out;
}

namespace {

bool reads_dice(const Expression& expression) {
  using Code = ExpressionOp::Code;
  return std::any_of(expression.begin(), expression.end(), [](const ExpressionOp& op) {
    return op.code == Code::AttackFace || op.code == Code::DefenseFace || op.code == Code::AttackDice ||
           op.code == Code::DefenseDice;
  });
}

bool touches_dice(const Effect& effect) {
  bool out = effect.jump >= 0;
  each_expression(effect, [&](const Expression& expression) { out = out || reads_dice(expression); });
  return out || std::any_of(effect.operations.begin(), effect.operations.end(), moves_dice);
}

}  // namespace

bool has_segments(const Plan& plan) {
  if (plan.attacker_policy == PolicyKind::Rules || plan.defender_policy == PolicyKind::Rules) return false;
  return std::all_of(plan.attacks.begin(), plan.attacks.end(), [](const AttackPlan& attack) {
    const std::vector<int> dealt = dealt_effects(attack);
    return std::all_of(attack.deals.begin(), attack.deals.end(),
                       [](const DealPlan& deal) {
                         return deal.before < 0 && deal.seen < 0 && !reads_dice(deal.hits_are_crits);
                       }) &&
           std::none_of(dealt.begin(), dealt.end(), [&](int e) { return touches_dice(nth(attack.effects, e)); });
  });
}

namespace {

/// same_play, apart from who attacks and what `match` lets pass.
bool same_steps(const Place& a, const Place& b, const Match& match) {
  const auto key = [](const Segment& s) {
    return std::tie(s.begin, s.end, s.last, s.reads_attack_dice, s.results_only, s.neutralizes);
  };
  const auto rules = [](const AttackPlan& x) {
    return std::tie(x.defender, x.crits_first, x.uncancellable_hits, x.uncancellable_crits, x.others, x.after_dice);
  };
  if (key(a.segment) != key(b.segment) || rules(a.attack) != rules(b.attack)) return false;
  if ((a.next == nullptr) != (b.next == nullptr)) return false;
  if (a.next != nullptr &&
      (a.next->results_only != b.next->results_only || a.next->neutralizes != b.next->neutralizes ||
       a.attack.steps[static_cast<std::size_t>(a.segment.end)].read_later !=
           b.attack.steps[static_cast<std::size_t>(b.segment.end)].read_later)) {
    return false;
  }
  for (int s = a.segment.begin; s < a.segment.end; ++s) {
    if (!same_step(a.attack, b.attack, static_cast<std::size_t>(s), match)) return false;
  }
  return !may_reroll(a.attack, a.segment) && !may_reroll(b.attack, b.segment);
}

/// The same damage cards, number by number, do the same.
bool same_cards(const AttackPlan& a, const AttackPlan& b) {
  const std::vector<int> dealt = dealt_effects(a);
  return a.deals == b.deals && a.lost_after == b.lost_after && a.merged_after == b.merged_after &&
         std::all_of(dealt.begin(), dealt.end(), [&](int e) {
           const Effect &x = nth(a.effects, e), &y = nth(b.effects, e);
           return x.used_bit == y.used_bit && same_but_limit(x, y, std::equal_to<>());
         });
}

/// No effect of the segment can damage another ship than the defender.
bool spares_others(const Place& place) {
  for (int s = place.segment.begin; s < place.segment.end; ++s) {
    for (const int e : place.attack.steps[static_cast<std::size_t>(s)].effects) {
      const auto& operations = place.attack.effects[static_cast<std::size_t>(e)].operations;
      if (std::any_of(operations.begin(), operations.end(),
                      [](const Operation& operation) { return operation.victim != kDefender; })) {
        return false;
      }
    }
  }
  return true;
}

/// Both are as large, count as much in the rule for ties, and belong to the same side.
bool alike(const Plan& plan, const Resource& a, const Resource& b) {
  const auto key = [](const Resource& r) { return std::tie(r.kind, r.max, r.rank, r.dynamic, r.mask); };
  return key(a) == key(b) && (a.dynamic || a.initial == b.initial) &&
         plan.ships[static_cast<std::size_t>(a.ship)].mine == plan.ships[static_cast<std::size_t>(b.ship)].mine;
}

bool within(const Resource& r, const Resources& mask) {
  return r.dynamic && (mask.words[static_cast<std::size_t>(r.word)] >> r.shift & r.mask) != 0;
}

bool same_field(const Resource& a, const Resource& b) { return a.word == b.word && a.shift == b.shift; }

/// An attack that happens whatever the attacker has, and after which nothing changes but who is in play.
bool is_plain(const Plan& plan, const AttackPlan& attack) {
  return !attack.engagement && attack.cost.empty() && attack.required.empty() && attack.prevented.empty() &&
         attack.lost_after.empty() && attack.merged_after.empty() &&
         plan.ships[static_cast<std::size_t>(attack.attacker)].health < 0;
}

}  // namespace

Place place(const AttackPlan& attack, const std::vector<Segment>& segments, std::size_t i) {
  return {attack, segments[i], i + 1 < segments.size() ? &segments[i + 1] : nullptr};
}

bool same_play(const Plan& plan, const Place& a, const Place& b) {
  return a.attack.attacker == b.attack.attacker && a.segment.active == b.segment.active &&
         same_steps(a, b, std::equal_to<>()) && a.segment.deals == b.segment.deals &&
         a.segment.counted == b.segment.counted && (!a.segment.deals || same_cards(a.attack, b.attack)) &&
         gained(plan, a.attack).masked(a.segment.active) == gained(plan, b.attack).masked(b.segment.active);
}

Resources Renaming::operator()(const Resources& resources) const {
  Resources out;
  for (const auto& [from, to] : pairs_) out.set(to, resources.get(from));
  return out;
}

Position Renaming::operator()(const Position& position) const {
  Position out = position;
  out.resources = (*this)(position.resources);
  return out;
}

std::optional<Renaming> same_play_renamed(const Plan& plan, const Place& a, const Place& b) {
  if (plan.ships[static_cast<std::size_t>(a.attack.attacker)].mine !=
          plan.ships[static_cast<std::size_t>(b.attack.attacker)].mine ||
      a.segment.deals || b.segment.deals || !spares_others(a) || !spares_others(b)) {
    return std::nullopt;
  }
  std::vector<int> to(plan.resources.size(), -1), from = to;  // of b to a, and back
  const Match match = [&](int x, int y) {
    if (x < 0 || y < 0) return x == y;
    int &name = to[static_cast<std::size_t>(y)], &back = from[static_cast<std::size_t>(x)];
    if (name < 0 && back < 0) {
      name = x;
      back = y;
    }
    return name == x && back == y &&
           alike(plan, plan.resources[static_cast<std::size_t>(x)], plan.resources[static_cast<std::size_t>(y)]);
  };
  if (!same_steps(a, b, match)) return std::nullopt;
  Renaming out;
  for (std::size_t i = 0; i < plan.resources.size(); ++i) {
    const Resource& r = plan.resources[i];
    if (!within(r, b.segment.active)) continue;
    if (to[i] < 0 && !match(static_cast<int>(i), static_cast<int>(i))) return std::nullopt;
    const Resource& name = plan.resources[static_cast<std::size_t>(to[i])];
    if (within(r, b.attack.reads) != within(name, a.attack.reads)) return std::nullopt;  // the rule for ties
    out.pairs_.emplace_back(r, name);
  }
  Resources every;
  every.words.fill(~std::uint64_t{0});
  const auto gain_of = [&](const Place& place) { return gained(plan, place.attack).masked(place.segment.active); };
  if (out(every) != a.segment.active || out(gain_of(b)) != gain_of(a)) return std::nullopt;
  return out;
}

Resources Renaming::back(const Resources& resources, const Resources& mask) const {
  Resources out;
  for (const auto& [from, to] : pairs_) {
    if (within(from, mask)) out.set(from, resources.get(to));
  }
  return out;
}

const Resource& Renaming::name(const Resource& r) const {
  for (const auto& [from, to] : pairs_) {
    if (same_field(from, r)) return to;
  }
  return r;
}

bool Renaming::renames() const {
  for (const auto& [from, to] : pairs_) {
    if (!same_field(from, to)) return true;
  }
  return false;
}

bool Renaming::add(const Resource& from, const Resource& to) {
  for (const auto& [x, y] : pairs_) {
    if (same_field(x, from) || same_field(y, to)) return same_field(x, from) && same_field(y, to);
  }
  pairs_.emplace_back(from, to);
  return true;
}

std::optional<Renaming> same_attack_renamed(const Plan& plan, std::size_t a, const std::vector<Segment>& of_a,
                                            std::size_t b, const std::vector<Segment>& of_b, const Resources& kept) {
  const AttackPlan &x = plan.attacks[a], &y = plan.attacks[b];
  if (of_a.size() != of_b.size() || !is_plain(plan, x) || !is_plain(plan, y) || x.removed_after != y.removed_after)
    return std::nullopt;
  Renaming out;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const auto part = same_play_renamed(plan, place(x, of_a, i), place(y, of_b, i));
    if (!part) return std::nullopt;
    for (const auto& [from, to] : part->pairs_) {
      if (!out.add(from, to)) return std::nullopt;
    }
  }
  const auto after = [&](std::size_t k) { return k + 1 < plan.attacks.size() ? plan.attacks[k + 1].readable : kept; };
  const Resources after_a = after(a), after_b = after(b);
  for (const Resource& r : plan.resources) {
    if (!within(r, y.readable)) continue;
    const Resource& name = out.name(r);
    if (!out.add(r, name) || within(r, y.reads) != within(name, x.reads) ||
        (within(r, after_b) && !within(name, after_a)))
      return std::nullopt;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      if (within(r, of_b[i].readable) != within(name, of_a[i].readable)) return std::nullopt;
    }
  }
  return out;
}

std::vector<Segment> cut(const Plan& plan, std::size_t attack, const Resources& kept) {
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
  out.back().deals = reader.may_deal();
  Resources later = kept;
  if (attack + 1 < plan.attacks.size()) later = plan.attacks[attack + 1].readable;
  bool results_only = false;
  for (auto segment = out.rbegin(); segment != out.rend(); ++segment) {
    segment->has_defense_dice = reader.has_defense_dice(*segment);
    segment->counted = reader.counted(*segment, later);
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
