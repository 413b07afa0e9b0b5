#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "report/json_figures.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/squad.h"
#include "report/svg.h"
#include "report/table.h"

namespace salvo::report {
namespace {

using study::CompareRow;
using study::Comparison;
using study::FigureChoice;
using study::Opponent;

constexpr std::size_t kLeastName = 12, kMean = 9, kPaired = 18, kCell = 8;  ///< column widths

bool is_probability(const FigureChoice& by) { return by.name != "mean" && by.name != "per_point"; }

std::string figure_text(const FigureChoice& by, double x) {
  if (is_probability(by)) return fmt::format("{:.1f}%", 100 * x);
  return by.name == "mean" ? fmt::format("{:.3f}", x) : fmt::format("{:.4f}", x);
}

/// The same as a short heading.
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

void write_cell(JsonWriter& json, const Opponent& opponent, const CompareRow& row, std::size_t c) {
  const DuelResult& cell = row.cells[c];
  json.member("against", opponent.id);
  json.member("weapon", row.weapons[c]);
  write_figure(json, "figure", row.estimates[c], cell.engine != Engine::Exact);
  json.member("possible", cell.possible);
  json.member("engine", engine_name(cell));
  if (!cell.possible) json.member("why_not", cell.why_not);
  json.member("mean", cell.mean.value);
  write_after_mean(json, cell);
}

void write_row(JsonWriter& json, const Comparison& comparison, const CompareRow& row) {
  json.member("name", row.loadout.name);
  json.member("label", row.loadout.label);
  json.member("cost", row.loadout.cost);
  write_figure(json, "average", {row.average, row.average_se.value_or(0)}, row.average_se.has_value());
  write_figure(json, "behind", {row.behind, row.behind_se.value_or(0)}, row.behind_se.has_value());
  json.array("cells", [&] {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      json.object([&] { write_cell(json, comparison.opponents[c], row, c); });
    }
  });
  write_caveats(json, row.from);
}

/// The weapon of a row, or empty if it depends on the target.
std::string only_weapon(const CompareRow& row) {
  const bool same = std::all_of(row.weapons.begin(), row.weapons.end(),
                                [&](const std::string& weapon) { return weapon == row.weapons[0]; });
  return same && !row.weapons.empty() ? row.weapons[0] : std::string();
}

/// Whether weapons are worth mentioning: no if every ship shoots with its only one.
bool names_weapons(const Comparison& comparison) {
  return comparison.best || std::any_of(comparison.rows.begin(), comparison.rows.end(),
                                        [](const CompareRow& row) { return !only_weapon(row).starts_with("primary"); });
}

/// "protontorpedoes on d0r, d1f; primary:front on d3f".
std::string weapons_by_target(const CompareRow& row, const std::vector<Opponent>& opponents) {
  std::vector<std::pair<std::string, std::vector<std::string>>> targets;
  for (std::size_t c = 0; c < row.weapons.size(); ++c) {
    auto at = std::find_if(targets.begin(), targets.end(), [&](const auto& x) { return x.first == row.weapons[c]; });
    if (at == targets.end()) at = targets.insert(targets.end(), {row.weapons[c], {}});
    at->second.push_back(opponents[c].id);
  }
  std::string out;
  for (const auto& [weapon, ids] : targets)
    out += fmt::format("{}{} on {}", out.empty() ? "" : "; ", weapon, base::joined(ids, ", "));
  return out;
}

/// The half-width of the 95 % interval.
std::string half_width(const FigureChoice& by, double se) {
  return is_probability(by) ? fmt::format("{:.2g}%", 196 * se) : fmt::format("{:.2g}", 1.96 * se);
}

/// "1.234 ±0.002" when sampled.
std::string with_error(const FigureChoice& by, double x, const std::optional<double>& se) {
  return figure_text(by, x) + (se && *se > 0 ? " ±" + half_width(by, *se) : "");
}

double largest(const Comparison& comparison) {
  double most = 0;
  for (const CompareRow& row : comparison.rows) {
    for (const Estimate& x : row.estimates) most = std::max(most, x.value);
  }
  return most > 0 ? most : 1;
}

/// A character for a share of the largest value, for a map without colours.
std::string block(double share) {
  static constexpr const char* kBlocks[] = {" ", "░", "▒", "▓", "█"};
  return kBlocks[std::clamp(static_cast<int>(share * 4 + 0.5), 0, 4)];
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", comparison.rules);
    const bool named = !comparison.cards.empty();  // otherwise the card set of the ships, if there are any
    json.member("cards", named ? comparison.cards : comparison.from.cards);
    const std::string& date = named ? comparison.cards_date : comparison.from.cards_date;
    if (!date.empty()) json.member("cards_date", date);
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
    write_policy(json, comparison.from);
    write_caveats(json, comparison.from);
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
  std::string out = "rank,loadout,against,figure,value,se,key\n";
  int rank = 0;
  for (const CompareRow& row : comparison.rows) {
    ++rank;
    const std::string name = base::csv_field(row.loadout.name);
    const auto line = [&](const std::string& against, const std::string& figure, double value,
                          std::optional<double> se) {
      out += fmt::format("{},{},{},{},{},{},\n", rank, name, base::csv_field(against), figure, value,
                         se ? fmt::format("{}", *se) : "");
    };
    const auto words = [&](const std::string& against, const char* figure, const std::string& said) {
      out += fmt::format("{},{},{},{},,,{}\n", rank, name, base::csv_field(against), figure, base::csv_field(said));
    };
    line("", "average", row.average, row.average_se);
    line("", "behind", row.behind, row.behind_se);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const std::string& against = comparison.opponents[c].id;
      const DuelResult& cell = row.cells[c];
      const auto estimate = [&](const std::string& figure, const Estimate& x) {
        line(against, figure, x.value, cell.engine != Engine::Exact ? std::optional(x.se) : std::nullopt);
      };
      words(against, "weapon", row.weapons[c]);
      estimate(comparison.by.text(), row.estimates[c]);
      estimate("damage_mean", cell.mean);
      for (std::size_t k = 1; k < cell.at_least.size(); ++k) estimate(fmt::format("at_least:{}", k), cell.at_least[k]);
      if (cell.destructible) estimate("destroyed", cell.destroyed);
      if (!cell.possible) words(against, "why_not", cell.why_not);
    }
    for (const auto& [figure, said] : caveats(row.from)) words("", figure, said);
  }
  for (const auto& [figure, said] : caveats(comparison.from))
    out += fmt::format(",,,{},,,{}\n", figure, base::csv_field(said));
  return out;
}

std::string to_table(const Comparison& comparison, int width, bool colour) {
  Page page = make_page(width, colour, 160);
  page.paragraph(fmt::format("{}, ranked by the mean of all columns", figure_words(comparison.by)), Style::Strong);
  if (!comparison.common.empty()) page.entry("all have", base::joined(comparison.common, " "));
  std::vector<std::string> legend;
  for (const Opponent& opponent : comparison.opponents) {
    if (opponent.id != opponent.name) legend.push_back(opponent.id + ": " + opponent.name);
  }
  if (!comparison.cards_date.empty())
    page.entry("cards", fmt::format("{} of {}", comparison.cards, comparison.cards_date));
  if (!legend.empty()) page.entry("against", base::joined(legend, "; "), Style::Faint);
  page.blank();
  const bool sampled = comparison.rows[0].average_se.has_value();
  Table table;
  const std::size_t mean_width = sampled ? kPaired : kMean;
  table.widths(1, kLeastName, {mean_width, mean_width, kCell});
  std::vector<Table::Cell> head{"loadout", "mean", "behind"};
  for (const Opponent& opponent : comparison.opponents) head.emplace_back(opponent.id, " ");
  table.row(std::move(head));
  const double most = largest(comparison);
  double largest_se = 0;
  for (const CompareRow& row : comparison.rows) {
    const bool none = row.behind == 0 && !(row.behind_se && *row.behind_se > 0);
    std::vector<Table::Cell> cells{row.loadout.label, with_error(comparison.by, row.average, row.average_se),
                                   none ? std::string() : with_error(comparison.by, row.behind, row.behind_se)};
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const bool possible = row.cells[c].possible;
      cells.emplace_back(possible ? cell_text(comparison.by, row.estimates[c].value) : "-",
                         possible ? block(row.estimates[c].value / most) : " ");
      largest_se = std::max(largest_se, row.estimates[c].se);
    }
    table.row(std::move(cells));
  }
  table.write(page);
  page.blank();
  if (names_weapons(comparison)) {
    for (const CompareRow& row : comparison.rows) {
      const std::string only = only_weapon(row);
      page.entry("weapon", fmt::format("{}: {}", row.loadout.label,
                                       only.empty() ? weapons_by_target(row, comparison.opponents) : only));
    }
  }
  write_provenance(page, comparison.from);
  if (comparison.blocks > 0) {
    page.blank();
    page.paragraph(
        fmt::format("Sampled with common random numbers, {} trials in {} blocks; ± is the 95 % half-width, of "
                    "\"behind\" that of the paired difference; single columns: at most ±{}.",
                    comparison.trials, comparison.blocks, half_width(comparison.by, largest_se)),
        Style::Faint);
  } else if (sampled) {
    page.paragraph(fmt::format("Some attacks do not fit the exact engine and were sampled; ± is the 95 % half-width; "
                               "single columns: at most ±{}.",
                               half_width(comparison.by, largest_se)),
                   Style::Faint);
  }
  return page.take();
}

std::string plot_comparison(const Comparison& comparison) {
  constexpr double kCellWidth = 92, kCellHeight = 34, kTop = 110, kRight = 120;
  constexpr std::size_t kMaxLabel = 90;
  std::size_t names = 10;
  for (const CompareRow& row : comparison.rows)
    names = std::max(names, std::min(kMaxLabel, base::display_width(row.loadout.label)));
  const double left = 24 + 7.2 * static_cast<double>(names);
  const auto columns = static_cast<double>(comparison.opponents.size()),
             rows = static_cast<double>(comparison.rows.size());
  Svg svg(left + kCellWidth * (columns + 1) + kRight, kTop + kCellHeight * rows + 60);
  svg.text(16, 28, figure_words(comparison.by), 16, Anchor::Start, "#222222", true);
  if (!comparison.common.empty())
    svg.text(16, 48, base::clip_to_width(fmt::format("all have: {}", base::joined(comparison.common, " ")), 100), 12);
  const double most = largest(comparison);
  const auto column_head = [&](double column, const std::string& id, const std::string& name) {
    const double x = left + kCellWidth * (column + 0.5);
    const bool short_id = base::display_width(id) <= 13;
    if (short_id) svg.text(x, kTop - 12, id, 12, Anchor::Middle, "#222222", true);
    std::vector<std::string> lines;
    if (name != id || !short_id) lines = base::wrap(name, 16);
    const std::size_t room = short_id ? 3 : 4;
    if (lines.size() > room) lines[room - 1] = base::clip_to_width(lines[room - 1] + " " + lines[room], 16);
    lines.resize(std::min(lines.size(), room));
    const double last = short_id ? kTop - 26 : kTop - 12;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      svg.text(x, last - 12 * static_cast<double>(lines.size() - 1 - i), lines[i], 9.5, Anchor::Middle, "#555555");
    }
  };
  for (std::size_t c = 0; c < comparison.opponents.size(); ++c)
    column_head(static_cast<double>(c), comparison.opponents[c].id, comparison.opponents[c].name);
  column_head(columns, "mean", "mean");
  for (std::size_t r = 0; r < comparison.rows.size(); ++r) {
    const CompareRow& row = comparison.rows[r];
    const double y = kTop + kCellHeight * static_cast<double>(r);
    svg.text(left - 10, y + kCellHeight / 2 + 4, base::clip_to_width(row.loadout.label, kMaxLabel), 12, Anchor::End);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const double share = row.cells[c].possible ? row.estimates[c].value / most : 0,
                   x = left + kCellWidth * static_cast<double>(c);
      svg.rect(x + 1, y + 1, kCellWidth - 2, kCellHeight - 2, shade(share));
      svg.text(x + kCellWidth / 2, y + kCellHeight / 2 + 4,
               row.cells[c].possible ? figure_text(comparison.by, row.estimates[c].value) : "-", 12, Anchor::Middle,
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
