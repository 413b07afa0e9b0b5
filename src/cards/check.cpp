#include "cards/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "cards/lint.h"
#include "cards/text_tags.h"
#include "compile/expression.h"
#include "load/card_data.h"

namespace salvo::cards {

namespace {

using data::Node;

constexpr std::size_t kLongestReason = 160;

/// The places of the names that the card's conditions and counts read.
using Names = std::map<std::string, Node>;

/// Throws at the key if its expression is not well-formed.
void check_expression(const std::optional<Node>& node, Names& names) {
  if (!node) return;
  try {
    for (const std::string& name : compile::names_read(node->text())) names.try_emplace(name, *node);
  } catch (const compile::ExpressionError& error) {
    node->fail(base::printable(error.what(), kLongestReason) + "; write facts and comparisons, joined by and, or, not");
  }
}

void check_operations(const std::optional<Node>& list, Names& names) {
  if (!list) return;
  for (const Node& operation : list->children()) {
    for (const char* key : {"amount", "min", "max"}) {
      const auto value = operation.get(key);
      if (value && value->is(data::Value::Kind::Text)) check_expression(value, names);
    }
  }
}

void check_offer(const Node& offer, Names& names) {
  check_expression(offer.get("when"), names);
  check_operations(offer.get("do"), names);
}

Names check_expressions(const load::CardFile& card) {
  Names names;
  const Node root = card.root();
  const auto effects = root.get("effect");
  if (!effects) return names;
  for (const Node& effect : effects->children()) {
    check_expression(effect.get("when"), names);
    check_expression(effect.get("times"), names);
    check_expression(effect.get("each"), names);
    check_operations(effect.get("do"), names);
    const auto unless = effect.get("unless");
    if (!unless) continue;
    if (unless->is(data::Value::Kind::Table)) check_offer(*unless, names);
    if (unless->is(data::Value::Kind::Array)) {
      for (const Node& offer : unless->children()) check_offer(offer, names);
    }
  }
  return names;
}

/// The dry run; an unknown name is reported at its place.
DryRun try_card_at(const Catalogue& catalogue, const load::CardFile& card, const Names& names, const std::string& rules,
                   const std::string& card_set) {
  try {
    return try_card(catalogue, card, rules, card_set);
  } catch (const UnknownName& error) {
    const auto at = names.find(error.name);
    if (at == names.end()) throw;
    at->second.fail(fmt::format("{} is not known to conditions;{}", base::in_quotes(error.name), error.remedy));
  }
}

std::vector<std::string> notes_on(const Catalogue& catalogue, const load::CardFile& card, const Names& names,
                                  const std::string& card_set) {
  std::vector<std::string> out;
  const load::CardSpec& spec = card.spec;
  for (const auto& [name, node] : names) {
    const bool told_by_scenario = name == "bonus-attack";  // a scenario says it by listing attacks
    if (catalogue.facts().contains(name) && !spec.facts.contains(name) && !told_by_scenario) {
      out.push_back(
          fmt::format("it reads the board fact {0} but does not say what is usual, so that it is taken as "
                      "not so; add facts = {{ {0} = false }} or true",
                      name));
    }
  }
  for (const auto& [name, usual] : spec.facts) {
    if (!names.contains(name)) out.push_back(fmt::format("no condition reads the fact {}; leave it out", name));
  }
  if (spec.effects.empty() && spec.tokens.empty() && spec.facedown == 0 && spec.locks == 1 && !spec.weapon &&
      spec.partly.empty())
    out.emplace_back("it has neither an [[effect]] nor a weapon");
  if (spec.kind == "pilot" && catalogue.ships_of_pilot(spec.id, card_set).empty()) {
    out.push_back(fmt::format("no ship has a pilot {}; a scenario can carry it with kind = \"upgrade\"", spec.id));
  }
  const load::CardSpec* known = catalogue.card(spec.kind, spec.id, card_set);
  const bool of_library = catalogue.profiles().holds(card.path, catalogue.root() / "cards");
  if (of_library) {
    const load::TextTags marks = load::read_text_tags(catalogue, card_set);
    const auto marked = marks.find({spec.kind, spec.id});
    if (marked != marks.end()) {
      for (std::string& note : notes_on_tags(spec, marked->second)) out.push_back(std::move(note));
    }
  }
  std::set<std::string> read;
  for (const auto& [name, node] : names) read.insert(name);
  for (std::string& note : notes_on_gaps(spec, read)) out.push_back(std::move(note));
  if (known != nullptr && !of_library) {
    out.push_back(fmt::format("with --card it takes the place of the {} {} of the library", spec.kind, spec.id));
  }
  return out;
}

/// Checks the card that `read` returns; reports the error that it throws.
CheckedCard check_read(const Catalogue& catalogue, const std::string& source, const load::Edition& edition,
                       const std::string& card_set, const std::function<load::CardFile()>& read) {
  CheckedCard out;
  out.file = source;
  try {
    const load::CardFile card = read();
    load::check_card_words(card, edition);
    const Names names = check_expressions(card);
    check_bonus_weapons(catalogue, card, card_set);
    out.words = describe_card(card, vocabulary_of(catalogue, card_set), catalogue.counted_facts());
    out.notes = notes_on(catalogue, card, names, card_set);
    std::set<std::string> known;
    for (const auto& [name, node] : names) known.insert(name);
    for (std::string& note : notes_on_effects(catalogue, card, known, edition)) out.notes.push_back(std::move(note));
    out.dry_run = try_card_at(catalogue, card, names, edition.id, card_set);
  } catch (const LoadError& error) {
    out.error = error.what();
  }
  return out;
}

}  // namespace

CheckedCard check_card(const Catalogue& catalogue, const std::string& file, const std::string& rules,
                       const std::string& card_set) {
  return check_read(catalogue, file, *catalogue.edition(rules), card_set,
                    [&] { return load::read_card_file(file, catalogue.facts()); });
}

CheckedCard check_card_text(const Catalogue& catalogue, std::string_view text, const std::string& source,
                            const std::string& rules, const std::string& card_set) {
  return check_read(catalogue, source, *catalogue.edition(rules), card_set,
                    [&] { return load::parse_card(text, source, catalogue.facts()); });
}

}  // namespace salvo::cards
