// The data of the game - editions, damage decks, ships, cards - that scenarios refer to by id.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/errors.h"

namespace salvo {

// Contents of the files, defined in load/catalogue.h, which is not public.
namespace load {
class DerivedData;  // load/derived_data.h
class IndexFile;    // load/index_file.h
struct CardSet;     // load/profile.h
struct CardSpec;
struct DeckSpec;
struct Edition;
struct ShipSpec;
struct UpgradeCost;
struct NameIndex;  // load/name_index.h
}  // namespace load
namespace data {
class Profiles;  // data/profiles.h
}  // namespace data

/// The data set that a card set was imported from. Empty: not stated in the profiles.
struct DataSet {
  std::string name;  ///< "xwing-data2 3.9.1"
  std::string date;  ///< "2025-01-21"
};

/// The data of the game. Construction opens no file: each is read, and cached, when something first refers to it.
///
/// Threads: const members may be called from any number of threads at once, so one catalogue serves a whole program.
/// add_card() and add_rules() must not run while another thread uses the same catalogue: add to a copy.
///
/// Copies are cheap: a copy shares the cached files and starts with the same user-defined cards and rules, but later
/// additions to one do not affect the other. So use a copy for a scenario with its own cards:
///
///     Catalogue mine = catalogue;
///     mine.add_card_text(text, "my card");
///     answer(mine, scenario);
///
/// Card sets and editions: ids of ships, pilots and upgrades belong to a card set ("xwa", "2025", "legacy",
/// "first-edition", "first-edition-4.2.3"), dice and tokens to an edition ("second-edition", "first-edition", ...). Ids
/// are those of XWS: lower-case letters, digits and hyphens.
class Catalogue {
 public:
  /// Uses the profiles that find_profiles() finds. Throws LoadError if there are none.
  Catalogue();
  /// `profiles`: the folder that contains rules/, ships/ and cards/. Throws LoadError if it does not.
  explicit Catalogue(std::filesystem::path profiles);
  /// Uses the bytes of a pack (profiles.pack, made by the build). Never opens a file. Throws LoadError if they are not
  /// a pack of this version.
  static Catalogue of_pack(std::string bytes);
  ~Catalogue();
  Catalogue(const Catalogue&);
  Catalogue& operator=(const Catalogue&);
  Catalogue(Catalogue&&) noexcept;
  Catalogue& operator=(Catalogue&&) noexcept;

  /// The profiles folder: $SALVO_PROFILES, else beside the program, in share/salvo/profiles of the install prefix of
  /// program or library, or in the source tree that the library was built from. Throws a LoadError that lists the
  /// places searched.
  static std::filesystem::path find_profiles();
  /// The profiles folder; merely a name for a pack.
  const std::filesystem::path& root() const;

  // ---- User-defined cards and rules ------------------------------------------------------------------------------

  /// Adds a card from any file (format: docs/cards.md). It replaces the card of its kind and id in every card set.
  /// Throws LoadError if it is not a card file, or the second one for the same card.
  void add_card(const std::string& path);
  /// The same from text in TOML; `source` names it in messages.
  void add_card_text(std::string_view text, const std::string& source);
  /// Adds an edition, with other dice or tokens, from a file like profiles/rules/second-edition.toml. Scenarios name it
  /// by its id: `rules = "my-edition"`. It has no damage decks or hazards. Returns the id. Throws LoadError if the file
  /// is not an edition, or the id is taken.
  std::string add_rules(const std::string& path);
  /// The same from text in TOML; `source` names it in messages.
  std::string add_rules_text(std::string_view text, const std::string& source);

  // ---- Contents --------------------------------------------------------------------------------------------------
  // Lists of ids, sorted unless stated otherwise. The first call is slow, since it reads folders and indexes. All throw
  // LoadError for malformed profiles. Lists of unknown editions and card sets are empty.

  /// Editions, user-defined ones last: the values of `rules` in a scenario.
  std::vector<std::string> edition_ids() const;
  /// Damage decks of an edition, each followed by its other names: the values of `damage_deck` besides kNoDeck.
  std::vector<std::string> deck_ids(std::string_view edition) const;
  /// All card sets, the default first: the values of `cards` in a scenario.
  static const std::vector<std::string>& card_sets();
  /// The card set that `cards` of a scenario means: itself, or if empty the default of the edition.
  std::string card_set(std::string_view cards, std::string_view rules) const;
  /// The data set that the card set, or else the set it is based on, was imported from.
  DataSet data_set(std::string_view card_set) const;
  std::vector<std::string> ship_ids(std::string_view card_set) const;
  std::vector<std::string> pilot_ids(std::string_view card_set) const;
  /// Upgrades of the card set, modelled or not, and then user-defined ones.
  std::vector<std::string> upgrade_ids(std::string_view card_set) const;
  std::vector<std::string> condition_ids(std::string_view card_set) const;  ///< those with a card file
  /// The ships that a pilot flies; empty if the card set has no such pilot.
  std::vector<std::string> ships_of_pilot(std::string_view id, std::string_view card_set) const;
  /// Whether the card set has an upgrade with that id, modelled or not, or it is user-defined.
  bool upgrade_exists(std::string_view id, std::string_view card_set) const;
  /// Other ids for the same ship, pilot or upgrade, as card sets and squad builders spell it. `kind`: "ship", "pilot"
  /// or "upgrade".
  std::vector<std::string> aliases(std::string_view kind, std::string_view id) const;
  /// Board facts that cards and rules may refer to ("bullseye"): name and short meaning.
  const std::map<std::string, std::string>& facts() const;
  /// Those of them that may be stated with a number ("enemy-near-attacker = 2").
  const std::set<std::string>& counted_facts() const;
  /// Those that are false while the attacker, or the defender, is the only ship of its side.
  const std::set<std::string>& facts_of_attackers_friends() const;
  const std::set<std::string>& facts_of_defenders_friends() const;
  /// Those about the range and arcs of other ships, which the facts friends-in-reach and enemies-in-reach imply.
  const std::set<std::string>& facts_of_reach() const;
  /// Those of facts_of_reach() about the defender and another ship; the rest are about the attacker and one.
  const std::set<std::string>& facts_of_defenders_reach() const;

  // ---- Internal --------------------------------------------------------------------------------------------------
  // Contents of the files, in types that are not public. Pointers are null if there is no such entry, and remain valid
  // as long as this catalogue. All throw LoadError for a malformed file.

  const data::Profiles& profiles() const;
  /// Rows of a .tsv file of the profiles ("cards/relevant.tsv"). Throws LoadError if they lack it.
  const load::IndexFile& index(const std::string& file) const;
  /// The same; no rows if the profiles lack it, as those of a user's own game may.
  const load::IndexFile& optional_index(const std::string& file) const;
  /// Cards of a derived set with the same text as a card of its base: "pilot/fennrau-armedanddangerous",
  /// "pilot/fennrau". From same.tsv of the card set.
  const load::IndexFile& same_cards(const load::CardSet& set) const;
  const load::Edition* edition(std::string_view id) const;
  /// The damage deck of an edition with this id or other name.
  const load::DeckSpec* deck(std::string_view id, std::string_view edition) const;
  const load::ShipSpec* ship(std::string_view id, std::string_view card_set) const;
  /// The card of kind "upgrade", "pilot", "ship" or "condition". Kind "aid": an effect without a card, added to a ship
  /// to measure its worth. Kind "charges": an upgrade without a card file whose charges are known.
  const load::CardSpec* card(std::string_view kind, std::string_view id, std::string_view card_set) const;
  /// Whether a card ("upgrade", "pilot", "ship" for a ship ability) can change dice, tokens or damage, according to
  /// cards/relevant.tsv; empty: not classified.
  std::optional<bool> relevant(std::string_view kind, std::string_view id, std::string_view card_set) const;
  /// Slots and cost of an upgrade; empty if the card set lacks it.
  std::optional<load::UpgradeCost> upgrade_cost(std::string_view id, std::string_view card_set) const;
  /// The names of a card set without user-defined cards, for find_name() and search_names().
  const load::NameIndex& names(std::string_view card_set) const;
  /// Adds a card as add_card() does, or replaces one added before.
  void replace_card(load::CardSpec card);
  /// What higher rooms have prepared from this catalogue, user-defined cards included. Dropped when cards or rules are
  /// added; a copy starts without it.
  const load::DerivedData& prepared() const;

 private:
  explicit Catalogue(data::Profiles profiles);

  struct Files;
  struct Own;
  std::shared_ptr<Files> files_;  ///< cached files of the profiles; shared by copies
  std::unique_ptr<Own> own_;      ///< user-defined cards and rules
};

}  // namespace salvo
