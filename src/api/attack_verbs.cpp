// The verbs about one scenario: run, advise, luck, review, worth, order.
#include <fmt/format.h>

#include "api/answer_text.h"
#include "api/verbs.h"
#include "decide/observation.h"
#include "decide/order.h"
#include "decide/words.h"
#include "decide/worth.h"
#include "load/batch.h"
#include "report/json_writer.h"
#include "report/report_json.h"
#include "review/log.h"
#include "salvo/advise.h"
#include "salvo/answer.h"
#include "salvo/luck.h"
#include "salvo/report.h"
#include "salvo/review.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;

constexpr int kMostTokens = 99;
constexpr int kMaxAttacks = 1'000'000;

void check_ship(const Node& named, Scenario& scenario) {
  if (decide::find_ship(scenario, named.key()) == nullptr) named.fail(decide::no_such_ship(scenario, named.key()));
}

/// Tokens of a ship before the attack at hand; they replace those of the scenario.
ReportedTokens read_tokens(const Node& tokens, Scenario& scenario) {
  tokens.need_table("an object of tokens and numbers");
  ReportedTokens out;
  for (const Node& token : tokens.children()) {
    if (token.key() != "lock") {
      out.tokens[token.key()] = token.integer(0, kMostTokens);
      continue;
    }
    out.locks = token.texts();
    out.locks_complete = true;
    for (const std::string& on : out.locks) {
      if (decide::find_ship(scenario, on) == nullptr) token.fail(decide::no_such_ship(scenario, on));
    }
  }
  return out;
}

DecisionSpec read_point(const Node& node, Scenario& scenario) {
  node.need_table("an object that says where the scenario stands");
  node.allow_only({"attack", "rolled", "rerolled", "spent", "defense_rolled", "defense_rerolled", "defense_spent",
                   "to_move", "tokens", "damage"});
  DecisionSpec out;
  node.read("attack", 1, kMaxAttacks, out.attack);
  decide::read_reported(node, out);
  if (const auto mover = name_of(node, "to_move", {"attacker", "defender"})) out.attacker_moves = *mover == "attacker";
  if (const auto tokens = node.get("tokens")) {
    tokens->need_table("an object with tokens for each ship");
    for (const Node& ship : tokens->children()) {
      check_ship(ship, scenario);
      out.tokens[ship.key()] = read_tokens(ship, scenario);
    }
  }
  if (const auto damage = node.get("damage")) {
    damage->need_table("an object with a number for each ship");
    for (const Node& ship : damage->children()) {
      check_ship(ship, scenario);
      out.damage[ship.key()] = ship.integer(0, kMostTokens);
    }
  }
  return out;
}

}  // namespace

std::string run(Body& body) {
  AnswerOptions options = body.answer_options();
  options.would_add = true;
  options.progress = body.request().progress;
  const answers::SharedAnswer answer = answers::answer_shared(body.catalogue(), body.take_scenario(true), options);
  report::JsonWriter json;
  json.object([&] {
    write_answer(json, answer);
    report::write_id(json, body.id());
  });
  return laid_out(json.take(), body.request());
}

std::string advise(Body& body) {
  const AnswerOptions options = body.answer_options();
  const Value taken = body.take({"point"});
  Scenario scenario = body.take_scenario();
  const auto members = Node(taken, body.source()).get("point");
  const DecisionSpec point = members ? read_point(*members, scenario) : DecisionSpec();
  try {
    return to_json(salvo::advise(body.catalogue(), scenario, point, options));
  } catch (const DecisionError& error) {
    throw ScenarioError("point." + (error.path == "attacker_moves" ? "to_move" : error.path), error.what());
  }
}

std::string luck(Body& body) {
  constexpr int kMaxDamage = 99;
  const AnswerOptions options = body.answer_options();
  const Value taken = body.take({"point", "damage"});
  Scenario scenario = body.take_scenario();
  const Node members(taken, body.source());
  PlayedAttack spec;
  if (const auto point = members.get("point")) spec.point = read_point(*point, scenario);
  if (spec.point.attacker_moves) members.get("point")->get("to_move")->fail("the attack is over; leave it out");
  members.read("damage", 0, kMaxDamage, spec.damage);
  try {
    return to_json(salvo::luck(body.catalogue(), scenario, spec, options));
  } catch (const DecisionError& error) {
    if (error.path == "damage") throw ScenarioError("damage", error.what());
    throw ScenarioError("point." + (error.path == "damaged" ? "damage" : error.path), error.what());
  }
}

std::string review(Body& body) {
  AnswerOptions options = body.answer_options();
  const Value taken = body.take({"log"});
  body.node().allow_only({"rules", "cards", "objective", "damage_deck"});
  options.overrides = body.overrides();
  const Node log = Node(taken, body.source()).need("log", "write the log as a text, or as a list of objects");
  const bool text = log.is(Value::Kind::Text);
  if (!text) log.need_array("the log as a text, or as a list of objects");
  try {
    const GameLog game = text ? parse_log(body.catalogue(), log.value().text, "log", {}, options.overrides)
                              : review::log_of_values(body.catalogue(), log.value().items, "log", options.overrides);
    return to_json(review_game(body.catalogue(), game, options));
  } catch (const LoadError& error) {  // its line is not part of the message
    throw ScenarioError("log", error.what());
  }
}

std::string worth(Body& body) {
  const AnswerOptions options = body.answer_options();
  return to_json(salvo::decide::worth(body.catalogue(), body.take_scenario(), options));
}

std::string order(Body& body) {
  const AnswerOptions options = body.answer_options();
  const Value taken = body.take({"side"});
  const bool mine = name_of(Node(taken, body.source()), "side", {"mine", "theirs"}).value_or("mine") == "mine";
  return to_json(decide::best_order(body.catalogue(), body.take_scenario(), mine, options));
}

}  // namespace salvo::api
