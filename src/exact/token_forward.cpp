// Dense tables, forward. Successes are split into hits and critical hits here: of those that were rolled
// each is a critical hit with a fixed probability, those that a token made are hits.
#include <algorithm>

#include "exact/token_game.h"

namespace salvo::exact {
namespace {

class TokenForward {
 public:
  TokenForward(const Plan& plan, const TokenPlan& tokens, std::size_t k, const TokenTable& table, Forward& forward)
      : plan_(plan),
        tokens_(tokens),
        forward_(forward),
        k_(k),
        attack_(&tokens.attacks[k]),
        table_(&table),
        parts_(&table.parts) {}

  std::vector<Mass> run(const std::vector<Mass>& now) {
    std::vector<Mass> next = forward_.states(static_cast<std::size_t>(tokens_.live_size[k_ + 1]));
    outside_boxes_.assign(plan_.resources.size(), true);
    for (const Box* box : {&attack_->attacker_box, &attack_->defender_box}) {
      for (const Digit& digit : box->digits) outside_boxes_[static_cast<std::size_t>(digit.resource)] = false;
    }
    attacker_retires_ = retiring(attack_->attacker_box);
    defender_retires_ = retiring(attack_->defender_box);
    for (std::size_t c = 0; c < table_->cases.size(); ++c) {
      enter_case(c);
      for (std::size_t d = 0; d < parts_->defender.size(); ++d) {
        for (std::size_t h = 0; h < parts_->health.size(); ++h) {
          for (std::size_t a = 0; a < parts_->attacker.size(); ++a) {
            const int state =
                case_->state + parts_->attacker_state[a] + parts_->defender_state[d] + parts_->health_state[h];
            const Mass& mass = now[static_cast<std::size_t>(state)];
            if (mass.probability > 0) play_state(mass, a, d, h, next);
          }
        }
      }
    }
    forward_.finish_attack(k_);
    return next;
  }

 private:
  void enter_case(std::size_t c) {
    case_ = &table_->cases[c];
    choices_ = &table_->choices[c];
    n_ = case_->attack_dice;
    attack_rolls_ = three_face_rolls(tokens_.attack_face, n_);
    defense_rolls_ = three_face_rolls(tokens_.defense_face, case_->defense_dice);
    const auto width = static_cast<std::size_t>(n_ + 1);
    crits_.assign(width * width, 0.0);
    crits_[0] = 1.0;
    for (std::size_t s = 1; s < width; ++s) {
      for (std::size_t c2 = 0; c2 <= s; ++c2) {
        crits_[s * width + c2] = crits_[(s - 1) * width + c2] * (1 - tokens_.crit_share) +
                                 (c2 > 0 ? crits_[(s - 1) * width + c2 - 1] * tokens_.crit_share : 0.0);
      }
    }
  }

  int next_health(int health) const {
    if (parts_->leaves_when_destroyed && health == kHealthZero) health = kGone;
    return health * parts_->next_health_stride;
  }

  /// The tokens of one ship that get their final number with this attack: by number of the box, for each how many are
  /// left.
  struct Retiring {
    boost::container::small_vector<std::size_t, kMostDigits> resources;
    boost::container::small_vector<std::uint16_t, 32> left;
  };

  Retiring retiring(const Box& box) const {
    Retiring out;
    boost::container::small_vector<std::size_t, kMostDigits> digits;
    for (std::size_t i = 0; i < box.digits.size(); ++i) {
      const auto resource = static_cast<std::size_t>(box.digits[i].resource);
      if (!forward_.retires(k_, resource)) continue;
      digits.push_back(i);
      out.resources.push_back(resource);
    }
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

  void play_state(const Mass& mass, std::size_t a, std::size_t d, std::size_t h, std::vector<Mass>& next) {
    const int attacker = parts_->attacker[a];
    const int defender = parts_->defender[d];
    const bool happens = case_->happens && (attack_->health < 0 || parts_->health[h] != kGone);
    forward_.retire(k_, happens ? case_->after : case_->resources, mass.probability, outside_boxes_);
    if (!happens) {
      retire_box(attacker_retires_, attacker, mass.probability);
      retire_box(defender_retires_, defender, mass.probability);
      const int state = case_->next_skipped + parts_->next_attacker[static_cast<std::size_t>(attacker)] +
                        parts_->next_defender[static_cast<std::size_t>(defender)] + next_health(parts_->health[h]);
      forward_.move(k_, mass, 1.0, 0, 0, next[static_cast<std::size_t>(state)]);
      return;
    }
    AttackDistribution& figures = forward_.attack(k_);
    figures.happens += mass.probability;
    figures.attack_dice += mass.probability * n_;
    figures.defense_dice += mass.probability * case_->defense_dice;
    attack(mass.probability, a, d, h);
    neutralize(mass, d, h);
    arrive(mass, h, next);
  }

  DiceTable dice() const { return {n_}; }
  std::size_t square(int s, int f) const { return dice().at(s, f); }

  /// The attacker's dice: attacked_[class][results][of which rolled] from probability 1.
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
    if (rerolled)
      roll_kept(weight, pair, number - attack_->attacker_box.digits[static_cast<std::size_t>(attack_->lock)].stride);
  }

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
    const auto squares = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    const std::size_t at =
        (pair * static_cast<std::size_t>(attack_->attacker_box.size) + static_cast<std::size_t>(number)) * squares +
        square(s, f);
    const Spend& spend = attack_->attacker_box.spends[choices_->attack[at]];
    const int target = number - spend.delta;
    const int results = s + changed(spend, f, n_ - s - f);
    attacked_[static_cast<std::size_t>(parts_->attacker_class[static_cast<std::size_t>(target)]) * squares +
              square(results, s)] += p;
    retire_box(attacker_retires_, target, weight * p);
  }

  /// The defender's dice and what remains: left_[class][defender class][hits][crits].
  void neutralize(const Mass& mass, std::size_t d, std::size_t h) {
    const auto squares = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    left_.assign(parts_->class_offset.size() * parts_->defender_class_offset.size() * squares, 0.0);
    for (std::size_t c = 0; c < parts_->class_offset.size(); ++c) {
      for (int results = 0; results <= n_; ++results) {
        double total = 0;
        for (int s = 0; s <= results; ++s) total += attacked_[c * squares + square(results, s)];
        if (total == 0) continue;
        defend(mass.probability * total, c, results, d, h);
        for (int crits = 0; crits <= results; ++crits) {
          double p = 0;
          for (int s = crits; s <= results; ++s)
            p += attacked_[c * squares + square(results, s)] * crits_[square(s, crits)];
          if (p != 0) cancel(c, results, crits, p);
        }
      }
    }
  }

  /// What the defender makes of so many results: evaded_[defender class][evades], and those that are possible.
  void defend(double weight, std::size_t c, int results, std::size_t d, std::size_t h) {
    const auto width = static_cast<std::size_t>(n_ + 1);
    const std::size_t classes = parts_->defender_class_offset.size();
    evaded_.assign(classes * width, 0.0);
    const int number = parts_->defender[d];
    const std::size_t at =
        (((c * static_cast<std::size_t>(n_) + static_cast<std::size_t>(results - 1)) * parts_->defender.size() + d) *
             parts_->health.size() +
         h) *
        defense_rolls_.size();
    for (std::size_t r = 0; r < defense_rolls_.size(); ++r) {
      const ThreeFaceRoll& roll = defense_rolls_[r];
      const Spend& spend = attack_->defender_box.spends[results == 0 ? 0 : choices_->defense[at + r]];
      const int target = number - spend.delta;
      const int evades = std::min(results, roll.success + std::max(0, changed(spend, roll.focus, roll.blank)));
      evaded_[static_cast<std::size_t>(parts_->defender_class[static_cast<std::size_t>(target)]) * width +
              static_cast<std::size_t>(evades)] += roll.probability;
      retire_box(defender_retires_, target, weight * roll.probability);
    }
    answers_.clear();
    for (int evades = 0; evades <= results; ++evades) {
      for (std::size_t e = 0; e < classes; ++e) {
        const double q = evaded_[e * width + static_cast<std::size_t>(evades)];
        if (q != 0) answers_.push_back({evades, e, q});
      }
    }
  }

  /// Lets the answers of the defender cancel results of which so many are critical hits, which have probability p.
  void cancel(std::size_t c, int results, int crits, double p) {
    const std::size_t classes = parts_->defender_class_offset.size();
    for (const Answer& answer : answers_) {
      int h = std::max(0, results - crits - answer.evades);
      int k = crits - std::max(0, answer.evades - (results - crits));
      int extra = h + k - after_reinforce(*attack_, case_->reinforce, h + k);
      const int from_hits = std::min(h, extra);
      h -= from_hits;
      k -= extra - from_hits;
      left_[(c * classes + answer.defender_class) * dice().squares() + square(h, k)] += p * answer.probability;
    }
  }

  void arrive(const Mass& mass, std::size_t h, std::vector<Mass>& next) {
    AttackDistribution& figures = forward_.attack(k_);
    const auto squares = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    const std::size_t classes = parts_->defender_class_offset.size();
    if (attack_->health < 0) make_room(mass, next);
    for (std::size_t i = 0; i < parts_->class_offset.size() * classes; ++i) {
      for (int hits = 0; hits <= n_; ++hits) {
        for (int crits = 0; crits <= n_ - hits; ++crits) {
          const double p = left_[i * squares + square(hits, crits)];
          if (p == 0) continue;
          if (hits + crits > 0) figures.hit_probability += mass.probability * p;
          figures.mean_hits += mass.probability * p * hits;
          figures.mean_crits += mass.probability * p * crits;
          const int health =
              next_health(attack_->health < 0 ? 0 : std::max(kHealthZero, parts_->health[h] - hits - crits));
          const int state =
              case_->next + health + parts_->class_offset[i / classes] + parts_->defender_class_offset[i % classes];
          forward_.move(k_, mass, p, hits, crits, next[static_cast<std::size_t>(state)]);
        }
      }
    }
  }

  /// Lets the tables of what arrives grow at once instead of with each result.
  void make_room(const Mass& mass, std::vector<Mass>& next) {
    const std::size_t classes = parts_->defender_class_offset.size();
    for (std::size_t i = 0; i < parts_->class_offset.size() * classes; ++i) {
      const int state =
          case_->next + next_health(0) + parts_->class_offset[i / classes] + parts_->defender_class_offset[i % classes];
      Mass& to = next[static_cast<std::size_t>(state)];
      if (forward_.has_room(k_, mass, n_, n_, to)) continue;
      int most_hits = -1, most_crits = -1;
      for (int hits = 0; hits <= n_; ++hits) {
        for (int crits = 0; crits <= n_ - hits; ++crits) {
          if (left_[i * dice().squares() + square(hits, crits)] == 0) continue;
          most_hits = hits;
          most_crits = std::max(most_crits, crits);
        }
      }
      if (most_hits >= 0) forward_.make_room(k_, mass, most_hits, most_crits, to);
    }
  }

  /// Evades of the defender, with the class of its tokens afterwards.
  struct Answer {
    int evades = 0;
    std::size_t defender_class = 0;
    double probability = 0;
  };

  const Plan& plan_;
  const TokenPlan& tokens_;
  Forward& forward_;
  std::size_t k_;
  const TokenAttack* attack_;
  const TokenTable* table_;
  const StateParts* parts_;
  const OtherCase* case_ = nullptr;
  const Choices* choices_ = nullptr;
  int n_ = 0;
  Owned outside_boxes_;
  Rolls attack_rolls_, defense_rolls_;
  Retiring attacker_retires_, defender_retires_;
  boost::container::small_vector<Answer, 16> answers_;
  using Table = boost::container::small_vector<double, 64>;
  Table crits_, attacked_, kept_, evaded_, left_;
};

}  // namespace

std::vector<Mass> TokenGame::flow(const Plan& plan, const std::vector<Mass>& now, Forward& forward) const {
  return TokenForward(plan, *tokens_, k_, table_, forward).run(now);
}

}  // namespace salvo::exact
