#include "salvo/failure.h"

#include <new>
#include <string>
#include <system_error>

#include "base/work_limit.h"

namespace salvo {
namespace {

Failure failure_of(ErrorKind kind, const Error& error) {
  return {kind, error.path, error.what(), error.path.empty() ? error.what() : error.path + ": " + error.what()};
}

/// Classifies the exception being handled. Rethrows system errors and std::bad_alloc.
Failure classify_exception() {
  try {
    throw;
  } catch (const LoadError& error) {
    return {ErrorKind::InvalidInput, error.path, error.why.empty() ? error.what() : error.why, error.what()};
  } catch (const PlanTooLarge& error) {
    return failure_of(ErrorKind::TooLarge, error);
  } catch (const base::WorkLimitExceeded& error) {
    return failure_of(ErrorKind::TooLarge, error);
  } catch (const Error& error) {
    return failure_of(ErrorKind::InvalidInput, error);
  } catch (const std::system_error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {ErrorKind::Internal, "", error.what(), error.what()};
  } catch (...) {
    return {ErrorKind::Internal, "", "an unknown exception", "an unknown exception"};
  }
}

}  // namespace

Failure current_failure() try {
  return classify_exception();
} catch (const std::bad_alloc&) {  // possibly thrown by classify_exception() itself
  const std::string message = "the question needs more memory than there is, or than is allowed; ask for less at once";
  return {ErrorKind::TooLarge, "", message, message};
}

}  // namespace salvo
