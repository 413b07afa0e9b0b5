#include "load/batch.h"

#include "data/file.h"
#include "data/node.h"
#include "load/scenario_tree.h"

namespace salvo::load {

using data::Value;

std::optional<Value> batch_id(std::string_view text) {
  try {
    text = data::check_text(text, "-");
    Value root = data::parse_json(text, "-");
    auto id = root.kind == Value::Kind::Table ? root.take("id") : std::nullopt;
    return id && is_scalar(*id) ? id : std::nullopt;
  } catch (const LoadError&) {
    return std::nullopt;
  }
}

BatchLine parse_batch_line(std::string_view text, const std::string& source) {
  text = data::check_text(text, source);
  Value root = data::parse_json(text, source);
  if (root.kind != Value::Kind::Table)
    data::Node(root, source).fail_kind("a scenario: an object with ships and attacks");
  const Value options = take_members(root, answer_keys());
  BatchLine out{read_answer_keys(data::Node(options, source)), {}};
  out.scenario = read_scenario(root, source);
  return out;
}

}  // namespace salvo::load
