// Ships, pilots, upgrades and weapons by name.

#include "cards/finder.h"
#include "questions/question.h"
#include "report/cards.h"

namespace salvo::questions {
namespace {

struct NamesQuestion : Common {
  explicit NamesQuestion(cards::Listed listed) : what(listed) {}
  cards::Listed what;
  std::string words;
};

template <cards::Listed listed>
struct Listing : NamesQuestion {
  Listing() : NamesQuestion(listed) {}
};

void describe(NamesQuestion& question, FieldList& list) {
  list.add({"words", "WORDS", nullptr, "name, part of it, nickname or id (default: all)"}, Kind::Words,
           [&question](const data::Node& node) {
             if (!node.is(data::Value::Kind::Text)) node.fail_kind("words in quotes");
             question.words = node.value().text;
           });
  describe_card_set(question.answer.overrides, "only this card set (default: all of them)", list);
  describe_cards(question, list);
  list.last().name.option = nullptr;
}

/// The command refuses words that find nothing. The list of a request may be empty: programs send a request for every
/// key that a user presses.
Answer ask(const Catalogue& catalogue, const NamesQuestion& question) {
  const Overrides& given = question.answer.overrides;
  const auto list = std::make_shared<const cards::FoundList>(
      cards::find(catalogue, question.what, question.words,
                  given.cards ? std::vector{*given.cards} : cards::sets_with_ships(catalogue)));
  if (given.as_options && list->rows.empty()) throw LoadError(cards::nothing_found(*list));
  return answer_of(list, report::to_json, report::to_csv, report::to_table);
}

template <cards::Listed listed>
constexpr Question names(const char* name, const char* does, const char* footer) {
  return {.name = name,
          .what = does,
          .footer = for_people(footer),
          .missing = nullptr,
          .may_take_long = false,
          .answers = for_people("names"),
          .example = for_people(R"([{"words": "wing"}, {}])"),
          .begin = begin<Listing<listed>>};
}

}  // namespace

const Question kShips = names<cards::Listed::Ships>(
    "ships", "Find ships by name.", "\nExamples:\n  salvo ships x-wing\n  salvo ships falcon --cards legacy");
const Question kPilots =
    names<cards::Listed::Pilots>("pilots", "Find pilots by name.",
                                 "\nExamples:\n  salvo pilots luke\n  salvo pilots 'Han Solo' --cards first-edition");
const Question kUpgrades = names<cards::Listed::Upgrades>(
    "upgrades", "Find upgrades by name.", "\nExamples:\n  salvo upgrades fire-control\n  salvo upgrades FCS");
const Question kWeapons =
    names<cards::Listed::Weapons>("weapons", "Find torpedoes, cannons and the like by name.",
                                  "\nExamples:\n  salvo weapons torpedoes\n  salvo weapons --cards first-edition");

}  // namespace salvo::questions
