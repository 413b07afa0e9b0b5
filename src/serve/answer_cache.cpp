// Answers that are kept: see answer_cache.h.
#include "serve/answer_cache.h"

#include <algorithm>
#include <vector>

#include "load/value.h"
#include "report/json_writer.h"
#include "salvo/errors.h"

namespace salvo::serve {
namespace {

using load::Value;

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

}  // namespace

std::optional<std::string> canonical_question(std::string_view verb, std::string_view body) {
  try {
    Value root = load::parse_json(body, "-");
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

/// Two questions share an answer, so its bytes count for each of them: an upper bound.
std::size_t AnswerCache::Entry::bytes() const {
  constexpr std::size_t kOverhead = 200;  // of the list, the map and the allocator
  return question.size() + answer->size() + kOverhead;
}

std::shared_ptr<const std::string> AnswerCache::find(std::string_view question, bool last) {
  const std::lock_guard lock(mutex_);
  const auto found = by_question_.find(question);
  if (found == by_question_.end()) {
    state_.misses += last;
    return nullptr;
  }
  ++state_.hits;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void AnswerCache::keep(std::string_view question, std::shared_ptr<const std::string> answer) {
  Entry entry{std::string(question), std::move(answer)};
  const std::size_t bytes = entry.bytes();
  if (bytes > most_bytes_ / 8) return;  // one answer is not worth all the others
  const std::lock_guard lock(mutex_);
  if (by_question_.contains(question)) return;
  entries_.push_front(std::move(entry));
  by_question_.emplace(entries_.front().question, entries_.begin());
  state_.bytes += bytes;
  while (state_.bytes > most_bytes_) {
    state_.bytes -= entries_.back().bytes();
    by_question_.erase(entries_.back().question);
    entries_.pop_back();
    ++state_.evictions;
  }
}

CacheState AnswerCache::state() const {
  const std::lock_guard lock(mutex_);
  CacheState out = state_;
  out.entries = entries_.size();
  return out;
}

}  // namespace salvo::serve
