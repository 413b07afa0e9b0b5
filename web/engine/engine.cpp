// The WebAssembly module in addition to the C interface (include/salvo/salvo_c.h): reports progress to JavaScript.
#include <emscripten.h>

#include "salvo/salvo_c.h"

extern "C" {

// Asks the JavaScript function Module.heard, if it exists, whether to continue.
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

/// Like salvo_request(), with progress reported to Module.heard.
EMSCRIPTEN_KEEPALIVE int salvo_web_request(salvo_engine* engine, const char* verb, const char* body, size_t body_size,
                                           char** answer, size_t* answer_size) {
  return salvo_request_progress(engine, verb, body, body_size, hear, nullptr, answer, answer_size);
}
}
