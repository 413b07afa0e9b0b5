// salvo_signature [--threads N] [--each]: one number that identifies the answers of both engines to a fixed set of
// scenarios. It is equal for every compiler, instruction set and number of threads, and changes with any answer.
// In: the profiles. Out: `signature 0123456789abcdef`; with --each first a line per scenario and variant.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <exception>
#include <string>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"
#include "sample/sample.h"
#include "signature/signature_cases.h"

using namespace salvo;

namespace {

constexpr std::uint64_t kTrials = 100'003;
constexpr std::uint64_t kSeed = 0x5a1f0;

/// FNV-1a over 64 bits.
class Hash {
 public:
  void add(std::uint64_t word) {
    for (int i = 0; i < 8; ++i) {
      value_ = (value_ ^ (word >> 8 * i & 0xff)) * 0x100000001b3u;
    }
  }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  template <typename Array>
  void add_all(const Array& array) {
    add(static_cast<std::uint64_t>(array.rows()));
    add(static_cast<std::uint64_t>(array.cols()));
    for (Eigen::Index c = 0; c < array.cols(); ++c) {
      for (Eigen::Index r = 0; r < array.rows(); ++r) add(array(r, c));
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

void add(Hash& hash, const salvo::game::Distribution& answer) {
  hash.add(answer.value);
  hash.add(answer.value_se);
  hash.add(answer.trials);
  for (const salvo::game::ShipDistribution& ship : answer.ships) {
    hash.add_all(ship.joint);
    hash.add_all(ship.damage);
    hash.add(ship.destroyed);
    hash.add_all(ship.hull);
    hash.add_all(ship.shields);
    hash.add_all(ship.tokens_left);
    hash.add_all(ship.tokens_left_se);
  }
  for (const salvo::game::AttackDistribution& a : answer.attacks) {
    for (const double x : {a.happens, a.attack_dice, a.defense_dice, a.hit_probability, a.mean_hits, a.mean_crits,
                           a.attack_dice_se, a.defense_dice_se, a.mean_hits_se, a.mean_crits_se})
      hash.add(x);
  }
}

std::uint64_t hash_of(const Catalogue& catalogue, const char* text, const signature::Variant& variant, int threads) {
  Scenario scenario = parse_scenario(text, "signature");
  scenario.objective = variant.objective;
  scenario.attacker_policy = variant.attacker_policy;
  scenario.defender_policy = variant.defender_policy;
  const salvo::compile::CompiledScenario question = compile::compile_scenario(catalogue, scenario);
  const exact::Solution solution = exact::solve(question.plan);
  Hash hash;
  add(hash, exact::enumerate(question.plan, solution));
  add(hash, sample::run(question.plan, solution.policy, {.trials = kTrials, .seed = kSeed, .threads = threads}));
  return hash.value();
}

void print_signature(int threads, bool each) {
  const Catalogue catalogue(Catalogue::find_profiles());
  Hash all;
  for (std::size_t s = 0; s < signature::kScenarios.size(); ++s) {
    for (const signature::Variant& variant : signature::kVariants) {
      const std::uint64_t one = hash_of(catalogue, signature::kScenarios[s], variant, threads);
      if (each) fmt::print("{:2} {:8} {:016x}\n", s + 1, variant.objective, one);
      all.add(one);
    }
  }
  fmt::print("signature {:016x}\n", all.value());
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 0;
  bool each = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--each") {
      each = true;
    } else if (word == "--threads" && i + 1 < argc) {
      const char* number = argv[++i];
      std::from_chars(number, number + std::strlen(number), threads);
    }
    if (word != "--each" && (word != "--threads" || threads < 1)) {
      fmt::print(stderr, "usage: salvo_signature [--threads N] [--each]\n");
      return 2;
    }
  }
  try {
    print_signature(threads, each);
  } catch (const std::exception& error) {
    fmt::print(stderr, "salvo_signature: {}\n", error.what());
    return 1;
  }
  return 0;
}
