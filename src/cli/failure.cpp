// Failure: see failure.h.
#include "cli/failure.h"

#include <system_error>

#include "cli/arguments.h"
#include "load/catalogue.h"
#include "rules/plan.h"
#include "salvo/scenario.h"

namespace salvo::cli {

Failure current_failure() {
  try {
    throw;
  } catch (const LoadError& error) {
    return {kWrongQuestion, error.path, error.why.empty() ? error.what() : error.why};
  } catch (const ScenarioError& error) {
    return {kWrongQuestion, error.path, error.what()};
  } catch (const UsageError& error) {
    return {kWrongQuestion, "", error.what()};
  } catch (const PlanTooLarge& error) {
    return {kTooLarge, "", error.what()};
  } catch (const std::system_error&) {
    throw;
  } catch (const std::exception& error) {
    return {kOurFault, "", error.what()};
  }
}

}  // namespace salvo::cli
