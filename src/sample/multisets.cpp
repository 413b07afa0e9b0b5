#include "sample/multisets.h"

namespace salvo::sample {
namespace {

/// `face`: the first that may still be given out; `pool`: the dice of those before.
void add_multisets(const game::Die& die, int face, int n, bool marked, game::Pool pool, std::vector<game::Pool>& out) {
  if (face == die.faces - 1 || n == 0) {
    if (n > 0) pool.add(face, marked, n);
    out.push_back(pool);
    return;
  }
  for (int k = 0; k <= n; ++k) {
    game::Pool with = pool;
    if (k > 0) with.add(face, marked, k);
    add_multisets(die, face + 1, n - k, marked, with, out);
  }
}

}  // namespace

std::vector<game::Pool> multisets(const game::Die& die, int n, bool marked) {
  std::vector<game::Pool> out;
  add_multisets(die, 0, n, marked, game::Pool(), out);
  return out;
}

}  // namespace salvo::sample
