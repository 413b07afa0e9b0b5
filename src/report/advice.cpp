// Advice as JSON (docs/schemas/advise.schema.json) and as a table for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/decision_parts.h"
#include "salvo/advise.h"

namespace salvo {
namespace {

using namespace report;

constexpr std::size_t kMaxOptions = 12, kMaxRolls = 40, kMaxFollowUps = 4;  ///< in a table; JSON lists all

void write_chances(JsonWriter& json, const std::vector<ShipChance>& chances) {
  json.object("chances", [&] {
    for (const ShipChance& chance : chances) {
      json.object(chance.ship, [&] {
        json.member("destroyed", chance.destroyed);
        json.object("damage", [&] {
          json.member("mean", chance.mean_damage);
          json.member("at_least", chance.at_least);
        });
      });
    }
  });
}

void write_option(JsonWriter& json, const PlayOption& option, const std::string& objective) {
  json.member("play", option.play);
  json.member("value", option.value);
  json.member("loss", option.loss);
  if (objective == "kill") json.member("damage_loss", option.damage_loss);
  json.member("now", option.now);
  json.member("later", option.later);
  write_chances(json, option.chances);
  json.objects("then", option.next_decisions, [&](const FollowUp& next) {
    json.member("by", to_string(next.role));
    json.member("play", next.play);
    json.member("probability", next.probability);
  });
  json.member("then_nothing", option.no_next_decision);
  json.member("spends", option.parts.spends);
  json.member("rerolls", option.parts.rerolls);
  if (!option.parts.target.empty()) json.member("target", option.parts.target);
}

/// Writes the later decisions of the attack, if there is nothing to decide now.
void write_ahead(JsonWriter& json, const Advice& advice) {
  json.objects("rolls", advice.rolls, [&](const RollAdvice& roll) {
    json.member("roll", roll.roll);
    json.member("probability", roll.probability);
    json.member("play", roll.play);
    json.member("value", roll.value);
    json.member("margin", roll.margin);
  });
  json.objects("plays", advice.plays, [&](const FollowUp& play) {
    json.member("play", play.play);
    json.member("probability", play.probability);
  });
  json.member("no_decision", advice.no_decision);
}

void write_advice(JsonWriter& json, const Advice& advice) {
  write_head(json, advice);
  json.member("attack", advice.attack);
  if (advice.round > 0) json.member("round", advice.round);
  json.member("by", advice.by);
  json.member("on", advice.on);
  json.member("to_move", advice.to_move ? std::optional(to_string(*advice.to_move)) : std::nullopt);
  json.member("ship", advice.mover);
  json.member("situation", advice.situation);
  json.member("value", advice.value);
  json.objects("options", advice.options,
               [&](const PlayOption& option) { write_option(json, option, advice.objective); });
  json.member("best", advice.options.empty() ? "" : advice.options.front().play);
  if (!advice.options.empty()) json.member("policy_play", advice.policy_play);
  if (advice.options.empty()) write_ahead(json, advice);
  write_caveats(json, advice);
}

std::string follow_ups(const PlayOption& option) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(option.next_decisions.size(), kMaxFollowUps); ++i) {
    const FollowUp& next = option.next_decisions[i];
    parts.push_back(fmt::format("{}: {} ({})", to_string(next.role), next.play, share(next.probability)));
  }
  double rest = 0;
  for (std::size_t i = kMaxFollowUps; i < option.next_decisions.size(); ++i)
    rest += option.next_decisions[i].probability;
  if (rest > 0) parts.push_back(fmt::format("other plays ({})", share(rest)));
  if (option.no_next_decision > 0)
    parts.push_back(fmt::format("nothing to decide ({})", share(option.no_next_decision)));
  return base::joined(parts, "; ");
}

/// The columns of chances: destroyed for ships with a hull; otherwise damage of at least 1, 2, 3.
struct ChanceColumn {
  std::string ship, header;
  int at_least = 0;  ///< 0: destroyed
};

double chance_of(const PlayOption& option, const ChanceColumn& column) {
  for (const ShipChance& chance : option.chances) {
    if (chance.ship != column.ship) continue;
    if (column.at_least == 0) return chance.destroyed;
    const auto k = static_cast<std::size_t>(column.at_least);
    return k < chance.at_least.size() ? chance.at_least[k] : 0.0;
  }
  return 0;
}

std::vector<ChanceColumn> chance_columns(const Advice& advice) {
  std::vector<ChanceColumn> out;
  const std::vector<ShipChance>& first = advice.options.front().chances;
  for (const ShipChance& chance : first) {
    const bool several = first.size() > 1;
    if (chance.destructible) out.push_back({chance.ship, several ? chance.ship + " lost" : "destroyed", 0});
    for (int k = 1; k <= 2 && !chance.destructible; ++k)
      out.push_back({chance.ship, several ? fmt::format("{} {}+", chance.ship, k) : fmt::format("{}+ damage", k), k});
  }
  // An outcome that no play can lead to needs no column.
  std::erase_if(out, [&](const ChanceColumn& column) {
    return std::all_of(advice.options.begin(), advice.options.end(),
                       [&](const PlayOption& option) { return !(chance_of(option, column) > 0); });
  });
  return out;
}

void write_options(Page& page, const Advice& advice) {
  const std::vector<ChanceColumn> chances = chance_columns(advice);
  const bool later = std::any_of(advice.options.begin(), advice.options.end(),
                                 [](const PlayOption& option) { return option.later != 0; });
  std::vector<std::string> headers = {"value", "loss"};
  if (later) headers.insert(headers.end(), {"now", "later"});
  for (const ChanceColumn& column : chances) headers.push_back(column.header);
  Columns table("play", headers);
  for (std::size_t i = 0; i < std::min(advice.options.size(), kMaxOptions); ++i) {
    const PlayOption& option = advice.options[i];
    std::vector<std::string> cells = {number(option.value), loss_words(i, option.loss, option.damage_loss)};
    if (later) cells.insert(cells.end(), {number(option.now), number(option.later)});
    for (const ChanceColumn& column : chances) cells.push_back(share(chance_of(option, column)));
    table.row(option.play, cells, i == 0 ? Style::Good : Style::Plain);
  }
  table.write(page);
  write_rest(page, advice.options.size(), kMaxOptions, "more, which are worse");
  page.blank();
  page.entry("best", advice.options.front().play, Style::Strong);
  if (!advice.options.front().next_decisions.empty()) page.entry("then", follow_ups(advice.options.front()));
  if (advice.policy_play != advice.options.front().play) {
    page.entry("policy", "the policy of this player would " + advice.policy_play);
  }
}

void write_rolls(Page& page, const Advice& advice) {
  Columns often("play", {"right in"});
  for (const FollowUp& play : advice.plays) often.row(play.play, {share(play.probability)});
  if (advice.no_decision > 0) often.row("nothing to decide", {share(advice.no_decision)}, Style::Faint);
  often.write(page);
  page.blank();
  Columns rolls("roll: best play", {"chance", "value", "margin"});
  for (std::size_t i = 0; i < std::min(advice.rolls.size(), kMaxRolls); ++i) {
    const RollAdvice& roll = advice.rolls[i];
    rolls.row(fmt::format("{}: {}", roll.roll, roll.play),
              {share(roll.probability), number(roll.value), number(roll.margin)});
  }
  rolls.write(page);
  write_rest(page, advice.rolls.size(), kMaxRolls, "rarer rolls");
}

}  // namespace

std::string to_json(const Advice& advice) {
  return wrapped_json([&](JsonWriter& json) { write_advice(json, advice); });
}

std::string to_table(const Advice& advice, int width, bool colour) {
  Page page = make_page(width, colour);
  const std::string round = advice.round > 0 ? fmt::format(", round {}", advice.round) : "";
  page.paragraph(fmt::format("attack {}{}: {} → {}", advice.attack, round, advice.by, advice.on), Style::Strong);
  page.entry("situation", advice.situation);
  if (advice.to_move) page.entry("to move", fmt::format("{} ({})", advice.mover, to_string(*advice.to_move)));
  page.entry("value",
             fmt::format("{}, {} from here on, mine minus theirs", number(advice.value), objective_words(advice)),
             Style::Strong);
  page.blank();
  if (!advice.options.empty()) {
    write_options(page, advice);
  } else if (advice.to_move) {
    write_rolls(page, advice);
  } else {
    page.paragraph("nothing is left to decide in this attack", Style::Plain);
  }
  if (!advice.ship_titles.empty()) page.entry("ships", base::joined(advice.ship_titles, ", "));
  append_provenance(page, advice);
  return page.take();
}

}  // namespace salvo
