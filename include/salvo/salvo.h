// salvo computes attacks in the X-Wing miniatures game, exactly or by sampling. The whole library in one header.
//
//   #include <salvo/salvo.h>
//
//   salvo::Catalogue catalogue;                                          // editions, ships, cards; share one
//
//   salvo::Scenario scenario;                                            // field by field, or load_scenario("a.toml")
//   scenario.ships["luke"] = {.ship = "t65xwing", .tokens = {{"focus", 1}}, .locks = {"mauler"}};
//   scenario.ships["mauler"] = {.ship = "tielnfighter", .tokens = {{"evade", 1}}};
//   scenario.attacks = {{.by = "luke", .on = "mauler", .range = 1}};
//
//   salvo::Report report = salvo::answer(catalogue, scenario);           // exact, or sampled if that is too large
//   report.ship("mauler").destroyed.value;                               // a probability, by the name of the ship
//   std::cout << salvo::to_table(report);                                // or to_json, to_csv
//
//   salvo::DecisionSpec rolled{.rolled = "hit focus focus"};                // should I spend?
//   salvo::advise(catalogue, scenario, rolled).options.front().play;     // the best play in words, the next best after
//
//   salvo::Squad squad = salvo::load_squad(catalogue, "squad.json");     // what a squad builder exports
//   std::cout << salvo::to_json(salvo::squad_report(catalogue, squad));  // what it does, survives, and what cards add
//
// Every error is a salvo::Error: a sentence with the place and the remedy. For more see docs/library.md.
#pragma once

#include "salvo/advise.h"
#include "salvo/answer.h"
#include "salvo/battle.h"
#include "salvo/catalogue.h"
#include "salvo/certificate.h"
#include "salvo/engine.h"
#include "salvo/errors.h"
#include "salvo/estimates.h"
#include "salvo/failure.h"
#include "salvo/gauntlet.h"
#include "salvo/load.h"
#include "salvo/luck.h"
#include "salvo/names.h"
#include "salvo/provenance.h"
#include "salvo/references.h"
#include "salvo/report.h"
#include "salvo/request.h"
#include "salvo/review.h"
#include "salvo/scenario.h"
#include "salvo/squad.h"
#include "salvo/squad_report.h"
#include "salvo/version.h"
