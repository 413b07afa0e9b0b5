#include "battle/cards.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "salvo/errors.h"

namespace salvo::battle {

void CardFields::add(game::Resource::Kind kind, int token, int max) {
  if (find(kind, token) != nullptr) return;
  const auto mask = (std::uint64_t{1} << std::bit_width(static_cast<unsigned>(max))) - 1;
  fields_.push_back({kind, token, max, 0, mask});
  std::sort(fields_.begin(), fields_.end(),
            [](const Field& a, const Field& b) { return std::tuple(a.kind, a.token) < std::tuple(b.kind, b.token); });
  place();
}

void CardFields::place() {
  bits_ = 0;
  for (Field& field : fields_) {
    field.shift = bits_;
    bits_ += static_cast<int>(std::bit_width(field.mask));
  }
  if (bits_ > kMaxBits)
    throw PlanTooLarge("the damage deck has more kinds of cards than a battle can count; leave it out", bits_,
                       kMaxBits);
}

const CardFields::Field* CardFields::find(game::Resource::Kind kind, int token) const {
  for (const Field& field : fields_) {
    if (field.kind == kind && field.token == token) return &field;
  }
  return nullptr;
}

int DeckCounts::size() const {
  int out = 0;
  for (const CardFields::Field& field : seen.fields()) out += field.max;
  return out;
}

int DeckCounts::left(std::uint64_t counts) const {
  int out = 0;
  for (const CardFields::Field& field : seen.fields()) out += field.max - CardFields::get(counts, field);
  return out;
}

double DeckCounts::ratio(std::uint64_t drawn, std::uint64_t counts) const {
  if (drawn == 0 || counts == 0) return 1;
  double out = 1;
  int n = 0, all = 0, all_left = 0;
  for (const CardFields::Field& field : seen.fields()) {
    const int left = field.max - CardFields::get(counts, field), here = CardFields::get(drawn, field);
    for (int i = 0; i < here; ++i) out *= std::max(0, left - i) / static_cast<double>(field.max - i);
    n += here;
    all += field.max;
    all_left += left;
  }
  if (n > all_left) return 0;
  for (int i = 0; i < n; ++i) out *= (all - i) / static_cast<double>(all_left - i);
  return out;
}

}  // namespace salvo::battle
