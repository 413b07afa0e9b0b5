// The server: salvo over HTTP, until a signal ends it (docs/server.md).
#pragma once

#include "salvo/catalogue.h"
#include "serve/options.h"

namespace salvo::serve {

/// Listens, answers, and returns after SIGTERM or SIGINT when what ran is finished. Tells where it listens, and each
/// request, in lines of JSON on standard error. Throws LoadError when the page cannot be read, std::system_error when
/// it cannot listen.
void serve(const Catalogue& catalogue, const Options& options);

}  // namespace salvo::serve
