// The search index for the names of a card set (salvo/names.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_key.h"
#include "load/index_file.h"
#include "salvo/names.h"

namespace salvo::load {

/// A name in normalized forms. The views refer to the tables, to NameIndex::text and to NameIndex::ships_of_pilots.
struct NameEntry {
  std::string_view id, name;                ///< as in Named
  std::string_view key, words;              ///< name_key and name_words of the name
  std::string_view id_key;                  ///< name_key of the id
  std::uint32_t initials = 0;               ///< initials of the words as a bit set; two characters may share a bit
  std::span<const std::string_view> ships;  ///< ids of the ships of a pilot
  std::vector<std::string> nicknames;       ///< name_key of each
  std::vector<std::string> others;          ///< name_key of each alias
};

/// The names of a card set, each kind sorted by id. The tables must outlive it.
struct NameIndex {
  std::vector<NameEntry> ships, pilots, upgrades;
  std::vector<std::string_view> ships_of_pilots;  ///< storage for NameEntry::ships
  std::vector<char> text;                         ///< storage for keys and words

  /// The names of a kind: "ship", "pilot" or "upgrade". Empty for others.
  std::span<const NameEntry> of(std::string_view kind) const;
  /// The entry with an id, or nullptr.
  const NameEntry* find(std::string_view kind, std::string_view id) const;
};

/// The files that the index is made from. The last three cover all card sets, and may be empty.
struct NameTables {
  const IndexFile &ships, &pilots, &upgrades;
  const IndexFile &names, &nicknames, &aliases;
};

NameIndex make_name_index(const NameTables& tables);

/// As find_name(), but without candidates for an Unknown match, since finding similar names is much slower than finding
/// that there is no match.
NameMatch match_name(const NameIndex& index, std::string_view kind, std::string_view words, std::string_view ship = {});

/// Like match_name(), but also accepts the plural of a pilot or ship.
NameMatch match_plural(const NameIndex& index, std::string_view kind, std::string_view words,
                       std::string_view ship = {});

/// ` did you mean Luke Skywalker or Anakin Skywalker?`: similar names, of the first kind that has any; empty if no kind
/// has.
std::string did_you_mean_card(const Catalogue& catalogue, std::string_view text, std::string_view card_set,
                              std::initializer_list<const char*> kinds = {"pilot", "ship"});

/// Whether search_names() finds the entry.
bool is_found_by(const NameEntry& entry, std::string_view words);

/// The tab-separated columns of a row.
std::vector<std::string> columns(std::string_view row);

}  // namespace salvo::load
