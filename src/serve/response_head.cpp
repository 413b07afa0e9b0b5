#include "serve/response_head.h"

#include <fmt/format.h>

#include <array>

#include "serve/problem.h"

namespace salvo::serve {
namespace {

std::string length_header(const Reply& reply, const Delivery& delivery) {
  if (!delivery.body_bytes) return delivery.http_1_0 ? "" : "Transfer-Encoding: chunked\r\n";
  if (reply.status == 204 || reply.status == 304) return "";
  return fmt::format("Content-Length: {}\r\n", *delivery.body_bytes);
}

std::string origin_headers(const std::string& origin) {
  if (origin.empty()) return "";
  std::string out = fmt::format("Access-Control-Allow-Origin: {}\r\n", origin);
  out += "Access-Control-Expose-Headers: ETag, Link, Retry-After\r\n";
  if (origin != "*") out += "Vary: Origin\r\n";
  return out;
}

}  // namespace

std::string http_date(std::time_t moment) {
  tm day{};
  gmtime_r(&moment, &day);
  std::array<char, 40> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &day)};
}

std::string chunks(const std::string& text, bool last) {
  std::string out;
  if (!text.empty()) out = fmt::format("{:x}\r\n{}\r\n", text.size(), text);  // an empty chunk would end the body
  if (last) out += "0\r\n\r\n";
  return out;
}

const std::string& HeadWriter::date() {
  const std::time_t now = std::time(nullptr);
  if (now != date_second_) {
    date_second_ = now;
    date_ = http_date(now);
  }
  return date_;
}

std::string HeadWriter::head(const Reply& reply, const Delivery& delivery) {
  std::string out =
      fmt::format("HTTP/1.1 {} {}\r\nServer: salvo\r\nDate: {}\r\n", reply.status, status_phrase(reply.status), date());
  if (!reply.type.empty()) out += fmt::format("Content-Type: {}\r\n", reply.type);
  out += length_header(reply, delivery);
  for (const auto& [name, value] : reply.headers) out += fmt::format("{}: {}\r\n", name, value);
  out += origin_headers(origin_);
  out += "X-Content-Type-Options: nosniff\r\n";
  if (delivery.close) {
    out += "Connection: close\r\n";
  } else if (delivery.http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  return out + "\r\n";
}

}  // namespace salvo::serve
