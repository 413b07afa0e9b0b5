// Luck of one attack: the values of the states on its way, and their differences. Each step of chance and each decision
// adds the difference between the values after it and before it, so that all of them make the result.
#include "review/luck.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "answers/answer.h"
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

const char* key_of(ChanceKind kind) { return kKinds[static_cast<std::size_t>(kind)].key; }
const char* words_of(ChanceKind kind) { return kKinds[static_cast<std::size_t>(kind)].words; }

namespace review {
namespace {

using exact::Subgame;

constexpr double kNoChange = 1e-12;

void add(Amount& to, double p, const Amount& amount) {
  to.damage += p * amount.damage;
  to.value += p * amount.value;
}

Amount minus(const Amount& a, const Amount& b) { return {a.damage - b.damage, a.value - b.value}; }

/// DecisionSpec::damage is what was suffered before; here `damage` is that of the attack.
game::Position begin_of(const compile::CompiledScenario& question, const DecisionSpec& point, std::size_t attack) try {
  return decide::begin_attack_at(question, point, attack);
} catch (const DecisionError& error) {
  throw DecisionError(error.path == "damage" ? "damaged" : error.path, error.what());
}

class LuckAnalysis {
 public:
  LuckAnalysis(const compile::CompiledScenario& question, const PlayedAttack& spec, const exact::Budget& budget)
      : question_(question),
        spec_(spec),
        attack_(decide::attack_index(question, spec.point)),
        told_(decide::read_observed(question, attack_, spec.point)),
        begin_(begin_of(question, spec.point, attack_)),
        game_(question.plan, attack_, begin_, budget) {
    check_told();
    const game::AttackPlan& attack = question.plan.attacks[attack_];
    sign_ = question.plan.ships[static_cast<std::size_t>(attack.attacker)].mine ? 1 : -1;
    find_damage();
  }

  Luck luck() {
    std::optional<PlayPosterior> best;
    best.emplace(game_, question_, told_, spec_.damage, UnreportedPlay::Best);
    if (!(best->likelihood() > 0)) best.emplace(game_, question_, told_, spec_.damage, UnreportedPlay::Consistent);
    const PlayPosterior& path = *best;
    if (!(path.likelihood() > 0)) throw_impossible();
    static_cast<Provenance&>(out_) = question_.labels;
    out_.attack = spec_.point.attack;
    out_.round = decide::round_of(question_, spec_.point);
    const game::AttackPlan& attack = question_.plan.attacks[attack_];
    out_.by = question_.labels.ships[static_cast<std::size_t>(attack.attacker)];
    out_.on = question_.labels.ships[static_cast<std::size_t>(attack.defender)];
    out_.likelihood = path.likelihood();
    out_.expected = amount(game_.start());
    for (int kind = 0; kind < kChanceKinds; ++kind) {
      out_.parts.push_back({.kind = static_cast<ChanceKind>(kind), .luck = {}, .happened = false, .told = true});
    }
    before_ = decide::resources_at(question_, spec_.point, attack_);
    for (const PlayPosterior::Reached& reached : path.reached()) add_state(path, *reached.state, reached.probability);
    if (ends_.size() > 1) refuse_ends();
    for (const LuckPart& part : out_.parts) add(out_.luck, 1, part.luck);
    add_distribution();
    add_filled_in();
    return std::move(out_);
  }

 private:
  /// Expected damage of this attack by node, along the choices.
  void find_damage() {
    const exact::Graph& graph = game_.graph();
    damage_.resize(graph.nodes.size());
    for (int n = 0; n < static_cast<int>(graph.nodes.size()); ++n) {
      const exact::Node& node = game_.node(n);
      double& damage = damage_[static_cast<std::size_t>(n)];
      if (node.kind == exact::Node::Kind::End) {
        damage = damage_of(game_.position(n));
      } else if (node.kind == exact::Node::Kind::Decision) {
        damage = damage_[static_cast<std::size_t>(game_.edge(n, game_.choice(n)).target)];
      } else {
        for (int e = node.first; e < node.first + node.count; ++e) {
          const exact::ChanceEdge& edge = graph.chance_edges[static_cast<std::size_t>(e)];
          damage += edge.probability * damage_[static_cast<std::size_t>(edge.target)];
        }
      }
    }
  }

  Amount amount(int node) const { return {damage_[static_cast<std::size_t>(node)], sign_ * game_.value(node).first}; }

  void add_state(const PlayPosterior& path, const State& state, double probability) {
    const Amount before = amount(state.node);
    const exact::Node& node = game_.node(state.node);
    if (node.kind == exact::Node::Kind::End) {
      add(out_.result, probability, before);
      ends_.insert(damage_of(game_.position(state.node)));
      add_spent(game_.position(state.node).resources, probability);
      return;
    }
    Amount change;
    for (const Move& move : state.moves) {
      const State& next = path.state(move.state);
      add(change, probability * move.probability * next.likelihood / state.likelihood, minus(amount(next.node), before));
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
    LuckPart& part = out_.parts[static_cast<std::size_t>(kind_of(state))];
    add(part.luck, 1, change);
    const exact::Node& node = game_.node(state.node);
    if (node.roll != exact::kDraw && node.roll > 0 && node.dice == 0) return;  // a roll of no dice
    part.happened = true;
    part.told = part.told && state.told;
  }

  void add_decision(const State& state, double probability, const Amount& change) {
    add(out_.skill, 1, change);
    if (!state.told) add_unreported(state, probability);
    if (game_.node(state.node).count < 2) return;
    const bool attacker = game_.node(state.node).attacker_decides;
    if (!state.told) unreported_[attacker ? 1 : 0] = true;
    const double loss = std::max(0.0, attacker ? -change.value : change.value);
    const bool worse = loss >= kNoChange || (question_.plan.objective == game::Objective::Kill &&
                                             std::abs(change.damage) >= kNoChange);  // compared where values tie
    const bool changes = worse || std::abs(change.damage) >= kNoChange;
    if (!state.told && probability < 1 - kNoChange && !changes) return;
    std::vector<game::Option> best;
    game_.graph().options_of(game_.edge(state.node, game_.best(state.node)), best);
    DecisionMade made{.attacker = attacker,
                      .ship = attacker ? out_.by : out_.on,
                      .situation = situation(game_.position(state.node), attacker),
                      .play = decide::play_words(question_, attack_, state.play),
                      .better = decide::play_words(question_, attack_, best),
                      .told = state.told,
                      .probability = probability,
                      .change = change,
                      .loss = loss};
    if (!worse) made.better = made.play;
    add_decision(std::move(made));
  }

  /// By ship and token; nothing for what is no token.
  double* of_token(std::map<std::pair<std::string, std::string>, double>& counts, std::size_t resource) const {
    const compile::Labels& labels = question_.labels;
    if (!labels.resource_is_token[resource]) return nullptr;
    const auto ship = static_cast<std::size_t>(labels.resource_ship[resource]);
    return &counts[{labels.ships[ship], labels.resources[resource]}];
  }

  /// What an end of the attack has less than there was before it. What the attack does not read stays.
  void add_spent(const game::Resources& after, double probability) {
    const game::Plan& plan = question_.plan;
    const game::Resources reads = plan.attacks[attack_].reads;
    for (std::size_t r = 0; r < plan.resources.size(); ++r) {
      const game::Resource& resource = plan.resources[r];
      if (!resource.dynamic || (reads.words[static_cast<std::size_t>(resource.word)] >> resource.shift & 1) == 0)
        continue;
      const int spent = before_.get(resource) - after.get(resource);
      if (double* const count = spent == 0 ? nullptr : of_token(out_.spent, r)) *count += probability * spent;
    }
  }

  void add_unreported(const State& state, double probability) {
    const game::AttackPlan& attack = question_.plan.attacks[attack_];
    for (const game::Option& option : state.play) {
      if (option.effect < 0) continue;
      for (const game::Cost& cost : attack.effects[static_cast<std::size_t>(option.effect)].cost) {
        if (double* const count = of_token(out_.spent_untold, static_cast<std::size_t>(cost.resource)))
          *count += probability * cost.n;
      }
    }
  }

  /// The same decision on different ways through the attack is one.
  void add_decision(DecisionMade made) {
    const auto same = std::find_if(out_.decisions.begin(), out_.decisions.end(), [&](const DecisionMade& known) {
      return known.attacker == made.attacker && known.situation == made.situation && known.play == made.play &&
             known.better == made.better && known.told == made.told;
    });
    if (same == out_.decisions.end()) return out_.decisions.push_back(std::move(made));
    same->probability += made.probability;
    add(same->change, 1, made.change);
    same->loss += made.loss;
  }

  /// The dice on the table; for the defender after the results that he faces.
  std::string situation(const game::Position& position, bool attacker) const {
    const compile::Labels& labels = question_.labels;
    const std::string attack = decide::roll_words(labels.attack_faces, position.attack_pool);
    if (attacker) return attack.empty() ? "no dice" : attack;
    const std::string defense = decide::roll_words(labels.defense_faces, position.defense_pool);
    return fmt::format("{} against {}", defense.empty() ? "no dice" : defense, attack.empty() ? "no dice" : attack);
  }

  // ---------------------------------------------------------------- chances

  /// Health that the defender had left before the attack.
  int health_left() const {
    const game::ShipPlan& ship =
        question_.plan.ships[static_cast<std::size_t>(question_.plan.attacks[attack_].defender)];
    const auto told = spec_.point.damage.find(out_.on);
    return ship.hull + ship.shields - (told == spec_.point.damage.end() ? 0 : told->second);
  }

  void add_distribution() {
    for (const exact::Arrived& end : game_.flow(game_.start(), Subgame::Until::Ends)) {
      const auto damage = static_cast<std::size_t>(std::max(0, damage_of(game_.position(end.node))));
      if (out_.pmf.size() <= damage) out_.pmf.resize(damage + 1);
      out_.pmf[damage] += end.probability;
    }
    const auto result = static_cast<std::size_t>(std::max(0, *ends_.begin()));
    const game::ShipPlan& ship =
        question_.plan.ships[static_cast<std::size_t>(question_.plan.attacks[attack_].defender)];
    for (std::size_t k = 0; k < out_.pmf.size(); ++k) {
      if (k >= result) out_.at_least += out_.pmf[k];
      if (k <= result) out_.at_most += out_.pmf[k];
      const int left = health_left();  // none: it is destroyed already
      if (ship.destructible && left > 0 && static_cast<int>(k) >= left) out_.destroyed += out_.pmf[k];
    }
    for (double* chance : {&out_.at_least, &out_.at_most, &out_.destroyed}) *chance = std::min(1.0, *chance);
  }

  void add_filled_in() {
    for (const LuckPart& part : out_.parts) {
      if (part.happened && !part.told) {
        out_.filled_in.push_back(fmt::format("{}: not told; the mean of all that fits", words_of(part.kind)));
      }
    }
    for (const int role : {1, 0}) {
      if (unreported_[static_cast<std::size_t>(role)]) {
        out_.filled_in.push_back(fmt::format("what {} spent: not told; the best play that fits is taken for it",
                                             role == 1 ? out_.by : out_.on));
      }
    }
  }

  // ---------------------------------------------------------------- what cannot be

  void check_told() const {
    constexpr std::size_t kMaxWords = 16;
    for (const std::size_t role : {1u, 0u}) {
      if (told_[role].spent && told_[role].spent->size() > kMaxWords) {
        throw DecisionError(decide::kSpentMembers[role], fmt::format("more than {} words; tell fewer", kMaxWords));
      }
    }
  }

  static std::string numbers(const std::set<int>& list) {
    std::vector<std::string> words;
    for (const int n : list) words.push_back(std::to_string(n));
    return base::listed(words);
  }

  /// What was told cannot be: says why.
  [[noreturn]] void throw_impossible() const {
    if (spec_.damage) {
      const PlayPosterior any(game_, question_, told_, std::nullopt, UnreportedPlay::Consistent);
      if (any.likelihood() > 0) {
        std::set<int> ends;
        for (const PlayPosterior::Reached& reached : any.reached()) {
          if (game_.node(reached.state->node).kind == exact::Node::Kind::End)
            ends.insert(damage_of(game_.position(reached.state->node)));
        }
        throw DecisionError("damage",
                            fmt::format("{} damage does not come of what was told, with which it is {}; correct "
                                        "it, or leave out what is not certain",
                                        *spec_.damage, numbers(ends)));
      }
    }
    decide::locate(question_, spec_.point);  // knows what is wrong
    const bool attacker = told_[1].spent && !told_[1].spent->empty();
    throw DecisionError(decide::kSpentMembers[attacker ? 1 : 0],
                        "no play of this attack fits all that was told; leave out what is not certain");
  }

  [[noreturn]] void refuse_ends() const {
    throw DecisionError(
        "damage", fmt::format("what was told does not say how much damage it was: {} fit; tell it", numbers(ends_)));
  }

  const compile::CompiledScenario& question_;
  const PlayedAttack& spec_;
  std::size_t attack_;
  decide::ObservedByRole told_;
  game::Position begin_;
  game::Resources before_;  ///< before its price was paid
  Subgame game_;
  double sign_ = 1;
  std::vector<double> damage_;  ///< by node
  std::set<int> ends_;          ///< damage of the ends that fit
  std::array<bool, 2> unreported_{};
  Luck out_;
};

}  // namespace

Luck luck(const compile::CompiledScenario& question, const PlayedAttack& spec, const exact::Budget& budget) {
  return LuckAnalysis(question, spec, budget).luck();
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
  Luck out =
      review::luck(decide::compile_at(catalogue, scenario, spec.point, best), spec, answers::budget_of(options));
  if (policies) out.notes.push_back("both players are measured by best play, not by the policies of the scenario");
  return out;
}

}  // namespace salvo
