// Whether a destroyed ship is still in play (docs/format.md: Destruction): destroyed at its own initiative it still
// attacks, and in the second edition all ships destroyed at one initiative stay until it is over.
#include <fmt/format.h>

#include "review/ledger.h"

namespace salvo::review {

void Ledger::require_in_play(const LoggedLine& line, bool twice, std::vector<std::string>& filled_in) const {
  for (const bool shoots : {true, false}) {
    const std::string& name = shoots ? line.shot.by : line.shot.on;
    const ShipState& now = ships_.at(name);
    if (!now.destroyed) continue;
    const Destroyed& how = *now.destroyed;
    const Absence gone = shoots ? as_shooter(line, now) : as_target(line, now, twice);
    if (gone.why.empty()) {
      if (gone.assumed) {
        filled_in.push_back(fmt::format(
            "initiatives of {} and of who destroyed it in line {}: not reported; assumed to be the same, so that "
            "it still shot",
            name, how.line));
      }
      continue;
    }
    fail_at(
        *log_, line.line,
        fmt::format("{} has left play: it was destroyed in line {} ({} damage), {}; name another ship, or write "
                    "{} damage N before this line if it has suffered less{}",
                    name, how.line, now.damage, gone.why, name,
                    gone.by_initiative ? ", or after the range the initiative=N at which this attack was made" : ""));
  }
}

std::string Ledger::when_destroyed(const Destroyed& how) const {
  if (how.round != round_) return "in an earlier round";
  return how.in_attack ? "" : "before any ship shot in this round";
}

bool Ledger::stays_for_own_attack() const {
  return edition_ != nullptr && edition_->destroyed_stays == load::DestroyedStays::OwnAttack;
}

Ledger::Absence Ledger::as_shooter(const LoggedLine& line, const ShipState& now) const {
  const Destroyed& how = *now.destroyed;
  if (std::string why = when_destroyed(how); !why.empty()) return {std::move(why)};
  const std::optional<int> at = initiative_of(line);
  const bool unknown = !at || !how.initiative;
  if (!unknown && *at != *how.initiative)
    return {fmt::format("at initiative {}, and its own is {}", *how.initiative, *at), true};
  const bool own_attack = stays_for_own_attack();
  const bool follow_up = last_ && last_->by == line.shot.by;  // a bonus attack, or the second of two
  // A ship known to share the initiative may make a bonus attack; otherwise a ship attacks once a round.
  if (own_attack || unknown || number_ == 0) {
    if (now.shot > how.attack && !follow_up) return {"and has shot since then"};
    if (how.had_shot && !follow_up) return {"after its own attack in that round"};
  }
  return {"", false, unknown};
}

/// An attack on a destroyed ship is a mistake in the log unless it is certainly allowed.
Ledger::Absence Ledger::as_target(const LoggedLine& line, const ShipState& now, bool twice) const {
  const Destroyed& how = *now.destroyed;
  if (std::string why = when_destroyed(how); !why.empty()) return {std::move(why)};
  if (twice && last_ && last_->by == line.shot.by && last_->on == line.shot.on) return {};
  const std::optional<int> at = initiative_of(line);
  if (!at) return {fmt::format("and the initiative of {} is unknown", line.shot.by), true};
  if (!how.initiative) return {"by a ship with unknown initiative", true};
  if (*at != *how.initiative)
    return {fmt::format("at initiative {}, and this attack is at {}", *how.initiative, *at), true};
  if (number_ == 0 && ships_.at(line.shot.by).shot >= how.attack && last_->by != line.shot.by)
    return {fmt::format("and {} has shot since then", line.shot.by)};
  const bool own_attack = stays_for_own_attack();
  if (own_attack && now.initiative != how.initiative)
    return {fmt::format("at pilot skill {}, which is not its own", *how.initiative)};
  if (own_attack && (how.had_shot || now.shot > how.attack)) return {"and has made its own attack"};
  return {};
}

}  // namespace salvo::review
