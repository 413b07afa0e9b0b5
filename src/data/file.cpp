#include "data/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "data/message.h"
#include "data/order_mark.h"

namespace salvo::data {

namespace {

constexpr std::size_t kFirstBytes = 4095;  ///< first guess for input of unknown size
constexpr std::string_view kTooLarge = "larger than 8 MiB; no scenario or profile is that large";

/// Owns a file descriptor. Does not close standard input.
struct Descriptor {
  int fd;
  explicit Descriptor(int fd_) : fd(fd_) {}
  ~Descriptor() {
    if (fd > STDIN_FILENO) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

[[noreturn]] void fail_errno(const std::string& path, int number) {
  const std::string_view remedy = number == ENOENT    ? "check the name"
                                  : number == EACCES  ? "allow reading it"
                                  : number == ENOTDIR ? "check the folders in the name"
                                                      : "choose another file";
  fail(path, "", 0, fmt::format("cannot be read ({}); {}", std::strerror(number), remedy));
}

void need_regular(const struct stat& info, const std::string& path) {
  if (S_ISREG(info.st_mode)) return;
  if (S_ISDIR(info.st_mode)) fail(path, "", 0, "is a folder; name a file in it");
  fail(path, "", 0, "is not a regular file; copy it to one, or pipe it in and name it -");
}

/// `expected`: the likely number of bytes.
std::string read_all(int fd, const std::string& path, std::size_t expected) {
  std::string text(expected + 1, '\0');  // one more than expected, so that a full read still sees the end
  std::size_t size = 0;
  while (true) {
    const ssize_t got = ::read(fd, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > kMaxFileBytes) fail(path, "", 0, std::string(kTooLarge));
    if (size == text.size()) text.resize(2 * size);
  }
  text.resize(size);
  return text;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat info {};
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) return;
  const auto size = static_cast<std::size_t>(info.st_size);
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (bytes != MAP_FAILED) bytes_ = {static_cast<const char*>(bytes), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

bool is_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

std::string read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, path, kFirstBytes);
  if (path.empty()) fail("", "", 0, "the name of the file is empty; name a file, or - for standard input");
  if (path.find('\0') != std::string::npos) fail(path, "", 0, "the name of the file holds a NUL; check the name");
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) fail_errno(path, errno);
  need_regular(info, path);
  // O_NONBLOCK: opening must not block if the file has been replaced by a pipe since stat().
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0) fail_errno(path, errno);
  need_regular(info, path);
  if (info.st_size > static_cast<off_t>(kMaxFileBytes)) fail(path, "", 0, std::string(kTooLarge));
  return read_all(file.fd, path, static_cast<std::size_t>(info.st_size));
}

namespace {

/// Length of an ASCII prefix without NUL bytes, in multiples of eight.
std::size_t ascii_prefix(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if (((word | (word - kOnes)) & kHigh) != 0) break;  // a byte above 0x7F, or a borrow caused by a NUL
  }
  return at;
}

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

std::string_view check_text(std::string_view text, const std::string& source) {
  if (text.size() > kMaxFileBytes) fail(source, "", 0, std::string(kTooLarge));
  for (std::size_t at = ascii_prefix(text); at < text.size();) {
    const char c = text[at];
    if (c == '\0') fail(source, "", line_at(text, at), "holds a NUL byte; save the file as plain UTF-8 text");
    const std::size_t length = static_cast<unsigned char>(c) < 0x80 ? 1 : base::utf8_length(text.substr(at, 4));
    if (length == 0) fail(source, "", line_at(text, at), "is not UTF-8 text; save the file as UTF-8");
    at += length;
    if (length > 1) at += ascii_prefix(text.substr(at));
  }
  return without_order_mark(text);
}

namespace {

bool has_extension(const std::string& source, std::string_view extension) {
  if (source.size() < extension.size()) return false;
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::equal(extension.begin(), extension.end(), source.end() - static_cast<std::ptrdiff_t>(extension.size()),
                    [&same](char e, char s) { return same(s, e); });
}

}  // namespace

// No TOML text begins with a brace.
bool is_json(std::string_view text, const std::string& source) {
  if (has_extension(source, ".json")) return true;
  if (has_extension(source, ".toml")) return false;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace salvo::data
