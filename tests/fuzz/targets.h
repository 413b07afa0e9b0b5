// Fuzzing targets: functions that accept any text, and the properties that must hold. salvo_fuzz plays them with
// generated texts (docs/trust.md), a test with the texts of corpus/. In: any bytes. Out: nothing, or an exception that
// is not one of salvo's own errors; with sanitizers also a crash.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "game/plan.h"
#include "support/catalogue.h"

namespace fuzz {

/// A property that does not hold.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

struct Target {
  const char* name;  ///< also the name of its folder in corpus/
  const char* what;
  /// False: the bytes were refused by one of salvo's own errors.
  bool (*play)(std::string_view bytes);
};

const std::vector<Target>& targets();
/// Throws std::invalid_argument, which lists all names.
const Target& target_of(std::string_view name);

using tests::catalogue;

/// Bytes as a structured question: engines, solvers and kernels must agree on it.
void play_plan(std::string_view bytes);
/// Solves and samples the plan in every way; throws Finding if two ways differ. Skips plans that are too large.
void compare_engines(const salvo::game::Plan& plan, const std::string& what);

}  // namespace fuzz
