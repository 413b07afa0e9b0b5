// Requests: one question as JSON in, its answer as JSON out, for programs in any language.
// In: a verb and a body (docs/format.md). Out: what the command of that name prints with --format json.
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

/// What whoever passes requests on allows, and wants to hear.
struct RequestOptions {
  /// Answers of `run` on one line, as `salvo batch` has them; else in lines of about 110 columns, as the commands do.
  bool line = false;
  int threads = 0;  ///< where the body does not say; 0: all cores
  /// Bodies that ask for more are refused as too large (PlanTooLarge); empty: no limit but salvo's own.
  std::optional<double> most_budget = {};  ///< transitions of the exact engine, for each of its solutions
  /// Of the sampling engine; what is not given is at most that, too, but for a precision where `most_work` is given.
  std::optional<std::uint64_t> most_trials = {};
  std::optional<int> most_threads = {};  ///< a larger number counts as this one
  /// Transitions in all solutions of a request together, a trial counting as half of one. Counted in the thread that
  /// asks: give most_threads = 1.
  std::optional<double> most_work = {};
  /// As AnswerOptions::progress; may be empty. Only `run` tells it.
  std::function<bool(std::uint64_t done, std::uint64_t planned)> progress = {};
  /// Once it is set, the answer ends as one that costs too much, at the next solution of its own thread; sampling
  /// listens to `progress` alone. Null: never. It has to outlive the request.
  const std::atomic<bool>* unwanted = nullptr;
  /// Solves the mix of `gauntlet` (salvo/gauntlet.h); empty: the answer leaves it out, and says so.
  Equilibrium equilibrium = {};
};

/// All verbs: "run", "advise", "worth", ...
const std::vector<std::string>& request_verbs();

/// Answers a request. The body is UTF-8 text of at most 8 MiB. Nothing in it is the name of a file: no request reads or
/// writes one. The same catalogue, verb and body give the same bytes.
///
/// Safe to call from several threads at once with one catalogue; cards of one's own in a body are for that body only.
///
/// Throws LoadError and ScenarioError for a verb or a body that cannot be (path: the key), PlanTooLarge.
std::string answer_request(const Catalogue& catalogue, std::string_view verb, std::string_view body,
                           const RequestOptions& options = {});

/// The exception that is being handled, as JSON: {"error": {"place", "message", "status"}}, in lines as `line` says.
/// `status`: 2 the question, 3 too large, 4 ours. Call it in a catch block only.
std::string request_error(bool line = false);

}  // namespace salvo
