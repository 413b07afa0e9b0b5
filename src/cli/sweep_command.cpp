// `salvo sweep`: every cell of a grid, streamed in order; what was stopped goes on where it was.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <set>

#include "answers/options.h"
#include "base/text.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/resumed_file.h"
#include "cli/shard.h"
#include "cli/terminal.h"
#include "compile/compile.h"
#include "data/file.h"
#include "jobs/batch_sizer.h"
#include "jobs/fingerprint.h"
#include "jobs/row_checksum.h"
#include "jobs/worker_group.h"
#include "load/grid.h"
#include "load/load.h"
#include "report/columns.h"
#include "report/sqlite_sweep.h"
#include "report/sweep.h"
#include "study/sweep.h"

namespace salvo::cli {
namespace {

struct SweepRequest {
  RunOptions run;
  std::string out;                   ///< file that is continued if it was begun; empty: standard output
  bool restart = false;              ///< begin anew
  std::vector<std::string> columns;  ///< empty: all
  std::optional<Shard> shard = {};   ///< empty: all cells
};

constexpr std::uint64_t kCellsAtOnce = 512;              // whose rows a processor keeps near
constexpr std::uint64_t kBlock = 64, kMaxTogether = 64;  // cells; blocks that travel from machine to machine together

// ---------------------------------------------------------------- which work a file belongs to

/// Everything that the rows depend on, apart from the program and its profiles.
std::string identity(const std::string& grid_text, std::uint64_t cells, const AnswerOptions& options, Format format,
                     bool in_database) {
  const auto text = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  const Overrides& given = options.overrides;
  const int engine = options.engine ? static_cast<int>(*options.engine) : -1;
  const std::string all = fmt::format(
      "{}\n{} {} {} {} {} {} {} {} {} {} {}", grid_text, text(given.rules), text(given.cards), text(given.objective),
      text(given.damage_deck), text(given.attacker_policy), text(given.defender_policy), engine, text(options.trials),
      text(options.precision), options.seed, text(options.budget));
  return fmt::format("salvo sweep 1\ngrid {:016x}\ncells {}\nformat {}\n", jobs::fingerprint(all), cells,
                     in_database             ? "sqlite"
                     : format == Format::Csv ? "csv"
                                             : "ndjson");
}

// ---------------------------------------------------------------- the work

struct Lines {
  double seconds = 0;  ///< that they took
  std::string text;
  std::vector<study::SweepRow> rows;  ///< for a database
  std::uint64_t cells = 0, failures = 0;
  std::uint64_t sum = 0;  ///< of the rows of a shard
};

/// As they travel from one machine to another: what is known of the lines behind them, where it moves none of them.
std::string packed(Lines lines) {
  fmt::format_to(std::back_inserter(lines.text), "{} {} {} {}", lines.seconds, lines.cells, lines.failures, lines.sum);
  return std::move(lines.text);
}

Lines unpacked(std::string text) {
  const std::size_t end = text.rfind('\n') + 1;  // of the last line; 0: there is none
  const std::vector<std::string> numbers = words_of(text.substr(end));
  const auto count = [&](std::size_t i) { return parse_count("rows", numbers.at(i), 0, ~std::uint64_t{0}); };
  text.resize(end);
  return {std::stod(numbers.at(0)), std::move(text), {}, count(1), count(2), count(3)};
}

/// Of the rows that are in a file, which are those of the cells from `first` on. Throws UsageError where they are not,
/// after a crash of the machine or by somebody's hand.
std::uint64_t sum_of_rows(const std::string& path, std::uint64_t first, std::uint64_t last, bool head) {
  jobs::RowSum out(first, head);
  read_through(path, [&](std::string_view bytes) { out.take(bytes); });
  const std::uint64_t wrong = out.wrong_line(last);
  if (wrong == 0) return out.value();
  throw UsageError(fmt::format("--out: line {} of {} {}; delete what is from there on, or begin anew, with --restart",
                               wrong, in_quotes(path), out.fault(wrong, last)));
}

/// Throws UsageError where an option has a value that no cell can take, as `salvo run` would: otherwise all rows were
/// errors. Which values fit depends on the edition and the cards, so all that these can be are tried.
void check_overrides(const Catalogue& catalogue, const load::Grid& grid, const Overrides& overrides) {
  if (!overrides.rules && !overrides.cards && !overrides.damage_deck) return;
  constexpr std::size_t kMaxTried = 1000;
  const auto decides = [](const load::Grid::Axis& axis) {
    return std::any_of(axis.paths.begin(), axis.paths.end(), [](const std::vector<std::string>& keys) {
      return std::find(keys.begin(), keys.end(), "rules") != keys.end() ||
             std::find(keys.begin(), keys.end(), "cards") != keys.end();
    });
  };
  std::vector<std::size_t> at(grid.axes().size(), 0);
  std::string first_refusal;
  for (std::size_t tried = 0; tried < kMaxTried; ++tried) {
    Scenario scenario;
    try {
      scenario = grid.scenario(at);
      answers::apply(overrides, scenario);
      compile::compile_scenario(catalogue, scenario);
      return;
    } catch (const ScenarioError& error) {
      const bool of_option = (error.path == "rules" && overrides.rules) || (error.path == "cards" && overrides.cards) ||
                             (error.path == "damage_deck" && overrides.damage_deck);
      if (!of_option) return;
      if (first_refusal.empty()) first_refusal = describe(scenario, error);
    } catch (const Error&) {
      return;  // of this cell alone, as its row will say
    }
    std::size_t axis = at.size();
    for (; axis > 0; --axis) {
      if (!decides(grid.axes()[axis - 1])) continue;
      if (++at[axis - 1] < grid.axes()[axis - 1].size()) break;
      at[axis - 1] = 0;
    }
    if (axis == 0) throw UsageError(first_refusal);
  }
}

/// Where rows go: a file of lines, a database, or standard output.
struct Target {
  std::optional<ResumedFile> file;
  std::optional<report::SweepDatabase> database;

  std::uint64_t done() const { return file ? file->done() : database ? database->done() : 0; }
  void write(const Lines& lines) {
    if (database) {
      database->add(lines.rows);
    } else if (file) {
      file->write(lines.text);
    } else {
      write_output(lines.text);
    }
  }
};

/// Lines of rows: as always, or with the columns that were chosen.
class Lister {
 public:
  Lister(const load::Grid& grid, Format format, const report::SweepColumns* columns)
      : format_(format),
        columns_(columns),
        writer_(grid, format == Format::Csv ? first_targets(grid) : std::vector<std::string>(), status_of) {}

  std::string head() const {
    if (format_ != Format::Csv) return "";
    return columns_ != nullptr ? columns_->csv_head() : writer_.csv_head();
  }

  void add(const study::SweepRow& row, std::string& out) const {
    if (format_ == Format::Csv) {
      columns_ != nullptr ? columns_->add_csv_line(row, out) : writer_.add_csv_line(row, out);
    } else {
      columns_ != nullptr ? columns_->add_json_line(row, out) : writer_.add_json_line(row, out);
    }
  }

 private:
  /// The ships that some attack is on, in order of their names.
  static std::vector<std::string> first_targets(const load::Grid& grid) {
    std::set<std::string> names;
    const Scenario first = grid.scenario(std::vector<std::size_t>(grid.axes().size(), 0));
    for (const ScenarioAttack& attack : first.attacks) names.insert(attack.on);
    return {names.begin(), names.end()};
  }

  Format format_;
  const report::SweepColumns* columns_;
  report::RowWriter writer_;
};

int sweep_command(SweepRequest request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue = open_catalogue(request.run);
  const std::string grid_text = data::read_file(options.file);
  std::string depends = grid_text;  // and on cards of one's own
  for (const std::string& file : options.card_files) depends += "\n" + data::read_file(file);
  const load::Grid grid = load::parse_grid(grid_text, options.file, &catalogue, options.answer.overrides.cards);
  const bool in_database = request.out.ends_with(".sqlite");
  const Format format = options.format.value_or(request.out.ends_with(".csv") ? Format::Csv : Format::Json);
  std::optional<report::SweepColumns> columns;
  if (in_database || !request.columns.empty()) columns.emplace(grid);
  if (!request.columns.empty()) {
    columns->choose(request.columns);
    if (!in_database && columns->name(0) != "cell" && !request.out.empty())
      throw UsageError("--columns: rows of a file begin with cell, so that they can be gone on with; name it first");
    depends += fmt::format("\ncolumns {}", base::joined(request.columns, ","));
  }
  check_overrides(catalogue, grid, options.answer.overrides);
  const Lister lister(grid, format, columns ? &*columns : nullptr);
  const auto [first, last] = request.shard.value_or(Shard()).range(grid.size());
  if (request.shard && in_database) throw UsageError("--shard: shards are files of lines; salvo merge joins those");
  std::string id = identity(depends, grid.size(), options.answer, format, in_database);
  if (request.shard) id = ShardIdentity(*request.shard, id, options.answer.seed).text();
  if (in_database && jobs::Team::current() != nullptr)
    throw UsageError("--out: a database is written by salvo sweep; here rows are lines of JSON or CSV");
  Target target;
  if (!jobs::leads()) {
    // what is made here goes to the process that leads
  } else if (in_database) {
    if (request.restart) remove_database(request.out);
    target.database.emplace(request.out, id, grid, *columns);
  } else if (!request.out.empty()) {
    target.file.emplace(request.out, request.restart, id, lister.head());
  } else {
    write_output(lister.head());
  }
  const std::uint64_t begin = std::max(first, target.done());
  std::uint64_t sum = 0;
  if (target.file && target.file->done() > 0) sum = sum_of_rows(request.out, first, last, !lister.head().empty());
  if (begin > first) {
    write_note(fmt::format("{} of {} cells are in {}", base::with_separators(begin - first),
                           base::with_separators(last - first), request.out));
  }
  const study::Sweep sweep(catalogue, grid, {options.answer, true, columns && columns->has_costs()});
  Progress progress(options.progress && jobs::leads() && is_terminal(Stream::Error), {"sweeping", "cells"});
  progress.start();
  std::uint64_t done = begin, failures = 0;
  const bool travels = jobs::Team::current() != nullptr && jobs::Team::current()->travels();
  jobs::Pace pace(begin, last, kBlock, travels ? kMaxTogether : kCellsAtOnce / kBlock);
  jobs::in_parts(
      id, options.answer.threads, [&] { return pace.next(); },
      [&](const jobs::Part& part) {
        const auto start = std::chrono::steady_clock::now();
        Lines out;
        out.cells = part.size();
        for (std::uint64_t at = part.first; at < part.last; at += kCellsAtOnce) {
          std::vector<study::SweepRow> rows;
          sweep.play(at, static_cast<std::size_t>(std::min(kCellsAtOnce, part.last - at)), rows);
          for (const study::SweepRow& row : rows) {
            if (row.error) ++out.failures;
            if (!in_database) lister.add(row, out.text);
          }
          if (in_database) std::move(rows.begin(), rows.end(), std::back_inserter(out.rows));
        }
        if (request.shard) {
          jobs::RowSum rows_of_part(part.first);
          rows_of_part.take(out.text);
          out.sum = rows_of_part.value();
        }
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return out;
      },
      [&, end = last](const Lines& lines) {
        pace.took(lines.seconds);
        target.write(lines);
        done += lines.cells;
        sum += lines.sum;
        failures += lines.failures;
        progress.tell(done - begin, end - begin);
      },
      packed, unpacked);
  progress.erase();
  if (target.file) target.file->check_place();
  if (target.file && request.shard) target.file->seal(fmt::format("{} {}\n", jobs::kRowSum, jobs::row_sum_text(sum)));
  if (failures > 0 && failures == last - first) {
    write_note("no cell could be answered; their rows say why");
  } else if (failures > 0) {
    write_note(fmt::format("{} cells could not be answered; their rows say why", base::with_separators(failures)));
  }
  return kAnswered;
}

// ---------------------------------------------------------------- the command line

struct SweepTexts : RunTexts {
  std::string out, columns, shard;
  bool restart = false;
};

}  // namespace

DeclaredCommand add_sweep(CLI::App& top) {
  CLI::App& app = add_command(top, "sweep", "Answer every cell of a grid, a line each.",
                              "\nFILE is a scenario (TOML or JSON) with a table [grid]: keys and their values, as\n"
                              "\"ships.red.tokens.focus\" = [0, 1] or \"attacks[0].range\" = { from = 1, to = 3 }.\n"
                              "Lists that run together, and \"all\" ships, pilots or upgrades: docs/format.md.\n"
                              "The last key varies fastest. With --out, a stopped sweep resumes.\n\n"
                              "Examples:\n"
                              "  salvo sweep grid.toml --out grid.ndjson");
  const auto texts = std::make_shared<SweepTexts>();
  add_words(app, "FILE", texts->file, "grid file; - reads standard input");
  add_rules_options(app, *texts);
  add_card_option(app, *texts);
  add_policy_options(app, *texts);
  add_engine_options(app, *texts);
  add_machine_options(app, *texts, "threads (default 0: all cores)");
  add_value(app, "Output", "--out", "FILE", texts->out, "file to write or go on with; FILE.sqlite: a database");
  add_value(app, "Output", "--shard", "I/N", texts->shard, "part I of N, for salvo merge; with --out");
  add_flag(app, "Output", "--restart", texts->restart, "begin the file of --out anew");
  add_value(app, "Output", "--columns", "LIST", texts->columns, "only these, as cell,axes,mean,cost,caveats");
  add_output_options(app, *texts, "json (lines, default) or csv");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            SweepRequest request;
            request.run = common_options(*texts, app);
            request.out = texts->out;
            request.restart = texts->restart;
            if (!given(app, "FILE")) throw UsageError("no grid; name a grid file, or - for standard input");
            if (given(app, "--shard")) {
              request.shard = parse_shard("--shard", texts->shard);
              if (!given(app, "--out")) throw UsageError("--shard: name its file with --out");
            }
            if (given(app, "--out") && request.out.empty()) throw UsageError("--out: the name of the file is empty");
            request.columns = words_of(texts->columns);
            if (given(app, "--columns") && request.columns.empty()) throw UsageError("--columns: no column is named");
            if (request.run.format && request.out.ends_with(".sqlite"))
              throw UsageError("--format: a .sqlite file has a form of its own; leave it out");
            if (request.run.format == Format::Table) throw UsageError("--format: a sweep is written as json or csv");
            return Task{request.run, [request] { return sweep_command(request); }};
          }};
}

}  // namespace salvo::cli
