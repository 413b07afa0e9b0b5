// A whole game from its log: who was lucky, and what decisions cost.
#include "salvo/review.h"

#include "data/file.h"
#include "questions/question.h"
#include "questions/squad_source.h"
#include "review/log.h"

namespace salvo::questions {
namespace {

using data::Node;
using data::Value;

struct ReviewQuestion : Common {
  Value log;  ///< of options the name of a file, else the text, or a list of objects
  std::optional<SquadSource> mine, theirs;
};

void read_log(const Node& node, Value& to) {
  if (!node.is(Value::Kind::Text)) node.need_array("the log as a text, or as a list of objects");
  to = node.value();
}

void describe(ReviewQuestion& question, FieldList& list) {
  list.add({"log", "LOG", nullptr, "the log; - reads standard input", "the log as a text, or as a list of objects"},
           Kind::Text, [&question](const Node& node) { read_log(node, question.log); });
  list.last().required = true;
  list.last().schema = R"("anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}])";
  const auto squad = [&list](const char* option, const char* help, std::optional<SquadSource>& to) {
    list.add({nullptr, option, "SQUAD", help}, Kind::Squad, [&to](const Node& node) { to.emplace(node, false); });
  };
  squad("--mine", "squad of the first player: a file or a link", question.mine);
  squad("--theirs", "squad of the second player", question.theirs);
  Overrides& overrides = question.answer.overrides;
  describe_rules(overrides, list);
  describe_cards(question, list);
  describe_objective(overrides, list);
  describe_engines(question, {"budget"}, list);
  describe_threads(question.answer, nullptr, list);
}

GameLog read_game(const Catalogue& catalogue, const ReviewQuestion& question) {
  const Overrides& given = question.answer.overrides;
  if (given.as_options) {
    if (question.theirs && !question.mine) throw data::error_at("--theirs", "it needs --mine; name both squads");
    LogSquads squads;
    if (question.mine) squads.push_back(question.mine->read(catalogue, given.cards, given.rules));
    if (question.theirs)
      squads.push_back(question.theirs->read_against(catalogue, squads.front(), given.cards || given.rules));
    return parse_log(catalogue, data::read_file(question.log.text), question.log.text, squads, given);
  }
  return question.log.kind == Value::Kind::Text ? parse_log(catalogue, question.log.text, "log", {}, given)
                                                : review::log_of_values(catalogue, question.log.items, "log", given);
}

Answer ask(const Catalogue& catalogue, const ReviewQuestion& question) try {
  const GameLog game = read_game(catalogue, question);
  const auto review = std::make_shared<const Review>(review_game(catalogue, game, question.answer));
  Answer out = answer_of(review, to_json, to_table);
  out.plot = [review] { return plot_luck(*review); };
  return out;
} catch (const LoadError& error) {
  if (question.answer.overrides.as_options) throw;
  throw ScenarioError("log", error.what());  // its line is not part of the message
}

}  // namespace

const Question kReview = {
    .name = "review",
    .what = for_people("Who was lucky? A game from its log."),
    .footer = for_people("\nLOG is text, as written at the table, or JSON lines (docs/review.md):\n"
                         "  player Ann\n"
                         "  luke: pilot=lukeskywalker\n"
                         "  player Bob\n"
                         "  vader: pilot=darthvader ship=tieadvancedx1\n"
                         "  round 1: luke focus lock=vader; vader focus\n"
                         "  luke > vader r2: hit focus blank; lock blank -> crit; focus | evade focus\n"
                         "After the | follows the defender. ? is an unknown result, = 2 the damage.\n\n"
                         "Example:\n"
                         "  salvo review profiles/logs/evening.txt --plot luck.svg"),
    .missing = for_people("no log; name a file, or - for standard input"),
    .plot = for_people("also draw luck over time"),
    .has_csv = false,
    .answers = for_people("review"),
    .example = for_people(R"([{"log": "player Ann\nx: attack=2 agility=1 hull=4\nplayer Bob\ny: attack=2 agility=1 )"
                          R"(hull=4\nx (focus) > y r2: hit focus; focus | blank\n"}])"),
    .begin = begin<ReviewQuestion>,
};

}  // namespace salvo::questions
