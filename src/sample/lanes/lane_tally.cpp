#include "sample/lanes/lane_tally.h"

#include <algorithm>
#include <utility>

#include "base/index.h"

namespace salvo::sample {
namespace {

constexpr int kTransitionBits = 14;
constexpr std::size_t kMaxLeft = 1'000'000;                   // distinct resources before all are forgotten
constexpr std::uint64_t kMaxTrials = std::uint64_t{1} << 31;  // that 32-bit counts by end can hold
constexpr int kMaxFigure = 0xffff;                            // of a packed value of one ship in one trial
constexpr int kMaxInAttack = 600;                             // upper bound of the damage of one attack to one ship

constexpr int kCritsShift = 16, kDamageShift = 32, kFaceupShift = 48, kTheirsShift = 32;

std::uint64_t packed(const LaneEnd::Suffered& suffered) {
  return std::uint64_t{suffered.hits} | std::uint64_t{suffered.crits} << kCritsShift |
         std::uint64_t{suffered.damage} << kDamageShift | std::uint64_t{suffered.faceup} << kFaceupShift;
}

std::size_t field(std::uint64_t word, int shift) { return static_cast<std::size_t>(word >> shift & 0xffffu); }

/// Adds n trials in which a ship suffered this in total.
void add_suffered(ShipTally& ship, std::uint64_t word, std::uint64_t n) {
  ship.count(field(word, 0), field(word, kCritsShift)) += n;
  const std::uint64_t faceup = field(word, kFaceupShift);
  if (faceup != 0) ship.faceup.merge({n * faceup, Wide{n} * faceup * faceup});
  if (!ship.damage.empty()) ship.damage[std::min(field(word, kDamageShift), ship.damage.size() - 1)] += n;
}

/// Resources after a change of those in `mask`.
game::Resources after(const game::Resources& changed, const game::Resources& mask, game::Resources resources) {
  for (std::size_t w = 0; w < mask.words.size(); ++w)
    resources.words[w] = (resources.words[w] & ~mask.words[w]) | changed.words[w];
  return resources;
}

void add(Moments& moments, int value, std::uint64_t n) {
  const auto x = static_cast<std::uint64_t>(value);
  moments.merge({n * x, Wide{n} * x * x});
}

}  // namespace

LaneTally::LaneTally(const game::Plan& plan, const Wanted& wanted)
    : plan_(plan),
      wanted_(wanted),
      alone_(plan.attacks.size() == 1),
      left_of_(kLanes),
      suffered_(plan.ships.size() * kLanes),
      gained_(kLanes),
      stages_(plan.attacks.size()),
      hurt_(plan.ships.size()) {
  if (static_cast<int>(plan.attacks.size()) * kMaxInAttack > kMaxFigure)
    throw UnsupportedByKernel("the attacks are too many");
  forget();
}

void LaneTally::forget() {
  for (Stage& stage : stages_) {
    stage = {};
    if (!alone_) stage.transitions.resize(std::size_t{1} << kTransitionBits);
  }
  left_.clear();
  leaving_.clear();
  numbers_.clear();
  number_of(plan_.start);
}

/// Numbers resources in order of appearance: those at the start have number 0.
std::uint32_t LaneTally::number_of(const game::Resources& resources) {
  const auto [at, fresh] = numbers_.try_emplace(resources, static_cast<std::uint32_t>(left_.size()));
  if (fresh) {
    left_.push_back(resources);
    leaving_.push_back(0);
  }
  return at->second;
}

void LaneTally::begin_chunk() {
  if (alone_) return;
  std::fill(left_of_.begin(), left_of_.end(), 0);
  for (std::size_t s = 0; s < hurt_.size(); ++s) {
    if (hurt_[s]) std::fill_n(suffered_.begin() + static_cast<std::ptrdiff_t>(s * kLanes), kLanes, 0);
  }
  std::fill(gained_.begin(), gained_.end(), 0);
}

void LaneTally::find_changes(Stage& stage, const LaneGraph& graph) {
  for (auto i = static_cast<std::uint32_t>(stage.changes.size()); i < graph.ends(); ++i) {
    const LaneEnd& end = graph.end(i);
    Change out;
    out.gained = static_cast<std::uint64_t>(end.mine) | static_cast<std::uint64_t>(end.theirs) << kTheirsShift;
    for (const LaneEnd::Suffered& suffered : end.suffered) {
      if (!suffered.any()) continue;
      hurt_[suffered.ship] = true;
      out.several = out.suffered != 0;
      out.ship = suffered.ship * static_cast<std::uint32_t>(kLanes);
      out.suffered = packed(suffered);
    }
    const auto [at, fresh] = stage.known.try_emplace(end.resources, static_cast<std::uint32_t>(stage.left.size()));
    if (fresh) stage.left.push_back(end.resources);
    out.left = at->second & 0x7fffffffu;
    stage.changes.push_back(out);
  }
}

void LaneTally::end_attack(std::size_t attack, const LaneGraph& graph, LaneGraph* next, LaneStep* at,
                           const Lanes& lanes) {
  Stage& stage = stages_[attack];
  if (stage.changes.size() < graph.ends()) find_changes(stage, graph);
  alone_ ? count(stage, graph, at, lanes) : change(stage, graph, next, at, lanes);
}

void LaneTally::count(Stage& stage, const LaneGraph& graph, const LaneStep* at, const Lanes& lanes) {
  const LaneStep* tables = graph.tables();
  Change* changes = stage.changes.data();
  for (const std::size_t lane : lanes)
    ++changes[tables[at[lane].place() + LaneStep::kNumberAt].number()].times[lane % kCopies];
}

void LaneTally::change(Stage& stage, const LaneGraph& graph, LaneGraph* next, LaneStep* at, const Lanes& lanes) {
  const LaneStep* tables = graph.tables();
  Change* changes = stage.changes.data();
  Transition* transitions = stage.transitions.data();
  std::uint32_t* left_of = left_of_.data();
  std::uint64_t* gained = gained_.data();
  std::uint64_t* suffered = suffered_.data();
  for (const std::size_t lane : lanes) {
    const std::uint32_t number = tables[at[lane].place() + LaneStep::kNumberAt].number();
    Change& end = changes[number];
    const std::uint64_t key = std::uint64_t{left_of[lane]} << 32 | end.left;
    Transition& transition = transitions[key * 0x9e3779b97f4a7c15u >> (64 - kTransitionBits)];
    if (transition.key != key) transition = find(stage, key, graph.mask(), next);
    left_of[lane] = transition.left;
    at[lane] = transition.next;
    ++end.times[lane % kCopies];
    gained[lane] += end.gained;
    if (end.several == 0) {
      suffered[end.ship + lane] += end.suffered;
    } else {
      suffer(graph.end(number), lane);
    }
  }
}

void LaneTally::suffer(const LaneEnd& end, std::size_t lane) {
  for (const LaneEnd::Suffered& suffered : end.suffered) suffered_[suffered.ship * kLanes + lane] += packed(suffered);
}

LaneTally::Transition LaneTally::find(const Stage& stage, std::uint64_t key, const game::Resources& mask,
                                      LaneGraph* next) {
  const game::Resources& before = left_[key >> 32];
  const game::Resources left = after(stage.left[key & 0xffffffffu], mask, before);
  Transition out{key, number_of(left), LaneStep()};
  if (next != nullptr) out.next = next->entry(left);
  return out;
}

void LaneTally::end_chunk(const Lanes& lanes, Tally& tally) {
  tally.trials += lanes.n;
  counted_trials_ += lanes.n;
  if (alone_) return;
  for (std::size_t s = 0; s < hurt_.size(); ++s) {
    if (!hurt_[s]) {
      add_suffered(tally.ships[s], 0, lanes.n);
      continue;
    }
    for (const std::size_t lane : lanes) add_suffered(tally.ships[s], suffered_[s * kLanes + lane], 1);
  }
  add_gained(tally);
  if (!wanted_.tokens) return;
  for (const std::size_t lane : lanes) ++leaving_[left_of_[lane]];
}

void LaneTally::add_gained(Tally& tally) const {
  std::uint64_t mine = 0, theirs = 0, mine_squares = 0, theirs_squares = 0, mixed = 0;
  for (const std::uint64_t gained : gained_) {
    const std::uint64_t a = gained & 0xffffffffu;
    const std::uint64_t b = gained >> kTheirsShift;
    mine += a;
    theirs += b;
    mine_squares += a * a;
    theirs_squares += b * b;
    mixed += a * b;
  }
  tally.mine.merge({mine, mine_squares});
  tally.theirs.merge({theirs, theirs_squares});
  tally.mixed += mixed;
}

/// Adds n trials that ended an attack like this.
void LaneTally::add_ended(const LaneEnd& end, std::uint64_t n, AttackTally& attack, Tally& tally) {
  if (end.happens) {
    attack.happens += n;
    attack.hits_at_all += end.hits_at_all ? n : 0;
    add(attack.attack_dice, end.attack_dice, n);
    add(attack.defense_dice, end.defense_dice, n);
    add(attack.hits, end.hits, n);
    add(attack.crits, end.crits, n);
  }
  if (!alone_) return;
  for (std::size_t s = 0; s < tally.ships.size(); ++s) {
    std::uint64_t all = 0;
    for (const LaneEnd::Suffered& suffered : end.suffered) all += suffered.ship == s ? packed(suffered) : 0;
    add_suffered(tally.ships[s], all, n);
  }
  add(tally.mine, end.mine, n);
  add(tally.theirs, end.theirs, n);
  tally.mixed += Wide{n} * static_cast<Wide>(end.mine) * static_cast<Wide>(end.theirs);
}

void LaneTally::add_ends(std::size_t attack, const LaneGraph& graph, Tally& tally) {
  counted_trials_ = 0;
  std::vector<Change>& changes = stages_[attack].changes;
  for (std::uint32_t number = 0; number < changes.size(); ++number) {
    std::uint64_t n = 0;
    for (std::uint32_t& copy : changes[number].times) n += std::exchange(copy, 0);
    if (n == 0) continue;
    const LaneEnd& end = graph.end(number);
    add_ended(end, n, tally.attacks[attack], tally);
    if (alone_ && wanted_.tokens) add_resources(after(end.resources, graph.mask(), plan_.start), n, tally);
  }
}

bool LaneTally::full() const { return counted_trials_ > kMaxTrials || left_.size() > kMaxLeft; }

void LaneTally::add_left(Tally& tally) {
  for (std::size_t number = 0; number < left_.size(); ++number) {
    if (leaving_[number] > 0) add_resources(left_[number], std::exchange(leaving_[number], 0), tally);
  }
}

/// Adds n trials with these resources left.
void LaneTally::add_resources(const game::Resources& resources, std::uint64_t n, Tally& tally) const {
  for (std::size_t i = 0; i < plan_.resources.size(); ++i) {
    const int x = resources.get(plan_.resources[i]);
    add(tally.resources[i], x, n);
    if (!tally.numbers[i].empty()) base::nth(tally.numbers[i], x) += n;
  }
}

}  // namespace salvo::sample
