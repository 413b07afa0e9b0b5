#include "load/load.h"

#include "data/file.h"
#include "data/message.h"
#include "data/value.h"
#include "load/scenario_tree.h"

namespace salvo {

namespace {

data::Value parse_any(std::string_view text, const std::string& source) {
  if (data::check_text(text, source).find_first_not_of(" \t\r\n") == std::string_view::npos) {
    data::fail(source, "", 0, "is empty; a scenario has ships and attacks");
  }
  return data::parse_document(text, source);
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& source) {
  return load::read_scenario(parse_any(text, source), source);
}

Scenario load::parse_durability(std::string_view text, const std::string& source) {
  return load::read_durability(parse_any(text, source), source);
}

Scenario load::load_durability(const std::string& path) { return load::parse_durability(data::read_file(path), path); }

Scenario load_scenario(const std::string& path) { return parse_scenario(data::read_file(path), path); }

}  // namespace salvo
