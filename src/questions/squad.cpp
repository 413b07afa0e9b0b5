// What every ship of a squad does and survives, and what its upgrades are worth.
#include <optional>

#include "questions/question.h"
#include "questions/squad_source.h"
#include "salvo/references.h"
#include "salvo/squad_report.h"

namespace salvo::questions {
namespace {

struct SquadQuestion : Common {
  std::optional<SquadSource> squad, against;
  std::optional<std::string> reference;  ///< file of reference ships; empty: the typical ones of the rules
  int range = 2;                         ///< of the attacks between the squads
};

using data::Node;

void describe(SquadQuestion& question, FieldList& list) {
  const auto squad = [&](Name name, std::optional<SquadSource>& to, bool spec) {
    list.add(name, Kind::Squad, [&to, spec](const Node& node) { to.emplace(node, spec); });
  };
  squad({"squad", "FILE", nullptr, "squad file (XWS or words), link, SPEC, or -",
         "XWS as an object, a list of ships in words, a builder's link, a SPEC or a list of them"},
        question.squad, true);
  list.last().required = true;
  squad({"against", "--against", "FILE", "another squad: every ship against every ship",
         "another squad, XWS, a list or a link: every ship against every ship"},
        question.against, false);
  list.integer({"range", "--range", "N", "range of the attacks with --against (default 2)",
                "range of the attacks between the squads (default 2)"},
               0, 3, question.range);
  list.text({nullptr, "--reference", "FILE", "reference defenders and attackers"}, question.reference);
  Overrides& overrides = question.answer.overrides;
  describe_rules(overrides, list);
  list.at("rules").name.help = "edition (default: the squad's)";
  list.at("rules").name.meaning = "id of an edition (default: the squad's)";
  list.at("cards").name.help = "card set (default: the squad's)";
  describe_cards(question, list);
  describe_policies(overrides, list);
  describe_engines(question, {"budget", "trials", "seed"}, list);
  list.at("trials").name.help = "trials if an attack is too large (default 1e6)";
  list.at("seed").name.help = "seed of these trials (default 1)";
  describe_threads(question.answer, "threads (default 0: all cores)", list);
}

Answer ask(const Catalogue& catalogue, const SquadQuestion& question) {
  const Overrides& given = question.answer.overrides;
  const Squad squad = question.squad->read(catalogue, given.cards, given.rules);
  SquadOptions how{.answer = question.answer, .range = question.range};
  how.answer.overrides.cards.reset();  // the squads are read with these
  how.answer.overrides.rules.reset();
  how.references = load_references(catalogue, question.reference.value_or(""), squad.rules);
  std::vector<std::string> warnings;
  warn_of_unknown(squad, warnings);
  if (question.against) {
    how.against = question.against->read_against(catalogue, squad, given.cards || given.rules);
    warn_of_unknown(*how.against, warnings);
  }
  const auto report = std::make_shared<const SquadReport>(squad_report(catalogue, squad, how));
  Answer out = answer_of(report, to_json, to_csv, to_table);
  out.warnings = std::move(warnings);
  return out;
}

}  // namespace

const Question kSquad = {
    .name = "squad",
    .what = for_people("Report on every ship of a squad builder's export."),
    .footer = for_people("\nFILE is XWS or text as squad builders print it, a link of a builder in quotes,\n"
                         "or - for standard input. Unknown cards are listed and ignored. A SPEC, as for\n"
                         "salvo run --attack, is a ship of the squad; | stands between several. Reference\n"
                         "ships are those of profiles/reference, or a file like them.\n\n"
                         "Examples:\n"
                         "  salvo squad mine.json\n"
                         "  salvo squad 'https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4X'\n"
                         "  salvo squad 'pilot=wedgeantilles predator protontorpedoes'\n"
                         "  salvo squad mine.json --against theirs.json --format table"),
    .missing = for_people("no squad; name a file, a pilot, or - for standard input"),
    .answers = for_people("squad"),
    .example = for_people(R"([{"squad": "Luke Skywalker"}])"),
    .begin = begin<SquadQuestion>,
};

}  // namespace salvo::questions
