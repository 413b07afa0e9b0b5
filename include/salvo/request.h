// Requests: a question as JSON in, its answer as JSON out, for programs in any language. In: a verb and a body
// (docs/format.md). Out: what the command of that name prints with --format json.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/gauntlet.h"

namespace salvo {

/// Limits and callbacks set by the program that passes a request on.
struct RequestOptions {
  /// Answers of `run` on one line, as `salvo batch` prints them; false: in lines of about 110 columns, as the commands
  /// do.
  bool line = false;
  int threads = 0;  ///< if the body does not say; 0: all cores
  /// Bodies that ask for more are refused as too large (PlanTooLarge); empty: only salvo's own limits.
  std::optional<double> max_budget = {};  ///< transitions of the exact engine, for each solution
  /// For the sampling engine. It also caps the default, except that of a precision if `max_work` is set.
  std::optional<std::uint64_t> max_trials = {};
  std::optional<int> max_threads = {};  ///< larger numbers are lowered to it
  /// Transitions of all solutions of a request together; a trial counts as half a transition. Only the calling thread's
  /// work is counted, so set max_threads = 1.
  std::optional<double> max_work = {};
  /// As AnswerOptions::progress; may be empty. Only `run` calls it.
  std::function<bool(std::uint64_t done, std::uint64_t planned)> progress = {};
  /// Once it is true, the next solution in the request's thread throws an Error, which current_failure() classifies as
  /// ErrorKind::TooLarge; sampling only obeys `progress`. Null: never. It must outlive the request.
  const std::atomic<bool>* cancel = nullptr;
  /// Solves for the equilibrium of `gauntlet` (salvo/gauntlet.h); empty: the answer leaves it out and says so.
  EquilibriumSolver equilibrium = {};
};

/// All verbs: "run", "advise", "worth", ...
const std::vector<std::string>& request_verbs();

/// Answers a request. The body is UTF-8 text of at most 8 MiB. Requests read and write no files, whatever the body
/// contains. The same catalogue, verb and body give the same bytes.
///
/// Thread-safe for one catalogue; custom cards in a body apply to that body only.
///
/// Throws LoadError and ScenarioError for an invalid verb or body (path: the key), and PlanTooLarge.
std::string answer_request(const Catalogue& catalogue, std::string_view verb, std::string_view body,
                           const RequestOptions& options = {});

/// The current exception as JSON: {"error": {"place", "message", "status"}}, formatted as `line` says. `status`: 2
/// invalid question, 3 too large, 4 internal error. Call it in a catch block only.
std::string request_error(bool line = false);

}  // namespace salvo
