// The names of a card set, in the forms that are compared: see salvo/names.h.
// In: the tables of the profiles. Out: an index that the catalogue keeps for each card set.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "load/index_file.h"
#include "salvo/names.h"

namespace salvo::load {

/// Lower-case letters and digits alone, accents dropped: "Fire-Control System" and "firecontrolsystem" are the same.
std::string name_key(std::string_view text);

/// The words of a text in the form of name_key: "T-65 X-wing" has t, 65, x, wing.
std::vector<std::string> name_words(std::string_view text);

/// A name in the forms that are compared.
struct NameEntry {
  Named named;
  std::string key, id_key;             ///< name_key of name and id
  std::vector<std::string> words;      ///< of the name
  std::vector<std::string> nicknames;  ///< name_key of each
  std::vector<std::string> others;     ///< other ids for it
  std::vector<std::string> ships;      ///< of a pilot
};

/// Of a card set, by kind and then id.
struct NameIndex {
  std::vector<NameEntry> entries;
};

/// The files that it is made from. The last three hold all card sets, and need not be there.
struct NameTables {
  const Index &ships, &pilots, &upgrades;
  const Index &names, &nicknames, &aliases;
};

NameIndex make_name_index(const NameTables& tables);

/// A row of aliases.tsv, nicknames.tsv or names.tsv: what stands between tabs.
std::vector<std::string> columns(std::string_view row);

}  // namespace salvo::load
