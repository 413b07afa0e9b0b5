# cmake --install, find_package(salvo) and pkg-config. Everything is relocatable: installed files find each other by
# relative paths.
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
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/salvoConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
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

include("${CMAKE_CURRENT_LIST_DIR}/Debian.cmake")
