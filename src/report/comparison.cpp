// The answer of `salvo compare`: see comparison.h.
#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "report/svg.h"

namespace salvo::report {
namespace {

using study::CompareRow;
using study::Comparison;
using study::FigureChoice;
using study::Opponent;

constexpr std::size_t kMean = 9, kPaired = 18;  ///< widths of columns

bool is_probability(const FigureChoice& by) { return by.name != "mean" && by.name != "per_point"; }

std::string figure_text(const FigureChoice& by, double x) {
  if (is_probability(by)) return fmt::format("{:.1f}%", 100 * x);
  return by.name == "mean" ? fmt::format("{:.3f}", x) : fmt::format("{:.4f}", x);
}

/// The same, short.
std::string cell_text(const FigureChoice& by, double x) {
  return by.name == "mean" ? fmt::format("{:.2f}", x) : figure_text(by, x);
}

std::string figure_words(const FigureChoice& by) {
  if (by.name == "mean") return "mean damage";
  if (by.name == "hit") return "chance to hit";
  if (by.name == "destroyed") return "chance to destroy";
  if (by.name == "per_point") return "mean damage per point";
  return fmt::format("chance of at least {} damage", by.k);
}

void write_cell(JsonWriter& json, const Opponent& opponent, const DuelResult& cell, double figure, bool sampled) {
  json.member("against", opponent.id);
  json.member("figure", figure);
  json.member("possible", cell.possible);
  json.member("engine", cell.engine);
  if (!cell.possible) json.member("why_not", cell.why_not);
  json.member("mean", cell.mean);
  if (sampled) json.member("mean_se", cell.mean_se);
  json.member("hit", cell.hit);
  json.member("at_least", cell.at_least);
  json.member("destroyed", cell.destructible ? std::optional(cell.destroyed) : std::nullopt);
}

void write_row(JsonWriter& json, const Comparison& comparison, const CompareRow& row) {
  const bool sampled = comparison.blocks > 0;
  json.member("name", row.loadout.name);
  json.member("label", row.loadout.label);
  json.member("cost", row.loadout.cost);
  json.member("average", row.average);
  if (sampled) json.member("average_se", *row.average_se);
  json.member("behind", row.behind);
  if (sampled) json.member("behind_se", *row.behind_se);
  json.array("cells", [&] {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      json.object([&] { write_cell(json, comparison.opponents[c], row.cells[c], row.figures[c], sampled); });
    }
  });
}

double largest(const Comparison& comparison) {
  double most = 0;
  for (const CompareRow& row : comparison.rows) {
    for (const double x : row.figures) most = std::max(most, x);
  }
  return most > 0 ? most : 1;
}

/// Share of the largest figure as a character, for a map without colours.
std::string block(double share) {
  static constexpr const char* kBlocks[] = {" ", "░", "▒", "▓", "█"};
  return kBlocks[std::clamp(static_cast<int>(share * 4 + 0.5), 0, 4)];
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", comparison.rules);
    json.member("cards", comparison.cards);
    if (!comparison.cards_date.empty()) json.member("cards_date", comparison.cards_date);
    json.member("by", comparison.by.text());
    json.member("common", comparison.common);
    json.objects("against", comparison.opponents, [&](const Opponent& opponent) {
      json.member("id", opponent.id);
      json.member("name", opponent.name);
    });
    int rank = 0;
    json.objects("loadouts", comparison.rows, [&](const CompareRow& row) {
      json.member("rank", ++rank);
      write_row(json, comparison, row);
    });
    if (comparison.blocks == 0) return;
    json.object("sample", [&] {
      json.member("trials", comparison.trials);
      json.member("blocks", comparison.blocks);
      json.member("seed", comparison.seed);
      json.member("generator", "philox4x32-10");
    });
  });
}

std::string to_csv(const Comparison& comparison) {
  std::string out = "rank,loadout,against,figure,value,se\n";
  int rank = 0;
  for (const CompareRow& row : comparison.rows) {
    ++rank;
    const auto line = [&](const std::string& against, const std::string& figure, double value,
                          std::optional<double> se) {
      out += fmt::format("{},{},{},{},{},{}\n", rank, text::csv_field(row.loadout.name), text::csv_field(against),
                         figure, value, se ? fmt::format("{}", *se) : "");
    };
    line("", "average", row.average, row.average_se);
    line("", "behind", row.behind, row.behind_se);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const std::string& against = comparison.opponents[c].id;
      line(against, comparison.by.text(), row.figures[c], std::nullopt);
      line(against, "damage_mean", row.cells[c].mean,
           comparison.blocks > 0 ? std::optional(row.cells[c].mean_se) : std::nullopt);
      for (std::size_t k = 1; k < row.cells[c].at_least.size(); ++k)
        line(against, fmt::format("at_least:{}", k), row.cells[c].at_least[k], std::nullopt);
      if (row.cells[c].destructible) line(against, "destroyed", row.cells[c].destroyed, std::nullopt);
    }
  }
  return out;
}

std::string to_table(const Comparison& comparison, int width, bool colour) {
  Page page = make_page(width, colour, 160);
  page.paragraph(fmt::format("{}, ranked by the mean of all columns", figure_words(comparison.by)), Style::Strong);
  if (!comparison.common.empty()) page.entry("all have", fmt::format("{}", fmt::join(comparison.common, " ")));
  std::vector<std::string> legend;
  for (const Opponent& opponent : comparison.opponents) {
    if (opponent.id != opponent.name) legend.push_back(opponent.id + ": " + opponent.name);
  }
  if (!comparison.cards_date.empty())
    page.entry("cards", fmt::format("{} of {}", comparison.cards, comparison.cards_date));
  if (!legend.empty()) page.entry("against", fmt::format("{}", fmt::join(legend, "; ")), Style::Faint);
  page.blank();
  std::size_t names = 8;
  for (const CompareRow& row : comparison.rows) names = std::max(names, text::length(row.loadout.label));
  const std::size_t fixed = 2 + kMean + (comparison.blocks > 0 ? kPaired : kMean), each = 8;
  const std::size_t room = page.width() - std::min(page.width(), fixed + each * comparison.opponents.size());
  names = std::clamp<std::size_t>(std::min(names, room), 12, 60);
  std::string head = "  " + text::pad_right("loadout", names) + text::pad_left("mean", kMean) +
                     text::pad_left("behind", comparison.blocks > 0 ? kPaired : kMean);
  for (const Opponent& opponent : comparison.opponents) head += text::pad_left(text::clip(opponent.id, each - 1), each);
  page.line({{head, Style::Faint}});
  const double most = largest(comparison);
  for (const CompareRow& row : comparison.rows) {
    std::string behind =
        row.behind == 0 && !(row.behind_se && *row.behind_se > 0) ? "" : figure_text(comparison.by, row.behind);
    if (row.behind_se && *row.behind_se > 0) {
      behind += is_probability(comparison.by) ? fmt::format(" ±{:.2g}%", 196 * *row.behind_se)
                                              : fmt::format(" ±{:.2g}", 1.96 * *row.behind_se);
    }
    std::vector<Span> spans{{"  " + text::pad_right(text::clip(row.loadout.label, names), names) +
                             text::pad_left(figure_text(comparison.by, row.average), kMean) +
                             text::pad_left(behind, comparison.blocks > 0 ? kPaired : kMean)}};
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const bool possible = row.cells[c].possible;
      spans.push_back({text::pad_left(possible ? cell_text(comparison.by, row.figures[c]) : "-", each - 1)});
      spans.push_back({possible ? block(row.figures[c] / most) : " ", Style::Accent});
    }
    page.line(spans);
  }
  if (comparison.blocks > 0) {
    page.blank();
    page.paragraph(
        fmt::format("Sampled with common random numbers, {} trials in {} blocks; ± is the 95 % half-width of the "
                    "paired difference.",
                    comparison.trials, comparison.blocks),
        Style::Faint);
  }
  return page.take();
}

std::string plot_comparison(const Comparison& comparison) {
  constexpr double kCellWidth = 92, kCellHeight = 34, kTop = 110, kRight = 120;
  std::size_t names = 10;
  for (const CompareRow& row : comparison.rows)
    names = std::max(names, std::min<std::size_t>(44, text::length(row.loadout.label)));
  const double left = 24 + 7.2 * static_cast<double>(names);
  const auto columns = static_cast<double>(comparison.opponents.size()),
             rows = static_cast<double>(comparison.rows.size());
  Svg svg(left + kCellWidth * (columns + 1) + kRight, kTop + kCellHeight * rows + 60);
  svg.text(16, 28, figure_words(comparison.by), 16, Anchor::Start, "#222222", true);
  if (!comparison.common.empty()) svg.text(16, 48, fmt::format("all have: {}", fmt::join(comparison.common, " ")), 12);
  const double most = largest(comparison);
  const auto column_head = [&](double column, const std::string& id, const std::string& name) {
    const double x = left + kCellWidth * (column + 0.5);
    svg.text(x, kTop - 12, text::clip(id, 13), 12, Anchor::Middle, "#222222", true);
    const std::vector<std::string> lines = name == id ? std::vector<std::string>() : text::wrap(name, 16);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, lines.size()); ++i)
      svg.text(x, kTop - 38 + 12 * static_cast<double>(i), lines[i], 9.5, Anchor::Middle, "#555555");
  };
  for (std::size_t c = 0; c < comparison.opponents.size(); ++c)
    column_head(static_cast<double>(c), comparison.opponents[c].id, comparison.opponents[c].name);
  column_head(columns, "mean", "mean");
  for (std::size_t r = 0; r < comparison.rows.size(); ++r) {
    const CompareRow& row = comparison.rows[r];
    const double y = kTop + kCellHeight * static_cast<double>(r);
    svg.text(left - 10, y + kCellHeight / 2 + 4, text::clip(row.loadout.label, 44), 12, Anchor::End);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const double share = row.cells[c].possible ? row.figures[c] / most : 0,
                   x = left + kCellWidth * static_cast<double>(c);
      svg.rect(x + 1, y + 1, kCellWidth - 2, kCellHeight - 2, shade(share));
      svg.text(x + kCellWidth / 2, y + kCellHeight / 2 + 4,
               row.cells[c].possible ? figure_text(comparison.by, row.figures[c]) : "-", 12, Anchor::Middle,
               on_shade(share));
    }
    svg.text(left + kCellWidth * (columns + 0.5), y + kCellHeight / 2 + 4, figure_text(comparison.by, row.average), 12,
             Anchor::Middle, "#222222", true);
  }
  const double x = left + kCellWidth * (columns + 1) + 24, height = std::max(kCellHeight * rows, 120.0);
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps; ++i) {
    const double share = 1 - (i + 0.5) / kSteps;
    svg.rect(x, kTop + height * i / kSteps, 18, height / kSteps + 0.5, shade(share));
  }
  svg.text(x + 24, kTop + 10, figure_text(comparison.by, most), 11);
  svg.text(x + 24, kTop + height, figure_text(comparison.by, 0), 11);
  return svg.take();
}

}  // namespace salvo::report
