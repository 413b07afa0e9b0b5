// Replies that need no engine, and what all replies of a kind have in their heads.
// In: what is to be said. Out: replies.
#pragma once

#include <string>
#include <string_view>

#include "serve/problem.h"
#include "serve/reply.h"
#include "serve/routes.h"

namespace salvo::serve {

/// A problem with the question, or with the server.
Reply reply_of(const Problem& problem);
/// A problem with the request: says what the route would take, and ends the connection when it cannot be told where the
/// next request begins.
Reply refusal_of(const Problem& problem, const Route& route);
/// Too many questions wait, and a new one would wait for about so many seconds.
Reply busy_reply(double expected_wait);

/// To a client that is gone: for the log and the metrics.
Reply gone_reply();

/// To OPTIONS: what a web page may ask at this address.
Reply preflight_reply(const Route& route);
/// The file, or that the client's copy is still right. `if_none_match`: the header, empty: none.
Reply file_reply(const PageFile& file, std::string_view if_none_match);
Reply health_reply(bool leaving);

/// The answer to a question, with what belongs to it: a link to the page (empty: none); and for GET its tag, or that
/// the client's copy is still right.
Reply answer_reply(Reply answer, const std::string& link, bool post, std::string_view if_none_match);

}  // namespace salvo::serve
