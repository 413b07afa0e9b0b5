// `salvo request`: answers one question in JSON, for programs.
#include <memory>
#include <mutex>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/features.h"
#include "cli/interrupt.h"
#include "cli/question_command.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "data/file.h"
#include "load/catalogue.h"
#include "salvo/failure.h"
#include "salvo/request.h"

namespace salvo::cli {
namespace {

struct RequestArguments : TypedFields {
  std::string verb, file;
};

struct Request {
  CommandOptions run;
  std::string verb;
};

/// Errors are printed as JSON answers.
int request_command(const Request& request) {
  end_on_interrupt();
  const Catalogue catalogue;
  Progress progress;
  RequestOptions how{.threads = request.run.answer.threads, .equilibrium = equilibrium_solver()};
  std::once_flag begun;
  // Until there are trials to print, Ctrl-C ends the program.
  how.progress = [&, update = interruptible(progress)](std::uint64_t done, std::uint64_t planned) {
    std::call_once(begun, [&] { progress.start(); });
    return update(done, planned);
  };
  try {
    const std::string answer = answer_request(catalogue, request.verb, data::read_file(request.run.file), how);
    progress.erase();
    write_output(answer);
    return interrupted() ? kInterrupted : kSuccess;
  } catch (...) {
    progress.erase();
    write_output(request_error());
    return status_of(current_failure().kind);
  }
}

}  // namespace

DeclaredCommand add_request(CLI::App& top) {
  CLI::App& app = add_command(top, "request", "Answer one question in JSON, as programs ask it.",
                              "\nThe body is a JSON object with the keys of docs/format.md. The answer is that of\n"
                              "the command with --format json. Errors are JSON, too.\n\n"
                              "Examples:\n"
                              "  echo '{\"attack\": \"3 focus\", \"defend\": \"2 focus\"}' | salvo request run -\n"
                              "  salvo request squad body.json");
  const auto texts = std::make_shared<RequestArguments>();
  add_words(app, "VERB", texts->verb, "run, advise, worth, order, squad, compare, ...");
  add_words(app, "FILE", texts->file, "the body; - reads standard input");
  add_fields(app, *texts, [](questions::ScenarioQuestion& request, questions::FieldList& list) {
    list.group("Engines");
    describe_threads(request.answer, "threads, unless in the body (default 0: all cores)", list);
  });
  add_machine_options(app, *texts);
  add_progress_option(app, *texts);
  return {&app, [&app, texts] {
            parse_name("VERB", texts->verb, request_verbs());
            require_features_of(texts->verb);
            if (!given(app, "FILE")) throw UsageError("no body; name a file, or - for standard input");
            Request request{read_fields(*texts, app), texts->verb};
            request.run.file = texts->file;
            return Task{request.run, [request] { return request_command(request); }};
          }};
}

}  // namespace salvo::cli
