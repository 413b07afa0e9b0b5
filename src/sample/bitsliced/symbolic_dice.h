// The dice of one pool in all trials at once: while dice can be rerolled, each is a bit per face; afterwards only the
// number of dice per face remains. It has the operations of the reference kernel, each under a condition.
#pragma once

#include <array>
#include <vector>

#include "game/plan.h"
#include "sample/address.h"
#include "sample/bitsliced/logic.h"

namespace salvo::sample {

/// A selection of dice with one face and mark.
struct ChosenDice {
  int face = 0;
  bool marked = false;
  bool all = false;  ///< every such die; otherwise n of them
  Number n;
};

/// Whether a die with these bits, highest first, shows the face. Throws UnsupportedByKernel if the number of sides is
/// no power of two.
Bit face_of_value(Logic& logic, const DieCode& code, int face, const std::vector<Bit>& value);

class SymbolicDice {
 public:
  explicit SymbolicDice(Logic& logic) : logic_(&logic) {}

  /// Rolls n dice. `one_by_one`: track single dice, because some can still be rerolled.
  void roll(const DieCode& code, const PoolAddress& address, int faces, const Number& n, bool one_by_one);
  /// Tracks only the number of dice of each face from here on. Call it when no die can be rerolled later.
  void count_up();
  void clear();

  Number count(int face) const;
  Number count(int face, bool marked) const;
  Number size() const;
  /// Whether a die shows the face.
  Bit any(int face) const;
  Bit any(int face, bool marked) const;

  /// These use the dice in the lowest slots that show the face and mark.
  void reroll(Bit condition, const std::vector<ChosenDice>& chosen);
  void change(Bit condition, const std::vector<ChosenDice>& chosen, int to);
  /// Changes the first n dice, or all: faces in the given order, unmarked dice before marked ones.
  void change_in_order(Bit condition, const game::FaceList& from, int to, const Number& n, bool all);
  void cancel(Bit condition, const std::vector<ChosenDice>& chosen);
  void cancel_in_order(Bit condition, const game::FaceList& faces, const Number& n, bool all);
  void add(Bit condition, int face, const Number& n);
  void forget_marks(Bit condition);
  bool one_by_one() const { return !counted_; }
  /// Leaves only `left` dice of each face, no longer tracked one by one.
  void set_counts(const std::array<Number, base::kMaxFaces>& left);

 private:
  struct SymbolicDie {
    std::array<Bit, base::kMaxFaces> face{};
    Bit marked;
    std::vector<Bit> value;  ///< of the first roll, highest first; empty when the die was added
    int slot = 0;
  };
  /// Element j: more than j dice are still to be taken.
  using Unary = std::vector<Bit>;
  Unary unary(const Number& n) const;
  Bit take(Bit candidate, Unary& remaining) const;
  template <typename Act>
  void each_chosen(Bit condition, const std::vector<ChosenDice>& chosen, Act&& act);
  void reroll_die(SymbolicDie& die, const std::array<Bit, base::kMaxFaces>& taken, bool low_unread);
  Bit low_bit_read(const std::vector<Bit>& value) const;
  Number within(Number n, int most) const;

  Logic* logic_;
  const DieCode* code_ = nullptr;
  const PoolAddress* address_ = nullptr;
  int faces_ = 0;
  bool counted_ = true;
  bool changed_ = false;  ///< a face may no longer be that of the first roll
  bool fixed_ = true;     ///< every die in `dice_` is in the pool in every trial
  int most_ = 0;          ///< upper bound of the dice in the pool
  std::vector<SymbolicDie> dice_;
  std::array<Number, base::kMaxFaces> counts_{};
};

}  // namespace salvo::sample
