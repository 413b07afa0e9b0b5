// Each chance and each decision contributes the difference of the values after and before it, so that all contributions
// add up to the result.
#include "review/luck.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "answers/answer.h"
#include "base/index.h"
#include "base/text.h"
#include "decide/decision_point.h"
#include "decide/words.h"
#include "review/play_posterior.h"

namespace salvo {
namespace {

struct KindWords {
  const char *key, *words;
};

constexpr std::array<KindWords, kChanceKinds> kKinds{{{"attack_roll", "attack roll"},
                                                      {"attack_rerolls", "attack rerolls"},
                                                      {"defense_roll", "defense roll"},
                                                      {"defense_rerolls", "defense rerolls"},
                                                      {"other_dice", "dice of effects"},
                                                      {"damage_cards", "damage cards"}}};

}  // namespace

const char* to_string(ChanceKind kind) { return base::nth(kKinds, kind).key; }
const char* words_of(ChanceKind kind) { return base::nth(kKinds, kind).words; }

namespace review {
namespace {

using exact::Subgame;

constexpr double kNoChange = 1e-12;

void add(Amount& to, double p, const Amount& amount) {
  to.damage += p * amount.damage;
  to.value += p * amount.value;
}

Amount minus(const Amount& a, const Amount& b) { return {a.damage - b.damage, a.value - b.value}; }

/// DecisionSpec::damage was suffered before the attack; PlayedAttack::damage is that of the attack. Errors call the
/// former "damaged".
game::Position begin_of(const compile::CompiledScenario& compiled, const DecisionSpec& reported,
                        std::size_t attack) try {
  return decide::begin_attack_at(compiled, reported, attack);
} catch (const DecisionError& error) {
  throw DecisionError(error.path == "damage" ? "damaged" : error.path, error.what());
}

/// Counts the tokens that an attack costs.
class Spending {
 public:
  using Counts = std::map<std::pair<std::string, std::string>, double>;  ///< by ship and token

  /// `before`: before the price of the attack is paid.
  Spending(const compile::CompiledScenario& compiled, std::size_t attack, const game::Resources& before)
      : plan_(compiled.plan), labels_(compiled.labels), attack_(compiled.plan.attacks[attack]), before_(before) {}

  /// Adds the tokens that are gone at an end of the attack. The attack does not change resources that it does not read.
  void add_end(const game::Resources& after, double probability, Counts& out) const {
    for (std::size_t r = 0; r < plan_.resources.size(); ++r) {
      const game::Resource& resource = plan_.resources[r];
      if (!resource.dynamic || (base::nth(attack_.reads.words, resource.word) >> resource.shift & 1) == 0) continue;
      add(r, before_.get(resource) - after.get(resource), probability, out);
    }
  }

  /// Adds the cost of a play.
  void add_play(const std::vector<game::Option>& play, double probability, Counts& out) const {
    for (const game::Option& option : play) {
      if (option.effect < 0) continue;
      for (const game::Cost& cost : base::nth(attack_.effects, option.effect).cost)
        add(static_cast<std::size_t>(cost.resource), cost.n, probability, out);
    }
  }

 private:
  void add(std::size_t resource, int n, double probability, Counts& out) const {
    if (n == 0 || !labels_.resources[resource].is_token) return;
    const auto ship = static_cast<std::size_t>(labels_.resources[resource].ship);
    out[{labels_.ships[ship], labels_.resources[resource].name}] += probability * n;
  }

  const game::Plan& plan_;
  const compile::Labels& labels_;
  const game::AttackPlan& attack_;
  const game::Resources before_;
};

/// Adds the distribution of the damage with best play, and the chances of `result`. `health`: what the defender has
/// left; 0 if nothing can destroy it.
void add_distribution(const Subgame& game, int result, int health, Luck& out) {
  for (const exact::NodeMass& end : game.flow(game.start(), Subgame::Until::Ends)) {
    const auto damage = static_cast<std::size_t>(std::max(0, damage_of(game.position(end.node))));
    if (out.pmf.size() <= damage) out.pmf.resize(damage + 1);
    out.pmf[damage] += end.probability;
  }
  const auto suffered = static_cast<std::size_t>(std::max(0, result));
  for (std::size_t k = 0; k < out.pmf.size(); ++k) {
    if (k >= suffered) out.at_least += out.pmf[k];
    if (k <= suffered) out.at_most += out.pmf[k];
    if (health > 0 && static_cast<int>(k) >= health) out.destroyed += out.pmf[k];
  }
  for (double* chance : {&out.at_least, &out.at_most, &out.destroyed}) *chance = std::min(1.0, *chance);
}

// ---------------------------------------------------------------- errors

void check_length(const decide::ObservedByRole& observed) {
  constexpr std::size_t kMaxWords = 16;
  for (const std::size_t role : {1u, 0u}) {
    if (observed[role].spent && observed[role].spent->size() > kMaxWords) {
      throw DecisionError(decide::kSpentMembers[role], fmt::format("more than {} words; report fewer", kMaxWords));
    }
  }
}

std::string numbers(const std::set<int>& list) {
  std::vector<std::string> words;
  for (const int n : list) words.push_back(std::to_string(n));
  return base::listed(words);
}

/// Throws an error that says why the observations are impossible.
[[noreturn]] void throw_impossible(const Subgame& game, const compile::CompiledScenario& compiled,
                                   const PlayedAttack& spec, const decide::ObservedByRole& observed) {
  if (spec.damage) {
    const PlayPosterior any(game, compiled, observed, std::nullopt, UnreportedPlay::Consistent);
    if (any.likelihood() > 0) {
      std::set<int> ends;
      for (const PlayPosterior::Reached& reached : any.reached()) {
        if (game.node(reached.state->node).kind == exact::Node::Kind::End)
          ends.insert(damage_of(game.position(reached.state->node)));
      }
      throw DecisionError("damage",
                          fmt::format("{} damage does not fit the rest of the report, which gives {}; correct "
                                      "it, or leave out what is not certain",
                                      *spec.damage, numbers(ends)));
    }
  }
  decide::locate(compiled, spec.point);  // its error is more specific
  const bool attacker = observed[1].spent && !observed[1].spent->empty();
  throw DecisionError(decide::kSpentMembers[attacker ? 1 : 0],
                      "no play of this attack fits the whole report; leave out what is not certain");
}

// ---------------------------------------------------------------- the analysis

class LuckAnalysis {
 public:
  LuckAnalysis(const compile::CompiledScenario& compiled, const PlayedAttack& spec, const exact::Budget& budget)
      : compiled_(compiled),
        spec_(spec),
        attack_(decide::attack_index(compiled, spec.point)),
        observed_(decide::read_observed(compiled, attack_, spec.point)),
        begin_(begin_of(compiled, spec.point, attack_)),
        game_(compiled.plan, attack_, begin_, budget) {
    check_length(observed_);
    const game::AttackPlan& attack = compiled.plan.attacks[attack_];
    sign_ = base::nth(compiled.plan.ships, attack.attacker).mine ? 1 : -1;
    find_damage();
  }

  Luck luck() {
    std::optional<PlayPosterior> best;
    best.emplace(game_, compiled_, observed_, spec_.damage, UnreportedPlay::Best);
    if (!(best->likelihood() > 0)) best.emplace(game_, compiled_, observed_, spec_.damage, UnreportedPlay::Consistent);
    const PlayPosterior& posterior = *best;
    if (!(posterior.likelihood() > 0)) throw_impossible(game_, compiled_, spec_, observed_);
    static_cast<Provenance&>(out_) = compiled_.labels;
    out_.attack = spec_.point.attack;
    out_.round = decide::round_of(compiled_, spec_.point);
    const game::AttackPlan& attack = compiled_.plan.attacks[attack_];
    out_.by = base::nth(compiled_.labels.ships, attack.attacker);
    out_.on = base::nth(compiled_.labels.ships, attack.defender);
    out_.likelihood = posterior.likelihood();
    out_.expected = amount(game_.start());
    for (int kind = 0; kind < kChanceKinds; ++kind) {
      out_.parts.push_back({.kind = static_cast<ChanceKind>(kind), .luck = {}, .happened = false, .observed = true});
    }
    spending_.emplace(compiled_, attack_, decide::resources_at(compiled_, spec_.point, attack_));
    for (const PlayPosterior::Reached& reached : posterior.reached())
      add_state(posterior, *reached.state, reached.probability);
    if (ends_.size() > 1) {
      throw DecisionError(
          "damage", fmt::format("several values are possible ({}); state the damage that was dealt", numbers(ends_)));
    }
    for (const LuckPart& part : out_.parts) add(out_.luck, 1, part.luck);
    add_distribution(game_, *ends_.begin(), health_left(attack), out_);
    add_filled_in();
    return std::move(out_);
  }

 private:
  /// Computes the expected damage of this attack by node, following the choices.
  void find_damage() {
    const exact::Graph& graph = game_.graph();
    damage_.resize(graph.nodes.size());
    for (int n = 0; n < static_cast<int>(graph.nodes.size()); ++n) {
      const exact::Node& node = game_.node(n);
      double& damage = base::nth(damage_, n);
      if (node.kind == exact::Node::Kind::End) {
        damage = damage_of(game_.position(n));
      } else if (node.kind == exact::Node::Kind::Decision) {
        damage = base::nth(damage_, game_.edge(n, game_.choice(n)).target);
      } else {
        for (int e = node.first; e < node.first + node.count; ++e) {
          const exact::ChanceEdge& edge = base::nth(graph.chance_edges, e);
          damage += edge.probability * base::nth(damage_, edge.target);
        }
      }
    }
  }

  Amount amount(int node) const { return {base::nth(damage_, node), sign_ * game_.value(node).first}; }

  void add_state(const PlayPosterior& posterior, const State& state, double probability) {
    const Amount before = amount(state.node);
    const exact::Node& node = game_.node(state.node);
    if (node.kind == exact::Node::Kind::End) {
      add(out_.result, probability, before);
      ends_.insert(damage_of(game_.position(state.node)));
      spending_->add_end(game_.position(state.node).resources, probability, out_.spent);
      return;
    }
    Amount change;
    for (const Move& move : state.moves) {
      const State& next = posterior.state(move.state);
      add(change, probability * move.probability * next.likelihood / state.likelihood,
          minus(amount(next.node), before));
    }
    if (node.kind == exact::Node::Kind::Chance) {
      add_chance(state, change);
    } else {
      add_decision(state, probability, change);
    }
  }

  ChanceKind kind_of(const State& state) const {
    const exact::Node& node = game_.node(state.node);
    const game::Position& position = game_.position(state.node);
    if (node.roll == 1) return ChanceKind::AttackRoll;
    if (node.roll == 2) return ChanceKind::DefenseRoll;
    if (node.roll == exact::kDraw) return ChanceKind::DamageCards;
    if (position.pending_side) return ChanceKind::OtherDice;
    return position.pending_attack ? ChanceKind::AttackRerolls : ChanceKind::DefenseRerolls;
  }

  void add_chance(const State& state, const Amount& change) {
    LuckPart& part = base::nth(out_.parts, kind_of(state));
    add(part.luck, 1, change);
    const exact::Node& node = game_.node(state.node);
    if (node.roll != exact::kDraw && node.roll > 0 && node.dice == 0) return;  // a roll of no dice
    part.happened = true;
    part.observed = part.observed && state.observed;
  }

  void add_decision(const State& state, double probability, const Amount& change) {
    add(out_.skill, 1, change);
    if (!state.observed) spending_->add_play(state.play, probability, out_.spent_unreported);
    if (game_.node(state.node).count < 2) return;
    const bool attacker = game_.node(state.node).attacker_decides;
    if (!state.observed) unreported_[attacker ? 1 : 0] = true;
    const double loss = std::max(0.0, attacker ? -change.value : change.value);
    const bool worse = loss >= kNoChange || (compiled_.plan.objective == game::Objective::Kill &&
                                             std::abs(change.damage) >= kNoChange);  // damage breaks ties of value
    const bool changes = worse || std::abs(change.damage) >= kNoChange;
    if (!state.observed && probability < 1 - kNoChange && !changes) return;
    std::vector<game::Option> best;
    game_.graph().options_of(game_.edge(state.node, game_.best(state.node)), best);
    DecisionMade made{.role = attacker ? Role::Attacker : Role::Defender,
                      .ship = attacker ? out_.by : out_.on,
                      .situation = situation(game_.position(state.node), attacker),
                      .play = decide::play_words(compiled_, attack_, state.play),
                      .better = decide::play_words(compiled_, attack_, best),
                      .observed = state.observed,
                      .probability = probability,
                      .change = change,
                      .loss = loss};
    if (!worse) made.better = made.play;
    add_decision(std::move(made));
  }

  /// Adds a decision. Reaching the same decision by several paths counts as one.
  void add_decision(DecisionMade made) {
    const auto same = std::find_if(out_.decisions.begin(), out_.decisions.end(), [&](const DecisionMade& known) {
      return known.role == made.role && known.situation == made.situation && known.play == made.play &&
             known.better == made.better && known.observed == made.observed;
    });
    if (same == out_.decisions.end()) return out_.decisions.push_back(std::move(made));
    same->probability += made.probability;
    add(same->change, 1, made.change);
    same->loss += made.loss;
  }

  /// The dice on the table; for the defender, together with the attack dice.
  std::string situation(const game::Position& position, bool attacker) const {
    const compile::Labels& labels = compiled_.labels;
    const std::string attack = decide::roll_words(labels.faces->attack, position.attack_pool);
    if (attacker) return attack.empty() ? "no dice" : attack;
    const std::string defense = decide::roll_words(labels.faces->defense, position.defense_pool);
    return fmt::format("{} against {}", defense.empty() ? "no dice" : defense, attack.empty() ? "no dice" : attack);
  }

  /// Health that the defender had left before the attack; 0 where nothing can destroy it.
  int health_left(const game::AttackPlan& attack) const {
    const game::ShipPlan& ship = base::nth(compiled_.plan.ships, attack.defender);
    const auto suffered = spec_.point.damage.find(out_.on);
    if (!ship.destructible) return 0;
    return ship.hull + ship.shields - (suffered == spec_.point.damage.end() ? 0 : suffered->second);
  }

  void add_filled_in() {
    for (const LuckPart& part : out_.parts) {
      if (part.happened && !part.observed) {
        out_.filled_in.push_back(
            fmt::format("{}: not reported; the mean of all that fits the report", words_of(part.kind)));
      }
    }
    for (const int role : {1, 0}) {
      if (base::nth(unreported_, role)) {
        out_.filled_in.push_back(fmt::format("what {} spent: not reported; assumed to be the best play that fits",
                                             role == 1 ? out_.by : out_.on));
      }
    }
  }

  const compile::CompiledScenario& compiled_;
  const PlayedAttack& spec_;
  std::size_t attack_;
  decide::ObservedByRole observed_;
  game::Position begin_;
  Subgame game_;
  std::optional<Spending> spending_;
  double sign_ = 1;
  std::vector<double> damage_;  ///< by node
  std::set<int> ends_;          ///< damage of the ends that agree with the report
  std::array<bool, 2> unreported_{};
  Luck out_;
};

}  // namespace

Luck luck(const compile::CompiledScenario& compiled, const PlayedAttack& spec, const exact::Budget& budget) {
  return LuckAnalysis(compiled, spec, budget).luck();
}

}  // namespace review

Luck luck(const Catalogue& catalogue, const Scenario& scenario, const PlayedAttack& spec,
          const AnswerOptions& options) {
  const auto other = [](const std::optional<std::string>& policy) { return policy && *policy != "optimal"; };
  const bool policies = other(scenario.attacker_policy) || other(scenario.defender_policy) ||
                        other(options.overrides.attacker_policy) || other(options.overrides.defender_policy);
  AnswerOptions best = options;
  best.overrides.attacker_policy = best.overrides.defender_policy = "optimal";
  best.overrides.attacker_rules = best.overrides.defender_rules = nullptr;
  Luck out = review::luck(decide::compile_at(catalogue, scenario, spec.point, best), spec, answers::budget_of(options));
  if (policies) out.notes.push_back("both players are measured by best play, not by the policies of the scenario");
  return out;
}

}  // namespace salvo
