// Reads files and standard input, and checks that text is UTF-8. Readers of user data open files only through here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace salvo::data {

inline constexpr std::size_t kMaxFileBytes = std::size_t{8} << 20;

/// The contents of a regular file, or of standard input for "-", unchecked. Throws LoadError if the file does not
/// exist, is not regular, is not readable or exceeds kMaxFileBytes.
std::string read_file(const std::string& path);

/// A memory-mapped file, so that only pages in use are read. Empty if there is no such file.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

/// Whether `path` is a regular file.
bool is_file(const std::string& path);

/// Whether a text is JSON rather than TOML: by the extension of `source`, else by a leading brace.
bool is_json(std::string_view text, const std::string& source);

/// Returns the text without a leading byte order mark. Throws LoadError unless it is well-formed UTF-8 without NUL
/// bytes and at most kMaxFileBytes long.
std::string_view check_text(std::string_view text, const std::string& source);

}  // namespace salvo::data
