// What the attacks of a scenario do.
#include <fmt/format.h>

#include <utility>

#include "questions/answer_text.h"
#include "questions/run_answer.h"
#include "questions/scenario_question.h"
#include "report/plots.h"
#include "report/report_json.h"
#include "salvo/report.h"

namespace salvo::questions {
namespace {

struct RunQuestion : ScenarioQuestion {
  RunQuestion() { may_be_roll = true; }
};

void describe(RunQuestion& question, FieldList& list) {
  describe_scenario(question, list);
  describe_play(question, list, true);
  describe_engines(question, {"engine", "budget", "trials", "precision", "seed", "generator", "certify"}, list);
  Field& tokens = list.at("count_tokens");
  tokens.name = {"count_tokens", "--no-tokens", nullptr, "sampling: do not count remaining tokens; faster",
                 tokens.name.help};
  tokens.assign = [&question](const data::Node& node) {
    question.answer.count_tokens = !is_option(node) && node.boolean();
  };
  for (const char* key : {"count_tokens", "id"}) list.at(key).ignored = false;
  question.answer.weapon_notes = true;
  question.answer.would_add = list.as_options();
  list.flag({"would_add", "--no-would-add", nullptr, "leave out what the usual damage deck would add",
             "also compute what the usual damage deck would add (default false)"},
            question.answer.would_add, !list.as_options());
  describe_threads(question.answer, "sampling: threads (default 0: all cores)", list);
}

Answer ask(const Catalogue& catalogue, RunQuestion& question) {
  const Scenario scenario = take_scenario(catalogue, question);
  if (question.picture && !scenario.roll.empty())
    throw LoadError("--plot: it draws damage to ships, and a roll alone damages none; leave it out");
  return answer_of_report(answers::answer_shared(catalogue, scenario, question.answer), question.answer, question.line,
                          question.id);
}

/// What the user should know about the answer.
std::vector<std::string> notes_of(const Report& report, const AnswerOptions& options) {
  std::vector<std::string> out;
  if (report.sample && !report.engine_reason.empty()) out.push_back("sampled: " + report.engine_reason);
  if (!report.sample && (options.trials || options.precision)) {
    out.push_back(fmt::format("{} is for sampling, and the exact engine answered; --engine sample uses it",
                              options.trials ? "--trials" : "--precision"));
  }
  if (report.sample && !report.sample->kernel_fallback.empty()) out.push_back(report.sample->kernel_fallback);
  if (report.cross_check && !report.cross_check->agree) {
    out.push_back(fmt::format("the engines disagree: p = {:.2g}, largest difference {:.3g} standard errors",
                              report.cross_check->p, report.cross_check->largest_difference));
  }
  return out;
}

}  // namespace

Answer answer_of_report(answers::SharedAnswer report, const AnswerOptions& options, bool line,
                        const std::optional<data::Value>& id) {
  // One pointer for all functions, since write_answer() asks whether the cache has the answer, too.
  const auto answer = std::make_shared<const answers::SharedAnswer>(std::move(report));
  const Report& read = (*answer)->report;
  Answer out{.json =
                 [answer, line, id] {
                   report::JsonWriter json;
                   json.object([&] {
                     write_answer(json, *answer);
                     report::write_id(json, id);
                   });
                   return line ? json.take() : report::wrap_json(json.take());
                 },
             .csv = {},
             .table = {}};
  if constexpr (!kOnlyJson) {
    out.csv = [answer] { return to_csv((*answer)->report); };
    out.table = [answer](int width, bool colour) { return to_table((*answer)->report, width, colour); };
    out.plot = [answer] { return report::plot_damage((*answer)->report); };
  }
  if (!kOnlyJson && options.overrides.as_options) out.notes = notes_of(read, options);
  out.agree = !read.cross_check || read.cross_check->agree;
  out.interrupted = read.sample && read.sample->interrupted;
  out.empty = read.sample && read.sample->trials == 0;
  return out;
}

const Question kRun = {
    .name = "run",
    .what = for_people("Answer one scenario: what its attacks do."),
    .footer = for_people("\nA SPEC is one number (attack value, or agility) and words: focus, lock, evade=2,\n"
                         "hull=3, range=1, obstructed, ship=ID, pilot=ID, weapon=ID, upgrades, facts; or\n"
                         "names as printed on cards. x2: two such ships. Options override the file.\n\n"
                         "Examples:\n"
                         "  salvo run joust.toml --objective kill\n"
                         "  salvo run -a '3 focus lock range=1' -a '2 focus' -d '3 focus evade hull=3'\n"
                         "  salvo run -a 'Luke Skywalker focus range=1' -d 'TIE interceptor focus evade'\n"
                         "  salvo run -a '3 hits 1 crit' -d '3 focus'\n"
                         "  salvo run -a '3 focus lock'\n"
                         "  salvo run -a '3 focus x2' -d 'TIE/ln fighter' -d '1 hull=5' --objective kill"),
    .missing = for_people(kNoScenario),
    .plot = for_people("also draw the distribution of damage"),
    .working = for_people("sampling"),
    .units = for_people("trials"),
    .answers = for_people("run"),
    .example = for_people(R"([{"attack": "3 focus lock", "defend": "2 focus hull=4"}, )"
                          R"({"ships": {"a": {"attack": 3}, "d": {"agility": 2}}, )"
                          R"("attacks": [{"by": "a", "on": "d"}]}])"),
    .begin = begin<RunQuestion>,
};

}  // namespace salvo::questions
