#include "sample/bitsliced/decision_logic.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sample/kernel.h"

namespace salvo::sample {
namespace {

using Words = std::vector<std::uint64_t>;

std::size_t words_for(std::size_t n) { return (n + 63) / 64; }
void set_bit(Words& words, std::size_t i) { words[i / 64] |= std::uint64_t{1} << i % 64; }

std::size_t common(const Words& a, const Words& b) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n += static_cast<std::size_t>(std::popcount(a[i] & b[i]));
  return n;
}

std::size_t total(const Words& a) { return common(a, a); }

/// The bits of `words` where `chosen` equals `value`, packed together.
Words packed(const Words& words, const Words& chosen, bool value, std::size_t n, std::size_t size) {
  Words out(words_for(size));
  std::size_t at = 0;
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::uint64_t open = value ? chosen[w] : ~chosen[w];
    if (w + 1 == words.size() && n % 64 != 0) open &= (std::uint64_t{1} << n % 64) - 1;
    for (; open != 0; open &= open - 1, ++at) {
      if ((words[w] >> std::countr_zero(open) & 1u) != 0) set_bit(out, at);
    }
  }
  return out;
}

/// The entropy in bits of a set with these answers, times its size.
double mixture(std::size_t no, std::size_t yes) {
  const auto term = [&](std::size_t k) {
    const double n = static_cast<double>(no + yes);
    return k == 0 ? 0.0 : -static_cast<double>(k) * std::log2(static_cast<double>(k) / n);
  };
  return term(no) + term(yes);
}

}  // namespace

void DecisionLogic::add_feature(Bit bit, const std::vector<bool>& value) {
  if (bit.constant()) return;
  Words words(words_for(examples_));
  std::size_t n = 0;
  for (std::size_t i = 0; i < examples_; ++i) {
    if (!value[i]) continue;
    set_bit(words, i);
    ++n;
  }
  if (n == 0 || n == examples_) return;
  if (std::find(features_.begin(), features_.end(), words) != features_.end()) return;
  bits_.push_back(bit);
  features_.push_back(std::move(words));
}

Bit DecisionLogic::learn(const std::vector<Answer>& answers) const {
  Words relevant(words_for(examples_));
  Words yes(words_for(examples_));
  std::size_t n = 0;
  for (std::size_t i = 0; i < examples_; ++i) {
    if (answers[i] == Answer::Any) continue;
    set_bit(relevant, i);
    if (answers[i] == Answer::Yes) set_bit(yes, i);
    ++n;
  }
  Subset all;
  all.size = n;
  if (n == 0) return false;
  for (std::size_t f = 0; f < features_.size(); ++f)
    all.features.push_back({f, packed(features_[f], relevant, true, examples_, n)});
  all.yes = packed(yes, relevant, true, examples_, n);
  return learn(all);
}

/// Builds a decision tree that splits on the feature with the most information about the answer.
Bit DecisionLogic::learn(const Subset& subset) const {
  const std::size_t yes = total(subset.yes);
  if (yes == 0) return false;
  if (yes == subset.size) return true;
  std::vector<const Feature*> informative;  // features that vary here; others cannot vary in subsets
  const Feature* best = nullptr;
  double least = HUGE_VAL;
  std::size_t best_size = 0;
  for (const Feature& feature : subset.features) {
    const std::size_t set = total(feature.value);
    if (set == 0 || set == subset.size) continue;
    informative.push_back(&feature);
    const std::size_t set_yes = common(feature.value, subset.yes);
    const double mixed = mixture(set - set_yes, set_yes) + mixture(subset.size - set - (yes - set_yes), yes - set_yes);
    if (mixed < least - 1e-9) {
      least = mixed;
      best = &feature;
      best_size = set;
    }
  }
  if (best == nullptr) throw UnsupportedByKernel("a decision depends on more than the position shows");
  const auto part = [&](bool value) {
    Subset out;
    out.size = value ? best_size : subset.size - best_size;
    const Words& chosen = best->value;
    for (const Feature* feature : informative) {
      if (feature == best) continue;
      out.features.push_back({feature->index, packed(feature->value, chosen, value, subset.size, out.size)});
    }
    out.yes = packed(subset.yes, chosen, value, subset.size, out.size);
    return learn(out);
  };
  const Bit if_set = part(true);
  const Bit if_clear = part(false);
  return logic_.choose(bits_[best->index], if_set, if_clear);
}

}  // namespace salvo::sample
