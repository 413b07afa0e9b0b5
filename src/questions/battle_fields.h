// What the questions about squads in battle share: sides, flights and engines.
#pragma once

#include "questions/question.h"
#include "salvo/battle.h"

namespace salvo::questions {

/// The fields that questions about battles share.
struct BattleFields : Common {
  int rounds = 12;
  std::string damage_deck = kNoDeck;
  /// The sides and the flight, which only a catalogue can check.
  data::Value stated = data::Value::table();
  std::string source;

  data::Node root() const { return {stated, source}; }
};

/// The type of a side, as JSON members.
extern const char* const kSideSchema;

/// Appends a field whose value goes into BattleFields::stated.
void describe_stated(const Name& name, Kind kind, BattleFields& question, FieldList& list);
/// The names of the policies, in the order of BattlePolicy; none in a program without battles.
const std::vector<std::string>& battle_policies();
/// Appends the flight and the number of rounds.
void describe_flight(BattleFields& question, FieldList& list);
/// Appends the damage deck, rules, cards, engines and threads.
void describe_battle(BattleFields& question, FieldList& list);

/// XWS, an object or a file with ships, a link, or SPECs. `other`: the opposing side, whose card set applies; may be
/// null. Throws LoadError.
BattleSide read_side(const Catalogue& catalogue, const data::Node& node, const Overrides& given,
                     const BattleSide* other, std::vector<std::string>& warnings);
/// Reads the id of a flight of the profiles, or a custom flight as text. Throws LoadError.
void read_flight(const Catalogue& catalogue, const BattleFields& question, std::string& id, std::string& text);
BattleOptions battle_options(const AnswerOptions& how);

/// For a program without battles.
[[noreturn]] void fail_without_battles();

}  // namespace salvo::questions
