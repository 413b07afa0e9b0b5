// Rulebook: which rules of an edition are modelled, where they stand and what shows that they are.
// In: profiles/rules/documents.toml and <edition>.rules.toml, the edition's effects, its hazards. Out: a list that is
// checked against all of them, so that it names nothing that is not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/profiles.h"
#include "load/catalogue.h"

namespace salvo::load {

/// A rule document.
struct Document {
  std::string id;  ///< the number that sources begin with, as "000"
  std::string title, version, edition;
  std::vector<std::string> pages;
};

/// A page of a document, as in "000: Reinforce".
struct Reference {
  std::string document, page;
  bool operator==(const Reference&) const = default;
};

enum class State { Modelled, Partly, LeftOut };

/// A rule, or several that belong together.
struct Rule {
  std::string id;
  std::string says;    ///< in a few words
  std::string source;  ///< as in its file: "000: Attack, Roll Attack Dice; Agility"
  std::vector<Reference> references;
  State state = State::Modelled;
  std::string why;  ///< why it is left out, or what of it
  /// "effect:ID", "token:ID", "setting:NAME" and "hazard:ID" of the edition, "card:KIND/ID", "rulings:000 PAGE" (cases
  /// of tests/data/rulings.jsonl and editions.jsonl whose source names the page) and "test:NAME" (a test of the
  /// program, by its beginning).
  std::vector<std::string> proof;
};

/// All rules of an edition, those of its file first, then effects and hazards that the file does not name.
struct Book {
  const Edition* edition = nullptr;
  std::vector<Document> documents;  ///< those of the edition
  std::vector<Rule> rules;
  int count(State state) const;
  /// The rules of which all `words` are told, whatever their case. `left_out`: only those not, or not wholly, modelled.
  std::vector<Rule> select(const std::vector<std::string>& words, bool left_out) const;
  /// Pages of `document` that no rule names.
  std::vector<std::string> unclassified(const Document& document) const;
};

/// "modelled", "partly" or "left out".
std::string_view name_of(State state);

/// The pages that a source names: "000: Attack, Neutralize Results; Evade; 001: FAQ" has three.
std::vector<Reference> references_of(std::string_view source);

/// Throws LoadError: broken files, and rules that name a document, page, effect, token, setting, hazard or card that
/// there is not.
std::vector<Document> load_documents(const data::Profiles& profiles);
Book load_book(const Catalogue& catalogue, const Edition& edition);

}  // namespace salvo::load
