// `salvo merge`: the shards of a sweep or a sampling, put together to what one machine would have written.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "base/text.h"
#include "cli/answer_output.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/counted_sampling.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/shard.h"
#include "cli/terminal.h"
#include "cli/whole_file.h"
#include "jobs/row_checksum.h"

namespace salvo::cli {
namespace {

struct ShardFile {
  std::string path;
  ShardIdentity identity;
  Shard shard;
  std::size_t head = 0;  ///< bytes of the line of names before the rows
};

/// The shards in order. Throws UsageError that names the file which does not fit, or the shard that is not there.
std::vector<ShardFile> in_order_of_shards(const std::vector<std::string>& paths) {
  std::vector<ShardFile> out;
  for (const std::string& path : paths) {
    const ShardIdentity identity = ShardIdentity::of_file(path);
    out.push_back({path, identity, identity.shard()});
    const ShardFile& first = out.front();
    const char* const work = first.identity.of_sampling() ? "run" : "sweep";
    if (identity.of_sampling() != first.identity.of_sampling()) {
      throw UsageError(fmt::format("{} is a shard of a {}, {} of a {}; merge shards of one {}", in_quotes(path),
                                   identity.of_sampling() ? "run" : "sweep", in_quotes(first.path), work, work));
    }
    if (const std::string key = identity.difference(first.identity); !key.empty()) {
      const std::string values =
          key == "question" ? "" : fmt::format(" ({} and {})", identity.value(key), first.identity.value(key));
      throw UsageError(fmt::format("{} is of another {} than {}{}; merge shards of one {}", in_quotes(path), key,
                                   in_quotes(first.path), values, work));
    }
    if (out.back().shard.of != first.shard.of) {
      throw UsageError(fmt::format("{} is one of {} shards, {} one of {}; merge shards of one {}", in_quotes(path),
                                   out.back().shard.of, in_quotes(first.path), first.shard.of, work));
    }
  }
  base::stable_sort(out, [](const ShardFile& a, const ShardFile& b) { return a.shard.number < b.shard.number; });
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i].shard.number == out[i + 1].shard.number)
      throw UsageError(fmt::format("{} and {} are the same shard; name each once", in_quotes(out[i].path),
                                   in_quotes(out[i + 1].path)));
  }
  std::vector<std::string> missing;
  for (std::uint64_t number = 1, i = 0; number <= out.front().shard.of; ++number) {
    if (i < out.size() && out[i].shard.number == number) {
      ++i;
    } else {
      missing.push_back(fmt::format("{}/{}", number, out.front().shard.of));
    }
  }
  if (!missing.empty())
    throw UsageError(fmt::format("missing: shard {}; make it, or name its file", base::listed(missing)));
  return out;
}

/// Throws UsageError unless all rows of the shard are there, as they were made.
void check_rows(ShardFile& file) {
  const std::uint64_t all = parse_count("cells", file.identity.value("cells"), 0, ~std::uint64_t{0});
  const auto [first, last] = file.shard.range(all);
  bool ended = true, begun = false;
  const bool head = file.identity.value("format") == "csv";
  jobs::RowSum sum(first, head);
  read_through(file.path, [&](std::string_view bytes) {
    if (head && !std::exchange(begun, true)) file.head = bytes.find('\n') + 1;
    sum.take(bytes);
    ended = bytes.back() == '\n';
  });
  const std::string sealed = file.identity.value(jobs::kRowSum);
  // A sweep goes on behind rows that are in order; it refuses others.
  const std::uint64_t wrong = sum.wrong_line(last);
  if (wrong > 0 && (sealed.empty() || sum.next() != last)) {
    throw UsageError(
        fmt::format("{} (shard {}/{}) has {} of {} rows, and line {} {}; make this shard anew, with --restart",
                    in_quotes(file.path), file.shard.number, file.shard.of, base::with_separators(sum.next() - first),
                    base::with_separators(last - first), wrong, sum.fault(wrong, last)));
  }
  if (!ended || sum.next() != last || sealed.empty()) {
    throw UsageError(fmt::format("{} (shard {}/{}) has {} of {} rows{}; start its sweep again, it goes on where it was",
                                 in_quotes(file.path), file.shard.number, file.shard.of,
                                 base::with_separators(sum.next() - first), base::with_separators(last - first),
                                 sum.next() == last ? " and was not finished" : ""));
  }
  if (sealed == jobs::row_sum_text(sum.value())) return;
  throw UsageError(fmt::format("{} (shard {}/{}) has rows that were changed; make this shard anew, with --restart",
                               in_quotes(file.path), file.shard.number, file.shard.of));
}

/// The rows of all files; `put` gets the bytes.
template <typename Put>
void write_rows(const std::vector<ShardFile>& files, Put put) {
  for (const ShardFile& file : files) {
    std::size_t skip = &file == &files.front() ? 0 : file.head;
    read_through(file.path, [&](std::string_view bytes) {
      const std::size_t skipped = std::min(skip, bytes.size());
      skip -= skipped;
      put(bytes.substr(skipped));
    });
  }
}

void write_merged(const std::vector<ShardFile>& files, const std::string& path) {
  need_no_device("--out", path);
  WholeFile out("--out", path);
  write_rows(files, [&](std::string_view bytes) { out.write(bytes); });
  out.finish();
}

struct MergeRequest {
  RunOptions run;
  std::vector<std::string> files;
  std::string out;
};

int merge_counts(const std::vector<ShardFile>& files, const MergeRequest& request) {
  std::vector<std::string> paths;
  std::vector<ShardIdentity> shards;
  for (const ShardFile& file : files) {
    paths.push_back(file.path);
    shards.push_back(file.identity);
  }
  RunOptions options = request.run;
  if (!options.format && !request.out.empty())
    options.format = request.out.ends_with(".csv") ? Format::Csv : Format::Json;
  return print_answer(report_of_shards(paths, shards), options, request.out);
}

int merge_command(const MergeRequest& request) {
  end_on_interrupt();
  std::vector<ShardFile> files = in_order_of_shards(request.files);
  if (files.front().identity.of_sampling()) return merge_counts(files, request);
  if (request.run.format) throw UsageError("--format: rows are put together as they are; give it to salvo sweep");
  const std::string& out = request.out;
  for (ShardFile& file : files) check_rows(file);
  if (out.empty()) {
    write_rows(files, [](std::string_view bytes) { write_output(std::string(bytes)); });
  } else {
    write_merged(files, out);
  }
  return kAnswered;
}

struct MergeTexts : RunTexts {
  std::vector<std::string> files;
  std::string out;
};

}  // namespace

DeclaredCommand add_merge(CLI::App& top) {
  CLI::App& app = add_command(top, "merge", "Put the shards of a sweep or a run together.",
                              "\nFILES are what --shard I/N --out FILE of salvo sweep or salvo run wrote, in any\n"
                              "order. The result is what one machine would have written. A shard that is\n"
                              "missing, not finished, or of another question, seed or version is refused by\n"
                              "name.\n\n"
                              "Examples:\n"
                              "  salvo merge 1.ndjson 2.ndjson --out grid.ndjson\n"
                              "  salvo merge *.counts --format table");
  const auto texts = std::make_shared<MergeTexts>();
  add_words(app, "FILES", texts->files, "files of shards");
  add_machine_options(app, *texts);
  add_value(app, "Output", "--out", "FILE", texts->out, "file to write (default: standard output)");
  add_output_options(app, *texts, "of a run: table, json or csv");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            if (texts->files.empty()) throw UsageError("no shards; name the files of --shard");
            if (given(app, "--out") && texts->out.empty()) throw UsageError("--out: the name of the file is empty");
            const MergeRequest request{common_options(*texts, app), texts->files, texts->out};
            return Task{request.run, [request] { return merge_command(request); }};
          }};
}

}  // namespace salvo::cli
