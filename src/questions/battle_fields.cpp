#include "questions/battle_fields.h"

#include "generated/features.h"

namespace salvo::questions {

const char* const kSideSchema =
    R"("anyOf": [{"$ref": "#/$defs/xws"}, {"type": "object", "properties": {"ships": {"type": "object", )"
    R"("description": "by name: the keys of a scenario's ship, initiative and points"}}, "required": ["ships"]}, )"
    R"({"type": "string", "description": "a link of a squad builder, a list of ships as text, or SPECs with | between them"}, )"
    R"({"type": "array", "items": {"type": "string"}, "description": "SPECs"}])";

void describe_stated(const Name& name, Kind kind, BattleFields& question, FieldList& list) {
  list.add(name, kind, [key = name.key, &question](const data::Node& node) {
    question.stated.add(key, node.value());
    question.source = node.source();
  });
}

const std::vector<std::string>& battle_policies() {
#if SALVO_HAS_BATTLES
  static const std::vector<std::string> names = battle_policy_names();
#else
  static const std::vector<std::string> names;
#endif
  return names;
}

void describe_flight(BattleFields& question, FieldList& list) {
  describe_stated({"flight", "--flight", "NAME", "which ships can shoot at which (default joust)",
                   "id of a flight, or a flight as a text in TOML or JSON (default joust)"},
                  Kind::Text, question, list);
  list.integer({"rounds", "--rounds", "N", "maximum number of rounds (default 12)"}, 1, kMaxBattleRounds,
               question.rounds);
}

void describe_battle(BattleFields& question, FieldList& list) {
  list.text({"damage_deck", "--damage-deck", "NAME", "damage cards: none (default), core, ..."}, question.damage_deck);
  describe_rules(question.answer.overrides, list);
  list.at("rules").name.help = "edition (default: the squads')";
  list.at("rules").name.meaning = "id of an edition (default: the squads')";
  list.at("cards").name.help = "card set (default: the squads')";
  describe_cards(question, list);
  describe_engines(question, {"engine", "budget", "trials", "precision", "seed"}, list);
  list.at("engine").name.help = "exact, sample, both (default: exact for 3 ships)";
  list.at("budget").name.help = "limit of the exact engine: outcomes (default 2e7)";
  list.at("precision").name.help = "sample until each win probability is within +-X";
  list.at("seed").name.help = "seed (default 1)";
  describe_threads(question.answer, "threads (default 0: all cores)", list);
}

void fail_without_battles() {
  throw ScenarioError("verb", "salvo was built without battles; build it with -DSALVO_BATTLES=ON");
}

}  // namespace salvo::questions
