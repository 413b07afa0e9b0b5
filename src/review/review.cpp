#include "salvo/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/answer.h"
#include "base/index.h"
#include "base/stable_sort.h"
#include "data/message.h"
#include "load/catalogue.h"
#include "review/convolution.h"
#include "review/ledger.h"
#include "review/luck.h"

namespace salvo {
namespace {

using review::Counts;
using review::Ledger;

class Reviewer {
 public:
  Reviewer(const Catalogue& catalogue, const GameLog& log, const AnswerOptions& options)
      : catalogue_(catalogue), log_(log), options_(options), ledger_(catalogue, log, options.overrides) {
    options_.overrides.attacker_policy = options_.overrides.defender_policy = "optimal";
    options_.overrides.attacker_rules = options_.overrides.defender_rules = nullptr;
  }

  Review reviewed() {
    for (const LoggedLine& line : log_.lines) {
      ledger_.begin(line);
      if (line.attack) add(line);
    }
    finish();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const LoggedLine& line, const std::string& why) const {
    review::fail_at(log_, line.line, why);
  }

  // ---------------------------------------------------------------- one attack

  void add(const LoggedLine& line) {
    ReviewedAttack attack{
        .line = line.line, .round = line.round, .player = log_.ships.at(line.shot.by).player, .luck = luck_of(line)};
    attack.luck.attack = static_cast<int>(out_.attacks.size()) + 1;
    ledger_.apply_result(line, attack.luck);
    out_.attacks.push_back(std::move(attack));
  }

  /// Analyses the attack with the Force and charges that the ships have left. If the log spends more and does not rule
  /// it out, assumes that the ships had enough.
  Luck luck_of(const LoggedLine& line) {
    const Ledger before = ledger_;
    try {
      return luck_in(line);
    } catch (const LoadError&) {
      ledger_ = before;
      if (!ledger_.refill(line)) throw;
      std::optional<Luck> all;
      try {
        all = luck_in(line);
      } catch (const LoadError&) {  // charges were not the problem
      }
      ledger_ = before;
      std::vector<std::string> made_up;
      if (all) made_up = ledger_.assume_charges(line, *all);
      if (made_up.empty()) throw;
      Luck out = luck_in(line);
      out.filled_in.insert(out.filled_in.begin(), made_up.begin(), made_up.end());
      return out;
    }
  }

  Luck luck_in(const LoggedLine& line) try {
    std::vector<std::string> filled_in;
    Scenario scenario = review::scenario_of(log_, options_.overrides);
    ledger_.add_ships(line, scenario, filled_in);
    compile::CompiledScenario compiled = answers::prepare(catalogue_, scenario, options_).compiled;
    const auto& attacks = compiled.labels.attacks;
    const bool twice = std::any_of(attacks.begin(), attacks.end(), [](const auto& attack) { return attack.second; });
    ledger_.require_in_play(line, twice, filled_in);
    ledger_.set_charges(line, compiled, filled_in);
    PlayedAttack spec = line.spec;
    spec.point.attack = 1;
    spec.point.damage = ledger_.damage(line);
    spec.point.destroyed_stay = true;
    Luck out = review::luck(compiled, spec, answers::budget_of(options_));
    out.filled_in.insert(out.filled_in.begin(), filled_in.begin(), filled_in.end());
    return out;
  } catch (const DecisionError& error) {
    if (error.path == "attack") {
      fail(line,
           "this attack cannot happen: the ship lacks what it needs (a lock, a charge, a token); write what the ship "
           "has after its name, as in luke (lock)");
    }
    fail(line, fmt::format("{}: {}{}", member_words(error.path), error.what(), ledger_.missing_tokens_hint(line)));
  } catch (const LoadError& error) {
    const std::string why = error.why.empty() ? error.what() : error.why;
    fail(line, error.path.empty() ? why : error.path + ": " + why);
  }

  static std::string member_words(const std::string& member) {
    std::string out = member;
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
  }

  // ---------------------------------------------------------------- the game

  void finish() {
    static_cast<Provenance&>(out_) = static_cast<const Provenance&>(out_.attacks.front().luck);
    static_cast<Caveats&>(out_) = {};
    out_.notes = log_.notes;
    for (const std::string& name : log_.players) {
      out_.players.emplace_back();
      out_.players.back().name = name;
    }
    while (out_.players.size() < 2) out_.players.emplace_back().name = "the other";
    Counts counts;
    for (std::size_t i = 0; i < out_.attacks.size(); ++i) {
      ReviewedAttack& attack = out_.attacks[i];
      counts = attack.player == 0 ? plus(counts, attack.luck.pmf) : minus(counts, attack.luck.pmf);
      add_to_players(attack);
      attack.so_far = out_.players[0].luck;
      add_errors(i);
      merge_provenance(attack.luck);
    }
    place(counts);
    sort_errors();
    out_.sentence = sentence();
    add_left_out();
  }

  void add_to_players(const ReviewedAttack& attack) {
    const Luck& luck = attack.luck;
    for (const int p : {0, 1}) {
      PlayerReview& player = base::nth(out_.players, p);
      const bool attacks = p == attack.player;
      const double sign = attacks ? 1 : -1;
      player.attacks += attacks ? 1 : 0;
      (attacks ? player.dealt : player.taken) += luck.result.damage;
      (attacks ? player.expected_dealt : player.expected_taken) += luck.expected.damage;
      player.luck += sign * luck.luck.damage;
      (attacks ? player.attacking : player.defending) += sign * luck.luck.damage;
      for (const LuckPart& part : luck.parts) {
        const bool defense = part.kind == ChanceKind::DefenseRoll || part.kind == ChanceKind::DefenseRerolls;
        base::nth(attacks != defense ? player.own : player.enemy, part.kind) += sign * part.luck.damage;
      }
    }
  }

  /// Every decision counts in the sums. It is an error if it lost something by the objective or, in a tie under `kill`,
  /// expected damage (docs/format.md: Ties).
  void add_errors(std::size_t i) {
    constexpr double kError = 1e-9;
    const ReviewedAttack& attack = out_.attacks[i];
    const bool ties_by_damage = attack.luck.objective == "kill";
    for (std::size_t d = 0; d < attack.luck.decisions.size(); ++d) {
      const DecisionMade& made = attack.luck.decisions[d];
      const int p = made.role == Role::Attacker ? attack.player : 1 - attack.player;
      PlayerReview& player = base::nth(out_.players, p);
      player.loss += made.loss;
      player.damage_lost += made.damage_lost();
      if (made.loss < kError && !(ties_by_damage && made.damage_lost() >= kError)) continue;
      player.errors += 1;
      out_.errors.push_back({i, d, p});
    }
  }

  void sort_errors() {
    const auto loss = [this](const GameError& error) {
      const DecisionMade& made = out_.attacks[error.attack].luck.decisions[error.decision];
      return std::pair(made.loss, made.damage_lost());
    };
    base::stable_sort(out_.errors, [&](const GameError& a, const GameError& b) { return loss(a) > loss(b); });
  }

  void merge_provenance(const Luck& luck) {
    for (const auto list : kCaveatLists) {
      for (const std::string& one : luck.*list) base::add_once(out_.*list, one);
    }
    for (const std::string& one : luck.filled_in)
      out_.filled_in.push_back(fmt::format("attack {}: {}", luck.attack, one));
  }

  void place(const Counts& counts) {
    out_.least = counts.least;
    out_.pmf = counts.pmf;
    for (std::size_t i = 0; i < counts.pmf.size(); ++i)
      out_.expected += counts.pmf[i] * (counts.least + static_cast<double>(i));
    out_.reached = out_.expected + out_.players[0].luck;
    const review::Rank place = rank_in(counts, out_.reached);
    out_.below = place.below;
    out_.tied = place.tied;
    out_.players[0].percentile = place.below + place.tied / 2;
    out_.players[1].percentile = 1 - out_.players[0].percentile;
  }

  /// "decisions cost Ann 0.50 damage and Bob 0.20"; under other objectives they may gain damage.
  static std::string decisions_words(const PlayerReview& one, const PlayerReview& other) {
    const auto verb = [](const PlayerReview& player) { return player.damage_lost < 0 ? "brought " : "cost "; };
    const bool alike = (one.damage_lost < 0) == (other.damage_lost < 0);
    return fmt::format("decisions {}{} {:.2f} damage and {}{} {:.2f}", verb(one), one.name, std::abs(one.damage_lost),
                       alike ? "" : verb(other), other.name, std::abs(other.damage_lost));
  }

  std::string sentence() const {
    const std::size_t lucky = out_.players[0].luck >= 0 ? 0 : 1;
    const PlayerReview &one = out_.players[lucky], &other = out_.players[1 - lucky];
    const double share = one.percentile;
    constexpr double kVery = 0.95, kSome = 0.75, kEven = 0.005;
    const char* how = share >= kVery ? "very lucky" : share >= kSome ? "lucky" : "hardly luckier";
    const std::string whom = share >= kSome ? "" : " than " + other.name;
    const std::string decisions = decisions_words(one, other);
    if (std::abs(one.luck) < kEven) return fmt::format("Nobody was luckier; {}.", decisions);
    return fmt::format("{} was {}{}: {:.2f} damage better than expected, more than in {:.0f} of 100 such games; {}.",
                       one.name, how, whom, std::abs(one.luck), std::floor(100 * share), decisions);
  }

  void add_left_out() {
    out_.notes.emplace_back(
        "each attack is looked at by itself, with the tokens and the damage of its time: other ships' help, and what "
        "tokens are worth later, are left out");
  }

  const Catalogue& catalogue_;
  const GameLog& log_;
  AnswerOptions options_;
  Ledger ledger_;
  Review out_;
};

}  // namespace

Review review_game(const Catalogue& catalogue, const GameLog& log, const AnswerOptions& options) {
  return Reviewer(catalogue, log, options).reviewed();
}

}  // namespace salvo
