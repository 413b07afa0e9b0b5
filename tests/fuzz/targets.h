// Targets of fuzzing: what any text may be handed to, and what must then hold. Played by salvo_fuzz, which makes the
// texts up (docs/trust.md), and by a test over the texts of corpus/. In: bytes of any origin. Out: nothing, or an
// exception that is none of salvo's own errors; a crash, with sanitizers.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "game/plan.h"
#include "support/catalogue.h"

namespace fuzz {

/// What has to hold does not.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

struct Target {
  const char* name;  ///< also that of its folder in corpus/
  const char* what;
  /// False: the bytes were refused by one of salvo's own errors.
  bool (*play)(std::string_view bytes);
};

const std::vector<Target>& targets();
/// Throws std::invalid_argument, which names all there are.
const Target& target_of(std::string_view name);

using tests::catalogue;

/// Bytes as a structured question: engines, solvers and kernels have to agree on it.
void play_plan(std::string_view bytes);
/// Solves and samples the plan in every way that there is; throws Finding where two ways differ. Plans that are too
/// large are left alone.
void compare_engines(const salvo::game::Plan& plan, const std::string& what);

}  // namespace fuzz
