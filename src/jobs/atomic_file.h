// Output files: written completely or not at all, locked while a long job writes them, and never an input of the job.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salvo::jobs {

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

/// Whether `path` still names the open file.
bool is_at(const Descriptor& file, const std::string& path);

/// Locks an open file until it is closed. Throws UsageError that names `path` if another process holds the lock. Does
/// nothing on a file system without locks.
void lock_file(const Descriptor& file, const std::string& path);

/// Opens the file at `at` for reading and writing and locks it; creates it if `flags` contains O_CREAT. Returns a
/// closed descriptor if it cannot be opened (errno). Throws like lock_file().
Descriptor open_locked(const std::string& at, int flags, const std::string& path);

/// Writes all of `text`; returns false and sets errno on failure.
bool write_all(const Descriptor& file, std::string_view text);

/// A file written to PATH.part, which replaces PATH once it is complete. If PATH is a link, its target is replaced.
/// Devices, pipes and files that are also a standard stream of this process are written in place.
class AtomicFile {
 public:
  /// `option` names the file in messages. `locked`: lock PATH.part before truncating it. All members throw UsageError.
  AtomicFile(std::string option, const std::string& path, bool locked = false);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// Moves the file to its place. The returned descriptor holds the lock.
  Descriptor finish();

 private:
  [[noreturn]] void fail();

  const std::string option_, path_;
  std::string target_, part_;  ///< part_ is empty if the file is written in place, or finished
  Descriptor file_;
};

/// Writes an AtomicFile. Throws UsageError that names `option`.
void write_file(const std::string& option, const std::string& path, std::string_view text);

/// Removes a database and its journal. Throws UsageError.
void remove_database(const std::string& path);

/// Throws UsageError that names --out if `path` is a device, a pipe or a folder, which must not be replaced.
void check_replaceable(const std::string& path);

/// Throws UsageError that names `option` if `path`, or a file written along with it (PATH.grid, PATH.part), is one of
/// the files that the command reads. Entries of `inputs` need not be files.
void check_not_input(const std::string& option, const std::string& path, const std::vector<std::string>& inputs);

}  // namespace salvo::jobs
