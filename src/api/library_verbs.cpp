// The verbs about the data: ships, pilots, upgrades, weapons, cards, rules.
#include <fmt/format.h>

#include "api/verbs.h"
#include "cards/check.h"
#include "cards/finder.h"
#include "cards/library.h"
#include "data/message.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "report/cards.h"
#include "report/rulebook.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;

/// Answers with a list, which may be empty: programs send a request for every key that a user presses.
std::string find(Body& body, cards::Listed what) {
  const Node node = body.node();
  node.allow_only({"words", "cards"});
  const auto words = node.get("words");
  if (words && !words->is(Value::Kind::Text)) words->fail_kind("words in quotes");
  const auto set = body.overrides().cards;
  return report::to_json(cards::find(body.catalogue(), what, words ? words->value().text : "",
                                     set ? std::vector{*set} : cards::sets_with_ships(body.catalogue())));
}

const std::string& edition_id(const Catalogue& catalogue, const Node& node, std::string_view name, std::string& id) {
  if (const auto edition = node.get(name)) id = edition->one_of(catalogue.edition_ids());
  return id;
}

constexpr report::CardsFormat kJson{report::CardsFormat::Kind::Json};

std::string show(const Body& body, const std::string& set, const std::optional<std::string>& kind) {
  const std::string id = body.node().get("show")->text();
  return data::within(
      "show", [&] { return report::card_pages(cards::find_cards(body.catalogue(), set, kind, id), set, kJson); });
}

std::string check(const Body& body, const std::string& set, const std::string& rules) {
  const Node text = *body.node().get("check");
  if (!text.is(Value::Kind::Text)) text.fail_kind("a card as a text in TOML");
  return report::checked_cards({cards::check_card_text(body.catalogue(), text.value().text, "card", rules, set)},
                               kJson);
}

std::string list(const Body& body, const std::string& set, const std::optional<std::string>& kind) {
  const Node node = body.node();
  cards::CardFilter filter{kind};
  filter.words = texts_of(node, "search");
  node.read("partly", filter.partly);
  return report::card_list(cards::list_cards(body.catalogue(), set, filter), set, kJson);
}

}  // namespace

std::string ships(Body& body) { return find(body, cards::Listed::Ships); }
std::string pilots(Body& body) { return find(body, cards::Listed::Pilots); }
std::string upgrades(Body& body) { return find(body, cards::Listed::Upgrades); }
std::string weapons(Body& body) { return find(body, cards::Listed::Weapons); }

std::string cards(Body& body) {
  const Node node = body.node();
  node.allow_only({"show", "check", "list", "kind", "search", "partly", "cards", "rules"});
  std::string rules = "second-edition";
  edition_id(body.catalogue(), node, "rules", rules);
  const std::string set = body.catalogue().card_set(body.overrides().cards.value_or(""), rules);
  const auto kind = name_of(node, "kind", load::card_kinds());
  if (node.get("show")) return show(body, set, kind);
  if (node.get("check")) return check(body, set, rules);
  if (!node.get("list")) node.fail("say what is wanted: show, check or list");
  return list(body, set, kind);
}

std::string rules(Body& body) {
  const Node node = body.node();
  node.allow_only({"edition", "search", "left_out"});
  std::string id;
  if (edition_id(body.catalogue(), node, "edition", id).empty()) {
    if (node.get("search") || node.get("left_out")) node.fail("search and left_out need an edition");
    report::RuleSummary summary;
    for (const std::string& one : body.catalogue().edition_ids())
      summary.books.push_back(load::load_rulebook(body.catalogue(), *body.catalogue().edition(one)));
    return report::to_json(summary);
  }
  bool left_out = false;
  node.read("left_out", left_out);
  report::RuleList out{load::load_rulebook(body.catalogue(), *body.catalogue().edition(id)), {}};
  out.rules = out.book.select(texts_of(node, "search"), left_out);
  return report::to_json(out);
}

}  // namespace salvo::api
