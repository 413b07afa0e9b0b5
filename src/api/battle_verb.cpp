// The verbs about squads in battle: battle, gauntlet.
#include <fmt/format.h>

#include <algorithm>

#include "api/verbs.h"
#include "battle/sides.h"
#include "data/message.h"
#include "load/flight_file.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "load/squads/squad_tree.h"
#include "salvo/gauntlet.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;

/// A list of SPECs, or one text with | between them, which is then the place of all errors.
load::GivenSpecs specs_of_side(const Node& node) {
  if (!node.is(Value::Kind::Text)) return battle::specs_of_side(node.path(), node.texts());
  load::GivenSpecs out = battle::specs_of_side(node.path(), battle::split_specs(node.text()));
  for (load::GivenSpec& spec : out.list) spec.place = node.path();
  return out;
}

/// XWS, an object with ships, a link, or SPECs.
BattleSide read_side(const Body& body, const Node& node, const BattleSide* other) {
  const Overrides given = body.overrides();
  const Catalogue& catalogue = body.catalogue();
  if (node.is(Value::Kind::Table) && node.get("ships")) {
    BattleSide out = battle::read_side(node);
    if (given.rules) out.rules = *given.rules;
    if (given.cards) out.cards = *given.cards;
    return out;
  }
  std::optional<std::string> cards = given.cards;
  if (!cards && other != nullptr && !other->cards.empty()) cards = other->cards;
  const std::string& text = node.value().text;
  const bool list = node.is(Value::Kind::Text) && (load::is_link(text) || load::is_squad_text(text));
  if (list || node.is(Value::Kind::Table)) {
    const auto read = [&](const auto& its_cards, const auto& its_rules) {
      return list ? parse_squad(catalogue, text, kSource, its_cards, its_rules)
                  : load::read_squad(catalogue, node.value(), kSource, its_cards, its_rules);
    };
    const Squad squad =
        data::within(node.path(), [&] { return battle::squad_against(read, other, given.cards, given.rules); });
    if (squad.pilots.empty()) node.fail("none of its pilots is known, so there is no ship to fight");
    return battle_side(squad);
  }
  if (!node.is(Value::Kind::Text) && !node.is(Value::Kind::Array))
    node.fail_kind("XWS as an object, an object with ships, a link, a SPEC or a list of SPECs");
  const std::string rules = given.rules.value_or(other != nullptr ? other->rules : "");
  return battle::side_of_specs(catalogue, specs_of_side(node), rules, cards.value_or(""));
}

/// The id of a flight of the profiles, or a custom flight as text.
template <typename Question>
void read_flight(const Body& body, const Node& node, Question& question) {
  const std::string text = node.is(Value::Kind::Text) ? node.value().text : node.text();
  if (text.find('\n') != std::string::npos || text.starts_with('{')) {
    data::within(node.path(), [&] { return load::parse_flight(text, "flight"); });
    question.flight_text = text;
    return;
  }
  question.flight = node.one_of(load::flight_ids(body.catalogue().profiles()));
}

void read_policy(const Node& node, std::string_view key, BattlePolicy& policy) {
  if (const auto name = name_of(node, key, battle_policy_names())) policy = *battle_policy_of(*name);
}

BattleOptions battle_options(const AnswerOptions& how) {
  return {how.engine, how.budget, how.trials, how.precision, how.seed, how.threads, false, how.progress};
}

}  // namespace

std::string battle(Body& body) {
  const AnswerOptions how = body.answer_options();
  const Node node = body.node();
  node.allow_only({"mine", "theirs", "flight", "rounds", "first", "my_policy", "their_policy", "damage_deck", "plain",
                   "worth", "rules", "cards"});
  BattleQuestion question;
  question.mine =
      read_side(body, node.need("mine", "name my ships: XWS, an object with ships, a link or SPECs"), nullptr);
  question.theirs = read_side(body, node.need("theirs", "name his ships: XWS, an object with ships, a link or SPECs"),
                              &question.mine);
  if (const auto flight = node.get("flight")) read_flight(body, *flight, question);
  node.read("rounds", 1, kMaxBattleRounds, question.rounds);
  const std::vector<std::string> first{"random", "mine", "theirs"};
  if (const auto name = name_of(node, "first", first))
    question.first = static_cast<FirstPlayer>(std::find(first.begin(), first.end(), *name) - first.begin());
  node.read("damage_deck", question.damage_deck);
  read_policy(node, "my_policy", question.my_policy);
  read_policy(node, "their_policy", question.their_policy);
  BattleOptions options = battle_options(how);
  node.read("plain", options.reference);
  bool worth = false;
  node.read("worth", worth);
  if (worth) return to_json(battle_worth(body.catalogue(), question, options));
  return to_json(play_battle(body.catalogue(), question, options));
}

std::string gauntlet(Body& body) {
  const AnswerOptions how = body.answer_options();
  const Node node = body.node();
  node.allow_only({"squads", "weights", "flight", "rounds", "policy", "damage_deck", "rules", "cards"});
  GauntletQuestion question;
  const Node squads = node.need("squads", "a list of squads: XWS, objects with ships, links or SPECs");
  squads.need_array("a list of squads: XWS, objects with ships, links or SPECs");
  for (const Node& squad : squads.children())
    question.sides.push_back(read_side(body, squad, question.sides.empty() ? nullptr : &question.sides.front()));
  if (const auto weights = node.get("weights")) {
    weights->need_array("a list of whole numbers, one for each squad");
    constexpr int kMaxWeight = 1'000'000;
    for (const Node& weight : weights->children()) question.weights.push_back(weight.integer(0, kMaxWeight));
  }
  if (const auto flight = node.get("flight")) read_flight(body, *flight, question);
  node.read("rounds", 1, kMaxBattleRounds, question.rounds);
  read_policy(node, "policy", question.policy);
  node.read("damage_deck", question.damage_deck);
  GauntletReport report = salvo::gauntlet(body.catalogue(), question, battle_options(how));
  add_equilibrium(report, body.request().equilibrium);
  return to_json(report);
}

}  // namespace salvo::api
