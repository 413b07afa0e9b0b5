// Finds the segments and attacks that earlier attacks of a plan have built already. Attacks of one ship repeat
// segments; the fighters of a wing make attacks that differ only in whose tokens they spend.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "exact/segments/segment_game.h"

namespace salvo::exact {

class SegmentSharing {
 public:
  /// `attacks`: all attacks of the plan; those before the current one are built. `read_after`: see
  /// split_into_segments().
  SegmentSharing(const game::Plan& plan, const std::vector<std::unique_ptr<SegmentAttack>>& attacks,
                 const game::Resources& read_after)
      : plan_(plan), attacks_(attacks), read_after_(read_after), keys_(plan.attacks.size()) {}

  /// An earlier attack that plays for attack k.
  struct Twin {
    std::size_t attack = 0;
    Relabeling labels;     ///< from k to it
    game::Resources rest;  ///< resources that all its states have besides the relabeled ones
    Positions after;       ///< the states after k, in the order of the states after it
  };
  /// The attack before k, or the one that plays for it, if another ship plays the same in it, from the same states in
  /// the same order. Nothing if the attacker of k attacks again: its later attacks extend the graphs of k, which must
  /// have its own labels.
  std::optional<Twin> twin_attack(std::size_t k, const std::vector<Segment>& segments);

  /// The graph of the same segment in the last attack before k that contains it, or nullptr. It can be extended.
  std::shared_ptr<SegmentGraph> known_graph(std::size_t k, const std::vector<Segment>& segments, std::size_t i) const;

  /// The graph that building segment i from `starts` would give, made from an attack before k whose segment differs
  /// only in labels; nullptr without such an attack. It is a relabeled copy, unless no label differs and neither
  /// attacker attacks again.
  std::shared_ptr<SegmentGraph> twin_graph(std::size_t k, const std::vector<Segment>& segments, std::size_t i,
                                           const Positions& starts);

 private:
  SegmentRef built_segment(std::size_t k, std::size_t i) const;
  /// Whether attack j has its own segment i, instead of one that an earlier attack plays for it.
  bool owns_segment(std::size_t j, std::size_t i) const {
    return attacks_[j]->plays_as == j && i < attacks_[j]->segments->size();
  }
  bool same_states(std::size_t k, Twin& twin) const;
  bool attacks_once(std::size_t k) const;
  bool same_keys(std::size_t k, std::size_t j);
  const std::array<TieKey, 2>& keys_of(std::size_t k);

  const game::Plan& plan_;
  const std::vector<std::unique_ptr<SegmentAttack>>& attacks_;
  const game::Resources read_after_;
  std::vector<std::optional<std::array<TieKey, 2>>> keys_;  ///< by attack: of the defender, of the attacker
};

}  // namespace salvo::exact
