// Counting: see counting.h.
#include "cli/counted_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>

#include "answers/sampling.h"
#include "base/text.h"
#include "cli/answer_output.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/whole_file.h"
#include "data/file.h"
#include "data/node.h"
#include "jobs/batch_sizer.h"
#include "jobs/fingerprint.h"
#include "jobs/worker_group.h"
#include "report/json_writer.h"
#include "sample/sample.h"

namespace salvo::cli {
namespace {

using sample::PlayedBy;
using sample::Tally;

// ---------------------------------------------------------------- the question of a shard

/// What was asked, with the files that it names, so that it can be asked again anywhere.
std::string question_line(const RunOptions& asked, const Files& files) {
  return report::json_line([&](report::JsonWriter& json) {
    const Overrides& overrides = asked.answer.overrides;
    json.member("file", asked.file);
    json.member("attack", asked.attacks);
    json.member("defend", asked.defenders);
    json.member("on", asked.on);
    json.member("card", asked.card_files);
    json.member("rules", overrides.rules);
    json.member("cards", overrides.cards);
    json.member("objective", overrides.objective);
    json.member("damage_deck", overrides.damage_deck);
    json.member("attacker_policy", overrides.attacker_policy);
    json.member("defender_policy", overrides.defender_policy);
    if (overrides.rounds) json.member("rounds", *overrides.rounds);
    json.member("budget", asked.answer.budget);
    json.member("target", asked.answer.target);
    json.member("tokens", asked.answer.count_tokens);
    json.member("files", files.texts());
  });
}

/// The same, read.
std::pair<RunOptions, Files> question_of(const ShardIdentity& shard, const std::string& path) {
  const data::Value value = data::parse_json(shard.value("question"), path);
  const data::Node root(value, path);
  const auto member = [&](const char* name) { return root.need(name, "make the shard anew").value(); };
  const auto list = [&](const char* name) {
    std::vector<std::string> out;
    for (const data::Value& item : member(name).items) out.push_back(item.text);
    return out;
  };
  const auto word = [&](const char* name, std::optional<std::string>& to) {
    if (const data::Value one = member(name); one.kind == data::Value::Kind::Text) to = one.text;
  };
  RunOptions out;
  out.file = member("file").text;
  out.attacks = list("attack");
  out.defenders = list("defend");
  if (!out.defenders.empty()) out.defend = out.defenders.front();
  out.on = list("on");
  out.card_files = list("card");
  Overrides& overrides = out.answer.overrides;
  overrides.as_options = true;
  word("rules", overrides.rules);
  word("cards", overrides.cards);
  word("objective", overrides.objective);
  word("damage_deck", overrides.damage_deck);
  word("attacker_policy", overrides.attacker_policy);
  word("defender_policy", overrides.defender_policy);
  if (const auto rounds = root.get("rounds")) overrides.rounds = rounds->integer(1, kMaxRounds);
  if (const data::Value one = member("budget"); one.kind != data::Value::Kind::Null)
    out.answer.budget = std::stod(one.kind == data::Value::Kind::Integer ? std::to_string(one.integer) : one.text);
  out.answer.target = member("target").text;
  out.answer.count_tokens = member("tokens").boolean;
  out.answer.engine = EngineChoice::Sample;
  const auto most = ~std::uint64_t{0};
  out.answer.trials = parse_count("trials", shard.value("trials"), 1, kMaxTrials);
  out.answer.seed = parse_count("seed", shard.value("seed"), 0, most);
  out.answer.generator = shard.value("generator");
  std::map<std::string, std::string> texts;
  for (const data::Value& file : member("files").items) texts[file.key] = file.text;
  return {std::move(out), Files(std::move(texts))};
}

ShardIdentity identity(const RunOptions& asked, const Files& files, std::uint64_t trials, const Shard& shard) {
  const std::string& generator = asked.answer.generator;
  return ShardIdentity(
      shard,
      fmt::format("salvo run 1\ntrials {}\ngenerator {}\nquestion {}\n", trials,
                  generator.empty() ? sample::generator_names().front() : generator, question_line(asked, files)),
      asked.answer.seed);
}

// ---------------------------------------------------------------- counts, and their file

/// What is counted of a shard: its first `played` trials.
struct Counts {
  std::uint64_t played = 0;
  PlayedBy by;
  Tally tally;
};

/// Names of what played, where machines differ: each once.
void join(std::string& all, const std::string& one) {
  if (all.empty()) all = one;
  if (!one.empty() && (", " + all + ", ").find(", " + one + ", ") == std::string::npos) all += ", " + one;
}

void add(Counts& all, const Counts& more) {
  all.played += more.played;
  join(all.by.target, more.by.target);
  join(all.by.kernel, more.by.kernel);
  join(all.by.fallback, more.by.fallback);
  all.tally.merge(more.tally);
}

std::string text_of(const Counts& counts) {
  return fmt::format("played {}\ntarget {}\nkernel {}\nfallback {}\ncounts {}\n", counts.played, counts.by.target,
                     counts.by.kernel, counts.by.fallback, counts.tally.text());
}

/// The line with which a whole file ends.
std::string end_of(const std::string& text) { return fmt::format("end {:016x}\n", jobs::fingerprint(text)); }

/// The counts in the file of a shard, whose lines these are. Throws UsageError when they were changed or cut off.
Counts counts_of(const ShardIdentity& lines, const game::Plan& plan, const std::string& path) {
  const std::string& all = lines.text();
  const std::size_t end = all.rfind("\nend ");
  if (end == std::string::npos || all.substr(end + 1) != end_of(all.substr(0, end + 1))) {
    throw UsageError(
        fmt::format("{} is not whole, or was changed; make this shard anew, with --restart", in_quotes(path)));
  }
  try {
    return {parse_count("played", lines.value("played"), 0, kMaxTrials),
            {lines.value("target"), lines.value("kernel"), lines.value("fallback")},
            Tally::of_text(plan, lines.value("counts"))};
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}; make this shard anew, with --restart", in_quotes(path), error.what()));
  }
}

/// Counts that are saved now and then, whole or not at all: a process that is killed loses seconds.
class CountsFile {
 public:
  /// `path`: empty where nothing is kept.
  CountsFile(std::string path, bool restart, const ShardIdentity& id, const game::Plan& plan)
      : path_(std::move(path)), id_(id.text()), counts_{0, {}, Tally(plan)} {
    if (path_.empty()) return;
    need_no_device("--out", path_);
    held_ = open_locked(path_, 0, path_);
    if (!held_.open() && errno != ENOENT) {
      throw UsageError(
          fmt::format("--out: {} cannot be opened ({}); choose another file", in_quotes(path_), std::strerror(errno)));
    }
    if (data::is_file(path_) && !restart) {
      take_up(plan);
    } else {
      save();
    }
  }

  const Counts& counts() const { return counts_; }
  void add(const Counts& more) {
    cli::add(counts_, more);
    if (std::chrono::steady_clock::now() - saved_ > kSave) save();
  }
  void save() {
    if (path_.empty()) return;
    if (data::is_file(path_) && !is_at(held_, path_)) {
      throw UsageError(
          fmt::format("--out: {} was replaced while it was written; choose another file", in_quotes(path_)));
    }
    const std::string text = id_ + text_of(counts_);
    WholeFile file("--out", path_, true);
    file.write(text + end_of(text));
    held_ = file.finish();
    saved_ = std::chrono::steady_clock::now();
  }

 private:
  static constexpr std::chrono::seconds kSave{1};

  void take_up(const game::Plan& plan) {
    const auto other = [&](const char* what) {
      throw UsageError(fmt::format("--out: {} {}; choose another file, or --restart", in_quotes(path_), what));
    };
    if (!is_counts_file(path_)) other("exists and holds no counts");
    const ShardIdentity lines = ShardIdentity::of_file(path_);
    if (!lines.text().starts_with(id_)) other("was begun with another question or other options");
    counts_ = counts_of(lines, plan, path_);
  }

  std::string path_, id_;
  Descriptor held_;  ///< the file at path_, locked; none where there was no such file
  Counts counts_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

// ---------------------------------------------------------------- the work

/// What is counted in a part, and how long that took.
struct CountedPart {
  Counts counts;
  double seconds = 0;
};

std::string packed(const CountedPart& part) {
  return fmt::format("seconds {}\n{}", part.seconds, text_of(part.counts));
}

CountedPart unpacked(std::string text, const game::Plan& plan) {
  const ShardIdentity lines = ShardIdentity::of_text(std::move(text));
  return {{parse_count("played", lines.value("played"), 0, kMaxTrials),
           {lines.value("target"), lines.value("kernel"), lines.value("fallback")},
           Tally::of_text(plan, lines.value("counts"))},
          std::stod(lines.value("seconds"))};
}

void play_all(answers::Sampling& sampling, const ShardIdentity& id, const RunOptions& options, std::uint64_t first,
              std::uint64_t last, CountsFile* file) {
  sample::Parts& parts = sampling.parts();
  const std::uint64_t begin = file == nullptr ? first : first + file->counts().played;
  constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 24;
  jobs::Pace pace(begin, last, sample::Parts::kBlock, kMaxBlocks);
  Progress progress(options.progress && jobs::leads() && is_terminal(Stream::Error));
  progress.start();
  jobs::in_parts(
      id.text(), options.answer.threads, [&] { return pace.next(); },
      [&](const jobs::Part& part) {
        const auto start = std::chrono::steady_clock::now();
        Tally tally = parts.play(part.first, part.last);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        return CountedPart{{part.size(), parts.played_by(), std::move(tally)}, took.count()};
      },
      [&](const CountedPart& part) {
        pace.took(part.seconds);
        file->add(part.counts);
        progress.tell(first + file->counts().played - begin, last - begin);
      },
      packed, [&](std::string text) { return unpacked(std::move(text), sampling.plan()); });
}

}  // namespace

int count_command(CountRequest request) {
  end_on_interrupt();
  const RunOptions asked = request.run;
  Files files;
  const Catalogue catalogue = open_catalogue(request.run, files);
  const Input input = read_input(catalogue, request.run, files);
  std::vector<std::string> inputs;
  for (const auto& [path, text] : files.texts()) inputs.push_back(path);
  if (!request.out.empty()) need_no_input("--out", request.out, inputs);
  answers::Sampling sampling(catalogue, input.scenario, input.options);
  const Shard shard = request.shard.value_or(Shard());
  const ShardIdentity id = identity(asked, files, sampling.trials(), shard);
  const auto [first, last] = shard.range(sampling.trials());
  std::optional<CountsFile> file;
  if (jobs::leads()) {
    file.emplace(request.out, request.restart, id, sampling.plan());
    if (file->counts().played > 0) {
      write_note(fmt::format("{} of {} trials are in {}", base::with_separators(file->counts().played),
                             base::with_separators(last - first), request.out));
    }
  }
  play_all(sampling, id, request.run, first, last, file ? &*file : nullptr);
  if (!file) return kAnswered;
  file->save();
  if (request.shard) return kAnswered;
  return print_answer(sampling.report(file->counts().tally, file->counts().by), request.run);
}

Report report_of_shards(const std::vector<std::string>& paths, const std::vector<ShardIdentity>& shards) {
  auto [options, files] = question_of(shards.front(), paths.front());
  const Catalogue catalogue = open_catalogue(options, files);
  const Input input = read_input(catalogue, options, files);
  const answers::Sampling sampling(catalogue, input.scenario, input.options);
  Counts all{0, {}, Tally(sampling.plan())};
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Counts counts = counts_of(shards[i], sampling.plan(), paths[i]);
    const auto [first, last] = shards[i].shard().range(sampling.trials());
    if (counts.played != last - first) {
      throw UsageError(fmt::format("{} (shard {}/{}) has {} of {} trials; start it again, it goes on where it was",
                                   in_quotes(paths[i]), shards[i].shard().number, shards[i].shard().of,
                                   base::with_separators(counts.played), base::with_separators(last - first)));
    }
    add(all, counts);
  }
  return sampling.report(all.tally, all.by);
}

}  // namespace salvo::cli
