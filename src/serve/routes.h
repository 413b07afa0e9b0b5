// The site: which addresses there are, and what each of them says without asking an engine.
// In: a path. Out: a route; and the replies of those that are always the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/options.h"
#include "serve/page_files.h"
#include "serve/problem.h"
#include "serve/reply.h"

namespace salvo::serve {

struct Route {
  enum class Kind { Question, Batch, Health, Metrics, Text, File, Nothing };
  Kind kind = Kind::Nothing;
  std::string_view name;           ///< for logs and metrics: "run", "page", "none"
  const PageFile* file = nullptr;  ///< Text and File
  std::string_view allow = "GET, HEAD, OPTIONS";
};

class Site {
 public:
  /// Reads the page. Throws LoadError.
  explicit Site(const Options& options);
  Route route(std::string_view path) const;
  bool has_page() const { return !page_.empty(); }

 private:
  PageFiles page_, texts_;
};

/// The description of all addresses as OpenAPI has it: made from docs/schemas/ when the program is built.
std::string_view openapi_json();

}  // namespace salvo::serve
