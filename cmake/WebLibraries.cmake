# The libraries of CMakeLists.txt for WebAssembly: Debian's headers, which do not depend on the processor. libc's headers
# are also in /usr/include and must stay invisible, so each library has a separate folder with links.
set(web_headers "${PROJECT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${web_headers}")
foreach(header IN ITEMS fmt/core.h boost/version.hpp nlohmann/json.hpp toml++/toml.h hwy/highway.h
                        Random123/philox.h eigen3/Eigen/Core)
  string(REGEX REPLACE "/.*" "" folder "${header}")
  find_path(web_place "${header}" PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
  if(NOT web_place)
    message(FATAL_ERROR "${header} is missing; run scripts/install_packages build")
  endif()
  file(CREATE_LINK "${web_place}/${folder}" "${web_headers}/${folder}" SYMBOLIC)
  unset(web_place)
endforeach()

foreach(library IN ITEMS fmt::fmt Eigen3::Eigen TBB::tbb Boost::headers Threads::Threads hwy::hwy
                         tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json)
  add_library("${library}" INTERFACE IMPORTED)
  set_target_properties("${library}" PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${web_headers}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${web_headers}")
endforeach()
set_property(TARGET Eigen3::Eigen APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${web_headers}/eigen3")
# salvo does not use locales, and prints only doubles and integers of at most 64 bits, so fmt's code for other types is left out.
# The rest is compiled once (web/engine/format.cpp).
set_target_properties(fmt::fmt PROPERTIES INTERFACE_COMPILE_DEFINITIONS "FMT_STATIC_THOUSANDS_SEPARATOR=','")
foreach(left IN ITEMS FMT_USE_FLOAT=0 FMT_USE_LONG_DOUBLE=0 FMT_USE_INT128=0 FMT_REDUCE_INT_INSTANTIATIONS=1)
  set_property(TARGET fmt::fmt APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS "${left}")
endforeach()
# Integers of 128 bits need function calls in WebAssembly, and the output does not depend on them.
set_target_properties(Boost::headers PROPERTIES INTERFACE_COMPILE_DEFINITIONS BOOST_MATH_PROMOTE_DOUBLE_POLICY=false)
# Needed only for messages of errors that cannot occur, since arguments are checked first.
foreach(kind IN ITEMS DOMAIN POLE OVERFLOW EVALUATION ROUNDING INDETERMINATE_RESULT)
  set_property(TARGET Boost::headers APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                                                     "BOOST_MATH_${kind}_ERROR_POLICY=ignore_error")
endforeach()
set_target_properties(TBB::tbb PROPERTIES INTERFACE_COMPILE_DEFINITIONS SALVO_SERIAL=1)
set(RANDOM123_INCLUDE_DIR "${web_headers}")
set(salvo_highway hwy::hwy)
