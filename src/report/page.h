// Lines for a terminal, styled and never wider than it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace salvo::report {

enum class Style { Plain, Strong, Faint, Accent, Good, Bad };

/// A piece of a line.
struct Span {
  std::string text;
  Style style = Style::Plain;
};

/// Collects lines. Strips control characters from all text and wraps long lines.
class Page {
 public:
  static constexpr std::size_t kMargin = 2;
  static constexpr std::size_t kKeyWidth = 14;  ///< of the left column of entries

  Page(std::size_t width, bool colour) : width_(width), colour_(colour) {}

  std::size_t width() const { return width_; }
  void line(const std::vector<Span>& spans);
  void blank() { out_ += '\n'; }
  /// Wrapped text from the left edge.
  void paragraph(std::string_view text, Style style);
  /// A key in the left column with wrapped text beside it.
  void entry(std::string_view key, std::string_view text, Style style = Style::Plain);
  std::string take() { return std::move(out_); }

 private:
  void write(const std::vector<Span>& spans);
  void wrap(const std::vector<Span>& spans);

  std::size_t width_;
  bool colour_;
  std::string out_;
};

/// A page for a terminal of `width` columns, clamped to widths that are easy to read.
Page make_page(int width, bool colour, int widest = 120);

}  // namespace salvo::report
