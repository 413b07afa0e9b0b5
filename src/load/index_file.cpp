// Index files: see index_file.h.
#include "load/index_file.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "load/file.h"
#include "load/message.h"

namespace salvo::load {

Index read_index(const std::filesystem::path& path) {
  const std::string name = path.string();
  if (!is_file(name)) {
    fail(name, "", 0, "this index is missing; run scripts/import_xwing_data, or install the profiles again");
  }
  const std::string text = read_file(name);
  check_text(text, name);
  Index index;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = std::min(line.find('\t'), line.size());
    index.emplace_back(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
  }
  std::sort(index.begin(), index.end());
  return index;
}

std::vector<std::string> rows_of(const Index& index, std::string_view id) {
  const auto before = [](const auto& row, std::string_view key) { return row.first < key; };
  std::vector<std::string> rows;
  for (auto row = std::lower_bound(index.begin(), index.end(), id, before); row != index.end() && row->first == id;
       ++row) {
    rows.push_back(row->second);
  }
  return rows;
}

Index changed_index(const Index& base, const Index& changes) {
  Index out;
  const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
  for (const auto& row : base) {
    if (!std::binary_search(changes.begin(), changes.end(), row, by_id)) out.push_back(row);
  }
  for (const auto& row : changes) {
    if (row.second != "-") out.push_back(row);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Index same_cards(const std::filesystem::path& profiles, const CardSet& set) {
  const std::filesystem::path list = profiles / "cards" / set.cards / "same.tsv";
  return set.derived && is_file(list.string()) ? read_index(list) : Index();
}

std::vector<std::string> first_column(const Index& index) {
  std::vector<std::string> ids;
  for (const auto& [id, rest] : index) {
    if (ids.empty() || ids.back() != id) ids.push_back(id);
  }
  return ids;
}

UpgradeCost read_upgrade_cost(const std::string& row, const std::string& place) {
  UpgradeCost out;
  const std::size_t tab = std::min(row.find('\t'), row.size());
  const auto split = [](std::string_view text, auto each) {
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      each(text.substr(0, comma));
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
  };
  const auto number = [&](std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(place, "", 0, in_quotes(row) + " has no cost that can be read; run scripts/import_xwing_data");
    }
    return value;
  };
  split(std::string_view(row).substr(0, tab), [&](std::string_view slot) { out.slots.emplace_back(slot); });
  const std::string_view cost = std::string_view(row).substr(std::min(tab + 1, row.size()));
  const std::size_t colon = cost.find(':');
  if (colon != std::string_view::npos) {
    out.by = cost.substr(0, colon);
    split(cost.substr(colon + 1), [&](std::string_view entry) {
      const std::size_t equals = std::min(entry.find('='), entry.size());
      out.table[std::string(entry.substr(0, equals))] = number(entry.substr(std::min(equals + 1, entry.size())));
    });
  } else if (!cost.empty()) {
    out.fixed = number(cost);
  }
  return out;
}

}  // namespace salvo::load
