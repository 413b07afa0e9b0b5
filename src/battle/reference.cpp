#include "battle/reference.h"

#include <stdexcept>

#include "base/index.h"
#include "base/philox.h"
#include "battle/sample.h"
#include "exact/attack_ends.h"
#include "exact/exact.h"
#include "sample/tally.h"

namespace salvo::battle {

struct ReferenceDice::Prepared {
  CompiledAttack asked;
  game::Plan decided;  ///< the plan by which players decide
  game::Policy policy;
  sample::Setup setup;
  Prepared(CompiledAttack question, bool parted, double budget)
      : asked(std::move(question)),
        decided(parted ? without_deals(asked.plan) : asked.plan),
        policy(exact::greedy_policy(decided, {.edges = budget})),
        setup(sample::prepare(asked.plan, policy, 0)) {}
};

namespace {

/// Decides as if no card of the decks had been seen before the attack.
class WholeDeck final : public game::Policy::Table {
 public:
  WholeDeck(const game::Plan& plan, const game::Policy& policy, const game::Resources& start)
      : plan_(plan), policy_(policy), begun_(start) {}

  void decide(const game::Plan& /*plan*/, std::size_t attack, const game::Resources& start,
              const game::Position& position, std::vector<game::Option>& options) const override {
    game::Position here = position;
    here.resources = whole(position.resources);
    policy_.decide(plan_, attack, whole(start), here, options);
  }

 private:
  game::Resources whole(game::Resources resources) const {
    for (const game::Resource& r : plan_.resources) {
      if (r.kind == game::Resource::Kind::Seen && r.dynamic) resources.set(r, resources.get(r) - begun_.get(r));
    }
    return resources;
  }
  const game::Plan& plan_;
  const game::Policy& policy_;
  game::Resources begun_;
};

}  // namespace

const ReferenceDice::Prepared& ReferenceDice::prepared(const AttackKey& key) {
  const std::lock_guard lock(mutex_);
  auto& place = known_[key];
  if (!place) {
    auto question = tables_.compile(key);
    if (!question) throw std::logic_error("an attack that cannot be made was chosen");
    const bool parted =
        tables_.deck() != nullptr && !key.engages() && tables_.deals_separately(key.attacker, key.defender);
    place = std::make_shared<const Prepared>(std::move(*question), parted, budget_);
  }
  return *place;
}

CardOutcome ReferenceDice::play(const AttackKey& key, std::uint64_t seed, std::uint64_t battle, std::uint64_t stream,
                                const DeckState& cards) {
  const bool with_cards = tables_.deck() != nullptr;
  const Prepared& attack = prepared(with_cards && !key.engages() ? tables_.whole_key(key, cards) : key);
  game::Resources start = attack.asked.plan.start;
  if (with_cards) tables_.set_seen(attack.asked, cards, start);
  const bool unseen = start == attack.asked.plan.start;
  const game::Plan drawn = unseen ? game::Plan() : exact::plan_from(attack.asked.plan, start);
  const game::Plan& plan = unseen ? attack.asked.plan : drawn;
  const game::Policy policy =
      unseen ? attack.policy : game::Policy(std::make_shared<const WholeDeck>(attack.decided, attack.policy, start));
  // Each slot has its own seed, so that no two dice of the battle share bits.
  const base::PhiloxCounter mixed =
      base::philox4x32({static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32), 0, kDiceStream},
                       base::philox_key(seed));
  sample::Setup setup{plan,
                      policy,
                      attack.setup.attack_code,
                      attack.setup.defense_code,
                      attack.setup.addresses,
                      static_cast<std::uint64_t>(mixed[1]) << 32 | mixed[0],
                      attack.setup.generator};
  sample::Tally tally(plan);
  sample::play(setup, battle, battle + 1, tally);
  std::vector<int> left;
  for (const sample::Moments& one : tally.resources) left.push_back(static_cast<int>(one.sum));
  const auto damage_of = [&](int ship) {
    const sample::ShipTally& counted = base::nth(tally.ships, ship);
    for (std::size_t d = 0; d < counted.damage.size(); ++d) {
      if (counted.damage[d] > 0) return static_cast<int>(d);
    }
    for (std::size_t i = 0; i < counted.joint.size(); ++i) {
      const auto width = static_cast<std::size_t>(counted.width);
      if (counted.joint[i] > 0) return static_cast<int>(i / width + i % width);
    }
    return 0;
  };
  CardOutcome out;
  out.outcome =
      tables_.outcome_of(key, attack.asked, left, damage_of(attack.asked.defender), damage_of(attack.asked.attacker));
  if (with_cards) out.cards = tables_.card_change(attack.asked, start, left);
  return out;
}

ReferenceChance::ReferenceChance(const Game& game, ReferenceDice& dice, std::uint64_t seed, std::uint64_t battle)
    : dice_(dice), slots_(static_cast<std::uint64_t>(game.slots())), seed_(seed), battle_(battle) {}

double ReferenceChance::uniform(int slot) const {
  const std::uint64_t n = base_ + static_cast<std::uint64_t>(slot);
  const base::PhiloxCounter bits =
      base::philox4x32({static_cast<std::uint32_t>(battle_), static_cast<std::uint32_t>(battle_ >> 32),
                        static_cast<std::uint32_t>(n), kReferenceStream},
                       base::philox_key(seed_));
  constexpr double kOne = 9007199254740992.0;  // 2^53
  return static_cast<double>((static_cast<std::uint64_t>(bits[0]) << 32 | bits[1]) >> 11) / kOne;
}

std::size_t ReferenceChance::pick(int slot, const GeometryDistribution& cases) {
  double left = uniform(slot);
  for (std::size_t i = 0; i + 1 < cases.chance.size(); ++i) {
    left -= cases.chance[i];
    if (left < 0) return i;
  }
  return cases.chance.size() - 1;
}

Outcome ReferenceChance::attack(int slot, const AttackKey& key, const Outcomes& /*outcomes*/) {
  return dice_.play(key, seed_, battle_, base_ + static_cast<std::uint64_t>(slot));
}

CardOutcome ReferenceChance::dealt(int slot, const AttackKey& key, const Outcomes& /*outcomes*/,
                                   const DeckState& cards) {
  constexpr std::uint64_t kEngagement = std::uint64_t{1} << 32;  // beyond all slots of a battle
  const std::uint64_t stream = base_ + static_cast<std::uint64_t>(slot) + (key.engages() ? kEngagement : 0);
  return dice_.play(key, seed_, battle_, stream, cards);
}

}  // namespace salvo::battle
