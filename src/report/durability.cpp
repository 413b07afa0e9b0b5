#include "report/durability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/index.h"
#include "base/text.h"
#include "report/digits.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/table.h"
#include "salvo/engine.h"

namespace salvo::report {
namespace {

using study::DurabilityRow;
using study::DurabilityStudy;

constexpr std::array<double, 5> kShares = {0.05, 0.1, 0.5, 0.9, 0.95};

using study::Refresh;

std::string refresh_words(const DurabilityStudy& report) {
  if (report.refresh == Refresh::Rounds) return "as the rounds of the scenario say, the last one repeated";
  const std::string back = report.refresh == Refresh::Never  ? "never"
                           : report.refresh == Refresh::Shot ? "after each shot"
                           : report.shots_per_round == 1
                               ? "after each round of one shot"
                               : fmt::format("after each round of {} shots", report.shots_per_round);
  return fmt::format("{}; the defender's return {}",
                     report.attackers > 1 ? "fresh attackers each round" : "a fresh attacker for each shot", back);
}

void write_quantiles(JsonWriter& json, const exact::Durability& counted) {
  json.object("quantiles", [&] {
    for (const double share : kShares) {
      const int n = counted.quantile(share);
      json.member(fmt::format("{}", share), n < 0 ? std::nullopt : std::optional(n));
    }
  });
}

void write_row(JsonWriter& json, const DurabilityRow& row) {
  const exact::Durability& shots = row.shots;
  json.member("ship", row.id);
  json.member("name", row.title);
  json.member("health", row.health);
  json.member("mean_shots", shots.mean);  // null if no number of shots can destroy it
  json.member("mean_bound", shots.mean_bound);
  json.member("destructible", shots.destructible);
  write_quantiles(json, shots);
  json.member("cdf", shots.cdf);
  json.member("beyond", shots.beyond);
  if (!row.rounds) return;
  json.object("rounds", [&] {
    json.member("mean", row.rounds->mean);
    json.member("mean_bound", row.rounds->mean_bound);
    write_quantiles(json, *row.rounds);
    json.member("cdf", row.rounds->cdf);
    json.member("beyond", row.rounds->beyond);
  });
}

/// The distribution that a row shows: over rounds if it has them, else over shots.
const exact::Durability& counted(const DurabilityRow& row) { return row.rounds ? *row.rounds : row.shots; }

std::vector<int> columns(const std::vector<DurabilityRow>& rows) {
  std::vector<int> out;
  for (const int n : {1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100}) {
    const bool useful = std::any_of(rows.begin(), rows.end(), [n](const DurabilityRow& row) {
      const std::vector<double>& cdf = counted(row).cdf;
      return static_cast<std::size_t>(n) < cdf.size() && base::nth(cdf, n) < 0.999;
    });
    if (useful) out.push_back(n);
  }
  return out;
}

double alive_after(const exact::Durability& shots, int n) {
  const auto at = std::min(static_cast<std::size_t>(n), shots.cdf.size() - 1);
  return 1 - shots.cdf[at];
}

std::string place(const char* unit, int n) {
  return n < 0 ? std::string("later than listed") : fmt::format("{} {}", unit, n);
}

/// The numbers of shots by which 5 %, half and 95 % are destroyed.
void write_marks(Page& page, const DurabilityRow& row) {
  for (const auto& [share, words] :
       {std::pair(0.05, "5 % by"), std::pair(0.5, "half by"), std::pair(0.95, "95 % by")}) {
    const std::string shot = place("shot", row.shots.quantile(share));
    page.entry(words, row.rounds ? fmt::format("{} ({})", place("round", row.rounds->quantile(share)), shot) : shot,
               share == 0.5 ? Style::Strong : Style::Plain);
  }
}

/// The numbers of shots that a table lists: from the first that matters until nearly all are destroyed, in even steps
/// if there are many.
std::vector<std::size_t> shown_rows(const std::vector<double>& cdf) {
  constexpr double kLeast = 5e-5, kEarly = 5e-4;  // kLeast: less than 0.01 %; kEarly: where a long list begins
  constexpr std::size_t kMost = 20;
  std::size_t end = 1;
  while (end < cdf.size() && 1 - cdf[end - 1] >= kLeast) ++end;
  std::size_t begin = 1;
  if (end - begin > kMost) {
    while (begin + 1 < end && cdf[begin + 1] < kEarly) ++begin;
  }
  std::size_t step = 1;
  for (const std::size_t next : std::initializer_list<std::size_t>{2, 5, 10, 20, 50, 100}) {
    if ((end - begin) / step > kMost) step = next;
  }
  std::vector<std::size_t> out;
  for (std::size_t n = step == 1 ? begin : (begin + step - 1) / step * step; n < end; n += step) out.push_back(n);
  return out;
}

void one_ship(Page& page, const DurabilityRow& row) {
  const exact::Durability& shots = row.shots;
  if (row.rounds) page.entry("mean rounds", shots_text(row.rounds->mean), Style::Strong);
  page.entry("mean shots", shots_text(shots.mean), Style::Strong);
  constexpr double kShownBound = 5e-4;  // means have three decimals
  if (shots.mean_bound > kShownBound && shots.destructible)
    page.entry("", fmt::format("proven: at most {:.3g} more", shots.mean_bound), Style::Faint);
  page.blank();
  page.paragraph("destroyed", Style::Faint);
  write_marks(page, row);
  page.blank();
  const exact::Durability& shown = counted(row);
  const char* unit = row.rounds ? "round" : "shot";
  for (const std::size_t n : shown_rows(shown.cdf)) {
    const std::string left =
        std::string(Page::kMargin, ' ') + base::pad_right(fmt::format("by {} {}", unit, n), Page::kKeyWidth);
    const std::string share = base::pad_left(percent({shown.cdf[n], 0}, 0), 7);
    const std::size_t used = base::display_width(left) + base::display_width(share) + 2;
    page.line(
        {{left, Style::Faint},
         {share},
         {"  " + base::block_bar(shown.cdf[n], std::min<std::size_t>(60, page.width() - std::min(page.width(), used))),
          Style::Accent}});
  }
}

void list_ships(Page& page, const std::vector<DurabilityRow>& rows) {
  std::size_t name_width = 4;
  for (const DurabilityRow& row : rows) name_width = std::max(name_width, base::display_width(row.title));
  constexpr std::size_t kFigures = 20, kMarks = 21, kColumn = 7, kName = 32;  // kMarks: 5 %, half and 95 %
  const std::size_t others = kFigures + kMarks + 3 * kColumn;
  name_width = std::min(name_width, std::max(kName, page.width() - std::min(page.width(), others)));
  const std::size_t room = page.width() - std::min(page.width(), name_width + kFigures + kMarks);
  std::vector<int> shown = columns(rows);
  for (std::size_t i = 0; shown.size() > std::max<std::size_t>(room / kColumn, 1); i = (i + 1) % shown.size())
    shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));  // drop every second one until they fit
  Table table;
  table.widths(1, 4, {7, 8, kColumn});
  std::vector<Table::Cell> head{"ship", "health", "mean", "5%", "half", "95%"};
  for (const int n : shown) head.emplace_back(fmt::format(">{}", n));
  table.row(std::move(head));
  for (const DurabilityRow& row : rows) {
    std::vector<Table::Cell> cells{row.title, fmt::format("{}", row.health), shots_text(counted(row).mean)};
    for (const double share : {0.05, 0.5, 0.95}) {
      const int n = counted(row).quantile(share);
      cells.emplace_back(n < 0 ? "-" : std::to_string(n));
    }
    for (const int n : shown) cells.emplace_back(fmt::format("{:.1f}%", 100 * alive_after(counted(row), n)));
    table.row(std::move(cells));
  }
  table.write(page);
  page.blank();
  const char* unit = !rows.empty() && rows[0].rounds ? "rounds" : "shots";
  page.paragraph(
      fmt::format("5%, half, 95%: the {0} by which that share is destroyed. >n: the chance to survive n {0}.", unit),
      Style::Faint);
}

}  // namespace

std::string shots_text(double mean) {
  if (std::isinf(mean)) return "never";  // until it is destroyed
  return mean >= 1000 ? fmt::format("{:.4g}", mean) : fmt::format("{:.3f}", mean);
}

std::string to_json(const study::DurabilityStudy& report) {
  const Provenance& labels = report.labels;
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", labels.rules);
    write_card_set(json, labels);
    json.member("engine", to_string(Engine::Exact));
    json.member("objective", labels.objective);
    write_policy(json, labels);
    json.member("attacker", report.attacker);
    const bool in_rounds = report.refresh == Refresh::Round || report.refresh == Refresh::Rounds;
    json.member("refresh", report.refresh == Refresh::Never    ? "never"
                           : report.refresh == Refresh::Shot   ? "shot"
                           : report.refresh == Refresh::Rounds ? "rounds"
                                                               : "round");
    if (report.shots_per_round > 1 || in_rounds) json.member("round", report.shots_per_round);
    if (!report.all && !report.rows.empty()) {
      write_row(json, report.rows[0]);
    } else {
      json.objects("ships", report.rows, [&](const DurabilityRow& row) { write_row(json, row); });
    }
    write_caveats(json, labels);
  });
}

std::string to_csv(const study::DurabilityStudy& report) {
  std::string out = "ship,figure,key,value\n";
  const auto line = [&](const std::string& ship, const char* figure, const std::string& key, double value) {
    out += fmt::format("{},{},{},{}\n", base::csv_field(ship), figure, key, value);
  };
  for (const DurabilityRow& row : report.rows) {
    line(row.id, "health", "", row.health);
    line(row.id, "mean_shots", "", row.shots.mean);
    line(row.id, "mean_bound", "", row.shots.mean_bound);
    for (std::size_t n = 0; n < row.shots.cdf.size(); ++n) line(row.id, "cdf", std::to_string(n), row.shots.cdf[n]);
    line(row.id, "beyond", "", row.shots.beyond);
    if (!row.rounds) continue;
    line(row.id, "mean_rounds", "", row.rounds->mean);
    for (std::size_t n = 0; n < row.rounds->cdf.size(); ++n)
      line(row.id, "cdf_rounds", std::to_string(n), row.rounds->cdf[n]);
  }
  for (const auto& [figure, words] : caveats(report.labels))
    out += fmt::format(",{},{},\n", figure, base::csv_field(words));
  return out;
}

std::string to_table(const study::DurabilityStudy& report, int width, bool colour) {
  Page page = make_page(width, colour);
  const char* unit = !report.rows.empty() && report.rows[0].rounds ? "rounds" : "shots";
  page.paragraph(report.all
                     ? fmt::format("{} of {} that each ship survives", unit, report.attacker)
                     : fmt::format("{} of {} until {} is destroyed", unit, report.attacker, report.rows[0].title),
                 Style::Strong);
  page.blank();
  page.entry("tokens", refresh_words(report));
  page.entry("policy", fmt::format("attacker {}, defender {}; each shot is played as if it were the last",
                                   report.labels.attacker_policy, report.labels.defender_policy));
  if (report.all) {
    page.blank();
    list_ships(page, report.rows);
  } else {
    one_ship(page, report.rows[0]);
  }
  const Provenance& from = report.labels;
  const auto list = [&](const char* key, const std::vector<std::string>& items, Style style) {
    if (!items.empty()) page.entry(key, base::joined(items, ", "), style);
  };
  list("assumed", from.assumed_facts, Style::Bad);
  list("not modelled", from.unmodelled, Style::Bad);
  list("no effect on dice", from.no_effect, Style::Plain);
  list("partly", from.partly, Style::Bad);
  for (const std::string& note : from.notes) page.entry("note", note);
  return page.take();
}

}  // namespace salvo::report
