#include "cli/program.h"

#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/exit_status.h"
#include "cli/memory_limit.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "salvo/failure.h"
#include "salvo/version.h"

namespace salvo::cli {
namespace {

/// Version, commit, compiler and instruction set, a line each; `verbose` adds the libraries.
std::string version_text(bool verbose) {
  const BuildInfo info = build_info();
  std::string out = fmt::format("salvo {}\ncommit {}\ncompiler {}\ninstruction set {} (of {})\n", info.version,
                                info.commit, info.compiler, info.targets.front(), base::joined(info.targets, ", "));
  for (const std::string& package : info.packages)
    if (verbose) out += fmt::format("library {}\n", package);
  return out;
}

/// The arguments of main(), and the outcome.
struct Process {
  int argc = 0;
  char** argv = nullptr;
  Outcome outcome = {kInternalError, ""};
};

/// Whether the command may wait for standard input.
bool reads_input(const Process& process, const Arguments& arguments) {
  return arguments.run.command == "batch" ||
         std::any_of(process.argv, process.argv + process.argc, [](std::string_view word) { return word == "-"; });
}

int run_action(const Process& process, const Arguments& arguments) {
  const std::string& command = arguments.run.command;
  const StatusLine line(command.empty() ? command : "salvo " + command, reads_input(process, arguments));
  return arguments.action();
}

int run(const Process& process, const Arguments& arguments) {
  switch (arguments.command) {
    case Command::Help:
      write_output(arguments.text);
      return kSuccess;
    case Command::Version:
      write_output(version_text(arguments.verbose));
      return kSuccess;
    case Command::Usage:
      std::fputs(arguments.text.c_str(), stderr);
      return kInvalidInput;
    case Command::Run:
      limit_memory(arguments.run.memory);
      return run_action(process, arguments);
  }
  return kInternalError;
}

constexpr const char* kNoThreads =
    "the question needs more memory for its threads than there is, or than is allowed; allow more, or fewer threads";

/// Whether TBB could not create a thread, which happens when memory is short.
bool lacks_thread(const Failure& failure) {
  return failure.kind == ErrorKind::Internal && failure.text.starts_with("pthread_create");
}

/// The outcome for the current exception.
Outcome outcome_of_exception() {
  try {
    const Failure failure = current_failure();
    if (lacks_thread(failure)) return {kTooLarge, kNoThreads};
    const bool ours = failure.kind == ErrorKind::Internal;
    return {status_of(failure.kind), (ours ? "this is our fault: " : "") + base::strip_control(failure.text)};
  } catch (const std::system_error& error) {
    constexpr int kBrokenPipe = 128 + 13;  // as if SIGPIPE had ended the process; the reader is gone
    if (error.code() == std::errc::broken_pipe) return {kBrokenPipe, ""};
    return {kInternalError, base::strip_control(error.what())};
  }
}

void* run_process(void* process) {
  auto& [argc, argv, outcome] = *static_cast<Process*>(process);
  try {
    outcome = {run(*static_cast<Process*>(process), parse_arguments(argc, argv)), ""};
  } catch (...) {
    outcome = outcome_of_exception();
  }
  return nullptr;
}

/// Enough for files that nest as deeply as allowed.
constexpr std::size_t kStack = std::size_t{16} << 20;

/// Allows the stack of the process to grow to kStack; returns false if that is forbidden (ulimit -s).
bool stack_may_grow() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return false;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kStack) return true;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < kStack) return false;
  limit.rlim_cur = kStack;
  return setrlimit(RLIMIT_STACK, &limit) == 0;
}

/// Keeps freed memory for the next question, as glibc does anyway with several threads or after a large answer.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int kLargest = 32 << 20, kKept = 4 << 20;  // bytes; larger blocks are returned immediately
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

/// Backs the heap of a short run with pages in one call. Faulting them in one by one takes a tenth of such a run.
void populate_heap() {
#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)
  constexpr std::size_t kHeap = std::size_t{1} << 20;  // what an answer between two named ships allocates
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const block = std::malloc(kHeap);
  void* begin = block;
  std::size_t room = kHeap;
  if (block != nullptr && std::align(page, page, begin, room) != nullptr)
    madvise(begin, room / page * page, MADV_POPULATE_WRITE);  // merely slower where the kernel lacks it
  std::free(block);
#endif
}

bool run_on_new_stack(Process& process) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool begun = pthread_attr_setstacksize(&attributes, kStack) == 0 &&
                     pthread_create(&thread, &attributes, run_process, &process) == 0;
  pthread_attr_destroy(&attributes);
  return begun && pthread_join(thread, nullptr) == 0;
}

}  // namespace

Outcome run_program(int argc, char** argv) {
  Process process{argc, argv};
  keep_memory();
  populate_heap();
  // Avoids the second thread if possible, because creating it takes a noticeable part of a short run.
  if (stack_may_grow() || !run_on_new_stack(process)) run_process(&process);
  return process.outcome;
}

}  // namespace salvo::cli
