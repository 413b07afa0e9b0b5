// Writes the provenance of an answer, the same for every command: rules, objective, policies, assumptions, omissions.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "report/json_writer.h"
#include "report/page.h"
#include "salvo/provenance.h"

namespace salvo::report {

/// Writes the members "format", "rules", "objective" and "policy".
void write_head(JsonWriter& json, const Provenance& from);
/// Writes the member "policy", with the policy of each role.
void write_policy(JsonWriter& json, const Provenance& from);
/// Writes the card set and its date, if the question names ids of one.
void write_card_set(JsonWriter& json, const Provenance& from);
/// The keys of kCaveatLists in JSON, which are columns of a sweep, too.
inline constexpr std::array kCaveatKeys = {"assumed_facts", "unmodelled", "no_effect", "partly", "notes"};
/// Writes assumed facts, omissions and notes, as far as there are any.
void write_caveats(JsonWriter& json, const Provenance& from);

/// The same as pairs of a figure's name in long CSV ("assumed_fact", "unmodelled", "no_effect", "partly", "note") and
/// its text.
std::vector<std::pair<const char*, std::string>> caveats(const Caveats& from);

/// The edition, and the card set with its date: "second-edition, cards 2025 of 2025-01-21".
std::string rules_words(const Provenance& from);
/// Writes policies, rules, assumptions, omissions and notes.
void write_provenance(Page& page, const Provenance& from);
/// The same without policies and rules; `facts` is the key for assumed facts.
void write_caveats(Page& page, const Caveats& from, const char* facts = "assumed");
/// write_provenance() after an empty line, below an answer.
void append_provenance(Page& page, const Provenance& from);

/// What `value` counts: "expected damage".
std::string objective_words(const Provenance& from);

}  // namespace salvo::report
