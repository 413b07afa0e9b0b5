// Parts of a run: their merged counts equal those of one run for any ranges, order and kernel; counts as text.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "answers/sampling.h"
#include "salvo/load.h"
#include "salvo/report.h"
#include "sample/tally.h"
#include "support/catalogue.h"

using namespace salvo;

namespace {

using tests::catalogue;

Scenario volley(const std::string& deck = "none") {
  Scenario out = scenario_from_specs(catalogue(), {"3 focus lock range=1", "ship=t65xwing predator focus"},
                                     "3 focus evade hull=4 shields=1");
  out.damage_deck = deck;
  return out;
}

AnswerOptions sampled(std::uint64_t trials, const std::string& generator, const std::string& target = "") {
  AnswerOptions out;
  out.engine = EngineChoice::Sample;
  out.trials = trials;
  out.seed = 11;
  out.generator = generator;
  out.target = target;
  return out;
}

}  // namespace

TEST_CASE("parts in any order add up to one run", "[sample]") {
  const std::string generator = GENERATE(as<std::string>{}, "philox4x32-10", "ars-7", "xoshiro256++");
  const std::string deck = GENERATE(as<std::string>{}, "none", "core");  // bit-sliced, and in lanes
  const std::string target = GENERATE(as<std::string>{}, "", "reference");
  // The reference kernel plays trial by trial and has no blocks of 65,536 trials.
  const std::uint64_t trials = target.empty() ? 140'003 : 10'003;
  const AnswerOptions options = sampled(trials, generator, target);
  const Scenario scenario = volley(deck);
  salvo::answers::Sampling sampling(catalogue(), scenario, options);
  REQUIRE(sampling.trials() == trials);
  std::vector<std::uint64_t> cuts = {0, 1, 2, 63, 64, 511, 513};
  if (target.empty()) cuts.insert(cuts.end(), {65'535, 65'536, 65'537, 100'000, 131'072});
  cuts.push_back(trials);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) ranges.emplace_back(cuts[i], cuts[i + 1]);
  std::mt19937 order(3);  // NOLINT: fixed seed
  std::shuffle(ranges.begin(), ranges.end(), order);
  sample::Tally all(sampling.plan());
  for (const auto& [first, last] : ranges) {
    const sample::Tally part = sampling.parts().play(first, last);
    REQUIRE(part.trials == last - first);
    // As sent from one machine to another.
    const sample::Tally read = sample::Tally::of_text(sampling.plan(), part.text());
    REQUIRE(read == part);
    all.merge(read);
  }
  const Report report = sampling.report(all, sampling.parts().played_by());
  CHECK(to_json(report) == to_json(answer(catalogue(), scenario, options)));
}

TEST_CASE("texts that are not counts of the plan are refused", "[sample]") {
  salvo::answers::Sampling sampling(catalogue(), volley(), sampled(1000, ""));
  const std::string text = sampling.parts().play(0, 1000).text();
  CHECK(sample::Tally::of_text(sampling.plan(), text).text() == text);
  for (const std::string& wrong :
       {std::string(), text + " 1", text + " 0*2", text.substr(0, text.size() / 2), "x" + text, "-1 " + text,
        "18446744073709551616" + text.substr(text.find(' ')), "0*0 " + text, "0*99999999999 " + text,
        std::string("0*4000000000"), text.substr(0, text.find(' ')) + " " + text.substr(text.find(' '))}) {
    INFO(wrong);
    CHECK_THROWS_AS(sample::Tally::of_text(sampling.plan(), wrong), std::invalid_argument);
  }
}

TEST_CASE("counts beyond 64 bits retain all digits", "[sample]") {
  salvo::answers::Sampling sampling(catalogue(), volley(), sampled(1000, ""));
  sample::Tally tally = sampling.parts().play(0, 1000);
  tally.mine.squares = ~sample::Wide{0};
  tally.trials = ~std::uint64_t{0};
  CHECK(sample::Tally::of_text(sampling.plan(), tally.text()) == tally);
}
