// One battle of several that share a book.
#pragma once

#include <memory>

#include "battle/book.h"
#include "salvo/battle.h"

namespace salvo::battle {

/// As salvo::fight, with a book that has the ships of both sides; without one the battle makes its own. The answer is
/// the same, but that what it rests on is that of all ships of the book. Throws BookFull besides.
BattleReport fight_with(const Catalogue& catalogue, const BattleQuestion& question, const BattleOptions& options,
                        std::shared_ptr<Book> shared);

}  // namespace salvo::battle
