#include "report/rulebook.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/csv.h"
#include "report/json_writer.h"
#include "report/page.h"

namespace salvo::report {
namespace {

using load::Book;
using load::Document;
using load::Rule;
using load::State;

Style style_of(State state) {
  if (state == State::Modelled) return Style::Good;
  return state == State::Partly ? Style::Accent : Style::Bad;
}

void write_book(JsonWriter& json, const Book& book) {
  json.member("id", book.edition->id);
  json.member("name", book.edition->name);
  json.member("modelled", book.count(State::Modelled));
  json.member("partly", book.count(State::Partly));
  json.member("left_out", book.count(State::LeftOut));
  json.objects("documents", book.documents, [&](const Document& document) {
    json.member("id", document.id);
    json.member("title", document.title);
    json.member("version", document.version);
    json.member("pages", document.pages.size());
    json.member("unclassified", book.unclassified(document));
  });
}

void write_rule(JsonWriter& json, const Rule& rule) {
  json.member("id", rule.id);
  json.member("state", load::name_of(rule.state));
  json.member("says", rule.says);
  json.member("source", rule.source);
  json.member("why", rule.why);
  json.member("proof", rule.proof);
}

std::string counts(const Book& book) {
  return fmt::format("{} modelled, {} partly, {} left out", book.count(State::Modelled), book.count(State::Partly),
                     book.count(State::LeftOut));
}

void write_documents(Page& page, const Book& book) {
  for (const Document& document : book.documents) {
    const std::size_t open = book.unclassified(document).size();
    std::string text = fmt::format("{}, {}", document.title, document.version);
    if (!document.pages.empty()) {
      text += fmt::format("; {} of {} pages classified", document.pages.size() - open, document.pages.size());
    }
    page.entry(document.id, text);
  }
}

}  // namespace

std::string to_json(const RuleSummary& summary) {
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.objects("editions", summary.books, [&](const Book& book) { write_book(json, book); });
  });
}

std::string to_csv(const RuleSummary& summary) {
  std::string out = "edition,document,title,version,pages,unclassified,modelled,partly,left_out\n";
  for (const Book& book : summary.books) {
    for (const Document& document : book.documents) {
      out += fmt::format("{},{},{},{},{},{},{},{},{}\n", base::csv_field(book.edition->id),
                         base::csv_field(document.id), base::csv_field(document.title),
                         base::csv_field(document.version), document.pages.size(), book.unclassified(document).size(),
                         book.count(State::Modelled), book.count(State::Partly), book.count(State::LeftOut));
    }
  }
  return out;
}

std::string to_table(const RuleSummary& summary, int width, bool colour) {
  Page page = make_page(width, colour);
  for (const Book& book : summary.books) {
    if (&book != &summary.books.front()) page.blank();
    page.line({{book.edition->id, Style::Strong}, {"  " + book.edition->name, Style::Faint}});
    page.entry("rules", counts(book));
    write_documents(page, book);
  }
  page.blank();
  page.paragraph("salvo rules EDITION lists them; --left-out those that are not modelled, or not wholly.",
                 Style::Faint);
  return page.take();
}

std::string to_json(const RuleList& list) {
  return json_page([&](JsonWriter& json) {
    json.member("format", 1);
    json.object("edition", [&] { write_book(json, list.book); });
    json.objects("rules", list.rules, [&](const Rule& rule) { write_rule(json, rule); });
  });
}

std::string to_csv(const RuleList& list) {
  std::string out = "id,state,says,source,why,proof\n";
  for (const Rule& rule : list.rules) {
    out += csv_line({rule.id, std::string(load::name_of(rule.state)), rule.says, rule.source, rule.why,
                     base::joined(rule.proof, " | ")});
  }
  return out;
}

std::string to_table(const RuleList& list, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("{}: {}", list.book.edition->name, counts(list.book)), Style::Strong);
  write_documents(page, list.book);
  for (const Rule& rule : list.rules) {
    page.blank();
    page.line({{rule.id, Style::Strong},
               {"  " + std::string(load::name_of(rule.state)), style_of(rule.state)},
               {"  " + rule.source, Style::Faint}});
    page.entry("rule", rule.says);
    if (!rule.why.empty()) page.entry(rule.state == State::Partly ? "without" : "why", rule.why);
    if (!rule.proof.empty()) page.entry("proof", base::joined(rule.proof, ", "), Style::Faint);
  }
  if (list.rules.empty()) page.paragraph("No rule matches.", Style::Faint);
  return page.take();
}

}  // namespace salvo::report
