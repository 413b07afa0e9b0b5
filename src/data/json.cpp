// Parses JSON with nlohmann-json's event parser, which does not recurse. Common texts take the fast path of
// plain_json.h.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "data/message.h"
#include "data/plain_json.h"
#include "data/value.h"

namespace salvo::data {

namespace {

constexpr const char* kSmallNumbers = "; numbers here are small: no limit is above 99";

/// Iterates over characters and updates `line` to the line of the last one read.
struct CountingIterator {
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  int* line = nullptr;
  bool* newline = nullptr;  ///< the last character read was a newline

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    if (*newline) ++*line;
    *newline = *at == '\n';
    ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

/// Builds the tree from the parser's events.
class TreeBuilder {
 public:
  TreeBuilder(const std::string& source, const int& line) : source_(source), line_(line) {}

  bool null() { return add(Value()); }
  bool boolean(bool b) { return add(Value::of(b)); }
  bool number_integer(nlohmann::ordered_json::number_integer_t n) {
    return add(Value::of(static_cast<std::int64_t>(n)));
  }
  bool number_unsigned(nlohmann::ordered_json::number_unsigned_t n) {
    if (n <= static_cast<std::uint64_t>(INT64_MAX)) return add(Value::of(static_cast<std::int64_t>(n)));
    return number_float(0, std::to_string(n));
  }
  bool number_float(nlohmann::ordered_json::number_float_t, const std::string& digits) {
    const bool whole = digits.find_first_of(".eE") == std::string::npos;
    Value value = Value::of(whole ? Value::Kind::Integer : Value::Kind::Real);
    value.huge = whole;
    value.text = digits;
    return add(std::move(value));
  }
  bool string(std::string& text) { return add(Value::of(std::move(text))); }
  bool binary(nlohmann::ordered_json::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Value::table()); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Value::array()); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    key_ = std::move(name);
    key_line_ = line_;
    if (!names_.back().insert(key_).second) {
      fail(source_, path_to_key(), line_, "given twice in the same object; remove one of the two");
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::ordered_json::exception& error) {
    std::string reason = error.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    const std::size_t column = reason.find("column ");
    const std::size_t cut = column == std::string::npos ? reason.find("] ") : reason.find(": ", column);
    if (cut != std::string::npos) reason.erase(0, cut + 2);
    const bool number = reason.find("overflow") != std::string::npos;
    fail(source_, "", line_,
         "not valid JSON: " + printable(reason, 200) + (number ? kSmallNumbers : "; correct the text there"));
  }

  Value take() { return std::move(root_); }

 private:
  bool add(Value value) {
    put(std::move(value));
    return true;
  }

  Value& put(Value value) {
    value.line = line_;
    if (open_.empty()) return root_ = std::move(value);
    Value& parent = *open_.back();
    if (parent.kind == Value::Kind::Table) {
      value.line = key_line_;
      return parent.add(std::move(key_), std::move(value));
    }
    parent.items.push_back(std::move(value));
    return parent.items.back();
  }

  bool open(Value value) {
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) {
      fail(source_, "", line_,
           fmt::format("more than {} levels inside each other; nest fewer objects and lists", kMaxDepth));
    }
    // The pointer stays good: the parent gets no other item while this one is open.
    open_.push_back(&put(std::move(value)));
    names_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    names_.pop_back();
    return true;
  }

  std::string path_to_key() const {
    std::string path;
    for (std::size_t i = 1; i < open_.size(); ++i) {
      const bool in_array = open_[i - 1]->kind == Value::Kind::Array;
      path +=
          in_array ? fmt::format("[{}]", open_[i - 1]->items.size() - 1) : (path.empty() ? "" : ".") + open_[i]->key;
    }
    return (path.empty() ? "" : path + ".") + key_;
  }

  const std::string& source_;
  const int& line_;
  Value root_;
  std::string key_;
  int key_line_ = 0;
  std::vector<Value*> open_;
  std::vector<std::set<std::string>> names_;  ///< keys seen so far, for each open value
};

}  // namespace

Value parse_json(std::string_view text, const std::string& source, int first_line) {
  if (auto plain = parse_plain_json(text, first_line)) return std::move(*plain);
  int line = first_line;
  bool newline = false;
  TreeBuilder builder(source, line);
  const CountingIterator first{text.data(), &line, &newline}, last{text.data() + text.size(), &line, &newline};
  nlohmann::ordered_json::sax_parse(first, last, &builder);
  return builder.take();
}

}  // namespace salvo::data
