// The graph of a part of an attack (build_segment_graph), as Builder in graph.cpp makes it: the same nodes in the same order.
// What play does to the mode of a position hardly depends on its dice, and what it does to the dice hardly depends on
// the mode, so that both are found once: which effects are open in a mode, and how it merges; what dice become by an
// effect. What is left for each edge is to look both up.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <span>

#include "base/index.h"
#include "exact/graph/graph_writer.h"
#include "exact/segments/segment_graph.h"
#include "exact/segments/segments.h"
#include "exact/segments/state_merging.h"
#include "game/position_parts.h"

namespace salvo::exact {
namespace {

constexpr int kUnknown = -1;

/// Numbers by small numbers; kUnknown where none was found yet.
class Memo {
 public:
  int find(int at) const { return static_cast<std::size_t>(at) < numbers_.size() ? base::nth(numbers_, at) : kUnknown; }
  void insert(int at, int number) {
    if (static_cast<std::size_t>(at) >= numbers_.size())
      numbers_.resize(std::bit_ceil(static_cast<std::size_t>(at) + 1), kUnknown);
    base::nth(numbers_, at) = number;
  }

 private:
  List<int> numbers_;
};

/// A bit for each face that dice of the pool have.
std::uint32_t faces_in(game::Pool pool) {
  std::uint32_t out = 0;
  for (int face = 0; face < base::kMaxFaces; ++face) out |= pool.count(face) > 0 ? 1u << face : 0u;
  return out;
}

/// Whether a condition depends on nothing but the dice.
bool asks_only_dice(const game::Expression& when) {
  using Code = game::ExpressionOp::Code;
  return std::all_of(when.begin(), when.end(), [](const game::ExpressionOp& op) {
    return op.code == Code::Constant || op.code == Code::AttackFace || op.code == Code::DefenseFace ||
           op.code == Code::AttackDice || op.code == Code::DefenseDice || op.code >= Code::Add;
  });
}

class SegmentGraphBuilder {
 public:
  SegmentGraphBuilder(const game::Plan& plan, std::size_t index, const SegmentGraphSpec& part, SegmentGraph known, double edges_left)
      : plan_(plan),
        attack_(plan.attacks[index]),
        spec_(part),
        tie_{{plan, attack_, false}, {plan, attack_, true}},
        graph_(std::move(known)),
        writer_(graph_, edges_left) {
    for (const game::Effect& effect : attack_.effects) effects_.push_back(deeds_of(effect));
    for (int s = 0; s < part.until; ++s) {
      for (const int effect : base::nth(attack_.steps, s).effects) {
        if (base::nth(effects_, effect).column == kUnknown) base::nth(effects_, effect).column = columns_++;
      }
    }
    graph_.start.clear();
    for (int mode = 0; mode < static_cast<int>(graph_.modes.size()); ++mode) modes_.push_back(seen(graph_.modes[mode]));
    for (int dice = 0; dice < static_cast<int>(graph_.dice.size()); ++dice) add_dice(graph_.dice[dice]);
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      windows_.push_back(window_of(graph_.keys[n], graph_.nodes[n]));
      ends_ += graph_.nodes[n].kind == Node::Kind::End ? 1 : 0;
    }
  }

  SegmentGraph build(const Positions& starts) {
    for (int s = 0; s < static_cast<int>(starts.size()); ++s)
      graph_.start.push_back(visit(merged(point_of(starts[s]))));
    return std::move(graph_);
  }

 private:
  /// What an effect does, as far as it is the same in all positions.
  struct Deeds {
    /// What it makes of the dice depends on them alone, and what it makes of the mode on the mode, and on how many dice
    /// are picked up.
    bool apart = false;
    const game::Operation* choice = nullptr;  ///< the operation in which dice are chosen
    bool asks_only_dice = false;              ///< its condition does
    int column = kUnknown;                    ///< in outcomes_of_; only effects of the part have one
  };

  /// The outcomes_ of an effect that does one thing apart from the other, by dice; none where its condition, if it asks
  /// only them, does not hold.
  struct Outcomes {
    int first = kUnknown, count = 0;
  };

  /// What is known of dice.
  struct DiceFacts {
    std::int16_t faces = 0;  ///< number of the set of faces that they have
    std::uint8_t crits = 0;
  };

  /// What one of the options of an effect makes of dice.
  struct Outcome {
    int dice = 0;
    std::int16_t faces = 0;  ///< as in DiceFacts, of them
    std::uint8_t crits = 0;
    std::uint8_t picked_up = 0;
  };

  /// An effect that is open in a mode.
  struct Way {
    game::OpenEffect open;
    std::array<int, 2> after{kUnknown, kUnknown};  ///< the mode afterwards if no dice are picked up, or one
    Memo after_more;                               ///< by number of dice that are picked up
  };

  /// What a player can do in a mode.
  struct Offer {
    bool apart = true;  ///< nothing has to be done first
    int pass = kUnknown;
    List<Way> ways;
    std::vector<game::OpenEffect> open;
  };

  /// What is known of a mode besides the position without dice that it is.
  struct Mode {
    bool window = false;   ///< a player decides here, if there are options
    bool over = false;     ///< the part ends here
    bool resumes = false;  ///< an effect waits for dice that are rolled
    bool interrupted = false;
    std::uint8_t step = 0;
    int offer = kUnknown;
    int rerolled = kUnknown;                      ///< the mode when one of the dice that were picked up is rolled
    std::array<int, 2> ties{kUnknown, kUnknown};  ///< by role: the key for ties with no critical hits
  };

  /// How keys of a mode that have dice with the same faces are merged.
  struct Merge {
    int mode = kUnknown;  ///< afterwards
    int lump = 0;         ///< number in lumps_
  };
  static constexpr std::size_t kFaceSets = 16;
  static constexpr std::size_t kNoPlace = ~std::size_t{0};
  struct Lump {
    StateMerging::Rule pools;
    bool ends = false;  ///< the part does, so that dice are forgotten
    Memo after;         ///< by dice
  };

  /// Where an option leads.
  struct Next {
    PositionKey key;
    SegmentEdge edge;  ///< its target is known once the key was visited
    bool interrupted = false;
  };

  static constexpr std::uint8_t kNoWindow = 255;

  static Deeds deeds_of(const game::Effect& effect) {
    using Kind = game::Operation::Kind;
    Deeds out;
    int on_dice = 0;
    out.apart = effect.jump < 0;
    for (const game::Operation& operation : effect.operations) {
      const bool dice = game::needs_dice(operation) || operation.kind == Kind::Add;
      out.apart = out.apart && operation.amount.empty() &&
                  (dice || operation.kind == Kind::Gain || operation.kind == Kind::Lose);
      on_dice += dice ? 1 : 0;
    }
    out.apart = out.apart && on_dice <= 1;
    out.choice = game::choosing(effect);
    out.asks_only_dice = exact::asks_only_dice(effect.when);
    return out;
  }

  Mode seen(const game::Position& rest) {
    Mode out;
    out.interrupted = game::interrupted(rest);
    out.resumes = rest.resume > 0;
    out.step = rest.step;
    const bool waits = out.interrupted || out.resumes;
    out.over = !waits && rest.step >= spec_.until;
    out.window = !waits && !out.over && base::nth(attack_.steps, rest.step).kind == game::Step::Kind::Window;
    return out;
  }

  /// The keys of a role by the number of critical hits, which are the only dice that count (TieKey): the first of them,
  /// which is that without any.
  int ties_of(bool attacks, std::uint64_t key) {
    const auto [at, is_new] = ties_.try_emplace({attacks, key}, static_cast<int>(graph_.ties.size()));
    for (std::uint64_t crits = 0; is_new && crits <= base::kMaxPool; ++crits)
      graph_.ties.push_back(attacks ? key + crits : key - crits);
    return at->second;
  }

  int mode_of(game::Position rest) {
    rest.attack_pool = rest.defense_pool = game::Pool();
    const int number = graph_.modes.number(rest);
    if (static_cast<std::size_t>(number) == modes_.size()) modes_.push_back(seen(rest));
    return number;
  }
  int dice_of(game::Pool attack, game::Pool defense) {
    const Dice dice{attack, defense};
    const int number = graph_.dice.number(dice);
    if (static_cast<std::size_t>(number) == dice_.size()) add_dice(dice);
    return number;
  }
  void add_dice(const Dice& dice) {
    const std::uint32_t faces = faces_in(dice.attack) | faces_in(dice.defense) << base::kMaxFaces;
    const auto number = faces_.try_emplace(faces, static_cast<int>(faces_.size())).first->second;
    dice_.push_back({static_cast<std::int16_t>(number),
                     static_cast<std::uint8_t>(game::count_face(dice.attack, plan_.attack_die.crit))});
  }
  PositionKey point_of(const game::Position& position) {
    return {mode_of(position), dice_of(position.attack_pool, position.defense_pool)};
  }

  PositionKey merged(PositionKey key) { return merged(key, base::nth(dice_, key.dice)); }
  PositionKey merged(PositionKey key, DiceFacts facts) {
    const std::size_t at = place_of_merge(key.mode, facts);
    if (at < merges_.size() && merges_[at].mode != kUnknown)
      return {merges_[at].mode, lumped(merges_[at].lump, key.dice)};
    return merged_slowly(key);
  }

  /// The first few sets of faces of a mode lie beside each other.
  static std::size_t place_of_merge(int mode, DiceFacts facts) {
    const auto faces = static_cast<std::size_t>(facts.faces);
    return faces < kFaceSets ? static_cast<std::size_t>(mode) * kFaceSets + faces : kNoPlace;
  }

  /// Where nothing is known yet, an effect waits, or there are many sets of faces.
  [[gnu::noinline]] PositionKey merged_slowly(PositionKey key) {
    if (base::nth(modes_, key.mode).resumes) {
      game::Position whole = graph_.position(key);
      spec_.merging->merge(plan_, attack_, whole);
      return point_of(whole);
    }
    const std::size_t at = place_of_merge(key.mode, base::nth(dice_, key.dice));
    if (at != kNoPlace && at >= merges_.size()) merges_.resize(std::bit_ceil(at + 1));
    Merge& merge = at != kNoPlace ? merges_[at] : more_merges_[{key.mode, base::nth(dice_, key.dice).faces}];
    if (merge.mode == kUnknown) merge = find_merge(key);  // which looks up no other
    return {merge.mode, lumped(merge.lump, key.dice)};
  }

  Merge find_merge(PositionKey key) {
    const StateMerging::Rule pools = spec_.merging->rule(attack_, graph_.position(key));
    game::Position after = graph_.modes[key.mode];
    after.used = pools.used;
    after.resources = without(after.resources, pools.forgotten);
    const int mode = mode_of(after);
    const bool ends = base::nth(modes_, mode).over;
    const auto same = [&](const Lump& lump) { return lump.ends == ends && lump.pools.pools == pools.pools; };
    const auto lump = std::find_if(lumps_.begin(), lumps_.end(), same);
    const auto number = static_cast<int>(lump - lumps_.begin());
    if (lump == lumps_.end()) lumps_.push_back({pools, ends, {}});
    return {mode, number};
  }

  int lumped(int lump, int dice) {
    const int known = base::nth(lumps_, lump).after.find(dice);
    return known != kUnknown ? known : lump_dice(base::nth(lumps_, lump), dice);
  }
  [[gnu::noinline]] int lump_dice(Lump& lump, int dice) {
    const Dice before = graph_.dice[dice];
    int after = dice_of(spec_.merging->merged(lump.pools, true, before.attack),
                        spec_.merging->merged(lump.pools, false, before.defense));
    if (lump.ends) after = kept_at_end(after);
    lump.after.insert(dice, after);
    return after;
  }

  int kept_at_end(int dice) {
    game::Position whole;
    whole.attack_pool = graph_.dice[dice].attack;
    whole.defense_pool = graph_.dice[dice].defense;
    spec_.forget(whole);
    return dice_of(whole.attack_pool, whole.defense_pool);
  }

  int add_node(PositionKey key, const Node& node) {
    const auto number = static_cast<int>(graph_.nodes.size());
    graph_.nodes.push_back(node);
    graph_.keys.push_back(key);
    windows_.push_back(window_of(key, node));
    graph_.numbers.insert(key, number);
    return number;
  }

  /// The step in which a node is a decision.
  std::uint8_t window_of(PositionKey key, const Node& node) const {
    return node.kind == Node::Kind::Decision ? base::nth(modes_, key.mode).step : kNoWindow;
  }

  /// The node of a merged key.
  int visit(PositionKey key) {
    const int met = graph_.numbers.find(key);
    return met != NodeTable::kNone ? met : visit_new(key);
  }

  [[gnu::noinline]] int visit_new(PositionKey key) {
    const Mode& mode = base::nth(modes_, key.mode);
    if (mode.over) return add_node(key, {.first = ends_++});
    if (mode.window) {
      const std::size_t first = nexts_.size();
      if (list_nexts(key)) return add_node(key, decide(key, first));
      nexts_.resize(first);
    }
    if (graph_.modes[key.mode].pending > 0) return add_node(key, reroll(key));
    return advance(key);
  }

  /// Plays on to where dice or a player are asked.
  [[gnu::noinline]] int advance(PositionKey key) {
    game::Position whole = graph_.position(key);
    const game::NextEvent need = game::advance(plan_, attack_, whole, spec_.until);
    PositionKey here = point_of(whole);
    if (here == key && need != game::NextEvent::Finished) return add_node(here, node(here, need));
    here = merged(here);
    if (need == game::NextEvent::Finished) here.dice = kept_at_end(here.dice);
    if (here == key) return add_node(here, node(here, need));
    int number = graph_.numbers.find(here);
    if (number == NodeTable::kNone) number = add_node(here, node(here, need));
    graph_.numbers.insert(key, number);
    return number;
  }

  Node node(PositionKey key, game::NextEvent need) {
    switch (need) {
      case game::NextEvent::Decision: {
        const std::size_t first = nexts_.size();
        list_nexts(key);
        return decide(key, first);
      }
      case game::NextEvent::AttackRoll:
        return roll(key, plan_.attack_die, 1);
      case game::NextEvent::DefenseRoll:
        return roll(key, plan_.defense_die, 2);
      case game::NextEvent::Reroll:
        return reroll(key);
      case game::NextEvent::Draw:
        return draw(key);
      case game::NextEvent::Finished:
        break;
    }
    return {.first = ends_++};
  }

  int offer_of(int mode) {
    int& known = base::nth(modes_, mode).offer;
    if (known != kUnknown) return known;
    known = static_cast<int>(offers_.size());
    Offer& offer = offers_.emplace_back();
    game::open_effects(plan_, attack_, graph_.modes[mode], offer.open);
    for (const game::OpenEffect& open : offer.open) offer.ways.push_back({.open = open, .after_more = {}});
    for (const int effect : base::nth(attack_.steps, graph_.modes[mode].step).effects)
      offer.apart = offer.apart && !base::nth(attack_.effects, effect).forced;
    return known;
  }

  /// Adds to nexts_ where the options lead, in the order of rules::legal_options; returns whether there is any besides
  /// "no more".
  bool list_nexts(PositionKey key) {
    const std::size_t first = nexts_.size();
    const bool attacks = base::nth(attack_.steps, base::nth(modes_, key.mode).step).attacker_decides;
    Offer& offer = base::nth(offers_, offer_of(key.mode));
    if (!offer.apart) {
      game::legal_options(plan_, attack_, graph_.position(key), offer.open, options_);
      for (const game::Option& option : options_) add_next(taken(key, option), attacks);
      return options_.front().effect >= 0 || options_.size() > 1;
    }
    if (offer.pass == kUnknown) offer.pass = taken(key, game::Option{}).mode;
    add_next({offer.pass, key.dice}, attacks);
    for (Way& way : offer.ways) {
      const Deeds& deeds = base::nth(effects_, way.open.effect);
      if (deeds.apart) {
        add_nexts_apart(key, way, deeds, attacks);
      } else {
        list_options(key, way);
        for (std::size_t i = 1; i < options_.size(); ++i) add_next(taken(key, options_[i]), attacks);
      }
    }
    return nexts_.size() > first + 1;
  }

  /// Lists the options of an open effect behind "no more".
  void list_options(PositionKey key, const Way& way) {
    game::legal_options(plan_, attack_, graph_.position(key), std::span(&way.open, 1), options_);
  }

  PositionKey taken(PositionKey key, const game::Option& option) {
    return point_of(game::take(plan_, attack_, graph_.position(key), option));
  }

  void add_nexts_apart(PositionKey key, Way& way, const Deeds& deeds, bool attacks) {
    if (way.open.asks_dice && !deeds.asks_only_dice && !holds(key, way)) return;
    const auto at = static_cast<std::size_t>(key.dice * columns_ + deeds.column);
    if (at >= outcomes_of_.size()) outcomes_of_.resize(std::bit_ceil(at + 1));
    if (outcomes_of_[at].first == kUnknown) outcomes_of_[at] = find_outcomes(key, way, deeds);
    const Outcomes found = outcomes_of_[at];
    for (int i = 0; i < found.count; ++i) {
      const Outcome outcome = base::nth(outcomes_, found.first + i);
      add_next({mode_after(key, way, outcome.picked_up, i), outcome.dice}, {outcome.faces, outcome.crits}, attacks);
    }
  }

  /// The mode after option `number` of a way, by which so many dice are picked up.
  int mode_after(PositionKey key, Way& way, int picked_up, int number) {
    const bool few = static_cast<std::size_t>(picked_up) < way.after.size();
    const int known = few ? base::nth(way.after, picked_up) : way.after_more.find(picked_up);
    return known != kUnknown ? known : find_mode_after(key, way, picked_up, number);
  }
  [[gnu::noinline]] int find_mode_after(PositionKey key, Way& way, int picked_up, int number) {
    list_options(key, way);
    const int mode = taken(key, base::nth(options_, 1 + number)).mode;
    if (static_cast<std::size_t>(picked_up) < way.after.size()) {
      base::nth(way.after, picked_up) = mode;
    } else {
      way.after_more.insert(picked_up, mode);
    }
    return mode;
  }

  bool holds(PositionKey key, const Way& way) const {
    return game::evaluate(plan_, base::nth(attack_.effects, way.open.effect).when, graph_.position(key)) != 0;
  }

  [[gnu::noinline]] Outcomes find_outcomes(PositionKey key, const Way& way, const Deeds& deeds) {
    list_options(key, way);
    const auto begin = static_cast<int>(outcomes_.size());
    for (std::size_t i = 1; i < options_.size(); ++i) {
      const game::Option& option = options_[i];
      if (deeds.choice == nullptr) {
        add_outcome(taken(key, option).dice, 0);
        continue;
      }
      Dice dice = graph_.dice[key.dice];
      game::Pool& pool = deeds.choice->attack_dice ? dice.attack : dice.defense;
      pool = game::after_choice(*deeds.choice, pool, option.dice);
      const bool picks_up = deeds.choice->kind == game::Operation::Kind::Reroll;
      add_outcome(dice_of(dice.attack, dice.defense), picks_up ? game::dice_in(option.dice) : 0);
    }
    return {begin, static_cast<int>(options_.size()) - 1};
  }

  void add_outcome(int dice, int picked_up) {
    const DiceFacts facts = base::nth(dice_, dice);
    outcomes_.push_back({dice, facts.faces, facts.crits, static_cast<std::uint8_t>(picked_up)});
  }

  void add_next(PositionKey after, bool attacks) { add_next(after, base::nth(dice_, after.dice), attacks); }
  void add_next(PositionKey after, DiceFacts facts, bool attacks) {
    Mode& mode = base::nth(modes_, after.mode);
    int& ties = mode.ties[attacks];
    if (ties == kUnknown) ties = ties_of(attacks, tie_[attacks](graph_.modes[after.mode]));
    const int tie = ties + facts.crits;
    const bool interrupted = mode.interrupted;
    const PositionKey key = merged(after, facts);
    graph_.numbers.prepare(key);
    nexts_.push_back({key, {.tie = tie}, interrupted});
  }

  /// The decision whose edges lead to nexts_ from `first` on, which it takes away.
  Node decide(PositionKey key, std::size_t first) {
    const auto step = base::nth(modes_, key.mode).step;
    const std::size_t end = nexts_.size();
    for (std::size_t i = first; i < end; ++i) {
      const int target = visit(nexts_[i].key);  // adds to the list, and takes away what it added
      Next& next = nexts_[i];
      next.edge.target = target;
      if (base::nth(windows_, target) == step && !next.interrupted) next.edge.tie = SegmentEdge::kSameDecision;
    }
    const Node out = writer_.decision(end - first, base::nth(attack_.steps, step).attacker_decides);
    for (std::size_t i = first; i < end; ++i) graph_.decision_edges.push_back(nexts_[i].edge);
    nexts_.resize(first);
    return out;
  }

  Node roll(PositionKey key, const game::Die& die, std::uint8_t which) {
    const game::Position before = graph_.position(key);
    const int dice = game::roll_size(before);
    const int mode = mode_of(game::after_roll(attack_, before, game::Pool()));
    const std::vector<RollOutcome>& outcomes = writer_.outcomes(die, dice, which);
    List<ChanceEdge> edges;
    edges.reserve(outcomes.size());
    for (const RollOutcome& outcome : outcomes) {
      const int after =
          which == 1 ? dice_of(outcome.pool, before.defense_pool) : dice_of(before.attack_pool, outcome.pool);
      edges.push_back({visit(merged({mode, after})), outcome.probability});
    }
    return writer_.chance(edges, which, dice);
  }

  Node draw(PositionKey key) {
    const game::Position before = graph_.position(key);
    std::vector<int> left;
    game::cards_left(plan_, attack_, before, left);
    const double all = std::accumulate(left.begin(), left.end(), 0);
    List<ChanceEdge> edges;
    edges.reserve(left.size());
    for (std::size_t kind = 0; kind < left.size(); ++kind) {
      if (left[kind] == 0) continue;
      const PositionKey after = merged(point_of(game::after_draw(plan_, attack_, before, kind)));
      edges.push_back({visit(after), left[kind] / all});
    }
    return writer_.chance(edges, kDraw, static_cast<int>(game::drawing_victim(before)));
  }

  Node reroll(PositionKey key) {
    const game::Position& before = graph_.modes[key.mode];
    const bool attack_dice = before.pending_attack, aside = before.pending_side;
    const game::Die& die = attack_dice ? plan_.attack_die : plan_.defense_die;
    const int after = aside ? kUnknown : mode_rerolled(key.mode);
    std::array<PositionKey, base::kMaxFaces> to;
    for (int face = 0; face < die.faces; ++face) {
      base::nth(to, face) = merged(aside ? point_of(game::after_reroll(graph_.position(key), face))
                                         : PositionKey{after, with_rerolled(key.dice, attack_dice, face)});
      graph_.numbers.prepare(base::nth(to, face));
    }
    std::array<ChanceEdge, base::kMaxFaces> edges;
    for (int face = 0; face < die.faces; ++face)
      base::nth(edges, face) = {visit(base::nth(to, face)),
                                static_cast<double>(base::nth(die.sides_of_face, face)) / die.sides};
    return writer_.chance({edges.data(), static_cast<std::size_t>(die.faces)}, 0, 0);
  }

  int mode_rerolled(int mode) {
    if (base::nth(modes_, mode).rerolled == kUnknown) {
      const int after = mode_of(game::after_reroll(graph_.modes[mode], 0));
      base::nth(modes_, mode).rerolled = after;
    }
    return base::nth(modes_, mode).rerolled;
  }

  /// The dice and one more that was rerolled.
  int with_rerolled(int dice, bool attack_dice, int face) {
    Memo& memo = rerolled_[attack_dice];
    const int at = dice * base::kMaxFaces + face;
    int known = memo.find(at);
    if (known != kUnknown) return known;
    Dice more = graph_.dice[dice];
    (attack_dice ? more.attack : more.defense).add(face, true, 1);
    known = dice_of(more.attack, more.defense);
    memo.insert(at, known);
    return known;
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const SegmentGraphSpec& spec_;
  TieKey tie_[2];
  SegmentGraph graph_;
  GraphWriter<SegmentGraph> writer_;
  int ends_ = 0;
  List<Mode> modes_;      ///< by mode
  List<DiceFacts> dice_;  ///< by dice
  std::map<std::uint32_t, int> faces_;
  std::map<std::pair<bool, std::uint64_t>, int> ties_;
  List<Deeds> effects_;
  int columns_ = 0;
  List<Outcomes> outcomes_of_;  ///< by dice and column of the effect
  List<Outcome> outcomes_;
  List<Offer> offers_;
  List<Merge> merges_;  ///< by mode and the first kFaceSets sets of faces
  std::map<std::pair<int, int>, Merge> more_merges_;
  List<Lump> lumps_;
  std::array<Memo, 2> rerolled_;  ///< of defense dice, of attack dice: by dice and face
  std::vector<game::Option> options_;
  List<Next> nexts_;            ///< of the decisions that are being made, one after the other
  List<std::uint8_t> windows_;  ///< by node: the step in which a player decides there, or kNoWindow
};

}  // namespace

SegmentGraph build_segment_graph(const game::Plan& plan, std::size_t index, const Positions& starts, const SegmentGraphSpec& part,
                     SegmentGraph known, double edges_left) {
  Arena scratch;  // the graph keeps the memory that it had
  const ArenaScope scope(scratch);
  return SegmentGraphBuilder(plan, index, part, std::move(known), edges_left).build(starts);
}

}  // namespace salvo::exact
