// What the questions about one scenario share: where it comes from, by which rules and policies it is played.
#pragma once

#include "answers/scenario_source.h"
#include "questions/question.h"

namespace salvo::questions {

/// A question about a scenario. ask() may take the scenario out of it.
struct ScenarioQuestion : Common {
  answers::ScenarioSource source;
  bool may_be_roll = false;  ///< one SPEC alone is a roll (Scenario::roll)
};

inline constexpr const char* kAttackHelp = "an attacker and its attack; repeatable, in order";

/// Whether the name of a scenario file is rather a word of a SPEC: there is no such file, and no dot or slash in it.
bool is_word(const std::string& file);
/// Throws a LoadError that names the options for ships in words, if these stand where a file should.
void check_scenario_file(const std::string& file);

/// Appends the fields that say which scenario is meant: a file or keys, and SPECs.
void describe_scenario(ScenarioQuestion& question, FieldList& list, const char* attack_help = kAttackHelp);
void describe_specs(ScenarioQuestion& question, FieldList& list, const char* attack_help = kAttackHelp);
/// Appends its rules, cards, objective and policies. On the command line, `rounds` adds --rounds, and `files` allows
/// policies to be files.
void describe_play(ScenarioQuestion& question, FieldList& list, bool rounds, bool files = true);
/// For questions that only the exact engine answers. `threads`: the help of --threads, or null.
void describe_exact_engine(ScenarioQuestion& question, FieldList& list, const char* threads = nullptr);

/// Throws a LoadError that names a key or option unless the source states one scenario.
void check(const FieldList& list, const answers::ScenarioSource& source);

/// Reads the scenario and the policy files that it or the question names. Throws LoadError and FieldError.
Scenario take_scenario(const Catalogue& catalogue, ScenarioQuestion& question);

}  // namespace salvo::questions
