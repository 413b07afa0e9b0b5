// Body: the JSON of a request, and what all verbs read from it.
// In: text. Out: a catalogue with the cards of the body, options of an answer, a scenario.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "data/value.h"
#include "load/answer_keys.h"
#include "load/specs.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/request.h"
#include "salvo/scenario.h"

namespace salvo::api {

/// Messages about a body begin like those about standard input.
inline constexpr const char* kSource = "-";

/// Lowers what was not given to what is allowed. Throws PlanTooLarge where more than that was given.
void keep_within(const RequestOptions& limits, AnswerOptions& options);

class Body {
 public:
  /// Throws LoadError when the text is not a JSON object, or a card in it is not one.
  Body(const Catalogue& catalogue, std::string_view text, const RequestOptions& request);
  // It points into itself.
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  /// With the cards of the body.
  const Catalogue& catalogue() const { return own_ ? *own_ : shared_; }
  const RequestOptions& request() const { return request_; }

  /// The options of an answer, within what the request allows; `overrides` are empty. Throws LoadError and
  /// PlanTooLarge.
  AnswerOptions answer_options() const;
  /// rules, cards, objective, damage deck and policies: those of them that are given.
  Overrides overrides() const;
  /// The user's id, for the answer to repeat.
  std::optional<data::Value> id() const;

  /// Takes these keys out of the body; what remains is for read_scenario().
  data::Value take(const std::vector<std::string_view>& names) { return load::take_members(rest_, names); }
  /// What no one has taken.
  data::Value& rest() { return rest_; }
  /// The node of what remains.
  data::Node node() const { return {rest_, source_}; }
  const std::string& source() const { return source_; }

  /// The scenario that the rest is: its keys, or `attack` and `defend` in its place; with `among`. Call it once.
  Scenario take_scenario();

 private:
  void take_cards();

  const Catalogue& shared_;
  std::optional<Catalogue> own_;
  const RequestOptions& request_;
  const std::string source_ = kSource;
  data::Value rest_, answer_;
};

/// One text, or a list of them; empty where the member is not there.
std::vector<std::string> texts_of(const data::Node& table, std::string_view name);

/// The SPECs of a member, which the command line takes as an option of the same name.
load::GivenSpecs specs_of(const data::Node& table, const std::string& name);

/// The text of a member that is one of `allowed`. Throws LoadError.
std::optional<std::string> name_of(const data::Node& table, std::string_view name,
                                   const std::vector<std::string>& allowed);

/// An answer on one line, in the lines that were asked for.
std::string laid_out(std::string line, const RequestOptions& request);

}  // namespace salvo::api
