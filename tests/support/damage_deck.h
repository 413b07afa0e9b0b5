// Helpers for damage decks: editions with certain dice, decks of a single special card, and answers checked against the
// certificate and the sampling engine.
#pragma once

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "compile/compile.h"
#include "exact/certificate.h"
#include "exact/exact.h"
#include "load/load.h"
#include "sample/sample.h"
#include "support/closed_forms.h"
#include "support/sample_fit.h"
#include "support/temporary_folder.h"

namespace salvo::decks {

namespace fs = std::filesystem;
using ::tests::mean;

inline double choose(int n, int k) {
  double out = k < 0 || k > n ? 0.0 : 1.0;
  for (int i = 0; i < k && out > 0; ++i) out = out * (n - i) / (i + 1);
  return out;
}

/// Probability of k special cards among `drawn` from a deck of 33 that contains `special`.
inline double hypergeometric(int k, int special, int drawn) {
  return choose(special, k) * choose(33 - special, drawn - k) / choose(33, drawn);
}

/// An edition whose attack dice show only critical hits, so that each die deals one card.
inline constexpr const char* kSure = R"(
format = 1
id = "sure"
name = "Sure"
sizes = ["small"]
[dice]
minimum = 0
maximum = 20
attack = { crit = 1 }
defense = { blank = 1 }
[tokens]
stress = {}
)";

/// An attack die with one hit and one critical hit.
inline constexpr const char* kCoin = R"(
format = 1
id = "coin"
name = "Coin"
sizes = ["small"]
[dice]
minimum = 0
maximum = 20
attack = { hit = 1, crit = 1 }
defense = { blank = 1 }
[tokens]
stress = {}
)";

/// The dice of the second edition without its effects.
inline constexpr const char* kFirst = R"(
format = 1
id = "first-edition"
name = "First edition, for these tests"
sizes = ["small", "large"]
destroyed_stays = "own-attack"
[dice]
minimum = 0
maximum = 31
attack = { hit = 3, crit = 1, focus = 2, blank = 2 }
defense = { evade = 3, focus = 2, blank = 3 }
[tokens]
focus = {}
stress = {}
)";

/// A temporary folder of profiles with editions and decks.
class Home {
 public:
  /// `decks`: texts of decks for both editions; `cards`: texts of home-made upgrades by id.
  explicit Home(const std::map<std::string, std::string>& decks, const std::map<std::string, std::string>& cards = {}) {
    const fs::path source(SALVO_SOURCE_DIR "/profiles");
    const fs::path& root = folder_.path();
    fs::create_directories(root / "rules");
    for (const auto& [id, text] : {std::pair{"sure", kSure}, {"coin", kCoin}, {"first-edition", kFirst}})
      std::ofstream(root / "rules" / (std::string(id) + ".toml")) << text;
    fs::copy(source / "rules" / "facts.toml", root / "rules" / "facts.toml");
    fs::create_directory_symlink(source / "ships", root / "ships");
    fs::create_directory_symlink(source / "cards", root / "cards");
    for (const char* rules : {"sure", "coin"}) {
      fs::create_directories(root / "decks" / rules);
      for (const auto& [id, text] : decks)
        std::ofstream(root / "decks" / rules / (id + ".toml"))
            << "format = 1\nid = \"" << id << "\"\nrules = \"" << rules << "\"\n"
            << text;
    }
    fs::create_directory_symlink(source / "decks" / "first-edition", root / "decks" / "first-edition");
    catalogue_.emplace(root);
    for (const auto& [id, effects] : cards) {
      const fs::path path = root / (id + ".toml");
      std::ofstream(path) << "id = \"" << id << "\"\nkind = \"upgrade\"\n" << effects;
      catalogue_->add_card(path.string());
    }
  }
  const Catalogue& catalogue() const { return *catalogue_; }

 private:
  ::tests::TemporaryFolder folder_;
  std::optional<Catalogue> catalogue_;
};

inline constexpr const char* kOthers = "[[card]]\nid = \"nothing\"\ncopies = ";

/// `copies` of a card with effect `what`, and cards without effect up to 33.
inline std::string deck_of(int copies, const std::string& what) {
  return fmt::format("[[card]]\nid = \"card\"\ncopies = {}\n{}\n{}{}\n", copies, what, kOthers, 33 - copies);
}

inline const std::string kBang =
    "[[card.effect]]\nat = \"dealt\"\ndo = [{ verb = \"damage\", n = 1 }, { verb = \"flip\" }]";
inline const std::string kLeak =
    "[[card.effect]]\nat = \"crit-suffered\"\ntimes = \"copies\"\n"
    "do = [{ verb = \"damage\", n = 1 }, { verb = \"flip\" }]";
inline const std::string kFail =
    "[[card.effect]]\nside = \"attacker\"\nat = \"attack-pool\"\ntimes = \"copies\"\n"
    "do = [{ verb = \"pool\", dice = \"attack\", n = -1 }]";
inline const std::string kShock =
    "[[card.effect]]\nat = \"dealt\"\ndo = [{ verb = \"gain\", token = \"stress\", n = 2 }]";
inline const std::string kFire =
    "[[card.effect]]\nat = \"engage\"\n"
    "do = [{ verb = \"roll\", dice = \"attack\", amount = \"copies\" },\n"
    "      { verb = \"damage\", amount = \"count(roll.hit)\" }]";
inline const std::string kBreach =
    "[[card.effect]]\nat = \"always\"\ndo = [{ verb = \"convert\", from = [\"hit\"], to = \"crit\" }]";

inline Scenario scenario(const std::string& rules, const std::string& deck, const std::string& ships,
                         const std::vector<std::pair<std::string, std::string>>& attacks) {
  std::string text = fmt::format("rules = \"{}\"\ndamage_deck = \"{}\"\n{}\n", rules, deck, ships);
  for (const auto& [by, on] : attacks) text += fmt::format("[[attacks]]\nby = \"{}\"\non = \"{}\"\n", by, on);
  return parse_scenario(text, "test");
}

struct Answer {
  compile::CompiledScenario question;
  exact::Solution solution;
  game::Distribution exact;
  const game::ShipDistribution& ship(const std::string& name) const {
    for (std::size_t s = 0; s < question.labels.ships.size(); ++s) {
      if (question.labels.ships[s] == name) return exact.ships[s];
    }
    throw std::logic_error("no ship " + name);
  }
  double left(const std::string& name, const std::string& token) const {
    for (std::size_t r = 0; r < question.labels.resources.size(); ++r) {
      if (question.labels.resources[r].name == token &&
          question.labels.ships[static_cast<std::size_t>(question.labels.resources[r].ship)] == name)
        return ship(name).tokens_left(static_cast<Eigen::Index>(r));
    }
    return 0;
  }
};

/// The sampled answer lies within six standard errors of the exact one; whole distributions by their G-test.
inline void check_sampled(const Answer& answer, std::uint64_t trials, std::uint64_t seed) {
  const game::Distribution sampled =
      sample::run(answer.question.plan, answer.solution.policy, {.trials = trials, .seed = seed});
  // Rare events in the trials say little about their standard error.
  const double rare = 40.0 / static_cast<double>(trials);
  const auto near = [rare](double got, double error, double want) {
    return std::abs(got - want) <= 6 * error + 1e-12 + (error < rare ? rare : 0.0);
  };
  CHECK(near(sampled.value, sampled.value_se, answer.exact.value));
  for (std::size_t s = 0; s < sampled.ships.size(); ++s) {
    const game::ShipDistribution &got = sampled.ships[s], &want = answer.exact.ships[s];
    CHECK(fit::test(got.joint, want.joint, trials).p >= fit::kFalseAlarm);
    CHECK(fit::test(got.damage, want.damage, trials).p >= fit::kFalseAlarm);
    CHECK(near(got.faceup, got.faceup_se, want.faceup));
    for (Eigen::Index r = 0; r < want.tokens_left.size(); ++r) {
      if (answer.question.labels.resources[static_cast<std::size_t>(r)].is_token)
        CHECK(near(got.tokens_left(r), got.tokens_left_se(r), want.tokens_left(r)));
    }
  }
  for (std::size_t k = 0; k < sampled.attacks.size(); ++k) {
    CHECK(near(sampled.attacks[k].attack_dice, sampled.attacks[k].attack_dice_se, answer.exact.attacks[k].attack_dice));
    const double p = answer.exact.attacks[k].happens;
    CHECK(near(sampled.attacks[k].happens, std::sqrt(std::max(0.0, p * (1 - p)) / static_cast<double>(trials)), p));
  }
}

inline Answer answer(const Catalogue& catalogue, const Scenario& from) {
  Answer out{compile::compile_scenario(catalogue, from), {}, {}};
  out.solution = exact::solve(out.question.plan);
  out.exact = exact::enumerate(out.question.plan, out.solution);
  CHECK(std::abs(exact::certify(out.question.plan, out.solution, 1'000'000).error) < 1e-12);
  check_sampled(out, 20'000, 5);
  return out;
}

inline void check_pmf(const Eigen::ArrayXd& got, int first, const std::vector<double>& want) {
  for (std::size_t k = 0; k < want.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k) + first;
    CAPTURE(at);
    CHECK((at < got.size() ? got(at) : 0.0) == Approx(want[k]).margin(1e-14));
  }
}

inline const std::string kRedBlack = "[ships.red]\nattack = 3\nhull = 20\n[ships.black]\nattack = 2\nhull = 20\n";

}  // namespace salvo::decks
