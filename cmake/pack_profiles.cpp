// pack_profiles FOLDER FILE [alone]: packs the profiles in the folder into one file (src/load/pack.h); with "alone", to
// be used without the folder. Part of the build.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string_view>

#include "load/pack.h"

int main(int argc, char** argv) {
  try {
    const bool alone = argc == 4 && std::string_view(argv[3]) == "alone";
    if (argc != 3 && !alone) {
      std::fputs("usage: pack_profiles FOLDER FILE [alone]\n", stderr);
      return 2;
    }
    using salvo::load::PackUse;
    const std::string pack = salvo::load::make_pack(argv[1], alone ? PackUse::Alone : PackUse::BesideFiles);
    std::ofstream out(argv[2], std::ios::binary);
    out << pack << std::flush;
    if (out) return 0;
    std::fprintf(stderr, "pack_profiles: %s cannot be written\n", argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pack_profiles: %s\n", error.what());
  }
  return 1;
}
