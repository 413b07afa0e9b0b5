#include "report/hazard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "answers/estimates.h"
#include "base/text.h"
#include "report/csv.h"
#include "report/digits.h"
#include "report/json_figures.h"
#include "report/page.h"
#include "report/tails.h"

namespace salvo::report {
namespace {

using load::Hazard;
using load::HazardEffect;
using load::HazardSituation;

// ---------------------------------------------------------------- words

std::string outcome_words(const HazardEffect& outcome) {
  std::vector<std::string> words;
  const auto add = [&](int n, const char* one, const char* many) {
    if (n > 0) words.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  };
  add(outcome.shields, "shield lost", "shields lost");
  add(outcome.hits, "hit", "hits");
  add(outcome.crits, "crit", "crits");
  add(outcome.facedown_cards, "facedown card", "facedown cards");
  add(outcome.faceup_cards, "faceup card", "faceup cards");
  add(outcome.exposed, "card exposed", "cards exposed");
  for (const auto& [token, n] : outcome.tokens) words.push_back(fmt::format("{} {}", n, token));
  return base::joined(words, ", ");
}

std::string dice_words(int dice) { return fmt::format("{} attack {}", dice, dice == 1 ? "die" : "dice"); }

// ---------------------------------------------------------------- figures

/// What a ship's answer prints, computed once for all formats.
struct TokenFigures {
  std::string token, state;
  CountDistribution number;
  Estimate reached;
};

struct ShipPage {
  const hazard::Target* target;
  const HazardSituation* situation;
  int dice;
  ShipEstimates estimates;
  CountDistribution faceup;
  std::vector<TokenFigures> tokens;
};

struct HazardFigures {
  std::vector<ShipPage> ships;
  CountDistribution damage, destroyed;
  std::uint64_t trials;
};

HazardFigures make_figures(const HazardReport& report) {
  const hazard::Occurrence& question = *report.question;
  const hazard::Answer& answer = report.exact ? *report.exact : *report.sample;
  game::Distribution distribution;
  compile::Labels labels;
  distribution.trials = answer.trials;
  for (std::size_t s = 0; s < answer.ships.size(); ++s) {
    distribution.ships.push_back(answer.ships[s].ship);
    labels.ships.push_back(question.targets[s].name);
    labels.ship_titles.push_back(question.targets[s].title);
  }
  const Estimates estimates = answers::make_estimates(labels, distribution);
  HazardFigures out{{},
                    answers::count_estimates(answer.damage, answer.trials),
                    answers::count_estimates(answer.destroyed, answer.trials),
                    answer.trials};
  for (std::size_t s = 0; s < answer.ships.size(); ++s) {
    const HazardSituation* situation = question.situations[s];
    ShipPage page{&question.targets[s],
                  situation,
                  situation == nullptr ? 0 : roll_of(question, *situation).dice,
                  estimates.ships[s],
                  answers::count_estimates(answer.ships[s].faceup, answer.trials),
                  {}};
    for (const hazard::TokenAnswer& token : answer.ships[s].tokens) {
      page.tokens.push_back({token.token, token.state, answers::count_estimates(token.number, answer.trials),
                             answers::probability_estimate(token.reached, answer.trials)});
    }
    out.ships.push_back(std::move(page));
  }
  return out;
}

/// How the sampled answer was drawn, if there is one.
template <typename Answer>
std::optional<SampleInfo> sample_info(const std::optional<Answer>& answer) {
  if (!answer) return std::nullopt;
  return SampleInfo{.trials = answer->trials, .seed = answer->seed, .generator = "philox4x32-10"};
}

// ---------------------------------------------------------------- JSON

void write_hazard(JsonWriter& json, const Hazard& hazard) {
  json.member("id", hazard.id);
  json.member("name", hazard.name);
  json.member("kind", hazard.kind);
  json.member("source", hazard.source);
  json.member("also_called", hazard.also_called);
  json.member("omits", hazard.omits);
}

void write_token(JsonWriter& json, const TokenFigures& token, bool sampled) {
  json.object(token.token, [&] {
    write_count(json, token.number.mean, token.number.pmf, token.number.at_least, sampled);
    if (token.state.empty()) return;
    json.member("state", token.state);
    write_figure(json, "reached", token.reached, sampled);
  });
}

void write_ship(JsonWriter& json, const ShipPage& ship, bool sampled) {
  const ShipEstimates& estimates = ship.estimates;
  json.member("name", estimates.title);
  json.member("size", ship.target->size);
  json.member("situation", ship.situation == nullptr ? std::nullopt : std::optional(ship.situation->id));
  json.member("dice", ship.dice);
  write_damage(json, estimates, sampled);
  write_joint(json, estimates.joint, sampled);
  write_figure(json, "destroyed", estimates.destroyed, sampled);
  write_figures(json, "hull", estimates.hull, sampled);
  write_figures(json, "shields", estimates.shields, sampled);
  write_count(json, "faceup", ship.faceup, sampled);
  json.object("tokens", [&] {
    for (const TokenFigures& token : ship.tokens) write_token(json, token, sampled);
  });
}

void write_situation(JsonWriter& json, const HazardSituation& situation) {
  json.member("id", situation.id);
  json.member("when", situation.when);
  json.member("sizes", situation.sizes);
  json.member("effect", effect_words(situation));
  json.member("also", situation.also);
}

void write_engines(JsonWriter& json, const std::optional<SampleInfo>& sample, const std::optional<CrossCheck>& check) {
  if (sample) write_sample(json, *sample);
  if (check) write_cross_check(json, *check);
}

void add_count(CsvFigures& lines, const std::string& ship, const std::string& figure, const CountDistribution& count) {
  lines.figure(ship, "mean_" + figure, "", count.mean);
  lines.estimates(ship, figure, count.pmf);
}

// ---------------------------------------------------------------- tables

void write_tokens(Page& page, const ShipPage& ship, std::uint64_t trials) {
  for (const TokenFigures& token : ship.tokens) {
    std::string text = fmt::format("{} on average", mean_with_half_width(token.number.mean, 2));
    if (!token.state.empty()) text += fmt::format("; {} {}", token.state, percent_with_interval(token.reached, trials));
    page.entry(token.token, text);
  }
}

void write_ship(Page& page, const ShipPage& ship, std::uint64_t trials) {
  const bool titled = !ship.estimates.title.empty() && ship.estimates.title != ship.estimates.name;
  page.blank();
  page.line({{ship.estimates.name, Style::Strong}, {titled ? "  " + ship.estimates.title : "", Style::Faint}});
  if (ship.situation == nullptr) {
    page.entry("situation", fmt::format("nothing happens to a {} ship", ship.target->size));
  } else {
    page.entry("situation", fmt::format("{}: {}", ship.situation->id, ship.situation->when));
    const std::string words = effect_words(*ship.situation);
    page.entry("does", words.empty() ? "no damage and no tokens" : words);
    for (const std::string& also : ship.situation->also) page.entry("also", also);
  }
  page.entry("mean damage", fmt::format("{}  ({} hits, {} crits)", mean_with_half_width(ship.estimates.mean_damage, 3),
                                        mean_with_half_width(ship.estimates.mean_hits, 3),
                                        mean_with_half_width(ship.estimates.mean_crits, 3)));
  if (!ship.estimates.hull.empty()) {
    page.entry("destroyed", percent_with_interval(ship.estimates.destroyed, trials));
    page.entry("mean left", fmt::format("hull {} of {}, shields {} of {}",
                                        mean_with_half_width(ship.estimates.mean_hull, 2), ship.target->hull,
                                        mean_with_half_width(ship.estimates.mean_shields, 2), ship.target->shields));
  }
  if (ship.faceup.pmf.size() > 1) page.entry("faceup cards", mean_with_half_width(ship.faceup.mean, 3) + " on average");
  write_tokens(page, ship, trials);
  write_tails(page, ship.estimates.at_least, trials);
}

void write_engines(Page& page, Engine engine, const std::optional<CrossCheck>& check, std::uint64_t trials) {
  page.blank();
  page.entry("engine", trials > 0 && engine == Engine::Sample
                           ? fmt::format("sample, {} trials", base::with_separators(trials))
                           : std::string(to_string(engine)));
  if (!check) return;
  page.entry("cross-check",
             fmt::format("{}: G {:.4g} with {} degrees of freedom, p {:.3g}; largest difference {:.2f} standard errors",
                         check->agree ? "the engines agree" : "THE ENGINES DISAGREE", check->g, check->df, check->p,
                         check->largest_difference),
             check->agree ? Style::Good : Style::Bad);
}

std::string kind_title(const Hazard& hazard) { return fmt::format("{} ({})", hazard.name, hazard.kind); }

}  // namespace

std::string effect_words(const HazardSituation& situation) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) parts.push_back(part);
  };
  if (situation.first_dice > 0) {
    add(fmt::format("only if {} {} {}", dice_words(situation.first_dice), situation.first_dice == 1 ? "shows" : "show",
                    base::joined(situation.first_faces, " or ")));
  }
  add(outcome_words(situation.fixed));
  for (const auto& [name, outcome] : situation.fixed_per) {
    add(fmt::format("{} for each of {}", outcome_words(outcome), name));
  }
  if (situation.dice > 0) add(dice_words(situation.dice));
  for (const auto& [name, dice] : situation.dice_per) add(fmt::format("{} for each of {}", dice_words(dice), name));
  for (const auto& [face, outcome] : situation.on) add(fmt::format("{}: {}", face, outcome_words(outcome)));
  return base::joined(parts, "; ");
}

// ---------------------------------------------------------------- one hazard

std::string to_json(const HazardReport& report) {
  const hazard::Occurrence& question = *report.question;
  const HazardFigures answer = make_figures(report);
  const bool sampled = answer.trials > 0;
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", question.edition->id);
    json.member("engine", to_string(report.engine));
    json.object("hazard", [&] { write_hazard(json, *question.hazard); });
    json.array("situations", [&] {
      for (const HazardSituation& situation : question.hazard->situations) {
        const bool used =
            std::find(question.situations.begin(), question.situations.end(), &situation) != question.situations.end();
        if (used) json.object([&] { write_situation(json, situation); });
      }
    });
    json.member("numbers", question.numbers);
    json.member("times", question.times);
    json.object("ships", [&] {
      for (const ShipPage& ship : answer.ships) {
        json.object(ship.estimates.name, [&] { write_ship(json, ship, sampled); });
      }
    });
    json.object("together", [&] {
      write_count(json, "damage", answer.damage, sampled);
      write_count(json, "destroyed", answer.destroyed, sampled);
    });
    json.member("notes", report.notes);
    write_engines(json, sample_info(report.sample), report.cross_check);
  });
}

std::string to_csv(const HazardReport& report) {
  const HazardFigures answer = make_figures(report);
  CsvFigures lines(answer.trials > 0);
  for (const ShipPage& ship : answer.ships) {
    const std::string& name = ship.estimates.name;
    lines.figure(name, "mean_damage", "", ship.estimates.mean_damage);
    lines.estimates(name, "damage", ship.estimates.pmf);
    for (const JointCell& cell : ship.estimates.joint) {
      lines.figure(name, "joint", fmt::format("{}:{}", cell.hits, cell.crits), cell.probability);
    }
    lines.figure(name, "destroyed", "", ship.estimates.destroyed);
    lines.estimates(name, "hull", ship.estimates.hull);
    lines.estimates(name, "shields", ship.estimates.shields);
    add_count(lines, name, "faceup", ship.faceup);
    for (const TokenFigures& token : ship.tokens) {
      add_count(lines, name, token.token, token.number);
      if (!token.state.empty()) lines.figure(name, token.state, "", token.reached);
    }
  }
  add_count(lines, "", "damage", answer.damage);
  add_count(lines, "", "destroyed", answer.destroyed);
  return lines.take();
}

std::string to_table(const HazardReport& report, int width, bool colour) {
  const hazard::Occurrence& question = *report.question;
  const HazardFigures answer = make_figures(report);
  Page page = make_page(width, colour);
  page.paragraph(kind_title(*question.hazard) + (question.times > 1 ? fmt::format(", {} times", question.times) : ""),
                 Style::Strong);
  page.entry("source", question.hazard->source, Style::Faint);
  for (const auto& [name, value] : question.numbers) page.entry(name, std::to_string(value));
  for (const ShipPage& ship : answer.ships) write_ship(page, ship, answer.trials);
  if (answer.ships.size() > 1) {
    page.blank();
    page.line({{"all ships together", Style::Strong}});
    page.entry("mean damage", mean_with_half_width(answer.damage.mean, 3));
    if (answer.destroyed.pmf.size() > 1) page.entry("destroyed", mean_with_half_width(answer.destroyed.mean, 3));
    write_tails(page, answer.damage.at_least, answer.trials);
  }
  write_engines(page, report.engine, report.cross_check, answer.trials);
  for (const std::string& note : report.notes) page.entry("note", note, Style::Bad);
  for (const std::string& omitted : question.hazard->omits) page.entry("left out", omitted, Style::Bad);
  return page.take();
}

// ---------------------------------------------------------------- contests

std::string to_json(const ContestReport& report) {
  const hazard::ContestAnswer& answer = report.exact ? *report.exact : *report.sample;
  const load::HazardContest& contest = *report.hazard->contest;
  const bool sampled = answer.trials > 0;
  const auto figure = [&](double p) { return answers::probability_estimate(p, answer.trials); };
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", report.rules);
    json.member("engine", to_string(report.engine));
    json.object("hazard", [&] { write_hazard(json, *report.hazard); });
    json.member("dice", contest.dice);
    write_figure(json, "win", figure(answer.win), sampled);
    write_figure(json, "tie", {answer.tie, answer.tie_se}, sampled);
    json.object("decided_by", [&] {
      for (std::size_t i = 0; i < contest.most.size(); ++i) {
        write_figure(json, contest.most[i], figure(answer.decided_by[i]), sampled);
      }
    });
    write_figure(json, "mean_rolls", {answer.mean_rolls, answer.mean_rolls_se}, sampled);
    std::vector<Estimate> rolls;
    for (const double p : answer.rolls) rolls.push_back(figure(p));
    write_figures(json, "rolls", rolls, sampled);
    write_engines(json, sample_info(report.sample), report.cross_check);
  });
}

std::string to_csv(const ContestReport& report) {
  const hazard::ContestAnswer& answer = report.exact ? *report.exact : *report.sample;
  CsvFigures lines(answer.trials > 0);
  const auto figure = [&](double p) { return answers::probability_estimate(p, answer.trials); };
  lines.figure("", "win", "", figure(answer.win));
  lines.figure("", "tie", "", {answer.tie, answer.tie_se});
  for (std::size_t i = 0; i < answer.decided_by.size(); ++i) {
    lines.figure("", "decided_by", report.hazard->contest->most[i], figure(answer.decided_by[i]));
  }
  lines.figure("", "mean_rolls", "", {answer.mean_rolls, answer.mean_rolls_se});
  for (Eigen::Index n = 0; n < answer.rolls.size(); ++n) {
    lines.figure("", "rolls", std::to_string(n + 1), figure(answer.rolls(n)));
  }
  return lines.take();
}

std::string to_table(const ContestReport& report, int width, bool colour) {
  const hazard::ContestAnswer& answer = report.exact ? *report.exact : *report.sample;
  const load::HazardContest& contest = *report.hazard->contest;
  Page page = make_page(width, colour);
  page.paragraph(kind_title(*report.hazard), Style::Strong);
  page.entry("source", report.hazard->source, Style::Faint);
  page.blank();
  const auto figure = [&](double p) { return answers::probability_estimate(p, answer.trials); };
  if (contest.most.empty()) {
    page.entry("wins",
               fmt::format("{}, with {} that shows {}", percent_with_interval(figure(answer.win), answer.trials),
                           dice_words(contest.dice), base::joined(contest.wins, " or ")));
  } else {
    page.entry("each player", fmt::format("rolls {}; the most {} wins, a tie is rolled again", dice_words(contest.dice),
                                          base::joined(contest.most, ", then the most ")));
    page.entry("wins", percent_with_interval(figure(answer.win), answer.trials));
    for (std::size_t i = 0; i < contest.most.size(); ++i) {
      page.entry("by " + contest.most[i], percent_with_interval(figure(answer.decided_by[i]), answer.trials));
    }
    const auto all_rolls =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(answer.trials) * answer.mean_rolls));
    page.entry("rolls", fmt::format("{} on average; {} of them tied",
                                    mean_with_half_width({answer.mean_rolls, answer.mean_rolls_se}, 4),
                                    percent_with_interval({answer.tie, answer.tie_se}, all_rolls)));
    for (Eigen::Index n = 0; n < answer.rolls.size() && answer.rolls(n) >= 5e-5; ++n) {
      page.entry(fmt::format("in roll {}", n + 1), percent_with_interval(figure(answer.rolls(n)), answer.trials));
    }
  }
  write_engines(page, report.engine, report.cross_check, answer.trials);
  for (const std::string& omitted : report.hazard->omits) page.entry("left out", omitted, Style::Bad);
  return page.take();
}

// ---------------------------------------------------------------- the list

std::string to_json(const HazardList& list) {
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("rules", list.rules);
    json.objects("hazards", list.hazards, [&](const Hazard& hazard) {
      write_hazard(json, hazard);
      json.objects("situations", hazard.situations,
                   [&](const HazardSituation& situation) { write_situation(json, situation); });
      json.objects("numbers", hazard.numbers, [&](const load::HazardAmount& number) {
        json.member("id", number.name);
        json.member("meaning", number.meaning);
        json.member("least", number.least);
        json.member("most", number.most);
        json.member("usual", number.usual);
      });
    });
  });
}

std::string to_csv(const HazardList& list) {
  std::string out = "id,name,kind,source,situation,sizes,effect\n";
  for (const Hazard& hazard : list.hazards) {
    if (hazard.situations.empty()) out += csv_line({hazard.id, hazard.name, hazard.kind, hazard.source, "", "", ""});
    for (const HazardSituation& situation : hazard.situations) {
      out += csv_line({hazard.id, hazard.name, hazard.kind, hazard.source, situation.id,
                       base::joined(situation.sizes, " "), effect_words(situation)});
    }
  }
  return out;
}

std::string to_table(const HazardList& list, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("{} hazards of {}", list.hazards.size(), list.rules), Style::Strong);
  for (const Hazard& hazard : list.hazards) {
    page.blank();
    page.line({{hazard.id, Style::Strong}, {"  " + kind_title(hazard) + ", " + hazard.source, Style::Faint}});
    for (const HazardSituation& situation : hazard.situations) {
      const std::string words = effect_words(situation);
      page.entry(situation.id, words.empty() ? "no damage and no tokens" : words);
    }
    if (hazard.contest) page.entry("contest", dice_words(hazard.contest->dice) + " for each player");
    for (const load::HazardAmount& number : hazard.numbers) page.entry(number.name, number.meaning, Style::Faint);
  }
  return page.take();
}

}  // namespace salvo::report
