// The fields that many questions have.
#include "base/index.h"
#include "load/answer_keys.h"
#include "load/load.h"
#include "questions/question.h"
#include "sample/sample.h"

namespace salvo::questions {
namespace {

using data::Node;
using data::Value;

void describe_policy(const Name& name, std::optional<std::string>& to, bool files, FieldList& list) {
  static const std::vector<std::string> policies{"optimal", "greedy", "hold"};
  list.add(name, Kind::Choice, [&to, files](const Node& node) {
    const bool file = files && is_option(node) && load::is_policy_file(node.value().text);
    to = file ? node.text() : node.one_of(policies);
  });
  list.last().words = &policies;
  list.last().of_scenario = true;
}

}  // namespace

void describe_rounds(FieldList& list) {
  list.scenario_key("rounds", "in how many rounds the attacks happen, or a list of rounds in place of `attacks`",
                    R"("anyOf": [{"type": "integer", "minimum": 1, "maximum": 50}, {"type": "array", "minItems": 1, )"
                    R"("maxItems": 50, "items": {"$ref": "#/$defs/round"}}])");
}

void describe_scenario_keys(FieldList& list) {
  list.scenario_key("ships", "the ships of the scenario, by name",
                    R"("type": "object", "additionalProperties": {"$ref": "#/$defs/ship"})");
  list.scenario_key("attacks", "its attacks, in the order in which they happen",
                    R"("type": "array", "items": {"$ref": "#/$defs/attack"})");
  describe_rounds(list);
}

void describe_card_set(Overrides& overrides, const char* help, FieldList& list) {
  const std::vector<std::string>& sets = Catalogue::card_sets();
  list.choice({"cards", "--cards", "SET", help}, sets,
              [&overrides, &sets](std::size_t i) { overrides.cards = sets[i]; });
  list.last().of_scenario = true;
}

void describe_rules(Overrides& overrides, FieldList& list) {
  list.text({"rules", "--rules", "ID", "second-edition (default), first-edition, FILE",
             "id of an edition (default second-edition)"},
            overrides.rules);
  list.last().of_scenario = true;
  describe_card_set(overrides, "card set, such as 2025 (default: by the rules)", list);
}

void describe_cards(Common& common, FieldList& list) {
  list.add({"card", "--card", "FILE", "a home-made card; repeatable", "home-made cards, each a text in TOML"},
           Kind::Texts, [&common](const Node& node) {
             if (!node.is(Value::Kind::Text)) node.need_array("a list of cards, each a text in TOML");
             for (const Node& card : node.is(Value::Kind::Text) ? std::vector{node} : node.children()) {
               if (!card.is(Value::Kind::Text)) card.fail_kind("a card as a text in TOML");
               common.cards.push_back(card.value().text);
             }
           });
}

void describe_objective(Overrides& overrides, FieldList& list) {
  static const std::vector<std::string> objectives{"damage", "kill", "health", "exchange"};
  list.choice({"objective", "--objective", "NAME", "damage (default), kill, health, exchange",
               "what both players play for (default damage)"},
              objectives, [&overrides](std::size_t i) { overrides.objective = objectives[i]; });
  list.last().of_scenario = true;
  list.text({"damage_deck", "--damage-deck", "NAME", "damage cards: none (default), core, ..."}, overrides.damage_deck);
  list.last().of_scenario = true;
}

void describe_policies(Overrides& overrides, FieldList& list, bool files) {
  describe_objective(overrides, list);
  const char* const help = files ? "optimal (default), greedy, hold or a file" : "optimal (default), greedy, hold";
  describe_policy({"attacker_policy", "--attacker-policy", "NAME", help, "how the attacker plays (default optimal)"},
                  overrides.attacker_policy, files, list);
  describe_policy({"defender_policy", "--defender-policy", "NAME", help, "how the defender plays (default optimal)"},
                  overrides.defender_policy, files, list);
}

void describe_engines(Common& common, const std::vector<std::string_view>& options, FieldList& list) {
  AnswerOptions& answer = common.answer;
  list.group("Engines");
  static const std::vector<std::string> engines{"exact", "sample", "both"};
  list.choice({"engine", "-e,--engine", "NAME", "exact, sample or both (default: exact if it fits)"}, engines,
              [&answer](std::size_t i) { answer.engine = static_cast<EngineChoice>(i); });
  list.count({"budget", "--budget", "N", "limit of the exact engine: transitions (default 5e6)"}, 1,
             [&answer](std::uint64_t n) { answer.budget = static_cast<double>(n); });
  list.count({"trials", "-n,--trials", "N", "sampling: number of trials (default 1e6)"}, 1,
             [&answer](std::uint64_t n) { answer.trials = n; });
  list.share({"precision", "--precision", "X", "sample until each 95% half-width is at most X"}, kLargestPrecision,
             [&answer](double x) { answer.precision = x; });
  list.count({"seed", "-s,--seed", "N", "sampling: seed of the random numbers (default 1)",
              "seed of the random numbers (default 1)"},
             0, [&answer](std::uint64_t n) { answer.seed = n; });
  const std::vector<std::string>& generators = sample::generator_names();
  list.choice({"generator", "--generator", "NAME", "philox4x32-10 (default), ars-7, xoshiro256++",
               "generator of the random numbers (default philox4x32-10)"},
              generators, [&answer, &generators](std::size_t i) { answer.generator = generators[i]; });
  list.flag({"certify", "--certify", nullptr, "recompute the exact value as a fraction"}, answer.certify);
  list.flag({"count_tokens", nullptr, nullptr, "sampling: count tokens that are left (default true)"},
            answer.count_tokens);
  list.add({"id", nullptr, nullptr, "repeated by the answer"}, Kind::Scalar, [&common](const Node& node) {
    if (!load::is_scalar(node.value())) node.fail("write a text, a number, true, false or null; the answer repeats it");
    common.id = node.value();
  });
  for (const char* key :
       {"engine", "budget", "trials", "precision", "seed", "generator", "certify", "count_tokens", "id"}) {
    if (base::contains(options, std::string_view(key))) continue;
    Field& field = list.at(key);
    field.name.option = nullptr;
    field.ignored = true;
  }
}

void describe_threads(AnswerOptions& answer, const char* help, FieldList& list) {
  const char* const option = help == nullptr ? nullptr : "-j,--threads";
  list.integer({"threads", option, "N", help, "number of threads (default 0: all cores)"}, 0, kMaxThreads,
               answer.threads);
  list.last().ignored = help == nullptr;
}

}  // namespace salvo::questions
