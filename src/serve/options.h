// The server, which answers requests over HTTP (docs/server.md), and its options: address, page and limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "salvo/catalogue.h"
#include "salvo/gauntlet.h"

namespace salvo::serve {

struct Options {
  std::string address = "127.0.0.1";  ///< on which to listen
  std::uint16_t port = 8017;          ///< 0: any free port
  std::string page;                   ///< folder with the files of the page; empty: no page
  std::string url;                    ///< of the page, for links; empty: the host that the client used
  std::string origin = "*";           ///< allowed web pages (CORS): "*" or one origin; empty: none
  std::string trusted_proxy;          ///< its address: its X-Forwarded-For names the client; empty: no proxy
  bool quiet = false;                 ///< do not log answered requests

  int workers = 0;                                  ///< questions answered at once, besides long ones; 0: one per core
  std::size_t most_connections = 1024;              ///< open at once
  std::size_t most_queued = 512;                    ///< questions that may wait
  std::size_t most_head = std::size_t{16} << 10;    ///< bytes of a request's first line and headers
  std::size_t most_body = std::size_t{64} << 10;    ///< bytes of a question
  std::size_t most_batch = std::size_t{16} << 20;   ///< bytes of a body of /v1/batch
  std::size_t cache_bytes = std::size_t{32} << 20;  ///< of cached answers; 0: no cache
  double patience = 10;      ///< seconds in which a client must send a request, or accept some of an answer
  double idle = 60;          ///< seconds that a connection may be idle
  double most_seconds = 10;  ///< a question may wait, and sampling may take
  double leave_seconds = 9;  ///< from the signal to end until running questions are abandoned
  double budget = 5e6;       ///< transitions of the exact engine for one solution
  double max_work = 2.5e7;   ///< transitions of a question in total; a trial counts as half a transition
  std::uint64_t max_trials = 20'000'000;  ///< of the sampling engine
  EquilibriumSolver equilibrium = {};     ///< as in RequestOptions
};

/// Listens and answers until SIGTERM or SIGINT, then finishes the running questions and returns. Logs its address and
/// each request as JSON lines on standard error. Throws LoadError if the page cannot be read, std::system_error if it
/// cannot listen.
void serve(const Catalogue& catalogue, const Options& options);

}  // namespace salvo::serve
