#include "jobs/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/stable_sort.h"
#include "base/text.h"
#include "jobs/atomic_file.h"
#include "jobs/row_checksum.h"
#include "jobs/user_input.h"

namespace salvo::jobs {
namespace {

/// Throws UsageError unless both are shards of the same job.
void check_same_job(const ShardFile& file, const ShardFile& first) {
  const ShardIdentity& identity = file.identity;
  const char* const work = first.identity.of_sampling() ? "run" : "sweep";
  if (identity.of_sampling() != first.identity.of_sampling()) {
    throw UsageError(fmt::format("{} is a shard of a {}, {} of a {}; merge shards of one {}", in_quotes(file.path),
                                 identity.of_sampling() ? "run" : "sweep", in_quotes(first.path), work, work));
  }
  if (const std::string key = identity.difference(first.identity); !key.empty()) {
    const std::string values =
        key == "question" ? "" : fmt::format(" ({} and {})", identity.value(key), first.identity.value(key));
    throw UsageError(fmt::format("{} is of another {} than {}{}; merge shards of one {}", in_quotes(file.path), key,
                                 in_quotes(first.path), values, work));
  }
  if (file.shard.of != first.shard.of) {
    throw UsageError(fmt::format("{} is one of {} shards, {} one of {}; merge shards of one {}", in_quotes(file.path),
                                 file.shard.of, in_quotes(first.path), first.shard.of, work));
  }
}

/// Throws UsageError unless each shard is present exactly once.
void check_complete(const std::vector<ShardFile>& files) {
  for (std::size_t i = 0; i + 1 < files.size(); ++i) {
    if (files[i].shard.number == files[i + 1].shard.number)
      throw UsageError(fmt::format("{} and {} are the same shard; name each once", in_quotes(files[i].path),
                                   in_quotes(files[i + 1].path)));
  }
  std::vector<std::string> missing;
  for (std::uint64_t number = 1, i = 0; number <= files.front().shard.of; ++number) {
    if (i < files.size() && files[i].shard.number == number) {
      ++i;
    } else {
      missing.push_back(fmt::format("{}/{}", number, files.front().shard.of));
    }
  }
  if (!missing.empty())
    throw UsageError(fmt::format("missing: shard {}; make it, or name its file", base::listed(missing)));
}

/// Throws UsageError unless the shard has all of its rows, unchanged.
void check_rows(ShardFile& file) {
  const std::uint64_t all = parse_count("cells", file.identity.value("cells"), 0, ~std::uint64_t{0});
  const auto [first, last] = file.shard.range(all);
  bool ended = true, begun = false;
  const bool head = file.identity.value("format") == "csv";
  RowChecksum sum(first, head);
  for_each_block(file.path, [&](std::string_view bytes) {
    if (head && !std::exchange(begun, true)) file.head_bytes = bytes.find('\n') + 1;
    sum.add_bytes(bytes);
    ended = bytes.back() == '\n';
  });
  const std::string sealed = file.identity.value(kRowChecksumKey);
  // A sweep resumes after rows that are in order and refuses others, so the remedy differs.
  const std::uint64_t wrong = sum.wrong_line(last);
  if (wrong > 0 && (sealed.empty() || sum.next() != last)) {
    throw UsageError(
        fmt::format("{} (shard {}/{}) has {} of {} rows, and line {} {}; recompute this shard with --restart",
                    in_quotes(file.path), file.shard.number, file.shard.of, base::with_separators(sum.next() - first),
                    base::with_separators(last - first), wrong, sum.fault(wrong, last)));
  }
  if (!ended || sum.next() != last || sealed.empty()) {
    throw UsageError(fmt::format("{} (shard {}/{}) has {} of {} rows{}; start its sweep again to complete it",
                                 in_quotes(file.path), file.shard.number, file.shard.of,
                                 base::with_separators(sum.next() - first), base::with_separators(last - first),
                                 sum.next() == last ? " and was not finished" : ""));
  }
  if (sealed == row_checksum_text(sum.value())) return;
  throw UsageError(fmt::format("{} (shard {}/{}) has rows that were changed; recompute this shard with --restart",
                               in_quotes(file.path), file.shard.number, file.shard.of));
}

/// Passes the rows of all files to `put`, with the line of column names of the first one.
void put_rows(const std::vector<ShardFile>& files, const std::function<void(std::string_view)>& put) {
  for (const ShardFile& file : files) {
    std::size_t skip = &file == &files.front() ? 0 : file.head_bytes;
    for_each_block(file.path, [&](std::string_view bytes) {
      const std::size_t skipped = std::min(skip, bytes.size());
      skip -= skipped;
      put(bytes.substr(skipped));
    });
  }
}

}  // namespace

std::vector<ShardFile> sorted_shards(const std::vector<std::string>& paths) {
  std::vector<ShardFile> out;
  for (const std::string& path : paths) {
    const ShardIdentity identity = ShardIdentity::of_file(path);
    out.push_back({path, identity, identity.shard()});
    check_same_job(out.back(), out.front());
  }
  base::stable_sort(out, [](const ShardFile& a, const ShardFile& b) { return a.shard.number < b.shard.number; });
  check_complete(out);
  return out;
}

void merge_rows(std::vector<ShardFile> files, const std::string& path,
                const std::function<void(std::string_view)>& put) {
  for (ShardFile& file : files) check_rows(file);
  if (path.empty()) return put_rows(files, put);
  check_replaceable(path);
  AtomicFile out("--out", path);
  put_rows(files, [&](std::string_view bytes) { out.write(bytes); });
  out.finish();
}

}  // namespace salvo::jobs
