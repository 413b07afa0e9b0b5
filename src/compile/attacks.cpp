// Compiles the attacks of the sequence: weapon, effects and steps of each, and when destroyed ships leave play.
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <optional>
#include <span>

#include "base/index.h"
#include "base/text.h"
#include "compile/attack_draft.h"
#include "compile/expression.h"
#include "compile/facts.h"
#include "game/plan_resources.h"

namespace salvo::compile {
namespace {

constexpr std::string_view kAttackerStays = "attacker-stays";

void mark_dynamic(Draft& draft, const game::AttackPlan& attack) {
  auto& resources = draft.out.plan.resources;
  const auto mark = [&](int index) { base::nth(resources, index).dynamic = true; };
  for (const game::Cost& cost : attack.cost) mark(cost.resource);
  for (const game::Waiver& waiver : attack.waivers) {
    for (const game::Cost& cost : waiver.price) mark(cost.resource);
  }
  for (const game::Effect& effect : attack.effects) {
    for (const game::Cost& cost : effect.cost) mark(cost.resource);
    for (const game::Operation& operation : effect.operations) {
      if (operation.resource >= 0) mark(operation.resource);
      for (const int lock : operation.displaces) mark(lock);
    }
  }
}

void label_attack(const AttackDraft& attack) {
  attack.draft.out.labels.attacks.push_back(
      {.by = attack.plan.attacker,
       .on = attack.plan.defender,
       .weapon = attack.primary && attack.ship(attack.plan.attacker).ship != nullptr
                     ? "primary (" + attack.weapon.arc + ")"
                     : attack.given.weapon,
       .range = attack.given.range,
       .bonus = attack.given.bonus,
       .second = attack.entry.twice == SequenceEntry::Twice::Second,
       .round = attack.draft.scenario.rounds.empty() ? 0 : attack.given.round + 1,
       .given_dice = given_dice(attack.given)});
}

/// Whether an earlier attack can set the flag that grants this one.
bool is_granted(const Draft& draft, int flag) {
  const auto grants = [flag](const game::Operation& operation) {
    return operation.kind == game::Operation::Kind::Gain && operation.resource == flag;
  };
  return std::any_of(draft.out.plan.attacks.begin(), draft.out.plan.attacks.end(),
                     [&](const game::AttackPlan& attack) { return any_operation(attack, grants); });
}

/// The resource that is set if the attacker chooses the attack at index `number` of the sequence.
int choice_flag(const Draft& draft, int attacker, std::size_t number) {
  return draft.find_resource(game::Resource::Kind::Granted, attacker, static_cast<int>(number));
}

/// Notes why a listed bonus attack does not happen: its target, or else what the card asks for. Throws ScenarioError if
/// no ship has the card.
void note_ungranted_bonus(AttackDraft& attack) {
  const auto& sequence = attack.draft.attacks;
  std::size_t before = attack.number;
  while (before > 0 && sequence[before - 1].engagement) --before;
  bool other = before > 0 && sequence[before - 1].given.on == attack.given.on;
  bool grants = false;
  std::vector<std::string> conditions, weapons;
  for (const ShipDraft& ship : attack.draft.ships) {
    for (const load::CardSpec* card : ship.cards) {
      for (const load::EffectSpec& effect : card->effects) {
        for (const load::OperationSpec& operation : effect.operations) {
          if (card->id != attack.given.bonus || operation.verb != load::Verb::Bonus) continue;
          grants = true;
          other = other && operation.target == "other";
          if (!effect.when.empty()) base::add_once(conditions, effect.when);
          if (!operation.weapon.empty()) base::add_once(weapons, operation.weapon);
        }
      }
    }
  }
  if (!grants) {
    throw ScenarioError(attack.path + ".bonus",
                        fmt::format("'{}' grants '{}' no bonus attack; name a card of a ship that grants one",
                                    attack.given.bonus, attack.given.by));
  }
  std::vector<std::string> asked;
  if (!conditions.empty()) asked.push_back(base::joined(conditions, " or "));
  if (!weapons.empty()) asked.push_back("the weapon " + base::joined(weapons, " or "));
  const std::string why =
      other
          ? fmt::format("the bonus attack of '{}' is against another ship than '{}', which was attacked just before",
                        attack.given.bonus, attack.given.on)
          : fmt::format("'{}' grants '{}' none after the attack before this one{}; check its conditions and facts",
                        attack.given.bonus, attack.given.by,
                        asked.empty() ? "" : " (it asks for: " + base::printable(base::joined(asked, "; "), 200) + ")");
  attack.draft.out.labels.has_ungranted_bonus = true;
  attack.draft.out.labels.notes.push_back(fmt::format("{} does not happen: {}", attack.path, why));
}

/// A bonus attack costs the flag set by its grant, the second of two attacks the flag set by the first. False if
/// nothing sets it; an attack listed in the scenario then does not happen, which a note says.
bool pay_grant(AttackDraft& attack) {
  if (attack.entry.twice == SequenceEntry::Twice::Second) {
    const int flag = attack.draft.find_resource(game::Resource::Kind::FirstOfTwo, attack.plan.attacker,
                                                static_cast<int>(attack.number));
    attack.plan.cost.push_back({flag, 1});
    return true;
  }
  const Draft& draft = attack.draft;
  if (attack.entry.choice > 0) {
    attack.plan.cost.push_back({choice_flag(draft, attack.plan.attacker, attack.number), 1});
    return true;
  }
  if (attack.given.bonus.empty()) return true;
  const int flag =
      draft.find_resource(game::Resource::Kind::Granted, attack.plan.attacker, static_cast<int>(attack.number));
  const bool granted = is_granted(draft, flag);
  if (!granted && attack.entry.inserted) return false;
  if (!granted) note_ungranted_bonus(attack);
  attack.plan.cost.push_back({flag, 1});
  return true;
}

/// Ranges beyond a primary weapon's reach only occur with huge ships (000: Huge_Ships). The attack is played anyway,
/// with a note.
void note_range(AttackDraft& attack) {
  constexpr int kFarthest = 3;
  const int farthest = std::min(kFarthest, attack.weapon.max_range);
  if (!attack.primary || attack.entry.inserted || attack.given.range <= farthest) return;
  const auto& sizes = attack.draft.edition.sizes;
  const auto& ships = attack.draft.ships;
  if (!base::contains(sizes, "huge")) return;  // games without such a rule
  if (std::any_of(ships.begin(), ships.end(), [](const ShipDraft& ship) { return ship.size == "huge"; })) return;
  if (reach(attack)) return;
  attack.draft.out.labels.notes.push_back(
      fmt::format("{}: a primary weapon does not reach range {} (it ends at {}) while no huge ship takes part; the "
                  "attack is played as if it did",
                  attack.path, attack.given.range, farthest));
}

/// Adds the price and the required tokens of the weapon.
void use_weapon(AttackDraft& attack) {
  if (attack.entry.twice == SequenceEntry::Twice::Second) return;  // paid with the first
  require_tokens(attack);
  const Owner owner{.attacks = true, .ship = attack.plan.attacker, .card_number = attack.weapon_card};
  std::vector<load::CostSpec> costs;  // labels of chosen prices view attack.weapon, not these copies
  bool payable = true;
  for (const load::CostSpec& cost : attack.weapon.cost) {
    if (!has_other_price(attack, cost)) {
      costs.push_back(cost);
    } else {
      payable = payable && add_prices(attack, cost, owner);
    }
  }
  if (!payable || !compile_costs(attack, costs, owner, attack.plan.cost)) {
    throw ScenarioError(attack.path + ".weapon",
                        fmt::format("'{}' cannot pay the cost of '{}'", attack.given.by, attack.given.weapon));
  }
}

void check_all_or_none(const Scenario& scenario) {
  const auto& attacks = scenario.attacks;
  for (std::size_t i = 1; i < attacks.size(); ++i) {
    if (attacks[i].initiative.has_value() != attacks[0].initiative.has_value()) {
      throw ScenarioError(attack_path(scenario, i) + ".initiative",
                          "either all attacks have an initiative or none; add or remove it");
    }
  }
}

/// Checks that initiatives never rise, whether stated or changed by cards.
void check_order(const std::vector<const SequenceEntry*>& attacks) {
  for (std::size_t i = 1; i < attacks.size(); ++i) {
    if (attacks[i]->given.round != attacks[i - 1]->given.round) continue;
    const std::optional<int>&now = attacks[i]->given.initiative, &before = attacks[i - 1]->given.initiative;
    if (now <= before) continue;
    throw ScenarioError(
        attacks[i]->path + ".initiative",
        fmt::format("initiative {} follows {}; ships engage from the highest initiative down, so reorder the attacks",
                    *now, *before));
  }
}

/// Moves an attack whose initiative a card changes to that initiative, with the unlisted bonus attacks that follow it.
void apply_initiative_override(AttackDraft& attack) {
  const auto overridden = attack.overrides.find("initiative");
  auto& attacks = attack.draft.attacks;
  if (overridden == attack.overrides.end() || attack.entry.engagement || !attack.given.initiative) return;
  attacks[attack.number].given.initiative = overridden->second;
  for (std::size_t k = attack.number + 1; k < attacks.size() && attacks[k].inserted && !attacks[k].engagement; ++k)
    attacks[k].given.initiative = overridden->second;
}

/// Notes whether a card or the scenario keeps the attacker in play until this attack, though it is destroyed.
void note_staying(AttackDraft& attack) {
  std::optional<int> stays = overridden_value(attack, kAttackerStays);
  if (!stays) stays = stated(attack, kAttackerStays);
  if (!stays) return;
  attack.draft.facts_read[attack.entry.path].try_emplace(std::string(kAttackerStays));
  attack.draft.attacks[attack.number].attacker_stays = *stays != 0;
}

/// After a bonus attack that rules out further attacks of its ship in the round, the ship makes none.
void forbid_after_last(AttackDraft& attack) {
  const Draft& draft = attack.draft;
  if (attack.plan.engagement || attack.entry.twice == SequenceEntry::Twice::Second) return;
  const int more = draft.find_resource(game::Resource::Kind::MoreBonus, attack.plan.attacker);
  if (more < 0 || is_bonus_attack(draft, attack.given)) return;
  const auto earlier = std::span(draft.attacks).first(attack.number);
  const bool follows = std::any_of(earlier.begin(), earlier.end(), [&](const SequenceEntry& entry) {
    return entry.by == attack.plan.attacker && entry.given.round == attack.given.round && !entry.given.bonus.empty();
  });
  if (!follows) return;
  game::Expression& prevented = attack.plan.prevented;
  const game::Expression none{{Code::Resource, more}, {Code::Not, 0}};
  prevented = prevented.empty() ? none : combined(std::move(prevented), none, Code::Or);
}

/// Adds the options of a choice: the attacker must take exactly one whose target is in play. The engines solve it like
/// any other option before an attack.
void add_choice(AttackDraft& attack, std::list<std::string>& names) {
  Draft& draft = attack.draft;
  const int once = attack.new_bit(attack.path);
  std::vector<std::string> choices;
  for (std::size_t k = attack.number + 1; k < draft.attacks.size(); ++k) {
    const SequenceEntry& entry = draft.attacks[k];
    if (entry.choice != attack.entry.choice || entry.twice == SequenceEntry::Twice::Second || entry.inserted) continue;
    game::Effect effect{.may = true, .used_bit = once, .forced = true};
    effect.when = not_gone(draft, draft.ship_index(entry.given.on, attack.path + ".on"));
    effect.operations.push_back(
        {.kind = game::Operation::Kind::Gain, .n = 1, .resource = choice_flag(draft, attack.plan.attacker, k)});
    choices.push_back(entry.given.weapon == "primary" ? entry.given.on
                                                      : fmt::format("{} with {}", entry.given.on, entry.given.weapon));
    attack.in_windows.push_back({*attack.entry.engagement, true, true, static_cast<int>(attack.plan.effects.size())});
    attack.plan.effects.push_back(std::move(effect));
    attack.effect_names.emplace_back();
    attack.labels.push_back(
        {.id = names.emplace_back("shoot at " + choices.back()), .attackers = true, .chosen = true});
  }
  draft.out.labels.notes.push_back(
      fmt::format("{} chooses among {} when its attack comes", attack.given.by, base::joined(choices, ", ")));
}

constexpr std::size_t kDefaultEffects = 7;  // initial capacity per attack; more are beyond what malloc keeps at hand

/// Collects the effects of the attack. False for a bonus attack that is never granted.
bool find_effects(AttackDraft& attack, std::list<std::string>& names) {
  const SequenceEntry& entry = attack.entry;
  attack.plan.attacker = entry.by;
  attack.plan.defender = entry.on;
  attack.plan.effects.reserve(kDefaultEffects);
  attack.labels.reserve(kDefaultEffects);
  attack.effect_names.reserve(kDefaultEffects);
  attack.in_windows.reserve(kDefaultEffects);
  attack.plan.engagement = entry.engagement.has_value();
  if (!attack.plan.engagement) {
    check_attack(attack);
    check_facts(attack);
    choose_weapon(attack);
    if (!pay_grant(attack)) return false;
    note_range(attack);
  }
  if (entry.chooses) {
    add_choice(attack, names);
  } else {
    add_effects(attack);
  }
  return true;
}

/// Whether a condition read a ship's damage as 0 before an effect was compiled that damages it.
bool read_before_harm(const AttackDraft& attack) {
  return std::any_of(attack.plan.others.begin(), attack.plan.others.end(),
                     [&](int ship) { return ship >= 0 && attack.read_as_unharmed.contains(ship); });
}

/// Compiles an entry; nothing for a bonus attack that is never granted. `damaged`: ships besides attacker and defender
/// that its effects are known to damage.
std::optional<game::AttackPlan> compile_attack(Draft& draft, std::size_t index,
                                               const game::AttackPlan::Others& damaged) {
  const SequenceEntry& entry = draft.attacks[index];
  if (entry.begins_round) {
    game::AttackPlan out = compile_round_start(draft, entry);
    mark_dynamic(draft, out);
    return out;
  }
  AttackDraft attack{.draft = draft, .entry = entry, .given = entry.given, .path = entry.path, .number = index};
  attack.plan.others = damaged;
  std::list<std::string> names;  // owns the texts that labels refer to
  if (!find_effects(attack, names)) return std::nullopt;
  if (read_before_harm(attack)) return compile_attack(draft, index, attack.plan.others);
  apply_initiative_override(attack);
  note_staying(attack);
  forbid_after_last(attack);
  if (!attack.plan.engagement) {
    use_weapon(attack);
    place_given_rolls(attack);
    label_attack(attack);
  }
  count_due_tokens(attack);
  draft.out.labels.effects.push_back(effect_labels(attack));
  add_steps(attack);
  mark_dynamic(draft, attack.plan);
  draft.deck_effects.push_back(std::move(attack.deck_effects));
  return std::move(attack.plan);
}

/// Whether the ship's own destruction grants it a bonus attack directly after attack i. Effects after a ship is
/// destroyed resolve before it is removed (000: Destroying_Ships).
bool attacks_when_destroyed(const std::vector<const SequenceEntry*>& sequence, std::size_t i, const ShipDraft& ship) {
  for (std::size_t k = i + 1; k < sequence.size() && !sequence[k]->given.bonus.empty(); ++k) {
    const ScenarioAttack& bonus = sequence[k]->given;
    if (bonus.round != sequence[i]->given.round) return false;
    const auto grants = [](const load::EffectSpec& effect) {
      return has_verb(effect, load::Verb::Bonus) && effect.when.find("self.destroyed") != std::string::npos;
    };
    if (bonus.by == ship.name && std::any_of(ship.cards.begin(), ship.cards.end(), [&](const load::CardSpec* card) {
          return card->id == bonus.bonus && std::any_of(card->effects.begin(), card->effects.end(), grants);
        }))
      return true;
  }
  return false;
}

/// Whether a card lets the ship stay in play after attack i although it is destroyed: until a later attack of its own,
/// or until the end of the round.
bool stays_by_card(const Draft& draft, const std::vector<const SequenceEntry*>& sequence, std::size_t i, int ship) {
  const ShipDraft& of = base::nth(draft.ships, ship);
  if (attacks_when_destroyed(sequence, i, of)) return true;
  const int round = sequence[i]->given.round;
  const bool leaves_late = std::any_of(of.cards.begin(), of.cards.end(), [](const load::CardSpec* card) {
    return std::any_of(card->effects.begin(), card->effects.end(), [](const load::EffectSpec& effect) {
      return effect.whose == "self" && effect.when.empty() && effect.operations.front().fact == kAttackerStays;
    });
  });
  return std::any_of(sequence.begin() + static_cast<std::ptrdiff_t>(i) + 1, sequence.end(),
                     [&](const SequenceEntry* later) {
                       if (later->given.round != round) return false;
                       return leaves_late || (later->attacker_stays && later->by == ship);
                     });
}

/// Ships that leave play after attack i of `sequence` if destroyed (docs/format.md: Destruction).
std::vector<int> removed_after(const Draft& draft, const std::vector<const SequenceEntry*>& sequence, std::size_t i) {
  // 003: Timing Chart: in the first edition ships leave play only after both attacks of two, and after granted attacks.
  const int round = sequence[i]->given.round;
  const bool round_ends = i + 1 == sequence.size() || sequence[i + 1]->given.round != round;
  const bool granted_next = !round_ends && !sequence[i + 1]->given.bonus.empty();
  const bool first_edition = draft.edition.destroyed_stays == load::DestroyedStays::OwnAttack;
  if (sequence[i]->twice == SequenceEntry::Twice::First || (first_edition && granted_next)) return {};
  const std::optional<int>& initiative = sequence[i]->given.initiative;
  const bool step_ends = round_ends || !initiative || sequence[i + 1]->given.initiative != initiative;
  std::vector<int> out;
  for (std::size_t s = 0; s < draft.ships.size(); ++s) {
    bool stays = !step_ends;
    if (stays && draft.edition.destroyed_stays == load::DestroyedStays::OwnAttack) {
      // 002: Simultaneous attack rule: a destroyed ship stays only until its own attack at this pilot skill.
      bool attacked = false;
      bool will_attack = false;
      for (std::size_t k = 0; k < sequence.size(); ++k) {
        const ScenarioAttack& attack = sequence[k]->given;
        if (attack.round != round || attack.initiative != initiative || attack.by != draft.ships[s].name) continue;
        (k <= i ? attacked : will_attack) = true;
      }
      stays = will_attack && !attacked;
    }
    stays = stays || stays_by_card(draft, sequence, i, static_cast<int>(s));
    if (!stays) out.push_back(static_cast<int>(s));
  }
  return out;
}

/// Condition: at least n of a resource.
game::Expression has_resource(const Draft& draft, const game::Cost& cost) {
  const game::Resource& r = base::nth(draft.out.plan.resources, cost.resource);
  if (!r.dynamic) return constant(r.initial >= cost.n ? 1 : 0);
  return {{Code::Constant, cost.n - 1}, {Code::Resource, cost.resource}, {Code::Less, 0}};
}

/// Fills Labels::choice_of, and disables the options of choices whose attack could not be paid for.
void link_choices(Draft& draft) {
  game::Plan& plan = draft.out.plan;
  auto& choice_of = draft.out.labels.choice_of;
  choice_of.assign(plan.attacks.size(), -1);
  for (std::size_t p = 0; p < plan.attacks.size(); ++p) {
    const SequenceEntry& entry = draft.attacks[draft.compiled[p]];
    if (entry.choice == 0 || entry.chooses || entry.twice == SequenceEntry::Twice::Second) continue;
    const int flag = choice_flag(draft, plan.attacks[p].attacker, draft.compiled[p]);
    for (std::size_t c = 0; c < p; ++c) {
      if (!draft.attacks[draft.compiled[c]].chooses) continue;
      for (game::Effect& effect : plan.attacks[c].effects) {
        if (effect.operations.front().resource != flag) continue;
        choice_of[p] = static_cast<int>(c);
        for (const game::Cost& cost : plan.attacks[p].cost) {
          if (cost.resource != flag) effect.when = both(effect.when, has_resource(draft, cost));
        }
        // Only if exactly one kind of token is required; alternatives and waivers are not checked here.
        const auto& required = plan.attacks[p].required;
        if (required.size() == 1 && plan.attacks[p].waivers.empty())
          effect.when = both(effect.when, has_resource(draft, required.front()));
      }
    }
  }
}

}  // namespace

void compile_attacks(Draft& draft) {
  check_all_or_none(draft.scenario);
  check_board_facts(draft);
  game::Plan& plan = draft.out.plan;
  plan.attacks.reserve(draft.attacks.size());
  draft.compiled.reserve(draft.attacks.size());
  std::vector<const SequenceEntry*> happening;
  std::vector<std::size_t> places;  // their indices in the plan
  for (std::size_t i = 0; i < draft.attacks.size(); ++i) {
    if (i > 0 && draft.attacks[i].given.round != draft.attacks[i - 1].given.round)
      plan.round_ends.push_back(plan.attacks.size());
    auto attack = compile_attack(draft, i, game::AttackPlan().others);
    if (!attack) continue;
    if (!attack->engagement) {
      happening.push_back(&draft.attacks[i]);
      places.push_back(plan.attacks.size());
    }
    plan.attacks.push_back(std::move(*attack));
    draft.out.labels.paths.push_back(draft.attacks[i].path);
    draft.compiled.push_back(i);
  }
  if (!plan.round_ends.empty()) plan.round_ends.push_back(plan.attacks.size());
  link_choices(draft);
  note_facts(draft);
  check_order(happening);
  if (plan.objective == game::Objective::Damage) return;  // without removal, since destruction is not tracked
  for (std::size_t i = 0; i < places.size(); ++i)
    plan.attacks[places[i]].removed_after = removed_after(draft, happening, i);
}

void mark_live_resources(game::Plan& plan) {
  game::Resources later;
  for (auto attack = plan.attacks.rbegin(); attack != plan.attacks.rend(); ++attack) {
    game::Resources reads;
    const auto read = [&](int index) { reads.select(base::nth(plan.resources, index)); };
    game::each_resource(*attack, read);
    for (std::size_t v = 0; v < game::kVictims; ++v) {
      if (attack->victim(v) < 0) continue;
      const game::ShipPlan& ship = base::nth(plan.ships, attack->victim(v));
      for (const int index : {ship.health, ship.hull_left, ship.shields_left}) {
        if (index >= 0) read(index);
      }
    }
    attack->reads = reads;
    for (std::size_t w = 0; w < 2; ++w) later.words[w] |= reads.words[w];
    attack->readable = later;
  }
}

}  // namespace salvo::compile
