// A report as a table for a terminal, at most `width` columns wide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/digits.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/tails.h"
#include "salvo/report.h"

namespace salvo {
namespace {

using namespace report;

constexpr std::size_t kNarrowestDescription = 18;
constexpr int kMeanDecimals = 3, kTokenDecimals = 2;

// ---------------------------------------------------------------- who shoots at whom

/// From this many on, identical ships in a row are listed once, with their number.
constexpr std::size_t kOften = 5;
/// More attackers or targets than this show as a number, not as a list.
constexpr std::size_t kMaxInTitle = 30;

/// "red, blue": the attackers from `first` to before `last`.
std::string attackers(const std::vector<AttackEstimates>& attacks, std::size_t first, std::size_t last) {
  std::string out;
  std::size_t listed = 0;
  for (std::size_t a = first; a < last; ++listed) {
    std::size_t end = a + 1;
    while (end < last && attacks[end].by == attacks[a].by) ++end;
    const bool often = end - a >= kOften;
    if (!often) end = a + 1;
    out += (out.empty() ? "" : ", ") + attacks[a].by + (often ? fmt::format(" ×{}", end - a) : "");
    a = end;
  }
  return listed > kMaxInTitle ? fmt::format("{} attacks", last - first) : out;
}

/// "red, blue → black": the attacks in order, grouped by target.
std::string title(const Estimates& estimates) {
  const std::vector<AttackEstimates>& attacks = estimates.attacks;
  std::string out;
  std::size_t groups = 0;
  for (std::size_t a = 0; a < attacks.size(); ++groups) {
    std::size_t end = a + 1;
    while (end < attacks.size() && attacks[end].on == attacks[a].on) ++end;
    out += (out.empty() ? "" : "; ") + attackers(attacks, a, end) + " → " + attacks[a].on;
    a = end;
  }
  if (groups > kMaxInTitle) return fmt::format("{} attacks", attacks.size());
  return out.empty() ? "no attacks" : out;
}

bool has_title(const ShipEstimates& ship) { return !ship.title.empty() && ship.title != ship.name; }

void write_title(Page& page, const Report& report, const Estimates& estimates) {
  page.paragraph(title(estimates), Style::Strong);
  if (report.sample && report.sample->interrupted) {
    page.paragraph(
        fmt::format("interrupted: sampled from the first {} trials only", base::with_separators(report.sample->trials)),
        Style::Bad);
  }
  page.blank();
  page.entry("value",
             fmt::format("{}, {}{}", mean_with_half_width(estimates.value, kMeanDecimals + 1), objective_words(report),
                         report.both_sides_shoot ? ", mine minus theirs" : ""),
             Style::Strong);
  std::vector<std::string> who;  // ships without a section below
  for (const ShipEstimates& ship : estimates.ships) {
    if (!ship.attacked && has_title(ship)) who.push_back(ship.name + " " + ship.title);
  }
  if (!who.empty()) page.entry("ships", base::joined(who, ", "));
}

// ---------------------------------------------------------------- ships

/// "1.76 of 3": the mean of what is left.
std::string remaining(const Estimate& mean_left, std::size_t levels) {
  return fmt::format("{} of {}", mean_with_half_width(mean_left, kTokenDecimals), levels - 1);
}

void write_health(Page& page, const ShipEstimates& ship, std::uint64_t trials) {
  if (ship.hull.empty()) return;
  page.entry("destroyed", percent_with_interval(ship.destroyed, trials));
  std::string left = "hull " + remaining(ship.mean_hull, ship.hull.size());
  if (ship.shields.size() > 1) left += ", shields " + remaining(ship.mean_shields, ship.shields.size());
  page.entry("mean left", left);
}

void write_ship(Page& page, const ShipEstimates& ship, std::uint64_t trials) {
  page.blank();
  page.line({{ship.name, Style::Strong}, {has_title(ship) ? "  " + ship.title : "", Style::Faint}});
  page.entry("mean damage",
             fmt::format("{}  ({} hits, {} crits)", mean_with_half_width(ship.mean_damage, kMeanDecimals),
                         mean_with_half_width(ship.mean_hits, kMeanDecimals),
                         mean_with_half_width(ship.mean_crits, kMeanDecimals)));
  write_health(page, ship, trials);
  write_distribution(page, ship.pmf, ship.at_least, trials);
}

// ---------------------------------------------------------------- attacks

/// A column of the attack table: an estimate, with its uncertainty below.
struct Cell {
  std::string header, value, certainty;
};

std::string dice_certainty(const AttackEstimates& attack) {
  const std::string ours = half_width(attack.attack_dice), theirs = half_width(attack.defense_dice);
  if (ours.empty() && theirs.empty()) return "";
  return fmt::format("{} : {}", ours.empty() ? "±0" : ours, theirs.empty() ? "±0" : theirs);
}

/// `always`: every attack is certain to happen, so that the column is left out.
std::vector<Cell> attack_cells(const AttackEstimates& attack, std::uint64_t trials, bool always) {
  const auto chance = [&](const char* header, const Estimate& p) {
    return Cell{header, percent(p, trials), trials > 0 ? percent_interval(p, trials) : ""};
  };
  const auto count = [&](const char* header, const Estimate& x) {
    return Cell{header, mean(x, kMeanDecimals), half_width(x)};
  };
  std::vector<Cell> cells;
  if (!always) cells.push_back(chance("happens", attack.happens));
  cells.push_back({"dice", mean(attack.attack_dice, kTokenDecimals) + " : " + mean(attack.defense_dice, kTokenDecimals),
                   dice_certainty(attack)});
  cells.push_back(chance("hit chance", attack.hit_probability));
  cells.push_back(count("hits", attack.mean_hits));
  cells.push_back(count("crits", attack.mean_crits));
  return cells;
}

std::string names(const AttackEstimates& attack) { return attack.by + " → " + attack.on; }

/// A no-break space keeps the word and the number of the range on one line.
std::string weapon_and_range(const AttackEstimates& attack) {
  if (attack.weapon.empty()) return "";
  const std::string bonus = attack.bonus.empty() ? "" : fmt::format(", bonus\u00A0attack ({})", attack.bonus);
  const char* second = attack.second ? ", second\u00A0attack" : "";
  const std::string round = attack.round > 0 ? fmt::format(", round\u00A0{}", attack.round) : "";
  const std::string range = attack.range < 0 ? "by\u00A0chance" : std::to_string(attack.range);
  return fmt::format("{}, range\u00A0{}{}{}{}", attack.weapon, range, round, second, bonus);
}

std::string description(const AttackEstimates& attack) {
  return attack.weapon.empty() ? names(attack) : names(attack) + ", " + weapon_and_range(attack);
}

/// The description in lines of `room` columns: one line if it fits, else the weapon goes below the names.
std::vector<std::string> description_lines(const AttackEstimates& attack, std::size_t room) {
  std::vector<std::string> lines = base::wrap(description(attack), room);
  if (lines.size() < 2 || attack.weapon.empty()) return lines;
  lines = base::wrap(names(attack), room);
  for (std::string& line : base::wrap(weapon_and_range(attack), room)) lines.push_back(std::move(line));
  return lines;
}

/// Line `pick` of the cells, right-aligned in columns.
std::string columns(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths, std::string Cell::*pick) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) out += "  " + base::pad_left(cells[i].*pick, widths[i]);
  return out;
}

/// Writes the table of attacks; false if the page is too narrow for it.
bool write_attack_columns(Page& page, const Estimates& estimates, const std::vector<std::vector<Cell>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    for (const auto& row : rows) {
      widths[i] = std::max({widths[i], base::display_width(row[i].header), base::display_width(row[i].value),
                            base::display_width(row[i].certainty)});
    }
    used += widths[i] + 2;
  }
  constexpr std::size_t kNumber = 5;  // "  1  "
  if (used + kNumber + kNarrowestDescription > page.width()) return false;
  const std::size_t room = page.width() - used - kNumber;
  page.line({{base::pad_right("attacks", room + kNumber), Style::Strong},
             {columns(rows.front(), widths, &Cell::header), Style::Faint}});
  for (std::size_t a = 0; a < rows.size(); ++a) {
    std::vector<std::string> text = description_lines(estimates.attacks[a], room);
    std::string certainty = columns(rows[a], widths, &Cell::certainty);
    if (text.size() < 2 && certainty.find_first_not_of(' ') != std::string::npos) text.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string number = i == 0 ? fmt::format("  {:<3}", a + 1) : std::string(kNumber, ' ');
      page.line({{number + base::pad_right(text[i], room)},
                 {i == 0 ? columns(rows[a], widths, &Cell::value) : ""},
                 {i == 1 ? certainty : "", Style::Faint}});
    }
  }
  return true;
}

void write_attack_sentences(Page& page, const Estimates& estimates, const std::vector<std::vector<Cell>>& rows) {
  page.line({{"attacks", Style::Strong}});
  for (std::size_t a = 0; a < rows.size(); ++a) {
    std::string text = description(estimates.attacks[a]);
    for (const Cell& cell : rows[a]) {
      text += fmt::format("; {} {}", cell.header, cell.value);
      if (!cell.certainty.empty()) text += fmt::format(" ({})", cell.certainty);
    }
    page.entry(std::to_string(a + 1), text);
  }
}

void write_attacks(Page& page, const Estimates& estimates) {
  if (estimates.attacks.empty()) return;
  const bool always = std::all_of(estimates.attacks.begin(), estimates.attacks.end(),
                                  [](const AttackEstimates& attack) { return attack.happens.value >= 1 - 1e-12; });
  std::vector<std::vector<Cell>> rows;
  for (const AttackEstimates& attack : estimates.attacks)
    rows.push_back(attack_cells(attack, estimates.trials, always));
  page.blank();
  if (!write_attack_columns(page, estimates, rows)) write_attack_sentences(page, estimates, rows);
}

// ---------------------------------------------------------------- tokens

std::vector<std::string> tokens_of(const ShipEstimates& ship, std::uint64_t trials) {
  std::vector<std::string> out;
  for (const auto& [kind, figure] : ship.tokens_left)
    out.push_back(fmt::format("{} {}", kind, mean_with_half_width(figure, kTokenDecimals)));
  for (const auto& [state, figure] : ship.states) out.push_back(fmt::format("{} {}", state, percent(figure, trials)));
  return out;
}

void write_tokens(Page& page, const Estimates& estimates) {
  const bool any = std::any_of(estimates.ships.begin(), estimates.ships.end(),
                               [](const ShipEstimates& ship) { return !ship.tokens_left.empty(); });
  if (!any) return;
  page.blank();
  page.line({{"mean tokens left", Style::Strong}});
  for (const ShipEstimates& ship : estimates.ships) {
    const std::vector<std::string> parts = tokens_of(ship, estimates.trials);
    if (!parts.empty()) page.entry(ship.name, base::joined(parts, ", "));
  }
}

// ---------------------------------------------------------------- rounds

/// Writes what is left after each round, before its End Phase.
void write_rounds(Page& page, const std::vector<Estimates>& rounds) {
  if (rounds.empty()) return;
  page.blank();
  page.line({{"after each round, before its End Phase", Style::Strong}});
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    std::vector<std::string> ships;
    for (const ShipEstimates& ship : rounds[round].ships) {
      std::vector<std::string> parts;
      if (ship.attacked || ship.mean_damage.value > 0)
        parts.push_back("damage " + mean_with_half_width(ship.mean_damage, kMeanDecimals));
      if (!parts.empty() && !ship.hull.empty())
        parts.push_back("destroyed " + percent(ship.destroyed, rounds[round].trials));
      for (std::string& token : tokens_of(ship, rounds[round].trials)) parts.push_back(std::move(token));
      if (!parts.empty())
        ships.push_back(fmt::format("{}: {}", base::strip_control(ship.name), base::joined(parts, ", ")));
    }
    page.entry(fmt::format("round {}", round + 1), base::joined(ships, "; "));
  }
}

// ---------------------------------------------------------------- damage cards

void write_damage_deck(Page& page, const Report& report, const Estimates& estimates) {
  std::vector<std::string> parts;
  if (report.damage_deck != kNoDeck) {
    for (const ShipEstimates& ship : estimates.ships) {
      if (!ship.attacked && !(ship.faceup.value > 0)) continue;
      parts.push_back(fmt::format("{} {} faceup, {} damage added", ship.name,
                                  mean_with_half_width(ship.faceup, kMeanDecimals),
                                  mean_with_half_width(ship.added, kMeanDecimals)));
    }
    page.blank();
    page.entry("damage deck", fmt::format("{}: {}", report.damage_deck, base::joined(parts, "; ")));
  } else if (report.would_add) {
    for (const auto& [ship, mean] : report.would_add->mean)
      parts.push_back(fmt::format("{} {:+.{}f}", base::strip_control(ship), mean, kMeanDecimals));
    page.blank();
    page.entry("damage deck", fmt::format("none; the deck '{}' would change mean damage: {}", report.would_add->deck,
                                          base::joined(parts, ", ")));
  }
}

// ---------------------------------------------------------------- how it was found

/// The generator and the kernel: "philox4x32-10 on avx2, in lanes".
std::string played_by(const SampleInfo& sample) {
  if (sample.target.empty()) return sample.generator;
  return fmt::format("{} on {}{}", sample.generator, sample.target, sample.kernel == "lanes" ? ", in lanes" : "");
}

void write_sample(Page& page, const SampleInfo& sample, bool intervals) {
  const std::string ended = sample.interrupted        ? " (interrupted)"
                            : sample.ended_by.empty() ? std::string()
                                                      : fmt::format(" (ended by the {})", sample.ended_by);
  page.entry("sample",
             fmt::format("{} trials{}, seed {}, {}{}", base::with_separators(sample.trials), ended, sample.seed,
                         played_by(sample), intervals ? "; ± and ranges hold with 95% confidence" : ""));
}

void write_cross_check(Page& page, const CrossCheck& check) {
  std::string text = check.agree ? "the engines agree: " : "the engines DISAGREE: ";
  text += std::isinf(check.g) ? "an outcome was sampled that the exact engine calls impossible"
                              : fmt::format("G\u00A0=\u00A0{:.4g} with {} degrees of freedom, p\u00A0=\u00A0{:.2g}",
                                            check.g, check.df, check.p);
  if (!check.largest_name.empty()) {
    text +=
        fmt::format("; largest difference {:.1f} standard errors ({})", check.largest_difference, check.largest_name);
  }
  if (check.rounds_left_out > 0) {
    text += fmt::format("; NOT compared: the ships after {} of the rounds, since sampling stopped before them",
                        check.rounds_left_out);
  }
  page.entry("cross-check", text, check.agree ? Style::Good : Style::Bad);
}

void write_engines(Page& page, const Report& report) {
  page.blank();
  std::string engine(to_string(report.engine));
  if (!report.engine_reason.empty()) engine += ": " + report.engine_reason;
  page.entry("engine", engine);
  if (report.sample) write_sample(page, *report.sample, report.engine == Engine::Sample);
  if (report.cross_check) write_cross_check(page, *report.cross_check);
  if (report.certificate) {
    page.entry("certificate", fmt::format("the value is exactly {}; the double printed is off by {:.3g}",
                                          report.certificate->fraction(), report.certificate->error));
  }
}

/// The table of a roll alone.
void write_roll(Page& page, const RollEstimates& roll, std::uint64_t trials) {
  page.paragraph(roll.attack ? "results of the attack dice" : "evades of the defense dice", Style::Strong);
  page.blank();
  page.entry("dice", mean_with_half_width(roll.dice, kTokenDecimals));
  std::string text = mean_with_half_width(roll.results.mean, kMeanDecimals);
  if (roll.attack) {
    text += fmt::format("  ({} hits, {} crits)", mean_with_half_width(roll.mean_hits, kMeanDecimals),
                        mean_with_half_width(roll.mean_crits, kMeanDecimals));
  }
  page.entry(roll.attack ? "mean results" : "mean evades", text, Style::Strong);
  write_distribution(page, roll.results.pmf, roll.results.at_least, trials, "none");
  std::vector<std::string> left;
  for (const auto& [kind, figure] : roll.tokens_left)
    left.push_back(fmt::format("{} {}", kind, mean_with_half_width(figure, kTokenDecimals)));
  if (!left.empty()) page.entry("mean tokens left", base::joined(left, ", "));
}

void clean_names(Estimates& estimates) {
  for (ShipEstimates& ship : estimates.ships) ship.name = base::strip_control(ship.name);
  for (AttackEstimates& attack : estimates.attacks) {
    for (std::string* name : {&attack.by, &attack.on, &attack.weapon, &attack.bonus})
      *name = base::strip_control(*name);
  }
}

}  // namespace

std::string to_table(const Report& report, int width, bool colour) {
  Estimates estimates = report.estimates;
  clean_names(estimates);
  Page page = make_page(width, colour);
  if (report.roll) {
    write_roll(page, *report.roll, estimates.trials);
    write_engines(page, report);
    write_provenance(page, report);
    return page.take();
  }
  write_title(page, report, estimates);
  for (const ShipEstimates& ship : estimates.ships) {
    if (ship.attacked || ship.mean_damage.value > 0) write_ship(page, ship, estimates.trials);
  }
  write_attacks(page, estimates);
  write_tokens(page, estimates);
  write_rounds(page, report.rounds);
  write_damage_deck(page, report, estimates);
  write_engines(page, report);
  write_provenance(page, report);
  return page.take();
}

}  // namespace salvo
