// Page: lines of a terminal, in style and never wider than it.
// In: text of any origin with styles. Out: one string.
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

/// Collects lines. All text is cleaned of control characters here, and a line that is too long goes on in the next.
class Page {
 public:
  static constexpr std::size_t kMargin = 2;
  static constexpr std::size_t kKeyWidth = 14;  ///< of the left column of entries

  Page(std::size_t width, bool colour) : width_(width), colour_(colour) {}

  std::size_t width() const { return width_; }
  void line(const std::vector<Span>& spans);
  void blank() { out_ += '\n'; }
  /// Text from the left edge on, wrapped.
  void paragraph(std::string_view text, Style style);
  /// A key in the left column and text beside it, wrapped there.
  void entry(std::string_view key, std::string_view text, Style style = Style::Plain);
  std::string take() { return std::move(out_); }

 private:
  void write(const std::vector<Span>& spans);
  void wrap(const std::vector<Span>& spans);

  std::size_t width_;
  bool colour_;
  std::string out_;
};

/// The page of a terminal of `width` columns; narrower and wider ones are hard to read.
Page make_page(int width, bool colour, int widest = 120);

}  // namespace salvo::report
