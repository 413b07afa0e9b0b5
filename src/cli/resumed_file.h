// ResumedFile: rows that are written to the end of a file, and go on there when they were stopped.
// In: the lines, and what tells this work from another. Out: the file, and the identity of its work in PATH.grid.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/whole_file.h"

namespace salvo::cli {

/// Each line begins with the number of its cell. One process at a time has the file: its identity is locked before
/// anything is read or cut. Throws UsageError where the file cannot be gone on with, and std::system_error where it
/// cannot be written.
class ResumedFile {
 public:
  /// `id`: of the work; a file of another is refused unless it is begun anew (`restart`); what seal() wrote behind it
  /// is none of it. `head`: the first line, or empty.
  ResumedFile(const std::string& path, bool restart, const std::string& id, const std::string& head);

  /// Cells that are in the file.
  std::uint64_t done() const { return done_; }
  void write(std::string_view text);
  /// All is written: puts a line behind the identity, whole or not at all. Throws UsageError where another stands
  /// there, since the same work was sealed with it.
  void seal(const std::string& line) const;
  /// Throws UsageError where the file is no longer at its path: whoever removed it has removed the rows.
  void check_place() const;

 private:
  [[noreturn]] static void fail(const std::string& path);
  void lock(int flags);
  void check_identity();
  void begin(bool restart);
  void take_up(const std::string& head);
  void cut(std::uint64_t size);
  std::string read(std::uint64_t from, std::uint64_t size) const;
  std::uint64_t line_end_before(std::uint64_t size) const;
  std::uint64_t cell_of(const std::string& line) const;

  std::string path_, id_path_, id_;
  std::string seal_;        ///< the line that stands behind the identity, or empty
  Descriptor lock_, file_;  ///< the identity, locked, and the rows
  std::uint64_t done_ = 0;
};

}  // namespace salvo::cli
