#include "sample/kernel.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rules/play.h"
#include "sample/random_words.h"

namespace salvo::sample {
namespace {

constexpr std::uint8_t kAdded = 0xff;  // value of a die that was never rolled: its reroll reads only fresh bits

/// One die on the table.
struct PlayedDie {
  std::uint8_t face = 0;
  std::uint8_t value = 0;  ///< of the bits of its first roll
  std::uint8_t slot = 0;   ///< place of its random bits
  bool rerolled = false;
};

/// Dice of one pool in the order of their slots. Dice that are added after the roll follow.
struct Dice {
  std::array<PlayedDie, 2 * kMaxPool> die;
  int n = 0;

  int count(int face) const {
    int k = 0;
    for (int i = 0; i < n; ++i) k += die[static_cast<std::size_t>(i)].face == face;
    return k;
  }
  void remove(int face, int k) {
    int kept = 0;
    for (int i = 0; i < n; ++i) {
      if (k > 0 && die[static_cast<std::size_t>(i)].face == face) {
        --k;
      } else {
        die[static_cast<std::size_t>(kept++)] = die[static_cast<std::size_t>(i)];
      }
    }
    n = kept;
  }
  /// Removes the dice that a player chose; among equal ones the first.
  void remove(Pool chosen) {
    int kept = 0;
    for (int i = 0; i < n; ++i) {
      const PlayedDie& one = die[static_cast<std::size_t>(i)];
      if (chosen.count(one.face, one.rerolled) > 0) {
        chosen.add(one.face, one.rerolled, -1);
      } else {
        die[static_cast<std::size_t>(kept++)] = one;
      }
    }
    n = kept;
  }
  Pool counted() const {
    Pool pool;
    for (int i = 0; i < n; ++i)
      pool.add(die[static_cast<std::size_t>(i)].face, die[static_cast<std::size_t>(i)].rerolled, 1);
    return pool;
  }
};

/// Plays one sequence at a time and adds it to a tally.
class SequencePlayer {
 public:
  SequencePlayer(const Setup& setup, Tally& tally)
      : setup_(setup),
        plan_(setup.plan),
        tally_(tally),
        bits_(setup.generator, setup.addresses, setup.seed),
        hits_(plan_.ships.size()),
        crits_(plan_.ships.size()),
        damage_(plan_.ships.size()),
        faceup_(plan_.ships.size()) {}

  void play_sequence(std::uint64_t s) {
    bits_.begin_sequence(s);
    std::fill(hits_.begin(), hits_.end(), 0);
    std::fill(crits_.begin(), crits_.end(), 0);
    std::fill(damage_.begin(), damage_.end(), 0);
    mine_ = theirs_ = 0;
    std::fill(faceup_.begin(), faceup_.end(), 0);
    unplaced_dice_ = drawn_ = 0;
    Resources resources = plan_.start;
    for (std::size_t k = 0; k < plan_.attacks.size(); ++k) {
      if (rules::attack_happens(plan_, plan_.attacks[k], resources)) resources = play_attack(k, resources);
      resources = rules::end_attack(plan_, plan_.attacks[k], resources);
    }
    finish(resources);
  }

 private:
  Resources play_attack(std::size_t k, const Resources& resources) {
    attack_ = &plan_.attacks[k];
    attack_number_ = k;
    address_ = &setup_.addresses.attacks[k];
    counts_ = &tally_.attacks[k];
    ++counts_->happens;
    start_ = resources;
    position_ = rules::begin_attack(plan_, *attack_, resources);
    attack_dice_.n = defense_dice_.n = side_dice_ = 0;
    while (attack_->steps[position_.step].kind != Step::Kind::End) {
      jumped_ = false;
      play_step(static_cast<int>(k));
      if (!jumped_) ++position_.step;
    }
    return position_.resources;
  }

  void play_step(int k) {
    const Step& step = attack_->steps[position_.step];
    switch (step.kind) {
      case Step::Kind::Apply:
        for (const int e : step.effects) {
          apply(attack_->effects[static_cast<std::size_t>(e)]);
          if (jumped_) return;
        }
        break;
      case Step::Kind::Window:
        decide(k);
        break;
      case Step::Kind::Deal:
        break;
      case Step::Kind::StartAttackDice:
      case Step::Kind::StartDefenseDice:
        position_.dice = static_cast<std::int8_t>(step.base);
        position_.min_dice = static_cast<std::int8_t>(step.min);
        position_.max_dice = static_cast<std::int8_t>(step.max);
        break;
      case Step::Kind::Floor:
        position_.dice = std::max<std::int8_t>(position_.dice, 0);
        break;
      case Step::Kind::RollAttack:
        roll(attack_dice_, setup_.attack_code, address_->attack, counts_->attack_dice);
        break;
      case Step::Kind::RollDefense:
        roll(defense_dice_, setup_.defense_code, address_->defense, counts_->defense_dice);
        break;
      case Step::Kind::Neutralize:
        neutralize();
        break;
      case Step::Kind::Outcome:
        position_.hit = position_.hit || results_left() > 0;
        break;
      case Step::Kind::Damage:
        deal_damage();
        break;
      case Step::Kind::End:
        break;
    }
  }

  void roll(Dice& dice, const DieCode& code, const PoolAddress& address, Moments& counted) {
    const int n = std::min<int>(std::max(position_.dice, position_.min_dice), position_.max_dice);
    counted.add(static_cast<std::uint64_t>(n));
    dice.n = n;
    for (int slot = 0; slot < n; ++slot) {
      const int plane = address.first + slot * address.stride;
      unsigned value = bits_.bits(plane, code.bits);
      PlayedDie& die = dice.die[static_cast<std::size_t>(slot)];
      die.value = static_cast<std::uint8_t>(value);
      die.slot = static_cast<std::uint8_t>(slot);
      if (value >= static_cast<unsigned>(code.sides)) value = bits_.overflow(plane, code.sides);
      die.face = code.face[value];
      die.rerolled = false;
    }
    position_.dice = position_.min_dice = position_.max_dice = 0;
  }

  void reroll(PlayedDie& die, bool attack_dice) {
    const DieCode& code = attack_dice ? setup_.attack_code : setup_.defense_code;
    const PoolAddress& address = attack_dice ? address_->attack : address_->defense;
    const int plane = address.first + die.slot * address.stride + code.bits;
    const unsigned low =
        die.value == kAdded || code.low_bit_read[die.value] ? bits_.bit(address.low + die.slot) : die.value & 1u;
    unsigned value = bits_.bits(plane, code.bits - 1) << 1 | low;
    if (value >= static_cast<unsigned>(code.sides)) value = bits_.overflow(plane, code.sides);
    die.face = code.face[value];
    die.rerolled = true;
  }

  Position counted_position() const {
    Position out = position_;
    out.attack_pool = attack_dice_.counted();
    out.defense_pool = defense_dice_.counted();
    return out;
  }

  Dice& dice_of(bool attack_dice) { return attack_dice ? attack_dice_ : defense_dice_; }

  void pay(const std::vector<Cost>& costs) {
    for (const Cost& cost : costs) change_resource(cost.resource, -cost.n);
  }

  void change_resource(int index, int delta) {
    const Resource& r = plan_.resources[static_cast<std::size_t>(index)];
    position_.resources.set(r, std::clamp(position_.resources.get(r) + delta, 0, r.max));
  }

  using Amounts = std::array<int, kMostOperations>;

  Amounts amounts_of(const Effect& effect) const {
    Amounts out{};
    for (std::size_t i = 0; i < effect.operations.size(); ++i) {
      const Operation& operation = effect.operations[i];
      out[i] = operation.n;
      if (!operation.amount.empty()) out[i] = std::max(0, rules::evaluate(plan_, operation.amount, counted_position()));
    }
    return out;
  }

  /// Pays for an effect and does it; how much it gains, loses or damages is read before, but after a roll of its own.
  void act(const Effect& effect, const Pool* chosen) {
    Amounts amounts = amounts_of(effect);
    if (effect.used_bit >= 0) position_.used |= 1u << effect.used_bit;
    position_.used = (position_.used | effect.sets) & ~effect.clears;
    pay(effect.cost);
    for (std::size_t i = 0; i < effect.operations.size(); ++i) {
      operate(effect.operations[i], amounts[i], chosen);
      if (effect.operations[i].kind == Operation::Kind::Roll) {
        amounts = amounts_of(effect);
        position_.side_pool = SidePool();
      }
    }
    if (effect.jump >= 0) go_to(effect.jump);
  }

  void go_to(int step) {
    position_.step = static_cast<std::uint8_t>(step);
    jumped_ = true;
  }

  void roll_side(const Operation& operation, int n) {
    const DieCode& code = operation.attack_dice ? setup_.attack_code : setup_.defense_code;
    for (int i = 0; i < n; ++i) position_.side_pool.add(code.face[side_value(code)], 1);
  }

  unsigned side_value(const DieCode& code) {
    const PoolAddress& address = address_->side;
    if (side_dice_ >= address.slots) return bits_.side(unplaced_dice_++, code.sides);
    const int plane = address.first + side_dice_++ * address.stride;
    const unsigned value = bits_.bits(plane, code.bits);
    return value < static_cast<unsigned>(code.sides) ? value : bits_.overflow(plane, code.sides);
  }

  int results_left() const {
    return attack_dice_.count(plan_.attack_die.hit) + attack_dice_.count(plan_.attack_die.crit);
  }

  /// Damage to a ship. With a damage deck critical damage becomes due: it is suffered one at a time (deal_cards).
  void suffer(std::size_t victim, int hits, int crits) {
    if (attack_->deals.empty() || attack_->deals[victim].kinds.empty()) return remove(victim, hits + crits);
    if (rules::evaluate(plan_, attack_->deals[victim].hits_are_crits, counted_position(), 0) != 0)
      crits += std::exchange(hits, 0);
    count(attack_->deals[victim].facedown, std::max(0, hits - shields(victim)));
    remove(victim, hits);
    due_[victim] += crits;
  }

  int shields(std::size_t victim) const {
    const ShipPlan& ship = plan_.ships[static_cast<std::size_t>(attack_->victim(victim))];
    return ship.health < 0 ? 0 : std::max(0, value_of(ship.health) - kHealthZero - ship.counted_hull);
  }

  void count(int index, int delta) {
    if (index >= 0) change_resource(index, delta);
  }

  /// Suffers the critical damage that is due, and exposes cards. `back`: whether play goes on at the next step.
  void deal_cards(int back) {
    if (attack_->deals.empty()) return;
    const auto waiting = [](const auto& numbers) {
      return static_cast<std::size_t>(std::find_if(numbers.begin(), numbers.end(), [](int n) { return n > 0; }) -
                                      numbers.begin());
    };
    for (;;) {
      if (const std::size_t victim = waiting(due_); victim < kVictims) {
        suffer_crit(victim, back);
      } else if (const std::size_t exposed = waiting(exposing_); exposed < kVictims) {
        expose(exposed);
      } else {
        return;
      }
    }
  }

  /// How often each effect after a critical damage is applied: cards that this damage deals do not count.
  std::vector<int> times_after_crit(const DealPlan& deal) const {
    std::vector<int> times;
    for (const int e : deal.after_crit) {
      const Effect& effect = attack_->effects[static_cast<std::size_t>(e)];
      times.push_back(usable(effect) ? rules::evaluate(plan_, effect.times, counted_position()) : 0);
    }
    return times;
  }

  void apply_after_crit(const DealPlan& deal, const std::vector<int>& times) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Effect& effect = attack_->effects[static_cast<std::size_t>(deal.after_crit[i])];
      for (int n = 0; n < times[i]; ++n) act(effect, nullptr);
    }
  }

  /// A shield is lost, or a card drawn and resolved.
  void suffer_crit(std::size_t victim, int back) {
    const DealPlan& deal = attack_->deals[victim];
    const bool shielded = shields(victim) > 0;
    if (!shielded && asked_otherwise(deal.before, 0, false, back)) return deal_otherwise(victim, nullptr);
    const DrawKind* card = shielded ? nullptr : &draw(deal);
    if (!shielded) {
      const int drawn = static_cast<int>(card - deal.kinds.data()) + 1 + (card->trait << kCardBits);
      if (asked_otherwise(deal.seen, drawn, deal.before >= 0, back)) return deal_otherwise(victim, card);
    }
    const std::vector<int> times = times_after_crit(deal);
    --due_[victim];
    remove(victim, 1);
    if (card != nullptr) {
      count(card->seen, 1);
      lie_faceup(victim, *card);
      position_.used |= card->sets;
    }
    apply_after_crit(deal, times);
    if (card == nullptr) return;
    for (const int e : card->effects) repeat(attack_->effects[static_cast<std::size_t>(e)]);
  }

  void lie_faceup(std::size_t victim, const DrawKind& card) {
    ++faceup_[static_cast<std::size_t>(attack_->victim(victim))];
    count(card.faceup, 1);
    count(attack_->deals[victim].faceup, 1);
  }

  /// Options about a card that would be dealt faceup, at step `window`; true when it is dealt otherwise.
  bool asked_otherwise(int window, int drawn, bool asked, int back) {
    otherwise_ = nullptr;
    if (window < 0) return false;
    const Position before = position_;
    for (std::size_t v = 0; v < kVictims; ++v) {
      position_.due = (position_.due | static_cast<std::uint32_t>(due_[v]) << kDueBits * v) & ((1u << 24) - 1);
      position_.exposures = static_cast<std::uint8_t>(position_.exposures | exposing_[v] << kExposureBits * v);
    }
    position_.back = static_cast<std::uint8_t>(position_.step + back + 1);
    position_.step = static_cast<std::uint8_t>(window);
    position_.drawn = static_cast<std::uint8_t>(drawn);
    position_.asked = asked;
    std::vector<Option> options;
    for (bool more = true; more && otherwise_ == nullptr;) {
      forget_marks(attack_dice_, true);
      forget_marks(defense_dice_, false);
      const Position position = counted_position();
      if (!rules::has_options(plan_, *attack_, position)) break;
      setup_.policy.decide(plan_, attack_number_, start_, position, options);
      more = options.front().effect >= 0;
      if (more) act(attack_->effects[static_cast<std::size_t>(options.front().effect)], nullptr);
    }
    position_.due = before.due;
    position_.exposures = before.exposures;
    position_.back = before.back;
    position_.step = before.step;
    position_.drawn = before.drawn;
    position_.asked = before.asked;
    return otherwise_ != nullptr;
  }

  /// The card is dealt facedown or discarded. `card`: nullptr when nobody has seen it.
  void deal_otherwise(std::size_t victim, const DrawKind* card) {
    const DealPlan& deal = attack_->deals[victim];
    const std::vector<int> times = times_after_crit(deal);
    --due_[victim];
    if (card != nullptr) count(card->seen, 1);
    if (otherwise_->all) {
      --position_.extra[victim];
    } else {
      remove(victim, 1);
      count(card == nullptr ? deal.facedown : card->facedown >= 0 ? card->facedown : deal.others, 1);
    }
    apply_after_crit(deal, times);
  }

  /// Turns a facedown card of the victim faceup: each of them is equally likely.
  void expose(std::size_t victim) {
    const DealPlan& deal = attack_->deals[victim];
    const auto number = [&](int index) { return index < 0 ? 0 : value_of(index); };
    int all = number(deal.facedown) + number(deal.others);
    for (const DrawKind& kind : deal.kinds) all += number(kind.facedown);
    --exposing_[victim];
    if (all == 0) return;
    auto place = static_cast<int>(bits_.card(drawn_++, all));
    if (place < number(deal.facedown)) {
      const DrawKind& card = draw(deal);
      count(card.seen, 1);
      return turn_faceup(victim, card, deal.facedown);
    }
    place -= number(deal.facedown);
    for (const DrawKind& kind : deal.kinds) {
      if (place < number(kind.facedown)) return turn_faceup(victim, kind, kind.facedown);
      place -= number(kind.facedown);
    }
    turn_faceup(victim, DrawKind(), deal.others);
  }

  void turn_faceup(std::size_t victim, const DrawKind& card, int from) {
    count(from, -1);
    lie_faceup(victim, card);
    for (const int e : card.effects) repeat(attack_->effects[static_cast<std::size_t>(e)]);
  }

  void turn_facedown(const Operation& operation, int amount) {
    const CardCounts& cards = operation.cards;
    const bool counted = cards.kind >= 0 && plan_.resources[static_cast<std::size_t>(cards.kind)].dynamic;
    const int n = counted ? std::min(operation.all ? kMostCards : amount, value_of(cards.kind)) : amount;
    count(cards.kind, -n);
    count(cards.faceup, -n);
    count(cards.facedown, n);
  }

  int value_of(int index) const { return position_.resources.get(plan_.resources[static_cast<std::size_t>(index)]); }

  /// The kind of the next card: each card that was not dealt faceup before is equally likely.
  const DrawKind& draw(const DealPlan& deal) {
    const auto left = [&](const DrawKind& kind) { return kind.cards - (kind.seen < 0 ? 0 : value_of(kind.seen)); };
    int all = 0;
    for (const DrawKind& kind : deal.kinds) all += left(kind);
    auto place = static_cast<int>(bits_.card(drawn_++, all));
    std::size_t kind = 0;
    while (place >= left(deal.kinds[kind])) place -= left(deal.kinds[kind++]);
    return deal.kinds[kind];
  }

  /// Removes health; what it removes counts for the other side.
  void remove(std::size_t victim, int damage) {
    const int index = attack_->victim(victim);
    const ShipPlan& ship = plan_.ships[static_cast<std::size_t>(index)];
    damage_[static_cast<std::size_t>(index)] += damage;
    int gained = plan_.objective == Objective::Damage ? damage : 0;
    if (ship.health >= 0) {
      const Resource& r = plan_.resources[static_cast<std::size_t>(ship.health)];
      const int before = position_.resources.get(r) - kHealthZero;
      const int after = std::max(0, before - damage);
      position_.resources.set(r, after + kHealthZero);
      position_.removed[victim] = static_cast<std::uint8_t>(position_.removed[victim] + before - after);
      if (plan_.objective == Objective::Kill) gained = before > 0 && after == 0;
      if (plan_.objective == Objective::Health || plan_.objective == Objective::Exchange) gained = before - after;
    }
    (ship.mine ? theirs_ : mine_) += static_cast<std::uint64_t>(gained);
  }

  void apply(const Effect& effect) {
    repeat(effect);
    deal_cards(jumped_ ? 0 : 1);
  }

  void repeat(const Effect& effect) {
    const int times = rules::evaluate(plan_, effect.times, counted_position());
    for (int i = 0; i < times && !jumped_ && usable(effect); ++i) act(effect, nullptr);
  }

  bool usable(const Effect& effect) const {
    if (effect.used_bit >= 0 && (position_.used >> effect.used_bit & 1u) != 0) return false;
    if (rules::evaluate(plan_, effect.when, counted_position()) == 0) return false;
    return std::all_of(effect.cost.begin(), effect.cost.end(),
                       [&](const Cost& cost) { return value_of(cost.resource) >= cost.n; });
  }

  void decide(int k) {
    for (;;) {
      forget_marks(attack_dice_, true);
      forget_marks(defense_dice_, false);
      const Position position = counted_position();
      if (!rules::has_options(plan_, *attack_, position)) return;
      setup_.policy.decide(plan_, static_cast<std::size_t>(k), start_, position, options_);
      for (const Option& option : options_) {
        if (option.effect < 0) return;
        act(attack_->effects[static_cast<std::size_t>(option.effect)], &option.dice);
        deal_cards(0);
        if (jumped_) return;
      }
    }
  }

  /// Policies choose among dice without marks where no later reroll can tell them apart.
  void forget_marks(Dice& dice, bool attack_dice) {
    const auto end = dice.die.begin() + dice.n;
    if (std::none_of(dice.die.begin(), end, [](const PlayedDie& die) { return die.rerolled; })) return;
    if (rules::marks_matter(plan_, *attack_, position_, attack_dice)) return;
    for (auto die = dice.die.begin(); die != end; ++die) die->rerolled = false;
  }

  /// `chosen`: the dice that the player chose for a reroll or a change of some dice; nullptr: no choice.
  void operate(const Operation& operation, int amount, const Pool* chosen) {
    switch (operation.kind) {
      case Operation::Kind::Pool:
        position_.dice = static_cast<std::int8_t>(position_.dice + (operation.amount.empty() ? operation.n : amount));
        break;
      case Operation::Kind::Limit:
        position_.min_dice = std::max(position_.min_dice, static_cast<std::int8_t>(operation.min));
        position_.max_dice =
            std::min(position_.max_dice, static_cast<std::int8_t>(operation.amount.empty() ? operation.max : amount));
        break;
      case Operation::Kind::Gain:
        change_resource(operation.resource, amount);
        for (const int lock : operation.displaces) change_resource(lock, -1);
        break;
      case Operation::Kind::Lose:
        change_resource(operation.resource,
                        operation.all ? -plan_.resources[static_cast<std::size_t>(operation.resource)].max : -amount);
        for (const int lock : operation.displaces) change_resource(lock, -1);
        break;
      case Operation::Kind::Damage:
        suffer(operation.victim, operation.crit ? 0 : amount, operation.crit ? amount : 0);
        position_.extra[operation.victim] =
            static_cast<std::int8_t>(std::min(position_.extra[operation.victim] + amount, 127));
        break;
      case Operation::Kind::Expose:
        exposing_[operation.victim] = std::min(exposing_[operation.victim] + amount, kMostExposures);
        break;
      case Operation::Kind::Flip:
        turn_facedown(operation, amount);
        break;
      case Operation::Kind::Deal:
        otherwise_ = &operation;
        break;
      case Operation::Kind::Roll:
        roll_side(operation, amount);
        break;
      case Operation::Kind::Hit:
        position_.hit = true;
        if (operation.all) go_to(attack_->after_dice);
        break;
      case Operation::Kind::Add:
        add(operation, amount);
        break;
      case Operation::Kind::Cancel:
        if (operation.choose && chosen != nullptr) {
          dice_of(operation.attack_dice).remove(*chosen);
        } else {
          cancel(operation, amount);
        }
        break;
      case Operation::Kind::Reroll:
        each_chosen(operation, *chosen, true);
        break;
      case Operation::Kind::Change:
        if (operation.all || chosen == nullptr) {
          change_in_order(operation, amount);
        } else {
          each_chosen(operation, *chosen, false);
        }
        break;
    }
  }

  /// Chosen dice are taken from the lowest slots that show the face and mark.
  void each_chosen(const Operation& operation, Pool chosen, bool rerolls) {
    Dice& dice = dice_of(operation.attack_dice);
    for (int slot = 0; slot < dice.n; ++slot) {
      PlayedDie& die = dice.die[static_cast<std::size_t>(slot)];
      if (chosen.count(die.face, die.rerolled) == 0) continue;
      chosen.add(die.face, die.rerolled, -1);
      if (rerolls) {
        reroll(die, operation.attack_dice);
      } else {
        die.face = static_cast<std::uint8_t>(operation.to);
      }
    }
  }

  void change_in_order(const Operation& operation, int amount) {
    Dice& dice = dice_of(operation.attack_dice);
    int left = operation.all ? dice.n : amount;
    for (const int face : operation.from) {
      for (const bool mark : {false, true}) {
        for (int slot = 0; slot < dice.n && left > 0; ++slot) {
          PlayedDie& die = dice.die[static_cast<std::size_t>(slot)];
          if (die.face != face || die.rerolled != mark || face == operation.to) continue;
          die.face = static_cast<std::uint8_t>(operation.to);
          --left;
        }
      }
    }
  }

  void add(const Operation& operation, int amount) {
    Dice& dice = dice_of(operation.attack_dice);
    for (int i = 0; i < amount && dice.n < kMaxPool; ++i) {
      const int slot = dice.n == 0 ? 0 : dice.die[static_cast<std::size_t>(dice.n - 1)].slot + 1;
      dice.die[static_cast<std::size_t>(dice.n++)] = {static_cast<std::uint8_t>(operation.to), kAdded,
                                                      static_cast<std::uint8_t>(slot), false};
    }
  }

  void cancel(const Operation& operation, int amount) {
    Dice& dice = dice_of(operation.attack_dice);
    int left = operation.all ? dice.n : amount;
    for (const int face : operation.from) {
      const int k = std::min(left, dice.count(face));
      dice.remove(face, k);
      left -= k;
    }
  }

  void neutralize() {
    const int hit = plan_.attack_die.hit;
    const int crit = plan_.attack_die.crit;
    int evades = defense_dice_.count(plan_.defense_die.evade);
    for (int turn = 0; turn < 2; ++turn) {  // 000: Attack, Neutralize Results
      const bool crits_now = (turn == 0) == attack_->crits_first;
      if (crits_now ? attack_->uncancellable_crits : attack_->uncancellable_hits) continue;
      const int face = crits_now ? crit : hit;
      const int k = std::min(evades, attack_dice_.count(face));
      attack_dice_.remove(face, k);
      evades -= k;
    }
    for (int face = 0; face < plan_.attack_die.faces; ++face) {
      if (face != hit && face != crit) attack_dice_.remove(face, attack_dice_.n);
    }
    defense_dice_.n = 0;
  }

  void deal_damage() {
    const auto defender = static_cast<std::size_t>(attack_->defender);
    const int h = attack_dice_.count(plan_.attack_die.hit);
    const int c = attack_dice_.count(plan_.attack_die.crit);
    attack_dice_.n = 0;
    hits_[defender] += h;
    crits_[defender] += c;
    counts_->hits_at_all += position_.hit || h + c > 0;
    counts_->hits.add(static_cast<std::uint64_t>(h));
    counts_->crits.add(static_cast<std::uint64_t>(c));
    position_.hits = static_cast<std::uint8_t>(h);
    position_.crits = static_cast<std::uint8_t>(c);
    suffer(kDefender, h, c);
    deal_cards(1);
  }

  void finish(const Resources& resources) {
    ++tally_.trials;
    for (std::size_t s = 0; s < hits_.size(); ++s) {
      ShipTally& ship = tally_.ships[s];
      ++ship.joint[static_cast<std::size_t>(hits_[s] * ship.width + crits_[s])];
      ship.faceup.add(static_cast<std::uint64_t>(faceup_[s]));
      if (!ship.damage.empty()) ++ship.damage[std::min(static_cast<std::size_t>(damage_[s]), ship.damage.size() - 1)];
    }
    for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
      const int left = resources.get(plan_.resources[i]);
      tally_.resources[i].add(static_cast<std::uint64_t>(left));
      if (!tally_.numbers[i].empty()) ++tally_.numbers[i][static_cast<std::size_t>(left)];
    }
    tally_.mine.add(mine_);
    tally_.theirs.add(theirs_);
    tally_.mixed += Wide{mine_} * theirs_;
  }

  const Setup& setup_;
  const Plan& plan_;
  Tally& tally_;
  RandomWords bits_;
  const AttackPlan* attack_ = nullptr;
  const AttackAddress* address_ = nullptr;
  AttackTally* counts_ = nullptr;
  Resources start_;  ///< with which the attack began
  std::vector<Option> options_;
  Position position_;  ///< resources and step; its pools stay empty
  Dice attack_dice_, defense_dice_;
  std::vector<int> hits_, crits_, damage_;
  std::vector<int> faceup_;               ///< damage cards dealt faceup, by ship
  std::array<int, kVictims> due_{};       ///< critical damage still to be suffered
  std::array<int, kVictims> exposing_{};  ///< damage cards still to be exposed
  const Operation* otherwise_ = nullptr;  ///< how the card that would be dealt faceup is dealt
  std::size_t attack_number_ = 0;
  std::uint64_t mine_ = 0, theirs_ = 0;
  int side_dice_ = 0;      ///< rolled for effects in this attack
  int unplaced_dice_ = 0;  ///< of those in this sequence that have no place among the planes
  int drawn_ = 0;          ///< damage cards in this sequence
  bool jumped_ = false;    ///< an effect sent play to another step
};

}  // namespace

Setup prepare(const Plan& plan, const Policy& policy, std::uint64_t seed, Generator generator) {
  Setup setup{plan, policy, encode(plan.attack_die), encode(plan.defense_die), {}, seed, generator};
  setup.addresses = assign_addresses(plan, setup.attack_code, setup.defense_code);
  return setup;
}

void play(const Setup& setup, std::uint64_t first, std::uint64_t last, Tally& tally) {
  SequencePlayer player(setup, tally);
  for (std::uint64_t s = first; s < last; ++s) player.play_sequence(s);
}

}  // namespace salvo::sample
