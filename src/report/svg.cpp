#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/index.h"
#include "base/text.h"

namespace salvo::report {
namespace {

constexpr std::string_view kFont = "Helvetica, Arial, 'DejaVu Sans', sans-serif";

/// Pixels with at most two decimals, so that pictures have the same bytes on every machine.
std::string px(double x) {
  std::string out = fmt::format("{:.2f}", x == 0 ? 0.0 : x);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string out;
  for (const char c : base::strip_control(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Svg::Svg(double width, double height) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"{2}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      px(width), px(height), kFont);
}

Svg::Svg(double width, double height, std::string_view label) {
  out_ = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" {}>\n", px(width), px(height),
      label.empty() ? "aria-hidden=\"true\"" : fmt::format("role=\"img\" aria-label=\"{}\"", escaped_markup(label)));
}

void Svg::rect(double x, double y, double width, double height, std::string_view fill) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", px(x), px(y), px(width),
                      px(height), fill);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour, double width) {
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", px(x1),
                      px(y1), px(x2), px(y2), colour, px(width));
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                   std::string_view dash) {
  std::string path;
  for (const auto& [x, y] : points) path += fmt::format("{}{},{}", path.empty() ? "" : " ", px(x), px(y));
  out_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path, colour,
                      dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void Svg::circle(double x, double y, double radius, std::string_view fill) {
  out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", px(x), px(y), px(radius), fill);
}

void Svg::text(double x, double y, std::string_view text, double size, Anchor anchor, std::string_view colour,
               bool bold) {
  constexpr std::array<std::string_view, 3> kAnchors = {"start", "middle", "end"};
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", px(x),
                      px(y), px(size), base::nth(kAnchors, anchor), colour, bold ? " font-weight=\"bold\"" : "",
                      escaped_markup(text));
}

void Svg::title(double x, double y, std::string_view text, double size, double room) {
  constexpr double kWide = 0.58, kTiny = 9;  // kWide: width of a bold letter as a share of its size
  const auto letters = static_cast<double>(std::max<std::size_t>(base::display_width(text), 1));
  const double fitting = std::clamp(room / (kWide * letters), kTiny, size);
  const auto most = static_cast<std::size_t>(room / (kWide * fitting) + 1e-9);
  this->text(x, y, base::clip_to_width(text, std::max<std::size_t>(most, 1)), fitting, Anchor::Start, "#222222", true);
}

std::string Svg::take() { return std::move(out_) + "</svg>\n"; }

std::string_view series_colour(std::size_t i) {
  static constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                               "#56b4e9", "#e69f00", "#000000"};
  return kColours[i % kColours.size()];
}

std::string_view series_dash(std::size_t i) {
  static constexpr std::array<std::string_view, 4> kDashes = {"", "7 3", "2 3", "9 3 2 3"};
  return kDashes[i % kDashes.size()];
}

std::string shade(double share) {
  // Lightness falls evenly, so that grey print shows the same order.
  static constexpr std::array<std::array<double, 3>, 5> kStops = {
      {{255, 255, 255}, {198, 219, 239}, {107, 174, 214}, {33, 113, 181}, {8, 48, 107}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  const double part = at - static_cast<double>(low);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(kStops[low][c] + part * (kStops[low + 1][c] - kStops[low][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string_view on_shade(double share) { return share > 0.55 ? "#ffffff" : "#222222"; }

double tick_step(double most, int ticks) {
  if (!(most > 0)) return 1;
  const double raw = most / ticks, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

void draw_axes(Svg& svg, const Axes& axes, bool percent, double x_step, std::string_view x_title,
               std::string_view title) {
  constexpr double kSmall = 12;
  svg.text(axes.left, axes.top - 12, title, 14, Anchor::Start, "#222222", true);
  const double y_step = tick_step(axes.y_to, 5);
  for (int i = 0; i * y_step <= axes.y_to * (1 + 1e-9); ++i) {
    const double y = axes.y(i * y_step);
    svg.line(axes.left, y, axes.left + axes.width, y, i == 0 ? "#444444" : "#dddddd");
    svg.text(axes.left - 6, y + 4,
             percent ? fmt::format("{:.3g}%", 100 * i * y_step) : fmt::format("{:.4g}", i * y_step), kSmall,
             Anchor::End);
  }
  for (double x = std::ceil(axes.x_from / x_step) * x_step + 0.0; x <= axes.x_to * (1 + 1e-9); x += x_step) {
    svg.line(axes.x(x), axes.top + axes.height, axes.x(x), axes.top + axes.height + 4, "#444444");
    svg.text(axes.x(x), axes.top + axes.height + 18, fmt::format("{:.4g}", x), kSmall, Anchor::Middle);
  }
  svg.text(axes.left + axes.width / 2, axes.top + axes.height + 38, x_title, kSmall, Anchor::Middle);
}

}  // namespace salvo::report
