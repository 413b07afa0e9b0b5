// The graph of a part of an attack (build_part), as Builder in graph.cpp makes it: the same nodes in the same order.
// What play does depends on little besides the dice: a position is a *mode*, which is all but its dice, and two pools.
// Which effects are open, what an option makes of the mode, how positions merge is found once for each mode.
#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "exact/graph_writer.h"
#include "exact/state_merging.h"
#include "rules/position_parts.h"

namespace salvo::exact {
namespace {

/// A position: the number of its mode, and its dice.
struct Point {
  std::size_t mode = 0;
  Pool attack, defense;

  Pool& pool(bool attack_dice) { return attack_dice ? attack : defense; }
  bool operator==(const Point&) const = default;
};

/// Points of play and their numbers, in the order of insertion.
class Points {
 public:
  static constexpr int kNone = -1;
  using Hash = std::uint64_t;

  static Hash hash(const Point& point) {
    return base::hash_of(std::array<std::uint64_t, 3>{point.mode, point.attack.bits(), point.defense.bits()});
  }
  int find(const Point& point, Hash hashed) const {
    if (slots_.empty()) return kNone;
    for (auto i = static_cast<std::size_t>(hashed);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.number == kNone) return kNone;
      if (slot.tag == tag(hashed) && points_[static_cast<std::size_t>(slot.number)] == point) return slot.number;
    }
  }
  int insert(const Point& point, Hash hashed) {
    const auto number = static_cast<int>(points_.size());
    points_.push_back(point);
    if (2 * points_.size() > slots_.size()) {
      grow();
    } else {
      put({tag(hashed), number}, hashed);
    }
    return number;
  }
  /// A point will be looked up soon: first all slots are asked for, then all points.
  void prepare(Hash hashed) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[static_cast<std::size_t>(hashed) & (slots_.size() - 1)]);
  }
  void prepare_point(Hash hashed) const {
    if (slots_.empty()) return;
    const Slot& slot = slots_[static_cast<std::size_t>(hashed) & (slots_.size() - 1)];
    if (slot.number != kNone) __builtin_prefetch(&points_[static_cast<std::size_t>(slot.number)]);
  }
  const Point& operator[](int number) const { return points_[static_cast<std::size_t>(number)]; }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    int number = kNone;
  };
  static std::uint32_t tag(Hash hashed) { return static_cast<std::uint32_t>(hashed >> 32); }

  void put(Slot slot, Hash hashed) {
    auto i = static_cast<std::size_t>(hashed);
    while (slots_[i & (slots_.size() - 1)].number != kNone) ++i;
    slots_[i & (slots_.size() - 1)] = slot;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), Slot{});
    for (std::size_t n = 0; n < points_.size(); ++n) {
      const Hash hashed = hash(points_[n]);
      put({tag(hashed), static_cast<int>(n)}, hashed);
    }
  }

  std::vector<Point> points_;
  std::vector<Slot> slots_;
};

/// Small numbers by a mode and what may come with it; kNone where nothing was found yet. The first kNear of what comes
/// with a mode lie beside each other, so that they stay in the cache.
template <std::size_t kNear>
class Memo {
 public:
  static constexpr int kNone = -1;

  int find(std::size_t mode, std::uint64_t with) const {
    if (with < kNear) return mode < near_.size() ? near_[mode][static_cast<std::size_t>(with)] : kNone;
    const auto at = far_.find({mode, with});
    return at == far_.end() ? kNone : at->second;
  }
  void insert(std::size_t mode, std::uint64_t with, int number) {
    if (with >= kNear) {
      far_[{mode, with}] = number;
      return;
    }
    if (near_.empty()) near_.reserve(kFirstModes);
    while (near_.size() <= mode) near_.emplace_back().fill(kNone);
    near_[mode][static_cast<std::size_t>(with)] = number;
  }

 private:
  static constexpr std::size_t kFirstModes = 16;

  std::vector<std::array<int, kNear>> near_;
  std::map<std::pair<std::size_t, std::uint64_t>, int> far_;
};

/// A bit for each face that dice of the pool have.
std::uint64_t faces_in(Pool pool) {
  static_assert(kCountBits == 5 && kMaxFaces == 6);
  constexpr std::uint64_t kFirsts = 0x2108421, kPairs = 0x300c03;
  std::uint64_t bits = pool.unmarked().bits();
  bits |= bits >> 1;
  bits |= bits >> 2 | bits >> 3;  // of each field the lowest bit tells whether there is any
  bits &= kFirsts;
  bits = (bits | bits >> 4) & kPairs;
  return (bits | bits >> 8 | bits >> 16) & 0x3f;
}

class PartBuilder {
 public:
  PartBuilder(const Plan& plan, std::size_t index, const Part& part, Graph known, double edges_left)
      : plan_(plan),
        attack_(plan.attacks[index]),
        part_(part),
        tie_{{plan, attack_, false}, {plan, attack_, true}},
        graph_(std::move(known)),
        writer_(graph_, edges_left) {
    for (const Effect& effect : attack_.effects) effects_.push_back(deeds_of(effect));
    for (int n = 0; n < static_cast<int>(graph_.positions.size()); ++n) {
      const Point point = point_of(graph_.positions[n]);
      points_.insert(point, Points::hash(point));
    }
    ends_ = static_cast<int>(std::count_if(graph_.nodes.begin(), graph_.nodes.end(),
                                           [](const Node& node) { return node.kind == Node::Kind::End; }));
    graph_.start.clear();
    constexpr std::size_t kFirst = 32;  // most parts are small
    modes_.reserve(kFirst);
    rules_.reserve(kFirst);
  }

  Graph build(const PositionTable& starts) {
    for (int s = 0; s < static_cast<int>(starts.size()); ++s) graph_.start.push_back(visit(point_of(starts[s])));
    graph_.positions.reserve(graph_.nodes.size());
    for (auto n = static_cast<int>(graph_.positions.size()); n < static_cast<int>(graph_.nodes.size()); ++n)
      graph_.positions.insert(position(points_[n]));
    return std::move(graph_);
  }

 private:
  /// What an effect does, as far as it is the same whatever the dice are.
  struct Deeds {
    bool plain = false;  ///< what it makes of the mode does not depend on the dice, but for how many are picked up
    const Operation* choice = nullptr;  ///< plain: the only operation on dice, if it is one in which they are chosen
  };

  /// What is known of a mode besides the position without dice that it is.
  struct Mode {
    bool window = false;   ///< a player decides here, if there are options
    bool over = false;     ///< the part ends here
    bool resumes = false;  ///< an effect waits for dice that are rolled
    bool interrupted = false;
    std::uint8_t step = 0;
    int open = -1;                       ///< number in open_; -1: not yet asked
    std::array<std::uint64_t, 2> tie{};  ///< by role: key without dice
  };

  Deeds deeds_of(const Effect& effect) const {
    using Kind = Operation::Kind;
    Deeds out;
    int on_dice = 0;
    out.plain = effect.jump < 0;
    for (const Operation& operation : effect.operations) {
      const bool dice = rules::needs_dice(operation) || operation.kind == Kind::Add;
      out.plain = out.plain && operation.amount.empty() &&
                  (dice || operation.kind == Kind::Gain || operation.kind == Kind::Lose);
      on_dice += dice ? 1 : 0;
    }
    if (on_dice == 1 && out.plain) out.choice = rules::choosing(effect);
    return out;
  }

  std::size_t mode_of(Position rest) {
    rest.attack_pool = rest.defense_pool = Pool();
    const auto number = static_cast<std::size_t>(rests_.number(rest));
    if (number == modes_.size()) {
      Mode mode;
      mode.interrupted = rules::interrupted(rest);
      mode.resumes = rest.resume > 0;
      mode.step = rest.step;
      const bool waits = mode.interrupted || mode.resumes;
      mode.over = !waits && rest.step >= part_.until;
      mode.window = !waits && !mode.over && attack_.steps[rest.step].kind == Step::Kind::Window;
      for (const bool attacks : {false, true}) mode.tie[attacks] = tie_[attacks](rest);
      modes_.push_back(mode);
    }
    return number;
  }
  const Position& rest(std::size_t mode) const { return rests_[static_cast<int>(mode)]; }
  Point point_of(const Position& position) { return {mode_of(position), position.attack_pool, position.defense_pool}; }
  Position position(const Point& point) const {
    Position out = rest(point.mode);
    out.attack_pool = point.attack;
    out.defense_pool = point.defense;
    return out;
  }

  /// How points of a mode that have dice with the same faces are merged.
  struct Rule {
    std::size_t mode = 0;  ///< afterwards
    StateMerging::Rule pools;
  };

  void merge(Point& point) {
    if (modes_[point.mode].resumes) {
      Position whole = position(point);
      part_.merging->merge(plan_, attack_, whole);
      point = point_of(whole);
      return;
    }
    const std::uint64_t faces =
        faces_in(point.attack) | (point.defense == Pool() ? 0 : faces_in(point.defense) << kMaxFaces);
    int known = merges_.find(point.mode, faces);
    if (known == merges_.kNone) {
      const StateMerging::Rule pools = part_.merging->rule(attack_, position(point));
      Position after = rest(point.mode);
      after.used = pools.used;
      known = static_cast<int>(rules_.size());
      rules_.push_back({mode_of(after), pools});
      merges_.insert(point.mode, faces, known);
    }
    const Rule& rule = rules_[static_cast<std::size_t>(known)];
    point.mode = rule.mode;
    if (point.attack != Pool()) point.attack = part_.merging->merged(rule.pools, true, point.attack);
    if (point.defense != Pool()) point.defense = part_.merging->merged(rule.pools, false, point.defense);
  }

  /// A point as it is looked up.
  struct Sought {
    Point point;
    Points::Hash hashed = 0;
  };

  Sought sought(Point point) {
    merge(point);
    if (modes_[point.mode].over) forget(point);
    const Points::Hash hashed = Points::hash(point);
    points_.prepare(hashed);
    return {point, hashed};
  }

  void forget(Point& point) const {
    Position whole = position(point);
    part_.forget(whole);
    point.attack = whole.attack_pool;
    point.defense = whole.defense_pool;
  }

  int visit(const Point& point) { return visit(sought(point)); }

  int visit(const Sought& sought) {
    const int met = points_.find(sought.point, sought.hashed);
    if (met != Points::kNone) return met;
    const Point& point = sought.point;
    if (modes_[point.mode].over) {
      graph_.nodes.push_back({.first = ends_++});
      return points_.insert(point, sought.hashed);
    }
    if (modes_[point.mode].window) {
      std::vector<Option> options = options_.take();
      list_options(point, options);
      const bool some = options.front().effect >= 0 || options.size() > 1;
      if (some) graph_.nodes.push_back(decide(point, options));
      options_.give_back(std::move(options));
      if (some) return points_.insert(point, sought.hashed);
    }
    Position whole = position(point);
    const rules::Need need = rules::advance(plan_, attack_, whole, part_.until);
    Sought here = sought;
    if (need == rules::Need::Finished || !rules::same(whole, position(point))) {
      here.point = point_of(whole);
      merge(here.point);
      if (need == rules::Need::Finished) forget(here.point);
      here.hashed = Points::hash(here.point);
      const int known = points_.find(here.point, here.hashed);
      if (known != Points::kNone) return known;
    }
    graph_.nodes.push_back(node(here.point, need));
    return points_.insert(here.point, here.hashed);
  }

  Node node(const Point& point, rules::Need need) {
    switch (need) {
      case rules::Need::Decision: {
        std::vector<Option> options = options_.take();
        list_options(point, options);
        const Node out = decide(point, options);
        options_.give_back(std::move(options));
        return out;
      }
      case rules::Need::AttackRoll:
        return roll(point, plan_.attack_die, 1);
      case rules::Need::DefenseRoll:
        return roll(point, plan_.defense_die, 2);
      case rules::Need::Reroll:
        return reroll(point);
      case rules::Need::Draw:
        throw std::logic_error("damage cards are dealt in a part of an attack");
      case rules::Need::Finished:
        break;
    }
    return {.first = ends_++};
  }

  void list_options(const Point& point, std::vector<Option>& options) {
    if (modes_[point.mode].open < 0) {
      modes_[point.mode].open = static_cast<int>(open_.size());
      rules::open_effects(plan_, attack_, rest(point.mode), open_.emplace_back());
    }
    rules::legal_options(plan_, attack_, position(point), open_[static_cast<std::size_t>(modes_[point.mode].open)],
                         options);
  }

  Node decide(const Point& point, const std::vector<Option>& options) {
    const auto step = modes_[point.mode].step;
    const bool attacks = attack_.steps[step].attacker_decides;
    std::vector<Next> nexts = nexts_.take();
    for (const Option& option : options) {  // all are looked for before one is followed: memory takes its time
      const Point after = take(point, option);
      nexts.push_back({sought(after), tie(after, attacks), modes_[after.mode].interrupted});
    }
    for (const Next& next : nexts) points_.prepare_point(next.sought.hashed);
    for (Next& next : nexts) next.target = visit(next.sought);
    const Node out = writer_.decision(options.size(), attacks);
    for (std::size_t i = 0; i < options.size(); ++i) {
      const int target = nexts[i].target;
      const bool same = graph_.nodes[static_cast<std::size_t>(target)].kind == Node::Kind::Decision &&
                        modes_[points_[target].mode].step == step && !nexts[i].interrupted;
      graph_.decision_edges.push_back({target, options[i], nexts[i].tie, same, -1});
    }
    nexts_.give_back(std::move(nexts));
    return out;
  }

  /// Where an option leads.
  struct Next {
    Sought sought;
    std::uint64_t tie = 0;
    bool interrupted = false;
    int target = -1;
  };

  /// Critical hits are the only dice that count in the rule for ties (TieKey): more for the attacker, fewer for the
  /// defender.
  std::uint64_t tie(const Point& point, bool attacks) const {
    const int crit = plan_.attack_die.crit;
    const auto crits = static_cast<std::uint64_t>(crit < 0 ? 0 : point.attack.count(crit));
    const std::uint64_t key = modes_[point.mode].tie[attacks];
    return attacks ? key + crits : key - crits;
  }

  Point take(const Point& point, const Option& option) {
    if (option.effect >= 0 && !effects_[static_cast<std::size_t>(option.effect)].plain)
      return point_of(rules::take(plan_, attack_, position(point), option));
    const Operation* choice = option.effect < 0 ? nullptr : effects_[static_cast<std::size_t>(option.effect)].choice;
    const bool picks_up = choice != nullptr && choice->kind == Operation::Kind::Reroll;
    // The usual reroll is of one die: its number is nearest.
    const std::uint64_t picked_up = picks_up ? static_cast<std::uint64_t>(rules::dice_in(option.dice)) ^ 1u : 0;
    const std::uint64_t with = static_cast<std::uint64_t>(option.effect + 1) | picked_up << 16;
    const int known = takes_.find(point.mode, with);
    Point out = point;
    if (known != takes_.kNone && (option.effect < 0 || choice != nullptr)) {
      out.mode = static_cast<std::size_t>(known);
      if (choice != nullptr)
        out.pool(choice->attack_dice) = rules::after_choice(*choice, out.pool(choice->attack_dice), option.dice);
      return out;
    }
    const Position after = rules::take(plan_, attack_, position(point), option);
    out.mode = known == takes_.kNone ? mode_of(after) : static_cast<std::size_t>(known);
    if (known == takes_.kNone) takes_.insert(point.mode, with, static_cast<int>(out.mode));
    out.attack = after.attack_pool;
    out.defense = after.defense_pool;
    return out;
  }

  Node roll(const Point& point, const Die& die, std::uint8_t which) {
    const Position before = position(point);
    const int dice = rules::roll_size(before);
    std::vector<ChanceEdge> edges = chances_.take();
    for (const RollOutcome& outcome : writer_.outcomes(die, dice, which))
      edges.push_back({visit(point_of(rules::after_roll(attack_, before, outcome.pool))), outcome.probability});
    const Node out = writer_.chance(edges, which, dice);
    chances_.give_back(std::move(edges));
    return out;
  }

  Node reroll(const Point& point) {
    const Position& before = rest(point.mode);
    const bool attack_dice = before.pending_attack;
    const Die& die = attack_dice ? plan_.attack_die : plan_.defense_die;
    const bool aside = before.pending_side;
    const std::size_t after = aside ? 0 : mode_of(rules::after_reroll(before, 0));
    std::array<ChanceEdge, kMaxFaces> edges{};
    for (int face = 0; face < die.faces; ++face) {
      Point to{after, point.attack, point.defense};
      if (aside) {
        to = point_of(rules::after_reroll(position(point), face));
      } else {
        to.pool(attack_dice).add(face, true, 1);
      }
      edges[static_cast<std::size_t>(face)] = {
          visit(to), static_cast<double>(die.sides_of_face[static_cast<std::size_t>(face)]) / die.sides};
    }
    return writer_.chance({edges.data(), static_cast<std::size_t>(die.faces)}, 0, 0);
  }

  const Plan& plan_;
  const AttackPlan& attack_;
  const Part& part_;
  TieKey tie_[2];
  Graph graph_;
  GraphWriter writer_;
  int ends_ = 0;
  Points points_;        ///< of the nodes
  PositionTable rests_;  ///< by mode: the position without dice
  std::vector<Mode> modes_;
  std::vector<Deeds> effects_;
  std::vector<std::vector<rules::OpenEffect>> open_;
  Memo<std::size_t{1} << kMaxFaces> merges_;  ///< by mode and the faces that are there: number in rules_
  std::vector<Rule> rules_;
  Memo<16> takes_;  ///< by mode, option and the number of its dice: the mode afterwards
  SpareLists<Option> options_;
  SpareLists<Next> nexts_;
  SpareLists<ChanceEdge> chances_;
};

}  // namespace

Graph build_part(const Plan& plan, std::size_t index, const PositionTable& starts, const Part& part, Graph known,
                 double edges_left) {
  return PartBuilder(plan, index, part, std::move(known), edges_left).build(starts);
}

}  // namespace salvo::exact
