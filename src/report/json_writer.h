// Writes JSON front to back, without building a tree first.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace salvo::report {

/// Appends a number: the shortest digits that read back as the same double, with a point or an exponent. Negative zero
/// becomes 0.0; infinities and NaN become null.
void append_json(std::string& out, double x);
/// Appends a text in quotes. Bytes that are not UTF-8 become U+FFFD.
void append_json(std::string& out, std::string_view text);
/// Decodes a JSON string; `json` is a valid string in quotes.
std::string json_unquoted(std::string_view json);

/// Writes JSON on one line: `{"a": 1, "b": [1.0, 0.5]}`. A key may occur once in an object.
class JsonWriter {
 public:
  JsonWriter() : text_(kFirstRoom, '\0') {}

  /// A text, a number, a truth value; an optional (null if empty); a list of these; or pairs of a key and one of these,
  /// as an object.
  template <typename T>
  void value(const T& x) {
    if constexpr (std::is_same_v<T, bool>) {
      write(x);
    } else if constexpr (std::integral<T>) {
      write_integer(x);
    } else if constexpr (std::floating_point<T>) {
      write(static_cast<double>(x));
    } else if constexpr (std::is_same_v<T, std::nullopt_t>) {
      write_null();
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      write(std::string_view(x));
    } else if constexpr (requires { x.has_value(); }) {
      x ? value(*x) : write_null();
    } else if constexpr (requires { x.begin()->second; }) {
      object([&] {
        for (const auto& [name, one] : x) member(name, one);
      });
    } else {
      array([&] {
        for (const auto& one : x) value(one);
      });
    }
  }
  template <typename T>
  void member(std::string_view name, const T& x) {
    key(name);
    value(x);
  }

  /// `body` writes the members.
  template <typename Body>
  void object(const Body& body) {
    open('{');
    body();
    close('}');
  }
  template <typename Body>
  void object(std::string_view name, const Body& body) {
    key(name);
    object(body);
  }
  /// `body` writes the elements.
  template <typename Body>
  void array(const Body& body) {
    open('[');
    body();
    close(']');
  }
  template <typename Body>
  void array(std::string_view name, const Body& body) {
    key(name);
    array(body);
  }
  /// An array with an object for each element of `list`; `body(one)` writes its members.
  template <typename List, typename Body>
  void objects(std::string_view name, const List& list, const Body& body) {
    array(name, [&] {
      for (const auto& one : list) object([&] { body(one); });
    });
  }

  void key(std::string_view name);
  /// A value that is JSON already.
  void raw(std::string_view json);
  /// Ends the line; the next value begins a new document.
  void end_line();
  /// The size so far, and a function that truncates the text to an earlier size.
  std::size_t size() const { return size_; }
  void truncate(std::size_t size);
  /// Returns the text.
  std::string take();

 private:
  static constexpr std::size_t kFirstRoom = 2048;

  template <typename T>
  void write_integer(T x) {
    if constexpr (std::signed_integral<T>) {
      write(static_cast<std::int64_t>(x));
    } else {
      write(static_cast<std::uint64_t>(x));
    }
  }
  void open(char bracket);
  void close(char bracket);
  char* separated(std::size_t bytes);
  void write(bool x);
  void write(std::int64_t x);
  void write(std::uint64_t x);
  void write(double x);
  void write(std::string_view x);
  void write_null();

  /// Where to write next, with room for `bytes` more.
  char* reserve(std::size_t bytes) {
    if (size_ + bytes > text_.size()) grow(bytes);
    return text_.data() + size_;
  }
  void grow(std::size_t bytes);
  void wrote_until(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }

  std::string text_;       ///< the text, followed by spare room
  std::size_t size_ = 0;   ///< of the text
  bool separated_ = true;  ///< the next value needs no comma
};

/// An object on one line, without a newline; `body(json)` writes its members.
template <typename Body>
std::string json_line(const Body& body) {
  JsonWriter json;
  json.object([&] { body(json); });
  return json.take();
}

/// Breaks JSON that JsonWriter wrote into lines of about 110 columns at most, ending in a newline.
std::string wrap_json(std::string_view line);
/// The same with one line for each member and element.
std::string indented(std::string_view line);

/// An object broken into lines; `body(json)` writes its members.
template <typename Body>
std::string wrapped_json(const Body& body) {
  return wrap_json(json_line(body));
}

}  // namespace salvo::report
