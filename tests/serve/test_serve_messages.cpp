// How the server reads requests and writes replies as bytes, without a network.
#if __has_include("serve/worker_pool.h")

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "serve/batch_lines.h"
#include "serve/process.h"
#include "serve/request_rules.h"
#include "serve/response_head.h"
#include "serve/responses.h"

namespace {

using namespace salvo::serve;

/// A valid request, which tests modify.
RequestHead right_head(std::string_view method, std::string_view target) {
  RequestHead out;
  out.method = method;
  out.target = target;
  out.host = "localhost";
  out.hosts = 1;
  return out;
}

/// Status and place of the error; "200" without one.
std::string judged(const RequestHead& head, const Options& options = {}) {
  static const Routes routes{Options{}};
  const Destination to = destination_of(head, routes, options);
  return to.problem ? std::to_string(status_of(to.problem->kind)) + " " + to.problem->path : "200";
}

std::string header(const Reply& reply, std::string_view name) {
  for (const auto& [key, value] : reply.headers) {
    if (key == name) return value;
  }
  return "none";
}

/// The head without its date.
std::string written(const std::string& origin, const Reply& reply, const Delivery& delivery) {
  std::string out = HeadWriter(origin).head(reply, delivery);
  const std::size_t date = out.find("Date: ");
  return out.erase(date, out.find("\r\n", date) + 2 - date);
}

std::vector<std::string> all_pieces(BatchLines& lines) {
  std::vector<std::string> out;
  while (const auto piece = lines.take()) out.push_back(std::to_string(piece->first) + ":" + piece->lines);
  return out;
}

}  // namespace

TEST_CASE("requests are routed by their address", "[serve]") {
  const Routes routes{Options{}};
  const auto to = [&](const char* method, const char* target) {
    return destination_of(right_head(method, target), routes, {});
  };
  CHECK(to("POST", "/v1/run").route.name == "run");
  CHECK(to("POST", "/v1/batch").route.kind == Route::Kind::Batch);
  CHECK(to("GET", "/v1/run?attack=3").target.query.size() == 1);
  CHECK(to("GET", "/metrics").route.kind == Route::Kind::Metrics);
  CHECK_FALSE(to("OPTIONS", "/nothing").problem);
  CHECK(to("GET", "/nothing").problem->remedy.find("--page") != std::string::npos);
}

TEST_CASE("errors in the head of a request", "[serve]") {
  const RequestHead right = right_head("POST", "/v1/run");
  CHECK(judged(right) == "200");
  const auto with = [&](auto member, auto value) {
    RequestHead head = right;
    head.*member = value;
    return judged(head);
  };
  CHECK(with(&RequestHead::version, 9U) == "505 ");
  CHECK(with(&RequestHead::version, 20U) == "505 ");
  CHECK(with(&RequestHead::expect, "100-Continue") == "200");
  CHECK(with(&RequestHead::expect, "tea") == "417 Expect");
  CHECK(with(&RequestHead::hosts, std::size_t{0}) == "400 Host");
  CHECK(with(&RequestHead::hosts, std::size_t{2}) == "400 Host");
  CHECK(with(&RequestHead::transfer_encoding, "Chunked") == "200");
  CHECK(with(&RequestHead::transfer_encoding, "gzip, chunked") == "501 Transfer-Encoding");
  CHECK(with(&RequestHead::target, "v1/run") == "400 ");
  CHECK(with(&RequestHead::target, "/v1/run?attack=50%") == "400 ");
  CHECK(with(&RequestHead::target, "/v1/nothing") == "404 ");
  CHECK(with(&RequestHead::target, "/v1/run?attack=3&defend=2") == "400 attack");
  CHECK(with(&RequestHead::target, "/healthz") == "405 ");
  CHECK(with(&RequestHead::method, "DELETE") == "405 ");
  CHECK(with(&RequestHead::method, "POS") == "405 ");
  CHECK(with(&RequestHead::content_encoding, "gzip") == "415 Content-Encoding");
  CHECK(with(&RequestHead::content_encoding, "Identity") == "200");
  CHECK(with(&RequestHead::content_type, "application/JSON ; charset=utf-8") == "200");
  CHECK(with(&RequestHead::content_type, "application/x-ndjson") == "415 Content-Type");
  CHECK(with(&RequestHead::content_length, 64U << 10) == "200");
  CHECK(with(&RequestHead::content_length, (64U << 10) + 1) == "413 ");

  RequestHead old = right;
  old.version = 10;
  old.hosts = 0;
  old.expect = "tea";
  CHECK(judged(old) == "200");
  old.has_transfer_encoding = true;
  CHECK(judged(old) == "400 Transfer-Encoding");

  RequestHead batch = right_head("POST", "/v1/batch");
  for (const char* type : {"application/x-ndjson", "application/jsonl", "application/json", ""}) {
    batch.content_type = type;
    CHECK(judged(batch) == "200");
  }
  batch.content_type = "text/plain";
  CHECK(judged(batch) == "415 Content-Type");
  batch.content_type = "";
  batch.content_length = 2000;
  CHECK(judged(batch) == "200");
  Options narrow;
  narrow.most_batch = 1999;
  CHECK(judged(batch, narrow) == "413 ");
}

TEST_CASE("first lines with another version of HTTP", "[serve]") {
  for (const char* line : {"GET / HTTP/2.0", "GET / HTTP/1.2", "PRI * HTTP/2.0", "GET / HTTP/0.9"}) {
    CAPTURE(line);
    CHECK(is_of_other_version(line));
  }
  for (const char* line :
       {"", " ", "GET", "GET /", "GET / HTTP/1.1", "GET / HTTP/1.0", "GET / HTTP/", "GET / HTTP/2", "GET / HTTP/2.00",
        "GET / HTTP/x.1", "GET / FTP/2.0", "GET /a b HTTP/2.0", "GET  HTTP/2.0", "HTTP/2.0"}) {
    CAPTURE(line);
    CHECK_FALSE(is_of_other_version(line));
  }
}

TEST_CASE("heads of responses", "[serve]") {
  CHECK(http_date(784111777) == "Sun, 06 Nov 1994 08:49:37 GMT");  // the example of RFC 9110
  CHECK(http_date(951827696) == "Tue, 29 Feb 2000 12:34:56 GMT");
  const std::string nosniff = "X-Content-Type-Options: nosniff\r\n";
  const Reply reply{200, kJson, nullptr, {{"Link", "<x>"}}};
  CHECK(written("", reply, {12}) ==
        "HTTP/1.1 200 OK\r\nServer: salvo\r\nContent-Type: application/json\r\n"
        "Content-Length: 12\r\nLink: <x>\r\n" +
            nosniff + "\r\n");
  CHECK(written("", {304, {}, nullptr}, {0, true}) ==
        "HTTP/1.1 304 Not Modified\r\nServer: salvo\r\n" + nosniff + "Connection: close\r\n\r\n");
  const std::string chunked = written("*", {200, {}, nullptr}, {});
  CHECK(chunked.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
  CHECK(chunked.find("Access-Control-Allow-Origin: *\r\n") != std::string::npos);
  CHECK(chunked.find("Vary") == std::string::npos);
  const std::string old = written("https://a.b", {200, {}, nullptr}, {std::nullopt, false, true});
  CHECK(old.find("Transfer-Encoding") == std::string::npos);
  CHECK(old.find("Connection: keep-alive\r\n") != std::string::npos);
  CHECK(old.find("Vary: Origin\r\n") != std::string::npos);
}

TEST_CASE("chunks of a body", "[serve]") {
  CHECK(chunks("", false).empty());
  CHECK(chunks("", true) == "0\r\n\r\n");
  CHECK(chunks(std::string(26, 'x'), true) == "1a\r\n" + std::string(26, 'x') + "\r\n0\r\n\r\n");
}

TEST_CASE("replies without an engine", "[serve]") {
  const Route route{Route::Kind::Question, "run", nullptr, "GET, POST"};
  CHECK(header(busy_reply(0), "Retry-After") == "1");
  CHECK(header(busy_reply(3.7), "Retry-After") == "4");
  CHECK(header(busy_reply(1e9), "Retry-After") == "60");
  CHECK(busy_reply(0).status == 503);
  CHECK(header(preflight_reply(route), "Access-Control-Allow-Methods") == "GET, POST");
  CHECK(header(refusal_of({ProblemKind::Method}, route), "Allow") == "GET, POST");
  CHECK_FALSE(refusal_of({ProblemKind::Method}, route).close);
  CHECK(refusal_of({ProblemKind::HeadTooLarge}, route).close);
  CHECK(refusal_of({ProblemKind::Request}, route).close);
  CHECK(health_reply(false).status == 200);
  CHECK(health_reply(true).status == 503);
}

TEST_CASE("an answer that the client already has is not sent again", "[serve]") {
  const auto bytes = std::make_shared<const std::string>("{}\n");
  const PageFile file{bytes, kJson, "\"1a\"", true};
  CHECK(file_reply(file, "").body == bytes);
  CHECK(file_reply(file, "\"2b\"").status == 200);
  for (const char* tags : {"*", "\"1a\"", "\"2b\", \"1a\""}) {
    CHECK(file_reply(file, tags).status == 304);
    CHECK(file_reply(file, tags).body == nullptr);
  }
  const Reply answer{200, kJson, bytes};
  const Reply got = answer_reply(answer, "http://h/#x", false, "");
  CHECK(header(got, "Link") == "<http://h/#x>; rel=\"alternate\"; type=\"text/html\"");
  CHECK(header(got, "ETag") == entity_tag("{}\n"));
  CHECK(answer_reply(answer, "", false, entity_tag("{}\n")).status == 304);
  const Reply posted = answer_reply(answer, "", true, "*");
  CHECK(posted.status == 200);
  CHECK(header(posted, "Cache-Control") == "no-store");
  CHECK(header(posted, "ETag") == "none");
  CHECK(answer_reply(busy_reply(0), "http://h/#x", false, "*").status == 503);
}

TEST_CASE("a batch is cut into pieces of whole lines", "[serve]") {
  BatchLines lines(1000);
  lines.receive("a\nb", false);
  CHECK(all_pieces(lines) == std::vector<std::string>{"1:a\n"});
  lines.receive("c", false);
  CHECK(all_pieces(lines).empty());
  CHECK_FALSE(lines.over());
  lines.receive("\n\nd", true);
  CHECK_FALSE(lines.over());
  CHECK(all_pieces(lines) == std::vector<std::string>{"2:bc\n\n", "4:d"});
  CHECK(lines.over());
  CHECK(lines.next_line() == 5);

  BatchLines many(1000);
  std::string text;
  for (std::size_t i = 0; i < 2 * BatchLines::kLinesAtOnce + 1; ++i) text += "x\n";
  many.receive(text, true);
  CHECK(many.take()->count == BatchLines::kLinesAtOnce);
  CHECK(many.take()->first == BatchLines::kLinesAtOnce + 1);
  CHECK(many.take()->count == 1);
  CHECK_FALSE(many.take());
}

TEST_CASE("a batch that is too long ends after its last whole line", "[serve]") {
  BatchLines lines(6);
  lines.receive("ab\ncd\n", false);
  CHECK_FALSE(lines.too_long());
  lines.receive("e", false);
  CHECK(lines.too_long());
  CHECK(lines.complete());
  CHECK_FALSE(lines.over());
  CHECK(all_pieces(lines) == std::vector<std::string>{"1:ab\ncd\n"});
  CHECK(lines.over());
  CHECK(too_long_line(lines.next_line()).starts_with("{\"error\": {\"line\": 3, "));
}

TEST_CASE("long batches free used memory", "[serve]") {
  BatchLines lines(std::size_t{1} << 24);
  const std::string line = std::string(99'999, 'x') + "\n";
  std::size_t bytes = 0;
  for (int i = 0; i < 50; ++i) {
    lines.receive(line, i == 49);
    while (const auto piece = lines.take()) bytes += piece->lines.size();
  }
  CHECK(bytes == 50 * line.size());
  CHECK(lines.over());
}

TEST_CASE("as many connections as descriptors allow", "[serve]") {
  CHECK(allow_connections(3) == 3);
  CHECK(allow_connections(std::size_t{1} << 60) < std::size_t{1} << 60);
}

#endif
