#include "report/table.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace salvo::report {
namespace {

constexpr std::size_t kNarrowName = 12;  ///< least width of the first column if names are long
constexpr std::size_t kNarrowHead = 10;  ///< width to which headings are wrapped if there are many columns

std::size_t length(const Table::Cell& cell) { return base::display_width(cell.text) + base::display_width(cell.mark); }

std::size_t longest_word(const std::string& text) {
  std::size_t out = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find(' ', begin), text.size());
    out = std::max(out, base::display_width(text.substr(begin, end - begin)));
  }
  return out;
}

/// Splits columns that do not fit side by side: where each part of the table begins, and the end.
std::vector<std::size_t> parts(const std::vector<std::size_t>& widths, std::size_t room) {
  std::vector<std::size_t> begins{1};
  std::size_t used = widths[0];
  for (std::size_t c = 1; c < widths.size(); ++c) {
    if (used + widths[c] > room && c > begins.back()) {
      begins.push_back(c);
      used = widths[0];
    }
    used += widths[c];
  }
  begins.push_back(widths.size());
  return begins;
}

}  // namespace

void Table::widths(std::size_t gap, std::size_t first, std::vector<std::size_t> least) {
  gap_ = gap;
  first_ = first;
  least_ = std::move(least);
}

std::size_t Table::columns() const {
  std::size_t most = 1;
  for (const auto& row : rows_) most = std::max(most, row.size());
  return most;
}

/// The width of a column with its gap; `narrow`: its heading may take several lines.
std::size_t Table::width_of(std::size_t column, bool narrow) const {
  std::size_t body = 0, head = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (column < rows_[r].size()) (r == 0 ? head : body) = std::max(r == 0 ? head : body, length(rows_[r][column]));
  }
  if (narrow && column < rows_[0].size())
    head = std::min(head, std::max({body, kNarrowHead, longest_word(rows_[0][column].text)}));
  return std::max(gap_ + std::max(head, body), least_[std::min(column - 1, least_.size() - 1)]);
}

void Table::write(Page& page) const {
  const std::size_t room = page.width() - Page::kMargin, count = columns();
  std::vector<std::size_t> widths{first_};
  for (const auto& row : rows_) widths[0] = std::max(widths[0], row.empty() ? 0 : length(row[0]));
  for (std::size_t c = 1; c < count; ++c) widths.push_back(width_of(c, false));
  if (std::accumulate(widths.begin(), widths.end(), std::size_t{0}) > room) {
    for (std::size_t c = 1; c < count; ++c) widths[c] = width_of(c, true);
    const std::size_t others = std::accumulate(widths.begin() + 1, widths.end(), std::size_t{0});
    const std::size_t longest = widths[0];
    widths[0] = std::clamp(room - std::min(room, others), std::min(kNarrowName, longest), longest);
    // If columns continue below anyway, names get their room, too.
    if (widths[0] + others > room && longest <= room / 2) widths[0] = longest;
  }
  const std::vector<std::size_t> begins = parts(widths, room);
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) write_part(page, widths, begins[i], begins[i + 1]);
}

void Table::write_part(Page& page, const std::vector<std::size_t>& widths, std::size_t begin, std::size_t end) const {
  const auto filled = [&](const std::vector<Cell>& row) {
    bool any = begin == 1;  // a row with nothing but a name appears once
    for (std::size_t c = begin; c < std::min(end, row.size()) && !any; ++c) any = length(row[c]) > 0;
    return any;
  };
  if (begin > 1 && std::none_of(rows_.begin() + 1, rows_.end(), filled)) return;
  write_head(page, widths, begin, end);
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    if (filled(rows_[r])) write_row(page, rows_[r], widths, begin, end);
  }
}

/// Writes headings of several lines, aligned at the bottom.
void Table::write_head(Page& page, const std::vector<std::size_t>& widths, std::size_t begin, std::size_t end) const {
  const auto& head = rows_[0];
  std::vector<std::vector<std::string>> lines(end);
  std::size_t most = 1;
  for (std::size_t c = begin; c < end && c < head.size(); ++c) {
    lines[c] = base::wrap(head[c].text, std::max<std::size_t>(1, widths[c] - std::min(gap_, widths[c] - 1)));
    most = std::max(most, lines[c].size());
  }
  const std::string margin(Page::kMargin, ' ');
  const bool own_line = base::display_width(head[0].text) > widths[0];
  if (own_line) page.line({{margin + head[0].text, Style::Faint}});
  for (std::size_t i = 0; i < most; ++i) {
    const bool last = i + 1 == most;
    std::string line = margin + base::pad_right(last && !own_line ? head[0].text : "", widths[0]);
    for (std::size_t c = begin; c < end; ++c) {
      const std::size_t above = most - lines[c].size();
      line += base::pad_left(i < above ? "" : lines[c][i - above], widths[c]);
    }
    page.line({{line, Style::Faint}});
  }
}

void Table::write_row(Page& page, const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                      std::size_t begin, std::size_t end) const {
  const std::string margin(Page::kMargin, ' ');
  const bool own_line = length(row[0]) > widths[0];
  if (own_line) {
    std::string indent = margin;
    for (const std::string& part : base::wrap(row[0].text, page.width() - 2 * Page::kMargin)) {
      page.line({{indent + part}});
      indent = margin + margin;
    }
    if (row.size() == 1) return;
  }
  std::vector<Span> spans{{margin + base::pad_right(own_line ? "" : row[0].text, widths[0])}};
  for (std::size_t c = begin; c < end && c < row.size(); ++c) {
    spans.back().text += base::pad_left(row[c].text, widths[c] - base::display_width(row[c].mark));
    if (row[c].mark.empty()) continue;
    spans.push_back({row[c].mark, Style::Accent});
    spans.push_back({""});
  }
  page.line(spans);
}

}  // namespace salvo::report
