// Reads the rulebook of an edition (docs/trust.md).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/index.h"
#include "base/text.h"
#include "data/message.h"
#include "load/hazard_file.h"
#include "load/profile.h"
#include "load/rulebook.h"

namespace salvo::load {
namespace {

namespace fs = std::filesystem;
using data::Node;
using Names = std::vector<std::string>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_document(std::string_view word) {
  return word.size() == 3 && word.find_first_not_of("0123456789") == std::string_view::npos;
}

RulebookDocument read_document(const Node& node) {
  node.need_table("a [[document]] table");
  node.allow_only({"id", "title", "version", "edition", "pages"});
  RulebookDocument out;
  out.id = node.need("id", "give the number that sources begin with, for example id = \"000\"").text();
  if (!is_document(out.id)) node.get("id")->fail("not a number of three digits; write id = \"000\"");
  out.title = node.need("title", "give the title").text();
  out.version = node.need("version", "give the version").text();
  out.edition = node.need("edition", "name the edition it belongs to").text();
  const Node pages = node.need("pages", "list its pages");
  out.pages = pages.texts_once("list each page once");
  return out;
}

/// Names that a proof may refer to.
struct Known {
  const Catalogue& catalogue;
  Names effects, tokens, hazards;
  Names partial_hazards;  ///< those with parts left out
  Names settings{"dice.attack",   "dice.defense", "dice.minimum", "dice.maximum",   "range.minimum",
                 "range.maximum", "sizes",        "remotes",      "destroyed_stays"};
};

Known known_of(const Catalogue& catalogue, const Edition& edition, const std::vector<Hazard>& hazards) {
  Known out{catalogue, {}, {}, {}, {}};
  for (const EffectSpec& effect : edition.effects) out.effects.push_back(effect.id);
  for (const TokenSpec& token : edition.tokens) out.tokens.push_back(token.id);
  for (const Hazard& one : hazards) {
    out.hazards.push_back(one.id);
    if (!one.omits.empty()) out.partial_hazards.push_back("hazard:" + one.id);
  }
  return out;
}

bool card_exists(const Catalogue& catalogue, const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return false;
  const std::string kind = name.substr(0, slash), id = name.substr(slash + 1);
  return catalogue.card(kind, id, "xwa") != nullptr || catalogue.card(kind, id, "legacy") != nullptr;
}

bool has_page(const RulebookDocument& document, const std::string& page) {
  return std::any_of(document.pages.begin(), document.pages.end(),
                     [&](const std::string& one) { return base::lower_case(one) == base::lower_case(page); });
}

/// Whether `name` is a document and page, such as "000 Reinforce".
bool is_page(const std::vector<RulebookDocument>& documents, const std::string& name) {
  return std::any_of(documents.begin(), documents.end(), [&](const RulebookDocument& document) {
    return name.size() > 4 && name.substr(0, 4) == document.id + " " && has_page(document, name.substr(4));
  });
}

void check_proof(const Node& node, const Known& known, const std::vector<RulebookDocument>& documents) {
  const std::string proof = node.text();
  const std::size_t colon = proof.find(':');
  const std::string kind = proof.substr(0, colon), name = colon == std::string::npos ? "" : proof.substr(colon + 1);
  const auto need = [&](const Names& names, const char* what) {
    if (base::contains(names, name)) return;
    const std::string near = base::did_you_mean(name, names);
    node.fail(fmt::format("there is no {} {};{}", what, base::in_quotes(name),
                          near.empty() ? " name one that there is" : near));
  };
  if (kind == "effect") return need(known.effects, "effect");
  if (kind == "token") return need(known.tokens, "token");
  if (kind == "hazard") return need(known.hazards, "hazard");
  if (kind == "setting") return need(known.settings, "setting");
  if (kind == "card") {
    if (!card_exists(known.catalogue, name)) node.fail("there is no such card; write card:upgrade/juke");
  } else if (kind == "rulings") {
    if (!is_page(documents, name)) node.fail("no document has this page; write \"rulings:000 Reinforce\"");
  } else if (kind != "test" || name.empty()) {
    node.fail("not a proof; write effect:, token:, setting:, hazard:, card:, rulings: or test: and a name");
  }
}

void check_references(const Node& source, const std::vector<PageReference>& references,
                      const std::vector<RulebookDocument>& documents) {
  if (references.empty()) source.fail("names no document; write source = \"000: Attack\"");
  for (const PageReference& one : references) {
    const auto document = std::find_if(documents.begin(), documents.end(),
                                       [&](const RulebookDocument& other) { return other.id == one.document; });
    if (document == documents.end()) {
      source.fail(fmt::format("there is no document {}; add it to documents.toml", base::in_quotes(one.document)));
    }
    if (!has_page(*document, one.page)) {
      source.fail(fmt::format("document {} has no page {};{}", one.document, base::in_quotes(one.page),
                              base::did_you_mean(one.page, document->pages)));
    }
  }
}

RuleCoverage read_state(const Node& node) {
  if (node.is(data::Value::Kind::Text)) {
    if (node.text() != "partly") node.fail("write true, false or \"partly\"");
    return RuleCoverage::Partly;
  }
  return node.boolean() ? RuleCoverage::Modelled : RuleCoverage::LeftOut;
}

RulebookRule read_rule(const Node& node, const Known& known, const std::vector<RulebookDocument>& documents) {
  node.need_table("a [[rule]] table");
  node.allow_only({"id", "source", "says", "modelled", "why", "proof"});
  RulebookRule out;
  const Node id = node.need("id", "give it an id of lower-case letters, digits and hyphens");
  out.id = id.text();
  if (!data::is_id(out.id)) id.fail("not an id; use lower-case letters, digits and hyphens");
  const Node source = node.need("source", "name document and page, for example source = \"000: Attack\"");
  out.source = source.text();
  out.references = cited_pages(out.source);
  check_references(source, out.references, documents);
  out.says = node.need("says", "say in a few words what the rule is").text();
  out.state = read_state(node.need("modelled", "write true, false or \"partly\""));
  node.read("why", out.why);
  if (const auto proof = node.get("proof")) {
    out.proof = proof->texts_once("name each proof once");
    for (const Node& one : proof->children()) check_proof(one, known, documents);
  }
  for (const std::string& proof : out.proof) {
    if (out.state == RuleCoverage::Modelled && base::contains(known.partial_hazards, proof)) {
      node.fail(fmt::format("{} leaves something out; write modelled = \"partly\" and why", proof));
    }
  }
  if ((out.state == RuleCoverage::Modelled) != out.why.empty()) {
    node.fail(out.why.empty() ? "is not wholly modelled, but does not say why; add why"
                              : "is modelled and needs no reason; leave why out");
  }
  if ((out.state == RuleCoverage::LeftOut) != out.proof.empty()) {
    node.fail(out.proof.empty() ? "is modelled, but nothing shows it; add proof"
                                : "is left out, so nothing can prove it; leave proof out");
  }
  return out;
}

std::vector<RulebookRule> read_rules(const Node& root, const Known& known,
                                     const std::vector<RulebookDocument>& documents) {
  root.need_table();
  root.allow_only({"rule"});
  const Node list = root.need("rule", "list the rules as [[rule]] tables");
  list.need_array("[[rule]] tables, with two brackets");
  std::vector<RulebookRule> out;
  std::set<std::string> seen;
  for (const Node& node : list.children()) {
    out.push_back(read_rule(node, known, documents));
    if (!seen.insert(out.back().id).second) {
      node.fail(fmt::format("the rule {} is listed twice; rename one", out.back().id));
    }
  }
  return out;
}

/// Adds a rule for each effect and hazard of the edition that no rule of the file names.
void add_unnamed(const Edition& edition, const std::vector<Hazard>& hazards, std::vector<RulebookRule>& rules) {
  std::set<std::string> named;
  for (const RulebookRule& rule : rules) named.insert(rule.proof.begin(), rule.proof.end());
  const auto add = [&](const std::string& kind, const std::string& id, const std::string& says,
                       const std::string& source, const std::string& omits) {
    const std::string proof = kind + ":" + id;
    if (named.contains(proof)) return;
    const RuleCoverage state = omits.empty() ? RuleCoverage::Modelled : RuleCoverage::Partly;
    rules.push_back({kind + "-" + id, says, source, cited_pages(source), state, omits, {proof}});
  };
  for (const EffectSpec& effect : edition.effects) add("effect", effect.id, "effect " + effect.id, effect.source, "");
  for (const Hazard& one : hazards) {
    add("hazard", one.id, one.name, one.source, base::joined(one.omits, "; "));
  }
}

}  // namespace

int Rulebook::count(RuleCoverage state) const {
  return static_cast<int>(
      std::count_if(rules.begin(), rules.end(), [state](const RulebookRule& rule) { return rule.state == state; }));
}

std::vector<std::string> Rulebook::unclassified(const RulebookDocument& document) const {
  std::set<std::string> named;
  for (const RulebookRule& rule : rules) {
    for (const PageReference& one : rule.references) {
      if (one.document == document.id) named.insert(base::lower_case(one.page));
    }
  }
  Names out;
  for (const std::string& page : document.pages) {
    if (!named.contains(base::lower_case(page))) out.push_back(page);
  }
  return out;
}

std::vector<RulebookRule> Rulebook::select(const std::vector<std::string>& words, bool left_out) const {
  std::vector<RulebookRule> out;
  for (const RulebookRule& rule : rules) {
    if (left_out && rule.state == RuleCoverage::Modelled) continue;
    const std::string text =
        base::lower_case(fmt::format("{} {} {} {} {} {}", rule.id, rule.says, rule.source, rule.why,
                                     name_of(rule.state), base::joined(rule.proof, " ")));
    if (std::all_of(words.begin(), words.end(),
                    [&](const std::string& word) { return text.find(base::lower_case(word)) != std::string::npos; }))
      out.push_back(rule);
  }
  return out;
}

std::string_view name_of(RuleCoverage state) {
  if (state == RuleCoverage::Modelled) return "modelled";
  return state == RuleCoverage::Partly ? "partly" : "left out";
}

std::vector<PageReference> cited_pages(std::string_view source) {
  std::vector<PageReference> out;
  std::string document;
  for (std::string_view part : base::split(source, ';')) {
    part = trimmed(part);
    if (const std::size_t colon = part.find(':'); colon == 3 && is_document(part.substr(0, colon))) {
      document = part.substr(0, colon);
      part = trimmed(part.substr(colon + 1));
    }
    const std::string_view page = trimmed(part.substr(0, part.find_first_of(",:")));
    if (!document.empty() && !page.empty()) out.push_back({document, std::string(page)});
  }
  return out;
}

std::vector<RulebookDocument> load_documents(const data::Profiles& profiles) {
  return data::read_tree(profiles, profiles.root() / "rules" / "documents.toml", [](const Node& root) {
    root.need_table();
    root.allow_only({"document"});
    const Node list = root.need("document", "list the documents as [[document]] tables");
    list.need_array("[[document]] tables, with two brackets");
    std::vector<RulebookDocument> out;
    for (const Node& node : list.children()) out.push_back(read_document(node));
    return out;
  });
}

Rulebook load_rulebook(const Catalogue& catalogue, const Edition& edition) {
  Rulebook out;
  out.edition = &edition;
  const std::vector<Hazard> hazards = load_hazards(catalogue.profiles(), edition);
  const std::vector<RulebookDocument> documents = load_documents(catalogue.profiles());
  for (const RulebookDocument& document : documents) {
    if (document.edition == edition.id) out.documents.push_back(document);
  }
  const fs::path path = catalogue.root() / "rules" / (edition.id + ".rules.toml");
  if (catalogue.profiles().has(path)) {
    const Known known = known_of(catalogue, edition, hazards);
    out.rules = data::read_tree(catalogue.profiles(), path,
                                [&](const Node& root) { return read_rules(root, known, documents); });
  }
  add_unnamed(edition, hazards, out.rules);
  return out;
}

}  // namespace salvo::load
