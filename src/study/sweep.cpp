// The axes of a grid over single attacks are those of the attacker, those of the defender, and others. The attacker's
// side of a cell depends only on the attacker's and the other axes, the defender's likewise. So each side is compiled
// once (exact::attack_matrix_of), and pairs of sides are only played (exact::attack). This is valid as long as no rule
// or card of one ship reads or changes the other (affects_only_owner); otherwise the cell is answered like any
// scenario.
#include "study/sweep.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "answers/answer.h"
#include "base/index.h"
#include "base/parallel.h"
#include "compile/compile.h"
#include "exact/tables/attack_matrix.h"
#include "load/pilot_stats.h"
#include "salvo/squad.h"

namespace salvo::study {
namespace {

constexpr std::size_t kMaxSides = 4'000;        ///< cached for each kind of side, at most about 20 MB
constexpr std::size_t kMaxUsed = 8'000;         ///< encounters cached by each thread
constexpr std::size_t kMaxEncounters = 40'000;  ///< encounters cached for all threads, at most about 50 MB

/// The owner of an axis is the number of an attacker, that of the defender (one more), or kOthers.
constexpr int kOthers = -1;

/// The number of the ship of "ships.NAME.key" in `ships`, if the key affects only that ship.
int owner_of(const std::string& path, const std::vector<std::string>& ships) {
  for (std::size_t i = 0; i < ships.size(); ++i) {
    const std::string prefix = "ships." + ships[i] + ".";
    if (path.starts_with(prefix) && path.find('[') == std::string::npos && path.substr(prefix.size()) != "side")
      return static_cast<int>(i);
  }
  return kOthers;
}

// ---------------------------------------------------------------- whether the sides are separate

bool mentions_other(const std::string& expression) {
  // Names such as "hit", "remaining" and faces of dice need no check: an effect that reads them is not token play, and
  // attack_matrix_of() rejects it.
  return expression.find("foe") != std::string::npos;
}

/// True if the effect reads and changes only its owner's side, or is the same for all ships.
bool affects_only_owner(const load::EffectSpec& effect) {
  if (mentions_other(effect.when) || mentions_other(effect.times)) return false;
  const bool about_owner = effect.when.find("self") != std::string::npos || effect.may || !effect.cost.empty();
  for (const load::CostSpec& cost : effect.cost) {
    if (cost.who != "self") return false;
  }
  for (const load::OperationSpec& operation : effect.operations) {
    if (mentions_other(operation.amount)) return false;
    const std::string own_dice = effect.side == "attacker" ? "attack" : effect.side == "defender" ? "defense" : "own";
    // The defender's reinforcement cancels attack dice after both sides have rolled.
    const bool cancels =
        operation.verb == load::Verb::Cancel && effect.side == "defender" && effect.at == load::Window::Neutralize;
    const bool crosses = operation.who != "self" ||
                         (!operation.dice.empty() && operation.dice != "own" && operation.dice != own_dice && !cancels);
    if (crosses && about_owner) return false;
  }
  return true;
}

bool all_affect_only_owner(const std::vector<load::EffectSpec>& effects) {
  return std::all_of(effects.begin(), effects.end(), affects_only_owner);
}

/// Cards of a cell that are left out, as in Caveats.
struct MissingCards {
  std::vector<std::string> unmodelled, no_effect;
  bool empty() const { return unmodelled.empty() && no_effect.empty(); }
};

/// True if the ship has neither ordnance nor a card that does anything: cards differ between cells, and their
/// operations alone do not show whether they affect another ship. Adds cards without a file to `left_out`, as compile
/// lists them.
bool has_no_cross_effects(const Catalogue& catalogue, const Scenario& scenario, const ScenarioShip& given,
                          MissingCards& left_out) {
  const std::string set = catalogue.card_set(scenario.cards, scenario.rules);
  std::vector<const load::CardSpec*> cards;
  const auto add = [&](const char* kind, const std::string& id) {
    cards.push_back(catalogue.card(kind, id, set));
    if (cards.back() != nullptr) return;
    (catalogue.relevant(kind, id, set).value_or(true) ? left_out.unmodelled : left_out.no_effect).push_back(id);
  };
  for (const std::string& id : given.upgrades) add("upgrade", id);
  for (const std::string& id : given.conditions) add("condition", id);
  const load::ShipSpec* ship = nullptr;
  if (given.ship) {
    ship = catalogue.ship(*given.ship, set);
  } else if (given.pilot) {
    const auto ships = catalogue.ships_of_pilot(*given.pilot, set);
    if (ships.size() != 1) return false;
    ship = catalogue.ship(ships[0], set);
  }
  if ((given.ship || given.pilot) && ship == nullptr) return false;
  const load::PilotSpec* pilot = ship != nullptr && given.pilot ? load::find_pilot(*ship, *given.pilot) : nullptr;
  if (given.pilot && pilot == nullptr) return false;
  if (pilot != nullptr) {
    if (pilot->limited > 0) add("pilot", pilot->id);
    if (!pilot->ship_ability.empty()) add("ship", pilot->ship_ability);
  }
  // Ordnance changes the other ship's dice.
  const auto plain = [](const std::vector<load::WeaponSpec>& weapons) {
    return std::none_of(weapons.begin(), weapons.end(), [](const load::WeaponSpec& weapon) { return weapon.ordnance; });
  };
  if (ship != nullptr && !plain(ship->weapons)) return false;
  if (pilot != nullptr && !plain(pilot->weapons)) return false;
  return std::none_of(cards.begin(), cards.end(),
                      [](const load::CardSpec* card) { return card != nullptr && !card->effects.empty(); });
}

/// One side of a cell; empty if it cannot be shared.
template <typename Side>
struct SharedSide {
  std::optional<Side> side;
  MissingCards left_out;
};

/// What the first attack of a cell faces: the defender, and all later attacks.
struct Encounter {
  exact::AnswerValues answers;
  bool destructible = false;
  int health = 0;
  MissingCards left_out;
};

/// A cache of values by number of a cell; a full cache is emptied.
template <typename T>
class BoundedCache {
 public:
  explicit BoundedCache(std::size_t most = kMaxSides) : most_(most) {}

  template <typename Make>
  std::shared_ptr<const T> get(std::uint64_t key, Make make) const {
    {
      const std::shared_lock lock(mutex_);
      if (const auto at = known_.find(key); at != known_.end()) return at->second;
    }
    std::shared_ptr<const T> made = make();
    const std::unique_lock lock(mutex_);
    if (known_.size() >= most_) known_.clear();
    return known_.emplace(key, std::move(made)).first->second;
  }

 private:
  std::size_t most_;
  mutable std::shared_mutex mutex_;
  mutable std::unordered_map<std::uint64_t, std::shared_ptr<const T>> known_;
};

// ---------------------------------------------------------------- rows

void tails(const double* pmf, std::size_t size, std::vector<double>& at_least, double& mean) {
  while (size > 1 && pmf[size - 1] <= 0) --size;
  at_least.resize(size);
  double tail = 0;
  mean = 0;
  for (std::size_t k = size; k-- > 0;) {
    tail += pmf[k];
    at_least[k] = tail;
    mean += static_cast<double>(k) * pmf[k];
  }
  at_least[0] = 1;
}

}  // namespace

/// What cells share: the owners of the axes, and caches.
struct Sweep::Shared {
  bool factored = false;
  std::vector<std::string> ships;  ///< the attackers in order, then the defender
  std::vector<int> owners;         ///< by axis
  int most_dice = 0;
  std::atomic<std::uint64_t> cells{0};
  std::vector<BoundedCache<SharedSide<exact::AttackSide>>> attackers;
  BoundedCache<SharedSide<exact::DefenseSide>> defenders;
  std::vector<BoundedCache<SharedSide<exact::Rest>>> rests;  ///< by attack
  BoundedCache<SharedSide<Encounter>> encounters{kMaxEncounters};
  /// The encounters that a thread has used, so that threads do not contend for every cell.
  using Used = std::unordered_map<std::uint64_t, std::shared_ptr<const SharedSide<Encounter>>>;
  mutable base::PerThread<Used> used;

  int defender() const { return static_cast<int>(ships.size()) - 1; }

  /// The number of the cell `at` after the axes of all ships outside `first` to `last` are set to their first value.
  std::uint64_t key(const load::Grid& grid, std::vector<std::size_t>& at, int first, int last) const {
    std::uint64_t out = 0;
    for (std::size_t a = 0; a < owners.size(); ++a) {
      if (owners[a] != kOthers && (owners[a] < first || owners[a] > last)) at[a] = 0;
      out = out * grid.axes()[a].size() + at[a];
    }
    return out;
  }
};

Sweep::Sweep(const Catalogue& catalogue, const load::Grid& grid, SweepOptions options)
    : catalogue_(catalogue), grid_(grid), options_(std::move(options)), shared_(std::make_unique<Shared>()) {
  AnswerOptions& how = options_.answer;
  answers::check(how);
  how.threads = 1;  // the cells share the cores
  if (!options_.share || how.engine.value_or(EngineChoice::Exact) != EngineChoice::Exact) return;
  Scenario first;
  try {
    first = grid.scenario(std::vector<std::size_t>(grid.axes().size(), 0));
  } catch (const LoadError&) {
    return;  // the rows report the error
  }
  answers::apply(how.overrides, first);
  const load::Edition* edition = catalogue.edition(first.rules);
  if (edition == nullptr || !all_affect_only_owner(edition->effects)) return;
  if (!first.rounds.empty()) return;
  for (const ScenarioAttack& attack : first.attacks) {
    if (attack.on != first.attacks[0].on || attack.initiative) return;
    shared_->ships.push_back(attack.by);
  }
  shared_->ships.push_back(first.attacks[0].on);
  if (first.ships.size() != shared_->ships.size()) return;  // a ship attacks twice, or takes no part
  for (const load::Grid::Axis& axis : grid.axes()) {
    std::optional<int> owner;
    for (const auto& paths : axis.paths) {
      for (const std::string& path : paths) {
        const int one = owner_of(path, shared_->ships);
        // A different edition, other ships or other attacks would change the shared data.
        if (one == kOthers && (path == "rules" || path == "attacks" || path == "ships" || path.ends_with(".by") ||
                               path.ends_with(".on") || path.ends_with(".initiative")))
          return;
        owner = owner && *owner != one ? kOthers : one;
      }
    }
    shared_->owners.push_back(owner.value_or(kOthers));
  }
  shared_->most_dice = std::min(edition->max_dice, exact::kMaxMatrixDice);
  shared_->attackers = std::vector<BoundedCache<SharedSide<exact::AttackSide>>>(first.attacks.size());
  shared_->rests = std::vector<BoundedCache<SharedSide<exact::Rest>>>(first.attacks.size());
  shared_->factored = true;
}

Sweep::~Sweep() = default;

std::uint64_t Sweep::shared() const { return shared_->cells; }

namespace {

/// The sides of a scenario if neither ship affects the other. `left_out`: missing cards of the ship `name`. Cells with
/// other notes are answered separately, and so are attacks beyond range 3, which may be possible or not depending on
/// both ships.
std::optional<exact::AttackMatrix> separate_sides(const Catalogue& catalogue, const Scenario& scenario,
                                                  const std::string& name, MissingCards& left_out) {
  constexpr int kFarthest = 3;
  if (!scenario.roll.empty() ||
      std::any_of(scenario.attacks.begin(), scenario.attacks.end(),
                  [](const ScenarioAttack& attack) { return attack.range > kFarthest || attack.states_faces(); }))
    return std::nullopt;
  for (const auto& [id, ship] : scenario.ships) {
    MissingCards missing;
    if (!has_no_cross_effects(catalogue, scenario, ship, missing)) return std::nullopt;
    if (id == name) left_out = std::move(missing);
  }
  base::sort_once(left_out.unmodelled);
  base::sort_once(left_out.no_effect);
  const compile::CompiledScenario compiled = compile::compile_scenario(catalogue, scenario);
  const compile::Labels& labels = compiled.labels;
  if (!labels.assumed_facts.empty() || !labels.partly.empty() || !labels.notes.empty()) return std::nullopt;
  return exact::attack_matrix_of(compiled.plan);
}

MissingCards both(const MissingCards& a, const MissingCards& b) {
  MissingCards out;
  for (auto list : {&MissingCards::unmodelled, &MissingCards::no_effect}) {
    std::set_union((a.*list).begin(), (a.*list).end(), (b.*list).begin(), (b.*list).end(),
                   std::back_inserter(out.*list));
  }
  return out;
}

/// Looks up what a cell shares with others. An invalid cell shares nothing: answering it separately reports the error.
template <typename SharedPart>
class SharedLookup {
 public:
  SharedLookup(const Catalogue& catalogue, const load::Grid& grid, const Overrides& overrides, const SharedPart& shared)
      : catalogue_(catalogue), grid_(grid), overrides_(overrides), shared_(shared) {}

  std::shared_ptr<const SharedSide<exact::AttackSide>> attacker(const std::vector<std::size_t>& cell, int i) const {
    std::vector<std::size_t> at = cell;
    const std::uint64_t key = shared_.key(grid_, at, i, i);
    return base::nth(shared_.attackers, i).get(key, [&] {
      return half<exact::AttackSide>(
          at, i, [&](exact::AttackMatrix& sides) { return std::move(base::nth(sides.attackers, i)); });
    });
  }

  std::shared_ptr<const SharedSide<exact::DefenseSide>> defender(const std::vector<std::size_t>& cell) const {
    std::vector<std::size_t> at = cell;
    const std::uint64_t key = shared_.key(grid_, at, shared_.defender(), shared_.defender());
    return shared_.defenders.get(key, [&] {
      return half<exact::DefenseSide>(at, shared_.defender(),
                                      [](exact::AttackMatrix& sides) { return std::move(sides.defender); });
    });
  }

  /// The effect of attack k and all later ones.
  std::shared_ptr<const SharedSide<exact::Rest>> rest(const std::vector<std::size_t>& cell, int k) const {
    std::vector<std::size_t> at = cell;
    const std::uint64_t key = shared_.key(grid_, at, k, shared_.defender());
    return base::nth(shared_.rests, k).get(key, [&] {
      auto out = std::make_shared<SharedSide<exact::Rest>>();
      const auto by = attacker(at, k);
      const auto on = defender(at);
      const auto next = k + 1 < shared_.defender() ? rest(at, k + 1) : nullptr;
      if (!by->side || !on->side || (next && !next->side)) return out;
      out->side =
          exact::rest_of_matrix(*by->side, *on->side, static_cast<std::size_t>(k), next ? &*next->side : nullptr);
      out->left_out = both(by->left_out, next ? next->left_out : MissingCards());
      return out;
    });
  }

  std::uint64_t encounter_key(std::vector<std::size_t>& at) const {
    return shared_.key(grid_, at, 1, shared_.defender());
  }

  std::shared_ptr<const SharedSide<Encounter>> encounter(const std::vector<std::size_t>& at, std::uint64_t key) const {
    return shared_.encounters.get(key, [&] {
      auto out = std::make_shared<SharedSide<Encounter>>();
      const auto on = defender(at);
      const auto next = shared_.defender() > 1 ? rest(at, 1) : nullptr;
      if (!on->side || (next && !next->side)) return out;
      const exact::DefenseSide& side = *on->side;
      Encounter& encounter = out->side.emplace();
      encounter.answers = exact::defend(side, 0, side.start, shared_.most_dice, next ? &*next->side : nullptr);
      encounter.destructible = side.destructible;
      encounter.health = side.hull + side.shields;
      encounter.left_out = both(on->left_out, next ? next->left_out : MissingCards());
      return out;
    });
  }

 private:
  template <typename Side, typename Pick>
  std::shared_ptr<const SharedSide<Side>> half(const std::vector<std::size_t>& at, int ship, Pick pick) const {
    auto out = std::make_shared<SharedSide<Side>>();
    try {
      const std::string& name = base::nth(shared_.ships, ship);
      Scenario scenario = grid_.scenario(at);
      answers::apply(overrides_, scenario);
      if (auto sides = separate_sides(catalogue_, scenario, name, out->left_out)) out->side = pick(*sides);
    } catch (const std::exception&) {
      out->side.reset();
    }
    return out;
  }

  const Catalogue& catalogue_;
  const load::Grid& grid_;
  const Overrides& overrides_;
  const SharedPart& shared_;
};

void fill(const exact::AttackSide& attacker, const Encounter& encounter, const std::string& name, SweepRow& row) {
  const std::vector<double> pmf = exact::attack(attacker, encounter.answers, nullptr);
  SweepShip& ship = row.ships.emplace_back();
  ship.name = name;
  tails(pmf.data(), pmf.size(), ship.at_least, ship.mean);
  ship.destructible = encounter.destructible;
  const auto health = static_cast<std::size_t>(encounter.health);
  if (ship.destructible) ship.destroyed = health < ship.at_least.size() ? ship.at_least[health] : 0.0;
  const double value = encounter.answers.kill ? ship.destroyed : ship.mean;
  row.value = attacker.mine ? value : -value;
}

/// The standard error of the mean of a count; 0 if exact.
double mean_se(const std::vector<double>& pmf, double mean, std::uint64_t trials) {
  if (trials == 0) return 0;
  double second = 0;
  for (std::size_t k = 0; k < pmf.size(); ++k) second += static_cast<double>(k * k) * pmf[k];
  return std::sqrt(std::max(0.0, second - mean * mean) / static_cast<double>(trials));
}

/// Fills a row from an ordinary report.
void fill(const Report& report, SweepRow& row) {
  row.engine = report.engine;
  row.value = report.estimates.value.value;
  row.value_se = report.estimates.value.se;
  static_cast<Caveats&>(row) = report;
  if (report.engine == Engine::Sample && !report.engine_reason.empty())
    row.notes.push_back("sampled: " + report.engine_reason);
  for (const ShipEstimates& estimates : report.estimates.ships) {
    if (!estimates.attacked) continue;
    SweepShip& ship = row.ships.emplace_back();
    ship.name = estimates.name;
    std::vector<double> damage;
    for (const Estimate& p : estimates.pmf) damage.push_back(p.value);
    tails(damage.data(), damage.size(), ship.at_least, ship.mean);
    ship.mean_se = report.cases > 1 ? estimates.mean_damage.se : mean_se(damage, ship.mean, report.estimates.trials);
    ship.destructible = !estimates.hull.empty();
    ship.destroyed = estimates.destroyed.value;
    if (report.estimates.trials == 0) continue;
    for (const Estimate& p : estimates.at_least) ship.at_least_se.push_back(p.se);
    ship.destroyed_se = estimates.destroyed.se;
  }
}

}  // namespace

void Sweep::add_costs(const std::vector<std::size_t>& at, SweepRow& row) const {
  Scenario scenario = grid_.scenario(at);
  answers::apply(options_.answer.overrides, scenario);
  const std::string cards = catalogue_.card_set(scenario.cards, scenario.rules);
  for (const auto& [name, ship] : scenario.ships) {
    if (const auto cost = cost_in(catalogue_, ship, cards)) row.costs.emplace_back(name, *cost);
  }
}

void Sweep::prepare(std::uint64_t cells, int threads) const {
  constexpr std::uint64_t kMinCellsPerSide = 8;  // a side is computed in advance only if this many cells share it
  if (!shared_->factored || threads == 1) return;
  const SharedLookup<Shared> finder(catalogue_, grid_, options_.answer.overrides, *shared_);
  const auto for_all = [&](int first, int last, std::size_t most, const auto& find) {
    std::vector<std::size_t> sizes;  // by axis; 1: the axis does not matter
    std::uint64_t many = 1;
    for (std::size_t a = 0; a < shared_->owners.size(); ++a) {
      const int owner = shared_->owners[a];
      sizes.push_back(owner == kOthers || (owner >= first && owner <= last) ? grid_.axes()[a].size() : 1);
      many *= sizes.back();
      if (many > std::min<std::uint64_t>(most, cells / kMinCellsPerSide)) return;
    }
    base::Threads(threads).for_each(static_cast<std::size_t>(many), [&](std::size_t number) {
      std::vector<std::size_t> at(sizes.size());
      for (std::size_t a = sizes.size(); a-- > 0; number /= sizes[a]) at[a] = number % sizes[a];
      try {
        find(at);
      } catch (const std::exception&) {  // the rows report the error
      }
    });
  };
  for_all(1, shared_->defender(), kMaxEncounters,
          [&](std::vector<std::size_t>& at) { finder.encounter(at, finder.encounter_key(at)); });
  for_all(0, 0, kMaxSides, [&](const std::vector<std::size_t>& at) { finder.attacker(at, 0); });
}

void Sweep::play(std::uint64_t first, std::size_t count, std::vector<SweepRow>& rows) const {
  rows.clear();
  rows.resize(count);
  const SharedLookup<Shared> finder(catalogue_, grid_, options_.answer.overrides, *shared_);
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t attacker_key = kNone, encounter_key = kNone, shared = 0;
  std::shared_ptr<const SharedSide<exact::AttackSide>> attacker;
  const SharedSide<Encounter>* encounter = nullptr;  // points into `used`
  Shared::Used& used = shared_->used.local();
  std::vector<std::size_t> at = grid_.coordinates(first), other;
  const auto find = [&] {
    other = at;
    if (const auto key = shared_->key(grid_, other, 0, 0); key != attacker_key) {
      attacker = finder.attacker(at, 0);
      attacker_key = key;
    }
    other = at;
    if (const auto key = finder.encounter_key(other); key != encounter_key) {
      encounter_key = kNone;  // its value may be evicted now
      auto known = used.find(key);
      if (known == used.end()) {
        if (used.size() >= kMaxUsed) used.clear();
        known = used.emplace(key, finder.encounter(other, key)).first;
      }
      encounter = known->second.get();
      encounter_key = key;
    }
    return attacker->side && encounter->side && attacker->side->dice <= shared_->most_dice;
  };
  for (std::size_t i = 0; i < count; ++i) {
    SweepRow& row = rows[i];
    row.cell = first + i;
    try {
      if (shared_->factored && find()) {
        fill(*attacker->side, *encounter->side, shared_->ships.back(), row);
        if (!attacker->left_out.empty() || !encounter->side->left_out.empty()) {
          MissingCards left_out = both(attacker->left_out, encounter->side->left_out);
          row.unmodelled = std::move(left_out.unmodelled);
          row.no_effect = std::move(left_out.no_effect);
        }
        ++shared;
      } else {
        const Report report = answer(catalogue_, grid_.scenario(at), options_.answer);
        if (report.roll) throw ScenarioError("roll", "a sweep counts damage; leave roll out");
        fill(report, row);
      }
      if (options_.costs) add_costs(at, row);
    } catch (...) {
      row.ships.clear();
      row.error = current_failure();
    }
    for (std::size_t a = at.size(); a-- > 0;) {  // the next cell
      if (++at[a] < grid_.axes()[a].size()) break;
      at[a] = 0;
    }
  }
  shared_->cells += shared;
}

}  // namespace salvo::study
