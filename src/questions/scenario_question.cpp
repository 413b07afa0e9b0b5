#include "questions/scenario_question.h"

#include <unistd.h>

#include "base/text.h"
#include "data/file.h"
#include "load/scenario_tree.h"

namespace salvo::questions {
namespace {

using data::Node;

constexpr const char* kReturnNeedsSpecs =
    "it goes with attack and defend; a scenario lists the return fire among its attacks";

void check(const answers::ScenarioSource& source, bool may_be_roll) {
  const bool attack = !source.attacks.list.empty(), defend = !source.defenders.list.empty();
  const bool roll = may_be_roll && source.attacks.list.size() + source.defenders.list.size() == 1;
  if (attack && !defend && !roll) throw FieldError("attack", "say who is shot at: {defend}, as \"2 focus\"");
  if (defend && !attack && !roll) throw FieldError("defend", "say who shoots: {attack}, as \"3 focus\"");
  if ((!attack || roll) && !source.returns.list.empty()) throw FieldError("return", kReturnNeedsSpecs);
  if ((attack || defend) && !source.among.empty())
    throw FieldError("among", "it names ships of a scenario; with SPECs give several to {defend}");
}

void read_among(const Node& node, std::vector<std::string>& to) {
  to = is_option(node) ? base::words_between(node.value().text, " ,\t") : texts_of(node);
  if (to.empty() && is_option(node)) node.fail("names no ship; write 'luke wedge'");
}

}  // namespace

bool is_word(const std::string& file) {
  const bool named = !file.empty() && file != "-" && file.find_first_of("./") == std::string::npos;
  return named && ::access(file.c_str(), F_OK) != 0;
}

void check_scenario_file(const std::string& file) {
  if (is_word(file))
    data::fail(file, "", 0, "there is no file of this name; ships in words are given with --attack and --defend");
}

void describe_scenario(ScenarioQuestion& question, FieldList& list, const char* attack_help) {
  answers::ScenarioSource& source = question.source;
  list.add({nullptr, "FILE", nullptr, "scenario file, TOML or JSON; - reads standard input"}, Kind::Scenario,
           [&source](const Node& node) {
             if (is_option(node)) {
               source.file = node.value().text;
               if (source.file.empty()) node.fail("the name of the file is empty");
             } else {
               if (!source.returns.list.empty()) throw data::error_at("return", kReturnNeedsSpecs);
               source.keys = load::read_scenario(node.value(), node.source());
             }
           });
  describe_scenario_keys(list);
  describe_specs(question, list, attack_help);
}

void describe_specs(ScenarioQuestion& question, FieldList& list, const char* attack_help) {
  answers::ScenarioSource& source = question.source;
  list.specs({"attack", "-a,--attack", "SPEC", attack_help,
              "SPECs of attackers in place of ships and attacks, as \"3 focus lock range=1\""},
             source.attacks);
  list.specs({"defend", "-d,--defend", "SPEC", "a defender; attackers choose among several",
              "SPECs of who is shot at; of several, attackers choose"},
             source.defenders, load::Numbered::IfSeveral);
  list.specs({"return", "--return", "SPEC", "a ship that shoots back at attacker a1; repeatable",
              "SPECs of ships that then shoot back at the first attacker, which needs a named ship"},
             source.returns);
  list.last().kind = Kind::Texts;  // they go with SPECs, but state no scenario
  list.add({"among", "--on", "SHIPS", "ships of FILE among which attackers choose",
            "names of ships of the scenario among which attackers choose"},
           Kind::Text, [&source](const Node& node) { read_among(node, source.among); });
  list.last().schema = kTextsSchema;
}

void describe_play(ScenarioQuestion& question, FieldList& list, bool rounds, bool files) {
  Overrides& overrides = question.answer.overrides;
  describe_rules(overrides, list);
  describe_cards(question, list);
  describe_policies(overrides, list, files);
  if (list.find("rounds") == nullptr) describe_rounds(list);
  Field& field = list.at("rounds");
  field.of_scenario = true;
  field.assign = [&overrides](const Node& node) { overrides.rounds = node.integer(1, kMaxRounds); };
  if (!rounds) return;
  field.kind = Kind::Integer;
  field.name = {"rounds", "--rounds", "N", "repeat the attacks for N rounds; green tokens return", field.name.help};
}

void describe_exact_engine(ScenarioQuestion& question, FieldList& list, const char* threads) {
  describe_engines(question, {"budget"}, list);
  describe_threads(question.answer, threads, list);
}

void check(const FieldList& list, const answers::ScenarioSource& source) {
  ask_with_places(list, [&] {
    check(source, false);
    return Answer();
  });
}

Scenario take_scenario(const Catalogue& catalogue, ScenarioQuestion& question) {
  check(question.source, question.may_be_roll);
  Overrides& overrides = question.answer.overrides;
  if constexpr (!kOnlyJson) {
    if (overrides.as_options) check_scenario_file(question.source.file);
    if (overrides.as_options) return answers::read_scenario(catalogue, question.source, overrides, data::read_file);
  }
  return answers::take_scenario(catalogue, question.source, overrides);
}

}  // namespace salvo::questions
