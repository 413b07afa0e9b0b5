// The profiles of the source tree, read once for all tests.
#pragma once

#include "salvo/catalogue.h"

namespace tests {

inline const salvo::Catalogue& catalogue() {
  static const salvo::Catalogue profiles(SALVO_SOURCE_DIR "/profiles");
  return profiles;
}

}  // namespace tests
