// Speed of a gauntlet: 20 squads of all factions with usual upgrades, all pairs, to half a percent. Goal: a minute on
// two cores, in less than 500 MB.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "salvo/gauntlet.h"

namespace {

using namespace salvo;

using Specs = std::vector<std::string>;

/// Ships as SPECs, by squad.
const std::array<Specs, 20>& squads() {
  static const std::array<Specs, 20> all{{
      {"pilot=lukeskywalker r2astromech protontorpedoes", "pilot=wedgeantilles predator protontorpedoes",
       "pilot=redsquadronveteran crackshot x2"},
      {"pilot=hansolo-modifiedyt1300lightfreighter trickshot millenniumfalcon", "pilot=jakefarrell elusive",
       "pilot=arvelcrynyd crackshot", "pilot=wedgeantilles-rz1awing predator"},
      {"pilot=tennumb firecontrolsystem ioncannon", "pilot=bladesquadronveteran firecontrolsystem x2",
       "pilot=norrawexley ioncannonturret"},
      {"pilot=darthvader firecontrolsystem", "pilot=soontirfel predator", "pilot=obsidiansquadronpilot x2"},
      {"pilot=howlrunner crackshot", "pilot=academypilot x3", "pilot=maulermithel predator",
       "pilot=scourgeskutu predator"},
      {"pilot=rexlerbrath juke firecontrolsystem ioncannon", "pilot=onyxsquadronace juke", "pilot=whisper juke"},
      {"pilot=majorvynder protonrockets", "pilot=redline protontorpedoes", "pilot=tomaxbren homingmissiles",
       "pilot=duchess predator"},
      {"pilot=bobafett marauder fearless", "pilot=fennrau fearless", "pilot=oldteroch fearless"},
      {"pilot=guri lonewolf shieldupgrade", "pilot=princexizor predator firecontrolsystem",
       "pilot=talonbanecobra marksmanship", "pilot=serissu"},
      {"pilot=ig88b firecontrolsystem", "pilot=4lom ioncannon", "pilot=dalanoberos crackshot",
       "pilot=kaatoleeachos crackshot"},
      {"pilot=kyloren hate", "pilot=quickdraw predator specialforcesgunner", "pilot=backdraft juke",
       "pilot=midnight fanatical"},
      {"pilot=majorvonreg crackshot", "pilot=holo fanatical", "pilot=omegasquadronace predator x2",
       "pilot=scorch fanatical"},
      {"pilot=poedameron heroic", "pilot=niennunb heroic", "pilot=elloasty predator", "pilot=redsquadronexpert"},
      {"pilot=lulolampar heroic", "pilot=tallissanlintra crackshot", "pilot=zizitlo advancedoptics",
       "pilot=rey heroic"},
      {"pilot=anakinskywalker-delta7baethersprite", "pilot=plokoon-delta7baethersprite", "pilot=obiwankenobi",
       "pilot=wolffe"},
      {"pilot=ricolie protontorpedoes", "pilot=padmeamidala plasmatorpedoes", "pilot=anakinskywalker-eta2actis",
       "pilot=contrail"},
      {"pilot=oddball predator", "pilot=sinker", "pilot=104thbattalionpilot veterantailgunner",
       "pilot=kickback homingmissiles", "pilot=swoop"},
      {"pilot=generalgrievous outmaneuver soullessone", "pilot=sunfac predator", "pilot=dfs081",
       "pilot=haorchallprototype energyshellcharges x2"},
      {"pilot=jangofett marksmanship", "pilot=darthmaul hate", "pilot=dist81", "pilot=fearsomepredator"},
      {"pilot=dbs404 advprotontorpedoes", "pilot=bombardmentdrone", "pilot=wattambor", "pilot=separatistinterceptor x2",
       "pilot=tradefederationdrone"},
  }};
  return all;
}

void gauntlet_of_20(benchmark::State& state) {
  const Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  GauntletQuestion asked;
  asked.flight = state.range(1) == 0 ? "range-2" : "joust";
  for (const Specs& specs : squads()) asked.sides.push_back(battle_side(profiles, specs, "", ""));
  BattleOptions options;
  options.threads = static_cast<int>(state.range(0));
  options.precision = 0.005;
  for (auto _ : state) {
    const GauntletReport found = gauntlet(profiles, asked, options);
    for (const auto& row : found.win) {
      for (const Estimate& cell : row) {
        if (cell.value < 0 || cell.value > 1) throw std::runtime_error("no chance to win");
      }
    }
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  constexpr double kMegabyte = 1024;  // of kilobytes
  state.counters["most MB so far"] = static_cast<double>(used.ru_maxrss) / kMegabyte;
}
BENCHMARK(gauntlet_of_20)
    ->ArgsProduct({{2}, {0, 1}})
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
