# cmake -DSCHEMAS=docs/schemas -DVERSION=... -DOUTPUT=openapi.cpp -P openapi.cmake: an OpenAPI 3.1
# description of the server as a C++ source. Responses and example requests come from docs/schemas/, which OpenAPI 3.1
# accepts unchanged.

cmake_minimum_required(VERSION 3.25)

set(problem "{\"$ref\": \"#/components/responses/problem\"}")
set(problems
    "\"400\": ${problem}, \"405\": ${problem}, \"413\": ${problem}, \"415\": ${problem}, \"422\": ${problem}, \"503\": ${problem}")
set(question
    "{\"name\": \"question\", \"in\": \"query\", \"style\": \"form\", \"explode\": true, \"description\": \"keys of the body; a value that is JSON but no text is taken as such, a key given several times is a list; or body, alone: all of it as JSON\", \"schema\": {\"type\": \"object\", \"additionalProperties\": true}, \"example\": @example@}")
file(READ "${SCHEMAS}/request.schema.json" requests)
set(paths "")
string(JSON verbs LENGTH "${requests}" anyOf)
math(EXPR last "${verbs} - 1")
foreach(i RANGE ${last})
  string(JSON verb GET "${requests}" anyOf ${i} $ref)
  string(REPLACE "#/$defs/" "" verb "${verb}")
  string(JSON words GET "${requests}" $defs ${verb} description)
  string(REGEX REPLACE "\\.$" "" words "${words}")
  string(JSON answer GET "${requests}" $defs ${verb} x-answers)
  string(REGEX REPLACE "\"([^\"]+)\"" "{\"$ref\": \"#/components/schemas/\\1\"}" answer "${answer}")
  set(answer "{\"anyOf\": ${answer}}")
  if(NOT answer MATCHES "ref")
    set(answer "{\"type\": \"object\"}")
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
