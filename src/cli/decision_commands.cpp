#include "cli/decision_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "decide/order.h"
#include "decide/strategy.h"
#include "decide/worth.h"
#include "load/load.h"
#include "salvo/advise.h"

namespace salvo::cli {
namespace {

template <typename Answer>
void print(const Answer& answer, const RunOptions& options) {
  write_output(chosen_format(options.format) == Format::Json
                   ? to_json(answer)
                   : to_table(answer, terminal_width(Stream::Output), colour_wanted(Stream::Output)));
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find_first_not_of(" ,\t"); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" ,\t", at), text.size());
    out.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(" ,\t", end);
  }
  return out;
}

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
  const auto found = scenario.ships.find(name);
  if (found != scenario.ships.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, ship] : scenario.ships) names.push_back(known);
  const std::string near = text::nearest(name, names);
  throw UsageError(fmt::format(
      "{}: no ship {}; {}", option, quoted(name),
      near.empty() ? fmt::format("the ships are {}", fmt::join(names, ", ")) : fmt::format("did you mean {}?", near)));
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

PointSpec point_of(const AdviseOptions& given, Scenario& scenario) {
  PointSpec out;
  out.attack = static_cast<int>(given.attack);
  out.rolled = given.rolled;
  out.rerolled = given.rerolled;
  out.spent = given.spent;
  out.defense_rolled = given.defense_rolled;
  out.defense_rerolled = given.defense_rerolled;
  out.defense_spent = given.defense_spent;
  out.attacker_moves = given.attacker_moves;
  for (const std::string& text : given.tokens) set_tokens(scenario, text);
  if (given.damage) out.damage = damage_of(scenario, *given.damage);
  return out;
}

}  // namespace

int advise_command(const DecisionOptions& options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options.run);
  Input input = read_input(catalogue, options.run);
  const PointSpec point = point_of(options.advise, input.scenario);
  print(advise(catalogue, input.scenario, point, input.options), options.run);
  return kAnswered;
}

int worth_command(const DecisionOptions& options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options.run);
  const Input input = read_input(catalogue, options.run);
  print(worth(catalogue, input.scenario, input.options), options.run);
  return kAnswered;
}

int order_command(const DecisionOptions& options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options.run);
  const Input input = read_input(catalogue, options.run);
  print(best_order(catalogue, input.scenario, options.mine.value_or(true), input.options), options.run);
  return kAnswered;
}

int card_command(const DecisionOptions& options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options.run);
  std::vector<Scenario> scenarios;
  StrategyOptions how{.attacker = options.attacker_role,
                      .mine = options.mine,
                      .most_rules = static_cast<int>(options.most_rules),
                      .answer = {},
                      .progress = {}};
  for (const std::string& file : options.files) {
    RunOptions one = options.run;
    one.file = file;
    Input input = read_input(catalogue, one);
    scenarios.push_back(std::move(input.scenario));
    how.answer = std::move(input.options);
  }
  const bool shown = options.run.progress && is_terminal(Stream::Error);
  if (shown) {
    how.progress = [](std::size_t tried, double loss) {
      fmt::print(stderr, "\rtried {} lists, smallest loss {:.5f}\x1b[K", tried, std::isfinite(loss) ? loss : 0.0);
      return true;
    };
  }
  Strategy strategy = options.measured ? measure_strategy(catalogue, scenarios, load_policy(*options.measured), how)
                                       : find_strategy(catalogue, scenarios, how);
  if (shown) fmt::print(stderr, "\r\x1b[K");
  if (options.write_file) {
    strategy.policy.name = fmt::format("card for the {}", strategy.attacker ? "attacker" : "defender");
    write_file("--write", *options.write_file, to_toml(strategy.policy));
  }
  print(strategy, options.run);
  return kAnswered;
}

}  // namespace salvo::cli
