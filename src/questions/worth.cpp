// What one more token, shield or die would change.
#include "decide/worth.h"

#include "questions/scenario_question.h"

namespace salvo::questions {
namespace {

struct WorthQuestion : ScenarioQuestion {};

void describe(WorthQuestion& question, FieldList& list) {
  describe_scenario(question, list);
  describe_play(question, list, true);
  describe_exact_engine(question, list);
}

Answer ask(const Catalogue& catalogue, WorthQuestion& question) {
  const Scenario scenario = take_scenario(catalogue, question);
  const auto worth = std::make_shared<const decide::Worth>(decide::worth(catalogue, scenario, question.answer));
  return answer_of(worth, decide::to_json, decide::to_table);
}

}  // namespace

const Question kWorth = {
    .name = "worth",
    .what = for_people("What one more token, shield or die would change."),
    .footer = for_people("\nExamples:\n"
                         "  salvo worth joust.toml --objective kill\n"
                         "  salvo worth -a '3 focus' -a '2 lock' -d '2 evade hull=4'"),
    .missing = for_people(kNoScenario),
    .has_csv = false,
    .answers = for_people("worth"),
    .example = for_people(R"([{"attack": "3 focus lock", "defend": "2 focus hull=4"}])"),
    .begin = begin<WorthQuestion>,
};

}  // namespace salvo::questions
