// Texts of users: each is read, or refused with one of salvo's own errors, and a question that was read can be
// answered.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "compile/compile.h"
#include "data/profiles.h"
#include "fuzz/targets.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "load/grid.h"
#include "load/load.h"
#include "load/squads/squad_link.h"
#include "salvo/failure.h"
#include "salvo/request.h"
#include "salvo/review.h"
#include "salvo/squad.h"
#if __has_include("serve/address.h")
#include "serve/address.h"
#include "serve/response_cache.h"
#endif

namespace fuzz {
namespace {

using namespace salvo;

constexpr std::size_t kMaxBytes = 4096;  // longer ones find no other faults

/// The limits of a server for untrusted clients, so that each text takes milliseconds.
RequestOptions limits() {
  RequestOptions out;
  out.threads = 1;
  out.max_threads = 1;
  out.max_budget = 1e4;
  out.max_trials = 2'000;
  out.max_work = 5e4;
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == '\n') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

/// The first line is the verb, the rest the body.
void play_request(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view verb = bytes.substr(0, end), body = bytes.substr(std::min(end + 1, bytes.size()));
  std::string answer;
  try {
    answer = answer_request(catalogue(), verb, body, limits());
  } catch (const Error&) {
    const nlohmann::json failure = nlohmann::json::parse(request_error());
    if (failure.at("error").at("status") == status_of(ErrorKind::Internal)) throw Finding(failure.dump());
    return;
  }
  if (nlohmann::json::parse(answer).at("format") != 1) throw Finding("an answer without its format");
  if (answer != answer_request(catalogue(), verb, body, limits())) throw Finding("two answers to one question");
}

void play_scenario(std::string_view bytes) {
  const Scenario scenario = parse_scenario(bytes, "text");
  try {
    static_cast<void>(compile::compile_scenario(catalogue(), scenario));
  } catch (const ScenarioError& error) {
    static_cast<void>(describe(scenario, error));
    throw;
  }
}

/// The last line is the defender.
void play_spec(std::string_view bytes) {
  std::vector<std::string> lines = lines_of(bytes);
  const std::string defender = lines.back();
  if (lines.size() > 1) lines.pop_back();
  if (lines.size() > 4) lines.resize(4);
  static_cast<void>(compile::compile_scenario(catalogue(), scenario_from_specs(catalogue(), lines, defender)));
}

void play_squad(std::string_view bytes) {
  const Squad squad = load::is_link(bytes) ? load::parse_squad_link(catalogue(), bytes, std::nullopt, std::nullopt)
                                           : parse_squad(catalogue(), bytes, "text");
  // What is known of it is known to the card set.
  for (const SquadPilot& pilot : squad.pilots) {
    if (!catalogue().ship(pilot.ship, squad.cards))
      throw Finding("a squad with a ship that is not there: " + pilot.ship);
    for (const SquadUpgrade& upgrade : pilot.upgrades) {
      if (!catalogue().upgrade_exists(upgrade.id, squad.cards)) throw Finding("no such upgrade: " + upgrade.id);
    }
  }
}

void play_log(std::string_view bytes) { static_cast<void>(parse_log(catalogue(), bytes, "text")); }

void play_grid(std::string_view bytes) {
  const load::Grid grid = load::parse_grid(bytes, "text", &catalogue());
  if (grid.size() == 0) throw Finding("a grid without cells");
  static_cast<void>(grid.ships());
  static_cast<void>(compile::compile_scenario(catalogue(), grid.scenario(grid.coordinates(grid.size() - 1))));
}

void play_policy(std::string_view bytes) {
  const PolicySpec policy = parse_policy(bytes, "text");
  if (policy.rules.empty()) throw Finding("a policy without a rule");
}

/// A home-made card on an attacker and a defender: all engines must agree on it.
void play_card(std::string_view bytes) {
  const load::CardFile card = load::parse_card(bytes, "text", catalogue().facts());
  load::check_card_words(card, *catalogue().edition("second-edition"));
  Catalogue mine = catalogue();
  mine.add_card_text(bytes, "text");
  if (card.spec.kind != "upgrade") return;
  for (const bool attacker : {true, false}) {
    Scenario scenario;
    scenario.ships["a"] = {.attack = 2, .agility = 1, .hull = 2, .tokens = {{"focus", 1}}, .locks = {"d"}};
    scenario.ships["d"] = {.attack = 2, .agility = 2, .hull = 2, .tokens = {{"evade", 1}}};
    scenario.ships[attacker ? "a" : "d"].upgrades = {card.spec.id};
    scenario.attacks = {{.by = "a", .on = "d"}, {.by = "d", .on = "a"}};
    compare_engines(compile::compile_scenario(mine, scenario).plan, "the card");
  }
}

void play_rules(std::string_view bytes) {
  Catalogue mine = catalogue();
  Scenario scenario;
  scenario.rules = mine.add_rules_text(bytes, "text");
  scenario.ships["a"] = {.attack = 2};
  scenario.ships["d"] = {.agility = 2, .hull = 2};
  scenario.attacks = {{.by = "a", .on = "d"}};
  compare_engines(compile::compile_scenario(mine, scenario).plan, "the rules");
}

/// A pack of profiles, as a page downloads it.
void play_pack(std::string_view bytes) {
  const Catalogue packed = Catalogue::of_pack(std::string(bytes));
  for (const std::string& id : packed.edition_ids()) static_cast<void>(packed.edition(id));
  for (const std::string& id : packed.ship_ids("2025")) static_cast<void>(packed.ship(id, "2025"));
  static_cast<void>(compile::compile_scenario(packed, scenario_from_specs(packed, {"3 focus"}, "2 evade")));
}

/// The request target of an HTTP request and its header Host.
void play_address([[maybe_unused]] std::string_view bytes) {
#if __has_include("serve/address.h")
  static_cast<void>(serve::base_of_host(bytes));
  const auto target = serve::parse_target(bytes);
  if (!target) return;
  const std::string body = serve::body_of_query(target->query);
  if (target->query.size() == 1 && target->query[0].first == "body") return;  // the body of the client, unchanged
  if (nlohmann::json::parse(body).is_object() && !serve::canonical_question("run", body))
    throw Finding("a question without its canonical form: " + body);
#endif
}

/// Only salvo's own errors may be thrown.
template <void (*play)(std::string_view)>
bool forgiven(std::string_view bytes) {
  if (bytes.size() > kMaxBytes) return false;
  try {
    play(bytes);
    return true;
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.empty()) throw Finding("an error without words");
    return false;
  } catch (const data::FurtherPackNeeded&) {  // the pack may be the first of three
    return false;
  }
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> list = {
      {"request", "a verb, and in the next lines its body in JSON", forgiven<play_request>},
      {"scenario", "a scenario in TOML or JSON", forgiven<play_scenario>},
      {"spec", "SPECs of attackers, and in the last line that of the defender", forgiven<play_spec>},
      {"squad", "a squad in XWS, or a link", forgiven<play_squad>},
      {"log", "the log of a game, as text or JSON lines", forgiven<play_log>},
      {"grid", "a grid in TOML or JSON", forgiven<play_grid>},
      {"policy", "a policy file", forgiven<play_policy>},
      {"card", "a card in TOML, with which all engines then play", forgiven<play_card>},
      {"rules", "an edition in TOML, by which all engines then play", forgiven<play_rules>},
      {"pack", "the profiles in one file", forgiven<play_pack>},
      {"address", "the target of a request over HTTP", forgiven<play_address>},
      {"plan", "bytes that choose ships, cards, tokens and policies: all engines have to agree", forgiven<play_plan>},
  };
  return list;
}

const Target& target_of(std::string_view name) {
  std::string all;
  for (const Target& target : targets()) {
    if (target.name == name) return target;
    all += std::string(all.empty() ? "" : ", ") + target.name;
  }
  throw std::invalid_argument("no target " + std::string(name) + "; there are " + all);
}

}  // namespace fuzz
