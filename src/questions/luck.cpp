// An attack that was played: luck and skill apart.
#include "salvo/luck.h"

#include "questions/point_question.h"

namespace salvo::questions {
namespace {

struct LuckQuestion : PointQuestion {
  std::optional<int> suffered;
};

void describe(LuckQuestion& question, FieldList& list) {
  constexpr int kMaxDamage = 99;
  question.over = true;
  describe_point(question, list, {nullptr, "--damaged", "TEXT", "damage before this attack: 'd=2 a1=1'"});
  list.integer({"damage", "--damage", "N", "damage that the defender suffered",
                "damage that the defender suffered in this attack"},
               0, kMaxDamage, question.suffered);
  list.group("Scenario");
  describe_play(question, list, false);
  for (const char* policy : {"attacker_policy", "defender_policy"}) list.at(policy).name.option = nullptr;
  describe_exact_engine(question, list);
}

Answer ask(const Catalogue& catalogue, LuckQuestion& question) try {
  auto [scenario, point] = take_point(catalogue, question);
  const auto found =
      std::make_shared<const Luck>(luck(catalogue, scenario, {std::move(point), question.suffered}, question.answer));
  return answer_of(found, to_json, to_table);
} catch (const DecisionError& error) {
  fail_at_point(question, error);
}

}  // namespace

const Question kLuck = {
    .name = "luck",
    .what = for_people("Was it luck? One attack, luck and skill apart."),
    .footer = for_people("\nUnreported choices count as best play, unreported dice as the mean over all\n"
                         "rolls that fit the report. Expectation + luck + skill = result.\n\n"
                         "Examples:\n"
                         "  salvo luck -a '3 focus' -d '2 evade' --damage 0\n"
                         "  salvo luck -a '3 focus lock' -d '2' --rolled 'hit focus blank' \\\n"
                         "             --spent nothing --defense-rolled 'blank focus' --damage 1"),
    .missing = for_people(kNoScenario),
    .has_csv = false,
    .answers = for_people("luck"),
    .example = for_people(R"([{"attack": "3 focus lock", "defend": "2 focus hull=4", "damage": 1}])"),
    .begin = begin<LuckQuestion>,
};

}  // namespace salvo::questions
