#include "serve/response_cache.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "data/value.h"
#include "report/json_writer.h"
#include "salvo/errors.h"

namespace salvo::serve {
namespace {

using data::Value;

void append(std::string& out, const Value& value) {
  const auto list = [&](char open, char close, const auto& items, const auto& write) {
    out += open;
    for (const auto& item : items) {
      if (out.back() != open) out += ',';
      write(item);
    }
    out += close;
  };
  switch (value.kind) {
    case Value::Kind::Null:
      out += "null";
      return;
    case Value::Kind::Boolean:
      out += value.boolean ? "true" : "false";
      return;
    case Value::Kind::Integer:
      out += value.huge ? value.text : std::to_string(value.integer);
      return;
    case Value::Kind::Text:
      return report::append_json(out, std::string_view(value.text));
    case Value::Kind::Array:
      return list('[', ']', value.items, [&](const Value& item) { append(out, item); });
    case Value::Kind::Table: {
      std::vector<const Value*> members;
      for (const Value& item : value.items) members.push_back(&item);
      std::sort(members.begin(), members.end(), [](const Value* a, const Value* b) { return a->key < b->key; });
      return list('{', '}', members, [&](const Value* item) {
        report::append_json(out, std::string_view(item->key));
        out += ':';
        append(out, *item);
      });
    }
    case Value::Kind::Real:
    case Value::Kind::Date:
      out += value.text;
      return;
  }
}

std::uint64_t hash_of(std::string_view question) { return std::hash<std::string_view>()(question); }

}  // namespace

std::optional<std::string> canonical_question(std::string_view verb, std::string_view body) {
  try {
    Value root = data::parse_json(body, "-");
    if (root.kind != Value::Kind::Table) return std::nullopt;
    root.take("threads");
    std::string out(verb);
    out += '\n';
    append(out, root);
    return out;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::shared_ptr<const std::string> ResponseCache::find(std::string_view question, bool last) {
  const auto same = [&](const Entry& entry) { return entry.question == question; };
  if (const auto found = entries_.find(hash_of(question), same)) {
    ++hits_;
    return found->answer;
  }
  misses_ += last;
  return nullptr;
}

void ResponseCache::store(std::string_view question, std::shared_ptr<const std::string> answer) {
  constexpr std::size_t kOverhead = 200;  // of the list, the map and the allocator
  // The two keys of a question share an answer, whose bytes count twice: an upper bound.
  const std::size_t bytes = question.size() + answer->size() + kOverhead;
  entries_.insert(hash_of(question), std::make_shared<const Entry>(Entry{std::string(question), std::move(answer)}),
                  bytes);
}

CacheState ResponseCache::state() const {
  const base::CacheStats stats = entries_.stats();
  return {hits_, misses_, stats.evictions, stats.entries, stats.cost};
}

}  // namespace salvo::serve
