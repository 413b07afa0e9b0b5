// Turns SPECs into the ships and attacks of a scenario, whose source is "flags", since SPECs come from options.
#include "load/specs.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "data/message.h"
#include "data/value.h"
#include "load/chances.h"
#include "load/scenario_names.h"
#include "load/scenario_tree.h"
#include "load/spec_reader.h"
#include "load/spec_ships.h"
#include "salvo/load.h"

namespace salvo {

namespace {

using data::Value;
using load::GivenSpec;
using load::GivenSpecs;
using load::Role;
using load::SpecVocabulary;
using Names = std::vector<std::string>;

/// The place of a SPEC and the rest of a path within it: "--attack 2" and "tokens" for "ships.a2.tokens".
struct SpecLocation {
  std::string place, rest;
};
using Places = std::map<std::string, std::string>;  // Scenario::given_by

bool is_of_spec(const std::string& path) { return path.starts_with("ships.") || path.starts_with("attacks["); }

/// Finds the longest prefix of a path in `given_by`: "ships.a1.tokens.focus" belongs to the SPEC of "ships.a1".
std::optional<SpecLocation> locate(const Places& given_by, const std::string& path) {
  for (std::size_t end = path.size(); end != 0 && end != std::string::npos; end = path.find_last_of(".[", end - 1)) {
    const auto found = given_by.find(path.substr(0, end));
    if (found != given_by.end() && found->second.empty()) return std::nullopt;  // an option replaced it
    if (found != given_by.end()) return SpecLocation{found->second, path.substr(end + (path[end] == '.' ? 1 : 0))};
    if (!is_of_spec(path)) return std::nullopt;
  }
  return std::nullopt;
}

std::string with_rest(const SpecLocation& at, const std::string& why) {
  return at.rest.empty() ? why : at.rest + ": " + why;
}

/// Calls `read`. Its errors get the places of SPECs.
template <typename Read>
auto read_located(const Places& given_by, const Read& read) {
  try {
    return read();
  } catch (const LoadError& error) {
    if (const auto at = locate(given_by, error.path)) throw data::error_at(at->place, with_rest(*at, error.why));
    throw;
  }
}

/// Builds the tree of a scenario from SPECs.
class ScenarioBuilder {
 public:
  ScenarioBuilder(const SpecVocabulary& words, const GivenSpecs& attacks, const GivenSpecs& defenders)
      : words_(words), attacks_place_(attacks.place) {
    if (attacks.list.empty())
      throw data::error_at(attacks.place, fmt::format("no attack; give {} 'SPEC' at least once", attacks.place));
    if (defenders.list.empty())
      throw data::error_at(defenders.place, fmt::format("no ship is shot at; give {} 'SPEC'", defenders.place));
    const std::size_t many = defenders.list.size();
    for (std::size_t i = 0; i < many; ++i) targets_.push_back(many == 1 ? "d" : fmt::format("d{}", i + 1));
    for (const GivenSpec& spec : attacks.list) add_attacks(spec);
    for (std::size_t i = 0; i < many; ++i) add_defender(targets_[i], defenders.list[i]);
  }

  Scenario read(const std::string& rules, const std::string& cards) {
    Value root = Value::table();
    root.add("rules", Value::of(rules));
    if (!cards.empty()) root.add("cards", Value::of(cards));
    root.add("ships", std::move(ships_));
    root.add("attacks", std::move(attacks_));
    Scenario out = read_located(given_by_, [&] { return load::read_scenario(root, "flags"); });
    for (ScenarioAttack& attack : out.attacks) {
      if (attack.unnamed == UnnamedWeapon::Primary) attack.unnamed = UnnamedWeapon::Best;
    }
    out.notes = std::move(notes_);
    out.given_by = std::move(given_by_);
    return out;
  }

 private:
  load::ParsedSpec read_spec(const GivenSpec& spec, Role role) {
    load::ParsedSpec out = load::parse_spec(words_, spec, role, targets_, attacks_place_);
    notes_.insert(notes_.end(), out.notes.begin(), out.notes.end());
    return out;
  }

  void add_attacks(const GivenSpec& spec) {
    const load::ParsedSpec read = read_spec(spec, Role::Attacker);
    for (int time = 0; time < read.times; ++time) {
      const std::string name = fmt::format("a{}", attacks_.items.size() + 1);
      given_by_[fmt::format("attacks[{}]", attacks_.items.size())] = given_by_["ships." + name] = spec.place;
      Value attack = read.attack;
      attack.add("by", Value::of(name));
      attack.add("on", targets());
      ships_.add(name, read.ship);
      attacks_.items.push_back(std::move(attack));
    }
  }

  void add_defender(const std::string& name, const GivenSpec& spec) {
    load::ParsedSpec read = read_spec(spec, Role::Defender);
    ships_.add(name, std::move(read.ship));
    given_by_["ships." + name] = spec.place;
    if (read.attack.items.empty()) return;  // the words of its roll
    if (attacks_.items.size() > 1 || targets_.size() > 1) {
      throw data::error_at(spec.place,
                           "the stated roll of the defense is that of one attack on one ship; with several, "
                           "state defense_rolled or defense_results with each attack of a scenario");
    }
    for (Value& faces : read.attack.items) {
      given_by_["attacks[0]." + faces.key] = spec.place;
      attacks_.items.front().items.push_back(std::move(faces));
    }
  }

  /// The name of the only defender, or the list of all.
  Value targets() const {
    if (targets_.size() == 1) return Value::of(targets_.front());
    Value out = Value::array();
    for (const std::string& target : targets_) out.items.push_back(Value::of(target));
    return out;
  }

  const SpecVocabulary& words_;
  const std::string attacks_place_;
  Names targets_, notes_;
  Places given_by_;
  Value ships_ = Value::table(), attacks_ = Value::array();
};

}  // namespace

namespace load {
namespace {

/// A placeholder for a defender that the caller supplies later, or for the other side of a roll alone.
GivenSpecs dummy_defender() { return {"", {spec_of("", "0")}}; }

}  // namespace

GivenSpecs specs_of_option(const std::string& option, const std::vector<std::string>& texts, Numbered numbered) {
  GivenSpecs out{option, {}};
  const bool number = numbered == Numbered::Always || texts.size() > 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = number ? fmt::format("{} {}", option, i + 1) : option;
    out.list.push_back({texts[i], name, name});
  }
  return out;
}

GivenSpecs specs_of_key(const std::string& key, const std::string& option, const std::vector<std::string>& texts,
                        Numbered numbered) {
  GivenSpecs out = specs_of_option(option, texts, numbered);
  out.place = key;
  const bool number = numbered == Numbered::Always || texts.size() > 1;
  for (std::size_t i = 0; i < texts.size(); ++i) out.list[i].place = number ? fmt::format("{}[{}]", key, i) : key;
  return out;
}

void check_length(const GivenSpec& spec) {
  constexpr std::size_t kLongestSpec = 20'000;
  if (spec.text.size() <= kLongestSpec) return;
  throw data::error_at(spec.place, fmt::format("has {} characters, and a SPEC at most {}; leave out what is not of "
                                               "one ship, or give a list of ships as a file",
                                               spec.text.size(), kLongestSpec));
}

GivenSpec spec_of(const std::string& place, const std::string& text) { return {text, place, place}; }

Scenario attacks_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                            const GivenSpecs& specs) {
  return scenario_from_specs(catalogue, rules, cards, specs, dummy_defender());
}

Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const GivenSpecs& attacks, const GivenSpecs& defenders) {
  const SpecVocabulary words = make_vocabulary(catalogue, rules, cards);
  const bool attack = attacks.list.size() == 1 && defenders.list.empty();
  const bool defense = attacks.list.empty() && defenders.list.size() == 1;
  const GivenSpecs other = dummy_defender();
  Scenario out = ScenarioBuilder(words, defense ? other : attacks, attack ? other : defenders).read(rules, cards);
  if (attack || defense) out.roll = attack ? "attack" : "defense";
  return out;
}

namespace {

/// Ships of SPECs without an attack.
struct LoneShips {
  Scenario scenario;  ///< contains them by name
  std::vector<std::string> names;
  std::vector<FightingSpec> list;
};

LoneShips lone_ships(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                     const GivenSpecs& specs, Role role, std::vector<std::string>* notes) {
  static const std::string source = "flags";
  const SpecVocabulary words = make_vocabulary(catalogue, rules, cards);
  LoneShips out;
  out.scenario.rules = rules;
  out.scenario.cards = cards;
  data::Value ships = data::Value::table();
  std::vector<GivenSpec> list;
  std::vector<std::string> divided;
  for (const GivenSpec& spec : specs.list) {
    const std::vector<GivenSpec> one = role == Role::Fighter ? ships_of(words, spec, divided) : std::vector{spec};
    list.insert(list.end(), one.begin(), one.end());
  }
  if (notes != nullptr) notes->insert(notes->end(), divided.begin(), divided.end());
  for (const GivenSpec& spec : list) {
    const ParsedSpec read = parse_spec(words, spec, role, {}, "");
    for (int time = 0; time < read.times; ++time) {
      const std::string name = fmt::format("s{}", ships.items.size() + 1);
      out.scenario.given_by["ships." + name] = spec.place;
      ships.add(name, read.ship);
    }
    if (notes != nullptr) notes->insert(notes->end(), read.notes.begin(), read.notes.end());
  }
  data::Value root = data::Value::table();
  root.add("ships", std::move(ships));
  const data::Node node(root, source);
  for (const data::Node& ship : node.get("ships")->children()) {
    out.names.push_back(ship.key());
    out.list.push_back({read_located(out.scenario.given_by, [&] { return read_fighting_ship(ship); }),
                        out.scenario.given_by.at("ships." + ship.key())});
    out.scenario.ships[ship.key()] = out.list.back().ship;
  }
  return out;
}

}  // namespace

std::vector<FightingSpec> fighters_from_specs(const Catalogue& catalogue, const std::string& rules,
                                              const std::string& cards, const GivenSpecs& specs,
                                              std::vector<std::string>& notes) {
  LoneShips read = lone_ships(catalogue, rules, cards, specs, Role::Fighter, &notes);
  check_names(catalogue, read.scenario);
  return std::move(read.list);
}

std::vector<ScenarioShip> ships_from_specs(const Catalogue& catalogue, const std::string& rules,
                                           const std::string& cards, const GivenSpecs& specs,
                                           std::vector<std::string>* notes) {
  LoneShips read = lone_ships(catalogue, rules, cards, specs, Role::Bystander, notes);
  resolve_names(catalogue, read.scenario);
  if (notes != nullptr) notes->insert(notes->end(), read.scenario.notes.begin(), read.scenario.notes.end());
  std::vector<ScenarioShip> out;
  for (const std::string& name : read.names) out.push_back(read.scenario.ships.at(name));
  return out;
}

void resolve_names(const Catalogue& catalogue, Scenario& scenario) {
  try {
    names_to_ids(catalogue, scenario);
  } catch (const ScenarioError& error) {
    throw with_location(scenario, error);
  }
}

void check_names(const Catalogue& catalogue, Scenario scenario) { resolve_names(catalogue, scenario); }

void add_return_fire(const Catalogue& catalogue, const GivenSpecs& specs, Scenario& scenario) {
  const ScenarioShip& first = scenario.ships.at("a1");
  if (!first.ship && !first.pilot && !first.agility) {
    throw data::error_at(specs.place,
                         "the first attacker has no agility; name its ship, for example --attack 'X-wing focus'");
  }
  const Scenario read = attacks_from_specs(catalogue, scenario.rules, scenario.cards, specs);
  for (std::size_t i = 0; i < read.attacks.size(); ++i) {
    ScenarioAttack attack = read.attacks[i];
    ScenarioShip ship = read.ships.at(attack.by);
    lock_on("a1", ship);
    const std::string& place = read.given_by.at("ships." + attack.by);
    attack.by = fmt::format("b{}", i + 1);
    attack.on = "a1";
    scenario.given_by["ships." + attack.by] = place;
    scenario.given_by[fmt::format("attacks[{}]", scenario.attacks.size())] = place;
    scenario.ships[attack.by] = std::move(ship);
    scenario.attacks.push_back(std::move(attack));
  }
  scenario.notes.insert(scenario.notes.end(), read.notes.begin(), read.notes.end());
}

LoadError with_location(const Scenario& scenario, const ScenarioError& error) {
  if (const auto at = locate(scenario.given_by, error.path); at && is_of_spec(error.path))
    return data::error_at(at->place, with_rest(*at, error.what()));
  return LoadError(describe(scenario, error), error.path, error.what());
}

}  // namespace load

std::string describe(const Scenario& scenario, const ScenarioError& error) {
  if (const auto at = locate(scenario.given_by, error.path)) return at->place + ": " + with_rest(*at, error.what());
  std::string key = error.path;
  auto line = scenario.lines.find(key);
  while (line == scenario.lines.end() &&
         !key.empty()) {  // the path may have no line of its own: use that of its parent
    const std::size_t cut = key.find_last_of(".[");
    key.resize(cut == std::string::npos ? 0 : cut);
    line = scenario.lines.find(key);
  }
  return data::place(scenario.source, error.path, line == scenario.lines.end() ? 0 : line->second) + error.what();
}

// ---- The public functions (salvo/load.h) ----

Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attacks, const std::vector<std::string>& defenders) {
  return load::scenario_from_specs(catalogue, rules, cards, load::specs_of_option("--attack", attacks),
                                   load::specs_of_option("--defend", defenders, load::Numbered::IfSeveral));
}

Scenario scenario_from_specs(const Catalogue& catalogue, const std::string& rules, const std::string& cards,
                             const std::vector<std::string>& attacks, const std::string& defender) {
  return scenario_from_specs(catalogue, rules, cards, attacks, std::vector{defender});
}

void add_return_fire(const Catalogue& catalogue, const std::vector<std::string>& specs, Scenario& scenario) {
  load::add_return_fire(catalogue, load::specs_of_option("--return", specs), scenario);
}

}  // namespace salvo
