#include "decide/decision_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "answers/answer.h"
#include "base/index.h"
#include "base/text.h"
#include "decide/observation.h"
#include "decide/words.h"

namespace salvo::decide {
namespace {

using Words = std::vector<std::string>;

[[noreturn]] void refuse(const char* member, const std::string& why) { throw DecisionError(member, why); }

/// Plays an attack from its beginning, takes every option that the observations allow, and stops where all of them have
/// happened.
class Locator {
 public:
  Locator(const compile::CompiledScenario& compiled, std::size_t attack, const ObservedByRole& observed,
          std::optional<Role> to_move)
      : plan_(compiled.plan),
        attack_(compiled.plan.attacks[attack]),
        names_(compiled.labels.effects[attack]),
        observed_(observed),
        to_move_(to_move) {}

  DecisionPoint find(std::size_t attack, const game::Position& begin) {
    play(begin, all_of(observed_));
    if (reached_.empty()) fail();
    if (reached_.size() > 1) {
      const int role = observed_[1].spent.value_or(Words()).empty() ? 0 : 1;
      refuse(kSpentMembers[role],
             "what was spent leaves more than one way the dice may lie now; ask before these tokens are "
             "spent, or after fewer of them");
    }
    return {attack, reached_.front().position, reached_.front().event};
  }

 private:
  struct Reached {
    game::Position position;
    game::NextEvent event;
  };

  const Observed& of_role(int role) const { return base::nth(observed_, role); }
  const std::string& name(int effect) const { return base::nth(names_, effect); }

  void play(game::Position position, const Remaining& remaining) {
    const game::NextEvent event = game::advance(plan_, attack_, position);
    game::canonicalize(plan_, attack_, position);
    switch (event) {
      case game::NextEvent::Decision:
        return decide(position, remaining);
      case game::NextEvent::AttackRoll:
        return roll(position, remaining, 1, event);
      case game::NextEvent::DefenseRoll:
        return roll(position, remaining, 0, event);
      case game::NextEvent::Reroll:
        if (remaining.empty()) return add(position, event);
        return note_failure(
            1, kSpentMembers[position.pending_attack ? 1 : 0],
            "an effect rolls extra dice before this, which cannot be reported; ask before they are rolled");
      case game::NextEvent::Draw:
        if (remaining.empty()) return add(position, event);
        if (!comes_later(position, remaining)) return note_unconsumed(remaining);
        return note_failure(
            1, kSpentMembers[1],
            "a damage card is dealt before this, which cannot be reported; ask before damage is suffered");
      case game::NextEvent::Finished:
        if (remaining.empty()) return add(position, event);
        note_unconsumed(remaining);
    }
  }

  void add(const game::Position& position, game::NextEvent event) {
    const bool known =
        std::any_of(reached_.begin(), reached_.end(), [&](const Reached& r) { return r.position == position; });
    if (!known) reached_.push_back({position, event});
  }

  void decide(const game::Position& position, const Remaining& remaining) {
    const int role = attack_.steps[position.step].attacker_decides ? 1 : 0;
    const bool wanted = !to_move_ || (*to_move_ == Role::Attacker) == (role == 1);
    if (remaining.empty() && wanted) return add(position, game::NextEvent::Decision);
    std::vector<game::Option> options;
    game::legal_options(plan_, attack_, position, options);
    for (const game::Option& option : options) {
      if (option.effect < 0) {
        play(game::take(plan_, attack_, position, option), remaining);
      } else {
        use(position, option, remaining, role);
      }
    }
  }

  void use(const game::Position& position, const game::Option& option, const Remaining& remaining, int role) {
    const bool forced = base::nth(attack_.effects, option.effect).forced;
    const auto after = after_use(remaining, of_role(role), role, name(option.effect), forced);
    if (!after) return;
    const game::Position taken = game::take(plan_, attack_, position, option);
    if (taken.pending == 0 || taken.pending_side) return play(taken, *after);
    reroll(taken, option.dice, *after);
  }

  void reroll(const game::Position& taken, game::Pool picked_up, const Remaining& remaining) {
    const int role = taken.pending_attack ? 1 : 0;
    const auto& list = of_role(role).rerolled;
    if (!list) return;
    for (const std::uint16_t chosen : rerolls_of(*list, remaining.rerolls[role], taken.pending, picked_up)) {
      game::Position position = taken;
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (chosen >> i & 1u) position = game::after_reroll(position, (*list)[i].after);
      }
      Remaining after = remaining;
      after.rerolls[role] = static_cast<std::uint16_t>(after.rerolls[role] & ~chosen);
      play(position, after);
    }
  }

  void roll(const game::Position& position, const Remaining& remaining, int role, game::NextEvent event) {
    const auto& rolled = of_role(role).rolled;
    if (!rolled) {
      if (remaining.empty()) return add(position, event);
      if (role == 1) note_failure(3, kRolledMembers[1], "the attack dice come first; report them too");
      return note_unconsumed(remaining);
    }
    const int dice = game::roll_size(position);
    if (rolled->size() != dice) {
      return note_failure(2, kRolledMembers[role],
                          fmt::format("{} dice are given, but this attack rolls {} {} dice here; write each die once",
                                      rolled->size(), dice, role == 1 ? "attack" : "defense"));
    }
    Remaining after = remaining;
    after.rolled[role] = false;
    play(game::after_roll(attack_, position, *rolled), after);
  }

  /// Whether an effect whose use was reported can still be used after the step of a position.
  bool comes_later(const game::Position& position, const Remaining& remaining) const {
    for (std::size_t s = position.step + std::size_t{1}; s < attack_.steps.size(); ++s) {
      for (const int effect : attack_.steps[s].effects) {
        for (const int role : {0, 1}) {
          if (after_use(remaining, of_role(role), role, name(effect), false)) return true;
        }
      }
    }
    return false;
  }

  /// Reports an observation that never happens as the failure.
  void note_unconsumed(const Remaining& remaining) {
    for (const int role : {1, 0}) {
      if (remaining.rolled[role])
        return note_failure(1, kRolledMembers[role], "this attack has no such roll; leave it out");
      if (remaining.rerolls[role] != 0) {
        return note_failure(1, kRerolledMembers[role],
                            "these dice cannot be rerolled here; say in " + std::string(kSpentMembers[role]) +
                                " what rerolled them, and name dice that were rolled and can be rerolled");
      }
      if (remaining.spent[role] == 0) continue;
      const std::string& word = base::nth(*of_role(role).spent, std::countr_zero(remaining.spent[role]));
      return note_failure(
          1, kSpentMembers[role],
          fmt::format("'{}' cannot be spent here: the ship does not have it, or it would change no die{}", word,
                      rerolls(word) ? fmt::format("; rerolled dice belong in {}", kRerolledMembers[role]) : ""));
    }
  }

  /// Whether the effect of that name rerolls dice.
  bool rerolls(const std::string& word) const {
    for (std::size_t e = 0; e < names_.size(); ++e) {
      const auto& operations = attack_.effects[e].operations;
      if (names_[e] == word && std::any_of(operations.begin(), operations.end(), [](const game::Operation& operation) {
            return operation.kind == game::Operation::Kind::Reroll;
          }))
        return true;
    }
    return false;
  }

  /// Remembers the failure with the largest weight (the first among equals), for the message if no path fits.
  void note_failure(int weight, const char* member, const std::string& why) {
    if (weight <= weight_) return;
    weight_ = weight;
    member_ = member;
    why_ = why;
  }

  [[noreturn]] void fail() const {
    if (weight_ == 0)
      refuse(to_move_ ? "to_move" : "attack",
             "this player has nothing to decide here; ask for the other one, or for another attack");
    refuse(member_, why_);
  }

  const game::Plan& plan_;
  const game::AttackPlan& attack_;
  const Words& names_;
  const ObservedByRole& observed_;
  std::optional<Role> to_move_;
  std::vector<Reached> reached_;
  int weight_ = 0;
  const char* member_ = "";
  std::string why_;
};

void add_missing(Words& list, const Words& words) {
  for (const std::string& word : words) base::add_once(list, word);
}

/// Sets the health that the damage before this attack left.
void apply_damage(const compile::CompiledScenario& compiled, const DecisionSpec& spec, game::Resources& resources) {
  const compile::Labels& labels = compiled.labels;
  for (const auto& [name, damage] : spec.damage) {
    const auto at = std::find(labels.ships.begin(), labels.ships.end(), name);
    if (at == labels.ships.end()) refuse("damage", base::unknown("ship", name, labels.ships));
    const game::ShipPlan& ship = base::nth(compiled.plan.ships, at - labels.ships.begin());
    if (!ship.destructible && damage > 0) continue;  // nothing reads it without a hull
    if (!spec.destroyed_stay && damage >= ship.hull + ship.shields && damage > 0) {
      refuse("damage", fmt::format("{} damage destroys '{}' ({} hull and {} shields); leave its attacks out of the "
                                   "scenario, or report less damage",
                                   damage, name, ship.hull, ship.shields));
    }
    if (ship.health < 0) continue;
    const game::Resource& health = base::nth(compiled.plan.resources, ship.health);
    const int counted = ship.counted_hull + ship.shields;
    const int left = std::max(0, counted - damage);
    resources.set(health, game::kHealthZero + left);
    if (ship.hull_left < 0) continue;
    const auto& all = compiled.plan.resources;
    resources.set(base::nth(all, ship.hull_left), std::min(left, ship.hull));
    resources.set(base::nth(all, ship.shields_left), std::max(0, left - ship.hull));
  }
}

/// Marks the attack at hand, if it is a bonus attack, as granted, and rules out another one in this round.
void grant_bonus_attack(const game::Plan& plan, const game::AttackPlan& attack, game::Resources& resources) {
  bool granted = false;
  for (const game::Cost& cost : attack.cost) {
    const game::Resource& resource = base::nth(plan.resources, cost.resource);
    if (!game::is_permission(resource) || !resource.dynamic) continue;
    resources.set(resource, cost.n);
    granted = true;
  }
  for (const game::Resource& resource : plan.resources) {
    const bool bonus_use = resource.kind == game::Resource::Kind::BonusUse;
    if (granted && bonus_use && resource.ship == attack.attacker && resource.dynamic) resources.set(resource, 0);
  }
}

/// Makes the ships of the scenario start with the reported tokens.
void set_starting_tokens(Scenario& scenario, const DecisionSpec& spec) {
  for (const auto& [name, reported] : spec.tokens) {
    ScenarioShip* const ship = find_ship(scenario, name);
    if (ship == nullptr) refuse("tokens", no_such_ship(scenario, name));
    for (const auto& [token, n] : reported.tokens) ship->tokens[token] = n;
    scenario.given_by[fmt::format("ships.{}.tokens", name)] = "";  // not a key of the ship's SPEC
    if (reported.locks_complete) ship->locks.clear();
    add_missing(ship->locks, reported.locks);
  }
}

/// Makes the round gain and lose tokens of the reported kinds, so that the plan has room for them and counts them.
/// begin_attack_at() then sets their number.
void reserve_tokens(Scenario& scenario, const DecisionSpec& spec, std::size_t round) {
  for (const auto& [name, reported] : spec.tokens) {
    GainedTokens& gained = scenario.rounds[round].gains[name];
    for (const auto& [token, n] : reported.tokens) {
      int& gain = gained.tokens[token];
      if (n > 0) {
        gain = std::max(gain, n);
      } else if (gain == 0) {
        gain = -1;
      }
    }
    add_missing(gained.locks, reported.locks);
    if (reported.locks_complete) add_missing(gained.locks, scenario.ships.at(name).locks);
  }
}

/// Applies what the End Phases before attack `k` do.
void apply_earlier_rounds(const compile::CompiledScenario& compiled, std::size_t k, game::Resources& resources) {
  const game::Plan& plan = compiled.plan;
  for (std::size_t i = 0; i < k; ++i) {
    const game::AttackPlan& attack = plan.attacks[i];
    const Words& names = compiled.labels.effects[i];
    if (!attack.engagement || names.empty() || names.front() != compile::kEndPhase) continue;
    game::Position position = game::begin_attack(plan, attack, resources);
    game::advance(plan, attack, position);
    resources = position.resources;
  }
}

void apply_tokens(const compile::CompiledScenario& compiled, const DecisionSpec& spec, game::Resources& resources) {
  const compile::Labels& labels = compiled.labels;
  for (std::size_t r = 0; r < compiled.plan.resources.size(); ++r) {
    const game::Resource& resource = compiled.plan.resources[r];
    const auto reported = spec.tokens.find(base::nth(labels.ships, resource.ship));
    if (!resource.dynamic || reported == spec.tokens.end()) continue;
    const auto& [tokens, locks, locks_complete] = reported->second;
    if (resource.kind == game::Resource::Kind::Token) {
      const auto n = tokens.find(labels.resources[r].name);
      if (n != tokens.end()) resources.set(resource, n->second);
    } else if (resource.kind == game::Resource::Kind::Lock) {
      const std::string& on = base::nth(labels.ships, resource.token);
      const bool has = std::find(locks.begin(), locks.end(), on) != locks.end();
      if (has || locks_complete) resources.set(resource, has ? 1 : 0);
    }
  }
}

/// Compiles the scenario; errors in reported tokens become DecisionErrors.
compile::CompiledScenario prepare_observed(const Catalogue& catalogue, const Scenario& scenario,
                                           const DecisionSpec& spec, const AnswerOptions& options) {
  try {
    return answers::prepare(catalogue, scenario, options).compiled;
  } catch (const LoadError& error) {
    for (const auto& [name, reported] : spec.tokens) {
      if (error.path.starts_with(fmt::format("ships.{}.tokens", name)))
        refuse("tokens", fmt::format("{}: {}", name, error.why));
    }
    throw;
  }
}

}  // namespace

compile::CompiledScenario compile_at(const Catalogue& catalogue, const Scenario& scenario, const DecisionSpec& spec,
                                     const AnswerOptions& options) {
  Scenario changed = scenario;
  set_starting_tokens(changed, spec);
  compile::CompiledScenario out = prepare_observed(catalogue, changed, spec, options);
  const int round = round_of(out, spec);
  if (round == 0 || spec.tokens.empty()) return out;
  changed = scenario;
  answers::apply(options.overrides, changed);
  reserve_tokens(changed, spec, static_cast<std::size_t>(round - 1));
  return answers::compile_named(catalogue, changed);
}

int round_of(const compile::CompiledScenario& compiled, const DecisionSpec& spec) {
  const auto& attacks = compiled.labels.attacks;
  const auto number = static_cast<std::size_t>(std::max(0, spec.attack - 1));
  return number < attacks.size() ? attacks[number].round : 0;
}

std::size_t attack_index(const compile::CompiledScenario& compiled, const DecisionSpec& spec) {
  const game::Plan& plan = compiled.plan;
  const std::size_t place = plan.place_of_attack(spec.attack);
  if (place == plan.attacks.size()) {
    const auto& attacks = compiled.labels.attacks;
    const bool granted =
        std::any_of(attacks.begin(), attacks.end(), [](const auto& attack) { return !attack.bonus.empty(); });
    refuse("attack", fmt::format("there is no attack {}; the scenario has {}{}, numbered from 1{}", spec.attack,
                                 plan.attack_number(plan.attacks.size()) - 1, granted ? " with bonus attacks" : "",
                                 plan.round_ends.empty() ? "" : " through all rounds"));
  }
  return place;
}

game::Resources resources_at(const compile::CompiledScenario& compiled, const DecisionSpec& spec, std::size_t k) {
  game::Resources out = compiled.plan.start;
  apply_earlier_rounds(compiled, k, out);
  if (round_of(compiled, spec) > 0) apply_tokens(compiled, spec, out);
  grant_bonus_attack(compiled.plan, compiled.plan.attacks[k], out);
  apply_damage(compiled, spec, out);
  return out;
}

game::Position begin_attack_at(const compile::CompiledScenario& compiled, const DecisionSpec& spec, std::size_t k) {
  const game::Plan& plan = compiled.plan;
  const game::AttackPlan& attack = plan.attacks[k];
  const game::Resources resources = resources_at(compiled, spec, k);
  if (!game::attack_happens(plan, attack, resources)) {
    refuse("attack", fmt::format("attack {} cannot happen: a ship of it is destroyed, or the attacker lacks a token, "
                                 "lock or charge; change that or ask for another attack",
                                 spec.attack));
  }
  return game::begin_attack(plan, attack, resources.masked(attack.readable));
}

DecisionPoint locate(const compile::CompiledScenario& compiled, const DecisionSpec& spec) {
  const std::size_t place = attack_index(compiled, spec);
  const bool nothing_reported = !spec.rolled && !spec.rerolled && !spec.spent && !spec.defense_rolled &&
                                !spec.defense_rerolled && !spec.defense_spent;
  // Before anything has happened in the attack, its target and weapon are still to be chosen.
  const int choice = compiled.labels.choice_of[place];
  const std::size_t k = nothing_reported && choice >= 0 ? static_cast<std::size_t>(choice) : place;
  const game::Position begin = begin_attack_at(compiled, spec, k);
  const ObservedByRole observed = read_observed(compiled, k, spec);
  return Locator(compiled, k, observed, spec.to_move).find(k, begin);
}

}  // namespace salvo::decide
