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
  std::vector<Span> clean;
  std::size_t used = 0;
  for (const Span& span : spans) {
    clean.push_back({base::strip_control(span.text), span.style});
    used += base::display_width(clean.back().text);
  }
  for (std::size_t last = clean.size(); last-- > 0;) {  // trailing spaces take no room
    std::string& text = clean[last].text;
    const std::size_t before = text.size();
    text.erase(text.find_last_not_of(' ') + 1);
    used -= before - text.size();
    if (!text.empty()) break;
  }
  used <= width_ ? write(clean) : wrap(clean);
}

void Page::write(const std::vector<Span>& spans) {
  std::string written;
  for (const Span& span : spans) {
    const bool styled = colour_ && span.style != Style::Plain && span.text.find_first_not_of(' ') != std::string::npos;
    if (styled) written += ansi(span.style);
    written += span.text;
    if (styled) written += "\x1b[0m";
  }
  written.erase(written.find_last_not_of(' ') + 1);
  out_ += written + "\n";
}

void Page::wrap(const std::vector<Span>& spans) {
  std::string all;
  for (const Span& span : spans) all += span.text;
  const std::string first(std::min(all.find_first_not_of(' '), width_ / 2), ' ');
  const std::string more(std::min(first.size() + kMargin, width_ / 2), ' ');
  std::vector<Span> now{{first}};
  std::size_t used = first.size();
  bool any = false;  // whether the line has a word
  const auto end_line = [&] {
    write(now);
    now = {{more}};
    used = more.size();
    any = false;
  };
  for (const Span& span : spans) {
    std::size_t at = 0;
    while (at < span.text.size()) {
      const std::size_t word = span.text.find_first_not_of(' ', at);
      if (word == std::string::npos) break;
      const std::size_t end = std::min(span.text.find(' ', word), span.text.size());
      const std::string blanks(any ? word - at : 0, ' ');
      const std::string text = span.text.substr(word, end - word);
      at = end;
      if (any && used + blanks.size() + base::display_width(text) > width_) end_line();
      const std::size_t begun =
          std::max(used + (any ? blanks.size() : 0), more.size());  // also of the lines that follow
      const std::vector<std::string> pieces = base::wrap(text, width_ - begun);
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0) end_line();
        now.push_back({(any ? blanks : "") + pieces[i], span.style});
        used += base::display_width(now.back().text);
        any = true;
      }
    }
    if (at < span.text.size() && any) {  // trailing blanks of a span precede the next
      now.push_back({std::string(std::min(span.text.size() - at, width_ - std::min(width_, used)), ' ')});
      used += now.back().text.size();
    }
  }
  write(now);
}

void Page::paragraph(std::string_view text, Style style) {
  for (const std::string& part : base::wrap(base::strip_control(text), width_)) line({{part, style}});
}

void Page::entry(std::string_view key, std::string_view text, Style style) {
  constexpr std::size_t kLongestKey = 18;
  std::string left = base::strip_control(key);
  if (base::display_width(left) > std::max(width_ / 3, kLongestKey)) {  // a long key gets lines of its own
    line({{std::string(kMargin, ' ') + left, Style::Faint}});
    left.clear();
  }
  const std::size_t indent = kMargin + std::max(kKeyWidth, base::display_width(left) + 2);
  std::string first = std::string(kMargin, ' ') + base::pad_right(left, indent - kMargin);
  for (const std::string& part : base::wrap(base::strip_control(text), width_ - indent)) {
    line({{first, Style::Faint}, {part, style}});
    first = std::string(indent, ' ');
  }
}

}  // namespace salvo::report
