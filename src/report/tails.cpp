// Tails: see tails.h.
#include "report/tails.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/digits.h"

namespace salvo::report {
namespace {

constexpr std::size_t kLongestBar = 60;
constexpr double kSmallestShown = 5e-5;  ///< tails below are not shown: less than 0.01 %

/// One row: "2 or more   42.13%  42.0–42.3  ██████".
struct TailRow {
  std::string label, percent, interval;
  double share = 0;
};

std::vector<TailRow> tail_rows(const std::vector<Figure>& at_least, std::uint64_t trials) {
  std::vector<TailRow> rows;
  for (std::size_t k = 1; k < at_least.size() && at_least[k].value >= kSmallestShown; ++k) {
    const Figure& p = at_least[k];
    rows.push_back(
        {fmt::format("{} or more", k), percent(p, trials), trials > 0 ? percent_interval(p, trials) : "", p.value});
  }
  return rows;
}

}  // namespace

void write_tails(Page& page, const std::vector<Figure>& at_least, std::uint64_t trials) {
  const std::vector<TailRow> rows = tail_rows(at_least, trials);
  std::size_t percent_width = 0, interval_width = 0;
  for (const TailRow& row : rows) {
    percent_width = std::max(percent_width, text::length(row.percent));
    interval_width = std::max(interval_width, text::length(row.interval));
  }
  for (const TailRow& row : rows) {
    std::string left = std::string(Page::kMargin, ' ') + text::pad_right(row.label, Page::kKeyWidth);
    std::string interval = interval_width > 0 ? "  " + text::pad_right(row.interval, interval_width) : "";
    const std::size_t used = text::length(left) + percent_width + text::length(interval) + 2;
    const std::size_t cells = std::min(kLongestBar, page.width() - std::min(page.width(), used));
    page.line({{left, Style::Faint},
               {text::pad_left(row.percent, percent_width)},
               {interval, Style::Faint},
               {"  " + text::bar(row.share, cells), Style::Accent}});
  }
}

}  // namespace salvo::report
