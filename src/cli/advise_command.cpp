// `salvo advise`: the value of each play at a decision.
#include "cli/point_options.h"
#include "salvo/advise.h"

namespace salvo::cli {
namespace {

struct AdviseTexts : PointTexts {
  std::string to_move, damage;
};

constexpr const char* kAdviseFooter =
    "\nTokens and damage are those before attack N: from the scenario, or from --tokens\n"
    "and --damage. Without --rolled, prints the best play for each roll, or\n"
    "which ship to shoot if there is a choice.\n\n"
    "Examples:\n"
    "  salvo advise -a '3 focus x2' -d '2 evade hull=4' --rolled 'hit focus blank'\n"
    "  salvo advise -a 'X-wing focus' -d 'TIE/ln' --rolled 'hit focus blank' \\\n"
    "               --return 3 --return '2 focus'\n"
    "  salvo advise joust.toml --on 'black grey' --objective kill\n"
    "  salvo advise joust.toml --attack 1 --rolled 'hit focus focus blank'\n"
    "  salvo advise joust.toml --rolled 'hit hit focus blank' --spent lock \\\n"
    "               --rerolled 'blank=hit' --defense-rolled 'evade focus blank'";

}  // namespace

DeclaredCommand add_advise(CLI::App& top) {
  const auto texts = std::make_shared<AdviseTexts>();
  AdviseTexts& t = *texts;
  CLI::App& app = add_command(top, "advise", "What to do with this roll: what each play is worth.", kAdviseFooter);
  add_scenario_options(app, t, "an attacker; with FILE the number of the attack");
  add_rounds_option(app, t);
  add_point_options(app, t);
  const char* point = kPointGroup;
  add_value(app, point, "--to-move", "ROLE", t.to_move, "attacker or defender (default: who decides next)");
  add_tokens_option(app, t);
  add_value(app, point, "--damage", "TEXT", t.damage, "damage before this attack: 'black=2 red=1'");
  add_decision_options(app, t);
  return {&app, [&app, texts] {
            PointRequest request = point_request(*texts, app, "--damage", texts->damage);
            if (given(app, "--to-move"))
              request.point.attacker_moves = parse_name("--to-move", texts->to_move, {"attacker", "defender"}) == 0;
            return Task{request.run, [request] { return answer_point(request, advise); }};
          }};
}

}  // namespace salvo::cli
