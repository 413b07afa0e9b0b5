#include "load/hazard_file.h"

#include <fmt/format.h>

#include <set>

#include "base/index.h"
#include "data/file.h"
#include "data/message.h"
#include "load/profile.h"

namespace salvo::load {
namespace {

namespace fs = std::filesystem;
using data::Node;
using Names = std::vector<std::string>;

constexpr int kMaxHazardDice = 20;
constexpr int kMaxEach = 99;

const Names& kinds() {
  static const Names all{"bomb", "mine", "remote", "obstacle", "overlap", "card", "contest"};
  return all;
}

/// Names that the file may refer to.
struct HazardWords {
  Names faces, tokens, sizes, numbers;
};

HazardWords words_of(const Edition& edition) {
  HazardWords out;
  for (const FaceSpec& face : edition.attack_die.faces) out.faces.push_back(face.name);
  for (const TokenSpec& token : edition.tokens) out.tokens.push_back(token.id);
  out.sizes = edition.sizes;
  return out;
}

std::string read_own_id(const Node& node) {
  std::string id = node.need("id", "give it an id of lower-case letters, digits and hyphens").text();
  if (!data::is_id(id)) node.get("id")->fail("not an id; use lower-case letters, digits and hyphens");
  return id;
}

HazardEffect read_outcome(const Node& node, const HazardWords& words) {
  node.need_table("what happens, such as { hit = 1, ion = 2 }");
  Names keys{"shield", "hit", "crit", "facedown-card", "faceup-card", "expose"};
  keys.insert(keys.end(), words.tokens.begin(), words.tokens.end());
  node.allow_only(keys);
  HazardEffect out;
  node.read("shield", 1, kMaxEach, out.shields);
  node.read("hit", 1, kMaxEach, out.hits);
  node.read("crit", 1, kMaxEach, out.crits);
  node.read("facedown-card", 1, kMaxEach, out.facedown_cards);
  node.read("faceup-card", 1, kMaxEach, out.faceup_cards);
  node.read("expose", 1, kMaxEach, out.exposed);
  for (const std::string& token : words.tokens) {
    if (const auto member = node.get(token)) out.tokens[token] = member->integer(1, kMaxEach);
  }
  return out;
}

/// The names in a list. Each must be in `known`.
Names read_names(const Node& node, const Names& known, const std::string& what) {
  Names out = node.texts_once("give each once");
  for (const Node& item : node.children()) {
    if (!base::contains(known, item.text())) item.fail_choice(known, what);
  }
  if (out.empty()) node.fail("the list is empty; leave the key out");
  return out;
}

void read_first(const Node& node, const HazardWords& words, HazardSituation& out) {
  node.need_table("the roll that decides, such as { dice = 1, on = [\"hit\"] }");
  node.allow_only({"dice", "on"});
  out.first_dice = node.need("dice", "give the number of dice").integer(1, kMaxHazardDice);
  out.first_faces = read_names(node.need("on", "list the faces"), words.faces, "a face of the attack die");
}

std::vector<std::string> default_sizes(const Edition& edition) {
  Names out;
  for (const std::string& size : edition.sizes) {
    if (!base::contains(edition.remotes, size)) out.push_back(size);
  }
  return out;
}

HazardSituation read_situation(const Node& node, const Edition& edition, const HazardWords& words) {
  node.need_table("a [[situation]] table");
  node.allow_only({"id", "when", "sizes", "remotes", "first", "dice", "dice_per", "fixed", "fixed_per", "on", "also"});
  HazardSituation out;
  out.id = read_own_id(node);
  out.when = node.need("when", "say in a few words when it happens").text();
  const auto sizes = node.get("sizes");
  out.sizes = sizes ? read_names(*sizes, words.sizes, "a size of the edition") : default_sizes(edition);
  bool remotes = false;
  node.read("remotes", remotes);
  if (remotes && sizes) node.get("remotes")->fail("sizes says already to whom it happens; leave one of the two out");
  if (remotes) out.sizes = edition.sizes;
  if (const auto first = node.get("first")) read_first(*first, words, out);
  node.read("dice", 0, kMaxHazardDice, out.dice);
  if (const auto per = node.get("dice_per")) {
    per->need_table("dice for each of a number, such as { small = 1 }");
    per->allow_only(words.numbers);
    for (const Node& one : per->children()) out.dice_per[one.key()] = one.integer(1, kMaxHazardDice);
  }
  if (const auto fixed = node.get("fixed")) out.fixed = read_outcome(*fixed, words);
  if (const auto per = node.get("fixed_per")) {
    per->need_table("what happens for each of a number, such as { speed = { crit = 1 } }");
    per->allow_only(words.numbers);
    for (const Node& one : per->children()) out.fixed_per[one.key()] = read_outcome(one, words);
  }
  if (const auto on = node.get("on")) {
    on->need_table("what each face does, such as { hit = { hit = 1 } }");
    on->allow_only(words.faces);
    for (const Node& face : on->children()) out.on[face.key()] = read_outcome(face, words);
    if (out.dice == 0 && out.dice_per.empty()) on->fail("no dice are rolled; add dice = 1, or leave it out");
  } else if (out.dice > 0 || !out.dice_per.empty()) {
    node.fail("dice are rolled, but no face does anything; add on = { hit = { hit = 1 } }");
  }
  node.read("also", out.also);
  return out;
}

std::vector<HazardAmount> read_numbers(const Node& root) {
  std::vector<HazardAmount> out;
  const auto list = root.get("number");
  if (!list) return out;
  list->need_array("[[number]] tables, with two brackets");
  for (const Node& node : list->children()) {
    node.need_table("a [[number]] table");
    node.allow_only({"id", "meaning", "least", "most", "usual"});
    HazardAmount number;
    number.name = read_own_id(node);
    number.meaning = node.need("meaning", "say what it counts").text();
    node.read("least", 0, kMaxEach, number.least);
    node.read("most", 0, kMaxEach, number.most);
    node.read("usual", 0, kMaxEach, number.usual);
    if (number.least > number.usual || number.usual > number.most) {
      node.fail("usual is not from least to most; change one of the three");
    }
    out.push_back(number);
  }
  return out;
}

HazardContest read_contest(const Node& node, const HazardWords& words) {
  node.need_table("a [contest] table");
  node.allow_only({"dice", "most", "wins"});
  HazardContest out;
  out.dice = node.need("dice", "give the number of dice").integer(1, kMaxHazardDice);
  const auto most = node.get("most"), wins = node.get("wins");
  if (most.has_value() == wins.has_value()) node.fail("needs either most or wins; give one of the two");
  if (most) out.most = read_names(*most, words.faces, "a face of the attack die");
  if (wins) out.wins = read_names(*wins, words.faces, "a face of the attack die");
  return out;
}

void need_each_once(const Node& root, const Hazard& hazard) {
  std::set<std::string> seen;
  for (const HazardSituation& situation : hazard.situations) {
    if (!seen.insert(situation.id).second) {
      root.get("situation")->fail(fmt::format("the situation {} is listed twice; rename one", situation.id));
    }
  }
  seen.clear();
  for (const HazardAmount& number : hazard.numbers) {
    if (!seen.insert(number.name).second) {
      root.get("number")->fail(fmt::format("the number {} is listed twice; rename one", number.name));
    }
  }
}

Hazard read_hazard(const Node& root, const Edition& edition, const std::string& id) {
  root.need_table();
  root.allow_only({"id", "name", "kind", "source", "also_called", "omits", "number", "situation", "contest"});
  Hazard out;
  out.id = read_id(root, id);
  out.name = root.need("name", "name the hazard").text();
  out.kind = root.need("kind", "say what it is, for example kind = \"bomb\"").one_of(kinds());
  out.source = root.need("source", "name document and page, for example source = \"000: Obstacles\"").text();
  root.read("also_called", out.also_called);
  root.read("omits", out.omits);
  out.numbers = read_numbers(root);
  HazardWords words = words_of(edition);
  for (const HazardAmount& number : out.numbers) words.numbers.push_back(number.name);
  const auto situations = root.get("situation"), contest = root.get("contest");
  if (situations.has_value() == contest.has_value()) {
    root.fail("needs either [[situation]] tables or a [contest] table; give one of the two");
  }
  if ((out.kind == "contest") != contest.has_value()) {
    root.get("kind")->fail("a contest has a [contest] table, and nothing else has; change one of the two");
  }
  if (contest) {
    out.contest = read_contest(*contest, words);
    return out;
  }
  situations->need_array("[[situation]] tables, with two brackets");
  for (const Node& node : situations->children()) out.situations.push_back(read_situation(node, edition, words));
  if (out.situations.empty()) situations->fail("the list is empty; describe at least one situation");
  need_each_once(root, out);
  return out;
}

fs::path folder_of(const data::Profiles& profiles, const Edition& edition) {
  return profiles.root() / "hazards" / edition.id;
}

Hazard read_file(const data::Profiles& profiles, const fs::path& path, const Edition& edition, const std::string& id) {
  return data::read_tree(profiles, path, [&](const Node& root) { return read_hazard(root, edition, id); });
}

}  // namespace

Hazard parse_hazard(std::string_view text, const std::string& source, const Edition& edition, const std::string& id) {
  text = data::check_text(text, source);
  const data::Value tree = data::parse_toml(text, source);
  return read_hazard(Node(tree, source), edition, id);
}

std::vector<Hazard> load_hazards(const data::Profiles& profiles, const Edition& edition) {
  const fs::path folder = folder_of(profiles, edition);
  std::vector<Hazard> out;
  for (const std::string& id : profiles.ids(folder))
    out.push_back(read_file(profiles, folder / (id + ".toml"), edition, id));
  return out;
}

Hazard load_hazard(const data::Profiles& profiles, const Edition& edition, const std::string& id) {
  const fs::path path = folder_of(profiles, edition) / (id + ".toml");
  if (data::is_id(id) && profiles.has(path)) return read_file(profiles, path, edition, id);
  Names known;
  for (Hazard& hazard : load_hazards(profiles, edition)) {
    if (base::contains(hazard.also_called, id)) return hazard;
    known.push_back(hazard.id);
    known.insert(known.end(), hazard.also_called.begin(), hazard.also_called.end());
  }
  if (known.empty()) {
    throw LoadError(
        fmt::format("the edition {} has no hazards; put them into profiles/hazards/{}", edition.id, edition.id));
  }
  const std::string near = base::did_you_mean(id, known);
  const std::string why = fmt::format("no hazard {} in the edition {};{}", base::in_quotes(id), edition.id,
                                      near.empty() ? " salvo hazard list shows all hazards" : near);
  throw LoadError(why, "hazard", why);
}

}  // namespace salvo::load
