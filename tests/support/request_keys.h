// The keys of requests, as docs/format.md and the Python package list them: made from the fields of questions.
#pragma once

#include <string>
#include <string_view>

namespace salvo::test {

/// docs/format.md with its tables of keys made anew: what stands between `<!-- NAME: ...` and `<!-- end -->`.
std::string page_with_keys(std::string page);

/// python/salvo/questions.py: for each verb, the keys that its method takes by name.
std::string python_keys();

}  // namespace salvo::test
