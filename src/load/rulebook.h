// Which rules of an edition are modelled, where they are printed, and what proves that they are modelled. The list is
// checked against rules/documents.toml, <edition>.rules.toml, the edition's effects and its hazards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/profiles.h"
#include "load/catalogue.h"

namespace salvo::load {

/// A rule document.
struct RulebookDocument {
  std::string id;  ///< the number that sources begin with, such as "000"
  std::string title, version, edition;
  std::vector<std::string> pages;
};

/// A page of a document, such as "000: Reinforce".
struct PageReference {
  std::string document, page;
  bool operator==(const PageReference&) const = default;
};

enum class RuleCoverage { Modelled, Partly, LeftOut };

/// A rule, or several that belong together.
struct RulebookRule {
  std::string id;
  std::string says;    ///< a short description
  std::string source;  ///< as in the file: "000: Attack, Roll Attack Dice; Agility"
  std::vector<PageReference> references;
  RuleCoverage state = RuleCoverage::Modelled;
  std::string why;  ///< why it is left out, or which part
  /// "effect:ID", "token:ID", "setting:NAME" and "hazard:ID" of the edition, "card:KIND/ID", "rulings:000 PAGE" (cases
  /// of tests/data/rulings.jsonl and editions.jsonl whose source names the page) and "test:NAME" (a test of the
  /// program, by its beginning).
  std::vector<std::string> proof;
};

/// All rules of an edition: those of its file, then effects and hazards that the file does not name.
struct Rulebook {
  const Edition* edition = nullptr;
  std::vector<RulebookDocument> documents;  ///< those of the edition
  std::vector<RulebookRule> rules;
  int count(RuleCoverage state) const;
  /// The rules whose description contains all `words`, ignoring case. `left_out`: only those not fully modelled.
  std::vector<RulebookRule> select(const std::vector<std::string>& words, bool left_out) const;
  /// Pages of `document` that no rule names.
  std::vector<std::string> unclassified(const RulebookDocument& document) const;
};

/// "modelled", "partly" or "left out".
std::string_view name_of(RuleCoverage state);

/// The pages that a source cites: "000: Attack, Neutralize Results; Evade; 001: FAQ" has three.
std::vector<PageReference> cited_pages(std::string_view source);

/// Throws LoadError for malformed files, and for rules that name an unknown document, page, effect, token, setting,
/// hazard or card.
std::vector<RulebookDocument> load_documents(const data::Profiles& profiles);
Rulebook load_rulebook(const Catalogue& catalogue, const Edition& edition);

}  // namespace salvo::load
