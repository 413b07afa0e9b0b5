#include "data/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/index.h"
#include "base/name_key.h"
#include "base/stable_sort.h"
#include "base/text.h"
#include "data/file.h"
#include "salvo/errors.h"

namespace salvo::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kNumber = 4, kHash = 8;  ///< bytes
constexpr std::size_t kCounts = kPackMark.size(), kSizes = kCounts + 3 * kNumber;

/// Read only by the command line and by checks of the card library.
constexpr std::array<std::string_view, 5> kNotAlone{"scenarios/", "squads/", "policies/", "cards/checked.toml",
                                                    "cards/marks.tsv"};

/// Read only for cards and ships, also in their names, except for what few questions need.
constexpr std::array<std::string_view, 6> kCards{"aliases.tsv",   "cards/",     "names.tsv",
                                                 "nicknames.tsv", "reference/", "ships/"};

/// Read only for older card sets, links of squad builders, squads, lists in other languages, hazards, battles, reviews
/// and the command `rules`.
constexpr std::array<std::string_view, 14> kFurther{"builders/",
                                                    "cards/actions.tsv",
                                                    "cards/first-edition",
                                                    "cards/legacy",
                                                    "decks/first-edition/",
                                                    "flights/",
                                                    "hazards/",
                                                    "logs/",
                                                    "rules/documents.toml",
                                                    "rules/first-edition.rules.toml",
                                                    "rules/second-edition.rules.toml",
                                                    "ships/first-edition/",
                                                    "ships/legacy/",
                                                    "translations.tsv"};

template <typename Prefixes>
bool has_prefix(std::string_view path, const Prefixes& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return path.starts_with(prefix); });
}

/// Prefixes of the paths in the parts after `use`, one per line.
std::string further_list(PackUse use) {
  std::string out;
  const auto add = [&out](const auto& prefixes) {
    for (const std::string_view prefix : prefixes) (out += prefix) += '\n';
  };
  if (use == PackUse::First) add(kCards);
  add(kFurther);
  return out;
}

/// The part of PackUse::Alone that has the file.
PackUse part_of(std::string_view path) {
  if (has_prefix(path, kFurther)) return PackUse::Further;
  return has_prefix(path, kCards) ? PackUse::Cards : PackUse::First;
}

bool belongs(std::string_view path, PackUse use) {
  if (use == PackUse::BesideFiles) return true;
  if (has_prefix(path, kNotAlone)) return false;
  return use == PackUse::Alone || part_of(path) == use;
}

constexpr std::string_view kNames = "names.tsv";              ///< columns: kind, id, name
constexpr std::string_view kRelevant = "cards/relevant.tsv";  ///< columns: id, and the rest

/// Calls `write(line)` for every line that is not a comment.
template <typename Write>
void for_each_line(std::string_view text, Write write) {
  while (!text.empty()) {
    const auto [line, rest] = base::cut(text, '\n');
    if (!line.starts_with('#')) write(line);
    text = rest;
  }
}

std::string without_comments(std::string_view text) {
  std::string out;
  for_each_line(text, [&](std::string_view line) { (out += line) += '\n'; });
  return out;
}

/// Replaces every row with three columns by `row(kind, id, name)`. Drops comments.
template <typename Row>
std::string map_rows(std::string_view text, Row row) {
  std::string out;
  for_each_line(text, [&](std::string_view line) {
    const std::size_t one = line.find('\t'), two = line.find('\t', one + 1);
    if (one == std::string_view::npos || two == std::string_view::npos) {
      out += line;
    } else {
      out += row(line.substr(0, one), line.substr(one + 1, two - one - 1), line.substr(two + 1));
    }
    out += '\n';
  });
  return out;
}

/// Drops from each id the part that follows from the name: "pilot, , Luke Skywalker", "upgrade, -swz68, Autoblasters".
std::string shorten_names(std::string_view text) {
  return map_rows(text, [](std::string_view kind, std::string_view id, std::string_view name) {
    const std::string key = base::name_key(name);
    const bool implied = id == key || id.starts_with(key + '-');
    return fmt::format("{}\t{}\t{}", kind, implied ? id.substr(key.size()) : id, name);
  });
}

/// Inverse of shorten_names().
std::string restore_names(std::string_view text) {
  return map_rows(text, [](std::string_view kind, std::string_view id, std::string_view name) {
    const bool implied = id.empty() || id.starts_with('-');
    return fmt::format("{}\t{}{}\t{}", kind, implied ? base::name_key(name) : "", id, name);
  });
}

std::string_view after_id(std::string_view line) { return line.substr(std::min(line.find('\t'), line.size())); }

/// Groups rows with equal values, and writes the value only on the first row of a group: the others are bare ids.
std::string shorten_rows(std::string_view text) {
  std::vector<std::string_view> rows;
  for_each_line(text, [&](std::string_view line) { rows.push_back(line); });
  base::stable_sort(rows, [](auto a, auto b) { return after_id(a) < after_id(b); });
  std::string out;
  std::string_view last;
  for (const std::string_view row : rows) {
    const std::string_view value = after_id(row);
    (out += value == last ? row.substr(0, row.size() - value.size()) : row) += '\n';
    last = value;
  }
  return out;
}

/// Inverse of shorten_rows(), except for the order.
std::string restore_rows(std::string_view text) {
  std::string out;
  std::string_view last;
  for_each_line(text, [&](std::string_view row) {
    const std::string_view value = after_id(row);
    out += row;
    if (value.empty()) out += last;
    out += '\n';
    if (!value.empty()) last = value;
  });
  return out;
}

/// A text as packs without files store it.
std::string shortened(std::string_view path, std::string_view text) {
  if (path == kNames) return shorten_names(text);
  if (path == kRelevant) return shorten_rows(text);
  return path.ends_with(".tsv") ? without_comments(text) : std::string(text);
}

/// Inverse of shortened(), except for comments.
std::string restored(std::string_view path, std::string text) {
  if (path == kNames) return restore_names(text);
  return path == kRelevant ? restore_rows(text) : std::move(text);
}

void put_number(std::uint64_t x, std::size_t bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(x >> (8 * i) & 0xFF);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < size; ++i) x |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return x;
}

/// Detects changes of a text. Not meant to resist deliberate collisions. Equal on every machine.
std::uint64_t hash_of(std::string_view text) {
  base::Hasher out;
  out.add(std::uint64_t{text.size()});
  std::size_t at = 0;
  for (; text.size() - at >= kHash; at += kHash) out.add(number_at(text, at, kHash));
  if (at < text.size()) out.add(number_at(text, at, text.size() - at));
  return out.value();
}

// ---------------------------------------------------------------- counts and texts
//
// Counts are stored as LEB128: seven bits per byte, with the high bit set on all bytes but the last. Keys are preceded
// by their length. Paths and the texts of trees end with a 0 byte, which compresses better, unless they contain one.

void put_count(std::uint64_t x, std::string& out) {
  for (; x >= 0x80; x >>= 7) out += static_cast<char>(0x80 | (x & 0x7F));
  out += static_cast<char>(x);
}

void put_text(const std::string& text, std::string& out) {
  put_count(text.size(), out);
  out += text;
}

/// Reads the above. Returns false for malformed bytes, and never reads out of bounds.
class PackReader {
 public:
  explicit PackReader(std::string_view bytes) : rest_(bytes) {}

  std::string_view rest() const { return rest_; }

  bool bytes(std::uint64_t size, std::string_view& to) {
    if (size > rest_.size()) return false;
    to = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(to.size());
    return true;
  }

  bool byte(unsigned& to) {
    std::string_view one;
    if (!bytes(1, one)) return false;
    to = static_cast<unsigned char>(one.front());
    return true;
  }

  bool count(std::uint64_t& to) {
    to = 0;
    unsigned next = 0;
    for (int shift = 0; shift < 64 && byte(next); shift += 7) {
      to |= std::uint64_t{next & 0x7F} << shift;
      if (next < 0x80) return true;
    }
    return false;
  }

  bool text(std::string_view& to) {
    std::uint64_t size = 0;
    return count(size) && bytes(size, to);
  }

  /// A text that ends with a 0 byte.
  bool terminated_text(std::string_view& to) {
    std::string_view end;
    return bytes(rest_.find('\0'), to) && bytes(1, end);
  }

 private:
  std::string_view rest_;
};

// ---------------------------------------------------------------- trees
//
// A value consists of a byte with kind and flags; the difference of its line to that of the previous value, unless a
// flag gives it; the number of its key if it is a member of a table; and its contents. Differences have their sign in
// the lowest bit. The items of an array or table follow their number. If an id begins with the name of its file, or
// with the name_key() of the name beside it, only the rest is stored.

constexpr unsigned kKindBits = 0x07, kSameLine = 0x08, kNextLine = 0x10, kTrue = 0x20, kHuge = 0x40, kNegative = 0x80;
static_assert(static_cast<unsigned>(Value::Kind::Table) == kKindBits);
/// Flags of texts: the omitted start of an id, and that the text contains a 0 and is preceded by its length.
constexpr unsigned kAfterFile = kTrue, kAfterName = kHuge, kSized = kNegative;

/// The name of a file without its extension.
std::string_view stem(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

/// The name_key() of the member `name` of a table.
std::optional<std::string> key_of_name(const Value& table) {
  for (const Value& member : table.items) {
    if (member.key == "name" && member.kind == Value::Kind::Text) return base::name_key(member.text);
  }
  return std::nullopt;
}

/// Writes trees and numbers the keys of their tables.
class TreeWriter {
 public:
  std::string tree(std::string_view path, const Value& value) {
    std::string out;
    line_ = 0;
    stem_ = stem(path);
    put(value, nullptr, out);
    return out;
  }

  std::size_t keys() const { return numbers_.size(); }
  const std::string& list_of_keys() const { return list_; }

 private:
  /// `table`: the table that contains the value; null: none.
  void put(const Value& value, const Value* table, std::string& out) {
    const bool negative = value.integer < 0;
    const int further = value.line - std::exchange(line_, value.line);
    const auto [text_flags, text] = stored_text(value, table);
    out += static_cast<char>(static_cast<unsigned>(value.kind) | (value.boolean ? kTrue : 0) |
                             (value.huge ? kHuge : 0) | (negative ? kNegative : 0) | text_flags |
                             (further == 0 ? kSameLine : 0) | (further == 1 ? kNextLine : 0));
    if (further != 0 && further != 1) {
      put_count(further < 0 ? 2 * static_cast<std::uint64_t>(-further) - 1 : 2 * static_cast<std::uint64_t>(further),
                out);
    }
    if (table != nullptr) put_count(number_of(value.key), out);
    switch (value.kind) {
      case Value::Kind::Null:
      case Value::Kind::Boolean:
        break;
      case Value::Kind::Integer:
        put_count(negative ? ~static_cast<std::uint64_t>(value.integer) : static_cast<std::uint64_t>(value.integer),
                  out);
        if (value.huge) (out += value.text) += '\0';
        break;
      case Value::Kind::Real:
      case Value::Kind::Text:
      case Value::Kind::Date:
        if ((text_flags & kSized) != 0) put_count(text.size(), out);
        out += text;
        if ((text_flags & kSized) == 0) out += '\0';
        break;
      case Value::Kind::Array:
      case Value::Kind::Table:
        put_count(value.items.size(), out);
        for (const Value& item : value.items) put(item, value.kind == Value::Kind::Table ? &value : nullptr, out);
        break;
    }
  }

  /// The part of the value's text that is stored, and the flags for the rest.
  std::pair<unsigned, std::string_view> stored_text(const Value& value, const Value* table) const {
    const std::string_view text = value.text;
    if (value.kind != Value::Kind::Text) return {0, text};
    if (text.find('\0') != std::string_view::npos) return {kSized, text};
    if (table == nullptr || value.key != "id") return {0, text};
    const auto follows = [&](std::string_view part) {
      return !part.empty() && text.starts_with(part) && (text.size() == part.size() || text[part.size()] == '-');
    };
    if (follows(stem_)) return {kAfterFile, text.substr(stem_.size())};
    const std::optional<std::string> key = key_of_name(*table);
    if (key && follows(*key)) return {kAfterName, text.substr(key->size())};
    return {0, text};
  }

  std::size_t number_of(const std::string& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, numbers_.size());
    if (is_new) put_text(key, list_);
    return found->second;
  }

  std::map<std::string, std::size_t> numbers_;
  std::string list_;  ///< the keys by number, as put_text() writes them
  int line_ = 0;      ///< of the previous value
  std::string_view stem_;
};

/// Reads the tree of a file. Returns false for malformed bytes, and never reads out of bounds.
class TreeReader {
 public:
  TreeReader(std::string_view path, std::string_view bytes, const std::vector<std::string_view>& keys)
      : in_(bytes), stem_(stem(path)), keys_(keys) {}

  bool whole(Value& to) { return value(to, false, 0) && in_.rest().empty(); }

 private:
  bool value(Value& to, bool member, int depth) {
    unsigned head = 0;
    if (depth > kMaxDepth || !in_.byte(head)) return false;
    to.kind = static_cast<Value::Kind>(head & kKindBits);
    if (!line(head) || (member && !key(to.key))) return false;
    to.line = static_cast<int>(line_);
    if (to.kind == Value::Kind::Text) return text(to, head, member);
    to.boolean = (head & kTrue) != 0;
    to.huge = (head & kHuge) != 0;
    return content(to, (head & kNegative) != 0, depth);
  }

  bool line(unsigned head) {
    if ((head & kNextLine) != 0) ++line_;
    if ((head & (kNextLine | kSameLine)) != 0) return true;
    std::uint64_t further = 0;
    if (!in_.count(further)) return false;
    line_ += (further & 1) != 0 ? ~(further >> 1) : further >> 1;
    return true;
  }

  bool key(std::string& to) {
    std::uint64_t number = 0;
    if (!in_.count(number) || number >= keys_.size()) return false;
    to.assign(base::nth(keys_, number));
    return true;
  }

  bool content(Value& to, bool negative, int depth) {
    std::uint64_t number = 0;
    switch (to.kind) {
      case Value::Kind::Integer:
        if (!in_.count(number)) return false;
        to.integer = static_cast<std::int64_t>(negative ? ~number : number);
        return !to.huge || terminated_text(to.text);
      case Value::Kind::Real:
      case Value::Kind::Date:
        return terminated_text(to.text);
      case Value::Kind::Array:
      case Value::Kind::Table:
        return items(to, depth);
      default:
        return true;
    }
  }

  bool items(Value& to, int depth) {
    const bool table = to.kind == Value::Kind::Table;
    std::optional<std::size_t> shortened_id;      // the member whose text lacks the key of the name
    constexpr std::uint64_t kMostReserved = 256;  // malformed bytes may claim more than there is
    std::uint64_t left = 0;
    if (!in_.count(left)) return false;
    for (to.items.reserve(std::min(left, kMostReserved)); left > 0; --left) {
      after_name_ = false;
      if (!value(to.items.emplace_back(), table, depth + 1)) return false;
      if (after_name_) shortened_id = to.items.size() - 1;
    }
    after_name_ = false;
    if (!shortened_id) return true;
    const std::optional<std::string> key = key_of_name(to);
    if (key) to.items[*shortened_id].text.insert(0, *key);
    return key.has_value();
  }

  bool text(Value& to, unsigned head, bool member) {
    std::string_view found;
    if (!((head & kSized) != 0 ? in_.text(found) : in_.terminated_text(found))) return false;
    if ((head & kAfterFile) != 0) to.text = stem_;
    to.text += found;
    after_name_ = member && (head & kAfterName) != 0;
    return true;
  }

  bool terminated_text(std::string& to) {
    std::string_view found;
    if (!in_.terminated_text(found)) return false;
    to.assign(found);
    return true;
  }

  PackReader in_;
  std::string_view stem_;
  const std::vector<std::string_view>& keys_;
  std::uint64_t line_ = 0;   ///< of the previous value; unsigned, since malformed bytes may overflow it
  bool after_name_ = false;  ///< kAfterName of the previous value
};

}  // namespace

// ---------------------------------------------------------------- reading

Pack::Pack(std::string_view bytes) {
  if (!bytes.starts_with(kPackMark) || bytes.size() < kSizes) return;
  const std::uint64_t files = number_at(bytes, kCounts, kNumber), hashes = number_at(bytes, kCounts + kNumber, kNumber);
  std::uint64_t keys = number_at(bytes, kCounts + 2 * kNumber, kNumber);
  PackReader in(bytes.substr(kSizes));
  // Each file and each key takes at least one byte.
  if ((hashes != 0 && hashes != files) || files + keys > in.rest().size()) return;
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(files));
  for (std::uint64_t& size : sizes) {
    if (!in.count(size)) return;
  }
  std::string_view hash, key;
  if (!in.bytes(hashes * kHash, hash)) return;
  for (; keys > 0 && in.text(key); --keys) keys_.push_back(key);
  Files found(sizes.size());
  if (keys > 0 || !std::all_of(found.begin(), found.end(), [&](File& file) { return in.terminated_text(file.path); }))
    return;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!in.bytes(sizes[i], found[i].tree)) return;
  }
  if (!in.rest().empty()) return;
  hashes_ = hash;
  files_ = std::move(found);
}

Pack::Files::const_iterator Pack::lower_bound(std::string_view path) const {
  return std::lower_bound(files_.begin(), files_.end(), path, [](const File& file, auto p) { return file.path < p; });
}

Pack::Files::const_iterator Pack::find(std::string_view path) const {
  const auto at = lower_bound(path);
  return at != files_.end() && at->path == path ? at : files_.end();
}

std::vector<std::string_view> Pack::files_in(std::string_view folder) const {
  std::string begin(folder);
  begin += '/';
  std::vector<std::string_view> out;
  for (auto at = lower_bound(begin); at != files_.end() && at->path.starts_with(begin); ++at) {
    if (at->path.find('/', begin.size()) == std::string_view::npos) out.push_back(at->path.substr(begin.size()));
  }
  return out;
}

std::optional<Value> Pack::tree(std::string_view path, std::string_view text) const {
  const auto found = find(path);
  if (found == files_.end() || hashes_.empty()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - files_.begin());
  return number_at(hashes_, index * kHash, kHash) == hash_of(text) ? tree(path) : std::nullopt;
}

std::optional<Value> Pack::tree(std::string_view path) const {
  const auto found = find(path);
  std::optional<Value> out;
  if (found == files_.end()) return out;
  if (!TreeReader(path, found->tree, keys_).whole(out.emplace())) return std::nullopt;
  if (hashes_.empty()) out->text = restored(path, std::move(out->text));
  return out;
}

// ---------------------------------------------------------------- making

namespace {

/// The files that belong to a pack, by their path below the folder.
std::map<std::string, fs::path> files_of(const fs::path& folder, PackUse use) {
  std::map<std::string, fs::path> out;
  for (const auto& found : fs::recursive_directory_iterator(folder)) {
    const std::string path = found.path().lexically_relative(folder).generic_string();
    if (found.is_regular_file() && belongs(path, use)) out.emplace(path, found.path());
  }
  return out;
}

/// The tree of the text; empty if it is malformed.
std::optional<Value> tree_of(const fs::path& file, std::string_view path, const std::string& text, PackUse use) {
  const std::string name = file.string();
  try {
    check_text(text, name);
    if (file.extension() == ".toml") return parse_toml(text, name);
    return Value::of(use == PackUse::BesideFiles ? text : shortened(path, text));
  } catch (const LoadError&) {
    return std::nullopt;
  }
}

/// Builds the bytes of a pack. Files must be added in order of their paths.
class PackWriter {
 public:
  void add(const std::string& path, const Value& tree) {
    const std::string bytes = writer_.tree(path, tree);
    put_count(bytes.size(), sizes_);
    (paths_ += path) += '\0';
    trees_ += bytes;
    ++files_;
  }
  void add(const std::string& path, const Value& tree, std::uint64_t hash) {
    add(path, tree);
    put_number(hash, kHash, hashes_);
  }

  std::string bytes() const {
    std::string out(kPackMark);
    put_number(files_, kNumber, out);
    put_number(hashes_.size() / kHash, kNumber, out);
    put_number(writer_.keys(), kNumber, out);
    return out + sizes_ + hashes_ + writer_.list_of_keys() + paths_ + trees_;
  }

 private:
  TreeWriter writer_;
  std::size_t files_ = 0;
  std::string sizes_, hashes_, paths_, trees_;
};

}  // namespace

std::string make_pack(const fs::path& folder, PackUse use) {
  std::map<std::string, fs::path> files = files_of(folder, use);
  if (use == PackUse::First || use == PackUse::Cards) files.try_emplace(std::string(kFurtherList));
  PackWriter out;
  for (const auto& [path, file] : files) {
    if (file.empty()) {
      out.add(path, Value::of(further_list(use)));
      continue;
    }
    const std::string text = read_file(file.string());
    const std::optional<Value> tree = tree_of(file, path, text, use);
    if (!tree) continue;
    if (use == PackUse::BesideFiles)
      out.add(path, *tree, hash_of(text));
    else
      out.add(path, *tree);
  }
  return out.bytes();
}

}  // namespace salvo::data
