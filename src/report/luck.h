// Luck as JSON and as lines of a page, for one attack and for the attacks of a game.
#pragma once

#include "report/decision_parts.h"
#include "report/json_writer.h"
#include "salvo/luck.h"

namespace salvo::report {

/// Writes "damage" and "value".
void write_amount(JsonWriter& json, const char* key, const Amount& amount);
/// Writes everything but the head and the notes.
void write_luck(JsonWriter& json, const Luck& luck);

/// "luke, with hit focus blank: spend nothing; better: spend focus".
std::string decision_words(const DecisionMade& made);

}  // namespace salvo::report
