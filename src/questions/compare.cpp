// Which of several loadouts does most to defenders.
#include <algorithm>
#include <optional>
#include <variant>

#include "data/message.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_text.h"
#include "questions/question.h"
#include "questions/squad_source.h"
#include "report/comparison.h"
#include "study/loadouts.h"

namespace salvo::questions {
namespace {

using data::Node;
using data::Value;

struct CompareQuestion : Common {
  std::vector<std::variant<load::GivenSpec, SquadSource>> items;
  load::GivenSpecs defend;               ///< empty: the reference defenders
  std::optional<std::string> reference;  ///< file of reference ships; empty: the typical ones of the rules
  study::LoadoutOptions loadouts;        ///< except rules and cards
  study::FigureChoice by;
};

bool is_squad(const Node& item) {
  const std::string& text = item.value().text;
  return !item.is(Value::Kind::Text) || load::is_link(text) || load::is_squad_text(text) || names_file(item);
}

void read_items(const Node& items, CompareQuestion& out) {
  items.need_array("a list of SPECs, squads (XWS as objects), lists of ships and links");
  for (const Node& item : items.children()) {
    if (is_squad(item)) {
      out.items.emplace_back(SquadSource(item, false));
      continue;
    }
    load::GivenSpec spec = study::item_of(item.text());
    if (!is_option(item)) spec.place = item.path();
    out.items.emplace_back(std::move(spec));
  }
  if (out.items.empty()) items.fail("it is empty; name at least one SPEC or squad");
}

/// "at_least:2".
study::FigureChoice read_figure(const Node& node) {
  study::FigureChoice out;
  const std::string text = node.text();
  const std::size_t colon = text.find(':');
  out.name = text.substr(0, colon);
  const auto& known = study::figure_names();
  if (std::find(known.begin(), known.end(), out.name) == known.end()) node.one_of(known);
  if ((out.name == "at_least") != (colon != std::string::npos))
    node.fail(out.name == "at_least" ? "at_least needs a number, such as at_least:2" : out.name + " takes no number");
  if (colon == std::string::npos) return out;
  const std::string number = text.substr(colon + 1);
  if (number.empty() || number.size() > 2 || number.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(number) == 0)
    node.fail("write a number from 1 to 99, such as at_least:2");
  out.k = std::stoi(number);
  return out;
}

void describe(CompareQuestion& question, FieldList& list) {
  list.add({"items", "ITEM", nullptr, "squad files or SPECs",
            "a list of SPECs, squads (XWS as objects), lists of ships and links"},
           Kind::Items, [&question](const Node& node) { read_items(node, question); });
  list.last().required = true;
  list.specs({"defend", "-d,--defend", "SPEC", "a defender; repeatable (default: references)",
              "SPECs of defenders (default: references)"},
             question.defend, load::Numbered::IfSeveral);
  list.text({nullptr, "--reference", "FILE", "reference defenders and attackers"}, question.reference);
  static const std::vector<std::string> sets = [] {
    std::vector<std::string> names;
    for (const study::TokenSet& set : study::token_sets()) names.push_back(set.name);
    return names;
  }();
  list.choice(
      {"tokens", "--tokens", "SET", "tokens of squad ships: none, focus, lock, focus+lock", "tokens of squad ships"},
      sets, [&question](std::size_t i) { question.loadouts.tokens = study::token_sets()[i].name; });
  list.integer({"range", "--range", "N", "range for loadouts without one (default 2)"}, 0, 5, question.loadouts.range);
  list.text({"weapon", "--weapon", "NAME", "best for each target (default), primary, upgrade"},
            question.loadouts.weapon);
  describe_rules(question.answer.overrides, list);
  describe_cards(question, list);
  describe_policies(question.answer.overrides, list);
  describe_engines(question, {"engine", "budget", "trials", "precision", "seed"}, list);
  describe_threads(question.answer, "threads (default 0: all cores)", list);
  list.at("precision").ignored = true;  // compare samples a number of trials
  list.group("Output");
  list.add({"by", "--by", "FIGURE", "mean, hit, destroyed, at_least:K or per_point"}, Kind::Text,
           [&question](const Node& node) { question.by = read_figure(node); });
}

std::vector<study::Loadout> loadouts_of(const Catalogue& catalogue, const CompareQuestion& question,
                                        std::vector<std::string>& warnings) {
  const Overrides& given = question.answer.overrides;
  study::LoadoutOptions how = question.loadouts;
  how.rules = given.rules;
  how.cards = given.cards;
  std::vector<study::Loadout> out;
  for (const auto& item : question.items) {
    if (const auto* spec = std::get_if<load::GivenSpec>(&item)) {
      study::add_spec(catalogue, *spec, how, out);
    } else {
      const Squad squad = std::get<SquadSource>(item).read(catalogue, given.cards, given.rules);
      warn_of_unknown(squad, warnings);
      study::add_squad(squad, how, out);
    }
  }
  return out;
}

Answer ask(const Catalogue& catalogue, const CompareQuestion& question) {
  if (question.answer.precision) throw FieldError("precision", "compare samples a number of trials; give {trials}");
  std::vector<std::string> warnings;
  std::vector<study::Loadout> loadouts = loadouts_of(catalogue, question, warnings);
  if (question.by.name == "per_point" &&
      std::any_of(loadouts.begin(), loadouts.end(), [](const study::Loadout& one) { return !one.cost; }))
    throw FieldError("by",
                     "per_point: only pilots have a cost; compare squads or SPECs with pilot=, or by another figure");
  study::CompareOptions how;
  how.by = question.by;
  how.answer = question.answer;
  how.answer.overrides.rules.reset();  // the loadouts are read with them
  how.answer.overrides.cards.reset();
  auto against =
      study::opponents(catalogue, question.defend, question.reference.value_or(""), loadouts.front().scenario);
  const auto report = std::make_shared<const study::Comparison>(
      study::compare(catalogue, std::move(loadouts), std::move(against), how));
  Answer out = answer_of(report, report::to_json, report::to_csv, report::to_table);
  if constexpr (!kOnlyJson) out.plot = [report] { return report::plot_comparison(*report); };
  out.warnings = std::move(warnings);
  return out;
}

}  // namespace

const Question kCompare = {
    .name = "compare",
    .what = for_people("Rank loadouts by what they do to defenders."),
    .footer = for_people("\nAn ITEM is a squad file (XWS) with a loadout for each ship, or a SPEC as for\n"
                         "salvo run --attack. --engine sample uses the same random numbers for all\n"
                         "loadouts; differences have the standard error of the pairs.\n\n"
                         "Examples:\n"
                         "  salvo compare '3 focus' '3 lock' '3 focus lock' --by destroyed\n"
                         "  salvo compare 'X-wing protontorpedoes lock' 'X-wing focus x2'\n"
                         "  salvo compare mine.json --tokens focus+lock --plot map.svg"),
    .missing = for_people("nothing to compare; name squad files, or SPECs such as '3 focus'"),
    .plot = for_people("also draw a heat map"),
    .answers = for_people("compare"),
    .example = for_people(R"([{"items": ["3 focus", "2 lock"], "defend": ["2 focus"]}])"),
    .begin = begin<CompareQuestion>,
};

}  // namespace salvo::questions
