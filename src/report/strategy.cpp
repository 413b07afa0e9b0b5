// Strategy cards as policy files, as JSON (docs/schemas/card.schema.json) and as a table for a terminal.
#include "decide/strategy.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/decision_parts.h"

namespace salvo {
namespace {

using namespace report;

const char* role(const decide::Strategy& strategy) { return strategy.attacker ? "attacker" : "defender"; }

void write_rule(JsonWriter& json, const RuleSpec& rule) {
  if (!rule.when.empty()) json.member("when", rule.when);
  if (rule.spend) json.member("spend", *rule.spend);
  if (!rule.tokens.empty()) json.member("tokens", rule.tokens);
  if (rule.reroll) json.member("reroll", *rule.reroll);
  if (rule.rerolls) json.member("rerolls", *rule.rerolls);
  if (rule.unanswered) json.member("unanswered", true);
}

void write_measure(JsonWriter& json, const decide::StrategyMeasure& measure) {
  json.member("scenario", measure.source);
  json.member("optimal", measure.optimal);
  json.member("value", measure.value);
  json.member("loss", measure.loss);
  json.member("greedy_loss", measure.greedy_loss);
  if (measure.held_out_loss) json.member("held_out_loss", *measure.held_out_loss);
}

void write_situation(JsonWriter& json, const decide::StrategySituation& situation) {
  json.member("attack", situation.attack);
  json.member("roll", situation.roll);
  json.member("play", situation.play);
  json.member("better", situation.better);
  json.member("probability", situation.probability);
  json.member("loss", situation.loss);
}

/// A TOML string; the loader admits no character that needs another escape.
std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string decide::to_toml(const PolicySpec& policy) {
  std::string out = "format = 1\n";
  if (!policy.name.empty()) out += fmt::format("name = {}\n", toml_text(policy.name));
  for (const RuleSpec& rule : policy.rules) {
    out += "\n[[rule]]\n";
    if (!rule.when.empty()) out += fmt::format("when = {}\n", toml_text(rule.when));
    if (rule.spend) out += fmt::format("spend = {}\n", *rule.spend);
    if (!rule.tokens.empty()) {
      std::vector<std::string> parts;
      for (const auto& [token, most] : rule.tokens) parts.push_back(fmt::format("{} = {}", token, most));
      out += fmt::format("tokens = {{ {} }}\n", base::joined(parts, ", "));
    }
    if (rule.reroll) {
      std::vector<std::string> parts;
      for (const std::string& face : *rule.reroll) parts.push_back(toml_text(face));
      out += fmt::format("reroll = [{}]\n", base::joined(parts, ", "));
    }
    if (rule.rerolls) out += fmt::format("rerolls = {}\n", *rule.rerolls);
    if (rule.unanswered) out += "unanswered = true\n";
  }
  return out;
}

std::string decide::to_json(const decide::Strategy& strategy) {
  return wrapped_json([&](JsonWriter& json) {
    write_head(json, strategy);
    json.member("role", role(strategy));
    json.member("side", strategy.mine ? "mine" : "theirs");
    json.member("found", strategy.found);
    json.member("rules_in_words", strategy.words);
    json.objects("rule", strategy.policy.rules, [&](const RuleSpec& rule) { write_rule(json, rule); });
    json.member("loss", strategy.loss);
    json.member("greedy_loss", strategy.greedy_loss);
    json.objects("scenarios", strategy.measures,
                 [&](const decide::StrategyMeasure& measure) { write_measure(json, measure); });
    json.objects("situations", strategy.situations,
                 [&](const decide::StrategySituation& situation) { write_situation(json, situation); });
    write_caveats(json, strategy);
  });
}

std::string decide::to_table(const decide::Strategy& strategy, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("{} for the {}", strategy.found ? "strategy card" : "policy", role(strategy)),
                 Style::Strong);
  page.blank();
  for (std::size_t i = 0; i < strategy.words.size(); ++i)
    page.entry(i + 1 < strategy.words.size() ? fmt::format("{}.", i + 1) : "", strategy.words[i], Style::Strong);
  page.blank();
  page.entry("loss", fmt::format("{} against perfect play (greedy play loses {}), in {}", number(strategy.loss, 5),
                                 number(strategy.greedy_loss, 5), objective_words(strategy)));
  page.entry("measured", "on the exact game, the other side answering as well as its policy can");
  page.blank();
  const bool held_out = strategy.measures.front().held_out_loss.has_value();
  std::vector<std::string> headers = {"perfect", "with it", "loss", "greedy's"};
  if (held_out) headers.emplace_back("unseen");
  Columns scenarios("scenario", headers);
  for (const decide::StrategyMeasure& measure : strategy.measures) {
    std::vector<std::string> cells = {number(measure.optimal), number(measure.value), number(measure.loss, 5),
                                      number(measure.greedy_loss, 5)};
    if (held_out) cells.push_back(number(measure.held_out_loss.value_or(0), 5));
    scenarios.row(measure.source, cells);
  }
  scenarios.write(page);
  if (held_out) page.entry("unseen", "loss of the card that was found without this scenario");
  if (!strategy.situations.empty()) {
    page.blank();
    Columns table("where it loses most", {"attack", "chance", "loss"});
    for (const decide::StrategySituation& situation : strategy.situations) {
      table.row(fmt::format("{}: {}; better: {}", situation.roll, situation.play, situation.better),
                {std::to_string(situation.attack), share(situation.probability), number(situation.loss)});
    }
    table.write(page);
  }
  append_provenance(page, strategy);
  return page.take();
}

}  // namespace salvo
