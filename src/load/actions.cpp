#include "load/actions.h"

#include <filesystem>

#include "base/text.h"
#include "data/message.h"
#include "load/index_file.h"

namespace salvo::load {
namespace {

Action parse_action(std::string_view word, const std::string& place) {
  Action out;
  const std::size_t link = word.find('>');
  std::string_view own = word.substr(0, link);
  for (const auto& [prefix, difficulty] :
       {std::pair<std::string_view, Action::Difficulty>("red:", Action::Difficulty::Red),
        {"purple:", Action::Difficulty::Purple}}) {
    if (!own.starts_with(prefix)) continue;
    out.difficulty = difficulty;
    own.remove_prefix(prefix.size());
  }
  if (!data::is_id(own))
    data::fail(place, "", 0,
               base::in_quotes(std::string(word)) + " is not an action; write it as red:barrel-roll>focus");
  out.name = own;
  if (link != std::string_view::npos) out.linked.push_back(parse_action(word.substr(link + 1), place));
  return out;
}

}  // namespace

std::vector<Action> parse_actions(std::string_view text, const std::string& place) {
  std::vector<Action> out;
  for (const std::string_view word : base::split(text, ' ')) {
    if (!word.empty()) out.push_back(parse_action(word, place));
  }
  return out;
}

std::vector<Action> actions_of(const Catalogue& catalogue, const std::string& card_set_name, const std::string& ship,
                               const std::string& pilot, const std::vector<std::string>& upgrades) {
  const CardSet* set = card_set(card_set_name);
  if (set == nullptr) return {};
  const std::string file = (std::filesystem::path("ships") / set->ships / "actions.tsv").string();
  const IndexFile& index = catalogue.optional_index(file);
  std::vector<Action> out;
  const auto add = [&](const std::string& key) {
    const auto rows = index.of(key);
    for (const std::string_view row : rows) {
      for (Action& action : parse_actions(row, (catalogue.root() / file).string())) out.push_back(std::move(action));
    }
    return !rows.empty();
  };
  if (pilot.empty() || !add("pilot/" + pilot)) add("ship/" + ship);
  for (const std::string& upgrade : upgrades) add("upgrade/" + upgrade);
  return out;
}

}  // namespace salvo::load
