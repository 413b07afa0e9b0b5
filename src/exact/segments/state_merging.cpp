#include "exact/segments/state_merging.h"

#include <algorithm>
#include <bit>
#include <boost/container/small_vector.hpp>

#include "base/index.h"
#include "exact/segments/segments.h"
#include "game/play.h"
#include "game/position_parts.h"

namespace salvo::exact {
namespace {

using Code = game::ExpressionOp::Code;
using Kind = game::Operation::Kind;

/// For a value on the stack of a condition: bits of Position::used that, each alone, make it zero or nonzero.
struct SettledBy {
  std::uint32_t zero = 0, nonzero = 0;
};

/// Bits of Position::used, each of which makes the condition false.
std::uint32_t ruled_out_by(const game::Expression& when) {
  std::array<SettledBy, game::kExpressionStack> stack{};
  std::size_t top = 0;
  for (const game::ExpressionOp& op : when) {
    switch (op.code) {
      case Code::Used:
        stack[top++] = {0, 1u << op.value};
        break;
      case Code::Not:
        std::swap(stack[top - 1].zero, stack[top - 1].nonzero);
        break;
      case Code::And:
        --top;
        stack[top - 1] = {stack[top - 1].zero | stack[top].zero, 0};
        break;
      case Code::Or:
        --top;
        stack[top - 1] = {0, stack[top - 1].nonzero | stack[top].nonzero};
        break;
      case Code::Add:
      case Code::Subtract:
      case Code::Minimum:
      case Code::Maximum:
      case Code::Less:
      case Code::LessEqual:
      case Code::Equal:
      case Code::NotEqual:
        --top;
        stack[top - 1] = {};
        break;
      default:
        stack[top++] = {};
    }
  }
  return top == 0 ? 0 : stack[0].zero;
}

constexpr std::uint64_t kCount =
    (std::uint64_t{1} << game::kCountBits) - 1;  // the field of a pool for one face and mark

constexpr std::uint32_t bit(int face) { return face < 0 ? 0u : 1u << face; }

template <typename Visit>
void each_op(const game::Effect& effect, Visit visit) {
  for (const game::Expression* expression : {&effect.when, &effect.times}) {
    for (const game::ExpressionOp& op : *expression) visit(op);
  }
  for (const game::Operation& operation : effect.operations) {
    for (const game::ExpressionOp& op : operation.amount) visit(op);
  }
}

/// What effects of a segment can undo, so that it is not final.
struct Undone {
  std::uint32_t cleared = 0;  ///< bits of Position::used
  game::Resources gained;     ///< mask
};

/// Effects of damage cards that can be dealt in a segment.
std::vector<int> dealt_in(const game::AttackPlan& attack, const Segment& segment) {
  return segment.deals ? dealt_effects(attack) : std::vector<int>();
}

Undone undone(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment) {
  Undone out;
  const auto add = [&](int e) {
    const game::Effect& effect = base::nth(attack.effects, e);
    out.cleared |= effect.clears;
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind != Kind::Gain) continue;
      const game::Resource& r = base::nth(plan.resources, operation.resource);
      if (r.dynamic) out.gained.set(r, static_cast<int>(r.mask));
    }
  };
  for (int s = segment.begin; s < segment.end; ++s) {
    for (const int e : base::nth(attack.steps, s).effects) add(e);
  }
  for (const int e : dealt_in(attack, segment)) add(e);
  return out;
}

/// Bits of Position::used that damage cards set or read.
std::uint32_t bits_of_cards(const game::AttackPlan& attack, const Segment& segment) {
  std::uint32_t out = 0;
  const auto read = [&](const game::ExpressionOp& op) { out |= op.code == Code::Used ? bit(op.value) : 0u; };
  for (const int e : dealt_in(attack, segment)) {
    const game::Effect& effect = base::nth(attack.effects, e);
    out |= game::bits_set(effect) | bit(effect.used_bit);
    each_op(effect, read);
  }
  if (!segment.deals) return out;
  for (const game::DealPlan& deal : attack.deals) {
    for (const game::ExpressionOp& op : deal.hits_are_crits) read(op);
    for (const game::DrawKind& kind : deal.kinds) out |= kind.sets;
  }
  return out;
}

/// What a value on the stack of a condition says about a pool: its number of dice with a face, its number of dice, or
/// that all of its dice must show a face.
struct AllFace {
  enum class Kind { Other, Face, Dice, All } kind = Kind::Other;
  bool attack_dice = false;
  int face = -1;
};

AllFace all_face_of(const game::Expression& when) {
  using AllKind = AllFace::Kind;
  std::array<AllFace, game::kExpressionStack> stack{};
  std::size_t top = 0;
  for (const game::ExpressionOp& op : when) {
    switch (op.code) {
      case Code::AttackFace:
      case Code::DefenseFace:
        stack[top++] = {AllKind::Face, op.code == Code::AttackFace, op.value};
        break;
      case Code::AttackDice:
      case Code::DefenseDice:
        stack[top++] = {AllKind::Dice, op.code == Code::AttackDice, -1};
        break;
      case Code::Equal: {
        --top;
        const AllFace &a = stack[top - 1], &b = stack[top];
        const bool all = a.attack_dice == b.attack_dice && ((a.kind == AllKind::Face && b.kind == AllKind::Dice) ||
                                                            (a.kind == AllKind::Dice && b.kind == AllKind::Face));
        stack[top - 1] = all ? AllFace{AllKind::All, a.attack_dice, std::max(a.face, b.face)} : AllFace{};
        break;
      }
      case Code::And:
        --top;
        if (stack[top - 1].kind != AllKind::All) stack[top - 1] = stack[top];
        if (stack[top - 1].kind != AllKind::All) stack[top - 1] = {};
        break;
      case Code::Add:
      case Code::Subtract:
      case Code::Minimum:
      case Code::Maximum:
      case Code::Less:
      case Code::LessEqual:
      case Code::NotEqual:
      case Code::Or:
        --top;
        [[fallthrough]];
      case Code::Not:
        stack[top - 1] = {};
        break;
      default:
        stack[top++] = {};
    }
  }
  return top > 0 && stack[0].kind == AllKind::All ? stack[0] : AllFace{};
}

/// A bit for each face in the pool.
std::uint8_t faces_of(game::Pool pool) {
  std::uint8_t out = 0;
  std::uint64_t rest = pool.unmarked().bits();
  for (std::uint8_t face = 1; rest != 0; rest >>= game::kCountBits, face = static_cast<std::uint8_t>(face << 1)) {
    if ((rest & kCount) != 0) out |= face;
  }
  return out;
}

/// Whether damage cards can be dealt or turned faceup in the step.
bool may_deal(const game::AttackPlan& attack, const game::Step& step) {
  return step.kind == game::Step::Kind::Damage || std::any_of(step.effects.begin(), step.effects.end(), [&](int e) {
           return turns_cards(base::nth(attack.effects, e));
         });
}

/// Whether the operation takes dice in the order of their faces instead of letting the player choose.
bool takes_in_order(const game::Step& step, const game::Effect& effect, const game::Operation& operation) {
  return !operation.all && (step.kind == game::Step::Kind::Apply || &operation != game::choosing(effect));
}

}  // namespace

StateMerging::StateMerging(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                           const Segment* next)
    : dice_{plain_dice(plan.defense_die, static_cast<Distinctions>(bit(plan.defense_die.evade))),
            plain_dice(plan.attack_die,
                       static_cast<Distinctions>(bit(plan.attack_die.hit) | bit(plan.attack_die.crit)))},
      begin_(segment.begin) {
  dice_[false].merges = next == nullptr || next->neutralizes;
  dice_[true].merges = next == nullptr || next->results_only;
  for (Dice& dice : dice_) {
    if (!dice.merges) continue;
    for (int face = 0; face < base::kMaxFaces; ++face) {
      dice.merged |= kCount << game::kCountBits * (face + base::kMaxFaces);
      if ((dice.others >> face & 1u) != 0) dice.merged |= kCount << game::kCountBits * face;
    }
  }
  const Undone undone = exact::undone(plan, attack, segment);
  std::vector<std::size_t> consumers_before;
  for (int s = segment.begin; s < segment.end; ++s) {
    const game::Step& step = base::nth(attack.steps, s);
    consumers_before.push_back(consumers_.size());
    for (const int e : step.effects) {
      add_consumer(plan, step, base::nth(attack.effects, e), ~undone.cleared, undone.gained);
    }
    first_.push_back(base::nth(consumers_before, std::max(step.earliest, segment.begin) - segment.begin));
  }
  const std::uint32_t later = next == nullptr ? 0 : base::nth(attack.steps, next->begin).read_later;
  add_limits(plan, attack, segment, ~(undone.cleared | later), undone.gained);
  add_producers(plan, attack, segment, ~undone.cleared, undone.gained);
  add_rerollers(plan, attack);
  counted_ = segment.counted;
  for (int s = segment.begin; segment.deals && s < segment.end; ++s) {
    if (may_deal(attack, base::nth(attack.steps, s))) dealt_before_ = s + 1;
  }
}

/// `lasting`: bits of Position::used that nothing clears and no later segment reads.
void StateMerging::add_limits(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                              std::uint32_t lasting, const game::Resources& gained) {
  std::vector<std::vector<int>> steps(attack.effects.size());  // by effect: the steps of the segment that list it
  std::uint32_t once = 0,
                more = bits_of_cards(attack, segment);  // bits of one effect; bits of several, or read elsewhere
  for (int s = segment.begin; s < segment.end; ++s) {
    for (const int e : base::nth(attack.steps, s).effects) {
      const game::Effect& effect = base::nth(attack.effects, e);
      std::vector<int>& of_effect = base::nth(steps, e);
      of_effect.push_back(s);
      more |= game::bits_set(effect);
      each_op(effect, [&](const game::ExpressionOp& op) {
        if (op.code == Code::Used) more |= bit(op.value);
      });
      if (of_effect.size() > 1) continue;
      more |= once & bit(effect.used_bit);
      once |= bit(effect.used_bit);
    }
  }
  for (std::size_t e = 0; e < steps.size(); ++e) {
    const game::Effect& effect = attack.effects[e];
    if (steps[e].empty() || (bit(effect.used_bit) & lasting & ~more) == 0) continue;
    limits_.push_back({static_cast<int>(e), bit(effect.used_bit), prices_of(plan, effect, gained)});
  }
  for (const Limit& limit : limits_) {
    const auto e = static_cast<std::size_t>(limit.effect);
    const auto known = std::find_if(equivalents_.begin(), equivalents_.end(), [&](const Equivalent& equivalent) {
      const auto first = static_cast<std::size_t>(equivalent.effects.front().effect);
      return steps[first] == steps[e] && same_but_limit(attack.effects[first], attack.effects[e]);
    });
    Equivalent& equivalent = known == equivalents_.end() ? equivalents_.emplace_back() : *known;
    equivalent.used |= limit.used;
    equivalent.effects.push_back(limit);
  }
  std::erase_if(equivalents_, [](const Equivalent& equivalent) { return equivalent.effects.size() < 2; });
}

/// `lasting`: bits of Position::used that nothing clears.
void StateMerging::add_producers(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                                 std::uint32_t lasting, const game::Resources& gained) {
  using StepKind = game::Step::Kind;
  for (int s = segment.begin; s < segment.end; ++s) {
    const game::Step& step = base::nth(attack.steps, s);
    if (step.kind == StepKind::RollAttack || step.kind == StepKind::RollDefense || step.kind == StepKind::Neutralize ||
        step.kind == StepKind::Damage) {
      settled_from_ = s + 1;
    }
    for (const int e : step.effects) {
      const game::Effect& effect = base::nth(attack.effects, e);
      Producer producer{s, (ruled_out_by(effect.when) | bit(effect.used_bit)) & lasting,
                        prices_of(plan, effect, gained)};
      bool without = step.kind != StepKind::Window || game::only_pays(effect);  // it can do something without dice
      for (const game::Operation& operation : effect.operations) {
        const bool pool = operation.attack_dice;
        const game::Die& die = pool ? plan.attack_die : plan.defense_die;
        Distinctions from = 0;
        for (const int face : operation.from) from |= static_cast<Distinctions>(face == operation.to ? 0 : bit(face));
        const auto all = static_cast<Distinctions>((1u << die.faces) - 1);
        if (operation.kind == Kind::Reroll || operation.kind == Kind::Change) {
          producer.turns_to[pool] |=
              operation.kind == Kind::Reroll ? all : static_cast<Distinctions>(bit(operation.to));
        }
        if (operation.kind == Kind::Add) producer.makes[pool] |= static_cast<Distinctions>(bit(operation.to));
        if (operation.kind == Kind::Cancel) producer.removes[pool] = true;
        if (game::needs_dice(operation) && !operation.if_none) {
          producer.needs[pool] |= from;
        } else if (!operation.aside) {
          without = true;
        }
      }
      for (const bool pool : {false, true}) producer.makes[pool] |= producer.turns_to[pool];
      if (without) producer.needs = {};
      const AllFace all = all_face_of(effect.when);
      producer.all_face = all.face;
      producer.all_attack = all.attack_dice;
      const auto limit = std::find_if(limits_.begin(), limits_.end(), [&](const Limit& x) { return x.effect == e; });
      if (limit != limits_.end() && effect.may) producer.used = limit->used;
      producers_.push_back(producer);
    }
  }
}

/// Bits of the limits whose effects will never find the dice that they need. Assumes that all effects are live, then
/// removes dead ones until nothing changes.
std::uint32_t StateMerging::without_dice(const game::AttackPlan& attack, const game::Position& position) const {
  const int earliest = attack.steps[position.step].earliest;
  if (earliest < settled_from_ || earliest < begin_) return 0;
  const std::array<Distinctions, 2> there{faces_of(position.defense_pool), faces_of(position.attack_pool)};
  boost::container::small_vector<const Producer*, 16> alive;
  for (const Producer& producer : producers_) {
    if (producer.last_step >= earliest && (position.used & producer.ruled_out) == 0 &&
        payable(producer.prices, position))
      alive.push_back(&producer);
  }
  std::uint32_t out = 0;
  for (bool again = true; again;) {
    std::array<Distinctions, 2> possible = there;
    if (position.pending > 0) possible[position.pending_attack] = static_cast<Distinctions>(kMarks - 1);
    for (const Producer* producer : alive) {
      for (const bool pool : {false, true}) possible[pool] |= producer->makes[pool];
    }
    const auto finds_none = [&](const Producer* producer) {
      const bool needs = (producer->needs[false] | producer->needs[true]) != 0;
      if (needs && (producer->needs[false] & possible[false]) == 0 && (producer->needs[true] & possible[true]) == 0)
        return true;
      if (producer->all_face < 0) return false;
      const bool pool = producer->all_attack;
      if ((there[pool] & ~bit(producer->all_face)) == 0) return false;
      return std::none_of(alive.begin(), alive.end(), [&](const Producer* other) {
        return other != producer && ((other->turns_to[pool] & bit(producer->all_face)) != 0 || other->removes[pool]);
      });
    };
    const auto dead = std::find_if(alive.begin(), alive.end(), finds_none);
    again = dead != alive.end();
    if (!again) break;
    out |= (*dead)->used;
    alive.erase(dead);
  }
  return out;
}

void StateMerging::add_rerollers(const game::Plan& plan, const game::AttackPlan& attack) {
  game::Resources gained;
  for (const game::Effect& effect : attack.effects) {
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind != Kind::Gain) continue;
      const game::Resource& r = base::nth(plan.resources, operation.resource);
      if (r.dynamic) gained.set(r, static_cast<int>(r.mask));
    }
  }
  for (std::size_t s = 0; s < attack.steps.size(); ++s) {
    if (attack.steps[s].kind != game::Step::Kind::Window) continue;
    for (const int e : attack.steps[s].effects) {
      const game::Effect& effect = base::nth(attack.effects, e);
      for (const bool attack_dice : {false, true}) {
        const bool rerolls =
            std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
              return operation.kind == Kind::Reroll && operation.attack_dice == attack_dice;
            });
        if (rerolls)
          rerollers_.push_back(
              {static_cast<int>(s), attack_dice, bit(effect.used_bit), prices_of(plan, effect, gained)});
      }
    }
  }
}

std::array<StateMerging::Price, StateMerging::kPrices> StateMerging::prices_of(const game::Plan& plan,
                                                                               const game::Effect& effect,
                                                                               const game::Resources& gained) {
  std::array<Price, kPrices> out{};
  std::size_t n = 0;
  for (const game::Cost& cost : effect.cost) {
    const game::Resource& r = base::nth(plan.resources, cost.resource);
    if (!r.dynamic || n == kPrices || gained.get(r) != 0) continue;
    out[n++] = {static_cast<std::size_t>(r.word), r.mask << r.shift, static_cast<std::uint64_t>(cost.n) << r.shift};
  }
  return out;
}

bool StateMerging::payable(const std::array<Price, kPrices>& prices, const game::Position& position) {
  return std::all_of(prices.begin(), prices.end(), [&](const Price& price) {
    return (position.resources.words[price.word] & price.mask) >= price.least;
  });
}

StateMerging::Dice StateMerging::plain_dice(const game::Die& die, Distinctions results) {
  Dice out;
  for (int face = 0; face < die.faces; ++face) {
    if ((results >> face & 1u) != 0) continue;
    if (out.plain < 0) {
      out.plain = face;
    } else {
      out.others |= static_cast<Distinctions>(bit(face));
    }
  }
  return out;
}

void StateMerging::add_consumer(const game::Plan& plan, const game::Step& step, const game::Effect& effect,
                                std::uint32_t lasting, const game::Resources& gained) {
  Consumer consumer;
  for (const bool attack_dice : {false, true})
    consumer.distinctions[attack_dice] = distinctions_of(step, effect, attack_dice);
  if (consumer.distinctions[false] == 0 && consumer.distinctions[true] == 0) return;
  consumer.ruled_out = (ruled_out_by(effect.when) | bit(effect.used_bit)) & lasting;
  consumer.prices = prices_of(plan, effect, gained);
  consumers_.push_back(consumer);
}

StateMerging::Distinctions StateMerging::distinctions_of(const game::Step& step, const game::Effect& effect,
                                                         bool attack_dice) const {
  const Dice& dice = dice_[attack_dice];
  if (!dice.merges || dice.plain < 0) return 0;
  Distinctions out = 0;
  const auto distinguish = [&](std::uint32_t faces) {
    out |= (faces & bit(dice.plain)) != 0 ? dice.others : static_cast<Distinctions>(faces & dice.others);
  };
  each_op(effect, [&](const game::ExpressionOp& op) {
    if (op.code == (attack_dice ? Code::AttackFace : Code::DefenseFace)) distinguish(bit(op.value));
  });
  for (const game::Operation& operation : effect.operations) {
    if (operation.attack_dice != attack_dice) continue;
    if (operation.kind != Kind::Change && operation.kind != Kind::Cancel && operation.kind != Kind::Reroll) continue;
    if (operation.kind == Kind::Reroll) out |= kMarks;
    std::uint32_t from = 0;
    for (const int face : operation.from) from |= bit(face);
    from &= ~bit(operation.to);
    if (takes_in_order(step, effect, operation)) {
      distinguish(from);
    } else {
      distinguish((from & bit(dice.plain)) != 0 ? dice.others & ~from : from);
    }
  }
  return out;
}

bool StateMerging::Consumer::alive(const game::Position& position) const {
  if ((position.used & ruled_out) != 0) return false;
  return payable(prices, position);
}

std::array<StateMerging::Distinctions, 2> StateMerging::distinctions(const game::Position& position) const {
  std::array<Distinctions, 2> out{};
  const auto step = static_cast<std::size_t>(position.step - begin_);
  for (std::size_t i = step < first_.size() ? first_[step] : consumers_.size(); i < consumers_.size(); ++i) {
    const Consumer& consumer = consumers_[i];
    if (((consumer.distinctions[false] & ~out[false]) | (consumer.distinctions[true] & ~out[true])) == 0 ||
        !consumer.alive(position)) {
      continue;
    }
    out[false] |= consumer.distinctions[false];
    out[true] |= consumer.distinctions[true];
  }
  return out;
}

game::Pool StateMerging::merged(game::Pool pool, const Dice& dice, Distinctions distinctions) {
  constexpr std::uint64_t kCounts =
      kCount | kCount << game::kCountBits * base::kMaxFaces;  // of dice with and without mark
  if ((distinctions & kMarks) == 0) pool = pool.unmarked();
  std::uint64_t bits = pool.bits();
  for (std::uint32_t rest = dice.others & ~distinctions; rest != 0; rest &= rest - 1) {
    const int face = std::countr_zero(rest);
    const std::uint64_t moved = bits & kCounts << game::kCountBits * face;
    bits = bits - moved + (moved >> game::kCountBits * (face - dice.plain));
  }
  return game::Pool(bits);
}

/// Marks effects as used that cannot be used again, and makes the first of equivalent effects the used ones.
void StateMerging::canonicalize_used(const game::AttackPlan& attack, game::Position& position) const {
  if (limits_.empty()) return;
  const std::uint32_t read_later = attack.steps[position.step].read_later;
  for (const Limit& limit : limits_) {
    if (!payable(limit.prices, position)) position.used |= limit.used & read_later;
  }
  position.used |= without_dice(attack, position) & read_later;
  for (const Equivalent& equivalent : equivalents_) {
    int n = std::popcount(position.used & equivalent.used);
    position.used &= ~equivalent.used;
    for (const Limit& limit : equivalent.effects) position.used |= n-- > 0 ? limit.used : 0;
  }
}

/// As game::marks_matter, for plans without choices about damage cards.
bool StateMerging::marks_matter(const game::AttackPlan& attack, const game::Position& position,
                                bool attack_dice) const {
  const int earliest = attack.steps[position.step].earliest;
  return std::any_of(rerollers_.begin(), rerollers_.end(), [&](const Reroller& reroll) {
    return reroll.attack_dice == attack_dice && reroll.step >= earliest && (position.used & reroll.used) == 0 &&
           payable(reroll.prices, position);
  });
}

bool StateMerging::deals_no_more(const game::AttackPlan& attack, const game::Position& position) const {
  return !game::interrupted(position) && position.resume == 0 && attack.steps[position.step].earliest >= dealt_before_;
}

StateMerging::Rule StateMerging::rule(const game::AttackPlan& attack, const game::Position& position) const {
  game::Position settled = position;
  settled.used &= attack.steps[position.step].read_later;
  canonicalize_used(attack, settled);
  Rule out;
  out.used = settled.used;
  if (deals_no_more(attack, position)) out.forgotten = counted_;
  const bool whole = (dice_[false].merges || position.defense_pool == game::Pool()) &&
                     (dice_[true].merges || position.attack_pool == game::Pool());
  const std::array<Distinctions, 2> distinctions = this->distinctions(settled);
  for (const bool attack_dice : {false, true}) {
    Rule::PoolRule& pool = out.pools[attack_dice];
    pool.unmarks = !whole && !marks_matter(attack, settled, attack_dice);
    pool.merges = dice_[attack_dice].merges;
    pool.distinctions = distinctions[attack_dice];
  }
  return out;
}

game::Pool StateMerging::merged(const Rule& rule, bool attack_dice, game::Pool pool) const {
  const Rule::PoolRule& pool_rule = rule.pools[attack_dice];
  if (pool_rule.unmarks) pool = pool.unmarked();
  if (!pool_rule.merges || (pool.bits() & dice_[attack_dice].merged) == 0) return pool;
  return merged(pool, dice_[attack_dice], pool_rule.distinctions);
}

void StateMerging::merge(const game::Plan& plan, const game::AttackPlan& attack, game::Position& position) const {
  if (position.resume > 0) return game::canonicalize(plan, attack, position);
  const Rule rule = this->rule(attack, position);
  position.used = rule.used;
  position.resources = difference(position.resources, rule.forgotten);
  position.defense_pool = merged(rule, false, position.defense_pool);
  position.attack_pool = merged(rule, true, position.attack_pool);
}

game::Option StateMerging::unmerged(const game::AttackPlan& attack, const game::Position& position,
                                    const game::Option& option) const {
  if (option.effect < 0) return option;
  game::Option out = option;
  for (const Equivalent& equivalent : equivalents_) {
    const auto is_option = [&](const Limit& limit) { return limit.effect == option.effect; };
    const auto is_left = [&](const Limit& limit) { return (position.used & limit.used) == 0; };
    const auto meant = std::find_if(equivalent.effects.begin(), equivalent.effects.end(), is_option);
    if (meant == equivalent.effects.end() || is_left(*meant)) continue;
    const auto left = std::find_if(equivalent.effects.begin(), equivalent.effects.end(), is_left);
    if (left != equivalent.effects.end()) out.effect = static_cast<std::int16_t>(left->effect);
  }
  if (option.dice == game::Pool()) return out;
  const bool attack_dice = game::choosing(base::nth(attack.effects, option.effect))->attack_dice;
  const Dice& dice = dice_[attack_dice];
  game::Position settled = position;
  settled.used &= attack.steps[position.step].read_later;
  canonicalize_used(attack, settled);
  Distinctions distinctions = dice.others;
  if (dice.merges) {
    distinctions = this->distinctions(settled)[attack_dice];
  } else if (marks_matter(attack, settled, attack_dice)) {
    distinctions |= kMarks;
  }
  const game::Pool pool = attack_dice ? position.attack_pool : position.defense_pool;
  out.dice = game::Pool();
  game::Pool left = option.dice;
  for (int field = 2 * base::kMaxFaces; field-- > 0;) {
    const int face = field % base::kMaxFaces;
    const bool mark = field >= base::kMaxFaces;
    const bool equivalent = (dice.others & ~distinctions & bit(face)) != 0;
    const int as_face = equivalent ? dice.plain : face;
    const bool as_mark = mark && (distinctions & kMarks) != 0;
    const int n = std::min(pool.count(face, mark), left.count(as_face, as_mark));
    out.dice.add(face, mark, n);
    left.add(as_face, as_mark, -n);
  }
  return out;
}

}  // namespace salvo::exact
