#include "jobs/atlas.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "data/file.h"
#include "jobs/atomic_file.h"
#include "jobs/ordered_pipeline.h"
#include "jobs/resumable_file.h"
#include "jobs/user_input.h"
#include "load/squads/squad_link.h"
#include "report/atlas.h"
#include "report/sqlite_atlas.h"
#include "salvo/failure.h"
#include "salvo/squad_report.h"
#include "salvo/version.h"
#include "study/atlas.h"

namespace salvo::jobs {
namespace {

namespace fs = std::filesystem;

// ---------------------------------------------------------------- output

/// Reports an error of the file system as a UsageError.
template <typename Work>
void with_folder_errors(const std::string& path, const Work& work) {
  try {
    work();
  } catch (const fs::filesystem_error& error) {
    throw UsageError(fmt::format("--out: {} cannot be used ({}); choose another folder", path, error.code().message()));
  }
}

/// A folder of files, each written atomically. `index.part` lists the complete ones; at the end it becomes
/// `index.json`.
class FolderSink : public report::AtlasSink {
 public:
  FolderSink(const std::string& path, const report::AtlasHead& head, bool restart) : path_(path), head_(head) {
    with_folder_errors(path, [&] {
      for (const char* kind : {"ships", "pilots", "squads"}) fs::create_directories(path_ / kind);
      if (restart) fs::remove(index());
      complete_ = fs::exists(index());
    });
    const std::string id = fmt::format("salvo atlas 1\nwork {}\n", head.work);
    if (complete_) {
      if (data::read_file(index()).find("\"work\": \"" + head.work + "\"") == std::string::npos) {
        throw UsageError(
            fmt::format("--out: {} holds an atlas of other data, options or another version; choose another folder, "
                        "or --restart",
                        path));
      }
      return;
    }
    entries_.emplace(part(), restart, id, "");
  }

  bool complete() const override { return complete_; }
  std::size_t done() const override { return static_cast<std::size_t>(entries_->done()); }

  void add(const report::AtlasAnswer& answer) override {
    if (!answer.error) write_file("--out", path_ / report::atlas_file(answer.page), report::atlas_page(head_, answer));
    entries_->write(fmt::format("{} {}\n", next_number(), report::atlas_entry(answer)));
  }

  void finish() override {
    std::vector<std::string> entries;
    const std::string text = data::read_file(part());
    for (const std::string_view line : base::split(text, '\n')) {
      if (!line.empty()) entries.emplace_back(base::cut(line, ' ').second);  // without its number
    }
    write_file("--out", index(), report::atlas_index(head_, entries));
    with_folder_errors(path_.string(), [&] {
      fs::remove(part());
      fs::remove(part() + ".grid");
    });
  }

 private:
  std::string index() const { return (path_ / "index.json").string(); }
  std::string part() const { return (path_ / "index.part").string(); }

  std::uint64_t next_number() {
    if (!next_) next_ = entries_->done();
    return (*next_)++;
  }

  const fs::path path_;
  const report::AtlasHead& head_;
  bool complete_ = false;
  std::optional<ResumableFile> entries_;
  std::optional<std::uint64_t> next_;
};

// ---------------------------------------------------------------- the job

/// The name of a squad's page: its file without folder and extension.
std::string squad_name(const std::string& file, std::size_t number) {
  if (load::is_link(file)) return fmt::format("squad-{}", number);
  return fs::path(file).stem().string();
}

struct Atlas {
  std::vector<study::AtlasPage> pages;
  report::AtlasHead head;
};

Atlas open_atlas(const Catalogue& catalogue, const AtlasJob& job) {
  Atlas out;
  const Overrides& overrides = job.request.answer.overrides;
  std::vector<study::AtlasSquad> squads;
  std::string depends;  // everything that the figures depend on, apart from the program and its profiles
  const std::string cards =
      overrides.cards ? *overrides.cards : catalogue.card_set("", overrides.rules.value_or(Scenario().rules));
  for (const std::string& file : job.squads) {
    depends += (load::is_link(file) ? file : data::read_file(file)) + "\n";
    squads.push_back({squad_name(file, squads.size() + 1), load_squad(catalogue, file, cards, overrides.rules)});
    if (job.squad_read) job.squad_read(squads.back().squad);
  }
  out.pages = study::atlas_pages(catalogue, cards, overrides.rules, squads);
  if (out.pages.empty()) throw UsageError(fmt::format("--cards: {} has no ships", cards));
  const Squad& first = out.pages.front().squad;
  const BuildInfo build = build_info();
  report::AtlasHead& head = out.head;
  head.version = build.version;
  head.commit = build.commit;
  head.rules = first.rules;
  head.cards = first.cards;
  head.cards_from = first.cards_from;
  head.cards_date = first.cards_date;
  head.references = load_references(catalogue, job.reference, head.rules);
  for (const std::string& file : job.request.card_files) depends += data::read_file(file) + "\n";
  if (!job.reference.empty()) depends += data::read_file(job.reference);
  const AnswerOptions& how = job.request.answer;
  head.work = fmt::format(
      "{:016x}", base::fingerprint(fmt::format("{}\n{} {} {} {} {} {} {} {} {}", depends, head.version, head.commit,
                                               head.rules, head.cards, head.cards_date, out.pages.size(),
                                               how.trials.value_or(0), how.budget.value_or(0), how.seed)));
  return out;
}

report::AtlasAnswer answer_page(const Catalogue& catalogue, study::AtlasPage page, const SquadOptions& how) {
  report::AtlasAnswer out{std::move(page), {}, {}};
  try {
    out.report = squad_report(catalogue, out.page.squad, how);
  } catch (...) {
    out.error = current_failure();
  }
  return out;
}

}  // namespace

AtlasTotals run_atlas(AtlasJob job) {
  const Catalogue catalogue = open_catalogue(job.request);
  const Atlas atlas = open_atlas(catalogue, job);
  std::unique_ptr<report::AtlasSink> sink;
  if (job.out.ends_with(".sqlite")) {
    if (job.restart) remove_database(job.out);
    sink = std::make_unique<report::AtlasDatabase>(job.out, catalogue, atlas.head);
  } else {
    for (const study::AtlasPage& page : atlas.pages)
      check_not_input("--out", fs::path(job.out) / report::atlas_file(page), job.squads);
    sink = std::make_unique<FolderSink>(job.out, atlas.head, job.restart);
  }
  const std::size_t all = atlas.pages.size();
  AtlasTotals out{all, 0, sink->complete()};
  if (out.was_complete) return out;
  const std::size_t begin = sink->done();
  if (begin > 0 && job.monitor.note) job.monitor.note(fmt::format("{} of {} pages are in {}", begin, all, job.out));
  SquadOptions how{.answer = job.request.answer, .references = atlas.head.references};
  how.answer.overrides = {};  // the pages have their cards and rules already
  how.answer.threads = 1;     // the pages share the cores
  if (job.monitor.started) job.monitor.started();
  std::size_t next = begin, done = begin;
  process_in_order(
      job.request.answer.threads,
      [&]() -> std::optional<study::AtlasPage> {
        if (next >= all) return std::nullopt;
        return atlas.pages[next++];
      },
      [&](const study::AtlasPage& page) { return answer_page(catalogue, page, how); },
      [&](const report::AtlasAnswer& answer) {
        sink->add(answer);
        if (answer.error) ++out.failures;
        ++done;
        if (job.monitor.progress) job.monitor.progress(done - begin, all - begin);
      });
  sink->finish();
  return out;
}

}  // namespace salvo::jobs
