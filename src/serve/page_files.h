// The files of the page, read into memory once so that no request opens a file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace salvo::serve {

struct PageFile {
  std::shared_ptr<const std::string> bytes;
  std::string_view type;
  std::string tag;         ///< ETag
  bool immutable = false;  ///< its name contains a hash, so browsers may cache it forever
};

/// Files by address: "/", "/assets/index-1a2b3c4d.js". Regular files only; symbolic links are skipped. Throws LoadError
/// if the folder cannot be read, has no index.html, or is too large.
using PageFiles = std::map<std::string, PageFile, std::less<>>;
PageFiles read_page(const std::string& folder);

/// The default folder of the page: web/page/dist in the folder of the program or one above it, or share/salvo/page of
/// the installation prefix; empty if none exists.
std::string find_page();

/// The entity tag (ETag) of some bytes, in quotes.
std::string entity_tag(std::string_view bytes);

}  // namespace salvo::serve
