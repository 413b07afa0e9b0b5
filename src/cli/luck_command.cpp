// `salvo luck`: separates luck and skill in an attack.
#include "cli/point_options.h"
#include "salvo/luck.h"

namespace salvo::cli {
namespace {

struct LuckTexts : PointTexts {
  std::string damage, damaged;
};

constexpr const char* kFooter =
    "\nUnreported choices count as best play, unreported dice as the mean over all\n"
    "rolls that fit the report. Expectation + luck + skill = result.\n\n"
    "Examples:\n"
    "  salvo luck -a '3 focus' -d '2 evade' --damage 0\n"
    "  salvo luck -a '3 focus lock' -d '2' --rolled 'hit focus blank' \\\n"
    "             --spent nothing --defense-rolled 'blank focus' --damage 1";

}  // namespace

DeclaredCommand add_luck(CLI::App& top) {
  constexpr std::uint64_t kMaxDamage = 99;
  const auto texts = std::make_shared<LuckTexts>();
  LuckTexts& t = *texts;
  CLI::App& app = add_command(top, "luck", "Was it luck? One attack, luck and skill apart.", kFooter);
  add_scenario_options(app, t, "an attacker; with FILE the number of the attack");
  add_rules_options(app, t);
  add_card_option(app, t);
  add_objective_options(app, t);
  add_value(app, kPointGroup, "--damage", "N", t.damage, "damage that the defender suffered");
  add_point_options(app, t);
  add_tokens_option(app, t);
  add_value(app, kPointGroup, "--damaged", "TEXT", t.damaged, "damage before this attack: 'd=2 a1=1'");
  add_exact_options(app, t);
  add_output_options(app, t, "table or json (default: table on a terminal)");
  add_progress_option(app, t);
  return {&app, [&app, texts] {
            const PointRequest request = point_request(*texts, app, "--damaged", texts->damaged);
            std::optional<int> damage;
            if (given(app, "--damage"))
              damage = static_cast<int>(parse_count("--damage", texts->damage, 0, kMaxDamage));
            return Task{request.run, [request, damage] {
                          return answer_point(request, [&](const Catalogue& catalogue, const Scenario& scenario,
                                                           const DecisionSpec& point, const AnswerOptions& options) {
                            return luck(catalogue, scenario, {point, damage}, options);
                          });
                        }};
          }};
}

}  // namespace salvo::cli
