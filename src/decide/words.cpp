#include "decide/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/index.h"
#include "base/text.h"

namespace salvo::decide {
namespace {

constexpr std::string_view kShootAt = "shoot at ";  ///< a choice of target; " with " and a weapon may follow

std::string counted(int n, const std::string& word) {
  return base::with_count(n, n == 1 || word.ends_with('s') ? word : word + "s");
}

/// All uses of one effect within a play.
struct Use {
  int effect = -1;
  int times = 0;
  game::Pool dice;
};

std::vector<Use> uses_of(const std::vector<game::Option>& options) {
  std::vector<Use> out;
  for (const game::Option& option : options) {
    if (option.effect < 0) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const Use& use) { return use.effect == option.effect; });
    if (same == out.end()) {
      out.push_back({option.effect, 1, option.dice});
    } else {
      ++same->times;
      same->dice = same->dice.plus(option.dice);
    }
  }
  return out;
}

const game::Operation* operation_of(const game::Effect& effect, game::Operation::Kind kind) {
  const auto at = std::find_if(effect.operations.begin(), effect.operations.end(),
                               [kind](const game::Operation& operation) { return operation.kind == kind; });
  return at == effect.operations.end() ? nullptr : &*at;
}

}  // namespace

std::string dice_words(const std::vector<std::string>& faces, game::Pool pool) {
  std::vector<std::string> words;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const int n = pool.count(static_cast<int>(face));
    if (n > 0) words.push_back(counted(n, faces[face]));
  }
  return words.empty() ? "no dice" : base::enumerated(words);
}

std::string roll_words(const std::vector<std::string>& faces, game::Pool pool) {
  std::string out;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    for (int n = pool.count(static_cast<int>(face)); n > 0; --n) out += (out.empty() ? "" : " ") + faces[face];
  }
  return out;
}

PlayParts play_parts(const compile::CompiledScenario& compiled, std::size_t attack,
                     const std::vector<game::Option>& options) {
  const compile::Labels& labels = compiled.labels;
  PlayParts out;
  for (const game::Option& option : options) {
    if (option.effect < 0) continue;
    const auto e = static_cast<std::size_t>(option.effect);
    const std::string& name = labels.effects[attack][e];
    if (name.starts_with(kShootAt)) {
      out.target = name.substr(kShootAt.size());
      out.target.resize(std::min(out.target.find(" with "), out.target.size()));
      continue;
    }
    out.spends.push_back(name);
    const game::Operation* const reroll =
        operation_of(compiled.plan.attacks[attack].effects[e], game::Operation::Kind::Reroll);
    if (reroll == nullptr) continue;
    const auto& faces = reroll->attack_dice ? labels.faces->attack : labels.faces->defense;
    for (std::size_t face = 0; face < faces.size(); ++face)
      out.rerolls.insert(out.rerolls.end(), static_cast<std::size_t>(option.dice.count(static_cast<int>(face))),
                         faces[face]);
  }
  return out;
}

std::vector<std::string> ship_titles(const compile::Labels& labels) {
  std::vector<std::string> out;
  for (std::size_t s = 0; s < labels.ships.size(); ++s) {
    if (labels.ship_titles[s] != labels.ships[s]) out.push_back(labels.ships[s] + " " + labels.ship_titles[s]);
  }
  return out;
}

std::string play_words(const compile::CompiledScenario& compiled, std::size_t attack,
                       const std::vector<game::Option>& options) {
  const compile::Labels& labels = compiled.labels;
  std::vector<std::string> spent, used;
  std::string reroll;
  for (const Use& use : uses_of(options)) {
    const game::Effect& effect = base::nth(compiled.plan.attacks[attack].effects, use.effect);
    const std::string& name = base::nth(labels.effects[attack], use.effect);
    // The name of a rule of the edition is the token that it costs.
    const bool token = effect.cost.size() == 1 && base::nth(labels.resources, effect.cost[0].resource).name == name;
    if (name.starts_with(kShootAt)) return name;  // a choice of target: ids of rules and cards contain no blanks
    const std::string what = counted(use.times, name);
    if (const game::Operation* operation = operation_of(effect, game::Operation::Kind::Reroll)) {
      const std::string dice =
          dice_words(operation->attack_dice ? labels.faces->attack : labels.faces->defense, use.dice);
      reroll = fmt::format("{}: reroll {}", token ? "the " + what : what, dice);
      if (!token)
        reroll = "use " + reroll;
      else if (spent.empty())
        reroll = "spend " + reroll;
      continue;
    }
    const game::Operation* change = operation_of(effect, game::Operation::Kind::Change);
    if (change == nullptr) change = operation_of(effect, game::Operation::Kind::Cancel);
    const bool chosen =
        change != nullptr && (change->kind == game::Operation::Kind::Cancel ? change->choose : !change->all);
    const bool choice = chosen && change->from.size() > 1;
    const auto& faces = change != nullptr && change->attack_dice ? labels.faces->attack : labels.faces->defense;
    (token ? spent : used).push_back(choice ? fmt::format("{} on {}", what, dice_words(faces, use.dice)) : what);
  }
  std::vector<std::string> parts;
  if (!used.empty()) parts.push_back("use " + base::enumerated(used));
  if (!spent.empty()) parts.push_back("spend " + base::enumerated(spent));
  if (!reroll.empty()) parts.push_back(reroll);
  return parts.empty() ? "spend nothing" : base::joined(parts, ", then ");
}

ScenarioShip* find_ship(Scenario& scenario, const std::string& name) {
  const auto found = scenario.ships.find(name);
  return found == scenario.ships.end() ? nullptr : &found->second;
}

std::string no_such_ship(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, ship] : scenario.ships) names.push_back(known);
  const std::string near = base::nearest(name, names);
  return fmt::format("no ship \"{}\"; {}", base::clip_to_width(base::strip_control(name), 60),
                     near.empty() ? fmt::format("the ships are {}", base::joined(names, ", "))
                                  : fmt::format("did you mean {}?", near));
}

}  // namespace salvo::decide
