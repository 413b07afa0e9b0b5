#include "load/squads/wrapped_squad.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"

namespace salvo::load {
namespace {

using data::Node;
using data::Value;

constexpr int kMostWraps = 4;

void collect(const Node& node, int wraps, std::vector<Node>& out) {
  if (is_squad(node.value())) {
    out.push_back(node);
  } else if (wraps < kMostWraps && (node.is(Value::Kind::Table) || node.is(Value::Kind::Array))) {
    const std::size_t before = out.size(), children = node.children().size();
    for (const Node& child : node.children()) collect(child, wraps + 1, out);
    if (node.is(Value::Kind::Array) && out.size() == before + 1 && children > 1)
      node.fail(fmt::format("holds a squad and {} more; give the squad alone", children - 1));
  }
}

}  // namespace

bool is_squad(const Value& value) {
  if (value.kind == Value::Kind::Table) return value.find("pilots") != nullptr;
  const std::string& text = value.text;
  return value.kind == Value::Kind::Text && base::trimmed(text).starts_with('{') &&
         base::lower_case(text).find("\"pilots\"") != text.npos;
}

std::optional<Node> find_squad(const Node& root) {
  std::vector<Node> found;
  collect(root, 0, found);
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  std::vector<std::string> paths;
  for (const Node& one : found) paths.push_back(one.path());
  root.fail(fmt::format("holds {} squads ({}); give one of them at a time", found.size(), base::listed(paths, 4)));
}

}  // namespace salvo::load
