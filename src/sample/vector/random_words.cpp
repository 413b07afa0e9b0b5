#include "sample/vector/random_words.h"

#include <algorithm>

#include "base/ars.h"
#include "base/philox.h"

namespace salvo::sample {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

std::size_t words_at_once(Generator generator) {
  switch (generator) {
    case Generator::Ars7:
      return 4;
    case Generator::Xoshiro256pp:
      return base::kXoshiroRow / 32;
    case Generator::Philox4x32_10:
      break;
  }
  return 1;
}

constexpr std::uint64_t kRowsOfBlock = base::kXoshiroBlock / base::kXoshiroRow;
constexpr std::uint32_t kUnplacedStream = 0x40000000u, kCardStream = 0x20000000u;

/// A value below n from Philox words in order; rejects words that would favour some values.
unsigned drawn(std::uint64_t seed, std::uint64_t s, int number, int sides, std::uint32_t stream) {
  const auto n = static_cast<std::uint32_t>(sides);
  const std::uint32_t limit = ~std::uint32_t{0} / n * n;
  for (std::uint32_t attempt = 0;; ++attempt) {
    for (const std::uint32_t word : base::philox4x32(
             {low(s), high(s), static_cast<std::uint32_t>(number), stream + attempt}, base::philox_key(seed))) {
      if (word < limit) return word % n;
    }
  }
}

}  // namespace

RandomWords::RandomWords(Generator generator, const Addresses& addresses, std::uint64_t seed)
    : generator_(generator),
      planes_(static_cast<std::size_t>(addresses.planes)),
      main_planes_(static_cast<std::size_t>(addresses.main_planes)),
      seed_(seed),
      width_(words_at_once(generator)),
      words_((planes_ + 3) / 4 * 4 * width_) {}

void RandomWords::begin_trial(std::uint64_t s) {
  trial_ = s;
  const std::uint64_t group = s / (32 * width_);
  if (filled_ && group == group_) return;
  switch (generator_) {
    case Generator::Philox4x32_10:
      fill_philox(group);
      break;
    case Generator::Ars7:
      fill_ars(group);
      break;
    case Generator::Xoshiro256pp:
      fill_xoshiro(group);
      break;
  }
  group_ = group;
  filled_ = true;
}

void RandomWords::fill_philox(std::uint64_t group) {
  for (std::size_t p = 0; p < words_.size(); p += 4) {
    const base::PhiloxCounter out =
        base::philox4x32({low(group), high(group), static_cast<std::uint32_t>(p / 4), 0}, base::philox_key(seed_));
    std::copy(out.begin(), out.end(), words_.begin() + static_cast<std::ptrdiff_t>(p));
  }
}

void RandomWords::fill_ars(std::uint64_t group) {
  for (std::size_t p = 0; p < planes_; ++p) {
    const base::ArsWords out =
        base::ars4x32({low(group), high(group), static_cast<std::uint32_t>(p), 0}, base::ars_key_of(seed_));
    std::copy(out.begin(), out.end(), words_.begin() + static_cast<std::ptrdiff_t>(4 * p));
  }
}

void RandomWords::fill_xoshiro(std::uint64_t row) {
  const std::uint64_t block = row / kRowsOfBlock;
  const std::uint64_t wanted = row % kRowsOfBlock;
  if (!filled_ || block != group_ / kRowsOfBlock || wanted < rows_drawn_) {
    states_.clear();
    for (const std::uint32_t stream : {0u, 1u}) {
      for (int column = 0; column < base::kXoshiroStates; ++column)
        states_.push_back(base::xoshiro_seed(seed_, block, column, stream));
    }
    rows_drawn_ = 0;
  }
  while (rows_drawn_ <= wanted) next_row();
}

void RandomWords::next_row() {
  for (std::size_t p = 0; p < planes_; ++p) {
    const std::size_t first = p < main_planes_ ? 0 : base::kXoshiroStates;
    for (std::size_t column = 0; column < base::kXoshiroStates; ++column) {
      const std::uint64_t drawn = base::xoshiro_next(states_[first + column]);
      words_[p * width_ + 2 * column] = low(drawn);
      words_[p * width_ + 2 * column + 1] = high(drawn);
    }
  }
  ++rows_drawn_;
}

unsigned value_after_rejection(std::uint64_t seed, std::uint64_t s, int plane, int sides) {
  return drawn(seed, s, plane, sides, kRejectionStream);
}

unsigned unplaced_value(std::uint64_t seed, std::uint64_t s, int number, int sides) {
  return drawn(seed, s, number, sides, kUnplacedStream);
}

unsigned card_value(std::uint64_t seed, std::uint64_t s, int number, int cards) {
  return drawn(seed, s, number, cards, kCardStream);
}

}  // namespace salvo::sample
