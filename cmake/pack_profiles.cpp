// pack_profiles FOLDER FILE [CARDS FURTHER]: packs the profiles in the folder into one file (src/data/pack.h). With
// CARDS and FURTHER, packs them into three that work without the folder (PackUse). Part of the build.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "data/pack.h"

namespace {

using salvo::data::PackUse;

bool write(const char* folder, PackUse use, const char* file) {
  const std::string pack = salvo::data::make_pack(folder, use);
  // Running programs have mapped the present file, so it may be replaced but not truncated.
  const std::string part = std::string(file) + ".part";
  std::ofstream out(part, std::ios::binary);
  out << pack;
  out.close();
  const bool written = out && std::rename(part.c_str(), file) == 0;
  if (!written) std::fprintf(stderr, "pack_profiles: %s cannot be written\n", file);
  return written;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) return write(argv[1], PackUse::BesideFiles, argv[2]) ? 0 : 1;
    if (argc == 5) {
      const bool written = write(argv[1], PackUse::First, argv[2]) && write(argv[1], PackUse::Cards, argv[3]) &&
                           write(argv[1], PackUse::Further, argv[4]);
      return written ? 0 : 1;
    }
    std::fputs("usage: pack_profiles FOLDER FILE [CARDS FURTHER]\n", stderr);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pack_profiles: %s\n", error.what());
  }
  return 1;
}
