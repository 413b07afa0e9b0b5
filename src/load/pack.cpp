// Pack: see pack.h.
#include "load/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "load/file.h"
#include "load/name_index.h"
#include "salvo/errors.h"

namespace salvo::load {

namespace {

constexpr std::size_t kNumber = 4, kHash = 8;  ///< bytes
constexpr std::size_t kCounts = kPackMark.size(), kBegins = kCounts + 2 * kNumber;

/// What only the command line and the checks of the library read.
constexpr std::array<std::string_view, 4> kNotAlone{"scenarios/", "squads/", "policies/", "cards/marks.tsv"};

/// What only questions of older card sets, links of squad builders, squads and the command `rules` read.
constexpr std::array<std::string_view, 9> kFurther{"builders/",
                                                   "cards/first-edition",
                                                   "cards/legacy",
                                                   "cards/restrictions.tsv",
                                                   "rules/documents.toml",
                                                   "rules/first-edition.rules.toml",
                                                   "rules/second-edition.rules.toml",
                                                   "ships/first-edition/",
                                                   "ships/legacy/"};

template <typename Beginnings>
bool begins_with_one(std::string_view path, const Beginnings& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](auto part) { return path.starts_with(part); });
}

bool belongs(std::string_view path, PackUse use) {
  if (use == PackUse::BesideFiles) return true;
  if (begins_with_one(path, kNotAlone)) return false;
  return use == PackUse::Alone || begins_with_one(path, kFurther) == (use == PackUse::Further);
}

constexpr std::string_view kNames = "names.tsv";  ///< its rows: kind, id, name

/// `row(kind, id, name)` of every row that has these three; other lines stay, comments do not.
template <typename Row>
std::string for_each_row(std::string_view text, Row row) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('#')) continue;
    const std::size_t one = line.find('\t'), two = line.find('\t', one + 1);
    if (one == std::string_view::npos || two == std::string_view::npos) {
      out += line;
    } else {
      out += row(line.substr(0, one), line.substr(one + 1, two - one - 1), line.substr(two + 1));
    }
    out += '\n';
  }
  return out;
}

/// Names without the part of their ids that they tell: "pilot, , Luke Skywalker", "upgrade, -swz68, Autoblasters".
std::string short_names(std::string_view text) {
  return for_each_row(text, [](std::string_view kind, std::string_view id, std::string_view name) {
    const std::string key = name_key(name);
    const bool told = id == key || id.starts_with(key + '-');
    return fmt::format("{}\t{}\t{}", kind, told ? id.substr(key.size()) : id, name);
  });
}

std::string full_names(std::string_view text) {
  return for_each_row(text, [](std::string_view kind, std::string_view id, std::string_view name) {
    const bool told = id.empty() || id.starts_with('-');
    return fmt::format("{}\t{}{}\t{}", kind, told ? name_key(name) : "", id, name);
  });
}

/// As it is packed where nothing else has it: the lines of a table that say something.
std::string shortened(std::string_view path, std::string_view text) {
  if (path == kNames) return short_names(text);
  const auto whole = [](std::string_view one, std::string_view two, std::string_view three) {
    return fmt::format("{}\t{}\t{}", one, two, three);
  };
  return path.ends_with(".tsv") ? for_each_row(text, whole) : std::string(text);
}

/// A hash of texts that nobody chose to collide.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t hash = text.size() * kOdd;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 29;
  };
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    mix(word);
  }
  for (const char c : text) mix(static_cast<unsigned char>(c));
  return hash;
}

void put_number(std::uint64_t x, std::size_t bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(x >> (8 * i) & 0xFF);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < size; ++i) x |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return x;
}

// ---------------------------------------------------------------- trees
//
// A value: its kind and flags (one byte), its line less that of the value before, its key where it is a member of a
// table, and what it holds. Numbers take seven bits a byte, the last byte first to have no high bit, differences their
// sign in the lowest bit; texts have their length before them.

constexpr unsigned kKindBits = 0x1F, kTrue = 0x20, kHuge = 0x40, kNegative = 0x80;

void put_count(std::uint64_t x, std::string& out) {
  for (; x >= 0x80; x >>= 7) out += static_cast<char>(0x80 | (x & 0x7F));
  out += static_cast<char>(x);
}

void put_text(const std::string& text, std::string& out) {
  put_count(text.size(), out);
  out += text;
}

/// `line`: of the value before.
void put_value(const Value& value, bool member, int& line, std::string& out) {
  const bool negative = value.integer < 0;
  out += static_cast<char>(static_cast<unsigned>(value.kind) | (value.boolean ? kTrue : 0) | (value.huge ? kHuge : 0) |
                           (negative ? kNegative : 0));
  const int further = value.line - std::exchange(line, value.line);
  put_count(further < 0 ? 2 * static_cast<std::uint64_t>(-further) - 1 : 2 * static_cast<std::uint64_t>(further), out);
  if (member) put_text(value.key, out);
  switch (value.kind) {
    case Value::Kind::Null:
    case Value::Kind::Boolean:
      break;
    case Value::Kind::Integer:
      put_count(negative ? ~static_cast<std::uint64_t>(value.integer) : static_cast<std::uint64_t>(value.integer), out);
      if (value.huge) put_text(value.text, out);
      break;
    case Value::Kind::Real:
    case Value::Kind::Text:
    case Value::Kind::Date:
      put_text(value.text, out);
      break;
    case Value::Kind::Array:
    case Value::Kind::Table:
      put_count(value.items.size(), out);
      for (const Value& item : value.items) put_value(item, value.kind == Value::Kind::Table, line, out);
      break;
  }
}

/// Reads a tree; whatever bytes it is given, it stays within them.
class TreeReader {
 public:
  explicit TreeReader(std::string_view bytes) : rest_(bytes) {}

  bool whole(Value& to) { return value(to, false, 0) && rest_.empty(); }

 private:
  bool value(Value& to, bool member, int depth) {
    if (rest_.empty() || depth > kMaxDepth) return false;
    const auto head = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    if ((head & kKindBits) > static_cast<unsigned>(Value::Kind::Table)) return false;
    to.kind = static_cast<Value::Kind>(head & kKindBits);
    to.boolean = (head & kTrue) != 0;
    to.huge = (head & kHuge) != 0;
    std::uint64_t further = 0;
    if (!count(further) || (member && !text(to.key))) return false;
    line_ += (further & 1) != 0 ? ~(further >> 1) : further >> 1;
    to.line = static_cast<int>(line_);
    return content(to, (head & kNegative) != 0, depth);
  }

  bool content(Value& to, bool negative, int depth) {
    std::uint64_t number = 0;
    switch (to.kind) {
      case Value::Kind::Null:
      case Value::Kind::Boolean:
        return true;
      case Value::Kind::Integer:
        if (!count(number)) return false;
        to.integer = static_cast<std::int64_t>(negative ? ~number : number);
        return !to.huge || text(to.text);
      case Value::Kind::Real:
      case Value::Kind::Text:
      case Value::Kind::Date:
        return text(to.text);
      case Value::Kind::Array:
      case Value::Kind::Table:
        if (!count(number) || number > rest_.size()) return false;  // each takes a byte at least
        to.items.resize(static_cast<std::size_t>(number));
        return std::all_of(to.items.begin(), to.items.end(),
                           [&](Value& item) { return value(item, to.kind == Value::Kind::Table, depth + 1); });
    }
    return false;
  }

  bool count(std::uint64_t& to) {
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      to |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  bool text(std::string& to) {
    std::uint64_t size = 0;
    if (!count(size) || size > rest_.size()) return false;
    to.assign(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(static_cast<std::size_t>(size));
    return true;
  }

  std::string_view rest_;
  std::uint64_t line_ = 0;  ///< of the value before; wraps around, whatever the bytes
};

std::optional<Value> read_tree(std::string_view bytes) {
  std::optional<Value> out(std::in_place);
  if (!TreeReader(bytes).whole(*out)) out.reset();
  return out;
}

}  // namespace

// ---------------------------------------------------------------- reading

Pack::Pack(std::string_view bytes) {
  if (!bytes.starts_with(kPackMark) || bytes.size() < kBegins + kNumber) return;
  const std::uint64_t files = number_at(bytes, kCounts, kNumber), hashes = number_at(bytes, kCounts + kNumber, kNumber);
  const std::uint64_t each = kNumber + (hashes == 0 ? 0 : kHash);
  if ((hashes != 0 && hashes != files) || files > (bytes.size() - kBegins - kNumber) / each) return;
  bytes_ = bytes;
  files_ = static_cast<std::size_t>(files);
  hashes_ = static_cast<std::size_t>(hashes);
}

Pack::Entry Pack::entry(std::size_t index) const {
  const auto begin_of = [&](std::size_t file) {
    const std::uint64_t begin = number_at(bytes_, kBegins + file * kNumber, kNumber);
    return static_cast<std::size_t>(std::min<std::uint64_t>(begin, bytes_.size()));
  };
  const std::size_t begin = begin_of(index), end = std::max(begin, begin_of(index + 1));
  const std::string_view file = bytes_.substr(begin, end - begin);
  const std::size_t middle = std::min(file.find('\0'), file.size());
  const std::uint64_t hash =
      hashes_ == 0 ? 0 : number_at(bytes_, kBegins + (files_ + 1) * kNumber + index * kHash, kHash);
  return {file.substr(0, middle), file.substr(std::min(middle + 1, file.size())), hash};
}

std::size_t Pack::lower_bound(std::string_view path) const {
  std::size_t low = 0, high = files_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const bool less = entry(middle).path < path;
    (less ? low : high) = less ? middle + 1 : middle;
  }
  return low;
}

std::optional<Pack::Entry> Pack::find(std::string_view path) const {
  const std::size_t at = lower_bound(path);
  if (at == files_) return std::nullopt;
  const Entry found = entry(at);
  return found.path == path ? std::optional(found) : std::nullopt;
}

std::vector<std::string_view> Pack::files_in(std::string_view folder) const {
  std::string begin(folder);
  begin += '/';
  std::vector<std::string_view> out;
  for (std::size_t i = lower_bound(begin); i < files_; ++i) {
    const std::string_view path = entry(i).path;
    if (!path.starts_with(begin)) break;
    if (path.find('/', begin.size()) == std::string_view::npos) out.push_back(path.substr(begin.size()));
  }
  return out;
}

std::optional<Value> Pack::tree(std::string_view path, std::string_view text) const {
  const std::optional<Entry> found = find(path);
  return found && found->hash == hash_of(text) ? read_tree(found->tree) : std::nullopt;
}

std::optional<Value> Pack::tree(std::string_view path) const {
  const std::optional<Entry> found = find(path);
  std::optional<Value> out = found ? read_tree(found->tree) : std::nullopt;
  if (out && hashes_ == 0 && path == kNames) out->text = full_names(out->text);
  return out;
}

// ---------------------------------------------------------------- making

std::string make_pack(const std::filesystem::path& folder, PackUse use) {
  std::map<std::string, std::pair<std::uint64_t, std::string>> files;  // by path: hash and tree
  for (const auto& found : std::filesystem::recursive_directory_iterator(folder)) {
    if (!found.is_regular_file()) continue;
    const std::string name = found.path().string(), path = found.path().lexically_relative(folder).generic_string();
    if (!belongs(path, use)) continue;
    const std::string text = read_file(name);
    Value tree;
    try {
      check_text(text, name);
      tree = found.path().extension() == ".toml" ? parse_toml(text, name)
             : use == PackUse::BesideFiles       ? Value::of(text)
                                                 : Value::of(shortened(path, text));
    } catch (const LoadError&) {
      continue;
    }
    auto& [hash, bytes] = files[path];
    hash = hash_of(text);
    int line = 0;
    put_value(tree, false, line, bytes);
  }
  if (use == PackUse::First) {
    std::string list;
    for (const std::string_view part : kFurther) (list += part) += '\n';
    int line = 0;
    put_value(Value::of(list), false, line, files[std::string(kFurtherList)].second);
  }
  const std::size_t hashed = use == PackUse::BesideFiles ? files.size() : 0;
  const std::size_t begin = kBegins + (files.size() + 1) * kNumber + hashed * kHash;
  std::string begins, hashes, bodies;
  for (const auto& [path, file] : files) {
    put_number(begin + bodies.size(), kNumber, begins);
    if (hashed != 0) put_number(file.first, kHash, hashes);
    bodies += path;
    bodies += '\0';
    bodies += file.second;
  }
  put_number(begin + bodies.size(), kNumber, begins);
  std::string out(kPackMark);
  put_number(files.size(), kNumber, out);
  put_number(hashed, kNumber, out);
  return out + begins + hashes + bodies;
}

}  // namespace salvo::load
