// Index files: see index_file.h.
#include "load/index_file.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

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
  return Index(text);
}

Index::Index(std::string text) : text_(std::make_unique<const std::string>(std::move(text))) {
  std::string_view rest = *text_;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = std::min(line.find('\t'), line.size());
    rows_.emplace_back(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
  }
  if (!std::is_sorted(rows_.begin(), rows_.end())) std::sort(rows_.begin(), rows_.end());
}

std::span<const Index::Row> Index::of(std::string_view id) const {
  const auto first = std::lower_bound(rows_.begin(), rows_.end(), id,
                                      [](const Row& row, std::string_view key) { return row.first < key; });
  auto last = first;
  while (last != rows_.end() && last->first == id) ++last;
  return {first, last};
}

std::vector<std::string> first_column(const Index& index) {
  std::vector<std::string> ids;
  for (const auto& [id, rest] : index) {
    if (ids.empty() || ids.back() != id) ids.emplace_back(id);
  }
  return ids;
}

UpgradeCost read_upgrade_cost(std::string_view row, const std::string& place) {
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
  split(row.substr(0, tab), [&](std::string_view slot) { out.slots.emplace_back(slot); });
  const std::string_view cost = row.substr(std::min(tab + 1, row.size()));
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
