// Answers requests from the network: from the cache, or by the library. Errors become problems (RFC 9457).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "salvo/catalogue.h"
#include "salvo/request.h"
#include "serve/options.h"
#include "serve/problem.h"
#include "serve/reply.h"
#include "serve/response_cache.h"

namespace salvo::serve {

/// Set when the client has disconnected and the answer is no longer needed.
using Unwanted = std::atomic<bool>;

/// Safe from several threads at once.
class RequestHandler {
 public:
  RequestHandler(const Catalogue& catalogue, const Options& options);

  /// The cached answer to a question with exactly this text; null if there is none.
  std::shared_ptr<const std::string> find_cached(std::string_view verb, std::string_view body);
  /// Answers a question. If `unwanted` is set meanwhile, the reply is arbitrary.
  Reply answer(std::string_view verb, std::string_view body, const Unwanted& unwanted);
  /// Answers lines of /v1/batch with one line for each that is not empty. `number`: the number of the first line.
  std::string answer_lines(std::uint64_t number, std::string_view text, const Unwanted& unwanted) const;
  /// Stops all sampling; its questions get a problem as answer.
  void give_up() { give_up_ = true; }
  CacheState cache() const { return cache_.state(); }

 private:
  /// The limits of a question. `stopped` is set if sampling was stopped early.
  RequestOptions limits(const Unwanted& unwanted, std::atomic<bool>& stopped) const;

  Problem took_too_long(std::string_view verb, std::string_view body) const;

  const Catalogue& catalogue_;
  const Options& options_;
  ResponseCache cache_;
  std::atomic<bool> give_up_ = false;
};

}  // namespace salvo::serve
