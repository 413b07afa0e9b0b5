# The versions of the libraries that salvo is built with. `salvo --version --verbose` prints them, and installed trees have them
# as a bill of materials (SPDX 2.3).
# Out: salvo_packages, "NAME VERSION" each; ${PROJECT_BINARY_DIR}/generated/salvo.spdx.json.

# salvo_defined(OUT FILE REGEX): the groups that the regular expression finds in the header, joined by dots.
function(salvo_defined out file)
  set(numbers)
  foreach(regex IN LISTS ARGN)
    file(STRINGS "${file}" lines REGEX "${regex}" LIMIT_COUNT 1)
    if(lines MATCHES "${regex}")
      list(APPEND numbers "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  string(REPLACE ";" "." numbers "${numbers}")
  set(${out} "${numbers}" PARENT_SCOPE)
endfunction()

set(salvo_packages
    "Boost ${Boost_VERSION_STRING}"
    "CLI11 ${CLI11_VERSION}"
    "Eigen ${Eigen3_VERSION}"
    "fmt ${fmt_VERSION}"
    "Highway ${hwy_VERSION}"
    "nlohmann-json ${nlohmann_json_VERSION}"
    "oneTBB ${TBB_VERSION}"
    "Random123 unknown" # its headers do not state a version
    "toml++ ${tomlplusplus_VERSION}")
if(SQLite3_FOUND)
  list(APPEND salvo_packages "SQLite ${SQLite3_VERSION}")
endif()
if(GLPK_LIBRARY)
  salvo_defined(version "${GLPK_INCLUDE_DIR}/glpk.h" "GLP_MAJOR_VERSION +([0-9]+)" "GLP_MINOR_VERSION +([0-9]+)")
  list(APPEND salvo_packages "GLPK ${version}")
endif()
if(XBYAK_INCLUDE_DIR)
  salvo_defined(version "${XBYAK_INCLUDE_DIR}/xbyak/xbyak.h" "VERSION = (0x[0-9A-Fa-f]+)")
  list(APPEND salvo_packages "Xbyak ${version}")
endif()

# No date and no machine name: the same sources produce the same bytes.
set(parts "{\"SPDXID\": \"SPDXRef-salvo\", \"name\": \"salvo\", \"versionInfo\": \"${PROJECT_VERSION}\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false}")
set(relations "{\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-salvo\"}")
foreach(package IN LISTS salvo_packages)
  string(REGEX MATCH "^([^ ]+) (.*)$" matched "${package}")
  set(name "${CMAKE_MATCH_1}")
  set(version "${CMAKE_MATCH_2}")
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "" id "SPDXRef-${name}")
  string(APPEND parts
         ",\n    {\"SPDXID\": \"${id}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\", "
         "\"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false}")
  string(APPEND relations
         ",\n    {\"spdxElementId\": \"SPDXRef-salvo\", \"relationshipType\": \"DEPENDS_ON\", "
         "\"relatedSpdxElement\": \"${id}\"}")
endforeach()
# The document is named after its contents: equal contents have equal names.
string(SHA256 contents "${parts}${relations}")
string(SUBSTRING "${contents}" 0 16 contents)
set(salvo_bill "${PROJECT_BINARY_DIR}/generated/salvo.spdx.json")
file(
  WRITE "${salvo_bill}"
  "{\n  \"spdxVersion\": \"SPDX-2.3\",\n  \"dataLicense\": \"CC0-1.0\",\n  \"SPDXID\": \"SPDXRef-DOCUMENT\",\n"
  "  \"name\": \"salvo-${PROJECT_VERSION}\",\n"
  "  \"documentNamespace\": \"https://salvo.invalid/spdx/${PROJECT_VERSION}-${contents}\",\n"
  "  \"creationInfo\": {\"created\": \"1970-01-01T00:00:00Z\", \"creators\": [\"Tool: cmake/Packages.cmake\"]},\n"
  "  \"packages\": [\n    ${parts}\n  ],\n  \"relationships\": [\n    ${relations}\n  ]\n}\n")
