#include "report/tails.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/digits.h"

namespace salvo::report {
namespace {

constexpr std::size_t kLongestBar = 60, kShortestBar = 4;
constexpr double kSmallestShown = 5e-5;  ///< smaller tails are not shown: less than 0.01 %

/// One row: "2 or more   42.13%  42.0–42.3  exactly 21.02%  ██████".
struct TailRow {
  std::string label, percent, interval, exactly;
  double share = 0;
};

TailRow row_of(std::string label, const Estimate& p, std::uint64_t trials) {
  return {std::move(label), percent(p, trials), trials > 0 ? percent_interval(p, trials) : "", "", p.value};
}

std::vector<TailRow> tail_rows(const std::vector<Estimate>& at_least, std::uint64_t trials) {
  std::vector<TailRow> rows;
  for (std::size_t k = 1; k < at_least.size() && at_least[k].value >= kSmallestShown; ++k)
    rows.push_back(row_of(fmt::format("{} or more", k), at_least[k], trials));
  return rows;
}

void write_rows(Page& page, const std::vector<TailRow>& rows) {
  std::size_t percent_width = 0, interval_width = 0, exactly_width = 0;
  for (const TailRow& row : rows) {
    percent_width = std::max(percent_width, base::display_width(row.percent));
    interval_width = std::max(interval_width, base::display_width(row.interval));
    exactly_width = std::max(exactly_width, base::display_width(row.exactly));
  }
  for (const TailRow& row : rows) {
    std::string left = std::string(Page::kMargin, ' ') + base::pad_right(row.label, Page::kKeyWidth);
    std::string right = interval_width > 0 ? "  " + base::pad_right(row.interval, interval_width) : "";
    const bool room =
        Page::kMargin + Page::kKeyWidth + percent_width + base::display_width(right) + exactly_width + 10 <=
        page.width();
    if (exactly_width > 0 && !room) {
      page.line({{left, Style::Faint}, {base::pad_left(row.percent, percent_width)}, {right, Style::Faint}});
      if (!row.exactly.empty())
        page.line({{std::string(Page::kMargin + Page::kKeyWidth, ' ') + row.exactly + " exactly", Style::Faint}});
      continue;
    }
    if (exactly_width > 0) {
      right += row.exactly.empty() ? std::string(exactly_width + 10, ' ')
                                   : "  exactly " + base::pad_left(row.exactly, exactly_width);
    }
    const std::size_t used = base::display_width(left) + percent_width + base::display_width(right) + 2;
    const std::size_t cells = std::min(kLongestBar, page.width() - std::min(page.width(), used));
    page.line({{left, Style::Faint},
               {base::pad_left(row.percent, percent_width)},
               {right, Style::Faint},
               {cells < kShortestBar ? "" : "  " + base::block_bar(row.share, cells), Style::Accent}});
  }
}

}  // namespace

void write_tails(Page& page, const std::vector<Estimate>& at_least, std::uint64_t trials) {
  write_rows(page, tail_rows(at_least, trials));
}

void write_distribution(Page& page, const std::vector<Estimate>& exactly, const std::vector<Estimate>& at_least,
                        std::uint64_t trials, const char* none) {
  std::vector<TailRow> rows = tail_rows(at_least, trials);
  for (std::size_t k = 1; k <= rows.size(); ++k) rows[k - 1].exactly = percent(exactly[k], trials);
  if (!exactly.empty() && exactly[0].value >= kSmallestShown)
    rows.insert(rows.begin(), row_of(none, exactly[0], trials));
  write_rows(page, rows);
}

}  // namespace salvo::report
