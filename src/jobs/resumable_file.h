// A file of rows to which an interrupted job appends when it is started again. PATH.grid holds the identity of the job.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jobs/atomic_file.h"

namespace salvo::jobs {

/// Each line begins with the number of its cell. Only one process can use the file: it locks the identity before it
/// reads or truncates anything. Throws UsageError if the job cannot resume from the file, std::system_error if the file
/// cannot be written.
class ResumableFile {
 public:
  /// `id`: identity of the job, without the line of seal(). A file of another job is refused unless `restart` is set.
  /// `head`: the first line, or empty.
  ResumableFile(const std::string& path, bool restart, const std::string& id, const std::string& head);

  /// The number of cells in the file.
  std::uint64_t done() const { return done_; }
  void write(std::string_view text);
  /// Marks the file as complete by appending a line to the identity, atomically. Throws UsageError if the identity
  /// already ends with a different line, because the same job must end with the same line.
  void seal(const std::string& line) const;
  /// Throws UsageError if the file was removed or replaced while it was written.
  void check_not_replaced() const;

 private:
  [[noreturn]] static void fail_to_open(const std::string& path);
  void lock(int flags);
  void check_identity();
  void start_new(bool restart);
  void resume(const std::string& head);
  void truncate(std::uint64_t size);
  std::string read(std::uint64_t from, std::uint64_t size) const;
  std::uint64_t line_end_before(std::uint64_t size) const;
  std::uint64_t cell_of(const std::string& line) const;

  std::string path_, id_path_, id_;
  std::string seal_;        ///< the line after the identity, or empty
  Descriptor lock_, file_;  ///< the locked identity, and the rows
  std::uint64_t done_ = 0;
};

}  // namespace salvo::jobs
