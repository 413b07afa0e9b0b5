// A squad's report as JSON: squad_report SQUAD.json, with a squad as squad builders export it (XWS).
#include <salvo/salvo.h>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: squad_report SQUAD.json\n";
    return EXIT_FAILURE;
  }
  const salvo::Catalogue catalogue;
  const salvo::Squad squad = salvo::load_squad(catalogue, argv[1]);
  for (const salvo::UnknownId& id : squad.unknown) {
    std::cerr << "left out: " << id.kind << ' ' << id.id << ": " << id.reason << '\n';
  }

  const salvo::SquadReport report = salvo::squad_report(catalogue, squad);
  for (const salvo::PilotReport& pilot : report.pilots) {
    std::cerr << pilot.pilot.name << " survives " << pilot.summary.shots << " shots\n";
  }
  std::cout << salvo::to_json(report);
} catch (const salvo::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
