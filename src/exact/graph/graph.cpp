#include "exact/graph/graph.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/index.h"
#include "exact/graph/graph_writer.h"

namespace salvo::exact {
namespace {

/// Builds a graph depth first, so that children have smaller numbers than their parents.
class GraphBuilder {
 public:
  GraphBuilder(const game::Plan& plan, std::size_t index, States* next, double edges_left, bool whole_plays)
      : plan_(plan),
        attack_(plan.attacks[index]),
        next_(next),
        whole_{whole_plays || plan.defender_policy == game::PolicyKind::Rules,
               whole_plays || plan.attacker_policy == game::PolicyKind::Rules},
        tie_{{plan, attack_, false}, {plan, attack_, true}},
        writer_(graph_, edges_left) {
    if (index + 1 < plan.attacks.size()) next_mask_ = plan.attacks[index + 1].readable;
  }

  Graph build(const States& states) {
    for (int s = 0; s < static_cast<int>(states.size()); ++s) {
      const bool happens = game::attack_happens(plan_, attack_, states[s]);
      graph_.start.push_back(happens ? visit(game::begin_attack(plan_, attack_, states[s])) : -1);
      graph_.skipped_to.push_back(happens ? -1 : next_state(states[s]));
    }
    return std::move(graph_);
  }

  Graph build_from(const game::Position& position) {
    graph_.start.push_back(visit(position));
    graph_.skipped_to.push_back(-1);
    return std::move(graph_);
  }

 private:
  int next_state(const game::Resources& resources) {
    return next_->number(game::end_attack(plan_, attack_, resources).masked(next_mask_));
  }

  int visit(game::Position position) {
    // Most positions were reached before; look them up before playing on.
    game::canonicalize(plan_, attack_, position);
    std::uint64_t hashed = game::hash(position);
    const int met = graph_.positions.find(position, hashed);
    if (met != PositionTable::kNone) return met;
    const game::Position before = position;
    const game::NextEvent event = game::advance(plan_, attack_, position);
    if (event == game::NextEvent::Finished || !game::same(position, before)) {
      game::canonicalize(plan_, attack_, position);
      hashed = game::hash(position);
      const int known = graph_.positions.find(position, hashed);
      if (known != PositionTable::kNone) return known;
    }
    Node node;
    switch (event) {
      case game::NextEvent::Decision:
        node = decide(position);
        break;
      case game::NextEvent::AttackRoll:
        node = roll(position, plan_.attack_die, 1);
        break;
      case game::NextEvent::DefenseRoll:
        node = roll(position, plan_.defense_die, 2);
        break;
      case game::NextEvent::Reroll:
        node = reroll(position);
        break;
      case game::NextEvent::Draw:
        node = writer_.draw(plan_, attack_, position, [&](const game::Position& after) { return visit(after); });
        break;
      case game::NextEvent::Finished:
        node.first = next_state(position.resources);
        break;
    }
    graph_.nodes.push_back(node);
    return graph_.positions.insert(position, hashed);
  }

  Node decide(const game::Position& position) {
    const game::Step& step = attack_.steps[position.step];
    if (whole_[step.attacker_decides]) return decide_whole(position, step.attacker_decides);
    std::vector<game::Option> options = options_.take();
    game::legal_options(plan_, attack_, position, options);
    std::vector<DecisionEdge> edges = edges_.take();
    for (const game::Option& option : options) {
      const game::Position after = game::take(plan_, attack_, position, option);
      const int target = visit(after);
      const bool same = base::nth(graph_.nodes, target).kind == Node::Kind::Decision &&
                        graph_.positions[target].step == position.step && !game::interrupted(after);
      edges.push_back({target, option, tie_[step.attacker_decides](after), same, -1});
    }
    options_.give_back(std::move(options));
    const Node node = writer_.decision(edges, step.attacker_decides);
    edges_.give_back(std::move(edges));
    return node;
  }

  /// A sequence of options and the position after it.
  struct Play {
    game::Position after;
    std::vector<game::Option> options;
  };

  /// All whole plays that lead to different positions. A play ends when dice are rolled, cards are dealt, the other
  /// player answers, or the step ends.
  std::vector<Play> whole_plays(const game::Position& position) {
    std::vector<Play> finished;
    std::vector<Play> open{{position, {}}};
    PositionTable seen;
    seen.insert(position);
    std::vector<game::Option> options;
    for (std::size_t i = 0; i < open.size(); ++i) {
      game::legal_options(plan_, attack_, open[i].after, options);
      for (const game::Option& option : options) {
        Play play{game::take(plan_, attack_, open[i].after, option), open[i].options};
        play.options.push_back(option);
        const bool ends = option.effect < 0 || game::interrupted(play.after) || play.after.step != position.step;
        if (!ends && seen.find(play.after) != PositionTable::kNone) continue;
        if (!ends) seen.insert(play.after);
        const bool more = !ends && game::has_options(plan_, attack_, play.after);
        (more ? open : finished).push_back(std::move(play));
      }
    }
    put_least_first(position, finished);
    return finished;
  }

  /// Moves the play of a player who does only what is forced to the front: always the first of legal_options.
  void put_least_first(const game::Position& position, std::vector<Play>& plays) {
    std::vector<game::Option> options;
    game::Position after = position;
    do {
      game::legal_options(plan_, attack_, after, options);
      after = game::take(plan_, attack_, after, options.front());
    } while (options.front().effect >= 0 && !game::interrupted(after) && after.step == position.step &&
             game::has_options(plan_, attack_, after));
    std::stable_partition(plays.begin(), plays.end(), [&](const Play& play) { return play.after == after; });
  }

  Node decide_whole(const game::Position& position, bool attacker_decides) {
    std::vector<DecisionEdge> edges;
    for (const Play& play : whole_plays(position)) {
      const int target = visit(play.after);
      const std::uint64_t tie = tie_[attacker_decides](play.after);
      const bool known = std::any_of(edges.begin(), edges.end(), [&](const DecisionEdge& edge) {
        return edge.target == target && edge.tie == tie;  // the same dice, picked up in another order
      });
      if (known) continue;
      edges.push_back({target, play.options.front(), tie, false, static_cast<int>(graph_.play_begin.size()) - 1});
      graph_.play_options.insert(graph_.play_options.end(), play.options.begin(), play.options.end());
      graph_.play_begin.push_back(static_cast<int>(graph_.play_options.size()));
    }
    return writer_.decision(edges, attacker_decides);
  }

  Node roll(const game::Position& position, const game::Die& die, std::uint8_t which) {
    const int dice = game::roll_size(position);
    std::vector<ChanceEdge> edges;
    for (const RollOutcome& outcome : writer_.outcomes(die, dice, which)) {
      edges.push_back({visit(game::after_roll(attack_, position, outcome.pool)), outcome.probability});
    }
    return writer_.chance(edges, which, dice);
  }

  Node reroll(const game::Position& position) {
    const game::Die& die = position.pending_attack ? plan_.attack_die : plan_.defense_die;
    std::array<ChanceEdge, base::kMaxFaces> edges{};
    for (int face = 0; face < die.faces; ++face) {
      base::nth(edges, face) = {visit(game::after_reroll(position, face)),
                                static_cast<double>(base::nth(die.sides_of_face, face)) / die.sides};
    }
    return writer_.chance({edges.data(), static_cast<std::size_t>(die.faces)}, 0, 0);
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  States* next_;
  game::Resources next_mask_;
  bool whole_[2];  ///< by role, 0 defender, 1 attacker
  TieKey tie_[2];
  Graph graph_;
  GraphWriter<Graph> writer_;
  SpareLists<game::Option> options_;
  SpareLists<DecisionEdge> edges_;
};

void add_outcomes(const game::Die& die, int face, int left, game::Pool pool, double weight, double total,
                  std::vector<RollOutcome>& out) {
  if (face == die.faces - 1) {
    for (int k = 0; k < left; ++k) weight *= base::nth(die.sides_of_face, face);
    pool.add(face, false, left);
    out.push_back({pool, weight / total});
    return;
  }
  double power = weight;
  double choose = 1;
  for (int k = 0; k <= left; ++k) {
    game::Pool with = pool;
    with.add(face, false, k);
    add_outcomes(die, face + 1, left - k, with, power * choose, total, out);
    power *= base::nth(die.sides_of_face, face);
    choose = choose * (left - k) / (k + 1);
  }
}

}  // namespace

int States::number(const game::Resources& resources) {
  game::Position key;
  key.resources = resources;
  const int out = table_.number(key);
  if (table_.size() > list_.size()) list_.push_back(resources);
  return out;
}

std::vector<RollOutcome> roll_outcomes(const game::Die& die, int n) {
  std::vector<RollOutcome> out;
  // Weights are integers below 2^53 for up to 17 eight-sided dice, so that only the division rounds.
  add_outcomes(die, 0, n, game::Pool(), 1.0, std::pow(die.sides, n), out);
  return out;
}

namespace {

// Fields of a tie key: 10 bits for all tokens, 7 for each kind, 5 for rerolled dice, 2 for damage, 5 for critical hits.
constexpr int kAllBits = 10, kRankBits = 7, kDiceBits = 5, kDamageBits = 2, kCritBits = 5;
constexpr int kMaxTokens = (1 << kAllBits) - 1, kMaxOfRank = (1 << kRankBits) - 1, kMaxDice = (1 << kDiceBits) - 1;
constexpr int kMaxDamage = (1 << kDamageBits) - 1;
constexpr int kTokensShift = kDiceBits + kDamageBits + kCritBits;
static_assert(base::kMaxPool <= kMaxDice && kAllBits + kRankBits * game::kSpendRanks + kTokensShift <= 64);
constexpr int kAllShift = kTokensShift + kRankBits * game::kSpendRanks;

int rank_shift(std::size_t rank) { return kTokensShift + kRankBits * (game::kSpendRanks - 1 - static_cast<int>(rank)); }

/// The fields of the kinds of tokens when there are none.
constexpr std::uint64_t kNoTokens = ((std::uint64_t{1} << kRankBits * game::kSpendRanks) - 1) << kTokensShift;

}  // namespace

TieKey::TieKey(const game::Plan& plan, const game::AttackPlan& attack, bool attacks)
    : attacks_(attacks), crit_(plan.attack_die.crit) {
  const bool side = base::nth(plan.ships, attacks ? attack.attacker : attack.defender).mine;
  std::array<int, game::kSpendRanks> most{};
  for (const game::Resource& r : plan.resources) {
    if (r.rank == game::SpendRank::None || !r.dynamic || base::nth(plan.ships, r.ship).mine != side) continue;
    if ((base::nth(attack.reads.words, r.word) >> r.shift & r.mask) == 0) continue;
    const auto rank = static_cast<std::size_t>(r.rank);
    const std::uint64_t weight = (std::uint64_t{1} << kAllShift) - (std::uint64_t{1} << rank_shift(rank));
    tokens_.push_back({static_cast<std::size_t>(r.word), r.shift, r.mask, weight, rank});
    most[rank] += r.max;
  }
  for (std::size_t v = 0; v < game::kVictims; ++v) {
    const int ship = attack.victim(v);
    own_[v] = ship >= 0 && base::nth(plan.ships, ship).mine == side;
  }
  overflows_ = std::any_of(most.begin(), most.end(), [](int n) { return n > kMaxOfRank; });
}

std::uint64_t TieKey::dice_key(const game::Position& position) const {
  const int crits = crit_ < 0 ? 0 : position.attack_pool.count(crit_);
  int damage = 0;
  for (std::size_t v = 0; v < game::kVictims; ++v) damage += own_[v] ? std::max<int>(position.extra[v], 0) : 0;
  return static_cast<std::uint64_t>(kMaxDice - position.pending) << (kDamageBits + kCritBits) |
         static_cast<std::uint64_t>(kMaxDamage - std::min(damage, kMaxDamage)) << kCritBits |
         static_cast<std::uint64_t>(attacks_ ? crits : base::kMaxPool - crits);
}

std::uint64_t TieKey::operator()(const game::Position& position) const {
  const auto number = [&](const Token& token) {
    return position.resources.words[token.word] >> token.shift & token.mask;
  };
  std::uint64_t key = kNoTokens | dice_key(position);
  if (!overflows_) {
    for (const Token& token : tokens_) key += number(token) * token.weight;
    return key;
  }
  std::array<int, game::kSpendRanks> left{};
  int all = 0;
  for (const Token& token : tokens_) {
    left[token.rank] += static_cast<int>(number(token));
    all += static_cast<int>(number(token));
  }
  key += static_cast<std::uint64_t>(std::min(all, kMaxTokens)) << kAllShift;
  for (std::size_t rank = 0; rank < left.size(); ++rank) {
    key -= static_cast<std::uint64_t>(std::min(left[rank], kMaxOfRank)) << rank_shift(rank);
  }
  return key;
}

Graph build_graph(const game::Plan& plan, std::size_t index, const States& states, States& next, double edges_left) {
  return GraphBuilder(plan, index, &next, edges_left, false).build(states);
}

Graph build_graph_from(const game::Plan& plan, std::size_t index, const game::Position& position, States& next,
                       double edges_left) {
  return GraphBuilder(plan, index, &next, edges_left, true).build_from(position);
}

void Graph::options_of(const DecisionEdge& edge, std::vector<game::Option>& out) const {
  if (edge.play < 0) {
    out.assign(1, edge.option);
    return;
  }
  const auto play = static_cast<std::size_t>(edge.play);
  out.assign(play_options.begin() + play_begin[play], play_options.begin() + play_begin[play + 1]);
}

}  // namespace salvo::exact
