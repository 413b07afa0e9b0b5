// The JSON schema of requests, made from the fields of questions.
#pragma once

#include <string>

#include "questions/question.h"

namespace salvo::questions {

/// The schema of the bodies of a question, on one line. It refers to the definitions of
/// docs/schemas/request.schema.json: tokens, ship, attack, round, xws.
std::string schema_of(const Question& question);

}  // namespace salvo::questions
