// Combines the shards of a sweep or a sampling run into the output that a single machine would have written.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/shard.h"

namespace salvo::jobs {

struct ShardFile {
  std::string path;
  ShardIdentity identity;
  Shard shard;
  std::size_t head_bytes = 0;  ///< length of the line of column names before the rows
};

/// All shards of one job, in order. Throws UsageError that names the file that does not belong to the job, or the
/// missing shard.
std::vector<ShardFile> sorted_shards(const std::vector<std::string>& paths);

/// Checks that all rows of the shards of a sweep are complete and unchanged, then writes them to the file at `path`; if
/// that is empty, passes them to `put`. Throws UsageError.
void merge_rows(std::vector<ShardFile> files, const std::string& path,
                const std::function<void(std::string_view)>& put);

}  // namespace salvo::jobs
