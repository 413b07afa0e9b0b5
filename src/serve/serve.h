// The server: answers requests over HTTP (docs/server.md).
#pragma once

#include "salvo/catalogue.h"
#include "serve/options.h"

namespace salvo::serve {

/// Listens and answers until SIGTERM or SIGINT, then finishes the running questions and returns. Logs its address and
/// each request as JSON lines on standard error. Throws LoadError if the page cannot be read, std::system_error if it
/// cannot listen.
void serve(const Catalogue& catalogue, const Options& options);

}  // namespace salvo::serve
