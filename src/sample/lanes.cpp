#include "sample/lanes.h"

#include <algorithm>
#include <utility>

#include "sample/decisions.h"
#include "sample/random_words.h"

namespace salvo::sample {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 29;  // of the graphs of one thread
constexpr std::size_t kMostLeft = 100'000;                // distinct resources that are counted before they are added
constexpr int kMostFigure = 0xffff;                       // of one ship in one sequence
constexpr int kMostInAttack = 600;                        // damage of one attack to one ship

constexpr int kCritsShift = 16, kDamageShift = 32, kFaceupShift = 48, kTheirsShift = 32;

/// A 64 by 64 matrix of bits, turned over: bit i of word k becomes bit k of word i.
void transpose_bits(std::array<std::uint64_t, 64>& m) {
  std::uint64_t mask = 0x00000000ffffffffu;
  for (unsigned j = 32; j != 0; j >>= 1, mask ^= mask << j) {
    for (unsigned k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      const std::uint64_t t = ((m[k] >> j) ^ m[k | j]) & mask;
      m[k] ^= t << j;
      m[k | j] ^= t;
    }
  }
}

/// Digits in ascending order: dice that nothing tells apart.
std::size_t sorted(std::size_t digits, std::size_t base, int n) {
  std::array<std::size_t, kDiceAtOnce> faces{};
  for (int i = 0; i < n; ++i, digits /= base) faces[static_cast<std::size_t>(i)] = digits % base;
  for (std::size_t i = 1; i < faces.size(); ++i) {
    for (std::size_t j = i; j > 0 && static_cast<int>(i) < n && faces[j] < faces[j - 1]; --j)
      std::swap(faces[j], faces[j - 1]);
  }
  std::size_t out = 0;
  for (int i = n; i-- > 0;) out = out * base + faces[static_cast<std::size_t>(i)];
  return out;
}

bool same(const Resources& a, const Resources& b) {
  return ((a.words[0] ^ b.words[0]) | (a.words[1] ^ b.words[1])) == 0;
}

std::uint64_t packed(const LaneEnd::Suffered& suffered) {
  return static_cast<std::uint64_t>(suffered.hits) | static_cast<std::uint64_t>(suffered.crits) << kCritsShift |
         static_cast<std::uint64_t>(suffered.damage) << kDamageShift |
         static_cast<std::uint64_t>(suffered.faceup) << kFaceupShift;
}

}  // namespace

LanePlayer::LanePlayer(const Setup& setup, VectorKernel kernel, const Wanted& wanted)
    : setup_(setup),
      plan_(setup.plan),
      kernel_(kernel),
      wanted_(wanted),
      node_(kLanes),
      resources_(kLanes),
      suffered_(plan_.ships.size(), std::vector<std::uint64_t>(kLanes)),
      gained_(kLanes),
      drawn_(kLanes),
      unplaced_(kLanes),
      changes_(plan_.attacks.size()),
      ended_(plan_.attacks.size()),
      touched_(plan_.attacks.size()),
      counted_(kCounted) {
  if (static_cast<int>(plan_.attacks.size()) * kMostInAttack > kMostFigure)
    throw NotBitSliced("the attacks are too many");
  for (std::size_t k = 0; k < plan_.attacks.size(); ++k) {
    graphs_.push_back(std::make_unique<LaneGraph>(setup, k));
    assign_fields(k);
  }
  for (const bool attack_dice : {false, true}) {
    const DieCode& code = attack_dice ? setup.attack_code : setup.defense_code;
    DieTables& die = dice_[attack_dice];
    die.bits = code.bits;
    die.face.assign(code.face.begin(), code.face.end());
    die.low_bit_read.assign(code.low_bit_read.begin(), code.low_bit_read.end());
    die.faces = LaneGraph::faces(attack_dice ? plan_.attack_die : plan_.defense_die);
    for (const bool ordered : {false, true}) {
      std::size_t digits = 1;
      for (int n = 0; n <= kDiceAtOnce; ++n, digits *= die.faces) {
        auto& by_digits = die.digits[ordered][static_cast<std::size_t>(n)];
        for (std::size_t d = 0; d < digits; ++d)
          by_digits.push_back(static_cast<std::uint16_t>(ordered ? d : sorted(d, die.faces, n)));
        auto& by_bits = die.outcome[ordered][static_cast<std::size_t>(n)];
        for (std::size_t bits = 0; bits < std::size_t{1} << n * die.bits; ++bits) {
          std::size_t shown = 0;
          for (int i = n; i-- > 0;)
            shown = shown * die.faces + die.face[bits >> i * die.bits & ((std::size_t{1} << die.bits) - 1)];
          by_bits.push_back(by_digits[shown]);
        }
      }
    }
  }
  make_program();
}

/// A program that only draws the random bits: plane p into row p.
void LanePlayer::make_program() {
  const auto planes = static_cast<std::uint32_t>(setup_.addresses.planes);
  program_.chunk = kLanes;
  program_.rows = (planes + 3) / 4 * 4;
  program_.main_planes = static_cast<std::uint32_t>(setup_.addresses.main_planes);
  program_.low_planes = planes - program_.main_planes;
  const auto fill = [&](const Fill& rows) {
    const auto at = static_cast<std::uint32_t>(program_.fills.size());
    program_.code.push_back({Instruction::Kind::Fill, Op::And, Op::And, false, at, 0, 0, 0});
    program_.fills.push_back(rows);
  };
  if (setup_.generator == Generator::Ars7) {
    for (std::uint32_t p = 0; p < planes; ++p) fill({p, {p, 0, 0, 0}});
  } else if (setup_.generator == Generator::Philox4x32_10) {
    for (std::uint32_t p = 0; p < planes; p += 4) fill({p / 4, {p, p + 1, p + 2, p + 3}});
  }
  workspace_.emplace(program_);
}

/// Gives the bits of each pool a place in the words of a lane.
void LanePlayer::assign_fields(std::size_t attack) {
  const AttackAddress& address = setup_.addresses.attacks[attack];
  AttackFields out;
  std::vector<int> used;  // bits of each word
  /// Places for `bits` bits of each of `slots` dice, whose highest bit is plane first + slot * stride.
  const auto place = [&](int slots, int bits, int first, int stride) {
    const int size = slots * bits;
    if (size > 64) throw NotBitSliced("a pool is too large");
    std::size_t word = 0;
    while (word < used.size() && used[word] + size > 64) ++word;
    if (word == used.size()) {
      used.push_back(0);
      out.planes.emplace_back();
      out.planes.back().fill(-1);
    }
    const Field field{word, used[word]};
    for (int slot = 0; slot < slots; ++slot) {
      for (int i = 0; i < bits; ++i)
        out.planes[word][static_cast<std::size_t>(field.shift + slot * bits + bits - 1 - i)] =
            first + slot * stride + i;
    }
    used[word] += size;
    return field;
  };
  for (const bool attack_dice : {true, false}) {
    const PoolAddress& pool = attack_dice ? address.attack : address.defense;
    const int bits = (attack_dice ? setup_.attack_code : setup_.defense_code).bits;
    PoolFields& fields = out.pools[attack_dice];
    fields.values = place(pool.slots, bits, pool.first, pool.stride);
    if (pool.low < 0) continue;
    fields.rerolls = place(pool.slots, bits - 1, pool.first + bits, pool.stride);
    fields.low = place(pool.slots, 1, pool.low, 1);
  }
  out.side = place(address.side.slots, address.side.stride, address.side.first, address.side.stride);
  if (words_.size() < out.planes.size()) words_.resize(out.planes.size());
  fields_.push_back(std::move(out));
}

void LanePlayer::play(std::uint64_t first, std::uint64_t last, Tally& tally) {
  for (std::uint64_t start = first / kLanes * kLanes; start < last; start += kLanes) {
    kernel_(program_, setup_.generator, setup_.seed, start, start + kLanes, *workspace_, nullptr);
    play_chunk(start, std::max(first, start) - start, std::min(last - start, std::uint64_t{kLanes}), tally);
  }
  flush(tally);
}

void LanePlayer::play_chunk(std::uint64_t start, std::size_t first, std::size_t last, Tally& tally) {
  std::fill(resources_.begin(), resources_.end(), plan_.start);
  for (auto& ship : suffered_) std::fill(ship.begin(), ship.end(), 0);
  for (auto* counts : {&drawn_, &unplaced_}) std::fill(counts->begin(), counts->end(), 0);
  std::fill(gained_.begin(), gained_.end(), 0);
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < plan_.attacks.size(); ++k) {
    play_attack(k, start, first, last);
    bytes += graphs_[k]->bytes();
  }
  finish(first, last, tally);
  if (bytes > kMostBytes) {
    flush(tally);
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) {
      graphs_[k] = std::make_unique<LaneGraph>(setup_, k);
      changes_[k].clear();
      ended_[k].clear();
    }
  }
}

void LanePlayer::play_attack(std::size_t attack, std::uint64_t start, std::size_t first, std::size_t last) {
  graph_ = graphs_[attack].get();
  at_hand_ = &fields_[attack];
  transpose(attack);
  const Resources mask = graph_->mask();
  waits_.fill(0);
  Resources known;
  LaneStep entry;
  for (std::size_t lane = first; lane < last; ++lane) {
    const Resources begin = resources_[lane].masked(mask);
    if (!entry.known() || !same(begin, known)) {
      entry = graph_->entry(begin);
      known = begin;
    }
    sort_in(lane, entry);
  }
  for (bool waits = true; waits;) {
    waits = false;
    for (std::size_t bucket = 1; bucket < waiting_.size(); ++bucket) {
      if (waits_[bucket] == 0) continue;
      waits = true;
      played_.n = std::exchange(waits_[bucket], 0);
      std::copy_n(waiting_[bucket].begin(), played_.n, played_.lane.begin());
      switch (graph_->node(node_[played_.lane[0]]).kind) {
        case LaneNode::Kind::Roll:
          roll(played_);
          break;
        case LaneNode::Kind::Reroll:
          reroll(played_);
          break;
        case LaneNode::Kind::Side:
          roll_sides(played_, start);
          break;
        case LaneNode::Kind::Draw:
          draw(played_, start);
          break;
        case LaneNode::Kind::End:
          break;
      }
    }
  }
  end_attack(attack, first, last);
}

void LanePlayer::transpose(std::size_t attack) {
  const AttackFields& fields = fields_[attack];
  for (std::size_t w = 0; w < fields.planes.size(); ++w) {
    for (std::size_t group = 0; group < kLanes / 64; ++group) {
      std::array<std::uint64_t, 64> bits;
      for (std::size_t i = 0; i < 64; ++i) {
        const int plane = fields.planes[w][i];
        bits[i] = plane < 0 ? 0 : workspace_->row(static_cast<std::uint32_t>(plane))[group];
      }
      transpose_bits(bits);
      std::copy(bits.begin(), bits.end(), words_[w].begin() + static_cast<std::ptrdiff_t>(64 * group));
    }
  }
}

/// Each lane goes on at the successor of its node for `outcome(node, lane)`.
template <typename Outcome>
void LanePlayer::play_lanes(const Lanes& lanes, Outcome&& outcome) {
  const LaneNode* nodes = graph_->nodes();
  const LaneStep* successors = graph_->successors();
  for (const std::size_t lane : lanes) {
    const LaneNode& node = nodes[node_[lane]];
    const std::size_t shown = outcome(node, lane);
    LaneStep step = successors[node.next + shown];
    if (!step.known()) {
      step = graph_->next(node_[lane], shown);
      nodes = graph_->nodes();
      successors = graph_->successors();
    }
    sort_in(lane, step);
  }
}

void LanePlayer::roll(const Lanes& lanes) {
  const LaneNode& like = graph_->node(node_[lanes.lane[0]]);
  const DieTables& die = dice_[like.attack_dice];
  const Field values = at_hand_->pools[like.attack_dice].values;
  const std::uint64_t* words = words_[values.word].data();
  const int bits = die.bits;
  const std::uint64_t mask = (std::uint64_t{1} << like.n * bits) - 1;
  const std::array<const std::uint16_t*, 2> outcome = {die.outcome[0][like.n].data(), die.outcome[1][like.n].data()};
  play_lanes(lanes, [&](const LaneNode& node, std::size_t lane) {
    return outcome[node.ordered][words[lane] >> (values.shift + node.slots[0] * bits) & mask];
  });
}

void LanePlayer::reroll(const Lanes& lanes) {
  const LaneNode& like = graph_->node(node_[lanes.lane[0]]);
  switch (like.n) {
    case 1:
      return reroll<1>(lanes, like.attack_dice);
    case 2:
      return reroll<2>(lanes, like.attack_dice);
    default:
      return reroll<3>(lanes, like.attack_dice);
  }
}

template <std::size_t kDice>
void LanePlayer::reroll(const Lanes& lanes, bool attack_dice) {
  const DieTables& die = dice_[attack_dice];
  const PoolFields& fields = at_hand_->pools[attack_dice];
  const int bits = die.bits;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::array<const std::uint16_t*, 2> outcome = {die.digits[0][kDice].data(), die.digits[1][kDice].data()};
  play_lanes(lanes, [&](const LaneNode& node, std::size_t lane) {
    const std::uint64_t values = field(fields.values, lane);
    const std::uint64_t fresh = field(fields.rerolls, lane);
    const std::uint64_t low = field(fields.low, lane);
    std::size_t digits = 0;
    for (std::size_t i = kDice; i-- > 0;) {
      const int slot = node.slots[i];
      const std::uint64_t value = values >> slot * bits & mask;
      const std::uint64_t lowest = (die.low_bit_read[value] != 0 ? low >> slot : value) & 1u;
      digits = digits * die.faces + die.face[(fresh >> slot * (bits - 1) << 1 & mask) | lowest];
    }
    return outcome[node.ordered][digits];
  });
}

void LanePlayer::roll_sides(const Lanes& lanes, std::uint64_t start) {
  const PoolAddress& address = setup_.addresses.attacks[static_cast<std::size_t>(at_hand_ - fields_.data())].side;
  play_lanes(lanes, [&](const LaneNode& node, std::size_t lane) -> std::size_t {
    const DieTables& die = dice_[node.attack_dice];
    const int number = node.slots[0];
    if (number >= address.slots)
      return die.face[unplaced_value(setup_.seed, start + lane, unplaced_[lane]++, 1 << die.bits)];
    const std::uint64_t bits = field(at_hand_->side, lane) >> number * address.stride;
    return die.face[bits >> (address.stride - die.bits) & ((std::uint64_t{1} << die.bits) - 1)];
  });
}

void LanePlayer::draw(const Lanes& lanes, std::uint64_t start) {
  play_lanes(lanes, [&](const LaneNode& node, std::size_t lane) -> std::size_t {
    return card_value(setup_.seed, start + lane, drawn_[lane]++, node.n);
  });
}

const LanePlayer::Change& LanePlayer::change(std::size_t attack, std::uint32_t number) {
  std::vector<Change>& changes = changes_[attack];
  for (auto i = static_cast<std::uint32_t>(changes.size()); i <= number; ++i) {
    const LaneEnd& end = graph_->end(i);
    Change out{end.resources,
               static_cast<std::uint64_t>(end.mine) | static_cast<std::uint64_t>(end.theirs) << kTheirsShift, 0, 0,
               end.suffered.size() > 1};
    if (!end.suffered.empty()) {
      out.suffered = packed(end.suffered[0]);
      out.ship = static_cast<std::uint32_t>(end.suffered[0].ship);
    }
    changes.push_back(out);
    ended_[attack].push_back(0);
  }
  return changes[number];
}

void LanePlayer::end_attack(std::size_t attack, std::size_t first, std::size_t last) {
  if (graph_->ends() > 0) change(attack, static_cast<std::uint32_t>(graph_->ends() - 1));
  const Change* changes = changes_[attack].data();
  std::uint64_t* ended = ended_[attack].data();
  const Resources mask = graph_->mask();
  for (std::size_t lane = first; lane < last; ++lane) {
    const std::uint32_t number = graph_->node(node_[lane]).next;
    if (ended[number]++ == 0) touched_[attack].push_back(number);
    const Change& end = changes[number];
    Resources& resources = resources_[lane];
    for (std::size_t w = 0; w < mask.words.size(); ++w)
      resources.words[w] = (resources.words[w] & ~mask.words[w]) | end.resources.words[w];
    suffered_[end.ship][lane] += end.suffered;
    gained_[lane] += end.gained;
    if (!end.others) continue;
    const std::vector<LaneEnd::Suffered>& all = graph_->end(number).suffered;
    for (std::size_t i = 1; i < all.size(); ++i) suffered_[all[i].ship][lane] += packed(all[i]);
  }
}

/// The count of sequences that leave these resources.
std::uint64_t& LanePlayer::left(const Resources& resources) {
  Counted& counted = counted_[ResourcesHash()(resources) % kCounted];
  if (!same(counted.resources, resources)) {
    if (counted.n > 0) left_[counted.resources] += counted.n;
    counted = {resources, 0};
  }
  return counted.n;
}

void LanePlayer::finish(std::size_t first, std::size_t last, Tally& tally) {
  tally.trials += last - first;
  const auto low = [](std::uint64_t word, int shift) { return word >> shift & 0xffffu; };
  for (std::size_t s = 0; s < suffered_.size(); ++s) {
    ShipTally& ship = tally.ships[s];
    const auto width = static_cast<std::size_t>(ship.width);
    for (std::size_t lane = first; lane < last; ++lane) {
      const std::uint64_t word = suffered_[s][lane];
      ++ship.joint[low(word, 0) * width + low(word, kCritsShift)];
      if (low(word, kFaceupShift) != 0) ship.faceup.add(low(word, kFaceupShift));
      if (!ship.damage.empty()) ++ship.damage[std::min<std::size_t>(low(word, kDamageShift), ship.damage.size() - 1)];
    }
  }
  std::uint64_t mine = 0, theirs = 0, mine_squares = 0, theirs_squares = 0, mixed = 0;
  for (std::size_t lane = first; lane < last; ++lane) {
    const std::uint64_t a = gained_[lane] & 0xffffffffu;
    const std::uint64_t b = gained_[lane] >> kTheirsShift;
    mine += a;
    theirs += b;
    mine_squares += a * a;
    theirs_squares += b * b;
    mixed += a * b;
  }
  tally.mine.merge({mine, mine_squares});
  tally.theirs.merge({theirs, theirs_squares});
  tally.mixed += mixed;
  if (!wanted_.tokens) return;
  for (std::size_t lane = first; lane < last; ++lane) ++left(resources_[lane]);
  if (left_.size() > kMostLeft) flush(tally);
}

/// Adds what was counted by ends and by what was left.
void LanePlayer::flush(Tally& tally) {
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    AttackTally& attack = tally.attacks[k];
    for (const std::uint32_t number : touched_[k]) {
      const std::uint64_t n = std::exchange(ended_[k][number], 0);
      const LaneEnd& end = graphs_[k]->end(number);
      if (!end.happens) continue;
      attack.happens += n;
      attack.hits_at_all += end.hits_at_all ? n : 0;
      const auto add = [n](Moments& moments, int value) {
        const auto x = static_cast<std::uint64_t>(value);
        moments.merge({n * x, Wide{n} * x * x});
      };
      add(attack.attack_dice, end.attack_dice);
      add(attack.defense_dice, end.defense_dice);
      add(attack.hits, end.hits);
      add(attack.crits, end.crits);
    }
    touched_[k].clear();
  }
  for (Counted& counted : counted_) {
    if (counted.n > 0) left_[counted.resources] += std::exchange(counted.n, 0);
  }
  for (const auto& [resources, n] : left_) {
    for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
      const auto x = static_cast<std::uint64_t>(resources.get(plan_.resources[i]));
      tally.resources[i].merge({n * x, Wide{n} * x * x});
      if (!tally.numbers[i].empty()) tally.numbers[i][x] += n;
    }
  }
  left_.clear();
}

}  // namespace salvo::sample
