# The Debian packages: cpack -G DEB. What Debian's policy asks for besides the installed files is in packaging/debian.

set(CPACK_PACKAGE_CONTACT "The Salvo authors <salvo@users.noreply.github.com>")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has a synopsis of its own
set(CPACK_COMPONENTS_ALL program runtime development data documentation)
set(same_version "(= ${PROJECT_VERSION})")

# salvo_package(COMPONENT NAME SYNOPSIS DESCRIPTION [ARCHITECTURE all] [SECTION ...] [DEPENDS ...] [RECOMMENDS ...])
function(salvo_package component name synopsis description)
  cmake_parse_arguments(with "" "ARCHITECTURE;SECTION;DEPENDS;RECOMMENDS" "" ${ARGN})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${synopsis}\n${description}" PARENT_SCOPE)
  foreach(field ARCHITECTURE SECTION DEPENDS RECOMMENDS)
    if(with_${field})
      set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${with_${field}}" PARENT_SCOPE)
    endif()
  endforeach()
  list(APPEND salvo_debian_packages "${component}:${name}")
  set(salvo_debian_packages "${salvo_debian_packages}" PARENT_SCOPE)
endfunction()

set(runtime "libsalvo${salvo_abi}")
set(program_needs "salvo-data ${same_version}")
set(development_needs "${runtime} ${same_version}")
# dpkg-shlibdeps does not see libraries that a program loads by name: libglpk.so.40 is in libglpk40.
set(salvo_glpk_package)
if(GLPK_LIBRARY)
  string(REPLACE ".so." "" salvo_glpk_package "${salvo_glpk}")
endif()
if(BUILD_SHARED_LIBS)
  string(APPEND program_needs ", ${runtime} ${same_version}")
  # The library is not installed yet when the program's dependencies are looked up.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
else()
  string(APPEND development_needs
         ", salvo-data ${same_version}, libfmt-dev, libtbb-dev, libhwy-dev, libtomlplusplus-dev")
endif()

salvo_package(
  program salvo "calculator for the X-Wing miniatures game"
  "Salvo computes what attacks, squads and whole battles of the game do, exactly
or by simulation: expected damage, the chance to destroy a ship, what to spend,
which squad wins, and whether a player was unlucky. It answers on the command
line, as a server, and in a browser."
  DEPENDS "${program_needs}" RECOMMENDS "${salvo_glpk_package}")
salvo_package(
  runtime ${runtime} "calculator for the X-Wing miniatures game (C library)"
  "The library answers the questions of the program salvo: a question as JSON goes
in, the answer as JSON comes out."
  SECTION libs DEPENDS "salvo-data ${same_version}")
salvo_package(
  development libsalvo-dev "calculator for the X-Wing miniatures game (development files)"
  "Headers and libraries for programs in C and C++ that ask salvo, with files for
CMake and pkg-config."
  SECTION libdevel DEPENDS "${development_needs}")
salvo_package(
  data salvo-data "calculator for the X-Wing miniatures game (rules and cards)"
  "The rules of both editions, ships, pilots, upgrades, damage decks, flights and
hazards as text files, which salvo reads."
  ARCHITECTURE all)
salvo_package(
  documentation salvo-doc "calculator for the X-Wing miniatures game (documentation)"
  "Manual pages for players, developers of squad builders and administrators, the
schemas of all answers, and examples."
  ARCHITECTURE all SECTION doc)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(debian "${PROJECT_SOURCE_DIR}/packaging/debian")
file(WRITE "${PROJECT_BINARY_DIR}/package/shlibs" "libsalvo ${salvo_abi} ${runtime} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/package/shlibs" "${debian}/triggers")

# Adds to the staged files of each package what its policy asks for.
configure_file("${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake.in" "${PROJECT_BINARY_DIR}/package/debian_files.cmake"
               @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_BINARY_DIR}/package/debian_files.cmake")
include(CPack)
