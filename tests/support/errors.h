// The message of an expected error.
#pragma once

#include <string>

#include "salvo/errors.h"

namespace tests {

/// The message of the Error that `call` throws, or "no error".
template <typename Error = salvo::LoadError, typename Call>
std::string error_of(Call call) {
  try {
    static_cast<void>(call());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace tests
