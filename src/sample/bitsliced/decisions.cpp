#include "sample/bitsliced/decisions.h"

#include <algorithm>

#include "base/index.h"
#include "game/follow.h"
#include "game/play.h"
#include "game/position_table.h"
#include "sample/kernel.h"

namespace salvo::sample {
namespace {

/// Adds all pools of n dice that extend `pool` with faces from `face` on.
void add_multisets(const game::Die& die, int face, int n, game::Pool pool, std::vector<game::Pool>& out) {
  if (face == die.faces - 1 || n == 0) {
    if (n > 0) pool.add(face, false, n);
    out.push_back(pool);
    return;
  }
  for (int k = 0; k <= n; ++k) {
    game::Pool with = pool;
    if (k > 0) with.add(face, false, k);
    add_multisets(die, face + 1, n - k, with, out);
  }
}

/// All outcomes of rolling n indistinguishable dice, each once.
std::vector<game::Pool> multisets(const game::Die& die, int n) {
  std::vector<game::Pool> out;
  add_multisets(die, 0, n, game::Pool(), out);
  return out;
}

/// Visits all positions of one attack.
class Explorer {
 public:
  Explorer(const game::Plan& plan, const game::Policy& policy, std::size_t index, std::size_t budget,
           AttackDecisions& found)
      : plan_(plan), policy_(policy), index_(index), attack_(plan.attacks[index]), budget_(budget), found_(found) {
    found_.windows.resize(attack_.steps.size());
  }

  /// Adds the resources with which the next attack can begin to `ends`.
  void explore(int start, std::vector<game::Resources>& ends) {
    start_ = start;
    resources_ = base::nth(found_.starts, start);
    seen_.clear();
    if (!game::attack_happens(plan_, attack_, resources_)) {
      ends.push_back(game::end_attack(plan_, attack_, resources_));
      return;
    }
    visit(game::begin_attack(plan_, attack_, resources_), 0);
    while (!open_.empty()) {
      const auto [position, asked] = open_.back();
      open_.pop_back();
      play_on(position, asked, ends);
    }
  }

  std::size_t visited() const { return visited_; }

 private:
  struct Open {
    game::Position position;
    std::size_t asked = 0;  ///< earlier decisions of the same player in this window
  };

  void visit(const game::Position& position, std::size_t asked) {
    if (seen_.size() <= asked) seen_.resize(asked + 1);
    if (seen_[asked].find(position) >= 0) return;
    if (++visited_ > budget_) throw UnsupportedByKernel("the positions are too many for tables of decisions");
    seen_[asked].insert(position);
    open_.push_back({position, asked});
  }

  void play_on(game::Position position, std::size_t asked, std::vector<game::Resources>& ends) {
    const std::uint8_t step = position.step;
    const game::NextEvent event = game::advance(plan_, attack_, position);
    if (position.step != step) asked = 0;
    switch (event) {
      case game::NextEvent::AttackRoll:
      case game::NextEvent::DefenseRoll:
        roll(position, event == game::NextEvent::AttackRoll ? plan_.attack_die : plan_.defense_die);
        break;
      case game::NextEvent::Reroll:
        reroll(position, asked);
        break;
      case game::NextEvent::Draw:
        throw UnsupportedByKernel("damage cards are dealt");
      case game::NextEvent::Decision:
        decide(position, asked);
        break;
      case game::NextEvent::Finished:
        ends.push_back(game::end_attack(plan_, attack_, position.resources));
        break;
    }
  }

  void roll(const game::Position& position, const game::Die& die) {
    for (const game::Pool& pool : multisets(die, std::max(0, game::roll_size(position))))
      visit(game::after_roll(attack_, position, pool), 0);
  }

  void reroll(const game::Position& position, std::size_t asked) {
    const game::Die& die = position.pending_attack ? plan_.attack_die : plan_.defense_die;
    for (const game::Pool& pool : multisets(die, position.pending)) {
      game::Position after = position;
      for (int face = 0; face < base::kMaxFaces; ++face) {
        for (int i = 0; i < pool.count(face); ++i) after = game::after_reroll(after, face);
      }
      visit(after, asked);
    }
  }

  /// Follows the player until dice are needed or the player stops, as the reference kernel does.
  void decide(game::Position position, std::size_t asked) {
    game::canonicalize(plan_, attack_, position);
    const std::uint8_t step = position.step;
    Decision out{start_, position, {}, {}, {}, false};
    int answers = 0;
    bool first = true;  // act of the current answer
    const auto merge = [&] {
      game::canonicalize(plan_, attack_, position);
      ++answers;
      first = true;
    };
    const auto take = [&](const game::Option& option) {
      if (option.effect >= 0)
        out.acts.push_back({option, position.attack_pool, position.defense_pool, answers > 1 && first});
      position = game::take(plan_, attack_, position, option);
      first = false;
    };
    game::follow(plan_, index_, policy_, resources_, position, options_, merge, take);
    out.again = position.pending > 0;
    out.attack_pool = position.attack_pool;
    out.defense_pool = position.defense_pool;
    auto& window = found_.windows[step];
    if (window.size() <= asked) window.resize(asked + 1);
    window[asked].push_back(std::move(out));
    visit(position, position.step == step ? asked + 1 : 0);
  }

  const game::Plan& plan_;
  const game::Policy& policy_;
  std::size_t index_;
  const game::AttackPlan& attack_;
  std::size_t budget_;
  AttackDecisions& found_;
  int start_ = 0;
  game::Resources resources_;
  std::size_t visited_ = 0;
  std::vector<game::PositionTable> seen_;  ///< by earlier decisions in the same window
  std::vector<Open> open_;
  std::vector<game::Option> options_;
};

void add_start(const game::Resources& start, std::vector<game::Resources>& starts) {
  if (std::find(starts.begin(), starts.end(), start) == starts.end()) starts.push_back(start);
}

}  // namespace

std::vector<AttackDecisions> find_decisions(const game::Plan& plan, const game::Policy& policy, std::size_t budget) {
  std::vector<AttackDecisions> out(plan.attacks.size());
  if (!plan.attacks.empty()) add_start(plan.start.masked(plan.attacks[0].readable), out[0].starts);
  std::size_t visited = 0;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    Explorer explorer(plan, policy, k, budget - visited, out[k]);
    std::vector<game::Resources> ends;
    for (std::size_t s = 0; s < out[k].starts.size(); ++s) {
      ends.clear();
      explorer.explore(static_cast<int>(s), ends);
      if (k + 1 == plan.attacks.size()) continue;
      for (const game::Resources& end : ends) add_start(end.masked(plan.attacks[k + 1].readable), out[k + 1].starts);
    }
    visited += explorer.visited();
  }
  return out;
}

}  // namespace salvo::sample
