#include "sample/lanes/lane_words.h"

#include <algorithm>
#include <unordered_map>

#include "base/index.h"
#include "sample/bitsliced/symbolic_dice.h"
#include "sample/lanes/lane_step.h"

namespace salvo::sample {
namespace {

constexpr int kHalfBits = 32, kMaxDieBits = 4;
constexpr std::uint32_t kScratchRows = 64;  // for intermediate results of one die

/// Emits the gates of one die as instructions on rows.
class Emitter {
 public:
  Emitter(const Logic& logic, Program& program, std::uint32_t ones, std::uint32_t scratch)
      : gates_(logic.gates()), program_(program), ones_(ones), scratch_(scratch) {}

  void emit(Bit bit, std::uint32_t target) {
    if (bit.constant()) return push(bit.is(true) ? Op::And : Op::Xor, ones_, ones_, target);
    const std::uint32_t row = row_of(bit.gate());
    push(bit.complemented() ? Op::Xor : Op::And, row, bit.complemented() ? ones_ : row, target);
  }

 private:
  std::uint32_t row_of(std::uint32_t g) {
    const Gate& gate = gates_[g];
    if (gate.kind == Gate::Kind::Plane) return static_cast<std::uint32_t>(gate.plane);
    if (const auto known = rows_.find(g); known != rows_.end()) return known->second;
    const std::uint32_t a = row_of(gate.a.gate());
    const std::uint32_t b = row_of(gate.b.gate());
    const std::uint32_t row = new_row();
    rows_.emplace(g, row);
    const GateOp how = gate_op(gate.kind, gate.a.complemented(), gate.b.complemented());
    push(how.op, how.swapped ? b : a, how.swapped ? a : b, row);
    if (how.inverted) push(Op::Xor, row, ones_, row);
    return row;
  }
  std::uint32_t new_row() {
    if (used_ == kScratchRows) throw UnsupportedByKernel("the faces of a die are too many");
    return scratch_ + used_++;
  }
  void push(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t d) {
    program_.code.push_back({Instruction::Kind::Single, op, Op::And, false, a, b, 0, d});
  }

  const std::vector<Gate>& gates_;
  Program& program_;
  std::uint32_t ones_, scratch_, used_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> rows_;
};

/// How many bits number the faces of a die.
int face_bits(const DieCode& code) {
  const int most = *std::max_element(code.face.begin(), code.face.end());
  return std::max(LaneStep::kFewestBits, static_cast<int>(width_of(0, most)));
}

/// Bit `bit` of the number of the face that a value shows.
Bit face_bit(Logic& logic, const DieCode& code, int bit, const std::vector<Bit>& value) {
  Bit out = false;
  for (int face = 0; face < base::kMaxFaces; ++face) {
    if ((face >> bit & 1) != 0) out = logic.either(out, face_of_value(logic, code, face, value));
  }
  return out;
}

bool rejects(const DieCode& code) { return code.sides != 1 << code.bits; }

/// Extends a code to all values of its bits: values without a side count as face 0.
DieCode with_all_values(DieCode code) {
  code.face.resize(std::size_t{1} << code.bits, 0);
  code.sides = 1 << code.bits;
  return code;
}

/// Whether a value must be redrawn.
Bit rejected(Logic& logic, const DieCode& code, const std::vector<Bit>& value) {
  DieCode out = with_all_values(code);
  for (std::size_t v = 0; v < out.face.size(); ++v) out.face[v] = v >= static_cast<std::size_t>(code.sides) ? 1 : 0;
  return face_of_value(logic, out, 1, value);
}

/// The value of a rerolled die, from the bits that address.h assigns.
std::vector<Bit> reroll_value(Logic& logic, const DieCode& code, const PoolAddress& address, int slot,
                              const std::vector<Bit>& first) {
  std::vector<Bit> out;
  for (int i = 1; i < code.bits; ++i)
    out.push_back(logic.plane(address.first + slot * address.stride + code.bits + i - 1));
  DieCode read = with_all_values(code);
  read.face.assign(code.low_bit_read.begin(), code.low_bit_read.end());
  out.push_back(logic.choose(face_of_value(logic, read, 1, first), logic.plane(address.low + slot), first.back()));
  return out;
}

}  // namespace

int side_face(const DieCode& code, const LaneField& field, std::size_t value) {
  const std::size_t side = value >> (field.bits - code.bits);
  return side < code.face.size() ? code.face[side] : code.face[0];  // the latter never occurs
}

LaneWords::LaneWords(const Setup& setup, int word_bits) : setup_(setup), word_bits_(word_bits) {
  for (const DieCode* code : {&setup.attack_code, &setup.defense_code}) {
    if (code->bits < 1 || code->bits > kMaxDieBits) throw UnsupportedByKernel("a die has one side, or more than 16");
  }
  fill_planes();
  for (std::size_t k = 0; k < setup.plan.attacks.size(); ++k) {
    // Whether a die outside both pools is an attack or a defense die is only known during play.
    if (setup.addresses.attacks[k].side.slots > 0 && setup.attack_code.sides != setup.defense_code.sides &&
        (rejects(setup.attack_code) || rejects(setup.defense_code)))
      throw UnsupportedByKernel("an effect rolls dice of different sides");
    place_attack(k);
  }
}

/// Assigns rows: plane p to row p, then a row of ones and the scratch rows.
void LaneWords::fill_planes() {
  const auto planes = static_cast<std::uint32_t>(setup_.addresses.planes);
  program_.chunk = kLanes;
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
  ones_ = (planes + 3) / 4 * 4;
  rejected_ = ones_ + 1;
  free_ = rejected_ + 1;
  program_.rows = free_ + kScratchRows;
}

void LaneWords::prepare(Workspace& workspace) const {
  std::fill_n(workspace.row(ones_), workspace.stride(), ~std::uint64_t{0});
}

/// Allocates bits for some dice in the words of an attack. `used`: bits used of each word.
LaneField LaneWords::place(std::vector<int>& used, int dice, int bits) const {
  const int size = dice * bits;
  if (size > word_bits_) throw UnsupportedByKernel("a pool is too large");
  std::size_t word = 0;
  while (word < used.size() && used[word] + size > word_bits_) ++word;
  if (word == used.size()) used.push_back(0);
  const LaneField out{word, used[word], bits};
  used[word] += size;
  return out;
}

void LaneWords::place_attack(std::size_t attack) {
  const AttackAddress& address = setup_.addresses.attacks[attack];
  LaneFields out;
  std::vector<int> used;
  for (const bool attack_dice : {true, false}) {
    const PoolAddress& from = attack_dice ? address.attack : address.defense;
    const int bits = face_bits(attack_dice ? setup_.attack_code : setup_.defense_code);
    LaneFields::Pool& pool = attack_dice ? out.attack : out.defense;
    pool.first = place(used, from.slots, bits);
    if (from.low >= 0) pool.reroll = place(used, from.slots, bits);
  }
  for (int die = 0; die == 0 || die < address.side.slots; die += LaneFields::kAtMost) {
    const int dice = std::min(address.side.slots - die, LaneFields::kAtMost);
    out.sides.push_back(place(used, dice, std::max(LaneStep::kFewestBits, address.side.stride)));
  }
  out.side_dice = address.side.slots;
  out.words = used.size();
  fields_.push_back(out);
  groups_.emplace_back(2 * used.size());
  make_pool(out.attack, address.attack, setup_.attack_code);
  make_pool(out.defense, address.defense, setup_.defense_code);
  for (int die = 0; die < address.side.slots; ++die) make_side(out.side(die), die, address.side);
  for (const std::uint32_t group : groups_.back()) {
    if (group != 0) program_.code.push_back({Instruction::Kind::Transpose, Op::And, Op::And, false, group, 0, 0, 0});
  }
}

std::uint32_t LaneWords::target_row(const LaneField& field, int die, int bit) {
  const auto at = static_cast<std::uint32_t>(field.shift + die * field.bits + bit);
  std::uint32_t& group = groups_.back()[2 * field.word + at / kHalfBits];
  if (group == 0) {
    group = program_.rows;
    program_.rows += kHalfBits;
  }
  return group + at % kHalfBits;
}

void LaneWords::make_pool(const LaneFields::Pool& fields, const PoolAddress& address, const DieCode& code) {
  for (int slot = 0; slot < address.slots; ++slot) {
    Logic logic;
    const int plane = address.first + slot * address.stride;
    std::vector<Bit> first;
    for (int i = 0; i < code.bits; ++i) first.push_back(logic.plane(plane + i));
    make_faces(logic, code, first, plane, fields.first, slot);
    if (address.low < 0) continue;
    make_faces(logic, code, reroll_value(logic, code, address, slot, first), plane + code.bits, fields.reroll, slot);
  }
}

/// `plane`: of the value's first bit; identifies the redraw.
void LaneWords::make_faces(Logic& logic, const DieCode& code, const std::vector<Bit>& value, int plane,
                           const LaneField& field, int slot) {
  const DieCode all = with_all_values(code);
  Rejection again{static_cast<std::uint32_t>(plane), code.sides, code.face, {}};
  std::vector<std::pair<Bit, std::uint32_t>> results;
  for (int bit = 0; bit < field.bits; ++bit) {
    again.rows.push_back(target_row(field, slot, bit));
    results.emplace_back(face_bit(logic, all, bit, value), again.rows.back());
  }
  emit_die(logic, code, value, std::move(results), std::move(again));
}

/// `again`: how to write the results for values without a side.
void LaneWords::emit_die(Logic& logic, const DieCode& code, const std::vector<Bit>& value,
                         std::vector<std::pair<Bit, std::uint32_t>> results, Rejection again) {
  if (rejects(code)) results.emplace_back(rejected(logic, code, value), rejected_);
  Emitter emitter(logic, program_, ones_, free_);
  for (const auto& [bit, row] : results) emitter.emit(bit, row);
  if (!rejects(code)) return;
  const auto at = static_cast<std::uint32_t>(program_.rejections.size());
  program_.rejections.push_back(std::move(again));
  program_.code.push_back({Instruction::Kind::Rejection, Op::And, Op::And, false, rejected_, 0, 0, at});
}

/// The bits in drawing order, highest first; a die with a single bit gets a constant 0 as lowest bit.
void LaneWords::make_side(const LaneField& field, int die, const PoolAddress& address) {
  const DieCode& code = setup_.attack_code;
  const int plane = address.first + die * address.stride;
  Logic logic;
  std::vector<Bit> value;
  for (int bit = 0; bit < address.stride; ++bit) value.push_back(logic.plane(plane + bit));
  Rejection again{static_cast<std::uint32_t>(plane), code.sides, {}, {}};
  std::vector<std::pair<Bit, std::uint32_t>> results;
  for (int bit = 0; bit < field.bits; ++bit) {
    const int from_highest = field.bits - 1 - bit;
    again.rows.push_back(target_row(field, die % LaneFields::kAtMost, bit));
    results.emplace_back(from_highest < address.stride ? base::nth(value, from_highest) : Bit(false),
                         again.rows.back());
  }
  for (int v = 0; v < code.sides && rejects(code); ++v)
    again.result.push_back(static_cast<std::uint8_t>(v << (field.bits - code.bits)));
  emit_die(logic, code, value, std::move(results), std::move(again));
}

const std::uint64_t* LaneWords::half(Workspace& workspace, std::size_t attack, std::size_t word, bool upper) const {
  const std::uint32_t group = groups_[attack][2 * word + (upper ? 1 : 0)];
  return group == 0 ? nullptr : workspace.row(group);
}

}  // namespace salvo::sample
