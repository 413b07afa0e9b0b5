// The library of cards. The command `cards` has subcommands and is not made from these fields.

#include "report/cards.h"
#include "base/index.h"
#include "cards/check.h"
#include "cards/library.h"
#include "data/message.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "questions/question.h"

namespace salvo::questions {
namespace {

using data::Node;

struct CardsQuestion : Common {
  std::optional<std::string> show, check;
  bool list = false;
  cards::CardFilter filter;
};

void describe(CardsQuestion& question, FieldList& list) {
  const auto key = [](const char* name, const char* meaning) { return Name(name, nullptr, nullptr, meaning, meaning); };
  list.text(key("show", "id of a card"), question.show);
  list.add(key("check", "a home-made card in TOML"), Kind::Text, [&question](const Node& node) {
    if (!node.is(data::Value::Kind::Text)) node.fail_kind("a card as a text in TOML");
    question.check = node.value().text;
  });
  list.add(key("list", "all cards of the set"), Kind::Flag, [&question](const Node&) { question.list = true; });
  list.choice(key("kind", "only this kind"), load::card_kinds(),
              [&question](std::size_t i) { question.filter.kind = load::card_kinds()[i]; });
  list.texts(key("search", "words that must all occur"), question.filter.words);
  list.flag(key("partly", "only cards that are partly modelled"), question.filter.partly);
  describe_rules(question.answer.overrides, list);
  describe_cards(question, list);
  describe_engines(question, {}, list);
  describe_threads(question.answer, nullptr, list);
}

std::string text_of(const Catalogue& catalogue, const CardsQuestion& question) {
  constexpr report::CardsFormat json{report::CardsFormat::Kind::Json};
  const Overrides& given = question.answer.overrides;
  const std::string rules = given.rules.value_or("second-edition");
  const std::vector<std::string> editions = catalogue.edition_ids();
  if (!base::contains(editions, rules)) throw FieldError("rules", data::not_among(rules, editions));
  const std::string set = catalogue.card_set(given.cards.value_or(""), rules);
  if (question.show) {
    return data::within("show", [&] {
      return report::card_pages(cards::find_cards(catalogue, set, question.filter.kind, *question.show), set, json);
    });
  }
  if (question.check)
    return report::checked_cards({cards::check_card_text(catalogue, *question.check, "card", rules, set)}, json);
  if (!question.list) throw LoadError("say what is wanted: show, check or list");
  return report::card_list(cards::list_cards(catalogue, set, question.filter), set, json);
}

Answer ask(const Catalogue& catalogue, const CardsQuestion& question) {
  return {.json = [text = text_of(catalogue, question)] { return text; }, .csv = {}, .table = {}};
}

}  // namespace

const Question kCards = {
    .name = "cards",
    .what = for_people("The library of cards."),
    .footer = nullptr,
    .missing = nullptr,
    .example = for_people(R"([{"show": "predator"}, {"list": true, "search": "reroll"}])"),
    .begin = begin<CardsQuestion>,
};

}  // namespace salvo::questions
