// Compiles the effects between two rounds: the End Phase, and what ships gain before the next engagement. Each ship
// gets an AttackPlan without an attack. It is skipped once the ship has left play, so the tokens of such a ship no
// longer change.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/index.h"
#include "compile/attack_draft.h"
#include "compile/compile_parts.h"

namespace salvo::compile {
namespace {

/// What the ship gains at the start of a round, or nullptr.
const GainedTokens* gains_of(const ScenarioRound& round, const ShipDraft& ship) {
  const auto at = round.gains.find(ship.name);
  return at == round.gains.end() ? nullptr : &at->second;
}

int gained_in(const Draft& draft, const ScenarioRound& round, const ShipDraft& ship, int token) {
  const load::TokenSpec& spec = base::nth(draft.edition.tokens, token);
  int out = round.again && spec.green ? std::max(0, base::nth(ship.tokens, token).n) : 0;
  if (const GainedTokens* gains = gains_of(round, ship)) {
    const auto n = gains->tokens.find(spec.id);
    if (n != gains->tokens.end()) out += n->second;
  }
  return out;
}

/// A ship with this token keeps its tokens in the next End Phase, which takes this one.
constexpr std::string_view kKeeping = "keeping";

/// The resource of that token of a ship, or -1.
int keeping(const Draft& draft, int ship) { return draft.resource_at(ship, draft.token_index(kKeeping)); }

/// Compiles the effects on one ship before a round, in their order.
class RoundStart {
 public:
  RoundStart(const Draft& draft, const SequenceEntry& entry)
      : draft_(draft), ship_(entry.by), round_(entry.given.round) {
    out_.attacker = entry.by;
    out_.defender = entry.on;
    out_.engagement = true;
  }

  game::AttackPlan compile() {
    const auto& resources = draft_.out.plan.resources;
    for (std::size_t r = 0; r < resources.size() && round_ > 0; ++r) {
      if (resources[r].ship == ship_) end_phase(static_cast<int>(r), resources[r]);
    }
    for (game::Operation& operation : last_) add(std::move(operation));
    gain();
    std::vector<int> all(out_.effects.size());
    for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<int>(e);
    if (!all.empty())
      out_.steps.push_back({.kind = game::Step::Kind::Apply, .effects = std::move(all), .read_later = 0});
    out_.steps.push_back({.kind = game::Step::Kind::End, .read_later = 0});
    for (std::size_t s = 0; s < out_.steps.size(); ++s) out_.steps[s].earliest = static_cast<int>(s);
    return std::move(out_);
  }

 private:
  void end_phase(int index, const game::Resource& r) {
    const int keeps = keeping(draft_, ship_);
    const bool kept = keeps >= 0 && keeps != index;
    const game::Operation loses{.kind = game::Operation::Kind::Lose, .all = true, .resource = index};
    if (r.end.leaves && index != keeps)
      add(loses, kept ? game::Expression{{Code::Resource, keeps}, {Code::Not, 0}} : game::Expression());
    if (r.end.leaves && index == keeps) last_.push_back(loses);
    if (r.end.renews) add({.kind = game::Operation::Kind::Gain, .n = r.initial, .resource = index});
    if (r.end.recover > 0) add({.kind = game::Operation::Kind::Gain, .n = r.end.recover, .resource = index});
    if (r.end.recover < 0) add({.kind = game::Operation::Kind::Lose, .n = -r.end.recover, .resource = index});
  }

  void gain() {
    const ScenarioRound& round = base::nth(draft_.scenario.rounds, round_);
    const ShipDraft& ship = base::nth(draft_.ships, ship_);
    for (std::size_t t = 0; t < draft_.edition.tokens.size(); ++t) {
      const int n = gained_in(draft_, round, ship, static_cast<int>(t));
      const int index = n != 0 ? draft_.resource_at(ship_, static_cast<int>(t)) : -1;
      if (index < 0) continue;
      add({.kind = n > 0 ? game::Operation::Kind::Gain : game::Operation::Kind::Lose,
           .n = std::abs(n),
           .resource = index});
    }
    const GainedTokens* gains = gains_of(round, ship);
    if (gains == nullptr) return;
    for (const std::string& on : gains->locks) gain_lock(draft_.find_ship(on));
  }

  /// A ship that gains a lock loses those on others that it cannot have as well (000: Lock). Ships that left play
  /// cannot be locked.
  void gain_lock(int on) {
    game::Operation out{.kind = game::Operation::Kind::Gain,
                        .n = 1,
                        .resource = draft_.find_resource(game::Resource::Kind::Lock, ship_, on)};
    const auto first = std::find_if(draft_.attacks.begin(), draft_.attacks.end(),
                                    [this](const SequenceEntry& entry) { return entry.given.round == round_; });
    displace_locks(draft_, static_cast<std::size_t>(first - draft_.attacks.begin()), out);
    add(std::move(out), not_gone(draft_, on));
  }

  void add(game::Operation operation, game::Expression when = {}) {
    game::Effect effect;
    effect.when = std::move(when);
    effect.operations.push_back(std::move(operation));
    out_.effects.push_back(std::move(effect));
  }

  const Draft& draft_;
  int ship_ = -1, round_ = 0;
  std::vector<game::Operation> last_;  ///< what happens after all else of the End Phase
  game::AttackPlan out_;
};

/// Whether ships can keep tokens in an End Phase.
bool may_keep(const Draft& draft) {
  return std::any_of(draft.gain_operations.begin(), draft.gain_operations.end(),
                     [](const auto& gain) { return gain.second->token == kKeeping; });
}

}  // namespace

int max_stated(const Draft& draft, const ShipDraft& ship, int token) {
  const load::TokenSpec& spec = base::nth(draft.edition.tokens, token);
  int out = std::max(0, base::nth(ship.tokens, token).n);
  for (std::size_t r = 0; r < draft.scenario.rounds.size(); ++r) {
    const int n = gained_in(draft, draft.scenario.rounds[r], ship, token);
    if (spec.charge) {  // up to the capacity
      out = std::max(out, n);
    } else if (spec.leaves && !may_keep(draft)) {
      out = std::max(out, tokens_in_round(draft, ship, token, static_cast<int>(r)));
    } else {
      out += std::max(0, n);
    }
  }
  return out;
}

bool gains_lock(const Draft& draft, const ShipDraft& ship, const std::string& on) {
  const auto& rounds = draft.scenario.rounds;
  return std::any_of(rounds.begin(), rounds.end(), [&](const ScenarioRound& round) {
    const GainedTokens* gains = gains_of(round, ship);
    return gains != nullptr && base::contains(gains->locks, on);
  });
}

int tokens_in_round(const Draft& draft, const ShipDraft& ship, int token, int round) {
  const bool leaves = base::nth(draft.edition.tokens, token).leaves;
  int out = round == 0 || !leaves ? std::max(0, base::nth(ship.tokens, token).n) : 0;
  for (int r = leaves ? round : 0; r <= round && !draft.scenario.rounds.empty(); ++r)
    out += gained_in(draft, base::nth(draft.scenario.rounds, r), ship, token);
  return out;
}

game::AttackPlan compile_round_start(Draft& draft, const SequenceEntry& entry) {
  game::AttackPlan out = RoundStart(draft, entry).compile();
  draft.out.labels.effects.emplace_back(out.effects.size(), kEndPhase);
  draft.deck_effects.emplace_back();
  return out;
}

void check_gains(Draft& draft) {
  const bool recovers = std::any_of(draft.ships.begin(), draft.ships.end(),
                                    [](const auto& s) { return s.ship != nullptr && s.ship->shields_recover > 0; });
  if (recovers && draft.scenario.rounds.size() > 1)
    draft.out.labels.notes.emplace_back("shields that a huge ship recovers between rounds are not counted");
  for (std::size_t r = 0; r < draft.scenario.rounds.size(); ++r) {
    for (const auto& [name, gains] : draft.scenario.rounds[r].gains) {
      const std::string path = fmt::format("rounds[{}].tokens.{}", r, name);
      const int index = draft.ship_index(name, path);
      const ShipDraft& ship = base::nth(draft.ships, index);
      for (const auto& [token, n] : gains.tokens)
        check_token(
            draft, ship, [&, &token = token] { return path + "." + token; }, token, std::abs(n));
      for (const std::string& target : gains.locks) {
        if (draft.ship_index(target, path + ".lock") == index)
          throw ScenarioError(path + ".lock", "a ship cannot have a lock on itself (000: Lock); name another ship");
      }
    }
  }
}

}  // namespace salvo::compile
