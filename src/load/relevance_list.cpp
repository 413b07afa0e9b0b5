#include "load/relevance_list.h"

#include <fmt/format.h>

#include "base/index.h"
#include "base/text.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

/// The entry of the card in the list: that of this set, or else of the set that it is derived from.
std::optional<bool> listed_as(const IndexFile& list, std::string_view name, std::string_view kind,
                              std::string_view id) {
  std::optional<bool> out;
  for (const std::string_view row : list.of(id)) {
    const auto [row_kind, sets] = base::cut(row, '\t');
    if (row_kind != kind) continue;
    const auto [relevant, irrelevant] = base::cut(sets, '\t');
    if (base::contains(base::split(relevant, ','), name)) out = true;
    if (base::contains(base::split(irrelevant, ','), name)) out = false;
  }
  const CardSet* const set = card_set(name);
  if (out || set == nullptr || !set->derived) return out;
  return listed_as(list, set->base, kind, id);
}

}  // namespace

std::optional<bool> relevance_of(const IndexFile& list, const IndexFile& same, const std::string& card_set,
                                 std::string_view kind, std::string_view id) {
  for (const std::string_view like : same.of(fmt::format("{}/{}", kind, id))) {
    const auto [like_kind, like_id] = base::cut(like, '/');
    if (const auto known = listed_as(list, card_set, like_kind, like_id)) return known;
  }
  return listed_as(list, card_set, kind, id);
}

}  // namespace salvo::load
