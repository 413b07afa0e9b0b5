# cmake --install, find_package(salvo), pkg-config and the Debian packages (cpack -G DEB). Everything is relocatable:
# installed files find each other by relative paths.
include(CMakePackageConfigHelpers)

set(salvo_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/salvo")
set(salvo_data_dir "${CMAKE_INSTALL_DATADIR}/salvo")

# A library without battles would lack functions that its headers declare.
if(NOT SALVO_BATTLES)
  set(refusal "salvo was built without battles, which belong to what is installed: build it with -DSALVO_BATTLES=ON")
  install(CODE "message(FATAL_ERROR \"${refusal}\")" ALL_COMPONENTS)
endif()

# The program generates the manual page and completions from its --help.
set(salvo_man_dir "${PROJECT_BINARY_DIR}/package/man")
if(NOT CMAKE_CROSSCOMPILING)
  file(MAKE_DIRECTORY "${salvo_man_dir}")
  add_custom_command(
    TARGET salvo
    POST_BUILD
    COMMAND salvo man > "${salvo_man_dir}/salvo.1"
    COMMAND salvo completions bash > "${salvo_man_dir}/salvo"
    COMMAND salvo completions zsh > "${salvo_man_dir}/_salvo"
    COMMAND salvo completions fish > "${salvo_man_dir}/salvo.fish"
    VERBATIM)
  install(
    FILES "${salvo_man_dir}/salvo.1"
    DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
    COMPONENT program)
  install(
    FILES "${salvo_man_dir}/salvo"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
    COMPONENT program)
  install(
    FILES "${salvo_man_dir}/_salvo"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
    COMPONENT program)
  install(
    FILES "${salvo_man_dir}/salvo.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
    COMPONENT program)
endif()

install(TARGETS salvo RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
install(
  TARGETS salvo_library
  EXPORT salvo
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          COMPONENT runtime
          NAMELINK_COMPONENT development)
if(TARGET salvo_c)
  install(
    TARGETS salvo_c
    EXPORT salvo
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
            COMPONENT runtime
            NAMELINK_COMPONENT development)
endif()
install(
  DIRECTORY include/salvo
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development)
install(
  DIRECTORY profiles
  DESTINATION "${salvo_data_dir}"
  COMPONENT data)
install(
  FILES "${salvo_pack}"
  DESTINATION "${salvo_data_dir}"
  COMPONENT data)
install(
  FILES README.md CHANGELOG.md LICENSE
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT documentation)
install(
  DIRECTORY docs examples
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT documentation)

install(FILES "${salvo_bill}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)

# ---- find_package(salvo CONFIG) ---------------------------------------------------------------------------------

install(
  EXPORT salvo
  FILE salvoTargets.cmake
  NAMESPACE salvo::
  DESTINATION "${salvo_cmake_dir}"
  COMPONENT development)
configure_package_config_file(cmake/salvoConfig.cmake.in "${PROJECT_BINARY_DIR}/package/salvoConfig.cmake"
                              INSTALL_DESTINATION "${salvo_cmake_dir}" PATH_VARS salvo_data_dir)
# Until 1.0 every minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/salvoConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/package/salvoConfig.cmake" "${PROJECT_BINARY_DIR}/package/salvoConfigVersion.cmake"
  DESTINATION "${salvo_cmake_dir}"
  COMPONENT development)

# ---- pkg-config -------------------------------------------------------------------------------------------------

# Users of a static library always need its private libraries.
set(salvo_pc_requires_private "fmt tbb tomlplusplus")
if(salvo_highway)
  string(APPEND salvo_pc_requires_private " libhwy")
endif()
set(salvo_pc_library -lsalvo)
if(NOT BUILD_SHARED_LIBS)
  set(salvo_pc_requires "${salvo_pc_requires_private}")
  set(salvo_pc_requires_private "")
  set(salvo_pc_library -l:libsalvo.a) # libsalvo.so beside it is that of C
endif()
file(RELATIVE_PATH salvo_pc_prefix "/x/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/x")
string(REGEX REPLACE "/$" "" salvo_pc_prefix "${salvo_pc_prefix}")
configure_file(cmake/salvo.pc.in "${PROJECT_BINARY_DIR}/package/salvo.pc" @ONLY)
configure_file(cmake/salvo-c.pc.in "${PROJECT_BINARY_DIR}/package/salvo-c.pc" @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/package/salvo.pc" "${PROJECT_BINARY_DIR}/package/salvo-c.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)

# ---- Debian packages --------------------------------------------------------------------------------------------

set(CPACK_PACKAGE_CONTACT "The Salvo authors <salvo@users.noreply.github.com>")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(same_version "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME salvo)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Distributions of attacks in the X-Wing miniatures game")
set(program_needs "salvo-data ${same_version}")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME salvo-data)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DATA_DESCRIPTION "Rules, ships and cards for salvo")

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME salvo-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "Documentation and examples of salvo")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsalvo-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Distributions of attacks in the X-Wing miniatures game: C++ library")

set(CPACK_COMPONENTS_ALL program runtime development data documentation)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "libsalvo${PROJECT_VERSION_MAJOR}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "salvo-data ${same_version}")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Distributions of attacks in the X-Wing miniatures game: shared library")
set(runtime_package "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} ${same_version}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${runtime_package}")
if(BUILD_SHARED_LIBS)
  string(APPEND program_needs ", ${runtime_package}")
  # The library is not installed yet when the program's dependencies are looked up.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
else()
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
         ", salvo-data ${same_version}, libfmt-dev, libtbb-dev, libhwy-dev, libtomlplusplus-dev")
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${program_needs}")
include(CPack)
