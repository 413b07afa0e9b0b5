#include "questions/schema.h"

#include <string_view>

#include "base/text.h"
#include "report/json_writer.h"

namespace salvo::questions {
namespace {

using report::JsonWriter;

constexpr std::string_view kSquadTypes =
    R"([{"$ref": "#/$defs/xws"}, {"type": "string"}, {"type": "array", "items": {"type": "string"}}])";

void write_type(JsonWriter& json, const Field& field) {
  if (field.schema != nullptr) return json.raw(field.schema);
  switch (field.kind) {
    case Kind::Flag:
      return json.member("type", "boolean");
    case Kind::Integer:
      json.member("type", "integer");
      json.member("minimum", field.least);
      return json.member("maximum", field.most);
    case Kind::Real:
      json.member("type", "number");
      json.member("exclusiveMinimum", 0);
      return json.member("maximum", field.limit);
    case Kind::Choice:
      json.member("type", "string");
      return json.member("enum", *field.words);
    case Kind::Text:
    case Kind::Words:
    case Kind::Scenario:
      return json.member("type", "string");
    case Kind::Texts:
    case Kind::Specs:
      return json.raw(kTextsSchema);
    case Kind::Numbers:
      json.member("type", "object");
      json.key("additionalProperties");
      return json.raw(R"({"type": "integer", "minimum": 0, "maximum": 99})");
    case Kind::Items:
      json.member("type", "array");
      return json.object("items", [&] {
        json.key("anyOf");
        json.raw(kSquadTypes);
      });
    case Kind::Squad:
      json.key("anyOf");
      return json.raw(kSquadTypes);
    case Kind::ScenarioKey:
    case Kind::Object:
      return;
    case Kind::Scalar:
      return json.member("type", std::vector<std::string>{"string", "number", "boolean", "null"});
  }
}

void write_properties(JsonWriter& json, const FieldList& list) {
  for (const Field& field : list.fields()) {
    if (field.name.key == nullptr) continue;
    json.object(field.name.key, [&] {
      write_type(json, field);
      json.member("description", field.name.meaning != nullptr ? field.name.meaning : field.name.help);
    });
  }
}

}  // namespace

std::string schema_of(const Question& question) {
  const OpenQuestion asked = question.begin(false);
  JsonWriter json;
  json.object([&] {
    json.member("description", question.what);
    json.member("x-answers", base::words_between(question.answers, " "));
    json.member("type", "object");
    json.object("properties", [&] { write_properties(json, *asked.list); });
    std::vector<std::string> required;
    for (const Field& field : asked.list->fields()) {
      if (field.required) required.emplace_back(field.name.key);
    }
    if (!required.empty()) json.member("required", required);
    json.member("additionalProperties", false);
    json.key("examples");
    json.raw(question.example);
  });
  return json.take();
}

}  // namespace salvo::questions
