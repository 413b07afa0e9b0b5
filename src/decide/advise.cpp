#include "decide/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/answer.h"
#include "base/index.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "decide/decision_point.h"
#include "decide/words.h"
#include "exact/graph/subgame.h"

namespace salvo::decide {
namespace {

using exact::Node;
using exact::NodeMass;
using exact::Subgame;

constexpr double kNone = 1e-15;  ///< smaller probabilities are rounding errors

Role mover_of(const Node& decision) { return decision.attacker_decides ? Role::Attacker : Role::Defender; }

Subgame::Until until_decides(Role role) {
  return role == Role::Attacker ? Subgame::Until::AttackerDecides : Subgame::Until::DefenderDecides;
}

/// Adds to the entry with the same text, or adds an entry.
void add_play(std::vector<FollowUp>& list, Role role, const std::string& play, double probability) {
  const auto same = std::find_if(list.begin(), list.end(),
                                 [&](const FollowUp& entry) { return entry.role == role && entry.play == play; });
  if (same == list.end()) {
    list.push_back({role, play, probability});
  } else {
    same->probability += probability;
  }
}

void sort_plays(std::vector<FollowUp>& list) {
  base::stable_sort(list, [](const FollowUp& a, const FollowUp& b) { return a.probability > b.probability; });
}

// ---------------------------------------------------------------- the situation

std::string tokens_of(const compile::CompiledScenario& compiled, const game::Resources& resources, int ship) {
  std::vector<std::string> list;
  for (std::size_t r = 0; r < compiled.plan.resources.size(); ++r) {
    const game::Resource& resource = compiled.plan.resources[r];
    const int n = resources.get(resource);
    if (resource.ship != ship || !compiled.labels.resources[r].is_token || n == 0) continue;
    list.push_back(base::with_count(n, compiled.labels.resources[r].name));
  }
  return list.empty() ? "no tokens" : base::enumerated(list);
}

/// Whether tokens of a ship outside the attack can be spent in it.
bool helps(const compile::CompiledScenario& compiled, const game::AttackPlan& attack, int ship) {
  if (ship == attack.attacker || ship == attack.defender) return false;
  return std::any_of(attack.effects.begin(), attack.effects.end(), [&](const game::Effect& effect) {
    return std::any_of(effect.cost.begin(), effect.cost.end(), [&](const game::Cost& cost) {
      const auto r = static_cast<std::size_t>(cost.resource);
      return compiled.plan.resources[r].ship == ship && compiled.labels.resources[r].is_token;
    });
  });
}

/// The dice on the table, and the tokens of both ships and of friends that can spend them here.
std::string situation_of(const compile::CompiledScenario& compiled, const DecisionSpec& spec,
                         const DecisionPoint& point) {
  const compile::Labels& labels = compiled.labels;
  const game::Position& position = point.position;
  const game::AttackPlan& attack = compiled.plan.attacks[point.attack];
  std::vector<std::string> parts;
  if (spec.rolled) parts.push_back("attack dice " + dice_words(labels.faces->attack, position.attack_pool));
  if (spec.defense_rolled) parts.push_back("defense dice " + dice_words(labels.faces->defense, position.defense_pool));
  const auto add = [&](int ship) {
    parts.push_back(
        fmt::format("{} has {}", base::nth(labels.ships, ship), tokens_of(compiled, position.resources, ship)));
  };
  add(attack.attacker);
  add(attack.defender);
  for (int s = 0; s < static_cast<int>(compiled.plan.ships.size()); ++s) {
    if (helps(compiled, attack, s)) add(s);
  }
  return base::joined(parts, "; ");
}

// ---------------------------------------------------------------- advice

class Advisor {
 public:
  Advisor(const compile::CompiledScenario& compiled, const DecisionSpec& spec, const DecisionPoint& point,
          const exact::Budget& budget)
      : compiled_(compiled),
        spec_(spec),
        point_(point),
        subgame_(compiled.plan, point.attack, point.position, budget) {}

  Advice advice() {
    Advice out;
    const game::AttackPlan& attack = attack_plan();
    const compile::Labels& labels = compiled_.labels;
    static_cast<Provenance&>(out) = labels;
    out.ship_titles = ship_titles(labels);
    out.attack = spec_.attack;
    out.round = round_of(compiled_, spec_);
    out.by = base::nth(labels.ships, attack.attacker);
    out.on = base::nth(labels.ships, attack.defender);
    out.situation = situation_of(compiled_, spec_, point_);
    out.value = subgame_.value(subgame_.start()).first;
    const Node& start = subgame_.node(subgame_.start());
    if (start.kind == Node::Kind::Decision) {
      set_mover(out, mover_of(start));
      add_options(out);
    } else if (start.kind == Node::Kind::Chance) {
      add_rolls(out);
    }
    return out;
  }

 private:
  const game::AttackPlan& attack_plan() const { return compiled_.plan.attacks[point_.attack]; }

  static void set_mover(Advice& out, Role role) {
    out.to_move = role;
    out.mover = role == Role::Attacker ? out.by : out.on;
  }

  std::string words(int node, int edge) const {
    std::vector<game::Option> options;
    subgame_.graph().options_of(subgame_.edge(node, edge), options);
    return play_words(compiled_, point_.attack, options);
  }

  PlayParts parts(int node, int edge) const {
    std::vector<game::Option> options;
    subgame_.graph().options_of(subgame_.edge(node, edge), options);
    return play_parts(compiled_, point_.attack, options);
  }

  void add_options(Advice& out) {
    const int start = subgame_.start();
    const double sign = subgame_.maximises(start) ? 1.0 : -1.0;
    const int best = subgame_.best(start);
    out.policy_play = words(start, subgame_.choice(start));
    const auto& best_value = subgame_.value(subgame_.edge(start, best).target);
    struct Ranked {
      int edge;
      double loss, damage_loss;
      std::uint64_t tie;
    };
    std::vector<Ranked> ranked;
    for (int e = 0; e < subgame_.node(start).count; ++e) {
      const auto& edge = subgame_.edge(start, e);
      const auto& value = subgame_.value(edge.target);
      const bool tied = exact::equal(value.first, best_value.first);
      const bool all_tied = tied && exact::equal(value.second, best_value.second);
      ranked.push_back({e, tied ? 0.0 : sign * (best_value.first - value.first),
                        tied && !all_tied ? sign * (best_value.second - value.second) : 0.0, edge.tie});
    }
    base::stable_sort(ranked, [&](const Ranked& a, const Ranked& b) {
      if ((a.edge == best) != (b.edge == best)) return a.edge == best;
      if (a.loss != b.loss) return a.loss < b.loss;
      if (a.damage_loss != b.damage_loss) return a.damage_loss < b.damage_loss;
      return a.tie > b.tie;
    });
    for (const Ranked& option : ranked) {
      PlayOption play = play_advice(start, option.edge);
      play.loss = option.loss;
      play.damage_loss = option.damage_loss;
      out.options.push_back(std::move(play));
    }
  }

  PlayOption play_advice(int start, int edge) {
    PlayOption out;
    const int target = subgame_.edge(start, edge).target;
    out.play = words(start, edge);
    out.parts = parts(start, edge);
    out.value = subgame_.value(target).first;
    out.now = subgame_.payoff_now(target);
    out.later = out.value - out.now;
    out.chances = chances(subgame_.outlook(target));
    for (const NodeMass& next : subgame_.flow(target, Subgame::Until::AnyDecides)) {
      const Node& node = subgame_.node(next.node);
      if (node.kind != Node::Kind::Decision) out.no_next_decision += next.probability;
      if (node.kind != Node::Kind::Decision || next.probability < kNone) continue;
      add_play(out.next_decisions, mover_of(node), words(next.node, subgame_.choice(next.node)), next.probability);
    }
    sort_plays(out.next_decisions);
    return out;
  }

  std::vector<ShipChance> chances(const exact::Outlook& outlook) const {
    std::vector<ShipChance> out;
    for (std::size_t s = 0; s < outlook.size(); ++s) {
      const Eigen::ArrayXd& pmf = outlook[s];
      if (pmf.size() < 2 && !is_target(static_cast<int>(s))) continue;
      const game::ShipPlan& ship = compiled_.plan.ships[s];
      ShipChance chance{.ship = compiled_.labels.ships[s], .destructible = ship.destructible};
      const auto suffered = spec_.damage.find(chance.ship);
      const int health = ship.hull + ship.shields - (suffered == spec_.damage.end() ? 0 : suffered->second);
      double tail = 0;
      chance.at_least.resize(static_cast<std::size_t>(pmf.size()));
      for (Eigen::Index k = pmf.size(); k-- > 0;) {
        tail += pmf(k);
        base::nth(chance.at_least, k) = std::min(1.0, tail);
        chance.mean_damage += static_cast<double>(k) * pmf(k);
        if (ship.destructible && static_cast<int>(k) == health) chance.destroyed = std::min(1.0, tail);
      }
      while (chance.at_least.size() > 1 && chance.at_least.back() < kNone) chance.at_least.pop_back();
      out.push_back(std::move(chance));
    }
    return out;
  }

  bool is_target(int ship) const {
    const auto& attacks = compiled_.plan.attacks;
    return std::any_of(
        attacks.begin() + static_cast<std::ptrdiff_t>(point_.attack), attacks.end(),
        [ship](const game::AttackPlan& attack) { return !attack.engagement && attack.defender == ship; });
  }

  /// The role whose decisions the table of rolls shows: the requested one, else the first that can decide.
  std::optional<Role> table_mover() const {
    if (spec_.to_move) return spec_.to_move;
    for (const Role role : {Role::Attacker, Role::Defender}) {
      const auto arrived = subgame_.flow(subgame_.start(), until_decides(role));
      const bool any = std::any_of(arrived.begin(), arrived.end(), [&](const NodeMass& a) {
        return subgame_.node(a.node).kind == Node::Kind::Decision;
      });
      if (any) return role;
    }
    return std::nullopt;
  }

  void add_rolls(Advice& out) {
    const std::optional<Role> mover = table_mover();
    if (!mover) return;
    set_mover(out, *mover);
    for (const NodeMass& arrived : subgame_.flow(subgame_.start(), until_decides(*mover))) {
      if (subgame_.node(arrived.node).kind != Node::Kind::Decision) {
        out.no_decision += arrived.probability;
        continue;
      }
      add_roll(out, arrived);
    }
    base::stable_sort(out.rolls,
                      [](const RollAdvice& a, const RollAdvice& b) { return a.probability > b.probability; });
    sort_plays(out.plays);
  }

  /// The roll from the point of view of the player who decides; for the defender with the results to defend against.
  std::string roll_text(const game::Position& position, Role mover) const {
    const compile::Labels& labels = compiled_.labels;
    if (mover == Role::Attacker) {
      const std::string dice = roll_words(labels.faces->attack, position.attack_pool);
      return dice.empty() ? "no dice" : dice;
    }
    game::Pool results;
    for (const int face : {compiled_.plan.attack_die.hit, compiled_.plan.attack_die.crit}) {
      if (face >= 0) results.add(face, false, position.attack_pool.count(face));
    }
    const std::string dice = roll_words(labels.faces->defense, position.defense_pool);
    return fmt::format("{} against {}", dice.empty() ? "no dice" : dice,
                       results.size() == 0 ? "nothing" : dice_words(labels.faces->attack, results));
  }

  void add_roll(Advice& out, const NodeMass& arrived) {
    const int n = arrived.node;
    const int best = subgame_.best(n);
    const std::string play = words(n, best);
    const double value = subgame_.value(subgame_.edge(n, best).target).first;
    double margin = -1;
    for (int e = 0; e < subgame_.node(n).count; ++e) {
      if (e == best) continue;
      const double loss = std::abs(subgame_.value(subgame_.edge(n, e).target).first - value);
      if (margin < 0 || loss < margin) margin = loss;
    }
    add_play(out.plays, *out.to_move, play, arrived.probability);
    const std::string roll = roll_text(subgame_.position(n), *out.to_move);
    const auto same = std::find_if(out.rolls.begin(), out.rolls.end(),
                                   [&](const RollAdvice& r) { return r.roll == roll && r.play == play; });
    if (same == out.rolls.end()) {
      out.rolls.push_back({roll, play, arrived.probability, value, std::max(0.0, margin)});
      return;
    }
    // The same dice with different tokens left: the mean over the ways to get there.
    const double total = same->probability + arrived.probability;
    same->value += (value - same->value) * arrived.probability / total;
    same->margin += (std::max(0.0, margin) - same->margin) * arrived.probability / total;
    same->probability = total;
  }

  const compile::CompiledScenario& compiled_;
  const DecisionSpec& spec_;
  const DecisionPoint& point_;
  Subgame subgame_;
};

}  // namespace

Advice advise(const compile::CompiledScenario& compiled, const DecisionSpec& spec, const exact::Budget& budget) {
  const DecisionPoint point = locate(compiled, spec);
  return Advisor(compiled, spec, point, budget).advice();
}

}  // namespace salvo::decide

namespace salvo {

Advice advise(const Catalogue& catalogue, const Scenario& scenario, const DecisionSpec& reported,
              const AnswerOptions& options) {
  return decide::advise(decide::compile_at(catalogue, scenario, reported, options), reported,
                        answers::budget_of(options));
}

}  // namespace salvo
