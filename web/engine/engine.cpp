// What the WebAssembly module has besides the C interface (include/salvo/salvo_c.h): progress that JavaScript hears.
#include <emscripten.h>

#include "salvo/salvo_c.h"

extern "C" {

// Asks the function Module.heard, where there is one, whether to go on. (It is JavaScript.)
// clang-format off
EM_JS(int, salvo_web_heard, (double done, double planned), {
  return Module["heard"] && Module["heard"](done, planned) === false ? 0 : 1;
})
// clang-format on

namespace {

int hear(void*, uint64_t done, uint64_t planned) {
  return salvo_web_heard(static_cast<double>(done), static_cast<double>(planned));
}

}  // namespace

/// As salvo_request; Module.heard hears the progress.
EMSCRIPTEN_KEEPALIVE int salvo_web_request(salvo_engine* engine, const char* verb, const char* body, size_t body_size,
                                           char** answer, size_t* answer_size) {
  return salvo_request_progress(engine, verb, body, body_size, hear, nullptr, answer, answer_size);
}
}
