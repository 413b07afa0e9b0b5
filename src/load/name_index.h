// The names of a card set, in the forms that are compared: see salvo/names.h.
// In: the tables of the profiles. Out: an index that the catalogue keeps for each card set.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_key.h"
#include "load/index_file.h"
#include "salvo/names.h"

namespace salvo::load {

/// A name in the forms that are compared. The views are of the tables and of the index.
struct NameEntry {
  std::string_view id, name;            ///< as in Named
  std::string_view key, words;          ///< name_key and name_words of the name
  std::string_view id_key;              ///< name_key of the id
  std::uint32_t initials = 0;           ///< of the words, a bit for each character or for two
  std::vector<std::string_view> ships;  ///< of a pilot
  std::vector<std::string> nicknames;   ///< name_key of each
  std::vector<std::string> others;      ///< name_key of each other id for it
};

/// Of a card set, each kind in order of id. The tables have to outlive it.
struct NameIndex {
  std::vector<NameEntry> ships, pilots, upgrades;
  std::vector<char> text;  ///< keys and words of all

  /// `kind`: "ship", "pilot" or "upgrade"; of another there are none.
  std::span<const NameEntry> of(std::string_view kind) const;
  /// The entry of an id, or nullptr.
  const NameEntry* find(std::string_view kind, std::string_view id) const;
};

/// The files that it is made from. The last three hold all card sets, and need not be there.
struct NameTables {
  const Index &ships, &pilots, &upgrades;
  const Index &names, &nicknames, &aliases;
};

NameIndex make_name_index(const NameTables& tables);

/// As find_name, but a match that is Unknown has no candidates: to find what is spelled nearly so takes far longer than
/// to find that nothing has the name.
NameMatch match_name(const NameIndex& index, std::string_view kind, std::string_view words, std::string_view ship = {});

/// A row of aliases.tsv, nicknames.tsv or names.tsv: what stands between tabs.
std::vector<std::string> columns(std::string_view row);

}  // namespace salvo::load
