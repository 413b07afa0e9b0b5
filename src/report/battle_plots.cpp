#include "report/battle_plots.h"

#include <fmt/format.h>

#include <cmath>

#include "base/stable_sort.h"
#include "base/text.h"
#include "report/battle_parts.h"
#include "report/digits.h"
#include "report/svg.h"

namespace salvo::report {
namespace {

constexpr double kLeft = 58, kTop = 84, kWidth = 560, kHeight = 220, kBottom = 50, kNames = 210, kRow = 18;
constexpr std::size_t kMaxTitle = 30;

void side(Svg& svg, const BattleReport& report, bool mine, double top) {
  const std::size_t last = last_round(report);
  const Axes axes{kLeft, top, kWidth, kHeight, 0, static_cast<double>(last), 1};
  const std::string name = mine ? "mine: " + report.my_name : "theirs: " + report.their_name;
  svg.text(kLeft, top - 10, base::clip_to_width(name, 70), 13, Anchor::Start, "#222222", true);
  draw_axes(svg, axes, true, 1, "round", "");
  std::size_t series = 0;
  double y = top + 8;
  for_each_ship(report, ship_titles(report), mine, [&](const BattleShipEstimates& ship, const std::string& title) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t k = 0; k <= last && k < ship.alive.size(); ++k)
      points.emplace_back(axes.x(static_cast<double>(k)), axes.y(ship.alive[k].value));
    svg.polyline(points, series_colour(series), series_dash(series));
    const double x = kLeft + kWidth + 16;
    svg.polyline({{x, y}, {x + 22, y}}, series_colour(series), series_dash(series));
    svg.text(x + 28, y + 4, base::clip_to_width(title, kMaxTitle), 11);
    y += kRow;
    ++series;
  });
}

}  // namespace

std::string plot_battle(const BattleReport& report) {
  Svg svg(kLeft + kWidth + kNames, kTop + 2 * (kHeight + kBottom) + 10);
  svg.text(kLeft, 28, "Ships alive after each round", 16, Anchor::Start, "#222222", true);
  svg.text(kLeft, 48,
           fmt::format("win {}, draw {}, loss {}; flight {}, {}", percent(report.win, report.trials),
                       percent(report.draw, report.trials), percent(report.loss, report.trials), report.flight_name,
                       report.engine == Engine::Sample ? "sampled" : "exact"),
           12);
  side(svg, report, true, kTop);
  side(svg, report, false, kTop + kHeight + kBottom);
  return svg.take();
}

std::string plot_gauntlet(const GauntletReport& report) {
  constexpr double kCell = 44, kLine = 30, kTitle = 96, kTitles = 230;
  const std::size_t n = report.names.size();
  const auto size = static_cast<double>(n);
  Svg svg(kTitles + size * kCell + 100, kTitle + size * kLine + 40);
  svg.text(16, 28, "Each against each: win chance in percent", 16, Anchor::Start, "#222222", true);
  svg.text(
      16, 48,
      fmt::format("a draw counted half; flight {}, {}", report.flight_name, report.trials > 0 ? "sampled" : "exact"),
      12);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  base::stable_sort(order, [&](std::size_t a, std::size_t b) { return report.field[a].value > report.field[b].value; });
  for (std::size_t i = 0; i < n; ++i) {
    const double y = kTitle + static_cast<double>(i) * kLine, middle = y + kLine / 2 + 4;
    const std::size_t row = order[i];
    svg.text(16, middle, fmt::format("{}  {}", i + 1, base::clip_to_width(report.names[row], kMaxTitle)), 12);
    const double column = kTitles + (static_cast<double>(i) + 0.5) * kCell;
    svg.text(column, kTitle - 8, fmt::format("{}", i + 1), 12, Anchor::Middle);
    for (std::size_t j = 0; j < n; ++j) {
      const double value = report.win[row][order[j]].value, x = kTitles + static_cast<double>(j) * kCell;
      if (i == j || std::isnan(value)) continue;
      svg.rect(x + 1, y + 1, kCell - 2, kLine - 2, shade(value));
      svg.text(x + kCell / 2, middle, fmt::format("{:.0f}", 100 * value), 12, Anchor::Middle, on_shade(value));
    }
    const double field = report.field[row].value;
    svg.text(kTitles + size * kCell + 40, middle, std::isnan(field) ? "?" : fmt::format("{:.1f}", 100 * field), 12,
             Anchor::End, "#222222", true);
    if (report.equilibrium && report.equilibrium->share[row] > 0)
      svg.text(kTitles + size * kCell + 90, middle, fmt::format("{:.0f} %", 100 * report.equilibrium->share[row]), 12,
               Anchor::End);
  }
  svg.text(kTitles + size * kCell + 40, kTitle - 8, "field", 12, Anchor::End);
  if (report.equilibrium) svg.text(kTitles + size * kCell + 90, kTitle - 8, "mix", 12, Anchor::End);
  return svg.take();
}

}  // namespace salvo::report
