// The page of `salvo battle --report`: a single HTML file for people, which needs neither a network nor a script.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/battle_parts.h"
#include "report/decision_parts.h"
#include "report/digits.h"
#include "report/svg.h"
#include "salvo/battle.h"

namespace salvo {
namespace {

using namespace report;

// Pictures have the colours of SVG files; the rules with attributes adapt them to the page.
constexpr std::string_view kPageStyle = R"(
:root{--ink:#1b1f24;--paper:#fff;--quiet:#555d66;--line:#d5d9de;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#15181c;--quiet:#a9b1ba;--line:#3a4149}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:1040px;margin:0 auto;padding:16px;-webkit-print-color-adjust:exact;print-color-adjust:exact}
h1{font-size:1.3rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.25rem 0}figure{margin:0}svg{display:block;width:100%;height:auto}
.win strong{font-size:clamp(3.5rem,16vw,6.5rem);line-height:1.1;margin-right:.5rem}.win span{font-size:1.2rem}
.quiet,caption,small,dt{color:var(--quiet)}small{display:block;font-weight:400}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:0 32px}.two>*{min-width:0}
.two svg{max-width:480px}.key{display:inline-block;width:28px;margin-right:6px;vertical-align:middle}
.bar{max-width:320px}.wide{overflow-x:auto}
ul{padding-left:1.2rem;margin:.25rem 0}ul.legend{list-style:none;padding:0;font-size:.9rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.9rem}
caption{text-align:left;font-size:.85rem}th,td{padding:3px 4px;text-align:right;border-bottom:1px solid var(--line)}
th{font-weight:600}th:first-child{text-align:left;width:36%}td,th+th{overflow-wrap:normal}
.rounds{table-layout:fixed}.rounds th,.rounds td{padding:3px 1px}.rounds th:first-child{width:25%}
.rounds th:last-child{width:11%}
dl{display:grid;grid-template-columns:minmax(5em,max-content) 1fr;gap:2px 12px;margin:0}dd{margin:0}
[fill="#222222"],[fill="#000000"]{fill:currentColor}[stroke="#444444"],[stroke="#000000"]{stroke:currentColor}
[stroke="#dddddd"]{stroke:var(--line)}[fill="#dddddd"]{fill:var(--line)}
@media (max-width:480px){table{font-size:.8rem}.rounds{font-size:11px}}
@media print{body{font-size:10pt}figure,table,.part{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}}
)";

constexpr std::string_view kMineFill = "#0072b2", kTheirsFill = "#d55e00", kNeutralFill = "#888888";

/// Writes the page, section by section. One class although it is long: the sections are short and share the text.
class BattlePage {
 public:
  explicit BattlePage(const BattleReport& report)
      : report_(report),
        titles_(ship_titles(report)),
        trials_(report.engine == Engine::Sample ? report.trials : 0),
        mine_("Mine: " + report.my_name),
        theirs_("Theirs: " + report.their_name) {}

  std::string written(const BattleWorth* worth) {
    const std::string title = escaped_markup(report_.my_name + " against " + report_.their_name);
    out_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n"
        "<body>\n<main>\n<h1>{0}</h1>\n",
        title, kPageStyle);
    result();
    heading("Who is alive after each round");
    two_sides([&](bool mine) { curves(mine); });
    heading("When each ship is destroyed");
    two_sides([&](bool mine) { destroyed(mine); });
    heading("Points and rounds");
    out_ += "<div class=\"two\">\n";
    points();
    rounds();
    out_ += "</div>\n";
    heading("What each ship does");
    two_sides([&](bool mine) { parts(mine); });
    if (trials_ > 0) paragraph(error_words(report_), true);
    if (report_.sensitivity) sensitivity(*report_.sensitivity);
    if (worth != nullptr) upgrades(*worth);
    how();
    left_out();
    out_ += "</main>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  struct Cell {
    std::string text;
    double shade = 0;  ///< 0 to 1
  };
  struct Bar {
    double at = 0, height = 0;
    std::string_view fill = kMineFill;
  };

  void heading(std::string_view text, int level = 2) {
    out_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escaped_markup(text));
  }
  void paragraph(std::string_view text, bool quiet = false) {
    out_ += fmt::format("<p{}>{}</p>\n", quiet ? " class=\"quiet\"" : "", escaped_markup(text));
  }
  /// A row of a table. `name` is markup.
  void row(const std::string& name, const std::vector<Cell>& cells, bool head = false) {
    out_ += fmt::format("<tr><th scope=\"{}\">{}</th>", head ? "col" : "row", name);
    for (const Cell& cell : cells) {
      const std::string shading =
          cell.shade > 0 ? fmt::format(" style=\"background:rgba(0,114,178,{:.2f})\"", std::min(0.5, 1.6 * cell.shade))
                         : "";
      out_ += fmt::format("<{0}{1}>{2}</{3}>", head ? "th scope=\"col\"" : "td", shading, escaped_markup(cell.text),
                          head ? "th" : "td");
    }
    out_ += "</tr>\n";
  }
  void list(const char* title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    heading(title, 3);
    out_ += "<ul>\n";
    for (const std::string& item : items) out_ += fmt::format("<li>{}</li>\n", escaped_markup(item));
    out_ += "</ul>\n";
  }
  template <typename Write>
  void two_sides(const Write& write) {
    out_ += "<div class=\"two\">\n";
    for (const bool mine : {true, false}) {
      out_ += "<div class=\"part\">\n";
      heading(mine ? mine_ : theirs_, 3);
      write(mine);
      out_ += "</div>\n";
    }
    out_ += "</div>\n";
  }
  template <typename Write>
  void ships(bool mine, const Write& write) const {
    for_each_ship(report_, titles_, mine, write);
  }
  static double alive_after(const BattleShipEstimates& ship, std::size_t round) {
    return ship.alive.empty() ? 0 : ship.alive[std::min(round, ship.alive.size() - 1)].value;
  }
  std::string chance(const Estimate& figure) const {
    const std::string half = percent_half_width(figure, trials_);
    return percent(figure, trials_) + (half.empty() ? "" : " " + half);
  }

  void result() {
    out_ += fmt::format("<p class=\"win\"><strong>{}</strong><span>{} chance to win for {}</span></p>\n",
                        escaped_markup(percent(report_.win, trials_)), percent_half_width(report_.win, trials_),
                        escaped_markup(report_.my_name));
    constexpr double kLong = 900, kThick = 28;
    Svg svg(kLong, kThick, "Win, draw and loss");
    const double win = kLong * report_.win.value, draw = kLong * report_.draw.value;
    svg.rect(0, 0, win, kThick, kMineFill);
    svg.rect(win, 0, draw, kThick, kNeutralFill);
    svg.rect(win + draw, 0, std::max(0.0, kLong - win - draw), kThick, kTheirsFill);
    out_ += svg.take();
    paragraph(fmt::format("From left to right: won by {} {}, drawn {}, won by {} {}.", report_.my_name,
                          chance(report_.win), chance(report_.draw), report_.their_name, chance(report_.loss)));
    if (report_.bounds)
      paragraph(
          fmt::format("Without a limit of rounds, the chance is proven to be {:.2f} % to {:.2f} %, a draw "
                      "counted half.",
                      100 * report_.bounds->lower, 100 * report_.bounds->upper));
    if (report_.interrupted)
      paragraph(fmt::format("Stopped early, after {} battles.", base::with_separators(report_.trials)));
  }

  static Axes axes(double x_from, double x_to, double y_to) { return {46, 28, 300, 140, x_from, x_to, y_to}; }
  static Svg chart(const std::string& label) { return Svg(360, 214, label); }

  void curves(bool mine) {
    const auto last = static_cast<double>(last_round(report_));
    const Axes box = axes(0, last, 1);
    Svg svg = chart("Probability of each ship to be alive after each round");
    draw_axes(svg, box, true, std::max(1.0, tick_step(last, 8)), "round", "");
    std::string legend;
    std::size_t series = 0;
    ships(mine, [&](const BattleShipEstimates& ship, const std::string& title) {
      std::vector<std::pair<double, double>> line;
      for (std::size_t k = 0; k <= last_round(report_); ++k)
        line.emplace_back(box.x(static_cast<double>(k)), box.y(alive_after(ship, k)));
      svg.polyline(line, series_colour(series), series_dash(series));
      Svg key(28, 8, "");
      key.polyline({{0, 4}, {28, 4}}, series_colour(series), series_dash(series));
      ++series;
      legend += fmt::format("<li><span class=\"key\">{}</span>{}, in the end {}</li>\n", key.take(),
                            escaped_markup(title), escaped_markup(percent(ship.survives, trials_)));
    });
    out_ += fmt::format("<figure>\n{}<figcaption><ul class=\"legend\">\n{}</ul></figcaption>\n</figure>\n", svg.take(),
                        legend);
  }

  void destroyed(bool mine) {
    constexpr std::size_t kMostColumns = 12;
    const std::size_t last = last_round(report_), step = (last + kMostColumns - 1) / kMostColumns;
    out_ +=
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"rounds\">\n<table class=\"rounds\">\n"
        "<caption>Percent of battles in which it is destroyed in this round</caption>\n";
    std::vector<Cell> head;
    for (std::size_t k = 1; k <= last; k += step) {
      const std::size_t to = std::min(k + step - 1, last);
      head.push_back({k == to ? fmt::format("{}", k) : fmt::format("{}–{}", k, to)});
    }
    head.push_back({"never"});
    row("ship", head, true);
    const auto cell = [](double share) -> Cell {
      constexpr double kNothingAtAll = 1e-12;  // differences of exact probabilities miss 0 by less
      if (share < kNothingAtAll) return {"0"};
      return {share < 0.005 ? "<1" : fmt::format("{:.0f}", 100 * share), share};
    };
    ships(mine, [&](const BattleShipEstimates& ship, const std::string& title) {
      std::vector<Cell> cells;
      for (std::size_t k = 1; k <= last; k += step) {
        const std::size_t to = k + step > last ? ship.alive.size() : k + step - 1;
        cells.push_back(cell(alive_after(ship, k - 1) - alive_after(ship, to)));
      }
      cells.push_back({cell(ship.survives.value).text});
      row(escaped_markup(title), cells);
    });
    out_ += "</table>\n</div>\n";
  }

  /// Bars of probabilities, each `width` wide on the axis.
  void bars(const std::vector<Bar>& list, double width, double x_from, double x_to, const char* x_title,
            const char* left, const char* right, const std::string& caption) {
    constexpr double kShareOfWidth = 0.84, kFloor = 0.01;
    double most = kFloor;
    for (const Bar& bar : list) most = std::max(most, bar.height);
    const Axes box = axes(x_from, x_to, 1.05 * most);
    Svg svg = chart(x_title);
    draw_axes(svg, box, true, std::max(1.0, tick_step(x_to - x_from, 8)), x_title, left);
    svg.text(box.left + box.width, box.top - 12, right, 14, Anchor::End, "#222222", true);
    const double thick = kShareOfWidth * (box.x(width) - box.x(0));
    for (const Bar& bar : list) {
      const double top = box.y(bar.height);
      svg.rect(box.x(bar.at) - thick / 2, top, thick, box.top + box.height - top, bar.fill);
    }
    out_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg.take(), escaped_markup(caption));
  }

  void points() {
    constexpr int kMostBars = 40;
    int least = 0, most = 0;
    for (const auto& [difference, share] : report_.difference) {
      least = std::min(least, difference);
      most = std::max(most, difference);
    }
    const double width = std::max(1.0, tick_step(most - least, kMostBars));
    std::map<double, double> shares;
    for (const auto& [difference, share] : report_.difference)
      shares[width * std::round(difference / width)] += share.value;
    std::vector<Bar> list;
    for (const auto& [at, share] : shares)
      list.push_back({at, share, at > 0 ? kMineFill : at < 0 ? kTheirsFill : kNeutralFill});
    const std::string grouped = width > 1 ? fmt::format(" Each bar counts {:.0f} differences.", width) : "";
    bars(list, width, least - width, most + width, "my points minus theirs", "theirs ahead", "mine ahead",
         fmt::format("Mean points: mine {}, theirs {}.{}", mean_with_half_width(report_.my_points, 3),
                     mean_with_half_width(report_.their_points, 3), grouped));
  }

  void rounds() {
    const auto last = static_cast<double>(last_round(report_));
    std::vector<Bar> list;
    for (std::size_t k = 1; k < report_.rounds.size() && k <= last_round(report_); ++k)
      list.push_back({static_cast<double>(k), report_.rounds[k].value});
    bars(
        list, 1, 0.5, last + 0.5, "rounds until the battle is over", "", "",
        fmt::format("Mean {} of at most {} rounds.", mean_with_half_width(report_.mean_rounds, 3), report_.max_rounds));
  }

  void parts(bool mine) {
    out_ += "<table>\n<caption>Means of a battle</caption>\n";
    row("ship", {{"shots"}, {"damage done"}, {"damage taken"}, {"points earned"}}, true);
    ships(mine, [&](const BattleShipEstimates& ship, const std::string& title) {
      const auto figure = [](const Estimate& one) -> Cell { return {fmt::format("{:.2f}", one.value)}; };
      row(fmt::format("{}<small>initiative {}, {} points, {} hull, {} shields</small>", escaped_markup(title),
                      ship.initiative, ship.points, ship.hull, ship.shields),
          {figure(ship.shots), figure(ship.damage_done), figure(ship.damage_taken), figure(ship.points_earned)});
    });
    out_ += "</table>\n";
  }

  void sensitivity(const BattleSensitivity& found) {
    heading("How my chance changes");
    if (!found.summary.empty()) paragraph(fmt::format("In short: {}.", found.summary));
    const bool same = report_.my_policy == report_.their_policy;
    out_ += "<div class=\"two\">\n";
    variants("if both play", found.policies, same ? report_.my_policy : "", found.battles);
    variants("in the flight", found.flights, report_.flight, found.battles);
    out_ += "</div>\n";
    paragraph("A draw counts half.", true);
  }

  void variants(const char* what, const std::vector<BattleVariant>& list, const std::string& here,
                std::uint64_t battles) {
    if (list.empty()) return;
    constexpr double kLong = 320, kThick = 6;
    out_ += "<table class=\"part\">\n";
    row(what, {{"chance"}}, true);
    for (const BattleVariant& one : list) {
      Svg svg(kLong, kThick, "");
      svg.rect(0, 0, kLong, kThick, "#dddddd");
      svg.rect(0, 0, kLong * one.value.value, kThick, kMineFill);
      const std::uint64_t of = one.choice == here ? report_.trials : battles;
      row(fmt::format("{}{}<div class=\"bar\">{}</div>", escaped_markup(one.choice),
                      one.choice == here ? " (this battle)" : "", svg.take()),
          {{fmt::format("{} {}", percent(one.value, of), percent_half_width(one.value, of))}});
    }
    out_ += "</table>\n";
  }

  void upgrades(const BattleWorth& worth) {
    heading("What parts of my side are worth");
    out_ += "<table>\n<caption>Percent of battles won with it minus without it, a draw counted half</caption>\n";
    row("part", {{"% of wins"}, {"points"}}, true);
    for (const BattleWorthEntry& one : worth.entries) {
      const std::string half = half_width({100 * one.gain.value, 100 * one.gain.se});
      row(escaped_markup(one.ship.empty() ? one.what : one.ship + ": " + one.what),
          {{change(100 * one.gain.value, 2) + (half.empty() ? "" : " " + half)},
           {one.points ? std::to_string(*one.points) : ""}});
    }
    out_ += "</table>\n";
    std::vector<std::string> skipped;
    for (const BattleWorthSkipped& one : worth.skipped)
      skipped.push_back(fmt::format("{}{}{}: {}", one.ship, one.ship.empty() ? "" : ", ", one.what, one.why));
    list("Not evaluated", skipped);
    if (worth.interrupted) paragraph("Stopped early: the parts that are missing were not played.");
  }

  void how() {
    heading("How it was played");
    out_ += "<dl>\n";
    const auto entry = [&](std::string_view key, const std::string& words) {
      out_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", key, escaped_markup(words));
    };
    for (const auto& [key, words] : how_entries(report_)) entry(key, words);
    if (report_.engine == Engine::Both) entry("cross-check", cross_check_words(report_));
    entry("rules", rules_words(report_));
    out_ += "</dl>\n";
  }

  void left_out() {
    heading("What it assumes and leaves out");
    list("Assumptions of the model", report_.assumptions);
    constexpr std::array kTitlesOfCaveats = {"Assumed board facts", "Not modelled", "No effect on dice",
                                             "Partly modelled", "Notes"};
    static_assert(kTitlesOfCaveats.size() == kCaveatLists.size());
    for (std::size_t i = 0; i < kCaveatLists.size(); ++i) list(kTitlesOfCaveats[i], report_.*kCaveatLists[i]);
  }

  const BattleReport& report_;
  const std::vector<std::string> titles_;
  const std::uint64_t trials_;  ///< 0: exact figures
  const std::string mine_, theirs_;
  std::string out_;
};

}  // namespace

std::string to_html(const BattleReport& report) { return BattlePage(report).written(nullptr); }
std::string to_html(const BattleWorth& worth) { return BattlePage(worth.baseline).written(&worth); }

}  // namespace salvo
