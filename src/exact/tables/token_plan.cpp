#include "exact/tables/token_plan.h"

#include <algorithm>
#include <array>

#include "base/index.h"
#include "game/plan_resources.h"
#include "game/play.h"

namespace salvo::exact {
namespace {

using Code = game::ExpressionOp::Code;

constexpr int kMaxStates = 200'000;  // of one attack
constexpr int kMaxBox = 5'000;       // combinations of the tokens of one ship
constexpr int kMostDice = 12;

bool known_faces(const game::Die& die, int success, int crit) {
  for (int face = 0; face < die.faces; ++face) {
    if (face != success && face != crit && face != die.focus && face != die.blank) return false;
  }
  return success >= 0;
}

/// The merged faces and the prunings of token_plan.h are proven for two optimal players, and for players whose play
/// does not depend on the opponent's tokens. A best response to a greedy player may need what they leave out.
bool safe_policies(const game::Plan& plan) {
  const bool optimal =
      plan.attacker_policy == game::PolicyKind::Optimal || plan.defender_policy == game::PolicyKind::Optimal;
  const bool greedy =
      plan.attacker_policy == game::PolicyKind::Greedy || plan.defender_policy == game::PolicyKind::Greedy;
  const bool rules = plan.attacker_policy == game::PolicyKind::Rules || plan.defender_policy == game::PolicyKind::Rules;
  return !(optimal && greedy) && !rules;
}

bool spends_one(const game::Effect& effect) {
  return effect.may && effect.when.empty() && effect.times.empty() && effect.used_bit < 0 && effect.cost.size() == 1 &&
         effect.cost[0].n == 1 && effect.operations.size() == 1 && !effect.operations[0].if_none;
}

bool is_full_reroll(const game::Plan& plan, const game::Operation& operation) {
  return operation.kind == game::Operation::Kind::Reroll && operation.attack_dice && operation.all &&
         !operation.exact && static_cast<int>(operation.from.size()) == plan.attack_die.faces;
}

/// The effect as a conversion, if it is one.
std::optional<Conversion> conversion(const game::Plan& plan, const game::Effect& effect, bool attack_dice) {
  const game::Operation& operation = effect.operations[0];
  const game::Die& die = attack_dice ? plan.attack_die : plan.defense_die;
  const int success = attack_dice ? die.hit : die.evade;
  if (operation.kind != game::Operation::Kind::Change || operation.attack_dice != attack_dice ||
      operation.to != success)
    return std::nullopt;
  if (!operation.all && operation.n != 1) return std::nullopt;
  const auto has = [&](int face) {
    return std::find(operation.from.begin(), operation.from.end(), face) != operation.from.end();
  };
  const bool focus_only = operation.from.size() == 1 && has(die.focus);
  const bool both = operation.from.size() == 2 && has(die.focus) && has(die.blank);
  if (!focus_only && (!both || operation.all || attack_dice)) return std::nullopt;
  return Conversion{effect.cost[0].resource, -1, operation.all, !focus_only};
}

bool is_reinforce(const game::Plan& plan, const game::Effect& effect, TokenAttack& out) {
  if (effect.may || !effect.cost.empty() || effect.operations.size() != 1) return false;
  const game::Operation& operation = effect.operations[0];
  if (operation.kind != game::Operation::Kind::Cancel || !operation.attack_dice || operation.n != 1 || operation.all)
    return false;
  if (operation.from.size() != 2 || operation.from[0] != plan.attack_die.hit ||
      operation.from[1] != plan.attack_die.crit)
    return false;
  const game::Expression& when = effect.when;
  if (when.size() != 3 || when[0].code != Code::Constant || when[1].code != Code::Remaining ||
      when[2].code != Code::LessEqual)
    return false;
  out.reinforce_least = std::max(1, when[0].value);
  if (effect.times.empty()) {
    out.reinforce_constant = 1;
  } else if (effect.times.size() == 1 && effect.times[0].code == Code::Constant) {
    out.reinforce_constant = effect.times[0].value;
  } else if (effect.times.size() == 1 && effect.times[0].code == Code::Resource) {
    out.reinforce = effect.times[0].value;
  } else {
    return false;
  }
  return true;
}

/// Whether a mandatory effect only changes numbers of dice and the tokens that this spends. The tables apply it before
/// dice are rolled, so it cannot ask for them.
bool is_dice_count(const game::Effect& effect) {
  bool asks_dice = false;
  game::each_expression(
      effect, [&](const game::Expression& expression) { asks_dice = asks_dice || game::reads_dice(expression); });
  return effect.cost.empty() && !asks_dice &&
         std::all_of(effect.operations.begin(), effect.operations.end(), [](const game::Operation& operation) {
           return operation.kind == game::Operation::Kind::Pool || operation.kind == game::Operation::Kind::Lose ||
                  operation.kind == game::Operation::Kind::Limit;
         });
}

bool read_window(const game::Plan& plan, const game::AttackPlan& attack, const game::Step& step,
                 boost::container::static_vector<Conversion, kMaxDigits>& conversions,
                 std::optional<Conversion>& lock) {
  for (const int index : step.effects) {
    const game::Effect& effect = base::nth(attack.effects, index);
    if (step.attacker_decides && !lock && is_full_reroll(plan, effect.operations[0])) {
      lock = Conversion{effect.cost[0].resource, index, false, false};
      continue;
    }
    auto found = conversion(plan, effect, step.attacker_decides);
    if (!found) return false;
    found->effect = index;
    if (conversions.size() + 1 == kMaxDigits) return false;  // one digit is reserved for the lock
    conversions.push_back(*found);
  }
  return true;
}

using Uses = boost::container::static_vector<int, 2 * kMaxDigits + 1>;

bool asks(const game::Expression& expression, const Uses& resources) {
  return std::any_of(expression.begin(), expression.end(), [&](const game::ExpressionOp& op) {
    return op.code == Code::Resource && std::find(resources.begin(), resources.end(), op.value) != resources.end();
  });
}

/// Whether each resource has one use, and no other effect of the attack changes or reads it, nor the defender's health.
/// The tables apply all other effects once, before anything is spent and whatever health is left.
bool separate_uses(const TokenBox& attacker, const TokenBox& defender, int health, const game::AttackPlan& attack) {
  Uses seen;
  if (health >= 0) seen.push_back(health);
  for (const TokenBox* box : {&attacker, &defender}) {
    for (const Conversion& c : box->conversions) {
      if (std::find(seen.begin(), seen.end(), c.resource) != seen.end()) return false;
      seen.push_back(c.resource);
    }
  }
  for (const game::Effect& effect : attack.effects) {
    if (asks(effect.when, seen) || asks(effect.times, seen)) return false;
    for (const game::Operation& operation : effect.operations) {
      if (std::find(seen.begin(), seen.end(), operation.resource) != seen.end() || asks(operation.amount, seen))
        return false;
    }
  }
  return true;
}

std::uint64_t preference(const game::Plan& plan, const TokenBox& box, const Spend& spend) {
  std::array<std::uint64_t, game::kSpendRanks> by_rank{};
  std::uint64_t unspent = 1000;
  for (std::size_t i = 0; i < box.digits.size(); ++i) {
    const game::SpendRank rank = base::nth(plan.resources, box.digits[i].resource).rank;
    if (rank == game::SpendRank::None) continue;
    base::nth(by_rank, rank) += spend.n[i];
    unspent -= spend.n[i];
  }
  std::uint64_t key = unspent;
  for (const std::uint64_t n : by_rank) key = key << 8 | n;
  return key << 6 | 63;
}

/// Lists the spends that can be useful with `dice` dice: at most one that changes all focus results, and not together
/// with changes of single focus results.
void list_spends(const game::Plan& plan, std::size_t lock, int dice, TokenBox& box) {
  const auto& conversions = box.conversions;
  auto& list = box.spends;
  list.resize(1);
  for (std::size_t i = 0; i < conversions.size(); ++i) {
    if (i == lock) continue;
    const std::size_t before = list.size();
    const int most = std::min(box.digits[i].size - 1, conversions[i].all ? 1 : dice);
    for (std::size_t j = 0; j < before; ++j) {
      for (int n = 1; n <= most; ++n) {
        Spend spend = list[j];
        spend.n[i] = static_cast<std::uint8_t>(n);
        spend.delta += n * box.digits[i].stride;
        (conversions[i].all ? spend.all : conversions[i].blank_too ? spend.any : spend.ones) += n;
        spend.total += n;
        if (spend.all > 1 || (spend.all == 1 && spend.ones > 0) || spend.ones + spend.any > dice) continue;
        list.push_back(spend);
      }
    }
  }
  for (Spend& spend : list) spend.key = preference(plan, box, spend);
  std::sort(list.begin(), list.end(),
            [](const Spend& a, const Spend& b) { return a.key != b.key ? a.key > b.key : a.n < b.n; });
  box.by_total =
      std::is_sorted(list.begin(), list.end(), [](const Spend& a, const Spend& b) { return a.total < b.total; });
}

void add_digit(const game::Plan& plan, int resource, Digits& digits, int& size) {
  const int values = base::nth(plan.resources, resource).max + 1;
  digits.push_back({resource, values, size});
  size *= values;
}

/// Whether no effect sets or clears bits of Position::used, is forced, jumps, or is paid by a ship outside the attack.
bool only_own_tokens(const game::Plan& plan, const game::AttackPlan& attack) {
  return std::none_of(attack.effects.begin(), attack.effects.end(), [&](const game::Effect& effect) {
    return game::bits_set(effect) != 0 || effect.clears != 0 || effect.forced || effect.jump >= 0 ||
           std::any_of(effect.operations.begin(), effect.operations.end(),
                       [](const game::Operation& operation) {
                         return operation.kind != game::Operation::Kind::Lose && !operation.amount.empty();
                       }) ||
           std::any_of(effect.cost.begin(), effect.cost.end(), [&](const game::Cost& cost) {
             const int ship = base::nth(plan.resources, cost.resource).ship;
             return ship != attack.attacker && ship != attack.defender;
           });
  });
}

/// Whether all that a player may do is spend one token at a time.
bool may_only_spend(const game::AttackPlan& attack) {
  for (const game::Step& step : attack.steps) {
    if (step.kind != game::Step::Kind::Window) continue;
    for (const int effect : step.effects) {
      if (!spends_one(base::nth(attack.effects, effect))) return false;
    }
  }
  return true;
}

/// Reads one attack into the dense form; false if it does not fit.
bool read_attack(const game::Plan& plan, const game::AttackPlan& attack, TokenAttack& out) {
  if (!attack.deals.empty() || !attack.prevented.empty() || !attack.flipped_after.empty()) return false;
  out.attacker = attack.attacker;
  out.defender = attack.defender;
  out.attacker_mine = base::nth(plan.ships, attack.attacker).mine;
  out.health = base::nth(plan.ships, attack.defender).health;
  if (base::nth(plan.ships, attack.defender).hull_left >= 0) return false;
  const bool special = attack.crits_first || attack.uncancellable_hits || attack.uncancellable_crits ||
                       attack.engagement || (out.health >= 0 && plan.objective == game::Objective::Damage);
  if (!attack.cost.empty() || !attack.required.empty() || special) return false;
  if (base::nth(plan.ships, attack.attacker).effect_damage || base::nth(plan.ships, attack.defender).effect_damage) {
    return false;
  }
  std::optional<Conversion> lock;
  int windows[2] = {0, 0};
  bool neutralized = false;
  bool rolled[2] = {false, false};
  for (const game::Step& step : attack.steps) {
    if (step.kind == game::Step::Kind::Floor) return false;
    if (step.kind == game::Step::Kind::RollAttack) rolled[1] = true;
    if (step.kind == game::Step::Kind::RollDefense) rolled[0] = true;
    if (step.kind == game::Step::Kind::Neutralize) neutralized = true;
    if (step.kind == game::Step::Kind::Window) {
      const bool in_place = step.attacker_decides ? rolled[1] && !rolled[0] : rolled[0] && !neutralized;
      if (!in_place || ++windows[step.attacker_decides] > 1) return false;
      if (!read_window(plan, attack, step, (step.attacker_decides ? out.attacker_box : out.defender_box).conversions,
                       lock))
        return false;
    }
    if (step.kind != game::Step::Kind::Apply) continue;
    for (const int index : step.effects) {
      const game::Effect& effect = base::nth(attack.effects, index);
      const bool allowed = neutralized ? step.effects.size() == 1 && is_reinforce(plan, effect, out)
                                       : !effect.may && is_dice_count(effect);
      if (!allowed) return false;
    }
  }
  if (lock) {
    out.lock = static_cast<int>(out.attacker_box.conversions.size());
    out.attacker_box.conversions.push_back(*lock);
  }
  if (!separate_uses(out.attacker_box, out.defender_box, out.health, attack)) return false;
  const int attack_dice = game::most_dice(attack, true);
  const int defense_dice = game::most_dice(attack, false);
  if (attack_dice > kMostDice || defense_dice > kMostDice) return false;
  for (TokenBox* box : {&out.attacker_box, &out.defender_box}) {
    for (const Conversion& c : box->conversions) {
      if (static_cast<double>(box->size) * (base::nth(plan.resources, c.resource).max + 1) > kMaxBox) return false;
      add_digit(plan, c.resource, box->digits, box->size);
    }
  }
  if (out.lock >= 0) {
    Spend lock_only;
    base::nth(lock_only.n, out.lock) = 1;
    out.lock_key = preference(plan, out.attacker_box, lock_only);
  }
  list_spends(plan, static_cast<std::size_t>(out.lock), attack_dice, out.attacker_box);
  list_spends(plan, SIZE_MAX, defense_dice, out.defender_box);
  return true;
}

using ResourceMarks = boost::container::small_vector<bool, 32>;  // by resource

/// Marks the resources that an attack can change.
void mark_changed(const game::Plan& plan, const game::AttackPlan& attack, ResourceMarks& out) {
  for (const game::Effect& effect : attack.effects) {
    for (const game::Cost& cost : effect.cost) base::nth(out, cost.resource) = true;
    for (const game::Operation& operation : effect.operations) {
      if (operation.resource >= 0) base::nth(out, operation.resource) = true;
    }
  }
  const int health = base::nth(plan.ships, attack.defender).health;
  if (health >= 0) base::nth(out, health) = true;
}

bool readable(const game::Plan& plan, std::size_t attack, std::size_t resource) {
  const game::Resource& r = plan.resources[resource];
  return r.dynamic && (base::nth(plan.attacks[attack].readable.words, r.word) >> r.shift & r.mask) != 0;
}

/// Finds the digits of the states in which each attack can begin: resources in which the starts differ or which earlier
/// attacks can change, and which this or a later attack can read. False if there are too many states.
bool find_live(const game::Plan& plan, Starts starts, TokenPlan& out) {
  ResourceMarks changed(plan.resources.size(), false);
  for (std::size_t i = 0; i < plan.resources.size(); ++i) {
    const game::Resource& r = plan.resources[i];
    changed[i] = r.dynamic && std::any_of(starts.begin(), starts.end(), [&](const game::Resources& start) {
                   return start.get(r) != starts.front().get(r);
                 });
  }
  out.live.reserve(plan.attacks.size() + 1);
  out.live_size.reserve(plan.attacks.size() + 1);
  for (std::size_t k = 0; k <= plan.attacks.size(); ++k) {
    out.live.emplace_back();
    int size = 1;
    for (std::size_t i = 0; k < plan.attacks.size() && i < plan.resources.size(); ++i) {
      if (!changed[i] || !readable(plan, k, i)) continue;
      if (static_cast<double>(size) * (plan.resources[i].max + 1) > kMaxStates) return false;
      add_digit(plan, static_cast<int>(i), out.live.back(), size);
    }
    out.live_size.push_back(size);
    if (k == plan.attacks.size()) break;
    mark_changed(plan, plan.attacks[k], changed);
  }
  return true;
}

double share(const game::Die& die, int face) {
  return face < 0 ? 0.0 : static_cast<double>(base::nth(die.sides_of_face, face)) / die.sides;
}

}  // namespace

std::optional<TokenPlan> token_plan(const game::Plan& plan, Starts starts) {
  if (!safe_policies(plan) || !known_faces(plan.attack_die, plan.attack_die.hit, plan.attack_die.crit) ||
      !known_faces(plan.defense_die, plan.defense_die.evade, -1) || plan.attack_die.focus < 0 ||
      plan.attack_die.blank < 0 || plan.defense_die.focus < 0 || plan.defense_die.blank < 0) {
    return std::nullopt;
  }
  TokenPlan out;
  for (const game::AttackPlan& attack : plan.attacks) {  // a cheap check before anything is allocated
    if (!only_own_tokens(plan, attack) || !may_only_spend(attack)) return std::nullopt;
  }
  out.attacks.reserve(plan.attacks.size());
  for (const game::AttackPlan& attack : plan.attacks) {
    if (!read_attack(plan, attack, out.attacks.emplace_back())) return std::nullopt;
  }
  if (!find_live(plan, starts, out)) return std::nullopt;
  const double hit = share(plan.attack_die, plan.attack_die.hit);
  const double crit = share(plan.attack_die, plan.attack_die.crit);
  out.attack_face[0] = hit + crit;
  out.attack_face[1] = share(plan.attack_die, plan.attack_die.focus);
  out.attack_face[2] = share(plan.attack_die, plan.attack_die.blank);
  out.defense_face[0] = share(plan.defense_die, plan.defense_die.evade);
  out.defense_face[1] = share(plan.defense_die, plan.defense_die.focus);
  out.defense_face[2] = share(plan.defense_die, plan.defense_die.blank);
  out.crit_share = crit / (hit + crit);
  return out;
}

}  // namespace salvo::exact
