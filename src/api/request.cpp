#include "salvo/request.h"

#include <algorithm>
#include <iterator>

#include "api/body.h"
#include "api/verbs.h"
#include "base/text.h"
#include "base/work_limit.h"
#include "generated/features.h"
#include "report/json_writer.h"
#include "salvo/failure.h"

namespace salvo {
namespace {

struct Handler {
  const char* name;
  std::string (*answer)(api::Body& body);
};

#if !SALVO_HAS_BATTLES
std::string without_battles(api::Body&) {
  throw ScenarioError("verb", "salvo was built without battles; build it with -DSALVO_BATTLES=ON");
}
#endif

constexpr Handler kVerbs[] = {
    {"run", api::run},       {"advise", api::advise},     {"worth", api::worth}, {"order", api::order},
#ifndef SALVO_FIRST_VISIT  // the first of two modules in WebAssembly: what the page asks first
    {"luck", api::luck},     {"review", api::review},     {"cards", api::cards},
#if SALVO_HAS_BATTLES
    {"battle", api::battle}, {"gauntlet", api::gauntlet},
#else
    {"battle", without_battles}, {"gauntlet", without_battles},
#endif
#endif
};

}  // namespace

const std::vector<std::string>& request_verbs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Handler& one : kVerbs) out.emplace_back(one.name);
    for (const questions::Question* one : questions::all()) out.emplace_back(one->name);
    return out;
  }();
  return names;
}

std::string answer_request(const Catalogue& catalogue, std::string_view verb, std::string_view body,
                           const RequestOptions& options) {
  const auto* const found =
      std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Handler& one) { return one.name == verb; });
  const base::WorkLimit limit(options.max_work, options.unwanted);
  if (const questions::Question* question = questions::find(verb))
    return api::answer_question(*question, catalogue, body, options);
  if (found == std::end(kVerbs)) throw ScenarioError("verb", base::unknown("verb", std::string(verb), request_verbs()));
  api::Body read(catalogue, body, options);
  return found->answer(read);
}

std::string request_error(bool line) {
  Failure failure;
  try {
    failure = current_failure();
  } catch (const std::exception& error) {  // a system error
    failure = {ErrorKind::Internal, "", error.what(), error.what()};
  }
  const auto write = [&](report::JsonWriter& json) {
    json.object("error", [&] {
      json.member("place", failure.place);
      json.member("message", failure.message);
      json.member("status", status_of(failure.kind));
    });
  };
  return line ? report::json_line(write) : report::json_page(write);
}

}  // namespace salvo
