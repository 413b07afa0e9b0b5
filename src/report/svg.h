// Svg: a picture as text. Colours are from palettes that colour-blind people can tell apart (Okabe and Ito 2008) and
// that stay apart in grey print; series differ in dashes and marks as well.
// In: shapes in pixels. Out: an SVG file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::report {

enum class Anchor { Start, Middle, End };

class Svg {
 public:
  Svg(double width, double height);

  void rect(double x, double y, double width, double height, std::string_view fill);
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1);
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour, std::string_view dash);
  void circle(double x, double y, double radius, std::string_view fill);
  /// `size` in pixels. Text of any origin: it is cleaned and escaped here.
  void text(double x, double y, std::string_view text, double size, Anchor anchor = Anchor::Start,
            std::string_view colour = "#222222", bool bold = false);
  /// Bold text from the left, smaller where it would leave `room` pixels, and cut where it would have to be tiny.
  void title(double x, double y, std::string_view text, double size, double room);
  std::string take();

 private:
  std::string out_;
};

/// Colour and dashes of series i.
std::string_view series_colour(std::size_t i);
std::string_view series_dash(std::size_t i);

/// White to dark blue for a share of 0 to 1, and the colour of text on it.
std::string shade(double share);
std::string_view on_shade(double share);

/// A round step for an axis from 0 to `most` with about `ticks` ticks.
double tick_step(double most, int ticks);

/// A rectangle of a chart with axes from 0: maps values to pixels.
struct Axes {
  double left = 0, top = 0, width = 0, height = 0;
  double x_from = 0, x_to = 1, y_to = 1;
  double x(double value) const { return left + (value - x_from) / (x_to - x_from) * width; }
  double y(double value) const { return top + height - value / y_to * height; }
};

/// Grid lines, ticks and titles. `percent`: the y axis is a probability.
void draw_axes(Svg& svg, const Axes& axes, bool percent, double x_step, std::string_view x_title,
               std::string_view title);

}  // namespace salvo::report
