#include "cli/commands.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "questions/question.h"

namespace salvo::cli {

using Add = DeclaredCommand(CLI::App& top);
Add add_run, add_card, add_batch, add_sweep, add_atlas, add_merge, add_request, add_serve, add_completions, add_man;

namespace {

struct Entry {
  std::string_view name;
  Add* add;
};

/// In the order of --help. The empty name means all described questions that are not listed.
constexpr Entry kCommands[] = {
    {"run", add_run},     {"", nullptr},
    {"card", add_card},   {"batch", add_batch},
    {"sweep", add_sweep}, {"atlas", add_atlas},
    {"merge", add_merge}, {"request", add_request},
    {"serve", add_serve}, {"completions", add_completions},
    {"man", add_man},
};

const Entry* find_entry(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kCommands), std::end(kCommands), [&](const Entry& one) { return one.name == name; });
  return found == std::end(kCommands) || found->add == nullptr ? nullptr : found;
}

/// The question whose command needs no more than its description, or null.
const questions::Question* find_question(std::string_view name) {
  const questions::Question* const found = questions::find(name);
  return found == nullptr || found->footer == nullptr || find_entry(name) != nullptr ? nullptr : found;
}

bool is_command(std::string_view word) { return find_entry(word) != nullptr || find_question(word) != nullptr; }

/// Whether the first word is a command and no other word can mean one.
bool is_first_only(std::span<const char* const> words) {
  if (words.empty() || !is_command(words[0])) return false;
  const Entry* const first = find_entry(words[0]);
  if (first != nullptr && first->add == add_request) return true;  // its verbs have the names of commands
  if (first != nullptr && (first->add == add_completions || first->add == add_man)) return false;  // describe all
  return std::none_of(words.begin() + 1, words.end(), is_command);
}

DeclaredCommand add_one(CLI::App& top, std::string_view name) {
  const questions::Question* const question = find_question(name);
  return question != nullptr ? add_question(top, *question) : find_entry(name)->add(top);
}

}  // namespace

std::vector<DeclaredCommand> add_commands(CLI::App& top, std::span<const char* const> words) {
  if (words.size() == 1 && (words[0] == std::string_view("--version") || words[0] == std::string_view("-V"))) return {};
  // Declaring the options of all commands takes as long as answering a question.
  if (is_first_only(words)) return {add_one(top, words[0])};
  std::vector<DeclaredCommand> out;
  for (const Entry& command : kCommands) {
    if (command.add != nullptr) {
      out.push_back(command.add(top));
    } else {
      for (const questions::Question* question : questions::all()) {
        if (find_question(question->name) != nullptr) out.push_back(add_question(top, *question));
      }
    }
  }
  return out;
}

}  // namespace salvo::cli
