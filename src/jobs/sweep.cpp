#include "jobs/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "answers/options.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/compile.h"
#include "data/file.h"
#include "jobs/atomic_file.h"
#include "jobs/batch_sizer.h"
#include "jobs/resumable_file.h"
#include "jobs/row_checksum.h"
#include "jobs/user_input.h"
#include "jobs/worker_group.h"
#include "load/grid.h"
#include "report/columns.h"
#include "report/sqlite_sweep.h"
#include "report/sweep.h"
#include "salvo/failure.h"
#include "study/sweep.h"

namespace salvo::jobs {
namespace {

constexpr std::uint64_t kCellsAtOnce = 512;         // their rows fit into a processor's cache
constexpr std::uint64_t kBlock = 64;                // cells
constexpr std::uint64_t kMaxBlocksPerMessage = 64;  // from machine to machine

/// The identity of the job: everything that its rows depend on, apart from the program and its profiles.
std::string identity_of_sweep(const std::string& grid_text, std::uint64_t cells, const AnswerOptions& options,
                              const char* format) {
  const auto text = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  const Overrides& given = options.overrides;
  const int engine = options.engine ? static_cast<int>(*options.engine) : -1;
  const std::string all = fmt::format(
      "{}\n{} {} {} {} {} {} {} {} {} {} {}", grid_text, text(given.rules), text(given.cards), text(given.objective),
      text(given.damage_deck), text(given.attacker_policy), text(given.defender_policy), engine, text(options.trials),
      text(options.precision), options.seed, text(options.budget));
  return fmt::format("salvo sweep 1\ngrid {:016x}\ncells {}\nformat {}\n", base::fingerprint(all), cells, format);
}

/// The rows of a range of cells.
struct RowBatch {
  double seconds = 0;                 ///< that the cells took
  std::string text;                   ///< a line each
  std::vector<study::SweepRow> rows;  ///< for a database
  std::uint64_t cells = 0, failures = 0;
  std::uint64_t sum = 0;  ///< checksum, for a shard
};

/// The numbers follow the lines, so that the lines are not copied.
std::string pack_rows(RowBatch batch) {
  fmt::format_to(std::back_inserter(batch.text), "{} {} {} {}", batch.seconds, batch.cells, batch.failures, batch.sum);
  return std::move(batch.text);
}

RowBatch unpack_rows(std::string text) {
  const std::size_t end = text.rfind('\n') + 1;  // of the last line; 0 if there is none
  const std::vector<std::string> numbers = split_words(text.substr(end));
  const auto count = [&](std::size_t i) { return parse_count("rows", numbers.at(i), 0, ~std::uint64_t{0}); };
  text.resize(end);
  return {std::stod(numbers.at(0)), std::move(text), {}, count(1), count(2), count(3)};
}

/// The checksum of the rows in a file, which must be those of the cells from `first` on. Throws UsageError if they are
/// not, after a crash of the machine or an edit.
std::uint64_t checksum_of_file(const std::string& path, std::uint64_t first, std::uint64_t last, bool head) {
  RowChecksum out(first, head);
  for_each_block(path, [&](std::string_view bytes) { out.add_bytes(bytes); });
  const std::uint64_t wrong = out.wrong_line(last);
  if (wrong == 0) return out.value();
  throw UsageError(fmt::format("--out: line {} of {} {}; delete it and all later lines, or start over with --restart",
                               wrong, in_quotes(path), out.fault(wrong, last)));
}

/// Throws UsageError if an option has a value that no cell accepts; otherwise every row would be an error. Which values
/// are accepted depends on the edition and the cards, so this tries all combinations of these in the grid.
void check_overrides(const Catalogue& catalogue, const load::Grid& grid, const Overrides& overrides) {
  if (!overrides.rules && !overrides.cards && !overrides.damage_deck) return;
  constexpr std::size_t kMaxTried = 1000;
  const auto sets_edition = [](const load::Grid::Axis& axis) {
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
      return;  // an error of this cell alone, which its row will report
    }
    std::size_t axis = at.size();
    for (; axis > 0; --axis) {
      if (!sets_edition(grid.axes()[axis - 1])) continue;
      if (++at[axis - 1] < grid.axes()[axis - 1].size()) break;
      at[axis - 1] = 0;
    }
    if (axis == 0) throw UsageError(first_refusal);
  }
}

/// One run of a sweep.
class SweepRun {
 public:
  explicit SweepRun(SweepJob& job)
      : job_(job),
        catalogue_(open_catalogue(job.request)),
        grid_text_(data::read_file(job.request.file)),
        grid_(load::parse_grid(grid_text_, job.request.file, &catalogue_, job.request.answer.overrides.cards)),
        in_database_(job.out.ends_with(".sqlite")),
        writer_(grid_, status_of) {
    if (in_database_ || !job.columns.empty()) columns_.emplace(grid_);
    if (!job.columns.empty()) choose_columns();
    check_overrides(catalogue_, grid_, job.request.answer.overrides);
    if (job.csv && !columns_) columns_.emplace(grid_, true);
    std::tie(first_, last_) = job.shard.value_or(Shard()).range(grid_.size());
    if (job.shard && in_database_) throw UsageError("--shard: shards are files of lines; salvo merge joins those");
    id_ = identity();
    if (in_database_ && WorkerGroup::current() != nullptr)
      throw UsageError("--out: a database is written by salvo sweep; here rows are lines of JSON or CSV");
  }

  SweepTotals run() {
    if (is_root()) open_output();
    const std::uint64_t begin = std::max(first_, done_before());
    if (file_ && file_->done() > 0) sum_ = checksum_of_file(job_.out, first_, last_, !head().empty());
    if (begin > first_ && job_.monitor.note) {
      job_.monitor.note(fmt::format("{} of {} cells are in {}", base::with_separators(begin - first_),
                                    base::with_separators(last_ - first_), job_.out));
    }
    answer_cells(begin);
    if (file_) file_->check_not_replaced();
    if (file_ && job_.shard) file_->seal(fmt::format("{} {}\n", kRowChecksumKey, row_checksum_text(sum_)));
    return {last_ - first_, failures_};
  }

 private:
  void choose_columns() {
    columns_->choose(job_.columns);
    if (!in_database_ && columns_->name(0) != "cell" && !job_.out.empty())
      throw UsageError("--columns: rows of a file begin with cell, so that the sweep can resume; name it first");
  }

  std::string identity() const {
    std::string depends = grid_text_;
    for (const std::string& file : job_.request.card_files) depends += "\n" + data::read_file(file);
    if (!job_.columns.empty()) depends += fmt::format("\ncolumns {}", base::joined(job_.columns, ","));
    const std::string whole = identity_of_sweep(depends, grid_.size(), job_.request.answer,
                                                in_database_ ? "sqlite"
                                                : job_.csv   ? "csv"
                                                             : "ndjson");
    return job_.shard ? ShardIdentity(*job_.shard, whole, job_.request.answer.seed).text() : whole;
  }

  /// The line of column names; empty for JSON.
  std::string head() const { return job_.csv ? columns_->csv_head() : ""; }

  void add_line(const study::SweepRow& row, std::string& out) const {
    if (job_.csv) {
      columns_->add_csv_line(row, out);
    } else {
      columns_ ? columns_->add_json_line(row, out) : writer_.add_json_line(row, out);
    }
  }

  void open_output() {
    if (in_database_) {
      if (job_.restart) remove_database(job_.out);
      database_.emplace(job_.out, id_, grid_, *columns_);
    } else if (!job_.out.empty()) {
      file_.emplace(job_.out, job_.restart, id_, head());
    } else {
      job_.put(head());
    }
  }

  std::uint64_t done_before() const { return file_ ? file_->done() : database_ ? database_->done() : 0; }

  void answer_cells(std::uint64_t begin) {
    const study::Sweep sweep(catalogue_, grid_, {job_.request.answer, true, columns_ && columns_->has_costs()});
    if (job_.monitor.started) job_.monitor.started();
    const bool distributed = WorkerGroup::current() != nullptr && WorkerGroup::current()->is_distributed();
    if (!distributed) sweep.prepare(last_ - begin, job_.request.answer.threads);
    BatchSizer sizer(begin, last_, kBlock, distributed ? kMaxBlocksPerMessage : kCellsAtOnce / kBlock);
    std::uint64_t done = begin;
    process_ranges(
        id_, job_.request.answer.threads, [&] { return sizer.next(); },
        [&](const WorkRange& range) { return answer_range(sweep, range); },
        [&](const RowBatch& batch) {
          sizer.record_duration(batch.seconds);
          write(batch);
          done += batch.cells;
          sum_ += batch.sum;
          failures_ += batch.failures;
          if (job_.monitor.progress) job_.monitor.progress(done - begin, last_ - begin);
        },
        pack_rows, unpack_rows);
  }

  RowBatch answer_range(const study::Sweep& sweep, const WorkRange& range) const {
    const auto start = std::chrono::steady_clock::now();
    RowBatch out;
    out.cells = range.size();
    for (std::uint64_t at = range.first; at < range.last; at += kCellsAtOnce) {
      std::vector<study::SweepRow> rows;
      sweep.play(at, static_cast<std::size_t>(std::min(kCellsAtOnce, range.last - at)), rows);
      for (const study::SweepRow& row : rows) {
        if (row.error) ++out.failures;
        if (!in_database_) add_line(row, out.text);
      }
      if (in_database_) std::move(rows.begin(), rows.end(), std::back_inserter(out.rows));
    }
    if (job_.shard) {
      RowChecksum sum(range.first);
      sum.add_bytes(out.text);
      out.sum = sum.value();
    }
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  }

  void write(const RowBatch& batch) {
    if (database_) {
      database_->add(batch.rows);
    } else if (file_) {
      file_->write(batch.text);
    } else {
      job_.put(batch.text);
    }
  }

  SweepJob& job_;
  Catalogue catalogue_;
  std::string grid_text_;
  load::Grid grid_;
  bool in_database_;
  report::RowWriter writer_;                     ///< of JSON with all figures
  std::optional<report::SweepColumns> columns_;  ///< of CSV, a database or chosen columns
  std::uint64_t first_ = 0, last_ = 0;           ///< cells of the shard, or all
  std::string id_;
  std::optional<ResumableFile> file_;
  std::optional<report::SweepDatabase> database_;
  std::uint64_t sum_ = 0, failures_ = 0;
};

}  // namespace

SweepTotals run_sweep(SweepJob job) {
  SweepRun run(job);
  return run.run();
}

}  // namespace salvo::jobs
