#include "battle/battle_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "answers/answer.h"
#include "base/index.h"
#include "base/name_key.h"
#include "battle/friend_help.h"
#include "data/message.h"
#include "load/actions.h"
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

std::vector<NamedShip> named_ships(const Catalogue& catalogue, const GameCards& cards, const BattleSide& side,
                                   const SidePlace& place, const std::string& damage_deck,
                                   std::vector<std::string>& notes) {
  std::vector<NamedShip> out;
  const CardSource source{catalogue, *catalogue.edition(cards.rules), cards.rules, cards.cards};
  for (const BattleShip& given : side.ships) {
    const std::string other = given.name == "d" ? "a" : "d";
    Scenario named;
    named.rules = cards.rules;
    named.cards = cards.cards;
    named.source = place.source;
    named.ships = {{given.name, given.ship}, {other, {.agility = 0, .hull = 1}}};
    named.ships[given.name].locks.clear();
    if (!given.ship.faceup.empty()) named.damage_deck = damage_deck;
    named.attacks = {{.by = other, .on = given.name}};
    try {
      const compile::CompiledScenario found = answers::compile_named(catalogue, named);
      const std::vector<std::string>& turned = found.labels.turned_facedown;
      notes.insert(notes.end(), turned.begin(), turned.end());
      const std::vector<std::string>& others = found.labels.other_ships;
      if (side.ruleset.empty()) notes.insert(notes.end(), others.begin(), others.end());  // squads have their own
      for (std::size_t s = 0; s < found.plan.ships.size(); ++s) {
        const int health = found.plan.ships[s].hull + found.plan.ships[s].shields;
        if (found.labels.ships[s] != given.name || health <= kMaxHealth) continue;
        const std::string path = fmt::format("ships.{}.hull", given.name);
        const std::string why = fmt::format("{} hull and shields; a battle takes {} at most", health, kMaxHealth);
        throw LoadError(fmt::format("{}: {}: {}", place.source, path, why), path, why);
      }
    } catch (const LoadError& error) {
      if (error.path.empty()) throw;
      throw LoadError(error.what(), fmt::format("{}.{}", place.path, error.path), error.why);
    }
    notes.insert(notes.end(), named.notes.begin(), named.notes.end());
    NamedShip& ship = out.emplace_back(NamedShip{named.ships[given.name], side.ships.size() == 1});
    ship.action_cards = action_cards(catalogue, cards.cards, cards_of_ship(source, ship.ship));
    for (const std::string& what : notes_on_cards(source, ship))
      notes.push_back(fmt::format("{}: {}", given.name, what));
  }
  add_helper(source, out);
  return out;
}

std::string deck_for(const std::string& asked, const std::vector<const BattleSide*>& sides) {
  const auto has_faceup = [](const BattleShip& ship) { return !ship.ship.faceup.empty(); };
  const bool faceup = std::any_of(sides.begin(), sides.end(), [&](const BattleSide* side) {
    return std::any_of(side->ships.begin(), side->ships.end(), has_faceup);
  });
  return asked == kNoDeck && faceup ? "core" : asked;
}

BattleSetup::BattleSetup(const Catalogue& catalogue, const BattleQuestion& question, double attack_budget,
                         const TablesSource& source)
    : question_(question) {
  const bool dealt = question_.damage_deck != kNoDeck;
  question_.damage_deck = deck_for(question_.damage_deck, {&question_.mine, &question_.theirs});
  if (!dealt && question_.damage_deck != kNoDeck)
    notes_.push_back(
        fmt::format("faceup damage cards lie on ships, so damage deals cards of the deck {}", question_.damage_deck));
  TablesKey key{&catalogue, cards_of(catalogue, question_.mine, question_.theirs), question_.damage_deck, {}};
  const std::string& cards = key.cards.cards;
  const std::vector<NamedShip>& given = key.ships;
  flight_ = question.flight_text.empty() ? load::load_flight(catalogue.profiles(), question.flight)
                                         : load::parse_flight(question.flight_text, "flight");
  add_side(catalogue, question_.mine, true, key.cards, key.ships);
  mine_ = static_cast<int>(ships_.size());
  add_side(catalogue, question_.theirs, false, key.cards, key.ships);
  count_ = static_cast<int>(ships_.size());
  if (source) tables_ = source(key);
  if (!tables_) {
    AttackTablesOptions options{key.cards.rules, cards, attack_budget};
    options.damage_deck = question_.damage_deck;
    tables_ = std::make_shared<AttackTables>(catalogue, options, given);
  }
  bool all_priced = true;
  for (std::size_t s = 0; s < ships_.size(); ++s) {
    ships_[s].type = tables_->type_of(given[s]);
    const auto first = std::find(given.begin(), given.end(), given[s]);
    ships_[s].alike = static_cast<int>(first - given.begin());
    find_kinds(catalogue, cards, static_cast<int>(s));
    all_priced = all_priced && ships_[s].points > 0;
  }
  check_damage_cards();
  // Points of different rulesets are not comparable: a squad has 20 in one and 200 in another.
  const std::string &one = question_.mine.ruleset, &other = question_.theirs.ruleset;
  const bool alike = one.empty() || other.empty() || one == other;
  if (!all_priced || !alike) {
    const auto [first, second] = std::minmax(one, other);  // the same note whichever side is mine
    const std::string why =
        alike ? "not every ship has points, so each"
              : fmt::format("the squads were built with the points of {} and {}, so each ship", first, second);
    notes_.push_back(why + " counts as many as it has hull and shields");
    for (std::size_t s = 0; s < ships_.size(); ++s) ships_[s].points = tables_->type(ships_[s].type).health();
  }
  find_order();
  find_helpers();
  target_ranks_.fill(kNoRank);
  find_target_order(true);
  find_target_order(false);
  find_points();
  find_deficits(all_priced && alike);
  read_flight();
  find_objectives();
  find_possible_damage();
}

void BattleSetup::add_side(const Catalogue& catalogue, const BattleSide& side, bool mine, const GameCards& set,
                           std::vector<NamedShip>& ships) {
  const char* key = mine ? "mine" : "theirs";
  if (side.ships.empty()) throw ScenarioError(key, "this side has no ships; name at least one");
  if (side.ships.size() > kMaxBattleShips) {
    throw ScenarioError(key, fmt::format("{} ships; a side has {} at most", side.ships.size(), kMaxBattleShips));
  }
  std::vector<std::string> notes = side.notes;
  const std::vector<NamedShip> named = named_ships(catalogue, set, side, {key, key}, question_.damage_deck, notes);
  for (const std::string& note : notes) base::add_once(notes_, note);  // both sides may have the same note
  for (std::size_t i = 0; i < named.size(); ++i) {
    const BattleShip& given = side.ships[i];
    const ScenarioShip& ship = named[i].ship;
    ships.push_back(named[i]);
    const load::PilotStats known = load::find_pilot_stats(catalogue, ship, set.cards);
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

/// Throws ScenarioError if a side has more copies of a damage card than its deck.
void BattleSetup::check_damage_cards() const {
  const DeckModel* dealt = tables_->deck();
  for (std::size_t card = 0; dealt != nullptr && card < dealt->deck->cards.size(); ++card) {
    for (const bool mine : {true, false}) {
      int all = 0;
      for (const Ship& one : ships_) {
        const std::vector<int>& known = tables_->type(one.type).known;
        all += one.mine == mine && !known.empty() ? known[card] : 0;
      }
      const load::DamageCardSpec& spec = dealt->deck->cards[card];
      if (all > spec.copies) {
        throw ScenarioError(mine ? "mine" : "theirs",
                            fmt::format("{} copies of {} on ships of this side; the deck {} has {}", all, spec.card.id,
                                        dealt->deck->id, spec.copies));
      }
    }
  }
}

void BattleSetup::find_kinds(const Catalogue& catalogue, const std::string& cards, int s) {
  constexpr int kAce = 5;  // initiative
  Ship& ship = ships_[at(s)];
  const ShipType& type = tables_->type(ship.type);
  const load::PilotStats known = load::find_pilot_stats(catalogue, type.ship, cards);
  if (type.size == "large" || type.size == "huge") ship.kinds.emplace_back("large");
  if (known.ship != nullptr && known.ship->shields_recover > 0)
    base::add_once(notes_, fmt::format("the shields that {} recovers in the End Phase are left out", type.title));
  const auto is_turret = [](const Weapon& weapon) { return weapon.id.find("turret") != std::string::npos; };
  bool turret = std::any_of(type.weapons.begin(), type.weapons.end(), is_turret);
  for (const Weapon& weapon : type.weapons) {
    const load::CardSpec* card = catalogue.card("upgrade", weapon.id, cards);
    turret = turret || (card != nullptr && card->weapon && card->weapon->arc.find("turret") != std::string::npos);
  }
  if (turret) ship.kinds.emplace_back("turret");
  if (known.ship != nullptr && type.size == "small" && ship.initiative >= kAce) {
    const std::string pilot = known.pilot != nullptr ? known.pilot->id : "";
    for (const load::Action& action : load::actions_of(catalogue, cards, known.ship->id, pilot, {})) {
      const bool moves = action.name == "boost" || action.name == "barrel-roll";
      if (!moves || action.difficulty != load::Action::Difficulty::White) continue;
      ship.kinds.emplace_back("ace");
      break;
    }
  }
  if (ship.kinds.empty()) ship.kinds.emplace_back("jouster");
}

/// Ships activate from the lowest initiative to the highest and engage from the highest to the lowest; at equal
/// initiative those of the first player come first (000: Activation_Phase, Engagement_Phase).
void BattleSetup::find_order() {
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

void BattleSetup::find_points() {
  const HalfPoints half = question_.score.half_points;
  for (int s = 0; s < ships(); ++s) {
    const int health = type_of(s).health(), points = ship(s).points;
    const bool large = base::contains(ship(s).kinds, std::string("large"));
    const int halved = half == HalfPoints::All || (half == HalfPoints::Large && large) ? points / 2 : 0;
    for (int left = 0; left <= kMaxHealth; ++left)
      lost_[at(s)][at(left)] = left == 0 ? points : 2 * left <= health ? halved : 0;
  }
}

/// At the start of the game, each player earns points equal to the opponent's deficit (000: Deficit; Mission Points).
void BattleSetup::find_deficits(bool by_points) {
  const int most = question_.score.squad_points;
  if (most == 0) return;
  if (!by_points)
    throw ScenarioError("squad_points",
                        "ships count as many points as they have hull and shields here, so squads have no deficit; "
                        "leave it out, or give each ship its points");
  for (const bool mine : {true, false}) {
    int sum = 0;
    for (int s = 0; s < ships(); ++s) sum += ship(s).mine == mine ? ship(s).points : 0;
    if (sum > most) {
      throw ScenarioError("squad_points", fmt::format("{} ships cost {} points, more than {}; give at least {}",
                                                      mine ? "my" : "their", sum, most, sum));
    }
    deficits_[mine ? 1 : 0] = most - sum;
  }
}

/// The helper of a side is the ship that has none, where others have one.
void BattleSetup::find_helpers() {
  for (int s = 0; s < ships(); ++s) has_help_ = has_help_ || type_of(s).helped >= 0;
  if (!has_help_) return;
  for (int s = 0; s < ships(); ++s) {
    const Range enemies = enemies_of(s);
    for (int o = 0; o < ships(); ++o) {
      if ((o < enemies.first || o >= enemies.end) && type_of(o).helped >= 0 && type_of(s).helped < 0)
        helpers_[ship(s).mine ? 0 : 1] = s;
    }
  }
}

void BattleSetup::find_target_order(bool mine) {
  const Range targets = enemies_of(mine ? 0 : mine_);
  // A mirror match renames the opponent's ships ("darthvader 2"), who can be called as in their squad, too.
  std::vector<std::string> names, given;
  for (int s = targets.first; s < targets.end; ++s) names.push_back(ship(s).name);
  for (const BattleShip& one : (mine ? question_.theirs : question_.mine).ships) given.push_back(one.name);
  int rank = 0;
  for (const std::string& wanted : mine ? question_.my_target_order : question_.their_target_order) {
    const auto index_in = [&](const std::vector<std::string>& list) {
      return static_cast<std::size_t>(
          std::find_if(list.begin(), list.end(),
                       [&](const std::string& name) { return base::name_key(name) == base::name_key(wanted); }) -
          list.begin());
    };
    std::size_t found = index_in(names);
    if (found == names.size()) found = index_in(given);
    const char* const key = mine ? "target_order" : "their_target_order";
    if (found == names.size()) throw ScenarioError(key, data::not_among(wanted, names));
    int& place = target_ranks_[at(targets.first) + found];
    if (place != kNoRank) throw ScenarioError(key, fmt::format("it names {} twice; name each ship once", names[found]));
    place = rank++;
    has_target_order_ = true;
  }
}

unsigned BattleSetup::named_first(int s, unsigned enemies) const {
  unsigned out = 0;
  int best = kNoRank + 1;
  for (int i = 0; enemies >> i != 0; ++i) {
    if ((enemies >> i & 1) == 0) continue;
    const int rank = target_rank(enemies_of(s).first + i);
    if (rank < best) out = 0;
    if (rank <= best) out |= 1u << i;
    best = std::min(best, rank);
  }
  return out;
}

void BattleSetup::find_objectives() {
  std::array<int, 2> all{};
  for (int r = 0; r < question_.rounds; ++r) {
    const int flight_round = std::min(r, static_cast<int>(flight_rounds_.size()) - 1);
    for (const Objective& one : flight_rounds_[at(flight_round)].objectives) {
      all[one.mine ? 0 : 1] += one.points;
      last_objective_ = std::max(last_objective_, flight_round);
    }
  }
  most_scored_ = std::max(all[0], all[1]);
  constexpr int kMost = 1023;  // points that a state of the exact engine has room for
  if (most_scored_ > kMost) {
    throw ScenarioError("flight", fmt::format("its objectives give up to {} points in {} rounds; a battle counts {}",
                                              most_scored_, question_.rounds, kMost));
  }
}

// ---------------------------------------------------------------- the flight

bool BattleSetup::fits(const load::ShipWords& words, int s) const {
  const Ship& one = ship(s);
  const int number = one.mine ? s + 1 : s - mine_ + 1;
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    if (word == "any") return true;
    if (word == "mine" || word == "theirs") return one.mine == (word == "mine");
    if (word == fmt::format("{}-{}", one.mine ? "mine" : "theirs", number)) return true;
    return std::find(one.kinds.begin(), one.kinds.end(), word) != one.kinds.end();
  });
}

GeometryDistribution BattleSetup::geometry_of(const load::FlightRound& round, int a, int d) const {
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
  if (!tables_->reads_bullseye(ship(a).type, ship(d).type)) mine.bullseye = 0;
  if (!tables_->reads_bullseye(ship(d).type, ship(a).type)) theirs.bullseye = 0;
  const auto share = [](const Aim& aim, int kind) {
    const double arc = aim.arc / 100.0, bullseye = aim.bullseye / 100.0;
    return kind == 0 ? 1 - arc : kind == 1 ? arc * (1 - bullseye) : arc * bullseye;
  };
  GeometryDistribution out;
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
  if (no_shots > kRounding) {  // they can lock each other at any range (000: Lock)
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
    const auto left = [&](const Geometry& geometry) {
      const int aim = my_own ? geometry.theirs : geometry.mine;
      return aim == 0 ? std::array{0, 0, 0} : std::array{aim, geometry.range, geometry.obstructed ? 1 : 0};
    };
    for (const Geometry& geometry : out.list) {
      const auto first = std::find_if(out.list.begin(), out.list.end(),
                                      [&](const Geometry& other) { return left(other) == left(geometry); });
      out.after_engaging[my_own].push_back(static_cast<std::uint8_t>(first - out.list.begin()));
    }
  }
  return out;
}

void BattleSetup::read_flight() {
  for (const load::FlightRound& round : flight_.rounds) {
    FlightRound flight_round;
    for (int s = 0; s < ships(); ++s) {
      for (const load::FlightShip& rule : round.ships) {
        if (!fits(rule.is, s)) continue;
        flight_round.no_action[at(s)] = rule.no_action.value_or(flight_round.no_action[at(s)]);
        flight_round.blue[at(s)] = rule.blue.value_or(flight_round.blue[at(s)]);
        flight_round.near_friends[at(s)] = rule.near_friends.value_or(flight_round.near_friends[at(s)]);
      }
    }
    flight_round.pairs.resize(at(pairs()));
    for (int a = 0; a < mine_; ++a) {
      for (int d = mine_; d < ships(); ++d) flight_round.pairs[at(pair_of(a, d))] = geometry_of(round, a, d);
    }
    flight_round.shots.assign(flight_round.pairs.size() * kMaxGeometries, {-1, -1});
    flight_round.near.assign(flight_round.pairs.size() * kMaxGeometries, 0);
    for (std::size_t p = 0; p < flight_round.pairs.size(); ++p) {
      flight_round.certain = flight_round.certain && flight_round.pairs[p].list.size() == 1;
      for (std::size_t c = 0; c < flight_round.pairs[p].list.size(); ++c) {
        flight_round.shots[p * kMaxGeometries + c] = flight_round.pairs[p].list[c].shots();
        flight_round.near[p * kMaxGeometries + c] = flight_round.pairs[p].list[c].range >= 0 ? 1 : 0;
      }
    }
    for (const load::FlightObjective& rule : round.objectives) {
      for (const bool mine : {true, false}) {
        Objective one{.mine = mine, .points = rule.points};
        for (int s = 0; s < ships(); ++s) one.ships |= ship(s).mine == mine && fits(rule.by, s) ? 1u << s : 0u;
        if (one.ships != 0 && one.points > 0) flight_round.objectives.push_back(one);
      }
    }
    flight_rounds_.push_back(std::move(flight_round));
  }
}

/// Calls visit(key) for each weapon and shot with which a ship can attack another in a round of the flight.
template <typename Visit>
void BattleSetup::each_attack(int flight_round, int by, int on, const Visit& visit) const {
  const std::size_t pair = at(pair_of(by, on));
  const std::vector<Weapon>& weapons = type_of(by).weapons;
  std::set<int> shots;
  for (const Geometry& geometry : flight_rounds_[at(flight_round)].pairs[pair].list)
    shots.insert(geometry.shots()[ship(by).mine ? 0 : 1]);
  for (const int shot : shots) {
    for (std::size_t w = 0; shot >= 0 && w < weapons.size(); ++w) {
      if (!weapons[w].fits(Shot::of(shot))) continue;
      visit(
          AttackKey{.attacker = ship(by).type, .defender = ship(on).type, .weapon = static_cast<int>(w), .shot = shot});
    }
  }
}

/// Finds the shots that can do damage, from the last round of the flight backward.
void BattleSetup::find_possible_damage() {
  damage_until_.assign(at(pairs()), -1);
  std::map<std::array<int, 4>, DamagePotential> known;  // by types, weapon and shot
  const auto can_damage = [&](const AttackKey& key) {
    const auto [place, added] = known.try_emplace({key.attacker, key.defender, key.weapon, key.shot});
    if (added) place->second = tables_->can_damage(key);
    return place->second;
  };
  for (int a = 0; a < mine_; ++a) {
    for (int d = mine_; d < ships(); ++d) {
      const std::size_t pair = at(pair_of(a, d));
      for (int flight_round = static_cast<int>(flight_rounds_.size()) - 1; flight_round >= 0 && damage_until_[pair] < 0;
           --flight_round) {
        for (const bool mine : {true, false}) {
          const int by = mine ? a : d, on = mine ? d : a;
          each_attack(flight_round, by, on, [&](const AttackKey& key) {
            const DamagePotential found = damage_until_[pair] < 0 ? can_damage(key) : DamagePotential();
            if (!found.possible) return;
            if (found.slot < 0) {
              damage_until_[pair] = flight_round;
            } else {
              paid_shots_.push_back({by, on, flight_round, found});
            }
          });
        }
      }
    }
  }
}

}  // namespace salvo::battle
