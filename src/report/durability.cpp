// The answer of `salvo durability`: see durability.h.
#include "report/durability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "report/digits.h"
#include "report/page.h"
#include "report/provenance.h"

namespace salvo::report {
namespace {

using study::DurabilityRow;
using study::DurabilityStudy;

constexpr std::array<double, 3> kShares = {0.1, 0.5, 0.9};

std::string refresh_words(int round) {
  if (round == 0) return "never";
  return round == 1 ? "each shot" : fmt::format("each round of {} shots", round);
}

void write_row(JsonWriter& json, const DurabilityRow& row) {
  const exact::Durability& shots = row.shots;
  json.member("ship", row.id);
  json.member("name", row.title);
  json.member("health", row.health);
  json.member("mean_shots", shots.mean);  // null when no shot can destroy it
  json.member("mean_bound", shots.mean_bound);
  json.member("destructible", shots.destructible);
  json.object("quantiles", [&] {
    for (const double share : kShares) {
      const int n = shots.quantile(share);
      json.member(fmt::format("{}", share), n < 0 ? std::nullopt : std::optional(n));
    }
  });
  json.member("cdf", shots.cdf);
  json.member("beyond", shots.beyond);
}

/// Rows of people's tables: chance to be still there after some numbers of shots.
std::vector<int> columns(const std::vector<DurabilityRow>& rows) {
  std::vector<int> out;
  for (const int n : {1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100}) {
    const bool useful = std::any_of(rows.begin(), rows.end(), [n](const DurabilityRow& row) {
      return static_cast<std::size_t>(n) < row.shots.cdf.size() && row.shots.cdf[static_cast<std::size_t>(n)] < 0.999;
    });
    if (useful) out.push_back(n);
  }
  return out;
}

double alive_after(const exact::Durability& shots, int n) {
  const auto at = std::min(static_cast<std::size_t>(n), shots.cdf.size() - 1);
  return 1 - shots.cdf[at];
}

void one_ship(Page& page, const DurabilityRow& row) {
  const exact::Durability& shots = row.shots;
  page.entry("mean shots", shots_text(shots.mean), Style::Strong);
  if (shots.mean_bound > 0 && shots.destructible)
    page.entry("", fmt::format("proven: at most {:.3g} more", shots.mean_bound), Style::Faint);
  std::string quantiles;
  for (const double share : kShares) {
    const int n = shots.quantile(share);
    quantiles += fmt::format("{}{:.0f}% by shot {}", quantiles.empty() ? "" : ", ", 100 * share,
                             n < 0 ? std::string("none listed") : std::to_string(n));
  }
  page.entry("destroyed", quantiles);
  page.blank();
  for (std::size_t n = 1; n < shots.cdf.size() && 1 - shots.cdf[n - 1] >= 5e-5 && n <= 60; ++n) {
    const std::string left =
        std::string(Page::kMargin, ' ') + text::pad_right(fmt::format("by shot {}", n), Page::kKeyWidth);
    const std::string share = text::pad_left(percent({shots.cdf[n], 0}, 0), 7);
    const std::size_t used = text::length(left) + text::length(share) + 2;
    page.line({{left, Style::Faint},
               {share},
               {"  " + text::bar(shots.cdf[n], std::min<std::size_t>(60, page.width() - std::min(page.width(), used))),
                Style::Accent}});
  }
}

void list_ships(Page& page, const std::vector<DurabilityRow>& rows) {
  std::size_t name_width = 4;
  for (const DurabilityRow& row : rows) name_width = std::max(name_width, text::length(row.title));
  name_width = std::min<std::size_t>(name_width, 32);
  const std::size_t room = page.width() - std::min(page.width(), name_width + 20);
  std::vector<int> shown = columns(rows);
  for (std::size_t i = 0; shown.size() > std::max<std::size_t>(room / 7, 1); i = (i + 1) % shown.size())
    shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));  // every second one, until they fit
  std::string head = fmt::format("  {} {:>6} {:>7}", text::pad_right("ship", name_width), "health", "mean");
  for (const int n : shown) head += text::pad_left(fmt::format(">{}", n), 7);
  page.line({{head, Style::Faint}});
  for (const DurabilityRow& row : rows) {
    std::string line = fmt::format("  {} {:>6} {:>7}", text::pad_right(text::clip(row.title, name_width), name_width),
                                   row.health, shots_text(row.shots.mean));
    for (const int n : shown) line += text::pad_left(fmt::format("{:.1f}%", 100 * alive_after(row.shots, n)), 7);
    page.line({{line}});
  }
  page.blank();
  page.paragraph("The last columns: chance to be still there after so many shots.", Style::Faint);
}

}  // namespace

std::string shots_text(double mean) {
  if (std::isinf(mean)) return "never";
  return mean >= 1000 ? fmt::format("{:.4g}", mean) : fmt::format("{:.3f}", mean);
}

std::string to_json(const study::DurabilityStudy& report) {
  const Provenance& labels = report.labels;
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", labels.rules);
    write_card_set(json, labels);
    json.member("engine", "exact");
    json.member("objective", labels.objective);
    write_policy(json, labels);
    json.member("attacker", report.attacker);
    json.member("refresh", report.round == 0 ? "never" : report.round == 1 ? "shot" : "round");
    if (report.round > 1) json.member("round", report.round);
    if (!report.all && !report.rows.empty()) {
      write_row(json, report.rows[0]);
    } else {
      json.objects("ships", report.rows, [&](const DurabilityRow& row) { write_row(json, row); });
    }
    json.member("assumed_facts", labels.assumed_facts);
    json.member("unmodelled", labels.unmodelled);
    json.member("partly", labels.partly);
  });
}

std::string to_csv(const study::DurabilityStudy& report) {
  std::string out = "ship,figure,key,value\n";
  const auto line = [&](const std::string& ship, const char* figure, const std::string& key, double value) {
    out += fmt::format("{},{},{},{}\n", text::csv_field(ship), figure, key, value);
  };
  for (const DurabilityRow& row : report.rows) {
    line(row.id, "health", "", row.health);
    line(row.id, "mean_shots", "", row.shots.mean);
    line(row.id, "mean_bound", "", row.shots.mean_bound);
    for (std::size_t n = 0; n < row.shots.cdf.size(); ++n) line(row.id, "cdf", std::to_string(n), row.shots.cdf[n]);
    line(row.id, "beyond", "", row.shots.beyond);
  }
  return out;
}

std::string to_table(const study::DurabilityStudy& report, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(report.all ? fmt::format("shots of {} that each ship survives", report.attacker)
                            : fmt::format("shots of {} until {} is destroyed", report.attacker, report.rows[0].title),
                 Style::Strong);
  page.blank();
  page.entry("tokens", fmt::format("a fresh attacker in each shot; those of the defender are back {}",
                                   refresh_words(report.round)));
  page.entry("policy", fmt::format("attacker {}, defender {}; each shot is played as if it were the last",
                                   report.labels.attacker_policy, report.labels.defender_policy));
  if (report.all) {
    page.blank();
    list_ships(page, report.rows);
  } else {
    one_ship(page, report.rows[0]);
  }
  for (const auto& [key, list] :
       {std::pair("assumed", &report.labels.assumed_facts), std::pair("not modelled", &report.labels.unmodelled),
        std::pair("partly", &report.labels.partly)}) {
    if (!list->empty()) page.entry(key, fmt::format("{}", fmt::join(*list, ", ")), Style::Bad);
  }
  return page.take();
}

}  // namespace salvo::report
