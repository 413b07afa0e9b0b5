// A field of a question, described once: its JSON key and its option, the values that it takes, and where the value
// goes. All code that reads, checks or documents questions works from lists of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "data/message.h"
#include "data/node.h"
#include "load/specs.h"
#include "salvo/answer.h"

namespace salvo::questions {

/// The WebAssembly engine answers requests only: without help, tables, CSV and pictures it is 5 % smaller.
#ifdef __EMSCRIPTEN__
inline constexpr bool kOnlyJson = true;
#else
inline constexpr bool kOnlyJson = false;
#endif

/// Whether a value comes from options rather than from JSON.
inline bool is_option(const data::Node& node) { return !kOnlyJson && node.source() == data::kOptions; }

/// A text that only the command line shows.
constexpr const char* for_people(const char* text) { return kOnlyJson ? "" : text; }

/// A function of one argument: a lambda that can be copied byte by byte, in place. It replaces std::function, whose
/// code for dozens of lambdas would weigh on the WebAssembly engine.
template <typename Argument, std::size_t kRoom>
class Setter {
 public:
  Setter() = default;
  template <typename F>
  requires(std::is_trivially_copyable_v<F>&& std::is_trivially_destructible_v<F> && sizeof(F) <= kRoom)
      Setter(F function)
      : call_([](const void* f, Argument x) { (*static_cast<const F*>(f))(x); }) {
    new (storage_) F(function);
  }
  void operator()(Argument x) const { call_(storage_, x); }

 private:
  alignas(std::uint64_t) unsigned char storage_[kRoom];
  void (*call_)(const void*, Argument) = nullptr;
};

template <typename Argument>
using SmallSetter = Setter<Argument, 16>;
using NodeSetter = Setter<const data::Node&, 64>;

/// A text, or a list of texts, and its type as JSON members. Throws LoadError.
std::vector<std::string> texts_of(const data::Node& node);
inline constexpr const char* kTextsSchema =
    R"("anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}])";

/// How a field is called and explained.
struct Name {
  constexpr Name(const char* k, const char* o, const char* v, const char* h, const char* m = nullptr)
      : key(k), option(o), value(for_people(v)), help(for_people(h)), meaning(m) {}

  const char* key;     ///< in JSON; null: only an option
  const char* option;  ///< "-d,--defend", or an operand such as "FILE"; null: only a key
  const char* value;   ///< "SPEC", as --help shows it; null: the option has no value
  const char* help;
  const char* meaning;  ///< for requests, where `help` speaks of options or files
};

/// Scenario: all keys of a scenario, or a file with one. ScenarioKey: one of these keys, for the schema.
/// Words: a text that options give as several words. Items: SPECs and squads. Numbers: an object of numbers. Object: a
/// value that only requests have, of the type that `schema` says.
enum class Kind {
  Flag,
  Integer,
  Real,
  Choice,
  Text,
  Words,
  Texts,
  Specs,
  Squad,
  Items,
  Numbers,
  Scenario,
  ScenarioKey,
  Scalar,
  Object
};

struct Field {
  Name name;
  Kind kind;
  const char* group;                                ///< heading of --help
  std::uint64_t least = 0, most = 0;                ///< of an Integer
  double limit = 0;                                 ///< a Real is above 0 and at most this
  const std::vector<std::string>* words = nullptr;  ///< of a Choice
  /// Reads the value. Throws LoadError at the node.
  NodeSetter assign;
  const char* schema = nullptr;  ///< its type as JSON members, where its kind does not say enough
  bool of_scenario = false;      ///< scenario files may have the key, too
  bool or_number = false;        ///< of Specs: with a FILE, the option has another meaning
  bool required = false;
  /// Requests may have the key, so that one set of options fits several verbs, but it changes nothing.
  bool ignored = false;

  /// Whether options give several texts.
  bool is_list() const;
  // The following functions are only for fields with an option.
  bool is_operand() const { return name.option != nullptr && *name.option != '-'; }
  /// The first long name of the option, "--defend", or the operand.
  std::string long_option() const;
  /// The name of the field in a tree of options: "defend", "FILE".
  std::string option_member() const;
};

/// The fields of a question, each bound to a member of it, which must outlive the list. Each function appends one
/// field.
class FieldList {
 public:
  explicit FieldList(bool as_options) : as_options_(as_options) { fields_.reserve(kUsual); }

  /// Whether the values come from options rather than from JSON.
  bool as_options() const { return !kOnlyJson && as_options_; }
  /// The heading of the fields that follow: "Scenario", "Engines".
  void group(const char* heading) { group_ = heading; }

  void flag(const Name& name, bool& to, bool meaning = true);
  void integer(const Name& name, int least, int most, const SmallSetter<int>& to);
  void integer(const Name& name, int least, int most, int& to) {
    integer(name, least, most, [&to](int n) { to = n; });
  }
  void integer(const Name& name, int least, int most, std::optional<int>& to) {
    integer(name, least, most, [&to](int n) { to = n; });
  }
  /// A whole number up to 1e15. `least` 0 stands for a seed, which may use all 64 bits.
  void count(const Name& name, std::uint64_t least, const SmallSetter<std::uint64_t>& to);
  /// A number above 0 and at most `most`.
  void share(const Name& name, double most, const SmallSetter<double>& to);
  /// One of `words`, which must outlive the list; `to` receives its index.
  void choice(const Name& name, const std::vector<std::string>& words, const SmallSetter<std::size_t>& to);
  void text(const Name& name, std::optional<std::string>& to);
  void text(const Name& name, std::string& to);
  /// A text, or a list of texts.
  void texts(const Name& name, std::vector<std::string>& to);
  void specs(const Name& name, load::GivenSpecs& to, load::Numbered numbered = load::Numbered::Always);
  void scenario_key(const char* key, const char* help, const char* schema);
  void add(const Name& name, Kind kind, const NodeSetter& assign);

  const std::vector<Field>& fields() const { return fields_; }
  const Field* find(std::string_view key) const;
  /// The field that was added last, or the one with this key, to change its description.
  Field& last() { return fields_.back(); }
  Field& at(std::string_view key);
  /// `text` with each {key} as the user writes it: "round" or "--round".
  std::string mention(std::string_view text) const;

 private:
  static constexpr std::size_t kUsual = 48;  ///< more fields than most questions have

  bool as_options_;
  const char* group_ = "Scenario";
  std::vector<Field> fields_;
};

/// Reads a table into the fields. Throws LoadError for unknown keys and wrong values.
void read(data::Value table, const std::string& source, const FieldList& list);

}  // namespace salvo::questions
