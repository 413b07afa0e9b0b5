#include "load/token_kind.h"

#include <fmt/format.h>

#include "base/index.h"
#include "base/text.h"

namespace salvo::load {

std::string token_kind(const data::Node& token, std::vector<std::string>& stated) {
  std::string out = base::lower_case(token.key());
  if (base::contains(stated, out)) token.fail(fmt::format("states {} again; state each kind of token once", out));
  stated.push_back(out);
  return out;
}

}  // namespace salvo::load
