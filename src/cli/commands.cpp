#include "cli/commands.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "questions/question.h"

namespace salvo::cli {

using Add = DeclaredCommand(CLI::App& top);
Add add_run, add_advise, add_luck, add_review, add_worth, add_order, add_card, add_batch, add_battle, add_gauntlet,
    add_sweep, add_atlas, add_merge, add_request, add_serve, add_completions, add_man;

namespace {

template <const questions::Question& question>
DeclaredCommand described(CLI::App& top) {
  return add_question(top, question);
}

struct Entry {
  std::string_view name;
  Add* add;
};

constexpr Entry kCommands[] = {
    {"run", add_run},
    {"advise", add_advise},
    {"luck", add_luck},
    {"review", add_review},
    {"worth", add_worth},
    {"order", add_order},
    {"card", add_card},
    {"batch", add_batch},
    {"durability", described<questions::kDurability>},
    {"squad", described<questions::kSquad>},
    {"battle", add_battle},
    {"gauntlet", add_gauntlet},
    {"compare", described<questions::kCompare>},
    {"sweep", add_sweep},
    {"atlas", add_atlas},
    {"merge", add_merge},
    {"hazard", described<questions::kHazard>},
    {"rules", described<questions::kRules>},
    {"ships", described<questions::kShips>},
    {"pilots", described<questions::kPilots>},
    {"upgrades", described<questions::kUpgrades>},
    {"weapons", described<questions::kWeapons>},
    {"request", add_request},
    {"serve", add_serve},
    {"completions", add_completions},
    {"man", add_man},
};

/// The command named by the first word, if no other word is a command; else null.
const Entry* only_one(std::span<const char* const> words) {
  const Entry* first = nullptr;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto named = std::find_if(std::begin(kCommands), std::end(kCommands),
                                    [&](const Entry& command) { return command.name == words[i]; });
    if ((named != std::end(kCommands)) != (i == 0)) return nullptr;
    if (i > 0) continue;
    first = named;
    if (first->add == add_request) return first;  // its verbs have the names of commands
  }
  // These two describe all commands.
  return first != nullptr && (first->add == add_completions || first->add == add_man) ? nullptr : first;
}

}  // namespace

std::vector<DeclaredCommand> add_commands(CLI::App& top, std::span<const char* const> words) {
  if (words.size() == 1 && (words[0] == std::string_view("--version") || words[0] == std::string_view("-V"))) return {};
  // Declaring the options of all commands takes as long as answering a question.
  if (const Entry* only = only_one(words)) return {only->add(top)};
  std::vector<DeclaredCommand> out;
  for (const Entry& command : kCommands) out.push_back(command.add(top));
  return out;
}

}  // namespace salvo::cli
