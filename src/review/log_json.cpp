// Logs as JSON lines (docs/schemas/log.schema.json).
#include "data/node.h"
#include "decide/observation.h"
#include "load/squads/squad_tree.h"
#include "load/token_kind.h"
#include "review/log.h"

namespace salvo::review {
namespace {

using data::Node;
using data::Value;

constexpr int kMostTokens = 99, kMaxRounds = 1000, kMostInitiative = 99;

/// The line of the object itself; Node::line() only knows those of members.
int line_of(const Node& node) { return node.line() > 0 ? node.line() : node.value().line; }

class Reader {
 public:
  explicit Reader(LogBuilder& builder) : builder_(builder), log_(builder.log) {}

  void head(const Node& node) {
    node.need_table("the head of the log: an object with the ships");
    node.allow_only({"format", "rules", "cards", "objective", "damage_deck", "players", "ships", "squads"});
    int format = 1;
    node.read("format", 1, 1, format);
    node.read("rules", log_.rules);
    node.read("cards", log_.cards);
    node.read("objective", log_.objective);
    node.read("damage_deck", log_.damage_deck);
    std::vector<std::string> players;
    node.read("players", players);
    for (const std::string& name : players) builder_.player(line_of(node), name);
    if (const auto squads = node.get("squads")) read_squads(*squads);
    const auto ships = node.get("ships");
    if (!ships) return;
    ships->need_table("an object with a ship for each name");
    for (const Node& ship : ships->children()) read_ship(ship);
  }

  void line(const Node& node) {
    node.need_table("an object: an attack, or what a round begins with");
    LoggedLine out{.line = line_of(node), .round = round_};
    node.allow_only({"round", "by", "on", "weapon", "range", "obstructed", "initiative", "facts", "tokens", "damaged",
                     "rolled", "rerolled", "spent", "defense_rolled", "defense_rerolled", "defense_spent", "damage"});
    node.read("round", 1, kMaxRounds, out.round);
    round_ = out.round;
    out.attack = node.get("by").has_value();
    if (const auto tokens = node.get("tokens")) read_tokens(*tokens, out);
    if (const auto damaged = node.get("damaged")) {
      damaged->need_table("an object with a number for each ship");
      for (const Node& ship : damaged->children())
        out.damage[builder_.ship(line_of(node), ship.key())] = ship.integer(0, kMostTokens);
    }
    if (out.attack) read_attack(node, out);
    log_.lines.push_back(std::move(out));
  }

 private:
  void read_squads(const Node& squads) {
    squads.need_table("an object with a squad for each player");
    for (const Node& squad : squads.children()) {
      const int player = builder_.player(squad.line(), squad.key());
      if (squad.is(Value::Kind::Table) || squad.is(Value::Kind::Array)) {
        builder_.add_squad(
            squad.line(), player,
            load::read_squad(builder_.catalogue(), squad.value(), log_.source, std::nullopt, std::nullopt));
      } else {
        if (!squad.is(Value::Kind::Text)) squad.fail_kind("XWS as an object, a link or a list of ships");
        builder_.add_squad(squad.line(), player, parse_squad(builder_.catalogue(), squad.value().text, log_.source));
      }
    }
  }

  void read_ship(const Node& ship) {
    ship.need_table("an object with player and spec");
    ship.allow_only({"player", "spec"});
    const int player = builder_.player(ship.line(), ship.need("player", "write the player's name").text());
    builder_.add_ship(ship.line(), ship.key(), player,
                      ship.need("spec", "write its SPEC, for example pilot=lukeskywalker").text());
  }

  void read_tokens(const Node& tokens, LoggedLine& out) {
    tokens.need_table("an object with tokens for each ship");
    for (const Node& ship : tokens.children()) {
      const std::string name = builder_.ship(ship.line(), ship.key());
      LoggedTokens& reported = out.tokens[name];
      ship.need_table("an object of tokens and numbers");
      std::vector<std::string> stated;
      for (const Node& token : ship.children()) {
        const std::string kind = load::token_kind(token, stated);
        if (kind == "lock") {
          reported.locks_complete = true;
          for (const std::string& on : token.texts()) {
            reported.locks.push_back(builder_.ship(token.line(), on));
            if (reported.locks.back() == name)
              token.fail("a ship has no lock on itself; name the ship that it has locked");
          }
        } else {
          reported.tokens[kind] = token.integer(0, kMostTokens);
        }
      }
    }
  }

  void read_attack(const Node& node, LoggedLine& out) {
    out.shot.by = builder_.ship(line_of(node), node.need("by", "write who attacks").text());
    out.shot.on = builder_.ship(line_of(node), node.need("on", "write who is shot at").text());
    node.read("weapon", out.shot.weapon);
    node.read("range", 0, 5, out.shot.range);
    node.read("obstructed", out.shot.obstructed);
    node.read("initiative", 0, kMostInitiative, out.shot.initiative);
    node.read("facts", out.shot.facts);
    decide::read_reported(node, out.spec.point);
    node.read("damage", 0, kMostTokens, out.spec.damage);
  }

  LogBuilder& builder_;
  GameLog& log_;
  int round_ = 0;
};

}  // namespace

GameLog read_json_log(LogBuilder builder, const std::vector<Value>& lines) {
  if (lines.empty()) builder.fail(0, "the log is empty; its first line is the head, with the ships");
  const std::string source = builder.log.source;
  Reader reader(builder);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Node node(lines[i], source);
    if (i == 0) {
      reader.head(node);
    } else {
      reader.line(node);
    }
  }
  return builder.finish();
}

}  // namespace salvo::review
