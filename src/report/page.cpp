// Page: see page.h.
#include "report/page.h"

#include <algorithm>

#include "base/text.h"

namespace salvo::report {
namespace {

std::string_view ansi(Style style) {
  switch (style) {
    case Style::Plain:
      return "";
    case Style::Strong:
      return "\x1b[1m";
    case Style::Faint:
      return "\x1b[2m";
    case Style::Accent:
      return "\x1b[36m";
    case Style::Good:
      return "\x1b[32m";
    case Style::Bad:
      return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

Page make_page(int width, bool colour, int widest) {
  constexpr int kNarrowest = 40;
  return {static_cast<std::size_t>(std::clamp(width, kNarrowest, widest)), colour};
}

void Page::line(const std::vector<Span>& spans) {
  std::size_t room = width_;
  std::string written;
  for (const Span& span : spans) {
    const std::string text = text::clip(text::clean(span.text), room);
    room -= text::length(text);
    const bool styled = colour_ && span.style != Style::Plain && text.find_first_not_of(' ') != std::string::npos;
    if (styled) written += ansi(span.style);
    written += text;
    if (styled) written += "\x1b[0m";
  }
  written.erase(written.find_last_not_of(' ') + 1);
  out_ += written + "\n";
}

void Page::paragraph(std::string_view text, Style style) {
  for (const std::string& part : text::wrap(text::clean(text), width_)) line({{part, style}});
}

void Page::entry(std::string_view key, std::string_view text, Style style) {
  constexpr std::size_t kLongestKey = 18;
  const std::string left = text::clip(text::clean(key), std::max(width_ / 3, kLongestKey));
  const std::size_t indent = kMargin + std::max(kKeyWidth, text::length(left) + 2);
  std::string first = std::string(kMargin, ' ') + text::pad_right(left, indent - kMargin);
  for (const std::string& part : text::wrap(text::clean(text), width_ - indent)) {
    line({{first, Style::Faint}, {part, style}});
    first = std::string(indent, ' ');
  }
}

}  // namespace salvo::report
