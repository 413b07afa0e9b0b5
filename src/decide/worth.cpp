#include "decide/worth.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "answers/answer.h"
#include "base/index.h"
#include "base/stable_sort.h"
#include "decide/words.h"
#include "game/plan_resources.h"

namespace salvo::decide {
namespace {

using Change = std::function<void(Scenario&)>;

bool in(const game::Costs& costs, int resource) {
  return std::any_of(costs.begin(), costs.end(),
                     [resource](const game::Cost& cost) { return cost.resource == resource; });
}

/// Whether anything in the plan costs, changes or reads a resource.
bool is_used(const game::Plan& plan, int resource) {
  const auto by_effect = [resource](const game::Effect& effect) {
    return in(effect.cost, resource) || game::reads(effect, resource) ||
           std::any_of(effect.operations.begin(), effect.operations.end(),
                       [resource](const game::Operation& operation) { return operation.resource == resource; });
  };
  return std::any_of(plan.attacks.begin(), plan.attacks.end(), [&](const game::AttackPlan& attack) {
    const auto in_waiver = [resource](const game::Waiver& waiver) {
      return in(waiver.price, resource) || game::reads(waiver.when, resource);
    };
    return in(attack.cost, resource) || in(attack.required, resource) ||
           std::any_of(attack.waivers.begin(), attack.waivers.end(), in_waiver) ||
           std::any_of(attack.effects.begin(), attack.effects.end(), by_effect);
  });
}

Expectations difference(const Expectations& after, const Expectations& before) {
  Expectations out = after;
  out.value -= before.value;
  out.dealt -= before.dealt;
  out.taken -= before.taken;
  out.destroyed -= before.destroyed;
  out.lost -= before.lost;
  return out;
}

class WorthFinder {
 public:
  WorthFinder(const Catalogue& catalogue, const answers::PreparedScenario& prepared, const exact::Budget& budget)
      : catalogue_(catalogue), scenario_(prepared.scenario), budget_(budget), base_(prepared.compiled) {
    static_cast<Provenance&>(out_) = base_.labels;
    out_.now = expectations_of(base_.plan, budget_);
  }

  Worth find() {
    for (std::size_t s = 0; s < base_.plan.ships.size(); ++s) try_ship(s);
    base::stable_sort(out_.entries, [](const WorthEntry& a, const WorthEntry& b) { return a.gain > b.gain; });
    return std::move(out_);
  }

 private:
  void try_ship(std::size_t s) {
    ship_ = s;
    name_ = base_.labels.ships[s];
    const auto takes_part = [&](bool attacking) {
      return std::any_of(base_.plan.attacks.begin(), base_.plan.attacks.end(), [&](const game::AttackPlan& attack) {
        return !attack.engagement && (attacking ? attack.attacker : attack.defender) == static_cast<int>(s);
      });
    };
    attacks_ = takes_part(true);
    defends_ = takes_part(false);
    for (const char* token : {"focus", "calculate", "evade", "force", "reinforce"}) try_token(token);
    if (!attacks_ && !defends_) return;  // a friend with cards
    try_locks();
    if (attacks_) try_aid("attack-reroll", "a reroll of one attack die in each attack");
    if (defends_) try_aid("defense-reroll", "a reroll of one defense die in each defense");
    if (defends_) try_shield();
    try_range();
    try_obstacle();
  }

  void skip(const std::string& what, const std::string& why) { out_.skipped.push_back({name_, what, why}); }

  int resource(const compile::CompiledScenario& compiled, const std::string& label) const {
    for (std::size_t r = 0; r < compiled.labels.resources.size(); ++r) {
      if (compiled.labels.resources[r].name == label && compiled.labels.resources[r].ship == static_cast<int>(ship_))
        return static_cast<int>(r);
    }
    return -1;
  }

  int tokens_now(const std::string& token) const {
    const int r = resource(base_, token);
    return r < 0 ? 0 : base::nth(base_.plan.resources, r).initial;
  }

  /// Solves the changed scenario. If nothing uses `token`, the change is skipped.
  void try_change(const std::string& what, const Change& change, const std::string& token = "") {
    Scenario changed = scenario_;
    change(changed);
    std::optional<compile::CompiledScenario> compiled;
    try {
      compiled = compile::compile_scenario(catalogue_, changed);
    } catch (const ScenarioError& error) {
      return skip(what, error.what());
    }
    if (!token.empty()) {
      const int r = resource(*compiled, token);
      if (r < 0 || !is_used(compiled->plan, r)) return skip(what, "nothing in this scenario uses it");
    }
    const bool mine = base_.plan.ships[ship_].mine;
    const Expectations after = difference(expectations_of(compiled->plan, budget_), out_.now);
    out_.entries.push_back({name_, mine, what, mine ? after.value : -after.value, after});
  }

  ScenarioShip& own(Scenario& scenario) const { return scenario.ships.at(name_); }

  void try_token(const std::string& token) {
    const std::string what = "one more " + token;
    const load::Edition& edition = *catalogue_.edition(scenario_.rules);
    const auto spec = std::find_if(edition.tokens.begin(), edition.tokens.end(),
                                   [&](const load::TokenSpec& known) { return known.id == token; });
    if (spec == edition.tokens.end()) return skip(what, fmt::format("{} has no such token", edition.id));
    const int now = tokens_now(token);
    if (now >= spec->max) return skip(what, "the ship cannot have more");
    try_change(
        what, [&, now](Scenario& scenario) { own(scenario).tokens[token] = now + 1; }, token);
  }

  void try_locks() {
    std::vector<std::string> tried;
    for (const ScenarioAttack& attack : scenario_.attacks) {
      if (attack.by != name_ || std::find(tried.begin(), tried.end(), attack.on) != tried.end()) continue;
      tried.push_back(attack.on);
      const std::string what = "a lock on " + attack.on;
      const auto& locks = scenario_.ships.at(name_).locks;
      if (std::find(locks.begin(), locks.end(), attack.on) != locks.end()) {
        skip(what, "the ship has it already");
      } else {
        try_change(
            what, [&](Scenario& scenario) { own(scenario).locks.push_back(attack.on); }, "lock");
      }
    }
  }

  void try_aid(const char* id, const char* what) {
    try_change(what, [&](Scenario& scenario) { own(scenario).aids.emplace_back(id); });
  }

  void try_shield() {
    const game::ShipPlan& ship = base_.plan.ships[ship_];
    if (!ship.destructible) return skip("one more shield", "without a hull the ship cannot be destroyed");
    try_change("one more shield", [&](Scenario& scenario) { own(scenario).shields = ship.shields + 1; });
  }

  void try_range() {
    if (!attacks_) return;
    const std::string what = "range 1 instead of 2";
    const auto applies = [&](const ScenarioAttack& attack) { return attack.by == name_ && attack.range == 2; };
    if (std::none_of(scenario_.attacks.begin(), scenario_.attacks.end(), applies))
      return skip(what, "it does not shoot at range 2");
    try_change(what, [&](Scenario& scenario) {
      for (ScenarioAttack& attack : scenario.attacks) {
        if (applies(attack)) attack.range = 1;
      }
    });
  }

  void try_obstacle() {
    if (!defends_) return;
    const std::string what = "an obstacle in between";
    const auto applies = [&](const ScenarioAttack& attack) { return attack.on == name_ && !attack.obstructed; };
    if (std::none_of(scenario_.attacks.begin(), scenario_.attacks.end(), applies))
      return skip(what, "all attacks on it are obstructed already");
    try_change(what, [&](Scenario& scenario) {
      for (ScenarioAttack& attack : scenario.attacks) {
        if (applies(attack)) attack.obstructed = true;
      }
    });
  }

  const Catalogue& catalogue_;
  const Scenario& scenario_;
  const exact::Budget budget_;
  const compile::CompiledScenario& base_;
  Worth out_;
  std::size_t ship_ = 0;
  std::string name_;
  bool attacks_ = false, defends_ = false;
};

}  // namespace

Expectations expectations_of(const game::Plan& plan, const exact::Budget& budget) {
  const exact::Solution solution = exact::solve(plan, budget);
  const game::Distribution distribution = exact::enumerate(plan, solution);
  Expectations out;
  out.value = solution.value;
  for (std::size_t s = 0; s < plan.ships.size(); ++s) {
    const game::ShipDistribution& ship = distribution.ships[s];
    double mean = 0;
    for (Eigen::Index k = 0; k < ship.damage.size(); ++k) mean += static_cast<double>(k) * ship.damage(k);
    const bool mine = plan.ships[s].mine;
    (mine ? out.taken : out.dealt) += mean;
    (mine ? out.lost : out.destroyed) += ship.destroyed;
    if (plan.ships[s].destructible && plan.ships[s].attacked)
      (mine ? out.destructible_taken : out.destructible_dealt) = true;
  }
  return out;
}

Worth worth(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options) {
  const answers::PreparedScenario prepared = answers::prepare(catalogue, scenario, options);
  Worth out = WorthFinder(catalogue, prepared, answers::budget_of(options)).find();
  out.ship_titles = ship_titles(prepared.compiled.labels);
  return out;
}

}  // namespace salvo::decide
