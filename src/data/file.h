// Files as text: the only place that opens files or standard input for the loading room.
// In: a path. Out: checked UTF-8 text, or a LoadError.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace salvo::data {

inline constexpr std::size_t kMaxFileBytes = std::size_t{8} << 20;

/// The text of a regular file, or of standard input for "-". Throws LoadError: no such file, not a regular file, not
/// readable, over kMaxFileBytes. The text itself is not checked.
std::string read_file(const std::string& path);

/// The bytes of a file as long as this lives, without reading those that nobody looks at. Empty where there is no such
/// file.
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

/// True when `path` is a regular file.
bool is_file(const std::string& path);

/// Whether a text is JSON, not TOML: by the extension of its name, else by its first brace.
bool is_json(std::string_view text, const std::string& source);

/// Throws LoadError unless the text is well-formed UTF-8 without NUL bytes and at most kMaxFileBytes long. Returns it
/// without the byte order mark that some editors put before it.
std::string_view check_text(std::string_view text, const std::string& source);

}  // namespace salvo::data
