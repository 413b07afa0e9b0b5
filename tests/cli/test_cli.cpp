// The parts of the command line that can be tested without a process: numbers, options, the progress bar.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/memory_limit.h"
#include "cli/status_line.h"
#include "support/errors.h"

using namespace salvo;
using namespace salvo::cli;

namespace {

Arguments parse(std::vector<const char*> words) {
  words.insert(words.begin(), "salvo");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

std::string refusal(const std::vector<const char*>& words) {
  return tests::error_of<Error>([&] { return parse(words); });
}

/// The exit status of a process that collects interrupts, receives one and then works for longer than the grace period.
template <typename Work>
int status_after_interrupt(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    end_on_interrupt();
    collect_interrupts();
    raise(SIGINT);
    work();
    for (unsigned left = 6; left > 0;) left = sleep(left);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("an unchecked interrupt ends the process after the grace period; a checked one does not", "[cli]") {
  CHECK(status_after_interrupt([] {}) == 130);
  CHECK(status_after_interrupt([] { interrupted(); }) == 0);
}

TEST_CASE("whole numbers in plain and scientific notation", "[cli]") {
  const auto count = [](const char* text) { return parse_count("--n", text, 0, ~std::uint64_t{0}); };
  CHECK(count("1000000") == 1'000'000);
  CHECK(count("1e6") == 1'000'000);
  CHECK(count("1E+6") == 1'000'000);
  CHECK(count("2.5e6") == 2'500'000);
  CHECK(count("10.0") == 10);
  CHECK(count("0") == 0);
  CHECK(count("18446744073709551615") == ~std::uint64_t{0});
  for (const char* text : {"", "-1", "+1", "1.5", "1e-1", "1e", "e6", ".5", "1.", "1 ", " 1", "0x10", "1,000", "nan",
                           "inf", "18446744073709551616", "1e20", "1e999999", "1.25e1"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(count(text), UsageError);
  }
  CHECK_THROWS_AS(parse_count("--n", "0", 1, 5), UsageError);
  CHECK_THROWS_AS(parse_count("--n", "6", 1, 5), UsageError);
}

TEST_CASE("options of salvo run", "[cli]") {
  const Arguments all = parse({"run",
                               "--attack",
                               "3 focus",
                               "--attack",
                               "2",
                               "--defend",
                               "2",
                               "--engine=both",
                               "--trials",
                               "1e6",
                               "--seed",
                               "18446744073709551615",
                               "--threads",
                               "4",
                               "--precision",
                               "1e-3",
                               "--budget",
                               "1e9",
                               "--format",
                               "csv",
                               "--no-progress",
                               "--objective",
                               "damage"});
  REQUIRE(all.command == Command::Run);
  const CommandOptions& run = all.run;
  CHECK(run.answer.engine == EngineChoice::Both);
  CHECK(run.answer.trials == 1'000'000);
  CHECK(run.answer.seed == ~std::uint64_t{0});
  CHECK(run.answer.threads == 4);
  CHECK(run.answer.precision == 1e-3);
  CHECK(run.answer.budget == 1e9);
  CHECK(run.format == Format::Csv);
  CHECK_FALSE(run.progress);
  CHECK_FALSE(run.answer.overrides.attacker_policy.has_value());

  CHECK(parse({"run", "x.toml", "--seed", "2"}).run.answer.seed == 2);
  CHECK(parse({"run", "--seed", "2", "x.toml"}).run.answer.seed == 2);
}

TEST_CASE("other commands", "[cli]") {
  CHECK(parse({}).command == Command::Usage);
  CHECK(parse({"--version"}).command == Command::Version);
  CHECK(parse({"--help"}).command == Command::Help);
  CHECK(parse({"run", "--help"}).text.find("--attacker-policy") != std::string::npos);
}

TEST_CASE("help fits 80 columns", "[cli]") {
  for (const std::string& text :
       {parse({"--help"}).text, parse({"run", "--help"}).text, parse({"advise", "--help"}).text,
        parse({"worth", "--help"}).text, parse({"order", "--help"}).text, parse({"card", "--help"}).text,
        parse({"luck", "--help"}).text, parse({"compare", "--help"}).text, parse({"squad", "--help"}).text,
        parse({"durability", "--help"}).text}) {
    for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      CAPTURE(text.substr(at, end - at));
      CHECK(end - at <= 80);
    }
  }
}

TEST_CASE("wrong command lines get specific messages", "[cli]") {
  CHECK(refusal({"rum"}) == "unknown command \"rum\"; did you mean run?");
  CHECK(refusal({"x.toml"}) == "\"x.toml\" is not a command; write salvo run x.toml");
  CHECK(refusal({"run", "--engin", "both", "x"}) == "unknown option \"--engin\"; did you mean --engine?");
  CHECK(refusal({"-a", "3 focus"}) ==
        "unknown option \"-a\"; see salvo --help; options follow a command, as in salvo run --attack '3 focus'");
  CHECK(
      refusal({"squad", "x.json", "--plot", "y.svg"}).starts_with("unknown option \"--plot\"; it is an option of run"));
  CHECK(refusal({"--vresion"}) == "unknown option \"--vresion\"; did you mean --version?");
  CHECK(refusal({"run", "a", "b"}).find("\"b\" is one word too many") == 0);
  CHECK(refusal({"run", "x", "--seed"}) == "--seed: a value is missing");
  CHECK(refusal({"run", "x", "--seed", "1", "--seed", "2"}) == "--seed: given more than once");
  CHECK(refusal({"run", "x", "--no-progress=1"}) == "--no-progress takes no value");
  CHECK(refusal({"run"}).find("no scenario") == 0);
  CHECK(refusal({"run", "x", "--attack", "3"}).find("both the scenario") == 0);
  CHECK(refusal({"run", "x", "--defend", "3"}).find("both the scenario") == 0);
  const auto refused_answer = [](const std::vector<const char*>& words) {
    return tests::error_of<Error>([&] { return parse(words).action(); });
  };
  CHECK(refused_answer({"worth", "--attack", "3"}) == "--attack: say who is shot at: --defend, as \"2 focus\"");
  CHECK(refused_answer({"worth", "--defend", "3"}) == "--defend: say who shoots: --attack, as \"3 focus\"");
  CHECK(refusal({"run", "x", "--engine", "exakt"}) ==
        "--engine: \"exakt\" is not known here; did you mean \"exact\"? write one of exact, sample, both");
  CHECK(refusal({"run", "x", "--trials", "0"}) == "--trials: 0 is out of range; write a whole number from 1 to 1e15");
  CHECK(refusal({"run", "x", "--trials", "1000000000000001"}).find("--trials: ") == 0);
  CHECK(refusal({"run", "x", "--threads", "1025"}).find("--threads: ") == 0);
  for (const char* text : {"0", "-0.1", "0.51", "1e-3x", "nan", "", "inf"}) {
    CAPTURE(text);
    CHECK(refusal({"run", "x", "--precision", text}).find("--precision: ") == 0);
  }
}

TEST_CASE("the progress bar fits its line", "[cli]") {
  for (const int width : {1, 20, 40, 60, 80, 200}) {
    for (const std::uint64_t done : {std::uint64_t{0}, std::uint64_t{1'000}, std::uint64_t{999'999'999}}) {
      for (const std::uint64_t planned : {std::uint64_t{0}, std::uint64_t{1'000'000'000}, ~std::uint64_t{0}}) {
        CAPTURE(width, done, planned);
        CHECK(base::display_width(progress_line(done, planned, 2, width)) < static_cast<std::size_t>(width));
      }
    }
  }
  CHECK(progress_line(25'000'000, 100'000'000, 2, 80) ==
        "sampling   25%  █████░░░░░░░░░░░░░░░  25 M trials, 12.5 M/s, 6 s left");
  CHECK(progress_line(25'000'000, 100'000'000, 2, 60) == "sampling   25%  25 M trials, 12.5 M/s, 6 s left");
  CHECK(progress_line(25'000'000, 0, 2, 80) == "sampling  25 M trials, 12.5 M/s");
}

TEST_CASE("memory of the control groups: the lowest limit of all files counts", "[cli]") {
  using Files = std::vector<std::string>;
  const std::string root = "/sys/fs/cgroup/memory.max", old_root = "/sys/fs/cgroup/memory/memory.limit_in_bytes";
  CHECK(memory_limit_files("") == Files{root, old_root});
  CHECK(memory_limit_files("0::/\n") == Files{root, old_root});
  CHECK(memory_limit_files("0::/user.slice/run-1.scope\n") == Files{root, old_root,
                                                                    "/sys/fs/cgroup/user.slice/run-1.scope/memory.max",
                                                                    "/sys/fs/cgroup/user.slice/memory.max"});
  CHECK(memory_limit_files("9:name=systemd:/a\n4:cpuset,memory:/jobs/7\n3:cpuset:/b\n") ==
        Files{root, old_root, "/sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes",
              "/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes"});
  for (const char* other : {"0::/../../elsewhere\n", "4:memory:/..\n", "0:", "nonsense", "::", "0::x", "\n\n"}) {
    CAPTURE(other);
    CHECK(memory_limit_files(other) == Files{root, old_root});
  }
  constexpr std::uint64_t kMachine = 8'000'000'000;
  CHECK(least_memory(kMachine, {}) == kMachine);
  CHECK(least_memory(kMachine, {"max\n", "", "0\n", "9223372036854771712\n", "-1\n"}) == kMachine);
  CHECK(least_memory(kMachine, {"max\n", "3000000000\n", "2000000000\n", "4000000000\n"}) == 2'000'000'000);
}

TEST_CASE("the progress line of a long command", "[cli]") {
  CHECK(elapsed_line("salvo worth", 12, 80) == "salvo worth: 12 s so far; Ctrl-C stops it");
  CHECK(elapsed_line("salvo worth", 1000000, 20) == "salvo worth: 100000");
  CHECK(elapsed_line("salvo worth", 12, 0).empty());
}
