#include "support/request_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/text.h"
#include "questions/schema.h"

namespace salvo::test {
namespace {

using nlohmann::ordered_json;
using Names = std::vector<std::string>;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// A key with one type and one meaning, and the verbs that have it so.
struct Key {
  std::string name;
  ordered_json type;
  bool required = false;
  Names verbs;

  std::string meaning() const { return type.value("description", ""); }
};

struct Verb {
  std::string name, what, example;
  std::vector<std::size_t> keys;
};

/// All verbs, and the keys that act there, in the order in which verbs first have them.
struct Requests {
  std::vector<Verb> verbs;
  std::vector<Key> keys;

  Requests() {
    for (const questions::Question* question : questions::all()) {
      const ordered_json schema = ordered_json::parse(questions::schema_of(*question));
      Verb verb{question->name, question->what, schema["examples"][0].dump(), {}};
      const questions::OpenQuestion open = question->begin(false);
      for (const auto& [name, type] : schema["properties"].items()) {
        const questions::Field& field = *open.list->find(name);
        if (field.ignored) continue;
        verb.keys.push_back(add({name, type, field.required, {}}));
        keys[verb.keys.back()].verbs.push_back(verb.name);
      }
      verbs.push_back(std::move(verb));
    }
  }

 private:
  std::size_t add(Key key) {
    const auto same = [&](const Key& one) {
      return one.name == key.name && one.type == key.type && one.required == key.required;
    };
    const auto at = std::find_if(keys.begin(), keys.end(), same);
    const auto index = static_cast<std::size_t>(at - keys.begin());
    if (at == keys.end()) keys.push_back(std::move(key));
    return index;
  }
};

// ---------------------------------------------------------------- docs/format.md

std::string as_code(const std::string& text) { return "`" + text + "`"; }

/// One or several values that a definition of the schema describes.
std::string referred(const std::string& name, bool several) {
  static constexpr std::array<std::array<std::string_view, 3>, 5> kWords{{
      {"ship", "[ship](#keys-of-a-ship)", "[ships](#keys-of-a-ship)"},
      {"attack", "[attack](#keys-of-an-attack)", "[attacks](#keys-of-an-attack)"},
      {"round", "[round](#rounds)", "[rounds](#rounds)"},
      {"tokens", "object of tokens", "objects of tokens"},
      {"xws", "[XWS](#squads)", "[XWS](#squads)"},
  }};
  for (const auto& [known, one, many] : kWords) {
    if (name == known) return std::string(several ? many : one);
  }
  throw std::invalid_argument("no words for " + name);
}

/// "integer from 0 to 99".
std::string number_words(const ordered_json& type, bool several) {
  constexpr std::uint64_t kUnlimited = 1'000'000'000'000'000;
  const std::string noun = several ? "integers" : "integer";
  if (type["type"] == "number") return fmt::format("number above 0, at most {}", type["maximum"].dump());
  const std::uint64_t most = type["maximum"];
  const std::string from = fmt::format("{} from {}", noun, type["minimum"].dump());
  return most >= kUnlimited ? from : fmt::format("{} to {}", from, most);
}

/// The values of a type, in words.
std::string type_words(const ordered_json& type, bool several = false) {
  if (type.contains("$ref")) return referred(base::words_between(type["$ref"].get<std::string>(), "/").back(), several);
  if (type.contains("anyOf")) {
    Names parts;
    for (const ordered_json& one : type["anyOf"]) parts.push_back(type_words(one, several));
    return base::joined(parts, " or ");
  }
  if (type.contains("enum")) {
    Names words;
    for (const ordered_json& word : type["enum"]) words.push_back(as_code(word.dump()));
    return base::joined(words, ", ");
  }
  const ordered_json& kind = type["type"];
  if (kind.is_array()) return "text, number, true, false or null";
  if (kind == "boolean") return "true or false";
  if (kind == "integer" || kind == "number") return number_words(type, several);
  if (kind == "string") return several ? "texts" : "text";
  if (kind == "array") return (several ? "lists of " : "list of ") + type_words(type["items"], true);
  const std::string object = several ? "objects" : "object";
  const bool of_one_type = type.contains("additionalProperties") && type["additionalProperties"].is_object();
  return of_one_type ? object + " of " + type_words(type["additionalProperties"], true) : object;
}

std::string row(const Names& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + replaced(cell, "|", "\\|") + " |";
  return out + "\n";
}

/// The row of a key, and those of the keys in it: "point.rolled".
std::string key_rows(const std::string& name, const ordered_json& type, bool required, const Names& further = {}) {
  const std::string meaning = type.value("description", "");
  const std::string both = required ? "required" + (meaning.empty() ? "" : "; " + meaning) : meaning;
  const auto cells = [&](Names first) {
    first.insert(first.end(), further.begin(), further.end());
    return row(first);
  };
  std::string out = cells({as_code(name), type_words(type), both});
  if (!type.contains("properties")) return out;
  for (const auto& [inner, inner_type] : type["properties"].items()) {
    Names none(further.size());
    out += key_rows(name + "." + inner, inner_type, false, none);
  }
  return out;
}

std::string codes(const Names& names) {
  Names out;
  for (const std::string& name : names) out.push_back(as_code(name));
  return base::joined(out, ", ");
}

bool is_shared(const Key& key) { return key.verbs.size() > 1; }

/// A table for each verb: the keys that no other verb has, the names of the others, and an example.
std::string verb_tables(const Requests& requests) {
  std::string out;
  for (const Verb& verb : requests.verbs) {
    out += "\n" + row({as_code(verb.name), "value", verb.what}) + "| --- | --- | --- |\n";
    Names shared;
    for (const std::size_t index : verb.keys) {
      const Key& key = requests.keys[index];
      if (is_shared(key)) shared.push_back(key.name);
      if (key.verbs.size() == 1) out += key_rows(key.name, key.type, key.required);
    }
    out += row({"shared", "", codes(shared)}) + row({"example", "", as_code(verb.example)});
  }
  return out;
}

/// "run, worth", or "all but cards, rules" where that is shorter.
std::string verb_words(const Names& names, const Requests& requests) {
  Names others;
  for (const Verb& verb : requests.verbs) {
    if (!base::contains(names, verb.name)) others.push_back(verb.name);
  }
  if (others.empty()) return "all";
  return others.size() < names.size() ? "all but " + base::joined(others, ", ") : base::joined(names, ", ");
}

std::string shared_table(const Requests& requests) {
  std::string out = "\n" + row({"key", "value", "meaning", "verbs"}) + "| --- | --- | --- | --- |\n";
  for (const Key& key : requests.keys) {
    if (is_shared(key)) out += key_rows(key.name, key.type, key.required, {verb_words(key.verbs, requests)});
  }
  return out;
}

std::string with_block(const std::string& page, const std::string& name, const std::string& text) {
  const std::size_t start = page.find("<!-- " + name + ":");
  if (start == std::string::npos) throw std::invalid_argument("the page has no block " + name);
  const std::size_t first = page.find('\n', start) + 1, end = page.find("<!-- end -->", first);
  return page.substr(0, first) + text + "\n" + page.substr(end);
}

// ---------------------------------------------------------------- python/salvo/questions.py

std::string python_type(const ordered_json& type) {
  if (type.contains("$ref")) return "Mapping[str, Any]";
  if (type.contains("anyOf")) {
    Names parts;
    for (const ordered_json& one : type["anyOf"]) base::add_once(parts, python_type(one));
    return "Union[" + base::joined(parts, ", ") + "]";
  }
  if (type.contains("enum")) {
    Names words;
    for (const ordered_json& word : type["enum"]) words.push_back(word.dump());
    return "Literal[" + base::joined(words, ", ") + "]";
  }
  const ordered_json& kind = type["type"];
  if (kind.is_array()) return "Union[str, float, None]";  // a bool is an int, and an int will do for a float
  if (kind == "boolean") return "bool";
  if (kind == "integer") return "int";
  if (kind == "number") return "float";
  if (kind == "string") return "str";
  return kind == "array" ? "Sequence[" + python_type(type["items"]) + "]" : "Mapping[str, Any]";
}

std::string camel_case(const std::string& text) {
  std::string out;
  bool start = true;
  for (const char c : text) {
    if (c != '_') out += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = c == '_';
  }
  return out;
}

/// A class with one member for each key; `bases` have further ones. A key that is a word of Python is a base, too,
/// since a class cannot name it.
std::string python_class(const std::string& name, Names bases, const std::string& what, const std::vector<Key>& keys) {
  std::string before, members;
  for (const Key& key : keys) {
    const std::string type = python_type(key.type);
    if (key.name == "return") {
      before += fmt::format("\n\n# {2}\n{0}Return = TypedDict(\"{0}Return\", {{\"return\": {1}}}, total=False)\n", name,
                            type, key.meaning());
      bases.push_back(name + "Return");
      continue;
    }
    members += fmt::format("    {}: {}\n", key.name, type);
    if (!key.meaning().empty()) members += fmt::format("    \"\"\"{}\"\"\"\n", replaced(key.meaning(), "\"", "'"));
  }
  bases.emplace_back("TypedDict");
  if (bases.size() > 1) bases.pop_back();
  std::string out = before;
  out += fmt::format("\n\nclass {}({}, total=False):\n", name, base::joined(bases, ", "));
  if (!what.empty()) out += fmt::format("    \"\"\"{}\"\"\"\n", what);
  if (!what.empty() && !members.empty()) out += "\n";
  return out + members;
}

/// The name of the class with the keys that exactly these verbs have.
std::string group_name(const Names& verbs, const std::string& first_key) {
  return "_" + camel_case(verbs.front()) + camel_case(first_key);
}

}  // namespace

std::string page_with_keys(std::string page) {
  const Requests requests;
  page = with_block(page, "verbs", verb_tables(requests));
  return with_block(page, "shared keys", shared_table(requests));
}

std::string python_keys() {
  const Requests requests;
  std::vector<std::pair<Names, std::vector<Key>>> groups;  // by verbs
  for (const Key& key : requests.keys) {
    if (key.required) continue;
    const auto at = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == key.verbs; });
    if (at != groups.end()) {
      at->second.push_back(key);
    } else {
      groups.push_back({key.verbs, {key}});
    }
  }
  std::string out =
      "\"\"\"The keys that the methods of Engine take by name, besides their arguments (docs/format.md: Requests).\n\n"
      "Made from src/questions by salvo_tests \"[update]\".\n\"\"\"\n\n"
      "from __future__ import annotations\n\n"
      "from collections.abc import Mapping, Sequence\n"
      "from typing import Any, Literal, TypedDict, Union\n";
  for (const auto& [verbs, keys] : groups) {
    if (verbs.size() > 1) out += python_class(group_name(verbs, keys.front().name), {}, "", keys);
  }
  for (const Verb& verb : requests.verbs) {
    Names bases;
    std::vector<Key> own;
    for (const auto& [verbs, keys] : groups) {
      if (verbs.size() > 1 && base::contains(verbs, verb.name)) bases.push_back(group_name(verbs, keys.front().name));
      if (verbs.size() == 1 && verbs.front() == verb.name) own = keys;
    }
    out += python_class(camel_case(verb.name) + "Keys", bases, verb.what, own);
  }
  return out;
}

}  // namespace salvo::test
