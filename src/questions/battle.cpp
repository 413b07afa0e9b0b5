// Two squads fight, round after round.
#include "salvo/battle.h"

#include "base/text.h"
#include "generated/features.h"
#include "questions/battle_fields.h"
#include "report/battle_plots.h"

namespace salvo::questions {
namespace {

struct BattleAsked : BattleFields {
  FirstPlayer first = FirstPlayer::Random;
  BattlePolicy mine = kDefaultPolicy, theirs = kDefaultPolicy;
  bool plain = false, worth = false, sensitivity = true;
  BattleScore score;
  std::vector<std::string> my_targets, their_targets;
};

constexpr int kMaxSquadPoints = 10000;

void describe(BattleAsked& question, FieldList& list) {
  const auto side = [&](const Name& name) {
    describe_stated(name, Kind::Squad, question, list);
    list.last().schema = kSideSchema;
    list.last().required = true;
  };
  side({"mine", "MINE", nullptr, "my ships", "my ships: XWS, an object with ships, a link or SPECs"});
  side({"theirs", "THEIRS", nullptr, "their ships", "their ships: XWS, an object with ships, a link or SPECs"});
  describe_flight(question, list);
  static const std::vector<std::string> players{"random", "mine", "theirs"};
  list.choice({"first", "--first", "WHO", "first player: random (default), mine, theirs",
               "who is first player (default random)"},
              players, [&question](std::size_t i) { question.first = static_cast<FirstPlayer>(i); });
  const std::vector<std::string>& policies = battle_policies();
  list.choice({nullptr, "--policy", "NAME", "how both play (default sound)"}, policies,
              [&question](std::size_t i) { question.mine = question.theirs = static_cast<BattlePolicy>(i); });
  list.choice({"my_policy", "--my-policy", "NAME", "how I play", "how I play (default sound)"}, policies,
              [&question](std::size_t i) { question.mine = static_cast<BattlePolicy>(i); });
  list.choice(
      {"their_policy", "--their-policy", "NAME", "how the opponent plays", "how the opponent plays (default sound)"},
      policies, [&question](std::size_t i) { question.theirs = static_cast<BattlePolicy>(i); });
  list.texts({"target_order", "--target-order", "NAMES", "enemies that my ships attack first, in this order",
              "names of their ships, with commas between or as a list: those that mine attack first, in this order"},
             question.my_targets);
  list.texts({"their_target_order", "--their-target-order", "NAMES", "the same for the opponent",
              "names of my ships, which theirs attack first, in this order"},
             question.their_targets);
  static const std::vector<std::string> wins(kBattleWinNames.begin(), kBattleWinNames.end());
  list.choice({"win", "--win", "WHO", "who wins: last-standing (default), points", "who wins (default last-standing)"},
              wins, [&question](std::size_t i) { question.score.win = static_cast<BattleWin>(i); });
  static const std::vector<std::string> halves(kHalfPointsNames.begin(), kHalfPointsNames.end());
  list.choice({"half_points", "--half-points", "WHICH", "ships that give half their points: all, large, none",
               "ships that give half their points (default all)"},
              halves, [&question](std::size_t i) { question.score.half_points = static_cast<HalfPoints>(i); });
  list.integer({"squad_points", "--squad-points", "N", "points a squad may have; a deficit is scored",
                "points that a squad may have; the opponent scores unused ones"},
               1, kMaxSquadPoints, question.score.squad_points);
  list.integer({"end_points", "--end-points", "N", "the battle ends when a side has N points"}, 1, kMaxSquadPoints,
               question.score.end_points);
  list.flag({"worth", "--worth", nullptr, "value my upgrades, pilots and hull instead",
             "return what each part of my side is worth"},
            question.worth);
  list.flag({"sensitivity", "--no-sensitivity", nullptr, "leave out how policy and flight change the result",
             "how the result changes with policy and flight (default true)"},
            question.sensitivity);
  list.last().assign = [&question](const data::Node& node) {
    question.sensitivity = !is_option(node) && node.boolean();
  };
  describe_battle(question, list);
  list.at("trials").name.help = "battles to sample (default 2e5)";
  list.group("Engines");
  list.flag({"plain", "--plain", nullptr, "reference simulator: roll every die; slow"}, question.plain);
}

#if SALVO_HAS_BATTLES
/// The names in texts with commas between them.
std::vector<std::string> names_of(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    for (const std::string_view name : base::split(text, ',')) {
      if (const std::string_view trimmed = base::trimmed(name); !trimmed.empty()) out.emplace_back(trimmed);
    }
  }
  return out;
}

Answer ask(const Catalogue& catalogue, const BattleAsked& question) {
  if (question.worth && question.picture) throw FieldError("worth", "it has no picture; leave out --plot");
  const data::Node root = question.root();
  const Overrides& given = question.answer.overrides;
  std::vector<std::string> warnings;
  BattleQuestion battle;
  battle.mine = read_side(catalogue, *root.get("mine"), given, nullptr, warnings);
  battle.theirs = read_side(catalogue, *root.get("theirs"), given, &battle.mine, warnings);
  read_flight(catalogue, question, battle.flight, battle.flight_text);
  battle.rounds = question.rounds;
  battle.first = question.first;
  battle.my_policy = question.mine;
  battle.their_policy = question.theirs;
  battle.damage_deck = question.damage_deck;
  battle.score = question.score;
  battle.my_target_order = names_of(question.my_targets);
  battle.their_target_order = names_of(question.their_targets);
  BattleOptions how = battle_options(question.answer);
  how.reference = question.plain;
  how.sensitivity = question.sensitivity && !question.worth;
  Answer out;
  if (question.worth) {
    const auto worth = std::make_shared<const BattleWorth>(battle_worth(catalogue, battle, how));
    out = answer_of(worth, to_json, to_csv, to_table);
    if constexpr (!kOnlyJson) out.page = [worth] { return to_html(*worth); };
    out.interrupted = worth->interrupted;
  } else {
    const auto report = std::make_shared<const BattleReport>(play_battle(catalogue, battle, how));
    out = answer_of(report, to_json, to_csv, to_table);
    out.plot = [report] { return report::plot_battle(*report); };
    if constexpr (!kOnlyJson) out.page = [report] { return to_html(*report); };
    out.interrupted = report->interrupted;
    out.agree = engines_agree(*report);
  }
  out.warnings = std::move(warnings);
  return out;
}
#else
Answer ask(const Catalogue&, const BattleAsked&) { fail_without_battles(); }
#endif

}  // namespace

const Question kBattle = {
    .name = "battle",
    .what = "Who wins: two squads fight, round after round.",
    .footer =
        "\nMINE and THEIRS are squad files, links of builders, files of ships ([ships.NAME]\n"
        "with the keys of a scenario's ships, initiative and points), or SPECs with |\n"
        "between ships. A flight determines which ships can shoot at which in each round:\n"
        "joust, turning-fight, ace-hunt, chase, ambush, range-2, or your own file.\n"
        "Policies: sound, value, greedy, focus-fire, likeliest-kill, points; best is\n"
        "optimal for the current engagement, optimal for the whole battle.\n"
        "See docs/battles.md.\n\n"
        "Examples:\n"
        "  salvo battle mine.json theirs.json\n"
        "  salvo battle mine.json theirs.json --flight chase --their-policy points\n"
        "  salvo battle 'Luke Skywalker' 'Darth Vader' --flight range-2 --rounds 20\n"
        "  salvo battle 'Luke Skywalker' 'Darth Vader' --policy optimal\n"
        "  salvo battle mine.json theirs.json --report battle.html\n"
        "  salvo battle mine.json theirs.json --worth",
    .missing = "a battle needs two sides: name MINE and THEIRS, each a squad file, a link, a file of ships, or SPECs",
    .plot = "also draw which ships are alive after each round",
    .page = "also write a page for a browser or a printer",
    .working = "fighting",
    .units = "battles",
    .answers = "battle battle-worth",
    .example = R"([{"mine": "Luke Skywalker", "theirs": "Darth Vader", "flight": "range-2"}, )"
               R"({"mine": "3 hull=2", "theirs": "2 hull=2", "flight": "range-2", "worth": true}])",
    .begin = begin<BattleAsked>,
};

}  // namespace salvo::questions
