// The addresses of the server, and the static files that some of them return.
#pragma once

#include <string_view>

#include "serve/options.h"
#include "serve/page_files.h"
#include "serve/problem.h"
#include "serve/reply.h"

namespace salvo::serve {

struct Route {
  enum class Kind { Question, Batch, Health, Metrics, Text, File, Nothing };
  Kind kind = Kind::Nothing;
  std::string_view name;           ///< for logs and metrics: "run", "page", "none"
  const PageFile* file = nullptr;  ///< for Text and File
  std::string_view allow = "GET, HEAD, OPTIONS";
};

class Routes {
 public:
  /// Reads the files of the page. Throws LoadError.
  explicit Routes(const Options& options);
  Route find(std::string_view path) const;
  bool has_page() const { return !page_.empty(); }

 private:
  PageFiles page_, texts_;
};

/// The OpenAPI description of all addresses. The build makes it from docs/schemas/ (cmake/openapi.cmake).
std::string_view openapi_json();

}  // namespace salvo::serve
