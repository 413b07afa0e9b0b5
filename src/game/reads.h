// Which parts of an attack read a resource.
#pragma once

#include "game/plan.h"

namespace salvo::game {

/// Whether a condition or count of the attack reads the resource.
bool attack_reads(const AttackPlan& attack, int resource);
/// Whether something reads the resource while the defender suffers the attack's damage, or after that.
bool reads_after_damage(const AttackPlan& attack, const DealPlan& deal, int resource);

}  // namespace salvo::game
