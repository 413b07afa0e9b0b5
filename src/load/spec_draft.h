// A SPEC while it is read: its trees so far, and what was seen of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/value.h"
#include "load/spec_reader.h"
#include "load/spec_vocabulary.h"
#include "load/specs.h"

namespace salvo::load {

struct SpecDraft {
  const SpecVocabulary& words;
  const GivenSpec& spec;
  Role role;
  ParsedSpec out = {};
  SpecVocabulary::Names seen = {};  ///< keys, tokens and kinds of names
  data::Value upgrades = data::Value::array();
  struct GivenUpgrade {
    std::string text;      ///< as the SPEC spells it
    bool guessed = false;  ///< a note says what it is read as
  };
  std::vector<GivenUpgrade> given_upgrades = {};  ///< for each of `upgrades`
  bool pilot = false;                             ///< whether the pilot is named
  std::string flown = {};                         ///< the ship, if named
  std::string before = {}, after = {};            ///< the words around the current one

  void add_upgrade(const std::string& id, const std::string& given, bool guessed = false);
  /// Whether the ship is part of a single attack, which words may describe.
  bool single_attack() const { return role == Role::Attacker || role == Role::Defender; }

  /// Throw LoadError with the place of the SPEC.
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_word(std::string_view word, const std::string& why) const;
  [[noreturn]] void fail_unknown(const std::string& word) const;
  /// What to write instead of a word, or of it and the next one; empty if unknown.
  std::string remedy_of(const std::string& word) const;
  /// What to write for a chance that a blank separates from its key, "focus 50%"; empty for any other word.
  std::string remedy_of_chance(const std::string& word) const;
  /// What to write for tokens with a number, "double focus" and "focusx2", or for a range, "r2"; empty: it is neither.
  std::string remedy_of_number(const std::string& word) const;
  /// What to write for words or names with a slash between them.
  std::string remedy_of_slash(const std::string& word) const;
  /// The token that people mean by another word, such as "focused"; empty: none.
  std::string token_meant_by(const std::string& word) const;
  /// Whether people mean a token that only other editions have.
  bool is_other_token(const std::string& word) const;
  /// How to separate ships, where there may be several; else empty.
  std::string hint_of_ships() const { return role == Role::Fighter ? ", with | between them" : ""; }
};

}  // namespace salvo::load
