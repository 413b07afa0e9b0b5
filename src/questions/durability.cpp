// How many shots a ship survives.
#include <optional>

#include "load/load.h"
#include "questions/question.h"
#include "questions/scenario_question.h"
#include "report/durability.h"
#include "report/plots.h"
#include "salvo/scenario.h"
#include "study/durability.h"

namespace salvo::questions {
namespace {

/// Either a scenario, or SPECs.
struct DurabilityQuestion : Common {
  std::optional<Scenario> scenario;
  load::GivenSpecs attack, defend;
  bool all = false;  ///< every ship of the card set under the attackers, with the tokens of `defend`
  std::optional<study::Refresh> refresh;
  std::optional<int> round;  ///< shots of one attacker in a round
  double tail = study::DurabilityOptions().tail;
};

using data::Node;
using study::Refresh;

void check(const DurabilityQuestion& question) {
  if (question.round && question.refresh != Refresh::Round) throw FieldError("round", "only with {refresh} round");
  if (question.scenario) {
    if (question.all) throw FieldError("all", "it needs attackers as SPECs, such as {attack} '3 focus'");
    return;
  }
  if (question.defend.list.size() > 1) throw FieldError("defend", "durability is about one ship; name one");
  if (question.defend.list.empty() && !question.all)
    throw FieldError("attack", "needs {defend}, the ship that is shot at, or {all} for every ship");
}

study::DurabilityStudy study_of(const Catalogue& catalogue, const DurabilityQuestion& question) {
  const study::DurabilityOptions how{question.answer, question.refresh, question.round, question.tail};
  return question.scenario ? study::durability(catalogue, *question.scenario, how)
                           : study::durability_of_specs(catalogue, question.attack, question.defend, question.all, how);
}

void describe(DurabilityQuestion& question, FieldList& list) {
  list.add({nullptr, "FILE", nullptr, "the question; - reads standard input"}, Kind::Scenario,
           [&question](const Node& node) {
             if (is_option(node)) check_scenario_file(node.value().text);
             question.scenario = is_option(node) ? load::load_durability(node.text())
                                                 : load::read_durability(node.value(), node.source());
           });
  describe_scenario_keys(list);
  list.scenario_key("defender", "who is shot at: keys of a ship, `dice` for its agility, and tokens; with `attacker`",
                    R"("type": "object")");
  list.scenario_key("attacker", "who shoots: keys of a ship, `dice` for its attack value, and tokens",
                    R"("type": "object")");
  list.specs({"attack", "-a,--attack", "SPEC", "an attacker and its attack; repeatable: a round",
              "SPECs of attackers, or range, weapon and facts of the attack of `attacker`"},
             question.attack);
  list.last().schema = R"("anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, )"
                       R"({"type": "object"}])";
  list.last().of_scenario = true;
  list.specs({"defend", "-d,--defend", "SPEC", "the ship; with --all, the tokens of every ship",
              "SPEC of who is shot at; with `all`, the tokens of every ship"},
             question.defend, load::Numbered::IfSeveral);
  list.last().of_scenario = true;
  list.flag({"all", "--all", nullptr, "every ship of the card set"}, question.all);
  static const std::vector<std::string> refreshes{"shot", "round", "never"};
  list.choice({"refresh", "--refresh", "WHEN", "tokens return: shot (default for one), round, never",
               "when tokens return (default for one attacker: shot)"},
              refreshes, [&question](std::size_t i) { question.refresh = static_cast<Refresh>(i); });
  list.integer({"round", "--round", "N", "shots of one attacker per round (default 1)"}, 1, 1000, question.round);
  Overrides& overrides = question.answer.overrides;
  describe_rules(overrides, list);
  describe_cards(question, list);
  describe_policies(overrides, list);
  for (const char* policy : {"attacker_policy", "defender_policy"}) {
    list.at(policy).name.help = "greedy (default), hold";
    list.at(policy).name.meaning = "greedy (default) or hold; optimal if all tokens return after each shot";
  }
  describe_engines(question, {"budget"}, list);
  list.share({"tail", "--tail", "P", "cut the distribution below P (default 1e-9)"}, 0.5,
             [&question](double tail) { question.tail = tail; });
  describe_threads(question.answer, "threads for --all (default 0: all cores)", list);
}

Answer ask(const Catalogue& catalogue, const DurabilityQuestion& question) {
  check(question);
  const auto study = std::make_shared<const study::DurabilityStudy>(study_of(catalogue, question));
  Answer out = answer_of(study, report::to_json, report::to_csv, report::to_table);
  if constexpr (!kOnlyJson) out.plot = [study] { return report::plot_durability(*study); };
  return out;
}

}  // namespace

const Question kDurability = {
    .name = "durability",
    .what = for_people("How many shots a ship survives."),
    .footer = for_people("\nFILE is JSON or TOML: {\"defender\": {\"dice\", \"hull\", \"shields\", tokens...},\n"
                         "\"attacker\": {\"dice\", tokens...}, \"attack\": {\"range\", ...}}, or a scenario of\n"
                         "attacks on one ship. Attackers always have all their tokens; --refresh sets when\n"
                         "the ship's tokens return. Several attackers each shoot once per round; between\n"
                         "rounds Force, charges and shields of huge ships recover by the rules, and the\n"
                         "answer also counts rounds.\n\n"
                         "Examples:\n"
                         "  salvo durability --attack '3 focus' --defend 'ship=t65xwing focus'\n"
                         "  salvo durability -a '2 focus' -a '3 lock' -d 'pilot=darthvader'\n"
                         "  salvo durability --attack '3 focus lock' --all --defend focus"),
    .missing = for_people("no question; name a file, - for standard input, or give --attack"),
    .plot = for_people("also draw the curves"),
    .answers = for_people("durability"),
    .example = for_people(
        R"([{"defender": {"ship": "t65xwing"}, "attacker": {"dice": 3}}, {"attack": "3 focus", "all": true}])"),
    .begin = begin<DurabilityQuestion>,
};

}  // namespace salvo::questions
