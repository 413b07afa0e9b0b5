// Worth and order of fire as JSON (docs/schemas/worth.schema.json, order.schema.json) and as tables for a terminal.
#include "decide/worth.h"

#include <fmt/format.h>

#include "base/text.h"
#include "decide/order.h"
#include "report/decision_parts.h"

namespace salvo {
namespace {

using namespace report;

constexpr std::size_t kMaxOrdersShown = 24;  ///< in a table; JSON lists all

/// The damage and the ships destroyed in an outcome.
void write_losses(JsonWriter& json, const decide::Expectations& outcome) {
  json.object("damage", [&] {
    json.member("dealt", outcome.dealt);
    json.member("taken", outcome.taken);
  });
  json.object("destroyed", [&] {
    json.member("theirs", outcome.destroyed);
    json.member("mine", outcome.lost);
  });
}

void write_outcome(JsonWriter& json, std::string_view key, const decide::Expectations& outcome) {
  json.object(key, [&] {
    json.member("value", outcome.value);
    write_losses(json, outcome);
  });
}

const char* side(bool mine) { return mine ? "mine" : "theirs"; }

/// Which figures of an outcome can differ from 0.
struct Shown {
  bool dealt, taken, destroyed, lost;
};

Shown shown(const decide::Expectations& now) {
  return {now.dealt > 0, now.taken > 0, now.destructible_dealt, now.destructible_taken};
}

/// `out`: the headers that come first.
std::vector<std::string> headers(const Shown& shown, std::vector<std::string> out) {
  const bool both = shown.dealt && shown.taken;
  if (shown.dealt) out.emplace_back(both ? "damage to them" : "damage");
  if (shown.destroyed) out.emplace_back(both ? "kills" : "destroyed");
  if (shown.taken) out.emplace_back(both ? "damage to us" : "damage");
  if (shown.lost) out.emplace_back(both ? "losses" : "destroyed");
  return out;
}

template <typename Mean, typename Chance>
void add_cells(const Shown& shown, const decide::Expectations& outcome, Mean mean, Chance chance,
               std::vector<std::string>& cells) {
  if (shown.dealt) cells.push_back(mean(outcome.dealt));
  if (shown.destroyed) cells.push_back(chance(outcome.destroyed));
  if (shown.taken) cells.push_back(mean(outcome.taken));
  if (shown.lost) cells.push_back(chance(outcome.lost));
}

}  // namespace

std::string decide::to_json(const decide::Worth& worth) {
  return wrapped_json([&](JsonWriter& json) {
    write_head(json, worth);
    write_outcome(json, "now", worth.now);
    json.objects("worth", worth.entries, [&](const decide::WorthEntry& entry) {
      json.member("ship", entry.ship);
      json.member("side", side(entry.mine));
      json.member("what", entry.what);
      json.member("gain", entry.gain);
      write_outcome(json, "change", entry.change);
    });
    json.objects("skipped", worth.skipped, [&](const decide::WorthSkipped& entry) {
      json.member("ship", entry.ship);
      json.member("what", entry.what);
      json.member("why", entry.why);
    });
    write_caveats(json, worth);
  });
}

std::string decide::to_table(const decide::Worth& worth, int width, bool colour) {
  Page page = make_page(width, colour);
  page.paragraph("what one more of each would be worth", Style::Strong);
  page.entry("value now", fmt::format("{}, {}", number(worth.now.value), objective_words(worth)), Style::Strong);
  page.blank();
  const Shown estimates = shown(worth.now);
  Columns table("ship: change", headers(estimates, {"gain"}));
  for (const decide::WorthEntry& entry : worth.entries) {
    std::vector<std::string> cells = {change(entry.gain)};
    add_cells(
        estimates, entry.change, [](double x) { return change(x, 3); }, share_change, cells);
    table.row(fmt::format("{}: {}", entry.ship, entry.what), cells);
  }
  table.write(page);
  page.blank();
  page.entry("gain", "how far the value moves in favor of that ship's side");
  for (const decide::WorthSkipped& entry : worth.skipped)
    page.entry("skipped", fmt::format("{}: {} ({})", entry.ship, entry.what, entry.why), Style::Faint);
  if (!worth.ship_titles.empty()) page.entry("ships", base::joined(worth.ship_titles, ", "));
  append_provenance(page, worth);
  return page.take();
}

std::string decide::to_json(const decide::Order& order) {
  return wrapped_json([&](JsonWriter& json) {
    write_head(json, order);
    json.member("side", side(order.mine));
    json.member("best", order.entries.front().order);
    json.objects("orders", order.entries, [&](const decide::OrderEntry& entry) {
      json.member("order", entry.order);
      json.array("attacks", [&] {
        for (const std::size_t attack : entry.attacks) json.value(attack + 1);
      });
      json.member("value", entry.outcome.value);
      json.member("loss", entry.loss);
      if (order.objective == "kill") json.member("damage_loss", entry.damage_loss);
      write_losses(json, entry.outcome);
    });
    write_caveats(json, order);
  });
}

std::string decide::to_table(const decide::Order& order, int width, bool colour) {
  Page page = make_page(width, colour);
  const decide::OrderEntry& best = order.entries.front();
  page.paragraph(fmt::format("best firing order for {}: {}", order.mine ? "my side" : "their side",
                             base::joined(best.order, ", ")),
                 Style::Strong);
  page.entry("value", fmt::format("{}, {}", number(best.outcome.value), objective_words(order)), Style::Strong);
  page.blank();
  const Shown estimates = shown(best.outcome);
  Columns table("order", headers(estimates, {"value", "loss"}));
  for (std::size_t i = 0; i < std::min(order.entries.size(), kMaxOrdersShown); ++i) {
    const decide::OrderEntry& entry = order.entries[i];
    std::vector<std::string> cells = {number(entry.outcome.value), loss_words(i, entry.loss, entry.damage_loss)};
    add_cells(
        estimates, entry.outcome, [](double x) { return number(x, 3); }, share, cells);
    table.row(base::joined(entry.order, ", "), cells, i == 0 ? Style::Good : Style::Plain);
  }
  table.write(page);
  write_rest(page, order.entries.size(), kMaxOrdersShown);
  if (!order.ship_titles.empty()) page.entry("ships", base::joined(order.ship_titles, ", "));
  append_provenance(page, order);
  return page.take();
}

}  // namespace salvo
