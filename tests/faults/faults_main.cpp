// salvo_faults: lets memory run out at every point of loading and answering. Each time the result must be an error or
// the right answer, and the same catalogue must answer the next question as if nothing had happened. In: nothing. Out:
// a line for each question; exit status 1 if anything else happened.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "salvo/catalogue.h"
#include "salvo/errors.h"
#include "salvo/request.h"

namespace {

std::atomic<std::int64_t> allocations = 0;
std::atomic<std::int64_t> fails_at = 0;  ///< the number of the allocation that fails; 0: none

/// The result of operator new: the memory, or nullptr.
void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::int64_t number = ++allocations;
  if (number == fails_at) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes > 0 ? bytes : 1);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const out = allocate(bytes, alignment)) return out;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t n) { return allocate_or_throw(n, 0); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 0); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 0); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace {

struct CompiledScenario {
  const char *name, *verb, *body;
  bool refused = false;  ///< the right answer is an error
};

constexpr CompiledScenario kQuestions[] = {
    {"tokens", "run",
     R"({"attack": ["3 focus lock", "2 calculate"], "defend": "2 focus evade hull=3", "would_add": true})"},
    {"cards", "run",
     R"({"attack": "pilot=lukeskywalker predator lock", "defend": "ship=tielnfighter evade focus", "would_add": true})"},
    {"deck", "run", R"({"attack": "2 focus", "defend": "1 hull=2 evade", "damage_deck": "core", "objective": "kill"})"},
    {"sampled", "run", R"({"attack": "3 focus lock", "defend": "2 evade", "engine": "sample", "trials": 5000})"},
    {"both", "run", R"({"attack": "3 focus", "defend": "2 evade hull=3", "engine": "both", "trials": 5000})"},
    {"own-card", "run",
     R"({"attack": "2 mine", "defend": "1", "card": ["id = \"mine\"\nkind = \"upgrade\"\n[[effect]]\nside = \"attacker\"\nat = \"attack-mod\"\nmay = true\ndo = [{ verb = \"reroll\", dice = \"attack\", n = 1 }]\n"]})"},
    {"advise", "advise", R"({"attack": "3 focus lock", "defend": "2 evade", "point": {"rolled": "hit focus blank"}})"},
    {"luck", "luck",
     R"({"attack": "3 focus", "defend": "2", "point": {"rolled": "hit focus blank", "spent": "focus", "defense_rolled": "evade blank"}})"},
    {"worth", "worth", R"({"attack": "2 focus", "defend": "1 evade hull=2"})"},
    {"order", "order", R"({"attack": ["2 focus", "1 lock"], "defend": "1 evade hull=2"})"},
    {"compare", "compare", R"({"items": ["2 focus", "3"], "defend": ["2"], "trials": 500})"},
    {"durability", "durability", R"({"defender": {"agility": 2, "hull": 2}, "attacker": {"dice": 3, "focus": 1}})"},
    {"hazard", "hazard", R"({"hazard": "asteroid", "ships": ["hull=4 shields=2"]})"},
    {"battle", "battle",
     R"({"mine": {"name": "red", "ships": {"a": {"attack": 2, "agility": 1, "hull": 2, "initiative": 3, "points": 4}}}, "theirs": {"name": "blue", "ships": {"b": {"attack": 2, "agility": 2, "hull": 1, "initiative": 2, "points": 3}}}, "flight": "range-2", "rounds": 2})"},
    {"upgrades", "upgrades", R"({"words": "predator"})"},
    {"mistake", "run", R"({"attack": "3 fokus", "defend": "2"})", true},
};

constexpr std::int64_t kEach = 40;    // allocations from the first one on that fail one by one
constexpr std::int64_t kPoints = 80;  // further ones, spread over the rest

const char* asked = "";

std::string answer_of(const salvo::Catalogue& catalogue, const CompiledScenario& question) {
  salvo::RequestOptions options;
  options.threads = 1;
  try {
    return salvo::answer_request(catalogue, question.verb, question.body, options);
  } catch (const salvo::Error&) {
    return salvo::request_error();
  }
}

/// The answer when allocation `number` fails, or nothing after an out-of-memory error.
std::string answer_with(const salvo::Catalogue& catalogue, const CompiledScenario& question, std::int64_t number) {
  std::string out;
  allocations = 0;
  fails_at = number;
  try {
    out = answer_of(catalogue, question);
  } catch (const std::bad_alloc&) {
  }
  fails_at = 0;
  return out;
}

/// The text without the line of this key.
std::string without(std::string_view key, const std::string& answer) {
  const std::size_t at = answer.find(std::string("\"") + std::string(key));
  if (at == std::string::npos) return answer;
  const std::size_t begin = answer.rfind('\n', at), end = answer.find('\n', at);
  return answer.substr(0, begin) + answer.substr(end);
}

constexpr std::string_view kNoMemory =
    "the exact engine needs more memory than there is; lower the budget, or sample it";

/// The error if the question cannot be sampled instead.
std::string refusal() {
  return "{\n  \"error\": {\n    \"place\": \"\",\n    \"message\": \"" + std::string(kNoMemory) +
         "\",\n    \"status\": 3\n  }\n}\n";
}

/// The results allowed when memory is short at some point of answering, besides the out-of-memory error.
class Accepted {
 public:
  Accepted(const salvo::Catalogue& catalogue, const CompiledScenario& question, std::string right)
      : catalogue_(catalogue), question_(question), right_(std::move(right)) {}

  const std::string& right() const { return right_; }

  bool holds(const std::string& answer) {
    // The effect of a damage deck is left out if it takes too much memory.
    if (answer.empty() || answer == right_ || answer == without("core_would_add", right_)) return true;
    if (answer == refusal()) return true;
    // Memory was short while another error was reported.
    if (question_.refused && answer.find("the question needs more memory than there is") != std::string::npos)
      return true;
    return std::string_view(question_.verb) == "run" && is_sampled(answer);
  }

 private:
  /// Whether it is the answer of a sampled question with the resulting policy, and says why it is sampled.
  bool is_sampled(const std::string& answer) {
    if (sampled_.empty()) {
      sampled_.push_back(sampled_with(""));
      sampled_.push_back(sampled_with(R"(, "attacker_policy": "greedy", "defender_policy": "greedy")"));
    }
    const std::string reason = "\"engine_reason\": \"" + std::string(kNoMemory);
    const bool greedy = answer.find(reason + "; the default policy became greedy\"") != std::string::npos;
    if (!greedy && answer.find(reason + "\"") == std::string::npos) return false;
    return without("engine_reason", answer) == sampled_[greedy ? 1 : 0];
  }

  std::string sampled_with(const std::string& keys) const {
    std::string body = question_.body;
    body.pop_back();
    if (body.find("\"engine\"") == std::string::npos) body += R"(, "engine": "sample")";
    body += keys + "}";
    return without("engine_reason", answer_of(catalogue_, {question_.name, question_.verb, body.c_str()}));
  }

  const salvo::Catalogue& catalogue_;
  const CompiledScenario& question_;
  std::string right_;
  std::vector<std::string>
      sampled_;  ///< with the policies of the question, and with greedy ones; empty: not computed yet
};

std::int64_t point(std::int64_t i, std::int64_t all) {
  return i <= kEach ? i : kEach + (all - kEach) * (i - kEach) / kPoints;
}

/// False if a failure led to anything but an out-of-memory error or the right answer. `fresh`: files are read again
/// each time.
bool try_question(const CompiledScenario& question, bool fresh) {
  auto catalogue = std::make_unique<salvo::Catalogue>(SALVO_SOURCE_DIR "/profiles");
  const salvo::Catalogue undisturbed(SALVO_SOURCE_DIR "/profiles");
  Accepted accepted(undisturbed, question, answer_of(undisturbed, question));
  const std::string& right = accepted.right();
  if ((right.find("\"error\"") != std::string::npos) != question.refused) {
    std::printf("%s: not the answer that was meant\n%s\n", question.name, right.c_str());
    return false;
  }
  if (!fresh) static_cast<void>(answer_of(*catalogue, question));  // fills its caches
  static_cast<void>(answer_with(*catalogue, question, 0));
  const std::int64_t all = allocations;
  std::int64_t errors = 0, tried = 0, last = 0;
  for (std::int64_t i = 1; i <= kEach + kPoints && last < all; ++i) {
    const std::int64_t number = std::min(all, point(i, std::max(all, kEach + kPoints)));
    last = number;
    ++tried;
    if (fresh) catalogue = std::make_unique<salvo::Catalogue>(SALVO_SOURCE_DIR "/profiles");
    const std::string got = answer_with(*catalogue, question, number);
    if (got != right) ++errors;
    if (!accepted.holds(got)) {
      std::printf("%s: allocation %lld fails, and the answer is\n%s\n", question.name, static_cast<long long>(number),
                  got.c_str());
      return false;
    }
    const std::string after = answer_of(*catalogue, question);
    if (after != right) {
      std::printf("%s: after allocation %lld failed, the next answer is\n%s\n", question.name,
                  static_cast<long long>(number), after.c_str());
      return false;
    }
  }
  std::printf("%-10s %s: %lld allocations, %lld of them failed, %lld errors\n", question.name,
              fresh ? "fresh " : "cached", static_cast<long long>(all), static_cast<long long>(tried),
              static_cast<long long>(errors));
  return errors > 0;  // otherwise no allocation failed
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::set_terminate([] {
    std::fprintf(stderr, "%s: the program ended when allocation %lld failed\n", asked,
                 static_cast<long long>(fails_at));
    std::abort();
  });
  bool good = true;
  for (const CompiledScenario& question : kQuestions) {
    if (argc > 1 && std::string_view(argv[1]) != question.name) continue;
    asked = question.name;
    good = try_question(question, false) && good;
  }
  if (argc > 1) return good ? 0 : 1;
  // Loading takes most of the time of this one.
  asked = kQuestions[1].name;
  good = try_question(kQuestions[1], true) && good;
  return good ? 0 : 1;
}
