#pragma once

#include <cstdint>

#include "game/plan.h"

namespace salvo::game {

/// Equal for equal plans, almost never for others.
std::uint64_t hash_of(const Plan& plan);

}  // namespace salvo::game
