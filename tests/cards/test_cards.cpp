// Every modelled card loads, changes its own scenario, and has the value that was derived without salvo.
#include <Eigen/Core>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"
#include "sample/sample.h"
#include "support/cases.h"

namespace {

using namespace salvo;

struct Answer {
  salvo::compile::CompiledScenario question;
  exact::Solution solution;
  salvo::game::Distribution distribution;
};

Answer answer(const Catalogue& catalogue, const nlohmann::json& scenario) {
  Answer out;
  out.question = compile::compile_scenario(catalogue, parse_scenario(scenario.dump(), "card case"));
  out.solution = exact::solve(out.question.plan);
  out.distribution = exact::enumerate(out.question.plan, out.solution);
  return out;
}

/// Mean tokens left by name, over all ships; without charges of cards, which only one of the scenarios has.
std::map<std::string, double> tokens(const Answer& a) {
  std::map<std::string, double> out;
  const salvo::compile::Labels& labels = a.question.labels;
  for (std::size_t i = 0; i < labels.resources.size(); ++i) {
    if (!labels.resources[i].is_token || labels.resources[i].name.starts_with("charge:")) continue;
    const auto ship = static_cast<std::size_t>(labels.resources[i].ship);
    const double left = a.distribution.ships[ship].tokens_left(static_cast<Eigen::Index>(i));
    if (left != 0) out[labels.ships[ship] + "." + labels.resources[i].name] += left;
  }
  return out;
}

bool same_joint(const Eigen::ArrayXXd& a, const Eigen::ArrayXXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a - b).abs().maxCoeff() < 1e-12;
}

/// True if the two answers differ visibly.
bool differ(const Answer& a, const Answer& b) {
  if (std::abs(a.distribution.value - b.distribution.value) > 1e-12 || tokens(a) != tokens(b)) return true;
  for (std::size_t s = 0; s < std::min(a.distribution.ships.size(), b.distribution.ships.size()); ++s) {
    const salvo::game::ShipDistribution& x = a.distribution.ships[s];
    const salvo::game::ShipDistribution& y = b.distribution.ships[s];
    if (!same_joint(x.joint, y.joint) || x.hull.size() != y.hull.size() || x.shields.size() != y.shields.size()) {
      return true;
    }
  }
  if (a.distribution.attacks.size() != b.distribution.attacks.size()) return true;
  for (std::size_t k = 0; k < a.distribution.attacks.size(); ++k) {
    const salvo::game::AttackDistribution& x = a.distribution.attacks[k];
    const salvo::game::AttackDistribution& y = b.distribution.attacks[k];
    if (std::abs(x.attack_dice - y.attack_dice) + std::abs(x.defense_dice - y.defense_dice) > 1e-12) return true;
  }
  return false;
}

/// The cases of both editions.
std::vector<nlohmann::json> cases() {
  std::vector<nlohmann::json> out;
  for (const char* name : {"cards.jsonl", "cards-xwa.jsonl", "cards-first-edition.jsonl"}) {
    for (nlohmann::json& entry : tests::read_cases(name)) out.push_back(std::move(entry));
  }
  return out;
}

/// Both engines play the same cards: the sampled value lies within six standard errors (false alarm 2e-9 a case).
void check_sampled(const Answer& exact) {
  sample::Options options;
  options.trials = 20'000;
  options.seed = 5;
  const salvo::game::Distribution sampled = sample::run(exact.question.plan, exact.solution.policy, options);
  CHECK(std::abs(sampled.value - exact.distribution.value) <= 6 * sampled.value_se + 1e-9);
}

}  // namespace

TEST_CASE("every card does something in its scenario and has its independently derived value", "[cards]") {
  const Catalogue catalogue(SALVO_SOURCE_DIR "/profiles");
  int expected = 0;
  std::set<std::string> idle, at_work;  // in some cases the card is better left unused
  for (const nlohmann::json& entry : cases()) {
    INFO(entry["card"].get<std::string>() << ": " << entry["with"].dump());
    const Answer with = answer(catalogue, entry["with"]);
    (differ(with, answer(catalogue, entry["without"])) ? at_work : idle).insert(entry["card"]);
    check_sampled(with);
    if (!entry.contains("expect")) continue;
    ++expected;
    CHECK(with.solution.value == Approx(entry["expect"]["value"].get<double>()).margin(1e-9).epsilon(0));
  }
  CHECK(expected >= 400);
  for (const std::string& card : idle) {
    INFO(card);
    CHECK(at_work.contains(card));
  }
}

/// Whether the file only lists what is not modelled, so that there is nothing to try.
bool only_partly(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find("\npartly = ") != std::string::npos && text.find("[[effect]]") == std::string::npos &&
         text.find("\nweapon = ") == std::string::npos && text.find("\ntokens = ") == std::string::npos;
}

TEST_CASE("every card file has a case", "[cards]") {
  std::set<std::string> tried;
  for (const nlohmann::json& entry : cases()) tried.insert(entry["card"].get<std::string>());
  for (const std::string kind : {"upgrade", "pilot", "ship", "condition", "legacy/upgrade", "legacy/pilot",
                                 "legacy/condition", "xwa/upgrade", "xwa/pilot", "xwa/ship", "first-edition/upgrade",
                                 "first-edition/pilot", "first-edition/condition", "first-edition/faq-4.2.3/upgrade"}) {
    for (const auto& entry : std::filesystem::directory_iterator(SALVO_SOURCE_DIR "/profiles/cards/" + kind)) {
      if (only_partly(entry.path())) continue;
      INFO(entry.path().stem().string());
      CHECK(tried.contains(kind + "/" + entry.path().stem().string()));
    }
  }
}
