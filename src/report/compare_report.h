// The answer of `salvo compare` in every format, and its heat map.
// In: a Comparison. Out: text.
#pragma once

#include <string>

#include "study/compare.h"

namespace salvo::study {

std::string to_json(const Comparison& comparison);
/// Long form: rank,loadout,against,figure,value,se.
std::string to_csv(const Comparison& comparison);
std::string to_table(const Comparison& comparison, int width, bool colour);
/// SVG.
std::string plot(const Comparison& comparison);

}  // namespace salvo::study
