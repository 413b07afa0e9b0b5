#include "jobs/resumable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include "data/file.h"
#include "jobs/user_input.h"

namespace salvo::jobs {

ResumableFile::ResumableFile(const std::string& path, bool restart, const std::string& id, const std::string& head)
    : path_(path), id_path_(path + ".grid"), id_(id) {
  const bool exists = data::is_file(path_) && !restart;
  exists ? check_identity() : start_new(restart);
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.open()) fail_to_open(path_);
  exists ? resume(head) : write(head);
}

void ResumableFile::write(std::string_view text) {
  if (!write_all(file_, text)) throw std::system_error(errno, std::generic_category(), path_ + " cannot be written");
}

void ResumableFile::lock(int flags) {
  lock_ = open_locked(id_path_, flags, path_);
  if (!lock_.open()) fail_to_open(id_path_);
}

void ResumableFile::start_new(bool restart) {
  check_replaceable(path_);
  check_replaceable(id_path_);
  // All identities begin with this word; a process that stopped while writing one left a prefix of it.
  constexpr std::string_view kMark = "salvo ";
  if (data::is_file(id_path_)) {
    const std::string there = data::read_file(id_path_).substr(0, kMark.size());
    if (there != kMark.substr(0, there.size())) {
      throw UsageError(
          fmt::format("--out: {} exists and is not the identity of a sweep; choose another file", id_path_));
    }
  }
  // With this order, rows never remain with the identity of another grid, even if the process stops in between.
  lock(O_CREAT);
  if (!restart && data::is_file(path_)) {
    throw UsageError(fmt::format("--out: {} was just created by another salvo; start again to resume from it", path_));
  }
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) fail_to_open(path_);
  if (::ftruncate(lock_.get(), 0) != 0 || !write_all(lock_, id_)) {
    throw UsageError(
        fmt::format("--out: {} cannot be written ({}); choose another file", id_path_, std::strerror(errno)));
  }
}

void ResumableFile::seal(const std::string& line) const {
  if (seal_ == line) return;
  if (!seal_.empty()) {
    throw UsageError(
        fmt::format("--out: rows of {} were changed after they were written; start over with --restart", path_));
  }
  write_file("--out", id_path_, id_ + line);
}

void ResumableFile::check_not_replaced() const {
  if (is_at(file_, path_)) return;
  throw UsageError(fmt::format("--out: {} was removed or replaced while it was written; start over", path_));
}

void ResumableFile::fail_to_open(const std::string& path) {
  throw UsageError(fmt::format("--out: {} cannot be opened ({}); choose another file", path, std::strerror(errno)));
}

void ResumableFile::check_identity() {
  if (!data::is_file(id_path_)) {
    throw UsageError(
        fmt::format("--out: {} exists and is not a sweep that was begun; choose another file, or --restart", path_));
  }
  lock(0);
  const std::string there = data::read_file(id_path_);
  if (there.starts_with(id_)) seal_ = there.substr(id_.size());
  if (!there.starts_with(id_) || (!seal_.empty() && seal_.find('\n') != seal_.size() - 1)) {
    throw UsageError(fmt::format(
        "--out: {} was begun with another grid or other options; choose another file, or --restart", path_));
  }
}

/// Removes an incomplete last line and reads the number of the last cell.
void ResumableFile::resume(const std::string& head) {
  struct stat info {};
  if (::fstat(file_.get(), &info) != 0) fail_to_open(path_);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  std::uint64_t end = line_end_before(size);
  if (end < head.size()) {  // interrupted before the first row
    truncate(0);
    write(head);
    return;
  }
  const std::uint64_t start = line_end_before(end - std::min<std::uint64_t>(end, 1));
  if (end > head.size()) done_ = cell_of(read(start, end - start)) + 1;
  truncate(end);
}

void ResumableFile::truncate(std::uint64_t size) {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0 ||
      ::lseek(file_.get(), static_cast<off_t>(size), SEEK_SET) < 0)
    fail_to_open(path_);
}

std::string ResumableFile::read(std::uint64_t from, std::uint64_t size) const {
  std::string out(size, '\0');
  for (std::size_t got = 0; got < size;) {
    const ssize_t n = ::pread(file_.get(), out.data() + got, size - got, static_cast<off_t>(from + got));
    if (n <= 0) fail_to_open(path_);
    got += static_cast<std::size_t>(n);
  }
  return out;
}

/// The position after the last newline before `size`; 0 if there is none.
std::uint64_t ResumableFile::line_end_before(std::uint64_t size) const {
  constexpr std::uint64_t kBlock = 1 << 16;
  while (size > 0) {
    const std::uint64_t from = size - std::min(size, kBlock);
    const std::string text = read(from, size - from);
    const std::size_t at = text.rfind('\n');
    if (at != std::string::npos) return from + at + 1;
    size = from;
  }
  return 0;
}

/// The number of the cell at the start of a line of JSON or CSV.
std::uint64_t ResumableFile::cell_of(const std::string& line) const {
  const std::size_t at = std::min(line.find_first_of("0123456789"), line.size());
  std::uint64_t cell = 0;
  if (std::from_chars(line.data() + at, line.data() + line.size(), cell).ec != std::errc()) {
    throw UsageError(
        fmt::format("--out: the last line of {} is not a row of a sweep; choose another file, or --restart", path_));
  }
  return cell;
}

}  // namespace salvo::jobs
