#include "cli/point_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "decide/words.h"

namespace salvo::cli {
namespace {

/// Parses "focus=2", or "focus" for one.
std::pair<std::string, int> count_of(const char* option, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return {word, 1};
  const std::string name = word.substr(0, equals);
  return {name, static_cast<int>(parse_count(fmt::format("{} {}", option, base::strip_control(name)),
                                             word.substr(equals + 1), 0, 99))};
}

ScenarioShip& ship_of(const char* option, Scenario& scenario, const std::string& name) {
  if (ScenarioShip* ship = decide::find_ship(scenario, name)) return *ship;
  throw UsageError(fmt::format("{}: {}", option, decide::no_such_ship(scenario, name)));
}

constexpr std::uint64_t kMaxAttacks = 1'000'000;

/// Adds reported tokens: "NAME TOKEN=N ...".
void report_tokens(DecisionSpec& point, Scenario& scenario, const std::string& text) {
  const std::vector<std::string> words = jobs::split_words(text);
  if (words.size() < 2 || words.front().find('=') != std::string::npos) {
    throw UsageError(
        fmt::format("--tokens: {} does not name a ship and its tokens; write 'red focus=0 lock=0'", in_quotes(text)));
  }
  const ScenarioShip& ship = ship_of("--tokens", scenario, words.front());
  ReportedTokens& reported = point.tokens[words.front()];
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (word->starts_with("lock=") && word->find_first_not_of("0123456789", 5) != std::string::npos) {
      const std::string target = word->substr(5);
      ship_of("--tokens", scenario, target);
      reported.locks.push_back(target);
      continue;
    }
    const auto [token, n] = count_of("--tokens", *word);
    if (token != "lock") {
      reported.tokens[token] = n;
    } else if (n == 0) {
      reported.locks.clear();
      reported.locks_complete = true;
    } else if (reported.locks.empty() && (reported.locks_complete || ship.locks.empty())) {
      throw UsageError("--tokens: name the locked ship, as in lock=black");
    }
  }
}

std::map<std::string, int> damage_before(const char* option, Scenario& scenario, const std::string& text) {
  std::map<std::string, int> out;
  for (const std::string& word : jobs::split_words(text)) {
    const auto [name, n] = count_of(option, word);
    ship_of(option, scenario, name);
    out[name] = n;
  }
  return out;
}

std::string number_option(const CLI::App& command) {
  return given(command, "FILE") && given(command, "--attack") ? "--attack" : "--number";
}

/// Reads all reports except tokens, damage and who is to move.
DecisionSpec point_of(const PointTexts& texts, const CLI::App& command) {
  DecisionSpec out;
  const bool numbered = given(command, "--number");
  if (numbered) out.attack = static_cast<int>(parse_count("--number", texts.attack, 1, kMaxAttacks));
  // With a FILE, which contains the attacks, --attack is the number of one.
  if (number_option(command) == "--attack") {
    if (numbered || texts.attacks.size() > 1) throw UsageError("--attack: more than one number of the attack at hand");
    out.attack = static_cast<int>(parse_count("--attack", texts.attacks.front(), 1, kMaxAttacks));
  }
  out.rolled = if_given(command, "--rolled", texts.rolled);
  out.rerolled = if_given(command, "--rerolled", texts.rerolled);
  out.spent = if_given(command, "--spent", texts.spent);
  out.defense_rolled = if_given(command, "--defense-rolled", texts.defense_rolled);
  out.defense_rerolled = if_given(command, "--defense-rerolled", texts.defense_rerolled);
  out.defense_spent = if_given(command, "--defense-spent", texts.defense_spent);
  return out;
}

}  // namespace

[[noreturn]] void fail_point(const DecisionError& error, const std::string& number_option) {
  std::string option = "--" + (error.path == "attacker_moves" ? "to-move" : error.path);
  std::replace(option.begin(), option.end(), '_', '-');
  throw UsageError(fmt::format("{}: {}", error.path == "attack" ? number_option : option, error.what()));
}

void add_point_options(CLI::App& app, PointTexts& t) {
  const char* point = kPointGroup;
  add_value(app, point, "--number", "N", t.attack, "current attack, counted over all rounds (default 1)");
  add_value(app, point, "--rolled", "DICE", t.rolled, "attack dice as rolled: 'hit focus blank'");
  add_value(app, point, "--rerolled", "DICE", t.rerolled, "rerolled attack dice: 'blank=hit focus=blank'");
  add_value(app, point, "--spent", "WORDS", t.spent, "what the attacker has spent: 'lock focus'");
  add_value(app, point, "--defense-rolled", "DICE", t.defense_rolled, "defense dice as rolled");
  add_value(app, point, "--defense-rerolled", "DICE", t.defense_rerolled, "rerolled defense dice");
  add_value(app, point, "--defense-spent", "WORDS", t.defense_spent, "what the defender has spent");
}

void add_tokens_option(CLI::App& app, PointTexts& t) {
  add_list(app, kPointGroup, "--tokens", "TEXT", t.tokens, "a ship's tokens before this attack: 'red focus=0'");
}

PointRequest point_request(const PointTexts& texts, const CLI::App& command, const char* damage_option,
                           const std::string& damage) {
  PointTexts scenario = texts;
  if (given(command, "FILE")) scenario.attacks.clear();  // --attack is a number
  RunOptions run = decision_options(scenario, command).run;
  return {std::move(run), point_of(texts, command),
          texts.tokens,   number_option(command),
          damage_option,  if_given(command, damage_option, damage)};
}

void add_reports(const PointRequest& request, Scenario& scenario, DecisionSpec& point) {
  for (const std::string& text : request.tokens) report_tokens(point, scenario, text);
  if (request.damage) point.damage = damage_before(request.damage_option.c_str(), scenario, *request.damage);
}

}  // namespace salvo::cli
