// Hostile and broken files and texts: each gives one LoadError in bounded time, and never a crash.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "load/load.h"
#include "salvo/squad.h"
#include "support/catalogue.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

using namespace salvo;

namespace {

namespace fs = std::filesystem;
using tests::TemporaryFolder;

std::string error_of_file(const std::string& path) {
  return tests::error_of([&] { return load_scenario(path); });
}

std::string error_of_text(const std::string& text, const std::string& source) {
  return tests::error_of([&] { return parse_scenario(text, source); });
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

const std::string kGood = "[ships.a]\n[ships.b]\n[[attacks]]\nby = \"a\"\non = \"b\"\n";

}  // namespace

TEST_CASE("a good file is read whatever its name", "[load][hostile]") {
  const TemporaryFolder folder;
  CHECK(load_scenario(folder.write("good.toml", kGood)).attacks.size() == 1);
  CHECK(load_scenario(folder.write("with space and \xC3\xA9", kGood)).attacks.size() == 1);
}

TEST_CASE("anything but a readable regular file is refused with its name", "[load][hostile]") {
  const TemporaryFolder folder;
  CHECK(holds(error_of_file(folder.name("none.toml")), "none.toml: cannot be read (No such file or directory)"));
  CHECK(holds(error_of_file(folder.name("")), "is a folder"));
  CHECK(holds(error_of_file(""), "the name of the file is empty"));
  CHECK(holds(error_of_file("/dev/null"), "not a regular file"));
  CHECK(holds(error_of_file("/dev/zero"), "not a regular file"));
  CHECK(holds(error_of_file(folder.write("file", kGood) + "/x"), "cannot be read"));
  CHECK(holds(error_of_file(std::string(5000, 'x')), "cannot be read"));
  CHECK(holds(error_of_file(std::string("a\0b", 3)), "NUL"));
  REQUIRE(mkfifo(folder.name("fifo").c_str(), 0600) == 0);
  CHECK(holds(error_of_file(folder.name("fifo")), "not a regular file"));  // and does not wait for a writer
  fs::create_symlink(folder.name("fifo"), folder.name("link"));
  CHECK(holds(error_of_file(folder.name("link")), "not a regular file"));
  fs::create_symlink(folder.name("loop"), folder.name("loop"));
  CHECK(holds(error_of_file(folder.name("loop")), "cannot be read"));
  if (geteuid() != 0) {  // root may read everything
    const std::string closed = folder.write("closed.toml", kGood);
    fs::permissions(closed, fs::perms::none);
    CHECK(holds(error_of_file(closed), "allow reading it"));
  }
}

TEST_CASE("a file name cannot control a terminal", "[load][hostile]") {
  const std::string message = error_of_file("none\x1b[31m\n.toml");
  CHECK(holds(message, "none\\x1b[31m\\n.toml: "));
  CHECK_FALSE(holds(message, "\x1b"));
}

TEST_CASE("files over 8 MiB are refused, files just below are read", "[load][hostile]") {
  const TemporaryFolder folder;
  const std::size_t limit = std::size_t{8} << 20;
  CHECK(holds(error_of_file(folder.write("big.toml", kGood + std::string(limit, '#'))), "larger than 8 MiB"));
  CHECK(holds(error_of_text(kGood + std::string(limit, '#'), "body"), "larger than 8 MiB"));
  CHECK(error_of_file(folder.write("fits.toml", kGood + std::string(limit - kGood.size(), '#'))) == "no error");
}

TEST_CASE("text that is not UTF-8 is refused with the line", "[load][hostile]") {
  CHECK(holds(error_of_text("# \xFF\n", "x.toml"), "x.toml:1: is not UTF-8"));
  CHECK(holds(error_of_text("#\n#\xC3", "x.toml"), "x.toml:2: is not UTF-8"));
  CHECK(holds(error_of_text("#\xC0\x80", "x.toml"), "not UTF-8"));          // overlong
  CHECK(holds(error_of_text("#\xE0\x80\x80", "x.toml"), "not UTF-8"));      // overlong
  CHECK(holds(error_of_text("#\xED\xA0\x80", "x.toml"), "not UTF-8"));      // surrogate
  CHECK(holds(error_of_text("#\xF4\x90\x80\x80", "x.toml"), "not UTF-8"));  // above U+10FFFF
  CHECK(holds(error_of_text("#\xF0\x8F\xBF\xBF", "x.toml"), "not UTF-8"));  // overlong
  CHECK(holds(error_of_text(std::string("a\0=\0", 4), "x.toml"), "x.toml:1: holds a NUL byte"));
  CHECK(holds(error_of_text(std::string("{\n\0}", 4), "x.json"), "x.json:2: holds a NUL byte"));
  CHECK(error_of_text("# \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n" + kGood, "x.toml") == "no error");
}

TEST_CASE("endless nesting is refused before it can exhaust the stack", "[load][hostile]") {
  const std::vector<std::string> toml{
      "a = " + repeated("[", 1000000),
      "a = " + repeated("{a=", 1000000),
      "a = " + repeated("{a.a.a = ", 30),
      "a" + repeated(".a", 2000000) + " = 1",
      "[a" + repeated(".a", 2000000) + "]",
      "[a" + repeated(".a", 40) + "]\nb" + repeated(".a", 40) + " = 1",
      "x = ['a', \"b\\\"\", {" + repeated("a.", 1000000) + "a = 1}]",
      "x = [\"\"\"a\"\"\"\", {" + repeated("a.", 1000000) + "a = 1}]",  // a quote before the closing three
      "x = [\n{" + repeated("a.", 1000000) + "a = 1}]"};
  for (const std::string& text : toml) {
    CAPTURE(text.substr(0, 60));
    CHECK(holds(error_of_text(text, "x.toml"), "more than 64 levels"));
  }
  CHECK(holds(error_of_text(repeated("[", 1000000), "x.json"), "x.json:1: more than 64 levels"));
  CHECK(holds(error_of_text(repeated("{\"a\":", 1000000), "x.json"), "more than 64 levels"));
  // 60 levels are read, but are not a scenario.
  CHECK(holds(error_of_text("a = " + repeated("[", 60) + repeated("]", 60), "x.toml"), "a: unknown key"));
  CHECK(holds(error_of_text("{\"a\":" + repeated("[", 60) + repeated("]", 60) + "}", "x.json"), "a: unknown key"));
  // Brackets and dots in strings, comments and numbers do not count.
  const std::string quiet = "# " + repeated("[.", 200) + "\n[ships.a]\nship = '" + repeated("[.", 200) +
                            "'\npilot = \"\\\"" + repeated("{.", 200) +
                            "\"\n[ships.b]\n[[attacks]]\nby='a'\non='b'\nfacts=['''\n" + repeated("[", 99) + "''']\n";
  CHECK(error_of_text(quiet, "x.toml") == "no error");
}

TEST_CASE("large texts are read or refused in bounded time", "[load][hostile]") {
  const std::clock_t start = std::clock();  // processor time, so that a busy machine does not matter
  std::string headers, dots, locks = "{\"ships\":{\"b\":{},\"a\":{\"tokens\":{\"lock\":[\"0\"", attacks = kGood;
  for (int i = 0; i < 300000; ++i) {
    const std::string number = std::to_string(i + 1);
    headers.append("[a").append(number).append(".b]\n");
    dots.append("a").append(number).append(".b=1\n");
    locks.append(",\"").append(number).append("\"");
  }
  for (int i = 0; i < 100000; ++i) attacks += "[[attacks]]\nby='a'\non='b'\n";
  locks += "]}}},\"attacks\":[{\"by\":\"a\",\"on\":\"b\"}]}";
  CHECK(holds(error_of_text(headers, "x.toml"), "x.toml:20001: more than 20000 dotted keys"));
  CHECK(holds(error_of_text(dots, "x.toml"), "more than 20000 dotted keys"));
  CHECK(error_of_text(locks, "x.json") == "no error");
  CHECK(error_of_text(attacks, "x.toml") == "no error");
  CHECK(holds(error_of_text("{\"ships\":[" + repeated("1,", 3000000) + "1]}", "x.json"), "found a list"));
  CHECK(std::clock() - start < 60 * CLOCKS_PER_SEC);  // about 4 s; a quadratic step takes minutes
}

TEST_CASE("squads with many keys are read in bounded time", "[load][hostile]") {
  const std::clock_t start = std::clock();
  std::string many = R"({"Pilots":[{"id":"guri"}])";
  for (unsigned spelling = 0; spelling < 1024; ++spelling) {
    std::string key = "multiplier";
    for (std::size_t i = 0; i < key.size(); ++i) key[i] -= (spelling >> i & 1) != 0 ? 'a' - 'A' : 0;
    many.append(",\"").append(key).append("\":0");
  }
  for (int i = 0; i < 300000; ++i) many.append(",\"a").append(std::to_string(i)).append("\":0");
  CHECK(parse_squad(tests::catalogue(), many + "}", "x.json", "xwa").pilots.at(0).id == "guri");
  CHECK(std::clock() - start < 30 * CLOCKS_PER_SEC);  // about 1 s
}

TEST_CASE("random damage to good text gives a scenario or a LoadError", "[load][hostile]") {
  const std::string toml =
      "rules = \"second-edition\" # c\n[ships.red]\nattack = 3\ntokens = { focus = 1, lock = [\"b\"] }\n" + kGood;
  const std::string json =
      "{\"ships\": {\"a\": {\"hull\": 4, \"tokens\": {\"focus\": 1, \"lock\": [\"b\"]}}, \"b\": {}},\n"
      "\"attacks\": [{\"by\": \"a\", \"on\": \"b\", \"range\": 1, \"facts\": [\"bullseye\"]}]}";
  const std::vector<std::string> pieces{"[",      "]",          "{",    "}",  "=",  ".",       ",",        "\"",  "'",
                                        "\"\"\"", "#",          "\n",   "[[", "\\", "\\u00e9", "\xC3\xA9", "1e9", "-",
                                        "inf",    "1979-05-27", "null", "[{", "[.", "\r",      "\t",       ":"};
  std::mt19937 random(20240521);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const bool is_toml = i % 2 == 0;
    std::string text = is_toml ? toml : json;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const std::size_t at = below(text.size() + 1);
      if (below(3) == 0) {
        text.erase(at, 1 + below(6));
      } else {
        text.insert(at, pieces[below(pieces.size())]);
      }
    }
    const std::string message = error_of_text(text, is_toml ? "x.toml" : "x.json");
    (message == "no error" ? read : refused) += 1;
    if (message.find('\n') != std::string::npos || message.size() > 600) FAIL_CHECK(message);
  }
  CHECK(read > 100);
  CHECK(refused > 10000);
}
