// Builds the messages of LoadErrors: one sentence that names the place, the value and the remedy. Text from the user
// may be hostile, so it is escaped and shortened for a terminal (base/text.h).
#pragma once

#include <string>
#include <vector>

#include "base/text.h"
#include "salvo/errors.h"

namespace salvo::data {

using base::did_you_mean;
using base::in_quotes;
using base::listed;
using base::printable;

/// The source of values from the command line, where an option is the place.
inline constexpr const char* kOptions = "flags";

/// `file:line: path: ` without the parts that are unknown (line 0, empty path). For kOptions the path is written as a
/// command-line option: `--damage-deck`.
std::string place(const std::string& source, const std::string& path, int line);

/// An error whose place is quoted verbatim: "--attack 2", "attack[1]".
LoadError error_at(const std::string& place, const std::string& why);

/// Why a text that is not in `allowed` is refused, with the nearest. `what` completes "... is not".
std::string not_among(const std::string& text, const std::vector<std::string>& allowed,
                      const std::string& what = "known here");

/// Calls `read` for a document embedded in a larger one, at `place`. Prefixes the path of its errors with that place:
/// "mine" and "pilots[0].id" give "mine.pilots[0].id".
template <typename Read>
auto within(const std::string& place, const Read& read) {
  try {
    return read();
  } catch (const LoadError& error) {
    const std::string why = error.why.empty() ? error.what() : error.why;
    throw error_at(error.path.empty() ? place : place + "." + error.path, why);
  }
}

/// Throws LoadError: the place, then `why`.
[[noreturn]] void fail(const std::string& source, const std::string& path, int line, const std::string& why);

}  // namespace salvo::data
