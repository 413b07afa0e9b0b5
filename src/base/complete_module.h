// What the WebAssembly module of a first visit leaves out (web/engine/CMakeLists.txt).
#pragma once

#include <exception>

namespace salvo::base {

/// Thrown where the small module lacks code that hardly any question needs: ask the complete module. Not a
/// salvo::Error, since nothing is wrong.
struct CompleteModuleNeeded : std::exception {
  const char* what() const noexcept override {
    return "this needs the complete module, salvo-further.wasm; ask that module";
  }
};

}  // namespace salvo::base
