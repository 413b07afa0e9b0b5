// The answer of `salvo compare` in every format, and its heat map.
#pragma once

#include <string>

#include "study/compare.h"

namespace salvo::report {

std::string to_json(const study::Comparison& comparison);
/// Long form: rank,loadout,against,figure,value,se.
std::string to_csv(const study::Comparison& comparison);
std::string to_table(const study::Comparison& comparison, int width, bool colour);
/// The heat map as SVG.
std::string plot_comparison(const study::Comparison& comparison);

}  // namespace salvo::report
