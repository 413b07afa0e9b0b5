// `salvo request`: one question as JSON on standard input, answered as programs are answered.
#include <memory>

#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/doors.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "load/catalogue.h"
#include "load/file.h"
#include "mix/mix.h"
#include "salvo/failure.h"
#include "salvo/request.h"

namespace salvo::cli {
namespace {

struct RequestTexts {
  std::string verb, file;
};

/// What is wrong is an answer, too.
int request_command(const RequestTexts& request) {
  end_on_interrupt();
  const Catalogue catalogue;
  try {
    write_output(
        answer_request(catalogue, request.verb, load::read_file(request.file), {.equilibrium = mix::equilibrium}));
    return kAnswered;
  } catch (...) {
    write_output(request_error());
    return status_of(current_failure().kind);
  }
}

}  // namespace

DeclaredCommand add_request(CLI::App& top) {
  CLI::App& app = add_command(top, "request", "Answer one question in JSON, as programs ask it.",
                              "\nThe body is a JSON object with the keys of docs/requests.md, the answer that of\n"
                              "the command of this name with --format json. Errors are JSON, too.\n\n"
                              "Examples:\n"
                              "  echo '{\"attack\": \"3 focus\", \"defend\": \"2 focus\"}' | salvo request run -\n"
                              "  salvo request squad body.json");
  const auto texts = std::make_shared<RequestTexts>();
  add_words(app, "VERB", texts->verb, "run, advise, worth, order, squad, compare, ...");
  add_words(app, "FILE", texts->file, "the body; - reads standard input");
  return {&app, [&app, texts] {
            parse_name("VERB", texts->verb, request_verbs());
            open_door_of(texts->verb);
            if (!given(app, "FILE")) throw UsageError("no body; name a file, or - for standard input");
            return Task{{}, [request = *texts] { return request_command(request); }};
          }};
}

}  // namespace salvo::cli
