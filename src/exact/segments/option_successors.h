// Lists the successors of a decision. Most effects are separable: their outcome for the dice depends on the dice alone,
// and their outcome for the rest depends on the rest and on the number of dice they pick up. These outcomes are found
// once for each part and then looked up.
// Third layer of SegmentGraphBuilder.
#pragma once

#include <span>
#include <vector>

#include "exact/segments/key_merging.h"
#include "game/play.h"

namespace salvo::exact {

class OptionSuccessors : protected KeyMerging {
 protected:
  /// Where an option leads.
  struct Successor {
    PositionKey key;
    SegmentEdge edge;  ///< its target is set when the key is visited
    bool interrupted = false;
  };

  OptionSuccessors(const game::Plan& plan, std::size_t index, const SegmentGraphSpec& spec, SegmentGraph known)
      : KeyMerging(plan, index, spec, std::move(known)) {
    for (const game::Effect& effect : attack_.effects) effects_.push_back(facts_of(effect));
    for (int s = 0; s < spec.until; ++s) {
      for (const int effect : base::nth(attack_.steps, s).effects) {
        if (base::nth(effects_, effect).column == kUnknown) base::nth(effects_, effect).column = columns_++;
      }
    }
  }

  /// Appends the successors to successors_, in the order of game::legal_options. Returns whether there is any option
  /// besides "no more".
  bool list_successors(PositionKey key) {
    const std::size_t first = successors_.size();
    const bool attacks = attacker_decides(key);
    Decision& decision = base::nth(decisions_, decision_of(key.dice_free));
    if (decision.forced) {
      game::legal_options(plan_, attack_, graph_.position(key), decision.open, options_);
      for (const game::Option& option : options_) add_successor(taken(key, option), attacks);
      return options_.front().effect >= 0 || options_.size() > 1;
    }
    if (decision.pass == kUnknown) decision.pass = taken(key, game::Option{}).dice_free;
    add_successor({decision.pass, key.dice}, attacks);
    for (OpenEffect& open : decision.effects) {
      const EffectFacts& facts = base::nth(effects_, open.effect.effect);
      if (facts.separable) {
        add_separable(key, open, facts, attacks);
      } else {
        list_options(key, open);
        for (std::size_t i = 1; i < options_.size(); ++i) add_successor(taken(key, options_[i]), attacks);
      }
    }
    return successors_.size() > first + 1;
  }

  bool attacker_decides(PositionKey key) const {
    return base::nth(attack_.steps, rest(key.dice_free).step).attacker_decides;
  }

  List<Successor> successors_;  ///< of all decisions on the path of the recursion, innermost last

 private:
  /// What an effect does in every position.
  struct EffectFacts {
    bool separable = false;
    const game::Operation* choice = nullptr;  ///< the operation for which the player chooses dice
    bool asks_only_dice = false;              ///< its condition reads nothing but dice
    int column = kUnknown;                    ///< in outcomes_by_dice_; only effects of the segment have one
  };

  /// What an option of a separable effect makes of the dice.
  struct Outcome {
    int dice = 0;
    DiceFacts facts;  ///< of these dice
    std::uint8_t picked_up = 0;
  };
  /// A range of outcomes_: those of one effect for one set of dice, in the order of the options. Empty where the
  /// condition of the effect reads only dice and does not hold.
  struct Outcomes {
    int first = kUnknown, count = 0;
  };

  /// An effect that a player may use at a decision.
  struct OpenEffect {
    game::OpenEffect effect;
    std::array<int, 2> after{kUnknown, kUnknown};  ///< dice-free part afterwards when 0 dice or 1 die is picked up
    NumberMemo after_more;                         ///< the same by number of dice, from 2 on
  };

  /// What a player can do at a dice-free part.
  struct Decision {
    bool forced = false;  ///< a mandatory effect may have to be used first
    int pass = kUnknown;  ///< dice-free part after "no more"
    List<OpenEffect> effects;
    std::vector<game::OpenEffect> open;  ///< the same effects, as game::legal_options reads them
  };

  static EffectFacts facts_of(const game::Effect& effect) {
    using Kind = game::Operation::Kind;
    EffectFacts out;
    int on_dice = 0;
    out.separable = effect.jump < 0;
    for (const game::Operation& operation : effect.operations) {
      const bool dice = game::needs_dice(operation) || operation.kind == Kind::Add;
      out.separable = out.separable && operation.amount.empty() &&
                      (dice || operation.kind == Kind::Gain || operation.kind == Kind::Lose);
      on_dice += dice ? 1 : 0;
    }
    out.separable = out.separable && on_dice <= 1;
    out.choice = game::choosing(effect);
    out.asks_only_dice = asks_only_dice(effect.when);
    return out;
  }

  static bool asks_only_dice(const game::Expression& when) {
    using Code = game::ExpressionOp::Code;
    return std::all_of(when.begin(), when.end(), [](const game::ExpressionOp& op) {
      return op.code == Code::Constant || op.code == Code::AttackFace || op.code == Code::DefenseFace ||
             op.code == Code::AttackDice || op.code == Code::DefenseDice || op.code >= Code::Add;
    });
  }

  int decision_of(int dice_free) {
    int& known = rest(dice_free).decision;
    if (known != kUnknown) return known;
    known = static_cast<int>(decisions_.size());
    Decision& decision = decisions_.emplace_back();
    game::open_effects(plan_, attack_, graph_.dice_free[dice_free], decision.open);
    for (const game::OpenEffect& open : decision.open) decision.effects.push_back({.effect = open, .after_more = {}});
    const std::vector<int>& effects = base::nth(attack_.steps, graph_.dice_free[dice_free].step).effects;
    decision.forced = std::any_of(effects.begin(), effects.end(),
                                  [&](int effect) { return base::nth(attack_.effects, effect).forced; });
    return known;
  }

  /// Sets options_ to "no more" and the options of one effect.
  void list_options(PositionKey key, const OpenEffect& open) {
    game::legal_options(plan_, attack_, graph_.position(key), std::span(&open.effect, 1), options_);
  }

  PositionKey taken(PositionKey key, const game::Option& option) {
    return key_of(game::take(plan_, attack_, graph_.position(key), option));
  }

  void add_separable(PositionKey key, OpenEffect& open, const EffectFacts& facts, bool attacks) {
    if (open.effect.asks_dice && !facts.asks_only_dice && !holds(key, open)) return;
    const auto at = static_cast<std::size_t>(key.dice * columns_ + facts.column);
    if (at >= outcomes_by_dice_.size()) outcomes_by_dice_.resize(std::bit_ceil(at + 1));
    if (outcomes_by_dice_[at].first == kUnknown) outcomes_by_dice_[at] = find_outcomes(key, open, facts);
    const Outcomes found = outcomes_by_dice_[at];
    for (int i = 0; i < found.count; ++i) {
      const Outcome outcome = base::nth(outcomes_, found.first + i);
      add_successor({dice_free_after(key, open, outcome.picked_up, i), outcome.dice}, outcome.facts, attacks);
    }
  }

  /// The dice-free part after option `number` of an effect, which picks up `picked_up` dice.
  int dice_free_after(PositionKey key, OpenEffect& open, int picked_up, int number) {
    const bool few = static_cast<std::size_t>(picked_up) < open.after.size();
    const int known = few ? base::nth(open.after, picked_up) : open.after_more.find(picked_up);
    return known != kUnknown ? known : find_dice_free_after(key, open, picked_up, number);
  }
  [[gnu::noinline]] int find_dice_free_after(PositionKey key, OpenEffect& open, int picked_up, int number) {
    list_options(key, open);
    const int out = taken(key, base::nth(options_, 1 + number)).dice_free;
    if (static_cast<std::size_t>(picked_up) < open.after.size()) {
      base::nth(open.after, picked_up) = out;
    } else {
      open.after_more.insert(picked_up, out);
    }
    return out;
  }

  bool holds(PositionKey key, const OpenEffect& open) const {
    return game::evaluate(plan_, base::nth(attack_.effects, open.effect.effect).when, graph_.position(key)) != 0;
  }

  [[gnu::noinline]] Outcomes find_outcomes(PositionKey key, const OpenEffect& open, const EffectFacts& facts) {
    list_options(key, open);
    const auto begin = static_cast<int>(outcomes_.size());
    for (std::size_t i = 1; i < options_.size(); ++i) {
      const game::Option& option = options_[i];
      if (facts.choice == nullptr) {
        add_outcome(taken(key, option).dice, 0);
        continue;
      }
      Dice dice = graph_.dice[key.dice];
      game::Pool& pool = facts.choice->attack_dice ? dice.attack : dice.defense;
      pool = game::after_choice(*facts.choice, pool, option.dice);
      const bool picks_up = facts.choice->kind == game::Operation::Kind::Reroll;
      add_outcome(dice_of(dice.attack, dice.defense), picks_up ? game::dice_in(option.dice) : 0);
    }
    return {begin, static_cast<int>(options_.size()) - 1};
  }

  void add_outcome(int dice, int picked_up) {
    outcomes_.push_back({dice, dice_facts(dice), static_cast<std::uint8_t>(picked_up)});
  }

  void add_successor(PositionKey after, bool attacks) { add_successor(after, dice_facts(after.dice), attacks); }
  void add_successor(PositionKey after, DiceFacts facts, bool attacks) {
    const int tie = this->tie(after.dice_free, facts.crits, attacks);
    const bool interrupted = rest(after.dice_free).interrupted;
    const PositionKey key = merged(after, facts);
    graph_.node_of.prefetch(key);
    successors_.push_back({key, {.tie = tie}, interrupted});
  }

  List<EffectFacts> effects_;
  int columns_ = 0;
  List<Outcomes> outcomes_by_dice_;  ///< by dice and EffectFacts::column
  List<Outcome> outcomes_;
  List<Decision> decisions_;
  std::vector<game::Option> options_;
};

}  // namespace salvo::exact
