// The value of each play at a decision.
#include "salvo/advise.h"

#include "questions/point_question.h"

namespace salvo::questions {
namespace {

struct AdviseQuestion : PointQuestion {};

void describe(AdviseQuestion& question, FieldList& list) {
  static const std::vector<std::string> roles{"attacker", "defender"};
  describe_point(question, list, {nullptr, "--damage", "TEXT", "damage before this attack: 'black=2 red=1'"});
  list.choice({nullptr, "--to-move", "ROLE", "attacker or defender (default: who decides next)"}, roles,
              [&question](std::size_t i) { question.point.to_move = static_cast<Role>(i); });
  list.group("Scenario");
  describe_play(question, list, true);
  describe_exact_engine(question, list);
}

Answer ask(const Catalogue& catalogue, AdviseQuestion& question) try {
  const auto [scenario, point] = take_point(catalogue, question);
  const auto advice = std::make_shared<const Advice>(advise(catalogue, scenario, point, question.answer));
  return answer_of(advice, to_json, to_table);
} catch (const DecisionError& error) {
  fail_at_point(question, error);
}

}  // namespace

const Question kAdvise = {
    .name = "advise",
    .what = for_people("What to do with this roll: what each play is worth."),
    .footer = for_people("\nTokens and damage are those before attack N: from the scenario, or from --tokens\n"
                         "and --damage. Without --rolled, prints the best play for each roll, or\n"
                         "which ship to shoot if there is a choice.\n\n"
                         "Examples:\n"
                         "  salvo advise -a '3 focus x2' -d '2 evade hull=4' --rolled 'hit focus blank'\n"
                         "  salvo advise -a 'X-wing focus' -d 'TIE/ln' --rolled 'hit focus blank' \\\n"
                         "               --return 3 --return '2 focus'\n"
                         "  salvo advise two-against-two.toml --on 'black gray' --objective kill\n"
                         "  salvo advise joust.toml --attack 1 --rolled 'hit focus focus blank'\n"
                         "  salvo advise joust.toml --rolled 'hit hit focus blank' --spent lock \\\n"
                         "               --rerolled 'blank=hit' --defense-rolled 'evade focus blank'"),
    .missing = for_people(kNoScenario),
    .has_csv = false,
    .answers = for_people("advise"),
    .example = for_people(
        R"([{"attack": "3 focus lock", "defend": "2 focus hull=4", "point": {"rolled": "hit focus blank"}}])"),
    .begin = begin<AdviseQuestion>,
};

}  // namespace salvo::questions
