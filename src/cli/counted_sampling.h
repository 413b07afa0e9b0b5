// Counting: a sampling whose trials are played in parts: of a shard, by a team, or one that goes on where it was.
// In: a question and which trials. Out: a file of counts, and the answer once all are there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/shard.h"
#include "salvo/report.h"

namespace salvo::cli {

struct CountRequest {
  RunOptions run;
  std::string out;                  ///< file of the counts, gone on with if it was begun; empty: none is kept
  bool restart = false;             ///< begin it anew
  std::optional<Shard> shard = {};  ///< empty: all trials, and the answer is printed
};

/// Plays the trials, and prints the answer when they are all there are. Returns the exit status.
int count_command(CountRequest request);

/// The answer of a sampling whose shards these are, all of them and in order. Throws UsageError when one is not whole.
Report report_of_shards(const std::vector<std::string>& paths, const std::vector<ShardIdentity>& shards);

}  // namespace salvo::cli
