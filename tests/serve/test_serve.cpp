// The parts of the server that need no network: turns, the response cache, addresses, problems.
#if __has_include("serve/worker_pool.h")

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "salvo/errors.h"
#include "serve/address.h"
#include "serve/cost_hint.h"
#include "serve/metrics.h"
#include "serve/problem.h"
#include "serve/response_cache.h"
#include "serve/worker_pool.h"

namespace {

using namespace salvo::serve;
using namespace std::chrono_literals;

/// A queue whose jobs record their names.
struct Named {
  FairQueue queue;
  std::string played, dropped;
  void push(const std::string& client, std::uint64_t connection, char name) {
    queue.push(client, connection, {[this, name] { played += name; }, [this, name] { dropped += name; }});
  }
  std::string all() {
    while (auto job = queue.pop()) job->run();
    return played;
  }
};

std::shared_ptr<const std::string> text(std::string words) {
  return std::make_shared<const std::string>(std::move(words));
}

}  // namespace

TEST_CASE("clients and their connections take turns", "[serve]") {
  Named named;
  for (const char name : {'a', 'b', 'c', 'd'}) named.push("greedy", 1, name);
  for (const char name : {'e', 'f'}) named.push("greedy", 2, name);
  named.push("modest", 3, 'x');
  named.push("modest", 4, 'y');
  CHECK(named.queue.size() == 8);
  CHECK(named.queue.size_of("greedy") == 6);
  CHECK(named.all() == "axeybfcd");
  CHECK(named.queue.size() == 0);
  CHECK(named.queue.size_of("greedy") == 0);
}

TEST_CASE("the client with the most waiting jobs gives way", "[serve]") {
  Named named;
  for (const char name : {'a', 'b', 'c'}) named.push("greedy", 1, name);
  named.push("greedy", 2, 'd');
  named.push("modest", 3, 'x');
  CHECK_FALSE(named.queue.take_from_largest(4));
  named.queue.take_from_largest(3)->drop();
  CHECK(named.dropped == "c");  // the newest job of the connection with the most
  CHECK(named.all() == "axdb");
  CHECK_FALSE(named.queue.take_from_largest(0));
}

TEST_CASE("a long job makes room for another", "[serve]") {
  WorkerPool workers(1, 1, 10);
  std::atomic<bool> end = false;
  std::atomic<int> quick = 0;
  REQUIRE(workers.add("a", 1,
                      {[&] {
                         while (!end) std::this_thread::sleep_for(1ms);
                       },
                       [] {}}));
  for (std::uint64_t i = 0; i < 5; ++i) REQUIRE(workers.add("a", 2 + i, {[&] { ++quick; }, [] {}}));
  for (int i = 0; i < 2000 && quick < 5; ++i) std::this_thread::sleep_for(1ms);
  CHECK(quick == 5);
  CHECK(workers.state().long_running == 1);
  CHECK_FALSE(workers.idle());
  end = true;
  for (int i = 0; i < 2000 && !workers.idle(); ++i) std::this_thread::sleep_for(1ms);
  CHECK(workers.idle());
}

TEST_CASE("a job that waits behind several long ones begins although nothing else happens", "[serve]") {
  std::atomic<bool> end = false, played = false;
  WorkerPool workers(1, 2, 10);
  const Job blocks{[&] {
                     while (!end) std::this_thread::sleep_for(1ms);
                   },
                   [] {}};
  REQUIRE(workers.add("a", 1, blocks));
  REQUIRE(workers.add("b", 2, blocks));
  REQUIRE(workers.add("c", 3, {[&] { played = true; }, [] {}}));
  for (int i = 0; i < 5000 && !played; ++i) std::this_thread::sleep_for(1ms);
  CHECK(played);
  end = true;
}

TEST_CASE("the queue of jobs is bounded, and jobs waiting at shutdown are dropped", "[serve]") {
  std::atomic<bool> end = false;
  std::atomic<int> played = 0, dropped = 0;
  {
    WorkerPool workers(1, 0, 3);
    const Job blocks{[&] {
                       while (!end) std::this_thread::sleep_for(1ms);
                     },
                     [] {}};
    const Job job{[&] { ++played; }, [&] { ++dropped; }};
    REQUIRE(workers.add("a", 1, blocks));
    for (int i = 0; i < 2000 && workers.state().running == 0; ++i) std::this_thread::sleep_for(1ms);
    for (std::uint64_t i = 0; i < 3; ++i) CHECK(workers.add("a", 2 + i, job));
    CHECK_FALSE(workers.add("a", 9, job));
    CHECK(dropped == 0);
    CHECK(workers.add("b", 10, job));  // in place of one of the three
    CHECK(dropped == 1);
    CHECK(workers.state().queued == 3);
    std::thread later([&] {
      std::this_thread::sleep_for(20ms);
      end = true;
    });
    later.detach();
  }
  CHECK(played + dropped == 4);
  CHECK(dropped == 4);
}

TEST_CASE("equal questions have one form", "[serve]") {
  const auto form = [](const char* body) { return canonical_question("run", body).value_or("none"); };
  CHECK(form(R"({"b": [1, 2.50, "x\u0041"], "a": {"d": null, "c": true}})") ==
        "run\n{\"a\":{\"c\":true,\"d\":null},\"b\":[1,2.50,\"xA\"]}");
  CHECK(form(R"({"a": 1, "threads": 3})") == form(R"({"threads": 0, "a": 1})"));
  CHECK(form(R"({"a": {"threads": 3}})") != form(R"({"a": {}})"));
  CHECK(form(R"({"a": 18446744073709551615})") != form(R"({"a": 18446744073709551614})"));
  CHECK(form(R"({"a": 1})") != form(R"({"a": "1"})"));
  CHECK(form(R"({"a": ["b"]})") != form(R"({"a": "b"})"));
  CHECK(form("[1]") == "none");
  CHECK(form(R"({"a": 1, "a": 2})") == "none");
}

TEST_CASE("the response cache holds the last used answers within its bytes", "[serve]") {
  ResponseCache cache(16'000);
  CHECK(cache.find("one", true) == nullptr);
  cache.store("one", text("1"));
  CHECK(*cache.find("one", true) == "1");
  cache.store("one", text("2"));  // the same question has one answer
  CHECK(*cache.find("one", true) == "2");
  cache.store("huge", text(std::string(3000, 'x')));
  CHECK(cache.find("huge", true) == nullptr);
  for (int i = 0; i < 100; ++i) {
    cache.store(std::to_string(i), text(std::string(500, 'x')));
    CHECK(cache.find("one", true) != nullptr);
  }
  CHECK(cache.find("0", true) == nullptr);
  CHECK(cache.find("99", true) != nullptr);
  const CacheState state = cache.state();
  CHECK(state.bytes <= 16'000);
  CHECK(state.bytes >= 15'000);
  CHECK(state.entries + state.evictions == 101);
  CHECK(state.misses == 3);
  CHECK(state.hits == 103);
  ResponseCache none(0);
  none.store("one", text("1"));
  CHECK(none.find("one", true) == nullptr);
}

TEST_CASE("targets", "[serve]") {
  const auto path = [](const char* target) {
    const auto read = parse_target(target);
    return read ? read->path : "none";
  };
  CHECK(path("/v1/run?a=b") == "/v1/run");
  CHECK(path("http://host:80/v1/run") == "/v1/run");
  CHECK(path("https://host?a") == "none");
  CHECK(path("http://host") == "/");
  CHECK(path("*") == "*");
  CHECK(path("") == "none");
  CHECK(path("v1") == "none");
  CHECK(path("/a%2Fb%20c") == "/a/b c");
  CHECK(path("/a%2") == "none");
  CHECK(path("/a+b") == "/a+b");
  const auto query = parse_target("/?a=1+2&&b&c=%3d%26")->query;
  CHECK(query == std::vector<std::pair<std::string, std::string>>{{"a", "1 2"}, {"b", ""}, {"c", "=&"}});
}

TEST_CASE("bodies in a query", "[serve]") {
  using Query = std::vector<std::pair<std::string, std::string>>;
  CHECK(body_of_query({}) == "{}");
  CHECK(body_of_query({{"attack", "3"}, {"trials", "1000"}, {"certify", "true"}, {"engine", "exact"}}) ==
        R"({"attack": "3", "trials": 1000, "certify": true, "engine": "exact"})");
  CHECK(body_of_query({{"attack", "3"}, {"x", "a\"b"}, {"attack", "[2"}}) == R"({"attack": ["3", "[2"], "x": "a\"b"})");
  CHECK(body_of_query({{"items", "3"}}) == R"({"items": ["3"]})");
  // A NUL does not end a value, and a byte order mark does not begin one: a value with either is a text.
  CHECK(body_of_query({{"point", std::string("{}\0x", 4)}}) == R"({"point": "{}\u0000x"})");
  CHECK(body_of_query({{"point", "\xEF\xBB\xBF{}"}}) == "{\"point\": \"\xEF\xBB\xBF{}\"}");
  CHECK(body_of_query({{"items", R"(["3", "2"])"}}) == R"({"items": ["3", "2"]})");
  CHECK(body_of_query({{"defender", R"({"dice": 2})"}, {"note", ""}}) == R"({"defender": {"dice": 2}, "note": ""})");
  CHECK(body_of_query({{"body", "{}"}}) == "{}");
  CHECK_THROWS_AS(body_of_query(Query{{"body", "{}"}, {"attack", "3"}}), salvo::LoadError);
  // Both keys would be equal in JSON.
  CHECK_THROWS_AS(body_of_query(Query{{"po\xA5t", "3"}, {"po\xEF\xBF\xBDt", "1"}}), salvo::LoadError);
  CHECK_THROWS_AS(body_of_query(Query{{"attack", "3\xFF"}}), salvo::LoadError);
}

TEST_CASE("links to the page", "[serve]") {
  CHECK(page_link("http://h/", "run", "{ \"a\": \"b c\",\n \"d\\\"\": [1] }\n") ==
        "http://h/#v1/q?verb=run&body=eyJhIjoiYiBjIiwiZFwiIjpbMV19");
  CHECK(page_link("http://h/", "run", "{\"a\":\"\xfb\xff\xbf\"}") == "http://h/#v1/q?verb=run&body=eyJhIjoi-_-_In0");
  CHECK(page_link("http://h/", "run", std::string(5000, 'x')).empty());
  CHECK(base_of_host("example.org:80") == "http://example.org:80/");
  CHECK(base_of_host("[::1]:80") == "http://[::1]:80/");
  CHECK(base_of_host("a/b").empty());
  CHECK(base_of_host("a\r\nb").empty());
}

TEST_CASE("failures as problems", "[serve]") {
  const auto problem = [](salvo::ErrorKind kind, const char* message) {
    return problem_of({kind, "a.b", message, message});
  };
  const Problem wrong = problem(salvo::ErrorKind::InvalidInput, "no such ship; write one; or two");
  CHECK(status_of(wrong.kind) == 400);
  CHECK(wrong.path == "a.b");
  CHECK(wrong.remedy == "or two");
  CHECK(to_json(wrong) ==
        "{\"type\": \"/problems#question\", \"title\": \"The question cannot be answered as it stands\", \"status\": "
        "400, "
        "\"detail\": \"no such ship; write one; or two\", \"path\": \"a.b\", \"remedy\": \"or two\"}\n");
  CHECK(status_of(problem(salvo::ErrorKind::TooLarge, "x").kind) == 422);
  CHECK(problem(salvo::ErrorKind::TooLarge, "too much; leave out attacks").remedy == "leave out attacks");
  CHECK(status_of(problem(salvo::ErrorKind::Internal, "x").kind) == 500);
}

TEST_CASE("the most expensive part of a question", "[serve]") {
  using salvo::serve::costliest_key;
  CHECK(costliest_key("run", R"({"attack": "3 focus", "defend": "2"})") == "attack");
  CHECK(costliest_key("run", R"({"attack": ["3", "2"], "rounds": 12, "defend": ["2", "2", "1"]})") == "rounds");
  CHECK(costliest_key("run", R"({"ships": {"a": {}, "b": {}}, "attacks": [{"by": "a", "on": "b"}]})") == "attacks");
  CHECK(costliest_key("run", R"({"attacks": [{}, {}], "precision": 1e-6})") == "precision");
  CHECK(costliest_key("squad", R"({"against": {"pilots": [{}, {}]}, "squad": {"pilots": [{}]}})") == "against");
  CHECK(costliest_key("compare", R"({"defend": ["1", "2"], "items": ["3", {"pilots": [{}, {}]}]})") == "items");
  CHECK(costliest_key("durability", R"({"attack": ["3", "2"], "all": true})") == "all");
  CHECK(costliest_key("hazard", R"({"hazard": "ion-bomb", "ships": ["hull=3"], "times": 9})") == "times");
  CHECK(costliest_key("rules", R"({"edition": "second-edition"})").empty());
  CHECK(costliest_key("run", "{").empty());
  CHECK(costliest_key("run", "[1]").empty());
}

TEST_CASE("buckets of the histogram add up", "[serve]") {
  Metrics metrics;
  for (const double seconds : {0.0001, 0.0005, 0.002, 3.0, 100.0}) metrics.answered("run", 200, seconds);
  const std::string out = metrics.text({}, {});
  for (const char* line :
       {"salvo_request_seconds_bucket{route=\"run\",le=\"0.0005\"} 2\n",
        "salvo_request_seconds_bucket{route=\"run\",le=\"0.0025\"} 3\n",
        "salvo_request_seconds_bucket{route=\"run\",le=\"5\"} 4\n",
        "salvo_request_seconds_bucket{route=\"run\",le=\"+Inf\"} 5\n", "salvo_request_seconds_count{route=\"run\"} 5\n",
        "salvo_requests_total{route=\"run\",status=\"200\"} 5\n"})
    CHECK(out.find(line) != std::string::npos);
}

#endif
