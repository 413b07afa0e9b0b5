// Dice outside attacks: bombs, mines, obstacles.
#include <new>
#include <variant>

#include "questions/hazard_answer.h"
#include "questions/question.h"

namespace salvo::questions {
namespace {

using data::Node;

struct HazardQuestion : Common {
  HazardRequest hazard;  ///< except rules, cards, engine, trials and seed
};

void describe(HazardQuestion& question, FieldList& list) {
  HazardRequest& hazard = question.hazard;
  list.text({"hazard", "NAME", nullptr, "the hazard, or list", "the id of a hazard, or \"list\""}, hazard.name);
  list.last().required = true;
  list.specs(
      {"ships", "--ship,--ships", "SPEC", "a ship that it affects; repeatable", "SPECs of the ships that it affects"},
      hazard.ships);
  list.text({"situation", "--situation", "ID", "one of its situations (default: the usual one)"}, hazard.situation);
  list.add({"numbers", "--set", "NAME=N", "a number that it needs, such as speed=3; repeatable",
            "numbers that it needs, by name; `\"hazard\": \"list\"` names them"},
           Kind::Numbers, [&hazard](const Node& node) {
             node.need_table("an object of numbers, such as {\"speed\": 3}");
             for (const Node& number : node.children()) hazard.numbers[number.key()] = number.integer(0, 99);
           });
  list.integer({"times", "--times", "N", "repeat it N times (default 1)"}, 1, 100, hazard.times);
  describe_rules(question.answer.overrides, list);
  describe_cards(question, list);
  describe_engines(question, {"engine", "trials", "seed"}, list);
  list.at("engine").name.help = "exact (default), sample or both";
  describe_threads(question.answer, nullptr, list);
}

/// Out of memory becomes an error of the command that says what to ask instead.
HazardAnswer answer_within_memory(const Catalogue& catalogue, const HazardRequest& hazard, bool as_options) try {
  return answer_hazard(catalogue, hazard);
} catch (const std::bad_alloc&) {
  if (hazard.engine == EngineChoice::Sample || !as_options) throw;
  throw PlanTooLarge(
      "the exact answer needs more memory than there is, or than is allowed; ask for fewer times or ships, or for "
      "--engine sample",
      0, 0);
}

Answer ask(const Catalogue& catalogue, const HazardQuestion& question) {
  HazardRequest hazard = question.hazard;
  const AnswerOptions& options = question.answer;
  hazard.rules = options.overrides.rules.value_or(hazard.rules);
  hazard.cards = options.overrides.cards.value_or("");
  hazard.engine = options.engine;
  hazard.trials = options.trials.value_or(kDefaultTrials);
  hazard.seed = options.seed;
  const auto answer =
      std::make_shared<const HazardAnswer>(answer_within_memory(catalogue, hazard, options.overrides.as_options));
  const auto each = [answer](const auto& write) { return std::visit(write, answer->report); };
  Answer out{.json = [each] { return each([](const auto& report) { return report::to_json(report); }); },
             .csv = {},
             .table = {}};
  if constexpr (!kOnlyJson) {
    out.csv = [each] { return each([](const auto& report) { return report::to_csv(report); }); };
    out.table = [each](int width, bool colour) {
      return each([&](const auto& report) { return report::to_table(report, width, colour); });
    };
  }
  out.agree = each([](const auto& report) {
    if constexpr (requires { report.cross_check; }) return !report.cross_check || report.cross_check->agree;
    return true;
  });
  return out;
}

}  // namespace

const Question kHazard = {
    .name = "hazard",
    .what = for_people("Dice outside attacks: bombs, mines, obstacles."),
    .footer = for_people("\nNAME is a hazard of profiles/hazards, or list. A SPEC is as for salvo run -d,\n"
                         "with every word optional. Several ships roll separately.\n\n"
                         "Examples:\n"
                         "  salvo hazard list\n"
                         "  salvo hazard proximity-mine --ship 'ship=t65xwing'\n"
                         "  salvo hazard thermal-detonator --ship 'hull=3' --ship 'hull=3' --engine both\n"
                         "  salvo hazard debris-cloud --times 2 --ship 'hull=4 shields=2'\n"
                         "  salvo hazard player-order"),
    .missing = for_people("no hazard; name one, or write salvo hazard list"),
    .answers = for_people("hazard"),
    .example = for_people(R"([{"hazard": "proximity-mine", "ships": ["hull=3"]}, {"hazard": "list"}])"),
    .begin = begin<HazardQuestion>,
};

}  // namespace salvo::questions
