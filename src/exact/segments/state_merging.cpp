#include "exact/segments/state_merging.h"

#include <algorithm>
#include <bit>
#include <boost/container/small_vector.hpp>

#include "exact/segments/segments.h"
#include "game/play.h"
#include "game/position_parts.h"

namespace salvo::exact {
namespace {

using Code = game::ExpressionOp::Code;
using Kind = game::Operation::Kind;

/// Of a value in a condition: bits of Position::used of which each alone makes it 0, or something else.
struct Settled {
  std::uint32_t zero = 0, nonzero = 0;
};

/// Bits of Position::used of which each alone makes the condition false.
std::uint32_t ruled_out_by(const game::Expression& when) {
  std::array<Settled, game::kExpressionStack> stack{};
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

constexpr std::uint64_t kCount = (std::uint64_t{1} << game::kCountBits) - 1;  // of dice with one face and mark

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

/// What the effects of a segment undo.
struct Undone {
  std::uint32_t cleared = 0;  ///< bits of Position::used
  game::Resources gained;     ///< mask
};

/// Effects of damage cards that are dealt in a segment.
std::vector<int> dealt_in(const game::AttackPlan& attack, const Segment& segment) {
  return segment.deals ? dealt_effects(attack) : std::vector<int>();
}

Undone undone(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment) {
  Undone out;
  const auto add = [&](int e) {
    const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
    out.cleared |= effect.clears;
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind != Kind::Gain) continue;
      const game::Resource& r = plan.resources[static_cast<std::size_t>(operation.resource)];
      if (r.dynamic) out.gained.set(r, static_cast<int>(r.mask));
    }
  };
  for (int s = segment.begin; s < segment.end; ++s) {
    for (const int e : attack.steps[static_cast<std::size_t>(s)].effects) add(e);
  }
  for (const int e : dealt_in(attack, segment)) add(e);
  return out;
}

/// Bits of Position::used that damage cards set or read.
std::uint32_t bits_of_cards(const game::AttackPlan& attack, const Segment& segment) {
  std::uint32_t out = 0;
  const auto read = [&](const game::ExpressionOp& op) { out |= op.code == Code::Used ? bit(op.value) : 0u; };
  for (const int e : dealt_in(attack, segment)) {
    const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
    out |= effect.sets | bit(effect.used_bit);
    each_op(effect, read);
  }
  if (!segment.deals) return out;
  for (const game::DealPlan& deal : attack.deals) {
    for (const game::ExpressionOp& op : deal.hits_are_crits) read(op);
    for (const game::DrawKind& kind : deal.kinds) out |= kind.sets;
  }
  return out;
}

/// A face that all dice of a pool must have where the condition holds.
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

/// A bit for each face that dice of the pool have.
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
           return turns_cards(attack.effects[static_cast<std::size_t>(e)]);
         });
}

/// Dice are changed or cancelled in the order of their faces, not by choice.
bool takes_in_order(const game::Step& step, const game::Effect& effect, const game::Operation& operation) {
  return !operation.all && (step.kind == game::Step::Kind::Apply || &operation != game::choosing(effect));
}

}  // namespace

StateMerging::StateMerging(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                           const Segment* next)
    : dice_{plain_dice(plan.defense_die, static_cast<Kept>(bit(plan.defense_die.evade))),
            plain_dice(plan.attack_die, static_cast<Kept>(bit(plan.attack_die.hit) | bit(plan.attack_die.crit)))},
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
  std::vector<std::size_t> readers_before;
  for (int s = segment.begin; s < segment.end; ++s) {
    const game::Step& step = attack.steps[static_cast<std::size_t>(s)];
    readers_before.push_back(readers_.size());
    for (const int e : step.effects) {
      add_reader(plan, step, attack.effects[static_cast<std::size_t>(e)], ~undone.cleared, undone.gained);
    }
    first_.push_back(readers_before[static_cast<std::size_t>(std::max(step.earliest, segment.begin) - segment.begin)]);
  }
  const std::uint32_t later = next == nullptr ? 0 : attack.steps[static_cast<std::size_t>(next->begin)].read_later;
  add_limits(plan, attack, segment, ~(undone.cleared | later), undone.gained);
  add_movers(plan, attack, segment, ~undone.cleared, undone.gained);
  add_rerolls(plan, attack);
  counted_ = segment.counted;
  for (int s = segment.begin; s < segment.end; ++s) {
    if (may_deal(attack, attack.steps[static_cast<std::size_t>(s)])) dealt_before_ = s + 1;
  }
}

/// `lasting`: bits of Position::used that nothing takes back and no later segment reads.
void StateMerging::add_limits(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                              std::uint32_t lasting, const game::Resources& gained) {
  std::vector<std::vector<int>> steps(attack.effects.size());     // of the segment, by effect
  std::uint32_t once = 0, more = bits_of_cards(attack, segment);  // of one effect, and of several or read by some
  for (int s = segment.begin; s < segment.end; ++s) {
    for (const int e : attack.steps[static_cast<std::size_t>(s)].effects) {
      const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
      std::vector<int>& of_effect = steps[static_cast<std::size_t>(e)];
      of_effect.push_back(s);
      more |= effect.sets;
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
    const auto known = std::find_if(alike_.begin(), alike_.end(), [&](const Alike& alike) {
      const auto first = static_cast<std::size_t>(alike.effects.front().effect);
      return steps[first] == steps[e] && same_but_limit(attack.effects[first], attack.effects[e]);
    });
    Alike& alike = known == alike_.end() ? alike_.emplace_back() : *known;
    alike.used |= limit.used;
    alike.effects.push_back(limit);
  }
  std::erase_if(alike_, [](const Alike& alike) { return alike.effects.size() < 2; });
}

/// `lasting`: bits of Position::used that nothing takes back.
void StateMerging::add_movers(const game::Plan& plan, const game::AttackPlan& attack, const Segment& segment,
                              std::uint32_t lasting, const game::Resources& gained) {
  using StepKind = game::Step::Kind;
  for (int s = segment.begin; s < segment.end; ++s) {
    const game::Step& step = attack.steps[static_cast<std::size_t>(s)];
    if (step.kind == StepKind::RollAttack || step.kind == StepKind::RollDefense || step.kind == StepKind::Neutralize ||
        step.kind == StepKind::Damage) {
      settled_from_ = s + 1;
    }
    for (const int e : step.effects) {
      const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
      Mover mover{s, (ruled_out_by(effect.when) | bit(effect.used_bit)) & lasting, prices_of(plan, effect, gained)};
      bool without = step.kind != StepKind::Window || effect.operations.empty();  // it does something without dice
      for (const game::Operation& operation : effect.operations) {
        const bool pool = operation.attack_dice;
        const game::Die& die = pool ? plan.attack_die : plan.defense_die;
        Kept from = 0;
        for (const int face : operation.from) from |= static_cast<Kept>(face == operation.to ? 0 : bit(face));
        const auto all = static_cast<Kept>((1u << die.faces) - 1);
        if (operation.kind == Kind::Reroll || operation.kind == Kind::Change) {
          mover.turns_to[pool] |= operation.kind == Kind::Reroll ? all : static_cast<Kept>(bit(operation.to));
        }
        if (operation.kind == Kind::Add) mover.makes[pool] |= static_cast<Kept>(bit(operation.to));
        if (operation.kind == Kind::Cancel) mover.removes[pool] = true;
        if (game::needs_dice(operation) && !operation.if_none) {
          mover.needs[pool] |= from;
        } else {
          without = true;
        }
      }
      for (const bool pool : {false, true}) mover.makes[pool] |= mover.turns_to[pool];
      if (without) mover.needs = {};
      const AllFace all = all_face_of(effect.when);
      mover.all_face = all.face;
      mover.all_attack = all.attack_dice;
      const auto limit = std::find_if(limits_.begin(), limits_.end(), [&](const Limit& x) { return x.effect == e; });
      if (limit != limits_.end() && effect.may) mover.used = limit->used;
      movers_.push_back(mover);
    }
  }
}

/// Bits of limits whose effects will find no dice for what they do.
std::uint32_t StateMerging::without_dice(const game::AttackPlan& attack, const game::Position& position) const {
  const int earliest = attack.steps[position.step].earliest;
  if (earliest < settled_from_ || earliest < begin_) return 0;
  const std::array<Kept, 2> there{faces_of(position.defense_pool), faces_of(position.attack_pool)};
  boost::container::small_vector<const Mover*, 16> alive;
  for (const Mover& mover : movers_) {
    if (mover.last_step >= earliest && (position.used & mover.ruled_out) == 0 && payable(mover.prices, position))
      alive.push_back(&mover);
  }
  std::uint32_t out = 0;
  for (bool again = true; again;) {
    std::array<Kept, 2> possible = there;
    if (position.pending > 0) possible[position.pending_attack] = static_cast<Kept>(kMarks - 1);
    for (const Mover* mover : alive) {
      for (const bool pool : {false, true}) possible[pool] |= mover->makes[pool];
    }
    const auto finds_none = [&](const Mover* mover) {
      const bool needs = (mover->needs[false] | mover->needs[true]) != 0;
      if (needs && (mover->needs[false] & possible[false]) == 0 && (mover->needs[true] & possible[true]) == 0)
        return true;
      if (mover->all_face < 0) return false;
      const bool pool = mover->all_attack;
      if ((there[pool] & ~bit(mover->all_face)) == 0) return false;
      return std::none_of(alive.begin(), alive.end(), [&](const Mover* other) {
        return other != mover && ((other->turns_to[pool] & bit(mover->all_face)) != 0 || other->removes[pool]);
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

void StateMerging::add_rerolls(const game::Plan& plan, const game::AttackPlan& attack) {
  game::Resources gained;
  for (const game::Effect& effect : attack.effects) {
    for (const game::Operation& operation : effect.operations) {
      if (operation.kind != Kind::Gain) continue;
      const game::Resource& r = plan.resources[static_cast<std::size_t>(operation.resource)];
      if (r.dynamic) gained.set(r, static_cast<int>(r.mask));
    }
  }
  for (std::size_t s = 0; s < attack.steps.size(); ++s) {
    if (attack.steps[s].kind != game::Step::Kind::Window) continue;
    for (const int e : attack.steps[s].effects) {
      const game::Effect& effect = attack.effects[static_cast<std::size_t>(e)];
      for (const bool attack_dice : {false, true}) {
        const bool rerolls =
            std::any_of(effect.operations.begin(), effect.operations.end(), [&](const game::Operation& operation) {
              return operation.kind == Kind::Reroll && operation.attack_dice == attack_dice;
            });
        if (rerolls)
          rerolls_.push_back({static_cast<int>(s), attack_dice, bit(effect.used_bit), prices_of(plan, effect, gained)});
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
    const game::Resource& r = plan.resources[static_cast<std::size_t>(cost.resource)];
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

StateMerging::Dice StateMerging::plain_dice(const game::Die& die, Kept results) {
  Dice out;
  for (int face = 0; face < die.faces; ++face) {
    if ((results >> face & 1u) != 0) continue;
    if (out.plain < 0) {
      out.plain = face;
    } else {
      out.others |= static_cast<Kept>(bit(face));
    }
  }
  return out;
}

void StateMerging::add_reader(const game::Plan& plan, const game::Step& step, const game::Effect& effect,
                              std::uint32_t lasting, const game::Resources& gained) {
  Reader reader;
  for (const bool attack_dice : {false, true}) reader.kept[attack_dice] = told_apart(step, effect, attack_dice);
  if (reader.kept[false] == 0 && reader.kept[true] == 0) return;
  reader.ruled_out = (ruled_out_by(effect.when) | bit(effect.used_bit)) & lasting;
  reader.prices = prices_of(plan, effect, gained);
  readers_.push_back(reader);
}

StateMerging::Kept StateMerging::told_apart(const game::Step& step, const game::Effect& effect,
                                            bool attack_dice) const {
  const Dice& dice = dice_[attack_dice];
  if (!dice.merges || dice.plain < 0) return 0;
  Kept out = 0;
  const auto keep = [&](std::uint32_t faces) {
    out |= (faces & bit(dice.plain)) != 0 ? dice.others : static_cast<Kept>(faces & dice.others);
  };
  each_op(effect, [&](const game::ExpressionOp& op) {
    if (op.code == (attack_dice ? Code::AttackFace : Code::DefenseFace)) keep(bit(op.value));
  });
  for (const game::Operation& operation : effect.operations) {
    if (operation.attack_dice != attack_dice) continue;
    if (operation.kind != Kind::Change && operation.kind != Kind::Cancel && operation.kind != Kind::Reroll) continue;
    if (operation.kind == Kind::Reroll) out |= kMarks;
    std::uint32_t from = 0;
    for (const int face : operation.from) from |= bit(face);
    from &= ~bit(operation.to);
    if (takes_in_order(step, effect, operation)) {
      keep(from);
    } else {
      keep((from & bit(dice.plain)) != 0 ? dice.others & ~from : from);
    }
  }
  return out;
}

bool StateMerging::Reader::alive(const game::Position& position) const {
  if ((position.used & ruled_out) != 0) return false;
  return payable(prices, position);
}

std::array<StateMerging::Kept, 2> StateMerging::kept(const game::Position& position) const {
  std::array<Kept, 2> out{};
  const auto step = static_cast<std::size_t>(position.step - begin_);
  for (std::size_t i = step < first_.size() ? first_[step] : readers_.size(); i < readers_.size(); ++i) {
    const Reader& reader = readers_[i];
    if (((reader.kept[false] & ~out[false]) | (reader.kept[true] & ~out[true])) == 0 || !reader.alive(position)) {
      continue;
    }
    out[false] |= reader.kept[false];
    out[true] |= reader.kept[true];
  }
  return out;
}

game::Pool StateMerging::merged(game::Pool pool, const Dice& dice, Kept kept) {
  constexpr std::uint64_t kCounts =
      kCount | kCount << game::kCountBits * base::kMaxFaces;  // of dice with and without mark
  if ((kept & kMarks) == 0) pool = pool.unmarked();
  std::uint64_t bits = pool.bits();
  for (std::uint32_t rest = dice.others & ~kept; rest != 0; rest &= rest - 1) {
    const int face = std::countr_zero(rest);
    const std::uint64_t moved = bits & kCounts << game::kCountBits * face;
    bits = bits - moved + (moved >> game::kCountBits * (face - dice.plain));
  }
  return game::Pool(bits);
}

/// What can never be used again is used; of effects that do the same the first are used first.
void StateMerging::settle_limits(const game::AttackPlan& attack, game::Position& position) const {
  if (limits_.empty()) return;
  const std::uint32_t read_later = attack.steps[position.step].read_later;
  for (const Limit& limit : limits_) {
    if (!payable(limit.prices, position)) position.used |= limit.used & read_later;
  }
  position.used |= without_dice(attack, position) & read_later;
  for (const Alike& alike : alike_) {
    int n = std::popcount(position.used & alike.used);
    position.used &= ~alike.used;
    for (const Limit& limit : alike.effects) position.used |= n-- > 0 ? limit.used : 0;
  }
}

/// As rules::marks_matter, where nobody is asked about a damage card.
bool StateMerging::marks_matter(const game::AttackPlan& attack, const game::Position& position,
                                bool attack_dice) const {
  const int earliest = attack.steps[position.step].earliest;
  return std::any_of(rerolls_.begin(), rerolls_.end(), [&](const Rerolling& reroll) {
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
  settle_limits(attack, settled);
  Rule out;
  out.used = settled.used;
  if (deals_no_more(attack, position)) out.forgotten = counted_;
  const bool whole = (dice_[false].merges || position.defense_pool == game::Pool()) &&
                     (dice_[true].merges || position.attack_pool == game::Pool());
  const std::array<Kept, 2> kept = this->kept(settled);
  for (const bool attack_dice : {false, true}) {
    Rule::OfPool& pool = out.pools[attack_dice];
    pool.unmarks = !whole && !marks_matter(attack, settled, attack_dice);
    pool.merges = dice_[attack_dice].merges;
    pool.kept = kept[attack_dice];
  }
  return out;
}

game::Pool StateMerging::merged(const Rule& rule, bool attack_dice, game::Pool pool) const {
  const Rule::OfPool& of_pool = rule.pools[attack_dice];
  if (of_pool.unmarks) pool = pool.unmarked();
  if (!of_pool.merges || (pool.bits() & dice_[attack_dice].merged) == 0) return pool;
  return merged(pool, dice_[attack_dice], of_pool.kept);
}

void StateMerging::merge(const game::Plan& plan, const game::AttackPlan& attack, game::Position& position) const {
  if (position.resume > 0) return game::merge_unread(plan, attack, position);
  const Rule rule = this->rule(attack, position);
  position.used = rule.used;
  position.resources = without(position.resources, rule.forgotten);
  position.defense_pool = merged(rule, false, position.defense_pool);
  position.attack_pool = merged(rule, true, position.attack_pool);
}

game::Option StateMerging::unmerged(const game::AttackPlan& attack, const game::Position& position,
                                    const game::Option& option) const {
  if (option.effect < 0) return option;
  game::Option out = option;
  for (const Alike& alike : alike_) {
    const auto is_option = [&](const Limit& limit) { return limit.effect == option.effect; };
    const auto is_left = [&](const Limit& limit) { return (position.used & limit.used) == 0; };
    const auto meant = std::find_if(alike.effects.begin(), alike.effects.end(), is_option);
    if (meant == alike.effects.end() || is_left(*meant)) continue;
    const auto left = std::find_if(alike.effects.begin(), alike.effects.end(), is_left);
    if (left != alike.effects.end()) out.effect = static_cast<std::int16_t>(left->effect);
  }
  if (option.dice == game::Pool()) return out;
  const bool attack_dice = game::choosing(attack.effects[static_cast<std::size_t>(option.effect)])->attack_dice;
  const Dice& dice = dice_[attack_dice];
  game::Position settled = position;
  settled.used &= attack.steps[position.step].read_later;
  settle_limits(attack, settled);
  Kept kept = dice.others;
  if (dice.merges) {
    kept = this->kept(settled)[attack_dice];
  } else if (marks_matter(attack, settled, attack_dice)) {
    kept |= kMarks;
  }
  const game::Pool pool = attack_dice ? position.attack_pool : position.defense_pool;
  out.dice = game::Pool();
  game::Pool left = option.dice;
  for (int field = 2 * base::kMaxFaces; field-- > 0;) {
    const int face = field % base::kMaxFaces;
    const bool mark = field >= base::kMaxFaces;
    const bool alike = (dice.others & ~kept & bit(face)) != 0;
    const int as_face = alike ? dice.plain : face;
    const bool as_mark = mark && (kept & kMarks) != 0;
    const int n = std::min(pool.count(face, mark), left.count(as_face, as_mark));
    out.dice.add(face, mark, n);
    left.add(as_face, as_mark, -n);
  }
  return out;
}

}  // namespace salvo::exact
