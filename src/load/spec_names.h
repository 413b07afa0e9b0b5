// Reads the names of ships, pilots and upgrades in a SPEC: of one word or several, as printed or in part.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "load/name_index.h"
#include "load/spec_draft.h"

namespace salvo::load {

/// A name that was read.
struct ReadName {
  std::size_t words = 0;  ///< 0: there is none
  std::string pair;       ///< the key with the name, if the name follows a key
};

class SpecNames {
 public:
  using Names = SpecVocabulary::Names;

  explicit SpecNames(SpecDraft& draft) : words_(draft.words), draft_(draft) {}

  /// Sets the ship whose pilots are searched.
  void find_flown(const std::string& text);
  /// Reads the longest name that starts with the word at `at`.
  ReadName read(const Names& words, std::size_t at);
  /// Whether the name of a pilot or ship begins with the word at `at`, which may be only a part of the name.
  bool begins_name(const Names& words, std::size_t at) const;
  /// Whether the name at `at` is a plural.
  bool begins_plural(const Names& words, std::size_t at) const;
  /// Checks the upgrades, and finds the ship that they need.
  void finish();

 private:
  /// What the text names, also in the plural.
  NameMatch named(std::string_view kind, const std::string& text, std::string_view ship = {}) const;
  /// The pilot of that name; of several, the one who flies the ship.
  NameMatch pilot_named(const std::string& text) const;
  /// Whether the text is a name of several words after ship=, pilot= or weapon=.
  bool is_named_value(const std::string& key, const std::string& text);
  /// Reads the name of a pilot, unless there is one already, of a ship or of an upgrade.
  bool read_bare_name(const std::string& text, bool one_word);
  /// Whether the name of an upgrade is rather that of another pilot: no pilot of the name read before can have
  /// the upgrade.
  bool is_rather_pilot(const std::string& text, const Named& upgrade) const;
  /// Throws LoadError if it is.
  void refuse_pilot(const std::string& text, const Named& upgrade) const;
  [[noreturn]] void fail_second(const char* kind, const std::string& text, const std::string& why = {}) const;
  /// Whether the matching pilot flies the named ship.
  bool may_fly(const NameMatch& match) const;
  /// The id of the pilot read; empty: none.
  std::string pilot_id() const;
  /// Reads which pilot of that name is meant in "Han Solo (Scum)", "Luke Skywalker (BoY)".
  bool read_which(const std::string& text);
  /// An upgrade that only another ship may have tells which of the pilots of that name is meant: "Hera Syndulla,
  /// Ghost". `given`: the upgrade as the SPEC spells it.
  void find_ship_of(const std::string& upgrade, const std::string& given);
  /// A ship of the same name is meant in place of an upgrade that has no ship, or that the pilot cannot have:
  /// "phantom focus", "Whisper phantom".
  void find_ship_in_upgrades();
  /// Throws LoadError if an upgrade that the ship cannot have names another ship: "phantom outrider focus".
  void refuse_other_ships(const ShipSpec& ship, const PilotSpec* pilot) const;
  /// Throws LoadError for a title or the like that belongs to other ships than this one, "Luke Skywalker, outrider",
  /// unless the ship has one of that name: "Poe Dameron, S-foils".
  void check_cards_of_ships();
  /// Notes what upgrades are read as. It comes last, since other words may change that.
  void note_upgrades();
  void take(const NameMatch& as_named, const std::string& text);
  [[noreturn]] void fail_parts(const std::string& text, const std::vector<NameMatch>& parts) const;
  /// Equal upgrades are possible in the first edition, if the pilot has the slots.
  void check_equal_upgrades() const;

  const SpecVocabulary& words_;
  SpecDraft& draft_;
  std::string pilot_text_;  ///< the pilot as the SPEC spells it
  bool which_ = false;      ///< whether words after the pilot's name distinguish it from others of that name
};

}  // namespace salvo::load
