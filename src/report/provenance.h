// What an answer rests on, as every command prints it: rules, objective, policies, what is assumed and left out.
// In: a Provenance. Out: members of JSON, lines of a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/json_writer.h"
#include "report/page.h"
#include "salvo/provenance.h"

namespace salvo::report {

/// The members "format", "rules", "objective" and "policy".
void write_head(JsonWriter& json, const Provenance& from);
/// The member "policy": that of either role.
void write_policy(JsonWriter& json, const Provenance& from);
/// The card set and its date, where ids of one are named.
void write_card_set(JsonWriter& json, const Provenance& from);
/// Assumed facts, what is not modelled, notes where there are any.
void write_notes(JsonWriter& json, const Provenance& from);

/// The same as pairs of a figure's name in long CSV ("assumed_fact", "unmodelled", "no_effect", "partly", "note") and
/// the words.
std::vector<std::pair<const char*, std::string>> caveats(const Provenance& from);

/// Policies, rules, assumptions, what is not modelled and notes.
void write_provenance(Page& page, const Provenance& from);
/// What it rests on without policies and rules; `facts` is what assumed facts are called there.
void write_caveats(Page& page, const Provenance& from, const char* facts = "assumed");
/// write_provenance() after an empty line, below an answer.
void write_notes(Page& page, const Provenance& from);

/// "expected damage": what `value` counts.
std::string objective_words(const Provenance& from);

}  // namespace salvo::report
