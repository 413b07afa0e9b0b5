// `salvo sweep`: see sweep_command.h.
#include "cli/sweep_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>
#include <system_error>

#include "base/text.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/ordered.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "load/file.h"
#include "load/grid.h"
#include "report/digits.h"
#include "report/sweep_report.h"
#include "study/sweep.h"

namespace salvo::cli {
namespace {

constexpr std::size_t kCellsAtOnce = 512;

// ---------------------------------------------------------------- which work a file belongs to

/// FNV-1a, 64 bits (Fowler, Noll, Vo): tells grids apart, no more.
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// Everything that the rows depend on, apart from the program and its profiles.
std::string identity(const std::string& grid_text, std::uint64_t cells, const AnswerOptions& options, Format format) {
  const auto text = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  const Overrides& given = options.overrides;
  const int engine = options.engine ? static_cast<int>(*options.engine) : -1;
  const std::string all = fmt::format(
      "{}\n{} {} {} {} {} {} {} {} {} {} {}", grid_text, text(given.rules), text(given.cards), text(given.objective),
      text(given.damage_deck), text(given.attacker_policy), text(given.defender_policy), engine, text(options.trials),
      text(options.precision), options.seed, text(options.budget));
  return fmt::format("salvo sweep 1\ngrid {:016x}\ncells {}\nformat {}\n", fingerprint(all), cells,
                     format == Format::Csv ? "csv" : "ndjson");
}

/// A file that is written to its end and may be taken up again.
class ResumedFile {
 public:
  ResumedFile(const SweepRequest& request, const std::string& id, const std::string& head)
      : path_(request.out), id_path_(request.out + ".grid") {
    const bool begun = load::is_file(path_) && !request.restart;
    if (begun) {
      check_identity(id);
    } else {
      // In this order, so that a file of rows never stands beside the identity of another grid, whenever it is stopped.
      if (::unlink(path_.c_str()) != 0 && errno != ENOENT) fail(path_);
      write_file("--out", id_path_, id);
    }
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(path_);
    if (begun) {
      take_up(head);
    } else {
      write(head);
    }
  }
  ~ResumedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  ResumedFile(const ResumedFile&) = delete;
  ResumedFile& operator=(const ResumedFile&) = delete;

  /// Cells that are in the file.
  std::uint64_t done() const { return done_; }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::write(fd_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw std::system_error(errno, std::generic_category(), path_ + " cannot be written");
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }

 private:
  [[noreturn]] static void fail(const std::string& path) {
    throw UsageError(fmt::format("--out: {} cannot be opened ({}); choose another file", path, std::strerror(errno)));
  }

  void check_identity(const std::string& id) const {
    if (!load::is_file(id_path_)) {
      throw UsageError(
          fmt::format("--out: {} exists and is not a sweep that was begun; choose another file, or --restart", path_));
    }
    if (load::read_file(id_path_) != id) {
      throw UsageError(fmt::format(
          "--out: {} was begun with another grid or other options; choose another file, or --restart", path_));
    }
  }

  /// Cuts off a line that was not finished and finds the last whole one.
  void take_up(const std::string& head) {
    struct stat info {};
    if (::fstat(fd_, &info) != 0) fail(path_);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    std::uint64_t end = line_end_before(size);
    if (end < head.size()) {  // stopped before the first row
      cut(0);
      write(head);
      return;
    }
    const std::uint64_t start = line_end_before(end - std::min<std::uint64_t>(end, 1));
    if (end > head.size()) done_ = cell_of(read(start, end - start)) + 1;
    cut(end);
  }

  void cut(std::uint64_t size) {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0 || ::lseek(fd_, static_cast<off_t>(size), SEEK_SET) < 0)
      fail(path_);
  }

  std::string read(std::uint64_t from, std::uint64_t size) const {
    std::string out(size, '\0');
    for (std::size_t got = 0; got < size;) {
      const ssize_t n = ::pread(fd_, out.data() + got, size - got, static_cast<off_t>(from + got));
      if (n <= 0) fail(path_);
      got += static_cast<std::size_t>(n);
    }
    return out;
  }

  /// One past the last newline below `size`; 0 when there is none.
  std::uint64_t line_end_before(std::uint64_t size) const {
    constexpr std::uint64_t kBlock = 1 << 16;
    while (size > 0) {
      const std::uint64_t from = size - std::min(size, kBlock);
      const std::string text = read(from, size - from);
      const std::size_t at = text.rfind('\n');
      if (at != std::string::npos) return from + at + 1;
      size = from;
    }
    return 0;
  }

  /// The number of the cell at the start of a line of JSON or CSV.
  std::uint64_t cell_of(const std::string& line) const {
    const std::size_t at = std::min(line.find_first_of("0123456789"), line.size());
    std::uint64_t cell = 0;
    if (std::from_chars(line.data() + at, line.data() + line.size(), cell).ec != std::errc()) {
      throw UsageError(
          fmt::format("--out: the last line of {} is no row of a sweep; choose another file, or --restart", path_));
    }
    return cell;
  }

  std::string path_, id_path_;
  int fd_ = -1;
  std::uint64_t done_ = 0;
};

// ---------------------------------------------------------------- the work

struct Chunk {
  std::uint64_t first = 0;
  std::size_t count = 0;
};

struct Lines {
  std::string text;
  std::uint64_t cells = 0, failures = 0;
};

/// The ships that some attack is on, in order of their names.
std::vector<std::string> attacked_ships(const Grid& grid) {
  std::set<std::string> names;
  const Scenario first = grid.scenario(std::vector<std::size_t>(grid.axes().size(), 0));
  for (const ScenarioAttack& attack : first.attacks) names.insert(attack.on);
  return {names.begin(), names.end()};
}

}  // namespace

int sweep_command(const SweepRequest& request) {
  end_on_interrupt();
  const RunOptions& options = request.run;
  const Catalogue catalogue(Catalogue::find_profiles());
  const std::string grid_text = load::read_file(options.file);
  const Grid grid = parse_grid(grid_text, options.file);
  const Format format = options.format.value_or(request.out.ends_with(".csv") ? Format::Csv : Format::Json);
  const std::vector<std::string> ships = format == Format::Csv ? attacked_ships(grid) : std::vector<std::string>();
  const study::RowWriter writer(grid, ships, status_of);
  const std::string head = format == Format::Csv ? writer.csv_head() : "";
  std::optional<ResumedFile> file;
  if (!request.out.empty()) file.emplace(request, identity(grid_text, grid.size(), options.answer, format), head);
  if (!file) write_output(head);
  const std::uint64_t begin = file ? file->done() : 0;
  if (begin > 0) {
    fmt::print(stderr, "salvo: note: {} of {} cells are in {}\n", text::with_separators(begin),
               text::with_separators(grid.size()), request.out);
  }
  const study::Sweep sweep(catalogue, grid, {options.answer});
  Progress progress(options.progress && is_terminal(Stream::Error), {"sweeping", "cells"});
  progress.start();
  std::uint64_t next = begin, done = begin, failures = 0;
  in_order(
      options.answer.threads,
      [&]() -> std::optional<Chunk> {
        if (next >= grid.size()) return std::nullopt;
        const Chunk chunk{next, static_cast<std::size_t>(std::min<std::uint64_t>(kCellsAtOnce, grid.size() - next))};
        next += chunk.count;
        return chunk;
      },
      [&](const Chunk& chunk) {
        std::vector<study::SweepRow> rows;
        sweep.play(chunk.first, chunk.count, rows);
        Lines out;
        out.cells = chunk.count;
        for (const study::SweepRow& row : rows) {
          if (row.error) ++out.failures;
          if (format == Format::Csv) {
            writer.add_csv_line(row, out.text);
          } else {
            writer.add_json_line(row, out.text);
          }
        }
        return out;
      },
      [&](const Lines& lines) {
        if (file) {
          file->write(lines.text);
        } else {
          write_output(lines.text);
        }
        done += lines.cells;
        failures += lines.failures;
        progress.tell(done - begin, grid.size() - begin);
      });
  progress.erase();
  if (failures > 0) {
    fmt::print(stderr, "salvo: note: {} cells could not be answered; their rows say why\n",
               text::with_separators(failures));
  }
  return kAnswered;
}

}  // namespace salvo::cli
