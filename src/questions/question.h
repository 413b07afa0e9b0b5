// The questions that can be described and asked, and their answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "questions/field.h"
#include "salvo/catalogue.h"
#include "salvo/gauntlet.h"

namespace salvo::questions {

/// An answer in the formats of all front ends. Each function renders it anew.
struct Answer {
  std::function<std::string()> json, csv;
  std::function<std::string(int width, bool colour)> table;
  std::function<std::string()> plot = {};  ///< SVG; empty: the question has no picture
  std::function<std::string()> page = {};  ///< HTML; empty: the question has no page
  /// Sentences for standard error before and after the answer, without the name of the program.
  std::vector<std::string> warnings = {}, notes = {};
  bool agree = true;         ///< false: the engines disagree
  bool interrupted = false;  ///< ended by AnswerOptions::progress
  bool empty = false;        ///< interrupted before there was anything to print
};

/// Makes an answer of a report and the functions that render it. Inlined, so that the linker drops functions that are
/// not needed.
template <typename R>
[[gnu::always_inline]] inline Answer answer_of(std::shared_ptr<const R> report, std::string (*json)(const R&),
                                               std::string (*table)(const R&, int width, bool colour)) {
  Answer out{.json = [report, json] { return json(*report); }, .csv = {}, .table = {}};
  if constexpr (!kOnlyJson)
    out.table = [report, table](int width, bool colour) { return table(*report, width, colour); };
  return out;
}

/// The same for a report that has CSV.
template <typename R>
[[gnu::always_inline]] inline Answer answer_of(std::shared_ptr<const R> report, std::string (*json)(const R&),
                                               std::string (*csv)(const R&),
                                               std::string (*table)(const R&, int width, bool colour)) {
  Answer out = answer_of(report, json, table);
  if constexpr (!kOnlyJson) out.csv = [report, csv] { return csv(*report); };
  return out;
}

/// What all questions state.
struct Common {
  AnswerOptions answer;
  std::vector<std::string> cards;      ///< home-made cards: file names in options, else texts in TOML
  std::optional<data::Value> id;       ///< a scalar that the answer of `run` repeats
  bool line = false;                   ///< the JSON of `run` is one line
  bool picture = false;                ///< the answer has to have a picture
  EquilibriumSolver equilibrium = {};  ///< of `gauntlet`
};

/// A mistake in the combination of fields: thrown by ask(). In `message`, {key} stands for a field.
struct FieldError : Error {
  FieldError(const std::string& key, const std::string& message) : Error(message, key) {}
};

/// A question whose fields are read first, and which is then asked.
struct OpenQuestion {
  std::shared_ptr<Common> common;
  std::shared_ptr<FieldList> list;
  /// Call it once. Throws LoadError, ScenarioError and PlanTooLarge. Mistakes in a field are LoadErrors at its key or
  /// option.
  std::function<Answer(const Catalogue&)> ask;
};

/// One kind of question.
struct Question {
  const char* name;            ///< of the command and of the verb
  const char* what;            ///< one sentence
  const char* footer;          ///< of --help: what the fields do not say, and examples; null: it is no command
  const char* missing;         ///< the error of the command if nothing is asked
  const char* plot = nullptr;  ///< the help of --plot; null: no picture
  const char* page = nullptr;  ///< the help of --report; null: no page
  bool may_take_long = true;   ///< has progress and a limit of memory
  bool has_csv = true;
  /// What the progress bar says: "sampling", "trials"; null: the question does not call AnswerOptions::progress.
  const char *working = nullptr, *units = nullptr;
  const char* answers = for_people("");  ///< schemas of its answer in docs/schemas, separated by spaces
  const char* example;                   ///< bodies, as a JSON list
  OpenQuestion (*begin)(bool as_options);
};

/// Question::missing of the questions about a scenario.
inline constexpr const char* kNoScenario =
    "no scenario; name a file, - for standard input, or give --attack and --defend";

/// Calls `ask`. A FieldError or an error about a key becomes a LoadError that names the key, or the option.
Answer ask_with_places(const FieldList& list, const std::function<Answer()>& ask);

/// A new question of type Q: a Common with describe(Q&, FieldList&) and ask(const Catalogue&, Q&).
template <typename Q>
OpenQuestion begin(bool as_options) {
  const auto question = std::make_shared<Q>();
  const auto list = std::make_shared<FieldList>(as_options);
  question->answer.overrides.as_options = as_options;
  describe(*question, *list);
  return {question, list, [question, list](const Catalogue& catalogue) {
            return ask_with_places(*list, [&] { return ask(catalogue, *question); });
          }};
}

// Each is defined in the file of its name; the four about names in names.cpp.
extern const Question kRun, kAdvise, kLuck, kReview, kWorth, kOrder, kDurability, kSquad, kCompare, kHazard, kRules,
    kShips, kPilots, kUpgrades, kWeapons, kCards, kBattle, kGauntlet;
/// All described questions, in the order of --help.
const std::vector<const Question*>& all();
/// The question of this name, or null.
const Question* find(std::string_view name);

/// Appends the fields that questions share. A key in `options` is also an option.
void describe_rounds(FieldList& list);
void describe_scenario_keys(FieldList& list);
void describe_card_set(Overrides& overrides, const char* help, FieldList& list);
void describe_rules(Overrides& overrides, FieldList& list);
void describe_objective(Overrides& overrides, FieldList& list);
/// The objective and the policies. `files`: on the command line, policies may be files.
void describe_policies(Overrides& overrides, FieldList& list, bool files = false);
void describe_cards(Common& common, FieldList& list);
void describe_engines(Common& common, const std::vector<std::string_view>& options, FieldList& list);
/// Without `help`, threads are no option.
void describe_threads(AnswerOptions& answer, const char* help, FieldList& list);

}  // namespace salvo::questions
