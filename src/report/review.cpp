// The review of a game as JSON (docs/schemas/review.schema.json), as a table and as a picture.
#include "salvo/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "report/luck.h"
#include "report/svg.h"

namespace salvo {
namespace {

using namespace report;

void write_kinds(JsonWriter& json, const char* key, const std::array<double, kChanceKinds>& kinds) {
  json.object(key, [&] {
    for (int k = 0; k < kChanceKinds; ++k) json.member(to_string(static_cast<ChanceKind>(k)), base::nth(kinds, k));
  });
}

void write_player(JsonWriter& json, const PlayerReview& player) {
  json.member("name", player.name);
  json.member("attacks", player.attacks);
  json.member("dealt", player.dealt);
  json.member("expected_dealt", player.expected_dealt);
  json.member("taken", player.taken);
  json.member("expected_taken", player.expected_taken);
  json.member("luck", player.luck);
  json.member("attacking", player.attacking);
  json.member("defending", player.defending);
  write_kinds(json, "own", player.own);
  write_kinds(json, "enemy", player.enemy);
  json.member("percentile", player.percentile);
  json.member("errors", player.errors);
  json.member("loss", player.loss);
  json.member("damage_lost", player.damage_lost);
}

const DecisionMade& decision_of(const Review& review, const GameError& error) {
  return review.attacks[error.attack].luck.decisions[error.decision];
}

void write_review(JsonWriter& json, const Review& review) {
  write_head(json, review);
  json.member("sentence", review.sentence);
  json.objects("players", review.players, [&](const PlayerReview& player) { write_player(json, player); });
  json.object("difference", [&] {
    json.member("expected", review.expected);
    json.member("reached", review.reached);
    json.member("below", review.below);
    json.member("tied", review.tied);
    json.member("least", review.least);
    json.member("pmf", review.pmf);
  });
  json.objects("errors", review.errors, [&](const GameError& error) {
    const DecisionMade& made = decision_of(review, error);
    json.member("attack", review.attacks[error.attack].luck.attack);
    json.member("line", review.attacks[error.attack].line);
    json.member("player", base::nth(review.players, error.player).name);
    json.member("ship", made.ship);
    json.member("situation", made.situation);
    json.member("play", made.play);
    json.member("better", made.better);
    json.member("loss", made.loss);
    json.member("damage_lost", made.damage_lost());
  });
  json.objects("attacks", review.attacks, [&](const ReviewedAttack& attack) {
    json.member("line", attack.line);
    json.member("round", attack.round);
    json.member("player", base::nth(review.players, attack.player).name);
    json.member("so_far", attack.so_far);
    write_luck(json, attack.luck);
  });
  json.member("filled_in", review.filled_in);
  write_caveats(json, review);
}

// ---------------------------------------------------------------- the table

/// Expected damage, luck and the effect of decisions add up to damage dealt minus damage taken.
void write_players(Page& page, const Review& review) {
  Columns table("", {review.players[0].name, review.players[1].name});
  const auto row = [&](const std::string& words, auto cell, Style style = Style::Plain) {
    table.row(words, {cell(0u, review.players[0]), cell(1u, review.players[1])}, style);
  };
  const auto other = [&](std::size_t p) -> const PlayerReview& { return review.players[1 - p]; };
  row("damage dealt", [](std::size_t, const PlayerReview& p) { return number(p.dealt, 2); });
  row(
      "dealt less taken", [](std::size_t, const PlayerReview& p) { return change(p.dealt - p.taken, 2); },
      Style::Strong);
  row("= expected, with best play",
      [](std::size_t, const PlayerReview& p) { return change(p.expected_dealt - p.expected_taken, 2); });
  row(
      "+ luck", [](std::size_t, const PlayerReview& p) { return change(p.luck, 2); }, Style::Strong);
  for (int k = 0; k < kChanceKinds; ++k) {
    const auto kind = static_cast<std::size_t>(k);
    const auto any = [&](const PlayerReview& p) { return p.own[kind] != 0; };
    if (!any(review.players[0]) && !any(review.players[1])) continue;
    row(
        fmt::format("luck of own {}", words_of(static_cast<ChanceKind>(k))),
        [&](std::size_t, const PlayerReview& p) { return change(p.own[kind], 2); }, Style::Faint);
  }
  row("+ own decisions", [](std::size_t, const PlayerReview& p) { return change(-p.damage_lost, 2); });
  row("+ the other's decisions", [&](std::size_t p, const PlayerReview&) { return change(other(p).damage_lost, 2); });
  row("games with less luck", [](std::size_t, const PlayerReview& p) { return share(p.percentile); });
  row("errors", [](std::size_t, const PlayerReview& p) { return std::to_string(p.errors); });
  table.write(page);
  page.blank();
}

void write_errors(Page& page, const Review& review) {
  constexpr std::size_t kMaxErrors = 3;
  if (review.errors.empty()) {
    page.paragraph("No decision lost anything.", Style::Good);
    return page.blank();
  }
  const bool two = review.objective != "damage";
  Columns table("largest errors", two ? std::vector<std::string>{"loss", "damage"} : std::vector<std::string>{"loss"});
  for (std::size_t i = 0; i < std::min(kMaxErrors, review.errors.size()); ++i) {
    const GameError& error = review.errors[i];
    const DecisionMade& made = decision_of(review, error);
    std::vector<std::string> cells{number(made.loss, 3)};
    if (two) cells.push_back(change(-made.damage_lost(), 2));
    table.row(fmt::format("line {}: {}", review.attacks[error.attack].line, decision_words(made)), cells, Style::Bad);
  }
  table.write(page);
  page.blank();
}

void write_attacks(Page& page, const Review& review) {
  Columns table("attack", {"expected", "luck", "decisions", "damage", "or more", "or less", "so far"});
  for (const ReviewedAttack& attack : review.attacks) {
    const Luck& luck = attack.luck;
    table.row(fmt::format("{} {} → {}", luck.attack, luck.by, luck.on),
              {number(luck.expected.damage, 2), change(luck.luck.damage, 2), change(luck.skill.damage, 2),
               number(luck.result.damage, 0), share(luck.at_least), share(luck.at_most), change(attack.so_far, 2)});
  }
  table.write(page);
  page.blank();
}

// ---------------------------------------------------------------- the picture

/// The luck of the first player rises from the middle, that of the second falls from it.
class LuckPicture {
 public:
  explicit LuckPicture(const Review& review) : review_(review), svg_(kLeft + kWidth + 30, kTop + kHeight + 60) {
    most_ = 1;
    for (const ReviewedAttack& attack : review.attacks) most_ = std::max(most_, std::abs(attack.so_far));
    most_ = std::ceil(most_);
  }

  std::string drawn() {
    svg_.text(kLeft, 28, fmt::format("Luck of {} against {}", review_.players[0].name, review_.players[1].name), 16,
              Anchor::Start, "#222222", true);
    svg_.text(kLeft, 48,
              fmt::format("in damage, attack by attack: {:+.2f}, more than in {:.0f}% of such games",
                          review_.players[0].luck, 100 * review_.players[0].percentile),
              12);
    grid();
    curve();
    return svg_.take();
  }

 private:
  static constexpr double kLeft = 58, kTop = 70, kWidth = 640, kHeight = 300;

  double x(std::size_t n) const {
    return kLeft + kWidth * static_cast<double>(n) / static_cast<double>(review_.attacks.size());
  }
  double y(double luck) const { return kTop + kHeight / 2 - luck / most_ * kHeight / 2; }

  void grid() {
    const double step = tick_step(most_, 3);
    for (double tick = -std::floor(most_ / step) * step; tick <= most_ + 1e-9; tick += step) {
      svg_.line(kLeft, y(tick), kLeft + kWidth, y(tick), std::abs(tick) < 1e-9 ? "#444444" : "#dddddd");
      svg_.text(kLeft - 6, y(tick) + 4, std::abs(tick) < 1e-9 ? "0" : fmt::format("{:+.3g}", tick), 12, Anchor::End);
    }
    const auto every =
        static_cast<std::size_t>(std::max(1.0, tick_step(static_cast<double>(review_.attacks.size()), 12)));
    for (std::size_t n = 0; n <= review_.attacks.size(); n += every)
      svg_.text(x(n), kTop + kHeight + 18, std::to_string(n), 12, Anchor::Middle);
    int round = 0;
    for (std::size_t n = 0; n < review_.attacks.size(); ++n) {
      if (review_.attacks[n].round == round) continue;
      round = review_.attacks[n].round;
      svg_.line(x(n), kTop, x(n), kTop + kHeight, "#dddddd");
      svg_.text(x(n) + 4, kTop + 12, fmt::format("round {}", round), 11, Anchor::Start, "#666666");
    }
    svg_.text(kLeft + kWidth, kTop + kHeight + 40, "attacks", 12, Anchor::End);
  }

  void curve() {
    std::vector<std::pair<double, double>> points{{x(0), y(0)}};
    for (std::size_t n = 0; n < review_.attacks.size(); ++n)
      points.emplace_back(x(n + 1), y(review_.attacks[n].so_far));
    svg_.polyline(points, series_colour(0), "");
    for (std::size_t n = 0; n < review_.attacks.size(); ++n)
      svg_.circle(points[n + 1].first, points[n + 1].second, 3.5,
                  series_colour(static_cast<std::size_t>(review_.attacks[n].player)));
    for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
      const double left = kLeft + 150 * static_cast<double>(p), bottom = kTop + kHeight + 40;
      svg_.circle(left, bottom - 4, 3.5, series_colour(p));
      svg_.text(left + 8, bottom, review_.players[p].name + " attacks", 11);
    }
  }

  const Review& review_;
  Svg svg_;
  double most_;
};

}  // namespace

std::string to_json(const Review& review) {
  return wrapped_json([&](JsonWriter& json) { write_review(json, review); });
}

std::string to_table(const Review& review, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(review.sentence, Style::Strong);
  page.blank();
  write_players(page, review);
  write_errors(page, review);
  write_attacks(page, review);
  for (const std::string& note : review.filled_in) page.entry("filled in", note);
  append_provenance(page, review);
  return page.take();
}

std::string plot_luck(const Review& review) { return LuckPicture(review).drawn(); }

}  // namespace salvo
