#include "serve/routes.h"

#include <algorithm>
#include <utility>

#include "salvo/request.h"

namespace salvo::serve {
namespace {

PageFile text_file(std::string text) {
  std::string tag = entity_tag(text);
  return {std::make_shared<const std::string>(std::move(text)), kJson, std::move(tag), false};
}

}  // namespace

Routes::Routes(const Options& options) {
  if (!options.page.empty()) page_ = read_page(options.page);
  texts_["/openapi.json"] = text_file(std::string(openapi_json()));
  texts_["/problems"] = text_file(problem_kinds_json());
}

Route Routes::find(std::string_view path) const {
  if (path.starts_with("/v1/")) {
    const std::string_view verb = path.substr(4);
    if (verb == "batch") return {Route::Kind::Batch, "batch", nullptr, "POST, OPTIONS"};
    const auto& verbs = request_verbs();
    const auto found = std::find(verbs.begin(), verbs.end(), verb);
    if (found != verbs.end()) return {Route::Kind::Question, *found, nullptr, "GET, HEAD, POST, OPTIONS"};
    return {Route::Kind::Nothing, "none"};
  }
  if (path == "/healthz") return {Route::Kind::Health, "healthz"};
  if (path == "/metrics") return {Route::Kind::Metrics, "metrics"};
  if (const auto text = texts_.find(path); text != texts_.end())
    return {Route::Kind::Text, text->first == "/problems" ? "problems" : "openapi", &text->second};
  if (const auto file = page_.find(path); file != page_.end()) return {Route::Kind::File, "page", &file->second};
  return {Route::Kind::Nothing, "none"};
}

}  // namespace salvo::serve
