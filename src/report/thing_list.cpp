#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/cards.h"
#include "report/csv.h"
#include "report/json_writer.h"
#include "report/page.h"

namespace salvo::report {
namespace {

using cards::Cell;
using cards::FoundList;
using cards::FoundRow;
using cards::Listed;

const char* plural(Listed what) {
  switch (what) {
    case Listed::Ships:
      return "ships";
    case Listed::Pilots:
      return "pilots";
    case Listed::Upgrades:
      return "upgrades";
    case Listed::Weapons:
      break;
  }
  return "weapons";
}

std::string text_of(const Cell& cell) {
  if (const int* n = std::get_if<int>(&cell)) return std::to_string(*n);
  const std::string* text = std::get_if<std::string>(&cell);
  return text != nullptr ? *text : "";
}

/// A row of the table: name, id, facts, card sets.
std::vector<std::string> words_of(const FoundRow& row) {
  std::vector<std::string> out{row.named.name, row.named.id};
  for (const Cell& cell : row.cells) out.push_back(text_of(cell));
  out.push_back(base::joined(row.sets, ", "));
  return out;
}

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kGap = 2;

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> out(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = std::max(out[i], base::display_width(row[i]));
  }
  return out;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t out = 0;
  for (const std::size_t width : widths) out += width > 0 ? width + kGap : 0;
  return out;
}

/// One line a row, if they fit.
void write_columns(Page& page, const Rows& rows, const std::vector<std::size_t>& widths) {
  for (const auto& row : rows) {
    std::vector<Span> line;
    const Style style = &row == &rows.front() ? Style::Faint : Style::Plain;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const bool name = i == 0 && style == Style::Plain;
      line.push_back({base::pad_right(row[i], widths[i] + kGap), name ? Style::Strong : style});
    }
    page.line(line);
  }
}

/// If they do not fit: the name, and its facts below.
void write_entries(Page& page, const Rows& rows) {
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    page.line({{row->front(), Style::Strong}});
    for (std::size_t i = 1; i < row->size(); ++i) {
      if (!(*row)[i].empty()) page.entry(rows.front()[i], (*row)[i]);
    }
  }
}

}  // namespace

std::string to_json(const FoundList& list) {
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.objects(plural(list.what), list.rows, [&](const FoundRow& row) {
      json.member("id", row.named.id);
      json.member("name", row.named.name);
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (const int* n = std::get_if<int>(&row.cells[i])) json.member(list.columns[i], *n);
        if (const auto* text = std::get_if<std::string>(&row.cells[i])) json.member(list.columns[i], *text);
      }
      json.member("sets", row.sets);
    });
    if (list.reading) {
      json.object("reading", [&] {
        json.member("id", list.reading->id);
        json.member("whole", list.reading->whole);
      });
    }
  });
}

std::string to_csv(const FoundList& list) {
  std::vector<std::string> head{"id", "name"};
  head.insert(head.end(), list.columns.begin(), list.columns.end());
  head.emplace_back("sets");
  std::string out = csv_line(head);
  for (const FoundRow& row : list.rows) {
    std::vector<std::string> line = words_of(row);
    std::swap(line[0], line[1]);
    out += csv_line(line);
  }
  return out;
}

std::string to_table(const FoundList& list, int width, bool colour) {
  constexpr int kWidest = 200;
  Page page = make_page(width, colour, kWidest);
  Rows rows;
  for (const FoundRow& row : list.rows) rows.push_back(words_of(row));
  if (!rows.empty()) {
    std::vector<std::size_t> filled = widths_of(rows);
    std::vector<std::string> head{"name", "id"};
    head.insert(head.end(), list.columns.begin(), list.columns.end());
    head.emplace_back("card sets");
    for (std::size_t i = 0; i < filled.size(); ++i) filled[i] = filled[i] > 0 ? std::max(filled[i], head[i].size()) : 0;
    rows.insert(rows.begin(), head);
    if (total(filled) <= page.width() + kGap) {
      write_columns(page, rows, filled);
    } else {
      write_entries(page, rows);
    }
    page.blank();
  }
  page.paragraph(fmt::format("{} {}. SPECs, scenarios and squads take the id or the name.",
                             rows.empty() ? 0 : rows.size() - 1, plural(list.what)),
                 Style::Faint);
  return page.take();
}

}  // namespace salvo::report
