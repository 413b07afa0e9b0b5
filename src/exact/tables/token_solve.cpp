// Solves the dense tables backward. Values are those of the attacker of each attack, who maximises; the defender
// minimises.
#include <algorithm>
#include <optional>

#include "base/index.h"
#include "exact/tables/token_game.h"
#include "game/play.h"

namespace salvo::exact {

namespace {

enum class Mode : std::uint8_t { Choose, Fixed, Hold };

/// A spend that the tokens and the roll allow. Uninitialized, so that large lists cost nothing.
struct Candidate {
  std::uint16_t spend;  ///< index into TokenBox::spends
  std::uint8_t changed;
  std::uint8_t total;  ///< tokens spent
  int place;           ///< index of the values with the tokens that remain
};

/// A spend that a number of a box can pay, before the dice are known.
struct Payable {
  const Spend* spend;
  Candidate candidate;
};
using Payables = boost::container::small_vector<Payable, 16>;

/// Lists the spends of a box that `number` can pay, most preferred first. `place`: Candidate::place by the number
/// afterwards.
template <typename Place>
void list_payable(const TokenBox& box, int number, Place place, Payables& out) {
  out.clear();
  for (const Spend& spend : box.spends) {
    if (!affordable(box, number, spend)) continue;
    out.push_back({&spend,
                   {static_cast<std::uint16_t>(&spend - box.spends.data()), 0, static_cast<std::uint8_t>(spend.total),
                    place(number - spend.delta)}});
  }
}

/// Writes the spends that a roll allows, and returns their end. There must be room for all.
inline Candidate* write_candidates(const Payables& payable, int focus, int blank, Candidate* out) {
  for (const Payable& one : payable) {
    const int x = one.candidate.total == 0 ? 0 : changed(*one.spend, focus, blank);
    if (x < 0) continue;
    *out = one.candidate;
    out->changed = static_cast<std::uint8_t>(x);
    ++out;
  }
  return out;
}

/// Candidates by number of the box and roll, most preferred first.
class CandidateLists {
 public:
  /// Lists candidates for the numbers `starts` and all rolls of up to `dice` dice. `place`: see list_payable.
  template <typename Place>
  CandidateLists(const TokenBox& box, const Numbers& starts, int dice, Place place)
      : width_(dice + 1),
        list_(starts.size() * box.spends.size() * static_cast<std::size_t>((dice + 1) * (dice + 2) / 2),
              boost::container::default_init),
        first_(starts.size() * static_cast<std::size_t>(width_ * width_) + 1, boost::container::default_init) {
    int* first = first_.data();
    Candidate* end = list_.data();
    *first++ = 0;
    Payables payable;
    for (const int start : starts) {
      list_payable(box, start, place, payable);
      for (int f = 0; f < width_; ++f) {
        for (int b = 0; b < width_; ++b) {
          if (f + b <= dice) end = write_candidates(payable, f, b, end);
          *first++ = static_cast<int>(end - list_.data());
        }
      }
    }
  }
  const Candidate* begin(std::size_t start, int f, int b) const { return list_.data() + first_[index(start, f, b)]; }
  const Candidate* end(std::size_t start, int f, int b) const { return list_.data() + first_[index(start, f, b) + 1]; }

 private:
  std::size_t index(std::size_t start, int f, int b) const {
    const auto w = static_cast<std::size_t>(width_);
    return (start * w + static_cast<std::size_t>(f)) * w + static_cast<std::size_t>(b);
  }

  int width_;
  boost::container::small_vector<Candidate, 96> list_;
  boost::container::small_vector<int, 96> first_;
};

/// Solves one attack, one OtherCase at a time, in three stages: ends, defense, attack. One class although it is long:
/// the stages share arrays whose sizes depend on the case, and a small game takes microseconds only if all of it is
/// inlined.
template <typename V>
class LocalGame {
 public:
  LocalGame(const game::Plan& plan, const TokenPlan& tokens, std::size_t k, TokenTable& table)
      : plan_(plan), tokens_(tokens), attack_(tokens.attacks[k]), table_(table), parts_(table.parts) {
    // After a reroll the lock is spent; those numbers need choices, too.
    needed_ = parts_.attacker;
    if (attack_.lock >= 0) {
      for (const int start : parts_.attacker) {
        if (lock_at(start)) needed_.push_back(start - lock_stride());
      }
    }
    std::sort(needed_.begin(), needed_.end());
    needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
  }

  /// Sets the values of the states in which the attack begins from those after it. `none`: take these as 0.
  void run(const std::vector<Value>& next, bool none, Mode attacker, Mode defender, std::vector<Value>& here) {
    attacker_mode_ = attacker;
    defender_mode_ = defender;
    for (std::size_t c = 0; c < table_.cases.size(); ++c) {
      case_ = &table_.cases[c];
      choices_ = &table_.choices[c];
      if (case_->happens) solve_case(next, none);
      for (std::size_t a = 0; a < parts_.attacker.size(); ++a) {
        for (std::size_t d = 0; d < parts_.defender.size(); ++d) {
          for (std::size_t h = 0; h < parts_.health.size(); ++h) {
            const int state =
                case_->state + parts_.attacker_state[a] + parts_.defender_state[d] + parts_.health_state[h];
            base::nth(here, state) = happens(h) ? values_[(d * parts_.health.size() + h) * parts_.attacker.size() + a]
                                                      .times(table_.gain_sign)
                                                      .value()
                                                : skipped(next, none, a, d, h);
          }
        }
      }
    }
  }

  double evaluations() const { return static_cast<double>(evaluations_); }

 private:
  bool lock_at(int number) const {
    return attack_.attacker_box.value(number, static_cast<std::size_t>(attack_.lock)) > 0;
  }
  int lock_stride() const { return base::nth(attack_.attacker_box.digits, attack_.lock).stride; }
  bool happens(std::size_t h) const {
    return case_->happens && (attack_.health < 0 || parts_.health[h] != game::kGone);
  }

  int next_health(int health) const {
    if (parts_.leaves_when_destroyed && health == game::kHealthZero) health = game::kGone;
    return health * parts_.next_health_stride;
  }

  Value skipped(const std::vector<Value>& next, bool none, std::size_t a, std::size_t d, std::size_t h) const {
    if (none) return {};
    const int state = case_->next_skipped + base::nth(parts_.next_attacker, parts_.attacker[a]) +
                      base::nth(parts_.next_defender, parts_.defender[d]) + next_health(parts_.health[h]);
    return base::nth(next, state);
  }

  void solve_case(const std::vector<Value>& next, bool none) {
    n_ = case_->attack_dice;
    m_ = case_->defense_dice;
    list_three_face_rolls(tokens_.attack_face, n_, attack_rolls_);
    list_three_face_rolls(tokens_.defense_face, m_, defense_rolls_);
    size_choices();
    fill_ends(next, none);
    fill_defense();
    fill_attack();
  }

  void size_choices() {
    const std::size_t pairs = parts_.defender.size() * parts_.health.size();
    const auto square = static_cast<std::size_t>((n_ + 1) * (n_ + 1));
    choices_->reroll.resize(attack_.lock >= 0 ? pairs * parts_.attacker.size() * square : 0);
    choices_->attack.resize(pairs * static_cast<std::size_t>(attack_.attacker_box.size) * square);
    choices_->defense.resize(parts_.class_offset.size() * static_cast<std::size_t>(n_) * pairs * defense_rolls_.size());
  }

  std::size_t end_index(std::size_t c, int defender, std::size_t h) const {
    return ((c * static_cast<std::size_t>(attack_.defender_box.size) + static_cast<std::size_t>(defender)) *
                parts_.health.size() +
            h) *
           static_cast<std::size_t>(n_ + 1);
  }

  /// ends_: value when `results` are uncancelled before reinforcement: [class][number in the defender's
  /// box][health][results].
  void fill_ends(const std::vector<Value>& next, bool none) {
    ends_.resize(end_index(parts_.class_offset.size(), 0, 0), boost::container::default_init);
    for (std::size_t h = 0; h < parts_.health.size(); ++h) {
      if (!happens(h)) continue;
      for (int results = 0; results <= n_; ++results) {
        const int left = after_reinforce(attack_, case_->reinforce, results);
        const int before = parts_.health[h];
        const int removed = attack_.health < 0 ? 0 : std::min(left, before - game::kHealthZero);
        const game::ShipPlan& ship = base::nth(plan_.ships, attack_.defender);
        const game::Payoff gain =
            game::payoff_from_damage(plan_, ship, left, removed, removed > 0 && before - removed == game::kHealthZero);
        const V now = V::of({gain.value, gain.damage});
        const int health = next_health(std::max(game::kHealthZero, parts_.health[h] - left));
        for (std::size_t c = 0; c < parts_.class_offset.size(); ++c) {
          const int base = case_->next + health + parts_.class_offset[c];
          for (int d = 0; d < attack_.defender_box.size; ++d) {
            const int state = base + base::nth(parts_.next_defender, d);
            ends_[end_index(c, d, h) + static_cast<std::size_t>(results)] =
                none ? now : now.plus(V::of(base::nth(next, state)), table_.gain_sign);
          }
        }
      }
    }
  }

  std::size_t defense_index(std::size_t c, int results, std::size_t d, std::size_t h) const {
    return ((c * static_cast<std::size_t>(n_ + 1) + static_cast<std::size_t>(results)) * parts_.defender.size() + d) *
               parts_.health.size() +
           h;
  }

  /// defended_: value before the defense dice are rolled: [class][results][defender start][health start].
  void fill_defense() {
    defended_.assign(defense_index(parts_.class_offset.size(), 0, 0, 0), V{});
    for (std::size_t d = 0; d < parts_.defender.size(); ++d) {
      for (std::size_t c = 0; c < parts_.class_offset.size(); ++c) {
        for (std::size_t h = 0; h < parts_.health.size(); ++h) {
          if (happens(h)) defended_[defense_index(c, 0, d, h)] = ends_[end_index(c, parts_.defender[d], h)];
        }
      }
      if (n_ == 0) continue;  // there is nothing to cancel
      const auto stride = static_cast<int>(end_index(0, 1, 0));
      list_payable(
          attack_.defender_box, parts_.defender[d], [&](int target) { return target * stride; }, payable_);
      answers_.resize(payable_.size(), boost::container::default_init);
      for (std::size_t r = 0; r < defense_rolls_.size(); ++r) defend(d, r);
    }
  }

  /// Adds one roll of the defender to the values before the roll, for each class, health and number of results.
  void defend(std::size_t d, std::size_t r) {
    const ThreeFaceRoll& roll = defense_rolls_[r];
    answers_end_ = write_candidates(payable_, roll.focus, roll.blank, answers_.data());
    const bool none = answers_end_ == answers_.data() + 1;  // the first candidate spends nothing
    const std::size_t pairs = parts_.defender.size() * parts_.health.size();
    for (std::size_t c = 0; c < parts_.class_offset.size(); ++c) {
      for (std::size_t h = 0; h < parts_.health.size(); ++h) {
        if (!happens(h)) continue;
        const V* ends = &ends_[end_index(c, 0, h)];
        V* defended = &defended_[defense_index(c, 1, d, h)];
        std::uint16_t* choice =
            &choices_->defense[((c * static_cast<std::size_t>(n_) * parts_.defender.size() + d) * parts_.health.size() +
                                h) *
                                   defense_rolls_.size() +
                               r];
        for (int results = 1; results <= n_; ++results) {
          const int open = results - roll.success;
          defended->add(roll.probability, none ? spend_nothing(ends, open, *choice) : answer(ends, open, *choice));
          defended += pairs;
          choice += pairs * defense_rolls_.size();
        }
      }
    }
  }

  /// The value if the defender spends nothing.
  const V& spend_nothing(const V* ends, int open, std::uint16_t& choice) {
    if (open > 0 && defender_mode_ == Mode::Choose) ++evaluations_;
    choice = 0;
    return ends[answers_.front().place + std::max(0, open)];
  }

  /// The value of the defender's best answer among answers_ with `open` results to cancel. `ends`: the row of ends_ for
  /// the attacker's class and the health, by results.
  const V& answer(const V* ends, int open, std::uint16_t& choice) {
    if (open <= 0) return spend_nothing(ends, 0, choice);
    const Candidate* best = answers_.data();
    const auto value_of = [&](const Candidate& x) -> const V& { return ends[x.place + std::max(0, open - x.changed)]; };
    const auto count = static_cast<int>(answers_end_ - best);
    if (defender_mode_ == Mode::Fixed) {
      best = std::find_if(best, best + count, [&](const Candidate& x) { return x.spend == choice; });
    } else if (defender_mode_ == Mode::Choose) {
      evaluations_ += static_cast<std::uint64_t>(count);
      best += best_answer(count, open, value_of);
    }
    choice = best->spend;
    return value_of(*best);
  }

  /// Spends with more tokens than open results are skipped: smaller ones, listed earlier, do the same.
  template <typename ValueOf>
  int best_answer(int count, int open, ValueOf value_of) const {
    const Candidate* list = answers_.data();
    const auto value_at = [&](int i) -> const V& { return value_of(list[i]); };
    const auto fits = [&](int i) { return list[i].total <= open; };
    if (!attack_.defender_box.by_total) return first_best<V>(count, -1.0, value_at, fits);
    while (!fits(count - 1)) --count;
    return first_best<V>(count, -1.0, value_at, [](int) { return true; });
  }

  DiceTable dice() const { return {n_}; }
  std::size_t square(int s, int f) const { return dice().at(s, f); }
  std::size_t squares() const { return dice().squares(); }

  void fill_attack() {
    if (!attack_lists_ || attack_lists_dice_ != n_) {
      attack_lists_.emplace(attack_.attacker_box, needed_, n_,
                            [&](int target) { return base::nth(parts_.attacker_class, target) * (n_ + 1); });
      attack_lists_dice_ = n_;
    }
    using boost::container::default_init;
    values_.resize(parts_.defender.size() * parts_.health.size() * parts_.attacker.size(), default_init);
    changed_.resize(static_cast<std::size_t>(attack_.attacker_box.size) * squares(), default_init);
    kept_.resize(attack_.lock >= 0 ? dice().cubes() : 0, default_init);
    most_.resize(kept_.size(), default_init);
    for (std::size_t d = 0; d < parts_.defender.size(); ++d) {
      for (std::size_t h = 0; h < parts_.health.size(); ++h) {
        if (!happens(h)) continue;
        const std::size_t pair = d * parts_.health.size() + h;
        for (std::size_t i = 0; i < needed_.size(); ++i) change(pair, d, h, i);
        for (std::size_t a = 0; a < parts_.attacker.size(); ++a)
          values_[pair * parts_.attacker.size() + a] = attack(pair, a);
      }
    }
  }

  /// Sets changed_[number][s][f], the value after rerolls, when tokens may still change dice.
  void change(std::size_t pair, std::size_t d, std::size_t h, std::size_t needed) {
    const auto number = static_cast<std::size_t>(needed_[needed]);
    const V* defended = &defended_[defense_index(0, 0, d, h)];
    const auto pairs = static_cast<int>(parts_.defender.size() * parts_.health.size());
    V* values = &changed_[number * squares()];
    std::uint16_t* choices =
        &choices_->attack[(pair * static_cast<std::size_t>(attack_.attacker_box.size) + number) * squares()];
    for (int s = 0; s <= n_; ++s) {
      const auto value_of = [&](const Candidate& x) -> const V& { return defended[(x.place + s + x.changed) * pairs]; };
      for (int f = 0; f <= n_ - s; ++f) {
        const Candidate* list = attack_lists_->begin(needed, f, n_ - s - f);
        const Candidate* end = attack_lists_->end(needed, f, n_ - s - f);
        const Candidate* best = list;
        std::uint16_t& choice = choices[square(s, f)];
        if (attacker_mode_ == Mode::Fixed) {
          best = std::find_if(list, end, [&](const Candidate& x) { return x.spend == choice; });
        } else if (attacker_mode_ == Mode::Choose) {
          const auto count = static_cast<int>(end - list);
          best += first_best<V>(
              count, 1.0, [&](int i) -> const V& { return value_of(list[i]); }, [](int) { return true; });
          evaluations_ += static_cast<std::uint64_t>(count);
        }
        choice = best->spend;
        values[square(s, f)] = value_of(*best);
      }
    }
  }

  V attack(std::size_t pair, std::size_t a) {
    const int number = parts_.attacker[a];
    const auto at = static_cast<std::size_t>(number);
    const bool lock = attack_.lock >= 0 && lock_at(number) && n_ > 0;
    std::uint16_t* choice =
        attack_.lock >= 0 ? &choices_->reroll[(pair * parts_.attacker.size() + a) * squares()] : nullptr;
    if (lock && attacker_mode_ != Mode::Hold) {
      fill_kept(dice(), tokens_.attack_face, &changed_[static_cast<std::size_t>(number - lock_stride()) * squares()],
                kept_.data());
      fill_most(dice(), kept_.data(), most_.data());
    }
    V mean{};
    for (const ThreeFaceRoll& roll : attack_rolls_) {
      const std::size_t cell = square(roll.success, roll.focus);
      const V& stay = changed_[at * squares() + cell];
      std::uint16_t taken = 0;
      if (lock && attacker_mode_ == Mode::Fixed) taken = choice[cell];
      if (lock && attacker_mode_ == Mode::Choose) {
        const std::uint16_t spend =
            choices_->attack[(pair * static_cast<std::size_t>(attack_.attacker_box.size) + at) * squares() + cell];
        taken = reroll(roll, stay, attack_.attacker_box.spends[spend].key);
      }
      if (choice != nullptr) choice[cell] = taken;
      mean.add(roll.probability,
               taken == 0 ? stay : kept_[dice().at(roll.success, (taken - 1) / 32, (taken - 1) % 32)]);
    }
    return mean;
  }

  /// The best reroll, encoded as in Choices::reroll.
  std::uint16_t reroll(const ThreeFaceRoll& roll, const V& stay, std::uint64_t stay_key) {
    evaluations_ += static_cast<std::uint64_t>((roll.focus + 1) * (roll.blank + 1));
    const Reroll best = best_reroll(dice(), roll, kept_.data(), most_.data(), stay, stay_key, attack_.lock_key);
    return best.taken ? static_cast<std::uint16_t>(1 + best.focus * 32 + best.blank) : std::uint16_t{0};
  }

  const game::Plan& plan_;
  const TokenPlan& tokens_;
  const TokenAttack& attack_;
  TokenTable& table_;
  const StateParts& parts_;
  Mode attacker_mode_ = Mode::Choose, defender_mode_ = Mode::Choose;
  const OtherCase* case_ = nullptr;
  Choices* choices_ = nullptr;
  int n_ = 0, m_ = 0;  ///< attack and defense dice
  Numbers needed_;
  Rolls attack_rolls_, defense_rolls_;
  std::optional<CandidateLists> attack_lists_;
  int attack_lists_dice_ = -1;
  Payables payable_;                                       ///< in one state of the defender
  boost::container::small_vector<Candidate, 16> answers_;  ///< answers to one roll of the defender, up to answers_end_
  const Candidate* answers_end_ = nullptr;
  // Inline storage for common sizes: allocations would dominate the time of a small game.
  boost::container::small_vector<V, 64> ends_, defended_, changed_, kept_;
  boost::container::small_vector<V, 8> values_;
  boost::container::small_vector<double, 64> most_;
  std::uint64_t evaluations_ = 0;
};

Mode mode_of(game::PolicyKind kind) {
  return kind == game::PolicyKind::Optimal ? Mode::Choose : kind == game::PolicyKind::Greedy ? Mode::Fixed : Mode::Hold;
}

template <typename V>
std::vector<Value> solve_attack(const game::Plan& plan, const TokenPlan& tokens, std::size_t k, TokenTable& table,
                                const std::vector<Value>& next, double& evaluations) {
  LocalGame<V> game(plan, tokens, k, table);
  std::vector<Value> here(static_cast<std::size_t>(tokens.live_size[k]));
  const bool greedy =
      plan.attacker_policy == game::PolicyKind::Greedy || plan.defender_policy == game::PolicyKind::Greedy;
  if (greedy) game.run(next, true, Mode::Choose, Mode::Choose, here);
  game.run(next, false, mode_of(plan.attacker_policy), mode_of(plan.defender_policy), here);
  evaluations = game.evaluations();
  return here;
}

/// The number of the state with these resources.
int state_of(const game::Plan& plan, const Digits& live, const game::Resources& resources) {
  int out = 0;
  for (const Digit& digit : live) {
    out += resources.get(base::nth(plan.resources, digit.resource)) * digit.stride;
  }
  return out;
}

}  // namespace

std::vector<Value> TokenGame::solve(const game::Plan& plan, const std::vector<Value>& next) {
  const auto solve = plan.objective == game::Objective::Kill ? solve_attack<Pair> : solve_attack<Single>;
  return solve(plan, *tokens_, k_, table_, next, evaluations_);
}

GameSize TokenGame::size() const {
  int states = tokens_->live_size[k_];
  if (k_ + 1 == tokens_->attacks.size()) states += tokens_->live_size[k_ + 1];
  return {static_cast<std::size_t>(states), static_cast<std::size_t>(evaluations_)};
}

double TokenGame::table_size() const {
  const TokenAttack& attack = tokens_->attacks[k_];
  const StateParts& parts = table_.parts;
  const double pairs = static_cast<double>(parts.defender.size()) * static_cast<double>(parts.health.size());
  double size = 0;
  for (const OtherCase& other : table_.cases) {
    const double n = other.attack_dice + 1;
    const double m = other.defense_dice + 1;
    size += pairs * (n * n * (attack.attacker_box.size + static_cast<double>(parts.attacker.size())) +
                     static_cast<double>(parts.class_offset.size()) * n * m * (m + 1) / 2);
  }
  return size;
}

std::optional<Games> token_games(const game::Plan& plan, Starts starts, const Budget& budget) {
  auto found = token_plan(plan, starts);
  if (!found) return std::nullopt;
  const auto tokens = std::make_shared<const TokenPlan>(std::move(*found));
  Games out;
  out.attacks.reserve(plan.attacks.size());
  for (const game::Resources& start : starts) out.starts.push_back(state_of(plan, tokens->live.front(), start));
  out.first_states = static_cast<std::size_t>(tokens->live_size.front());
  out.last_states = static_cast<std::size_t>(tokens->live_size.back());
  double size = 0;
  for (std::size_t k = 0; k < plan.attacks.size(); ++k) {
    auto game = std::make_unique<TokenGame>(plan, tokens, k);
    size += game->table_size();
    if (size > kChoicesPerEdge * budget.edges) {
      throw PlanTooLarge(
          "the tables of the exact engine do not fit its budget; raise the budget, shorten the scenario, or sample it",
          size / kChoicesPerEdge, budget.edges, static_cast<int>(k));
    }
    out.attacks.push_back(std::move(game));
  }
  return out;
}

}  // namespace salvo::exact
