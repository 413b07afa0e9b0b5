// Shard: see shard.h.
#include "cli/shard.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/options.h"
#include "load/file.h"
#include "salvo/version.h"

namespace salvo::cli {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;

/// Floor of all * k / of, without overflow: both factors are below 2^63, and of is small.
std::uint64_t part(std::uint64_t all, std::uint64_t k, std::uint64_t of) { return all / of * k + all % of * k / of; }

}  // namespace

std::pair<std::uint64_t, std::uint64_t> Shard::cells(std::uint64_t all) const {
  return {part(all, number - 1, of), part(all, number, of)};
}

Shard parse_shard(const std::string& option, const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("{}: {} is not I/N, as 2/8 for the second of eight", option, in_quotes(text)));
  Shard out;
  out.of = parse_count(option, text.substr(slash + 1), 1, kMostShards);
  out.number = parse_count(option, text.substr(0, slash), 1, out.of);
  return out;
}

ShardIdentity::ShardIdentity(const Shard& shard, const std::string& sweep, std::uint64_t seed) {
  const BuildInfo info = build_info();
  text_ = fmt::format("{}seed {}\nversion {} {}\nshard {}/{}\n", sweep, seed, info.version, info.commit, shard.number,
                      shard.of);
}

ShardIdentity ShardIdentity::of_file(const std::string& path) {
  ShardIdentity out;
  if (load::is_file(path) && load::is_file(path + ".grid")) out.text_ = load::read_file(path + ".grid");
  if (out.value("shard").empty()) {
    throw UsageError(fmt::format(
        "{} is not a shard of a sweep; name files of salvo sweep --shard I/N --out FILE, whose FILE.grid is "
        "beside them",
        in_quotes(path)));
  }
  return out;
}

std::string ShardIdentity::value(const std::string& key) const {
  const std::string text = "\n" + text_;
  const std::size_t at = text.find("\n" + key + " ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + key.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

Shard ShardIdentity::shard() const { return parse_shard("shard", value("shard")); }

std::string ShardIdentity::difference(const ShardIdentity& other) const {
  for (const char* key : {"seed", "version", "format", "cells", "grid"}) {  // the grid depends on the seed
    if (value(key) != other.value(key)) return key;
  }
  return {};
}

}  // namespace salvo::cli
