// Game: see game.h.
#include "battle/game.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "answer/answer.h"
#include "load/profile.h"

namespace salvo::battle {
namespace {

constexpr double kSame = 1e-9;  ///< measures that differ by less are equal: the first wins

std::string rules_of(const BattleQuestion& question) {
  const std::string &mine = question.mine.rules, &theirs = question.theirs.rules;
  if (!mine.empty() && !theirs.empty() && mine != theirs) {
    throw ScenarioError(
        "theirs",
        fmt::format("one side is of the edition {}, the other of {}; a battle needs one edition", mine, theirs));
  }
  return !mine.empty() ? mine : !theirs.empty() ? theirs : Scenario().rules;
}

/// The pilot and the ship of a ship, where they are known.
struct Known {
  const ShipSpec* ship = nullptr;
  const PilotSpec* pilot = nullptr;
};

Known known_of(const Catalogue& catalogue, const ScenarioShip& ship, const std::string& cards) {
  Known out;
  std::string id = ship.ship.value_or("");
  if (id.empty() && ship.pilot) {
    const auto ships = catalogue.ships_of_pilot(*ship.pilot, cards);
    if (!ships.empty()) id = ships.front();
  }
  if (!id.empty()) out.ship = catalogue.ship(id, cards);
  if (out.ship == nullptr || !ship.pilot) return out;
  for (const PilotSpec& pilot : out.ship->pilots) {
    if (pilot.id == *ship.pilot) out.pilot = &pilot;
  }
  return out;
}

}  // namespace

Game::Game(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget) : question_(question) {
  const std::string rules = rules_of(question_);
  const std::string cards =
      catalogue.card_set(!question_.mine.cards.empty() ? question_.mine.cards : question_.theirs.cards, rules);
  flight_ = question.flight_text.empty() ? load::load_flight(catalogue.profiles(), question.flight)
                                         : load::parse_flight(question.flight_text, "flight");
  std::vector<ScenarioShip> given;
  add_side(catalogue, question_.mine, true, cards, given);
  mine_ = static_cast<int>(ships_.size());
  add_side(catalogue, question_.theirs, false, cards, given);
  book_ = std::make_shared<Book>(catalogue, BookOptions{rules, cards, attack_budget}, given);
  bool all_priced = true;
  for (std::size_t s = 0; s < ships_.size(); ++s) {
    ships_[s].type = book_->type_of(s);
    find_kinds(catalogue, cards, static_cast<int>(s));
    all_priced = all_priced && ships_[s].points > 0;
  }
  if (!all_priced) {
    notes_.emplace_back("not every ship has points, so each counts as many as it has hull and shields");
    for (std::size_t s = 0; s < ships_.size(); ++s) ships_[s].points = book_->type(ships_[s].type).health();
  }
  find_order();
  fly();
}

void Game::add_side(const Catalogue& catalogue, const BattleSide& side, bool mine, const std::string& cards,
                    std::vector<ScenarioShip>& ships) {
  const char* key = mine ? "mine" : "theirs";
  if (side.ships.empty()) throw ScenarioError(key, "there is no ship on this side; name at least one");
  if (side.ships.size() > kMostBattleShips) {
    throw ScenarioError(key, fmt::format("{} ships; a side has {} at most", side.ships.size(), kMostBattleShips));
  }
  for (const std::string& note : side.notes) notes_.push_back(note);
  for (const BattleShip& given : side.ships) {
    // Names of ships, pilots and upgrades become ids as in a scenario.
    Scenario named;
    named.rules = rules_of(question_);
    named.cards = cards;
    named.source = key;
    named.ships = {{"a", given.ship}, {"d", {.agility = 0, .hull = 1}}};
    named.ships["a"].locks.clear();
    named.attacks = {{.by = "d", .on = "a"}};
    compile_named(catalogue, named);
    for (const std::string& note : named.notes) notes_.push_back(note);
    const ScenarioShip& ship = named.ships["a"];
    ships.push_back(ship);
    const Known known = known_of(catalogue, ship, cards);
    Ship out;
    out.name = given.name;
    out.mine = mine;
    out.initiative = given.initiative.value_or(known.pilot != nullptr ? known.pilot->initiative : 0);
    out.points = given.points.value_or(cost_in(catalogue, ship, cards).value_or(0));
    ships_.push_back(out);
  }
  std::set<std::string> names;
  for (Ship& ship : ships_) {
    std::string name = ship.name;
    for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{} {}", ship.name, n);
    ship.name = name;
  }
}

void Game::find_kinds(const Catalogue& catalogue, const std::string& cards, int s) {
  constexpr int kAce = 5;  // initiative
  Ship& ship = ships_[at(s)];
  const Type& type = book_->type(ship.type);
  const Known known = known_of(catalogue, type.ship, cards);
  if (type.size == "large" || type.size == "huge") ship.kinds.emplace_back("large");
  const auto is_turret = [](const Weapon& weapon) { return weapon.id.find("turret") != std::string::npos; };
  bool turret = std::any_of(type.weapons.begin(), type.weapons.end(), is_turret);
  for (const Weapon& weapon : type.weapons) {
    const CardSpec* card = catalogue.card("upgrade", weapon.id, cards);
    turret = turret || (card != nullptr && card->weapon && card->weapon->arc.find("turret") != std::string::npos);
  }
  if (turret) ship.kinds.emplace_back("turret");
  if (known.pilot != nullptr && type.size == "small" && ship.initiative >= kAce) {
    for (const load::Action& action : load::actions_of(catalogue, cards, known.ship->id, known.pilot->id, {})) {
      const bool moves = action.name == "boost" || action.name == "barrel-roll";
      if (!moves || action.difficulty != load::Action::Difficulty::White) continue;
      ship.kinds.emplace_back("ace");
      break;
    }
  }
  if (ship.kinds.empty()) ship.kinds.emplace_back("jouster");
}

/// Ships activate from the lowest initiative on, and engage from the highest; of equal ones those of the first player
/// come first (000: Activation_Phase, Engagement_Phase).
void Game::find_order() {
  for (const bool mine_first : {false, true}) {
    std::vector<int> order(ships_.size());
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = static_cast<int>(s);
    const auto later_player = [&](int s) { return ship(s).mine != mine_first; };
    const auto sorted = [&](int sign) {
      std::vector<int> out = order;
      std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
        if (ship(a).initiative != ship(b).initiative) return sign * ship(a).initiative < sign * ship(b).initiative;
        return later_player(a) < later_player(b);
      });
      return out;
    };
    activation_[mine_first] = sorted(1);
    engagement_[mine_first] = sorted(-1);
  }
  ties_ = activation_[0] != activation_[1];
}

// ---------------------------------------------------------------- the flight

bool Game::fits(const load::ShipWords& words, int s) const {
  const Ship& one = ship(s);
  const int number = one.mine ? s + 1 : s - mine_ + 1;
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    if (word == "any") return true;
    if (word == "mine" || word == "theirs") return one.mine == (word == "mine");
    if (word == fmt::format("{}-{}", one.mine ? "mine" : "theirs", number)) return true;
    return std::find(one.kinds.begin(), one.kinds.end(), word) != one.kinds.end();
  });
}

Cases Game::cases_of(const load::FlightRound& round, int a, int d) const {
  std::array<int, load::kFlightRanges> range{0, 0, load::kCertain, 0};
  int obstructed = 0;
  for (const load::FlightPair& rule : round.pairs) {
    const bool meant = (fits(rule.first, a) && fits(rule.second, d)) || (fits(rule.first, d) && fits(rule.second, a));
    if (!meant) continue;
    if (rule.range) range = *rule.range;
    obstructed = rule.obstructed.value_or(obstructed);
  }
  struct Aim {
    int arc = load::kCertain, bullseye = 0;
  };
  const auto aim_of = [&](int by, int on) {
    Aim out;
    for (const load::FlightShot& rule : round.shots) {
      if (!fits(rule.by, by) || !fits(rule.on, on)) continue;
      out.arc = rule.arc.value_or(out.arc);
      out.bullseye = rule.bullseye.value_or(out.bullseye);
    }
    return out;
  };
  Aim mine = aim_of(a, d), theirs = aim_of(d, a);
  if (!book_->reads_bullseye(ship(a).type, ship(d).type)) mine.bullseye = 0;
  if (!book_->reads_bullseye(ship(d).type, ship(a).type)) theirs.bullseye = 0;
  const auto share = [](const Aim& aim, int kind) {
    const double arc = aim.arc / 100.0, bullseye = aim.bullseye / 100.0;
    return kind == 0 ? 1 - arc : kind == 1 ? arc * (1 - bullseye) : arc * bullseye;
  };
  Cases out;
  double nothing = 1;
  for (int r = 0; r < load::kFlightRanges; ++r) {
    for (const bool in_the_way : {false, true}) {
      const double where = range[at(r)] / 100.0 * (in_the_way ? obstructed : 100 - obstructed) / 100.0;
      for (int m = 0; m < 3; ++m) {
        for (int t = 0; t < 3; ++t) {
          const double p = where * share(mine, m) * share(theirs, t);
          if (p <= 0 || (m == 0 && t == 0)) continue;
          out.list.push_back({r, in_the_way, m, t});
          out.chance.push_back(p);
          nothing -= p;
        }
      }
    }
  }
  constexpr double kRounding = 1e-12;
  if (nothing > kRounding || out.list.empty()) {
    out.list.push_back({});
    out.chance.push_back(nothing);
  }
  out.alias = AliasTable(out.chance);
  for (const bool my_own : {false, true}) {
    const auto left = [&](const Stand& stand) {
      const int aim = my_own ? stand.theirs : stand.mine;
      return aim == 0 ? std::array{0, 0, 0} : std::array{aim, stand.range, stand.obstructed ? 1 : 0};
    };
    for (const Stand& stand : out.list) {
      const auto first = std::find_if(out.list.begin(), out.list.end(),
                                      [&](const Stand& other) { return left(other) == left(stand); });
      out.without[my_own].push_back(static_cast<std::uint8_t>(first - out.list.begin()));
    }
  }
  return out;
}

void Game::forget(Now& now, int place) const {
  const Leg& leg = leg_of(now);
  std::array<bool, kMostShips> done{};
  for (int p = 0; p <= place; ++p) done[at(ship_at(now, p))] = true;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      const auto p = at(pair_of(a, d));
      const bool apart = now.ship[at(a)].gone || now.ship[at(d)].gone;
      if (apart || (done[at(a)] && done[at(d)])) {
        now.stand[p] = 0;
      } else if (done[at(a)] || done[at(d)]) {
        now.stand[p] = leg.pairs[p].without[done[at(a)]][now.stand[p]];
      }
    }
  }
}

void Game::fly() {
  for (const load::FlightRound& round : flight_.rounds) {
    Leg leg;
    for (int s = 0; s < ships(); ++s) {
      for (const load::FlightShip& rule : round.ships) {
        if (!fits(rule.is, s)) continue;
        leg.no_action[at(s)] = rule.no_action.value_or(leg.no_action[at(s)]);
        leg.blue[at(s)] = rule.blue.value_or(leg.blue[at(s)]);
      }
    }
    leg.pairs.resize(at(pairs()));
    for (int a = 0; a < mine_; ++a) {
      for (int d = mine_; d < ships(); ++d) leg.pairs[at(pair_of(a, d))] = cases_of(round, a, d);
    }
    leg.shots.assign(leg.pairs.size() * kMostCases, {-1, -1});
    for (std::size_t p = 0; p < leg.pairs.size(); ++p) {
      for (std::size_t c = 0; c < leg.pairs[p].list.size(); ++c)
        leg.shots[p * kMostCases + c] = leg.pairs[p].list[c].shots();
    }
    legs_.push_back(std::move(leg));
  }
  for (const Cases& cases : legs_.back().pairs)
    can_meet_.push_back(std::any_of(cases.list.begin(), cases.list.end(), [](const Stand& s) { return s.range >= 0; }));
}

// ---------------------------------------------------------------- where the battle stands

Now Game::start() const {
  Now out;
  for (int s = 0; s < ships(); ++s) {
    out.ship[at(s)].health = static_cast<std::uint8_t>(type_of(s).health());
    out.ship[at(s)].state = static_cast<std::uint16_t>(book_->start_state(ship(s).type));
  }
  for (int s = ships(); s < kMostShips; ++s) out.ship[at(s)].gone = true;
  return out;
}

bool Game::any(const Now& now, bool mine) const {
  for (int s = mine ? 0 : mine_; s < (mine ? mine_ : ships()); ++s) {
    if (!now.ship[at(s)].gone) return true;
  }
  return false;
}

bool Game::over(const Now& now) const {
  if (now.round >= question_.rounds || one_side_gone(now)) return true;
  return now.round >= legs_.size() && never_meet(now);
}

bool Game::never_meet(const Now& now) const {
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      if (!now.ship[at(a)].gone && !now.ship[at(d)].gone && can_meet_[at(pair_of(a, d))]) return false;
    }
  }
  return true;
}

int Game::points_lost(int s, int health) const {
  const int full = type_of(s).health();
  if (health == 0) return ship(s).points;
  return 2 * health <= full ? ship(s).points / 2 : 0;
}

int Game::points(const Now& now, bool mine) const {
  int out = 0;
  for (int s = mine ? mine_ : 0; s < (mine ? ships() : mine_); ++s) out += points_lost(s, now.ship[at(s)].health);
  return out;
}

int Game::result(const Now& now) const {
  const bool me = any(now, true), him = any(now, false);
  if (me != him) return me ? 1 : -1;
  const int mine = points(now, true), theirs = points(now, false);
  return mine > theirs ? 1 : mine < theirs ? -1 : 0;
}

// ---------------------------------------------------------------- choices

std::vector<Game::Maneuver> Game::maneuvers(const Now& now, int s) const {
  const Leg& leg = leg_of(now);
  const int t = ship(s).type;
  const ShipNow& me = now.ship[at(s)];
  std::vector<Maneuver> flown{{.now = now}};
  const auto set = [&](Maneuver& one, int state) { one.now.ship[at(s)].state = static_cast<std::uint16_t>(state); };
  if (book_->ionized(t, me.state)) {
    flown[0].ionized = true;
    set(flown[0], book_->after_ion(t, me.state));
  } else if (book_->wants_blue(t, me.state) && leg.blue[at(s)] > 0) {
    flown.push_back(flown[0]);
    flown[0].chance = 1 - leg.blue[at(s)] / 100.0;
    flown[1].chance = leg.blue[at(s)] / 100.0;
    set(flown[1], book_->after_blue(t, me.state));
  }
  std::vector<Maneuver> out;
  for (const Maneuver& one : flown) {
    for (const bool acts : {true, false}) {
      const double kept = leg.no_action[at(s)] / 100.0, chance = one.chance * (acts ? 1 - kept : kept);
      if (chance <= 0) continue;
      out.push_back(one);
      out.back().chance = chance;
      out.back().acts = acts && !book_->stressed(t, one.now.ship[at(s)].state);
    }
  }
  return out;
}

std::vector<Game::Action> Game::actions(const Maneuver& after, int s, Memory& memory) const {
  if (!after.acts) return {{-1, -1}};
  const Now& now = after.now;
  if (!solved(ship(s).mine)) return {choose_action(now, s, after.ionized, sights_of(leg_of(now), now), &memory)};
  const Type& type = type_of(s);
  std::vector<Action> out;
  bool free = false;  // something that costs nothing: then it is no use to do nothing
  for (std::size_t o = 0; o < type.options.size(); ++o) {
    const ActionOption& option = type.options[o];
    if (after.ionized && !option.focus_only) continue;
    if (!book_->can_pay(ship(s).type, now.ship[at(s)].state, static_cast<int>(o))) continue;
    const bool nothing = option.tokens.empty() && !option.lock;
    if (nothing && free) continue;
    free = free || (!nothing && option.stress == 0 && option.force == 0);
    if (!option.lock) out.emplace_back(static_cast<int>(o), -1);
    for (int e = ship(s).mine ? mine_ : 0; option.lock && e < (ship(s).mine ? ships() : mine_); ++e) {
      if (!now.ship[at(e)].gone) out.emplace_back(static_cast<int>(o), e);
    }
  }
  if (out.empty()) out.emplace_back(-1, -1);
  return out;
}

void Game::act(Now& now, int s, const Action& action) const {
  ShipNow& me = now.ship[at(s)];
  if (action.first < 0) return;
  me.state = static_cast<std::uint16_t>(book_->after_action(ship(s).type, me.state, action.first));
  if (action.second >= 0) me.lock = static_cast<std::int8_t>(action.second);
}

std::vector<Game::Choice> Game::shots(const Now& now, int s, Memory& memory) const {
  if (now.ship[at(s)].gone) return {};
  if (!solved(ship(s).mine)) {
    const Choice one = choose(now, s, &memory);
    return one.target >= 0 ? std::vector{one} : std::vector<Choice>();
  }
  std::vector<Choice> out;
  for (int d = ship(s).mine ? mine_ : 0; d < (ship(s).mine ? ships() : mine_); ++d) {
    const ShipNow& target = now.ship[at(d)];
    if (target.gone || target.health == 0) continue;
    const int shot = shot_of(now, s, d);
    for (std::size_t w = 0; shot >= 0 && w < type_of(s).weapons.size(); ++w) {
      if (type_of(s).weapons[w].fits(Shot::of(shot)))
        out.push_back({d, key_of(now, s, d, static_cast<int>(w), shot), nullptr});
    }
  }
  return out;
}

AttackKey Game::key_of(const Now& now, int by, int on, int weapon, int shot) const {
  const ShipNow &a = now.ship[at(by)], &d = now.ship[at(on)];
  const int ta = ship(by).type, td = ship(on).type;
  return {ta,
          td,
          weapon,
          shot,
          book_->with_health(ta, a.state, a.health),
          book_->with_health(td, d.state, d.health),
          a.lock == on};
}

double Game::measure(const Outcomes& outcomes, int target, int health, BattlePolicy policy) const {
  const auto h = at(health);
  switch (policy) {
    case BattlePolicy::LikeliestKill:
      // A share of the damage, so that of two sure or two hopeless shots the harder one is made.
      return outcomes.at_least[h] + 1e-3 * outcomes.counted[h];
    case BattlePolicy::Points: {
      const int full = type_of(target).health(), half = std::max(1, health - full / 2);
      const int already = points_lost(target, health);
      const double value = (ship(target).points - ship(target).points / 2) * outcomes.at_least[h];
      const double first = already > 0 ? 0 : ship(target).points / 2 * outcomes.at_least[at(half)];
      return value + first + 1e-3 * outcomes.counted[h];
    }
    case BattlePolicy::Greedy:
    case BattlePolicy::FocusFire:
    case BattlePolicy::Best:
    case BattlePolicy::Optimal:
      break;
  }
  return outcomes.counted[h];
}

/// What a choice between two ships can depend on. Which ship is shot at matters by points only, where ships alike
/// differ in worth.
std::uint64_t Game::name_of(const Now& now, int s, int e, int shot, int shot_back, BattlePolicy policy) const {
  static_assert(kMostStates <= 1 << 10 && kMostHealth < 1 << 6 && kMostShips <= 1 << 4 && kShots < 1 << 5);
  const ShipNow &me = now.ship[at(s)], &enemy = now.ship[at(e)];
  const bool alike = policy != BattlePolicy::Points;
  std::uint64_t name = 1;
  const auto add = [&name](int bits, int value) { name = name << bits | static_cast<std::uint64_t>(value); };
  add(4, alike ? ship(s).type : s);
  add(4, alike ? ship(e).type : e);
  add(10, me.state);
  add(10, enemy.state);
  add(6, me.health);
  add(6, enemy.health);
  add(5, shot + 1);
  add(5, shot_back + 1);
  add(2, static_cast<int>(policy));
  add(1, me.lock == e ? 1 : 0);
  add(1, enemy.lock == s ? 1 : 0);
  return name;
}

Aimed Game::aim(const Now& now, int by, int on, int shot, BattlePolicy policy) const {
  const Type& type = type_of(by);
  Aimed out{.value = kSame};
  for (std::size_t w = 0; w < type.weapons.size(); ++w) {
    if (!type.weapons[w].fits(Shot::of(shot))) continue;
    const Outcomes& outcomes = book_->attack(key_of(now, by, on, static_cast<int>(w), shot));
    if (!outcomes.possible) continue;
    const double value = measure(outcomes, on, now.ship[at(on)].health, policy);
    if (value > out.value + kSame) out = {value, static_cast<int>(w), &outcomes};
  }
  return out;
}

Game::Choice Game::choose(const Now& now, int s, Memory* memory) const {
  const BattlePolicy policy = policy_of(s);
  const Leg& leg = leg_of(now);
  Choice best;
  double most = kSame;
  int least_health = kMostHealth + 1, weapon = -1, shot_taken = -1;
  for (int d = ship(s).mine ? mine_ : 0; d < (ship(s).mine ? ships() : mine_); ++d) {
    const ShipNow& target = now.ship[at(d)];
    if (target.gone || target.health == 0) continue;
    const int shot = shot_of(leg, now, s, d);
    if (shot < 0) continue;
    if (policy == BattlePolicy::FocusFire && target.health > least_health) continue;
    const auto find = [&] { return aim(now, s, d, shot, policy); };
    const Aimed here = memory != nullptr ? memory->aimed(name_of(now, s, d, shot, -1, policy), find) : find();
    if (here.outcomes == nullptr) continue;
    const bool weaker = policy == BattlePolicy::FocusFire && target.health < least_health;
    if (!weaker && here.value <= most + kSame) continue;
    most = here.value;
    least_health = target.health;
    best = {d, {}, here.outcomes};
    weapon = here.weapon;
    shot_taken = shot;
  }
  if (best.target >= 0) best.key = key_of(now, s, best.target, weapon, shot_taken);
  return best;
}

double Game::best_weapon(const Now& now, int by, int on, int state, bool lock, int shot, BattlePolicy policy) const {
  const Type& type = type_of(by);
  double most = 0;
  for (std::size_t w = 0; w < type.weapons.size(); ++w) {
    if (!type.weapons[w].fits(Shot::of(shot))) continue;
    AttackKey key = key_of(now, by, on, static_cast<int>(w), shot);
    key.attacker_state = book_->with_health(ship(by).type, state, now.ship[at(by)].health);
    key.lock = lock;
    const Outcomes& outcomes = book_->attack(key);
    if (outcomes.possible) most = std::max(most, measure(outcomes, on, now.ship[at(on)].health, policy));
  }
  return most;
}

/// By option of the ship: what its attack deals without a lock of the option and with it, and what the enemy's attack
/// on it does.
void Game::look_ahead(const Now& now, int s, int e, int shot, int shot_back, BattlePolicy policy, double* row) const {
  const Type& type = type_of(s);
  const ShipNow &me = now.ship[at(s)], &enemy = now.ship[at(e)];
  Now then = now;
  for (std::size_t o = 0; o < type.options.size(); ++o, row += Memory::kFigures) {
    row[0] = row[1] = row[2] = 0;
    if (!book_->can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    const int state = book_->after_action(ship(s).type, me.state, static_cast<int>(o));
    if (shot >= 0) {
      row[0] = best_weapon(now, s, e, state, me.lock == e, shot, policy);
      if (type.options[o].lock) row[1] = best_weapon(now, s, e, state, true, shot, policy);
    }
    if (shot_back < 0) continue;
    then.ship[at(s)].state = static_cast<std::uint16_t>(state);
    row[2] = best_weapon(then, e, s, enemy.state, enemy.lock == s, shot_back, policy);
  }
}

std::pair<int, int> Game::choose_action(const Now& now, int s) const {
  return choose_action(now, s, false, sights_of(leg_of(now), now), nullptr);
}

Sights Game::sights_of(const Leg& leg, const Now& now) const {
  Sights out;
  std::array<int, kMostShips> targets{};
  std::size_t p = 0;
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d, ++p) {
      std::array<std::int8_t, 2> shots{-1, -1};
      if (!now.ship[at(a)].gone && !now.ship[at(d)].gone) shots = leg.shots[p * kMostCases + now.stand[p]];
      out.shot[at(a)][at(d - mine_)] = shots[0];
      out.shot[at(d)][at(a)] = shots[1];
      targets[at(a)] += shots[0] >= 0 ? 1 : 0;
      targets[at(d)] += shots[1] >= 0 ? 1 : 0;
    }
  }
  for (int s = 0; s < ships(); ++s) out.share[at(s)] = targets[at(s)] > 0 ? 1.0 / targets[at(s)] : 0;
  return out;
}

Memory Game::memory() const {
  std::size_t most = 0;
  for (int t = 0; t < book_->types(); ++t) most = std::max(most, book_->type(t).options.size());
  return {most, at(std::max(mine_, ships() - mine_))};
}

/// The action after which the ship deals most in its own attack, by the measure of its policy, less what the attacks
/// that enemies could make on it do to it, by theirs. An enemy with several targets counts in part. All ships have the
/// tokens of this moment.
std::pair<int, int> Game::choose_action(const Now& now, int s, bool ionized, const Sights& sights,
                                        Memory* memory) const {
  const BattlePolicy policy = policy_of(s) == BattlePolicy::FocusFire ? BattlePolicy::Greedy : policy_of(s);
  const Type& type = type_of(s);
  const ShipNow& me = now.ship[at(s)];
  const int from = ship(s).mine ? mine_ : 0, to = ship(s).mine ? ships() : mine_;
  constexpr std::size_t kRow = Memory::kFigures * kMostOptions;
  static constexpr std::array<double, kRow> kNothing{};
  std::array<std::array<double, kRow>, kMostBattleShips> kept;  // only where there is no memory
  struct Enemy {
    int ship = 0;
    double threat = 0;  // how likely it is me that it shoots at
    const double* row = nullptr;
  };
  std::array<Enemy, kMostBattleShips> enemies;
  std::size_t n = 0;
  for (int e = from; e < to; ++e) {
    if (now.ship[at(e)].gone) continue;
    const int shot = sights.shot[at(s)][at(e - from)], shot_back = sights.shot[at(e)][at(s < mine_ ? s : s - mine_)];
    Enemy enemy{e, shot_back >= 0 ? sights.share[at(e)] : 0, kNothing.data()};
    if (shot >= 0 || shot_back >= 0) {
      const auto fill = [&](double* row) { look_ahead(now, s, e, shot, shot_back, policy, row); };
      if (memory != nullptr) {
        enemy.row = memory->prospects(at(e - from), name_of(now, s, e, shot, shot_back, policy), fill);
      } else {
        fill(kept[n].data());
        enemy.row = kept[n].data();
      }
    }
    enemies[n++] = enemy;
  }
  int best = -1, lock_on = -1;
  double most = 0;
  for (std::size_t o = 0; o < type.options.size(); ++o) {
    const ActionOption& option = type.options[o];
    if (ionized && !option.focus_only) continue;
    if (!book_->can_pay(ship(s).type, me.state, static_cast<int>(o))) continue;
    double lost = 0, dealt = 0, with_lock = -1;
    int target = -1, weakest = kMostHealth + 1;
    for (std::size_t i = 0; i < n; ++i) {
      const Enemy& enemy = enemies[i];
      const double* row = enemy.row + o * Memory::kFigures;
      lost += enemy.threat * row[2];
      dealt = std::max(dealt, row[0]);
      if (!option.lock) continue;
      const int health = now.ship[at(enemy.ship)].health;
      // Without a shot a lock on the weakest enemy is there for the rounds to come.
      if (row[1] > with_lock + kSame || (row[1] > with_lock - kSame && health < weakest)) {
        with_lock = row[1];
        target = enemy.ship;
        weakest = health;
      }
    }
    if (option.lock) dealt = with_lock;
    const double value = dealt - lost;
    if (best >= 0 && value <= most + kSame) continue;
    most = value;
    best = static_cast<int>(o);
    lock_on = option.lock ? target : -1;
  }
  return {best, lock_on};
}

// ---------------------------------------------------------------- what happens

int Game::damage(Now& now, int s, int n, int& points) const {
  ShipNow& hurt = now.ship[at(s)];
  const int before = hurt.health, after = std::max(0, before - n);
  points += points_lost(s, after) - points_lost(s, before);
  hurt.health = static_cast<std::uint8_t>(after);
  hurt.destroyed_at = after == 0;
  return before - after;
}

Shooting Game::resolve(Now& now, int s, const Choice& choice, const Outcome& outcome) const {
  Shooting out{.shooter = s, .target = choice.target};
  ShipNow &me = now.ship[at(s)], &him = now.ship[at(choice.target)];
  me.state = outcome.attacker;
  him.state = outcome.defender;
  if (outcome.lock) {
    me.lock = static_cast<std::int8_t>(choice.target);
  } else if (me.lock == choice.target) {
    me.lock = -1;
  }
  if (outcome.lock_back) him.lock = static_cast<std::int8_t>(s);
  out.damage = damage(now, choice.target, outcome.damage, out.points);
  int given_away = 0;
  out.own_damage = damage(now, s, outcome.own_damage, given_away);
  return out;
}

void Game::remove_destroyed(Now& now) const {
  for (int s = 0; s < ships(); ++s) {
    ShipNow& one = now.ship[at(s)];
    if (one.gone || one.health > 0) continue;
    one = {.health = 0, .lock = -1, .gone = true};
    for (int e = 0; e < ships(); ++e) {
      if (now.ship[at(e)].lock == s) now.ship[at(e)].lock = -1;
    }
  }
}

void Game::end(Now& now) const {
  for (int s = 0; s < ships(); ++s) {
    ShipNow& one = now.ship[at(s)];
    if (!one.gone) one.state = static_cast<std::uint16_t>(book_->after_end(ship(s).type, one.state));
  }
  now.stand.fill(0);
  now.mine_first = 1;
  ++now.round;
}

}  // namespace salvo::battle
