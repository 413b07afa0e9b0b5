// The rulebook: the rules that `salvo rules` lists name only existing things, and cover every page.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "compile/compile.h"
#include "exact/exact.h"
#include "hazard/hazard.h"
#include "load/load.h"
#include "load/rulebook.h"
#include "report/rulebook.h"
#include "support/catalogue.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace salvo;
using load::RulebookRule;
using load::RuleCoverage;
using nlohmann::json;

const fs::path kSource = SALVO_SOURCE_DIR;

using tests::catalogue;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The pages, as "000 reinforce", that the source of a case names: "000, Attack; Agility (after modifiers); 001, FAQ,
/// x".
void add_cited(const std::string& source, std::set<std::string>& out) {
  std::stringstream parts(source);
  std::vector<std::string> documents;
  for (std::string part; std::getline(parts, part, ';');) {
    part.erase(0, part.find_first_not_of(' '));
    const std::size_t comma = part.find(',');
    const std::string first = part.substr(0, comma);
    if (!first.empty() && first.find_first_not_of("0123456789/") == std::string::npos) {
      documents.clear();
      for (std::size_t at = 0; at + 3 <= first.size(); at += 4) documents.push_back(first.substr(at, 3));
      part = comma == std::string::npos ? "" : part.substr(comma + 1);
      part.erase(0, part.find_first_not_of(' '));
    }
    std::string page = part.substr(0, part.find_first_of(",("));
    page.erase(page.find_last_not_of(' ') + 1);
    for (const std::string& document : documents) out.insert(document + " " + lower(page));
  }
}

/// All pages that a case names.
std::set<std::string> cited() {
  std::set<std::string> out;
  for (const char* name : {"rulings.jsonl", "rulings-first-edition.jsonl", "editions.jsonl"}) {
    const fs::path path = kSource / "tests" / "data" / name;
    if (!fs::exists(path)) continue;
    std::stringstream lines(text_of(path));
    for (std::string line; std::getline(lines, line);) add_cited(json::parse(line)["source"].get<std::string>(), out);
  }
  return out;
}

/// The profiles of the program with other rules.
class OtherRules {
 public:
  explicit OtherRules(const std::string& rules) {
    fs::copy(kSource / "profiles" / "rules", folder_.path() / "rules");
    fs::copy(kSource / "profiles" / "hazards", folder_.path() / "hazards", fs::copy_options::recursive);
    folder_.write("rules/second-edition.rules.toml", rules);
  }

  std::string error() const {
    const Catalogue other(folder_.path());
    return tests::error_of([&] { return load::load_rulebook(other, *other.edition("second-edition")); });
  }

 private:
  tests::TemporaryFolder folder_;
};

double value_of(const std::string& attack, const std::string& defend) {
  const salvo::compile::CompiledScenario question = compile::compile_scenario(
      catalogue(), scenario_from_specs(catalogue(), "second-edition", "2025", {attack}, defend));
  return exact::enumerate(question.plan, exact::solve(question.plan)).value;
}

}  // namespace

TEST_CASE("rules: sources are documents and pages", "[rulebook]") {
  using load::PageReference;
  CHECK(load::cited_pages("000: Attack, Roll Attack Dice; Agility; 001: FAQ, the token goes") ==
        std::vector<PageReference>{{"000", "Attack"}, {"000", "Agility"}, {"001", "FAQ"}});
  CHECK(load::cited_pages("000: Reinforce: one at a time, each") == std::vector<PageReference>{{"000", "Reinforce"}});
  CHECK(load::cited_pages("").empty());
  CHECK(load::cited_pages("Attack").empty());
  CHECK(load::cited_pages(" ; ;000:;").empty());
}

TEST_CASE("rules: every page of the documents is named by a rule", "[rulebook]") {
  for (const std::string& id : catalogue().edition_ids()) {
    const auto book = load::load_rulebook(catalogue(), *catalogue().edition(id));
    REQUIRE_FALSE(book.documents.empty());
    for (const load::RulebookDocument& document : book.documents) {
      INFO(id << " " << document.id);
      CHECK(book.unclassified(document) == std::vector<std::string>{});
    }
  }
}

TEST_CASE("rules: effects, hazards and tokens are proofs of a rule, and their sources are pages", "[rulebook]") {
  const auto documents = load::load_documents(catalogue().root());
  for (const std::string& id : catalogue().edition_ids()) {
    const auto book = load::load_rulebook(catalogue(), *catalogue().edition(id));
    std::set<std::string> pages;
    for (const auto& document : documents) {
      for (const std::string& page : document.pages) pages.insert(document.id + " " + lower(page));
    }
    std::vector<std::string> sources;
    for (const salvo::load::EffectSpec& effect : book.edition->effects) sources.push_back(effect.source);
    for (const auto& hazard : load::load_hazards(catalogue().root(), *book.edition)) sources.push_back(hazard.source);
    for (const std::string& source : sources) {
      INFO(id << ": " << source);
      const auto references = load::cited_pages(source);
      CHECK_FALSE(references.empty());
      for (const load::PageReference& one : references) {
        INFO(one.document << " " << one.page);
        CHECK(pages.contains(one.document + " " + lower(one.page)));
      }
    }
    for (const RulebookRule& rule : book.rules) {  // rules that the file does not list have these ids
      INFO(id << ": " << rule.id);
      CHECK_FALSE(rule.id.rfind("effect-", 0) == 0);
      CHECK_FALSE(rule.id.rfind("hazard-", 0) == 0);
    }
  }
}

TEST_CASE("rules: every rule stated as modelled has an existing proof", "[rulebook]") {
  std::string tests;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "tests")) {
    if (entry.path().extension() == ".cpp" && entry.path().stem() != "test_rulebook") tests += text_of(entry.path());
  }
  tests += "TEST_CASE(\"remotes are attacked like ships";  // below
  const std::set<std::string> cases = cited();
  const std::string cards = text_of(kSource / "tests/data/cards.jsonl") + text_of(kSource / "tests/data/rulings.jsonl");
  for (const std::string& id : catalogue().edition_ids()) {
    for (const RulebookRule& rule : load::load_rulebook(catalogue(), *catalogue().edition(id)).rules) {
      for (const std::string& proof : rule.proof) {
        INFO(id << ": " << rule.id << ": " << proof);
        const std::string name = proof.substr(proof.find(':') + 1);
        if (proof.rfind("test:", 0) == 0) CHECK(tests.find("TEST_CASE(\"" + name) != std::string::npos);
        if (proof.rfind("rulings:", 0) == 0) CHECK(cases.contains(lower(name)));
        const auto has_case = [&](const std::string& card) {
          return cards.find('"' + card.substr(card.find('/') + 1)) != std::string::npos ||
                 cards.find("\"card\": \"" + card + '"') != std::string::npos;
        };
        if (proof.rfind("card:", 0) == 0) CHECK(has_case(name));
      }
    }
  }
}

TEST_CASE("rules: every page cited by a ruling belongs to a rule modelled at least partly", "[rulebook]") {
  const auto book = load::load_rulebook(catalogue(), *catalogue().edition("second-edition"));
  std::set<std::string> modelled;
  for (const RulebookRule& rule : book.rules) {
    if (rule.state == RuleCoverage::LeftOut) continue;
    for (const auto& one : rule.references) modelled.insert(one.document + " " + lower(one.page));
  }
  const std::set<std::string> cases = cited();
  for (const load::RulebookDocument& document : book.documents) {
    for (const std::string& page : document.pages) {
      INFO(page);
      const std::string name = document.id + " " + lower(page);
      if (cases.contains(name)) CHECK(modelled.contains(name));
    }
  }
}

TEST_CASE("rules: files with false statements are refused", "[rulebook][hostile]") {
  const auto rule = [](const std::string& keys) {
    return "[[rule]]\nid = \"one\"\nsource = \"000: Reinforce\"\nsays = \"x\"\n" + keys;
  };
  const auto refused = [](const std::string& rules, const std::string& part) {
    const std::string error = OtherRules(rules).error();
    INFO(rules);
    INFO(error);
    CHECK(error.find(part) != std::string::npos);
  };
  refused(rule("modelled = true\nproof = [\"effect:reinforce\"]\n"), "no error");
  refused(rule("modelled = true\nproof = [\"effect:reinforc\"]\n"), "did you mean \"reinforce\"?");
  refused(rule("modelled = true\nproof = [\"hazard:asteriod\"]\n"), "did you mean \"asteroid\"?");
  refused(rule("modelled = true\nproof = [\"hazard:player-order\"]\n"), "leaves something out");
  refused(rule("modelled = true\nproof = [\"token:fokus\"]\n"), "did you mean \"focus\"?");
  refused(rule("modelled = true\nproof = [\"setting:dice\"]\n"), "there is no setting");
  refused(rule("modelled = true\nproof = [\"card:upgrade/nosuchcard\"]\n"), "there is no such card");
  refused(rule("modelled = true\nproof = [\"rulings:000 Nowhere\"]\n"), "no document has this page");
  refused(rule("modelled = true\nproof = [\"believe me\"]\n"), "not a proof");
  refused(rule("modelled = true\n"), "nothing shows it");
  refused(rule("modelled = true\nwhy = \"x\"\nproof = [\"effect:reinforce\"]\n"), "leave why out");
  refused(rule("modelled = \"partly\"\nproof = [\"effect:reinforce\"]\n"), "does not say why");
  refused(rule("modelled = false\nwhy = \"x\"\nproof = [\"effect:reinforce\"]\n"), "leave proof out");
  refused(rule("modelled = false\n"), "does not say why");
  refused(rule("modelled = \"mostly\"\nwhy = \"x\"\n"), "true, false or \"partly\"");
  refused(rule("modelled = false\nwhy = \"x\"\n") + rule("modelled = false\nwhy = \"x\"\n"), "is listed twice");
  refused("[[rule]]\nid = \"one\"\nsource = \"000: Reinforec\"\nsays = \"x\"\nmodelled = false\nwhy = \"x\"\n",
          "did you mean \"Reinforce\"?");
  refused("[[rule]]\nid = \"one\"\nsource = \"009: Reinforce\"\nsays = \"x\"\nmodelled = false\nwhy = \"x\"\n",
          "there is no document");
  refused("[[rule]]\nid = \"one\"\nsource = \"Reinforce\"\nsays = \"x\"\nmodelled = false\nwhy = \"x\"\n",
          "names no document");
  refused("rule = 3\n", "with two brackets");
  refused("", "list the rules");
}

TEST_CASE("rules: effects and hazards that no rule names are listed as well", "[rulebook]") {
  const Catalogue others(kSource / "tests/data/profiles");
  const salvo::load::Edition* second = catalogue().edition("second-edition");
  salvo::load::Edition mine = *second;
  mine.id = "mine";  // has neither rules nor hazards
  const auto book = load::load_rulebook(catalogue(), mine);
  CHECK(book.rules.size() == second->effects.size());
  CHECK(book.count(RuleCoverage::Modelled) == static_cast<int>(second->effects.size()));
  CHECK(book.documents.empty());
}

TEST_CASE("rules: the same numbers in every format", "[rulebook]") {
  const auto book = load::load_rulebook(catalogue(), *catalogue().edition("second-edition"));
  const json list = json::parse(to_json(report::RuleList{book, book.rules}));
  CHECK(list["rules"].size() == book.rules.size());
  CHECK(list["edition"]["modelled"].get<int>() + list["edition"]["partly"].get<int>() +
            list["edition"]["left_out"].get<int>() ==
        static_cast<int>(book.rules.size()));
  const std::string csv = to_csv(report::RuleList{book, book.rules});
  CHECK(std::count(csv.begin(), csv.end(), '\n') == static_cast<long>(book.rules.size()) + 1);
  const std::string table = to_table(report::RuleList{book, book.rules}, 80, false);
  for (const RulebookRule& rule : book.rules) CHECK(table.find(rule.id) != std::string::npos);
}

TEST_CASE("remotes are attacked like ships", "[rulebook][rules]") {
  CHECK(value_of("2 focus range=1", "ship=buzzdroidswarm") == value_of("2 focus range=1", "1 hull=1"));
  CHECK(value_of("3 range=3", "ship=sensorbuoy") == value_of("3 range=3", "3 hull=2"));
  CHECK(value_of("3 obstructed", "2 size=remote") == value_of("3 obstructed", "2"));
  CHECK_THROWS_WITH(value_of("3", "2 size=remote evade"), Catch::Contains("000: Remotes"));
  for (const char* id : {"buzzdroidswarm", "darkeyeprobedroid", "sensorbuoy", "commandoteam"}) {
    REQUIRE(catalogue().ship(id, "2025") != nullptr);
    CHECK(catalogue().ship(id, "2025")->size == "remote");
  }
}
