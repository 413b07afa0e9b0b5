#include "load/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace salvo::load {
namespace {

struct Remedy {
  WordContext where;
  std::string_view words;  ///< separated by blanks, in the form of simplified()
  std::string_view text;   ///< {0}: the token; {1}: another ship
};

constexpr std::string_view kLocks = "lock locks locked target targetlock targetlocks tl";
constexpr std::string_view kDamage = "damage damaged hits wounds";
constexpr std::string_view kHealth = "health hp hitpoints life";
constexpr std::string_view kLeft = "state what is left: hull = 2";

// clang-format off
constexpr Remedy kRemedies[] = {
    {WordContext::Scenario, "ship", "each ship is a separate table, ships.NAME"},
    {WordContext::Scenario, "attack", "the list of attacks is named attacks"},
    {WordContext::Scenario, "attacker attackers defender defenders target targets mine theirs squad squads",
     "describe each ship in ships.NAME, and who attacks whom in attacks"},
    {WordContext::Scenario, "deck damagecards", "the key is damage_deck"},
    {WordContext::Scenario, "edition ruleset version", "the key is rules, for example rules = \"first-edition\""},
    {WordContext::Scenario, "policy", "there is one for each role: attacker_policy and defender_policy"},

    {WordContext::Ship, kLocks, "locks are among the tokens: tokens = {{ lock = [\"{1}\"] }}"},
    {WordContext::Ship, kDamage, kLeft},
    {WordContext::Ship, "damagecard damagecards criticals crits",
     "damage cards are two keys: faceup = [\"blinded-pilot\"], and facedown = 2 for the others"},
    {WordContext::Ship, kHealth, "it is two keys: hull and shields"},
    {WordContext::Ship, "die dice attackdice attackdie attackvalue reddice firepower",
     "attack is the number of attack dice, agility that of defense dice"},
    {WordContext::Ship, "defense defence defensedice defencedice greendice", "agility is the number of defense dice"},
    {WordContext::Ship, "card cards talent talents crew gunner sensor missile missiles torpedo torpedoes cannon turret modification",
     "upgrades are one list, whatever their slot: upgrades = [\"predator\"]"},
    {WordContext::Ship, "charge charges", "cards begin with all their charges; leave it out"},
    {WordContext::Ship, "name id", "its table names it: ships.NAME; what it is, say ship and pilot"},
    {WordContext::Ship, "points cost faction skill pilotskill", "no dice depend on it; leave it out"},
    {WordContext::Ship, "", "it is a token: tokens = {{ {0} = 1 }}"},

    {WordContext::Tokens, kLocks, "write lock = [\"{1}\"], with the ships it has locked"},
    {WordContext::Tokens, kDamage, "the ship has a key for what is left: hull = 2"},
    {WordContext::Tokens, "shield", "shields are a key of the ship, beside tokens: shields = 2"},
    {WordContext::Tokens, "charge charges", "cards begin with all their charges; leave it out"},

    {WordContext::Attack, "attacker from ship", "the key is by"},
    {WordContext::Attack, "defender target targets at to against", "the key is on"},
    {WordContext::Attack, "distance", "the key is range"},
    {WordContext::Attack, "die dice attackdice", "the ship has the number of attack dice: attack = 3"},
    {WordContext::Attack, "obstacle obstacles cover obstruction", "write obstructed = true"},
    {WordContext::Attack, "arc bullseye inarc outofarc", "board facts are a list: facts = [\"bullseye\"]"},
    {WordContext::Attack, "repeat times count twice", "list the attack as often as it happens"},
    {WordContext::Attack, "tokens locks targetlock lock", "tokens belong to the ship that has them, as in ships.NAME.tokens"},
    {WordContext::Attack, "", "tokens belong to the ship that has them, as in ships.NAME.tokens"},

    {WordContext::Spec, kLocks, "write lock"},
    {WordContext::Spec, "hit hits crit crits", "write how many results the attack has, for example 3 hits 1 crit"},
    {WordContext::Spec, "evades", "write results=evade,evade for what is left of the roll, evade=2 for tokens"},
    {WordContext::Spec, kDamage, "write what is left: hull=2; or the damage cards: facedown=2 faceup=blindedpilot"},
    {WordContext::Spec, kHealth, "write hull=3 shields=2, or name the ship"},
    {WordContext::Spec, "die dice d attackdice defensedice reddice reddie greendice greendie", "a bare number is the number of dice, as 3"},
    {WordContext::Spec, "agility defense defence", "a defender's bare number is its defense dice, for example 2; else agility=2"},
    {WordContext::Spec, "at r", "write range=1"},
    {WordContext::Spec, "obstacle cover behind", "write obstructed"},
    {WordContext::Spec, "token tokens marker markers", "leave it out: focus is one token, focus=2 are two"},
    {WordContext::Spec, "reroll rerolls", "write what rerolls the dice: lock, or the name of a card"},
    {WordContext::Spec, "x times", "write the number of equal ships or attacks as x2"},
    {WordContext::Spec, "charge charges", "cards begin with all their charges; leave it out"},
};

/// Kinds of tokens, each with words for having some.
constexpr std::string_view kTokens[][2] = {
    {"focus", "focus focused focuses focussed foc"},    {"calculate", "calculate calculates calculating calc"},
    {"evade", "evade evades evading evadetoken"}, {"force", "force forces"},
    {"energy", "energy"},                      {"reinforce", "reinforce"},
    {"strain", "strain strained"},             {"deplete", "deplete depleted"},
    {"stress", "stress stressed"},             {"tractor", "tractor tractored"},
    {"ion", "ion ions ionized ionised"},               {"jam", "jam jammed"},
    {"cloak", "cloak cloaked"},                {"disarm", "disarm disarmed"},
};
// clang-format on

std::string simplified(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c != '-' && c != '_' && c != ' ') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

/// "3d", "3dice".
bool is_dice(std::string_view word) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string_view rest = word.substr(digits);
  return digits > 0 && (rest == "d" || rest == "dice" || rest == "die");
}

}  // namespace

std::string_view token_of(std::string_view word) {
  const std::string written = simplified(word);
  for (const auto& [token, words] : kTokens) {
    if (has_word(words, written)) return token;
  }
  return {};
}

std::string remedy(WordContext where, std::string_view word, std::string_view ship) {
  const std::string written = simplified(word);
  if (written.empty()) return {};
  const std::string_view token = token_of(written);
  const std::string_view meant = where == WordContext::Spec && is_dice(written) ? std::string_view("dice") : written;
  for (const Remedy& one : kRemedies) {
    if (one.where != where) continue;
    if (one.words.empty() ? token.empty() : !has_word(one.words, meant)) continue;
    return " " + fmt::format(fmt::runtime(one.text), token, ship);
  }
  return {};
}

}  // namespace salvo::load
