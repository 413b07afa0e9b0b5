// Merges positions (StateMerging) by their keys. How a position merges depends on its dice-free part and on which faces
// its dice show, so the rule is found once for each such pair, and its effect on dice once for each dice.
// Second layer of SegmentGraphBuilder.
#pragma once

#include <algorithm>

#include "exact/segments/position_keys.h"
#include "exact/segments/segments.h"
#include "exact/segments/state_merging.h"

namespace salvo::exact {

class KeyMerging : protected PositionKeys {
 protected:
  using PositionKeys::PositionKeys;

  PositionKey merged(PositionKey key) { return merged(key, dice_facts(key.dice)); }
  /// `facts`: of the key's dice.
  PositionKey merged(PositionKey key, DiceFacts facts) {
    const std::size_t at = merge_index(key.dice_free, facts);
    if (at < merges_.size() && merges_[at].dice_free != kUnknown)
      return {merges_[at].dice_free, merged_dice(merges_[at].pools, key.dice)};
    return merged_slowly(key);
  }

  /// The dice that are still read after the end of the segment.
  int dice_at_end(int dice) {
    game::Position position;
    position.attack_pool = graph_.dice[dice].attack;
    position.defense_pool = graph_.dice[dice].defense;
    spec_.forget(position);
    return dice_of(position.attack_pool, position.defense_pool);
  }

 private:
  /// The outcome of a merge.
  struct Merge {
    int dice_free = kUnknown;
    int pools = 0;  ///< number in pool_merges_
  };
  /// How dice merge.
  struct PoolMerge {
    StateMerging::Rule rule;
    bool ends = false;  ///< the segment ends, so that dice are forgotten
    NumberMemo merged;  ///< by dice
  };
  static constexpr std::size_t kFaceSets = 16;
  static constexpr std::size_t kNoIndex = ~std::size_t{0};

  /// Index into merges_, where the first few face sets of a dice-free part are neighbors.
  static std::size_t merge_index(int dice_free, DiceFacts facts) {
    const auto faces = static_cast<std::size_t>(facts.faces);
    return faces < kFaceSets ? static_cast<std::size_t>(dice_free) * kFaceSets + faces : kNoIndex;
  }

  /// For keys that are not in merges_: new combinations, positions in which an effect waits, and rare face sets.
  [[gnu::noinline]] PositionKey merged_slowly(PositionKey key) {
    if (rest(key.dice_free).resumes) {
      game::Position position = graph_.position(key);
      spec_.merging->merge(plan_, attack_, position);
      return key_of(position);
    }
    const DiceFacts facts = dice_facts(key.dice);
    const std::size_t at = merge_index(key.dice_free, facts);
    if (at != kNoIndex && at >= merges_.size()) merges_.resize(merge_index(key.dice_free + 1, {}));
    Merge& merge = at != kNoIndex ? merges_[at] : rare_merges_[{key.dice_free, facts.faces}];
    if (merge.dice_free == kUnknown) merge = find_merge(key);  // looks up no other merge, so the reference stays valid
    return {merge.dice_free, merged_dice(merge.pools, key.dice)};
  }

  Merge find_merge(PositionKey key) {
    const StateMerging::Rule rule = spec_.merging->rule(attack_, graph_.position(key));
    game::Position after = graph_.dice_free[key.dice_free];
    after.used = rule.used;
    after.resources = difference(after.resources, rule.forgotten);
    const int dice_free = dice_free_of(after);
    const bool ends = rest(dice_free).over;
    const auto same = [&](const PoolMerge& known) { return known.ends == ends && known.rule.pools == rule.pools; };
    const auto known = std::find_if(pool_merges_.begin(), pool_merges_.end(), same);
    const auto number = static_cast<int>(known - pool_merges_.begin());
    if (known == pool_merges_.end()) pool_merges_.push_back({rule, ends, {}});
    return {dice_free, number};
  }

  int merged_dice(int pools, int dice) {
    const int known = base::nth(pool_merges_, pools).merged.find(dice);
    return known != kUnknown ? known : merge_dice(base::nth(pool_merges_, pools), dice);
  }
  [[gnu::noinline]] int merge_dice(PoolMerge& pools, int dice) {
    const Dice before = graph_.dice[dice];
    int after = dice_of(spec_.merging->merged(pools.rule, true, before.attack),
                        spec_.merging->merged(pools.rule, false, before.defense));
    if (pools.ends) after = dice_at_end(after);
    pools.merged.insert(dice, after);
    return after;
  }

  List<Merge> merges_;  ///< see merge_index
  std::map<std::pair<int, int>, Merge> rare_merges_;
  List<PoolMerge> pool_merges_;
};

}  // namespace salvo::exact
