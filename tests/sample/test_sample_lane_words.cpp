// The words and steps of the lane kernel: each die is in its field with the face of its random bits, for each
// instruction set; steps follow their table, one by one and in vectors.
#include <hwy/aligned_allocator.h>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "exact/exact.h"
#include "load/load.h"
#include "sample/lanes/lane_step.h"
#include "sample/lanes/lane_words.h"
#include "sample/vector/random_words.h"
#include "support/differential.h"

using namespace salvo;
using sample::LaneStep;
using sample::LaneWords;

namespace {

constexpr std::uint64_t kSeed = 0x0123456789abcdefu;

/// A die of a lane.
unsigned in_word(const LaneWords& words, sample::Workspace& workspace, const sample::LaneField& field, int die,
                 std::size_t lane) {
  std::uint64_t word = 0;
  for (const bool upper : {false, true}) {
    const std::uint64_t* half = words.half(workspace, 0, field.word, upper);
    if (half != nullptr) word |= std::uint64_t{LaneWords::load(half, lane)} << (upper ? 32 : 0);
  }
  return static_cast<unsigned>(word >> (field.shift + die * field.bits) & ((1u << field.bits) - 1));
}

struct Pool {
  const sample::PoolAddress& address;
  const sample::DieCode& code;
  const sample::LaneFields::Pool& fields;
};

void check_pool(const Pool& pool, const sample::RandomWords& bits,
                const std::function<unsigned(const sample::LaneField&, int)>& shown) {
  const auto& [address, code, fields] = pool;
  for (int slot = 0; slot < address.slots; ++slot) {
    const int plane = address.first + slot * address.stride;
    const unsigned value = bits.bits(plane, code.bits);
    REQUIRE(shown(fields.first, slot) == code.face[value]);
    if (address.low < 0) continue;
    const unsigned low = code.low_bit_read[value] ? bits.bit(address.low + slot) : value & 1u;
    REQUIRE(shown(fields.reroll, slot) == code.face[bits.bits(plane + code.bits, code.bits - 1) << 1 | low]);
  }
}

}  // namespace

TEST_CASE("lane words contain the faces of the addressed bits", "[sample][lanes]") {
  Scenario scenario = parse_scenario(R"({"ships": {
      "red": {"attack": 9, "tokens": {"lock": ["black"]}},
      "black": {"agility": 6, "tokens": {"focus": 1}, "upgrades": ["elusive"]}},
      "attacks": [{"by": "red", "on": "black"}]})",
                                     "words");
  scenario.attacker_policy = scenario.defender_policy = "greedy";
  const salvo::compile::CompiledScenario question = compile::compile_scenario(differential::catalogue(), scenario);
  const salvo::game::Policy policy = exact::greedy_policy(question.plan);
  for (const sample::Generator generator :
       {sample::Generator::Philox4x32_10, sample::Generator::Ars7, sample::Generator::Xoshiro256pp}) {
    const sample::Setup setup = sample::prepare(question.plan, policy, kSeed, generator);
    const sample::AttackAddress& address = setup.addresses.attacks[0];
    const LaneWords words(setup);
    for (const sample::Target& target : sample::vector_targets()) {
      CAPTURE(target.name);
      sample::Workspace workspace(words.program());
      words.prepare(workspace);
      const std::uint64_t start = 5 * LaneWords::kLanes;
      target.play(words.program(), generator, kSeed, start, start + LaneWords::kLanes, workspace, nullptr);
      sample::RandomWords bits(generator, setup.addresses, kSeed);
      std::vector<std::size_t> lane_of(LaneWords::kLanes, LaneWords::kLanes);
      for (std::size_t lane = 0; lane < LaneWords::kLanes; ++lane) lane_of.at(LaneWords::trial(lane)) = lane;
      for (std::size_t i = 0; i < LaneWords::kLanes; i += 7) {
        REQUIRE(lane_of[i] < LaneWords::kLanes);
        bits.begin_trial(start + i);
        const auto shown = [&](const sample::LaneField& field, int die) {
          return in_word(words, workspace, field, die, lane_of[i]);
        };
        check_pool({address.attack, setup.attack_code, words.fields(0).attack}, bits, shown);
        check_pool({address.defense, setup.defense_code, words.fields(0).defense}, bits, shown);
      }
    }
  }
}

TEST_CASE("lane steps return what was stored", "[sample][lanes]") {
  CHECK(!LaneStep().known());
  CHECK(!LaneStep().rests());
  for (const std::size_t place : {LaneStep::kNothing, 100 * LaneStep::kUnit, LaneStep::kMaxEntries - LaneStep::kUnit}) {
    for (int bits = LaneStep::kFewestBits; bits <= LaneStep::kMaxBits; ++bits) {
      for (int shift = 0; shift + bits <= 64; ++shift) {
        const LaneStep step = LaneStep::dice(place, shift, bits);
        REQUIRE(step.known());
        REQUIRE(!step.rests());
        REQUIRE(!step.ended());
        REQUIRE(step.place() == place);
        REQUIRE(step.chosen(0x0123456789abcdefu) == (0x0123456789abcdefu >> shift & ((1u << bits) - 1)));
      }
    }
    for (const LaneStep::Rest kind :
         {LaneStep::Rest::End, LaneStep::Rest::Draw, LaneStep::Rest::Side, LaneStep::Rest::Word}) {
      const LaneStep step = LaneStep::rest(place, kind);
      CHECK(step.known());
      CHECK(step.rests());
      CHECK(step.why() == kind);
      CHECK(step.ended() == (kind == LaneStep::Rest::End));
      CHECK(step.place() == place);
      CHECK(step.chosen(0x0123456789abcdefu) < 2);
    }
  }
  CHECK_THROWS_AS(LaneStep::dice(LaneStep::kMaxEntries, 0, 2), std::length_error);
}

TEST_CASE("lane steps in vectors equal single steps", "[sample][lanes]") {
  std::mt19937_64 random(7);
  constexpr std::size_t kTables = 200, kEntries = 256;
  // Tables that lead to each other, to unknown steps and to rests.
  std::vector<LaneStep> tables(LaneStep::kNothing + kTables * kEntries);
  const auto place = [&](std::size_t table) { return LaneStep::kNothing + table * kEntries; };
  for (std::size_t table = 0; table < kTables; ++table) {
    const bool rests = table % 10 == 0;
    for (std::size_t i = 0; i < kEntries; ++i) {
      LaneStep& entry = tables[place(table) + i];
      if (rests) {
        entry = LaneStep::rest(place(table), static_cast<LaneStep::Rest>(table / 10 % 4));
      } else if (random() % 50 != 0) {
        const std::size_t to = random() % kTables;
        const int bits = 2 + static_cast<int>(random() % 7);
        entry = to % 10 == 0
                    ? LaneStep::rest(place(to), static_cast<LaneStep::Rest>(to / 10 % 4))
                    : LaneStep::dice(place(to), static_cast<int>(random() % static_cast<unsigned>(33 - bits)), bits);
      }
    }
  }
  constexpr std::size_t kLanes = LaneWords::kLanes;
  std::vector<LaneStep> from;
  std::vector<LaneStep> to(kLanes);
  const hwy::AlignedFreeUniquePtr<std::uint64_t[]> words = hwy::AllocateAligned<std::uint64_t>(kLanes / 2);
  for (std::size_t i = 0; i < kLanes / 2; ++i) words[i] = random();
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    from.push_back(LaneStep::dice(place(1 + lane % 9), static_cast<int>(lane % 24), 8));
  const std::vector<LaneStep> ended(kLanes, LaneStep::rest(place(40), LaneStep::Rest::End));
  for (const sample::Target& target : sample::vector_targets()) {
    CAPTURE(target.name);
    for (const int times : {0, 1, 2, 5}) {
      CHECK(!target.walk(tables.data(), words.get(), from.data(), to.data(), kLanes, times));
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        LaneStep step = from[lane];
        for (int i = 0; i < times; ++i) step = step.next(tables.data(), LaneWords::load(words.get(), lane));
        REQUIRE(to[lane].number() == step.number());
      }
      CHECK(target.walk(tables.data(), words.get(), ended.data(), to.data(), kLanes, times));
      std::vector<LaneStep> but_one = ended;
      but_one[77] = LaneStep::rest(place(10), LaneStep::Rest::Draw);
      CHECK(!target.walk(tables.data(), words.get(), but_one.data(), to.data(), kLanes, times));
    }
  }
}
