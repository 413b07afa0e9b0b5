// The answer of `salvo squad` in every format.
// In: a SquadStudy. Out: text.
#pragma once

#include <string>

#include "study/squad_study.h"

namespace salvo::report {

std::string to_json(const study::SquadStudy& study);
/// Long form: pilot,figure,weapon,range,tokens,with,key,value.
std::string to_csv(const study::SquadStudy& study);
std::string to_table(const study::SquadStudy& study, int width, bool colour);

}  // namespace salvo::report
