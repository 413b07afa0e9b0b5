#include "serve/page_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/hash.h"
#include "salvo/errors.h"

namespace salvo::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 4096;
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{256} << 20;

std::string_view type_of(const fs::path& file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".wasm", "application/wasm"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"},
      {".map", "application/json"},
      {".pack", "application/octet-stream"},
  }};
  const std::string extension = file.extension().string();
  for (const auto& [name, type] : kTypes) {
    if (name == extension) return type;
  }
  return "application/octet-stream";
}

/// Whether a name ends in a hash, as "index-1a2b3c4d.js": at least eight letters and digits, not all of them lowercase
/// letters.
bool has_hash(const std::string& name) {
  const std::size_t end = name.find('.'), begin = name.rfind('-', end);
  if (begin == std::string::npos || end == std::string::npos || end < begin + 9) return false;
  const std::string_view hash = std::string_view(name).substr(begin + 1, end - begin - 1);
  const auto plain = [](char c) { return c >= 'a' && c <= 'z'; };
  return !std::all_of(hash.begin(), hash.end(), plain);
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string out((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in) throw LoadError(fmt::format("{}: cannot be read; check its permissions", file.string()));
  return out;
}

}  // namespace

std::string entity_tag(std::string_view bytes) { return fmt::format("\"{:016x}\"", base::fingerprint(bytes)); }

PageFiles read_page(const std::string& folder) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error || !fs::is_regular_file(root / "index.html"))
    throw LoadError(fmt::format("{}: no page, for it has no index.html; name the folder of a web build", folder));
  PageFiles out;
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    bytes += entry.file_size();
    if (out.size() >= kMaxFiles || bytes > kMaxBytes)
      throw LoadError(fmt::format("{}: more than {} files or {} MB; name the folder of a web build", folder, kMaxFiles,
                                  kMaxBytes >> 20));
    PageFile file{std::make_shared<const std::string>(read(entry.path())), type_of(entry.path()), {}, false};
    file.tag = entity_tag(*file.bytes);
    file.immutable = has_hash(entry.path().filename().string());
    const std::string address = "/" + entry.path().lexically_relative(root).generic_string();
    if (address == "/index.html") out["/"] = file;
    out[address] = std::move(file);
  }
  return out;
}

std::string find_page() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  for (const char* place :
       {"web/page/dist", "../web/page/dist", "../../web/page/dist", "page", "../share/salvo/page"}) {
    const fs::path folder = program / place;
    if (fs::is_regular_file(folder / "index.html", error)) return fs::canonical(folder, error).string();
  }
  return {};
}

}  // namespace salvo::serve
