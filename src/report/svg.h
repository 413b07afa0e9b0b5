// A picture as SVG text. Its colours suit colour-blind readers (Okabe and Ito 2008) and differ in grey print; series
// differ in dashes and marks as well.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::report {

/// Text without control characters, escaped for XML and HTML.
std::string escaped_markup(std::string_view text);

enum class Anchor { Start, Middle, End };

class Svg {
 public:
  Svg(double width, double height);
  /// A picture in an HTML page, as wide as its place and without background. `label` describes it to those who cannot
  /// see it; empty: the text beside it does.
  Svg(double width, double height, std::string_view label);

  void rect(double x, double y, double width, double height, std::string_view fill);
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1);
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view colour, std::string_view dash);
  void circle(double x, double y, double radius, std::string_view fill);
  /// `size` in pixels. Cleans and escapes the text, which may come from anywhere.
  void text(double x, double y, std::string_view text, double size, Anchor anchor = Anchor::Start,
            std::string_view colour = "#222222", bool bold = false);
  /// Bold left-aligned text; it shrinks to fit into `room` pixels and is cut where it would become too small.
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

/// A round step of about `ticks` ticks for an axis from 0 to `most`.
double tick_step(double most, int ticks);

/// The rectangle of a chart with axes from 0; maps values to pixels.
struct Axes {
  double left = 0, top = 0, width = 0, height = 0;
  double x_from = 0, x_to = 1, y_to = 1;
  double x(double value) const { return left + (value - x_from) / (x_to - x_from) * width; }
  double y(double value) const { return top + height - value / y_to * height; }
};

/// Draws grid lines, ticks and titles. `percent`: the y axis is a probability.
void draw_axes(Svg& svg, const Axes& axes, bool percent, double x_step, std::string_view x_title,
               std::string_view title);

}  // namespace salvo::report
