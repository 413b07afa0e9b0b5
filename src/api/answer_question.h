// Answers requests: a question as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "questions/question.h"
#include "salvo/answer.h"
#include "salvo/catalogue.h"
#include "salvo/request.h"

namespace salvo::api {

/// Caps defaults at the limits. Throws PlanTooLarge if the body asks for more.
void keep_within(const RequestOptions& limits, AnswerOptions& options);

/// Reads a body into the fields, which are those of `common`, within the limits. Returns the catalogue with the cards
/// of the body, if it has any. Throws LoadError and PlanTooLarge.
std::optional<Catalogue> read_body(questions::Common& common, const questions::FieldList& list,
                                   const Catalogue& catalogue, std::string_view text, const RequestOptions& request);

/// The answer to a described question, as JSON. Throws LoadError, ScenarioError and PlanTooLarge.
std::string answer_question(const questions::Question& question, const Catalogue& catalogue, std::string_view text,
                            const RequestOptions& request);

}  // namespace salvo::api
