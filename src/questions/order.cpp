// The best order in which ships of one initiative attack.
#include "decide/order.h"

#include "base/parallel.h"
#include "questions/scenario_question.h"

namespace salvo::questions {
namespace {

struct OrderQuestion : ScenarioQuestion {
  bool mine = true;
};

void describe(OrderQuestion& question, FieldList& list) {
  static const std::vector<std::string> sides{"mine", "theirs"};
  describe_scenario(question, list);
  list.group("Question");
  list.choice({"side", "--side", "SIDE", "whose attackers: mine (default) or theirs", "whose attackers (default mine)"},
              sides, [&question](std::size_t i) { question.mine = i == 0; });
  list.group("Scenario");
  describe_play(question, list, false);
  describe_exact_engine(question, list, "threads (default 0: all cores)");
  list.at("threads").ignored = true;  // a request is answered in its own thread, where its work is counted
}

Answer ask(const Catalogue& catalogue, OrderQuestion& question) {
  const Scenario scenario = take_scenario(catalogue, question);
  const auto order = std::make_shared<decide::Order>();
  const auto find = [&](std::size_t) {
    *order = decide::best_order(catalogue, scenario, question.mine, question.answer);
  };
  if (question.answer.overrides.as_options) {
    base::Threads(question.answer.threads).for_each(1, find);
  } else {
    find(0);
  }
  return answer_of(std::shared_ptr<const decide::Order>(order), decide::to_json, decide::to_table);
}

}  // namespace

const Question kOrder = {
    .name = "order",
    .what = for_people("In which order ships of one initiative should shoot."),
    .footer = for_people("\nExamples:\n"
                         "  salvo order four-on-one.toml\n"
                         "  salvo order -a '3 focus' -a '2 lock' -d '2 evade hull=3' --objective kill"),
    .missing = for_people(kNoScenario),
    .has_csv = false,
    .answers = for_people("order"),
    .example = for_people(R"([{"attack": ["3 focus", "2 lock"], "defend": "2 hull=4"}])"),
    .begin = begin<OrderQuestion>,
};

}  // namespace salvo::questions
