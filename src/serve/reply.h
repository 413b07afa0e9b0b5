// Reply: what the server says to a request, before it is bytes.
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
  std::shared_ptr<const std::string> body;                             ///< null: none
  std::vector<std::pair<std::string_view, std::string>> headers = {};  ///< besides those that all replies have
  bool close = false;                                                  ///< the connection ends with it
};

}  // namespace salvo::serve
