// A game as the sum of its attacks; see salvo/review.h.
#include "salvo/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "answer/answer.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "load/catalogue.h"
#include "load/load.h"
#include "load/message.h"
#include "review/convolution.h"
#include "review/luck.h"

namespace salvo {
namespace {

using review::Counts;

/// What the log has told so far of a ship.
struct ShipNow {
  bool known = false;  ///< its tokens are told
  std::map<std::string, int> tokens;
  std::set<std::string> locks;
  int damage = 0;
  int last_hit = 0;  ///< line
};

class Reviewer {
 public:
  Reviewer(const Catalogue& catalogue, const GameLog& log, const AnswerOptions& options)
      : catalogue_(catalogue), log_(log), options_(options) {
    options_.overrides.attacker_policy = options_.overrides.defender_policy = "optimal";
    options_.overrides.attacker_rules = options_.overrides.defender_rules = nullptr;
    for (const auto& [name, ship] : log.ships) begin_round(ship, now_[name]);
  }

  Review reviewed() {
    int round = 0;
    for (const LoggedLine& line : log_.lines) {
      if (line.round != round) begin_round();
      round = line.round;
      for (const auto& [name, tokens] : line.tokens) set_tokens(now_[name], tokens);
      for (const auto& [name, damage] : line.damage) now_[name].damage = damage;
      if (line.attack) add(line);
    }
    finish();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const LoggedLine& line, const std::string& why) const {
    load::fail(log_.source, "", line.line, why);
  }

  // ---------------------------------------------------------------- ships

  /// Round tokens go, locks stay; what a SPEC tells is there in each round.
  static void begin_round(const LoggedShip& ship, ShipNow& now) {
    now.known = ship.tokens;
    now.tokens = ship.ship.tokens;
  }

  void begin_round() {
    for (const auto& [name, ship] : log_.ships) begin_round(ship, now_[name]);
  }

  static void set_tokens(ShipNow& now, const LoggedTokens& told) {
    now.known = true;
    now.tokens = told.tokens;
    now.locks.insert(told.locks.begin(), told.locks.end());
  }

  bool is_token(const std::string& word) const {
    const Edition* edition = catalogue_.edition(log_.rules);
    return edition != nullptr && std::any_of(edition->tokens.begin(), edition->tokens.end(),
                                             [&](const TokenSpec& token) { return token.id == word; });
  }

  /// The ship as it goes into the attack. Where nobody told its tokens it has what it spends.
  ScenarioShip ship_in(const std::string& name, const std::string& enemy, const std::optional<std::string>& spent,
                       std::vector<std::string>& filled_in) {
    const LoggedShip& logged = log_.ships.at(name);
    ShipNow& now = now_[name];
    ScenarioShip out = logged.ship;
    out.tokens = now.tokens;
    out.side = logged.player == 0 ? "mine" : "theirs";
    std::vector<std::string> taken;
    for (const std::string& word : text_words(spent.value_or(""))) {
      if (word == "lock" && !now.locks.contains(enemy)) {
        now.locks.insert(enemy);
        taken.push_back(word);
      } else if (!now.known && word != "force" && is_token(word)) {
        ++out.tokens[word];
        taken.push_back(word);
      }
    }
    if (now.locks.contains(enemy)) out.locks = {enemy};
    if (!now.known) {
      filled_in.push_back(fmt::format("tokens of {}: not told; taken to be {}", name,
                                      taken.empty() ? "none" : "what it spent, " + text::listed(taken)));
    }
    return out;
  }

  static std::vector<std::string> text_words(const std::string& text) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : text + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        out.push_back(std::move(word));
        word.clear();
      }
    }
    return out;
  }

  // ---------------------------------------------------------------- one attack

  Scenario scenario_of(const LoggedLine& line, std::vector<std::string>& filled_in) {
    Scenario out;
    out.source = log_.source;
    out.rules = log_.rules;
    out.cards = log_.cards;
    out.objective = log_.objective;
    out.damage_deck = log_.damage_deck;
    const PointSpec& point = line.spec.point;
    const ScenarioAttack& shot = line.shot;
    if (log_.ships.at(shot.by).player == log_.ships.at(shot.on).player)
      fail(line, fmt::format("{} and {} are ships of one player; name an enemy", shot.by, shot.on));
    out.ships[shot.by] = ship_in(shot.by, shot.on, point.spent, filled_in);
    out.ships[shot.on] = ship_in(shot.on, shot.by, point.defense_spent, filled_in);
    out.attacks = {shot};
    return out;
  }

  void add(const LoggedLine& line) {
    ReviewedAttack attack{.line = line.line, .round = line.round, .player = log_.ships.at(line.shot.by).player};
    std::vector<std::string> filled_in;
    const Scenario scenario = scenario_of(line, filled_in);
    LuckSpec spec = line.spec;
    spec.point.attack = 1;
    for (const auto& [name, ship] : scenario.ships) spec.point.damage[name] = now_[name].damage;
    attack.luck = luck_in(line, scenario, spec);
    attack.luck.attack = static_cast<int>(out_.attacks.size()) + 1;
    attack.luck.filled_in.insert(attack.luck.filled_in.begin(), filled_in.begin(), filled_in.end());
    settle(line, attack.luck);
    out_.attacks.push_back(std::move(attack));
  }

  Luck luck_in(const LoggedLine& line, const Scenario& scenario, const LuckSpec& spec) const try {
    return review::luck(ask(catalogue_, scenario, options_).question, spec, budget_of(options_));
  } catch (const PointError& error) {
    if (error.path == "damaged") {
      const ShipNow& on = now_.at(line.shot.on);
      fail(line, fmt::format("{} has left play: it has suffered {} damage{}; correct that, or write {} damage N",
                             line.shot.on, on.damage,
                             on.last_hit > 0 ? fmt::format(" (last in line {})", on.last_hit) : "", line.shot.on));
    }
    fail(line, fmt::format("{}: {}", member_words(error.path), error.what()));
  } catch (const LoadError& error) {
    const std::string why = error.why.empty() ? error.what() : error.why;
    fail(line, error.path.empty() ? why : error.path + ": " + why);
  }

  static std::string member_words(const std::string& member) {
    std::string out = member;
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
  }

  /// What the attack leaves.
  void settle(const LoggedLine& line, const Luck& luck) {
    ShipNow& on = now_[line.shot.on];
    const int damage = static_cast<int>(std::lround(luck.result.damage));
    if (damage > 0) on.last_hit = line.line;
    on.damage += damage;
    for (const auto& [what, n] : luck.spent) {
      const auto& [name, token] = what;
      ShipNow& now = now_[name];
      const int spent = static_cast<int>(std::lround(n));
      if (token == "lock" && spent > 0) now.locks.erase(name == line.shot.by ? line.shot.on : line.shot.by);
      const auto has = now.tokens.find(token);
      if (has != now.tokens.end()) has->second = std::max(0, has->second - spent);
    }
  }

  // ---------------------------------------------------------------- the game

  void finish() {
    static_cast<Provenance&>(out_) = static_cast<const Provenance&>(out_.attacks.front().luck);
    out_.assumed_facts.clear();
    out_.unmodelled.clear();
    out_.no_effect.clear();
    out_.partly.clear();
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
      PlayerReview& player = out_.players[static_cast<std::size_t>(p)];
      const bool attacks = p == attack.player;
      const double sign = attacks ? 1 : -1;
      player.attacks += attacks ? 1 : 0;
      (attacks ? player.dealt : player.taken) += luck.result.damage;
      (attacks ? player.expected_dealt : player.expected_taken) += luck.expected.damage;
      player.luck += sign * luck.luck.damage;
      (attacks ? player.attacking : player.defending) += sign * luck.luck.damage;
      for (const LuckPart& part : luck.parts) {
        const bool defense = part.kind == ChanceKind::DefenseRoll || part.kind == ChanceKind::DefenseRerolls;
        (attacks != defense ? player.own : player.enemy)[static_cast<std::size_t>(part.kind)] +=
            sign * part.luck.damage;
      }
    }
  }

  void add_errors(std::size_t i) {
    constexpr double kError = 1e-9;
    const ReviewedAttack& attack = out_.attacks[i];
    for (std::size_t d = 0; d < attack.luck.decisions.size(); ++d) {
      const DecisionMade& made = attack.luck.decisions[d];
      const int p = made.attacker ? attack.player : 1 - attack.player;
      if (made.loss < kError) continue;
      PlayerReview& player = out_.players[static_cast<std::size_t>(p)];
      player.errors += 1;
      player.loss += made.loss;
      player.damage_lost += made.attacker ? -made.change.damage : made.change.damage;
      out_.errors.push_back({i, d, p});
    }
  }

  void sort_errors() {
    const auto loss = [this](const GameError& error) {
      return out_.attacks[error.attack].luck.decisions[error.decision].loss;
    };
    base::stable_sort(out_.errors, [&](const GameError& a, const GameError& b) { return loss(a) > loss(b); });
  }

  void merge_provenance(const Luck& luck) {
    const auto merge = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
      for (const std::string& one : from) {
        if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
      }
    };
    merge(out_.assumed_facts, luck.assumed_facts);
    merge(out_.unmodelled, luck.unmodelled);
    merge(out_.no_effect, luck.no_effect);
    merge(out_.partly, luck.partly);
    merge(out_.notes, luck.notes);
    for (const std::string& one : luck.filled_in)
      out_.filled_in.push_back(fmt::format("attack {}: {}", luck.attack, one));
  }

  void place(const Counts& counts) {
    out_.least = counts.least;
    out_.pmf = counts.pmf;
    for (std::size_t i = 0; i < counts.pmf.size(); ++i)
      out_.expected += counts.pmf[i] * (counts.least + static_cast<double>(i));
    out_.reached = out_.expected + out_.players[0].luck;
    const review::Place place = place_in(counts, out_.reached);
    out_.below = place.below;
    out_.tied = place.tied;
    out_.players[0].percentile = place.below + place.tied / 2;
    out_.players[1].percentile = 1 - out_.players[0].percentile;
  }

  std::string sentence() const {
    const std::size_t lucky = out_.players[0].luck >= 0 ? 0 : 1;
    const PlayerReview &one = out_.players[lucky], &other = out_.players[1 - lucky];
    const double share = one.percentile;
    constexpr double kVery = 0.95, kSome = 0.75, kEven = 0.005;
    const char* how = share >= kVery ? "very lucky" : share >= kSome ? "lucky" : "hardly luckier";
    const std::string whom = share >= kSome ? "" : " than " + other.name;
    if (std::abs(one.luck) < kEven) {
      return fmt::format("Nobody was luckier; decisions cost {} {:.2f} damage and {} {:.2f}.", one.name,
                         one.damage_lost, other.name, other.damage_lost);
    }
    return fmt::format(
        "{} was {}{}: {:.2f} damage better than was to be expected, more than in {:.0f} of 100 such games; "
        "decisions cost {} {:.2f} damage and {} {:.2f}.",
        one.name, how, whom, std::abs(one.luck), std::floor(100 * share), one.name, one.damage_lost, other.name,
        other.damage_lost);
  }

  void add_left_out() {
    out_.notes.emplace_back(
        "each attack is looked at by itself, with the tokens and the damage of its time: other ships' help, and what "
        "tokens are worth later, are left out");
  }

  const Catalogue& catalogue_;
  const GameLog& log_;
  AnswerOptions options_;
  std::map<std::string, ShipNow> now_;
  Review out_;
};

}  // namespace

Review review_game(const Catalogue& catalogue, const GameLog& log, const AnswerOptions& options) {
  return Reviewer(catalogue, log, options).reviewed();
}

}  // namespace salvo
