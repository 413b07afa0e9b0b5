// Index files: see index_file.h.
#include "load/index_file.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "data/message.h"

namespace salvo::load {

namespace {

Index::Row row_of(std::string_view line) {
  const std::size_t tab = std::min(line.find('\t'), line.size());
  return {line.substr(0, tab), line.substr(std::min(tab + 1, line.size()))};
}

}  // namespace

Index read_index(const data::Profiles& profiles, const std::filesystem::path& path) {
  if (!profiles.has(path)) {
    data::fail(path.string(), "", 0,
               "this index is missing; run scripts/import_xwing_data, or install the profiles again");
  }
  return Index(profiles.text(path));
}

Index::Index(std::string text) : text_(std::move(text)) {
  const std::string_view all = text_;
  std::vector<std::pair<Row, std::uint32_t>> rows;
  std::vector<std::size_t> runs;  // where rows begin that are in order
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    if (end > at && all[at] != '#') {
      const Row row = row_of(all.substr(at, end - at));
      if (rows.empty() || row < rows.back().first) runs.push_back(rows.size());
      rows.emplace_back(row, static_cast<std::uint32_t>(at));
    }
    at = end + 1;
  }
  // Lists are in order, but for a few blocks that were added.
  for (std::size_t run = 1; run < runs.size(); ++run) {
    const auto place = [&](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::size_t next = run + 1 < runs.size() ? runs[run + 1] : rows.size();
    std::inplace_merge(rows.begin(), place(runs[run]), place(next));
  }
  lines_.reserve(rows.size());
  for (const auto& [row, line] : rows) lines_.push_back(line);
}

Index::Row Index::operator[](std::size_t i) const {
  const std::string_view line = std::string_view(text_).substr(lines_[i]);
  return row_of(line.substr(0, line.find('\n')));
}

std::vector<std::string_view> Index::of(std::string_view id) const {
  std::size_t first = 0, last = size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if ((*this)[middle].first < id) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  std::vector<std::string_view> out;
  for (; first < size(); ++first) {
    const auto [row_id, rest] = (*this)[first];
    if (row_id != id) break;
    out.push_back(rest);
  }
  return out;
}

Index changed_index(const Index& base, const Index& changes) {
  std::string text;
  const auto add = [&text](const Index::Row& row) {
    text.append(row.first).append("\t").append(row.second).append("\n");
  };
  std::size_t next = 0;  // of the changes, which are in order, as the base is
  const auto add_changes_before = [&](std::string_view id) {
    for (; next < changes.size() && changes[next].first < id; ++next) {
      if (changes[next].second != "-") add(changes[next]);
    }
  };
  for (const Index::Row& row : base) {
    add_changes_before(row.first);
    if (next == changes.size() || changes[next].first != row.first) add(row);
  }
  for (; next < changes.size(); ++next) {
    if (changes[next].second != "-") add(changes[next]);
  }
  return Index(std::move(text));
}

Index same_cards(const data::Profiles& profiles, const CardSet& set) {
  const std::filesystem::path list = profiles.root() / "cards" / set.cards / "same.tsv";
  return set.derived && profiles.has(list) ? read_index(profiles, list) : Index();
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
      data::fail(place, "", 0, base::in_quotes(row) + " has no cost that can be read; run scripts/import_xwing_data");
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
