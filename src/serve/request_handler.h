// The desk: questions that came over the network, answered by the front door or from what is kept.
// In: a verb and a body. Out: a reply; errors are problems (RFC 9457).
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

using Unwanted = std::atomic<bool>;

/// Its members may be called from any number of threads at once.
class Desk {
 public:
  Desk(const Catalogue& catalogue, const Options& options);

  /// The answer to a question that was asked in these very words before; null: it is not kept.
  std::shared_ptr<const std::string> kept(std::string_view verb, std::string_view body);
  /// `unwanted` is set when nobody waits for the answer any more; what comes then is for nobody.
  Reply answer(std::string_view verb, std::string_view body, const Unwanted& unwanted);
  /// Lines of /v1/batch, the first of which has this number: a line for each that is not empty.
  std::string lines(std::uint64_t number, std::string_view text, const Unwanted& unwanted) const;
  /// Sampling ends, with a problem.
  void give_up() { give_up_ = true; }
  CacheState cache() const { return cache_.state(); }

 private:
  /// What a question may cost. Sets `stopped` when sampling was ended.
  RequestOptions limits(const Unwanted& unwanted, std::atomic<bool>& stopped) const;

  Problem took_too_long(std::string_view verb, std::string_view body) const;

  const Catalogue& catalogue_;
  const Options& options_;
  ResponseCache cache_;
  std::atomic<bool> give_up_ = false;
};

}  // namespace salvo::serve
