// Page: see page.h.
#include "report/page.h"

#include <algorithm>

#include "report/text.h"

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

void Page::line(const std::vector<Span>& spans) {
  std::size_t room = width_;
  std::string written;
  for (const Span& span : spans) {
    const std::string text = clip(clean(span.text), room);
    room -= length(text);
    const bool styled = colour_ && span.style != Style::Plain && text.find_first_not_of(' ') != std::string::npos;
    if (styled) written += ansi(span.style);
    written += text;
    if (styled) written += "\x1b[0m";
  }
  written.erase(written.find_last_not_of(' ') + 1);
  out_ += written + "\n";
}

void Page::paragraph(std::string_view text, Style style) {
  for (const std::string& part : wrap(clean(text), width_)) line({{part, style}});
}

void Page::entry(std::string_view key, std::string_view text, Style style) {
  const std::string left = clip(clean(key), width_ / 3);
  const std::size_t indent = kMargin + std::max(kKeyWidth, length(left) + 2);
  std::string first = std::string(kMargin, ' ') + pad_right(left, indent - kMargin);
  for (const std::string& part : wrap(clean(text), width_ - indent)) {
    line({{first, Style::Faint}, {part, style}});
    first = std::string(indent, ' ');
  }
}

}  // namespace salvo::report
