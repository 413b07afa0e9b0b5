// The marks of card texts (profiles/cards/marks.tsv): every card file fulfills its marks, and no card leaves out
// anything that matters to attacks.
#include <catch2/catch.hpp>
#include <filesystem>

#include "cards/text_tags.h"
#include "compile/expression.h"
#include "load/card_data.h"
#include "load/card_file.h"
#include "load/load.h"

using namespace salvo;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const fs::path kProfiles = SALVO_SOURCE_DIR "/profiles";

/// Every name that the conditions and counts of a card read.
std::set<std::string> names_of(const salvo::load::CardSpec& card) {
  std::set<std::string> out;
  const auto read = [&](const std::string& text) {
    if (text.empty()) return;
    for (const std::string& name : compile::names_read(text)) out.insert(name);
  };
  for (const salvo::load::EffectSpec& effect : card.effects) {
    read(effect.when);
    read(effect.times);
    for (const salvo::load::OperationSpec& operation : effect.operations) read(operation.amount);
  }
  return out;
}

/// The files of a card folder, in the folders of their kinds.
std::vector<fs::path> files(const std::string& folder) {
  std::vector<fs::path> out;
  for (const char* kind : {"upgrade", "pilot", "ship"}) {
    const fs::path place = kProfiles / "cards" / folder / kind;
    if (!fs::exists(place)) continue;
    for (const auto& entry : fs::directory_iterator(place)) out.push_back(entry.path());
  }
  return out;
}

salvo::load::CardSpec spec(const std::string& effects, const std::string& keys = "") {
  const std::string text = "id = \"salvo-marks\"\nkind = \"upgrade\"\n" + keys + effects;
  return load::parse_card(text, "salvo-marks.toml", Catalogue(kProfiles.string()).facts()).spec;
}

}  // namespace

TEST_CASE("every card of the library fulfills the marks of its text", "[cards][marks]") {
  const Catalogue catalogue(kProfiles.string());
  std::size_t marked = 0;
  const std::pair<const char*, const char*> kFolders[] = {
      {"", "2025"}, {"", "legacy"}, {"legacy", "legacy"}, {"first-edition", "first-edition"}, {"xwa", "xwa"}};
  for (const auto& [folder, set] : kFolders) {
    const load::TextTags marks = load::read_text_tags(catalogue, set);
    for (const fs::path& path : files(folder)) {
      const salvo::load::CardSpec card = load::read_card_file(path.string(), catalogue.facts()).spec;
      INFO(path.string());
      CHECK(cards::notes_on_gaps(card, names_of(card)) == std::vector<std::string>());
      const auto at = marks.find({card.kind, card.id});
      if (at == marks.end()) continue;
      ++marked;
      CHECK(cards::notes_on_tags(card, at->second) == std::vector<std::string>());
    }
  }
  CHECK(marked >= 190);
}

TEST_CASE("a mark that a card does not fulfill is reported", "[cards][marks]") {
  const std::string damage =
      "[[effect]]\nside = \"attacker\"\nat = \"aftermath\"\nwhen = \"hit\"\ndo = [{ verb = "
      "\"damage\", who = \"foe\" }]\n";
  const salvo::load::CardSpec late = spec(damage);
  REQUIRE(cards::notes_on_tags(late, {"critical"}).size() == 1);
  CHECK_THAT(cards::notes_on_tags(late, {"critical"}).front(), Contains("crit = true"));
  REQUIRE(cards::notes_on_tags(late, {"on-hit"}).size() == 1);
  CHECK_THAT(cards::notes_on_tags(late, {"on-hit"}).front(), Contains("outcome"));
  const salvo::load::CardSpec friendly = spec(
      "[[effect]]\nside = \"attacker\"\nfor = \"ally\"\nat = \"attack-mod\"\nmay = true\ndo = [{ "
      "verb = \"reroll\", dice = \"attack\", n = 1 }]\n");
  CHECK(cards::notes_on_tags(friendly, {"itself"}).size() == 1);
  CHECK(cards::notes_on_tags(late, {"itself"}).empty());
  const salvo::load::CardSpec bonus = spec(
      "[[effect]]\nside = \"attacker\"\nat = \"aftermath\"\nmay = true\ndo = [{ verb = \"bonus\", "
      "weapon = \"primary\", target = \"foe\" }]\n");
  CHECK(cards::notes_on_tags(bonus, {"other-target"}).size() == 1);
  CHECK_THAT(cards::notes_on_tags(bonus, {"nonsense"}).front(), Contains("is no mark"));
}

TEST_CASE("what a card leaves out must not matter to the attacks", "[cards][marks]") {
  const std::string effect =
      "[[effect]]\nat = \"own-mod\"\nwhen = \"defender-limited\"\nmay = true\ndo = [{ verb = "
      "\"reroll\", dice = \"own\", n = 1 }]\n";
  const auto gaps = [&](const std::string& keys, const std::set<std::string>& names = {}) {
    return cards::notes_on_gaps(spec(effect, keys), names);
  };
  CHECK(gaps("omits = [\"damage to another ship\"]\n").size() == 1);
  CHECK(gaps("omits = [\"the tokens of its action\"]\n").empty());
  CHECK(gaps("omits = [\"damage to another ship\"]\npartly = [\"the rest\"]\n").empty());
  CHECK(gaps("facts = { defender-limited = false }\n").size() == 1);
  CHECK(gaps("facts = { defender-limited = false }\n", {"foe.limited"}).empty());
}
