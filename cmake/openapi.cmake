# cmake -DSCHEMAS=docs/schemas -DVERSION=... -DOUTPUT=openapi.cpp -P openapi.cmake: writes the OpenAPI 3.1 description of the
# server as a C++ source. The schemas of docs/schemas/ are included unchanged, as are their examples of questions.

cmake_minimum_required(VERSION 3.25)

# verb | schemas of its answers, may be empty | summary
set(verbs
    "run|run|What attacks do"
    "advise|advise|What to do at a point of a scenario"
    "worth|worth|What each token and card is worth"
    "order|order|In which order to shoot"
    "squad|squad|A report on a squad"
    "compare|compare|Loadouts beside each other"
    "durability|durability|How many shots a ship survives"
    "hazard|hazard|Dice outside attacks"
    "battle|battle battle-worth|Who wins: two squads, round after round"
    "gauntlet|gauntlet|Which list: squads, each against each"
    "luck|luck|The luck of one attack that was played"
    "review|review|A game that was played: luck and errors"
    "ships|names|Ships by name"
    "pilots|names|Pilots by name"
    "upgrades|names|Upgrades by name"
    "weapons|names|Weapons by name"
    "cards||The library of cards"
    "rules|rules|The rules of an edition")

set(problem "{\"$ref\": \"#/components/responses/problem\"}")
set(problems
    "\"400\": ${problem}, \"405\": ${problem}, \"413\": ${problem}, \"415\": ${problem}, \"422\": ${problem}, \"503\": ${problem}")
set(question
    "{\"name\": \"question\", \"in\": \"query\", \"style\": \"form\", \"explode\": true, \"description\": \"keys of the body; a value that is JSON but no text is taken as such, a key given several times is a list; or body, alone: all of it as JSON\", \"schema\": {\"type\": \"object\", \"additionalProperties\": true}, \"example\": @example@}")
file(READ "${SCHEMAS}/request.schema.json" requests)
set(paths "")
foreach(entry IN LISTS verbs)
  string(REPLACE "|" ";" parts "${entry}")
  list(GET parts 0 verb)
  list(GET parts 1 schema)
  list(GET parts 2 words)
  set(answer "{\"type\": \"object\"}")
  if(schema MATCHES "^(.+) (.+)$")
    set(answer
        "{\"anyOf\": [{\"$ref\": \"#/components/schemas/${CMAKE_MATCH_1}\"}, {\"$ref\": \"#/components/schemas/${CMAKE_MATCH_2}\"}]}")
  elseif(schema)
    set(answer "{\"$ref\": \"#/components/schemas/${schema}\"}")
  endif()
  set(responses
      "\"responses\": {\"200\": {\"description\": \"what the program prints with --format json\", \"headers\": {\"Link\": {\"description\": \"the same question in the page\", \"schema\": {\"type\": \"string\"}}}, \"content\": {\"application/json\": {\"schema\": ${answer}}}}, ${problems}}")
  string(JSON example GET "${requests}" $defs ${verb} examples 0)
  string(REPLACE "@example@" "${example}" parameter "${question}")
  string(
    APPEND
    paths
    "  \"/v1/${verb}\": {\n   \"post\": {\"operationId\": \"${verb}\", \"summary\": \"${words}\", \"requestBody\": {\"required\": true, \"content\": {\"application/json\": {\"schema\": {\"$ref\": \"#/components/schemas/request/$defs/${verb}\"}, \"example\": ${example}}}}, ${responses}},\n"
    "   \"get\": {\"operationId\": \"${verb}_get\", \"summary\": \"${words}; the keys of the body in the query\", \"parameters\": [${parameter}], ${responses}}\n  },\n")
endforeach()

set(schemas "")
file(GLOB files "${SCHEMAS}/*.schema.json")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  string(REPLACE ".schema.json" "" name "${name}")
  file(READ "${file}" text)
  string(STRIP "${text}" text)
  string(REPLACE "\"#/$defs/" "\"#/components/schemas/${name}/$defs/" text "${text}")
  string(APPEND schemas ",\n   \"${name}\": ${text}")
endforeach()

# A line of a batch is a scenario: the second example of run.
string(JSON line GET "${requests}" $defs run examples 1)
string(REGEX REPLACE "[ \n]+" " " line "${line}")
string(REPLACE "\"" "\\\"" line "${line}")

file(READ "${CMAKE_CURRENT_LIST_DIR}/openapi.in.json" text)
string(REPLACE "  \"@verbs@\": {},\n" "${paths}" text "${text}")
string(REPLACE ",\n   \"@schemas@\": {}" "${schemas}" text "${text}")
string(REPLACE "@line@" "${line}" text "${text}")
string(REPLACE "@version@" "${VERSION}" text "${text}")
string(JSON type ERROR_VARIABLE error TYPE "${text}" paths)
if(error)
  message(FATAL_ERROR "openapi.json would be no JSON: ${error}")
endif()
file(WRITE "${OUTPUT}" "// Made by cmake/openapi.cmake.
#include \"serve/routes.h\"

namespace salvo::serve {

std::string_view openapi_json() {
  return R\"json(${text})json\";
}

}  // namespace salvo::serve
")
