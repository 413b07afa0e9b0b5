// The literal reference, see literal.h. The order of this file: tokens and dice, the checked scenario, the legal plays
// of one modify step, the choice between plays, the steps of an attack, and last the forward pass that turns the
// chosen plays into distributions.
#include "literal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <functional>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace literal {
namespace {

// ---------------------------------------------------------------------------------------------- tokens and dice

enum Token {
  kFocus,
  kCalculate,
  kEvade,
  kForce,
  kReinforce,
  kStrain,
  kDeplete,
  kTractor,
  kStress,
  kIon,
  kJam,
  kCloak,
  kDisarm,
  kTokenKinds
};

const std::array<std::string, kTokenKinds>& token_names() {
  static const std::array<std::string, kTokenKinds> names = {"focus",  "calculate", "evade",   "force",  "reinforce",
                                                             "strain", "deplete",   "tractor", "stress", "ion",
                                                             "jam",    "cloak",     "disarm"};
  return names;
}

// The damage deck: the effect of each card in a round of attacks without maneuvers and actions.
enum Card {
  kDirectHit,          // suffer 1 hit damage, then repair it
  kFuelLeak,           // after suffering 1 crit damage, suffer 1 hit damage and repair it
  kHullBreach,         // hit damage is suffered as crit damage
  kStructuralDamage,   // one defense die fewer
  kWeaponsFailure,     // one attack die fewer
  kBlindedPilot,       // attack dice modified only by spending force
  kConsoleFire,        // before engaging roll an attack die: on a hit result suffer 1 hit damage
  kDisabledRegulator,  // before engaging gain an ion token
  kPanickedPilot,      // gain 2 stress tokens, then repair it
  kOtherCard,          // Wounded, Stunned; Engine, Sensor Array, Stabilizer: about maneuvers and actions
  kCardKinds
};

const std::array<int, kCardKinds>& cards_in_deck() {
  static const std::array<int, kCardKinds> cards = {5, 4, 2, 2, 2, 2, 2, 2, 2, 10};
  return cards;
}

enum class Face { kBlank, kFocusResult, kHit, kCrit, kEvadeResult };

// A die is rerolled at most once in an attack (000: Introduction), so it remembers whether it was.
struct Die {
  Face face = Face::kBlank;
  bool rerolled = false;
  auto operator<=>(const Die&) const = default;
};

// Always sorted: the order of dice in a pool does not matter.
using Dice = std::vector<Die>;

struct Roll {
  Dice dice;
  double probability = 0.0;
};

using Weights = std::vector<std::pair<Face, double>>;

// The eight faces of an attack die: 3 hit, 1 critical hit, 2 focus, 2 blank.
Weights attack_die() {
  return {{Face::kHit, 3.0 / 8}, {Face::kCrit, 1.0 / 8}, {Face::kFocusResult, 2.0 / 8}, {Face::kBlank, 2.0 / 8}};
}

// The eight faces of a defense die: 3 evade, 2 focus, 3 blank.
Weights defense_die() {
  return {{Face::kEvadeResult, 3.0 / 8}, {Face::kFocusResult, 2.0 / 8}, {Face::kBlank, 3.0 / 8}};
}

void roll_one_more(const Weights& die, int left, bool rerolled, const Dice& so_far, double probability,
                   std::map<Dice, double>& rolls) {
  if (left == 0) {
    Dice sorted = so_far;
    std::sort(sorted.begin(), sorted.end());
    rolls[sorted] += probability;
    return;
  }
  for (const auto& [face, weight] : die) {
    Dice next = so_far;
    next.push_back({face, rerolled});
    roll_one_more(die, left - 1, rerolled, next, probability * weight, rolls);
  }
}

// Every roll of n dice, one die after the other; rolls that show the same dice are added up.
std::vector<Roll> all_rolls(const Weights& die, int n, bool rerolled) {
  std::map<Dice, double> rolls;
  roll_one_more(die, n, rerolled, {}, 1.0, rolls);
  std::vector<Roll> result;
  for (const auto& [dice, probability] : rolls) result.push_back({dice, probability});
  return result;
}

int count(const Dice& dice, Face face) {
  return static_cast<int>(std::count_if(dice.begin(), dice.end(), [&](const Die& die) { return die.face == face; }));
}

Dice together(const Dice& others, const Dice& rolled) {
  Dice dice = others;
  dice.insert(dice.end(), rolled.begin(), rolled.end());
  std::sort(dice.begin(), dice.end());
  return dice;
}

// ---------------------------------------------------------------------------------------------- the checked scenario

enum class Objective { kDamage, kKill, kHealth, kExchange };
enum class Policy { kOptimal, kGreedy, kHold };
enum class Role { kAttacker, kDefender };

// The state of a ship, which changes from attack to attack.
struct ShipState {
  std::array<int, kTokenKinds> tokens{};
  std::vector<std::size_t> locks;  // the ships it has locked, in increasing order
  int damage = 0;     // suffered so far; not counted under the objective damage without a deck, where nothing reads it
  bool gone = false;  // removed from play
  std::array<int, kCardKinds> drawn{}, faceup{};  // damage cards dealt faceup, and those still faceup
  std::array<bool, 3> spent{};                    // first edition: focus, evade, lock were spent in this attack
  auto operator<=>(const ShipState&) const = default;
};

using Position = std::vector<ShipState>;

struct Game {
  Scenario scenario;
  Objective objective = Objective::kDamage;
  Policy attacker_policy = Policy::kOptimal, defender_policy = Policy::kOptimal;
  std::vector<int> side;                        // by ship, +1 or -1
  std::vector<std::size_t> attacker, defender;  // by attack
  Position start;
};

[[noreturn]] void wrong(const std::string& what) { throw std::invalid_argument(what); }

std::size_t ship_index(const Scenario& scenario, const std::string& name) {
  for (std::size_t s = 0; s < scenario.ships.size(); ++s)
    if (scenario.ships[s].name == name) return s;
  wrong("no ship is named " + name);
}

Objective read_objective(const std::string& word) {
  if (word == "damage") return Objective::kDamage;
  if (word == "kill") return Objective::kKill;
  if (word == "health") return Objective::kHealth;
  if (word == "exchange") return Objective::kExchange;
  wrong("unknown objective " + word);
}

Policy read_policy(const std::string& word) {
  if (word == "optimal") return Policy::kOptimal;
  if (word == "greedy") return Policy::kGreedy;
  if (word == "hold") return Policy::kHold;
  wrong("unknown policy " + word);
}

// 000: Tractor, Ship_Sizes, Huge_Ships: how many tractor tokens make a ship of this size tractored.
int tractor_threshold(const std::string& size) {
  if (size == "small") return 1;
  if (size == "medium") return 2;
  if (size == "large") return 3;
  if (size == "huge") return 6;
  wrong("unknown size " + size);
}

ShipState read_ship(const Scenario& scenario, std::size_t s) {
  const Ship& ship = scenario.ships[s];
  if (ship_index(scenario, ship.name) != s) wrong("two ships are named " + ship.name);
  if (ship.attack < 0 || ship.agility < 0 || ship.shields < 0) wrong(ship.name + " has a negative value");
  if (ship.hull == 0 || ship.hull < -1) wrong(ship.name + " needs a hull of at least 1");
  if (ship.side < -1 || ship.side > 1) wrong(ship.name + " has an unknown side");
  tractor_threshold(ship.size);
  ShipState state;
  for (const auto& [name, number] : ship.tokens) {
    const auto& names = token_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) wrong("unknown token " + name);
    if (number < 0) wrong(ship.name + " has a negative number of tokens: " + name);
    state.tokens[static_cast<std::size_t>(found - names.begin())] = number;
  }
  if (state.tokens[kCloak] > 1) wrong(ship.name + " cannot gain a second cloak token");  // 000: Cloak
  for (const std::string& name : ship.locks) {
    const std::size_t locked = ship_index(scenario, name);
    if (locked == s) wrong(name + " cannot have a lock on itself");  // 000: Lock
    if (std::count(state.locks.begin(), state.locks.end(), locked) > 0) wrong(ship.name + " locks twice: " + name);
    state.locks.push_back(locked);
  }
  std::sort(state.locks.begin(), state.locks.end());
  return state;
}

// Gives every ship of an attack the side opposed to the other's, until nothing changes.
void oppose_sides(Game& game) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < game.attacker.size(); ++i) {
      int& a = game.side[game.attacker[i]];
      int& d = game.side[game.defender[i]];
      if (a != 0 && a == d) wrong("attacker and defender are on the same side");
      if ((a == 0) == (d == 0)) continue;
      (a == 0 ? a : d) = -(a == 0 ? d : a);
      changed = true;
    }
  }
}

// Sides (docs/format.md: Sides): attacker and defender are opposed; if that leaves sides open, the first attacker is
// mine.
void read_sides(Game& game) {
  for (const Ship& ship : game.scenario.ships) game.side.push_back(ship.side);
  oppose_sides(game);
  if (!game.attacker.empty() && game.side[game.attacker[0]] == 0) {
    game.side[game.attacker[0]] = +1;
    oppose_sides(game);
  }
  for (std::size_t s = 0; s < game.side.size(); ++s)
    if (game.side[s] == 0) wrong("neither side can claim " + game.scenario.ships[s].name);
}

void read_attack(Game& game, std::size_t i) {
  const Attack& attack = game.scenario.attacks[i];
  const std::size_t by = ship_index(game.scenario, attack.by), on = ship_index(game.scenario, attack.on);
  if (by == on) wrong(attack.by + " attacks itself");
  if (attack.range < 0 || attack.range > 5) wrong("the range is 0..5");
  if (game.scenario.first_edition && attack.range == 0) wrong("ships that touch cannot attack");  // 002: Overlapping
  const ShipState& attacker = game.start[by];
  if (attacker.tokens[kCloak] > 0) wrong(attack.by + " is cloaked and cannot attack");    // 000: Cloak
  if (attacker.tokens[kDisarm] > 0) wrong(attack.by + " is disarmed and cannot attack");  // 000: Disarmed
  if (i > 0) {
    const auto& before = game.scenario.attacks[i - 1].initiative;
    if (before.has_value() != attack.initiative.has_value()) wrong("initiative: all attacks or none");
    if (before && *before < *attack.initiative) wrong("initiative never rises");
  }
  game.attacker.push_back(by);
  game.defender.push_back(on);
}

// kill and health read the hull of every target; exchange reads that of every ship on the target's side.
void check_hulls(const Game& game) {
  if (game.objective == Objective::kDamage) return;
  for (const std::size_t target : game.defender)
    for (std::size_t s = 0; s < game.side.size(); ++s) {
      const bool read = s == target || (game.objective == Objective::kExchange && game.side[s] == game.side[target]);
      const Ship& ship = game.scenario.ships[s];
      if (read && ship.hull < 0) wrong("the objective needs the hull of " + ship.name);
    }
}

Game read_scenario(const Scenario& scenario) {
  Game game;
  game.scenario = scenario;
  game.objective = read_objective(scenario.objective);
  game.attacker_policy = read_policy(scenario.attacker_policy);
  game.defender_policy = read_policy(scenario.defender_policy);
  for (std::size_t s = 0; s < scenario.ships.size(); ++s) game.start.push_back(read_ship(scenario, s));
  for (std::size_t i = 0; i < scenario.attacks.size(); ++i) read_attack(game, i);
  read_sides(game);
  check_hulls(game);
  return game;
}

// ---------------------------------------------------------------------------------- the legal plays of a modify step

// Everything a player does in one modify step up to the next dice roll (rerolls > 0) or the end of the step.
struct Decision {
  ShipState ship;   // his ship right after the decision
  Dice kept;        // the dice that are not rerolled, as modified
  int rerolls = 0;  // how many dice he rerolls now
  auto operator<=>(const Decision&) const = default;
};

Decision changed_die(const Decision& from, std::size_t die, Face face, Token cost) {
  Decision to = from;
  to.ship.tokens[cost] -= 1;
  to.kept[die].face = face;
  std::sort(to.kept.begin(), to.kept.end());
  return to;
}

enum Spent { kFocusSpent, kEvadeSpent, kLockSpent };

// The first edition's tokens. 003: Spending Tokens: each kind once in a modify step for its normal effect; a focus
// token also without a focus result, a target lock also to reroll no die. 002: Evade: it adds a result.
std::vector<Decision> first_edition_plays(const Decision& from, Role role, std::size_t defender) {
  std::vector<Decision> plays;
  if (from.ship.tokens[kFocus] > 0 && !from.ship.spent[kFocusSpent]) {
    Decision to = from;
    to.ship.tokens[kFocus] -= 1;
    to.ship.spent[kFocusSpent] = true;
    for (Die& die : to.kept)
      if (die.face == Face::kFocusResult) die.face = role == Role::kAttacker ? Face::kHit : Face::kEvadeResult;
    std::sort(to.kept.begin(), to.kept.end());
    plays.push_back(to);
  }
  if (role == Role::kDefender && from.ship.tokens[kEvade] > 0 && !from.ship.spent[kEvadeSpent]) {
    Decision to = from;
    to.ship.tokens[kEvade] -= 1;
    to.ship.spent[kEvadeSpent] = true;
    to.kept.push_back({Face::kEvadeResult, false});
    std::sort(to.kept.begin(), to.kept.end());
    plays.push_back(to);
  }
  const auto& locks = from.ship.locks;
  if (role == Role::kAttacker && std::count(locks.begin(), locks.end(), defender) > 0) {
    Decision to = from;
    std::erase(to.ship.locks, defender);
    to.ship.spent[kLockSpent] = true;
    plays.push_back(to);
  }
  return plays;
}

// Each single use of a token, from the dice and tokens in `from`.
std::vector<Decision> token_plays(const Decision& from, Role role) {
  const Face success = role == Role::kAttacker ? Face::kHit : Face::kEvadeResult;
  const bool blinded = role == Role::kAttacker && from.ship.faceup[kBlindedPilot] > 0;
  std::vector<Decision> plays;
  // 000: Focus: all focus results change; not without a focus result.
  if (!blinded && from.ship.tokens[kFocus] > 0 && count(from.kept, Face::kFocusResult) > 0) {
    Decision to = from;
    to.ship.tokens[kFocus] -= 1;
    for (Die& die : to.kept)
      if (die.face == Face::kFocusResult) die.face = success;
    std::sort(to.kept.begin(), to.kept.end());
    plays.push_back(to);
  }
  for (std::size_t die = 0; die < from.kept.size(); ++die) {
    const Face face = from.kept[die].face;
    // 000: Calculate; 000: Charges (Force Charge): one focus result for each token or charge.
    for (const Token cost : {kCalculate, kForce})
      if (from.ship.tokens[cost] > 0 && face == Face::kFocusResult && !(blinded && cost == kCalculate))
        plays.push_back(changed_die(from, die, success, cost));
    // 000: Evade: while defending, one blank or focus result for each token.
    if (role == Role::kDefender && from.ship.tokens[kEvade] > 0 && (face == Face::kFocusResult || face == Face::kBlank))
      plays.push_back(changed_die(from, die, Face::kEvadeResult, kEvade));
  }
  return plays;
}

// 000: Lock: spend the lock on the defender to reroll one or more attack dice; every choice of dice not yet rerolled.
void add_lock_plays(const Decision& from, std::size_t defender, std::set<Decision>& decisions) {
  const auto& locks = from.ship.locks;
  if (std::count(locks.begin(), locks.end(), defender) == 0) return;
  for (unsigned chosen = 1; chosen < (1u << from.kept.size()); ++chosen) {
    Decision to = from;
    std::erase(to.ship.locks, defender);
    to.kept.clear();
    bool legal = true;
    for (std::size_t die = 0; die < from.kept.size(); ++die) {
      const bool reroll = ((chosen >> die) & 1u) != 0;
      if (reroll && from.kept[die].rerolled) legal = false;
      if (!reroll) to.kept.push_back(from.kept[die]);
      to.rerolls += reroll ? 1 : 0;
    }
    if (legal) decisions.insert(to);
  }
}

// Every decision, found by trying the single plays in every order.
std::vector<Decision> all_decisions(const ShipState& ship, const Dice& dice, Role role, std::size_t defender,
                                    bool first_edition) {
  std::set<Decision> seen;
  std::vector<Decision> to_try = {{ship, dice, 0}};
  while (!to_try.empty()) {
    const Decision from = to_try.back();
    to_try.pop_back();
    if (!seen.insert(from).second) continue;
    const auto plays = first_edition ? first_edition_plays(from, role, defender) : token_plays(from, role);
    for (const Decision& to : plays) to_try.push_back(to);
  }
  std::set<Decision> decisions = seen;
  if (role == Role::kAttacker && ship.faceup[kBlindedPilot] == 0)
    for (const Decision& from : seen) add_lock_plays(from, defender, decisions);
  return {decisions.begin(), decisions.end()};
}

// ------------------------------------------------------------------------------------------- the choice between plays

// Expected gain of mine minus theirs. The second figure is compared when the first is equal; only kill uses it.
struct Value {
  double primary = 0.0, secondary = 0.0;
};

void add(Value& sum, double probability, const Value& value) {
  sum.primary += probability * value.primary;
  sum.secondary += probability * value.secondary;
}

// Keeps the decisions whose figure is the best for this side, or equal to it by the tolerance for ties (docs/format.md:
// Ties).
void keep_best(std::vector<std::size_t>& left, int side, const std::function<double(std::size_t)>& figure) {
  double best = figure(left.front());
  for (const std::size_t k : left) best = side > 0 ? std::max(best, figure(k)) : std::min(best, figure(k));
  const double slack = 1e-11 * std::max(1.0, std::abs(best));
  std::erase_if(left, [&](std::size_t k) { return std::abs(figure(k) - best) > slack; });
}

void keep_most(std::vector<std::size_t>& left, const std::function<int(std::size_t)>& number) {
  int most = number(left.front());
  for (const std::size_t k : left) most = std::max(most, number(k));
  std::erase_if(left, [&](std::size_t k) { return number(k) != most; });
}

int tokens_kept(const ShipState& ship) {
  return ship.tokens[kFocus] + ship.tokens[kCalculate] + ship.tokens[kEvade] + ship.tokens[kForce] +
         static_cast<int>(ship.locks.size());
}

// Ties (docs/format.md: Ties): best value, most tokens left, then the order of spending, then the fewest dice rerolled.
std::size_t best_decision(int side, const std::vector<Decision>& decisions, const std::vector<Value>& values) {
  std::vector<std::size_t> left(decisions.size());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
  keep_best(left, side, [&](std::size_t k) { return values[k].primary; });
  keep_best(left, side, [&](std::size_t k) { return values[k].secondary; });
  keep_most(left, [&](std::size_t k) { return tokens_kept(decisions[k].ship); });
  // More spent of a kind means less left of it, because all decisions start from the same ship.
  for (const Token kind : {kCalculate, kFocus, kEvade, kForce})
    keep_most(left, [&](std::size_t k) { return -decisions[k].ship.tokens[kind]; });
  keep_most(left, [&](std::size_t k) { return -static_cast<int>(decisions[k].ship.locks.size()); });
  keep_most(left, [&](std::size_t k) { return -decisions[k].rerolls; });
  return left.front();
}

// --------------------------------------------------------------------------------------------- the steps of an attack

struct Results {
  int hits = 0, crits = 0;
  auto operator<=>(const Results&) const = default;
};

struct Choice {
  Decision decision;
  Value value;
};

// The horizon of the values: the end of the scenario with each role's policy, or (greedy) the end of this attack
// with both players at their best.
enum class Horizon { kScenario, kThisAttack };

int clamp_dice(int dice) { return std::clamp(dice, 0, 6); }

class Solver {
 public:
  Solver(const Game& game, std::size_t most) : game_(game), most_(most) {}

  Result result();

 private:
  using Ends = std::map<std::pair<Position, Results>, double>;                    // how an attack can end
  using Chances = std::map<Position, double>;                                     // how damage can be suffered
  using Histories = std::map<std::pair<Position, std::vector<Results>>, double>;  // position, results each ship took

  // The rules of one attack.
  int attack_dice(std::size_t i, const Position& at) const;
  int defense_dice(std::size_t i, const Position& at) const;
  static Position without_one(Position at, std::size_t ship, Token token);
  Results neutralize(std::size_t i, const Position& at, Results attack, int evades) const;
  Position after_damage(std::size_t i, Position at, Results results) const;
  const Chances& suffer(const Position& at, std::size_t ship, int hits, int crits);
  Chances suffer_crit(const Position& at, std::size_t ship);
  Chances then_suffer(const Chances& before, std::size_t ship, int hits, int crits);
  Chances after_results(std::size_t i, const Position& at, Results results);
  Chances before_attack(std::size_t i, const Position& at);
  Value gain(const Position& before, const Position& after) const;
  Position after_initiative(std::size_t i, Position at) const;
  bool has_still_to_attack(std::size_t i, std::size_t ship) const;
  bool happens(std::size_t i, const Position& at) const;
  int health(std::size_t ship) const;
  bool destroyed(std::size_t ship, int damage) const;
  Value gain(std::size_t i, const Position& at, Results results) const;

  // Values and choices.
  Value value_from(std::size_t i, const Position& at);
  Value value_of_attack(Horizon horizon, std::size_t i, const Position& at);
  Value value_of_reroll(Horizon horizon, std::size_t i, const Position& at, const Dice& kept, int rerolls);
  Value value_of_defense(Horizon horizon, std::size_t i, const Position& at, Results attack);
  Value value_of_results(Horizon horizon, std::size_t i, const Position& at, Results attack, int evades);
  const Choice& attacker_choice(Horizon horizon, std::size_t i, const Position& at, const Dice& dice);
  Choice defender_choice(Horizon horizon, std::size_t i, const Position& at, Results attack, const Dice& dice);
  Choice choose(Horizon horizon, Role role, std::size_t i, const ShipState& ship, const Dice& dice,
                const std::function<Value(const Decision&)>& value, const std::function<Choice()>& greedy);
  const std::vector<Roll>& rolls(Role role, int n, bool rerolled);
  const std::vector<Decision>& decisions(Role role, std::size_t i, const ShipState& ship, const Dice& dice);

  // The forward pass.
  void play_attack_dice(std::size_t i, const Position& at, const Dice& dice, double probability, Ends& ends);
  Ends play_attack(std::size_t i, const Position& at);
  Histories play_histories(std::size_t i, const Histories& before, AttackResult& estimates, double& value);
  void add_ship(std::size_t ship, const Histories& histories, Result& result) const;

  template <typename Remembered>
  const Remembered& remember(std::unordered_map<std::string, Remembered>& in, const std::string& key,
                             const Remembered& what) {
    note(what);
    return in[key] = what;
  }
  template <typename Remembered>
  void note(const Remembered& /*what*/) {
    if (++remembered_ > most_) throw TooLarge();
  }
  void note(const Chances& chances) {
    if ((remembered_ += chances.size()) > most_) throw TooLarge();
  }

  const Game& game_;
  std::size_t most_, remembered_ = 0;  // positions in the tables below
  std::unordered_map<std::string, Value> attack_values_, reroll_values_, defense_values_;
  std::unordered_map<std::string, Chances> suffered_;
  std::unordered_map<std::string, Value> later_values_;
  std::unordered_map<std::string, Choice> attacker_choices_;
  std::map<std::pair<int, int>, std::vector<Roll>> rolls_;
  std::unordered_map<std::string, std::vector<Decision>> decisions_;
};

// Keys of the memos: every number that the remembered figure depends on, one after the other.
void append(std::string& key, int number) {
  key.push_back(static_cast<char>(number & 0xff));
  key.push_back(static_cast<char>((number >> 8) & 0xff));
}

void append(std::string& key, const ShipState& ship) {
  for (const int number : ship.tokens) append(key, number);
  append(key, static_cast<int>(ship.locks.size()));
  for (const std::size_t locked : ship.locks) append(key, static_cast<int>(locked));
  append(key, ship.damage);
  append(key, ship.gone ? 1 : 0);
  for (const bool spent : ship.spent) append(key, spent ? 1 : 0);
  for (const int number : ship.drawn) append(key, number);
  for (const int number : ship.faceup) append(key, number);
}

void append(std::string& key, const Dice& dice) {
  append(key, static_cast<int>(dice.size()));
  for (const Die& die : dice) append(key, 2 * static_cast<int>(die.face) + (die.rerolled ? 1 : 0));
}

std::string key_of(Horizon horizon, std::size_t i, const Position& at) {
  std::string key;
  key.reserve(256);
  append(key, horizon == Horizon::kScenario ? 0 : 1);
  append(key, static_cast<int>(i));
  for (const ShipState& ship : at) append(key, ship);
  return key;
}

// 000: Attack (Roll Attack Dice), Range_Bouns, Deplete.
int Solver::attack_dice(std::size_t i, const Position& at) const {
  const Attack& attack = game_.scenario.attacks[i];
  int dice = game_.scenario.ships[game_.attacker[i]].attack;
  if (game_.scenario.first_edition)  // 002: Attack, Range combat bonus: for primary weapons, and no maximum
    return dice + (attack.range == 1 && !attack.ordnance ? 1 : 0);
  if (attack.range == 1 && !attack.ordnance) dice += 1;
  if (at[game_.attacker[i]].tokens[kDeplete] > 0) dice -= 1;
  dice -= at[game_.attacker[i]].faceup[kWeaponsFailure];
  return clamp_dice(dice);
}

// 000: Attack (Roll Defense Dice), Agility, Range_Bouns, Huge_Ships (Defending at Range 4-5), Obstructed, Strain,
// Tractor, Cloak. The limits come after all modifiers. At range 0 nothing here is an enemy ship's effect.
int Solver::defense_dice(std::size_t i, const Position& at) const {
  const Attack& attack = game_.scenario.attacks[i];
  const Ship& ship = game_.scenario.ships[game_.defender[i]];
  const ShipState& defender = at[game_.defender[i]];
  int dice = ship.agility;
  if (game_.scenario.first_edition) {
    // 002: Agility, Tractor beam token, Cloak: the agility value itself changes and is at least 0; 002: Range combat
    // bonus, Obstructed: then dice are added.
    dice = std::max(0, dice - defender.tokens[kTractor] + 2 * defender.tokens[kCloak]);
    return dice + (attack.range == 3 && !attack.ordnance ? 1 : 0) + (attack.obstructed ? 1 : 0);
  }
  if (defender.tokens[kCloak] > 0) dice += 2;
  if (attack.range == 3 && !attack.ordnance) dice += 1;
  if (attack.range >= 4 && !attack.ordnance) dice += 2;
  if (attack.obstructed) dice += 1;
  if (defender.tokens[kStrain] > 0) dice -= 1;
  if (defender.tokens[kTractor] >= tractor_threshold(ship.size)) dice -= 1;
  dice -= defender.faceup[kStructuralDamage];
  return clamp_dice(dice);
}

// 000: Strain, Deplete; 001: FAQ on agility 0: the token is removed also when no die was there to lose.
Position Solver::without_one(Position at, std::size_t ship, Token token) {
  if (at[ship].tokens[token] > 0) at[ship].tokens[token] -= 1;
  return at;
}

// 000: Attack (Neutralize Results), Reinforce: evades cancel hits, then crits; then each reinforce token one more, as
// long as more than one result is left.
Results Solver::neutralize(std::size_t i, const Position& at, Results attack, int evades) const {
  const auto cancel_one = [&] { attack.hits > 0 ? --attack.hits : --attack.crits; };
  for (int e = 0; e < evades && attack.hits + attack.crits > 0; ++e) cancel_one();
  if (!game_.scenario.attacks[i].reinforced) return attack;
  for (int r = 0; r < at[game_.defender[i]].tokens[kReinforce] && attack.hits + attack.crits > 1; ++r) cancel_one();
  return attack;
}

// 000: Damage: shields then hull, hits before crits; each result is one damage, and excess damage is still dealt.
Position Solver::after_damage(std::size_t i, Position at, Results results) const {
  if (game_.objective != Objective::kDamage) at[game_.defender[i]].damage += results.hits + results.crits;
  for (ShipState& ship : at) ship.spent = {};
  return at;
}

// 000: Damage: one damage at a time, hits before crits; a shield is lost, or else a card is dealt, facedown for a hit.
// Remembered.
const Solver::Chances& Solver::suffer(const Position& at, std::size_t ship, int hits, int crits) {
  if (hits > 0 && at[ship].faceup[kHullBreach] > 0) return suffer(at, ship, 0, hits + crits);
  std::string key = key_of(Horizon::kScenario, ship, at);
  append(key, hits);
  append(key, crits);
  if (const auto found = suffered_.find(key); found != suffered_.end()) return found->second;
  Position after = at;
  after[ship].damage += hits;
  Chances chances = {{after, 1.0}};
  for (int c = 0; c < crits; ++c) {
    Chances next;
    for (const auto& [position, probability] : chances)
      for (const auto& [then, chance] : suffer_crit(position, ship)) next[then] += probability * chance;
    chances = next;
  }
  return remember(suffered_, key, chances);
}

Solver::Chances Solver::then_suffer(const Chances& before, std::size_t ship, int hits, int crits) {
  Chances after;
  for (const auto& [position, probability] : before)
    for (const auto& [then, chance] : suffer(position, ship, hits, crits)) after[then] += probability * chance;
  return after;
}

// 000: Damage, Damage_Cards: a faceup card is resolved at once. Each player draws from an own deck; all unseen cards
// are equally likely. A Fuel Leak is not triggered by the damage that deals it.
Solver::Chances Solver::suffer_crit(const Position& at, std::size_t ship) {
  if (at[ship].damage < game_.scenario.ships[ship].shields) {
    Position after = at;
    after[ship].damage += 1;
    return {{after, 1.0}};
  }
  std::array<int, kCardKinds> left = cards_in_deck();
  int cards = 33;
  for (std::size_t s = 0; s < at.size(); ++s)
    for (std::size_t card = 0; card < kCardKinds && game_.side[s] == game_.side[ship]; ++card) {
      left[card] -= at[s].drawn[card];
      cards -= at[s].drawn[card];
    }
  Chances all;
  for (std::size_t card = 0; card < kCardKinds; ++card) {
    if (left[card] == 0) continue;
    Position dealt = at;
    dealt[ship].damage += 1;
    dealt[ship].drawn[card] += 1;
    if (card == kPanickedPilot) dealt[ship].tokens[kStress] += 2;
    if (card != kDirectHit && card != kPanickedPilot && card != kOtherCard) dealt[ship].faceup[card] += 1;
    Chances chances = {{dealt, 1.0}};
    if (card == kDirectHit) chances = then_suffer(chances, ship, 1, 0);
    // Crit damage from the Direct Hit has already triggered all leaks.
    const int leaks = card == kDirectHit && at[ship].faceup[kHullBreach] > 0 ? 0 : at[ship].faceup[kFuelLeak];
    for (int leak = 0; leak < leaks; ++leak) {
      Chances repaired;
      for (const auto& [position, probability] : chances) {
        Position flipped = position;
        flipped[ship].faceup[kFuelLeak] -= 1;
        repaired[flipped] += probability;
      }
      chances = repaired;
    }
    chances = then_suffer(chances, ship, leaks, 0);
    for (const auto& [position, chance] : chances) all[position] += chance * left[card] / cards;
  }
  return all;
}

Solver::Chances Solver::after_results(std::size_t i, const Position& at, Results results) {
  if (game_.scenario.deck) return suffer(at, game_.defender[i], results.hits, results.crits);
  return {{after_damage(i, at, results), 1.0}};
}

// Before its first attack a ship engages: cards that are faceup by then are resolved. 000: Ion: an ionized ship breaks
// its locks.
Solver::Chances Solver::before_attack(std::size_t i, const Position& at) {
  const std::size_t ship = game_.attacker[i];
  const bool first =
      std::count(game_.attacker.begin(), game_.attacker.begin() + static_cast<std::ptrdiff_t>(i), ship) == 0;
  if (!game_.scenario.deck || !first || at[ship].gone) return {{at, 1.0}};
  Position ready = at;
  ShipState& state = ready[ship];
  state.tokens[kIon] += state.faceup[kDisabledRegulator];
  if (state.faceup[kDisabledRegulator] > 0 && state.tokens[kIon] >= tractor_threshold(game_.scenario.ships[ship].size))
    state.locks.clear();
  Chances all;
  const int dice = state.faceup[kConsoleFire];
  for (const Roll& roll : all_rolls(attack_die(), dice, false))
    for (const auto& [position, chance] : suffer(ready, ship, count(roll.dice, Face::kHit), 0))
      all[position] += chance * roll.probability;
  return all;
}

// The worth by the objective of the damage between two positions, positive for mine.
Value Solver::gain(const Position& before, const Position& after) const {
  Value sum;
  for (std::size_t s = 0; s < before.size(); ++s) {
    const double sign = -game_.side[s];
    const int from = before[s].damage, to = after[s].damage;
    const int removed = std::min(to, health(s)) - std::min(from, health(s));
    double primary = to - from;
    if (game_.objective == Objective::kKill) primary = !destroyed(s, from) && destroyed(s, to) ? 1.0 : 0.0;
    if (game_.objective == Objective::kHealth || game_.objective == Objective::kExchange) primary = removed;
    if (game_.objective == Objective::kExchange && removed > 0) {
      int total = 0;
      for (std::size_t t = 0; t < before.size(); ++t)
        if (game_.side[t] == game_.side[s]) total += health(t);
      primary /= total;
    }
    sum.primary += sign * primary;
    if (game_.objective == Objective::kKill) sum.secondary += sign * (to - from);
  }
  return sum;
}

// 000: Simultaneous_Fire, Destroying_Ships: destroyed ships are removed when their initiative is over, or at once when
// attacks have no initiative. Under the objective damage no ship is removed.
Position Solver::after_initiative(std::size_t i, Position at) const {
  const auto& attacks = game_.scenario.attacks;
  const bool same_initiative =
      i + 1 < attacks.size() && attacks[i].initiative && attacks[i].initiative == attacks[i + 1].initiative;
  if (game_.objective == Objective::kDamage) return at;
  for (std::size_t s = 0; s < at.size(); ++s) {
    const bool stays = same_initiative && (!game_.scenario.first_edition || has_still_to_attack(i, s));
    if (destroyed(s, at[s].damage) && !stays) at[s].gone = true;
  }
  return at;
}

// 002: Simultaneous attack rule, 003: errata of it: a ship of the active pilot skill that has not attacked yet.
bool Solver::has_still_to_attack(std::size_t i, std::size_t ship) const {
  const auto& attacks = game_.scenario.attacks;
  bool later = false;
  for (std::size_t k = 0; k < attacks.size(); ++k) {
    if (attacks[k].initiative != attacks[i].initiative || game_.attacker[k] != ship) continue;
    if (k <= i) return false;
    later = true;
  }
  return later;
}

bool Solver::happens(std::size_t i, const Position& at) const {
  return !at[game_.attacker[i]].gone && !at[game_.defender[i]].gone;
}

int Solver::health(std::size_t ship) const {
  return game_.scenario.ships[ship].shields + game_.scenario.ships[ship].hull;
}

bool Solver::destroyed(std::size_t ship, int damage) const {
  return game_.scenario.ships[ship].hull > 0 && damage >= health(ship);
}

// The worth by the objective of the results of attack i, positive for mine. `at` is the position before the damage.
Value Solver::gain(std::size_t i, const Position& at, Results results) const {
  const std::size_t target = game_.defender[i];
  const int sign = -game_.side[target];
  const int damage = results.hits + results.crits;
  if (game_.objective == Objective::kDamage) return {static_cast<double>(sign * damage), 0.0};
  const int before = at[target].damage, after = before + damage;
  if (game_.objective == Objective::kKill) {
    const int kills = !destroyed(target, before) && destroyed(target, after) ? 1 : 0;
    return {static_cast<double>(sign * kills), static_cast<double>(sign * damage)};
  }
  const int removed = std::min(after, health(target)) - std::min(before, health(target));
  if (game_.objective == Objective::kHealth) return {static_cast<double>(sign * removed), 0.0};
  int total = 0;
  for (std::size_t s = 0; s < at.size(); ++s)
    if (game_.side[s] == game_.side[target]) total += health(s);
  return {static_cast<double>(sign) * removed / total, 0.0};
}

// The value of all attacks from i on.
Value Solver::value_from(std::size_t i, const Position& at) {
  if (i == game_.scenario.attacks.size()) return {};
  const std::string key = key_of(Horizon::kScenario, i, at);
  if (const auto found = later_values_.find(key); found != later_values_.end()) return found->second;
  Value sum;
  for (const auto& [ready, probability] : before_attack(i, at)) {
    Value value = game_.scenario.deck ? gain(at, ready) : Value();
    add(value, 1.0,
        happens(i, ready) ? value_of_attack(Horizon::kScenario, i, ready)
                          : value_from(i + 1, after_initiative(i, ready)));
    add(sum, probability, value);
  }
  return remember(later_values_, key, sum);
}

// Roll Attack Dice, then the attacker modifies.
Value Solver::value_of_attack(Horizon horizon, std::size_t i, const Position& at) {
  const std::string key = key_of(horizon, i, at);
  if (const auto found = attack_values_.find(key); found != attack_values_.end()) return found->second;
  const Position rolled = without_one(at, game_.attacker[i], kDeplete);
  Value sum;
  for (const Roll& roll : rolls(Role::kAttacker, attack_dice(i, at), false))
    add(sum, roll.probability, attacker_choice(horizon, i, rolled, roll.dice).value);
  return remember(attack_values_, key, sum);
}

// The dice picked up are rerolled, then the attacker continues modifying.
Value Solver::value_of_reroll(Horizon horizon, std::size_t i, const Position& at, const Dice& kept, int rerolls) {
  std::string key = key_of(horizon, i, at);
  append(key, kept);
  append(key, rerolls);
  if (const auto found = reroll_values_.find(key); found != reroll_values_.end()) return found->second;
  Value sum;
  for (const Roll& roll : rolls(Role::kAttacker, rerolls, true))
    add(sum, roll.probability, attacker_choice(horizon, i, at, together(kept, roll.dice)).value);
  return remember(reroll_values_, key, sum);
}

// Roll Defense Dice, then the defender modifies. From here on only the hits and crits of the attack dice are read.
Value Solver::value_of_defense(Horizon horizon, std::size_t i, const Position& at, Results attack) {
  std::string key = key_of(horizon, i, at);
  append(key, attack.hits);
  append(key, attack.crits);
  if (const auto found = defense_values_.find(key); found != defense_values_.end()) return found->second;
  const Position rolled = without_one(at, game_.defender[i], kStrain);
  Value sum;
  for (const Roll& roll : rolls(Role::kDefender, defense_dice(i, at), false))
    add(sum, roll.probability, defender_choice(horizon, i, rolled, attack, roll.dice).value);
  return remember(defense_values_, key, sum);
}

// Neutralize Results, Deal Damage, and everything after this attack.
Value Solver::value_of_results(Horizon horizon, std::size_t i, const Position& at, Results attack, int evades) {
  const Results results = neutralize(i, at, attack, evades);
  if (!game_.scenario.deck) {
    Value value = gain(i, at, results);
    if (horizon == Horizon::kScenario)
      add(value, 1.0, value_from(i + 1, after_initiative(i, after_damage(i, at, results))));
    return value;
  }
  Value sum;
  for (const auto& [after, probability] : after_results(i, at, results)) {
    add(sum, probability, gain(at, after));
    if (horizon == Horizon::kScenario) add(sum, probability, value_from(i + 1, after_initiative(i, after)));
  }
  return sum;
}

// Follows the policy of the role: hold does nothing, greedy takes the best decision if this attack were the last one,
// optimal takes the decision with the best value.
Choice Solver::choose(Horizon horizon, Role role, std::size_t i, const ShipState& ship, const Dice& dice,
                      const std::function<Value(const Decision&)>& value, const std::function<Choice()>& greedy) {
  const Policy asked = role == Role::kAttacker ? game_.attacker_policy : game_.defender_policy;
  const Policy policy = horizon == Horizon::kThisAttack ? Policy::kOptimal : asked;
  // 000: Attack (Modify Attack Dice): at attack range 0 the attacker cannot modify its dice.
  const bool cannot_modify = role == Role::kAttacker && game_.scenario.attacks[i].range == 0;
  if (policy == Policy::kHold || cannot_modify) {
    const Decision nothing{ship, dice, 0};
    return {nothing, value(nothing)};
  }
  if (policy == Policy::kGreedy) {
    const Decision decision = greedy().decision;
    return {decision, value(decision)};
  }
  const std::vector<Decision>& all = decisions(role, i, ship, dice);
  std::vector<Value> values;
  for (const Decision& decision : all) values.push_back(value(decision));
  const int side = game_.side[role == Role::kAttacker ? game_.attacker[i] : game_.defender[i]];
  const std::size_t best = best_decision(side, all, values);
  return {all[best], values[best]};
}

const Choice& Solver::attacker_choice(Horizon horizon, std::size_t i, const Position& at, const Dice& dice) {
  std::string key = key_of(horizon, i, at);
  append(key, dice);
  if (const auto found = attacker_choices_.find(key); found != attacker_choices_.end()) return found->second;
  const std::size_t ship = game_.attacker[i];
  const auto value = [&](const Decision& decision) {
    Position next = at;
    next[ship] = decision.ship;
    if (decision.rerolls > 0) return value_of_reroll(horizon, i, next, decision.kept, decision.rerolls);
    return value_of_defense(horizon, i, next, {count(decision.kept, Face::kHit), count(decision.kept, Face::kCrit)});
  };
  const auto greedy = [&] { return attacker_choice(Horizon::kThisAttack, i, at, dice); };
  return remember(attacker_choices_, key, choose(horizon, Role::kAttacker, i, at[ship], dice, value, greedy));
}

Choice Solver::defender_choice(Horizon horizon, std::size_t i, const Position& at, Results attack, const Dice& dice) {
  const std::size_t ship = game_.defender[i];
  const auto value = [&](const Decision& decision) {
    Position next = at;
    next[ship] = decision.ship;
    return value_of_results(horizon, i, next, attack, count(decision.kept, Face::kEvadeResult));
  };
  const auto greedy = [&] { return defender_choice(Horizon::kThisAttack, i, at, attack, dice); };
  return choose(horizon, Role::kDefender, i, at[ship], dice, value, greedy);
}

// Remembered: the rolls of n dice.
const std::vector<Roll>& Solver::rolls(Role role, int n, bool rerolled) {
  std::vector<Roll>& found = rolls_[{2 * (role == Role::kAttacker ? 0 : 1) + (rerolled ? 1 : 0), n}];
  if (found.empty()) found = all_rolls(role == Role::kAttacker ? attack_die() : defense_die(), n, rerolled);
  return found;
}

// Remembered: the decisions of a ship with these tokens and dice.
const std::vector<Decision>& Solver::decisions(Role role, std::size_t i, const ShipState& ship, const Dice& dice) {
  std::string key;
  append(key, role == Role::kAttacker ? 0 : 1);
  append(key, static_cast<int>(game_.defender[i]));
  append(key, ship);
  append(key, dice);
  std::vector<Decision>& found = decisions_[key];
  if (found.empty()) found = all_decisions(ship, dice, role, game_.defender[i], game_.scenario.first_edition);
  return found;
}

// --------------------------------------------------------------------------------------------------- the forward pass

// From the attack dice on the table to the end of the attack, along the chosen decisions.
void Solver::play_attack_dice(std::size_t i, const Position& at, const Dice& dice, double probability, Ends& ends) {
  const Decision attacker = attacker_choice(Horizon::kScenario, i, at, dice).decision;
  Position next = at;
  next[game_.attacker[i]] = attacker.ship;
  if (attacker.rerolls > 0) {
    for (const Roll& roll : rolls(Role::kAttacker, attacker.rerolls, true))
      play_attack_dice(i, next, together(attacker.kept, roll.dice), probability * roll.probability, ends);
    return;
  }
  ends[{next, {count(attacker.kept, Face::kHit), count(attacker.kept, Face::kCrit)}}] += probability;
}

// How attack i can end: the position before damage is dealt, and the uncancelled results.
Solver::Ends Solver::play_attack(std::size_t i, const Position& at) {
  const Position rolled = without_one(at, game_.attacker[i], kDeplete);
  Ends attacks, ends;
  for (const Roll& roll : rolls(Role::kAttacker, attack_dice(i, at), false))
    play_attack_dice(i, rolled, roll.dice, roll.probability, attacks);
  for (const auto& [attack, probability] : attacks) {
    const Position defending = without_one(attack.first, game_.defender[i], kStrain);
    for (const Roll& roll : rolls(Role::kDefender, defense_dice(i, attack.first), false)) {
      const Decision defender = defender_choice(Horizon::kScenario, i, defending, attack.second, roll.dice).decision;
      Position next = defending;
      next[game_.defender[i]] = defender.ship;
      const int evades = count(defender.kept, Face::kEvadeResult);
      ends[{next, neutralize(i, next, attack.second, evades)}] += probability * roll.probability;
    }
  }
  return ends;
}

// All histories after attack i. Fills in the figures of the attack and adds its worth to `value`.
Solver::Histories Solver::play_histories(std::size_t i, const Histories& before, AttackResult& estimates,
                                         double& value) {
  std::map<Position, Ends> played;
  Histories after;
  Histories engaged;
  for (const auto& [history, probability] : before)
    for (const auto& [ready, chance] : before_attack(i, history.first)) {
      engaged[{ready, history.second}] += probability * chance;
      if (game_.scenario.deck) value += probability * chance * gain(history.first, ready).primary;
    }
  for (const auto& [history, probability] : engaged) {
    const auto& [at, taken] = history;
    if (!happens(i, at)) {
      after[{after_initiative(i, at), taken}] += probability;
      continue;
    }
    estimates.happens += probability;
    estimates.attack_dice += probability * attack_dice(i, at);
    estimates.defense_dice += probability * defense_dice(i, at);
    if (!played.contains(at)) played[at] = play_attack(i, at);
    for (const auto& [end, chance] : played[at]) {
      const auto& [position, results] = end;
      const double p = probability * chance;
      estimates.hit_probability += results.hits + results.crits > 0 ? p : 0.0;
      estimates.mean_hits += p * results.hits;
      estimates.mean_crits += p * results.crits;
      if (!game_.scenario.deck) value += p * gain(i, position, results).primary;
      std::vector<Results> now = taken;
      now[game_.defender[i]].hits += results.hits;
      now[game_.defender[i]].crits += results.crits;
      for (const auto& [then, part] : after_results(i, position, results)) {
        if (game_.scenario.deck) value += p * part * gain(position, then).primary;
        after[{after_initiative(i, then), now}] += p * part;
        if (after.size() > most_) throw TooLarge();
      }
    }
  }
  if (estimates.happens > 0.0) estimates.attack_dice /= estimates.happens;
  if (estimates.happens > 0.0) estimates.defense_dice /= estimates.happens;
  return after;
}

void Solver::add_ship(std::size_t ship, const Histories& histories, Result& result) const {
  ShipResult& sum = result.ships[game_.scenario.ships[ship].name];
  for (const std::string& name : token_names()) sum.tokens_left[name] = 0.0;
  sum.tokens_left["lock"] = 0.0;
  for (const auto& [history, probability] : histories) {
    const Results taken = history.second[ship];
    sum.joint[{taken.hits, taken.crits}] += probability;
    const ShipState& state = history.first[ship];
    const int damage = game_.scenario.deck ? state.damage : taken.hits + taken.crits;
    if (destroyed(ship, damage)) sum.destroyed += probability;
    sum.damage[damage] += probability;
    for (const int cards : state.drawn) sum.faceup += probability * cards;
    for (std::size_t t = 0; t < kTokenKinds; ++t) sum.tokens_left[token_names()[t]] += probability * state.tokens[t];
    sum.tokens_left["lock"] += probability * static_cast<double>(state.locks.size());
  }
}

Result Solver::result() {
  Result result;
  Histories histories = {{{game_.start, std::vector<Results>(game_.start.size())}, 1.0}};
  for (std::size_t i = 0; i < game_.scenario.attacks.size(); ++i) {
    result.attacks.emplace_back();
    histories = play_histories(i, histories, result.attacks.back(), result.value);
  }
  for (std::size_t s = 0; s < game_.start.size(); ++s) add_ship(s, histories, result);
  // The recursion that chose the plays must expect what the forward pass found.
  const double expected = value_from(0, game_.start).primary;
  if (std::abs(expected - result.value) > 1e-9 * std::max(1.0, std::abs(expected)))
    throw std::logic_error("the literal reference contradicts itself");
  return result;
}

}  // namespace

Result solve(const Scenario& scenario, std::size_t most) {
  const Game game = read_scenario(scenario);
  return Solver(game, most).result();
}

}  // namespace literal
