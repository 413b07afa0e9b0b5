#include "jobs/atomic_file.h"

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

#include "jobs/user_input.h"

namespace salvo::jobs {
namespace {

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// Whether a file is a standard stream of this process, such as "/dev/stdout" redirected to a file. Replacing that file
/// would lose what is printed.
bool is_standard_stream(const struct stat& info) {
  struct stat stream {};
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fstat(fd, &stream) == 0 && same_file(stream, info)) return true;
  }
  return false;
}

/// The target of a link; any other path unchanged.
std::string resolve_link(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

bool is_at(const Descriptor& file, const std::string& path) {
  struct stat ours {
  }, there{};
  return ::fstat(file.get(), &ours) == 0 && ::stat(path.c_str(), &there) == 0 && same_file(ours, there);
}

void lock_file(const Descriptor& file, const std::string& path) {
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;
    throw UsageError(fmt::format("--out: another salvo is writing {}; wait until it has ended, or choose another file",
                                 shown(path, kMaxPathShown)));
  }
}

Descriptor open_locked(const std::string& at, int flags, const std::string& path) {
  while (true) {
    Descriptor file(::open(at.c_str(), O_RDWR | O_CLOEXEC | flags, 0666));
    if (!file.open()) return file;
    lock_file(file, path);
    // The previous holder of the lock may have replaced the file before it released the lock.
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

AtomicFile::AtomicFile(std::string option, const std::string& path, bool locked)
    : option_(std::move(option)), path_(path), target_(resolve_link(path)) {
  struct stat there {};
  const bool exists = ::stat(target_.c_str(), &there) == 0;
  if (exists && (!S_ISREG(there.st_mode) || is_standard_stream(there))) {
    file_ = Descriptor(::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!file_.open()) fail();
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail();
  const std::string part = target_ + ".part";
  file_ = Descriptor(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.open()) fail();
  if (locked) lock_file(file_, path_);
  part_ = part;
  if (::ftruncate(file_.get(), 0) != 0) fail();
  if (exists) static_cast<void>(::fchmod(file_.get(), there.st_mode & 07777));  // best effort
}

AtomicFile::~AtomicFile() {
  if (!part_.empty()) std::remove(part_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (!write_all(file_, text)) fail();
}

Descriptor AtomicFile::finish() {
  if (!part_.empty() && std::rename(part_.c_str(), target_.c_str()) != 0) fail();
  part_.clear();
  return std::move(file_);
}

void AtomicFile::fail() {
  const std::string why = std::strerror(errno);
  if (!part_.empty()) std::remove(part_.c_str());
  part_.clear();
  throw UsageError(
      fmt::format("{}: {} cannot be written ({}); choose another file", option_, shown(path_, kMaxPathShown), why));
}

void remove_database(const std::string& path) {
  for (const char* end : {"", "-journal"}) {
    std::error_code error;
    std::filesystem::remove(path + end, error);
    if (error) {
      throw UsageError(fmt::format("--out: {} cannot be removed ({}); choose another file", shown(path, kMaxPathShown),
                                   error.message()));
    }
  }
}

void check_replaceable(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return;
  throw UsageError(
      fmt::format("--out: {} exists and is not a regular file; choose another", shown(path, kMaxPathShown)));
}

void check_not_input(const std::string& option, const std::string& path, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  for (const char* end : {"", ".grid", ".part", ".grid.part"}) {
    const std::string written = path + end;
    std::error_code ignored;
    if (!fs::is_regular_file(written, ignored)) continue;
    for (const std::string& input : inputs) {
      // A shard has its identity in FILE.grid.
      if (fs::equivalent(written, input, ignored) || fs::equivalent(written, input + ".grid", ignored)) {
        throw UsageError(fmt::format("{}: {} would be overwritten, and the file is an input; choose another", option,
                                     in_quotes(written)));
      }
    }
  }
}

void write_file(const std::string& option, const std::string& path, std::string_view text) {
  AtomicFile file(option, path);
  file.write(text);
  file.finish();
}

}  // namespace salvo::jobs
