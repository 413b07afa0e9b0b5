#include "review/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/answer.h"
#include "base/index.h"
#include "data/message.h"
#include "decide/observation.h"
#include "load/synonyms.h"

namespace salvo::review {
namespace {

const std::string kCharge = "charge:";  // of Labels::resources

/// The spelling of a token in a log.
std::string token_of(const std::string& label) {
  return label.starts_with(kCharge) ? label.substr(kCharge.size()) : label;
}

/// "force", or "charges of hate".
std::string thing(const std::string& label, int n = 2) {
  if (!label.starts_with(kCharge)) return label;
  return fmt::format("charge{} of {}", n == 1 ? "" : "s", token_of(label));
}

std::string lines_words(const std::vector<int>& lines) {
  std::vector<std::string> words;
  for (const int line : lines) words.push_back(std::to_string(line));
  return fmt::format("line{} {}", lines.size() > 1 ? "s" : "", base::listed(words));
}

int count_of(const std::map<std::pair<std::string, std::string>, double>& counts, const std::string& ship,
             const std::string& label) {
  const auto at = counts.find({ship, label});
  return at == counts.end() ? 0 : static_cast<int>(std::lround(at->second));
}

}  // namespace

void fail_at(const GameLog& log, int line, const std::string& why) { data::fail(log.source, "", line, why); }

Scenario scenario_of(const GameLog& log, const Overrides& overrides) {
  Scenario out;
  out.source = log.source;
  out.rules = log.rules;
  out.cards = log.cards;
  out.objective = log.objective;
  out.damage_deck = log.damage_deck;
  answers::apply(overrides, out);
  return out;
}

Ledger::Ledger(const Catalogue& catalogue, const GameLog& log, const Overrides& overrides)
    : catalogue_(&catalogue), log_(&log), base_(scenario_of(log, overrides)) {
  rounds_reported_ =
      std::any_of(log.lines.begin(), log.lines.end(), [](const LoggedLine& line) { return line.round > 0; });
  edition_ = catalogue.edition(base_.rules);
  for (const auto& [name, logged] : log.ships) {
    ShipState& now = ships_[name];
    if (edition_ != nullptr)
      add_starting_state(catalogue, log, base_, name, logged, now);  // otherwise the first attack reports the error
  }
  begin_round(0);
}

// ---------------------------------------------------------------- lines

void Ledger::begin(const LoggedLine& line) {
  if (line.round != number_) begin_round(line.round);
  for (const auto& [name, tokens] : line.tokens) report_tokens(line.line, name, tokens);
  for (const auto& [name, damage] : line.damage) report_damage(line.line, ships_[name], damage);
}

/// Removes round tokens but not locks; tokens of a SPEC return each round. Force and charges recover for every End
/// Phase since the last reported round.
void Ledger::begin_round(int number) {
  const int phases = number_ > 0 ? number - number_ : attacks_ > 0 ? 1 : 0;
  number_ = number;
  ++round_;
  last_.reset();
  for (const auto& [name, logged] : log_->ships) {
    ShipState& now = ships_[name];
    now.tokens = logged.ship.tokens;
    std::erase_if(now.tokens, [this](const auto& token) { return is_charge(edition_, token.first); });
    now.known = logged.tokens && !now.tokens.empty();
    for (auto& [label, charges] : now.charges) {
      for (int i = 0; i < phases; ++i) charges.left = charges.end.after(charges.left, charges.max, charges.max);
      charges.unreported = std::min(charges.unreported, charges.max - charges.left);
      if (charges.left == charges.max) charges.lines.clear();
    }
  }
}

void Ledger::report_tokens(int line, const std::string& name, const LoggedTokens& reported) {
  ShipState& now = ships_[name];
  now.known = true;
  now.tokens.clear();
  if (reported.locks_complete) now.locks = {reported.locks.begin(), reported.locks.end()};
  for (const auto& [token, n] : reported.tokens) {
    const bool charge = is_charge(edition_, token);
    if (edition_ == nullptr || is_round_token(edition_, token)) {
      now.tokens[token] = n;
      continue;
    }
    auto charges = now.charges.find(charge ? token : kCharge + token);
    if (charges == now.charges.end() && charge && n > 0) {
      LoggedShip with = log_->ships.at(name);
      with.ship.tokens[token] = n;
      with.line = line;
      ShipState had;
      add_starting_state(*catalogue_, *log_, base_, name, with, had);
      charges = now.charges.insert(had.charges.extract(token)).position;
    }
    if (charges == now.charges.end() && charge) continue;
    if (charges == now.charges.end()) refuse_token(line, name, token);
    Charges& has = charges->second;
    if (!charge && n > has.max)
      fail_at(*log_, line, fmt::format("{}: {} has {} charges at most, not {}", name, token, has.max, n));
    has = {.max = std::max(has.max, n), .left = n, .end = has.end, .stated = true};
  }
}

void Ledger::refuse_token(int line, const std::string& name, const std::string& token) const {
  std::vector<std::string> known{"lock", "none"};
  for (const load::TokenSpec& spec : edition_->tokens) known.push_back(spec.id);
  for (const auto& [label, charges] : ships_.at(name).charges) {
    if (label.starts_with(kCharge)) known.push_back(token_of(label));
  }
  const std::string remedy = load::remedy(load::WordContext::Tokens, token);
  fail_at(*log_, line,
          fmt::format("{}: {}", name,
                      remedy.empty() ? base::unknown("token", token, known)
                                     : fmt::format("unknown token '{}';{}", token, remedy)));
}

void Ledger::report_damage(int line, ShipState& now, int damage) {
  now.damage = damage;
  if (now.health == 0 || damage < now.health) {
    now.destroyed.reset();
  } else if (!now.destroyed) {
    note_destruction(line, now, attacks_, last_);
  }
}

/// Records how a ship was destroyed, if it was. `shot`: the attack in or after which it was reported.
void Ledger::note_destruction(int line, ShipState& now, int attack, const std::optional<Shot>& shot) {
  if (now.health == 0 || now.damage < now.health || now.destroyed) return;
  now.destroyed = {.line = line,
                   .attack = attack,
                   .round = round_,
                   .in_attack = shot.has_value(),
                   .initiative = shot ? shot->initiative : std::nullopt,
                   .had_shot = number_ > 0 && now.shot_round == round_};
}

// ---------------------------------------------------------------- into an attack

std::optional<int> Ledger::initiative_of(const LoggedLine& line) const {
  return line.shot.initiative ? line.shot.initiative : ships_.at(line.shot.by).initiative;
}

void Ledger::add_ships(const LoggedLine& line, Scenario& scenario, std::vector<std::string>& filled_in) {
  const ScenarioAttack& shot = line.shot;
  if (log_->ships.at(shot.by).player == log_->ships.at(shot.on).player)
    fail_at(*log_, line.line, fmt::format("{} and {} are ships of one player; name an enemy", shot.by, shot.on));
  const DecisionSpec& point = line.spec.point;
  scenario.ships[shot.by] = ship_in(shot.by, shot.on, point.spent, filled_in);
  scenario.ships[shot.on] = ship_in(shot.on, shot.by, point.defense_spent, filled_in);
  scenario.attacks = {shot};
  if (!shot.initiative) scenario.attacks[0].initiative = log_->ships.at(shot.by).initiative;
}

/// A ship whose tokens were not reported is assumed to have what it spends.
ScenarioShip Ledger::ship_in(const std::string& name, const std::string& enemy, const std::optional<std::string>& spent,
                             std::vector<std::string>& filled_in) {
  const LoggedShip& logged = log_->ships.at(name);
  ShipState& now = ships_[name];
  ScenarioShip out = logged.ship;
  out.tokens = now.tokens;
  out.side = logged.player == 0 ? "mine" : "theirs";
  std::map<std::string, int> spends;
  std::vector<std::string> taken;
  for (const std::string& word : decide::words_in(spent.value_or(""))) {
    if (word == "lock" && !now.locks.contains(enemy)) {
      now.locks.insert(enemy);
      taken.push_back(word);
    } else if (!now.known && is_round_token(edition_, word) && ++spends[word] > out.tokens[word]) {
      ++out.tokens[word];
      taken.push_back(word);
    }
  }
  if (now.locks.contains(enemy)) out.locks = {enemy};
  if (!now.known) {
    filled_in.push_back(fmt::format("tokens of {}: not reported; assumed to be {}", name,
                                    taken.empty() ? "none" : "what it spent, " + base::listed(taken)));
  } else if (!taken.empty()) {
    filled_in.push_back(
        fmt::format("lock of {} on {}: not reported; assumed to be there, since it was spent", name, enemy));
  }
  for (const auto& [label, charges] : now.charges) {
    if (is_charge(edition_, label) && (charges.stated || charges.left < charges.max)) out.tokens[label] = charges.left;
  }
  return out;
}

std::string Ledger::missing_tokens_hint(const LoggedLine& line) const {
  const DecisionSpec& point = line.spec.point;
  for (const auto& [name, spent] : {std::pair(line.shot.by, point.spent), {line.shot.on, point.defense_spent}}) {
    const ShipState& now = ships_.at(name);
    std::map<std::string, int> left = now.tokens;
    for (const std::string& word : decide::words_in(spent.value_or(""))) {
      if (!now.known || !is_round_token(edition_, word) || left[word]-- > 0) continue;
      return fmt::format("; by the tokens in the log, {} has no {} left: write all that it has, as in {} ({})", name,
                         word, name, word);
    }
  }
  return "";
}

std::map<std::string, int> Ledger::damage(const LoggedLine& line) const {
  std::map<std::string, int> out;
  for (const std::string* name : {&line.shot.by, &line.shot.on}) out[*name] = ships_.at(*name).damage;
  return out;
}

void Ledger::set_charges(const LoggedLine& line, compile::CompiledScenario& compiled,
                         std::vector<std::string>& filled_in) {
  for (const std::string* name : {&line.shot.by, &line.shot.on}) {
    for (auto& [label, charges] : ships_[*name].charges) {
      int left = charges.left;
      bool matters = false;
      for (std::size_t r = 0; r < compiled.plan.resources.size(); ++r) {
        game::Resource& resource = compiled.plan.resources[r];
        const std::string& owner = base::nth(compiled.labels.ships, resource.ship);
        if (!resource.charge || owner != *name || compiled.labels.resources[r].name != label) continue;
        matters = matters || resource.dynamic;
        if (resource.kind != game::Resource::Kind::Charge) continue;  // a token, which the scenario has
        resource.initial = std::min(left, resource.max);
        left -= resource.initial;
        if (resource.dynamic) compiled.plan.start.set(resource, resource.initial);
      }
      if (!matters || charges.stated || charges.noted) continue;
      charges.noted = true;
      filled_in.push_back(fmt::format("{} of {}: not reported; assumed to be {} of {} here, and counted from here on",
                                      thing(label), *name, charges.left, charges.max));
    }
  }
}

// ---------------------------------------------------------------- out of an attack

void Ledger::apply_result(const LoggedLine& line, const Luck& luck) {
  const Shot shot{line.shot.by, line.shot.on, initiative_of(line)};
  ShipState &by = ships_[shot.by], &on = ships_[shot.on];
  on.damage += static_cast<int>(std::lround(luck.result.damage));
  ++attacks_;
  note_destruction(line.line, on, attacks_, shot);
  for (const auto& [what, mean] : luck.spent) {
    const auto& [name, label] = what;
    ShipState& now = ships_[name];
    const int spent = static_cast<int>(std::lround(mean));
    const auto charges = now.charges.find(label);
    if (charges != now.charges.end()) {
      spend(line.line, charges->second, spent, count_of(luck.spent_unreported, name, label));
    } else if (label == "lock") {
      const std::string& enemy = name == shot.by ? shot.on : shot.by;
      if (spent > 0) now.locks.erase(enemy);
      if (spent < 0) now.locks.insert(enemy);
    } else if (spent != 0) {
      int& n = now.tokens[label];
      n = std::max(0, n - spent);
    }
  }
  by.shot = attacks_;
  by.shot_round = round_;
  last_ = shot;
}

void Ledger::spend(int line, Charges& charges, int spent, int unreported) {
  charges.left = std::clamp(charges.left - spent, 0, charges.max);
  if (spent > 0) charges.lines.push_back(line);
  if (charges.left == charges.max) charges.lines.clear();
  charges.unreported = std::clamp(charges.unreported + std::min(spent, unreported), 0, charges.max - charges.left);
}

bool Ledger::refill(const LoggedLine& line) {
  bool any = false;
  for (const std::string* name : {&line.shot.by, &line.shot.on}) {
    for (auto& [label, charges] : ships_[*name].charges) {
      any = any || charges.left < charges.max;
      charges.left = charges.max;
    }
  }
  return any;
}

std::vector<std::string> Ledger::assume_charges(const LoggedLine& line, const Luck& luck) {
  std::vector<std::string> out;
  for (const bool all : {false, true}) {  // first only reported spending; then also the best play of refilled ships
    for (const std::string* name : {&line.shot.by, &line.shot.on}) {
      for (auto& [label, charges] : ships_[*name].charges) {
        const int unreported = all ? 0 : count_of(luck.spent_unreported, *name, label);
        const int spent = count_of(luck.spent, *name, label) - unreported;
        if (spent > charges.left) out.push_back(assume_charges(line, *name, label, charges, spent));
      }
    }
    if (!out.empty()) break;
  }
  return out;
}

std::string Ledger::assume_charges(const LoggedLine& line, const std::string& name, const std::string& label,
                                   Charges& charges, int spent) const {
  const int lacks = spent - charges.left;
  const bool open = charges.end.recover > 0 && !rounds_reported_;
  if (lacks > charges.unreported && !open) {
    std::string history = charges.stated && charges.lines.empty() ? ", as the log says" : "";
    if (!charges.lines.empty()) history = fmt::format(": spent in {}", lines_words(charges.lines));
    if (!charges.lines.empty() && charges.end.recover > 0)
      history += fmt::format(", and {} returns after each round", charges.end.recover);
    fail_at(*log_, line.line,
            fmt::format("{} spends {} {}, but has {} of {}{}; correct that, or write what it has after its name, with "
                        "its other tokens, as in {} ({}={})",
                        name, spent, thing(label, spent), charges.left, charges.max, history, name, token_of(label),
                        spent));
  }
  const char* const why = lacks <= charges.unreported ? "that more of them were spent before is only assumed"
                                                      : "no rounds are reported, after which they return";
  charges.left = spent;
  charges.unreported = std::min(charges.unreported, charges.max - spent);
  return fmt::format("{} of {}: assumed to be {}, as many as were spent; {}", thing(label), name, spent, why);
}

}  // namespace salvo::review
