// Reads an edition: dice, limits, tokens, effects.
#include <fmt/format.h>

#include "base/index.h"
#include "base/limits.h"
#include "data/message.h"
#include "load/infinite_loops.h"
#include "load/profile.h"

namespace salvo::load {

namespace {

constexpr int kFormat = 1;
constexpr int kMaxTokenCount = 99;

/// A die as { face = sides, ... }. Faces are in the order of the file.
DieSpec read_die(const data::Node& node) {
  node.need_table("the faces and the number of sides of each, such as { hit = 3, blank = 5 }");
  DieSpec die;
  int sides = 0;
  for (const data::Node& face : node.children()) {
    if (!data::is_id(face.key()) || face.key() == "any" || face.key() == "all" || face.key() == "success") {
      face.fail("not the name of a face; use lower-case letters, but not any, all or success");
    }
    die.faces.push_back({face.key(), face.integer(1, kMaxDieSides)});
    sides += die.faces.back().sides;
  }
  const int faces = static_cast<int>(die.faces.size());
  if (faces < 1 || faces > base::kMaxFaces)
    node.fail(fmt::format("{} faces; a die has 1 to {} different faces", faces, base::kMaxFaces));
  if (sides > kMaxDieSides) node.fail(fmt::format("{} sides; a die has at most {} sides in all", sides, kMaxDieSides));
  return die;
}

void read_dice(const data::Node& root, Edition& edition) {
  const data::Node node = root.need("dice", "describe the attack and the defense die");
  node.need_table("a [dice] table");
  node.allow_only({"minimum", "maximum", "attack", "defense"});
  node.read("minimum", 0, base::kMaxPool, edition.min_dice);
  node.read("maximum", 0, base::kMaxPool, edition.max_dice);
  if (edition.min_dice > edition.max_dice) node.fail("minimum is above maximum; swap the two");
  edition.attack_die = read_die(node.need("attack", "give the faces of the attack die"));
  edition.defense_die = read_die(node.need("defense", "give the faces of the defense die"));
}

void read_range(const data::Node& root, Edition& edition) {
  const auto node = root.get("range");
  if (!node) return;
  node->need_table("a [range] table");
  node->allow_only({"minimum", "maximum"});
  node->read("minimum", 0, 5, edition.min_range);
  node->read("maximum", 0, 5, edition.max_range);
  if (edition.min_range > edition.max_range) node->fail("minimum is above maximum; swap the two");
}

TokenSpec read_token_kind(const data::Node& node, const std::vector<std::string>& sizes) {
  node.need_table("a table with the properties of the token, {} for none");
  node.allow_only({"green", "leaves", "charge", "prevents_attack", "max", "threshold", "state", "blue", "focus_only"});
  if (!data::is_id(node.key()) || node.key() == "lock") {
    node.fail("not the name of a token; use lower-case letters (locks are built in: they name a ship)");
  }
  TokenSpec token;
  token.id = node.key();
  node.read("green", token.green);
  token.leaves = token.green;
  node.read("leaves", token.leaves);
  node.read("charge", token.charge);
  node.read("prevents_attack", token.prevents_attack);
  node.read("max", 1, kMaxTokenCount, token.max);
  node.read("blue", token.blue);
  node.read("focus_only", token.focus_only);
  const auto threshold = node.get("threshold");
  if (!threshold) {
    if (const auto state = node.get("state"))
      state->fail("a state without a threshold; add threshold = { small = 1, ... }");
    return token;
  }
  threshold->need_table("a number for each size, such as { small = 1, large = 3 }");
  threshold->allow_only(sizes);
  for (const data::Node& size : threshold->children()) token.threshold[size.key()] = size.integer(1, kMaxTokenCount);
  token.state =
      node.need("state", "name the state that begins at the threshold, for example state = \"tractored\"").text();
  return token;
}

}  // namespace

Edition read_edition(const data::Node& root, const std::string& id) {
  root.need_table();
  root.allow_only({"format", "id", "name", "sizes", "remotes", "destroyed_stays", "card_sets", "bonus_attacks", "dice",
                   "range", "tokens", "effect"});
  root.need("format", "write format = 1").integer(kFormat, kFormat);
  Edition edition;
  edition.id = read_id(root, id);
  edition.name = root.need("name", "name the edition").text();
  edition.sizes = root.need("sizes", "list the sizes of ships").texts();
  if (const auto remotes = root.get("remotes")) {
    edition.remotes = remotes->texts();
    for (const data::Node& size : remotes->children()) {
      const bool known = base::contains(edition.sizes, size.text());
      if (!known) size.fail_choice(edition.sizes, "one of the sizes");
    }
  }
  if (const auto stays = root.get("destroyed_stays")) {
    const bool attack = stays->one_of({"initiative", "own-attack"}) == "own-attack";
    edition.destroyed_stays = attack ? DestroyedStays::OwnAttack : DestroyedStays::Initiative;
  }
  if (const auto bonus = root.get("bonus_attacks")) {
    bonus->need_table("the most bonus attacks of a ship in a round by size, such as { small = 1 }");
    bonus->allow_only(edition.sizes);
    for (const data::Node& size : bonus->children())
      edition.bonus_attacks[size.key()] = size.integer(1, kMaxTokenCount);
  }
  if (const auto sets = root.get("card_sets")) {
    edition.card_sets = sets->texts();
    for (const data::Node& set : sets->children()) set.one_of(Catalogue::card_sets());
  }
  read_dice(root, edition);
  read_range(root, edition);
  const data::Node tokens = root.need("tokens", "describe the kinds of tokens");
  tokens.need_table("a [tokens] table");
  for (const data::Node& token : tokens.children()) edition.tokens.push_back(read_token_kind(token, edition.sizes));
  edition.effects = read_effects(root, &edition, "");
  std::vector<OwnedEffect> effects;
  for (const EffectSpec& effect : edition.effects) effects.push_back({&effect, nullptr});
  reject_infinite_loop(effects);
  return edition;
}

}  // namespace salvo::load
