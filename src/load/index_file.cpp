#include "load/index_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "data/message.h"

namespace salvo::load {

IndexFile read_index(const data::Profiles& profiles, const std::filesystem::path& path) {
  if (!profiles.has(path)) {
    data::fail(path.string(), "", 0,
               "this index is missing; run scripts/import_xwing_data, or install the profiles again");
  }
  return IndexFile(profiles.text(path));
}

IndexFile::IndexFile(std::string text) : text_(std::move(text)) {
  const std::string_view all = text_;
  constexpr std::size_t kShortRow = 16;  // bytes; more rows than this allows are rare, and counting them takes longer
  lines_.reserve(all.size() / kShortRow);
  // Lines compare like rows, because a tab is less than all characters of ids.
  std::vector<std::size_t> runs;  // starts of sorted runs
  std::string_view last;
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view line = all.substr(at, all.find('\n', at) - at);
    if (!line.empty() && line.front() != '#') {
      if (lines_.empty() || line < last) runs.push_back(lines_.size());
      lines_.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(line.size())});
      last = line;
    }
    at += line.size() + 1;
  }
  // Files are sorted except for a few blocks, so merging their sorted runs is faster than sorting.
  const auto is_before = [this](Line a, Line b) { return text_of(a) < text_of(b); };
  for (std::size_t run = 1; run < runs.size(); ++run) {
    const auto place = [&](std::size_t i) { return lines_.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::size_t next = run + 1 < runs.size() ? runs[run + 1] : lines_.size();
    std::inplace_merge(lines_.begin(), place(runs[run]), place(next), is_before);
  }
}

IndexFile::Row IndexFile::operator[](std::size_t i) const { return base::cut(text_of(lines_[i]), '\t'); }

std::vector<std::string_view> IndexFile::of(std::string_view id) const {
  std::size_t first = 0, last = size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (text_of(lines_[middle]).substr(0, id.size()) < id) {  // a tab is less than all characters of ids
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

IndexFile apply_changes(const IndexFile& base, const IndexFile& changes) {
  std::string text;
  text.reserve(base.text_.size() + changes.text_.size());
  const auto add = [&text](const IndexFile::Row& row) {
    text.append(row.first).append("\t").append(row.second).append("\n");
  };
  std::size_t next = 0;  // position in the changes, which are sorted like the base
  const auto add_changes_before = [&](std::string_view id) {
    for (; next < changes.size() && changes[next].first < id; ++next) {
      if (changes[next].second != "-") add(changes[next]);
    }
  };
  for (const IndexFile::Row& row : base) {
    add_changes_before(row.first);
    if (next == changes.size() || changes[next].first != row.first) add(row);
  }
  for (; next < changes.size(); ++next) {
    if (changes[next].second != "-") add(changes[next]);
  }
  return IndexFile(std::move(text));
}

std::vector<std::string> unique_ids(const IndexFile& index) {
  std::vector<std::string> ids;
  for (const auto& [id, rest] : index) {
    if (ids.empty() || ids.back() != id) ids.emplace_back(id);
  }
  return ids;
}

UpgradeCost read_upgrade_cost(std::string_view row, const std::string& place) {
  UpgradeCost out;
  const auto [slots, cost] = base::cut(row, '\t');
  const auto number = [&](std::string_view text) {
    if (const auto value = base::whole_number(text)) return *value;
    data::fail(place, "", 0, base::in_quotes(row) + " has no cost that can be read; run scripts/import_xwing_data");
  };
  for (const std::string_view slot : base::split(slots, ',')) {
    if (!slot.empty()) out.slots.emplace_back(slot);
  }
  if (cost.find(':') != std::string_view::npos) {
    const auto [by, entries] = base::cut(cost, ':');
    out.by = by;
    for (const std::string_view entry : base::split(entries, ',')) {
      const auto [value, points] = base::cut(entry, '=');
      out.table[std::string(value)] = number(points);
    }
  } else if (!cost.empty()) {
    out.fixed = number(cost);
  }
  return out;
}

}  // namespace salvo::load
