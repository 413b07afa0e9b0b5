// `salvo merge`: combines the shards of a sweep or a sampling run.

#include <memory>
#include <string>
#include <vector>

#include "cli/answer_output.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "jobs/merge.h"
#include "jobs/sharded_sampling.h"
#include "questions/run_answer.h"

namespace salvo::cli {
namespace {

struct MergeRequest {
  CommandOptions run;
  std::vector<std::string> files;
  std::string out;
};

int merge_counts(const std::vector<jobs::ShardFile>& files, const MergeRequest& request) {
  std::vector<std::string> paths;
  std::vector<jobs::ShardIdentity> shards;
  for (const jobs::ShardFile& file : files) {
    paths.push_back(file.path);
    shards.push_back(file.identity);
  }
  CommandOptions options = request.run;
  if (!options.format && !request.out.empty())
    options.format = request.out.ends_with(".csv") ? Format::Csv : Format::Json;
  const auto counted =
      std::make_shared<const answers::CachedReport>(answers::CachedReport{jobs::report_of_shards(paths, shards)});
  return print_answer(questions::answer_of_report(counted, options.answer), options, request.out);
}

int merge_command(const MergeRequest& request) {
  end_on_interrupt();
  const std::vector<jobs::ShardFile> files = jobs::sorted_shards(request.files);
  if (files.front().identity.of_sampling()) return merge_counts(files, request);
  if (request.run.format)
    throw UsageError("--format: salvo merge copies the rows of a sweep unchanged; give it to salvo sweep");
  jobs::merge_rows(files, request.out, write_output);
  return kSuccess;
}

struct MergeArguments : CommandArguments {
  std::vector<std::string> files;
  std::string out;
};

}  // namespace

DeclaredCommand add_merge(CLI::App& top) {
  CLI::App& app = add_command(top, "merge", "Combine the shards of a sweep or a run.",
                              "\nFILES are the output of salvo sweep or salvo run --shard I/N --out FILE, in\n"
                              "any order. The result equals that of one machine. Shards that are missing,\n"
                              "unfinished, or of another question, seed or version are refused by name.\n\n"
                              "Examples:\n"
                              "  salvo merge 1.ndjson 2.ndjson --out grid.ndjson\n"
                              "  salvo merge *.counts --format table");
  const auto texts = std::make_shared<MergeArguments>();
  add_words(app, "FILES", texts->files, "files of shards");
  add_machine_options(app, *texts);
  add_value(app, "Output", "--out", "FILE", texts->out, "file to write (default: standard output)");
  add_output_options(app, *texts, "of a run: table, json or csv");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            if (texts->files.empty()) throw UsageError("no shards; name the files of --shard");
            if (given(app, "--out") && texts->out.empty()) throw UsageError("--out: the name of the file is empty");
            MergeRequest request{output_options(*texts, app), texts->files, texts->out};
            request.run.answer.overrides.as_options = true;
            return Task{request.run, [request] { return merge_command(request); }};
          }};
}

}  // namespace salvo::cli
