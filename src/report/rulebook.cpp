#include "report/rulebook.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/csv.h"
#include "report/json_writer.h"
#include "report/page.h"

namespace salvo::report {
namespace {

using load::Rulebook;
using load::RulebookDocument;
using load::RulebookRule;
using load::RuleCoverage;

Style style_of(RuleCoverage state) {
  if (state == RuleCoverage::Modelled) return Style::Good;
  return state == RuleCoverage::Partly ? Style::Accent : Style::Bad;
}

void write_book(JsonWriter& json, const Rulebook& book) {
  json.member("id", book.edition->id);
  json.member("name", book.edition->name);
  json.member("modelled", book.count(RuleCoverage::Modelled));
  json.member("partly", book.count(RuleCoverage::Partly));
  json.member("left_out", book.count(RuleCoverage::LeftOut));
  json.objects("documents", book.documents, [&](const RulebookDocument& document) {
    json.member("id", document.id);
    json.member("title", document.title);
    json.member("version", document.version);
    json.member("pages", document.pages.size());
    json.member("unclassified", book.unclassified(document));
  });
}

void write_rule(JsonWriter& json, const RulebookRule& rule) {
  json.member("id", rule.id);
  json.member("state", load::name_of(rule.state));
  json.member("says", rule.says);
  json.member("source", rule.source);
  json.member("why", rule.why);
  json.member("proof", rule.proof);
}

std::string counts(const Rulebook& book) {
  return fmt::format("{} modelled, {} partly, {} left out", book.count(RuleCoverage::Modelled),
                     book.count(RuleCoverage::Partly), book.count(RuleCoverage::LeftOut));
}

void write_documents(Page& page, const Rulebook& book) {
  for (const RulebookDocument& document : book.documents) {
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
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.objects("editions", summary.books, [&](const Rulebook& book) { write_book(json, book); });
  });
}

std::string to_csv(const RuleSummary& summary) {
  std::string out = "edition,document,title,version,pages,unclassified,modelled,partly,left_out\n";
  for (const Rulebook& book : summary.books) {
    for (const RulebookDocument& document : book.documents) {
      out += csv_line(
          {book.edition->id, document.id, document.title, document.version, std::to_string(document.pages.size()),
           std::to_string(book.unclassified(document).size()), std::to_string(book.count(RuleCoverage::Modelled)),
           std::to_string(book.count(RuleCoverage::Partly)), std::to_string(book.count(RuleCoverage::LeftOut))});
    }
  }
  return out;
}

std::string to_table(const RuleSummary& summary, int width, bool colour) {
  Page page = make_page(width, colour);
  for (const Rulebook& book : summary.books) {
    if (&book != &summary.books.front()) page.blank();
    page.line({{book.edition->id, Style::Strong}, {"  " + book.edition->name, Style::Faint}});
    page.entry("rules", counts(book));
    write_documents(page, book);
  }
  page.blank();
  page.paragraph("salvo rules EDITION lists them; --left-out those that are not or only partly modelled.",
                 Style::Faint);
  return page.take();
}

std::string to_json(const RuleList& list) {
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.object("edition", [&] { write_book(json, list.book); });
    json.objects("rules", list.rules, [&](const RulebookRule& rule) { write_rule(json, rule); });
  });
}

std::string to_csv(const RuleList& list) {
  std::string out = "id,state,says,source,why,proof\n";
  for (const RulebookRule& rule : list.rules) {
    out += csv_line({rule.id, std::string(load::name_of(rule.state)), rule.says, rule.source, rule.why,
                     base::joined(rule.proof, " | ")});
  }
  return out;
}

std::string to_table(const RuleList& list, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph(fmt::format("{}: {}", list.book.edition->name, counts(list.book)), Style::Strong);
  write_documents(page, list.book);
  for (const RulebookRule& rule : list.rules) {
    page.blank();
    page.line({{rule.id, Style::Strong},
               {"  " + std::string(load::name_of(rule.state)), style_of(rule.state)},
               {"  " + rule.source, Style::Faint}});
    page.entry("rule", rule.says);
    if (!rule.why.empty()) page.entry(rule.state == RuleCoverage::Partly ? "without" : "why", rule.why);
    if (!rule.proof.empty()) page.entry("proof", base::joined(rule.proof, ", "), Style::Faint);
  }
  if (list.rules.empty()) page.paragraph("No rule matches.", Style::Faint);
  return page.take();
}

}  // namespace salvo::report
