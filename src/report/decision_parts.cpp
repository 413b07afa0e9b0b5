#include "report/decision_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/digits.h"

namespace salvo::report {

namespace {

/// Rounds first, so that -0.00001 does not print as "-0.0000".
double rounded(double x, int decimals) {
  const double scale = std::pow(10.0, decimals);
  const double out = std::round(x * scale) / scale;
  return out == 0 ? 0.0 : out;
}

}  // namespace

std::string number(double x, int decimals) { return fmt::format("{:.{}f}", rounded(x, decimals), decimals); }

std::string change(double x, int decimals) {
  const double r = rounded(x, decimals);
  return r == 0 ? number(0, decimals) : fmt::format("{:+.{}f}", r, decimals);
}

std::string share(double p) { return percent(Estimate{p, 0}, 0); }

std::string share_change(double p) { return change(100 * p, 2) + "%"; }

std::string loss_words(std::size_t index, double loss, double damage_loss) {
  if (index == 0) return "best";
  if (loss != 0) return change(-loss);
  return damage_loss > 0 ? fmt::format("{} damage", change(-damage_loss, 2)) : "equal";
}

void write_rest(Page& page, std::size_t all, std::size_t shown, const char* what) {
  if (all > shown) page.paragraph(fmt::format("  and {} {}; --format json has them", all - shown, what), Style::Faint);
}

void Columns::row(std::string text, std::vector<std::string> cells, Style style) {
  rows_.push_back({std::move(text), std::move(cells), style});
}

void Columns::write(Page& page) const {
  constexpr std::size_t kNarrowest = 16;
  std::vector<std::size_t> widths;
  std::size_t used = Page::kMargin;
  for (std::size_t i = 0; i < headers_.size(); ++i) {
    widths.push_back(base::display_width(headers_[i]));
    for (const Row& row : rows_) widths[i] = std::max(widths[i], base::display_width(row.cells[i]));
    if (used + widths[i] + 2 + kNarrowest > page.width()) {  // drop the last columns, the least important ones
      widths.pop_back();
      break;
    }
    used += widths[i] + 2;
  }
  std::size_t longest = base::display_width(title_);
  for (const Row& row : rows_) longest = std::max(longest, base::display_width(base::strip_control(row.text)));
  const std::size_t room = std::min(longest, std::max(kNarrowest, page.width() - std::min(page.width(), used)));
  const auto cells = [&](const std::vector<std::string>& texts) {
    std::string out;
    for (std::size_t i = 0; i < widths.size(); ++i) out += "  " + base::pad_left(texts[i], widths[i]);
    return out;
  };
  const std::string margin(Page::kMargin, ' ');
  page.line({{base::pad_right(title_, room + Page::kMargin), Style::Strong}, {cells(headers_), Style::Faint}});
  for (const Row& row : rows_) {
    const std::vector<std::string> lines = base::wrap(base::strip_control(row.text), room);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      page.line({{margin + (i > 0 ? "  " : "") + base::pad_right(lines[i], room), row.style},
                 {i == 0 ? cells(row.cells) : "", row.style}});
    }
  }
}

}  // namespace salvo::report
