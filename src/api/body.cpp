#include "api/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "answers/options.h"
#include "data/file.h"
#include "data/message.h"
#include "load/load.h"
#include "load/scenario_tree.h"
#include "load/specs.h"
#include "report/json_writer.h"
#include "salvo/load.h"
#include "sample/sample.h"

namespace salvo::api {
namespace {

using data::Node;
using data::Value;
using load::GivenSpecs;

/// Option keys that a line of a batch does not have.
constexpr std::string_view kMoreKeys[] = {"generator", "certify", "count_tokens", "threads"};

std::vector<std::string_view> option_keys() {
  std::vector<std::string_view> out = load::answer_keys();
  out.insert(out.end(), std::begin(kMoreKeys), std::end(kMoreKeys));
  return out;
}

PlanTooLarge over_limit(const char* key, const std::string& words, double asked, double most) {
  PlanTooLarge out(words, asked, most);
  out.path = key;
  return out;
}

/// A policy whose name ends like a file name would be read as a file.
void refuse_policy_files(const Node& table) {
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
  refuse_policy_files(body);
  return out;
}

}  // namespace

std::string answer_question(const questions::Question& question, const Catalogue& catalogue, std::string_view text,
                            const RequestOptions& request) {
  const std::string source = kSource;
  const Value tree = parse_body(text, source);
  const questions::OpenQuestion asked = question.begin(false);
  questions::Common& common = *asked.common;
  common.answer.threads = request.threads;
  questions::read(Node(tree, source), *asked.list);
  keep_within(request, common.answer);
  if (common.cards.empty()) return asked.ask(catalogue).json();
  Catalogue own = catalogue;
  for (std::size_t i = 0; i < common.cards.size(); ++i) {
    const std::string place = fmt::format("card[{}]", i);
    data::within(place, [&] { own.add_card_text(common.cards[i], place); });
  }
  return asked.ask(own).json();
}

Body::Body(const Catalogue& catalogue, std::string_view text, const RequestOptions& request)
    : shared_(catalogue), request_(request) {
  rest_ = parse_body(text, source_);
  take_cards();
  answer_ = take(option_keys());
}

void Body::take_cards() {
  const Value taken = take({"card"});
  const auto cards = Node(taken, source_).get("card");
  if (!cards) return;
  cards->need_array("a list of cards, each a text in TOML");
  own_.emplace(shared_);
  for (const Node& card : cards->children()) {
    if (!card.is(Value::Kind::Text)) card.fail_kind("a card as a text in TOML");
    data::within(card.path(), [&] { own_->add_card_text(card.value().text, card.path()); });
  }
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

AnswerOptions Body::answer_options() const {
  const Node table(answer_, source_);
  const load::AnswerKeys keys = load::read_answer_keys(table);
  AnswerOptions out;
  out.engine = keys.engine;
  out.trials = keys.trials;
  out.seed = keys.seed.value_or(out.seed);
  out.precision = keys.precision;
  out.budget = keys.budget;
  table.read("certify", out.certify);
  table.read("count_tokens", out.count_tokens);
  if (const auto generator = table.get("generator")) out.generator = generator->one_of(sample::generator_names());
  out.threads = request_.threads;
  table.read("threads", 0, kMaxThreads, out.threads);
  keep_within(request_, out);
  return out;
}

Overrides Body::overrides() const {
  Overrides out;
  const Node table = node();
  table.read("rules", out.rules);
  table.read("cards", out.cards);
  if (out.cards && std::find(Catalogue::card_sets().begin(), Catalogue::card_sets().end(), *out.cards) ==
                       Catalogue::card_sets().end())
    table.get("cards")->one_of(Catalogue::card_sets());
  table.read("objective", out.objective);
  table.read("damage_deck", out.damage_deck);
  table.read("attacker_policy", out.attacker_policy);
  table.read("defender_policy", out.defender_policy);
  return out;
}

std::optional<Value> Body::id() const { return load::read_answer_keys(Node(answer_, source_)).id; }

Scenario Body::take_scenario(bool may_be_roll) {
  const Value taken = take({"attack", "defend", "return", "among"});
  const Node own(taken, source_);
  const GivenSpecs attacks = specs_of(own, "attack"), defenders = specs_of(own, "defend");
  const GivenSpecs returns = specs_of(own, "return");
  const std::vector<std::string> among = texts_of(own, "among");
  if (attacks.list.empty() && defenders.list.empty()) {
    if (!returns.list.empty())
      own.get("return")->fail("it goes with attack and defend; a scenario lists the return fire among its attacks");
    Scenario out = load::read_scenario(rest_, source_);
    if (!among.empty()) answers::choose_among(among, out);
    return out;
  }
  const bool roll = may_be_roll && attacks.list.size() + defenders.list.size() == 1;
  if (roll && !returns.list.empty()) own.get("return")->fail("it goes with attack and defend; leave it out");
  if (!roll && defenders.list.empty()) own.get("attack")->fail("say who is shot at: defend, as \"2 focus\"");
  if (!roll && attacks.list.empty()) own.get("defend")->fail("say who shoots: attack, as \"3 focus\"");
  if (!among.empty()) own.get("among")->fail("it names ships of a scenario; with SPECs give several to defend");
  node().allow_only({"rules", "cards", "objective", "damage_deck", "attacker_policy", "defender_policy", "rounds"});
  const Overrides given = overrides();
  Scenario out = load::scenario_from_specs(catalogue(), given.rules.value_or(Scenario().rules),
                                           given.cards.value_or(""), attacks, defenders);
  if (!returns.list.empty()) load::add_return_fire(catalogue(), returns, out);
  int rounds = 1;
  node().read("rounds", 1, kMaxRounds, rounds);
  repeat_attacks(out, rounds);
  if (given.objective) out.objective = *given.objective;
  if (given.damage_deck) out.damage_deck = *given.damage_deck;
  if (given.attacker_policy) out.attacker_policy = given.attacker_policy;
  if (given.defender_policy) out.defender_policy = given.defender_policy;
  return out;
}

std::vector<std::string> texts_of(const Node& table, std::string_view name) {
  const auto member = table.get(name);
  if (!member) return {};
  if (member->is(Value::Kind::Text)) return {member->value().text};
  return member->texts();
}

GivenSpecs specs_of(const Node& table, const std::string& name) {
  const bool defender = name == "defend";
  return load::specs_of_key(name, "--" + name, texts_of(table, name),
                            defender ? load::Numbered::IfSeveral : load::Numbered::Always);
}

std::optional<std::string> name_of(const Node& table, std::string_view name, const std::vector<std::string>& allowed) {
  const auto member = table.get(name);
  return member ? std::optional(member->one_of(allowed)) : std::nullopt;
}

std::string laid_out(std::string line, const RequestOptions& request) {
  return request.line ? std::move(line) : report::page_of_line(line);
}

}  // namespace salvo::api
