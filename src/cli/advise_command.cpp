// `salvo advise`: what each play at a point of a scenario is worth.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/decision_options.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/question.h"
#include "decide/point.h"
#include "salvo/advise.h"

namespace salvo::cli {
namespace {

/// Where a scenario stands, as typed.
struct AdviseTexts : DecisionTexts {
  std::string attack, rolled, rerolled, spent, defense_rolled, defense_rerolled, defense_spent, to_move, damage;
  std::vector<std::string> tokens;
};

/// Where it stands, read as far as that goes without the scenario.
struct AdviseRequest {
  RunOptions run;
  PointSpec point;                  ///< without the damage
  std::vector<std::string> tokens;  ///< "NAME TOKEN=N ..."
  std::optional<std::string> damage;
};

std::string quoted(const std::string& word) { return "\"" + text::clip(text::clean(word), 60) + "\""; }

/// "focus=2" or, for 1, "focus".
std::pair<std::string, int> count_of(const char* option, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return {word, 1};
  const std::string name = word.substr(0, equals);
  return {name, static_cast<int>(
                    parse_count(fmt::format("{} {}", option, text::clean(name)), word.substr(equals + 1), 0, 99))};
}

ScenarioShip& ship_of(const char* option, Scenario& scenario, const std::string& name) {
  if (ScenarioShip* ship = decide::find_ship(scenario, name)) return *ship;
  throw UsageError(fmt::format("{}: {}", option, decide::no_such_ship(scenario, name)));
}

/// Tokens before the attack at hand, in place of those of the scenario.
void set_tokens(Scenario& scenario, const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() < 2 || words.front().find('=') != std::string::npos) {
    throw UsageError(
        fmt::format("--tokens: {} does not name a ship and its tokens; write 'red focus=0 lock=0'", quoted(text)));
  }
  ScenarioShip& ship = ship_of("--tokens", scenario, words.front());
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (word->starts_with("lock=") && word->find_first_not_of("0123456789", 5) != std::string::npos) {
      const std::string target = word->substr(5);
      ship_of("--tokens", scenario, target);
      if (std::find(ship.locks.begin(), ship.locks.end(), target) == ship.locks.end()) ship.locks.push_back(target);
      continue;
    }
    const auto [token, n] = count_of("--tokens", *word);
    if (token != "lock") {
      ship.tokens[token] = n;
    } else if (n == 0) {
      ship.locks.clear();
    } else if (ship.locks.empty()) {
      throw UsageError("--tokens: say on which ship the lock is, as in lock=black");
    }
  }
}

std::map<std::string, int> damage_of(Scenario& scenario, const std::string& text) {
  std::map<std::string, int> out;
  for (const std::string& word : words_of(text)) {
    const auto [name, n] = count_of("--damage", word);
    ship_of("--damage", scenario, name);
    out[name] = n;
  }
  return out;
}

int advise_command(AdviseRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  Input input = read_input(catalogue, request.run);
  PointSpec point = request.point;
  for (const std::string& text : request.tokens) set_tokens(input.scenario, text);
  if (request.damage) point.damage = damage_of(input.scenario, *request.damage);
  try {
    print_decision(advise(catalogue, input.scenario, point, input.options), request.run);
  } catch (const PointError& error) {  // which was told in options
    std::string option = error.path == "attacker_moves" ? "to-move" : error.path;
    std::replace(option.begin(), option.end(), '_', '-');
    throw UsageError(fmt::format("--{}: {}", option, error.what()));
  }
  return kAnswered;
}

// ---------------------------------------------------------------- the command line

constexpr const char* kAdviseFooter =
    "\nTokens and damage are those before attack N: as in the scenario, or as --tokens\n"
    "and --damage say. Without --rolled: the table of rolls and best plays, or\n"
    "whom to shoot where there is a choice.\n\n"
    "Examples:\n"
    "  salvo advise -a '3 focus x2' -d '2 evade hull=4' --rolled 'hit focus blank'\n"
    "  salvo advise joust.toml --on 'black grey' --objective kill\n"
    "  salvo advise joust.toml --attack 1 --rolled 'hit focus focus blank'\n"
    "  salvo advise joust.toml --rolled 'hit hit focus blank' --spent lock \\\n"
    "               --rerolled 'blank=hit' --defense-rolled 'evade focus blank'";

constexpr std::uint64_t kMostAttacks = 1'000'000;

PointSpec point_of(const AdviseTexts& texts, const CLI::App& command) {
  PointSpec out;
  const bool numbered = given(command, "--number");
  if (numbered) out.attack = static_cast<int>(parse_count("--number", texts.attack, 1, kMostAttacks));
  // With a FILE, whose attacks it has, --attack is the number of one of them.
  if (given(command, "FILE") && given(command, "--attack")) {
    if (numbered || texts.attacks.size() > 1) throw UsageError("--attack: more than one number of the attack at hand");
    out.attack = static_cast<int>(parse_count("--attack", texts.attacks.front(), 1, kMostAttacks));
  }
  if (given(command, "--to-move"))
    out.attacker_moves = parse_name("--to-move", texts.to_move, {"attacker", "defender"}) == 0;
  out.rolled = if_given(command, "--rolled", texts.rolled);
  out.rerolled = if_given(command, "--rerolled", texts.rerolled);
  out.spent = if_given(command, "--spent", texts.spent);
  out.defense_rolled = if_given(command, "--defense-rolled", texts.defense_rolled);
  out.defense_rerolled = if_given(command, "--defense-rerolled", texts.defense_rerolled);
  out.defense_spent = if_given(command, "--defense-spent", texts.defense_spent);
  return out;
}

}  // namespace

DeclaredCommand add_advise(CLI::App& top) {
  const auto texts = std::make_shared<AdviseTexts>();
  AdviseTexts& t = *texts;
  CLI::App& app =
      add_decision_command(top, "advise", "What to do with this roll: what each play is worth.", t, kAdviseFooter);
  add_scenario_options(app, t, "an attacker; with a FILE the attack's number");
  const char* point = "Where it stands";
  add_value(app, point, "--number", "N", t.attack, "number of the attack at hand, from 1 (default 1)");
  add_value(app, point, "--rolled", "DICE", t.rolled, "attack dice as rolled: 'hit focus blank'");
  add_value(app, point, "--rerolled", "DICE", t.rerolled, "attack dice rolled again: 'blank=hit focus=blank'");
  add_value(app, point, "--spent", "WORDS", t.spent, "spent by the attacker in this attack: 'lock focus'");
  add_value(app, point, "--defense-rolled", "DICE", t.defense_rolled, "defense dice as rolled");
  add_value(app, point, "--defense-rerolled", "DICE", t.defense_rerolled, "defense dice rolled again");
  add_value(app, point, "--defense-spent", "WORDS", t.defense_spent, "spent by the defender in this attack");
  add_value(app, point, "--to-move", "ROLE", t.to_move, "attacker or defender (default: who decides next)");
  add_list(app, point, "--tokens", "TEXT", t.tokens, "a ship's tokens before this attack: 'red focus=0'");
  add_value(app, point, "--damage", "TEXT", t.damage, "damage before this attack: 'black=2 red=1'");
  return {&app, [&app, texts] {
            AdviseRequest request;
            AdviseTexts scenario = *texts;
            if (given(app, "FILE")) scenario.attacks.clear();
            request.run = decision_options(scenario, app).run;
            request.point = point_of(*texts, app);
            request.tokens = texts->tokens;
            request.damage = if_given(app, "--damage", texts->damage);
            return Task{request.run, [request] { return advise_command(request); }};
          }};
}

}  // namespace salvo::cli
