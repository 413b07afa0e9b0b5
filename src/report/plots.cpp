#include "report/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/digits.h"
#include "report/svg.h"

namespace salvo::report {
namespace {

constexpr double kChartWidth = 330, kChartHeight = 240, kLeft = 58, kTop = 70, kGap = 80, kBottom = 60;
constexpr double kNothing = 5e-5;  ///< lower probabilities are not drawn

/// The largest k worth drawing.
std::size_t last_drawn(const ShipEstimates& ship) {
  std::size_t last = ship.at_least.size() - 1;
  while (last > 1 && ship.at_least[last].value < kNothing) --last;
  return std::max<std::size_t>(last, 1);
}

double round_up(double most) {
  const double step = tick_step(most, 5);
  return std::min(1.0, std::ceil(most / step - 1e-9) * step);
}

void bars(Svg& svg, const ShipEstimates& ship, double top) {
  const std::size_t last = last_drawn(ship);
  double most = 0;
  for (std::size_t k = 0; k <= last && k < ship.pmf.size(); ++k) most = std::max(most, ship.pmf[k].value);
  const Axes axes{kLeft, top, kChartWidth, kChartHeight, -0.6, static_cast<double>(last) + 0.6, round_up(most)};
  draw_axes(svg, axes, true, std::max(1.0, tick_step(static_cast<double>(last), 12)), "damage", "exactly");
  const double width = 0.76 * (axes.x(1) - axes.x(0));
  for (std::size_t k = 0; k <= last && k < ship.pmf.size(); ++k) {
    const double p = ship.pmf[k].value, y = axes.y(p), x = axes.x(static_cast<double>(k));
    svg.rect(x - width / 2, y, width, axes.top + axes.height - y, series_colour(0));
    if (last <= 9 && p >= kNothing) svg.text(x, y - 4, fmt::format("{:.1f}", 100 * p), 10, Anchor::Middle);
  }
}

void curve(Svg& svg, const ShipEstimates& ship, double top) {
  const std::size_t last = last_drawn(ship);
  const Axes axes{kLeft + kChartWidth + kGap, top, kChartWidth, kChartHeight, 0, static_cast<double>(last) + 0.3, 1};
  draw_axes(svg, axes, true, std::max(1.0, tick_step(static_cast<double>(last), 12)), "damage", "at least");
  std::vector<std::pair<double, double>> points;
  for (std::size_t k = 0; k <= last; ++k)
    points.emplace_back(axes.x(static_cast<double>(k)), axes.y(ship.at_least[k].value));
  svg.polyline(points, series_colour(1), "");
  for (std::size_t k = 0; k <= last; ++k) {
    svg.circle(points[k].first, points[k].second, 3.5, series_colour(1));
    if (k > 0 && last <= 9)
      svg.text(points[k].first + 6, points[k].second - 6, fmt::format("{:.1f}", 100 * ship.at_least[k].value), 10);
  }
}

/// "red, blue", or their number if there are many.
std::string attackers_of(const Estimates& estimates, const std::string& ship) {
  constexpr std::size_t kMaxListed = 8;
  std::string out;
  std::size_t attacks = 0;
  for (const AttackEstimates& attack : estimates.attacks) {
    if (attack.on != ship) continue;
    out += (out.empty() ? "" : ", ") + attack.by;
    ++attacks;
  }
  return attacks > kMaxListed ? fmt::format("{} attacks", attacks) : out;
}

std::string survival(const study::DurabilityStudy& report) {
  const study::DurabilityRow& row = report.rows[0];
  std::size_t last = 1;
  while (last + 1 < row.shots.cdf.size() && 1 - row.shots.cdf[last] >= 1e-3 && last < 60) ++last;
  constexpr double kWidth = 640, kHeight = 300;
  Svg svg(kLeft + kWidth + 40, kTop + kHeight + kBottom);
  svg.title(kLeft, 28, fmt::format("{} under {}", row.title, report.attacker), 16, kWidth + 30);
  svg.text(kLeft, 46, fmt::format("mean {} shots", shots_text(row.shots.mean)), 12);
  const Axes axes{kLeft, kTop + 14, kWidth, kHeight - 14, 0, static_cast<double>(last), 1};
  draw_axes(svg, axes, true, std::max(1.0, tick_step(static_cast<double>(last), 16)), "shots", "");
  for (const bool alive : {true, false}) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t n = 0; n <= last; ++n) {
      const double p = alive ? 1 - row.shots.cdf[n] : row.shots.cdf[n];
      points.emplace_back(axes.x(static_cast<double>(n)), axes.y(p));
    }
    const std::size_t series = alive ? 0 : 1;
    svg.polyline(points, series_colour(series), series_dash(series));
    for (const auto& [x, y] : points) svg.circle(x, y, 2.5, series_colour(series));
  }
  const double x = axes.left + axes.width;
  svg.text(x, kTop, "still there", 12, Anchor::End, series_colour(0), true);
  svg.text(x - 90, kTop, "destroyed (dashed)", 12, Anchor::End, series_colour(1), true);
  return svg.take();
}

std::string mean_bars(const study::DurabilityStudy& report) {
  constexpr double kWidth = 460, kRow = 17, kLetter = 7;
  std::size_t longest = 0;
  for (const study::DurabilityRow& row : report.rows) longest = std::max(longest, base::display_width(row.title));
  const double names = std::max(240.0, 16 + kLetter * static_cast<double>(longest));
  double most = 1;
  for (const study::DurabilityRow& row : report.rows) {
    if (row.shots.destructible) most = std::max(most, row.shots.mean);
  }
  Svg svg(names + kWidth + 80, kTop + kRow * static_cast<double>(report.rows.size()) + 20);
  svg.title(12, 28, fmt::format("mean shots of {} survived", report.attacker), 16, names + kWidth + 60);
  double y = kTop - 14;
  for (const study::DurabilityRow& row : report.rows) {
    svg.text(names - 8, y + 12, row.title, 12, Anchor::End);
    const double width = row.shots.destructible ? kWidth * row.shots.mean / most : kWidth;
    svg.rect(names, y + 2, width, kRow - 5, series_colour(0));
    svg.text(names + width + 5, y + 12, row.shots.destructible ? fmt::format("{:.2f}", row.shots.mean) : "never", 11);
    y += kRow;
  }
  return svg.take();
}

}  // namespace

std::string plot_damage(const Report& report) {
  const Estimates& estimates = report.estimates;
  std::vector<const ShipEstimates*> attacked;
  for (const ShipEstimates& ship : estimates.ships) {
    if (ship.attacked) attacked.push_back(&ship);
  }
  constexpr double kPanel = kTop + kChartHeight + kBottom;
  Svg svg(kLeft + 2 * kChartWidth + kGap + 40, kPanel * static_cast<double>(std::max<std::size_t>(attacked.size(), 1)));
  double top = 0;
  for (const ShipEstimates* ship : attacked) {
    svg.title(kLeft, top + 26,
              fmt::format("damage to {} from {}: mean {}", ship->title, attackers_of(estimates, ship->name),
                          mean_with_half_width(ship->mean_damage, 3)),
              16, 2 * kChartWidth + kGap + 30);
    bars(svg, *ship, top + kTop);
    curve(svg, *ship, top + kTop);
    top += kPanel;
  }
  return svg.take();
}

std::string plot_durability(const study::DurabilityStudy& report) {
  return report.all ? mean_bars(report) : survival(report);
}

}  // namespace salvo::report
