// The entry point of battles: chooses the engine and turns its results into estimates.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "answers/cross_check.h"
#include "answers/options.h"
#include "base/g_test.h"
#include "base/index.h"
#include "base/significance.h"
#include "base/text.h"
#include "battle/exact.h"
#include "battle/fight.h"
#include "battle/optimal.h"
#include "battle/reference.h"
#include "battle/sample.h"
#include "battle/sides.h"
#include "battle/table_cache.h"
#include "salvo/battle.h"

namespace salvo {
namespace {

using battle::at;
using battle::BattleTally;
using battle::ExactBattle;
using battle::Game;

constexpr double kDefaultBudget = 2e7;  // outcomes: a few seconds
// Engine not chosen: a few seconds each, and less than half a gigabyte.
constexpr double kTriedOutcomes = 5e6, kTriedWork = 1e7, kTriedWithCards = 2e7;
constexpr int kMaxExactShips = 3;  // engine not chosen
// Of solving the play for the policy sound: about three seconds, and less than half a gigabyte.
constexpr double kSoundWork = 1.7e9, kSoundTransitions = 1.5e7;
constexpr std::array kPolicyNames{"greedy", "focus-fire", "likeliest-kill", "points",
                                  "best",   "optimal",    "value",          "sound"};

Estimate share(std::uint64_t count, std::uint64_t of) {
  const double n = static_cast<double>(of), p = static_cast<double>(count) / n;
  return {p, std::sqrt(p * (1 - p) / n)};
}

Estimate mean(const sample::Moments& moments, std::uint64_t of) {
  const double n = static_cast<double>(of), mean = static_cast<double>(moments.sum) / n;
  const double variance = std::max(0.0, static_cast<double>(moments.squares) / n - mean * mean);
  return {mean, std::sqrt(variance / n)};
}

std::string outcomes(double n) { return base::with_separators(static_cast<std::uint64_t>(n)); }

/// The limits of the exact engine. Unless the user chose it, it may take ten seconds and half a gigabyte, whatever the
/// budget.
battle::ExactBudget exact_budget(const Game& game, const BattleOptions& options) {
  battle::ExactBudget out{.outcomes = options.budget.value_or(kDefaultBudget), .work = HUGE_VAL};
  if (options.engine) return out;
  out.outcomes = std::min(out.outcomes, kTriedOutcomes);
  out.work = game.tables().deck() != nullptr ? kTriedWithCards : kTriedWork;
  return out;
}

bool solves(const BattleQuestion& question) {
  const auto solved = [](BattlePolicy policy) {
    return policy == BattlePolicy::Best || policy == BattlePolicy::Optimal;
  };
  return solved(question.my_policy) || solved(question.their_policy);
}

bool has_sound(const BattleQuestion& question) {
  return question.my_policy == BattlePolicy::Sound || question.their_policy == BattlePolicy::Sound;
}

void check(const BattleQuestion& question, const BattleOptions& options) {
  if (question.rounds < 1 || question.rounds > kMaxBattleRounds)
    throw ScenarioError("rounds", fmt::format("{} is not from 1 to {}", question.rounds, kMaxBattleRounds));
  AnswerOptions same;
  same.trials = options.trials;
  same.precision = options.precision;
  same.threads = options.threads;
  same.budget = options.budget;
  answers::check(same);
  const bool solved = solves(question);
  if (solved && (options.reference || (options.engine && *options.engine != EngineChoice::Exact))) {
    throw ScenarioError(options.reference ? "plain" : "engine",
                        "best and optimal play are solved by the exact engine, not sampled; leave this out, or take "
                        "the policy greedy");
  }
  if (solved && question.damage_deck != kNoDeck) {
    throw ScenarioError("damage_deck",
                        "best and optimal play are solved without a damage deck; leave it out, or take the policy "
                        "greedy");
  }
  for (const auto& [key, side] : {std::pair("mine", &question.mine), std::pair("theirs", &question.theirs)}) {
    for (const BattleShip& one : side->ships) {
      if (!solved || one.ship.faceup.empty()) continue;
      throw ScenarioError(fmt::format("{}.ships.{}.faceup", key, one.name),
                          "best and optimal play are solved without damage cards; state them as facedown, or take the "
                          "policy greedy");
    }
  }
  const std::size_t ships = question.mine.ships.size() + question.theirs.ships.size();
  if (solved && !options.engine && ships > at(kMaxExactShips)) {
    throw ScenarioError("policy", fmt::format("best and optimal play are solved for {} ships at most, not {}; take the "
                                              "policy greedy, or ask for the engine exact all the same",
                                              kMaxExactShips, ships));
  }
  if (options.reference && options.engine == EngineChoice::Exact)
    throw ScenarioError("plain", "the exact engine rolls no dice; leave it out, or take the engine sample");
}

std::string_view first_words(FirstPlayer first) {
  return first == FirstPlayer::Random ? "random" : first == FirstPlayer::Mine ? "mine" : "theirs";
}

/// Who wins, and for what sides earn points.
std::string score_words(const Game& game) {
  const BattleScore& score = game.question().score;
  std::string out = score.win == BattleWin::Points
                        ? "the side with more points wins"
                        : "the only side with ships left wins; otherwise the side with more points";
  out += ": those of destroyed ships";
  if (score.half_points != HalfPoints::None) {
    out += fmt::format(", half of them, rounded down, of a {}ship that lost half of its hull and shields",
                       score.half_points == HalfPoints::Large ? "large " : "");
  }
  if (score.squad_points > 0) out += fmt::format(", what the other squad is short of {} points", score.squad_points);
  if (game.most_scored() > 0) {
    out += ", and those of the flight's objectives";
  } else if (score != BattleScore()) {
    out += "; the flight has no objectives";
  }
  if (score.end_points > 0)
    out += fmt::format("; the battle ends after the round in which a side has {}", score.end_points);
  return out;
}

std::vector<std::string> assumptions(const Game& game, bool solved_by_sound) {
  std::vector<std::string> out;
  const BattleQuestion& question = game.question();
  out.push_back(fmt::format("the flight {} ({}) says who can shoot whom, drawn in each round for each pair of ships",
                            game.flight().id, game.flight().name));
  const std::string left_out =
      "movement, docking, devices, obstacles, bonus attacks on other ships and effects of ships that do not take part "
      "in an attack are left out, and ";
  if (question.damage_deck == kNoDeck) {
    out.push_back(left_out + "damage is dealt without a damage deck");
  } else {
    std::string of_cards = "damage cards are not repaired";
    for (const load::DamageCardSpec& card : game.tables().deck()->deck->cards) {
      if (std::any_of(card.card.effects.begin(), card.card.effects.end(),
                      [](const auto& effect) { return effect.at == load::Window::EngagementStart; }))
        of_cards += fmt::format("; what {} does at the start of an engagement is left out", card.card.id);
    }
    out.push_back(left_out + of_cards);
    out.push_back(
        fmt::format("each side has a damage deck {} of its own, drawn without replacement over the battle; a deck with "
                    "fewer than {} unseen cards is reshuffled, without the faceup cards of its ships",
                    question.damage_deck, battle::kFewCards));
    out.emplace_back(
        "faceup damage cards last; players choose targets, actions and tokens knowing those of all ships, and count "
        "critical damage as one damage, or, where cards act on what comes after it, as what a whole deck deals");
    if (game.tables().deck()->forgets)
      out.emplace_back("cards that expose or count damage cards know those of the attack at hand alone");
    const auto has_helper = [](const battle::ShipType& type) { return type.helper.has_value(); };
    const auto& types = game.tables().type_list();
    if (std::any_of(types.begin(), types.end(), has_helper))
      out.emplace_back("with a damage deck, ships do not help attacks and defenses of their friends");
  }
  const auto looks_ahead = [&](BattlePolicy policy) {
    return policy == BattlePolicy::Optimal || (solved_by_sound && policy == BattlePolicy::Sound);
  };
  const int ahead = looks_ahead(question.my_policy) + looks_ahead(question.their_policy);
  const std::string horizon = ahead == 0   ? ", for the coming engagement alone"
                              : ahead == 1 ? " (a policy that is not solved looks at the coming engagement alone)"
                                           : "";
  out.emplace_back(
      "actions are chosen when everybody knows who can shoot whom" + horizon +
      ": those that give the ship tokens or a lock, and what its cards add to them; coordinate, jam, reload and cloak "
      "are left out");
  bool focus_only = false;
  for (int t = 0; t < game.tables().types(); ++t) focus_only = focus_only || game.tables().type(t).ion_focus_only;
  out.push_back(
      "a blue maneuver, with the chance that the flight gives, removes a stress, a strain and a deplete token; an "
      "ionized ship loses its ion tokens" +
      std::string(focus_only ? ", flies a blue maneuver and may only focus" : ""));
  const auto spent = [&](BattlePolicy policy, const char* whose) {
    if (policy == BattlePolicy::Best) {
      out.push_back(
          fmt::format("{} actions, attacks and tokens are the best for the points at the end of the "
                      "engagement, a ship's by the share of its health that is lost",
                      whose));
    } else if (looks_ahead(policy)) {
      out.push_back(
          fmt::format("{} actions, attacks and tokens are the best for the chance to win{}, a draw counted "
                      "half; a ship that can attack does",
                      whose, policy == BattlePolicy::Sound ? " against optimal play" : ""));
    } else {
      out.push_back(fmt::format("{} tokens in an attack are spent as the policy greedy does", whose));
    }
  };
  if (solved_by_sound) out.emplace_back(battle::kSolvedBySound);
  if (solves(question) || solved_by_sound) {
    spent(question.my_policy, "my");
    spent(question.their_policy, "their");
  } else {
    out.emplace_back("tokens in an attack are spent as the policy greedy does");
  }
  if (!solved_by_sound && has_sound(question)) out.emplace_back("the policy sound may keep a lock in an attack");
  out.push_back(score_words(game));
  for (const bool mine : {true, false}) {
    const int helper = game.helper_of(mine);
    if (helper < 0) continue;
    out.push_back(
        fmt::format("{} helps its friends while the flight says that they are near it", game.ship(helper).name));
  }
  for (const bool mine : {true, false}) {
    if (!game.names_targets(mine)) continue;
    const auto& order = mine ? question.my_target_order : question.their_target_order;
    out.push_back(fmt::format("of the ships that they can attack, {} ships attack the first of {}",
                              mine ? "my" : "their", base::joined(order, ", ")));
  }
  if (game.tables().asks_known_facts()) {
    out.emplace_back(
        "cards know the range that the flight draws and who is in the bullseye arc; beyond range 1 no other enemy "
        "counts as near, and a ship that is alone on its side has no friends; every other board fact is as assumed "
        "for each card");
  }
  if (question.first == FirstPlayer::Random) out.emplace_back("the first player is drawn in each round");
  return out;
}

BattleReport outline(const Game& game) {
  BattleReport out;
  static_cast<Provenance&>(out) = game.tables().provenance();
  out.objective = "win";
  for (int t = 0; t < game.tables().types(); ++t) {
    for (const battle::OwnedCard& card : game.tables().type(t).action_cards.known) std::erase(out.no_effect, card.id);
  }
  out.notes.insert(out.notes.begin(), game.notes().begin(), game.notes().end());
  const BattleQuestion& question = game.question();
  out.flight = game.flight().id;
  out.flight_name = game.flight().name;
  out.max_rounds = question.rounds;
  out.first = first_words(question.first);
  out.score = question.score;
  out.my_policy = to_string(question.my_policy);
  out.their_policy = to_string(question.their_policy);
  if (game.tables().deck() != nullptr) out.damage_deck = game.tables().deck()->deck->id;
  out.my_name = battle::called(question.mine, "my ships");
  out.their_name = battle::called(question.theirs, "their ships");
  for (int s = 0; s < game.ships(); ++s) {
    const battle::Ship& ship = game.ship(s);
    const battle::ShipType& type = game.type_of(s);
    BattleShipEstimates estimates;
    estimates.name = ship.name;
    estimates.title = type.title == "attacker" ? ship.name : type.title;
    estimates.mine = ship.mine;
    estimates.initiative = ship.initiative;
    estimates.points = ship.points;
    estimates.hull = type.hull;
    estimates.shields = type.shields;
    estimates.kinds = ship.kinds;
    out.ships.push_back(std::move(estimates));
  }
  if (game.stalemate(game.start()))
    out.notes.emplace_back("nobody can hurt anybody here, so the battle is over after a round");
  return out;
}

/// Adds the distributions that follow from the ends of battles. estimate(n) makes an Estimate of a sum over ends.
template <typename Ends, typename Make>
void add_ends(const Ends& ends, Make estimate, BattleReport& out) {
  std::map<int, typename Ends::mapped_type> difference;
  std::vector<typename Ends::mapped_type> rounds;
  for (const auto& [end, n] : ends) {
    difference[end[2] - end[3]] += n;
    rounds.resize(std::max(rounds.size(), at(end[1]) + 1));
    rounds[at(end[1])] += n;
  }
  for (const auto& [points, n] : difference) out.difference.emplace_back(points, estimate(n));
  for (const auto n : rounds) out.rounds.push_back(estimate(n));
}

void fill(const Game& game, const ExactBattle& found, BattleReport& out) {
  const auto exact = [](double p) { return Estimate{p, 0}; };
  out.win = exact(found.win);
  out.draw = exact(found.draw);
  out.loss = exact(found.loss);
  for (const auto& [points, p] : found.points) {
    out.my_points.value += points.first * p;
    out.their_points.value += points.second * p;
  }
  add_ends(found.ends, exact, out);
  for (std::size_t k = 0; k < found.rounds.size(); ++k)
    out.mean_rounds.value += static_cast<double>(k) * found.rounds[k];
  for (int s = 0; s < game.ships(); ++s) {
    BattleShipEstimates& ship = out.ships[at(s)];
    for (const auto& round : found.alive) ship.alive.push_back(exact(round[at(s)]));
    ship.survives = exact(found.survives[at(s)]);
    ship.last = exact(found.last[at(s)]);
    ship.shots = exact(found.shots[at(s)]);
    ship.damage_done = exact(found.done[at(s)]);
    ship.damage_taken = exact(found.taken[at(s)]);
    ship.points_earned = exact(found.earned[at(s)]);
  }
}

void fill(const Game& game, const BattleTally& found, BattleReport& out) {
  const std::uint64_t n = found.battles;
  const auto sampled = [n](std::uint64_t count) { return share(count, n); };
  out.trials = n;
  out.win = sampled(found.with_result(1));
  out.draw = sampled(found.with_result(0));
  out.loss = sampled(found.with_result(-1));
  out.my_points = mean(found.mine, n);
  out.their_points = mean(found.theirs, n);
  out.mean_rounds = mean(found.rounds, n);
  add_ends(found.ends, sampled, out);
  for (int s = 0; s < game.ships(); ++s) {
    BattleShipEstimates& ship = out.ships[at(s)];
    const BattleTally::OfShip& counted = found.ships[at(s)];
    for (std::size_t k = 0; k < out.rounds.size(); ++k) ship.alive.push_back(sampled(counted.alive[k]));
    ship.survives = sampled(counted.survives);
    ship.last = sampled(counted.last);
    ship.shots = mean(counted.shots, n);
    ship.damage_done = mean(counted.done, n);
    ship.damage_taken = mean(counted.taken, n);
    ship.points_earned = mean(counted.earned, n);
  }
}

/// Whether the policy sound may solve the battle, if that is cheap enough.
bool can_solve(const Game& game, const BattleOptions& options) {
  return has_sound(game.question()) && game.ships() <= kMaxExactShips && game.tables().deck() == nullptr &&
         game.most_scored() == 0 && game.question().score.end_points == 0 && !options.reference &&
         options.engine.value_or(EngineChoice::Exact) == EngineChoice::Exact;
}

/// The battle in which every side plays optimally that does not play for points.
BattleQuestion played_optimally(BattleQuestion question) {
  for (BattlePolicy* policy : {&question.my_policy, &question.their_policy}) {
    if (*policy != BattlePolicy::Best) *policy = BattlePolicy::Optimal;
  }
  return question;
}

/// Samples the requested number of battles, or as many as the precision needs.
BattleTally sampled(const Game& game, const BattleOptions& options, double budget, bool& interrupted) {
  std::optional<battle::ReferenceDice> dice;
  if (options.reference) dice.emplace(game.tables(), budget);
  battle::SampleOptions how{
      .seed = options.seed, .threads = options.threads, .dice = dice ? &*dice : nullptr, .progress = {}};
  std::uint64_t planned = options.trials.value_or(kDefaultBattles), done = 0;
  BattleTally out;
  const auto play = [&](std::uint64_t to) {
    how.progress = [&, from = done](std::uint64_t n) {
      interrupted = options.progress && !options.progress(from + n, options.precision ? 0 : planned);
      return !interrupted;
    };
    out.merge(battle::play_many(game, done, to, how));
    done = to;
  };
  if (!options.precision) {
    play(planned);
    return out;
  }
  const std::uint64_t most = options.trials.value_or(kMaxNeededTrials);
  constexpr std::uint64_t kFirst = 16'384;
  for (std::uint64_t next = std::min(most, kFirst); !interrupted;) {
    play(next);
    // A probability of 0 or 1 gets the error of a single battle.
    const double p = std::clamp(share(out.with_result(1), out.battles).value, 1.0 / static_cast<double>(out.battles),
                                1 - 1.0 / static_cast<double>(out.battles));
    const double needed =
        p * (1 - p) * base::kTwoSided95 * base::kTwoSided95 / (*options.precision * *options.precision);
    if (static_cast<double>(out.battles) >= needed || done >= most) break;
    const double wanted = std::max(needed * 1.02, static_cast<double>(done) * 1.1);
    if (wanted > static_cast<double>(kMaxNeededTrials)) {
      throw ScenarioError("precision",
                          fmt::format("that needs some {:.2g} battles; ask for less, or give trials", wanted));
    }
    next = std::min(most, static_cast<std::uint64_t>(wanted));
  }
  return out;
}

// ---------------------------------------------------------------- sensitivity

constexpr std::uint64_t kLeastVariantBattles = 1000, kMostVariantBattles = 4000, kVariantShare = 50;
constexpr double kNotable = 0.05;  // a difference of chances that is worth a sentence

/// The chance to win, a draw counted half.
Estimate value_of(const BattleTally& found) {
  const double n = static_cast<double>(found.battles);
  const double win = static_cast<double>(found.with_result(1)) / n,
               draw = static_cast<double>(found.with_result(0)) / n;
  const double value = win + draw / 2;
  return {value, std::sqrt(std::max(0.0, win + draw / 4 - value * value) / n)};
}

/// A sentence about the variants that differ most, or nothing if they are close.
std::string range_words(const char* what, const std::vector<BattleVariant>& variants) {
  if (variants.empty()) return {};
  const auto [least, most] =
      std::minmax_element(variants.begin(), variants.end(),
                          [](const BattleVariant& a, const BattleVariant& b) { return a.value.value < b.value.value; });
  const double noise = 2 * std::hypot(least->value.se, most->value.se);
  if (most->value.value - least->value.value <= kNotable + noise) return {};
  return fmt::format("the {} moves my chance to win from {:.0f} % ({}) to {:.0f} % ({})", what,
                     100 * least->value.value, least->choice, 100 * most->value.value, most->choice);
}

/// Plays the battle with each other policy of both sides and with each other flight, on the same tables of attacks.
/// Notes what cannot be played.
BattleSensitivity sensitivity(const Catalogue& catalogue, const Game& game, const BattleOptions& options,
                              BattleReport& found) {
  BattleSensitivity out;
  out.battles =
      found.trials == 0
          ? kMostVariantBattles
          : std::min(found.trials, std::clamp(found.trials / kVariantShare, kLeastVariantBattles, kMostVariantBattles));
  const BattleQuestion& question = game.question();
  const auto add = [&](const BattleQuestion& asked, const std::string& choice, std::vector<BattleVariant>& to) {
    try {
      const Game other(catalogue, asked, exact::Budget().edges, battle::sharing(game.shared_tables()));
      const battle::SampleOptions how{
          .seed = options.seed, .threads = options.threads, .dice = nullptr, .progress = {}};
      to.push_back({choice, value_of(battle::play_many(other, 0, out.battles, how))});
    } catch (const std::runtime_error& error) {
      found.notes.push_back(fmt::format("sensitivity leaves out {}: {}", choice, error.what()));
    }
  };
  const Estimate now{found.win.value + found.draw.value / 2, std::hypot(found.win.se, found.draw.se / 2)};
  const bool same = question.my_policy == question.their_policy;
  for (const BattlePolicy policy : {BattlePolicy::Greedy, BattlePolicy::FocusFire, BattlePolicy::LikeliestKill,
                                    BattlePolicy::Points, BattlePolicy::Value, BattlePolicy::Sound}) {
    if (same && policy == question.my_policy) {
      out.policies.push_back({std::string(to_string(policy)), now});
      continue;
    }
    BattleQuestion asked = question;
    asked.my_policy = asked.their_policy = policy;
    add(asked, std::string(to_string(policy)), out.policies);
  }
  for (const std::string& flight : load::flight_ids(catalogue.profiles())) {
    if (flight == game.flight().id) {
      out.flights.push_back({flight, now});
      continue;
    }
    BattleQuestion asked = question;
    asked.flight = flight;
    asked.flight_text.clear();
    add(asked, flight, out.flights);
  }
  const std::string policies = range_words("policy of both sides", out.policies);
  const std::string flights = range_words("flight", out.flights);
  out.summary = policies + (policies.empty() || flights.empty() ? "" : "; ") + flights;
  return out;
}

}  // namespace

std::string_view to_string(BattlePolicy policy) { return base::nth(kPolicyNames, policy); }

std::vector<std::string> battle_policy_names() { return {kPolicyNames.begin(), kPolicyNames.end()}; }

bool engines_agree(const BattleReport& report) {
  return report.engine != Engine::Both || report.g_test >= answers::kMinP;
}

BattleReport play_battle(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options) {
  return battle::fight(catalogue, question, options, battle::SoundPlay::SolvedIfCheap);
}

BattleReport battle::fight(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options,
                           SoundPlay sound) {
  check(question, options);
  const battle::TableCache& kept = battle::table_cache(catalogue);
  battle::TablesKey key;
  std::shared_ptr<battle::AttackTables> tables;
  const battle::TablesSource kept_or_new = [&](const battle::TablesKey& wanted) {
    key = wanted;
    return tables = battle::tables_of(kept, wanted);
  };
  BattleReport out = battle::with_tables(kept_or_new, [&](const battle::TablesSource& source) {
    if (!source) tables.reset();  // full ones are of no use to the next question
    return battle::fight_with(catalogue, question, options, source, sound);
  });
  kept.keep(key, tables);
  return out;
}

std::shared_ptr<battle::AttackTables> battle::shared_tables(const Catalogue& catalogue, const GameCards& cards,
                                                            const std::string& damage_deck,
                                                            const std::vector<NamedShip>& ships, int threads) {
  AttackTablesOptions options{cards.rules, cards.cards, exact::Budget().edges, threads, true};
  options.damage_deck = damage_deck;
  return std::make_shared<AttackTables>(catalogue, options, ships);
}

BattleReport battle::fight_with(const Catalogue& catalogue, const BattleQuestion& question,
                                const BattleOptions& options, const TablesSource& source, SoundPlay sound) {
  check(question, options);
  const double attack_budget = exact::Budget().edges, budget = options.budget.value_or(kDefaultBudget);
  const Game game(catalogue, question, attack_budget, source);
  if (solves(question) && (game.most_scored() > 0 || question.score.end_points > 0)) {
    throw ScenarioError(game.most_scored() > 0 ? "flight" : "end_points",
                        "best and optimal play are solved without objectives and without an end by points; leave "
                        "these out, or take the policy greedy");
  }
  BattleReport out = outline(game);
  out.seed = options.seed;
  const bool chosen = options.engine.has_value();
  std::optional<ExactBattle> exact;
  std::optional<battle::OptimalBattle> optimal;
  if (sound != SoundPlay::Rule && can_solve(game, options)) {
    const bool cheap = sound != SoundPlay::Solved;
    const battle::PlayBudget most{cheap ? std::min(budget, kSoundTransitions) : budget, attack_budget,
                                  cheap ? kSoundWork : HUGE_VAL};
    const Game best(catalogue, played_optimally(question), attack_budget, sharing(game.shared_tables()));
    try {
      if (solves(question)) {
        optimal = battle::play_optimally(best, most, options.threads);
      } else {
        const Game* asked = question.my_policy == question.their_policy ? nullptr : &game;
        exact = battle::play_equilibrium(best, asked, most, options.threads);
        if (!chosen) {
          out.engine_reason =
              fmt::format("the policy sound solved it ({} of {} steps)", outcomes(exact->work), outcomes(kSoundWork));
        }
      }
      out.solved_by_sound = true;
    } catch (const PlanTooLarge&) {
      if (sound == SoundPlay::Solved) throw;
    }
  }
  out.assumptions = assumptions(game, out.solved_by_sound);
  if (solves(question)) {
    if (!optimal) optimal = battle::play_optimally(game, {budget, attack_budget}, options.threads);
    fill(game, optimal->battle, out);
    out.bounds = optimal->bounds;
    out.positions = std::move(optimal->positions);
    out.engine = Engine::Exact;
    return out;
  }
  const bool small = game.ships() <= kMaxExactShips && !options.reference;
  if (!exact && options.engine != EngineChoice::Sample && (chosen || small)) {
    try {
      const battle::ExactBudget most = exact_budget(game, options);
      exact = battle::play_exactly(game, most);
      if (!chosen) {
        out.engine_reason =
            fmt::format("it fits its budget ({} of {} outcomes)", outcomes(exact->work), outcomes(most.work));
      }
    } catch (const PlanTooLarge& error) {
      if (chosen) throw;
      out.engine_reason = error.what();
    }
  } else if (!exact && !chosen && !options.reference) {
    out.engine_reason = fmt::format("more than {} ships", kMaxExactShips);
  }
  if (!exact || options.engine == EngineChoice::Both) {
    const BattleTally tally = sampled(game, options, attack_budget, out.interrupted);
    if (exact) {
      out.g_test = base::g_test_of_sample(tally.ends, exact->ends);
      out.trials = tally.battles;
    } else {
      fill(game, tally, out);
    }
  }
  if (exact) fill(game, *exact, out);
  if (options.sensitivity && !options.reference && !out.interrupted)
    out.sensitivity = sensitivity(catalogue, game, options, out);
  out.engine = !exact ? Engine::Sample : options.engine == EngineChoice::Both ? Engine::Both : Engine::Exact;
  return out;
}

}  // namespace salvo
