// Lookups in lists of the profiles without reading all of a list give the same rows as reading all of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "load/card_data.h"
#include "load/catalogue.h"
#include "load/index_file.h"
#include "load/profile.h"

using namespace salvo;

TEST_CASE("relevance: one card equals its row of the whole list", "[load]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  std::set<std::pair<std::string, std::string>> cards = {{"upgrade", "no-such-card"}, {"pilot", "predator"}};
  for (const std::string& set : Catalogue::card_sets()) {
    for (const auto& [card, relevant] : load::read_relevance(catalogue, set)) cards.insert(card);
  }
  REQUIRE(cards.size() > 1000);
  std::map<std::string, int> said;
  for (const std::string& set : Catalogue::card_sets()) {
    std::vector<load::Relevance> lists;  // of the set, and of those it is based on
    for (std::string_view one = set; load::card_set(one) != nullptr; one = load::card_set(one)->base)
      lists.push_back(load::read_relevance(catalogue, std::string(one)));
    for (const auto& [kind, id] : cards) {
      std::optional<bool> expected;
      for (const load::Relevance& whole : lists) {
        if (const auto known = whole.find({kind, id}); !expected && known != whole.end()) expected = known->second;
      }
      if (catalogue.relevant(kind, id, set) == expected) {
        ++said[expected ? *expected ? "yes" : "no" : "nothing"];
      } else {
        FAIL_CHECK(set << ": " << kind << "/" << id);
      }
    }
  }
  CHECK(said.size() == 3);
}

namespace {

using Rows = std::multimap<std::string, std::string>;

/// Line by line.
Rows rows_of(const std::string& text) {
  Rows out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t tab = line.find('\t');
    out.emplace(line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1));
  }
  return out;
}

Rows rows_of(const load::IndexFile& index) {
  Rows out;
  for (const auto& [id, rest] : index) out.emplace(id, rest);
  return out;
}

std::multiset<std::string> of(const Rows& rows, const std::string& id) {
  std::multiset<std::string> out;
  const auto [first, last] = rows.equal_range(id);
  for (auto row = first; row != last; ++row) out.insert(row->second);
  return out;
}

const std::vector<std::string> kTexts = {"",
                                         "# nothing\n",
                                         "a\t1\n",
                                         "b\t2\na\t1",
                                         "a\t2\na\t1\n\nb\tx\ty\n#c\t1\nd\n",
                                         "aa\t-\na\t1\nab\t2\na\t0\n",
                                         "c\t1\nb\t-\na\t5\n"};

}  // namespace

TEST_CASE("indexes: rows in order of id, whatever the order of the lines", "[load]") {
  for (const std::string& text : kTexts) {
    const load::IndexFile index(text);
    const Rows expected = rows_of(text);
    CHECK(index.size() == expected.size());
    CHECK(std::is_sorted(index.begin(), index.end(), [](const auto& x, const auto& y) { return x < y; }));
    for (const auto& [id, rest] : expected) {
      std::multiset<std::string> found;
      for (const std::string_view one : index.of(id)) found.emplace(one);
      CHECK(found == of(expected, id));
    }
    CHECK(index.of("nobody").empty());
  }
}

TEST_CASE("indexes: a derived one has its rows, and those of the base that it does not change", "[load]") {
  for (const std::string& base : kTexts) {
    for (const std::string& changes : kTexts) {
      Rows expected;
      const Rows changed = rows_of(changes);
      for (const auto& [id, rest] : rows_of(base)) {
        if (!changed.contains(id)) expected.emplace(id, rest);
      }
      for (const auto& [id, rest] : changed) {
        if (rest != "-") expected.emplace(id, rest);
      }
      const load::IndexFile index = load::apply_changes(load::IndexFile(base), load::IndexFile(changes));
      const Rows found = rows_of(index);
      CHECK(found.size() == expected.size());
      for (const auto& [id, rest] : expected) CHECK(of(found, id) == of(expected, id));
      CHECK(std::is_sorted(index.begin(), index.end(), [](const auto& x, const auto& y) { return x < y; }));
    }
  }
}
