#include "game/plan_resources.h"

#include <fmt/format.h>

namespace salvo::game {
namespace {

int bits_for(int max) {
  int bits = 1;
  while ((1 << bits) <= max) ++bits;
  return bits;
}

}  // namespace

void pack_resources(Plan& plan) {
  int word = 0;
  int shift = 0;
  for (Resource& r : plan.resources) {
    if (!r.dynamic) continue;
    const int bits = bits_for(r.max);
    if (shift + bits > 64) {
      ++word;
      shift = 0;
    }
    if (word > 1)
      throw PlanTooLarge(
          fmt::format(
              "{} ships with their tokens, charges, locks and hulls are too many for one scenario; leave out ships "
              "and tokens that do not matter, ask about each target separately with the ships that shoot at it, or "
              "use --objective damage, which does not track hulls",
              plan.ships.size()),
          word, 2);
    r.word = word;
    r.shift = shift;
    r.mask = (std::uint64_t{1} << bits) - 1;
    shift += bits;
    plan.start.set(r, r.initial);
  }
}

}  // namespace salvo::game
