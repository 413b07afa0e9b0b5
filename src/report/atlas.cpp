#include "report/atlas.h"

#include "report/json_writer.h"
#include "report/squad.h"

namespace salvo::report {

std::string atlas_file(const study::AtlasPage& page) { return page.kind + "s/" + page.id + ".json"; }

std::string atlas_page(const AtlasHead& head, const AtlasAnswer& answer) {
  return json_line([&](JsonWriter& json) {
           json.member("format", 1);
           json.object("atlas", [&] {
             json.member("kind", answer.page.kind);
             json.member("id", answer.page.id);
             json.member("version", head.version);
             json.member("work", head.work);
           });
           write_report(json, answer.report);
         }) +
         "\n";
}

std::string atlas_entry(const AtlasAnswer& answer) {
  return json_line([&](JsonWriter& json) {
    json.member("kind", answer.page.kind);
    json.member("id", answer.page.id);
    if (answer.error) {
      json.object("error", [&] {
        json.member("place", answer.error->place);
        json.member("message", answer.error->message);
      });
      return;
    }
    json.member("file", atlas_file(answer.page));
    json.objects("ships", answer.report.pilots, [&](const PilotReport& ship) {
      json.member("pilot", ship.pilot.id.empty() ? std::nullopt : std::optional(ship.pilot.id));
      json.member("ship", ship.pilot.ship);
      json.member("name", ship.pilot.name);
      json.member("ship_name", ship.pilot.ship_name);
      json.member("cost", ship.cost > 0 ? std::optional(ship.cost) : std::nullopt);
      json.member("damage", ship.summary.damage.value);
      json.member("shots", ship.durability.empty() ? std::nullopt : std::optional(ship.summary.shots));
    });
  });
}

std::string atlas_index(const AtlasHead& head, const std::vector<std::string>& entries) {
  return wrapped_json([&](JsonWriter& json) {
    json.member("format", 1);
    json.member("version", head.version);
    json.member("commit", head.commit);
    json.member("work", head.work);
    json.member("rules", head.rules);
    json.member("cards", head.cards);
    json.member("cards_from", head.cards_from);
    json.member("cards_date", head.cards_date);
    json.object("references", [&] { write_references(json, head.references); });
    json.array("pages", [&] {
      for (const std::string& entry : entries) json.raw(entry);
    });
  });
}

}  // namespace salvo::report
