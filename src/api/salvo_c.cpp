// The C interface; exceptions become error texts here.
#include "salvo/salvo_c.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/complete_module.h"
#include "data/profiles.h"
#include "salvo/catalogue.h"
#include "salvo/errors.h"
#include "salvo/failure.h"
#include "salvo/request.h"
#include "salvo/version.h"

struct salvo_engine {
  explicit salvo_engine(salvo::Catalogue from) : catalogue(std::move(from)) {}
  const salvo::Catalogue catalogue;
  std::atomic<std::uint32_t> cancelled = 0;  ///< number of calls of salvo_cancel()
};

namespace salvo::api {
namespace {

constexpr int kInternalError = 4, kExtraPackNeeded = 5, kCompleteModuleNeeded = 6;

/// A null-terminated copy for the caller to free; null: out of memory.
char* copy_of(std::string_view text) {
  char* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out == nullptr) return nullptr;
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  out[text.size()] = '\0';
  return out;
}

/// A missing argument is reported like any other invalid question.
void need(const void* argument, const char* name) {
  if (argument == nullptr) throw ScenarioError(name, "it is NULL");
}

/// The status of the current exception.
int status_of_failure() {
  try {
    throw;
  } catch (const data::FurtherPackNeeded&) {
    return kExtraPackNeeded;
  } catch (const base::CompleteModuleNeeded&) {
    return kCompleteModuleNeeded;
  } catch (...) {
  }
  try {
    return status_of(current_failure().kind);
  } catch (...) {
    return kInternalError;
  }
}

/// The current error as text for the caller; null: out of memory.
char* error_text(std::size_t* size) {
  try {
    const std::string text = request_error();
    char* const out = copy_of(text);
    if (size != nullptr) *size = out == nullptr ? 0 : text.size();
    return out;
  } catch (...) {
    return nullptr;
  }
}

template <typename Make>
salvo_engine* open(char** error, Make make) {
  if (error != nullptr) *error = nullptr;
  try {
    return new salvo_engine(make());
  } catch (...) {
    if (error != nullptr) *error = error_text(nullptr);
    return nullptr;
  }
}

}  // namespace
}  // namespace salvo::api

extern "C" {

const char* salvo_version(void) {
  static const std::string version = salvo::build_info().version;
  return version.c_str();
}

salvo_engine* salvo_open(const char* profiles, char** error) {
  return salvo::api::open(error, [&] { return profiles == nullptr ? salvo::Catalogue() : salvo::Catalogue(profiles); });
}

salvo_engine* salvo_open_pack(const void* bytes, size_t size, char** error) {
  return salvo::api::open(error, [&] {
    if (size > 0) salvo::api::need(bytes, "bytes");
    return salvo::Catalogue::of_pack(std::string(static_cast<const char*>(bytes), size));
  });
}

int salvo_add_pack(salvo_engine* engine, const void* bytes, size_t size, char** error) {
  if (error != nullptr) *error = nullptr;
  try {
    salvo::api::need(engine, "engine");
    if (size > 0) salvo::api::need(bytes, "bytes");
    engine->catalogue.profiles().add_pack(std::string(static_cast<const char*>(bytes), size));
    return 0;
  } catch (...) {
    const int status = salvo::api::status_of_failure();
    if (error != nullptr) *error = salvo::api::error_text(nullptr);
    return status;
  }
}

void salvo_close(salvo_engine* engine) { delete engine; }

int salvo_request(salvo_engine* engine, const char* verb, const char* body, size_t body_size, char** answer,
                  size_t* answer_size) {
  return salvo_request_progress(engine, verb, body, body_size, nullptr, nullptr, answer, answer_size);
}

int salvo_request_progress(salvo_engine* engine, const char* verb, const char* body, size_t body_size,
                           salvo_progress progress, void* context, char** answer, size_t* answer_size) {
  if (answer_size != nullptr) *answer_size = 0;
  if (answer == nullptr)
    return salvo::status_of(salvo::ErrorKind::InvalidInput);  // there is nowhere to put an answer or an error
  *answer = nullptr;
  try {
    salvo::api::need(engine, "engine");
    salvo::api::need(verb, "verb");
    if (body_size > 0) salvo::api::need(body, "body");
    salvo::RequestOptions options;
    const std::uint32_t before = engine->cancelled;
    options.progress = [=](std::uint64_t done, std::uint64_t planned) {
      const bool go_on = progress == nullptr || progress(context, done, planned) != 0;
      return go_on && engine->cancelled == before;
    };
    const std::string text = salvo::answer_request(engine->catalogue, verb, {body, body_size}, options);
    *answer = salvo::api::copy_of(text);
    if (*answer == nullptr) return salvo::api::kInternalError;
    if (answer_size != nullptr) *answer_size = text.size();
    return 0;
  } catch (...) {
    const int status = salvo::api::status_of_failure();
    *answer = salvo::api::error_text(answer_size);
    return status;
  }
}

void salvo_cancel(salvo_engine* engine) {
  if (engine != nullptr) ++engine->cancelled;
}

void salvo_free(char* text) { std::free(text); }

}  // extern "C"
