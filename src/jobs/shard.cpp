#include "jobs/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <vector>

#include "data/file.h"
#include "jobs/user_input.h"
#include "salvo/version.h"

namespace salvo::jobs {
namespace {

constexpr std::uint64_t kMaxShards = 1'000'000;
constexpr std::string_view kCounts = "salvo run 1\n";  // the first line of a counts file

/// The floor of all * k / of, without overflow: all is below 2^63, and k and of are small.
std::uint64_t share(std::uint64_t all, std::uint64_t k, std::uint64_t of) { return all / of * k + all % of * k / of; }

}  // namespace

std::pair<std::uint64_t, std::uint64_t> Shard::range(std::uint64_t all) const {
  return {share(all, number - 1, of), share(all, number, of)};
}

Shard parse_shard(const std::string& option, const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("{}: {} is not I/N, such as 2/8 for the second of eight", option, in_quotes(text)));
  Shard out;
  out.of = parse_count(option, text.substr(slash + 1), 1, kMaxShards);
  out.number = parse_count(option, text.substr(0, slash), 1, out.of);
  return out;
}

void for_each_block(const std::string& path, const std::function<void(std::string_view)>& read) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 20);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
    read(std::string_view(buffer.data(), static_cast<std::size_t>(in.gcount())));
  if (in.bad() || !in.eof()) throw UsageError(fmt::format("{} cannot be read", in_quotes(path)));
}

bool is_counts_file(const std::string& path) {
  std::array<char, kCounts.size()> begin{};
  return data::is_file(path) && std::ifstream(path, std::ios::binary).read(begin.data(), begin.size()) &&
         std::string_view(begin.data(), begin.size()) == kCounts;
}

ShardIdentity::ShardIdentity(const Shard& shard, const std::string& whole, std::uint64_t seed) {
  const BuildInfo info = build_info();
  text_ = fmt::format("{}seed {}\nversion {} {}\nshard {}/{}\n", whole, seed, info.version, info.commit, shard.number,
                      shard.of);
}

ShardIdentity ShardIdentity::of_file(const std::string& path) {
  ShardIdentity out;
  if (is_counts_file(path)) {
    out.text_ = data::read_file(path);
  } else if (data::is_file(path) && data::is_file(path + ".grid")) {
    out.text_ = data::read_file(path + ".grid");
  }
  if (out.value("shard").empty()) {
    throw UsageError(fmt::format(
        "{} is not a shard; name files of salvo run --shard I/N --out FILE, or of salvo sweep, whose FILE.grid is "
        "beside them",
        in_quotes(path)));
  }
  return out;
}

ShardIdentity ShardIdentity::of_text(std::string text) {
  ShardIdentity out;
  out.text_ = std::move(text);
  return out;
}

std::string ShardIdentity::value(const std::string& key) const {
  const std::string name = key + " ";
  for (std::size_t at = 0; at < text_.size(); at = std::min(text_.find('\n', at), text_.size() - 1) + 1) {
    if (text_.compare(at, name.size(), name) != 0) continue;
    const std::size_t begin = at + name.size();
    return text_.substr(begin, text_.find('\n', begin) - begin);
  }
  return {};
}

Shard ShardIdentity::shard() const { return parse_shard("shard", value("shard")); }

bool ShardIdentity::of_sampling() const { return text_.starts_with(kCounts); }

std::string ShardIdentity::difference(const ShardIdentity& other) const {
  // The seed precedes the grid, whose fingerprint depends on it.
  for (const char* key : {"salvo", "seed", "version", "trials", "generator", "question", "format", "cells", "grid"}) {
    if (value(key) != other.value(key)) return key;
  }
  return {};
}

}  // namespace salvo::jobs
