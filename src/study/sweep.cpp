// Sweep: see sweep.h.
//
// A grid over single attacks falls into axes of the attacker, axes of the defender, and others. The attacker's side of
// a cell then depends on the attacker's and the other axes only, the defender's likewise, so each is compiled once
// (exact::sides_of) and every pair of them is only matched (exact::match). That is so as long as no rule or card of one
// ship reads or changes the other's (own_business); where it is not, the cell is answered as any scenario is.
#include "study/sweep.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "exact/match_up.h"
#include "salvo/compile.h"

namespace salvo::study {
namespace {

constexpr std::size_t kMostSides = 50'000;  ///< kept at a time, some 100 MB at most

/// Which side's keys an axis sets.
enum class Whose { Attacker, Defender, Other };

/// "ships.NAME.key" with a key that only the ship itself feels, or Other.
Whose whose(const std::string& path, const std::string& attacker, const std::string& defender) {
  const auto of = [&](const std::string& ship) {
    const std::string prefix = "ships." + ship + ".";
    return path.starts_with(prefix) && path.find('[') == std::string::npos && path.substr(prefix.size()) != "side";
  };
  return of(attacker) ? Whose::Attacker : of(defender) ? Whose::Defender : Whose::Other;
}

// ---------------------------------------------------------------- whether the sides are separate

bool mentions_other(const std::string& expression) {
  // Facts of the other ship; "hit", "remaining" and faces of dice make a card no token play, so they need no care here.
  return expression.find("foe") != std::string::npos;
}

/// True when the effect reads and changes only its owner's side, or is the same for all ships.
bool own_business(const EffectSpec& effect) {
  if (mentions_other(effect.when) || mentions_other(effect.times)) return false;
  const bool about_owner = effect.when.find("self") != std::string::npos || effect.may || !effect.cost.empty();
  for (const CostSpec& cost : effect.cost) {
    if (cost.who != "self") return false;
  }
  for (const OperationSpec& operation : effect.operations) {
    if (mentions_other(operation.amount)) return false;
    const std::string own_dice = effect.side == "attacker" ? "attack" : effect.side == "defender" ? "defense" : "own";
    // The defender's reinforcement cancels attack dice after both sides have rolled.
    const bool cancels = operation.verb == Verb::Cancel && effect.side == "defender" && effect.at == Window::Neutralize;
    const bool crosses = operation.who != "self" ||
                         (!operation.dice.empty() && operation.dice != "own" && operation.dice != own_dice && !cancels);
    if (crosses && about_owner) return false;
  }
  return true;
}

bool all_own_business(const std::vector<EffectSpec>& effects) {
  return std::all_of(effects.begin(), effects.end(), own_business);
}

const PilotSpec* pilot_of(const ShipSpec* ship, const ScenarioShip& given) {
  if (ship == nullptr || !given.pilot) return nullptr;
  const auto at =
      std::find_if(ship->pilots.begin(), ship->pilots.end(), [&](const PilotSpec& p) { return p.id == *given.pilot; });
  return at == ship->pilots.end() ? nullptr : &*at;
}

/// A card's effect on the other side's dice must come from all cells alike; simplest is that no card has an effect that
/// does not keep to its own ship, and that a card that brings a side in brings no condition on the other.
/// The ids of its cards that have no file go into `unmodelled`, as compile lists them.
bool separate(const Catalogue& catalogue, const Scenario& scenario, const ScenarioShip& given,
              std::vector<std::string>& unmodelled) {
  std::vector<const CardSpec*> cards;
  const auto add = [&](const char* kind, const std::string& id) {
    cards.push_back(catalogue.card(kind, id, scenario.cards));
    if (cards.back() == nullptr) unmodelled.push_back(id);
  };
  for (const std::string& id : given.upgrades) add("upgrade", id);
  const ShipSpec* ship = nullptr;
  if (given.ship) {
    ship = catalogue.ship(*given.ship, scenario.cards);
  } else if (given.pilot) {
    const auto ships = catalogue.ships_of_pilot(*given.pilot, scenario.cards);
    if (ships.size() != 1) return false;
    ship = catalogue.ship(ships[0], scenario.cards);
  }
  if ((given.ship || given.pilot) && ship == nullptr) return false;
  const PilotSpec* pilot = pilot_of(ship, given);
  if (given.pilot && pilot == nullptr) return false;
  if (pilot != nullptr) {
    if (pilot->limited > 0) add("pilot", pilot->id);
    if (!pilot->ship_ability.empty()) add("ship", pilot->ship_ability);
  }
  // Ordnance changes the other ship's dice.
  const auto plain = [](const std::vector<WeaponSpec>& weapons) {
    return std::none_of(weapons.begin(), weapons.end(), [](const WeaponSpec& weapon) { return weapon.ordnance; });
  };
  if (ship != nullptr && !plain(ship->weapons)) return false;
  if (pilot != nullptr && !plain(pilot->weapons)) return false;
  return std::all_of(cards.begin(), cards.end(), [](const CardSpec* card) {
    if (card == nullptr) return true;
    // A card's effect on the other ship is one whether it has a condition or not: the cards differ from cell to cell.
    const bool crosses = std::any_of(card->effects.begin(), card->effects.end(), [](const EffectSpec& effect) {
      return effect.side == "any" ||
             std::any_of(effect.operations.begin(), effect.operations.end(), [&](const OperationSpec& op) {
               const char* own = effect.side == "attacker" ? "attack" : "defense";
               return op.who != "self" || (!op.dice.empty() && op.dice != "own" && op.dice != own);
             });
    });
    const bool only_stats = std::all_of(card->effects.begin(), card->effects.end(), [](const EffectSpec& effect) {
      return std::all_of(effect.operations.begin(), effect.operations.end(),
                         [](const OperationSpec& op) { return op.verb == Verb::Stat && op.who == "self"; });
    });
    return only_stats || (!crosses && all_own_business(card->effects));
  });
}

/// One side of a cell, where it is one that can be matched.
template <typename Side>
struct Half {
  std::optional<Side> side;
  std::vector<std::string> unmodelled;
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

/// What cells share: how the axes fall to the sides, and the sides that are known.
struct Sweep::Shared {
  bool factored = false;
  std::string attacker, defender;
  std::vector<Whose> axes;
  mutable std::atomic<std::uint64_t> cells{0};

  template <typename Side>
  struct Store {
    mutable std::shared_mutex mutex;
    mutable std::unordered_map<std::uint64_t, std::shared_ptr<const Half<Side>>> known;

    template <typename Make>
    std::shared_ptr<const Half<Side>> get(std::uint64_t key, Make make) const {
      {
        const std::shared_lock lock(mutex);
        if (const auto at = known.find(key); at != known.end()) return at->second;
      }
      std::shared_ptr<const Half<Side>> made = make();
      const std::unique_lock lock(mutex);
      if (known.size() >= kMostSides) known.clear();
      return known.emplace(key, std::move(made)).first->second;
    }
  };
  Store<exact::AttackSide> attackers;
  Store<exact::DefenseSide> defenders;

  /// The number of the cell that has the same values as `at` on the axes of one side and the others, and the first
  /// values on the axes of `without`.
  std::uint64_t key(const Grid& grid, std::vector<std::size_t>& at, Whose without) const {
    std::uint64_t out = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a] == without) at[a] = 0;
      out = out * grid.axes()[a].labels.size() + at[a];
    }
    return out;
  }
};

Sweep::Sweep(const Catalogue& catalogue, const Grid& grid, CellAnswer answer)
    : catalogue_(catalogue), grid_(grid), answer_(std::move(answer)), shared_(std::make_unique<Shared>()) {
  if (!answer_.exact) return;
  Scenario first;
  try {
    first = grid.scenario(std::vector<std::size_t>(grid.axes().size(), 0));
  } catch (const LoadError&) {
    return;  // the rows say what is wrong
  }
  const Edition* edition = catalogue.edition(first.rules);
  if (first.attacks.size() != 1 || edition == nullptr || !all_own_business(edition->effects)) return;
  shared_->attacker = first.attacks[0].by;
  shared_->defender = first.attacks[0].on;
  for (const Grid::Axis& axis : grid.axes()) {
    std::optional<Whose> all;
    for (const auto& paths : axis.paths) {
      for (const std::string& path : paths) {
        const Whose one = whose(path, shared_->attacker, shared_->defender);
        // Another ship, edition or number of attacks would change what is shared.
        if (one == Whose::Other &&
            (path == "rules" || path == "attacks" || path == "ships" || path.ends_with(".by") || path.ends_with(".on")))
          return;
        all = all && *all != one ? Whose::Other : one;
      }
    }
    shared_->axes.push_back(all.value_or(Whose::Other));
  }
  shared_->factored = true;
}

Sweep::~Sweep() = default;

std::uint64_t Sweep::shared() const { return shared_->cells; }

namespace {

/// The sides of a scenario, when nothing of one ship touches the other's. `unmodelled`: cards of the ship `name`.
std::optional<exact::Sides> separate_sides(const Catalogue& catalogue, const Scenario& scenario,
                                           const std::string& name, std::vector<std::string>& unmodelled) {
  for (const auto& [id, ship] : scenario.ships) {
    std::vector<std::string> missing;
    if (!separate(catalogue, scenario, ship, missing)) return std::nullopt;
    if (id == name || (id != scenario.attacks[0].by && id != scenario.attacks[0].on))
      unmodelled.insert(unmodelled.end(), missing.begin(), missing.end());
  }
  std::sort(unmodelled.begin(), unmodelled.end());
  unmodelled.erase(std::unique(unmodelled.begin(), unmodelled.end()), unmodelled.end());
  return exact::sides_of(compile(catalogue, scenario).plan);
}

void fill(const exact::AttackSide& attack, const exact::DefenseSide& defense, const std::string& name, SweepRow& row) {
  const exact::MatchPmf pmf = exact::match(attack, defense);
  SweepShip& ship = row.ships.emplace_back();
  ship.name = name;
  tails(pmf.data(), static_cast<std::size_t>(attack.dice) + 1, ship.at_least, ship.mean);
  ship.destructible = defense.destructible;
  const auto health = static_cast<std::size_t>(defense.hull + defense.shields);
  if (ship.destructible) ship.destroyed = health < ship.at_least.size() ? ship.at_least[health] : 0.0;
  row.value = attack.mine ? ship.mean : -ship.mean;
}

/// Answers a cell as any scenario is.
void fill(const Report& report, SweepRow& row) {
  const Distribution& d = report.main();
  row.engine = report.engine == "exact" ? "exact" : report.engine == "sample" ? "sample" : "both";
  row.value = d.value;
  row.value_se = d.value_se;
  row.unmodelled = report.labels.unmodelled;
  std::vector<bool> attacked(d.ships.size(), false);
  for (const auto& [by, on] : report.labels.attacks) attacked[static_cast<std::size_t>(on)] = true;
  for (std::size_t s = 0; s < d.ships.size(); ++s) {
    if (!attacked[s]) continue;
    SweepShip& ship = row.ships.emplace_back();
    ship.name = report.labels.ships[s];
    const Eigen::ArrayXd& damage = d.ships[s].damage;
    tails(damage.data(), static_cast<std::size_t>(damage.size()), ship.at_least, ship.mean);
    if (d.trials > 0) {
      double second = 0;
      for (Eigen::Index k = 0; k < damage.size(); ++k) second += static_cast<double>(k * k) * damage(k);
      ship.mean_se = std::sqrt(std::max(0.0, second - ship.mean * ship.mean) / static_cast<double>(d.trials));
    }
    ship.destructible = d.ships[s].hull.size() > 0;
    ship.destroyed = d.ships[s].destroyed;
  }
}

}  // namespace

void Sweep::play(std::uint64_t first, std::size_t count, std::vector<SweepRow>& rows) const {
  rows.clear();
  rows.resize(count);
  std::uint64_t attack_key = ~std::uint64_t{0}, defense_key = ~std::uint64_t{0}, shared = 0;
  std::shared_ptr<const Half<exact::AttackSide>> attack;
  std::shared_ptr<const Half<exact::DefenseSide>> defense;
  std::vector<std::size_t> at = grid_.coordinates(first), other;
  for (std::size_t i = 0; i < count; ++i) {
    SweepRow& row = rows[i];
    row.cell = first + i;
    try {
      bool done = false;
      if (shared_->factored) {
        other = at;
        if (const auto key = shared_->key(grid_, other, Whose::Defender); key != attack_key) {
          attack = shared_->attackers.get(key, [&] {
            auto made = std::make_shared<Half<exact::AttackSide>>();
            if (auto sides = separate_sides(catalogue_, grid_.scenario(other), shared_->attacker, made->unmodelled))
              made->side = std::move(sides->attack);
            return made;
          });
          attack_key = key;
        }
        if (attack->side) {
          other = at;
          if (const auto key = shared_->key(grid_, other, Whose::Attacker); key != defense_key) {
            defense = shared_->defenders.get(key, [&] {
              auto made = std::make_shared<Half<exact::DefenseSide>>();
              if (auto sides = separate_sides(catalogue_, grid_.scenario(other), shared_->defender, made->unmodelled))
                made->side = std::move(sides->defense);
              return made;
            });
            defense_key = key;
          }
          if (defense->side) {
            fill(*attack->side, *defense->side, shared_->defender, row);
            if (!attack->unmodelled.empty() || !defense->unmodelled.empty()) {
              std::set_union(attack->unmodelled.begin(), attack->unmodelled.end(), defense->unmodelled.begin(),
                             defense->unmodelled.end(), std::back_inserter(row.unmodelled));
            }
            ++shared;
            done = true;
          }
        }
      }
      if (!done) fill(answer_.report(grid_.scenario(at)), row);
    } catch (...) {
      attack_key = defense_key = ~std::uint64_t{0};
      row.ships.clear();
      row.error = answer_.failure();
    }
    for (std::size_t a = at.size(); a-- > 0;) {  // the next cell
      if (++at[a] < grid_.axes()[a].labels.size()) break;
      at[a] = 0;
    }
  }
  shared_->cells += shared;
}

}  // namespace salvo::study
