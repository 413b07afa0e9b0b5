// Catalogue: the data of the game - editions, damage decks, ships, cards - that questions refer to by id.
// In: the profiles folder, and cards and rules of one's own. Out: what every question is asked of.
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

// What the files hold; the rooms of the library define these in load/catalogue.h.
namespace load {
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

/// What a card set was imported from. Empty texts: the profiles do not say.
struct DataSet {
  std::string name;  ///< "xwing-data2 3.9.1"
  std::string date;  ///< "2025-01-21"
};

/// The data of the game. Making one opens no file: each is read when something first refers to it, and kept.
///
/// Threads: const members may be called from any number of threads at once, so one catalogue serves all questions.
/// add_card() and its kin must not run while another thread uses the same catalogue: add to a copy.
///
/// Copies are cheap: a copy shares the files that have been read (and those read later, by either) and starts with
/// the same cards and rules of one's own. What is then added to one of the two is not seen by the other. So a question
/// with cards of its own takes a copy:
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
  /// The profiles found by find_profiles(). Throws LoadError when there are none.
  Catalogue();
  /// `profiles`: the folder that holds rules/, ships/, cards/. Throws LoadError when it is not one.
  explicit Catalogue(std::filesystem::path profiles);
  /// The profiles of a pack (profiles.pack, as the build makes it) given as bytes: no file is opened, then or later.
  /// Throws LoadError when they are no pack of this version.
  static Catalogue of_pack(std::string bytes);
  ~Catalogue();
  Catalogue(const Catalogue&);
  Catalogue& operator=(const Catalogue&);
  Catalogue(Catalogue&&) noexcept;
  Catalogue& operator=(Catalogue&&) noexcept;

  /// The profiles folder: the environment's SALVO_PROFILES, beside the program, share/salvo/profiles of the prefix in
  /// which program or library are installed, or the source tree that the library was built from. Throws LoadError
  /// that lists the places searched.
  static std::filesystem::path find_profiles();
  /// The folder of the profiles; of a pack a name only.
  const std::filesystem::path& root() const;

  // ---- Cards and rules of one's own ------------------------------------------------------------------------------

  /// Adds a home-made card from a file anywhere (docs/cards.md has the words). In every card set it takes the place of
  /// the card of its kind and id. Throws LoadError: not a card file, or a second one for the same card.
  void add_card(const std::string& path);
  /// The same from text in TOML; `source` names it in messages.
  void add_card_text(std::string_view text, const std::string& source);
  /// Adds an edition of one's own - other dice, other tokens - from a file like profiles/rules/second-edition.toml;
  /// scenarios name it by its id, as `rules = "my-edition"`. It has no damage decks and hazards. Returns the id.
  /// Throws LoadError: not an edition, or the id is taken.
  std::string add_rules(const std::string& path);
  /// The same from text in TOML; `source` names it in messages.
  std::string add_rules_text(std::string_view text, const std::string& source);

  // ---- What there is ---------------------------------------------------------------------------------------------
  // Lists of ids, in alphabetical order unless it says otherwise; slow the first time, for they read folders and
  // indexes. Throw LoadError when a file of the profiles is broken. Unknown editions and card sets have empty lists.

  /// Editions, those of one's own at the end: what `rules` of a scenario may be.
  std::vector<std::string> edition_ids() const;
  /// Damage decks of an edition, each followed by its other names: what `damage_deck` may be beside "none".
  std::vector<std::string> deck_ids(std::string_view edition) const;
  /// All card sets, the usual one first: what `cards` of a scenario may be.
  static const std::vector<std::string>& card_sets();
  /// The card set that `cards` of a scenario means: itself or, where it is empty, the usual one of the rules.
  std::string card_set(std::string_view cards, std::string_view rules) const;
  /// What the card set was imported from; one that has no date of its own has that of the set it is based on.
  DataSet data_set(std::string_view card_set) const;
  std::vector<std::string> ship_ids(std::string_view card_set) const;
  std::vector<std::string> pilot_ids(std::string_view card_set) const;
  /// Upgrades that the card set has, modelled or not, and those of one's own at the end.
  std::vector<std::string> upgrade_ids(std::string_view card_set) const;
  std::vector<std::string> condition_ids(std::string_view card_set) const;  ///< those that have a file
  /// The ships that a pilot flies; empty when the card set has no such pilot.
  std::vector<std::string> ships_of_pilot(std::string_view id, std::string_view card_set) const;
  /// True when the card set has an upgrade of that id, modelled or not, or it is one of one's own.
  bool upgrade_exists(std::string_view id, std::string_view card_set) const;
  /// Other ids for the same `kind` ("ship", "pilot" or "upgrade") of thing, as card sets and squad builders spell it.
  std::vector<std::string> aliases(std::string_view kind, std::string_view id) const;
  /// Board facts that cards and rules may ask about ("bullseye"), by name with a short meaning.
  const std::map<std::string, std::string>& facts() const;
  /// Those of them that can be stated with a number ("enemy-near-attacker = 2"): what there can be several of.
  const std::set<std::string>& counted_facts() const;

  // ---- For the library's own rooms -------------------------------------------------------------------------------
  // What the files hold, in types that are not part of the public headers. Pointers are null where there is no such
  // thing, and stay good as long as this catalogue. All throw LoadError for a broken file.

  const data::Profiles& profiles() const;
  const load::Edition* edition(std::string_view id) const;
  /// The damage deck of an edition that has this id or other name.
  const load::DeckSpec* deck(std::string_view id, std::string_view edition) const;
  const load::ShipSpec* ship(std::string_view id, std::string_view card_set) const;
  /// The card of kind "upgrade", "pilot" or "ship". Kind "aid": an effect that is no card, which a scenario gives a
  /// ship to find out what it is worth. Kind "charges": an upgrade without a file, of which its charges are known.
  const load::CardSpec* card(std::string_view kind, std::string_view id, std::string_view card_set) const;
  /// Whether a card ("upgrade", "pilot", "ship" for a ship ability) can change dice, tokens or damage, as
  /// cards/relevant.tsv knows; empty: nobody has said.
  std::optional<bool> relevant(std::string_view kind, std::string_view id, std::string_view card_set) const;
  /// Slots and cost of an upgrade of the card set; empty when it is not one.
  std::optional<load::UpgradeCost> upgrade_cost(std::string_view id, std::string_view card_set) const;
  /// The names of a card set, without cards of one's own: for find_name() and its kin.
  const load::NameIndex& names(std::string_view card_set) const;
  /// Adds a card as add_card() does, or replaces the one that was added before.
  void replace_card(load::CardSpec card);

 private:
  explicit Catalogue(data::Profiles profiles);

  struct Files;
  struct Own;
  std::shared_ptr<Files> files_;  ///< what has been read of the profiles; shared by copies
  std::unique_ptr<Own> own_;      ///< cards and rules of one's own
};

}  // namespace salvo
