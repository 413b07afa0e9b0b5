#include "sample/multisets.h"

namespace salvo::sample {
namespace {

/// `face`: the first that may still be given out; `pool`: the dice of those before.
void add_multisets(const Die& die, int face, int n, bool marked, Pool pool, std::vector<Pool>& out) {
  if (face == die.faces - 1 || n == 0) {
    if (n > 0) pool.add(face, marked, n);
    out.push_back(pool);
    return;
  }
  for (int k = 0; k <= n; ++k) {
    Pool with = pool;
    if (k > 0) with.add(face, marked, k);
    add_multisets(die, face + 1, n - k, marked, with, out);
  }
}

}  // namespace

std::vector<Pool> multisets(const Die& die, int n, bool marked) {
  std::vector<Pool> out;
  add_multisets(die, 0, n, marked, Pool(), out);
  return out;
}

}  // namespace salvo::sample
