// The verbs of requests: each reads its body, calls the library and returns JSON.
#pragma once

#include <string>

#include "api/body.h"

namespace salvo::api {

std::string run(Body& body);
std::string advise(Body& body);
std::string luck(Body& body);
std::string review(Body& body);
std::string worth(Body& body);
std::string order(Body& body);

std::string battle(Body& body);
std::string gauntlet(Body& body);

std::string cards(Body& body);

}  // namespace salvo::api
