// Finds ships, pilots and upgrades by printed name, part of a name, nickname or id.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "salvo/catalogue.h"

namespace salvo {

/// A ship, pilot or upgrade of a card set.
struct Named {
  std::string kind;  ///< "ship", "pilot" or "upgrade"
  std::string id;    ///< as used in scenarios
  std::string name;  ///< as printed on the card; the id if unknown
  bool operator==(const Named&) const = default;
};

/// How a text was interpreted.
enum class NameMatchKind {
  Unknown,    ///< no match
  Ambiguous,  ///< several matches
  Exact,      ///< the id, another spelling of it, or the whole name of only one card
  Likely      ///< a nickname, part of only one name, or the most common card of several with one name
};

/// The meaning of a text.
struct NameMatch {
  NameMatchKind kind = NameMatchKind::Unknown;
  bool whole = false;  ///< the text is a whole name, nickname or id rather than a part
  Named found;         ///< for Exact and Likely
  std::vector<Named>
      candidates;  ///< Ambiguous: all matches; Unknown: entries with similar spelling, most similar first
};

/// The meaning of `words` in a card set. Ignores case, accents, hyphens, blanks and quotes. `kind`: "ship", "pilot" or
/// "upgrade". `ship`: for a pilot the id of the ship, if known, to choose among several pilots named Han. Throws
/// LoadError for malformed profiles.
NameMatch find_name(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                    std::string_view card_set, std::string_view ship = {});

/// All entries of a kind that match all `words`: each word starts a word of the name, or the text is part of the name
/// or id, a nickname or an alias. Sorted by name. No words: all entries.
std::vector<Named> search_names(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                                std::string_view card_set);

/// The name printed on a card; the id if unknown.
std::string name_of(const Catalogue& catalogue, std::string_view kind, std::string_view id, std::string_view card_set);

/// "unknown pilot 'lukeskywalkr'; did you mean 'lukeskywalker' (Luke Skywalker)?", or "'han' may be ...; write the id
/// of one of them". For Unknown and Ambiguous matches.
std::string describe(const NameMatch& match, std::string_view kind, std::string_view words, std::string_view card_set);

}  // namespace salvo
