// Checks kernels on processors that cannot run the tests, above all emulated ones.
// `salvo_kernels write FILE` plays a set of cases with the reference kernel and writes a line for each: its name, the
// kernel that should play it, and a hash of the counts. Everything that needs no particular instruction set is done
// here, on any processor.
// `salvo_kernels check FILE PREFIX` plays them on each instruction set of this processor whose name begins with the
// prefix, compares, and prints a line for each instruction set. Exit status: 0 if all counts are equal; 1 if some
// differ, a kernel was not used, there is no such instruction set, or a wrong die went unnoticed.
// Both read the profiles (SALVO_PROFILES) and tests/data/cards.jsonl (SALVO_CASES).
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "exact/exact.h"
#include "load/load.h"
#include "sample/kernel_dispatcher.h"
#include "sample/sample.h"
#include "signature/signature_cases.h"

using namespace salvo;

namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;
constexpr std::size_t kEachCard = 25;  // plays one of this many card cases

struct Range {
  std::uint64_t first = 0, last = 0;
};

struct Case {
  std::string name;
  std::function<compile::CompiledScenario(const Catalogue&)> question;
  sample::Generator generator = sample::Generator::Philox4x32_10;
  sample::Wanted wanted;
  std::vector<Range> ranges = {{0, 3'001}};  ///< all counted together
};

constexpr sample::Generator kGenerators[] = {sample::Generator::Philox4x32_10, sample::Generator::Ars7,
                                             sample::Generator::Xoshiro256pp};

Case of_scenario(std::string name, const std::string& text) {
  return {std::move(name), [text](const Catalogue& catalogue) {
            return compile::compile_scenario(catalogue, parse_scenario(text, "case"));
          }};
}

Case of_specs(const std::vector<std::string>& attacks, const std::string& defend) {
  return {fmt::format("{}/{}", fmt::join(attacks, "+"), defend), [attacks, defend](const Catalogue& catalogue) {
            return compile::compile_scenario(catalogue,
                                             scenario_from_specs(catalogue, "second-edition", "2025", attacks, defend));
          }};
}

void name_the_play(Case& one) {
  one.name += fmt::format("/{}/{}{}", name_of(one.generator), one.wanted.tokens ? "tokens" : "",
                          one.wanted.attacks ? "attacks" : "");
}

void add_signature(std::vector<Case>& out) {
  for (std::size_t i = 0; i < signature::kScenarios.size(); ++i) {
    out.push_back(of_scenario(fmt::format("signature-{}", i + 1), signature::kScenarios[i]));
    out.back().generator = kGenerators[i % 3];
  }
}

/// Single attacks with all numbers of dice, whose tokens are not counted.
void add_single_attacks(std::vector<Case>& out) {
  const std::vector<std::string> attackers = {"1",      "2 focus",     "3 lock", "3 focus lock", "4 focus lock",
                                              "5 lock", "6 focus lock"};
  const std::vector<std::string> defenders = {
      "0", "1 focus", "2 evade", "3 focus evade", "4 evade reinforce", "5 focus", "6 focus evade reinforce"};
  for (std::size_t a = 0; a < attackers.size(); ++a) {
    for (std::size_t d = a % 2; d < defenders.size(); d += 2) {
      out.push_back(of_specs({attackers[a]}, defenders[d]));
      out.back().generator = kGenerators[out.size() % 3];
      out.back().wanted = {false, true};
      out.back().ranges = {{0, 9'003}};
    }
  }
}

/// Partial chunks and partial xoshiro blocks, and counters beyond 32 bits.
void add_ranges(std::vector<Case>& out) {
  const std::vector<Range> ranges = {
      {0, 1},           {0, 31},          {5, 4'097},
      {65'535, 65'537}, {61'441, 70'001}, {(std::uint64_t{1} << 40) + 3, (std::uint64_t{1} << 40) + 9'000}};
  const std::string deck = R"({"damage_deck": "core", "objective": "kill",
    "ships": {"black": {"agility": 2, "hull": 4, "shields": 1, "attack": 3, "tokens": {"focus": 1, "evade": 1}},
              "red": {"attack": 3, "agility": 2, "hull": 3, "tokens": {"focus": 1, "lock": ["black"]}}},
    "attacks": [{"by": "red", "on": "black"}, {"by": "black", "on": "red"}]})";
  for (const Case& attack : {of_specs({"3 focus lock"}, "3 focus evade"),
                             of_specs({"4 lock", "2 calculate"}, "2 focus force"), of_scenario("deck", deck)}) {
    for (const sample::Generator generator : kGenerators) {
      for (const bool all : {true, false}) {
        if (attack.name == "deck" && !all) continue;
        out.push_back(attack);
        out.back().generator = generator;
        out.back().wanted = {all, all};
        out.back().ranges = ranges;
      }
    }
  }
}

void add_cards(const std::string& path, std::vector<Case>& out) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path + " (SALVO_CASES)");
  std::size_t i = 0;
  for (std::string line; std::getline(file, line); ++i) {
    if (i % kEachCard != 0) continue;
    const nlohmann::json entry = nlohmann::json::parse(line);
    out.push_back(of_scenario(fmt::format("{}:{}", entry["card"].get<std::string>(), i + 1), entry["with"].dump()));
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> out;
  add_ranges(out);
  add_single_attacks(out);
  add_signature(out);
  const char* cards = std::getenv("SALVO_CASES");
  add_cards(cards == nullptr ? "tests/data/cards.jsonl" : cards, out);
  out.push_back(of_specs({"3 focus lock"}, "1 focus"));
  std::set<std::string> names;
  for (Case& one : out) {
    name_the_play(one);
    if (!names.insert(one.name).second) throw std::logic_error("two cases are called " + one.name);
  }
  return out;
}

/// FNV-1a of all numbers of a tally.
class Hash {
 public:
  std::string of(const sample::Tally& tally) {
    add(tally.trials);
    for (const sample::ShipTally& ship : tally.ships) {
      add(ship.joint);
      add(ship.damage);
      add(ship.faceup);
    }
    for (const sample::AttackTally& attack : tally.attacks) {
      add(attack.happens);
      add(attack.hits_at_all);
      for (const sample::Moments& m : {attack.attack_dice, attack.defense_dice, attack.hits, attack.crits}) add(m);
    }
    for (const sample::Moments& m : tally.resources) add(m);
    for (const std::vector<std::uint64_t>& numbers : tally.numbers) add(numbers);
    add(tally.mine);
    add(tally.theirs);
    add_wide(tally.mixed);
    return fmt::format("{:016x}", value_);
  }

 private:
  void add(std::uint64_t word) {
    for (int i = 0; i < 8; ++i) value_ = (value_ ^ (word >> 8 * i & 0xff)) * 0x100000001b3u;
  }
  void add_wide(sample::Wide wide) {
    add(static_cast<std::uint64_t>(wide));
    add(static_cast<std::uint64_t>(wide >> 64));
  }
  void add(const sample::Moments& moments) {
    add(moments.sum);
    add_wide(moments.squares);
  }
  void add(const std::vector<std::uint64_t>& numbers) {
    add(numbers.size());
    for (const std::uint64_t n : numbers) add(n);
  }

  std::uint64_t value_ = 0xcbf29ce484222325u;
};

struct Played {
  std::string hash, kernel, reason;
};

Played play(const Case& one, const salvo::compile::CompiledScenario& question, const salvo::game::Policy& policy,
            const std::string& target) {
  sample::KernelDispatcher player(question.plan, policy, kSeed, one.generator, one.wanted, target, 1);
  sample::Tally tally(question.plan);
  for (const Range& range : one.ranges) player.play(range.first, range.last, tally);
  tally.forget(!one.wanted.tokens, !one.wanted.attacks);
  return {Hash().of(tally), player.kernel(), player.reason()};
}

/// The bits that generators draw in registers. Excludes xoshiro256++, which draws in as many lanes as a vector has.
constexpr sample::Generator kDrawn[] = {sample::Generator::Philox4x32_10, sample::Generator::Ars7};

std::string draw_name(sample::Generator generator) { return fmt::format("draw/{}", name_of(generator)); }

std::string draw_of(const sample::Target& target, sample::Generator generator) {
  return fmt::format("draw {:016x}", target.draw(generator, kSeed, 8, 65'536));
}

/// Checks that the counts are those of the reference kernel, and that the kernel is the one for the best instruction
/// set.
void write(const Catalogue& catalogue, const std::string& path) {
  std::ofstream file(path);
  for (const sample::Generator generator : kDrawn) {
    file << draw_name(generator) << '\t' << draw_of(sample::vector_targets().back(), generator) << '\n';
  }
  for (const Case& one : all_cases()) {
    const salvo::compile::CompiledScenario question = one.question(catalogue);
    const salvo::game::Policy policy = exact::solve(question.plan).policy;
    const std::string hash = play(one, question, policy, "reference").hash;
    const Played fast = play(one, question, policy, sample::vector_targets().front().name);
    file << one.name << '\t' << fast.kernel << ' ' << hash << '\n';
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::map<std::string, std::string> read(const std::string& path) {
  std::ifstream file(path);
  std::map<std::string, std::string> out;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) out[line.substr(0, tab)] = line.substr(tab + 1);
  }
  if (out.empty()) throw std::runtime_error("cannot read " + path);
  return out;
}

class Check {
 public:
  Check(std::map<std::string, std::string> expected, const std::string& prefix) : expected_(std::move(expected)) {
    for (const sample::Target& target : sample::vector_targets()) {
      if (target.name.rfind(prefix, 0) == 0) targets_.push_back(target);
    }
  }

  bool run(const Catalogue& catalogue) {
    for (const sample::Target& target : targets_) {
      for (const sample::Generator generator : kDrawn) {
        compare(target.name, draw_name(generator), draw_of(target, generator), "");
      }
    }
    const std::vector<Case> cases = all_cases();
    for (const Case& one : cases) {
      const salvo::compile::CompiledScenario question = one.question(catalogue);
      const salvo::game::Policy policy = exact::solve(question.plan).policy;
      for (const sample::Target& target : targets_) {
        const Played played = play(one, question, policy, target.name);
        compare(target.name, one.name, played.kernel + ' ' + played.hash, played.reason);
      }
    }
    for (const auto& [target, kernels] : played_) {
      fmt::print("{}:", target);
      for (const auto& [kernel, count] : kernels) fmt::print(" {} {}", count, kernel);
      fmt::print(", {} wrong\n", wrong_[target]);
    }
    const std::size_t all = cases.size() + std::size(kDrawn);
    if (expected_.size() != all) fmt::print("{} cases were expected, {} played\n", expected_.size(), all);
    return !targets_.empty() && all_right_ && expected_.size() == all && notices(cases.back(), catalogue);
  }

 private:
  /// `got`: kernel and hash.
  void compare(const std::string& target, const std::string& name, const std::string& got, const std::string& reason) {
    ++played_[target][got.substr(0, got.find(' '))];
    if (expected_[name] == got) return;
    all_right_ = false;
    ++wrong_[target];
    fmt::print("{}: wrong: {}: {}, not {} {}\n", target, name, got, expected_[name], reason);
  }

  /// A die with one wrong face must not give the expected counts.
  bool notices(const Case& one, const Catalogue& catalogue) {
    salvo::compile::CompiledScenario question = one.question(catalogue);
    const salvo::game::Policy policy = exact::solve(question.plan).policy;
    --question.plan.attack_die.sides_of_face[static_cast<std::size_t>(question.plan.attack_die.hit)];
    ++question.plan.attack_die.sides_of_face[static_cast<std::size_t>(question.plan.attack_die.blank)];
    const Played wrong = play(one, question, policy, targets_.front().name);
    const bool noticed = wrong.kernel + ' ' + wrong.hash != expected_[one.name];
    fmt::print("a wrong die is {}noticed\n", noticed ? "" : "not ");
    return noticed;
  }

  std::map<std::string, std::string> expected_;
  std::vector<sample::Target> targets_;
  std::map<std::string, std::map<std::string, int>> played_;
  std::map<std::string, int> wrong_;
  bool all_right_ = true;
};

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "write") {
    write(Catalogue(Catalogue::find_profiles()), words[1]);
    return 0;
  }
  if (words.size() == 3 && words[0] == "check") {
    return Check(read(words[1]), words[2]).run(Catalogue(Catalogue::find_profiles())) ? 0 : 1;
  }
  fmt::print(stderr, "usage: salvo_kernels write FILE | check FILE PREFIX\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    fmt::print(stderr, "salvo_kernels: {}\n", error.what());
    return 2;
  }
}
