#include "hazard/ship_state.h"

#include <algorithm>

namespace salvo::hazard {
namespace {

using Eigen::Index;

Ship::Token make_token(const load::Edition& edition, const Target& target, const std::string& kind) {
  Ship::Token out;
  out.kind = kind;
  for (const load::TokenSpec& spec : edition.tokens) {
    if (spec.id != kind) continue;
    out.max = spec.max;
    const auto found = spec.threshold.find(target.size);
    if (found != spec.threshold.end()) out.threshold = found->second;
    if (out.threshold > 0) out.state = spec.state;
  }
  return out;
}

void add_at(Eigen::ArrayXXd& to, int row, int column, double p) {
  if (to.rows() <= row || to.cols() <= column) {
    const Eigen::ArrayXXd before = to;
    to = Eigen::ArrayXXd::Zero(std::max<Index>(before.rows(), row + 1), std::max<Index>(before.cols(), column + 1));
    to.topLeftCorner(before.rows(), before.cols()) = before;
  }
  to(row, column) += p;
}

}  // namespace

Ship make_ship(const Occurrence& question, std::size_t index) {
  Ship out{&question.targets[index], {}, {}};
  std::map<std::string, int> kinds = out.target->tokens;
  const load::HazardSituation* situation = question.situations[index];
  if (situation != nullptr && !out.target->remote) {
    const Roll roll = roll_of(question, *situation);
    for (const auto* consequences : {&roll.fixed, &roll.on}) {
      for (const load::HazardEffect& consequence : *consequences) {
        for (const auto& [kind, n] : consequence.tokens) kinds.emplace(kind, 0);
      }
    }
  }
  out.start.shields = out.target->shields;
  out.start.faceup = out.target->faceup;
  for (const auto& [kind, n] : kinds) {
    out.tokens.push_back(make_token(*question.edition, *out.target, kind));
    out.start.tokens.push_back(n);
  }
  return out;
}

Change no_change(const Ship& ship) {
  Change out;
  out.tokens.assign(ship.tokens.size(), 0);
  return out;
}

void add(const Ship& ship, const load::HazardEffect& consequence, int times, Change& sum) {
  sum.shields += times * consequence.shields;
  sum.hits += times * consequence.hits;
  sum.crits += times * consequence.crits;
  sum.facedown += times * consequence.facedown_cards;
  sum.faceup += times * consequence.faceup_cards;
  sum.exposed += times * consequence.exposed;
  for (std::size_t t = 0; t < ship.tokens.size() && !ship.target->remote; ++t) {
    const auto found = consequence.tokens.find(ship.tokens[t].kind);
    if (found != consequence.tokens.end()) sum.tokens[t] += times * found->second;
  }
}

Change fixed_change(const Ship& ship, const Roll& roll) {
  Change out = no_change(ship);
  for (const load::HazardEffect& consequence : roll.fixed) add(ship, consequence, 1, out);
  return out;
}

void apply(const Ship& ship, const Change& change, ShipState& state) {
  int shields = std::max(0, state.shields - change.shields);
  const int hits_on_hull = std::max(0, change.hits - shields);
  shields = std::max(0, shields - change.hits);
  const int crits_on_hull = std::max(0, change.crits - shields);
  shields = std::max(0, shields - change.crits);
  int facedown = state.facedown + hits_on_hull + change.facedown, faceup = crits_on_hull + change.faceup;
  if (ship.target->remote) {
    facedown += faceup;
    faceup = 0;
  }
  const int exposed = ship.target->remote ? 0 : std::min(facedown, change.exposed);
  state.shields = shields;
  state.facedown = facedown - exposed;
  state.faceup += faceup + exposed;
  state.hits += change.hits;
  state.crits += change.crits;
  state.dealt += change.facedown + change.faceup;
  for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
    state.tokens[t] = std::min(ship.tokens[t].max, state.tokens[t] + change.tokens[t]);
  }
}

void add_at(Eigen::ArrayXd& to, int index, double p) {
  if (to.size() <= index) {
    const Index before = to.size();
    to.conservativeResize(index + 1);
    to.tail(to.size() - before).setZero();
  }
  to(index) += p;
}

ShipAnswer empty_answer(const Ship& ship) {
  ShipAnswer out;
  if (ship.target->hull > 0) {
    out.ship.hull = Eigen::ArrayXd::Zero(ship.target->hull + 1);
    out.ship.shields = Eigen::ArrayXd::Zero(ship.target->shields + 1);
  }
  for (const Ship::Token& token : ship.tokens) out.tokens.push_back({token.kind, token.state, {}, 0});
  return out;
}

void add_state(const Ship& ship, const ShipState& state, double p, ShipAnswer& out) {
  add_at(out.ship.joint, state.hits, state.crits, p);
  add_at(out.ship.damage, state.damage(), p);
  add_at(out.faceup, state.faceup, p);
  if (ship.destroyed(state)) out.ship.destroyed += p;
  if (ship.target->hull > 0) {
    out.ship.hull(std::max(0, ship.target->hull - state.facedown - state.faceup)) += p;
    out.ship.shields(state.shields) += p;
  }
  for (std::size_t t = 0; t < ship.tokens.size(); ++t) {
    const int threshold = ship.tokens[t].threshold;
    add_at(out.tokens[t].number, state.tokens[t], p);
    if (threshold > 0 && state.tokens[t] >= threshold) out.tokens[t].reached += p;
  }
}

}  // namespace salvo::hazard
