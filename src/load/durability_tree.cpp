// Converts the short form of `salvo durability`, a defender and an attacker, to a scenario with one attack.
#include <fmt/format.h>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "data/node.h"
#include "load/scenario_tree.h"

namespace salvo::load {
namespace {

constexpr const char* kAttacker = "attacker";
constexpr const char* kDefender = "defender";

bool is_ship_key(const std::string& key) {
  static const std::vector<std::string> keys{"side", "ship",    "pilot", "upgrades", "attack", "agility",
                                             "hull", "shields", "size",  "tokens",   "faceup", "facedown"};
  return base::contains(keys, key);
}

/// lock = 1 means a lock on the defender, lock = 0.5 a lock half of the time.
data::Value locks_of(const data::Node& lock) {
  data::Value out = data::Value::array();
  if (lock.is(data::Value::Kind::Array) || lock.is(data::Value::Kind::Table)) return lock.value();
  if (lock.is(data::Value::Kind::Real)) {
    out = data::Value::table();
    out.add(kDefender, lock.value());
    return out;
  }
  if (lock.integer(0, 1) == 1) out.items.push_back(data::Value::of(std::string(kDefender)));
  return out;
}

/// Expands the short form of a ship: "dice" means `own_dice`, and unknown keys are tokens.
data::Value long_form(const data::Node& ship, const char* own_dice, bool attacks) {
  ship.need_table("a table with dice, hull, shields and tokens");
  data::Value out = data::Value::table(), tokens = data::Value::table();
  if (const auto given = ship.get("tokens")) {
    given->need_table("a table of kinds and numbers");
    tokens = given->value();
  }
  for (const data::Node& member : ship.children()) {
    if (member.key() == "tokens") continue;
    if (member.key() == "dice") {
      if (ship.get(own_dice)) member.fail(fmt::format("dice is the same as {}; give one of them", own_dice));
      out.add(own_dice, member.value());
    } else if (is_ship_key(member.key())) {
      out.add(member.key(), member.value());
    } else if (!attacks && base::lower_case(member.key()) == "lock") {
      member.fail("only an attacker spends its lock; leave it out");
    } else {
      tokens.add(member.key(), member.value());
    }
  }
  for (data::Value& token : tokens.items) {
    token.key = base::lower_case(token.key);
    if (token.key == "lock") {
      data::Value locks = locks_of(data::Node(token, ship.source()));
      token.items = std::move(locks.items);
      token.kind = locks.kind;
    }
  }
  if (!tokens.items.empty()) out.add("tokens", std::move(tokens));
  return out;
}

}  // namespace

Scenario read_durability(data::Value root, const std::string& source) {
  const data::Node node(root, source);
  node.need_table("an object with defender and attacker, or a scenario");
  if (!node.get(kDefender) && !node.get(kAttacker)) {
    return read_scenario(root, source);
  }
  data::Value ships = data::Value::table(), attack = data::Value::table(), attacks = data::Value::array(),
              out = data::Value::table();
  ships.add(kDefender, long_form(node.need(kDefender, "describe who is shot at"), "agility", false));
  ships.add(kAttacker, long_form(node.need(kAttacker, "describe who shoots"), "attack", true));
  if (const auto given = node.get("attack")) {
    given->need_table("a table with range, weapon, facts");
    attack = given->value();
  }
  attack.add("by", data::Value::of(std::string(kAttacker)));
  attack.add("on", data::Value::of(std::string(kDefender)));
  attacks.items.push_back(std::move(attack));
  for (const data::Value& member : root.items) {
    if (member.key != kDefender && member.key != kAttacker && member.key != "attack") out.items.push_back(member);
  }
  out.add("ships", std::move(ships));
  out.add("attacks", std::move(attacks));
  return read_scenario(out, source);
}

}  // namespace salvo::load
