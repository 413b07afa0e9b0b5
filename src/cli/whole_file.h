// Whole file: one that is there as a whole or not at all; and the lock of one that takes long to write.
// In: a path and bytes. Out: the file, or a UsageError that says why not.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace salvo::cli {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// Whether the open file is the one at `path`.
bool is_at(const Descriptor& file, const std::string& path);

/// Locks an open file until it is closed. Throws UsageError, which names `path`, where another process has locked it.
/// Nothing where the file system has no locks.
void lock_file(const Descriptor& file, const std::string& path);

/// The file at `at`, open for reading and writing and locked, and made where `flags` has O_CREAT; none where it cannot
/// be opened (errno). Throws UsageError as lock_file().
Descriptor open_locked(const std::string& at, int flags, const std::string& path);

/// Writes all of `text`; false with errno where that is not possible.
bool write_all(const Descriptor& file, std::string_view text);

/// Written to PATH.part, which takes the place of PATH once all is in it; a link stays, and what it leads to is
/// replaced. Devices, pipes, and what is a stream of this process anyway are written as they are.
class WholeFile {
 public:
  /// `option` names the file in messages. `locked`: as lock_file() does, before the part is touched. Throws UsageError,
  /// as the others.
  WholeFile(std::string option, const std::string& path, bool locked = false);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text);
  /// Puts it in its place. What is returned keeps the lock.
  Descriptor finish();

 private:
  [[noreturn]] void fail();

  const std::string option_, path_;
  std::string place_, part_;  ///< part_: empty where it is written in its place, or has been put there
  Descriptor file_;
};

}  // namespace salvo::cli
