// `salvo serve`: answers over HTTP (docs/server.md).

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/features.h"
#include "cli/question_command.h"
#include "generated/features.h"
#include "jobs/scenario_input.h"
#if SALVO_HAS_SERVER
#include "serve/options.h"
#include "serve/page_files.h"
#endif

namespace salvo::cli {
namespace {

struct ServeArguments : TypedFields {
  std::string address, port, page, url, origin, proxy;
  std::string work, connections, queue, body, cache, patience, seconds;
  bool quiet = false;
};

#if SALVO_HAS_SERVER

/// Sets `target` to a whole number of units, if the option was given.
template <typename Number>
void read_number(const CLI::App& app, const char* option, const std::string& text, std::uint64_t least,
                 std::uint64_t most, std::uint64_t unit, Number& target) {
  if (given(app, option)) target = static_cast<Number>(parse_count(option, text, least, most) * unit);
}

serve::Options options_of(const ServeArguments& texts, const CLI::App& app, const CommandOptions& run) {
  constexpr std::uint64_t kKilobyte = 1024, kMegabyte = kKilobyte * kKilobyte;
  serve::Options out;
  if (given(app, "--address")) out.address = texts.address;
  read_number(app, "--port", texts.port, 0, 65535, 1, out.port);
  if (given(app, "--page")) {
    if (texts.page.empty()) throw UsageError("--page: the name of the folder is empty");
    out.page = texts.page == "none" ? "" : texts.page;
  } else {
    out.page = serve::find_page();
  }
  if (given(app, "--url")) {
    const bool web = texts.url.starts_with("http://") || texts.url.starts_with("https://");
    if (!web || texts.url.find_first_of(" <>\"\r\n\t#") != std::string::npos)
      throw UsageError("--url: write the address of the page, for example https://example.org/salvo/");
    out.url = texts.url;
  }
  if (given(app, "--origin")) {
    if (texts.origin.find_first_of(" ,\r\n\t") != std::string::npos)
      throw UsageError("--origin: write *, none or one origin, such as https://example.org");
    out.origin = texts.origin == "none" ? "" : texts.origin;
  }
  out.trusted_proxy = texts.proxy;
  out.quiet = texts.quiet;
  out.equilibrium = equilibrium_solver();
  out.workers = run.answer.threads;
  if (run.answer.budget) out.budget = *run.answer.budget;
  if (given(app, "--work")) out.max_work = static_cast<double>(parse_count("--work", texts.work, 1, kMaxTrials));
  if (run.answer.trials) out.max_trials = *run.answer.trials;
  read_number(app, "--connections", texts.connections, 1, 100'000, 1, out.most_connections);
  read_number(app, "--queue", texts.queue, 1, 100'000, 1, out.most_queued);
  read_number(app, "--body", texts.body, 1, 8192, kKilobyte, out.most_body);
  read_number(app, "--cache", texts.cache, 0, 65'536, kMegabyte, out.cache_bytes);
  read_number(app, "--patience", texts.patience, 1, 3600, 1, out.patience);
  read_number(app, "--seconds", texts.seconds, 1, 3600, 1, out.most_seconds);
  return out;
}

Task serve_task(ServeArguments& texts, const CLI::App& app) {
  const CommandOptions run = read_fields(texts, app);
  const serve::Options options = options_of(texts, app, run);
  return {run, [run, options] {
            CommandOptions with_cards = run;
            const Catalogue catalogue = open_catalogue(with_cards);
            serve::serve(catalogue, options);
            return kSuccess;
          }};
}

#else

Task serve_task(ServeArguments&, const CLI::App&) { fail_missing_feature("the server", "serve", "SALVO_SERVE"); }

#endif

}  // namespace

DeclaredCommand add_serve(CLI::App& top) {
  CLI::App& app =
      add_command(top, "serve", "Answer over HTTP, for other programs and the page.",
                  "\nPOST /v1/run takes a JSON body, and likewise for the other commands; see\n"
                  "docs/server.md. SIGTERM or Ctrl-C ends it after the running questions.\n\n"
                  "Examples:\n"
                  "  salvo serve\n"
                  "  salvo serve --port 8080 --page web/page/dist\n"
                  "  curl -H 'Content-Type: application/json' \\\n"
                  "    -d '{\"attack\": \"3 focus\", \"defend\": \"2 focus\"}' http://localhost:8017/v1/run");
  const auto texts = std::make_shared<ServeArguments>();
  add_value(app, "Network", "--address", "IP", texts->address, "address to listen on (default 127.0.0.1)");
  add_value(app, "Network", "--port", "N", texts->port, "port to listen on (default 8017); 0: any free port");
  add_value(app, "Network", "--page", "DIR", texts->page, "folder of the page (default: usual places), or none");
  add_value(app, "Network", "--url", "URL", texts->url, "the page's address in links (default: the host used)");
  add_value(app, "Network", "--origin", "ORIGIN", texts->origin, "allowed web pages: * (default), one origin, none");
  add_value(app, "Network", "--trust-proxy", "IP", texts->proxy, "proxy whose X-Forwarded-For names the client");
  add_fields(app, *texts, [](questions::ScenarioQuestion& limits, questions::FieldList& list) {
    describe_cards(limits, list);
    describe_engines(limits, {"budget", "trials"}, list);
    for (const char* limit : {"budget", "trials"}) list.at(limit).group = "Limits";
    list.at("budget").name.help = "transitions per solution (default 5e6)";
    list.at("trials").name.help = "trials per question (default 2e7)";
    describe_threads(limits.answer, "questions at once (default 0: one per core)", list);
  });
  add_machine_options(app, *texts);
  add_value(app, "Limits", "--work", "N", texts->work, "transitions per question in total (default 2.5e7)");
  add_value(app, "Limits", "--seconds", "N", texts->seconds, "seconds for waiting and for sampling (default 10)");
  add_value(app, "Limits", "--body", "KB", texts->body, "size of a question (default 64)");
  add_value(app, "Limits", "--connections", "N", texts->connections, "open connections (default 1024)");
  add_value(app, "Limits", "--queue", "N", texts->queue, "waiting questions (default 512)");
  add_value(app, "Limits", "--patience", "N", texts->patience, "seconds to wait for a client (default 10)");
  add_value(app, "Limits", "--cache", "MB", texts->cache, "size of the response cache (default 32; 0: none)");
  add_flag(app, "Output", "--quiet", texts->quiet, "log only requests that failed in the server");
  return {&app, [&app, texts] { return serve_task(*texts, app); }};
}

}  // namespace salvo::cli
