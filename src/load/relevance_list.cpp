// Relevance of one card: see relevance.h.
#include "load/relevance_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "load/profile.h"

namespace salvo::load {

namespace {

/// Takes a text up to `separator`, or what is left of it, off its beginning.
std::string_view take_to(char separator, std::string_view& text) {
  const std::string_view out = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(out.size() + 1, text.size()));
  return out;
}

bool names(std::string_view sets, std::string_view card_set) {
  while (!sets.empty()) {
    if (take_to(',', sets) == card_set) return true;
  }
  return false;
}

/// What the list says of the card in the set of that name, or in the one that it is based on.
std::optional<bool> listed_as(const Index& list, std::string_view name, std::string_view kind, std::string_view id) {
  std::optional<bool> out;
  for (std::string_view row : list.of(id)) {
    if (take_to('\t', row) != kind) continue;
    const std::string_view matters = take_to('\t', row), does_not = row;
    if (names(matters, name)) out = true;
    if (names(does_not, name)) out = false;
  }
  const CardSet* const set = load::card_set(name);
  if (out || set == nullptr || !set->derived) return out;
  return listed_as(list, set->base, kind, id);
}

}  // namespace

std::optional<bool> relevance_of(const Index& list, const Index& same, const std::string& card_set,
                                 std::string_view kind, std::string_view id) {
  for (std::string_view like : same.of(fmt::format("{}/{}", kind, id))) {
    const std::string_view like_kind = take_to('/', like);
    if (const auto known = listed_as(list, card_set, like_kind, like)) return known;
  }
  return listed_as(list, card_set, kind, id);
}

}  // namespace salvo::load
