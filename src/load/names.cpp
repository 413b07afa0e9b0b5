#include "salvo/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "load/name_index.h"

namespace salvo {
namespace load {
std::vector<std::string> columns(std::string_view row) {
  const std::vector<std::string_view> parts = base::split(row, '\t');
  return {parts.begin(), parts.end()};
}

namespace {

/// A nickname with several ids means the first one in the card set.
template <typename Find>
void add_nicknames(const IndexFile& rows, Find find) {
  for (const auto [kind, row] : rows) {
    const std::vector<std::string_view> ids = base::split(row, '\t');
    NameEntry* meant = nullptr;
    for (std::size_t i = 1; i < ids.size() && meant == nullptr; ++i) meant = find(kind, ids[i]);
    if (meant != nullptr) meant->nicknames.push_back(base::name_key(ids[0]));
  }
}

template <typename Find>
void add_aliases(const IndexFile& rows, Find find) {
  for (const auto [kind, row] : rows) {
    const std::vector<std::string_view> ids = base::split(row, '\t');
    for (const std::string_view own : ids) {
      NameEntry* const entry = find(kind, own);
      if (entry == nullptr) continue;
      for (const std::string_view id : ids) {
        if (id != own) entry->others.push_back(base::name_key(id));
      }
    }
  }
}

/// The entries of a kind, or nullptr.
template <typename AnyIndex>
auto* list_of(AnyIndex& index, std::string_view kind) {
  return kind == "ship"      ? &index.ships
         : kind == "pilot"   ? &index.pilots
         : kind == "upgrade" ? &index.upgrades
                             : nullptr;
}

/// The entry with an id, or nullptr.
template <typename AnyIndex>
auto entry_in(AnyIndex& index, std::string_view kind, std::string_view id) -> decltype(index.ships.data()) {
  auto* const entries = list_of(index, kind);
  if (entries == nullptr) return nullptr;
  const auto at = std::lower_bound(entries->begin(), entries->end(), id,
                                   [](const NameEntry& entry, std::string_view x) { return entry.id < x; });
  return at == entries->end() || at->id != id ? nullptr : &*at;
}

/// Sets the printed names of entries. Both lists are sorted by id.
void add_printed(const IndexFile& names, std::string_view kind, std::vector<NameEntry>& entries) {
  auto entry = entries.begin();
  for (const std::string_view row : names.of(kind)) {
    const auto [id, name] = base::cut(row, '\t');
    while (entry != entries.end() && entry->id < id) ++entry;
    if (entry != entries.end() && entry->id == id && id.size() < row.size()) entry->name = name;
  }
}

/// NameEntry::initials of normalized words.
std::uint32_t initials_of(std::string_view words) {
  std::uint32_t out = 0;
  for (std::size_t at = 0; at < words.size(); at = std::min(words.find(' ', at + 1), words.size()))
    out |= 1u << (static_cast<unsigned char>(words[at + 1]) & 31u);
  return out;
}

/// Computes the normalized forms of names and ids.
void add_forms(NameIndex& index) {
  const std::array lists{&index.ships, &index.pilots, &index.upgrades};
  std::size_t most = 1;
  for (const auto* list : lists) {
    for (const NameEntry& entry : *list) most += entry.id.size() + 2 * entry.name.size() + 1;
  }
  index.text.resize(most);
  char* end = index.text.data();
  const auto form = [&](std::string_view text, auto write) {
    char* const begin = std::exchange(end, write(text, end));
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  for (auto* list : lists) {
    for (NameEntry& entry : *list) {
      entry.words = form(entry.name, base::write_name_words);
      entry.key = form(entry.words, [](std::string_view words, char* out) {
        return std::remove_copy(words.begin(), words.end(), out, ' ');
      });
      entry.id_key = form(entry.id, base::write_name_key);
      entry.initials = initials_of(entry.words);
    }
  }
}

}  // namespace

std::span<const NameEntry> NameIndex::of(std::string_view kind) const {
  const auto* const entries = list_of(*this, kind);
  return entries == nullptr ? std::span<const NameEntry>() : *entries;
}

const NameEntry* NameIndex::find(std::string_view kind, std::string_view id) const { return entry_in(*this, kind, id); }

NameIndex make_name_index(const NameTables& tables) {
  NameIndex out;
  const auto named = [](std::string_view id, std::string_view name) {
    NameEntry entry;
    entry.id = id;
    entry.name = name;
    return entry;
  };
  out.ships.reserve(tables.ships.size());
  for (const auto [id, name] : tables.ships) out.ships.push_back(named(id, name));
  out.pilots.reserve(tables.pilots.size());
  out.ships_of_pilots.reserve(tables.pilots.size());
  for (const auto [id, ship] : tables.pilots) {
    if (out.pilots.empty() || out.pilots.back().id != id) out.pilots.push_back(named(id, id));
    out.ships_of_pilots.push_back(ship);
    std::span<const std::string_view>& ships = out.pilots.back().ships;
    ships = std::span<const std::string_view>(out.ships_of_pilots).last(ships.size() + 1);
  }
  out.upgrades.reserve(tables.upgrades.size());
  for (const auto [id, slots] : tables.upgrades) {
    if (out.upgrades.empty() || out.upgrades.back().id != id) out.upgrades.push_back(named(id, id));
  }
  add_printed(tables.names, "pilot", out.pilots);
  add_printed(tables.names, "upgrade", out.upgrades);
  add_forms(out);
  const auto find = [&](std::string_view kind, std::string_view id) { return entry_in(out, kind, id); };
  add_nicknames(tables.nicknames, find);
  add_aliases(tables.aliases, find);
  return out;
}

}  // namespace load

namespace {

using load::NameEntry;
using Entries = std::vector<const NameEntry*>;

Named named(std::string_view kind, const NameEntry& entry) {
  return {std::string(kind), std::string(entry.id), std::string(entry.name)};
}

/// A search text in normalized forms.
struct NameQuery {
  explicit NameQuery(std::string_view text)
      : key(base::name_key(text)), words(base::name_words(text)), initials(load::initials_of(words)) {}

  std::string key, words;
  std::uint32_t initials;
};

/// Whether each word of the query is the start of a word of the name.
bool has_words(const NameEntry& entry, const NameQuery& query) {
  if ((query.initials & ~entry.initials) != 0) return false;
  for (std::string_view words = query.words; !words.empty();) {
    const std::string_view word = words.substr(0, words.find(' ', 1));
    if (entry.words.find(word) == std::string_view::npos) return false;
    words.remove_prefix(word.size());
  }
  return true;
}

bool is_found_by(const NameEntry& entry, const NameQuery& query) {
  const std::string& key = query.key;
  const bool nickname = std::any_of(entry.nicknames.begin(), entry.nicknames.end(), [&](const std::string& one) {
    return one == key || (key.size() > 3 && one.starts_with(key));
  });
  return has_words(entry, query) || nickname || base::contains(entry.others, key) ||
         entry.key.find(key) != std::string_view::npos || entry.id_key.find(key) != std::string_view::npos;
}

/// Narrows matches down: to those of the ship; then, if all have the same name, to cards whose id is the name, or the
/// name followed by the ship. Cards of scenario packs and standard loadouts have longer ids.
Entries prefer_usual(Entries entries, std::string_view ship) {
  const auto narrow = [&](const auto& test) {
    Entries some;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(some),
                 [&](const NameEntry* x) { return test(*x); });
    if (!some.empty()) entries = std::move(some);
  };
  if (!ship.empty()) narrow([&](const NameEntry& x) { return base::contains(x.ships, ship); });
  const bool one_name =
      std::all_of(entries.begin(), entries.end(), [&](const NameEntry* x) { return x->key == entries.front()->key; });
  if (entries.size() < 2 || !one_name) return entries;
  narrow([](const NameEntry& x) {
    return x.id_key == x.key || std::any_of(x.ships.begin(), x.ships.end(), [&](std::string_view own) {
             return x.id_key.starts_with(x.key) && x.id_key.substr(x.key.size()) == own;
           });
  });
  if (entries.size() > 1) narrow([](const NameEntry& x) { return x.id_key == x.key; });
  return entries;
}

/// How a query can match an entry, most certain first.
enum class MatchedBy { Name, Id, OtherId, Nickname, Words, Inside, None };

MatchedBy matched_by(const NameEntry& entry, const NameQuery& query) {
  constexpr std::size_t kShortestPart = 3, kShortestInside = 5;
  const std::string& key = query.key;
  if (entry.key == key) return MatchedBy::Name;
  if (entry.id_key == key) return MatchedBy::Id;
  if (!entry.others.empty() && base::contains(entry.others, key)) return MatchedBy::OtherId;
  if (!entry.nicknames.empty() && base::contains(entry.nicknames, key)) return MatchedBy::Nickname;
  if (key.size() >= kShortestPart && has_words(entry, query)) return MatchedBy::Words;
  if (key.size() >= kShortestInside && entry.key.find(key) != std::string_view::npos) return MatchedBy::Inside;
  return MatchedBy::None;
}

/// Whether one letter more, less or other makes one word the other.
bool differs_by_letter(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > 1) return false;
  const auto same = static_cast<std::size_t>(std::mismatch(b.begin(), b.end(), a.begin()).first - b.begin());
  return same < a.size() && a.substr(same + 1) == b.substr(same + (a.size() == b.size() ? 1 : 0));
}

/// Entries of whose names a long word differs from the text by one letter.
std::vector<Named> similar_words(std::string_view kind, std::span<const NameEntry> entries, const std::string& key) {
  constexpr std::size_t kShortestWord = 7;
  std::vector<Named> out;
  for (const NameEntry& entry : entries) {
    const std::vector<std::string> words = base::words_between(entry.words, " ");
    const auto near = [&](const std::string& word) { return differs_by_letter(key, word); };
    if (key.size() >= kShortestWord && std::any_of(words.begin(), words.end(), near)) out.push_back(named(kind, entry));
  }
  return out;
}

/// Entries with the most similar spelling: of a name, else of a nickname, else of an id.
std::vector<Named> similar_names(std::string_view kind, std::span<const NameEntry> entries, const std::string& key) {
  std::vector<std::string> forms;
  std::vector<const NameEntry*> owners;
  const auto add = [&](std::string_view form, const NameEntry* entry) {
    forms.emplace_back(form);
    owners.push_back(entry);
  };
  for (const NameEntry& entry : entries) add(entry.key, &entry);
  for (const NameEntry& entry : entries) {
    for (const std::string& nickname : entry.nicknames) add(nickname, &entry);
  }
  for (const NameEntry& entry : entries) add(entry.id_key, &entry);
  std::vector<Named> out;
  const std::string found = base::nearest(key, forms);  // the first of equally near ones
  for (std::size_t i = 0; i < forms.size() && !found.empty(); ++i) {
    if (forms[i] != found) continue;
    Named one = named(kind, *owners[i]);
    if (!base::contains(out, one)) out.push_back(std::move(one));
  }
  return out;
}

/// "Predator or Outmaneuver"; of many, only the first.
std::string alternatives(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  return names.size() > kMost ? base::listed(names, kMost) : base::joined(names, " or ");
}

/// Longer texts match nothing.
constexpr std::size_t kLongestName = 100;

}  // namespace

bool load::is_found_by(const NameEntry& entry, std::string_view words) {
  return salvo::is_found_by(entry, NameQuery(words));
}

NameMatch load::match_name(const NameIndex& index, std::string_view kind, std::string_view words,
                           std::string_view ship) {
  NameMatch out;
  if (words.size() > kLongestName) return out;
  const NameQuery query(words);
  if (query.key.empty()) return out;
  if (const NameEntry* const entry = index.find(kind, words))
    return {.kind = NameMatchKind::Exact, .whole = true, .found = named(kind, *entry), .candidates = {}};
  MatchedBy best = MatchedBy::None;
  Entries all;
  for (const NameEntry& entry : index.of(kind)) {
    const MatchedBy here = matched_by(entry, query);
    if (here < best) all.clear();
    best = std::min(best, here);
    if (here == best && best != MatchedBy::None) all.push_back(&entry);
  }
  if (all.empty()) return out;
  const Entries found = prefer_usual(all, ship);
  out.whole = best <= MatchedBy::Nickname;
  if (found.size() > 1) {
    out.kind = NameMatchKind::Ambiguous;
    for (const NameEntry* entry : found) out.candidates.push_back(named(kind, *entry));
    return out;
  }
  const bool exact = best <= MatchedBy::OtherId && (all.size() == 1 || found.front()->id_key == query.key);
  out.kind = exact ? NameMatchKind::Exact : NameMatchKind::Likely;
  out.found = named(kind, *found.front());
  return out;
}

NameMatch load::match_plural(const NameIndex& index, std::string_view kind, std::string_view words,
                             std::string_view ship) {
  NameMatch out = match_name(index, kind, words, ship);
  if (out.whole || kind == "upgrade" || !words.ends_with('s')) return out;
  NameMatch one = match_name(index, kind, words.substr(0, words.size() - 1), ship);
  if (one.kind == NameMatchKind::Unknown || (!one.whole && out.kind != NameMatchKind::Unknown)) return out;
  if (one.kind == NameMatchKind::Exact) one.kind = NameMatchKind::Likely;
  return one;
}

NameMatch find_name(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                    std::string_view card_set, std::string_view ship) {
  const load::NameIndex& index = catalogue.names(card_set);
  NameMatch out = load::match_name(index, kind, words, ship);
  if (out.kind != NameMatchKind::Unknown || words.size() > kLongestName) return out;
  const std::string key = base::name_key(words);
  if (!key.empty()) out.candidates = similar_names(kind, index.of(kind), key);
  if (!key.empty() && out.candidates.empty()) out.candidates = similar_words(kind, index.of(kind), key);
  return out;
}

std::string load::did_you_mean_card(const Catalogue& catalogue, std::string_view text, std::string_view card_set,
                                    std::initializer_list<const char*> kinds) {
  for (const char* const kind : kinds) {
    std::vector<std::string> names;
    for (const Named& one : find_name(catalogue, kind, text, card_set).candidates) base::add_once(names, one.name);
    if (!names.empty()) return fmt::format(" did you mean {}?", alternatives(names));
  }
  return {};
}

std::vector<Named> search_names(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                                std::string_view card_set) {
  const NameQuery query(words);
  std::vector<Named> out;
  for (const NameEntry& entry : catalogue.names(card_set).of(kind)) {
    if (is_found_by(entry, query)) out.push_back(named(kind, entry));
  }
  std::sort(out.begin(), out.end(), [](const Named& a, const Named& b) {
    return std::pair(base::name_key(a.name), a.id) < std::pair(base::name_key(b.name), b.id);
  });
  return out;
}

std::string name_of(const Catalogue& catalogue, std::string_view kind, std::string_view id, std::string_view card_set) {
  const NameEntry* const entry = catalogue.names(card_set).find(kind, id);
  return std::string(entry == nullptr ? id : entry->name);
}

std::string describe(const NameMatch& match, std::string_view kind, std::string_view words, std::string_view card_set) {
  constexpr std::size_t kMaxListed = 8;
  std::vector<std::string> listed;
  for (const Named& named : match.candidates) listed.push_back(fmt::format("{} ({})", named.id, named.name));
  const std::string given = base::printable(words, 60);
  if (match.kind == NameMatchKind::Ambiguous) {
    return fmt::format("'{}' may be one of several {}s: {}; write the id of the one that is meant", given, kind,
                       base::listed(listed, kMaxListed));
  }
  if (match.candidates.empty()) {
    return fmt::format("unknown {} '{}' in the card set {}; salvo {}s WORD searches them", kind, given, card_set, kind);
  }
  std::vector<std::string> near;
  for (const Named& named : match.candidates) near.push_back(fmt::format("'{}' ({})", named.id, named.name));
  return fmt::format("unknown {} '{}'; did you mean {}?", kind, given, alternatives(near));
}

}  // namespace salvo
