// The command lines of batch, durability, squad, compare, sweep, hazard and rules.
// In: CLI11's App. Out: what each command needs, or a UsageError.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "base/text.h"
#include "cli/batch_command.h"
#include "cli/command_options.h"
#include "cli/compare_command.h"
#include "cli/durability_command.h"
#include "cli/hazard_command.h"
#include "cli/rules_command.h"
#include "cli/squad_command.h"
#include "cli/sweep_command.h"

namespace salvo::cli {
namespace {

/// A command whose texts live as long as the App.
CLI::App& add_command(CLI::App& top, const char* name, const char* what, const std::string& footer) {
  CLI::App& command = *top.add_subcommand(name, what);
  command.footer(footer);
  command.allow_extras();
  return command;
}

double parse_share(const std::string& option, const std::string& text, double least, double most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value >= least && value <= most)) {
    throw UsageError(fmt::format("{}: \"{}\" is not a number from {} to {}", option, text::clip(text::clean(text), 60),
                                 least, most));
  }
  return value;
}

// ---------------------------------------------------------------- batch

OtherCommand add_batch(CLI::App& top) {
  CLI::App& app =
      add_command(top, "batch", "Answer scenarios from standard input, one a line.",
                  "\nEach line is a scenario as JSON, with \"engine\", \"trials\", \"seed\", \"precision\",\n"
                  "\"budget\" and \"id\" beside its keys where wanted. Each answer is a line too, in\n"
                  "order; one that is wrong gives {\"error\": {...}}, and the rest goes on.");
  const auto texts = std::make_shared<RunTexts>();
  add_policy_options(app, *texts);
  add_engine_options(app, *texts);
  add_threads_option(app, *texts, "threads (default 0: all cores)");
  return {&app, [&app, texts] {
            const RunOptions options = common_options(*texts, app);
            return [options] { return batch_command(options); };
          }};
}

// ---------------------------------------------------------------- durability

struct DurabilityTexts : RunTexts {
  std::string refresh = "shot", round, tail;
  bool all = false;
};

int round_of(const DurabilityTexts& texts, const CLI::App& app) {
  const std::size_t mode = parse_name("--refresh", texts.refresh, {"shot", "round", "never"});
  if (mode != 1 && given(app, "--round")) throw UsageError("--round: only with --refresh round");
  if (mode == 0) return 1;
  if (mode == 2) return 0;
  if (!given(app, "--round")) throw UsageError("--refresh round needs --round N, the number of shots in a round");
  return static_cast<int>(parse_count("--round", texts.round, 1, 1000));
}

DurabilityRequest durability_request(const DurabilityTexts& texts, const CLI::App& app) {
  DurabilityRequest out;
  out.run = common_options(texts, app);
  out.round = round_of(texts, app);
  out.all = texts.all;
  if (given(app, "--tail")) out.tail = parse_share("--tail", texts.tail, 1e-15, 0.5);
  const bool file = given(app, "FILE"), attack = !out.run.attacks.empty();
  if (file && (attack || out.run.defend || out.all)) {
    throw UsageError("both a FILE and --attack, --defend or --all; give one of them");
  }
  if (!file && !attack) throw UsageError("no question; name a file, - for standard input, or give --attack");
  if (out.run.attacks.size() > 1) throw UsageError("--attack: given more than once; durability has one attacker");
  if (!file && !out.all && !out.run.defend) {
    throw UsageError("--attack without --defend; say who is shot at, or --all for every ship");
  }
  return out;
}

OtherCommand add_durability(CLI::App& top) {
  CLI::App& app =
      add_command(top, "durability", "How many shots a ship survives.",
                  "\nFILE is JSON or TOML: {\"defender\": {\"dice\", \"hull\", \"shields\", tokens...},\n"
                  "\"attacker\": {\"dice\", tokens...}, \"attack\": {\"range\", ...}}, or a scenario with one\n"
                  "attack. Each shot has a fresh attacker; --refresh says when the defender's tokens\n"
                  "are back.\n\n"
                  "  salvo durability --attack '3 focus' --defend 'ship=t65xwing focus'\n"
                  "  salvo durability --attack '3 focus lock' --all --defend focus");
  const auto texts = std::make_shared<DurabilityTexts>();
  app.add_option("FILE", texts->file, "the question; - reads standard input")->type_name("");
  add_specs(app, "--attack", texts->attacks, "the attacker and its attack");
  add_value(app, "Scenario", "--defend", "SPEC", texts->defend, "the ship; with --all, the tokens of every ship");
  app.add_flag("--all", texts->all, "every ship of the card set")->group("Scenario")->disable_flag_override();
  add_value(app, "Scenario", "--refresh", "WHEN", texts->refresh,
            "the defender's tokens: shot (default), round, never");
  add_value(app, "Scenario", "--round", "N", texts->round, "shots in a round, for --refresh round");
  add_rules_options(app, *texts);
  add_policy_options(app, *texts);
  add_value(app, "Engines", "--budget", "N", texts->budget, "transitions the exact engine may use (default 5e6)");
  add_value(app, "Engines", "--tail", "P", texts->tail, "cut the distribution below P (default 1e-9)");
  add_threads_option(app, *texts, "threads for --all (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw the curves");
  return {&app, [&app, texts] {
            const DurabilityRequest request = durability_request(*texts, app);
            return [request] { return durability_command(request); };
          }};
}

// ---------------------------------------------------------------- squad

struct SquadTexts : RunTexts {
  std::string against, reference, range;
};

OtherCommand add_squad(CLI::App& top) {
  CLI::App& app = add_command(top, "squad", "Report on every ship of a squad builder's export.",
                              "\nFILE is XWS as squad builders export it. Ids that are not known are listed and\n"
                              "left out. Reference ships: those of profiles/reference, or a file like them.\n\n"
                              "  salvo squad mine.json\n"
                              "  salvo squad mine.json --against theirs.json --format table");
  const auto texts = std::make_shared<SquadTexts>();
  app.add_option("FILE", texts->file, "XWS file; - reads standard input")->type_name("");
  add_value(app, "Scenario", "--against", "FILE", texts->against, "another squad: every ship against every ship");
  add_value(app, "Scenario", "--range", "N", texts->range, "range of the attacks with --against (default 2)");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_value(app, "Scenario", "--cards", "SET", texts->cards, "card set (default: the squad's)");
  add_value(app, "Engines", "--budget", "N", texts->budget, "transitions the exact engine may use (default 5e6)");
  add_value(app, "Engines", "--trials", "N", texts->trials, "trials where an attack does not fit (default 1e6)");
  add_value(app, "Engines", "--seed", "N", texts->seed, "seed of those (default 1)");
  add_threads_option(app, *texts, "threads (default 0: all cores)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  return {&app, [&app, texts] {
            SquadRequest request;
            request.run = common_options(*texts, app);
            if (!given(app, "FILE")) throw UsageError("no squad; name an XWS file, or - for standard input");
            request.against = texts->against;
            request.reference = texts->reference;
            if (given(app, "--range")) request.range = static_cast<int>(parse_count("--range", texts->range, 0, 3));
            return [request] { return squad_command(request); };
          }};
}

// ---------------------------------------------------------------- sweep

struct SweepTexts : RunTexts {
  std::string out;
  bool restart = false;
};

OtherCommand add_sweep(CLI::App& top) {
  CLI::App& app = add_command(top, "sweep", "Answer every cell of a grid, a line each.",
                              "\nFILE is a scenario (TOML or JSON) with a table [grid]: keys and their values, as\n"
                              "\"ships.red.tokens.focus\" = [0, 1] or \"attacks[0].range\" = { from = 1, to = 3 }.\n"
                              "The last key varies fastest. With --out, a sweep that was stopped goes on.\n\n"
                              "  salvo sweep grid.toml --out grid.ndjson");
  const auto texts = std::make_shared<SweepTexts>();
  app.add_option("FILE", texts->file, "grid file; - reads standard input")->type_name("");
  add_rules_options(app, *texts);
  add_policy_options(app, *texts);
  add_engine_options(app, *texts);
  add_threads_option(app, *texts, "threads (default 0: all cores)");
  add_value(app, "Output", "--out", "FILE", texts->out, "file to write, or to go on with");
  app.add_flag("--restart", texts->restart, "begin the file of --out anew")->group("Output")->disable_flag_override();
  add_output_options(app, *texts, "json (lines, default) or csv");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            SweepRequest request;
            request.run = common_options(*texts, app);
            request.out = texts->out;
            request.restart = texts->restart;
            if (!given(app, "FILE")) throw UsageError("no grid; name a grid file, or - for standard input");
            if (given(app, "--out") && request.out.empty()) throw UsageError("--out: the name of the file is empty");
            if (request.run.format == Format::Table) throw UsageError("--format: a sweep is written as json or csv");
            return [request] { return sweep_command(request); };
          }};
}

// ---------------------------------------------------------------- compare

struct CompareTexts : RunTexts {
  std::vector<std::string> items, defenders;
  std::string by, reference, tokens = "focus", range;
};

study::FigureChoice parse_figure(const std::string& text) {
  study::FigureChoice out;
  const std::size_t colon = text.find(':');
  const std::vector<std::string> known = {"mean", "hit", "destroyed", "at_least", "per_point"};
  out.name = known[parse_name("--by", text.substr(0, colon), known)];
  if ((out.name == "at_least") != (colon != std::string::npos)) {
    throw UsageError(out.name == "at_least" ? "--by at_least needs a number, as at_least:2"
                                            : fmt::format("--by {}: takes no number", out.name));
  }
  if (colon != std::string::npos) out.k = static_cast<int>(parse_count("--by", text.substr(colon + 1), 1, 99));
  return out;
}

CompareRequest compare_request(const CompareTexts& texts, const CLI::App& app) {
  CompareRequest out;
  out.run = common_options(texts, app);
  out.items = texts.items;
  out.defenders = texts.defenders;
  out.reference = texts.reference;
  out.tokens = texts.tokens;
  if (out.items.empty()) throw UsageError("nothing to compare; name squad files, or SPECs such as '3 focus'");
  parse_name("--tokens", texts.tokens, {"none", "focus", "lock", "focus+lock"});
  if (given(app, "--range")) out.range = static_cast<int>(parse_count("--range", texts.range, 0, 5));
  if (given(app, "--by")) out.by = parse_figure(texts.by);
  if (out.run.answer.precision) throw UsageError("--precision: compare samples a number of trials; give --trials");
  return out;
}

OtherCommand add_compare(CLI::App& top) {
  CLI::App& app = add_command(top, "compare", "Rank loadouts by what they do to defenders.",
                              "\nAn ITEM is a squad file (XWS), of which each ship is a loadout, or a SPEC as\n"
                              "salvo run --attack takes it. With --engine sample all are played with the same\n"
                              "random numbers, and differences have the standard error of the pairs.\n\n"
                              "  salvo compare '3 focus' '3 lock' '3 focus lock' --by destroyed\n"
                              "  salvo compare mine.json --tokens focus+lock --plot map.svg");
  const auto texts = std::make_shared<CompareTexts>();
  app.add_option("ITEM", texts->items, "squad files or SPECs")->type_name("");
  add_specs(app, "--defend", texts->defenders, "a defender; repeatable (default: references)");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_value(app, "Scenario", "--tokens", "SET", texts->tokens, "of squads' ships: none, focus, lock, focus+lock");
  add_value(app, "Scenario", "--range", "N", texts->range, "of squads' ships (default 2)");
  add_rules_options(app, *texts);
  add_policy_options(app, *texts);
  add_engine_options(app, *texts);
  add_threads_option(app, *texts, "threads (default 0: all cores)");
  add_value(app, "Output", "--by", "FIGURE", texts->by, "mean, hit, destroyed, at_least:K or per_point");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  add_plot_option(app, *texts, "also draw a heat map");
  return {&app, [&app, texts] {
            const CompareRequest request = compare_request(*texts, app);
            return [request] { return compare_command(request); };
          }};
}

// ---------------------------------------------------------------- hazard

struct HazardTexts : RunTexts {
  std::string name, situation, times;
  std::vector<std::string> ships, numbers;
};

/// "speed=3" for each --set.
std::map<std::string, int> numbers_of(const HazardTexts& texts) {
  std::map<std::string, int> out;
  for (const std::string& word : texts.numbers) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--set: {} is not NAME=N, as in speed=3", in_quotes(word)));
    }
    const std::string name = word.substr(0, equals);
    const auto value = static_cast<int>(parse_count("--set " + name, word.substr(equals + 1), 0, 99));
    if (!out.emplace(name, value).second) throw UsageError(fmt::format("--set: {} is given twice", in_quotes(name)));
  }
  return out;
}

OtherCommand add_hazard(CLI::App& top) {
  CLI::App& app = add_command(top, "hazard", "Dice outside attacks: bombs, mines, obstacles.",
                              "\nNAME is a hazard of profiles/hazards, or list. A SPEC is that of salvo run --defend,\n"
                              "and every word may be left out. Several ships roll on their own.\n\n"
                              "  salvo hazard list\n"
                              "  salvo hazard proximity-mine --ship 'ship=t65xwing'\n"
                              "  salvo hazard thermal-detonator --ship 'hull=3' --ship 'hull=3' --engine both\n"
                              "  salvo hazard debris-cloud --times 2 --ship 'hull=4 shields=2'\n"
                              "  salvo hazard player-order");
  const auto texts = std::make_shared<HazardTexts>();
  app.add_option("NAME", texts->name, "the hazard, or list")->type_name("");
  add_specs(app, "--ship,--ships", texts->ships, "a ship it happens to; repeatable");
  add_value(app, "Scenario", "--situation", "ID", texts->situation, "which of its situations (default: the usual one)");
  app.add_option("--set", texts->numbers, "a number that it asks for, as speed=3; repeatable")
      ->type_name("NAME=N")
      ->group("Scenario")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_value(app, "Scenario", "--times", "N", texts->times, "so often, one after the other (default 1)");
  add_rules_options(app, *texts);
  add_value(app, "Engines", "--engine", "NAME", texts->engine, "exact (default), sample or both");
  add_value(app, "Engines", "--trials", "N", texts->trials, "sampling: number of trials (default 1e6)");
  add_value(app, "Engines", "--seed", "N", texts->seed, "sampling: seed of the random numbers (default 1)");
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  return {&app, [&app, texts] {
            HazardRequest request;
            request.run = common_options(*texts, app);
            if (!given(app, "NAME")) throw UsageError("no hazard; name one, or write salvo hazard list");
            request.name = texts->name;
            request.ships = texts->ships;
            request.situation = texts->situation;
            request.numbers = numbers_of(*texts);
            if (given(app, "--times")) request.times = static_cast<int>(parse_count("--times", texts->times, 1, 100));
            return [request] { return hazard_command(request); };
          }};
}

// ---------------------------------------------------------------- rules

struct RulesTexts : RunTexts {
  std::string edition;
  std::vector<std::string> search;
  bool left_out = false;
};

OtherCommand add_rules(CLI::App& top) {
  CLI::App& app = add_command(top, "rules", "Which rules are modelled, and which are left out.",
                              "\nWithout EDITION: the editions and their documents. Each rule says where it stands\n"
                              "and what shows that it is modelled.\n\n"
                              "  salvo rules second-edition --left-out\n"
                              "  salvo rules second-edition --search reinforce");
  const auto texts = std::make_shared<RulesTexts>();
  app.add_option("EDITION", texts->edition, "list its rules")->type_name("");
  app.add_flag("--left-out", texts->left_out, "only rules that are not, or not wholly, modelled")
      ->group("Scenario")
      ->disable_flag_override();
  app.add_option("--search", texts->search, "only rules with this word; repeatable")
      ->type_name("WORD")
      ->group("Scenario")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_output_options(app, *texts, "table, json or csv (default: table on a terminal)");
  return {&app, [&app, texts] {
            const RulesRequest request{common_options(*texts, app), texts->edition, texts->left_out, texts->search};
            if (request.edition.empty() && (request.left_out || !request.search.empty())) {
              throw UsageError("--left-out and --search need an edition, as in salvo rules second-edition --left-out");
            }
            return [request] { return rules_command(request); };
          }};
}

}  // namespace

std::vector<OtherCommand> add_other_commands(CLI::App& top) {
  return {add_batch(top), add_durability(top), add_squad(top), add_compare(top),
          add_sweep(top), add_hazard(top),     add_rules(top)};
}

}  // namespace salvo::cli
