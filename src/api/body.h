// The JSON body of a request, and what all verbs read from it. In: text. Out: a catalogue with the cards of the body,
// answer options, a scenario.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "data/value.h"
#include "load/answer_keys.h"
#include "load/specs.h"
#include "questions/question.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/request.h"
#include "salvo/scenario.h"

namespace salvo::api {

/// Messages about a body have the same source as those about standard input.
inline constexpr const char* kSource = "-";

/// Caps defaults at the limits. Throws PlanTooLarge if the body asks for more.
void keep_within(const RequestOptions& limits, AnswerOptions& options);

/// The answer to a described question, as JSON. Throws LoadError, ScenarioError and PlanTooLarge.
std::string answer_question(const questions::Question& question, const Catalogue& catalogue, std::string_view text,
                            const RequestOptions& request);

class Body {
 public:
  /// Throws LoadError if the text is not a JSON object, or contains an invalid card.
  Body(const Catalogue& catalogue, std::string_view text, const RequestOptions& request);
  // Not copyable, since members refer to each other.
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  /// Includes the cards of the body.
  const Catalogue& catalogue() const { return own_ ? *own_ : shared_; }
  const RequestOptions& request() const { return request_; }

  /// The answer options, within the limits of the request; `overrides` are empty. Throws LoadError and PlanTooLarge.
  AnswerOptions answer_options() const;
  /// Rules, cards, objective, damage deck and policies, as far as they are given.
  Overrides overrides() const;
  /// The user's id, which the answer repeats.
  std::optional<data::Value> id() const;

  /// Removes these keys from the body; read_scenario() gets the rest.
  data::Value take(const std::vector<std::string_view>& names) { return load::take_members(rest_, names); }
  /// The keys that have not been taken.
  data::Value& rest() { return rest_; }
  /// The node of the rest.
  data::Node node() const { return {rest_, source_}; }
  const std::string& source() const { return source_; }

  /// The scenario in the rest: its keys, or `attack` and `defend` instead; with `among`. Call it once. `may_be_roll`:
  /// one SPEC alone is a roll (Scenario::roll).
  Scenario take_scenario(bool may_be_roll = false);

 private:
  void take_cards();

  const Catalogue& shared_;
  std::optional<Catalogue> own_;
  const RequestOptions& request_;
  const std::string source_ = kSource;
  data::Value rest_, answer_;
};

/// One text, or a list of them; empty if there is no such member.
std::vector<std::string> texts_of(const data::Node& table, std::string_view name);

/// The SPECs of a member; the command line has an option of the same name.
load::GivenSpecs specs_of(const data::Node& table, const std::string& name);

/// The text of a member that is one of `allowed`. Throws LoadError.
std::optional<std::string> name_of(const data::Node& table, std::string_view name,
                                   const std::vector<std::string>& allowed);

/// An answer given as one line, formatted as the request asks.
std::string laid_out(std::string line, const RequestOptions& request);

}  // namespace salvo::api
