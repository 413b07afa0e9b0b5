// Builds replies: problems, files, and the headers of answers.
#pragma once

#include <string>
#include <string_view>

#include "serve/problem.h"
#include "serve/reply.h"
#include "serve/routes.h"

namespace salvo::serve {

/// A problem with the question, or with the server.
Reply reply_of(const Problem& problem);
/// A problem with the request. Names the allowed methods where these are wrong; closes the connection if the start of
/// the next request is unknown.
Reply refusal_of(const Problem& problem, const Route& route);
/// Too many questions wait. `expected_wait`: estimate for a new one, in seconds.
Reply busy_reply(double expected_wait);

/// For a client that has disconnected; only the log and the metrics see it.
Reply gone_reply();

/// The reply to OPTIONS.
Reply preflight_reply(const Route& route);
/// The file, or 304 if the client's copy is current. `if_none_match`: the header, or empty.
Reply file_reply(const PageFile& file, std::string_view if_none_match);
Reply health_reply(bool leaving);

/// Completes the answer to a question: adds a link to the page unless it is empty, and for GET the entity tag, or turns
/// it into 304 if the client's copy is current.
Reply answer_reply(Reply answer, const std::string& link, bool post, std::string_view if_none_match);

}  // namespace salvo::serve
