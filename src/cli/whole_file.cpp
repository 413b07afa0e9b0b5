// Whole file: see whole_file.h.
#include "cli/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/arguments.h"
#include "cli/options.h"

namespace salvo::cli {
namespace {

bool same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// "/dev/stdout" where standard output goes to a file: replacing that file would take away what is printed.
bool is_stream_of_ours(const struct stat& info) {
  struct stat stream {};
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fstat(fd, &stream) == 0 && same(stream, info)) return true;
  }
  return false;
}

/// Where a link leads to.
std::string place_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path place = std::filesystem::canonical(path, error);
  return error ? path : place.string();
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

bool is_at(const Descriptor& file, const std::string& path) {
  struct stat ours {
  }, there{};
  return ::fstat(file.get(), &ours) == 0 && ::stat(path.c_str(), &there) == 0 && same(ours, there);
}

void lock_file(const Descriptor& file, const std::string& path) {
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;
    throw UsageError(fmt::format("--out: another salvo is writing {}; wait until it has ended, or choose another file",
                                 shown(path, kLongestPath)));
  }
}

Descriptor open_locked(const std::string& at, int flags, const std::string& path) {
  while (true) {
    Descriptor file(::open(at.c_str(), O_RDWR | O_CLOEXEC | flags, 0666));
    if (!file.open()) return file;
    lock_file(file, path);
    // Whoever had the lock may have put another file there before letting go.
    if (is_at(file, at)) return file;
  }
}

bool write_all(const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

WholeFile::WholeFile(std::string option, const std::string& path, bool locked)
    : option_(std::move(option)), path_(path), place_(place_of(path)) {
  struct stat there {};
  const bool exists = ::stat(place_.c_str(), &there) == 0;
  if (exists && (!S_ISREG(there.st_mode) || is_stream_of_ours(there))) {
    file_ = Descriptor(::open(place_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!file_.open()) fail();
    return;
  }
  if (exists && ::access(place_.c_str(), W_OK) != 0) fail();
  const std::string part = place_ + ".part";
  file_ = Descriptor(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.open()) fail();
  if (locked) lock_file(file_, path_);
  part_ = part;
  if (::ftruncate(file_.get(), 0) != 0) fail();
  if (exists) static_cast<void>(::fchmod(file_.get(), there.st_mode & 07777));  // as far as that goes
}

WholeFile::~WholeFile() {
  if (!part_.empty()) std::remove(part_.c_str());
}

void WholeFile::write(std::string_view text) {
  if (!write_all(file_, text)) fail();
}

Descriptor WholeFile::finish() {
  if (!part_.empty() && std::rename(part_.c_str(), place_.c_str()) != 0) fail();
  part_.clear();
  return std::move(file_);
}

void WholeFile::fail() {
  const std::string why = std::strerror(errno);
  if (!part_.empty()) std::remove(part_.c_str());
  part_.clear();
  throw UsageError(
      fmt::format("{}: {} cannot be written ({}); choose another file", option_, shown(path_, kLongestPath), why));
}

}  // namespace salvo::cli
