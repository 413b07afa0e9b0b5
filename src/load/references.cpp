#include "salvo/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/node.h"
#include "data/profiles.h"
#include "load/catalogue.h"
#include "load/scenario_tree.h"

namespace salvo {
namespace {

using data::Node;
using data::Value;

/// Reads id, name, range and lock; all other keys are those of a ship of a scenario.
ReferenceShip read_reference(const Node& node, bool attacks) {
  node.need_table("a table with id, name and the keys of a ship");
  ReferenceShip out;
  out.id = node.need("id", "name it with lower-case letters, digits and hyphens").text();
  out.name = out.id;
  node.read("name", out.name);
  Value ship = Value::table();
  ship.line = node.line();
  for (const Node& member : node.children()) {
    if (member.key() == "id" || member.key() == "name") continue;
    if (attacks && member.key() == "range") {
      out.range = member.integer(0, 5);
      continue;
    }
    ship.items.push_back(member.value());
    Value& copy = ship.items.back();
    if (member.key() != "tokens" || !member.is(Value::Kind::Table)) continue;
    const auto lock = member.get("lock");
    if (!lock) continue;
    if (!attacks) lock->fail("only an attacker spends its lock; leave it out");
    out.lock = lock->integer(0, 1) == 1;
    copy.items.erase(
        std::find_if(copy.items.begin(), copy.items.end(), [](const Value& x) { return x.key == "lock"; }));
  }
  out.ship = load::read_scenario_ship(Node(ship, node.source()));
  return out;
}

std::vector<ReferenceShip> read_list(const Node& root, const char* key, bool attacks) {
  std::vector<ReferenceShip> out;
  const Node list = root.need(key, fmt::format("add at least one [[{}]]", key));
  list.need_array(fmt::format("[[{}]] tables, with two brackets", key));
  std::set<std::string> ids;
  for (const Node& item : list.children()) {
    out.push_back(read_reference(item, attacks));
    if (!ids.insert(out.back().id).second)
      item.fail(fmt::format("the id {} is given twice; give each ship its own", out.back().id));
  }
  if (out.empty()) list.fail(fmt::format("is empty; add at least one [[{}]]", key));
  return out;
}

}  // namespace

ReferenceShips load_references(const Catalogue& catalogue, const std::string& given, const std::string& rules) {
  const std::filesystem::path folder = catalogue.root() / "reference";
  const std::filesystem::path own = folder / (rules + ".toml");
  const bool has_own = data::is_id(rules) && catalogue.profiles().has(own);
  const std::filesystem::path usual = has_own ? own : folder / "typical.toml";
  const std::string path = given.empty() ? usual.string() : given;
  const Value value = given.empty() ? catalogue.profiles().tree(usual) : data::Profiles(given).tree(given);
  const Node root(value, path);
  root.allow_only({"defender", "attacker"});
  return {read_list(root, "defender", false), read_list(root, "attacker", true)};
}

}  // namespace salvo
