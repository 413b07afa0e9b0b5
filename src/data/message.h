// Messages of the loading room: one complete sentence that names the place, the value and what would be right.
// In: raw text of the user's, possibly hostile. Out: text that is safe and short enough for a terminal (base/text.h).
#pragma once

#include <string>

#include "base/text.h"
#include "salvo/errors.h"

namespace salvo::data {

using base::did_you_mean;
using base::in_quotes;
using base::listed;
using base::printable;

/// `file:line: path: ` with the parts that are known (line 0 and an empty path are not). For the source "flags" the
/// path is told in the words of the command line: `--damage-deck`.
std::string place(const std::string& source, const std::string& path, int line);

/// The error at a place that is told as it is: "--attack 2", "attack[1]".
LoadError error_at(const std::string& place, const std::string& why);

/// Reads a part of a text that is a text, or tree, of its own; what is wrong with it is told with its place in the
/// whole: "mine" and "pilots[0].id".
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
