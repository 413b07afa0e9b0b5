// Home-made cards for tests: a folder of profiles with them, and scenarios that both engines play.
// An attack die shows a hit or critical hit with probability 1/2, a focus result with 1/4; a defense die an evade with
// 3/8, a focus result with 1/4 (profiles/rules/second-edition.toml).
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"
#include "sample/sample.h"
#include "support/temporary_folder.h"

namespace home_cards {

using namespace salvo;
using nlohmann::json;
namespace fs = std::filesystem;

/// A folder of profiles with the project's rules and ships, and cards of its own.
class Home {
 public:
  explicit Home(const std::map<std::string, std::string>& upgrades) {
    fs::create_directories(root() / "cards" / "upgrade");
    const fs::path source(SALVO_SOURCE_DIR "/profiles");
    fs::create_directory_symlink(source / "rules", root() / "rules");
    fs::create_directory_symlink(source / "ships", root() / "ships");
    fs::create_directory_symlink(source / "cards" / "condition", root() / "cards" / "condition");
    for (const char* index : {"known-upgrades.tsv", "xwa-known-upgrades.tsv", "relevant.tsv"})
      fs::create_symlink(source / "cards" / index, root() / "cards" / index);
    for (const auto& [id, text] : upgrades)
      std::ofstream(root() / "cards" / "upgrade" / (id + ".toml")) << "id = \"" << id << "\"\nkind = \"upgrade\"\n"
                                                                   << text;
  }
  const fs::path& root() const { return folder_.path(); }

 private:
  tests::TemporaryFolder folder_;
};

struct Answer {
  salvo::compile::CompiledScenario question;
  salvo::game::Distribution exact, sampled;
  double value() const { return exact.value; }
  double left(const std::string& ship, const std::string& token) const {
    double out = 0;
    for (std::size_t r = 0; r < question.labels.resources.size(); ++r) {
      const auto s = static_cast<std::size_t>(question.labels.resources[r].ship);
      if (question.labels.ships[s] == ship && question.labels.resources[r].name == token)
        out += exact.ships[s].tokens_left(static_cast<Eigen::Index>(r));
    }
    return out;
  }
  /// The mean damage of a ship, from attacks and effects.
  double damage(const std::string& ship) const {
    const auto& ships = question.labels.ships;
    const auto s = static_cast<std::size_t>(std::find(ships.begin(), ships.end(), ship) - ships.begin());
    const Eigen::ArrayXd& pmf = exact.ships.at(s).damage;
    return (pmf * Eigen::ArrayXd::LinSpaced(pmf.size(), 0, static_cast<double>(pmf.size() - 1))).sum();
  }
};

/// Plays the scenario with both engines; they must agree (false alarm 2e-9 a figure).
inline Answer play(const std::map<std::string, std::string>& cards, const json& scenario) {
  const Home home(cards);
  const Catalogue catalogue(home.root());
  Answer out;
  out.question = compile::compile_scenario(catalogue, parse_scenario(scenario.dump(), "verb case"));
  const exact::Solution solution = exact::solve(out.question.plan);
  out.exact = exact::enumerate(out.question.plan, solution);
  sample::Options options;
  options.trials = 30'000;
  options.seed = 11;
  out.sampled = sample::run(out.question.plan, solution.policy, options);
  CHECK(std::abs(out.sampled.value - out.exact.value) <= 6 * out.sampled.value_se + 1e-9);
  for (std::size_t k = 0; k < out.exact.attacks.size(); ++k) {
    const double p = out.exact.attacks[k].happens;
    CHECK(std::abs(out.sampled.attacks[k].happens - p) <= 6 * std::sqrt(p * (1 - p) / 30'000) + 1e-9);
  }
  return out;
}

/// Attacker "red" with the upgrade "card" against "black", one attack.
inline json duel(int attack, int agility) {
  return {{"ships",
           {{"red", {{"attack", attack}, {"upgrades", {"card"}}}}, {"black", {{"agility", agility}, {"attack", 1}}}}},
          {"attacks", {{{"by", "red"}, {"on", "black"}}}}};
}

/// The same with the card on the defender.
inline json defended(int attack, int agility) {
  json out = duel(attack, agility);
  out["ships"]["red"].erase("upgrades");
  out["ships"]["black"]["upgrades"] = {"card"};
  return out;
}

inline std::string effect(const std::string& keys) { return "[[effect]]\n" + keys + "\n"; }

inline void check_value(const std::string& card, const json& scenario, double expected) {
  CHECK(play({{"card", card}}, scenario).value() == Approx(expected).margin(1e-12));
}

}  // namespace home_cards
