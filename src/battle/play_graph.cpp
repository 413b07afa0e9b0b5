#include "battle/play_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/bit_cast.h"
#include "base/index.h"
#include "base/text.h"
#include "battle/chance_enumerator.h"

namespace salvo::battle {
namespace {

/// Rows one after the other.
class Rows {
 public:
  void begin() { begin_.push_back(words_.size()); }
  void add(std::uint32_t word) { words_.push_back(word); }
  void add(double number) {
    const auto bits = base::bit_cast<std::uint64_t>(number);
    add(static_cast<std::uint32_t>(bits));
    add(static_cast<std::uint32_t>(bits >> 32));
  }
  std::size_t size() const { return begin_.size(); }
  std::span<std::uint32_t> operator[](std::size_t i) {
    const std::size_t end = i + 1 < begin_.size() ? begin_[i + 1] : words_.size();
    return std::span(words_).subspan(begin_[i], end - begin_[i]);
  }
  std::span<std::uint32_t> last() { return (*this)[size() - 1]; }
  void clear() {
    words_.clear();
    begin_.clear();
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begin_;
};

// Of solving the play, in evaluations of an edge of an attack.
constexpr double kTransitionWork = 80;  // of a transition that is explored
constexpr double kAttackWork = 40;      // of a transition in an attack that is solved
constexpr double kPositionWork = 5;     // of a word of a position

constexpr double kEnoughStates = 8;    // that are followed before others are expected to be like them
constexpr std::uint32_t kNear = 1024;  // numbers of one round are this close to one another

std::uint32_t word_of(int value) { return static_cast<std::uint32_t>(value); }

}  // namespace

/// Follows a battle round by round, position by position as the rules tell them apart, and merges those of a round from
/// its last layer to the first.
/// One class although it is long: every step reads and extends the same layers.
class PlayGraph::Explorer {
 public:
  Explorer(PlayGraph& graph, const PlayBudget& budget)
      : game_(graph.game_), graph_(graph), budget_(budget), evaluations_(game_.evaluations()) {
    for (std::size_t l = 0; l < graph.layers_.size(); ++l) known_.emplace_back(game_);
  }

  void follow() {
    number(game_.start());
    for (std::size_t state = 0; state < graph_.states_.size(); ++state) {
      std::vector<Transition>& begins = graph_.begins_.emplace_back();
      if (game_.one_side_gone(graph_.states_[state])) continue;
      begins = placements(graph_.states_[state]);
      for (std::size_t l = 0; l < known_.size(); ++l) explore(l);
      for (std::size_t l = known_.size(); l-- > 0;) merge(l);
      look_ahead(state);
      for (Transition& way : begins) way.next = known_[0].merged_points[way.next];
    }
  }

 private:
  /// A layer as far as it is known.
  struct Known {
    explicit Known(const Game& game) : positions(game), engaged(game) {}
    StateTable positions;
    std::vector<std::uint32_t> merged_points;  ///< by position, once it is merged
    StateTable engaged;                        ///< positions without the geometry that their attacks do not pass on
    base::RowTable attacks;                    ///< engaged, target, weapon, tree
    std::vector<std::uint32_t> merged_attacks;
    Rows new_points, new_attacks;  ///< of this round, not merged yet
  };
  struct ExploredTree {
    bool possible = false;
    std::uint32_t merged = 0;
    std::vector<Outcome> outcomes;
  };

  /// States of one round of the flight with the same ships left.
  struct Alike {
    double least = HUGE_VAL;         ///< transitions that following a state has added
    double followed = 0, known = 0;  ///< states
  };

  /// After a state was followed: gives up if the battle will be too much work, so that one that is far too large costs
  /// a part of the limit only. A state adds less the more of those like it were followed, since they share positions:
  /// the others are expected to add half of the least so far.
  void look_ahead(std::size_t state) {
    for (; seen_ < graph_.states_.size(); ++seen_) {
      if (!game_.one_side_gone(graph_.states_[seen_])) ++alike(seen_).known;
    }
    Alike& these = alike(state);
    ++these.followed;
    these.least = std::min(these.least, graph_.followed_ - followed_before_);
    followed_before_ = graph_.followed_;
    double work = graph_.work_;
    for (const auto& [name, one] : alike_) {
      if (one.followed >= kEnoughStates) work += kTransitionWork * (one.known - one.followed) * one.least / 2;
    }
    if (work > budget_.work) throw_too_much_work(work);
  }
  Alike& alike(std::size_t state) {
    const BattleState now = graph_.states_[state];
    std::uint32_t name = now.round;
    for (int s = 0; s < game_.ships(); ++s) name = 2 * name + (now.ship[at(s)].gone ? 1 : 0);
    return alike_[name];
  }

  [[noreturn]] void throw_too_much_work(double work) const {
    throw PlanTooLarge(fmt::format("solving the play takes more than {} steps",
                                   base::with_separators(static_cast<std::uint64_t>(budget_.work))),
                       work, budget_.work);
  }

  std::uint32_t number(BattleState now) {
    now.round = static_cast<std::uint8_t>(std::min<int>(now.round, graph_.last_flight_round_));
    return static_cast<std::uint32_t>(graph_.states_.number(now));
  }

  void count(std::size_t transitions, double more_work = 0) {
    graph_.followed_ += static_cast<double>(transitions);
    graph_.work_ += kTransitionWork * static_cast<double>(transitions) + more_work;
    if (graph_.work_ > budget_.work) throw_too_much_work(graph_.work_);
    if (graph_.followed_ <= budget_.transitions) return;
    throw PlanTooLarge(
        fmt::format("solving the play takes more than the budget of {} transitions; raise it, or choose a flight with "
                    "fewer cases, such as range-2, ships with fewer tokens and charges, or a policy that is given",
                    base::with_separators(static_cast<std::uint64_t>(budget_.transitions))),
        graph_.followed_, budget_.transitions);
  }

  std::vector<Transition> placements(const BattleState& from) {
    std::map<std::size_t, double> transitions;
    ChanceEnumerator placements(evaluations_);
    while (placements.more()) {
      BattleState one = from;
      game_.place(one, game_.present_ships(one), placements);
      transitions[known_[0].positions.number(one)] += placements.chance();
    }
    count(transitions.size());
    std::vector<Transition> out;
    for (const auto& [next, chance] : transitions) out.push_back({next, chance});
    return out;
  }

  // -------------------------------------------------------------- exploring

  void explore(std::size_t l) {
    Known& layer = known_[l];
    for (std::size_t i = layer.merged_points.size(); i < layer.positions.size(); ++i) expand(l, layer.positions[i]);
  }

  void expand(std::size_t l, const BattleState& now) {
    const auto places = at(game_.ships());
    const int s =
        l < places ? game_.active_at(now, static_cast<int>(l)) : game_.ship_at(now, static_cast<int>(l - places));
    Rows& points = known_[l].new_points;
    points.begin();
    if (!now.ship[at(s)].gone && l < places) return activate(l, now, s, points);
    if (!now.ship[at(s)].gone && attack(l, now, s, points)) return;
    points.add(head(now, s, Head::Kind::Passes));
    BattleState passed_on = now;
    if (l >= places) game_.forget_geometry(passed_on, place_of(l));
    points.add(after(l, passed_on));
  }

  void activate(std::size_t l, const BattleState& now, int s, Rows& points) {
    points.add(head(now, s, Head::Kind::Activates));
    for (Game::Maneuver& maneuver : game_.maneuvers(now, s)) {
      std::vector<Action> actions = game_.actions(maneuver, s, evaluations_);
      int given = -1;
      if (graph_.by_policy(game_.ship(s).mine)) {
        const Action action = graph_.asked_->actions(maneuver, s, evaluations_).front();
        base::add_once(actions, action);  // a policy may do nothing where that is never better
        given = static_cast<int>(std::find(actions.begin(), actions.end(), action) - actions.begin());
      }
      points.add(maneuver.chance);
      points.add(static_cast<std::uint32_t>(actions.size()) | word_of(given + 1) << 16);
      for (const Action& action : actions) points.add(word_of(action.option + 1) << 8 | word_of(action.target + 1));
      const ShipState before = maneuver.now.ship[at(s)];
      for (const Action& action : actions) {
        game_.take_action(maneuver.now, s, action);
        points.add(after(l, maneuver.now));
        maneuver.now.ship[at(s)] = before;
      }
      count(actions.size());
    }
  }

  /// Whether the ship can attack.
  bool attack(std::size_t l, const BattleState& now, int s, Rows& points) {
    Known& layer = known_[l];
    BattleState passed_on = now;
    game_.forget_geometry(passed_on, place_of(l));
    const bool mine = game_.ship(s).mine;
    const ChosenAttack policy =
        graph_.by_policy(mine) ? graph_.asked_->choose_attack(now, s, &evaluations_) : ChosenAttack();
    int options = 0, given = -1;
    for (const ChosenAttack& choice : game_.attacks(now, s, evaluations_)) {
      const ExploredTree& tree = tree_of(choice.key, mine);
      if (!tree.possible) continue;
      if (options == 0) points.add(head(now, s, Head::Kind::Attacks));
      if (choice.target == policy.target && choice.key.weapon == policy.key.weapon) given = options;
      ++options;
      const std::array name{static_cast<std::uint32_t>(layer.engaged.number(passed_on)), word_of(choice.target),
                            word_of(choice.key.weapon), tree.merged};
      const std::size_t known = layer.attacks.size();
      const std::uint32_t attack = layer.attacks.number(name, name[0] / kNear);
      points.add(attack);
      if (attack == known) add_attack(l, passed_on, s, choice, tree);
    }
    if (options > 0) points.last()[0] |= word_of(given + 1) << 25;
    return options > 0;
  }

  void add_attack(std::size_t l, const BattleState& now, int s, const ChosenAttack& choice, const ExploredTree& tree) {
    Rows& attacks = known_[l].new_attacks;
    attacks.begin();
    attacks.add(head(now, s, Head::Kind::Attacks));
    attacks.add(word_of(choice.target) | word_of(choice.key.weapon) << 8 | std::uint32_t{now.ship[at(s)].health} << 16 |
                std::uint32_t{now.ship[at(choice.target)].health} << 24);
    attacks.add(tree.merged);
    BattleState after_attack = now;
    for (const Outcome& outcome : tree.outcomes) {
      for (const int ship : {s, choice.target}) after_attack.ship[at(ship)] = now.ship[at(ship)];
      game_.resolve(after_attack, s, choice.target, outcome);
      attacks.add(after(l, after_attack));
    }
    count(tree.outcomes.size());
  }

  std::uint32_t head(const BattleState& now, int s, Head::Kind kind) const {
    std::uint32_t health = 0;
    for (int i = 0; i < game_.ships(); ++i) health += now.ship[at(i)].health;
    return static_cast<std::uint32_t>(kind) | std::uint32_t{now.round} << 2 | word_of(s) << 9 | health << 14;
  }

  int place_of(std::size_t l) const { return static_cast<int>(l) - game_.ships(); }

  /// The position that follows one of layer l: in the next layer, or a state.
  std::uint32_t after(std::size_t l, const BattleState& now) {
    const int place = place_of(l);
    const bool last = l + 1 == known_.size();
    // A ship that engages has forgotten geometry already. What is left changes where ships are removed.
    if (!last && (place < 0 || !game_.any_dying(now)))
      return static_cast<std::uint32_t>(known_[l + 1].positions.number(now));
    BattleState next = now;
    game_.leave(next, place);
    game_.forget_geometry(next, place);
    if (!last) return static_cast<std::uint32_t>(known_[l + 1].positions.number(next));
    game_.end(next);
    return number(next);
  }

  // -------------------------------------------------------------- merging

  void merge(std::size_t l) {
    Known& layer = known_[l];
    Layer& out = graph_.layers_[l];
    const auto follow = [&](std::uint32_t& next) {
      if (l + 1 < known_.size()) next = known_[l + 1].merged_points[next];
    };
    for (std::size_t i = 0; i < layer.new_attacks.size(); ++i) {
      const auto row = layer.new_attacks[i];
      std::for_each(row.begin() + 3, row.end(), follow);
      layer.merged_attacks.push_back(
          number(row, out.attacks, static_cast<double>(graph_.trees_[row[2]].tree.edges.size())));
    }
    for (std::size_t i = 0; i < layer.new_points.size(); ++i) {
      const auto row = layer.new_points[i];
      const Head::Kind kind = head_of(row).kind;
      if (kind == Head::Kind::Passes) follow(row[1]);
      if (kind == Head::Kind::Attacks) {
        for (std::uint32_t& attack : row.subspan(1)) attack = layer.merged_attacks[attack];
      }
      for (auto rest = row.subspan(1); kind == Head::Kind::Activates && !rest.empty();) {
        const std::size_t n = actions_in(rest[2]);
        const auto next = rest.subspan(3 + n, n);
        std::for_each(next.begin(), next.end(), follow);
        rest = rest.subspan(3 + 2 * n);
      }
      layer.merged_points.push_back(number(row, out.points, kPositionWork * static_cast<double>(row.size())));
    }
    layer.new_attacks.clear();
    layer.new_points.clear();
  }

  /// Numbers a row, and counts `work` for each round in which it is evaluated.
  std::uint32_t number(std::span<const std::uint32_t> row, base::RowTable& table, double work) {
    const std::size_t known = table.size();
    const std::uint32_t out = table.number(row, row[0] + row.back() / kNear);
    const int last = graph_.last_flight_round_;
    const int rounds = head_of(row).flight_round < last ? 1 : std::max(game_.question().rounds - last, 1);
    if (out == known) count(0, work * rounds);
    return out;
  }

  // -------------------------------------------------------------- trees

  /// `mine`: my ship attacks.
  const ExploredTree& tree_of(const AttackKey& key, bool mine) {
    const auto name = std::tuple(key.attacker, key.defender, key.weapon, key.shot, key.attacker_state,
                                 key.defender_state, key.lock, key.keeps_lock, mine);
    const auto [place, added] = trees_.try_emplace(name);
    ExploredTree& out = place->second;
    if (!added) return out;
    const Deciders deciders{game_.solved(mine), game_.solved(!mine), graph_.by_policy(true) || graph_.by_policy(false)};
    const double most = std::min(budget_.attack, budget_.work / kAttackWork);
    AttackTree tree = attack_tree(game_.tables(), key, deciders, most);
    count(0, kAttackWork * static_cast<double>(tree.transitions));
    out.possible = tree.possible;
    if (!out.possible) return out;
    out.outcomes = tree.outcomes;
    out.merged = merged_trees_.number(words_of(tree, key));
    if (out.merged == graph_.trees_.size()) graph_.trees_.push_back({std::move(tree), key});
    return out;
  }

  /// Equal for attacks with the same decisions, chances, damage and tokens spent.
  std::vector<std::uint32_t> words_of(const AttackTree& tree, const AttackKey& key) const {
    Rows out;
    out.begin();
    for (const int word : {key.attacker, key.defender, key.lock ? 1 : 0}) out.add(word_of(word));
    out.add(static_cast<std::uint32_t>(tree.nodes.size()));
    out.add(static_cast<std::uint32_t>(tree.edges.size()));
    for (const AttackTree::Node& node : tree.nodes) {
      for (const int word : {static_cast<int>(node.kind), node.first, node.count, node.greedy}) out.add(word_of(word));
    }
    for (const AttackTree::Edge& edge : tree.edges) {
      out.add(word_of(edge.target));
      out.add(edge.chance);
    }
    const auto add_spent = [&](int type, int before, int after) {
      const Counts &had = game_.tables().states().counts(type, before),
                   &has = game_.tables().states().counts(type, after);
      for (std::size_t i = 0; i < had.size(); ++i) out.add(word_of(had[i] - has[i]));
    };
    for (const Outcome& outcome : tree.outcomes) {
      for (const int word : {int{outcome.damage}, int{outcome.own_damage}, outcome.lock ? 1 : 0})
        out.add(word_of(word));
      add_spent(key.attacker, key.attacker_state, outcome.attacker);
      add_spent(key.defender, key.defender_state, outcome.defender);
    }
    const auto row = out[0];
    return {row.begin(), row.end()};
  }

  const Game& game_;
  PlayGraph& graph_;
  PlayBudget budget_;
  EvaluationTables evaluations_;
  std::vector<Known> known_;  ///< by layer
  std::map<std::tuple<int, int, int, int, int, int, bool, bool, bool>, ExploredTree> trees_;
  base::RowTable merged_trees_;
  std::map<std::uint32_t, Alike> alike_;
  std::size_t seen_ = 0;        ///< states that alike_ counts
  double followed_before_ = 0;  ///< transitions before the last state followed
};

PlayGraph::PlayGraph(const Game& game, const PlayBudget& budget, const Game* asked)
    : game_(game),
      asked_(asked),
      states_(game),
      last_flight_round_(static_cast<int>(game.flight_rounds().size()) - 1),
      layers_(at(2 * game.ships())) {
  Explorer(*this, budget).follow();
}

bool PlayGraph::settled(std::size_t state) const {
  const BattleState now = states_[state];
  return game_.one_side_gone(now) || game_.stalemate(now);
}

PlayGraph::Attack PlayGraph::attack(std::size_t l, std::size_t i) const {
  const auto row = layers_[l].attacks[i];
  const auto byte = [&](int shift) { return static_cast<int>(row[1] >> shift & 255); };
  return {head_of(row).ship, byte(0), byte(8), byte(16), byte(24), row[2], row.subspan(3)};
}

BattleState PlayGraph::before(const Attack& attack) const {
  const AttackKey& key = trees_[attack.tree].key;
  BattleState out;
  const auto set = [&](int s, int health, int state) {
    out.ship[at(s)].health = static_cast<std::uint8_t>(health);
    out.ship[at(s)].state = static_cast<std::uint16_t>(state);
  };
  set(attack.ship, attack.health, key.attacker_state);
  set(attack.target, attack.target_health, key.defender_state);
  out.ship[at(attack.ship)].lock = static_cast<std::int8_t>(key.lock ? attack.target : -1);
  return out;
}

}  // namespace salvo::battle
