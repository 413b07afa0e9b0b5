// `salvo atlas`: the squad reports of a whole card set, as static JSON or as a database; what was stopped goes on.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/resumed_file.h"
#include "cli/terminal.h"
#include "data/file.h"
#include "jobs/fingerprint.h"
#include "jobs/ordered_pipeline.h"
#include "load/squads/squad_link.h"
#include "report/atlas.h"
#include "report/sqlite_atlas.h"
#include "salvo/version.h"
#include "study/atlas.h"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

struct AtlasRequest {
  RunOptions run;
  std::vector<std::string> squads;  ///< XWS files and links
  std::string reference;            ///< file of reference ships; empty: the typical ones of the rules
  std::string out;                  ///< a folder, or a file that ends in .sqlite
  bool restart = false;
};

// ---------------------------------------------------------------- where pages go

/// Takes the pages in order.
class Sink {
 public:
  Sink() = default;
  virtual ~Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  virtual bool complete() const = 0;
  virtual std::size_t done() const = 0;  ///< pages that are there
  virtual void add(const report::AtlasAnswer& answer) = 0;
  virtual void finish() = 0;
};

/// Runs what may fail for reasons of the file system, as one sentence.
template <typename Work>
void on_files(const std::string& path, const Work& work) {
  try {
    work();
  } catch (const fs::filesystem_error& error) {
    throw UsageError(fmt::format("--out: {} cannot be used ({}); choose another folder", path, error.code().message()));
  }
}

/// A folder of files. A file is there as a whole or not at all; `index.part` lists those that are there, and
/// `index.json` is made of it in the end.
class Folder : public Sink {
 public:
  Folder(const std::string& path, const report::AtlasHead& head, bool restart) : path_(path), head_(head) {
    on_files(path, [&] {
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
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at), blank = text.find(' ', at);
      entries.push_back(text.substr(blank + 1, end - blank - 1));
      at = end + 1;
    }
    write_file("--out", index(), report::atlas_index(head_, entries));
    on_files(path_.string(), [&] {
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
  std::optional<ResumedFile> entries_;
  std::optional<std::uint64_t> next_;
};

class File : public Sink {
 public:
  File(const std::string& path, const Catalogue& catalogue, const report::AtlasHead& head, bool restart) {
    if (restart) remove_database(path);
    database_.emplace(path, catalogue, head);
  }

  bool complete() const override { return database_->complete(); }
  std::size_t done() const override { return database_->done(); }
  void add(const report::AtlasAnswer& answer) override { database_->add(answer); }
  void finish() override { database_->finish(); }

 private:
  std::optional<report::AtlasDatabase> database_;
};

// ---------------------------------------------------------------- the work

/// What a squad's page is called: its file, without folder and extension.
std::string name_of_squad(const std::string& file, std::size_t number) {
  if (load::is_link(file)) return fmt::format("squad-{}", number);
  return fs::path(file).stem().string();
}

struct Atlas {
  std::vector<study::AtlasPage> pages;
  report::AtlasHead head;
};

/// `depends` gets the texts of all files that the figures depend on, apart from the program and its profiles.
Atlas open_atlas(const Catalogue& catalogue, const AtlasRequest& request) {
  Atlas out;
  const Overrides& overrides = request.run.answer.overrides;
  std::vector<study::AtlasSquad> squads;
  std::string depends;
  const std::string cards =
      overrides.cards ? *overrides.cards : catalogue.card_set("", overrides.rules.value_or(Scenario().rules));
  for (const std::string& file : request.squads) {
    depends += (load::is_link(file) ? file : data::read_file(file)) + "\n";
    squads.push_back({name_of_squad(file, squads.size() + 1), load_squad(catalogue, file, cards, overrides.rules)});
    warn_of_unknown(squads.back().squad);
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
  head.references = load_references(catalogue, request.reference, head.rules);
  for (const std::string& file : request.run.card_files) depends += data::read_file(file) + "\n";
  if (!request.reference.empty()) depends += data::read_file(request.reference);
  const AnswerOptions& how = request.run.answer;
  head.work = fmt::format(
      "{:016x}", jobs::fingerprint(fmt::format("{}\n{} {} {} {} {} {} {} {} {}", depends, head.version, head.commit,
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

int atlas_command(AtlasRequest request) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(request.run);
  const Atlas atlas = open_atlas(catalogue, request);
  const bool in_file = request.out.ends_with(".sqlite");
  std::unique_ptr<Sink> sink;
  if (in_file) {
    sink = std::make_unique<File>(request.out, catalogue, atlas.head, request.restart);
  } else {
    for (const study::AtlasPage& page : atlas.pages)
      need_no_input("--out", fs::path(request.out) / report::atlas_file(page), request.squads);
    sink = std::make_unique<Folder>(request.out, atlas.head, request.restart);
  }
  const std::size_t all = atlas.pages.size();
  if (sink->complete()) {
    write_note(fmt::format("{} is complete: {} pages", request.out, all));
    return kAnswered;
  }
  const std::size_t begin = sink->done();
  if (begin > 0) write_note(fmt::format("{} of {} pages are in {}", begin, all, request.out));
  SquadOptions how{.answer = request.run.answer, .references = atlas.head.references};
  how.answer.overrides = {};  // the pages are of these cards and rules
  how.answer.threads = 1;     // the pages share the cores
  Progress progress(request.run.progress && is_terminal(Stream::Error), {"answering", "pages"});
  progress.start();
  std::size_t next = begin, done = begin, failures = 0;
  jobs::in_order(
      request.run.answer.threads,
      [&]() -> std::optional<study::AtlasPage> {
        if (next >= all) return std::nullopt;
        return atlas.pages[next++];
      },
      [&](const study::AtlasPage& page) { return answer_page(catalogue, page, how); },
      [&](const report::AtlasAnswer& answer) {
        sink->add(answer);
        if (answer.error) ++failures;
        progress.tell(++done - begin, all - begin);
      });
  sink->finish();
  progress.erase();
  if (failures > 0)
    write_note(fmt::format("{} pages could not be answered; {} says why", failures,
                           in_file ? "the table pages" : "index.json"));
  return kAnswered;
}

// ---------------------------------------------------------------- the command line

struct AtlasTexts : RunTexts {
  std::vector<std::string> squads;
  std::string reference, out;
  bool restart = false;
};

}  // namespace

DeclaredCommand add_atlas(CLI::App& top) {
  CLI::App& app = add_command(top, "atlas", "All ships and pilots of a card set, as files.",
                              "\nWhat salvo squad tells of each ship and pilot, and of the squads given, against\n"
                              "the reference ships. --out FILE.sqlite is one database, any other a folder of\n"
                              "JSON files with an index.json. A stopped one resumes (docs/atlas.md).\n\n"
                              "Examples:\n"
                              "  salvo atlas --cards 2025 --out atlas\n"
                              "  salvo atlas mine.json --out atlas.sqlite");
  const auto texts = std::make_shared<AtlasTexts>();
  add_words(app, "FILE", texts->squads, "squads besides: XWS files or links of yasb.app");
  add_value(app, "Scenario", "--reference", "FILE", texts->reference, "reference defenders and attackers");
  add_value(app, "Scenario", "--rules", "ID", texts->rules, "edition (default: that of the card set)");
  add_value(app, "Scenario", "--cards", "SET", texts->cards, "card set (default: the usual one of the rules)");
  add_card_option(app, *texts);
  add_value(app, "Engines", "--budget", "N", texts->budget, "transitions the exact engine may use (default 5e6)");
  add_value(app, "Engines", "--trials", "N", texts->trials, "trials where an attack does not fit (default 1e6)");
  add_value(app, "Engines", "--seed", "N", texts->seed, "seed of those (default 1)");
  add_machine_options(app, *texts, "threads (default 0: all cores)");
  add_value(app, "Output", "--out", "PATH", texts->out, "folder, or file that ends in .sqlite");
  add_flag(app, "Output", "--restart", texts->restart, "begin anew what is there");
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            AtlasRequest request;
            request.run = common_options(*texts, app);
            request.squads = texts->squads;
            request.reference = texts->reference;
            request.out = texts->out;
            request.restart = texts->restart;
            if (request.out.empty()) throw UsageError("--out: name a folder, or a file that ends in .sqlite");
            return Task{request.run, [request] { return atlas_command(request); }};
          }};
}

}  // namespace salvo::cli
