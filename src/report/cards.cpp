#include "report/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/index.h"
#include "base/text.h"
#include "report/csv.h"
#include "report/digits.h"
#include "report/json_writer.h"
#include "report/page.h"
#include "report/table.h"

namespace salvo::report {
namespace {

using cards::CardWords;
using cards::CheckedCard;
using cards::CoveredCard;
using cards::State;
using Kind = CardsFormat::Kind;

constexpr std::size_t kIdColumn = 24;  ///< longer ids get a line of their own
constexpr std::size_t kKindColumn = 9, kChargesColumn = 9, kGap = 2;
constexpr std::size_t kNarrowList = 60;  ///< narrower pages have no room for the columns

/// One line for each member; `body(json)` writes them.
template <typename Body>
std::string indented_json(const Body& body) {
  return indented(json_line(body));
}

/// Null for an empty text.
std::optional<std::string> if_any(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

std::vector<std::string> fact_names(const CardWords& card) {
  std::vector<std::string> out;
  for (const auto& fact : card.facts) out.push_back(fact.name);
  return out;
}

// ---------------------------------------------------------------- list

void list_line(Page& page, const CardWords& card, std::size_t id_column) {
  const bool narrow = page.width() < kNarrowList;
  const std::size_t indent = narrow ? Page::kMargin : id_column + kKindColumn + kChargesColumn;
  std::string id = base::pad_right(card.id, id_column);
  if (!narrow && base::display_width(card.id) + kGap > id_column) {
    page.line({{card.id, Style::Strong}});
    id = std::string(id_column, ' ');
  }
  const std::string charges = card.charges > 0 ? std::to_string(card.charges) : "";
  std::vector<Span> line{{id, Style::Strong},
                         {base::pad_right(card.kind, kKindColumn) + base::pad_right(charges, kChargesColumn)}};
  if (narrow) {  // its effect follows below
    const bool one = card.charges == 1;
    page.line({{card.id, Style::Strong}});
    page.line({{"  " + card.kind + (charges.empty() ? "" : ", " + charges + (one ? " charge" : " charges"))}});
    line = {{std::string(indent, ' ')}};
  }
  const auto rows = [&](const std::string& text, Style style) {
    for (const std::string& part : base::wrap(base::strip_control(text), page.width() - indent)) {
      line.push_back({part, style});
      page.line(line);
      line = {{std::string(indent, ' ')}};
    }
  };
  if (!card.weapon.empty()) rows("weapon: " + card.weapon, Style::Plain);
  for (const auto& effect : card.effects) rows(effect.summary, Style::Plain);
  if (card.weapon.empty() && card.effects.empty()) rows("nothing in an attack", Style::Faint);
  if (!card.facts.empty()) rows("reads " + base::joined(fact_names(card), ", "), Style::Faint);
  if (!card.partly.empty()) rows("without " + base::joined(card.partly, "; "), Style::Accent);
}

std::string list_table(const std::vector<CardWords>& cards, const std::string& card_set, const CardsFormat& format) {
  Page page = make_page(format.width, format.colour);
  std::size_t id_column = 4;
  for (const CardWords& card : cards) id_column = std::max(id_column, base::display_width(card.id) + kGap);
  id_column = std::min(id_column, kIdColumn);
  if (!cards.empty() && page.width() >= kNarrowList) {
    page.line({{base::pad_right("card", id_column) + base::pad_right("kind", kKindColumn) +
                    base::pad_right("charges", kChargesColumn) + "what it does",
                Style::Faint}});
  }
  for (const CardWords& card : cards) list_line(page, card, id_column);
  if (!cards.empty()) page.blank();
  page.paragraph(fmt::format("{} {} of the card set {}", cards.size(), cards.size() == 1 ? "card" : "cards", card_set),
                 Style::Faint);
  return page.take();
}

// ---------------------------------------------------------------- pages

void write_card(JsonWriter& json, const CardWords& card) {
  json.member("id", card.id);
  json.member("kind", card.kind);
  json.member("summary", card.summary());
  json.member("charges", card.charges);
  if (!card.recovers.empty()) json.member("recovers", card.recovers);
  if (!card.tokens.empty()) json.member("tokens", card.tokens);
  json.member("weapon", if_any(card.weapon));
  if (!card.rules.empty()) json.member("rules", card.rules);
  json.objects("effects", card.effects, [&](const auto& effect) {
    json.member("window", effect.window);
    json.member("side", effect.side);
    json.member("may", effect.may);
    json.member("summary", effect.summary);
    json.member("text", effect.text);
    json.member("line", effect.line);
  });
  json.objects("facts", card.facts, [&](const auto& fact) {
    json.member("name", fact.name);
    json.member("usual", fact.usual);
    json.member("meaning", fact.meaning);
    if (fact.counted) json.member("counted", true);
  });
  json.member("omits", card.omits);
  json.member("partly", card.partly);
  json.member("file", card.file);
}

void write_page(Page& page, const CardWords& card) {
  page.line({{card.id, Style::Strong}, {fmt::format("  {}", card.kind), Style::Faint}});
  if (card.charges > 0) page.entry("charges", std::to_string(card.charges));
  if (!card.recovers.empty()) page.entry("round's end", card.recovers);
  if (!card.tokens.empty()) page.entry("tokens", "the ship starts with " + card.tokens + " more");
  if (!card.weapon.empty()) page.entry("weapon", card.weapon);
  for (const std::string& rule : card.rules) page.entry("rule", rule);
  for (const auto& effect : card.effects) page.entry("effect", effect.text);
  for (const auto& fact : card.facts) {
    page.entry("reads", fmt::format("{}: {}; usually {}", fact.name, fact.meaning, fact.usual ? "yes" : "no"));
  }
  for (const std::string& other : card.other) page.entry("also", other);
  for (const std::string& omitted : card.omits)
    page.entry("left out", omitted + " (no dice, tokens or damage depend on it)");
  for (const std::string& left : card.partly) page.entry("partly", "without " + left, Style::Accent);
  page.entry("file", card.file, Style::Faint);
}

std::string pages_csv(const std::vector<CardWords>& cards) {
  std::string out = "id,kind,field,key,text\n";
  for (const CardWords& card : cards) {
    const auto line = [&](const char* field, const std::string& key, const std::string& text) {
      out += csv_line({card.id, card.kind, field, key, text});
    };
    line("charges", "", std::to_string(card.charges));
    if (!card.recovers.empty()) line("recovers", "", card.recovers);
    if (!card.tokens.empty()) line("tokens", "", card.tokens);
    if (!card.weapon.empty()) line("weapon", "", card.weapon);
    for (const std::string& rule : card.rules) line("rule", "", rule);
    for (const auto& effect : card.effects) line("effect", effect.summary, effect.text);
    for (const auto& fact : card.facts) line("fact", fact.name + (fact.usual ? " = true" : " = false"), fact.meaning);
    for (const std::string& omitted : card.omits) line("omits", "", omitted);
    for (const std::string& left : card.partly) line("partly", "", left);
    line("file", "", card.file);
  }
  return out;
}

// ---------------------------------------------------------------- checks

void write_ship(JsonWriter& json, const ScenarioShip& ship) {
  const auto given = [&](const char* key, const auto& value) {
    if (value) json.member(key, *value);
  };
  given("side", ship.side);
  given("ship", ship.ship);
  given("pilot", ship.pilot);
  given("attack", ship.attack);
  given("agility", ship.agility);
  given("hull", ship.hull);
  given("shields", ship.shields);
  given("size", ship.size);
  if (!ship.upgrades.empty()) json.member("upgrades", ship.upgrades);
  if (!ship.tokens.empty() || !ship.locks.empty()) {
    json.object("tokens", [&] {
      for (const auto& [token, n] : ship.tokens) json.member(token, n);
      if (!ship.locks.empty()) json.member("lock", ship.locks);
    });
  }
  given("docked", ship.docked);
}

void write_attack(JsonWriter& json, const ScenarioAttack& attack) {
  json.member("by", attack.by);
  json.member("on", attack.on);
  json.member("weapon", attack.weapon);
  json.member("range", attack.range);
  if (attack.obstructed) json.member("obstructed", true);
  if (!attack.facts.empty()) json.member("facts", attack.facts);
  if (attack.initiative) json.member("initiative", *attack.initiative);
  if (!attack.bonus.empty()) json.member("bonus", attack.bonus);
}

void write_scenario(JsonWriter& json, const Scenario& scenario) {
  json.member("rules", scenario.rules);
  json.member("cards", scenario.cards);
  json.member("objective", scenario.objective);
  if (scenario.damage_deck != kNoDeck) json.member("damage_deck", scenario.damage_deck);
  json.object("ships", [&] {
    for (const auto& [name, ship] : scenario.ships) json.object(name, [&, &ship = ship] { write_ship(json, ship); });
  });
  json.objects("attacks", scenario.attacks, [&](const ScenarioAttack& attack) { write_attack(json, attack); });
}

/// Quotes a word for a shell unless it has plain characters only.
std::string shell(const std::vector<std::string>& words) {
  std::string out = "salvo";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
             c == '.' || c == '/' || c == '=';
    });
    std::string quoted = plain ? word : "'";
    if (!plain) {
      for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      quoted += "'";
    }
    out += " " + quoted;
  }
  return out;
}

void write_dry_run(JsonWriter& json, const cards::DryRun& trial) {
  json.object("scenario", [&] { write_scenario(json, trial.scenario); });
  json.member("words", trial.words);
  json.member("objective", trial.scenario.objective);
  json.member("with", trial.with);
  json.member("without", trial.without);
  json.member("difference", trial.with - trial.without);
  json.member("changes", trial.changes);
  json.member("assumed_facts", trial.assumed_facts);
  json.member("scenarios_tried", trial.tried);
  json.member("command", trial.command.empty() ? std::nullopt : std::optional(shell(trial.command)));
}

void write_checked(JsonWriter& json, const CheckedCard& card) {
  json.member("file", card.file);
  json.member("good", card.good());
  json.member("error", if_any(card.error));
  if (!card.error.empty()) return;
  json.object("card", [&] { write_card(json, card.words); });
  json.member("notes", card.notes);
  if (card.dry_run && card.dry_run->tried > 0) json.object("trial", [&] { write_dry_run(json, *card.dry_run); });
}

std::string objective_words(const std::string& objective) {
  if (objective == "kill") return "ships destroyed";
  return objective == "health" ? "hull and shields removed" : "damage";
}

void write_trial(Page& page, const cards::DryRun& trial) {
  if (trial.changes.empty()) {
    page.entry("dry run",
               trial.tried == 0 ? "there is nothing to try"
                                : fmt::format("it changes nothing in any of {} small scenarios", trial.tried),
               Style::Bad);
    if (trial.tried > 0) page.entry("the first", trial.words);
    return;
  }
  const std::string what = objective_words(trial.scenario.objective);
  page.entry("dry run", trial.words);
  page.entry("with it", fmt::format("{} expected {}", mean({trial.with, 0}, 4), what));
  page.entry("without it", mean({trial.without, 0}, 4));
  page.entry("difference", fmt::format("{:+.4f}", trial.with - trial.without), Style::Strong);
  for (const std::string& change : trial.changes) {
    if (!change.starts_with("value ")) page.entry("changes", change);
  }
  if (!trial.assumed_facts.empty()) page.entry("assumed", base::joined(trial.assumed_facts, ", "));
  if (!trial.command.empty()) page.entry("the same", shell(trial.command), Style::Faint);
}

void write_checked(Page& page, const CheckedCard& card) {
  page.line({{card.file, Style::Strong},
             {card.good() ? "  good" : "  no effect found", card.good() ? Style::Good : Style::Bad}});
  page.entry("card", fmt::format("{} ({})", card.words.id, card.words.kind));
  if (card.words.charges > 0) page.entry("charges", std::to_string(card.words.charges));
  if (!card.words.weapon.empty()) page.entry("weapon", card.words.weapon);
  for (const auto& effect : card.words.effects) page.entry("effect", effect.text);
  for (const std::string& left : card.words.partly) page.entry("partly", "without " + left, Style::Accent);
  for (const std::string& note : card.notes) page.entry("note", note, Style::Accent);
  if (card.dry_run) write_trial(page, *card.dry_run);
}

std::string checked_csv(const std::vector<CheckedCard>& cards) {
  std::string out = "file,id,kind,good,objective,with,without,difference,scenario,changes,error\n";
  for (const CheckedCard& card : cards) {
    std::vector<std::string> fields{card.file, card.words.id, card.words.kind, card.good() ? "true" : "false"};
    if (card.dry_run && card.dry_run->tried > 0) {
      const cards::DryRun& trial = *card.dry_run;
      fields.insert(fields.end(),
                    {trial.scenario.objective, fmt::format("{}", trial.with), fmt::format("{}", trial.without),
                     fmt::format("{}", trial.with - trial.without), trial.words, base::joined(trial.changes, "; ")});
    } else {
      fields.resize(fields.size() + 6);
    }
    fields.push_back(card.error);
    out += csv_line(fields);
  }
  return out;
}

// ---------------------------------------------------------------- coverage

const std::vector<std::pair<std::string, std::string>>& data_kinds() {
  static const std::vector<std::pair<std::string, std::string>> kinds{
      {"upgrade", "upgrades"}, {"pilot", "pilots"}, {"ship", "ship abilities"}, {"condition", "conditions"}};
  return kinds;
}

std::vector<CoveredCard> listed(const cards::Coverage& coverage, const std::string& state) {
  std::vector<CoveredCard> out;
  for (const CoveredCard& card : coverage.cards) {
    if (state == "all" || base::nth(cards::state_names(), card.state) == state) out.push_back(card);
  }
  return out;
}

const std::string& name_of(State state) { return base::nth(cards::state_names(), state); }

void write_cards(JsonWriter& json, const char* key, const std::vector<CoveredCard>& cards) {
  json.objects(key, cards, [&](const CoveredCard& card) {
    json.member("kind", card.kind);
    json.member("id", card.id);
    json.member("state", name_of(card.state));
    if (!card.partly.empty()) json.member("partly", card.partly);
    if (!card.only.empty()) json.member("only", card.only);
  });
}

void write_numbers(JsonWriter& json, const std::string& key, const cards::Coverage& coverage, const std::string& kind) {
  json.object(key, [&] {
    for (std::size_t s = 0; s < cards::kStates; ++s) {
      json.member(cards::state_names()[s], coverage.count(kind, static_cast<State>(s)));
    }
    json.member("relevant", coverage.relevant(kind));
  });
}

std::string coverage_json(const cards::Coverage& coverage, const std::optional<std::string>& state) {
  return indented_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("set", coverage.card_set);
    write_numbers(json, "total", coverage, "");
    json.object("kinds", [&] {
      for (const auto& [kind, words] : data_kinds()) write_numbers(json, kind, coverage, kind);
    });
    write_cards(json, "unclassified_cards", listed(coverage, name_of(State::Unclassified)));
    if (state) write_cards(json, "cards", listed(coverage, *state));
  });
}

std::string coverage_csv(const cards::Coverage& coverage, const std::optional<std::string>& state) {
  if (state) {
    std::string out = "kind,id,state,partly,only\n";
    for (const CoveredCard& card : listed(coverage, *state)) {
      out += csv_line({card.kind, card.id, name_of(card.state), base::joined(card.partly, "; "), card.only});
    }
    return out;
  }
  std::string out = "kind";
  for (const std::string& name : cards::state_names()) out += "," + name;
  out += ",relevant\n";
  const auto line = [&](const std::string& name, const std::string& kind) {
    out += name;
    for (std::size_t s = 0; s < cards::kStates; ++s) {
      out += fmt::format(",{}", coverage.count(kind, static_cast<State>(s)));
    }
    out += fmt::format(",{}\n", coverage.relevant(kind));
  };
  for (const auto& [kind, words] : data_kinds()) line(kind, kind);
  line("total", "");
  return out;
}

std::string share(std::size_t n, std::size_t of) {
  if (of == 0) return "";
  return fmt::format("{:.0f}%", 100.0 * static_cast<double>(n) / static_cast<double>(of));
}

std::vector<Table::Cell> coverage_row(const std::string& title, const cards::Coverage& coverage,
                                      const std::string& kind) {
  const auto number = [&](State state) { return std::to_string(coverage.count(kind, state)); };
  return {title,
          number(State::Modelled),
          number(State::Partly),
          number(State::Missing),
          share(coverage.count(kind, State::Modelled), coverage.relevant(kind)),
          number(State::Irrelevant),
          number(State::Unclassified)};
}

/// Ids as wrapped text; a partly modelled card also names what is left out.
void write_cards(Page& page, const std::string& title, const std::vector<CoveredCard>& cards) {
  if (cards.empty()) return;
  page.blank();
  page.line({{fmt::format("{} ({})", title, cards.size()), Style::Strong}});
  for (const auto& [kind, words] : data_kinds()) {
    std::string ids;
    for (const CoveredCard& card : cards) {
      if (card.kind != kind) continue;
      if (card.partly.empty()) {
        ids += (ids.empty() ? "" : ", ") + card.id + (card.only.empty() ? "" : fmt::format(" (only {})", card.only));
      } else {
        page.entry(kind, fmt::format("{}: without {}", card.id, base::joined(card.partly, "; ")));
      }
    }
    if (!ids.empty()) page.entry(words, ids);
  }
}

/// Explains the columns.
void write_legend(Page& page, const cards::Coverage& coverage, const std::optional<std::string>& state) {
  page.blank();
  page.entry("modelled", "all that can change an attack is played; share: of modelled, partly and not together");
  page.entry("partly", "something that can matter is left out");
  page.entry("not", "it can change dice, tokens or damage, but nothing of it is played");
  page.entry("irrelevant", "it cannot change any of them");
  if (coverage.count("", State::Unclassified) > 0) {
    page.entry("unclassified",
               "not in cards/relevant.tsv of the profiles; if these are many, --set may name another card set");
  }
  if (!state) page.entry("cards", "--list partly, not, irrelevant or all names them");
}

std::string coverage_table(const cards::Coverage& coverage, const std::optional<std::string>& state,
                           const CardsFormat& format) {
  Page page = make_page(format.width, format.colour);
  page.line(
      {{fmt::format("card set {}: of {} cards that can change an attack", coverage.card_set, coverage.relevant("")),
        Style::Strong}});
  page.line({{fmt::format("{} are modelled, {} partly, {} not", coverage.count("", State::Modelled),
                          coverage.count("", State::Partly), coverage.count("", State::Missing)),
              Style::Strong}});
  page.blank();
  Table table;
  table.widths(2, 0, {8});
  table.row({"", "modelled", "partly", "not", "share", "irrelevant", "unclassified"});
  for (const auto& [kind, words] : data_kinds()) {
    const bool any = std::any_of(coverage.cards.begin(), coverage.cards.end(),
                                 [&, kind = kind](const CoveredCard& card) { return card.kind == kind; });
    if (any) table.row(coverage_row(words, coverage, kind));
  }
  table.row(coverage_row("all", coverage, ""));
  table.write(page);
  write_legend(page, coverage, state);
  const auto add = [&](State one) { write_cards(page, name_of(one), listed(coverage, name_of(one))); };
  for (std::size_t s = 0; s < cards::kStates; ++s) {
    const auto one = static_cast<State>(s);
    if (one == State::Unclassified || (state && (*state == "all" || *state == name_of(one)))) add(one);
  }
  return page.take();
}

// ---------------------------------------------------------------- suspects

using cards::Suspect;

std::vector<Suspect> chosen(const cards::Suspects& suspects, const std::optional<std::string>& which) {
  std::vector<Suspect> out;
  for (const Suspect& one : suspects.found) {
    if (which == "all" || one.why.empty() == !which) out.push_back(one);
  }
  return out;
}

std::string suspects_json(const cards::Suspects& suspects, const std::optional<std::string>& which) {
  return indented_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("set", suspects.card_set);
    json.member("texts", suspects.texts);
    json.member("open", suspects.open());
    json.member("checked", suspects.found.size() - suspects.open());
    json.objects("suspects", chosen(suspects, which), [&](const Suspect& one) {
      json.member("kind", one.kind);
      json.member("id", one.id);
      json.member("file", if_any(one.file));
      json.member("words", one.words);
      json.member("reason", if_any(one.why));
    });
    json.objects("stale", suspects.stale, [&](const cards::StaleCheck& entry) {
      json.member("kind", entry.kind);
      json.member("id", entry.id);
      json.member("of", entry.of);
      json.member("reason", entry.why);
    });
  });
}

std::string suspects_csv(const cards::Suspects& suspects, const std::optional<std::string>& which) {
  std::string out = "kind,id,file,words,state,reason\n";
  for (const Suspect& one : chosen(suspects, which)) {
    out += csv_line(
        {one.kind, one.id, one.file, base::joined(one.words, "; "), one.why.empty() ? "open" : "checked", one.why});
  }
  for (const cards::StaleCheck& entry : suspects.stale)
    out += csv_line({entry.kind, entry.id, "", entry.of, "stale", entry.why});
  return out;
}

std::string suspects_table(const cards::Suspects& suspects, const std::optional<std::string>& which,
                           const CardsFormat& format) {
  Page page = make_page(format.width, format.colour);
  page.line({{fmt::format("card set {}: {} suspects in the texts of {} cards, {} more are checked", suspects.card_set,
                          suspects.open(), suspects.texts, suspects.found.size() - suspects.open()),
              Style::Strong}});
  for (const Suspect& one : chosen(suspects, which)) {
    const std::string what = one.file.empty() ? "no effect, but its text mentions " : "its file has nothing for ";
    const std::string why = one.why.empty() ? "" : fmt::format("; right, because {}", one.why);
    page.entry(one.kind, fmt::format("{}: {}{}{}", one.id, what, base::joined(one.words, ", "), why));
  }
  for (const cards::StaleCheck& entry : suspects.stale) {
    page.entry(entry.kind,
               fmt::format("{}: cards/checked.toml lists it under {}, but it is no suspect; remove it", entry.id,
                           base::in_quotes(entry.of)),
               Style::Accent);
  }
  return page.take();
}

}  // namespace

std::string card_list(const std::vector<CardWords>& cards, const std::string& card_set, const CardsFormat& format) {
  if (format.kind == Kind::Table) return list_table(cards, card_set, format);
  if (format.kind == Kind::Csv) {
    std::string out = "id,kind,summary,charges,facts,partly\n";
    for (const CardWords& card : cards) {
      out += csv_line({card.id, card.kind, card.summary(), std::to_string(card.charges),
                       base::joined(fact_names(card), " "), base::joined(card.partly, "; ")});
    }
    return out;
  }
  return indented_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("set", card_set);
    json.objects("cards", cards, [&](const CardWords& card) {
      json.member("id", card.id);
      json.member("kind", card.kind);
      json.member("summary", card.summary());
      json.member("charges", card.charges);
      json.member("facts", fact_names(card));
      json.member("partly", card.partly);
    });
  });
}

std::string card_pages(const std::vector<CardWords>& cards, const std::string& card_set, const CardsFormat& format) {
  if (format.kind == Kind::Csv) return pages_csv(cards);
  if (format.kind == Kind::Table) {
    Page page = make_page(format.width, format.colour);
    for (const CardWords& card : cards) {
      if (&card != &cards.front()) page.blank();
      write_page(page, card);
    }
    return page.take();
  }
  return indented_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("set", card_set);
    json.objects("cards", cards, [&](const CardWords& card) { write_card(json, card); });
  });
}

std::string checked_cards(const std::vector<CheckedCard>& cards, const CardsFormat& format) {
  if (format.kind == Kind::Csv) return checked_csv(cards);
  if (format.kind == Kind::Table) {
    Page page = make_page(format.width, format.colour);
    bool first = true;
    for (const CheckedCard& card : cards) {
      if (!card.error.empty()) continue;  // reported on standard error
      if (!first) page.blank();
      first = false;
      write_checked(page, card);
    }
    return page.take();
  }
  return indented_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.objects("checked", cards, [&](const CheckedCard& card) { write_checked(json, card); });
  });
}

std::string coverage(const cards::Coverage& coverage, const std::optional<std::string>& state,
                     const CardsFormat& format) {
  if (format.kind == Kind::Json) return coverage_json(coverage, state);
  if (format.kind == Kind::Csv) return coverage_csv(coverage, state);
  return coverage_table(coverage, state, format);
}

std::string suspects(const cards::Suspects& suspects, const std::optional<std::string>& which,
                     const CardsFormat& format) {
  if (format.kind == Kind::Json) return suspects_json(suspects, which);
  if (format.kind == Kind::Csv) return suspects_csv(suspects, which);
  return suspects_table(suspects, which, format);
}

}  // namespace salvo::report
