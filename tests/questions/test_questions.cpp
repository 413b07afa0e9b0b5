// Described questions: one description is enough for the command line, its help, JSON, the schema of requests, the page
// and the Python package.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "api/answer_question.h"
#include "base/index.h"
#include "cli/commands.h"
#include "data/file.h"
#include "questions/schema.h"
#include "salvo/failure.h"
#include "support/request_keys.h"

using namespace salvo;
using nlohmann::json;
using questions::FieldList;
using questions::Name;

namespace {

constexpr const char* kSchema = SALVO_SOURCE_DIR "/docs/schemas/request.schema.json";
constexpr const char* kPage = SALVO_SOURCE_DIR "/docs/format.md";
constexpr const char* kPython = SALVO_SOURCE_DIR "/python/salvo/questions.py";

/// A made-up question: how many shots, and how.
struct Shots : questions::Common {
  int shots = 1;
  bool aimed = false, loud = true;
  std::string mood = "calm";
  double share = 1;
  load::GivenSpecs attack;
  std::string target;
  std::vector<std::string> tags;
  std::map<std::string, int> numbers;
};

std::string shots_json(const Shots& asked) {
  return json({{"shots", asked.shots},
               {"aimed", asked.aimed},
               {"loud", asked.loud},
               {"mood", asked.mood},
               {"share", asked.share},
               {"attackers", asked.attack.list.size()},
               {"seed", asked.answer.seed},
               {"target", asked.target},
               {"tags", asked.tags},
               {"numbers", asked.numbers}})
      .dump();
}

void describe(Shots& question, FieldList& list) {
  list.text({"target", "TARGET", nullptr, "what is shot at", "the target"}, question.target);
  list.last().required = true;
  list.texts({"tags", "--tag", "TAG", "a tag; repeatable", "tags"}, question.tags);
  list.add({"numbers", "--set", "NAME=N", "a number"}, questions::Kind::Numbers, [&question](const data::Node& node) {
    for (const data::Node& one : node.children()) question.numbers[one.key()] = one.integer(0, 9);
  });
  list.specs({"attack", "-a,--attack", "SPEC", "who shoots"}, question.attack);
  list.integer({"shots", "--shots", "N", "how many shots"}, 1, 9, question.shots);
  list.flag({"aimed", "--aimed", nullptr, "with an aim"}, question.aimed);
  list.flag({"loud", nullptr, nullptr, "with a noise"}, question.loud);
  static const std::vector<std::string> moods{"calm", "cross"};
  list.choice({"mood", "--mood", "NAME", "calm (default), cross"}, moods,
              [&question](std::size_t i) { question.mood = moods[i]; });
  list.share({"share", "--share", "P", "of the shots"}, 1, [&question](double share) { question.share = share; });
  questions::describe_engines(question, {"seed"}, list);
}

questions::Answer ask(const Catalogue&, const Shots& question) {
  if (question.aimed && question.shots > 3) throw questions::FieldError("shots", "at most 3 with {aimed}");
  return {.json = [question] { return shots_json(question); }, .csv = nullptr, .table = nullptr};
}

const questions::Question kShots = {.name = "shots",
                                    .what = "Shots.",
                                    .footer = "",
                                    .missing = "no question",
                                    .plot = nullptr,
                                    .example = R"([{"target": "x", "shots": 2}])",
                                    .begin = questions::begin<Shots>};

json answer_of(const std::string& body) {
  return json::parse(api::answer_question(kShots, Catalogue(), body, RequestOptions{}));
}

/// The error of a body, or of a command line.
Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (...) {
    return current_failure();
  }
  return {};
}

Failure failure_of_body(const std::string& body) {
  return failure_of([&] { answer_of(body); });
}

Failure failure_of_words(const std::string& words) {
  return failure_of([&] {
    CLI::App app;
    const cli::DeclaredCommand command = cli::add_question(app, kShots);
    app.parse("shots " + words);
    command.read().action();
  });
}

}  // namespace

TEST_CASE("questions: a described question is read from JSON", "[questions]") {
  const json all = {{"target", "x"},
                    {"shots", 3},
                    {"aimed", true},
                    {"loud", false},
                    {"mood", "cross"},
                    {"share", 0.5},
                    {"tags", {"a", "b"}},
                    {"numbers", {{"speed", 3}}},
                    {"seed", 18446744073709551615ULL}};
  json asked = all;
  asked["attack"] = {"3", "2 focus"};
  json expected = all;
  expected["attackers"] = 2;
  CHECK(answer_of(asked.dump()) == expected);
  CHECK(answer_of(R"({"target": "x", "tags": "a"})") == json({{"target", "x"},
                                                              {"shots", 1},
                                                              {"aimed", false},
                                                              {"loud", true},
                                                              {"mood", "calm"},
                                                              {"share", 1.0},
                                                              {"attackers", 0},
                                                              {"seed", 1},
                                                              {"tags", {"a"}},
                                                              {"numbers", json::object()}}));
}

TEST_CASE("questions: JSON and the command line refuse the same mistakes in the same words", "[questions]") {
  struct Case {
    const char *body, *words, *key, *option, *message;
  };
  for (const Case& one : {
           Case{R"("shots": 10)", "--shots 10", "shots", "--shots",
                "10 is out of range; write a whole number from 1 to 9"},
           Case{R"("shots": "x")", "--shots x", "shots", "--shots",
                "found \"x\" (text); write a whole number from 1 to 9"},
           Case{R"("mood": "cros")", "--mood cros", "mood", "--mood",
                "\"cros\" is not known here; did you mean \"cross\"? write one of calm, cross"},
           Case{R"("share": 0.0)", "--share 0.0", "share", "--share",
                "0.0 is out of range; write a number above 0 and at most 1"},
           Case{R"("seed": "y")", "--seed y", "seed", "--seed",
                "found \"y\" (text); write a whole number from 0 to 2^64 - 1"},
           Case{R"("numbers": {"speed": 10})", "--set speed=10", "numbers.speed", "--set.speed",
                "10 is out of range; write a whole number from 0 to 9"},
           Case{R"("shots": 4, "aimed": true)", "--shots 4 --aimed", "shots", "--shots", nullptr},
       }) {
    CAPTURE(one.body);
    const Failure of_body = failure_of_body(fmt::format("{{\"target\": \"x\", {}}}", one.body));
    const Failure of_words = failure_of_words(fmt::format("x {}", one.words));
    CHECK(of_body.place == one.key);
    CHECK(of_words.text.starts_with(one.option));
    CHECK(of_words.kind == ErrorKind::InvalidInput);
    if (one.message == nullptr) continue;
    CHECK(of_body.message == one.message);
    CHECK(of_words.message == one.message);
  }
  CHECK(failure_of_words("x --shots 4 --aimed").text == "--shots: at most 3 with --aimed");
  CHECK(failure_of_body(R"({"target": "x", "shots": 4, "aimed": true})").message == "at most 3 with aimed");
  CHECK(failure_of_body(R"({"target": "x", "times": 4})").message ==
        "unknown key; it is a key of hazard; leave it out");
  CHECK(failure_of_body(R"({"target": "x", "shot": 4})").message.find("did you mean \"shots\"") != std::string::npos);
  CHECK(failure_of_body("{}").message == "the key \"target\" is missing; write the target");
  CHECK(failure_of_words("--shots 2").text == "no question");
  CHECK(failure_of_words("x --set speed").text == "--set: \"speed\" is not NAME=N, as in speed=3");
}

TEST_CASE("questions: the help and the schema list every field", "[questions]") {
  CLI::App app;
  const std::string help = cli::help_text(*cli::add_question(app, kShots).app, "salvo");
  const json schema = json::parse(questions::schema_of(kShots));
  const questions::OpenQuestion question = kShots.begin(false);
  for (const questions::Field& field : question.list->fields()) {
    CAPTURE(field.name.key);
    CHECK(schema["properties"].contains(field.name.key));
    if (field.name.option != nullptr) CHECK(help.find(field.name.help) != std::string::npos);
  }
  CHECK(schema["properties"]["shots"]["maximum"] == 9);
  CHECK(schema["properties"]["mood"]["enum"] == json({"calm", "cross"}));
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == json({"target"}));
}

TEST_CASE("questions: the checked-in schema of requests is up to date", "[questions]") {
  const json file = json::parse(data::read_file(kSchema));
  CHECK(file["anyOf"].size() == questions::all().size());
  for (const questions::Question* question : questions::all()) {
    CAPTURE(question->name);
    const std::string made = questions::schema_of(*question);
    INFO("should be " << made);
    CHECK(file["$defs"][question->name] == json::parse(made));
    CHECK(base::contains(file["anyOf"], json{{"$ref", std::string("#/$defs/") + question->name}}));
    CHECK(base::contains(request_verbs(), std::string(question->name)));
  }
}

TEST_CASE("questions: the pages and the Python package list the keys as they are", "[questions]") {
  const std::string page = data::read_file(kPage);
  CHECK(page == test::page_with_keys(page));
  CHECK(data::read_file(kPython) == test::python_keys());
}

// salvo_tests "[update]" writes the files that the cases above compare.
TEST_CASE("questions: update what is made from the fields of questions", "[.][update]") {
  using nlohmann::ordered_json;
  ordered_json file = ordered_json::parse(data::read_file(kSchema));
  file["anyOf"] = ordered_json::array();
  for (const questions::Question* question : questions::all()) {
    file["$defs"][question->name] = ordered_json::parse(questions::schema_of(*question));
    file["anyOf"].push_back({{"$ref", std::string("#/$defs/") + question->name}});
  }
  std::ofstream(kSchema) << file.dump(1) << '\n';
  const std::string page = test::page_with_keys(data::read_file(kPage));
  std::ofstream(kPage) << page;
  std::ofstream(kPython) << test::python_keys();
}
