// Options of the server: what it listens on, and what one request, one client and all of them may cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "salvo/gauntlet.h"

namespace salvo::serve {

struct Options {
  std::string address = "127.0.0.1";  ///< of this machine, on which it listens
  std::uint16_t port = 8017;          ///< 0: one that is free
  std::string page;                   ///< folder with the files of the page; empty: none
  std::string url;                    ///< where the page is, for links; empty: where the client asked
  std::string origin = "*";           ///< the web pages that may ask (CORS): "*" or one origin
  bool quiet = false;                 ///< log no requests that were answered

  int workers = 0;                      ///< questions worked on at once, besides long ones; 0: as many as cores
  std::size_t most_connections = 1024;  ///< open at once
  std::size_t most_queued = 512;        ///< questions that wait
  std::size_t most_head = std::size_t{16} << 10;    ///< bytes of a request's first line and headers
  std::size_t most_body = std::size_t{64} << 10;    ///< bytes of a question
  std::size_t most_batch = std::size_t{16} << 20;   ///< bytes of a body of /v1/batch
  std::size_t cache_bytes = std::size_t{32} << 20;  ///< of answers that are kept; 0: none
  double patience = 10;      ///< seconds that a client may take to send a request, or to take some of an answer
  double idle = 60;          ///< seconds that a connection may be open without a request
  double most_seconds = 10;  ///< that a question may wait, and that sampling may take
  double leave_seconds = 9;  ///< after the signal to end, until what still runs is given up
  double budget = 5e6;       ///< transitions of the exact engine for one solution
  double most_work = 2.5e7;  ///< transitions of a question in all, a trial counting as half of one
  std::uint64_t most_trials = 20'000'000;  ///< of the sampling engine
  Equilibrium equilibrium = {};            ///< as in RequestOptions
};

}  // namespace salvo::serve
