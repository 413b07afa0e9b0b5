// The page's files, all of them in memory: no request opens a file.
// In: a folder, once. Out: bytes, type and tag by address.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace salvo::serve {

struct PageFile {
  std::shared_ptr<const std::string> bytes;
  std::string_view type;
  std::string tag;     ///< ETag
  bool keeps = false;  ///< its name changes with its contents, so that a browser need not ask again
};

/// By address: "/", "/assets/index-1a2b3c4d.js". Regular files only; links that lead out of the folder are left out.
/// Throws LoadError when the folder cannot be read, has no index.html, or is more than a page can be.
using PageFiles = std::map<std::string, PageFile, std::less<>>;
PageFiles read_page(const std::string& folder);

/// Where the page is when nobody says: web/page/dist in the folder of the program or one above it, share/salvo/page of
/// the prefix in which it is installed; empty: nowhere.
std::string find_page();

/// The tag of some bytes, in quotes.
std::string entity_tag(std::string_view bytes);

}  // namespace salvo::serve
