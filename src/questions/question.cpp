#include "questions/question.h"

#include <algorithm>

#include "data/message.h"

namespace salvo::questions {

Answer ask_with_places(const FieldList& list, const std::function<Answer()>& ask) {
  const auto located = [&](const std::string& key, const std::string& message) {
    return data::error_at(list.mention("{" + key + "}"), list.mention(message));
  };
  try {
    return ask();
  } catch (const FieldError& error) {
    throw located(error.path, error.what());
  } catch (const ScenarioError& error) {
    if (!list.as_options() || list.find(error.path) == nullptr) throw;
    throw located(error.path, error.what());
  }
}

const std::vector<const Question*>& all() {
  static const std::vector<const Question*> questions{
      &kRun,    &kAdvise,
#ifndef SALVO_FIRST_VISIT  // the first of two modules in WebAssembly answers only what the page asks first
      &kLuck,   &kReview,
#endif
      &kWorth,  &kOrder,  &kDurability, &kSquad,   &kCompare,
#ifndef SALVO_FIRST_VISIT
      &kHazard, &kRules,
#endif
      &kShips,  &kPilots, &kUpgrades,   &kWeapons,
#ifndef SALVO_FIRST_VISIT
      &kCards,  &kBattle, &kGauntlet,
#endif
  };
  return questions;
}

const Question* find(std::string_view name) {
  const auto found =
      std::find_if(all().begin(), all().end(), [name](const Question* question) { return question->name == name; });
  return found == all().end() ? nullptr : *found;
}

}  // namespace salvo::questions
