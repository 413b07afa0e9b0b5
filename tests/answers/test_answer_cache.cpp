// The answer cache: repeated questions, in every form, get the bytes of a fresh catalogue, and the cache stays within
// its bound.
#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/batch_line.h"
#include "base/lru_cache.h"
#include "base/work_limit.h"
#include "compile/compile.h"
#include "compile/plan_cache.h"
#include "report/json_writer.h"
#include "salvo/salvo.h"

using namespace salvo;

namespace {

/// Two ships with a hull, the first with a card: small enough for what a damage deck would add.
Scenario duel() {
  Scenario out;
  out.ships["red"] = {.attack = 3, .agility = 2, .hull = 4, .shields = 2, .tokens = {{"focus", 1}}, .locks = {"black"}};
  out.ships["red"].upgrades = {"predator"};
  out.ships["black"] = {.agility = 3, .hull = 3, .shields = 1, .tokens = {{"focus", 1}, {"evade", 1}}};
  out.attacks = {{.by = "red", .on = "black", .range = 2}};
  return out;
}

Catalogue fresh() { return Catalogue(SALVO_SOURCE_DIR "/profiles"); }

/// The answer or the error, and what it cost.
std::string answered(const Catalogue& catalogue, const Scenario& scenario, const AnswerOptions& options,
                     std::optional<double> max_work = {}) {
  const double before = base::work_counted();
  std::string out;
  try {
    const salvo::base::WorkLimit limit(max_work);
    out = to_json(answer(catalogue, scenario, options));
  } catch (const Error& error) {
    out = std::string("error: ") + error.what();
  }
  return out + " work " + std::to_string(base::work_counted() - before);
}

std::vector<std::pair<std::string, AnswerOptions>> ways_to_ask() {
  AnswerOptions exact, both, sample, small, certified, with_deck, with_override;
  exact.engine = EngineChoice::Exact;
  both.engine = EngineChoice::Both;
  sample.engine = EngineChoice::Sample;
  small.budget = 50;
  certified.certify = true;
  with_deck.would_add = true;
  with_override.overrides.objective = "kill";
  for (AnswerOptions* one : {&both, &sample, &small}) one->trials = 2000;
  return {{"as it comes", {}},
          {"exact", exact},
          {"both", both},
          {"sample", sample},
          {"a small budget", small},
          {"certified", certified},
          {"with a deck", with_deck},
          {"another objective", with_override}};
}

std::string line_of(const Catalogue& catalogue, const std::string& text, const RequestOptions& limits = {}) {
  report::JsonWriter json;
  api::write_batch_line(json, catalogue, {1, text}, {}, limits);
  return json.take();
}

const std::string kDuelMembers =
    R"("ships": {"a": {"attack": 3, "hull": 2, "tokens": {"focus": 1, "lock": ["d"]}}, )"
    R"("d": {"agility": 2, "hull": 3, "shields": 1, "tokens": {"evade": 1}}}, "attacks": [{"by": "a", "on": "d"}])";

}  // namespace

TEST_CASE("canceled work counts as too large", "[answer]") {
  std::atomic<bool> unwanted = false;
  const salvo::base::WorkLimit limit({}, &unwanted);
  CHECK_NOTHROW(base::spend_work(1e9));
  unwanted = true;
  CHECK_THROWS_AS(base::spend_work(1), salvo::base::WorkLimitExceeded);
}

TEST_CASE("answer cache: every way to ask has its own entry, and repeats get the same bytes", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  std::map<std::string, std::string> first;
  for (const auto& [name, options] : ways_to_ask()) first[name] = answered(fresh(), duel(), options);
  CHECK(first["as it comes"] != first["exact"]);
  CHECK(first["as it comes"] != first["with a deck"]);
  CHECK(first["exact"] != first["certified"]);
  CHECK(first["as it comes"] != first["a small budget"]);
  for (int round = 0; round < 4; ++round) {
    for (const auto& [name, options] : ways_to_ask()) {
      INFO(name << ", round " << round);
      CHECK(answered(catalogue, duel(), options) == first[name]);
    }
  }
}

TEST_CASE("answer cache: a work limit refuses the same questions with and without it", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  AnswerOptions options;
  options.would_add = true;
  for (int i = 0; i < 3; ++i) answered(catalogue, duel(), options);  // now it is cached
  const double before = base::work_counted();
  answer(fresh(), duel(), options);
  const double all = base::work_counted() - before;
  REQUIRE(all > 1000);
  std::map<std::string, int> outcomes;
  // Not 1: `all` is a difference of sums, rounded by an amount that depends on the tests before this one.
  for (const double share : {0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.999, 1.001, 2.0}) {
    INFO(share);
    const std::string expected = answered(fresh(), duel(), options, share * all);
    for (int i = 0; i < 2; ++i) {
      const std::string again = answered(catalogue, duel(), options, share * all);
      CHECK(again.substr(0, again.find(" work ")) == expected.substr(0, expected.find(" work ")));
    }
    ++outcomes[expected.starts_with("error")                     ? "refused"
               : expected.find("would_add") == std::string::npos ? "without the deck"
                                                                 : "whole"];
  }
  CHECK(outcomes.size() == 3);
}

TEST_CASE("answer cache: an answer reduced by a limit is not cached", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  AnswerOptions options;
  options.would_add = true;
  const std::string whole = answered(fresh(), duel(), options);
  const double before = base::work_counted();
  answer(fresh(), duel());
  const double alone = base::work_counted() - before;
  for (int i = 0; i < 3; ++i) {
    const std::string less = answered(catalogue, duel(), options, alone + 1);
    CHECK(less.find("would_add") == std::string::npos);
  }
  CHECK(answered(catalogue, duel(), options) == whole);
}

TEST_CASE("answer cache: lines of a batch, with and without ids", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  const std::vector<std::string> lines = {"{" + kDuelMembers + "}",
                                          "{" + kDuelMembers + R"(, "id": "first"})",
                                          R"({"id": 7, )" + kDuelMembers + "}",
                                          "{" + kDuelMembers + R"(, "engine": "exact"})",
                                          "{" + kDuelMembers + R"(, "objective": "kill"})",
                                          "{" + kDuelMembers + R"(, "objective": "nothing"})"};
  std::vector<std::string> expected;
  expected.reserve(lines.size());
  for (const std::string& line : lines) expected.push_back(line_of(fresh(), line));
  CHECK(expected[1].find("\"id\": \"first\"}") != std::string::npos);
  CHECK(expected.back().find("\"error\"") != std::string::npos);
  for (int round = 0; round < 4; ++round) {
    for (std::size_t i = 0; i < lines.size(); ++i) CHECK(line_of(catalogue, lines[i]) == expected[i]);
  }
}

TEST_CASE("answer cache: requests", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  for (const bool line : {false, true}) {
    RequestOptions options;
    options.line = line;
    for (const std::string& body :
         {"{" + kDuelMembers + "}", "{" + kDuelMembers + R"(, "id": [])", "{" + kDuelMembers + R"(, "id": "x"})",
          std::string(R"({"attack": "pilot=wedgeantilles focus", "defend": "pilot=darthvader"})"),
          std::string(R"({"attack": "3 focus", "defend": "3 evade"})")}) {
      const auto asked = [&](const Catalogue& of) {
        try {
          return answer_request(of, "run", body, options);
        } catch (const Error& error) {
          return std::string(error.what());
        }
      };
      const std::string expected = asked(fresh());
      for (int i = 0; i < 4; ++i) CHECK(asked(catalogue) == expected);
    }
  }
}

TEST_CASE("answer cache: scenarios with the same plan share its solution, not their names", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  AnswerOptions options;
  options.would_add = true;
  const auto named = [](const std::string& by, const std::string& on, int initiative) {
    Scenario out;
    Scenario from = duel();  // twice: some thousand transitions, and with a damage deck too many
    from.attacks.push_back({.by = "red", .on = "black", .range = 3});
    out.ships[by] = from.ships.at("red");
    out.ships[by].locks = {on};
    out.ships[on] = from.ships.at("black");
    for (const ScenarioAttack& attack : from.attacks)
      out.attacks.push_back({.by = by, .on = on, .range = attack.range, .initiative = initiative});
    return out;
  };
  for (const int initiative : {1, 4, 6}) {
    for (const auto& [by, on] : {std::pair("a", "b"), std::pair("b", "a"), std::pair("first", "second")}) {
      const Scenario scenario = named(by, on, initiative);
      CHECK(answered(catalogue, scenario, options) == answered(fresh(), scenario, options));
    }
  }
}

TEST_CASE("answer cache: several threads ask equal and different questions", "[answer][cache]") {
  const Catalogue catalogue = fresh();
  const auto line = [](int n) {
    return R"({"ships": {"a": {"attack": )" + std::to_string(2 + n % 3) +
           R"(, "tokens": {"focus": 1}}, "d": {"agility": 2, "hull": )" + std::to_string(1 + n % 5) +
           R"(}}, "attacks": [{"by": "a", "on": "d"}]})";
  };
  constexpr int kQuestions = 15;
  std::vector<std::string> expected;
  for (int n = 0; n < kQuestions; ++n) expected.push_back(line_of(fresh(), line(n)));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20 * kQuestions; ++i) {
        const int n = (i * 7 + static_cast<int>(t)) % kQuestions;
        wrong[t] += line_of(catalogue, line(n)) != expected[static_cast<std::size_t>(n)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("scenarios: every key distinguishes a question, its origin does not", "[rules][cache]") {
  const std::vector<std::function<void(Scenario&)>> parts = {
      [](Scenario& s) { s.rules = "first-edition"; },
      [](Scenario& s) { s.cards = "legacy"; },
      [](Scenario& s) { s.objective = "kill"; },
      [](Scenario& s) { s.damage_deck = "core"; },
      [](Scenario& s) { s.attacker_policy = "greedy"; },
      [](Scenario& s) { s.defender_policy = "hold"; },
      [](Scenario& s) { s.attacker_rules = std::make_shared<const PolicySpec>(); },
      [](Scenario& s) { s.defender_rules = std::make_shared<const PolicySpec>(); },
      [](Scenario& s) { s.ships["black"].shields = 2; },
      [](Scenario& s) { s.attacks.push_back(s.attacks.front()); },
      [](Scenario& s) { s.rounds.emplace_back(); },
      [](Scenario& s) { s.repeats = true; },
      [](Scenario& s) { s.notes.emplace_back("red: read as Red Squadron"); },
  };
  const Scenario plain = duel();
  Scenario all = plain;
  for (const auto& change : parts) {
    Scenario other = plain;
    change(other);
    CHECK_FALSE(compile::same_question(plain, other));
    CHECK_FALSE(compile::same_question(other, plain));
    CHECK(compile::same_question(other, compile::without_origin(other)));
    change(all);
  }
  all.source = "duel.toml";
  all.lines["ships"] = 3;
  all.given_by["objective"] = "--objective";
  const Scenario bare = compile::without_origin(all);
  CHECK(compile::same_question(all, bare));
  CHECK(compile::hash_of(all) == compile::hash_of(bare));
  CHECK(bare.source.empty());
  CHECK(bare.lines.empty());
  CHECK(bare.given_by.empty());
}

TEST_CASE("plans: equal plans have equal hashes, others differ", "[rules][cache]") {
  const Catalogue catalogue = fresh();
  const game::Plan plan = compile::compile_scenario(catalogue, duel()).plan;
  CHECK(game::hash_of(plan) == game::hash_of(compile::compile_scenario(catalogue, duel()).plan));
  std::map<std::uint64_t, int> seen;
  for (int n = 0; n < 40; ++n) {
    Scenario other = duel();
    other.ships["red"].attack = 1 + n % 5;
    other.ships["black"].tokens["evade"] = n / 5 % 2;
    other.ships["black"].hull = 1 + n / 10;
    other.objective = "kill";
    ++seen[game::hash_of(compile::compile_scenario(catalogue, other).plan)];
  }
  CHECK(seen.size() == 40);
}

TEST_CASE("LRU cache: recently used entries stay, within the bound", "[base][cache]") {
  base::LruCache<int> cache(80);
  const auto get = [&](std::uint64_t hash) {
    const auto found = cache.find(hash, [&](int value) { return value == static_cast<int>(hash); });
    return found ? *found : -1;
  };
  for (int n = 0; n < 8; ++n) cache.insert(static_cast<std::uint64_t>(n), std::make_shared<const int>(n), 10);
  CHECK(cache.stats().cost == 80);
  CHECK(get(0) == 0);  // used now
  cache.insert(8, std::make_shared<const int>(8), 10);
  CHECK(cache.stats().cost == 80);
  CHECK(get(0) == 0);
  CHECK(get(1) == -1);
  CHECK(get(8) == 8);
  cache.insert(8, std::make_shared<const int>(9), 5);  // replaces the entry; another question with that hash
  CHECK(cache.stats().cost == 75);
  CHECK(get(8) == -1);
  cache.insert(100, std::make_shared<const int>(100), 11);  // too large
  CHECK(get(100) == -1);
  CHECK(cache.stats().cost == 75);
  CHECK(cache.stats().entries == 8);
  CHECK(cache.stats().evictions == 1);
}

TEST_CASE("LRU cache: a question counts from the second time on", "[base][cache]") {
  base::LruCache<int> cache(80);
  constexpr std::uint64_t kHash = 0x123456789abcdef0;
  CHECK_FALSE(cache.seen_before(kHash));
  CHECK(cache.seen_before(kHash));
  CHECK_FALSE(cache.seen_before(kHash ^ (std::uint64_t{1} << 40)));
}
