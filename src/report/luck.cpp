// Luck of one attack as JSON (docs/schemas/luck.schema.json) and as a table for a terminal.
#include "report/luck.h"

#include <fmt/format.h>

#include <cmath>

#include "base/stable_sort.h"

namespace salvo {
namespace report {

void write_amount(JsonWriter& json, const char* key, const Amount& amount) {
  json.object(key, [&] {
    json.member("damage", amount.damage);
    json.member("value", amount.value);
  });
}

void write_luck(JsonWriter& json, const Luck& luck) {
  json.member("attack", luck.attack);
  if (luck.round > 0) json.member("round", luck.round);
  json.member("by", luck.by);
  json.member("on", luck.on);
  write_amount(json, "expected", luck.expected);
  write_amount(json, "luck", luck.luck);
  write_amount(json, "skill", luck.skill);
  write_amount(json, "result", luck.result);
  json.objects("parts", luck.parts, [&](const LuckPart& part) {
    json.member("kind", to_string(part.kind));
    json.member("damage", part.luck.damage);
    json.member("value", part.luck.value);
    json.member("happened", part.happened);
    json.member("told", part.happened && part.observed);
  });
  json.objects("decisions", luck.decisions, [&](const DecisionMade& made) {
    json.member("by", to_string(made.role));
    json.member("ship", made.ship);
    json.member("situation", made.situation);
    json.member("play", made.play);
    json.member("better", made.better);
    json.member("told", made.observed);
    json.member("probability", made.probability);
    json.member("damage", made.change.damage);
    json.member("value", made.change.value);
    json.member("loss", made.loss);
  });
  json.object("with_best_play", [&] {
    json.member("pmf", luck.pmf);
    json.member("at_least", luck.at_least);
    json.member("at_most", luck.at_most);
    json.member("destroyed", luck.destroyed);
  });
  json.member("likelihood", luck.likelihood);
  json.member("filled_in", luck.filled_in);
}

std::string decision_words(const DecisionMade& made) {
  std::string out = fmt::format("{}, with {}: {}", made.ship, made.situation, made.play);
  if (made.better != made.play) out += "; better: " + made.better;
  return out;
}

}  // namespace report

namespace {

using namespace report;

/// "nothing", or "2 damage".
std::string damage_words(double damage) {
  const int n = static_cast<int>(std::lround(damage));
  return n == 0 ? "no damage" : fmt::format("{} damage", n);
}

constexpr std::size_t kMaxDecisions = 8;  ///< in the table

class LuckTable {
 public:
  LuckTable(const Luck& luck, Page& page) : luck_(luck), page_(page), two_(luck.objective != "damage" || differs()) {}

  void write() {
    const std::string round = luck_.round > 0 ? fmt::format(", round {}", luck_.round) : "";
    page_.paragraph(fmt::format("attack {}{}: {} → {}, {}", luck_.attack, round, luck_.by, luck_.on,
                                damage_words(luck_.result.damage)),
                    Style::Strong);
    page_.blank();
    page_.entry("this or more", share(luck_.at_least));
    page_.entry("this or less", share(luck_.at_most));
    if (!(luck_.at_least > 0) && luck_.result.damage > 0) {
      page_.entry("", "best play never lets so much through: a decision did, not the dice");
    } else if (!(luck_.at_most > 0)) {
      page_.entry("", "best play always does more: a decision lost it, not the dice");
    }
    page_.blank();
    write_sum();
    write_decisions();
    page_.paragraph("Above 0 is good for the attacker; the lines add up to the result.", Style::Faint);
    for (const std::string& note : luck_.filled_in) page_.entry("filled in", note);
  }

 private:
  /// Whether the objective and the damage lead to different verdicts.
  bool differs() const {
    const auto apart = [](const Amount& a) { return std::abs(a.damage - a.value) > 1e-9; };
    return apart(luck_.expected) || apart(luck_.luck) || apart(luck_.skill) || apart(luck_.result);
  }

  std::vector<std::string> cells(const Amount& amount, bool signs) const {
    const auto cell = [signs](double x) { return signs ? change(x) : number(x); };
    std::vector<std::string> out = {cell(amount.damage)};
    if (two_) out.push_back(cell(amount.value));
    return out;
  }

  void write_sum() {
    std::vector<std::string> headers = {"damage"};
    if (two_) headers.emplace_back("value");
    Columns table("", headers);
    table.row("expected, with best play", cells(luck_.expected, false));
    for (const LuckPart& part : luck_.parts) {
      if (!part.happened) continue;
      const char* observed = part.observed ? "" : " (not reported)";
      table.row(fmt::format("luck: {}{}", words_of(part.kind), observed), cells(part.luck, true));
    }
    for (const Role role : {Role::Attacker, Role::Defender}) {
      Amount sum;
      bool any = false;
      for (const DecisionMade& made : luck_.decisions) {
        if (made.role != role) continue;
        any = true;
        sum.damage += made.change.damage;
        sum.value += made.change.value;
      }
      if (any) table.row(fmt::format("decisions: {}", role == Role::Attacker ? luck_.by : luck_.on), cells(sum, true));
    }
    table.row("result", cells(luck_.result, false), Style::Strong);
    table.row("luck in all", cells(luck_.luck, true), luck_.luck.value < 0 ? Style::Bad : Style::Good);
    table.write(page_);
    page_.blank();
  }

  void write_decisions() {
    if (luck_.decisions.empty()) return;
    Columns table("decision", {"loss"});
    std::vector<DecisionMade> shown = luck_.decisions;
    if (shown.size() > kMaxDecisions) {  // of the decisions that fit the report, the costliest
      const auto worse = [](const DecisionMade& a, const DecisionMade& b) { return a.loss > b.loss; };
      base::stable_sort(shown, worse);
      shown.resize(kMaxDecisions);
    }
    for (const DecisionMade& made : shown) {
      std::string words = decision_words(made);
      if (!made.observed) words += " (not reported)";
      table.row(words, {made.loss > 0 ? number(made.loss) : "best"}, made.loss > 0 ? Style::Bad : Style::Plain);
    }
    table.write(page_);
    write_rest(page_, luck_.decisions.size(), shown.size());
    page_.blank();
  }

  const Luck& luck_;
  Page& page_;
  bool two_;
};

}  // namespace

std::string to_json(const Luck& luck) {
  return wrapped_json([&](JsonWriter& json) {
    write_head(json, luck);
    write_luck(json, luck);
    write_caveats(json, luck);
  });
}

std::string to_table(const Luck& luck, int width, bool colour) {
  Page page = make_page(width, colour);
  LuckTable(luck, page).write();
  append_provenance(page, luck);
  return page.take();
}

}  // namespace salvo
