// Which rules are modelled, and which are left out.
#include "base/index.h"
#include "data/message.h"
#include "questions/question.h"
#include "report/rulebook.h"

namespace salvo::questions {
namespace {

struct RulesQuestion : Common {
  std::string edition;  ///< empty: a summary of all
  bool left_out = false;
  std::vector<std::string> search;  ///< only rules with all of these words
};

void describe(RulesQuestion& question, FieldList& list) {
  list.text({"edition", "EDITION", nullptr, "list its rules", "the edition whose rules are listed"}, question.edition);
  list.flag({"left_out", "--left-out", nullptr, "only rules that are not or only partly modelled"}, question.left_out);
  list.texts({"search", "--search", "WORD", "only rules with this word; repeatable", "only rules with these words"},
             question.search);
  describe_cards(question, list);
  list.last().name.option = nullptr;
}

load::Rulebook book_of(const Catalogue& catalogue, const std::string& edition) {
  return load::load_rulebook(catalogue, *catalogue.edition(edition));
}

Answer ask(const Catalogue& catalogue, const RulesQuestion& question) {
  const std::vector<std::string> editions = catalogue.edition_ids();
  if (question.edition.empty()) {
    if (question.left_out || !question.search.empty())
      throw FieldError(question.left_out ? "left_out" : "search", "it needs an edition, such as second-edition");
    const auto summary = std::make_shared<report::RuleSummary>();
    for (const std::string& id : editions) summary->books.push_back(book_of(catalogue, id));
    return answer_of<report::RuleSummary>(summary, report::to_json, report::to_csv, report::to_table);
  }
  if (!base::contains(editions, question.edition))
    throw FieldError("edition", data::not_among(question.edition, editions));
  const auto list = std::make_shared<report::RuleList>(report::RuleList{book_of(catalogue, question.edition), {}});
  list->rules = list->book.select(question.search, question.left_out);
  return answer_of<report::RuleList>(list, report::to_json, report::to_csv, report::to_table);
}

}  // namespace

const Question kRules = {
    .name = "rules",
    .what = for_people("Which rules are modelled, and which are left out."),
    .footer = for_people("\nWithout EDITION, lists the editions and their documents; with it, its rules,\n"
                         "each with its place in them and the test that shows it is modelled.\n\n"
                         "Examples:\n"
                         "  salvo rules second-edition --left-out\n"
                         "  salvo rules second-edition --search reinforce"),
    .missing = nullptr,
    .may_take_long = false,
    .answers = for_people("rules"),
    .example = for_people(R"([{"edition": "second-edition", "search": "range"}, {}])"),
    .begin = begin<RulesQuestion>,
};

}  // namespace salvo::questions
