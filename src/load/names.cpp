// Names: see salvo/names.h.
#include "salvo/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/text.h"
#include "load/message.h"
#include "load/name_index.h"

namespace salvo {
namespace load {
namespace {

/// Letters of U+00C0 to U+00FF without their accents; blanks are no letters.
constexpr std::string_view kLatin = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty";

/// Calls `each` with the letters and digits of `text` in lower case, and with '\0' for what parts words.
template <typename Each>
void letters(std::string_view text, Each each) {
  while (!text.empty()) {
    const std::size_t size = std::max<std::size_t>(text::utf8_length(text), 1);
    const auto first = static_cast<unsigned char>(text[0]);
    if (size == 1 && first >= 'A' && first <= 'Z') {
      each(static_cast<char>(first - 'A' + 'a'));
    } else if (size == 1 && ((first >= 'a' && first <= 'z') || (first >= '0' && first <= '9'))) {
      each(static_cast<char>(first));
    } else if (size == 2 && first == 0xC3 && kLatin[static_cast<unsigned char>(text[1]) & 0x3F] != ' ') {
      each(kLatin[static_cast<unsigned char>(text[1]) & 0x3F]);
    } else if (size == 1 && first != '\'') {
      each('\0');
    }
    text.remove_prefix(size);
  }
}

}  // namespace

std::string name_key(std::string_view text) {
  std::string out;
  letters(text, [&](char c) {
    if (c != '\0') out += c;
  });
  return out;
}

std::vector<std::string> name_words(std::string_view text) {
  std::vector<std::string> out(1);
  letters(text, [&](char c) {
    if (c != '\0') {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  });
  if (out.back().empty()) out.pop_back();
  return out;
}

std::vector<std::string> columns(std::string_view row) {
  std::vector<std::string> out;
  while (!row.empty()) {
    const std::size_t tab = std::min(row.find('\t'), row.size());
    out.emplace_back(row.substr(0, tab));
    row.remove_prefix(std::min(tab + 1, row.size()));
  }
  return out;
}

namespace {

/// Of several ids the first that the card set has is what the nickname means.
void add_nicknames(const Index& rows, NameIndex& out) {
  for (const auto [kind, row] : rows) {
    const std::vector<std::string> ids = columns(row);
    for (std::size_t i = 1; i < ids.size(); ++i) {
      const auto is_meant = [&, kind = kind](const NameEntry& entry) {
        return entry.named.kind == kind && entry.named.id == ids[i];
      };
      const auto entry = std::find_if(out.entries.begin(), out.entries.end(), is_meant);
      if (entry == out.entries.end()) continue;
      entry->nicknames.push_back(name_key(ids[0]));
      break;
    }
  }
}

void add_aliases(const Index& rows, NameIndex& out) {
  for (const auto [kind, row] : rows) {
    const std::vector<std::string> ids = columns(row);
    for (NameEntry& entry : out.entries) {
      if (entry.named.kind != kind || std::find(ids.begin(), ids.end(), entry.named.id) == ids.end()) continue;
      for (const std::string& id : ids) {
        if (id != entry.named.id) entry.others.push_back(name_key(id));
      }
    }
  }
}

}  // namespace

NameIndex make_name_index(const NameTables& tables) {
  std::map<std::pair<std::string, std::string>, std::string> printed;
  for (const auto [kind, row] : tables.names) {
    const std::vector<std::string> words = columns(row);
    if (words.size() == 2) printed.emplace(std::pair(std::string(kind), words[0]), words[1]);
  }
  NameIndex out;
  const auto add = [&](const char* kind, std::string_view id, std::string_view name) -> NameEntry& {
    NameEntry entry;
    entry.named = {kind, std::string(id), std::string(name)};
    entry.key = name_key(name);
    entry.id_key = name_key(id);
    entry.words = name_words(name);
    return out.entries.emplace_back(std::move(entry));
  };
  const auto name_of = [&](const char* kind, std::string_view id) {
    const auto at = printed.find({kind, std::string(id)});
    return at == printed.end() ? std::string(id) : at->second;
  };
  for (const auto [id, name] : tables.ships) add("ship", id, name);
  for (const auto [id, ship] : tables.pilots) {
    const bool again =
        !out.entries.empty() && out.entries.back().named.kind == "pilot" && out.entries.back().named.id == id;
    (again ? out.entries.back() : add("pilot", id, name_of("pilot", id))).ships.emplace_back(ship);
  }
  for (const std::string& id : first_column(tables.upgrades)) add("upgrade", id, name_of("upgrade", id));
  add_nicknames(tables.nicknames, out);
  add_aliases(tables.aliases, out);
  return out;
}

}  // namespace load

namespace {

using load::NameEntry;
using Entries = std::vector<const NameEntry*>;

/// Whether each of `words` begins a word of the name.
bool has_words(const NameEntry& entry, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(entry.words.begin(), entry.words.end(),
                       [&](const std::string& own) { return own.starts_with(word); });
  });
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

Entries of_kind(const load::NameIndex& index, std::string_view kind) {
  Entries out;
  for (const NameEntry& entry : index.entries) {
    if (entry.named.kind == kind) out.push_back(&entry);
  }
  return out;
}

template <typename Test>
Entries those(const Entries& entries, Test test) {
  Entries out;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(out), [&](const NameEntry* x) { return test(*x); });
  return out;
}

/// Of several cards with one name the usual one: that of the ship, then the one whose id is the name and no more, or
/// the name and its ship. Cards of scenario packs and standard loadouts have longer ids.
Entries usual(Entries entries, std::string_view ship) {
  const auto keep = [&](const auto& test) {
    Entries some = those(entries, test);
    if (!some.empty()) entries = std::move(some);
  };
  if (!ship.empty()) keep([&](const NameEntry& x) { return contains(x.ships, ship); });
  const bool one_name =
      std::all_of(entries.begin(), entries.end(), [&](const NameEntry* x) { return x->key == entries.front()->key; });
  if (entries.size() < 2 || !one_name) return entries;
  keep([](const NameEntry& x) {
    return x.id_key == x.key ||
           std::any_of(x.ships.begin(), x.ships.end(), [&](const std::string& own) { return x.id_key == x.key + own; });
  });
  if (entries.size() > 1) keep([](const NameEntry& x) { return x.id_key == x.key; });
  return entries;
}

/// The ways to understand a text, the surest first: what has it, and whether that leaves no doubt.
struct Way {
  std::function<bool(const NameEntry&)> test;
  bool exact = false, whole = true;
};

std::vector<Way> ways(const std::string& key, const std::vector<std::string>& words) {
  constexpr std::size_t kShortestPart = 3, kShortestInside = 5;
  std::vector<Way> out{{[&](const NameEntry& x) { return x.key == key; }, true},
                       {[&](const NameEntry& x) { return x.id_key == key; }, true},
                       {[&](const NameEntry& x) { return contains(x.others, key); }, true},
                       {[&](const NameEntry& x) { return contains(x.nicknames, key); }, false}};
  if (key.size() < kShortestPart) return out;
  out.push_back({[&](const NameEntry& x) { return has_words(x, words); }, false, false});
  if (key.size() < kShortestInside) return out;
  out.push_back({[&](const NameEntry& x) { return x.key.find(key) != std::string::npos; }, false, false});
  return out;
}

/// What is spelled nearly so, by name, then by nickname, then by id.
std::vector<Named> near(const Entries& entries, const std::string& key) {
  std::vector<std::string> forms;
  std::vector<const NameEntry*> owners;
  const auto add = [&](const std::string& form, const NameEntry* entry) {
    forms.push_back(form);
    owners.push_back(entry);
  };
  for (const NameEntry* entry : entries) add(entry->key, entry);
  for (const NameEntry* entry : entries) {
    for (const std::string& nickname : entry->nicknames) add(nickname, entry);
  }
  for (const NameEntry* entry : entries) add(entry->id_key, entry);
  std::vector<Named> out;
  const std::string found = text::nearest(key, forms);  // of equally near ones the first
  for (std::size_t i = 0; i < forms.size() && !found.empty(); ++i) {
    const bool known = std::find(out.begin(), out.end(), owners[i]->named) != out.end();
    if (forms[i] == found && !known) out.push_back(owners[i]->named);
  }
  return out;
}

}  // namespace

NameMatch find_name(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                    std::string_view card_set, std::string_view ship) {
  constexpr std::size_t kLongestName = 100;
  NameMatch out;
  const std::string key = load::name_key(words.substr(0, kLongestName));
  if (key.empty() || words.size() > kLongestName) return out;
  const Entries entries = of_kind(catalogue.names(card_set), kind);
  for (const NameEntry* entry : entries) {
    if (entry->named.id == words)
      return {.sense = NameSense::Exact, .whole = true, .found = entry->named, .candidates = {}};
  }
  const std::vector<std::string> parts = load::name_words(words);
  for (const Way& way : ways(key, parts)) {
    const Entries all = those(entries, way.test), found = usual(all, ship);
    if (found.empty()) continue;
    out.whole = way.whole;
    if (found.size() == 1) {
      const bool plain = all.size() == 1 || found.front()->id_key == key;
      out.sense = way.exact && plain ? NameSense::Exact : NameSense::Likely;
      out.found = found.front()->named;
    } else {
      out.sense = NameSense::Ambiguous;
      for (const NameEntry* entry : found) out.candidates.push_back(entry->named);
    }
    return out;
  }
  out.candidates = near(entries, key);
  return out;
}

std::vector<Named> search_names(const Catalogue& catalogue, std::string_view kind, std::string_view words,
                                std::string_view card_set) {
  const std::vector<std::string> parts = load::name_words(words);
  const std::string key = load::name_key(words);
  std::vector<Named> out;
  for (const NameEntry* entry : of_kind(catalogue.names(card_set), kind)) {
    const bool found = has_words(*entry, parts) || contains(entry->nicknames, key) || contains(entry->others, key) ||
                       entry->key.find(key) != std::string::npos || entry->id_key.find(key) != std::string::npos;
    if (found) out.push_back(entry->named);
  }
  std::sort(out.begin(), out.end(), [](const Named& a, const Named& b) {
    return std::pair(load::name_key(a.name), a.id) < std::pair(load::name_key(b.name), b.id);
  });
  return out;
}

std::string name_of(const Catalogue& catalogue, std::string_view kind, std::string_view id, std::string_view card_set) {
  for (const NameEntry& entry : catalogue.names(card_set).entries) {
    if (entry.named.kind == kind && entry.named.id == id) return entry.named.name;
  }
  return std::string(id);
}

std::string describe(const NameMatch& match, std::string_view kind, std::string_view words, std::string_view card_set) {
  constexpr std::size_t kMostListed = 8;
  std::vector<std::string> listed;
  for (const Named& named : match.candidates) listed.push_back(fmt::format("{} ({})", named.id, named.name));
  const std::string given = load::printable(words, 60);
  if (match.sense == NameSense::Ambiguous) {
    return fmt::format("'{}' may be one of several {}s: {}; write the id of the one that is meant", given, kind,
                       load::listed(listed, kMostListed));
  }
  if (match.candidates.empty()) {
    return fmt::format("unknown {} '{}' in the card set {}; salvo {}s WORD finds what there is", kind, given, card_set,
                       kind);
  }
  std::vector<std::string> near;
  for (const Named& named : match.candidates) near.push_back(fmt::format("'{}' ({})", named.id, named.name));
  return fmt::format("unknown {} '{}'; did you mean {}?", kind, given, text::joined(near, " or "));
}

}  // namespace salvo
