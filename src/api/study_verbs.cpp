// The verbs about many attacks, or about dice outside attacks: squad, compare, durability, hazard.
#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "api/hazard_answer.h"
#include "api/verbs.h"
#include "data/message.h"
#include "load/scenario_tree.h"
#include "load/specs.h"
#include "load/squads/squad_link.h"
#include "load/squads/squad_tree.h"
#include "report/comparison.h"
#include "report/durability.h"
#include "salvo/references.h"
#include "salvo/squad_report.h"
#include "study/loadouts.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;

/// A squad as builders export it, or its link; `spec`: the words of one ship are allowed, too.
Squad read_squad(const Catalogue& catalogue, const Node& node, bool spec, const std::optional<std::string>& cards,
                 const std::optional<std::string>& rules) {
  if (node.is(Value::Kind::Table))
    return data::within(node.path(), [&] { return load::read_squad(catalogue, node.value(), kSource, cards, rules); });
  if (!node.is(Value::Kind::Text))
    node.fail_kind(spec ? "XWS as an object, a link or a SPEC" : "XWS as an object, or a link");
  const std::string& text = node.value().text;
  if (load::is_link(text))
    return data::within(node.path(), [&] { return load::parse_squad_link(catalogue, text, cards, rules); });
  if (!spec) node.fail("write the squad as an object (XWS), or as a link of yasb.app");
  return load::squad_from_spec(catalogue, load::spec_of(node.path(), text), cards, rules);
}

/// "at_least:2".
study::FigureChoice figure_of(const Node& node) {
  study::FigureChoice out;
  const std::string text = node.text();
  const std::size_t colon = text.find(':');
  out.name = text.substr(0, colon);
  const auto& known = study::figure_names();
  if (std::find(known.begin(), known.end(), out.name) == known.end()) node.one_of(known);
  if ((out.name == "at_least") != (colon != std::string::npos))
    node.fail(out.name == "at_least" ? "write the number, too, as at_least:2" : "it takes no number");
  if (colon == std::string::npos) return out;
  const std::string number = text.substr(colon + 1);
  if (number.empty() || number.size() > 2 || number.find_first_not_of("0123456789") != std::string::npos)
    node.fail("write a number from 1 to 99, as at_least:2");
  out.k = std::max(1, std::stoi(number));
  return out;
}

study::LoadoutOptions read_loadout_options(const Node& node, const Overrides& overrides) {
  study::LoadoutOptions out;
  out.rules = overrides.rules;
  out.cards = overrides.cards;
  std::vector<std::string> sets;
  for (const study::TokenSet& set : study::token_sets()) sets.push_back(set.name);
  out.tokens = name_of(node, "tokens", sets).value_or(out.tokens);
  node.read("range", 0, 5, out.range);
  node.read("weapon", out.weapon);
  return out;
}

}  // namespace

std::string compare(Body& body) {
  study::CompareOptions how;
  how.answer = body.answer_options();
  const Node node = body.node();
  node.allow_only({"items", "defend", "tokens", "range", "weapon", "by", "rules", "cards", "objective", "damage_deck",
                   "attacker_policy", "defender_policy"});
  if (how.answer.precision) throw ScenarioError("precision", "compare samples a number of trials; give trials");
  const Overrides given = body.overrides();
  how.answer.overrides = given;
  how.answer.overrides.rules.reset();  // the loadouts are read with them
  how.answer.overrides.cards.reset();
  if (const auto by = node.get("by")) how.by = figure_of(*by);
  const study::LoadoutOptions read = read_loadout_options(node, given);
  const Node items = node.need("items", "list SPECs or squads");
  items.need_array("a list of SPECs, squads (XWS as objects) and links");
  std::vector<study::Loadout> loadouts;
  for (const Node& item : items.children()) {
    if (item.is(Value::Kind::Text) && !load::is_link(item.value().text)) {
      load::GivenSpec spec = study::item_of(item.text());
      spec.place = item.path();
      study::add_spec(body.catalogue(), spec, read, loadouts);
    } else {
      study::add_squad(read_squad(body.catalogue(), item, false, given.cards, given.rules), read, loadouts);
    }
  }
  if (loadouts.empty()) items.fail("it is empty; name at least one SPEC or squad");
  if (how.by.name == "per_point" &&
      std::any_of(loadouts.begin(), loadouts.end(), [](const study::Loadout& one) { return !one.cost; }))
    node.get("by")->fail("only pilots have a cost; compare squads or SPECs with pilot=, or by another figure");
  auto against = study::opponents(body.catalogue(), specs_of(node, "defend"), "", loadouts.front().scenario);
  return report::to_json(study::compare(body.catalogue(), std::move(loadouts), std::move(against), how));
}

std::string hazard(Body& body) {
  const AnswerOptions options = body.answer_options();
  const Node node = body.node();
  node.allow_only({"hazard", "ships", "situation", "numbers", "times", "rules", "cards"});
  const Overrides given = body.overrides();
  HazardQuestion question;
  question.name = node.need("hazard", "name one, or \"list\"").text();
  question.ships = load::specs_of_key("ships", "--ship", texts_of(node, "ships"));
  node.read("situation", question.situation);
  node.read("times", 1, 100, question.times);
  if (const auto numbers = node.get("numbers")) {
    numbers->need_table("an object of numbers, as {\"speed\": 3}");
    for (const Node& number : numbers->children()) question.numbers[number.key()] = number.integer(0, 99);
  }
  if (given.rules) question.rules = *given.rules;
  question.cards = given.cards.value_or("");
  question.engine = options.engine;
  question.trials = options.trials.value_or(kDefaultTrials);
  question.seed = options.seed;
  const HazardAnswer answer = answer_hazard(body.catalogue(), question);
  return std::visit([](const auto& report) { return report::to_json(report); }, answer.report);
}

}  // namespace salvo::api
