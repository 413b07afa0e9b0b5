// The command line of the commands about decisions: advise, worth, order, card.
// In: CLI11's App. Out: what each command needs, or a UsageError in one sentence.
#include <fmt/format.h>

#include <memory>

#include "cli/command_options.h"
#include "cli/decision_commands.h"

namespace salvo::cli {

namespace {

struct DecisionTexts : RunTexts {
  std::vector<std::string> files, tokens;
  std::string attack, rolled, rerolled, spent, defense_rolled, defense_rerolled, defense_spent, to_move, damage;
  std::string side, role, most, write_file, measured;
};

constexpr const char* kAdviseFooter =
    "\nTokens and damage are those before attack N: as in the scenario, or as --tokens\n"
    "and --damage say. Without --rolled: the table of rolls and best plays.\n"
    "Example:\n"
    "  salvo advise joust.toml --attack 1 --rolled 'hit focus focus blank'\n"
    "  salvo advise joust.toml --rolled 'hit hit focus blank' --spent lock \\\n"
    "               --rerolled 'blank=hit' --defense-rolled 'evade focus blank'";

CLI::App& add_command(CLI::App& top, const char* name, const char* what, RunTexts& texts) {
  CLI::App& command = *top.add_subcommand(name, what);
  command.allow_extras();
  add_rules_options(command, texts);
  add_card_option(command, texts);
  add_policy_options(command, texts, true);
  add_value(command, "Engine", "--budget", "N", texts.budget, "transitions the exact engine may use (default 5e6)");
  add_output_options(command, texts, "table or json (default: table on a terminal)");
  return command;
}

void add_file(CLI::App& command, std::string& file) {
  command.add_option("FILE", file, "scenario, TOML or JSON; - reads standard input")->type_name("");
}

std::optional<std::string> if_given(const CLI::App& command, const char* option, const std::string& text) {
  return given(command, option) ? std::optional(text) : std::nullopt;
}

/// What all of these commands have.
DecisionOptions decision_options(const DecisionTexts& texts, const CLI::App& command) {
  DecisionOptions out;
  out.run = common_options(texts, command);
  if (out.run.format == Format::Csv)
    throw UsageError(fmt::format("--format: {} prints table or json", command.get_name()));
  out.files = texts.files;
  if (out.files.empty() && given(command, "FILE")) out.files = {texts.file};
  if (out.files.empty()) throw UsageError("no scenario; name a file, or - for standard input");
  for (const std::string& file : out.files) {
    if (file.empty()) throw UsageError("the name of the scenario file is empty");
  }
  out.run.file = out.files.front();
  if (given(command, "--side")) out.mine = parse_name("--side", texts.side, {"mine", "theirs"}) == 0;
  return out;
}

// ---------------------------------------------------------------- advise

AdviseOptions point_of(const DecisionTexts& texts, const CLI::App& command) {
  AdviseOptions out;
  if (given(command, "--attack")) out.attack = parse_count("--attack", texts.attack, 1, 1'000'000);
  if (given(command, "--to-move"))
    out.attacker_moves = parse_name("--to-move", texts.to_move, {"attacker", "defender"}) == 0;
  out.rolled = if_given(command, "--rolled", texts.rolled);
  out.rerolled = if_given(command, "--rerolled", texts.rerolled);
  out.spent = if_given(command, "--spent", texts.spent);
  out.defense_rolled = if_given(command, "--defense-rolled", texts.defense_rolled);
  out.defense_rerolled = if_given(command, "--defense-rerolled", texts.defense_rerolled);
  out.defense_spent = if_given(command, "--defense-spent", texts.defense_spent);
  out.damage = if_given(command, "--damage", texts.damage);
  out.tokens = texts.tokens;
  return out;
}

OtherCommand add_advise(CLI::App& top) {
  const auto texts = std::make_shared<DecisionTexts>();
  DecisionTexts& t = *texts;
  CLI::App& advise = add_command(top, "advise", "What to do with this roll: what each play is worth.", t);
  advise.footer(kAdviseFooter);
  add_file(advise, t.file);
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
  return {&advise, [&advise, texts] {
            DecisionOptions options = decision_options(*texts, advise);
            options.advise = point_of(*texts, advise);
            return [options] { return advise_command(options); };
          }};
}

// ---------------------------------------------------------------- worth, order, card

OtherCommand add_worth(CLI::App& top) {
  const auto texts = std::make_shared<DecisionTexts>();
  CLI::App& worth = add_command(top, "worth", "What one more token, shield or die would change.", *texts);
  add_file(worth, texts->file);
  return {&worth, [&worth, texts] {
            const DecisionOptions options = decision_options(*texts, worth);
            return [options] { return worth_command(options); };
          }};
}

OtherCommand add_order(CLI::App& top) {
  const auto texts = std::make_shared<DecisionTexts>();
  CLI::App& order = add_command(top, "order", "In which order ships of one initiative should shoot.", *texts);
  add_file(order, texts->file);
  add_value(order, "Question", "--side", "SIDE", texts->side, "whose attackers: mine (default) or theirs");
  return {&order, [&order, texts] {
            const DecisionOptions options = decision_options(*texts, order);
            return [options] { return order_command(options); };
          }};
}

OtherCommand add_card(CLI::App& top) {
  const auto texts = std::make_shared<DecisionTexts>();
  DecisionTexts& t = *texts;
  CLI::App& card = add_command(top, "card", "A short list of rules that plays nearly best.", t);
  card.add_option("FILE", t.files, "scenario files, TOML or JSON")->type_name("");
  add_value(card, "Question", "--role", "ROLE", t.role, "attacker or defender (default: who gains more)");
  add_value(card, "Question", "--side", "SIDE", t.side, "mine or theirs (default: who has the role first)");
  add_value(card, "Question", "--most", "N", t.most, "rules at most, 1 to 5 (default 3)");
  add_value(card, "Question", "--measure", "FILE", t.measured, "measure this policy file instead of finding one");
  add_value(card, "Output", "--write", "FILE", t.write_file, "write the card as a policy file");
  add_progress_option(card, t);
  return {&card, [&card, texts] {
            DecisionOptions options = decision_options(*texts, card);
            if (given(card, "--role"))
              options.attacker_role = parse_name("--role", texts->role, {"attacker", "defender"}) == 0;
            if (given(card, "--most")) options.most_rules = parse_count("--most", texts->most, 1, 5);
            options.write_file = if_given(card, "--write", texts->write_file);
            options.measured = if_given(card, "--measure", texts->measured);
            return [options] { return card_command(options); };
          }};
}

}  // namespace

std::vector<OtherCommand> add_decision_commands(CLI::App& top) {
  return {add_advise(top), add_worth(top), add_order(top), add_card(top)};
}

}  // namespace salvo::cli
