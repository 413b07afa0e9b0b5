// The command line of the commands about decisions: advise, worth, order, card.
// In: their options as typed. Out: Arguments, or a UsageError in one sentence.
#include <fmt/format.h>

#include "cli/arguments_parts.h"
#include "cli/options.h"

namespace salvo::cli {

struct DecisionCommands::Texts {
  RunTexts run;
  std::vector<std::string> files, tokens;
  std::string attack, rolled, rerolled, spent, defense_rolled, defense_rerolled, defense_spent, to_move, damage;
  std::string side, role, most, write_file, measured;
};

namespace {

constexpr const char* kAdviseFooter =
    "\nTokens and damage are those before attack N: as in the scenario, or as --tokens\n"
    "and --damage say. Without --rolled: the table of rolls and best plays.\n"
    "Example:\n"
    "  salvo advise joust.toml --attack 1 --rolled 'hit focus focus blank'\n"
    "  salvo advise joust.toml --rolled 'hit hit focus blank' --spent lock \\\n"
    "               --rerolled 'blank=hit' --defense-rolled 'evade focus blank'";

CLI::App& add_command(CLI::App& app, const char* name, const char* what, RunTexts& texts) {
  CLI::App& command = *app.add_subcommand(name, what);
  command.allow_extras();
  add_scenario_options(command, texts);
  add_value(command, "Engine", "--budget", "N", texts.budget, "transitions the exact engine may use (default 5e6)");
  add_value(command, "Output", "--format", "NAME", texts.format, "table or json (default: table on a terminal)");
  return command;
}

void add_file(CLI::App& command, std::string& file) {
  command.add_option("FILE", file, "scenario, TOML or JSON; - reads standard input")->type_name("");
}

std::optional<std::string> if_given(const CLI::App& command, const char* option, const std::string& text) {
  return command.count(option) > 0 ? std::optional(text) : std::nullopt;
}

}  // namespace

DecisionCommands::DecisionCommands(CLI::App& app) : texts_(std::make_unique<Texts>()) {
  Texts& t = *texts_;
  CLI::App& advise = add_command(app, "advise", "What to do with this roll: what each play is worth.", t.run);
  advise.footer(kAdviseFooter);
  add_file(advise, t.run.file);
  const char* point = "Where it stands";
  add_value(advise, point, "--attack", "N", t.attack, "number of the attack at hand, from 1 (default 1)");
  add_value(advise, point, "--rolled", "DICE", t.rolled, "attack dice as rolled: 'hit focus blank'");
  add_value(advise, point, "--rerolled", "DICE", t.rerolled, "attack dice rolled again: 'blank=hit focus=blank'");
  add_value(advise, point, "--spent", "WORDS", t.spent, "spent by the attacker in this attack: 'lock focus'");
  add_value(advise, point, "--defense-rolled", "DICE", t.defense_rolled, "defense dice as rolled");
  add_value(advise, point, "--defense-rerolled", "DICE", t.defense_rerolled, "defense dice rolled again");
  add_value(advise, point, "--defense-spent", "WORDS", t.defense_spent, "spent by the defender in this attack");
  add_value(advise, point, "--to-move", "ROLE", t.to_move, "attacker or defender (default: who decides next)");
  advise.add_option("--tokens", t.tokens, "a ship's tokens before this attack: 'red focus=0'")
      ->type_name("TEXT")
      ->group(point)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_value(advise, point, "--damage", "TEXT", t.damage, "damage before this attack: 'black=2 red=1'");

  CLI::App& worth = add_command(app, "worth", "What one more token, shield or die would change.", t.run);
  add_file(worth, t.run.file);

  CLI::App& order = add_command(app, "order", "In which order ships of one initiative should shoot.", t.run);
  add_file(order, t.run.file);
  add_value(order, "Question", "--side", "SIDE", t.side, "whose attackers: mine (default) or theirs");

  CLI::App& card = add_command(app, "card", "A short list of rules that plays nearly best.", t.run);
  card.add_option("FILE", t.files, "scenario files, TOML or JSON")->type_name("");
  add_value(card, "Question", "--role", "ROLE", t.role, "attacker or defender (default: who gains more)");
  add_value(card, "Question", "--side", "SIDE", t.side, "mine or theirs (default: who has the role first)");
  add_value(card, "Question", "--most", "N", t.most, "rules at most, 1 to 5 (default 3)");
  add_value(card, "Question", "--measure", "FILE", t.measured, "measure this policy file instead of finding one");
  add_value(card, "Output", "--write", "FILE", t.write_file, "write the card as a policy file");
  card.add_flag("--no-progress", t.run.no_progress, "no progress bar")->group("Output")->disable_flag_override();
}

DecisionCommands::~DecisionCommands() = default;

namespace {

void read_point(const CLI::App& command, const std::string& attack, const std::string& to_move, AdviseOptions& out) {
  if (command.count("--attack") > 0) out.attack = parse_count("--attack", attack, 1, 1'000'000);
  if (command.count("--to-move") > 0)
    out.attacker_moves = parse_name("--to-move", to_move, {"attacker", "defender"}) == 0;
}

}  // namespace

Arguments DecisionCommands::arguments(const CLI::App& parsed) const {
  const Texts& t = *texts_;
  const std::string name = parsed.get_name();
  Arguments out;
  DecisionOptions& options = out.decision;
  options.run = common_options(t.run, parsed);
  if (options.run.format == Format::Csv) throw UsageError(fmt::format("--format: {} prints table or json", name));
  options.files = name == "card" ? t.files : std::vector<std::string>(parsed.count("FILE"), t.run.file);
  if (options.files.empty()) throw UsageError("no scenario; name a file, or - for standard input");
  for (const std::string& file : options.files) {
    if (file.empty()) throw UsageError("the name of the scenario file is empty");
  }
  options.run.file = options.files.front();
  if ((name == "order" || name == "card") && parsed.count("--side") > 0)
    options.mine = parse_name("--side", t.side, {"mine", "theirs"}) == 0;
  if (name == "advise") {
    out.command = Command::Advise;
    read_point(parsed, t.attack, t.to_move, options.advise);
    AdviseOptions& point = options.advise;
    point.rolled = if_given(parsed, "--rolled", t.rolled);
    point.rerolled = if_given(parsed, "--rerolled", t.rerolled);
    point.spent = if_given(parsed, "--spent", t.spent);
    point.defense_rolled = if_given(parsed, "--defense-rolled", t.defense_rolled);
    point.defense_rerolled = if_given(parsed, "--defense-rerolled", t.defense_rerolled);
    point.defense_spent = if_given(parsed, "--defense-spent", t.defense_spent);
    point.damage = if_given(parsed, "--damage", t.damage);
    point.tokens = t.tokens;
  } else if (name == "worth") {
    out.command = Command::Worth;
  } else if (name == "order") {
    out.command = Command::Order;
  } else {
    out.command = Command::Card;
    if (parsed.count("--role") > 0) options.attacker_role = parse_name("--role", t.role, {"attacker", "defender"}) == 0;
    if (parsed.count("--most") > 0) options.most_rules = parse_count("--most", t.most, 1, 5);
    options.write_file = if_given(parsed, "--write", t.write_file);
    options.measured = if_given(parsed, "--measure", t.measured);
  }
  return out;
}

}  // namespace salvo::cli
