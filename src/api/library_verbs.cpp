// The verb about the library of cards.
#include <fmt/format.h>

#include "api/verbs.h"
#include "cards/check.h"
#include "cards/library.h"
#include "data/message.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "report/cards.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;

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

}  // namespace salvo::api
