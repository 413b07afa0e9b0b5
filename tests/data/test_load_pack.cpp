// The pack of profiles gives the same trees as the files, and is not used for a file that has changed.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "data/file.h"
#include "data/pack.h"
#include "data/profiles.h"
#include "data/value.h"
#include "load/actions.h"
#include "load/card_file.h"
#include "load/catalogue.h"
#include "load/hazard_file.h"
#include "load/rulebook.h"
#include "salvo/names.h"
#include "salvo/references.h"
#include "support/temporary_folder.h"

using namespace salvo;
using data::Pack;
using data::Value;

namespace {

namespace fs = std::filesystem;

const fs::path kProfiles = fs::path(SALVO_SOURCE_DIR) / "profiles";

bool same(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.boolean != b.boolean || a.huge != b.huge || a.line != b.line || a.integer != b.integer)
    return false;
  if (a.key != b.key || a.text != b.text || a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same(a.items[i], b.items[i])) return false;
  }
  return true;
}

/// A folder of profiles with a ship, and its pack.
class Packed {
 public:
  Packed() {
    fs::create_directories(root() / "rules");
    write("ships/mine.toml", ship(3));
    write("ships/empty.toml", "");
    write("ships/notes.txt", "not TOML\n");
    write("ships/broken.toml", "id = \n");
    std::ofstream(pack_file(), std::ios::binary) << data::make_pack(root());
  }

  fs::path root() const { return folder_.path() / "profiles"; }
  fs::path pack_file() const { return folder_.path() / "profiles.pack"; }
  std::string bytes() const { return data::read_file(pack_file().string()); }
  void write(const std::string& file, const std::string& text) const { folder_.write("profiles/" + file, text); }
  static std::string ship(int hull) {
    return "id = \"mine\"\nname = \"Mine\"\nsize = \"small\"\nagility = 2\nhull = " + std::to_string(hull) + "\n";
  }

 private:
  tests::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a pack contains the trees of all profiles, line by line", "[load][pack]") {
  const std::string bytes = data::make_pack(kProfiles);
  const Pack pack(bytes);
  int trees = 0;
  for (const auto& found : fs::recursive_directory_iterator(kProfiles)) {
    if (!found.is_regular_file()) continue;
    const std::string path = found.path().lexically_relative(kProfiles).generic_string();
    const std::string text = data::read_file(found.path().string());
    const auto tree = pack.tree(path, text);
    CAPTURE(path);
    REQUIRE(tree.has_value());
    REQUIRE(same(*tree, *pack.tree(path)));
    REQUIRE(same(*tree, found.path().extension() == ".toml" ? data::parse_toml(text, path) : Value::of(text)));
    CHECK(!pack.tree(path, text + " ").has_value());
    ++trees;
  }
  CHECK(trees > 1000);
  CHECK(!pack.tree("rules/none.toml").has_value());
  CHECK(!pack.tree("").has_value());
}

TEST_CASE("every kind of value survives packing", "[load][pack]") {
  const Packed profiles;
  const std::string text =
      "a = -1\nb = 9223372036854775807\nc = -9223372036854775808\nd = true\ne = 0.5\nf = 1979-05-27\n"
      "g = [1, \"two\", {three = 3}]\n\n[h.i]\nj = \"\"\n";
  profiles.write("rules/all.toml", text);
  const std::string bytes = data::make_pack(profiles.root());
  REQUIRE(same(Pack(bytes).tree("rules/all.toml", text).value(), data::parse_toml(text, "")));
}

TEST_CASE("files with errors are not in a pack", "[load][pack]") {
  const Packed profiles;
  const std::string bytes = profiles.bytes();
  const Pack pack(bytes);
  CHECK(pack.tree("ships/mine.toml").has_value());
  CHECK(pack.tree("ships/empty.toml").has_value());
  CHECK(!pack.tree("ships/broken.toml").has_value());
  CHECK(pack.tree("ships/notes.txt")->text == "not TOML\n");
}

TEST_CASE("a catalogue reads unchanged files from the pack, and changed ones from the folder", "[load][pack]") {
  const Packed profiles;
  // The pack differs from the file, which no build does, so that the test sees which of the two is read.
  std::string bytes = profiles.bytes();
  const std::size_t name = bytes.find("Mine");
  REQUIRE(name != std::string::npos);
  bytes.replace(name, 4, "Pack");
  std::ofstream(profiles.pack_file(), std::ios::binary) << bytes;
  CHECK(Catalogue(profiles.root()).ship("mine", "2025")->name == "Pack");
  CHECK(Catalogue(profiles.root().string() + "/").ship("mine", "2025")->name == "Pack");

  profiles.write("ships/mine.toml", Packed::ship(4));
  CHECK(Catalogue(profiles.root()).ship("mine", "2025")->name == "Mine");
  CHECK(Catalogue(profiles.root()).ship("mine", "2025")->hull == 4);

  profiles.write("ships/new.toml", "id = \"new\"\nname = \"New\"\nsize = \"small\"\nagility = 1\nhull = 1\n");
  CHECK(Catalogue(profiles.root()).ship("new", "2025")->hull == 1);
  fs::remove(profiles.root() / "ships" / "mine.toml");
  CHECK(Catalogue(profiles.root()).ship("mine", "2025") == nullptr);
  CHECK_THROWS_AS(Catalogue(profiles.root()).ship("broken", "2025"), LoadError);
}

TEST_CASE("an invalid pack has no files, and a damaged one is not read beyond its end", "[load][pack]") {
  const Packed profiles;
  const std::string good = profiles.bytes();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string cut = good.substr(0, size);
    static_cast<void>(Pack(cut).tree("ships/mine.toml"));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bad = good;
    for (int n = 0; n < 3; ++n) bad[random() % bad.size()] = static_cast<char>(random());
    static_cast<void>(Pack(bad).tree("ships/mine.toml"));
  }
  CHECK(!Pack("salvo profiles 0\n").tree("").has_value());
  CHECK(!Pack(std::string(data::kPackMark) + "\xFF\xFF\xFF\xFF").tree("").has_value());
}

TEST_CASE("a pack alone answers like its folder and opens no file", "[load][pack]") {
  const Catalogue folder(kProfiles), pack = Catalogue::of_pack(data::make_pack(kProfiles, data::PackUse::Alone));
  CHECK(!fs::exists(pack.root() / "rules" / "facts.toml"));  // a name only
  CHECK(pack.edition_ids() == folder.edition_ids());
  CHECK(pack.facts() == folder.facts());
  for (const std::string& edition : folder.edition_ids()) {
    CHECK(pack.deck_ids(edition) == folder.deck_ids(edition));
    const salvo::load::Edition &here = *pack.edition(edition), &there = *folder.edition(edition);
    const auto names = [](const std::vector<load::Hazard>& hazards) {
      std::vector<std::string> out;
      for (const load::Hazard& one : hazards) out.push_back(one.id);
      return out;
    };
    CHECK(names(load::load_hazards(pack.profiles(), here)) == names(load::load_hazards(folder.profiles(), there)));
    CHECK(load::load_rulebook(pack, here).rules.size() == load::load_rulebook(folder, there).rules.size());
    CHECK(load_references(pack, "", edition).attackers.size() == load_references(folder, "", edition).attackers.size());
  }
  for (const std::string& set : Catalogue::card_sets()) {
    INFO(set);
    for (const char* kind : {"pilot", "upgrade", "ship"}) {
      for (const char* words : {"", "an"})
        CHECK(search_names(pack, kind, words, set) == search_names(folder, kind, words, set));
    }
    CHECK(pack.ship_ids(set) == folder.ship_ids(set));
    CHECK(pack.pilot_ids(set) == folder.pilot_ids(set));
    CHECK(pack.upgrade_ids(set) == folder.upgrade_ids(set));
    CHECK(pack.condition_ids(set) == folder.condition_ids(set));
    CHECK(pack.data_set(set).date == folder.data_set(set).date);
    const auto here = load::library_cards(pack.profiles(), set), there = load::library_cards(folder.profiles(), set);
    REQUIRE(here.size() == there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      CHECK(here[i].path.lexically_relative(pack.root()) == there[i].path.lexically_relative(folder.root()));
      CHECK(same(load::read_card_file(pack.profiles(), here[i].path, pack.facts()).tree,
                 load::read_card_file(there[i].path.string(), folder.facts()).tree));
      CHECK(pack.relevant(here[i].kind, here[i].id, set) == folder.relevant(here[i].kind, here[i].id, set));
    }
    for (const std::string& id : folder.ship_ids(set)) {
      const salvo::load::ShipSpec *one = pack.ship(id, set), *other = folder.ship(id, set);
      REQUIRE((one == nullptr) == (other == nullptr));
      if (one != nullptr) CHECK(one->pilots.size() == other->pilots.size());
      CHECK(load::actions_of(pack, set, id, "", {}).size() == load::actions_of(folder, set, id, "", {}).size());
    }
  }
  CHECK(pack.ship("no-such-ship", "xwa") == nullptr);
  CHECK(pack.ship("../ships/t65xwing", "xwa") == nullptr);
}

TEST_CASE("a pack in three parts equals the whole pack", "[load][pack]") {
  const std::string first = data::make_pack(kProfiles, data::PackUse::First),
                    cards = data::make_pack(kProfiles, data::PackUse::Cards),
                    further = data::make_pack(kProfiles, data::PackUse::Further),
                    alone = data::make_pack(kProfiles, data::PackUse::Alone);
  CHECK(first.size() + cards.size() + further.size() < alone.size() + 10'000);  // each has a list of keys
  const Catalogue two = Catalogue::of_pack(first), copy = two, one = Catalogue::of_pack(alone);
  CHECK(two.facts() == one.facts());
  CHECK(two.edition_ids() == one.edition_ids());
  CHECK(two.deck_ids("second-edition") == one.deck_ids("second-edition"));
  CHECK_THROWS_AS(copy.ship_ids("xwa"), data::FurtherPackNeeded);
  CHECK_THROWS_AS(search_names(two, "pilot", "", "xwa"), data::FurtherPackNeeded);
  two.profiles().add_pack(cards);
  for (const char* const set : {"xwa", "2025"}) {
    CHECK(two.ship_ids(set) == one.ship_ids(set));
    CHECK(two.upgrade_ids(set) == one.upgrade_ids(set));
  }
  CHECK_THROWS_AS(copy.ship_ids("legacy"), data::FurtherPackNeeded);
  CHECK_THROWS_AS(two.pilot_ids("first-edition"), data::FurtherPackNeeded);
  CHECK_THROWS_AS(load::library_cards(two.profiles(), "legacy"), data::FurtherPackNeeded);
  CHECK_THROWS_AS(two.profiles().add_pack("nonsense"), LoadError);
  CHECK_THROWS_AS(copy.ship_ids("legacy"), data::FurtherPackNeeded);
  two.profiles().add_pack(further);
  for (const std::string& set : Catalogue::card_sets()) {
    INFO(set);
    CHECK(copy.ship_ids(set) == one.ship_ids(set));
    CHECK(copy.pilot_ids(set) == one.pilot_ids(set));
    CHECK(copy.upgrade_ids(set) == one.upgrade_ids(set));
    CHECK(load::library_cards(two.profiles(), set).size() == load::library_cards(one.profiles(), set).size());
  }
  for (const std::string& edition : one.edition_ids()) {
    CHECK(load::load_rulebook(copy, *copy.edition(edition)).rules.size() ==
          load::load_rulebook(one, *one.edition(edition)).rules.size());
  }
}

TEST_CASE("invalid pack bytes are refused as profiles", "[load][pack]") {
  const std::string whole = data::make_pack(kProfiles);
  CHECK_THROWS_WITH(Catalogue::of_pack(""), Catch::Contains("not a pack of this version"));
  CHECK_THROWS_WITH(Catalogue::of_pack(whole.substr(1)), Catch::Contains("not a pack of this version"));
  CHECK_THROWS_AS(Catalogue::of_pack(whole.substr(0, 1000)), LoadError);
  const Packed own;
  CHECK_THROWS_WITH(Catalogue::of_pack(own.bytes()), Catch::Contains("holds no folder rules"));
}
