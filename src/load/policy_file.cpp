// Reads policy files. Conditions and tokens depend on the scenario, so compile checks them.
#include <fmt/format.h>

#include <filesystem>

#include "data/file.h"
#include "data/message.h"
#include "data/node.h"
#include "data/value.h"
#include "load/load.h"
#include "load/token_kind.h"

namespace salvo {
namespace {

using data::Node;
using data::Value;

constexpr int kMostTokens = 99;
constexpr int kMostDice = 31;
constexpr std::size_t kMaxRules = 100;

RuleSpec read_rule(const Node& node) {
  node.need_table("a rule, as [[rule]] in TOML");
  node.allow_only({"when", "spend", "tokens", "reroll", "rerolls", "unanswered"});
  RuleSpec out;
  out.line = node.line();
  node.read("when", out.when);
  if (const auto when = node.get("when")) out.line = when->line();
  node.read("spend", 0, kMostTokens, out.spend);
  node.read("rerolls", 0, kMostDice, out.rerolls);
  if (const auto tokens = node.get("tokens")) {
    tokens->need_table("a table of tokens and the most that is spent of each, such as { evade = 0, focus = 1 }");
    std::vector<std::string> stated;
    for (const Node& token : tokens->children())
      out.tokens[load::token_kind(token, stated)] = token.integer(0, kMostTokens);
  }
  if (const auto reroll = node.get("reroll")) out.reroll = reroll->texts_once("name each face once");
  node.read("unanswered", out.unanswered);
  if (!out.unanswered && !out.spend && !out.rerolls && !out.reroll && out.tokens.empty()) {
    node.fail(
        "the rule limits nothing; give it spend = n, tokens = {...}, reroll = [...], rerolls = n or unanswered = true");
  }
  return out;
}

}  // namespace

PolicySpec parse_policy(std::string_view text, const std::string& source) {
  const Value value = data::parse_document(text, source);
  const Node root(value, source);
  root.need_table("a policy: an object with a list of rules");
  root.allow_only({"format", "name", "rule"});
  PolicySpec out;
  out.source = source;
  int format = 1;
  root.read("format", 1, 1, format);
  root.read("name", out.name);
  const Node rules = root.need("rule", "list the rules, each as [[rule]] in TOML; the first that holds counts");
  rules.need_array("a list of rules: each begins with [[rule]] in TOML");
  const std::vector<Node> list = rules.children();
  if (list.empty()) rules.fail("the list is empty; write at least one rule, or use the policy greedy");
  if (list.size() > kMaxRules) rules.fail(fmt::format("more than {} rules", kMaxRules));
  for (const Node& rule : list) out.rules.push_back(read_rule(rule));
  return out;
}

PolicySpec load_policy(const std::string& path) { return parse_policy(data::read_file(path), path); }

bool load::is_policy_file(std::string_view name) {
  return name.ends_with(".toml") || name.ends_with(".json") || name.find('/') != std::string_view::npos;
}

void load_policies(Scenario& scenario) { load::load_policies(scenario, data::read_file); }

void load::load_policies(Scenario& scenario, const std::function<std::string(const std::string&)>& read) {
  const auto load = [&](const std::optional<std::string>& policy) -> std::shared_ptr<const PolicySpec> {
    if (!policy || !load::is_policy_file(*policy)) return nullptr;
    std::filesystem::path path = *policy;
    if (path.is_relative()) path = std::filesystem::path(scenario.source).parent_path() / path;
    return std::make_shared<const PolicySpec>(parse_policy(read(path.string()), path.string()));
  };
  scenario.attacker_rules = load(scenario.attacker_policy);
  scenario.defender_rules = load(scenario.defender_policy);
}

}  // namespace salvo
