// The names of generators and targets.
#include <algorithm>

#include "sample/player.h"
#include "sample/sample.h"

namespace salvo::sample {

std::string_view name_of(Generator generator) {
  switch (generator) {
    case Generator::Philox4x32_10:
      return "philox4x32-10";
    case Generator::Ars7:
      return "ars-7";
    case Generator::Xoshiro256pp:
      break;
  }
  return "xoshiro256++";
}

std::optional<Generator> generator_of(std::string_view name) {
  for (const Generator g : {Generator::Philox4x32_10, Generator::Ars7, Generator::Xoshiro256pp}) {
    if (name_of(g) == name) return g;
  }
  return std::nullopt;
}

std::vector<std::string> generator_names() { return {"philox4x32-10", "ars-7", "xoshiro256++"}; }

std::vector<std::string> targets() {
  std::vector<std::string> out;
  for (const Target& target : vector_targets()) out.push_back(target.name);
  out.emplace_back(kReference);
  return out;
}

}  // namespace salvo::sample
