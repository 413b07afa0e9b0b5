#include "review/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "data/message.h"
#include "data/order_mark.h"
#include "load/specs.h"

namespace salvo {
namespace review {
namespace {

/// Letters and digits in lower case.
std::string bare(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

void LogBuilder::fail(int line, const std::string& why) const { data::fail(log.source, "", line, why); }

int LogBuilder::player(int line, const std::string& name) {
  auto& players = log.players;
  const auto known = std::find(players.begin(), players.end(), name);
  if (known != players.end()) return static_cast<int>(known - players.begin());
  if (players.size() == 2) {
    fail(line,
         fmt::format("{} is a third player; a game has two, {} and {}", base::in_quotes(name), players[0], players[1]));
  }
  players.push_back(name);
  return static_cast<int>(players.size()) - 1;
}

void LogBuilder::add(int line, std::string name, LoggedShip ship) {
  if (log.ships.contains(name))
    fail(line, fmt::format("{} is listed twice; give each ship a different name (report damage as {} damage N, and "
                           "tokens in the line of a round)",
                           name, name));
  log.ships.emplace(std::move(name), std::move(ship));
}

/// Removes `initiative=5` from a SPEC: in a scenario it belongs to the attack.
std::optional<int> LogBuilder::take_initiative(int line, std::string& spec) const {
  constexpr std::string_view kKey = "initiative=";
  const std::size_t at = spec.find(kKey);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(spec.find_first_of(" ,\t", at), spec.size());
  const std::string number = spec.substr(at + kKey.size(), end - at - kKey.size());
  spec.erase(at, end - at);
  return initiative(line, number);
}

int LogBuilder::initiative(int line, const std::string& word) const {
  if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos)
    fail(line, fmt::format("{} is not an initiative; write a number, as in initiative=5", base::in_quotes(word)));
  return std::stoi(word);
}

void LogBuilder::add_ship(int line, const std::string& name, int player, const std::string& spec) {
  std::string words = spec;
  const std::optional<int> initiative = take_initiative(line, words);
  std::vector<ScenarioShip> ships;
  try {
    ships =
        load::ships_from_specs(catalogue_, overrides_.rules.value_or(log.rules), overrides_.cards.value_or(log.cards),
                               load::specs_of_option("--ship", {words}), &log.notes);
  } catch (const LoadError& error) {
    fail(line, fmt::format("{}: {}", name, error.why.empty() ? error.what() : error.why.c_str()));
  }
  if (ships.size() != 1) fail(line, fmt::format("{} describes several ships; write a line for each", name));
  LoggedShip out{.player = player,
                 .words = "",
                 .ship = ships.front(),
                 .tokens = !ships.front().tokens.empty(),
                 .initiative = initiative,
                 .line = line};
  out.words = out.ship.pilot.value_or("") + " " + out.ship.ship.value_or("");
  add(line, name, std::move(out));
}

void LogBuilder::add_squad(int line, int player, const Squad& squad) {
  log.rules = squad.rules;
  if (!squad.cards.empty()) log.cards = squad.cards;
  for (const std::string& caveat : caveats_of(squad)) log.notes.push_back(caveat);
  for (const SquadPilot& pilot : squad.pilots) {
    std::string name = pilot.id;
    for (int n = 2; log.ships.contains(name); ++n) name = fmt::format("{}-{}", pilot.id, n);
    add(line, name,
        {.player = player,
         .words = pilot.name + " " + pilot.ship_name,
         .ship = scenario_ship(pilot),
         .initiative = {},
         .line = line});
  }
}

std::string LogBuilder::ship(int line, const std::string& word) const {
  if (log.ships.contains(word)) return word;
  std::vector<std::string> names, fits;
  const std::string part = bare(word);
  for (const auto& [name, ship] : log.ships) {
    names.push_back(name);
    if (part.empty()) continue;
    if (bare(name).find(part) != std::string::npos || bare(ship.words).find(part) != std::string::npos)
      fits.push_back(name);
  }
  if (fits.size() == 1) return fits.front();
  if (fits.size() > 1)
    fail(line, fmt::format("{} may be {}; write one of them", base::in_quotes(word), base::listed(fits)));
  if (names.empty())
    fail(line, "no ship is named before; begin with a line for each, for example luke: pilot=lukeskywalker");
  fail(line, fmt::format("no ship {};{} the ships are {}", base::in_quotes(word), base::did_you_mean(word, names),
                         base::listed(names)));
}

GameLog LogBuilder::finish() {
  const auto attack = [](const LoggedLine& line) { return line.attack; };
  if (std::none_of(log.lines.begin(), log.lines.end(), attack))
    fail(0, "no attack; write one in a line, for example luke > vader r2: hit focus blank; focus | evade blank");
  int round = 0;
  for (const LoggedLine& line : log.lines) {
    if (line.round < round) {
      fail(line.line, fmt::format("round {} comes after round {}; write the lines in order, or correct the number",
                                  line.round, round));
    }
    round = line.round;
  }
  return std::move(log);
}

GameLog log_of_values(const Catalogue& catalogue, const std::vector<data::Value>& lines, const std::string& source,
                      const Overrides& overrides) {
  return read_json_log(LogBuilder(catalogue, source, overrides), lines);
}

}  // namespace review

GameLog parse_log(const Catalogue& catalogue, std::string_view text, const std::string& source, const LogSquads& squads,
                  const Overrides& overrides) {
  review::LogBuilder builder(catalogue, source, overrides);
  constexpr const char* kNames[] = {"mine", "theirs"};
  for (std::size_t i = 0; i < squads.size(); ++i)
    builder.add_squad(0, builder.player(0, squads[i].name.empty() ? kNames[i] : squads[i].name), squads[i]);
  text = data::without_order_mark(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return read_text_log(std::move(builder), text);
  std::vector<data::Value> lines;
  int number = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    lines.push_back(data::parse_json(line, source, number));
  }
  return read_json_log(std::move(builder), lines);
}

}  // namespace salvo
