// Compiles decision lists for every attack of a plan: conditions over what the player sees, limits over resources.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/index.h"
#include "base/text.h"
#include "compile/compile_parts.h"
#include "compile/expression.h"

namespace salvo::compile {
namespace {

/// Compiles the rules of one role in one attack.
class RoleCompiler {
 public:
  RoleCompiler(const Draft& draft, std::size_t attack, bool attacks, const PolicySpec& policy)
      : draft_(draft),
        plan_(draft.out.plan),
        attack_(plan_.attacks[attack]),
        index_(attack),
        attacks_(attacks),
        policy_(policy) {}

  game::PolicyRule compile(std::size_t number) const {
    const RuleSpec& spec = policy_.rules[number];
    game::PolicyRule out;
    out.when = condition(spec, number);
    if (spec.spend) out.limits.push_back({spendable(self()), *spec.spend});
    for (const auto& limited : spec.tokens) {
      const std::string& token = limited.first;
      game::SpendLimit limit{{}, limited.second};
      const int found =
          resource(token, self(), [&] { fail(spec, number, "tokens." + token, unknown_token(draft_.edition, token)); });
      if (found >= 0) limit.resources.push_back(found);
      out.limits.push_back(std::move(limit));
    }
    if (spec.reroll) {
      out.reroll_faces = 0;
      for (const std::string& name : *spec.reroll) {
        const int index = face(attacks_, name);
        if (index < 0) fail(spec, number, "reroll", unknown("face", name, faces(attacks_)));
        out.reroll_faces |= 1u << index;
      }
    }
    if (spec.rerolls) out.most_rerolled = *spec.rerolls;
    out.unanswered = spec.unanswered;
    return out;
  }

 private:
  const ScenarioAttack& given() const { return draft_.attacks[draft_.compiled[index_]].given; }
  int self() const { return attacks_ ? attack_.attacker : attack_.defender; }
  int foe() const { return attacks_ ? attack_.defender : attack_.attacker; }

  [[noreturn]] void fail(const RuleSpec& spec, std::size_t number, const std::string& key,
                         const std::string& why) const {
    throw LoadError(fmt::format("{}{}: rule[{}].{}: {}", policy_.source,
                                spec.line > 0 ? fmt::format(":{}", spec.line) : "", number, key, why));
  }

  game::Expression condition(const RuleSpec& spec, std::size_t number) const {
    if (spec.when.empty()) return {};
    try {
      return parse_expression(spec.when,
                              [&](std::string_view name, bool counted) { return counted ? count(name) : fact(name); });
    } catch (const ExpressionError& error) {
      fail(spec, number, "when", error.what());
    }
  }

  const std::vector<std::string>& faces(bool attack_dice) const {
    return attack_dice ? draft_.out.labels.faces->attack : draft_.out.labels.faces->defense;
  }

  int face(bool attack_dice, std::string_view name) const {
    const auto& list = faces(attack_dice);
    const auto at = std::find(list.begin(), list.end(), name);
    return at == list.end() ? -1 : static_cast<int>(at - list.begin());
  }

  static game::Expression face_count(bool attack_dice, int index) {
    return index < 0 ? constant(0) : game::Expression{{attack_dice ? Code::AttackFace : Code::DefenseFace, index}};
  }

  /// count(own.focus), count(attack.hit), count(defense.all).
  game::Expression count(std::string_view name) const {
    const std::size_t dot = name.find('.');
    const std::string_view pool = name.substr(0, dot);
    const std::string_view which = dot == std::string_view::npos ? "all" : name.substr(dot + 1);
    if (pool != "attack" && pool != "defense" && pool != "own")
      throw ExpressionError(fmt::format("unknown dice '{}'; known are attack, defense, own", pool));
    const bool attack_dice = pool == "attack" || (pool == "own" && attacks_);
    if (which == "all") return {{attack_dice ? Code::AttackDice : Code::DefenseDice, 0}};
    const int index = face(attack_dice, which);
    if (index < 0)
      throw ExpressionError(fmt::format("the {} die has no face '{}'; its faces are {}",
                                        attack_dice ? "attack" : "defense", which,
                                        base::joined(faces(attack_dice), ", ")));
    return face_count(attack_dice, index);
  }

  game::Expression hits() const {
    return combined(face_count(true, plan_.attack_die.hit), face_count(true, plan_.attack_die.crit), Code::Add);
  }

  template <typename Matches>
  game::Expression attacks_to_come(Matches matches) const {
    const auto later = std::span(plan_.attacks).subspan(index_ + 1);
    return constant(static_cast<int>(std::count_if(later.begin(), later.end(), [&](const game::AttackPlan& attack) {
      return !attack.engagement && matches(attack);
    })));
  }

  game::Expression fact(std::string_view name) const {
    const game::Die& own = attacks_ ? plan_.attack_die : plan_.defense_die;
    if (name == "hits") return hits();
    if (name == "evades") return face_count(false, plan_.defense_die.evade);
    if (name == "net_hits") return combined(hits(), face_count(false, plan_.defense_die.evade), Code::Subtract);
    if (name == "focuses") return face_count(attacks_, own.focus);
    if (name == "blanks") return face_count(attacks_, own.blank);
    if (name == "attack_number") return constant(plan_.attack_number(index_));
    if (name == "range") return constant(given().range);
    if (name == "obstructed") return constant(given().obstructed);
    if (name == "attacks_to_come") return attacks_to_come([](const game::AttackPlan&) { return true; });
    if (name == "shots_to_come")
      return attacks_to_come([this](const game::AttackPlan& attack) { return attack.defender == self(); });
    if (name == "own_attacks_to_come")
      return attacks_to_come([this](const game::AttackPlan& attack) { return attack.attacker == self(); });
    if (name.starts_with("self.")) return ship_fact(name.substr(5), self());
    if (name.starts_with("foe.")) return ship_fact(name.substr(4), foe());
    throw ExpressionError(
        fmt::format("unknown fact '{}'; known are net_hits, hits, evades, focuses, blanks, shots_to_come, "
                    "own_attacks_to_come, attacks_to_come, attack_number, range, obstructed, count(own.FACE), "
                    "self.TOKEN, self.tokens, self.health and the same of foe",
                    name));
  }

  game::Expression ship_fact(std::string_view name, int ship) const {
    if (name == "health") return health(ship);
    if (name == "tokens") {
      game::Expression out = constant(0);
      for (const int r : spendable(ship)) out = combined(std::move(out), {{Code::Resource, r}}, Code::Add);
      return out;
    }
    const int r = resource(name, ship, [&] { throw ExpressionError(unknown_token(draft_.edition, name)); });
    return r < 0 ? constant(0) : game::Expression{{Code::Resource, r}};
  }

  /// Remaining hull and shields; the full number if the objective does not track damage.
  game::Expression health(int ship) const {
    const game::ShipPlan& of = base::nth(plan_.ships, ship);
    if (!of.destructible) throw ExpressionError("the health of a ship without a hull is not known");
    if (of.health < 0 || of.counted_hull < of.hull) return constant(of.hull + of.shields);
    return combined({{Code::Resource, of.health}}, constant(game::kHealthZero), Code::Subtract);
  }

  /// The resource of a token, or -1 if the ship cannot have it. "lock" is the lock on the other ship of the attack.
  template <typename Unknown>
  int resource(std::string_view token, int ship, Unknown unknown_word) const {
    if (token == "lock") return draft_.find_resource(game::Resource::Kind::Lock, ship, ship == self() ? foe() : self());
    const int index = draft_.token_index(token);
    if (index < 0) unknown_word();
    return draft_.find_resource(game::Resource::Kind::Token, ship, index);
  }

  /// Everything that a ship can spend in this attack, which excludes locks on other ships.
  std::vector<int> spendable(int ship) const {
    std::vector<int> out;
    const int other = ship == self() ? foe() : self();
    for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
      const game::Resource& resource = plan_.resources[r];
      if (resource.ship != ship || resource.rank == game::SpendRank::None) continue;
      if (resource.kind == game::Resource::Kind::Lock && resource.token != other) continue;
      out.push_back(static_cast<int>(r));
    }
    return out;
  }

  const Draft& draft_;
  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  std::size_t index_;
  bool attacks_;
  const PolicySpec& policy_;
};

}  // namespace

void add_policy_rules(Draft& draft) {
  for (const bool attacks : {true, false}) {
    const auto& policy = attacks ? draft.scenario.attacker_rules : draft.scenario.defender_rules;
    if (policy == nullptr) continue;
    for (std::size_t k = 0; k < draft.out.plan.attacks.size(); ++k) {
      std::vector<game::PolicyRule> rules;
      for (std::size_t i = 0; i < policy->rules.size(); ++i)
        rules.push_back(RoleCompiler(draft, k, attacks, *policy).compile(i));
      game::AttackPlan& attack = draft.out.plan.attacks[k];
      (attacks ? attack.attacker_rules : attack.defender_rules) = std::move(rules);
    }
  }
}

}  // namespace salvo::compile
