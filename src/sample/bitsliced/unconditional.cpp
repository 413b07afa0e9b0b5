#include "sample/bitsliced/unconditional.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "game/play.h"
#include "game/position_table.h"
#include "sample/multisets.h"

namespace salvo::sample {
namespace {

using Counts = std::array<int, 4>;  ///< attack: hits, crits, focuses, blanks; defense: evades, focuses, blanks

/// What a policy does in one attack, seen from outside: which dice are rerolled for which roll, and the outcome for
/// each pair of final rolls.
struct Observed {
  std::map<Counts, Counts> rerolled;
  std::map<std::pair<Counts, Counts>, std::pair<int, int>> outcome;
  int attack_dice = -1, defense_dice = -1;
  bool unconditional = true;
};

class Observer {
 public:
  explicit Observer(const Setup& setup) : plan_(setup.plan), policy_(setup.policy), attack_(plan_.attacks[0]) {}

  Observed observe() {
    play(game::begin_attack(plan_, attack_, plan_.start), {}, {}, {}, false);
    return std::move(out_);
  }

 private:
  Counts attack_counts(game::Pool pool) const {
    const game::Die& die = plan_.attack_die;
    return {pool.count(die.hit), pool.count(die.crit), pool.count(die.focus), pool.count(die.blank)};
  }
  Counts defense_counts(game::Pool pool) const {
    const game::Die& die = plan_.defense_die;
    return {pool.count(die.evade), pool.count(die.focus), pool.count(die.blank), 0};
  }
  void fail() { out_.unconditional = false; }

  void play(game::Position position, game::Pool first, const Counts& attack, const Counts& defense, bool rerolled) {
    while (out_.unconditional) {
      switch (game::advance(plan_, attack_, position)) {
        case game::NextEvent::AttackRoll:
          return roll(position, true, defense);
        case game::NextEvent::DefenseRoll:
          if (!rerolled) note_reroll(first, {});
          return roll(position, false, attack);
        case game::NextEvent::Reroll:
          return reroll(position, first, rerolled);
        case game::NextEvent::Draw:
          return fail();
        case game::NextEvent::Finished:
          return finish(position, attack, defense);
        case game::NextEvent::Decision:
          game::merge_unread(plan_, attack_, position);
          policy_.decide(plan_, 0, plan_.start, position, options_);
          for (std::size_t i = 0; i < options_.size(); ++i) {
            const game::Option option = options_[i];
            before_ = position;
            position = game::take(plan_, attack_, position, option);
            if (option.effect < 0 || position.pending > 0) break;
          }
      }
    }
  }

  void roll(const game::Position& position, bool attack_dice, const Counts& attack) {
    const int n = game::roll_size(position);
    int& dice = attack_dice ? out_.attack_dice : out_.defense_dice;
    if (n > kMaxUnconditionalDice || (dice >= 0 && dice != n) || (!attack_dice && out_.attack_dice < 0)) return fail();
    dice = n;
    for (const game::Pool& pool : multisets(attack_dice ? plan_.attack_die : plan_.defense_die, n, false)) {
      if (attack_dice) {
        rolled_attack(game::after_roll(attack_, position, pool), pool, false);
      } else {
        play(game::after_roll(attack_, position, pool), {}, attack, defense_counts(pool), true);
      }
    }
  }

  /// Attack dice are on the table; `pool` as rolled.
  void rolled_attack(const game::Position& position, game::Pool pool, bool rerolled) {
    game::PositionTable& seen = rerolled ? seen_rerolled_ : seen_;
    if (seen.find(position) >= 0) return;
    seen.insert(position);
    play(position, pool, attack_counts(pool), {}, rerolled);
  }

  void reroll(game::Position position, game::Pool first, bool rerolled) {
    // Only dice as they were first rolled, and only once.
    if (rerolled || !position.pending_attack || before_.attack_pool.unmarked() != first) return fail();
    const game::Pool left = position.attack_pool;
    note_reroll(first, attack_counts(first.minus(left.unmarked())));
    for (const game::Pool& pool : multisets(plan_.attack_die, position.pending, true)) {
      game::Position after = position;
      after.attack_pool = left.plus(pool);
      after.pending = 0;
      after.pending_attack = false;
      rolled_attack(after, after.attack_pool.unmarked(), true);
    }
  }

  void note_reroll(game::Pool first, const Counts& dice) {
    const auto [at, fresh] = out_.rerolled.try_emplace(attack_counts(first), dice);
    if (!fresh && at->second != dice) fail();
  }

  void finish(const game::Position& position, const Counts& attack, const Counts& defense) {
    if (position.hit && position.hits + position.crits == 0) return fail();
    const std::pair<int, int> result(position.hits, position.crits);
    const auto [at, fresh] = out_.outcome.try_emplace({attack, defense}, result);
    if (!fresh && at->second != result) fail();
  }

  const game::Plan& plan_;
  const game::Policy& policy_;
  const game::AttackPlan& attack_;
  Observed out_;
  game::Position before_;
  game::PositionTable seen_, seen_rerolled_;
  std::vector<game::Option> options_;
};

/// The outcome of a unconditional attack, written from its definition.
std::pair<int, int> outcome(const Unconditional& s, const Counts& attack, const Counts& defense) {
  int hits = attack[0] + (s.attack_focus ? attack[2] : 0);
  int crits = attack[1];
  int evades = defense[0] + (s.defense_focus ? defense[1] : 0);
  if (s.evade && evades < s.defense_dice) ++evades;
  const int cancelled = std::min(hits, evades);
  hits -= cancelled;
  crits -= std::min(crits, evades - cancelled);
  if (s.reinforce && hits + crits > 1) --(hits > 0 ? hits : crits);
  return {hits, crits};
}

Counts rerolled(Unconditional::Reroll reroll, const Counts& attack) {
  return {0, 0, reroll == Unconditional::Reroll::BlanksAndFocuses ? attack[2] : 0,
          reroll == Unconditional::Reroll::None ? 0 : attack[3]};
}

bool fits(const Unconditional& s, const Observed& observed) {
  return std::all_of(observed.rerolled.begin(), observed.rerolled.end(),
                     [&](const auto& seen) { return seen.second == rerolled(s.reroll, seen.first); }) &&
         std::all_of(observed.outcome.begin(), observed.outcome.end(),
                     [&](const auto& seen) { return seen.second == outcome(s, seen.first.first, seen.first.second); });
}

/// The bits b2 b1 b0 of a die, of those that play_unconditional reads: dice with these faces: blank 0-1, focus 2-3,
/// crit 4, hit or evade 5-7, defense blank 4.
bool usual_dice(const Setup& setup) {
  const game::Die& a = setup.plan.attack_die;
  const game::Die& d = setup.plan.defense_die;
  const auto codes = [](std::initializer_list<int> faces) {
    std::vector<std::uint8_t> out;
    for (const int face : faces) out.push_back(static_cast<std::uint8_t>(face));
    return out;
  };
  return std::min({a.blank, a.focus, a.crit, a.hit, d.blank, d.focus, d.evade}) >= 0 && a.faces == 4 && d.faces == 3 &&
         setup.attack_code.bits == 3 && setup.defense_code.bits == 3 &&
         setup.attack_code.face == codes({a.blank, a.blank, a.focus, a.focus, a.crit, a.hit, a.hit, a.hit}) &&
         setup.defense_code.face == codes({d.blank, d.blank, d.focus, d.focus, d.blank, d.evade, d.evade, d.evade});
}

}  // namespace

namespace {

using Bits = std::vector<Bit>;

/// Bits of die `i`: b2 b1 b0 of the first roll, then r2 r1 of a reroll. The lowest bit of a blank or focus was not
/// read, so that it serves for the reroll.
struct UnconditionalDie {
  Bit b2, b1, b0, r2, r1;
  UnconditionalDie(Logic& logic, const PoolAddress& pool, int i) {
    const auto plane = [&](int bit) { return logic.plane(pool.first + i * pool.stride + bit); };
    b2 = plane(0);
    b1 = plane(1);
    b0 = plane(2);
    if (pool.low < 0) return;
    r2 = plane(3);
    r1 = plane(4);
  }
};

void reroll(Logic& logic, Unconditional::Reroll dice, UnconditionalDie& die) {
  const Bit kept = die.b2;
  if (dice == Unconditional::Reroll::Blanks) {
    die.b2 = logic.either(kept, logic.both(!die.b1, die.r2));
    die.b1 = logic.either(die.b1, logic.both(!kept, die.r1));
  }
  if (dice == Unconditional::Reroll::BlanksAndFocuses) {
    die.b1 = logic.choose(kept, die.b1, die.r1);
    die.b2 = logic.either(kept, die.r2);
  }
}

/// Both lose what they have in common: x becomes max(x - y, 0), y becomes max(y - x, 0).
void cancel(Logic& logic, Number& x, Number& y) {
  Bits difference;
  Bit borrow = false;
  const std::size_t width = std::max(x.bits.size(), y.bits.size());
  for (std::size_t i = 0; i < width; ++i) {
    const Bit differ = logic.differ(x.bit(i), y.bit(i));
    difference.push_back(logic.differ(differ, borrow));
    borrow = logic.choose(differ, y.bit(i), borrow);
  }
  // A negative difference: its complement plus one.
  Bits left;
  Bits negated;
  Bit lower = false;
  for (const Bit bit : difference) {
    left.push_back(logic.both(!borrow, bit));
    negated.push_back(logic.both(borrow, logic.differ(bit, lower)));
    lower = logic.either(lower, bit);
  }
  x = Number(std::move(left), 0, x.most);
  y = Number(std::move(negated), 0, y.most);
}

}  // namespace

UnconditionalResults play_unconditional(const Unconditional& unconditional, const AttackAddress& address,
                                        Logic& logic) {
  Bits hit;
  Bits crit;
  for (int i = 0; i < unconditional.attack_dice; ++i) {
    UnconditionalDie die(logic, address.attack, i);
    reroll(logic, unconditional.reroll, die);
    crit.push_back(logic.both(die.b2, !logic.either(die.b1, die.b0)));
    hit.push_back(logic.both(!crit.back(), unconditional.attack_focus ? logic.either(die.b2, die.b1) : die.b2));
  }
  Bits evade;
  Bit all = true;
  for (int i = 0; i < unconditional.defense_dice; ++i) {
    const UnconditionalDie die(logic, address.defense, i);
    evade.push_back(unconditional.defense_focus ? logic.either(die.b1, logic.both(die.b2, die.b0))
                                                : logic.both(die.b2, logic.either(die.b1, die.b0)));
    all = logic.both(all, evade.back());
  }
  UnconditionalResults out{count(logic, hit), count(logic, crit)};
  Number evades = count(logic, evade);
  if (unconditional.evade) {
    evades = add(logic, evades, Number::of_bit(!all));
    evades = Number(std::move(evades.bits), 0, unconditional.defense_dice);
  }
  cancel(logic, out.hits, evades);
  cancel(logic, out.crits, evades);
  if (unconditional.reinforce) {
    const Bit goes = less(logic, 1, add(logic, out.hits, out.crits));
    const Bit hit_goes = logic.both(goes, nonzero(logic, out.hits));
    const int hits = out.hits.most;
    const int crits = out.crits.most;
    out.hits = subtract(logic, out.hits, Number::of_bit(hit_goes));
    out.crits = subtract(logic, out.crits, Number::of_bit(logic.both(goes, !hit_goes)));
    out.hits = Number(std::move(out.hits.bits), 0, hits);
    out.crits = Number(std::move(out.crits.bits), 0, crits);
  }
  return out;
}

std::optional<Unconditional> find_unconditional(const Setup& setup) {
  const game::Plan& plan = setup.plan;
  if (plan.attacks.size() != 1 || !usual_dice(setup)) return std::nullopt;
  if (!game::attack_happens(plan, plan.attacks[0], plan.start)) return std::nullopt;
  for (const game::ShipPlan& ship : plan.ships) {
    if (ship.effect_damage) return std::nullopt;
  }
  const Observed observed = Observer(setup).observe();
  if (!observed.unconditional || observed.attack_dice < 1 || observed.defense_dice < 0) return std::nullopt;
  const AttackAddress& address = setup.addresses.attacks[0];
  if (address.attack.slots != observed.attack_dice || address.defense.slots != observed.defense_dice)
    return std::nullopt;
  for (int choice = 0; choice < 48; ++choice) {
    const Unconditional unconditional{
        observed.attack_dice, observed.defense_dice, static_cast<Unconditional::Reroll>(choice % 3),
        choice / 3 % 2 != 0,  choice / 6 % 2 != 0,   choice / 12 % 2 != 0,
        choice / 24 != 0};
    const bool plane_for_rerolls = address.attack.low >= 0;
    if (unconditional.reroll != Unconditional::Reroll::None && !plane_for_rerolls) continue;
    if (fits(unconditional, observed)) return unconditional;
  }
  return std::nullopt;
}

}  // namespace salvo::sample
