// pack_profiles FOLDER FILE: packs the profiles in the folder into one file (src/load/pack.h). Part of the build.
#include <cstdio>
#include <exception>
#include <fstream>

#include "load/pack.h"

int main(int argc, char** argv) {
  try {
    if (argc != 3) {
      std::fputs("usage: pack_profiles FOLDER FILE\n", stderr);
      return 2;
    }
    const std::string pack = salvo::load::make_pack(argv[1]);
    std::ofstream out(argv[2], std::ios::binary);
    out << pack << std::flush;
    if (out) return 0;
    std::fprintf(stderr, "pack_profiles: %s cannot be written\n", argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pack_profiles: %s\n", error.what());
  }
  return 1;
}
