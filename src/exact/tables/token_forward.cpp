// Propagates probability through the dense tables. Splits successes into hits and critical hits: each rolled success is
// critical with a fixed probability, successes made by tokens are hits.
#include <algorithm>
#include <array>

#include "base/index.h"
#include "exact/tables/token_game.h"

namespace salvo::exact {
namespace {

// The layers of the pass share one object: inner loops reach all tables from one pointer.

/// The attack, and the current combination of the other digits.
class TokenCase {
 protected:
  TokenCase(const game::Plan& plan, const TokenPlan& tokens, std::size_t k, const TokenTable& table, Forward& forward)
      : plan_(plan),
        tokens_(tokens),
        forward_(forward),
        k_(k),
        attack_(&tokens.attacks[k]),
        table_(&table),
        parts_(&table.parts) {}

  void enter_case(std::size_t c) {
    case_ = &table_->cases[c];
    choices_ = &table_->choices[c];
    n_ = case_->attack_dice;
    list_three_face_rolls(tokens_.attack_face, n_, attack_rolls_);
    list_three_face_rolls(tokens_.defense_face, case_->defense_dice, defense_rolls_);
    fill_crits();
  }

  /// crits_[s][c]: the probability that c of s successes that were rolled are critical hits.
  void fill_crits() {
    const auto width = static_cast<std::size_t>(n_ + 1);
    crits_.resize(width * width, boost::container::default_init);  // those above the diagonal are not read
    const double crit = tokens_.crit_share, hit = 1 - crit;
    double* row = crits_.data();
    row[0] = 1.0;
    for (std::size_t s = 1; s < width; ++s) {
      const double* before = row;
      row += width;
      row[0] = before[0] * hit;
      for (std::size_t c = 1; c < s; ++c) row[c] = before[c] * hit + before[c - 1] * crit;
      row[s] = before[s - 1] * crit;
    }
  }

  int next_health(int health) const {
    if (parts_->leaves_when_destroyed && health == game::kHealthZero) health = game::kGone;
    return health * parts_->next_health_stride;
  }

  DiceTable dice() const { return {n_}; }
  std::size_t square(int s, int f) const { return dice().at(s, f); }

  const game::Plan& plan_;
  const TokenPlan& tokens_;
  Forward& forward_;
  std::size_t k_;
  const TokenAttack* attack_;
  const TokenTable* table_;
  const StateParts* parts_;
  const OtherCase* case_ = nullptr;
  const Choices* choices_ = nullptr;
  int n_ = 0;  ///< attack dice
  Rolls attack_rolls_, defense_rolls_;
  using Table = boost::container::small_vector<double, 64>;
  Table crits_;
};

/// Records the tokens that get their final number with the attack.
class RetiringTokens : protected TokenCase {
 protected:
  using TokenCase::TokenCase;

  /// The tokens of one ship that get their final number with this attack.
  struct Retiring {
    boost::container::small_vector<std::size_t, kMaxDigits> resources;
    boost::container::small_vector<std::uint16_t, 32> left;  ///< [number of the box][resource]
    bool by_mean = false;                                    ///< at most two resources, reported by their means only
  };

  void find_retiring() {
    outside_boxes_.assign(plan_.resources.size(), true);
    for (const TokenBox* box : {&attack_->attacker_box, &attack_->defender_box}) {
      for (const Digit& digit : box->digits) base::nth(outside_boxes_, digit.resource) = false;
    }
    attacker_retires_ = retiring(attack_->attacker_box);
    defender_retires_ = retiring(attack_->defender_box);
  }

  Retiring retiring(const TokenBox& box) const {
    Retiring out;
    boost::container::small_vector<std::size_t, kMaxDigits> digits;
    for (std::size_t i = 0; i < box.digits.size(); ++i) {
      const auto resource = static_cast<std::size_t>(box.digits[i].resource);
      if (!forward_.retires(k_, resource)) continue;
      digits.push_back(i);
      out.resources.push_back(resource);
    }
    out.by_mean = digits.size() <= 2 && std::none_of(out.resources.begin(), out.resources.end(),
                                                     [&](std::size_t r) { return forward_.counts_numbers(r); });
    if (digits.empty()) return out;
    out.left.reserve(static_cast<std::size_t>(box.size) * digits.size());
    for (int number = 0; number < box.size; ++number) {
      for (const std::size_t i : digits) out.left.push_back(static_cast<std::uint16_t>(box.value(number, i)));
    }
    return out;
  }

  void retire_box(const Retiring& box, int number, double probability) {
    const std::uint16_t* left = box.left.data() + static_cast<std::size_t>(number) * box.resources.size();
    for (const std::size_t resource : box.resources) forward_.leave(resource, *left++, probability);
  }

  /// The sums of Retiring::by_mean during a loop, in registers: additions to memory would wait for one another.
  struct Means {
    double first = 0, second = 0;
  };

  Means means(const Retiring& box) const {
    Means out;
    if (!box.resources.empty()) out.first = forward_.mean_left(box.resources[0]);
    if (box.resources.size() > 1) out.second = forward_.mean_left(box.resources[1]);
    return out;
  }

  void set_means(const Retiring& box, const Means& sums) {
    if (!box.resources.empty()) forward_.mean_left(box.resources[0]) = sums.first;
    if (box.resources.size() > 1) forward_.mean_left(box.resources[1]) = sums.second;
  }

  ResourceMarks outside_boxes_;
  Retiring attacker_retires_, defender_retires_;
};

/// The dice of the attacker: rolls, rerolls and changes.
class AttackerDice : protected RetiringTokens {
 protected:
  using RetiringTokens::RetiringTokens;

  /// The attacker's dice: attacked_[class][results][rolled results]. The probabilities sum to 1.
  void attack(double weight, std::size_t a, std::size_t d, std::size_t h) {
    const int number = parts_->attacker[a];
    const std::size_t pair = d * parts_->health.size() + h;
    const auto squares = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    attacked_.assign(parts_->class_offset.size() * squares, 0.0);
    const std::uint16_t* reroll =
        attack_->lock >= 0 ? &choices_->reroll[(pair * parts_->attacker.size() + a) * squares] : nullptr;
    bool rerolled = false;
    kept_.assign(reroll != nullptr ? squares * static_cast<std::size_t>(n_ + 1) : 0, 0.0);
    for (const ThreeFaceRoll& roll : attack_rolls_) {
      const int taken = reroll == nullptr ? 0 : reroll[square(roll.success, roll.focus)];
      if (taken == 0) {
        change(weight, pair, number, roll.success, roll.focus, roll.probability);
      } else {
        kept_[dice().at(roll.success, (taken - 1) / 32, (taken - 1) % 32)] += roll.probability;
        rerolled = true;
      }
    }
    if (rerolled) roll_kept(weight, pair, number - base::nth(attack_->attacker_box.digits, attack_->lock).stride);
  }

  Table attacked_;

 private:
  /// Rolls the missing dice one at a time.
  void roll_kept(double weight, std::size_t pair, int number) {
    roll_missing(dice(), tokens_.attack_face, kept_.data());
    for (int s = 0; s <= n_; ++s) {
      for (int f = 0; f <= n_ - s; ++f) {
        const double p = kept_[dice().at(s, f, n_ - s - f)];
        if (p != 0) change(weight, pair, number, s, f, p);
      }
    }
  }

  void change(double weight, std::size_t pair, int number, int s, int f, double p) {
    const std::size_t squares = dice().squares();
    const std::size_t at =
        (pair * static_cast<std::size_t>(attack_->attacker_box.size) + static_cast<std::size_t>(number)) * squares +
        square(s, f);
    const std::size_t taken = choices_->attack[at];
    const Spend& spend = attack_->attacker_box.spends[taken];
    const int target = number - spend.delta;
    const int results = taken == 0 ? s : s + changed(spend, f, n_ - s - f);
    attacked_[static_cast<std::size_t>(base::nth(parts_->attacker_class, target)) * squares + square(results, s)] += p;
    retire_box(attacker_retires_, target, weight * p);
  }

  Table kept_;
};

/// The dice of the defender, and the remaining results.
class DefenderDice : protected AttackerDice {
 protected:
  using AttackerDice::AttackerDice;

  /// The defender's dice and the remaining results: left_[class][defender class][hits][crits].
  void neutralize(const Mass& mass, std::size_t d, std::size_t h) {
    const auto width = static_cast<std::size_t>(n_ + 1);
    left_.assign(parts_->class_offset.size() * parts_->defender_class_offset.size() * width * width, 0.0);
    for (std::size_t c = 0; c < parts_->class_offset.size(); ++c) {
      const double* rolled = attacked_.data() + c * width * width;  // [results][rolled results]
      for (int results = 0; results <= n_; ++results, rolled += width) {
        double total = 0;
        for (int s = 0; s <= results; ++s) total += rolled[s];
        if (total == 0) continue;
        defend(mass.probability * total, c, results, d, h);
        for (int crits = 0; crits <= results; ++crits) {
          double p = 0;
          const double* share = crits_.data() + static_cast<std::size_t>(crits) * (width + 1);
          for (int s = crits; s <= results; ++s, share += width) p += rolled[s] * *share;
          if (p != 0) cancel(c, results, crits, p);
        }
      }
    }
  }

  /// Sets spent_ for a number of the defender's box.
  void list_spent(int number) {
    const auto& spends = attack_->defender_box.spends;
    const std::size_t retired = defender_retires_.by_mean ? defender_retires_.resources.size() : 0;
    spent_.resize(spends.size());
    for (std::size_t i = 0; i < spends.size(); ++i) {
      const int target = number - spends[i].delta;
      if (target < 0) continue;  // never chosen: it takes more tokens than there are
      spent_[i].row = static_cast<std::size_t>(base::nth(parts_->defender_class, target) * (n_ + 1));
      spent_[i].target = target;
      for (std::size_t r = 0; r < retired; ++r)
        spent_[i].left[r] = defender_retires_.left[static_cast<std::size_t>(target) * retired + r];
    }
  }

  Table left_;

 private:
  /// Evades of the defender, and the class of its tokens afterwards.
  struct Answer {
    int evades = 0;
    std::size_t table = 0;  ///< index into left_ of the table of the class
    double probability = 0;
  };

  /// A spend of the defender's current box number.
  struct Spent {
    std::size_t row = 0;           ///< index into evaded_ of the row of the class afterwards
    int target = 0;                ///< number of the box afterwards
    std::array<double, 2> left{};  ///< what remains of the resources of Retiring::by_mean
  };

  /// The defender's answers to a number of results: evaded_[defender class][evades], and answers_.
  void defend(double weight, std::size_t c, int results, std::size_t d, std::size_t h) {
    const auto width = static_cast<std::size_t>(n_ + 1);
    const std::size_t classes = parts_->defender_class_offset.size();
    evaded_.assign(classes * width, 0.0);
    const std::size_t at =
        (((c * static_cast<std::size_t>(n_) + static_cast<std::size_t>(results - 1)) * parts_->defender.size() + d) *
             parts_->health.size() +
         h) *
        defense_rolls_.size();
    const std::uint16_t* choice = results == 0 ? nullptr : choices_->defense.data() + at;
    if (defender_retires_.by_mean) {
      Means sums = means(defender_retires_);
      answer(choice, results, [&](const Spent& spent, double p) {
        sums.first += weight * p * spent.left[0];
        sums.second += weight * p * spent.left[1];
      });
      set_means(defender_retires_, sums);
    } else {
      answer(choice, results,
             [&](const Spent& spent, double p) { retire_box(defender_retires_, spent.target, weight * p); });
    }
    list_answers(results);
  }

  /// Adds each roll of the defender to evaded_. `choice`: by roll; nullptr if there is nothing to cancel.
  template <typename Retire>
  void answer(const std::uint16_t* choice, int results, Retire retire) {
    const Spend* spends = attack_->defender_box.spends.data();
    const Spent* spent = spent_.data();
    double* evaded = evaded_.data();
    for (const ThreeFaceRoll& roll : defense_rolls_) {
      const std::size_t taken = choice == nullptr ? 0 : *choice++;
      const int made = taken == 0 ? 0 : std::max(0, changed(spends[taken], roll.focus, roll.blank));
      evaded[spent[taken].row + static_cast<std::size_t>(std::min(results, roll.success + made))] += roll.probability;
      retire(spent[taken], roll.probability);
    }
  }

  void list_answers(int results) {
    const auto width = static_cast<std::size_t>(n_ + 1);
    const std::size_t classes = parts_->defender_class_offset.size();
    const double* evaded = evaded_.data();
    answers_.clear();
    for (int evades = 0; evades <= results; ++evades, ++evaded) {
      for (std::size_t e = 0; e < classes; ++e) {
        const double q = evaded[e * width];
        if (q != 0) answers_.push_back({evades, e * dice().squares(), q});
      }
    }
  }

  /// Applies the defender's answers to `results` results, `crits` of them critical, which have probability p.
  void cancel(std::size_t c, int results, int crits, double p) {
    double* left = left_.data() + c * parts_->defender_class_offset.size() * dice().squares();
    const int only_hits = results - crits;
    if (case_->reinforce == 0) {
      const std::size_t all = square(only_hits, crits), width = static_cast<std::size_t>(n_ + 1);
      for (const Answer& answer : answers_) {  // cancels hits, one row each, then critical hits
        const std::size_t cell = answer.evades <= only_hits ? all - static_cast<std::size_t>(answer.evades) * width
                                                            : static_cast<std::size_t>(results - answer.evades);
        left[answer.table + cell] += p * answer.probability;
      }
      return;
    }
    for (const Answer& answer : answers_) {
      int h = std::max(0, only_hits - answer.evades);
      int k = crits - std::max(0, answer.evades - only_hits);
      const int extra = h + k - after_reinforce(*attack_, case_->reinforce, h + k);
      const int from_hits = std::min(h, extra);
      h -= from_hits;
      k -= extra - from_hits;
      left[answer.table + square(h, k)] += p * answer.probability;
    }
  }

  boost::container::small_vector<Spent, 8> spent_;
  boost::container::small_vector<Answer, 16> answers_;
  Table evaded_;
};

/// The attack from all states in which it begins.
class TokenForward : private DefenderDice {
 public:
  TokenForward(const game::Plan& plan, const TokenPlan& tokens, std::size_t k, const TokenTable& table,
               Forward& forward)
      : DefenderDice(plan, tokens, k, table, forward) {}

  std::vector<Mass> run(const std::vector<Mass>& now) {
    std::vector<Mass> next = forward_.states(static_cast<std::size_t>(tokens_.live_size[k_ + 1]));
    find_retiring();
    for (std::size_t c = 0; c < table_->cases.size(); ++c) {
      enter_case(c);
      for (std::size_t d = 0; d < parts_->defender.size(); ++d) {
        for (std::size_t h = 0; h < parts_->health.size(); ++h) {
          for (std::size_t a = 0; a < parts_->attacker.size(); ++a) {
            const int state =
                case_->state + parts_->attacker_state[a] + parts_->defender_state[d] + parts_->health_state[h];
            const Mass& mass = base::nth(now, state);
            if (mass.probability > 0) play_state(mass, a, d, h, next);
          }
        }
      }
    }
    forward_.finish_attack(k_);
    return next;
  }

 private:
  void play_state(const Mass& mass, std::size_t a, std::size_t d, std::size_t h, std::vector<Mass>& next) {
    const int attacker = parts_->attacker[a];
    const int defender = parts_->defender[d];
    const bool happens = case_->happens && (attack_->health < 0 || parts_->health[h] != game::kGone);
    forward_.retire(k_, happens ? case_->after : case_->resources, mass.probability, outside_boxes_);
    if (!happens) {
      retire_box(attacker_retires_, attacker, mass.probability);
      retire_box(defender_retires_, defender, mass.probability);
      const int state = case_->next_skipped + base::nth(parts_->next_attacker, attacker) +
                        base::nth(parts_->next_defender, defender) + next_health(parts_->health[h]);
      forward_.move(k_, mass, 1.0, 0, 0, base::nth(next, state));
      return;
    }
    game::AttackDistribution& estimates = forward_.attack(k_);
    estimates.happens += mass.probability;
    estimates.attack_dice += mass.probability * n_;
    estimates.defense_dice += mass.probability * case_->defense_dice;
    attack(mass.probability, a, d, h);
    list_spent(defender);
    neutralize(mass, d, h);
    arrive(mass, h, next);
  }

  void arrive(const Mass& mass, std::size_t h, std::vector<Mass>& next) {
    const std::size_t classes = parts_->defender_class_offset.size();
    for (std::size_t i = 0; i < parts_->class_offset.size() * classes; ++i) {
      const double* left = left_.data() + i * dice().squares();
      note_results(mass.probability, left);
      const int base = case_->next + parts_->class_offset[i / classes] + parts_->defender_class_offset[i % classes];
      if (attack_->health < 0) {
        forward_.move_results(k_, mass, n_, left, base::nth(next, base + next_health(0)));
      } else {
        arrive_by_health(mass, parts_->health[h], base, left, next);
      }
    }
  }

  /// Adds to the estimates of the attack, from left[hits][crits].
  void note_results(double weight, const double* left) {
    game::AttackDistribution& estimates = forward_.attack(k_);
    double any = estimates.hit_probability, mean_hits = estimates.mean_hits, mean_crits = estimates.mean_crits;
    for (int hits = 0; hits <= n_; ++hits, left += n_ + 1) {
      for (int crits = 0; crits <= n_ - hits; ++crits) {
        const double p = weight * left[crits];
        if (hits + crits > 0) any += p;
        mean_hits += p * hits;
        mean_crits += p * crits;
      }
    }
    estimates.hit_probability = any;
    estimates.mean_hits = mean_hits;
    estimates.mean_crits = mean_crits;
  }

  /// For states that include the health: the number of results decides the next state.
  void arrive_by_health(const Mass& mass, int before, int base, const double* left, std::vector<Mass>& next) {
    for (int hits = 0; hits <= n_; ++hits) {
      for (int crits = 0; crits <= n_ - hits; ++crits) {
        const double p = left[square(hits, crits)];
        if (p == 0) continue;
        const int state = base + next_health(std::max(game::kHealthZero, before - hits - crits));
        forward_.move(k_, mass, p, hits, crits, base::nth(next, state));
      }
    }
  }
};

}  // namespace

std::vector<Mass> TokenGame::flow(const game::Plan& plan, const std::vector<Mass>& now, Forward& forward) const {
  return TokenForward(plan, *tokens_, k_, table_, forward).run(now);
}

}  // namespace salvo::exact
