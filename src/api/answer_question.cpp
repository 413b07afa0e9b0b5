#include "api/answer_question.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/file.h"
#include "data/message.h"
#include "load/load.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;

PlanTooLarge over_limit(const char* key, const std::string& words, double asked, double most) {
  PlanTooLarge out(words, asked, most);
  out.path = key;
  return out;
}

/// A policy whose name ends like a file name would be read as a file.
void check_policy_names(const Node& table) {
  for (const char* key : {"attacker_policy", "defender_policy"}) {
    const auto policy = table.get(key);
    if (policy && policy->is(Value::Kind::Text) && load::is_policy_file(policy->value().text))
      policy->fail("a request reads no files; write optimal, greedy or hold");
  }
}

Value parse_body(std::string_view text, const std::string& source) {
  Value out = data::parse_json(data::check_text(text, source), source);
  const Node body(out, source);
  if (out.kind != Value::Kind::Table) body.fail_kind("an object with the keys of docs/format.md");
  check_policy_names(body);
  return out;
}

}  // namespace

std::optional<Catalogue> read_body(questions::Common& common, const questions::FieldList& list,
                                   const Catalogue& catalogue, std::string_view text, const RequestOptions& request) {
  const std::string source = "-";  // as standard input
  Value tree = parse_body(text, source);
  common.answer.threads = request.threads;
  questions::read(std::move(tree), source, list);
  keep_within(request, common.answer);
  if (common.cards.empty()) return std::nullopt;
  std::optional<Catalogue> own = catalogue;
  for (std::size_t i = 0; i < common.cards.size(); ++i) {
    const std::string place = fmt::format("card[{}]", i);
    data::within(place, [&] { own->add_card_text(common.cards[i], place); });
  }
  return own;
}

std::string answer_question(const questions::Question& question, const Catalogue& catalogue, std::string_view text,
                            const RequestOptions& request) {
  const questions::OpenQuestion asked = question.begin(false);
  questions::Common& common = *asked.common;
  common.answer.progress = question.working != nullptr ? request.progress : nullptr;
  common.line = request.line;
  common.equilibrium = request.equilibrium;
  const std::optional<Catalogue> own = read_body(common, *asked.list, catalogue, text, request);
  return asked.ask(own ? *own : catalogue).json();
}

void keep_within(const RequestOptions& limits, AnswerOptions& options) {
  if (limits.max_threads && (options.threads == 0 || options.threads > *limits.max_threads))
    options.threads = *limits.max_threads;
  if (limits.max_budget && options.budget.value_or(0) > *limits.max_budget) {
    const double most = *limits.max_budget;
    throw over_limit("budget", fmt::format("at most {:.0f} is allowed here; leave it out or ask for less", most),
                     *options.budget, most);
  }
  if (limits.max_budget && !options.budget) options.budget = std::min(*limits.max_budget, 5e6);
  if (limits.max_trials && options.trials.value_or(0) > *limits.max_trials) {
    throw over_limit("trials",
                     fmt::format("at most {} are allowed here; leave them out or ask for fewer", *limits.max_trials),
                     static_cast<double>(*options.trials), static_cast<double>(*limits.max_trials));
  }
  // A precision takes as many trials as it needs, within the allowed work.
  const bool open = options.precision && !limits.max_work;
  if (limits.max_trials && !options.trials && (open || (!options.precision && *limits.max_trials < kDefaultTrials)))
    options.trials = *limits.max_trials;
}

}  // namespace salvo::api
