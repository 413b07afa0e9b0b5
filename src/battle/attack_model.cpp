#include "battle/attack_model.h"

#include <algorithm>
#include <stdexcept>

#include "answers/answer.h"
#include "base/index.h"
#include "battle/action_options.h"
#include "battle/board_facts.h"
#include "compile/ships.h"
#include "data/message.h"
#include "study/duel.h"

namespace salvo::battle {
namespace {

const load::Edition& edition_of(const Catalogue& catalogue, const std::string& rules) {
  const load::Edition* edition = catalogue.edition(rules);
  if (edition == nullptr) throw ScenarioError("rules", data::not_among(rules, catalogue.edition_ids()));
  return *edition;
}

bool is_of(const ShipType& type, const NamedShip& ship) {
  return type.ship == ship.ship && type.alone == ship.alone && type.helper == ship.helper;
}

/// Drops the note on a token or fact that nothing reads. Returns whether there is one.
bool drop_unread(Provenance& from, const std::vector<compile::Unread>& unread, const std::string& of,
                 const std::string& what) {
  for (const compile::Unread& one : unread) {
    if (one.of == of && one.what == what) return std::erase(from.notes, one.note) > 0;
  }
  return false;
}

}  // namespace

AttackModel::AttackModel(const Catalogue& catalogue, const AttackTablesOptions& options,
                         const std::vector<NamedShip>& ships)
    : catalogue_(catalogue), options_(options), edition_(edition_of(catalogue, options.rules)) {
  options_.cards = catalogue.card_set(options.cards, options.rules);
  for (const NamedShip& named : ships) {
    if (std::any_of(types_.begin(), types_.end(), [&](const ShipType& type) { return is_of(type, named); })) continue;
    types_.push_back(
        look_up_ship_type({catalogue_, edition_, options_.rules, options_.cards, options_.damage_deck}, named));
    if (!named.helper || options_.damage_deck != kNoDeck) continue;
    types_.back().helped = static_cast<int>(types_.back().slots.size());
    types_.back().slots.push_back({.label = kHelpedSlot, .max = 1, .end = {.leaves = true}});
  }
  deals_separately_.assign(types_.size() * types_.size(), false);
  if (options_.damage_deck == kNoDeck) {
    inspect_pairs();
  } else {
    inspect_pairs_with_cards();
  }
  for (ShipType& type : types_) find_options({catalogue_, edition_, options_.rules, options_.cards}, type);
}

int AttackModel::type_of(const NamedShip& ship) const {
  const auto same = std::find_if(types_.begin(), types_.end(), [&](const ShipType& type) { return is_of(type, ship); });
  if (same == types_.end()) throw std::logic_error("the tables do not have this ship");
  return static_cast<int>(same - types_.begin());
}

void AttackModel::note_resources(const compile::CompiledScenario& asked, int ship, ShipType& type) const {
  using Kind = game::Resource::Kind;
  for (std::size_t r = 0; r < asked.plan.resources.size(); ++r) {
    const game::Resource& resource = asked.plan.resources[r];
    if (resource.ship != ship) continue;
    if (resource.kind == Kind::Health && type.health_slot < 0) {
      type.health_slot = static_cast<int>(type.slots.size());
      type.slots.push_back({.label = kHealthSlot, .max = kMaxHealth});
    }
    const std::string label = slot_label(asked.plan, asked.labels, r);
    if (label.empty()) continue;
    const int slot = slot_of(type, label);
    if (resource.kind == Kind::Token) {
      if (slot >= 0 && resource.charge) base::nth(type.slots, slot).end = resource.end;
      continue;
    }
    if (slot >= 0) continue;
    type.slots.push_back({.label = label, .initial = resource.initial, .max = resource.max, .end = resource.end});
  }
}

/// Finds the slots of each type and what attacks between types read. The order of the pairs does not matter, since
/// slots are sorted at the end.
void AttackModel::inspect_pairs() {
  const auto n = static_cast<std::size_t>(types());
  reads_bullseye_.assign(n * n, false);
  facts_.assign(n * n, {});
  reads_health_.assign(n * n, false);
  reads_hull_.assign(n * n, false);
  rolls_.assign(n * n, {});
  read_tokens_.assign(n, {});
  std::vector<PairFacts> row(n);
  for (int a = 0; a < types(); ++a) {
    study::for_each(options_.threads, n, [&](std::size_t d) { row[d] = inspect_pair(a, static_cast<int>(d)); });
    for (int d = 0; d < types(); ++d) {
      const PairFacts& one = base::nth(row, d);
      learn(a, d, one);
      if (deck_) find_card_fields(one.questions);
      reads_bullseye_[pair_of(a, d)] = one.reads_bullseye;
      facts_[pair_of(a, d)] = one.facts;
    }
  }
  for (ShipType& type : types_) sort_slots(type);
  note_unread_tokens();
}

/// Notes tokens that nothing reads in any attack by or on their ship, nor between attacks.
void AttackModel::note_unread_tokens() {
  for (int t = 0; t < types(); ++t) {
    for (const auto& [token, n] : type(t).ship.tokens) {
      const int slot = slot_of(type(t), token);
      if (slot == type(t).stress || slot == type(t).ion) continue;
      if (n > 0 && base::nth(read_tokens_, t).count(token) == 0)
        base::add_once(provenance_.notes, compile::unread_token_note(type(t).title, token));
    }
  }
}

/// Sorts slots: tokens in the order of the edition, then the others by label. So slots that further opponents add to a
/// type do not change the order of the others, and tables list their outcomes in the same order.
void AttackModel::sort_slots(ShipType& type) {
  const auto other =
      std::find_if(type.slots.begin(), type.slots.end(), [](const Slot& slot) { return slot.token < 0; });
  std::sort(other, type.slots.end(), [](const Slot& a, const Slot& b) { return a.label < b.label; });
  if (type.engaged >= 0) type.engaged = slot_of(type, kEngagementSlot);
  if (type.helped >= 0) type.helped = slot_of(type, kHelpedSlot);
  if (type.health_slot >= 0) type.health_slot = slot_of(type, kHealthSlot);
}

void AttackModel::learn(int attacker, int defender, const PairFacts& facts) {
  ShipType &a = base::nth(types_, attacker), &d = base::nth(types_, defender);
  for (const compile::CompiledScenario& question : facts.questions) {
    for (std::size_t s = 0; s < question.plan.ships.size(); ++s) {
      const bool by = question.labels.ships[s] == study::kAttacker;
      if (!by && question.labels.ships[s] != study::kDefender) continue;  // a helper
      note_resources(question, static_cast<int>(s), by ? a : d);
      note_gains(question, static_cast<int>(s), by ? a : d);
      if (question.plan.ships[s].health < 0) continue;
      const std::size_t pair = by ? pair_of(attacker, defender) : pair_of(defender, attacker);
      reads_health_[pair] = true;
      reads_hull_[pair] = reads_hull_[pair] || question.plan.ships[s].counted_hull > 0;
    }
    Provenance labels = question.labels;
    for (const bool by : {true, false}) {
      const int t = by ? attacker : defender;
      for (const Slot& slot : type(t).slots) {
        if (slot.token < 0) continue;
        if (!drop_unread(labels, question.labels.unread_tokens, by ? study::kAttacker : study::kDefender, slot.label))
          base::nth(read_tokens_, t).insert(slot.label);
      }
    }
    study::merge(provenance_, labels);
  }
  rolls_[pair_of(attacker, defender)] = facts.rolls;
}

/// Compiles one attack with each weapon, to find the slots of both types and the assumptions of the answer.
AttackModel::PairFacts AttackModel::inspect_pair(int attacker, int defender) const {
  PairFacts out;
  const ShipType &a = type(attacker), &d = type(defender);
  out.rolls.assign(a.weapons.size(), false);
  for (std::size_t w = 0; w < a.weapons.size(); ++w) {
    const Weapon& weapon = a.weapons[w];
    AttackKey key{.attacker = attacker, .defender = defender, .weapon = static_cast<int>(w), .lock = true};
    key.shot = Shot{std::clamp(2, weapon.min_range, weapon.max_range), false, weapon.bullseye}.number();
    Counts mine(a.slots.size(), 0), his(d.slots.size(), 0);
    for (std::size_t i = 0; i < a.slots.size(); ++i) mine[i] = static_cast<std::uint8_t>(a.slots[i].initial);
    for (std::size_t i = 0; i < d.slots.size(); ++i) his[i] = static_cast<std::uint8_t>(d.slots[i].initial);
    for (const char* token : {"focus", "calculate"}) {
      if (const int slot = slot_of(a, token); slot >= 0) base::nth(mine, slot) = 1;
    }
    const auto inspect = [&] {
      Scenario asked = scenario(key, mine, his);
      const std::vector<std::string> stated = known_facts(catalogue_, {Shot::of(key.shot), a.alone, d.alone});
      asked.attacks[0].facts = stated;
      compile::CompiledScenario question = compiled(asked);
      for (const std::string& fact : stated) {
        if (!drop_unread(question.labels, question.labels.unread_facts, attack_path(asked, 0), name_of_fact(fact)))
          out.facts.insert(name_of_fact(fact));
      }
      out.rolls[w] = rolls_freely(question.plan);
      out.questions.push_back(std::move(question));
    };
    try {
      inspect();
      if (a.helped < 0 && d.helped < 0) continue;
      if (a.helped >= 0) base::nth(mine, a.helped) = 1;
      if (d.helped >= 0) base::nth(his, d.helped) = 1;
      inspect();
    } catch (const LoadError& error) {
      if (!error.path.starts_with("attacks[")) throw;
    }
  }
  out.reads_bullseye =
      out.facts.count("bullseye") != 0 ||
      std::any_of(a.weapons.begin(), a.weapons.end(), [](const Weapon& weapon) { return weapon.bullseye; });
  return out;
}

}  // namespace salvo::battle
