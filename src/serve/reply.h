// The reply to a request, before it is serialized.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::serve {

inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kProblemJson = "application/problem+json";
inline constexpr std::string_view kNdjson = "application/x-ndjson";

struct Reply {
  int status = 200;
  std::string_view type = kJson;
  std::shared_ptr<const std::string> body;                             ///< null: no body
  std::vector<std::pair<std::string_view, std::string>> headers = {};  ///< in addition to those of every reply
  bool close = false;                                                  ///< close the connection after it
};

}  // namespace salvo::serve
