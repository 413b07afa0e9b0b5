// `salvo batch`: scenarios as lines of JSON on standard input, results as lines of JSON on standard output, in order.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "api/batch_line.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/question_command.h"
#include "cli/terminal.h"
#include "jobs/ordered_pipeline.h"
#include "jobs/scenario_input.h"
#include "report/json_writer.h"

namespace salvo::cli {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxLines = 64;  ///< that a thread takes at once

struct InputLine {
  std::uint64_t number = 0;
  std::string text;
  bool too_long = false;  ///< then text is empty
};

struct Answers {
  std::string text;  ///< a line each
  std::uint64_t lines = 0, failures = 0;
};

/// Reads lines of standard input. Returns complete lines immediately, so that a program can wait for an answer before
/// it sends the next question.
class Lines {
 public:
  /// At least one line; empty at the end of the input.
  std::optional<std::vector<InputLine>> next() {
    std::vector<InputLine> out;
    while (out.empty()) {
      take_lines(out);
      if (out.empty() && !read_more()) {
        if (ended_ && (begin_ < buffer_.size() || too_long_)) finish_line(buffer_.size(), out);
        if (out.empty()) return std::nullopt;
      }
    }
    return out;
  }

 private:
  void take_lines(std::vector<InputLine>& out) {
    while (out.size() < kMaxLines) {
      const std::size_t end = buffer_.find('\n', searched_);
      if (end == std::string::npos) {
        searched_ = buffer_.size();
        break;
      }
      finish_line(end, out);
    }
    if (buffer_.size() - begin_ > kMaxLineBytes && searched_ == buffer_.size()) {
      too_long_ = true;
      buffer_.clear();
      begin_ = searched_ = 0;
    }
  }

  void finish_line(std::size_t end, std::vector<InputLine>& out) {
    ++number_;
    const std::string_view text = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = searched_ = std::min(end + 1, buffer_.size());
    if (too_long_) {
      out.push_back({number_, "", true});
    } else if (text.find_first_not_of(" \t\r") != std::string_view::npos) {
      out.push_back({number_, std::string(text), false});
    }
    too_long_ = false;
  }

  bool read_more() {
    if (ended_) return false;
    std::array<char, 1 << 16> bytes;
    ssize_t n = 0;
    do n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    while (n < 0 && errno == EINTR);
    if (n < 0) throw std::system_error(errno, std::generic_category(), "standard input cannot be read");
    ended_ = n == 0;
    buffer_.erase(0, begin_);
    searched_ -= begin_;
    begin_ = 0;
    buffer_.append(bytes.data(), static_cast<std::size_t>(n));
    return !ended_;
  }

  std::string buffer_;
  std::size_t begin_ = 0;     ///< of the next line
  std::size_t searched_ = 0;  ///< that line has no newline before this position
  std::uint64_t number_ = 0;
  bool too_long_ = false, ended_ = false;
};

Answers answer_all(const Catalogue& catalogue, const std::vector<InputLine>& lines, const AnswerOptions& common) {
  Answers out;
  report::JsonWriter json;
  for (const InputLine& line : lines) {
    const api::BatchInput input{line.number, line.text, line.too_long};
    if (!api::write_batch_line(json, catalogue, input, common)) ++out.failures;
    ++out.lines;
  }
  out.text = json.take();
  return out;
}

int batch_command(CommandOptions options) {
  end_on_interrupt();
  const Catalogue catalogue = open_catalogue(options);
  Lines lines;
  std::uint64_t answered = 0, failures = 0;
  jobs::process_in_order(
      options.answer.threads, [&] { return lines.next(); },
      [&](const std::vector<InputLine>& item) { return answer_all(catalogue, item, options.answer); },
      [&](const Answers& answers) {
        write_output(answers.text);
        answered += answers.lines;
        failures += answers.failures;
      });
  if (failures > 0) write_note(fmt::format("{} of {} lines could not be answered", failures, answered));
  return kSuccess;
}

// ---------------------------------------------------------------- command line

}  // namespace

DeclaredCommand add_batch(CLI::App& top) {
  CLI::App& app =
      add_command(top, "batch", "Answer scenarios from standard input, one a line.",
                  "\nEach line is a scenario as JSON, optionally with the keys \"engine\", \"trials\",\n"
                  "\"seed\", \"precision\", \"budget\" and \"id\". The answers are lines in the same order;\n"
                  "a wrong line is answered by {\"error\": {...}}, and the batch continues.\n\n"
                  "Examples:\n"
                  "  salvo batch < questions.ndjson > answers.ndjson\n"
                  "  salvo batch --damage-deck core --threads 4 < questions.ndjson");
  const auto texts = std::make_shared<TypedFields>();
  add_fields(app, *texts, [](questions::ScenarioQuestion& line, questions::FieldList& list) {
    describe_play(line, list, true, false);
    describe_engines(line, {"engine", "budget", "trials", "precision", "seed"}, list);
    describe_threads(line.answer, "threads (default 0: all cores)", list);
  });
  add_machine_options(app, *texts);
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            const CommandOptions options = read_fields(*texts, app);
            return Task{options, [options] { return batch_command(options); }};
          }};
}

}  // namespace salvo::cli
