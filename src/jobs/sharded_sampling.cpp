#include "jobs/sharded_sampling.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>

#include "answers/sampling.h"
#include "base/hash.h"
#include "base/text.h"
#include "data/file.h"
#include "data/node.h"
#include "jobs/atomic_file.h"
#include "jobs/batch_sizer.h"
#include "jobs/user_input.h"
#include "jobs/worker_group.h"
#include "report/json_writer.h"
#include "sample/sample.h"

namespace salvo::jobs {
namespace {

using sample::PlayedBy;
using sample::Tally;

// ---------------------------------------------------------------- identity of a shard

std::vector<std::string> texts_of(const load::GivenSpecs& specs) {
  std::vector<std::string> out;
  for (const load::GivenSpec& spec : specs.list) out.push_back(spec.text);
  return out;
}

/// The request and the texts of its files as JSON, so that another machine can repeat it.
std::string question_line(const ScenarioRequest& request, const InputFiles& files) {
  return report::json_line([&](report::JsonWriter& json) {
    const Overrides& overrides = request.answer.overrides;
    json.member("file", request.file);
    json.member("attack", texts_of(request.attacks));
    json.member("defend", texts_of(request.defenders));
    if (!request.returns.list.empty()) json.member("return", texts_of(request.returns));
    json.member("on", request.among);
    json.member("card", request.card_files);
    json.member("rules", overrides.rules);
    json.member("cards", overrides.cards);
    json.member("objective", overrides.objective);
    json.member("damage_deck", overrides.damage_deck);
    json.member("attacker_policy", overrides.attacker_policy);
    json.member("defender_policy", overrides.defender_policy);
    if (overrides.rounds) json.member("rounds", *overrides.rounds);
    json.member("budget", request.answer.budget);
    json.member("target", request.answer.target);
    json.member("tokens", request.answer.count_tokens);
    json.member("files", files.texts());
  });
}

/// The inverse of question_line().
std::pair<ScenarioRequest, InputFiles> question_of(const ShardIdentity& shard, const std::string& path) {
  const data::Value value = data::parse_json(shard.value("question"), path);
  const data::Node root(value, path);
  const auto member = [&](const char* name) { return root.need(name, "recompute the shard").value(); };
  const auto list = [&](const char* name) {
    std::vector<std::string> out;
    for (const data::Value& item : member(name).items) out.push_back(item.text);
    return out;
  };
  const auto word = [&](const char* name, std::optional<std::string>& to) {
    if (const data::Value one = member(name); one.kind == data::Value::Kind::Text) to = one.text;
  };
  ScenarioRequest out;
  out.file = member("file").text;
  out.attacks = load::specs_of_option("--attack", list("attack"));
  out.defenders = load::specs_of_option("--defend", list("defend"), load::Numbered::IfSeveral);
  if (root.get("return")) out.returns = load::specs_of_option("--return", list("return"));
  out.among = list("on");
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
  return {std::move(out), InputFiles(std::move(texts))};
}

ShardIdentity identity_of_sampling(const ScenarioRequest& request, const InputFiles& files, std::uint64_t trials,
                                   const Shard& shard) {
  const std::string& generator = request.answer.generator;
  return ShardIdentity(
      shard,
      fmt::format("salvo run 1\ntrials {}\ngenerator {}\nquestion {}\n", trials,
                  generator.empty() ? sample::generator_names().front() : generator, question_line(request, files)),
      request.answer.seed);
}

// ---------------------------------------------------------------- counts and their file

/// The counts of the first `played` trials of a shard.
struct Counts {
  std::uint64_t played = 0;
  PlayedBy by;  ///< the kernels and instruction sets that counted them
  Tally tally;
};

/// Adds a name to a comma-separated list, unless the list contains it.
void add_name(std::string& all, const std::string& one) {
  if (all.empty()) all = one;
  if (!one.empty() && (", " + all + ", ").find(", " + one + ", ") == std::string::npos) all += ", " + one;
}

void add(Counts& all, const Counts& more) {
  all.played += more.played;
  add_name(all.by.target, more.by.target);
  add_name(all.by.kernel, more.by.kernel);
  add_name(all.by.fallback, more.by.fallback);
  all.tally.merge(more.tally);
}

std::string text_of(const Counts& counts) {
  return fmt::format("played {}\ntarget {}\nkernel {}\nfallback {}\ncounts {}\n", counts.played, counts.by.target,
                     counts.by.kernel, counts.by.fallback, counts.tally.text());
}

/// The inverse of text_of(). Throws std::invalid_argument if the tally is not one of the plan.
Counts read_counts(const ShardIdentity& lines, const game::Plan& plan) {
  return {parse_count("played", lines.value("played"), 0, kMaxTrials),
          {lines.value("target"), lines.value("kernel"), lines.value("fallback")},
          Tally::of_text(plan, lines.value("counts"))};
}

/// The last line of a complete file.
std::string end_line(const std::string& text) { return fmt::format("end {:016x}\n", base::fingerprint(text)); }

/// The counts in a shard's file. Throws UsageError if the file was changed or truncated.
Counts counts_of(const ShardIdentity& lines, const game::Plan& plan, const std::string& path) {
  const std::string& all = lines.text();
  const std::size_t end = all.rfind("\nend ");
  if (end == std::string::npos || all.substr(end + 1) != end_line(all.substr(0, end + 1))) {
    throw UsageError(
        fmt::format("{} is incomplete or was changed; recompute this shard with --restart", in_quotes(path)));
  }
  try {
    return read_counts(lines, plan);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}; recompute this shard with --restart", in_quotes(path), error.what()));
  }
}

/// Counts that are saved atomically every second, so a process that is killed loses little work.
class CountsFile {
 public:
  /// `path`: empty to save nothing.
  CountsFile(std::string path, bool restart, const ShardIdentity& id, const game::Plan& plan)
      : path_(std::move(path)), id_(id.text()), counts_{0, {}, Tally(plan)} {
    if (path_.empty()) return;
    check_replaceable(path_);
    lock_ = open_locked(path_, 0, path_);
    if (!lock_.open() && errno != ENOENT) {
      throw UsageError(
          fmt::format("--out: {} cannot be opened ({}); choose another file", in_quotes(path_), std::strerror(errno)));
    }
    if (data::is_file(path_) && !restart) {
      resume(plan);
    } else {
      save();
    }
  }

  const Counts& counts() const { return counts_; }
  void add(const Counts& more) {
    jobs::add(counts_, more);
    if (std::chrono::steady_clock::now() - saved_ > kSaveInterval) save();
  }
  void save() {
    if (path_.empty()) return;
    if (data::is_file(path_) && !is_at(lock_, path_)) {
      throw UsageError(
          fmt::format("--out: {} was replaced while it was written; choose another file", in_quotes(path_)));
    }
    const std::string text = id_ + text_of(counts_);
    AtomicFile file("--out", path_, true);
    file.write(text + end_line(text));
    lock_ = file.finish();
    saved_ = std::chrono::steady_clock::now();
  }

 private:
  static constexpr std::chrono::seconds kSaveInterval{1};

  void resume(const game::Plan& plan) {
    const auto refuse = [&](const char* what) {
      throw UsageError(fmt::format("--out: {} {}; choose another file, or --restart", in_quotes(path_), what));
    };
    if (!is_counts_file(path_)) refuse("exists and holds no counts");
    const ShardIdentity lines = ShardIdentity::of_file(path_);
    if (!lines.text().starts_with(id_)) refuse("was begun with another question or other options");
    counts_ = counts_of(lines, plan, path_);
  }

  std::string path_, id_;
  Descriptor lock_;  ///< the locked file at path_; closed while there is none
  Counts counts_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

// ---------------------------------------------------------------- the job

/// The counts of a range of trials, and how long they took.
struct CountedRange {
  Counts counts;
  double seconds = 0;
};

std::string pack_counts(const CountedRange& range) {
  return fmt::format("seconds {}\n{}", range.seconds, text_of(range.counts));
}

CountedRange unpack_counts(std::string text, const game::Plan& plan) {
  const ShardIdentity lines = ShardIdentity::of_text(std::move(text));
  return {read_counts(lines, plan), std::stod(lines.value("seconds"))};
}

void count_trials(answers::Sampling& sampling, const ShardIdentity& id, const SamplingJob& job, std::uint64_t first,
                  std::uint64_t last, CountsFile* file) {
  sample::Parts& parts = sampling.parts();
  const std::uint64_t begin = file == nullptr ? first : first + file->counts().played;
  constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 24;
  BatchSizer sizer(begin, last, sample::Parts::kBlock, kMaxBlocks);
  if (job.monitor.started) job.monitor.started();
  process_ranges(
      id.text(), job.request.answer.threads, [&] { return sizer.next(); },
      [&](const WorkRange& range) {
        const auto start = std::chrono::steady_clock::now();
        Tally tally = parts.play(range.first, range.last);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        return CountedRange{{range.size(), parts.played_by(), std::move(tally)}, took.count()};
      },
      [&](const CountedRange& range) {
        sizer.record_duration(range.seconds);
        file->add(range.counts);
        if (job.monitor.progress) job.monitor.progress(first + file->counts().played - begin, last - begin);
      },
      pack_counts, [&](std::string text) { return unpack_counts(std::move(text), sampling.plan()); });
}

}  // namespace

std::optional<Report> run_sampling(SamplingJob job) {
  const ScenarioRequest asked = job.request;  // as typed: open_catalogue() replaces the name of a rules file
  InputFiles files;
  const Catalogue catalogue = open_catalogue(job.request, files);
  const Input input = read_input(catalogue, job.request, files);
  std::vector<std::string> inputs;
  for (const auto& [path, text] : files.texts()) inputs.push_back(path);
  if (!job.out.empty()) check_not_input("--out", job.out, inputs);
  answers::Sampling sampling(catalogue, input.scenario, input.options);
  const Shard shard = job.shard.value_or(Shard());
  const ShardIdentity id = identity_of_sampling(asked, files, sampling.trials(), shard);
  const auto [first, last] = shard.range(sampling.trials());
  std::optional<CountsFile> file;
  if (is_root()) {
    file.emplace(job.out, job.restart, id, sampling.plan());
    if (file->counts().played > 0 && job.monitor.note) {
      job.monitor.note(fmt::format("{} of {} trials are in {}", base::with_separators(file->counts().played),
                                   base::with_separators(last - first), job.out));
    }
  }
  count_trials(sampling, id, job, first, last, file ? &*file : nullptr);
  if (!file) return std::nullopt;
  file->save();
  if (job.shard) return std::nullopt;
  return sampling.report(file->counts().tally, file->counts().by);
}

Report report_of_shards(const std::vector<std::string>& paths, const std::vector<ShardIdentity>& shards) {
  auto [request, files] = question_of(shards.front(), paths.front());
  const Catalogue catalogue = open_catalogue(request, files);
  const Input input = read_input(catalogue, request, files);
  const answers::Sampling sampling(catalogue, input.scenario, input.options);
  Counts all{0, {}, Tally(sampling.plan())};
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Counts counts = counts_of(shards[i], sampling.plan(), paths[i]);
    const auto [first, last] = shards[i].shard().range(sampling.trials());
    if (counts.played != last - first) {
      throw UsageError(fmt::format("{} (shard {}/{}) has {} of {} trials; start it again to complete it",
                                   in_quotes(paths[i]), shards[i].shard().number, shards[i].shard().of,
                                   base::with_separators(counts.played), base::with_separators(last - first)));
    }
    add(all, counts);
  }
  return sampling.report(all.tally, all.by);
}

}  // namespace salvo::jobs
