#include "cli/command_options.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/memory_limit.h"
#include "cli/terminal.h"
#include "jobs/atomic_file.h"
#include "questions/scenario_question.h"
#include "sample/sample.h"

namespace salvo::cli {

void fail_both(const std::string& file, const std::string& option) {
  throw UsageError(fmt::format(
      "both the scenario {} and {}; give one of them{}", in_quotes(file), option,
      questions::is_word(file)
          ? fmt::format(", and a SPEC of several words in quotes, for example --attack '3 {}'", shown(file, 40))
          : ""));
}

void add_machine_options(CLI::App& command, CommandArguments& texts) {
  add_value(command, "Engines", "--memory", "SIZE", texts.memory, "memory limit, such as 4G (default: half of memory)");
}

void add_output_options(CLI::App& command, CommandArguments& texts, const char* formats) {
  add_value(command, "Output", "-f,--format", "NAME", texts.format, formats);
  add_value(command, "Output", "--color", "WHEN", texts.color, "color tables: auto (default), always, never");
}

void add_file_options(CLI::App& command, CommandArguments& texts, const char* plot, const char* report) {
  if (plot != nullptr) add_value(command, "Output", "--plot", "FILE.svg", texts.plot, plot);
  if (report != nullptr) add_value(command, "Output", "--report", "FILE.html", texts.report, report);
}

void add_progress_option(CLI::App& command, CommandArguments& texts) {
  texts.may_take_long = true;
  add_flag(command, "Output", "--no-progress", texts.no_progress, "show neither a progress bar nor the elapsed time");
}

namespace {

/// Checks that no output file is an input.
void check_outputs(const CLI::App& command) {
  for (const char* option : {"--out", "--plot", "--report", "--write"}) {
    if (given(command, option)) jobs::check_not_input(option, value_of(command, option), words_that_are_read(command));
  }
}

}  // namespace

std::string chosen_target(const CLI::App& command, const std::string& text) {
  const bool typed = given(command, "--target");
  const char* const environment = std::getenv("SALVO_TARGET");
  const std::string out = typed ? text : environment != nullptr ? environment : "";
  if (typed || !out.empty()) parse_name(typed ? "--target" : "SALVO_TARGET", out, sample::targets());
  return out;
}

std::optional<jobs::Shard> read_shard(const CLI::App& command, const std::string& text) {
  if (!given(command, "--shard")) return std::nullopt;
  const jobs::Shard out = jobs::parse_shard("--shard", text);
  if (!given(command, "--out")) throw UsageError("--shard: name its file with --out");
  return out;
}

void choose_colour(const std::string& when) {
  const std::size_t chosen = parse_name("--color", when, {"auto", "always", "never"});
  if (chosen > 0) set_colour(chosen == 1);
}

CommandOptions output_options(const CommandArguments& texts, const CLI::App& command) {
  CommandOptions out;
  const auto given = [&](const char* option) { return cli::given(command, option); };
  out.progress = !texts.no_progress;
  if (texts.may_take_long && out.progress) out.command = name_of(command);
  if (given("--color")) choose_colour(texts.color);
  if (given("--format")) {
    out.format = static_cast<Format>(parse_name("--format", texts.format, {"table", "json", "csv"}));
  }
  const auto file = [&](const char* option, const std::string& text, std::string_view ending, const char* why) {
    if (!given(option)) return std::optional<std::string>();
    if (!text.ends_with(ending))
      throw UsageError(fmt::format("{}: {} does not end in {}; {}", option, in_quotes(text), ending, why));
    return std::optional(text);
  };
  out.plot = file("--plot", texts.plot, ".svg", "pictures are written as SVG");
  out.report = file("--report", texts.report, ".html", "reports are written as HTML");
  check_outputs(command);
  if (given("--memory")) out.memory = parse_memory("--memory", texts.memory);
  return out;
}

}  // namespace salvo::cli
