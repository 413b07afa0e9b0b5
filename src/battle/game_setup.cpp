// Game, what is set before it begins: the ships and their kinds, the order in which they act, the flight.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "answers/answer.h"
#include "battle/game.h"
#include "load/pilot_stats.h"

namespace salvo::battle {

GameCards cards_of(const Catalogue& catalogue, const BattleSide& one, const BattleSide& other) {
  const std::string &mine = one.rules, &theirs = other.rules;
  if (!mine.empty() && !theirs.empty() && mine != theirs) {
    throw ScenarioError(
        "theirs",
        fmt::format("one side is of the edition {}, the other of {}; a battle needs one edition", mine, theirs));
  }
  GameCards out;
  out.rules = !mine.empty() ? mine : !theirs.empty() ? theirs : Scenario().rules;
  out.cards = catalogue.card_set(!one.cards.empty() ? one.cards : other.cards, out.rules);
  return out;
}

std::vector<ScenarioShip> named_ships(const Catalogue& catalogue, const GameCards& cards, const BattleSide& side,
                                      const SidePlace& place, std::vector<std::string>& notes) {
  std::vector<ScenarioShip> out;
  for (const BattleShip& given : side.ships) {
    const std::string other = given.name == "d" ? "a" : "d";
    Scenario named;
    named.rules = cards.rules;
    named.cards = cards.cards;
    named.source = place.source;
    named.ships = {{given.name, given.ship}, {other, {.agility = 0, .hull = 1}}};
    named.ships[given.name].locks.clear();
    named.attacks = {{.by = other, .on = given.name}};
    try {
      answers::compile_named(catalogue, named);
    } catch (const LoadError& error) {
      if (error.path.empty()) throw;
      throw LoadError(error.what(), fmt::format("{}.{}", place.path, error.path), error.why);
    }
    notes.insert(notes.end(), named.notes.begin(), named.notes.end());
    out.push_back(named.ships[given.name]);
  }
  return out;
}

Game::Game(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget,
           std::shared_ptr<Book> shared)
    : question_(question), book_(std::move(shared)) {
  const GameCards set = cards_of(catalogue, question_.mine, question_.theirs);
  const std::string& cards = set.cards;
  flight_ = question.flight_text.empty() ? load::load_flight(catalogue.profiles(), question.flight)
                                         : load::parse_flight(question.flight_text, "flight");
  std::vector<ScenarioShip> given;
  add_side(catalogue, question_.mine, true, set, given);
  mine_ = static_cast<int>(ships_.size());
  add_side(catalogue, question_.theirs, false, set, given);
  count_ = static_cast<int>(ships_.size());
  if (!book_) {
    BookOptions options{set.rules, cards, attack_budget};
    options.damage_deck = question_.damage_deck;
    book_ = std::make_shared<Book>(catalogue, options, given);
  }
  bool all_priced = true;
  for (std::size_t s = 0; s < ships_.size(); ++s) {
    ships_[s].type = book_->type_of(given[s]);
    const auto first = std::find(given.begin(), given.end(), given[s]);
    ships_[s].alike = static_cast<int>(first - given.begin());
    find_kinds(catalogue, cards, static_cast<int>(s));
    all_priced = all_priced && ships_[s].points > 0;
  }
  // Points of two kinds do not compare: a squad has 20 of one and 200 of another.
  const std::string &one = question_.mine.ruleset, &other = question_.theirs.ruleset;
  const bool alike = one.empty() || other.empty() || one == other;
  if (!all_priced || !alike) {
    const auto [first, second] = std::minmax(one, other);  // whoever is mine: in a gauntlet one note, not two
    const std::string why =
        alike ? "not every ship has points, so each"
              : fmt::format("the squads were built with the points of {} and {}, so each ship", first, second);
    notes_.push_back(why + " counts as many as it has hull and shields");
    for (std::size_t s = 0; s < ships_.size(); ++s) ships_[s].points = book_->type(ships_[s].type).health();
  }
  find_order();
  find_names();
  fly();
  find_harm();
}

void Game::add_side(const Catalogue& catalogue, const BattleSide& side, bool mine, const GameCards& set,
                    std::vector<ScenarioShip>& ships) {
  const char* key = mine ? "mine" : "theirs";
  if (side.ships.empty()) throw ScenarioError(key, "there is no ship on this side; name at least one");
  if (side.ships.size() > kMaxBattleShips) {
    throw ScenarioError(key, fmt::format("{} ships; a side has {} at most", side.ships.size(), kMaxBattleShips));
  }
  std::vector<std::string> notes = side.notes;
  const std::vector<ScenarioShip> named = named_ships(catalogue, set, side, {key, key}, notes);
  for (std::string& note : notes) {  // both sides may have the same
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(std::move(note));
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    const BattleShip& given = side.ships[i];
    const ScenarioShip& ship = named[i];
    ships.push_back(ship);
    const load::Flown known = load::flown_by(catalogue, ship, set.cards);
    Ship out;
    out.name = given.name;
    out.mine = mine;
    out.initiative = given.initiative.value_or(known.pilot != nullptr ? known.pilot->initiative : 0);
    out.points = given.points.value_or(cost_in(catalogue, ship, set.cards).value_or(0));
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
  const load::Flown known = load::flown_by(catalogue, type.ship, cards);
  if (type.size == "large" || type.size == "huge") ship.kinds.emplace_back("large");
  if (known.ship != nullptr && known.ship->shields_recover > 0) {
    std::string note = fmt::format("the shields that {} recovers in the End Phase are left out", type.title);
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(std::move(note));
  }
  const auto is_turret = [](const Weapon& weapon) { return weapon.id.find("turret") != std::string::npos; };
  bool turret = std::any_of(type.weapons.begin(), type.weapons.end(), is_turret);
  for (const Weapon& weapon : type.weapons) {
    const load::CardSpec* card = catalogue.card("upgrade", weapon.id, cards);
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
    const std::vector<int>& engaged = engagement_[mine_first];
    for (std::size_t i = 0; i < engaged.size(); ++i) {
      last_of_initiative_[mine_first].push_back(i + 1 == engaged.size() ||
                                                ship(engaged[i]).initiative != ship(engaged[i + 1]).initiative);
    }
  }
  ties_ = activation_[0] != activation_[1];
}

void Game::find_names() {
  for (int s = 0; s < ships(); ++s) {
    Naming& naming = naming_[at(s)];
    naming.weakest_first = policy_of(s) == BattlePolicy::FocusFire;
    for (int e = 0; e < ships(); ++e) naming.health |= book_->reads_health(ship(s).type, ship(e).type) ? -1 : 0;
    const Range enemies = enemies_of(s);
    for (int e = enemies.first; e < enemies.end; ++e) {
      const std::size_t i = at(e - enemies.first);
      naming.target[i] = who_of(s, e, policy_of(s));
      naming.dealt[i] = who_of(s, e, action_policy_of(s));
      naming.lost[i] = who_of(e, s, action_policy_of(s));
    }
    const int health = type_of(s).health(), points = ship(s).points;
    for (int left = 0; left <= kMostHealth; ++left)
      lost_[at(s)][at(left)] = left == 0 ? points : 2 * left <= health ? points / 2 : 0;
    most_options_ = std::max(most_options_, type_of(s).options.size());
    Bar& bar = bar_[at(s)];
    for (const ActionOption& option : type_of(s).options) {
      const unsigned bit = 1u << bar.options++;
      if (option.focus_only) bar.focus_only |= bit;
      if (option.lock && option.stress == 0 && option.force == 0) bar.free_lock |= bit;
      if (option.lock) bar.lock |= bit;
      if (option.force > 0) bar.force |= bit;
    }
  }
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
  double nothing = 1, no_shots = 0;
  for (int r = 0; r < load::kFlightRanges; ++r) {
    for (const bool in_the_way : {false, true}) {
      const double where = range[at(r)] / 100.0 * (in_the_way ? obstructed : 100 - obstructed) / 100.0;
      for (int m = 0; m < 3; ++m) {
        for (int t = 0; t < 3; ++t) {
          const double p = where * share(mine, m) * share(theirs, t);
          if (m == 0 && t == 0) no_shots += p;
          if (p <= 0 || (m == 0 && t == 0)) continue;
          out.list.push_back({r, in_the_way, m, t});
          out.chance.push_back(p);
          nothing -= p;
        }
      }
    }
  }
  constexpr double kRounding = 1e-12;
  if (no_shots > kRounding) {  // at whatever range, they can lock each other (000: Lock)
    out.list.push_back({.range = 0});
    out.chance.push_back(no_shots);
    nothing -= no_shots;
  }
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
    leg.shots.assign(leg.pairs.size() * kMaxCases, {-1, -1});
    leg.near.assign(leg.pairs.size() * kMaxCases, 0);
    for (std::size_t p = 0; p < leg.pairs.size(); ++p) {
      leg.certain = leg.certain && leg.pairs[p].list.size() == 1;
      for (std::size_t c = 0; c < leg.pairs[p].list.size(); ++c) {
        leg.shots[p * kMaxCases + c] = leg.pairs[p].list[c].shots();
        leg.near[p * kMaxCases + c] = leg.pairs[p].list[c].range >= 0 ? 1 : 0;
      }
    }
    legs_.push_back(std::move(leg));
  }
}

/// visit(key) for each weapon and shot with which a ship can attack another in a round of the flight.
template <typename Visit>
void Game::each_attack(int leg, int by, int on, const Visit& visit) const {
  const std::size_t pair = at(pair_of(by, on));
  const std::vector<Weapon>& weapons = type_of(by).weapons;
  std::set<int> shots;
  for (const Stand& stand : legs_[at(leg)].pairs[pair].list) shots.insert(stand.shots()[ship(by).mine ? 0 : 1]);
  for (const int shot : shots) {
    for (std::size_t w = 0; shot >= 0 && w < weapons.size(); ++w) {
      if (!weapons[w].fits(Shot::of(shot))) continue;
      visit(
          AttackKey{.attacker = ship(by).type, .defender = ship(on).type, .weapon = static_cast<int>(w), .shot = shot});
    }
  }
}

/// Which shots can do damage at all, from the last round of the flight back.
void Game::find_harm() {
  hurt_until_.assign(at(pairs()), -1);
  std::map<std::array<int, 4>, Harm> known;  // by types, weapon and shot
  const auto harm = [&](const AttackKey& key) {
    const auto [place, added] = known.try_emplace({key.attacker, key.defender, key.weapon, key.shot});
    if (added) place->second = book_->harm(key);
    return place->second;
  };
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      const std::size_t pair = at(pair_of(a, d));
      for (int leg = static_cast<int>(legs_.size()) - 1; leg >= 0 && hurt_until_[pair] < 0; --leg) {
        for (const bool mine : {true, false}) {
          const int by = mine ? a : d, on = mine ? d : a;
          each_attack(leg, by, on, [&](const AttackKey& key) {
            const Harm found = hurt_until_[pair] < 0 ? harm(key) : Harm();
            if (!found.possible) return;
            if (found.slot < 0) {
              hurt_until_[pair] = leg;
            } else {
              paid_shots_.push_back({by, on, leg, found});
            }
          });
        }
      }
    }
  }
}

}  // namespace salvo::battle
