#include "cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include "base/text.h"
#include "cli/status_line.h"

namespace salvo::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::optional<bool> chosen_colour;
bool terminals_count = true;

}  // namespace

void occupy_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free descriptor. The opposite mode lets reads and writes fail; errors are lost.
    const int null = open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
    if (null > STDERR_FILENO) close(null);
  }
}

void ignore_terminals() { terminals_count = false; }

bool is_terminal(Stream stream) { return terminals_count && isatty(static_cast<int>(stream)) == 1; }

int terminal_width(Stream stream) {
  winsize size{};
  if (terminals_count && ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view columns = environment("COLUMNS");
  int width = 0;
  const auto [end, error] = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  return error == std::errc() && end == columns.data() + columns.size() && width > 0 ? width : 80;
}

void set_colour(bool wanted) { chosen_colour = wanted; }

bool colour_wanted(Stream stream) {
  if (chosen_colour) return *chosen_colour;
  return is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

void write_output(std::string_view text) {
  const TerminalGuard taken(Stream::Output);
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {  // the pipe is non-blocking; wait for it
      pollfd ready{STDOUT_FILENO, POLLOUT, 0};
      poll(&ready, 1, -1);
      continue;
    }
    if (n < 0) throw std::system_error(errno, std::generic_category(), "the result cannot be written");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void write_error(std::string_view text) {
  const TerminalGuard taken(Stream::Error);
  std::string safe;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    safe += base::strip_control(text.substr(0, end)) + "\n";
    text.remove_prefix(end);
  }
  std::fwrite(safe.data(), 1, safe.size(), stderr);
  std::fflush(stderr);
}

void write_note(std::string_view text) { write_error("salvo: note: " + std::string(text) + "\n"); }

}  // namespace salvo::cli
