// Every squad fights every other.
#include "salvo/gauntlet.h"

#include <fmt/format.h>

#include "base/text.h"
#include "data/file.h"
#include "generated/features.h"
#include "load/squads/squad_link.h"
#include "questions/battle_fields.h"
#include "report/battle_plots.h"

namespace salvo::questions {
namespace {

constexpr int kMaxWeight = 1'000'000;
constexpr const char* kMissing =
    "a gauntlet needs two squads or more: name squad files, links, files of ships, or SPECs";

struct GauntletAsked : BattleFields {
  std::vector<double> weights;
  BattlePolicy policy = kDefaultPolicy;
};

void describe(GauntletAsked& question, FieldList& list) {
  static const std::string schema =
      fmt::format(R"("type": "array", "items": {{{}}}, "minItems": 2, "maxItems": {})", kSideSchema, kMaxGauntletSides);
  describe_stated({"squads", "SQUAD", nullptr, "squads", "a list of squads: XWS, objects with ships, links or SPECs"},
                  Kind::Items, question, list);
  list.last().schema = schema.c_str();
  list.last().required = true;
  list.add({"weights", nullptr, nullptr, "how often each is met in the field; default 1"}, Kind::Object,
           [&question](const data::Node& node) {
             node.need_array("a list of whole numbers, one for each squad");
             for (const data::Node& weight : node.children()) question.weights.push_back(weight.integer(0, kMaxWeight));
           });
  list.last().schema = R"("type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1000000})";
  describe_flight(question, list);
  list.choice({"policy", "--policy", "NAME", "how all play (default sound)"}, battle_policies(),
              [&question](std::size_t i) { question.policy = static_cast<BattlePolicy>(i); });
  describe_battle(question, list);
  list.at("trials").name.help = "battles of a pair (default 2e4)";
}

#if SALVO_HAS_BATTLES
/// Takes the weight off a squad of the command line, such as mine.json@3.
double take_weight(std::string& text) {
  const std::size_t mark = text.rfind('@');
  if (mark == std::string::npos || data::is_file(text)) return 1;
  const std::string squad = text.substr(0, mark), number = text.substr(mark + 1);
  const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  if (!digits && load::is_link(text)) return 1;  // the @ is part of the link
  constexpr std::size_t kMaxDigits = 7;
  const int read = digits && number.size() <= kMaxDigits ? std::stoi(number) : -1;
  if (read < 0 || read > kMaxWeight) {
    throw data::error_at(
        data::in_quotes(text),
        fmt::format("the weight after the @ must be a whole number from 0 to {}, not {}; write {}@3, or {} alone for "
                    "once",
                    base::with_separators(kMaxWeight), data::in_quotes(number), squad, squad));
  }
  text = squad;
  return read;
}

Answer ask(const Catalogue& catalogue, GauntletAsked& question) {
  const Overrides& given = question.answer.overrides;
  if (given.as_options) {
    std::vector<data::Value>& squads = question.stated.find("squads")->items;
    if (squads.size() < 2) throw LoadError(kMissing);
    for (data::Value& squad : squads) question.weights.push_back(take_weight(squad.text));
  }
  const data::Node squads = *question.root().get("squads");
  squads.need_array("a list of squads: XWS, objects with ships, links or SPECs");
  std::vector<std::string> warnings;
  GauntletQuestion field;
  for (const data::Node& squad : squads.children()) {
    const BattleSide* const first = field.sides.empty() ? nullptr : &field.sides.front();
    field.sides.push_back(read_side(catalogue, squad, given, first, warnings));
  }
  field.weights = question.weights;
  read_flight(catalogue, question, field.flight, field.flight_text);
  field.rounds = question.rounds;
  field.policy = question.policy;
  field.damage_deck = question.damage_deck;
  const auto report = std::make_shared<GauntletReport>(gauntlet(catalogue, field, battle_options(question.answer)));
  add_equilibrium(*report, question.equilibrium);
  Answer out = answer_of(std::shared_ptr<const GauntletReport>(report), to_json, to_csv, to_table);
  out.plot = [report] { return report::plot_gauntlet(*report); };
  out.interrupted = report->interrupted;
  out.warnings = std::move(warnings);
  return out;
}
#else
Answer ask(const Catalogue&, const GauntletAsked&) { fail_without_battles(); }
#endif

}  // namespace

const Question kGauntlet = {
    .name = "gauntlet",
    .what = "Which list to bring: each squad against each other.",
    .footer =
        "\nA SQUAD is a side as for salvo battle; SQUAD@WEIGHT is its share of the field\n"
        "(default 1). Prints the win probability of each squad against each other and\n"
        "against the field, and the equilibrium: how often to bring each squad so that\n"
        "no opponent can exploit it.\n\n"
        "Examples:\n"
        "  salvo gauntlet lists/*.json --plot heat.svg\n"
        "  salvo gauntlet mine.json popular.json@3 rare.json --flight turning-fight",
    .missing = kMissing,
    .plot = "also draw a heat map",
    .working = "fighting",
    .units = "pairs",
    .answers = "gauntlet",
    .example = R"([{"squads": ["3 hull=2", "2 hull=3", "1 hull=4"], "weights": [1, 2, 3], "flight": "range-2"}])",
    .begin = begin<GauntletAsked>,
};

}  // namespace salvo::questions
