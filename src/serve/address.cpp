#include "serve/address.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "base/index.h"
#include "base/text.h"
#include "data/file.h"
#include "data/value.h"
#include "report/json_writer.h"
#include "salvo/errors.h"

namespace salvo::serve {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Decodes percent escapes, and in a query plus signs. Empty if a percent sign lacks its digits.
std::optional<std::string> decoded(std::string_view text, bool query) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && query) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = base::utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Malformed bytes would be replaced later, which could make two keys equal.
void check_utf8(const std::vector<std::pair<std::string, std::string>>& query) {
  for (const auto& [key, value] : query) {
    if (is_utf8(key) && is_utf8(value)) continue;
    const std::string message =
        "the address is not UTF-8 text; encode letters outside ASCII as UTF-8 (\u00e9 is %C3%A9)";
    throw LoadError(message, "", message);
  }
}

/// Keys whose values are strings even if they look like numbers: "attack=3".
constexpr std::string_view kWords[] = {"attack", "defend", "return", "among",   "items", "ships", "words",
                                       "search", "show",   "check",  "edition", "card",  "squad"};
/// Keys whose values are always lists.
constexpr std::string_view kLists[] = {"items", "card"};

/// Whether a value of a query is JSON other than a string: a number, true, false, null, a list or an object.
bool is_json(const std::string& key, const std::string& text) {
  if (text.empty() || text.front() == '"') return false;
  if (base::contains(kWords, key) && text.front() != '[' && text.front() != '{') return false;
  try {
    // The value will be part of a body: no NUL, which would end the parse, and no byte order mark.
    const std::string_view checked = data::check_text(text, "-");
    return checked.size() == text.size() && data::parse_json(checked, "-").kind != data::Value::Kind::Text;
  } catch (const Error&) {
    return false;
  }
}

void append_value(std::string& out, const std::string& key, const std::string& text) {
  if (is_json(key, text)) {
    out += text;
  } else {
    report::append_json(out, std::string_view(text));
  }
}

/// Removes line breaks and blanks outside strings.
std::string on_one_line(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!in_text && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
    out += c;
    if (c == '"') in_text = !in_text;
    if (c == '\\' && in_text && i + 1 < json.size()) out += json[++i];
  }
  return out;
}

std::string base64url(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  out.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k <= count; ++k) out += kDigits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

}  // namespace

std::optional<RequestTarget> parse_target(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::size_t path = text.find_first_of("/?", scheme.size());
    text = path == std::string_view::npos ? "/" : text.substr(path);
  }
  if (text != "*" && (text.empty() || text.front() != '/')) return std::nullopt;
  const std::size_t question = text.find('?');
  const auto path = decoded(text.substr(0, question), false);
  if (!path) return std::nullopt;
  RequestTarget out{*path, {}};
  std::string_view rest = question == std::string_view::npos ? "" : text.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view member = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), member.size() + 1));
    if (member.empty()) continue;
    const std::size_t equals = member.find('=');
    const auto key = decoded(member.substr(0, equals), true);
    const auto value = decoded(equals == std::string_view::npos ? "" : member.substr(equals + 1), true);
    if (!key || !value) return std::nullopt;
    out.query.emplace_back(*key, *value);
  }
  return out;
}

std::string body_of_query(const std::vector<std::pair<std::string, std::string>>& query) {
  std::map<std::string_view, std::vector<std::string_view>>
      values;  // a map, because a request line has room for thousands of keys
  for (const auto& [key, value] : query) values[key].push_back(value);
  if (values.contains("body")) {
    if (query.size() == 1) return query.front().second;
    throw LoadError("body is the whole question; write nothing beside it", "body",
                    "body is the whole question; write nothing beside it");
  }
  check_utf8(query);
  std::string out = "{";
  for (const auto& [key, value] : query) {
    const std::vector<std::string_view> given = std::exchange(values[key], {});
    if (given.empty()) continue;  // already written as part of a list
    if (out.size() > 1) out += ", ";
    report::append_json(out, std::string_view(key));
    out += ": ";
    if (given.size() == 1 && (value.starts_with('[') || !base::contains(kLists, key))) {
      append_value(out, key, value);
      continue;
    }
    out += '[';
    for (const std::string_view one : given) {
      if (out.back() != '[') out += ", ";
      append_value(out, key, std::string(one));
    }
    out += ']';
  }
  return out + "}";
}

std::string page_link(std::string_view base, std::string_view verb, std::string_view body) {
  constexpr std::size_t kMost = 4096;  // many programs refuse headers of more than 8 KB
  if (body.size() > kMost) return {};
  std::string out(base);
  out += "#v1/q?verb=";
  out += verb;
  out += "&body=";
  out += base64url(on_one_line(body));
  return out.size() <= kMost ? out : std::string();
}

std::string base_of_host(std::string_view host) {
  const auto usual = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == ':' || c == '[' || c == ']' || c == '_';
  };
  if (host.empty() || host.size() > 255 || !std::all_of(host.begin(), host.end(), usual)) return {};
  return "http://" + std::string(host) + "/";
}

}  // namespace salvo::serve
