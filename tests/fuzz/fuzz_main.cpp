// salvo_fuzz --target=NAME [libFuzzer's options] CORPUS...: generates texts and plays them (docs/trust.md).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>

#include "fuzz/targets.h"

namespace {

const fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";  // libFuzzer ignores options with two dashes
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word = (*argv)[i];
    if (word.substr(0, kOption.size()) == kOption) chosen = &fuzz::target_of(word.substr(kOption.size()));
  }
  if (chosen) return 0;
  std::puts("salvo_fuzz --target=NAME CORPUS...; targets:");
  for (const fuzz::Target& target : fuzz::targets()) std::printf("  %-9s %s\n", target.name, target.what);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    chosen->play(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
  }
  return 0;
}
