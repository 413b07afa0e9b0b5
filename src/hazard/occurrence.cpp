// Finds the situation of each ship and what it rolls.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "hazard/hazard.h"

namespace salvo::hazard {
namespace {

using Names = std::vector<std::string>;

bool happens_to(const load::HazardSituation& situation, const std::string& size) {
  return std::find(situation.sizes.begin(), situation.sizes.end(), size) != situation.sizes.end();
}

std::string did_you_mean(const std::string& word, const Names& known, const std::string& otherwise) {
  const std::string near = base::nearest(word, known);
  return near.empty() ? otherwise : fmt::format("did you mean {}?", near);
}

const load::HazardSituation* find_situation(const load::Hazard& hazard, const Target& target, const std::string& id) {
  if (id.empty()) {
    for (const load::HazardSituation& situation : hazard.situations) {
      if (happens_to(situation, target.size)) return &situation;
    }
    return nullptr;
  }
  Names known;
  for (const load::HazardSituation& situation : hazard.situations) {
    known.push_back(situation.id);
    if (situation.id != id) continue;
    if (happens_to(situation, target.size)) return &situation;
    throw LoadError(fmt::format("{}: the situation {} happens to {} only, and {} is {}", hazard.id, id,
                                base::joined(situation.sizes, ", "), target.name, target.size));
  }
  const std::string why = fmt::format("{}: no situation {}; {}", hazard.id, base::in_quotes(id),
                                      did_you_mean(id, known, fmt::format("there are {}", base::joined(known, ", "))));
  throw LoadError(why, "situation", why);
}

std::map<std::string, int> settle_numbers(const load::Hazard& hazard, const std::map<std::string, int>& given) {
  std::map<std::string, int> out;
  Names known;
  for (const load::HazardAmount& number : hazard.numbers) {
    known.push_back(number.name);
    const auto at = given.find(number.name);
    const int value = at == given.end() ? number.usual : at->second;
    if (value < number.least || value > number.most) {
      throw LoadError(fmt::format("{}: {} = {} is out of range; {} is from {} to {}", hazard.id, number.name, value,
                                  number.meaning, number.least, number.most));
    }
    out[number.name] = value;
  }
  for (const auto& [name, value] : given) {
    if (out.contains(name)) continue;
    const std::string otherwise =
        known.empty() ? "it has none" : fmt::format("its numbers are {}", base::joined(known, ", "));
    throw LoadError(fmt::format("{}: no number \"{}\"; {}", hazard.id, name, did_you_mean(name, known, otherwise)));
  }
  return out;
}

/// All ships share the first roll, so their situations must agree on it.
void check_first_roll(const Occurrence& question) {
  const load::HazardSituation* one = nullptr;
  for (const load::HazardSituation* other : question.situations) {
    if (other == nullptr) continue;
    if (one == nullptr) one = other;
    if (one->first_dice != other->first_dice || one->first_faces != other->first_faces) {
      throw LoadError(fmt::format("{}: the situations {} and {} begin with different rolls; ask for each on its own",
                                  question.hazard->id, one->id, other->id));
    }
  }
}

}  // namespace

Occurrence ask(const load::Edition& edition, const load::Hazard& hazard, std::vector<Target> targets,
               const std::string& situation, const std::map<std::string, int>& numbers, int times) {
  Occurrence out;
  out.edition = &edition;
  out.hazard = &hazard;
  out.numbers = settle_numbers(hazard, numbers);
  out.times = times;
  for (const Target& target : targets) out.situations.push_back(find_situation(hazard, target, situation));
  out.targets = std::move(targets);
  check_first_roll(out);
  return out;
}

Roll roll_of(const Occurrence& question, const load::HazardSituation& situation) {
  Roll out;
  out.dice = situation.dice;
  for (const auto& [name, dice] : situation.dice_per) out.dice += dice * question.numbers.at(name);
  out.fixed.push_back(situation.fixed);
  for (const auto& [name, outcome] : situation.fixed_per) {
    out.fixed.insert(out.fixed.end(), static_cast<std::size_t>(question.numbers.at(name)), outcome);
  }
  for (const load::FaceSpec& face : question.edition->attack_die.faces) {
    const auto found = situation.on.find(face.name);
    out.on.push_back(found == situation.on.end() ? load::HazardEffect{} : found->second);
  }
  return out;
}

}  // namespace salvo::hazard
